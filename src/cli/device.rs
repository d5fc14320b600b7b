//! `rtcuda device`.

use super::outcome::{Done, Fault};
use super::tell::style;
use rtcuda::cost;
use rtcuda::report::table::Table;
use rtcuda::runtime::device::{Gpu, survey};

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

/// Shows what the model takes of the GPU that is here; else of the usual one.
pub fn figures(json: bool) -> Result<Done, Fault> {
    let gpu = Gpu::first().ok();
    let machine = gpu.as_ref().and_then(|gpu| gpu.machine());
    let driver = gpu.as_ref().filter(|_| machine.is_some()).map_or("", |gpu| gpu.name.as_str());
    let known = cost::known(machine.map_or(USUAL, |machine| machine.capability), driver);
    if json {
        return Ok(Done { text: format!("{:#}\n", serde_json::json!(known)), status: 0 });
    }
    let mut table = Table::default();
    for x in known {
        let value = if x.value >= 1e6 { format!("{:e}", x.value) } else { x.value.to_string() };
        let date = x.date.unwrap_or_default();
        let cells = [x.figure, &value, x.unit, x.of, &date, x.by].map(str::to_owned);
        table.row(cells);
    }
    Ok(Done { text: table.text(0), status: 0 })
}

/// The capability of the machine whose figures are told where there is no GPU.
const USUAL: u32 = 90;
