//! Effects of statements and expressions: variables that they assign, declare and name, addresses that they take, what may
//! change behind the back of the names.
//!
//! All of it is read from the text in one look, without regard to the order of statements; that is what [`super::liveness`] has.

use crate::ast::visit::Piece;
use crate::ast::{BinOp, Expr, ExprKind, Function, Stmt, StmtKind, Storage, Type, UnOp, Unit, Var, VarId};
use crate::facts::arrays;
use crate::facts::loops::is_loop;
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// What an expression itself assigns, or an element or member of it.
pub fn assigned_by(e: &Expr) -> Option<VarId> {
    match &e.kind {
        ExprKind::Assign { target, .. } | ExprKind::IncDec { target, .. } => target.root(),
        _ => None,
    }
}

/// The variables that the statements assign: scalars and pointers by name, aggregates by a part of theirs.
pub fn assigned<'a>(stmts: impl IntoIterator<Item = &'a Stmt>) -> BTreeSet<VarId> {
    let mut out = BTreeSet::new();
    for s in stmts {
        s.walk(&mut |piece| match piece {
            Piece::Expr(e) => out.extend(assigned_by(e)),
            Piece::Stmt(Stmt { kind: StmtKind::Decl(ds), .. }) => {
                out.extend(ds.iter().filter(|d| d.init.is_some()).map(|d| d.var));
            }
            Piece::Stmt(_) => {}
        });
    }
    out
}

/// The variables that a statement assigns as a whole, by their names; declarations apart.
pub fn assigned_whole(s: &Stmt) -> BTreeSet<VarId> {
    let mut out = BTreeSet::new();
    s.walk(&mut |piece| {
        if let Piece::Expr(Expr { kind: ExprKind::Assign { target, .. } | ExprKind::IncDec { target, .. }, .. }) = piece
        {
            out.extend(target.root().filter(|v| target.is_var(*v)));
        }
    });
    out
}

/// The variables that the statements assign ([`assigned`]), but for structures, and pointers to such, of which they assign no more
/// than parts: other members keep their values.
pub fn changed(unit: &Unit, stmts: &[&Stmt]) -> BTreeSet<VarId> {
    let mut out = assigned(stmts.iter().copied());
    let mut whole = declared(stmts.iter().copied());
    stmts.iter().for_each(|s| whole.extend(assigned_whole(s)));
    out.retain(|v| whole.contains(v) || arrays::structure(&unit.var(*v).ty).is_none());
    out
}

/// The variable and the value of `v = e`.
pub fn plainly_assigned(e: &Expr) -> Option<(VarId, &Expr)> {
    match &e.kind {
        ExprKind::Assign { op: None, target, value } => match target.kind {
            ExprKind::Var(v) => Some((v, value)),
            _ => None,
        },
        _ => None,
    }
}

/// The variables that a statement computes from some, or from what `is_source` says, or sets where these decide.
pub fn computed_from(s: &Stmt, some: BTreeSet<VarId>, is_source: &dyn Fn(&Expr) -> bool) -> BTreeSet<VarId> {
    let values = values(s);
    let mut readers: BTreeMap<VarId, Vec<usize>> = BTreeMap::new();
    let mut pending: Vec<usize> = vec![];
    for (at, (value, _)) in values.iter().enumerate() {
        value.walk(&mut |e| {
            if let ExprKind::Var(v) = e.kind {
                readers.entry(v).or_default().push(at);
            }
        });
        if is_source(value) {
            pending.push(at);
        }
    }
    pending.extend(some.iter().filter_map(|v| readers.remove(v)).flatten());
    let (mut out, mut seen) = (some, BTreeSet::new());
    while let Some(at) = pending.pop() {
        if seen.insert(at) {
            let new = values[at].1.assigned().into_iter().filter(|v| out.insert(*v));
            pending.extend(new.filter_map(|v| readers.remove(&v)).flatten());
        }
    }
    out
}

/// Variables that a value decides.
enum Decides<'a> {
    Var(VarId),
    /// Those that statements under it assign as a whole.
    In(Vec<&'a Stmt>),
}

impl Decides<'_> {
    fn assigned(&self) -> Vec<VarId> {
        let mut out = vec![];
        match self {
            Decides::Var(v) => out.push(*v),
            Decides::In(stmts) => stmts.iter().for_each(|s| {
                s.exprs(&mut |e| {
                    e.walk(&mut |e| {
                        if let ExprKind::Assign { target, .. } = &e.kind {
                            out.extend(target.root().filter(|v| target.is_var(*v)));
                        }
                    });
                });
            }),
        }
        out
    }
}

/// The values that a statement assigns to variables, and the conditions in it, with what they decide.
fn values(s: &Stmt) -> Vec<(&Expr, Decides<'_>)> {
    let mut out = vec![];
    s.walk(&mut |piece| match piece {
        Piece::Expr(Expr { kind: ExprKind::Assign { target, value, .. }, .. }) => {
            let var = target.root().filter(|v| target.is_var(*v));
            out.extend(var.map(|v| (&**value, Decides::Var(v))));
        }
        Piece::Stmt(Stmt { kind: StmtKind::Decl(ds), .. }) => {
            out.extend(ds.iter().filter_map(|d| Some((d.init.as_ref()?, Decides::Var(d.var)))));
        }
        Piece::Stmt(Stmt { kind: StmtKind::If { cond, then, other }, .. }) => {
            let branches = [then].into_iter().chain(other).map(|s| &**s).collect();
            out.push((cond, Decides::In(branches)));
        }
        _ => {}
    });
    out
}

/// Test that everything in a statement is evaluated whenever it runs.
pub fn always_evaluates(s: &Stmt) -> bool {
    let mut always = matches!(s.kind, StmtKind::Expr(_) | StmtKind::Decl(_));
    s.walk(&mut |piece| {
        if let Piece::Expr(e) = piece {
            always &= !matches!(e.kind, ExprKind::Cond(..) | ExprKind::Binary(BinOp::And | BinOp::Or, ..));
        }
    });
    always
}

/// The variables that the statements declare.
pub fn declared<'a>(stmts: impl IntoIterator<Item = &'a Stmt>) -> BTreeSet<VarId> {
    let mut out = BTreeSet::new();
    for s in stmts {
        s.walk(&mut |piece| {
            if let Piece::Stmt(Stmt { kind: StmtKind::Decl(ds), .. }) = piece {
                out.extend(ds.iter().map(|d| d.var));
            }
        });
    }
    out
}

/// Variables that the loops in a statement declare: each iteration has its own.
pub fn declared_in_loops(s: &Stmt) -> BTreeSet<VarId> {
    match is_loop(s) {
        true => declared([s]),
        false => s.stmts().into_iter().flat_map(declared_in_loops).collect(),
    }
}

/// The variables named in an expression.
pub fn variables(e: &Expr) -> BTreeSet<VarId> {
    let mut out = BTreeSet::new();
    e.walk(&mut |e| {
        if let ExprKind::Var(v) = e.kind {
            out.insert(v);
        }
    });
    out
}

/// The variables named anywhere in the statements.
pub fn mentioned<'a>(stmts: impl IntoIterator<Item = &'a Stmt>) -> BTreeSet<VarId> {
    let mut out = BTreeSet::new();
    for s in stmts {
        s.walk(&mut |piece| {
            if let Piece::Expr(e) = piece
                && let ExprKind::Var(v) = e.kind
            {
                out.insert(v);
            }
        });
    }
    out
}

/// A variable of an array's length that may hold another value since the array's declaration took its length, by name.
pub fn changed_since(unit: &Unit, array: &Var, length: &Expr) -> Option<String> {
    let declares = |f: &&Function| {
        let (body, at) = (f.body.span, array.span);
        (body.lo <= at.lo && at.hi <= body.hi) || f.params.iter().any(|p| unit.var(*p).span == at)
    };
    let f = unit.functions.iter().chain(&unit.imported).find(declares)?;
    let mut changed = None;
    length.walk(&mut |x| {
        if let ExprKind::Var(v) = x.kind
            && unit.var(v).value.is_none()
            && may_change(unit, &f.body, v, array.span.hi, &mut vec![&f.name])
        {
            changed = Some(unit.var(v).name.clone());
        }
    });
    changed
}

/// Test that a statement may change `v` behind the place `since`: by itself, through its address, or in what it calls.
pub fn may_change<'a>(unit: &'a Unit, s: &'a Stmt, v: VarId, since: u32, callers: &mut Vec<&'a str>) -> bool {
    let is_global = unit.var(v).storage == Storage::Global;
    let mut changes = false;
    s.walk(&mut |piece| {
        let Piece::Expr(e) = piece else { return };
        if changes || e.span.lo < since {
            return;
        }
        changes = match &e.kind {
            ExprKind::Assign { target, .. } | ExprKind::IncDec { target, .. } => target.root() == Some(v),
            ExprKind::Unary(UnOp::AddrOf, a) => a.root() == Some(v),
            ExprKind::Call { name, .. } if is_global && !callers.contains(&name.as_str()) => {
                let callee = unit.function(name);
                callee.is_some_and(|f| {
                    callers.push(&f.name);
                    may_change(unit, &f.body, v, 0, callers)
                })
            }
            _ => false,
        };
    });
    changes
}

/// Variables whose value may differ from one time that a function comes to a place to the next.
pub fn may_vary(unit: &Unit, function: &Function) -> BTreeSet<VarId> {
    let mut out = assigned([&function.body]);
    out.extend(seen_in_other_ways(unit, function));
    let is_own = |v: &VarId| matches!(unit.var(*v).storage, Storage::Local | Storage::Param);
    out.extend((0..unit.vars.len() as u32).map(VarId).filter(|v| !is_own(v)));
    out
}

/// Test that an expression itself reads what is not a variable of its own, or may.
pub fn reads_memory(e: &Expr) -> bool {
    let is_place = matches!(e.kind, ExprKind::Index(..) | ExprKind::Member { .. } | ExprKind::Unary(UnOp::Deref, _));
    is_place || matches!(e.kind, ExprKind::Call { .. })
}

/// Variables that may be read where no expression names them: through their address, as the length of an array in a
/// type, in C that is not modelled, by who knows whom.
pub fn seen_in_other_ways(unit: &Unit, function: &Function) -> BTreeSet<VarId> {
    let mut out = kept_addresses(unit, function);
    out.extend(&function.obscure);
    out.extend(in_types(unit, function));
    out.extend((0..unit.vars.len() as u32).map(VarId).filter(|v| unit.var(*v).is_volatile));
    out
}

/// The variables in the lengths of arrays, of the file's and of those that a function speaks of.
pub fn in_types(unit: &Unit, function: &Function) -> BTreeSet<VarId> {
    let mut out = BTreeSet::new();
    let mut read = |ty| lengths(ty, &mut |e: &Expr| e.walk(&mut |e| out.extend(e.root())));
    unit.vars.iter().for_each(|var| read(&var.ty));
    function.body.walk(&mut |piece| {
        if let Piece::Expr(e) = piece {
            read(&e.ty);
        }
    });
    out
}

/// Calls `f` on the lengths of an array, outermost first, and of what pointers lead to.
pub fn lengths<'a>(ty: &'a Type, f: &mut dyn FnMut(&'a Expr)) {
    match ty {
        Type::Array { of, len } => {
            len.iter().for_each(|e| f(e));
            lengths(of, f);
        }
        Type::Pointer { to, .. } => lengths(to, f),
        _ => {}
    }
}

/// Where expressions name a variable.
pub fn places<'a>(stmts: impl IntoIterator<Item = &'a Stmt>, v: VarId) -> Vec<Span> {
    let mut out = vec![];
    for s in stmts {
        s.walk(&mut |piece| {
            if let Piece::Expr(e) = piece {
                out.extend(e.is_var(v).then_some(e.span));
            }
        });
    }
    out
}

/// The variables whose address a function takes ([`Function::addresses`]), but for those that are only handed to functions of the file that do no more than follow them: `f(&x)` names
/// `x` where it stands, and nobody sees it later.
fn kept_addresses(unit: &Unit, f: &Function) -> BTreeSet<VarId> {
    let mut out = BTreeSet::new();
    let is_address = |e: &Expr| matches!(e.kind, ExprKind::Unary(UnOp::AddrOf, _));
    f.body.exprs(&mut |e| {
        kept(unit, e, &is_address, &mut vec![&f.name], &mut |e| out.extend(e.root()));
    });
    out
}

/// Calls `f` where something else is done with a pointer than to follow it.
fn kept<'a>(
    unit: &'a Unit,
    e: &'a Expr,
    is_pointer: &dyn Fn(&Expr) -> bool,
    callers: &mut Vec<&'a str>,
    f: &mut dyn FnMut(&'a Expr),
) {
    if is_pointer(e) {
        f(e);
    }
    match &e.kind {
        ExprKind::Unary(UnOp::Deref, x) if is_pointer(x) => {}
        ExprKind::Index(x, index) if is_pointer(x) => kept(unit, index, is_pointer, callers, f),
        ExprKind::Call { name, args } => {
            for (k, arg) in args.iter().enumerate() {
                if !(is_pointer(arg) && only_follows(unit, name, k, callers)) {
                    kept(unit, arg, is_pointer, callers, f);
                }
            }
        }
        _ => e.children().into_iter().for_each(|x| kept(unit, x, is_pointer, callers, f)),
    }
}

/// Test that a function does no more with a parameter, a pointer, than to follow it.
fn only_follows<'a>(unit: &'a Unit, name: &str, param: usize, callers: &mut Vec<&'a str>) -> bool {
    let callee = unit.function(name).filter(|_| !callers.contains(&name));
    let Some((callee, p)) = callee.and_then(|f| Some((f, *f.params.get(param)?))) else { return false };
    let mut follows = callee.body.is_modelled();
    callers.push(&callee.name);
    callee.body.exprs(&mut |e| kept(unit, e, &|x| x.is_var(p), callers, &mut |_| follows = false));
    callers.pop();
    follows
}

/// The counter that a `for` header sets: `i` in `i = 0` or `int i = 0`.
pub fn header_counter(init: &Stmt) -> Option<VarId> {
    match &init.kind {
        StmtKind::Expr(e) => match &e.kind {
            ExprKind::Assign { op: None, target, .. } => match target.kind {
                ExprKind::Var(v) => Some(v),
                _ => None,
            },
            _ => None,
        },
        StmtKind::Decl(ds) if ds.len() == 1 => Some(ds[0].var),
        _ => None,
    }
}

/// Test that an expression changes nothing and calls nobody: it has the same value however often it is computed.
pub fn is_plain(e: &Expr) -> bool {
    let mut is_plain = true;
    e.walk(&mut |e| {
        is_plain &= !matches!(e.kind, ExprKind::Assign { .. } | ExprKind::IncDec { .. } | ExprKind::Call { .. });
    });
    is_plain
}

/// Test that the type is a number.
pub fn is_scalar(ty: &Type) -> bool {
    matches!(ty, Type::Int(_) | Type::Float(_))
}
