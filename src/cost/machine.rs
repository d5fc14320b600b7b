//! Rates of a device, as far as an estimate needs them: the tables of `src/cost/figures.rs`, as fields.

use super::crossing::Crossing;
use super::figures::Table;
use crate::target::Machine;

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

impl Device {
    /// The usual device of that machine; of compute capability 9.0, an H100 SXM.
    pub fn of(machine: &Machine) -> Device {
        Device::named("", machine)
    }

    /// The device of that machine that a driver calls so: `NVIDIA H200`.
    pub fn named(name: &str, machine: &Machine) -> Device {
        let table = Table::of(machine.capability, name);
        let figure = |name| table.figure(name);
        Device {
            machine: *machine,
            name: &table.name,
            sms: machine.sms.unwrap_or(figure("sms") as u32),
            clock: figure("clock"),
            copy_rate: figure("copy_rate"),
            scattered: figure("scattered"),
            unit: figure("unit"),
            l2_bytes: figure("l2_bytes"),
            l2_rate: figure("l2_rate"),
            partial: figure("partial"),
            sm_l2_rate: figure("sm_l2_rate"),
            l1_bytes: figure("l1_bytes"),
            shared_rate: figure("shared_rate"),
            f32_rate: figure("f32_rate"),
            f64_rate: figure("f64_rate"),
            int_rate: figure("int_rate"),
            issue_rate: figure("issue_rate"),
            memory_latency: figure("memory_latency"),
            l2_latency: figure("l2_latency"),
            shared_latency: figure("shared_latency"),
            block_barrier: figure("block_barrier"),
            launch_ns: Crossing::launch() as f64,
            grid_barrier_ns: Crossing::grid_barrier() as f64,
            block_start_ns: figure("block_start_ns"),
            atomic_same: figure("atomic_same"),
            atomic_line: figure("atomic_line"),
            atomic_most: figure("atomic_most"),
        }
    }
}
