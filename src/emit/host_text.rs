//! The `extern "C"` entry of a region: guards, arrays, copies, launches, and the host's own loops and scalars.

use super::calls::is_sliced;
use super::layout::{self, Lines};
use super::rows_text::rows_name;
use super::scope::Scope;
use super::statements::{Statements, declare};
use super::{Site, bug, names};
use crate::ast::BinOp;
use crate::dag::plan::{self, Array, HostStmt, Param, Printed, Region};
use crate::diag::Stop;
use crate::kernel::{Access, Expr, Kernel, ScalarType, StmtKind, positions, verify, walk};
use crate::target::MAX_BLOCK;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

/// The entry of a region of `file`.
///
/// # Errors
/// A plan that breaks its contract.
pub fn entry(site: &Site, file: &str) -> Result<String, Stop> {
    let mut host = Host::new(&site.region, file);
    host.open(site, file)?;
    host.worth()?;
    host.rows()?;
    host.arrays()?;
    host.disjoint()?;
    host.steps(&site.region.body)?;
    host.close();
    host.out.lines.drop_unused(&declared_without_value(&site.region));
    let head = format!("extern \"C\" int {}(", site.entry);
    let data = json!({
        "region": site.region.name,
        "place": format!("{file}:{}-{}", site.lines.0, site.lines.1),
        "signature": layout::list(&head, &host.params(), ")"),
        "body": host.out.lines.text(),
        "original_if_too_large": site.region.original_if_too_large,
    });
    layout::render("entry", &data)
}

/// What the user's C declares at the head of a function, whether the region needs it there or not.
fn declared_without_value(region: &Region) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    plan::visit(&region.body, &mut |step| {
        for s in step.scalars() {
            if let StmtKind::Let { var, init: None, .. } = &s.kind {
                out.insert(var.clone());
            }
        }
    });
    out
}

/// The region as the runtime's messages name it: its name, its C file and line.
pub fn place(site: &Site, file: &str) -> String {
    format!("{}, {}, {}", names::quote(&site.region.name), names::quote(file), site.lines.0)
}

/// The region's entry, under construction.
pub struct Host<'a> {
    pub(super) region: &'a Region,
    pub out: Statements<'a>,
    /// Elements fetched for calls that print, so far.
    n_fetched: usize,
    /// The names of numbers of arrays that are too long to be read twice, by the array and the number's text.
    named: BTreeMap<(String, String), String>,
}

/// Characters up to which a number stands where it is used.
const MAX_LENGTH: usize = 32;

impl<'a> Host<'a> {
    /// An empty body whose scope holds the parameters and what the host declares.
    pub fn new(region: &'a Region, file: &str) -> Self {
        let mut vars = BTreeMap::new();
        for p in &region.params {
            if let Param::Scalar { name, ty, .. } | Param::ScalarInOut { name, ty, .. } = p {
                vars.insert(name.clone(), *ty);
            }
        }
        vars.extend(own_scalars(region).map(|a| (a.name.clone(), a.ty)));
        vars.extend(region.lengths.iter().map(|(name, _)| (name.clone(), ScalarType::Index)));
        let rows = region.arrays.iter().filter_map(|a| a.rows.as_ref());
        vars.extend(rows.flat_map(|r| &r.subscripts).map(|row| (row.name.clone(), ScalarType::Index)));
        let (functions, arrays) = (region.functions.as_slice(), BTreeMap::new());
        let mut scope = Scope { bits: 64, is_of_call: false, vars, arrays, functions, ranks: (0, 0) };
        let mut computed = Vec::new();
        plan::visit(&region.body, &mut |step| {
            computed.extend_from_slice(step.scalars());
            scope.vars.extend(step.declares().map(|(name, ty)| (name.to_string(), ty)));
        });
        let mut unused = BTreeSet::new();
        walk::visit(&computed, &mut |s| declare(s, &mut scope, &mut unused));
        Host { region, out: Statements::new(scope, Lines::of(file), &computed), n_fetched: 0, named: BTreeMap::new() }
    }

    /// The parameters of the entry.
    pub fn params(&self) -> Vec<String> {
        let constness = |name: &str| self.out.constness(name);
        self.region.params.iter().map(|p| param(self.region, p, constness)).collect()
    }

    pub(super) fn push(&mut self, text: String) {
        self.out.lines.push(&text, 0);
    }

    fn open(&mut self, site: &Site, file: &str) -> Result<(), Stop> {
        self.push(format!("rt::region rt({});", place(site, file)));
        self.read_in_out();
        for guard in &self.region.guards {
            let holds = self.out.scope.position_text(&guard.holds)?;
            self.push(format!("if (!rt.holds({holds}, {})) return 0;", names::quote(&guard.reason)));
        }
        self.lengths(true)
    }

    /// How long the rows are that pointers lead to, and the ends of ranges and extents that are long to say. `may_find`:
    /// arrays may be on the device already.
    ///
    /// # Errors
    /// As [`Scope::text`].
    pub fn lengths(&mut self, may_find: bool) -> Result<(), Stop> {
        self.row_lengths(may_find)?;
        for a in &self.region.arrays {
            if a.extents.len() > 1 {
                a.extents.iter().enumerate().try_for_each(|(k, e)| self.name(a, &format!("extent{k}"), e))?;
            } else {
                self.name(a, "extent", &elements(a))?;
            }
            if a.rows.is_none() {
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

    fn constant(&mut self, name: &str, value: &str) {
        self.push(format!("const {} {name} = {value};", names::cxx_type(ScalarType::Index, 64)));
    }

    /// Gives a number of an array's a name, if it is long and has none.
    fn name(&mut self, a: &Array, what: &str, e: &Expr) -> Result<(), Stop> {
        let number = (a.name.clone(), self.out.scope.position_text(e)?);
        if number.1.len() > MAX_LENGTH && !self.named.contains_key(&number) {
            let name = names::spell(&format!("rt_{}_{what}", a.name.trim_start_matches("rt_")));
            self.constant(&name, &number.1);
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
    pub fn read_in_out(&mut self) {
        for p in &self.region.params {
            if let Param::ScalarInOut { name, ty, .. } = p {
                let address = beside(self.region, name, "inout");
                self.push(format!("{} {} = *{address};", names::cxx_type(*ty, 64), names::spell(name)));
            }
        }
    }

    fn arrays(&mut self) -> Result<(), Stop> {
        for a in own_scalars(self.region) {
            self.push(format!("{} {} = 0;", names::cxx_type(a.ty, 64), names::spell(&a.name)));
        }
        for a in &self.region.arrays {
            let address = match (a.on_host, a.extents.is_empty()) {
                (false, _) => "nullptr".to_string(),
                (true, false) if a.rows.is_some() => rows_name(self.region, a),
                (true, true) => format!("&{}", names::spell(&a.name)),
                (true, false) => beside(self.region, &a.name, "host"),
            };
            let mut elements = self.allocated(a)?;
            if is_sliced(&self.region.body, &a.name) {
                elements = format!("rt::room<{}>({elements})", names::cxx_type(a.ty, 64));
            }
            let (ty, name, label) = (names::cxx_type(a.ty, 64), device_name(self.region, a), names::quote(&a.name));
            let leaves = if self.region.leaves && a.may_stay { self.leaves(a) } else { String::new() };
            self.push(format!("rt::array<{ty}> {name}(rt, {label}, {address}, {elements}{leaves});"));
        }
        Ok(())
    }

    /// What is on the device of an array that is written is not what one reads that is the same on the host.
    fn leaves(&self, a: &Array) -> String {
        let host = |name: &str| beside(self.region, name, "host");
        let written = self.region.coinciding.iter().filter(|(read, _)| *read == a.name).map(|(_, written)| written);
        let is_one: Vec<String> = written.map(|w| format!("{} == {}", host(&a.name), host(w))).collect();
        match is_one.is_empty() {
            true => ", rt::leaves::on_device".into(),
            false => format!(", {} ? rt::leaves::at_home : rt::leaves::on_device", is_one.join(" || ")),
        }
    }

    /// The number of elements of an array, which for no sizes wraps around.
    fn allocated(&self, a: &Array) -> Result<String, Stop> {
        if a.extents.len() < 2 || a.extents.iter().all(|e| matches!(e, Expr::Int(_))) {
            return self.number(a, &elements(a));
        }
        let extents: Result<Vec<String>, Stop> = a.extents.iter().map(|e| self.number(a, e)).collect();
        Ok(format!("rt::elements({{{}}})", extents?.join(", ")))
    }

    /// Arrays of the caller's that overlap, one of them written, are outside what was proved; so are rows that do.
    fn disjoint(&mut self) -> Result<(), Stop> {
        let region = self.region;
        let mut ranges = Vec::new();
        let (by_rows, blocks): (Vec<_>, Vec<_>) =
            region.arrays.iter().filter(|a| a.on_host && !a.extents.is_empty()).partition(|a| a.rows.is_some());
        let any_written = by_rows.iter().chain(&blocks).any(|a| a.live_out.is_some());
        for a in blocks {
            if let Some(touched) = self.touched(a)? {
                let written = a.live_out.is_some();
                ranges.push(format!("{}.host_range({touched}, {written})", device_name(region, a)));
            }
        }
        let mut any_written = any_written;
        for p in &region.params {
            if let Param::Place { name, ty, c_expr, is_written } = p {
                any_written |= is_written;
                let (label, ty) = (names::quote(c_expr), names::cxx_type(*ty, 64));
                ranges.push(format!("rt::place_of({label}, {name}, sizeof({ty}), {is_written})"));
            }
        }
        if !any_written || (ranges.len() < 2 && by_rows.is_empty()) {
            return Ok(());
        }
        let pair = |(x, y): &(String, String)| format!("{{{}, {}}}", names::quote(x), names::quote(y));
        let pairs: Vec<String> = region.coinciding.iter().map(pair).collect();
        let pairs = if pairs.is_empty() { String::new() } else { format!(", {{{}}}", pairs.join(", ")) };
        if by_rows.is_empty() {
            let no_rows = if pairs.is_empty() { "" } else { ", {}" };
            self.out.lines.push_list("if (!rt.disjoint({", &ranges, &format!("}}{no_rows}{pairs})) return 0;"));
            return Ok(());
        }
        self.out.lines.push_list("const rt::list<rt::host_range> rt_blocks{", &ranges, "};");
        let touches = |a: &Array| {
            let is_exchanged = a.rows.as_ref().is_some_and(|r| r.exchanged.is_some());
            let (device, rows) = (device_name(region, a), rows_name(region, a));
            format!("{device}.touches({rows}, {}, {is_exchanged})", a.live_out.is_some())
        };
        let rows: Vec<String> = by_rows.into_iter().map(touches).collect();
        self.out.lines.push_list("if (!rt.disjoint(rt_blocks, {", &rows, &format!("}}{pairs})) return 0;"));
        Ok(())
    }

    /// What the region may read or write of an array on the host, as the runtime's `range`: what lies around `live_in` and
    /// `live_out`, of which either may be empty.
    ///
    /// # Errors
    /// As [`Scope::text`].
    pub fn touched(&self, a: &Array) -> Result<Option<String>, Stop> {
        let braced = |(first, last)| format!("{{{first}, {last}}}");
        let (x, y) = (self.range(a, a.live_in.clone())?.map(braced), self.range(a, a.live_out.clone())?.map(braced));
        Ok(match (x, y) {
            (Some(x), Some(y)) if x != y => Some(format!("rt::around({x}, {y})")),
            (x, y) => x.or(y),
        })
    }

    /// A range as text.
    ///
    /// # Errors
    /// As [`Scope::text`].
    pub fn range(&self, a: &Array, range: Option<(Expr, Expr)>) -> Result<Option<(String, String)>, Stop> {
        range.map(|(first, last)| Ok((self.number(a, &first)?, self.number(a, &last)?))).transpose()
    }

    pub(super) fn steps(&mut self, body: &[HostStmt]) -> Result<(), Stop> {
        body.iter().try_for_each(|s| self.step(s))
    }

    fn step(&mut self, s: &HostStmt) -> Result<(), Stop> {
        match s {
            HostStmt::CopyIn { array } => self.copy(array, "copy_in", |a| &a.live_in)?,
            HostStmt::CopyOut { array } => self.copy(array, "copy_out", |a| &a.live_out)?,
            HostStmt::Launch { kernel, line } => self.launch(*kernel, *line)?,
            HostStmt::Resident { .. } => self.resident(s)?,
            HostStmt::Replay { count, line, body } => {
                let count = self.out.scope.position_text(count)?;
                self.ready(body, *line);
                self.out.lines.open(&format!("rt.replay({line}, {count}, [&]"), 0);
                self.steps(body)?;
                self.out.lines.close_with(");");
            }
            HostStmt::Call { call, otherwise } => self.call(call, otherwise)?,
            HostStmt::Compute(s) => self.out.one(s)?,
            HostStmt::Break => self.push("break;".into()),
            HostStmt::GiveUp => self.push("return rt.holds(0, \"an error leaves the loop before its end\");".into()),
            HostStmt::Print { function, arguments, line } => self.print(function, arguments, *line)?,
            HostStmt::For { var, lo, hi, step, body } => {
                let head = self.out.for_head(var, lo, hi, step)?;
                self.out.lines.open(&head, 0);
                self.steps(body)?;
                self.out.lines.close();
            }
            HostStmt::While { cond, step, body } => {
                let (head, tail) = self.out.while_head(cond, step, &[])?;
                self.out.lines.open(&head, 0);
                self.steps(body)?;
                self.out.all(tail)?;
                self.out.lines.close();
            }
            HostStmt::If { cond, then, other } => {
                let cond = self.out.scope.condition_text(cond)?;
                self.out.lines.open(&format!("if ({cond})"), 0);
                self.steps(then)?;
                if !other.is_empty() {
                    self.out.lines.reopen("else");
                    self.steps(other)?;
                }
                self.out.lines.close();
            }
        }
        Ok(())
    }

    /// A call that prints, with what it needs of the device fetched first.
    fn print(&mut self, function: &str, arguments: &[Printed], line: u32) -> Result<(), Stop> {
        let (mut fetched, mut values) = (Vec::new(), Vec::new());
        for a in arguments {
            values.push(match a {
                Printed::Text(text) => text.clone(),
                Printed::Number(e) => {
                    let mut e = e.clone();
                    self.fetch(&mut e, &mut fetched)?;
                    self.out.scope.text(&e)?
                }
            });
        }
        self.out.lines.push(&format!("if (rt.prints()) {function}({});", values.join(", ")), line);
        Ok(())
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
                self.push(format!("const {} {name} = {element};", names::cxx_type(array.ty, 64)));
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
        let (device, ty) = (device_name(self.region, a), names::cxx_type(a.ty, 64));
        let at = self.out.scope.position_text(&position(a, &access.index))?;
        if !a.on_host || a.extents.is_empty() {
            return Ok(format!("{device}.element({at})"));
        }
        let host = beside(self.region, &a.name, "host");
        if let Some(rows) = &a.rows {
            let n_pointers = rows.subscripts.len();
            let stars = "*const ".repeat(n_pointers);
            let index = access.index.iter().map(|e| self.out.scope.position_text(e));
            let index = index.collect::<Result<Vec<_>, _>>()?;
            let row: String = index[..n_pointers].iter().map(|i| format!("[{i}]")).collect();
            let behind = Access { array: a.name.clone(), index: access.index[n_pointers..].to_vec() };
            let inner = Array { extents: a.extents[n_pointers..].to_vec(), ..a.clone() };
            let behind = self.out.scope.position_text(&position(&inner, &behind.index))?;
            let list = rows_name(self.region, a);
            return Ok(format!(
                "{device}.element({at}, {list}, (({ty} {stars}*)rt::of_program({host})){row}[{behind}])"
            ));
        }
        let (first, last) = self.range(a, a.live_out.clone())?.unwrap_or(("0".into(), "0".into()));
        Ok(format!("{device}.element({at}, {first}, {last})"))
    }

    fn copy(&mut self, name: &str, method: &str, live: fn(&Array) -> &Option<(Expr, Expr)>) -> Result<(), Stop> {
        let array = self.array(name)?;
        if array.rows.is_some() {
            let (device, rows) = (device_name(self.region, array), rows_name(self.region, array));
            let exchanged = array.rows.as_ref().and_then(|r| r.exchanged.as_ref()).filter(|_| method == "copy_out");
            if let Some(x) = exchanged {
                let places = device_name(self.region, self.array(&x.places)?);
                let (first, last) = (self.out.scope.position_text(&x.first)?, self.out.scope.position_text(&x.last)?);
                let table = beside(self.region, name, "host");
                self.push(format!(
                    "{rows}.exchange((void **){table}, {first}, {places}.elements_at({first}, {last}));"
                ));
            }
            self.push(format!("{device}.{method}({rows});"));
            return Ok(());
        }
        let whole = Some((Expr::Int(0), elements(array)));
        let range = if array.extents.is_empty() { whole } else { live(array).clone() };
        let Some((first, last)) = self.range(array, range)? else {
            return Err(bug(format!("`{method}` of `{name}`, which has nothing live")));
        };
        let name = device_name(self.region, array);
        self.push(format!("{name}.{method}({first}, {last});"));
        Ok(())
    }

    pub(super) fn array(&self, name: &str) -> Result<&'a Array, Stop> {
        let array = self.region.arrays.iter().find(|a| a.name == name);
        array.ok_or_else(|| bug(format!("region `{}` has no array `{name}`", self.region.name)))
    }

    fn launch(&mut self, kernel: usize, line: u32) -> Result<(), Stop> {
        let kernel = self.region.kernels.get(kernel).ok_or_else(|| bug(format!("launch of kernel {kernel}")))?;
        let name = names::spell(&kernel.name);
        let mut args = vec![names::quote(&name), line.to_string(), self.variant(kernel)?];
        for dims in [&kernel.grid, &kernel.block] {
            let dims = dims.iter().map(|e| self.out.scope.position_text(&with_values(e, kernel)));
            args.push(format!("rt_dims({})", dims.collect::<Result<Vec<_>, _>>()?.join(", ")));
        }
        self.arguments(kernel, &mut args)?;
        let shared = verify::launch_shared(kernel);
        let head = shared.map_or("rt.launch(".into(), |bytes| format!("rt.launch_with_shared({bytes}, "));
        self.out.lines.push_list(&head, &args, ");");
        Ok(())
    }

    /// The kernel with its template's arguments; of one for both widths of positions, what the call chooses by.
    fn variant(&self, kernel: &Kernel) -> Result<String, Stop> {
        let values: Vec<_> = kernel.tunables.iter().map(|t| t.value.to_string()).collect();
        let of = |arguments: &[String]| match arguments {
            [] => names::spell(&kernel.name),
            _ => format!("{}<{}>", names::spell(&kernel.name), arguments.join(", ")),
        };
        let Some(most) = positions::most(kernel) else { return Ok(of(&values)) };
        let mut products = Vec::new();
        for (c, factors) in most.products() {
            let number = (c != 1 || factors.is_empty()).then(|| Ok(c.to_string()));
            let factors = factors.iter().map(|name| self.out.scope.position_text(&Expr::Var(name.clone())));
            let product = number.into_iter().chain(factors).collect::<Result<Vec<_>, _>>()?;
            products.push(format!("{{{}}}", product.join(", ")));
        }
        let [short, long] = ["int", "long"].map(|ty| of(&[&[ty.to_string()], values.as_slice()].concat()));
        Ok(format!("rt::by_positions({{{}}}, {short}, {long})", products.join(", ")))
    }

    /// What a kernel is called with.
    fn arguments(&self, kernel: &Kernel, args: &mut Vec<String>) -> Result<(), Stop> {
        args.extend(kernel.scalars.iter().map(|p| names::spell(&p.name)));
        for p in &kernel.arrays {
            args.push(device_name(self.region, self.array(&p.name)?));
        }
        Ok(())
    }

    /// One block, or as many as the device holds: two variants of the kernel.
    fn resident(&mut self, s: &HostStmt) -> Result<(), Stop> {
        let HostStmt::Resident { kernel, line, work, in_one_block, threads, unit } = s else { return Ok(()) };
        let kernel = self.region.kernels.get(*kernel).ok_or_else(|| bug(format!("launch of kernel {kernel}")))?;
        let work = self.out.scope.position_text(work)?;
        self.out.lines.open(&format!("if (rt.one_block({work}, {in_one_block}))"), 0);
        self.launch_resident(kernel, *line, (i64::from(MAX_BLOCK), *unit), None)?;
        self.out.lines.reopen("else");
        self.launch_resident(kernel, *line, (*threads, *unit), Some(&work))?;
        self.out.lines.close();
        Ok(())
    }

    fn launch_resident(
        &mut self,
        kernel: &Kernel,
        line: u32,
        (threads, unit): (i64, i64),
        work: Option<&str>,
    ) -> Result<(), Stop> {
        let name = names::spell(&kernel.name);
        let threads = format!("rt::threads({threads}, {unit})");
        let (variant, block) = (format!("{name}<{threads}>"), format!("rt_dims({threads})"));
        let blocks = work.map_or("1".to_string(), |work| format!("rt.blocks_for({variant}, {block}, {work})"));
        let mut args = vec![names::quote(&name), line.to_string(), variant, blocks, block];
        self.arguments(kernel, &mut args)?;
        self.out.lines.push_list("rt.launch_resident(", &args, ");");
        Ok(())
    }

    fn close(&mut self) {
        self.push("rt.done();".into());
        for p in &self.region.params {
            if let Param::ScalarInOut { name, .. } = p {
                self.push(format!("*{} = {};", beside(self.region, name, "inout"), names::spell(name)));
            }
        }
        self.push("return 1;".into());
    }
}

/// A parameter in C++; `constness` says whether a scalar is assigned to.
pub fn param(region: &Region, p: &Param, constness: impl Fn(&str) -> &'static str) -> String {
    match p {
        Param::Scalar { name, ty, .. } => {
            format!("{}{} {}", constness(name), names::cxx_type(*ty, 64), names::spell(name))
        }
        Param::ScalarInOut { name, ty, .. } => {
            format!("{} *const {}", names::cxx_type(*ty, 64), beside(region, name, "inout"))
        }
        Param::Place { name, .. } => format!("const void *const {name}"),
        Param::Array { name, is_const, .. } => {
            format!("{}void *const {}", if *is_const { "const " } else { "" }, beside(region, name, "host"))
        }
    }
}

/// The number of elements of an array.
fn elements(a: &Array) -> Expr {
    let product = |n: Expr, e: &Expr| Expr::Binary(BinOp::Mul, n.into(), e.clone().into());
    match a.extents.split_first() {
        Some((first, rest)) => rest.iter().fold(first.clone(), product),
        None => Expr::Int(1),
    }
}

/// Where on the device an element is.
fn position(a: &Array, index: &[Expr]) -> Expr {
    let by = |op, x: Expr, y: Expr| Expr::Binary(op, x.into(), y.into());
    let inner = index.iter().zip(&a.extents).skip(1);
    let first = index.first().cloned().unwrap_or(Expr::Int(0));
    inner.fold(first, |at, (i, extent)| by(BinOp::Add, by(BinOp::Mul, at, extent.clone()), i.clone()))
}

/// A device scalar of the host's stands beside the variable of its name.
pub(super) fn device_name(region: &Region, a: &Array) -> String {
    if a.extents.is_empty() && a.on_host { beside(region, &a.name, "dev") } else { names::spell(&a.name) }
}

/// A name for what belongs to `name`, which no parameter and no array has.
pub fn beside(region: &Region, name: &str, suffix: &str) -> String {
    let mut made = format!("{name}_{suffix}");
    let taken =
        |made: &str| region.arrays.iter().any(|a| a.name == made) || region.params.iter().any(|p| p.name() == made);
    while taken(&made) {
        made.push('_');
    }
    made
}

/// An expression of a launch, with the values that its tunables have in this variant.
fn with_values(e: &Expr, kernel: &Kernel) -> Expr {
    let mut out = e.clone();
    out.replace(&mut |e| match e {
        Expr::Var(name) => kernel.tunables.iter().find(|t| t.name == *name).map(|t| Expr::Int(t.value)),
        _ => None,
    });
    out
}

/// Device scalars whose host variable is the entry's own.
fn own_scalars(region: &Region) -> impl Iterator<Item = &Array> {
    let handed =
        |a: &Array| region.params.iter().any(|p| matches!(p, Param::ScalarInOut { name, .. } if *name == a.name));
    region.arrays.iter().filter(move |a| a.on_host && a.extents.is_empty() && !handed(a))
}
