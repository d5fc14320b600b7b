//! How much a call of a region has to do, in statement instances, and what follows where that is too little for a GPU.
//!
//! Each statement counts as often as the bounding box of its iterations holds points (isl's parametric maxima, loop by
//! loop), so that the sum is an upper bound: what is below `min-work` is surely too small. A call's work is computed from
//! its sizes before anything is allocated; numbers are cut off at the limit before they are multiplied, so that no size
//! can overflow. What only the data know (how often a `while` runs, how long a row is) has no bound.
//! ```text
//! for (i < n) for (j < m) c[i][j] = 0;   min-work = 1000   ->   min(max(n, 0), 1000) * min(max(m, 0), 1000) >= 1000
//! ```

use super::analysed::{Analysed, Node, Static};
use super::build::{Builder, NoPlan};
use super::plan::{Guard, HostStmt};
use crate::ast::visit::Piece;
use crate::ast::{BinOp, ExprKind, StmtKind, Unit};
use crate::kernel::{self as k, simplify};
use crate::poly::Failure;
use crate::region::{Reason, Statement, functions, parts};
use crate::schedule::{extent, index};
use crate::source::Span;
use crate::target::Crossing;
use std::collections::HashSet;

/// The runs of a statement: how often each of its loops runs at most, and how long one run takes the host.
struct Runs {
    counts: Vec<k::Expr>,
    ns: Option<i64>,
}

impl Builder<'_> {
    /// The test that a call has work enough; or the reason why a region whose work is known never has.
    pub(super) fn worth(&mut self, body: &[HostStmt], n_copies: i64) -> Result<Option<Guard>, NoPlan> {
        let least = i64::from(self.settings.defaults.min_work);
        let region = self.region;
        let place = first_place(region);
        let statements = match statements(self.unit, region) {
            // Without a limit, only what is known now is of use.
            Ok(found) if least > 0 || found.iter().all(|(s, _)| s.part.params.list.is_empty()) => found,
            Ok(_) => return Ok(None),
            Err(why) => {
                if least > 0 {
                    self.warnings.push(unknown(&why, place));
                }
                return Ok(None);
            }
        };
        let mut all = vec![];
        for (s, stmt) in statements {
            match self.runs(s, stmt, least > 0) {
                Ok(runs) => all.extend(runs),
                Err(NoPlan::Declined(reason)) => {
                    if least > 0 {
                        self.warnings.push(unknown(&reason.message, place));
                    }
                    return Ok(None);
                }
                Err(other) => return Err(other),
            }
        }
        if let Some(instances) = all.iter().map(known).sum::<Option<i64>>() {
            if instances < least {
                let message = format!("its work, {instances} statement instances, is less than min-work = {least}");
                return Err(Reason::new("too-small", message, place).into());
            }
            if least == 0 {
                let n_launches = launches(body);
                let ns = all.iter().map(|r| known(r)?.checked_mul(r.ns?)).sum::<Option<i64>>();
                self.notes.extend(ns.and_then(|ns| too_small(instances, ns, n_launches, n_copies)));
            }
            return Ok(None);
        }
        let terms: Vec<k::Expr> = all.iter().map(|r| product(r, least)).collect();
        let several = terms.len() > 1;
        let cut = |e: k::Expr| if several { at_most(e, least) } else { e };
        let work = terms.into_iter().map(cut).reduce(index::add).unwrap_or(k::Expr::Int(0));
        let holds = index::binary(BinOp::Ge, work, k::Expr::Int(least));
        let reason = format!("its work is less than min-work = {least} statement instances");
        self.notes.push(format!("a call of less than {least} statement instances (min-work) runs the original loops"));
        Ok(Some(Guard { holds, reason }))
    }

    /// The runs of a statement; none where it never runs.
    fn runs(&mut self, s: &Static, stmt: &Statement, is_used: bool) -> Result<Option<Runs>, NoPlan> {
        let id = s.part.stmts.iter().position(|x| std::ptr::eq(x, stmt)).map(crate::region::StmtId);
        let id = id.expect("a statement of the part");
        if s.scop.domains[id.0].is_empty().map_err(Failure::from)? {
            return Ok(None);
        }
        let none = HashSet::new();
        let a = s.as_written(self.unit, &none);
        let elsewhere = self.sizes.clone();
        let mut mapper = self.mapper(&[], HashSet::new());
        let mut l = mapper.lowering(&a);
        l.elsewhere = &elsewhere;
        let mut counts = vec![];
        for x in &stmt.loops {
            let mut count = extent::bounding_count(&a, *x, &[id], &[], &mut l)?;
            simplify::index_expr(&mut count);
            counts.push(count);
        }
        let used = std::mem::take(&mut l.used);
        if is_used {
            self.absorb_fixed(used, "its work", stmt.body.span)?;
        }
        // A run of assignments counts as what the user wrote.
        let n = if let StmtKind::Block(run) = &stmt.body.kind { run.len() as i64 } else { 1 };
        counts.push(k::Expr::Int(n));
        Ok(Some(Runs { counts, ns: host_time(self.unit, stmt).map(|ns| ns / n) }))
    }
}

/// Every statement of a region, or why nobody can say how often they run.
fn statements<'r>(unit: &Unit, region: &'r Analysed) -> Result<Vec<(&'r Static, &'r Statement)>, String> {
    if has_host_loop(&region.nodes) {
        return Err("how often one of its loops runs is known only when it runs".into());
    }
    let all = region.statics().into_iter().flat_map(|s| s.part.stmts.iter().map(move |stmt| (s, stmt)));
    let all: Vec<_> = all.collect();
    match all.iter().any(|(_, s)| s.has_loop || calls_loop(unit, s)) {
        true => Err("only the data know how long a loop in it is".into()),
        false => Ok(all),
    }
}

fn has_host_loop(nodes: &[Node]) -> bool {
    nodes.iter().any(|n| match n {
        Node::Loop { .. } => true,
        Node::If { then, other, .. } => has_host_loop(then) || has_host_loop(other),
        Node::Static(_) | Node::Compute(_) | Node::Print { .. } | Node::Break | Node::GiveUp => false,
    })
}

/// The functions of `math.h`, and others, that a statement calls.
fn calls(stmt: &Statement) -> Vec<&str> {
    let mut names = vec![];
    stmt.body.walk(&mut |p| {
        if let Piece::Expr(e) = p {
            e.walk(&mut |x| {
                if let ExprKind::Call { name, .. } = &x.kind {
                    names.push(name.as_str());
                }
            });
        }
    });
    names
}

/// Whether a function that a statement calls may run for long: it has a loop, or calls others in its turn.
fn calls_loop(unit: &Unit, stmt: &Statement) -> bool {
    let mut names = calls(stmt);
    names.retain(|name| functions::math(name).is_none());
    unit.functions.iter().filter(|f| names.contains(&f.name.as_str())).any(|f| parts::has_loop(&f.body))
}

/// At most how long one run of a statement takes a core of the host, in nanoseconds; `None` where it calls functions of
/// the user's.
fn host_time(unit: &Unit, stmt: &Statement) -> Option<i64> {
    let names = calls(stmt);
    if unit.functions.iter().any(|f| names.contains(&f.name.as_str())) {
        return None;
    }
    let mut n = 0;
    stmt.body.walk(&mut |p| {
        if let Piece::Expr(e) = p {
            e.walk(&mut |x| n += i64::from(matches!(x.kind, ExprKind::Binary(..) | ExprKind::Assign { .. })));
        }
    });
    Some(n * Crossing::HOST_OPERATION + names.len() as i64 * Crossing::HOST_CALL)
}

fn known(runs: &Runs) -> Option<i64> {
    let count = |e: &k::Expr| if let k::Expr::Int(n) = e { Some((*n).max(0)) } else { None };
    runs.counts.iter().map(count).try_fold(1i64, |all, n| all.checked_mul(n?))
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
        s => s.bodies().into_iter().map(|body| launches(body)).sum(),
    };
    body.iter().map(count).sum()
}

/// What there is to say of a region that the host does sooner than a device is told of it.
fn too_small(instances: i64, host_ns: i64, n_launches: i64, n_copies: i64) -> Option<String> {
    let device_ns = (n_launches + n_copies) * Crossing::LAUNCH;
    let us = |ns: i64| (ns + 999) / 1000;
    (host_ns < device_ns).then(|| {
        format!(
            "too small for any GPU: {instances} statement instances take a core of the host {} us at most, and a GPU {} us \
             to be given {} and {}; `min-work = {}` in the configuration keeps this on the host",
            us(host_ns),
            us(device_ns),
            plural(n_launches, "kernel", "kernels"),
            plural(n_copies, "copy", "copies"),
            instances + 1
        )
    })
}

fn plural(n: i64, one: &str, several: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { several })
}

fn unknown(why: &str, place: Span) -> Reason {
    Reason::new("min-work", format!("`min-work` cannot be tested for this region: {why}"), place)
        .help("it is converted, and every call of it runs there")
}

fn first_place(region: &Analysed) -> Span {
    let first = region.statics().into_iter().flat_map(|s| &s.part.loops).map(|l| l.span).min_by_key(|s| s.lo);
    first.unwrap_or_default()
}
