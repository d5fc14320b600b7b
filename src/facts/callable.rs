//! Callable functions: what a kernel may call. Those are functions of `math.h`, of the runtime, and small pure ones of the file.
//!
//! A call of any other has an effect that no order of iterations keeps, or a body that no device has.

use super::{Reason, effects, remedy, standard};
use crate::ast::assertion::is_failure;
use crate::ast::visit::Piece;
use crate::ast::{Expr, ExprKind, FloatKind, IntKind, Stmt, StmtKind, Storage, Type, UnOp, Unit};
use crate::source::Span;
use std::collections::BTreeSet;

const UNARY: &[&str] = &[
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "exp",
    "exp2",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "sqrt",
    "cbrt",
    "fabs",
    "floor",
    "ceil",
    "round",
    "trunc",
    "rint",
    "nearbyint",
    "erf",
    "erfc",
    "tgamma",
    "lgamma",
    "logb",
    "ilogb",
    "lround",
    "llround",
    "lrint",
    "llrint",
];
const BINARY: &[&str] =
    &["pow", "fmod", "atan2", "hypot", "fmin", "fmax", "copysign", "fdim", "remainder", "nextafter"];

/// What the macros of `math.h` that ask for the kind of a number expand to, and the functions of the runtime that say the
/// same: also of which sign an infinity is.
const KINDS: &[(&str, &str)] = &[
    ("__builtin_isnan", "rt_isnan"),
    ("__builtin_isinf", "rt_isinf"),
    ("__builtin_isinf_sign", "rt_isinf"),
    ("__builtin_isfinite", "rt_isfinite"),
    ("__builtin_signbit", "rt_signbit"),
];

/// GCC's builtins of the bits of a number, functions of the runtime that say the same, and what they take.
const BITS: &[(&str, &str, IntKind)] = &[
    ("popcount", "rt_popcount", IntKind::UInt),
    ("popcountl", "rt_popcount", IntKind::ULong),
    ("popcountll", "rt_popcount", IntKind::ULongLong),
    ("clz", "rt_clz_32", IntKind::UInt),
    ("clzl", "rt_clz", IntKind::ULong),
    ("clzll", "rt_clz", IntKind::ULongLong),
    ("ctz", "rt_ctz", IntKind::UInt),
    ("ctzl", "rt_ctz", IntKind::ULong),
    ("ctzll", "rt_ctz", IntKind::ULongLong),
];

const LONG_DOUBLE: Type = Type::Float(FloatKind::LongDouble);

/// A function that C and CUDA both have: its name there and the type of each argument.
pub struct MathFunction {
    pub name: String,
    pub params: Vec<Type>,
}

/// The constant of `math.h` that expands to a call of that name, and its type.
pub fn constant(name: &str) -> Option<(&'static str, FloatKind)> {
    Some(match name.strip_prefix("__builtin_")? {
        "inf" | "huge_val" => ("INFINITY", FloatKind::Double),
        "inff" | "huge_valf" => ("INFINITY", FloatKind::Float),
        "nan" => ("NAN", FloatKind::Double),
        "nanf" => ("NAN", FloatKind::Float),
        _ => return None,
    })
}

/// The `math.h` (or `stdlib.h`) function of that name.
pub fn math(name: &str) -> Option<MathFunction> {
    if let Some((constant, _)) = constant(name) {
        return Some(MathFunction { name: constant.into(), params: vec![] });
    }
    if let Some(of_ours) = of_complex(name).or_else(|| of_generator(name)) {
        return Some(of_ours);
    }
    if let Some((_, ours)) = KINDS.iter().find(|(macro_name, _)| *macro_name == name) {
        return Some(MathFunction { name: (*ours).into(), params: vec![Type::Float(FloatKind::Double)] });
    }
    if let Some(of_bits) = of_bits(name) {
        return Some(of_bits);
    }
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    let of = |n: usize, ty: Type| Some(MathFunction { name: name.to_string(), params: vec![ty; n] });
    let with_power = |kind| {
        let params = vec![Type::Float(kind), Type::Int(IntKind::Int)];
        Some(MathFunction { name: name.to_string(), params })
    };
    match name {
        "abs" => return of(1, Type::Int(IntKind::Int)),
        "labs" => return of(1, Type::Int(IntKind::Long)),
        "llabs" => return of(1, Type::Int(IntKind::LongLong)),
        "ldexp" | "scalbn" => return with_power(FloatKind::Double),
        "ldexpf" | "scalbnf" => return with_power(FloatKind::Float),
        _ => {}
    }
    let arity = |n: &str| {
        if UNARY.contains(&n) {
            Some(1)
        } else if BINARY.contains(&n) {
            Some(2)
        } else {
            (n == "fma").then_some(3)
        }
    };
    if let Some(n) = arity(name) {
        return of(n, Type::Float(FloatKind::Double));
    }
    let n = arity(name.strip_suffix('f')?)?;
    of(n, Type::Float(FloatKind::Float))
}

/// The function of the runtime for one of GCC's builtins of bits.
fn of_bits(name: &str) -> Option<MathFunction> {
    let name = name.strip_prefix("__builtin_")?;
    let (_, ours, kind) = BITS.iter().find(|(builtin, ..)| *builtin == name)?;
    Some(MathFunction { name: (*ours).into(), params: vec![Type::Int(*kind)] })
}

/// A part of an operator or function of complex numbers, of the parts of its operands (`rt_complex.h`).
fn of_complex(name: &str) -> Option<MathFunction> {
    let (kind, name) = match name.strip_suffix('f') {
        Some(name) => (FloatKind::Float, name),
        None => (FloatKind::Double, name),
    };
    let stem = name.strip_suffix("_re").or(name.strip_suffix("_im"))?;
    let n = match stem {
        "rt_mul" | "rt_div" => 4,
        "rt_csqrt" | "rt_cexp" | "rt_clog" => 2,
        _ => return None,
    };
    Some(MathFunction { name: name.to_owned(), params: vec![Type::Float(kind); n] })
}

/// A state of a generator many steps on (`rt_random.h`).
fn of_generator(name: &str) -> Option<MathFunction> {
    let wide = Type::Int(IntKind::LongLong);
    let (state, n_numbers) = match name {
        "rt_lcg" | "rt_lcg_bits" => (wide.clone(), 3),
        "rt_lcg_schrage" | "rt_ring" | "rt_ring_mask" => (wide.clone(), 2),
        "rt_lcg_real" => (Type::Float(FloatKind::Double), 3),
        _ => return None,
    };
    let params = std::iter::once(state).chain(std::iter::repeat_n(wide, 1 + n_numbers)).collect();
    Some(MathFunction { name: name.to_owned(), params })
}

/// Test for a function of C's library by that name, which touches nothing but what it is handed.
pub fn is_standard(name: &str) -> bool {
    math(name).is_some() || standard::is_listed(name)
}

/// Test that a function may be called from a kernel.
///
/// # Errors
/// The reason it may not, at the call.
pub fn check_call(unit: &Unit, name: &str, call: Span) -> Result<(), Reason> {
    if math(name).is_some() {
        return match unit.function(name) {
            None => Ok(()),
            Some(_) => {
                let message = format!("`{name}` is a function of this file and has the name of one of math.h");
                Err(Reason::new("call", message, call)
                    .help(remedy!("move the call out of the loop, or write here what the function computes")))
            }
        };
    }
    let mut stack = vec![];
    match unit.with_pure(|pure| impurity(unit, name, &mut stack, pure)) {
        None => Ok(()),
        Some(why) => {
            let help = match unit.function(name) {
                None if is_of_system(name) => remedy!("move the call out of the loop"),
                None if unit.kept_out.contains_key(name) => {
                    remedy!("move the call out of the loop, or write here what the function computes")
                }
                None => remedy!("name the file that has its body, too; else move the call out of the loop"),
                Some(_) => remedy!(
                    "move the call out of the loop, or let the function take numbers, return a number, and touch nothing else"
                ),
            };
            Err(Reason::new("call", format!("`{name}` cannot be called on the device: {why}"), call).help(help))
        }
    }
}

/// Test for a function of the C library, the system or the compiler: no file of the program has its body.
fn is_of_system(name: &str) -> bool {
    let is_of_compiler = name.starts_with("__builtin_");
    is_of_compiler || standard::is_listed(name) || standard::is_strange(name) || standard::is_hardware(name)
}

/// What keeps a function from running on the device, or `None`. `pure`: functions of which nothing does, found so far; each is looked
/// at once, however often it is called.
fn impurity(unit: &Unit, name: &str, stack: &mut Vec<String>, pure: &mut BTreeSet<String>) -> Option<String> {
    let Some(f) = unit.function(name) else {
        if is_failure(name) {
            return Some("it asserts something; -DNDEBUG leaves that out".into());
        }
        return Some(match unit.kept_out.get(name) {
            Some(why) => format!("its body, in another file, {why}"),
            None => "its body is not in this file".into(),
        });
    };
    // That a function is pure depends on no call around it: recursion is found before it would.
    if pure.contains(&f.name) {
        return None;
    }
    if stack.iter().any(|n| n == name) {
        return Some("it is recursive".into());
    }
    if f.ret == LONG_DOUBLE || f.params.iter().any(|p| unit.var(*p).ty == LONG_DOUBLE) {
        return Some("it computes with `long double`".into());
    }
    if !effects::is_scalar(&f.ret) || f.params.iter().any(|p| !effects::is_scalar(&unit.var(*p).ty)) {
        return Some("its parameters and its result are not all numbers".into());
    }
    stack.push(name.to_string());
    let mut why = None;
    f.body.walk(&mut |piece| {
        if why.is_none() {
            why = match piece {
                Piece::Expr(e) if e.ty == LONG_DOUBLE => Some("it computes with `long double`".into()),
                Piece::Expr(e) => match &e.kind {
                    ExprKind::Var(v) => {
                        let var = unit.var(*v);
                        let outside =
                            matches!(var.storage, Storage::Global | Storage::StaticLocal) && var.value.is_none();
                        outside.then(|| format!("it uses `{}`, which is not its own", var.name))
                    }
                    ExprKind::Call { name, .. } if math(name).is_none() => impurity(unit, name, stack, pure),
                    ExprKind::Index(..) | ExprKind::Member { .. } | ExprKind::Unary(UnOp::Deref | UnOp::AddrOf, _) => {
                        Some("it uses memory beyond its own variables".into())
                    }
                    ExprKind::Function(_) => Some("it takes the address of a function".into()),
                    ExprKind::Unmodelled(why) => Some(why.clone()),
                    _ => None,
                },
                Piece::Stmt(Stmt { kind: StmtKind::Unmodelled(why), .. }) => Some(why.clone()),
                Piece::Stmt(Stmt { kind: StmtKind::Switch { .. }, .. }) => Some("it holds a `switch`".into()),
                Piece::Stmt(_) => None,
            }
        }
    });
    stack.pop();
    if why.is_none() {
        pure.insert(f.name.clone());
    }
    why
}

/// Test that computing an expression changes nothing, but for what calls in it do.
pub fn has_no_effect(e: &Expr) -> bool {
    let mut none = true;
    e.walk(&mut |x| {
        none &= !matches!(
            x.kind,
            ExprKind::Assign { .. } | ExprKind::IncDec { .. } | ExprKind::Comma(..) | ExprKind::Unmodelled(_)
        );
    });
    none
}

/// Test that an expression may be computed more often than it is written, or not at all.
pub fn is_free(e: &Expr) -> bool {
    let mut free = has_no_effect(e);
    e.walk(&mut |x| free &= !matches!(&x.kind, ExprKind::Call { name, .. } if math(name.as_str()).is_none()));
    free
}
