//! Loops of C as statements, whatever becomes of them.

use crate::ast::visit::Piece;
use crate::ast::{Stmt, StmtKind};

/// Test for a loop of C.
pub fn is_loop(s: &Stmt) -> bool {
    matches!(s.kind, StmtKind::For { .. } | StmtKind::While { .. } | StmtKind::DoWhile { .. })
}

/// Test for a loop, or one inside.
pub fn has_loop(s: &Stmt) -> bool {
    let mut found = false;
    s.walk(&mut |p| found |= matches!(p, Piece::Stmt(s) if is_loop(s)));
    found
}
