//! The steps of Yang et al. (PLDI 2010), as far as they were taken: read off the mappings of a region's kernels.
//!
//! | step | section | here |
//! | --- | --- | --- |
//! | vectorisation | 3.1 | `skew`: a thread has neighbours, which it loads and stores as vectors |
//! | coalescing conversion | 3.3 | `stage`: tiles in shared memory, filled by neighbours |
//! | data sharing | 3.4 | a tile, or a value in registers, that serves several threads or points |
//! | thread-block merge | 3.5.1 | the threads of a block beyond one warp along the fastest axis |
//! | thread merge | 3.5.2 | `merge` and `skew`: points of a thread |
//! | prefetch | 3.6 | `fetch`: pieces that are on their way while others are computed with |
//! | partition camping | 3.7 | nothing: addresses of these GPUs are hashed over their memory |

use crate::frontend::kernel::Kernel;
use crate::report::cost::Unit;
use crate::report::{self, Region};
use serde::Serialize;

/// A step, taken or not.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Step {
    pub name: &'static str,
    /// The section of the paper that it is of.
    pub section: &'static str,
    pub is_taken: bool,
    /// Text of what was done, or why nothing.
    pub what: String,
}

/// Text of a mapping, its variants included.
#[derive(Default)]
struct Read {
    merges: Vec<String>,
    skews: Vec<String>,
    staged: Vec<String>,
    fetches: Vec<String>,
    lanes: Vec<String>,
}

/// The name of the strategy of a region's first kernel; `resident` where its host loops became one kernel.
pub fn strategy(region: &Region) -> String {
    let first = region.kernels.first().and_then(|k| k.mapping.first());
    first.map_or("resident", String::as_str).to_owned()
}

/// The steps for a kernel.
pub fn of(kernel: &Kernel, region: &Region) -> Vec<Step> {
    let lines = || region.kernels.iter().flat_map(|k| &k.mapping);
    let mut read = Read::default();
    lines().for_each(|line| read.line(line.trim()));
    let blocks: Vec<String> = region.kernels.iter().map(|k| k.block.join(" x ")).collect();
    vec![
        vectorisation(&read),
        coalescing(&read, region, kernel),
        sharing(&read, region),
        block_merge(&read, &blocks, strategy(region) == "reduction"),
        thread_merge(&read),
        prefetch(&read),
        Step {
            name: "partition camping",
            section: "3.7",
            is_taken: false,
            what: "not needed: these GPUs spread addresses over their memory by hashing".into(),
        },
    ]
}

impl Read {
    fn line(&mut self, line: &str) {
        let Some((head, rest)) = line.split_once(' ') else { return };
        match head {
            // Those of other sizes say the same.
            "axis" => {
                let (name, sizes) = rest.split_once(": ").unwrap_or((rest, ""));
                for size in sizes.split(", ") {
                    let of =
                        |word: &str| size.strip_prefix(word).filter(|n| *n != "1").map(|n| format!("{n} along {name}"));
                    self.merges.extend(of("merge "));
                    self.skews.extend(of("skew "));
                }
            }
            "stage" => self.staged.push(rest.to_owned()),
            "loop" => {
                let name = rest.split(':').next().unwrap_or_default();
                let fetch = rest.split(", ").find_map(|part| part.strip_prefix("fetch "));
                self.fetches.extend(fetch.map(|fetch| format!("pieces of loop {name} ({fetch})")));
            }
            "lanes" => self.lanes.push(rest.to_owned()),
            _ => {}
        }
    }
}

fn step(name: &'static str, section: &'static str, done: Option<String>, why_not: &str) -> Step {
    let is_taken = done.is_some();
    Step { name, section, is_taken, what: done.unwrap_or_else(|| why_not.to_owned()) }
}

fn joined(all: &[String]) -> Option<String> {
    let mut once: Vec<&str> = vec![];
    all.iter().for_each(|s| {
        if !once.contains(&s.as_str()) {
            once.push(s)
        }
    });
    (!once.is_empty()).then(|| once.join(", "))
}

fn vectorisation(read: &Read) -> Step {
    let done = joined(&read.skews).map(|all| format!("neighbours of a thread: {all}"));
    step("vectorisation", "3.1", done, "no thread has neighbouring elements")
}

fn coalescing(read: &Read, region: &Region, kernel: &Kernel) -> Step {
    let name = "coalescing conversion";
    if let Some(staged) = joined(&read.staged) {
        return step(name, "3.3", Some(format!("through shared memory: {staged}")), "");
    }
    let accesses = region.kernels.iter().flat_map(|k| &k.cost.accesses);
    let of_memory: Vec<_> =
        accesses.filter(|x| matches!(x.unit, Unit::Sectors) && !x.access.starts_with("rt_")).collect();
    let apart = of_memory.iter().filter(|x| x.sectors > 1.5 * x.least);
    let worst = apart.max_by(|x, y| x.share.total_cmp(&y.share));
    let lanes = read.lanes.iter().find(|lanes| lanes.contains("dimension 1"));
    let shared = lanes.and_then(|lanes| lanes.split(':').next()).map(str::to_owned);
    let turned = turned(region, kernel).or(shared).map(|axis| format!("neighbouring threads go along {axis}"));
    let why = match worst {
        None if of_memory.is_empty() => "not judged: at no usual sizes does a thread access memory".to_owned(),
        None => "not needed: the threads of a warp read and write neighbours".to_owned(),
        Some(x) => format!(
            "not done: a {} of {} on line {} moves {} sectors a warp, {} would do{}",
            x.does,
            x.access,
            x.line,
            x.sectors,
            x.least,
            no_other_order(x, region)
        ),
    };
    step(name, "3.3", turned, &why)
}

/// Remedy for threads that go across the rows of an array and have no loop along them: no order of threads has neighbours then.
fn no_other_order(x: &report::cost::Access, region: &Region) -> String {
    let array = x.access.split('[').next().unwrap_or_default();
    match region.loops.len() == 1 && x.pattern.starts_with("strided") {
        true => {
            format!(", and no order of threads does: `{array}` would have to be stored so that they have neighbours")
        }
        false => String::new(),
    }
}

/// The axis that neighbouring threads go along, where that is not the user's x.
fn turned(region: &Region, kernel: &Kernel) -> Option<String> {
    let axes = region.kernels.first()?.mapping.iter().filter_map(|line| line.trim().strip_prefix("axis "));
    let grid = axes.filter_map(|axis| {
        let (name, place) = axis.split_once(": grid ")?;
        Some((place.split(',').next()?.parse::<usize>().ok()?, name.to_owned()))
    });
    let (_, fastest) = grid.max()?;
    // Of a counter that is seen as two, columns are its neighbours.
    let is_last = |last: &String| *last == fastest || fastest == format!("{last}_column");
    (kernel.loops.len() > 1 && !kernel.loops.last().is_some_and(is_last)).then_some(fastest)
}

fn sharing(read: &Read, region: &Region) -> Step {
    let notes = region.kernels.iter().flat_map(|k| &k.notes);
    let same: Vec<String> = notes.filter(|note| note.contains("the same for all")).cloned().collect();
    let done = joined(&same).or_else(|| joined(&read.staged).map(|all| format!("tiles serve the block: {all}")));
    step(
        "data sharing",
        "3.4",
        done,
        "no tile was found that serves several threads: what they have in common comes from the caches",
    )
}

fn block_merge(read: &Read, blocks: &[String], is_sum: bool) -> Step {
    let of = joined(blocks).unwrap_or_default();
    let is_shared = is_sum || !read.staged.is_empty() || !read.lanes.is_empty();
    let joins = if is_sum || !read.lanes.is_empty() { ", which join what they have" } else { "" };
    let done = is_shared.then(|| format!("blocks of {of} threads{joins}"));
    step("thread-block merge", "3.5.1", done, &format!("blocks of {of} threads share nothing"))
}

fn thread_merge(read: &Read) -> Step {
    let all = [read.merges.clone(), read.skews.clone()].concat();
    let done = joined(&all).map(|all| format!("points of a thread: {all}"));
    step("thread merge", "3.5.2", done, "a thread has one element at a time: no strategy here gives it more")
}

fn prefetch(read: &Read) -> Step {
    let done = joined(&read.fetches);
    step("prefetch", "3.6", done, "no loop runs in pieces that are staged")
}
