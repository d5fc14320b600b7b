//! Regions in plainer C: what a candidate is analysed as, beside what stands in the file.
//!
//! ```text
//! for (t...) { step(n, u, un); step(n, un, u); }      ->      the loops of `step`, twice, over `u` and `un`
//! ```
//! Before candidates are looked for, every statement whose meaning can be written more plainly gets a second form: calls
//! in its loops opened ([`calls`], [`returns`]), assignments inside expressions as statements ([`nested_assignments`]), loops that count down in their condition as `for` loops ([`countdown`]),
//! loops whose counter is a pointer as those of a number ([`pointer_loops`]), pointers that walk along an array, set in an iteration or before, as places by
//! the counters ([`walks`], by `positions`, [`walkers`]), numbers that walk likewise, pointers that stand for places seen through, declared so or set ([`values`], [`pointers`], [`places`]), arrays
//! behind structures as variables ([`members`]), structures of an iteration as variables ([`aggregates`]), arrays of
//! structures as arrays of the numbers in them ([`records`]), pointers that a loop exchanges as arrays that stay
//! ([`exchange`], [`toggles`]), heads with several variables as those of one counter ([`heads`]), loops that count without saying so as `for` loops ([`counted`]), places that count on as two statements ([`increments`]), conditions on data
//! around several statements as a variable ([`conditions`]), loops that only an error leaves as if none occurred
//! ([`leaving`]), counters that are read behind their loops as what these leave in them ([`finals`]), rows exchanged by
//! their pointers as elements that are ([`row_exchange`]), arrays with values in their declarations as elements that are set
//! ([`initialisers`]), values that live in one block as variables of their own
//! ([`lives`]), loops over tiles as those that they tile ([`tiles`], in a form of its own; their heads: [`tile_heads`],
//! [`tile_points`]), without the copies that programs make of tiles ([`tile_buffers`], by [`covered`] and [`own_arrays`]),
//! states of random generators as those that an iteration jumps to ([`generators`], by the laws of [`draws`]), and numbers
//! that move by the same each time ([`steady`]),
//! short values of an iteration where they are used ([`forward`]), a row of a table that is the only one used as an array ([`fixed_rows`]), arrays that begin before the pointer that leads into them
//! ([`interior`]), and the place of a largest value and a
//! variable that is set or not as accumulations ([`extremes`], [`flags`]); [`made`](crate::ast::build::made) is what they are made of. The file is
//! never changed by it: the call of the converted region stands around the statement as the user wrote it. What cannot be
//! written more plainly stays as it is, and is declined where the analysis meets it.
//!
//! Only a whole statement of the file is ever replaced by a call. Short values go forward ([`forward`]) once more in
//! each run of statements that becomes a candidate.

use crate::ast::build::made::{assigned, converted, surround};
use crate::ast::visit::{Piece, visible};
use crate::ast::{Function, Stmt, StmtKind, Storage, Unit, VarId, print};
use crate::region::facts::Facts;
use crate::region::loops::has_loop;
use crate::region::{effects, elements};
use crate::source::Span;
use crate::source::directive::DirectiveKind;
use calls::Inliner;
use exchange::Exchange;
use indexmap::IndexSet;
use members::Members;
use records::{Layouts, Records};
use std::collections::{BTreeMap, BTreeSet};
use walkers::{End, Walked};

pub mod aggregates;
pub mod calls;
pub mod conditions;
pub mod countdown;
pub mod counted;
pub mod covered;
pub mod draws;
pub mod exchange;
pub mod extremes;
pub mod finals;
pub mod fixed_rows;
pub mod flags;
pub mod forward;
pub mod generators;
pub mod heads;
pub mod increments;
pub mod initialisers;
pub mod interior;
pub mod leaving;
pub mod lives;
pub mod members;
pub mod nested_assignments;
pub mod own_arrays;
pub mod places;
pub mod pointer_loops;
pub mod pointers;
mod positions;
pub mod records;
pub mod returns;
pub mod row_exchange;
pub mod steady;
pub mod tile_buffers;
pub mod tile_heads;
pub mod tile_points;
pub mod tiles;
pub mod toggles;
pub mod values;
pub mod walkers;
pub mod walks;

/// The second forms of a file's statements.
#[derive(Debug, Default)]
pub struct Plain {
    stmts: BTreeMap<Span, Stmt>,
    /// A third form of some, which the dependences may forbid.
    without_tiles: BTreeMap<Span, Stmt>,
    refused: BTreeMap<Span, String>,
    exchanges: BTreeMap<Span, Exchange>,
    opened: BTreeMap<Span, IndexSet<String>>,
    ends: BTreeMap<Span, Vec<End>>,
    /// Numbers that names of arrays in a statement are made of.
    named: BTreeMap<Span, BTreeSet<VarId>>,
}

impl Plain {
    /// Finds them for every statement of the file; gives the variables that they need to the unit.
    pub fn new(unit: &mut Unit) -> Plain {
        let mut out = Plain::default();
        let mut members = Members::default();
        let functions: Vec<Function> = unit.functions.clone();
        let layouts = Layouts::of(unit);
        for f in &functions {
            let mut forms = vec![];
            let marked = marked(&f.body);
            let facts = Facts::of(unit, f);
            let seen = &facts.seen;
            // In a statement without a loop no region begins: what stands in it needs no form of its own.
            let mut last: Option<Span> = None;
            f.body.walk(&mut |piece| {
                let Piece::Stmt(s) = piece else { return };
                if last.is_some_and(|outer| outer.lo <= s.span.lo && s.span.hi <= outer.hi) {
                    return;
                }
                let mut walked = s.clone();
                countdown::open(unit, &facts, &mut walked);
                pointer_loops::open(unit, &facts, &mut walked);
                let left = walks::open(unit, &facts, &mut walked);
                pointers::open(unit, &facts, &mut walked);
                let mut inliner = Inliner::new(unit);
                let mut plain = inliner.stmt(&walked, marked.contains(&s.span));
                let (refused, opened) = (inliner.refused, inliner.opened);
                last = (marked.is_empty() && !has_loop(&plain)).then_some(s.span);
                out.refused.extend(refused);
                plain.exprs_mut(&mut places::tidy);
                aggregates::open(unit, f, &mut plain);
                forms.push((s, plain, opened, left));
            });
            let records = Records::of(unit, &layouts, f, forms.iter().map(|(s, plain, ..)| (*s, plain)));
            for (s, plain, ..) in &mut forms {
                plain.exprs_mut(&mut |e| records.replace(s, unit, &mut members, e));
                plain.exprs_mut(&mut |e| members.note(e));
            }
            let known = finals::Known::of(unit, &facts);
            let behind = facts.live_behind(f.body.span).behind_children(&f.body);
            let moved = lives::moved(f);
            for (s, mut plain, opened, Walked { ends, starts }) in forms {
                plain.exprs_mut(&mut |e| {
                    records.rename(s, unit, &members, e);
                    members.replace(unit, e);
                });
                let are_visible = |x: &Stmt| names_are_visible(unit, f, s, x, &members);
                let set_behind = ends.iter().map(|end| assigned(None, &end.place, end.place.clone(), s.span));
                if !are_visible(&plain) || !set_behind.into_iter().all(|x| are_visible(&x)) {
                    elements::note(unit, s);
                    continue;
                }
                initialisers::open(unit, &mut plain);
                lives::open(unit, &facts, (&behind, &moved), &mut plain);
                heads::open(unit, &facts, &mut plain);
                counted::open(unit, f, seen, &mut plain);
                leaving::open(unit, &mut plain);
                let mut left = finals::open(unit, &facts, &known, &mut plain);
                let (ends, of_numbers): (Vec<_>, Vec<_>) =
                    ends.into_iter().partition(|end| unit.var(end.walker).ty.is_pointer_like());
                left.extend(of_numbers.into_iter().map(|end| {
                    let target = unit.read(end.walker, s.span);
                    assigned(None, &target, converted(&end.place, &target.ty), s.span)
                }));
                row_exchange::open(unit, &facts, &mut plain);
                flags::open(unit, seen, &mut plain);
                increments::open(unit, seen, &mut plain);
                generators::open(unit, f, seen, &mut plain);
                conditions::open(unit, f, &mut plain);
                forward::open(unit, &facts, &mut plain);
                extremes::open(unit, f, &mut plain);
                let exchanged = if ends.is_empty() { exchange::open(unit, f, &plain) } else { None };
                if let Some((opened, exchange)) = exchanged {
                    plain = opened;
                    out.exchanges.insert(s.span, exchange);
                } else {
                    fixed_rows::open(unit, seen, &mut members, &mut plain);
                    interior::open(unit, s, (seen, &starts), &mut members, &mut plain);
                }
                if !left.is_empty() {
                    surround(&mut plain, vec![], left);
                }
                elements::note(unit, &plain);
                let named = members.numbers(unit, &plain);
                if !named.is_empty() {
                    out.named.insert(s.span, named);
                }
                if tiles::may_have_tiles(&plain) {
                    let mut whole = plain.clone();
                    if without_tiles(unit, &facts, &mut whole) {
                        out.without_tiles.insert(s.span, whole);
                    }
                }
                if !ends.is_empty() {
                    out.ends.insert(s.span, ends);
                }
                if plain != *s {
                    out.opened.insert(s.span, opened);
                    out.stmts.insert(s.span, plain);
                }
            }
        }
        out
    }

    /// The second forms as C, each under the line of the statement that it stands for.
    pub fn text(&self, unit: &Unit, line: &dyn Fn(Span) -> u32) -> String {
        let form = |at: Span, words: &str, s: &Stmt| format!("line {}{words}:\n{}", line(at), print::stmt(unit, s, 1));
        let second = self.stmts.iter().map(|(at, s)| form(*at, "", s));
        let third = self.without_tiles.iter().map(|(at, s)| form(*at, ", without tiles", s));
        let text: String = second.chain(third).collect();
        if text.is_empty() { "(unchanged)\n".to_owned() } else { text }
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
    pub fn exchange(&self, s: &Stmt) -> Option<&Exchange> {
        self.exchanges.get(&s.span)
    }

    /// The pointers that a statement moves and that are read behind it.
    pub fn ends(&self, s: &Stmt) -> &[End] {
        self.ends.get(&s.span).map_or(&[], Vec::as_slice)
    }

    /// Test for a statement behind which pointers point elsewhere.
    pub fn sets_pointers(&self, s: &Stmt) -> bool {
        self.exchange(s).is_some() || !self.ends(s).is_empty()
    }

    /// Test for a statement that no region may hold behind those others: what names of its arrays are made of is looked up
    /// where the region begins.
    pub fn begins_anew(&self, s: &Stmt, others: &[&Stmt]) -> bool {
        let Some(named) = self.named.get(&s.span) else { return false };
        !effects::assigned(others.iter().map(|s| self.of(s))).is_disjoint(named)
    }

    /// The functions whose bodies stand in a statement in the place of their calls.
    pub fn opened(&self, s: &Stmt) -> impl Iterator<Item = &str> {
        self.opened.get(&s.span).into_iter().flatten().map(String::as_str)
    }

    /// Why the call at a place was not opened.
    pub fn refusal(&self, call: Span) -> Option<&str> {
        self.refused.get(&call).map(String::as_str)
    }
}

/// Takes the tiles out of a statement, and the arrays that hold them.
fn without_tiles(unit: &mut Unit, facts: &Facts, s: &mut Stmt) -> bool {
    let tiled = s.clone();
    let Some(conditions) = tile_buffers::open(unit, facts.function, s) else {
        *s = tiled;
        return tiles::open(unit, facts, s, false);
    };
    let n_before = unit.tilings.len();
    let is_open = tiles::open(unit, facts, s, true);
    // Where tiles are left, nobody may ask for what has to hold in them.
    if is_open && (conditions.is_empty() || !tiles::may_have_tiles(s)) {
        let new = unit.tilings[n_before..].iter_mut().flat_map(|t| &mut t.tiles);
        new.for_each(|tile| tile.conditions.extend(conditions.iter().cloned()));
        return true;
    }
    if conditions.is_empty() {
        return true;
    }
    unit.tilings.truncate(n_before);
    *s = tiled;
    tiles::open(unit, facts, s, false)
}

/// The statements between the marks of a region: what they call belongs to it, as what loops call.
fn marked(body: &Stmt) -> BTreeSet<Span> {
    let mut out = BTreeSet::new();
    body.walk(&mut |piece| {
        let Piece::Stmt(Stmt { kind: StmtKind::Block(stmts), .. }) = piece else { return };
        let mut is_within = false;
        for s in stmts {
            match &s.kind {
                StmtKind::Directive(d) if matches!(d.kind, DirectiveKind::RegionBegin { .. }) => is_within = true,
                StmtKind::Directive(d) if matches!(d.kind, DirectiveKind::RegionEnd) => is_within = false,
                _ if is_within => drop(out.insert(s.span)),
                _ => {}
            }
        }
    });
    out
}

/// Whether what the second form names is what those names mean where the first one stands: there the call of the
/// converted region will name it.
fn names_are_visible(unit: &Unit, f: &Function, s: &Stmt, plain: &Stmt, members: &Members) -> bool {
    let own = effects::declared([plain]);
    let before = effects::mentioned([s]);
    let known = visible(unit, f, s.span.lo);
    let is_meant = |v: VarId| {
        let var = unit.var(v);
        let named = known.iter().rfind(|x| unit.var(**x).name == var.name);
        before.contains(&v) || (named == Some(&v) && (var.storage != Storage::Global || var.span.hi <= s.span.lo))
    };
    let named = effects::mentioned([plain]).into_iter().filter(|v| !own.contains(v));
    let roots = |v: VarId| match members.list.iter().find(|(x, _)| *x == v) {
        Some((_, e)) => e.root().into_iter().collect(),
        None => vec![v],
    };
    named.flat_map(roots).all(is_meant)
}
