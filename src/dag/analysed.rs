//! A region's parts with their polyhedral analysis.
//!
//! What a region leaves in a number is kept where a path leads from it to a read. Where some calls are proved and some
//! are left to the original loops, what these read of earlier calls is kept, too.

use super::coincide;
use super::operators::Known;
use crate::ast::visit::Piece;
use crate::ast::{Expr, ExprKind, Stmt, StmtKind, Storage, Unit, VarId};
use crate::isl::{Ctx, Dim};
use crate::poly::dependence::{Dependences, analyse};
use crate::poly::names::Names;
use crate::poly::scop::{self, Scop};
use crate::poly::{Failure, MAX_OPERATIONS};
use crate::region::StaticPart;
use crate::region::candidates::Candidate;
use crate::region::liveness::Live;
use crate::region::parts::Part;
use crate::region::prints::Print;
use crate::region::{accesses, effects, scratch};
use crate::schedule::bodies::reorder_bodies;
use crate::schedule::expand::{Expanded, Expansion, Outcome, Outside};
use crate::schedule::parallel::Analysis;
use crate::schedule::reorder::{Orders, Reordered, SCHEDULE_WORK, reorder, wanting};
use crate::schedule::scheduler::Scheduler;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// A static control part and all that is known of it.
pub struct Static {
    pub part: StaticPart,
    pub scop: Scop,
    pub deps: Dependences,
    /// The order in which it is scheduled, where that is not the program's.
    pub reordered: Option<Reordered>,
    /// An order of whole bodies, for where nothing better is found.
    pub of_bodies: Option<Reordered>,
    /// What became of variables that its iterations share without need.
    pub expansions: Vec<Expansion>,
    /// What it is to a library, as a whole.
    pub known: Known,
}

impl Static {
    /// A part as it is written.
    pub fn new(part: StaticPart, scop: Scop, deps: Dependences) -> Static {
        let known = Known::default();
        Static { part, scop, deps, reordered: None, of_bodies: None, expansions: vec![], known }
    }

    /// What is known of the part in the program's order; `live_out`: data whose value after it is wanted.
    pub fn as_written<'a>(&'a self, unit: &'a Unit, live_out: &'a BTreeSet<VarId>) -> Analysis<'a> {
        Analysis { unit, part: &self.part, scop: &self.scop, deps: &self.deps, live_out }
    }

    /// What is known of the part in the order in which it is scheduled.
    pub fn as_scheduled<'a>(&'a self, unit: &'a Unit, live_out: &'a BTreeSet<VarId>) -> Analysis<'a> {
        match &self.reordered {
            Some(new) => Analysis { unit, part: &new.part, scop: &new.scop, deps: &new.deps, live_out },
            None => self.as_written(unit, live_out),
        }
    }

    /// The orders that were found for it.
    fn orders(&self) -> Orders<'_> {
        Orders { current: self.reordered.as_ref(), of_bodies: self.of_bodies.as_ref() }
    }

    /// Whether it may be proved for one call of a function's region and not for the next: what the sizes must be speaks of
    /// a parameter that varies.
    fn is_proved_at_times(&self, varying: &BTreeSet<VarId>) -> Result<bool, Failure> {
        let proved = self.scop.context.gist(&self.scop.declared)?;
        for (param, name) in self.part.params.list.iter().zip(&self.scop.spelling.params) {
            let mut may_change = false;
            param.expr.walk(&mut |e| {
                may_change |= effects::reads_memory(e) || matches!(e.kind, ExprKind::Var(v) if varying.contains(&v));
            });
            if let Some(at) = proved.find_dim(Dim::Param, name)?
                && may_change
                && proved.involves_dims(Dim::Param, at, 1)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The names of its parameters that the host computes in the region.
    pub fn changing(&self, region: &Analysed) -> Vec<&str> {
        let named = self.part.params.list.iter().zip(&self.scop.spelling.params);
        let changes = |e: &Expr| {
            let mut read = BTreeSet::new();
            variables(e, &mut read);
            read.iter().any(|v| region.host_scalars.contains(v))
        };
        named.filter(|(param, _)| changes(&param.expr)).map(|(_, name)| name.as_str()).collect()
    }
}

/// A piece of a region.
pub enum Node {
    Static(Box<Static>),
    Compute(Stmt),
    Loop {
        cond: Option<Expr>,
        step: Option<Expr>,
        check_first: bool,
        body: Vec<Node>,
    },
    If {
        cond: Expr,
        then: Vec<Node>,
        other: Vec<Node>,
    },
    Break,
    /// The original runs instead.
    GiveUp,
    /// A call of the host that prints, and what is known of what it reads.
    Print {
        print: Print,
        reads: Box<Static>,
    },
}

/// A region, analysed.
pub struct Analysed {
    pub ctx: Ctx,
    pub nodes: Vec<Node>,
    pub names: Names,
    pub device_scalars: BTreeSet<VarId>,
    pub host_scalars: BTreeSet<VarId>,
    /// Variables whose value may be read after the region, by its original loops, too.
    pub wanted: BTreeSet<VarId>,
    /// Pointers to memory that nobody looks at after the region.
    pub scratch: BTreeSet<VarId>,
    /// Variables declared inside the region.
    pub declared: BTreeSet<VarId>,
    /// What counts the turns of buffers that the region exchanges.
    pub turn: Option<VarId>,
    /// An array that is read and one that is written, which may be the same.
    pub coinciding: Vec<(VarId, VarId)>,
}

/// Analyses a candidate.
///
/// # Errors
/// The limit on isl's work.
pub fn analyse_region(unit: &Unit, candidate: &Candidate) -> Result<Analysed, Failure> {
    let ctx = Ctx::with_limit(MAX_OPERATIONS);
    let mut names = Names::default();
    let nodes = nodes(&ctx, unit, &candidate.parts.list, &mut names, candidate.is_entered())?;
    let mut region = Analysed {
        ctx,
        nodes,
        names,
        device_scalars: candidate.parts.device_scalars.clone(),
        host_scalars: candidate.parts.host_scalars.clone(),
        wanted: effects::wanted_outside(unit, candidate.function, candidate.span()),
        scratch: scratch::scratch(unit, candidate.function, candidate.span()),
        declared: effects::declared(candidate.plain.iter().map(|s| &**s)),
        turn: candidate.exchange.map(|x| x.turn),
        coinciding: vec![],
    };
    region.wanted.extend(region.left_to_original(unit, candidate)?);
    region.coinciding = coincide::pairs(unit, candidate, &region)?;
    Ok(region)
}

/// Gives every part of a region another order where its own leaves too much in sequence.
///
/// # Errors
/// A fault of isl's.
pub fn reorder_parts(unit: &Unit, region: &mut Analysed, scheduler: &mut Scheduler) -> Result<(), Failure> {
    let search = |a: &Analysis, names: &mut Names| {
        let Some(own) = wanting(a)? else { return Ok((None, None)) };
        let order = reorder(a, own, names, scheduler, SCHEDULE_WORK)?;
        let of_bodies = if order.is_none() { reorder_bodies(a, own, names, scheduler)? } else { None };
        Ok((order, of_bodies))
    };
    let found = for_each_part(unit, region, &|s| !s.known.is_certain, search)?;
    let mut found = found.into_iter();
    statics_mut(&mut region.nodes, &mut |s| (s.reordered, s.of_bodies) = found.next().flatten().unwrap_or_default());
    Ok(())
}

/// Gives every part that is still in its own order one of whole bodies, where there is one that leaves less in sequence.
///
/// # Errors
/// A fault of isl's.
pub fn reorder_bodies_of_parts(unit: &Unit, region: &mut Analysed, scheduler: &mut Scheduler) -> Result<(), Failure> {
    statics_mut(&mut region.nodes, &mut |s| s.reordered = s.reordered.take().or(s.of_bodies.take()));
    let search = |a: &Analysis, names: &mut Names| match wanting(a)? {
        Some(own) => reorder_bodies(a, own, names, scheduler),
        None => Ok(None),
    };
    // Of one over its own data, all is known.
    let is_new = |s: &Static| s.reordered.is_none() && !s.expansions.is_empty();
    let mut found = for_each_part(unit, region, &is_new, search)?.into_iter();
    statics_mut(&mut region.nodes, &mut |s| s.reordered = s.reordered.take().or(found.next().flatten().flatten()));
    Ok(())
}

/// What `search` finds in the parts that `is_searched` names, in order.
fn for_each_part<T>(
    unit: &Unit,
    region: &mut Analysed,
    is_searched: &dyn Fn(&Static) -> bool,
    mut search: impl FnMut(&Analysis, &mut Names) -> Result<T, Failure>,
) -> Result<Vec<Option<T>>, Failure> {
    let mut names = std::mem::take(&mut region.names);
    let statics = region.statics().into_iter();
    let found = statics.map(|s| match is_searched(s) {
        true => search(&s.as_written(unit, &region.live_out(s)), &mut names).map(Some),
        false => Ok(None),
    });
    let found = found.collect();
    region.names = names;
    found
}

/// What changes a part's data so that less of it is left in sequence: [`split`](crate::schedule::split::split) or
/// [`expand`](crate::schedule::expand::expand).
pub type Change = fn(&Analysis, Orders, &Outside, &mut Names, &mut Scheduler) -> Result<Outcome, Failure>;

/// Changes the data of every part of a region that keep its iterations in order without need. The program that comes back
/// has the variables that take their places.
///
/// # Errors
/// A fault of isl's.
pub fn change_parts<'a>(
    unit: &'a Unit,
    region: &mut Analysed,
    scheduler: &mut Scheduler,
    change: Change,
) -> Result<Cow<'a, Unit>, Failure> {
    let mut names = std::mem::take(&mut region.names);
    let mut unit = Cow::Borrowed(unit);
    let mut outcomes = vec![];
    for s in region.statics() {
        if s.known.is_certain {
            outcomes.push((None, vec![]));
            continue;
        }
        let live_out = region.live_out(s);
        let outside = region.outside(&unit, s);
        let found = change(&s.as_written(&unit, &live_out), s.orders(), &outside, &mut names, scheduler)?;
        let Outcome { expanded, said } = found;
        outcomes.push((
            expanded.map(|(new, with)| {
                unit = Cow::Owned(with);
                new
            }),
            said,
        ));
    }
    region.names = names;
    for (_, said) in &outcomes {
        region.declared.extend(said.iter().filter_map(|x| x.copy));
    }
    let mut outcomes = outcomes.into_iter();
    statics_mut(&mut region.nodes, &mut |s| {
        let Some((expanded, said)) = outcomes.next() else { return };
        s.expansions.extend(said);
        if let Some(Expanded { part, scop, deps, reordered, .. }) = expanded {
            (s.part, s.scop, s.deps, s.reordered) = (part, scop, deps, reordered);
            s.of_bodies = None;
        }
    });
    Ok(unit)
}

fn statics_mut(nodes: &mut [Node], f: &mut dyn FnMut(&mut Static)) {
    for n in nodes {
        match n {
            Node::Static(s) => f(s),
            Node::Loop { body, .. } => statics_mut(body, f),
            Node::If { then, other, .. } => {
                statics_mut(then, f);
                statics_mut(other, f);
            }
            Node::Compute(_) | Node::Print { .. } | Node::Break | Node::GiveUp => {}
        }
    }
}

/// `is_entered`: each call of the function comes to them.
fn nodes(ctx: &Ctx, unit: &Unit, parts: &[Part], names: &mut Names, is_entered: bool) -> Result<Vec<Node>, Failure> {
    let known = |part: &StaticPart, names: &mut Names| {
        let mut part = part.clone();
        let scop = scop::build(ctx, unit, &mut part, names, is_entered)?;
        let deps = analyse(&part, &scop)?;
        Ok::<_, Failure>(Box::new(Static::new(part, scop, deps)))
    };
    let node = |part: &Part| {
        Ok(match part {
            Part::Static(part) => Node::Static(known(part, names)?),
            Part::Print(print, part) => Node::Print { print: (**print).clone(), reads: known(part, names)? },
            Part::Compute(s) => Node::Compute(s.clone()),
            Part::Loop { cond, step, check_first, body } => Node::Loop {
                cond: cond.clone(),
                step: step.clone(),
                check_first: *check_first,
                body: nodes(ctx, unit, body, names, false)?,
            },
            Part::If { cond, then, other } => Node::If {
                cond: cond.clone(),
                then: nodes(ctx, unit, then, names, false)?,
                other: nodes(ctx, unit, other, names, false)?,
            },
            Part::Break => Node::Break,
            Part::GiveUp => Node::GiveUp,
        })
    };
    parts.iter().map(node).collect()
}

impl Analysed {
    /// Every static control part, in order.
    pub fn statics(&self) -> Vec<&Static> {
        self.statics_in_loops().into_iter().map(|(s, _)| s).collect()
    }

    /// The same, each with whether it stands in a loop of the host.
    pub fn statics_in_loops(&self) -> Vec<(&Static, bool)> {
        fn collect<'a>(nodes: &'a [Node], is_repeated: bool, out: &mut Vec<(&'a Static, bool)>) {
            for n in nodes {
                match n {
                    Node::Static(s) => out.push((s, is_repeated)),
                    Node::Loop { body, .. } => collect(body, true, out),
                    Node::If { then, other, .. } => {
                        collect(then, is_repeated, out);
                        collect(other, is_repeated, out);
                    }
                    Node::Compute(_) | Node::Print { .. } | Node::Break | Node::GiveUp => {}
                }
            }
        }
        let mut out = vec![];
        collect(&self.nodes, false, &mut out);
        out
    }

    /// What the original loops, run in the place of a call for which the region is not proved, may read of what the calls
    /// before it set.
    fn left_to_original(&self, unit: &Unit, candidate: &Candidate) -> Result<BTreeSet<VarId>, Failure> {
        let live = Live::behind(candidate.function, candidate.span());
        let data = || self.statics().into_iter().flat_map(|s| s.part.data.keys().copied());
        let left: BTreeSet<VarId> = data().filter(|v| live.contains(*v) && !self.wanted.contains(v)).collect();
        if left.is_empty() {
            return Ok(left);
        }
        let varying = effects::may_vary(unit, candidate.function);
        for s in self.statics() {
            if s.is_proved_at_times(&varying)? {
                return Ok(left);
            }
        }
        Ok(BTreeSet::new())
    }

    /// Data of a part that someone else reads: after the region, in another part, or on the host.
    pub fn live_out(&self, s: &Static) -> BTreeSet<VarId> {
        let mut out = self.wanted.clone();
        for other in self.statics() {
            if !std::ptr::eq(other, s) {
                out.extend(other.part.data.keys());
            }
        }
        out.extend(self.read_on_host());
        out
    }

    /// What the surroundings of a part say of its data: whether the region or the program reads it afterwards, the
    /// region's next run included.
    fn outside(&self, unit: &Unit, s: &Static) -> Outside {
        let mut wanted = self.live_out(s);
        for (v, data) in &s.part.data {
            let var = unit.var(*v);
            let is_reached = accesses::is_behind_pointer(&var.ty) || var.storage != Storage::Local;
            let is_exposed = s.deps.upward_exposed.get(v).is_some_and(|s| !s.is_empty());
            if is_exposed || data.shape.c_rank > 0 && is_reached {
                wanted.insert(*v);
            }
        }
        Outside { wanted, changing: self.host_scalars.clone() }
    }

    /// Variables that expressions of the host read, and what is printed.
    pub fn read_on_host(&self) -> BTreeSet<VarId> {
        let mut out = self.printed();
        read_on_host(&self.nodes, &mut out);
        out
    }

    /// Variables that calls of the host print.
    pub fn printed(&self) -> BTreeSet<VarId> {
        let mut out = BTreeSet::new();
        printed(&self.nodes, &mut out);
        out
    }
}

fn printed(nodes: &[Node], out: &mut BTreeSet<VarId>) {
    for n in nodes {
        match n {
            Node::Print { print, .. } => out.extend(effects::mentioned([&print.reads()])),
            Node::Loop { body, .. } => printed(body, out),
            Node::If { then, other, .. } => {
                printed(then, out);
                printed(other, out);
            }
            Node::Static(_) | Node::Compute(_) | Node::Break | Node::GiveUp => {}
        }
    }
}

/// Variables that expressions of the host read where they stand; what is printed is fetched when it is due.
pub fn read_on_host(nodes: &[Node], out: &mut BTreeSet<VarId>) {
    for n in nodes {
        match n {
            Node::Static(_) | Node::Print { .. } | Node::Break | Node::GiveUp => {}
            Node::Compute(Stmt {
                kind: StmtKind::Expr(Expr { kind: ExprKind::Assign { op: None, target, value }, .. }),
                ..
            }) if matches!(target.kind, ExprKind::Var(_)) => {
                variables(value, out);
            }
            Node::Compute(s) => s.walk(&mut |p| {
                if let Piece::Expr(e) = p {
                    variables(e, out);
                }
            }),
            Node::Loop { cond, step, body, .. } => {
                cond.iter().chain(step).for_each(|e| variables(e, out));
                read_on_host(body, out);
            }
            Node::If { cond, then, other } => {
                variables(cond, out);
                read_on_host(then, out);
                read_on_host(other, out);
            }
        }
    }
}

/// The variables of an expression.
pub fn variables(e: &Expr, out: &mut BTreeSet<VarId>) {
    e.walk(&mut |x| {
        if let ExprKind::Var(v) = x.kind {
            out.insert(v);
        }
    });
}
