//! Facts of one function, each found once: which of its variables are seen in other ways than by name, what lives behind
//! its statements, what is wanted behind them.
//!
//! Passes over plainer forms ask for the same places again and again, and an answer takes a look at the whole function.
//! It holds as long as the function's own text does: what passes write beside it changes none.

use super::effects::seen_in_other_ways;
use super::liveness::Live;
use super::wanted::wanted_of_function;
use crate::ast::{Function, Storage, Unit, VarId};
use crate::source::Span;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Knowledge of a function.
pub struct Facts<'a> {
    /// The function itself, as it stands in its file.
    pub function: &'a Function,
    /// Variables that may be read, and set, in other ways than by name.
    pub seen: BTreeSet<VarId>,
    live: RefCell<BTreeMap<Span, Rc<Live>>>,
    wanted: RefCell<BTreeMap<Span, Rc<BTreeSet<VarId>>>>,
}

impl<'a> Facts<'a> {
    /// Looks at a function.
    pub fn of(unit: &Unit, function: &'a Function) -> Facts<'a> {
        let seen = seen_in_other_ways(unit, function);
        Facts { function, seen, live: RefCell::default(), wanted: RefCell::default() }
    }

    /// Variables that live behind a place: see [`Live::behind`].
    pub fn live_behind(&self, place: Span) -> Rc<Live> {
        let find = || Rc::new(Live::behind(self.function, place));
        self.live.borrow_mut().entry(place).or_insert_with(find).clone()
    }

    /// Test for a variable whose value is wanted outside a place: see [`wanted_outside`](super::wanted::wanted_outside).
    pub fn is_wanted_outside(&self, unit: &Unit, place: Span, v: VarId) -> bool {
        if matches!(unit.var(v).storage, Storage::Global | Storage::StaticLocal) {
            return true;
        }
        let live = self.live_behind(place);
        let find = || Rc::new(wanted_of_function(unit, self.function, place, &live, &self.seen));
        self.wanted.borrow_mut().entry(place).or_insert_with(find).contains(&v)
    }
}
