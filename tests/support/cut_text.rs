//! Text of CUDA with pieces cut out and put in again elsewhere.

use proptest::prelude::*;

/// Cuts: where each begins, how many bytes it has, and where it goes.
pub fn cuts() -> impl Strategy<Value = Vec<(u16, usize, u16)>> {
    prop::collection::vec((any::<u16>(), 0..40usize, any::<u16>()), 1..6)
}

/// A text after some cuts.
pub fn cut(text: &str, cuts: &[(u16, usize, u16)]) -> String {
    let mut text = text.as_bytes().to_vec();
    for (at, length, to) in cuts {
        let at = *at as usize % text.len().max(1);
        let end = (at + length).min(text.len());
        let piece: Vec<u8> = text.drain(at..end).collect();
        let to = *to as usize % (text.len() + 1);
        text.splice(to..to, piece);
    }
    String::from_utf8_lossy(&text).into_owned()
}
