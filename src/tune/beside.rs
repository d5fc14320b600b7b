//! Measurements of a kernel that are remembered from calls of other sizes: where to begin, and what all of them together lead to.

use super::answer::{Ranked, Tuning};
use super::build::{Converted, Tuned};
use super::cache::{Cache, Key, Ranking, Valued};
use super::chosen::Chosen;
use super::date;
use super::list::{self, LEAST_METERED_GAIN, List};
use super::settings::KEYS;
use crate::config::Objective;
use crate::runtime::build::Target;
use std::collections::BTreeMap;

/// The kernels of a region at a call, as they are remembered.
pub struct Beside {
    /// Key of the region as nobody tunes its kernels, and of what it is compiled with.
    text: String,
    device: String,
    call: BTreeMap<String, i64>,
    /// The extents of the loops of each kernel.
    extents: BTreeMap<String, Vec<String>>,
}

impl Beside {
    /// The kernels of a region at a call on a device.
    pub fn of(
        tuned: &Tuned,
        converted: &Converted,
        target: &Target,
        (device, call): (&str, &BTreeMap<String, i64>),
    ) -> Beside {
        let report = &converted.report.kernels;
        let own = converted.kernels.iter().filter(|k| report.iter().any(|r| r.name == k.name));
        let kernels: String = own.map(ToString::to_string).collect();
        let settings = tuned.settings().map(|s| [s.library.to_string(), s.schedule.to_string(), s.sync.to_string()]);
        let settings: Vec<String> =
            KEYS.iter().zip(settings.iter().flatten()).map(|(k, v)| format!("{k} {v}")).collect();
        let text = Key::of(&[&kernels, &settings.join(", "), &format!("{target:?}")]).into_text();
        let extents = report.iter().map(|k| (k.name.clone(), k.extents.clone())).collect();
        Beside { text, device: device.to_owned(), call: call.clone(), extents }
    }

    /// Settings of a kernel that were best at other calls.
    pub fn winners(&self, kernel: &str, objective: Objective, cache: &Cache) -> Vec<Chosen> {
        let own = self.ranking(kernel, objective, vec![]);
        let others = cache.rankings().filter(|r| r.is_beside(&own) && r.call != own.call);
        let best = others.filter_map(|r| r.best.iter().min_by(|a, b| a.value.total_cmp(&b.value)));
        let mut out: Vec<Chosen> = best.map(|x| x.chosen.clone()).filter(|chosen| !chosen.is_none()).collect();
        out.sort();
        out.dedup();
        out
    }

    /// Remembers what was measured of a kernel, and gives its settings by an extent, where it was measured at several calls.
    ///
    /// # Errors
    /// As [`list::of`].
    pub fn list(&self, tuning: &Tuning, cache: &mut Cache) -> Result<Option<List>, String> {
        let value = |r: &Ranked| r.value(tuning.objective);
        let best = tuning.ranking.iter().map(value).reduce(f64::min).filter(|_| tuning.evaluations > 0);
        let (Some(best), Some(extents)) = (best, self.extents.get(&tuning.kernel)) else { return Ok(None) };
        let is_kept = |r: &&Ranked| r.chosen.is_none() || value(r) <= LEAST_METERED_GAIN * best;
        let kept = tuning.ranking.iter().filter(is_kept).filter(|r| value(r).is_finite());
        let kept = kept.map(|r| Valued { chosen: r.chosen.clone(), value: value(r) }).collect();
        let own = self.ranking(&tuning.kernel, tuning.objective, kept);
        cache.put_ranking(own.clone());
        let all: Vec<&Ranking> = cache.rankings().filter(|r| r.is_beside(&own)).collect();
        list::of(extents, &all, tuning.objective)
    }

    fn ranking(&self, kernel: &str, objective: Objective, best: Vec<Valued>) -> Ranking {
        Ranking {
            text: self.text.clone(),
            kernel: kernel.to_owned(),
            device: self.device.clone(),
            objective: objective.to_string(),
            call: self.call.clone(),
            when: date::now(),
            best,
        }
    }
}
