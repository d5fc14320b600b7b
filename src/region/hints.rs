//! Statements beside the C of a file's regions: the shapes behind pointers. [`mod@read`] resolves it.

use crate::ast::{self, ExprKind, Stmt, Unit, VarId, print};
use crate::diag::Place;
use crate::facts::Reason;
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
    pub data: VarId,
    /// Outermost first.
    pub extents: Vec<ast::Expr>,
    /// Where it is stated; none where it follows from what the program allocates.
    pub place: Option<Place>,
    /// The bytes of the source in which it holds.
    pub(super) holds: Span,
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
        self.claims.iter().rfind(|c| c.data == data && c.holds.contains(at))
    }

    /// Each shape with the lines in which it holds, as text for a person who debugs a conversion.
    pub fn text(&self, unit: &Unit, line: &dyn Fn(Span) -> u32) -> String {
        let shape = |c: &Claim| {
            let extents: String = c.extents.iter().map(|e| format!("[{}]", print::expr(unit, e))).collect();
            let by = if c.place.is_some() { "the user" } else { "the program" };
            let Span { lo, hi } = c.holds;
            let (first, last) = (line(Span { lo, hi }), line(Span { lo: hi.saturating_sub(1), hi }));
            format!("{}{extents} in lines {first} to {last}, says {by}\n", unit.var(c.data).name)
        };
        if self.claims.is_empty() { "(none)\n".to_owned() } else { self.claims.iter().map(shape).collect() }
    }

    /// Why a statement that sets what its threads have copies of stays as it is.
    pub fn lost(&self, s: &Stmt) -> Result<(), Reason> {
        self.lost.iter().find(|reason| reason.span == s.span).map_or(Ok(()), |reason| Err(reason.clone()))
    }
}
