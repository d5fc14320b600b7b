//! Launches as the simulation writes them down (`templates/runtime/rt_sim_launches.h`), run again by the interpreter of PTX: both
//! leave the same in memory, and each thread touches the same bytes.

use rtcuda::ptx::run::memory::Memory;
use rtcuda::ptx::run::watch::{Does, Request, Watch};
use rtcuda::ptx::run::{self, Argument, Launch, Value, launch};
use rtcuda::ptx::source::Unit;
use rtcuda::ptx::types::Scalar;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The most instructions of warps that a launch takes.
const LIMIT: u64 = 400_000_000;

/// A number that two orders of a sum, or two libraries of mathematical functions, give: by what it may differ, relatively.
const ROUNDING: [(Scalar, f64); 2] = [(Scalar::F32, 1e-4), (Scalar::F64, 1e-9)];

/// Of a launch: block, thread, array, and what is done.
type Key = (u32, u32, u32, u32);
/// Bytes that are touched, without gaps or repetition.
type Touched = BTreeMap<Key, Vec<(u64, u64)>>;

/// A launch that was written down.
pub struct Recorded {
    /// The file of its words, without the extension.
    path: PathBuf,
    /// Part of the kernel's name in PTX.
    pub kernel: String,
    pub launch: Launch,
}

/// Outcome of a comparison.
#[derive(Debug, Default, Clone, Copy)]
pub struct Agreement {
    /// Bytes that threads touch, counted once for each thread and what it does there.
    pub bytes: u64,
    /// Bytes that only the simulation reads: compilers keep what a thread has read or written.
    pub spared: u64,
    /// Numbers with a point that are the same but for rounding.
    pub rounded: u64,
}

impl Recorded {
    /// The launches of a folder.
    pub fn all(folder: &Path) -> Vec<Recorded> {
        let files = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("it can be read").path());
        let mut paths: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|e| e == "launch")).collect();
        paths.sort();
        paths.iter().map(|path| Recorded::read(path)).collect()
    }

    fn read(path: &Path) -> Recorded {
        let text = fs::read_to_string(path).expect("it was written");
        let words: Vec<&str> = text.lines().collect();
        let all = |name: &str| -> Vec<String> {
            words.chunks_exact(2).filter(|pair| pair[0] == name).map(|pair| pair[1].to_owned()).collect()
        };
        let one = |name: &str| all(name).concat();
        let extents = |name: &str| launch::extents(&one(name)).unwrap_or_else(|why| panic!("{text}: {why}"));
        let arguments = launch::arguments(&all("--arg")).unwrap_or_else(|d| panic!("{text}: {}", d.message));
        let shared = one("--shared").parse().expect("bytes");
        let launch = Launch { grid: extents("--grid"), block: extents("--block"), shared, arguments, limit: LIMIT };
        Recorded { path: path.with_extension(""), kernel: one("--kernel"), launch }
    }

    fn file(&self, extension: &str) -> Vec<u8> {
        let mut path = self.path.clone().into_os_string();
        path.push(extension);
        fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    }

    fn touched(&self) -> Touched {
        let mut touched = Touched::new();
        for record in self.file(".touched").chunks_exact(32) {
            let word = |k: usize| u32::from_le_bytes(record[4 * k..4 * k + 4].try_into().expect("4 bytes"));
            let long = |k: usize| u64::from_le_bytes(record[8 * k..8 * k + 8].try_into().expect("8 bytes"));
            touched.entry((word(0), word(1), word(2), word(3))).or_default().push((long(2), long(3)));
        }
        touched
    }

    /// Runs the launch by a kernel's PTX, and compares.
    ///
    /// # Errors
    /// Difference that was found.
    pub fn compared(&self, unit: &Unit, kernel: usize) -> Result<Agreement, String> {
        let mut seen = Seen::default();
        let done = run::run(&unit.module, kernel, &self.launch, &mut seen);
        let done = done.map_err(|fault| format!("{:?}", unit.told(fault)))?;
        let mut found = self.bytes_touched(&joined(seen.0))?;
        found.rounded = self.same_memory(&done.memory)?;
        Ok(found)
    }

    /// Compares what threads touch: each writes the same bytes, and reads no others.
    fn bytes_touched(&self, seen: &Touched) -> Result<Agreement, String> {
        let told = self.touched();
        let [load, store, atomic] = [Does::Load, Does::Store, Does::Atomic].map(|does| does as u32);
        let mut found = Agreement::default();
        let arrays = array_types(&self.launch.arguments).len() as u32;
        let mut threads: Vec<(u32, u32, u32)> = told.keys().chain(seen.keys()).map(|k| (k.0, k.1, k.2)).collect();
        threads.retain(|thread| thread.2 < arrays);
        threads.dedup();
        threads.sort_unstable();
        threads.dedup();
        for (block, thread, array) in threads {
            let of = |all: &Touched, does: &[u32]| {
                let ranges = does.iter().filter_map(|&does| all.get(&(block, thread, array, does)));
                union(ranges.flatten().copied().collect())
            };
            let any = &[load, store, atomic][..];
            let differs = |what: &str, (from, to): (u64, u64)| {
                Err(format!("thread {thread} of block {block}: bytes {from} to {to} of array {array} are {what}"))
            };
            // One step of the simulation may be a load and a loop of compare-and-swap, or a wait.
            let checks = [
                (of(seen, &[store]), of(&told, &[store, atomic]), "written by PTX alone"),
                (of(seen, &[atomic]), of(&told, &[atomic]), "updated by PTX alone"),
                (of(seen, &[load]), of(&told, any), "read by PTX alone"),
                (of(&told, &[store]), of(seen, &[store, atomic]), "written by the simulation alone"),
                (of(&told, &[atomic]), of(seen, any), "updated by the simulation alone"),
            ];
            for (one, other, what) in checks {
                if let Some(&apart) = without(&one, &other).first() {
                    return differs(what, apart);
                }
                found.bytes += size(&one);
            }
            found.spared += size(&without(&of(&told, &[load]), &of(seen, any)));
        }
        Ok(found)
    }

    /// Compares what is in memory; gives the numbers that are the same but for rounding.
    fn same_memory(&self, memory: &Memory) -> Result<u64, String> {
        let mut rounded = 0;
        for (k, ty) in array_types(&self.launch.arguments).into_iter().enumerate() {
            let (array, after) = (&memory.arrays[k], self.file(&format!(".{k}.after")));
            let width = ty.bytes() as usize;
            for (at, (seen, told)) in array.bytes.chunks(width).zip(after.chunks(width)).enumerate() {
                if seen == told {
                    continue;
                }
                let [seen, told] = [seen, told].map(|bytes| number(bytes, ty));
                if !is_near(ty, seen, told) {
                    let name = &array.name;
                    return Err(format!("element {at} of `{name}` is {seen} by PTX, and simulated {told}"));
                }
                rounded += 1;
            }
        }
        Ok(rounded)
    }
}

/// Types of the arrays of the program that a launch has, in their order; a barrier's own come last, and are left out.
fn array_types(arguments: &[Argument]) -> Vec<Scalar> {
    let of = |value: &Value| match value {
        Value::Array { ty, .. } => Some(*ty),
        _ => None,
    };
    let arguments = arguments.iter().filter(|argument| !argument.name.ends_with(".barrier"));
    let all = arguments.flat_map(|argument| match &argument.value {
        Value::Structure(members) => members.iter().filter_map(|(_, value)| of(value)).collect::<Vec<_>>(),
        value => Vec::from_iter(of(value)),
    });
    all.collect()
}

fn number(bytes: &[u8], ty: Scalar) -> f64 {
    let bits = rtcuda::ptx::run::memory::load(bytes);
    match ty {
        Scalar::F32 => f64::from(f32::from_bits(bits as u32)),
        Scalar::F64 => f64::from_bits(bits),
        _ => bits as f64,
    }
}

fn is_near(ty: Scalar, x: f64, y: f64) -> bool {
    let Some((_, rounding)) = ROUNDING.into_iter().find(|(of, _)| *of == ty) else { return false };
    (x.is_nan() && y.is_nan()) || (x - y).abs() <= rounding * x.abs().max(y.abs())
}

/// Observer of the bytes that threads touch.
#[derive(Default)]
struct Seen(BTreeMap<Key, Vec<(u64, u64)>>);

impl Watch for Seen {
    fn blocks(&self) -> Option<Vec<u64>> {
        None
    }

    fn request(&mut self, memory: &Memory, request: &Request) {
        for lane in request.lanes() {
            let Ok((array, offset)) = memory.locate(request.addresses[lane], request.bytes) else { continue };
            let (block, thread) = (request.block as u32, request.warp * 32 + lane as u32);
            let ranges = self.0.entry((block, thread, array as u32, request.does as u32)).or_default();
            let (first, end) = (offset as u64, offset as u64 + request.bytes);
            match ranges.last_mut() {
                Some(last) if last.0 <= first && first <= last.1 => last.1 = last.1.max(end),
                _ => ranges.push((first, end)),
            }
        }
    }
}

fn joined(seen: Touched) -> Touched {
    seen.into_iter().map(|(key, ranges)| (key, union(ranges))).collect()
}

/// The ranges in their order, without gaps or repetition.
fn union(mut ranges: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    ranges.sort_unstable();
    let mut all: Vec<(u64, u64)> = Vec::with_capacity(ranges.len());
    for (first, end) in ranges {
        match all.last_mut() {
            Some(last) if first <= last.1 => last.1 = last.1.max(end),
            _ => all.push((first, end)),
        }
    }
    all
}

fn size(ranges: &[(u64, u64)]) -> u64 {
    ranges.iter().map(|(first, end)| end - first).sum()
}

/// Bytes that some ranges have and others have not.
fn without(ranges: &[(u64, u64)], others: &[(u64, u64)]) -> Vec<(u64, u64)> {
    let mut left = Vec::new();
    for &(mut first, end) in ranges {
        let from = others.partition_point(|other| other.1 <= first);
        for other in others[from..].iter().take_while(|other| other.0 < end) {
            if first < other.0 {
                left.push((first, other.0));
            }
            first = first.max(other.1);
        }
        if first < end {
            left.push((first, end));
        }
    }
    left
}
