//! Statements that hold others.

use super::super::{Expr, Stmt, StmtKind, Unroll};
use super::{Parsed, Parser};

impl Parser {
    pub(super) fn phase(&mut self) -> Parsed<Stmt> {
        let (name, note) = (self.name()?, self.quoted()?);
        let (body, line) = self.block()?;
        Ok(Stmt { kind: StmtKind::Phase { name, note, body }, line })
    }

    pub(super) fn if_stmt(&mut self) -> Parsed<Stmt> {
        let cond = self.condition()?;
        let (then, line) = self.block()?;
        let other = if self.accept_word("else") { self.block()?.0 } else { Vec::new() };
        Ok(Stmt { kind: StmtKind::If { cond, then, other }, line })
    }

    pub(super) fn for_stmt(&mut self) -> Parsed<Stmt> {
        let var = self.name()?;
        self.expect_word("in")?;
        let lo = self.expr()?;
        self.expect("..")?;
        let hi = self.expr()?;
        self.expect_word("step")?;
        let step = self.expr()?;
        let unroll = match self.accept_word("unrolled") {
            true if self.accept("(") => Unroll::By(self.expr()?),
            true => Unroll::All,
            false => Unroll::AsItIs,
        };
        if let Unroll::By(_) = unroll {
            self.expect(")")?;
        }
        let (body, line) = self.block()?;
        Ok(Stmt { kind: StmtKind::For { var, lo, hi, step, unroll, body }, line })
    }

    pub(super) fn while_stmt(&mut self) -> Parsed<Stmt> {
        let cond = self.condition()?;
        let (body, line) = self.block()?;
        let step = if self.accept_word("step") { self.block()?.0 } else { Vec::new() };
        Ok(Stmt { kind: StmtKind::While { cond, step, body }, line })
    }

    fn condition(&mut self) -> Parsed<Expr> {
        self.expect("(")?;
        let cond = self.expr()?;
        self.expect(")")?;
        Ok(cond)
    }
}
