//! The host plan of a region: what its `extern "C"` entry point does, in order.
//!
//! The entry returns 1 when it did the region's work, and 0 when a [`Guard`] says that this call is outside what
//! was proved (arrays that overlap, an extent that is negative ...): then the original C, which stays in the file
//! right after the call, runs instead.

use super::choice::{Instances, Select};
use super::guard::Guard;
use crate::ast;
use crate::kernel::{Expr, Function, Kernel, ScalarType, Stmt, Tunable, walk};
use crate::library::call::Call;
use crate::schedule::mapping::Mapping;
use crate::source::Span;
use indexmap::IndexMap;
use std::collections::{BTreeMap, BTreeSet};

/// A converted region.
#[derive(Debug, Clone, PartialEq)]
pub struct Region {
    /// The user's name for it, or `<function>_<n>`: unique in the program, a C identifier.
    pub name: String,
    /// The C function it stands in.
    pub function: String,
    /// Its statements in the preprocessed text, from the first to the end of the last.
    pub span: Span,
    /// The entry's parameters, in order.
    pub params: Vec<Param>,
    /// In the user's C: without it what the call hands over may not be there.
    pub only_if: Option<String>,
    /// Checked in order before anything else happens.
    pub guards: Vec<Guard>,
    /// What a call is weighed by before the device is asked for anything.
    pub offload: Option<OffloadEstimate>,
    /// Numbers that the entry computes next: how long the rows are that it reaches through pointers.
    pub lengths: Vec<(String, Expr)>,
    /// Every array that lives on the device during the region, device scalars (no extents) included.
    pub arrays: Vec<Array>,
    pub body: Vec<HostStmt>,
    pub kernels: Vec<Kernel>,
    /// Pairs of kernels, by position, of which neither waits for the other within an iteration of the host's loops
    /// around both.
    pub unordered: Vec<(usize, usize)>,
    /// Greatest distance between iterations of two kernels that touch the same element, whatever the loops around them
    /// count: along each dimension of the grid, by the kernels' positions. Of others nobody knows. Found where kernels are to
    /// wait for those blocks alone that they depend on.
    pub apart: BTreeMap<(usize, usize), Vec<i64>>,
    /// The host's variables that count partial results, each with the kernel, by position, whose blocks leave one each.
    pub partial_counts: Vec<(String, usize)>,
    /// Kernels, by position, that a call takes for its sizes alone, where loops of their threads are short or threads many.
    pub by_sizes: BTreeSet<usize>,
    /// The mappings of kernels, by name. A resident kernel has those of the kernels whose place it takes.
    pub mappings: IndexMap<String, Mapping>,
    /// Choices that a configuration has for a kernel, by its name.
    pub choices: IndexMap<String, Choices>,
    pub functions: Vec<Function>,
    /// Flag: a call whose arrays do not fit on the device runs the original C too; else it ends the program.
    pub original_if_too_large: bool,
    /// Pointers of the user's that point elsewhere after the region.
    pub rotation: Option<Rotation>,
    /// Places of the user's that the original moves along their arrays, and the region does not.
    pub walked: Vec<String>,
    /// Those of them that are read behind the region, and what they are there, in C: the call site sets them.
    pub ends: Vec<(String, String)>,
    /// What the call reads on the host, and what it writes there beside the arrays.
    pub reads: Vec<ast::Expr>,
    pub writes: Vec<ast::Expr>,
    /// Flag: arrays may find what is on the device, and leave there what the region does.
    pub leaves: bool,
    /// Flag: so they may where nobody knows what the host touches: their pages are closed to it.
    pub closes_pages: bool,
    /// Flag: the caller has the arrays on the device: the entry takes their addresses there.
    pub on_device: bool,
    /// An array that is only read and one that is written, which may begin at one address on the host.
    pub coinciding: Vec<(String, String)>,
}

/// Pointers that the region leaves permuted: the call site gives them their new values.
#[derive(Debug, Clone, PartialEq)]
pub struct Rotation {
    /// The [`Param::ScalarInOut`], an `int` that the call site declares, in which the entry leaves the turn.
    pub turn: String,
    /// The user's lvalues.
    pub pointers: Vec<String>,
    /// For each turn, whose buffer before the region each pointer holds.
    pub turns: Vec<Vec<usize>>,
}

/// A parameter of the entry point.
#[derive(Debug, Clone, PartialEq)]
pub enum Param {
    /// By value. `c_expr` is what the call site passes, in the user's C; `written` the same as a person would write it, and
    /// `denied` its opposite, where it is a truth value.
    Scalar { name: String, ty: ScalarType, c_expr: String, written: String, denied: Option<String> },
    /// By address: a scalar of the user's that the region writes. The entry reads it into a variable `name` at the
    /// start, and writes that variable back at the end. `c_expr` is the lvalue, without `&`. `is_wanted`: someone may read it behind
    /// the region; what the region keeps in it for itself need not be what the original leaves there.
    ScalarInOut { name: String, ty: ScalarType, c_expr: String, handed: Handed, is_wanted: bool },
    /// Where a scalar lies that may be an element of an array, passed as `const void *`. `c_expr` is the lvalue.
    Place { name: String, ty: ScalarType, c_expr: String, is_written: bool },
    /// An array, passed as `void *` (or `const void *`). `c_expr` is what decays to its first element's address.
    Array { name: String, c_expr: String, is_const: bool },
}

/// Address of a scalar that the call site hands over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Handed {
    /// That of the variable.
    Itself,
    /// That of a copy, which has the variable's value or, where the region sets it anyway, none.
    Copy { has_value: bool },
}

impl Param {
    /// Its name in the entry.
    pub fn name(&self) -> &str {
        match self {
            Param::Scalar { name, .. }
            | Param::ScalarInOut { name, .. }
            | Param::Place { name, .. }
            | Param::Array { name, .. } => name,
        }
    }

    /// The user's C for what the call site hands over, or hands the address of.
    pub fn c_expr(&self) -> &str {
        match self {
            Param::Scalar { c_expr, .. }
            | Param::ScalarInOut { c_expr, .. }
            | Param::Place { c_expr, .. }
            | Param::Array { c_expr, .. } => c_expr,
        }
    }
}

/// Choices of a configuration for a kernel.
#[derive(Debug, Clone, PartialEq)]
pub struct Choices {
    /// The strategies that serve its nest, that of its mapping first.
    pub strategies: Vec<&'static str>,
    /// The extents of its loops, by which it may have other settings.
    pub extents: Vec<String>,
}

impl Region {
    /// Test that something in it may stay, and nothing in it asks for the host's memory or runs it again from the start.
    pub fn may_leave(&self) -> bool {
        let mut is_whole = true;
        visit(&self.body, &mut |s| is_whole &= !matches!(s, HostStmt::Print { .. } | HostStmt::GiveUp { .. }));
        is_whole && self.arrays.iter().any(Array::may_stay)
    }

    /// Test for an array whose pages are closed to the host while the device alone has what belongs there.
    pub fn is_guarded(&self, a: &Array) -> bool {
        let is_plain = a.rows.is_none() && a.own.is_none() && !self.on_device;
        is_plain && self.closes_pages && a.may_stay()
    }

    /// Test that a loop of it ends once the program is asked to.
    pub fn is_interruptible(&self) -> bool {
        let mut looks = self.kernels.iter().any(|k| walk::look_for_end(&k.body));
        visit(&self.body, &mut |s| {
            looks |= match s {
                HostStmt::While { cond, .. } => cond.any(&mut |e| *e == Expr::GoesOn),
                HostStmt::Compute(s) => walk::look_for_end(std::slice::from_ref(s)),
                _ => false,
            }
        });
        looks
    }

    /// Every name of the region and its kernels.
    pub fn names(&self) -> Vec<String> {
        let mut out: Vec<String> = self.params.iter().map(|p| p.name().to_string()).collect();
        out.extend(self.arrays.iter().map(|a| a.name.clone()));
        out.extend(self.kernels.iter().flat_map(Kernel::names));
        visit(&self.body, &mut |s| out.extend(s.declares().map(|(name, _)| name.to_string())));
        out
    }
}

/// Estimate by which a call is offloaded or not: what a core of the host does in it, and how long a device waits from one phase to
/// the next.
#[derive(Debug, Clone, PartialEq)]
pub struct OffloadEstimate {
    /// Knowledge of what statements take. Else only how often those run is of use of which nobody knows it.
    pub is_known: bool,
    pub runs: Vec<Runs>,
    pub waits: Vec<Waits>,
    /// The region that has all its calls in it, and what they save in what its own do.
    pub within: Option<String>,
}

/// Launches, or barriers of a resident kernel, that are made equally often.
#[derive(Debug, Clone, PartialEq)]
pub struct Waits {
    /// How often each loop of the host around them runs.
    pub counts: Vec<Expr>,
    /// Nanoseconds, of all together.
    pub ns: i64,
}

/// Statements that run equally often.
#[derive(Debug, Clone, PartialEq)]
pub struct Runs {
    /// How often each loop around them runs at most: a number that is negative means never.
    pub counts: Vec<Expr>,
    /// Of so many such runs they make one: loops in a triangle go through half of the square.
    pub one_of: i64,
    /// Iterations of the innermost loop that a compiler does at once.
    pub at_once: i64,
    pub statements: i64,
    /// In one iteration; `None`: functions of the user's are called.
    pub operations: Option<i64>,
    pub accesses: i64,
}

/// An array on the device.
#[derive(Debug, Clone, PartialEq)]
pub struct Array {
    pub name: String,
    pub ty: ScalarType,
    /// Outermost first, over the entry's scalars: the space that is allocated.
    pub extents: Vec<Expr>,
    /// Flag: the host has it: an [`Param::Array`] of the same name, or for a device scalar a variable, which is a
    /// [`Param::ScalarInOut`] or, when the region declares it, the entry's own. A temporary of the region has only the
    /// device's copy.
    pub on_host: bool,
    /// The range of elements (first, one past the last; row-major positions) that the region may read before it
    /// writes them, and that it may write: what copies move and what verification compares. `None`: nothing.
    pub live_in: Option<(Expr, Expr)>,
    pub live_out: Option<(Expr, Expr)>,
    /// Where the host reaches its rows through pointers: what of each is live; the ranges above are those around all of
    /// it on the device.
    pub rows: Option<Rows>,
    /// Reason for which it comes home at each call; `None`: the device has, behind the region, what the host is to see of it.
    pub not_kept: Option<NotKept>,
    /// Types of the numbers that lie between its own, in structures.
    pub beside: Vec<ScalarType>,
    /// Numbers that go home, where the region writes others of another type between them in structures.
    pub own: Option<Own>,
    /// Flag: nobody reads what the region writes in it: it stays where it is, and the host's is as it was before.
    pub is_scratch: bool,
    /// Question that the call asks about the memory behind its pointer; `None`: the program's text says it.
    pub reach: Option<Reach>,
}

/// Numbers of one type in a structure: which of the `count` that it has room for.
#[derive(Debug, Clone, PartialEq)]
pub struct Own {
    pub count: i64,
    pub positions: Vec<i64>,
}

/// Questions of a call about the memory behind an array's pointer; where it does not, the original runs.
#[derive(Debug, Clone, PartialEq)]
pub enum Reach {
    /// The memory goes as far as what is live.
    Covers,
    /// How far it goes: a number of elements of that name, from the pointer on.
    Whole(String),
}

/// The rows of an array on the host, each behind a pointer.
#[derive(Debug, Clone, PartialEq)]
pub struct Rows {
    /// What the pointers are subscripted by, outermost first; a range may depend on the subscripts before it.
    pub subscripts: Vec<Row>,
    /// Positions behind a row's pointer, over the subscripts.
    pub live_in: Option<(Expr, Expr)>,
    pub live_out: Option<(Expr, Expr)>,
    /// Where the region exchanges rows: what the pointers follow before anything goes out.
    pub exchanged: Option<Exchanged>,
    /// Where the pointers are members of structures: else they lie one behind the other.
    pub within: Option<Within>,
}

/// Structures that pointers to rows are members of.
#[derive(Debug, Clone, PartialEq)]
pub struct Within {
    /// The entry's number that says how many bytes a structure takes.
    pub bytes: String,
    /// Arrays of the region's that are numbers of the same structures: they go home with the pointers as they came.
    pub arrays: Vec<String>,
}

/// Rows that changed places on the device.
#[derive(Debug, Clone, PartialEq)]
pub struct Exchanged {
    /// The array that says for each row whose elements it has now.
    pub places: String,
    /// The rows that may have changed: the first, one past the last.
    pub first: Expr,
    pub last: Expr,
}

/// Reason for which the contents of an array are not kept on the device from one call to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotKept {
    /// The host has none of it, or wants none of it back.
    OfDevice,
    Scalar,
    /// It ends with its function, unnoticed.
    OnStack,
    /// It is moved as soon as looked for.
    Little,
    /// The structures that it is made of hold more than numbers.
    Structure,
    /// The region writes members of several types beside each other.
    Members,
    /// The region exchanges pointers to its rows.
    Exchanged,
    /// Rows that the region has written cannot be taken back where the data lead outside of an array.
    HeldBack,
    /// The configuration: `stay-on-device = false`.
    Configured,
}

impl NotKept {
    /// The reason in words; `None` of what is not moved with the contents of arrays.
    pub fn in_words(self) -> Option<&'static str> {
        Some(match self {
            NotKept::OfDevice | NotKept::Scalar => return None,
            NotKept::OnStack => "arrays on the stack end with their function: make them `static`, or allocate them",
            NotKept::Little => "so little is copied as soon as looked for",
            NotKept::Structure => "the structures hold more than numbers",
            NotKept::Members => "members of several types are written beside each other",
            NotKept::Exchanged => "the region exchanges pointers to rows",
            NotKept::HeldBack => "the data may lead outside of an array, and written rows are not taken back then",
            NotKept::Configured => "the configuration says `stay-on-device = false`",
        })
    }
}

impl Array {
    /// The number of elements that a block has from the array's pointer on, where the call asks for it.
    pub fn held(&self) -> Option<&str> {
        match &self.reach {
            Some(Reach::Whole(held)) => Some(held),
            _ => None,
        }
    }

    /// Test that the device has, behind the region, what the host is to see of it.
    pub fn may_stay(&self) -> bool {
        self.not_kept.is_none()
    }

    /// One of a single dimension that only the device has.
    pub fn of_device(name: String, ty: ScalarType, extent: Expr) -> Self {
        Array {
            name,
            ty,
            extents: vec![extent],
            on_host: false,
            live_in: None,
            live_out: None,
            rows: None,
            not_kept: Some(NotKept::OfDevice),
            beside: vec![],
            own: None,
            is_scratch: false,
            reach: None,
        }
    }
}

/// A subscript that leads to rows: its name, the first, one past the last.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub name: String,
    pub first: Expr,
    pub last: Expr,
}

/// What a call that prints is given.
#[derive(Debug, Clone, PartialEq)]
pub enum Printed {
    /// As C++ spells it.
    Text(String),
    Number(Expr),
}

impl Printed {
    /// What it computes.
    pub fn number(&self) -> Option<&Expr> {
        match self {
            Printed::Text(_) => None,
            Printed::Number(e) => Some(e),
        }
    }
}

/// Sizes of a launch, as values of its kernel's tunables, and the instances that it may take.
#[derive(Debug, Clone, PartialEq)]
pub struct Launched {
    pub sizes: Vec<Tunable>,
    pub instances: Instances,
}

/// Blocks of a resident kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blocks {
    /// One of the greatest size where the work is no more than `in_one_block`, else as many of `threads` threads as fit on the device.
    ByWork { in_one_block: i64, threads: i64 },
    /// One of the greatest size.
    One,
    /// As many of so many threads as fit on the device at once.
    AsFit { threads: i64 },
}

/// A step of the host.
#[derive(Debug, Clone, PartialEq)]
pub enum HostStmt {
    /// Host to device, the array's `live_in` range. For a device scalar: from the host variable of its name.
    CopyIn {
        array: String,
    },
    /// Device to host, the array's `live_out` range. For a device scalar: into the host variable of its name.
    CopyOut {
        array: String,
    },
    /// Launches `Region::kernels[kernel]`; its scalars and arrays are found by name in the host's scope. A launch
    /// whose grid is empty does nothing. `how`: with which sizes, and which instances; `None` until that is chosen.
    Launch {
        kernel: usize,
        line: u32,
        how: Option<Launched>,
    },
    /// The launches of a nest under its own mapping, and under that of a phase: one of them, which `realise` takes.
    Nest {
        own: Vec<HostStmt>,
        phase: Vec<HostStmt>,
    },
    /// Launches a resident kernel whose widest phase has use for `work` threads.
    Resident {
        kernel: usize,
        /// The same kernel with arrays on chip, for calls in which half of what they may hold finds room.
        on_chip: Option<usize>,
        line: u32,
        work: Expr,
        blocks: Blocks,
        /// What the threads of a block must be a multiple of.
        unit: i64,
    },
    /// `body`, launches and calls alone and the same ones every time, `count` times in a row: a CUDA graph, made once and
    /// replayed.
    Replay {
        count: Expr,
        line: u32,
        body: Vec<HostStmt>,
    },
    /// Steps of which the call takes some.
    Select(Select<Vec<HostStmt>>),
    /// What a library computes; where there is something else to do, only if loading the library pays.
    Call {
        call: Box<Call>,
        otherwise: Vec<HostStmt>,
    },
    /// A scalar computation of the host: `Let`, `Assign` only.
    Compute(Stmt),
    For {
        var: String,
        lo: Expr,
        hi: Expr,
        step: Expr,
        body: Vec<HostStmt>,
    },
    While {
        cond: Expr,
        step: Vec<Stmt>,
        body: Vec<HostStmt>,
    },
    If {
        cond: Expr,
        then: Vec<HostStmt>,
        other: Vec<HostStmt>,
    },
    /// Leaves the innermost loop of the host.
    Break,
    /// Leaves the entry for the original loops, with nothing written to the host, and says why.
    GiveUp {
        reason: String,
    },
    /// Calls one of C's functions for output. An element that a number loads is fetched from the device.
    Print {
        function: String,
        arguments: Vec<Printed>,
        line: u32,
    },
}

/// The same function for `&` and `&mut`: `$iter` is `iter` or `iter_mut`.
macro_rules! parts {
    ($bodies:ident, $visit:ident, $iter:ident $(, $mut:tt)?) => {
        impl HostStmt {
            /// The lists of steps it holds, in the order they are printed.
            pub fn $bodies(&$($mut)? self) -> Vec<&$($mut)? Vec<HostStmt>> {
                match self {
                    HostStmt::For { body, .. } | HostStmt::While { body, .. } | HostStmt::Replay { body, .. } => vec![body],
                    HostStmt::If { then, other, .. } => vec![then, other],
                    HostStmt::Nest { own, phase } => vec![own, phase],
                    HostStmt::Select(select) => select.cases.$iter().map(|case| &$($mut)? case.then).collect(),
                    HostStmt::Call { otherwise, .. } => vec![otherwise],
                    HostStmt::CopyIn { .. }
                    | HostStmt::CopyOut { .. }
                    | HostStmt::Launch { .. }
                    | HostStmt::Resident { .. }
                    | HostStmt::Compute(_)
                    | HostStmt::Print { .. }
                    | HostStmt::Break
                    | HostStmt::GiveUp { .. } => Vec::new(),
                }
            }
        }

        /// Visits steps and those inside them, outer before inner, in the order they are printed.
        pub fn $visit<'a>(steps: &'a $($mut)? [HostStmt], f: &mut dyn FnMut(&$($mut)? HostStmt)) {
            for s in steps {
                f(s);
                s.$bodies().into_iter().for_each(|body| $visit(body, f));
            }
        }
    };
}

parts!(bodies, visit, iter);
parts!(bodies_mut, visit_mut, iter_mut, mut);

/// The kernels that steps launch, by position, as often as there are steps that do.
pub fn launched(steps: &[HostStmt]) -> Vec<usize> {
    let mut out = vec![];
    visit(steps, &mut |s| {
        if let HostStmt::Launch { kernel, .. } | HostStmt::Resident { kernel, .. } = s {
            out.push(*kernel);
        }
    });
    out
}

impl HostStmt {
    /// A launch of which nothing is chosen yet.
    pub fn launch(kernel: usize, line: u32) -> Self {
        HostStmt::Launch { kernel, line, how: None }
    }

    /// The scalar that this step declares in the host's scope.
    pub fn declares(&self) -> Option<(&str, ScalarType)> {
        match self {
            HostStmt::Compute(s) => s.declares(),
            HostStmt::For { var, .. } => Some((var, ScalarType::Index)),
            _ => None,
        }
    }

    /// The numbers that this step itself reads beside its scalar statements, not those of the steps it holds.
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            HostStmt::Resident { work, .. } => vec![work],
            HostStmt::Replay { count, .. } => vec![count],
            HostStmt::Select(select) => select.cases.iter().flat_map(|case| case.when.exprs()).collect(),
            HostStmt::Call { call, .. } => call.exprs(),
            HostStmt::For { lo, hi, step, .. } => vec![lo, hi, step],
            HostStmt::While { cond, .. } | HostStmt::If { cond, .. } => vec![cond],
            HostStmt::Print { arguments, .. } => arguments.iter().filter_map(Printed::number).collect(),
            HostStmt::CopyIn { .. }
            | HostStmt::CopyOut { .. }
            | HostStmt::Launch { .. }
            | HostStmt::Nest { .. }
            | HostStmt::Compute(_)
            | HostStmt::Break
            | HostStmt::GiveUp { .. } => vec![],
        }
    }

    /// The scalar statements in this step itself, not in the steps it holds.
    pub fn scalars(&self) -> &[Stmt] {
        match self {
            HostStmt::Compute(s) => std::slice::from_ref(s),
            HostStmt::While { step, .. } => step,
            _ => &[],
        }
    }
}
