//! Statements, of kernels, device functions and the host. Each has the line of the user's C that it comes from, 0 for none.

use serde::Serialize;

spelled! {
    Assign "assign"
    Atomic "atomic"
    Barrier "barrier"
    BlockReduce "block_reduce"
    Break "break"
    CommitCopies "commit_copies"
    Continue "continue"
    CopyAsync "copy_async"
    Declaration "declaration"
    GridBarrier "grid_barrier"
    GridWait "grid_wait"
    If "if"
    Join "join"
    LoadVector "load_vector"
    LocalArray "local_array"
    Loop "loop"
    Mma "mma"
    OnChip "on_chip"
    PhaseCall "phase_call"
    Return "return"
    ScanBlocks "scan_blocks"
    SharedArray "shared_array"
    StoreVector "store_vector"
    WaitCopies "wait_copies"
    WarpScan "warp_scan"
    While "while"
}

/// A condition around blocks.
#[derive(Serialize)]
pub struct If {
    pub line: u32,
    pub condition: String,
    /// The block where it holds.
    pub then: String,
    /// The block where it does not; empty for none.
    pub other: String,
    /// That block is another condition and nothing else.
    pub is_chained: bool,
}

/// A counted loop.
#[derive(Serialize, Default)]
pub struct Loop {
    pub line: u32,
    /// Wholly unrolled by the compiler.
    pub is_unrolled: bool,
    /// How many iterations it is to unroll: a number or a tunable.
    pub unrolled_by: Option<String>,
    /// The counter and its type.
    pub name: String,
    pub r#type: &'static str,
    /// The counter's first value.
    pub first: String,
    /// The condition under which it goes on.
    pub holds: String,
    /// Step of the counter; `None` for 1.
    pub step: Option<String>,
    pub body: String,
}

/// A loop whose end the data decide.
#[derive(Serialize)]
pub struct While {
    pub line: u32,
    pub condition: String,
    /// Flag: it also ends once an access was held back.
    pub is_watched: bool,
    /// Statement of its head after each iteration.
    pub steps: Vec<Assignment>,
    pub body: String,
}

/// An assignment as an expression.
#[derive(Serialize)]
pub struct Assignment {
    /// The variable or element.
    pub target: String,
    /// The operator before `=`; empty for none.
    pub operator: &'static str,
    pub value: String,
}

/// An assignment.
#[derive(Serialize)]
pub struct Assign {
    pub line: u32,
    #[serde(flatten)]
    pub assignment: Assignment,
}

/// The declaration of a variable.
#[derive(Serialize)]
pub struct Declaration {
    pub line: u32,
    pub is_const: bool,
    pub r#type: &'static str,
    pub name: String,
    /// Its first value, where it has one.
    pub value: Option<String>,
}

/// An array of the thread.
#[derive(Serialize)]
pub struct LocalArray {
    pub line: u32,
    /// The elements' type.
    pub r#type: &'static str,
    pub name: String,
    pub extents: Vec<String>,
}

/// An array of the thread that stays on chip.
#[derive(Serialize)]
pub struct OnChip {
    pub line: u32,
    /// The elements' type.
    pub r#type: &'static str,
    pub name: String,
    /// The threads of a block, and how many elements each has of every such array.
    pub threads: &'static str,
    pub slots: &'static str,
    /// Bytes that those before it take for each element; of rows, all that are none.
    pub before: i64,
    pub rows: Option<OnChipRows>,
}

/// Rows of a sparse matrix on chip: how many of them, entries of the longest, and bytes that those before take for each entry.
#[derive(Serialize)]
pub struct OnChipRows {
    pub kept: &'static str,
    pub longest: &'static str,
    pub before: i64,
}

/// An array of the block.
#[derive(Serialize)]
pub struct SharedArray {
    pub line: u32,
    /// The elements' type.
    pub r#type: &'static str,
    pub name: String,
    pub extents: Vec<String>,
    /// Memory that the launch asks for.
    pub is_of_launch: bool,
    /// The array before it in the launch's memory.
    pub behind: Option<String>,
}

/// An update of an element that others update, too.
#[derive(Serialize)]
pub struct Atomic {
    pub line: u32,
    /// The runtime's type of the operator.
    pub operator: &'static str,
    pub target: String,
    pub value: String,
}

/// A vector of neighbours in memory, loaded into an array of the thread.
#[derive(Serialize)]
pub struct LoadVector {
    pub line: u32,
    /// That some of its elements may not have been written.
    pub is_part: bool,
    /// The array of the thread.
    pub array: String,
    /// Where the vector lies: the array or its row, and the subscript in it.
    pub row: String,
    pub at: String,
}

/// An array of the thread, stored as a vector of neighbours in memory.
#[derive(Serialize)]
pub struct StoreVector {
    pub line: u32,
    /// Where the vector lies: the array or its row, and the subscript in it.
    pub row: String,
    pub at: String,
    /// The array of the thread.
    pub array: String,
}

/// An asynchronous copy of neighbours to an array of the block.
#[derive(Serialize)]
pub struct CopyAsync {
    pub line: u32,
    /// Elements.
    pub count: String,
    /// The array or its row that is written, and the first subscript in it.
    pub to_row: String,
    pub to_at: String,
    /// The array or its row that is read, and the first subscript in it.
    pub from_row: String,
    pub from_at: String,
}

/// The end of a stage of asynchronous copies.
#[derive(Serialize)]
pub struct CommitCopies {
    pub line: u32,
}

/// The wait for stages of asynchronous copies.
#[derive(Serialize)]
pub struct WaitCopies {
    pub line: u32,
    /// Stages that may still be under way.
    pub pending: String,
}

/// A product of matrices that a warp holds.
#[derive(Serialize)]
pub struct Mma {
    pub line: u32,
    /// Rows, columns and the extent that is summed over: `16x8x4`.
    pub shape: String,
    /// The elements of the thread: those that are added to, then the factors.
    pub operands: Vec<String>,
}

/// A value joined among the threads that share an element.
#[derive(Serialize)]
pub struct Join {
    pub line: u32,
    /// The variable of each thread.
    pub name: String,
    /// The runtime's type of the operator.
    pub operator: &'static str,
    /// How many threads share it, and how far apart they are.
    pub extent: String,
    pub stride: String,
}

/// A value joined among all threads of the block, stored by the first.
#[derive(Serialize)]
pub struct BlockReduce {
    pub line: u32,
    pub r#type: &'static str,
    /// The variable of the joined values.
    pub joined: String,
    /// The runtime's type of the operator.
    pub operator: &'static str,
    /// How many are joined, if that is more than one.
    pub several: Option<usize>,
    pub values: Vec<String>,
    /// Where each goes.
    pub targets: Vec<String>,
    /// The thread's indices in the block.
    pub indices: Vec<String>,
}

/// A variable joined over the threads of each warp in their order, and what is carried from one time to the next.
#[derive(Serialize)]
pub struct WarpScan {
    pub line: u32,
    /// The variable of each thread, and the one that all of a warp have the same.
    pub name: String,
    pub carry: String,
    /// The runtime's type of the operator.
    pub operator: &'static str,
}

/// A variable joined over all warps before a thread's, of all blocks.
#[derive(Serialize)]
pub struct ScanBlocks {
    pub line: u32,
    pub name: String,
    /// The runtime's type of the operator.
    pub operator: &'static str,
    /// The array by which blocks tell each other.
    pub slots: String,
    /// Number of the block, and what the first one begins with.
    pub block: String,
    pub start: String,
}

/// The wait of a block's threads for each other.
#[derive(Serialize)]
pub struct Barrier {
    pub line: u32,
}

/// The wait of all blocks for each other.
#[derive(Serialize)]
pub struct GridBarrier {
    pub line: u32,
}

/// The wait of a block for those beside it.
#[derive(Serialize)]
pub struct GridWait {
    pub line: u32,
    /// Number of blocks beside each other along each dimension but the first.
    pub across: Vec<String>,
}

/// The end of the loop around.
#[derive(Serialize)]
pub struct Break {
    pub line: u32,
}

/// The end of this iteration of the loop around.
#[derive(Serialize)]
pub struct Continue {
    pub line: u32,
}

/// The end of a kernel or function.
#[derive(Serialize)]
pub struct Return {
    pub line: u32,
    pub value: Option<String>,
}

/// The call of a phase.
#[derive(Serialize)]
pub struct PhaseCall {
    pub line: u32,
    pub name: String,
    /// The kernel's tunables, which are the phase's, too.
    pub tunables: Vec<String>,
    pub arguments: Vec<String>,
}
