//! How large the tiles of a kernel are where nobody tunes them.
//!
//! Two dimensions: 64 x 64 points a block, 64 threads of 8 x 8 points each. A thread then loads 16 values for 64 results,
//! which a processor's shared memory feeds without being what it waits for (an SM of compute capability 9.0 delivers 16
//! doubles a cycle and multiplies 64), holds its results in at most 128 registers of 32 bits, and leaves room for four
//! blocks an SM. Smaller where the sizes are known and the grid would leave processors idle; where they are not, a call
//! picks: 64 x 128 points of 4 bytes, or 32 x 32, as the processors share them (`fills` of `templates/runtime/rt_positions.h`).
//!
//! Products on an H100 (microseconds; copies a stage ahead, the loop unrolled; threads x points):
//!
//! | | 8 x 16, 4 x 2 | 8 x 16, 8 x 4 | 8 x 8, 8 x 8 | 8 x 16, 8 x 8 | 16 x 16, 8 x 8 |
//! | --- | --- | --- | --- | --- | --- |
//! | f32, 1024², 4096² | 101, 5994 | 67, 3704 | 64, 2978 | 60, 2829 | 107, 2914 |
//! | f64, 1024², 4096² | 181, 10633 | 113, 6360 | 101, 5573 | | |
//!
//! Where each result is of two products, a thread loads twice as many values: 8 x 8 doubles take 254 registers. SYR2K of 1200 x 1000
//! on an H200: 539 microseconds so, 327 by 8 x 16 threads of 4 x 8, 438 by 16 x 8 threads.
//!
//! By matrices (see [`matrices`](super::matrices)), microseconds of squares of doubles on an H200, and of triangles (`c[i][j] += a[i][k] *
//! a[j][k]` for `j <= i`), by points of a block, its warps and the iterations of a piece:
//!
//! | points, warps, piece | 512 | 768 | 1000 | 1200 | 1408 | 1536 | 2048 | 3000 | 4096 | triangle of 1000 | 1536 | 2048 | 3000 |
//! | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
//! | 64 x 64, 2, 16 | 32 | 47 | 73 | 125 | 126 | 211 | 341 | 1182 | 2574 | 70 | 137 | 329 | 757 |
//! | 64 x 64, 4, 16 | 23 | 47 | 73 | 112 | 138 | 179 | 358 | 1163 | | 63 | 143 | 193 | 627 |
//! | 32 x 32, 2, 16 | 18 | 36 | 101 | 121 | 191 | 215 | 557 | 1899 | | 53 | 132 | 279 | 1026 |
//! | 64 x 64, 4, 32 | 25 | 44 | 64 | 102 | 139 | 180 | 357 | 1135 | 2771 | 62 | 117 | 196 | 624 |
//! | 64 x 32, 4, 32 | 18 | 39 | 69 | 108 | 148 | 177 | 393 | 1402 | | 65 | 122 | 214 | 715 |
//! | 32 x 32, 2, 32 | 16 | 36 | 92 | 116 | 181 | 207 | 489 | 1792 | | 58 | 136 | 279 | 883 |
//!
//! Four blocks of two warps keep a processor busy as long as one does: where there are four for each, or many, they lead by 5 %, and
//! where there are five, they take a third longer. Blocks of four warps have no such steps. Pieces of 32 gain up to a tenth, and
//! take more shared memory than a block has without asking for it, which takes a first launch 50 microseconds: they are left to the
//! tuner. On an H100, at 4096², blocks of 128 x 64 wait longer at each barrier than 64 x 64 (2731 and 2520), a third stage gains nothing
//! (2578), pieces of 8 lose (2789). A triangle, or rows of other lengths, leave blocks uneven, which few of them do not level out.

use super::super::block::Block;

/// Points of a block along a dimension that is spread over threads and registers.
const SIDE: i64 = 64;
/// The fewest, where more blocks are wanted.
const LEAST_SIDE: i64 = 16;
/// Threads of such a block, and of one with more or fewer points, or as many as the user asks for.
const THREADS: [i64; 2] = [8, 8];
const OTHER_THREADS: [i64; 2] = [8, 16];
/// Points of a thread that loads for several products.
const POINTS_OF_SEVERAL: [i64; 2] = [4, 8];
/// The same where a thread has one point.
const UNMERGED: [i64; 2] = [16, 16];
/// Threads of a block that multiplies matrices, and the points of each: the usual ones, and in the place of larger and smaller ones.
const MATRICES: [[i64; 2]; 2] = [[32, 4], [2, 16]];
const MATRICES_OF_MANY: [[i64; 2]; 2] = [[16, 4], [4, 16]];
const MATRICES_OF_FEW: [[i64; 2]; 2] = [[16, 4], [2, 8]];
/// Registers that a thread can have.
const MOST_REGISTERS: i64 = 256;
/// Most points of a thread along a dimension.
const MOST_MERGED: i64 = 8;
/// Iterations of the loop that shared memory holds at a time, by number of spread dimensions.
const DEPTH: [i64; 2] = [32, 16];
/// The fewest.
const LEAST_DEPTH: i64 = 4;
/// Bytes of shared memory that a block may have without asking.
pub const SHARED: i64 = 48 * 1024;
/// Processors (SMs) that a grid should fill: those of an H200.
const PROCESSORS: i64 = 132;

/// What is known of a kernel when its sizes are chosen.
pub struct Wanted<'a> {
    /// Iterations of each dimension, where they are known.
    pub counts: Vec<Option<i64>>,
    /// Dimensions of which a block has more than one point.
    pub spread: &'a [usize],
    /// Those of which a thread may have more than one.
    pub merged: &'a [usize],
    /// How many a thread is asked to have, by dimension.
    pub points: Option<Vec<i64>>,
    /// Flag: a loop runs around the points.
    pub has_loops: bool,
    /// Registers (32 bits) that each point takes.
    pub registers: i64,
    /// Arrays that a point's loop takes from shared memory, beside two for each result.
    pub further: i64,
    /// The loop's iterations, where they are known.
    pub trip: Option<i64>,
    /// Flag: only about half of the blocks have work.
    pub is_triangular: bool,
}

impl Wanted<'_> {
    /// Test that a thread of as many points as there may be loads for several products more than its registers hold.
    fn is_of_several(&self) -> bool {
        let values = MOST_MERGED * MOST_MERGED + 2 * MOST_MERGED * (1 + self.further / 2);
        self.further > 1 && values * self.registers > MOST_REGISTERS / 2
    }
}

/// The sizes of a kernel, and those that a call takes instead: larger ones where they leave no processor idle, smaller
/// ones where these would.
pub struct Choice {
    pub usual: Sizes,
    pub larger: Option<Sizes>,
    pub smaller: Option<Sizes>,
}

/// The sizes of a kernel, by dimension.
#[derive(Debug, Clone, PartialEq)]
pub struct Sizes {
    pub block: Vec<i64>,
    pub merge: Vec<i64>,
    pub depth: i64,
}

impl Sizes {
    /// The sizes for blocks as they are asked for. `bytes` gives what the shared arrays take.
    ///
    /// `None` where they do not fit.
    pub fn of(wanted: &Wanted, asked: &Block, bytes: &dyn Fn(&Sizes) -> i64) -> Option<Sizes> {
        let n = wanted.counts.len();
        let mut block = vec![1; n];
        match (asked, wanted.spread) {
            _ if !wanted.has_loops => block = asked.extents(n),
            (Block::Usual | Block::UsualLong, [x, y]) => {
                let usual = match &wanted.points {
                    _ if wanted.merged.is_empty() => UNMERGED,
                    Some(_) => OTHER_THREADS,
                    None if wanted.is_of_several() => OTHER_THREADS,
                    None => THREADS,
                };
                (block[*x], block[*y]) = (usual[0], usual[1]);
            }
            (Block::Usual, _) => block = Block::UsualLong.extents(n),
            _ => block = asked.extents(n),
        }
        let mut sizes = Sizes { merge: vec![1; n], depth: DEPTH[wanted.spread.len().clamp(1, 2) - 1], block };
        match &wanted.points {
            Some(points) => sizes.merge.clone_from(points),
            None => sizes.serve(wanted),
        }
        if let Some(trip) = wanted.trip {
            sizes.depth = sizes.depth.min((trip.max(1) as u64).next_power_of_two() as i64);
        }
        while bytes(&sizes) > SHARED && sizes.depth > LEAST_DEPTH {
            sizes.depth /= 2;
        }
        (bytes(&sizes) <= SHARED).then_some(sizes)
    }

    /// The sizes, with those that a call may take instead where nobody asks for any.
    pub fn choice(wanted: &Wanted, asked: &Block, bytes: &dyn Fn(&Sizes) -> i64) -> Option<Choice> {
        let usual = Sizes::of(wanted, asked, bytes)?;
        let alone = |usual| Some(Choice { usual, larger: None, smaller: None });
        let [x, y] = *wanted.merged else { return alone(usual) };
        let is_usual =
            wanted.has_loops && wanted.points.is_none() && *asked == Block::Usual && wanted.merged == wanted.spread;
        if !is_usual || [x, y].map(|d| usual.side(d)) != [SIDE, SIDE] {
            return alone(usual);
        }
        let with = |threads: [i64; 2], points: [i64; 2]| {
            let mut sizes = usual.clone();
            (sizes.block[x], sizes.block[y]) = (threads[0], threads[1]);
            (sizes.merge[x], sizes.merge[y]) = (points[0], points[1]);
            sizes
        };
        let larger = with(OTHER_THREADS, [MOST_MERGED, MOST_MERGED]);
        let smaller = with(OTHER_THREADS, [4, 2]);
        let has = |s: &Sizes| s.blocks(wanted).is_none_or(|n| n >= PROCESSORS);
        let larger = (wanted.registers == 1 && has(&larger) && bytes(&larger) <= SHARED).then_some(larger);
        let smaller = usual.blocks(wanted).is_none_or(|n| n < PROCESSORS).then_some(smaller);
        Some(Choice { usual, larger, smaller })
    }

    /// The sizes of products by matrices of rows and columns along these dimensions: blocks of four warps, each with 16 x 64
    /// points; where there are as many of them as processors run at once, of two with 32 x 64; where they would leave processors
    /// idle, of two with 16 x 32. `None` where it is known that they would.
    pub fn of_matrices(wanted: &Wanted, [rows, columns]: [usize; 2], bytes: &dyn Fn(&Sizes) -> i64) -> Option<Choice> {
        let n = wanted.counts.len();
        let with = |[threads, points]: [[i64; 2]; 2]| {
            let mut sizes = Sizes { block: vec![1; n], merge: vec![1; n], depth: DEPTH[1] };
            (sizes.block[rows], sizes.block[columns]) = (threads[0], threads[1]);
            (sizes.merge[rows], sizes.merge[columns]) = (points[0], points[1]);
            sizes
        };
        let usual = with(MATRICES);
        let blocks = usual.blocks(wanted);
        let is_large = blocks.is_none_or(|n| n >= PROCESSORS) && wanted.trip.is_none_or(|n| n >= usual.depth);
        let smaller = blocks.is_none().then(|| with(MATRICES_OF_FEW));
        let larger = Some(with(MATRICES_OF_MANY));
        (is_large && bytes(&usual) <= SHARED).then_some(Choice { usual, larger, smaller })
    }

    /// As many points of a thread as its registers and the processors allow.
    fn serve(&mut self, wanted: &Wanted) {
        for &d in wanted.merged {
            self.merge[d] = (SIDE / self.block[d]).clamp(1, MOST_MERGED);
        }
        if let [x, y] = *wanted.merged
            && wanted.is_of_several()
            && [self.block[x], self.block[y]] == OTHER_THREADS
        {
            (self.merge[x], self.merge[y]) = (POINTS_OF_SEVERAL[0], POINTS_OF_SEVERAL[1]);
        }
        self.fit_registers(wanted);
        self.fill_processors(wanted);
    }

    /// Points of a block along a dimension.
    pub fn side(&self, d: usize) -> i64 {
        self.block[d] * self.merge[d]
    }

    /// A thread's results and what it loads for them take at most half of what the block's threads can have.
    fn fit_registers(&mut self, wanted: &Wanted) {
        let threads: i64 = self.block.iter().product();
        let most = (64 * 1024 / threads.max(1)).min(MOST_REGISTERS) / 2;
        while self.merge.iter().product::<i64>() * wanted.registers > most
            && let Some(d) = self.widest(wanted)
        {
            self.merge[d] /= 2;
        }
    }

    /// Blocks that have work, where that is known.
    fn blocks(&self, wanted: &Wanted) -> Option<i64> {
        let counts = wanted.counts.iter().copied().collect::<Option<Vec<i64>>>()?;
        let along = |d: usize| (counts[d].max(1) + self.side(d) - 1) / self.side(d);
        let share = if wanted.is_triangular { 2 } else { 1 };
        Some((0..counts.len()).map(along).fold(1, i64::saturating_mul) / share)
    }

    fn fill_processors(&mut self, wanted: &Wanted) {
        while self.blocks(wanted).is_some_and(|n| n < PROCESSORS)
            && let Some(d) = self.widest(wanted).filter(|d| self.side(*d) > LEAST_SIDE)
        {
            self.merge[d] /= 2;
        }
    }

    /// The dimension of which a thread has most points.
    fn widest(&self, wanted: &Wanted) -> Option<usize> {
        wanted.merged.iter().copied().filter(|d| self.merge[*d] > 1).max_by_key(|d| self.merge[*d])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(counts: [Option<i64>; 2], registers: i64, asked: &Block) -> Sizes {
        let spread = [0, 1];
        let counts = counts.to_vec();
        let wanted = Wanted {
            counts,
            spread: &spread,
            merged: &spread,
            points: None,
            has_loops: true,
            registers,
            further: 0,
            trip: None,
            is_triangular: false,
        };
        Sizes::of(&wanted, asked, &|s| s.depth * (s.side(0) + s.side(1)) * 8).unwrap()
    }

    #[test]
    fn usual_sizes() {
        let s = sizes([None, None], 2, &Block::Usual);
        assert_eq!((s.block, s.merge, s.depth), (vec![8, 8], vec![8, 8], 16));
    }

    #[test]
    fn small_known_sizes_are_spread_over_more_blocks() {
        assert_eq!(sizes([Some(1000), Some(1100)], 2, &Block::Usual).merge, [8, 8]);
        assert_eq!(sizes([Some(200), Some(200)], 2, &Block::Usual).merge, [2, 2]);
    }

    #[test]
    fn two_products_a_result_leave_registers_for_fewer_points() {
        let of = |registers, further| {
            let (counts, spread) = (vec![None, None], [0, 1]);
            let (trip, points) = (None, None);
            let wanted = Wanted {
                counts,
                spread: &spread,
                merged: &spread,
                points,
                has_loops: true,
                registers,
                further,
                trip,
                is_triangular: false,
            };
            let s = Sizes::of(&wanted, &Block::Usual, &|s| s.depth * (s.side(0) + s.side(1)) * 16).unwrap();
            (s.block, s.merge)
        };
        assert_eq!(of(2, 2), (vec![8, 16], vec![4, 8]));
        assert_eq!((of(1, 2), of(2, 1)), (of(1, 0), of(2, 0)));
    }

    #[test]
    fn blocks_of_the_users_keep_their_size() {
        let s = sizes([None, None], 2, &Block::Extents(vec![32, 32]));
        assert_eq!((s.block, s.merge), (vec![32, 32], vec![2, 2]));
        let s = sizes([None, None], 8, &Block::Extents(vec![32, 32]));
        assert_eq!(s.merge.iter().product::<i64>() * 8, 32);
    }
}
