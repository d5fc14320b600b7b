//! The functions of a program, over all its files: who calls whom, and what each touches on the host.

use super::touches::{Touches, Use};
use super::{ENDING, PRINTING, Part, is_standard};
use crate::ast::visit::Piece;
use crate::ast::{Expr, ExprKind, Function, Stmt, StmtKind, Storage, Type, Var};
use crate::dag::plan::Param;
use crate::kernel::ScalarType;
use crate::region::{callers, functions};
use crate::schedule::lower::scalar_type;
use crate::source::Span;
use crate::source::lex::TokenKind;
use std::collections::{BTreeMap, BTreeSet};

/// A function, by its place in [`Program::functions`].
pub type FunctionId = usize;

/// A function with a body.
pub struct Defined<'a> {
    pub part: usize,
    pub ast: &'a Function,
    /// Regions of its own, by their place in [`Part::regions`].
    pub regions: Vec<usize>,
    /// Whether it comes to a region, by itself or through what it calls.
    pub has_regions: bool,
    /// Whether somebody may call it whom we do not know: then it goes back with everything at home.
    pub is_outer: bool,
    /// What it touches on the host with all that it calls, but for functions with regions.
    pub touches: Option<Use>,
    /// Whether it may change more than variables of its own.
    pub changes: bool,
}

/// What the whole program shows.
pub struct Program<'a> {
    pub parts: &'a [Part<'a>],
    /// Whether there are no other files.
    is_whole: bool,
    pub functions: Vec<Defined<'a>>,
    /// Bits and kind of the numbers in arrays that may stay.
    kinds: BTreeSet<(bool, u32)>,
    /// Whether numbers of one type may be reached as such of another.
    is_punned: bool,
    /// Global variables whose address is taken somewhere, by name.
    addressed: BTreeSet<&'a str>,
    /// What is named somewhere without a subscript behind it, or stays as an array of a region's.
    led_to: BTreeSet<&'a str>,
    named: BTreeMap<(usize, &'a str), FunctionId>,
    public: BTreeMap<&'a str, FunctionId>,
}

impl<'a> Program<'a> {
    /// Reads the files, which are all of the program or not; `may_leave` are the regions that may leave something, by part and place; `refused` are functions
    /// in which nothing can be said between two statements.
    pub fn new(
        parts: &'a [Part<'a>],
        is_whole: bool,
        may_leave: &BTreeSet<(usize, usize)>,
        refused: &BTreeSet<FunctionId>,
    ) -> Program<'a> {
        let mut kinds = BTreeSet::new();
        for (part, region) in may_leave {
            let arrays = parts[*part].regions[*region].arrays.iter().filter(|a| a.may_stay);
            kinds.extend(arrays.map(|a| kind(a.ty)));
        }
        let mut program = Program {
            parts,
            is_whole,
            functions: vec![],
            kinds,
            is_punned: parts.iter().any(|p| p.unit.functions.iter().any(|f| puns(&f.body))),
            addressed: BTreeSet::new(),
            led_to: BTreeSet::new(),
            named: BTreeMap::new(),
            public: BTreeMap::new(),
        };
        for (part, region) in may_leave {
            let region = &parts[*part].regions[*region];
            program.led_to.extend(region.params.iter().filter_map(|p| match p {
                Param::Array { c_expr, .. } => Some(c_expr.as_str()),
                _ => None,
            }));
        }
        for (part, p) in parts.iter().enumerate() {
            for ast in &p.unit.functions {
                let id = program.functions.len();
                let within = |at: &usize| ast.body.span.contains(p.regions[*at].span.lo);
                let regions: Vec<usize> = (0..p.regions.len()).filter(within).collect();
                let has_regions = !regions.is_empty();
                program.functions.push(Defined {
                    part,
                    ast,
                    regions,
                    has_regions,
                    is_outer: false,
                    touches: None,
                    changes: true,
                });
                program.named.insert((part, &ast.name), id);
                if !ast.is_static {
                    program.public.insert(&ast.name, id);
                }
            }
            program.note_names(p);
        }
        program.spread(|f| f.has_regions, |f| f.has_regions = true);
        program.find_outer();
        program.find_touches();
        program.find_changes();
        program.note_mixed_calls(refused);
        program
    }

    /// The function that a call in a part comes to, if the program has it.
    pub fn callee(&self, part: usize, name: &str) -> Option<FunctionId> {
        self.named.get(&(part, name)).or_else(|| self.public.get(name)).copied()
    }

    /// Whether a function of C's library is called, and nothing else.
    pub fn is_standard(&self, name: &str) -> bool {
        is_standard(name) && (self.is_whole || !ENDING.contains(&name))
    }

    /// Whether numbers of that type may be among those that stay. A character may be a part of any number, and any number be
    /// made of characters (C17 6.5, paragraph 7).
    pub fn stays(&self, ty: ScalarType) -> bool {
        let (is_float, bits) = kind(ty);
        let is_any = self.is_punned || bits == 8;
        !self.kinds.is_empty() && (is_any || self.kinds.contains(&(is_float, bits)) || self.kinds.contains(&(false, 8)))
    }

    /// Whether a global's address is taken, here or in a file that is not known.
    pub fn is_addressed(&self, name: &str) -> bool {
        !self.is_whole || self.addressed.contains(name)
    }

    /// Whether bytes may be among what stays.
    pub fn stays_bytes(&self) -> bool {
        self.kinds.contains(&(false, 8))
    }

    /// Whether a global array may be what stays: a region has it, or a pointer may lead to it. Of one with rows, rows are
    /// pointers too.
    pub fn may_be_led_to(&self, var: &Var) -> bool {
        let is_flat = matches!(&var.ty, Type::Array { of, .. } if of.is_scalar());
        !is_flat || self.is_addressed(&var.name) || self.led_to.contains(var.name.as_str())
    }

    /// The functions with regions that a statement of a part may call.
    pub fn calls(&self, part: usize, s: &Stmt) -> Vec<FunctionId> {
        let mut out = self.callees(part, s);
        out.retain(|f| self.functions[*f].has_regions);
        out
    }

    /// The program's functions that a statement may call, whether it is modelled or not.
    fn callees(&self, part: usize, s: &Stmt) -> Vec<FunctionId> {
        let mut out = vec![];
        s.walk(&mut |piece| match piece {
            Piece::Expr(Expr { kind: ExprKind::Call { name, .. }, .. }) => out.extend(self.callee(part, name)),
            Piece::Expr(Expr { kind: ExprKind::Unmodelled(_), span, .. })
            | Piece::Stmt(Stmt { kind: StmtKind::Unmodelled(_), span, .. }) => out.extend(self.named_in(part, *span)),
            _ => {}
        });
        out
    }

    /// The functions that bytes of a part name.
    pub fn named_in(&self, part: usize, span: Span) -> Vec<FunctionId> {
        let source = self.parts[part].source;
        let inside = source.tokens().iter().filter(|t| span.contains(t.span.lo));
        inside.filter_map(|t| self.callee(part, t.text(&source.text))).collect()
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
        for id in 0..self.functions.len() {
            let f = &self.functions[id];
            let is_known = (f.ast.is_static || is_all) && f.ast.name != "main";
            let is_outer = !is_known || self.is_handed_on(f);
            self.functions[id].is_outer = is_outer;
        }
    }

    /// Whether a function is called that neither the program nor C's library has.
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

    /// Whether something else is made of its name than calls in the functions that are known.
    fn is_handed_on(&self, f: &Defined) -> bool {
        let sees = |part: usize| part == f.part || !f.ast.is_static;
        self.parts.iter().enumerate().filter(|(part, _)| sees(*part)).any(|(_, p)| {
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
            let hidden: Vec<Span> = all.filter(hides).collect();
            let is_hidden = |k: usize| hidden.iter().any(|g| g.contains(tokens[k].span.lo));
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
    /// Whether a statement is one call, all that it touches being handed over.
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
                            let is_silent = functions::math(name).is_some() || PRINTING.contains(&name.as_str());
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

/// Whether a pointer to numbers is made one to numbers of another size or kind. Memory that has just been allocated, and
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

fn kind(ty: ScalarType) -> (bool, u32) {
    match ty {
        ScalarType::Index => (false, 64),
        ScalarType::Int(kind) => (false, kind.bits()),
        ScalarType::Float(_) => (true, (ty.size(64) * 8) as u32),
    }
}
