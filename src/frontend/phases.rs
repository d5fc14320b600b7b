//! Kernels whose threads all wait for each other, as the naive kernels between the barriers.
//!
//! ```text
//! __global__ void rd(float *a, int n) {               __global__ void rd_part0(float *a, int n, int s) {
//!     int i = idx;                                        int i = idx;
//!     for (int s = n / 2; s > 0; s /= 2) {       →        if (i < s) a[i] += a[i + s];
//!         if (i < s) a[i] += a[i + s];                }
//!         __global_sync();                            for (int s = n / 2; s > 0; s /= 2) { rd_part0; }
//!     }
//! }
//! ```
//! The barrier is `__global_sync()` (Yang et al., PLDI 2010, section 3) or `sync()` of a grid of cooperative groups. Behind one all
//! threads see what all have written, as behind a launch. What decides how often one is reached must be the same for all threads:
//! loops and conditions over the kernel's numbers, which the host then runs around launches. Variables at the top of the
//! body that follow from a thread's index are every part's; any other that lives across a barrier is named, and the
//! kernel left as it is.

use super::code::{Code, Edits};
use super::items::Function;
use super::names::{self, Parameter};
use super::threads::Threads;
use crate::diag::Diagnostic;
use crate::source::lex::Token;
use std::collections::BTreeSet;
use std::ops::Range;

/// A kernel with barriers among all threads.
#[derive(Debug, Clone)]
pub struct Phased {
    pub name: String,
    /// The line of its name.
    pub line: u32,
    pub parameters: Vec<Parameter>,
    /// The kernel as it was, as CUDA.
    pub original: String,
    /// Everything that runs on the host, in order.
    pub control: Vec<Step>,
    pub parts: Vec<Part>,
}

/// A step of the host.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Text that is the same in C and C++: heads of loops and conditions, declarations, braces.
    Text(String),
    /// A part, by number, for all threads.
    Part(usize),
}

/// A naive kernel between barriers.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    pub name: String,
    /// Numbers of the host that it has as parameters behind the kernel's own: type and name.
    pub given: Vec<(String, String)>,
}

/// Words of the numbers that the host may declare.
const TYPES: [&str; 10] = ["int", "unsigned", "long", "short", "char", "const", "float", "double", "bool", "size_t"];

/// Words of CUDA that say which thread it is, with their members.
const INDICES: [&str; 19] = [
    "blockIdx",
    "threadIdx",
    "blockDim",
    "gridDim",
    "x",
    "y",
    "z",
    "idx",
    "idy",
    "idz",
    "tidx",
    "tidy",
    "tidz",
    "bidx",
    "bidy",
    "bidz",
    "__umul24",
    "__mul24",
    "return",
];

/// Test that a body has a barrier among all threads.
pub fn has_barrier(code: &Code, body: &Range<usize>) -> bool {
    body.clone().any(|at| ["__global_sync", "this_grid"].contains(&code.at(at)))
}

/// Takes a kernel apart at its barriers: the kernel, and the changes that leave its parts in its place, line for line.
///
/// # Errors
/// Reason why it cannot be.
pub fn split(
    code: &Code,
    (f, item): (&Function, Range<usize>),
    is_macro: &dyn Fn(&str) -> bool,
) -> Result<(Phased, Edits), Diagnostic> {
    let splitter = Splitter {
        code,
        f,
        is_macro,
        parameters: vec![],
        own: BTreeSet::new(),
        host: vec![],
        grids: vec![],
        prelude: vec![],
        current: vec![],
        parts: vec![],
        control: vec![],
    };
    splitter.split(item)
}

struct Splitter<'a> {
    code: &'a Code,
    f: &'a Function,
    is_macro: &'a dyn Fn(&str) -> bool,
    parameters: Vec<Parameter>,
    /// Names of the prelude.
    own: BTreeSet<String>,
    /// Numbers of the host: type and name.
    host: Vec<(String, String)>,
    /// Variables that are grids of cooperative groups.
    grids: Vec<String>,
    /// Statements that every part begins with.
    prelude: Vec<Range<usize>>,
    /// Statements of the part under way.
    current: Vec<Range<usize>>,
    parts: Vec<(Part, Vec<Range<usize>>)>,
    control: Vec<Step>,
}

impl Splitter<'_> {
    fn split(mut self, item: Range<usize>) -> Result<(Phased, Edits), Diagnostic> {
        let (code, body) = (self.code, self.f.body.clone());
        self.parameters = names::parameters(code, self.f)
            .map_err(|(range, why)| self.left("parameter", range, &format!("it has {why}")))?;
        self.block(body.clone())?;
        self.crossing()?;
        let text = &code.text;
        let mut edits = Edits::default();
        let mut at = code.bytes(item.clone()).start;
        let parameters = self.compact(self.f.parameters.clone());
        let prelude: String = self.prelude.iter().map(|s| self.compact(s.clone()) + " ").collect();
        for (part, statements) in &self.parts {
            for (k, s) in statements.iter().enumerate() {
                let bytes = code.bytes(s.clone());
                if k == 0 {
                    let given = part.given.iter().map(|(ty, name)| format!("{ty} {name}"));
                    let all: Vec<String> =
                        std::iter::once(parameters.clone()).filter(|p| !p.is_empty()).chain(given).collect();
                    let head = format!("__global__ void {}({}) {{ ", part.name, all.join(", "));
                    // An assertion of its loops over threads stands in front of them.
                    let asserted = self.pragmas(at..bytes.start, &["#pragma", "rt", "parallel"]);
                    let (start, end) = asserted.first().copied().unwrap_or((bytes.start, bytes.start));
                    edits.blank(text, at..start);
                    edits.insert(start, head);
                    edits.insert(bytes.start, prelude.clone());
                    at = end;
                }
                edits.blank(text, at..bytes.start);
                at = bytes.end;
            }
            edits.insert(at, " }");
        }
        edits.blank(text, at..code.bytes(item.clone()).end);
        let is_uniform = |name: &str| (self.is_macro)(name) || self.parameters.iter().any(|p| p.name == name);
        let threads = Threads::new(code, &body, &is_uniform);
        let mut in_cuda = Edits::default();
        for at in body {
            if let Some(cuda) = threads.in_cuda(at) {
                in_cuda.replace(text, code.bytes(at..at + 1), cuda);
            }
        }
        let bytes = code.bytes(item);
        for (start, end) in self.pragmas(bytes.clone(), &["#pragma", "rt"]) {
            in_cuda.blank(text, start..end);
        }
        let behind = text.len() - bytes.end;
        let whole = in_cuda.apply(text);
        let original = whole[bytes.start..whole.len() - behind].to_owned();
        let phased = Phased {
            name: self.f.name.clone(),
            line: code.line(self.f.at),
            parameters: self.parameters,
            original,
            control: self.control,
            parts: self.parts.into_iter().map(|(part, _)| part).collect(),
        };
        Ok((phased, edits))
    }

    /// The lines of a range that begin with these words, each with the end of the line before it.
    fn pragmas(&self, range: Range<usize>, words: &[&str]) -> Vec<(usize, usize)> {
        let text = &self.code.text;
        let of = |d: &Token| {
            let span = d.span.lo as usize..d.span.hi as usize;
            let mut own = text[span.clone()].split_whitespace();
            let is_it = words.iter().all(|word| own.next() == Some(word));
            let start = text[..span.start].rfind('\n')?;
            (is_it && range.contains(&start) && span.end <= range.end).then_some((start, span.end))
        };
        self.code.directives.iter().filter_map(of).collect()
    }

    fn left(&self, kind: &'static str, range: Range<usize>, why: &str) -> Diagnostic {
        let message = format!("kernel `{}` is left as it is: {why}", self.f.name);
        Diagnostic::declined(kind, message, Some(self.code.place(range)))
    }

    /// Tokens in one line, without comments.
    fn compact(&self, range: Range<usize>) -> String {
        let mut out = String::new();
        let mut end = None;
        for at in range {
            let bytes = self.code.bytes(at..at + 1);
            if end.is_some_and(|end| end != bytes.start) {
                out.push(' ');
            }
            out += self.code.at(at);
            end = Some(bytes.end);
        }
        out
    }

    /// Statements that all threads reach together.
    fn block(&mut self, block: Range<usize>) -> Result<(), Diagnostic> {
        let Some(statements) = self.code.statements(block.clone()) else {
            return Err(self.left("not-read", block.start..block.start + 1, "its statements cannot be told apart"));
        };
        for s in statements {
            if self.is_barrier(&s) {
                self.close();
            } else if self.is_grid(&s) {
            } else if self.has_barrier(&s) {
                self.close();
                self.around(s)?;
            } else if self.is_host(&s) {
                self.on_host(&s);
            } else if self.is_prelude(&s) {
                let declared = names::declaration(self.code, &s);
                let all = declared.iter().flat_map(|d| d.names.iter().map(|name| self.code.at(name.start).to_owned()));
                self.own.extend(all.collect::<Vec<_>>());
                self.prelude.push(s);
            } else {
                self.stays(&s)?;
                self.current.push(s);
            }
        }
        self.close();
        Ok(())
    }

    /// Ends the part under way.
    fn close(&mut self) {
        if self.current.is_empty() {
            return;
        }
        let statements = std::mem::take(&mut self.current);
        let is_used = |name: &str| statements.iter().any(|s| s.clone().any(|at| self.code.at(at) == name));
        let mut given: Vec<(String, String)> = self.host.iter().filter(|(_, name)| is_used(name)).cloned().collect();
        given.dedup_by(|x, y| x.1 == y.1);
        let mut name = format!("{}_part{}", self.f.name, self.parts.len());
        while self.code.tokens.iter().any(|t| t.text(&self.code.text) == name) {
            name.push('_');
        }
        self.control.push(Step::Part(self.parts.len()));
        self.parts.push((Part { name, given }, statements));
    }

    /// A loop or condition around barriers.
    fn around(&mut self, s: Range<usize>) -> Result<(), Diagnostic> {
        let code = self.code;
        let word = code.at(s.start);
        if word == "{" {
            self.control.push(Step::Text("{ ".into()));
            self.block(s.start + 1..s.end - 1)?;
            self.control.push(Step::Text("} ".into()));
            return Ok(());
        }
        let close = code.partner(s.start + 1).filter(|_| ["for", "while", "if"].contains(&word));
        let Some(close) = close else {
            let why = "a barrier among all threads stands in a statement other than `for`, `while` and `if`";
            return Err(self.left("barrier", s.start..s.start + 1, why).help("write it with `for`"));
        };
        let n_host = self.host.len();
        if let (true, Some(end)) = (word == "for", code.find(s.start + 2..close, ";")) {
            self.declares(&(s.start + 2..end + 1));
        }
        if let Some(at) = self.stray(s.start + 2..close) {
            let why = format!("how often its threads meet at a barrier depends on `{}`", code.at(at));
            let help = "loops and conditions around it are over the kernel's numbers: what a thread alone does stands between barriers";
            return Err(self.left("barrier", at..at + 1, &why).help(help));
        }
        self.control.push(Step::Text(self.compact(s.start..close + 1) + " { "));
        let then = code.statement_end(close + 1, s.end).unwrap_or(s.end);
        self.within(close + 1..then)?;
        if then < s.end {
            self.control.push(Step::Text("} else { ".into()));
            self.within(then + 1..s.end)?;
        }
        self.control.push(Step::Text("} ".into()));
        self.host.truncate(n_host);
        Ok(())
    }

    /// The statement of a loop, or those of its block.
    fn within(&mut self, s: Range<usize>) -> Result<(), Diagnostic> {
        let is_block = self.code.at(s.start) == "{" && self.code.partner(s.start) == Some(s.end - 1);
        self.block(if is_block { s.start + 1..s.end - 1 } else { s })
    }

    /// Notes a declaration of numbers of the host.
    fn declares(&mut self, s: &Range<usize>) {
        let Some(found) = names::declaration(self.code, s) else { return };
        let words: Vec<&str> = found.ty.map(|at| self.code.at(at)).filter(|word| *word != "const").collect();
        let all: Vec<_> =
            found.names.iter().map(|name| (words.join(" "), self.code.at(name.start).to_owned())).collect();
        self.host.extend(all);
    }

    /// A statement over numbers of the host.
    fn on_host(&mut self, s: &Range<usize>) {
        let is_declaration = names::declaration(self.code, s).is_some();
        self.declares(s);
        // A variable that is given a value once can have it before the part under way.
        let is_once = is_declaration && {
            let found = names::declaration(self.code, s);
            let once =
                |name: &Range<usize>| names::assignments(self.code, self.f.body.clone(), self.code.at(name.start)) <= 1;
            found.is_some_and(|found| found.names.iter().all(once))
        };
        if !is_once {
            self.close();
        }
        self.control.push(Step::Text(self.compact(s.clone()) + " "));
    }

    /// Test that a statement only declares numbers of the host, or changes them.
    fn is_host(&self, s: &Range<usize>) -> bool {
        if let Some(found) = names::declaration(self.code, s) {
            let is_number = found.ty.clone().all(|at| TYPES.contains(&self.code.at(at)));
            let is_plain = |name: &Range<usize>| {
                let word = self.code.at(name.start);
                let once = names::assignments(self.code, self.f.body.clone(), word) == 1;
                let is_fixed = once && self.code.at(name.start + 1) == "=";
                (is_fixed || self.is_in_head(word))
                    && self.code.at(name.start + 1) != "["
                    && self.stray(name.start + 1..name.end).is_none()
            };
            return is_number && found.names.iter().all(is_plain);
        }
        let name = s.clone().find(|at| self.code.is_word(*at));
        let changes = name.filter(|at| names::is_assigned(self.code, *at)).map(|at| self.code.at(at));
        changes.is_some_and(|name| self.host.iter().any(|(_, known)| known == name)) && self.stray(s.clone()).is_none()
    }

    /// Test that a loop or condition around a barrier asks for a name.
    fn is_in_head(&self, name: &str) -> bool {
        let code = self.code;
        let heads = self.f.body.clone().filter(|at| ["for", "while", "if"].contains(&code.at(*at)));
        let has_name = |at: usize| {
            let close = code.partner(at + 1)?;
            let end = code.statement_end(at, self.f.body.end)?;
            (self.has_barrier(&(close + 1..end)) && (at..close).any(|k| code.at(k) == name)).then_some(())
        };
        heads.into_iter().any(|at| has_name(at).is_some())
    }

    /// A name in a range that is none of the host's.
    fn stray(&self, mut range: Range<usize>) -> Option<usize> {
        let is_known = |name: &str| {
            let is_number = |p: &Parameter| !p.is_pointer && p.name == name;
            TYPES.contains(&name)
                || (self.is_macro)(name)
                || self.parameters.iter().any(is_number)
                || self.host.iter().any(|(_, known)| known == name)
        };
        range.find(|at| self.code.is_word(*at) && !is_known(self.code.at(*at)))
    }

    /// Test that a statement at the top of the body says what follows from a thread's index: every part can say it for itself.
    fn is_prelude(&self, s: &Range<usize>) -> bool {
        let code = self.code;
        let is_first = self.parts.is_empty()
            && self.current.is_empty()
            && self.control.iter().all(|step| matches!(step, Step::Text(t) if t.trim_end().ends_with(';')));
        let close = code.partner(s.start + 1).filter(|_| code.at(s.start) == "if");
        let returns = close.is_some_and(|close| {
            code.is(close + 1, &["return", ";"]) || code.is(close + 1, &["{", "return", ";", "}"])
        });
        let declared = names::declaration(code, s);
        let names: Vec<&str> = declared.iter().flat_map(|d| &d.names).map(|name| code.at(name.start)).collect();
        let once = |name: &&str| names::assignments(code, self.f.body.clone(), name) == 1;
        let is_fixed = declared.is_some() && names.iter().all(once);
        let is_own = |at: usize| {
            let word = code.at(at);
            let is_number = self.parameters.iter().any(|p| !p.is_pointer && p.name == word);
            let is_index = INDICES.contains(&word) || word == "if" || TYPES.contains(&word);
            is_number || is_index || names.contains(&word) || self.own.contains(word) || (self.is_macro)(word)
        };
        is_first
            && (returns || is_fixed)
            && s.clone().all(|at| !code.is_word(at) || is_own(at))
            && !s.clone().any(|at| code.at(at) == "[")
    }

    fn is_barrier(&self, s: &Range<usize>) -> bool {
        let text: String = s.clone().map(|at| self.code.at(at)).collect();
        let is_grids = |name: &String| text == format!("{name}.sync();");
        let ends = text.ends_with("this_grid().sync();") && !text.contains('=');
        text == "__global_sync();" || ends || self.grids.iter().any(is_grids)
    }

    /// Notes a variable that is a grid of cooperative groups.
    fn is_grid(&mut self, s: &Range<usize>) -> bool {
        let equals = self.code.find(s.clone(), "=");
        let found = equals.filter(|at| (*at..s.end).any(|k| self.code.at(k) == "this_grid"));
        self.grids.extend(found.map(|at| self.code.at(at - 1).to_owned()));
        found.is_some()
    }

    fn has_barrier(&self, s: &Range<usize>) -> bool {
        let is_grids = |at: usize| self.grids.iter().any(|name| self.code.is(at, &[name, ".", "sync"]));
        s.clone().any(|at| ["__global_sync", "this_grid"].contains(&self.code.at(at)) || is_grids(at))
    }

    /// Holds a statement of a part to what a part may do.
    fn stays(&self, s: &Range<usize>) -> Result<(), Diagnostic> {
        let is_loop = ["for", "while", "do", "switch"].contains(&self.code.at(s.start));
        for at in s.clone() {
            let word = self.code.at(at);
            if word == "return" || (!is_loop && ["break", "continue"].contains(&word)) {
                let why = format!("a thread leaves by `{word}` what all threads meet in");
                return Err(self
                    .left("barrier", at..at + 1, &why)
                    .help("let a condition skip what the thread has not to do"));
            }
            if self.host.iter().any(|(_, name)| name == word) && names::is_assigned(self.code, at) {
                let why = format!("its threads change `{word}`, on which their barriers depend");
                return Err(self
                    .left("barrier", at..at + 1, &why)
                    .help("let the thread have a variable of its own for that"));
            }
        }
        Ok(())
    }

    /// Names the first variable of a thread that lives across a barrier.
    fn crossing(&self) -> Result<(), Diagnostic> {
        for (k, (part, statements)) in self.parts.iter().enumerate() {
            let own: BTreeSet<String> = statements.iter().flat_map(|s| names::declared(self.code, s)).collect();
            let others = self.parts.iter().enumerate().filter(|(other, _)| *other != k).flat_map(|(_, (_, s))| s);
            let others: BTreeSet<String> = others.flat_map(|s| names::declared(self.code, s)).collect();
            let is_foreign = |at: &usize| {
                let name = self.code.at(*at);
                let is_member = self.code.at(at - 1) == ".";
                let is_given = part.given.iter().any(|(_, given)| given == name);
                !is_member && others.contains(name) && !own.contains(name) && !is_given
            };
            if let Some(at) = statements.iter().flat_map(|s| s.clone()).find(is_foreign) {
                let why = format!(
                    "`{}`, which each thread has for itself, lives across a barrier among all threads",
                    self.code.at(at)
                );
                let help = "keep it in an array with an element for each thread, or compute it anew behind the barrier";
                return Err(self.left("barrier", at..at + 1, &why).help(help));
            }
        }
        if self.parts.is_empty() {
            let why = "nothing stands between its barriers";
            return Err(self
                .left("barrier", self.f.at..self.f.at + 1, why)
                .help("let its threads compute elements there"));
        }
        Ok(())
    }
}
