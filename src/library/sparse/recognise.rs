//! Nests that are products of a sparse matrix and a vector, or several vectors side by side.
//!
//! ```text
//! for i: s = 0;                                            for j:                              for p:
//!        for p in start[i] .. start[i + 1]:                  for p in start[j] .. start[j + 1]:   y[row[p]] +=
//!          s += value[p] * x[column[p]];                       y[row[p]] += value[p] * x[j];        value[p] * x[column[p]];
//!        y[i] = alpha * s + beta * y[i];                   compressed columns                  triplets
//! compressed rows
//! ```
//! As with [`contraction`](crate::library::contraction) the scheduled nest is looked at: that its rows are independent, or its
//! scattered updates accumulations, has been shown already. What the entries are is read from typed expressions: where a
//! value and an index lie from the counter of the entry (`entries`), which row and column they mean from the elements of
//! index arrays in the subscripts of the vectors. (The formats: Saad, Iterative Methods for Sparse Linear Systems,
//! section 3.4.)
//!
//! A pattern that the region writes is not called.

use super::entries::{Entries, Place, Places};
use super::{Form, Sparse};
use crate::ast::{Expr, ExprKind, Type, VarId};
use crate::facts::symbolic::Poly;
use crate::facts::{Reason, arrays};
use crate::kernel::{ReduceOp, ScalarType};
use crate::library::contraction::Parts;
use crate::library::factors::terms;
use crate::library::view::{View, is};
use crate::library::{Found, Range, Scale};
use crate::region::{Loop, StmtId, Tree};
use crate::schedule::lower::scalar_type;
use crate::schedule::parallel::Analysis;
use crate::schedule::{Mode, Nest};

/// Role of the nest.
pub fn with_sparse(a: &Analysis, nest: &Nest) -> Found {
    let Some((parts, entries)) = taken_apart(a, nest) else { return Found::Nothing };
    let product = Product { parts, entries };
    match product.assembled() {
        Ok(sparse) => Found::Sparse(Box::new(sparse)),
        Err(_) if !product.entries.seem_sparse(a.part) => Found::Nothing,
        Err(differs) => {
            let span = product.parts.update().body.span;
            let message = format!("this is nearly a product with a sparse matrix, but {differs}");
            Found::Near(Reason::new("library", message, span))
        }
    }
}

/// The statement that walks through entries, and those before and behind it.
fn taken_apart<'a>(a: &'a Analysis<'a>, nest: &'a Nest) -> Option<(Parts<'a>, Entries)> {
    let stmts = |trees: &[Tree]| -> Option<Vec<StmtId>> {
        trees.iter().map(|t| if let Tree::Stmt(s) = t { Some(*s) } else { None }).collect()
    };
    let all = stmts(&nest.body)?;
    let at = match nest.mode {
        Mode::Parallel => all.iter().position(|s| a.part.stmt(*s).has_loop)?,
        Mode::Reduce => all.len().checked_sub(1)?,
        _ => return None,
    };
    let stmt = a.part.stmt(all[at]);
    let adds_to_scalar = stmt.reduction.as_ref().is_some_and(|r| a.part.data[&r.data].shape.c_rank == 0);
    if nest.mode == Mode::Reduce && adds_to_scalar {
        return None;
    }
    let (mut before, after) = (all[..at].to_vec(), all[at + 1..].to_vec());
    let mut entries = match stmt.has_loop {
        true => Entries::of_loop(a.unit, &stmt.body)?,
        false => Entries::of_statement(stmt)?,
    };
    before.retain(|s| !entries.see_through(a.unit, a.part.stmt(*s)));
    if nest.mode == Mode::Reduce && !before.is_empty() {
        return None;
    }
    Some((Parts { a, nest, before, sum: None, update: all[at], after }, entries))
}

/// A nest that may be a product.
struct Product<'a> {
    parts: Parts<'a>,
    entries: Entries,
}

/// Which axis of the nest is which.
struct Axes {
    major: usize,
    vectors: Option<usize>,
}

impl<'a> Product<'a> {
    fn assembled(&self) -> Result<Sparse, String> {
        let Product { parts, entries } = self;
        let part = parts.a.part;
        if parts.nest.stmts().iter().any(|s| !part.stmt(*s).guards.is_empty()) {
            return Err("a condition stands around it".into());
        }
        let update = parts.update();
        let is_sum = update.reduction.as_ref().filter(|r| r.op == ReduceOp::Add);
        let reduction = is_sum.ok_or("what its loop over entries does is no sum of products")?;
        let target = entries.seen(&reduction.target);
        let value = entries.seen(&reduction.value);
        if matches!(value.kind, ExprKind::Cond(..)) {
            return Err("a condition is tested for each entry".into());
        }
        let own = self.vectors_within()?;
        let places = Places::new(parts, entries.counter(), own);
        let (entry, x, alpha) = self.factors(&value, &places)?;
        let mut ranges = parts.ranges()?;
        ranges.extend(own.map(|l| Range { first: l.first.clone(), end: l.limits[0].clone() }));
        let is_scattered = parts.nest.mode == Mode::Reduce;
        let (y, alpha, beta) = match is_scattered {
            true => {
                let to = places.of(&target).ok_or("where its results go is not seen")?;
                (to, alpha, Some(Scale::default()))
            }
            false => self.result(&places, &target, alpha)?,
        };
        let pointers = entries.bounds().map(|b| places.pointers(b)).transpose()?;
        let axes = self.axes(&places, pointers.as_ref(), &entry, ranges.len())?;
        let form = match (&pointers, is_scattered) {
            (Some(_), false) => Form::Rows,
            (Some(_), true) => Form::Columns,
            (None, _) => Form::Triplets,
        };
        let (first, pointers) = match pointers {
            Some((view, first)) => (first, Some(view)),
            None => (Poly::default(), None),
        };
        let values = self.walked(&places, &entry, &axes, &first)?;
        let mut indices = vec![];
        let (x_index, y_index) = match form {
            Form::Rows => (true, false),
            Form::Columns => (false, true),
            Form::Triplets => (true, true),
        };
        let x = self.reached(&places, (x, x_index), &axes, &first, &mut indices)?;
        let y = self.reached(&places, (y, y_index), &axes, &first, &mut indices)?;
        let ty = self.number(&value.ty, [values.data, x.data, y.data])?;
        let read: Vec<VarId> = indices.iter().chain(&pointers).chain([&values, &x]).map(|v| v.data).collect();
        if read.contains(&y.data) {
            return Err(format!("`{}` is read as well as written", parts.name(y.data)));
        }
        let vectors = axes.vectors.map(|at| ranges[at].clone());
        let majors = ranges[axes.major].clone();
        Ok(Sparse { form, majors, vectors, pointers, values, indices, x, y, alpha, beta, ty })
    }

    /// Of the product that is summed: the factor that belongs to the entry, the element of a vector, and known factors.
    fn factors(&self, value: &Expr, places: &Places) -> Result<(Place, Place, Scale), String> {
        let [term] = terms(value).try_into().map_err(|_| "each entry adds more than a product")?;
        let mut alpha = Scale { factors: vec![], is_negative: term.is_negative };
        let (mut entry, mut others) = (vec![], vec![]);
        for f in term.factors {
            if self.parts.knows(f) && !self.entries.sets_any_of(f) {
                alpha.factors.push(f.clone());
                continue;
            }
            if arrays::subscripts(f).is_none_or(|(_, at)| at.is_empty()) {
                return Err("a factor is computed for each entry, or is of another type".into());
            }
            let place = places.of(f).ok_or("where a factor lies is not seen")?;
            match places.is_by_entry(&place) {
                true => entry.push(place),
                false => others.push(place),
            }
        }
        match (entry.pop(), others.pop()) {
            (Some(value), Some(x)) if entry.is_empty() && others.is_empty() => Ok((value, x, alpha)),
            (None, _) => Err("no factor is walked through entry by entry".into()),
            _ => Err("each entry has not one factor of the matrix and one of a vector".into()),
        }
    }

    /// The loop over vectors that stands within the loop over entries, if there is one.
    fn vectors_within(&self) -> Result<Option<&'a Loop>, String> {
        let reach = self.parts.update().accesses.iter().find_map(|x| x.reach.as_ref());
        let is_chosen = reach.is_some_and(|r| !r.chosen.is_empty());
        match reach.map_or(&[] as &[Loop], |r| r.loops.as_slice()) {
            [] if !is_chosen => Ok(None),
            [l] if !is_chosen && l.step == 1 && l.limits.len() == 1 => Ok(Some(l)),
            _ => Err("its vectors are not all those that follow each other".into()),
        }
    }

    /// Where the sum is stored, and how it is scaled.
    fn result(&self, places: &Places, target: &Expr, alpha: Scale) -> Result<(Place, Scale, Option<Scale>), String> {
        let (parts, part) = (&self.parts, self.parts.a.part);
        let reduction = parts.update().reduction.as_ref().ok_or("it is no sum")?;
        let own = parts.update().accesses.iter().find(|x| x.data == reduction.data).ok_or("it is no sum")?;
        let (access, alpha, beta) = match part.data[&own.data].shape.c_rank {
            0 => {
                if part.data[&own.data].elem != reduction.value.ty {
                    return Err(format!("`{}` is of another type than the products", parts.name(own.data)));
                }
                parts.kept_apart(own.data, alpha)?
            }
            _ => (own, alpha, parts.in_place(own)?),
        };
        let elem = &part.data[&access.data].elem;
        if *elem != reduction.value.ty {
            return Err(format!("`{}` is of another type than the products", parts.name(access.data)));
        }
        let place = places.of_access(access).or_else(|| places.of(target));
        Ok((place.ok_or("where its results go is not seen")?, alpha, beta))
    }

    /// The axis that goes from row to row (or column to column, or entry to entry), and the one over vectors.
    fn axes(&self, places: &Places, pointers: Option<&(View, Poly)>, entry: &Place, n: usize) -> Result<Axes, String> {
        let along = match pointers {
            Some((view, _)) => view.along.clone(),
            None => places.view(entry).ok_or("its values do not lie one behind the other")?.along,
        };
        let majors: Vec<usize> = (0..n).filter(|at| !is(&along[*at], 0)).collect();
        let [major] = majors.as_slice() else { return Err("its rows depend on more than one loop".into()) };
        if !is(&along[*major], 1) {
            return Err("its rows are not all those that follow each other".into());
        }
        match n {
            1 => Ok(Axes { major: *major, vectors: None }),
            2 => Ok(Axes { major: *major, vectors: Some(1 - major) }),
            _ => Err("its vectors stand in more than two dimensions".into()),
        }
    }

    /// An array that has one element for each entry, counted from `first` on.
    fn walked(&self, places: &Places, place: &Place, axes: &Axes, first: &Poly) -> Result<View, String> {
        let name = self.parts.name(place.data);
        let differs = || format!("`{name}` is not walked through entry by entry");
        let view = places.view(place).filter(|_| place.index.is_none()).ok_or_else(differs)?;
        let n = view.along.len() - 2;
        let by = if self.entries.bounds().is_some() { n } else { axes.major };
        let is_by_entry = (0..=n).all(|at| is(&view.along[at], i64::from(at == by)));
        let first = view.first.plus(first, 1).filter(|_| is_by_entry).ok_or_else(differs)?;
        Ok(View { data: view.data, first, along: vec![] })
    }

    /// A vector, by an index of each entry or by the row or column; the index array is noted.
    fn reached(
        &self,
        places: &Places,
        (place, by_index): (Place, bool),
        axes: &Axes,
        first: &Poly,
        indices: &mut Vec<View>,
    ) -> Result<View, String> {
        let name = self.parts.name(place.data);
        let view =
            places.view(&place).ok_or_else(|| format!("the elements of `{name}` do not lie in rows and columns"))?;
        let n = view.along.len() - 2;
        let of_vectors = axes.vectors.map_or(Poly::default(), |at| view.along[at].clone());
        let (of_entry, of_index, of_major) = (&view.along[n], &view.along[n + 1], &view.along[axes.major]);
        let row = match (&place.index, by_index) {
            (Some(index), true) if is(of_major, 0) && is(of_entry, 0) && !is(of_index, 0) => {
                indices.push(self.walked(places, index, axes, first)?);
                of_index.clone()
            }
            (None, false) if is(of_entry, 0) && !is(of_major, 0) => of_major.clone(),
            (_, true) => return Err(format!("`{name}` is not picked by an index of each entry")),
            (_, false) => return Err(format!("`{name}` is not picked by the row or column alone")),
        };
        Ok(View { data: view.data, first: view.first, along: vec![row, of_vectors, Poly::default()] })
    }

    /// The type that all elements have.
    fn number(&self, products: &Type, data: [VarId; 3]) -> Result<ScalarType, String> {
        let part = self.parts.a.part;
        let is_float = matches!(products, Type::Float(_));
        let ty = scalar_type(products).filter(|_| is_float).ok_or("its products are not floating-point numbers")?;
        match data.iter().find(|v| part.data[*v].elem != *products) {
            Some(v) => Err(format!("`{}` is of another type than the products", self.parts.name(*v))),
            None => Ok(ty),
        }
    }
}
