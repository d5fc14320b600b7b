//! A solver at work: how far it is, and what becomes of it where its user has waited long enough.
//!
//! ```text
//! Wish::Stop   SIGTERM: on the CPU it writes the iterate that it has at that moment; on a GPU its loops end behind the next
//!              step (`interruptible`), and it writes what it returns
//! Wish::Kill   SIGKILL: nothing is left of it
//! ```
//! A solver ignores Ctrl-C, which a terminal sends to all its processes: who started it decides.

use crate::diag::{Diagnostic, Stop};
use crate::runtime::interrupt::{Signal, send};
use std::io;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

/// Time between two words on how far a solver is.
const TELLING: Duration = Duration::from_secs(1);
/// Time that it may take to see that a solver has ended.
const NAP: Duration = Duration::from_millis(10);

/// Progress of a solver.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HowFar {
    /// Time for which it has been running.
    pub spent: Duration,
    /// The right-hand side that is solved for, counted from 0, and how many there are.
    pub rhs: (usize, usize),
    /// The last iteration that the host knows of, and the norm of the residual after it.
    pub last: Option<(usize, f64)>,
    /// Test that it runs on a GPU.
    pub is_gpu: bool,
    /// Test that it was asked to stop.
    pub is_stopping: bool,
}

/// A user's wish of a solver at work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// The solution.
    GoOn,
    /// The iterate that it has by now.
    Stop,
    /// Nothing any more.
    Kill,
}

/// Who waits for a solver.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Hears every second how far it is, and when it is asked to stop.
    pub tell: &'a dyn Fn(HowFar),
    /// Says what is wanted, as often as it is asked.
    pub wish: &'a dyn Fn() -> Wish,
}

impl Watch<'_> {
    /// One who waits in silence.
    pub const PATIENT: Watch<'static> = Watch { tell: &|_| (), wish: &|| Wish::GoOn };
}

/// Waits for a program to end. `hears` tells whether it can be asked to stop; `tell` gets how long it has been running and
/// whether it was.
///
/// # Errors
/// `killed` where that was wished for; [`Stop::Bug`] where it cannot be started.
pub fn wait(
    command: &mut Command,
    watch: &Watch,
    hears: &dyn Fn() -> bool,
    tell: &dyn Fn(Duration, bool),
) -> Result<ExitStatus, Stop> {
    let bug = |e: io::Error| Stop::Bug(format!("a solver cannot be started or waited for: {e}"));
    let mut child: Child = command.spawn().map_err(bug)?;
    let (begin, mut told, mut nap) = (Instant::now(), Duration::ZERO, Duration::from_micros(200));
    let mut is_stopping = false;
    loop {
        if let Some(status) = child.try_wait().map_err(bug)? {
            return Ok(status);
        }
        let spent = begin.elapsed();
        match (watch.wish)() {
            Wish::Kill => {
                child.kill().and_then(|()| child.wait()).map_err(bug)?;
                return Err(Diagnostic::error("killed", "the solver was killed before it came to an end", None).into());
            }
            Wish::Stop if !is_stopping && hears() => {
                is_stopping = true;
                send(&child, Signal::SIGTERM).map_err(bug)?;
                tell(spent, true);
            }
            _ if spent >= told + TELLING => {
                told = spent;
                tell(spent, is_stopping);
            }
            _ => (),
        }
        std::thread::sleep(nap);
        nap = (nap * 2).min(NAP);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    fn shell(text: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", text]);
        command
    }

    #[test]
    fn a_solver_is_asked_to_stop_when_it_hears() {
        let folder = tempfile::tempdir().unwrap();
        let ready = folder.path().join("ready");
        let mut solver = shell("trap 'exit 7' TERM; sleep 0.1; : >ready; while :; do sleep 0.01; done");
        let told = Cell::new(0);
        let watch = Watch { wish: &|| Wish::Stop, ..Watch::PATIENT };
        let status = wait(solver.current_dir(folder.path()), &watch, &|| ready.exists(), &|_, is_stopping| {
            assert!(is_stopping);
            told.set(told.get() + 1);
        });
        assert_eq!((status.unwrap().code(), told.get()), (Some(7), 1));
    }

    #[test]
    fn a_solver_is_killed_by_whoever_has_no_patience() {
        let watch = Watch { wish: &|| Wish::Kill, ..Watch::PATIENT };
        let begin = Instant::now();
        let Err(Stop::Input(why)) = wait(&mut shell("exec sleep 60"), &watch, &|| true, &|_, _| ()) else {
            panic!("it slept")
        };
        assert!(why.code == "killed" && begin.elapsed() < Duration::from_secs(20));
        assert_eq!(wait(&mut shell("exit 3"), &Watch::PATIENT, &|| true, &|_, _| ()).unwrap().code(), Some(3));
    }
}
