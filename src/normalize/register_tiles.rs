//! Tiles that a program keeps in a short array of its own, an element for each point, as the loop over their points.
//!
//! ```text
//! for (ii = 0; ii < n; ii += 8)                          for (ii = 0; ii < n; ii += 8)
//!     for (j...) {                                           for (j...)
//!         float r[8];                                            for (i = ii; i < ii + 8; i++) {
//!         for (p = 0; p < 8; p++) r[p] = 0;                          float r;
//!         for (k...) {                                   ->          r = 0;
//!             float b = w[j][k];                                     for (k...) {
//!             for (p = 0; p < 8; p++)                                    float b = w[j][k];
//!                 r[p] += a[ii + p][k] * b;                              r += a[i][k] * b;
//!         }                                                          }
//!         for (p = 0; p < 8; p++) c[ii + p][j] = r[p];               c[i][j] = r;
//!     }                                                          }
//! ```
//! Such a program has unrolled a loop for the registers of a core. Each point has the same values in the same order when it is
//! computed by itself: an element of the array is one point's, and what else the points write stands in one loop over
//! them, is named nowhere else, and so keeps its order. It is a part of the form without tiles ([`super::untiling`]).

use super::form::{Context, Form};
use super::tile_heads::{bare, head, limits, nest, size_of};
use super::untiling::may_have_tiles;
use crate::ast::build::ast_builder::{binary, declared, integer, plain};
use crate::ast::visit::Piece;
use crate::ast::{BinOp, Declarator, Expr, ExprKind, Stmt, StmtKind, Storage, Type, Unit, Var, VarId};
use crate::facts::header::step_of;
use crate::facts::{callable, effects};
use std::collections::BTreeMap;

/// Writes such tiles that way in a third form.
pub fn open(form: &mut Form, context: &mut Context) {
    if !may_have_tiles(&form.stmt) {
        return;
    }
    let mut whole = form.stmt.clone();
    if inside(context.unit, &mut whole) {
        form.without_tiles = Some(whole);
    }
}

fn inside(unit: &mut Unit, s: &mut Stmt) -> bool {
    if s.is_rare() {
        return false;
    }
    if let Some(opened) = opened(unit, s) {
        *s = opened;
        return true;
    }
    let mut some = false;
    for s in s.stmts_mut() {
        some |= inside(unit, s);
    }
    some
}

/// The loops over tiles and what is within, and the points of each tile.
struct Tiles {
    counter: VarId,
    length: i64,
    /// The arrays that hold an element for each point.
    arrays: Vec<VarId>,
    /// A loop over points that stands in another one: else nothing is gained.
    is_deep: bool,
}

fn opened(unit: &mut Unit, s: &Stmt) -> Option<Stmt> {
    let (heads, body) = nest(s);
    let tile = heads.first()?;
    let ExprKind::Int(length) = bare(size_of(tile)?).kind else { return None };
    let StmtKind::Block(list) = &body.kind else { return None };
    let mut tiles = Tiles { counter: tile.counter, length, arrays: vec![], is_deep: false };
    let are_lanes = tiles.read(unit, list, 0) && tiles.is_deep && !tiles.arrays.is_empty();
    if !are_lanes || !tiles.writes_apart(list) {
        return None;
    }
    let Var { name, ty, .. } = unit.var(tile.counter).clone();
    let point = unit.add(Var::new(name, ty.clone(), Storage::Local, s.span));
    let own = tiles.arrays.iter().map(|v| (*v, of_one(unit, *v))).collect();
    let made = Points { unit, tiles: &tiles, point, own }.list(list);
    let (first, at) = (unit.read(tile.counter, s.span), unit.read(point, s.span));
    let end = binary(BinOp::Add, first.clone(), integer(length, s.span));
    let cond = binary(BinOp::Lt, at.clone(), end);
    let step = Expr { kind: ExprKind::IncDec { inc: true, prefix: false, target: Box::new(at) }, ty, span: s.span };
    let init = Some(Box::new(declared(point, first)));
    let body = Box::new(plain(StmtKind::Block(made), body.span));
    let points = plain(StmtKind::For { init, cond: Some(cond), step: Some(step), body }, s.span);
    let mut out = s.clone();
    super::untiling::put_innermost(&mut out, heads.len(), &points);
    Some(out)
}

/// The variable for one element of an array.
fn of_one(unit: &mut Unit, array: VarId) -> VarId {
    let var = unit.var(array).clone();
    let Type::Array { of, .. } = var.ty else { unreachable!("it is an array") };
    unit.add(Var::new(var.name, *of, Storage::Local, var.span))
}

impl Tiles {
    /// Test that statements are loops over the points, loops around such, and values for all points.
    fn read(&mut self, unit: &Unit, list: &[Stmt], depth: usize) -> bool {
        list.iter().all(|s| self.is_of_points(unit, s, depth))
    }

    fn is_of_points(&mut self, unit: &Unit, s: &Stmt, depth: usize) -> bool {
        match &s.kind {
            StmtKind::Empty => true,
            StmtKind::Block(list) => self.read(unit, list, depth),
            StmtKind::Decl(all) => all.iter().all(|d| match (&unit.var(d.var).ty, &d.init) {
                (Type::Array { of, len: Some(len) }, None) if depth == 0 => {
                    self.arrays.push(d.var);
                    of.is_scalar() && matches!(len.kind, ExprKind::Int(n) if n == self.length)
                }
                (ty, Some(init)) => ty.is_scalar() && effects::is_plain(init) && !self.names_point(init),
                _ => false,
            }),
            StmtKind::For { body, .. } => {
                let Some((loop_head, _)) = head(s) else { return false };
                if let Some(lane) = self.lane(s) {
                    self.is_deep |= depth > 0;
                    return self.is_lane_body(unit, body, lane);
                }
                let of_head = [loop_head.first, loop_head.cond, loop_head.step];
                let is_own =
                    matches!(&s.kind, StmtKind::For { init: Some(i), .. } if matches!(i.kind, StmtKind::Decl(_)));
                is_own && !of_head.into_iter().any(|e| self.names_point(e)) && self.is_of_points(unit, body, depth + 1)
            }
            _ => false,
        }
    }

    /// The counter of a loop over the points of a tile.
    fn lane(&self, s: &Stmt) -> Option<VarId> {
        let (lane, _) = head(s)?;
        let StmtKind::For { init: Some(init), .. } = &s.kind else { return None };
        let is_own = matches!(init.kind, StmtKind::Decl(_)) && step_of(lane.step, lane.counter) == Some(1);
        let [limit] = limits(lane.cond, lane.counter)?[..] else { return None };
        let ends = matches!(bare(limit.end).kind, ExprKind::Int(n) if n + i64::from(limit.is_inclusive) == self.length);
        (is_own && ends && matches!(bare(lane.first).kind, ExprKind::Int(0))).then_some(lane.counter)
    }

    /// Test that of the arrays a point uses its own element alone, and that it leaves nothing but its loop's end.
    fn is_lane_body(&self, unit: &Unit, body: &Stmt, lane: VarId) -> bool {
        let mut is_good = true;
        body.walk(&mut |piece| match piece {
            Piece::Stmt(s) => {
                is_good &= matches!(
                    s.kind,
                    StmtKind::Empty | StmtKind::Expr(_) | StmtKind::Decl(_) | StmtKind::Block(_) | StmtKind::If { .. }
                );
            }
            Piece::Expr(e) => {
                is_good &= match &e.kind {
                    ExprKind::Call { name, .. } => callable::check_call(unit, name, e.span).is_ok(),
                    ExprKind::Unmodelled(_) => false,
                    _ => effects::assigned_by(e).is_none_or(|v| v != lane && v != self.counter),
                };
            }
        });
        let (mut n_named, mut n_own) = (0, 0);
        body.exprs(&mut |e| {
            e.walk(&mut |x| match &x.kind {
                ExprKind::Var(v) if self.arrays.contains(v) => n_named += 1,
                ExprKind::Index(base, at) => {
                    n_own +=
                        usize::from(base.root().is_some_and(|v| self.arrays.contains(&v)) && bare(at).is_var(lane));
                }
                _ => {}
            });
        });
        is_good && n_named == n_own && unit.var(lane).ty == unit.var(self.counter).ty
    }

    fn names_point(&self, e: &Expr) -> bool {
        self.arrays.iter().any(|v| e.mentions(*v))
    }

    /// Test that all that is written, but for the elements of the points and what a point declares, is named once, in a loop
    /// over points that no other loop repeats.
    fn writes_apart(&self, list: &[Stmt]) -> bool {
        let declared = effects::declared(list);
        let is_lost = |v: &VarId| self.arrays.contains(v) || declared.contains(v);
        let written = effects::assigned(list).into_iter().filter(|v| !is_lost(v));
        let at_top: Vec<&Stmt> = list.iter().filter(|s| self.lane(s).is_some()).collect();
        // A value for all points is the same for each.
        let shared: Vec<VarId> = self.values_of_all(list);
        let is_kept = |v: &VarId| list.iter().all(|s| !effects::assigned_whole(s).contains(v));
        let is_named_once =
            |v| effects::places(list, v).len() == 1 && effects::places(at_top.iter().copied(), v).len() == 1;
        written.into_iter().all(is_named_once) && shared.iter().all(is_kept)
    }

    fn values_of_all(&self, list: &[Stmt]) -> Vec<VarId> {
        let mut out = vec![];
        for s in list {
            match &s.kind {
                StmtKind::Decl(all) => out.extend(all.iter().map(|d| d.var).filter(|v| !self.arrays.contains(v))),
                StmtKind::Block(inner) => out.extend(self.values_of_all(inner)),
                StmtKind::For { body, .. } if self.lane(s).is_none() => {
                    out.extend(self.values_of_all(std::slice::from_ref(body)));
                }
                _ => {}
            }
        }
        out
    }
}

/// The statements of one point.
struct Points<'a> {
    unit: &'a Unit,
    tiles: &'a Tiles,
    point: VarId,
    own: BTreeMap<VarId, VarId>,
}

impl Points<'_> {
    fn list(&self, list: &[Stmt]) -> Vec<Stmt> {
        list.iter().map(|s| self.stmt(s)).collect()
    }

    fn stmt(&self, s: &Stmt) -> Stmt {
        let mut out = s.clone();
        match &mut out.kind {
            StmtKind::Decl(all) => {
                all.iter_mut().for_each(|d: &mut Declarator| d.var = self.own.get(&d.var).copied().unwrap_or(d.var));
            }
            StmtKind::Block(list) => *list = self.list(list),
            StmtKind::For { body, .. } => match self.tiles.lane(s) {
                Some(lane) => {
                    let mut body = (**body).clone();
                    body.exprs_mut(&mut |e| self.of_point(e, lane));
                    return body;
                }
                None => **body = self.stmt(body),
            },
            _ => {}
        }
        out
    }

    /// Names the point by its counter, and its element by its variable.
    fn of_point(&self, e: &mut Expr, lane: VarId) {
        let span = e.span;
        let own = match &e.kind {
            ExprKind::Index(base, _) => base.root().and_then(|v| self.own.get(&v)),
            _ => None,
        };
        if let Some(own) = own {
            *e = self.unit.read(*own, span);
            return;
        }
        let is_point = match &e.kind {
            ExprKind::Binary(BinOp::Add, a, b) => {
                let (a, b) = (bare(a), bare(b));
                a.is_var(lane) && b.is_var(self.tiles.counter) || b.is_var(lane) && a.is_var(self.tiles.counter)
            }
            _ => false,
        };
        if is_point {
            *e = self.unit.read(self.point, span);
        } else if e.is_var(lane) {
            *e = binary(BinOp::Sub, self.unit.read(self.point, span), self.unit.read(self.tiles.counter, span));
        } else {
            e.children_mut().into_iter().for_each(|x| self.of_point(x, lane));
        }
    }
}
