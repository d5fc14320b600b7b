//! A call of a compiler: an argument vector, never a shell's line; quiet, and its words kept for where it refuses.

use super::interrupt;
use crate::diag::{Diagnostic, Stop};
use std::ffi::OsStr;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

/// A call under construction.
pub struct Call {
    command: Command,
    name: String,
    is_over: Option<Arc<AtomicBool>>,
}

/// Time between two looks at whether a call is still wanted.
const LOOK: Duration = Duration::from_millis(20);

/// Why a call failed.
pub enum Failure {
    /// It could not be started.
    Start(Stop),
    /// It refused its input, with these words.
    Refused(String),
}

impl Call {
    /// A call of a command: a program and its first arguments.
    pub fn new<S: AsRef<OsStr>>(command: &[S]) -> Call {
        let name = command[0].as_ref().display().to_string();
        let mut call = Call { command: Command::new(&command[0]), name, is_over: None };
        call.args(&command[1..]);
        call
    }

    /// Adds arguments.
    pub fn args<S: AsRef<OsStr>>(&mut self, args: impl IntoIterator<Item = S>) -> &mut Self {
        self.command.args(args);
        self
    }

    /// Runs it in a folder.
    pub fn folder(&mut self, folder: &Path) -> &mut Self {
        self.command.current_dir(folder);
        self
    }

    /// Ends it, with all that it has started, once the flag is set: nobody waits for it any more.
    pub fn until(&mut self, is_over: Option<&Arc<AtomicBool>>) -> &mut Self {
        self.is_over = is_over.cloned();
        self
    }

    /// Runs it.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn run(&mut self) -> Result<(), Failure> {
        self.words().map(drop)
    }

    /// Runs it, and gives what it said.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn words(&mut self) -> Result<String, Failure> {
        self.command.stdin(Stdio::null());
        let output = match &self.is_over {
            None => self.command.output(),
            Some(is_over) => watched(&mut self.command, is_over),
        };
        let output = output.map_err(|e| {
            let message = format!("the compiler {} cannot be started: {e}", self.name);
            Failure::Start(Diagnostic::error("compiler-start", message, None).help("`rtcuda device` checks it").into())
        })?;
        let words = [output.stderr, output.stdout].concat();
        let words = String::from_utf8_lossy(&words).trim_end().to_owned();
        if output.status.success() { Ok(words) } else { Err(Failure::Refused(words)) }
    }
}

/// The output of a command that leads a group of processes, which is killed once the flag is set.
fn watched(command: &mut Command, is_over: &AtomicBool) -> io::Result<Output> {
    let child = command.process_group(0).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let leader = child.id();
    let (done, output) = mpsc::channel();
    std::thread::scope(|scope| {
        scope.spawn(move || done.send(child.wait_with_output()));
        loop {
            match output.recv_timeout(LOOK) {
                Ok(output) => return output,
                Err(_) if is_over.load(Ordering::Relaxed) => {
                    interrupt::send_to_group(leader, interrupt::Signal::SIGKILL)?
                }
                Err(_) => {}
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn calls_that_nobody_waits_for_end_with_what_they_started() {
        let is_over = Arc::new(AtomicBool::new(false));
        let start = Instant::now();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(100));
                is_over.store(true, Ordering::Relaxed);
            });
            let ended = Call::new(&["sh", "-c", "sleep 60 & sleep 60"]).until(Some(&is_over)).run();
            assert!(matches!(ended, Err(Failure::Refused(_))));
        });
        assert!(start.elapsed() < Duration::from_secs(20));
        is_over.store(false, Ordering::Relaxed);
        let said = Call::new(&["sh", "-c", "echo well"]).until(Some(&is_over)).words();
        assert!(matches!(said, Ok(said) if said == "well"));
    }
}
