//! `rtcuda profile`.

use super::given::{GivenArguments, refuse_arguments, seconds};
use super::outcome::{Done, Fault};
use super::program::{Input, program};
use super::tell::{Progress, style};
use clap::Args;
use rtcuda::config::{Given, Selector};
use rtcuda::pipeline::{self, ConvertOptions, Converted};
use rtcuda::profile::rows;
use rtcuda::profile::{clocks, text};
use rtcuda::runtime::programs::Program;
use std::time::Duration;

/// Show where a program's time goes: its loops, hottest first, and what keeps each off the GPU
///
/// The original is built with clocks around its loops and runs once, on one core, its output dropped; it is built with -O2
/// where no flag says otherwise. The time of a loop is that which it takes by itself, without loops with clocks of their own
/// that run inside it. Loops that stay on the host come with the reason and what would free them.
#[derive(Args)]
#[command(after_help = "\
Examples:
  rtcuda profile heat.c -- -O3 -DN=2000
  rtcuda profile md.c --arg 1000 --stdin start.txt
  rtcuda profile --json heat.c | jq '.loops[] | select(.region == null) | .why'

Exit status: 0 shown, 2 the input is at fault, 3 a fault of rtcuda.")]
pub struct Profile {
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub given: GivenArguments,
    /// The time that the program may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "300", value_parser = seconds)]
    pub limit: Duration,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Converts the program for what becomes of its loops, and runs the original with clocks around them.
pub fn profile(arguments: &Profile) -> Result<Done, Fault> {
    refuse_arguments(&arguments.input.files)?;
    let (program, options) = program(&arguments.input)?;
    let progress = Progress::new(arguments.json);
    progress.line("converting");
    let converted = pipeline::convert_valid(&program.files, &options)?;
    let given = options.config.input.given.or_of(&arguments.given.given());
    progress.line("building and running the original");
    let measured = measured(&program, &options, &converted, &given, arguments.limit);
    progress.line("");
    let profile = measured?;
    if arguments.json {
        return Done::well(format!("{:#}\n", serde_json::json!(profile)));
    }
    let names = program.files.iter().filter_map(|file| file.file_name()).map(|name| name.to_string_lossy());
    Done::well(text::text(&names.collect::<Vec<_>>().join(", "), &profile, style()))
}

/// Profile of a program that was converted.
pub fn measured(
    program: &Program,
    options: &ConvertOptions,
    converted: &Converted,
    given: &Given,
    limit: Duration,
) -> Result<rows::Profile, Fault> {
    let measured = clocks::Program { files: &program.files, cflags: &options.cflags, given, limit };
    let times = clocks::measure(&measured, &converted.decisions()?)?;
    let functions = options.config.regions.iter().map(|region| &region.selector);
    let selected: Vec<&str> = functions
        .filter_map(|selector| match selector {
            Selector::Function(name) => Some(name.as_str()),
            Selector::Name(_) => None,
        })
        .collect();
    Ok(rows::Profile::new(times, &converted.diagnostics, &selected))
}
