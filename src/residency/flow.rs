//! The order in which a program comes to its regions, and to what touches memory on the host: a graph over all functions.

use super::cause::{Cause, Why};
use super::needs::{FunctionId, Need, Place, Touch, Use};
use super::program::Program;
use super::touches::Touches;
use crate::ast::{Expr, Stmt, StmtKind};
use crate::facts::loops::is_loop;
use crate::source::Span;
use std::collections::BTreeSet;

/// Elements of statements one after the other that are worth a call each.
const MAX_ELEMENTS_OF_RUN: usize = 16;

/// A step, and those that may follow it.
pub struct Node {
    pub what: What,
    pub next: Vec<usize>,
}

/// What a step is.
pub enum What {
    Nothing,
    /// By part and place.
    Region(usize, usize),
    /// By place in [`Flow::needs`].
    Need(usize),
}

/// The graph.
pub struct Flow {
    pub nodes: Vec<Node>,
    pub needs: Vec<Need>,
}

/// Where the steps of a function begin and end, and where they go from inside loops.
struct Body {
    part: usize,
    function: FunctionId,
    exit: usize,
    /// `break` and `continue` lead there.
    breaks: Vec<usize>,
    continues: Vec<usize>,
    /// The region whose statements are looked at as they were written.
    original: Option<usize>,
}

struct Builder<'p, 'a> {
    program: &'p Program<'a>,
    flow: Flow,
    /// The first and the last step of each function.
    ends: Vec<(usize, usize)>,
}

/// The graph of a program. In functions that are refused nothing stands at its place but the first step.
pub fn flow(program: &Program, refused: &BTreeSet<FunctionId>) -> Flow {
    let mut b = Builder { program, flow: Flow { nodes: vec![], needs: vec![] }, ends: vec![] };
    for _ in &program.functions {
        let ends = (b.node(What::Nothing), b.node(What::Nothing));
        b.ends.push(ends);
    }
    for (function, f) in program.functions.iter().enumerate() {
        let (entry, exit) = b.ends[function];
        let mut body = Body { part: f.part, function, exit, breaks: vec![], continues: vec![], original: None };
        let mut at = entry;
        if refused.contains(&function) {
            let cause = Cause { part: f.part, span: f.ast.body.span, why: Why::Unsayable };
            let all = Some((Touch::Anything(Use::Writes), cause));
            at = b.need(&body, at, Place::Start(f.ast.body.span), all);
        }
        let n_needs = b.flow.needs.len();
        let last = b.stmt(&mut body, &f.ast.body, true, false, at);
        let last = b.leave(&body, last, Place::End(f.ast.body.span));
        b.edge(last, exit);
        if refused.contains(&function) {
            b.flow.needs.iter_mut().skip(n_needs).for_each(|need| need.is_placed = false);
        }
    }
    b.flow
}

impl Builder<'_, '_> {
    fn node(&mut self, what: What) -> usize {
        self.flow.nodes.push(Node { what, next: vec![] });
        self.flow.nodes.len() - 1
    }

    fn edge(&mut self, from: usize, to: usize) {
        self.flow.nodes[from].next.push(to);
    }

    fn after(&mut self, at: usize, what: What) -> usize {
        let next = self.node(what);
        self.edge(at, next);
        next
    }

    fn need(&mut self, body: &Body, at: usize, place: Place, touch: Option<(Touch, Cause)>) -> usize {
        let Some((touch, cause)) = touch else { return at };
        let &Body { part, function, .. } = body;
        self.flow.needs.push(Need { part, function, place, touch, cause, is_placed: true });
        let need = self.flow.needs.len() - 1;
        self.after(at, What::Need(need))
    }

    /// Where a function goes back to callers that nobody knows.
    fn leave(&mut self, body: &Body, at: usize, place: Place) -> usize {
        let f = &self.program.functions[body.function];
        let cause = Cause { part: f.part, span: f.ast.body.span, why: Why::Callers };
        let touch = (f.is_outer && f.has_regions).then_some((Touch::Anything(Use::Writes), cause));
        self.need(body, at, place, touch)
    }

    /// Calls, of which any may be first, or be left out.
    fn calls(&mut self, calls: &[FunctionId], at: usize) -> usize {
        if calls.is_empty() {
            return at;
        }
        let (before, behind) = (self.after(at, What::Nothing), self.node(What::Nothing));
        self.edge(before, behind);
        self.edge(behind, before);
        for f in calls {
            let (entry, exit) = self.ends[*f];
            self.edge(before, entry);
            self.edge(exit, behind);
        }
        behind
    }

    /// What a statement's own expressions touch, and the calls in them.
    fn own(&mut self, body: &Body, s: &Stmt, in_block: bool, is_home: bool, at: usize) -> usize {
        if let Some((target, value)) = self.program.assigned_call(body.part, s) {
            let (mut read, mut written) =
                (Touches::of_none(self.program, body.part), Touches::of_none(self.program, body.part));
            read.add(value);
            written.add_written(target);
            let at = self.need(body, at, before(s, in_block), read.touch().filter(|_| !is_home));
            let at = self.calls(&self.followed(&read.calls, is_home), at);
            // The called function may have left the target on the device, wherever that was before.
            return self.need(body, at, Place::Value(value.span), written.touch());
        }
        let found = Touches::of_own(self.program, body.part, s);
        let touch = found.touch().filter(|_| !is_home);
        let at = self.need(body, at, before(s, in_block), touch);
        self.calls(&self.followed(&found.calls, is_home), at)
    }

    /// The calls that are of interest. Where all is at home, what is called without regions finds it there.
    fn followed(&self, calls: &[FunctionId], is_home: bool) -> Vec<FunctionId> {
        calls.iter().copied().filter(|f| !is_home || self.program.functions[*f].has_regions).collect()
    }

    /// The same of an expression that a loop evaluates again and again.
    fn each(&mut self, body: &Body, s: &Stmt, e: Option<&Expr>, is_home: bool, at: usize) -> usize {
        let Some(e) = e else { return at };
        let mut found = Touches::of_none(self.program, body.part);
        found.add(e);
        let touch = found.touch().filter(|_| !is_home);
        let at = self.need(body, at, Place::Each { around: s.span, directives: directives(s), at: e.span }, touch);
        self.calls(&self.followed(&found.calls, is_home), at)
    }

    /// A statement behind a step: the step behind it. `is_home`: all that it touches is at home already.
    fn stmt(&mut self, body: &mut Body, s: &Stmt, in_block: bool, is_home: bool, at: usize) -> usize {
        if let Some(region) = self.region_of(body, s) {
            return self.region(body, region, s, at);
        }
        let mut is_home = is_home;
        let mut at = at;
        if is_loop(s) && !is_home && !self.reaches_region(body, s) {
            let touch = Touches::of_all(self.program, body.part, s).touch();
            is_home = touch.is_some();
            at = self.need(body, at, before(s, in_block), touch);
        }
        match &s.kind {
            StmtKind::Block(list) => self.list(body, list, is_home, at),
            StmtKind::If { then, other, .. } => {
                let cond = self.own(body, s, in_block, is_home, at);
                let end = self.stmt(body, then, false, is_home, cond);
                let behind = self.after(end, What::Nothing);
                let end = other.as_ref().map_or(cond, |other| self.stmt(body, other, false, is_home, cond));
                self.edge(end, behind);
                behind
            }
            StmtKind::For { init, cond, step, body: inner } => {
                if let Some(init) = init {
                    let found = Touches::of_own(self.program, body.part, init);
                    at = self.need(body, at, before(s, in_block), found.touch().filter(|_| !is_home));
                    at = self.calls(&self.followed(&found.calls, is_home), at);
                }
                let head = self.after(at, What::Nothing);
                let tested = self.each(body, s, cond.as_ref(), is_home, head);
                let (behind, again) = (self.after(tested, What::Nothing), self.node(What::Nothing));
                let end = self.inside(body, inner, is_home, tested, (behind, again));
                self.edge(end, again);
                let end = self.each(body, s, step.as_ref(), is_home, again);
                self.edge(end, head);
                behind
            }
            StmtKind::While { cond, body: inner } => {
                let head = self.after(at, What::Nothing);
                let tested = self.each(body, s, Some(cond), is_home, head);
                let behind = self.after(tested, What::Nothing);
                let end = self.inside(body, inner, is_home, tested, (behind, head));
                self.edge(end, head);
                behind
            }
            StmtKind::DoWhile { body: inner, cond } => {
                let head = self.after(at, What::Nothing);
                let (behind, again) = (self.node(What::Nothing), self.node(What::Nothing));
                let end = self.inside(body, inner, is_home, head, (behind, again));
                self.edge(end, again);
                let tested = self.each(body, s, Some(cond), is_home, again);
                self.edge(tested, head);
                self.edge(tested, behind);
                behind
            }
            StmtKind::Switch { body: inner, .. } => {
                let head = self.own(body, s, in_block, is_home, at);
                let behind = self.after(head, What::Nothing);
                body.breaks.push(behind);
                // Any of the labels may be next.
                let cases = self.after(head, What::Nothing);
                let end = match &inner.kind {
                    StmtKind::Block(list) => self.cases(body, list, is_home, cases),
                    _ => self.stmt(body, inner, false, is_home, cases),
                };
                body.breaks.pop();
                self.edge(end, behind);
                behind
            }
            StmtKind::Return(_) => {
                let at = self.own(body, s, in_block, is_home, at);
                let at = self.leave(body, at, before(s, in_block));
                self.edge(at, body.exit);
                self.node(What::Nothing)
            }
            StmtKind::Break | StmtKind::Continue => {
                let stack = if matches!(s.kind, StmtKind::Break) { &body.breaks } else { &body.continues };
                let to = stack.last().copied().unwrap_or(body.exit);
                self.edge(at, to);
                self.node(What::Nothing)
            }
            _ => self.own(body, s, in_block, is_home, at),
        }
    }

    fn inside(&mut self, body: &mut Body, s: &Stmt, is_home: bool, at: usize, to: (usize, usize)) -> usize {
        body.breaks.push(to.0);
        body.continues.push(to.1);
        let end = self.stmt(body, s, false, is_home, at);
        body.breaks.pop();
        body.continues.pop();
        end
    }

    fn list(&mut self, body: &mut Body, list: &[Stmt], is_home: bool, mut at: usize) -> usize {
        let mut rest = list;
        // Statements of a run that touches little: none that begins further on in it touches more.
        let mut short = 0;
        while let [first, behind @ ..] = rest {
            let (n, touch) = if is_home || short > 0 { (0, None) } else { self.run(body, rest) };
            short = short.max(n).saturating_sub(1);
            let Some(touch) = touch else {
                at = self.stmt(body, first, true, is_home, at);
                rest = behind;
                continue;
            };
            short = 0;
            at = self.need(body, at, before(first, true), Some(touch));
            at = rest[..n].iter().fold(at, |at, s| self.stmt(body, s, true, true, at));
            rest = &rest[n..];
        }
        at
    }

    /// How many statements from the first on are evaluated one after the other, and what they touch together, if that is more
    /// elements than are worth a call each.
    fn run(&self, body: &Body, list: &[Stmt]) -> (usize, Option<(Touch, Cause)>) {
        let (mut n, mut n_elements, mut most, mut cause) = (0, 0, None, None);
        for s in list {
            let is_plain = matches!(s.kind, StmtKind::Expr(_) | StmtKind::Decl(_)) && self.region_of(body, s).is_none();
            let found = Touches::of_own(self.program, body.part, s);
            if !is_plain || !found.calls.is_empty() {
                break;
            }
            n += 1;
            cause = if found.most() > most { found.cause() } else { cause };
            most = most.max(found.most());
            n_elements += match found.touch() {
                Some((Touch::Elements(all), _)) => all.len(),
                _ => 0,
            };
        }
        (n, most.map(Touch::Anything).zip(cause).filter(|_| n_elements > MAX_ELEMENTS_OF_RUN))
    }

    /// The statements of a `switch`, which goes to any of its labels from `head`.
    fn cases(&mut self, body: &mut Body, list: &[Stmt], is_home: bool, head: usize) -> usize {
        let mut at = self.node(What::Nothing);
        for s in list {
            at = self.stmt(body, s, true, is_home, at);
            if matches!(s.kind, StmtKind::Case(_)) {
                self.edge(head, at);
            }
        }
        at
    }

    /// A statement of a region. The first stands for all of it, with what its call reads on the host. Where the call stays on the
    /// host, what it touches is at home, but functions that the statements call may come to regions of their own, and leave
    /// there what this statement and those behind it touch.
    fn region(&mut self, body: &mut Body, region: usize, s: &Stmt, at: usize) -> usize {
        let program = self.program;
        let plan = program.parts[body.part].regions[region];
        let (mut at, mut original) = (at, at);
        if plan.span.lo == s.span.lo {
            let mut all = Touches::of_none(program, body.part);
            plan.reads.iter().for_each(|e| all.add(e));
            plan.writes.iter().for_each(|e| all.add_written(e));
            at = self.need(body, at, Place::Region(region), all.touch());
            at = self.calls(&all.calls, at);
            at = self.after(at, What::Region(body.part, region));
            original = self.node(What::Nothing);
        }
        let so_far = Span { lo: plan.span.lo, hi: s.span.hi };
        if !program.names_regions(body.part, so_far) {
            return at;
        }
        body.original = Some(region);
        let end = self.stmt(body, s, true, false, original);
        body.original = None;
        let behind = self.after(at, What::Nothing);
        self.edge(end, behind);
        behind
    }

    /// The region that a statement is in.
    fn region_of(&self, body: &Body, s: &Stmt) -> Option<usize> {
        let f = &self.program.functions[body.function];
        let all = &self.program.parts[body.part].regions;
        let contains = |region: &Span| region.lo <= s.span.lo && s.span.hi <= region.hi;
        // Regions are apart from each other.
        let before = f.regions.partition_point(|r| all[*r].span.lo <= s.span.lo);
        f.regions[..before].last().copied().filter(|r| body.original != Some(*r) && contains(&all[*r].span))
    }

    fn reaches_region(&self, body: &Body, s: &Stmt) -> bool {
        let f = &self.program.functions[body.function];
        let all = &self.program.parts[body.part].regions;
        let first = f.regions.partition_point(|r| all[*r].span.lo < s.span.lo);
        f.regions.get(first).is_some_and(|r| all[*r].span.lo < s.span.hi)
            || !self.program.calls(body.part, s).is_empty()
    }
}

fn before(s: &Stmt, in_block: bool) -> Place {
    Place::Before { span: s.span, directives: directives(s), in_block }
}

fn directives(s: &Stmt) -> Vec<Span> {
    s.directives.iter().map(|d| d.span).collect()
}
