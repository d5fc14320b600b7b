//! Regions of functions that other regions call in their loops: left out.
//!
//! ```c
//! float distance(const float *a, const float *b, int m) { ... for (j...) sum += ...; }     no region of its own
//! for (i = 0; i < n; i++) d[i] = distance(x, y + i * m, m);                                has the loop in it
//! ```
//! Where the region around the calls runs on the device, so does the function. Where its original runs, the function is
//! called once for each iteration, and all that a region of its own could do is to ask whether the call pays, n times. It
//! would not: if the device is too far for all iterations together, it is for one. Only calls that the outer region refuses
//! for another reason than their cost (arrays overlap, an extent is not known) could have gone to the device one by one, and
//! a launch for each iteration of a loop that is parallel is what nobody wants. Around a loop that runs in order, each of
//! whose iterations may be large, there must be no such reason.
//!
//! What is kept for such a reason, or since no loop of the outer region is around its calls, is told by which region it is within: what
//! its calls would save is in what those of the outer one would, and is not counted twice before CUDA begins.

use super::context::Context;
use super::program::{ConvertedFile, ProgramState};
use crate::ast::visit::Piece;
use crate::ast::{BinOp, Stmt};
use crate::emit::Site;
use crate::facts::loops::is_loop;
use crate::facts::{Reason, remedy};
use crate::host_plan::guard::Guard;
use crate::host_plan::ir::{Array, Region};
use crate::kernel::Expr;
use crate::report::{self, Runs};
use crate::residency::needs::{FunctionId, Part};
use crate::residency::program::Program;
use crate::residency::survey::callers;
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Drops the regions of functions all of whose calls other regions have in their loops, but for those that the user asks for.
pub fn drop_subsumed(program: &mut ProgramState, context: &mut Context) {
    if !context.options.launches.is_empty() {
        return;
    }
    let mut dropped: BTreeSet<(usize, usize)> = BTreeSet::new();
    let parts: Vec<Part> = program.files.iter().map(ConvertedFile::part).collect();
    let (functions, calls) = callers(&parts, context.options.object.is_none());
    let by = subsumed(&functions, &calls, &|part, at| outer(&program.files[part], &context.report.regions, at));
    for (id, outer) in &by {
        let f = &functions.functions[*id];
        let file = &program.files[f.part];
        let Some(outer) = outer.first() else { continue };
        for region in f.regions.iter().filter(|r| !file.sites[**r].is_asked) {
            let span = file.sites[*region].region.span;
            context.decline(&file.file.source, &file.file.unit, &reason(&f.ast.name, outer, span), span);
            dropped.insert((f.part, *region));
        }
    }
    for (part, region, outer) in within(program, &functions, &calls) {
        if let Some(estimate) = &mut program.files[part].sites[region].region.offload {
            estimate.within = Some(outer);
        }
    }
    for (part, file) in program.files.iter_mut().enumerate() {
        let mut numbers = 0..;
        file.sites.retain(|site| {
            let is_dropped = numbers.next().is_some_and(|region| dropped.contains(&(part, region)));
            context.report.regions.retain(|told| !is_dropped || told.name != site.region.name);
            !is_dropped
        });
    }
}

/// The regions, by their parts and numbers in these, that one other region has all calls of; each with that.
fn within(
    program: &ProgramState,
    functions: &Program,
    calls: &[Option<Vec<(FunctionId, Span)>>],
) -> Vec<(usize, usize, String)> {
    let outer = |part: usize, at: Span| {
        let site: Option<&Site> = program.files[part].sites.iter().find(|s| s.region.span.contains(at.lo));
        site.map(|site| site.region.name.clone())
    };
    let mut out = vec![];
    for (id, outer) in subsumed(functions, calls, &outer).into_iter().filter(|(_, outer)| outer.len() == 1) {
        let f = &functions.functions[id];
        out.extend(f.regions.iter().flat_map(|region| outer.iter().map(|outer| (f.part, *region, outer.clone()))));
    }
    out
}

/// The functions of which each call stands in a loop of a region, or in such a function; each with those regions.
/// `outer`: the region that has the place of a call in a part.
fn subsumed(
    program: &Program,
    calls: &[Option<Vec<(FunctionId, Span)>>],
    outer: &dyn Fn(usize, Span) -> Option<String>,
) -> BTreeMap<FunctionId, BTreeSet<String>> {
    let mut out: BTreeMap<FunctionId, BTreeSet<String>> = BTreeMap::new();
    loop {
        let region = |(caller, at): &(FunctionId, Span)| {
            let here = outer(program.functions[*caller].part, *at);
            here.map(|name| BTreeSet::from([name])).or_else(|| out.get(caller).cloned())
        };
        let one = |(id, calls): (FunctionId, &Option<Vec<(FunctionId, Span)>>)| {
            let calls = calls.as_ref().filter(|_| !out.contains_key(&id))?;
            let regions: Option<Vec<BTreeSet<String>>> = calls.iter().map(region).collect();
            let regions: BTreeSet<String> = regions?.into_iter().flatten().collect();
            (!regions.is_empty()).then_some((id, regions))
        };
        let more: Vec<_> = calls.iter().enumerate().filter_map(one).collect();
        if more.is_empty() {
            return out;
        }
        out.extend(more);
    }
}

/// The region of a file in one of whose loops a call stands that no region of the called function's own would serve.
fn outer(file: &ConvertedFile, told: &[report::Region], call: Span) -> Option<String> {
    let Site { region, .. } = file.sites.iter().find(|s| s.region.span.contains(call.lo))?;
    let loops = &told.iter().find(|told| told.name == region.name)?.loops;
    let around = loops_around(file, region.span, call);
    let is_parallel = |s: &&Stmt| {
        let mut here = loops.iter().filter(|l| l.line == file.file.line(s.span)).peekable();
        here.peek().is_some() && here.all(|l| matches!(l.runs, Runs::Parallel | Runs::Reduction | Runs::Scan))
    };
    let serves = around.iter().any(is_parallel) || (!around.is_empty() && refuses_by_cost_alone(region));
    serves.then(|| region.name.clone())
}

/// The loops of a region that a place in it stands in.
fn loops_around(file: &ConvertedFile, region: Span, place: Span) -> Vec<&Stmt> {
    let mut out = vec![];
    for f in file.file.unit.functions.iter().filter(|f| f.body.span.contains(place.lo)) {
        f.body.walk(&mut |piece| {
            if let Piece::Stmt(s) = piece
                && is_loop(s)
                && region.contains(s.span.lo)
                && s.span.contains(place.lo)
            {
                out.push(s);
            }
        });
    }
    out
}

/// Test that calls of a region run the original for no other reason than that a core is as fast, or that a size is negative.
fn refuses_by_cost_alone(region: &Region) -> bool {
    let is_size = |e: &Expr| matches!(e, Expr::Binary(BinOp::Ge, n, zero) if matches!((&**n, &**zero), (Expr::Var(_), Expr::Int(0))));
    let has_tests = region.only_if.is_some() || region.original_if_too_large;
    let may_overlap = |a: &Array| a.on_host && !a.extents.is_empty() && a.live_out.is_some();
    !has_tests
        && region.guards.iter().filter_map(Guard::expr).all(is_size)
        && region.arrays.iter().all(|a| a.reach.is_none() && !may_overlap(a))
}

fn reason(function: &str, outer: &str, span: Span) -> Reason {
    let message = format!(
        "`{function}` is called only in loops of other regions (`{outer}`), which have this loop in them: a region of its \
         own would be asked at each call, for nothing"
    );
    let help = remedy!(
        "to have it all the same, mark it (`#pragma rt region` before it, `#pragma rt end` after it), and what else of this \
                file is to convert"
    );
    Reason::new("subsumed", message, span).help(help)
}
