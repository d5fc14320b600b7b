//! Expressions (C17 6.5).

use tree_sitter::Node;

use super::builder::{Builder, Symbol, children, named_children, unknown, unmodelled};
use super::{literal, typing, words};
use crate::ast::assertion::is_failure;
use crate::ast::complex;
use crate::ast::print::other_in_words;
use crate::ast::{BinOp, Expr, ExprKind, FloatKind, IntKind, Storage, THROUGH_POINTER, Type, UnOp};
use crate::source::Span;
use crate::source::parse::span;

const TOO_DEEP: &str = "an expression that nests too deeply";

impl<'a> Builder<'a> {
    /// An expression with its type; unmodelled where it is not of the subset.
    pub(super) fn expr(&mut self, node: Node<'a>) -> Expr {
        self.nested(|b| b.expr_here(node)).unwrap_or_else(|| unmodelled(TOO_DEEP, unknown(), span(node)))
    }

    /// The expression in a field of a node, which the grammar requires.
    fn operand(&mut self, node: Node<'a>, field: &str) -> Box<Expr> {
        Box::new(match node.child_by_field_name(field) {
            Some(operand) => self.expr(operand),
            None => unmodelled("an expression without its operand", unknown(), span(node)),
        })
    }

    fn expr_here(&mut self, node: Node<'a>) -> Expr {
        let at = span(node);
        let (kind, ty) = match node.kind() {
            "identifier" => return self.identifier(self.text(node), at),
            "number_literal" => return self.number(node),
            "true" | "false" | "null" => return self.identifier(self.text(node), at),
            "char_literal" => match literal::character(self.text(node)) {
                Some(value) => (ExprKind::Int(value), Type::Int(IntKind::Int)),
                None => return unmodelled("a wide or multi-character constant", unknown(), at),
            },
            "string_literal" | "concatenated_string" => return self.string(node),
            "parenthesized_expression" => return self.parenthesized(node),
            "unary_expression" | "pointer_expression" => return self.unary(node),
            "update_expression" => return self.update(node),
            "binary_expression" => return self.binary(node),
            "assignment_expression" => return self.assignment(node),
            "conditional_expression" => return self.conditional(node),
            "comma_expression" => {
                let (left, right) = (self.operand(node, "left"), self.operand(node, "right"));
                let ty = typing::decay(&right.ty);
                (ExprKind::Comma(left, right), ty)
            }
            "cast_expression" => return self.cast(node),
            "sizeof_expression" => {
                let ty = node.child_by_field_name("type").map(|ty| self.type_name(ty));
                let kind = match ty.or_else(|| self.type_in_parentheses(node)) {
                    Some(ty) => ExprKind::SizeOfType(ty),
                    None => match self.operand(node, "value") {
                        value if matches!(value.kind, ExprKind::Unmodelled(_)) => return *value,
                        value => self.size_of(value),
                    },
                };
                (kind, Type::Int(IntKind::ULong))
            }
            "call_expression" => return self.call(node),
            "subscript_expression" => {
                let (base, index) = (self.operand(node, "argument"), self.operand(node, "index"));
                // `i[a]` is `a[i]`.
                let (base, index) = if base.ty.is_pointer_like() { (base, index) } else { (index, base) };
                let ty = typing::element(&base.ty);
                (ExprKind::Index(base, index), ty)
            }
            "field_expression" => return self.member(node),
            "initializer_list" => return self.initializer(node),
            "initializer_pair" => {
                // Functions in it have their address taken.
                self.operand(node, "value");
                return unmodelled(format!("C that is not modelled: {}", words::of(node.kind())), unknown(), at);
            }
            kind => {
                if kind == "compound_literal_expression"
                    && let Some(literal) = self.compound_literal(node)
                {
                    return literal;
                }
                return unmodelled(format!("C that is not modelled: {}", words::of(kind)), unknown(), at);
            }
        };
        Expr { kind, ty, span: at }
    }

    fn identifier(&mut self, name: &str, at: Span) -> Expr {
        let int = Type::Int(IntKind::Int);
        match self.lookup(name) {
            Some(Symbol::Var(id)) => {
                let id = *id;
                Expr { kind: ExprKind::Var(id), ty: self.unit.var(id).ty.clone(), span: at }
            }
            Some(Symbol::Enumerator(Some(value))) => Expr { kind: ExprKind::Int(*value), ty: int, span: at },
            Some(Symbol::Enumerator(None)) => {
                unmodelled(format!("the enumerator `{name}`, whose value is not known"), int, at)
            }
            Some(Symbol::Function { ty, .. }) => {
                let ty = ty.clone();
                self.unit.addresses.taken.insert(name.to_owned());
                match &ty {
                    Type::Function(_) => Expr { kind: ExprKind::Function(name.to_owned()), ty, span: at },
                    _ => unmodelled(format!("the function `{name}` as a value"), ty, at),
                }
            }
            Some(Symbol::Typedef(_)) => {
                unmodelled(format!("the type `{name}`, which the parser read as a value"), unknown(), at)
            }
            None => unmodelled(format!("`{name}`, which is not declared"), unknown(), at),
        }
    }

    /// A number, the identifier that was disguised as one, or a number with the sign that the grammar adds to it.
    fn number(&mut self, node: Node<'a>) -> Expr {
        let at = span(node);
        if let Some(name) = self.parsed.disguised(node) {
            return self.identifier(self.source.slice(name), name);
        }
        let text = self.text(node);
        let (sign, digits) = match text.as_bytes().first() {
            Some(b'-') => (Some(UnOp::Neg), &text[1..]),
            Some(b'+') => (Some(UnOp::Plus), &text[1..]),
            _ => (None, text),
        };
        let number = literal::number(digits).map(|(kind, ty)| Expr { kind, ty, span: at });
        let Some(Expr { kind, ty, .. }) = number.or_else(|| imaginary(digits, at)) else {
            return unmodelled(format!("the constant `{text}`"), unknown(), at);
        };
        let Some(sign) = sign else { return Expr { kind, ty, span: at } };
        let number = Expr { kind, ty, span: Span { lo: at.hi - digits.len() as u32, hi: at.hi } };
        let ty = typing::unary(sign, &number);
        Expr { kind: ExprKind::Unary(sign, Box::new(number)), ty, span: at }
    }

    fn string(&mut self, node: Node<'a>) -> Expr {
        let at = span(node);
        let parts = if node.kind() == "string_literal" { vec![node] } else { named_children(node) };
        let mut spelling = String::new();
        for part in parts {
            match self.text(part).strip_prefix('"').and_then(|t| t.strip_suffix('"')) {
                Some(inner) => spelling.push_str(inner),
                None => return unmodelled("a wide string", unknown(), at),
            }
        }
        let len = literal::string_len(&spelling)
            .map(|len| Box::new(Expr { kind: ExprKind::Int(len + 1), ty: Type::Int(IntKind::Int), span: at }));
        let ty = Type::Array { of: Box::new(Type::Int(IntKind::Char)), len };
        Expr { kind: ExprKind::Str(spelling), ty, span: at }
    }

    /// The size of a value, by its type where that says it whatever takes the place of its name: a parameter's arrays are pointers.
    fn size_of(&self, value: Box<Expr>) -> ExprKind {
        let is_parameter = matches!(value.kind, ExprKind::Var(v) if self.unit.var(v).storage == Storage::Param);
        let ty = if is_parameter { typing::decay(&value.ty) } else { value.ty.clone() };
        match ty {
            ty if ty.is_scalar() || matches!(ty, Type::Pointer { .. }) => ExprKind::SizeOfType(ty),
            _ => ExprKind::SizeOfExpr(value),
        }
    }

    /// The type in `sizeof (T)`, where the name of a type looked like a variable's.
    fn type_in_parentheses(&self, node: Node<'a>) -> Option<Type> {
        let mut value = node.child_by_field_name("value")?;
        while value.kind() == "parenthesized_expression"
            && let [inner] = named_children(value)[..]
        {
            value = inner;
        }
        match self.lookup(self.text(value)).filter(|_| value.kind() == "identifier")? {
            Symbol::Typedef(ty) => Some(ty.ty.clone()),
            _ => None,
        }
    }

    fn parenthesized(&mut self, node: Node<'a>) -> Expr {
        match named_children(node)[..] {
            [inner] => self.expr(inner),
            _ => unmodelled("empty parentheses", unknown(), span(node)),
        }
    }

    pub(super) fn operator(&self, node: Node<'a>) -> &'a str {
        node.child_by_field_name("operator").map_or("", |o| self.text(o))
    }

    fn unary(&mut self, node: Node<'a>) -> Expr {
        let op = match self.operator(node) {
            "+" => UnOp::Plus,
            "-" => UnOp::Neg,
            "!" => UnOp::Not,
            "~" => UnOp::BitNot,
            "*" => UnOp::Deref,
            "&" => UnOp::AddrOf,
            "_" => return self.complex_part(node),
            other => return unmodelled(format!("the operator `{other}`"), unknown(), span(node)),
        };
        let operand = self.operand(node, "argument");
        if matches!(operand.kind, ExprKind::Function(_)) && matches!(op, UnOp::Deref | UnOp::AddrOf) {
            return *operand;
        }
        let operand = if op == UnOp::AddrOf { self.as_place(operand) } else { operand };
        let ty = typing::unary(op, &operand);
        Expr { kind: ExprKind::Unary(op, operand), ty, span: span(node) }
    }

    /// GNU's `__real__ z` and `__imag__ z`, also of a real number.
    fn complex_part(&mut self, node: Node<'a>) -> Expr {
        let operand = self.operand(node, "argument");
        let is_real = self.text(node).starts_with("__real");
        match &operand.ty {
            ty if ty.is_complex() => complex::member(&operand, if is_real { "re" } else { "im" }),
            ty if ty.is_scalar() && is_real => *operand,
            _ => unmodelled("a part of what is no complex number", unknown(), span(node)),
        }
    }

    fn update(&mut self, node: Node<'a>) -> Expr {
        let inc = self.operator(node) == "++";
        let prefix = children(node).first().is_some_and(|c| c.kind() == "++" || c.kind() == "--");
        let target = self.operand(node, "argument");
        let target = self.as_place(target);
        let ty = target.ty.clone();
        Expr { kind: ExprKind::IncDec { inc, prefix, target }, ty, span: span(node) }
    }

    fn binary(&mut self, node: Node<'a>) -> Expr {
        let Some(op) = binary_operator(self.operator(node)) else {
            return unmodelled(format!("the operator `{}`", self.operator(node)), unknown(), span(node));
        };
        if let Some(cast) = self.cast_like_binary(node) {
            return cast;
        }
        let (left, right) = (self.operand(node, "left"), self.operand(node, "right"));
        let ty = typing::binary(op, &left.ty, &right.ty);
        Expr { kind: ExprKind::Binary(op, left, right), ty, span: span(node) }
    }

    fn assignment(&mut self, node: Node<'a>) -> Expr {
        let symbol = self.operator(node);
        let op = binary_operator(symbol.strip_suffix('=').unwrap_or_default());
        if op.is_none() && symbol != "=" {
            return unmodelled(format!("the operator `{symbol}`"), unknown(), span(node));
        }
        let (target, value) = (self.operand(node, "left"), self.operand(node, "right"));
        let target = self.as_place(target);
        let ty = target.ty.clone();
        Expr { kind: ExprKind::Assign { op, target, value }, ty, span: span(node) }
    }

    fn conditional(&mut self, node: Node<'a>) -> Expr {
        if node.child_by_field_name("consequence").is_none() {
            return unmodelled("`?:` without its middle operand", unknown(), span(node));
        }
        let cond = self.operand(node, "condition");
        let (then, other) = (self.operand(node, "consequence"), self.operand(node, "alternative"));
        let ty = typing::conditional(&then.ty, &other.ty);
        Expr { kind: ExprKind::Cond(cond, then, other), ty, span: span(node) }
    }

    fn cast(&mut self, node: Node<'a>) -> Expr {
        let at = span(node);
        let Some(name) = node.child_by_field_name("type") else {
            return unmodelled("a cast without its type", unknown(), at);
        };
        let ty = self.type_name(name);
        let value = self.operand(node, "value");
        cast_to(ty, *value, at)
    }

    /// `(u8)(x + 1)`, where the parser takes the type's name, too short to be shown as `int`, for a function's.
    fn cast_like_call(&mut self, node: Node<'a>, ty: Type) -> Expr {
        match node.child_by_field_name("arguments").map(named_children).unwrap_or_default().as_slice() {
            [value] => {
                let value = self.expr(*value);
                cast_to(ty, value, span(node))
            }
            _ => unmodelled("a cast of several values", unknown(), span(node)),
        }
    }

    /// `(u8)-x`, also as the last operand of what stands before it (`3 + (u8)-x`), where the parser takes a type's name for a number
    /// that something is subtracted from. Where more than one operand stands behind the sign, C would read it otherwise.
    fn cast_like_binary(&mut self, node: Node<'a>) -> Option<Expr> {
        let left = node.child_by_field_name("left")?;
        let ty = self.type_like_operand(left)?;
        let op = match self.operator(node) {
            "+" => UnOp::Plus,
            "-" => UnOp::Neg,
            "*" => UnOp::Deref,
            "&" => UnOp::AddrOf,
            _ => return None,
        };
        let right = node.child_by_field_name("right")?;
        let is_one = matches!(
            right.kind(),
            "identifier"
                | "number_literal"
                | "parenthesized_expression"
                | "subscript_expression"
                | "field_expression"
                | "call_expression"
                | "pointer_expression"
                | "unary_expression"
                | "cast_expression"
                | "char_literal"
        );
        let operand = Box::new(is_one.then(|| self.expr(right))?);
        let value = Expr { ty: typing::unary(op, &operand), kind: ExprKind::Unary(op, operand), span: span(right) };
        let cast = cast_to(ty, value, span(left).to(span(right)));
        self.nested(|b| b.with_last_operand(left, cast)).flatten()
    }

    /// The type whose name, in parentheses, is the last operand of an expression.
    fn type_like_operand(&self, node: Node<'a>) -> Option<Type> {
        let mut last = node;
        while last.kind() == "binary_expression" {
            last = last.child_by_field_name("right")?;
        }
        let is_one = last.kind() == "parenthesized_expression" && last.named_child_count() == 1;
        let name = last.named_child(0).filter(|name| is_one && name.kind() == "identifier")?;
        match self.lookup(self.text(name))? {
            Symbol::Typedef(ty) => Some(ty.ty.clone()),
            _ => None,
        }
    }

    /// An expression with another last operand.
    fn with_last_operand(&mut self, node: Node<'a>, last: Expr) -> Option<Expr> {
        if node.kind() != "binary_expression" {
            return Some(last);
        }
        let (op, at) = (binary_operator(self.operator(node))?, span(node).to(last.span));
        let left = self.operand(node, "left");
        let right = node.child_by_field_name("right")?;
        let right = Box::new(self.nested(|b| b.with_last_operand(right, last)).flatten()?);
        let ty = typing::binary(op, &left.ty, &right.ty);
        Some(Expr { kind: ExprKind::Binary(op, left, right), ty, span: at })
    }

    fn call(&mut self, node: Node<'a>) -> Expr {
        let at = span(node);
        let Some(function) = node.child_by_field_name("function") else {
            return unmodelled("a call without a function", unknown(), at);
        };
        let is_in_parentheses = function.kind() == "parenthesized_expression" && function.named_child_count() == 1;
        let function = if is_in_parentheses { function.named_child(0).unwrap_or(function) } else { function };
        let name = match (function.kind(), self.parsed.disguised(function)) {
            ("identifier", _) => self.text(function),
            ("number_literal", Some(name)) => self.source.slice(name),
            _ => return self.call_through(node, function),
        };
        let ty = match self.lookup(name) {
            Some(Symbol::Function { returns, .. }) => returns.clone(),
            Some(Symbol::Typedef(ty)) if is_in_parentheses && !is_operand_of_postfix(node) => {
                let ty = ty.ty.clone();
                return self.cast_like_call(node, ty);
            }
            Some(Symbol::Typedef(_)) => {
                return unmodelled(format!("the type `{name}`, which the parser read as a function"), unknown(), at);
            }
            Some(_) => return self.call_through(node, function),
            None => builtin(name),
        };
        let arguments = node.child_by_field_name("arguments").map(named_children).unwrap_or_default();
        // The text in the expansion of `NAN` is empty.
        let is_nan = matches!(name, "__builtin_nan" | "__builtin_nanf");
        let is_dropped = is_nan || is_failure(name);
        let args: Vec<Expr> = arguments.into_iter().filter(|_| !is_dropped).map(|a| self.expr(a)).collect();
        // C's own functions, whatever macros are called like them.
        let name = match name {
            "__builtin_malloc" | "__builtin_free" => &name["__builtin_".len()..],
            name => name,
        };
        let ty = match (name, args.first().map(|a| &a.ty)) {
            ("__builtin_complex", Some(Type::Float(kind))) => Type::complex(*kind),
            _ => ty,
        };
        Expr { kind: ExprKind::Call { name: name.to_owned(), args }, ty, span: at }
    }

    /// `f(x)`, `(*f)(x)`, `s->f(x)` of a pointer, and `(*f)(x)` of a function.
    fn call_through(&mut self, node: Node<'a>, function: Node<'a>) -> Expr {
        let at = span(node);
        let mut callee = self.expr(function);
        // A function is the same as its address, and as what lies there.
        while let ExprKind::Unary(UnOp::Deref, of) = &callee.kind
            && (matches!(of.ty, Type::Function(_)) || of.ty.signature().is_some())
        {
            callee = (**of).clone();
        }
        let arguments = node.child_by_field_name("arguments").map(named_children).unwrap_or_default();
        let args: Vec<Expr> = arguments.into_iter().map(|a| self.expr(a)).collect();
        match (callee.kind, callee.ty) {
            (ExprKind::Function(name), Type::Function(of)) => {
                Expr { kind: ExprKind::Call { name, args }, ty: of.ret, span: at }
            }
            (kind, ty) => match ty.signature().filter(|of| of.params.len() == args.len()) {
                Some(of) => {
                    let (returns, pointer) = (of.ret.clone(), Expr { kind, ty, span: callee.span });
                    let args = std::iter::once(pointer).chain(args).collect();
                    let kind = ExprKind::Call { name: THROUGH_POINTER.to_owned(), args };
                    Expr { kind, ty: returns, span: at }
                }
                None => unmodelled("a call through a pointer", unknown(), at),
            },
        }
    }

    fn member(&mut self, node: Node<'a>) -> Expr {
        let arrow = self.operator(node) == "->";
        let base = self.operand(node, "argument");
        let field = node.child_by_field_name("field").map_or("", |f| self.text(f)).to_owned();
        let ty = self.member_type(node, &base, &field, arrow);
        Expr { kind: ExprKind::Member { base, field, arrow }, ty, span: span(node) }
    }

    fn initializer(&mut self, node: Node<'a>) -> Expr {
        let values = named_children(node).into_iter().map(|v| self.expr(v)).collect();
        Expr { kind: ExprKind::InitList(values), ty: unknown(), span: span(node) }
    }
}

/// GNU's imaginary constant, `2.0i`: a complex number.
fn imaginary(text: &str, at: Span) -> Option<Expr> {
    let (kind, ty) = literal::number(&text.replace(['i', 'j', 'I', 'J'], ""))?;
    let Type::Float(of) = ty else { return None };
    let part = |kind| Expr { kind, ty: ty.clone(), span: at };
    let suffix = if of == FloatKind::Float { "f" } else { "" };
    let args = vec![part(ExprKind::Float(0.0, format!("0.0{suffix}"))), part(kind)];
    let call = ExprKind::Call { name: "__builtin_complex".to_owned(), args };
    (of != FloatKind::LongDouble).then(|| Expr { kind: call, ty: Type::complex(of), span: at })
}

fn cast_to(ty: Type, value: Expr, at: Span) -> Expr {
    match (&ty, &value.kind) {
        (Type::Other(what), _) => unmodelled(format!("a cast to {}", other_in_words(what)), ty.clone(), at),
        (Type::Float(FloatKind::Double), ExprKind::Float(x, text)) if literal::is_double(*x, text) => {
            Expr { kind: ExprKind::Float(*x, format!("{x:e}")), ty, span: at }
        }
        _ => Expr { kind: ExprKind::Cast(Box::new(value)), ty, span: at },
    }
}

/// Test for what a postfix operator applies to, which binds closer than a cast: `(u8)(x)[i]` has the type of an element.
fn is_operand_of_postfix(node: Node) -> bool {
    let kind = node.parent().map_or("", |parent| parent.kind());
    matches!(kind, "subscript_expression" | "field_expression" | "call_expression" | "update_expression")
}

fn binary_operator(symbol: &str) -> Option<BinOp> {
    BinOp::ALL.into_iter().find(|op| op.symbol() == symbol)
}

/// What a function that is not declared returns: GCC's floating builtins (the expansions of `INFINITY`, `NAN` and
/// `HUGE_VAL`) by their names, a failed assertion nothing, others `int` as in C89.
fn builtin(name: &str) -> Type {
    let double = ["inf", "nan", "huge_val", "fabs", "sqrt"];
    match name.strip_prefix("__builtin_") {
        Some(rest) if double.contains(&rest) => Type::Float(FloatKind::Double),
        Some(rest) if rest.strip_suffix('f').is_some_and(|r| double.contains(&r)) => Type::Float(FloatKind::Float),
        Some(rest) if rest.starts_with("is") || rest.starts_with("signbit") => Type::Int(IntKind::Int),
        Some(rest) if ["popcount", "clz", "ctz"].contains(&rest.trim_end_matches('l')) => Type::Int(IntKind::Int),
        Some("malloc") => Type::Pointer { to: Box::new(Type::Void), is_const: false, restrict: false },
        Some("free") => Type::Void,
        Some(rest) => Type::Other(format!("__builtin_{rest}")),
        None if is_failure(name) => Type::Void,
        None => Type::Int(IntKind::Int),
    }
}
