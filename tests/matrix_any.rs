//! Damaged Matrix Market files: the shipped ones with bytes changed, cut out, doubled and put in from others. Each is read
//! and comes back as it was written, or has a fault; none takes more memory than it may, or long. One test, so that what is
//! allocated is its own. `PROPTEST_CASES=100000 cargo test --test matrix_any` looks further.

#[path = "support/any_matrix.rs"]
mod any_matrix;

use flate2::read::GzDecoder;
use proptest::prelude::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Read;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The system's memory, counted.
struct Counted;

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is the system allocator's own; only numbers are kept beside it.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        MOST.fetch_max(NOW.fetch_add(layout.size(), Relaxed) + layout.size(), Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static MEMORY: Counted = Counted;

/// What reading may take beside the matrix: a block of the file, and what is written of it.
const BESIDE: usize = 2 << 20;
/// No small file takes so long, on a busy machine.
const LONG: Duration = Duration::from_secs(10);

/// What is put into a file.
const PIECES: &[&str] = &[
    "\n",
    "\r\n",
    "\r",
    "+1",
    "%%AMGX rhs\n",
    " ",
    "%",
    "0",
    "1",
    "-1",
    "9",
    "1e999",
    "nan",
    "1d0",
    ".",
    "2147483647",
    "2147483648",
    "18446744073709551615",
    "99999999999999999999",
    "symmetric",
    "skew-symmetric",
    "hermitian",
    "general",
    "complex",
    "pattern",
    "integer",
    "real",
    "array",
    "coordinate",
    "%%MatrixMarket matrix ",
    "\u{1f}\u{8b}",
    "\0",
    "1 1 1\n",
];

#[derive(Debug, Clone)]
enum Damage {
    Change(u8),
    Cut(usize),
    Double(usize),
    Put(&'static str),
    From(usize, usize),
    End,
}

fn damage() -> impl Strategy<Value = (usize, Damage)> {
    let what = prop_oneof![
        any::<u8>().prop_map(Damage::Change),
        (1usize..200).prop_map(Damage::Cut),
        (1usize..200).prop_map(Damage::Double),
        prop::sample::select(PIECES).prop_map(Damage::Put),
        (any::<usize>(), 1usize..200).prop_map(|(from, length)| Damage::From(from, length)),
        Just(Damage::End),
    ];
    // As often near the beginning, where the header is, as anywhere.
    (prop_oneof![0usize..120, any::<usize>()], what)
}

/// The shipped files, those that are compressed also as they are within.
fn shipped() -> Vec<Vec<u8>> {
    let mut names: Vec<_> = std::fs::read_dir("matrices").unwrap().map(|entry| entry.unwrap().path()).collect();
    names.retain(|name| name.to_string_lossy().contains(".mtx"));
    names.sort();
    let mut files: Vec<Vec<u8>> = names.iter().map(|name| std::fs::read(name).unwrap()).collect();
    for at in 0..files.len() {
        let mut within = vec![];
        if GzDecoder::new(files[at].as_slice()).read_to_end(&mut within).is_ok() {
            files.push(within);
        }
    }
    files
}

fn damaged(files: &[Vec<u8>], which: usize, damages: &[(usize, Damage)]) -> Vec<u8> {
    let mut bytes = files[which % files.len()].clone();
    for (at, what) in damages {
        let at = at % (bytes.len() + 1);
        let end = |length: usize| (at + length).min(bytes.len());
        match what {
            Damage::Change(to) => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = *to;
                }
            }
            Damage::Cut(length) => drop(bytes.drain(at..end(*length))),
            Damage::Double(length) => {
                let piece = bytes[at..end(*length)].to_vec();
                bytes.splice(at..at, piece);
            }
            Damage::Put(piece) => drop(bytes.splice(at..at, piece.bytes())),
            Damage::From(from, length) => {
                let other = &files[from % files.len()];
                let from = from / files.len() % other.len();
                let piece = other[from..(from + length).min(other.len())].to_vec();
                bytes.splice(at..at, piece);
            }
            Damage::End => bytes.truncate(at),
        }
    }
    bytes
}

#[test]
fn damaged_files_are_read_or_have_a_fault_within_time_and_memory() {
    let files = shipped();
    assert!(files.len() > 20 && files.iter().all(|file| any_matrix::is_read(file)));
    let config = ProptestConfig::default();
    let config = ProptestConfig { cases: config.cases.max(4000), failure_persistence: None, ..config };
    let cases = (any::<usize>(), prop::collection::vec(damage(), 1..8));
    let mut runner = proptest::test_runner::TestRunner::new(config);
    let outcome = runner.run(&cases, |(which, damages)| {
        let bytes = damaged(&files, which, &damages);
        let (begin, before) = (Instant::now(), NOW.load(Relaxed));
        MOST.store(before, Relaxed);
        any_matrix::is_read(&bytes);
        let (taken, time) = (MOST.load(Relaxed) - before, begin.elapsed());
        prop_assert!(taken <= any_matrix::LIMIT as usize + BESIDE, "{taken} bytes");
        prop_assert!(time < LONG, "{time:?}");
        Ok(())
    });
    outcome.unwrap_or_else(|fault| panic!("{fault}"));
}
