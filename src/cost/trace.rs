//! Trace of a kernel, followed through its text by a few warps that are spread evenly over grid and iterations.
//!
//! Each sampled warp stands for an equal share of all warps. It carries which of its lanes are active and how often it
//! comes by: a guard takes lanes away, a loop multiplies by its trips (the warp then looks at one iteration of them).
//! ```text
//! for j in t0 .. n step 32 {          weight *= trips of that warp, one j of them in each lane
//!   if (j < i) { s += a[i, j]; }      lanes with j < i; an access is recorded with address, lanes and weight
//! }
//! ```
//! Transformations that the compiler surely makes are taken into account: loops of few, known trips are unrolled, loads
//! and integers that a loop does not change are computed in front of it, the same load is made once.

use super::assumption::Assumption;
use super::sizes::Sizes;
use super::value::{Form, LANES, SAMPLES, Symbol, Symbols};
use super::work::{Kind, Work};
use crate::kernel::{
    Access, Expr, Function, Kernel, LONGEST, ROWS, SLOTS, ScalarType, Stmt, StmtKind, Usage, WIDE, walk,
};
use std::collections::{BTreeMap, BTreeSet};

mod condition;
mod expressions;
mod loops;
mod statements;

/// Which lanes of each sampled warp are active, and how often it comes by.
#[derive(Debug, Clone, Copy)]
pub struct State {
    pub mask: [u32; SAMPLES],
    pub weight: [f64; SAMPLES],
    /// In what share of the iterations and blocks any warp of the block is active.
    pub reach: [f64; SAMPLES],
    /// Of how many warps like it one is meant: 1, or less in a branch that one warp of the launch takes.
    pub share: [f64; SAMPLES],
}

impl State {
    /// How often a warp comes by, in the mean over all warps.
    pub fn runs(&self) -> f64 {
        (0..SAMPLES).filter(|s| self.mask[*s] != 0).map(|s| self.weight[s]).sum::<f64>() / SAMPLES as f64
    }

    /// Adds what each warp does each time it comes by.
    fn add_to(&self, own: &mut [f64; SAMPLES], amount: f64) {
        for s in (0..SAMPLES).filter(|s| self.mask[*s] != 0) {
            own[s] += amount * self.weight[s] / self.share[s];
        }
    }

    /// Goes on with one thread of the launch, of so many warps; in one iteration of the loops around, if it is `once`.
    fn alone(&mut self, warps: f64, once: bool) {
        let Some(s) = (0..SAMPLES).find(|s| self.mask[*s] != 0) else { return };
        let first = self.mask[s] & self.mask[s].wrapping_neg();
        self.mask = [0; SAMPLES];
        self.mask[s] = first;
        self.weight[s] = if once { self.weight[s].min(self.share[s]) } else { self.weight[s] };
        let share = (SAMPLES as f64 / warps).min(1.0);
        self.weight[s] *= share;
        self.reach[s] *= share;
        self.share[s] *= share;
    }
}

/// Instructions of a thread before its own first: its position, parameters.
const SETUP: f64 = 10.0;

/// Use of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    Load,
    Store,
    Atomic,
}

/// Where an array lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Space {
    Global,
    Shared,
    /// Registers of the thread.
    Local,
}

/// An access as the sampled warps make it.
pub struct Traced<'k> {
    pub access: &'k Access,
    pub line: u32,
    pub use_: Use,
    pub space: Space,
    /// Bytes of a thread at once: one element, or a vector of neighbouring ones.
    pub width: i64,
    /// In bytes from the array's beginning.
    pub address: Form,
    pub state: State,
    /// The innermost loop that it depends on.
    pub node: usize,
    /// Bytes of the whole array, where that is known.
    pub bytes: Option<i64>,
}

/// A loop, or the kernel's body (node 0).
#[derive(Debug, Clone, Copy)]
pub struct Node {
    pub parent: Option<usize>,
    pub symbol: Option<Symbol>,
    pub trips: f64,
}

/// All that a kernel does at certain sizes.
pub struct Trace<'k> {
    pub symbols: Symbols,
    pub accesses: Vec<Traced<'k>>,
    pub nodes: Vec<Node>,
    /// Of a warp, in the mean over all.
    pub work: Work,
    /// How often a warp waits for global memory, and at barriers of its block and of the grid.
    pub rounds: f64,
    /// The same, and instructions, of each sampled warp by itself.
    pub own_rounds: [f64; SAMPLES],
    pub own_instructions: [f64; SAMPLES],
    pub barriers: f64,
    pub grid_barriers: f64,
    /// Blocks in each dimension, outermost first.
    pub grid: Vec<i64>,
    pub block_threads: i64,
    pub grid_symbols: Vec<Symbol>,
    pub thread_symbols: Vec<Symbol>,
    pub shared_bytes: i64,
    pub assumed: BTreeSet<Assumption>,
}

impl Trace<'_> {
    pub fn blocks(&self) -> f64 {
        self.grid.iter().map(|n| *n as f64).product()
    }

    /// Warps of a block.
    pub fn warps(&self) -> f64 {
        (self.block_threads as f64 / LANES as f64).ceil()
    }
}

#[derive(Debug, Clone)]
struct Array {
    ty: ScalarType,
    space: Space,
    /// Bytes from one element to the next along each subscript, and how many of these the compiler does not know.
    strides: Vec<i64>,
    n_unknown: usize,
    bytes: Option<i64>,
    /// Written by this kernel.
    is_written: bool,
}

/// A loop that is being followed.
struct Scope<'k> {
    symbol: Option<Symbol>,
    node: usize,
    is_unrolled: bool,
    trips: [f64; SAMPLES],
    /// In front of the loop, and in its body.
    outer: State,
    inner: State,
    /// Arrays that it stores to.
    stored: BTreeSet<&'k str>,
    /// Elements that have been loaded or stored, and are in registers.
    seen: Vec<(&'k str, Form)>,
    /// Address computations: constants are added for nothing.
    groups: Vec<(&'k str, Vec<(Symbol, i64)>)>,
    /// Loads that wait for each other since the last barrier, and before it.
    segment: u32,
    done: u32,
    /// Iterations whose loads are under way at once.
    flight: f64,
}

pub(super) struct Walker<'k> {
    functions: &'k [Function],
    sizes: &'k Sizes,
    out: Trace<'k>,
    kinds: BTreeMap<&'k str, ScalarType>,
    env: BTreeMap<&'k str, Form>,
    arrays: BTreeMap<&'k str, Array>,
    scopes: Vec<Scope<'k>>,
    state: State,
    index_bits: u8,
    tunables: BTreeSet<&'k str>,
    unroll: Option<i64>,
    line: u32,
    /// Where a value that only the data know was loaded: the loop, and after how many loads that wait for each other.
    loaded: BTreeMap<Symbol, (usize, u32)>,
    /// Variables that hold while each of some conditions does (`all &= c`): scopes around them, and how likely they hold.
    conjunctions: BTreeMap<&'k str, (usize, f64)>,
    /// Variables that are subscripts of an array as they stand: what they hold lies within it.
    subscripts: BTreeMap<&'k str, &'k str>,
    calls: usize,
}

/// Follows a kernel. A resident kernel has `resident` blocks at most.
pub fn follow<'k>(kernel: &'k Kernel, functions: &'k [Function], sizes: &'k Sizes, resident: Option<i64>) -> Trace<'k> {
    let mut w = Walker::new(kernel, functions, sizes);
    w.head(kernel, resident);
    w.spend(Kind::Int32.work(SETUP));
    w.body(&kernel.body);
    w.leave_scope();
    w.out
}

impl<'k> Walker<'k> {
    fn new(kernel: &'k Kernel, functions: &'k [Function], sizes: &'k Sizes) -> Self {
        let state =
            State { mask: [u32::MAX; SAMPLES], weight: [1.0; SAMPLES], reach: [1.0; SAMPLES], share: [1.0; SAMPLES] };
        let out = Trace {
            symbols: Symbols::default(),
            accesses: vec![],
            nodes: vec![Node { parent: None, symbol: None, trips: 1.0 }],
            work: Work::default(),
            rounds: 0.0,
            own_rounds: [0.0; SAMPLES],
            own_instructions: [0.0; SAMPLES],
            barriers: 0.0,
            grid_barriers: 0.0,
            grid: vec![],
            block_threads: 1,
            grid_symbols: vec![],
            thread_symbols: vec![],
            shared_bytes: 0,
            assumed: BTreeSet::new(),
        };
        let unroll = kernel.tunables.iter().find(|t| t.name == "UNROLL").map(|t| t.value);
        Walker {
            functions,
            sizes,
            out,
            kinds: BTreeMap::new(),
            env: BTreeMap::new(),
            arrays: BTreeMap::new(),
            scopes: vec![],
            state,
            index_bits: kernel.index_bits,
            tunables: kernel.tunables.iter().map(|t| t.name.as_str()).collect(),
            unroll,
            line: 0,
            loaded: BTreeMap::new(),
            conjunctions: BTreeMap::new(),
            subscripts: subscripts(&kernel.body),
            calls: 0,
        }
    }

    /// Parameters, positions and arrays.
    fn head(&mut self, kernel: &'k Kernel, resident: Option<i64>) {
        self.kinds.insert(WIDE, ScalarType::Int(crate::ast::IntKind::Int));
        self.env.insert(WIDE, Form::constant(1));
        for t in &kernel.tunables {
            self.kinds.insert(&t.name, ScalarType::Int(crate::ast::IntKind::Int));
            self.env.insert(&t.name, Form::constant(t.value));
        }
        for s in &kernel.scalars {
            self.kinds.insert(&s.name, s.ty);
            if !Kind::of(s.ty, kernel.index_bits).is_float() {
                let known = self.sizes.scalars.get(&s.name).map(|n| (*n).clamp(-Sizes::MOST, Sizes::MOST));
                // The estimate is of a launch that finds no room on chip.
                let known = if [SLOTS, ROWS, LONGEST].contains(&s.name.as_str()) { Some(0) } else { known };
                if known.is_none() {
                    self.out.assumed.insert(Assumption::Size);
                }
                self.env.insert(&s.name, Form::constant(known.unwrap_or(Sizes::UNKNOWN)));
            }
        }
        // Nothing of the head is computed by the threads.
        let idle = State { mask: [0; SAMPLES], ..self.state };
        let state = std::mem::replace(&mut self.state, idle);
        self.scopes.push(self.scope(None, 0, state));
        let block: Vec<i64> = kernel.block.iter().map(|e| self.number(e).clamp(1, Sizes::MOST)).collect();
        let mut grid: Vec<i64> = kernel.grid.iter().map(|e| self.number(e).clamp(1, Sizes::MOST)).collect();
        if let (Some(_), Some(most), [n]) = (kernel.resident, resident, &mut grid[..]) {
            *n = (*n).min(most.max(1));
        }
        self.state = self.positions(&grid, &block, state);
        self.out.grid = grid;
        for a in &kernel.arrays {
            let extents: Vec<i64> = a.extents.iter().map(|e| self.number(e)).collect();
            self.declare(&a.name, a.ty, Space::Global, &extents, a.usage != Usage::Read);
            let n_unknown = a.extents.iter().skip(1).filter(|e| !self.is_compiled(e)).count();
            self.arrays.entry(&a.name).and_modify(|array| array.n_unknown = n_unknown);
        }
        self.out.block_threads = product(&block);
        self.scopes = vec![];
        self.scopes.push(self.scope(None, 0, self.state));
    }

    fn declare(&mut self, name: &'k str, ty: ScalarType, space: Space, extents: &[i64], is_written: bool) {
        let size = ty.size(self.index_bits);
        let mut strides = vec![size; extents.len()];
        for d in (1..extents.len()).rev() {
            strides[d - 1] = strides[d].wrapping_mul(extents[d].max(1));
        }
        let whole = extents.iter().try_fold(size, |n, e| (*e > 0).then(|| n.saturating_mul(*e)));
        let stated = self.sizes.elements.get(name).map(|n| n.saturating_mul(size));
        self.kinds.insert(name, ty);
        self.arrays.insert(name, Array { ty, space, strides, n_unknown: 0, bytes: stated.or(whole), is_written });
    }

    fn scope(&self, symbol: Option<Symbol>, node: usize, inner: State) -> Scope<'k> {
        Scope {
            symbol,
            node,
            is_unrolled: false,
            trips: [1.0; SAMPLES],
            outer: self.state,
            inner,
            stored: BTreeSet::new(),
            seen: vec![],
            groups: vec![],
            segment: 0,
            done: 0,
            flight: 1.0,
        }
    }

    /// Takes note of a scope's waits, and leaves it.
    fn leave_scope(&mut self) {
        let Some(scope) = self.scopes.pop() else { return };
        let rounds = f64::from(scope.done + scope.segment) / scope.flight;
        self.out.rounds += rounds * scope.inner.runs();
        scope.inner.add_to(&mut self.out.own_rounds, rounds);
    }

    /// An expression over parameters and tunables.
    fn number(&mut self, e: &'k Expr) -> i64 {
        self.form(e).as_constant().unwrap_or(Sizes::UNKNOWN)
    }

    /// Test that the compiler knows its value: over constants and tunables.
    fn is_compiled(&self, e: &Expr) -> bool {
        let is_unknown = |e: &Expr| match e {
            Expr::Var(name) => !self.tunables.contains(name.as_str()),
            Expr::Load(_)
            | Expr::BlockIdx(_)
            | Expr::ThreadIdx(_)
            | Expr::GridSize(_)
            | Expr::GoesOn
            | Expr::Call(..) => true,
            _ => false,
        };
        !e.any(&mut |e| is_unknown(e))
    }

    /// Instructions that are issued each time a warp comes by.
    fn spend(&mut self, work: Work) {
        let state = self.state;
        self.issue(work, &state);
    }

    fn issue(&mut self, work: Work, state: &State) {
        self.out.work += (work, state.runs());
        state.add_to(&mut self.out.own_instructions, work.instructions());
    }

    /// Instructions that compute an integer: in front of the loops that do not change it.
    fn spend_integer(&mut self, work: Work, form: Option<&Form>) {
        let Some(form) = form else { return self.spend(work) };
        let bases = self.out.symbols.bases(form);
        let mut state = self.state;
        for scope in self.scopes.iter().rev() {
            let Some(symbol) = scope.symbol else { break };
            if bases.contains(&symbol) && !scope.is_unrolled {
                break;
            }
            state = scope.outer;
        }
        self.issue(work, &state);
    }

    /// Makes an access.
    fn record(&mut self, access: &'k Access, use_: Use, address: &Form) {
        self.record_vector(access, use_, address, 1);
    }

    /// An access of so many elements from there on.
    fn record_vector(&mut self, access: &'k Access, use_: Use, address: &Form, count: i64) {
        let Some(array) = self.arrays.get(access.array.as_str()) else { return };
        if array.space == Space::Local {
            return;
        }
        let (space, bytes, size) = (array.space, array.bytes, array.ty.size(self.index_bits));
        let n_unknown = array.n_unknown as f64;
        let name = access.array.as_str();
        if use_ == Use::Load && self.scopes.iter().any(|s| s.seen.iter().any(|(a, f)| *a == name && f == address)) {
            return;
        }
        let place = self.place(name, use_, address);
        if use_ != Use::Load {
            self.scopes.iter_mut().for_each(|s| s.seen.retain(|(a, _)| *a != name));
        }
        let mut state = place.state;
        let width = if space == Space::Shared && count == 1 { self.vector(address, size) } else { size * count };
        state.weight.iter_mut().for_each(|w| *w *= (size * count) as f64 / width as f64);
        if use_ != Use::Atomic {
            self.scopes[place.scope].seen.push((name, address.clone()));
        }
        let groups = &mut self.scopes[place.scope].groups;
        if !groups.iter().any(|(a, t)| *a == name && *t == address.terms) {
            // Products of 64 bits, which arrays of the same shape share; a shift; the beginning of the array.
            let is_computed = groups.iter().any(|(_, t)| *t == address.terms);
            let n = if space == Space::Global { 2.0 } else { 1.0 };
            let offset = if is_computed { 0.0 } else { n + 4.0 * n_unknown };
            groups.push((name, address.terms.clone()));
            // In a loop an address grows by a constant; of one that is unrolled the constants are in the instructions.
            let around = self.scopes[..=place.scope].iter().rev().find(|s| !s.is_unrolled);
            let scope = around.unwrap_or(&self.scopes[0]);
            let is_stepped = scope.symbol.is_some_and(|s| address.terms.iter().any(|(t, _)| *t == s));
            let (inner, outer) = (scope.inner, scope.outer);
            let least = if state.runs() < inner.runs() { state } else { inner };
            self.issue(Kind::Int32.work(n + offset), if is_stepped { &outer } else { &least });
            self.issue(Kind::Int32.work(if is_stepped { 2.0 } else { 0.0 }), &inner);
        }
        self.issue(Work { memory: 1.0, ..Work::default() }, &state);
        if space == Space::Global && use_ == Use::Load {
            self.wait(place.scope, address);
        }
        let (line, node) = (self.line, place.node);
        let address = address.clone();
        self.out.accesses.push(Traced { access, line, use_, space, width, address, state, node, bytes });
    }

    /// A load that what follows waits for; returns the scope and how many loads came before it there.
    fn wait(&mut self, mut at: usize, address: &Form) -> (usize, u32) {
        while at > 0 && self.scopes[at].is_unrolled {
            at -= 1;
        }
        let node = self.scopes[at].node;
        let before = self.out.symbols.data_in(address).into_iter().filter_map(|s| self.loaded.get(&s));
        let chain = 1 + before.filter(|(n, _)| *n == node).map(|(_, chain)| *chain).max().unwrap_or(0);
        self.scopes[at].segment = self.scopes[at].segment.max(chain);
        (node, chain)
    }

    /// Where an access is made: loads come in front of the loops that do not change them.
    fn place(&self, name: &str, use_: Use, address: &Form) -> Place {
        let bases = self.out.symbols.bases(address);
        let (mut state, mut at) = (self.state, self.scopes.len() - 1);
        let mut node_at = at;
        let mut is_inner = true;
        while use_ == Use::Load && at > 0 {
            let scope = &self.scopes[at];
            let moves = scope.symbol.is_some_and(|s| bases.contains(&s));
            if scope.stored.contains(name) || (moves && !scope.is_unrolled) {
                break;
            }
            is_inner &= !moves;
            if !moves {
                (0..SAMPLES).for_each(|s| state.weight[s] /= scope.trips[s].max(1.0));
            }
            at -= 1;
            if is_inner {
                node_at = at;
            }
        }
        Place { state, scope: node_at, node: self.scopes[node_at].node }
    }

    /// Bytes that a thread reads or writes at once where an unrolled loop goes from element to element.
    fn vector(&self, address: &Form, size: i64) -> i64 {
        let walks = |(s, c): &(Symbol, i64)| {
            let scope = self.scopes.iter().find(|scope| scope.symbol == Some(*s) && scope.is_unrolled)?;
            (*c == size).then_some((*s, scope.trips[0] as i64))
        };
        let Some((symbol, trips)) = address.terms.iter().find_map(walks) else { return size };
        let is_aligned = |width: i64| {
            address.constant % width == 0 && address.terms.iter().all(|(s, c)| *s == symbol || c % width == 0)
        };
        [16, 8].into_iter().find(|w| *w > size && trips % (w / size) == 0 && is_aligned(*w)).unwrap_or(size)
    }
}

/// Variables by which elements of an array of one dimension are updated.
fn subscripts(body: &[Stmt]) -> BTreeMap<&str, &str> {
    let mut out = BTreeMap::new();
    walk::visit(body, &mut |s| {
        if let StmtKind::Atomic { target: Access { array, index, .. }, .. } = &s.kind
            && let [Expr::Var(name)] = &index[..]
        {
            out.insert(name.as_str(), array.as_str());
        }
    });
    out
}

/// The product of extents.
fn product(extents: &[i64]) -> i64 {
    extents.iter().fold(1, |all, n| all.saturating_mul(*n))
}

/// Where an access is made.
struct Place {
    state: State,
    scope: usize,
    node: usize,
}
