//! Kernel of a band with tiles, or with several points of a thread, under its mapping.

use super::code::Code;
use super::piece::Inner;
use super::slide::Slide;
use super::taken_apart::Tile;
use super::wish::{Windows, Wish};
use crate::ast::Unit;
use crate::facts::Reason;
use crate::kernel::{ArrayParam, Kernel, Usage};
use crate::poly::Failure;
use crate::schedule::map::Mapper;
use crate::schedule::mapping::{Fetch, Mapping, Run};
use crate::schedule::parallel::Analysis;
use crate::schedule::{Nest, index};

impl Mapper<'_> {
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
        let Tile { shape, variables, promotions, windows, slide, apart, .. } = &tile;
        let slide = slide.as_ref();
        let vectorizes = wish.allowed.vectorize && (variables.is_empty() || slide.is_some());
        let skew = mapping.sizes(shape.axes.len() - 1)[2];
        let sizes =
            [mapping.tunables(), mapping.tunables_with(&mapping.larger), mapping.tunables_with(&mapping.smaller)];
        let sizes = sizes.into_iter().filter(|sizes| !sizes.is_empty()).collect();
        let thread = String::new();
        let (wide, dealt) = (vec![], shape.dealt());
        let mut code = Code {
            l: &mut l,
            shape,
            variables,
            promotions,
            windows,
            slide,
            apart,
            skew,
            vectorizes,
            sizes,
            thread,
            wide,
            dealt,
        };
        let mut body = code.body(pieces);
        let wide = index::all(code.wide);
        let line = line(a.part.get_loop(nest.axes[0][0]).span);
        body.iter_mut().for_each(|s| s.line = if s.line == 0 { line } else { s.line });
        let used = std::mem::take(&mut l.used);
        let mut kernel = self.kernel(a, name, used, body);
        let turns: Vec<String> = apart.iter().map(|data| self.names.of(self.unit, *data)).collect();
        let is_both = |x: &&mut ArrayParam| x.usage == Usage::ReadWrite && turns.contains(&x.name);
        kernel.arrays.iter_mut().filter(is_both).for_each(|x| x.usage = Usage::Turns);
        kernel.tunables = mapping.tunables();
        kernel.smaller = mapping.tunables_with(&mapping.smaller);
        // What makes up for uneven blocks is how many there are.
        let is_uneven = shape.is_uneven && kernel.multiplies_matrices();
        kernel.larger = if is_uneven { vec![] } else { mapping.tunables_with(&mapping.larger) };
        kernel.is_uneven = is_uneven && !kernel.smaller.is_empty();
        kernel.wide = wide;
        kernel.block = index::block(shape.axes.len());
        kernel.grid = shape.grid();
        kernel.notes.push(self.in_parallel(a, nest));
        kernel.notes.extend(notes);
        kernel.notes.extend(mapping.notes.iter().cloned());
        Ok(Ok(kernel))
    }
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
