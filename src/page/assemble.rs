//! The page of a program, from the report of its conversion and from what was measured.

use super::{Fact, Failure, Loop, Page, regions};
use crate::diag::{Diagnostic, Severity};
use crate::pipeline::Converted;
use crate::profile::rows::{Profile, Row};
use crate::report::words::{percent, time, times};
use crate::report::{self, Report, Runs};
use crate::runtime::verify::{Totals, Verdict, Verification};
use crate::runtime::written;
use std::path::Path;

/// Loops of the table, the hottest.
const MOST_LOOPS: usize = 60;

/// Letters of a line that stands for a loop.
const MOST_OF_A_LINE: usize = 60;

/// Measurements of a program; each part may be missing.
#[derive(Debug, Default)]
pub struct Measured {
    /// Times of the original's loops.
    pub profile: Option<Profile>,
    /// Comparison of both versions.
    pub verification: Option<Verification>,
    /// Times of the converted program's regions, and that of the whole process in seconds.
    pub ran: Option<(written::Profile, f64)>,
    /// Flag: it ran simulated, and its times are those of no GPU.
    pub is_simulated: bool,
    /// Parts that could not be measured, and why.
    pub missing: Vec<String>,
}

/// The page of a program with that name. `read` gives the text of a user's file.
pub fn page(
    title: String,
    command: String,
    report: &Report,
    converted: &Converted,
    measured: &Measured,
    read: &dyn Fn(&str) -> Option<String>,
) -> Page {
    let ran = |name: &str| measured.ran.iter().flat_map(|(ran, _)| &ran.regions).find(|region| region.region == name);
    let one = |region: &report::Region| {
        let c = read(&region.file).unwrap_or_default();
        regions::region(region, &c, &cuda_of(converted, &region.file), ran(&region.name))
    };
    let mut loops: Vec<Loop> = match &measured.profile {
        Some(profile) => profile.loops.iter().take(MOST_LOOPS).map(|row| timed(row, report, measured)).collect(),
        None => untimed(report, &converted.diagnostics),
    };
    let helps: Vec<Option<String>> = loops.iter().map(|l| l.help.clone()).collect();
    for (l, before) in loops.iter_mut().skip(1).zip(helps) {
        // The remedy of the loop above serves this one, too.
        l.help.take_if(|help| before.as_ref() == Some(help));
    }
    let summary = match &measured.profile {
        Some(profile) => profile.summary(),
        None => {
            let converted = loops.iter().filter(|l| l.r#where == "gpu").count();
            format!("{converted} of {} outermost loops run on the GPU", loops.len())
        }
    };
    Page {
        title,
        command,
        version: format!("rtcuda {}", env!("CARGO_PKG_VERSION")),
        summary,
        facts: facts(report, measured),
        failures: failures(converted, measured),
        is_measured: measured.profile.is_some(),
        loops,
        regions: report.regions.iter().map(one).collect(),
    }
}

/// The emitted file for a user's one.
fn cuda_of(converted: &Converted, file: &str) -> String {
    let name = Path::new(file).with_extension("cu");
    let of_name = converted.files.iter().find(|file| Some(file.path.as_os_str()) == name.file_name());
    of_name.map_or(String::new(), |file| String::from_utf8_lossy(&file.contents).into_owned())
}

fn timed(row: &Row, report: &Report, measured: &Measured) -> Loop {
    let place = &row.timed.place;
    let of_name = |name: &String| report.regions.iter().find(|region| region.name == *name);
    let region = place.region.as_ref().and_then(of_name);
    let of_region = region.and_then(|region| region.loops.iter().find(|l| l.line == place.lines.0));
    let regions = measured.ran.iter().filter(|_| !measured.is_simulated).flat_map(|(ran, _)| &ran.regions);
    let after = place.region.as_ref().and_then(|name| regions.clone().find(|region| region.region == *name));
    let at = row.at.as_ref().filter(|(_, line)| *line != place.lines.0);
    let at = at.map_or(String::new(), |(_, line)| format!("line {line}: "));
    Loop {
        share: 100.0 * row.share,
        share_text: Some(percent(row.share)),
        seconds: Some(time(row.timed.own_s)),
        entered: Some(times(row.timed.entered)),
        after: after.filter(|region| region.calls > 0).map(|region| time(region.total_s)),
        place: format!("{}:{}", place.file, place.lines.0),
        head: place.head.clone(),
        function: place.function.clone(),
        r#where: if place.region.is_some() { "gpu" } else { "host" },
        region: place.region.clone(),
        why: row.why.as_ref().map(|why| format!("{at}{why}")).or(of_region.map(why_on_gpu)),
        help: row.help.clone(),
    }
}

/// Why a loop of a region runs as it does; of one whose steps stay in order, what it became.
fn why_on_gpu(l: &report::Loop) -> String {
    match l.runs {
        Runs::Host | Runs::Sequential => format!("in order: {}", l.mapping),
        Runs::Parallel | Runs::Reduction | Runs::Scan => l.why.clone(),
    }
}

/// Loops without times: those of regions, the deepest nests first, then what was declined.
fn untimed(report: &Report, diagnostics: &[Diagnostic]) -> Vec<Loop> {
    let depth = |region: &&report::Region| region.loops.iter().map(|l| l.depth).max().unwrap_or(0);
    let mut regions: Vec<&report::Region> = report.regions.iter().collect();
    regions.sort_by_key(|region| std::cmp::Reverse(depth(region)));
    let outermost = |region: &'_ report::Region| {
        let of_loop = |l: &report::Loop| Loop {
            place: format!("{}:{}", region.file, l.line),
            head: l.head.clone(),
            function: region.function.clone(),
            r#where: "gpu",
            region: Some(region.name.clone()),
            why: Some(why_on_gpu(l)),
            ..Loop::default()
        };
        region.loops.iter().filter(|l| l.depth == 0).map(of_loop).collect::<Vec<_>>()
    };
    let declined = diagnostics.iter().filter(|d| d.severity == Severity::Declined).map(|d| Loop {
        place: place(d).unwrap_or_default(),
        // Text of the line, as the loop has no name.
        head: d.place.as_ref().map_or(String::new(), |place| place.text.trim().chars().take(MOST_OF_A_LINE).collect()),
        r#where: "host",
        why: Some(d.message.clone()),
        help: d.help.clone(),
        ..Loop::default()
    });
    regions.into_iter().flat_map(outermost).chain(declined).collect()
}

fn place(d: &Diagnostic) -> Option<String> {
    d.place.as_ref().map(|place| format!("{}:{}", place.file, place.line))
}

fn facts(report: &Report, measured: &Measured) -> Vec<Fact> {
    let mut facts = vec![];
    let mut fact = |name: &str, value: String| facts.push(Fact { name: name.into(), value });
    if let Some(profile) = &measured.profile {
        fact("original, one core", time(profile.seconds));
    }
    match &measured.ran {
        Some(_) if measured.is_simulated => fact("converted", "simulated on the CPU: no times of a GPU".into()),
        Some((_, took)) => {
            fact("converted, from start to end", time(*took));
            if let Some(profile) = &measured.profile {
                fact("gain", format!("{:.1} times", profile.seconds / took));
            }
        }
        None => {}
    }
    if let Some(verification) = &measured.verification {
        fact("compared", compared(verification));
    }
    if let Some(reason) = &report.nothing_kept {
        fact("data", reason.nothing_kept());
    }
    measured.missing.iter().for_each(|missing| fact("not measured", missing.clone()));
    facts
}

/// Outcome of the comparison.
fn compared(verification: &Verification) -> String {
    let arrays =
        verification.runs.iter().flat_map(|run| &run.comparisons).flat_map(|c| &c.regions).flat_map(|r| &r.arrays);
    let elements: u64 = verification.runs.iter().map(|run| Totals::of(run).elements).sum();
    let differing: u64 = arrays.map(|array| array.differing + array.changed_outside).sum();
    match &verification.verdict {
        Verdict::Verified => format!("{elements} elements in {} runs, none differs", verification.runs.len()),
        Verdict::Differs => format!("{differing} of {elements} elements differ"),
        Verdict::Findings => "the simulation found a fault".into(),
        Verdict::Failed(why) | Verdict::NothingCompared(why) | Verdict::Bug(why) => why.clone(),
        Verdict::NothingConverted => "nothing was converted".into(),
        Verdict::Input => "the converted program was not built".into(),
    }
}

fn failures(converted: &Converted, measured: &Measured) -> Vec<Failure> {
    let mut all = vec![];
    if let Some(verification) = &measured.verification
        && verification.verdict.status() != 0
    {
        let message = format!("not verified: {}", compared(verification));
        let help = format!("rtcuda verify {}", verification.program);
        all.push(Failure { message, place: None, help: Some(help) });
    }
    let ended = measured.profile.as_ref().and_then(|profile| profile.ended.clone());
    all.extend(ended.map(|ended| Failure {
        message: format!("the original ended with {ended}"),
        place: None,
        help: None,
    }));
    let warnings = converted.diagnostics.iter().filter(|d| d.severity == Severity::Warning);
    all.extend(warnings.map(|d| Failure { message: d.message.clone(), place: place(d), help: d.help.clone() }));
    all
}
