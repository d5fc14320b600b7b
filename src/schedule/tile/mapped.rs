//! The mapping of a nest with tiles, windows or several points of a thread.

use super::piece::{Inner, Piece};
use super::reads::Group;
use super::size::{self, Sizes};
use super::taken_apart::Tile;
use super::wish::{Points, Untiled, Windows, Wish};
use super::{find, matrices, pipeline, shape};
use crate::config::MOST_MERGE;
use crate::kernel::mma::MmaShape;
use crate::poly::Failure;
use crate::schedule::Nest;
use crate::schedule::block::Block;
use crate::schedule::map::{self, Mapper, dimensions, in_grid};
use crate::schedule::mapping::{Axis, Fetch, Mapping, Pieces, Place, Run, Staged};
use crate::schedule::parallel::Analysis;
use std::collections::BTreeSet;

/// Tiles of elements as they are, where something is computed from them. Of `a[i][k] * alpha * b[j][k] + b[i][k] * alpha *
/// a[j][k]` with its four tiles, what is computed is staged: on an H100 that takes 5.0 ms at 4096² in place of 5.5 (f32),
/// where `alpha * a[i][k] * b[k][j]` takes 3.3 in place of 3.6, and by matrices (f64) 3.0 in place of 6.5.
const COPIED_TILES: usize = 2;

/// Question for a mapping.
struct Ask<'a> {
    has_loops: bool,
    points: Option<Vec<Points>>,
    block: Block,
    windows: Windows<'a>,
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
        let axis = |x: &map::Axis, sizes: &Sizes| {
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

    /// The points that the user asks for, by dimension of the grid.
    pub fn points_asked(&self, a: &Analysis, nest: &Nest) -> Vec<Points> {
        let axes = dimensions(a, nest);
        let axes = in_grid(&axes);
        let names: Vec<String> = axes.iter().map(|x| self.name_of(a, x.id)).collect();
        let last = axes.len() - 1;
        let stays = |x: &map::Axis| {
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
