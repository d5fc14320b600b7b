//! Constants: numbers, characters and strings (C17 6.4.4, 6.4.5).

use crate::ast::{ExprKind, FloatKind, IntKind, Type};

/// A number's value and type; `None` when it is not one that C has.
pub fn number(text: &str) -> Option<(ExprKind, Type)> {
    let lower = text.to_ascii_lowercase();
    let is_hex = lower.starts_with("0x");
    let is_float = lower.contains('.') || lower.contains(if is_hex { 'p' } else { 'e' });
    if is_float { float(text, &lower, is_hex) } else { integer(&lower) }
}

fn integer(lower: &str) -> Option<(ExprKind, Type)> {
    let (digits, suffix) = lower.split_at(lower.find(['u', 'l']).unwrap_or(lower.len()));
    let (radix, digits) = match digits {
        _ if digits.starts_with("0x") => (16, &digits[2..]),
        _ if digits.starts_with("0b") => (2, &digits[2..]),
        _ if digits.len() > 1 && digits.starts_with('0') => (8, &digits[1..]),
        _ => (10, digits),
    };
    let value = u64::from_str_radix(digits, radix).ok()?;
    use IntKind::*;
    let candidates: &[IntKind] = match (suffix, radix) {
        ("", 10) => &[Int, Long],
        ("", _) => &[Int, UInt, Long, ULong],
        ("u", _) => &[UInt, ULong],
        ("l", 10) => &[Long],
        ("l", _) => &[Long, ULong],
        ("ul" | "lu", _) => &[ULong],
        ("ll", 10) => &[LongLong],
        ("ll", _) => &[LongLong, ULongLong],
        ("ull" | "llu", _) => &[ULongLong],
        _ => return None,
    };
    let holds = |kind: &&IntKind| {
        let bits = kind.bits() - u32::from(!kind.is_unsigned());
        bits == 64 || value < 1 << bits
    };
    let kind = candidates.iter().find(holds)?;
    Some((ExprKind::Int(value as i64), Type::Int(*kind)))
}

fn float(text: &str, lower: &str, is_hex: bool) -> Option<(ExprKind, Type)> {
    // In a hexadecimal constant `f` is a digit before the exponent, and a suffix after it.
    let (digits, kind) = match lower.as_bytes().last()? {
        b'f' => (&lower[..lower.len() - 1], FloatKind::Float),
        b'l' => (&lower[..lower.len() - 1], FloatKind::LongDouble),
        _ => (lower, FloatKind::Double),
    };
    let value: f64 = if is_hex { hex_float(&digits[2..])? } else { digits.parse().ok()? };
    let is_plain = digits.bytes().all(|b| b.is_ascii_hexdigit() || matches!(b, b'.' | b'+' | b'-' | b'x' | b'p'));
    (is_plain && value.is_finite()).then(|| (ExprKind::Float(value, text.to_owned()), Type::Float(kind)))
}

/// Test for a constant of `long double` that is a `double` as far as its digits say, so that rounding it twice leaves it as it is:
/// GCC's `DBL_MAX` is `((double)1.79769313486231570814527423731704357e+308L)`.
pub fn is_double(value: f64, text: &str) -> bool {
    let leading = |text: &str| -> String {
        let digits = text.split(['e', 'E', 'l', 'L']).next().unwrap_or_default().replace('.', "");
        format!("{:0<19.19}", digits.trim_start_matches('0'))
    };
    let is_decimal = !text.starts_with("0x") && !text.starts_with("0X");
    is_decimal && text.ends_with(['l', 'L']) && leading(text) == leading(&format!("{value:.30e}"))
}

/// `1.8p3`, without its prefix.
fn hex_float(digits: &str) -> Option<f64> {
    let (mantissa, exponent) = digits.split_once('p')?;
    let exponent: i32 = exponent.parse().ok()?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digit = |c: char| c.to_digit(16).map(f64::from);
    let mut value = 0.0;
    for c in whole.chars().chain(fraction.chars()) {
        value = value * 16.0 + digit(c)?;
    }
    let scale = exponent.checked_sub(i32::try_from(fraction.len()).ok()?.checked_mul(4)?)?;
    Some(value * 2f64.powi(scale))
}

/// The value of a character constant, quotes included; `None` for wide or multi-character ones.
pub fn character(text: &str) -> Option<i64> {
    let inner = text.strip_prefix('\'')?.strip_suffix('\'')?;
    let (value, rest) = unescape(inner)?;
    rest.is_empty().then_some(value)
}

/// How many bytes a string constant's spelling (without quotes) stands for, the final zero apart.
pub fn string_len(spelling: &str) -> Option<i64> {
    let mut rest = spelling;
    let mut len = 0;
    while !rest.is_empty() {
        len += if rest.starts_with('\\') { 1 } else { rest.chars().next().map_or(1, |c| c.len_utf8() as i64) };
        rest = if rest.starts_with('\\') { unescape(rest)?.1 } else { &rest[rest.chars().next()?.len_utf8()..] };
    }
    Some(len)
}

/// The first character of a spelling, and what follows it.
fn unescape(text: &str) -> Option<(i64, &str)> {
    let mut chars = text.chars();
    let first = chars.next()?;
    if first != '\\' {
        return first.is_ascii().then(|| (i64::from(u32::from(first)), chars.as_str()));
    }
    let rest = chars.as_str();
    let escape = chars.next()?;
    let byte = match escape {
        'n' => 10,
        't' => 9,
        'r' => 13,
        'a' => 7,
        'b' => 8,
        'f' => 12,
        'v' => 11,
        '\\' | '\'' | '"' | '?' => i64::from(u32::from(escape)),
        '0'..='7' => {
            let digits = rest.bytes().take(3).take_while(|b| (b'0'..=b'7').contains(b)).count();
            let value = u8::from_str_radix(&rest[..digits], 8).ok()?;
            return Some((i64::from(value as i8), &rest[digits..]));
        }
        'x' => {
            let rest = chars.as_str();
            let digits = rest.bytes().take_while(u8::is_ascii_hexdigit).count();
            let value = u8::from_str_radix(&rest[..digits], 16).ok()?;
            return Some((i64::from(value as i8), &rest[digits..]));
        }
        _ => return None,
    };
    Some((byte, chars.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_types_of_c() {
        use IntKind::*;
        let integers = [
            ("0", 0, Int),
            ("017", 15, Int),
            ("2147483648", 1 << 31, Long),
            ("0x80000000", 1 << 31, UInt),
            ("0xFFFFFFFFFFFFFFFF", -1, ULong),
            ("10UL", 10, ULong),
            ("7ll", 7, LongLong),
        ];
        for (text, value, kind) in integers {
            assert_eq!(number(text), Some((ExprKind::Int(value), Type::Int(kind))), "{text}");
        }
        let floats = [
            ("1.", 1.0, FloatKind::Double),
            (".5f", 0.5, FloatKind::Float),
            ("1e-3L", 1e-3, FloatKind::LongDouble),
            ("0x1.8p1", 3.0, FloatKind::Double),
        ];
        for (text, value, kind) in floats {
            assert_eq!(number(text), Some((ExprKind::Float(value, text.to_owned()), Type::Float(kind))), "{text}");
        }
        for (text, is_it) in [
            ("1.79769313486231570814527423731704357e+308L", true),
            ("2.22507385850720138309023271733240406e-308L", true),
            ("0.5L", true),
            ("0.1L", false),
            ("0.5", false),
        ] {
            let Some((ExprKind::Float(value, _), _)) = number(text) else { panic!("{text} is a number") };
            assert_eq!(is_double(value, text), is_it, "{text}");
        }
        assert_eq!(number("99999999999999999999"), None);
        assert_eq!(number("1.0q"), None);
    }

    #[test]
    fn characters_and_strings() {
        assert_eq!(
            ["'a'", "'\\n'", "'\\0'", "'\\377'", "'\\x41'", "'ab'"].map(character),
            [Some(97), Some(10), Some(0), Some(-1), Some(65), None]
        );
        assert_eq!(string_len("a\\n\\0b"), Some(4));
    }
}
