//! Words, numbers and signs of PTX text, each with its line.

use super::fault::ReadError;

/// A token and where it stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Token<'t> {
    pub kind: Kind<'t>,
    /// Line, from 1.
    pub line: u32,
    /// Byte at which it begins.
    pub at: usize,
}

/// Kind of a token.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind<'t> {
    /// A name, an opcode or a directive: `%r1`, `ld.global.u32`, `.reg`.
    Word(&'t str),
    /// Number, or whatever begins with a digit.
    Number(&'t str),
    Text(&'t str),
    Sign(char),
}

/// All tokens of a text. Comments are none.
///
/// # Errors
/// A comment or a string without an end, a character that PTX does not have.
pub fn tokens(text: &str) -> Result<Vec<Token<'_>>, ReadError> {
    let mut found = Vec::new();
    let bytes = text.as_bytes();
    let (mut at, mut line) = (0, 1);
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        let kind = match byte {
            b'\n' => {
                line += 1;
                at += 1;
                continue;
            }
            b' ' | b'\t' | b'\r' | 0x0c => {
                at += 1;
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at += bytes[at..].iter().position(|&b| b == b'\n').unwrap_or(bytes.len() - at);
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                let Some(length) = text[at + 2..].find("*/") else {
                    return Err(ReadError::new(line, "a comment has no end"));
                };
                line += count_lines(&text[at..at + 2 + length]);
                at += length + 4;
                continue;
            }
            b'"' => {
                let length = text[at + 1..].find(['"', '\n']).filter(|length| bytes[at + 1 + length] == b'"');
                let Some(length) = length else { return Err(ReadError::new(line, "a string has no end on its line")) };
                at += length + 2;
                Kind::Text(&text[start + 1..at - 1])
            }
            b'0'..=b'9' => {
                at = end_of_number(bytes, at);
                Kind::Number(&text[start..at])
            }
            _ if is_of_word(byte) => {
                while bytes.get(at).is_some_and(|&b| is_of_word(b)) || bytes[at..].starts_with(b"::") {
                    at += if bytes[at] == b':' { 2 } else { 1 };
                }
                Kind::Word(&text[start..at])
            }
            _ if byte.is_ascii_punctuation() => {
                at += 1;
                Kind::Sign(char::from(byte))
            }
            _ => {
                let character = text[at..].chars().next().unwrap_or('?');
                return Err(ReadError::new(line, format!("PTX has no character `{}`", character.escape_default())));
            }
        };
        found.push(Token { kind, line, at: start });
    }
    Ok(found)
}

fn count_lines(text: &str) -> u32 {
    text.bytes().filter(|&b| b == b'\n').count() as u32
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'%' | b'.')
}

/// The end of a number; decimal ones may have an exponent with a sign.
fn end_of_number(bytes: &[u8], start: usize) -> usize {
    let is_plain = !(bytes[start] == b'0' && bytes.get(start + 1).is_some_and(u8::is_ascii_alphabetic));
    let mut at = start;
    while let Some(&byte) = bytes.get(at) {
        let in_exponent = is_plain && at > start && matches!(bytes[at - 1], b'e' | b'E') && matches!(byte, b'+' | b'-');
        if !(byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'_' || in_exponent) {
            break;
        }
        at += 1;
    }
    at
}

/// A number as it is written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// An integer; negative ones in two's complement.
    Integer(u64),
    /// `0f3F800000`, as its bits.
    Single(u32),
    /// `0d3FF0000000000000`, or decimal with a point.
    Double(f64),
}

impl Number {
    /// The number that a token stands for.
    pub fn of(text: &str) -> Option<Number> {
        let digits = |prefix: [&str; 2]| prefix.iter().find_map(|p| text.strip_prefix(p));
        if let Some(hex) = digits(["0f", "0F"]) {
            return u32::from_str_radix(hex, 16).ok().filter(|_| hex.len() == 8).map(Number::Single);
        }
        if let Some(hex) = digits(["0d", "0D"]) {
            let bits = u64::from_str_radix(hex, 16).ok().filter(|_| hex.len() == 16);
            return bits.map(|bits| Number::Double(f64::from_bits(bits)));
        }
        if text.contains('.') || (text.contains(['e', 'E']) && !text.starts_with("0x") && !text.starts_with("0X")) {
            return text.parse().ok().map(Number::Double);
        }
        let text = text.strip_suffix('U').unwrap_or(text);
        let integer = |digits: &str, radix| u64::from_str_radix(digits, radix).ok();
        let value = if let Some(hex) = digits(["0x", "0X"]) {
            integer(hex.strip_suffix('U').unwrap_or(hex), 16)
        } else if let Some(binary) = digits(["0b", "0B"]) {
            integer(binary, 2)
        } else if let Some(octal) = text.strip_prefix('0').filter(|rest| !rest.is_empty()) {
            integer(octal, 8)
        } else {
            integer(text, 10)
        };
        value.map(Number::Integer)
    }

    /// The number with the opposite sign.
    pub fn negated(self) -> Number {
        match self {
            Number::Integer(n) => Number::Integer(n.wrapping_neg()),
            Number::Single(bits) => Number::Single(bits ^ (1 << 31)),
            Number::Double(x) => Number::Double(-x),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_have_lines() {
        let text = "ld.global.L2::128B.u32 %r1, [%rd2+-4]; // rest\n/* a\nb */ \"x y\" 0f3F800000 1e-5";
        let all = tokens(text).unwrap();
        let words: Vec<String> = all.iter().map(|t| format!("{}:{:?}", t.line, t.kind)).collect();
        assert_eq!(words[0], "1:Word(\"ld.global.L2::128B.u32\")");
        assert_eq!(words[5], "1:Sign('+')");
        assert_eq!(words[words.len() - 3..], ["3:Text(\"x y\")", "3:Number(\"0f3F800000\")", "3:Number(\"1e-5\")"]);
        for text in ["/* a", "\"a", "\"a\n\"", "é", "\u{0}"] {
            assert!(tokens(text).is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_of_all_forms() {
        for (text, number) in [
            ("12", Some(Number::Integer(12))),
            ("0x1F", Some(Number::Integer(31))),
            ("0xE", Some(Number::Integer(14))),
            ("017", Some(Number::Integer(15))),
            ("0b101", Some(Number::Integer(5))),
            ("0", Some(Number::Integer(0))),
            ("5U", Some(Number::Integer(5))),
            ("0f3F800000", Some(Number::Single(0x3F80_0000))),
            ("0d3FF0000000000000", Some(Number::Double(1.0))),
            ("1.5", Some(Number::Double(1.5))),
            ("18446744073709551616", None),
            ("0f3F", None),
            ("09", None),
            ("1a", None),
        ] {
            assert_eq!(Number::of(text), number, "{text}");
        }
    }
}
