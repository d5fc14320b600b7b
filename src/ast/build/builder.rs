//! An AST under construction: the scopes, and the directives that are still to come.

use std::collections::{BTreeMap, VecDeque};

use tree_sitter::Node;

use crate::ast::{Expr, ExprKind, Field, IntKind, Struct, StructId, Type, Unit, Var, VarId};
use crate::diag::Diagnostic;
use crate::source::directive::{Directive, DirectiveKind};
use crate::source::parse::{Parsed, span};
use crate::source::{Source, Span};

/// How deeply statements, expressions and declarators may nest; the C standard asks for 127 blocks and 63
/// parentheses. More is unmodelled, so that no text exhausts the stack.
pub const MAX_DEPTH: usize = 200;

/// A type with the qualifiers of the object that has it.
#[derive(Debug, Clone)]
pub(super) struct Qualified {
    pub(super) ty: Type,
    pub(super) is_const: bool,
    pub(super) is_volatile: bool,
}

/// Meaning of an ordinary identifier.
#[derive(Debug, Clone)]
pub(super) enum Symbol {
    Var(VarId),
    Typedef(Qualified),
    /// Its value, unless that is not a constant the tool can compute.
    Enumerator(Option<i64>),
    /// A function, by the type that it returns and its own.
    Function {
        returns: Type,
        ty: Type,
    },
}

/// Meaning of a tag (`struct T`, `enum T`).
#[derive(Debug, Clone, Copy)]
pub(super) enum Tag {
    Struct(StructId),
    Enum(IntKind),
}

#[derive(Default)]
pub(super) struct Scope<'a> {
    pub(super) symbols: BTreeMap<&'a str, Symbol>,
    pub(super) tags: BTreeMap<&'a str, Tag>,
}

pub(super) const NOT_C: &str = "this is not C that the parser knows";
pub(super) const NO_HEAD: &str =
    "this body has no head that the parser knows: it reads no parameters in the style before C89";

pub(super) struct Builder<'a> {
    pub(super) source: &'a Source,
    pub(super) parsed: &'a Parsed,
    pub(super) unit: Unit,
    pub(super) scopes: Vec<Scope<'a>>,
    /// Members of unions, and of structures without a name in others, by the name of the type.
    pub(super) members: BTreeMap<String, Vec<Field>>,
    /// Those not yet reached.
    pub(super) directives: VecDeque<Directive>,
    /// Regions that are open: the directive, and the number of scopes where it stands.
    pub(super) regions: Vec<(Span, usize)>,
    pub(super) notes: Vec<Diagnostic>,
    pub(super) error: Option<Diagnostic>,
    /// Where the last thing that could not be read ends.
    pub(super) unread_to: u32,
    pub(super) depth: usize,
}

impl<'a> Builder<'a> {
    /// Says that something at file level could not be read, if it is the user's and does not follow on the like.
    pub(super) fn note_unread(&mut self, item: Node<'a>, what: &str) {
        let at = span(item);
        let follows =
            self.unread_to <= at.lo && self.source.slice(Span { lo: self.unread_to, hi: at.lo }).trim().is_empty();
        self.unread_to = at.hi;
        // A hint in what is not read is as useless as all of it.
        let mut within = self.directives_before(at.hi);
        within.retain(|d| matches!(d.kind, DirectiveKind::RegionBegin { .. } | DirectiveKind::RegionEnd));
        within.iter().for_each(|d| self.misplaced(d));
        if !follows && !self.source.line_map.origin(at.lo).is_system {
            self.notes.push(Diagnostic::declined("not-parsed", what, Some(self.source.place(at))).help(
                "what stands here is left as it is; if it is a function with loops to convert, write it in standard C",
            ));
        }
    }

    /// The text of a node.
    pub(super) fn text(&self, node: Node<'a>) -> &'a str {
        self.source.slice(span(node))
    }

    /// The name that a node stands for: its own text, or what it was disguised from.
    pub(super) fn name(&self, node: Node<'a>) -> (&'a str, Span) {
        let at = self.parsed.disguised(node).unwrap_or(span(node));
        (self.source.slice(at), at)
    }

    pub(super) fn lookup(&self, name: &str) -> Option<&Symbol> {
        self.scopes.iter().rev().find_map(|s| s.symbols.get(name))
    }

    pub(super) fn lookup_tag(&self, name: &str) -> Option<Tag> {
        self.scopes.iter().rev().find_map(|s| s.tags.get(name)).copied()
    }

    /// The innermost scope. There always is one: the file's.
    pub(super) fn scope(&mut self) -> &mut Scope<'a> {
        if self.scopes.is_empty() {
            self.scopes.push(Scope::default());
        }
        let last = self.scopes.len() - 1;
        &mut self.scopes[last]
    }

    pub(super) fn declare(&mut self, name: &'a str, symbol: Symbol) {
        self.scope().symbols.insert(name, symbol);
    }

    pub(super) fn new_var(&mut self, var: Var) -> VarId {
        self.unit.add(var)
    }

    pub(super) fn new_struct(&mut self, name: Option<&str>) -> StructId {
        let id = StructId(self.unit.structs.len() as u32);
        self.unit.structs.push(Struct { name: name.map(str::to_owned), fields: None });
        id
    }

    /// Goes one level deeper, unless that is too deep.
    pub(super) fn nested<T>(&mut self, build: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth == MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let built = build(self);
        self.depth -= 1;
        Some(built)
    }

    pub(super) fn fail(&mut self, code: &'static str, message: &str, at: Span, help: &str) {
        let place = Some(self.source.place(at));
        self.error.get_or_insert_with(|| Diagnostic::error(code, message, place).help(help));
    }

    /// Takes the directives that stand before an offset.
    pub(super) fn directives_before(&mut self, offset: u32) -> Vec<Directive> {
        let count = self.directives.partition_point(|d| d.span.lo < offset);
        self.directives.drain(..count).collect()
    }

    /// Forgets the directives before an offset: they stand outside functions, or inside something that was built
    /// without them.
    pub(super) fn drop_directives(&mut self, offset: u32) {
        for directive in self.directives_before(offset) {
            self.misplaced(&directive);
        }
    }

    /// A region's bound where it cannot be is an error; a hint there is only useless.
    pub(super) fn misplaced(&mut self, directive: &Directive) {
        match directive.kind {
            DirectiveKind::RegionBegin { .. } | DirectiveKind::RegionEnd => self.fail(
                "misplaced-directive",
                "a region's bound stands where no statement of a block can",
                directive.span,
                "put it between two statements of a function's block",
            ),
            _ => {
                let place = Some(self.source.place(directive.span));
                self.notes.push(
                    Diagnostic::new(
                        crate::diag::Severity::Warning,
                        "useless-directive",
                        "this directive does not stand before what it could speak of",
                        place,
                    )
                    .help("put it directly before a statement; `shape` and `host` may stand before a function too"),
                );
            }
        }
    }
}

/// An expression that stands for something not modelled.
pub(super) fn unmodelled(reason: impl Into<String>, ty: Type, at: Span) -> Expr {
    Expr { kind: ExprKind::Unmodelled(reason.into()), ty, span: at }
}

pub(super) fn unknown() -> Type {
    Type::Other("unknown".to_owned())
}

/// The keyword of a node that is one, in its standard spelling (the user's may be GNU's).
pub(super) fn keyword<'t>(node: Node<'t>) -> &'t str {
    node.child(0).unwrap_or(node).kind()
}

/// All children, comments apart, in linear time.
pub(super) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.children(&mut cursor).filter(|c| c.kind() != "comment").collect()
}

/// The children that the grammar names.
pub(super) fn named_children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|c| c.kind() != "comment").collect()
}
