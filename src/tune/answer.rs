//! The findings of a tuner: a ranking for each kernel of each region.

use super::cache::Figure;
use super::chosen::Chosen;
use super::driver::Evaluation;
use super::list::{LEAST_GAIN, LEAST_METERED_GAIN, List};
use super::model::{Model, Prediction};
use super::ptxas::Resources;
use super::space::{Param, Point, Space};
use crate::config::Objective;
use crate::cost;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// The outcome for a region.
#[derive(Debug, Clone, Serialize)]
pub struct Answer {
    pub region: String,
    /// The C function that it stands in.
    pub function: String,
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
    /// The settings of the region as a whole, where it has several; its kernels are tuned under the best of them.
    pub whole: Option<Tuning>,
    pub kernels: Vec<Tuning>,
    /// Notes on the rest.
    pub notes: Vec<String>,
}

/// The outcome for a kernel.
#[derive(Debug, Clone, Serialize)]
pub struct Tuning {
    pub kernel: String,
    /// The value that was made small.
    #[serde(serialize_with = "by_name")]
    pub objective: Objective,
    /// The sizes where nobody tunes it.
    pub untuned: BTreeMap<String, i64>,
    /// The right candidates, those of the least value first; what nobody tunes is one without sizes.
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
    /// Its settings by an extent of the call, where several were measured.
    pub list: Option<List>,
}

/// A candidate that computes what it should.
#[derive(Debug, Clone, Serialize)]
pub struct Ranked {
    /// Its strategy and sizes; none where it is what nobody tunes.
    #[serde(flatten)]
    pub chosen: Chosen,
    /// Seconds of the region's kernels: the median, or the prediction.
    pub seconds: f64,
    /// Joules of the GPU for them, where they were metered.
    pub joules: Option<f64>,
    /// The model's time of the kernel alone.
    pub predicted: f64,
    /// Registers and spills by ptxas, where it was asked.
    pub resources: Option<Resources>,
}

impl Ranked {
    /// The value that is made small; infinite where nobody knows it.
    pub fn value(&self, objective: Objective) -> f64 {
        Figure { seconds: self.seconds, joules: self.joules }.value(objective).unwrap_or(f64::INFINITY)
    }
}

impl Tuning {
    /// The sizes that are faster than what nobody tunes, by more than two runs of the same differ; `None` where nothing is.
    pub fn winner(&self) -> Option<&Ranked> {
        let least = if self.objective == Objective::Time { LEAST_GAIN } else { LEAST_METERED_GAIN };
        let is_better = self.gain().is_some_and(|gain| gain >= least);
        self.ranking.first().filter(|best| is_better && !best.chosen.is_none())
    }

    /// The outcome of this search and of that under another strategy as one.
    pub fn joined(self, other: Tuning) -> Tuning {
        let value = |t: &Tuning| t.ranking.first().map_or(f64::INFINITY, |r| r.value(t.objective));
        let (limit, reach) =
            if value(&other) < value(&self) { (other.limit, other.reach) } else { (self.limit, self.reach) };
        let mut ranking = self.ranking;
        ranking.extend(other.ranking.into_iter().filter(|r| !r.chosen.is_none()));
        ranking.sort_by(|a, b| a.value(self.objective).total_cmp(&b.value(self.objective)));
        let rejected = self.rejected.into_iter().chain(other.rejected).collect();
        let (evaluations, cached) = (self.evaluations + other.evaluations, self.cached + other.cached);
        Tuning { ranking, rejected, evaluations, cached, limit, reach, ..self }
    }

    /// Ratio of the untuned value to that of the best candidate: times as fast, where that is time.
    pub fn gain(&self) -> Option<f64> {
        let default = self.ranking.iter().find(|r| r.chosen.is_none())?;
        let gain = default.value(self.objective) / self.ranking.first()?.value(self.objective);
        gain.is_finite().then_some(gain)
    }
}

fn by_name<S: Serializer>(objective: &Objective, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(objective)
}

/// A value in a unit that suits it.
pub fn in_words(value: f64, objective: Objective) -> String {
    match objective {
        Objective::Time => format!("{:.1} us", 1e6 * value),
        Objective::Energy => format!("{:.3} mJ", 1e3 * value),
        Objective::Edp => format!("{:.3} mJ us", 1e9 * value),
    }
}

/// The figures of each point, and of what nobody tunes, which has none.
pub type Figures = BTreeMap<Option<Point>, Figure>;

/// The evaluations in their order.
pub fn ranked(space: &Space, model: &Model, all: &[Evaluation], figures: &Figures, objective: Objective) -> Tuning {
    let usual = space.default();
    let one = |(point, figure): (&Option<Point>, &Figure)| Ranked {
        chosen: point.as_ref().map_or_else(Chosen::default, |p| space.chosen(p)),
        seconds: figure.seconds,
        joules: figure.joules,
        predicted: model.predict(point.as_ref().unwrap_or(&usual)).seconds,
        resources: None,
    };
    let mut ranking: Vec<Ranked> = figures.iter().map(one).collect();
    ranking.sort_by(|a, b| a.value(objective).total_cmp(&b.value(objective)));
    let best = of_best(space, model, ranking.first());
    let unranked = all.iter().filter(|e| e.outcome.value(objective).is_none());
    let wrong = unranked.filter_map(|e| Some((space.chosen(&e.point).to_string(), e.outcome.why()?.to_owned())));
    Tuning {
        kernel: space.kernel.clone(),
        objective,
        untuned: space.untuned(),
        limit: best.and_then(|best| best.limit),
        reach: best
            .filter(|b| b.limit == Some(cost::Part::Memory))
            .zip(ranking.first())
            .map(|(b, r)| b.memory / r.seconds),
        ranking,
        rejected: wrong.collect(),
        evaluations: all.len(),
        cached: 0,
        list: None,
    }
}

/// The model's view of the best candidate.
pub fn of_best(space: &Space, model: &Model, best: Option<&Ranked>) -> Option<Prediction> {
    let best = best?;
    let value = |p: &Param| best.chosen.sizes.get(&p.name).copied().unwrap_or(p.default);
    Some(model.predict(&space.params.iter().map(value).collect()))
}

/// A region with one kernel, of which the candidates of these sizes were measured.
#[cfg(test)]
pub fn measured(seconds: &[(&[(&str, i64)], f64)]) -> Answer {
    let ranked = |(sizes, seconds): &(&[(&str, i64)], f64)| Ranked {
        chosen: Chosen::sizes(sizes.iter().map(|(name, n)| (name.to_string(), *n)).collect()),
        seconds: *seconds,
        joules: None,
        predicted: 1.0,
        resources: None,
    };
    let tuning = Tuning {
        kernel: "rt_f_0_k0".into(),
        objective: Objective::Time,
        untuned: [("BLOCK_0".to_owned(), 32)].into(),
        ranking: seconds.iter().map(ranked).collect(),
        rejected: vec![],
        evaluations: 3,
        cached: 0,
        limit: None,
        reach: None,
        list: None,
    };
    Answer {
        region: "f_0".into(),
        function: "f".into(),
        device: "NVIDIA <H100>".into(),
        is_measured: true,
        call: [("n".to_owned(), 4096)].into(),
        judgement: None,
        default_s: None,
        whole: None,
        kernels: vec![tuning],
        notes: vec![],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_of_two_strategies_are_one_ranking() {
        let one = |strategy: Option<&str>, seconds: &[(&[(&str, i64)], f64)]| {
            let mut tuning = measured(seconds).kernels.remove(0);
            tuning
                .ranking
                .iter_mut()
                .filter(|r| !r.chosen.is_none())
                .for_each(|r| r.chosen.strategy = strategy.map(str::to_owned));
            tuning
        };
        let usual = one(None, &[(&[("BLOCK_0", 8)], 3e-3), (&[], 4e-3)]);
        let joined =
            usual.joined(one(Some("rows"), &[(&[("BLOCK_0", 2)], 1e-3), (&[], 3.9e-3), (&[("BLOCK_0", 4)], 5e-3)]));
        let told: Vec<String> = joined.ranking.iter().map(|r| r.chosen.to_string()).collect();
        assert_eq!(told, ["rows, BLOCK_0 = 2", "BLOCK_0 = 8", "", "rows, BLOCK_0 = 4"]);
        assert_eq!((joined.gain(), joined.evaluations), (Some(4.0), 6));
    }

    #[test]
    fn gains_are_those_of_the_objective() {
        let mut tuning = measured(&[(&[("BLOCK_0", 8)], 1e-3), (&[], 1.02e-3)]).kernels.remove(0);
        assert_eq!(tuning.winner().map(|r| r.chosen.sizes["BLOCK_0"]), Some(8));
        tuning.objective = Objective::Energy;
        assert_eq!(tuning.gain(), None, "nobody has metered them");
        for (r, joules) in tuning.ranking.iter_mut().zip([1.0, 1.04]) {
            r.joules = Some(joules);
        }
        assert!(tuning.gain().is_some_and(|gain| gain > 1.03) && tuning.winner().is_none(), "the meter does not tell");
        tuning.objective = Objective::Edp;
        assert!(tuning.winner().is_some());
    }
}
