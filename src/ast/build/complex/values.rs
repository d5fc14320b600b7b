//! Complex values as two expressions.

use super::pairs::{Before, Pair, Pairs, Parts, cast, has_complex, is_plain, suffix, zero};
use crate::ast::build::ast_builder::binary;
use crate::ast::build::typing;
use crate::ast::complex::member;
use crate::ast::{BinOp, Expr, ExprKind, FloatKind, Type, UnOp, VarId};
use crate::source::Span;

/// The most nodes of an operand that is written twice.
const MOST_TWICE: usize = 6;
/// The same where nothing can be computed beforehand.
const MOST_IN_CONDITION: usize = 40;

impl Pairs<'_> {
    /// An expression whose value is real, or is converted to that.
    pub(super) fn value(&mut self, e: &Expr) -> Expr {
        if e.ty.is_complex() {
            return self.pair(e).re;
        }
        if !has_complex(e) {
            return e.clone();
        }
        match &e.kind {
            ExprKind::Member { base, field, arrow: false } if base.ty.is_complex() => self.part(base, field),
            ExprKind::Binary(op @ (BinOp::Eq | BinOp::Ne), a, b) if a.ty.is_complex() || b.ty.is_complex() => {
                self.equality(*op, a, b, e)
            }
            ExprKind::Binary(op @ (BinOp::And | BinOp::Or), a, b) => {
                let (a, b) = (self.condition(a), self.apart(|x| x.condition(b)));
                Expr { kind: ExprKind::Binary(*op, Box::new(a), Box::new(b)), ..e.clone() }
            }
            ExprKind::Unary(UnOp::Not, a) => {
                Expr { kind: ExprKind::Unary(UnOp::Not, Box::new(self.condition(a))), ..e.clone() }
            }
            ExprKind::Cond(c, a, b) => {
                let c = self.condition(c);
                let (a, b) = self.apart(|x| (x.value(a), x.value(b)));
                Expr { kind: ExprKind::Cond(Box::new(c), Box::new(a), Box::new(b)), ..e.clone() }
            }
            ExprKind::Unary(UnOp::AddrOf, x) if x.ty.is_complex() => {
                let place = Box::new(self.inside(x));
                Expr { kind: ExprKind::Unary(UnOp::AddrOf, place), ..e.clone() }
            }
            ExprKind::SizeOfExpr(x) => Expr { kind: ExprKind::SizeOfType(x.ty.clone()), ..e.clone() },
            ExprKind::Call { name, args } => self.real_call(name, args, e),
            ExprKind::Assign { target, .. } | ExprKind::IncDec { target, .. } if target.ty.is_complex() => {
                self.unmodelled(e)
            }
            ExprKind::InitList(_) => self.unmodelled(e),
            _ => self.inside(e),
        }
    }

    /// The expression with its operands as real values.
    fn inside(&mut self, e: &Expr) -> Expr {
        let mut out = e.clone();
        out.children_mut().into_iter().for_each(|x| *x = self.value(x));
        out
    }

    /// The same, of which it is not known that it is computed at all.
    fn apart<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.before.take();
        let out = f(self);
        self.before = before;
        out
    }

    /// A value that is tested to be other than zero.
    pub(super) fn condition(&mut self, e: &Expr) -> Expr {
        if !e.ty.is_complex() {
            return self.value(e);
        }
        let kind = e.ty.complex_of().unwrap_or(FloatKind::Double);
        let parts = self.pair(e).to(kind);
        let is_set = |part: Expr| {
            let none = zero(kind, part.span);
            binary(BinOp::Ne, part, none)
        };
        binary(BinOp::Or, is_set(parts.re), is_set(parts.im))
    }

    fn part(&mut self, base: &Expr, field: &str) -> Expr {
        let kind = base.ty.complex_of().unwrap_or(FloatKind::Double);
        let parts = self.pair(base).to(kind);
        if field == "re" { parts.re } else { parts.im }
    }

    fn equality(&mut self, op: BinOp, a: &Expr, b: &Expr, e: &Expr) -> Expr {
        let kind = typing::common(&a.ty, &b.ty).and_then(|ty| ty.complex_of()).unwrap_or(FloatKind::Double);
        let (a, b) = (self.pair(a).to(kind), self.pair(b).to(kind));
        let both = if op == BinOp::Eq { BinOp::And } else { BinOp::Or };
        let out = binary(both, binary(op, a.re, b.re), binary(op, a.im, b.im));
        Expr { span: e.span, ..out }
    }

    /// A call whose result is real.
    fn real_call(&mut self, name: &str, args: &[Expr], e: &Expr) -> Expr {
        if let (Some((function, kind)), [z]) = (self.library(name), args) {
            let suffix = suffix(kind);
            match function {
                "creal" => return cast(self.pair(z).to(kind).re, kind),
                "cimag" => return cast(self.pair(z).to(kind).im, kind),
                "cabs" | "carg" => {
                    let z = self.pair(z).to(kind);
                    let args = if function == "cabs" { [z.re, z.im] } else { [z.im, z.re] };
                    let name = if function == "cabs" { "hypot" } else { "atan2" };
                    return call(&format!("{name}{suffix}"), args, Type::Float(kind), e.span);
                }
                _ => {}
            }
        }
        let args = self.arguments(name, args);
        Expr { kind: ExprKind::Call { name: name.to_owned(), args }, ..e.clone() }
    }

    /// Arguments of a function of the program. One whose definition is not known is handed what it is, not parts.
    fn arguments(&mut self, name: &str, args: &[Expr]) -> Vec<Expr> {
        let signature = self.signatures.get(name).filter(|s| s.params.len() == args.len()).cloned();
        let mut out = vec![];
        for (k, arg) in args.iter().enumerate() {
            let given = match &signature {
                Some(signature) => signature.params[k].complex_of(),
                None => arg.ty.complex_of(),
            };
            match given {
                Some(kind) => {
                    let parts = self.pair(arg).to(kind);
                    match signature {
                        Some(_) => out.extend([parts.re, parts.im]),
                        None => out.push(both(parts, &arg.ty)),
                    }
                }
                None => out.push(self.value(arg)),
            }
        }
        out
    }

    /// The function of `complex.h` of that name, without a suffix, and what it computes in.
    fn library<'n>(&self, name: &'n str) -> Option<(&'n str, FloatKind)> {
        const KNOWN: [&str; 9] = ["creal", "cimag", "cabs", "carg", "conj", "csqrt", "cexp", "clog", "cpow"];
        if self.signatures.contains_key(name) {
            return None;
        }
        let name = name.strip_prefix("__builtin_").unwrap_or(name);
        let of = |name: &'n str, kind| KNOWN.contains(&name).then_some((name, kind));
        of(name, FloatKind::Double)
            .or_else(|| of(name.strip_suffix('f')?, FloatKind::Float))
            .or_else(|| of(name.strip_suffix('l')?, FloatKind::LongDouble))
    }

    /// Both parts of a value; only the one of a real value.
    pub(super) fn pair(&mut self, e: &Expr) -> Pair {
        let Some(kind) = e.ty.complex_of() else { return Pair { re: self.value(e), im: None } };
        if !is_plain(e) {
            return self.unmodelled_pair(e, kind);
        }
        match &e.kind {
            ExprKind::Unary(UnOp::Plus, x) => self.pair(x),
            ExprKind::Unary(UnOp::Neg, x) => {
                let x = self.pair(x);
                Pair { re: negated(x.re), im: x.im.map(negated) }
            }
            // GNU's conjugate.
            ExprKind::Unary(UnOp::BitNot, x) => conjugate(self.pair(x)),
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.pair(a), self.pair(b));
                self.operator(*op, a, b, e.span)
            }
            ExprKind::Cast(x) => self.pair(x).to(kind).into(),
            ExprKind::Cond(c, a, b) => {
                let c = self.condition(c);
                let c = self.twice(c);
                let (a, b) = self.apart(|x| (x.pair(a).to(kind), x.pair(b).to(kind)));
                Pair::of(chosen(&c, a.re, b.re), chosen(&c, a.im, b.im))
            }
            ExprKind::Call { name, args } => self.call(name, args, kind, e),
            ExprKind::Var(_) => self.place(e),
            ExprKind::Index(..) | ExprKind::Member { .. } | ExprKind::Unary(UnOp::Deref, _) => {
                let place = self.inside(e);
                self.place(&place)
            }
            _ => self.unmodelled_pair(e, kind),
        }
    }

    fn unmodelled_pair(&mut self, e: &Expr, kind: FloatKind) -> Pair {
        let part = Expr { ty: Type::Float(kind), ..self.unmodelled(e) };
        Pair::of(part.clone(), part)
    }

    /// A call whose result is complex.
    fn call(&mut self, name: &str, args: &[Expr], kind: FloatKind, e: &Expr) -> Pair {
        if let ("__builtin_complex", [re, im]) = (name, args) {
            return Pair::of(cast(self.value(re), kind), cast(self.value(im), kind));
        }
        match (self.library(name), args) {
            (Some(("conj", kind)), [z]) => conjugate(self.pair(z).to(kind).into()),
            (Some((function @ ("csqrt" | "cexp" | "clog"), kind)), [z]) => {
                let z = self.pair(z).to(kind);
                self.of_library(function, z, kind, e.span)
            }
            (Some(("cpow", kind)), [z, power]) => {
                let (z, power) = (self.pair(z).to(kind), self.pair(power).to(kind));
                let log = self.of_library("clog", z, kind, e.span);
                let product = self.operator(BinOp::Mul, power.into(), log, e.span);
                self.of_library("cexp", product.to(kind), kind, e.span)
            }
            _ => self.own_call(name, args, kind, e),
        }
    }

    /// A call of a function of the program: before the statement, with two variables for its result.
    fn own_call(&mut self, name: &str, args: &[Expr], kind: FloatKind, e: &Expr) -> Pair {
        let is_known = self.signatures.get(name).is_some_and(|s| s.ret.is_complex() && s.params.len() == args.len());
        let mut given = self.arguments(name, args);
        if !is_known || self.before.is_none() {
            let whole = Expr { kind: ExprKind::Call { name: name.to_owned(), args: given }, ..e.clone() };
            return Pair::of(member(&whole, "re"), member(&whole, "im"));
        }
        let ty = Type::Float(kind);
        let vars: [VarId; 2] = ["rt_re", "rt_im"].map(|wish| self.temporary(wish, &ty, e.span));
        let [re, im] = vars.map(|v| self.unit.read(v, e.span));
        given.extend([&re, &im].map(address));
        let kind = ExprKind::Call { name: name.to_owned(), args: given };
        let call = Expr { kind, ty: Type::Void, span: e.span };
        self.before.iter_mut().for_each(|list| list.push(Before::Call(call.clone(), vars)));
        Pair::of(re, im)
    }

    /// A function of `complex.h` by its parts in the runtime.
    fn of_library(&mut self, function: &str, z: Parts, kind: FloatKind, span: Span) -> Pair {
        let args = [self.twice(z.re), self.twice(z.im)];
        let part = |part: &str| {
            let name = format!("rt_{function}_{part}{}", suffix(kind));
            call(&name, args.clone(), Type::Float(kind), span)
        };
        Pair::of(part("re"), part("im"))
    }

    /// `a op b`, where at least one is complex.
    pub(super) fn operator(&mut self, op: BinOp, a: Pair, b: Pair, span: Span) -> Pair {
        let kind = match typing::common(&a.kind(), &b.kind()) {
            Some(Type::Float(kind)) => kind,
            _ => FloatKind::Double,
        };
        let of_kind = |p: Pair| (cast(p.re, kind), p.im.map(|im| cast(im, kind)));
        let ((a, ai), (b, bi)) = (of_kind(a), of_kind(b));
        match (op, ai, bi) {
            (BinOp::Add, Some(ai), Some(bi)) | (BinOp::Sub, Some(ai), Some(bi)) => {
                Pair::of(binary(op, a, b), binary(op, ai, bi))
            }
            (BinOp::Add, ai, bi) => Pair { re: binary(op, a, b), im: ai.or(bi) },
            (BinOp::Sub, ai, bi) => Pair { re: binary(op, a, b), im: ai.or(bi.map(negated)) },
            (BinOp::Mul | BinOp::Div, Some(ai), None) => {
                let b = self.twice(b);
                Pair::of(binary(op, a, b.clone()), binary(op, ai, b))
            }
            (BinOp::Mul, None, Some(bi)) => {
                let a = self.twice(a);
                Pair::of(binary(op, a.clone(), b), binary(op, a, bi))
            }
            (op, ai, bi) => {
                let none = || zero(kind, span);
                let all = [a, ai.unwrap_or_else(none), b, bi.unwrap_or_else(none)].map(|x| self.twice(x));
                let function = if op == BinOp::Mul { "mul" } else { "div" };
                let part = |part: &str| {
                    let name = format!("rt_{function}_{part}{}", suffix(kind));
                    call(&name, all.clone(), Type::Float(kind), span)
                };
                Pair::of(part("re"), part("im"))
            }
        }
    }

    /// A value that is going to stand in two places.
    fn twice(&mut self, e: Expr) -> Expr {
        let (mut n_nodes, mut has_call) = (0, false);
        e.walk(&mut |e| {
            n_nodes += 1;
            has_call |= matches!(e.kind, ExprKind::Call { .. });
        });
        if n_nodes <= MOST_TWICE && !has_call {
            return e;
        }
        match self.bound(e.clone()) {
            Some(e) => e,
            None if n_nodes <= MOST_IN_CONDITION => e,
            None => self.unmodelled(&e),
        }
    }
}

fn negated(e: Expr) -> Expr {
    let (ty, span) = (e.ty.clone(), e.span);
    Expr { kind: ExprKind::Unary(UnOp::Neg, Box::new(e)), ty, span }
}

fn conjugate(z: Pair) -> Pair {
    Pair { re: z.re, im: z.im.map(negated) }
}

fn chosen(c: &Expr, a: Expr, b: Expr) -> Expr {
    let (ty, span) = (a.ty.clone(), a.span);
    Expr { kind: ExprKind::Cond(Box::new(c.clone()), Box::new(a), Box::new(b)), ty, span }
}

fn address(e: &Expr) -> Expr {
    let ty = Type::Pointer { to: Box::new(e.ty.clone()), is_const: false, restrict: false };
    Expr { kind: ExprKind::Unary(UnOp::AddrOf, Box::new(e.clone())), ty, span: e.span }
}

/// Both parts as one value that no C has: what a function is handed whose definition is not known.
fn both(parts: Parts, ty: &Type) -> Expr {
    let span = parts.re.span;
    Expr { kind: ExprKind::Comma(Box::new(parts.re), Box::new(parts.im)), ty: ty.clone(), span }
}

fn call<const N: usize>(name: &str, args: [Expr; N], ty: Type, span: Span) -> Expr {
    Expr { kind: ExprKind::Call { name: name.to_owned(), args: args.into() }, ty, span }
}
