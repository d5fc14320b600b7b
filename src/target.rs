//! Machine descriptions by compute capability, and the occupancy that follows from them.
//!
//! The figures are those of the CUDA C++ Programming Guide 13.0, "Compute Capabilities", table of technical
//! specifications per compute capability; allocation granularities and the arithmetic of [`Machine::occupancy`] are
//! those of `cuda_occupancy.h`, which ships with the CUDA runtime.

/// Threads in a warp, on every machine so far.
pub const WARP: u32 = 32;
/// The most threads a block can have, on every machine so far.
pub const MAX_BLOCK: u32 = 1024;

/// The share of the memory's own rate that a copy on the device comes to: 4.29 of 4.8 TB/s, measured on an H200.
pub const COPY_SHARE: f64 = 0.89;

/// What one streaming multiprocessor (SM) offers, and what a block may take of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Machine {
    /// Compute capability times ten: 90 for `sm_90`.
    pub capability: u32,
    /// The name of the generation.
    pub generation: &'static str,
    /// Resident warps an SM.
    pub warps: u32,
    /// Resident blocks an SM.
    pub blocks: u32,
    /// 32-bit registers an SM, and the most of them a block can have.
    pub registers: u32,
    /// Registers a thread.
    pub thread_registers: u32,
    /// Bytes of shared memory an SM.
    pub shared: u32,
    /// Bytes of shared memory a block can ask for (beyond 48 KiB: dynamic, and opted in).
    pub block_shared: u32,
    /// Bytes of each resident block's shared memory that the system keeps for itself.
    pub reserved_shared: u32,
    /// Bytes that shared memory is handed out in.
    pub shared_unit: u32,
    /// SMs of the device at hand; `None` where only the capability is known.
    pub sms: Option<u32>,
}

/// Registers that a warp gets at a time, and parts of an SM that warps are spread over.
const UNIT: u32 = 256;
const PARTITIONS: u32 = 4;
const KIB: u32 = 1024;
const VOLTA: Machine = Machine {
    capability: 70,
    generation: "Volta",
    warps: 64,
    blocks: 32,
    registers: 65536,
    thread_registers: 255,
    shared: 96 * KIB,
    block_shared: 96 * KIB,
    reserved_shared: 0,
    shared_unit: 256,
    sms: None,
};
const TURING: Machine = Machine {
    capability: 75,
    generation: "Turing",
    warps: 32,
    blocks: 16,
    shared: 64 * KIB,
    block_shared: 64 * KIB,
    ..VOLTA
};
const AMPERE: Machine = Machine {
    capability: 80,
    generation: "Ampere",
    shared: 164 * KIB,
    block_shared: 163 * KIB,
    reserved_shared: KIB,
    shared_unit: 128,
    ..VOLTA
};
const AMPERE_86: Machine =
    Machine { capability: 86, warps: 48, blocks: 16, shared: 100 * KIB, block_shared: 99 * KIB, ..AMPERE };
const ADA: Machine = Machine { capability: 89, generation: "Ada", blocks: 24, ..AMPERE_86 };
const HOPPER: Machine =
    Machine { capability: 90, generation: "Hopper", shared: 228 * KIB, block_shared: 227 * KIB, ..AMPERE };
const BLACKWELL: Machine = Machine { capability: 100, generation: "Blackwell", ..HOPPER };
const BLACKWELL_120: Machine = Machine { capability: 120, generation: "Blackwell", ..ADA };

/// Every machine that is described, by capability.
pub const MACHINES: [Machine; 8] = [VOLTA, TURING, AMPERE, AMPERE_86, ADA, HOPPER, BLACKWELL, BLACKWELL_120];

/// The machine of exactly that compute capability (times ten).
pub fn machine(capability: u32) -> Option<Machine> {
    MACHINES.into_iter().find(|m| m.capability == capability)
}

/// How many blocks and warps of a kernel an SM holds at once, and what limits it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occupancy {
    /// Resident blocks; 0 means that the kernel cannot be launched at all.
    pub blocks: u32,
    /// Resident warps.
    pub warps: u32,
    /// The resource that runs out first.
    pub limit: Limit,
}

/// What keeps an SM from holding one more block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Resident warps (so: threads).
    Warps,
    /// Resident blocks.
    Blocks,
    /// Registers.
    Registers,
    /// Shared memory.
    Shared,
}

impl Machine {
    /// Resident threads an SM.
    pub fn threads(&self) -> u32 {
        self.warps * WARP
    }

    /// The name that nvcc knows it by: `sm_90`.
    pub fn arch(&self) -> String {
        format!("sm_{}", self.capability)
    }

    /// What an SM holds of a kernel whose threads take `registers` each, in blocks of `block` threads that take
    /// `shared` bytes each (static and dynamic together).
    ///
    /// Registers go to warps, in units of 256, in each of four partitions of the SM; shared memory to blocks, in
    /// units of [`shared_unit`](Machine::shared_unit) after what the system reserves. As in `cuda_occupancy.h`,
    /// `cudaOccMaxActiveBlocksPerMultiprocessor`.
    pub fn occupancy(&self, registers: u32, shared: u32, block: u32) -> Occupancy {
        if block == 0 || block > MAX_BLOCK {
            return Occupancy { blocks: 0, warps: 0, limit: Limit::Warps };
        }
        let warps = block.div_ceil(WARP);
        let (blocks, limit) = [
            (self.warps / warps, Limit::Warps),
            (self.blocks, Limit::Blocks),
            (self.blocks_by_registers(registers, warps), Limit::Registers),
            (self.blocks_by_shared(shared), Limit::Shared),
        ]
        .into_iter()
        .min_by_key(|&(blocks, _)| blocks)
        .expect("four limits");
        Occupancy { blocks, warps: blocks * warps, limit }
    }

    /// The most registers a thread may take for so many blocks of `block` threads to fit, as far as registers go; `None` where
    /// they never do. The exact form of You and Tsai's desired register usage, for registers that go to warps.
    pub fn registers_for(&self, blocks: u32, block: u32) -> Option<u32> {
        if blocks == 0 || block == 0 || block > MAX_BLOCK {
            return None;
        }
        let of_partition = blocks.checked_mul(block.div_ceil(WARP))?.div_ceil(PARTITIONS);
        let units = self.registers / PARTITIONS / UNIT / of_partition;
        (units > 0).then(|| (units * UNIT / WARP).min(self.thread_registers))
    }

    fn blocks_by_registers(&self, registers: u32, warps: u32) -> u32 {
        if registers > self.thread_registers {
            return 0;
        }
        let per_warp = (registers.max(1) * WARP).next_multiple_of(UNIT);
        if per_warp * warps > self.registers {
            return 0;
        }
        self.registers / PARTITIONS / per_warp * PARTITIONS / warps
    }

    fn blocks_by_shared(&self, shared: u32) -> u32 {
        if shared > self.block_shared {
            return 0;
        }
        match (shared + self.reserved_shared).next_multiple_of(self.shared_unit) {
            0 => u32::MAX,
            per_block => self.shared / per_block,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hopper(registers: u32, shared: u32, block: u32) -> (u32, Limit) {
        let o = machine(90).unwrap().occupancy(registers, shared, block);
        (o.blocks, o.limit)
    }

    /// Values of `cuda_occupancy.h` (CUDA 13.0) for compute capability 9.0.
    #[test]
    fn occupancy_of_hopper() {
        assert_eq!(hopper(32, 0, 256), (8, Limit::Warps));
        assert_eq!(hopper(32, 0, 32), (32, Limit::Blocks));
        assert_eq!(hopper(64, 0, 256), (4, Limit::Registers));
        assert_eq!(hopper(255, 0, 256), (1, Limit::Registers));
        assert_eq!(hopper(255, 0, 512), (0, Limit::Registers));
        assert_eq!(hopper(33, 0, 1024), (1, Limit::Registers));
        assert_eq!(hopper(32, 48 * 1024, 256), (4, Limit::Shared));
        assert_eq!(hopper(32, 227 * 1024, 256), (1, Limit::Shared));
        assert_eq!(hopper(32, 227 * 1024 + 1, 256).0, 0);
    }

    #[test]
    fn desired_registers_are_the_most_that_fit() {
        let hopper = machine(90).unwrap();
        let of = |blocks| hopper.registers_for(blocks, 256);
        assert_eq!([4, 5, 6, 7, 8].map(of), [Some(64), Some(48), Some(40), Some(32), Some(32)]);
        for m in MACHINES {
            for (blocks, block) in (1..=m.blocks).flat_map(|n| (1..=32).map(move |k| (n, 32 * k))) {
                let warps = block / WARP;
                let most = (1..=m.thread_registers).rev().find(|&r| m.blocks_by_registers(r, warps) >= blocks);
                assert_eq!(m.registers_for(blocks, block), most, "{} {blocks} {block}", m.capability);
            }
        }
        assert_eq!((hopper.registers_for(0, 256), hopper.registers_for(1, 2048)), (None, None));
    }

    #[test]
    fn a_block_that_no_machine_takes() {
        for m in MACHINES {
            assert_eq!(m.occupancy(32, 0, 0).blocks, 0);
            assert_eq!(m.occupancy(32, 0, 1025).blocks, 0);
            assert_eq!(m.occupancy(256, 0, 32).blocks, 0);
            assert_eq!(m.occupancy(0, 0, 1024).blocks, m.threads() / 1024);
        }
    }

    #[test]
    fn generations_differ_where_the_guide_says() {
        let blocks = |cc| machine(cc).unwrap().occupancy(16, 0, 32).blocks;
        assert_eq!([70, 75, 80, 86, 89, 90, 100, 120].map(blocks), [32, 16, 32, 16, 24, 32, 32, 24]);
        let shared = |cc| machine(cc).unwrap().occupancy(16, 40 * 1024, 64).blocks;
        assert_eq!([70, 75, 80, 86, 89, 90, 100, 120].map(shared), [2, 1, 4, 2, 2, 5, 5, 2]);
        assert_eq!(machine(61), None);
    }
}
