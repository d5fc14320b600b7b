//! The head of a kernel and the space it takes.

use super::finding::Findings;
use crate::kernel::mma::MmaShape;
use crate::kernel::{
    Expr, Kernel, LONGEST, ROWS, Registers, SLOTS, ScalarType, StmtKind, THREADS, Unroll, Usage, simplify,
};
use crate::target::WARP;

const MAX_BLOCK: i64 = 1024;
const MAX_SHARED: i64 = 48 * 1024;
/// Shared memory that a launch may ask for: what a block of the largest devices may have.
pub const MAX_LAUNCH_SHARED: i64 = 227 * 1024;
/// Shared memory that reductions of a block and joins of threads need beside.
const REDUCTIONS: i64 = 9 * 1024;

pub(super) fn check(kernel: &Kernel, findings: &mut Findings) {
    for (what, dims) in [("grid", &kernel.grid), ("block", &kernel.block)] {
        if !(1..=3).contains(&dims.len()) {
            findings.add(None, format!("the {what} has {} dimensions, not 1 to 3", dims.len()));
        }
        for dim in dims {
            check_arithmetic(kernel, &format!("the {what}"), dim, findings);
        }
    }
    if ![32, 64].contains(&kernel.index_bits) {
        findings.add(None, format!("`index({})` is neither 32 nor 64", kernel.index_bits));
    }
    for array in &kernel.arrays {
        for extent in &array.extents {
            check_arithmetic(kernel, &format!("an extent of `{}`", array.name), extent, findings);
        }
    }
    let threads = threads(kernel);
    if let Some(threads) = threads
        && !(1..=MAX_BLOCK).contains(&threads)
    {
        findings.add(None, format!("a block has {threads} threads by default, not 1 to {MAX_BLOCK}"));
    }
    if kernel.resident.is_some() && kernel.grid.len() != 1 {
        findings.add(None, "a resident kernel has a grid of one dimension".into());
    }
    check_memory(kernel, findings);
    check_on_chip(kernel, findings);
    check_dimensions(kernel, findings);
    check_joins(kernel, findings);
    check_copies(kernel, findings);
    check_products(kernel, findings);
    check_told(kernel, findings);
}

/// The number of threads in a block, at the tunables' defaults.
pub(super) fn threads(kernel: &Kernel) -> Option<i64> {
    kernel.block.iter().try_fold(1i64, |product, dim| product.checked_mul(default_value(kernel, dim)?))
}

/// The bytes of shared arrays, at the tunables' defaults.
pub(super) fn shared(kernel: &Kernel) -> i64 {
    tiles(kernel, 1)
}

/// The bytes of shared arrays that each end at a multiple of `unit`.
fn tiles(kernel: &Kernel, unit: i64) -> i64 {
    let mut bytes = 0i64;
    visit(kernel, &mut |stmt| {
        if let StmtKind::Shared { ty, extents, .. } = &stmt.kind {
            let cells = extents.iter().filter_map(|extent| default_value(kernel, extent).filter(|value| *value > 0));
            let tile = cells.fold(ty.size(kernel.index_bits), i64::saturating_mul);
            bytes = bytes.saturating_add(tile.saturating_add(unit - 1) / unit * unit);
        }
    });
    bytes
}

/// The groups of joins are whole.
fn check_joins(kernel: &Kernel, findings: &mut Findings) {
    visit(kernel, &mut |stmt| {
        let StmtKind::Join { extent, stride, .. } = &stmt.kind else { return };
        let group = [extent, stride].map(|e| default_value(kernel, e).filter(|value| *value > 0));
        let [Some(extent), Some(stride)] = group else {
            findings.add(Some(stmt), "the groups of a join are not positive numbers over tunables alone".into());
            return;
        };
        if threads(kernel).is_some_and(|threads| threads % extent.saturating_mul(stride) != 0) {
            findings.add(Some(stmt), format!("groups of {extent} threads, {stride} apart, do not fill a block"));
        }
    });
}

/// The operands of products of matrices, and that all warps are whole.
fn check_products(kernel: &Kernel, findings: &mut Findings) {
    visit(kernel, &mut |stmt| {
        let StmtKind::Mma { shape, c, a, b } = &stmt.kind else { return };
        if *shape != MmaShape::F64 {
            findings.add(Some(stmt), format!("there is no product of {shape} elements"));
        }
        let held = [c.len(), a.len(), b.len()];
        if held != shape.elements() {
            let [c, a, b] = held;
            findings.add(Some(stmt), format!("a thread does not hold {c}, {a} and {b} elements of {shape}"));
        }
        if threads(kernel).is_some_and(|threads| threads % i64::from(WARP) != 0) {
            findings.add(Some(stmt), "the threads of a block are no whole warps".into());
        }
    });
}

/// The sizes of vectors that are asked about and of copies, and how many groups a wait leaves.
fn check_copies(kernel: &Kernel, findings: &mut Findings) {
    visit(kernel, &mut |stmt| {
        for e in stmt.exprs() {
            e.any(&mut |e| {
                if let Expr::Aligned { count, .. } = e
                    && default_value(kernel, count).is_none_or(|count| count <= 0)
                {
                    findings.add(Some(stmt), format!("`{count}` is no positive number over tunables alone"));
                }
                false
            });
        }
        match &stmt.kind {
            StmtKind::CopyAsync { target, count, .. } => {
                let Some(ty) = type_of_shared(kernel, &target.array) else { return };
                if !default_value(kernel, count).is_some_and(|n| is_copied_at_once(n, ty, kernel.index_bits)) {
                    findings.add(Some(stmt), format!("`{count}` elements of {ty} are not 4, 8 or 16 bytes"));
                }
            }
            StmtKind::WaitCopies { pending } if default_value(kernel, pending).is_none_or(|groups| groups < 0) => {
                findings.add(Some(stmt), format!("`{pending}` is no number of groups over tunables alone"));
            }
            _ => {}
        }
    });
}

/// Numbers that the compiler is told of loops and registers.
fn check_told(kernel: &Kernel, findings: &mut Findings) {
    let is_size =
        |e: &Expr| matches!(e, Expr::Int(_) | Expr::Var(_)) && default_value(kernel, e).is_some_and(|value| value > 0);
    visit(kernel, &mut |stmt| {
        if let StmtKind::For { unroll: Unroll::By(iterations), .. } = &stmt.kind
            && !is_size(iterations)
        {
            findings.add(Some(stmt), format!("`{iterations}` is neither a positive number nor a tunable"));
        }
    });
    match &kernel.registers {
        Registers::ForBlocks(blocks) if !is_size(blocks) => {
            findings.add(None, format!("registers for `{blocks}` blocks, neither a positive number nor a tunable"));
        }
        Registers::ForThreads(threads) if *threads <= 0 => {
            findings.add(None, format!("registers for {threads} threads"));
        }
        _ => {}
    }
}

/// Test for the bytes of elements that one asynchronous copy may have.
fn is_copied_at_once(count: i64, ty: ScalarType, index_bits: u8) -> bool {
    [4, 8, 16].contains(&count.saturating_mul(ty.size(index_bits)))
}

fn type_of_shared(kernel: &Kernel, array: &str) -> Option<ScalarType> {
    let mut found = None;
    visit(kernel, &mut |stmt| {
        if let StmtKind::Shared { name, ty, .. } = &stmt.kind
            && name == array
        {
            found = Some(*ty);
        }
    });
    found
}

/// `dim` is arithmetic over the kernel's scalars and tunables.
fn check_arithmetic(kernel: &Kernel, what: &str, dim: &Expr, findings: &mut Findings) {
    let known = |name: &str| {
        kernel.scalars.iter().any(|s| s.name == name) || kernel.tunables.iter().any(|tunable| tunable.name == name)
    };
    let foreign = dim.any(&mut |e| match e {
        Expr::Var(name) => !known(name),
        Expr::Float(_)
        | Expr::BlockIdx(_)
        | Expr::ThreadIdx(_)
        | Expr::GridSize(_)
        | Expr::GoesOn
        | Expr::Load(_)
        | Expr::Aligned { .. }
        | Expr::Call(..) => true,
        _ => false,
    });
    if foreign {
        findings.add(None, format!("{what}, `{dim}`, is not over scalars and tunables alone"));
    }
}

/// The value at the tunables' defaults, if they decide it.
pub(super) fn default_value(kernel: &Kernel, e: &Expr) -> Option<i64> {
    match simplify::with_sizes(e, &kernel.tunables) {
        Expr::Int(value) => Some(value),
        _ => None,
    }
}

/// Extents of shared and local arrays, and the size of shared memory.
fn check_memory(kernel: &Kernel, findings: &mut Findings) {
    visit(kernel, &mut |stmt| match &stmt.kind {
        StmtKind::GridBarrier | StmtKind::GridWait { .. } | StmtKind::Phase { .. } if kernel.resident.is_none() => {
            findings.add(Some(stmt), "the blocks of this kernel need not be resident together".into());
        }
        StmtKind::Phase { body, .. } if body.iter().any(crosses) => {
            findings.add(Some(stmt), "a barrier of the grid stands within a phase".into());
        }
        StmtKind::LocalArray { name, extents, .. } | StmtKind::Shared { name, extents, .. } => {
            for extent in extents {
                match default_value(kernel, extent) {
                    Some(value) if value > 0 => (),
                    Some(value) => findings.add(Some(stmt), format!("the extent `{extent}` is {value} by default")),
                    None => {
                        findings
                            .add(Some(stmt), format!("the extent `{extent}` of `{name}` is not over tunables alone"));
                    }
                }
            }
        }
        _ => (),
    });
    let shared = shared(kernel);
    if shared <= MAX_SHARED {
        return;
    }
    let mut most = if kernel.resident.is_some() { MAX_SHARED } else { MAX_LAUNCH_SHARED };
    visit(kernel, &mut |stmt| match &stmt.kind {
        StmtKind::Shared { name, .. } if !kernel.body.contains(stmt) => {
            findings.add(Some(stmt), format!("`{name}`, of more than {MAX_SHARED} bytes, stands within control"));
        }
        StmtKind::Shared { name, extents, .. } if extents.is_empty() => {
            findings.add(Some(stmt), format!("`{name}`, of more than {MAX_SHARED} bytes, has no extents"));
        }
        StmtKind::BlockReduce { .. } | StmtKind::Join { .. } | StmtKind::ScanBlocks { .. }
            if kernel.resident.is_none() =>
        {
            most = MAX_LAUNCH_SHARED - REDUCTIONS;
        }
        _ => {}
    });
    if launch_shared(kernel).is_none_or(|bytes| bytes > most) {
        findings.add(None, format!("shared arrays take {shared} bytes by default, over {most}"));
    }
}

/// Arrays that stay on chip are of a resident kernel's whole body, which has their number as its first scalar.
fn check_on_chip(kernel: &Kernel, findings: &mut Findings) {
    let slots = kernel.scalars.iter().position(|s| s.name == SLOTS);
    let of_index = |at: usize| kernel.scalars[at].ty == ScalarType::Index;
    let is_resident = kernel.resident.is_some() && kernel.block == [Expr::Var(THREADS.into())];
    let is_told = is_resident && slots.is_some_and(|at| at == 0 && of_index(at));
    let are_told = [ROWS, LONGEST]
        .iter()
        .zip(1..)
        .all(|(name, at)| kernel.scalars.get(at).is_some_and(|s| s.name == *name && s.ty == ScalarType::Index));
    let (mut is_kept, mut has_rows) = (false, false);
    visit(kernel, &mut |stmt| {
        let StmtKind::OnChip { name, of, rows, .. } = &stmt.kind else { return };
        is_kept = true;
        if let Some(start) = rows {
            has_rows = true;
            let is_read = kernel.arrays.iter().any(|a| a.name == *start && a.usage == Usage::Read);
            if !are_told || !is_read {
                let message =
                    format!("`{name}` needs `{ROWS}` and `{LONGEST}` behind `{SLOTS}`, and an array `{start}` to read");
                findings.add(Some(stmt), message);
            }
        }
        check_arithmetic(kernel, &format!("what `{name}` holds some of"), of, findings);
        if !is_told || !kernel.body.contains(stmt) {
            let message = format!("`{name}` is not of the whole of a resident kernel whose first scalar is `{SLOTS}`");
            findings.add(Some(stmt), message);
        }
    });
    if slots.is_some() && !is_kept {
        findings.add(None, format!("`{SLOTS}` counts the elements of no array on chip"));
    }
    if !has_rows && kernel.scalars.iter().any(|s| s.name == ROWS || s.name == LONGEST) {
        findings.add(None, format!("`{ROWS}` and `{LONGEST}` tell of the rows of no array on chip"));
    }
}

/// The bytes that a launch asks for, at the tunables' defaults: each array begins at a multiple of 16. None where the
/// compiler finds room for all.
pub(super) fn launch_shared(kernel: &Kernel) -> Option<i64> {
    (shared(kernel) > MAX_SHARED).then(|| tiles(kernel, 16))
}

/// Positions name dimensions that the kernel has, and only resident blocks agree on an end.
fn check_dimensions(kernel: &Kernel, findings: &mut Findings) {
    visit(kernel, &mut |stmt| {
        for e in stmt.exprs() {
            e.any(&mut |e| {
                let (dim, dims) = match e {
                    Expr::BlockIdx(dim) | Expr::GridSize(dim) => (*dim, kernel.grid.len()),
                    Expr::ThreadIdx(dim) => (*dim, kernel.block.len()),
                    Expr::GoesOn if kernel.resident.is_none() => {
                        findings.add(Some(stmt), "the blocks of this kernel end by themselves".into());
                        return false;
                    }
                    _ => return false,
                };
                if dim >= dims {
                    findings.add(Some(stmt), format!("`{e}` names a dimension beyond the {dims} there are"));
                }
                false
            });
        }
    });
}

fn visit<'a>(kernel: &'a Kernel, visit: &mut dyn FnMut(&'a crate::kernel::Stmt)) {
    kernel.body.iter().for_each(|stmt| stmt.visit(visit));
}

/// Test that a barrier of the grid or a phase stands in a statement.
fn crosses(s: &crate::kernel::Stmt) -> bool {
    let mut found = false;
    s.visit(&mut |s| found |= s.is_of_grid() || matches!(s.kind, StmtKind::Phase { .. }));
    found
}
