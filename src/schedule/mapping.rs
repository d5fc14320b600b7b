//! The mapping of a kernel: where each loop of a nest runs, in what pieces, and what of it lies in faster memory.
//!
//! A mapping is a value: a strategy proposes it ([`strategies`](super::strategies)), the user's words change it
//! ([`request`](super::request)), the lowering of its strategy realises it, and nothing else decides what a kernel looks
//! like. It prints, and [`parse`](Mapping::parse) reads the same text back:
//! ```text
//! product
//!   axis i: grid 0, threads 8, skew 8
//!   axis j: grid 1, threads 16, merge 4
//!   loop k: pieces of 16, fetch registers
//!     stage alpha * a[i, k] along i
//!     stage b[k, j] along j
//! ```
//! A piece is fetched while the one before it is computed with, where the loop says `fetch`: see [`Fetch`].
//! Merge and skew are RT-CUDA's words (section 3.2): a thread has `merge` points a block apart, or `skew` points that are
//! neighbours. The names are those of the user's counters; what a name cannot tell apart, the position does: the axes are
//! those of the nest, in its order.

use crate::config::MOST_STAGES;
use crate::kernel::{Kernel, Tunable};
use crate::target::MAX_BLOCK;
use std::fmt::{self, Display, Formatter};

/// How a kernel runs a nest.
#[derive(Debug, Clone, PartialEq)]
pub struct Mapping {
    /// The strategy that proposed it, and whose lowering realises it.
    pub strategy: &'static str,
    /// One for each loop of the band, outermost first.
    pub axes: Vec<Axis>,
    /// The same with other sizes, for calls in which these larger blocks leave no processor idle, and for those in which
    /// blocks of the usual size would; empty: there are none.
    pub larger: Vec<Axis>,
    pub smaller: Vec<Axis>,
    /// Threads of the block that share the loops of each element.
    pub lanes: Option<Lanes>,
    /// Kernels that run in the place of the others where a call has few elements.
    pub divided: Option<Divided>,
    /// Elements that a block has in shared memory around its points.
    pub staged: Vec<Staged>,
    /// The loops in order that run in pieces.
    pub loops: Vec<Pieces>,
    /// How many iterations of loops that only read are under way at once, where there are such loops.
    pub unroll: Option<i64>,
    /// Remarks: transformations that were not made, and why.
    pub notes: Vec<String>,
    /// Other mappings, for calls with other sizes.
    pub variants: Vec<Variant>,
}

/// Another mapping of the same nest, and the calls that take it.
#[derive(Debug, Clone, PartialEq)]
pub struct Variant {
    pub when: When,
    pub mapping: Mapping,
}

/// Calls that take another mapping, by their sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// Fewer than half of the threads of the usual blocks would have a point.
    Idle,
    /// There are at least so many elements, and the loops of each that lanes would share have at most so many iterations.
    Short { iterations: Option<i64>, elements: i64 },
}

impl When {
    /// The word that kernels of such a variant have in their names.
    pub fn word(self) -> &'static str {
        match self {
            When::Idle => "flat",
            When::Short { .. } => "short",
        }
    }

    /// What is said of kernels of such a variant.
    pub fn note(self) -> &'static str {
        match self {
            When::Idle => "for calls in which most threads of the usual blocks would have no point",
            When::Short { iterations: None, .. } => "for calls with threads enough without sharing loops",
            When::Short { .. } => "for calls with short loops, and threads enough without sharing them",
        }
    }
}

impl Display for When {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match self {
            When::Idle => f.write_str("idle"),
            When::Short { iterations: None, elements } => write!(f, "short: elements {elements}"),
            When::Short { iterations: Some(n), elements } => write!(f, "short: elements {elements}, iterations {n}"),
        }
    }
}

/// A loop of the band.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axis {
    /// Its counter.
    pub name: String,
    pub place: Place,
}

/// Where the iterations of an axis go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A dimension of the grid (outermost first), with its threads of a block. A thread has `merge` points, a block apart,
    /// of `skew` neighbours each; `None` where the kernel has no such parameter.
    Grid { dimension: usize, threads: i64, merge: Option<i64>, skew: Option<i64> },
    /// In the dimension of another axis, whose iterations each hold all of this one; of several the one of a greater rank
    /// runs faster.
    Collapsed { dimension: usize, rank: usize },
    /// One dimension together with the other axes of this kind, shared out over the whole grid in turns.
    Flat { threads: i64, merge: Option<i64> },
    /// A loop of the thread, around everything.
    Thread,
}

/// Threads of a block that share the work of one element, and join what they have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lanes {
    /// How many.
    pub threads: i64,
    /// Their dimension of the block; the elements have the other.
    pub dimension: usize,
    /// The loops that they share.
    pub loops: Vec<String>,
}

/// Blocks that share the loops of each element, and leave partial results to a second kernel, where a call has few
/// elements and their loops are long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Divided {
    /// Threads of a block along the elements, and along the loops of each.
    pub elements: i64,
    pub lanes: i64,
    /// The dimension of the block that the lanes have; the elements have the other.
    pub dimension: usize,
    /// Most blocks, of all elements together.
    pub blocks: i64,
    /// Least iterations of a lane.
    pub iterations: i64,
}

/// A loop in order around the points of a thread.
#[derive(Debug, Clone, PartialEq)]
pub struct Pieces {
    /// Its counter.
    pub name: String,
    pub run: Run,
    /// When a piece is fetched.
    pub fetch: Fetch,
    pub staged: Vec<Staged>,
}

/// Way in which a loop in order runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Run {
    /// Its iterations are steps of the whole block: loops in order and statements for all points, one after another.
    Steps,
    /// Through, at once: nothing of it is in shared memory.
    Through,
    /// In pieces of so many iterations, which shared memory holds.
    Pieces(i64),
}

/// When a piece of a loop comes to shared memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Fetch {
    /// Before it is computed with: all threads wait for it.
    #[default]
    None,
    /// While the piece before it is computed with, to registers; from there to shared memory behind a barrier.
    Registers,
    /// By asynchronous copies to as many stages: one piece is computed with while the others are under way.
    Async(i64),
}

/// The fewest and the most stages of asynchronous copies.
pub const STAGES: [i64; 2] = [2, MOST_STAGES as i64];

/// A value that a block keeps in shared memory for a piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Staged {
    /// In terms of the counters: `alpha * a[i, k]`.
    pub value: String,
    /// The axes that it depends on.
    pub along: Vec<String>,
}

impl Mapping {
    /// A mapping without axes, loops or lanes.
    pub fn of(strategy: &'static str) -> Mapping {
        Mapping {
            strategy,
            axes: vec![],
            larger: vec![],
            smaller: vec![],
            lanes: None,
            divided: None,
            staged: vec![],
            loops: vec![],
            unroll: None,
            notes: vec![],
            variants: vec![],
        }
    }

    /// Number of dimensions of the grid.
    pub fn n_dimensions(&self) -> usize {
        self.axes.iter().filter(|x| matches!(x.place, Place::Grid { .. })).count()
    }

    /// Positions of the axes in each dimension of the grid, the slowest first.
    pub fn collapsed(&self) -> Vec<Vec<usize>> {
        let mut out = vec![vec![]; self.n_dimensions()];
        let mut ranked: Vec<(usize, usize, usize)> = vec![];
        for (i, axis) in self.axes.iter().enumerate() {
            match axis.place {
                Place::Grid { dimension, .. } => ranked.push((dimension, 0, i)),
                Place::Collapsed { dimension, rank } => ranked.push((dimension, rank, i)),
                Place::Flat { .. } | Place::Thread => {}
            }
        }
        ranked.sort_unstable();
        ranked.into_iter().for_each(|(d, _, i)| out[d].push(i));
        out
    }

    /// The axis in a dimension of the grid.
    pub fn in_dimension(&self, d: usize) -> Option<&Axis> {
        self.axes.iter().find(|x| matches!(x.place, Place::Grid { dimension, .. } if dimension == d))
    }

    /// `[threads, merge, skew]` in a dimension of the grid.
    pub fn sizes(&self, d: usize) -> [i64; 3] {
        match self.in_dimension(d).map(|x| x.place) {
            Some(Place::Grid { threads, merge, skew, .. }) => [threads, merge.unwrap_or(1), skew.unwrap_or(1)],
            _ => [1, 1, 1],
        }
    }

    /// Points of a thread in a dimension of the grid: a block apart, and neighbours.
    pub fn points(&self, d: usize) -> [Option<i64>; 2] {
        match self.in_dimension(d).map(|x| x.place) {
            Some(Place::Grid { merge, skew, .. }) => [merge, skew],
            _ => [None, None],
        }
    }

    /// The sizes that a kernel over a grid has: threads and points by dimension, iterations of a piece.
    pub fn tunables(&self) -> Vec<Tunable> {
        self.tunables_with(&self.axes)
    }

    /// The same where the axes have these sizes; none, where there are no axes.
    pub fn tunables_with(&self, axes: &[Axis]) -> Vec<Tunable> {
        if axes.len() != self.axes.len() {
            return vec![];
        }
        let n = self.n_dimensions();
        let sized = Mapping { axes: axes.to_vec(), ..Mapping::of(self.strategy) };
        let tunable = |kind: &str, d: usize, value: i64| Tunable { name: format!("{kind}_{d}"), value };
        let mut out: Vec<Tunable> = (0..n).map(|d| tunable("BLOCK", d, sized.sizes(d)[0])).collect();
        for d in 0..n {
            let points = ["MERGE", "SKEW"].into_iter().zip(sized.points(d));
            out.extend(points.filter_map(|(kind, value)| Some(tunable(kind, d, value?))));
        }
        let depth = self.loops.iter().find_map(|x| if let Run::Pieces(n) = x.run { Some(n) } else { None });
        out.extend(depth.map(|value| Tunable { name: "DEPTH".into(), value }));
        out.extend(self.stages().map(|value| Tunable { name: "STAGES".into(), value }));
        out
    }

    /// The stages of its asynchronous copies.
    pub fn stages(&self) -> Option<i64> {
        self.loops.iter().find_map(|x| if let Fetch::Async(stages) = x.fetch { Some(stages) } else { None })
    }

    /// Threads of a block.
    pub fn threads(&self) -> i64 {
        let lanes = self.lanes.as_ref().map_or(1, |l| l.threads);
        let of = |x: &Axis| match x.place {
            Place::Grid { threads, .. } => threads,
            _ => 1,
        };
        let flat = self.axes.iter().find_map(|x| match x.place {
            Place::Flat { threads, .. } => Some(threads),
            _ => None,
        });
        self.axes.iter().map(of).product::<i64>() * lanes * flat.unwrap_or(1)
    }

    /// The parameter by which loops of a kernel that only read are unrolled, where it has such loops.
    pub fn unroll_of(&self, kernel: &Kernel) -> Option<Tunable> {
        let mut reads = false;
        kernel.body.iter().for_each(|s| s.visit(&mut |s| reads |= s.is_reading_loop()));
        self.unroll.filter(|_| reads).map(|value| Tunable { name: "UNROLL".into(), value })
    }

    /// The text without its notes, a line each.
    pub fn lines(&self) -> Vec<String> {
        let mut told = Mapping { notes: vec![], ..self.clone() };
        told.variants.iter_mut().for_each(|x| x.mapping.notes.clear());
        told.to_string().lines().map(str::to_owned).collect()
    }

    /// Whether a thread may have several points of some axis.
    pub fn has_points(&self) -> bool {
        self.axes.iter().any(|x| matches!(x.place, Place::Grid { merge, skew, .. } if merge.or(skew).is_some()))
    }
}

/// Domain of a size: powers of two up to what serves anyone, and its value.
pub fn domain(name: &str, value: i64) -> Vec<i64> {
    if name == "STAGES" {
        return (STAGES[0]..=STAGES[1]).collect();
    }
    let most = match name.trim_end_matches(|c: char| c == '_' || c.is_ascii_digit()) {
        "MERGE" => 16,
        "SKEW" => 8,
        "DEPTH" | "UNROLL" => 64,
        _ => i64::from(MAX_BLOCK),
    };
    let powers = (0..).map(|k| 1 << k).take_while(|n| *n <= most);
    let mut all: Vec<i64> = powers.chain([value]).collect();
    all.sort_unstable();
    all.dedup();
    all
}

impl Display for Axis {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "axis {}: ", self.name)?;
        let (merge, skew) = match self.place {
            Place::Grid { dimension, threads, merge, skew } => {
                write!(f, "grid {dimension}, threads {threads}")?;
                (merge, skew)
            }
            Place::Collapsed { dimension, rank } => {
                write!(f, "grid {dimension}, collapsed {rank}")?;
                (None, None)
            }
            Place::Flat { threads, merge } => {
                write!(f, "flat, threads {threads}")?;
                (merge, None)
            }
            Place::Thread => {
                write!(f, "thread")?;
                (None, None)
            }
        };
        merge.iter().try_for_each(|n| write!(f, ", merge {n}"))?;
        skew.iter().try_for_each(|n| write!(f, ", skew {n}"))
    }
}

impl Display for Staged {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let along = if self.along.is_empty() { "nothing".into() } else { self.along.join(" and ") };
        write!(f, "stage {} along {along}", self.value)
    }
}

impl Display for Mapping {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        writeln!(f, "{}", self.strategy)?;
        self.axes.iter().try_for_each(|x| writeln!(f, "  {x}"))?;
        self.larger.iter().try_for_each(|x| writeln!(f, "  larger {x}"))?;
        self.smaller.iter().try_for_each(|x| writeln!(f, "  smaller {x}"))?;
        if let Some(Lanes { threads, dimension, loops }) = &self.lanes {
            writeln!(f, "  lanes {}: dimension {dimension}, threads {threads}", loops.join(" and "))?;
        }
        if let Some(Divided { elements, lanes, dimension, blocks, iterations }) = &self.divided {
            let block = format!("elements {elements}, lanes {lanes} in dimension {dimension}");
            writeln!(f, "  where few: {block}, iterations {iterations}, blocks {blocks}")?;
        }
        self.staged.iter().try_for_each(|x| writeln!(f, "  {x}"))?;
        for Pieces { name, run, fetch, staged } in &self.loops {
            match run {
                Run::Pieces(n) => writeln!(f, "  loop {name}: pieces of {n}{fetch}")?,
                Run::Through => writeln!(f, "  loop {name}: around the points")?,
                Run::Steps => writeln!(f, "  loop {name}: steps of the block")?,
            }
            staged.iter().try_for_each(|x| writeln!(f, "    {x}"))?;
        }
        if let Some(n) = self.unroll {
            writeln!(f, "  unroll {n}")?;
        }
        self.notes.iter().try_for_each(|note| writeln!(f, "  note {note}"))?;
        for Variant { when, mapping } in &self.variants {
            writeln!(f, "  where {when}")?;
            mapping.to_string().lines().try_for_each(|line| writeln!(f, "    {line}"))?;
        }
        Ok(())
    }
}

impl Display for Fetch {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match self {
            Fetch::None => Ok(()),
            Fetch::Registers => f.write_str(", fetch registers"),
            Fetch::Async(stages) => write!(f, ", fetch async {stages}"),
        }
    }
}

impl Mapping {
    /// Reads the text of a mapping; `strategies` are the names that there are.
    ///
    /// # Errors
    /// The line that is none of a mapping.
    pub fn parse(text: &str, strategies: &[&'static str]) -> Result<Mapping, String> {
        let mut lines = text.lines().filter(|line| !line.trim().is_empty());
        let first = lines.next().unwrap_or_default().trim();
        let named = |name: &str| {
            let strategy = strategies.iter().find(|s| **s == name);
            Ok::<_, String>(Mapping::of(strategy.ok_or_else(|| format!("`{name}` is no strategy"))?))
        };
        let mut mapping = named(first)?;
        while let Some(line) = lines.next().map(str::trim) {
            // What stands behind the line of a variant belongs to its mapping.
            if let Some(when) = line.strip_prefix("where ").and_then(parse_when) {
                let strategy = lines.next().unwrap_or_default().trim();
                mapping.variants.push(Variant { when, mapping: named(strategy)? });
                continue;
            }
            let of = match mapping.variants.as_mut_slice() {
                [.., last] => &mut last.mapping,
                [] => &mut mapping,
            };
            of.line(line).ok_or_else(|| format!("`{line}` is no line of a mapping"))?;
        }
        Ok(mapping)
    }

    fn line(&mut self, line: &str) -> Option<()> {
        let (word, rest) = line.split_once(' ')?;
        match word {
            "axis" => self.axes.push(parse_axis(rest)?),
            "larger" => self.larger.push(parse_axis(rest.strip_prefix("axis ")?)?),
            "smaller" => self.smaller.push(parse_axis(rest.strip_prefix("axis ")?)?),
            "lanes" => {
                let (names, sizes) = rest.split_once(": ")?;
                let (dimension, threads) = sizes.strip_prefix("dimension ")?.split_once(", threads ")?;
                let loops = names_of(names);
                self.lanes = Some(Lanes { threads: threads.parse().ok()?, dimension: dimension.parse().ok()?, loops });
            }
            "where" => {
                let mut sizes = [0; 5];
                let words = ["few: elements ", ", lanes ", " in dimension ", ", iterations ", ", blocks "];
                let mut left = rest;
                for k in 0..5 {
                    left = left.strip_prefix(words[k])?;
                    let end = words.get(k + 1).map_or(Some(left.len()), |next| left.find(next))?;
                    sizes[k] = left[..end].parse().ok()?;
                    left = &left[end..];
                }
                let [elements, lanes, dimension, iterations, blocks] = sizes;
                let dimension = usize::try_from(dimension).ok()?;
                self.divided = Some(Divided { elements, lanes, dimension, blocks, iterations });
            }
            "loop" => {
                let (name, run) = rest.split_once(": ")?;
                let (run, fetch) = match run {
                    "steps of the block" => (Run::Steps, Fetch::None),
                    "around the points" => (Run::Through, Fetch::None),
                    run => parse_pieces(run.strip_prefix("pieces of ")?)?,
                };
                self.loops.push(Pieces { name: name.into(), run, fetch, staged: vec![] });
            }
            "stage" => {
                let (value, along) = rest.rsplit_once(" along ")?;
                let along = if along == "nothing" { vec![] } else { names_of(along) };
                let staged = Staged { value: value.into(), along };
                self.loops.last_mut().map_or(&mut self.staged, |x| &mut x.staged).push(staged);
            }
            "unroll" => self.unroll = Some(rest.parse().ok()?),
            "note" => self.notes.push(rest.into()),
            _ => return None,
        }
        Some(())
    }
}

fn names_of(text: &str) -> Vec<String> {
    text.split(" and ").map(str::to_owned).collect()
}

fn parse_when(text: &str) -> Option<When> {
    if text == "idle" {
        return Some(When::Idle);
    }
    let sizes = text.strip_prefix("short: elements ")?;
    let (elements, iterations) = sizes.split_once(", iterations ").map_or((sizes, None), |(n, most)| (n, Some(most)));
    let iterations = iterations.map(str::parse).transpose().ok()?;
    Some(When::Short { iterations, elements: elements.parse().ok()? })
}

fn parse_axis(text: &str) -> Option<Axis> {
    let (name, place) = text.split_once(": ")?;
    Some(Axis { name: name.into(), place: parse_place(place)? })
}

fn parse_pieces(text: &str) -> Option<(Run, Fetch)> {
    let (depth, fetch) = text.split_once(", fetch ").map_or((text, None), |(depth, fetch)| (depth, Some(fetch)));
    let fetch = match fetch {
        None => Fetch::None,
        Some("registers") => Fetch::Registers,
        Some(fetch) => Fetch::Async(fetch.strip_prefix("async ")?.parse().ok()?),
    };
    Some((Run::Pieces(depth.parse().ok()?), fetch))
}

fn parse_place(text: &str) -> Option<Place> {
    let mut words = text.split(", ");
    let first = words.next()?;
    let mut sizes = [None; 4];
    for word in words {
        let (name, n) = word.split_once(' ')?;
        let at = ["threads", "merge", "skew", "collapsed"].iter().position(|known| *known == name)?;
        sizes[at] = Some(n.parse().ok()?);
    }
    let [threads, merge, skew, rank] = sizes;
    match first.split_once(' ') {
        Some(("grid", d)) if let Some(rank) = rank => {
            Some(Place::Collapsed { dimension: d.parse().ok()?, rank: usize::try_from(rank).ok()? })
        }
        Some(("grid", d)) => Some(Place::Grid { dimension: d.parse().ok()?, threads: threads?, merge, skew }),
        None if first == "flat" => Some(Place::Flat { threads: threads?, merge }),
        None if first == "thread" => Some(Place::Thread),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn place() -> impl Strategy<Value = Place> {
        let points = || proptest::option::of(1..9i64);
        prop_oneof![
            (0..3usize, 1..64i64, points(), points()).prop_map(|(dimension, threads, merge, skew)| Place::Grid {
                dimension,
                threads,
                merge,
                skew
            }),
            (0..3usize, 1..4usize).prop_map(|(dimension, rank)| Place::Collapsed { dimension, rank }),
            (1..64i64, points()).prop_map(|(threads, merge)| Place::Flat { threads, merge }),
            Just(Place::Thread),
        ]
    }

    fn axis((name, place): (String, Place)) -> Axis {
        Axis { name, place }
    }

    fn fetch() -> impl Strategy<Value = Fetch> {
        prop_oneof![Just(Fetch::None), Just(Fetch::Registers), (2..9i64).prop_map(Fetch::Async)]
    }

    fn run() -> impl Strategy<Value = (Run, Fetch)> {
        prop_oneof![
            Just((Run::Steps, Fetch::None)),
            Just((Run::Through, Fetch::None)),
            (4..64i64, fetch()).prop_map(|(n, fetch)| (Run::Pieces(n), fetch)),
        ]
    }

    fn variant() -> impl Strategy<Value = Variant> {
        let when = prop_oneof![
            Just(When::Idle),
            (proptest::option::of(1..64i64), 1..64i64)
                .prop_map(|(iterations, elements)| When::Short { iterations, elements }),
        ];
        (when, proptest::collection::vec(("[a-z]{1,3}", place()), 0..4)).prop_map(|(when, axes)| {
            let axes = axes.into_iter().map(axis).collect();
            Variant { when, mapping: Mapping { axes, ..Mapping::of("product") } }
        })
    }

    prop_compose! {
        fn mapping()(
            axes in proptest::collection::vec(("[a-z]{1,3}", place()), 0..4),
            larger in proptest::collection::vec(("[a-z]{1,3}", place()), 0..4),
            smaller in proptest::collection::vec(("[a-z]{1,3}", place()), 0..4),
            lanes in proptest::option::of((1..64i64, 0..2usize, proptest::collection::vec("[a-z]", 1..3))),
            divided in proptest::option::of((1..64i64, 1..64i64, 0..2usize, 1..64i64, 1..64i64)),
            staged in proptest::collection::vec("[a-z]", 0..3),
            loops in proptest::collection::vec(("[a-z]", run(), proptest::collection::vec("[a-z]", 0..3)), 0..3),
            unroll in proptest::option::of(2..32i64),
            notes in proptest::collection::vec("[a-z]{1,9}", 0..2),
            variants in proptest::collection::vec(variant(), 0..2),
        ) -> Mapping {
            Mapping {
                strategy: "product",
                axes: axes.into_iter().map(axis).collect(),
                larger: larger.into_iter().map(axis).collect(),
                smaller: smaller.into_iter().map(axis).collect(),
                lanes: lanes.map(|(threads, dimension, loops)| Lanes { threads, dimension, loops }),
                divided: divided.map(|(elements, lanes, dimension, blocks, iterations)| {
                    Divided { elements, lanes, dimension, blocks, iterations }
                }),
                staged: staged.into_iter().map(|x| Staged { value: format!("a[{x}]"), along: vec![x] }).collect(),
                loops: loops.into_iter().map(|(name, (run, fetch), along)| {
                    let staged = vec![Staged { value: format!("a[{name}] * 2.0"), along }];
                    Pieces { name, run, fetch, staged }
                }).collect(),
                unroll,
                notes,
                variants,
            }
        }
    }

    proptest! {
        #[test]
        fn what_is_printed_reads_back(mapping in mapping()) {
            prop_assert_eq!(Mapping::parse(&mapping.to_string(), &["product"]), Ok(mapping));
        }
    }

    #[test]
    fn what_is_no_mapping_is_told() {
        let parse = |text| Mapping::parse(text, &["pointwise"]);
        assert_eq!(parse("other"), Err("`other` is no strategy".into()));
        assert_eq!(parse("pointwise\n  axis i: sideways"), Err("`axis i: sideways` is no line of a mapping".into()));
        assert_eq!(parse("pointwise\n  stage a of i"), Err("`stage a of i` is no line of a mapping".into()));
    }
}
