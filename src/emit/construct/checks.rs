//! Check mode: both versions of a region, compared.

use super::host::Region;
use serde::Serialize;

spelled! {
    CheckAfter<'a> "check_after"
    CheckBefore<'a> "check_before"
    CheckedArgument "checked_argument"
    CheckedArray "checked_array"
    CheckGuard "check_guard"
}

/// The function that runs the converted version on copies.
#[derive(Serialize)]
pub struct CheckBefore<'a> {
    /// The region's name, as people say it, and the name of its entry.
    pub name: &'a str,
    pub entry: &'a str,
    #[serde(flatten)]
    pub place: Region,
    pub parameters: Vec<String>,
    /// Guards, lengths and arrays.
    pub body: String,
    /// Arguments of the entry.
    pub arguments: Vec<String>,
    /// The numbers that it has set.
    pub scalars: Vec<CheckedScalar>,
    /// Flag: something in it may leave 0 or -0, as its maker likes.
    pub either_zero: bool,
    /// Flag: the original cannot run twice, as it prints, or several threads run it together.
    pub prints: bool,
    /// Flag: a team of threads runs the original.
    pub is_shared_out: bool,
}

/// A number that both versions set.
#[derive(Serialize)]
pub struct CheckedScalar {
    /// A literal: what the user calls it.
    pub label: String,
    pub name: String,
}

/// A condition without which the converted version is not run.
#[derive(Serialize)]
pub struct CheckGuard {
    /// The condition that it fails.
    pub fails: String,
    /// A literal: why.
    pub reason: String,
}

/// An argument of the entry that runs on copies: an address that is moved, an array by its literal, or an expression.
#[derive(Serialize)]
pub struct CheckedArgument {
    pub is_moved: bool,
    pub label: Option<String>,
    pub name: String,
}

/// An array that is copied and compared.
#[derive(Serialize)]
pub struct CheckedArray {
    /// A literal: what the user calls it.
    pub label: String,
    /// Its address on the host, or the list of its rows there.
    pub host: String,
    pub rows: Option<String>,
    /// The elements' type.
    pub r#type: &'static str,
    pub extents: Vec<String>,
    /// Elements that the region may touch, and those that it leaves: the first element, and the one behind the last.
    pub touched: Option<String>,
    pub live: [String; 2],
    /// Absence of a comparison: its values stay on the device, or nobody reads them.
    pub stays: bool,
    pub is_scratch: bool,
}

/// The function that compares the copies with what the original left.
#[derive(Serialize)]
pub struct CheckAfter<'a> {
    /// The name of the region's entry.
    pub entry: &'a str,
    #[serde(flatten)]
    pub place: Region,
    pub parameters: Vec<String>,
    pub compared: Vec<Compared>,
    /// Flag: a team of threads has run the original.
    pub is_shared_out: bool,
}

/// Subject of a comparison: an array, or a number behind an address.
#[derive(Serialize)]
pub struct Compared {
    pub is_scalar: bool,
    /// A literal: what the user calls it.
    pub label: String,
    /// Its parameter.
    pub name: String,
}
