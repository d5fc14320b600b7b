//! Runs a built program: its environment, a time limit, what it wrote.

use crate::diag::Stop;
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
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
    /// How long it ran.
    pub time: Duration,
}

/// Runs a program quietly: no input, its output dropped, its errors kept.
///
/// # Errors
/// [`Stop::Bug`] where it cannot be started.
pub fn quietly(program: &Path, env: &[(&str, OsString)], limit: Duration) -> Result<Outcome, Stop> {
    let bug = |e: std::io::Error| Stop::Bug(format!("{} cannot be run: {e}", program.display()));
    let errors = tempfile::NamedTempFile::new().map_err(bug)?;
    let start = Instant::now();
    let child = Command::new(program)
        .envs(env.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(errors.reopen().map_err(bug)?)
        .spawn()
        .map_err(bug)?;
    let status = wait(child, start + limit).map_err(bug)?;
    let time = start.elapsed();
    let mut kept = Vec::new();
    File::open(errors.path()).and_then(|file| file.take(KEPT).read_to_end(&mut kept)).map_err(bug)?;
    Ok(Outcome { status, stderr: String::from_utf8_lossy(&kept).into_owned(), time })
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

/// Runs a program as if the user had: with the terminal's streams, until it ends.
///
/// # Errors
/// [`Stop::Bug`] where it cannot be started.
pub fn openly(program: &Path, env: &[(&str, OsString)]) -> Result<ExitStatus, Stop> {
    Command::new(program)
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
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p");
        std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        quietly(&path, &[("RT_X", "7".into())], Duration::from_millis(limit_ms)).unwrap()
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
}
