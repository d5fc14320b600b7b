//! Signals that would end this process (Ctrl-C, `kill`), noted for as long as there is something to be done before it ends.
//!
//! `rtcuda cc` removes what is half done, as a compiler that is interrupted leaves nothing behind: a build would take an
//! object for finished in which the regions are not converted yet. `rtcuda solve` keeps what a solver has found so far.

pub use nix::sys::signal::Signal;

use nix::errno::Errno;
use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, kill, killpg, raise, sigaction};
use nix::unistd::Pid;
use std::io;
use std::process::Child;
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};

/// The number of the last signal that came, or 0.
static SEEN: AtomicI32 = AtomicI32::new(0);
/// Signals that came.
static TIMES: AtomicU32 = AtomicU32::new(0);

extern "C" fn note(number: i32) {
    SEEN.store(number, Ordering::Relaxed);
    TIMES.fetch_add(1, Ordering::Relaxed);
}

/// Signals that are noted, and do not end this process, until the value goes. There is one at a time.
#[derive(Debug)]
pub struct Listening {
    before: Vec<(Signal, SigAction)>,
}

/// Notes these signals from here on. Those that were ignored stay so.
pub fn listen(signals: &[Signal]) -> Listening {
    SEEN.store(0, Ordering::Relaxed);
    TIMES.store(0, Ordering::Relaxed);
    let noted = SigAction::new(SigHandler::Handler(note), SaFlags::SA_RESTART, SigSet::empty());
    let before = signals.iter().filter_map(|signal| {
        let before = handle(*signal, &noted)?;
        if matches!(before.handler(), SigHandler::SigIgn) {
            handle(*signal, &before);
        }
        Some((*signal, before))
    });
    Listening { before: before.collect() }
}

/// Lets a signal do something; what it did before.
fn handle(signal: Signal, action: &SigAction) -> Option<SigAction> {
    // SAFETY: the action is the default, was in place before, or does nothing but store to atomics, which it may at any time.
    unsafe { sigaction(signal, action) }.ok()
}

impl Listening {
    /// The last signal that came.
    pub fn seen(&self) -> Option<Signal> {
        Signal::try_from(SEEN.load(Ordering::Relaxed)).ok()
    }

    /// Signals that came.
    pub fn times(&self) -> u32 {
        TIMES.load(Ordering::Relaxed)
    }

    /// Ends this process by a signal, where one came.
    pub fn end_if_seen(self) {
        let seen = self.seen();
        drop(self);
        if let Some(signal) = seen {
            handle(signal, &SigAction::new(SigHandler::SigDfl, SaFlags::empty(), SigSet::empty()));
            // It does not return, or this process goes on as it would without the signal.
            let _ = raise(signal);
        }
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        for (signal, before) in &self.before {
            handle(*signal, before);
        }
    }
}

/// Sends a signal to the processes of a group, by the number of the child that leads it; one that has ended hears nothing.
///
/// # Errors
/// Those of the system.
pub fn send_to_group(leader: u32, signal: Signal) -> io::Result<()> {
    match killpg(process(leader)?, signal) {
        Err(Errno::ESRCH) => Ok(()),
        sent => Ok(sent?),
    }
}

/// Sends a signal to a child that was not waited for yet: its number is nobody else's.
///
/// # Errors
/// Those of the system.
pub fn send(child: &Child, signal: Signal) -> io::Result<()> {
    Ok(kill(process(child.id())?, signal)?)
}

fn process(number: u32) -> io::Result<Pid> {
    i32::try_from(number).map(Pid::from_raw).map_err(io::Error::other)
}
