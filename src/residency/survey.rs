//! Surveys a program: who is called from where, what changes something, what each function touches.

use super::needs::{FunctionId, Part};
use super::program::{Defined, Program, kind};
use super::standard::PRINTING;
use super::touches::Touches;
use crate::ast::visit::Piece;
use crate::ast::{Expr, ExprKind, Stmt, StmtKind, Storage, Type, Var};
use crate::facts::callable;
use crate::host_plan::ir::Param;
use crate::region::callers;
use crate::schedule::lower::scalar_type;
use crate::source::lex::TokenKind;
use crate::source::{Source, Span};
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
        let arrays = parts[*part].regions[*region].arrays.iter().filter(|a| a.may_stay);
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
    program.spread(|f| f.has_regions, |f| f.has_regions = true);
    program.find_outer();
    program.find_touches();
    program.find_changes();
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
        };
        for (part, p) in parts.iter().enumerate() {
            for ast in &p.unit.functions {
                let id = program.functions.len();
                let within = |at: &usize| ast.body.span.contains(p.regions[*at].span.lo);
                let regions: Vec<usize> = (0..p.regions.len()).filter(within).collect();
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
    fn spread(&mut self, holds: fn(&Defined) -> bool, set: fn(&mut Defined)) {
        loop {
            let calls_one = |f: &Defined| {
                let callees = self.callees(f.part, &f.ast.body);
                !holds(f) && callees.iter().any(|f| holds(&self.functions[*f]))
            };
            let more: Vec<FunctionId> = (0..self.functions.len()).filter(|f| calls_one(&self.functions[*f])).collect();
            if more.is_empty() {
                return;
            }
            more.into_iter().for_each(|f| set(&mut self.functions[f]));
        }
    }

    /// Everybody is known who calls a function that is static, or in a program that is all here; of whose name nothing is
    /// made but calls.
    fn find_outer(&mut self) {
        let is_all = self.public.contains_key("main") && !self.calls_strangers();
        let records: Vec<Vec<Span>> = self.parts.iter().map(|p| records(p.source)).collect();
        for id in 0..self.functions.len() {
            let f = &self.functions[id];
            let is_known = (f.ast.is_static || is_all) && f.ast.name != "main";
            let is_outer = !is_known || self.is_handed_on(f, &records);
            self.functions[id].is_outer = is_outer;
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
                Piece::Expr(Expr { kind: ExprKind::Unmodelled(_), .. })
                | Piece::Stmt(Stmt { kind: StmtKind::Unmodelled(_), .. }) => calls = true,
                _ => {}
            });
        }
        calls
    }

    /// Test that something else is made of its name than calls in the functions that are known. `records`: bodies of structures in each
    /// part.
    fn is_handed_on(&self, f: &Defined, records: &[Vec<Span>]) -> bool {
        let sees = |part: usize| part == f.part || !f.ast.is_static;
        self.parts.iter().enumerate().filter(|(part, _)| sees(*part)).any(|(part, p)| {
            let tokens = p.source.tokens();
            let text = |k: usize| tokens.get(k).map(|t| t.text(&p.source.text));
            let is_outside = |k: usize| p.unit.functions.iter().all(|g| !g.body.span.contains(tokens[k].span.lo));
            let is_strange = |k: usize| text(k + 1) != Some("(") || (is_outside(k) && !callers::declares(p.source, k));
            // A variable may bear its name.
            let hides = |g: &Span| {
                let of_g = |v: &&Var| g.contains(v.span.lo) && v.storage != Storage::Global;
                p.unit.vars.iter().filter(of_g).any(|v| v.name == f.ast.name)
            };
            let all = p.unit.functions.iter().map(|g| Span { lo: g.span.lo.min(g.body.span.lo), hi: g.body.span.hi });
            let hidden: Vec<Span> = all.filter(hides).chain(records[part].iter().copied()).collect();
            let is_member = |k: usize| k > 0 && matches!(text(k - 1), Some("." | "->"));
            let is_hidden = |k: usize| is_member(k) || hidden.iter().any(|g| g.contains(tokens[k].span.lo));
            (0..tokens.len()).any(|k| text(k) == Some(&f.ast.name) && !is_hidden(k) && is_strange(k))
        })
    }

    fn find_touches(&mut self) {
        loop {
            let mut changes = vec![];
            for (id, f) in self.functions.iter().enumerate() {
                let touches = Touches::of_all(self, f.part, &f.ast.body).most();
                if touches != f.touches {
                    changes.push((id, touches));
                }
            }
            if changes.is_empty() {
                return;
            }
            changes.into_iter().for_each(|(id, touches)| self.functions[id].touches = touches);
        }
    }
}

impl Program<'_> {
    /// Test that a statement is one call, all that it touches being handed over.
    fn ends_with_call(&self, part: usize, s: &Stmt) -> bool {
        let StmtKind::Expr(e) = &s.kind else { return false };
        let ExprKind::Call { name, args } = &e.kind else { return false };
        let mut calls = 0;
        args.iter().for_each(|a| {
            a.walk(&mut |x| calls += usize::from(matches!(x.kind, ExprKind::Call { .. } | ExprKind::Unmodelled(_))));
        });
        calls == 0 && self.callee(part, name).is_some()
    }

    /// Who changes something, and who calls them.
    fn find_changes(&mut self) {
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
                        ExprKind::Unmodelled(_) => true,
                        _ => false,
                    },
                    Piece::Stmt(s) => matches!(s.kind, StmtKind::Unmodelled(_)),
                }
            });
            self.functions[id].changes = changes;
        }
        self.spread(|f| f.changes, |f| f.changes = true);
    }

    /// What is called in the middle of an expression that touches memory itself, or where nothing can be said behind the
    /// call, goes back with everything at home.
    fn note_mixed_calls(&mut self, refused: &BTreeSet<FunctionId>) {
        loop {
            let mut mixed = BTreeSet::new();
            for (id, f) in self.functions.iter().enumerate() {
                let is_refused = refused.contains(&id);
                f.ast.body.walk(&mut |piece| {
                    let Piece::Stmt(s) = piece else { return };
                    let found = Touches::of_own(self, f.part, s);
                    let is_last = f.is_outer && matches!(s.kind, StmtKind::Return(_));
                    let touches = found.most().is_some() && !self.ends_with_call(f.part, s);
                    if is_refused || is_last || touches {
                        mixed.extend(found.calls);
                    }
                });
            }
            mixed.retain(|f| !self.functions[*f].is_outer);
            if mixed.is_empty() {
                return;
            }
            mixed.into_iter().for_each(|f| self.functions[f].is_outer = true);
        }
    }
}

/// Call of a function: who calls it, and where.
pub type Caller = (FunctionId, Span);

/// The functions of these files, and all calls of each; `None` where there may be others.
pub fn callers<'a>(parts: &'a [Part<'a>], is_whole: bool) -> (Program<'a>, Vec<Option<Vec<Caller>>>) {
    let program = Program::of(parts, is_whole);
    let is_all = is_whole && program.public.contains_key("main");
    let records: Vec<Vec<Span>> = parts.iter().map(|p| records(p.source)).collect();
    let is_seen =
        |f: &Defined| (f.ast.is_static || is_all) && f.ast.name != "main" && !program.is_handed_on(f, &records);
    let mut out: Vec<Option<Vec<Caller>>> = program.functions.iter().map(|f| is_seen(f).then(Vec::new)).collect();
    for (id, f) in program.functions.iter().enumerate() {
        f.ast.body.walk(&mut |piece| match piece {
            Piece::Expr(Expr { kind: ExprKind::Call { name, .. }, span, .. }) => {
                if let Some(calls) = program.callee(f.part, name).and_then(|callee| out[callee].as_mut()) {
                    calls.push((id, *span));
                }
            }
            Piece::Expr(Expr { kind: ExprKind::Unmodelled(_), span, .. })
            | Piece::Stmt(Stmt { kind: StmtKind::Unmodelled(_), span, .. }) => {
                program.named_in(f.part, *span).into_iter().for_each(|callee| out[callee] = None);
            }
            _ => {}
        });
    }
    (program, out)
}

/// Bodies of structures and unions, between their braces: there names are those of members, and of types.
fn records(source: &Source) -> Vec<Span> {
    let tokens = source.tokens();
    let text = |k: usize| tokens.get(k).map(|t| t.text(&source.text));
    let mut out = vec![];
    for k in (0..tokens.len()).filter(|k| matches!(text(*k), Some("struct" | "union"))) {
        let Some(first) = [k + 1, k + 2].into_iter().find(|at| text(*at) == Some("{")) else { continue };
        let mut depth = 0;
        let last = (first..tokens.len()).find(|at| {
            depth += i32::from(text(*at) == Some("{")) - i32::from(text(*at) == Some("}"));
            depth == 0
        });
        out.extend(last.map(|last| Span { lo: tokens[first].span.lo, hi: tokens[last].span.hi }));
    }
    out
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
