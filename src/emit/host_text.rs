//! The `extern "C"` entry of a region: guards, arrays, copies, launches, and the host's own loops and scalars.

use super::construct::Construct;
use super::construct::definitions::ScalarParameter;
use super::construct::host::{
    self, Done, Entry, GiveUp, OnDevice, Outcome, PointerParameter, ReferenceParameter, Touched,
};
use super::construct::launches::Replay;
use super::construct::statements::{Break, Declaration, If, Loop, While};
use super::entry_names::{beside, device_name, reach_name, rows_name};
use super::libraries::{headers, may_lack};
use super::scope::Scope;
use super::spell::spell;
use super::statements::{Statements, declare};
use super::{Site, bug, layout, names};
use crate::ast::BinOp;
use crate::diag::Stop;
use crate::host_plan::ir::{self, Array, HostStmt, Own, Param, Region};
use crate::kernel::{Expr, ScalarType, walk};
use std::collections::{BTreeMap, BTreeSet};

/// The entry of a region of `file`, of whose kernels some are instances of others' `templates`, by name.
///
/// # Errors
/// A plan that breaks its contract.
pub fn entry(site: &Site, templates: BTreeMap<String, String>, file: &str) -> Result<String, Stop> {
    let mut host = Host { templates, ..Host::new(&site.region, file) };
    host.opening(site, file, false)?;
    host.all_steps()?;
    host.close()?;
    let entry = Entry {
        region: &site.region.name,
        file,
        first_line: site.lines.0,
        last_line: site.lines.1,
        name: &site.entry,
        parameters: host.params()?,
        body: host.out.lines.block(),
        original_if_too_large: site.region.original_if_too_large,
    };
    Ok(layout::laid_out(&spell(&entry)?, file))
}

/// The region as the runtime's messages name it.
pub fn place(site: &Site, file: &str) -> host::Region {
    host::Region { region: names::quote(&site.region.name), file: names::quote(file), line: site.lines.0 }
}

/// The region's entry, under construction.
pub struct Host<'a> {
    pub(super) region: &'a Region,
    pub out: Statements<'a>,
    /// Elements fetched for calls that print, so far.
    pub(super) n_fetched: usize,
    /// The names of numbers of arrays that are too long to be read twice, by the array and the number's text.
    named: BTreeMap<(String, String), String>,
    /// The names of the templates that kernels are instances of, where these have others' names.
    pub(super) templates: BTreeMap<String, String>,
}

/// Characters up to which a number stands where it is used.
const MAX_LENGTH: usize = 32;

impl<'a> Host<'a> {
    /// An empty body whose scope holds the parameters and what the host declares.
    pub fn new(region: &'a Region, file: &'a str) -> Self {
        let mut vars = BTreeMap::new();
        for p in &region.params {
            if let Param::Scalar { name, ty, .. } | Param::ScalarInOut { name, ty, .. } = p {
                vars.insert(name.clone(), *ty);
            }
        }
        vars.extend(own_scalars(region).map(|a| (a.name.clone(), a.ty)));
        vars.extend(region.lengths.iter().map(|(name, _)| (name.clone(), ScalarType::Index)));
        vars.extend(region.arrays.iter().filter_map(Array::held).map(|name| (name.to_string(), ScalarType::Index)));
        let rows = region.arrays.iter().filter_map(|a| a.rows.as_ref());
        vars.extend(rows.flat_map(|r| &r.subscripts).map(|row| (row.name.clone(), ScalarType::Index)));
        let (functions, arrays) = (region.functions.as_slice(), BTreeMap::new());
        let (sizes, held) = (BTreeSet::new(), BTreeSet::new());
        let mut scope = Scope { bits: 64, is_of_call: false, vars, arrays, functions, ranks: (0, 0), sizes, held };
        let mut computed = Vec::new();
        ir::visit(&region.body, &mut |step| {
            computed.extend_from_slice(step.scalars());
            scope.vars.extend(step.declares().map(|(name, ty)| (name.to_string(), ty)));
        });
        let mut unused = BTreeSet::new();
        walk::visit(&computed, &mut |s| declare(s, &mut scope, &mut unused));
        let (named, templates) = (BTreeMap::new(), BTreeMap::new());
        Host { region, out: Statements::new(scope, file, &computed), n_fetched: 0, named, templates }
    }

    /// The parameters of the entry.
    ///
    /// # Errors
    /// As [`spell`].
    pub fn params(&self) -> Result<Vec<String>, Stop> {
        let is_const = |name: &str| self.out.is_const(name);
        self.region.params.iter().map(|p| param(self.region, p, is_const)).collect()
    }

    /// Writes a construct.
    ///
    /// # Errors
    /// As [`spell`].
    pub fn push(&mut self, construct: &impl Construct) -> Result<(), Stop> {
        self.out.lines.push(&spell(construct)?);
        Ok(())
    }

    /// Declares a variable with its first value.
    pub(super) fn declare(&mut self, is_const: bool, ty: ScalarType, name: String, value: String) -> Result<(), Stop> {
        let r#type = names::cxx_type(ty, 64);
        self.push(&Declaration { line: 0, is_const, r#type, name, value: Some(value) })
    }

    /// Steps as the text of a block.
    pub(super) fn block(&mut self, body: &[HostStmt]) -> Result<String, Stop> {
        Ok(self.apart(body)?.block())
    }

    /// The lines of steps that stand in another construct.
    fn apart(&mut self, body: &[HostStmt]) -> Result<layout::Lines, Stop> {
        let outer = std::mem::take(&mut self.out.lines);
        self.steps(body)?;
        Ok(std::mem::replace(&mut self.out.lines, outer))
    }

    /// How long the rows are that pointers lead to, and the ends of ranges and extents that are long to say. `has_device`:
    /// it has arrays that nobody else does, and some of the others already.
    ///
    /// # Errors
    /// As [`Scope::text`].
    pub fn lengths(&mut self, has_device: bool) -> Result<(), Stop> {
        self.row_lengths(has_device)?;
        self.held()?;
        let given = self.region.arrays.iter().filter(|a| a.on_host && !a.extents.is_empty());
        // Copies have ranges, and arrays that may lie in each other.
        let has_ranges = !self.region.on_device || given.count() > 1;
        for a in self.region.arrays.iter().filter(|a| has_device || a.on_host) {
            if a.extents.len() > 1 {
                a.extents.iter().enumerate().try_for_each(|(k, e)| self.name(a, &format!("extent{k}"), e))?;
            } else {
                self.name(a, "extent", &elements(a))?;
            }
            if a.rows.is_none() && has_ranges {
                let ends = |live: &Option<(Expr, Expr)>| live.clone().unzip();
                let ((in_first, in_end), (out_first, out_end)) = (ends(&a.live_in), ends(&a.live_out));
                self.name_both(a, "first", in_first, out_first)?;
                self.name_both(a, "end", in_end, out_end)?;
            }
        }
        Ok(())
    }

    /// An end of what comes in and of what goes out: one name, if they are the same.
    fn name_both(&mut self, a: &Array, what: &str, x: Option<Expr>, y: Option<Expr>) -> Result<(), Stop> {
        if x == y || y.is_none() || x.is_none() {
            return x.or(y).iter().try_for_each(|e| self.name(a, what, e));
        }
        x.iter().try_for_each(|e| self.name(a, &format!("in_{what}"), e))?;
        y.iter().try_for_each(|e| self.name(a, &format!("out_{what}"), e))
    }

    /// Gives a number of an array's a name, if it is long and has none.
    fn name(&mut self, a: &Array, what: &str, e: &Expr) -> Result<(), Stop> {
        if matches!(e, Expr::Var(_)) {
            return Ok(());
        }
        let number = (a.name.clone(), self.out.scope.position_text(e)?);
        if number.1.len() > MAX_LENGTH && !self.named.contains_key(&number) {
            let name = names::spell(&format!("rt_{}_{what}", a.name.trim_start_matches("rt_")));
            self.declare(true, ScalarType::Index, name.clone(), number.1.clone())?;
            self.named.insert(number, name);
        }
        Ok(())
    }

    /// A number of an array's as text, or its name.
    ///
    /// # Errors
    /// As [`Scope::text`].
    pub fn number(&self, a: &Array, e: &Expr) -> Result<String, Stop> {
        let number = (a.name.clone(), self.out.scope.position_text(e)?);
        Ok(self.named.get(&number).cloned().unwrap_or(number.1))
    }

    /// Reads the caller's scalars into variables of their names.
    ///
    /// # Errors
    /// As [`spell`].
    pub fn read_in_out(&mut self) -> Result<(), Stop> {
        for p in &self.region.params {
            if let Param::ScalarInOut { name, ty, .. } = p {
                let address = beside(self.region, name, "inout");
                self.declare(false, *ty, names::spell(name), format!("*{address}"))?;
            }
        }
        Ok(())
    }

    pub(super) fn arrays(&mut self) -> Result<(), Stop> {
        let region = self.region;
        for a in own_scalars(region) {
            self.declare(false, a.ty, names::spell(&a.name), "0".into())?;
        }
        for a in &region.arrays {
            let table = address(region, &a.name);
            let host = match a.extents.is_empty() {
                true => format!("&{}", names::spell(&a.name)),
                false if a.rows.is_some() => rows_name(region, a),
                false if region.on_device => spell(&OnDevice { address: table.clone() })?,
                false if a.reach.is_some() => reach_name(region, a),
                false => table.clone(),
            };
            let (count, extents) = self.allocated(a)?;
            let may_be = region.coinciding.iter().filter(|(read, _)| *read == a.name);
            self.push(&host::Array {
                r#type: names::cxx_type(a.ty, 64),
                name: device_name(region, a),
                label: names::quote(&a.name),
                host: a.on_host.then_some(host),
                count,
                extents,
                may_lack: may_lack(&region.body, &a.name),
                stays: region.leaves && a.may_stay() && !region.is_guarded(a),
                guarded: region.is_guarded(a),
                announced: region.leaves,
                table,
                // What is on the device of an array that is written is not what one reads that is the same on the host.
                same_as: may_be.map(|(_, written)| beside(region, written, "host")).collect(),
            })?;
            self.own_members(a, &device_name(region, a), None)?;
        }
        Ok(())
    }

    /// The numbers of an array that go home, where not all of them do.
    ///
    /// # Errors
    /// As [`spell`].
    pub fn own_members(&mut self, a: &Array, of: &str, label: Option<String>) -> Result<(), Stop> {
        let Some(Own { count, positions }) = a.own.as_ref().filter(|_| !self.region.on_device) else { return Ok(()) };
        self.push(&host::OwnMembers { of, label, count: *count, positions })
    }

    /// The number of elements of an array, or its extents where for some sizes their product wraps around.
    fn allocated(&self, a: &Array) -> Result<(String, Vec<String>), Stop> {
        if a.extents.len() < 2 || a.extents.iter().all(|e| matches!(e, Expr::Int(_))) {
            return Ok((self.number(a, &elements(a))?, Vec::new()));
        }
        let extents: Result<Vec<String>, Stop> = a.extents.iter().map(|e| self.number(a, e)).collect();
        Ok((String::new(), extents?))
    }

    /// What the region may read or write of an array on the host, as the runtime's `range`: what lies around `live_in` and
    /// `live_out`, of which either may be empty.
    ///
    /// # Errors
    /// As [`Scope::text`].
    pub fn touched(&self, a: &Array) -> Result<Option<String>, Stop> {
        let (first, second) = match (self.range(a, a.live_in.clone())?, self.range(a, a.live_out.clone())?) {
            (Some(x), Some(y)) if x != y => (x, Some(y)),
            (x, y) => match x.or(y) {
                Some(x) => (x, None),
                None => return Ok(None),
            },
        };
        spell(&Touched { first: first.into(), second: second.map(Into::into) }).map(Some)
    }

    /// A range as text.
    ///
    /// # Errors
    /// As [`Scope::text`].
    pub fn range(&self, a: &Array, range: Option<(Expr, Expr)>) -> Result<Option<(String, String)>, Stop> {
        range.map(|(first, last)| Ok((self.number(a, &first)?, self.number(a, &last)?))).transpose()
    }

    /// Steps, before the first loop of which a program that may ask for an end may also ask how far it is.
    pub(super) fn told_steps(&mut self, body: &[HostStmt]) -> Result<(), Stop> {
        let is_loop = |s: &HostStmt| {
            matches!(
                s,
                HostStmt::For { .. } | HostStmt::While { .. } | HostStmt::Replay { .. } | HostStmt::Resident { .. }
            )
        };
        let holds_loop = |s: &HostStmt| {
            let mut found = false;
            ir::visit(std::slice::from_ref(s), &mut |s| found |= is_loop(s));
            found
        };
        let first = body.iter().position(holds_loop).filter(|_| self.region.is_interruptible());
        let (before, rest) = body.split_at(first.unwrap_or(body.len()));
        self.steps(before)?;
        let is_told = |a: &&Array| a.on_host && a.live_out.is_some() && a.rows.is_none() && !a.extents.is_empty();
        if !rest.is_empty() && !self.region.on_device {
            for a in self.region.arrays.iter().filter(is_told) {
                let array = device_name(self.region, a);
                self.push(&host::Told { name: beside(self.region, &a.name, "told"), array })?;
            }
        }
        self.steps(rest)
    }

    pub(super) fn steps(&mut self, body: &[HostStmt]) -> Result<(), Stop> {
        body.iter().try_for_each(|s| self.step(s))
    }

    fn step(&mut self, s: &HostStmt) -> Result<(), Stop> {
        match s {
            HostStmt::CopyIn { array } => self.copy_in(array)?,
            HostStmt::CopyOut { array } => self.copy_out(array)?,
            HostStmt::Launch { kernel, line, how } => self.launch(*kernel, *line, how.as_ref())?,
            HostStmt::Resident { .. } => self.resident(s)?,
            HostStmt::Replay { count, line, body } => {
                let count = self.out.scope.position_text(count)?;
                let uses_library = !headers(body).is_empty();
                let body = self.block(body)?;
                self.push(&Replay { line: *line, count, uses_library, body })?;
            }
            HostStmt::Call { call, .. } => self.call(call)?,
            HostStmt::Select(select) => self.select(select)?,
            HostStmt::Compute(s) => self.out.one(s)?,
            HostStmt::Break => self.push(&Break { line: 0 })?,
            HostStmt::GiveUp { reason } => self.push(&GiveUp { reason: names::quote(reason) })?,
            HostStmt::Print { function, arguments, line } => self.print(function, arguments, *line)?,
            HostStmt::For { var, lo, hi, step, body } => {
                let head = self.out.head(var, lo, hi, step)?;
                let body = self.block(body)?;
                self.push(&Loop { body, ..head })?;
            }
            HostStmt::While { cond, step, body } => {
                let (steps, tail) = self.out.while_steps(step, &[])?;
                let condition = self.out.scope.condition_text(cond)?;
                let body = [self.block(body)?, self.out.block(tail)?].join("\n");
                self.push(&While { line: 0, condition, is_watched: false, steps, body })?;
            }
            HostStmt::Nest { .. } => {
                return Err(Stop::Bug("emit: launches of a nest and its phase, of which none was taken".into()));
            }
            HostStmt::If { cond, then, other } => {
                let condition = self.out.scope.condition_text(cond)?;
                let is_chained = matches!(other.as_slice(), [HostStmt::If { .. } | HostStmt::Select(_)]);
                let then = self.block(then)?;
                let other = if is_chained { self.apart(other)?.text() } else { self.block(other)? };
                self.push(&If { line: 0, condition, then, other, is_chained })?;
            }
        }
        Ok(())
    }

    pub(super) fn array(&self, name: &str) -> Result<&'a Array, Stop> {
        let array = self.region.arrays.iter().find(|a| a.name == name);
        array.ok_or_else(|| bug(format!("region `{}` has no array `{name}`", self.region.name)))
    }

    fn close(&mut self) -> Result<(), Stop> {
        let result = |p: &Param| match p {
            Param::ScalarInOut { name, .. } => {
                Some(Outcome { place: beside(self.region, name, "inout"), name: names::spell(name) })
            }
            _ => None,
        };
        let results = self.region.params.iter().filter_map(result).collect();
        self.push(&Done { results })
    }
}

/// A parameter in C++; `is_const` says whether nothing is assigned to a scalar.
///
/// # Errors
/// As [`spell`].
pub fn param(region: &Region, p: &Param, is_const: impl Fn(&str) -> bool) -> Result<String, Stop> {
    match p {
        Param::Scalar { name, ty, .. } => {
            let (r#type, is_const) = (names::cxx_type(*ty, 64), is_const(name));
            spell(&ScalarParameter { is_const, r#type, name: names::spell(name) })
        }
        Param::ScalarInOut { name, ty, .. } => {
            spell(&ReferenceParameter { r#type: names::cxx_type(*ty, 64), name: beside(region, name, "inout") })
        }
        Param::Place { name, .. } => spell(&PointerParameter { is_const: true, name: name.clone() }),
        Param::Array { name, is_const, .. } => {
            spell(&PointerParameter { is_const: *is_const, name: address(region, name) })
        }
    }
}

/// The number of elements of an array.
pub(super) fn elements(a: &Array) -> Expr {
    let product = |n: Expr, e: &Expr| Expr::Binary(BinOp::Mul, n.into(), e.clone().into());
    match a.extents.split_first() {
        Some((first, rest)) => rest.iter().fold(first.clone(), product),
        None => Expr::Int(1),
    }
}

/// The name of an array's address, as the entry is given it.
pub(super) fn address(region: &Region, name: &str) -> String {
    beside(region, name, if region.on_device { "device" } else { "host" })
}

/// Device scalars whose host variable is the entry's own.
fn own_scalars(region: &Region) -> impl Iterator<Item = &Array> {
    let handed =
        |a: &Array| region.params.iter().any(|p| matches!(p, Param::ScalarInOut { name, .. } if *name == a.name));
    region.arrays.iter().filter(move |a| a.on_host && a.extents.is_empty() && !handed(a))
}
