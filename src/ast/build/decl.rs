//! Declarations and functions (C17 6.7, 6.9).

use tree_sitter::Node;

use super::builder::{Builder, NOT_C, Qualified, Scope, Symbol, children, keyword, named_children, unmodelled};
use super::constant;
use super::types::{Declared, FUNCTION, as_parameter};
use crate::ast::{
    Declarator, Expr, ExprKind, Function, IntKind, Prototype, Stmt, StmtKind, Storage, Type, UnOp, Var, VarId,
};
use crate::source::Span;
use crate::source::directive::{Directive, DirectiveKind};
use crate::source::parse::span;

impl<'a> Builder<'a> {
    /// A declaration: declares its names, and gives those that are variables.
    pub(super) fn declaration(&mut self, node: Node<'a>, at_file_level: bool) -> Vec<Declarator> {
        let base = self.specifiers(node);
        let storage = match () {
            () if at_file_level || has_storage(node, "extern") => Storage::Global,
            () if has_storage(node, "static") => Storage::StaticLocal,
            () => Storage::Local,
        };
        let mut cursor = node.walk();
        let declarators: Vec<Node<'a>> = node.children_by_field_name("declarator", &mut cursor).collect();
        let mut built = Vec::new();
        for declarator in declarators {
            let (inner, value) = match declarator.kind() {
                "init_declarator" => {
                    let inner = declarator.child_by_field_name("declarator");
                    (inner.unwrap_or(declarator), declarator.child_by_field_name("value"))
                }
                _ => (declarator, None),
            };
            let declared = self.declarator(inner, base.clone());
            let ty = declared.ty.ty.clone();
            let of_typedef = if let Type::Function(signature) = &ty { Some(signature.ret.clone()) } else { None };
            if let Some(returns) = declared.function.as_ref().map(|(returns, _)| returns.ty.clone()).or(of_typedef) {
                if let Some((name, at)) = declared.name {
                    let is_of_file = self.scopes.len() == 1;
                    self.note_prototype(name, &ty, at, is_of_file);
                    self.declare(name, Symbol::Function { returns, ty });
                }
                continue;
            }
            let at = Self::declared_span(&declared, inner);
            let Some(var) = self.declare_var(declared, storage, at) else { continue };
            self.unit.vars[var.0 as usize].is_register = has_storage(node, "register");
            self.unit.vars[var.0 as usize].is_static |= has_storage(node, "static");
            // The name is in scope in its own initialiser (C17 6.2.1).
            let ty = self.unit.var(var).ty.clone();
            let init = value.map(|v| self.initial(v, &ty));
            self.complete(var, init.as_ref());
            // Its value is none; statements that are taken out of the initialiser would stand before the declaration.
            let init = init.map(|e| if storage == Storage::Local && reads(&e, var) { of_itself(e) } else { e });
            built.push(Declarator { var, init });
        }
        built
    }

    /// A variable's declaration. A global that is declared again is the same variable, with the completer type.
    fn declare_var(&mut self, declared: Declared<'a>, storage: Storage, at: Span) -> Option<VarId> {
        let (name, _) = declared.name?;
        let Qualified { ty, is_const, is_volatile } = declared.ty;
        if storage == Storage::Global {
            let known = self.scopes[0].symbols.get(name);
            if let Some(Symbol::Var(id)) = known {
                let id = *id;
                let var = &mut self.unit.vars[id.0 as usize];
                if var.storage == Storage::Global {
                    if !matches!(ty, Type::Array { len: None, .. }) {
                        var.ty = ty;
                    }
                    self.declare(name, Symbol::Var(id));
                    return Some(id);
                }
            }
        }
        let var = Var {
            name: name.to_owned(),
            ty,
            storage,
            is_const,
            is_volatile,
            is_register: false,
            is_static: false,
            span: at,
            value: None,
        };
        let id = self.new_var(var);
        self.declare(name, Symbol::Var(id));
        if storage == Storage::Global {
            self.scopes[0].symbols.entry(name).or_insert(Symbol::Var(id));
            self.unit.globals.push(id);
        }
        Some(id)
    }

    /// What an initialiser tells about its variable: the value of a constant, the length of `[]`.
    fn complete(&mut self, id: VarId, init: Option<&crate::ast::Expr>) {
        use crate::ast::{Expr, ExprKind};
        let var = &mut self.unit.vars[id.0 as usize];
        let Some(init) = init else { return };
        if let (Type::Int(_), true, false) = (&var.ty, var.is_const, var.is_volatile) {
            var.value = constant::fold(init);
        }
        if let Type::Array { len: len @ None, .. } = &mut var.ty {
            let value = match &init.kind {
                ExprKind::InitList(values) => i64::try_from(values.len()).ok(),
                ExprKind::Str(_) => match &init.ty {
                    Type::Array { len: Some(len), .. } => constant::fold(len),
                    _ => None,
                },
                _ => None,
            };
            let ty = Type::Int(IntKind::Int);
            *len = value.map(|v| Box::new(Expr { kind: ExprKind::Int(v), ty, span: init.span }));
        }
    }

    /// `typedef ...;`
    pub(super) fn type_definition(&mut self, node: Node<'a>) {
        let base = self.specifiers(node);
        let mut cursor = node.walk();
        let declarators: Vec<Node<'a>> = node.children_by_field_name("declarator", &mut cursor).collect();
        for declarator in declarators {
            let declared = self.declarator(declarator, base.clone());
            if let Some((name, _)) = declared.name {
                self.declare(name, Symbol::Typedef(declared.ty));
            }
        }
    }

    /// A function with its body and the directives before it.
    pub(super) fn function(&mut self, node: Node<'a>, mut directives: Vec<Directive>) {
        directives.retain(|d| {
            let speaks = matches!(d.kind, DirectiveKind::Shape { .. } | DirectiveKind::Host);
            if !speaks {
                self.misplaced(d);
            }
            speaks
        });
        let body = node.child_by_field_name("body");
        let head_is_c = children(node).iter().all(|c| Some(*c) == body || (!c.has_error() && !c.is_missing()));
        let (Some(declarator), Some(body), true) = (node.child_by_field_name("declarator"), body, head_is_c) else {
            return self.note_unread(node, NOT_C);
        };
        // Where no type stands, one is shown in the place of such words.
        let shown = node.child_by_field_name("type").map_or("", |ty| self.name(ty).0);
        let is_static = has_storage(node, "static") || shown.split_whitespace().any(|word| word == "static");
        let base = self.specifiers(node);
        self.scopes.push(Scope::default());
        let declared = self.declarator(declarator, base);
        let (Some((name, at)), Some((returns, parameters))) = (declared.name, declared.function) else {
            self.scopes.pop();
            return self.note_unread(node, "this function's declarator is not one that is modelled");
        };
        let symbol = Symbol::Function { returns: returns.ty.clone(), ty: declared.ty.ty.clone() };
        self.note_prototype(name, &declared.ty.ty, at, true);
        self.scopes[0].symbols.insert(name, symbol);
        let params = match named_children(parameters).iter().any(|c| c.kind() == "identifier") {
            true => {
                let declarations: Vec<_> = children(node).into_iter().filter(|c| c.kind() == "declaration").collect();
                self.old_parameters(&declarations, parameters)
            }
            false => self.parameters(parameters),
        };
        let head = Head { name, at, params, returns: returns.ty, is_static };
        self.define(head, body, span(node), directives);
    }

    /// Takes note of the declaration of a function; of what a block declares, the file knows nothing.
    fn note_prototype(&mut self, name: &str, ty: &Type, at: Span, is_of_file: bool) {
        let first =
            self.unit.addresses.prototypes.get(name).filter(|known| known.at.lo < at.lo).map_or(at, |known| known.at);
        if is_of_file {
            self.unit.addresses.prototypes.insert(name.to_owned(), Prototype { ty: ty.clone(), at: first });
        }
    }

    /// A function that says no type, and is of type `int` as it was before C99. `call`: its head, which reads as a call;
    /// `declarations`: those of its parameters.
    pub(super) fn untyped_function(&mut self, call: Node<'a>, declarations: &[Node<'a>], body: Node<'a>) {
        let (Some(name), Some(list)) = (call.child_by_field_name("function"), call.child_by_field_name("arguments"))
        else {
            return self.note_unread(body, NOT_C);
        };
        let (name, at) = self.name(name);
        let int = Qualified { ty: Type::Int(IntKind::Int), is_const: false, is_volatile: false };
        let symbol = Symbol::Function { returns: int.ty.clone(), ty: Type::Other(FUNCTION.to_owned()) };
        self.scopes[0].symbols.insert(name, symbol);
        self.scopes.push(Scope::default());
        let params = self.old_parameters(declarations, list);
        let head = Head { name, at, params, returns: int.ty, is_static: false };
        self.define(head, body, span(call).to(span(body)), vec![]);
    }

    /// Adds a function whose parameters are in scope, and ends that.
    fn define(&mut self, head: Head<'a>, body: Node<'a>, definition: Span, directives: Vec<Directive>) {
        let body = self.function_body(body);
        self.scopes.pop();
        let Head { name, at, params, returns, is_static } = head;
        let (name, [obscure, obscure_taken]) = (name.to_owned(), self.obscure(&body));
        let function = Function {
            name,
            params,
            ret: returns,
            is_static,
            body,
            span: at,
            definition,
            directives,
            obscure,
            obscure_taken,
        };
        self.unit.functions.push(function);
    }

    /// The parameters of a function's definition, in scope from there on.
    fn parameters(&mut self, list: Node<'a>) -> Vec<VarId> {
        let mut params = Vec::new();
        for parameter in named_children(list) {
            let base = self.specifiers(parameter);
            let declared = match parameter.child_by_field_name("declarator") {
                _ if parameter.kind() != "parameter_declaration" => continue,
                Some(declarator) => self.declarator(declarator, base),
                None if base.ty == Type::Void => continue,
                None => Declared { name: None, ty: base, function: None },
            };
            let at = Self::declared_span(&declared, parameter);
            let name = (declared.name.map_or("", |n| n.0), at);
            params.push(self.parameter(name, declared.ty, has_storage(parameter, "register")));
        }
        params
    }

    /// The parameters of a definition in the style before C89, which are named in the list and declared behind it; one that
    /// is not declared is an `int`.
    fn old_parameters(&mut self, declarations: &[Node<'a>], list: Node<'a>) -> Vec<VarId> {
        let mut declared = Vec::new();
        for &declaration in declarations {
            let base = self.specifiers(declaration);
            let is_register = has_storage(declaration, "register");
            let mut cursor = declaration.walk();
            let declarators: Vec<Node<'a>> = declaration.children_by_field_name("declarator", &mut cursor).collect();
            for declarator in declarators {
                declared.push((self.declarator(declarator, base.clone()), is_register));
            }
        }
        let mut params = Vec::new();
        for named in named_children(list).into_iter().filter(is_name) {
            let name = self.name(named);
            let own = declared.iter().position(|(d, _)| d.name.is_some_and(|(n, _)| n == name.0));
            let int = Qualified { ty: Type::Int(IntKind::Int), is_const: false, is_volatile: false };
            let (ty, is_register) = own.map_or((int, false), |at| {
                let (own, is_register) = declared.swap_remove(at);
                (own.ty, is_register)
            });
            params.push(self.parameter(name, ty, is_register));
        }
        params
    }

    /// A parameter, in scope from here on if it has a name.
    fn parameter(&mut self, (name, span): (&'a str, Span), ty: Qualified, is_register: bool) -> VarId {
        let id = self.new_var(Var {
            name: name.to_owned(),
            ty: as_parameter(ty.ty),
            storage: Storage::Param,
            is_const: ty.is_const,
            is_volatile: ty.is_volatile,
            is_register,
            is_static: false,
            span,
            value: None,
        });
        if !name.is_empty() {
            self.declare(name, Symbol::Var(id));
        }
        id
    }

    /// The statements of a function, in the scope of its parameters.
    fn function_body(&mut self, body: Node<'a>) -> Stmt {
        let kind = match self.parsed.is_unread(body) {
            true => StmtKind::Unmodelled(NOT_C.to_owned()),
            false => self.block(body),
        };
        Stmt { kind, span: span(body), directives: Vec::new() }
    }
}

/// Test that an expression reads a variable: what is in `sizeof`, or has its address taken, is not read.
fn reads(e: &Expr, var: VarId) -> bool {
    match &e.kind {
        ExprKind::Var(v) => *v == var,
        ExprKind::SizeOfExpr(_) | ExprKind::Unary(UnOp::AddrOf, _) => false,
        _ => e.children().into_iter().any(|child| reads(child, var)),
    }
}

fn of_itself(e: Expr) -> Expr {
    unmodelled("an initial value that is computed from the variable itself, which has none yet", e.ty, e.span)
}

/// The head of a function.
struct Head<'a> {
    name: &'a str,
    at: Span,
    params: Vec<VarId>,
    returns: Type,
    is_static: bool,
}

/// Function without a type of its own, as the items at file level that it reads as.
pub(super) struct Untyped<'t, 'a> {
    /// Its head: names alone in parentheses, and no `;`.
    pub(super) call: Node<'a>,
    pub(super) declarations: &'t [Node<'a>],
    pub(super) body: Node<'a>,
}

/// The function that begins with the first of these items, if that is the head of one.
pub(super) fn untyped_function<'t, 'a>(items: &'t [Node<'a>]) -> Option<Untyped<'t, 'a>> {
    let (first, behind) = items.split_first()?;
    let [call, end] = children(*first)[..] else { return None };
    let is_head = first.kind() == "expression_statement" && call.kind() == "call_expression" && end.is_missing();
    let names = call.child_by_field_name("arguments").map(named_children)?;
    let is_named = call.child_by_field_name("function").is_some_and(|n| n.kind() == "identifier");
    let is_untyped = is_head && !call.has_error() && is_named && names.iter().all(is_name);
    let at_body = behind.iter().position(|n| n.kind() != "declaration" || n.has_error()).filter(|_| is_untyped)?;
    let body = behind[at_body];
    (body.kind() == "compound_statement").then_some(Untyped { call, declarations: &behind[..at_body], body })
}

/// Test for a node that is a name, or what one is disguised as.
fn is_name(n: &Node<'_>) -> bool {
    matches!(n.kind(), "identifier" | "number_literal")
}

/// Test that a declaration has that storage class or function specifier.
fn has_storage(node: Node<'_>, word: &str) -> bool {
    children(node).iter().any(|c| c.kind() == "storage_class_specifier" && keyword(*c) == word)
}
