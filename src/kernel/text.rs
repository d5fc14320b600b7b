//! Prints the kernel IR: the form that dumps, golden tests and messages show, and that [`parse`](super::parse)
//! reads back.
//!
//! Expressions are C's, with as few parentheses as C needs, and these differences: subscripts are `a[i, j]` (and
//! `s[]` for an array of no extents); `min`, `max`, `floordiv`, `ceildiv`, `mod` and `aligned` look like calls; positions are
//! `g0`, `t0`, and `n0` for the size of the grid. A name of the user's that is one of the form's own words is
//! printed with a `$` before it. `@12` after a statement (after the `{` of a compound one) is its C line.

use super::mma::MmaShape;
use super::{
    Access, ArrayParam, Expr, Function, GridSync, Kernel, ReduceOp, ScalarParam, ScalarType, Stmt, StmtKind, UnaryOp,
};
use super::{Registers, Tunable, Unroll, Usage};
use crate::ast::BinOp;
use std::fmt::{self, Display, Formatter, Write};

/// Words of the form: a name that is one of them is printed with a `$` before it.
pub(super) const RESERVED: &[&str] = &[
    "kernel",
    "function",
    "reads",
    "writes",
    "updates",
    "turns",
    "tunable",
    "larger",
    "smaller",
    "uneven",
    "wide_if",
    "grid",
    "block",
    "registers_for",
    "note",
    "let",
    "local",
    "shared",
    "on_chip",
    "rows_of",
    "atomic",
    "load_part",
    "load_vector",
    "store_vector",
    "copy_async",
    "commit_copies",
    "wait_copies",
    "aligned",
    "goes_on",
    "block_reduce",
    "join",
    "warp_scan",
    "begin",
    "scan_blocks",
    "mma",
    "if",
    "else",
    "for",
    "in",
    "step",
    "unrolled",
    "while",
    "break",
    "continue",
    "barrier",
    "grid_barrier",
    "grid_wait",
    "phase",
    "relaxed",
    "asynchronous",
    "resident",
    "cooperative",
    "lock_free",
    "return",
    "min",
    "max",
    "floordiv",
    "ceildiv",
    "mod",
    "INFINITY",
    "NAN",
    "index",
    "_Bool",
    "char",
    "signed",
    "unsigned",
    "short",
    "int",
    "long",
    "float",
    "double",
];

/// Reads `g0`, `t1`, `n2`: a position word and its dimension.
pub(super) fn position(word: &str) -> Option<Expr> {
    let dim = || word[1..].parse().ok().filter(|d: &usize| d.to_string() == word[1..]);
    match word.as_bytes().first()? {
        b'g' => dim().map(Expr::BlockIdx),
        b't' => dim().map(Expr::ThreadIdx),
        b'n' => dim().map(Expr::GridSize),
        _ => None,
    }
}

/// A name as the form spells it.
struct Name<'a>(&'a str);

impl Display for Name<'_> {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        if RESERVED.contains(&self.0) || position(self.0).is_some() {
            f.write_char('$')?;
        }
        f.write_str(self.0)
    }
}

/// A text in quotes.
struct Quoted<'a>(&'a str);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "\"{}\"", self.0.replace('\\', "\\\\").replace('"', "\\\""))
    }
}

/// Items with commas between.
struct List<'a, T>(&'a [T]);

impl<T: Display> Display for List<'_, T> {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        for (i, item) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            item.fmt(f)?;
        }
        Ok(())
    }
}

impl Display for ScalarType {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        f.write_str(match self {
            ScalarType::Index => "index",
            ScalarType::Int(kind) => kind.c_name(),
            ScalarType::Float(kind) => kind.c_name(),
        })
    }
}

impl Display for ReduceOp {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        f.write_str(match self {
            ReduceOp::Add => "+",
            ReduceOp::Mul => "*",
            ReduceOp::Min => "min",
            ReduceOp::Max => "max",
            ReduceOp::MinLast => "min_last",
            ReduceOp::MaxLast => "max_last",
            ReduceOp::Fmin => "fmin",
            ReduceOp::Fmax => "fmax",
            ReduceOp::And => "&",
            ReduceOp::Or => "|",
            ReduceOp::Xor => "^",
        })
    }
}

impl Display for UnaryOp {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        f.write_str(match self {
            UnaryOp::Neg => "-",
            UnaryOp::Not => "!",
            UnaryOp::BitNot => "~",
        })
    }
}

impl Display for Access {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "{}[{}]", Name(&self.array), List(&self.index))
    }
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write_expr(f, self, 0)
    }
}

/// Precedence of a conditional, of a prefix operator, and of what never needs parentheses; infix operators lie
/// between the first two ([`BinOp::precedence`]).
const CONDITIONAL: u8 = 1;
const PREFIX: u8 = 12;
const ATOM: u8 = 14;

fn precedence(e: &Expr) -> u8 {
    match e {
        Expr::Cond(..) => CONDITIONAL,
        Expr::Binary(op, ..) => op.precedence(),
        Expr::Unary(..) | Expr::Cast(..) => PREFIX,
        Expr::Int(value) if *value < 0 => PREFIX,
        _ => ATOM,
    }
}

/// Writes an expression, in parentheses when it binds less tightly than `at_least`.
fn write_expr(f: &mut Formatter, e: &Expr, at_least: u8) -> fmt::Result {
    if precedence(e) < at_least {
        f.write_char('(')?;
        write_expr(f, e, 0)?;
        return f.write_char(')');
    }
    match e {
        Expr::Int(value) => write!(f, "{value}"),
        Expr::Float(text) => f.write_str(text),
        Expr::Var(name) => write!(f, "{}", Name(name)),
        Expr::BlockIdx(dim) => write!(f, "g{dim}"),
        Expr::ThreadIdx(dim) => write!(f, "t{dim}"),
        Expr::GridSize(dim) => write!(f, "n{dim}"),
        Expr::GoesOn => f.write_str("goes_on"),
        Expr::Load(access) => write!(f, "{access}"),
        Expr::Aligned { access, count } => write!(f, "aligned({access}, {count})"),
        Expr::Unary(op, x) => {
            // `-5` is a constant, and `--` another operator.
            let apart = *op == UnaryOp::Neg && matches!(**x, Expr::Int(_) | Expr::Unary(UnaryOp::Neg, _));
            write!(f, "{op}")?;
            write_expr(f, x, if apart { ATOM + 1 } else { PREFIX })
        }
        Expr::Binary(op, a, b) => {
            write_expr(f, a, op.precedence())?;
            write!(f, " {} ", op.symbol())?;
            write_expr(f, b, op.precedence() + 1)
        }
        Expr::Cond(c, a, b) => {
            write_expr(f, c, CONDITIONAL + 1)?;
            write!(f, " ? {a} : ")?;
            write_expr(f, b, CONDITIONAL)
        }
        Expr::Cast(ty, x) => {
            write!(f, "({ty})")?;
            write_expr(f, x, PREFIX)
        }
        Expr::Call(name, args) => write!(f, "{}({})", Name(name), List(args)),
        Expr::Min(a, b) => write!(f, "min({a}, {b})"),
        Expr::Max(a, b) => write!(f, "max({a}, {b})"),
        Expr::FloorDiv(a, b) => write!(f, "floordiv({a}, {b})"),
        Expr::CeilDiv(a, b) => write!(f, "ceildiv({a}, {b})"),
        Expr::Mod(a, b) => write!(f, "mod({a}, {b})"),
    }
}

impl Display for ScalarParam {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "{} {}", self.ty, Name(&self.name))
    }
}

impl Display for ArrayParam {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "{} {}[{}]", self.ty, Name(&self.name), List(&self.extents))
    }
}

impl Display for Tunable {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "{} = {}", Name(&self.name), self.value)
    }
}

impl Display for Usage {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        f.write_str(match self {
            Usage::Read => "reads",
            Usage::Write => "writes",
            Usage::ReadWrite => "updates",
            Usage::Turns => "turns",
        })
    }
}

impl Display for GridSync {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        f.write_str(match self {
            GridSync::Cooperative => "cooperative",
            GridSync::LockFree => "lock_free",
            GridSync::Relaxed => "relaxed",
            GridSync::Asynchronous => "asynchronous",
        })
    }
}

impl Display for Kernel {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "kernel {}({})", Name(&self.name), List(&self.scalars))?;
        for group in self.arrays.chunk_by(|a, b| a.usage == b.usage) {
            write!(f, " {}({})", group[0].usage, List(group))?;
        }
        write!(f, " index({})", self.index_bits)?;
        writeln!(f, "{}", self.resident.map_or(String::new(), |sync| format!(" resident({sync})")))?;
        for note in &self.notes {
            writeln!(f, "  note {}", Quoted(note))?;
        }
        if !self.tunables.is_empty() {
            writeln!(f, "  tunable {}", List(&self.tunables))?;
        }
        for (word, tunables) in [("larger", &self.larger), ("smaller", &self.smaller)] {
            if !tunables.is_empty() {
                writeln!(f, "  {word} {}", List(tunables))?;
            }
        }
        if self.is_uneven {
            writeln!(f, "  uneven")?;
        }
        if let Some(wide) = &self.wide {
            writeln!(f, "  wide_if {wide}")?;
        }
        writeln!(f, "  grid ({}) block ({})", List(&self.grid), List(&self.block))?;
        match &self.registers {
            Registers::AsItLikes => {}
            Registers::ForBlock => writeln!(f, "  registers_for block")?,
            Registers::ForBlocks(n) => writeln!(f, "  registers_for resident {n}")?,
            Registers::ForThreads(n) => writeln!(f, "  registers_for {n}")?,
        }
        write_block(f, &self.body, 0, 0)?;
        writeln!(f)
    }
}

impl Display for Function {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "function {} {}({}) ", self.ret, Name(&self.name), List(&self.params))?;
        write_block(f, &self.body, self.line, 0)?;
        writeln!(f)
    }
}

impl Display for Stmt {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write_stmt(f, self, 0)
    }
}

fn indent(f: &mut Formatter, depth: usize) -> fmt::Result {
    (0..depth).try_for_each(|_| f.write_str("  "))
}

/// `{`, the line, the statements each on its own line, `}`.
fn write_block(f: &mut Formatter, body: &[Stmt], line: u32, depth: usize) -> fmt::Result {
    f.write_char('{')?;
    write_line(f, line)?;
    f.write_char('\n')?;
    for stmt in body {
        write_stmt(f, stmt, depth + 1)?;
        f.write_char('\n')?;
    }
    indent(f, depth)?;
    f.write_char('}')
}

fn write_line(f: &mut Formatter, line: u32) -> fmt::Result {
    if line == 0 { Ok(()) } else { write!(f, " @{line}") }
}

/// Words behind a loop's step.
struct Unrolled<'a>(&'a Unroll);

impl Display for Unrolled<'_> {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match self.0 {
            Unroll::AsItIs => Ok(()),
            Unroll::All => f.write_str(" unrolled"),
            Unroll::By(iterations) => write!(f, " unrolled({iterations})"),
        }
    }
}

/// Writes a statement, indented, without an end of line.
fn write_stmt(f: &mut Formatter, stmt: &Stmt, depth: usize) -> fmt::Result {
    indent(f, depth)?;
    match &stmt.kind {
        StmtKind::If { cond, then, other } => {
            write!(f, "if ({cond}) ")?;
            write_block(f, then, stmt.line, depth)?;
            return write_clause(f, "else", other, depth);
        }
        StmtKind::For { var, lo, hi, step, unroll, body } => {
            write!(f, "for {} in {lo} .. {hi} step {step}{} ", Name(var), Unrolled(unroll))?;
            return write_block(f, body, stmt.line, depth);
        }
        StmtKind::While { cond, step, body } => {
            write!(f, "while ({cond}) ")?;
            write_block(f, body, stmt.line, depth)?;
            return write_clause(f, "step", step, depth);
        }
        StmtKind::Phase { name, note, body } => {
            write!(f, "phase {} {} ", Name(name), Quoted(note))?;
            return write_block(f, body, stmt.line, depth);
        }
        StmtKind::Let { var, ty, init: None } => write!(f, "let {ty} {}", Name(var)),
        StmtKind::Let { var, ty, init: Some(init) } => write!(f, "let {ty} {} = {init}", Name(var)),
        StmtKind::LocalArray { name, ty, extents } => write!(f, "local {ty} {}[{}]", Name(name), List(extents)),
        StmtKind::OnChip { name, ty, of, rows: None } => write!(f, "on_chip {ty} {} in {of}", Name(name)),
        StmtKind::OnChip { name, ty, of, rows: Some(start) } => {
            write!(f, "on_chip {ty} {} rows_of {} in {of}", Name(name), Name(start))
        }
        StmtKind::Shared { name, ty, extents } => write!(f, "shared {ty} {}[{}]", Name(name), List(extents)),
        StmtKind::Assign { var, op, value } => write!(f, "{} {}= {value}", Name(var), compound(*op)),
        StmtKind::Store { target, op, value } => write!(f, "{target} {}= {value}", compound(*op)),
        StmtKind::Atomic { target, op, value } => write!(f, "atomic {target} {op}= {value}"),
        StmtKind::LoadVector { array, source, is_part } => {
            write!(f, "{} {} = {source}", if *is_part { "load_part" } else { "load_vector" }, Name(array))
        }
        StmtKind::StoreVector { target, array } => write!(f, "store_vector {target} = {}", Name(array)),
        StmtKind::CopyAsync { target, source, count } => write!(f, "copy_async({count}) {target} = {source}"),
        StmtKind::CommitCopies => f.write_str("commit_copies"),
        StmtKind::WaitCopies { pending } => write!(f, "wait_copies {pending}"),
        StmtKind::BlockReduce { op, ty, value, target } => write!(f, "block_reduce({op}) {ty} {target} = {value}"),
        StmtKind::Join { op, var, extent, stride } => write!(f, "join({op}, {extent}, {stride}) {}", Name(var)),
        StmtKind::WarpScan { op, var, carry } => write!(f, "warp_scan({op}) {}, {}", Name(var), Name(carry)),
        StmtKind::Begin { var, begun } => write!(f, "begin {}, {}", Name(var), Name(begun)),
        StmtKind::ScanBlocks { op, var, slots, block, start } => {
            write!(f, "scan_blocks({op}) {}, {}, {block}, {start}", Name(var), Name(slots))
        }
        StmtKind::Mma { shape: MmaShape { rows, columns, depth }, c, a, b } => {
            write!(f, "mma({rows}, {columns}, {depth}) ({}) += ({}) * ({})", List(c), List(a), List(b))
        }
        StmtKind::Break => f.write_str("break"),
        StmtKind::Continue => f.write_str("continue"),
        StmtKind::Barrier => f.write_str("barrier"),
        StmtKind::GridBarrier => f.write_str("grid_barrier"),
        StmtKind::GridWait { across } => write!(f, "grid_wait({})", List(across)),
        StmtKind::Return(None) => f.write_str("return"),
        StmtKind::Return(Some(value)) => write!(f, "return {value}"),
    }?;
    f.write_char(';')?;
    write_line(f, stmt.line)
}

/// ` word { ... }`, or nothing when there are no statements.
fn write_clause(f: &mut Formatter, word: &str, body: &[Stmt], depth: usize) -> fmt::Result {
    if body.is_empty() {
        return Ok(());
    }
    write!(f, " {word} ")?;
    write_block(f, body, 0, depth)
}

fn compound(op: Option<BinOp>) -> &'static str {
    op.map_or("", BinOp::symbol)
}

/// The first line of a statement's text: what a message shows of it.
pub fn head(stmt: &Stmt) -> String {
    stmt.to_string().lines().next().unwrap_or_default().to_string()
}
