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

/// Test for a loop around others of which only its run tells how long it is.
pub fn is_open(s: &Stmt) -> bool {
    match &s.kind {
        StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } => has_loop(body),
        StmtKind::For { body, .. } => body.exits().breaks && has_loop(body),
        _ => false,
    }
}
