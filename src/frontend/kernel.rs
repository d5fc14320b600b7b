//! A naive kernel as the loops that it is: a C function of its name whose loops go through the indices of its threads.
//!
//! ```text
//! __global__ void scale(float *a, int n) {             void scale(float *a, int n) {
//!     int i = blockIdx.x * blockDim.x + threadIdx.x;       for (int i = 0; i < n; i++) {
//!     if (i < n)
//!         a[i] *= 2;                                               a[i] *= 2;
//! }                                                    }}
//! ```
//! Threads of a launch run in no order, so any order of these iterations is one of the kernel's. Where threads meet in
//! an element, the order matters: that is a race, which the dependences between the iterations show
//! (`crate::analysis::races`). Bounds come from the guard, else from `#pragma rt size`, else from the launch, as
//! parameters. What the loops assume of a launch (that its threads reach the bounds) is tested where it is launched.

use super::code::{Code, Edits};
use super::guard::{Bound, Guards, Limit, grouped};
use super::items::Function;
use super::names::{self, Parameter};
use super::pragma::Said;
use super::threads::{Builtin, DIMENSIONS, Sum, Threads};
use crate::diag::Diagnostic;
use std::collections::BTreeSet;
use std::ops::Range;

/// A naive kernel, and what its loops are.
#[derive(Debug, Clone)]
pub struct Kernel {
    pub name: String,
    /// The line of its name, and that of its last brace.
    pub line: u32,
    pub last_line: u32,
    pub parameters: Vec<Parameter>,
    /// The counters of the loops that stand for its threads, outermost first.
    pub loops: Vec<String>,
    /// Conditions on a launch for the loops to be the kernel.
    pub launch: Vec<Condition>,
    /// Parameters of the C function beside the kernel's: each with its value, over `grid` and `block`.
    pub extra: Vec<(String, String)>,
    /// Arrays that atomic additions go to.
    pub atomics: BTreeSet<String>,
    /// Its results, where the user names them.
    pub outputs: Vec<String>,
}

/// A condition on the threads of a launch along a dimension.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    pub dim: usize,
    pub extent: Extent,
    pub reason: String,
}

/// Extent of a launch along a dimension; numbers are over the kernel's parameters, in C.
#[derive(Debug, Clone, PartialEq)]
pub enum Extent {
    /// One thread.
    One,
    /// So many threads, or more.
    AtLeast(String),
    Exactly(String),
    /// So many threads in a block.
    Block(String),
}

impl Condition {
    /// The condition in C, over `grid`, `block` and the kernel's parameters.
    pub fn holds(&self) -> String {
        let letter = DIMENSIONS[self.dim];
        match &self.extent {
            Extent::One => format!("grid.{letter} * block.{letter} == 1"),
            Extent::AtLeast(below) => format!("(long)grid.{letter} * block.{letter} >= (long)({below})"),
            Extent::Exactly(size) => format!("(long)grid.{letter} * block.{letter} == (long)({size})"),
            Extent::Block(size) => format!("block.{letter} == {}", grouped(size)),
        }
    }
}

/// A kernel under way.
pub(super) struct Reader<'a> {
    pub code: &'a Code,
    pub f: &'a Function,
    pub parameters: Vec<Parameter>,
    pub said: Said,
    pub is_uniform: &'a dyn Fn(&str) -> bool,
}

/// Findings of a body so far.
#[derive(Default)]
pub(super) struct Found {
    pub edits: Edits,
    /// Indices, but for those that grid-stride loops begin with.
    sums: Vec<Sum>,
    /// For each dimension: a grid-stride loop goes through it.
    pub in_place: [bool; 3],
    /// The counters of these loops, and the tokens of the indices that they begin with.
    pub counters: Vec<String>,
    pub taken: Vec<Range<usize>>,
    guards: Vec<Guard>,
    /// Bounds that loops over threads have.
    bounds: Vec<Bound>,
    atomics: BTreeSet<String>,
    launch: Vec<Condition>,
    extra: Vec<(String, String)>,
}

impl Found {
    /// The first limit of a kind that the guards give a dimension: the loop over it has that one.
    fn limit(&mut self, dim: usize, of_kind: impl Fn(&Limit) -> Option<&String>) -> Option<String> {
        let mut said = self.guards.iter().flat_map(|guard| &guard.pieces).filter_map(|(_, bound)| bound.as_ref());
        let bound = said.find(|bound| bound.dim == dim && of_kind(&bound.limit).is_some())?.clone();
        let text = of_kind(&bound.limit).cloned();
        self.bounds.push(bound);
        text
    }
}

/// A condition before everything that a thread does.
struct Guard {
    /// Tokens that go where loops hold all of it: `if (...)`, or the whole of `if (...) return;`.
    head: Range<usize>,
    pieces: Vec<(Range<usize>, Option<Bound>)>,
}

impl Reader<'_> {
    /// The kernel, the changes that make it a C function, and those that make it CUDA where it has names of the paper's.
    ///
    /// # Errors
    /// Reason why it is left as it is.
    pub fn read(self) -> Result<(Kernel, Edits, Edits), Diagnostic> {
        let body = &self.f.body;
        let threads = Threads::new(self.code, body, self.is_uniform);
        let mut found = Found::default();
        self.atomics(&mut found)?;
        self.parameters_stay()?;
        let Some(statements) = self.code.statements(body.clone()) else {
            return Err(self.left("not-read", body.start..body.start + 1, "its statements cannot be told apart"));
        };
        self.guards(&threads, &statements, &mut found)?;
        self.grid_strides(&threads, &statements, &mut found)?;
        found.sums = self.sums(&threads, &found.taken);
        let mut loops = vec![];
        for dim in (0..3).rev() {
            self.dimension(&threads, dim, &statements, &mut found, &mut loops)?;
        }
        if loops.is_empty() && found.counters.is_empty() {
            return Err(self
                .left("no-index", self.f.at..self.f.at + 1, "it does not use the index of its thread")
                .help(
                    "a naive kernel computes in each thread the element at `blockIdx.x * blockDim.x + threadIdx.x`",
                ));
        }
        self.returns(!loops.is_empty(), &mut found)?;
        self.drop_guards(&mut found);
        self.head(&loops, &mut found);
        let mut in_cuda = Edits::default();
        for at in body.clone() {
            if let Some(text) = threads.in_cuda(at) {
                in_cuda.replace(&self.code.text, self.code.bytes(at..at + 1), text);
            }
        }
        let mut counters: Vec<String> = loops.into_iter().map(|(name, _)| name).collect();
        counters.append(&mut found.counters);
        let kernel = Kernel {
            name: self.f.name.clone(),
            line: self.code.line(self.f.at),
            last_line: self.code.line(body.end),
            parameters: self.parameters,
            loops: counters,
            launch: found.launch,
            extra: found.extra,
            atomics: found.atomics,
            outputs: self.said.outputs,
        };
        Ok((kernel, found.edits, in_cuda))
    }

    /// Says why the kernel is left as it is.
    pub(super) fn left(&self, kind: &'static str, range: Range<usize>, why: &str) -> Diagnostic {
        let message = format!("kernel `{}` is left as it is: {why}", self.f.name);
        Diagnostic::declined(kind, message, Some(self.code.place(range)))
    }

    /// Writes `atomicAdd(&a[i], x);` as `a[i] += x;`.
    fn atomics(&self, found: &mut Found) -> Result<(), Diagnostic> {
        let mut added: Vec<String> = vec![];
        for at in self.f.body.clone().filter(|at| self.code.at(*at) == "atomicAdd") {
            let refused = |why| Err(self.left("atomic", at..at + 1, why).help("write it as `atomicAdd(&a[i], x);`"));
            let is_statement = ["{", "}", ";", ")"].contains(&self.code.at(at - 1)) || self.code.at(at - 1) == "else";
            let close = self.code.partner(at + 1).filter(|close| self.code.at(close + 1) == ";" && is_statement);
            let Some(close) = close else { return refused("the old value of an atomic addition is used") };
            let [target, value] = &self.code.split(at + 2..close, &[","])[..] else {
                return refused("an atomic addition has not two arguments");
            };
            let is_address = self.code.at(target.start) == "&";
            let name = self.code.at(target.start + usize::from(is_address)).to_owned();
            let is_array = self.parameters.iter().any(|p| p.is_pointer && p.name == name);
            if target.is_empty() || value.is_empty() || !is_array {
                return refused("what an atomic addition goes to is no element of a parameter");
            }
            let text = &self.code.text;
            let open = self.code.bytes(at..target.start + usize::from(is_address));
            found.edits.replace(text, open, "");
            let behind = self.code.bytes(target.end..target.end + 1);
            let first = target.start + 1;
            match is_address {
                true => found.edits.replace(text, behind, " +="),
                false if target.len() == 1 => found.edits.replace(text, behind, "[0] +="),
                false if self.code.at(first) == "+" => {
                    found.edits.replace(text, self.code.bytes(first..first + 1), "[");
                    found.edits.replace(text, behind, "] +=");
                }
                false => return refused("what an atomic addition goes to is no element of a parameter"),
            }
            found.edits.replace(text, self.code.bytes(close..close + 1), "");
            added.push(name);
        }
        // Where it is used otherwise, too, the dependences say whether threads meet.
        let uses = |name: &String| self.f.body.clone().filter(|at| self.code.at(*at) == name).count();
        let all_atomic = |name: &&String| uses(name) == added.iter().filter(|other| *other == *name).count();
        found.atomics = added.iter().filter(all_atomic).cloned().collect();
        Ok(())
    }

    /// A thread has its own parameters; the loops have them in common.
    fn parameters_stay(&self) -> Result<(), Diagnostic> {
        for at in self.f.body.clone() {
            let is_it = |p: &Parameter| p.name == self.code.at(at) && self.code.at(at + 1) != "[";
            if self.parameters.iter().any(is_it) && names::is_assigned(self.code, at) && self.code.at(at - 1) != "*" {
                let why = format!("its threads change the parameter `{}`, each for itself", self.code.at(at));
                let help = "let the thread have a variable of its own for that";
                return Err(self.left("changed-parameter", at..at + 1, &why).help(help));
            }
        }
        Ok(())
    }

    /// The index at a token: the dimension, and the token behind it. Variables that hold one count.
    pub(super) fn index(&self, threads: &Threads, at: usize) -> Option<(usize, usize)> {
        if let Some(sum) = threads.sum(at) {
            return Some((sum.dim, sum.range.end));
        }
        let name = self.code.at(at);
        let body = self.f.body.clone();
        let is_value =
            |k: &usize| self.code.at(*k) == name && self.code.at(k + 1) == "=" && names::is_assigned(self.code, *k);
        let first = body.clone().find(is_value)?;
        let sum = threads.sum(first + 2).filter(|sum| [",", ";"].contains(&self.code.at(sum.range.end)))?;
        (names::assignments(self.code, body, name) == 1).then_some((sum.dim, at + 1))
    }

    /// Bounds from conditions that stand before everything that a thread does.
    fn guards(&self, threads: &Threads, statements: &[Range<usize>], found: &mut Found) -> Result<(), Diagnostic> {
        let index = |at: usize| self.index(threads, at);
        let guards = Guards { code: self.code, body: self.f.body.clone(), index: &index, is_uniform: self.is_uniform };
        for (k, s) in statements.iter().enumerate() {
            if self.is_private(s) {
                continue;
            }
            let Some(close) = self.code.partner(s.start + 1).filter(|_| self.code.at(s.start) == "if") else { break };
            let condition = s.start + 2..close;
            let then = close + 1;
            if self.code.is(then, &["return", ";"]) || self.code.is(then, &["{", "return", ";", "}"]) {
                found.guards.push(Guard { head: s.clone(), pieces: guards.pieces(condition, true) });
                continue;
            }
            let is_all = self.code.statement_end(then, s.end) == Some(s.end);
            if is_all && k + 1 == statements.len() {
                found.guards.push(Guard { head: s.start..then, pieces: guards.pieces(condition, false) });
            }
            break;
        }
        Ok(())
    }

    /// Test that a statement only gives values to variables of the thread's own.
    pub(super) fn is_private(&self, s: &Range<usize>) -> bool {
        let sets_one = self.code.is_word(s.start) && self.code.at(s.start + 1) == "=";
        let is_parameter = self.parameters.iter().any(|p| p.name == self.code.at(s.start));
        let is_atomic = s.clone().any(|at| self.code.at(at) == "atomicAdd");
        // An address that leaves the statement may lead to memory that it changes.
        let is_member = |at: usize| self.code.at(at - 1) == "." || self.code.is(at - 2, &["-", ">"]);
        let is_address = |at: usize| {
            let is_array = self.parameters.iter().any(|p| p.is_pointer && p.name == self.code.at(at));
            is_array && self.code.at(at + 1) != "[" && !is_member(at)
        };
        !is_atomic
            && !s.clone().any(is_address)
            && (s.len() == 1 || names::declaration(self.code, s).is_some() || (sets_one && !is_parameter))
    }

    /// The indices that stand in the body, but for those that are `taken`.
    fn sums(&self, threads: &Threads, taken: &[Range<usize>]) -> Vec<Sum> {
        let mut out = vec![];
        let mut at = self.f.body.start;
        while at < self.f.body.end {
            let Some(sum) = threads.sum(at) else {
                at += 1;
                continue;
            };
            at = sum.range.end;
            if !taken.contains(&sum.range) {
                out.push(sum);
            }
        }
        out
    }

    /// Outcome for a dimension: loops, with their heads, and conditions on a launch.
    fn dimension(
        &self,
        threads: &Threads,
        dim: usize,
        statements: &[Range<usize>],
        found: &mut Found,
        loops: &mut Vec<(String, String)>,
    ) -> Result<(), Diagnostic> {
        let letter = DIMENSIONS[dim];
        let sums: Vec<Sum> = found.sums.iter().filter(|sum| sum.dim == dim).cloned().collect();
        let in_place = found.in_place[dim];
        let parts = self.parts(threads, dim, found, true);
        let is_apart = parts.iter().any(|(_, what)| matches!(what, Builtin::Block | Builtin::Thread));
        self.definitions(threads, dim, is_apart, found);
        if in_place && (is_apart || !sums.is_empty()) {
            let why = format!("it uses the index along {letter} outside the loop over all threads");
            return Err(self.left("grid-stride", self.f.at..self.f.at + 1, &why));
        }
        if is_apart {
            let parts = self.parts(threads, dim, found, false);
            self.apart(dim, &parts, found, loops);
            return Ok(());
        }
        self.sizes(dim, &parts, found);
        let Some(first) = sums.first().filter(|_| !in_place) else {
            if !in_place {
                let reason = format!("the kernel has no use for threads along {letter}");
                found.launch.push(Condition { dim, extent: Extent::One, reason });
            }
            return Ok(());
        };
        let (name, ty) = self.counter(dim, first, statements, found);
        for sum in sums.iter().filter(|sum| self.holder(sum, statements).is_none_or(|(n, ..)| n != name)) {
            found.edits.replace(&self.code.text, self.code.bytes(sum.range.clone()), name.clone());
        }
        found.launch.extend(sums.iter().filter_map(|sum| self.fixed_block(sum)));
        let first = found.limit(dim, |limit| if let Limit::From(n) = limit { Some(n) } else { None });
        let (first, below) = (first.unwrap_or("0".into()), self.below(dim, found)?);
        loops.push((name.clone(), format!("for ({ty} {name} = {first}; {name} < {}; {name}++) ", grouped(&below))));
        Ok(())
    }

    /// The parts of indices of a dimension, each with its tokens; those within whole indices and strides count where
    /// they are not `fused`. What gives a variable of its own to one does not.
    fn parts(&self, threads: &Threads, dim: usize, found: &Found, fused: bool) -> Vec<(Range<usize>, Builtin)> {
        let in_index = |at: usize| found.sums.iter().map(|sum| &sum.range).chain(&found.taken).any(|r| r.contains(&at));
        let mut out = vec![];
        let mut at = self.f.body.start;
        while at < self.f.body.end {
            if let Some((_, end)) = threads.stride(at).filter(|(d, _)| fused && *d == dim && self.is_step(at)) {
                at = end;
                continue;
            }
            let Some(atom) = threads.atom(at) else {
                at += 1;
                continue;
            };
            if atom.dim == dim && !(fused && in_index(at)) && self.defined(threads, at).is_none() {
                out.push((at..atom.end, atom.what));
            }
            at = atom.end;
        }
        out
    }

    /// The variable that a builtin at a token gives its value.
    fn defined(&self, threads: &Threads, at: usize) -> Option<(Builtin, usize)> {
        let mut before = at.checked_sub(1)?;
        while [")", "("].contains(&self.code.at(before))
            || (self.code.at(before + 1) == ")" && self.code.is_word(before))
        {
            before = before.checked_sub(1)?;
        }
        let name = before.checked_sub(1).filter(|_| self.code.at(before) == "=")?;
        threads.aliases.get(self.code.at(name)).copied()
    }

    /// Test that a stride stands where a loop goes over the grid, or a variable takes it there.
    fn is_step(&self, at: usize) -> bool {
        let is_word = |at: usize| self.code.is_word(at);
        self.code.at(at - 1) == "=" && (self.code.at(at - 2) == "+" || is_word(at - 2))
    }

    /// Variables that hold parts of indices, or a stride, hold them by the names that these now have.
    fn definitions(&self, threads: &Threads, dim: usize, is_apart: bool, found: &mut Found) {
        for at in self.f.body.clone().filter(|at| self.code.at(at + 1) == "=") {
            if let Some((d, end)) = threads.stride(at + 2).filter(|_| threads.strides.contains_key(self.code.at(at)))
                && d == dim
                && !is_apart
            {
                found.edits.replace(&self.code.text, self.code.bytes(at + 2..end), "0");
            }
            let Some((what, d)) = threads.aliases.get(self.code.at(at)).copied().filter(|(_, d)| *d == dim) else {
                continue;
            };
            let end = [",", ";"].iter().filter_map(|stop| self.code.find(at..self.f.body.end, stop)).min();
            let name = format!("{}_{}", what.name(), DIMENSIONS[d]);
            let value = match what {
                Builtin::Block | Builtin::Thread if !is_apart => "0".to_owned(),
                Builtin::Block | Builtin::Thread => name,
                Builtin::BlockDim => self.size(found, "block", dim, name),
                Builtin::GridDim => self.size(found, "grid", dim, name),
            };
            if let Some(end) = end {
                found.edits.replace(&self.code.text, self.code.bytes(at + 2..end), value);
            }
        }
    }

    /// A parameter for a size of the launch.
    fn size(&self, found: &mut Found, of: &str, dim: usize, name: String) -> String {
        self.extra(found, name.clone(), format!("(int){of}.{}", DIMENSIONS[dim]));
        name
    }

    /// Sizes of the launch become parameters.
    fn sizes(&self, dim: usize, parts: &[(Range<usize>, Builtin)], found: &mut Found) {
        for (range, what) in parts {
            let of = match what {
                Builtin::BlockDim => "block",
                Builtin::GridDim => "grid",
                Builtin::Block | Builtin::Thread => continue,
            };
            if self.code.at(range.start) == what.name() {
                let name = self.size(found, of, dim, format!("{}_{}", what.name(), DIMENSIONS[dim]));
                found.edits.replace(&self.code.text, self.code.bytes(range.clone()), name);
            }
        }
    }

    fn extra(&self, found: &mut Found, name: String, value: String) {
        if !found.extra.iter().any(|(known, _)| *known == name) {
            found.extra.push((name, value));
        }
    }

    /// Loops over blocks and over threads, where a kernel uses these for something else than an index.
    fn apart(
        &self,
        dim: usize,
        parts: &[(Range<usize>, Builtin)],
        found: &mut Found,
        loops: &mut Vec<(String, String)>,
    ) {
        let letter = DIMENSIONS[dim];
        for (what, of, size) in [(Builtin::Block, "grid", "gridDim"), (Builtin::Thread, "block", "blockDim")] {
            let (name, size) = (format!("{}_{letter}", what.name()), format!("{size}_{letter}"));
            self.extra(found, size.clone(), format!("(int){of}.{letter}"));
            loops.push((name.clone(), format!("for (int {name} = 0; {name} < {size}; {name}++) ")));
        }
        for (range, what) in parts.iter().filter(|(range, what)| self.code.at(range.start) == what.name()) {
            let name = format!("{}_{letter}", what.name());
            found.edits.replace(&self.code.text, self.code.bytes(range.clone()), name);
        }
    }

    /// The condition that a block has the extent that the kernel takes for granted.
    fn fixed_block(&self, sum: &Sum) -> Option<Condition> {
        let (letter, block) = (DIMENSIONS[sum.dim], sum.block.as_ref()?);
        let reason = format!("the kernel takes it that a block has {block} threads along {letter}");
        Some(Condition { dim: sum.dim, extent: Extent::Block(block.clone()), reason })
    }

    /// The variable at the top of the body whose declaration is of one index alone: its name, its type, its statement.
    fn holder(&self, sum: &Sum, statements: &[Range<usize>]) -> Option<(String, String, Range<usize>)> {
        let s = statements.iter().find(|s| s.contains(&sum.range.start))?;
        let found = names::declaration(self.code, s).filter(|d| d.names.len() == 1)?;
        let name = found.names[0].clone();
        let is_all =
            name.start + 2 == sum.range.start && name.end == sum.range.end && self.code.at(name.start + 1) == "=";
        let text = self.code.at(name.start);
        let once = names::assignments(self.code, self.f.body.clone(), text) == 1;
        let words: Vec<&str> = found.ty.map(|at| self.code.at(at)).filter(|word| *word != "const").collect();
        let is_number = !words.is_empty() && !words.contains(&"*");
        (is_all && once && is_number).then(|| (text.to_owned(), words.join(" "), s.clone()))
    }

    /// The counter of the loop over a dimension, and its type: the variable of the user's that holds the index, if one does.
    fn counter(&self, dim: usize, first: &Sum, statements: &[Range<usize>], found: &mut Found) -> (String, String) {
        let sums = found.sums.iter().filter(|sum| sum.dim == dim);
        if let Some((name, ty, statement)) = sums.clone().find_map(|sum| self.holder(sum, statements)) {
            found.edits.blank(&self.code.text, self.code.bytes(statement));
            return (name, ty);
        }
        let papers = format!("id{}", DIMENSIONS[dim]);
        let is_papers = first.range.len() == 1;
        let is_free = is_papers || !self.f.body.clone().any(|at| self.code.at(at) == papers);
        let is_parameter = self.parameters.iter().any(|p| p.name == papers);
        (if is_free && !is_parameter { papers } else { format!("rt_{papers}") }, "int".into())
    }

    /// The bound of a dimension.
    fn below(&self, dim: usize, found: &mut Found) -> Result<String, Diagnostic> {
        let letter = DIMENSIONS[dim];
        if let Some(below) = found.limit(dim, |limit| if let Limit::Below(n) = limit { Some(n) } else { None }) {
            let reason = format!("else the launch has fewer threads along {letter} than `{below}`");
            found.launch.push(Condition { dim, extent: Extent::AtLeast(below.clone()), reason });
            return Ok(below);
        }
        if let Some(size) = self.said.size.get(dim) {
            let reason = format!("`size` says that there are `{size}` threads along {letter}");
            found.launch.push(Condition { dim, extent: Extent::Exactly(size.clone()), reason });
            return Ok(size.clone());
        }
        let name = format!("threads_{letter}");
        self.extra(found, name.clone(), format!("(int)(grid.{letter} * block.{letter})"));
        Ok(name)
    }

    /// Takes out what the bounds of the loops say already.
    fn drop_guards(&self, found: &mut Found) {
        let text = &self.code.text;
        for Guard { head, pieces } in &found.guards {
            let is_held = |bound: &Option<Bound>| bound.as_ref().is_some_and(|b| found.bounds.contains(b));
            if pieces.iter().all(|(_, bound)| is_held(bound)) {
                found.edits.blank(text, self.code.bytes(head.clone()));
                continue;
            }
            let n = pieces.len();
            for (at, (range, _)) in pieces.iter().enumerate().filter(|(_, (_, bound))| is_held(bound)) {
                // With the operator behind it, or before the last.
                let (from, to) = if at + 1 < n { (range.start, range.end + 2) } else { (range.start - 2, range.end) };
                found.edits.blank(text, self.code.bytes(from..to));
            }
        }
    }

    /// `return` of a thread ends its iteration; in a loop of the thread it would end more than that.
    fn returns(&self, has_loops: bool, found: &mut Found) -> Result<(), Diagnostic> {
        let loops: Vec<Range<usize>> = self.f.body.clone().filter_map(|at| self.loop_at(at)).collect();
        for at in self.f.body.clone().filter(|at| self.code.at(*at) == "return") {
            if loops.iter().any(|l| l.contains(&at)) {
                let why = "a thread returns from within a loop";
                return Err(self.left("return-in-loop", at..at + 1, why).help("let the condition of the loop end it"));
            }
            if has_loops {
                found.edits.replace(&self.code.text, self.code.bytes(at..at + 1), "continue");
            }
        }
        Ok(())
    }

    fn loop_at(&self, at: usize) -> Option<Range<usize>> {
        let is_loop = ["for", "while", "do"].contains(&self.code.at(at));
        is_loop.then(|| self.code.statement_end(at, self.f.body.end)).flatten().map(|end| at..end)
    }

    /// The function's parameters with those of the launch, and the loops around its body.
    fn head(&self, loops: &[(String, String)], found: &mut Found) {
        let close = self.code.bytes(self.f.parameters.end..self.f.parameters.end + 1).start;
        let extra: Vec<String> = found.extra.iter().map(|(name, _)| format!("int {name}")).collect();
        let comma = if self.parameters.is_empty() || extra.is_empty() { "" } else { ", " };
        found.edits.insert(close, format!("{comma}{}", extra.join(", ")));
        let body = self.code.bytes(self.f.body.clone());
        let open: String = loops.iter().map(|(_, head)| head.as_str()).collect();
        if !loops.is_empty() {
            found.edits.insert(body.start, format!("{open}{{ "));
            found.edits.insert(body.end, " }");
        }
    }
}
