//! Names made of what they stand for, which stay valid on disk: the same in every build of this tool, whichever compiler made
//! it. The standard library's hasher promises that of one build alone.

use siphasher::sip::SipHasher13;
use std::hash::Hasher;

/// 16 hexadecimal digits for a sequence of parts. Their lengths count too, so that it matters where one ends.
pub fn digest<'p>(parts: impl IntoIterator<Item = &'p [u8]>) -> String {
    let mut hasher = SipHasher13::new();
    for part in parts {
        hasher.write(&(part.len() as u64).to_le_bytes());
        hasher.write(part);
    }
    format!("{:016x}", hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_same_in_every_build() {
        let of = |parts: &[&str]| digest(parts.iter().map(|part| part.as_bytes()));
        assert_eq!(of(&["a.o", "int x;"]), "f658582e2164ba69");
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        assert_ne!(of(&["a", ""]), of(&["a"]));
    }
}
