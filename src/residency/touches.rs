//! What a piece of C may touch on the host of memory that regions have left on the device.
//!
//! Arrays of numbers stay, none on the stack. So variables of a function are its own, and so are globals that are no arrays
//! and whose address nobody takes; a pointer is no number. Behind a pointer, and in a global array, may be what stays if its
//! type is one of those that do (C17 6.5, paragraph 7).

use super::cause::{Cause, Why};
use super::needs::{FunctionId, Touch, Use};
use super::program::Program;
use crate::ast::complex::is_result;
use crate::ast::visit::Piece;
use crate::ast::{BinOp, Declarator, Expr, ExprKind, Stmt, StmtKind, Storage, Type, UnOp, VarId, print};
use crate::facts::effects;
use crate::schedule::lower::scalar_type;
use crate::source::Span;

/// Elements of one statement that are worth a call each.
const MAX_ELEMENTS: usize = 12;

/// Something that is touched.
struct Found {
    /// The lvalue, where its address may be computed before the piece runs.
    element: Option<String>,
    used: Use,
    cause: Cause,
}

/// What is found in a piece of C.
pub struct Touches<'p, 'a> {
    program: &'p Program<'a>,
    part: usize,
    found: Vec<Found>,
    /// Flag: what the program's functions touch that are called is among it.
    with_callees: bool,
    /// Flag: the expression that is looked at changes no variable before it has read all.
    is_simple_here: bool,
    /// The program's functions that are called.
    pub calls: Vec<FunctionId>,
}

impl<'p, 'a> Touches<'p, 'a> {
    fn new(program: &'p Program<'a>, part: usize, with_callees: bool) -> Self {
        Touches { program, part, found: vec![], with_callees, is_simple_here: false, calls: vec![] }
    }

    /// What the expressions of a statement touch themselves, not the statements in it.
    pub fn of_own(program: &'p Program<'a>, part: usize, s: &Stmt) -> Self {
        let mut out = Self::new(program, part, false);
        out.own(s, true);
        out
    }

    /// Nothing yet.
    pub fn of_none(program: &'p Program<'a>, part: usize) -> Self {
        Self::new(program, part, false)
    }

    /// Adds what an expression touches itself.
    pub fn add(&mut self, e: &Expr) {
        self.is_simple_here = self.is_simple(e);
        self.value(e, self.is_simple_here);
    }

    /// Adds a number that is written.
    pub fn add_written(&mut self, e: &Expr) {
        self.access(e, Use::Writes, true);
    }

    /// What a statement touches with all that is in it and that it calls.
    pub fn of_all(program: &'p Program<'a>, part: usize, s: &Stmt) -> Self {
        let mut out = Self::new(program, part, true);
        s.walk(&mut |piece| {
            if let Piece::Stmt(s) = piece {
                out.own(s, false);
            }
        });
        out
    }

    fn own(&mut self, s: &Stmt, sure: bool) {
        s.own_exprs(&mut |e| {
            let is_own = matches!(&s.kind, StmtKind::Decl(ds) if ds.iter().any(|d| e.mentions(d.var)));
            self.is_simple_here = sure && !is_own && self.is_simple(e);
            self.value(e, self.is_simple_here);
        });
        match &s.kind {
            StmtKind::Decl(ds) => self.lengths(ds),
            StmtKind::Unmodelled(_) => self.unmodelled(s.span),
            _ => {}
        }
    }

    /// Test that all that an expression reads is what it was before: it assigns at its end, if at all, and calls a function that
    /// changes anything at its end alone, or to put the result into a variable.
    fn is_simple(&self, e: &Expr) -> bool {
        let last = match &e.kind {
            ExprKind::Assign { target, value, .. } if matches!(target.kind, ExprKind::Var(_)) => value,
            _ => e,
        };
        let mut is_simple = true;
        e.walk(&mut |x| {
            is_simple &= match &x.kind {
                ExprKind::Assign { .. } | ExprKind::IncDec { .. } => std::ptr::eq(x, e),
                ExprKind::Call { name, .. } => {
                    let callee = self.program.callee(self.part, name);
                    std::ptr::eq(x, last) || callee.is_none_or(|f| !self.program.functions[f].changes)
                }
                _ => true,
            }
        });
        is_simple
    }

    /// The most that is done.
    pub fn most(&self) -> Option<Use> {
        self.found.iter().map(|found| found.used).max()
    }

    /// All of it.
    pub fn touch(&self) -> Option<(Touch, Cause)> {
        let (most, cause) = (self.most()?, self.cause()?);
        let elements: Option<Vec<_>> = self.found.iter().map(|x| Some((x.element.clone()?, x.used))).collect();
        let Some(mut elements) = elements else { return Some((Touch::Anything(most), cause)) };
        elements.dedup();
        let touch = if elements.len() > MAX_ELEMENTS { Touch::Anything(most) } else { Touch::Elements(elements) };
        Some((touch, cause))
    }

    /// The first that touches the most.
    pub fn cause(&self) -> Option<Cause> {
        let most = self.most()?;
        let mut those = self.found.iter().filter(|x| x.used == most);
        those.clone().find(|x| x.element.is_none()).or_else(|| those.next()).map(|x| x.cause)
    }

    fn anything(&mut self, used: Use, span: Span, why: Why) {
        self.found.push(Found { element: None, used, cause: Cause { part: self.part, span, why } });
    }

    fn unmodelled(&mut self, span: Span) {
        self.anything(Use::Writes, span, Why::Unmodelled);
        self.calls.extend(self.program.named_in(self.part, span));
    }

    /// The lengths of arrays that are declared.
    fn lengths(&mut self, ds: &[Declarator]) {
        for d in ds {
            effects::lengths(&self.program.parts[self.part].unit.var(d.var).ty, &mut |e| self.value(e, false));
        }
    }

    /// `sure`: it is evaluated whenever the statement is.
    fn value(&mut self, e: &Expr, sure: bool) {
        match &e.kind {
            ExprKind::Var(_) | ExprKind::Index(..) | ExprKind::Member { .. } | ExprKind::Unary(UnOp::Deref, _) => {
                match e.ty {
                    Type::Array { .. } => self.address(e, sure),
                    _ => self.access(e, Use::Reads, sure),
                }
            }
            ExprKind::Unary(UnOp::AddrOf, x) => self.address(x, sure),
            ExprKind::SizeOfExpr(_) | ExprKind::SizeOfType(_) => {}
            ExprKind::Assign { target, value, .. } => {
                self.value(value, sure);
                self.access(target, Use::Writes, sure);
            }
            ExprKind::IncDec { target, .. } => self.access(target, Use::Writes, sure),
            ExprKind::Binary(op, a, b) => {
                self.value(a, sure);
                self.value(b, sure && !matches!(op, BinOp::And | BinOp::Or));
            }
            ExprKind::Cond(c, a, b) => {
                self.value(c, sure);
                self.value(a, false);
                self.value(b, false);
            }
            ExprKind::Call { name, args } => {
                args.iter().for_each(|a| self.value(a, sure));
                self.call(name, args, e.span);
            }
            ExprKind::Unmodelled(_) | ExprKind::Function(_) => self.unmodelled(e.span),
            _ => e.children().into_iter().for_each(|x| self.value(x, sure)),
        }
    }

    /// What is evaluated to find an lvalue.
    fn address(&mut self, e: &Expr, sure: bool) {
        match &e.kind {
            ExprKind::Var(_) => {}
            ExprKind::Index(base, index) => {
                match self.is_object(base) {
                    true => self.address(base, sure),
                    false => self.value(base, sure),
                }
                self.value(index, sure);
            }
            ExprKind::Member { base, arrow: false, .. } => self.address(base, sure),
            ExprKind::Member { base, .. } | ExprKind::Unary(UnOp::Deref, base) => self.value(base, sure),
            _ => self.value(e, sure),
        }
    }

    fn access(&mut self, e: &Expr, used: Use, sure: bool) {
        self.address(e, sure);
        if !self.may_stay(e) {
            return;
        }
        let is_number = matches!(e.ty, Type::Int(_) | Type::Float(_));
        let is_named = is_number && effects::is_plain(e) && (sure || self.has_own_address(e));
        let element = is_named.then(|| print::expr(self.program.parts[self.part].unit, e));
        let why = if used == Use::Writes { Why::Written } else { Why::Read };
        let cause = Cause { part: self.part, span: e.span, why };
        self.found.push(Found { element, used, cause });
    }

    /// Test that its address can be computed where it is not sure to be evaluated: from variables alone, and from no pointer that
    /// is perhaps tested first.
    fn has_own_address(&self, e: &Expr) -> bool {
        let ExprKind::Index(base, index) = &e.kind else { return false };
        let mut is_of_variables = true;
        index.walk(&mut |x| {
            is_of_variables &= match &x.kind {
                ExprKind::Binary(op, ..) => !matches!(op, BinOp::Div | BinOp::Rem),
                ExprKind::Var(_)
                | ExprKind::Int(_)
                | ExprKind::Cast(_)
                | ExprKind::Unary(UnOp::Neg | UnOp::Plus, _) => true,
                _ => false,
            };
        });
        let is_variable = matches!(base.kind, ExprKind::Var(_)) || (self.is_object(base) && self.has_own_address(base));
        self.is_simple_here && is_of_variables && is_variable
    }

    /// Test that it is an array itself, and no pointer to one: a parameter is a pointer, however it is written.
    fn is_object(&self, e: &Expr) -> bool {
        let unit = self.program.parts[self.part].unit;
        let is_parameter = matches!(e.kind, ExprKind::Var(v) if unit.var(v).storage == Storage::Param);
        matches!(e.ty, Type::Array { .. }) && !is_parameter
    }

    /// The variable that an lvalue is a part of, and whether by a subscript; `None` where it lies behind a pointer.
    fn variable(&self, e: &Expr) -> Option<(VarId, bool)> {
        match &e.kind {
            ExprKind::Var(v) => Some((*v, false)),
            ExprKind::Index(base, _) if self.is_object(base) => Some((self.variable(base)?.0, true)),
            ExprKind::Member { base, arrow: false, .. } => self.variable(base),
            _ => None,
        }
    }

    fn may_stay(&self, e: &Expr) -> bool {
        if e.root().is_some_and(|v| is_result(self.program.parts[self.part].unit.var(v))) {
            return false;
        }
        let var = self.variable(e).map(|(v, by_subscript)| (self.program.parts[self.part].unit.var(v), by_subscript));
        match var {
            Some((var, _)) if matches!(var.storage, Storage::Local | Storage::Param) => return false,
            Some((var, false)) if !self.program.is_addressed(&var.name) => return false,
            Some((var, _)) if var.is_const => return false,
            Some((var, true)) if !self.program.may_be_led_to(var) => return false,
            _ => {}
        }
        match &e.ty {
            Type::Pointer { .. } => false,
            ty => scalar_type(ty).is_none_or(|ty| self.program.stays(ty)),
        }
    }

    fn call(&mut self, name: &str, args: &[Expr], span: Span) {
        if let Some(f) = self.program.callee(self.part, name) {
            self.calls.push(f);
            if let Some(used) = self.program.functions[f].touches.filter(|_| self.with_callees) {
                self.anything(used, span, Why::Callee);
            }
            return;
        }
        // The next allocation may be at the same place, whatever the pointer to this one was of.
        let is_table = |a: &Expr| matches!(&a.ty, Type::Pointer { to, .. } if matches!(**to, Type::Pointer { .. }));
        let frees = ["free", "realloc"].contains(&name) && !args.iter().take(1).any(is_table);
        let leads = || args.iter().any(|a| self.leads_to_what_stays(a));
        let why = match self.program.is_standard(name) {
            false => Some(Why::Unknown),
            true if frees => Some(Why::Freed),
            true => leads().then_some(Why::Handed),
        };
        if let Some(why) = why {
            self.anything(Use::Writes, span, why);
        }
    }

    /// Test that a function of C's library that is handed this may touch what stays.
    fn leads_to_what_stays(&self, e: &Expr) -> bool {
        let inner = match &e.kind {
            ExprKind::Str(_) => return false,
            ExprKind::Unary(UnOp::AddrOf, x) => Some(&**x),
            ExprKind::Cast(x) if e.ty.is_pointer_like() => return self.leads_to_what_stays(x),
            _ => Some(e).filter(|e| self.is_object(e)),
        };
        if let Some((v, _)) = inner.and_then(|x| self.variable(x)) {
            let storage = self.program.parts[self.part].unit.var(v).storage;
            if matches!(storage, Storage::Local | Storage::Param) {
                return false;
            }
        }
        match &e.ty {
            Type::Pointer { to, .. } | Type::Array { of: to, .. } => self.may_hold(to),
            _ => false,
        }
    }

    /// Test that an object of that type may hold numbers that stay. A text is one if bytes stay.
    fn may_hold(&self, ty: &Type) -> bool {
        match ty {
            Type::Int(kind) if kind.bits() == 8 => self.program.stays_bytes(),
            Type::Int(_) | Type::Float(_) => scalar_type(ty).is_none_or(|ty| self.program.stays(ty)),
            Type::Pointer { .. } => false,
            Type::Array { of, .. } => self.may_hold(of),
            Type::Struct(id) => {
                let unit = self.program.parts[self.part].unit;
                let of = &unit.structs[id.0 as usize];
                let is_stream = of.name.as_deref().is_some_and(|name| ["_IO_FILE", "__sFILE", "FILE"].contains(&name));
                !is_stream
            }
            Type::Void | Type::Function(_) | Type::Other(_) => true,
        }
    }
}
