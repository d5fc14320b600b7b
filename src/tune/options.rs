//! Requests to a tuner, and its words on the way.

use super::chosen::Chosen;
use crate::config::{Config, Given, Objective, Strategy};
use std::path::PathBuf;
use std::time::Duration;

/// The program to tune, and how.
#[derive(Debug, Clone)]
pub struct Options {
    pub files: Vec<PathBuf>,
    pub config: Config,
    pub cflags: Vec<String>,
    pub given: Given,
    /// Name of a region, or of its function; all where there is none.
    pub region: Option<String>,
    pub strategy: Strategy,
    pub objective: Objective,
    /// The time for all regions together.
    pub budget: Duration,
    /// Most measurements of a kernel.
    pub most: usize,
    pub seed: u64,
    /// Choices that others found good: measured first, where a kernel can have them.
    pub first: Vec<Chosen>,
    /// The file that remembers.
    pub cache: PathBuf,
}

/// How far a search is.
#[derive(Debug)]
pub struct Progress<'a> {
    pub kernel: &'a str,
    pub evaluations: usize,
    /// The least value of the objective.
    pub best: Option<f64>,
    pub objective: Objective,
    pub left: Duration,
}
