//! Every strategy on a landscape that is known, and on the model of a kernel.

use super::super::cache::{Cache, Key, Outcome};
use super::super::driver::{self, About, Bounds, Builder, Built, Evaluation};
use super::super::model::Model;
use super::super::ptxas::Resources;
use super::super::space::{Point, Space, small};
use super::*;
use crate::config::{Choice, Objective, Sizes};
use crate::cost::{self, Device};
use crate::kernel::{RESIDENT, parse};
use crate::report;
use crate::target::machine;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Four points of a thread along the rows of a sum of two matrices.
const KERNEL: &str = "\
kernel rt_f_0_k0(int n, int m) reads(float a[n, m], float b[n, m]) writes(float c[n, m]) index(64)
  tunable BLOCK_0 = 8, BLOCK_1 = 32, MERGE_0 = 4
  grid (ceildiv(n, BLOCK_0 * MERGE_0), ceildiv(m, BLOCK_1)) block (BLOCK_0, BLOCK_1)
{
  for p in 0 .. MERGE_0 step 1 {
    let index i = (g0 * MERGE_0 + p) * BLOCK_0 + t0;
    let index j = g1 * BLOCK_1 + t1;
    if (i < n && j < m) {
      c[i, j] = a[i, j] + b[i, j]; @3
    }
  }
}
";

fn model(space: &Space) -> Model {
    let (functions, mut kernels) = parse::module(KERNEL).expect("a kernel");
    let device = Device::of(&machine(90).expect("it is described"));
    Model::new(space, kernels.remove(0), functions, device, cost::Sizes::of([("n", 4096), ("m", 4096)]))
}

/// The time of a point: least at 4 x 128 threads of 2 points. What has 64 threads along the first is planted: it computes
/// something else, sooner than all others; what has 512 there cannot be compiled, and what has 256 hangs.
fn landscape(point: &Point) -> Result<Outcome, String> {
    if point[0] == 512 {
        return Err("the compiler refuses it".into());
    }
    let off = |n: i64, best: f64| (n as f64 / best).log2().powi(2);
    let seconds = 1e-3 * (1.0 + 0.1 * off(point[0], 4.0) + 0.1 * off(point[1], 128.0) + 0.05 * off(point[2], 2.0));
    Ok(match point[0] {
        64 => Outcome::Differs { why: "c[0][0] is 1 by the default, 2 here".into() },
        256 => Outcome::Hangs { why: "no answer within 1 s".into() },
        _ => Outcome::Ok { samples: vec![seconds; 3] },
    })
}

struct Fake;

impl Builder for Fake {
    fn build(&self, point: &Point, _: &Mutex<Cache>) -> Result<Built, String> {
        landscape(point)?;
        let object = Some(PathBuf::from(format!("{point:?}")));
        Ok(Built { key: Key::of(&[&format!("{point:?}")]), object })
    }

    fn end(&self) {}
}

/// A search of the landscape, and how many candidates were run for it.
fn searched(name: config::Strategy, most: usize, at_once: usize, cache: &Path) -> (Vec<Evaluation>, usize) {
    let space = small(&Sizes::default());
    let model = model(&space);
    let mut strategy = strategy(name, &space, &model, 7);
    let cache = Mutex::new(Cache::open(cache).unwrap());
    let call = BTreeMap::new();
    let objective = Objective::Time;
    let default = landscape(&space.default()).unwrap().value(objective).unwrap();
    let about = About { space: &space, device: "none", call: &call, objective, default: Some(default) };
    let n_run = AtomicUsize::new(0);
    let mut run = |built: &Built, _: Option<f64>| {
        n_run.fetch_add(1, Ordering::Relaxed);
        let text = built.object.as_ref().unwrap().display().to_string();
        let point: Point = serde_json::from_str(&text).unwrap();
        Ok(landscape(&point).expect("it was built"))
    };
    let bounds = Bounds { end: Instant::now() + Duration::from_secs(600), at_once, most, run: Duration::ZERO };
    let found = driver::search(&about, strategy.as_mut(), (&Fake, &mut run), &cache, bounds, &mut |_, _| {}).unwrap();
    (found, n_run.into_inner())
}

fn best(found: &[Evaluation]) -> (Point, f64) {
    let right = found.iter().filter_map(|e| Some((e.point.clone(), e.outcome.seconds()?)));
    right.min_by(|a, b| a.1.total_cmp(&b.1)).expect("one is right")
}

#[test]
fn every_strategy_ranks_right_candidates_alone() {
    let folder = tempfile::tempdir().unwrap();
    for &(name, strategy) in config::Strategy::ALL {
        let (found, _) = searched(strategy, 400, 3, &folder.path().join(name));
        let mut points: Vec<&Point> = found.iter().map(|e| &e.point).collect();
        points.sort();
        points.dedup();
        assert_eq!(points.len(), found.len(), "{name} names no point twice");
        let wrong = found.iter().filter(|e| [64, 256, 512].contains(&e.point[0]));
        assert!(wrong.into_iter().all(|e| e.outcome.seconds().is_none()), "{name}");
        assert_ne!(best(&found).0[0], 64, "{name} ranks what is planted");
    }
    let (all, _) = searched(config::Strategy::Exhaustive, usize::MAX, 3, &folder.path().join("all"));
    assert_eq!((all.len(), best(&all).0), (66 * 5 - 1, vec![4, 128, 2]), "all but the default");
    assert!(all.iter().any(|e| matches!(e.outcome, Outcome::Unbuilt { .. })));
}

#[test]
fn the_guided_search_finds_the_best_in_few_measurements() {
    let folder = tempfile::tempdir().unwrap();
    let (found, _) = searched(config::Strategy::Guided, 50, 4, &folder.path().join("guided"));
    assert!(found.len() <= 50);
    let (point, seconds) = best(&found);
    assert!(seconds <= 1.02e-3, "{point:?} takes {seconds}");
}

#[test]
fn the_same_seed_gives_the_same_search() {
    let folder = tempfile::tempdir().unwrap();
    for name in [config::Strategy::Random, config::Strategy::Anneal] {
        let points = |file: &str| {
            let (found, _) = searched(name, 40, 1, &folder.path().join(format!("{name}{file}")));
            found.into_iter().map(|e| e.point).collect::<Vec<_>>()
        };
        let (first, second) = (points("1"), points("2"));
        assert_eq!(first, second, "{name}");
        assert_eq!(first.len(), 40, "{name}");
    }
}

#[test]
fn what_was_measured_is_not_measured_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cache.json");
    let (first, n_first) = searched(config::Strategy::Pruned, 30, 2, &path);
    let (again, n_again) = searched(config::Strategy::Pruned, 40, 2, &path);
    let n_unbuilt = |all: &[Evaluation]| all.iter().filter(|e| matches!(e.outcome, Outcome::Unbuilt { .. })).count();
    assert_eq!(n_first, first.len() - n_unbuilt(&first));
    assert_eq!(n_again, again.len() - n_unbuilt(&again) - n_first);
    assert_eq!(again.iter().filter(|e| e.is_cached).count(), n_first);
}

#[test]
fn what_makes_no_sense_is_pruned_by_arithmetic() {
    use super::super::model::Pruned;
    let space = small(&Sizes::default());
    let model = model(&space);
    assert_eq!(model.pruned(&space.default()), None);
    assert_eq!(model.pruned(&vec![16, 32, 4]), None);
    assert_eq!(model.pruned(&vec![2, 4, 1]), Some(Pruned::ArrayBlock));
    let sizes = cost::Sizes::of([("n", 64), ("m", 4096)]);
    let (functions, mut kernels) = parse::module(KERNEL).expect("a kernel");
    let device = Device::of(&machine(90).expect("it is described"));
    let few = Model::new(&space, kernels.remove(0), functions, device, sizes);
    assert_eq!(few.pruned(&vec![512, 2, 4]), Some(Pruned::ArrayBlock), "2048 rows of 64");
    assert_eq!(few.pruned(&vec![2, 512, 16]), Some(Pruned::KernelBlock));
}

#[test]
fn fewer_registers_are_tried_where_they_make_room_for_a_block() {
    let tunable = |name: &str, value: i64, domain: Vec<i64>| report::Tunable { name: name.into(), value, domain };
    let kernel = report::Kernel {
        name: "rt_f_0_k0".into(),
        tunables: vec![
            tunable("BLOCK_0", 8, vec![8]),
            tunable("BLOCK_1", 32, vec![32]),
            tunable(RESIDENT, 0, (0..=16).collect()),
        ],
        ..report::Kernel::default()
    };
    let space = Space::of(&kernel, &Sizes::default(), &machine(90).expect("it is described"));
    let bounds = |registers: u32| {
        let model = model(&space).told(Some(Resources { registers, spilled: 0 }));
        let tried = space.points(usize::MAX).into_iter().filter(|p| model.pruned(p).is_none());
        tried.map(|p| p[2]).collect::<Vec<i64>>()
    };
    // Of 100 registers two blocks of 256 threads fit, of 40 six, of 32 all that there are.
    assert_eq!((bounds(100), bounds(40), bounds(32)), (vec![0, 1, 3, 4, 5, 6, 8], vec![0, 1, 8], vec![0, 1]));
}

#[test]
fn what_is_built_too_late_is_not_run() {
    const RUN: Duration = Duration::from_millis(50);
    let folder = tempfile::tempdir().unwrap();
    let space = small(&Sizes::default());
    let model = model(&space);
    let mut strategy = strategy(config::Strategy::Pruned, &space, &model, 7);
    let cache = Mutex::new(Cache::open(&folder.path().join("cache.json")).unwrap());
    let call = BTreeMap::new();
    let about = About { space: &space, device: "none", call: &call, objective: Objective::Energy, default: None };
    let mut run = |_: &Built, _: Option<f64>| {
        std::thread::sleep(RUN);
        Ok(Outcome::Metered { samples: vec![1e-3], joules: 1.0 })
    };
    // All that is asked for at once is built at once: more than there is time to run.
    let bounds = Bounds { end: Instant::now() + 8 * RUN, at_once: 40, most: 40, run: Duration::ZERO };
    let found = driver::search(&about, strategy.as_mut(), (&Fake, &mut run), &cache, bounds, &mut |_, _| {}).unwrap();
    assert!(found.len() <= 8, "{} runs of {RUN:?} in {:?}", found.len(), 8 * RUN);
}
