//! The words of PTX that are neither names nor numbers: types, state spaces, roundings, comparisons, special registers.

use std::fmt;

/// Type of a register, an element in memory, or an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scalar {
    /// A predicate: one bit.
    Pred,
    /// Bits without a meaning, of that many.
    B8,
    B16,
    B32,
    B64,
    /// Unsigned integers.
    U8,
    U16,
    U32,
    U64,
    /// Signed integers.
    S8,
    S16,
    S32,
    S64,
    /// Floating-point numbers of IEEE 754.
    F16,
    F32,
    F64,
}

impl Scalar {
    const NAMES: [(&'static str, Scalar); 16] = [
        ("pred", Scalar::Pred),
        ("b8", Scalar::B8),
        ("b16", Scalar::B16),
        ("b32", Scalar::B32),
        ("b64", Scalar::B64),
        ("u8", Scalar::U8),
        ("u16", Scalar::U16),
        ("u32", Scalar::U32),
        ("u64", Scalar::U64),
        ("s8", Scalar::S8),
        ("s16", Scalar::S16),
        ("s32", Scalar::S32),
        ("s64", Scalar::S64),
        ("f16", Scalar::F16),
        ("f32", Scalar::F32),
        ("f64", Scalar::F64),
    ];

    /// Type of that name, without the dot.
    pub fn named(name: &str) -> Option<Scalar> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|&(_, ty)| ty)
    }

    /// Name, without the dot.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|&&(_, ty)| ty == self).map_or("", |&(name, _)| name)
    }

    /// Bits of a value.
    pub fn bits(self) -> u32 {
        match self {
            Scalar::Pred => 1,
            Scalar::B8 | Scalar::U8 | Scalar::S8 => 8,
            Scalar::B16 | Scalar::U16 | Scalar::S16 | Scalar::F16 => 16,
            Scalar::B32 | Scalar::U32 | Scalar::S32 | Scalar::F32 => 32,
            Scalar::B64 | Scalar::U64 | Scalar::S64 | Scalar::F64 => 64,
        }
    }

    /// Bytes of a value in memory.
    pub fn bytes(self) -> u64 {
        u64::from(self.bits().div_ceil(8))
    }

    /// Test that it is a signed integer.
    pub fn is_signed(self) -> bool {
        matches!(self, Scalar::S8 | Scalar::S16 | Scalar::S32 | Scalar::S64)
    }

    /// Test that it is a floating-point number.
    pub fn is_float(self) -> bool {
        matches!(self, Scalar::F16 | Scalar::F32 | Scalar::F64)
    }

    /// The bits that a value of this type may have set.
    pub fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits())
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// State space of a variable or an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Space {
    /// Whichever the address lies in.
    Generic,
    Global,
    Shared,
    Local,
    Const,
    Param,
}

impl Space {
    /// Space of that name: `shared` and `shared::cta` are one.
    pub fn named(name: &str) -> Option<Space> {
        match name {
            "global" => Some(Space::Global),
            "shared" | "shared::cta" => Some(Space::Shared),
            "local" => Some(Space::Local),
            "const" => Some(Space::Const),
            "param" | "param::entry" | "param::func" => Some(Space::Param),
            _ => None,
        }
    }
}

/// Direction in which a result is rounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Round {
    /// To the nearest, ties to even.
    #[default]
    Nearest,
    Zero,
    Down,
    Up,
}

/// Comparison of two values. Of floating-point numbers the unordered ones hold, too, where one is no number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compare {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Equ,
    Neu,
    Ltu,
    Leu,
    Gtu,
    Geu,
    /// Both are numbers.
    Num,
    /// One is not.
    Nan,
}

impl Compare {
    /// Comparison of that name; `lo`, `ls`, `hi`, `hs` compare unsigned integers.
    pub fn named(name: &str) -> Option<Compare> {
        Some(match name {
            "eq" => Compare::Eq,
            "ne" => Compare::Ne,
            "lt" | "lo" => Compare::Lt,
            "le" | "ls" => Compare::Le,
            "gt" | "hi" => Compare::Gt,
            "ge" | "hs" => Compare::Ge,
            "equ" => Compare::Equ,
            "neu" => Compare::Neu,
            "ltu" => Compare::Ltu,
            "leu" => Compare::Leu,
            "gtu" => Compare::Gtu,
            "geu" => Compare::Geu,
            "num" => Compare::Num,
            "nan" => Compare::Nan,
            _ => return None,
        })
    }
}

/// Combination of a comparison with a predicate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Combine {
    And,
    Or,
    Xor,
}

/// Direction of space: the axis of a thread's or a block's position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    X,
    Y,
    Z,
}

/// Special register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Special {
    /// Position of the thread in its block, and the block's extent.
    Tid(Axis),
    Ntid(Axis),
    /// Position of the block in the grid, and the grid's extent.
    Ctaid(Axis),
    Nctaid(Axis),
    Laneid,
    Warpid,
    Nwarpid,
    /// Lanes that stand so to this one: `eq`, `le`, `lt`, `ge`, `gt`.
    Lanemask(Compare),
    /// A counter that runs.
    Clock,
    /// Numbers that one launch on one device has: of the multiprocessor, of the grid.
    Zero,
    /// Of multiprocessors.
    Nsmid,
    /// Halves of an address: memory of the grid, by which cooperative groups wait for all blocks.
    GridMemory {
        is_high: bool,
    },
    /// Bytes of shared memory: dynamic, and all of it.
    DynamicShared,
    TotalShared,
}

impl Special {
    /// Register of that name, with its percent sign.
    pub fn named(name: &str) -> Option<Special> {
        if let Some((register, axis)) = name.split_once('.') {
            let axis = match axis {
                "x" => Axis::X,
                "y" => Axis::Y,
                "z" => Axis::Z,
                _ => return None,
            };
            return Some(match register {
                "%tid" => Special::Tid(axis),
                "%ntid" => Special::Ntid(axis),
                "%ctaid" => Special::Ctaid(axis),
                "%nctaid" => Special::Nctaid(axis),
                _ => return None,
            });
        }
        Some(match name {
            "%laneid" => Special::Laneid,
            "%warpid" => Special::Warpid,
            "%nwarpid" => Special::Nwarpid,
            "%lanemask_eq" => Special::Lanemask(Compare::Eq),
            "%lanemask_le" => Special::Lanemask(Compare::Le),
            "%lanemask_lt" => Special::Lanemask(Compare::Lt),
            "%lanemask_ge" => Special::Lanemask(Compare::Ge),
            "%lanemask_gt" => Special::Lanemask(Compare::Gt),
            "%clock" | "%clock64" | "%globaltimer" | "%globaltimer_lo" => Special::Clock,
            "%smid" | "%gridid" | "%clock_hi" | "%globaltimer_hi" => Special::Zero,
            "%nsmid" => Special::Nsmid,
            "%envreg1" => Special::GridMemory { is_high: true },
            "%envreg2" => Special::GridMemory { is_high: false },
            "%dynamic_smem_size" => Special::DynamicShared,
            "%total_smem_size" => Special::TotalShared,
            _ => return None,
        })
    }
}
