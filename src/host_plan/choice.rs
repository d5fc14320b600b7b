//! Choices by the call, one mechanism for all: the first case whose condition holds is taken.
//!
//! Until the plan is settled, what a launch, a resident kernel or a call of a library may choose among is said by them; the pass
//! [`select`](super::passes::select) makes a [`Select`] of each.

use crate::cost::Beside;
use crate::kernel::Expr;
use crate::kernel::positions::Sum;
use crate::library::call::Call;
use std::fmt::{self, Display, Formatter};

/// A choice by the call among things of one kind: steps, or instances of a kernel.
#[derive(Debug, Clone, PartialEq)]
pub struct Select<T> {
    /// The first whose condition holds; the last one's always does.
    pub cases: Vec<Case<T>>,
}

/// Case of a choice: when it is taken.
#[derive(Debug, Clone, PartialEq)]
pub struct Case<T> {
    pub when: When,
    pub then: T,
}

/// A condition on a call.
#[derive(Debug, Clone, PartialEq)]
pub enum When {
    /// Blocks of a launch keep the processors of the device as busy as others of another number do.
    Fills { blocks: Expr, others: Expr, beside: Beside },
    /// Blocks that have more or less to do each are so many that they level out.
    FillsUnevenly { blocks: Expr },
    /// Loading the library pays for what it computes.
    LibraryPays(Box<Call>),
    /// So little work that one block does it sooner than blocks could wait for each other.
    FitsOneBlock { work: Expr, most: i64 },
    /// All of these hold: sizes that vectors divide, and beginnings of arrays.
    Aligned(Vec<Expr>),
    /// 32 bits hold all positions of a kernel.
    IsShort(Sum),
    /// All that no case before it takes.
    Otherwise,
}

/// A kernel as one launch has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instance {
    /// Knowledge that all vectors are aligned; `None`: the kernel makes no difference.
    pub wide: Option<bool>,
    /// Bits of its positions; `None`: the kernel says them.
    pub bits: Option<u8>,
}

/// The instances that a launch may take.
#[derive(Debug, Clone, PartialEq)]
pub enum Instances {
    One(Instance),
    Select(Select<Instances>),
}

impl<T> Select<T> {
    /// A choice of two.
    pub fn either(when: When, then: T, other: T) -> Self {
        Select { cases: vec![Case { when, then }, Case { when: When::Otherwise, then: other }] }
    }
}

impl When {
    /// The numbers of the call that it reads.
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            When::Fills { blocks, others, .. } => vec![blocks, others],
            When::FillsUnevenly { blocks } => vec![blocks],
            When::LibraryPays(call) => call.exprs(),
            When::FitsOneBlock { work, .. } => vec![work],
            When::Aligned(all) => all.iter().collect(),
            When::IsShort(_) | When::Otherwise => vec![],
        }
    }
}

impl Display for When {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match self {
            When::Fills { blocks, others, .. } => {
                write!(f, "where {blocks} blocks fill the device as well as {others} do")
            }
            When::FillsUnevenly { blocks } => write!(f, "where {blocks} blocks of more or less work level out"),
            When::LibraryPays(call) => write!(f, "where loading {} pays", call.library()),
            When::FitsOneBlock { work, most } => write!(f, "where {work} <= {most}"),
            When::Aligned(all) => {
                let all: Vec<String> = all.iter().map(ToString::to_string).collect();
                write!(f, "where {}", all.join(" and "))
            }
            When::IsShort(most) => write!(f, "where 32 bits hold {most}"),
            When::Otherwise => f.write_str("else"),
        }
    }
}

impl Display for Instances {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match self {
            Instances::One(instance) => instance.fmt(f),
            Instances::Select(select) => {
                for (n, Case { when, then }) in select.cases.iter().enumerate() {
                    let (between, then) = (if n > 0 { ", " } else { "" }, then.to_string());
                    match (when, then.as_str()) {
                        (When::Otherwise, then) => write!(f, "{between}else {then}")?,
                        (when, then) => write!(f, "{between}{then} {when}")?,
                    }
                }
                Ok(())
            }
        }
    }
}

impl Display for Instance {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let wide = self.wide.map(|wide| if wide { "vectors" } else { "no vectors" });
        let bits = self.bits.map(|bits| format!("positions of {bits} bits"));
        let all: Vec<String> = wide.map(str::to_owned).into_iter().chain(bits).collect();
        f.write_str(if all.is_empty() { "as it is".into() } else { all.join(", ") }.as_str())
    }
}
