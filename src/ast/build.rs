//! From the parse tree to the typed AST: names are resolved, types computed, and what is not modelled is said
//! exactly where it stands.
//!
//! Typing follows C17 (6.3 conversions, 6.5 expressions) on an LP64 machine.

use std::collections::{BTreeMap, VecDeque};

use tree_sitter::Node;

use super::{Expr, ExprKind, IntKind, Struct, StructId, Type, Unit, Var, VarId, independence};
use crate::diag::{Diagnostic, Stop};
use crate::source::directive::{self, Directive, DirectiveKind};
use crate::source::parse::{self, Parsed, span};
use crate::source::{Source, Span};

pub(crate) mod constant;
mod dead;
mod decl;
mod expr;
mod literal;
mod snippet;
mod stmt;
mod types;
pub mod typing;

pub use snippet::expression;

/// How deeply statements, expressions and declarators may nest; the C standard asks for 127 blocks and 63
/// parentheses. More is unmodelled, so that no text exhausts the stack.
pub const MAX_DEPTH: usize = 200;

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
    let (lines, directives): (Vec<_>, Vec<_>) = directive::directives(source)?.into_iter().partition(is_about_threads);
    let parsed = parse::parse(source)?;
    let mut builder = Builder {
        source,
        parsed: &parsed,
        unit: Unit::default(),
        scopes: vec![Scope::default()],
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
            let (assertions, copies) = independence::find(&builder.unit, source, &lines);
            (builder.unit.assertions, builder.unit.copies) = (assertions, copies);
            dead::drop(&mut builder.unit);
            Ok(Built { unit: builder.unit, notes: builder.notes })
        }
    }
}

/// A type with the qualifiers of the object that has it.
#[derive(Debug, Clone)]
struct Qualified {
    ty: Type,
    is_const: bool,
    is_volatile: bool,
}

/// What an ordinary identifier means.
#[derive(Debug, Clone)]
enum Symbol {
    Var(VarId),
    Typedef(Qualified),
    /// Its value, unless that is not a constant the tool can compute.
    Enumerator(Option<i64>),
    /// A function, by the type it returns.
    Function(Type),
}

/// What a tag (`struct T`, `enum T`) means.
#[derive(Debug, Clone, Copy)]
enum Tag {
    Struct(StructId),
    Enum(IntKind),
}

#[derive(Default)]
struct Scope<'a> {
    symbols: BTreeMap<&'a str, Symbol>,
    tags: BTreeMap<&'a str, Tag>,
}

const NOT_C: &str = "this is not C that the parser knows";
const NO_HEAD: &str = "this body has no head that the parser knows: it reads no parameters in the style before C89";

struct Builder<'a> {
    source: &'a Source,
    parsed: &'a Parsed,
    unit: Unit,
    scopes: Vec<Scope<'a>>,
    /// Those not yet reached.
    directives: VecDeque<Directive>,
    /// Regions that are open: the directive, and the number of scopes where it stands.
    regions: Vec<(Span, usize)>,
    notes: Vec<Diagnostic>,
    error: Option<Diagnostic>,
    /// Where the last thing that could not be read ends.
    unread_to: u32,
    depth: usize,
}

impl<'a> Builder<'a> {
    fn translation_unit(&mut self) {
        for item in children(self.parsed.root()) {
            let before = self.directives_before(span(item).lo);
            if item.kind() == "function_definition" {
                self.function(item, before);
            } else {
                before.iter().for_each(|directive| self.misplaced(directive));
                self.external(item);
            }
            self.drop_directives(span(item).hi);
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

    /// Says that something at file level could not be read, if it is the user's and does not follow on the like.
    fn note_unread(&mut self, item: Node<'a>, what: &str) {
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
    fn text(&self, node: Node<'a>) -> &'a str {
        self.source.slice(span(node))
    }

    /// The name that a node stands for: its own text, or what it was disguised from.
    fn name(&self, node: Node<'a>) -> (&'a str, Span) {
        let at = self.parsed.disguised(node).unwrap_or(span(node));
        (self.source.slice(at), at)
    }

    fn lookup(&self, name: &str) -> Option<&Symbol> {
        self.scopes.iter().rev().find_map(|s| s.symbols.get(name))
    }

    fn lookup_tag(&self, name: &str) -> Option<Tag> {
        self.scopes.iter().rev().find_map(|s| s.tags.get(name)).copied()
    }

    /// The innermost scope. There always is one: the file's.
    fn scope(&mut self) -> &mut Scope<'a> {
        if self.scopes.is_empty() {
            self.scopes.push(Scope::default());
        }
        let last = self.scopes.len() - 1;
        &mut self.scopes[last]
    }

    fn declare(&mut self, name: &'a str, symbol: Symbol) {
        self.scope().symbols.insert(name, symbol);
    }

    fn new_var(&mut self, var: Var) -> VarId {
        self.unit.add(var)
    }

    fn new_struct(&mut self, name: Option<&str>) -> StructId {
        let id = StructId(self.unit.structs.len() as u32);
        self.unit.structs.push(Struct { name: name.map(str::to_owned), fields: None });
        id
    }

    /// Goes one level deeper, unless that is too deep.
    fn nested<T>(&mut self, build: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth == MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let built = build(self);
        self.depth -= 1;
        Some(built)
    }

    fn fail(&mut self, code: &'static str, message: &str, at: Span, help: &str) {
        let place = Some(self.source.place(at));
        self.error.get_or_insert_with(|| Diagnostic::error(code, message, place).help(help));
    }

    /// Takes the directives that stand before an offset.
    fn directives_before(&mut self, offset: u32) -> Vec<Directive> {
        let count = self.directives.partition_point(|d| d.span.lo < offset);
        self.directives.drain(..count).collect()
    }

    /// Forgets the directives before an offset: they stand outside functions, or inside something that was built
    /// without them.
    fn drop_directives(&mut self, offset: u32) {
        for directive in self.directives_before(offset) {
            self.misplaced(&directive);
        }
    }

    /// A region's bound where it cannot be is an error; a hint there is only useless.
    fn misplaced(&mut self, directive: &Directive) {
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
fn unmodelled(reason: impl Into<String>, ty: Type, at: Span) -> Expr {
    Expr { kind: ExprKind::Unmodelled(reason.into()), ty, span: at }
}

fn unknown() -> Type {
    Type::Other("unknown".to_owned())
}

/// The keyword of a node that is one, in its standard spelling (the user's may be GNU's).
fn keyword<'t>(node: Node<'t>) -> &'t str {
    node.child(0).unwrap_or(node).kind()
}

/// All children, comments apart, in linear time.
fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.children(&mut cursor).filter(|c| c.kind() != "comment").collect()
}

/// The children that the grammar names.
fn named_children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|c| c.kind() != "comment").collect()
}
