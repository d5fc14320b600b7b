//! Kernels for simulations that run for a moment: their compiler would work for longer than they do.

use rtcuda::pipeline::Converted;

/// Text before the kernels: nothing is optimised, and nothing but subscripts inlined. The C library's checks of calls, which
/// some systems' compilers ask for by themselves, are functions that only compile where they are inlined.
const PLAIN: &[u8] = b"#undef _FORTIFY_SOURCE\n#pragma GCC optimize(\"O0\")\n#define RT_FAST inline\n";

/// Has the kernels compiled as they are.
pub fn unoptimised(mut converted: Converted) -> Converted {
    let kernels = converted.files.iter_mut().filter(|f| f.path.extension().is_some_and(|e| e == "cu"));
    kernels.for_each(|f| drop(f.contents.splice(0..0, PLAIN.iter().copied())));
    converted
}
