//! Operations that isl may spend on one function, over all its candidates.
//!
//! A candidate that is too hard is declined, and what is in it becomes candidates of their own. So each one may spend a half of
//! what is left at most: then something is left to the loops inside, which are easier, and all of them together end.

/// Operations for one function: some seconds. The search for other orders has its own
/// beside them (`src/schedule/scheduler.rs`).
pub const FUNCTION_OPERATIONS: u64 = 12_000_000;

/// Operations that are left to a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operations {
    left: u64,
}

impl Default for Operations {
    fn default() -> Self {
        Operations { left: FUNCTION_OPERATIONS }
    }
}

impl Operations {
    /// Operations that the next candidate may spend.
    pub fn of_candidate(self) -> u64 {
        self.left / 2
    }

    /// Takes what a candidate spent off what is left.
    pub fn spend(&mut self, spent: u64) {
        self.left = self.left.saturating_sub(spent);
    }
}
