//! Context of a conversion: what passes are asked for, and what they say beside what they leave.

use super::log::Log;
use super::options::ConvertOptions;
use crate::analysis::explain;
use crate::ast::Unit;
use crate::config::Selector;
use crate::diag::{Diagnostic, Severity};
use crate::facts::Reason;
use crate::isl::Ctx;
use crate::poly::budget::Operations;
use crate::region::imports::Files;
use crate::region::names::RegionNames;
use crate::report::Report;
use crate::report::cost::BesideUsers;
use crate::schedule::scheduler::Scheduler;
use crate::source::cut::Text;
use crate::source::{Source, Span};
use std::collections::BTreeMap;
use std::sync::Arc;

/// State that all passes of a conversion share.
pub struct Context<'o> {
    pub options: &'o ConvertOptions,
    pub diagnostics: Vec<Diagnostic>,
    pub report: Report,
    pub log: Log,
    /// The functions and the regions found so far.
    pub functions: Vec<String>,
    pub names: RegionNames,
    /// Search for other orders, over all candidates of a function.
    pub scheduler: Scheduler,
    /// Operations of isl that are left to the function.
    pub operations: Operations,
    /// The files of a program with several.
    pub files: Arc<Files>,
    /// Flag: a file so far includes the header of the API.
    pub uses_api: bool,
    /// Kernels of users and what was made of them, by the functions that stand for them.
    pub beside_users: BTreeMap<String, BesideUsers>,
    /// Entries of the profile that speak of an access of the program, by number.
    pub seen: Vec<usize>,
}

/// State of what is said, at some time of a conversion.
pub struct Mark {
    diagnostics: Vec<Diagnostic>,
    n_regions: usize,
    n_functions: usize,
    n_seen: usize,
    n_dumped: usize,
    names: RegionNames,
    operations: BTreeMap<String, u64>,
    beside_users: BTreeMap<String, BesideUsers>,
}

impl<'o> Context<'o> {
    pub fn new(options: &'o ConvertOptions) -> Self {
        Context {
            options,
            diagnostics: vec![],
            report: Report::default(),
            log: Log::new(options.dump_after.clone(), options.follow.clone()),
            functions: vec![],
            names: RegionNames::default(),
            scheduler: Scheduler::new(options.config.defaults.schedule),
            operations: Operations::default(),
            files: Arc::default(),
            uses_api: false,
            beside_users: BTreeMap::new(),
            seen: vec![],
        }
    }

    /// A context for the candidates of one function, which are converted beside those of others.
    pub fn fork(&self) -> Self {
        Context { names: self.names.fork(), ..Context::new(self.options) }
    }

    /// Takes over what was said in a fork.
    pub fn join(&mut self, fork: Self) {
        self.diagnostics.extend(fork.diagnostics);
        self.report.regions.extend(fork.report.regions);
        self.names.join(fork.names);
        self.log.join(fork.log);
        self.seen.extend(fork.seen);
        self.beside_users.extend(fork.beside_users);
    }

    /// The state of what is said, to come back to.
    pub fn mark(&self) -> Mark {
        Mark {
            diagnostics: self.diagnostics.clone(),
            n_regions: self.report.regions.len(),
            n_functions: self.functions.len(),
            n_seen: self.seen.len(),
            n_dumped: self.log.dumps.len(),
            names: self.names.clone(),
            operations: self.log.operations.clone(),
            beside_users: self.beside_users.clone(),
        }
    }

    /// Takes back what was said since.
    pub fn back_to(&mut self, mark: Mark) {
        self.diagnostics = mark.diagnostics;
        self.report.regions.truncate(mark.n_regions);
        self.functions.truncate(mark.n_functions);
        self.seen.truncate(mark.n_seen);
        self.log.dumps.truncate(mark.n_dumped);
        self.names = mark.names;
        self.log.operations = mark.operations;
        self.beside_users = mark.beside_users;
    }

    /// Takes what was spent in the context of a candidate off what is left to its function; searches have operations of their own.
    pub fn spend(&mut self, function: &str, ctx: &Ctx) {
        let spent = ctx.spent();
        self.operations.spend(spent.saturating_sub(self.scheduler.take_searched()));
        *self.log.operations.entry(function.to_owned()).or_default() += spent;
    }

    /// The text that regions are cut out of.
    pub fn text(&self) -> Text {
        if self.options.object.is_some() { Text::Preprocessed } else { Text::Users }
    }

    /// The names in the configuration's selectors of one kind.
    pub fn selected(&self, kind: fn(&Selector) -> bool) -> Vec<String> {
        let selectors = self.options.config.regions.iter().map(|r| &r.selector);
        selectors.filter(|s| kind(s)).map(|s| s.name().to_owned()).collect()
    }

    /// Says why something stays on the host, `whole`: the reason may lie elsewhere, as in a function that it calls, whose own loops
    /// are another question.
    pub fn decline(&mut self, source: &Source, unit: &Unit, reason: &Reason, whole: Span) {
        // Of a loop of which a part runs on the device, the rest is where it has to be.
        if source.remade.has(reason.span) || source.remade.has(whole) {
            return;
        }
        let reason = explain::guarded(unit, reason.clone(), &|s| source.line(s));
        let place = Some(source.place(reason.span));
        let is_same = |d: &&mut Diagnostic| d.code == reason.code && d.place == place && d.message == reason.message;
        let is_elsewhere = !whole.contains(reason.span.lo);
        // Several loops may stay for what lies in one function, or in one of them.
        if !self.diagnostics.iter_mut().any(|d| is_same(&d)) {
            self.say(Severity::Declined, source, &reason);
        }
        if let Some(d) = self.diagnostics.iter_mut().find(is_same).filter(|_| is_elsewhere) {
            d.notes.push((Some(source.place(whole)), "this stays on the host because of it".into()));
        }
    }

    /// Says something of a place in a file.
    pub fn say(&mut self, severity: Severity, source: &Source, reason: &Reason) {
        let place = Some(source.place(reason.span));
        let mut d = Diagnostic::new(severity, reason.code, reason.message.clone(), place);
        d.help = reason.help.clone();
        self.diagnostics.push(d);
    }
}
