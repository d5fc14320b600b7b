//! The program that a command is about.

use super::args::Input;
use super::outcome::Fault;
use super::tell::say;
use rtcuda::config::Config;
use rtcuda::config::seen::Seen;
use rtcuda::diag::Diagnostic;
use rtcuda::pipeline::ConvertOptions;
use rtcuda::runtime::programs::Program;
use serde::Deserialize;
use std::path::PathBuf;

/// The program that the arguments name, with the flags of the command line after its own.
pub fn program(input: &Input) -> Result<(Program, ConvertOptions), Fault> {
    let program = Program::new(&input.files, input.config.as_deref())?;
    if let (None, Some(found)) = (&input.config, &program.config_file) {
        say(&format!("configuration: {}\n", found.display()));
    }
    let options = ConvertOptions {
        cflags: [program.config.input.cflags.clone(), input.cflags.clone()].concat(),
        config: Config { profile: profile(&input.profile)?, ..program.config.clone() },
        ..ConvertOptions::default()
    };
    Ok((program, options))
}

/// Part of a report on a kernel's accesses that a conversion takes.
#[derive(Deserialize)]
struct Report {
    seen: Vec<Seen>,
}

/// The entries of profiles.
fn profile(paths: &[PathBuf]) -> Result<Vec<Seen>, Diagnostic> {
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).map_err(|e| e.to_string());
        let report = text.and_then(|text| serde_json::from_str::<Report>(&text).map_err(|e| e.to_string()));
        report.map(|report| report.seen).map_err(|why| {
            let message = format!("{} is no profile: {why}", path.display());
            Diagnostic::error("profile", message, None)
                .help("--profile takes what `rtcuda ptx coalesce FILE.c --kernel K ... --json` prints")
        })
    };
    Ok(paths.iter().map(read).collect::<Result<Vec<_>, _>>()?.concat())
}
