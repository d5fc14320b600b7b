//! Names of regions that are taken. The functions of a file are searched side by side, and each knows those taken before: they share
//! these, since a copy for each of many functions would be as many names as the square of their number.

use indexmap::IndexSet;
use std::sync::Arc;

/// Names of regions that are taken, in the order in which they were.
#[derive(Debug, Clone, Default)]
pub struct RegionNames {
    shared: Arc<IndexSet<String>>,
    own: IndexSet<String>,
}

impl RegionNames {
    /// Test that a region has the name.
    pub fn contains(&self, name: &str) -> bool {
        self.shared.contains(name) || self.own.contains(name)
    }

    /// Takes a name.
    pub fn insert(&mut self, name: String) {
        self.own.insert(name);
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &String> {
        self.shared.iter().chain(&self.own)
    }

    /// Shares those that are taken with the forks that follow.
    pub fn share(&mut self) {
        Arc::make_mut(&mut self.shared).append(&mut self.own);
    }

    /// Names to which some are added beside others, with those that are shared.
    pub fn fork(&self) -> Self {
        RegionNames { shared: self.shared.clone(), own: IndexSet::new() }
    }

    /// Takes over the names that were taken in a fork.
    pub fn join(&mut self, fork: Self) {
        self.own.extend(fork.own);
    }
}
