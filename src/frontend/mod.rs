//! Naive CUDA kernels as plain C: what `rtcuda optimize` reads.
//!
//! References to what device functions change become pointers (`references`), a file's kernels are found ([`items`]), those with barriers among all threads are taken apart ([`phases`]), what no naive
//! kernel has is named ([`refused`]), and the rest become C functions, line for line ([`kernel`]): their loops go through the
//! indices of threads ([`threads`]) up to the bounds that guards give ([`guard`]) or the user states ([`pragma`]). From there
//! on they go the way of C.
//!
//! The method is that of Yang, Xiang, Kong and Zhou, "A GPGPU Compiler for Memory Optimization and Parallelism Management"
//! (PLDI 2010): the user writes what one thread computes, the compiler finds memory accesses, tiles and sizes.
//!
//! CUDA C is read by its tokens ([`code`]), and what it has beside C is replaced by C; the C is then parsed by the grammar that
//! is here. A grammar of CUDA (tree-sitter-cuda) is a grammar of C++: 20 MB of generated C to build, for trees that would
//! still have to be turned into those of C. What little of CUDA a naive kernel has can be told by its tokens, and what is
//! not understood is said, not guessed.

use crate::diag::{Diagnostic, Stop};
use crate::source::lex::TokenKind;
use crate::source::preprocess;
use code::{Code, Edits};
use items::{Function, Item, Kind, QUALIFIERS};
use kernel::{Kernel, Reader};
use phases::{Part, Phased};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

pub mod code;
mod grid_stride;
pub mod guard;
pub mod items;
pub mod kernel;
pub mod names;
pub mod phases;
pub mod pragma;
mod references;
pub mod refused;
pub mod threads;

/// Bytes of a file of kernels.
const MOST_BYTES: usize = 4 << 20;

/// A CUDA file, read.
#[derive(Debug, Clone)]
pub struct CudaFile {
    /// As the user named it.
    pub path: String,
    /// The user's text.
    pub text: String,
    /// Its naive kernels as C functions, line for line.
    pub c: String,
    /// The same kernels as they were, with what they need, line for line.
    pub device: String,
    /// The naive kernels, in the order of the text; parts of others between barriers among them.
    pub kernels: Vec<Kernel>,
    /// Kernels with barriers among all threads, all of whose parts are there.
    pub phased: Vec<Phased>,
    /// Everything that is left as it is, and why.
    pub left: Vec<Diagnostic>,
}

/// Reads a file.
///
/// # Errors
/// Whatever [`preprocess::read_file`] refuses, `no-kernel`, `unbalanced-braces`, and pragmas that are not what they should be.
pub fn load(path: &Path) -> Result<CudaFile, Stop> {
    let bytes = preprocess::read_file(path)?;
    read(&path.to_string_lossy(), &String::from_utf8_lossy(&bytes))
}

/// Reads a text.
///
/// # Errors
/// As [`load`].
pub fn read(path: &str, text: &str) -> Result<CudaFile, Stop> {
    if text.len() > MOST_BYTES {
        let message = format!("{path} is larger than {} MiB, too large for a file of kernels", MOST_BYTES >> 20);
        return Err(Diagnostic::error("file-too-large", message, None).into());
    }
    let (text_of_parts, phased, torn) = in_parts(path, references::by_address(with_index_macros(text)))?;
    let code = Code::new(path, text_of_parts);
    let items = items_of(&code)?;
    if torn.is_empty() && !items.iter().any(|item| matches!(item.kind, Kind::Kernel(_) | Kind::Template(_))) {
        let message = format!("{path} has no kernel: no function in it is `__global__`");
        let help = "a kernel is `__global__ void name(float *a, int n) { ... }`; plain C goes to `rtcuda convert`";
        return Err(Diagnostic::error("no-kernel", message, None).help(help).into());
    }
    let known = uniform(&code, &items);
    let mut file = File { code: &code, items: &items, left: torn, device: vec![], known, phased: &phased };
    file.functions();
    let (mut kernels, edits, in_cuda) = file.kernels()?;
    let File { mut left, device, .. } = file;
    left.iter_mut().for_each(|d| name_whole(d, &phased));
    let is_there = |part: &Part| kernels.iter().any(|k| k.name == part.name);
    let (whole, torn): (Vec<&Phased>, Vec<_>) = phased.iter().partition(|x| x.parts.iter().all(is_there));
    kernels.retain(|k| !torn.iter().flat_map(|x| &x.parts).any(|part| part.name == k.name));
    let whole = whole.into_iter().cloned().collect();
    let (c, kept) = texts(&code, &items, &kernels, &device, (edits, in_cuda));
    Ok(CudaFile { path: path.to_owned(), text: text.to_owned(), c, device: kept, kernels, phased: whole, left })
}

fn items_of(code: &Code) -> Result<Vec<Item>, Stop> {
    Ok(items::items(code).map_err(|at| {
        let message = "a brace is opened here that nothing closes";
        Diagnostic::error("unbalanced-braces", message, Some(code.place(at..at + 1))).help("close it, and run again")
    })?)
}

/// The text with kernels that have barriers among all threads in parts, these kernels, and why others are left as they are.
fn in_parts(path: &str, text: String) -> Result<(String, Vec<Phased>, Vec<Diagnostic>), Stop> {
    let code = Code::new(path, text);
    let items = items_of(&code)?;
    let macros = macros(&code);
    let (mut edits, mut phased, mut left) = (Edits::default(), vec![], vec![]);
    let is_kernel = |item: &&Item, name: &str| matches!(&item.kind, Kind::Kernel(f) if f.name == name);
    for item in &items {
        let Kind::Kernel(f) = &item.kind else { continue };
        if items.iter().filter(|item| is_kernel(item, &f.name)).count() > 1 {
            let message = format!("kernel `{}` is left as it is: the file has several kernels of that name", f.name);
            let help = "give each a name of its own; of branches of an `#if`, let the file have one";
            left.push(Diagnostic::declined("several-kernels", message, Some(code.place(f.at..f.at + 1))).help(help));
            edits.blank(&code.text, code.bytes(item.range.clone()));
            continue;
        }
        if !phases::has_barrier(&code, &f.body) {
            continue;
        }
        match phases::split(&code, (f, item.range.clone()), &|name| macros.contains(name)) {
            Ok((whole, changes)) => {
                phased.push(whole);
                edits.extend(changes);
            }
            Err(why) => {
                left.push(why);
                edits.blank(&code.text, code.bytes(item.range.clone()));
            }
        }
    }
    Ok((edits.apply(&code.text), phased, left))
}

/// Says of the user's kernel what is said of a part of it.
pub fn name_whole(d: &mut Diagnostic, phased: &[Phased]) {
    for (whole, part) in phased.iter().flat_map(|whole| whole.parts.iter().map(move |part| (whole, part))) {
        d.message = d.message.replace(&format!("`{}`", part.name), &format!("`{}`", whole.name));
    }
}

/// The text with macros opened that stand for parts of indices: `#define IDX (blockIdx.x * blockDim.x + threadIdx.x)`.
fn with_index_macros(text: &str) -> String {
    let code = Code::new("", text.to_owned());
    let mut macros = BTreeMap::new();
    for directive in &code.directives {
        let line = directive.text(text).trim_start_matches('#').trim_start();
        let Some((name, value)) =
            line.strip_prefix("define ").and_then(|rest| rest.trim_start().split_once([' ', '\t']))
        else {
            continue;
        };
        let is_index = ["blockIdx", "threadIdx", "blockDim", "gridDim"].iter().any(|word| value.contains(word));
        if is_index && !name.contains('(') && !value.contains('\n') {
            macros.insert(name, value.split("//").next().unwrap_or(value).trim());
        }
    }
    let mut edits = Edits::default();
    for at in 0..code.tokens.len() {
        if let Some(value) = macros.get(code.at(at)) {
            edits.replace(text, code.bytes(at..at + 1), *value);
        }
    }
    edits.apply(text)
}

/// Names of the file's macros.
fn macros(code: &Code) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    for directive in &code.directives {
        let line = directive.text(&code.text).trim_start_matches('#').trim_start();
        let Some(rest) = line.strip_prefix("define") else { continue };
        let name = rest.trim_start().split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default();
        out.insert(name.to_owned());
    }
    out
}

/// Names of the file that are the same for all threads: macros and constants.
fn uniform(code: &Code, items: &[Item]) -> BTreeSet<String> {
    let mut out = macros(code);
    for item in items.iter().filter(|item| item.kind == Kind::Needed) {
        let is_enum = code.find(item.range.clone(), "enum").is_some();
        let is_listed =
            |at: usize| is_enum && [",", "}"].contains(&code.at(at + 1)) && ["{", ","].contains(&code.at(at - 1));
        let is_set = |at: &usize| code.is_word(*at) && (code.at(at + 1) == "=" || is_listed(*at));
        let behind_first = item.range.start + 1..item.range.end;
        out.extend(behind_first.filter(is_set).map(|at| code.at(at).to_owned()));
    }
    out
}

/// A file under way.
struct File<'a> {
    code: &'a Code,
    items: &'a [Item],
    left: Vec<Diagnostic>,
    /// Device functions that naive kernels may call.
    device: Vec<&'a Function>,
    /// Names that are the same for all threads.
    known: BTreeSet<String>,
    phased: &'a [Phased],
}

impl<'a> File<'a> {
    /// Finds the device functions that a naive kernel may call.
    fn functions(&mut self) {
        for item in self.items {
            match &item.kind {
                Kind::Device(f) => {
                    let of = format!("device function `{}`", f.name);
                    let refused = refused::first(self.code, f.body.clone(), &of).or_else(|| self.not_of_c(f, &of));
                    match refused {
                        Some(why) => self.left.push(why),
                        None => self.device.push(f),
                    }
                }
                Kind::Template(name) => {
                    let message = format!("`{name}` is left as it is: it is a template");
                    let place = self.code.place(item.range.start..item.range.start + 1);
                    let help = "write the instance that is used as a kernel of its own";
                    self.left.push(Diagnostic::declined("template", message, Some(place)).help(help));
                }
                _ => {}
            }
        }
    }

    /// A device function that asks which thread it is, or takes what C has not.
    fn not_of_c(&self, f: &Function, of: &str) -> Option<Diagnostic> {
        let asks =
            |at: &usize| ["threadIdx", "blockIdx", "blockDim", "gridDim", "atomicAdd"].contains(&self.code.at(*at));
        let (range, why) = match (f.body.clone().find(asks), names::parameters(self.code, f)) {
            (Some(at), _) => (at..at + 1, "it uses the thread that calls it"),
            (None, Err((range, why))) => (range, why),
            (None, Ok(_)) => return None,
        };
        let message = format!("{of} is left as it is: {why}");
        Some(Diagnostic::declined("device-function", message, Some(self.code.place(range))))
    }

    /// The naive kernels with the changes that make them C, and those that make them CUDA.
    fn kernels(&mut self) -> Result<(Vec<Kernel>, Edits, Edits), Stop> {
        let (mut kernels, mut all, mut all_cuda) = (vec![], Edits::default(), Edits::default());
        let (mut before, mut of_whole) = (0, vec![]);
        for item in self.items {
            let bytes = self.code.bytes(item.range.clone());
            let within = std::mem::replace(&mut before, bytes.end)..bytes.end;
            let Kind::Kernel(f) = &item.kind else { continue };
            let mut said = pragma::read(self.code, &within)?;
            if let Some(whole) = self.phased.iter().find(|whole| whole.parts.iter().any(|part| part.name == f.name)) {
                // Pragmas in front of the kernel are said of each of its parts, and its results are those of all.
                match whole.parts[0].name == f.name {
                    true => of_whole = said.size.clone(),
                    false => said.size = of_whole.clone(),
                }
                (said.outputs, said.outputs_at) = (vec![], None);
            }
            match self.kernel(f, said)? {
                Ok((kernel, edits, in_cuda)) => {
                    all.extend(edits);
                    all_cuda.extend(in_cuda);
                    kernels.push(kernel);
                }
                Err(why) => self.left.push(why),
            }
        }
        Ok((kernels, all, all_cuda))
    }

    fn kernel(&self, f: &Function, said: pragma::Said) -> Result<Result<(Kernel, Edits, Edits), Diagnostic>, Stop> {
        let of = format!("kernel `{}`", f.name);
        let parameters = match names::parameters(self.code, f) {
            Ok(parameters) => parameters,
            Err((range, why)) => {
                let message = format!("{of} is left as it is: it has {why}");
                return Ok(Err(Diagnostic::declined("parameter", message, Some(self.code.place(range)))));
            }
        };
        let arrays: Vec<&str> = parameters.iter().filter(|p| p.is_pointer).map(|p| p.name.as_str()).collect();
        if let Some(wrong) = said.outputs.iter().find(|name| !arrays.contains(&name.as_str())) {
            let message = format!("`{wrong}` is no array of kernel `{}`", f.name);
            let place = said.outputs_at.clone().map(|bytes| self.code.place_of(bytes));
            let error = Diagnostic::error("bad-pragma", message, place);
            return Err(error.help(format!("its arrays are {}", arrays.join(", "))).into());
        }
        if let Some(why) = refused::first(self.code, f.body.clone(), &of).or_else(|| self.calls(f)) {
            return Ok(Err(why));
        }
        let lines = said.lines.clone();
        let is_uniform =
            |name: &str| self.known.contains(name) || parameters.iter().any(|p| !p.is_pointer && p.name == name);
        let reader = Reader { code: self.code, f, parameters: parameters.clone(), said, is_uniform: &is_uniform };
        Ok(reader.read().map(|(kernel, mut edits, in_cuda)| {
            lines.into_iter().for_each(|bytes| edits.blank(&self.code.text, bytes));
            (kernel, edits, in_cuda)
        }))
    }

    /// Names that a kernel uses of the file that was left as it is.
    fn calls(&self, f: &Function) -> Option<Diagnostic> {
        let left = |at: usize| {
            let name = self.code.at(at);
            let is_left = |item: &&Item| match &item.kind {
                Kind::Device(g) => g.name == name && !self.device.contains(&g),
                Kind::Template(g) | Kind::DeviceVariable(g) => g == name,
                _ => false,
            };
            self.items.iter().find(is_left)
        };
        let (at, item) = f.body.clone().find_map(|at| Some((at, left(at)?)))?;
        let name = self.code.at(at);
        let (kind, why, help) = match item.kind {
            Kind::DeviceVariable(_) => ("device-variable", "a variable of the device", "hand it over as a parameter"),
            _ => ("device-function", "a function that is left as it is", "see what is said of that function"),
        };
        let message = format!("kernel `{}` is left as it is: it uses `{name}`, {why}", f.name);
        Some(Diagnostic::declined(kind, message, Some(self.code.place(at..at + 1))).help(help))
    }
}

/// The C of a file, and its device code alone.
fn texts(
    code: &Code,
    items: &[Item],
    kernels: &[Kernel],
    device: &[&Function],
    edits: (Edits, Edits),
) -> (String, String) {
    let (mut c, mut kept) = edits;
    let text = &code.text;
    for item in items {
        let is_kept = match &item.kind {
            Kind::Kernel(f) => kernels.iter().any(|k| k.name == f.name),
            Kind::Device(f) => device.contains(&f),
            Kind::Needed => true,
            Kind::Template(_) | Kind::DeviceVariable(_) | Kind::Host => false,
        };
        let bytes = code.bytes(item.range.clone());
        if !is_kept {
            c.blank(text, bytes.clone());
            kept.blank(text, bytes);
            continue;
        }
        if let Kind::Kernel(f) | Kind::Device(f) = &item.kind {
            plain_head(code, item, f, &mut c);
            names::references(code, f).into_iter().for_each(|at| c.blank(text, code.bytes(at..at + 1)));
            // In the namespace that it comes to stand in it is nobody else's.
            if code.at(item.range.start) == "extern" {
                let is_named = code.at(item.range.start + 1).starts_with('"');
                kept.blank(text, code.bytes(item.range.start..item.range.start + 1 + usize::from(is_named)));
            }
        }
        for (at, close) in item.range.clone().filter_map(|at| Some((at, code.made_vector(at)?))) {
            c.replace(text, code.bytes(at..at + 2), "{");
            c.replace(text, code.bytes(close..close + 1), "}");
        }
        for at in item.range.clone().filter(|at| ["__restrict__", "__restrict"].contains(&code.at(*at))) {
            c.replace(text, code.bytes(at..at + 1), "restrict");
        }
    }
    for directive in &code.directives {
        let bytes = directive.span.lo as usize..directive.span.hi as usize;
        let words = text[bytes.clone()].trim_start_matches('#').trim_start();
        if let Some(header) = words.strip_prefix("include") {
            kept.blank(text, bytes.clone());
            match header.trim() {
                "<cmath>" => c.replace(text, bytes, "#include <math.h>"),
                header if !is_of_c(header) => c.blank(text, bytes),
                _ => {}
            }
        } else if words.strip_prefix("pragma").is_some_and(|rest| rest.trim_start().starts_with("rt")) {
            kept.blank(text, bytes);
        }
    }
    (c.apply(text), kept.apply(text))
}

/// Test that the C compiler knows a header: C's own, and files of the user's that are not CUDA's.
fn is_of_c(header: &str) -> bool {
    const OWN: [&str; 12] = [
        "math", "stdio", "stdlib", "stdint", "stdbool", "stddef", "string", "float", "limits", "assert", "time",
        "complex",
    ];
    match header.strip_prefix('<') {
        Some(name) => OWN.iter().any(|own| name.strip_suffix(".h>") == Some(own)),
        None => header.trim_end_matches('"').ends_with(".h") && !header.contains("cuda") && !header.contains("helper_"),
    }
}

/// A function's head without the words of CUDA. A device function becomes the file's own.
fn plain_head(code: &Code, item: &Item, f: &Function, edits: &mut Edits) {
    let text = &code.text;
    let is_kernel = matches!(item.kind, Kind::Kernel(_));
    let mut at = item.range.start;
    while at < f.at {
        let word = code.at(at);
        let end = match code.partner(at + 1) {
            Some(close) if word == "__launch_bounds__" => close + 1,
            _ => at + 1,
        };
        let is_string = code.tokens[at].kind == TokenKind::Text;
        if QUALIFIERS.contains(&word) || ["inline", "static", "extern"].contains(&word) || is_string {
            edits.blank(text, code.bytes(at..end));
        }
        at = end;
    }
    if !is_kernel {
        edits.insert(code.bytes(item.range.clone()).start, "static ");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn c(text: &str) -> String {
        let file = read("t.cu", text).unwrap_or_else(|stop| panic!("{stop:?}"));
        assert!(file.left.is_empty(), "{:?}", file.left);
        file.c
    }

    #[test]
    fn a_guard_bounds_the_threads() {
        let text = "__global__ void f(float *a, int n) {\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) a[i] *= 2;\n}\n";
        let expected = "           void f(float *a, int n) {\n    for (int i = 0; i < n; i++) {                                                \n    a[i] *= 2; }\n}\n";
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(&c(text)), words(expected));
        assert_eq!(c(text).lines().count(), text.lines().count());
    }
}
