//! `rtcuda run`.

use super::args::Run;
use super::energy;
use super::given::refuse_arguments;
use super::outcome::{Done, Fault};
use super::program::program;
use super::tell::{Progress, say, say_of_conversion};
use rtcuda::diag::no_temporary_folder;
use rtcuda::emit;
use rtcuda::pipeline;
use rtcuda::report::Reason;
use rtcuda::report::table::Table;
use rtcuda::runtime::build::{self, Target};
use rtcuda::runtime::energy::{Metered, Metering};
use rtcuda::runtime::fallback::{self, Attempt};
use rtcuda::runtime::user_lines::{self, Place};
use rtcuda::runtime::written::{self, Code, Moved, Profile, RegionTimes};
use rtcuda::runtime::{backend, lines, run};
use rtcuda::sparse::memory::bytes_text;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Converts, builds, runs; the program has the terminal, the times follow on the error stream.
pub fn run(arguments: &Run) -> Result<Done, Fault> {
    refuse_arguments(&arguments.input.files)?;
    let (program, mut options) = program(&arguments.input)?;
    let target = &mut options.config.target;
    target.backend = arguments.on.backend().unwrap_or(target.backend);
    let target = backend::choose(target)?;
    if arguments.energy && matches!(target, Target::Simulation) {
        return Err(energy::on_the_host().into());
    }
    let progress = Progress::new(false);
    let top = tempfile::tempdir().map_err(|e| no_temporary_folder(&e))?;
    let folder = top.path().join("program");
    let (converted, executable) = fallback::built(&mut options, |options| {
        progress.line("converting");
        let converted = pipeline::convert_valid(&program.files, options)?;
        progress.line("building");
        let built = build::Program { folder: &folder, files: &converted.files, cflags: &options.cflags, headers: None };
        Ok(match build::attempt(&built, &target)? {
            Ok(executable) => Attempt::Built((converted, executable)),
            Err(refused) => Attempt::Refused(converted.into(), refused),
        })
    })?;
    progress.line("");
    say_of_conversion(&converted.diagnostics, false);
    let metering = energy::begin(arguments.energy, options.config.target.backend, &progress)?;
    let profile = top.path().join("profile.json");
    let given = options.config.input.given.or_of(&arguments.given.given());
    let status = run::openly(&executable, &given, &[("RTCUDA_PROFILE", profile.clone().into())])?;
    let mut profile = written::read::<Profile>(&profile)?.unwrap_or_default();
    lines::find(&mut profile, &user_lines(&program.files, &converted.files, &folder));
    let metered = metering.map(Metering::end).transpose()?;
    let n_regions = converted.report["regions"].as_array().map_or(0, Vec::len);
    let nothing_kept = Option::<Reason>::deserialize(&converted.report["nothing_kept"]).ok().flatten();
    let nothing_kept = nothing_kept.or(profile.nothing_kept.take().map(Reason::of_itself));
    say(&if n_regions == 0 {
        "nothing was converted\n".into()
    } else {
        table(&profile, &target, metered.as_ref(), nothing_kept.as_ref())
    });
    if status.success() {
        return Done::well(String::new());
    }
    say(&format!("the program ended with {}\n", run::in_words(status)));
    Ok(Done { text: String::new(), status: 1 })
}

fn table(profile: &Profile, target: &Target, metered: Option<&Metered>, nothing_kept: Option<&Reason>) -> String {
    if profile.regions.is_empty() {
        return "no converted region was called\n".into();
    }
    let mut table = Table::default();
    for region in &profile.regions {
        let name = format!("{} ({}:{})", region.region, region.file, region.line);
        table.row([name, times(region.calls), in_ms(region.total_s)]);
        if let Some(metered) = metered {
            let told = metered.during(&region.spans, region.calls);
            table.row(["  energy of a call".into(), energy::in_words(&told), String::new()]);
        }
        if region.left > 0 {
            table.row(["  too little for a device, on the host".into(), times(region.left), String::new()]);
        }
        let parts = [("copies to the device", &region.copy_in), ("copies to the host", &region.copy_out)];
        let kernels = region.kernels.iter().map(|kernel| (kernel.name.as_str(), kernel));
        for (name, part) in kernels.chain(parts) {
            if part.calls > 0 {
                table.row([format!("  {name}"), times(part.calls), in_ms(part.seconds)]);
            }
        }
    }
    let note = match target {
        Target::Simulation => "simulated on the CPU: these are not the times of a GPU\n",
        Target::Gpu { .. } => "",
    };
    let nothing_kept = nothing_kept.map_or(String::new(), |reason| reason.nothing_kept() + "\n");
    format!("{}{}{nothing_kept}{note}", table.text(0), copies(profile))
}

/// Lines of the user's C files by those of what was emitted for them, in that order.
fn user_lines(users: &[PathBuf], emitted: &[emit::File], folder: &Path) -> BTreeMap<Place, Place> {
    let is_c = |file: &&emit::File| file.path.extension().is_some_and(|extension| extension == "c");
    let text_of = |file: &str| fs::read(file).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let of_file = |(user, file): (&PathBuf, &emit::File)| {
        let name = folder.join(&file.path).display().to_string();
        let text = String::from_utf8_lossy(&file.contents);
        user_lines::of_emitted((&name, &text), &user.display().to_string(), &text_of)
    };
    users.iter().zip(emitted.iter().filter(is_c)).flat_map(of_file).collect()
}

/// Rows of the table of copies.
const MOST_COPIES: usize = 12;

/// The largest copies of all regions, each with the line that wants it.
fn copies(profile: &Profile) -> String {
    let mut all: Vec<(&RegionTimes, &Moved)> =
        profile.regions.iter().flat_map(|region| region.moves.iter().map(move |moved| (region, moved))).collect();
    if all.is_empty() {
        return String::new();
    }
    all.sort_by(|(_, a), (_, b)| b.bytes.total_cmp(&a.bytes));
    let mut table = Table::default();
    for (region, moved) in all.iter().take(MOST_COPIES) {
        let way = if moved.to_host { "to the host" } else { "to the device" };
        let each = bytes_text((moved.bytes / moved.copies.max(1) as f64) as u64);
        table.row([
            moved.array.clone(),
            way.into(),
            format!("{each} each"),
            times(moved.copies),
            in_words(region, moved),
        ]);
    }
    let rest: f64 = all.iter().skip(MOST_COPIES).map(|(_, moved)| moved.bytes).sum();
    let rest =
        if rest > 0.0 { format!("  and {} more in smaller ones\n", bytes_text(rest as u64)) } else { String::new() };
    format!("largest copies\n{}{rest}", table.text(2))
}

/// The code that wants a copy: a line of the host's that uses what comes home, or wrote what goes to the device; the region's
/// where no other is known.
fn in_words(region: &RegionTimes, Moved { to_host, file, line, by, .. }: &Moved) -> String {
    let is_of_region = (file, line) == (&region.file, &region.line);
    let Some(Code { call, module, offset, function }) = by else {
        return match (is_of_region, to_host) {
            (true, _) => format!("for {}, {file}:{line}", region.region),
            (false, true) => format!("used at {file}:{line}"),
            (false, false) => format!("written at {file}:{line}"),
        };
    };
    let verb = if *to_host { "used" } else { "written" };
    let call = call.as_ref().map_or(String::new(), |call| format!(" by `{call}`"));
    let function = function.as_ref().map_or(String::new(), |function| format!(" in {function}()"));
    let place = match (is_of_region, module) {
        (false, _) => format!(", {file}:{line}"),
        (true, Some(module)) if function.is_empty() => format!(" at {offset:#x} of {module}"),
        (true, _) => String::new(),
    };
    format!("{verb}{call}{function}{place}")
}

fn times(n: u64) -> String {
    if n == 1 { "once".into() } else { format!("{n} times") }
}

fn in_ms(seconds: f64) -> String {
    format!("{:.3} ms", 1e3 * seconds)
}
