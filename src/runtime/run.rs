//! Runs a built program: its environment, a time limit, what it wrote.

use crate::config::Given;
use crate::diag::{Diagnostic, Stop};
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// The most that is kept of what a program writes.
const KEPT: u64 = 1 << 20;

/// How a run ended.
#[derive(Debug)]
pub struct Outcome {
    /// How the program ended; `None` where it ran past its limit and was stopped.
    pub status: Option<ExitStatus>,
    /// What it wrote to the standard error stream, up to a mebibyte.
    pub stderr: String,
    /// The same of the standard output stream; empty where that was dropped.
    pub stdout: String,
    /// How long it ran.
    pub time: Duration,
}

/// Runs a program quietly: its output dropped, its errors kept. Without a file to read it has no input.
///
/// # Errors
/// The file that it is to read; [`Stop::Bug`] where the program cannot be started.
pub fn quietly(program: &Path, given: &Given, env: &[(&str, OsString)], limit: Duration) -> Result<Outcome, Stop> {
    kept(program, given, env, (limit, None))
}

/// Runs a program as [`quietly`] does, called by a name of its own (`argv[0]`), with its output kept, too.
///
/// # Errors
/// As [`quietly`].
pub fn keeping_output(
    program: &Path,
    name: &Path,
    given: &Given,
    env: &[(&str, OsString)],
    limit: Duration,
) -> Result<Outcome, Stop> {
    kept(program, given, env, (limit, Some(name)))
}

fn kept(
    program: &Path,
    given: &Given,
    env: &[(&str, OsString)],
    (limit, name): (Duration, Option<&Path>),
) -> Result<Outcome, Stop> {
    let bug = |e: std::io::Error| Stop::Bug(format!("{} cannot be run: {e}", program.display()));
    let errors = tempfile::NamedTempFile::new().map_err(bug)?;
    let output = name.map(|_| tempfile::NamedTempFile::new()).transpose().map_err(bug)?;
    let to: Stdio = match &output {
        Some(file) => file.reopen().map_err(bug)?.into(),
        None => Stdio::null(),
    };
    let start = Instant::now();
    let child = Command::new(program)
        .arg0(name.unwrap_or(program))
        .args(&given.args)
        .envs(env.iter().map(|(name, value)| (name, value)))
        .stdin(input(given)?.unwrap_or_else(Stdio::null))
        .stdout(to)
        .stderr(errors.reopen().map_err(bug)?)
        .spawn()
        .map_err(bug)?;
    let status = wait(child, start + limit).map_err(bug)?;
    let time = start.elapsed();
    let text = |path: &Path| {
        let mut kept = Vec::new();
        File::open(path).and_then(|file| file.take(KEPT).read_to_end(&mut kept)).map_err(bug)?;
        Ok::<String, Stop>(String::from_utf8_lossy(&kept).into_owned())
    };
    let stdout = output.map_or(Ok(String::new()), |file| text(file.path()))?;
    Ok(Outcome { status, stderr: text(errors.path())?, stdout, time })
}

fn wait(mut child: Child, end: Instant) -> std::io::Result<Option<ExitStatus>> {
    let mut nap = Duration::from_micros(200);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= end {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(nap);
        nap = (nap * 2).min(Duration::from_millis(10));
    }
}

/// What a program is to read, if a file is named.
fn input(given: &Given) -> Result<Option<Stdio>, Stop> {
    let Some(path) = &given.stdin else { return Ok(None) };
    let file = File::open(path).map_err(|e| {
        let message = format!("{}, which the program is to read, cannot be opened: {e}", path.display());
        Diagnostic::error("unreadable-input", message, None)
    })?;
    Ok(Some(file.into()))
}

/// Runs a program as if the user had: with the terminal's streams, until it ends.
///
/// # Errors
/// The file that it is to read; [`Stop::Bug`] where the program cannot be started.
pub fn openly(program: &Path, given: &Given, env: &[(&str, OsString)]) -> Result<ExitStatus, Stop> {
    Command::new(program)
        .args(&given.args)
        .stdin(input(given)?.unwrap_or_else(Stdio::inherit))
        .envs(env.iter().map(|(name, value)| (name, value)))
        .status()
        .map_err(|e| Stop::Bug(format!("{} cannot be run: {e}", program.display())))
}

/// What a status means, in words: `exit status 1`, `killed by signal 11 (segmentation fault)`.
pub fn in_words(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    let name = |signal| match signal {
        4 => " (illegal instruction)",
        6 => " (abort)",
        8 => " (arithmetic error)",
        9 => " (kill)",
        11 => " (segmentation fault)",
        _ => "",
    };
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit status {code}"),
        (None, Some(signal)) => format!("killed by signal {signal}{}", name(signal)),
        (None, None) => "an unknown status".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(text: &str, limit_ms: u64) -> Outcome {
        given(text, Given::default(), limit_ms).unwrap()
    }

    fn given(text: &str, mut given: Given, limit_ms: u64) -> Result<Outcome, Stop> {
        given.args.splice(..0, ["-c", text, "p"].map(OsString::from));
        quietly(Path::new("/bin/sh"), &given, &[("RT_X", "7".into())], Duration::from_millis(limit_ms))
    }

    #[test]
    fn arguments_and_input_reach_the_program_as_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("in put");
        std::fs::write(&file, "a line\n").unwrap();
        let args = ["-n", "two words", "$HOME"].map(OsString::from).to_vec();
        let all = Given { args: args.clone(), stdin: Some(file) };
        let outcome = given("cat >&2; printf '%s|' \"$@\" >&2", all, 5000).unwrap();
        assert_eq!(outcome.stderr, "a line\n-n|two words|$HOME|");
        let missing = Given { args, stdin: Some(folder.path().join("none")) };
        let Err(Stop::Input(why)) = given("", missing, 5000) else { panic!("there is no such file") };
        assert_eq!(why.code, "unreadable-input");
    }

    #[test]
    fn status_and_words() {
        let outcome = script("echo said >&2; exit $RT_X", 5000);
        assert_eq!((outcome.status.unwrap().code(), outcome.stderr.as_str()), (Some(7), "said\n"));
        assert_eq!(in_words(outcome.status.unwrap()), "exit status 7");
        let killed = script("kill -11 $$", 5000);
        assert_eq!(in_words(killed.status.unwrap()), "killed by signal 11 (segmentation fault)");
    }

    #[test]
    fn a_program_that_does_not_end_is_stopped() {
        let outcome = script("exec sleep 60", 50);
        assert!(outcome.status.is_none() && outcome.time < Duration::from_secs(10));
    }

    #[test]
    fn output_is_kept_where_it_is_asked_for() {
        let args = ["-c", "echo out $0; echo said >&2"].map(OsString::from).to_vec();
        let given = Given { args, stdin: None };
        let (shell, name) = (Path::new("/bin/sh"), Path::new("/a/name"));
        let outcome = keeping_output(shell, name, &given, &[], Duration::from_secs(5)).unwrap();
        assert_eq!((outcome.stdout.as_str(), outcome.stderr.as_str()), ("out /a/name\n", "said\n"));
        assert_eq!(script("echo out", 5000).stdout, "");
    }
}
