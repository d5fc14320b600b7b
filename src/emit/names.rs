//! Names as the emitted CUDA spells them: reserved words, types, files, string literals.
//!
//! The user's names are kept. One that C allows and CUDA C++ (or a macro of its headers) does not is spelled
//! `rt_<name>_` in the `.cu`: the prefix is ours, and no name of the runtime ends in `_`.

use crate::ast::IntKind;
use crate::kernel::{ReduceOp, ScalarType, Usage};
use std::path::Path;

/// Words of C++20 that are identifiers in C, names that CUDA defines in every kernel, macros of the headers that an
/// emitted file includes, and what an emitted file uses of the runtime: `rt_max` is also what a `max` is called that gets
/// elements. Sorted.
const RESERVED: &[&str] = &[
    "EOF",
    "HUGE_VAL",
    "INFINITY",
    "NAN",
    "NULL",
    "RAND_MAX",
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "assert",
    "bitand",
    "bitor",
    "blockDim",
    "blockIdx",
    "bool",
    "catch",
    "char16_t",
    "char32_t",
    "char8_t",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "compl",
    "concept",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "cuda",
    "decltype",
    "delete",
    "dim3",
    "dynamic_cast",
    "errno",
    "explicit",
    "export",
    "false",
    "friend",
    "gridDim",
    "isfinite",
    "isinf",
    "isnan",
    "linux",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "reinterpret_cast",
    "requires",
    "rt",
    "rt_add",
    "rt_and",
    "rt_atomic",
    "rt_atomic_part",
    "rt_atomic_word",
    "rt_barrier",
    "rt_begin",
    "rt_block_reduce",
    "rt_blocks",
    "rt_called",
    "rt_ceildiv",
    "rt_cooperative_barrier",
    "rt_dims",
    "rt_error",
    "rt_exchanged",
    "rt_floordiv",
    "rt_fmax_op",
    "rt_fmin_op",
    "rt_in",
    "rt_index",
    "rt_inout",
    "rt_is_last",
    "rt_join",
    "rt_join_sum",
    "rt_joined",
    "rt_local",
    "rt_lock_free_barrier",
    "rt_max",
    "rt_max_op",
    "rt_min",
    "rt_min_op",
    "rt_mod",
    "rt_mul",
    "rt_or",
    "rt_out",
    "rt_patience",
    "rt_position",
    "rt_scan_blocks",
    "rt_share",
    "rt_size3",
    "rt_sum_parts",
    "rt_thread",
    "rt_tile",
    "rt_warp_scan",
    "rt_where",
    "rt_work",
    "rt_xor",
    "signbit",
    "static_assert",
    "static_cast",
    "std",
    "stderr",
    "stdin",
    "stdout",
    "template",
    "this",
    "threadIdx",
    "thread_local",
    "throw",
    "true",
    "try",
    "typeid",
    "typename",
    "unix",
    "using",
    "virtual",
    "warpSize",
    "wchar_t",
    "xor",
    "xor_eq",
];

/// The user's variable or array in CUDA.
pub fn spell(name: &str) -> String {
    if RESERVED.binary_search(&name).is_ok() { format!("rt_{name}_") } else { name.to_string() }
}

/// The user's function in CUDA, where its own name could be one of the many that CUDA's headers define.
pub fn function(name: &str) -> String {
    format!("rt_fn_{name}")
}

/// A type in C++; [`ScalarType::Index`] has `bits` bits.
pub fn cxx_type(ty: ScalarType, bits: u8) -> &'static str {
    match ty {
        ScalarType::Int(IntKind::Bool) => "bool",
        _ => c_type(ty, bits),
    }
}

/// A type in C; [`ScalarType::Index`] has `bits` bits.
pub fn c_type(ty: ScalarType, bits: u8) -> &'static str {
    match ty {
        ScalarType::Index if bits == 32 => "int",
        ScalarType::Index => "long",
        ScalarType::Int(kind) => kind.c_name(),
        ScalarType::Float(kind) => kind.c_name(),
    }
}

/// The runtime's type that stands for an operator of reduction.
pub fn reduce_op(op: ReduceOp) -> &'static str {
    match op {
        ReduceOp::Add => "rt_add",
        ReduceOp::Mul => "rt_mul",
        ReduceOp::Min => "rt_min_op",
        ReduceOp::Max => "rt_max_op",
        ReduceOp::MinLast => "rt_min_last_op",
        ReduceOp::MaxLast => "rt_max_last_op",
        ReduceOp::Fmin => "rt_fmin_op",
        ReduceOp::Fmax => "rt_fmax_op",
        ReduceOp::And => "rt_and",
        ReduceOp::Or => "rt_or",
        ReduceOp::Xor => "rt_xor",
    }
}

/// A string literal of C++.
pub fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            c if c.is_control() => quoted.push(' '),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

/// A literal of a file as people name it.
pub fn quoted_file(path: &str) -> String {
    quote(&base(Path::new(path)))
}

/// Text that stays within one `//` comment.
pub fn one_line(text: &str) -> String {
    let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    line.trim_end_matches(['\\', ' ']).to_string()
}

/// The last part of a path, as people name the file.
pub fn base(path: &Path) -> String {
    path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()
}

/// A file name that `make`, a shell and CMake take as it is, without its extension.
pub fn stem(path: &Path) -> String {
    let stem = path.file_stem().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let safe = stem.chars().map(|c| if c.is_ascii_alphanumeric() || "_-.+".contains(c) { c } else { '_' });
    safe.collect::<String>().trim_start_matches(['-', '.']).to_string()
}

/// Use of an array, with the exchange of values among threads.
pub fn array_usage(usage: Usage, is_exchanged: bool) -> &'static str {
    match usage {
        Usage::Read => "in",
        _ if is_exchanged => "exchanged",
        Usage::Write => "out",
        Usage::ReadWrite | Usage::Turns => "inout",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_words_are_sorted_for_the_search() {
        assert!(RESERVED.is_sorted());
    }

    #[test]
    fn only_reserved_words_are_renamed() {
        assert_eq!(spell("new"), "rt_new_");
        assert_eq!(spell("threadIdx"), "rt_threadIdx_");
        assert_eq!(spell("y0"), "y0");
    }

    #[test]
    fn text_of_the_user_cannot_leave_its_literal_comment_or_file_name() {
        assert_eq!(quote("a \"b\" \\ \n"), r#""a \"b\" \\ \n""#);
        assert_eq!(one_line("ends in a backslash \\"), "ends in a backslash");
        assert_eq!(stem(Path::new("/x/my $file:1.c")), "my__file_1");
    }
}
