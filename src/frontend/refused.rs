//! Constructs that a naive kernel has not: each construct by name, with what would help.
//!
//! A naive kernel computes, in each thread, elements of its own (Yang et al., PLDI 2010, section 2): threads share no memory
//! but the arrays, and do not wait for each other.

use super::code::{Code, is_vector};
use crate::diag::Diagnostic;
use std::ops::Range;

/// A construct: the words that it begins with (`*` behind a word: any word that begins so), its code, its name, a remedy.
type Construct = (&'static [&'static str], &'static str, &'static str, &'static str);

const NAIVE: &str = "write the kernel as one thread would compute its own elements: shared memory and barriers are what \
                     this tool puts in";
const OWN: &str =
    "let each thread compute elements of its own; what threads have to hand each other belongs to a second kernel";
const C: &str = "write it in the C subset of CUDA: functions, pointers, numbers, loops";

const CONSTRUCTS: &[Construct] = &[
    (&["__shared__"], "shared-memory", "shared memory", NAIVE),
    (&["__syncthreads*", "__syncwarp", "__global_sync", "__threadfence*", "__barrier*"], "barrier", "a barrier", NAIVE),
    (
        &[
            "__shfl*",
            "__ballot*",
            "__any*",
            "__all*",
            "__activemask",
            "__reduce_*",
            "__match_*",
            "warpSize",
            "__lanemask*",
        ],
        "warp-intrinsic",
        "a warp intrinsic",
        OWN,
    ),
    (
        &["tex1D*", "tex2D*", "tex3D*", "tex1Dfetch", "texCubemap*", "surf1D*", "surf2D*", "surf3D*"],
        "texture",
        "a texture",
        "read the array through a pointer",
    ),
    (
        &[
            "atomicSub",
            "atomicExch",
            "atomicMin",
            "atomicMax",
            "atomicInc",
            "atomicDec",
            "atomicCAS",
            "atomicAnd",
            "atomicOr",
            "atomicXor",
        ],
        "atomic",
        "an atomic other than an addition",
        OWN,
    ),
    (
        &["cooperative_groups", "cg", "this_grid", "this_thread_block"],
        "cooperative-groups",
        "cooperative groups",
        NAIVE,
    ),
    (
        &["printf", "assert", "malloc", "free", "__trap", "clock", "clock64", "__nanosleep"],
        "side-effect",
        "a call with an effect beyond the arrays",
        "take it out of the kernel",
    ),
    (&["asm", "__asm__"], "assembly", "inline assembly", "write it as an expression"),
    (&["goto"], "goto", "a `goto`", "write it with `if` and loops"),
    (
        &[
            "template",
            "auto",
            "static_cast",
            "reinterpret_cast",
            "const_cast",
            "new",
            "delete",
            "try",
            "throw",
            "class",
            "using",
            "decltype",
            "typename",
            "operator",
            "nullptr",
        ],
        "c-plus-plus",
        "C++",
        C,
    ),
];

/// The first construct in a range of tokens that no naive kernel has. `of`: whose text it is, in words.
pub fn first(code: &Code, range: Range<usize>, of: &str) -> Option<Diagnostic> {
    for at in range {
        let word = code.at(at);
        if code.is(at, &["<", "<", "<"]) {
            let help = "launch that kernel from the host";
            return Some(said(code, at..at + 3, "dynamic-parallelism", "dynamic parallelism", help, of));
        }
        if code.is(at, &[":", ":"]) {
            return Some(said(code, at..at + 2, "c-plus-plus", "C++", C, of));
        }
        let is_made = word.strip_prefix("make_").is_some_and(is_vector);
        if is_made && code.made_vector(at).is_none() {
            let help = "declare a variable with it, `float4 v = make_float4(...);`, and use that";
            return Some(said(code, at..at + 1, "vector", "a vector within an expression", help, of));
        }
        let is_it =
            |pattern: &&&str| pattern.strip_suffix('*').map_or(word == **pattern, |start| word.starts_with(start));
        let is_member = at > 0 && code.at(at - 1) == ".";
        if !code.is_word(at) || is_member {
            continue;
        }
        if let Some((_, kind, name, help)) = CONSTRUCTS.iter().find(|(words, ..)| words.iter().any(|w| is_it(&w))) {
            return Some(said(code, at..at + 1, kind, name, help, of));
        }
    }
    None
}

fn said(code: &Code, range: Range<usize>, kind: &'static str, name: &str, help: &str, of: &str) -> Diagnostic {
    let message =
        format!("{of} is left as it is: `{}` is {name}, which a naive kernel has not", code.slice(range.clone()));
    Diagnostic::declined(kind, message, Some(code.place(range))).help(help)
}
