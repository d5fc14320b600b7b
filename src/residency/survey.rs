//! Surveys a program: who is called from where, what changes something, what each function touches.

use super::addresses::handed_on;
use super::needs::{FunctionId, Part};
use super::program::{Defined, Program, kind};
use super::touches::Touches;
use crate::ast::visit::Piece;
use crate::ast::{Expr, ExprKind, Stmt, StmtKind, Storage, Type, UnOp, VarId};
use crate::facts::callable;
use crate::facts::standard::PRINTING;
use crate::host_plan::ir::Param;
use crate::schedule::lower::scalar_type;
use crate::source::Span;
use crate::source::lex::TokenKind;
use std::collections::{BTreeMap, BTreeSet};

/// Reads the files, which are all of the program or not; `may_leave` are the regions that may leave something, by part and place; `refused` are functions
/// in which nothing can be said between two statements.
pub fn survey<'a>(
    parts: &'a [Part<'a>],
    is_whole: bool,
    may_leave: &BTreeSet<(usize, usize)>,
    refused: &BTreeSet<FunctionId>,
) -> Program<'a> {
    let mut kinds = BTreeSet::new();
    for (part, region) in may_leave {
        let arrays = parts[*part].regions[*region].arrays.iter().filter(|a| a.may_stay());
        kinds.extend(arrays.flat_map(|a| a.beside.iter().chain([&a.ty]).map(|ty| kind(*ty))));
    }
    let mut program = Program { kinds, ..Program::of(parts, is_whole) };
    program.is_punned = parts.iter().any(|p| p.unit.functions.iter().any(|f| puns(&f.body)));
    for (part, region) in may_leave {
        let region = &parts[*part].regions[*region];
        program.led_to.extend(region.params.iter().filter_map(|p| match p {
            Param::Array { c_expr, .. } => Some(c_expr.as_str()),
            _ => None,
        }));
    }
    parts.iter().for_each(|p| program.note_names(p));
    let callers = program.callers();
    program.spread(&callers, |f| &mut f.has_regions);
    program.note_places_of_regions();
    program.find_outer();
    program.find_touches();
    program.find_changes(&callers);
    program.note_mixed_calls(refused);
    program
}

impl<'a> Program<'a> {
    /// The functions of these files, which are all of the program or not, and their names; nothing else.
    fn of(parts: &'a [Part<'a>], is_whole: bool) -> Program<'a> {
        let mut program = Program {
            parts,
            is_whole,
            functions: vec![],
            kinds: BTreeSet::new(),
            is_punned: false,
            addressed: BTreeSet::new(),
            led_to: BTreeSet::new(),
            named: BTreeMap::new(),
            public: BTreeMap::new(),
            places_of_regions: vec![],
        };
        for (part, p) in parts.iter().enumerate() {
            let mut in_order: Vec<usize> = (0..p.regions.len()).collect();
            in_order.sort_by_key(|at| p.regions[*at].span.lo);
            for ast in &p.unit.functions {
                let id = program.functions.len();
                let first = in_order.partition_point(|at| p.regions[*at].span.lo < ast.body.span.lo);
                let within = |at: &&usize| p.regions[**at].span.lo < ast.body.span.hi;
                let regions: Vec<usize> = in_order[first..].iter().take_while(within).copied().collect();
                let has_regions = !regions.is_empty();
                let (is_outer, touches, changes) = (false, None, true);
                program.functions.push(Defined { part, ast, regions, has_regions, is_outer, touches, changes });
                program.named.insert((part, &ast.name), id);
                if !ast.is_static {
                    program.public.insert(&ast.name, id);
                }
            }
        }
        program
    }

    /// What stands behind an `&`, which may be an operator between two numbers too, and what has no subscript.
    fn note_names(&mut self, part: &'a Part<'a>) {
        let tokens = part.source.tokens();
        let text = |k: usize| tokens.get(k).map_or("", |t| t.text(&part.source.text));
        for (k, token) in tokens.iter().enumerate() {
            if text(k) == "&" {
                let name = (k + 1..).map(text).find(|word| *word != "(").unwrap_or_default();
                self.addressed.insert(name);
            } else if token.kind == TokenKind::Word && text(k + 1) != "[" {
                self.led_to.insert(text(k));
            }
        }
    }

    /// What holds of a function holds of those that call it.
    fn spread(&mut self, callers: &[Vec<FunctionId>], holds: for<'d> fn(&'d mut Defined<'a>) -> &'d mut bool) {
        let mut pending: Vec<FunctionId> =
            (0..self.functions.len()).filter(|id| *holds(&mut self.functions[*id])).collect();
        while let Some(callee) = pending.pop() {
            for caller in &callers[callee] {
                if !std::mem::replace(holds(&mut self.functions[*caller]), true) {
                    pending.push(*caller);
                }
            }
        }
    }

    /// The functions that may call each one.
    fn callers(&self) -> Vec<Vec<FunctionId>> {
        let mut callers = vec![vec![]; self.functions.len()];
        for (id, f) in self.functions.iter().enumerate() {
            self.callees(f.part, &f.ast.body).into_iter().for_each(|callee| callers[callee].push(id));
        }
        callers
    }

    /// Where functions with regions are named.
    fn note_places_of_regions(&mut self) {
        for (part, p) in self.parts.iter().enumerate() {
            let has_regions = |name| self.callee(part, name).is_some_and(|f| self.functions[f].has_regions);
            let named = p.source.tokens().iter().filter(|t| has_regions(t.text(&p.source.text)));
            self.places_of_regions.push(named.map(|t| t.span.lo).collect());
        }
    }

    /// Everybody is known who calls a function that is static, or in a program that is all here; of whose name nothing is
    /// made but calls.
    fn find_outer(&mut self) {
        let is_all = self.public.contains_key("main") && !self.calls_strangers();
        let handed_on = self.handed_on();
        for f in &mut self.functions {
            let is_known = (f.ast.is_static || is_all) && f.ast.name != "main";
            f.is_outer = !is_known || is_handed_on(f, &handed_on);
        }
    }

    /// Test that a function is called that neither the program nor C's library has.
    fn calls_strangers(&self) -> bool {
        let mut calls = false;
        for f in &self.functions {
            f.ast.body.walk(&mut |piece| match piece {
                Piece::Expr(Expr { kind: ExprKind::Call { name, .. }, .. }) => {
                    calls |= self.callee(f.part, name).is_none() && !self.is_standard(name);
                }
                Piece::Expr(Expr { kind: ExprKind::Unmodelled(_) | ExprKind::Function(_), .. })
                | Piece::Stmt(Stmt { kind: StmtKind::Unmodelled(_), .. }) => calls = true,
                _ => {}
            });
        }
        calls
    }

    /// Names of functions of which each part makes more than calls.
    fn handed_on(&self) -> Vec<BTreeSet<&'a str>> {
        let names: BTreeSet<&str> = self.functions.iter().map(|f| f.ast.name.as_str()).collect();
        self.parts.iter().map(|p| handed_on(p, &names)).collect()
    }

    /// Variables that each function touches with all that it calls.
    fn find_touches(&mut self) {
        let mut callers = vec![vec![]; self.functions.len()];
        let mut own = vec![];
        for (id, f) in self.functions.iter().enumerate() {
            let found = Touches::of_all(self, f.part, &f.ast.body);
            found.calls.iter().for_each(|callee| callers[*callee].push(id));
            own.push(found.most());
        }
        let mut pending: Vec<FunctionId> = (0..own.len()).filter(|id| own[*id].is_some()).collect();
        own.into_iter().zip(&mut self.functions).for_each(|(touches, f)| f.touches = touches);
        while let Some(callee) = pending.pop() {
            for caller in &callers[callee] {
                if self.functions[*caller].touches < self.functions[callee].touches {
                    self.functions[*caller].touches = self.functions[callee].touches;
                    pending.push(*caller);
                }
            }
        }
    }
}

impl Program<'_> {
    /// Test that a statement is one call, all that it touches being handed over.
    fn ends_with_call(&self, part: usize, s: &Stmt) -> bool {
        matches!(&s.kind, StmtKind::Expr(e) if self.is_call(part, e))
    }

    /// Target and value of an assignment of what a function with regions returns, or of what is computed from that and from
    /// variables of the function alone: something may be said between the call and the assignment.
    pub(super) fn assigned_call<'s>(&self, part: usize, s: &'s Stmt) -> Option<(&'s Expr, &'s Expr)> {
        let StmtKind::Expr(Expr { kind: ExprKind::Assign { op: None, target, value }, .. }) = &s.kind else {
            return None;
        };
        let is_number = matches!(value.ty, Type::Int(_) | Type::Float(_));
        let mut calls = false;
        target.walk(&mut |x| calls |= matches!(x.kind, ExprKind::Call { .. } | ExprKind::Unmodelled(_)));
        (is_number && !calls && self.n_calls_within(part, value) == Some(1)).then_some((&**target, &**value))
    }

    /// Number of calls of functions with regions in an expression that touches no memory but by what it hands to them.
    fn n_calls_within(&self, part: usize, e: &Expr) -> Option<usize> {
        let local = |v: VarId| {
            let var = self.parts[part].unit.var(v);
            matches!(var.storage, Storage::Local | Storage::Param) && matches!(var.ty, Type::Int(_) | Type::Float(_))
        };
        match &e.kind {
            ExprKind::Int(_) | ExprKind::Float(..) => Some(0),
            ExprKind::Var(v) => local(*v).then_some(0),
            ExprKind::Call { name, .. } if callable::math(name).is_none() => {
                let has_regions = self.callee(part, name).is_some_and(|f| self.functions[f].has_regions);
                (has_regions && self.is_call(part, e)).then_some(1)
            }
            ExprKind::Call { .. } | ExprKind::Binary(..) | ExprKind::Cast(_) | ExprKind::Unary(UnOp::Neg, _) => {
                e.children().into_iter().map(|x| self.n_calls_within(part, x)).sum()
            }
            _ => None,
        }
    }

    /// Test for a call of a function of the program with no other call in it.
    fn is_call(&self, part: usize, e: &Expr) -> bool {
        let ExprKind::Call { name, args } = &e.kind else { return false };
        let mut calls = 0;
        args.iter().for_each(|a| {
            a.walk(&mut |x| {
                calls += usize::from(matches!(
                    x.kind,
                    ExprKind::Call { .. } | ExprKind::Unmodelled(_) | ExprKind::Function(_)
                ))
            });
        });
        calls == 0 && self.callee(part, name).is_some()
    }

    /// Who changes something, and who calls them.
    fn find_changes(&mut self, callers: &[Vec<FunctionId>]) {
        for id in 0..self.functions.len() {
            let f = &self.functions[id];
            let unit = self.parts[f.part].unit;
            let is_own = |target: &Expr| match target.kind {
                ExprKind::Var(v) => matches!(unit.var(v).storage, Storage::Local | Storage::Param),
                _ => false,
            };
            let mut changes = false;
            f.ast.body.walk(&mut |piece| {
                changes |= match piece {
                    Piece::Expr(e) => match &e.kind {
                        ExprKind::Assign { target, .. } | ExprKind::IncDec { target, .. } => !is_own(target),
                        ExprKind::Call { name, .. } => {
                            let is_silent = callable::math(name).is_some() || PRINTING.contains(&name.as_str());
                            self.callee(f.part, name).is_none() && !is_silent
                        }
                        ExprKind::Unmodelled(_) | ExprKind::Function(_) => true,
                        _ => false,
                    },
                    Piece::Stmt(s) => matches!(s.kind, StmtKind::Unmodelled(_)),
                }
            });
            self.functions[id].changes = changes;
        }
        self.spread(callers, |f| &mut f.changes);
    }

    /// What is called in the middle of an expression that touches memory itself, or where nothing can be said behind the
    /// call, goes back with everything at home.
    fn note_mixed_calls(&mut self, refused: &BTreeSet<FunctionId>) {
        // Calls that are mixed wherever they stand, and those that a function's end makes so.
        let mut mixed = vec![];
        let mut last = vec![vec![]; self.functions.len()];
        for (id, f) in self.functions.iter().enumerate() {
            f.ast.body.walk(&mut |piece| {
                let Piece::Stmt(s) = piece else { return };
                let found = Touches::of_own(self, f.part, s);
                let is_apart = self.ends_with_call(f.part, s) || self.assigned_call(f.part, s).is_some();
                if refused.contains(&id) || (found.most().is_some() && !is_apart) {
                    mixed.extend(found.calls);
                } else if matches!(s.kind, StmtKind::Return(_)) {
                    last[id].extend(found.calls);
                }
            });
        }
        let outer = last.iter().zip(&self.functions).filter(|(_, f)| f.is_outer);
        mixed.extend(outer.flat_map(|(last, _)| last));
        while let Some(f) = mixed.pop() {
            if !std::mem::replace(&mut self.functions[f].is_outer, true) {
                mixed.extend(&last[f]);
            }
        }
    }
}

/// Test for a function of whose name a part that sees it makes more than calls.
fn is_handed_on(f: &Defined, handed_on: &[BTreeSet<&str>]) -> bool {
    let sees = |part: usize| part == f.part || !f.ast.is_static;
    handed_on.iter().enumerate().any(|(part, names)| sees(part) && names.contains(f.ast.name.as_str()))
}

/// Call of a function: who calls it, and where.
pub type Caller = (FunctionId, Span);

/// The functions of these files, and all calls of each; `None` where there may be others.
pub fn callers<'a>(parts: &'a [Part<'a>], is_whole: bool) -> (Program<'a>, Vec<Option<Vec<Caller>>>) {
    let program = Program::of(parts, is_whole);
    let is_all = is_whole && program.public.contains_key("main");
    let handed_on = program.handed_on();
    let is_seen = |f: &Defined| (f.ast.is_static || is_all) && f.ast.name != "main" && !is_handed_on(f, &handed_on);
    let mut out: Vec<Option<Vec<Caller>>> = program.functions.iter().map(|f| is_seen(f).then(Vec::new)).collect();
    for (id, f) in program.functions.iter().enumerate() {
        f.ast.body.walk(&mut |piece| match piece {
            Piece::Expr(Expr { kind: ExprKind::Call { name, .. }, span, .. }) => {
                if let Some(calls) = program.callee(f.part, name).and_then(|callee| out[callee].as_mut()) {
                    calls.push((id, *span));
                }
            }
            Piece::Expr(Expr { kind: ExprKind::Unmodelled(_) | ExprKind::Function(_), span, .. })
            | Piece::Stmt(Stmt { kind: StmtKind::Unmodelled(_), span, .. }) => {
                program.named_in(f.part, *span).into_iter().for_each(|callee| out[callee] = None);
            }
            _ => {}
        });
    }
    (program, out)
}

/// Test that a pointer to numbers is made one to numbers of another size or kind. Memory that has just been allocated, and
/// bytes, are none yet.
fn puns(body: &Stmt) -> bool {
    let pointee = |ty: &Type| match ty {
        Type::Pointer { to, .. } | Type::Array { of: to, .. } => {
            scalar_type(to).map(kind).filter(|(_, bits)| *bits != 8)
        }
        _ => None,
    };
    let mut puns = false;
    body.walk(&mut |piece| {
        if let Piece::Expr(Expr { kind: ExprKind::Cast(x), ty, .. }) = piece {
            puns |= pointee(ty).zip(pointee(&x.ty)).is_some_and(|(to, from)| to != from);
        }
    });
    puns
}
