//! `rtcuda run`.

use super::args::Run;
use super::built::built;
use super::energy;
use super::given::refuse_arguments;
use super::outcome::{Done, Fault};
use super::program::program;
use super::tell::{Progress, say, say_of_conversion};
use rtcuda::report::Reason;
use rtcuda::report::table::Table;
use rtcuda::report::words::times;
use rtcuda::runtime::build::Target;
use rtcuda::runtime::energy::{Metered, Metering};
use rtcuda::runtime::written::{Moved, Profile, RegionTimes};
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
    let built = built(&program, &mut options, &target, progress)?;
    say_of_conversion(&built.converted.diagnostics, false);
    let metering = energy::begin(arguments.energy, options.config.target.backend, &progress)?;
    let given = options.config.input.given.or_of(&arguments.given.given());
    let status = run::openly(&built.executable, &given, &built.env())?;
    let mut profile = built.profile(&program.files)?;
    let metered = metering.map(Metering::end).transpose()?;
    let decisions = built.converted.decisions()?;
    let nothing_kept = decisions.nothing_kept.or(profile.nothing_kept.take().map(Reason::of_itself));
    say(&if decisions.regions.is_empty() {
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
            moved.wanted_by(region),
        ]);
    }
    let rest: f64 = all.iter().skip(MOST_COPIES).map(|(_, moved)| moved.bytes).sum();
    let rest =
        if rest > 0.0 { format!("  and {} more in smaller ones\n", bytes_text(rest as u64)) } else { String::new() };
    format!("largest copies\n{}{rest}", table.text(2))
}

fn in_ms(seconds: f64) -> String {
    format!("{:.3} ms", 1e3 * seconds)
}
