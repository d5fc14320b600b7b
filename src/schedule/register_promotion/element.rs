//! Promoted element of an array: the register that a thread has in its place, whatever found it, and what fills and empties it.
//!
//! Two things find one. [`register_promotion`](crate::schedule::register_promotion) proves of a loop of the part, before it is
//! mapped, that its target stays the same element, which takes dependences. A tile's own
//! (`src/schedule/tile/register_promotion.rs`) then sees the pieces that the loop was taken apart into: for how much of a
//! thread's life an array has that element alone is known only there, because what a block stages is no access of a thread any
//! more.

use crate::kernel::{Access, Expr, ScalarType, Stmt, StmtKind};

/// An element, and the variable that a thread has in its place.
#[derive(Debug, Clone)]
pub struct PromotedElement {
    pub element: Access,
    pub var: String,
    pub ty: ScalarType,
    /// The line of the statement that updates it; 0 where several do.
    pub line: u32,
}

impl PromotedElement {
    /// The variable's declaration, with the element's value.
    pub fn declared(&self) -> Stmt {
        let init = Some(Expr::Load(self.element.clone()));
        self.at_line(StmtKind::Let { var: self.var.clone(), ty: self.ty, init })
    }

    /// The load into a variable that is declared already.
    pub fn filled(&self) -> Stmt {
        let value = Expr::Load(self.element.clone());
        self.at_line(StmtKind::Assign { var: self.var.clone(), op: None, value })
    }

    /// The store of what the variable holds.
    pub fn emptied(&self) -> Stmt {
        let value = Expr::Var(self.var.clone());
        self.at_line(StmtKind::Store { target: self.element.clone(), op: None, value })
    }

    fn at_line(&self, kind: StmtKind) -> Stmt {
        Stmt { kind, line: self.line }
    }
}
