//! Kernels of a nest as its mapping says, whatever strategy proposed it.
//!
//! | the mapping has | the kernel |
//! | --- | --- |
//! | several points of a thread, pieces of loops, staged elements | tiles of points, in their order: [`tile`](super::tile) |
//! | lanes | elements, whose loops they share: [`lanes`](super::lanes) |
//! | flat axes, of a nest that is a scan | two kernels, with phases: [`scan`](super::scan) |
//! | copies of arrays | the next, whose updates go to copies: [`histogram`](super::histogram) |
//! | anything else | the frame that its axes say ([`frame`](super::frame)) around the body, and joins ([`reduce`](super::reduce)) |
//!
//! Behind these come what registers leave room for, and the kernels for other calls: rows, variants, divided loops.

use super::frame::Framed;
use super::lanes::Partials;
use super::lowered::{Lowered, Lowers};
use super::map::Mapper;
use super::mapping::{Mapping, Row, Variant, row_of};
use super::parallel::Analysis;
use super::reduce::Joins;
use super::strategies::{extents_within, taken_when};
use super::{Mode, Nest, index};
use crate::facts::Reason;
use crate::kernel::simplify::put_sizes;
use crate::kernel::{Expr, Usage};
use crate::poly::Failure;
use crate::poly::names::Names;
use crate::region::LoopId;

/// Kernels for some calls, each with its condition on their sizes.
type Others = Result<Result<Vec<(Expr, Lowered)>, Reason>, Failure>;

/// The kernels of a nest under its mapping, with those for other calls; the text is the first kernel's name.
///
/// # Errors
/// The limit on isl's work, or what cannot be lowered.
pub fn lower(m: &mut Mapper, a: &Analysis, nest: &Nest, mapping: &Mapping, name: &str) -> Lowers {
    m.name_loops(a, nest);
    let before = m.names.clone();
    let is_never_whole = match &mapping.divided {
        Some(divided) => m.is_certain(a, nest, divided)?,
        None => false,
    };
    let mut lowered = match is_never_whole {
        true => Lowered::default(),
        false => match whole(m, a, nest, mapping, name)? {
            Ok(lowered) => lowered,
            Err(reason) => return Ok(Err(reason)),
        },
    };
    if let (Some(blocks), Some(kernel)) = (mapping.resident, lowered.kernels.first_mut()) {
        kernel.bound_registers(blocks);
    }
    if !is_never_whole {
        match rows(m, a, nest, (mapping, &before), name)? {
            Ok(rows) => lowered.rows.extend(rows),
            Err(reason) => return Ok(Err(reason)),
        }
    }
    match variants(m, a, nest, mapping, name)? {
        Ok(variants) => lowered.variants.extend(variants),
        Err(reason) => return Ok(Err(reason)),
    }
    Ok(m.divide(a, nest, mapping, name, &mut lowered)?.map(|()| lowered))
}

/// The kernels of a nest under its mapping alone.
fn whole(m: &mut Mapper, a: &Analysis, nest: &Nest, mapping: &Mapping, name: &str) -> Lowers {
    if mapping.has_tiles() {
        return Ok(m.tiled(a, nest, mapping, name)?.map(Lowered::from));
    }
    if mapping.lanes.is_some() {
        return m.rows(a, nest, mapping, name);
    }
    if nest.mode == Mode::Scan {
        return m.scan(a, nest, mapping, name);
    }
    match mapping.copies.is_empty() {
        true => m.point_by_point(a, nest, mapping, name, None),
        false => m.histogram(a, nest, mapping, name),
    }
}

/// The lowered variants of a mapping.
fn variants(m: &mut Mapper, a: &Analysis, nest: &Nest, mapping: &Mapping, name: &str) -> Others {
    let mut out = vec![];
    for variant in &mapping.variants {
        let Variant { when, mapping: other } = variant;
        let cond = taken_when(m, a, nest, mapping, variant)?;
        match lower(m, a, nest, other, &format!("{name}_{}", when.word()))? {
            Ok(mut lowered) => {
                lowered.kernels.iter_mut().for_each(|k| k.notes.push(when.note().into()));
                out.push((cond, lowered));
            }
            Err(reason) => return Ok(Err(reason)),
        }
    }
    Ok(Ok(out))
}

/// The lowered rows of a mapping. `before` are the names from which the mapping itself was lowered.
fn rows(m: &mut Mapper, a: &Analysis, nest: &Nest, (mapping, before): (&Mapping, &Names), name: &str) -> Others {
    let mut out = vec![];
    for (at, Row { calls, mapping: other }) in mapping.rows.iter().enumerate() {
        let cond = extents_within(m, a, calls);
        let (name, row) = (row_of(name, at), format!("[[kernels.{name}.at]]"));
        // The same names make the same text of what is the same.
        let given = std::mem::replace(m.names, before.clone());
        let lowered = lower(m, a, nest, other, &name);
        let used = std::mem::replace(m.names, given);
        let lowered = match lowered? {
            Ok(lowered) if lowered.is_alone() && used.are_among(m.names) => Ok(lowered),
            Ok(_) => lower(m, a, nest, other, &name)?,
            Err(reason) => Err(reason),
        };
        match lowered {
            Ok(mut lowered) => {
                let which = if at == 0 { "calls" } else { "other calls" };
                lowered.kernels.iter_mut().for_each(|k| k.notes.push(format!("for {which} with {calls}: {row}")));
                out.push((cond, lowered));
            }
            Err(reason) => return Ok(Err(reason)),
        }
    }
    Ok(Ok(out))
}

impl Mapper<'_> {
    /// The kernels of a nest whose threads run their points one by one: the first over the band, and where they accumulate
    /// together the one that joins what blocks have. `partials` are those of loops inside that another kernel ran.
    ///
    /// # Errors
    /// The limit on isl's work, or what cannot be lowered.
    pub(super) fn point_by_point(
        &mut self,
        a: &Analysis,
        nest: &Nest,
        mapping: &Mapping,
        name: &str,
        partials: Option<&Partials>,
    ) -> Lowers {
        let joins = self.joins(a, nest)?;
        let host = self.host.clone();
        let mut l = self.lowering(a);
        joins.divert(&mut l);
        let framed = match mapping.is_flat() {
            false => l.over_grid(a, nest, mapping, &host)?,
            true => {
                let at = l.names.fresh("rt_at");
                if let Some(partials) = partials
                    && let Err(reason) = l.put_partial_sums(a, nest, (partials, &host), &at)?
                {
                    return Ok(Err(reason));
                }
                l.shared_out(a, nest, mapping, at)
            }
        };
        let Framed { stmts, grid } = match framed {
            Ok(framed) => framed,
            Err(reason) => return Ok(Err(reason)),
        };
        let line = nest.axes.first().map_or(0, |x| (l.line)(a.part.get_loop(x[0]).span));
        let used = std::mem::take(&mut l.used);
        let mut first = self.kernel(a, name, used, joins.around(stmts, line));
        joins.add_to(&mut first, Usage::Write);
        first.tunables = mapping.tunables();
        first.tunables.extend(mapping.unroll_of(&first));
        first.block = match nest.axes.is_empty() {
            true => vec![Expr::Int(1)],
            false => index::block(grid.len()),
        };
        first.grid = grid;
        first.notes = self.notes(a, nest, mapping, &joins);
        if let Some(partials) = partials {
            partials.add_to(&mut first, Usage::Read);
        }
        if nest.mode != Mode::Reduce {
            return Ok(Ok(first.into()));
        }
        let n_partials = self.names.fresh("rt_n_parts");
        let mut value = first.grid[0].clone();
        put_sizes(&mut value, &first.tunables);
        let partials = joins.partials();
        let mut kernels = vec![first];
        if !partials.is_empty() {
            match self.second_stage(a, nest, name, &joins, (&n_partials, mapping.threads()))? {
                Ok(second) => kernels.push(second),
                Err(reason) => return Ok(Err(reason)),
            }
        }
        let n_partials = (kernels.len() > 1).then_some((n_partials, value));
        Ok(Ok(Lowered { kernels, partials, n_partials, ..Lowered::default() }))
    }

    /// A kernel's work in a person's words.
    fn notes(&self, a: &Analysis, nest: &Nest, mapping: &Mapping, joins: &Joins) -> Vec<String> {
        let ids: Vec<LoopId> = nest.axes.iter().map(|x| x[0]).collect();
        if ids.is_empty() {
            return vec!["in order, by one thread".into()];
        }
        if mapping.is_flat() {
            return vec![joins.note(ids.len(), &self.names_of(a, &ids))];
        }
        let mut out = vec![self.in_parallel(a, nest)];
        for group in mapping.collapsed().into_iter().filter(|group| group.len() > 1) {
            let loops: Vec<LoopId> = group.into_iter().map(|i| ids[i]).collect();
            out.push(format!("loops {} collapsed into one", self.names_of(a, &loops)));
        }
        out.extend(mapping.notes.iter().cloned());
        out
    }
}
