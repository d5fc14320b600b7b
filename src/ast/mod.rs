//! The typed C subset: what the front end builds from the parse tree and every later stage reads.
//!
//! Names are resolved (a use of a variable is a [`VarId`]), typedefs and enums are gone, every expression knows its C type. What the
//! tool does not model is [`StmtKind::Unmodelled`] or [`ExprKind::Unmodelled`] with the reason, so that it declines itself alone.

use crate::source::{Span, directive::Role};
use std::collections::{BTreeMap, BTreeSet};

pub mod assertion;
pub mod build;
pub mod complex;
pub mod control;
pub mod independence;
mod kinds;
mod known;
pub mod print;
pub mod tables;
pub mod visit;
pub mod wish;

pub use kinds::{FloatKind, IntKind};

/// Index of a variable in [`Unit::vars`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(pub u32);

/// Index of a structure in [`Unit::structs`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StructId(pub u32);

/// A C type, without its typedef names.
#[derive(Debug, Clone, PartialEq)]
pub enum Type {
    Void,
    Int(IntKind),
    Float(FloatKind),
    /// `is_const`: what it points to is const.
    Pointer {
        to: Box<Type>,
        is_const: bool,
        restrict: bool,
    },
    /// `len` is `None` for `[]`. As a function's parameter the outermost array is kept as written
    /// (C makes it a pointer): its length is a hint, never a fact.
    Array {
        of: Box<Type>,
        len: Option<Box<Expr>>,
    },
    Struct(StructId),
    /// A function, which a pointer leads to.
    Function(Box<Signature>),
    /// Whatever else C has (functions of a number of arguments that varies, unions, vector types): named for the diagnostic.
    Other(String),
}

/// Type of a function. Its parameters are as calls see them: an array is a pointer.
#[derive(Debug, Clone, PartialEq)]
pub struct Signature {
    pub ret: Type,
    pub params: Vec<Type>,
}

/// Where a variable lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Storage {
    Param,
    Local,
    StaticLocal,
    Global,
}

/// A variable, by its [`VarId`].
#[derive(Debug, Clone, PartialEq)]
pub struct Var {
    pub name: String,
    pub ty: Type,
    pub storage: Storage,
    pub is_const: bool,
    pub is_volatile: bool,
    /// Declared `register`: its address cannot be taken.
    pub is_register: bool,
    /// Declared `static`: no other file names it.
    pub is_static: bool,
    /// The declarator.
    pub span: Span,
    /// The value of a `const` integer with a constant initialiser, or of an enumerator.
    pub value: Option<i64>,
}

impl Var {
    /// A variable without qualifiers.
    pub fn new(name: impl Into<String>, ty: Type, storage: Storage, span: Span) -> Self {
        let (is_const, is_volatile, is_register, is_static) = (false, false, false, false);
        Var { name: name.into(), ty, storage, is_const, is_volatile, is_register, is_static, span, value: None }
    }
}

/// A field of a structure.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    pub name: String,
    pub ty: Type,
}

/// A loop that may be entered in its midst: a variable that no C declares stands for what its counter begins with.
#[derive(Debug, Clone, PartialEq)]
pub struct Begin {
    pub from: VarId,
    pub counter: VarId,
    /// The value that it begins with as the loop is written.
    pub first: Expr,
    pub whole: Span,
}

/// A matrix of row pointers whose rows change places on the device.
#[derive(Debug, Clone, PartialEq)]
pub struct RowExchange {
    pub matrix: VarId,
    /// An array that no C declares: for each row, whose elements it has now.
    pub places: VarId,
    /// What counts the columns where two rows change places.
    pub counters: Vec<VarId>,
}

/// A structure; `fields` is `None` when it is only declared.
#[derive(Debug, Clone, PartialEq)]
pub struct Struct {
    pub name: Option<String>,
    pub fields: Option<Vec<Field>>,
}

/// An array of structures that is seen as one of the numbers in them: holds where an element is `bytes` wide, and members
/// lie where they are expected.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    pub var: VarId,
    /// The structure that the array has.
    pub of: StructId,
    /// The array in C, and its first element.
    pub array: Expr,
    pub first: Expr,
    pub bytes: i64,
    /// The types of all numbers in the structure; `None` where there is something else in it.
    pub numbers: Option<Vec<Type>>,
    /// Members of the first element, in C, and the bytes before them in it; none where the size says it all.
    pub members: Vec<(Expr, i64)>,
    /// Numbers in an element of the array, and which of them are the structure's own: the others are of other types.
    pub count: i64,
    pub own: Vec<i64>,
}

/// A function with a body.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    pub name: String,
    pub params: Vec<VarId>,
    pub ret: Type,
    pub is_static: bool,
    /// Always a [`StmtKind::Block`].
    pub body: Stmt,
    /// Its name.
    pub span: Span,
    pub definition: Span,
    /// Directives that stand directly before it: shapes, and that it stays on the host.
    pub directives: Vec<crate::source::directive::Directive>,
    /// Variables that C names in it which is not modelled.
    pub obscure: BTreeSet<VarId>,
    /// Those of them whose address is taken there.
    pub obscure_taken: BTreeSet<VarId>,
}

/// Exceptions of a directive that calls iterations independent; one that leaves out nothing has none.
#[derive(Debug, Clone, PartialEq)]
pub struct Assertion {
    /// The directive's place.
    pub directive: Span,
    /// Why it says nothing at all.
    pub void: Option<Exception>,
    /// Text that threads run one after the other.
    pub guards: Vec<Exception>,
    /// Variables that a thread's iterations share.
    pub apart: Vec<(VarId, Exception)>,
}

/// A line that leaves something out of what another one says.
#[derive(Debug, Clone, PartialEq)]
pub struct Exception {
    /// Its first words: `omp atomic capture`.
    pub words: String,
    pub span: Span,
    pub role: Role,
    /// The statement behind it.
    pub holds: Span,
}

/// Variables of which each thread has a copy that begins as what is outside, and is lost: `firstprivate(x)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Copies {
    pub vars: Vec<VarId>,
    pub line: Exception,
}

/// A nest that the program runs in tiles, and that is seen without them. One tile after the other, its iterations come in
/// another order, which is the same to all whose dependences go forward, or nowhere, along each of these loops.
#[derive(Debug, Clone, PartialEq)]
pub struct Tiling {
    /// Counters of its loops, outermost first, as far in as tiles go: each inside the one before.
    pub nest: Vec<VarId>,
    pub tiles: Vec<Tile>,
}

/// The tiles along one loop.
#[derive(Debug, Clone, PartialEq)]
pub struct Tile {
    pub counter: VarId,
    /// Counter of the program's loop over them.
    pub tiles: VarId,
    /// Their length, which is one or more.
    pub size: Expr,
    /// Iterations of the loop, which tiles fill where this is said.
    pub covers: Option<Expr>,
    /// Conditions of the program's own tiles being gone.
    pub conditions: Vec<Expr>,
}

/// Nests that the program runs tile by tile in turns, and that are seen one behind the other: the same to all whose
/// dependences lead from no tile to one before it.
#[derive(Debug, Clone, PartialEq)]
pub struct TileSequence {
    /// Counters along the same tiles, of the one nest and of the one behind it.
    pub first: Vec<VarId>,
    pub then: Vec<VarId>,
}

/// Declaration of a function at file level, the first one.
#[derive(Debug, Clone, PartialEq)]
pub struct Prototype {
    pub ty: Type,
    /// Its name.
    pub at: Span,
}

/// Functions of a file by what else is done with their names than to call them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Addresses {
    /// All functions that the file declares, by name.
    pub prototypes: BTreeMap<String, Prototype>,
    /// Those whose address is taken.
    pub taken: BTreeSet<String>,
    /// Those of them whose declaration may stand before another function.
    pub movable: BTreeSet<String>,
    /// Functions before which such a declaration may stand.
    pub open: BTreeSet<String>,
    /// Functions, each with one whose declaration has to stand before it.
    pub forward: BTreeSet<(String, String)>,
}

/// How deep the loops of a new order may be.
const MAX_COUNTERS: usize = 16;

/// A translation unit.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Unit {
    pub vars: Vec<Var>,
    pub structs: Vec<Struct>,
    pub functions: Vec<Function>,
    /// Functions of the program's other files that loops call.
    pub imported: Vec<Function>,
    /// Reasons why others stay in their files, by name: what follows on "its body, in another file,".
    pub kept_out: BTreeMap<String, &'static str>,
    pub globals: Vec<VarId>,
    known: known::Known,
    /// Where functions are declared, and whose address is taken.
    pub addresses: Addresses,
    /// The enumerators of file level whose value is known.
    pub enumerators: Vec<(String, i64)>,
    /// Variables that no C declares, `c0`, `c1` and so on: counters of the loops that a new order needs, by depth.
    pub counters: Vec<VarId>,
    /// Variables that stand for arrays of structures.
    pub records: Vec<Record>,
    /// Variables that stand for elements of arrays: sizes and pointers to structures that a program keeps there.
    pub elements: Vec<(VarId, Expr)>,
    /// Variables that no C declares either: for an array whose rows are reached through pointers, how many elements (of
    /// each dimension behind the outermost that C gives no length) a region may touch.
    pub row_lengths: BTreeMap<VarId, Vec<VarId>>,
    /// Those of them whose pointers lie in structures, each with the first pointer.
    pub tables: Vec<(VarId, Expr)>,
    /// Matrices whose rows loops exchange.
    pub row_exchanges: Vec<RowExchange>,
    /// Counters that are seen as two, of rows and of columns, with the conditions of that.
    pub split_counters: Vec<(VarId, [VarId; 2], Vec<Expr>)>,
    /// Variables that stand for what counters of loops begin with.
    pub begins: Vec<Begin>,
    /// Nests that the program runs in tiles.
    pub tilings: Vec<Tiling>,
    pub tile_sequences: Vec<TileSequence>,
    /// Exceptions of directives that call iterations independent.
    pub assertions: Vec<Assertion>,
    /// Copies that threads have, and lose.
    pub copies: Vec<Copies>,
    /// Lines of OpenMP that start threads, with what these run.
    pub teams: Vec<Exception>,
}

impl Unit {
    /// The variable behind an id.
    pub fn var(&self, id: VarId) -> &Var {
        &self.vars[id.0 as usize]
    }

    /// Adds the counters that no C declares.
    pub fn add_counters(&mut self) {
        for depth in 0..MAX_COUNTERS {
            let counter = self.add_number(format!("c{depth}"));
            self.counters.push(counter);
        }
    }

    /// Adds a variable.
    pub fn add(&mut self, var: Var) -> VarId {
        self.vars.push(var);
        VarId(self.vars.len() as u32 - 1)
    }

    /// The element of an array that a variable stands for.
    pub fn element(&self, v: VarId) -> Option<&Expr> {
        self.elements.iter().find(|(stands, _)| *stands == v).map(|(_, element)| element)
    }

    /// The loop whose begin a variable stands for.
    pub fn begin(&self, v: VarId) -> Option<&Begin> {
        self.begins.iter().find(|begin| begin.from == v)
    }

    /// The use of a variable.
    pub fn read(&self, v: VarId, span: Span) -> Expr {
        Expr { kind: ExprKind::Var(v), ty: self.var(v).ty.clone(), span }
    }

    pub(in crate::ast) fn add_number(&mut self, name: String) -> VarId {
        self.add(Var::new(name, Type::Int(IntKind::Long), Storage::Local, Span::default()))
    }

    /// The function of that name, if the file defines it or takes it over from another.
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions.iter().chain(&self.imported).find(|f| f.name == name)
    }
}

/// Prefix operators (`++`/`--` are [`ExprKind::IncDec`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnOp {
    Plus,
    Neg,
    Not,
    BitNot,
    Deref,
    AddrOf,
}

/// Infix operators (assignment and comma apart).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BinOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
}

impl BinOp {
    /// Every one.
    pub const ALL: [BinOp; 18] = [
        BinOp::Mul,
        BinOp::Div,
        BinOp::Rem,
        BinOp::Add,
        BinOp::Sub,
        BinOp::Shl,
        BinOp::Shr,
        BinOp::Lt,
        BinOp::Gt,
        BinOp::Le,
        BinOp::Ge,
        BinOp::Eq,
        BinOp::Ne,
        BinOp::BitAnd,
        BinOp::BitXor,
        BinOp::BitOr,
        BinOp::And,
        BinOp::Or,
    ];

    /// A comparison or a logical operator: its value is 0 or 1, and it has no compound assignment.
    pub fn is_boolean(self) -> bool {
        use BinOp::*;
        matches!(self, Lt | Gt | Le | Ge | Eq | Ne | And | Or)
    }

    /// The comparison that holds where this one does not, of numbers that are in an order.
    pub fn negated(self) -> Option<BinOp> {
        use BinOp::*;
        Some(match self {
            Eq => Ne,
            Ne => Eq,
            Lt => Ge,
            Ge => Lt,
            Gt => Le,
            Le => Gt,
            _ => return None,
        })
    }

    /// How C spells it.
    pub fn symbol(self) -> &'static str {
        match self {
            BinOp::Mul => "*",
            BinOp::Div => "/",
            BinOp::Rem => "%",
            BinOp::Add => "+",
            BinOp::Sub => "-",
            BinOp::Shl => "<<",
            BinOp::Shr => ">>",
            BinOp::Lt => "<",
            BinOp::Gt => ">",
            BinOp::Le => "<=",
            BinOp::Ge => ">=",
            BinOp::Eq => "==",
            BinOp::Ne => "!=",
            BinOp::BitAnd => "&",
            BinOp::BitXor => "^",
            BinOp::BitOr => "|",
            BinOp::And => "&&",
            BinOp::Or => "||",
        }
    }

    /// How tightly C binds it: 2 (`||`) to 11 (`*`). Assignment and comma lie below, `?:` is 1, a prefix operator
    /// or cast 12, a postfix operator 13. All infix operators group to the left.
    pub fn precedence(self) -> u8 {
        match self {
            BinOp::Or => 2,
            BinOp::And => 3,
            BinOp::BitOr => 4,
            BinOp::BitXor => 5,
            BinOp::BitAnd => 6,
            BinOp::Eq | BinOp::Ne => 7,
            BinOp::Lt | BinOp::Gt | BinOp::Le | BinOp::Ge => 8,
            BinOp::Shl | BinOp::Shr => 9,
            BinOp::Add | BinOp::Sub => 10,
            BinOp::Mul | BinOp::Div | BinOp::Rem => 11,
        }
    }
}

/// An expression with its type.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: Type,
    pub span: Span,
}

/// What an expression is.
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    /// An integer or character constant; an enumerator is its value. The suffix is in the type.
    Int(i64),
    /// A floating constant, with the text as written (suffix included).
    Float(f64, String),
    Str(String),
    Var(VarId),
    Unary(UnOp, Box<Expr>),
    /// `inc`: `++`; `prefix`: before the operand.
    IncDec {
        inc: bool,
        prefix: bool,
        target: Box<Expr>,
    },
    Binary(BinOp, Box<Expr>, Box<Expr>),
    /// `target op= value`; `None` is plain `=`.
    Assign {
        op: Option<BinOp>,
        target: Box<Expr>,
        value: Box<Expr>,
    },
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// An explicit cast to the expression's own type.
    Cast(Box<Expr>),
    /// A call by name, or of what its first argument leads to: [`THROUGH_POINTER`].
    Call {
        name: String,
        args: Vec<Expr>,
    },
    /// A function, by name, as a value: its address.
    Function(String),
    /// `base[index]`: one subscript; `a[i][j]` nests.
    Index(Box<Expr>, Box<Expr>),
    /// `base.field` or `base->field`.
    Member {
        base: Box<Expr>,
        field: String,
        arrow: bool,
    },
    Comma(Box<Expr>, Box<Expr>),
    SizeOfType(Type),
    SizeOfExpr(Box<Expr>),
    /// `{ a, b, ... }` in a declaration; designators are unmodelled.
    InitList(Vec<Expr>),
    /// C that the tool does not model, and why.
    Unmodelled(String),
}

/// Name, which no function has, of the callee of a call through a pointer. The pointer stands before the arguments. Whoever
/// asks what such a call does finds a function that nobody knows.
pub const THROUGH_POINTER: &str = "(*)";

/// One declarator of a declaration statement.
#[derive(Debug, Clone, PartialEq)]
pub struct Declarator {
    pub var: VarId,
    pub init: Option<Expr>,
}

/// A statement.
#[derive(Debug, Clone, PartialEq)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
    /// Directives (pragmas of ours, OpenMP's, OpenACC's) that stand directly before it.
    pub directives: Vec<crate::source::directive::Directive>,
}

/// What a statement is.
#[derive(Debug, Clone, PartialEq)]
pub enum StmtKind {
    Empty,
    Expr(Expr),
    Decl(Vec<Declarator>),
    Block(Vec<Stmt>),
    If {
        cond: Expr,
        then: Box<Stmt>,
        other: Option<Box<Stmt>>,
    },
    For {
        init: Option<Box<Stmt>>,
        cond: Option<Expr>,
        step: Option<Expr>,
        body: Box<Stmt>,
    },
    While {
        cond: Expr,
        body: Box<Stmt>,
    },
    DoWhile {
        body: Box<Stmt>,
        cond: Expr,
    },
    Switch {
        value: Expr,
        body: Box<Stmt>,
    },
    /// `case value:`, `None` for `default:`; the statements after it follow in the block.
    Case(Option<Expr>),
    Break,
    Continue,
    Return(Option<Expr>),
    /// The converted region is given up, and the original runs: in the plainer forms of regions alone.
    GiveUp,
    /// A directive that stands alone: the begin or end of a region.
    Directive(crate::source::directive::Directive),
    /// C that the tool does not model (goto, labels, asm, a parse error ...), and why.
    Unmodelled(String),
}
