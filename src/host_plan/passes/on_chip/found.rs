//! Uses that the steps of a resident kernel make of elements, by the points at which they are made.

use super::accesses::{RowAt, Touch, each_access, each_row};
use super::share::{Map, Share, leaves};
use crate::kernel::{Expr, Kernel, Stmt, StmtKind};
use std::collections::{BTreeMap, BTreeSet};

/// An array, a map of its points, and subscripts in terms of the point.
type Element = (String, usize, Vec<Expr>);

/// Uses that a kernel makes of the elements of a map.
#[derive(Default)]
pub(super) struct Found {
    /// Accesses of each element, and whether each step makes one at each point.
    pub touches: BTreeMap<String, Vec<(usize, Touch)>>,
    pub maps: Vec<Map>,
    /// Loops over rows of sparse matrices.
    pub rows: Vec<RowUse>,
    /// Arrays that something else touches.
    pub elsewhere: BTreeSet<String>,
}

/// Loop over a row at a point of a map.
#[derive(Clone)]
pub(super) struct RowUse {
    pub map: usize,
    pub rows: Rows,
    /// Flag: each step runs it at each point.
    pub is_certain: bool,
}

/// Rows of a matrix: where they begin, the number of a point's row, and the arrays of their entries.
#[derive(Clone, PartialEq)]
pub(super) struct Rows {
    pub start: String,
    pub row: Expr,
    pub entries: BTreeSet<String>,
}

impl Found {
    /// Accesses of a kernel whose steps are the loop at `at`.
    pub fn of(kernel: &Kernel, at: usize) -> Self {
        let mut found = Found::default();
        for (k, s) in kernel.body.iter().enumerate() {
            if k != at {
                found.other(s);
                continue;
            }
            s.exprs().into_iter().for_each(|e| found.other_in(e));
            let (body, step) = match &s.kind {
                StmtKind::While { body, step, .. } => (body, &step[..]),
                StmtKind::For { body, .. } => (body, &[][..]),
                _ => continue,
            };
            step.iter().for_each(|s| found.other(s));
            let mut is_certain = true;
            for s in body {
                found.step(kernel, s, is_certain);
                is_certain &= !leaves(s);
            }
        }
        found
    }

    /// A statement of a step.
    fn step(&mut self, kernel: &Kernel, s: &Stmt, is_certain: bool) {
        match &s.kind {
            StmtKind::Phase { body, .. } => return self.phase(kernel, body, is_certain),
            StmtKind::If { then, other, .. } => self.ways(kernel, [then, other], is_certain),
            _ if s.bodies().is_empty() => return self.other(s),
            _ => s.bodies().into_iter().flatten().for_each(|s| self.step(kernel, s, false)),
        }
        s.exprs().into_iter().for_each(|e| self.other_in(e));
    }

    /// Two ways, of which a step takes one: what both do at each point is certain, if both ask for what was there, or neither
    /// does.
    fn ways(&mut self, kernel: &Kernel, ways: [&[Stmt]; 2], is_certain: bool) {
        let found = ways.map(|way| {
            let mut found = Found { maps: std::mem::take(&mut self.maps), ..Found::default() };
            let mut is_certain = is_certain;
            for s in way {
                found.step(kernel, s, is_certain);
                is_certain &= !leaves(s);
            }
            self.maps.clone_from(&found.maps);
            found
        });
        let certain = found.each_ref().map(Found::certain);
        let in_both = |of: &Element| {
            let [then, other] = certain.each_ref().map(|all| all.iter().find(|(element, _)| element == of));
            then.is_some() && then == other
        };
        let rows = found.each_ref().map(|f| f.rows.iter().filter(|u| u.is_certain).cloned().collect::<Vec<_>>());
        for (found, other_rows) in found.into_iter().zip(rows.iter().rev()) {
            for mut u in found.rows {
                u.is_certain &= other_rows.iter().any(|other| other.is_like(&u));
                self.rows.push(u);
            }
            for (array, mut all) in found.touches {
                for (map, touch) in &mut all {
                    touch.is_certain &= in_both(&(array.clone(), *map, touch.index.clone()));
                }
                self.touches.entry(array).or_default().append(&mut all);
            }
            self.elsewhere.extend(found.elsewhere);
        }
    }

    /// The elements that are touched at each point, and whether the first touch of each overwrites it.
    fn certain(&self) -> Vec<(Element, bool)> {
        let mut out = vec![];
        for (array, all) in &self.touches {
            for (map, touch) in all.iter().filter(|(_, touch)| touch.is_certain) {
                let is_it = |(m, t): &&(usize, Touch)| m == map && t.index == touch.index;
                let overwrites = all.iter().find(is_it).is_some_and(|(_, t)| t.is_overwrite && t.is_certain);
                out.push(((array.clone(), *map, touch.index.clone()), overwrites));
            }
        }
        out
    }

    fn phase(&mut self, kernel: &Kernel, body: &[Stmt], is_certain: bool) {
        let Some(share) = Share::of(kernel, body) else {
            return body.iter().for_each(|s| self.other(s));
        };
        share.around().for_each(|s| self.other(s));
        let map = self.maps.iter().position(|m| *m == share.map).unwrap_or_else(|| {
            self.maps.push(share.map.clone());
            self.maps.len() - 1
        });
        let mut inside = share.body.to_vec();
        each_row(kernel, &mut inside, share.var, &share.map, &mut |_, mut at| {
            at.is_certain &= is_certain;
            self.rows.push(RowUse::new(map, at));
        });
        each_access(&mut inside, share.var, &share.map, &mut |access, touch| match touch {
            Some(mut touch) => {
                touch.is_certain &= is_certain;
                self.touches.entry(access.array.clone()).or_default().push((map, touch));
            }
            None => drop(self.elsewhere.insert(access.array.clone())),
        });
    }

    fn other(&mut self, s: &Stmt) {
        s.visit(&mut |s| {
            self.elsewhere.extend(s.target().into_iter().chain(s.source()).map(|a| a.array.clone()));
            if let StmtKind::Mma { c, .. } = &s.kind {
                self.elsewhere.extend(c.iter().map(|a| a.array.clone()));
            }
            s.exprs().into_iter().for_each(|e| self.other_in(e));
        });
    }

    fn other_in(&mut self, e: &Expr) {
        e.any(&mut |e| {
            if let Expr::Load(access) | Expr::Aligned { access, .. } = e {
                self.elsewhere.insert(access.array.clone());
            }
            false
        });
    }
}

impl RowUse {
    fn new(map: usize, at: RowAt) -> Self {
        let rows = Rows { start: at.found.start, row: at.row, entries: at.found.entries };
        RowUse { map, rows, is_certain: at.is_certain }
    }

    /// Test for the same rows at the same points.
    pub fn is_like(&self, other: &RowUse) -> bool {
        self.map == other.map && self.rows == other.rows
    }
}
