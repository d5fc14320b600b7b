//! PTX as nobody writes it: texts whose words were left out, doubled, exchanged or put in.

/// Words that mutations put in.
const WORDS: &[&str] = &[
    "bra",
    "END",
    "%r1",
    "%p1",
    "@%p1",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    ".reg",
    ".b32",
    "<5>",
    "-1",
    "0",
    "bar.sync",
    "ret",
    "exit",
    ".shared",
    "call",
    "ld.global.u32",
    "st.shared.v4.f32",
    "18446744073709551615",
    "brx.idx",
    ":",
    "0f3F800000",
    "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64",
    "shfl.sync.idx.b32",
    "cvta.to.shared.u64",
    ".loc",
    "|",
    "_",
    "\"",
    "/*",
];

/// A PTX text whose words were left out, doubled, exchanged or put in.
pub fn mutated(text: &str, changes: &[(u8, usize, usize)]) -> String {
    let mut words: Vec<&str> = text.split_inclusive([' ', '\n', ',', ';', '[']).collect();
    for &(kind, at, other) in changes {
        let n = words.len().max(1);
        let (at, other) = (at % n, other % n.max(WORDS.len()));
        match kind % 4 {
            0 if !words.is_empty() => drop(words.remove(at)),
            1 if !words.is_empty() => words.insert(at, words[other % n]),
            2 if !words.is_empty() => words.swap(at, other % n),
            _ => words.insert(at.min(words.len()), WORDS[other % WORDS.len()]),
        }
    }
    words.concat()
}
