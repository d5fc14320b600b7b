//! From the parse tree to the typed AST: names are resolved, types computed, and what is not modelled is said
//! exactly where it stands.
//!
//! Typing follows C17 (6.3 conversions, 6.5 expressions) on an LP64 machine.

pub mod alike;
pub mod ast_builder;
mod builder;
mod complex;
pub(crate) mod constant;
mod dead;
mod decl;
mod discarded;
mod expr;
mod initial;
mod literal;
mod obscure;
mod snippet;
mod stmt;
mod types;
pub mod typing;
pub mod unions;
mod words;

use super::{Unit, independence};
use crate::diag::{Diagnostic, Stop};
use crate::source::Source;
use crate::source::directive::{Directive, DirectiveKind, read};
use crate::source::parse::{self, span};
use builder::{Builder, NO_HEAD, NOT_C, Scope, children};
use decl::untyped_function;
use std::collections::BTreeMap;
use tree_sitter::Node;

pub use builder::MAX_DEPTH;
pub use snippet::{expression, place};

/// What building gives: the unit, and what the user should know about it.
#[derive(Debug)]
pub struct Built {
    pub unit: Unit,
    /// External declarations that could not be read, directives that say nothing.
    pub notes: Vec<Diagnostic>,
}

/// Parses a source and builds its typed AST.
///
/// # Errors
/// A mistake in a directive: an unknown word or argument, a region without an end, an end without a region.
pub fn build(source: &Source) -> Result<Built, Stop> {
    let is_about_threads = |d: &Directive| matches!(d.kind, DirectiveKind::Threads { .. });
    let (lines, directives): (Vec<_>, Vec<_>) = read::directives(source)?.into_iter().partition(is_about_threads);
    let parsed = parse::parse(source)?;
    let mut builder = Builder {
        source,
        parsed: &parsed,
        unit: Unit { structs: super::complex::structures(), ..Unit::default() },
        scopes: vec![Scope::default()],
        members: BTreeMap::new(),
        directives: directives.into(),
        regions: Vec::new(),
        notes: Vec::new(),
        error: None,
        unread_to: u32::MAX,
        depth: 0,
    };
    builder.translation_unit();
    match builder.error {
        Some(error) => Err(error.into()),
        None => {
            let (assertions, copies, teams) = independence::find(&builder.unit, source, &lines);
            (builder.unit.assertions, builder.unit.copies, builder.unit.teams) = (assertions, copies, teams);
            dead::drop(&mut builder.unit);
            complex::lower(&mut builder.unit);
            builder.unit.note_addresses();
            Ok(Built { unit: builder.unit, notes: builder.notes })
        }
    }
}

impl<'a> Builder<'a> {
    fn translation_unit(&mut self) {
        for unread in self.parsed.unread() {
            let place = self.source.place(unread.fault);
            self.notes.push(Diagnostic::declined("not-parsed", NOT_C, Some(place)).help(match unread.is_body {
                true => "the function around it is left as it is; write it in standard C if it has loops to convert",
                false => "what stands here is left as it is",
            }));
        }
        let items = children(self.parsed.root());
        let mut at = 0;
        while let Some(&item) = items.get(at) {
            let before = self.directives_before(span(item).lo);
            let untyped = untyped_function(&items[at..]).filter(|_| before.is_empty());
            let mut n_items = 1;
            if item.kind() == "function_definition" {
                self.function(item, before);
            } else if let Some(f) = untyped {
                self.untyped_function(f.call, f.declarations, f.body);
                n_items += f.declarations.len() + 1;
            } else {
                before.iter().for_each(|directive| self.misplaced(directive));
                self.external(item);
            }
            at += n_items;
            self.drop_directives(span(items[at - 1]).hi);
        }
        self.drop_directives(u32::MAX);
    }

    /// A declaration, typedef ... at file level.
    fn external(&mut self, item: Node<'a>) {
        let kind = item.kind();
        if !item.has_error() {
            match kind {
                "declaration" => {
                    self.declaration(item, true);
                    return;
                }
                "type_definition" => return self.type_definition(item),
                "struct_specifier" | "union_specifier" | "enum_specifier" => {
                    self.specifier(item);
                    return;
                }
                _ => {}
            }
        }
        if kind != ";" && !item.is_extra() {
            self.note_unread(item, if kind == "compound_statement" { NO_HEAD } else { NOT_C });
        }
    }
}
