//! Choices of a call, as one mechanism: each launch, resident kernel and call of a library with several ways becomes a choice of
//! steps that have one.
//!
//! ```text
//! launch k                ->    where (n / 128) blocks fill the device as well as (n / 64) do
//!                                 launch k<128>: vectors where aligned(a, 4), else no vectors
//!                               else
//!                                 launch k<64>: ...
//! ```
//! The first case that holds is taken. Sizes come before instances: a launch of each size asks for itself whether its vectors are
//! aligned, and whether 32 bits hold its positions.

use crate::ast::BinOp;
use crate::cost::estimate;
use crate::host_plan::choice::{Case, Instance, Instances, Select, When};
use crate::host_plan::ir::{Blocks, HostStmt, Launched, Region};
use crate::kernel::simplify::with_sizes;
use crate::kernel::{Expr, Kernel, Tunable, positions};
use crate::schedule::index;

/// Makes the choices of a region's steps.
pub fn select(plan: &mut Region) {
    let body = std::mem::take(&mut plan.body);
    plan.body = steps(body, &plan.kernels);
}

fn steps(body: Vec<HostStmt>, kernels: &[Kernel]) -> Vec<HostStmt> {
    body.into_iter().map(|s| step(s, kernels)).collect()
}

fn step(mut s: HostStmt, kernels: &[Kernel]) -> HostStmt {
    for body in s.bodies_mut() {
        *body = steps(std::mem::take(body), kernels);
    }
    match s {
        HostStmt::Launch { kernel, line, .. } => launch(kernel, &kernels[kernel], line),
        HostStmt::Resident { blocks: Blocks::ByWork { in_one_block, threads }, kernel, on_chip, line, work, unit } => {
            let of =
                |on_chip, blocks| vec![HostStmt::Resident { kernel, on_chip, line, work: work.clone(), unit, blocks }];
            let when = When::FitsOneBlock { work: work.clone(), most: in_one_block };
            let (one, many) = (of(None, Blocks::One), of(on_chip, Blocks::AsFit { threads }));
            HostStmt::Select(Select::either(when, one, many))
        }
        HostStmt::Call { call, otherwise } if !otherwise.is_empty() => {
            let when = When::LibraryPays(call.clone());
            HostStmt::Select(Select::either(when, vec![HostStmt::Call { call, otherwise: vec![] }], otherwise))
        }
        s => s,
    }
}

/// A launch, or a choice among those of several sizes: the larger ones where their blocks fill the device, the smaller ones where
/// those of the usual sizes do not.
fn launch(id: usize, kernel: &Kernel, line: u32) -> HostStmt {
    let sized = |sizes: &[Tunable]| {
        let how = Launched { sizes: sizes.to_vec(), instances: instances(kernel, sizes) };
        HostStmt::Launch { kernel: id, line, how: Some(how) }
    };
    let Kernel { larger, tunables, smaller, .. } = kernel;
    let fills =
        |sizes, others, beside| When::Fills { blocks: blocks(kernel, sizes), others: blocks(kernel, others), beside };
    let mut cases = vec![];
    if !larger.is_empty() {
        cases.push((fills(larger, tunables, estimate::larger_beside_usual(kernel)), larger));
    }
    if !smaller.is_empty() {
        let when = match kernel.is_uneven {
            true => When::FillsUnevenly { blocks: blocks(kernel, tunables) },
            false => fills(tunables, smaller, estimate::usual_beside_smaller(kernel)),
        };
        cases.push((when, tunables));
    }
    let last = if smaller.is_empty() { tunables } else { smaller };
    if cases.is_empty() {
        return sized(last);
    }
    cases.push((When::Otherwise, last));
    let case = |(when, sizes): (When, &Vec<Tunable>)| Case { when, then: vec![sized(sizes)] };
    HostStmt::Select(Select { cases: cases.into_iter().map(case).collect() })
}

/// Number of blocks of a launch.
fn blocks(kernel: &Kernel, sizes: &[Tunable]) -> Expr {
    let all = kernel.grid.iter().cloned().reduce(index::mul).expect("a grid has a dimension");
    with_sizes(&all, sizes)
}

fn instances(kernel: &Kernel, sizes: &[Tunable]) -> Instances {
    let most = positions::most(&kernel.with(sizes));
    let by_bits = |wide: Option<bool>| {
        let one = |bits| Instances::One(Instance { wide, bits });
        match &most {
            Some(most) => Instances::Select(Select::either(When::IsShort(most.clone()), one(Some(32)), one(Some(64)))),
            None => one(None),
        }
    };
    match kernel.wide.as_ref().map(|wide| aligned(wide, sizes)) {
        None => by_bits(None),
        // Vectors of one element are aligned anywhere.
        Some(all) if all.is_empty() => by_bits(Some(true)),
        Some(all) => Instances::Select(Select::either(When::Aligned(all), by_bits(Some(true)), by_bits(Some(false)))),
    }
}

/// The conditions under which vectors of a kernel's sizes are aligned, but for those that always hold.
fn aligned(wide: &Expr, sizes: &[Tunable]) -> Vec<Expr> {
    let one = |e: &Expr| match e {
        Expr::Aligned { access, count } => {
            let count = with_sizes(count, sizes);
            (count != Expr::Int(1)).then(|| Expr::Aligned { access: access.clone(), count: count.into() })
        }
        e => Some(with_sizes(e, sizes)).filter(|e| *e != Expr::Int(1)),
    };
    conjuncts(wide).into_iter().filter_map(one).collect()
}

/// The conditions that hold where one does.
fn conjuncts(e: &Expr) -> Vec<&Expr> {
    match e {
        Expr::Binary(BinOp::And, left, right) => [conjuncts(left), conjuncts(right)].concat(),
        e => vec![e],
    }
}
