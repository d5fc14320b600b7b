//! The preprocessed text through tree-sitter.

use std::collections::BTreeMap;

use tree_sitter::{Node, Parser, Tree};

use super::clean::{Cleaned, clean};
use super::{Source, Span};
use crate::diag::Stop;

/// A parse tree over a [`Source`]'s preprocessed text. Positions are the text's own.
pub struct Parsed {
    tree: Tree,
    disguised: BTreeMap<u32, Span>,
}

impl Parsed {
    /// The translation unit.
    pub fn root(&self) -> Node<'_> {
        self.tree.root_node()
    }

    /// The name that stands where tree-sitter was shown something else (see [`clean`](super::clean)).
    pub fn disguised(&self, node: Node<'_>) -> Option<Span> {
        self.disguised.get(&(node.start_byte() as u32)).copied()
    }
}

/// The bytes a node covers.
pub fn span(node: Node<'_>) -> Span {
    Span { lo: node.start_byte() as u32, hi: node.end_byte() as u32 }
}

/// Parses a source. The tree holds ERROR and MISSING nodes where the text is not C.
///
/// # Errors
/// A [`Stop::Bug`] when the grammar does not fit the tree-sitter library.
pub fn parse(source: &Source) -> Result<Parsed, Stop> {
    let mut parser = Parser::new();
    parser
        .set_language(&tree_sitter_c::LANGUAGE.into())
        .map_err(|e| Stop::Bug(format!("parse: the C grammar does not fit tree-sitter: {e}")))?;
    let Cleaned { text, disguised } = clean(source);
    let tree = parser.parse(&text, None).ok_or_else(|| Stop::Bug("parse: tree-sitter gave no tree".to_owned()))?;
    Ok(Parsed { tree, disguised })
}
