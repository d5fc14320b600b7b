//! Assertions in regions. None is lost: a call for which one would fail runs the original, which fails where it should.
//!
//! | condition | becomes |
//! | --- | --- |
//! | of nothing that the region sets: `p != NULL`, `eps > 0` | a test before the call (here) |
//! | affine in counters and sizes: `i < n` | a condition on the sizes, tested by the entry, if it does not always hold ([`extract`](super::extract)) |
//! | of numbers that the host computes between nests | the region given up, where it fails (here) |
//! | of data | noted on the device, the region given up at its end ([`speculative_exits`](crate::normalize::speculative_exits)) |

use super::extractor::Extractor;
use crate::ast::assertion::{failing, has_assertion, opposite};
use crate::ast::{BinOp, Expr, ExprKind, Stmt, StmtKind, Storage, Type, UnOp, Unit, VarId};
use crate::facts::{Reason, effects, remedy};
use std::collections::BTreeSet;

/// Statements without the assertions of which nothing that they do decides, and what these assert; `None` where there is
/// none.
pub fn taken_out(unit: &Unit, stmts: &[&Stmt]) -> Option<(Vec<Stmt>, Vec<Expr>)> {
    if !stmts.iter().any(|s| has_assertion(s)) {
        return None;
    }
    let mut changing = effects::assigned(stmts.iter().copied());
    // A pointer stays where it is while something is set behind it.
    let pointers: BTreeSet<VarId> = stmts.iter().flat_map(|s: &&Stmt| effects::assigned_whole(s)).collect();
    changing.retain(|v| pointers.contains(v) || !matches!(unit.var(*v).ty, Type::Pointer { .. }));
    changing.extend(effects::declared(stmts.iter().copied()));
    let mut stmts: Vec<Stmt> = stmts.iter().map(|s| (*s).clone()).collect();
    let mut rest = stmts.clone();
    rest.iter_mut().for_each(without);
    let named = effects::mentioned(rest.iter());
    let mut taker = Taker { unit, changing, named, taken: vec![] };
    stmts.iter_mut().for_each(|s| taker.stmt(s, true));
    (!taker.taken.is_empty()).then_some((stmts, taker.taken))
}

/// Drops the assertions in a statement.
fn without(s: &mut Stmt) {
    if failing(s).is_some() {
        s.kind = StmtKind::Empty;
    }
    s.stmts_mut().into_iter().for_each(without);
}

struct Taker<'a> {
    unit: &'a Unit,
    changing: BTreeSet<VarId>,
    /// Variables that something beside assertions names.
    named: BTreeSet<VarId>,
    taken: Vec<Expr>,
}

impl Taker<'_> {
    /// `surely`: no loop and no condition stands around the statement.
    fn stmt(&mut self, s: &mut Stmt, surely: bool) {
        if let Some(cond) = failing(s) {
            if self.is_fixed(cond) && (surely || !self.is_of_sizes(cond)) {
                let asserted = opposite(cond);
                if !self.taken.contains(&asserted) {
                    self.taken.push(asserted);
                }
                s.kind = StmtKind::Empty;
            }
            return;
        }
        let surely = surely && matches!(s.kind, StmtKind::Block(_));
        s.stmts_mut().into_iter().for_each(|s| self.stmt(s, surely));
    }

    /// Test for a condition that the call can compute beforehand, whether or not the program would come to it.
    fn is_fixed(&self, cond: &Expr) -> bool {
        let mut is_fixed = true;
        cond.walk(&mut |x| {
            is_fixed &= match &x.kind {
                ExprKind::Var(v) => self.keeps(*v) && (x.ty.is_scalar() || matches!(x.ty, Type::Pointer { .. })),
                ExprKind::Unary(op, _) => !matches!(op, UnOp::Deref | UnOp::AddrOf),
                // Some values have no quotient, and none is computed where the program would not come to it.
                ExprKind::Binary(BinOp::Div | BinOp::Rem, _, by) => {
                    matches!(by.ty, Type::Float(_)) || matches!(by.kind, ExprKind::Int(by) if by > 0)
                }
                ExprKind::Binary(BinOp::Shl | BinOp::Shr, _, by) => matches!(by.kind, ExprKind::Int(0..32)),
                ExprKind::Int(_) | ExprKind::Float(..) | ExprKind::Cast(_) | ExprKind::Binary(..) => true,
                ExprKind::Cond(..) => true,
                _ => false,
            };
        });
        is_fixed
    }

    /// Test for a variable that holds one value; what others may set by its address must be read by the loops, too.
    fn keeps(&self, v: VarId) -> bool {
        let var = self.unit.var(v);
        let mut is_own = matches!(var.storage, Storage::Param | Storage::Local | Storage::Global);
        is_own &= !self.unit.is_addressed(v);
        !self.changing.contains(&v) && !var.is_volatile && (is_own || self.named.contains(&v))
    }

    fn is_of_sizes(&self, cond: &Expr) -> bool {
        Extractor::new(self.unit, self.changing.clone()).failure(cond).is_some()
    }
}

/// Refusal of an assertion at a place where nothing of the above can be done.
pub fn refused(s: &Stmt) -> Reason {
    let message = "this assertion cannot be part of a region: whether it holds is known only while the loops run, and what \
                   stands behind it might do harm where it does not";
    Reason::new("assertion", message, s.span)
        .help(remedy!("compile with -DNDEBUG, or assert it in a loop of its own before this one"))
}
