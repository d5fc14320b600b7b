//! C expressions as kernel IR.
//!
//! Counters and sizes become [`ScalarType::Index`], which may be wider than the user's `int`. That changes nothing where
//! C's arithmetic does not overflow; where it would wrap (unsigned types) the operand is cast back to its C type first.

use super::lowering::{ByValue, Lowering, Origin, scalar_type};
use crate::ast::build::constant;
use crate::ast::{BinOp, Expr, ExprKind, FloatKind, IntKind, Type, UnOp, VarId};
use crate::facts::symbolic::{self, Param, ParamId, Poly, Sym};
use crate::facts::{Reason, arrays, callable, pointer_calls};
use crate::kernel::{self as k, ScalarType, Usage};
use crate::schedule::index;
use crate::source::Span;

/// A lowered value; `is_index`: it may be wider than its C type.
struct Value {
    expr: k::Expr,
    is_index: bool,
}

impl Lowering<'_> {
    pub(super) fn stmt_at(&self, kind: k::StmtKind, span: Span) -> k::Stmt {
        k::Stmt { kind, line: (self.line)(span) }
    }

    /// The name of a variable in the emitted code.
    pub fn name(&mut self, v: VarId) -> String {
        self.names.of(self.unit, v)
    }

    /// A polynomial over what is in scope.
    pub fn poly(&mut self, p: &Poly) -> k::Expr {
        index::expr(p, &mut |s| self.symbol(s))
    }

    fn symbol(&mut self, s: &Sym) -> k::Expr {
        match s {
            Sym::Counter(v) => self.counters[v].clone(),
            Sym::Param(id) => self.param(*id),
            Sym::Floor(..) => unreachable!("floors are opened by index::expr"),
        }
    }

    fn param(&mut self, id: ParamId) -> k::Expr {
        let part = self.part.expect("parameters belong to a part");
        let name = &self.param_names[id.0 as usize];
        self.size(part.params.get(id), name)
    }

    /// A parameter by the name that isl knows it by, of this part or another of the region.
    pub fn named_param(&mut self, name: &str) -> Option<k::Expr> {
        if let Some(i) = self.param_names.iter().position(|n| n == name) {
            return Some(self.param(ParamId(i as u32)));
        }
        let (name, p) = self.elsewhere.iter().find(|(n, _)| n == name)?;
        Some(self.size(p, name))
    }

    fn size(&mut self, p: &Param, name: &str) -> k::Expr {
        if let Some(v) = p.var {
            let ty = self.unit.var(v).ty.clone();
            if is_signed(&ty) {
                let by = ByValue { ty: ScalarType::Index, origin: Origin::Var(v) };
                let name = self.name(v);
                self.used.scalars.entry(name.clone()).or_insert(by);
                return index::var(name);
            }
            return as_index(&ty, self.by_value(v).expr);
        }
        let name = name.to_string();
        let ty = scalar_type(&p.expr.ty).unwrap_or(ScalarType::Index);
        let ty = if is_signed(&p.expr.ty) { ScalarType::Index } else { ty };
        self.used.scalars.entry(name.clone()).or_insert(ByValue { ty, origin: Origin::Expr(p.expr.clone()) });
        as_index(&p.expr.ty, index::var(name))
    }

    /// A scalar that is only read: a parameter of the kernel.
    fn by_value(&mut self, v: VarId) -> Value {
        let var = self.unit.var(v);
        let is_size = is_signed(&var.ty) && self.part.is_some_and(|p| p.params.list.iter().any(|p| p.var == Some(v)));
        let ty = if is_size { ScalarType::Index } else { scalar_type(&var.ty).expect("a number") };
        let name = self.name(v);
        self.used.scalars.entry(name.clone()).or_insert(ByValue { ty, origin: Origin::Var(v) });
        Value { expr: index::var(name), is_index: is_size }
    }

    /// The value of an expression, exactly as C computes it.
    pub fn value(&mut self, e: &Expr) -> Result<k::Expr, Reason> {
        let v = self.lower(e)?;
        Ok(exact(e, v))
    }

    fn lower(&mut self, e: &Expr) -> Result<Value, Reason> {
        let plain = |expr| Ok(Value { expr, is_index: false });
        match &e.kind {
            ExprKind::Int(c) => plain(match &e.ty {
                Type::Int(IntKind::Int) => k::Expr::Int(*c),
                ty => k::Expr::Cast(scalar_type(ty).unwrap_or(ScalarType::Index), Box::new(k::Expr::Int(*c))),
            }),
            ExprKind::Float(_, text) => plain(k::Expr::Float(text.clone())),
            ExprKind::Var(v) => self.variable(*v),
            ExprKind::Index(..) | ExprKind::Unary(UnOp::Deref, _) => {
                let access = self.access(e, Usage::Read)?;
                plain(k::Expr::Load(access))
            }
            ExprKind::Member { .. } => self.opaque(e),
            ExprKind::Binary(..) if symbolic::tested_pointer(e).is_some() => self.opaque(e),
            ExprKind::Unary(op, a) => self.unary(*op, a),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b),
            ExprKind::Cond(c, a, b) => {
                let c = self.value(c)?;
                let (va, vb) = (self.lower(a)?, self.lower(b)?);
                let is_index = is_signed(&e.ty) && (va.is_index || vb.is_index);
                let (a, b) = (converted(a, va, &e.ty), converted(b, vb, &e.ty));
                Ok(Value { expr: k::Expr::Cond(Box::new(c), Box::new(a), Box::new(b)), is_index })
            }
            ExprKind::Cast(a) => {
                let ty = scalar_type(&e.ty).ok_or_else(|| unsupported(e))?;
                plain(k::Expr::Cast(ty, Box::new(self.value(a)?)))
            }
            ExprKind::Call { name, args } => self.call(name, args),
            ExprKind::SizeOfType(ty) => self.size_of(e, ty),
            ExprKind::SizeOfExpr(a) => self.size_of(e, &a.ty),
            _ => Err(unsupported(e)),
        }
    }

    fn size_of(&mut self, e: &Expr, ty: &Type) -> Result<Value, Reason> {
        let size = constant::size_of(ty).and_then(|size| i64::try_from(size).ok()).ok_or_else(|| unsupported(e))?;
        let expr = k::Expr::Cast(ScalarType::Int(IntKind::ULong), Box::new(k::Expr::Int(size)));
        Ok(Value { expr, is_index: false })
    }

    fn variable(&mut self, v: VarId) -> Result<Value, Reason> {
        if let Some(expr) = self.counters.get(&v) {
            // A counter that is a `float` or `double` is computed with as one.
            return Ok(match scalar_type(&self.unit.var(v).ty) {
                Some(ty @ ScalarType::Float(_)) => {
                    Value { expr: k::Expr::Cast(ty, Box::new(expr.clone())), is_index: false }
                }
                _ => Value { expr: expr.clone(), is_index: true },
            });
        }
        if let Some(c) = self.unit.var(v).value {
            return Ok(Value { expr: k::Expr::Int(c), is_index: false });
        }
        if self.is_device_scalar(v) {
            self.use_array(v, Usage::Read);
            let array = self.name(v);
            return Ok(Value { expr: k::Expr::Load(k::Access { array, index: vec![] }), is_index: false });
        }
        if self.is_own(v) {
            return Ok(Value { expr: index::var(self.name(v)), is_index: false });
        }
        Ok(self.by_value(v))
    }

    pub(super) fn is_device_scalar(&self, v: VarId) -> bool {
        self.part.is_some_and(|p| p.data.contains_key(&v)) && !self.private.contains(&v)
    }

    /// A variable that the lowered code itself declares.
    fn is_own(&self, v: VarId) -> bool {
        self.private.contains(&v)
    }

    /// A value that the host computes before.
    fn opaque(&mut self, e: &Expr) -> Result<Value, Reason> {
        let ty = scalar_type(&e.ty).ok_or_else(|| unsupported(e))?;
        let known = self.used.scalars.iter().find_map(|(name, by)| match &by.origin {
            Origin::Expr(x) if symbolic::same_expr(x, e) => Some((name.clone(), by.ty)),
            _ => None,
        });
        if let Some((name, ty)) = known {
            return Ok(Value { expr: index::var(name), is_index: ty == ScalarType::Index });
        }
        let wish = match &e.kind {
            ExprKind::Member { field, .. } => format!("rt_{field}"),
            _ if let Some((_, function)) = pointer_calls::tested_place(e) => format!("rt_is_{function}"),
            _ => match symbolic::tested_pointer(e).and_then(Expr::root) {
                Some(v) => format!("rt_has_{}", self.unit.var(v).name),
                None => "rt_member".into(),
            },
        };
        let name = self.names.of_expr(&wish, e);
        self.used.scalars.insert(name.clone(), ByValue { ty, origin: Origin::Expr(e.clone()) });
        Ok(Value { expr: index::var(name), is_index: false })
    }

    fn unary(&mut self, op: UnOp, a: &Expr) -> Result<Value, Reason> {
        let v = self.lower(a)?;
        let op = match op {
            UnOp::Plus => return Ok(v),
            UnOp::Neg => k::UnaryOp::Neg,
            UnOp::Not => k::UnaryOp::Not,
            UnOp::BitNot => k::UnaryOp::BitNot,
            UnOp::Deref | UnOp::AddrOf => return Err(unsupported(a)),
        };
        let (operand, is_index) = match a.ty {
            // A value that wraps must wrap in its own width.
            Type::Int(kind) if v.is_index && kind.is_unsigned() && kind.bits() >= 32 => (cast_index(kind, v), false),
            _ => {
                let is_index = v.is_index && op != k::UnaryOp::Not;
                (exact(a, v), is_index)
            }
        };
        Ok(Value { expr: k::Expr::Unary(op, Box::new(operand)), is_index })
    }

    fn binary(&mut self, op: BinOp, a: &Expr, b: &Expr) -> Result<Value, Reason> {
        let (va, vb) = (self.lower(a)?, self.lower(b)?);
        if matches!(op, BinOp::Shl | BinOp::Shr) {
            // The left operand alone decides the type.
            return Ok(match a.ty {
                Type::Int(kind) if va.is_index && kind.is_unsigned() && kind.bits() >= 32 => {
                    Value { expr: index::binary(op, cast_index(kind, va), exact(b, vb)), is_index: false }
                }
                _ => {
                    let is_index = va.is_index;
                    Value { expr: index::binary(op, exact(a, va), exact(b, vb)), is_index }
                }
            });
        }
        let is_index = va.is_index || vb.is_index;
        let modular = matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul);
        let logical = matches!(op, BinOp::And | BinOp::Or);
        let (ea, eb, is_index) = match unsigned_width(&a.ty, &b.ty).filter(|_| is_index && !logical) {
            // The low 64 bits of a sum are the same, signed or not.
            Some(64) if modular => (va.expr, vb.expr, true),
            Some(width) => {
                let kind = if width == 64 { IntKind::ULong } else { IntKind::UInt };
                (cast_index(kind, va), cast_index(kind, vb), false)
            }
            None => (exact(a, va), exact(b, vb), is_index),
        };
        Ok(Value { expr: index::binary(op, ea, eb), is_index: is_index && !op.is_boolean() })
    }

    fn call(&mut self, name: &str, args: &[Expr]) -> Result<Value, Reason> {
        if let Some((constant, kind)) = callable::constant(name) {
            let value = Box::new(k::Expr::Float(constant.into()));
            // As `math.h` has it, it is a `float`.
            let is_double = kind == FloatKind::Double;
            let expr = if is_double { k::Expr::Cast(k::ScalarType::Float(kind), value) } else { *value };
            return Ok(Value { expr, is_index: false });
        }
        if let Some(f) = callable::math(name) {
            let mut out = vec![];
            for (arg, ty) in args.iter().zip(&f.params) {
                let value = self.value(arg)?;
                // C++ overloads on the argument's type where C converts it.
                let same = arg.ty == *ty;
                let ty = scalar_type(ty).expect("math.h takes numbers");
                out.push(if same { value } else { k::Expr::Cast(ty, Box::new(value)) });
            }
            return Ok(Value { expr: k::Expr::Call(f.name, out), is_index: false });
        }
        self.used.functions.insert(name.to_string());
        let args = args.iter().map(|a| self.value(a)).collect::<Result<_, _>>()?;
        Ok(Value { expr: k::Expr::Call(name.to_string(), args), is_index: false })
    }

    pub(super) fn use_array(&mut self, v: VarId, usage: Usage) {
        let merged = match self.used.arrays.get(&v) {
            Some(before) if *before != usage => Usage::ReadWrite,
            _ => usage,
        };
        self.used.arrays.insert(v, merged);
    }

    /// An element, as an access of a global or private array.
    pub fn access(&mut self, e: &Expr, usage: Usage) -> Result<k::Access, Reason> {
        let (v, subscripts) = arrays::subscripts(e).ok_or_else(|| unsupported(e))?;
        self.element(v, subscripts, usage)
    }

    /// The element of that array at those subscripts.
    pub fn element<'e>(
        &mut self,
        v: VarId,
        subscripts: impl IntoIterator<Item = &'e Expr>,
        usage: Usage,
    ) -> Result<k::Access, Reason> {
        let mut index = vec![];
        for s in subscripts {
            let v = self.lower(s)?;
            index.push(match (&v.expr, &s.ty) {
                // Subscripts are computed in 64 bits: what wraps in 32 does so first.
                (k::Expr::Binary(..) | k::Expr::Unary(..), Type::Int(IntKind::UInt)) if !v.is_index => {
                    k::Expr::Cast(ScalarType::Int(IntKind::UInt), Box::new(v.expr))
                }
                _ => v.expr,
            });
        }
        if !self.is_own(v) {
            self.use_array(v, usage);
        }
        Ok(k::Access { array: self.name(v), index })
    }
}

/// A reason for what no stage before should have let through.
pub(super) fn unsupported(e: &Expr) -> Reason {
    Reason::new("not-modelled", "this expression has no counterpart on the device", e.span)
}

fn is_signed(ty: &Type) -> bool {
    matches!(ty, Type::Int(kind) if !kind.is_unsigned())
}

fn as_index(ty: &Type, expr: k::Expr) -> k::Expr {
    if is_signed(ty) { expr } else { k::Expr::Cast(ScalarType::Index, Box::new(expr)) }
}

fn cast_index(kind: IntKind, v: Value) -> k::Expr {
    if v.is_index { k::Expr::Cast(ScalarType::Int(kind), Box::new(v.expr)) } else { v.expr }
}

/// An index that stands for an unsigned number is cast back, unless it is a lone counter, which is never negative.
fn exact(e: &Expr, v: Value) -> k::Expr {
    let unsigned = matches!(e.ty, Type::Int(kind) if kind.is_unsigned());
    match (&v.expr, scalar_type(&e.ty)) {
        (k::Expr::Var(_), _) => v.expr,
        (_, Some(ty)) if v.is_index && unsigned => k::Expr::Cast(ty, Box::new(v.expr)),
        _ => v.expr,
    }
}

/// A value in another arithmetic type, with the cast that C leaves out.
fn converted(e: &Expr, v: Value, to: &Type) -> k::Expr {
    let value = exact(e, v);
    match scalar_type(to).filter(|_| e.ty != *to) {
        Some(ty) => k::Expr::Cast(ty, Box::new(value)),
        None => value,
    }
}

/// The width in which two integer operands meet, if they meet unsigned (C11 6.3.1.8, LP64).
fn unsigned_width(a: &Type, b: &Type) -> Option<u32> {
    let (Type::Int(a), Type::Int(b)) = (a, b) else { return None };
    let promoted = |k: &IntKind| if k.bits() < 32 { (32, false) } else { (k.bits(), k.is_unsigned()) };
    let ((wa, ua), (wb, ub)) = (promoted(a), promoted(b));
    let width = wa.max(wb);
    ((ua && wa == width) || (ub && wb == width)).then_some(width)
}
