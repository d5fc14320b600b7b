//! Means by which complex numbers are taken apart: pairs of expressions, variables of parts, what is computed beforehand.

use crate::ast::complex::member;
use crate::ast::{Expr, ExprKind, FloatKind, IntKind, Storage, Type, Unit, Var, VarId};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Types of a function's parameters and of what it returns, as the program has them.
#[derive(Clone)]
pub(super) struct Signature {
    pub params: Vec<Type>,
    pub ret: Type,
}

/// Complex numbers of a unit on their way to pairs.
pub(super) struct Pairs<'u> {
    pub unit: &'u mut Unit,
    pub signatures: BTreeMap<String, Signature>,
    /// Variables of the real and of the imaginary part.
    pub parts: BTreeMap<VarId, (VarId, VarId)>,
    /// Statements that the one at hand needs before it; `None` where nothing can be.
    pub before: Option<Vec<Before>>,
    /// Results of the function at hand.
    pub results: Option<(VarId, VarId)>,
    /// Variables in what was left unmodelled.
    pub obscure: BTreeSet<VarId>,
}

/// Something that is computed before a statement.
pub(super) enum Before {
    Value(VarId, Expr),
    /// A call that leaves its result in two variables.
    Call(Expr, [VarId; 2]),
}

/// A value: of a real one there is no imaginary part.
#[derive(Debug, Clone)]
pub(super) struct Pair {
    pub re: Expr,
    pub im: Option<Expr>,
}

/// Both parts of a complex number.
pub(super) struct Parts {
    pub re: Expr,
    pub im: Expr,
}

impl From<Parts> for Pair {
    fn from(parts: Parts) -> Pair {
        Pair::of(parts.re, parts.im)
    }
}

impl Pair {
    pub fn of(re: Expr, im: Expr) -> Pair {
        Pair { re, im: Some(im) }
    }

    /// The value as C converts it to a complex type.
    pub fn to(self, kind: FloatKind) -> Parts {
        let im = self.im.unwrap_or_else(|| zero(kind, self.re.span));
        Parts { re: cast(self.re, kind), im: cast(im, kind) }
    }

    /// The type that the usual conversions make of its own.
    pub fn kind(&self) -> Type {
        self.re.ty.clone()
    }
}

impl Pairs<'_> {
    /// Findings of what is beyond this: its variables count as used in some way.
    pub(super) fn unmodelled(&mut self, e: &Expr) -> Expr {
        e.walk(&mut |e| {
            if let ExprKind::Var(v) = e.kind {
                self.obscure.insert(v);
            }
        });
        let why = "complex numbers in an expression that does more than compute".to_owned();
        Expr { kind: ExprKind::Unmodelled(why), ty: e.ty.clone(), span: e.span }
    }

    /// A value in a variable of its own, computed before the statement at hand.
    pub(super) fn bound(&mut self, value: Expr) -> Option<Expr> {
        if matches!(value.kind, ExprKind::Var(_) | ExprKind::Float(..) | ExprKind::Int(_)) {
            return Some(value);
        }
        self.before.as_ref()?;
        let var = self.temporary("rt_part", &value.ty, value.span);
        let read = self.unit.read(var, value.span);
        self.before.iter_mut().for_each(|list| list.push(Before::Value(var, value.clone())));
        Some(read)
    }

    pub(super) fn temporary(&mut self, wish: &str, ty: &Type, span: Span) -> VarId {
        let name = self.unit.free_name(wish);
        self.unit.add(Var::new(name, ty.clone(), Storage::Local, span))
    }

    /// Parts of a place, of a variable that stays whole too.
    pub(super) fn place(&self, e: &Expr) -> Pair {
        let parts = match e.kind {
            ExprKind::Var(v) => self.parts.get(&v).copied(),
            _ => None,
        };
        match parts {
            Some((re, im)) => Pair::of(self.unit.read(re, e.span), self.unit.read(im, e.span)),
            None => Pair::of(member(e, "re"), member(e, "im")),
        }
    }
}

pub(super) fn has_complex(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |e| found |= e.ty.is_complex());
    found
}

/// Test that computing it changes nothing: a call counts as that.
pub(super) fn is_plain(e: &Expr) -> bool {
    let mut plain = true;
    e.walk(&mut |e| plain &= !matches!(e.kind, ExprKind::Assign { .. } | ExprKind::IncDec { .. }));
    plain
}

pub(super) fn cast(e: Expr, kind: FloatKind) -> Expr {
    let ty = Type::Float(kind);
    match e.kind {
        _ if e.ty == ty => e,
        ExprKind::Int(value) if e.ty == Type::Int(IntKind::Int) => {
            let text = format!("{value}.0{}", suffix(kind));
            Expr { kind: ExprKind::Float(value as f64, text), ty, span: e.span }
        }
        _ => Expr { span: e.span, kind: ExprKind::Cast(Box::new(e)), ty },
    }
}

pub(super) fn zero(kind: FloatKind, span: Span) -> Expr {
    Expr { kind: ExprKind::Float(0.0, format!("0.0{}", suffix(kind))), ty: Type::Float(kind), span }
}

/// Suffix of constants and functions of a type.
pub(super) fn suffix(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Float => "f",
        FloatKind::Double => "",
        FloatKind::LongDouble => "l",
    }
}
