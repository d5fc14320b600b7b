//! Rules that hold of any text as CUDA: it is read, or told what is wrong; what is read keeps its lines, and what is left has a
//! place. For tests, and for `fuzz/fuzz_targets/cuda.rs`.

use rtcuda::frontend;

/// C of a text's naive kernels, where it has kernels.
pub fn answers(text: &str) -> Option<String> {
    let file = frontend::read("k.cu", text).ok()?;
    assert_eq!(file.c.matches('\n').count(), text.matches('\n').count());
    assert_eq!(file.device.matches('\n').count(), text.matches('\n').count());
    assert!(file.left.iter().all(|d| d.place.is_some()));
    Some(file.c)
}
