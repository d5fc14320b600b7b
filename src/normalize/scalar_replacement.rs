//! Scalar replacement of structures: those of an iteration, as a variable for each member.
//!
//! ```text
//! complex w = u[i];                     double w_re = u[i].re, w_im = u[i].im;
//! w.im = -w.im;               ->        w_im = -w_im;
//! v[i] = w;                             v[i].re = w_re; v[i].im = w_im;
//! ```
//! A local structure of numbers gives way if it is only copied as a whole or named by its members, and no value of it is
//! wanted outside the iteration (scalar replacement of aggregates: Muchnick, Advanced Compiler Design and
//! Implementation, section 12.2). A copy from one array to another is one for each member, too.
//! Members that nobody reads are not copied.

use super::form::{Context, Form};
use crate::ast::build::ast_builder;
use crate::ast::visit::Piece;
use crate::ast::{Declarator, Expr, ExprKind, Field, Function, Stmt, StmtKind, Storage, Type, Unit, Var, VarId};
use crate::facts::effects;
use crate::facts::liveness::Live;
use std::collections::{BTreeMap, BTreeSet};

/// The most members of a structure that gives way.
const MOST: usize = 16;

/// For each structure that gives way, a variable for each of its members.
type Parts = BTreeMap<VarId, Vec<(Field, VarId)>>;

/// Opens the structures of a form.
pub fn open(form: &mut Form<'_>, context: &mut Context<'_>) {
    let (unit, facts, s) = (&mut *context.unit, context.facts, &mut form.stmt);
    if !has_structure(s) {
        return;
    }
    let (named, seen) = (named(unit, s), facts.addresses());
    let mut parts = Parts::new();
    for (v, (times, fit)) in named {
        let var = unit.var(v).clone();
        let Some(fields) = fields(unit, &var.ty) else { continue };
        if times > fit || seen.contains(&v) || var.storage != Storage::Local || var.is_volatile {
            continue;
        }
        let part = |field: Field| {
            let name = format!("{}_{}", var.name, field.name);
            let part = unit.add(Var::new(name, field.ty.clone(), Storage::Local, var.span));
            (field, part)
        };
        parts.insert(v, fields.into_iter().map(part).collect());
    }
    while let Err(wanted) = replaced(unit, facts.function, &parts, s) {
        parts.retain(|v, _| !wanted.contains(v));
    }
    let parts: BTreeSet<VarId> = parts.values().flatten().map(|(_, part)| *part).collect();
    if !parts.is_empty() {
        let mut read = BTreeSet::new();
        note_read(s, &mut read);
        leave_out(s, &(&parts - &read));
    }
}

/// Notes the variables that a statement does more with than to set them.
fn note_read(s: &Stmt, out: &mut BTreeSet<VarId>) {
    s.stmts().into_iter().for_each(|s| note_read(s, out));
    s.own_exprs(&mut |e| {
        let value = effects::plainly_assigned(e).map_or(e, |(_, value)| value);
        value.walk(&mut |e| out.extend(if let ExprKind::Var(v) = e.kind { Some(v) } else { None }));
    });
}

/// Leaves out what only sets variables that nobody reads: members of a structure that was copied as a whole.
fn leave_out(s: &mut Stmt, unread: &BTreeSet<VarId>) {
    s.stmts_mut().into_iter().for_each(|s| leave_out(s, unread));
    let is_unread = |v: VarId, value: Option<&Expr>| unread.contains(&v) && value.is_none_or(effects::is_plain);
    match &mut s.kind {
        StmtKind::Decl(ds) => {
            let n_before = ds.len();
            ds.retain(|d| !is_unread(d.var, d.init.as_ref()));
            if ds.is_empty() && n_before > 0 {
                s.kind = StmtKind::Empty;
            }
        }
        StmtKind::Expr(e) if effects::plainly_assigned(e).is_some_and(|(v, value)| is_unread(v, Some(value))) => {
            s.kind = StmtKind::Empty;
        }
        _ => {}
    }
}

/// Puts variables in the place of structures; else those of which a value is wanted outside an iteration.
fn replaced(unit: &Unit, f: &Function, parts: &Parts, s: &mut Stmt) -> Result<(), Vec<VarId>> {
    let inside = effects::declared([&*s]);
    let outside: Vec<VarId> = parts.keys().copied().filter(|v| !inside.contains(v)).collect();
    let mut new = s.clone();
    replace(unit, parts, &mut new);
    if !outside.is_empty() {
        let mut f = f.clone();
        replace(unit, parts, &mut f.body);
        f.body.exprs_mut(&mut |e| e.rewrite(&mut |e| read_all(parts, e)));
        let live = Live::behind(&f, s.span);
        let is_wanted = |v: &VarId| {
            let own: Vec<VarId> = parts[v].iter().map(|(_, part)| *part).collect();
            !declare(&mut new, &live, &own)
        };
        let wanted: Vec<VarId> = outside.into_iter().filter(is_wanted).collect();
        if !wanted.is_empty() {
            return Err(wanted);
        }
    }
    *s = new;
    Ok(())
}

/// Declares variables in the innermost block of a statement that has all that names them; not where a value of theirs
/// comes into that block or is read behind it. `live`: behind the statement.
fn declare(s: &mut Stmt, live: &Live, vars: &[VarId]) -> bool {
    let times = |s: &Stmt| vars.iter().map(|v| effects::places([s], *v).len()).sum::<usize>();
    let all = times(s);
    if let Some(k) = s.stmts().iter().position(|s| times(s) == all) {
        let below = live.behind_children(s).swap_remove(k);
        if declare(s.stmts_mut().swap_remove(k), &below, vars) {
            return true;
        }
    }
    let before = live.before(s);
    let StmtKind::Block(body) = &mut s.kind else { return false };
    if vars.iter().any(|v| live.contains(*v) || before.contains(*v)) {
        return false;
    }
    let declarators = vars.iter().map(|v| Declarator { var: *v, init: None }).collect();
    body.insert(0, Stmt { kind: StmtKind::Decl(declarators), span: s.span, directives: vec![] });
    true
}

fn has_structure(s: &Stmt) -> bool {
    let mut has = false;
    s.walk(&mut |p| has |= matches!(p, Piece::Expr(Expr { ty: Type::Struct(_), .. })));
    has
}

/// The members of a structure of numbers.
pub fn fields(unit: &Unit, ty: &Type) -> Option<Vec<Field>> {
    let Type::Struct(id) = ty else { return None };
    let fields = unit.structs[id.0 as usize].fields.as_ref()?;
    let is_plain = fields.len() <= MOST && fields.iter().all(|field| effects::is_scalar(&field.ty));
    is_plain.then(|| fields.clone())
}

/// How often structures are named in a statement, and how often of these by a member or in a copy.
fn named(unit: &Unit, s: &Stmt) -> BTreeMap<VarId, (usize, usize)> {
    let mut out: BTreeMap<VarId, (usize, usize)> = BTreeMap::new();
    let mut fits = |e: &Expr| {
        if let ExprKind::Var(v) = e.kind {
            out.entry(v).or_default().1 += 1;
        }
    };
    s.walk(&mut |p| match p {
        Piece::Expr(Expr { kind: ExprKind::Member { base, arrow: false, .. }, .. }) => fits(base),
        Piece::Stmt(Stmt { kind: StmtKind::Expr(e), .. }) => {
            copied(e).into_iter().for_each(|(target, value)| [target, value].into_iter().for_each(&mut fits));
        }
        Piece::Stmt(Stmt { kind: StmtKind::Decl(ds), .. }) => {
            ds.iter().filter_map(|d| d.init.as_ref()).filter(|e| is_place(e)).for_each(&mut fits);
        }
        _ => {}
    });
    let is_structure = |v: VarId| matches!(unit.var(v).ty, Type::Struct(_));
    s.walk(&mut |p| match p {
        Piece::Expr(Expr { kind: ExprKind::Var(v), .. }) if is_structure(*v) => out.entry(*v).or_default().0 += 1,
        Piece::Stmt(Stmt { kind: StmtKind::Decl(ds), .. }) => {
            for d in ds.iter().filter(|d| is_structure(d.var)) {
                let is_known = d.init.as_ref().is_none_or(|e| is_place(e) || is_list_of_numbers(e));
                out.entry(d.var).or_default().0 += usize::from(!is_known);
            }
        }
        _ => {}
    });
    out
}

fn is_list_of_numbers(e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::InitList(list) if list.iter().all(|e| e.ty.is_scalar()))
}

/// Target and value of `v[i] = w`, both structures. Not of `w = v[w.next]`: the first member that is copied would change
/// where the others are.
fn copied(e: &Expr) -> Option<(&Expr, &Expr)> {
    fn is_steady(e: &Expr) -> bool {
        let ExprKind::Index(base, at) = &e.kind else { return true };
        let mut has_member = false;
        at.walk(&mut |e| has_member |= matches!(e.kind, ExprKind::Member { .. }));
        !has_member && is_steady(base)
    }
    match &e.kind {
        ExprKind::Assign { op: None, target, value }
            if [target, value].into_iter().all(|e| is_place(e) && is_steady(e)) =>
        {
            Some((target, value))
        }
        _ => None,
    }
}

/// Test that it names a structure, the same one however often it is computed.
pub fn is_place(e: &Expr) -> bool {
    let is_named = matches!(e.kind, ExprKind::Var(_) | ExprKind::Index(..) | ExprKind::Member { .. });
    effects::is_plain(e) && matches!(e.ty, Type::Struct(_)) && is_named
}

fn replace(unit: &Unit, parts: &Parts, s: &mut Stmt) {
    open_copies(unit, parts, s);
    s.exprs_mut(&mut |e| {
        e.rewrite(&mut |e| {
            if let ExprKind::Member { base, field, arrow: false } = &e.kind
                && let ExprKind::Var(v) = base.kind
                && let Some((_, part)) = parts.get(&v).and_then(|parts| parts.iter().find(|(f, _)| f.name == *field))
            {
                e.kind = ExprKind::Var(*part);
            }
        });
    });
}

/// Copies of structures, and declarations of those that give way, as those of members.
fn open_copies(unit: &Unit, parts: &Parts, s: &mut Stmt) {
    s.stmts_mut().into_iter().for_each(|s| open_copies(unit, parts, s));
    match &mut s.kind {
        StmtKind::Decl(ds) => *ds = ds.drain(..).flat_map(|d| declared(parts, d)).collect(),
        StmtKind::Expr(e) => {
            let Some((target, value)) = copied(e) else { return };
            let Some(fields) = fields(unit, &target.ty) else { return };
            let copy = |field: &Field| {
                let (target, value) = (Box::new(member(target, field)), Box::new(member(value, field)));
                let kind = ExprKind::Assign { op: None, target, value };
                let copy = Expr { kind, ty: field.ty.clone(), span: e.span };
                Stmt { kind: StmtKind::Expr(copy), span: s.span, directives: vec![] }
            };
            s.kind = StmtKind::Block(fields.iter().map(copy).collect());
        }
        _ => {}
    }
}

fn declared(parts: &Parts, d: Declarator) -> Vec<Declarator> {
    let Some(parts) = parts.get(&d.var) else { return vec![d] };
    let init = |k: usize, field: &Field| match &d.init {
        Some(Expr { kind: ExprKind::InitList(list), span, .. }) => {
            let zero = || ast_builder::integer(0, *span);
            Some(list.get(k).cloned().unwrap_or_else(zero))
        }
        init => init.as_ref().map(|e| member(e, field)),
    };
    parts.iter().enumerate().map(|(k, (field, var))| Declarator { var: *var, init: init(k, field) }).collect()
}

fn member(base: &Expr, field: &Field) -> Expr {
    let kind = ExprKind::Member { base: Box::new(base.clone()), field: field.name.clone(), arrow: false };
    Expr { kind, ty: field.ty.clone(), span: base.span }
}

/// What still names a structure reads all of it.
fn read_all(parts: &Parts, e: &mut Expr) {
    let ExprKind::Var(v) = e.kind else { return };
    for (field, part) in parts.get(&v).into_iter().flatten() {
        let read = Expr { kind: ExprKind::Var(*part), ty: field.ty.clone(), span: e.span };
        let kind = ExprKind::Comma(Box::new(read), Box::new(e.clone()));
        *e = Expr { kind, ty: e.ty.clone(), span: e.span };
    }
}
