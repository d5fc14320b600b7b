//! Expressions as CUDA text: with the parentheses that C++'s precedence needs, those that compilers ask for where
//! operators mix (`-Wparentheses`), and no others. Operands keep their order and grouping: floating sums are exact.

use super::scope::{Memory, Scope, is_comparison};
use super::{bug, names};
use crate::ast::{BinOp, IntKind};
use crate::diag::Stop;
use crate::kernel::{Access, Expr, ScalarType, UnaryOp};

/// Binding strength of what is not infix, on the scale of [`BinOp::precedence`].
const COND: u8 = 1;
const PREFIX: u8 = 12;
const PRIMARY: u8 = 13;

impl Scope<'_> {
    /// A position (see [`Scope::position`]) as text.
    ///
    /// # Errors
    /// As [`Scope::text`].
    pub fn position_text(&self, e: &Expr) -> Result<String, Stop> {
        self.text(&self.position(e))
    }

    /// A value of a statement of the user's as text.
    ///
    /// # Errors
    /// As [`Scope::text`].
    pub fn data_text(&self, e: &Expr) -> Result<String, Stop> {
        self.text(&self.data(e))
    }

    /// A value that a variable of type `ty` takes: a position if that is an index.
    ///
    /// # Errors
    /// As [`Scope::text`].
    pub fn value_text(&self, e: &Expr, ty: ScalarType) -> Result<String, Stop> {
        if ty == ScalarType::Index { self.position_text(e) } else { self.data_text(e) }
    }

    /// A condition as text.
    ///
    /// # Errors
    /// As [`Scope::text`].
    pub fn condition_text(&self, e: &Expr) -> Result<String, Stop> {
        self.text(&self.condition(e))
    }

    /// An expression as it stands.
    ///
    /// # Errors
    /// A kernel that its verifier would refuse: an undeclared array, a dimension beyond the grid's.
    pub fn text(&self, e: &Expr) -> Result<String, Stop> {
        Ok(self.print(e)?.0)
    }

    /// An element of an array.
    ///
    /// # Errors
    /// As [`Scope::text`].
    pub fn element(&self, access: &Access) -> Result<String, Stop> {
        let subscripts = self.subscripts(access)?;
        let mut text = names::spell(&access.array);
        for e in &subscripts {
            text += &format!("[{}]", self.text(e)?);
        }
        if subscripts.is_empty() && matches!(self.arrays.get(&access.array), Some((_, Memory::Tile))) {
            return Err(bug(format!("the tile `{}` has no extents", access.array)));
        }
        Ok(text)
    }

    /// Where a vector begins: the array, or the row of the tile, and the subscript in it.
    ///
    /// # Errors
    /// As [`Scope::text`].
    pub fn row(&self, access: &Access) -> Result<(String, String), Stop> {
        let mut subscripts = self.subscripts(access)?;
        let last = subscripts.pop().ok_or_else(|| bug(format!("a vector of the tile `{}`", access.array)))?;
        let mut row = names::spell(&access.array);
        for e in &subscripts {
            row += &format!("[{}]", self.text(e)?);
        }
        Ok((row, self.text(&last)?))
    }

    fn print(&self, e: &Expr) -> Result<(String, u8), Stop> {
        use Expr::*;
        Ok(match e {
            Int(v) => integer(*v),
            Float(text) => (text.clone(), if text.starts_with('-') { PREFIX } else { PRIMARY }),
            Var(name) => (names::spell(name), PRIMARY),
            BlockIdx(d) => (launch_index("blockIdx", *d, self.ranks.0)?, PRIMARY),
            ThreadIdx(d) => (launch_index("threadIdx", *d, self.ranks.1)?, PRIMARY),
            GridSize(d) => (launch_index("gridDim", *d, self.ranks.0)?, PRIMARY),
            GoesOn if self.ranks.0 == 0 => ("rt::goes_on()".into(), PRIMARY),
            GoesOn => ("RT_GOES_ON(rt_barrier)".into(), PRIMARY),
            Load(access) => (self.element(access)?, PRIMARY),
            Aligned { access, count } => {
                let (row, at) = self.row(access)?;
                (format!("rt_aligned<{}>({row}, {at})", self.data_text(count)?), PRIMARY)
            }
            Unary(op, a) => self.unary(*op, a)?,
            Binary(op, a, b) => self.binary(*op, a, b)?,
            Cond(c, a, b) => {
                let [c, a, b] = [self.above(c, COND)?, self.text(a)?, self.at_least(b, COND)?];
                (format!("{c} ? {a} : {b}"), COND)
            }
            Cast(ty, a) => self.cast(*ty, a)?,
            Call(name, args) => {
                let user = self.functions.iter().any(|f| f.name == *name);
                let name = if user { names::function(name) } else { name.clone() };
                self.call(&name, args.iter())?
            }
            Min(a, b) => self.call("rt_min", [&**a, b])?,
            Max(a, b) => self.call("rt_max", [&**a, b])?,
            FloorDiv(a, b) => self.call("rt_floordiv", [&**a, b])?,
            CeilDiv(a, b) => self.call("rt_ceildiv", [&**a, b])?,
            Mod(a, b) => self.call("rt_mod", [&**a, b])?,
        })
    }

    fn call<'e>(&self, name: &str, args: impl IntoIterator<Item = &'e Expr>) -> Result<(String, u8), Stop> {
        let args = args.into_iter().map(|e| self.text(e)).collect::<Result<Vec<_>, _>>()?;
        Ok((format!("{name}({})", args.join(", ")), PRIMARY))
    }

    fn unary(&self, op: UnaryOp, a: &Expr) -> Result<(String, u8), Stop> {
        let (sign, operand) = match op {
            UnaryOp::Neg => ('-', self.at_least(a, PREFIX)?),
            UnaryOp::Not => ('!', self.at_least(a, PREFIX)?),
            UnaryOp::BitNot => ('~', self.at_least(a, PREFIX)?),
        };
        let operand = if operand.starts_with(sign) { format!("({operand})") } else { operand };
        Ok((format!("{sign}{operand}"), PREFIX))
    }

    fn cast(&self, ty: ScalarType, a: &Expr) -> Result<(String, u8), Stop> {
        if let (ScalarType::Int(kind), Expr::Int(v @ 0..)) = (ty, a)
            && let Some(suffix) = suffix(kind, *v)
        {
            return Ok((format!("{v}{suffix}"), PRIMARY));
        }
        let name = self.type_name(ty);
        Ok((format!("({name}){}", self.at_least(a, PREFIX)?), PREFIX))
    }

    fn binary(&self, op: BinOp, a: &Expr, b: &Expr) -> Result<(String, u8), Stop> {
        let (mut op, level) = (op, op.precedence());
        let left = self.operand(a, op, false)?;
        let mut right = self.operand(b, op, true)?;
        // `x + -1` reads `x - 1`: the same number in every type of C.
        if let (BinOp::Add | BinOp::Sub, Expr::Int(v @ -0x7fff_ffff..0)) = (op, b) {
            op = if op == BinOp::Add { BinOp::Sub } else { BinOp::Add };
            right = (-v).to_string();
        }
        Ok((format!("{left} {} {right}", op.symbol()), level))
    }

    fn operand(&self, e: &Expr, parent: BinOp, is_right: bool) -> Result<String, Stop> {
        let (text, own) = self.print(e)?;
        let level = parent.precedence();
        let needs = own < level || own == level && is_right || confuses(parent, e);
        Ok(if needs { format!("({text})") } else { text })
    }

    fn at_least(&self, e: &Expr, floor: u8) -> Result<String, Stop> {
        let (text, own) = self.print(e)?;
        Ok(if own < floor { format!("({text})") } else { text })
    }

    fn above(&self, e: &Expr, floor: u8) -> Result<String, Stop> {
        let (text, own) = self.print(e)?;
        Ok(if own <= floor { format!("({text})") } else { text })
    }
}

/// Where precedence is clear to the language and not to its readers: compilers warn, so parentheses stand.
fn confuses(parent: BinOp, e: &Expr) -> bool {
    match (parent, e) {
        (BinOp::Or, Expr::Binary(op, ..)) => *op == BinOp::And,
        (BinOp::BitOr | BinOp::BitXor | BinOp::BitAnd, Expr::Binary(op, ..)) => *op != parent,
        (BinOp::Shl | BinOp::Shr, Expr::Binary(..)) => true,
        (_, Expr::Binary(op, ..)) => is_comparison(parent) && is_comparison(*op),
        (_, Expr::Unary(UnaryOp::Not, _)) => !matches!(parent, BinOp::And | BinOp::Or),
        _ => false,
    }
}

fn integer(v: i64) -> (String, u8) {
    match v {
        i64::MIN => (format!("({} - 1)", v + 1), PRIMARY),
        v => (v.to_string(), if v < 0 { PREFIX } else { PRIMARY }),
    }
}

/// The suffix that gives a constant its type, where C has one.
fn suffix(kind: IntKind, v: i64) -> Option<&'static str> {
    match kind {
        IntKind::Int if i32::try_from(v).is_ok() => Some(""),
        IntKind::UInt if u32::try_from(v).is_ok() => Some("u"),
        IntKind::Long => Some("L"),
        IntKind::ULong => Some("UL"),
        IntKind::LongLong => Some("LL"),
        IntKind::ULongLong => Some("ULL"),
        _ => None,
    }
}

/// The last of `rank` dimensions is `x`.
fn launch_index(name: &str, dim: usize, rank: usize) -> Result<String, Stop> {
    match rank.checked_sub(dim + 1) {
        Some(axis @ 0..3) => Ok(format!("{name}.{}", ['x', 'y', 'z'][axis])),
        _ => Err(bug(format!("dimension {dim} of `{name}`, which has {rank}"))),
    }
}
