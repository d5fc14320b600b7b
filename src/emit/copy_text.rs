//! Copies in an entry: arrays to the device and back, and elements that are fetched for calls that print.

use super::construct::host::{CopyIn, CopyOut, Element, Exchange, Keep, Print};
use super::entry_names::{beside, device_name, rows_name};
use super::host_text::{Host, elements};
use super::spell::spell;
use super::{bug, layout, names};
use crate::ast::BinOp;
use crate::diag::Stop;
use crate::host_plan::ir::{Array, Printed};
use crate::kernel::{Access, Expr};

impl Host<'_> {
    pub(super) fn copy_in(&mut self, name: &str) -> Result<(), Stop> {
        let a = self.array(name)?;
        let rows = a.rows.as_ref().map(|_| rows_name(self.region, a));
        let (first, last) = self.copied(a, &a.live_in)?;
        let array = device_name(self.region, a);
        self.push(&CopyIn { array: array.clone(), rows, first, last })?;
        if !self.is_kept(a) {
            return Ok(());
        }
        let (first, last) = self.copied(a, &a.live_out)?;
        self.push(&Keep { array, first, last })
    }

    pub(super) fn copy_out(&mut self, name: &str) -> Result<(), Stop> {
        let a = self.array(name)?;
        let rows = a.rows.as_ref().map(|_| rows_name(self.region, a));
        let mut exchange = None;
        if let Some(x) = a.rows.as_ref().and_then(|r| r.exchanged.as_ref()) {
            exchange = Some(Exchange {
                table: beside(self.region, name, "host"),
                places: device_name(self.region, self.array(&x.places)?),
                first: self.out.scope.position_text(&x.first)?,
                last: self.out.scope.position_text(&x.last)?,
            });
        }
        let (first, last) = self.copied(a, &a.live_out)?;
        self.push(&CopyOut { array: device_name(self.region, a), rows, first, last, exchange })
    }

    /// The elements that are copied of an array; rows know theirs.
    fn copied(&self, a: &Array, live: &Option<(Expr, Expr)>) -> Result<(String, String), Stop> {
        if a.rows.is_some() {
            return Ok((String::new(), String::new()));
        }
        let whole = Some((Expr::Int(0), elements(a)));
        let range = self.range(a, if a.extents.is_empty() { whole } else { live.clone() })?;
        range.ok_or_else(|| bug(format!("a copy of `{}`, which has nothing live", a.name)))
    }

    /// A call that prints, with what it needs of the device fetched first.
    pub(super) fn print(&mut self, function: &str, arguments: &[Printed], line: u32) -> Result<(), Stop> {
        let (mut fetched, mut values) = (Vec::new(), Vec::new());
        for a in arguments {
            values.push(match a {
                Printed::Text(text) => layout::unmarked(text),
                Printed::Number(e) => {
                    let mut e = e.clone();
                    self.fetch(&mut e, &mut fetched)?;
                    self.out.scope.text(&e)?
                }
            });
        }
        self.push(&Print { line, function, arguments: values })
    }

    /// Puts variables of the host in the place of elements, each fetched once.
    fn fetch(&mut self, e: &mut Expr, fetched: &mut Vec<(Access, String)>) -> Result<(), Stop> {
        e.children_mut().into_iter().try_for_each(|child| self.fetch(child, fetched))?;
        let Expr::Load(access) = e else { return Ok(()) };
        let known = fetched.iter().find(|(known, _)| known == access).map(|(_, name)| name.clone());
        let name = match known {
            Some(name) => name,
            None => {
                let array = self.array(&access.array)?;
                self.n_fetched += 1;
                let name = beside(self.region, &format!("rt_value{}", self.n_fetched), "read");
                let element = self.element(array, access)?;
                self.declare(true, array.ty, name.clone(), element)?;
                self.out.scope.vars.insert(name.clone(), array.ty);
                fetched.push((access.clone(), name.clone()));
                name
            }
        };
        *e = Expr::Var(name);
        Ok(())
    }

    /// An element's value: the device's where the region writes, else the host's.
    fn element(&self, a: &Array, access: &Access) -> Result<String, Stop> {
        let mut element = Element {
            array: device_name(self.region, a),
            r#type: names::cxx_type(a.ty, 64),
            at: self.out.scope.position_text(&position(a, &access.index))?,
            live: None,
            rows: None,
            table: beside(self.region, &a.name, "host"),
            bytes: None,
            row: Vec::new(),
            behind: String::new(),
        };
        if let Some(rows) = a.rows.as_ref().filter(|_| a.on_host && !a.extents.is_empty()) {
            let (row, behind) = access.index.split_at(rows.subscripts.len());
            let inner = Array { extents: a.extents[rows.subscripts.len()..].to_vec(), ..a.clone() };
            element.rows = Some(rows_name(self.region, a));
            element.bytes = rows.within.as_ref().map(|w| names::spell(&w.bytes));
            element.row = row.iter().map(|e| self.out.scope.position_text(e)).collect::<Result<_, _>>()?;
            element.behind = self.out.scope.position_text(&position(&inner, behind))?;
        } else if a.on_host && !a.extents.is_empty() {
            let live = self.range(a, a.live_out.clone())?;
            element.live = Some(live.unwrap_or(("0".into(), "0".into())).into());
        }
        spell(&element)
    }
}

/// Where on the device an element is.
fn position(a: &Array, index: &[Expr]) -> Expr {
    let by = |op, x: Expr, y: Expr| Expr::Binary(op, x.into(), y.into());
    let inner = index.iter().zip(&a.extents).skip(1);
    let first = index.first().cloned().unwrap_or(Expr::Int(0));
    inner.fold(first, |at, (i, extent)| by(BinOp::Add, by(BinOp::Mul, at, extent.clone()), i.clone()))
}
