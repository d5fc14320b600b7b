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

use super::block::Block;
use super::lower::Lowering;
use super::map::{Mapper, dimensions, in_grid};
use super::mapping::{Axis, Fetch, Mapping, Pieces, Place, Run, Staged};
use super::parallel::Analysis;
use super::{Nest, index};
use crate::ast::{Unit, VarId};
use crate::config::MOST_MERGE;
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
use size::Sizes;
use slide::Slide;
use std::collections::BTreeSet;
use window::Window;

/// Fewer iterations of the loop are not worth a tile.
const FEW: i64 = 8;

/// Tiles of elements as they are, where something is computed from them. Of `a[i][k] * alpha * b[j][k] + b[i][k] * alpha *
/// a[j][k]` with its four tiles, what is computed is staged: on an H100 that takes 5.0 ms at 4096² in place of 5.5 (f32),
/// where `alpha * a[i][k] * b[k][j]` takes 3.3 in place of 3.6, and by matrices (f64) 3.0 in place of 6.5.
const COPIED_TILES: usize = 2;

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

/// Question for a mapping.
struct Ask<'a> {
    has_loops: bool,
    points: Option<Vec<Points>>,
    block: Block,
    windows: Windows<'a>,
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
    /// The mapping of a parallel band with tiles, where they serve.
    ///
    /// # Errors
    /// The limit on isl's work.
    pub fn tile_mapping(
        &mut self,
        a: &Analysis,
        nest: &Nest,
        strategy: &'static str,
    ) -> Result<Result<Mapping, Untiled>, Failure> {
        let any = !find::candidates(a, &nest.body).is_empty();
        let mut touched = nest.stmts().into_iter().flat_map(|s| &a.part.stmt(s).accesses).map(|x| x.data);
        let has_arrays = touched.any(|v| self.private.contains(&v) && a.part.data[&v].shape.c_rank > 0);
        if !(self.tiles.merge || self.tiles.stage) || !any || has_arrays {
            return Ok(Err(Untiled(None)));
        }
        let points = self.request.says_points().then(|| self.points_asked(a, nest));
        let block = self.request.block.clone();
        self.mapping_with(a, nest, strategy, Ask { has_loops: true, points, block, windows: Windows::None })
    }

    /// The mapping of a parallel band with windows in shared memory, where they serve.
    ///
    /// # Errors
    /// The limit on isl's work.
    pub fn staged_mapping(
        &mut self,
        a: &Analysis,
        nest: &Nest,
        strategy: &'static str,
        (block, points): (Block, Vec<Points>),
    ) -> Result<Result<Mapping, Untiled>, Failure> {
        let ask = Ask { has_loops: false, points: Some(points), block, windows: Windows::Serving };
        self.mapping_with(a, nest, strategy, ask)
    }

    /// The mapping of a parallel band of whose points a thread has several, without tiles.
    ///
    /// # Errors
    /// The limit on isl's work.
    pub fn points_mapping(
        &mut self,
        a: &Analysis,
        nest: &Nest,
        strategy: &'static str,
        points: Vec<Points>,
    ) -> Result<Result<Mapping, Untiled>, Failure> {
        let block = self.request.block.clone();
        self.mapping_with(
            a,
            nest,
            strategy,
            Ask { has_loops: false, points: Some(points), block, windows: Windows::None },
        )
    }

    fn mapping_with(
        &mut self,
        a: &Analysis,
        nest: &Nest,
        strategy: &'static str,
        Ask { has_loops, points, block, windows }: Ask,
    ) -> Result<Result<Mapping, Untiled>, Failure> {
        let n_points = points.iter().flatten().flatten().flatten().fold(1, |all: i64, n| all.saturating_mul(*n));
        if n_points > i64::from(MOST_MERGE) {
            let why = format!("a thread has one point, since {n_points} are more than the {MOST_MERGE} it can have");
            return Ok(Err(Untiled((!has_loops).then_some(why))));
        }
        let host = self.host.clone();
        let copies = match self.request.fetch {
            Some(fetch) => matches!(fetch, Fetch::Async(_)),
            None => self.copies_ahead,
        };
        let mut wish = Wish {
            host: &host,
            allowed: self.tiles,
            has_loops,
            is_asked: points.is_some(),
            points,
            staged: None,
            stages_elements: has_loops && copies,
            windows,
            slides: false,
        };
        let (mut tile, mut written) = self.taken_apart(a, nest, &wish)?;
        let is_copied = |x: &Tile| {
            let inner = x.inner();
            pipeline::usual(&inner, &written).is_some() && inner.iter().all(|x| x.groups.len() <= COPIED_TILES)
        };
        if wish.stages_elements && tile.as_ref().is_ok_and(|x| !is_copied(x)) {
            wish.stages_elements = false;
            (tile, written) = self.taken_apart(a, nest, &wish)?;
        }
        let tile = match tile {
            Ok(tile) => tile,
            Err(why) => return Ok(Err(why)),
        };
        let asked = wish.points.as_deref();
        let inner = tile.inner();
        let usual = pipeline::usual(&inner, &written).filter(|_| self.copies_ahead && self.request.fetch.is_none());
        let stages = usual.map_or(1, |_| pipeline::USUAL);
        let names: Vec<String> = in_grid(&dimensions(a, nest)).iter().map(|x| self.name_of(a, x.id)).collect();
        let is_usual = usual.is_some() && asked.is_none() && block == Block::Usual && are_distinct(&names);
        let matrices = (self.multiplies_matrices && is_usual).then(|| matrices::choice(&tile, stages)).flatten();
        let (choice, matrices) = match matrices {
            Some((choice, axes)) => (Some(choice), Some(axes)),
            None => (tile.shape.sizes(&inner, &tile.variables, (&block, asked), stages), None),
        };
        let Some(choice) = choice else {
            return Ok(Err(Untiled(Some("not tiled: the tiles take more shared memory than a block has".into()))));
        };
        let sizes = choice.usual;
        if tile.windows.iter().map(|x| x.bytes(&sizes)).sum::<i64>() > size::SHARED {
            return Ok(Err(Untiled(None)));
        }
        let widest = inner.iter().flat_map(|x| &x.groups).map(|g| g.ty.size(64)).max().unwrap_or(1);
        let axis = |x: &super::map::Axis, sizes: &Sizes| {
            let place = match x.dimension {
                None => Place::Thread,
                Some(d) => {
                    let [merge, skew] = match matrices {
                        Some(axes) => matrices::points(d, axes, sizes.merge[d]),
                        None => tile.shape.points(d, asked, (sizes.merge[d], widest)),
                    };
                    Place::Grid { dimension: d, threads: sizes.block[d], merge, skew }
                }
            };
            Axis { name: self.name_of(a, x.id), place }
        };
        let axes = |sizes: &Sizes| dimensions(a, nest).iter().map(|x| axis(x, sizes)).collect::<Vec<_>>();
        let instances = |sizes: Option<Sizes>| sizes.filter(|_| usual.is_some()).map_or(vec![], |sizes| axes(&sizes));
        let (fetch, note) = match self.request.fetch {
            Some(wish) => pipeline::choose(wish, &inner, &written, shape::bytes(&inner, &sizes)),
            None => (usual.unwrap_or_default(), None),
        };
        let loops = mapped(&tile.pieces, &names, sizes.depth, (fetch, matrices.map(|_| MmaShape::F64)));
        let staged = tile.windows.iter().map(|x| x.staged(&tile.shape)).collect();
        Ok(Ok(Mapping {
            axes: axes(&sizes),
            larger: instances(choice.larger),
            smaller: instances(choice.smaller),
            staged,
            loops,
            notes: note.into_iter().collect(),
            ..Mapping::of(strategy)
        }))
    }

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

    /// The points that the user asks for, by dimension of the grid.
    pub fn points_asked(&self, a: &Analysis, nest: &Nest) -> Vec<Points> {
        let axes = dimensions(a, nest);
        let axes = in_grid(&axes);
        let names: Vec<String> = axes.iter().map(|x| self.name_of(a, x.id)).collect();
        let last = axes.len() - 1;
        let stays = |x: &super::map::Axis| {
            let vars = x.counters(a);
            let accesses = nest.stmts().into_iter().flat_map(|s| &a.part.stmt(s).accesses);
            accesses
                .filter(|x| x.index.as_ref().is_some_and(|i| !i.iter().any(|p| vars.iter().any(|v| p.uses(*v)))))
                .count()
        };
        let reused = (0..axes.len()).max_by_key(|d| (stays(axes[*d]), *d)).unwrap_or(last);
        let (merge, skew) = (self.request.merge.by_axis(&names, reused), self.request.skew.by_axis(&names, last));
        merge.into_iter().zip(skew).map(|(merge, skew)| [merge, skew]).collect()
    }
}

impl Inner {
    /// The loop in a mapping.
    fn pieces(&self, axes: &[String], depth: i64, (fetch, mma): (Fetch, Option<MmaShape>)) -> Pieces {
        let names = |g: &Group| g.axes.iter().map(|d| axes[*d].clone()).collect();
        let staged: Vec<Staged> =
            self.groups.iter().map(|g| Staged { value: g.value.to_string(), along: names(g) }).collect();
        let (run, fetch) = if staged.is_empty() { (Run::Through, Fetch::None) } else { (Run::Pieces(depth), fetch) };
        Pieces { name: self.counter.clone(), run, fetch, mma, staged }
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

/// Loops in a mapping, the outer before the inner. `axes` are the names of those in the grid.
fn mapped(pieces: &[Piece], axes: &[String], depth: i64, way: (Fetch, Option<MmaShape>)) -> Vec<Pieces> {
    let of = |p: &Piece| match p {
        Piece::Plain(..) => vec![],
        Piece::Loop(x) => vec![x.pieces(axes, depth, way)],
        Piece::Steps(x) => {
            let (name, run) = (x.counter.clone(), Run::Steps);
            let steps = Pieces { name, run, fetch: Fetch::None, mma: None, staged: vec![] };
            std::iter::once(steps).chain(mapped(&x.pieces, axes, depth, way)).collect()
        }
    };
    pieces.iter().flat_map(of).collect()
}

/// Test that a mapping can tell axes apart by their names.
fn are_distinct(names: &[String]) -> bool {
    names.iter().collect::<BTreeSet<_>>().len() == names.len()
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
