//! How many registers a thread may take, from the text: a guess that decides how many blocks are resident.
//!
//! Variables are counted where most are declared at once, arrays of the thread in whole, an address of 64 bits for each
//! array, and what the loads of one body bring at once.

use super::work::Kind;
use crate::kernel::{Expr, Kernel, RESIDENT, ScalarType, Stmt, StmtKind, walk};
use crate::target::Machine;
use std::collections::BTreeMap;

/// Registers that the compiler needs for positions and in between.
const BASE: u32 = 14;
/// Values computed in front of a loop whose results are summed in an array of the thread: addresses of pieces, elements under
/// way. nvcc gives tiled products of 8 x 4 elements a thread 128 (f32) and 168 (f64) registers.
const TILE: u32 = 48;
/// The most loads of one body that are under way.
const LOADS: u32 = 32;

/// Registers of a thread, no fewer than 16; may be more than it can have.
pub(super) fn of_kernel(kernel: &Kernel) -> u32 {
    let sizes: BTreeMap<&str, i64> = kernel.tunables.iter().map(|t| (t.name.as_str(), t.value)).collect();
    let types: BTreeMap<&str, ScalarType> = kernel.arrays.iter().map(|a| (a.name.as_str(), a.ty)).collect();
    let r = Registers { sizes, types, index_bits: kernel.index_bits };
    let mut has_results = false;
    let mut local: Vec<&str> = vec![];
    walk::visit(&kernel.body, &mut |s| match &s.kind {
        StmtKind::LocalArray { name, .. } => local.push(name),
        StmtKind::Store { target, op: Some(_), .. } => has_results |= local.contains(&target.array.as_str()),
        StmtKind::Mma { .. } => has_results = true,
        _ => {}
    });
    let tile = if has_results { TILE } else { 0 };
    let all = BASE + tile + 2 * kernel.arrays.len() as u32 + r.most(&kernel.body);
    all.next_multiple_of(8).max(16)
}

/// The most registers that a thread may have, in blocks of so many: a processor holds one block at least, and as many as the
/// kernel is to leave room for.
pub(super) fn bound(kernel: &Kernel, machine: &Machine, threads: i64) -> u32 {
    let blocks = kernel.tunables.iter().find(|t| t.name == RESIDENT).map_or(1, |t| t.value.max(1));
    let fits = || machine.registers_for(u32::try_from(blocks).ok()?, u32::try_from(threads).ok()?);
    fits().unwrap_or(machine.thread_registers)
}

struct Registers<'k> {
    sizes: BTreeMap<&'k str, i64>,
    types: BTreeMap<&'k str, ScalarType>,
    index_bits: u8,
}

impl Registers<'_> {
    /// The most at once in some statements.
    fn most(&self, body: &[Stmt]) -> u32 {
        let (mut declared, mut most, mut loads) = (0u32, 0, 0);
        for s in body {
            declared += self.declared(s);
            s.exprs().into_iter().for_each(|e| self.loads(e, &mut loads));
            let inner = s.bodies().into_iter().map(|b| self.most(b)).max().unwrap_or(0);
            most = most.max(declared.saturating_add(inner));
        }
        most.max(declared.saturating_add(loads.min(LOADS)))
    }

    fn words(&self, ty: ScalarType) -> u32 {
        if matches!(Kind::of(ty, self.index_bits), Kind::F64 | Kind::Int64) { 2 } else { 1 }
    }

    fn declared(&self, s: &Stmt) -> u32 {
        match &s.kind {
            StmtKind::Let { ty, .. } => self.words(*ty),
            StmtKind::For { .. } => self.words(ScalarType::Index),
            StmtKind::LocalArray { ty, extents, .. } => {
                let elements = extents.iter().map(|e| self.number(e)).product::<i64>().clamp(1, 1 << 16);
                (elements as u32).saturating_mul(self.words(*ty))
            }
            _ => 0,
        }
    }

    fn loads(&self, e: &Expr, n: &mut u32) {
        e.any(&mut |e| {
            if let Expr::Load(x) = e {
                *n += self.types.get(x.array.as_str()).map_or(0, |ty| self.words(*ty));
            }
            false
        });
    }

    /// An extent: over constants and tunables.
    fn number(&self, e: &Expr) -> i64 {
        match e {
            Expr::Int(n) => *n,
            Expr::Var(name) => self.sizes.get(name.as_str()).copied().unwrap_or(1),
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.number(a), self.number(b));
                match op {
                    crate::ast::BinOp::Add => a.saturating_add(b),
                    crate::ast::BinOp::Sub => a.saturating_sub(b),
                    crate::ast::BinOp::Mul => a.saturating_mul(b),
                    crate::ast::BinOp::Div => a.checked_div(b).unwrap_or(1),
                    _ => 1,
                }
            }
            _ => 1,
        }
    }
}
