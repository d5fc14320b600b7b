//! Reads expressions of the kernel IR's text form.

use super::lex::TokenKind;
use super::{Parsed, Parser};
use crate::ast::BinOp;
use crate::kernel::text::position;
use crate::kernel::{Access, Expr, UnaryOp};

/// Expressions, by the precedence of [`BinOp::precedence`].
impl Parser {
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        let cond = self.infix(0)?;
        if !self.accept("?") {
            return Ok(cond);
        }
        let a = self.expr()?;
        self.expect(":")?;
        let b = self.expr()?;
        Ok(Expr::Cond(cond.into(), a.into(), b.into()))
    }

    /// Operands joined by infix operators that bind at least as tightly as `at_least`.
    fn infix(&mut self, at_least: u8) -> Parsed<Expr> {
        let mut left = self.prefix()?;
        while let Some(op) = BinOp::ALL.iter().copied().find(|op| self.is(op.symbol()) && op.precedence() >= at_least) {
            self.at += 1;
            let right = self.infix(op.precedence() + 1)?;
            left = Expr::Binary(op, left.into(), right.into());
        }
        Ok(left)
    }

    fn prefix(&mut self) -> Parsed<Expr> {
        if self.is("-") && self.tokens[self.at + 1].is_integer() {
            return Ok(Expr::Int(self.integer()?));
        }
        let ops = [UnaryOp::Neg, UnaryOp::Not, UnaryOp::BitNot];
        if let Some(op) = ops.into_iter().find(|op| self.accept(&op.to_string())) {
            return Ok(Expr::Unary(op, self.prefix()?.into()));
        }
        if !self.accept("(") {
            return self.atom();
        }
        if self.is_scalar_type() {
            let ty = self.scalar_type()?;
            self.expect(")")?;
            return Ok(Expr::Cast(ty, self.prefix()?.into()));
        }
        let inner = self.expr()?;
        self.expect(")")?;
        Ok(inner)
    }

    fn atom(&mut self) -> Parsed<Expr> {
        match self.peek().clone() {
            TokenKind::Number(_) if self.tokens[self.at].is_integer() => Ok(Expr::Int(self.integer()?)),
            TokenKind::Number(text) => {
                self.at += 1;
                Ok(Expr::Float(text))
            }
            TokenKind::Name(name) => {
                self.at += 1;
                Ok(if self.is("[") {
                    Expr::Load(Access { array: name, index: self.list("[", "]", Self::expr)? })
                } else if self.is("(") {
                    Expr::Call(name, self.list("(", ")", Self::expr)?)
                } else {
                    Expr::Var(name)
                })
            }
            TokenKind::Word(word) if word == "aligned" => self.aligned(),
            TokenKind::Word(word) => self.word(&word),
            _ => self.expected("an expression"),
        }
    }

    fn aligned(&mut self) -> Parsed<Expr> {
        self.at += 1;
        self.expect("(")?;
        let access = self.access()?;
        self.expect(",")?;
        let count = Box::new(self.expr()?);
        self.expect(")")?;
        Ok(Expr::Aligned { access, count })
    }

    /// An expression that one of the form's own words begins.
    fn word(&mut self, word: &str) -> Parsed<Expr> {
        let make: fn(Box<Expr>, Box<Expr>) -> Expr = match word {
            "min" => Expr::Min,
            "max" => Expr::Max,
            "floordiv" => Expr::FloorDiv,
            "ceildiv" => Expr::CeilDiv,
            "mod" => Expr::Mod,
            _ => {
                let value = match word {
                    "INFINITY" | "NAN" => Some(Expr::Float(word.to_string())),
                    "goes_on" => Some(Expr::GoesOn),
                    _ => position(word),
                };
                let Some(value) = value else { return self.expected("an expression") };
                self.at += 1;
                return Ok(value);
            }
        };
        self.at += 1;
        self.expect("(")?;
        let a = self.expr()?;
        self.expect(",")?;
        let b = self.expr()?;
        self.expect(")")?;
        Ok(make(a.into(), b.into()))
    }
}
