//! What the names in a kernel or in the host entry stand for, and arithmetic on positions that cannot overflow.
//!
//! Expressions of the user's statements keep their C types and C meaning. **Positions** (subscripts, loop bounds,
//! extents, grids, guards made by the tool) mean mathematical integers, so they are computed in the index type: where
//! both operands of `+ - *` are narrower, [`Scope::position`] casts the first.
//! ```text
//! a[n - 1, j], int n, 64 bits    ->    a[((long)n - 1) * n + j]
//! g0 * BLOCK_0 + t0              ->    (long)blockIdx.x * BLOCK_0 + threadIdx.x
//! ```
//! In a kernel that is compiled for both widths ([`Scope::is_of_call`]) the index type is the template parameter
//! [`POSITION`]. What is emitted must then be right for both: where an operand is unsigned, it becomes signed, and in the
//! user's values a position is a `long`, as in a kernel of 64 bits.
//! ```text
//! a[i, j] = i * i                ->    a[i * m + j] = (long)i * (long)i
//! ```

use super::{bug, names};
use crate::ast::{BinOp, FloatKind, IntKind};
use crate::diag::Stop;
use crate::kernel::walk::RARE;
use crate::kernel::{Access, Expr, Function, ScalarType, UnaryOp, types};
use crate::target::MAX_BLOCK;
use std::collections::{BTreeMap, BTreeSet};

/// Where an array lives, which decides how its elements are named.
#[derive(Debug, Clone, PartialEq)]
pub enum Memory {
    /// Row-major, one subscript.
    Global(Vec<Expr>),
    /// In shared memory or of the thread, a subscript for each extent.
    Tile,
    /// Of the thread, in shared memory as far as there is room for it.
    OnChip,
    /// The same, each element being a row of a sparse matrix.
    RowsOnChip,
}

/// The type of a value after C's promotions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    Signed(u8),
    Unsigned(u8),
    Float(FloatKind),
}

/// The type of positions where the call chooses it.
pub const POSITION: &str = "rt_position";

/// The names that an expression may use.
pub struct Scope<'a> {
    /// Bits of [`ScalarType::Index`]; the most where the call chooses.
    pub bits: u8,
    /// Choice of [`ScalarType::Index`] by the call: a parameter of the kernel's, of 32 or 64 bits.
    pub is_of_call: bool,
    pub vars: BTreeMap<String, ScalarType>,
    pub arrays: BTreeMap<String, (ScalarType, Memory)>,
    pub functions: &'a [Function],
    /// Dimensions of the grid and of a block.
    pub ranks: (usize, usize),
    /// Tunables: sizes of blocks, of points of a thread and of pieces, whose products `int` holds.
    pub sizes: BTreeSet<String>,
    /// Arrays that hold back accesses beyond what is there.
    pub held: BTreeSet<String>,
}

impl Scope<'_> {
    /// A type in C++.
    pub fn type_name(&self, ty: ScalarType) -> &'static str {
        if self.is_of_call && ty == ScalarType::Index { POSITION } else { names::cxx_type(ty, self.bits) }
    }

    /// The type of an expression after promotion. An unknown name counts as `int`: printing reports it.
    pub fn value(&self, e: &Expr) -> Value {
        use Expr::*;
        match e {
            Int(v) => Value::Signed(if i32::try_from(*v).is_ok() { 32 } else { 64 }),
            Float(text) => Value::Float(types::literal(text).unwrap_or(FloatKind::Double)),
            Var(name) => self.promoted(self.vars.get(name).copied()),
            BlockIdx(_) | ThreadIdx(_) | GridSize(_) => Value::Unsigned(32),
            Aligned { .. } | GoesOn => Value::Signed(32),
            Load(access) => self.promoted(self.arrays.get(&access.array).map(|(ty, _)| *ty)),
            Unary(UnaryOp::Not, _) => Value::Signed(32),
            Unary(_, a) => self.value(a),
            Binary(op, a, b) => match op {
                BinOp::Shl | BinOp::Shr => self.value(a),
                _ if is_comparison(*op) || matches!(op, BinOp::And | BinOp::Or) => Value::Signed(32),
                _ => join(self.value(a), self.value(b)),
            },
            Cond(_, a, b) => join(self.value(a), self.value(b)),
            Cast(ty, _) => self.promoted(Some(*ty)),
            Call(name, _) => match self.functions.iter().find(|f| f.name == *name) {
                Some(f) => self.promoted(Some(f.ret)),
                None => math_result(name),
            },
            Min(a, b) | Max(a, b) | FloorDiv(a, b) | CeilDiv(a, b) | Mod(a, b) => join(self.value(a), self.value(b)),
        }
    }

    fn promoted(&self, ty: Option<ScalarType>) -> Value {
        use IntKind::*;
        match ty {
            Some(ScalarType::Index) => Value::Signed(self.bits),
            Some(ScalarType::Float(kind)) => Value::Float(kind),
            Some(ScalarType::Int(Long | LongLong)) => Value::Signed(64),
            Some(ScalarType::Int(ULong | ULongLong)) => Value::Unsigned(64),
            Some(ScalarType::Int(UInt)) => Value::Unsigned(32),
            _ => Value::Signed(32),
        }
    }

    /// The same integer computed in the index type: no step of it can overflow where the result fits.
    pub fn position(&self, e: &Expr) -> Expr {
        use Expr::*;
        let pair = |a: &Expr, b: &Expr| self.same_sign(self.position(a), self.position(b));
        match e {
            Binary(op @ (BinOp::Add | BinOp::Sub | BinOp::Mul), a, b) => {
                let (a, b) = pair(a, b);
                let is_narrow = self.is_narrow(&a) && self.is_narrow(&b) && !(self.is_size(&a) && self.is_size(&b));
                let (a, b) = if is_narrow { widen_one(a, b) } else { (a, b) };
                Binary(*op, a.into(), b.into())
            }
            Binary(op @ (BinOp::Div | BinOp::Rem), a, b) => {
                let (a, b) = pair(a, b);
                Binary(*op, a.into(), b.into())
            }
            Binary(op, a, b) if is_comparison(*op) => {
                let (a, b) = if is_launch_index(a) && matches!(**b, Int(0..)) {
                    ((**a).clone(), (**b).clone())
                } else {
                    pair(a, b)
                };
                Binary(*op, a.into(), b.into())
            }
            Binary(op @ (BinOp::And | BinOp::Or), a, b) => {
                Binary(*op, self.position(a).into(), self.position(b).into())
            }
            Unary(UnaryOp::Not, a) => Unary(UnaryOp::Not, self.position(a).into()),
            Unary(UnaryOp::Neg, a) => {
                let a = self.position(a);
                let a = if self.is_narrow(&a) { Cast(ScalarType::Index, a.into()) } else { a };
                Unary(UnaryOp::Neg, a.into())
            }
            Cond(c, a, b) => {
                let (a, b) = pair(a, b);
                Cond(self.condition(c).into(), a.into(), b.into())
            }
            Min(a, b) => joined(Min, pair(a, b)),
            Max(a, b) => joined(Max, pair(a, b)),
            FloorDiv(a, b) => joined(FloorDiv, pair(a, b)),
            CeilDiv(a, b) => joined(CeilDiv, pair(a, b)),
            Mod(a, b) => joined(Mod, pair(a, b)),
            _ if self.value(e) == Value::Unsigned(64) => long(self.data(e)),
            Cast(ScalarType::Index, a) => Cast(ScalarType::Index, self.data(a).into()),
            Var(_) => e.clone(),
            _ if is_launch_index(e) => e.clone(),
            _ => self.data(e),
        }
    }

    /// A value of the user's: its C types stay; the indices of the launch, unsigned in CUDA, become signed.
    pub fn data(&self, e: &Expr) -> Expr {
        let mut out = e.clone();
        let is_position = |e: &Expr| self.is_of_call && self.is_index(e);
        let is_float = |e: &Expr| matches!(self.value(e), Value::Float(_));
        out.replace(&mut |e| match e {
            Expr::Cast(ScalarType::Int(_), a) if is_launch_index(a) => Some(e.clone()),
            // The conversion gives the same number from any width.
            Expr::Cast(ScalarType::Int(_) | ScalarType::Float(_), a) if is_position(a) => Some(e.clone()),
            Expr::Binary(op, a, b) if is_position(a) && is_float(b) => {
                Some(Expr::Binary(*op, a.clone(), self.data(b).into()))
            }
            Expr::Binary(op, a, b) if is_position(b) && is_float(a) => {
                Some(Expr::Binary(*op, self.data(a).into(), b.clone()))
            }
            Expr::Cast(ScalarType::Index, a) if self.is_of_call => Some(long(self.data(a))),
            e if is_position(e) || (self.is_of_call && is_launch_index(e)) => Some(long(e.clone())),
            e if is_launch_index(e) => Some(Expr::Cast(ScalarType::Index, e.clone().into())),
            Expr::Cond(c, a, b) => Some(Expr::Cond(self.condition(c).into(), self.data(a).into(), self.data(b).into())),
            Expr::Binary(op, a, b) if is_comparison(*op) => {
                let (a, b) = self.as_compared(self.data(a), self.data(b));
                Some(Expr::Binary(*op, a.into(), b.into()))
            }
            // Its subscripts are positions: printing the element sees to them.
            Expr::Load(_) | Expr::Aligned { .. } => Some(e.clone()),
            _ => None,
        });
        out
    }

    /// Writes out the conversion that C makes where a signed number is compared to an unsigned one: compilers of C++
    /// warn of it.
    fn as_compared(&self, a: Expr, b: Expr) -> (Expr, Expr) {
        let unsigned = |e: Expr, bits| match e {
            Expr::Int(0..) => e,
            e if bits == 32 => Expr::Cast(ScalarType::Int(IntKind::UInt), e.into()),
            e => Expr::Cast(ScalarType::Int(IntKind::ULong), e.into()),
        };
        match (self.value(&a), self.value(&b)) {
            (Value::Signed(s), Value::Unsigned(u)) if s <= u => (unsigned(a, u), b),
            (Value::Unsigned(u), Value::Signed(s)) if s <= u => (a, unsigned(b, u)),
            _ => (a, b),
        }
    }

    /// A condition: comparisons of counters are positions, all else is the user's.
    pub fn condition(&self, e: &Expr) -> Expr {
        match e {
            Expr::Binary(op @ (BinOp::And | BinOp::Or), a, b) => {
                Expr::Binary(*op, self.condition(a).into(), self.condition(b).into())
            }
            Expr::Unary(UnaryOp::Not, a) => Expr::Unary(UnaryOp::Not, self.condition(a).into()),
            e if self.compares_positions(e) => self.position(e),
            e => self.data(e),
        }
    }

    /// Test that `e` compares integer scalars of which all are signed or one counts: then numbers are meant, and not
    /// their machine types.
    pub fn compares_positions(&self, e: &Expr) -> bool {
        let Expr::Binary(op, a, b) = e else { return false };
        let mut leaves = Leaves { counts: false, unsigned: false, other: false };
        leaves.visit(self, a);
        leaves.visit(self, b);
        is_comparison(*op) && !leaves.other && (leaves.counts || !leaves.unsigned)
    }

    /// The one subscript of an element of a global array, or a subscript for each extent of a tile.
    ///
    /// # Errors
    /// An array that nothing declares, or subscripts that do not match its extents.
    pub fn subscripts(&self, access: &Access) -> Result<Vec<Expr>, Stop> {
        let Some((_, memory)) = self.arrays.get(&access.array) else {
            return Err(bug(format!("an access to the undeclared array `{}`", access.array)));
        };
        let Memory::Global(extents) = memory else {
            return Ok(access.index.iter().map(|e| self.position(e)).collect());
        };
        if extents.len() != access.index.len() {
            return Err(bug(format!(
                "`{}` has {} extents and an access with {} subscripts",
                access.array,
                extents.len(),
                access.index.len()
            )));
        }
        let mut at = Expr::Int(0);
        for (index, extent) in access.index.iter().zip(extents) {
            at = plus(times(at, extent), index);
        }
        Ok(vec![self.position(&at)])
    }

    fn is_index(&self, e: &Expr) -> bool {
        matches!(e, Expr::Var(name) if self.vars.get(name) == Some(&ScalarType::Index))
    }

    /// Test that a value has fewer bits than positions are computed in.
    /// Test for arithmetic over tunables and small numbers alone.
    fn is_size(&self, e: &Expr) -> bool {
        !e.any(&mut |e| match e {
            Expr::Var(name) => !self.sizes.contains(name),
            Expr::Int(n) => !(0..=i64::from(MAX_BLOCK)).contains(n),
            Expr::Binary(op, ..) => !matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Rem),
            Expr::CeilDiv(..) => false,
            _ => true,
        })
    }

    fn is_narrow(&self, e: &Expr) -> bool {
        self.bits == 64 && matches!(self.value(e), Value::Signed(32) | Value::Unsigned(32))
    }

    /// Casts an unsigned operand that would turn a signed one into an unsigned number.
    fn same_sign(&self, a: Expr, b: Expr) -> (Expr, Expr) {
        let signed = |e: Expr| match e {
            e if is_launch_index(&e) => Expr::Cast(ScalarType::Index, e.into()),
            e => long(e),
        };
        match (self.value(&a), self.value(&b)) {
            (Value::Unsigned(_), Value::Unsigned(_)) => (signed(a), signed(b)),
            (Value::Unsigned(_), Value::Signed(bits)) if bits == 32 || self.is_of_call => (signed(a), b),
            (Value::Signed(bits), Value::Unsigned(_)) if bits == 32 || self.is_of_call => (a, signed(b)),
            _ => (a, b),
        }
    }
}

/// What a comparison reads.
struct Leaves {
    counts: bool,
    unsigned: bool,
    other: bool,
}

impl Leaves {
    fn visit(&mut self, scope: &Scope, e: &Expr) {
        use Expr::*;
        match e {
            Int(_) => {}
            BlockIdx(_) | ThreadIdx(_) | GridSize(_) => self.counts = true,
            Var(name) => {
                self.counts |= scope.vars.get(name) == Some(&ScalarType::Index);
                self.unsigned |= matches!(scope.value(e), Value::Unsigned(_));
                self.other |= matches!(scope.value(e), Value::Float(_));
            }
            Binary(BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Rem, a, b)
            | Min(a, b)
            | Max(a, b)
            | FloorDiv(a, b)
            | CeilDiv(a, b)
            | Mod(a, b) => {
                self.visit(scope, a);
                self.visit(scope, b);
            }
            Unary(UnaryOp::Neg, a) => self.visit(scope, a),
            _ => self.other = true,
        }
    }
}

/// Test that an operator compares.
pub fn is_comparison(op: BinOp) -> bool {
    matches!(op, BinOp::Lt | BinOp::Gt | BinOp::Le | BinOp::Ge | BinOp::Eq | BinOp::Ne)
}

/// What CUDA holds in a `dim3`: unsigned.
fn is_launch_index(e: &Expr) -> bool {
    matches!(e, Expr::BlockIdx(_) | Expr::ThreadIdx(_) | Expr::GridSize(_))
}

fn long(e: Expr) -> Expr {
    Expr::Cast(ScalarType::Int(IntKind::Long), e.into())
}

/// C's usual arithmetic conversions.
fn join(a: Value, b: Value) -> Value {
    let rank = |kind| match kind {
        FloatKind::Float => 0,
        FloatKind::Double => 1,
        FloatKind::LongDouble => 2,
    };
    match (a, b) {
        (Value::Float(x), Value::Float(y)) => Value::Float(if rank(x) >= rank(y) { x } else { y }),
        (Value::Float(x), _) | (_, Value::Float(x)) => Value::Float(x),
        (Value::Signed(x), Value::Signed(y)) => Value::Signed(x.max(y)),
        (Value::Unsigned(x), Value::Unsigned(y)) => Value::Unsigned(x.max(y)),
        (Value::Signed(s), Value::Unsigned(u)) | (Value::Unsigned(u), Value::Signed(s)) => {
            if s > u {
                Value::Signed(s)
            } else {
                Value::Unsigned(u)
            }
        }
    }
}

/// The result of a function of `math.h` or `stdlib.h`.
fn math_result(name: &str) -> Value {
    match name {
        "abs" | "ilogb" | "ilogbf" => Value::Signed(32),
        "rt_isnan" | "rt_isinf" | "rt_isfinite" | "rt_signbit" | RARE => Value::Signed(32),
        "rt_popcount" | "rt_clz" | "rt_clz_32" | "rt_ctz" => Value::Signed(32),
        "labs" | "llabs" | "lround" | "lroundf" | "llround" | "llroundf" | "lrint" | "lrintf" | "llrint"
        | "llrintf" | "rt_lcg" | "rt_lcg_bits" | "rt_lcg_schrage" | "rt_ring" | "rt_ring_mask" => Value::Signed(64),
        _ if name.ends_with('f') && !matches!(name, "erf") => Value::Float(FloatKind::Float),
        _ => Value::Float(FloatKind::Double),
    }
}

fn widen_one(a: Expr, b: Expr) -> (Expr, Expr) {
    let wide = |e: Expr| Expr::Cast(ScalarType::Index, e.into());
    match (&a, &b) {
        (Expr::Int(_), Expr::Int(_)) => (a, b),
        (Expr::Int(_), _) => (a, wide(b)),
        _ => (wide(a), b),
    }
}

fn joined(make: fn(Box<Expr>, Box<Expr>) -> Expr, (a, b): (Expr, Expr)) -> Expr {
    make(a.into(), b.into())
}

fn times(a: Expr, b: &Expr) -> Expr {
    match (&a, b) {
        (Expr::Int(0), _) | (_, Expr::Int(1)) => a,
        (Expr::Int(1), _) => b.clone(),
        _ => Expr::Binary(BinOp::Mul, a.into(), b.clone().into()),
    }
}

fn plus(a: Expr, b: &Expr) -> Expr {
    match (&a, b) {
        (Expr::Int(0), _) => b.clone(),
        (_, Expr::Int(0)) => a,
        (_, Expr::Binary(BinOp::Add, x, y)) => plus(plus(a, x), y),
        (_, Expr::Binary(BinOp::Sub, x, y)) => Expr::Binary(BinOp::Sub, plus(a, x).into(), y.clone()),
        _ => Expr::Binary(BinOp::Add, a.into(), b.clone().into()),
    }
}

#[cfg(test)]
mod tests {
    use crate::kernel::{Kernel, parse};
    use expect_test::{Expect, expect};
    use std::collections::BTreeSet;

    /// Emits the body of a kernel of these parameters.
    fn check(bits: u8, body: &str, expected: Expect) {
        let kernel = kernel(bits, body);
        let text =
            crate::emit::kernel_text::kernel(&kernel, &[], &BTreeSet::new(), "x.c").unwrap_or_else(|e| panic!("{e:?}"));
        let body: Vec<_> = text.lines().skip_while(|l| *l != "{").filter_map(|l| l.strip_prefix("    ")).collect();
        expected.assert_eq(&(body.join("\n") + "\n"));
    }

    fn kernel(bits: u8, body: &str) -> Kernel {
        let text = format!(
            "kernel k(int n, int m, unsigned int u, size s, double d) reads(int idx[n], double a[n, m, 4]) \
             updates(double b[n, m], double z[]) index({bits}) tunable B = 32 grid (n, m) block (4, B) {{ {body} }}"
        );
        let text = text.replace("size s", "unsigned long s");
        parse::module(&text).unwrap_or_else(|e| panic!("{body}: {e}")).1.remove(0)
    }

    #[test]
    fn positions_are_computed_in_the_index_type() {
        // n and m are also values here, so they keep their C type and the casts are needed.
        check(
            64,
            "let index i = g0 * 4 + t0; let index j = g1 * B + t1; d = n * m; d = u * s;
             b[n - 1, m - 1] = a[i, j + 1, 2]; b[u, s - 1] = 0.0; b[t0, 0] = a[idx[j], g1, t1]; z[] += 1.0;",
            expect![[r#"
                const long i = (long)blockIdx.y * 4 + threadIdx.y;
                const long j = (long)blockIdx.x * B + threadIdx.x;
                d = n * m;
                d = u * s;
                b[((long)n - 1) * m + m - 1] = a[(i * m + j + 1) * 4 + 2];
                b[(long)u * m + (long)s - 1] = 0.0;
                b[(long)threadIdx.y * m] = a[((long)idx[j] * m + blockIdx.x) * 4 + threadIdx.x];
                z[0] += 1.0;
            "#]],
        );
        check(
            32,
            "let index i = g0 * 4 + t0; let index j = g1 * B + t1; d = n * m; b[n - 1, j] = a[i, j, 2]; b[u, s] = d;",
            expect![[r#"
                const int i = (int)blockIdx.y * 4 + (int)threadIdx.y;
                const int j = (int)blockIdx.x * B + (int)threadIdx.x;
                d = n * m;
                b[(n - 1) * m + j] = a[(i * m + j) * 4 + 2];
                b[(long)u * m + (long)s] = d;
            "#]],
        );
    }

    #[test]
    fn sizes_of_positions_alone_arrive_as_indices() {
        let text = crate::emit::kernel_text::kernel(
            &kernel(64, "let index i = g0; if (i < u) { b[n - 1, m - i] = d / (double)n; }"),
            &[],
            &BTreeSet::new(),
            "x.c",
        );
        expect![[r#"
            template <typename rt_position, int B>
            RT_KERNEL void k(const rt_position n, const rt_position m, const rt_position u, const unsigned long s, const double d,
                             const rt_in<int> idx, const rt_in<double> a, const rt_inout<double> b, const rt_inout<double> z)
            {
                const rt_position i = blockIdx.y;
                if (i < u) {
                    b[(n - 1) * m + m - i] = d / (double)n;
                }
            }
        "#]].assert_eq(&text.unwrap());
    }

    #[test]
    fn conditions_of_counters_are_positions_and_those_of_values_are_not() {
        check(
            64,
            "let index i = g0; d = n * u; if (i < n * 2 && t0 == 0) { d = 1.0; }
             if (u - 5 < 7 && u > n && s != idx[i]) {
             d = 2.0; }
             if (a[i, 0, 0] > d || !(t1 < n) && i == 0) { d = i < u ? 1.0 : 2.0; }",
            expect![[r#"
                const rt_position i = blockIdx.y;
                d = n * u;
                if (i < (rt_position)n * 2 && threadIdx.y == 0) {
                    d = 1.0;
                }
                if (u - 5 < 7 && u > (unsigned int)n && s != (unsigned long)idx[i]) {
                    d = 2.0;
                }
                if (a[i * m * 4] > d || (!((rt_position)threadIdx.x < n) && i == 0)) {
                    d = i < (long)u ? 1.0 : 2.0;
                }
            "#]],
        );
    }

    #[test]
    fn parentheses_are_those_that_are_needed() {
        check(
            64,
            "d = d - (d - d) * -(-d) + (d + d); d = (d + d) / (d * d) / d; n = n + -1 - -2 << (m & 1 | n) ^ ~n;
             n = (n < m) == (m < 3); n = -(-n) + - -5; n = !(n == m) & (m | 1); d = (d < 1.0 ? 2.0 : d) * 3.0;
             n = (int)(d + 0.5) % (unsigned int)7 + (long)1; d = fabs(d > 0.0 ? d : -d);
             n = (-9223372036854775807 - 1);",
            expect![[r#"
                d = d - (d - d) * -(-d) + (d + d);
                d = (d + d) / (d * d) / d;
                n = ((n - 1 + 2) << ((m & 1) | n)) ^ ~n;
                n = (n < m) == (m < 3);
                n = -(-n) + -(-5);
                n = (!(n == m)) & (m | 1);
                d = (d < 1.0 ? 2.0 : d) * 3.0;
                n = (int)(d + 0.5) % 7u + 1L;
                d = fabs(d > 0.0 ? d : -d);
                n = -9223372036854775807 - 1;
            "#]],
        );
    }

    #[test]
    fn mathematical_division_and_tiles() {
        check(
            64,
            "shared float s[4, B]; local int r[2]; let index i = floordiv(n - 1, 4) + mod(n, 3) * ceildiv(m, B);
             s[t0, t1] = (float)max(d, 1.0); barrier; r[i] = min(n, m);
             while (r[0] < 3) { continue; } step { r[0] += 1; }",
            expect![[r#"
                RT_SHARED(float, s, [4][B]);
                RT_LOCAL(int, r, [2]);
                const rt_position i = rt_floordiv((rt_position)n - 1, 4) + (rt_position)rt_mod(n, 3) * rt_ceildiv(m, B);
                s[threadIdx.y][threadIdx.x] = (float)rt_max(d, 1.0);
                __syncthreads();
                r[i] = rt_min(n, m);
                for (; r[0] < 3; r[0] += 1) {
                    continue;
                }
            "#]],
        );
    }
}
