//! The typed AST back as C: minimal parentheses, one statement a line. Building what is printed gives the same tree
//! (places apart); directives are not printed.

use super::{
    Declarator, Expr, ExprKind, Function, IntKind, Stmt, StmtKind, Storage, StructId, THROUGH_POINTER, Type, UnOp,
    Unit, Var, complex, tables::TableInStructures,
};

/// Binding strengths beside [`BinOp::precedence`](super::BinOp::precedence).
const COMMA: u8 = 0;
/// Assignment and `?:` share a level of their own each; operands of a comma, arguments and initialisers are this.
const ASSIGN: u8 = 1;
const COND: u8 = 2;
const PREFIX: u8 = 14;
const POSTFIX: u8 = 15;

/// An expression.
pub fn expr(unit: &Unit, e: &Expr) -> String {
    at_least(unit, e, COMMA)
}

/// A type without a name, as in a cast.
pub fn type_name(unit: &Unit, ty: &Type) -> String {
    declare(unit, ty, "", "")
}

/// The declaration of one variable, without storage class, initialiser and semicolon.
pub fn variable(unit: &Unit, var: &Var) -> String {
    declare(unit, &var.ty, qualifiers(var), &var.name)
}

/// The declaration of a function of that type and name.
pub fn function_prototype(unit: &Unit, ty: &Type, name: &str) -> String {
    declare(unit, ty, "", name)
}

/// A statement, each of its lines indented by that many levels, with its line end.
pub fn stmt(unit: &Unit, s: &Stmt, level: usize) -> String {
    let mut out = String::new();
    Printer { unit, out: &mut out }.stmt(s, level);
    out
}

/// A function with its body.
pub fn function(unit: &Unit, f: &Function) -> String {
    let params: Vec<String> = f.params.iter().map(|p| variable(unit, unit.var(*p))).collect();
    let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
    let head = declare(unit, &f.ret, "", &format!("{}({params})", f.name));
    let storage = if f.is_static { "static " } else { "" };
    format!("{storage}{head}\n{}", stmt(unit, &f.body, 0))
}

/// The structures, globals (without initialisers) and functions of a unit.
pub fn unit(unit: &Unit) -> String {
    let mut out = String::new();
    for (at, structure) in unit.structs.iter().enumerate() {
        let is_own = StructId(at as u32).complex_of().is_none();
        let Some(fields) = structure.fields.as_ref().filter(|_| is_own) else { continue };
        let fields: String = fields.iter().map(|f| format!("    {};\n", declare(unit, &f.ty, "", &f.name))).collect();
        out += &format!("{} {{\n{fields}}};\n", struct_name(unit, at));
    }
    for global in &unit.globals {
        out += &format!("{};\n", variable(unit, unit.var(*global)));
    }
    for f in &unit.functions {
        out += &function(unit, f);
    }
    out
}

/// The table of pointers in structures that a variable stands for.
fn table<'u>(unit: &'u Unit, e: &Expr) -> Option<TableInStructures<'u>> {
    if let ExprKind::Var(v) = e.kind { unit.table(v) } else { None }
}

fn qualifiers(var: &Var) -> &'static str {
    match (var.is_const, var.is_volatile) {
        (true, true) => "const volatile ",
        (true, false) => "const ",
        (false, true) => "volatile ",
        (false, false) => "",
    }
}

fn struct_name(unit: &Unit, at: usize) -> String {
    let id = StructId(at as u32);
    match &unit.structs[at].name {
        Some(name) if id.complex_of().is_some() => name.clone(),
        Some(name) => format!("struct {name}"),
        None => format!("struct rt_struct_{}", id.own_number()),
    }
}

/// The specifiers of a type, and the declarator that makes it of them and a name. `quals` are the object's own.
fn split(unit: &Unit, ty: &Type, quals: &str, name: &str) -> (String, String) {
    match ty {
        Type::Pointer { to, is_const, restrict } => {
            let own = if *restrict { format!("{quals}restrict ") } else { quals.to_owned() };
            let pointer = format!("*{own}{name}").trim_end().to_owned();
            let pointer =
                if matches!(**to, Type::Array { .. } | Type::Function(_)) { format!("({pointer})") } else { pointer };
            split(unit, to, if *is_const { "const " } else { "" }, &pointer)
        }
        Type::Array { of, len } => {
            let len = len.as_ref().map_or(String::new(), |len| at_least(unit, len, ASSIGN));
            split(unit, of, quals, &format!("{name}[{len}]"))
        }
        Type::Void => (format!("{quals}void"), name.to_owned()),
        Type::Int(kind) => (format!("{quals}{}", kind.c_name()), name.to_owned()),
        Type::Float(kind) => (format!("{quals}{}", kind.c_name()), name.to_owned()),
        Type::Struct(id) => (format!("{quals}{}", struct_name(unit, id.0 as usize)), name.to_owned()),
        Type::Function(signature) => {
            let params: Vec<String> = signature.params.iter().map(|ty| type_name(unit, ty)).collect();
            let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
            split(unit, &signature.ret, "", &format!("{name}({params})"))
        }
        Type::Other(what) => (format!("{quals}{what}"), name.to_owned()),
    }
}

/// What a member of a union is where it is set, where its address is taken, and where it is no number.
pub const MEMBER_OF_UNION: &str = "member of a union or of a structure without a name";

/// Meaning of a [`Type::Other`] that is no type as C spells it.
const KINDS: [&str; 7] = [
    "function",
    "volatile object",
    "bit-field",
    "member of an unknown structure",
    MEMBER_OF_UNION,
    "declarator that nests too deeply",
    "declarator that is not modelled",
];

/// A type of C that is not modelled ([`Type::Other`]), as a phrase for a message.
pub fn other_in_words(what: &str) -> String {
    match what {
        "unknown" => "a type that is not known".to_owned(),
        "anonymous member" => "an anonymous member".to_owned(),
        "enum" => "an enumeration that is not modelled".to_owned(),
        _ if KINDS.contains(&what) => format!("a {what}"),
        _ if what.starts_with('`') => format!("the type {what}"),
        _ if what.contains("attribute") => "a type with an attribute that is not modelled".to_owned(),
        _ => format!("the type `{what}`, which is not modelled"),
    }
}

fn declare(unit: &Unit, ty: &Type, quals: &str, name: &str) -> String {
    let (specifiers, declarator) = split(unit, ty, quals, name);
    if declarator.is_empty() { specifiers } else { format!("{specifiers} {declarator}") }
}

/// How tightly an expression binds.
fn strength(e: &Expr) -> u8 {
    match &e.kind {
        ExprKind::Comma(..) => COMMA,
        ExprKind::Assign { .. } => ASSIGN,
        ExprKind::Cond(..) => COND,
        ExprKind::Binary(op, ..) => COND + op.precedence(),
        ExprKind::Unary(..) | ExprKind::Cast(_) | ExprKind::IncDec { prefix: true, .. } => PREFIX,
        ExprKind::Member { base, .. } if base.ty.is_complex() => PREFIX,
        ExprKind::Int(value) if *value < 0 && !is_unsigned(&e.ty) => PREFIX,
        _ => POSTFIX,
    }
}

fn is_unsigned(ty: &Type) -> bool {
    matches!(ty, Type::Int(kind) if kind.is_unsigned())
}

/// An expression, in parentheses unless it binds as tightly as asked.
fn at_least(unit: &Unit, e: &Expr, least: u8) -> String {
    let text = bare(unit, e);
    if strength(e) < least { format!("({text})") } else { text }
}

fn bare(unit: &Unit, e: &Expr) -> String {
    let own = strength(e);
    let sub = |e: &Expr, least: u8| at_least(unit, e, least);
    let list = |values: &[Expr]| values.iter().map(|v| sub(v, ASSIGN)).collect::<Vec<_>>().join(", ");
    match &e.kind {
        ExprKind::Int(value) => integer(*value, &e.ty),
        ExprKind::Float(_, text) => text.clone(),
        ExprKind::Str(spelling) => format!("\"{spelling}\""),
        ExprKind::Var(var) => unit.var(*var).name.clone(),
        ExprKind::Unary(op, operand) => {
            let (symbol, operand) = (prefix_symbol(*op), sub(operand, PREFIX));
            // `- -x` is not `--x`.
            let space = if operand.starts_with(symbol) { " " } else { "" };
            format!("{symbol}{space}{operand}")
        }
        ExprKind::IncDec { inc, prefix, target } => {
            let symbol = if *inc { "++" } else { "--" };
            let target = sub(target, own);
            if *prefix { format!("{symbol}{target}") } else { format!("{target}{symbol}") }
        }
        ExprKind::Binary(op, a, b) => format!("{} {} {}", sub(a, own), op.symbol(), sub(b, own + 1)),
        ExprKind::Assign { op, target, value } => {
            let symbol = op.map_or("", |op| op.symbol());
            format!("{} {symbol}= {}", sub(target, PREFIX), sub(value, ASSIGN))
        }
        ExprKind::Cond(c, a, b) => format!("{} ? {} : {}", sub(c, COND + 1), sub(a, ASSIGN), sub(b, COND)),
        ExprKind::Cast(operand) => format!("({}){}", type_name(unit, &e.ty), sub(operand, PREFIX)),
        ExprKind::Call { name, args } => match args.split_first().filter(|_| name == THROUGH_POINTER) {
            Some((pointer, args)) => format!("{}({})", sub(pointer, POSTFIX), list(args)),
            None => format!("{name}({})", list(args)),
        },
        ExprKind::Function(name) => name.clone(),
        ExprKind::Index(base, index) if table(unit, base).is_some() => {
            table(unit, base).map_or_else(String::new, |table| at_least(unit, &table.pointer(index), POSTFIX))
        }
        ExprKind::Index(base, index) => format!("{}[{}]", sub(base, POSTFIX), sub(index, ASSIGN)),
        ExprKind::Member { base, field, .. } if base.ty.is_complex() => {
            format!("{} {}", complex::part_in_c(field), sub(base, PREFIX))
        }
        ExprKind::Member { base, field, arrow } => {
            format!("{}{}{field}", sub(base, POSTFIX), if *arrow { "->" } else { "." })
        }
        ExprKind::Comma(a, b) => format!("{}, {}", sub(a, ASSIGN), sub(b, COMMA)),
        ExprKind::SizeOfType(ty) => format!("sizeof({})", type_name(unit, ty)),
        ExprKind::SizeOfExpr(operand) => format!("sizeof({})", sub(operand, COMMA)),
        ExprKind::InitList(values) => format!("{{{}}}", list(values)),
        ExprKind::Unmodelled(reason) => format!("/* {} */", reason.replace("*/", "* /")),
    }
}

fn prefix_symbol(op: UnOp) -> &'static str {
    match op {
        UnOp::Plus => "+",
        UnOp::Neg => "-",
        UnOp::Not => "!",
        UnOp::BitNot => "~",
        UnOp::Deref => "*",
        UnOp::AddrOf => "&",
    }
}

/// An integer constant with the suffix of its type.
fn integer(value: i64, ty: &Type) -> String {
    let suffix = match ty {
        Type::Int(IntKind::UInt) => "u",
        Type::Int(IntKind::Long) => "l",
        Type::Int(IntKind::ULong) => "ul",
        Type::Int(IntKind::LongLong) => "ll",
        Type::Int(IntKind::ULongLong) => "ull",
        _ => "",
    };
    match value {
        _ if is_unsigned(ty) => format!("{}{suffix}", value as u64),
        // C has no negative constants, and this one's absolute value is none of its type.
        i64::MIN => format!("-{}{suffix} - 1", i64::MAX),
        _ => format!("{value}{suffix}"),
    }
}

struct Printer<'a> {
    unit: &'a Unit,
    out: &'a mut String,
}

impl Printer<'_> {
    fn line(&mut self, level: usize, text: &str) {
        *self.out += &format!("{}{text}\n", "    ".repeat(level));
    }

    /// The statement that another one governs: a block at its level, others one deeper.
    fn body(&mut self, s: &Stmt, level: usize) {
        let deeper = usize::from(!matches!(s.kind, StmtKind::Block(_)));
        self.stmt(s, level + deeper);
    }

    fn stmt(&mut self, s: &Stmt, level: usize) {
        let e = |e: &Expr| expr(self.unit, e);
        match &s.kind {
            StmtKind::Empty => self.line(level, ";"),
            StmtKind::Expr(value) => self.line(level, &format!("{};", e(value))),
            StmtKind::Decl(declarators) => self.line(level, &format!("{};", self.declaration(declarators))),
            StmtKind::Block(stmts) => {
                self.line(level, "{");
                stmts.iter().for_each(|s| self.stmt(s, level + 1));
                self.line(level, "}");
            }
            StmtKind::If { cond, then, other } => {
                self.line(level, &format!("if ({})", e(cond)));
                self.body(then, level);
                if let Some(other) = other {
                    self.line(level, "else");
                    self.body(other, level);
                }
            }
            StmtKind::For { init, cond, step, body } => {
                let init = init.as_ref().map_or(String::new(), |init| match &init.kind {
                    StmtKind::Decl(declarators) => self.declaration(declarators),
                    StmtKind::Expr(value) => e(value),
                    _ => String::new(),
                });
                let part = |part: &Option<Expr>| part.as_ref().map_or(String::new(), |p| format!(" {}", e(p)));
                self.line(level, &format!("for ({init};{};{})", part(cond), part(step)));
                self.body(body, level);
            }
            StmtKind::While { cond, body } => {
                self.line(level, &format!("while ({})", e(cond)));
                self.body(body, level);
            }
            StmtKind::DoWhile { body, cond } => {
                let end = format!("while ({});", e(cond));
                self.line(level, "do");
                self.body(body, level);
                self.line(level, &end);
            }
            StmtKind::Switch { value, body } => {
                self.line(level, &format!("switch ({})", e(value)));
                self.body(body, level);
            }
            StmtKind::Case(Some(value)) => self.line(level, &format!("case {}:", e(value))),
            StmtKind::Case(None) => self.line(level, "default:"),
            StmtKind::Break => self.line(level, "break;"),
            StmtKind::Continue => self.line(level, "continue;"),
            StmtKind::GiveUp => self.line(level, "give up;"),
            StmtKind::Return(Some(value)) => self.line(level, &format!("return {};", e(value))),
            StmtKind::Return(None) => self.line(level, "return;"),
            StmtKind::Directive(_) => {}
            StmtKind::Unmodelled(reason) => self.line(level, &format!("/* {} */", reason.replace("*/", "* /"))),
        }
    }

    /// The declarators of one declaration, which share their specifiers.
    fn declaration(&self, declarators: &[Declarator]) -> String {
        let mut text = String::new();
        for declarator in declarators {
            let var = self.unit.var(declarator.var);
            let (specifiers, name) = split(self.unit, &var.ty, qualifiers(var), &var.name);
            if text.is_empty() {
                let storage = match var.storage {
                    Storage::StaticLocal => "static ",
                    Storage::Global => "extern ",
                    Storage::Param | Storage::Local => "",
                };
                text = format!("{storage}{specifiers} {name}");
            } else {
                text += &format!(", {name}");
            }
            if let Some(init) = &declarator.init {
                text += &format!(" = {}", at_least(self.unit, init, ASSIGN));
            }
        }
        text
    }
}
