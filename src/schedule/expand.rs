//! Gives variables that iterations share without need elements of their own for each iteration: scalar and array
//! expansion (Padua and Wolfe 1986; of arrays, Feautrier 1988).
//!
//! ```text
//! for r: for q: { for p: { sum[p] = 0; for s: sum[p] += a[r][q][s] * c[s][p]; }  for p: a[r][q][p] = sum[p]; }
//! ->
//! double rt_sum[nr][nq][np], which only the device has
//! for r: for q: { for p: { rt_sum[r][q][p] = 0; ... }  for p: a[r][q][p] = rt_sum[r][q][p]; }
//! if (nr > 0 && nq > 0) for p: sum[p] = rt_sum[nr - 1][nq - 1][p];
//! ```
//! Nothing passes through `sum` from one `r`, `q` to another: only that its elements are used again kept the iterations
//! in order. It is done where it leaves less to do in sequence than the best order without it, for as few variables and
//! loops as that takes ([`webs`] says which may be, and how large they become). The new part is analysed afresh, and
//! used only if every read in it is of the write that it was of before, and if what is left in a variable that is
//! wanted afterwards is what the program leaves.

use super::parallel::Analysis;
use super::reorder::{Cost, Orders, Reordered, SCHEDULE_WORK, is_directed, reorder, wanting};
use super::scheduler::Scheduler;
use super::{Mode, Nest, Step, bands};
use crate::ast::{Storage, Unit, Var, VarId};
use crate::facts::symbolic::Poly;
use crate::isl::Set;
use crate::poly::dependence::{Dependence, Dependences, Kind, analyse_changed};
use crate::poly::names::Names;
use crate::poly::scop::{Scop, is_write, union};
use crate::poly::{Failure, MAX_OPERATIONS};
use crate::region::{StaticPart, Tree};
use crate::source::Span;
use build::Back;
use std::collections::BTreeSet;
use webs::Web;

pub mod build;
pub mod webs;

/// Work of the scheduler for an expanded part: it has more that is free, so that there is more to find.
const WORK: u64 = 6 * SCHEDULE_WORK;

/// The same where all sizes are numbers: the integers in the scheduler's program grow, and an operation takes longer.
const WORK_OF_NUMBERS: u64 = SCHEDULE_WORK;

/// The same for each choice after the first, which only expands less.
const FEWER_WORK: u64 = SCHEDULE_WORK / 8;

/// The same where all that comes of it is a remark: what would be too large to expand.
const REMARK_WORK: u64 = SCHEDULE_WORK / 20;

/// Operations that isl may spend on one choice of what to expand, but for the search for an order.
const OPERATIONS: u64 = 4_000_000;

/// Most choices that are looked at in order to expand less.
const MAX_CHOICES: usize = 16;

/// Most live ranges of a part that are expanded.
const MAX_WEBS: usize = 12;

/// What a part's surroundings say of its data.
pub struct Outside {
    /// Data whose value after the part is wanted.
    pub wanted: BTreeSet<VarId>,
    /// Scalars that no size may depend on.
    pub changing: BTreeSet<VarId>,
}

/// A part over other data, in its best order, analysed.
pub struct Expanded {
    pub part: StaticPart,
    pub scop: Scop,
    pub deps: Dependences,
    /// The order in which it is scheduled, where that is not the program's.
    pub reordered: Option<Reordered>,
    /// What that leaves in sequence.
    pub(super) gain: Gain,
    /// The kernels of that order.
    nests: Vec<Nest>,
}

impl Expanded {
    /// A changed part of `a`, with the variables of `unit`, in its best order.
    pub(super) fn ordered(
        Changed { part, scop, deps }: Changed,
        (a, unit): (&Analysis, &Unit),
        names: &mut Names,
        scheduler: &mut Scheduler,
        work: u64,
    ) -> Result<Expanded, Failure> {
        let new = Analysis { unit, part: &part, scop: &scop, deps: &deps, live_out: a.live_out };
        let reordered = match wanting(&new)? {
            Some(own) => reorder(&new, own, names, scheduler, work)?,
            None => None,
        };
        let ordered = reordered.as_ref().map(|other| other.analysis(&new));
        let ordered = ordered.as_ref().unwrap_or(&new);
        let steps = bands::bands(ordered)?;
        let (gain, mut nests) = (gain(ordered.part, &steps), vec![]);
        collect_nests(&steps, &mut nests);
        Ok(Expanded { part, scop, deps, reordered, gain, nests })
    }

    /// Test that without dimension `k` of a copy two threads of a kernel would write one element.
    fn keeps_apart(&self, web: &Web, k: usize) -> bool {
        let part = self.reordered.as_ref().map_or(&self.part, |other| &other.part);
        self.nests.iter().any(|nest| {
            let counters: Vec<VarId> = nest.axes.iter().flatten().map(|l| part.get_loop(*l).var).collect();
            let writes = nest.stmts().into_iter().flat_map(|s| &part.stmt(s).accesses);
            let mut writes = writes.filter(|x| x.data == web.copy && is_write(x)).filter_map(|x| x.index.as_ref());
            writes.any(|index| {
                let others = || index.iter().enumerate().filter(|(i, _)| *i != k).map(|(_, p)| p);
                counters.iter().any(|v| index[k].uses(*v) && !others().any(|p| p.uses(*v)))
            })
        })
    }
}

/// A part over other data, in the program's order, analysed.
pub(super) struct Changed {
    pub part: StaticPart,
    pub scop: Scop,
    pub deps: Dependences,
}

/// What became of a part.
#[derive(Default)]
pub struct Outcome {
    /// The part expanded, and the program with the variables that it takes.
    pub expanded: Option<(Expanded, Unit)>,
    pub said: Vec<Expansion>,
}

/// What became of a variable.
#[derive(Debug, Clone)]
pub struct Expansion {
    pub data: VarId,
    /// What takes its place, if it does: else it would be too large.
    pub copy: Option<VarId>,
    pub how: How,
    pub extents: Vec<Poly>,
    /// Where it is first used so.
    pub span: Span,
}

/// What another variable stands for.
#[derive(Debug, Clone)]
pub enum How {
    /// The variable's elements, each iteration of the loops with these counters with its own; whether the last value is
    /// brought back.
    Apart { counters: Vec<VarId>, is_wanted: bool },
    /// What was there before a loop ([`node_splitting`](super::node_splitting)).
    Before,
}

/// What is left in sequence, the less the better: the [`Cost`], and the loops in sequence around all statements.
pub type Gain = (Cost, usize);

/// The part with variables expanded, if that leaves less in sequence than its `orders`, and what is said of it.
///
/// # Errors
/// A fault of isl's; the limit on its work only means that nothing is expanded.
pub fn expand(
    a: &Analysis,
    orders: Orders,
    outside: &Outside,
    names: &mut Names,
    scheduler: &mut Scheduler,
) -> Result<Outcome, Failure> {
    let now = orders.current.map(|new| new.analysis(a));
    let now = now.as_ref().unwrap_or(a);
    let steps = bands::bands(now)?;
    let left = match orders.of_bodies {
        Some(new) => gain(&new.part, &bands::bands(&new.analysis(a))?),
        None => gain(now.part, &steps),
    };
    if left == Gain::default() || is_directed(a) {
        return Ok(Outcome::default());
    }
    let found = in_the_way(now, &steps, webs::webs(a, &outside.changing)?).and_then(|webs| {
        if webs.is_empty() || webs.len() > MAX_WEBS {
            return Ok(Outcome::default());
        }
        Expander { a, outside, names, scheduler, unit: a.unit.clone(), n_choices: 0 }.expand(webs, left)
    });
    a.scop.ctx.set_limit(MAX_OPERATIONS);
    match found {
        Err(Failure::TooHard) => Ok(Outcome::default()),
        found => found,
    }
}

/// The live ranges without those of variables that every thread of a parallel kernel has for itself as it is.
fn in_the_way(now: &Analysis, steps: &[Step], mut webs: Vec<Web>) -> Result<Vec<Web>, Failure> {
    let mut in_place = BTreeSet::new();
    let mut elsewhere = BTreeSet::new();
    let mut nests = vec![];
    collect_nests(steps, &mut nests);
    for nest in nests {
        let own = match nest.mode {
            Mode::Parallel => now.private_to_nest(&nest)?,
            _ => BTreeSet::new(),
        };
        let touched = nest.stmts().into_iter().flat_map(|s| &now.part.stmt(s).accesses).map(|x| x.data);
        elsewhere.extend(touched.filter(|v| !own.contains(v)));
        in_place.extend(own);
    }
    webs.retain(|w| !in_place.contains(&w.data) || elsewhere.contains(&w.data));
    Ok(webs)
}

/// What the steps of a part leave in sequence.
pub fn gain(part: &StaticPart, steps: &[Step]) -> Gain {
    (Cost::of(part, steps), in_sequence(steps, 0))
}

/// The loops in sequence around statements, counted for each statement.
fn in_sequence(steps: &[Step], around: usize) -> usize {
    let all = steps.iter().map(|step| match step {
        Step::Loop { body, .. } => in_sequence(body, around + 1),
        Step::If { body, .. } => in_sequence(body, around),
        Step::Nest(Nest { body, axes, mode: Mode::Parallel }) if axes.len() == 1 => shared(body, around),
        Step::Nest(Nest { body, .. }) => below(body, around),
    });
    all.sum()
}

/// Of a band of one axis, the outermost loop inside is shared out over the threads of a block ([`lanes`](super::lanes)).
fn shared(trees: &[Tree], around: usize) -> usize {
    let all = trees.iter().map(|t| match t {
        Tree::Stmt(_) => around,
        Tree::If { body, .. } => shared(body, around),
        Tree::Loop(_, body) => below(body, around),
    });
    all.sum()
}

fn below(trees: &[Tree], around: usize) -> usize {
    let all = trees.iter().map(|t| match t {
        Tree::Stmt(_) => around,
        Tree::If { body, .. } => below(body, around),
        Tree::Loop(_, body) => below(body, around + 1),
    });
    all.sum()
}

fn collect_nests(steps: &[Step], out: &mut Vec<Nest>) {
    for step in steps {
        match step {
            Step::Nest(nest) => out.push(nest.clone()),
            Step::Loop { body, .. } | Step::If { body, .. } => collect_nests(body, out),
        }
    }
}

/// A live range with what brings its last value back, if it is wanted.
type Choice = (Web, Option<Back>);

struct Expander<'a, 'b> {
    a: &'a Analysis<'a>,
    outside: &'a Outside,
    names: &'b mut Names,
    scheduler: &'b mut Scheduler,
    unit: Unit,
    n_choices: usize,
}

impl Expander<'_, '_> {
    fn expand(mut self, mut webs: Vec<Web>, now: Gain) -> Result<Outcome, Failure> {
        for web in &mut webs {
            self.name(web);
        }
        let may: Vec<Web> = webs.iter().filter(|w| !w.loops.is_empty()).cloned().collect();
        let mut choices = self.with_backs(may)?;
        let mut best = self.attempt(&choices)?.filter(|new| new.gain < now);
        if let Some(new) = best.take() {
            best = Some(self.fewest(&mut choices, new)?);
        }
        let reached = best.as_ref().map_or(now, |new| new.gain);
        for (web, _) in &choices {
            self.unit.vars[web.copy.0 as usize].ty = web.copy_type(&self.unit);
        }
        let mut said: Vec<Expansion> = match &best {
            Some(_) => choices.iter().map(|c| self.said(c)).collect(),
            None => vec![],
        };
        said.extend(self.too_large(&webs, reached)?);
        Ok(Outcome { expanded: best.map(|new| (new, self.unit)), said })
    }

    /// A variable of the program's to take the place of a live range.
    fn name(&mut self, web: &mut Web) {
        let var = self.unit.var(web.data);
        let copy = Var {
            name: self.unit.free_name(&format!("rt_{}", var.name)),
            ty: web.copy_type(&self.unit),
            storage: Storage::Local,
            value: None,
            ..var.clone()
        };
        web.copy = self.unit.add(copy);
    }

    /// The live ranges with what brings their last values back. Without those of variables of which it could not be
    /// told what they leave.
    fn with_backs(&self, webs: Vec<Web>) -> Result<Vec<Choice>, Failure> {
        let mut out: Vec<Choice> = vec![];
        let mut rest = webs.as_slice();
        while let Some(first) = rest.first() {
            let n = rest.iter().take_while(|w| w.data == first.data).count();
            let (own, others) = rest.split_at(n);
            rest = others;
            if !self.outside.wanted.contains(&first.data) {
                out.extend(own.iter().map(|w| (w.clone(), None)));
                continue;
            }
            for backs in self.backs(own) {
                let choices: Vec<Choice> = own.iter().cloned().zip(backs).collect();
                if self.is_right(&choices, &self.analysed(&choices)?)? {
                    out.extend(choices);
                    break;
                }
            }
        }
        Ok(out)
    }

    /// What could bring back the last value of a variable, by its live ranges: rather one of them, and rather the last
    /// one; else each where the ones behind it have no iterations.
    fn backs(&self, webs: &[Web]) -> Vec<Vec<Option<Back>>> {
        let of = |web: &Web| {
            let mut writers = web.stmts.clone();
            writers.sort_by_key(|s| self.a.part.stmt(*s).loops.len());
            writers.iter().filter_map(|s| build::back(self.a, &self.unit, web, *s)).collect::<Vec<_>>()
        };
        let found: Vec<Vec<Back>> = webs.iter().map(of).collect();
        let alone = |i: usize, back: &Back| (0..webs.len()).map(|k| (k == i).then(|| back.clone())).collect();
        let of_one = found.iter().enumerate().rev().flat_map(|(i, backs)| backs.iter().map(move |back| alone(i, back)));
        let mut out: Vec<_> = of_one.collect();
        if let Some(last) = found.iter().map(|backs| backs.first().cloned()).collect::<Option<Vec<_>>>()
            && let Some(all) = build::in_turns(last)
        {
            out.push(all.into_iter().map(Some).collect());
        }
        out
    }

    /// The part with these live ranges expanded, in its best order.
    fn attempt(&mut self, choices: &[Choice]) -> Result<Option<Expanded>, Failure> {
        if choices.is_empty() {
            return Ok(None);
        }
        let found = self.in_best_order(choices);
        match found {
            Err(Failure::TooHard) => Ok(None),
            found => found,
        }
    }

    fn in_best_order(&mut self, choices: &[Choice]) -> Result<Option<Expanded>, Failure> {
        self.n_choices += 1;
        self.a.scop.ctx.set_limit(OPERATIONS);
        let new = self.analysed(choices)?;
        if !self.is_right(choices, &new)? {
            return Ok(None);
        }
        let first = if self.a.part.params.list.is_empty() { WORK_OF_NUMBERS } else { WORK };
        self.ordered(new, if self.n_choices == 1 { first } else { FEWER_WORK }).map(Some)
    }

    /// The part with these live ranges expanded, in the program's order.
    fn analysed(&self, choices: &[Choice]) -> Result<Changed, Failure> {
        let webs: Vec<&Web> = choices.iter().map(|(web, _)| web).collect();
        let backs: Vec<&Back> = choices.iter().filter_map(|(_, back)| back.as_ref()).collect();
        let part = build::expanded(self.a, &self.unit, &webs, &backs);
        let scop = self.a.scop.under_other_loops(&part, self.a.scop.spelling.clone())?;
        let is_concerned = |v| webs.iter().any(|w| w.data == v || w.copy == v);
        let deps = analyse_changed(&part, &scop, self.a.deps, is_concerned)?;
        Ok(Changed { part, scop, deps })
    }

    fn ordered(&mut self, new: Changed, work: u64) -> Result<Expanded, Failure> {
        Expanded::ordered(new, (self.a, &self.unit), self.names, self.scheduler, work)
    }

    /// Test that every read of the new part is of the write that it was of, and that it leaves what the program leaves.
    fn is_right(&self, choices: &[Choice], new: &Changed) -> Result<bool, Failure> {
        let a = self.a;
        let backs: Vec<&Back> = choices.iter().filter_map(|(_, back)| back.as_ref()).collect();
        let with_reads = match backs.is_empty() {
            true => None,
            false => {
                let part = build::wanted(a, &backs);
                let scop = a.scop.under_other_loops(&part, a.scop.spelling.clone())?;
                Some(analyse_changed(&part, &scop, a.deps, |v| backs.iter().any(|back| back.data == v))?)
            }
        };
        let before = with_reads.as_ref().unwrap_or(a.deps);
        for v in a.part.data.keys().filter(|v| choices.iter().any(|(web, _)| web.data == **v)) {
            let own = || choices.iter().map(|(web, _)| web).filter(|web| web.data == *v);
            let copies: Vec<VarId> = own().map(|web| web.copy).collect();
            let flow = |deps: &Dependences, of: &[VarId]| {
                let is_of = |d: &&Dependence| d.kind == Kind::Flow && of.contains(&d.data);
                union(&a.scop.ctx, deps.list.iter().filter(is_of).map(|d| &d.map))
            };
            let all: Vec<VarId> = [&[*v], copies.as_slice()].concat();
            let same_reads = flow(before, &[*v])?.is_equal(&flow(&new.deps, &all)?)?;
            let same_entry = before.live[v].read_first()?.is_equal(new.deps.live[v].read_first()?)?;
            if !same_reads || !same_entry {
                return Ok(false);
            }
            for copy in &copies {
                if !new.deps.live[copy].read_first()?.is_empty()? {
                    return Ok(false);
                }
            }
            if self.outside.wanted.contains(v) && !self.restores(own(), new, *v)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Test that the new part brings back every element of `v` that the live ranges write.
    fn restores<'w>(&self, webs: impl Iterator<Item = &'w Web>, new: &Changed, v: VarId) -> Result<bool, Failure> {
        let none = Set::empty(&new.deps.live[&v].must_write()?.space()?)?;
        let writes = |part: &StaticPart, scop: &Scop, s: usize, mut all: Set| {
            let of = part.stmts[s].accesses.iter().zip(&scop.accesses[s]);
            for (_, map) in of.filter(|(x, _)| x.data == v && is_write(x)) {
                all = all.union(&map.range()?.reset_tuple_name()?)?;
            }
            Ok::<_, Failure>(all)
        };
        let (mut lost, mut restored) = (none.clone(), none);
        for s in webs.flat_map(|w| &w.stmts) {
            lost = writes(self.a.part, self.a.scop, s.0, lost)?;
        }
        for s in self.a.part.stmts.len()..new.part.stmts.len() {
            restored = writes(&new.part, &new.scop, s, restored)?;
        }
        Ok(lost.is_subset(&restored)?)
    }

    /// Leaves out live ranges, and dimensions of them, as long as nothing is lost by it.
    fn fewest(&mut self, choices: &mut Vec<Choice>, mut best: Expanded) -> Result<Expanded, Failure> {
        for i in (0..choices.len()).rev() {
            let web = &choices[i].0;
            let is_used = (0..web.loops.len()).any(|k| best.keeps_apart(web, k));
            let mut fewer = choices.clone();
            fewer.remove(i);
            if !is_used && let Some(new) = self.as_good(&fewer, &best)? {
                (*choices, best) = (fewer, new);
            }
        }
        for i in 0..choices.len() {
            let mut k = 0;
            while choices[i].0.loops.len() > 1 && k < choices[i].0.loops.len() {
                if best.keeps_apart(&choices[i].0, k) {
                    k += 1;
                    continue;
                }
                let mut fewer = choices.clone();
                fewer[i].0.loops.remove(k);
                fewer[i].1 = None;
                let with_back = match &choices[i].1 {
                    Some(back) => self.with_back_as(back, &fewer, i),
                    None => vec![fewer],
                };
                let mut found = None;
                for fewer in with_back {
                    found = found.or(self.as_good(&fewer, &best)?.map(|new| (fewer, new)));
                }
                match found {
                    Some((fewer, new)) => (*choices, best) = (fewer, new),
                    None => k += 1,
                }
            }
        }
        Ok(best)
    }

    /// The choices with what could bring the value of number `i` back where another did before.
    fn with_back_as(&self, before: &Back, choices: &[Choice], i: usize) -> Vec<Vec<Choice>> {
        let backs = self.backs(std::slice::from_ref(&choices[i].0));
        let with = |back: Back| {
            let mut choices = choices.to_vec();
            choices[i].1 = Some(back.where_is(before));
            choices
        };
        backs.into_iter().flatten().flatten().map(with).collect()
    }

    fn as_good(&mut self, fewer: &[Choice], best: &Expanded) -> Result<Option<Expanded>, Failure> {
        if self.n_choices >= MAX_CHOICES {
            return Ok(None);
        }
        Ok(self.attempt(fewer)?.filter(|new| new.gain <= best.gain))
    }

    /// What would set more free than `reached` if it might be of any size.
    fn too_large(&mut self, webs: &[Web], reached: Gain) -> Result<Vec<Expansion>, Failure> {
        let is_large = |w: &&Web| w.loops.len() < w.wished.len();
        if !webs.iter().any(|w| is_large(&w)) {
            return Ok(vec![]);
        }
        let wished: Vec<Choice> = webs.iter().map(|w| (Web { loops: w.wished.clone(), ..w.clone() }, None)).collect();
        let new = self.analysed(&wished)?;
        let sets_free = self.ordered(new, REMARK_WORK)?.gain < reached;
        let large = webs.iter().filter(is_large).map(|w| Web { loops: w.wished.clone(), ..w.clone() });
        let said = large.map(|w| Expansion { copy: None, ..self.said(&(w, None)) });
        Ok(if sets_free { said.collect() } else { vec![] })
    }

    fn said(&self, (web, back): &Choice) -> Expansion {
        Expansion {
            data: web.data,
            copy: Some(web.copy),
            how: How::Apart {
                counters: web.loops.iter().map(|(l, _)| self.a.part.get_loop(*l).var).collect(),
                is_wanted: back.is_some(),
            },
            extents: web.extents(),
            span: self.a.part.stmt(web.stmts[0]).body.span,
        }
    }
}
