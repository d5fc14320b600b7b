//! Signals that would end this process (Ctrl-C, `kill`), noted for as long as there is something to be done before it ends.
//!
//! `rtcuda cc` removes what is half done, as a compiler that is interrupted leaves nothing behind: a build would take an
//! object for finished in which the regions are not converted yet. `rtcuda solve` keeps what a solver has found so far.

use std::io;
use std::process::Child;
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};

/// The terminal is gone.
pub const HANGUP: i32 = 1;
/// Ctrl-C.
pub const INTERRUPT: i32 = 2;
/// The signal that `kill` sends where it is not told otherwise.
pub const TERMINATE: i32 = 15;
/// C's `SIG_DFL` and `SIG_IGN`.
const DEFAULT: usize = 0;
const IGNORED: usize = 1;

/// The number of the last signal that came, or 0.
static SEEN: AtomicI32 = AtomicI32::new(0);
/// Signals that came.
static TIMES: AtomicU32 = AtomicU32::new(0);

unsafe extern "C" {
    fn signal(number: i32, handler: usize) -> usize;
    fn kill(process: i32, number: i32) -> i32;
    fn raise(number: i32) -> i32;
}

extern "C" fn note(number: i32) {
    SEEN.store(number, Ordering::Relaxed);
    TIMES.fetch_add(1, Ordering::Relaxed);
}

/// Signals that are noted, and do not end this process, until the value goes. There is one at a time.
#[derive(Debug)]
pub struct Listening {
    before: Vec<(i32, usize)>,
}

/// Notes these signals from here on. Those that were ignored stay so.
pub fn listen(numbers: &[i32]) -> Listening {
    SEEN.store(0, Ordering::Relaxed);
    TIMES.store(0, Ordering::Relaxed);
    let handler: extern "C" fn(i32) = note;
    let before = numbers.iter().map(|number| {
        // SAFETY: the handler does nothing but store to atomics, which it may at any time.
        let before = unsafe { signal(*number, handler as usize) };
        if before == IGNORED {
            handle(*number, IGNORED);
        }
        (*number, before)
    });
    Listening { before: before.collect() }
}

/// Lets a signal do what it did, or nothing, or its default.
fn handle(number: i32, handler: usize) {
    // SAFETY: `handler` is one of the two constants, or was in place before.
    unsafe { signal(number, handler) };
}

impl Listening {
    /// The last signal that came.
    pub fn seen(&self) -> Option<i32> {
        Some(SEEN.load(Ordering::Relaxed)).filter(|number| *number != 0)
    }

    /// Signals that came.
    pub fn times(&self) -> u32 {
        TIMES.load(Ordering::Relaxed)
    }

    /// Ends this process by a signal, where one came.
    pub fn end_if_seen(self) {
        let seen = self.seen();
        drop(self);
        if let Some(number) = seen {
            handle(number, DEFAULT);
            // SAFETY: it takes a number and touches no memory of this program.
            unsafe { raise(number) };
        }
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.before.iter().for_each(|(number, before)| handle(*number, *before));
    }
}

/// The signal that ends a process in any case.
pub const KILL: i32 = 9;

/// Sends a signal to the processes of a group, by the number of the child that leads it; one that has ended hears nothing.
///
/// # Errors
/// Those of the system.
pub fn send_to_group(leader: u32, number: i32) -> io::Result<()> {
    /// There is no such group any more.
    const NONE: i32 = 3;
    let group = i32::try_from(leader).map_err(io::Error::other)?;
    // SAFETY: it takes two numbers and touches no memory of this program.
    if unsafe { kill(-group, number) } == 0 {
        return Ok(());
    }
    let fault = io::Error::last_os_error();
    if fault.raw_os_error() == Some(NONE) { Ok(()) } else { Err(fault) }
}

/// Sends a signal to a child that was not waited for yet: its number is nobody else's.
///
/// # Errors
/// Those of the system.
pub fn send(child: &Child, number: i32) -> io::Result<()> {
    let process = i32::try_from(child.id()).map_err(io::Error::other)?;
    // SAFETY: it takes two numbers and touches no memory of this program.
    if unsafe { kill(process, number) } == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
