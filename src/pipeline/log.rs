//! Log of the runner: dumps and times, which forks of a conversion keep apart and join.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Followed lines that are shown of a pass.
const MOST_FOLLOWED: usize = 8;

/// Notes of the runner on the passes.
#[derive(Debug, Default)]
pub struct Log {
    /// The pass to dump after.
    pub dump_after: Option<String>,
    /// Text whose lines are followed through the dumps of all passes.
    pub follow: Option<String>,
    /// Lines that were seen with it.
    seen: BTreeSet<String>,
    /// Text of the dumps.
    pub dumps: String,
    /// Time spent in each pass that ran, over all that it ran on.
    pub times: BTreeMap<&'static str, Duration>,
    /// Operations that isl spent on the candidates of each function.
    pub operations: BTreeMap<String, u64>,
}

impl Log {
    /// One that dumps after the pass of a name, and follows a text.
    pub fn new(dump_after: Option<String>, follow: Option<String>) -> Self {
        Log { dump_after, follow, ..Log::default() }
    }

    /// Notes the lines of what a pass left that have the followed text, and that no pass before it left so.
    pub fn note_followed(&mut self, pass: &str, about: &str, left: &str) {
        let Some(text) = &self.follow else { return };
        let lines = left.lines().map(str::trim).filter(|line| line.contains(text.as_str()));
        let new: Vec<&str> = lines.filter(|line| self.seen.insert((*line).to_owned())).collect();
        if new.is_empty() {
            return;
        }
        self.dumps += &format!("{pass}: {about}\n");
        self.dumps.extend(new.iter().take(MOST_FOLLOWED).map(|line| format!("    {line}\n")));
        if new.len() > MOST_FOLLOWED {
            self.dumps += &format!("    and {} more lines\n", new.len() - MOST_FOLLOWED);
        }
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
