//! A region's parts with their polyhedral analysis.
//!
//! What a region leaves in a number is kept where a path leads from it to a read. Where some calls are proved and some
//! are left to the original loops, what these read of earlier calls is kept, too.

use crate::ast::visit::Piece;
use crate::ast::{BinOp, Expr, ExprKind, Stmt, StmtKind, Storage, Unit, VarId};
use crate::facts::prints::Print;
use crate::facts::{Reason, arrays, effects};
use crate::isl::{Ctx, Dim};
use crate::library::operator::Operator;
use crate::poly::Failure;
use crate::poly::dependence::Dependences;
use crate::poly::names::Names;
use crate::poly::scop::Scop;
use crate::region::StaticPart;
use crate::region::candidates::Candidate;
use crate::schedule::expand::{Expansion, Outside};
use crate::schedule::parallel::Analysis;
use crate::schedule::reorder::{Orders, Reordered};
use std::collections::BTreeSet;

/// Role of a part for the library.
#[derive(Debug, Default)]
pub struct Known {
    pub operator: Option<Box<Operator>>,
    /// Certainty of the call: nothing else is then made of the part.
    pub is_certain: bool,
    /// Near misses: nests that are almost one.
    pub near: Vec<Reason>,
}

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
    /// Held to sizes for which iterations of a loop do not meet.
    pub is_held_apart: bool,
}

impl Static {
    /// A part as it is written.
    pub fn new(part: StaticPart, scop: Scop, deps: Dependences) -> Static {
        let known = Known::default();
        Static { part, scop, deps, reordered: None, of_bodies: None, expansions: vec![], known, is_held_apart: false }
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
    pub(super) fn orders(&self) -> Orders<'_> {
        Orders { current: self.reordered.as_ref(), of_bodies: self.of_bodies.as_ref() }
    }

    /// Test that it may be proved for one call of a function's region and not for the next: what the sizes must be speaks of
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
        let changes = |e: &Expr| effects::variables(e).iter().any(|v| region.host_scalars.contains(v));
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

/// A static control part in its place.
pub struct Placed<'a> {
    pub part: &'a Static,
    /// Place in a loop of the host.
    pub is_repeated: bool,
    /// Conditions of the host around it that the region's start tells: true for those that hold where it runs.
    pub under: Vec<(&'a Expr, bool)>,
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

/// Visits every static control part, in order.
pub(super) fn statics_mut(nodes: &mut [Node], f: &mut dyn FnMut(&mut Static)) {
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

impl Analysed {
    /// Every static control part, in order.
    pub fn statics(&self) -> Vec<&Static> {
        self.placed().into_iter().map(|p| p.part).collect()
    }

    /// Test that it prints.
    pub fn prints(&self) -> bool {
        fn any(nodes: &[Node]) -> bool {
            nodes.iter().any(|n| match n {
                Node::Print { .. } => true,
                Node::Loop { body, .. } => any(body),
                Node::If { then, other, .. } => any(then) || any(other),
                Node::Static(_) | Node::Compute(_) | Node::Break | Node::GiveUp => false,
            })
        }
        any(&self.nodes)
    }

    /// The same, in their places.
    pub fn placed(&self) -> Vec<Placed<'_>> {
        let mut out = vec![];
        self.place(&self.nodes, false, &[], &mut out);
        out
    }

    fn place<'a>(
        &'a self,
        nodes: &'a [Node],
        is_repeated: bool,
        under: &[(&'a Expr, bool)],
        out: &mut Vec<Placed<'a>>,
    ) {
        for n in nodes {
            match n {
                Node::Static(part) => out.push(Placed { part, is_repeated, under: under.to_vec() }),
                Node::Loop { body, .. } => self.place(body, true, under, out),
                Node::If { cond, then, other } => {
                    let told = |holds| match self.is_told_at_start(cond) {
                        true => [under, &[(cond, holds)]].concat(),
                        false => under.to_vec(),
                    };
                    self.place(then, is_repeated, &told(true), out);
                    self.place(other, is_repeated, &told(false), out);
                }
                Node::Compute(_) | Node::Print { .. } | Node::Break | Node::GiveUp => {}
            }
        }
    }

    /// A statement of the host without declarations of data: the entry declares these once, for all that passes them. Such
    /// a declaration has no value: what host and threads both set is declined (`region::shared`).
    pub fn without_data(&self, s: &Stmt) -> Stmt {
        let StmtKind::Decl(ds) = &s.kind else { return s.clone() };
        let is_data = |v: &VarId| self.statics().iter().any(|s| s.part.data.contains_key(v));
        let kept = ds.iter().filter(|d| d.init.is_some() || !is_data(&d.var)).cloned().collect();
        Stmt { kind: StmtKind::Decl(kept), ..s.clone() }
    }

    /// Test for a condition with the same value all over the region, which may be computed where the program would not.
    pub fn is_told_at_start(&self, cond: &Expr) -> bool {
        let is_set =
            |v: &VarId| [&self.host_scalars, &self.device_scalars, &self.declared].iter().any(|s| s.contains(v));
        let mut is_told = true;
        cond.walk(&mut |e| {
            is_told &= match &e.kind {
                ExprKind::Var(v) => !is_set(v),
                ExprKind::Binary(op, ..) => !matches!(op, BinOp::Div | BinOp::Rem),
                ExprKind::Int(_) | ExprKind::Float(..) | ExprKind::Unary(..) | ExprKind::Cast(_) => true,
                _ => false,
            };
        });
        is_told
    }

    /// What the original loops, run in the place of a call for which the region is not proved, may read of what the calls
    /// before it set.
    pub(super) fn left_to_original(&self, unit: &Unit, candidate: &Candidate) -> Result<BTreeSet<VarId>, Failure> {
        let live = candidate.facts.live_behind(candidate.span());
        let data = || self.statics().into_iter().flat_map(|s| s.part.data.keys().copied());
        let left: BTreeSet<VarId> = data().filter(|v| live.contains(*v) && !self.wanted.contains(v)).collect();
        if left.is_empty() {
            return Ok(left);
        }
        let varying = candidate.facts.may_vary(unit);
        for s in self.statics() {
            if s.is_proved_at_times(varying)? {
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
    pub(super) fn outside(&self, unit: &Unit, s: &Static) -> Outside {
        let mut wanted = self.live_out(s);
        for (v, data) in &s.part.data {
            let var = unit.var(*v);
            let is_reached = arrays::is_behind_pointer(&var.ty) || var.storage != Storage::Local;
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
                out.extend(effects::variables(value));
            }
            Node::Compute(s) => s.walk(&mut |p| {
                if let Piece::Expr(e) = p {
                    out.extend(effects::variables(e));
                }
            }),
            Node::Loop { cond, step, body, .. } => {
                cond.iter().chain(step).for_each(|e| out.extend(effects::variables(e)));
                read_on_host(body, out);
            }
            Node::If { cond, then, other } => {
                out.extend(effects::variables(cond));
                read_on_host(then, out);
                read_on_host(other, out);
            }
        }
    }
}
