//! Numbers and arrays that kernels are tried on.

use super::kernels::Outcome;
use crate::frontend::names::Parameter;
use serde::Serialize;

/// A number with its C type, and its value in C.
#[derive(Debug, Clone, Serialize)]
pub struct Number {
    pub r#type: String,
    pub name: String,
    pub value: String,
}

/// An array with its elements' C type, their number, and an expression that draws one.
#[derive(Debug, Clone, Serialize)]
pub struct Array {
    pub name: String,
    pub r#type: &'static str,
    pub elements: String,
    pub random: &'static str,
    #[serde(skip)]
    pub is_written: bool,
}

/// Everything that a kernel is tried on. Values may ask for `rt_round`, which says whether all sizes are the same.
#[derive(Debug)]
pub struct Drawn {
    /// The kernel's parameters that are numbers.
    pub numbers: Vec<Number>,
    /// Numbers of its launch, which its loops need.
    pub of_launch: Vec<Number>,
    /// Numbers that the entry is given, and the kernel has not by that name.
    pub of_entry: Vec<Number>,
    pub arrays: Vec<Array>,
}

/// Sizes that differ from one another, none a multiple of a block's; and one for all.
const APART: [i64; 6] = [37, 45, 53, 29, 61, 41];
const SAME: i64 = 64;

impl Drawn {
    /// Values for a kernel; numbers that the user gives by name stay those.
    pub fn new(outcome: &Outcome, sizes: &[(String, i64)]) -> Drawn {
        let Outcome { kernel, entry, .. } = outcome;
        let value = |at: usize, name: &str, ty: &str| {
            if let Some((_, n)) = sizes.iter().find(|(known, _)| known == name) {
                return n.to_string();
            }
            match name.split('_').next() {
                _ if is_real(ty) => format!("0.75 + {at}"),
                Some("blockDim") => "32".to_owned(),
                Some("gridDim") => "3".to_owned(),
                _ => format!("rt_round ? {SAME} : {}", APART[at % APART.len()]),
            }
        };
        let scalars = kernel.parameters.iter().filter(|p| !p.is_pointer).map(|p| (p.name.clone(), type_of(p)));
        let extra = kernel.extra.iter().map(|(name, _)| (name.clone(), "int".to_owned()));
        let number =
            |(at, (name, ty)): (usize, (String, String))| Number { value: value(at, &name, &ty), r#type: ty, name };
        let mut numbers: Vec<Number> = scalars.chain(extra).enumerate().map(number).collect();
        let is_free = |name: &str| !sizes.iter().any(|(known, _)| known == name);
        whole_rows(&mut numbers, &outcome.region.guards, &is_free);
        let of_launch = numbers.split_off(numbers.len() - kernel.extra.len());
        let mut of_entry: Vec<Number> = vec![];
        for (text, argument) in entry.parameters.iter().zip(&entry.arguments).filter(|(text, _)| !text.contains('*')) {
            let (ty, name) = text.rsplit_once(' ').unwrap_or(("long", text));
            // The size of a structure is what the compiler says of the user's type; no array's extent depends on it.
            if argument.contains("sizeof(") {
                continue;
            }
            if !numbers.iter().chain(&of_launch).chain(&of_entry).any(|n| n.name == name) {
                of_entry.push(Number { r#type: ty.into(), name: name.into(), value: argument.clone() });
            }
        }
        let arrays = entry.arrays.iter().map(|a| Array {
            name: a.name.clone(),
            r#type: a.r#type,
            elements: a.elements.clone(),
            random: match is_real(a.r#type) {
                true => "0.5 + rt_random()",
                false => "(int)(8 * rt_random())",
            },
            is_written: a.is_written,
        });
        Drawn { numbers, of_launch, of_entry, arrays: arrays.collect() }
    }
}

/// Makes numbers that are to be so many whole rows, by a guard as `n % w == 0`, or no fewer, as `threads_x >= h * w`, a multiple
/// of the others there: else the loops of the user's are compared with themselves.
fn whole_rows(numbers: &mut [Number], guards: &[String], is_free: &dyn Fn(&str) -> bool) {
    for part in guards.iter().flat_map(|guard| guard.split("&&")) {
        let words = part.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let named: Vec<usize> = words.filter_map(|word| numbers.iter().position(|n| n.name == word)).collect();
        let Some((&first, others)) = named.split_first() else { continue };
        let is_multiple = part.contains('%') || numbers[first].name.starts_with("threads_");
        if !others.is_empty() && !others.contains(&first) && is_multiple && is_free(&numbers[first].name) {
            let factors = others.iter().map(|n| format!("({})", numbers[*n].value)).collect::<Vec<_>>();
            numbers[first].value = format!("2 * {}", factors.join(" * "));
        }
    }
}

/// Test for a floating-point type of C.
pub fn is_real(ty: &str) -> bool {
    ["float", "double"].iter().any(|word| ty.contains(word))
}

/// The type of a number.
fn type_of(p: &Parameter) -> String {
    let ty = p.text.strip_suffix(p.name.as_str()).unwrap_or(&p.text).trim();
    ty.strip_prefix("const ").unwrap_or(ty).to_owned()
}
