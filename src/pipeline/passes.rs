//! The table of passes: one row a pass, in the order in which they run, one table a level. Below the tables stands, for
//! each row, the function that calls the pass on the state of its level, and what shows or verifies what it left.

use super::context::Context;
use super::file::{FileLevel, FileState, SearchLevel, SearchState};
use super::lowering::{self, contracts, functions, host_plan, kernels};
use super::program::{ProgramLevel, ProgramState, emit_files, find_residency, regions_text, residency_text};
use super::region::{RegionLevel, RegionState, Stage};
use super::runner::{Level, Pass};
use super::selectors::check_names;
use super::subsumed::drop_subsumed;
use crate::analysis::analyse::analyse_region;
use crate::analysis::apart::hold_apart;
use crate::analysis::as_launched;
use crate::analysis::changes::{Change, change_parts, load_together_in_parts, reorder_bodies_of_parts, reorder_parts};
use crate::analysis::no_plan::NoPlan;
use crate::analysis::observed::observe;
use crate::analysis::operators::find_operators;
use crate::analysis::races::no_races;
use crate::analysis::scheduled::{self, schedule_region};
use crate::config::{Selector, ShortColumns};
use crate::diag::Stop;
use crate::emit::forward_text;
use crate::facts::{Reason, pointer_calls, remedy};
use crate::host_plan::build::plan;
use crate::host_plan::passes::check_every::check_every;
use crate::host_plan::passes::long_rows::cut_long_rows;
use crate::host_plan::passes::on_chip::on_chip;
use crate::host_plan::passes::on_device::on_device;
use crate::host_plan::passes::realise::realise;
use crate::host_plan::passes::short_columns::short_columns;
use crate::host_plan::passes::slices::slice_rows;
use crate::host_plan::passes::tables::tables;
use crate::normalize::NormalForms;
use crate::normalize::passes::REWRITES;
use crate::region::candidates::{self, Candidate, Declined, Wanted};
use crate::region::hints::read::read;
use crate::region::unused::unused;
use crate::region::{self, delinearise};
use crate::source::Source;
use crate::{analysis, api, ast, schedule, split};
use std::borrow::Cow;
use std::sync::LazyLock;

/// Passes over a C file.
pub const FILE: &[Pass<FileLevel>] = &[
    Pass {
        name: "source",
        about: "preprocessed C, with the way back to the user's lines",
        run: Some(load_source),
        dump: |file| Ok(file.source.text.clone()),
        verify: None,
    },
    Pass {
        name: "ast",
        about: "names resolved, expressions typed",
        run: Some(build_ast),
        dump: |file| Ok(ast::print::unit(&file.unit)),
        verify: None,
    },
    Pass {
        name: "imports",
        about: "functions of the program's other files that loops call",
        run: Some(import_functions),
        dump: |file| Ok(file.unit.imported.iter().map(|f| ast::print::function(&file.unit, f)).collect()),
        verify: None,
    },
    Pass {
        name: "split",
        about: "loops of which a part cannot leave the host, as loops one behind the other",
        run: Some(split_loops),
        dump: |file| Ok(file.source.remade_text()),
        verify: None,
    },
    Pass {
        name: "pointer_targets",
        about: "calls through pointers as choices among the functions that they may lead to",
        run: Some(find_pointer_targets),
        dump: |file| Ok(ast::print::unit(&file.unit)),
        verify: None,
    },
    Pass {
        name: "hints",
        about: "shapes of arrays that the user states, or the program's allocations and calls",
        run: Some(read_hints),
        dump: |file| Ok(file.hints.text(&file.unit, &|s| file.line(s))),
        verify: None,
    },
    Pass {
        name: "normalize",
        about: "plainer forms of statements: calls opened, pointers seen through",
        run: Some(normalize_statements),
        dump: |file| Ok(file.forms.text(&file.unit, &|s| file.line(s))),
        verify: None,
    },
];

/// Passes over a file that find its candidates.
pub const SEARCH: &[Pass<SearchLevel>] = &[Pass {
    name: "candidates",
    about: "the largest runs of statements that can be modelled, or those that are marked",
    run: Some(find_candidates),
    dump: |search| Ok(region::text::found(&search.found, &|s| search.file.line(s))),
    verify: None,
}];

/// Passes over a candidate. Where one declines, what is in the candidate is tried.
pub const REGION: &[Pass<RegionLevel>] = &[
    Pass {
        name: "region",
        about: "a candidate's place in its file; its parts: loops, statements, accesses",
        run: Some(cut_region),
        dump: |r| Ok(region::text::candidate(&r.unit, r.candidate, &|s| r.file.line(s))),
        verify: None,
    },
    Pass {
        name: "poly",
        about: "domains, accesses, order and dependences as integer sets",
        run: Some(analyse),
        dump: |r| Ok(analysis::text::poly(&r.unit, &r.candidate.name, r.stage.analysed()?)?),
        verify: None,
    },
    Pass {
        name: "operators",
        about: "operators of a library that several loops make up, as parts of their own",
        run: Some(operators),
        dump: |r| Ok(analysis::operators::text(&r.candidate.name, r.stage.analysed()?)),
        verify: None,
    },
    Pass {
        name: "reorder",
        about: "another order where the program's leaves too much in sequence",
        run: Some(reorder),
        dump: orders,
        verify: None,
    },
    Pass {
        name: "node_splitting",
        about: "copies of old values for reads that later iterations overwrite",
        run: Some(|r, context| change(r, context, schedule::node_splitting::split_nodes)),
        dump: expansions,
        verify: None,
    },
    Pass {
        name: "expand",
        about: "elements of its own for each iteration that shares a variable without need",
        run: Some(|r, context| change(r, context, schedule::expand::expand)),
        dump: expansions,
        verify: None,
    },
    Pass {
        name: "body_wavefront",
        about: "an order of whole bodies where all loops around them are in sequence",
        run: Some(reorder_bodies),
        dump: orders,
        verify: None,
    },
    Pass {
        name: "together",
        about: "operands of && and || that load near what is loaded anyway are evaluated together",
        run: Some(evaluate_together),
        dump: orders,
        verify: None,
    },
    Pass {
        name: "schedule",
        about: "the steps of the host, and each nest with its mapping to blocks, threads and points",
        run: Some(schedule_parts),
        dump: steps,
        verify: Some(mappings),
    },
    Pass {
        name: "kernel",
        about: "kernels with their grids, blocks, guards and statements",
        run: Some(plan_kernels),
        dump: |r| Ok(functions(r)? + &kernels(r, false)?),
        verify: Some(contracts),
    },
    Pass {
        name: "plan",
        about: "the plan of the host: guards, arrays, copies, launches",
        run: None,
        dump: host_plan,
        verify: None,
    },
    Pass {
        name: "long_rows",
        about: "long rows of sparse matrices in pieces, which warps share out",
        run: Some(share_out_long_rows),
        dump: |r| Ok(kernels(r, false)? + &host_plan(r)?),
        verify: Some(contracts),
    },
    Pass {
        name: "realise",
        about: "loops of the host around kernels: launches, graphs or resident kernels",
        run: Some(realise_loops),
        dump: |r| Ok(kernels(r, true)? + &host_plan(r)?),
        verify: Some(contracts),
    },
    Pass {
        name: "slices",
        about: "rows of sparse matrices in slices, so that threads read neighbours",
        run: Some(lay_out_slices),
        dump: |r| Ok(kernels(r, false)? + &host_plan(r)?),
        verify: Some(contracts),
    },
    Pass {
        name: "check_every",
        about: "loops that end by what the device computes look at it every so many steps",
        run: Some(check_seldom),
        dump: |r| Ok(kernels(r, true)? + &host_plan(r)?),
        verify: Some(contracts),
    },
    Pass {
        name: "short_columns",
        about: "columns of sparse matrices in 16 bits, in resident kernels",
        run: Some(shorten_columns),
        dump: |r| Ok(kernels(r, true)? + &host_plan(r)?),
        verify: Some(contracts),
    },
    Pass {
        name: "tables",
        about: "small tables that threads look up, in shared memory",
        run: Some(stage_tables),
        dump: |r| kernels(r, false),
        verify: Some(contracts),
    },
    Pass {
        name: "on_chip",
        about: "what stays on chip through all steps of a resident kernel",
        run: Some(keep_on_chip),
        dump: |r| kernels(r, true),
        verify: Some(contracts),
    },
    Pass {
        name: "on_device",
        about: "no copies of arrays that the caller has on the device (rtcuda optimize)",
        run: Some(drop_copies),
        dump: host_plan,
        verify: Some(contracts),
    },
    lowering::UNUSED,
    lowering::GUARDS,
    lowering::REGISTERS,
    lowering::UNROLL,
    lowering::SELECT,
];

/// Passes over the program.
pub const PROGRAM: &[Pass<ProgramLevel>] = &[
    Pass {
        name: "subsumed",
        about: "no regions of functions that other regions call in their loops",
        run: Some(drop_subsumed_regions),
        dump: |program| Ok(regions_text(program)),
        verify: None,
    },
    Pass {
        name: "residency",
        about: "what stays on the device between regions, and where it comes home",
        run: Some(keep_on_device),
        dump: |program| Ok(residency_text(program)),
        verify: None,
    },
    Pass {
        name: "emit",
        about: "the files of the output folder; shown are those of CUDA",
        run: Some(emit_files),
        dump: |program| Ok(cuda_text(program)),
        verify: None,
    },
];

/// Name of each pass and what it does, in the order of the tables.
pub fn described() -> impl Iterator<Item = (&'static str, &'static str)> {
    fn rows<L: Level>(table: &'static [Pass<L>]) -> impl Iterator<Item = (&'static str, &'static str)> {
        table.iter().map(|pass| (pass.name, pass.about))
    }
    let of_region = rows(SEARCH).chain(rows(REGION));
    rows(FILE).chain(of_region).chain(rows(PROGRAM))
}

/// Beginning of the names of the rewrites that the pass `normalize` is made of.
const NORMALIZE: &str = "normalize/";

/// Name of each rewrite of the pass `normalize` and what it does, in the order in which they run: `--dump-after` shows what they
/// leave, too.
pub static REWRITES_OF_NORMALIZE: LazyLock<Vec<(String, &'static str)>> =
    LazyLock::new(|| REWRITES.iter().map(|row| (format!("{NORMALIZE}{}", row.name), row.about)).collect());

/// The passes that can be named, in the order they run: `--dump-after` shows what they leave.
pub static PASSES: LazyLock<Vec<&'static str>> = LazyLock::new(|| described().map(|(name, _)| name).collect());

fn load_source(file: &mut FileState, context: &mut Context) -> Result<(), Stop> {
    let known = context.files.source(&file.path.to_string_lossy()).cloned();
    file.source = known.map_or_else(|| Source::load(&file.path, &context.options.cflags), Ok)?;
    context.uses_api |= file.source.line_map.has_file(api::HEADER);
    Ok(())
}

fn build_ast(file: &mut FileState, context: &mut Context) -> Result<(), Stop> {
    let built = ast::build::build(&file.source)?;
    context.diagnostics.extend(built.notes);
    file.unit = built.unit;
    file.unit.add_counters();
    Ok(())
}

fn import_functions(file: &mut FileState, context: &mut Context) -> Result<(), Stop> {
    let chosen = context.files.chosen(&file.unit);
    if chosen.is_empty() {
        file.unit.kept_out = chosen.refused;
        return Ok(());
    }
    let source = file.source.with(&context.files.definitions(&chosen));
    let mut unit = ast::build::build(&source)?.unit;
    context.files.set_aside(chosen, &source, &mut unit);
    unit.add_counters();
    (file.source, file.unit) = (source, unit);
    Ok(())
}

fn split_loops(file: &mut FileState, context: &mut Context) -> Result<(), Stop> {
    if file.in_parts.is_empty() {
        return Ok(());
    }
    let made = split::find(&file.unit, &file.source, &|loop_| file.in_parts.contains(&loop_.lo));
    file.source = file.source.remade(&made);
    // Notes on the file were taken when it was first read.
    file.unit = ast::build::build(&file.source)?.unit;
    file.unit.add_counters();
    import_functions(file, context)
}

fn find_pointer_targets(file: &mut FileState, context: &mut Context) -> Result<(), Stop> {
    context.files.note_taken(&mut file.unit);
    let text = String::from_utf8_lossy(&file.source.bytes);
    file.unit.addresses.taken.retain(|name| !pointer_calls::is_weak(&text, name));
    if pointer_calls::open(&mut file.unit) {
        forward_text::find(&file.source, context.text(), &mut file.unit);
    }
    Ok(())
}

fn read_hints(file: &mut FileState, context: &mut Context) -> Result<(), Stop> {
    let (hints, warnings) = read(&file.unit, &file.source, &context.options.config)?;
    context.diagnostics.extend(warnings);
    file.hints = hints;
    Ok(())
}

fn normalize_statements(file: &mut FileState, context: &mut Context) -> Result<(), Stop> {
    let watched = context.log.dump_after.as_deref().and_then(|pass| pass.strip_prefix(NORMALIZE));
    file.forms = NormalForms::new(&mut file.unit, watched)?;
    if watched.is_some() {
        context.log.dumps += &file.forms.watched_text(&file.unit, &|s| file.line(s));
    }
    delinearise::add_row_lengths(&mut file.unit);
    Ok(())
}

fn find_candidates(search: &mut SearchState, context: &mut Context) -> Result<(), Stop> {
    let FileState { source, unit, hints, forms, .. } = search.file;
    check_names(search.file, context)?;
    let functions = context.selected(|s| matches!(s, Selector::Function(_)));
    let names = context.selected(|s| matches!(s, Selector::Name(_)));
    let unused = unused(unit, source);
    let wanted = Wanted { functions: &functions, names: &names, taken: &context.names, unused: &unused };
    search.found = candidates::find(unit, forms, &wanted, hints);
    context.functions.extend(unit.functions.iter().map(|f| f.name.clone()));
    candidates::marks(unit).keys().for_each(|name| context.names.insert(name.to_string()));
    search.found.candidates.iter().for_each(|c| context.names.insert(c.name.clone()));
    context.diagnostics.extend(hints.unused(unit, &search.found.candidates));
    for Declined { whole, reason } in &search.found.declined {
        context.decline(source, unit, reason, *whole);
    }
    Ok(())
}

fn cut_region(r: &mut RegionState, context: &mut Context) -> Result<(), NoPlan> {
    let stmts = &r.candidate.stmts;
    let (first, last) = (stmts[0], stmts[stmts.len() - 1]);
    let directives = first.directives.iter().map(|d| d.span);
    let cut = r.file.source.cut(context.text(), first.span, last.span, directives);
    r.cut = cut.map_err(|why| {
        let is_by_directive = why.starts_with("the directive of line");
        let message = format!("the region cannot be cut out of its file: {why}");
        let reason = Reason::new("no-range", message, first.span);
        match r.file.source.line_map.inclusion(first.span.lo) {
            0 if is_by_directive => reason.help(remedy!(
                "write the statement as a whole in each branch of the directive (#if .. #else .. #endif)"
            )),
            0 => reason,
            _ => reason.help(remedy!(
                "give the file that is included a guard (#ifndef) in place of #pragma once, or build with `rtcuda cc`"
            )),
        }
    })?;
    Ok(())
}

fn analyse(r: &mut RegionState, context: &mut Context) -> Result<(), NoPlan> {
    let mut region = analyse_region(&r.unit, r.candidate, r.ctx.clone())?;
    if r.is_held_apart {
        hold_apart(&r.unit, &mut region, r.candidate.span())?;
    }
    let place = |span| (r.file.name(span).to_owned(), r.file.line(span));
    context.seen.extend(observe(&mut region, &r.unit, &context.options.config.profile, &place));
    if let Some(threads) = context.options.launches.get(&r.candidate.function.name) {
        let line = |s| r.file.line(s);
        no_races(&r.unit, &region, r.candidate, threads, &line)?;
        let users = as_launched::estimate(&r.unit, &region, threads, &line)?;
        context.beside_users.extend(users.map(|users| (r.candidate.function.name.clone(), users)));
    }
    r.stage = Stage::Analysed(Box::new(region));
    Ok(())
}

fn operators(r: &mut RegionState, _: &mut Context) -> Result<(), NoPlan> {
    Ok(find_operators(&r.unit, r.stage.analysed_mut()?, r.settings.defaults.library)?)
}

fn reorder(r: &mut RegionState, context: &mut Context) -> Result<(), NoPlan> {
    Ok(reorder_parts(&r.unit, r.stage.analysed_mut()?, &mut context.scheduler)?)
}

fn change(r: &mut RegionState, context: &mut Context, change: Change) -> Result<(), NoPlan> {
    let unit = change_parts(&r.unit, r.stage.analysed_mut()?, &mut context.scheduler, change)?;
    if let Cow::Owned(unit) = unit {
        r.unit = Cow::Owned(unit);
    }
    Ok(())
}

fn reorder_bodies(r: &mut RegionState, context: &mut Context) -> Result<(), NoPlan> {
    Ok(reorder_bodies_of_parts(&r.unit, r.stage.analysed_mut()?, &mut context.scheduler)?)
}

fn evaluate_together(r: &mut RegionState, _: &mut Context) -> Result<(), NoPlan> {
    load_together_in_parts(r.stage.analysed_mut()?);
    Ok(())
}

fn schedule_parts(r: &mut RegionState, _: &mut Context) -> Result<(), NoPlan> {
    let mut region = r.stage.take_analysed()?;
    let scheduled = schedule_region(&r.unit, &mut region, r.settings, &|s| r.file.line(s))?;
    r.stage = Stage::Scheduled(Box::new((region, scheduled)));
    Ok(())
}

fn plan_kernels(r: &mut RegionState, _: &mut Context) -> Result<(), NoPlan> {
    let region = r.stage.take_scheduled()?;
    let name = r.file.name(r.candidate.stmts[0].span);
    let planned = plan(&r.unit, region, r.candidate, r.settings, name, &|s| r.file.line(s))?;
    r.stage = Stage::Planned(Box::new(planned));
    Ok(())
}

fn share_out_long_rows(r: &mut RegionState, _: &mut Context) -> Result<(), NoPlan> {
    let planned = r.stage.planned_mut()?;
    planned.notes.extend(cut_long_rows(&mut planned.plan, r.settings.defaults.sync));
    Ok(())
}

fn realise_loops(r: &mut RegionState, _: &mut Context) -> Result<(), NoPlan> {
    let planned = r.stage.planned_mut()?;
    planned.notes.extend(realise(&mut planned.plan, r.settings.defaults.sync, r.settings.defaults.is_one_kernel));
    Ok(())
}

fn lay_out_slices(r: &mut RegionState, _: &mut Context) -> Result<(), NoPlan> {
    let planned = r.stage.planned_mut()?;
    planned.notes.extend(slice_rows(&mut planned.plan));
    Ok(())
}

fn check_seldom(r: &mut RegionState, context: &mut Context) -> Result<(), NoPlan> {
    let planned = r.stage.planned_mut()?;
    let every = r.settings.defaults.check_every;
    let mut late = planned.plan.clone();
    let notes = check_every(&mut late, every);
    if context.options.check && late != planned.plan {
        planned.warnings.push(checked_always(every, r.candidate));
    } else {
        planned.plan = late;
        planned.notes.extend(notes);
    }
    Ok(())
}

/// Warning that loops which are compared with the original end when that does.
fn checked_always(every: u32, candidate: &Candidate) -> Reason {
    let message = format!(
        "compared with a check at every step: with check-every = {every} a loop may run up to {} steps further",
        every - 1
    );
    Reason::new("check-every", message, candidate.span())
        .help(remedy!("run the converted program to see what they change"))
}

fn shorten_columns(r: &mut RegionState, _: &mut Context) -> Result<(), NoPlan> {
    let wish = r.settings.defaults.short_columns;
    // A region that stands for one kernel of the user's is to stay one.
    if wish == ShortColumns::Never || r.settings.defaults.is_one_kernel {
        return Ok(());
    }
    let planned = r.stage.planned_mut()?;
    let said = short_columns(&mut planned.plan, wish == ShortColumns::Always);
    planned.notes.extend(said.notes);
    let warned = said.refused.map(|(message, help)| {
        Reason::new("short-columns", format!("columns stay as they are: {message}"), r.candidate.span()).help(help)
    });
    planned.warnings.extend(warned);
    Ok(())
}

fn stage_tables(r: &mut RegionState, _: &mut Context) -> Result<(), NoPlan> {
    tables(&mut r.stage.planned_mut()?.plan);
    Ok(())
}

fn keep_on_chip(r: &mut RegionState, _: &mut Context) -> Result<(), NoPlan> {
    // A region that stands for one kernel of the user's is to stay one.
    if r.settings.defaults.on_chip && !r.settings.defaults.is_one_kernel {
        let planned = r.stage.planned_mut()?;
        planned.notes.extend(on_chip(&mut planned.plan));
    }
    Ok(())
}

fn drop_copies(r: &mut RegionState, context: &mut Context) -> Result<(), NoPlan> {
    if context.options.launches.is_empty() || context.options.check {
        return Ok(());
    }
    Ok(on_device(&mut r.stage.planned_mut()?.plan)?)
}

fn drop_subsumed_regions(program: &mut ProgramState, context: &mut Context) -> Result<(), Stop> {
    drop_subsumed(program, context);
    Ok(())
}

fn keep_on_device(program: &mut ProgramState, context: &mut Context) -> Result<(), Stop> {
    find_residency(program, context);
    Ok(())
}

/// The parts that run in another order than the program's.
fn orders(r: &RegionState) -> Result<String, NoPlan> {
    Ok(analysis::text::orders(&r.unit, &r.candidate.name, r.stage.analysed()?, &|s| r.file.line(s)))
}

/// The parts in which variables were expanded.
fn expansions(r: &RegionState) -> Result<String, NoPlan> {
    Ok(analysis::text::expansions(&r.unit, &r.candidate.name, r.stage.analysed()?, &|s| r.file.line(s)))
}

fn mappings(pass: &str, r: &RegionState) -> Result<(), Stop> {
    let (region, scheduled) = r.stage.scheduled()?;
    scheduled::verify(pass, &r.unit, region, scheduled)
}

/// The steps of each part, each nest with its mapping.
fn steps(r: &RegionState) -> Result<String, NoPlan> {
    let (region, scheduled) = r.stage.scheduled()?;
    Ok(analysis::text::steps(&r.unit, &r.candidate.name, region, scheduled))
}

fn cuda_text(program: &ProgramState) -> String {
    let is_cuda = |f: &&crate::emit::File| f.path.extension().is_some_and(|e| e == "cu");
    program.emitted.iter().filter(is_cuda).map(|f| String::from_utf8_lossy(&f.contents)).collect()
}
