//! Arrays of structures, by the numbers in them: `cells[i].speeds[k]`, `p[i].x`, `s->species[kind[i]].mass`.
//!
//! Where statements name members of one type, such an array is an array of numbers of that type with one more dimension,
//! as many as an element is wide, and is seen as that:
//! ```text
//! struct { double x, y, z; } *p;                p[i].y              ->   p[i][1]
//! struct { float rho, speeds[9]; } *cells;      cells[i].speeds[k]  ->   cells[i][1 + k]
//! struct { int id; double mass; } *all;         all[i].mass         ->   all[i][1]      (of doubles, two an element)
//!                                               all[i].id           ->   all[i][0]      (of integers, four)
//! ```
//! Members of another type make another array of the same memory. The two have no number in common, so that no dependence is
//! lost. A call has each on the device for itself; where several are written, each takes home no more than the numbers of its
//! own type ([`are_written_beside`]). Where C lays the members is tested at each call, by the entry: attributes and pragmas may
//! ask for something else. `to->x` beside `p[i].x` is `to[0].x`, an array of its own: whether the two are the same memory is
//! found out at the call, as for other pointers. So is `q.x` of a structure that others may reach, which is `(&q)[0].x`. What loops
//! set of single structures of other types, `t->sum += p[i].x`, is a variable ([`super::single_structures`]). Where the
//! statements around reach members of such a structure in any other way, its arrays stay as they are there: what is read so
//! might be an element.

use super::arrays_in_structures::Members;
use super::single_structures::{self, MemberName, can_be_handed, is_array, single};
use super::structure_layouts::{Layout, Layouts, positions, size_of};
use crate::ast::build::{ast_builder, constant, typing};
use crate::ast::tables;
use crate::ast::visit::Piece;
use crate::ast::{BinOp, Expr, ExprKind, IntKind, Record, Stmt, StmtKind, Storage, StructId, Type, UnOp, Unit, VarId};
use crate::facts::arrays::structure;
use crate::facts::loops::is_loop;
use crate::facts::symbolic::same_expr;
use crate::facts::{Reason, arrays, effects, remedy};
use crate::source::Span;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

/// The most numbers in a structure: all of them go to the device and back, whatever is used of them.
const MOST: i64 = 1024;

/// The structures that arrays are seen through, by statement.
#[derive(Debug)]
pub struct Records<'l> {
    layouts: &'l BTreeMap<StructId, Layout>,
    noted: Vec<Noted>,
    seen_through: OnceCell<BTreeMap<Span, Chosen>>,
    /// Structures that only their names lead to.
    apart: BTreeSet<VarId>,
}

/// A statement of the function, those of the block that it is, and how its form reaches members.
#[derive(Debug)]
struct Noted {
    at: Span,
    listed: Vec<Span>,
    uses: Uses,
}

/// The structures of which statements reach members by subscripts, and in a way that stays; members that are set, and those that
/// loops set of single structures.
#[derive(Debug, Default)]
struct Uses {
    subscripted: BTreeSet<StructId>,
    other: BTreeSet<StructId>,
    set: BTreeSet<MemberName>,
    set_of_single: BTreeSet<MemberName>,
    /// Variables that are set as a whole, or declared.
    moved: BTreeSet<VarId>,
}

/// Structures whose members are seen as numbers of arrays. Of single ones that holds of members that are set: others are sizes and
/// the like, which the call site hands over.
#[derive(Debug, Default, Clone)]
struct Chosen {
    structures: BTreeSet<StructId>,
    set: BTreeSet<MemberName>,
    /// Members of single structures that loops set.
    of_single: BTreeSet<MemberName>,
    /// Pointers that the statement sets: they lead to more than one place.
    moved: BTreeSet<VarId>,
}

/// A member of an element of an array of structures.
struct Place<'e> {
    /// The element, or what points to it.
    record: &'e Expr,
    is_pointer: bool,
    id: StructId,
    /// The bytes before it in the element, and for each subscript within the element the bytes of a step.
    bytes: i64,
    steps: Vec<(&'e Expr, i64)>,
}

impl<'l> Records<'l> {
    /// Those of a function, of whose statements none is noted yet.
    pub fn new(Layouts(layouts): &'l Layouts) -> Self {
        Records { layouts, noted: vec![], seen_through: OnceCell::new(), apart: BTreeSet::new() }
    }

    /// Takes note of how the form of a statement reaches members. Every statement is to be noted before the first one asks
    /// what arrays are seen through.
    pub fn note(&mut self, unit: &Unit, addresses: &BTreeSet<VarId>, written: &Stmt, form: &Stmt) {
        let is_own = |v: VarId| matches!(unit.var(v).storage, Storage::Local | Storage::Param);
        if self.layouts.is_empty() {
            return;
        }
        let listed = match &written.kind {
            StmtKind::Block(body) => body.iter().map(|s| s.span).collect(),
            _ => vec![],
        };
        form.walk(&mut |piece| {
            if let Piece::Expr(Expr { kind: ExprKind::Var(v), ty: Type::Struct(_), .. }) = piece {
                self.apart.extend(Some(*v).filter(|v| is_own(*v) && !addresses.contains(v)));
            }
        });
        let uses = self.uses(unit, form);
        self.noted.push(Noted { at: written.span, listed, uses });
    }

    /// How a statement reaches members of structures.
    fn uses(&self, unit: &Unit, plain: &Stmt) -> Uses {
        let mut out = Uses::default();
        let is_beside = |v: VarId, of: &Type| self.apart.contains(&v) || (can_be_handed(unit, v) && !of.is_complex());
        plain.walk(&mut |piece| {
            let Piece::Expr(e) = piece else { return };
            let ExprKind::Member { base, arrow, .. } = &e.kind else { return };
            let Some(id) = structure(&base.ty) else { return };
            let is_beside =
                matches!(base.kind, ExprKind::Var(v) if *arrow || is_beside(v, &base.ty)) || single(unit, e).is_some();
            if !arrow && is_element(base) {
                out.subscripted.insert(id);
            } else if !is_beside && (*arrow || !is_within_element(base)) {
                out.other.insert(id);
            }
        });
        note_set(unit, plain, false, &mut out);
        out.moved = &effects::assigned_whole(plain) | &effects::declared([plain]);
        out
    }

    /// Arrays that a statement must not follow in a region if it sets them: each is a structure of which this one reads a member as
    /// it is where the region begins.
    pub fn read_before(&self, unit: &Unit, s: &Stmt) -> BTreeSet<VarId> {
        let mut out = BTreeSet::new();
        s.walk(&mut |piece| {
            let Piece::Expr(Expr { kind: ExprKind::Member { base, arrow, .. }, .. }) = piece else { return };
            let own = base.root().filter(|v| !arrow && self.apart.contains(v));
            let is_same = |r: &&Record| match (&r.array.kind, own) {
                (ExprKind::Unary(UnOp::AddrOf, of), Some(v)) => of.is_var(v),
                (_, Some(_)) => false,
                _ => structure(&base.ty) == Some(r.of),
            };
            out.extend(unit.records.iter().filter(is_same).map(|r| r.var));
        });
        out
    }

    /// The structures that arrays of a statement are seen through: the same for all statements of a block, which may be one
    /// region.
    fn chosen(&self, written: &Stmt) -> Option<&Chosen> {
        let seen_through = self.seen_through.get_or_init(|| self.choose());
        seen_through.get(&written.span).filter(|chosen| !(chosen.structures.is_empty() && chosen.of_single.is_empty()))
    }

    fn choose(&self) -> BTreeMap<Span, Chosen> {
        let mut seen_through: BTreeMap<Span, Chosen> = BTreeMap::new();
        let by_span: BTreeMap<Span, &Uses> = self.noted.iter().map(|noted| (noted.at, &noted.uses)).collect();
        for Noted { at, listed, uses: own } in &self.noted {
            seen_through.entry(*at).or_insert_with(|| own.chosen());
            let mut all = Uses::default();
            for uses in listed.iter().filter_map(|s| by_span.get(s)) {
                all.subscripted.extend(&uses.subscripted);
                all.other.extend(&uses.other);
                all.set.extend(uses.set.iter().cloned());
                all.set_of_single.extend(uses.set_of_single.iter().cloned());
            }
            for s in listed {
                let moved = by_span.get(s).map(|uses| uses.moved.clone()).unwrap_or_default();
                seen_through.insert(*s, Chosen { moved, ..all.chosen() });
            }
        }
        seen_through
    }

    /// Puts numbers in the place of members, in a form of that statement. An array that an iteration declares has no place
    /// where the region is called, from which its numbers could be taken.
    pub fn replace(&self, s: &Stmt, unit: &mut Unit, members: &mut Members, form: &mut Stmt) {
        let Some(chosen) = self.chosen(s) else { return };
        let own = effects::declared_in_loops(form);
        form.exprs_mut(&mut |e| {
            e.rewrite(&mut |e| {
                if e.root().is_some_and(|v| own.contains(&v)) {
                    return;
                }
                if self.is_variable(chosen, unit, e) {
                    e.kind = ExprKind::Var(single_structures::variable(unit, members, e));
                } else if let Some(number) = self.number(chosen, unit, members, e) {
                    *e = number;
                }
            });
        });
    }

    /// Test for a member of a single structure that loops set, of no structure that may be an element of an array seen so.
    fn is_variable(&self, chosen: &Chosen, unit: &Unit, e: &Expr) -> bool {
        let is_number = matches!(e.ty, Type::Int(_) | Type::Float(_));
        let is_apart = || single_structures::variable_around(e).is_some_and(|v| self.apart.contains(&v));
        let is_moved = || e.root().is_none_or(|v| chosen.moved.contains(&v));
        let member = single(unit, e).filter(|member| is_number && chosen.of_single.contains(member));
        member.is_some_and(|(id, _)| (!chosen.structures.contains(&id) || is_apart()) && !is_moved())
    }

    /// Names the arrays that are seen so wherever the statement does: where it exchanges them, too. One that is seen in two
    /// ways cannot be exchanged. A member by itself, `p->n`, is named as it was while the statement leaves the pointer alone: the
    /// call site hands it over.
    pub fn rename(&self, s: &Stmt, unit: &Unit, members: &Members, e: &mut Expr) {
        let Some(chosen) = self.chosen(s) else { return };
        let is_member = |e: &Expr| match &e.kind {
            ExprKind::Member { base, .. } => matches!(base.kind, ExprKind::Var(v) if !chosen.moved.contains(&v)),
            _ => false,
        };
        if is_member(e) {
            return;
        }
        // So is the array of structures that pointers to rows are in.
        if let ExprKind::Member { arrow: false, .. } = e.kind
            && let ExprKind::Index(array, _) = &tables::element(e).kind
            && matches!(array.kind, ExprKind::Var(v) if !chosen.moved.contains(&v))
        {
            tables::subscript(e).into_iter().for_each(|at| self.rename(s, unit, members, at));
            return;
        }
        e.children_mut().into_iter().for_each(|e| self.rename(s, unit, members, e));
        let is_seen = |(v, x): &(&VarId, &Expr)| x.kind == e.kind && unit.records.iter().any(|r| r.var == **v);
        let mut seen = members.list.iter().filter(is_seen);
        if let (ExprKind::Var(_), Some((v, x)), None) = (&e.kind, seen.next(), seen.next()) {
            (e.kind, e.ty) = (ExprKind::Var(*v), x.ty.clone());
        }
    }

    /// A member that is a number, or a number in one, as a number of its array.
    fn number(&self, chosen: &Chosen, unit: &mut Unit, members: &mut Members, e: &Expr) -> Option<Expr> {
        if !matches!(e.ty, Type::Int(_) | Type::Float(_)) {
            return None;
        }
        let place = self.place(chosen, e)?;
        let is_single = place.is_pointer || matches!(place.record.kind, ExprKind::Var(_));
        let mut names = BTreeSet::new();
        note_names(e, &mut names);
        if is_single && names.is_disjoint(&chosen.set) {
            return None;
        }
        let layout = self.layouts.get(&place.id)?;
        let size = i64::try_from(constant::size_of(&e.ty)?).ok()?;
        let is_whole = |bytes: i64| bytes % size == 0;
        let count = layout.bytes / size;
        if !is_whole(layout.bytes) || !is_whole(place.bytes) || !place.steps.iter().all(|(_, b)| is_whole(*b)) {
            return None;
        }
        let span = e.span;
        let record = match (place.is_pointer, &place.record.kind) {
            (true, _) => element(place.record.clone(), ast_builder::integer(0, span)),
            (false, ExprKind::Var(_)) => element(address(place.record), ast_builder::integer(0, span)),
            (false, _) => place.record.clone(),
        };
        let count = (count <= MOST).then_some(count)?;
        let mut own = vec![];
        positions(self.layouts, &Type::Struct(place.id), (&e.ty, size), 0, &mut own);
        own.sort_unstable();
        let row = seen(unit, members, &record, &Numbers { of: &e.ty, count, own, layout })?;
        if let Some(seen) = row.root().filter(|_| layout.is_mixed()) {
            hold(unit, seen, &place, e);
        }
        let first = (place.bytes > 0 || place.steps.is_empty()).then(|| ast_builder::integer(place.bytes / size, span));
        let steps = place.steps.iter().map(|(k, bytes)| times(k, bytes / size));
        let index = first.into_iter().chain(steps).reduce(|a, b| ast_builder::binary(BinOp::Add, a, b));
        Some(element(row, index.expect("a number or a subscript")))
    }

    /// Where a member lies, of an element or of a member of one.
    fn place<'e>(&self, chosen: &Chosen, e: &'e Expr) -> Option<Place<'e>> {
        match &e.kind {
            ExprKind::Member { base, field, arrow } => {
                let id = structure(&base.ty)?;
                let bytes = self.layouts.get(&id)?.members.get(field)?.1;
                if !arrow && let Some(place) = self.place(chosen, base) {
                    return Some(Place { bytes: place.bytes + bytes, ..place });
                }
                let is_element = match base.kind {
                    ExprKind::Index(..) => true,
                    ExprKind::Var(v) => *arrow || !self.apart.contains(&v),
                    _ => *arrow,
                };
                (is_element && chosen.structures.contains(&id)).then(|| Place {
                    record: base,
                    is_pointer: *arrow,
                    id,
                    bytes,
                    steps: vec![],
                })
            }
            ExprKind::Index(base, k) if matches!(base.ty, Type::Array { .. }) => {
                let mut place = self.place(chosen, base)?;
                place.steps.push((k, size_of(self.layouts, &e.ty)?.0));
                Some(place)
            }
            _ => None,
        }
    }
}

/// Test in C that the members of a structure, as arrays of it are seen, lie where they are expected.
pub fn are_in_place(records: &[&Record]) -> Expr {
    let byte = Type::Pointer { to: Box::new(Type::Int(IntKind::Char)), is_const: false, restrict: false };
    let byte_of = |of: &Expr| Expr { span: of.span, kind: ExprKind::Cast(Box::new(address(of))), ty: byte.clone() };
    let is = |what: Expr, bytes: i64| {
        let span = what.span;
        ast_builder::binary(BinOp::Eq, what, ast_builder::integer(bytes, span))
    };
    let first = &records[0].first;
    let (kind, ty) = (ExprKind::SizeOfExpr(Box::new(first.clone())), Type::Int(IntKind::ULong));
    let size = is(Expr { kind, ty, span: first.span }, records[0].bytes);
    let mut known = BTreeSet::new();
    let members = records.iter().flat_map(|r| r.members.iter().map(move |(member, bytes)| (member, *bytes, &r.first)));
    let members = members.filter(|(_, bytes, _)| known.insert(*bytes));
    let members = members
        .map(|(member, bytes, first)| is(ast_builder::binary(BinOp::Sub, byte_of(member), byte_of(first)), bytes));
    [size].into_iter().chain(members).reduce(|a, b| ast_builder::binary(BinOp::And, a, b)).expect("a size")
}

/// Test that two variables are members of different types of one array of structures, which have no number in common.
pub fn are_of_one_array(unit: &Unit, a: VarId, b: VarId) -> bool {
    let record = |v: VarId| unit.records.iter().find(|r| r.var == v);
    a != b && record(a).zip(record(b)).is_some_and(|(x, y)| same_expr(&x.array, &y.array))
}

/// Test that a region which writes these variables writes members of another type of the array of structures that `v` is.
pub fn are_written_beside<'v>(unit: &Unit, v: VarId, written: impl IntoIterator<Item = &'v VarId>) -> bool {
    written.into_iter().any(|w| are_of_one_array(unit, v, *w))
}

/// Test of statements that may be one region.
///
/// # Errors
/// They write members of two types of an array of structures whose rows are reached through pointers.
pub fn check(unit: &Unit, stmts: &[&Stmt]) -> Result<(), Reason> {
    if unit.records.len() < 2 {
        return Ok(());
    }
    let written: BTreeSet<VarId> = effects::assigned(stmts.iter().copied());
    let is_split = |v: &&VarId| arrays::n_pointers(&unit.var(**v).ty) > 0 && are_written_beside(unit, **v, &written);
    let Some(v) = written.iter().find(is_split) else { return Ok(()) };
    let name = &unit.var(*v).name;
    let message =
        format!("members of two types are written here, of structures in rows behind the pointers in `{name}`");
    let span = stmts.first().map_or(unit.var(*v).span, |s| s.span);
    Err(Reason::new("structure", message, span)
        .help(remedy!("write members of one type in one loop, and those of another in a loop of its own")))
}

/// Numbers of an array: their type, and how many an element of the array has.
struct Numbers<'t> {
    of: &'t Type,
    count: i64,
    /// Which of them are of that type in the structure.
    own: Vec<i64>,
    layout: &'t Layout,
}

impl Uses {
    fn chosen(&self) -> Chosen {
        let (set, of_single, moved) = (self.set.clone(), self.set_of_single.clone(), self.moved.clone());
        Chosen { structures: &self.subscripted - &self.other, set, of_single, moved }
    }
}

/// Notes the members that are set, and those of single structures that loops set, each by the member of the structure that it is in.
fn note_set(unit: &Unit, s: &Stmt, is_in_loop: bool, out: &mut Uses) {
    let is_in_loop = is_in_loop || is_loop(s);
    s.stmts().into_iter().for_each(|s| note_set(unit, s, is_in_loop, out));
    s.own_exprs(&mut |e| {
        e.walk(&mut |e| {
            let (ExprKind::Assign { target, .. } | ExprKind::IncDec { target, .. }) = &e.kind else { return };
            note_names(target, &mut out.set);
            let is_number = matches!(target.ty, Type::Int(_) | Type::Float(_));
            out.set_of_single.extend(single(unit, target).filter(|_| is_number && is_in_loop));
        });
    });
}

/// Notes the members on the way to a place.
fn note_names(e: &Expr, out: &mut BTreeSet<MemberName>) {
    match &e.kind {
        ExprKind::Member { base, field, .. } => {
            out.extend(structure(&base.ty).map(|id| (id, field.clone())));
            note_names(base, out);
        }
        ExprKind::Index(base, _) => note_names(base, out),
        _ => {}
    }
}

/// `&q`
fn address(e: &Expr) -> Expr {
    let ty = Type::Pointer { to: Box::new(e.ty.clone()), is_const: false, restrict: false };
    Expr { span: e.span, kind: ExprKind::Unary(UnOp::AddrOf, Box::new(e.clone())), ty }
}

/// Test that this is an element of an array that has one place all the while.
fn is_element(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Index(base, _) => is_array(base) || is_element(base),
        _ => false,
    }
}

/// Test that this is a member of such an element, or of a member of one.
fn is_within_element(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Member { base, arrow: false, .. } => is_element(base) || is_within_element(base),
        ExprKind::Index(base, _) if matches!(base.ty, Type::Array { .. }) => is_within_element(base),
        _ => false,
    }
}

/// An element of an array of structures as a row of numbers.
fn seen(unit: &mut Unit, members: &mut Members, e: &Expr, of_type: &Numbers) -> Option<Expr> {
    if is_array(e) {
        let of_var = if let ExprKind::Var(v) = e.kind { unit.var(v).ty.clone() } else { e.ty.clone() };
        let ty = with_numbers(&of_var, of_type)?;
        let seen = members.variable(unit, &Expr { ty: ty.clone(), ..e.clone() });
        if unit.records.iter().all(|r| r.var != seen) {
            let first = first_of(Expr { ty: of_var, ..e.clone() });
            let of = structure(&first.ty)?;
            let Layout { bytes, numbers, .. } = of_type.layout;
            let (array, bytes, numbers_of) = (e.clone(), *bytes, numbers.clone());
            let (count, own) = (of_type.count, of_type.own.clone());
            let members = vec![];
            unit.records.push(Record { var: seen, of, array, first, bytes, numbers: numbers_of, members, count, own });
        }
        return Some(Expr { kind: ExprKind::Var(seen), ty, span: e.span });
    }
    let ExprKind::Index(base, index) = &e.kind else { return None };
    Some(element(seen(unit, members, base, of_type)?, (**index).clone()))
}

/// Notes for an array that is seen so where one of its members lies.
fn hold(unit: &mut Unit, seen: VarId, place: &Place, member: &Expr) {
    let Some(at) = unit.records.iter().position(|r| r.var == seen) else { return };
    let of_first = in_place(member, place.record, &unit.records[at].first);
    if unit.records[at].members.iter().all(|(known, _)| !same_expr(known, &of_first)) {
        unit.records[at].members.push((of_first, place.bytes));
    }
}

/// A member of another element of the same array, the first of all numbers in it.
fn in_place(e: &Expr, record: &Expr, first: &Expr) -> Expr {
    let inner = |base: &Expr| if std::ptr::eq(base, record) { first.clone() } else { in_place(base, record, first) };
    let kind = match &e.kind {
        ExprKind::Member { base, field, .. } => {
            ExprKind::Member { base: Box::new(inner(base)), field: field.clone(), arrow: false }
        }
        ExprKind::Index(base, _) => ExprKind::Index(Box::new(inner(base)), Box::new(ast_builder::integer(0, e.span))),
        other => other.clone(),
    };
    Expr { kind, ty: e.ty.clone(), span: e.span }
}

/// The type of an array with rows of numbers in the place of structures.
fn with_numbers(ty: &Type, numbers: &Numbers) -> Option<Type> {
    Some(match ty {
        Type::Struct(_) => {
            let len = Some(Box::new(ast_builder::integer(numbers.count, Default::default())));
            Type::Array { of: Box::new(numbers.of.clone()), len }
        }
        Type::Array { of, len } => Type::Array { of: Box::new(with_numbers(of, numbers)?), len: len.clone() },
        Type::Pointer { to, is_const, restrict } if !matches!(**to, Type::Pointer { .. }) => {
            Type::Pointer { to: Box::new(with_numbers(to, numbers)?), is_const: *is_const, restrict: *restrict }
        }
        _ => return None,
    })
}

/// `p[0]`
fn first_of(array: Expr) -> Expr {
    let mut e = array;
    while !matches!(e.ty, Type::Struct(_)) {
        let span = e.span;
        e = element(e, ast_builder::integer(0, span));
    }
    e
}

fn element(array: Expr, index: Expr) -> Expr {
    let (ty, span) = (typing::element(&array.ty), array.span);
    Expr { kind: ExprKind::Index(Box::new(array), Box::new(index)), ty, span }
}

fn times(k: &Expr, step: i64) -> Expr {
    match step {
        1 => k.clone(),
        _ => ast_builder::binary(BinOp::Mul, k.clone(), ast_builder::integer(step, k.span)),
    }
}
