//! The elements of each array that a region deals with: those that may be read before it surely writes them, those that
//! it writes. The sets are exact.

use crate::analysis::analysed::{Analysed, Node, Placed, Static};
use crate::ast::{Unit, VarId};
use crate::facts::symbolic::Poly;
use crate::facts::{Reason, effects, remedy};
use crate::isl::{Dim, ErrorKind, Set};
use crate::poly::Failure;
use indexmap::IndexMap;
use std::collections::BTreeSet;

/// The elements of an array that the region deals with.
#[derive(Clone)]
pub struct Elements<'a> {
    /// A part that touches the array: its shape, its names of parameters, and what is known of them at every call.
    pub home: &'a Static,
    pub live_in: Set,
    pub may_write: Set,
    pub touched: Set,
    /// Touched whatever the data are.
    pub surely: Set,
    /// Written by the time the region ends, on every path.
    pub defined: Set,
    /// Elements that calls of the host print before the region surely writes them.
    pub printed: Set,
    /// The outermost extent, if that cuts off some of what may be touched and cannot be said of the sets.
    pub length: Option<Poly>,
    /// Test that nothing but the memory itself says that all of what may be touched is there.
    pub is_unsure: bool,
}

impl<'a> Elements<'a> {
    fn none(home: &'a Static, v: VarId) -> Result<Elements<'a>, Failure> {
        let none = Set::empty(&home.deps.live[&v].touched()?.space()?)?;
        Ok(Elements {
            home,
            live_in: none.clone(),
            may_write: none.clone(),
            touched: none.clone(),
            surely: none.clone(),
            defined: none.clone(),
            printed: none,
            length: None,
            is_unsure: false,
        })
    }

    /// Test that the subscripts show how much may be touched.
    pub fn is_bounded(&self) -> Result<bool, Failure> {
        let bounds = (0..self.touched.dim(Dim::Out)?).map(|k| self.is_bounded_along(k));
        Ok(bounds.collect::<Result<Vec<_>, _>>()?.into_iter().all(|b| b))
    }

    /// The same in dimension `k`.
    pub fn is_bounded_along(&self, k: usize) -> Result<bool, Failure> {
        if !self.touched.dim_is_bounded(Dim::Out, k)? {
            return Ok(false);
        }
        let along = subscripts(&self.touched, k)?;
        if !along.involves_locals()? {
            return Ok(true);
        }
        // isl does not see beforehand that multiples of a number go on for ever.
        for end in [along.dim_min(0), along.dim_max(0)] {
            match end {
                Err(e) if e.kind == ErrorKind::Invalid => return Ok(false),
                end => drop(end?),
            }
        }
        Ok(true)
    }
}

/// Follows every array through the region's nodes, in order.
///
/// # Errors
/// The inner one: two parts see one array with different extents.
pub fn elements<'a>(
    unit: &Unit,
    region: &'a Analysed,
) -> Result<Result<IndexMap<VarId, Elements<'a>>, Reason>, Failure> {
    let mut homes: IndexMap<VarId, (&Static, bool)> = IndexMap::new();
    for Placed { part: s, under, .. } in region.placed() {
        let is_proved = s.scop.declared.is_subset(&s.scop.context)?;
        // Conditions on numbers that the region changes are tested on the way.
        let is_always_proved = is_proved || under.is_empty() && s.changing(region).is_empty();
        for v in s.deps.live.keys() {
            let home = homes.entry(*v).or_insert((s, is_always_proved));
            if extents(home.0, *v) != extents(s, *v) {
                let var = unit.var(*v);
                let message = format!("`{}` is addressed with other rows in one nest than in another", var.name);
                return Ok(Err(
                    Reason::new("shape", message, var.span).help(remedy!("mark each nest as a region of its own"))
                ));
            }
            if is_always_proved && !home.1 {
                *home = (s, true);
            }
        }
    }
    let mut found = IndexMap::new();
    for (v, (home, _)) in homes {
        found.insert(v, Elements::none(home, v)?);
    }
    walk(region, &region.nodes, &mut found, Way { is_certain: true, is_entered: true, is_told: false })?;
    for e in found.values_mut() {
        // What the region leaves alone is printed from the host's memory.
        let printed = e.printed.intersect(&e.may_write)?;
        if !printed.is_empty()? {
            e.live_in = e.live_in.union(&printed)?.coalesce()?;
        }
    }
    Ok(Ok(found))
}

/// The extents behind the outermost, as every part spells them.
fn extents(s: &Static, v: VarId) -> Vec<String> {
    s.part.data[&v].shape.inner.iter().map(|p| s.scop.spelling.text(p)).collect()
}

/// Way of the region's control to some nodes.
#[derive(Clone, Copy)]
struct Way {
    /// Flag: it has run once, by the time the region ends.
    is_certain: bool,
    /// Its arrays are there to be touched. A loop that the host runs until something converges is taken to be entered, as
    /// a condition is not; where it exchanges buffers, to come to every turn.
    is_entered: bool,
    /// A condition that the region's start tells leads there: only where it holds is the part held to what was proved.
    is_told: bool,
}

fn walk<'a>(
    region: &'a Analysed,
    nodes: &'a [Node],
    out: &mut IndexMap<VarId, Elements<'a>>,
    way: Way,
) -> Result<(), Failure> {
    for n in nodes {
        match n {
            Node::Static(s) => pass(s, &s.changing(region), out, way)?,
            Node::Print { reads, .. } => printed(region, reads, out)?,
            // What a body defines is sure only once it has run.
            Node::Loop { body, .. } => walk(region, body, out, Way { is_certain: false, ..way })?,
            Node::If { cond, then, other } => {
                let read = effects::variables(cond);
                let is_entered = way.is_entered && region.turn.is_some_and(|v| read.contains(&v));
                let is_told = way.is_told || region.is_told_at_start(cond);
                let way = Way { is_certain: false, is_entered, is_told };
                walk(region, then, out, way)?;
                walk(region, other, out, way)?;
            }
            Node::Compute(_) | Node::Break | Node::GiveUp => {}
        }
    }
    Ok(())
}

/// `changing`: parameters that the host computes in the region. What depends on them is, over the whole region, whatever
/// it may be for one of their values, and nothing that is sure.
fn pass<'a>(
    s: &'a Static,
    changing: &[&str],
    out: &mut IndexMap<VarId, Elements<'a>>,
    way: Way,
) -> Result<(), Failure> {
    let proved = s.scop.context.gist(&s.scop.declared)?;
    let any = |set: &Set| {
        let set = if way.is_told { set.intersect_params(&proved)? } else { set.clone() };
        changing.iter().try_fold(set, |set, name| set.project_out_param(name))
    };
    let all = |set: &Set| {
        let is_fixed = changing.iter().try_fold(true, |fixed, name| {
            let at = set.find_dim(Dim::Param, name)?;
            Ok::<_, Failure>(fixed && at.map_or(Ok(true), |at| set.involves_dims(Dim::Param, at, 1).map(|uses| !uses))?)
        })?;
        Ok::<_, Failure>(if is_fixed { any(set)? } else { Set::empty(&any(set)?.space()?)? })
    };
    for (v, live) in &s.deps.live {
        let e = out.get_mut(v).expect("every array of a part is known");
        e.live_in = e.live_in.union(&any(live.read_first()?)?.subtract(&e.defined)?)?.coalesce()?;
        e.may_write = e.may_write.union(&any(live.may_write()?)?)?.coalesce()?;
        e.touched = e.touched.union(&any(live.touched()?)?)?.coalesce()?;
        if way.is_certain {
            e.defined = e.defined.union(&all(live.must_write()?)?)?.coalesce()?;
        }
        if way.is_entered {
            e.surely = e.surely.union(&all(live.surely()?)?)?.coalesce()?;
        }
    }
    Ok(())
}

/// Elements that a call prints, as far as the region deals with them: any element, where it cannot be seen in the same rows.
fn printed(region: &Analysed, s: &Static, out: &mut IndexMap<VarId, Elements>) -> Result<(), Failure> {
    let mut named = BTreeSet::new();
    s.part.params.list.iter().for_each(|p| named.extend(effects::variables(&p.expr)));
    // What the host counts is not the same all over the region.
    let is_exact = named.is_disjoint(&region.host_scalars) && s.scop.declared.is_subset(&s.scop.context)?;
    for (v, live) in &s.deps.live {
        let Some(e) = out.get_mut(v) else { continue };
        let read = match is_exact && extents(e.home, *v) == extents(s, *v) {
            true => live.touched()?.clone(),
            false => Set::universe(&e.touched.space()?)?,
        };
        e.printed = e.printed.union(&read.subtract(&e.defined)?)?.coalesce()?;
    }
    Ok(())
}

/// The subscripts number `k` alone. Many pieces of a set agree in them, and isl compares the bounds of every two pieces.
pub(super) fn subscripts(set: &Set, k: usize) -> Result<Set, Failure> {
    let rank = set.dim(Dim::Out)?;
    let rest = set.project_out(Dim::Out, k + 1, rank - k - 1)?.project_out(Dim::Out, 0, k)?;
    Ok(rest.coalesce()?)
}
