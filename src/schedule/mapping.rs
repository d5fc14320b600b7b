//! The mapping of a kernel: where each loop of a nest runs, in what pieces, and what of it lies in faster memory.
//!
//! A mapping is a value: a strategy proposes it ([`strategies`](super::strategies)), the user's words change it
//! ([`request`](super::request)), one lowering realises it ([`kernels`](super::kernels)), and nothing else decides what a
//! kernel looks like. It prints, and [`parse`](Mapping::parse) reads the same text back:
//! ```text
//! product
//!   axis i: grid 0, threads 8, skew 8
//!   axis j: grid 1, threads 16, merge 4
//!   loop k: pieces of 16, fetch registers
//!     stage alpha * a[i, k] along i
//!     stage b[k, j] along j
//! ```
//! ```text
//! histogram
//!   axis i: flat, threads 512, skew 16
//!   copies 32 of h in shared memory, cells 8192
//! ```
//! A piece is fetched while the one before it is computed with, where the loop says `fetch`: see [`Fetch`].
//! Its iterations are computed by products of matrices that a warp holds, where it says `mma`: see
//! [`mma`](crate::kernel::mma).
//! Merge and skew are RT-CUDA's words (section 3.2): a thread has `merge` points a block apart, or `skew` points that are
//! neighbours. The names are those of the user's counters; what a name cannot tell apart, the position does: the axes are
//! those of the nest, in its order.

use crate::config::{Calls, MOST_STAGES};
use crate::kernel::mma::MmaShape;
use crate::kernel::{Kernel, RESIDENT, Tunable};
use crate::target::MAX_BLOCK;

mod sizes;
mod text;

/// How a kernel runs a nest.
#[derive(Debug, Clone, PartialEq)]
pub struct Mapping {
    /// The strategy that proposed it.
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
    /// Copies that a block has of the elements that it updates: the first that hold them all at a call, if any do.
    pub copies: Vec<Copies>,
    /// Elements that a block has in shared memory around its points.
    pub staged: Vec<Staged>,
    /// The loops in order that run in pieces.
    pub loops: Vec<Pieces>,
    /// How many iterations of loops that only read are under way at once, where there are such loops; of the last loop that
    /// has a window, those for which a thread loads what it reads at once.
    pub unroll: Option<i64>,
    /// Blocks of a processor that the registers of a thread must leave room for, where that is not left to the compiler.
    pub resident: Option<i64>,
    /// Flag: the grid begins where a sector of memory does, before the first iteration of its last axis.
    pub aligned: bool,
    /// Remarks: transformations that were not made, and why.
    pub notes: Vec<String>,
    /// Other mappings, for calls with other sizes.
    pub variants: Vec<Variant>,
    /// Mappings that the user gives for some calls: where it would be taken, the first of these that holds is instead.
    pub rows: Vec<Row>,
}

/// A mapping of the same nest, for the calls that the user gives it for.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub calls: Calls,
    pub mapping: Mapping,
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
    /// There are at least so many elements, with hardly a thread without one, and the loops that have windows have together
    /// at least so many iterations.
    Long { iterations: i64, elements: i64 },
    /// There are fewer elements than that: what a thread waits for takes longest, and not what all threads load.
    Waiting { elements: i64 },
    /// There are fewer elements than that, and the loops of each that lanes share have at least so many iterations.
    Blockwise { iterations: i64, elements: i64 },
    /// There are at least so many elements for each iteration of the loops that lanes share, which have at most so many: so few
    /// lanes suffice.
    Narrow { lanes: i64, iterations: i64, elements: i64 },
}

impl When {
    /// The word that kernels of such a variant have in their names.
    pub fn word(self) -> &'static str {
        match self {
            When::Idle => "flat",
            When::Short { .. } => "short",
            When::Long { .. } => "long",
            When::Waiting { .. } => "waiting",
            When::Blockwise { .. } => "blockwise",
            When::Narrow { lanes: 4, .. } => "lanes4",
            When::Narrow { lanes: 8, .. } => "lanes8",
            When::Narrow { .. } => "narrow",
        }
    }

    /// What is said of kernels of such a variant.
    pub fn note(self) -> &'static str {
        match self {
            When::Idle => "for calls in which most threads of the usual blocks would have no point",
            When::Short { iterations: None, .. } => "for calls with threads enough without sharing loops",
            When::Short { .. } => "for calls with short loops, and threads enough without sharing them",
            When::Long { .. } => "for calls with many elements whose loops are long",
            When::Waiting { .. } => "for calls with so few threads that what each waits for takes longest",
            When::Blockwise { .. } => "for calls with few elements and long loops",
            When::Narrow { .. } => "for calls with many elements and loops too short for a warp",
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
    Flat { threads: i64, merge: Option<i64>, skew: Option<i64> },
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

/// Copies of arrays in the shared memory of a block, which its threads update in the arrays' place; what they come to is
/// joined to the arrays in the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copies {
    pub arrays: Vec<String>,
    /// The most copies of an element, each for some of the threads.
    pub most: i64,
    /// Elements of each array that there is room for, all copies together.
    pub cells: i64,
}

/// A loop in order around the points of a thread.
#[derive(Debug, Clone, PartialEq)]
pub struct Pieces {
    /// Its counter.
    pub name: String,
    pub run: Run,
    /// When a piece is fetched.
    pub fetch: Fetch,
    /// The products of matrices that a warp's threads compute its iterations by, where each does not add for itself.
    pub mma: Option<MmaShape>,
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
    /// In pieces of so many iterations, with a window in shared memory around what the points of a block read in them.
    Window(i64),
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

/// The most elements that a block has copies of, all copies together.
const MOST_CELLS: i64 = 1 << 15;

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
            copies: vec![],
            staged: vec![],
            loops: vec![],
            unroll: None,
            resident: None,
            aligned: false,
            notes: vec![],
            variants: vec![],
            rows: vec![],
        }
    }

    /// The same without other kernels for other calls.
    pub fn alone(self) -> Mapping {
        Mapping { divided: None, variants: vec![], rows: vec![], ..self }
    }

    /// The mappings of the other kernels of its nest, below a name each: `rt_f_0_k0_flat`, `rt_f_0_k0_at0`.
    pub fn others_of(&self, name: &str) -> Vec<(String, &Mapping)> {
        let rows = self.rows.iter().enumerate().map(|(at, row)| (row_of(name, at), &row.mapping));
        let variants = self.variants.iter().map(|x| (format!("{name}_{}", x.when.word()), &x.mapping));
        rows.chain(variants).flat_map(|(name, x)| [vec![(name.clone(), x)], x.others_of(&name)].concat()).collect()
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

    /// Threads of a block and points of a thread in a dimension of the grid; flat axes have the first. `None` where there is no
    /// such dimension.
    fn in_dimension(&self, d: usize) -> Option<(i64, [Option<i64>; 2])> {
        self.axes.iter().find_map(|x| match x.place {
            Place::Grid { dimension, threads, merge, skew } if dimension == d => Some((threads, [merge, skew])),
            Place::Flat { threads, merge, skew } if d == 0 => Some((threads, [merge, skew])),
            _ => None,
        })
    }

    /// `[threads, merge, skew]` in a dimension of the grid.
    pub fn sizes(&self, d: usize) -> [i64; 3] {
        let (threads, points) = self.in_dimension(d).unwrap_or((1, [None; 2]));
        let [merge, skew] = points.map(|n| n.unwrap_or(1));
        [threads, merge, skew]
    }

    /// Points of a thread in a dimension of the grid: a block apart, and neighbours.
    pub fn points(&self, d: usize) -> [Option<i64>; 2] {
        self.in_dimension(d).map_or([None; 2], |(_, points)| points)
    }

    /// Test that all axes share one position, which all threads of the grid share out.
    pub fn is_flat(&self) -> bool {
        self.axes.iter().any(|x| matches!(x.place, Place::Flat { .. }))
    }

    /// Test that a block runs points of its threads piece by piece: several of a thread, or loops and elements that it shares.
    pub fn has_tiles(&self) -> bool {
        self.has_points() || !self.loops.is_empty() || !self.staged.is_empty()
    }

    /// The sizes that a kernel has: threads and points by dimension, iterations of a piece.
    pub fn tunables(&self) -> Vec<Tunable> {
        self.tunables_with(&self.axes)
    }

    /// The same where the axes have these sizes; none, where there are no axes.
    pub fn tunables_with(&self, axes: &[Axis]) -> Vec<Tunable> {
        if axes.len() != self.axes.len() {
            return vec![];
        }
        let n = self.n_dimensions().max(usize::from(self.is_flat()));
        let sized = Mapping { axes: axes.to_vec(), ..Mapping::of(self.strategy) };
        let tunable = |kind: &str, d: usize, value: i64| Tunable { name: format!("{kind}_{d}"), value };
        let mut out: Vec<Tunable> = (0..n).map(|d| tunable("BLOCK", d, sized.sizes(d)[0])).collect();
        for d in 0..n {
            let points = ["MERGE", "SKEW"].into_iter().zip(sized.points(d));
            out.extend(points.filter_map(|(kind, value)| Some(tunable(kind, d, value?))));
        }
        let depth = self.loops.iter().find_map(|x| if let Run::Pieces(n) = x.run { Some(n) } else { None });
        out.extend(depth.map(|value| Tunable { name: "DEPTH".into(), value }));
        let windows: Vec<i64> =
            self.loops.iter().filter_map(|x| if let Run::Window(n) = x.run { Some(n) } else { None }).collect();
        out.extend(windows.iter().enumerate().map(|(t, n)| tunable("WINDOW", t, *n)));
        let step = self.unroll.filter(|_| !windows.is_empty());
        out.extend(step.map(|value| Tunable { name: "STEP".into(), value }));
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
        let mut told = self.clone();
        told.forget_notes();
        told.to_string().lines().map(str::to_owned).collect()
    }

    fn forget_notes(&mut self) {
        self.notes.clear();
        self.variants.iter_mut().map(|x| &mut x.mapping).for_each(Mapping::forget_notes);
        self.rows.iter_mut().map(|x| &mut x.mapping).for_each(Mapping::forget_notes);
    }

    /// Test that a thread may have several points of some axis.
    pub fn has_points(&self) -> bool {
        self.axes.iter().any(|x| matches!(x.place, Place::Grid { merge, skew, .. } if merge.or(skew).is_some()))
    }
}

/// The name of the kernel of a row, beside that of the kernel whose place it takes.
pub fn row_of(name: &str, at: usize) -> String {
    format!("{name}_at{at}")
}

/// Most blocks of a processor that registers may be asked to leave room for.
pub const MOST_RESIDENT: i64 = 16;

/// Domain of a size: powers of two up to what serves anyone, and its value; of stages and of resident blocks every number.
pub fn domain(name: &str, value: i64) -> Vec<i64> {
    match name {
        "STAGES" => return (STAGES[0]..=STAGES[1]).collect(),
        RESIDENT => return (0..=MOST_RESIDENT).collect(),
        _ => {}
    }
    let most = match name.trim_end_matches(|c: char| c == '_' || c.is_ascii_digit()) {
        "MERGE" => 16,
        "SKEW" | "STEP" => 8,
        "DEPTH" | "UNROLL" | "WINDOW" => 64,
        "CELLS" => MOST_CELLS,
        _ => i64::from(MAX_BLOCK),
    };
    let powers = (0..).map(|k| 1 << k).take_while(|n| *n <= most);
    let mut all: Vec<i64> = powers.chain([value]).collect();
    all.sort_unstable();
    all.dedup();
    all
}
