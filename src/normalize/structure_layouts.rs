//! Layouts of structures: where C lays their members, where nothing else is asked for. Each call tests that it does
//! ([`super::arrays_of_structures::are_in_place`]).

use crate::ast::build::constant;
use crate::ast::{ExprKind, StructId, Type, Unit};
use std::collections::BTreeMap;

/// Places of the members of a structure, as C has it where nothing else is asked for.
#[derive(Debug)]
pub struct Layout {
    pub bytes: i64,
    pub align: i64,
    /// The type of each member, and the bytes before it.
    pub members: BTreeMap<String, (Type, i64)>,
    /// The types of what is in it, each once, if all are numbers. Numbers of one type can lie nowhere else in as many bytes.
    pub numbers: Option<Vec<Type>>,
}

/// The layouts of a file's structures, of those that have one.
#[derive(Debug)]
pub struct Layouts(pub BTreeMap<StructId, Layout>);

impl Layouts {
    /// Those of all structures.
    pub fn of(unit: &Unit) -> Layouts {
        let mut layouts = BTreeMap::new();
        (0..unit.structs.len() as u32).for_each(|id| lay_out(unit, StructId(id), &mut layouts));
        Layouts(layouts)
    }
}

impl Layout {
    /// Test for numbers of several types, or anything else beside numbers.
    pub fn is_mixed(&self) -> bool {
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
pub fn size_of(layouts: &BTreeMap<StructId, Layout>, ty: &Type) -> Option<(i64, i64)> {
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
pub fn positions(
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
