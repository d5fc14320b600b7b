//! Operations that isl may spend on one function, over all its candidates.
//!
//! A candidate that is too hard is declined, and what is in it becomes candidates of their own. So each one may spend a half of
//! what is left at most: then something is left to the loops inside, which are easier, and what is hard ends.

/// Operations for one function: some seconds. The search for other orders has its own (`src/schedule/scheduler.rs`).
pub const FUNCTION_OPERATIONS: u64 = 12_000_000;

/// Operations that every candidate may spend: an easy one takes a tenth. So a function of thousands of easy loops converts them all, in
/// time linear in their number.
const EASY_OPERATIONS: u64 = 100_000;

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
        (self.left / 2).max(EASY_OPERATIONS)
    }

    /// Takes what a candidate spent off what is left.
    pub fn spend(&mut self, spent: u64) {
        self.left = self.left.saturating_sub(spent);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_what_is_left_and_enough_for_easy_loops() {
        let mut operations = Operations::default();
        assert_eq!(operations.of_candidate(), FUNCTION_OPERATIONS / 2);
        operations.spend(FUNCTION_OPERATIONS / 2);
        assert_eq!(operations.of_candidate(), FUNCTION_OPERATIONS / 4);
        operations.spend(FUNCTION_OPERATIONS);
        assert_eq!(operations.of_candidate(), EASY_OPERATIONS);
    }
}
