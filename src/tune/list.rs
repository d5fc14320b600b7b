//! Settings of a kernel by the extents of a call, from what was measured at several.
//!
//! ```text
//! n      256    512      4096    16384         rows
//! best   a      b, a     b       c             n <= 1448   a      (the geometric mean of 512 and 4096)
//!                                              n <= 8192   b
//!                                              else        c
//! ```
//! One extent tells the calls apart: that which does so with the fewest rows. Neighbours share settings that are, at each of
//! them, as good as the best there, or nearly so; a run of neighbours goes on as long as there are such, which gives the fewest
//! rows, since what serves a run serves each part of it.

use super::cache::{Ranking, Valued};
use super::chosen::Chosen;
use crate::config::{Calls, Objective};
use serde::{Serialize, Serializer};
use std::collections::{BTreeMap, BTreeSet};

/// A gain that is worth being written down: of times, and of what a meter tells, a twentieth of which is uncertain.
pub const LEAST_GAIN: f64 = 1.01;
pub const LEAST_METERED_GAIN: f64 = 1.05;

/// Values that are as good as the best: up to so many times it.
const AS_GOOD: f64 = 1.02;

/// The settings of a kernel by an extent.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct List {
    /// The extent.
    pub extent: String,
    /// Its rows: the first that holds is taken.
    pub rows: Vec<Row>,
}

/// Settings for some calls.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// These calls; `None` of the last row, which is for all others.
    #[serde(serialize_with = "in_words")]
    pub calls: Option<Calls>,
    /// Its settings; none where it is the kernel as nobody tunes it.
    #[serde(flatten)]
    pub chosen: Chosen,
    /// The calls that were measured, those of the smallest extent first.
    pub measured: Vec<Measured>,
}

/// A call that was measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Measured {
    /// The numbers that the region was called with.
    pub call: BTreeMap<String, i64>,
    /// The value of the row's settings, of the best, and of the kernel as nobody tunes it.
    pub value: f64,
    pub best: f64,
    pub untuned: f64,
    /// Seconds since 1970.
    pub when: u64,
}

fn in_words<S: Serializer>(calls: &Option<Calls>, serializer: S) -> Result<S::Ok, S::Error> {
    match calls {
        Some(calls) => serializer.collect_str(calls),
        None => serializer.serialize_none(),
    }
}

/// The settings of a kernel from its rankings at several calls; `None` where it was measured at one, or the same settings serve
/// all.
///
/// # Errors
/// Calls that want settings of their own, and that no extent tells apart: in words.
pub fn of(extents: &[String], rankings: &[&Ranking], objective: Objective) -> Result<Option<List>, String> {
    let as_good = if objective == Objective::Time { AS_GOOD } else { LEAST_METERED_GAIN };
    let lists = extents.iter().filter_map(|extent| by(extent, &latest(extents, rankings), as_good));
    if let Some(list) = lists.min_by_key(|list| list.rows.len()) {
        return Ok(Some(list));
    }
    let calls: BTreeSet<&BTreeMap<String, i64>> = rankings.iter().map(|ranking| &ranking.call).collect();
    if calls.len() < 2 || shared(rankings, as_good).is_some() {
        return Ok(None);
    }
    let number = |(name, n): (&String, &i64)| format!("{name} = {n}");
    let call = |call: &BTreeMap<String, i64>| call.iter().map(number).collect::<Vec<_>>().join(", ");
    let calls: Vec<String> = calls.into_iter().map(call).collect();
    let none = if extents.is_empty() {
        "its loops have no extent by which".to_owned()
    } else {
        format!("no extent of its loops ({}) is one by which", extents.join(", "))
    };
    Err(format!(
        "no settings are as good as the best at all calls that were measured ({}), and {none} the entry could choose: those of \
         the call that is tuned last count for all",
        calls.join("; ")
    ))
}

/// The last ranking of each call, as far as loops see it.
fn latest<'r>(extents: &[String], rankings: &[&'r Ranking]) -> Vec<&'r Ranking> {
    let mut out: BTreeMap<Vec<Option<i64>>, &Ranking> = BTreeMap::new();
    for ranking in rankings {
        let at = extents.iter().map(|extent| ranking.call.get(extent).copied()).collect();
        let known = out.entry(at).or_insert(ranking);
        if ranking.when >= known.when {
            *known = ranking;
        }
    }
    out.into_values().collect()
}

/// The settings by one extent, of which at least two values were measured.
fn by(extent: &str, rankings: &[&Ranking], as_good: f64) -> Option<List> {
    let mut steps: BTreeMap<i64, Vec<&Ranking>> = BTreeMap::new();
    for ranking in rankings {
        steps.entry(ranking.call.get(extent).copied().filter(|n| *n >= 0)?).or_default().push(ranking);
    }
    let mut runs: Vec<(i64, i64, Vec<&Ranking>)> = vec![];
    for (n, step) in &steps {
        match runs.last_mut() {
            Some((_, last, run)) if shared(&[run.as_slice(), step].concat(), as_good).is_some() => {
                run.extend(step);
                *last = *n;
            }
            _ => runs.push((*n, *n, step.clone())),
        }
    }
    let ends: Vec<Option<i64>> =
        runs.windows(2).map(|pair| Some(between(pair[0].1, pair[1].0))).chain([None]).collect();
    let row = |((_, _, run), end): (&(i64, i64, Vec<&Ranking>), &Option<i64>)| {
        let chosen = shared(run, as_good)?;
        let measured = run.iter().map(|ranking| measured(ranking, &chosen)).collect::<Option<_>>()?;
        let calls = end.map(|n| Calls { most: [(extent.to_owned(), n)].into_iter().collect(), ..Calls::default() });
        Some(Row { calls, chosen, measured })
    };
    let rows = runs.iter().zip(&ends).map(row).collect::<Option<_>>()?;
    (steps.len() > 1).then(|| List { extent: extent.to_owned(), rows })
}

/// The geometric mean of two extents, which is at least the smaller and less than the other.
fn between(small: i64, large: i64) -> i64 {
    let mean = (small as f64 * large as f64).sqrt();
    (mean as i64).clamp(small, (large - 1).max(small))
}

/// The settings that are as good as the best at each of these calls, of several the best in the mean; those that nobody tunes
/// where they are as good as that by what two runs of the same differ.
fn shared(rankings: &[&Ranking], as_good: f64) -> Option<Chosen> {
    let (first, _) = rankings.split_first()?;
    let mut all: Vec<(f64, &Chosen)> = vec![];
    for Valued { chosen, .. } in &first.best {
        let mut times = 1.0;
        let serves = rankings.iter().all(|ranking| {
            let Some((value, best)) = value(ranking, chosen).zip(best(ranking)) else { return false };
            times *= value / best;
            value <= as_good * best
        });
        if serves {
            all.push((times.powf(1.0 / rankings.len() as f64), chosen));
        }
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(b.1)));
    let least = if as_good > AS_GOOD { LEAST_METERED_GAIN } else { LEAST_GAIN };
    let (best, chosen) = all.first()?;
    let untuned = all.iter().find(|(_, chosen)| chosen.is_none());
    Some(untuned.filter(|(times, _)| *times < least * best).map_or(*chosen, |(_, chosen)| chosen).clone())
}

fn value(ranking: &Ranking, chosen: &Chosen) -> Option<f64> {
    ranking.best.iter().find(|x| x.chosen == *chosen).map(|x| x.value)
}

fn best(ranking: &Ranking) -> Option<f64> {
    ranking.best.iter().map(|x| x.value).reduce(f64::min)
}

fn measured(ranking: &Ranking, chosen: &Chosen) -> Option<Measured> {
    let (value, best, untuned) = (value(ranking, chosen)?, best(ranking)?, value(ranking, &Chosen::default())?);
    Some(Measured { call: ranking.call.clone(), value, best, untuned, when: ranking.when })
}

/// A ranking at these numbers of `n` and `m`, of candidates with one size: 0 is what nobody tunes.
#[cfg(test)]
pub fn ranking([n, m]: [i64; 2], best: &[(i64, f64)]) -> Ranking {
    let chosen = |size: i64| match size {
        0 => Chosen::default(),
        size => Chosen::sizes([("BLOCK_0".to_owned(), size)].into()),
    };
    Ranking {
        text: "text".into(),
        kernel: "rt_f_0_k0".into(),
        device: "NVIDIA <H100>".into(),
        objective: "time".into(),
        call: [("n".to_owned(), n), ("m".to_owned(), m)].into(),
        when: 1_764_028_800,
        best: best.iter().map(|(size, value)| Valued { chosen: chosen(*size), value: *value }).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn told(rankings: &[Ranking]) -> String {
        let extents = ["m", "n"].map(str::to_owned);
        let list = match of(&extents, &rankings.iter().collect::<Vec<_>>(), Objective::Time) {
            Ok(Some(list)) => list,
            Ok(None) => return "none".into(),
            Err(note) => return note,
        };
        let row = |row: &Row| {
            let calls = row.calls.as_ref().map_or("else".into(), Calls::to_string);
            format!("{calls}: {}", if row.chosen.is_none() { "untuned".into() } else { row.chosen.to_string() })
        };
        list.rows.iter().map(row).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn winners_that_differ_are_rows_with_boundaries_between() {
        let small = ranking([1024, 8], &[(0, 2.0), (4, 1.0), (16, 1.5)]);
        let large = ranking([4096, 8], &[(0, 20.0), (4, 15.0), (16, 10.0)]);
        assert_eq!(told(&[large.clone(), small.clone()]), "n <= 2048: BLOCK_0 = 4; else: BLOCK_0 = 16");
        // Where nobody's tuning is as good, it stays.
        let none = ranking([64, 8], &[(0, 1.005), (2, 1.0), (4, 1.2)]);
        assert_eq!(told(&[none, small, large]), "n <= 256: untuned; n <= 2048: BLOCK_0 = 4; else: BLOCK_0 = 16");
    }

    #[test]
    fn neighbours_whose_winners_are_as_good_are_joined() {
        let at = |n, four, sixteen| ranking([n, 8], &[(0, 9.0), (4, four), (16, sixteen)]);
        assert_eq!(told(&[at(64, 1.0, 1.01), at(256, 1.01, 1.0)]), "else: BLOCK_0 = 4");
        assert_eq!(told(&[at(64, 1.0, 1.03), at(256, 1.01, 1.0)]), "else: BLOCK_0 = 4");
        assert_eq!(told(&[at(64, 1.0, 1.03), at(256, 1.03, 1.0)]), "n <= 128: BLOCK_0 = 4; else: BLOCK_0 = 16");
        // Settings that were not measured at a size are not known to serve there.
        let alone = ranking([256, 8], &[(0, 9.0), (16, 1.0)]);
        assert_eq!(told(&[at(64, 1.0, 1.03), alone]), "n <= 128: BLOCK_0 = 4; else: BLOCK_0 = 16");
    }

    #[test]
    fn the_extent_is_the_one_with_the_fewest_rows() {
        let (a, b) = ([(0, 9.0), (4, 1.0), (16, 2.0)], [(0, 9.0), (4, 2.0), (16, 1.0)]);
        let crossed = [ranking([10, 30], &a), ranking([20, 10], &b), ranking([40, 20], &b)];
        assert_eq!(told(&crossed), "m <= 24: BLOCK_0 = 16; else: BLOCK_0 = 4");
        // Two calls of the same `n` may want different settings, if `m` tells them apart.
        assert_eq!(told(&[ranking([8, 1], &a), ranking([8, 4], &b)]), "m <= 2: BLOCK_0 = 4; else: BLOCK_0 = 16");
        assert_eq!(told(&[ranking([8, 1], &a)]), "none");
        let mut later = ranking([8, 1], &b);
        later.when += 1;
        assert_eq!(told(&[ranking([8, 1], &a), later]), "none");
    }

    #[test]
    fn calls_that_no_extent_tells_apart_are_told() {
        let (a, b) = ([(0, 9.0), (4, 1.0), (16, 2.0)], [(0, 9.0), (4, 2.0), (16, 1.0)]);
        let with = |steps: i64, best| {
            let mut ranking = ranking([8, 1], best);
            ranking.call.insert("steps".to_owned(), steps);
            ranking
        };
        let note = "no settings are as good as the best at all calls that were measured (m = 1, n = 8, steps = 10; m = 1, \
                    n = 8, steps = 20), and no extent of its loops (m, n) is one by which the entry could choose: those of the \
                    call that is tuned last count for all";
        assert_eq!(told(&[with(10, &a), with(20, &b)]), note);
        assert_eq!(told(&[with(10, &a), with(20, &a)]), "none");
        // At the same `n` different settings are best, and `m` is the same.
        let crossed = [ranking([8, 1], &a), ranking([8, 4], &b), ranking([16, 1], &b), ranking([16, 4], &a)];
        assert!(told(&crossed).starts_with("no settings are as good as the best at all calls"), "{}", told(&crossed));
    }

    proptest! {
        /// Every call that was measured takes settings that are as good as the best there, and boundaries ascend.
        #[test]
        fn each_call_that_was_measured_is_served(
            calls in proptest::collection::btree_map(1..100_000i64, proptest::collection::vec(1.0..1.06f64, 3), 2..7),
        ) {
            let all: Vec<Ranking> = calls
                .iter()
                .map(|(n, v)| ranking([*n, 8], &[(0, v[0]), (4, v[1]), (16, v[2])]))
                .collect();
            let list = of(&["n".to_owned()], &all.iter().collect::<Vec<_>>(), Objective::Time).unwrap().unwrap();
            let ends: Vec<i64> = list.rows.iter().filter_map(|row| Some(row.calls.as_ref()?.most["n"])).collect();
            prop_assert!(ends.is_sorted_by(|a, b| a < b) && ends.len() + 1 == list.rows.len());
            for ranking in &all {
                let at = ends.iter().position(|end| ranking.call["n"] <= *end).unwrap_or(ends.len());
                let taken = value(ranking, &list.rows[at].chosen).unwrap();
                prop_assert!(taken <= AS_GOOD * best(ranking).unwrap());
            }
        }
    }
}
