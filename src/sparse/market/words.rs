//! The words of a line.

use std::ops::Range;

/// The words of a line: what blanks part.
pub struct Words<'l> {
    pub(super) line: &'l [u8],
    pub(super) at: usize,
}

impl<'l> Words<'l> {
    /// The words of a line.
    pub fn new(line: &'l [u8]) -> Words<'l> {
        Words { line, at: 0 }
    }

    /// The byte behind the last word that was taken.
    pub fn at(&self) -> usize {
        self.at
    }

    pub(super) fn skip_blanks(&mut self) {
        while self.line.get(self.at).is_some_and(|byte| is_blank(*byte)) {
            self.at += 1;
        }
    }

    /// An index, if the next word is one of at most nine digits: the usual case.
    #[inline]
    pub(super) fn short_index(&mut self) -> Option<u64> {
        self.skip_blanks();
        let (mut value, mut n_digits) =
            self.line[self.at..].first_chunk().map_or((0, 0), |bytes| leading_digits(*bytes));
        if n_digits == 0 || n_digits == 8 {
            let more = self.line[self.at + n_digits..].iter().take_while(|byte| byte.is_ascii_digit());
            more.for_each(|digit| {
                value = value.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
                n_digits += 1;
            });
        }
        let is_end = self.line.get(self.at + n_digits).is_none_or(|byte| is_blank(*byte));
        if is_end && (1..=9).contains(&n_digits) {
            self.at += n_digits;
            return Some(value);
        }
        None
    }
}

/// The digits that eight bytes begin with, as a number, and how many they are; all bytes at once, because a loop of
/// few and ever different turns is what a processor foresees worst. (Langdale and Lemire, "Parsing gigabytes of JSON per
/// second", VLDB Journal 28, 2019, section 3.1.4, for eight digits.)
#[inline]
fn leading_digits(bytes: [u8; 8]) -> (u64, usize) {
    let values = u64::from_le_bytes(bytes) ^ 0x3030_3030_3030_3030;
    // The high bit of a byte is set from 10 up; a carry only disturbs bytes behind one that is no digit.
    let others = (values.wrapping_add(0x7676_7676_7676_7676) | values) & 0x8080_8080_8080_8080;
    let n_digits = others.trailing_zeros() as usize / 8;
    if n_digits == 0 {
        return (0, 0);
    }
    // Zeros in front make eight digits of them.
    let eight = values << (64 - 8 * n_digits);
    let pairs = eight.wrapping_mul(10).wrapping_add(eight >> 8);
    const EVEN_PAIRS: u64 = 0x0000_00ff_0000_00ff;
    let front = (pairs & EVEN_PAIRS).wrapping_mul(100 + (1_000_000 << 32));
    let back = ((pairs >> 16) & EVEN_PAIRS).wrapping_mul(1 + (10_000 << 32));
    (front.wrapping_add(back) >> 32, n_digits)
}

impl Iterator for Words<'_> {
    type Item = Range<usize>;

    #[inline]
    fn next(&mut self) -> Option<Range<usize>> {
        self.skip_blanks();
        let start = self.at;
        while self.line.get(self.at).is_some_and(|byte| !is_blank(*byte)) {
            self.at += 1;
        }
        (self.at > start).then_some(start..self.at)
    }
}

/// A carriage return is one: it ends lines of files from elsewhere.
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c)
}

/// A number of digits alone.
pub fn index_of(word: &[u8]) -> Option<u64> {
    let is_digits = !word.is_empty() && word.iter().all(u8::is_ascii_digit);
    str::from_utf8(word).ok().filter(|_| is_digits)?.parse().ok()
}

/// A number of digits alone, or behind a `+`.
pub fn signed_index_of(word: &[u8]) -> Option<u64> {
    index_of(word.strip_prefix(b"+").unwrap_or(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_every_number() {
        for number in (0..100_000_000u64).step_by(9_871).chain(0..12_000) {
            let digits = number.to_string();
            for behind in ["", " ", ".", "\u{ff}\u{ff}", "a9999999", ":/"] {
                let text: Vec<u8> = [digits.as_bytes(), behind.as_bytes(), &[b' '; 8]].concat();
                assert_eq!(leading_digits(*text.first_chunk().unwrap()), (number, digits.len()), "{digits}{behind}");
                let index = Words::new(&text[..digits.len()]).short_index();
                assert_eq!(index, Some(number));
            }
        }
        assert_eq!(leading_digits(*b" 1234567"), (0, 0));
        assert_eq!(Words::new(b" 123456789 ").short_index(), Some(123_456_789));
        assert_eq!(Words::new(b"1234567890").short_index(), None);
    }
}
