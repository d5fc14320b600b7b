//! Scalar replacement of structures: those of an iteration, as a variable for each member.
//!
//! ```text
//! complex w = u[i];                     double w_re = u[i].re, w_im = u[i].im;
//! w.im = -w.im;               ->        w_im = -w_im;
//! v[i] = w;                             v[i].re = w_re; v[i].im = w_im;
//! ```
//! A local structure of numbers gives way if it is only copied as a whole or named by its members, and no value of it is
//! wanted outside the iteration (scalar replacement of aggregates: Muchnick, Advanced Compiler Design and
//! Implementation, section 12.2). A copy from one array to another is one for each member, too, and so is `p[i] = (vec3){y, x, 0}`,
//! whose values are all computed before the first is stored where they may be read there. A member that is an array becomes a local
//! array; one that is a structure gives way in the next round. Members that nobody reads are not copied. An array of structures that
//! an iteration declares is an array for each member.

use super::form::{Context, Form};
use super::{copy_propagation, structure_copies};
use crate::ast::build::ast_builder::{assigned, declared, integer, plain};
use crate::ast::build::{constant, typing};
use crate::ast::visit::Piece;
use crate::ast::{Declarator, Expr, ExprKind, Field, Function, Stmt, StmtKind, Storage, Type, Unit, Var, VarId};
use crate::facts::effects;
use crate::facts::liveness::Live;
use std::collections::{BTreeMap, BTreeSet};

/// The most members of a structure that gives way, and the most numbers in it.
const MOST: usize = 16;
const MOST_NUMBERS: usize = 64;

/// How deep structures may lie within one that gives way.
const MAX_DEPTH: usize = 4;

/// For each structure that gives way, a variable for each of its members.
type Parts = BTreeMap<VarId, Vec<(Field, VarId)>>;

/// Opens the structures of a form, and then those that were members of them.
pub fn open(form: &mut Form<'_>, context: &mut Context<'_>) {
    let n_vars = context.unit.vars.len();
    for _ in 0..MAX_DEPTH {
        let before = has_structure(&form.stmt).then(|| form.stmt.clone());
        let Some(before) = before else { break };
        open_outermost(form, context);
        if form.stmt == before {
            break;
        }
    }
    let new: BTreeSet<VarId> = (n_vars..context.unit.vars.len()).map(|k| VarId(k as u32)).collect();
    if !new.is_empty() {
        copy_propagation::propagate(context.unit, &new, &mut form.stmt);
    }
}

fn open_outermost(form: &mut Form<'_>, context: &mut Context<'_>) {
    let (unit, facts, s) = (&mut *context.unit, context.facts, &mut form.stmt);
    let (named, seen, own) = (named(unit, s), facts.addresses(), effects::declared([&*s]));
    let of_iterations = effects::declared_in_loops(s);
    let mut parts = Parts::new();
    for (v, (times, fit)) in named {
        let var = unit.var(v).clone();
        let Some(fields) = fields(unit, structure(&var.ty)) else { continue };
        // In a function that was opened, an address is a name; and what is declared here has none elsewhere.
        let is_array = matches!(var.ty, Type::Array { .. });
        let is_seen = if is_array { !of_iterations.contains(&v) } else { seen.contains(&v) && !own.contains(&v) };
        if times > fit || is_seen || var.storage != Storage::Local || var.is_volatile {
            continue;
        }
        let part = |field: Field| {
            let name = format!("{}_{}", var.name, field.name);
            let part = unit.add(Var::new(name, of_member(&var.ty, &field.ty), Storage::Local, var.span));
            (field, part)
        };
        parts.insert(v, fields.into_iter().map(part).collect());
    }
    while let Some(v) = copied_whole(s, &parts) {
        parts.remove(&v);
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

/// One of the structures that gives way although another one is declared with its value, which does not.
fn copied_whole(s: &Stmt, parts: &Parts) -> Option<VarId> {
    let mut whole = None;
    s.walk(&mut |piece| {
        let Piece::Stmt(Stmt { kind: StmtKind::Decl(ds), .. }) = piece else { return };
        for d in ds.iter().filter(|d| !parts.contains_key(&d.var)) {
            let note = &mut |e: &Expr| whole = whole.or(root(e).filter(|v| parts.contains_key(v)));
            d.init.iter().for_each(|e| places_of(e, note));
        }
    });
    whole
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
fn replaced(unit: &mut Unit, f: &Function, parts: &Parts, s: &mut Stmt) -> Result<(), Vec<VarId>> {
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

/// The structure that an array is of, if it is one.
fn structure(ty: &Type) -> &Type {
    match ty {
        Type::Array { of, .. } => structure(of),
        ty => ty,
    }
}

/// The type of an array of structures with one of their members in the place of each.
fn of_member(ty: &Type, member: &Type) -> Type {
    match ty {
        Type::Array { of, len } => Type::Array { of: Box::new(of_member(of, member)), len: len.clone() },
        _ => member.clone(),
    }
}

/// The structure that a place is, or that it is an element of an array of.
fn root(e: &Expr) -> Option<VarId> {
    match &e.kind {
        ExprKind::Var(v) => Some(*v),
        ExprKind::Index(base, _) if matches!(base.ty, Type::Array { .. }) => root(base),
        _ => None,
    }
}

/// The same place in another array, or in a variable.
fn place_in(unit: &Unit, part: VarId, e: &Expr) -> Expr {
    let ExprKind::Index(base, at) = &e.kind else { return unit.read(part, e.span) };
    let base = place_in(unit, part, base);
    let ty = typing::element(&base.ty);
    Expr { kind: ExprKind::Index(Box::new(base), at.clone()), ty, span: e.span }
}

/// The members of a structure of numbers, and of arrays and structures of such.
fn fields(unit: &Unit, ty: &Type) -> Option<Vec<Field>> {
    let Type::Struct(id) = ty else { return None };
    let fields = unit.structs[id.0 as usize].fields.as_ref()?;
    let is_small = fields.len() <= MOST && n_numbers(unit, ty, MAX_DEPTH).is_some_and(|n| n <= MOST_NUMBERS);
    is_small.then(|| fields.clone())
}

/// Test for a structure of few numbers, with nothing else in it.
pub fn is_of_numbers(unit: &Unit, ty: &Type) -> bool {
    fields(unit, ty).is_some_and(|fields| fields.iter().all(|field| effects::is_scalar(&field.ty)))
}

/// How many numbers are in an object; `None` where there is anything else.
fn n_numbers(unit: &Unit, ty: &Type, depth: usize) -> Option<usize> {
    match ty {
        Type::Struct(id) => {
            let fields = unit.structs[id.0 as usize].fields.as_ref().filter(|_| depth > 0)?;
            fields.iter().try_fold(0usize, |n, field| n.checked_add(n_numbers(unit, &field.ty, depth - 1)?))
        }
        Type::Array { of, len } if !matches!(**of, Type::Struct(_)) => {
            n_numbers(unit, of, depth)?.checked_mul(length(len.as_deref())?)
        }
        ty => effects::is_scalar(ty).then_some(1),
    }
}

fn length(len: Option<&Expr>) -> Option<usize> {
    usize::try_from(constant::fold(len?)?).ok()
}

/// How often structures are named in a statement, and how often of these by a member or in a copy.
fn named(unit: &Unit, s: &Stmt) -> BTreeMap<VarId, (usize, usize)> {
    let mut out: BTreeMap<VarId, (usize, usize)> = BTreeMap::new();
    let mut fits = |e: &Expr| {
        if let Some(v) = root(e).filter(|_| matches!(e.ty, Type::Struct(_))) {
            out.entry(v).or_default().1 += 1;
        }
    };
    s.walk(&mut |p| match p {
        Piece::Expr(Expr { kind: ExprKind::Member { base, arrow: false, .. }, .. }) => fits(base),
        Piece::Stmt(Stmt { kind: StmtKind::Expr(e), .. }) => {
            if let Some((target, value)) = copied(e) {
                places_of(target, &mut fits);
                places_of(value, &mut fits);
            }
        }
        Piece::Stmt(Stmt { kind: StmtKind::Decl(ds), .. }) => {
            ds.iter().filter_map(|d| d.init.as_ref()).for_each(|e| places_of(e, &mut fits));
        }
        _ => {}
    });
    let is_structure = |v: VarId| matches!(structure(&unit.var(v).ty), Type::Struct(_));
    s.walk(&mut |p| match p {
        Piece::Expr(Expr { kind: ExprKind::Var(v), .. }) if is_structure(*v) => out.entry(*v).or_default().0 += 1,
        Piece::Stmt(Stmt { kind: StmtKind::Decl(ds), .. }) => {
            for d in ds.iter().filter(|d| is_structure(d.var)) {
                let is_known = d.init.as_ref().is_none_or(is_value);
                out.entry(d.var).or_default().0 += usize::from(!is_known);
            }
        }
        // In a head there is no room for the statements that one becomes.
        Piece::Stmt(Stmt { kind: StmtKind::For { init: Some(init), .. }, .. }) => {
            effects::declared([&**init]).into_iter().for_each(|v| out.entry(v).or_default().0 += 1);
        }
        _ => {}
    });
    out
}

/// Calls `f` on the structures that a value is, or that are listed in it.
fn places_of(e: &Expr, f: &mut dyn FnMut(&Expr)) {
    match listed(e) {
        Some(values) => values.iter().for_each(|e| places_of(e, f)),
        None if is_place(e) => f(e),
        None => {}
    }
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
            if is_place(target) && is_value(value) && is_steady(target) && is_steady(value) =>
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

/// Test for a structure that is named, or listed by its members.
pub fn is_value(e: &Expr) -> bool {
    is_place(e) || listed(e).is_some()
}

/// The values of `{a, b}` and `(T){a, b}`, a structure.
pub fn listed(e: &Expr) -> Option<&[Expr]> {
    match &e.kind {
        _ if !matches!(e.ty, Type::Struct(_)) => None,
        ExprKind::InitList(values) => Some(values),
        ExprKind::Cast(list) => listed(list),
        _ => None,
    }
}

fn replace(unit: &mut Unit, parts: &Parts, s: &mut Stmt) {
    open_copies(unit, parts, s);
    s.exprs_mut(&mut |e| {
        e.rewrite(&mut |e| {
            if let ExprKind::Member { base, field, arrow: false } = &e.kind
                && let Some(v) = root(base)
                && let Some((_, part)) = parts.get(&v).and_then(|parts| parts.iter().find(|(f, _)| f.name == *field))
            {
                *e = place_in(unit, *part, base);
            }
        });
    });
}

/// Copies of structures, and declarations of those that give way, as those of members.
fn open_copies(unit: &mut Unit, parts: &Parts, s: &mut Stmt) {
    s.stmts_mut().into_iter().for_each(|s| open_copies(unit, parts, s));
    match &mut s.kind {
        StmtKind::Block(body) => {
            *body = std::mem::take(body).into_iter().flat_map(|s| declarations(unit, parts, s)).collect();
        }
        StmtKind::Expr(e) => {
            let Some((target, value)) = copied(e) else { return };
            if fields(unit, &target.ty).is_none() {
                let copies =
                    if is_place(value) { structure_copies::by_members(unit, target, value, s.span) } else { None };
                s.kind = copies.map_or(s.kind.clone(), StmtKind::Block);
                return;
            }
            let mut pairs = vec![];
            if numbers(unit, target.clone(), value, &mut pairs).is_none() {
                return;
            }
            let is_read = listed(value).is_some() && may_read(parts, target, &pairs);
            let before = if is_read { compute_first(unit, &mut pairs) } else { vec![] };
            let copies = pairs.into_iter().map(|(target, value)| assigned(None, &target, value, s.span));
            s.kind = StmtKind::Block(before.into_iter().chain(copies).collect());
        }
        _ => {}
    }
}

/// Test that values may be read from the structure that they are stored in.
fn may_read(parts: &Parts, target: &Expr, pairs: &[(Expr, Expr)]) -> bool {
    let Some(root) = target.root() else { return true };
    let is_alone = target.is_var(root) && parts.contains_key(&root);
    pairs.iter().any(|(_, value)| {
        let mut reads = value.mentions(root);
        value.walk(&mut |e| reads |= !is_alone && effects::reads_memory(e));
        reads
    })
}

/// Puts values into variables, which are declared so.
fn compute_first(unit: &mut Unit, pairs: &mut [(Expr, Expr)]) -> Vec<Stmt> {
    let mut out = vec![];
    for (target, value) in pairs.iter_mut().filter(|(_, value)| !matches!(value.kind, ExprKind::Int(_))) {
        let name = if let ExprKind::Member { field, .. } = &target.kind { field.as_str() } else { "element" };
        let var = unit.add(Var::new(format!("new_{name}"), target.ty.clone(), Storage::Local, value.span));
        let read = unit.read(var, value.span);
        out.push(declared(var, std::mem::replace(value, read)));
    }
    out
}

/// The numbers of a structure, or of a member of one, each with its new value.
fn numbers(unit: &Unit, target: Expr, value: &Expr, out: &mut Vec<(Expr, Expr)>) -> Option<()> {
    match &target.ty {
        Type::Struct(_) => {
            for (k, field) in fields(unit, &target.ty)?.iter().enumerate() {
                let value = listed(value).map_or_else(|| Some(member(value, field)), |list| list.get(k).cloned())?;
                numbers(unit, member(&target, field), &value, out)?;
            }
            Some(())
        }
        Type::Array { len, .. } => {
            for k in 0..length(len.as_deref())? {
                let value = match &value.kind {
                    ExprKind::InitList(list) => list.get(k)?.clone(),
                    _ => element(value, k),
                };
                numbers(unit, element(&target, k), &value, out)?;
            }
            Some(())
        }
        _ => {
            out.push((target, value.clone()));
            Some(())
        }
    }
}

/// Declarations in the place of one: those of the members, and statements that set the elements of arrays.
fn declarations(unit: &mut Unit, parts: &Parts, s: Stmt) -> Vec<Stmt> {
    let ds = match s.kind {
        StmtKind::Decl(ds) if ds.iter().any(|d| parts.contains_key(&d.var)) => ds,
        _ => return vec![s],
    };
    let (mut own, mut out) = (vec![], vec![]);
    for d in ds {
        let Some(parts) = parts.get(&d.var) else {
            own.push(d);
            continue;
        };
        for (k, (field, var)) in parts.iter().enumerate() {
            let init = d.init.as_ref().and_then(|e| match listed(e) {
                Some(list) => list.get(k).cloned(),
                None => Some(member(e, field)),
            });
            let Some(value) = init.as_ref().filter(|_| matches!(field.ty, Type::Array { .. })) else {
                own.push(Declarator { var: *var, init });
                continue;
            };
            own.push(Declarator { var: *var, init: None });
            out.push(plain(StmtKind::Decl(std::mem::take(&mut own)), s.span));
            let mut pairs = vec![];
            let is_set = numbers(unit, unit.read(*var, s.span), value, &mut pairs).is_some();
            debug_assert!(is_set, "a structure that gives way has the numbers that were counted");
            out.extend(pairs.into_iter().map(|(target, value)| assigned(None, &target, value, s.span)));
        }
    }
    if !own.is_empty() {
        out.push(Stmt { kind: StmtKind::Decl(own), ..s });
    }
    out
}

fn element(array: &Expr, k: usize) -> Expr {
    let at = integer(k as i64, array.span);
    let ty = typing::element(&array.ty);
    Expr { kind: ExprKind::Index(Box::new(array.clone()), Box::new(at)), ty, span: array.span }
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
