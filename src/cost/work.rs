//! Cost of operations, in issues of a pipe of the SM, and how many of them a kernel does.

use super::value::Form;
use crate::ast::{BinOp, FloatKind, IntKind};
use crate::kernel::ScalarType;
use crate::kernel::walk::RARE;
use std::ops::AddAssign;

/// Instructions of a warp, by the pipe that they take. A division is as many as take the pipe as long.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Work {
    pub f32: f64,
    pub f64: f64,
    pub int: f64,
    /// Loads, stores, shuffles.
    pub memory: f64,
}

impl Work {
    /// All that is issued.
    pub fn instructions(&self) -> f64 {
        self.f32 + self.f64 + self.int + self.memory
    }
}

impl AddAssign<(Work, f64)> for Work {
    fn add_assign(&mut self, (other, times): (Work, f64)) {
        self.f32 += other.f32 * times;
        self.f64 += other.f64 * times;
        self.int += other.int * times;
        self.memory += other.memory * times;
    }
}

/// Kind of an operand to the processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Int32,
    Int64,
    F32,
    F64,
}

impl Kind {
    pub fn of(ty: ScalarType, index_bits: u8) -> Kind {
        match ty {
            ScalarType::Float(FloatKind::Float) => Kind::F32,
            ScalarType::Float(_) => Kind::F64,
            ScalarType::Index if index_bits == 64 => Kind::Int64,
            ScalarType::Int(IntKind::Long | IntKind::ULong | IntKind::LongLong | IntKind::ULongLong) => Kind::Int64,
            ScalarType::Index | ScalarType::Int(_) => Kind::Int32,
        }
    }

    pub fn is_float(self) -> bool {
        self >= Kind::F32
    }

    /// So many instructions of its pipe.
    pub fn work(self, n: f64) -> Work {
        match self {
            Kind::F32 => Work { f32: n, ..Work::default() },
            Kind::F64 => Work { f64: n, ..Work::default() },
            Kind::Int32 => Work { int: n, ..Work::default() },
            // A 64-bit addition is two of 32 bits.
            Kind::Int64 => Work { int: 2.0 * n, ..Work::default() },
        }
    }
}

/// An expression's kind, and its value if it is an integer that is known but for positions and counters.
#[derive(Debug, Clone)]
pub struct Value {
    pub kind: Kind,
    pub form: Option<Form>,
}

/// Issues of the pipe that an operator takes. Divisions were measured on an H100: in a cycle an SM does 8.2 (f32), 5.7
/// (f64), 4.4 (32 bits) and 1.0 (64 bits) of them, and 58 and 16 multiplications of integers.
pub fn of_operator(op: BinOp, kind: Kind, by_constant: bool) -> Work {
    let n = match (op, kind) {
        (BinOp::Div | BinOp::Rem, Kind::F32) => 15.0,
        (BinOp::Div | BinOp::Rem, Kind::F64) => 11.0,
        // A multiplication and shifts, or a mask.
        (BinOp::Div | BinOp::Rem, _) if by_constant => 3.0,
        (BinOp::Div | BinOp::Rem, Kind::Int32) => 15.0,
        (BinOp::Div | BinOp::Rem, Kind::Int64) => 32.0,
        (BinOp::Mul, Kind::Int64) => 2.0,
        _ => 1.0,
    };
    kind.work(n)
}

/// Issues of the pipe that a function of `math.h` takes: in a cycle an SM does 12.7 square roots of f32 and 5.2 of f64,
/// 12.7 and 2.9 exponentials, 2.5 sines of f64 and 0.6 powers, measured on an H100.
pub fn of_function(name: &str) -> Work {
    let is_single = name.ends_with('f') && !matches!(name, "erf");
    let name = if is_single { &name[..name.len() - 1] } else { name };
    let kind = if is_single { Kind::F32 } else { Kind::F64 };
    let (single, double) = match name {
        "abs" | "labs" | "llabs" | RARE => return Kind::Int32.work(1.0),
        "rt_popcount" | "rt_clz" | "rt_clz_32" | "rt_ctz" => return Kind::Int32.work(4.0),
        // Some twenty squares, each with a remainder of 64 bits.
        "rt_lcg" | "rt_lcg_schrage" | "rt_lcg_real" => return Kind::Int64.work(1000.0),
        "rt_lcg_bits" => return Kind::Int64.work(100.0),
        // One remainder or none, where the place is one in the ring.
        "rt_ring" => return Kind::Int64.work(100.0),
        "rt_ring_mask" => return Kind::Int64.work(5.0),
        "fabs" | "floor" | "ceil" | "trunc" | "rint" | "nearbyint" | "fmin" | "fmax" | "copysign" | "fma" => (1.0, 1.0),
        "round" | "fdim" | "rt_isnan" | "rt_isinf" | "rt_isfinite" | "rt_signbit" => (2.0, 2.0),
        "sqrt" => (10.0, 12.0),
        "exp" | "exp2" | "log" | "log2" | "log10" | "expm1" | "log1p" => (10.0, 22.0),
        "sin" | "cos" | "tan" | "sinh" | "cosh" | "tanh" => (20.0, 26.0),
        "pow" | "fmod" | "tgamma" | "lgamma" => (40.0, 107.0),
        _ => (25.0, 40.0),
    };
    kind.work(if is_single { single } else { double })
}
