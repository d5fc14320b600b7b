//! Elements that stay on chip through all steps of a resident kernel.
//!
//! A vector of which each thread loads and stores its own elements alone, the same ones in all phases, need not go through
//! memory between them. The first elements of each thread lie in shared memory from the first step to the last, as many as
//! there is room for; the rest stays in memory. (Zhang et al., "PERKS: a locality-optimized execution model for iterative
//! memory-bound GPU applications", ICS 2023.)
//!
//! ```text
//!                                              for rt_slot in 0 .. rt_slots { at = first + rt_slot * step; if (at < n) { rt_own_p[rt_slot] = p[at]; } }
//! while (...) {                                while (...) {
//!   for at in first .. n step step {             for rt_slot in 0 .. rt_slots { at = ..; if (at < n) { rt_own_p[rt_slot] = r[at] + beta * rt_own_p[rt_slot]; } }
//!     p[at] = r[at] + beta * p[at];    ->        for at in first + rt_slots * step .. n step step { p[at] = r[at] + beta * p[at]; }
//!   }
//! }                                            }
//!                                              for rt_slot in 0 .. rt_slots { at = ..; if (at < n) { p[at] = rt_own_p[rt_slot]; } }
//! ```
//! Such is an array
//! - of which every access in the kernel stands in a loop that shares the points of a phase out over all threads, all of
//!   these loops the same, and has the same subscripts, one of them the point itself: no other thread has that element;
//! - or which nothing in the kernel writes: of it each such access is kept for itself, whatever others read;
//! - with an access that every step makes at every point: what is loaded before the steps is there.
//!
//! Arrays that the host may ask for while the kernel runs (`rt_tell`, of a region that can be interrupted) stay in memory. A
//! kernel that writes none of these keeps none: loads alone are served as well by the cache, of which less would be left.
//!
//! Rows of a sparse matrix that each step reads at a thread's points stay there, too: see `on_chip/rows.rs`.
//!
//! The kernel as it was stays beside the new form: a call in which less than half would find room runs it, and so does one
//! whose work is for one block.

use crate::ast::{BinOp, IntKind};
use crate::host_plan::ir::{HostStmt, Region, visit_mut};
use crate::kernel::{
    Access, Expr, Kernel, ROWS, SLOTS, ScalarParam, ScalarType, Stmt, StmtKind, Usage, simplify, walk,
};
use crate::poly::names::Names;
use crate::schedule::index::{add, binary, mul, var};
use accesses::{Touch, each_access, each_row};
use found::Found;
use rows::KeptRows;
use share::{Map, POINT, Share};
use std::collections::{BTreeMap, BTreeSet};

mod accesses;
mod found;
mod rows;
mod share;
mod stride;

/// Gives resident kernels another form that keeps on chip what they allow; returns what there is to say about it.
pub fn on_chip(plan: &mut Region) -> Vec<String> {
    let (mut told, mut forms) = (BTreeSet::new(), BTreeMap::new());
    // Of a region that can be interrupted, others may ask for what an array holds by now.
    let asked = plan.arrays.iter().filter(|a| plan.is_interruptible() && a.on_host && a.live_out.is_some());
    let asked: BTreeSet<String> = asked.map(|a| a.name.clone()).collect();
    for k in 0..plan.kernels.len() {
        if let Some((form, kept)) = keeping(plan, &plan.kernels[k], &asked) {
            told.insert(format!("on chip through all steps, where half of it finds room: {kept}"));
            forms.insert(k, plan.kernels.len());
            plan.kernels.push(form);
        }
    }
    visit_mut(&mut plan.body, &mut |s| {
        if let HostStmt::Resident { kernel, on_chip, .. } = s {
            *on_chip = forms.get(kernel).copied();
        }
    });
    told.into_iter().collect()
}

/// An element of each point that stays on chip.
#[derive(Clone)]
struct Kept {
    /// The array, and the subscripts, where the point is [`POINT`].
    element: (String, Vec<Expr>),
    ty: ScalarType,
    /// Its array on chip.
    own: String,
    is_written: bool,
    /// Flag: steps may ask for what was there before them.
    is_loaded: bool,
}

/// The form of a kernel that keeps elements on chip, none of the arrays `asked`, and their names. In the stride of a sum it may
/// keep more; that is worth it where most of what it keeps is written.
fn keeping(plan: &Region, kernel: &Kernel, asked: &BTreeSet<String>) -> Option<(Kernel, String)> {
    kernel.resident?;
    if kernel.names().any(|name| name == POINT) {
        return None;
    }
    let is_loop = |s: &Stmt| matches!(s.kind, StmtKind::For { .. } | StmtKind::While { .. }) && s.has_phases();
    let at = kernel.body.iter().position(is_loop)?;
    let strided = stride::in_one(kernel);
    let in_one = strided.as_ref().and_then(|kernel| Some((kernel, Worth::of(kernel, at, asked)?)));
    let mostly_written = |kept: &[Kept]| 2 * kept.iter().filter(|k| k.is_written).count() > kept.len();
    let (kernel, Worth { found, map, mut kept }) = match in_one.filter(|(_, worth)| mostly_written(&worth.kept)) {
        Some(in_one) => in_one,
        None => (kernel, Worth::of(kernel, at, asked)?),
    };
    // Those of many bytes first, so that each begins where it may.
    kept.sort_by_key(|k| -k.ty.size(kernel.index_bits));
    let mut names = Names::beside(kernel.names());
    kept.iter_mut().for_each(|k| k.own = names.fresh(&k.own));
    let rows = rows::worth_keeping(plan, kernel, &found, map, &mut names);
    let map = &found.maps[map];
    let mut form = Kernel { name: format!("{}_on_chip", kernel.name), ..kernel.clone() };
    let slot = names.fresh("rt_slot");
    Keeper { kernel, map, kept: &kept, rows: rows.as_ref(), slot, names }.rewrite(&mut form, at);
    let own = map.own.to_string();
    let shown = |k: &Kept| {
        let index: String =
            k.element.1.iter().map(|e| format!("[{e}]").replace(&format!("({own})"), "i").replace(&own, "i")).collect();
        if k.is_written { k.element.0.clone() } else { format!("{}{index}", k.element.0) }
    };
    let told = kept.iter().map(shown).chain(rows.iter().map(KeptRows::told)).collect::<Vec<_>>().join(", ");
    form.notes.push(format!("on chip through all steps, as far as there is room: {told}"));
    Some((form, told))
}

/// Elements of a map that are worth keeping.
struct Worth {
    found: Found,
    map: usize,
    kept: Vec<Kept>,
}

impl Worth {
    /// Of the maps of a kernel the one whose elements save most stores and loads of what is written; the steps are the loop at
    /// `at`.
    fn of(kernel: &Kernel, at: usize, asked: &BTreeSet<String>) -> Option<Self> {
        let found = Found::of(kernel, at);
        let of_map = |map: usize| {
            let all = kept(kernel, &found, map).into_iter();
            all.filter(|(k, _)| !(k.is_written && asked.contains(&k.element.0))).collect::<Vec<_>>()
        };
        let saved = |map: usize| of_map(map).iter().map(|(k, n)| n * usize::from(k.is_written)).sum::<usize>();
        let map = (0..found.maps.len()).max_by_key(|map| saved(*map))?;
        let kept: Vec<Kept> = of_map(map).into_iter().map(|(kept, _)| kept).collect();
        kept.iter().any(|k| k.is_written).then_some(Worth { found, map, kept })
    }
}

/// The elements that a map's loops may keep, and how many accesses each saves.
fn kept(kernel: &Kernel, found: &Found, map: usize) -> Vec<(Kept, usize)> {
    let mut out = vec![];
    for array in kernel.arrays.iter().filter(|a| !a.extents.is_empty()) {
        let Some(all) = found.touches.get(&array.name) else { continue };
        let is_written = array.usage != Usage::Read;
        let first = &all[0];
        let is_own = |(m, touch): &(usize, Touch)| *m == first.0 && touch.index == first.1.index && touch.is_own;
        if is_written && (found.elsewhere.contains(&array.name) || !all.iter().all(is_own)) {
            continue;
        }
        let mut known: Vec<&Vec<Expr>> = vec![];
        for (_, touch) in all.iter().filter(|(m, touch)| *m == map && touch.is_own) {
            let of_element = || all.iter().filter(|(m, t)| *m == map && t.index == touch.index);
            if !known.contains(&&touch.index) && of_element().any(|(_, t)| t.is_certain) {
                known.push(&touch.index);
                let n = if known.len() == 1 { String::new() } else { format!("_{}", known.len()) };
                let own = format!("rt_own_{}{n}", array.name.trim_start_matches("rt_"));
                let element = (array.name.clone(), touch.index.clone());
                let is_loaded = !(is_written && first.1.is_overwrite && first.1.is_certain);
                out.push((Kept { element, ty: array.ty, own, is_written, is_loaded }, of_element().count()));
            }
        }
    }
    out
}

/// Elements that are kept, and the way of threads to them.
struct Keeper<'a> {
    kernel: &'a Kernel,
    map: &'a Map,
    kept: &'a [Kept],
    rows: Option<&'a KeptRows>,
    slot: String,
    names: Names,
}

impl Keeper<'_> {
    /// Declares what is kept, loads it before the steps, which are the loop at `at`, and stores it behind them.
    fn rewrite(mut self, kernel: &mut Kernel, at: usize) {
        let body = std::mem::take(&mut kernel.body);
        let has_run = self.names.fresh("rt_has_run");
        let int = ScalarType::Int(IntKind::Int);
        let count = &self.map.count;
        let declare =
            |k: &Kept| Stmt::made(StmtKind::OnChip { name: k.own.clone(), ty: k.ty, of: count.clone(), rows: None });
        let mut out: Vec<Stmt> = self.kept.iter().map(declare).collect();
        out.extend(self.rows.into_iter().flat_map(|rows| rows.declared(count)));
        for (k, mut s) in body.into_iter().enumerate() {
            if k != at {
                out.push(s);
                continue;
            }
            let loads = self.moves(|k| k.is_loaded, |k| (k.on_chip(&self.slot), k.access()));
            let rows = self.rows.map_or(vec![], |rows| rows.loads(&self.slot, &mut self.names));
            let before = self.moved("load", [(SLOTS, loads), (ROWS, rows)]);
            out.extend(
                before.map(|phase| Stmt::made(StmtKind::If { cond: begins(&s), then: vec![phase], other: vec![] })),
            );
            out.push(Stmt::made(StmtKind::Let { var: has_run.clone(), ty: int, init: Some(Expr::Int(0)) }));
            self.steps(&mut s);
            if let StmtKind::While { body, .. } | StmtKind::For { body, .. } = &mut s.kind {
                let ran = StmtKind::Assign { var: has_run.clone(), op: None, value: Expr::Int(1) };
                body.insert(0, Stmt::made(ran));
            }
            out.push(s);
            let stores = self.moves(|k| k.is_written, |k| (k.access(), k.on_chip(&self.slot)));
            let behind = self.moved("store", [(SLOTS, stores)]);
            let cond = binary(BinOp::Ne, var(&has_run), Expr::Int(0));
            out.extend(behind.map(|phase| Stmt::made(StmtKind::If { cond, then: vec![phase], other: vec![] })));
        }
        kernel.body = out;
        let slots = ScalarParam { name: SLOTS.into(), ty: ScalarType::Index };
        let told = std::iter::once(slots).chain(self.rows.into_iter().flat_map(|_| KeptRows::scalars()));
        kernel.scalars.splice(0..0, told);
        simplify::kernel(kernel);
    }

    /// Moves of those of the kept elements, each to where and from where `ways` says.
    fn moves(&self, is_such: impl Fn(&Kept) -> bool, ways: impl Fn(&Kept) -> (Access, Access)) -> Vec<Stmt> {
        let moved = |(target, from)| Stmt::made(StmtKind::Store { target, op: None, value: Expr::Load(from) });
        self.kept.iter().filter(|k| is_such(k)).map(|k| moved(ways(k))).collect()
    }

    /// A phase that makes moves at each of a thread's first points, so many as a scalar says.
    fn moved<const N: usize>(&self, verb: &str, moves: [(&str, Vec<Stmt>); N]) -> Option<Stmt> {
        let at_each = |(count, moves): (&str, Vec<Stmt>)| {
            let body = match &self.map.guard {
                Some(cond) => vec![Stmt::made(StmtKind::If { cond: cond.clone(), then: moves, other: vec![] })],
                None => moves,
            };
            self.on_chip(POINT, count, body)
        };
        let loops: Vec<Stmt> = moves.into_iter().filter(|(_, moves)| !moves.is_empty()).map(at_each).collect();
        let (name, note) =
            (format!("{}_on_chip_{verb}", self.kernel.name), format!("{verb}s what threads keep on chip"));
        let is_any = !loops.is_empty();
        is_any.then(|| Stmt::made(StmtKind::Phase { name, note, body: self.map.taking_part(loops) }))
    }

    /// The part of a loop over points whose elements are on chip: the first of a thread, so many as a scalar says.
    fn on_chip(&self, point: &str, count: &str, then: Vec<Stmt>) -> Stmt {
        let at = add(self.map.first.clone(), mul(var(&self.slot), self.map.step.clone()));
        let declared = StmtKind::Let { var: point.into(), ty: ScalarType::Index, init: Some(at) };
        let cond = binary(BinOp::Lt, var(point), self.map.end.clone());
        let body = vec![Stmt::made(declared), Stmt::made(StmtKind::If { cond, then, other: vec![] })];
        let (lo, hi, step) = (Expr::Int(0), var(count), Expr::Int(1));
        Stmt::made(StmtKind::counted(self.slot.clone(), [lo, hi, step], body))
    }

    /// The phases of the steps, with what is kept in the place of what is in memory.
    fn steps(&mut self, s: &mut Stmt) {
        if let StmtKind::Phase { name, body, .. } = &mut s.kind {
            name.push_str("_on_chip");
            if let Some(share) = Share::of(self.kernel, body).filter(|share| share.map == *self.map) {
                let path = share.path.clone();
                let (point, mut inside) = (share.var.to_string(), share.body.to_vec());
                if let Some(rows) = self.rows {
                    let (slot, names) = (&self.slot, &mut self.names);
                    let rewrite = &mut |s: &mut Stmt, at| rows.rewrite(s, &at, slot, names);
                    each_row(self.kernel, &mut inside, &point, self.map, rewrite);
                }
                each_access(&mut inside, &point, self.map, &mut |access, touch| {
                    let Some(touch) = touch else { return };
                    let is_it = |k: &&Kept| k.element.0 == access.array && k.element.1 == touch.index;
                    if let Some(kept) = self.kept.iter().find(is_it) {
                        *access = kept.on_chip(&self.slot);
                    }
                });
                if inside != share.body {
                    drop_unused(&mut inside);
                    self.split(body, &path, inside);
                }
            }
            return;
        }
        s.bodies_mut().into_iter().flatten().for_each(|s| self.steps(s));
    }

    /// The loop at `path` as the part on chip, whose body is `inside`, and the rest.
    fn split(&self, body: &mut Vec<Stmt>, path: &[usize], inside: Vec<Stmt>) {
        let [at, path @ ..] = path else { return };
        if !path.is_empty() {
            body[*at].bodies_mut().into_iter().take(1).for_each(|body| self.split(body, path, inside.clone()));
            return;
        }
        let StmtKind::For { var: point, lo, .. } = &mut body[*at].kind else { return };
        let on_chip = self.on_chip(point, SLOTS, inside);
        *lo = add(self.map.first.clone(), mul(var(SLOTS), self.map.step.clone()));
        let line = body[*at].line;
        body.insert(*at, Stmt { line, ..on_chip });
    }
}

impl Kept {
    fn access(&self) -> Access {
        Access { array: self.element.0.clone(), index: self.element.1.clone() }
    }

    fn on_chip(&self, slot: &str) -> Access {
        Access { array: self.own.clone(), index: vec![var(slot)] }
    }
}

/// Leaves out numbers that nothing mentions any more.
fn drop_unused(body: &mut Vec<Stmt>) {
    let mut used = BTreeSet::new();
    walk::visit(body, &mut |s| {
        s.exprs().into_iter().for_each(|e| e.variables(&mut used));
        used.extend(s.assigns().into_iter().map(str::to_string));
    });
    let n = body.len();
    body.retain(|s| !matches!(&s.kind, StmtKind::Let { var, ty: ScalarType::Index, .. } if !used.contains(var)));
    body.iter_mut().flat_map(Stmt::bodies_mut).for_each(drop_unused);
    if body.len() < n {
        drop_unused(body);
    }
}

/// Condition under which a loop has a first iteration.
fn begins(steps: &Stmt) -> Expr {
    match &steps.kind {
        StmtKind::While { cond, .. } => cond.clone(),
        StmtKind::For { lo, hi, .. } => binary(BinOp::Lt, lo.clone(), hi.clone()),
        _ => Expr::Int(1),
    }
}
