//! The extents of a kernel's blocks: the user's, or those that suit most kernels.

use crate::config::Size;

/// Threads of a block by number of dimensions, outermost first, where the user says nothing.
const USUAL: [&[i64]; 3] = [&[256], &[8, 32], &[2, 4, 32]];

/// Threads of a block in one dimension where each thread has a loop to run: enough blocks to fill a processor with
/// threads (32 of them), and four times as many processors at work where there are few threads.
const USUAL_LONG: i64 = 64;

/// Threads of a block of a resident kernel, where the user says nothing: a barrier among few blocks costs less, and two
/// blocks a processor still hide each other's waiting (on an H200, jacobi-2d of PolyBench/C takes 8.0, 6.9 and 6.8 ms
/// with 256, 512 and 1024, fdtd-2d 8.2, 7.3 and 7.9, lu 22.0, 20.4 and 24.9).
const RESIDENT: i64 = 512;

/// The threads of a resident block in the place of blocks of these extents.
pub fn resident_threads<'a>(all: impl Iterator<Item = &'a [i64]> + Clone) -> Option<i64> {
    let is_usual = |e: &[i64]| USUAL.contains(&e) || e == [USUAL_LONG];
    if all.clone().all(is_usual) { Some(RESIDENT) } else { all.map(|e| e.iter().product()).max() }
}

/// Most threads of a block in the outermost of three dimensions.
const MOST_OUTERMOST: i64 = 64;

/// The same where several threads work on one element, along the last dimension.
const USUAL_LANES: [i64; 2] = [8, 32];

/// The same along the dimension before it, where neighbours of 8 bytes, or of fewer, are full lines of memory. (On an H100, 16
/// of 4 bytes read a matrix of 2^28 at 69 % of the rate of a copy.)
const USUAL_ROWS: [[i64; 2]; 2] = [[32, 16], [16, 32]];

/// What is asked of a kernel's blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// `block(x, y, z)` of a directive, in that order.
    Extents(Vec<i64>),
    /// `block = …` of the configuration: how many threads.
    Threads(Size),
    Usual,
    /// The same, for threads that have a loop to run.
    UsualLong,
}

impl Block {
    /// The extents in `n` dimensions, outermost first.
    pub fn extents(&self, n: usize) -> Vec<i64> {
        match self {
            Block::UsualLong if n == 1 => vec![USUAL_LONG],
            Block::Usual | Block::UsualLong => USUAL[n - 1].to_vec(),
            Block::Extents(given) => (0..n).rev().map(|k| given.get(k).copied().unwrap_or(1)).collect(),
            Block::Threads(Size::Fixed(threads)) => spread(i64::from(*threads), n),
            Block::Threads(Size::Range(first, last)) => {
                let usual: i64 = USUAL[n - 1].iter().product();
                let threads = usual.clamp(i64::from(*first), i64::from(*last));
                if threads == usual { USUAL[n - 1].to_vec() } else { spread(threads, n) }
            }
        }
    }

    /// The extents where elements are one dimension and the threads that share one element's work are the other, the
    /// last or the one before it; what neighbours read has so many bytes. `None` where the user's block leaves no room for
    /// that.
    pub fn lanes(&self, lanes_are_last: bool, bytes: i64) -> Option<[i64; 2]> {
        match self {
            Block::Usual | Block::UsualLong if lanes_are_last => Some(USUAL_LANES),
            Block::Usual | Block::UsualLong => Some(USUAL_ROWS[usize::from(bytes < 8)]),
            Block::Extents(_) => None,
            Block::Threads(_) => {
                let extents = self.extents(2);
                let lanes = extents[usize::from(lanes_are_last)];
                (lanes > 1).then_some([extents[0], extents[1]])
            }
        }
    }

    /// How many threads, where the kernel has one dimension and the user may have thought of more.
    pub fn threads(&self) -> i64 {
        match self {
            Block::Extents(given) => given.iter().product(),
            _ => self.extents(1)[0],
        }
    }
}

/// That many threads over `n` dimensions: a warp along the innermost, a few along the middle, the rest outermost.
fn spread(threads: i64, n: usize) -> Vec<i64> {
    let divisor = |of: i64, most: i64| (1..=most).rev().find(|d| of % d == 0).unwrap_or(1);
    let inner = divisor(threads, 32);
    let rest = threads / inner;
    match n {
        1 => vec![threads],
        2 => vec![rest, inner],
        _ => {
            let middle = divisor(rest, 4);
            if rest / middle <= MOST_OUTERMOST { vec![rest / middle, middle, inner] } else { vec![1, rest, inner] }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extents_are_outermost_first() {
        assert_eq!(Block::Extents(vec![32, 8]).extents(2), [8, 32]);
        assert_eq!(Block::Extents(vec![32, 8]).extents(1), [32]);
        assert_eq!(Block::Extents(vec![32]).extents(3), [1, 1, 32]);
        assert_eq!(Block::Extents(vec![32, 8]).threads(), 256);
    }

    #[test]
    fn threads_are_spread() {
        let of = |threads| Block::Threads(Size::Fixed(threads));
        assert_eq!((of(128).extents(1), of(128).extents(2)), (vec![128], vec![4, 32]));
        assert_eq!(of(1024).extents(3), [8, 4, 32]);
        assert_eq!(of(1021).extents(3), [1, 1021, 1]);
        assert_eq!(Block::Threads(Size::Range(32, 64)).extents(1), [64]);
        assert_eq!(Block::Threads(Size::Range(32, 512)).extents(2), [8, 32]);
    }
}
