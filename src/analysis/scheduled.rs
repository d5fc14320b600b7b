//! The schedule of a region: for each static part the steps of the host, and each nest with its mapping. Pass `schedule`
//! leaves it, pass `kernel` lowers it.

use super::analysed::{Analysed, Placed};
use super::no_plan::NoPlan;
use super::settings::Settings;
use crate::ast::Unit;
use crate::config::{Optimization, Schedule, Size, Sync};
use crate::diag::Stop;
use crate::facts::{Reason, remedy};
use crate::library::apart::apart;
use crate::library::recognise::hides_product;
use crate::poly::Failure;
use crate::poly::names::Names;
use crate::region::LoopId;
use crate::schedule::bands::{bands, split};
use crate::schedule::block::Block;
use crate::schedule::fuse::fuse;
use crate::schedule::lower::Used;
use crate::schedule::map::Mapper;
use crate::schedule::mapping::Fetch;
use crate::schedule::parallel::Analysis;
use crate::schedule::register_promotion::promotable;
use crate::schedule::request::{Points, Request};
use crate::schedule::verify::findings;
use crate::schedule::{Mapped, Mode, Nest, Step, strategies};
use crate::source::Span;
use crate::source::directive::DirectiveKind;
use std::collections::BTreeSet;

/// The steps of each static part, in the order of [`Analysed::statics`].
pub type Scheduled = Vec<Vec<Step<Mapped>>>;

/// Schedules the parts of a region and maps their nests. `line` gives the C line of a place.
///
/// # Errors
/// The limit on isl's work.
pub fn schedule_region(
    unit: &Unit,
    region: &mut Analysed,
    settings: Settings,
    line: &dyn Fn(Span) -> u32,
) -> Result<Scheduled, NoPlan> {
    let mut names = std::mem::take(&mut region.names);
    let mut out = vec![];
    for Placed { part, is_repeated, .. } in region.placed() {
        let live_out = region.live_out(part);
        let a = part.as_scheduled(unit, &live_out);
        let mut map = Map { unit, names: &mut names, settings, line, is_repeated };
        out.push(map.steps(&a, schedule(&a, settings)?, &mut vec![])?);
    }
    region.names = names;
    Ok(out)
}

/// Holds the mapping of each nest to its nest.
///
/// # Errors
/// [`Stop::Bug`] with what the pass of that name left wrong.
pub fn verify(pass: &str, unit: &Unit, region: &Analysed, scheduled: &Scheduled) -> Result<(), Stop> {
    for (s, steps) in region.statics().into_iter().zip(scheduled) {
        let live_out = region.live_out(s);
        verify_steps(pass, &s.as_scheduled(unit, &live_out), steps, &mut vec![])?;
    }
    Ok(())
}

/// Faults of a nest's mapping, and of that of its phase.
fn findings_of_both(a: &Analysis, mapped: &Mapped, host: &[LoopId]) -> Result<Vec<String>, Failure> {
    let mut found = findings(a, mapped, host)?;
    if let Some(phase) = mapped.as_phase() {
        found.extend(findings(a, &phase, host)?);
    }
    Ok(found)
}

fn verify_steps(pass: &str, a: &Analysis, steps: &[Step<Mapped>], host: &mut Vec<LoopId>) -> Result<(), Stop> {
    for step in steps {
        match step {
            // What is too hard to prove again was proved once.
            Step::Nest(mapped) => match findings_of_both(a, mapped, host) {
                Ok(found) if found.is_empty() => {}
                Ok(found) => {
                    let found = found.join("; ");
                    return Err(Stop::Bug(format!("{pass}: {found}, in\n{}", mapped.mapping)));
                }
                Err(Failure::Bug(stop)) => return Err(stop),
                Err(_) => {}
            },
            Step::Loop { id, body } => {
                host.push(*id);
                verify_steps(pass, a, body, host)?;
                host.pop();
            }
            Step::If { body, .. } => verify_steps(pass, a, body, host)?,
        }
    }
    Ok(())
}

/// The steps of a part, as far as the settings allow.
fn schedule(a: &Analysis, settings: Settings) -> Result<Vec<Step>, Failure> {
    let mut steps = bands(a)?;
    if !settings.allows(Optimization::Collapse) {
        steps = split(steps);
    }
    let fuses = settings.allows(Optimization::Fuse) && settings.defaults.schedule != Schedule::MinFusion;
    let is_loss = |pair: [&Nest; 2], joined: &Nest| hides_product(a, pair, joined, settings.defaults.library);
    if fuses { fuse(a, steps, &is_loss) } else { Ok(steps) }
}

struct Map<'a> {
    unit: &'a Unit,
    names: &'a mut Names,
    settings: Settings<'a>,
    line: &'a dyn Fn(Span) -> u32,
    /// Flag: a loop of the host whose end only the data know is around the part.
    is_repeated: bool,
}

impl Map<'_> {
    fn steps(&mut self, a: &Analysis, steps: Vec<Step>, host: &mut Vec<LoopId>) -> Result<Vec<Step<Mapped>>, NoPlan> {
        let mut out = vec![];
        for step in steps {
            match step {
                Step::Nest(nest) => {
                    for nest in apart(a, &nest, host, self.settings.defaults.library)? {
                        out.push(Step::Nest(self.nest(a, nest, host)?));
                    }
                }
                Step::Loop { id, body } => {
                    host.push(id);
                    let body = self.steps(a, body, host)?;
                    host.pop();
                    out.push(Step::Loop { id, body });
                }
                Step::If { cond, expr, negated, body } => {
                    out.push(Step::If { cond, expr, negated, body: self.steps(a, body, host)? });
                }
            }
        }
        Ok(out)
    }

    fn nest(&mut self, a: &Analysis, nest: Nest, host: &[LoopId]) -> Result<Mapped, NoPlan> {
        let sync = self.settings.defaults.sync;
        let (request, asked_at) = request(a, &nest, host, self.settings);
        let private = a.private_to_nest(&nest)?;
        let holds = self.settings.allows(Optimization::RedundantLoads);
        let promoted = if holds { promotable(a, &nest, &private)? } else { BTreeSet::new() };
        // Whoever asks for one kernel of all steps has the mappings of its phases alone.
        let is_repeated = !host.is_empty() || self.is_repeated;
        let is_resident = !matches!(sync, Sync::Auto | Sync::Graph | Sync::Relaunch);
        let said = surplus(&nest, &request.block, asked_at);
        let mut mapper = Mapper {
            unit: self.unit,
            names: self.names,
            line: self.line,
            host: host.to_vec(),
            is_phase: is_repeated && is_resident,
            copies_ahead: !(is_repeated && is_resident),
            multiplies_matrices: self.settings.multiplies_matrices(),
            private: private.clone(),
            promoted: promoted.clone(),
            tiles: self.settings.tiles(),
            request,
            used: Used::default(),
        };
        let mut others = strategies::proposals(&mut mapper, a, &nest)?;
        let mapping = others.remove(0);
        let phase = if is_repeated && sync == Sync::Auto {
            mapper.is_phase = true;
            Some(strategies::first(&mut mapper, a, &nest)?).filter(|phase| *phase != mapping)
        } else {
            None
        };
        let mut said: Vec<Reason> = said.into_iter().collect();
        let at = place(a, &nest, host);
        match (mapper.request.unmet(&mapping, (at, (self.line)(at))), mapper.request.points_at) {
            (Some(reason), Some(_)) => return Err(NoPlan::Refused(reason)),
            (unmet, _) => said.extend(unmet),
        }
        Ok(Mapped { nest, mapping, phase, others, private, promoted, said })
    }
}

/// Where a nest stands: its first loop below those of the host, or its first statement.
fn place(a: &Analysis, nest: &Nest, host: &[LoopId]) -> Span {
    let Some(first) = nest.stmts().first().map(|s| a.part.stmt(*s)) else { return Span::default() };
    first.loops.iter().find(|l| !host.contains(l)).map_or(first.body.span, |l| a.part.get_loop(*l).span)
}

/// Request of a directive on a loop of the nest, or around it, the nearest first; or of the configuration.
fn request(a: &Analysis, nest: &Nest, host: &[LoopId], settings: Settings) -> (Request, Span) {
    let of_stmts = nest.stmts().into_iter().flat_map(|s| a.part.stmt(s).loops.iter().copied().enumerate());
    // The nearest speaks last.
    let loops: BTreeSet<(usize, LoopId)> = of_stmts.collect();
    let sizes = settings.sizes;
    let mut request = Request {
        block: sizes.block.map_or(Block::Usual, Block::Threads),
        merge: sizes.merge.map_or(Points::Usual, of_size),
        skew: sizes.skew.map_or(Points::Usual, of_size),
        fetch: sizes.prefetch.and_then(least).map(of_stages),
        points_at: None,
    };
    let mut asked_at = Span::default();
    for (_, l) in loops {
        let is_inner = !host.contains(&l) && !nest.axes.is_empty() && !nest.axes.iter().flatten().any(|x| *x == l);
        for d in &a.part.get_loop(l).directives {
            let DirectiveKind::Mapping { merge, skew, block, prefetch } = &d.kind else { continue };
            if !block.is_empty() {
                request.block = Block::Extents(block.iter().map(|n| i64::from(*n)).collect());
                asked_at = d.span;
            }
            for (said, to) in [(merge, &mut request.merge), (skew, &mut request.skew)] {
                if !said.is_empty() {
                    *to = of_words(said, is_inner.then(|| counter(a, l)), &|name| first_of_axis(a, nest, name));
                    request.points_at = Some(d.span);
                }
            }
            if let Some(stages) = prefetch {
                request.fetch = Some(of_stages(*stages));
                if *stages > 1 {
                    request.points_at = Some(d.span);
                }
            }
        }
    }
    (request, asked_at)
}

fn counter(a: &Analysis, l: LoopId) -> String {
    a.unit.var(a.part.get_loop(l).var).name.clone()
}

/// The name of the axis that a counter is joined to.
fn first_of_axis(a: &Analysis, nest: &Nest, name: &str) -> String {
    let is_first = nest.axes.iter().any(|x| counter(a, x[0]) == name);
    let joined = nest.axes.iter().find(|x| x.iter().any(|l| counter(a, *l) == name)).filter(|_| !is_first);
    joined.map_or(name.to_string(), |x| counter(a, x[0]))
}

/// `merge = 4` of the configuration; of a range, which is the tuner's, the figure that is nearest to one point, and where
/// that is one, what is usual.
fn of_size(size: Size) -> Points {
    least(size).map_or(Points::Usual, |n| Points::Some(i64::from(n)))
}

fn least(size: Size) -> Option<u32> {
    match size {
        Size::Range(1, _) => None,
        Size::Fixed(n) | Size::Range(n, _) => Some(n),
    }
}

/// `prefetch(3)`; of one piece nothing is fetched ahead.
fn of_stages(n: u32) -> Fetch {
    if n > 1 { Fetch::Async(i64::from(n)) } else { Fetch::None }
}

/// `merge(4)`, `merge(i: 8, j: 4)`; before a loop of the thread, one figure is for that loop.
fn of_words(words: &[(Option<String>, u32)], inner: Option<String>, axis_of: &dyn Fn(&str) -> String) -> Points {
    match (words, inner) {
        ([(None, n)], None) => Points::Some(i64::from(*n)),
        ([(None, n)], Some(inner)) => Points::Along(vec![(inner, i64::from(*n))]),
        (all, _) => {
            Points::Along(all.iter().filter_map(|(name, n)| Some((axis_of(name.as_ref()?), i64::from(*n)))).collect())
        }
    }
}

/// Warning of a block that has more extents than its kernel has dimensions.
fn surplus(nest: &Nest, block: &Block, asked_at: Span) -> Option<Reason> {
    let Block::Extents(given) = block else { return None };
    (nest.mode == Mode::Parallel && given.len() > nest.axes.len()).then(|| {
        let message = format!("this block has {} extents, a kernel that it is for {}", given.len(), nest.axes.len());
        let help = remedy!("the extents are those in x, y and z; surplus ones are not used");
        Reason::new("block", message, asked_at).help(help)
    })
}
