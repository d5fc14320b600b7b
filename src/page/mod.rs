//! `rtcuda report`: one page about a program, for the person who wants it faster.
//!
//! [`Page`] has the page's texts, each finished; [`assemble`] makes it from the report of a conversion and from what was
//! measured, [`render`] writes it as HTML, Markdown or JSON.

use serde::Serialize;

pub mod assemble;
mod beside;
mod graph;
mod regions;
pub mod render;

/// The page's texts.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Page {
    /// The program.
    pub title: String,
    /// The command that made the page.
    pub command: String,
    /// The tool and its version.
    pub version: String,
    /// The result in a line.
    pub summary: String,
    /// Measurements, a name and a value each.
    pub facts: Vec<Fact>,
    /// Failures and what has no effect; these stand first.
    pub failures: Vec<Failure>,
    /// Flag: the loops have times.
    pub is_measured: bool,
    /// The loops, hottest first.
    pub loops: Vec<Loop>,
    /// The converted regions.
    pub regions: Vec<Region>,
}

/// A fact about the program.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Fact {
    /// Its name: `original, one core`.
    pub name: String,
    /// How much, with its unit.
    pub value: String,
}

/// Something that is wrong.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Failure {
    /// The fault.
    pub message: String,
    /// Where: `jacobi.c:40`.
    pub place: Option<String>,
    /// Remedy.
    pub help: Option<String>,
}

/// A loop of the program.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Loop {
    /// Share of the program's time, in percent; 0 where it is not known.
    pub share: f64,
    /// The same in words.
    pub share_text: Option<String>,
    /// Its own time on one core.
    pub seconds: Option<String>,
    /// How often it was entered.
    pub entered: Option<String>,
    /// Time of its region when converted, with its copies.
    pub after: Option<String>,
    /// File and line.
    pub place: String,
    /// `for i`.
    pub head: String,
    /// The function that it stands in.
    pub function: String,
    /// `gpu` or `host`.
    pub r#where: &'static str,
    /// Its region.
    pub region: Option<String>,
    /// Why it runs there.
    pub why: Option<String>,
    /// Remedy that would free it.
    pub help: Option<String>,
}

/// A converted region.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Region {
    /// Its name.
    pub name: String,
    /// File and lines.
    pub place: String,
    /// The function that it stands in.
    pub function: String,
    /// How often it ran converted, and how long in all.
    pub calls: Option<String>,
    /// Its loops, each before those inside it.
    pub loops: Vec<LoopOfRegion>,
    /// Its kernels.
    pub kernels: Vec<Kernel>,
    /// Picture of who hands data to whom, as SVG.
    pub graph: Option<String>,
    /// The copies as they are planned.
    pub copies: Vec<Copy>,
    /// The copies as they were made.
    pub moved: Vec<Moved>,
    /// Where its arrays are between calls.
    pub kept: Vec<Kept>,
    /// Conditions that are tested at each call.
    pub guards: Vec<String>,
    /// Other decisions.
    pub notes: Vec<String>,
    /// The user's lines.
    pub c: Vec<CLine>,
    /// The kernels' lines.
    pub cuda: Vec<Line>,
}

/// A loop of a region.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LoopOfRegion {
    /// `for i`.
    pub head: String,
    /// Its line.
    pub line: u32,
    /// How many loops of the region it is inside of.
    pub depth: u32,
    /// How it runs, as in the report.
    pub runs: crate::report::Runs,
    /// The same in words.
    pub runs_text: &'static str,
    /// Why it runs so.
    pub why: String,
    /// Mapping of its iterations.
    pub mapping: String,
    /// Change that would let it run in parallel.
    pub remedy: Option<String>,
}

/// A kernel.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// The first C line of what it does.
    pub line: u32,
    /// Blocks and threads.
    pub launch: String,
    /// Its purpose and ways.
    pub notes: Vec<String>,
    /// Resource that limits it, where the model knows.
    pub limit: Option<String>,
    /// Its accesses to memory.
    pub accesses: Vec<Access>,
}

/// Accesses of a line to an array.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Access {
    /// Its C line.
    pub line: u32,
    /// `load of a`.
    pub what: String,
    /// How the threads of a warp lie.
    pub pattern: String,
    /// Sectors that a warp moves at once, and the least that would do.
    pub sectors: String,
    /// See `sectors`.
    pub least: String,
    /// Flag: it moves more than it uses.
    pub is_wasteful: bool,
    /// Share of what the kernel moves, in percent.
    pub share: f64,
    /// The same in words.
    pub share_text: String,
}

/// A planned copy.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Copy {
    /// The array.
    pub array: String,
    /// Which way.
    pub way: &'static str,
    /// Which elements.
    pub elements: String,
    /// When.
    pub when: String,
}

/// Copies that were made.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Moved {
    /// The array.
    pub array: String,
    /// Which way.
    pub way: &'static str,
    /// How much in all.
    pub bytes: String,
    /// How often.
    pub times: String,
    /// The line that wanted them.
    pub line: String,
}

/// Arrays that are in the same place between calls.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Kept {
    /// The arrays.
    pub arrays: String,
    /// Their place.
    pub r#where: &'static str,
    /// Why it is no better.
    pub why: Option<String>,
}

/// A line of the user's.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CLine {
    /// Its number.
    pub n: u32,
    /// Its text.
    pub text: String,
    /// Of the head of a loop, how that runs.
    pub cls: Option<crate::report::Runs>,
}

/// A line of what was made.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Line {
    /// Its text.
    pub text: String,
    /// The C line that it comes from.
    pub line: Option<u32>,
}
