//! Registers: how many the compiler may give each thread of a kernel.
//!
//! ```text
//! threads of a resident kernel that wait for rows of unknown length   ->   registers_for 1024
//! tiles of registers, tuned by more than the block                    ->   registers_for resident 1
//! ```
//! More threads hide each other's waiting, more registers keep what a step needs. Nothing is said where blocks are small and any
//! number will do.

use crate::ast::IntKind;
use crate::kernel::{ArrayParam, Expr, Function, Kernel, RESIDENT, Registers, ScalarType, StmtKind, verify, walk};

/// Most threads of a block whose every thread may use as many registers as it likes.
const ANY_REGISTERS: i64 = 256;

/// Threads of a processor for which registers are left where each waits for memory again and again.
const HELD_UP: i64 = 1024;

/// Test that threads of a resident kernel wait for memory in loops of which only the data know the end, so that more threads hide
/// each other's waiting, and more registers do not: warps that share long rows of a sparse matrix (the compiler gave BiCGSTAB's
/// threads 104 registers each), and threads that read columns in 16 bits (it gave QMR's 99, which took a third longer than 64,
/// and Jacobi's 32, which took up to 16 % longer: an H200). With arrays on chip the latter take less with as many as it gives.
fn is_held_up(kernel: &Kernel) -> bool {
    let keeps = kernel.body.iter().any(|s| matches!(s.kind, StmtKind::OnChip { .. }));
    let is_short = |a: &&ArrayParam| a.ty == ScalarType::Int(IntKind::UShort) && !keeps;
    let short: Vec<&ArrayParam> = kernel.arrays.iter().filter(is_short).collect();
    let mut is_held_up = false;
    walk::visit(&kernel.body, &mut |s| {
        if let StmtKind::Phase { body, .. } = &s.kind {
            let (mut loops, mut joins, mut is_read) = (false, false, false);
            walk::visit(body, &mut |s| {
                joins |= matches!(s.kind, StmtKind::Join { .. });
                if let StmtKind::While { body, .. } = &s.kind {
                    loops = true;
                    is_read |= short.iter().any(|a| walk::loads(body, &a.name));
                }
            });
            is_held_up |= loops && (joins || is_read);
        }
    });
    kernel.resident.is_some() && is_held_up
}

/// Bytes on chip of each of a thread's elements from which on it is to have all the registers that one block of a processor
/// leaves: with 64 of them the values of a step do not fit. (The compiler chose 64 and spills for QMR's 80 bytes: 15.0 us an
/// iteration became 12.3 for 32,768 rows; of 40 and 48 bytes -12 to 2 %. For CG's 32 bytes one block took 12 to 17 % longer: an
/// H200.)
const MUCH_ON_CHIP: i64 = 40;

/// Test for a kernel whose threads keep much on chip of each element.
fn keeps_much(kernel: &Kernel) -> bool {
    kernel.bytes_on_chip(false) >= MUCH_ON_CHIP
}

/// Tuning by more than its block and the points of a thread: then one block is enough for a processor, and its threads are
/// to have all the registers that there are, or as many as it says.
fn is_tuned(kernel: &Kernel) -> bool {
    let is_of_block = |name: &str| kernel.block.iter().any(|e| e.mentions(name));
    let is_of_points = |name: &str| ["MERGE_", "SKEW_"].iter().any(|size| name.starts_with(size));
    kernel.tunables.iter().any(|t| !is_of_block(&t.name) && !is_of_points(&t.name))
}

/// Decides it for the kernels of a region.
pub fn all(kernels: &mut [Kernel], _: &mut [Function]) {
    kernels.iter_mut().for_each(|kernel| kernel.registers = of(kernel));
}

/// Registers of a kernel. The compiler must know the threads of a block, to make it fit, where blocks are resident together, where
/// a block is large, and where a kernel is tuned.
fn of(kernel: &Kernel) -> Registers {
    let is_tuned = is_tuned(kernel);
    let is_large = verify::usual_threads(kernel).is_some_and(|threads| threads > ANY_REGISTERS);
    if kernel.tunables.iter().any(|t| t.name == RESIDENT) {
        return Registers::ForBlocks(Expr::Var(RESIDENT.into()));
    }
    match (is_tuned, kernel.resident.is_some()) {
        (true, _) => Registers::ForBlocks(Expr::Int(1)),
        (false, true) if is_held_up(kernel) => Registers::ForThreads(HELD_UP),
        (false, true) if keeps_much(kernel) => Registers::ForBlocks(Expr::Int(1)),
        (false, true) => Registers::ForBlock,
        (false, false) if is_large => Registers::ForBlock,
        (false, false) => Registers::AsItLikes,
    }
}
