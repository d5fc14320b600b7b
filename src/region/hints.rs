//! Statements beside the C of a file's regions: the shapes behind pointers. [`mod@read`] resolves it.

use crate::ast::{self, ExprKind, Stmt, Type, Unit, Var, VarId, print};
use crate::diag::Place;
use crate::facts::{Reason, Remedy, arrays, remedy};
use crate::source::Span;

pub mod read;

/// What the user says of a file's regions.
#[derive(Debug, Clone, Default)]
pub struct Hints {
    pub(super) claims: Vec<Claim>,
    /// Statements behind which C and OpenMP see different values.
    pub(super) lost: Vec<Reason>,
}

/// The shape of an array, as the user states it.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// The array, or the variable through which its structure is reached.
    pub data: VarId,
    /// The array in C, of one that is a member (`g->u`): it is no variable of the user's, and gets the name of this text.
    pub member: Option<String>,
    /// Outermost first.
    pub extents: Vec<ast::Expr>,
    /// Where it is stated; none where it follows from what the program allocates.
    pub place: Option<Place>,
    /// The bytes of the source in which it holds.
    pub(super) holds: Span,
}

/// Help that asks for the shape of an array: the extents that C does not say are words for the user's.
pub fn wanted(unit: &Unit, array: VarId) -> Remedy {
    if unit.table(array).is_some() {
        return remedy!("copy these rows to one array before the loop");
    }
    let Var { name, ty, .. } = unit.var(array);
    let rank = arrays::rank(ty).unwrap_or(1);
    let mut inner = ty;
    let mut extents = vec![if rank > 1 { "ROWS".to_owned() } else { "LENGTH".to_owned() }];
    for _ in 1..rank {
        inner = match inner {
            Type::Pointer { to, .. } => to,
            Type::Array { of, .. } => of,
            _ => inner,
        };
        extents.push(match inner {
            Type::Array { len: Some(len), .. } => print::expr(unit, len),
            _ => "COLUMNS".to_owned(),
        });
    }
    remedy!("say how large it is: #pragma rt shape({name}: {})", extents.join(", "))
}

impl Claim {
    /// Test that it is of this variable, which may stand for a member.
    pub(super) fn is_of(&self, unit: &Unit, data: VarId) -> bool {
        match &self.member {
            None => self.data == data,
            Some(member) => unit.var(data).name == *member,
        }
    }
}

impl Hints {
    /// The shape of an array as stated for the code at a byte of the source: the latest statement counts.
    pub fn shape(&self, unit: &Unit, data: VarId, at: u32) -> Option<&Claim> {
        // The numbers of structures are those of the array that has the structures.
        let record = unit.records.iter().find(|r| r.var == data).and_then(|r| match r.array.kind {
            ExprKind::Var(v) => Some(v),
            _ => None,
        });
        let data = record.unwrap_or(data);
        self.claims.iter().rfind(|c| c.is_of(unit, data) && c.holds.contains(at))
    }

    /// Each shape with the lines in which it holds, as text for a person who debugs a conversion.
    pub fn text(&self, unit: &Unit, line: &dyn Fn(Span) -> u32) -> String {
        let shape = |c: &Claim| {
            let extents: String = c.extents.iter().map(|e| format!("[{}]", print::expr(unit, e))).collect();
            let by = if c.place.is_some() { "the user" } else { "the program" };
            let Span { lo, hi } = c.holds;
            let (first, last) = (line(Span { lo, hi }), line(Span { lo: hi.saturating_sub(1), hi }));
            let name = c.member.as_ref().unwrap_or(&unit.var(c.data).name);
            format!("{name}{extents} in lines {first} to {last}, says {by}\n")
        };
        if self.claims.is_empty() { "(none)\n".to_owned() } else { self.claims.iter().map(shape).collect() }
    }

    /// Why a statement that sets what its threads have copies of stays as it is.
    pub fn lost(&self, s: &Stmt) -> Result<(), Reason> {
        self.lost.iter().find(|reason| reason.span == s.span).map_or(Ok(()), |reason| Err(reason.clone()))
    }
}
