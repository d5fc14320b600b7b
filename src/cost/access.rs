//! Memory traffic of one access: sectors of a request, which is one instruction of one warp, and bank conflicts.
//!
//! A load or store of global memory moves the sectors of 32 bytes that the active lanes touch; its cost in L1 is a pass
//! for each line of 128 bytes. Shared memory has 32 banks of 4 bytes: a request takes as many passes as the busiest bank
//! has different words.
//! ```text
//! a[i, j], j over the lanes, f32      4 sectors, 128 bytes used      contiguous
//! a[j, i]                             32 sectors                     a stride of a row
//! x[k], the same in all lanes         1 sector                       uniform
//! x[column[k]]                        up to 32, assumed              scattered
//! ```

use super::trace::{Space, State, Trace, Traced, Use};
use super::value::{LANES, Lanes, SAMPLES};
use crate::kernel::Access;

/// Bytes that global memory moves at least.
pub const SECTOR: i64 = 32;
/// Bytes of a line of L1, which is looked up in one pass.
const LINE: i64 = 128;
/// Banks of shared memory, and the bytes of a word.
const BANKS: i64 = 32;
const WORD: i64 = 4;

/// How the lanes of a warp lie beside each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pattern {
    /// All at one place.
    Uniform,
    /// Each beside the one before.
    Contiguous,
    /// So many bytes apart.
    Strided(i64),
    /// Otherwise: rows of a block, remainders.
    Mixed,
    /// Only the data know.
    Scattered,
}

/// An access and what it moves.
#[derive(Debug, Clone, PartialEq)]
pub struct AccessCost<'k> {
    pub access: &'k Access,
    /// Its C line; 0: made by the tool.
    pub line: u32,
    pub is_store: bool,
    pub is_shared: bool,
    pub pattern: Pattern,
    /// Requests of all warps.
    pub requests: f64,
    /// Sectors of a request, in the mean; of shared memory its passes.
    pub sectors: f64,
    /// The least that they could be: if the bytes that are used lay in a row.
    pub least: f64,
    /// Flag: something of it was assumed.
    pub is_assumed: bool,
}

/// The requests of an access.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Requests {
    /// Of a warp, in the mean over all.
    pub count: f64,
    pub sectors: f64,
    /// Bytes of the units that the device moves, and of sectors that a store fills only in part.
    pub bytes: f64,
    pub partial: f64,
    /// Passes through L1 or shared memory.
    pub passes: f64,
    pub least: f64,
    /// Lanes that take part.
    pub lanes: f64,
}

/// Looks at an access in each sampled warp.
pub(super) fn requests(x: &Traced, addresses: &Lanes, unit: f64) -> Requests {
    let mut out = Requests::default();
    for (s, warp) in addresses.iter().enumerate() {
        let weight = x.state.weight[s] / SAMPLES as f64;
        if x.state.mask[s] == 0 || weight == 0.0 {
            continue;
        }
        let mut at = [0; LANES];
        let mut n = 0;
        for lane in (0..LANES).filter(|lane| x.state.mask[s] >> lane & 1 == 1) {
            at[n] = warp[lane];
            n += 1;
        }
        let at = &at[..n];
        let elements = distinct(at, x.width, x.width);
        out.count += weight;
        out.lanes += weight * n as f64;
        if x.space == Space::Shared {
            let passes = if x.use_ == Use::Atomic { repeats(at) } else { conflicts(at, x.width) };
            out.passes += weight * passes;
            out.sectors += weight * passes;
            out.least += weight * (elements * x.width as f64 / (BANKS * WORD) as f64).ceil();
        } else {
            let sectors = distinct(at, x.width, SECTOR);
            out.sectors += weight * sectors;
            out.bytes += weight * distinct(at, x.width, unit as i64) * unit;
            if x.use_ == Use::Store && elements * (x.width as f64) < 0.75 * sectors * SECTOR as f64 {
                out.partial += weight * sectors * SECTOR as f64;
            }
            out.passes += weight * distinct(at, x.width, LINE);
            out.least += weight * (elements * x.width as f64 / SECTOR as f64).ceil();
        }
    }
    out
}

/// How many units of so many bytes elements at these places touch.
fn distinct(at: &[i64], width: i64, unit: i64) -> f64 {
    let mut units = [0; 2 * LANES];
    let mut n = 0;
    let mut is_sorted = true;
    for a in at {
        let (first, last) = (a.div_euclid(unit), a.wrapping_add(width - 1).div_euclid(unit));
        for u in [first, last] {
            if n == 0 || units[n - 1] != u {
                is_sorted &= n == 0 || units[n - 1] < u;
                units[n] = u;
                n += 1;
            }
        }
    }
    if is_sorted {
        return n as f64;
    }
    units[..n].sort_unstable();
    1.0 + units[..n].windows(2).filter(|w| w[0] != w[1]).count() as f64
}

/// The most different words in a bank.
fn conflicts(at: &[i64], width: i64) -> f64 {
    let mut words = [0; 4 * LANES];
    let n_words = (width / WORD).clamp(1, 4);
    let mut n = 0;
    for a in at {
        for k in 0..n_words {
            words[n] = a.div_euclid(WORD) + k;
            n += 1;
        }
    }
    let words = &mut words[..n];
    words.sort_unstable();
    let mut banks = [0u32; BANKS as usize];
    for (k, w) in words.iter().enumerate() {
        if k == 0 || words[k - 1] != *w {
            banks[w.rem_euclid(BANKS) as usize] += 1;
        }
    }
    f64::from(banks.into_iter().max().unwrap_or(1).max(1))
}

/// The most lanes that update a word of one bank: they take turns.
fn repeats(at: &[i64]) -> f64 {
    let mut banks = [0u32; BANKS as usize];
    at.iter().for_each(|a| banks[a.div_euclid(WORD).rem_euclid(BANKS) as usize] += 1);
    f64::from(banks.into_iter().max().unwrap_or(1))
}

/// Classifies an access by the first sampled warp that makes it with all its lanes.
pub(super) fn pattern(trace: &Trace, x: &Traced, addresses: &Lanes) -> Pattern {
    let warps = || (0..SAMPLES).filter(|s| x.state.mask[*s] != 0);
    let is_uniform = |s: usize| addresses[s].iter().all(|a| *a == addresses[s][0]);
    if warps().all(is_uniform) {
        return Pattern::Uniform;
    }
    if trace.symbols.is_data(&x.address) {
        return Pattern::Scattered;
    }
    let stride = |s: usize| {
        let d = addresses[s][1].wrapping_sub(addresses[s][0]);
        addresses[s].windows(2).all(|w| w[1].wrapping_sub(w[0]) == d).then_some(d)
    };
    let strides: Vec<Option<i64>> = warps().map(stride).collect();
    match strides.first() {
        Some(Some(d)) if strides.iter().all(|other| *other == Some(*d)) => {
            if d.unsigned_abs() == x.width as u64 {
                Pattern::Contiguous
            } else {
                Pattern::Strided(*d)
            }
        }
        _ => Pattern::Mixed,
    }
}

/// All that there is to say of an access, made by so many warps.
pub(super) fn cost<'k>(trace: &Trace, x: &Traced<'k>, addresses: &Lanes, r: &Requests, warps: f64) -> AccessCost<'k> {
    let each = |n: f64| if r.count > 0.0 { n / r.count } else { 0.0 };
    AccessCost {
        access: x.access,
        line: x.line,
        is_store: x.use_ != Use::Load,
        is_shared: x.space == Space::Shared,
        pattern: pattern(trace, x, addresses),
        requests: r.count * warps,
        sectors: each(r.sectors),
        least: each(r.least),
        is_assumed: trace.symbols.is_data(&x.address),
    }
}

/// In what share of the blocks and iterations an access is made at all.
pub(super) fn reach(state: &State) -> f64 {
    let all: f64 = state.weight.iter().sum();
    let reached: f64 = (0..SAMPLES).map(|s| state.weight[s] * state.reach[s]).sum();
    if all > 0.0 { (reached / all).min(1.0) } else { 0.0 }
}
