//! Figures of one access over its requests: strides, coalesced or not, sectors beside the least.

use crate::cost::access::SECTOR;
use crate::ptx::run::watch::{Does, LANES, Request};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Distance of the lanes of a request from each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stride {
    /// One lane alone.
    Single,
    /// All at one place.
    Zero,
    /// Each beside the one before.
    One,
    /// So many bytes apart, each from the one before.
    Constant(i64),
    /// In runs of so many lanes, each so many bytes from the one before: subscripts that are affine in part, as `node[e] * 8 + c`.
    /// The runs begin `between` bytes apart; `None`: where the data say.
    Runs { lanes: u32, apart: i64, between: Option<i64> },
    /// Otherwise.
    Other,
}

/// Figures of an access, of all requests that were looked at.
#[derive(Debug, Clone, Default)]
pub struct Figures {
    pub does: Option<Does>,
    pub arrays: BTreeSet<usize>,
    /// Bytes of a lane.
    pub bytes: u64,
    pub requests: u64,
    /// Accesses of threads.
    pub lanes: u64,
    /// Requests and accesses of which lanes leave gaps between them (Algorithm 1).
    pub uncoalesced_requests: u64,
    pub uncoalesced_lanes: u64,
    /// Sectors that were moved, and the least for the bytes that were used.
    pub sectors: u64,
    pub least: u64,
    /// Different bytes that lanes used, by request.
    pub used: u64,
    /// Requests by stride.
    pub strides: BTreeMap<Stride, u64>,
    /// Bytes from a thread's access to its next by the same instruction, and how often.
    pub steps: BTreeMap<i64, u64>,
    /// Addresses of the lanes of some warps, as they were last.
    last: BTreeMap<(u64, u32), [u64; LANES]>,
}

/// Warps whose steps from one execution to the next are looked at.
const STEPPED: usize = 256;

/// Sectors that lanes touch, and how many different bytes. Addresses in any order; they are sorted.
pub fn touched(addresses: &mut [u64], bytes: u64) -> (u64, u64) {
    addresses.sort_unstable();
    let (mut sectors, mut used) = (0, 0);
    let (mut last_sector, mut end) = (None, 0);
    for &address in addresses.iter() {
        let last = (address + bytes - 1) / SECTOR as u64;
        let first = address / SECTOR as u64;
        let from = last_sector.map_or(first, |seen: u64| first.max(seen + 1));
        sectors += (last + 1).saturating_sub(from);
        last_sector = Some(last_sector.map_or(last, |seen| seen.max(last)));
        used += (address + bytes).saturating_sub(address.max(end));
        end = end.max(address + bytes);
    }
    (sectors, used)
}

impl Figures {
    /// Adds a request.
    pub fn add(&mut self, request: &Request, arrays: impl Iterator<Item = usize>) {
        let mut addresses: Vec<u64> = request.lanes().map(|lane| request.addresses[lane]).collect();
        let lanes = addresses.len() as u64;
        *self.strides.entry(stride(&addresses, request.bytes)).or_default() += 1;
        self.step(request);
        let (sectors, used) = touched(&mut addresses, request.bytes);
        self.does = Some(request.does);
        self.bytes = request.bytes;
        self.arrays.extend(arrays);
        self.requests += 1;
        self.lanes += lanes;
        self.sectors += sectors;
        self.used += used;
        self.least += used.div_ceil(SECTOR as u64);
        if addresses.windows(2).any(|pair| pair[1] - pair[0] > request.bytes) {
            self.uncoalesced_requests += 1;
            self.uncoalesced_lanes += lanes;
        }
    }

    /// Looks at how far the lanes are from where they were.
    fn step(&mut self, request: &Request) {
        let warp = (request.block, request.warp);
        if self.last.len() >= STEPPED && !self.last.contains_key(&warp) {
            return;
        }
        let last = self.last.entry(warp).or_insert([0; LANES]);
        for lane in request.lanes() {
            if request.executions[lane] > 0 {
                *self.steps.entry(request.addresses[lane].wrapping_sub(last[lane]) as i64).or_default() += 1;
            }
            last[lane] = request.addresses[lane];
        }
    }

    /// The bytes that most steps of a thread have, from one execution to the next: of at least half of them.
    pub fn step_of_most(&self) -> Option<i64> {
        let all: u64 = self.steps.values().sum();
        let (step, count) = self.steps.iter().max_by_key(|&(step, count)| (*count, std::cmp::Reverse(step.abs())))?;
        (2 * count >= all).then_some(*step)
    }

    /// The stride of most requests that have one. Runs that do not begin as far apart in all requests begin where the data say.
    pub fn stride(&self) -> Option<Stride> {
        let mut all: BTreeMap<Stride, u64> = BTreeMap::new();
        for (&stride, count) in self.strides.iter().filter(|(stride, _)| **stride != Stride::Single) {
            let stride = match stride {
                Stride::Runs { lanes, apart, .. } if self.begins_of(lanes, apart) > 1 => {
                    Stride::Runs { lanes, apart, between: None }
                }
                stride => stride,
            };
            *all.entry(stride).or_default() += count;
        }
        all.into_iter().max_by_key(|&(stride, count)| (count, std::cmp::Reverse(stride))).map(|(stride, _)| stride)
    }

    /// Number of distances that such runs begin at.
    fn begins_of(&self, lanes: u32, apart: i64) -> usize {
        let is_such =
            |stride: &&Stride| matches!(stride, Stride::Runs { lanes: l, apart: a, .. } if (*l, *a) == (lanes, apart));
        self.strides.keys().filter(is_such).count()
    }
}

/// The stride of lanes, in their order.
fn stride(addresses: &[u64], bytes: u64) -> Stride {
    let mut apart = addresses.windows(2).map(|pair| pair[1].wrapping_sub(pair[0]) as i64);
    let Some(first) = apart.next() else { return Stride::Single };
    match apart.all(|other| other == first) {
        true if first == 0 => Stride::Zero,
        true if first == bytes as i64 => Stride::One,
        true => Stride::Constant(first),
        false => runs(addresses).unwrap_or(Stride::Other),
    }
}

/// Runs of lanes at a constant distance, at least two whole ones of them.
fn runs(addresses: &[u64]) -> Option<Stride> {
    let apart: Vec<i64> = addresses.windows(2).map(|pair| pair[1].wrapping_sub(pair[0]) as i64).collect();
    let mut counts: BTreeMap<i64, usize> = BTreeMap::new();
    apart.iter().for_each(|&apart| *counts.entry(apart).or_default() += 1);
    // Neighbours of equal distances, the nearest where several are as frequent.
    let (&most, _) = counts.iter().max_by_key(|&(apart, count)| (*count, std::cmp::Reverse(apart.abs())))?;
    let breaks = apart.iter().enumerate().filter(|(_, apart)| **apart != most).map(|(at, _)| at + 1);
    let lanes = breaks.fold(0, gcd);
    if lanes < 2 || addresses.len() < 2 * lanes {
        return None;
    }
    let starts: Vec<u64> = addresses.iter().step_by(lanes).copied().collect();
    let mut between = starts.windows(2).map(|pair| pair[1].wrapping_sub(pair[0]) as i64);
    let first = between.next()?;
    let between = between.all(|other| other == first).then_some(first);
    Some(Stride::Runs { lanes: lanes as u32, apart: most, between })
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sectors_and_bytes_are_counted_once() {
        let of = |addresses: &[u64], bytes| touched(&mut addresses.to_vec(), bytes);
        assert_eq!(of(&(0..32).map(|lane| 4 * lane).collect::<Vec<_>>(), 4), (4, 128));
        assert_eq!(of(&(0..32).map(|lane| 128 * lane).collect::<Vec<_>>(), 4), (32, 128));
        assert_eq!(of(&[64; 32], 8), (1, 8));
        assert_eq!(of(&[16, 0, 24], 16), (2, 40));
        assert_eq!(of(&[28], 8), (2, 8));
        assert_eq!(of(&[4, 4, 0], 4), (1, 8));
        assert_eq!(of(&[], 4), (0, 0));
    }

    #[test]
    fn strides_of_lanes() {
        assert_eq!(stride(&[8], 4), Stride::Single);
        assert_eq!(stride(&[8, 8, 8], 4), Stride::Zero);
        assert_eq!(stride(&[8, 12, 16], 4), Stride::One);
        assert_eq!(stride(&[16, 12, 8], 4), Stride::Constant(-4));
        assert_eq!(stride(&[0, 400, 800], 4), Stride::Constant(400));
        assert_eq!(stride(&[0, 4, 12], 4), Stride::Other);
        let runs = |starts: &[u64], lanes: u64, apart: u64| {
            let addresses = starts.iter().flat_map(|start| (0..lanes).map(move |lane| start + apart * lane));
            stride(&addresses.collect::<Vec<_>>(), 4)
        };
        let of = |lanes, apart, between| Stride::Runs { lanes, apart, between };
        assert_eq!(runs(&[640, 64, 320, 96], 8, 4), of(8, 4, None));
        // Two runs that adjoin by chance are two.
        assert_eq!(runs(&[640, 672, 320, 96], 8, 4), of(8, 4, None));
        assert_eq!(runs(&[0, 512, 1024, 1536], 8, 4), of(8, 4, Some(512)));
        assert_eq!(runs(&[8, 400, 120, 16], 8, 0), of(8, 0, None));
        assert_eq!(runs(&[8, 400, 120, 16], 2, 64), of(2, 64, None));
        assert_eq!(stride(&[0, 4, 100, 108, 16, 28], 4), Stride::Other);
    }
}
