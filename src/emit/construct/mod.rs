//! Constructs of CUDA C++: what their templates are filled from.
//!
//! A construct has what Rust has decided, as values: names, types, expressions, lists of these, and the text of the blocks
//! inside. How it looks is its template's affair ([`super::spell`]).

use serde::Serialize;

/// Says by which template constructs are spelled.
macro_rules! spelled {
    ($($construct:ident $(<$lifetime:lifetime>)? $template:literal)*) => {
        $(impl $(<$lifetime>)? $crate::emit::construct::Construct for $construct $(<$lifetime>)? {
            const TEMPLATE: &'static str = $template;
        })*

        /// The templates of the constructs here.
        #[cfg(test)]
        pub const TEMPLATES: &[&str] = &[$($template),*];
    };
}

pub mod c_file;
pub mod checks;
pub mod definitions;
pub mod host;
pub mod launches;
pub mod statements;

/// Values that a template is filled from.
pub trait Construct: Serialize {
    /// The template, by its name in [`super::spell::CUDA`].
    const TEMPLATE: &'static str;
}

/// The templates of all constructs.
#[cfg(test)]
pub fn templates() -> Vec<&'static str> {
    [
        c_file::TEMPLATES,
        checks::TEMPLATES,
        definitions::TEMPLATES,
        host::TEMPLATES,
        launches::TEMPLATES,
        statements::TEMPLATES,
    ]
    .concat()
}
