//! Holds a kernel to the contract of the kernel IR. A finding is a fault of this tool, never of the user's program.
//!
//! What cannot be decided from the text of one kernel is left to the polyhedral stage, which proves it, and to the
//! simulation, which runs it; a check below that is weaker than its invariant says so.
//!
//! # Shape (`shape`)
//! - Grid and block have one to three dimensions; `g`, `t` and `n` name none beyond them; `index` is 32 or 64.
//! - `goes_on` stands in a resident kernel.
//! - Grid, block and the extents of arrays are arithmetic over scalars and tunables; those of shared arrays and
//!   of arrays of the thread over tunables alone. A resident kernel has a grid of one dimension.
//! - At the tunables' default values a block has at most 1024 threads, extents are positive, and shared memory
//!   takes at most 48 KiB; or 227 KiB where the arrays of a kernel that is not resident are all declared at its head: the
//!   launch asks for them, and a device may have fewer. An asynchronous copy has 4, 8 or 16 bytes, and a wait leaves no negative number of groups.
//! - The groups of a `join` are over constants and tunables, and fill the block at these values.
//! - Loops are unrolled by positive numbers or tunables, and registers suffice for as many blocks or threads.
//! - A product of matrices is of a shape that there is, with as many elements as a thread holds, in a block of whole warps.
//!
//! # Names (`names`)
//! - A name is declared before its use, in its scope, and once: nothing shadows. Sibling scopes may use a name again.
//! - Scalars are used as scalars and arrays with as many subscripts as they have extents. Only `let` variables are
//!   assigned (in a function its parameters, too), with an operator that has a compound assignment.
//! - `reads` arrays are never stored to. What a kernel loads of a `writes` array, it stored itself: some store to the
//!   array stands before the load, or in a loop around it. A compound assignment and an atomic load as well.
//! - A vector is an array of the thread of one extent, and of the type of the row that it comes from or goes to. A copy
//!   goes from an array in `reads` to a shared one of its type. What is asked to be `aligned` is in global memory; asking
//!   loads nothing.
//! - A product of matrices adds to elements of one array of the thread, of `double`.
//! - `break` and `continue` stand in a loop; `return` stands in a function. A function has no positions, shared
//!   memory, barriers or atomics, and touches no array but its own. Its calls pass as many values as it has
//!   parameters.
//!
//! # Barriers (`barriers`)
//! - `barrier`, `block_reduce`, `join` and `scan` are reached by all threads of a block or by none: no control around them
//!   depends on the thread, nor does what a `scan` carries on. A value depends on the thread if it comes from `t` of a dimension that is not 1, from global memory
//!   that the kernel writes, from any memory at a place that depends on the thread, or from a variable or local array
//!   assigned such a value or under such control. A loop depends if its bounds do, or a jump out of it or on in it.
//! - An `mma` is reached by all threads of a warp or by none. Decided is more: by all threads of a block, or none.
//! - A phase stands in a resident kernel, and holds no other phase and no barrier of the grid.
//! - `grid_barrier` stands in a resident kernel alone, and is reached by all threads of the grid or by none: the same
//!   rule, with the position of the block counted among what differs. What a block joins into shared memory differs if
//!   its terms do at the same thread of another block.
//! - An array of one element that a resident kernel writes is, between two barriers of the grid, either loaded by any
//!   threads or stored to by one: so every thread loads the same, and control may depend on it.
//! - What a thread loads from a shared array was stored before on some path. Between two barriers, no store meets a
//!   load or another store of the same array, in either order. Exempt are the same subscripts where they, or the
//!   control, depend on the thread (its own element); the loads of the very statement that stores (a tree reduction
//!   halves its range); two atomics; and subscripts of which one, the same for all threads, differs: stages that take
//!   turns (`barriers/stages.rs`). Of vectors the first elements are compared: of another's the rest is the simulation's.
//! - An asynchronous copy is a store that lasts until a wait has let its group arrive, and from then one of the interval
//!   of the wait: between it and a load stand the commit, the wait, and for other threads a barrier. Each is waited for.
//!   All threads of a block, or none, reach `commit_copies` and `wait_copies`. Groups that a wait leaves under way, and
//!   copies that meet copies, are trusted to be of other stages (`barriers/copies.rs`).
//!
//! # Ownership (`ownership`)
//! - A store to a global array is made by one thread of the grid. Decided is a necessary condition: each dimension of
//!   grid and block that may hold more than one reaches a subscript of the target (through variables, bounds of
//!   loops, conditions), or is pinned by an enclosing `if` with `==`, `!`, `<= 0` or `< 1`. A `block_reduce` needs it
//!   of the grid. That vectors of neighbours do not overlap is not decided.

use super::{Expr, Function, Kernel, Tunable};
use crate::diag::Stop;
use finding::Findings;

mod barriers;
mod finding;
mod names;
mod ownership;
mod shape;

pub use finding::Finding;
pub use shape::MAX_LAUNCH_SHARED;

/// Everything that is wrong with a kernel. `functions` are those that the region's kernels may call.
pub fn kernel(kernel: &Kernel, functions: &[Function]) -> Vec<Finding> {
    let mut findings = Findings::default();
    shape::check(kernel, &mut findings);
    names::check_kernel(kernel, functions, &mut findings);
    barriers::check(kernel, &mut findings);
    ownership::check(kernel, &mut findings);
    for tunables in [&kernel.larger, &kernel.smaller].into_iter().filter(|tunables| !tunables.is_empty()) {
        check_instance(kernel, tunables, functions, &mut findings);
    }
    findings.0
}

/// Holds a kernel to the contract with other values of its tunables, too.
fn check_instance(usual: &Kernel, tunables: &[Tunable], functions: &[Function], findings: &mut Findings) {
    if !tunables.iter().map(|t| &t.name).eq(usual.tunables.iter().map(|t| &t.name)) {
        findings.add(None, "another size of the kernel has other tunables".into());
        return;
    }
    let instance = usual.with(tunables);
    if launch_shared(&instance).is_some() != launch_shared(usual).is_some() {
        findings.add(None, "of two sizes of the kernel, one alone asks for shared memory at its launch".into());
    }
    for finding in kernel(&instance, functions) {
        if !findings.0.contains(&finding) {
            findings.0.push(finding);
        }
    }
}

/// Everything that is wrong with a device function.
pub fn function(function: &Function, functions: &[Function]) -> Vec<Finding> {
    let mut findings = Findings::default();
    names::check_function(function, functions, &mut findings);
    findings.0
}

/// The number of threads in a block of a kernel when nobody tunes it.
pub fn usual_threads(kernel: &Kernel) -> Option<i64> {
    shape::threads(kernel)
}

/// The value of an expression when nobody tunes the kernel, where that decides it.
pub fn usual_value(kernel: &Kernel, e: &Expr) -> Option<i64> {
    shape::default_value(kernel, e)
}

/// The bytes of shared memory that a block takes when nobody tunes it.
pub fn usual_shared(kernel: &Kernel) -> i64 {
    shape::shared(kernel)
}

/// The bytes of shared memory that a launch asks for when nobody tunes the kernel, if they are more than the compiler
/// finds room for.
pub fn launch_shared(kernel: &Kernel) -> Option<i64> {
    shape::launch_shared(kernel)
}

/// Checks what a pass made.
///
/// # Errors
/// [`Stop::Bug`] with every finding, under the name of the pass and of the kernel or function.
pub fn after_pass(pass: &str, kernels: &[Kernel], functions: &[Function]) -> Result<(), Stop> {
    let of_kernels = kernels.iter().map(|k| (&k.name, self::kernel(k, functions)));
    let of_functions = functions.iter().map(|f| (&f.name, self::function(f, functions)));
    let report: String = of_functions
        .chain(of_kernels)
        .flat_map(|(name, findings)| findings.into_iter().map(move |finding| format!("\n  {name}: {finding}")))
        .collect();
    if report.is_empty() {
        Ok(())
    } else {
        Err(Stop::Bug(format!("{pass}: the kernel IR breaks its contract{report}")))
    }
}
