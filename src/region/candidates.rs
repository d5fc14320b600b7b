//! Candidate regions: by directive, by the configuration's function names, or the largest runs of statements that can
//! be modelled.

use super::copies;
use super::divide::divide;
use super::hints::Hints;
use super::names::RegionNames;
use super::parts::Parts;
use crate::ast::visit::Piece;
use crate::ast::{BinOp, Expr, ExprKind, Function, Stmt, StmtKind, Type, UnOp, Unit};
use crate::config::Asked;
use crate::facts::function::FunctionFacts;
use crate::facts::loops::{has_loop, is_loop, is_open};
use crate::facts::{Reason, effects, reduction, remedy};
use crate::normalize::form::{End, Rotation};
use crate::normalize::{NormalForms, exit_values, forward_substitution};
use crate::source::Span;
use crate::source::directive::{Directive, DirectiveKind};
use indexmap::{IndexMap, IndexSet};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Statements with loops in one region at most. Dependences are asked for each pair of its loops: a function of thousands of them is
/// converted in regions of so many, between which its data stay on the device.
const MOST_LOOPS: usize = 64;

/// A run of statements to convert.
#[derive(Debug)]
pub struct Candidate<'a> {
    /// A C identifier, unique in the file.
    pub name: String,
    pub function: &'a Function,
    /// What is known of the function, found for all of its candidates.
    pub facts: Arc<FunctionFacts<'a>>,
    /// As they stand in the file.
    pub stmts: Vec<&'a Stmt>,
    /// As they are analysed, in each form that may be.
    pub forms: Vec<Cow<'a, Stmt>>,
    /// The pointers that its last statement exchanges.
    pub rotation: Option<&'a Rotation>,
    /// The pointers that its last statement moves and that are read behind it.
    pub ends: &'a [End],
    /// The functions whose bodies stand in it in the place of their calls.
    pub opened: IndexSet<&'a str>,
    pub parts: Parts,
    /// Marked by the user.
    pub is_marked: bool,
    /// The loop around it that stays on the host, and why.
    pub around: Option<Declined>,
    /// What the mark says of how it is to be converted.
    pub asked: Asked,
}

impl Candidate<'_> {
    /// From the first statement to the end of the last.
    pub fn span(&self) -> Span {
        Span { lo: self.stmts[0].span.lo, hi: self.stmts[self.stmts.len() - 1].span.hi }
    }

    /// Test that each call of the function comes to it, as far as can be seen: no loop or condition is around it, and
    /// nothing before it returns.
    pub fn is_entered(&self) -> bool {
        self.facts.comes_to(self.stmts[0])
    }
}

/// What was found in a file.
#[derive(Debug, Default)]
pub struct Found<'a> {
    pub candidates: Vec<Candidate<'a>>,
    /// Loops that stay on the host, and why.
    pub declined: Vec<Declined>,
}

/// A statement that stays on the host, and the reason, which may lie in a function that it calls.
#[derive(Debug, Clone)]
pub struct Declined {
    pub whole: Span,
    pub reason: Reason,
}

/// What is searched for in a file.
pub struct Wanted<'w> {
    /// Functions of which the configuration speaks; where there are any, only they and what is marked are searched.
    pub functions: &'w [String],
    /// Regions of which the configuration speaks by name.
    pub names: &'w [String],
    /// Names that regions of other files have.
    pub taken: &'w RegionNames,
    /// Functions that nothing is searched in unless something is marked.
    pub unused: &'w BTreeSet<&'w str>,
}

/// Finds the candidates of a file: what directives mark; and, in the functions that the configuration names, or in all
/// of a file without marks and names, whatever can be modelled.
pub fn find<'a>(unit: &'a Unit, forms: &'a NormalForms, wanted: &Wanted, hints: &Hints) -> Found<'a> {
    let mut found = Found::default();
    let marks = marks(unit);
    let mut taken = wanted.taken.clone();
    marks.keys().for_each(|name| taken.insert(name.to_string()));
    let is_open = wanted.functions.is_empty() && !unit.functions.iter().any(|f| has_marks(&f.body));
    for f in &unit.functions {
        let StmtKind::Block(body) = &f.body.kind else { continue };
        if f.directives.iter().any(|d| d.kind == DirectiveKind::Host) {
            continue;
        }
        let by_name = wanted.names.iter().any(|n| n.strip_prefix(&f.name).is_some_and(|n| n.starts_with('_')));
        let mut search = Search {
            unit,
            forms,
            function: f,
            facts: Arc::new(FunctionFacts::of(unit, f)),
            hints,
            found: &mut found,
            taken: &mut taken,
            n_regions: 0,
            asked: Asked::default(),
        };
        if has_marks(&f.body) {
            search.marked(body);
        } else if is_open && !wanted.unused.contains(f.name.as_str()) || wanted.functions.contains(&f.name) {
            search.largest_runs(&body.iter().collect::<Vec<_>>());
        } else if by_name {
            let before = (search.found.candidates.len(), search.found.declined.len());
            search.largest_runs(&body.iter().collect::<Vec<_>>());
            let new = found.candidates.split_off(before.0);
            found.candidates.extend(new.into_iter().filter(|c| wanted.names.contains(&c.name)));
            found.declined.truncate(before.1);
        }
    }
    found
}

/// What a candidate still holds that was found not to convert as a whole: its statements one by one, or what is in its
/// one statement.
pub fn inside<'a>(
    unit: &'a Unit,
    forms: &'a NormalForms,
    hints: &Hints,
    candidate: &Candidate<'a>,
    taken: &mut RegionNames,
) -> Vec<Candidate<'a>> {
    let mut found = Found::default();
    let (function, facts, asked) = (candidate.function, candidate.facts.clone(), candidate.asked);
    let mut search = Search { unit, forms, function, facts, hints, found: &mut found, taken, n_regions: 0, asked };
    match candidate.stmts.as_slice() {
        [one] => search.search_inside(one),
        several => several.iter().for_each(|s| search.close(vec![s])),
    }
    found.candidates
}

/// Reason why a statement is no candidate by itself.
pub fn refusal<'a>(
    unit: &'a Unit,
    forms: &'a NormalForms,
    hints: &Hints,
    function: &'a Function,
    s: &'a Stmt,
) -> Option<Reason> {
    let (mut found, mut taken) = (Found::default(), RegionNames::default());
    let (found, taken) = (&mut found, &mut taken);
    let (facts, asked) = (Arc::new(FunctionFacts::of(unit, function)), Asked::default());
    let search = Search { unit, forms, function, facts, hints, found, taken, n_regions: 0, asked };
    search.divide(&[s]).err()
}

/// The names that directives give, each with its first directive.
pub fn marks(unit: &Unit) -> IndexMap<&str, &Directive> {
    let mut out = IndexMap::new();
    for f in &unit.functions {
        marks_in(&f.body, &mut |name, d| {
            out.entry(name).or_insert(d);
        });
    }
    out
}

/// A directive that gives a name that another gave before it: the name, this one, that one.
pub fn named_twice(unit: &Unit) -> Option<(&str, &Directive, &Directive)> {
    let first = marks(unit);
    let mut again = None;
    for f in &unit.functions {
        marks_in(&f.body, &mut |name, d| {
            again = again.or(first.get(name).filter(|other| other.span != d.span).map(|other| (name, d, *other)));
        });
    }
    again
}

fn marks_in<'a>(body: &'a Stmt, f: &mut dyn FnMut(&'a str, &'a Directive)) {
    body.walk(&mut |p| {
        if let Piece::Stmt(Stmt { kind: StmtKind::Directive(d), .. }) = p
            && let DirectiveKind::RegionBegin { name: Some(name), .. } = &d.kind
        {
            f(name, d);
        }
    });
}

struct Search<'a, 'b> {
    unit: &'a Unit,
    forms: &'a NormalForms,
    function: &'a Function,
    facts: Arc<FunctionFacts<'a>>,
    hints: &'b Hints,
    found: &'b mut Found<'a>,
    /// Names that no region of this file may be given.
    taken: &'b mut RegionNames,
    n_regions: usize,
    /// Of the region that is searched.
    asked: Asked,
}

impl<'a> Search<'a, '_> {
    fn marked(&mut self, block: &'a [Stmt]) {
        let mut open: Option<(usize, Option<&String>, Asked)> = None;
        for (i, s) in block.iter().enumerate() {
            match &s.kind {
                StmtKind::Directive(d) => match &d.kind {
                    DirectiveKind::RegionBegin { name, asked } => open = Some((i + 1, name.as_ref(), *asked)),
                    DirectiveKind::RegionEnd => {
                        if let Some((first, name, asked)) = open.take() {
                            self.asked = asked;
                            self.marked_run(&block[first..i], name);
                            self.asked = Asked::default();
                        }
                    }
                    _ => {}
                },
                _ if open.is_none() => children(s).into_iter().for_each(|b| self.marked(b)),
                _ => {}
            }
        }
    }

    fn marked_run(&mut self, stmts: &'a [Stmt], name: Option<&String>) {
        let stmts: Vec<&Stmt> = stmts.iter().collect();
        if stmts.is_empty() {
            return;
        }
        let ends_early = self.ends_before(&stmts).is_some();
        if ends_early || stmts.iter().any(|s| holds_host_only(self.forms.of(s))) {
            return self.largest_runs(&stmts);
        }
        match self.divide(&stmts) {
            Ok((forms, parts)) => self.accept(stmts, forms, parts, name, true),
            Err(reason) => {
                self.decline(stmts[0], reason);
                self.largest_runs(&stmts);
            }
        }
    }

    fn accept(
        &mut self,
        stmts: Vec<&'a Stmt>,
        forms: Vec<Cow<'a, Stmt>>,
        parts: Parts,
        name: Option<&String>,
        is_marked: bool,
    ) {
        let name = name.cloned().unwrap_or_else(|| {
            let of_number = |n: usize| format!("{}_{n}", self.function.name);
            while self.taken.contains(&of_number(self.n_regions)) {
                self.n_regions += 1;
            }
            of_number(self.n_regions)
        });
        self.n_regions += 1;
        self.taken.insert(name.clone());
        let rotation = stmts.last().and_then(|s| self.forms.rotation(s));
        let ends = stmts.last().map_or(&[][..], |s| self.forms.ends(s));
        let opened = stmts.iter().flat_map(|s| self.forms.opened(s)).collect();
        let (function, facts, asked) = (self.function, self.facts.clone(), self.asked);
        let around = None;
        let candidate =
            Candidate { name, function, facts, stmts, forms, rotation, ends, opened, parts, is_marked, around, asked };
        self.found.candidates.push(candidate);
    }

    /// A run of statements as it is analysed, and its parts. A call that could not be opened says why.
    fn divide(&self, stmts: &[&'a Stmt]) -> Result<(Vec<Cow<'a, Stmt>>, Parts), Reason> {
        let forms = self.in_a_row(stmts, &|s| self.forms.of(s));
        let conditions: Vec<Expr> = stmts.iter().flat_map(|s| self.forms.conditions(s)).cloned().collect();
        let under_conditions = |mut parts: Parts| {
            parts.require(&conditions);
            parts
        };
        let parts = self.parts(&forms).map(under_conditions);
        if stmts.iter().any(|s| self.forms.without_tiles(s).is_some()) {
            let whole = self.in_a_row(stmts, &|s| self.forms.without_tiles(s).unwrap_or(self.forms.of(s)));
            if let Ok(first) = self.parts(&whole) {
                return Ok((whole.into_iter().chain(forms).collect(), under_conditions(first.or(parts.ok()))));
            }
        }
        parts.map(|parts| (forms, parts)).map_err(|reason| match self.forms.refusal(reason.span) {
            Some(why) if reason.code == "call" => {
                let message = format!("this call cannot be part of a region: {why}");
                Reason::new("call", message, reason.span)
                    .help(remedy!("move the call out of the loop, or write here what the function computes"))
            }
            _ => reason,
        })
    }

    fn parts(&self, forms: &[Cow<'a, Stmt>]) -> Result<Parts, Reason> {
        divide(self.unit, &forms.iter().map(|s| &**s).collect::<Vec<_>>(), self.hints)
    }

    /// Forms of a run of statements, with values put forward from each to the next ones.
    fn in_a_row(&self, stmts: &[&'a Stmt], form: &dyn Fn(&'a Stmt) -> &'a Stmt) -> Vec<Cow<'a, Stmt>> {
        // What a loop leaves in its counter stands behind it: beside what reads it.
        let each = stmts.iter().flat_map(|s| match form(s) {
            Stmt { kind: StmtKind::Block(list), directives, .. } if is_loop(s) && directives.is_empty() => list,
            form => std::slice::from_ref(form),
        });
        let (Some(first), Some(last), true) = (stmts.first(), stmts.last(), stmts.len() > 1) else {
            return each.map(Cow::Borrowed).collect();
        };
        let span = Span { lo: first.span.lo, hi: last.span.hi };
        let mut run = Stmt { kind: StmtKind::Block(each.cloned().collect()), span, directives: vec![] };
        forward_substitution::put_forward(self.unit, &self.facts, &mut run);
        let StmtKind::Block(mut list) = run.kind else { unreachable!("a block stays one") };
        exit_values::settle(self.unit, &self.facts.seen, &mut list);
        list.into_iter().map(Cow::Owned).collect()
    }

    /// Runs of statements that can each be modelled; what cannot is searched inside.
    fn largest_runs(&mut self, stmts: &[&'a Stmt]) {
        let mut run: Vec<&'a Stmt> = vec![];
        for s in stmts {
            let whole = !holds_host_only(self.forms.of(s)) && self.divide(&[s]).is_ok();
            if whole {
                run.push(s);
                continue;
            }
            self.close(std::mem::take(&mut run));
            self.search_inside(s);
        }
        self.close(run);
    }

    fn search_inside(&mut self, s: &'a Stmt) {
        let is_whole = |reason: &Reason| reason.code == copies::THREADPRIVATE;
        let kept = self.hints.lost(s).or_else(|reason| if is_whole(&reason) { Err(reason) } else { Ok(()) });
        if let Err(reason) = reduction::check_clauses(self.unit, s).and(kept) {
            return self.decline(s, reason);
        }
        let (before, declined) = (self.found.candidates.len(), self.found.declined.len());
        if !is_host_only(s) {
            for b in children(s) {
                self.largest_runs(&b.iter().collect::<Vec<_>>());
            }
        }
        let n_new = self.found.candidates.len() - before;
        // A loop that ends early needs one around it whose threads run it: what keeps that one is the reason.
        let says_nothing = n_new == 0 && self.found.declined[declined..].iter().all(|d| d.reason.code == "jump");
        if has_loop(self.forms.of(s))
            && !holds_host_only(self.forms.of(s))
            && let Err(reason) = self.divide(&[s])
        {
            // What is in a loop of the host moves at each of its steps, for want of little.
            // Loops without arrays may be what each thread runs of this one.
            let is_within = |c: &Candidate| c.stmts.iter().all(|s| !has_element(self.forms.of(s)));
            let is_own = self.found.candidates[before..].iter().all(is_within);
            let is_near = n_new > 0 && is_loop(s) && (is_own || ["return", "row-moved"].contains(&reason.code));
            if says_nothing {
                self.found.declined.truncate(declined);
            }
            if says_nothing || is_near {
                self.decline(s, reason.clone());
            }
            if is_loop(s) {
                let around = Declined { whole: s.span, reason };
                self.found.candidates[before..].iter_mut().for_each(|c| _ = c.around.get_or_insert(around.clone()));
            }
        }
    }

    fn close(&mut self, mut run: Vec<&'a Stmt>) {
        let is_work = |s: &&Stmt| has_loop_of_work(self.forms.of(s));
        let is_work_at = |(_, s): &(usize, &&Stmt)| has_loop_of_work(self.forms.of(s));
        let end = run.iter().rposition(is_work).map_or(0, |at| at + 1);
        let begin = run.iter().position(is_work).unwrap_or(0);
        let beside: Vec<&Stmt> = run.drain(end..).collect();
        let beside: Vec<&Stmt> = run.drain(..begin).chain(beside).collect();
        beside
            .into_iter()
            .filter(|s| has_loop(self.forms.of(s)))
            .for_each(|s| self.decline(s, Reason::no_work(s.span)));
        if run.is_empty() {
            return;
        }
        let is_full = run.iter().enumerate().filter(is_work_at).nth(MOST_LOOPS).map(|(at, _)| at);
        if let Some(at) = is_full.or_else(|| self.ends_before(&run)) {
            let later = run.split_off(at);
            self.close(run);
            self.close(later);
            return;
        }
        // A loop that only its run tells the end of stands alone: so the rest of it can be a region, too.
        if run.len() > 1
            && let Some(at) = run.iter().position(|s| self.is_open(s))
        {
            let mut later = run.split_off(at);
            let behind = later.split_off(1);
            return [run, later, behind].into_iter().for_each(|run| self.close(run));
        }
        // A declaration whose variable is used after the run must stay outside it.
        if let Some(at) = run.iter().position(|s| self.declares_for_later(s, &run)) {
            let later = run.split_off(at + 1);
            run.pop();
            self.close(run);
            self.close(later);
            return;
        }
        // Loops that stand under a condition alone are called where it holds.
        if let [s] = run.as_slice()
            && is_of_numbers(s)
        {
            let before = self.found.candidates.len();
            self.search_inside(s);
            if self.found.candidates.len() > before {
                return;
            }
        }
        match self.divide(&run) {
            Ok((forms, parts)) => self.accept(run, forms, parts, None, false),
            Err(_) if run.len() > 1 => run.into_iter().for_each(|s| self.close(vec![s])),
            Err(reason) => self.decline(run[0], reason),
        }
    }

    /// The first statement of a run that must not be in one region with those before it: there pointers point elsewhere, or
    /// numbers are others that names of arrays are made of.
    fn ends_before(&self, run: &[&Stmt]) -> Option<usize> {
        let mut assigned = BTreeSet::new();
        (1..run.len()).find(|at| {
            assigned.extend(effects::assigned([self.forms.of(run[at - 1])]));
            self.forms.sets_pointers(run[at - 1]) || self.forms.begins_anew(run[*at], &assigned)
        })
    }

    /// Test for a loop of unknown length, also as it is analysed.
    fn is_open(&self, s: &Stmt) -> bool {
        is_open(s) && self.forms.of(s).listed().iter().any(|form| form.span == s.span && is_open(form))
    }

    fn decline(&mut self, s: &Stmt, reason: Reason) {
        self.found.declined.push(Declined { whole: s.span, reason });
    }

    fn declares_for_later(&self, s: &Stmt, run: &[&Stmt]) -> bool {
        let StmtKind::Decl(ds) = &s.kind else { return false };
        let region = Span { lo: run[0].span.lo, hi: run[run.len() - 1].span.hi };
        ds.iter().any(|d| self.facts.last_named(d.var).is_some_and(|at| at >= region.hi))
    }
}

/// The blocks directly below a statement.
fn children(s: &Stmt) -> Vec<&[Stmt]> {
    match &s.kind {
        StmtKind::Block(b) => vec![b],
        StmtKind::For { body, .. } | StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } => {
            vec![body.listed()]
        }
        StmtKind::If { then, other, .. } => std::iter::once(then).chain(other).map(|s| s.listed()).collect(),
        _ => vec![],
    }
}

/// Test for a condition of numbers, which the host has at hand.
fn is_of_numbers(s: &Stmt) -> bool {
    let StmtKind::If { cond, .. } = &s.kind else { return false };
    let mut is_of_numbers = true;
    cond.walk(&mut |e| is_of_numbers &= !is_element(e) && !matches!(e.kind, ExprKind::Call { .. }));
    is_of_numbers
}

fn has_marks(s: &Stmt) -> bool {
    let mut found = false;
    s.walk(&mut |p| {
        if let Piece::Stmt(Stmt { kind: StmtKind::Directive(d), .. }) = p {
            found |= matches!(d.kind, DirectiveKind::RegionBegin { .. });
        }
    });
    found
}

fn is_host_only(s: &Stmt) -> bool {
    s.directives.iter().any(|d| d.kind == DirectiveKind::Host)
}

fn holds_host_only(s: &Stmt) -> bool {
    let mut found = false;
    s.walk(&mut |p| found |= matches!(p, Piece::Stmt(s) if is_host_only(s)));
    found
}

fn is_element(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Index(..) | ExprKind::Unary(UnOp::Deref, _))
}

/// Test that it touches an element of an array.
fn has_element(s: &Stmt) -> bool {
    let mut found = false;
    s.walk(&mut |p| found |= matches!(p, Piece::Expr(e) if is_element(e)));
    found
}

/// Test that a loop in it touches an array, or computes numbers that a compiler does not know beforehand: those of a loop that
/// only counts, or adds what does not change, are.
fn has_loop_of_work(s: &Stmt) -> bool {
    let mut found = false;
    let is_work = |e: &Expr| match &e.kind {
        _ if is_element(e) => true,
        ExprKind::Call { .. } => true,
        ExprKind::Binary(op, ..) | ExprKind::Assign { op: Some(op), .. } => {
            let is_simple = matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul) || op.is_boolean();
            matches!(e.ty, Type::Float(_)) || !is_simple
        }
        _ => false,
    };
    s.walk(&mut |p| match p {
        Piece::Expr(e) => found |= is_work(e),
        Piece::Stmt(Stmt { kind: StmtKind::If { .. }, .. }) => found = true,
        Piece::Stmt(_) => {}
    });
    found && has_loop(s)
}
