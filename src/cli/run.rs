//! `rtcuda run`.

use super::args::Run;
use super::energy;
use super::given::refuse_arguments;
use super::outcome::{Done, Fault};
use super::program::program;
use super::tell::{Progress, say, say_all};
use rtcuda::diag::no_temporary_folder;
use rtcuda::pipeline;
use rtcuda::report::table::Table;
use rtcuda::runtime::build::{self, Target};
use rtcuda::runtime::energy::{Metered, Metering};
use rtcuda::runtime::fallback::{self, Attempt};
use rtcuda::runtime::written::{self, Moved, Profile, RegionTimes};
use rtcuda::runtime::{backend, run};
use rtcuda::sparse::memory::bytes_text;

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
    say_all(&converted.diagnostics);
    let metering = energy::begin(arguments.energy, options.config.target.backend, &progress)?;
    let profile = top.path().join("profile.json");
    let given = options.config.input.given.or_of(&arguments.given.given());
    let status = run::openly(&executable, &given, &[("RTCUDA_PROFILE", profile.clone().into())])?;
    let profile = written::read::<Profile>(&profile)?.unwrap_or_default();
    let metered = metering.map(Metering::end).transpose()?;
    let n_regions = converted.report["regions"].as_array().map_or(0, Vec::len);
    say(&if n_regions == 0 { "nothing was converted\n".into() } else { table(&profile, &target, metered.as_ref()) });
    if status.success() {
        return Done::well(String::new());
    }
    say(&format!("the program ended with {}\n", run::in_words(status)));
    Ok(Done { text: String::new(), status: 1 })
}

fn table(profile: &Profile, target: &Target, metered: Option<&Metered>) -> String {
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
        let kernels = region.kernels.iter().map(|kernel| (kernel.name.as_str(), kernel, None));
        for (name, part, to_host) in kernels.chain(parts.map(|(name, part)| (name, part, Some(name == parts[1].0)))) {
            if part.calls > 0 {
                table.row([format!("  {name}"), times(part.calls), in_ms(part.seconds)]);
            }
            for moved in region.moves.iter().filter(|moved| Some(moved.to_host) == to_host) {
                table.row([
                    format!("    {}", in_words(region, moved)),
                    times(moved.copies),
                    bytes_text(moved.bytes as u64),
                ]);
            }
        }
    }
    let note = match target {
        Target::Simulation => "simulated on the CPU: these are not the times of a GPU\n",
        Target::Gpu { .. } => "",
    };
    format!("{}{note}", table.text(0))
}

/// An array, and the line of the host's because of which it is copied.
fn in_words(region: &RegionTimes, Moved { array, to_host, file, line, .. }: &Moved) -> String {
    if (file, line) == (&region.file, &region.line) {
        return array.clone();
    }
    let used = if *to_host { "for" } else { "written by" };
    format!("{array}, {used} {file}:{line}")
}

fn times(n: u64) -> String {
    if n == 1 { "once".into() } else { format!("{n} times") }
}

fn in_ms(seconds: f64) -> String {
    format!("{:.3} ms", 1e3 * seconds)
}
