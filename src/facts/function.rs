//! Facts of one function, each found when it is first asked for, and once: which of its variables are seen in other ways than
//! by name, what lives behind its statements, what is wanted behind them.
//!
//! Passes over plainer forms ask for the same places again and again, and an answer takes a look at the whole function.
//! It holds as long as the function's own text does: what passes write beside it changes none.

use super::effects::{self, seen_in_other_ways};
use super::liveness::Live;
use super::scratch::Memory;
use super::wanted::Mentions;
use crate::ast::visit::{Piece, visible};
use crate::ast::{Expr, ExprKind, Function, Stmt, StmtKind, Storage, Unit, VarId};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Knowledge of a function.
#[derive(Debug)]
pub struct FunctionFacts<'a> {
    /// The function itself, as it stands in its file.
    pub function: &'a Function,
    /// Variables that may be read, and set, in other ways than by name.
    pub seen: BTreeSet<VarId>,
    live: Table<Span, Live>,
    /// The same behind the statements right below one, for all of them at once: by the place of that one in memory.
    live_below: Table<usize, Vec<Arc<Live>>>,
    wanted: Table<Span, BTreeSet<VarId>>,
    visible: Table<Span, Vec<VarId>>,
    is_modelled: OnceLock<bool>,
    mentions: OnceLock<Mentions>,
    memory: OnceLock<Memory>,
    addresses: OnceLock<BTreeSet<VarId>>,
    taken: OnceLock<BTreeSet<VarId>>,
    in_types: OnceLock<BTreeSet<VarId>>,
    may_vary: OnceLock<BTreeSet<VarId>>,
    read_behind: OnceLock<BTreeSet<VarId>>,
    moved_within: OnceLock<BTreeSet<VarId>>,
    live_behind_each: OnceLock<Vec<Live>>,
    assignments: OnceLock<BTreeMap<VarId, Vec<u32>>>,
    last_named: OnceLock<BTreeMap<VarId, u32>>,
    constants: OnceLock<BTreeMap<VarId, Expr>>,
    exit: OnceLock<u32>,
}

/// Answers by what was asked.
#[derive(Debug)]
struct Table<K, T>(Mutex<BTreeMap<K, Arc<T>>>);

impl<K, T> Default for Table<K, T> {
    fn default() -> Self {
        Table(Mutex::default())
    }
}

impl<K: Ord, T> Table<K, T> {
    /// The answer, which is found where it is not there. Not held while it is found: finding one may ask for others.
    fn get_or_find(&self, key: K, find: impl FnOnce() -> Arc<T>) -> Arc<T> {
        let answers = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = answers().get(&key) {
            return known.clone();
        }
        let found = find();
        answers().insert(key, found.clone());
        found
    }
}

impl<'a> FunctionFacts<'a> {
    /// Looks at a function.
    pub fn of(unit: &Unit, function: &'a Function) -> FunctionFacts<'a> {
        let seen = seen_in_other_ways(unit, function);
        FunctionFacts {
            function,
            seen,
            live: Table::default(),
            live_below: Table::default(),
            wanted: Table::default(),
            visible: Table::default(),
            is_modelled: OnceLock::new(),
            mentions: OnceLock::new(),
            memory: OnceLock::new(),
            addresses: OnceLock::new(),
            taken: OnceLock::new(),
            in_types: OnceLock::new(),
            may_vary: OnceLock::new(),
            read_behind: OnceLock::new(),
            moved_within: OnceLock::new(),
            live_behind_each: OnceLock::new(),
            assignments: OnceLock::new(),
            last_named: OnceLock::new(),
            constants: OnceLock::new(),
            exit: OnceLock::new(),
        }
    }

    /// Variables that live behind a place: see [`Live::behind`].
    pub fn live_behind(&self, place: Span) -> Arc<Live> {
        self.live.get_or_find(place, || {
            let body = &self.function.body;
            let found = self.is_modelled().then(|| self.live_within(body, Arc::default(), place)).flatten();
            found.unwrap_or_else(|| Arc::new(Live::behind(self.function, place)))
        })
    }

    /// Variables that live behind a place in a statement behind which `live` does. Of neighbours, each asks for the same walk
    /// over those behind it, which is made once.
    fn live_within(&self, s: &Stmt, live: Arc<Live>, place: Span) -> Option<Arc<Live>> {
        if place.lo <= s.span.lo && s.span.hi <= place.hi {
            return Some(live);
        }
        let find = || Arc::new(live.behind_children(s).into_iter().map(Arc::new).collect());
        let below = self.live_below.get_or_find(std::ptr::from_ref(s).addr(), find);
        let at = Live::child_with_end_of(s, place)?;
        self.live_within(s.stmts()[at], below[at].clone(), place)
    }

    /// Test that all of it is C that the tool models.
    pub fn is_modelled(&self) -> bool {
        *self.is_modelled.get_or_init(|| self.function.body.is_modelled())
    }

    /// Variables of the function whose value is wanted outside a place: see [`Mentions::wanted_outside`].
    fn own_wanted_outside(&self, unit: &Unit, place: Span) -> Arc<BTreeSet<VarId>> {
        self.wanted.get_or_find(place, || {
            let (mentions, live) = (self.mentions.get_or_init(|| Mentions::of(self.function)), self.live_behind(place));
            Arc::new(mentions.wanted_outside(unit, self.function, place, &live, &self.seen))
        })
    }

    /// Test for a variable whose value is wanted outside a place: one of [`Self::wanted_outside`].
    pub fn is_wanted_outside(&self, unit: &Unit, place: Span, v: VarId) -> bool {
        is_of_file(unit, v) || self.own_wanted_outside(unit, place).contains(&v)
    }

    /// Variables whose value is wanted outside a place, those of the file among them.
    pub fn wanted_outside(&self, unit: &Unit, place: Span) -> BTreeSet<VarId> {
        let mut wanted = BTreeSet::clone(&self.own_wanted_outside(unit, place));
        wanted.extend((0..unit.vars.len() as u32).map(VarId).filter(|v| is_of_file(unit, *v)));
        wanted
    }

    /// Pointers to memory of the function's own behind which nobody looks after a place: see [`Memory`].
    pub fn scratch(&self, unit: &Unit, place: Span) -> BTreeSet<VarId> {
        self.memory.get_or_init(|| Memory::of(unit, self.function)).scratch(place)
    }

    /// Variables whose value may differ from one time that the function comes to a place to the next: see
    /// [`may_vary`](effects::may_vary).
    pub fn may_vary(&self, unit: &Unit) -> &BTreeSet<VarId> {
        self.may_vary.get_or_init(|| effects::may_vary(unit, self.function))
    }

    /// Test that each call of the function comes to a statement right below its body: nothing before it returns or jumps.
    pub fn comes_to(&self, s: &Stmt) -> bool {
        let body = self.function.body.listed();
        let first = || body.iter().find(|s| s.exits().returns || s.exits().jumps).map_or(u32::MAX, |s| s.span.hi);
        body.iter().any(|one| std::ptr::eq(one, s)) && s.span.lo < *self.exit.get_or_init(first)
    }

    /// The values of numbers of the function's own that have one for good. `is_constant`: test for a value that is one; the first
    /// one that asks says it for all.
    pub fn constants(&self, unit: &Unit, is_constant: fn(&Expr) -> bool) -> &BTreeMap<VarId, Expr> {
        self.constants.get_or_init(|| {
            let changed = effects::assigned([&self.function.body]);
            let mut out = BTreeMap::new();
            self.function.body.walk(&mut |piece| {
                let Piece::Stmt(Stmt { kind: StmtKind::Decl(ds), .. }) = piece else { return };
                for d in ds.iter().filter(|d| !changed.contains(&d.var) && !self.seen.contains(&d.var)) {
                    let is_own = unit.var(d.var).storage == Storage::Local && effects::is_scalar(&unit.var(d.var).ty);
                    out.extend(d.init.iter().filter(|e| is_own && is_constant(e)).map(|e| (d.var, e.clone())));
                }
            });
            out
        })
    }

    /// Variables that a name means where a statement of the function begins: see [`visible`].
    pub fn visible_at(&self, unit: &Unit, place: Span) -> Arc<Vec<VarId>> {
        self.visible.get_or_find(place, || Arc::new(visible(unit, self.function, place.lo)))
    }

    /// Variables whose address it takes: see [`addresses`](Function::addresses).
    pub fn addresses(&self) -> &BTreeSet<VarId> {
        self.addresses.get_or_init(|| self.function.addresses())
    }

    /// The same of [`taken`](Function::taken).
    pub fn taken(&self) -> &BTreeSet<VarId> {
        self.taken.get_or_init(|| self.function.taken())
    }

    /// The first bytes of the expressions that assign a variable.
    pub fn assignments(&self, v: VarId) -> &[u32] {
        let find = || {
            let mut out: BTreeMap<VarId, Vec<u32>> = BTreeMap::new();
            self.function.body.walk(&mut |piece| {
                if let Piece::Expr(e) = piece
                    && let Some(v) = effects::assigned_by(e)
                {
                    out.entry(v).or_default().push(e.span.lo);
                }
            });
            out
        };
        self.assignments.get_or_init(find).get(&v).map_or(&[], Vec::as_slice)
    }

    /// The last byte at which an expression that names a variable begins.
    pub fn last_named(&self, v: VarId) -> Option<u32> {
        let find = || {
            let mut out = BTreeMap::new();
            self.function.body.walk(&mut |piece| {
                if let Piece::Expr(Expr { kind: ExprKind::Var(v), span, .. }) = piece {
                    let last = out.entry(*v).or_insert(span.lo);
                    *last = span.lo.max(*last);
                }
            });
            out
        };
        self.last_named.get_or_init(find).get(&v).copied()
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

/// Test for a variable that outlives the calls of the function.
fn is_of_file(unit: &Unit, v: VarId) -> bool {
    matches!(unit.var(v).storage, Storage::Global | Storage::StaticLocal)
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
