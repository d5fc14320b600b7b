//! Kernel IR: what one CUDA kernel does, with nothing left to decide but its spelling.
//!
//! # Contract
//! - A kernel runs over a grid of blocks of threads. Dimensions are **outermost first** everywhere; `x`, `y`,
//!   `z` exist in `emit` alone (the last dimension becomes `x`). At most three of each.
//! - Expressions have the meaning of C on the same operand types. [`Expr::FloorDiv`] and [`Expr::Mod`] are the
//!   mathematical ones (towards minus infinity, never negative for a positive divisor).
//! - A variable of type [`ScalarType::Index`] holds a loop counter or an array position; `emit` spells it `int`
//!   or `long` after [`Kernel::index_bits`].
//! - Array extents are outermost first; an access has as many subscripts as the array has extents. An array of
//!   no extents is one element: a scalar that lives on the device.
//! - Invariants that [`verify`] checks are listed in that file's header.
//!
//! # Text form
//! [`text`] prints, [`parse`] reads the same form back; `parse(print(k)) == k` for every kernel. Arrays are grouped
//! by [`Usage`]: `reads`, `writes`, `updates` (both), in the order of the parameters.
//! ```text
//! kernel rt_mm_0(int alpha) reads(double a[n, p], double b[p, m]) writes(double c[n, m]) index(64)
//!   tunable BLOCK_0 = 8, BLOCK_1 = 32
//!   grid (ceildiv(n, BLOCK_0), ceildiv(m, BLOCK_1)) block (BLOCK_0, BLOCK_1)
//! {
//!   let index i = g0 * BLOCK_0 + t0;
//!   let index j = g1 * BLOCK_1 + t1;
//!   if (i < n && j < m) {
//!     c[i, j] = 0.0; @12
//!     for k in 0 .. p step 1 {
//!       c[i, j] += a[i, k] * b[k, j]; @14
//!     }
//!   }
//! }
//! ```

use crate::ast::{BinOp, FloatKind, IntKind};
use mma::MmaShape;
use serde::Serialize;

#[cfg(test)]
mod arbitrary;
pub mod exchange;
pub mod linear;
pub mod mma;
pub mod parse;
pub mod positions;
pub mod rename;
pub mod simplify;
pub mod text;
pub mod turns;
pub mod types;
pub mod verify;
pub mod walk;

/// The type of a value in a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ScalarType {
    /// A counter or position; 32 or 64 bits by [`Kernel::index_bits`].
    Index,
    Int(IntKind),
    Float(FloatKind),
}

impl ScalarType {
    /// Bytes a value takes (LP64), in a kernel of this width of index.
    pub fn size(self, index_bits: u8) -> i64 {
        use IntKind::*;
        match self {
            ScalarType::Index => i64::from(index_bits / 8),
            ScalarType::Int(Bool | Char | SChar | UChar) => 1,
            ScalarType::Int(Short | UShort) => 2,
            ScalarType::Int(Int | UInt) | ScalarType::Float(FloatKind::Float) => 4,
            ScalarType::Int(Long | ULong | LongLong | ULongLong) | ScalarType::Float(FloatKind::Double) => 8,
            ScalarType::Float(FloatKind::LongDouble) => 16,
        }
    }
}

/// An associative and commutative operator that partial results are joined by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub enum ReduceOp {
    Add,
    Mul,
    /// The lesser, the greater, by comparison: `x > m ? x : m`. A NaN is never taken, and an `m` that is NaN stays.
    Min,
    Max,
    /// The same where an equal value is taken, too: `x >= m ? x : m`. Of 0 and -0 the last one stays.
    MinLast,
    MaxLast,
    /// C's `fmin`, `fmax`: of a NaN and a number the number.
    Fmin,
    Fmax,
    And,
    Or,
    Xor,
}

impl ReduceOp {
    /// The operator whose compound assignment joins, if there is one.
    pub fn operator(self) -> Option<BinOp> {
        match self {
            ReduceOp::Add => Some(BinOp::Add),
            ReduceOp::Mul => Some(BinOp::Mul),
            ReduceOp::And => Some(BinOp::BitAnd),
            ReduceOp::Or => Some(BinOp::BitOr),
            ReduceOp::Xor => Some(BinOp::BitXor),
            ReduceOp::Min | ReduceOp::Max | ReduceOp::MinLast | ReduceOp::MaxLast | ReduceOp::Fmin | ReduceOp::Fmax => {
                None
            }
        }
    }

    /// What joining gives, in a person's words.
    pub fn noun(self) -> &'static str {
        match self {
            ReduceOp::Add => "sum",
            ReduceOp::Mul => "product",
            ReduceOp::Min | ReduceOp::MinLast | ReduceOp::Fmin => "minimum",
            ReduceOp::Max | ReduceOp::MaxLast | ReduceOp::Fmax => "maximum",
            ReduceOp::And => "bitwise and",
            ReduceOp::Or => "bitwise or",
            ReduceOp::Xor => "bitwise exclusive or",
        }
    }
}

/// Prefix operators of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    Neg,
    Not,
    BitNot,
}

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Expr {
    Int(i64),
    /// A floating constant as it is spelled in C, suffix included and without a sign; or `INFINITY` or `NAN` of `math.h`.
    Float(String),
    /// A scalar parameter, tunable, `let` or loop variable.
    Var(String),
    /// Position of the block in the grid, of the thread in its block (dimension, outermost first): `g0`, `t0`.
    BlockIdx(usize),
    ThreadIdx(usize),
    /// Number of blocks in a dimension of the grid: `n0`. (A block's own extent is its `block` expression.)
    GridSize(usize),
    /// 0 once the program was asked to end, else 1; on the host, or in a resident kernel, where all threads behind as many
    /// barriers of the grid have the same.
    GoesOn,
    Load(Access),
    /// 1 where a vector of `count` elements may start at this element of a global array, else 0: its address is a multiple
    /// of the widest of 16, 8, 4 and 2 bytes that divides the vector's. Reads no memory. `count` is over constants and tunables.
    Aligned {
        access: Access,
        count: Box<Expr>,
    },
    Unary(UnaryOp, Box<Expr>),
    Binary(BinOp, Box<Expr>, Box<Expr>),
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    Cast(ScalarType, Box<Expr>),
    /// A function of `math.h`, or a device function of the region.
    Call(String, Vec<Expr>),
    Min(Box<Expr>, Box<Expr>),
    Max(Box<Expr>, Box<Expr>),
    FloorDiv(Box<Expr>, Box<Expr>),
    CeilDiv(Box<Expr>, Box<Expr>),
    Mod(Box<Expr>, Box<Expr>),
}

/// An element of a global, shared or local array.
#[derive(Debug, Clone, PartialEq)]
pub struct Access {
    pub array: String,
    pub index: Vec<Expr>,
}

/// A statement and the C line it comes from (0: made by the tool).
#[derive(Debug, Clone, PartialEq)]
pub struct Stmt {
    pub kind: StmtKind,
    pub line: u32,
}

/// What a statement does.
#[derive(Debug, Clone, PartialEq)]
pub enum StmtKind {
    /// Declares a variable of the thread.
    Let {
        var: String,
        ty: ScalarType,
        init: Option<Expr>,
    },
    /// Declares an array of the thread (registers or local memory); extents use constants and tunables only.
    LocalArray {
        name: String,
        ty: ScalarType,
        extents: Vec<Expr>,
    },
    /// Declares an array of the thread for the whole of a resident kernel, of as many elements as its scalar [`SLOTS`] says:
    /// in shared memory, as far as the launch finds room. Threads have `of` elements together, these being some. With
    /// `rows` an element is a row of a sparse matrix, which begins where that array says: it has two subscripts, the second
    /// one being an entry's place in the row, and there are as many rows as [`ROWS`] says.
    OnChip {
        name: String,
        ty: ScalarType,
        of: Expr,
        rows: Option<String>,
    },
    /// Declares an array of the block, in shared memory; extents as above.
    Shared {
        name: String,
        ty: ScalarType,
        extents: Vec<Expr>,
    },
    /// `var op= value`.
    Assign {
        var: String,
        op: Option<BinOp>,
        value: Expr,
    },
    /// `target op= value` by the one thread that owns the element.
    Store {
        target: Access,
        op: Option<BinOp>,
        value: Expr,
    },
    /// The same by any thread, atomically.
    Atomic {
        target: Access,
        op: ReduceOp,
        value: Expr,
    },
    /// Elements `source[.., last + 0 .. n)` of a global or shared array into the array of the thread `array` of the one
    /// extent n, loaded together: the first is [`Expr::Aligned`], and all lie in the source. In part: some may not have been
    /// written yet, and nothing that is kept is made of them.
    LoadVector {
        array: String,
        source: Access,
        is_part: bool,
    },
    /// The reverse: the array of the thread into elements that the thread owns.
    StoreVector {
        target: Access,
        array: String,
    },
    /// Begins to copy `count` consecutive elements of a global array, which the kernel does not write, to a shared one
    /// (`cp.async`): 4, 8 or 16 bytes, aligned to as many on both sides. The thread sees them after the wait for its
    /// group, others after a barrier behind that. `count` is over constants and tunables.
    CopyAsync {
        target: Access,
        source: Access,
        count: Expr,
    },
    /// The copies that the thread has begun since the last such statement become a group.
    CommitCopies,
    /// Waits until at most `pending` of the thread's newest groups are under way; over constants and tunables.
    WaitCopies {
        pending: Expr,
    },
    If {
        cond: Expr,
        then: Vec<Stmt>,
        other: Vec<Stmt>,
    },
    /// `for (var = lo; var < hi; var += step)`; `step` is positive. `var` is an [`ScalarType::Index`].
    For {
        var: String,
        lo: Expr,
        hi: Expr,
        step: Expr,
        unroll: Unroll,
        body: Vec<Stmt>,
    },
    /// `for (; cond; step) body`: a loop whose trip count only the data knows. `step` runs on `continue` too.
    While {
        cond: Expr,
        step: Vec<Stmt>,
        body: Vec<Stmt>,
    },
    /// Innermost loop only, as in C.
    Break,
    Continue,
    /// `__syncthreads()`: reached by all threads of the block or by none.
    Barrier,
    /// A barrier among all blocks, in a resident kernel: reached by all threads of the grid or by none. What was
    /// written before it is seen after it.
    GridBarrier,
    /// The same among neighbours alone, where blocks stand in rows of so many, planes of so many rows, the last dimension
    /// last: what the block itself and those beside it wrote before theirs is seen after it, and so is all that these had seen.
    /// In a kernel that is [`GridSync::Asynchronous`] a block has no neighbours: it waits for its own threads.
    GridWait {
        across: Vec<Expr>,
    },
    /// Work between two barriers of a resident kernel, which no thread does on what another does at the same time. A
    /// function of its own in what is emitted: there the compiler may keep in registers what it has read.
    Phase {
        name: String,
        note: String,
        body: Vec<Stmt>,
    },
    /// Joins `value` over all threads of the block (all reach it); one thread then stores the result.
    /// Holds the barriers it needs.
    BlockReduce {
        op: ReduceOp,
        ty: ScalarType,
        value: Expr,
        target: Access,
    },
    /// Joins a variable over groups of `extent` threads of the block, each `stride` after the one before (the last
    /// dimension counts fastest): every thread of a group gets the same result. All threads of the block reach it. It
    /// holds the barriers it needs, but orders no memory for others. Both are over constants and tunables.
    Join {
        op: ReduceOp,
        var: String,
        extent: Expr,
        stride: Expr,
    },
    /// Joins a variable over the threads of each warp in their order: it becomes what `carry` and the variables of the
    /// threads before join to, and `carry`, which all threads of the warp have the same, what it and all variables join
    /// to. All threads of the block reach it. (Blelloch, "Prefix sums and their applications", 1990.)
    WarpScan {
        op: ReduceOp,
        var: String,
        carry: String,
    },
    /// Declares a number of the block: how many blocks of the launch have begun before it, counted in the array `begun` of
    /// one `unsigned int`, which is 0 when the launch begins. All threads of the block reach it, once. It holds the barriers
    /// it needs, but orders no memory for others.
    Begin {
        var: String,
        begun: String,
    },
    /// Joins a variable over all warps of the launch, in the order of `block`, a number by [`StmtKind::Begin`], and in a
    /// block in theirs: it becomes what `start` and the variables of all warps before join to. Blocks tell it each other in
    /// the array `slots` of `unsigned long long`, [`slots_of_block`] for each block, which are 0 when the launch begins. A
    /// block is of one dimension, of whole warps; all threads reach it, once. It holds the barriers it needs, but orders no
    /// memory for others. (Merrill and Garland, "Single-pass parallel prefix scan with decoupled look-back", 2016.)
    ScanBlocks {
        op: ReduceOp,
        var: String,
        slots: String,
        block: Expr,
        start: Expr,
    },
    /// `c += a * b`, of matrices that the threads of a warp hold together: the elements of each are this thread's, in the
    /// order of [`mma`]. Those of `c` are elements of one array of the thread. All threads of a warp reach it together.
    Mma {
        shape: MmaShape,
        c: Vec<Access>,
        a: Vec<Expr>,
        b: Vec<Expr>,
    },
    /// In a [`Function`] only.
    Return(Option<Expr>),
}

/// How many iterations of a loop the compiler writes out in a row.
#[derive(Debug, Clone, PartialEq)]
pub enum Unroll {
    /// As many as it likes.
    AsItIs,
    All,
    /// So many: a number, or a tunable.
    By(Expr),
}

/// How many registers the compiler may give each thread of a kernel. All but the first tell it how many threads a block has.
#[derive(Debug, Clone, PartialEq)]
pub enum Registers {
    AsItLikes,
    /// No more than a block leaves for each.
    ForBlock,
    /// No more than so many blocks of a processor leave: a number, or a tunable.
    ForBlocks(Expr),
    /// No more than so many threads of a processor leave.
    ForThreads(i64),
}

impl StmtKind {
    /// A loop `for var in lo .. hi step step` that nobody has decided on how to unroll.
    pub fn counted(var: String, [lo, hi, step]: [Expr; 3], body: Vec<Stmt>) -> Self {
        StmtKind::For { var, lo, hi, step, unroll: Unroll::AsItIs, body }
    }
}

/// Words of `slots` that [`StmtKind::ScanBlocks`] needs for each block: two messages, of a word for every 4 bytes of a value.
pub fn slots_of_block(ty: ScalarType) -> i64 {
    2 * ((ty.size(64) + 3) / 4)
}

/// A scalar passed by value.
#[derive(Debug, Clone, PartialEq)]
pub struct ScalarParam {
    pub name: String,
    pub ty: ScalarType,
}

/// How a kernel uses an array. Of one that it only writes, it may load what it has stored itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub enum Usage {
    Read,
    Write,
    ReadWrite,
    /// It reads and writes, but while it runs nothing of what it reads: planes that take turns.
    Turns,
}

/// An array in device memory.
#[derive(Debug, Clone, PartialEq)]
pub struct ArrayParam {
    pub name: String,
    pub ty: ScalarType,
    pub extents: Vec<Expr>,
    pub usage: Usage,
}

/// The name of the compile-time parameter of a kernel that tells its instances by [`Kernel::wide`] apart: what one of them needs
/// registers for is not there in the other.
pub const WIDE: &str = "WIDE";

/// The name of the compile-time parameter that says how many blocks of a processor the registers of a thread must leave room
/// for: the least blocks of `__launch_bounds__`.
pub const RESIDENT: &str = "RESIDENT";

/// The tunable of a resident kernel: the threads of its blocks.
pub const THREADS: &str = "THREADS";

/// The scalar of a resident kernel, its first, that says how many elements each [`StmtKind::OnChip`] has. The runtime supplies it.
pub const SLOTS: &str = "rt_slots";

/// The scalars behind it, where some of these elements are rows: how many of a thread's rows are on chip, the first ones, and how
/// many entries the longest row has.
pub const ROWS: &str = "rt_rows_kept";
pub const LONGEST: &str = "rt_longest";

/// A compile-time parameter of the kernel (a template argument), with the value it has when nobody tunes it. `UNROLL` is
/// how often loops that only read ([`Stmt::is_reading_loop`]) are unrolled; see [`WIDE`] and [`RESIDENT`].
#[derive(Debug, Clone, PartialEq)]
pub struct Tunable {
    pub name: String,
    pub value: i64,
}

/// How the blocks of a resident kernel wait for each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub enum GridSync {
    /// Cooperative groups' `grid.sync()`.
    Cooperative,
    /// The two arrays of flags of Xiao and Feng (rt-cuda, section 3.3), in today's memory model.
    LockFree,
    /// A flag for each block, which those look at that need what it writes.
    Relaxed,
    /// Cooperative groups' at a [`StmtKind::GridBarrier`], and none at all at a [`StmtKind::GridWait`].
    Asynchronous,
}

/// A kernel. See the module's contract.
#[derive(Debug, Clone, PartialEq)]
pub struct Kernel {
    pub name: String,
    pub scalars: Vec<ScalarParam>,
    pub arrays: Vec<ArrayParam>,
    pub tunables: Vec<Tunable>,
    /// The same with other values, for launches whose grid then still has a block for each processor, and for those whose
    /// grid would not at the usual ones; empty: there are none.
    pub larger: Vec<Tunable>,
    pub smaller: Vec<Tunable>,
    /// Flag: of a kernel that multiplies matrices, whose smaller blocks lose little, where a block lies decides how much it has to
    /// do; so a device is filled by many blocks a processor alone.
    pub is_uneven: bool,
    /// Condition under which all vectors of a launch that may be aligned are, over parameters, tunables and first elements of arrays:
    /// the call picks the instance in which [`WIDE`] is 1, else the one in which it is 0. `None`: there is one.
    pub wide: Option<Expr>,
    /// 32 where every extent is known to fit, else 64: then a call may still choose, see [`positions`].
    pub index_bits: u8,
    /// Of a kernel whose blocks are all resident at once, so that they may wait for each other. The runtime decides how
    /// many blocks there are: the work is shared out by [`Expr::GridSize`]. What it writes is never read through the
    /// read-only path.
    pub resident: Option<GridSync>,
    /// Number of blocks and of threads in a block, in each dimension: over parameters and tunables.
    pub grid: Vec<Expr>,
    pub block: Vec<Expr>,
    pub registers: Registers,
    pub body: Vec<Stmt>,
    /// For the reader of the CUDA file: what the kernel computes and how it was mapped, a line each.
    pub notes: Vec<String>,
}

impl Kernel {
    /// The kernel with other values of its tunables.
    pub fn with(&self, tunables: &[Tunable]) -> Kernel {
        Kernel { tunables: tunables.to_vec(), larger: vec![], smaller: vec![], ..self.clone() }
    }

    /// Bytes of an element of all its arrays on chip; with `are_rows`, of an entry of all that hold rows.
    pub fn bytes_on_chip(&self, are_rows: bool) -> i64 {
        let bytes = self.body.iter().map(|s| match &s.kind {
            StmtKind::OnChip { ty, rows, .. } if rows.is_some() == are_rows => ty.size(self.index_bits),
            _ => 0,
        });
        bytes.sum()
    }

    /// Test that somewhere its blocks pass by each other without a wait.
    pub fn never_waits(&self) -> bool {
        let mut passes = false;
        self.body.iter().for_each(|s| s.visit(&mut |s| passes |= matches!(s.kind, StmtKind::GridWait { .. })));
        passes && self.resident == Some(GridSync::Asynchronous)
    }

    /// Test that its warps multiply matrices.
    pub fn multiplies_matrices(&self) -> bool {
        let mut does = false;
        self.body.iter().for_each(|s| s.visit(&mut |s| does |= matches!(s.kind, StmtKind::Mma { .. })));
        does
    }

    /// Bounds the registers of its threads, whatever its sizes: they leave room for so many blocks of a processor.
    pub fn bound_registers(&mut self, blocks: i64) {
        let others = [&mut self.larger, &mut self.smaller].into_iter().filter(|sizes| !sizes.is_empty());
        for sizes in others.chain([&mut self.tunables]) {
            sizes.push(Tunable { name: RESIDENT.into(), value: blocks });
        }
    }
}

/// A small pure function of the user's, called from kernels.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    pub name: String,
    pub params: Vec<ScalarParam>,
    pub ret: ScalarType,
    pub body: Vec<Stmt>,
    pub line: u32,
}
