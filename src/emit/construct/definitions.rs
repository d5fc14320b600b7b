//! Definitions: kernels, phases, device functions, their parameters, and the file of them.

use serde::Serialize;
use std::collections::BTreeSet;

spelled! {
    ArrayParameter "array_parameter"
    BarrierParameter "barrier_parameter"
    CudaFile<'a> "cuda_file"
    Function<'a> "function"
    Kernel "kernel"
    OnChipParameter "on_chip_parameter"
    Phase "phase"
    ScalarParameter "scalar_parameter"
}

/// The `.cu` of a C file.
#[derive(Serialize)]
pub struct CudaFile<'a> {
    /// Ours.
    pub version: &'static str,
    /// The C file.
    pub source: &'a str,
    /// The runtime's headers that it needs.
    pub headers: BTreeSet<&'static str>,
    /// The definitions, laid out.
    pub parts: Vec<String>,
}

/// A kernel.
#[derive(Serialize)]
pub struct Kernel {
    /// Its purpose and ways, a line each.
    pub notes: Vec<String>,
    /// The type of positions, where the call chooses it.
    pub position: Option<&'static str>,
    pub tunables: Vec<String>,
    /// The factors of the number of threads of a block, where the compiler must know it.
    pub threads: Vec<String>,
    /// Launch bounds: blocks of a processor that registers leave room for; one: threads may have all of them.
    pub resident: Option<String>,
    pub name: String,
    pub parameters: Vec<String>,
    pub body: String,
}

/// A phase of a resident kernel.
#[derive(Serialize)]
pub struct Phase {
    /// Its purpose.
    pub note: String,
    /// The type of positions, where the call chooses it.
    pub position: Option<&'static str>,
    pub tunables: Vec<String>,
    pub name: String,
    pub parameters: Vec<String>,
    pub body: String,
}

/// A function of the user's that kernels call.
#[derive(Serialize)]
pub struct Function<'a> {
    /// The C file, the line in it, and the name there.
    pub file: &'a str,
    pub line: u32,
    pub c_name: &'a str,
    /// Type of its result.
    pub r#type: &'static str,
    pub name: String,
    pub parameters: Vec<String>,
    pub body: String,
}

/// A number that a kernel, phase, function or entry takes.
#[derive(Serialize)]
pub struct ScalarParameter {
    pub is_const: bool,
    pub r#type: &'static str,
    pub name: String,
}

/// An array that a kernel or phase takes.
#[derive(Serialize)]
pub struct ArrayParameter {
    /// Use of it: `in`, `out`, `inout`, or `exchanged` among threads.
    pub usage: &'static str,
    /// Test that accesses beyond what is there are held back.
    pub is_held: bool,
    /// The elements' type.
    pub r#type: &'static str,
    pub name: String,
}

/// An array of the thread on chip that a phase takes.
#[derive(Serialize)]
pub struct OnChipParameter {
    /// The elements' type.
    pub r#type: &'static str,
    /// The threads of a block.
    pub threads: &'static str,
    pub name: String,
    /// Flag: its elements are rows of a sparse matrix.
    pub are_rows: bool,
}

/// The barrier of all blocks that a resident kernel takes.
#[derive(Serialize)]
pub struct BarrierParameter {
    /// Way in which blocks wait for each other: `cooperative`, `lock_free`, `relaxed`, `asynchronous`.
    pub sync: String,
    /// Flag: it also tells the blocks that the program was asked to end.
    pub is_interruptible: bool,
}
