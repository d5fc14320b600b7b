//! Nests taken apart, for a mapping that is looked for and for the kernel of one that was found.

use super::find::{self, Finder};
use super::piece::{Inner, Piece, Variable, leaves};
use super::pipeline;
use super::register_promotion::ThreadPromotion;
use super::shape::Shape;
use super::slide::{self, Slide};
use super::window::Window;
use super::wish::{Untiled, Windows, Wish};
use crate::ast::VarId;
use crate::poly::Failure;
use crate::schedule::Nest;
use crate::schedule::lower::Lowering;
use crate::schedule::map::Mapper;
use crate::schedule::parallel::Analysis;
use crate::source::Span;
use std::collections::BTreeSet;

/// A nest taken apart: its geometry, what each point does, and where values live.
pub(super) struct Tile {
    pub shape: Shape,
    pub pieces: Vec<Piece>,
    pub variables: Vec<Variable>,
    pub promotions: Vec<ThreadPromotion>,
    pub windows: Vec<Window>,
    pub slide: Option<Slide>,
    /// Arrays of which the kernel writes nothing that it reads (see [`find::apart`]).
    pub apart: BTreeSet<VarId>,
}

impl Tile {
    pub fn of(
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
        if let (Some([_, neighbours]), true) = (wish.points.as_ref().and_then(|x| x.last()), aligns) {
            shape.align(neighbours.unwrap_or(1));
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
        let promotions = if has_loops && allowed.register_promotion {
            find.promotions(&mut pieces, &shape, &mut variables)
        } else {
            vec![]
        };
        if slide.is_some() && !slide::stays_with_point(&pieces, &promotions) {
            return Ok(Err(Untiled(None)));
        }
        let apart = find::apart(a, nest, wish.host)?;
        Ok(Ok(Tile { shape, pieces, variables, promotions, windows, slide, apart }))
    }

    pub fn inner(&self) -> Vec<&Inner> {
        leaves(&self.pieces).into_iter().filter_map(Piece::inner).collect()
    }
}

/// Reason why a thread cannot have several points of a nest.
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
    pub(super) fn taken_apart(
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
}
