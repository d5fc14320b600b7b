//! Indices of threads: `blockIdx.x * blockDim.x + threadIdx.x` in its usual spellings, variables that hold it or its
//! parts, `idx` and `idy` of Yang et al. (PLDI 2010, section 2), and the stride of a whole grid.

use super::code::Code;
use super::names;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The dimensions of a grid.
pub const DIMENSIONS: [&str; 3] = ["x", "y", "z"];

/// A variable that CUDA gives to every thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Builtin {
    Block,
    Thread,
    BlockDim,
    GridDim,
}

impl Builtin {
    /// Each with its name in CUDA.
    pub const ALL: [(&'static str, Builtin); 4] = [
        ("blockIdx", Builtin::Block),
        ("threadIdx", Builtin::Thread),
        ("blockDim", Builtin::BlockDim),
        ("gridDim", Builtin::GridDim),
    ];

    /// Its name in CUDA.
    pub fn name(self) -> &'static str {
        Builtin::ALL.iter().find(|(_, b)| *b == self).map_or("", |(name, _)| name)
    }
}

/// A part of an index, and the token behind it.
pub struct Atom {
    pub what: Builtin,
    pub dim: usize,
    pub end: usize,
}

/// The index of a thread among all of a dimension.
#[derive(Debug, Clone)]
pub struct Sum {
    pub dim: usize,
    pub range: Range<usize>,
    /// Number in the place of `blockDim`: a number that the block's extent must then be.
    pub block: Option<String>,
}

/// Meaning of the names in a kernel's text.
pub struct Threads<'a> {
    code: &'a Code,
    /// Names that are the same for all threads, and known where the kernel is launched.
    is_uniform: &'a dyn Fn(&str) -> bool,
    /// Variables that hold a builtin.
    pub aliases: BTreeMap<String, (Builtin, usize)>,
    /// Names of the paper's that stand for an index, where the kernel declares none of that name.
    papers: BTreeMap<String, usize>,
    /// Names of the paper's for parts of indices.
    own_names: BTreeSet<String>,
    /// Variables that hold the stride of a whole grid.
    pub strides: BTreeMap<String, usize>,
}

/// Words of a cast.
const INTEGERS: [&str; 16] = [
    "int",
    "unsigned",
    "long",
    "short",
    "signed",
    "const",
    "size_t",
    "ssize_t",
    "ptrdiff_t",
    "uint",
    "int32_t",
    "uint32_t",
    "int64_t",
    "uint64_t",
    "char",
    "intptr_t",
];

impl<'a> Threads<'a> {
    /// Reads the variables of a body that hold builtins.
    pub fn new(code: &'a Code, body: &Range<usize>, is_uniform: &'a dyn Fn(&str) -> bool) -> Threads<'a> {
        let own = names::declared(code, body);
        let is_free = |name: &str| !own.contains(name) && !is_uniform(name);
        let mut threads = Threads {
            code,
            is_uniform,
            aliases: BTreeMap::new(),
            papers: BTreeMap::new(),
            own_names: BTreeSet::new(),
            strides: BTreeMap::new(),
        };
        for (dim, letter) in DIMENSIONS.iter().enumerate() {
            for (prefix, builtin) in [("tid", Builtin::Thread), ("bid", Builtin::Block)] {
                let name = format!("{prefix}{letter}");
                if is_free(&name) {
                    threads.own_names.insert(name.clone());
                    threads.aliases.insert(name, (builtin, dim));
                }
            }
            let name = format!("id{letter}");
            if is_free(&name) {
                threads.papers.insert(name, dim);
            }
        }
        for at in body.clone() {
            let name = code.at(at);
            if !code.is_word(at) || code.at(at + 1) != "=" || names::assignments(code, body.clone(), name) != 1 {
                continue;
            }
            let ends = |end: usize| [",", ";"].contains(&code.at(end));
            if let Some(atom) = threads.factor(at + 2).filter(|atom| ends(atom.end)) {
                threads.aliases.insert(name.to_owned(), (atom.what, atom.dim));
            } else if let Some((dim, end)) = threads.stride(at + 2)
                && ends(end)
            {
                threads.strides.insert(name.to_owned(), dim);
            }
        }
        threads
    }

    /// The builtin at a token, by its own name or that of a variable that holds it.
    pub fn atom(&self, at: usize) -> Option<Atom> {
        let word = self.code.at(at);
        if let Some((_, what)) = Builtin::ALL.iter().find(|(name, _)| *name == word) {
            let dim = DIMENSIONS.iter().position(|d| self.code.is(at + 1, &[".", d]))?;
            return Some(Atom { what: *what, dim, end: at + 3 });
        }
        let is_member = at > 0 && [".", ">"].contains(&self.code.at(at - 1)) && !self.is_greater(at - 1);
        let (what, dim) = *self.aliases.get(word).filter(|_| !is_member && self.code.at(at + 1) != "=")?;
        Some(Atom { what, dim, end: at + 1 })
    }

    /// CUDA of a name of the paper's.
    pub fn in_cuda(&self, at: usize) -> Option<String> {
        let name = self.code.at(at);
        let is_papers = self.own_names.contains(name) || self.papers.contains_key(name);
        let index = self.papers.get(name).map(|dim| DIMENSIONS[*dim]);
        let part = self.aliases.get(name).map(|(what, dim)| format!("(int){}.{}", what.name(), DIMENSIONS[*dim]));
        let whole = index.map(|d| format!("(int)(blockIdx.{d} * blockDim.{d} + threadIdx.{d})"));
        whole.or(part).filter(|_| is_papers)
    }

    /// Test that a `>` compares, and is no part of `->`.
    fn is_greater(&self, at: usize) -> bool {
        self.code.at(at) == ">" && (at == 0 || self.code.at(at - 1) != "-")
    }

    fn behind_casts(&self, mut at: usize) -> usize {
        while self.code.at(at) == "(" && INTEGERS.contains(&self.code.at(at + 1)) {
            let Some(close) = self.code.partner(at) else { return at };
            if !(at + 1..close).all(|k| INTEGERS.contains(&self.code.at(k))) {
                return at;
            }
            at = close + 1;
        }
        at
    }

    /// Gives what is read inside parentheses, or behind casts, with the token behind all of it.
    fn inside<T>(&self, at: usize, read: &dyn Fn(usize) -> Option<(T, usize)>) -> Option<(T, usize)> {
        let at = self.behind_casts(at);
        if let Some(found) = read(at) {
            return Some(found);
        }
        if self.code.at(at) != "(" {
            return None;
        }
        let close = self.code.partner(at)?;
        read(self.behind_casts(at + 1)).filter(|(_, end)| *end == close).map(|(found, _)| (found, close + 1))
    }

    fn factor(&self, at: usize) -> Option<Atom> {
        let read = |at| self.atom(at).map(|atom| ((atom.what, atom.dim), atom.end));
        self.inside(at, &read).map(|((what, dim), end)| Atom { what, dim, end })
    }

    /// A number that all threads have in common, as its text.
    fn number(&self, at: usize) -> Option<(String, usize)> {
        let word = self.code.at(at);
        let is_number = word.starts_with(|c: char| c.is_ascii_digit());
        let is_it = is_number || (self.code.is_word(at) && (self.is_uniform)(word));
        (is_it && self.code.at(at + 1) != "(").then(|| (word.to_owned(), at + 1))
    }

    /// `first * blockDim.d` in either order, or with a number in the place of `blockDim.d`.
    fn product(&self, at: usize, first: Builtin) -> Option<((usize, Option<String>), usize)> {
        let both = |at: usize, between: &str| {
            let (a, b) = (self.factor(at), self.number(at));
            let middle = a.as_ref().map(|a| a.end).or(b.as_ref().map(|b| b.1))?;
            let next = (self.code.at(middle) == between).then_some(middle + 1)?;
            let (c, d) = (self.factor(next), self.number(next));
            let end = c.as_ref().map(|c| c.end).or(d.as_ref().map(|d| d.1))?;
            let found = match (a, b, c, d) {
                (Some(a), _, Some(c), _) => {
                    let is_pair = [a.what, c.what].contains(&first) && [a.what, c.what].contains(&Builtin::BlockDim);
                    (is_pair && a.dim == c.dim).then_some((a.dim, None))
                }
                (Some(atom), _, None, Some((number, _))) | (None, Some((number, _)), Some(atom), _) => {
                    (atom.what == first).then_some((atom.dim, Some(number)))
                }
                _ => None,
            };
            found.map(|found| (found, end))
        };
        let read = |at: usize| {
            if ["__mul24", "__umul24"].contains(&self.code.at(at)) && self.code.at(at + 1) == "(" {
                return both(at + 2, ",").filter(|(_, end)| self.code.at(*end) == ")").map(|(x, end)| (x, end + 1));
            }
            both(at, "*")
        };
        self.inside(at, &read)
    }

    /// The index of a thread that begins at a token.
    pub fn sum(&self, at: usize) -> Option<Sum> {
        let word = self.code.at(at);
        let before = at.checked_sub(1).map_or("", |k| self.code.at(k));
        if ["*", "/", "%", "-", "."].contains(&before) || (before == ">" && !self.is_greater(at - 1)) {
            return None;
        }
        if let Some(dim) = self.papers.get(word) {
            return Some(Sum { dim: *dim, range: at..at + 1, block: None });
        }
        let thread = |at: usize| self.factor(at).filter(|atom| atom.what == Builtin::Thread);
        let found = match thread(at).filter(|t| self.code.at(t.end) == "+") {
            Some(t) => {
                self.product(t.end + 1, Builtin::Block).filter(|(x, _)| x.0 == t.dim).map(|(x, end)| (x.0, x.1, end))
            }
            None => self.product(at, Builtin::Block).and_then(|((dim, block), end)| {
                let t = thread((self.code.at(end) == "+").then_some(end + 1)?).filter(|t| t.dim == dim)?;
                Some((dim, block, t.end))
            }),
        };
        let (dim, block, end) = found?;
        let binds_more = ["*", "/", "%", ".", "["].contains(&self.code.at(end));
        (!binds_more).then_some(Sum { dim, range: at..end, block })
    }

    /// The dimension of a stride by all threads of the grid, and the token behind it.
    pub fn stride(&self, at: usize) -> Option<(usize, usize)> {
        if let Some(dim) = self.strides.get(self.code.at(at)) {
            return Some((*dim, at + 1));
        }
        self.product(at, Builtin::GridDim).map(|((dim, _), end)| (dim, end))
    }
}
