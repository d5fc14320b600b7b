//! Normal forms: statements in plainer C, beside what stands in the file. Regions are looked for, and analysed, in them.
//!
//! ```text
//! for (t...) { step(n, u, un); step(n, un, u); }      ->      the loops of `step`, twice, over `u` and `un`
//! ```
//! Before candidates are looked for, every statement whose meaning can be written more plainly gets a second form. The rewrites
//! that make it are the rows of one table ([`passes::REWRITES`]), of one signature, in the order in which they run. A row says
//! what the rewrite does, which rows it must follow, and why; each rewrite is a file, whose header shows it by an example.
//!
//! [`runner`] takes every statement through the table. What rewrites may ask, and how long an answer holds, says [`form`].
//! After each one that changed a form, [`verify`] holds the form to its contract, in builds with debug assertions.
//! `--dump-after normalize/ROW` shows the statements that one row changed, as it left them.
//!
//! The file is never changed: the call of the converted region stands around the statement as the user wrote it, and only whole
//! statements of the file are ever replaced by a call. What cannot be written more plainly stays as it is, and is declined
//! where the analysis meets it. Short values go forward ([`forward_substitution`]) once more in each run of statements that
//! becomes a candidate.

use crate::ast::{Expr, Stmt, Unit, VarId, print};
use crate::diag::Stop;
use crate::facts::function::FunctionFacts;
use crate::source::Span;
use arrays_in_structures::Members;
use arrays_of_structures::Records;
use form::{Context, End, Form, Rotation};
use indexmap::IndexSet;
use refusal::Refusal;
use runner::Watched;
use std::collections::{BTreeMap, BTreeSet};
use structure_layouts::Layouts;

pub mod arg_extremum;
pub mod array_coverage;
pub mod arrays_in_structures;
pub mod arrays_of_structures;
pub mod assigning_conditions;
pub mod block_copies;
pub mod buffer_rotation;
mod choices;
pub mod commas;
pub mod constants;
pub mod copy_propagation;
pub mod countdown;
pub mod counter_digits;
mod error_paths;
pub mod exit_values;
mod extrema;
mod extreme_helpers;
pub mod fixed_rows;
pub mod flag_reduction;
pub mod flattened_rows;
pub mod form;
pub mod forward_substitution;
pub mod generator_jump_ahead;
pub mod generator_laws;
pub mod heap_to_stack;
pub mod if_conversion;
mod index_helpers;
pub mod induction_substitution;
pub mod induction_variables;
pub mod initialisers;
pub mod inlining;
pub mod interior_pointers;
pub mod linear_recurrences;
pub mod live_range_splitting;
pub mod logical_reduction;
pub mod loop_canonicalization;
pub mod nan_order;
pub mod nested_assignments;
pub mod offset_propagation;
pub mod open_begins;
pub mod partial_accumulators;
pub mod passes;
mod periodic;
pub mod place_canonicalization;
pub mod pointer_calls;
pub mod pointer_loops;
mod pointer_positions;
pub mod pointer_propagation;
pub mod pointer_tests;
pub mod post_increments;
pub mod private_arrays;
pub mod refusal;
pub mod register_tiles;
pub mod row_exchange;
pub mod runner;
pub mod scalar_replacement;
mod scope_check;
pub mod single_counter;
pub mod single_return;
pub mod single_structures;
pub mod speculative_exits;
pub mod structure_copies;
pub mod structure_layouts;
pub mod substitution;
pub mod symbolic_steps;
pub mod tile_buffers;
pub mod tile_heads;
pub mod tile_points;
pub mod untiling;
pub mod verify;
pub mod zero_signs;

/// The second forms of a file's statements.
#[derive(Debug, Default)]
pub struct NormalForms {
    stmts: BTreeMap<Span, Stmt>,
    /// A third form of some, which the dependences may forbid.
    without_tiles: BTreeMap<Span, Stmt>,
    refused: BTreeMap<Span, Refusal>,
    rotations: BTreeMap<Span, Rotation>,
    opened: BTreeMap<Span, IndexSet<String>>,
    ends: BTreeMap<Span, Vec<End>>,
    conditions: BTreeMap<Span, Vec<Expr>>,
    /// Numbers that names of arrays in a statement are made of.
    named: BTreeMap<Span, BTreeSet<VarId>>,
    watched: Watched,
}

impl NormalForms {
    /// Finds them for every statement of the file; gives the variables that they need to the unit. `watched`: the row of the
    /// table whose work is to be shown.
    ///
    /// # Errors
    /// [`Stop::Bug`] where a rewrite breaks the contract of forms, in builds with debug assertions.
    pub fn new(unit: &mut Unit, watched: Option<&str>) -> Result<NormalForms, Stop> {
        let mut out = NormalForms::default();
        out.watched.row = watched.unwrap_or_default().to_owned();
        let mut members = Members::default();
        let layouts = Layouts::of(unit);
        // Always, it would take 2 to 4 per cent of a conversion.
        let is_verified = cfg!(debug_assertions) && verify::is_kept_by(unit);
        for function in &unit.functions.clone() {
            let facts = FunctionFacts::of(unit, function);
            let marked = runner::marked(&function.body);
            let records = Records::new(&layouts);
            let mut context = Context { unit, facts: &facts, members: &mut members, records, marked, is_verified };
            runner::run(&mut context, &mut out.watched)?.into_iter().for_each(|form| out.keep(form));
        }
        Ok(out)
    }

    fn keep(&mut self, form: Form<'_>) {
        let at = form.written.span;
        self.refused.extend(form.refused);
        self.rotations.extend(form.rotation.map(|rotation| (at, rotation)));
        self.without_tiles.extend(form.without_tiles.map(|s| (at, s)));
        if !form.named.is_empty() {
            self.named.insert(at, form.named);
        }
        if !form.ends.is_empty() {
            self.ends.insert(at, form.ends);
        }
        if !form.conditions.is_empty() {
            self.conditions.insert(at, form.conditions);
        }
        if form.stmt != *form.written {
            self.opened.insert(at, form.opened);
            self.stmts.insert(at, form.stmt);
        }
    }

    /// The forms as C, each under the line of the statement that it stands for.
    pub fn text(&self, unit: &Unit, line: &dyn Fn(Span) -> u32) -> String {
        let second = self.stmts.iter().map(|(at, s)| text_of(unit, line(*at), "", s));
        let third = self.without_tiles.iter().map(|(at, s)| text_of(unit, line(*at), WITHOUT_TILES, s));
        or_unchanged(second.chain(third).collect())
    }

    /// The forms that the watched row changed, as it left them.
    pub fn watched_text(&self, unit: &Unit, line: &dyn Fn(Span) -> u32) -> String {
        let mut text = String::new();
        for (at, shown) in &self.watched.forms {
            let second = shown.stmt.iter().map(|s| ("", s)).chain(shown.behind.iter().map(|s| (", behind it", s)));
            let all = second.chain(shown.without_tiles.iter().map(|s| (WITHOUT_TILES, s)));
            text.extend(all.map(|(words, s)| text_of(unit, line(*at), words, s)));
        }
        or_unchanged(text)
    }

    /// What a statement is analysed as.
    pub fn of<'a>(&'a self, s: &'a Stmt) -> &'a Stmt {
        self.stmts.get(&s.span).unwrap_or(s)
    }

    /// Form in which a statement with tiles in it is analysed first.
    pub fn without_tiles<'a>(&'a self, s: &'a Stmt) -> Option<&'a Stmt> {
        self.without_tiles.get(&s.span)
    }

    /// The pointers that a statement, a loop, exchanges.
    pub fn rotation(&self, s: &Stmt) -> Option<&Rotation> {
        self.rotations.get(&s.span)
    }

    /// The pointers that a statement moves and that are read behind it.
    pub fn ends(&self, s: &Stmt) -> &[End] {
        self.ends.get(&s.span).map_or(&[], Vec::as_slice)
    }

    /// Condition that must hold before a statement for it to be analysed as it is; the call site tests it.
    pub fn conditions(&self, s: &Stmt) -> &[Expr] {
        self.conditions.get(&s.span).map_or(&[], Vec::as_slice)
    }

    /// Test for a statement behind which pointers point elsewhere.
    pub fn sets_pointers(&self, s: &Stmt) -> bool {
        self.rotation(s).is_some() || !self.ends(s).is_empty()
    }

    /// Test for a statement that no region may hold behind others, which assign these variables: what names of its arrays are made
    /// of is looked up where the region begins.
    pub fn begins_anew(&self, s: &Stmt, assigned: &BTreeSet<VarId>) -> bool {
        self.named.get(&s.span).is_some_and(|named| !assigned.is_disjoint(named))
    }

    /// The functions whose bodies stand in a statement in the place of their calls.
    pub fn opened(&self, s: &Stmt) -> impl Iterator<Item = &str> {
        self.opened.get(&s.span).into_iter().flatten().map(String::as_str)
    }

    /// Why the call at a place was not opened.
    pub fn refusal(&self, call: Span) -> Option<&Refusal> {
        self.refused.get(&call)
    }
}

const WITHOUT_TILES: &str = ", without tiles";

fn text_of(unit: &Unit, line: u32, words: &str, s: &Stmt) -> String {
    format!("line {line}{words}:\n{}", print::stmt(unit, s, 1))
}

fn or_unchanged(text: String) -> String {
    if text.is_empty() { "(unchanged)\n".to_owned() } else { text }
}
