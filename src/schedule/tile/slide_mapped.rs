//! Mapping of a nest whose windows slide (see [`slide`](super::slide)).

use super::size::SHARED;
use super::slide::{POINTS, Tap, Window, nested, only_loop};
use super::taken_apart::Tile;
use super::wish::{Windows, Wish};
use crate::poly::Failure;
use crate::region::{LoopId, StmtId};
use crate::schedule::Nest;
use crate::schedule::map::{self, Mapper, dimensions, in_grid};
use crate::schedule::mapping::{Axis, Mapping, Place};
use crate::schedule::parallel::{Analysis, Verdict};

/// Threads of a block along memory, alone and beside rows of them; and those rows.
const THREADS: [i64; 2] = [128, 8];
const ROWS: i64 = 16;
/// Taps of a window, by number of axes and of loops: along memory, and across.
const ALONE: [i64; 2] = [256, 64];
const TOGETHER: [i64; 2] = [16, 32];
/// Taps that a thread computes with at once.
const STEP: i64 = 16;

impl Mapper<'_> {
    /// The mapping of a band with windows that slide, where they serve.
    ///
    /// # Errors
    /// The limit on isl's work.
    pub fn sliding_mapping(
        &mut self,
        a: &Analysis,
        nest: &Nest,
        strategy: &'static str,
    ) -> Result<Option<Mapping>, Failure> {
        let Some(at) = only_loop(&nest.body) else { return Ok(None) };
        let (ids, _) = nested(&nest.body[at]);
        let outer: Vec<LoopId> = self.host.iter().chain(nest.axes.iter().flatten()).copied().collect();
        if !is_any_order(a, &nest.body[at].stmts(), &ids, &outer)? {
            return Ok(None);
        }
        let mapped = dimensions(a, nest);
        let n = in_grid(&mapped).len();
        let points = (0..n).map(|d| [None, (d + 1 == n).then_some(POINTS)]).collect();
        let host = self.host.clone();
        let wish = Wish {
            host: &host,
            allowed: self.tiles,
            has_loops: true,
            points: Some(points),
            is_asked: false,
            staged: None,
            stages_elements: false,
            windows: Windows::None,
            slides: true,
        };
        let (Ok(Tile { shape, slide: Some(slide), .. }), _) = self.taken_apart(a, nest, &wish)? else {
            return Ok(None);
        };
        let rows = slide.rows_axis().or((0..n - 1).next_back());
        let axis = |x: &map::Axis| {
            let place = match x.dimension {
                None => Place::Thread,
                Some(d) if d + 1 == n => {
                    let threads = THREADS[usize::from(n > 1)];
                    Place::Grid { dimension: d, threads, merge: None, skew: Some(POINTS) }
                }
                Some(d) => {
                    let threads = if Some(d) == rows { ROWS } else { 1 };
                    Place::Grid { dimension: d, threads, merge: None, skew: None }
                }
            };
            Axis { name: self.name_of(a, x.id), place }
        };
        let axes = mapped.iter().map(axis).collect();
        let mut mapping = Mapping { axes, ..Mapping::of(strategy) };
        let widest = slide.windows.iter().filter(|w| w.has_rows).map(Window::width).max().unwrap_or(1);
        let trip = |tap: &Tap| a.part.get_loop(tap.id).most_iterations();
        let (along, across) = slide.taps.split_last().expect("a window has taps");
        let step = trip(along).map_or(STEP, |n| STEP.min((n.max(1) + 3) / 4 * 4)).max(widest);
        let mut sizes = if across.is_empty() { vec![ALONE[usize::from(n > 1)]] } else { TOGETHER.to_vec() };
        for (size, tap) in sizes.iter_mut().zip(&slide.taps) {
            *size = trip(tap).map_or(*size, |n| (*size).min(n.max(1)));
        }
        let last = sizes.len() - 1;
        sizes[last] = (sizes[last] + step - 1) / step * step;
        loop {
            mapping.loops = slide.loops(&shape, &sizes, &|id| self.name_of(a, id));
            mapping.unroll = Some(step);
            match slide.bytes(&shape, &mapping.tunables()) {
                Some(bytes) if bytes <= SHARED => return Ok(Some(mapping)),
                Some(_) if last > 0 && sizes[0] > 1 => sizes[0] /= 2,
                Some(_) if sizes[last] > step => sizes[last] = (sizes[last] / 2 + step - 1) / step * step,
                _ => return Ok(None),
            }
        }
    }
}

/// Test that iterations of these loops, each in those before it, may come in the order of pieces: they carry accumulations alone.
/// The pieces of one loop come in its own order, so that it may also carry maxima whose order decides between 0 and -0.
///
/// # Errors
/// The limit on isl's work.
fn is_any_order(a: &Analysis, stmts: &[StmtId], ids: &[LoopId], outer: &[LoopId]) -> Result<bool, Failure> {
    let mut outer = outer.to_vec();
    for id in ids {
        if let Verdict::Sequential(deps) = a.verdict(*id, stmts, &outer)?
            && (ids.len() > 1 || !a.are_updates_in_order(&deps))
        {
            return Ok(false);
        }
        outer.push(*id);
    }
    Ok(true)
}
