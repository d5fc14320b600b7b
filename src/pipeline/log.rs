//! Log of the runner: dumps and times, which forks of a conversion keep apart and join.

use std::collections::BTreeMap;
use std::time::Duration;

/// Notes of the runner on the passes.
#[derive(Debug, Default)]
pub struct Log {
    /// The pass to dump after.
    pub dump_after: Option<String>,
    /// Text of the dumps.
    pub dumps: String,
    /// Time spent in each pass that ran, over all that it ran on.
    pub times: BTreeMap<&'static str, Duration>,
    /// Operations that isl spent on the candidates of each function.
    pub operations: BTreeMap<String, u64>,
}

impl Log {
    /// One that dumps after the pass of that name.
    pub fn new(dump_after: Option<String>) -> Self {
        Log { dump_after, ..Log::default() }
    }

    /// Takes over what was noted apart.
    pub fn join(&mut self, other: Log) {
        self.dumps += &other.dumps;
        for (function, spent) in other.operations {
            *self.operations.entry(function).or_default() += spent;
        }
        for (pass, spent) in other.times {
            self.spend(pass, spent);
        }
    }

    /// Adds time spent in a pass.
    pub fn spend(&mut self, pass: &'static str, spent: Duration) {
        *self.times.entry(pass).or_default() += spent;
    }
}
