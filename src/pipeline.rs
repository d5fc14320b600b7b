//! From C files and a configuration to the files of a CUDA program: the passes, in their order.

use crate::api;
use crate::ast::{self, Unit};
use crate::config::{Config, Selector};
use crate::dag::build::{NoPlan, Planned, Settings, plan};
use crate::dag::{
    self,
    analysed::{analyse_region, change_parts, reorder_bodies_of_parts, reorder_parts},
    check_every::check_every,
    operators::find_operators,
    plan::Region,
    realise::realise,
    scheduled::schedule_region,
    slices::slice_rows,
    stays::{self, Stays},
    tables::tables,
};
use crate::diag::{Diagnostic, Severity, Stop, nearest};
use crate::emit::{self, CFile, Homecoming, Program, Site, home_text};
use crate::kernel::verify;
use crate::region;
use crate::region::Reason;
use crate::region::candidates::{self, Candidate, Wanted};
use crate::region::hints::{self, Hints};
use crate::region::plain::Plain;
use crate::region::shape;
use crate::report::Report;
use crate::schedule::expand::expand;
use crate::schedule::scheduler::Scheduler;
use crate::schedule::split::split;
use crate::source::cut::{Cut, Text};
use crate::source::{Source, Span};
use rayon::prelude::*;
use std::collections::VecDeque;
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The passes that can be named, in the order they run: `--dump-after` shows what they leave.
pub const PASSES: &[&str] = &[
    "source", "ast", "region", "poly", "reorder", "split", "expand", "bodies", "schedule", "kernel", "plan", "realise",
    "slices", "tables", "stays", "emit",
];

/// What a conversion is asked to do, beside the files.
#[derive(Debug, Clone, Default)]
pub struct ConvertOptions {
    /// Flags for the C preprocessor and compiler, as the user gave them.
    pub cflags: Vec<String>,
    /// Emit both versions of each region, and the code that compares them.
    pub check: bool,
    /// The configuration.
    pub config: Config,
    /// Print the representation after the pass of this name.
    pub dump_after: Option<String>,
    /// Time the passes.
    pub time_passes: bool,
    /// Set for a file that becomes one object of a larger program: what the object is made of, in words that no other
    /// object has. The text that is emitted is then the preprocessed one, and the configuration may speak of regions
    /// that other files have.
    pub object: Option<String>,
}

/// What a conversion gives.
#[derive(Debug, Clone)]
pub struct Converted {
    /// Every file of the output folder.
    pub files: Vec<emit::File>,
    /// What was declined or deserves a warning.
    pub diagnostics: Vec<Diagnostic>,
    /// Every decision taken, per region: name, function, lines, kernels, loops (parallel or not, and why), transfers.
    pub report: serde_json::Value,
    /// What `dump_after` and `time_passes` asked for.
    pub dumps: String,
}

/// Converts C files into one CUDA program.
///
/// # Errors
/// [`Stop::Input`] where a file cannot be read or preprocessed, [`Stop::Bug`] where the tool contradicts itself.
pub fn convert(files: &[PathBuf], options: &ConvertOptions) -> Result<Converted, Stop> {
    let mut run = Run::new(options);
    let mut program = Program { files: vec![], decisions: serde_json::Value::Null, uses_api: false };
    run.diagnostics.extend(options.config.warnings.iter().cloned());
    let mut parsed = vec![];
    for path in files {
        parsed.push(run.file(path)?);
    }
    program.files = run.timed("stays", |run| run.stays(parsed));
    // One object of a program leaves the rest of it to the program's own build.
    program.uses_api = run.uses_api && options.object.is_none();
    if options.object.is_none() {
        run.check_selectors()?;
    }
    let report = serde_json::to_value(&run.report).map_err(|e| Stop::Bug(format!("report: {e}")))?;
    program.decisions = report.clone();
    let emit_options = emit::Options {
        check: options.check,
        arch: options.config.target.arch.to_string(),
        fmad: options.config.target.fmad,
        cflags: options.cflags.clone(),
        folder: std::env::current_dir().unwrap_or_default(),
    };
    let files = run.timed("emit", |_| emit::emit(&program, &emit_options))?;
    if run.dumps_after("emit") {
        for f in files.iter().filter(|f| f.path.extension().is_some_and(|e| e == "cu")) {
            run.dumps += &String::from_utf8_lossy(&f.contents);
        }
    }
    if options.time_passes {
        for (pass, time) in &run.times {
            let _ = writeln!(run.dumps, "{pass:<8} {:>9.3} ms", time.as_secs_f64() * 1e3);
        }
    }
    Ok(Converted { files, diagnostics: run.diagnostics, report, dumps: run.dumps })
}

/// What is known of a file when its candidates are.
#[derive(Clone, Copy)]
struct Known<'a> {
    source: &'a Source,
    unit: &'a Unit,
    plain: &'a Plain,
    hints: &'a Hints,
    /// Whether candidates that do not convert are searched inside.
    is_open: bool,
}

/// A file and its regions.
struct Parsed {
    path: PathBuf,
    source: Source,
    unit: Unit,
    sites: Vec<Site>,
}

impl Parsed {
    fn part(&self) -> stays::Part<'_> {
        let regions = self.sites.iter().map(|s| &s.region).collect();
        stays::Part { source: &self.source, unit: &self.unit, regions }
    }
}

struct Run<'a> {
    options: &'a ConvertOptions,
    diagnostics: Vec<Diagnostic>,
    report: Report,
    dumps: String,
    times: Vec<(&'static str, Duration)>,
    /// The functions and the regions found so far.
    functions: Vec<String>,
    names: Vec<String>,
    /// What finds other orders, over all candidates of a function.
    scheduler: Scheduler,
    /// Whether a file so far includes the header of the API.
    uses_api: bool,
}

impl<'o> Run<'o> {
    fn new(options: &'o ConvertOptions) -> Self {
        Run {
            options,
            diagnostics: vec![],
            report: Report::default(),
            dumps: String::new(),
            times: vec![],
            functions: vec![],
            names: vec![],
            scheduler: Scheduler::new(options.config.defaults.schedule),
            uses_api: false,
        }
    }

    /// Takes over what was found apart, which began with `n_names` names.
    fn join(&mut self, other: Self, n_names: usize) {
        self.diagnostics.extend(other.diagnostics);
        self.report.regions.extend(other.report.regions);
        self.dumps += &other.dumps;
        self.names.extend(other.names.into_iter().skip(n_names));
        for (pass, spent) in other.times {
            self.spend(pass, spent);
        }
    }

    fn spend(&mut self, pass: &'static str, spent: Duration) {
        match self.times.iter_mut().find(|(p, _)| *p == pass) {
            Some((_, total)) => *total += spent,
            None => self.times.push((pass, spent)),
        }
    }

    fn timed<T>(&mut self, pass: &'static str, f: impl FnOnce(&mut Self) -> T) -> T {
        let start = Instant::now();
        let out = f(self);
        self.spend(pass, start.elapsed());
        out
    }

    fn dumps_after(&self, pass: &str) -> bool {
        self.options.dump_after.as_deref() == Some(pass)
    }

    fn file(&mut self, path: &Path) -> Result<Parsed, Stop> {
        let source = self.timed("source", |r| Source::load(path, &r.options.cflags))?;
        self.uses_api |= source.line_map.has_file(api::HEADER);
        if self.dumps_after("source") {
            self.dumps += &source.text;
        }
        let built = self.timed("ast", |_| ast::build::build(&source))?;
        self.diagnostics.extend(built.notes);
        let mut unit = built.unit;
        if self.dumps_after("ast") {
            self.dumps += &ast::print::unit(&unit);
        }
        unit.add_counters();
        let (hints, warnings) = hints::read(&unit, &source, &self.options.config)?;
        self.diagnostics.extend(warnings);
        self.check_names(&source, &unit)?;
        let functions = self.selected(|s| matches!(s, Selector::Function(_)));
        let names = self.selected(|s| matches!(s, Selector::Name(_)));
        let wanted = Wanted { functions: &functions, names: &names, taken: &self.names.clone() };
        let plain = self.timed("region", |_| Plain::new(&mut unit));
        shape::add_row_lengths(&mut unit);
        let found = self.timed("region", |_| candidates::find(&unit, &plain, &wanted, &hints));
        self.functions.extend(unit.functions.iter().map(|f| f.name.clone()));
        self.names.extend(candidates::marks(&unit).keys().map(|name| name.to_string()));
        self.names.extend(found.candidates.iter().map(|c| c.name.clone()));
        self.diagnostics.extend(hints.unused(&found.candidates));
        for reason in &found.declined {
            self.decline(&source, reason);
        }
        let known = Known { source: &source, unit: &unit, plain: &plain, hints: &hints, is_open: names.is_empty() };
        let mut functions: Vec<Vec<Candidate>> = vec![];
        for candidate in found.candidates {
            match functions.last_mut() {
                Some(last) if last[0].function.name == candidate.function.name => last.push(candidate),
                _ => functions.push(vec![candidate]),
            }
        }
        let fork = |candidates| {
            let mut run = Run { names: self.names.clone(), ..Run::new(self.options) };
            run.sites(&known, candidates).map(|sites| (run, sites))
        };
        let done: Vec<Result<(Run, Vec<Site>), Stop>> = functions.into_par_iter().map(fork).collect();
        let (mut sites, n_names) = (vec![], self.names.len());
        for result in done {
            let (run, found) = result?;
            self.join(run, n_names);
            sites.extend(found);
        }
        Ok(Parsed { path: path.to_path_buf(), source, unit, sites })
    }

    /// What stays on the device between the regions of the program.
    fn stays(&mut self, mut parsed: Vec<Parsed>) -> Vec<CFile> {
        let text = self.text();
        let found = match emit::is_threaded(&self.options.cflags) {
            true => Stays::default(),
            false => {
                let parts: Vec<_> = parsed.iter().map(Parsed::part).collect();
                stays::find(&parts, self.options.object.is_none(), &|part, place| {
                    matches!(place, stays::Place::Region(_))
                        || home_text::spot(parts[part].source, text, place).is_some()
                })
            }
        };
        for (part, region) in &found.leaves {
            let plan = &mut parsed[*part].sites[*region].region;
            plan.leaves = true;
            if let Some(told) = self.report.regions.iter_mut().find(|r| r.name == plan.name) {
                told.notes.push(stays::note(plan));
            }
        }
        if self.dumps_after("stays") {
            for (part, p) in parsed.iter().enumerate() {
                let regions = p.sites.iter().map(|s| &s.region);
                self.dumps +=
                    &stays::text(regions, found.needs.iter().filter(|n| n.part == part), &|s| p.source.line(s));
            }
        }
        let mut homecomings: Vec<Vec<Homecoming>> = vec![vec![]; parsed.len()];
        for need in found.needs {
            if let stays::Place::Region(region) = need.place {
                parsed[need.part].sites[region].touch = Some(need.touch);
            } else if let Some(spot) = home_text::spot(&parsed[need.part].source, text, &need.place) {
                homecomings[need.part].push(Homecoming { spot, touch: need.touch });
            }
        }
        let text = self.text();
        let file = |(p, homecomings): (Parsed, _)| CFile {
            path: p.path,
            text: p.source.bytes(text),
            sites: p.sites,
            homecomings,
        };
        parsed.into_iter().zip(homecomings).map(file).collect()
    }

    /// The places of the candidates of one function that convert, or of what converts in them.
    fn sites(&mut self, known: &Known, candidates: Vec<Candidate>) -> Result<Vec<Site>, Stop> {
        let Known { source, unit, plain, hints, is_open } = *known;
        let mut sites = vec![];
        let mut pending: VecDeque<(Candidate, bool)> = candidates.into_iter().map(|c| (c, false)).collect();
        while let Some((mut candidate, is_inner)) = pending.pop_front() {
            if self.dumps_after("region") {
                self.dumps += &region::text::candidate(unit, &candidate, &|s| source.line(s));
            }
            let reason = match self.candidate(source, unit, &candidate)? {
                Ok(site) => {
                    sites.push(site);
                    continue;
                }
                Err(reason) => reason,
            };
            if let Some(by_host) = candidate.parts.otherwise.take() {
                candidate.parts = *by_host;
                pending.push_front((candidate, is_inner));
                continue;
            }
            // Where no loop at all is parallel, none inside is.
            if reason.code != "sequential" && is_open {
                let inner = candidates::inside(unit, plain, hints, &candidate, &mut self.names);
                inner.into_iter().rev().for_each(|c| pending.push_front((c, true)));
            }
            // Of what is in it, the reason of the whole was said.
            if !is_inner {
                self.decline(source, &reason);
            }
        }
        Ok(sites)
    }

    /// The converted candidate, or why it stays as it is.
    fn candidate(&mut self, source: &Source, unit: &Unit, candidate: &Candidate) -> Result<Result<Site, Reason>, Stop> {
        let first = candidate.stmts[0];
        let last = candidate.stmts[candidate.stmts.len() - 1].span;
        let directives = first.directives.iter().map(|d| d.span);
        let Cut { range, markers } = match source.cut(self.text(), first.span, last, directives) {
            Ok(cut) => cut,
            Err(why) => {
                let message = format!("the region cannot be cut out of its file: {why}");
                return Ok(Err(Reason::new("no-range", message, first.span)));
            }
        };
        let line = |s: Span| source.line(s);
        let Planned { plan, loops, notes, warnings } = match self.planned(source, unit, candidate) {
            Ok(planned) => planned,
            Err(NoPlan::Stop(stop)) => return Err(stop),
            Err(NoPlan::Contradiction(what)) => {
                let (error, shown) = *what;
                return Err(error.note(Some(source.place(shown)), "the access").into());
            }
            Err(NoPlan::Declined(mut reason)) => {
                if reason.span == Span::default() {
                    reason.span = first.span;
                }
                return Ok(Err(reason));
            }
        };
        self.report.regions.push(dag::explain::region(&plan, loops, notes, candidate, &source.path, &line));
        for warning in &warnings {
            self.say(Severity::Warning, source, warning);
        }
        let end = Span { lo: last.hi.saturating_sub(1), hi: last.hi };
        let entry = self.entry(source, &plan.name);
        Ok(Ok(Site { region: plan, entry, range, lines: (line(first.span), line(end)), markers, touch: None }))
    }

    /// The text that regions are cut out of.
    fn text(&self) -> Text {
        if self.options.object.is_some() { Text::Preprocessed } else { Text::Users }
    }

    /// The C function that stands for a region. Among the objects of a program, what tells it from those of regions
    /// with the same name is what the object is made of: two compilations of one file may become two objects.
    fn entry(&self, source: &Source, region: &str) -> String {
        match &self.options.object {
            None => format!("rt_{region}"),
            Some(object) => {
                let mut hasher = DefaultHasher::new();
                (object, &source.bytes).hash(&mut hasher);
                format!("rt_{region}_{:016x}", hasher.finish())
            }
        }
    }

    /// The passes from a candidate to its plan.
    fn planned(&mut self, source: &Source, unit: &Unit, candidate: &Candidate) -> Result<Planned, NoPlan> {
        let config = &self.options.config;
        let own = config.region(&candidate.function.name, &candidate.name);
        let defaults = own.map_or(&config.defaults, |r| &r.settings).with(candidate.asked);
        let settings = Settings {
            defaults: &defaults,
            block: own.and_then(|r| r.block),
            merge: own.and_then(|r| r.merge),
            skew: own.and_then(|r| r.skew),
        };
        let mut region = self.timed("poly", |_| analyse_region(unit, candidate))?;
        if self.dumps_after("poly") {
            self.dumps += &dag::text::poly(unit, &candidate.name, &region)?;
        }
        self.timed("poly", |_| find_operators(unit, &mut region, settings.defaults.library))?;
        self.scheduler.strategy = settings.defaults.schedule;
        self.timed("reorder", |run| reorder_parts(unit, &mut region, &mut run.scheduler))?;
        if self.dumps_after("reorder") {
            let line = |s: Span| source.line(s);
            self.dumps += &dag::text::orders(unit, &candidate.name, &region, &line);
        }
        let unit = &*self.timed("split", |run| change_parts(unit, &mut region, &mut run.scheduler, split))?;
        if self.dumps_after("split") {
            let line = |s: Span| source.line(s);
            self.dumps += &dag::text::expansions(unit, &candidate.name, &region, &line);
        }
        let unit = &*self.timed("expand", |run| change_parts(unit, &mut region, &mut run.scheduler, expand))?;
        if self.dumps_after("expand") {
            let line = |s: Span| source.line(s);
            self.dumps += &dag::text::expansions(unit, &candidate.name, &region, &line);
        }
        self.timed("bodies", |run| reorder_bodies_of_parts(unit, &mut region, &mut run.scheduler))?;
        if self.dumps_after("bodies") {
            let line = |s: Span| source.line(s);
            self.dumps += &dag::text::orders(unit, &candidate.name, &region, &line);
        }
        let line = |s: Span| source.line(s);
        let scheduled = self.timed("schedule", |_| schedule_region(unit, &mut region, settings, &line))?;
        if self.dumps_after("schedule") {
            self.dumps += &dag::text::steps(unit, &candidate.name, &region, &scheduled);
        }
        let mut planned =
            self.timed("kernel", |_| plan(unit, (region, scheduled), candidate, settings, &source.path, &line))?;
        let Region { kernels, functions, .. } = &planned.plan;
        if self.dumps_after("kernel") {
            functions.iter().for_each(|f| self.dumps += &format!("{f}\n"));
            kernels.iter().for_each(|k| self.dumps += &format!("{k}\n"));
        }
        verify::after_pass("kernel", kernels, functions).map_err(NoPlan::Stop)?;
        if self.dumps_after("plan") {
            self.dumps += &dag::text::plan(&planned.plan);
        }
        let notes = self.timed("realise", |_| realise(&mut planned.plan, settings.defaults.sync));
        planned.notes.extend(notes);
        let notes = self.timed("slices", |_| slice_rows(&mut planned.plan));
        verify::after_pass("slices", &planned.plan.kernels, &planned.plan.functions).map_err(NoPlan::Stop)?;
        if self.dumps_after("slices") {
            planned.plan.kernels.iter().for_each(|k| self.dumps += &format!("{k}\n"));
            self.dumps += &dag::text::plan(&planned.plan);
        }
        planned.notes.extend(notes);
        let every = settings.defaults.check_every;
        let mut late = planned.plan.clone();
        let notes = check_every(&mut late, every);
        if self.options.check && late != planned.plan {
            planned.warnings.push(checked_always(every, candidate));
        } else {
            planned.plan = late;
            planned.notes.extend(notes);
        }
        verify::after_pass("realise", &planned.plan.kernels, &planned.plan.functions).map_err(NoPlan::Stop)?;
        if self.dumps_after("realise") {
            let resident = planned.plan.kernels.iter().filter(|k| k.resident.is_some());
            resident.for_each(|k| self.dumps += &format!("{k}\n"));
            self.dumps += &dag::text::plan(&planned.plan);
        }
        self.timed("tables", |_| tables(&mut planned.plan));
        if self.dumps_after("tables") {
            planned.plan.kernels.iter().for_each(|k| self.dumps += &format!("{k}\n"));
        }
        verify::after_pass("tables", &planned.plan.kernels, &planned.plan.functions).map_err(NoPlan::Stop)?;
        Ok(planned)
    }

    /// The names in the configuration's selectors of one kind.
    fn selected(&self, kind: fn(&Selector) -> bool) -> Vec<String> {
        let selectors = self.options.config.regions.iter().map(|r| &r.selector);
        selectors.filter(|s| kind(s)).map(|s| s.name().to_owned()).collect()
    }

    /// Refuses a name that two directives give.
    fn check_names(&self, source: &Source, unit: &Unit) -> Result<(), Stop> {
        let twice = |name: &str, span: Span| {
            let message = format!("a second region has the name `{name}`");
            Diagnostic::error("duplicate-name", message, Some(source.place(span))).help("give it another name")
        };
        if let Some((name, second, first)) = candidates::named_twice(unit) {
            return Err(twice(name, second.span).note(Some(source.place(first.span)), "the first is here").into());
        }
        match candidates::marks(unit).iter().find(|(name, _)| self.names.iter().any(|n| n == *name)) {
            Some((name, d)) => Err(twice(name, d.span).note(None, "the first is in another file").into()),
            None => Ok(()),
        }
    }

    /// Refuses a `[[region]]` that speaks of nothing.
    fn check_selectors(&self) -> Result<(), Stop> {
        for region in &self.options.config.regions {
            let (what, known) = match &region.selector {
                Selector::Function(_) => ("function", &self.functions),
                Selector::Name(_) => ("region", &self.names),
            };
            let name = region.selector.name();
            if known.iter().any(|k| k == name) {
                continue;
            }
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            let help = match (nearest(name, &known), known.is_empty()) {
                (Some(near), _) => format!("did you mean `{near}`?"),
                (None, true) => format!("there is no {what} at all"),
                (None, false) => format!("there are {}", known.join(", ")),
            };
            let message = format!("the program has no {what} `{name}`");
            return Err(Diagnostic::error("no-such-region", message, Some(region.place.clone())).help(help).into());
        }
        Ok(())
    }

    fn decline(&mut self, source: &Source, reason: &Reason) {
        self.say(Severity::Declined, source, reason);
    }

    fn say(&mut self, severity: Severity, source: &Source, reason: &Reason) {
        let place = Some(source.place(reason.span));
        let mut d = Diagnostic::new(severity, reason.code, reason.message.clone(), place);
        d.help = reason.help.clone();
        self.diagnostics.push(d);
    }
}

/// What is compared with the original ends its loops when that does.
fn checked_always(every: u32, candidate: &Candidate) -> Reason {
    let message = format!(
        "compared with a check at every step: with check-every = {every} a loop may run up to {} steps further",
        every - 1
    );
    Reason::new("check-every", message, candidate.span()).help("run the converted program to see what they change")
}
