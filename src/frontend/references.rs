//! References to what a device function changes, as pointers, which C has.
//!
//! ```text
//! __device__ void swap(float &x, float &y) {            __device__ void swap(float *x, float *y) {
//!     float t = x; x = y; y = t;                            float t = (*x); (*x) = (*y); (*y) = t;
//! }                                              →      }
//! ... swap(a[i], b);                                    ... swap(&a[i], &b);
//! ```
//! Both are CUDA, so that the kernels as they were stand beside the optimised ones in this form, too. References to
//! constants stay: what is given for one may have no address ([`names`](super::names)).

use super::code::{Code, Edits};
use super::items::{self, Function, Item, Kind};
use super::names;
use std::collections::BTreeMap;
use std::ops::Range;

/// A file's text with pointers in the place of these references. A function of whose name there are several stays.
pub fn by_address(text: String) -> String {
    let code = Code::new("", text);
    items::items(&code).map_or_else(|_| code.text.clone(), |items| changed(&code, &items))
}

fn changed(code: &Code, items: &[Item]) -> String {
    let functions = || {
        items.iter().filter_map(|item| match &item.kind {
            Kind::Device(f) | Kind::Kernel(f) => Some((f, matches!(item.kind, Kind::Device(_)))),
            _ => None,
        })
    };
    let mut changed: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut edits = Edits::default();
    for (f, _) in functions().filter(|(_, is_device)| *is_device) {
        let found = references(code, f);
        let is_alone = functions().filter(|(g, _)| g.name == f.name).count() == 1;
        let declared = names::declared(code, &f.body);
        if found.is_empty() || !is_alone || found.values().any(|at| declared.contains(code.at(at + 1))) {
            continue;
        }
        for at in found.values() {
            edits.replace(&code.text, code.bytes(*at..at + 1), "*");
            within(code, f, code.at(at + 1), &mut edits);
        }
        changed.insert(&f.name, found.into_keys().collect());
    }
    for (f, _) in functions() {
        calls(code, &f.body, &changed, &mut edits);
    }
    edits.apply(&code.text)
}

/// The references of a function to what it may change: the parameter, by number, and the token `&`.
fn references(code: &Code, f: &Function) -> BTreeMap<usize, usize> {
    let of = |range: Range<usize>| {
        let at = range.end.checked_sub(2).filter(|at| *at > range.start && code.at(*at) == "&")?;
        let is_plain = code.is_word(at + 1) && code.is_word(at - 1) && code.find(range, "const").is_none();
        is_plain.then_some(at)
    };
    let parameters = code.split(f.parameters.clone(), &[","]).into_iter().enumerate();
    parameters.filter_map(|(number, range)| Some((number, of(range)?))).collect()
}

/// Puts what a pointer leads to wherever a function names its reference.
fn within(code: &Code, f: &Function, name: &str, edits: &mut Edits) {
    let is_member = |at: usize| code.at(at - 1) == "." || code.is(at - 2, &["-", ">"]);
    for at in f.body.clone().filter(|at| code.at(*at) == name && !is_member(*at)) {
        edits.replace(&code.text, code.bytes(at..at + 1), format!("(*{name})"));
    }
}

/// Addresses where such functions are called.
fn calls(code: &Code, body: &Range<usize>, changed: &BTreeMap<&str, Vec<usize>>, edits: &mut Edits) {
    for at in body.clone() {
        let (Some(numbers), Some(close)) = (changed.get(code.at(at)), code.partner(at + 1)) else { continue };
        if code.at(at + 1) != "(" {
            continue;
        }
        let given = code.split(at + 2..close, &[","]);
        for range in numbers.iter().filter_map(|number| given.get(*number)).filter(|range| !range.is_empty()) {
            let bytes = code.bytes(range.clone());
            let has = |word: &str| code.find(range.clone(), word).is_some();
            match code.is_word(range.start) && !["?", "-", "+", "*", ","].iter().any(|word| has(word)) {
                true => edits.insert(bytes.start, "&"),
                false => {
                    edits.insert(bytes.start, "&(");
                    edits.insert(bytes.end, ")");
                }
            }
        }
    }
}
