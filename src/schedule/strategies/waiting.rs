//! Launches with so few threads that what each of them waits for takes longest, and not what all of them load.
//!
//! A block that keeps pieces of a loop in shared memory loads less, but waits for memory and for all its threads in each piece,
//! where the next is not copied meanwhile. Where there are few threads nobody else works then: a thread that loads for
//! itself, with the loads of many iterations under way, waits once for all of them. Its blocks are of one warp, so that many processors have
//! one. On an H200:
//!
//! | nest | by pieces | for itself |
//! | --- | --- | --- |
//! | nussinov of PolyBench, 2,500 launches of up to 2,500 threads, ms | 264 | 77; by blocks of 64 threads 96 |
//! | rows of 512 `short`, 512 to 4,096 of them, us | 22 to 24 | 18 to 20 |
//! | the same, 8,192, 16,384, 32,768 | 29, 45, 48 | 29, 55, 91 |
//! | rows of 511 doubles, of which the last is the greatest, 512 to 2,048, 4,096, 8,192, 16,384 | 26, 32, 39, 44 | 25, 32, 42, 53 |
//! | rows of 512 floats, of which pieces are copied ahead, 512 to 2,048, 8,192, 32,768 | 15, 24, 42 | 18, 30, 78 |
//!
//! With 16 iterations under way in the place of 32 or 64 the last takes 22 us for 18.

use super::pointwise;
use crate::ast::StmtKind;
use crate::cost::enough;
use crate::poly::scop::is_write;
use crate::region::{Access, LoopId, StmtId, Tree};
use crate::schedule::Nest;
use crate::schedule::block::Block;
use crate::schedule::map::Mapper;
use crate::schedule::mapping::{Fetch, Mapping, Pieces, Place, Run, Variant, When};
use crate::schedule::parallel::{Analysis, loops_in};
use crate::schedule::register_promotion::is_assignment;
use crate::target::WARP;

/// Iterations whose loads a thread has under way.
const UNROLL: i64 = 64;

/// A thread that loads for itself in the place of a mapping with pieces, for calls with few threads; `None` where it is no better, or
/// threads write on the way.
pub fn variant(m: &mut Mapper, a: &Analysis, nest: &Nest, mapping: &Mapping) -> Option<Variant> {
    if !serves(m, a, nest, mapping) {
        return None;
    }
    let mut own = pointwise::mapping(m, a, nest);
    own.unroll = own.unroll.map(|n| n.max(UNROLL));
    for axis in own.axes.iter_mut().filter(|_| m.request.block == Block::Usual) {
        if let Place::Grid { threads, .. } = &mut axis.place {
            *threads = i64::from(WARP);
        }
    }
    Some(Variant { when: When::Waiting { elements: enough::threads_that_wait() }, mapping: own })
}

/// Test that each thread of a mapping with pieces waits for them, and could have the loads of many iterations under way: its
/// loops are of several pieces, and write nothing but what is in registers.
fn serves(m: &mut Mapper, a: &Analysis, nest: &Nest, mapping: &Mapping) -> bool {
    let mut in_pieces = |l: LoopId| {
        let name = m.names.of(m.unit, a.part.get_loop(l).var);
        Some((l, mapping.loops.iter().find(|x| x.name == name && matches!(x.run, Run::Pieces(_)))?))
    };
    let found: Vec<(LoopId, &Pieces)> = nest.body.iter().flat_map(loops_in).filter_map(&mut in_pieces).collect();
    let is_long = |(l, x): &(LoopId, &Pieces)| matches!(x.run, Run::Pieces(n) if a.part.get_loop(*l).may_exceed(n));
    let waits = found.iter().all(|(_, x)| !matches!(x.fetch, Fetch::Async(_))) && found.iter().any(is_long);
    let loops: Vec<LoopId> = found.iter().map(|(l, _)| *l).collect();
    nest.axes.len() == 1 && waits && nest.body.iter().all(|t| only_reads(m, a, t, &loops))
}

/// Test that these loops in a tree only read.
fn only_reads(m: &Mapper, a: &Analysis, tree: &Tree, loops: &[LoopId]) -> bool {
    match tree {
        Tree::Stmt(_) => true,
        Tree::Loop(l, body) if loops.contains(l) => match body.as_slice() {
            [Tree::Stmt(s)] if m.promoted.contains(s) => true,
            all => all.iter().all(|t| matches!(t, Tree::Stmt(s) if is_own(m, a, *s))),
        },
        Tree::If { body, .. } | Tree::Loop(_, body) => body.iter().all(|t| only_reads(m, a, t, loops)),
    }
}

/// Test that a statement assigns to a variable of the thread.
fn is_own(m: &Mapper, a: &Analysis, s: StmtId) -> bool {
    let stmt = a.part.stmt(s);
    let is_variable = |x: &Access| m.private.contains(&x.data) && a.part.data[&x.data].shape.c_rank == 0;
    let assigns = matches!(stmt.body.kind, StmtKind::Decl(_)) || is_assignment(&stmt.body);
    assigns && stmt.accesses.iter().filter(|x| is_write(x)).all(is_variable)
}
