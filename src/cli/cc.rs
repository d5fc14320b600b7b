//! `rtcuda cc`: the words of a compiler's command line, the environment, and what is said of the conversion.

use super::outcome::{Done, Fault};
use super::tell::{say, say_all};
use rtcuda::cc::arguments::Arguments;
use rtcuda::cc::{self, File, Outcome, Settings};
use rtcuda::config::{Backend, Choice, Config};
use rtcuda::diag::{Diagnostic, Stop};
use rtcuda::runtime::build::Target;
use std::env;
use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;

/// Set for what this command starts.
const RUNS: &str = "RTCUDA_CC_RUNS";

/// Compiles or links as the C compiler would.
pub fn cc(words: &[OsString]) -> Result<Done, Fault> {
    refuse_itself()?;
    let text: Option<Vec<String>> = words.iter().map(|word| word.clone().into_string().ok()).collect();
    let Some((text, arguments)) = text.and_then(|text| Some((Arguments::read(&text)?, text)).map(|(a, t)| (t, a)))
    else {
        return Err(cc::compiler_alone(words, &[]).into());
    };
    if !cc::can_convert(&arguments) {
        let libraries = cc::link::libraries(&arguments, None)?;
        return Err(cc::compiler_alone(words, &libraries).into());
    }
    let made = cc::make(&text, &arguments, &settings()?)?;
    let talks = variable("RTCUDA_VERBOSE").is_some();
    made.files.iter().for_each(|file| speak(file, talks));
    let signal = made.status.signal().map_or(1, |signal| 128 + signal);
    Ok(Done { text: String::new(), status: made.status.code().unwrap_or(signal) as u8 })
}

/// Refuses to be the compiler that it starts itself, behind a script say: that would never end.
fn refuse_itself() -> Result<(), Fault> {
    if variable(RUNS).is_some() {
        let message = "the C compiler that RTCUDA_CC or CC names calls `rtcuda cc` in its turn";
        let help = "name the compiler itself, as in RTCUDA_CC=gcc; CC may then stay as it is";
        return Err(Diagnostic::error("cc-calls-itself", message, None).help(help).into());
    }
    // SAFETY: the command has started no thread yet that could read the environment meanwhile.
    unsafe { env::set_var(RUNS, "1") };
    Ok(())
}

/// What the environment asks for.
fn settings() -> Result<Settings, Fault> {
    let mut config = match variable("RTCUDA_CONFIG") {
        Some(path) => Config::load(Path::new(&path))?,
        None => Config::default(),
    };
    if let Some(named) = variable("RTCUDA_BACKEND") {
        let known = Backend::ALL.iter().find(|&&(name, _)| *name == *named);
        config.target.backend = known.map(|&(_, backend)| backend).ok_or_else(|| {
            let message = format!("RTCUDA_BACKEND is `{}`, which is no backend", named.display());
            Diagnostic::error("backend", message, None).help("it is auto, cuda or cpu")
        })?;
    }
    let check = variable("RTCUDA_VERIFY").is_some_and(|value| value != "0");
    Ok(Settings { config, check, keep: variable("RTCUDA_KEEP").map(Into::into) })
}

/// An environment variable that is set and not empty.
fn variable(name: &str) -> Option<OsString> {
    env::var_os(name).filter(|value| !value.is_empty())
}

/// Says what became of a file: in one line, or with everything that was declined.
fn speak(file: &File, talks: bool) {
    // A fault of this tool is said in any case.
    let is_said = |d: &&Diagnostic| talks || d.code == "emitted-refused";
    say_all(&file.diagnostics.iter().filter(is_said).cloned().collect::<Vec<_>>());
    let declined = match file.diagnostics.len() {
        n if talks || n == 0 => String::new(),
        n => format!(", {n} left as C (RTCUDA_VERBOSE=1 says why)"),
    };
    match &file.outcome {
        Outcome::Plain if talks => say(&format!("rtcuda: {}: nothing to convert\n", file.path)),
        Outcome::Plain => {}
        Outcome::Converted(n, target) => {
            let regions = if *n == 1 { "1 region".to_owned() } else { format!("{n} regions") };
            let place = match target {
                Target::Simulation => "simulated on the CPU".to_owned(),
                Target::Gpu { arch, .. } => format!("for {arch}"),
            };
            say(&format!("rtcuda: {}: {regions} converted, {place}{declined}\n", file.path));
        }
        Outcome::Failed(stop) => {
            match stop {
                Stop::Input(diagnostic) => say_all(std::slice::from_ref(diagnostic)),
                Stop::Bug(what) => say(&format!(
                    "rtcuda {}: this is a fault of rtcuda, not of your program: {what}\n",
                    env!("CARGO_PKG_VERSION")
                )),
            }
            say(&format!("rtcuda: {}: not converted, compiled as the C that it is\n", file.path));
        }
    }
}
