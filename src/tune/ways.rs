//! Settings of a region as a whole that are tried before sizes of its kernels are: calls of a library or kernels, how many
//! nests become one kernel, and how the steps of a time loop wait for each other.
//!
//! Tried is what the user leaves to the tool: each other value of a setting alone, then the best of each together. Another
//! value that makes the same files is none. Kernels are tuned under the best of them.

use super::answer::{Ranked, Tuning};
use super::build::{Candidate, Tuned, in_words};
use super::cache::{Cache, Entry, Figure, Key, Outcome};
use super::chosen::Chosen;
use super::list::LEAST_GAIN;
use super::pinned::Call;
use super::session::{LAST_SAMPLES, ROUNDS, SAMPLES, Session};
use super::settings::{Settings, others};
use crate::config::Objective;
use crate::diag::Stop;
use crate::runtime::build::Target;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Means to build candidates of a region and to run them.
pub struct Bench<'b, 'm> {
    pub session: &'b mut Session<'m>,
    /// The call that they are for.
    pub at: &'b Call,
    pub target: &'b Target,
    pub cache: &'b Mutex<Cache>,
    pub device: &'b str,
    pub objective: Objective,
    pub folder: &'b Path,
    /// The time that a candidate may take, and when the search ends.
    pub limit: Duration,
    pub end: Instant,
}

/// The region as the user's configuration has it: compiled, and its figures.
pub struct Usual<'u> {
    pub tuned: &'u Tuned,
    pub object: &'u Path,
    pub figure: Figure,
}

/// The findings: a ranking, and the best where that is another than the usual one.
pub struct Found {
    pub tuning: Tuning,
    pub best: Option<Best>,
}

/// The best settings: the region under them, compiled, and its figures.
pub struct Best {
    pub tuned: Tuned,
    pub object: PathBuf,
    pub figure: Figure,
}

/// A way that differs from all others.
pub struct Way {
    chosen: Chosen,
    tuned: Tuned,
    text: String,
    object: Result<PathBuf, String>,
    outcome: Option<Outcome>,
}

/// The ways of a region beside the usual one, a setting at a time, compiled all at once.
///
/// # Errors
/// The region does not convert.
pub fn of(usual: &Tuned, call: &Call, target: &Target, folder: &Path) -> Result<Vec<Way>, Stop> {
    let Some(settings) = usual.settings() else { return Ok(vec![]) };
    // As it is, and as a candidate for this call alone.
    let pinned = usual.under(&Settings::new()).pinned(call)?;
    let known = [usual, &pinned].into_iter().map(|tuned| Ok(tuned.candidate(&[])?.text().into_owned()));
    Ok(built((usual, call), others(settings), (target, folder), known.collect::<Result<_, Stop>>()?))
}

/// The ways of these settings whose files are no others' and not those known.
fn built(
    (usual, call): (&Tuned, &Call),
    settings: Vec<Settings>,
    (target, folder): (&Target, &Path),
    mut known: Vec<String>,
) -> Vec<Way> {
    let converted = |settings: Settings| {
        // A setting that it cannot be converted with is no way of this region.
        let tuned = usual.under(&settings).pinned(call).ok()?;
        let candidate = tuned.candidate(&[]).ok()?;
        Some((settings, tuned, candidate))
    };
    let mut all: Vec<(Settings, Tuned, Candidate)> = settings.into_par_iter().filter_map(converted).collect();
    all.retain(|(_, _, candidate)| {
        let text = candidate.text().into_owned();
        let is_new = !known.contains(&text);
        known.push(text);
        is_new
    });
    let compiled = |(settings, tuned, candidate): (Settings, Tuned, Candidate)| {
        let name: Vec<&str> = settings.values().map(String::as_str).collect();
        let object = candidate.compile(&folder.join(format!("way_{}", name.join("_"))), target).map_err(in_words);
        let (chosen, text) = (Chosen { settings, ..Chosen::default() }, candidate.text().into_owned());
        Way { chosen, tuned, text, object, outcome: None }
    };
    all.into_par_iter().map(compiled).collect()
}

/// Ranks the ways of a region; `None` where it has but one.
///
/// # Errors
/// Nothing can be run any more.
pub fn search(usual: &Usual, mut ways: Vec<Way>, bench: &mut Bench) -> Result<Option<Found>, Stop> {
    if ways.is_empty() {
        return Ok(None);
    }
    bench.run(&mut ways)?;
    let together = together(&ways, usual.figure, bench.objective);
    if together.len() > 1 && Instant::now() < bench.end {
        let texts = ways.iter().map(|way| way.text.clone()).collect();
        let mut one = built((usual.tuned, bench.at), vec![together], (bench.target, bench.folder), texts);
        bench.run(&mut one)?;
        ways.extend(one);
    }
    bench.found(usual, &ways).map(Some)
}

/// The best value of each setting that is better than the usual one.
fn together(ways: &[Way], usual: Figure, objective: Objective) -> Settings {
    let usual = usual.value(objective).unwrap_or(f64::INFINITY);
    let mut best: BTreeMap<&String, (f64, &String)> = BTreeMap::new();
    for way in ways {
        let value = way.outcome.as_ref().and_then(|o| o.value(objective)).unwrap_or(f64::INFINITY);
        for (key, name) in &way.chosen.settings {
            if value * LEAST_GAIN < best.get(key).map_or(usual, |b| b.0 * LEAST_GAIN) {
                best.insert(key, (value, name));
            }
        }
    }
    best.into_iter().map(|(key, (_, name))| (key.clone(), name.clone())).collect()
}

impl Bench<'_, '_> {
    /// Runs ways that nobody knows, one after the other, until the time is over.
    fn run(&mut self, ways: &mut [Way]) -> Result<(), Stop> {
        let (call, target) = (format!("{:?}", self.session.call), format!("{:?}", self.target));
        for way in ways {
            let key = Key::of(&[&way.text, self.device, &call, &target]);
            let known = self.cache.lock().ok().and_then(|cache| cache.known(&key, self.objective).cloned());
            way.outcome = match (&way.object, known) {
                (Err(why), _) => Some(Outcome::Unbuilt { why: why.clone() }),
                (_, Some(outcome)) => Some(outcome),
                (Ok(_), None) if Instant::now() + self.session.took > self.end => None,
                (Ok(object), None) => {
                    let outcome = self.session.run(object, SAMPLES, self.limit, None)?;
                    self.remember(&key, way, &outcome);
                    Some(outcome)
                }
            };
        }
        Ok(())
    }

    fn remember(&self, key: &Key, way: &Way, outcome: &Outcome) {
        let entry = Entry {
            kernel: way.tuned.region.clone(),
            chosen: way.chosen.clone(),
            device: self.device.to_owned(),
            call: self.session.call.clone(),
            outcome: outcome.clone(),
        };
        if let Ok(mut cache) = self.cache.lock() {
            cache.put(key, entry);
        }
    }

    /// The ranking, of which the best is held against the usual one once more.
    fn found(&mut self, usual: &Usual, ways: &[Way]) -> Result<Found, Stop> {
        let objective = self.objective;
        let value = |figure: Figure| figure.value(objective).unwrap_or(f64::INFINITY);
        let n_run = ways.iter().filter(|way| way.outcome.is_some()).count();
        let mut figures: Vec<(Option<usize>, Figure)> = vec![(None, usual.figure)];
        let right = ways.iter().enumerate().filter_map(|(k, way)| Some((Some(k), way.outcome.as_ref()?.figure()?)));
        figures.extend(right);
        figures.sort_by(|a, b| value(a.1).total_cmp(&value(b.1)));
        let object = |k: Option<usize>| k.and_then(|k| ways[k].object.as_deref().ok()).unwrap_or(usual.object);
        let mut last: Vec<Option<usize>> = figures.iter().take(2).map(|(k, _)| *k).chain([None]).collect();
        last.dedup();
        // The usual one ahead, and what is best behind it.
        last.reverse();
        let mut again: BTreeMap<Option<usize>, Figure> = BTreeMap::new();
        for _ in 0..ROUNDS {
            for k in &last {
                if Instant::now() + self.session.took > self.end {
                    continue;
                }
                let outcome = self.session.run(object(*k), LAST_SAMPLES, self.limit, None)?;
                if let Some(figure) = outcome.figure().filter(|figure| figure.value(objective).is_some()) {
                    again.entry(*k).and_modify(|known| *known = known.least(figure)).or_insert(figure);
                }
            }
        }
        for (k, figure) in &mut figures {
            *figure = again.get(k).copied().unwrap_or(*figure);
        }
        figures.sort_by(|a, b| value(a.1).total_cmp(&value(b.1)));
        let ranking = figures.iter().map(|(k, figure)| Ranked {
            chosen: k.map_or_else(Chosen::default, |k| ways[k].chosen.clone()),
            seconds: figure.seconds,
            joules: figure.joules,
            predicted: f64::NAN,
            resources: None,
        });
        let rejected =
            ways.iter().filter_map(|way| Some((way.chosen.to_string(), way.outcome.as_ref()?.why()?.to_owned())));
        let tuning = Tuning {
            kernel: usual.tuned.region.clone(),
            objective,
            untuned: BTreeMap::new(),
            ranking: ranking.collect(),
            rejected: rejected.collect(),
            evaluations: n_run,
            cached: 0,
            limit: None,
            reach: None,
            list: None,
        };
        let best = tuning.winner().and_then(|_| {
            let (k, figure) = figures.first().copied()?;
            Some(Best { tuned: ways[k?].tuned.clone(), object: object(k).to_owned(), figure })
        });
        Ok(Found { tuning, best })
    }
}

#[cfg(test)]
mod tests {
    use super::super::build::regions;
    use super::*;
    use crate::config::{Config, Given};
    use crate::cost::Device;
    use crate::target::machine;

    /// A time loop around two nests.
    const PROGRAM: &str = "\
static double a[24][24], b[24][24], c[24][24];
static void f(int steps, int n, double a[n][24], double b[n][24], double c[n][24]) {
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < 24; j++)
                b[i][j] = 0.5 * a[i][j] + t;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < 24; j++)
                a[i][j] = b[i][j] + c[i][23 - j];
    }
}
int main(void) {
    for (int i = 0; i < 24; i++)
        for (int j = 0; j < 24; j++)
            a[i][j] = i + j, c[i][j] = i - j;
    f(3, 24, a, b, c);
    return 0;
}
";

    #[test]
    fn ways_of_a_region_are_ranked_and_what_is_wrong_is_not() {
        const LIMIT: Duration = Duration::from_secs(60);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f.c");
        std::fs::write(&path, PROGRAM).unwrap();
        let config = Config::parse("f.toml", "[[region]]\nfunction = \"f\"\n").unwrap();
        let (files, target) = ([path], Target::Simulation);
        let tuned = Tuned::new(&files, &config, &[], &regions(&files, &config, &[]).unwrap()[0]).unwrap();
        let program = tuned.waiting(&folder.path().join("waiting")).unwrap();
        let mut session = Session::start(&program, &tuned.entry(), &Given::default(), folder.path(), LIMIT).unwrap();
        let candidate = tuned.candidate(&[]).unwrap();
        let object = candidate.compile(&folder.path().join("usual"), &target).unwrap();
        let figure = session.run(&object, SAMPLES, LIMIT, None).unwrap().figure().unwrap();
        let device = Device::of(&machine(90).unwrap());
        let call = Call { device, sizes: Default::default(), is_short: true };
        let mut ways = of(&tuned, &call, &target, folder.path()).unwrap();
        let told: Vec<String> = ways.iter().map(|way| way.chosen.to_string()).collect();
        assert!(
            told.contains(&"sync = relaunch".to_owned()) && told.contains(&"sync = relaxed".to_owned()),
            "{told:?}"
        );
        // Nothing of it is a library's: both values make the files that are there.
        assert!(told.iter().all(|way| !way.starts_with("library")), "{told:?}");

        let wrong = candidate.with("0.5 * ", "0.25 * ");
        ways[0].object = Ok(wrong.compile(&folder.path().join("wrong"), &target).unwrap());
        let cache = Mutex::new(Cache::open(&folder.path().join("cache.json")).unwrap());
        let mut bench = Bench {
            session: &mut session,
            at: &call,
            target: &target,
            cache: &cache,
            device: "none",
            objective: Objective::Time,
            folder: folder.path(),
            limit: LIMIT,
            end: Instant::now() + LIMIT,
        };
        let usual = Usual { tuned: &tuned, object: &object, figure };
        let found = search(&usual, ways, &mut bench).unwrap().expect("there are several");
        let rejected: Vec<&String> = found.tuning.rejected.iter().map(|(way, _)| way).collect();
        assert_eq!(rejected, [&told[0]]);
        assert!(found.tuning.ranking.iter().any(|r| r.chosen.is_none()) && found.tuning.ranking.len() >= told.len());
        if let Some(best) = found.best {
            assert_ne!(best.tuned.settings(), tuned.settings());
        }
        let remembered: Vec<Entry> = cache.lock().unwrap().entries().cloned().collect();
        assert!(remembered.iter().all(|entry| entry.kernel == "f_0" && entry.chosen.sizes.is_empty()));
        assert!(remembered.len() >= told.len());
    }
}
