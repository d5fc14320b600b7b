//! How much a call of a region has to do, and what follows where that is too little for a GPU.
//!
//! Each statement counts as often as the bounding box of its iterations holds points (isl's parametric maxima, loop by
//! loop), so that the sum is an upper bound: what is below `min-work` is surely too small. A call's work is computed from
//! its sizes before anything is allocated; numbers are cut off at the limit before they are multiplied, so that no size
//! can overflow. What only the data know has no bound: how long a row is, and
//! how often a `while` runs, of which the same is taken for the work and for what a device waits ([`host::STEPS`]).
//! ```text
//! for (i < n) for (j < m) c[i][j] = 0;   min-work = 1000   ->   min(max(n, 0), 1000) * min(max(m, 0), 1000) >= 1000
//! ```
//! Where the user names no limit, the entry weighs what a core of the host would take ([`cost`]) against what passes on a
//! device beside the work itself: the launches of all steps ([`realise`](super::realise)), and the copies, whose lengths the
//! entry knows. Regions that are marked go to the device whatever they do.

use super::builder::Builder;
use super::cost;
use super::guard::Guard;
use super::ir::{HostStmt, OffloadEstimate, Runs};
use crate::analysis::analysed::{Analysed, Placed, Static};
use crate::analysis::no_plan::NoPlan;
use crate::ast::{BinOp, StmtKind, Unit};
use crate::config::MinWork;
use crate::cost::host;
use crate::facts::symbolic::{Poly, Sym};
use crate::facts::{Reason, Remedy, callable, loops, remedy};
use crate::kernel::{self as k, simplify};
use crate::poly::Failure;
use crate::region::candidates::Candidate;
use crate::region::{Access, LoopId, Statement, StaticPart, StmtId};
use crate::schedule::{extent, index};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// What is tested before a device is given a call.
#[derive(Default)]
pub(super) struct Tested {
    pub guard: Option<Guard>,
    pub offload: Option<OffloadEstimate>,
}

impl Builder<'_> {
    /// The test that a call has work enough; or the reason why a region whose work is known never has.
    pub(super) fn offload(
        &mut self,
        body: &[HostStmt],
        n_copies: i64,
        candidate: &Candidate,
    ) -> Result<Tested, NoPlan> {
        let is_marked = candidate.is_marked;
        let limit = match self.settings.defaults.min_work {
            MinWork::Auto if is_marked => MinWork::Instances(0),
            asked => asked,
        };
        let least = if let MinWork::Instances(n) = limit { i64::from(n) } else { 0 };
        let all = match self.all_runs(limit)? {
            Ok(all) => all,
            Err(why) => {
                if least > 0 {
                    self.warnings.push(unknown(&why, first_place(self.region)));
                }
                return Ok(Tested::default());
            }
        };
        let is_known = limit != MinWork::Auto || all.iter().all(|r| r.operations.is_some());
        if !is_known {
            let runs = joined(all.into_iter().filter(|r| r.operations.is_none()).collect());
            let iterations = runs.iter().map(Runs::iterations).sum::<Option<i64>>();
            // A loop around it would ask at each of its steps, in vain.
            let is_inner = candidate.around.is_some();
            if let Some(n) = iterations.filter(|n| is_inner && (*n as u64) < host::MANY_ITERATIONS) {
                let message = format!("{n} iterations, whatever each of them takes, are too few threads for a GPU");
                let reason = Reason::new("too-small", message, first_place(self.region));
                return Err(reason.help(nevertheless()).into());
            }
            return Ok(Tested {
                guard: None,
                offload: Some(OffloadEstimate { is_known, runs, waits: vec![], within: None }),
            });
        }
        let n_launches = launches(body);
        let instances = all.iter().map(|r| r.iterations()?.checked_mul(r.statements)).sum::<Option<i64>>();
        match instances {
            Some(n) if n < least => {
                let message = format!("its work, {n} statement instances, is less than min-work = {least}");
                return Err(Reason::new("too-small", message, first_place(self.region)).into());
            }
            Some(n) if limit == MinWork::Auto && n <= host::FEWEST_INSTANCES => {
                let message = format!("its work, {n} statement instances, is done before a call of a region has begun");
                let reason = Reason::new("too-small", message, first_place(self.region));
                return Err(reason.help(nevertheless()).into());
            }
            Some(n) if least == 0 => {
                let ns = all.iter().map(|r| host::most_ns(r.iterations()?, r.operations?)).sum::<Option<i64>>();
                self.notes.extend(ns.and_then(|ns| too_small(n, ns, n_launches, n_copies, limit)));
            }
            _ => {}
        }
        if limit == MinWork::Auto {
            return Ok(Tested {
                guard: None,
                offload: Some(OffloadEstimate { is_known, runs: joined(all), waits: vec![], within: None }),
            });
        }
        if least == 0 || instances.is_some() {
            return Ok(Tested::default());
        }
        self.notes.push(format!("a call of less than {least} statement instances (min-work) runs the original loops"));
        Ok(Tested { guard: Some(at_least(&all, least)), offload: None })
    }

    /// What every statement does; the inner error: why nobody can say how often one runs.
    fn all_runs(&mut self, limit: MinWork) -> Result<Result<Vec<Runs>, String>, NoPlan> {
        let region = self.region;
        let parts = match parts_of(self.unit, region, limit != MinWork::Auto) {
            // Where nothing is tested, only what is known now is of use.
            Ok(parts) if limit != MinWork::Instances(0) || parts.iter().all(|p| p.part.part.params.list.is_empty()) => {
                parts
            }
            Ok(_) => return Ok(Err("nothing is tested".into())),
            Err(why) => return Ok(Err(why)),
        };
        let mut all = vec![];
        for p in parts {
            match self.runs(p.part) {
                Ok(mut runs) => {
                    let counted = runs.iter_mut().filter(|r| p.is_repeated && r.operations.is_some());
                    counted.for_each(|r| r.counts.insert(0, k::Expr::Int(host::STEPS)));
                    all.extend(runs);
                }
                Err(NoPlan::Declined(reason)) => return Ok(Err(reason.message)),
                Err(other) => return Err(other),
            }
        }
        Ok(Ok(all))
    }

    /// The runs of the statements of a part that run at all.
    fn runs(&mut self, s: &Static) -> Result<Vec<Runs>, NoPlan> {
        // Statements without conditions in the same loops run equally often.
        let mut known: BTreeMap<&[LoopId], Vec<k::Expr>> = BTreeMap::new();
        let mut costs = cost::Costs::new(self.unit, &s.part);
        let mut all = vec![];
        for (k, stmt) in s.part.stmts.iter().enumerate() {
            if stmt.is_rare() || s.scop.domains[k].is_empty().map_err(Failure::from)? {
                continue;
            }
            let is_plain = stmt.guards.is_empty();
            let counts = match known.get(&stmt.loops[..]).filter(|_| is_plain) {
                Some(counts) => counts.clone(),
                None => self.counts(s, StmtId(k))?,
            };
            if is_plain {
                known.insert(&stmt.loops, counts.clone());
            }
            let is_counted = !stmt.has_loop && !calls_loop(self.unit, stmt);
            let (operations, accesses) = costs.of_statement(stmt);
            let (one_of, at_once) = (cost::corners(&s.part, stmt), costs.at_once(stmt));
            let operations = operations.filter(|_| is_counted);
            // A run of assignments counts as what the user wrote.
            let statements = if let StmtKind::Block(run) = &stmt.body.kind { run.len() as i64 } else { 1 };
            all.push(Runs { counts, one_of, at_once, statements, operations, accesses });
        }
        Ok(all)
    }

    /// How often each loop around a statement runs at most.
    fn counts(&mut self, s: &Static, id: StmtId) -> Result<Vec<k::Expr>, NoPlan> {
        let stmt = s.part.stmt(id);
        let none = BTreeSet::new();
        let a = s.as_written(self.unit, &none);
        let elsewhere = self.sizes.clone();
        let mut mapper = self.mapper(&[], BTreeSet::new());
        let mut l = mapper.lowering(&a);
        l.elsewhere = &elsewhere;
        let mut counts = vec![];
        for x in &stmt.loops {
            let mut count = extent::bounding_count(&a, *x, &[id], &[], &mut l)?;
            simplify::index_expr(&mut count);
            let few = fits(&s.part, stmt, *x).filter(|n| *n <= host::FEWEST_INSTANCES);
            counts.push(few.filter(|_| !matches!(count, k::Expr::Int(_))).map_or(count, k::Expr::Int));
        }
        let used = std::mem::take(&mut l.used);
        if counts.iter().any(|e| !matches!(e, k::Expr::Int(_))) {
            self.absorb_fixed(used, "its work", stmt.body.span)?;
        }
        Ok(counts)
    }
}

fn nevertheless() -> Remedy {
    remedy!(
        "to convert it nevertheless, mark it (`#pragma rt region` before it, `#pragma rt end` after it), and what else of this \
         file is to convert"
    )
}

impl Runs {
    /// How often a statement runs, if that is known now.
    fn iterations(&self) -> Option<i64> {
        let count = |e: &k::Expr| if let k::Expr::Int(n) = e { Some((*n).max(0)) } else { None };
        self.counts.iter().map(count).try_fold(1i64, |all, n| all.checked_mul(n?))
    }
}

/// Most iterations of a loop whose statement reaches another element of an array in each, since the array has no more:
/// `double dist[12]; for (j = i; j > 0; j--) sum += dist[j];`.
fn fits(part: &StaticPart, stmt: &Statement, id: LoopId) -> Option<i64> {
    let var = part.get_loop(id).var;
    let of_access = |x: &Access| {
        let shape = &part.data[&x.data].shape;
        let [at] = x.index.as_deref()? else { return None };
        let step = at.coefficient(var);
        let is_apart = step != 0 && !at.plus(&Poly::sym(Sym::Counter(var)), -step)?.uses(var);
        let extent = shape.rows()?.as_constant().filter(|_| is_apart && shape.outer_is_known && shape.rank() == 1)?;
        Some((extent + step.abs() - 1) / step.abs())
    };
    let all = stmt.accesses.iter().filter(|x| x.surely && stmt.guards.is_empty());
    all.filter_map(of_access).min()
}

/// Test that at least so many statement instances run.
fn at_least(all: &[Runs], least: i64) -> Guard {
    let terms: Vec<k::Expr> = all.iter().map(|r| product(r, least)).collect();
    let several = terms.len() > 1;
    let cut = |e: k::Expr| if several { at_most(e, least) } else { e };
    let work = terms.into_iter().map(cut).reduce(index::add).unwrap_or(k::Expr::Int(0));
    let holds = index::binary(BinOp::Ge, work, k::Expr::Int(least));
    Guard::holds(holds, format!("its work is less than min-work = {least} statement instances"), 0)
}

/// The same, with what runs equally often as one.
fn joined(all: Vec<Runs>) -> Vec<Runs> {
    let mut out: Vec<Runs> = vec![];
    for new in all {
        let is_as_often =
            |old: &Runs| old.counts == new.counts && (old.one_of, old.at_once) == (new.one_of, new.at_once);
        match out.iter_mut().find(|old| is_as_often(old)) {
            Some(old) => {
                old.operations = old.operations.zip(new.operations).map(|(a, b)| a + b);
                old.accesses += new.accesses;
                old.statements += new.statements;
            }
            None => out.push(new),
        }
    }
    out
}

/// The parts of a region, or, with `all`, why nobody can say how often their statements run.
fn parts_of<'r>(unit: &Unit, region: &'r Analysed, all: bool) -> Result<Vec<Placed<'r>>, String> {
    let parts = region.placed();
    if all && parts.iter().any(|p| p.is_repeated) {
        return Err("how often one of its loops runs is known only when it runs".into());
    }
    match all
        && parts.iter().flat_map(|p| &p.part.part.stmts).any(|s| !s.is_rare() && (s.has_loop || calls_loop(unit, s)))
    {
        true => Err("only the data know how long a loop in it is".into()),
        false => Ok(parts),
    }
}

/// Test that a function that a statement calls may run for long: it has a loop, or calls others in its turn.
fn calls_loop(unit: &Unit, stmt: &Statement) -> bool {
    let own = stmt.body.calls().into_iter().filter(|name| callable::math(name).is_none());
    own.filter_map(|name| unit.function(name)).any(|f| loops::has_loop(&f.body))
}

/// How often a statement runs, or `least` where that is more.
fn product(runs: &Runs, least: i64) -> k::Expr {
    let factors = runs.counts.iter().map(|e| match e {
        k::Expr::Int(n) => k::Expr::Int((*n).clamp(0, least)),
        e => at_most(k::Expr::Max(Box::new(e.clone()), Box::new(k::Expr::Int(0))), least),
    });
    let factors: Vec<k::Expr> = factors.filter(|e| *e != k::Expr::Int(1)).collect();
    let both = |a, b| at_most(index::mul(a, b), least);
    let Some((last, before)) = factors.split_last() else { return k::Expr::Int(1) };
    match before.iter().cloned().reduce(both) {
        Some(product) => index::mul(product, last.clone()),
        None => last.clone(),
    }
}

fn at_most(e: k::Expr, most: i64) -> k::Expr {
    match &e {
        k::Expr::Min(_, limit) if **limit == k::Expr::Int(most) => e,
        _ => k::Expr::Min(Box::new(e), Box::new(k::Expr::Int(most))),
    }
}

/// The launches of a plan, each counted once.
fn launches(body: &[HostStmt]) -> i64 {
    let count = |s: &HostStmt| match s {
        HostStmt::Launch { .. } | HostStmt::Resident { .. } | HostStmt::Call { .. } => 1,
        HostStmt::If { then, other, .. } => launches(then).max(launches(other)),
        HostStmt::Nest { own, .. } => launches(own),
        s => s.bodies().into_iter().map(|body| launches(body)).sum(),
    };
    body.iter().map(count).sum()
}

/// What there is to say of a region that the host does sooner than a device is told of it.
fn too_small(instances: i64, host_ns: i64, n_launches: i64, n_copies: i64, limit: MinWork) -> Option<String> {
    let device_ns = host::least_device_ns(n_launches, n_copies);
    let us = |ns: i64| (ns + 999) / 1000;
    let then = match limit {
        MinWork::Auto => "calls run the original loops".to_string(),
        MinWork::Instances(_) => format!("`min-work = {}` in the configuration keeps this on the host", instances + 1),
    };
    (host_ns < device_ns).then(|| {
        format!(
            "too small for any GPU: {instances} statement instances take a core of the host {} us at most, and a GPU {} us \
             to be given {} and {}; {then}",
            us(host_ns),
            us(device_ns),
            plural(n_launches, "kernel", "kernels"),
            plural(n_copies, "copy", "copies"),
        )
    })
}

fn plural(n: i64, one: &str, several: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { several })
}

fn unknown(why: &str, place: Span) -> Reason {
    let message = format!("`min-work` cannot be tested for this region: {why}; each of its calls runs on the device");
    Reason::new("min-work", message, place)
}

fn first_place(region: &Analysed) -> Span {
    let first = region.statics().into_iter().flat_map(|s| &s.part.loops).map(|l| l.span).min_by_key(|s| s.lo);
    first.unwrap_or_default()
}
