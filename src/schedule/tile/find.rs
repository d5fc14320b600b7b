//! Finds the loops of a thread that tiles serve, and what belongs to each point.

use super::bounds;
use super::piece::{Inner, Piece, Steps, Variable, leaves, leaves_mut};
use super::reads::{Group, Read, Reads};
use super::register_promotion::{self, ThreadPromotion};
use super::shape::Shape;
use super::wish::Points;
use crate::ast::VarId;
use crate::facts::Reason;
use crate::facts::symbolic::Poly;
use crate::isl::{Dim, Map};
use crate::kernel::{self as k, Access, ScalarType, StmtKind, Usage, walk};
use crate::poly::Failure;
use crate::poly::dependence::level_of;
use crate::poly::scop::is_write;
use crate::region::{Access as Touch, LoopId, StmtId, Tree};
use crate::schedule::lower::{Lowering, scalar_type};
use crate::schedule::mapping::{Fetch, Pieces, Run};
use crate::schedule::parallel::Analysis;
use crate::schedule::register_promotion::element::PromotedElement;
use crate::schedule::request::Allowed;
use crate::schedule::{Nest, index};
use std::collections::BTreeSet;

/// Fewer iterations of the loop are not worth a tile.
const FEW: i64 = 8;

/// Loops that a tile may serve, with their bodies: of step 1, with more than a few iterations, in which statements read
/// other elements each time. They may stand in others, which a block then runs in steps.
pub fn candidates<'t>(a: &Analysis, trees: &'t [Tree]) -> Vec<(LoopId, &'t [Tree])> {
    let of = |t: &'t Tree| match t {
        Tree::Loop(id, body) if is_candidate(a, *id, body) => vec![(*id, body.as_slice())],
        Tree::Loop(_, body) => candidates(a, body),
        _ => vec![],
    };
    trees.iter().flat_map(of).collect()
}

fn is_candidate(a: &Analysis, id: LoopId, body: &[Tree]) -> bool {
    let x = a.part.get_loop(id);
    let mut accesses = direct(body).flat_map(|s| &a.part.stmt(s).accesses);
    let moves = |access: &Touch| access.index.as_ref().is_some_and(|index| index.iter().any(|p| p.uses(x.var)));
    x.step == 1 && x.most_iterations().is_none_or(|n| n >= FEW) && accesses.any(|x| !is_write(x) && moves(x))
}

/// Statements that stand in the loops that tiles may serve.
pub fn tiled(a: &Analysis, nest: &Nest) -> Vec<StmtId> {
    candidates(a, &nest.body).into_iter().flat_map(|(_, body)| direct(body)).collect()
}

/// The reads of these statements, by statement and access, that the kernel leaves as they are: of an array
/// that it does not write, or of elements that it does not, whatever the counters but for those of the host.
pub fn unchanged(
    a: &Analysis,
    nest: &Nest,
    host: &[LoopId],
    readers: &[StmtId],
) -> Result<BTreeSet<(StmtId, usize)>, Failure> {
    meeting_none(a, nest, host, readers, &|map| Ok(map))
}

/// The reads whose elements, or what `seen` makes of them, are none that the nest writes.
fn meeting_none(
    a: &Analysis,
    nest: &Nest,
    host: &[LoopId],
    readers: &[StmtId],
    seen: &dyn Fn(Map) -> Result<Map, Failure>,
) -> Result<BTreeSet<(StmtId, usize)>, Failure> {
    let part = a.part;
    let all = nest.stmts();
    let writes: Vec<(StmtId, usize)> = all
        .iter()
        .flat_map(|s| (0..part.stmt(*s).accesses.len()).map(|k| (*s, k)))
        .filter(|(s, k)| is_write(&part.stmt(*s).accesses[*k]))
        .collect();
    let mut out = BTreeSet::new();
    for &s in readers {
        for (k, x) in part.stmt(s).accesses.iter().enumerate().filter(|(_, x)| !is_write(x) && x.index.is_some()) {
            let mut is_apart = true;
            for (t, w) in writes.iter().filter(|(t, w)| part.stmt(*t).accesses[*w].data == x.data) {
                let [read, written] = [&a.scop.accesses[s.0][k], &a.scop.accesses[t.0][*w]].map(|x| seen(x.clone()));
                let mut meet = read?.apply_range(&written?.reverse()?)?;
                for h in host {
                    if let (Some(i), Some(j)) = (level_of(part, s, *h), level_of(part, *t, *h)) {
                        meet = meet.equate(Dim::In, i, Dim::Out, j)?;
                    }
                }
                is_apart &= meet.is_empty()?;
            }
            if is_apart {
                out.insert((s, k));
            }
        }
    }
    Ok(out)
}

/// The arrays that the kernel reads and writes, but no row of which it reads anything, whatever the counters but for those of the
/// host: the planes of a loop that takes turns between them.
pub fn apart(a: &Analysis, nest: &Nest, host: &[LoopId]) -> Result<BTreeSet<VarId>, Failure> {
    let stmts = nest.stmts();
    let all = || stmts.iter().flat_map(|s| a.part.stmt(*s).accesses.iter().enumerate().map(|(k, x)| (*s, k, x)));
    let written: BTreeSet<VarId> = all().filter(|(.., x)| is_write(x)).map(|(.., x)| x.data).collect();
    let is_own = |x: &Touch| all().any(|(.., y)| is_write(y) && y.data == x.data && y.index == x.index);
    let of = |data: VarId| all().filter(move |(.., x)| x.data == data);
    // An element that is read and written tells by itself.
    let may = |data: &VarId| {
        a.part.data[data].shape.c_rank > 0
            && of(*data).any(|(.., x)| !is_write(x))
            && of(*data).all(|(.., x)| x.index.as_ref().is_some_and(|x| x.len() > 1) && (is_write(x) || !is_own(x)))
    };
    let row = |map: Map| match map.dim(Dim::Out)? {
        0 => Ok(map),
        n => Ok(map.project_out(Dim::Out, n - 1, 1)?),
    };
    let mut out: BTreeSet<VarId> = written.into_iter().filter(may).collect();
    if !out.is_empty() {
        let unchanged = meeting_none(a, nest, host, &stmts, &row)?;
        out.retain(|data| of(*data).all(|(s, k, x)| is_write(x) || unchanged.contains(&(s, k))));
    }
    Ok(out)
}

/// Looks at one nest.
pub struct Finder<'f, 's> {
    pub a: &'f Analysis<'f>,
    pub nest: &'f Nest,
    pub l: &'f mut Lowering<'s>,
    pub host: &'f [LoopId],
    pub allowed: Allowed,
    /// Flag: loops of the thread may run around its points.
    pub has_loops: bool,
    /// Loops with the values to be staged; `None`: all that serve.
    pub staged: Option<&'f [Pieces]>,
    /// Flag: the user asks for points.
    pub is_asked: bool,
    /// Test that elements are staged as they are (see [`Reads`]).
    pub stages_elements: bool,
    pub unchanged: BTreeSet<(StmtId, usize)>,
    /// Loops around the pieces that are looked at, which the block runs in steps.
    pub steps: Vec<LoopId>,
    /// Why no loop is tiled.
    pub why: Option<String>,
}

impl Finder<'_, '_> {
    /// Spreads blocks along the last dimension and that other along which most reads are the same; and a thread along the
    /// dimensions that have `points`, or, where all that the loops write stays with the point, along both.
    pub fn choose_axes(&mut self, shape: &mut Shape, points: Option<&[Points]>) {
        let last = shape.axes.len() - 1;
        let loops = candidates(self.a, &self.nest.body);
        let counters: Vec<VarId> = loops.iter().map(|(id, _)| self.a.part.get_loop(*id).var).collect();
        let reused = |d: &usize| {
            let own: Vec<VarId> = self.fused(shape, shape.axes[*d].var);
            let stmts = loops.iter().flat_map(|(_, body)| direct(body));
            let reads = stmts.flat_map(|s| &self.a.part.stmt(s).accesses).filter_map(|x| x.index.as_ref());
            reads
                .filter(|index| index.iter().any(|p| bounds::uses_any(p, &counters)))
                .filter(|index| index.iter().all(|p| !bounds::uses_any(p, &own)))
                .count()
        };
        shape.spread = (0..last).max_by_key(|d| (reused(d), *d)).into_iter().chain([last]).collect();
        let is_merged = self.allowed.merge && shape.spread.len() == 2 && self.stays_with_point();
        for d in 0..=last {
            // Points a block apart along the last dimension, so that neighbouring threads have neighbours; in wide loads also
            // neighbours of their own.
            let [merges, skews] = match points {
                Some(points) => points[d].map(|n| n.is_some()),
                None => [d == last, true].map(|x| x && is_merged && shape.spread.contains(&d)),
            };
            if !merges && !skews {
                continue;
            }
            let mut name = |what| self.l.names.fresh(&format!("rt_{}_{what}", shape.axes[d].name));
            let merge = merges.then(|| name("at"));
            let skew = skews.then(|| name(if merges { "next" } else { "at" }));
            (shape.axes[d].merge, shape.axes[d].skew) = (merge, skew);
            shape.merged.push(d);
        }
        shape.spread = (0..=last).filter(|d| shape.spread.contains(d) || shape.merged.contains(d)).collect();
    }

    /// The counters that stand for an axis.
    fn fused(&self, shape: &Shape, axis: VarId) -> Vec<VarId> {
        let is_same = |p: &Poly| p.uses(axis);
        shape.same.iter().filter(|(_, p)| is_same(p)).map(|(v, _)| *v).chain([axis]).collect()
    }

    /// Test that all that the loops write is a variable of the point, or kept in one.
    fn stays_with_point(&self) -> bool {
        candidates(self.a, &self.nest.body).into_iter().all(|(_, body)| {
            let stmts: Vec<StmtId> = body.iter().flat_map(Tree::stmts).collect();
            let is_promoted = matches!(body, [Tree::Stmt(s)] if self.l.promoted.contains(s));
            let writes = stmts.iter().flat_map(|s| &self.a.part.stmt(*s).accesses).filter(|x| is_write(x));
            is_promoted || writes.into_iter().all(|x| self.l.private.contains(&x.data))
        })
    }

    /// Work of a thread, in pieces.
    pub fn pieces(&mut self, shape: &Shape, trees: &[Tree]) -> Result<Vec<Piece>, Reason> {
        let mut out: Vec<Piece> = vec![];
        for tree in trees {
            if let (Tree::Loop(id, body), true) = (tree, self.has_loops) {
                let before = self.l.names.clone();
                if let Some(piece) = self.piece(shape, *id, body)? {
                    out.push(piece);
                    continue;
                }
                *self.l.names = before;
            }
            let stmts = self.l.trees(std::slice::from_ref(tree))?;
            match out.last_mut() {
                Some(Piece::Plain(ids, before)) => {
                    ids.extend(tree.stmts());
                    before.extend(stmts);
                }
                _ => out.push(Piece::Plain(tree.stmts(), stmts)),
            }
        }
        Ok(out)
    }

    /// A loop around the points of a thread, or around such loops.
    fn piece(&mut self, shape: &Shape, id: LoopId, body: &[Tree]) -> Result<Option<Piece>, Reason> {
        if is_candidate(self.a, id, body)
            && let Some(inner) = self.inner(shape, id, body)?
        {
            return Ok(Some(Piece::Loop(Box::new(inner))));
        }
        let x = self.a.part.get_loop(id);
        let axes: Vec<VarId> = shape.axes.iter().map(|x| x.var).collect();
        let is_same = |p: &Poly| {
            p.with(&shape.same).is_some_and(|p| bounds::is_linear(&p, &axes) && !bounds::uses_any(&p, &axes))
        };
        let counter = self.l.name(x.var);
        let is_asked = |all: &[Pieces]| all.iter().any(|x| x.name == counter && x.run == Run::Steps);
        let serves = self.staged.is_none_or(is_asked) && !candidates(self.a, body).is_empty();
        if !serves || !is_same(&x.first) || !x.limits.iter().all(is_same) {
            return Ok(None);
        }
        self.l.counters.insert(x.var, index::var(counter.clone()));
        self.steps.push(id);
        let pieces = self.pieces(shape, body);
        self.steps.pop();
        let pieces = pieces?;
        let has_loops = pieces.iter().any(|p| !matches!(p, Piece::Plain(..)));
        Ok(has_loops.then_some(Piece::Steps(Steps { id, counter, pieces })))
    }

    fn inner(&mut self, shape: &Shape, id: LoopId, trees: &[Tree]) -> Result<Option<Inner>, Reason> {
        let x = self.a.part.get_loop(id).clone();
        let axes: Vec<VarId> = shape.axes.iter().map(|x| x.var).collect();
        let both = |p: &Poly| p.with(&shape.same);
        let (Some(bounds), Some(first)) = (bounds::of_loop(&x, &shape.same), both(&x.first)) else { return Ok(None) };
        let Some(limits) = x.limits.iter().map(both).collect::<Option<Vec<Poly>>>() else { return Ok(None) };
        let all: Vec<VarId> = axes.iter().copied().chain([x.var]).collect();
        if !bounds.iter().all(|p| bounds::is_linear(p, &all)) {
            return Ok(None);
        }
        let counter = self.l.name(x.var);
        self.l.counters.insert(x.var, index::var(counter.clone()));
        let (mut body, promoted) = self.l.with_register(trees)?;
        let list = self.reads(trees)?;
        let at = self.l.names.fresh(&format!("rt_{counter}_at"));
        let mut groups: Vec<Group> = vec![];
        let (scalars, names) = (&self.l.used.scalars, &mut *self.l.names);
        let around: Vec<String> = shape
            .around
            .iter()
            .chain(&self.steps)
            .map(|id| names.of(self.l.unit, self.a.part.get_loop(*id).var))
            .collect();
        let uniform = |name: &str| {
            let is_around = around.iter().any(|x| x == name);
            scalars.get(name).map(|by| by.ty).or(is_around.then_some(ScalarType::Index))
        };
        let mapped = self.staged.and_then(|all| all.iter().find(|x| x.name == counter));
        let (fetch, mma) = mapped.map_or((Fetch::None, None), |x| (x.fetch, x.mma));
        let reads = Reads {
            list,
            var: x.var,
            counter: counter.clone(),
            axes: shape.axes.iter().map(|x| (x.var, x.name.clone())).collect(),
            spread: shape.spread.clone(),
            uniform: &uniform,
            bounds: shape.bounds.iter().chain(&bounds).cloned().collect(),
            of_box: &shape.of_box,
            has_factors: mma.is_some(),
            stages_elements: self.stages_elements,
            begin: bounds[0].clone(),
        };
        if self.allowed.stage {
            let cell = |g: &Group| Access {
                array: g.tile.clone(),
                index: g.in_order(index::var(&at), g.axes.iter().map(|d| shape.position(*d))),
            };
            let wanted = self.staged.map(|all| all.iter().filter(|x| x.name == counter).flat_map(|x| &x.staged));
            let wanted: Option<Vec<&str>> = wanted.map(|all| all.map(|x| x.value.as_str()).collect());
            let is_wanted = |e: &k::Expr| wanted.as_ref().is_none_or(|all| all.contains(&e.to_string().as_str()));
            let mut name = |array: &str| names.fresh(&format!("rt_{array}_tile"));
            reads.stage(&mut body, &mut groups, &is_wanted, &mut name, &cell);
        }
        let left = reads.left(&body, &groups);
        let stages = self.allowed.stage && !groups.is_empty();
        let serves = stages && (left.is_empty() || groups.iter().any(|g| g.is_for_order));
        // Asked for or without shared memory, what points share is loaded once all the same.
        let serves = serves || groups.is_empty() && self.is_around_points(shape, &counter) && reads.is_any_shared();
        if !serves {
            self.why = why_not(&counter, &groups, &left);
            return Ok(None);
        }
        let stmts = trees.iter().flat_map(Tree::stmts).collect();
        let line = (self.l.line)(x.span);
        let var = x.var;
        Ok(Some(Inner { id, stmts, counter, at, var, first, limits, bounds, body, promoted, groups, fetch, mma, line }))
    }

    /// Test that a loop of which nothing is staged may run around the points of the thread, and is to.
    fn is_around_points(&self, shape: &Shape, counter: &str) -> bool {
        let is_asked = match self.staged {
            Some(all) => all.iter().any(|x| x.name == counter),
            None => !self.allowed.stage || self.is_asked,
        };
        is_asked && !shape.merged.is_empty() && self.stays_with_point()
    }

    /// What the statements that stand in the loop itself read in every iteration, of what nothing here writes.
    pub fn reads(&mut self, trees: &[Tree]) -> Result<Vec<Read>, Reason> {
        let part = self.a.part;
        let mut out = vec![];
        for s in direct(trees) {
            self.l.name_counters(s);
            for (k, x) in part.stmt(s).accesses.iter().enumerate().filter(|(_, x)| x.surely && x.known.is_empty()) {
                let data = &part.data[&x.data];
                let is_fixed = self.unchanged.contains(&(s, k)) && !self.l.private.contains(&x.data);
                let (Some(index), Some(ty)) = (&x.index, scalar_type(&data.elem)) else { continue };
                if is_fixed && data.shape.c_rank > 0 {
                    let access = self.l.element(x.data, &x.subscripts, Usage::Read)?;
                    out.push(Read { access, ty, index: index.clone() });
                }
            }
        }
        Ok(out)
    }

    /// The variables that each point has for itself from piece to piece. One that lives in a single piece is declared there.
    pub fn variables(&mut self, pieces: &mut [Piece]) -> Result<Result<Vec<Variable>, Reason>, Failure> {
        let part = self.a.part;
        let mut out: Vec<Variable> = vec![];
        let private = self.l.private.clone();
        for v in part.data.keys().filter(|v| private.contains(v)) {
            let touches = |s: &StmtId| part.stmt(*s).accesses.iter().any(|x| x.data == *v);
            let mut inside = leaves_mut(pieces, &[]);
            inside.retain_mut(|(_, p)| p.parts().0.iter().any(touches));
            let Some(ty) = scalar_type(&part.data[v].elem).filter(|_| !inside.is_empty()) else { continue };
            let name = self.l.names.of(self.l.unit, *v);
            let is_within = match inside.as_slice() {
                [(steps, Piece::Plain(..))] if steps.is_empty() => true,
                [(steps, Piece::Plain(stmts, _))] => self.a.is_private(*v, stmts, &self.around(steps))?,
                [(steps, Piece::Loop(x))] => {
                    self.a.is_private(*v, &x.stmts, &self.around(&[steps.as_slice(), &[x.id]].concat()))?
                }
                _ => false,
            };
            if is_within {
                let (_, body) = inside[0].1.parts();
                if !walk::declared(body).contains(&name) {
                    match self.l.own_declaration(*v) {
                        Ok(declaration) => body.insert(0, declaration),
                        Err(reason) => return Ok(Err(reason)),
                    }
                }
            } else {
                inside.iter_mut().for_each(|(_, p)| undeclare(p.parts().1, &name));
                out.push(Variable { name, ty });
            }
        }
        let promoted = leaves(pieces).into_iter().filter_map(Piece::inner).filter_map(|x| x.promoted.as_ref());
        out.extend(promoted.map(|x| Variable { name: x.var.clone(), ty: x.ty }));
        Ok(Ok(out))
    }

    /// Holds elements in variables of the points.
    pub fn promotions(
        &mut self,
        pieces: &mut [Piece],
        shape: &Shape,
        variables: &mut Vec<Variable>,
    ) -> Vec<ThreadPromotion> {
        let mut out = vec![];
        for element in register_promotion::candidates(pieces) {
            let is_known = |e: &k::Expr| match e {
                k::Expr::Var(name) => {
                    self.l.used.scalars.contains_key(name) || shape.axes.iter().any(|x| x.name == *name)
                }
                k::Expr::Load(_) | k::Expr::Call(..) => false,
                _ => true,
            };
            let is_plain = |e: &k::Expr| !e.any(&mut |e| !is_known(e));
            let data = self.a.part.data.values();
            let mut of_array = data.filter(|d| self.l.names.of(self.l.unit, d.var) == element.array);
            let Some(ty) = of_array.next().and_then(|d| scalar_type(&d.elem)) else { continue };
            if !element.index.iter().all(is_plain) {
                continue;
            }
            let Some(wanted) = register_promotion::wanted(pieces, &element) else { continue };
            let promoted = pieces.iter().filter_map(Piece::inner).filter_map(|x| x.promoted.as_ref());
            let names: Vec<String> = promoted.filter(|x| x.element == element).map(|x| x.var.clone()).collect();
            let fresh = || self.l.names.fresh(&format!("rt_{}", element.array));
            let var = names.first().cloned().unwrap_or_else(fresh);
            variables.retain(|v| !names.contains(&v.name));
            variables.push(Variable { name: var.clone(), ty });
            let promotion = ThreadPromotion { element: PromotedElement { element, var, ty, line: 0 }, wanted };
            register_promotion::promote(pieces, &promotion.element);
            out.push(promotion);
        }
        out
    }

    /// The loops around a piece that stands in those.
    fn around(&self, inner: &[LoopId]) -> Vec<LoopId> {
        self.host.iter().copied().chain(self.nest.axes.iter().flatten().copied()).chain(inner.iter().copied()).collect()
    }
}

/// The statements that stand in a loop itself.
pub fn direct(trees: &[Tree]) -> impl Iterator<Item = StmtId> {
    trees.iter().filter_map(|t| match t {
        Tree::Stmt(s) => Some(*s),
        _ => None,
    })
}

/// Makes assignments of a variable's declarations: it is declared for all pieces.
fn undeclare(body: &mut Vec<k::Stmt>, name: &str) {
    body.retain(|s| !matches!(&s.kind, StmtKind::Let { var, init: None, .. } if var == name));
    for s in body {
        match &mut s.kind {
            StmtKind::Let { var, init, .. } if var == name => {
                let value = init.take().expect("the others are gone");
                s.kind = StmtKind::Assign { var: name.to_string(), op: None, value };
            }
            _ => s.bodies_mut().into_iter().for_each(|inner| undeclare(inner, name)),
        }
    }
}

/// What to say of a loop that is left as it is although blocks read something in it together.
fn why_not(counter: &str, groups: &[Group], left: &BTreeSet<String>) -> Option<String> {
    let shared = groups.first()?;
    let others: Vec<String> = left.iter().map(|array| format!("`{array}`")).collect();
    Some(format!(
        "loop {counter} is not tiled: the block could share {}, but each thread would still read {} in every iteration",
        shared.value,
        others.join(", ")
    ))
}
