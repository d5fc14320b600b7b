//! A launch as a user gives it: extents, and arguments with what arrays begin with.

use crate::diag::Diagnostic;
use crate::ptx::types::Scalar;
use std::path::PathBuf;

/// The most bytes of one array.
const MOST_BYTES: u64 = 1 << 31;

/// A launch.
#[derive(Debug, Clone, PartialEq)]
pub struct Launch {
    /// Blocks, as x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub shared: u64,
    /// Values of the kernel's parameters, in their order.
    pub arguments: Vec<Argument>,
    /// The most instructions of warps.
    pub limit: u64,
}

impl Launch {
    /// Instructions of warps that are run unless another limit is given.
    pub const LIMIT: u64 = 200_000_000;

    /// Threads of a block.
    pub fn threads(&self) -> u32 {
        self.block.iter().product()
    }

    /// Blocks of the grid.
    pub fn blocks(&self) -> u64 {
        self.grid.iter().map(|&n| u64::from(n)).product()
    }
}

/// An argument: its name is the user's, PTX has none.
#[derive(Debug, Clone, PartialEq)]
pub struct Argument {
    pub name: String,
    pub value: Value,
}

/// Value of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Integer(i64),
    Real(f64),
    /// An array in global memory, whose address is passed.
    Array {
        ty: Scalar,
        elements: u64,
        fill: Fill,
    },
    /// A structure passed by value: its members, each of a type and with that type's alignment.
    Structure(Vec<(Scalar, Value)>),
}

/// Contents that an array begins with. Element i is, in integers and in floating-point numbers:
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fill {
    /// (7 i + 3) mod 31, and an eighth of that: sums of it are exact.
    Pattern,
    Zero,
    One,
    /// That many times i.
    Iota(i64),
    /// Below that many, and in \[0, 1): the generator is splitmix64, at i.
    Random(u64),
    /// The bytes of a file, little-endian as the machine has them, instead of a formula.
    File(PathBuf),
}

impl Fill {
    /// The bits of element i.
    pub fn bits(&self, ty: Scalar, i: u64) -> u64 {
        let integer = match *self {
            Fill::Pattern => ((7 * (i % 31) + 3) % 31) as i64,
            Fill::Zero | Fill::File(_) => 0,
            Fill::One => 1,
            Fill::Iota(factor) => factor.wrapping_mul(i as i64),
            Fill::Random(below) => (splitmix64(i) % below.max(1)) as i64,
        };
        let real = match self {
            Fill::Pattern => integer as f64 / 8.0,
            Fill::Random(_) => (splitmix64(i) >> 11) as f64 / (1u64 << 53) as f64,
            _ => integer as f64,
        };
        match ty {
            Scalar::F64 => real.to_bits(),
            Scalar::F32 => u64::from((real as f32).to_bits()),
            Scalar::F16 => u64::from(super::round::to_half(real, crate::ptx::types::Round::Nearest)),
            _ => integer as u64 & ty.mask(),
        }
    }
}

/// Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators".
fn splitmix64(i: u64) -> u64 {
    let mut z = i.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Reads `4`, `4,2`, `4,2,1`: what is missing is 1.
pub fn extents(text: &str) -> Result<[u32; 3], String> {
    let mut found = [1; 3];
    let parts: Vec<&str> = text.split([',', 'x']).collect();
    if parts.len() > 3 {
        return Err("up to three numbers: x,y,z".into());
    }
    for (extent, part) in found.iter_mut().zip(parts) {
        let n = part.trim().parse::<u32>().ok().filter(|&n| n > 0);
        *extent = n.ok_or_else(|| format!("`{part}` is no number above 0"))?;
    }
    Ok(found)
}

/// Reads extents that may use integers among the arguments: `n/32`, `n/32,m/8`. What is divided is rounded up.
///
/// # Errors
/// `ptx-launch`: what is wrong with which.
pub fn extents_with(text: &str, arguments: &[Argument]) -> Result<[u32; 3], Diagnostic> {
    let parts: Vec<&str> = text.split(',').collect();
    let mut found = [1; 3];
    let read = |part: &str| match extent_of(part, arguments)? {
        0 => Err(format!("`{part}` is 0")),
        n => u32::try_from(n).map_err(|_| format!("`{part}` is {n}")),
    };
    let all = parts.iter().zip(&mut found).try_for_each(|(part, extent)| read(part).map(|n| *extent = n));
    match extents(text).or_else(|_| all.map(|()| found)) {
        Ok(found) if parts.len() <= 3 => Ok(found),
        Ok(_) => Err(not_extents(text, "up to three numbers: x,y,z")),
        Err(why) => Err(not_extents(text, &why)),
    }
}

fn not_extents(text: &str, why: &str) -> Diagnostic {
    Diagnostic::error("ptx-launch", format!("`{text}` is no grid: {why}"), None).help(
        "as in `--grid 64`, `--grid 4,4` and, with `--arg n=1024`, `--grid n/32,n/8`; what is divided is rounded up",
    )
}

/// The arguments of the command line; extents of arrays may use integers among them.
///
/// # Errors
/// `ptx-argument`: what is wrong with which.
pub fn arguments(words: &[String]) -> Result<Vec<Argument>, Diagnostic> {
    let integer = |word: &String| {
        let (name, value) = word.split_once('=')?;
        let value = number(value.trim()).ok().filter(|value| matches!(value, Value::Integer(_)))?;
        Some(Argument { name: name.into(), value })
    };
    let integers: Vec<Argument> = words.iter().filter_map(integer).collect();
    let mut found: Vec<Argument> = Vec::new();
    for word in words {
        let fault = |why: String| {
            Diagnostic::error("ptx-argument", format!("the argument `{word}` is not understood: {why}"), None).help(
                "as in `n=1024`, `x=0.5`, `a=f32[1024]`, `a=f64[n*n]:rand`, `index=s32[n]:iota`, `s={f32[n],s64:1024}`; \
                 fills are pattern, zero, one, iota, iota(K), rand, rand(N) and file(PATH)",
            )
        };
        let (name, value) = word.split_once('=').ok_or_else(|| fault("it has no `=`".into()))?;
        if name.is_empty() || found.iter().any(|argument| argument.name == name) {
            return Err(fault("its name is missing or another's".into()));
        }
        let value = value_of(value.trim(), &integers).map_err(fault)?;
        found.push(Argument { name: name.into(), value });
    }
    Ok(found)
}

fn value_of(text: &str, integers: &[Argument]) -> Result<Value, String> {
    if let Some(members) = text.strip_prefix('{') {
        let members = members.strip_suffix('}').ok_or("`}` is missing")?;
        let members = members.split(',').map(|member| member_of(member.trim(), integers));
        return members.collect::<Result<_, _>>().map(Value::Structure);
    }
    let Some((ty, rest)) = text.split_once('[') else { return number(text) };
    let ty = Scalar::named(ty).filter(|&ty| ty != Scalar::Pred).ok_or_else(|| format!("`{ty}` is no type"))?;
    let (extent, rest) = rest.split_once(']').ok_or("`]` is missing")?;
    let elements = extent_of(extent, integers)?;
    if elements.checked_mul(ty.bytes()).is_none_or(|bytes| bytes > MOST_BYTES) {
        return Err(format!("an array has at most {MOST_BYTES} bytes"));
    }
    let fill = match rest.strip_prefix(':') {
        Some(name) => fill_of(name, elements)?,
        None if rest.is_empty() => Fill::Pattern,
        None => return Err(format!("`{rest}` behind the extent")),
    };
    Ok(Value::Array { ty, elements, fill })
}

/// A member of a structure: an array, whose address it is, or a type and a number.
fn member_of(text: &str, integers: &[Argument]) -> Result<(Scalar, Value), String> {
    if text.contains('[') {
        return Ok((Scalar::U64, value_of(text, integers)?));
    }
    let (ty, value) = text.split_once(':').ok_or_else(|| format!("`{text}` is neither an array nor TYPE:NUMBER"))?;
    let ty = Scalar::named(ty).filter(|&ty| ty != Scalar::Pred).ok_or_else(|| format!("`{ty}` is no type"))?;
    Ok((ty, number(value)?))
}

fn number(text: &str) -> Result<Value, String> {
    let hex = text.strip_prefix("0x").map(|digits| u64::from_str_radix(digits, 16).map(|n| n as i64));
    match hex.unwrap_or_else(|| text.parse::<i64>()) {
        Ok(n) => Ok(Value::Integer(n)),
        Err(_) => text.parse().map(Value::Real).map_err(|_| format!("`{text}` is neither a number nor an array")),
    }
}

/// A sum of products of numbers and of integer arguments; what is divided is rounded up.
fn extent_of(text: &str, integers: &[Argument]) -> Result<u64, String> {
    let factor = |text: &str| -> Result<u64, String> {
        if let Ok(n) = text.parse() {
            return Ok(n);
        }
        match integers.iter().find(|argument| argument.name == text).map(|argument| &argument.value) {
            Some(&Value::Integer(n)) => u64::try_from(n).map_err(|_| format!("`{text}` is negative")),
            _ => Err(format!("`{text}` is neither a number nor an integer argument")),
        }
    };
    let too_large = || "the extent is too large".to_owned();
    text.split('+').try_fold(0u64, |sum, term| {
        let product = |text: &str| {
            text.split('*').try_fold(1u64, |n, word| n.checked_mul(factor(word.trim())?).ok_or_else(too_large))
        };
        let (above, below) = term.split_once('/').unwrap_or((term, "1"));
        let n = match product(below)? {
            0 => return Err(format!("`{term}` divides by 0")),
            below => product(above)?.div_ceil(below),
        };
        sum.checked_add(n).ok_or_else(too_large)
    })
}

fn fill_of(text: &str, elements: u64) -> Result<Fill, String> {
    if let Some(path) = text.strip_prefix("file(").and_then(|rest| rest.strip_suffix(')')) {
        return Ok(Fill::File(path.into()));
    }
    let (name, number) = match text.split_once('(') {
        None => (text, None),
        Some((name, rest)) => {
            let number = rest.strip_suffix(')').and_then(|n| n.parse::<i64>().ok());
            (name, Some(number.ok_or_else(|| format!("`({rest}` is no number in parentheses"))?))
        }
    };
    Ok(match (name, number) {
        ("pattern", None) => Fill::Pattern,
        ("zero", None) => Fill::Zero,
        ("one", None) => Fill::One,
        ("iota", factor) => Fill::Iota(factor.unwrap_or(1)),
        ("rand", None) => Fill::Random(elements),
        ("rand", Some(n)) if n > 0 => Fill::Random(n as u64),
        _ => return Err(format!("`{text}` is no fill")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(words: &[&str]) -> Result<Value, String> {
        let words: Vec<String> = words.iter().map(|word| word.to_string()).collect();
        arguments(&words).map(|found| found.last().unwrap().value.clone()).map_err(|d| d.message)
    }

    #[test]
    fn arguments_are_numbers_and_arrays() {
        let fill = Fill::File("a/b.bin".into());
        assert_eq!(one(&["a=f32[8]:file(a/b.bin)"]), Ok(Value::Array { ty: Scalar::F32, elements: 8, fill }));
        assert_eq!(one(&["n=-4"]), Ok(Value::Integer(-4)));
        assert_eq!(one(&["x=0.5"]), Ok(Value::Real(0.5)));
        let array = |elements, fill| Value::Array { ty: Scalar::F32, elements, fill };
        assert_eq!(one(&["a=f32[8]"]), Ok(array(8, Fill::Pattern)));
        let members = vec![(Scalar::U64, array(4, Fill::Zero)), (Scalar::S32, Value::Integer(-1))];
        assert_eq!(one(&["s={f32[4]:zero, s32:-1}"]), Ok(Value::Structure(members)));
        assert_eq!(one(&["n=3", "m=2", "a=f32[n*m+1]:rand(5)"]), Ok(array(7, Fill::Random(5))));
        let words = ["a=f32[n*n/2]".to_owned(), "n=3".to_owned()];
        assert_eq!(
            arguments(&words).map(|found| found[0].value.clone()).map_err(|d| d.message),
            Ok(array(5, Fill::Pattern))
        );
        for wrong in [
            "a",
            "=1",
            "a=f33[4]",
            "a=f32[4",
            "a=f32[n]",
            "a=f32[-1]",
            "a=f32[4]:no",
            "a=f32[4]x",
            "a=pred[4]",
            "a=f32[99999999999999999999]",
            "a=f32[9999999999*9999999999]",
            "a=f64[4294967296]",
            "a=s8[4]:rand(0)",
            "a=s8[4]:iota(",
            "a=",
            "a={}",
            "a={4}",
            "a={s32:1",
            "a={{s32:1}}",
        ] {
            assert!(one(&[wrong]).is_err(), "{wrong}");
        }
        assert!(one(&["a=1", "a=2"]).is_err());
    }

    #[test]
    fn extents_are_up_to_three() {
        assert_eq!(extents("4"), Ok([4, 1, 1]));
        assert_eq!(extents("4,2"), Ok([4, 2, 1]));
        assert_eq!(extents("4x2x3"), Ok([4, 2, 3]));
        for wrong in ["", "0", "1,2,3,4", "-1", "a", "5000000000"] {
            assert!(extents(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn extents_follow_arguments() {
        let words = ["n=100".to_owned(), "nx=8".into(), "zero=0".into()];
        let arguments = arguments(&words).unwrap();
        let of = |text| extents_with(text, &arguments).map_err(|d| d.message);
        assert_eq!(of("4x2"), Ok([4, 2, 1]));
        assert_eq!(of("n/32, nx"), Ok([4, 8, 1]));
        assert_eq!(of("n*n/64+1,2,nx/3"), Ok([158, 2, 3]));
        for wrong in ["", "m", "n/zero", "zero", "1,2,3,n", "n-1", "n*n*n*n*n*n", "n,"] {
            assert!(of(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn fills_are_as_documented() {
        assert_eq!(f32::from_bits(Fill::Pattern.bits(Scalar::F32, 1) as u32), 10.0 / 8.0);
        assert_eq!(Fill::Iota(3).bits(Scalar::S32, 4), 12);
        assert!((0..1000).all(|i| Fill::Random(7).bits(Scalar::S32, i) < 7));
        let real = |i| f64::from_bits(Fill::Random(7).bits(Scalar::F64, i));
        assert!((0..1000).all(|i| (0.0..1.0).contains(&real(i))) && real(1) != real(2));
    }
}
