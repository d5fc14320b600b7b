//! Facts of one function, each found when it is first asked for, and once: which of its variables are seen in other ways than
//! by name, what lives behind its statements, what is wanted behind them.
//!
//! Passes over plainer forms ask for the same places again and again, and an answer takes a look at the whole function.
//! It holds as long as the function's own text does: what passes write beside it changes none.

use super::effects::{self, seen_in_other_ways};
use super::liveness::Live;
use super::wanted::wanted_of_function;
use crate::ast::visit::visible;
use crate::ast::{Function, Stmt, StmtKind, Storage, Unit, VarId};
use crate::source::Span;
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Knowledge of a function.
pub struct FunctionFacts<'a> {
    /// The function itself, as it stands in its file.
    pub function: &'a Function,
    /// Variables that may be read, and set, in other ways than by name.
    pub seen: BTreeSet<VarId>,
    live: RefCell<BTreeMap<Span, Rc<Live>>>,
    /// The same behind the statements right below one, for all of them at once: by the place of that one in memory.
    live_below: RefCell<BTreeMap<*const Stmt, Rc<[Rc<Live>]>>>,
    wanted: RefCell<BTreeMap<Span, Rc<BTreeSet<VarId>>>>,
    visible: RefCell<BTreeMap<Span, Rc<Vec<VarId>>>>,
    addresses: OnceCell<BTreeSet<VarId>>,
    in_types: OnceCell<BTreeSet<VarId>>,
    read_behind: OnceCell<BTreeSet<VarId>>,
    moved_within: OnceCell<BTreeSet<VarId>>,
    live_behind_each: OnceCell<Vec<Live>>,
}

impl<'a> FunctionFacts<'a> {
    /// Looks at a function.
    pub fn of(unit: &Unit, function: &'a Function) -> FunctionFacts<'a> {
        let seen = seen_in_other_ways(unit, function);
        FunctionFacts {
            function,
            seen,
            live: RefCell::default(),
            live_below: RefCell::default(),
            wanted: RefCell::default(),
            visible: RefCell::default(),
            addresses: OnceCell::new(),
            in_types: OnceCell::new(),
            read_behind: OnceCell::new(),
            moved_within: OnceCell::new(),
            live_behind_each: OnceCell::new(),
        }
    }

    /// Variables that live behind a place: see [`Live::behind`].
    pub fn live_behind(&self, place: Span) -> Rc<Live> {
        if let Some(known) = self.live.borrow().get(&place) {
            return known.clone();
        }
        let body = &self.function.body;
        let found = body.is_modelled().then(|| self.live_within(body, Rc::default(), place)).flatten();
        let found = found.unwrap_or_else(|| Rc::new(Live::behind(self.function, place)));
        self.live.borrow_mut().insert(place, found.clone());
        found
    }

    /// Variables that live behind a place in a statement behind which `live` does. Of neighbours, each asks for the same walk
    /// over those behind it, which is made once.
    fn live_within(&self, s: &Stmt, live: Rc<Live>, place: Span) -> Option<Rc<Live>> {
        if place.lo <= s.span.lo && s.span.hi <= place.hi {
            return Some(live);
        }
        let find = || live.behind_children(s).into_iter().map(Rc::new).collect();
        let below: Rc<[Rc<Live>]> = self.live_below.borrow_mut().entry(s).or_insert_with(find).clone();
        let at = Live::child_with_end_of(s, place)?;
        self.live_within(s.stmts()[at], below[at].clone(), place)
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

    /// Variables that a name means where a statement of the function begins: see [`visible`].
    pub fn visible_at(&self, unit: &Unit, place: Span) -> Rc<Vec<VarId>> {
        let find = || Rc::new(visible(unit, self.function, place.lo));
        self.visible.borrow_mut().entry(place).or_insert_with(find).clone()
    }

    /// Variables whose address it takes: see [`addresses`](effects::addresses).
    pub fn addresses(&self) -> &BTreeSet<VarId> {
        self.addresses.get_or_init(|| effects::addresses(self.function))
    }

    /// Variables in lengths of arrays: see [`in_types`](effects::in_types).
    pub fn in_types(&self, unit: &Unit) -> &BTreeSet<VarId> {
        self.in_types.get_or_init(|| effects::in_types(unit, self.function))
    }

    /// Variables that statements within its loops, and under its conditions, assign.
    pub fn moved_within(&self) -> &BTreeSet<VarId> {
        self.moved_within.get_or_init(|| {
            let mut out = BTreeSet::new();
            note_moved(&self.function.body, false, &mut out);
            out
        })
    }

    /// Variables that live behind each statement of its body, in their order.
    pub fn live_behind_each(&self) -> &[Live] {
        let body = &self.function.body;
        self.live_behind_each.get_or_init(|| self.live_behind(body.span).behind_children(body))
    }

    /// Counters that are read behind one of their loops.
    pub fn counters_read_behind(&self, unit: &Unit) -> &BTreeSet<VarId> {
        self.read_behind.get_or_init(|| {
            let mut out = BTreeSet::new();
            let body = &self.function.body;
            self.note_read_behind(unit, body, &self.live_behind(body.span), &mut out);
            out
        })
    }

    /// Notes the counters in a statement, or a form of it, that are read behind their loops. `live`: behind the statement.
    pub fn note_read_behind(&self, unit: &Unit, s: &Stmt, live: &Live, out: &mut BTreeSet<VarId>) {
        if let StmtKind::For { init: Some(init), .. } = &s.kind {
            out.extend(effects::header_counter(init).filter(|v| self.is_read_behind(unit, *v, s, live)));
        }
        let below = live.behind_children(s);
        s.stmts().into_iter().zip(below).for_each(|(s, live)| self.note_read_behind(unit, s, &live, out));
    }

    /// Test for a variable that may be read behind a statement. Where jumps lead is not known: then by any statement but one
    /// that sets it first.
    pub fn is_read_behind(&self, unit: &Unit, v: VarId, s: &Stmt, live: &Live) -> bool {
        live.is_read(v) || live.contains(v) && self.is_wanted_outside(unit, s.span, v)
    }
}

fn note_moved(s: &Stmt, is_within: bool, out: &mut BTreeSet<VarId>) {
    match &s.kind {
        StmtKind::Block(list) => list.iter().for_each(|s| note_moved(s, is_within, out)),
        StmtKind::For { body, .. } => note_moved(body, true, out),
        StmtKind::Expr(_) if is_within => out.extend(effects::assigned([s])),
        _ => s.stmts().into_iter().for_each(|s| note_moved(s, true, out)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::build;
    use crate::ast::visit::Piece;
    use crate::source::Source;

    #[test]
    fn what_is_found_for_all_neighbours_at_once_is_found_for_each() {
        let c = "int f(int n, int *a) {
            int i, v = 0, w = 1;
            for (i = 0; i < n; i++) { v = a[i]; { if (v) continue; w = v; } a[i] = w; }
            if (n > 2) { w = n; v = w; } else v = 3;
            do { v--; { int w = v; a[v] = w; } if (a[0]) break; } while (v > 0);
            while (w) { for (int k = 0; k < w; k++) a[k] += v; w--; }
            switch (n) { case 1: v = 2; break; case 2: w = v; default: a[1] = w; }
            return v + w;
        }";
        let unit = build::build(&Source::from_text("t.c", c).unwrap()).unwrap().unit;
        let f = unit.function("f").unwrap();
        let mut places = vec![];
        f.body.walk(&mut |piece| {
            if let Piece::Stmt(s) = piece {
                places.push(s.span);
                places.extend(s.stmts().windows(2).map(|two| Span { lo: two[0].span.lo, hi: two[1].span.hi }));
            }
        });
        assert!(places.len() > 30);
        let facts = FunctionFacts::of(&unit, f);
        for place in places {
            let (all, one) = (facts.live_behind(place), Live::behind(f, place));
            assert_eq!(format!("{all:?}"), format!("{one:?}"), "behind {}", &c[place.lo as usize..place.hi as usize]);
        }
    }
}
