//! A place in a text.

/// A byte range in the preprocessed text of one file ([`Source::text`](super::Source::text)).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Span {
    pub lo: u32,
    pub hi: u32,
}

impl Span {
    /// Test for that byte in it.
    pub fn contains(self, at: u32) -> bool {
        self.lo <= at && at < self.hi
    }

    /// Test for another, which is not empty, that lies in it wholly.
    pub fn encloses(self, inner: Span) -> bool {
        self.lo <= inner.lo && inner.lo < inner.hi && inner.hi <= self.hi
    }

    /// From the start of this one to the end of the other.
    pub fn to(self, end: Span) -> Span {
        Span { lo: self.lo, hi: end.hi }
    }
}
