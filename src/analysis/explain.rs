//! Remarks on the loops of a region: the verdict on each, and why a region stays on the host.

use super::analysed::{Analysed, Static};
use crate::ast::visit::Piece;
use crate::ast::{self, Exception, Expr, Stmt, StmtKind, Unit, VarId};
use crate::facts::symbolic::{Poly, Sym};
use crate::facts::{Reason, Remedy, reduction, remedy};
use crate::kernel::ReduceOp;
use crate::poly::Failure;
use crate::poly::dependence::Kind;
use crate::poly::order::n_shared;
use crate::region::candidates::Candidate;
use crate::region::parts::Part;
use crate::region::{self, LoopId, Statement, StmtId, Tree};
use crate::report::{self, Runs};
use crate::schedule::expand::{Expansion, How};
use crate::schedule::parallel::{Analysis, Verdict};
use crate::schedule::{Mapped, Mode, Step};
use crate::source::Span;
use crate::source::directive::{Directive, DirectiveKind, Role};
use std::collections::BTreeSet;

/// Lines between two statements that still are neighbours.
const NEAR: u32 = 10;

/// Remedy for code that threads run one after the other: which of it runs in parallel.
fn unguarded() -> Remedy {
    remedy!(
        "one accumulation such as `h[b] += e` of what nothing else in the loop uses runs in parallel: leave the rest of what meets \
         to a loop of its own"
    )
}

/// Where the loops of a part went.
pub struct Placed<'a> {
    pub steps: &'a [Step<Mapped>],
    /// Loops of a thread that several of them share.
    pub shared_out: &'a BTreeSet<LoopId>,
    /// Statements that a library computes.
    pub called: &'a BTreeSet<StmtId>,
}

/// The loops of a part, each before those inside it, and those of which a directive says more than is true; `depth`
/// loops of the host are around it.
pub fn loops(
    a: &Analysis,
    placed: &Placed,
    line: &dyn Fn(Span) -> u32,
    depth: u32,
) -> Result<(Vec<report::Loop>, Vec<Reason>), Failure> {
    let mut d = Describer { a, placed, line, depth, out: vec![], in_vain: vec![] };
    d.trees(&a.part.tree, &mut vec![])?;
    Ok((d.out, d.in_vain))
}

/// How the statements of a part run under other loops than those written, one line for neighbours that move alike.
pub fn order(a: &Analysis, line: &dyn Fn(Span) -> u32) -> Vec<String> {
    let poly = |p| region::text::poly(a.unit, a.part, p);
    let mut moved: Vec<(u32, u32, String)> = vec![];
    for s in &a.part.stmts {
        let changed = s.counters.iter().filter(|(v, p)| *p != Poly::sym(Sym::Counter(*v)));
        let values: Vec<String> = changed.map(|(v, p)| format!("{} is {}", a.unit.var(*v).name, poly(p))).collect();
        let (at, how) = (line(s.body.span), values.join(", "));
        match moved.last_mut().filter(|(first, last, same)| *same == how && (*first..=*last + NEAR).contains(&at)) {
            Some((_, last, _)) => *last = at.max(*last),
            None => moved.push((at, at, how)),
        }
    }
    let mut out: Vec<String> = vec![];
    for (first, last, how) in moved.into_iter().filter(|(.., how)| !how.is_empty()) {
        let text = match first == last {
            true => format!("line {first} runs in another order, where {how}"),
            false => format!("lines {first} to {last} run in another order, where {how}"),
        };
        if !out.contains(&text) {
            out.push(text);
        }
    }
    out
}

/// What became of variables that the iterations of a part share without need.
pub fn expanded(unit: &Unit, s: &Static, line: &dyn Fn(Span) -> u32) -> Vec<String> {
    let text = |x: &Expansion| {
        let name = &unit.var(x.data).name;
        let poly = |p| region::text::poly(unit, &s.part, p);
        let extents: String = x.extents.iter().map(|p| format!("[{}]", poly(p))).collect();
        let line = line(x.span);
        let How::Apart { counters, is_wanted } = &x.how else {
            let copy = x.copy.map_or("", |v| &unit.var(v).name);
            return format!("reads of `{name}` on line {line} see what was there before, as `{copy}{extents}`");
        };
        let counters: Vec<String> = counters.iter().map(|v| format!("`{}`", unit.var(*v).name)).collect();
        let counters = counters.join(", ");
        let Some(copy) = x.copy else {
            return format!(
                "more would be parallel if `{name}` on line {line} were apart for each iteration of {counters}, but \
                 {extents} is far larger than any array here"
            );
        };
        let back = if *is_wanted { "; what the last one leaves is brought back" } else { "" };
        let copy = &unit.var(copy).name;
        format!("`{name}` on line {line} is apart for each iteration of {counters}, as `{copy}{extents}`{back}")
    };
    s.expansions.iter().map(text).collect()
}

/// In what plainer form than the user's a region is converted.
pub fn plainer(unit: &Unit, candidate: &Candidate, region: &Analysed) -> Vec<String> {
    let quoted = |names: Vec<&str>| names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
    let mut out = vec![];
    if !candidate.opened.is_empty() {
        let names = quoted(candidate.opened.iter().copied().collect());
        out.push(format!("the functions that it calls are part of it: {names}"));
    }
    if let Some(x) = candidate.rotation.filter(|x| !x.pointers.is_empty()) {
        let names = quoted(x.pointers.iter().map(|v| unit.var(*v).name.as_str()).collect());
        out.push(format!("the buffers of {names} stay where they are and take turns; the pointers are set behind it"));
    }
    if candidate.parts.list.iter().any(Part::may_give_up) {
        out.push("its error exits are looked at behind the loop: where one is due, the original loops run".into());
    }
    let is_tiled = |v: VarId| unit.tilings.iter().flat_map(|tiling| &tiling.tiles).any(|tile| tile.counter == v);
    if region.statics().into_iter().flat_map(|s| &s.part.loops).any(|l| is_tiled(l.var)) {
        out.push("tiles are left out: their order does not matter, and each kernel has its own".into());
    }
    out
}

/// A loop that the host runs because only the data know how often.
pub fn host_loop(
    cond: Option<&Expr>,
    has_step: bool,
    check_first: bool,
    line: &dyn Fn(Span) -> u32,
    depth: u32,
) -> report::Loop {
    let head = match (has_step, check_first) {
        (true, _) => "for",
        (false, true) => "while",
        (false, false) => "do",
    };
    report::Loop {
        head: head.into(),
        line: cond.map_or(0, |c| line(c.span)),
        depth,
        runs: Runs::Host,
        why: "how often it runs is known only when it runs".into(),
        mapping: HOST_LOOP.into(),
        remedy: None,
    }
}

/// What a loop of the host becomes.
const HOST_LOOP: &str = "a loop of the host around kernels";

struct Describer<'a> {
    a: &'a Analysis<'a>,
    placed: &'a Placed<'a>,
    line: &'a dyn Fn(Span) -> u32,
    depth: u32,
    out: Vec<report::Loop>,
    /// Loops that a directive calls independent and that run in order.
    in_vain: Vec<Reason>,
}

impl Describer<'_> {
    fn trees(&mut self, trees: &[Tree], outer: &mut Vec<LoopId>) -> Result<(), Failure> {
        for t in trees {
            match t {
                Tree::Stmt(id) => self.whole(*id, outer.len()),
                Tree::If { body, .. } => self.trees(body, outer)?,
                Tree::Loop(id, body) => {
                    let verdict = self.a.verdict(*id, &t.stmts(), outer)?;
                    let l = self.a.part.get_loop(*id);
                    let (runs, mapping) = match placed(self.placed.steps, *id) {
                        (Runs::Sequential, _) if self.placed.shared_out.contains(id) => shared(&verdict),
                        (Runs::Sequential | Runs::Parallel, _) if self.is_called(t) => {
                            (Runs::Parallel, "a call of cuBLAS")
                        }
                        place => place,
                    };
                    let (mut why, remedy) = why(self.a, *id, &verdict, self.line)?;
                    if runs == Runs::Scan {
                        why = format!("a scan: {why}");
                    }
                    if let (Runs::Sequential, Verdict::Parallel) = (runs, &verdict) {
                        why += ", but it is kept in the thread";
                    }
                    if let (true, Some(remedy)) = (self.a.is_asserted(*id) && runs != Runs::Scan, &remedy) {
                        let message = format!("a directive calls this loop's iterations independent, but {why}");
                        let reason = Reason::new("not-independent", message, l.span);
                        self.in_vain.push(reason.help(remedy.clone()));
                    }
                    if let (Runs::Reduction, Some(form)) = (runs, taken_nan(self.a, &verdict, &t.stmts())) {
                        why += &form;
                    }
                    let own = self.claimed(*id);
                    if !own.is_empty() {
                        why += &format!("; each iteration has its own {}, a directive says", own.join(", "));
                    }
                    self.out.push(report::Loop {
                        head: format!("for {}", self.a.unit.var(l.var).name),
                        line: (self.line)(l.span),
                        depth: self.depth + outer.len() as u32,
                        runs,
                        why,
                        mapping: mapping.to_string(),
                        remedy: remedy.filter(|_| matches!(runs, Runs::Sequential | Runs::Host)).map(Into::into),
                    });
                    outer.push(*id);
                    self.trees(body, outer)?;
                    outer.pop();
                }
            }
        }
        Ok(())
    }

    /// Test that a library computes all of a tree.
    fn is_called(&self, t: &Tree) -> bool {
        t.stmts().iter().all(|s| self.placed.called.contains(s))
    }

    /// A loop that is one statement.
    fn whole(&mut self, id: StmtId, n_outer: usize) {
        let stmt = self.a.part.stmt(id);
        let Some(reason) = &stmt.kept_whole else { return };
        self.out.push(report::Loop {
            head: "for".into(),
            line: (self.line)(stmt.body.span),
            depth: self.depth + n_outer as u32,
            runs: Runs::Sequential,
            why: reason.message.clone(),
            mapping: "a loop in the thread".into(),
            remedy: None,
        });
        let asserted = |d: &Directive| matches!(d.kind, DirectiveKind::Parallel { asserted: true, .. });
        if stmt.body.directives.iter().any(asserted) {
            let message = format!("a directive calls this loop's iterations independent, but {}", reason.message);
            let reason = Reason::new("not-independent", message, stmt.body.span);
            self.in_vain.push(reason.help(remedy!("write the loop as `for (i = first; i < end; i += step)`")));
        }
    }

    /// The variables that a directive makes private to the iterations of a loop.
    fn claimed(&self, l: LoopId) -> Vec<String> {
        if !self.a.has_claims(l) {
            return vec![];
        }
        let data = self.a.part.data.keys().filter(|v| self.a.is_private_by_claim(**v, l));
        data.map(|v| format!("`{}`", self.a.unit.var(*v).name)).collect()
    }
}

/// What there is to say of minima and maxima that are C's among numbers only.
fn taken_nan(a: &Analysis, verdict: &Verdict, stmts: &[StmtId]) -> Option<String> {
    let Verdict::Reduction(joined, _) = verdict else { return None };
    let all = stmts.iter().filter_map(|s| a.part.stmt(*s).update());
    let r = all.into_iter().find(|r| r.takes_nan && joined.contains_key(&r.data))?;
    let sign = if matches!(r.op, ReduceOp::Max | ReduceOp::MaxLast) { '>' } else { '<' };
    let m = ast::print::expr(a.unit, &r.target);
    Some(format!(
        "; a value that is not a number (NaN) is passed over here, where C takes it and then the next: \
         `if (x {sign} {m}) {m} = x` is the same in both"
    ))
}

/// How the threads of a block share a loop.
fn shared(verdict: &Verdict) -> (Runs, &'static str) {
    match verdict {
        Verdict::Reduction(..) => (Runs::Reduction, "threads of a block, their results joined"),
        _ => (Runs::Parallel, "threads of a block"),
    }
}

/// Where a loop went; of the pieces of one that was distributed, the piece that leaves most in sequence speaks for all.
fn placed(steps: &[Step<Mapped>], id: LoopId) -> (Runs, &'static str) {
    let mut places = vec![];
    places_of(steps, id, &mut places);
    let kinds = [
        (Runs::Host, HOST_LOOP),
        (Runs::Scan, "blocks and threads, each with what those before it join to"),
        (Runs::Reduction, "blocks and threads, their results joined"),
        (Runs::Parallel, "blocks and threads"),
    ];
    match kinds.into_iter().find(|(runs, _)| places.contains(runs)) {
        Some((Runs::Host, _)) if places.iter().any(|runs| *runs != Runs::Host) => {
            (Runs::Host, "a loop of the host around kernels, but for what is a kernel by itself")
        }
        found => found.unwrap_or((Runs::Sequential, "a loop in the thread")),
    }
}

fn places_of(steps: &[Step<Mapped>], id: LoopId, out: &mut Vec<Runs>) {
    for s in steps {
        match s {
            Step::Nest(m) if m.nest.axes.iter().flatten().any(|l| *l == id) => {
                out.push(match m.nest.mode {
                    Mode::Reduce => Runs::Reduction,
                    Mode::Scan => Runs::Scan,
                    Mode::Parallel | Mode::OneThread => Runs::Parallel,
                });
            }
            Step::Nest(_) => {}
            Step::Loop { id: own, body } => {
                out.extend((*own == id).then_some(Runs::Host));
                places_of(body, id, out);
            }
            Step::If { body, .. } => places_of(body, id, out),
        }
    }
}

/// Why a loop runs as it does; of one in order, also what would let it run otherwise.
fn why(
    a: &Analysis,
    l: LoopId,
    verdict: &Verdict,
    line: &dyn Fn(Span) -> u32,
) -> Result<(String, Option<Remedy>), Failure> {
    let why = match verdict {
        Verdict::Parallel => "no dependence between its iterations".into(),
        Verdict::Asserted(deps) => asserted(a, deps, line)?,
        Verdict::Reduction(ops, aside) => {
            let all: Vec<String> =
                ops.iter().map(|(v, op)| format!("{} of `{}`", op.noun(), a.unit.var(*v).name)).collect();
            let joined = format!("only accumulations between its iterations: {}", all.join(", "));
            if aside.is_empty() { joined } else { format!("{joined}; {}", asserted(a, aside, line)?) }
        }
        Verdict::Sequential(deps) => {
            let (why, remedy) = in_order(a, l, deps, line, " is")?;
            return Ok((why, Some(remedy)));
        }
    };
    Ok((why, None))
}

/// What was set aside because the user says so.
fn asserted(a: &Analysis, deps: &[usize], line: &dyn Fn(Span) -> u32) -> Result<String, Failure> {
    Ok(format!("independent because a directive says so; otherwise {}", conflict(a, deps[0], line, " is")?))
}

/// Dependence that keeps a loop in order, and what would let it go. Of its dependences, one that a directive would set aside but for
/// another line says most.
pub fn in_order(
    a: &Analysis,
    l: LoopId,
    deps: &[usize],
    line: &dyn Fn(Span) -> u32,
    link: &str,
) -> Result<(String, Remedy), Failure> {
    let excepted = deps.iter().find_map(|i| Some((*i, a.exception(l, a.deps.list[*i].data)?)));
    let Some((dep, Exception { words, span, role, .. })) = excepted else {
        return Ok((conflict(a, deps[0], line, link)?, remedy(a, deps[0])));
    };
    let (said, remedy) = match role {
        Role::Guard => ("says that they meet there".to_owned(), unguarded()),
        Role::Order => (
            "leaves nothing of what a directive says of their independence".to_owned(),
            remedy!("leave what `{words}` is for to a loop of its own: without it the directive holds for the others"),
        ),
        Role::Team | Role::OwnGlobals => (
            "gives each thread, not each iteration, its own".to_owned(),
            remedy!("declare inside the loop what each iteration has for itself"),
        ),
    };
    let conflict = conflict(a, dep, line, link)?;
    Ok((format!("{conflict}, and `#pragma {words}` on line {} {said}", line(*span)), remedy))
}

/// A reason with the line of OpenMP or OpenACC, if there is one, under which threads do what it speaks of one after the
/// other.
pub fn guarded(unit: &Unit, reason: Reason, line: &dyn Fn(Span) -> u32) -> Reason {
    let mut guards = unit.assertions.iter().flat_map(|a| &a.guards);
    let Some(guard) = guards.find(|e| e.holds.encloses(reason.span)) else { return reason };
    let message = format!("{}, under `#pragma {}` on line {}", reason.message, guard.words, line(guard.span));
    let help = if reason.code == "side-effect" { Some(unguarded().into()) } else { reason.help };
    Reason { message, help, ..reason }
}

/// The two accesses that conflict, and their distance.
fn conflict(a: &Analysis, dep: usize, line: &dyn Fn(Span) -> u32, link: &str) -> Result<String, Failure> {
    let d = &a.deps.list[dep];
    let n = n_shared(a.part, d.src, d.dst);
    let (from, to) = match d.kind {
        Kind::Flow => ("written", "read"),
        Kind::Anti => ("read", "written"),
        Kind::Output => ("written", "written again"),
    };
    let at = |s| line(a.part.stmt(s).body.span);
    Ok(format!(
        "`{}`{link} {from} on line {} and {to} on line {} by a later iteration, distance {}",
        a.unit.var(d.data).name,
        at(d.src),
        at(d.dst),
        a.deps.distance(&a.scop.ctx, dep, n)?,
    ))
}

/// Why a region without a parallel loop stays on the host.
pub fn why_sequential(
    unit: &Unit,
    region: &Analysed,
    candidate: &Candidate,
    line: &dyn Fn(Span) -> u32,
) -> Result<Reason, Failure> {
    let live_out: BTreeSet<VarId> = region.wanted.clone();
    for s in region.statics() {
        let a = Analysis { unit, part: &s.part, scop: &s.scop, deps: &s.deps, live_out: &live_out };
        for t in &s.part.tree {
            let Tree::Loop(id, _) = t else {
                let whole = t.stmts().into_iter().find_map(|id| s.part.stmt(id).kept_whole.clone());
                if let Some(reason) = whole {
                    return Ok(reason);
                }
                continue;
            };
            if let Verdict::Sequential(deps) = a.verdict(*id, &t.stmts(), &[])? {
                let (message, remedy) = in_order(&a, *id, &deps, line, ", which is")?;
                let message = format!("no loop here is parallel: iterations depend on each other through {message}");
                return Ok(Reason::new("sequential", message, s.part.get_loop(*id).span).help(remedy));
            }
        }
    }
    let Some((word, at)) = candidate.stmts.iter().find_map(|s| open_loop(s)) else {
        let message = "no loop here is parallel: their iterations take place one after the other";
        return Ok(Reason::new("sequential", message, candidate.span()));
    };
    let message = format!("no loop here is parallel: only its condition says when this `{word}` loop ends");
    let help = remedy!("if it is known beforehand how often it runs, count: for (int i = 0; i < n; i++)");
    Ok(Reason::new("sequential", message, at).help(help))
}

/// The first loop in a statement that nothing counts, by its keyword.
fn open_loop(s: &Stmt) -> Option<(&'static str, Span)> {
    let mut found = None;
    s.walk(&mut |piece| {
        let Piece::Stmt(s) = piece else { return };
        let word = match s.kind {
            StmtKind::While { .. } => "while",
            StmtKind::DoWhile { .. } => "do",
            _ => return,
        };
        found.get_or_insert((word, s.span));
    });
    found
}

/// What would let a dependence go.
fn remedy(a: &Analysis, dep: usize) -> Remedy {
    let d = &a.deps.list[dep];
    let name = &a.unit.var(d.data).name;
    let ends = [d.src, d.dst].map(|s| a.part.stmt(s));
    let mut accesses = ends.iter().flat_map(|s| &s.accesses).filter(|x| x.data == d.data);
    let is_scalar = a.part.data[&d.data].shape.c_rank == 0;
    let in_order = |s: &&Statement| s.update().is_some_and(|r| r.data == d.data && r.in_order);
    if let Some(r) = ends[0].update().filter(|_| ends.iter().all(in_order)) {
        return remedy!(
            "where values are 0 and -0, which of them is the {} in `{name}` depends on the order: `x + 0.0` for each value \
             `x` is never -0",
            r.op.noun()
        );
    }
    if is_scalar && ends.iter().any(|s| reduction::joins_truths(&s.body, d.data)) {
        remedy!(
            "C does not evaluate the rest once `{name}` is decided, and threads would: where that is safe, write \
             `{name} &= ...` for `&&`, `{name} |= ...` for `||`"
        )
    } else if is_scalar && d.kind == Kind::Flow {
        remedy!(
            "an iteration reads the `{name}` that one before it left: where it need not, declare it inside the loop"
        )
    } else if is_scalar {
        remedy!("where each iteration has a `{name}` of its own, declare it inside the loop")
    } else if accesses.any(|x| x.index.is_none()) {
        remedy!("if no two iterations meet in an element, say so: #pragma rt parallel")
    } else if d.kind == Kind::Flow {
        remedy!("each iteration needs what one before it left in `{name}`: only another algorithm is parallel")
    } else {
        remedy!("iterations do not need each other's `{name}`, but share its elements: write to another array")
    }
}

/// Why threads do not run a loop whose end only the data know.
pub fn left_to_few(candidate: &Candidate) -> Reason {
    let message = "a loop in it ends when the data say so, and no loop around it is parallel".to_string();
    Reason::new("in-order", message, candidate.span())
}
