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
//! found out at the call, as for other pointers. Where the statements around reach members of such a structure in any other way
//! (one by itself, that others may reach), its arrays stay as they are there: what is read so might be an element.

use super::arrays_in_structures::{self, Members};
use crate::ast::build::{ast_builder, constant, typing};
use crate::ast::visit::Piece;
use crate::ast::{BinOp, Expr, ExprKind, IntKind, Record, Stmt, StmtKind, Storage, StructId, Type, UnOp, Unit, VarId};
use crate::facts::symbolic::same_expr;
use crate::facts::{Reason, arrays, effects, remedy};
use crate::source::Span;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

/// The most numbers in a structure: all of them go to the device and back, whatever is used of them.
const MOST: i64 = 1024;

/// Places of the members of a structure, as C has it where nothing else is asked for.
#[derive(Debug)]
struct Layout {
    bytes: i64,
    align: i64,
    /// The type of each member, and the bytes before it.
    members: BTreeMap<String, (Type, i64)>,
    /// The types of what is in it, each once, if all are numbers. Numbers of one type can lie nowhere else in as many bytes.
    numbers: Option<Vec<Type>>,
}

/// The layouts of a file's structures, of those that have one.
#[derive(Debug)]
pub struct Layouts(BTreeMap<StructId, Layout>);

impl Layouts {
    /// Those of all structures.
    pub fn of(unit: &Unit) -> Layouts {
        let mut layouts = BTreeMap::new();
        (0..unit.structs.len() as u32).for_each(|id| lay_out(unit, StructId(id), &mut layouts));
        Layouts(layouts)
    }
}

/// The structures that arrays are seen through, by statement.
#[derive(Debug)]
pub struct Records<'l> {
    layouts: &'l BTreeMap<StructId, Layout>,
    noted: Vec<Noted>,
    seen_through: OnceCell<BTreeMap<Span, BTreeSet<StructId>>>,
}

/// A statement of the function, those of the block that it is, and how its form reaches members.
#[derive(Debug)]
struct Noted {
    at: Span,
    listed: Vec<Span>,
    uses: Uses,
}

/// The structures of which statements reach members by subscripts, and in a way that stays.
#[derive(Debug, Default)]
struct Uses {
    subscripted: BTreeSet<StructId>,
    other: BTreeSet<StructId>,
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
        Records { layouts, noted: vec![], seen_through: OnceCell::new() }
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
        let uses = uses(form, &|v| is_own(v) && !addresses.contains(&v));
        self.noted.push(Noted { at: written.span, listed, uses });
    }

    /// The structures that arrays of a statement are seen through: the same for all statements of a block, which may be one
    /// region.
    fn chosen(&self, written: &Stmt) -> Option<&BTreeSet<StructId>> {
        let seen_through = self.seen_through.get_or_init(|| self.choose());
        seen_through.get(&written.span).filter(|chosen| !chosen.is_empty())
    }

    fn choose(&self) -> BTreeMap<Span, BTreeSet<StructId>> {
        let mut seen_through = BTreeMap::new();
        let by_span: BTreeMap<Span, &Uses> = self.noted.iter().map(|noted| (noted.at, &noted.uses)).collect();
        for Noted { at, listed, uses: own } in &self.noted {
            seen_through.entry(*at).or_insert_with(|| &own.subscripted - &own.other);
            let mut all = Uses::default();
            for uses in listed.iter().filter_map(|s| by_span.get(s)) {
                all.subscripted.extend(&uses.subscripted);
                all.other.extend(&uses.other);
            }
            let chosen = &all.subscripted - &all.other;
            seen_through.extend(listed.iter().map(|s| (*s, chosen.clone())));
        }
        seen_through
    }

    /// Puts numbers in the place of members, in an expression of that statement.
    pub fn replace(&self, s: &Stmt, unit: &mut Unit, members: &mut Members, e: &mut Expr) {
        let Some(chosen) = self.chosen(s) else { return };
        e.rewrite(&mut |e| {
            if let Some(number) = self.number(chosen, unit, members, e) {
                *e = number;
            }
        });
    }

    /// Names the arrays that are seen so wherever the statement does: where it exchanges them, too. One that is seen in two
    /// ways cannot be exchanged.
    pub fn rename(&self, s: &Stmt, unit: &Unit, members: &Members, e: &mut Expr) {
        if self.chosen(s).is_none() {
            return;
        }
        e.rewrite(&mut |e| {
            let is_seen = |(v, x): &(&VarId, &Expr)| x.kind == e.kind && unit.records.iter().any(|r| r.var == **v);
            let mut seen = members.list.iter().filter(is_seen);
            if let (ExprKind::Var(_), Some((v, x)), None) = (&e.kind, seen.next(), seen.next()) {
                (e.kind, e.ty) = (ExprKind::Var(*v), x.ty.clone());
            }
        });
    }

    /// A member that is a number, or a number in one, as a number of its array.
    fn number(&self, chosen: &BTreeSet<StructId>, unit: &mut Unit, members: &mut Members, e: &Expr) -> Option<Expr> {
        if !matches!(e.ty, Type::Int(_) | Type::Float(_)) {
            return None;
        }
        let place = self.place(chosen, e)?;
        let layout = self.layouts.get(&place.id)?;
        let size = i64::try_from(constant::size_of(&e.ty)?).ok()?;
        let is_whole = |bytes: i64| bytes % size == 0;
        let count = layout.bytes / size;
        if !is_whole(layout.bytes) || !is_whole(place.bytes) || !place.steps.iter().all(|(_, b)| is_whole(*b)) {
            return None;
        }
        let span = e.span;
        let record = match place.is_pointer {
            true => element(place.record.clone(), ast_builder::integer(0, span)),
            false => place.record.clone(),
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
    fn place<'e>(&self, chosen: &BTreeSet<StructId>, e: &'e Expr) -> Option<Place<'e>> {
        match &e.kind {
            ExprKind::Member { base, field, arrow } => {
                let id = structure(&base.ty)?;
                let bytes = self.layouts.get(&id)?.members.get(field)?.1;
                if !arrow && let Some(place) = self.place(chosen, base) {
                    return Some(Place { bytes: place.bytes + bytes, ..place });
                }
                let is_element = *arrow || matches!(base.kind, ExprKind::Index(..));
                (is_element && chosen.contains(&id)).then(|| Place {
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
    let address = |of: &Expr| {
        let ty = Type::Pointer { to: Box::new(of.ty.clone()), is_const: false, restrict: false };
        let at = Expr { kind: ExprKind::Unary(UnOp::AddrOf, Box::new(of.clone())), ty, span: of.span };
        Expr { span: of.span, kind: ExprKind::Cast(Box::new(at)), ty: byte.clone() }
    };
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
        .map(|(member, bytes, first)| is(ast_builder::binary(BinOp::Sub, address(member), address(first)), bytes));
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

impl Layout {
    fn is_mixed(&self) -> bool {
        self.numbers.as_ref().is_none_or(|types| types.len() > 1)
    }
}

/// Lays a structure out, behind those that are members of it; not one with a member that has no size, or an odd one.
fn lay_out(unit: &Unit, id: StructId, layouts: &mut BTreeMap<StructId, Layout>) {
    let Some(fields) = unit.structs[id.0 as usize].fields.as_ref() else { return };
    let mut out = Layout { bytes: 0, align: 1, members: BTreeMap::new(), numbers: Some(vec![]) };
    for field in fields {
        if let Some(inner) = structure_within(&field.ty).filter(|inner| !layouts.contains_key(inner)) {
            lay_out(unit, inner, layouts);
        }
        let Some((bytes, align)) = size_of(layouts, &field.ty) else { return };
        let at = rounded(out.bytes, align);
        out.members.insert(field.name.clone(), (field.ty.clone(), at));
        (out.bytes, out.align) = (at + bytes, out.align.max(align));
        let new = numbers_of(layouts, &field.ty);
        out.numbers = out.numbers.zip(new).map(|(mut known, new)| {
            known.extend(new.into_iter().filter(|ty| !known.contains(ty)).collect::<Vec<_>>());
            known
        });
    }
    out.bytes = rounded(out.bytes, out.align);
    if out.bytes > 0 {
        layouts.insert(id, out);
    }
}

fn rounded(bytes: i64, align: i64) -> i64 {
    (bytes + align - 1) / align * align
}

/// The bytes that a member takes, and what its address is a multiple of.
fn size_of(layouts: &BTreeMap<StructId, Layout>, ty: &Type) -> Option<(i64, i64)> {
    match ty {
        Type::Struct(id) => layouts.get(id).map(|layout| (layout.bytes, layout.align)),
        Type::Array { of, len } => {
            let ExprKind::Int(len) = len.as_ref()?.kind else { return None };
            let (bytes, align) = size_of(layouts, of)?;
            Some((bytes.checked_mul(len).filter(|bytes| (0..=1 << 40).contains(bytes))?, align))
        }
        ty => {
            let bytes = i64::try_from(constant::size_of(ty)?).ok()?;
            Some((bytes, bytes))
        }
    }
}

/// The types of what is in a member, if all are numbers.
fn numbers_of(layouts: &BTreeMap<StructId, Layout>, ty: &Type) -> Option<Vec<Type>> {
    match ty {
        Type::Struct(id) => layouts.get(id)?.numbers.clone(),
        Type::Array { of, .. } => numbers_of(layouts, of),
        Type::Int(_) | Type::Float(_) => Some(vec![ty.clone()]),
        _ => None,
    }
}

/// Where numbers of a type lie in what is behind `bytes` bytes of a structure: as many such numbers before them.
fn positions(
    layouts: &BTreeMap<StructId, Layout>,
    ty: &Type,
    (of, size): (&Type, i64),
    bytes: i64,
    out: &mut Vec<i64>,
) {
    match ty {
        Type::Struct(id) => {
            let members = layouts.get(id).into_iter().flat_map(|layout| layout.members.values());
            members.for_each(|(ty, before)| positions(layouts, ty, (of, size), bytes + before, out));
        }
        Type::Array { of: item, len } => {
            let len = len.as_ref().and_then(|len| if let ExprKind::Int(len) = len.kind { Some(len) } else { None });
            if let (Some(len), Some((step, _))) = (len, size_of(layouts, item)) {
                (0..len).for_each(|k| positions(layouts, item, (of, size), bytes + k * step, out));
            }
        }
        ty if ty == of && bytes % size == 0 => out.push(bytes / size),
        _ => {}
    }
}

/// The structure that a member is, or has many of.
fn structure_within(ty: &Type) -> Option<StructId> {
    match ty {
        Type::Struct(id) => Some(*id),
        Type::Array { of, .. } => structure_within(of),
        _ => None,
    }
}

/// The structure, or the one that is pointed to.
fn structure(ty: &Type) -> Option<StructId> {
    match ty {
        Type::Struct(id) => Some(*id),
        Type::Pointer { to, .. } => structure(to),
        _ => None,
    }
}

/// How a statement reaches members of structures. `is_apart`: whether a structure is no element of an array.
fn uses(plain: &Stmt, is_apart: &dyn Fn(VarId) -> bool) -> Uses {
    let mut out = Uses::default();
    plain.walk(&mut |piece| {
        let Piece::Expr(e) = piece else { return };
        e.walk(&mut |e| {
            let ExprKind::Member { base, arrow, .. } = &e.kind else { return };
            let Some(id) = structure(&base.ty) else { return };
            let is_beside = matches!(base.kind, ExprKind::Var(v) if *arrow || is_apart(v));
            if !arrow && is_element(base) {
                out.subscripted.insert(id);
            } else if !is_beside && (*arrow || !is_within_element(base)) {
                out.other.insert(id);
            }
        });
    });
    out
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

/// Test that it leads to an array of structures, always the same one while no pointer and no structure is assigned.
fn is_array(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Var(_) => true,
        ExprKind::Member { .. } => arrays_in_structures::is_fixed(e),
        ExprKind::Index(..) => matches!(e.ty, Type::Pointer { .. }) && arrays_in_structures::is_fixed(e),
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
