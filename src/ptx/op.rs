//! Operations of instructions, apart from their operands.

use super::types::{Combine, Compare, Round, Scalar, Space};

/// Operation of an instruction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Op {
    /// A value from values of the same lane.
    Pure(Pure),
    /// `setp`: a predicate, and its opposite, from a comparison.
    SetPredicate {
        compare: Compare,
        combine: Option<Combine>,
        ty: Scalar,
        ftz: bool,
    },
    /// `mov` of parts of that many bits to the whole, and of the whole to its parts.
    Pack {
        bits: u32,
    },
    Unpack {
        bits: u32,
    },
    /// Loads and stores of some elements in a row.
    Load {
        space: Space,
        ty: Scalar,
        count: usize,
    },
    Store {
        space: Space,
        ty: Scalar,
        count: usize,
    },
    /// `atom`, which returns what was there, and `red`, which does not.
    Atomic {
        space: Space,
        ty: Scalar,
        update: Update,
        returns: bool,
    },
    /// `cp.async`: bytes from global to shared memory.
    AsyncCopy {
        bytes: u64,
    },
    /// Among the lanes of a warp.
    Shuffle(Shuffle),
    Vote(Vote),
    Match {
        all: bool,
        ty: Scalar,
    },
    Reduce {
        update: Update,
        ty: Scalar,
    },
    ActiveMask,
    /// `mma` of f64: 8 x 8 results (m8n8k4), or 16 x 8 with that many products each.
    Matrix {
        rows: usize,
        depth: usize,
    },
    /// Barrier of a block, and of a warp.
    Barrier,
    WarpBarrier,
    /// Fences, prefetches, groups of copies: nothing that a result shows where memory is in order.
    Nothing,
    /// To an instruction of the function; `brx.idx` to one of a table.
    Branch(usize),
    BranchTable(usize),
    /// The call of that number.
    Call(usize),
    Return,
    Exit,
    Trap,
    /// One that the reader does not know.
    Unknown,
}

impl Op {
    /// Test that control may go on elsewhere than behind it.
    pub fn ends_block(self) -> bool {
        matches!(self, Op::Branch(_) | Op::BranchTable(_) | Op::Return | Op::Exit | Op::Trap)
    }

    /// Bytes of memory that a lane accesses by it.
    pub fn bytes(self) -> u64 {
        match self {
            Op::Load { ty, count, .. } | Op::Store { ty, count, .. } => ty.bytes() * count as u64,
            Op::Atomic { ty, .. } => ty.bytes(),
            Op::AsyncCopy { bytes } => bytes,
            _ => 0,
        }
    }

    /// Test that lanes of a warp see each other's values by it.
    pub fn is_of_warp(self) -> bool {
        use Op::{ActiveMask, Match, Matrix, Reduce, Shuffle, Vote, WarpBarrier};
        matches!(self, Shuffle(_) | Vote(_) | Match { .. } | Reduce { .. } | ActiveMask | Matrix { .. } | WarpBarrier)
    }
}

/// A value from values of the same lane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pure {
    pub function: Function,
    /// Type of the operation; of conversions that of the result.
    pub ty: Scalar,
    /// Type of the operands, where it is another.
    pub from: Scalar,
    pub round: Round,
    /// Rounding to an integer in a conversion, and its direction.
    pub to_integer: Option<Round>,
    /// Flush of subnormal f32 to zero.
    pub ftz: bool,
    /// Clamp of the result to \[0, 1\], of integers to what the type holds.
    pub saturates: bool,
    pub part: Part,
    pub carry_in: bool,
    pub carry_out: bool,
}

/// Part of a product that is the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Part {
    #[default]
    Low,
    High,
    /// All of them.
    Wide,
}

/// Functions of one to four values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
    Move,
    Convert,
    Add,
    Subtract,
    Multiply,
    Multiply24,
    /// a * b + c; of floating-point numbers rounded once.
    MultiplyAdd,
    /// |a - b| + c.
    AbsoluteDifference,
    Divide,
    Remainder,
    Absolute,
    Negate,
    Minimum,
    Maximum,
    /// Bits that are set.
    Population,
    LeadingZeros,
    /// The highest bit that differs from the sign, or by how much it is to be shifted to stand first.
    FindBit,
    FindShift,
    Reverse,
    Extract,
    Insert,
    /// So many ones from a bit on, and the sign from a bit on; further bits are counted round or not at all.
    BitMask {
        wraps: bool,
    },
    SignExtend {
        wraps: bool,
    },
    And,
    Or,
    Xor,
    Not,
    /// Test that it is zero.
    IsZero,
    Logic3,
    ShiftLeft,
    ShiftRight,
    FunnelLeft {
        wraps: bool,
    },
    FunnelRight {
        wraps: bool,
    },
    Permute,
    ToGeneric(Space),
    FromGeneric(Space),
    IsIn(Space),
    /// `set`: all bits, or 1.0, where the comparison holds.
    Set(Compare),
    /// The first where the predicate holds.
    Select,
    /// The first where the third is not negative.
    SelectBySign,
    Reciprocal,
    SquareRoot,
    ReciprocalRoot,
    Sine,
    Cosine,
    Log2,
    Exp2,
    Tanh,
    CopySign,
    Test(Test),
}

impl Function {
    /// How many values it takes; `set` may take a predicate more.
    pub fn operands(self) -> usize {
        use Function::*;
        match self {
            Move | Convert | Absolute | Negate | Population | LeadingZeros | FindBit | FindShift | Reverse | Not
            | IsZero | ToGeneric(_) | FromGeneric(_) | IsIn(_) | Reciprocal | SquareRoot | ReciprocalRoot | Sine
            | Cosine | Log2 | Exp2 | Tanh | Test(_) => 1,
            Add
            | Subtract
            | Multiply
            | Multiply24
            | Divide
            | Remainder
            | Minimum
            | Maximum
            | And
            | Or
            | Xor
            | ShiftLeft
            | ShiftRight
            | Set(_)
            | CopySign
            | BitMask { .. }
            | SignExtend { .. } => 2,
            MultiplyAdd
            | AbsoluteDifference
            | Extract
            | FunnelLeft { .. }
            | FunnelRight { .. }
            | Permute
            | Select
            | SelectBySign => 3,
            Insert | Logic3 => 4,
        }
    }
}

/// Kinds of floating-point numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Test {
    Finite,
    Infinite,
    Number,
    NotANumber,
    Normal,
    Subnormal,
}

/// Update of an element by a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Update {
    Add,
    Min,
    Max,
    And,
    Or,
    Xor,
    Exchange,
    CompareAndSwap,
    /// To the next up to a bound, then to 0; downwards.
    Increment,
    Decrement,
}

impl Update {
    /// Update of that name.
    pub fn named(name: &str) -> Option<Update> {
        Some(match name {
            "add" => Update::Add,
            "min" => Update::Min,
            "max" => Update::Max,
            "and" => Update::And,
            "or" => Update::Or,
            "xor" => Update::Xor,
            "exch" => Update::Exchange,
            "cas" => Update::CompareAndSwap,
            "inc" => Update::Increment,
            "dec" => Update::Decrement,
            _ => return None,
        })
    }
}

/// Lane that a shuffle takes its value from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shuffle {
    Up,
    Down,
    Butterfly,
    Index,
}

/// Question that lanes vote on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vote {
    All,
    Any,
    Uniform,
    Ballot,
}
