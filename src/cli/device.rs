//! `rtcuda device`.

use super::outcome::{Done, Fault};
use super::tell::style;
use rtcuda::report::table::Table;
use rtcuda::runtime::device::survey;

/// Shows what is here, and what is missing.
pub fn device(json: bool) -> Result<Done, Fault> {
    let survey = survey();
    // Without a GPU or nvcc, programs are simulated; without a host compiler, nothing works.
    let status = u8::from(survey.parts.iter().any(|part| part.missing.is_some() && part.is_needed));
    if json {
        return Ok(Done { text: format!("{:#}\n", serde_json::json!(survey)), status });
    }
    let style = style();
    let mut table = Table::default();
    for part in &survey.parts {
        match (&part.found, &part.missing) {
            (Some(found), _) => table.row([part.name.to_owned(), found.clone()]),
            (None, missing) => {
                let missing = missing.clone().unwrap_or_default();
                table.row([part.name.to_owned(), format!("{}: {missing}", style.bad("missing"))]);
            }
        }
    }
    let meaning = match survey.backend {
        "cuda" => "programs run on the GPU (--backend auto means cuda)",
        _ => "programs are simulated on the CPU (--backend auto means cpu)",
    };
    Ok(Done { text: format!("{}\n{meaning}\n", table.text(0)), status })
}
