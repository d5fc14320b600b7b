//! The findings of a tuner: a ranking for each kernel of each region.

use super::driver::Evaluation;
use super::model::{Model, Prediction};
use super::ptxas::Resources;
use super::space::{Param, Point, Space};
use crate::cost;
use serde::Serialize;
use std::collections::BTreeMap;

/// A gain that is worth being written down.
const LEAST_GAIN: f64 = 1.01;

/// The outcome for a region.
#[derive(Debug, Clone, Serialize)]
pub struct Answer {
    pub region: String,
    /// The device that was measured, or modelled.
    pub device: String,
    /// Test that times are measured; else they are the cost model's.
    pub is_measured: bool,
    /// The whole numbers that the region was called with.
    pub call: BTreeMap<String, i64>,
    /// The verdict of the original loops on the default, which the candidates are compared with.
    pub judgement: Option<String>,
    /// Seconds of the region's kernels where nobody tunes them.
    pub default_s: Option<f64>,
    pub kernels: Vec<Tuning>,
    /// Notes on the rest.
    pub notes: Vec<String>,
}

/// The outcome for a kernel.
#[derive(Debug, Clone, Serialize)]
pub struct Tuning {
    pub kernel: String,
    /// The right candidates, the fastest first; what nobody tunes is one without sizes.
    pub ranking: Vec<Ranked>,
    /// The others, each with what is wrong with it.
    pub rejected: Vec<(String, String)>,
    /// Candidates that were measured, and those of them that the cache knew.
    pub evaluations: usize,
    pub cached: usize,
    /// The limit of the best one, by the cost model.
    pub limit: Option<cost::Part>,
    /// Share of a copy's rate that the best one moves its bytes at, as the model counts them; where that is measured, and
    /// the model says that memory limits it.
    pub reach: Option<f64>,
}

/// A candidate that computes what it should.
#[derive(Debug, Clone, Serialize)]
pub struct Ranked {
    /// Its sizes; none where it is what nobody tunes.
    pub sizes: BTreeMap<String, i64>,
    /// Seconds of the region's kernels: the median, or the prediction.
    pub seconds: f64,
    /// The model's time of the kernel alone.
    pub predicted: f64,
    /// Registers and spills by ptxas, where it was asked.
    pub resources: Option<Resources>,
}

impl Tuning {
    /// The sizes that are faster than what nobody tunes, by more than two runs of the same differ; `None` where nothing is.
    pub fn winner(&self) -> Option<&Ranked> {
        let is_faster = self.gain().is_some_and(|gain| gain >= LEAST_GAIN);
        self.ranking.first().filter(|best| is_faster && !best.sizes.is_empty())
    }

    /// How many times as fast the best candidate is as what nobody tunes.
    pub fn gain(&self) -> Option<f64> {
        let default = self.ranking.iter().find(|r| r.sizes.is_empty())?;
        Some(default.seconds / self.ranking.first()?.seconds)
    }
}

/// The evaluations in their order.
pub fn ranked(space: &Space, model: &Model, all: &[Evaluation], times: &BTreeMap<Option<Point>, f64>) -> Tuning {
    let usual = space.default();
    let one = |(point, seconds): (&Option<Point>, &f64)| Ranked {
        sizes: point.iter().flat_map(|p| space.named(p)).map(|(name, n)| (name.to_owned(), n)).collect(),
        seconds: *seconds,
        predicted: model.predict(point.as_ref().unwrap_or(&usual)).seconds,
        resources: None,
    };
    let mut ranking: Vec<Ranked> = times.iter().map(one).collect();
    ranking.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    let best = of_best(space, model, ranking.first());
    let wrong = all.iter().filter_map(|e| Some((space.told(&e.point), e.outcome.why()?.to_owned())));
    Tuning {
        kernel: space.kernel.clone(),
        limit: best.and_then(|best| best.limit),
        reach: best
            .filter(|b| b.limit == Some(cost::Part::Memory))
            .zip(ranking.first())
            .map(|(b, r)| b.memory / r.seconds),
        ranking,
        rejected: wrong.collect(),
        evaluations: all.len(),
        cached: 0,
    }
}

/// The model's view of the best candidate.
pub fn of_best(space: &Space, model: &Model, best: Option<&Ranked>) -> Option<Prediction> {
    let best = best?;
    let value = |p: &Param| best.sizes.get(&p.name).copied().unwrap_or(p.default);
    Some(model.predict(&space.params.iter().map(value).collect()))
}
