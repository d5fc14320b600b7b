//! Holds a mapping to its nest and to the machine, before anything is lowered. A finding is a fault of this tool.
//!
//! - There is one axis for each loop of the band, under its name. Grid axes fill dimensions `0 .. n`, of which there are
//!   three at most; a block has 1 to 1024 threads, and a thread at least one point.
//! - A band in parallel has grid axes and loops of the thread, a reduction and a scan flat ones, what runs in order none.
//! - No axis carries a dependence: not at all in parallel, none but accumulations in a reduction, and what
//!   a scan hands on in a scan. What a directive
//!   asserts holds.
//! - What is staged belongs to a loop in pieces, and depends on axes of the mapping.
//! - Loops that have windows carry accumulations alone; the taps of a step divide the last window, which slides along
//!   neighbours of a block of whole warps.
//! - Copies are of arrays that the nest updates and does nothing else with; there is one at least, and a block has room for
//!   the cells.
//! - A loop that products of matrices compute is fetched by asynchronous copies, in whole steps of the products, and has two
//!   factors of 8 bytes, along an axis each of those that a block is spread over. The first of these has threads for whole
//!   matrices and an even number of points each, the other four threads with pairs of neighbours, and no other has threads.
//! - What is fetched ahead is staged. Asynchronous copies have 2 to 8 stages, the same in all loops, are of elements as they
//!   are, of 4, 8 or 16 bytes, and leave the stages within the shared memory of a block.

use super::mapping::{Axis, Copies, Fetch, MOST_RESIDENT, Mapping, Pieces, Place, Run, STAGES, Staged};
use super::parallel::{Analysis, Verdict, loops_in};
use super::{Mapped, Mode, Nest, lower, scan};
use crate::kernel::mma::{LANES_OF_ROW, MmaShape, ROWS_OF_LANES};
use crate::kernel::verify::MAX_LAUNCH_SHARED;
use crate::poly::Failure;
use crate::region::{LoopId, Statement, StmtId};
use crate::target::{MAX_BLOCK, WARP};

/// Faults of a mapping, below those loops of the host.
///
/// # Errors
/// The limit on isl's work.
pub fn findings(a: &Analysis, mapped: &Mapped, host: &[LoopId]) -> Result<Vec<String>, Failure> {
    let mut out = vec![];
    let others = mapped.mapping.others_of("").into_iter().map(|(_, mapping)| mapping);
    for mapping in std::iter::once(&mapped.mapping).chain(others) {
        out.extend(shape(mapped.nest.mode, mapping));
        let data = a.part.data.values();
        let size = |array: &str| {
            let data = data.clone().find(|d| a.unit.var(d.var).name == array)?;
            Some(lower::scalar_type(&data.elem)?.size(64))
        };
        fetches(mapping, &size, &mut out);
        matrices(mapping, &size, &mut out);
        copies(mapping, &|array| only_updated(a, &mapped.nest, array), &mut out);
        names(a, &mapped.nest, mapping, &mut out);
        windows(a, mapped, mapping, host, &mut out)?;
    }
    order(a, mapped, host, &mut out)?;
    Ok(out)
}

/// Faults of the sizes of a mapping, whatever the nest and its elements: what a tuner asks before it converts anything.
pub fn of_sizes(mode: Mode, mapping: &Mapping) -> Vec<String> {
    let mut out = shape(mode, mapping);
    fetches(mapping, &|_| None, &mut out);
    matrices(mapping, &|_| None, &mut out);
    out
}

fn shape(mode: Mode, mapping: &Mapping) -> Vec<String> {
    let mut out = vec![];
    let mut dimensions = vec![];
    // Elements with lanes lie in the grid, even where their updates meet.
    let mode = if mode == Mode::Reduce && mapping.lanes.is_some() { Mode::Parallel } else { mode };
    for axis in &mapping.axes {
        let fits = match (axis.place, mode) {
            (Place::Grid { dimension, threads, merge, skew }, Mode::Parallel) => {
                dimensions.push(dimension);
                threads >= 1 && merge.unwrap_or(1) >= 1 && skew.unwrap_or(1) >= 1
            }
            (Place::Collapsed { dimension, rank }, Mode::Parallel) if rank >= 1 => {
                let is_before = |x: &Axis| match x.place {
                    Place::Grid { dimension: d, .. } => (d, 0) == (dimension, rank - 1),
                    Place::Collapsed { dimension: d, rank: r } => (d, r) == (dimension, rank - 1),
                    _ => false,
                };
                mapping.axes.iter().filter(|x| is_before(x)).count() == 1
            }
            (Place::Flat { threads, merge, skew }, Mode::Reduce | Mode::Scan) => {
                let is_fit = mode == Mode::Reduce || threads % i64::from(WARP) == 0;
                is_fit && threads >= 1 && merge.unwrap_or(1) >= 1 && skew.unwrap_or(1) >= 1
            }
            (Place::Thread, Mode::Parallel) => true,
            _ => false,
        };
        if !fits {
            out.push(format!("axis {} is out of place", axis.name));
        }
    }
    dimensions.extend(mapping.lanes.as_ref().map(|lanes| lanes.dimension));
    dimensions.sort_unstable();
    if dimensions.len() > 3 || !dimensions.iter().copied().eq(0..dimensions.len()) {
        out.push("its dimensions are not the first of three".into());
    }
    if !(1..=i64::from(MAX_BLOCK)).contains(&mapping.threads()) {
        out.push(format!("a block has {} threads", mapping.threads()));
    }
    if mapping.resident.is_some_and(|n| !(1..=MOST_RESIDENT).contains(&n)) {
        out.push("registers cannot leave room for so many blocks".into());
    }
    if mapping.unroll.is_some_and(|n| n < 1) {
        out.push("a loop has no iteration at once".into());
    }
    let is_window = |x: &Pieces| matches!(x.run, Run::Window(_));
    let last = mapping.loops.iter().rposition(is_window);
    let slides = mapping.n_dimensions() > 0 && mapping.points(mapping.n_dimensions() - 1)[1].is_some();
    let steps = mapping.unroll.filter(|n| *n >= 1);
    if last.is_some() && (!slides || steps.is_none() || mapping.threads() % i64::from(WARP) != 0) {
        out.push("windows slide along neighbours, in steps, and are filled by whole warps".into());
    }
    for (n, x) in mapping.loops.iter().enumerate() {
        let is_fit = match x.run {
            Run::Pieces(n) => n >= 1 && !x.staged.is_empty(),
            Run::Window(size) if Some(n) == last => {
                size >= 1 && !x.staged.is_empty() && steps.is_none_or(|step| size % step == 0)
            }
            Run::Window(size) => size >= 1 && x.staged.is_empty(),
            Run::Steps | Run::Through => x.staged.is_empty(),
        };
        if !is_fit {
            out.push(format!("loop {} runs in pieces where it stages something, and only there", x.name));
        }
    }
    out
}

/// `bytes` gives the size of an array's elements, where it knows the array.
fn fetches(mapping: &Mapping, bytes: &dyn Fn(&str) -> Option<i64>, out: &mut Vec<String>) {
    let mut total = 0;
    for Pieces { name, run, fetch, staged, .. } in &mapping.loops {
        if *fetch != Fetch::None && staged.is_empty() {
            out.push(format!("loop {name} fetches nothing"));
        }
        let Fetch::Async(stages) = *fetch else { continue };
        if !(STAGES[0]..=STAGES[1]).contains(&stages) || mapping.stages() != Some(stages) {
            out.push(format!("loop {name} has {stages} stages"));
        }
        for Staged { value, along } in staged {
            let Some(array) = element_of(value) else {
                out.push(format!("{value} is no element that can be copied"));
                continue;
            };
            let size = bytes(array).unwrap_or(4);
            if ![4, 8, 16].contains(&size) {
                out.push(format!("{value} has {size} bytes, which cannot be copied"));
            }
            let axes = mapping.axes.iter().filter(|x| along.contains(&x.name));
            let side = |x: &Axis| match x.place {
                Place::Grid { threads, merge, skew, .. } => threads * merge.unwrap_or(1) * skew.unwrap_or(1),
                _ => 1,
            };
            let depth = if let Run::Pieces(n) = *run { n } else { 1 };
            total += stages * depth * size * axes.map(side).product::<i64>();
        }
    }
    if total > MAX_LAUNCH_SHARED {
        out.push(format!("its stages take {total} bytes of shared memory"));
    }
}

/// Products by matrices have factors and threads as [`tile`](super::tile) deals them out. `bytes` gives the size of an
/// array's elements, where it knows the array.
fn matrices(mapping: &Mapping, bytes: &dyn Fn(&str) -> Option<i64>, out: &mut Vec<String>) {
    for x in &mapping.loops {
        let Some(shape) = x.mma else { continue };
        let is_deep = matches!(x.run, Run::Pieces(n) if n % shape.depth == 0);
        if shape != MmaShape::F64 || !is_deep || !matches!(x.fetch, Fetch::Async(_)) {
            out.push(format!("loop {} has no pieces that products of {shape} elements serve", x.name));
        }
        let factor = |x: &Staged| {
            let axes = mapping.axes.iter().filter(|a| x.along.contains(&a.name));
            let spread = axes.filter_map(|a| match a.place {
                Place::Grid { threads: 1, merge: None, skew: None, .. } => None,
                Place::Grid { dimension, .. } => Some(dimension),
                _ => None,
            });
            let [dimension] = spread.collect::<Vec<_>>()[..] else { return None };
            bytes(element_of(&x.value)?).is_none_or(|n| n == 8).then_some(dimension)
        };
        let factors: Option<Vec<usize>> = x.staged.iter().map(factor).collect();
        let [a, b] = factors.as_deref().unwrap_or_default() else {
            out.push(format!("loop {} has no two factors of an axis each", x.name));
            continue;
        };
        let (rows, columns) = (*a.min(b), *a.max(b));
        for axes in [&mapping.axes, &mapping.larger, &mapping.smaller].into_iter().filter(|axes| !axes.is_empty()) {
            let fits = |x: &Axis| match x.place {
                Place::Grid { dimension, threads, merge, skew } if dimension == rows => {
                    threads % ROWS_OF_LANES == 0 && merge.is_some_and(|n| n % 2 == 0) && skew.is_none()
                }
                Place::Grid { dimension, threads, merge, skew } if dimension == columns => {
                    threads == LANES_OF_ROW && merge.is_some() && skew == Some(2)
                }
                place => matches!(place, Place::Grid { threads: 1, .. } | Place::Thread),
            };
            if rows == columns || !axes.iter().all(fits) {
                out.push(format!("threads do not hold the points of products of {shape} elements"));
            }
        }
    }
}

/// The array of a value that is an element as it is.
fn element_of(value: &str) -> Option<&str> {
    let (array, index) = value.split_once('[')?;
    // A name that is a word of the text, such as `index`, is marked there.
    let array = array.strip_prefix('$').unwrap_or(array);
    let is_name = !array.is_empty() && array.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let is_one = index.find(']') == Some(index.len() - 1);
    (is_name && is_one).then_some(array)
}

/// `bytes` gives the size of the elements of an array that the nest only updates.
fn copies(mapping: &Mapping, bytes: &dyn Fn(&str) -> Option<i64>, out: &mut Vec<String>) {
    for Copies { arrays, most, cells } in &mapping.copies {
        let mut total = 0i64;
        for name in arrays {
            match bytes(name) {
                Some(size) => total = total.saturating_add(cells.saturating_mul(size)),
                None => out.push(format!("{name} is not only updated, and has copies")),
            }
        }
        if *most < 1 || *cells < 1 || total > MAX_LAUNCH_SHARED {
            out.push(format!("{most} copies in {cells} cells cannot be"));
        }
    }
}

/// The size of the elements of an array that a nest updates and does nothing else with.
fn only_updated(a: &Analysis, nest: &Nest, name: &str) -> Option<i64> {
    let data = a.part.data.values().find(|d| a.unit.var(d.var).name == name)?;
    let is_update = |s: &Statement| s.update().is_some_and(|r| r.data == data.var);
    let touches = |s: &Statement| s.accesses.iter().any(|x| x.data == data.var);
    let is_only_updated = nest.stmts().into_iter().map(|s| a.part.stmt(s)).all(|s| !touches(s) || is_update(s));
    lower::scalar_type(&data.elem).filter(|_| is_only_updated).map(|ty| ty.size(64))
}

fn names(a: &Analysis, nest: &Nest, mapping: &Mapping, out: &mut Vec<String>) {
    let counters = nest.axes.iter().map(|x| &a.unit.var(a.part.get_loop(x[0]).var).name);
    if !mapping.axes.iter().map(|x| &x.name).eq(counters) {
        out.push("its axes are not those of the band".into());
    }
}

/// Iterations of loops that have windows come in another order.
fn windows(
    a: &Analysis,
    mapped: &Mapped,
    mapping: &Mapping,
    host: &[LoopId],
    out: &mut Vec<String>,
) -> Result<(), Failure> {
    for x in mapping.loops.iter().filter(|x| matches!(x.run, Run::Window(_))) {
        let is_it = |l: &LoopId| a.unit.var(a.part.get_loop(*l).var).name == x.name;
        let Some(l) = mapped.nest.body.iter().flat_map(loops_in).find(is_it) else {
            out.push(format!("loop {} is none of the nest's", x.name));
            continue;
        };
        let stmts: Vec<StmtId> =
            mapped.nest.stmts().into_iter().filter(|s| a.part.stmt(*s).loops.contains(&l)).collect();
        let around = stmts.first().map_or(vec![], |s| a.part.stmt(*s).loops.clone());
        let axes = mapped.nest.axes.iter().flatten().copied();
        let inside = around.into_iter().take_while(|y| *y != l).filter(|y| !host.contains(y));
        let mut outer: Vec<LoopId> = host.iter().copied().chain(axes).collect();
        inside.for_each(|y| {
            if !outer.contains(&y) {
                outer.push(y)
            }
        });
        // The pieces of one loop come in its order.
        let is_alone = mapping.loops.iter().filter(|x| matches!(x.run, Run::Window(_))).count() == 1;
        let is_wrong =
            |verdict| matches!(verdict, Verdict::Sequential(deps) if !(is_alone && a.are_updates_in_order(&deps)));
        if is_wrong(a.verdict(l, &stmts, &outer)?) {
            out.push(format!("loop {} has a window, and carries more than accumulations", x.name));
        }
    }
    Ok(())
}

fn order(a: &Analysis, mapped: &Mapped, host: &[LoopId], out: &mut Vec<String>) -> Result<(), Failure> {
    let mut outer = host.to_vec();
    for axis in &mapped.nest.axes {
        for l in axis {
            let below = |s: &StmtId| a.part.stmt(*s).loops.contains(l);
            let stmts: Vec<StmtId> = mapped.nest.stmts().into_iter().filter(below).collect();
            let is_free = match a.verdict(*l, &stmts, &outer)? {
                Verdict::Parallel | Verdict::Asserted(_) => true,
                Verdict::Reduction(..) => mapped.nest.mode == Mode::Reduce,
                Verdict::Sequential(_) if mapped.nest.mode == Mode::Scan => {
                    scan::find(a, *l, &mapped.nest.body, &outer)?.is_some()
                }
                Verdict::Sequential(_) => false,
            };
            if !is_free {
                out.push(format!("axis {} carries a dependence", a.unit.var(a.part.get_loop(*l).var).name));
            }
        }
        outer.extend(axis);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(mode: Mode, text: &str) -> Vec<String> {
        shape(mode, &Mapping::parse(text, &["pointwise", "product", "reduction"]).expect("a mapping"))
    }

    #[test]
    fn fetches_that_cannot_be_are_found() {
        let found = |text: &str| {
            let text = format!("product\n axis i: grid 0, threads 128\n loop k: pieces of 16, fetch {text}");
            let mut out = vec![];
            fetches(&Mapping::parse(&text, &["product"]).expect("a mapping"), &|_| Some(8), &mut out);
            out
        };
        assert!(found("async 3\n stage a[i, k] along i").is_empty());
        assert!(found("registers\n stage alpha * a[i, k] along i").is_empty());
        assert_eq!(found("registers"), ["loop k fetches nothing"]);
        assert_eq!(found("async 9\n stage a[i, k] along i").first().expect("a finding"), "loop k has 9 stages");
        for value in ["alpha * a[i, k]", "a[i] + b[i]", "-a[i, k]", "2.0"] {
            let text = format!("async 2\n stage {value} along i");
            assert_eq!(found(&text), [format!("{value} is no element that can be copied")]);
        }
        let eight = "async 8\n stage a[i, k] along i\n stage b[i, k] along i";
        assert_eq!(found(eight), ["its stages take 262144 bytes of shared memory"]);
    }

    #[test]
    fn products_that_cannot_be_are_found() {
        let good = "axis i: grid 0, threads 16, merge 4\n axis j: grid 1, threads 4, merge 8, skew 2\n \
                    loop k: pieces of 16, fetch async 2, mma 16x8x4\n stage a[i, k] along i\n stage b[k, j] along j";
        let found = |text: &str| {
            let mut out = vec![];
            let mapping = Mapping::parse(&format!("product\n {text}"), &["product"]).expect("a mapping");
            matrices(&mapping, &|array| Some(if array == "f" { 4 } else { 8 }), &mut out);
            out
        };
        assert!(found(good).is_empty());
        let deep = "loop k has no pieces that products of 16x8x4 elements serve";
        let factors = "loop k has no two factors of an axis each";
        let held = "threads do not hold the points of products of 16x8x4 elements";
        let all = [
            ("pieces of 16", "pieces of 10", deep),
            ("async 2", "registers", deep),
            ("stage b[k, j] along j", "stage b[k, j] along i and j", factors),
            ("stage b[k, j] along j", "stage f[k, j] along j", factors),
            ("threads 16", "threads 12", held),
            ("merge 4", "merge 3", held),
            ("threads 4,", "threads 8,", held),
            ("skew 2", "skew 4", held),
            ("stage b[k, j] along j", "stage b[k, j] along i", held),
        ];
        for (from, to, finding) in all {
            assert_eq!(found(&good.replace(from, to)), [finding], "{from} -> {to}");
        }
        let shape = good.replace("16x8x4", "8x8x4");
        assert_eq!(found(&shape)[0], "loop k has no pieces that products of 8x8x4 elements serve");
        let smaller = format!(
            "{good}\n smaller axis i: grid 0, threads 16, merge 4\n smaller axis j: grid 1, threads 8, merge 2, skew 2"
        );
        assert_eq!(found(&smaller), [held]);
    }

    #[test]
    fn copies_that_cannot_be_are_found() {
        let found = |copies: &str| {
            let text = format!("histogram\n axis i: flat, threads 256, skew 4\n copies {copies}");
            let mut out = vec![];
            let of = |array: &str| ["h", "g"].contains(&array).then_some(8);
            super::copies(&Mapping::parse(&text, &["histogram"]).expect("a mapping"), &of, &mut out);
            out
        };
        assert!(found("32 of h and g in shared memory, cells 4096").is_empty());
        assert_eq!(found("1 of a in shared memory, cells 256"), ["a is not only updated, and has copies"]);
        assert_eq!(found("0 of h in shared memory, cells 256"), ["0 copies in 256 cells cannot be"]);
        assert_eq!(found("1 of h and g in shared memory, cells 16384"), ["1 copies in 16384 cells cannot be"]);
    }

    #[test]
    fn what_is_planted_is_found() {
        let good = "pointwise\n axis i: grid 0, threads 8, merge 4\n axis j: grid 1, threads 32";
        assert!(found(Mode::Parallel, good).is_empty());
        assert_eq!(found(Mode::Reduce, good).len(), 2);
        let all = [
            ("pointwise\n axis i: grid 1, threads 8", "its dimensions are not the first of three"),
            ("pointwise\n axis i: grid 0, threads 2048", "a block has 2048 threads"),
            ("pointwise\n axis i: grid 0, threads 8, merge 0", "axis i is out of place"),
            ("pointwise\n axis i: flat, threads 8", "axis i is out of place"),
            ("pointwise\n axis i: grid 0, threads 8\n axis j: grid 0, collapsed 2", "axis j is out of place"),
            (
                "product\n axis i: grid 0, threads 8\n loop k: around the points\n stage a[k] along nothing",
                "loop k runs in pieces where it stages something, and only there",
            ),
            (
                "product\n axis i: grid 0, threads 32, skew 8\n loop k: window of 24\n stage a[i + k] along i\n unroll 16",
                "loop k runs in pieces where it stages something, and only there",
            ),
            (
                "product\n axis i: grid 0, threads 48, skew 8\n loop k: window of 32\n stage a[i + k] along i\n unroll 16",
                "windows slide along neighbours, in steps, and are filled by whole warps",
            ),
            (
                "product\n axis i: grid 0, threads 32\n loop k: window of 32\n stage a[i + k] along i\n unroll 16",
                "windows slide along neighbours, in steps, and are filled by whole warps",
            ),
        ];
        for (text, finding) in all {
            assert_eq!(found(Mode::Parallel, text), [finding]);
        }
    }
}
