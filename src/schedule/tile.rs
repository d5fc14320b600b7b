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
//! Products of doubles a warp computes as matrices, where the device has instructions for that: see the module `matrices`.
//!
//! Method: Verdoolaege et al., "Polyhedral parallel code generation for CUDA", TACO 2013, section 7 (which elements go
//! where: the module `reads`); a thread with several points is the thread merge of Yang et al., "A GPGPU compiler for
//! memory optimization and parallelism management", PLDI 2010, section 3.5.2.

mod bounds;
mod code;
mod fill;
mod find;
mod hold;
mod mapped;
mod matrices;
mod pipeline;
mod reads;
mod shape;
mod size;
mod slide;
mod slide_code;
mod sunk;
pub(super) mod vector;
mod window;

use super::lower::Lowering;
use super::map::Mapper;
use super::mapping::{Fetch, Mapping, Pieces, Run, Staged};
use super::parallel::Analysis;
use super::{Nest, index};
use crate::ast::{Unit, VarId};
use crate::kernel::mma::MmaShape;
use crate::kernel::{self as k, Kernel};
use crate::poly::Failure;
use crate::region::symbolic::Poly;
use crate::region::{LoopId, Reason, StmtId};
use crate::source::Span;
use code::Code;
use find::Finder;
use hold::Held;
use reads::Group;
use shape::Shape;
use slide::Slide;
use std::collections::BTreeSet;
use window::Window;

/// Fewer iterations of the loop are not worth a tile.
const FEW: i64 = 8;

/// What the user allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowed {
    /// A thread may have several points.
    pub merge: bool,
    /// Of these, neighbours.
    pub skew: bool,
    /// Accesses of neighbours may be vectors.
    pub vectorize: bool,
    /// A block may keep what it reads in shared memory.
    pub stage: bool,
    /// A thread may hold an element from its beginning to its end.
    pub hold: bool,
}

/// Why a nest is mapped without tiles, or points: what to say of it, if anything.
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
    Steps(Steps),
}

/// A loop in order of the whole block, whose bounds are the same for all its points: each iteration runs its pieces.
struct Steps {
    id: LoopId,
    counter: String,
    pieces: Vec<Piece>,
}

/// A loop of the thread with tiles.
#[derive(Clone)]
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
    fetch: Fetch,
    /// The products of matrices that a warp computes it by.
    mma: Option<MmaShape>,
    line: u32,
}

/// An element kept in a variable all through the loop.
#[derive(Clone)]
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

/// Points of a thread in a dimension: a block apart, and neighbours.
pub type Points = [Option<i64>; 2];

/// Instructions for taking a nest apart.
struct Wish<'a> {
    host: &'a [LoopId],
    allowed: Allowed,
    /// Whether loops of the thread may run around its points, in pieces.
    has_loops: bool,
    /// The points of a thread by dimension; `None`: those that serve the loops.
    points: Option<Vec<Points>>,
    /// Whether the user asks for them.
    is_asked: bool,
    /// The values that are staged; `None`: all that serve.
    staged: Option<&'a [Pieces]>,
    /// Test that of all that serve elements are staged as they are, so that they can be copied ahead.
    stages_elements: bool,
    windows: Windows<'a>,
    /// Test that loops of the thread have windows that slide.
    slides: bool,
}

/// Which windows a block has in shared memory.
#[derive(Clone, Copy)]
enum Windows<'a> {
    None,
    /// All that serve, of which there must be one.
    Serving,
    These(&'a [Staged]),
}

impl Windows<'_> {
    fn wants(&self, value: &k::Access) -> bool {
        match self {
            Windows::None => false,
            Windows::Serving => true,
            Windows::These(all) => all.iter().any(|x| x.value == k::Expr::Load(value.clone()).to_string()),
        }
    }
}

/// A nest taken apart: its geometry, what each point does, and where values live.
struct Tile {
    shape: Shape,
    pieces: Vec<Piece>,
    variables: Vec<Variable>,
    held: Vec<Held>,
    windows: Vec<Window>,
    slide: Option<Slide>,
}

impl Tile {
    fn of(
        a: &Analysis,
        nest: &Nest,
        wish: &Wish,
        l: &mut Lowering,
        line: &dyn Fn(Span) -> u32,
    ) -> Result<Result<Tile, Untiled>, Failure> {
        let unchanged = match wish.windows {
            Windows::None if !wish.has_loops => BTreeSet::new(),
            Windows::None => find::unchanged(a, nest, wish.host, &find::tiled(a, nest))?,
            _ => find::unchanged(a, nest, wish.host, &find::direct(&nest.body).collect::<Vec<_>>())?,
        };
        l.declares = !a.part.is_rewritten();
        let Some(mut shape) = Shape::of(a, nest, wish.host, l)? else {
            let is_last = wish.points.is_some() && !wish.has_loops;
            return Ok(Err(Untiled(is_last.then(|| no_points(a, nest, line)))));
        };
        let Wish { host, allowed, has_loops, is_asked, staged, stages_elements, .. } = *wish;
        let aligns = !has_loops && allowed.vectorize && matches!(wish.windows, Windows::None);
        let mut find = Finder {
            a,
            nest,
            l,
            host,
            allowed,
            has_loops,
            is_asked,
            staged,
            stages_elements,
            unchanged,
            steps: vec![],
            why: None,
        };
        find.choose_axes(&mut shape, wish.points.as_deref());
        if let (Some([_, Some(neighbours)]), true) = (wish.points.as_ref().and_then(|x| x.last()), aligns) {
            shape.align(*neighbours);
        }
        let taken_apart = match wish.slides {
            true => find.slide(&shape).map(|found| found.map_or((vec![], None), |(pieces, x)| (pieces, Some(x)))),
            false => find.pieces(&shape, &nest.body).map(|pieces| (pieces, None)),
        };
        let (mut pieces, slide) = match taken_apart {
            Ok(found) => found,
            Err(reason) => return Ok(Err(reason.into())),
        };
        if has_loops && leaves(&pieces).iter().all(|p| p.inner().is_none()) {
            return Ok(Err(Untiled(find.why)));
        }
        let windows = match (wish.windows, pieces.as_mut_slice()) {
            (Windows::None, _) => vec![],
            (wish, [Piece::Plain(_, body)]) => match find.windows(&shape, body, &|x| wish.wants(x)) {
                Ok(windows) => windows,
                Err(reason) => return Ok(Err(reason.into())),
            },
            _ => vec![],
        };
        if matches!(wish.windows, Windows::Serving) && windows.is_empty() {
            return Ok(Err(Untiled(None)));
        }
        let mut variables = match find.variables(&mut pieces)? {
            Ok(variables) => variables,
            Err(reason) => return Ok(Err(reason.into())),
        };
        let held = if has_loops && allowed.hold { find.held(&mut pieces, &shape, &mut variables) } else { vec![] };
        if slide.is_some() && !slide::stays_with_point(&pieces, &held) {
            return Ok(Err(Untiled(None)));
        }
        Ok(Ok(Tile { shape, pieces, variables, held, windows, slide }))
    }

    fn inner(&self) -> Vec<&Inner> {
        leaves(&self.pieces).into_iter().filter_map(Piece::inner).collect()
    }
}

/// Why a thread cannot have several points of a nest.
fn no_points(a: &Analysis, nest: &Nest, line: &dyn Fn(Span) -> u32) -> String {
    let steps = nest.axes.iter().find(|x| a.part.get_loop(x[0]).step != 1);
    let why = match steps {
        Some(x) => format!("the loop on line {} does not count up by one", line(a.part.get_loop(x[0]).span)),
        None => "the bounds of its loops are not sums of each other's counters".into(),
    };
    format!("a thread has one point, since {why}")
}

impl Mapper<'_> {
    /// A nest taken apart for a mapping, and the arrays that its kernel writes.
    fn taken_apart(
        &mut self,
        a: &Analysis,
        nest: &Nest,
        wish: &Wish,
    ) -> Result<(Result<Tile, Untiled>, BTreeSet<String>), Failure> {
        let before = self.names.clone();
        let line = self.line;
        let mut l = self.lowering(a);
        let tile = Tile::of(a, nest, wish, &mut l, line);
        let written = pipeline::written(&mut l);
        *self.names = before;
        Ok((tile?, written))
    }

    /// A kernel over a parallel band with tiles, or several points of a thread.
    ///
    /// # Errors
    /// The limit on isl's work, or what cannot be lowered.
    pub fn tiled(
        &mut self,
        a: &Analysis,
        nest: &Nest,
        mapping: &Mapping,
        name: &str,
    ) -> Result<Result<Kernel, Reason>, Failure> {
        let (host, line, unit) = (self.host.clone(), self.line, self.unit);
        let points = (0..mapping.n_dimensions()).map(|d| mapping.points(d)).collect();
        let wish = Wish {
            host: &host,
            allowed: self.tiles,
            has_loops: !mapping.loops.is_empty(),
            points: Some(points),
            is_asked: false,
            staged: Some(&mapping.loops),
            stages_elements: false,
            windows: if mapping.staged.is_empty() { Windows::None } else { Windows::These(&mapping.staged) },
            slides: mapping.loops.iter().any(|x| matches!(x.run, Run::Window(_))),
        };
        let mut l = self.lowering(a);
        let mut tile = match Tile::of(a, nest, &wish, &mut l, line)? {
            Ok(tile) => tile,
            Err(_) => {
                let span = a.part.get_loop(nest.axes[0][0]).span;
                return Ok(Err(Reason::new("mapping", "this nest cannot be lowered as it was mapped", span)));
            }
        };
        let notes = notes(unit, mapping, &tile, &tile.inner());
        let pieces = std::mem::take(&mut tile.pieces);
        let Tile { shape, variables, held, windows, slide, .. } = &tile;
        let slide = slide.as_ref();
        let vectorizes = wish.allowed.vectorize && (variables.is_empty() || slide.is_some());
        let skew = mapping.sizes(shape.axes.len() - 1)[2];
        let sizes =
            [mapping.tunables(), mapping.tunables_with(&mapping.larger), mapping.tunables_with(&mapping.smaller)];
        let sizes = sizes.into_iter().filter(|sizes| !sizes.is_empty()).collect();
        let thread = String::new();
        let mut body =
            Code { l: &mut l, shape, variables, held, windows, slide, skew, vectorizes, sizes, thread }.body(pieces);
        let line = line(a.part.get_loop(nest.axes[0][0]).span);
        body.iter_mut().for_each(|s| s.line = if s.line == 0 { line } else { s.line });
        let used = std::mem::take(&mut l.used);
        let mut kernel = self.kernel(a, name, used, body);
        kernel.tunables = mapping.tunables();
        kernel.larger = mapping.tunables_with(&mapping.larger);
        kernel.smaller = mapping.tunables_with(&mapping.smaller);
        kernel.block = (0..shape.axes.len()).map(|d| index::size_of("BLOCK", d)).collect();
        kernel.grid = shape.grid();
        kernel.notes.push(self.in_parallel(a, nest));
        kernel.notes.extend(notes);
        kernel.notes.extend(mapping.notes.iter().cloned());
        Ok(Ok(kernel))
    }
}

impl Piece {
    fn inner(&self) -> Option<&Inner> {
        match self {
            Piece::Loop(x) => Some(x),
            Piece::Plain(..) | Piece::Steps(_) => None,
        }
    }

    /// Statements of a leaf, of the part and of the kernel.
    fn parts(&mut self) -> (&[StmtId], &mut Vec<k::Stmt>) {
        match self {
            Piece::Plain(ids, stmts) => (ids, stmts),
            Piece::Loop(x) => (&x.stmts, &mut x.body),
            Piece::Steps(_) => unreachable!("steps are no leaf"),
        }
    }
}

/// Pieces that are no steps, in order, those of steps in their place.
fn leaves(pieces: &[Piece]) -> Vec<&Piece> {
    let mut out = vec![];
    for p in pieces {
        match p {
            Piece::Steps(x) => out.extend(leaves(&x.pieces)),
            leaf => out.push(leaf),
        }
    }
    out
}

/// The same, each with the loops of steps around it.
fn leaves_mut<'p>(pieces: &'p mut [Piece], around: &[LoopId]) -> Vec<(Vec<LoopId>, &'p mut Piece)> {
    let of = |p: &'p mut Piece| match p {
        Piece::Steps(x) => leaves_mut(&mut x.pieces, &[around, &[x.id]].concat()),
        leaf => vec![(around.to_vec(), leaf)],
    };
    pieces.iter_mut().flat_map(of).collect()
}

/// For the reader: what is where, and why.
fn notes(unit: &Unit, mapping: &Mapping, Tile { shape, variables, slide, .. }: &Tile, inner: &[&Inner]) -> Vec<String> {
    let mut out = vec![];
    let several: Vec<usize> = shape.merged.iter().copied().filter(|d| mapping.sizes(*d)[1..] != [1, 1]).collect();
    if !several.is_empty() {
        let along: Vec<&str> = several.iter().map(|d| unit.var(shape.axes[*d].var).name.as_str()).collect();
        let results = if variables.is_empty() { "" } else { ", their results in registers" };
        out.push(format!("a thread has several points along {}{results}", along.join(" and ")));
    }
    out.extend(slide.iter().flat_map(Slide::notes));
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
        out.extend(match x.fetch {
            Fetch::None => None,
            Fetch::Registers => Some(format!("the next piece of loop {} is loaded while one is used", x.counter)),
            Fetch::Async(_) => {
                Some(format!("pieces of loop {} are copied asynchronously, STAGES - 1 ahead", x.counter))
            }
        });
        out.extend(x.mma.map(|shape| format!("a warp computes loop {} by products of {shape} elements", x.counter)));
    }
    out
}
