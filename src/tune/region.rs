//! A region on its way from a program to a ranking of its kernels' sizes.

use super::answer::{Answer, Figures, Ranked, Tuning, of_best, ranked};
use super::beside::Beside;
use super::build::{Converted, Tuned, in_words};
use super::cache::{Cache, Figure, Outcome};
use super::chosen::Chosen;
use super::compiler::Compiler;
use super::driver::{self, About, Bounds, Built, Evaluation};
use super::model::Model;
use super::options::{Options, Progress};
use super::pinned::Call;
use super::ptxas;
use super::search::{self, State};
use super::session::{Judgement, LAST_SAMPLES, ROUNDS, SAMPLES, Session};
use super::space::{self, Point, Space};
use super::ways::{self, Way};
use crate::config::{Config, Objective};
use crate::cost::{self, Device};
use crate::diag::{Diagnostic, Stop, no_temporary_folder};
use crate::kernel::Kernel;
use crate::runtime::build::Target;
use crate::runtime::device::Gpu;
use crate::runtime::energy::Metering;
use crate::runtime::toolchain::{self, Nvcc};
use crate::target;
use rayon::prelude::*;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Candidates that are measured again in the end.
const FINALISTS: usize = 4;
/// The share of the budget that is left for that.
const LAST_SHARE: u32 = 8;
/// The share of the budget in which settings of the region as a whole are tried, where kernels have sizes to be tried behind them.
const WAYS_SHARE: u32 = 3;
/// A strategy that the model takes to be so many times as slow as the usual one is not tried: it is at most 2.2 off where it was
/// held to measurements (`tests/model.rs`).
const MUCH_SLOWER: f64 = 4.0;
/// Lines of a ranking without a GPU.
const PREDICTED: usize = 32;
/// Those of them that ptxas is asked about.
const COMPILED: usize = 7;

/// A region that is being tuned.
pub struct Region<'a> {
    tuned: Tuned,
    options: &'a Options,
    target: Option<&'a Target>,
    cache: &'a Mutex<Cache>,
    end: Instant,
    folder: tempfile::TempDir,
    converted: Converted,
    /// The region with other strategies: each of one kernel.
    others: Vec<(Space, Converted)>,
    session: Session<'a>,
    device: Device,
    name: String,
    n_built: AtomicUsize,
    /// The region as nobody tunes it, compiled where there is a GPU.
    untuned: Option<PathBuf>,
    /// The words of ptxas on it.
    said: String,
    /// The region with other settings, compiled where there is a GPU.
    ways: Vec<Way>,
    notes: Vec<String>,
}

impl<'a> Region<'a> {
    /// The program at the region's first call, before `end`.
    ///
    /// # Errors
    /// A program that does not build, or does not come to the region.
    pub fn open(
        tuned: Tuned,
        options: &'a Options,
        (target, meter): (Option<&'a Target>, Option<&'a Metering>),
        cache: &'a Mutex<Cache>,
        end: Instant,
    ) -> Result<Region<'a>, Stop> {
        let folder = tempfile::tempdir().map_err(|e| no_temporary_folder(&e))?;
        let converted = tuned.converted(&[])?;
        let program = tuned.waiting(&folder.path().join("waiting"))?;
        let given = options.config.input.given.or_of(&options.given);
        let limit = end.saturating_duration_since(Instant::now());
        let mut session = Session::start(&program, &tuned.entry(), &given, folder.path(), limit)?;
        session.meter = meter;
        let (device, name) = device(&options.config, target.is_some())?;
        let mut region = Region {
            tuned,
            options,
            target,
            cache,
            end,
            folder,
            converted,
            others: vec![],
            session,
            device,
            name,
            n_built: AtomicUsize::new(0),
            untuned: None,
            said: String::new(),
            ways: vec![],
            notes: vec![],
        };
        region.compile(true)?;
        Ok(region)
    }

    /// The call that is tuned.
    fn call(&self) -> Call {
        Call { device: self.device, sizes: self.sizes(), is_short: self.tuned.is_short }
    }

    /// Compiles the region for the call, as nobody tunes it and with other settings, where there is a GPU.
    fn compile(&mut self, is_short: bool) -> Result<(), Stop> {
        let Some(target) = self.target else { return Ok(()) };
        let call = Call { is_short, ..self.call() };
        let tuned = self.tuned.clone().pinned(&call)?;
        let folder = self.folder.path();
        let [default, said] = ["default", "said"].map(|name| folder.join(format!("{name}_{is_short}")));
        let candidate = tuned.candidate(&[])?;
        // Compilers take most of the time before a search, each one processor.
        let ((object, said), ways) = rayon::join(
            || rayon::join(|| candidate.compile(&default, target), || candidate.told_by_ptxas(&said, target)),
            || ways::of(&tuned, &call, target, folder),
        );
        (self.untuned, self.said, self.ways) = (Some(object?), said?, ways?);
        self.tuned = tuned;
        Ok(())
    }

    /// Tunes its kernels, one after the other.
    ///
    /// # Errors
    /// Nothing can be measured any more.
    pub fn tune(mut self, told: &mut dyn FnMut(&Progress)) -> Result<Answer, Stop> {
        let (mut all, mut default_s, mut judgement, mut whole, mut beside) = (vec![], None, None, None, None);
        match self.target {
            None => {
                let spaces = self.spaces();
                for space in self.with_others(spaces) {
                    all.push(self.predicted(&space)?);
                }
            }
            Some(target) => {
                let (usual, limit) = self.reference()?;
                default_s = Some(usual.seconds);
                self.session.start_original()?;
                let (ranked, default) = self.whole(target, usual, limit)?;
                whole = ranked;
                let (runs, idle): (Vec<Space>, Vec<Space>) =
                    self.spaces().into_iter().partition(|s| self.session.kernels.contains(&s.kernel));
                let idle = idle.iter().map(|s| &s.kernel);
                self.notes.extend(
                    idle.map(|name| format!("{name} does not run at this call: another kernel stands in for it")),
                );
                let spaces = self.with_others(runs);
                let at = (self.name.as_str(), &self.session.call);
                let beside = &*beside.insert(Beside::of(&self.tuned, &self.converted, target, at));
                for (k, space) in spaces.iter().enumerate() {
                    let left = self.end.saturating_duration_since(Instant::now());
                    let end = Instant::now() + left / (spaces.len() - k) as u32;
                    let objective = self.options.objective;
                    let winners =
                        self.cache.lock().map_or(vec![], |cache| beside.winners(&space.kernel, objective, &cache));
                    let winners: Vec<Point> = winners.iter().filter_map(|chosen| space.point(chosen)).collect();
                    all.push(self.measured(space, &winners, target, (default, limit, end), told)?);
                }
                judgement = Some(self.judged()?);
            }
        }
        self.note_resident();
        let mut kernels: Vec<Tuning> = vec![];
        for tuning in all {
            match kernels.pop_if(|before| before.kernel == tuning.kernel) {
                Some(before) => kernels.push(before.joined(tuning)),
                None => kernels.push(tuning),
            }
        }
        if let (Some(beside), Ok(mut cache)) = (&beside, self.cache.lock()) {
            for tuning in &mut kernels {
                match beside.list(tuning, &mut cache) {
                    Ok(list) => tuning.list = list,
                    Err(why) => self.notes.push(format!("{}: {why}", tuning.kernel)),
                }
            }
        }
        if let Some(why) = self.cache.lock().ok().and_then(|cache| cache.unwritten().map(str::to_owned)) {
            self.notes.push(why);
        }
        Ok(Answer {
            region: self.tuned.region.clone(),
            function: self.tuned.function.clone(),
            device: self.name,
            is_measured: self.target.is_some(),
            call: self.session.call.clone(),
            judgement,
            default_s,
            whole,
            kernels,
            notes: self.notes,
        })
    }

    /// Says of loops of the host that run on the device that they have no sizes.
    fn note_resident(&mut self) {
        let is_resident = |k: &&crate::report::Kernel| k.mapping.is_empty() && k.name.ends_with("_steps");
        let resident = self.converted.report.kernels.iter().filter(is_resident);
        let why =
            "a loop of the host that runs on the device has no sizes that are tuned yet; those of its kernels are";
        self.notes.extend(resident.map(|k| format!("{}: {why} with sync = \"relaunch\"", k.name)));
    }

    /// Ranks the settings of the region as a whole, and goes on with the best, whose figure it gives.
    fn whole(&mut self, target: &Target, usual: Figure, limit: Duration) -> Result<(Option<Tuning>, Figure), Stop> {
        let untuned = self.untuned.clone().ok_or_else(|| Stop::Bug("tune: nothing is compiled".into()))?;
        let (left, spaces) = (self.end.saturating_duration_since(Instant::now()), self.spaces());
        let share = if spaces.is_empty() { 1 } else { WAYS_SHARE };
        let at = self.call();
        let mut bench = ways::Bench {
            session: &mut self.session,
            at: &at,
            target,
            cache: self.cache,
            device: &self.name,
            objective: self.options.objective,
            folder: self.folder.path(),
            limit,
            end: Instant::now() + left / share,
        };
        let usual_one = ways::Usual { tuned: &self.tuned, object: &untuned, figure: usual };
        let Some(found) = ways::search(&usual_one, std::mem::take(&mut self.ways), &mut bench)? else {
            return Ok((None, usual));
        };
        let (object, figure) = match found.best {
            None => (untuned, usual),
            Some(best) => {
                self.converted = best.tuned.converted(&[])?;
                (self.tuned, self.said) = (best.tuned, String::new());
                self.untuned = Some(best.object.clone());
                (best.object, best.figure)
            }
        };
        // Its kernels are those of the last run.
        self.session.run(&object, 1, limit, None)?;
        Ok((Some(found.tuning), figure))
    }

    /// The kernels that have sizes, those that the model takes to be slowest first.
    fn spaces(&self) -> Vec<Space> {
        let ranges = self.tuned.ranges;
        let has_sizes = |k: &&crate::report::Kernel| !k.mapping.is_empty() && !k.tunables.is_empty();
        let kernels = self.converted.report.kernels.iter().filter(has_sizes);
        let mut all: Vec<(f64, Space)> = kernels
            .filter_map(|k| {
                let (seconds, picked) = self.picked(&self.converted, &k.name)?;
                Some((seconds, Space::of(k, &ranges, &self.device.machine).from_defaults(&picked)))
            })
            .collect();
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        all.into_iter().map(|(_, space)| space).collect()
    }

    /// The model's time of a kernel at this call, and the kernel with the sizes that the call takes.
    fn picked(&self, converted: &Converted, name: &str) -> Option<(f64, Kernel)> {
        let kernel = converted.kernels.iter().find(|k| k.name == name)?;
        let picked = cost::picked(kernel, &self.device, &self.sizes());
        let seconds = cost::estimate(&picked, &converted.functions, &self.device, &self.sizes()).seconds;
        Some((seconds, picked))
    }

    /// Spaces of kernels, each with those of the other strategies that serve its nest behind it.
    fn with_others(&mut self, spaces: Vec<Space>) -> Vec<Space> {
        let mut out = vec![];
        for space in spaces {
            let mut others = self.others_of(&space);
            out.push(space);
            others.sort_by(|a, b| a.0.total_cmp(&b.0));
            out.extend(others.into_iter().map(|(_, space)| space));
        }
        out
    }

    /// The spaces of a kernel under its other strategies, each with the model's time of what nobody tunes of it.
    fn others_of(&mut self, space: &Space) -> Vec<(f64, Space)> {
        let name = &space.kernel;
        let report = self.converted.report.kernels.iter().find(|k| k.name == *name);
        let strategies = report.map_or_else(Vec::new, |k| k.strategies.clone());
        let Some((usual, others)) = strategies.split_first() else { return vec![] };
        let known = self.picked(&self.converted, name).map_or(f64::INFINITY, |(seconds, _)| seconds);
        let mut out = vec![];
        for strategy in others {
            let chosen = Chosen { strategy: Some(strategy.clone()), ..Chosen::default() };
            let converted = match self.tuned.converted(&[(name.clone(), chosen.given())]) {
                Ok(converted) => converted,
                Err(stop) => {
                    self.notes.push(format!("{name}: {strategy} cannot be: {}", in_words(stop)));
                    continue;
                }
            };
            let report = converted.report.kernels.iter().find(|k| k.name == *name);
            let Some((report, (seconds, picked))) = report.zip(self.picked(&converted, name)) else { continue };
            if seconds > MUCH_SLOWER * known {
                let times = seconds / known;
                let why = format!("the model takes it to be {times:.0} times as slow as {usual}");
                self.notes.push(format!("{name}: {strategy} is not tried: {why}"));
                continue;
            }
            let space =
                Space::of(report, &self.tuned.ranges, &self.device.machine).from_defaults(&picked).under(strategy);
            self.others.push((space.clone(), converted));
            out.push((seconds, space));
        }
        out
    }

    /// The region with the strategy of a space.
    fn converted(&self, space: &Space) -> &Converted {
        let is_its = |other: &Space| other.kernel == space.kernel && other.strategy == space.strategy;
        self.others.iter().find(|(other, _)| is_its(other)).map_or(&self.converted, |(_, converted)| converted)
    }

    fn sizes(&self) -> cost::Sizes {
        cost::Sizes::of(self.session.call.iter().map(|(name, n)| (name.as_str(), *n)))
    }

    fn model(&self, space: &Space) -> Result<Model, Stop> {
        let converted = self.converted(space);
        let kernel = converted.kernels.iter().find(|k| k.name == space.kernel).cloned();
        let kernel = kernel.ok_or_else(|| Stop::Bug(format!("tune: kernel {} is lost", space.kernel)))?;
        let usual = cost::picked(&kernel, &self.device, &self.sizes()).tunables;
        let told = space.strategy.is_none().then(|| ptxas::read(&self.said, &kernel.name, &usual)).flatten();
        Ok(Model::new(space, kernel, converted.functions.clone(), self.device, self.sizes()).told(told))
    }

    /// Runs the region as nobody tunes it: what it takes, and how long a candidate may.
    fn reference(&mut self) -> Result<(Figure, Duration), Stop> {
        let untuned = || Stop::Bug("tune: nothing is compiled".into());
        let limit = self.end.saturating_duration_since(Instant::now());
        // The first run has the device begin.
        let first = self.session.run(self.untuned.as_ref().ok_or_else(untuned)?, 1, limit, None)?;
        if self.tuned.is_short && first.figure().is_none() {
            self.compile(false)?;
            self.session.run(self.untuned.as_ref().ok_or_else(untuned)?, 1, limit, None)?;
        }
        let untuned = self.untuned.clone().ok_or_else(untuned)?;
        let most = 4 * self.session.took + Duration::from_secs(2);
        let outcome = self.session.run(&untuned, SAMPLES, limit, None)?;
        let Some(figure) = outcome.figure().filter(|figure| figure.value(self.options.objective).is_some()) else {
            let why = outcome.why().unwrap_or("its kernels take no time that could be measured");
            let message = format!("{} cannot be tuned: as it is converted, {why}", self.tuned.region);
            let help = match outcome {
                Outcome::Unmetered { .. } => "give it a larger problem (--arg), or tune it for time: --objective time",
                _ => "`rtcuda verify` shows what its call does; `rtcuda run` times the whole program",
            };
            return Err(Diagnostic::error("tune-default", message, None).help(help).into());
        };
        Ok((figure, most))
    }

    /// Searches the space of a kernel, from what won at other calls on.
    fn measured(
        &mut self,
        space: &Space,
        winners: &[Point],
        target: &Target,
        (default, limit, end): (Figure, Duration, Instant),
        told: &mut dyn FnMut(&Progress),
    ) -> Result<Tuning, Stop> {
        let model = self.model(space)?;
        let earlier = self.tuned.earlier.get(&space.kernel);
        let rows = earlier.into_iter().flat_map(|given| &given.at).map(|row| &row.settings);
        let earlier = earlier.into_iter().chain(rows).map(Chosen::from).filter(|chosen| !chosen.is_none());
        let first = earlier.chain(self.options.first.iter().cloned()).filter_map(|chosen| space.point(&chosen));
        let first = winners.iter().cloned().chain(first);
        let unknown = space.strategy.is_some().then(|| space.default());
        let first = first.chain(unknown).collect();
        let then = search::strategy(self.options.strategy, space, &model, self.options.seed);
        let mut strategy = search::First::new(first, then);
        let left = end.saturating_duration_since(Instant::now());
        // As many as there are cores, of which each is two processors: more would only come later.
        let at_once = std::thread::available_parallelism().map_or(1, |n| n.get().div_ceil(2));
        let bounds = Bounds { end: end - left / LAST_SHARE, at_once, most: self.options.most, run: self.session.took };
        let (tuned, folder, n_built) = (&self.tuned, self.folder.path().to_owned(), &self.n_built);
        let builder = Compiler {
            tuned,
            space,
            target,
            folder: &folder,
            n_built,
            device: &self.name,
            call: self.session.call.clone(),
            objective: self.options.objective,
            is_over: Arc::default(),
        };
        let session = &mut self.session;
        let mut run = |built: &Built, best: Option<f64>| match &built.object {
            Some(object) => session.run(object, SAMPLES, limit, best),
            None => Err(Stop::Bug("tune: a candidate has no object, and is not known".into())),
        };
        let objective = self.options.objective;
        let value = default.value(objective).unwrap_or(f64::INFINITY);
        let value = space.strategy.is_none().then_some(value);
        let about = About { space, device: &self.name, call: &builder.call, objective, default: value };
        let mut told = |e: &Evaluation, state: &State| {
            let left = bounds.end.saturating_duration_since(Instant::now());
            let best = e.outcome.value(objective).into_iter().chain(state.best().map(|(_, s)| s)).reduce(f64::min);
            told(&Progress { kernel: &space.kernel, evaluations: state.measured.len(), best, objective, left });
        };
        let all = driver::search(&about, &mut strategy, (&builder, &mut run), self.cache, bounds, &mut told)?;
        let figures = self.again(space, (&all, winners), target, (default, limit, end))?;
        let mut tuning = ranked(space, &model, &all, &figures, self.options.objective);
        // Times are of all kernels of the region, the bytes of this one.
        tuning.reach = tuning.reach.filter(|_| self.session.kernels.len() == 1);
        tuning.cached = all.iter().filter(|e| e.is_cached).count();
        Ok(tuning)
    }

    /// The best candidates once more, beside what nobody tunes and the winners at other calls, in turns and with more runs each.
    fn again(
        &mut self,
        space: &Space,
        (all, winners): (&[Evaluation], &[Point]),
        target: &Target,
        (default, limit, end): (Figure, Duration, Instant),
    ) -> Result<Figures, Stop> {
        let objective = self.options.objective;
        let valued = |outcome: &Outcome| outcome.figure().filter(|figure| figure.value(objective).is_some());
        let mut figures: Figures =
            all.iter().filter_map(|e| Some((Some(e.point.clone()), valued(&e.outcome)?))).collect();
        let mut best: Vec<(Option<Point>, f64)> =
            figures.iter().filter_map(|(point, figure)| Some((point.clone(), figure.value(objective)?))).collect();
        best.sort_by(|a, b| a.1.total_cmp(&b.1));
        let of_others = best.split_off(FINALISTS.min(best.len()));
        best.extend(of_others.into_iter().filter(|(point, _)| point.as_ref().is_some_and(|p| winners.contains(p))));
        figures.insert(None, default);
        let points: Vec<Option<Point>> = std::iter::once(None).chain(best.into_iter().map(|(p, _)| p)).collect();
        let objects: Vec<PathBuf> =
            points.iter().map(|point| self.object(space, point.as_ref(), all, target)).collect::<Result<_, _>>()?;
        let (mut again, mut longest) = (Figures::new(), self.session.took);
        for _ in 0..ROUNDS {
            for (point, object) in points.iter().zip(&objects) {
                let start = Instant::now();
                if start + longest >= end {
                    break;
                }
                let outcome = self.session.run(object, LAST_SAMPLES, limit, None)?;
                if let Some(figure) = valued(&outcome) {
                    longest = longest.max(start.elapsed());
                    again.entry(point.clone()).and_modify(|known| *known = known.least(figure)).or_insert(figure);
                }
            }
        }
        figures.extend(again);
        Ok(figures)
    }

    /// The object of a point, of what nobody tunes where there is none; compiled where only the cache knew it.
    fn object(
        &self,
        space: &Space,
        point: Option<&Point>,
        all: &[Evaluation],
        target: &Target,
    ) -> Result<PathBuf, Stop> {
        let Some(point) = point else {
            return self.untuned.clone().ok_or_else(|| Stop::Bug("tune: nothing is compiled".into()));
        };
        if let Some(object) = all.iter().find(|e| e.point == *point).and_then(|e| e.object.clone()) {
            return Ok(object);
        }
        let sizes = [(space.kernel.clone(), space.chosen(point).given())];
        let n = self.n_built.fetch_add(1, Ordering::Relaxed);
        self.tuned.candidate(&sizes)?.compile(&self.folder.path().join(format!("c{n}")), target)
    }

    /// The verdict of the original loops on the reference, once they have come to their end or the time is over.
    fn judged(&mut self) -> Result<String, Stop> {
        loop {
            match self.session.judgement()? {
                Judgement::Agrees => return Ok("the original loops compute the same".into()),
                Judgement::Differs(how) => {
                    let message = format!("{}: the original loops compute something else: {how}", self.tuned.region);
                    let help = "`rtcuda verify` shows the differences; what is wrong is not tuned";
                    return Err(Diagnostic::error("tune-differs", message, None).help(help).into());
                }
                Judgement::Ended(how) => return Ok(format!("not compared with the original loops: {how}")),
                Judgement::Running if Instant::now() >= self.end => {
                    return Ok("not compared with the original loops, which take longer than the budget; \
                               `rtcuda verify` compares them"
                        .into());
                }
                Judgement::Running => std::thread::sleep(Duration::from_millis(50)),
            }
        }
    }

    /// The ranking by the cost model, and by what ptxas says of those that it likes best, where there is a compiler.
    fn predicted(&self, space: &Space) -> Result<Tuning, Stop> {
        let model = self.model(space)?;
        let liked = search::predicted(space, &model, PREDICTED).into_iter().map(|(_, point)| Some(point));
        let one = |point: Option<Point>| {
            let seconds = model.predict(point.as_ref().unwrap_or(&space.default())).seconds;
            let chosen = point.as_ref().map_or_else(Chosen::default, |p| space.chosen(p));
            Ranked { chosen, seconds, joules: None, predicted: seconds, resources: None }
        };
        let mut ranking: Vec<Ranked> = liked.chain([None]).map(one).collect();
        let order = |a: &Ranked, b: &Ranked| {
            a.seconds.total_cmp(&b.seconds).then(a.chosen.sizes.len().cmp(&b.chosen.sizes.len()))
        };
        ranking.sort_by(order);
        let rejected = match toolchain::nvcc() {
            Ok(nvcc) => self.compiled(space, nvcc, &mut ranking),
            Err(_) => vec![],
        };
        // Those that are spilled are slower than the model knows.
        ranking.sort_by_key(|r| r.resources.is_some_and(|r| r.spilled > 0));
        Ok(Tuning {
            kernel: space.kernel.clone(),
            objective: Objective::Time,
            untuned: space.untuned(),
            limit: of_best(space, &model, ranking.first()).and_then(|best| best.limit),
            reach: None,
            ranking,
            rejected,
            evaluations: 0,
            cached: 0,
            list: None,
        })
    }

    /// Asks ptxas about the first of a ranking, and about what nobody tunes, several at once; takes out those that cannot be
    /// compiled or launched, and says why.
    fn compiled(&self, space: &Space, nvcc: Nvcc, ranking: &mut Vec<Ranked>) -> Vec<(String, String)> {
        let machine = self.device.machine;
        let target = Target::Gpu { nvcc, arch: machine.arch(), fmad: self.options.config.target.fmad };
        let is_asked = |(k, r): &(usize, &mut Ranked)| *k < COMPILED || r.chosen.is_none();
        let ask = |(k, r): (usize, &mut Ranked)| {
            let given = (!r.chosen.is_none()).then(|| (space.kernel.clone(), r.chosen.given()));
            let folder = self.folder.path().join(format!(
                "ptxas_{}_{}_{k}",
                space.kernel,
                space.strategy.as_deref().unwrap_or_default()
            ));
            let candidate = self.tuned.candidate(&given.into_iter().collect::<Vec<_>>())?;
            r.resources = candidate.resources(&space.kernel, &folder, &target)?;
            Ok::<_, Stop>(())
        };
        let told: Vec<(usize, &mut Ranked)> = ranking.iter_mut().enumerate().filter(is_asked).collect();
        let faults: Vec<(Chosen, String)> = told
            .into_par_iter()
            .filter_map(|(k, r)| {
                let threads: i64 =
                    r.chosen.sizes.iter().filter(|(name, _)| space::word(name) == "BLOCK").map(|(_, n)| n).product();
                let why = match ask((k, r)) {
                    Err(stop) => in_words(stop),
                    Ok(()) => {
                        let registers = r.resources.map_or(0, |r| r.registers);
                        let blocks = machine.occupancy(registers, 0, u32::try_from(threads).unwrap_or(u32::MAX)).blocks;
                        (blocks == 0).then(|| format!("{registers} registers a thread leave no room for a block"))?
                    }
                };
                Some((r.chosen.clone(), why))
            })
            .collect();
        ranking.retain(|r| faults.iter().all(|(chosen, _)| *chosen != r.chosen));
        faults.into_iter().map(|(chosen, why)| (chosen.to_string(), why)).collect()
    }
}

/// The device that is measured, or the one that the model is of.
fn device(config: &Config, is_measured: bool) -> Result<(Device, String), Stop> {
    if is_measured {
        let gpu = Gpu::first()?;
        let machine = gpu.machine().ok_or_else(|| {
            Diagnostic::error("unknown-machine", format!("{} is no device that the model describes", gpu.name), None)
        })?;
        return Ok((Device::named(&gpu.name, &machine), gpu.name));
    }
    let capability = match config.target.arch {
        crate::config::Arch::Sm(capability) => capability,
        crate::config::Arch::Native => 90,
    };
    let machine = target::machine(capability).ok_or_else(|| Stop::Bug(format!("tune: sm_{capability} is unknown")))?;
    let device = Device::of(&machine);
    let name = device.name.to_owned();
    Ok((device, name))
}
