//! Rates of a device, as far as an estimate needs them.
//!
//! Figures of the H100 were measured on an H100 SXM (80 GB, CUDA 13.0) with small kernels of one instruction or access
//! each, unless their line says otherwise. Of other devices SMs, clock, peak of the memory, sizes of the caches and the
//! rates of f32 and f64 are those of NVIDIA's architecture whitepapers (V100, T4, A100, GA102, AD102, B200, RTX Blackwell);
//! a copy is [`COPY_SHARE`] of the peak; their L2 rates are rough, and all else is the H100's.

use super::crossing::Crossing;
use crate::target::{COPY_SHARE, Machine};

/// A device: its [`Machine`], which says what fits, and its rates. Rates without a unit are per second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Device {
    pub machine: Machine,
    /// A product of that kind, for people.
    pub name: &'static str,
    /// Streaming multiprocessors.
    pub sms: u32,
    /// Cycles, under load.
    pub clock: f64,
    /// Bytes that a copy reads and writes in device memory.
    pub copy_rate: f64,
    /// How many times as long bytes take that lie scattered over it.
    pub scattered: f64,
    /// Bytes that memory and L2 move at least: neighbouring sectors.
    pub unit: f64,
    /// Bytes of the L2 cache.
    pub l2_bytes: f64,
    /// Bytes that all SMs read from the L2 cache.
    pub l2_rate: f64,
    /// How many times as long a sector takes there of which a store fills only part.
    pub partial: f64,
    /// Bytes a cycle between one SM and the L2 cache.
    pub sm_l2_rate: f64,
    /// Bytes of the memory that L1 and shared memory of an SM divide.
    pub l1_bytes: f64,
    /// Bytes a cycle that an SM reads of its shared memory or L1.
    pub shared_rate: f64,
    /// Fused multiplications and additions of a thread, a cycle and SM.
    pub f32_rate: f64,
    pub f64_rate: f64,
    /// Integer additions of a thread, a cycle and SM.
    pub int_rate: f64,
    /// Instructions of a thread that an SM issues in a cycle: four warps'.
    pub issue_rate: f64,
    /// Cycles until a load from device memory, L2, shared memory has arrived.
    pub memory_latency: f64,
    pub l2_latency: f64,
    pub shared_latency: f64,
    /// Cycles of a barrier of a block of 256 threads.
    pub block_barrier: f64,
    /// Nanoseconds of a launch, and of a barrier of the whole grid.
    pub launch_ns: f64,
    pub grid_barrier_ns: f64,
    /// Nanoseconds in which the device starts one more block.
    pub block_start_ns: f64,
    /// Atomic updates: of one element, of each line of 128 bytes that they fall on, and at most.
    pub atomic_same: f64,
    pub atomic_line: f64,
    pub atomic_most: f64,
}

const MIB: f64 = 1024.0 * 1024.0;

impl Device {
    /// The usual device of that machine; of compute capability 9.0, an H100 SXM.
    pub fn of(machine: &Machine) -> Device {
        let base = Device::h100(machine);
        // Name, SMs, clock, peak of the memory, L2: its bytes and its rate, L1, f32 and f64 a cycle.
        let (name, sms, clock, peak, l2_mib, l2_rate, l1_kib, f32_rate, f64_rate) = match machine.capability {
            70 => ("V100", 80, 1.53e9, 0.9e12, 6.0, 2.2e12, 128.0, 64.0, 32.0),
            75 => ("T4", 40, 1.59e9, 0.32e12, 4.0, 1.2e12, 96.0, 64.0, 2.0),
            80 => ("A100", 108, 1.41e9, 1.555e12, 40.0, 4.4e12, 192.0, 64.0, 32.0),
            86 => ("RTX 3090", 82, 1.70e9, 0.936e12, 6.0, 2.0e12, 128.0, 128.0, 2.0),
            89 => ("RTX 4090", 128, 2.52e9, 1.008e12, 72.0, 5.0e12, 128.0, 128.0, 2.0),
            100 => ("B200", 148, 1.85e9, 8.0e12, 126.0, 12.0e12, 256.0, 128.0, 64.0),
            120 => ("RTX 5090", 170, 2.41e9, 1.79e12, 96.0, 8.0e12, 128.0, 128.0, 2.0),
            _ => return base,
        };
        Device {
            name,
            sms: machine.sms.unwrap_or(sms),
            clock,
            copy_rate: COPY_SHARE * peak,
            l2_bytes: l2_mib * MIB,
            l2_rate,
            l1_bytes: l1_kib * 1024.0,
            f32_rate,
            f64_rate,
            ..base
        }
    }

    /// The device of that machine that a driver calls so: `NVIDIA H200`.
    pub fn named(name: &str, machine: &Machine) -> Device {
        if machine.capability == 90 && name.contains("H200") { Device::h200(machine) } else { Device::of(machine) }
    }

    fn h100(machine: &Machine) -> Device {
        Device {
            machine: *machine,
            name: "H100 SXM",
            sms: machine.sms.unwrap_or(132),
            // Where 60.8 TFLOP/s (f32) and 32.0 (f64) were measured on an H200, the same chip.
            clock: 1.8e9,
            // Measured: 2 GiB copied, of 3.35 TB/s.
            copy_rate: 3.05e12,
            // Measured: 2^26 gathered words over 64 MB to 4 GB take 2.3 ms, at 64 bytes each.
            scattered: 1.6,
            // Measured: loads 64 and 128 bytes apart take as long, loads 32 bytes apart half of it.
            unit: 64.0,
            l2_bytes: 50.0 * MIB,
            // Measured: 16 to 40 MB read again and again.
            l2_rate: 7.3e12,
            // Measured: 2^28 words stored each to a sector of its own, in a transposition, take 4.7 ms.
            partial: 4.0,
            sm_l2_rate: 64.0,
            l1_bytes: 256.0 * 1024.0,
            // The guide's "Shared Memory": 32 banks of 4 bytes.
            shared_rate: 128.0,
            // The guide's table of arithmetic throughput.
            f32_rate: 128.0,
            f64_rate: 64.0,
            int_rate: 64.0,
            issue_rate: 128.0,
            // Measured: 8,000 dependent loads over 1 GB, and over 16 MB.
            memory_latency: 680.0,
            l2_latency: 300.0,
            // Luo et al., "Benchmarking and Dissecting the Nvidia Hopper GPU Architecture via Microbenchmarking".
            shared_latency: 30.0,
            // Measured: 13 cycles of 32 threads, 27 of 256, 75 of 1024.
            block_barrier: 27.0,
            launch_ns: Crossing::LAUNCH as f64,
            grid_barrier_ns: Crossing::GRID_BARRIER as f64,
            // Measured: 836,000 more empty blocks of 32 to 512 threads take 503 us longer.
            block_start_ns: 0.602,
            // Measured: 1.37 G/s of one word, 3 of 256, 33 of 4,096, 87 of a million.
            atomic_same: 1.37e9,
            atomic_line: 0.35e9,
            atomic_most: 87e9,
        }
    }

    fn h200(machine: &Machine) -> Device {
        // Measured: 2 GiB copied, of 4.8 TB/s.
        Device { name: "H200", copy_rate: 4.29e12, ..Device::h100(machine) }
    }
}
