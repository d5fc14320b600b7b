//! Candidates of a function, each converted, and what becomes of those that do not convert.
//!
//! A candidate that a pass declines is searched inside, and what is found there goes through the passes itself.

use super::context::Context;
use super::file::FileState;
use super::passes::REGION;
use super::region::{RegionState, Stage};
use super::runner;
use crate::analysis::analyse::analyse_region;
use crate::analysis::apart::hold_apart;
use crate::analysis::no_plan::NoPlan;
use crate::analysis::settings::Settings;
use crate::ast::Var;
use crate::diag::{Diagnostic, Severity, Stop};
use crate::emit::home_text;
use crate::emit::{Midway, Site, Spot, is_threaded};
use crate::facts::loops::is_loop;
use crate::facts::{Reason, remedy};
use crate::host_plan::build::Planned;
use crate::host_plan::explain;
use crate::host_plan::ir::Param;
use crate::host_plan::midway::{self, Rest};
use crate::isl::Ctx;
use crate::region::alike::check_inside;
use crate::region::candidates::{self, Candidate, Declined};
use crate::region::teams::Threads;
use crate::report::cost;
use crate::residency::needs::Place;
use crate::schedule::scheduler::SEARCH_OPERATIONS;
use crate::source::cut::Cut;
use crate::source::digest::digest;
use crate::source::{Source, Span};
use std::borrow::Cow;
use std::collections::VecDeque;

/// Converts the candidates of one function, or what converts in them. `is_open`: candidates that do not convert are
/// searched inside.
///
/// # Errors
/// The user states what is not so, or a pass is at fault.
pub fn convert_all(
    file: &FileState,
    candidates: Vec<Candidate>,
    is_open: bool,
    context: &mut Context,
) -> Result<Vec<Site>, Stop> {
    let mut sites = vec![];
    let mut pending: VecDeque<(Candidate, bool)> = candidates.into_iter().map(|c| (c, false)).collect();
    while let Some((mut candidate, is_inner)) = pending.pop_front() {
        if let Some(words) = context.options.left_out.get(&candidate.name) {
            context.say(Severity::Warning, &file.source, &refused(&candidate, words));
            continue;
        }
        let threads = match is_threaded(&context.options.cflags) {
            true => Threads::around(&file.unit, &file.source, &candidate),
            false => Threads::default(),
        };
        if threads.holds_shared_out && is_open {
            // One after the other, threads of a team come to what they share out.
            let FileState { unit, forms, hints, .. } = file;
            let inner = candidates::inside(unit, forms, hints, &candidate, &mut context.names);
            if !inner.is_empty() {
                inner.into_iter().rev().for_each(|c| pending.push_front((c, is_inner)));
                continue;
            }
        }
        if let Some(reason) = threads.refusal(&file.source, &candidate) {
            context.decline(&file.source, &file.unit, &reason, candidate.span());
            continue;
        }
        let (mut reason, mut may_hold_parallel) = match convert_some(file, &candidate, context)? {
            Ok(mut site) => {
                share_out(&mut site, &threads, file, &candidate, context);
                sites.push(site);
                continue;
            }
            Err(stays) => stays,
        };
        if let Some(by_host) = candidate.parts.otherwise.take() {
            candidate.parts = *by_host;
            pending.push_front((candidate, is_inner));
            continue;
        }
        // Where no loop at all is parallel, none inside is, unless they see arrays in ways that do not go together.
        if !may_hold_parallel
            && let Some(seen) = candidate.forms.iter().find_map(|s| check_inside(&file.unit, s, &file.hints).err())
        {
            (reason, may_hold_parallel) = (seen, true);
        }
        if may_hold_parallel && is_open {
            let FileState { unit, forms, hints, .. } = file;
            let mut inner = candidates::inside(unit, forms, hints, &candidate, &mut context.names);
            if matches!(candidate.stmts.as_slice(), [one] if is_loop(one)) {
                let around = Declined { whole: candidate.span(), reason: reason.clone() };
                inner.iter_mut().for_each(|c| _ = c.around.get_or_insert(around.clone()));
            }
            inner.into_iter().rev().for_each(|c| pending.push_front((c, true)));
        }
        // Of what is in it, the reason of the whole was said.
        let is_asked = matches!(candidate.stmts.as_slice(), [one] if !one.directives.is_empty());
        if !is_inner || is_asked {
            // Of few iterations what matters is why the loop around them stays.
            let around = candidate.around.as_ref().filter(|_| reason.code == "too-small" && !is_asked);
            let (reason, whole) = around.map_or((&reason, candidate.span()), |d| (&d.reason, d.whole));
            context.decline(&file.source, &file.unit, reason, whole);
        }
    }
    Ok(sites)
}

/// Says what becomes of a region that threads of OpenMP may come to together: where they share its loop out, one of them
/// calls it for all.
fn share_out(site: &mut Site, threads: &Threads, file: &FileState, candidate: &Candidate, context: &mut Context) {
    if !is_threaded(&context.options.cflags) {
        return;
    }
    let region = &site.region;
    let is_register = |p: &&Param| {
        let name = |v: &Var| matches!(p, Param::ScalarInOut { c_expr, .. } if *c_expr == v.name);
        file.unit.vars.iter().any(|v| v.is_register && name(v))
    };
    let why = match region.params.iter().find(is_register) {
        Some(p) => Some(format!("`{}` is declared `register`, so that nothing tells whether they have one", p.name())),
        None if region.only_if.is_some() => Some("what it is handed is there only under a condition".into()),
        None if region.rotation.is_some() || !region.ends.is_empty() => Some("it moves pointers".into()),
        None => None,
    };
    site.is_shared_out = threads.is_shared_out && why.is_none();
    let tested = match site.is_shared_out {
        true => "the threads of a team come here with the same arrays and numbers, for which one calls the region",
        false => "no team of OpenMP's threads is at work (`omp_in_parallel()`)",
    };
    if let Some(reported) = context.report.regions.iter_mut().rfind(|r| r.name == region.name) {
        reported.guards.push(tested.into());
    }
    if let Some(why) = why.filter(|_| threads.is_shared_out) {
        let message = format!("a team of several threads runs the original of this loop: {why}");
        context.say(Severity::Warning, &file.source, &Reason::new("threads", message, candidate.stmts[0].span));
    }
}

/// Words on a candidate whose emitted text a compiler refuses with some words.
fn refused(candidate: &Candidate, words: &str) -> Reason {
    let message = format!(
        "the CUDA of region `{}` does not compile, which is a fault of rtcuda and not of the program: \
         this is left as the C that it is ({words})",
        candidate.name
    );
    Reason::new("emitted-refused", message, candidate.stmts[0].span)
}

/// The converted candidate, for all sizes or for those at which iterations do not meet; or why it stays as it is, and whether
/// some loop in it may be parallel.
fn convert_some(
    file: &FileState,
    candidate: &Candidate,
    context: &mut Context,
) -> Result<Result<Site, (Reason, bool)>, Stop> {
    let reason = match convert(file, candidate, false, context)? {
        Ok(site) => return Ok(Ok(site)),
        Err(reason) => reason,
    };
    let mut may_hold_parallel = reason.code != "sequential";
    if matches!(reason.code, "sequential" | "in-order") && are_apart(file, candidate, context) {
        may_hold_parallel = true;
        if let Ok(site) = convert(file, candidate, true, context)? {
            return Ok(Ok(site));
        }
    }
    Ok(Err((reason, may_hold_parallel)))
}

/// Test for a candidate of which there are sizes at which iterations do not meet.
fn are_apart(file: &FileState, candidate: &Candidate, context: &mut Context) -> bool {
    let ctx = Ctx::with_cap(context.operations.of_candidate());
    let region = analyse_region(&file.unit, candidate, ctx.clone());
    let are_apart = region.is_ok_and(|mut region| hold_apart(&file.unit, &mut region, candidate.span()).is_ok());
    context.spend(&candidate.function.name, &ctx);
    are_apart
}

/// The converted candidate, or why it stays as it is; `is_held_apart`: for sizes at which iterations do not meet.
fn convert(
    file: &FileState,
    candidate: &Candidate,
    is_held_apart: bool,
    context: &mut Context,
) -> Result<Result<Site, Reason>, Stop> {
    let config = &context.options.config;
    let own = config.region(&candidate.function.name, &candidate.name);
    let defaults = own.map_or(&config.defaults, |r| &r.settings).with(candidate.asked);
    let sizes = own.map(|r| r.sizes).unwrap_or_default();
    // Ranges are the tuner's, which has found sizes for the mapping without them.
    let sizes = if config.has_kernels_of(&candidate.name) { sizes.fixed() } else { sizes };
    let settings = Settings { target: &config.target, defaults: &defaults, sizes, kernels: &config.kernels };
    context.scheduler.strategy = defaults.schedule;
    let unit = Cow::Borrowed(&file.unit);
    let ctx = Ctx::with_cap(context.operations.of_candidate());
    let (cut, stage) = (Cut::default(), Stage::Found);
    let mut state = RegionState { file, candidate, settings, unit, cut, is_held_apart, ctx: ctx.clone(), stage };
    let ran = runner::run(REGION, &mut state, context);
    context.spend(&candidate.function.name, &ctx);
    if context.scheduler.was_cut() {
        context.say(Severity::Warning, &file.source, &search_ended(candidate));
    }
    match ran {
        Ok(()) => site(state, context).map(Ok),
        Err(NoPlan::Stop(stop)) => Err(stop),
        Err(NoPlan::Contradiction(what)) => {
            let (error, shown) = *what;
            Err(error.note(Some(file.source.place(shown)), "the access").into())
        }
        Err(NoPlan::Refused(reason)) => {
            let place = Some(file.source.place(reason.span));
            let error = Diagnostic::error(reason.code, reason.message, place);
            Err(match reason.help {
                Some(help) => error.help(help),
                None => error,
            }
            .into())
        }
        Err(NoPlan::Declined(mut reason)) => {
            if reason.span == Span::default() {
                reason.span = candidate.stmts[0].span;
            }
            Ok(Err(reason))
        }
    }
}

/// Warning that a function is too large to be searched for other orders as a whole.
fn search_ended(candidate: &Candidate) -> Reason {
    let message = format!(
        "the search for other orders of the loops of `{}` ended after {SEARCH_OPERATIONS} operations, which are shared by all of the \
         function: from here on its loops keep the order in which they are written",
        candidate.function.name
    );
    Reason::new("search", message, candidate.span())
        .help(remedy!("put loops that should be searched further into a function of their own"))
}

/// The place of a converted candidate, when everything was said about it.
fn site(state: RegionState, context: &mut Context) -> Result<Site, Stop> {
    let RegionState { file, candidate, cut: Cut { range, markers }, stage, unit, .. } = state;
    let Stage::Planned(planned) = stage else { return Err(stage.is_another("a plan")) };
    let Planned { plan, loops, mut notes, warnings } = *planned;
    let line = |s: Span| file.line(s);
    if file.source.remade.holds(candidate.span()) {
        notes.push(
            "a part of this loop: the rest of it, which calls what the device has not, runs apart on the host".into(),
        );
    }
    let name = file.name(candidate.stmts[0].span);
    context.report.regions.push(explain::region(&plan, loops, notes, candidate, name, &line));
    if let Some(beside) = context.beside_users.get_mut(&candidate.function.name) {
        beside.made = cost::launched(&plan.kernels, &plan.functions, beside.size);
    }
    for warning in &warnings {
        context.say(Severity::Warning, &file.source, warning);
    }
    let Span { lo, hi } = candidate.span();
    let lines = (line(Span { lo, hi }), line(Span { lo: hi.saturating_sub(1), hi }));
    let entry = entry(&file.source, &plan.name, context.options.object.as_deref());
    let own = context.options.config.region(&candidate.function.name, &candidate.name);
    let is_asked = candidate.is_marked || own.is_some();
    let at = |body| match home_text::spot(&file.source, context.text(), &Place::Start(body)) {
        Some(Spot::Before(at)) => Some(at),
        _ => None,
    };
    let rest = midway::rest(&unit, &plan, candidate);
    let midway = rest.and_then(|Rest { body, from }| Some(Midway { at: at(body)?, from }));
    Ok(Site {
        region: plan,
        entry,
        file: name.to_owned(),
        range,
        lines,
        markers,
        midway,
        touch: None,
        is_asked,
        is_shared_out: false,
    })
}

/// The C function that stands for a region. Among the objects of a program, what tells it from those of regions
/// with the same name is what the object is made of: two compilations of one file may become two objects.
fn entry(source: &Source, region: &str, object: Option<&str>) -> String {
    match object {
        None => format!("rt_{region}"),
        Some(object) => {
            let digest = digest([object.as_bytes(), &source.bytes]);
            format!("rt_{region}_{digest}")
        }
    }
}
