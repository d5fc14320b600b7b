//! Reads the text form of the kernel IR that [`text`](super::text) prints: `parse(print(k)) == k`.
//!
//! For golden tests and for trying a kernel by hand, so that a stage can be tested on the exact kernel it is about.
//! Recursive descent, a method for each rule. Comments are `//` to the end of the line.

mod compound;
mod expr;
mod fault;
mod lex;

use super::mma::MmaShape;
use super::{Access, ArrayParam, Expr, Function, GridSync, Kernel, ReduceOp, Registers, ScalarParam, ScalarType, Stmt};
use super::{StmtKind, Tunable, Usage};
use crate::ast::{BinOp, FloatKind, IntKind};
use lex::{Token, TokenKind};
use std::str::FromStr;

pub use fault::ParseError;

/// Reads a file: functions first, then kernels.
///
/// # Errors
/// The first place where the text is not of the form.
pub fn module(text: &str) -> Result<(Vec<Function>, Vec<Kernel>), ParseError> {
    whole(text, |p| {
        let (mut functions, mut kernels) = (Vec::new(), Vec::new());
        while p.is_word("function") {
            functions.push(p.function()?);
        }
        while *p.peek() != TokenKind::End {
            kernels.push(p.kernel()?);
        }
        Ok((functions, kernels))
    })
}

impl FromStr for Kernel {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Self, ParseError> {
        whole(text, Parser::kernel)
    }
}

impl FromStr for Function {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Self, ParseError> {
        whole(text, Parser::function)
    }
}

impl FromStr for Stmt {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Self, ParseError> {
        whole(text, Parser::stmt)
    }
}

impl FromStr for Expr {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Self, ParseError> {
        whole(text, Parser::expr)
    }
}

type Parsed<T> = Result<T, ParseError>;

/// Applies a rule to the whole of a text.
fn whole<T>(text: &str, rule: impl FnOnce(&mut Parser) -> Parsed<T>) -> Parsed<T> {
    let mut parser = Parser { tokens: lex::tokens(text)?, at: 0 };
    let value = rule(&mut parser)?;
    match parser.peek() {
        TokenKind::End => Ok(value),
        _ => parser.expected("the end of the text"),
    }
}

struct Parser {
    /// Ends in [`TokenKind::End`], which is never passed.
    tokens: Vec<Token>,
    at: usize,
}

/// Tokens.
impl Parser {
    fn peek(&self) -> &TokenKind {
        &self.tokens[self.at].kind
    }

    fn fail<T>(&self, message: String) -> Parsed<T> {
        let Token { line, column, .. } = self.tokens[self.at];
        Err(ParseError { line, column, message })
    }

    fn expected<T>(&self, what: &str) -> Parsed<T> {
        self.fail(format!("expected {what}, found {}", self.peek()))
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), TokenKind::Word(w) if w == word)
    }

    fn is(&self, punct: &str) -> bool {
        matches!(self.peek(), TokenKind::Punct(p) if *p == punct)
    }

    fn accept(&mut self, punct: &str) -> bool {
        let found = self.is(punct);
        self.at += usize::from(found);
        found
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, punct: &str) -> Parsed<()> {
        if self.accept(punct) { Ok(()) } else { self.expected(&format!("`{punct}`")) }
    }

    fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.accept_word(word) { Ok(()) } else { self.expected(&format!("`{word}`")) }
    }

    fn name(&mut self) -> Parsed<String> {
        match self.peek() {
            TokenKind::Name(name) => {
                let name = name.clone();
                self.at += 1;
                Ok(name)
            }
            _ => self.expected("a name"),
        }
    }

    fn integer(&mut self) -> Parsed<i64> {
        let minus = if self.accept("-") { "-" } else { "" };
        match self.peek() {
            TokenKind::Number(digits) => match format!("{minus}{digits}").parse() {
                Ok(value) => {
                    self.at += 1;
                    Ok(value)
                }
                Err(_) => self.fail(format!("`{minus}{digits}` is not a 64-bit integer")),
            },
            _ => self.expected("an integer"),
        }
    }

    /// A non-negative integer of a small type: a line, a width.
    fn small<T: TryFrom<i64>>(&mut self) -> Parsed<T> {
        let at = self.at;
        let value = self.integer()?;
        T::try_from(value).or_else(|_| {
            self.at = at;
            self.fail(format!("{value} is out of range here"))
        })
    }

    /// `( item, item ... )`, or with other brackets.
    fn list<T>(&mut self, open: &str, close: &str, item: impl Fn(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        self.expect(open)?;
        let mut items = Vec::new();
        if self.accept(close) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.accept(close) {
                return Ok(items);
            }
            if !self.accept(",") {
                return self.expected(&format!("`,` or `{close}`"));
            }
        }
    }
}

/// Kernels, functions and what they declare.
impl Parser {
    fn kernel(&mut self) -> Parsed<Kernel> {
        self.expect_word("kernel")?;
        let name = self.name()?;
        let scalars = self.list("(", ")", Self::scalar_param)?;
        let mut arrays = Vec::new();
        while let Some(usage) = self.usage() {
            arrays.extend(self.list("(", ")", |p| p.array_param(usage))?);
        }
        self.expect_word("index")?;
        self.expect("(")?;
        let index_bits = self.small()?;
        self.expect(")")?;
        let resident = if self.accept_word("resident") { Some(self.grid_sync()?) } else { None };
        let mut notes = Vec::new();
        while self.accept_word("note") {
            notes.push(self.quoted()?);
        }
        let [mut tunables, mut larger, mut smaller] = [vec![], vec![], vec![]];
        for (word, list) in [("tunable", &mut tunables), ("larger", &mut larger), ("smaller", &mut smaller)] {
            if self.accept_word(word) {
                list.push(self.tunable()?);
                while self.accept(",") {
                    list.push(self.tunable()?);
                }
            }
        }
        let is_uneven = self.accept_word("uneven");
        let wide = if self.accept_word("wide_if") { Some(self.expr()?) } else { None };
        self.expect_word("grid")?;
        let grid = self.list("(", ")", Self::expr)?;
        self.expect_word("block")?;
        let block = self.list("(", ")", Self::expr)?;
        let registers = self.registers()?;
        let (body, _) = self.block()?;
        Ok(Kernel {
            name,
            scalars,
            arrays,
            tunables,
            larger,
            smaller,
            is_uneven,
            wide,
            index_bits,
            resident,
            grid,
            block,
            registers,
            body,
            notes,
        })
    }

    fn registers(&mut self) -> Parsed<Registers> {
        Ok(match () {
            () if !self.accept_word("registers_for") => Registers::AsItLikes,
            () if self.accept_word("block") => Registers::ForBlock,
            () if self.accept_word("resident") => Registers::ForBlocks(self.expr()?),
            () => Registers::ForThreads(self.integer()?),
        })
    }

    fn grid_sync(&mut self) -> Parsed<GridSync> {
        self.expect("(")?;
        let words = [GridSync::Cooperative, GridSync::LockFree, GridSync::Relaxed, GridSync::Asynchronous];
        let Some(sync) = words.into_iter().find(|sync| self.accept_word(&sync.to_string())) else {
            return self.expected("`cooperative`, `lock_free`, `relaxed` or `asynchronous`");
        };
        self.expect(")")?;
        Ok(sync)
    }

    fn function(&mut self) -> Parsed<Function> {
        self.expect_word("function")?;
        let ret = self.scalar_type()?;
        let name = self.name()?;
        let params = self.list("(", ")", Self::scalar_param)?;
        let (body, line) = self.block()?;
        Ok(Function { name, params, ret, body, line })
    }

    fn scalar_param(&mut self) -> Parsed<ScalarParam> {
        let ty = self.scalar_type()?;
        Ok(ScalarParam { name: self.name()?, ty })
    }

    fn usage(&mut self) -> Option<Usage> {
        [Usage::Read, Usage::Write, Usage::ReadWrite, Usage::Turns]
            .into_iter()
            .find(|usage| self.accept_word(&usage.to_string()))
    }

    fn array_param(&mut self, usage: Usage) -> Parsed<ArrayParam> {
        let ty = self.scalar_type()?;
        let name = self.name()?;
        Ok(ArrayParam { name, ty, extents: self.list("[", "]", Self::expr)?, usage })
    }

    fn tunable(&mut self) -> Parsed<Tunable> {
        let name = self.name()?;
        self.expect("=")?;
        Ok(Tunable { name, value: self.integer()? })
    }

    fn is_scalar_type(&self) -> bool {
        matches!(self.peek(), TokenKind::Word(word) if TYPE_WORDS.contains(&word.as_str()))
    }

    fn scalar_type(&mut self) -> Parsed<ScalarType> {
        let start = self.at;
        let mut spelling = String::new();
        while let TokenKind::Word(word) = self.peek()
            && TYPE_WORDS.contains(&word.as_str())
        {
            spelling += if spelling.is_empty() { "" } else { " " };
            spelling += word;
            self.at += 1;
        }
        if let Some(ty) = SCALAR_TYPES.iter().find(|ty| ty.to_string() == spelling) {
            return Ok(*ty);
        }
        self.at = start;
        self.expected("a scalar type")
    }
}

const TYPE_WORDS: &[&str] =
    &["index", "_Bool", "char", "signed", "unsigned", "short", "int", "long", "float", "double"];

const SCALAR_TYPES: &[ScalarType] = &[
    ScalarType::Index,
    ScalarType::Int(IntKind::Bool),
    ScalarType::Int(IntKind::Char),
    ScalarType::Int(IntKind::SChar),
    ScalarType::Int(IntKind::UChar),
    ScalarType::Int(IntKind::Short),
    ScalarType::Int(IntKind::UShort),
    ScalarType::Int(IntKind::Int),
    ScalarType::Int(IntKind::UInt),
    ScalarType::Int(IntKind::Long),
    ScalarType::Int(IntKind::ULong),
    ScalarType::Int(IntKind::LongLong),
    ScalarType::Int(IntKind::ULongLong),
    ScalarType::Float(FloatKind::Float),
    ScalarType::Float(FloatKind::Double),
    ScalarType::Float(FloatKind::LongDouble),
];

/// Statements.
impl Parser {
    /// `{ @line stmt ... }`
    fn block(&mut self) -> Parsed<(Vec<Stmt>, u32)> {
        self.expect("{")?;
        let line = self.line()?;
        let mut body = Vec::new();
        while !self.accept("}") {
            body.push(self.stmt()?);
        }
        Ok((body, line))
    }

    /// `@line`, or nothing for 0.
    fn line(&mut self) -> Parsed<u32> {
        if self.accept("@") { self.small() } else { Ok(0) }
    }

    fn stmt(&mut self) -> Parsed<Stmt> {
        if self.accept_word("if") {
            self.if_stmt()
        } else if self.accept_word("for") {
            self.for_stmt()
        } else if self.accept_word("while") {
            self.while_stmt()
        } else if self.accept_word("phase") {
            self.phase()
        } else {
            let kind = self.simple_stmt()?;
            self.expect(";")?;
            Ok(Stmt { kind, line: self.line()? })
        }
    }

    fn quoted(&mut self) -> Parsed<String> {
        let TokenKind::Text(text) = self.peek().clone() else { return self.expected("a text in quotes") };
        self.at += 1;
        Ok(text)
    }

    /// A statement that holds no other, without its `;`.
    fn simple_stmt(&mut self) -> Parsed<StmtKind> {
        let TokenKind::Word(word) = self.peek().clone() else { return self.assignment() };
        self.at += 1;
        Ok(match word.as_str() {
            "let" => {
                let ScalarParam { name: var, ty } = self.scalar_param()?;
                StmtKind::Let { var, ty, init: if self.accept("=") { Some(self.expr()?) } else { None } }
            }
            "local" => {
                let ScalarParam { name, ty } = self.scalar_param()?;
                StmtKind::LocalArray { name, ty, extents: self.list("[", "]", Self::expr)? }
            }
            "on_chip" => {
                let ScalarParam { name, ty } = self.scalar_param()?;
                let rows = if self.accept_word("rows_of") { Some(self.name()?) } else { None };
                self.expect_word("in")?;
                StmtKind::OnChip { name, ty, of: self.expr()?, rows }
            }
            "shared" => {
                let ScalarParam { name, ty } = self.scalar_param()?;
                StmtKind::Shared { name, ty, extents: self.list("[", "]", Self::expr)? }
            }
            "atomic" => {
                let target = self.access()?;
                let op = self.reduce_op()?;
                self.expect("=")?;
                StmtKind::Atomic { target, op, value: self.expr()? }
            }
            word @ ("load_vector" | "load_part") => {
                let is_part = word == "load_part";
                let array = self.name()?;
                self.expect("=")?;
                StmtKind::LoadVector { array, source: self.access()?, is_part }
            }
            "store_vector" => {
                let target = self.access()?;
                self.expect("=")?;
                StmtKind::StoreVector { target, array: self.name()? }
            }
            "copy_async" => {
                self.expect("(")?;
                let count = self.expr()?;
                self.expect(")")?;
                let target = self.access()?;
                self.expect("=")?;
                StmtKind::CopyAsync { target, source: self.access()?, count }
            }
            "commit_copies" => StmtKind::CommitCopies,
            "wait_copies" => StmtKind::WaitCopies { pending: self.expr()? },
            "block_reduce" => {
                self.expect("(")?;
                let op = self.reduce_op()?;
                self.expect(")")?;
                let ty = self.scalar_type()?;
                let target = self.access()?;
                self.expect("=")?;
                StmtKind::BlockReduce { op, ty, target, value: self.expr()? }
            }
            "join" => self.join()?,
            "begin" => {
                let var = self.name()?;
                self.expect(",")?;
                StmtKind::Begin { var, begun: self.name()? }
            }
            "warp_scan" => {
                let (op, var) = self.scanned()?;
                StmtKind::WarpScan { op, var, carry: self.name()? }
            }
            "scan_blocks" => {
                let (op, var) = self.scanned()?;
                let slots = self.name()?;
                self.expect(",")?;
                let block = self.expr()?;
                self.expect(",")?;
                StmtKind::ScanBlocks { op, var, slots, block, start: self.expr()? }
            }
            "mma" => self.mma()?,
            "break" => StmtKind::Break,
            "continue" => StmtKind::Continue,
            "barrier" => StmtKind::Barrier,
            "grid_barrier" => StmtKind::GridBarrier,
            "grid_wait" => StmtKind::GridWait { across: self.list("(", ")", Self::expr)? },
            "return" => StmtKind::Return(if self.is(";") { None } else { Some(self.expr()?) }),
            _ => {
                self.at -= 1;
                return self.expected("a statement");
            }
        })
    }

    /// `(op) var,` of a scan, behind its first word
    fn scanned(&mut self) -> Parsed<(ReduceOp, String)> {
        self.expect("(")?;
        let op = self.reduce_op()?;
        self.expect(")")?;
        let var = self.name()?;
        self.expect(",")?;
        Ok((op, var))
    }

    /// `join(op, extent, stride) var`, behind its first word
    fn join(&mut self) -> Parsed<StmtKind> {
        self.expect("(")?;
        let op = self.reduce_op()?;
        self.expect(",")?;
        let extent = self.expr()?;
        self.expect(",")?;
        let stride = self.expr()?;
        self.expect(")")?;
        Ok(StmtKind::Join { op, var: self.name()?, extent, stride })
    }

    /// `mma(rows, columns, depth) (c ...) += (a ...) * (b ...)`, behind its first word
    fn mma(&mut self) -> Parsed<StmtKind> {
        self.expect("(")?;
        let rows = self.integer()?;
        self.expect(",")?;
        let columns = self.integer()?;
        self.expect(",")?;
        let depth = self.integer()?;
        self.expect(")")?;
        let c = self.list("(", ")", Self::access)?;
        self.expect("+")?;
        self.expect("=")?;
        let a = self.list("(", ")", Self::expr)?;
        self.expect("*")?;
        let b = self.list("(", ")", Self::expr)?;
        Ok(StmtKind::Mma { shape: MmaShape { rows, columns, depth }, c, a, b })
    }

    /// `var op= value` or `array[...] op= value`
    fn assignment(&mut self) -> Parsed<StmtKind> {
        let TokenKind::Name(_) = self.peek() else { return self.expected("a statement") };
        let name = self.name()?;
        let index = if self.is("[") { Some(self.list("[", "]", Self::expr)?) } else { None };
        let op = BinOp::ALL.iter().copied().find(|op| !op.is_boolean() && self.accept(op.symbol()));
        self.expect("=")?;
        let value = self.expr()?;
        Ok(match index {
            Some(index) => StmtKind::Store { target: Access { array: name, index }, op, value },
            None => StmtKind::Assign { var: name, op, value },
        })
    }

    fn access(&mut self) -> Parsed<Access> {
        let array = self.name()?;
        Ok(Access { array, index: self.list("[", "]", Self::expr)? })
    }

    fn reduce_op(&mut self) -> Parsed<ReduceOp> {
        use ReduceOp::*;
        let spelling = match self.peek() {
            // `fmin` is the name of a function elsewhere.
            TokenKind::Word(word) | TokenKind::Name(word) => word.clone(),
            TokenKind::Punct(punct) => punct.to_string(),
            _ => String::new(),
        };
        match [Add, Mul, Min, Max, MinLast, MaxLast, Fmin, Fmax, And, Or, Xor]
            .into_iter()
            .find(|op| op.to_string() == spelling)
        {
            Some(op) => {
                self.at += 1;
                Ok(op)
            }
            None => self.expected("an operator of a reduction"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::arbitrary;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn reads_what_is_printed(kernel in arbitrary::kernel(), function in arbitrary::function()) {
            let text = format!("{function}{kernel}");
            prop_assert_eq!(module(&text).map_err(|e| format!("{e}\n{text}")), Ok((vec![function], vec![kernel])));
        }
    }

    #[test]
    fn says_where_the_text_is_wrong() {
        let at = |text: &str| text.parse::<Expr>().unwrap_err().to_string();
        assert_eq!(at("a + "), "1:5: expected an expression, found the end of the text");
        assert_eq!(at("a[i,\n  j;"), "2:4: expected `,` or `]`, found `;`");
        assert_eq!(at("x ` y"), "1:3: ``` has no meaning here");
        assert_eq!(at("99999999999999999999"), "1:1: `99999999999999999999` is not a 64-bit integer");
    }

    #[test]
    fn keeps_what_c_would_group() {
        for text in
            ["a - (b - c)", "a - b - c", "-(5)", "-5 - -x", "(double)(a + b) * c", "a ? b : c ? d : e", "!(a < b)"]
        {
            assert_eq!(text.parse::<Expr>().unwrap().to_string(), text);
        }
    }
}
