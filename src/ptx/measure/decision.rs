//! Decision over a kernel's variants, from runs of the programs that have them.

use super::observed::Observed;
use crate::ptx::registers::variant::{Reduction, Way};
use crate::runtime::ptxas::Resources;
use serde::Serialize;
use std::collections::BTreeMap;

/// The least gain for which a variant is kept: less comes and goes from run to run.
pub const GAIN: f64 = 1.02;

/// A kernel with what was measured of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Kernel {
    pub kernel: String,
    /// As in the source.
    pub name: String,
    pub launches: u64,
    /// Launches that were timed.
    pub timed: u64,
    /// Threads of its largest block.
    pub threads: u32,
    #[serde(flatten)]
    pub resources: Resources,
    /// Time of the launches as it is, the median of the runs.
    pub seconds: Option<f64>,
    pub tried: Vec<Tried>,
    /// The way that is kept: the quickest, where it is faster than the kernel as it is.
    pub kept: Option<Way>,
    pub notes: Vec<String>,
}

/// A way to fewer registers with what was measured of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Tried {
    pub way: Way,
    #[serde(flatten)]
    pub resources: Resources,
    pub seconds: Option<f64>,
    /// Reason for which it does not count.
    pub refused: Option<String>,
}

/// Runs of the program with a way, or why it does not count.
pub type Runs = Result<Vec<Observed>, String>;

impl Kernel {
    /// Decides over the ways of a kernel.
    pub fn decided(reduction: &Reduction, original: &[Observed], ways: &BTreeMap<Way, Runs>) -> Kernel {
        let launches = original.first().and_then(|run| run.kernels.get(&reduction.kernel));
        let seconds = median(original, &reduction.kernel, launches.map_or(0, |found| found.timed));
        let tried = reduction.variants.iter().filter_map(|variant| {
            let runs = ways.get(&variant.way)?;
            let (seconds, refused) = match runs {
                Ok(runs) => match median(runs, &reduction.kernel, launches.map_or(0, |found| found.timed)) {
                    Some(seconds) => (Some(seconds), None),
                    None => (None, Some("it is not launched as often as without".to_owned())),
                },
                Err(why) => (None, Some(why.clone())),
            };
            Some(Tried { way: variant.way, resources: variant.resources, seconds, refused })
        });
        let tried: Vec<Tried> = tried.collect();
        let timed = tried.iter().filter_map(|tried| Some((tried.seconds?, tried.way)));
        let quickest = timed.min_by(|x, y| x.0.total_cmp(&y.0));
        let kept = seconds.zip(quickest).filter(|(before, (after, _))| *before > GAIN * after).map(|(_, (_, way))| way);
        let mut notes = reduction.notes.clone();
        if launches.is_none() {
            notes.push("this call of the program does not launch it".into());
        } else if seconds.is_none() {
            let why = "no launch of it could be timed: those of graphs are not, nor those behind an error of the device, which \
                       compute-sanitizer names";
            notes.push(why.into());
        }
        Kernel {
            kernel: reduction.kernel.clone(),
            name: reduction.name.clone(),
            launches: launches.map_or(0, |found| found.launches),
            timed: launches.map_or(0, |found| found.timed),
            threads: launches.map_or(0, |found| found.threads),
            resources: reduction.resources,
            seconds,
            tried,
            kept,
            notes,
        }
    }
}

/// The median time of a kernel, in seconds; `None` where it is not timed as often in each run.
fn median(runs: &[Observed], kernel: &str, timed: u64) -> Option<f64> {
    let of = |run: &Observed| {
        let found = run.kernels.get(kernel)?;
        (found.timed == timed && timed > 0).then_some(found.seconds)
    };
    let mut all = runs.iter().map(of).collect::<Option<Vec<f64>>>()?;
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ptx::measure::observed::Launches;
    use crate::ptx::registers::Fit;
    use crate::ptx::registers::variant::Variant;

    fn run(seconds: f64, timed: u64) -> Observed {
        let launches = Launches { kernel: "k".into(), launches: 3, timed, seconds, threads: 256, shared: 0 };
        Observed { kernels: BTreeMap::from([("k".into(), launches)]), ..Observed::default() }
    }

    fn reduction(ways: &[Way]) -> Reduction {
        let resources = Resources::default();
        let variant = |&way: &Way| Variant {
            way,
            resources,
            blocks: 2,
            rematerialised: 0,
            spilled: 0,
            is_enough: true,
            text: String::new(),
        };
        let fit = Fit { block: 256, blocks: 1, warps: 8, occupancy: 0.1, limit: "registers" };
        Reduction {
            kernel: "k".into(),
            name: "k".into(),
            resources,
            fit,
            goal: None,
            variants: ways.iter().map(variant).collect(),
            best: None,
            notes: vec![],
        }
    }

    /// The way that is kept of a kernel that takes these times as it is, and with ways.
    fn kept(original: &[f64], ways: Vec<(Way, Runs)>) -> Option<Way> {
        let names: Vec<Way> = ways.iter().map(|(way, _)| *way).collect();
        let original: Vec<Observed> = original.iter().map(|seconds| run(*seconds, 3)).collect();
        Kernel::decided(&reduction(&names), &original, &ways.into_iter().collect()).kept
    }

    #[test]
    fn the_quickest_way_is_kept_where_it_is_faster_and_computes_the_same() {
        let all = |seconds: f64| Ok(vec![run(seconds, 3), run(9.0 * seconds, 3), run(seconds, 3)]);
        let before = [1.0, 1.0, 5.0];
        assert_eq!(kept(&before, vec![(Way::Maxnreg, all(0.9)), (Way::Spill, all(0.8))]), Some(Way::Spill));
        assert_eq!(kept(&before, vec![(Way::Maxnreg, all(0.99)), (Way::Spill, all(1.2))]), None);
        assert_eq!(
            kept(&before, vec![(Way::Maxnreg, Err("differs".into())), (Way::Spill, all(0.9))]),
            Some(Way::Spill)
        );
        assert_eq!(kept(&before, vec![(Way::Maxnreg, Ok(vec![run(0.1, 2), run(0.1, 2)]))]), None);
        assert_eq!(kept(&before, vec![]), None);
    }

    #[test]
    fn kernels_that_are_not_timed_are_left() {
        let ways = BTreeMap::from([(Way::Spill, Ok(vec![run(0.0, 0)]))]);
        let found = Kernel::decided(&reduction(&[Way::Spill]), &[run(0.0, 0)], &ways);
        assert!(found.kept.is_none() && found.notes[0].contains("could be timed"), "{found:?}");
        let found = Kernel::decided(&reduction(&[]), &[Observed::default()], &ways);
        assert!(found.notes[0].contains("does not launch it"), "{found:?}");
    }
}
