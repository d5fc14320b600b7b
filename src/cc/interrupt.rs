//! An interrupt (Ctrl-C, `kill`) during a conversion: the compilers that run end by it, too, or finish; then the
//! temporary files go, and what was made, as a compiler that is interrupted leaves nothing half done. A build would
//! otherwise take an object for finished in which the regions are not converted yet.

use std::sync::atomic::{AtomicI32, Ordering};

const HANGUP: i32 = 1;
const INTERRUPT: i32 = 2;
const TERMINATE: i32 = 15;
/// What C calls `SIG_IGN`.
const IGNORED: usize = 1;

/// The number of the signal that came, or 0.
static SEEN: AtomicI32 = AtomicI32::new(0);

unsafe extern "C" {
    fn signal(number: i32, handler: usize) -> usize;
}

extern "C" fn note(number: i32) {
    SEEN.store(number, Ordering::Relaxed);
}

/// From here on an interrupt is noted, and does not end this process. Signals that were ignored stay so.
pub fn listen() {
    let handler: extern "C" fn(i32) = note;
    for number in [HANGUP, INTERRUPT, TERMINATE] {
        // SAFETY: the handler does nothing but store to an atomic, which it may at any time.
        unsafe {
            if signal(number, handler as usize) == IGNORED {
                signal(number, IGNORED);
            }
        }
    }
}

/// The signal that came since.
pub fn seen() -> Option<i32> {
    Some(SEEN.load(Ordering::Relaxed)).filter(|number| *number != 0)
}
