//! Figures of one access over its requests: strides, coalesced or not, sectors beside the least.

use crate::cost::access::SECTOR;
use crate::ptx::run::watch::{Does, Request};
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
}

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

    /// The stride of most requests that have one.
    pub fn stride(&self) -> Option<Stride> {
        let most = self.strides.iter().filter(|(stride, _)| **stride != Stride::Single);
        most.max_by_key(|&(stride, count)| (*count, std::cmp::Reverse(*stride))).map(|(stride, _)| *stride)
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
        false => Stride::Other,
    }
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
    }
}
