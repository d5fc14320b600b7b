//! The preprocessed text through tree-sitter.
//!
//! What is no C costs tree-sitter more than the place where it stands: recovering from it, it may take the functions behind
//! for a part of one. Where that happened, the text is read again without the bodies and declarations at fault, which
//! [`Parsed::unread`] names: where one function ends and the next begins, the braces say.

use std::collections::BTreeMap;

use tree_sitter::{Node, Parser, Tree};

use super::clean::{Cleaned, External, clean};
use super::{Source, Span};
use crate::diag::Stop;

/// A parse tree over a [`Source`]'s preprocessed text. Positions are the text's own.
pub struct Parsed {
    tree: Tree,
    disguised: BTreeMap<u32, Span>,
    unread: Vec<Unread>,
}

/// Text that the tree is shown without: the inside of a function's body, or a declaration.
pub struct Unread {
    pub span: Span,
    /// The first place in it that is no C.
    pub fault: Span,
    pub is_body: bool,
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

    /// Text that the tree is shown without.
    pub fn unread(&self) -> &[Unread] {
        &self.unread
    }

    /// Test that a block is shown empty, and is not.
    pub fn is_unread(&self, block: Node<'_>) -> bool {
        self.unread.iter().any(|unread| unread.is_body && unread.span == span(block))
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
    let Cleaned { mut text, disguised, externals } = clean(source);
    let mut read =
        |text: &str| parser.parse(text, None).ok_or_else(|| Stop::Bug("parse: tree-sitter gave no tree".to_owned()));
    let mut tree = read(&text)?;
    let mut unread = Vec::new();
    for external in swallowed(&tree, &externals) {
        let alone = read(&text[external.span.lo as usize..external.span.hi as usize])?;
        if let Some(fault) = first_fault(alone.root_node()) {
            let fault = Span { lo: external.span.lo + fault.lo, hi: external.span.lo + fault.hi };
            let body = external.body.filter(|body| body.lo < fault.lo && fault.hi <= body.hi);
            unread.push(Unread { span: body.unwrap_or(external.span), fault, is_body: body.is_some() });
        }
    }
    if !unread.is_empty() {
        unread.iter().for_each(|unread| blank(&mut text, unread));
        tree = read(&text)?;
    }
    Ok(Parsed { tree, disguised, unread })
}

/// Text in nodes that hold more than one function, or a part of a second.
fn swallowed<'e>(tree: &Tree, externals: &'e [External]) -> Vec<&'e External> {
    let root = tree.root_node();
    let mut cursor = root.walk();
    let faulty: Vec<Span> = root.children(&mut cursor).filter(|n| n.has_error() || n.is_error()).map(span).collect();
    let meets = |node: &Span, e: &External| e.span.lo < node.hi && node.lo < e.span.hi;
    let holds_many = |node: &&Span| externals.iter().filter(|e| e.body.is_some() && meets(node, e)).count() > 1;
    let nodes: Vec<&Span> = faulty.iter().filter(holds_many).collect();
    externals.iter().filter(|e| nodes.iter().any(|node| meets(node, e))).collect()
}

/// The first node that stands for no C.
fn first_fault(root: Node<'_>) -> Option<Span> {
    let mut node = root;
    loop {
        if node.is_error() || node.is_missing() {
            return Some(span(node));
        }
        let mut cursor = node.walk();
        node = node.children(&mut cursor).find(|n| n.has_error() || n.is_missing())?;
    }
}

/// Blanks what is not read, but for the braces of a body.
fn blank(text: &mut String, unread: &Unread) {
    let inside = usize::from(unread.is_body);
    let range = unread.span.lo as usize + inside..unread.span.hi as usize - inside;
    let blanks: String = text[range.clone()].bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }).collect();
    text.replace_range(range, &blanks);
}
