//! Heap to stack: memory that an iteration allocates for itself and gives back is an array that its body declares.
//!
//! ```text
//! for (i...) {                                          for (i...) {
//!     double *w = malloc(4 * sizeof *w);                    double w[4];
//!     if (w == NULL) exit(1);                  ->
//!     w[0] = a[i - 1]; ... b[i] = w[0] + w[1];              w[0] = a[i - 1]; ... b[i] = w[0] + w[1];
//!     free(w);
//! }                                                     }
//! ```
//! Each iteration has memory of its own then, whose lifetime `lifetime` follows from the allocation to the one `free` on every
//! path. Tests for null are gone: an array is always there. (Promotion of heap allocations: Choi, Gupta, Serrano, Sreedhar and
//! Midkiff, Escape analysis for Java, OOPSLA 1999; LLVM's Attributor calls it `HeapToStack`.)
//!
//! `calloc` sets the elements to zero; `alloca` needs no `free`. Memory that outlives its iteration, whose address goes
//! elsewhere, or whose size the loop changes is left as it is.

use super::form::{Context, Form};
use crate::ast::build::ast_builder::{assigned, binary, counted, integer, plain};
use crate::ast::build::{constant, typing};
use crate::ast::{BinOp, Declarator, Expr, ExprKind, Field, Stmt, StmtKind, Storage, Type, UnOp, Unit, Var, VarId};
use crate::facts::header::first_value;
use crate::facts::loops::is_loop;
use crate::facts::{allocation, arrays, effects};
use crate::source::Span;
use lifetime::{Lifetime, bare, is_null};
use std::collections::BTreeSet;

mod lifetime;

/// The most elements of an array whose size is known, and the most that are set to zero one by one.
const MOST: i64 = 1 << 24;
const MOST_ZEROS: i64 = 64;

/// Promotes the allocations in the loops of a form.
pub fn open(form: &mut Form<'_>, context: &mut Context<'_>) {
    if !form.has_loop() || !allocates(context.unit, &form.stmt) || context.unit.function("free").is_some() {
        return;
    }
    let moving = &*form.assigned() | &form.declared();
    let (moving, facts) = (&moving | context.facts.addresses(), context.facts);
    let mut refused = &facts.function.obscure | &addressed(&facts.function.body);
    loop {
        let mut search =
            Search { unit: &mut *context.unit, moving: &moving, refused: &refused, promoted: BTreeSet::new() };
        let mut s = form.stmt.clone();
        search.inside(&mut s, false);
        let promoted = search.promoted;
        if promoted.is_empty() {
            return;
        }
        leave_out(&mut s, &promoted);
        let (mentioned, live) = (effects::mentioned([&s]), form.live_behind(context));
        let is_wanted = |v: &&VarId| mentioned.contains(*v) || !form.declared().contains(*v) && live.contains(**v);
        let wanted: Vec<VarId> = promoted.iter().filter(is_wanted).copied().collect();
        if wanted.is_empty() {
            form.stmt = s;
            return;
        }
        refused.extend(wanted);
    }
}

/// Variables whose own address a statement takes: not that of what a pointer leads to.
fn addressed(s: &Stmt) -> BTreeSet<VarId> {
    let mut out = BTreeSet::new();
    s.exprs(&mut |e| {
        e.walk(&mut |e| {
            if let ExprKind::Unary(UnOp::AddrOf, x) = &e.kind
                && let ExprKind::Var(v) = x.kind
            {
                out.insert(v);
            }
        });
    });
    out
}

/// Call that allocates memory.
struct Allocation<'a> {
    /// Factors of how many bytes it allocates.
    bytes: &'a [Expr],
    is_zeroed: bool,
    needs_free: bool,
}

impl Allocation<'_> {
    fn of<'a>(unit: &Unit, value: &'a Expr) -> Option<Allocation<'a>> {
        let ExprKind::Call { name, args } = &bare(value).kind else { return None };
        let bytes = match (name.as_str(), args.len()) {
            ("malloc" | "alloca" | "__builtin_alloca", 1) | ("calloc", 2) => args.as_slice(),
            ("aligned_alloc" | "memalign", 2) => &args[1..],
            _ => return None,
        };
        let is_librarys = unit.function(name).is_none();
        let (is_zeroed, needs_free) = (name == "calloc", !name.ends_with("alloca"));
        is_librarys.then_some(Allocation { bytes, is_zeroed, needs_free })
    }

    /// How many elements of a type it has room for.
    fn length(&self, element: &Type) -> Option<Expr> {
        let span = self.bytes.first()?.span;
        let is_size = |e: Expr| binary(BinOp::Mul, e, integer(1, span));
        if let Some(extents) = allocation::extents(self.bytes, element) {
            let length = extents.into_iter().reduce(|a, b| binary(BinOp::Mul, a, b));
            let length = length.unwrap_or_else(|| integer(1, span));
            return Some(constant::fold(&length).map_or(length, |n| integer(n, span)));
        }
        let bytes = self.bytes.iter().cloned().map(is_size).reduce(|a, b| binary(BinOp::Mul, a, b))?;
        let size = i64::try_from(constant::size_of(element)?).ok()?;
        Some(integer(constant::fold(&bytes)?.checked_div(size)?, span))
    }
}

/// The pointer that a statement sets to new memory, and nothing else, with the call.
fn allocation_in<'a>(unit: &Unit, s: &'a Stmt) -> Option<(VarId, Allocation<'a>)> {
    let (v, value) = first_value(s)?;
    Some((v, Allocation::of(unit, value)?))
}

fn allocates(unit: &Unit, s: &Stmt) -> bool {
    let mut found = false;
    s.exprs(&mut |e| e.walk(&mut |e| found |= Allocation::of(unit, e).is_some()));
    found
}

/// Leaves out declarations of pointers, and what sets them to null, of those that nothing else names.
fn leave_out(s: &mut Stmt, promoted: &BTreeSet<VarId>) {
    s.stmts_mut().into_iter().for_each(|s| leave_out(s, promoted));
    match &mut s.kind {
        StmtKind::Block(list) => list.retain(|s| !matches!(s.kind, StmtKind::Empty) || !s.directives.is_empty()),
        StmtKind::Decl(ds) => {
            let n_before = ds.len();
            ds.retain(|d| !promoted.contains(&d.var) || d.init.as_ref().is_some_and(|e| !is_null(e)));
            if ds.is_empty() && n_before > 0 {
                s.kind = StmtKind::Empty;
            }
        }
        StmtKind::Expr(e) if effects::plainly_assigned(e).is_some_and(|(v, e)| promoted.contains(&v) && is_null(e)) => {
            s.kind = StmtKind::Empty;
        }
        _ => {}
    }
}

struct Search<'a> {
    unit: &'a mut Unit,
    /// Variables that the form sets or declares, or that may change in other ways than by name.
    moving: &'a BTreeSet<VarId>,
    /// Pointers that are left as they are.
    refused: &'a BTreeSet<VarId>,
    /// Pointers that are gone.
    promoted: BTreeSet<VarId>,
}

impl Search<'_> {
    /// Promotes what the blocks of loops allocate, innermost first.
    fn inside(&mut self, s: &mut Stmt, in_loop: bool) {
        let in_body = in_loop || is_loop(s);
        s.stmts_mut().into_iter().for_each(|s| self.inside(s, in_body));
        let StmtKind::Block(list) = &mut s.kind else { return };
        if !in_loop || !list.iter().any(|s| self.holds_allocation(s)) {
            return;
        }
        let mut open = vec![];
        std::mem::take(list).into_iter().for_each(|s| self.flatten(s, &mut open));
        *list = open;
        // Where one is gone, tests for null that it shared with another are of that one alone.
        let mut n_before = None;
        while n_before != Some(self.promoted.len()) {
            n_before = Some(self.promoted.len());
            let mut at = 0;
            while at < list.len() {
                if let Some(new) = self.promote(&list[at..]) {
                    list.splice(at.., new);
                }
                at += 1;
            }
        }
    }

    /// Test for a statement that surely allocates when it runs.
    fn holds_allocation(&self, s: &Stmt) -> bool {
        match &s.kind {
            StmtKind::Block(list) => list.iter().any(|s| self.holds_allocation(s)),
            StmtKind::Decl(ds) => ds.iter().filter_map(|d| d.init.as_ref()).any(|e| self.is_allocation(e)),
            StmtKind::Expr(e) => effects::plainly_assigned(e).is_some_and(|(_, e)| self.is_allocation(e)),
            StmtKind::If { cond, .. } => self.first_in(&mut cond.clone(), &mut vec![]),
            _ => false,
        }
    }

    /// `(v = malloc(...)) == NULL`, `!(v = malloc(...)) || !(w = malloc(...))`: takes out what is done wherever all succeeds, as
    /// statements before the condition.
    fn first_in(&self, cond: &mut Expr, before: &mut Vec<Stmt>) -> bool {
        match &mut cond.kind {
            ExprKind::Assign { op: None, target, value } if self.is_allocation(value) => {
                let target = (**target).clone();
                before.push(plain(StmtKind::Expr(std::mem::replace(cond, target)), cond.span));
                true
            }
            ExprKind::Unary(UnOp::Not, x) | ExprKind::Cast(x) => self.first_in(x, before),
            ExprKind::Binary(BinOp::Eq | BinOp::Ne, a, b) => {
                is_null(b) && self.first_in(a, before) || is_null(a) && self.first_in(b, before)
            }
            ExprKind::Binary(BinOp::Or, a, b) => {
                let is_first = self.first_in(a, before);
                if is_first {
                    self.first_in(b, before);
                }
                is_first
            }
            _ => false,
        }
    }

    fn is_allocation(&self, e: &Expr) -> bool {
        Allocation::of(self.unit, e).is_some()
    }

    /// The statements of blocks in a block (functions that were opened are such), and declarations one by one, where they allocate.
    fn flatten(&self, s: Stmt, out: &mut Vec<Stmt>) {
        let is_open = s.directives.is_empty() && self.holds_allocation(&s);
        match s.kind {
            StmtKind::Block(list) if is_open => list.into_iter().for_each(|s| self.flatten(s, out)),
            StmtKind::Decl(ds) if is_open => {
                out.extend(ds.into_iter().map(|d| plain(StmtKind::Decl(vec![d]), s.span)));
            }
            StmtKind::If { mut cond, then, other } if is_open => {
                self.first_in(&mut cond, out);
                out.push(plain(StmtKind::If { cond, then, other }, s.span));
            }
            kind => out.push(Stmt { kind, ..s }),
        }
    }

    /// Statements with an array in the place of what the first one allocates, if that lives no longer than they run.
    fn promote(&mut self, list: &[Stmt]) -> Option<Vec<Stmt>> {
        let (here, next) = list.split_first()?;
        let (v, allocation) = allocation_in(self.unit, here)?;
        let var = self.unit.var(v).clone();
        let Type::Pointer { to: element, .. } = &var.ty else { return None };
        let is_own = var.storage == Storage::Local && !var.is_volatile && !self.refused.contains(&v);
        let length = allocation.length(element).filter(|_| is_own && here.directives.is_empty())?;
        let known = constant::fold(&length);
        let mut is_fixed = known.is_some_and(|n| (1..=MOST).contains(&n)) || known.is_none() && self.is_fixed(&length);
        effects::lengths(element, &mut |e| is_fixed &= self.is_fixed(e));
        if !is_fixed {
            return None;
        }
        let mut lifetime = Lifetime::new(v, allocation.needs_free);
        let mut body = lifetime.follow(next)?;
        if lifetime.names().iter().any(|v| !self.may_be_gone(*v, &var.ty)) {
            return None;
        }
        let is_one = known == Some(1) && lifetime.is_first_alone;
        let of = arrays::element_type(&var.ty);
        let is_modelled = effects::is_scalar(&of) || matches!(of, Type::Struct(_));
        if !is_modelled || arrays::rank(&var.ty).is_none() || arrays::n_pointers(&var.ty) > 0 {
            return None;
        }
        let ty = match is_one && !matches!(**element, Type::Array { .. }) {
            true => (**element).clone(),
            false => Type::Array { of: element.clone(), len: Some(Box::new(length)) },
        };
        let array = self.unit.add(Var::new(var.name, ty, Storage::Local, here.span));
        let stored = self.unit.read(array, here.span);
        body.iter_mut().for_each(|s| lifetime.replace(s, &stored));
        let init = if allocation.is_zeroed { zeros(&stored.ty, here.span) } else { None };
        let is_set = init.is_some() || !allocation.is_zeroed;
        let mut out = vec![plain(StmtKind::Decl(vec![Declarator { var: array, init }]), here.span)];
        if !is_set {
            out.push(zero(self.unit, stored)?);
        }
        out.extend(body);
        out.extend_from_slice(&next[lifetime.n_followed..]);
        self.promoted.extend(lifetime.names());
        Some(out)
    }

    /// Test for a size that is the same in each iteration.
    fn is_fixed(&self, length: &Expr) -> bool {
        let mut is_fixed = effects::is_plain(length);
        let moves = |v| self.moving.contains(&v) || self.refused.contains(&v) || self.unit.var(v).is_volatile;
        length.walk(&mut |e| is_fixed &= !matches!(e.kind, ExprKind::Var(v) if moves(v)));
        is_fixed
    }

    /// Test for a pointer of the function's own, to such elements, that nothing but its name leads to.
    fn may_be_gone(&self, v: VarId, ty: &Type) -> bool {
        let var = self.unit.var(v);
        let is_own = var.storage == Storage::Local && !var.is_volatile && !self.refused.contains(&v);
        is_own && typing::element(&var.ty) == typing::element(ty)
    }
}

/// Statements that set a number, or the members of a structure, to zero.
fn zero_one(unit: &mut Unit, place: &Expr) -> Option<Stmt> {
    let span = place.span;
    let Type::Struct(id) = place.ty else {
        return effects::is_scalar(&place.ty).then(|| assigned(None, place, integer(0, span), span));
    };
    let fields = unit.structs[id.0 as usize].fields.clone()?;
    let member = |field: Field| {
        let kind = ExprKind::Member { base: Box::new(place.clone()), field: field.name, arrow: false };
        zero(unit, Expr { kind, ty: field.ty, span })
    };
    let each: Option<Vec<Stmt>> = fields.into_iter().map(member).collect();
    Some(plain(StmtKind::Block(each?), span))
}

/// A loop that sets what stands at a place to zero.
fn zero(unit: &mut Unit, place: Expr) -> Option<Stmt> {
    let span = place.span;
    let Type::Array { of, len } = &place.ty else {
        return zero_one(unit, &place);
    };
    let (ty, len) = ((**of).clone(), (**len.as_ref()?).clone());
    let mut element = None;
    let all = counted(unit, "k".into(), (integer(0, span), len), span, |unit, at| {
        let kind = ExprKind::Index(Box::new(place.clone()), Box::new(at.clone()));
        element = zero(unit, Expr { kind, ty, span });
        element.clone().into_iter().collect()
    });
    element.map(|_| all)
}

/// Zeros for all the numbers of an array, or for one number, if they are few.
fn zeros(ty: &Type, span: Span) -> Option<Expr> {
    let mut n_left = MOST_ZEROS;
    zeros_of(ty, span, &mut n_left)
}

fn zeros_of(ty: &Type, span: Span, n_left: &mut i64) -> Option<Expr> {
    let Type::Array { of, len } = ty else {
        *n_left -= 1;
        return (effects::is_scalar(ty) && *n_left >= 0).then(|| integer(0, span));
    };
    let n = constant::fold(len.as_deref()?).filter(|n| *n <= *n_left)?;
    let values: Option<Vec<Expr>> = (0..n).map(|_| zeros_of(of, span, n_left)).collect();
    Some(Expr { kind: ExprKind::InitList(values?), ty: ty.clone(), span })
}
