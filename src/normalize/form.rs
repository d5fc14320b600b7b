//! Form of a statement on its way through the rewrites, and what these know around it.
//!
//! A rewrite takes both and states what it needs by what it asks of them. There are three kinds of facts:
//!
//! | of | found | hold until |
//! | --- | --- | --- |
//! | the function as it is written: [`FunctionFacts`] | once, when first asked for | the end: no rewrite touches the file |
//! | the form: [`Form::has_loop`], [`Form::assigned`] and the like | once, when first asked for | a rewrite changes it: the runner forgets them then |
//! | all forms together: arrays behind structures, structures that arrays are seen through | by rewrites that note them | the end of the file, or of the function |

use super::arrays_in_structures::Members;
use super::arrays_of_structures::Records;
use super::refusal::Refusal;
use crate::ast::{Expr, Stmt, Unit, VarId};
use crate::facts::effects;
use crate::facts::function::FunctionFacts;
use crate::facts::liveness::Live;
use crate::facts::loops::has_loop;
use crate::source::Span;
use indexmap::IndexSet;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

/// Surroundings of the statements of one function.
pub struct Context<'a> {
    /// The file, to which rewrites give the variables that they need.
    pub unit: &'a mut Unit,
    /// Facts of the function as it is written.
    pub facts: &'a FunctionFacts<'a>,
    /// Arrays of the file that are reached through structures, each with the variable that stands for it.
    pub members: &'a mut Members,
    /// Structures that arrays of the function are seen through.
    pub records: Records<'a>,
    /// Statements between the marks of a region.
    pub marked: BTreeSet<Span>,
    /// Forms are held to their contract.
    pub is_verified: bool,
}

/// A variable that is read behind a statement which moves it, and what it is there, by values that the statement keeps.
#[derive(Debug, Clone, PartialEq)]
pub struct End {
    pub walker: VarId,
    pub place: Expr,
}

/// Pointers that a loop permutes.
#[derive(Debug, Clone, PartialEq)]
pub struct Rotation {
    /// Number of steps that were made, modulo the period.
    pub turn: VarId,
    pub pointers: Vec<VarId>,
    /// For each turn, whose buffer before the loop each pointer holds.
    pub turns: Vec<Vec<usize>>,
}

/// A statement in plainer C, as far as the rewrites have come, and what they found beside it.
pub struct Form<'a> {
    /// The statement as it stands in the file.
    pub written: &'a Stmt,
    /// The same in plainer C.
    pub stmt: Stmt,
    /// A third form, with conditions of its tiles being gone; the dependences may forbid it.
    pub without_tiles: Option<Stmt>,
    /// Conditions under which arrays that held tiles are gone from the third form.
    pub untiled_if: Vec<Expr>,
    /// Calls that stay, by their place, and why.
    pub refused: BTreeMap<Span, Refusal>,
    /// Functions whose bodies stand in it in the place of their calls.
    pub opened: IndexSet<String>,
    /// Variables that it moves and that are read behind it.
    pub ends: Vec<End>,
    /// Variables that tell where numbers begin to walk.
    pub starts: BTreeSet<VarId>,
    /// Statements that are to stand behind it.
    pub behind: Vec<Stmt>,
    /// Conditions of the call site, under which the form is the statement.
    pub conditions: Vec<Expr>,
    /// Pointers that it exchanges.
    pub rotation: Option<Rotation>,
    /// Numbers that names of arrays in it are made of.
    pub named: BTreeSet<VarId>,
    /// It is analysed as it is written.
    pub is_given_up: bool,
    known: Known,
}

/// Facts of a form as it is now.
#[derive(Default)]
struct Known {
    has_loop: OnceCell<bool>,
    assigned: OnceCell<Rc<BTreeSet<VarId>>>,
    declared: OnceCell<Rc<BTreeSet<VarId>>>,
    mentioned: OnceCell<Rc<BTreeSet<VarId>>>,
}

impl<'a> Form<'a> {
    /// The first form of a statement: the statement.
    pub fn of(written: &'a Stmt) -> Self {
        Form {
            written,
            stmt: written.clone(),
            without_tiles: None,
            untiled_if: vec![],
            refused: BTreeMap::new(),
            opened: IndexSet::new(),
            ends: vec![],
            starts: BTreeSet::new(),
            behind: vec![],
            conditions: vec![],
            rotation: None,
            named: BTreeSet::new(),
            is_given_up: false,
            known: Known::default(),
        }
    }

    /// Goes back to the statement as it is written; no rewrite comes to it any more.
    pub fn give_up(&mut self) {
        let refused = std::mem::take(&mut self.refused);
        *self = Form { refused, is_given_up: true, ..Form::of(self.written) };
    }

    /// Forgets what was known of it: for the runner, where a rewrite has changed it.
    pub fn forget(&mut self) {
        self.known = Known::default();
    }

    /// Test for a loop in it.
    pub fn has_loop(&self) -> bool {
        *self.known.has_loop.get_or_init(|| has_loop(&self.stmt))
    }

    /// Variables that it assigns, by name or a part of theirs.
    pub fn assigned(&self) -> Rc<BTreeSet<VarId>> {
        self.known.assigned.get_or_init(|| Rc::new(effects::assigned([&self.stmt]))).clone()
    }

    /// Variables that it declares.
    pub fn declared(&self) -> Rc<BTreeSet<VarId>> {
        self.known.declared.get_or_init(|| Rc::new(effects::declared([&self.stmt]))).clone()
    }

    /// Variables that it names.
    pub fn mentioned(&self) -> Rc<BTreeSet<VarId>> {
        self.known.mentioned.get_or_init(|| Rc::new(effects::mentioned([&self.stmt]))).clone()
    }

    /// Variables that live behind the statement, as the function is written.
    pub fn live_behind(&self, context: &Context) -> Arc<Live> {
        context.facts.live_behind(self.written.span)
    }
}
