//! Type specifiers and declarators (C17 6.7.2, 6.7.6), to types.

use tree_sitter::Node;

use super::builder::{Builder, Qualified, Symbol, Tag, children, keyword, named_children};
use super::{constant, typing};
use crate::ast::{Expr, ExprKind, Field, FloatKind, IntKind, Signature, StructId, Type};
use crate::source::Span;
use crate::source::clean::is_storage;
use crate::source::parse::span;

/// What a declarator declares.
pub(super) struct Declared<'a> {
    /// `None` when it is abstract.
    pub name: Option<(&'a str, Span)>,
    pub ty: Qualified,
    /// For a function's declarator: the type it returns, and its parameter list.
    pub function: Option<(Qualified, Node<'a>)>,
}

impl Qualified {
    fn plain(ty: Type) -> Qualified {
        Qualified { ty, is_const: false, is_volatile: false }
    }

    /// The type a pointer to such an object points to. Volatile objects are not modelled behind pointers.
    fn pointee(self) -> Type {
        if self.is_volatile { Type::Other("volatile object".to_owned()) } else { self.ty }
    }
}

impl<'a> Builder<'a> {
    /// The type that the specifiers of a declaration, parameter, field or type name give.
    pub(super) fn specifiers(&mut self, node: Node<'a>) -> Qualified {
        let ty = node.child_by_field_name("type").map(|ty| self.specifier(ty));
        let mut base = ty.unwrap_or_else(|| Qualified::plain(Type::Int(IntKind::Int)));
        for child in children(node) {
            match child.kind() {
                "type_qualifier" if is_complex(self.text(child)) => {
                    let is_said = node.child_by_field_name("type").is_some();
                    // GNU's `_Complex` alone is of `double`.
                    base.ty = if is_said { complex(&base.ty) } else { Type::complex(FloatKind::Double) };
                }
                "type_qualifier" => match keyword(child) {
                    "const" => base.is_const = true,
                    "volatile" => base.is_volatile = true,
                    "restrict" => {}
                    // It moves the members of a structure, and changes nothing else that is computed.
                    "alignas_qualifier" if node.kind() != "field_declaration" => {}
                    _ => base.ty = Type::Other(self.text(child).to_owned()),
                },
                "attribute_specifier" | "ms_declspec_modifier" => base.ty = Type::Other(self.text(child).to_owned()),
                _ => {}
            }
        }
        base
    }

    /// A type specifier's type; declares the structure or enumeration that it defines.
    pub(super) fn specifier(&mut self, node: Node<'a>) -> Qualified {
        let ty = match node.kind() {
            "primitive_type" | "type_identifier" => return self.named_type(self.name(node).0),
            "sized_type_specifier" => self.sized_type(node),
            "struct_specifier" => self.structure(node),
            "enum_specifier" => self.enumeration(node),
            "union_specifier" => self.union(node),
            _ => Type::Other(self.text(node).split('{').next().unwrap_or_default().trim().to_owned()),
        };
        Qualified::plain(ty)
    }

    /// A typedef name or a keyword of one word.
    fn named_type(&self, name: &str) -> Qualified {
        if let Some(symbol) = self.lookup(name) {
            return match symbol {
                Symbol::Typedef(ty) => ty.clone(),
                _ => Qualified::plain(Type::Other(format!("`{name}`, which is no type"))),
            };
        }
        Qualified::plain(match name {
            "void" => Type::Void,
            "char" => Type::Int(IntKind::Char),
            "int" => Type::Int(IntKind::Int),
            // It is shown in their place.
            words if !words.is_empty() && words.split_whitespace().all(is_storage) => Type::Int(IntKind::Int),
            "_Bool" | "bool" => Type::Int(IntKind::Bool),
            "float" => Type::Float(FloatKind::Float),
            "double" => Type::Float(FloatKind::Double),
            _ => Type::Other(name.to_owned()),
        })
    }

    /// `unsigned long int` and the like, in any order.
    fn sized_type(&self, node: Node<'a>) -> Type {
        let parts = children(node);
        let word = |part: &Node<'a>| if part.is_named() { self.name(*part).0 } else { part.kind() };
        let words: Vec<&str> = parts.iter().filter(|p| p.kind() != "type_qualifier").map(word).collect();
        if parts.iter().any(|p| p.kind() == "type_qualifier" && is_complex(self.text(*p))) {
            let is_float = words.iter().all(|w| matches!(*w, "long" | "double"));
            return if is_float { Type::complex(FloatKind::LongDouble) } else { complex(&Type::Void) };
        }
        let count = |word: &str| words.iter().filter(|w| **w == word).count();
        let base = words.iter().find(|w| !matches!(**w, "signed" | "unsigned" | "long" | "short"));
        let (short, long) = (count("short"), count("long"));
        let unsigned = match (count("signed"), count("unsigned")) {
            (_, 0) => false,
            (0, 1) => true,
            _ => return Type::Other(words.join(" ")),
        };
        use IntKind::*;
        Type::Int(match (base.copied(), short, long, unsigned) {
            (Some("char"), 0, 0, true) => UChar,
            (Some("char"), 0, 0, false) => SChar,
            (None | Some("int"), 1, 0, true) => UShort,
            (None | Some("int"), 1, 0, false) => Short,
            (None | Some("int"), 0, 0, true) => UInt,
            (None | Some("int"), 0, 0, false) => Int,
            (None | Some("int"), 0, 1, true) => ULong,
            (None | Some("int"), 0, 1, false) => Long,
            (None | Some("int"), 0, 2, true) => ULongLong,
            (None | Some("int"), 0, 2, false) => LongLong,
            (Some("double"), 0, 1, false) => return Type::Float(FloatKind::LongDouble),
            _ => return Type::Other(words.join(" ")),
        })
    }

    fn structure(&mut self, node: Node<'a>) -> Type {
        let name = node.child_by_field_name("name").map(|n| self.text(n));
        let body = node.child_by_field_name("body");
        let here = name.and_then(|n| self.scope().tags.get(n).copied());
        let known = if body.is_some() { here } else { name.and_then(|n| self.lookup_tag(n)) };
        let id = match known {
            Some(Tag::Struct(id)) => id,
            _ => {
                let id = self.new_struct(name);
                if let Some(name) = name {
                    self.scope().tags.insert(name, Tag::Struct(id));
                }
                id
            }
        };
        if let Some(body) = body {
            self.fields(id, node, body);
        }
        Type::Struct(id)
    }

    /// Gives a structure its fields, once; leaves it incomplete when one of them, or an attribute, cannot be read.
    fn fields(&mut self, id: StructId, node: Node<'a>, body: Node<'a>) {
        let has_attribute = children(node).iter().any(|c| c.kind().starts_with("attribute"));
        if node.has_error() || has_attribute || self.unit.structs[id.0 as usize].fields.is_some() {
            return;
        }
        self.unit.structs[id.0 as usize].fields = self.fields_in(body);
    }

    pub(super) fn field_declaration(&mut self, node: Node<'a>, fields: &mut Vec<Field>) {
        let base = self.specifiers(node);
        let is_bit_field = children(node).iter().any(|c| c.kind() == "bitfield_clause");
        let mut cursor = node.walk();
        let declarators: Vec<Node<'a>> = node.children_by_field_name("declarator", &mut cursor).collect();
        if declarators.is_empty() {
            let ty = match base.ty.clone() {
                Type::Struct(id) => {
                    let inner = self.unit.structs[id.0 as usize].fields.clone();
                    self.nameless("structure", node, inner.unwrap_or_default())
                }
                ty @ Type::Other(_) => ty,
                _ => Type::Other("anonymous member".to_owned()),
            };
            fields.push(Field { name: String::new(), ty });
        }
        for declarator in declarators {
            let declared = self.declarator(declarator, base.clone());
            let ty = match declared.ty.pointee() {
                _ if is_bit_field => Type::Other("bit-field".to_owned()),
                ty if self.is_incomplete(&ty) => Type::Other("member of an unknown structure".to_owned()),
                ty => ty,
            };
            fields.push(Field { name: declared.name.map_or(String::new(), |n| n.0.to_owned()), ty });
        }
    }

    /// Test for structures whose members are not known, and arrays of them. None is a member: so none is within itself.
    fn is_incomplete(&self, ty: &Type) -> bool {
        match ty {
            Type::Struct(id) => self.unit.structs[id.0 as usize].fields.is_none(),
            Type::Array { of, .. } => self.is_incomplete(of),
            _ => false,
        }
    }

    /// An enumeration's type: what GCC and clang give it, `unsigned int` unless a value is negative.
    fn enumeration(&mut self, node: Node<'a>) -> Type {
        let name = node.child_by_field_name("name").map(|n| self.text(n));
        let Some(body) = node.child_by_field_name("body") else {
            return match name.and_then(|n| self.lookup_tag(n)) {
                Some(Tag::Enum(kind)) => Type::Int(kind),
                _ => Type::Other("enum".to_owned()),
            };
        };
        let mut next = Some(0i64);
        let mut negative = false;
        for enumerator in named_children(body).into_iter().filter(|n| n.kind() == "enumerator") {
            if let Some(value) = enumerator.child_by_field_name("value") {
                next = constant::fold(&self.expr(value));
            }
            if let Some(name) = enumerator.child_by_field_name("name") {
                let name = self.text(name);
                self.declare(name, Symbol::Enumerator(next));
                if let (1, Some(value)) = (self.scopes.len(), next) {
                    self.unit.enumerators.push((name.to_owned(), value));
                }
            }
            negative |= next.is_none_or(|v| v < 0);
            next = next.and_then(|v| v.checked_add(1));
        }
        let kind = if negative { IntKind::Int } else { IntKind::UInt };
        if let Some(name) = name {
            self.scope().tags.insert(name, Tag::Enum(kind));
        }
        Type::Int(kind)
    }

    /// A type name: of a cast or `sizeof`.
    pub(super) fn type_name(&mut self, node: Node<'a>) -> Type {
        let base = self.specifiers(node);
        match node.child_by_field_name("declarator") {
            Some(declarator) => self.declarator(declarator, base).ty.ty,
            None => base.ty,
        }
    }

    /// Applies a declarator to the type before it, from the outside in.
    pub(super) fn declarator(&mut self, node: Node<'a>, base: Qualified) -> Declared<'a> {
        let too_deep = |ty| Declared { name: None, ty: Qualified::plain(ty), function: None };
        self.nested(|b| b.declarator_here(node, base))
            .unwrap_or_else(|| too_deep(Type::Other("declarator that nests too deeply".to_owned())))
    }

    fn declarator_here(&mut self, node: Node<'a>, base: Qualified) -> Declared<'a> {
        let inner = node.child_by_field_name("declarator");
        let (ty, function) = match node.kind() {
            "pointer_declarator" | "abstract_pointer_declarator" => (self.pointer(node, base), None),
            "array_declarator" | "abstract_array_declarator" => {
                let len = self.array_len(node);
                (Qualified { ty: Type::Array { of: Box::new(base.ty), len }, ..base }, None)
            }
            "function_declarator" | "abstract_function_declarator" => {
                let parameters = node.child_by_field_name("parameters");
                let ty = parameters.and_then(|p| self.signature(&base.ty, p));
                let function = Qualified::plain(ty.unwrap_or_else(|| Type::Other(FUNCTION.to_owned())));
                (function, parameters.map(|p| (base, p)))
            }
            "parenthesized_declarator" | "abstract_parenthesized_declarator" | "attributed_declarator" => {
                let inner = named_children(node)
                    .into_iter()
                    .find(|c| c.kind().ends_with("declarator") || c.kind().ends_with("identifier"));
                return match inner {
                    Some(inner) => self.declarator(inner, base),
                    None => Declared { name: None, ty: base, function: None },
                };
            }
            "identifier" | "field_identifier" | "type_identifier" | "primitive_type" => {
                return Declared { name: Some(self.name(node)), ty: base, function: None };
            }
            _ => {
                let ty = Qualified::plain(Type::Other("declarator that is not modelled".to_owned()));
                return Declared { name: None, ty, function: None };
            }
        };
        let mut declared = match inner {
            Some(inner) => self.declarator(inner, ty),
            None => Declared { name: None, ty, function: None },
        };
        // `f(..)` declares a function; in `(*f)(..)` the type is no longer a function's.
        if declared.function.is_none() && is_function(&declared.ty.ty) {
            declared.function = function;
        }
        declared
    }

    /// The type of a function that returns `ret`, where its list says all parameters.
    fn signature(&mut self, ret: &Type, list: Node<'a>) -> Option<Type> {
        let mut params = vec![];
        for parameter in named_children(list) {
            let is_declared = parameter.kind() == "parameter_declaration" && !parameter.has_error();
            let base = is_declared.then(|| self.specifiers(parameter))?;
            let declared = parameter.child_by_field_name("declarator");
            if declared.is_none() && base.ty == Type::Void {
                continue;
            }
            let ty = declared.map_or(base.clone(), |declarator| self.declarator(declarator, base).ty).ty;
            params.push(match typing::decay(&as_parameter(ty)) {
                Type::Pointer { to, is_const, .. } => Type::Pointer { to, is_const, restrict: false },
                ty => ty,
            });
        }
        let is_said = |ty: &Type| !matches!(ty, Type::Other(_)) && !ty.is_complex();
        let all = is_said(ret) && params.iter().all(is_said);
        all.then(|| Type::Function(Box::new(Signature { ret: ret.clone(), params })))
    }

    fn pointer(&mut self, node: Node<'a>, base: Qualified) -> Qualified {
        let mut qualifiers = Qualified::plain(Type::Void);
        let mut restrict = false;
        for child in children(node) {
            match (child.kind(), keyword(child)) {
                ("type_qualifier", "const") => qualifiers.is_const = true,
                ("type_qualifier", "volatile") => qualifiers.is_volatile = true,
                ("type_qualifier", "restrict") => restrict = true,
                _ => {}
            }
        }
        let is_const = base.is_const;
        Qualified { ty: Type::Pointer { to: Box::new(base.pointee()), is_const, restrict }, ..qualifiers }
    }

    /// An array's length: folded where it is a constant, `None` for `[]` and `[*]`.
    fn array_len(&mut self, node: Node<'a>) -> Option<Box<Expr>> {
        let size = node.child_by_field_name("size").filter(|s| s.kind() != "*")?;
        let mut len = self.expr(size);
        let mut plain = len.clone();
        self.unit.put_constants(&mut plain);
        if let Some(value) = constant::fold(&plain) {
            len.kind = ExprKind::Int(value);
        }
        Some(Box::new(len))
    }

    /// Where a declaration stands: the name, or all of it.
    pub(super) fn declared_span(declared: &Declared<'a>, node: Node<'a>) -> Span {
        declared.name.map_or(span(node), |n| n.1)
    }
}

/// Stand-in for the type of a function of which not all parameters are said.
pub(super) const FUNCTION: &str = "function";

fn is_function(ty: &Type) -> bool {
    matches!(ty, Type::Function(_)) || matches!(ty, Type::Other(name) if name == FUNCTION)
}

/// The type of a parameter (C17 6.7.6.3): an array is a pointer to its first element, a function one to it.
pub(super) fn as_parameter(ty: Type) -> Type {
    match ty {
        ty if is_function(&ty) => Type::Pointer { to: Box::new(ty), is_const: false, restrict: false },
        ty => ty,
    }
}

/// Test for the text of a qualifier that is `_Complex` in GNU's spellings or the standard's.
fn is_complex(text: &str) -> bool {
    text.starts_with("_Comp") || text.starts_with("__comp")
}

/// The complex type of a real one. GNU's complex integers are not modelled.
fn complex(of: &Type) -> Type {
    match of {
        Type::Float(kind) => Type::complex(*kind),
        _ => Type::Other("_Complex integer".to_owned()),
    }
}
