//! Conditions on the extents of a call: their text, and which of a list some call can come to.

use super::Calls;
use std::fmt::{self, Display, Formatter};

impl Calls {
    /// Each bound: the extent, `true` for the greatest value that it may have, and that value.
    pub fn bounds(&self) -> impl Iterator<Item = (&str, bool, i64)> {
        let least = self.least.iter().map(|(name, n)| (name.as_str(), false, *n));
        least.chain(self.most.iter().map(|(name, n)| (name.as_str(), true, *n)))
    }

    /// Reads what is printed: `n >= 1024 and n <= 4096`.
    pub fn parse(text: &str) -> Option<Calls> {
        let mut out = Calls::default();
        for bound in text.split(" and ") {
            let (name, bounds, n) = match bound.split_once(" <= ") {
                Some((name, n)) => (name, &mut out.most, n),
                None => bound.split_once(" >= ").map(|(name, n)| (name, &mut out.least, n))?,
            };
            bounds.insert(name.to_owned(), n.parse().ok()?);
        }
        Some(out)
    }

    /// Test that every call that this holds for is one of the other's.
    fn is_within(&self, other: &Calls) -> bool {
        let is_least = |(name, n): (&String, &i64)| self.least.get(name).is_some_and(|own| own >= n);
        let is_most = |(name, n): (&String, &i64)| self.most.get(name).is_some_and(|own| own <= n);
        other.least.iter().all(is_least) && other.most.iter().all(is_most)
    }

    /// Fault of it as the condition of a row behind others, with a remedy.
    pub(super) fn fault<'c>(&self, mut before: impl Iterator<Item = &'c Calls>) -> Option<(String, String)> {
        if self.bounds().next().is_none() {
            let help = "write `most = { n = 4096 }` for calls in which the extent `n` is at most 4096, `least` for at least; \
                        settings for all other calls stand in [kernels.NAME]";
            return Some(("a row without a condition".into(), help.into()));
        }
        let empty = self.least.iter().find(|(name, least)| self.most.get(*name).is_some_and(|most| most < least));
        if let Some((name, least)) = empty {
            let why = format!("it never holds: `{name}` is not at least {least} and at most {}", self.most[name]);
            return Some((why, "`least` is the smaller of both".into()));
        }
        let first = before.find(|other| self.is_within(other))?;
        let why = format!("it is never taken: where {self}, a row before it holds already, {first}");
        Some((why, "the first row that holds is taken: put it before that, or leave it out".into()))
    }
}

/// `n >= 1024 and n <= 4096`.
impl Display for Calls {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let bound = |(name, is_most, n)| format!("{name} {} {n}", if is_most { "<=" } else { ">=" });
        f.write_str(&self.bounds().map(bound).collect::<Vec<_>>().join(" and "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_read_back() {
        for text in ["n <= 4096", "n >= 1 and m >= 2 and n <= 4096"] {
            assert_eq!(Calls::parse(text).unwrap().to_string(), text);
        }
        for text in ["", "n", "n < 3", "n <= x", "n <= 3 and"] {
            assert_eq!(Calls::parse(text), None, "{text}");
        }
    }

    #[test]
    fn rows_that_no_call_comes_to_are_found() {
        let parse = |text: &str| Calls::parse(text).unwrap();
        let why = |text: &str, before: &[&str]| {
            let before: Vec<Calls> = before.iter().map(|text| parse(text)).collect();
            parse(text).fault(before.iter()).map(|(why, _)| why)
        };
        assert_eq!(why("n <= 4096", &["n <= 1024", "n <= 8192 and m <= 3"]), None);
        assert_eq!(why("n >= 4 and n <= 4", &[]), None);
        assert_eq!(
            why("n <= 1000", &["m <= 9", "n <= 4096"]).as_deref(),
            Some("it is never taken: where n <= 1000, a row before it holds already, n <= 4096")
        );
        let empty = why("n >= 5 and n <= 4", &[]);
        assert_eq!(empty.as_deref(), Some("it never holds: `n` is not at least 5 and at most 4"));
    }
}
