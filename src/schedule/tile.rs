//! Tiles of registers and shared memory around a loop of the thread, where threads of a block read the same elements.
//!
//! ```text
//! for i, j in parallel: c[i][j] *= beta; for k: c[i][j] += alpha * a[i][k] * b[k][j]
//! ->
//! a block has 64 x 64 points, a thread 8 x 4 of them; c in registers
//! for pieces of k:
//!     barrier; all threads load a piece of alpha * a and of b, in the order of memory
//!     barrier; for k in the piece: for the thread's points: c += a_tile[k][i] * b_tile[k][j]
//! ```
//! A point of the band is a value of each axis. The points of a band are independent, so that what a thread did for one
//! point it may do for several in any order: each piece of its body runs for all of them before the next begins. Each
//! point still adds its values in the order of the program.
//!
//! Method: Verdoolaege et al., "Polyhedral parallel code generation for CUDA", TACO 2013, section 7 (which elements go
//! where: the module `reads`); a thread with several points is the thread merge of Yang et al., "A GPGPU compiler for
//! memory optimization and parallelism management", PLDI 2010, section 3.5.2.

mod bounds;
mod code;
mod find;
mod hold;
mod reads;
mod shape;
mod size;

use super::map::Mapper;
use super::parallel::Analysis;
use super::{Nest, index};
use crate::ast::VarId;
use crate::kernel::{self as k, Kernel, Tunable};
use crate::poly::Failure;
use crate::region::symbolic::Poly;
use crate::region::{LoopId, Reason, StmtId};
use code::Code;
use find::Finder;
use reads::Group;
use shape::Shape;
use size::Sizes;

/// Fewer iterations of the loop are not worth a tile.
const FEW: i64 = 8;

/// What the user allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowed {
    /// A thread may have several points.
    pub merge: bool,
    /// A block may keep what it reads in shared memory.
    pub stage: bool,
}

/// Why a nest is mapped without tiles: what to say of it, if anything.
pub struct Untiled(pub Option<String>);

impl From<Reason> for Untiled {
    /// What cannot be lowered is reported by the mapping without tiles.
    fn from(_: Reason) -> Self {
        Untiled(None)
    }
}

/// A piece of what a thread does.
enum Piece {
    Plain(Vec<StmtId>, Vec<k::Stmt>),
    Loop(Box<Inner>),
}

/// A loop of the thread with tiles.
struct Inner {
    id: LoopId,
    stmts: Vec<StmtId>,
    counter: String,
    /// The counter within a piece of the loop.
    at: String,
    var: VarId,
    first: Poly,
    limits: Vec<Poly>,
    /// Where the counter is within the loop.
    bounds: Vec<Poly>,
    body: Vec<k::Stmt>,
    kept: Option<Kept>,
    groups: Vec<Group>,
    line: u32,
}

/// An element kept in a variable all through the loop.
struct Kept {
    var: String,
    ty: k::ScalarType,
    fill: k::Stmt,
    empty: k::Stmt,
}

/// A variable of each point.
struct Variable {
    name: String,
    ty: k::ScalarType,
}

impl Mapper<'_> {
    /// A kernel over a parallel band with tiles, where they serve.
    pub fn tiled(&mut self, a: &Analysis, nest: &Nest, name: &str) -> Result<Result<Kernel, Untiled>, Failure> {
        let any = nest.body.iter().any(|t| find::is_candidate(a, t));
        let mut touched = nest.stmts().into_iter().flat_map(|s| &a.part.stmt(s).accesses).map(|x| x.data);
        let has_arrays = touched.any(|v| self.private.contains(&v) && a.part.data[&v].shape.c_rank > 0);
        if !(self.tiles.merge || self.tiles.stage) || !any || has_arrays {
            return Ok(Err(Untiled(None)));
        }
        let before = self.names.clone();
        let outcome = self.tile(a, nest, name)?;
        if outcome.is_err() {
            *self.names = before;
        }
        Ok(outcome)
    }

    fn tile(&mut self, a: &Analysis, nest: &Nest, name: &str) -> Result<Result<Kernel, Untiled>, Failure> {
        let (allowed, host, block) = (self.tiles, self.host.clone(), self.block.clone());
        let mut l = self.lowering(a);
        l.declares = !a.part.is_rewritten();
        let Some(mut shape) = Shape::of(a, nest, &host, &mut l)? else { return Ok(Err(Untiled(None))) };
        let mut find = Finder { a, nest, l: &mut l, host: &host, allowed, why: None };
        find.choose_axes(&mut shape);
        let mut pieces = match find.pieces(&shape) {
            Ok(pieces) => pieces,
            Err(reason) => return Ok(Err(reason.into())),
        };
        if !pieces.iter().any(|p| matches!(p, Piece::Loop(_))) {
            return Ok(Err(Untiled(find.why)));
        }
        let mut variables = find.variables(&mut pieces)?;
        let held = find.held(&mut pieces, &shape, &mut variables);
        let inner: Vec<&Inner> = pieces.iter().filter_map(Piece::inner).collect();
        let Some(sizes) = shape.sizes(&inner, &variables, &block) else {
            return Ok(Err(Untiled(Some("not tiled: the tiles take more shared memory than a block has".into()))));
        };
        let is_staged = inner.iter().any(|x| !x.groups.is_empty());
        let notes = notes(&shape, &inner);
        let mut body =
            Code { l: &mut l, shape: &shape, variables: &variables, held: &held, thread: String::new() }.body(pieces);
        let line = (l.line)(a.part.get_loop(nest.axes[0][0]).span);
        body.iter_mut().for_each(|s| s.line = if s.line == 0 { line } else { s.line });
        let used = std::mem::take(&mut l.used);
        let mut kernel = self.kernel(a, name, used, body);
        kernel.tunables = tunables(&sizes, &shape, is_staged);
        kernel.block = (0..shape.axes.len()).map(|d| index::var(format!("BLOCK_{d}"))).collect();
        kernel.grid = shape.grid();
        let all: Vec<LoopId> = nest.axes.iter().map(|x| x[0]).collect();
        let loops = if all.len() == 1 { "loop" } else { "loops" };
        kernel.notes.push(format!("{loops} {} in parallel", self.names_of(a, &all)));
        kernel.notes.extend(notes);
        Ok(Ok(kernel))
    }
}

impl Piece {
    fn inner(&self) -> Option<&Inner> {
        match self {
            Piece::Loop(x) => Some(x),
            Piece::Plain(..) => None,
        }
    }

    /// Its statements, of the part and of the kernel.
    fn parts(&mut self) -> (&[StmtId], &mut Vec<k::Stmt>) {
        match self {
            Piece::Plain(ids, stmts) => (ids, stmts),
            Piece::Loop(x) => (&x.stmts, &mut x.body),
        }
    }
}

fn tunables(sizes: &Sizes, shape: &Shape, is_staged: bool) -> Vec<Tunable> {
    let tunable = |name: String, value: i64| Tunable { name, value };
    let blocks = (0..shape.axes.len()).map(|d| tunable(format!("BLOCK_{d}"), sizes.block[d]));
    let merges = shape.merged.iter().map(|d| tunable(format!("MERGE_{d}"), sizes.merge[*d]));
    let depth = is_staged.then(|| tunable("DEPTH".into(), sizes.depth));
    blocks.chain(merges).chain(depth).collect()
}

/// For the reader: what is where, and why.
fn notes(shape: &Shape, inner: &[&Inner]) -> Vec<String> {
    let mut out = vec![];
    if !shape.merged.is_empty() {
        let along: Vec<&str> = shape.merged.iter().map(|d| shape.axes[*d].name.as_str()).collect();
        out.push(format!("a thread has several points along {}, their results in registers", along.join(" and ")));
    }
    for x in inner {
        for g in &x.groups {
            let shared: Vec<&str> =
                shape.spread.iter().filter(|d| !g.axes.contains(d)).map(|d| shape.axes[*d].name.as_str()).collect();
            let why = if g.is_for_order {
                "read in the order of memory".into()
            } else {
                format!("the same for all {}", shared.join(" and "))
            };
            out.push(format!("in shared memory, pieces of loop {}: {} ({why})", x.counter, g.value));
        }
    }
    out
}
