//! Memory of a launch: arrays that lie far apart, so that an address out of bounds still tells which array was meant.

use crate::ptx::types::{Scalar, Space};

/// Bits of the distance between two arrays.
const APART: u32 = 40;
/// Bytes that all arrays may have together.
pub const MOST_BYTES: u64 = 1 << 32;

/// The generic address of the first byte of a space.
pub fn window(space: Space) -> u64 {
    match space {
        Space::Shared => 1 << 56,
        Space::Local => 2 << 56,
        Space::Param => 3 << 56,
        Space::Generic | Space::Global | Space::Const => 0,
    }
}

/// The space that a generic address lies in.
pub fn space_of(address: u64) -> Space {
    match address >> 56 {
        1 => Space::Shared,
        2 => Space::Local,
        3 => Space::Param,
        _ => Space::Global,
    }
}

/// Test that a generic address lies in a space.
pub fn is_in(address: u64, space: Space) -> bool {
    space_of(address) == space
}

/// An array in global or constant memory.
#[derive(Debug, Clone)]
pub struct Array {
    pub name: String,
    /// Type of its elements.
    pub ty: Scalar,
    pub bytes: Vec<u8>,
    pub is_constant: bool,
    /// Origin: an argument of the launch, and not the module's own.
    pub is_argument: bool,
}

impl Array {
    /// Its elements as text.
    pub fn elements(&self) -> impl Iterator<Item = String> {
        self.bytes.chunks_exact(self.ty.bytes() as usize).map(|bytes| {
            let bits = load(bytes);
            match self.ty {
                Scalar::F64 => f64::from_bits(bits).to_string(),
                Scalar::F32 => f32::from_bits(bits as u32).to_string(),
                Scalar::F16 => super::round::from_half(bits as u16).to_string(),
                ty if ty.is_signed() => super::float::signed(bits, ty).to_string(),
                _ => bits.to_string(),
            }
        })
    }
}

/// Address that no array has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outside {
    /// The array nearby, and how far from its first byte.
    pub near: Option<(usize, i64)>,
}

/// All arrays.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    pub arrays: Vec<Array>,
}

impl Memory {
    /// Adds an array; gives its address.
    pub fn add(&mut self, array: Array) -> u64 {
        self.arrays.push(array);
        Self::address(self.arrays.len() - 1)
    }

    /// The address of an array: a sector begins there.
    pub fn address(array: usize) -> u64 {
        (array as u64 + 1) << APART
    }

    /// The array that some bytes lie in, and where in it.
    ///
    /// # Errors
    /// None has all of them.
    pub fn locate(&self, address: u64, bytes: u64) -> Result<(usize, usize), Outside> {
        let array = (address.wrapping_add(1 << (APART - 1)) >> APART).wrapping_sub(1) as usize;
        let Some(found) = self.arrays.get(array) else { return Err(Outside { near: None }) };
        let offset = address.wrapping_sub(Self::address(array)) as i64;
        let is_inside = offset >= 0 && offset as u64 + bytes <= found.bytes.len() as u64;
        if is_inside { Ok((array, offset as usize)) } else { Err(Outside { near: Some((array, offset)) }) }
    }
}

/// Reads a little-endian value.
pub fn load(bytes: &[u8]) -> u64 {
    let mut all = [0; 8];
    all[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(all)
}

/// Writes a little-endian value.
pub fn store(bytes: &mut [u8], value: u64) {
    let n = bytes.len();
    bytes.copy_from_slice(&value.to_le_bytes()[..n]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_beside_an_array_are_told_of_it() {
        let mut memory = Memory::default();
        let array =
            |n| Array { name: "a".into(), ty: Scalar::F32, bytes: vec![0; n], is_constant: false, is_argument: true };
        let (a, b) = (memory.add(array(16)), memory.add(array(4)));
        assert_eq!(memory.locate(a + 12, 4), Ok((0, 12)));
        assert_eq!(memory.locate(a + 13, 4), Err(Outside { near: Some((0, 13)) }));
        assert_eq!(memory.locate(b - 4, 4), Err(Outside { near: Some((1, -4)) }));
        assert_eq!(memory.locate(0, 4), Err(Outside { near: None }));
        assert_eq!(memory.locate(u64::MAX, 4), Err(Outside { near: None }));
        assert!(is_in(a, Space::Global) && is_in(window(Space::Local) + 4, Space::Local));
    }
}
