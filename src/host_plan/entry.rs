//! The entry point around a region's steps: its parameters, the arrays on the device, the copies, and what is tested
//! before anything else happens.

use super::builder::Builder;
use super::elements::{Elements, elements};
use super::guard::Guard;
use super::ir::{Array, HostStmt, NotKept, Own, Param, Reach, Region, Rotation};
use super::{allocated, handed, hold_back, rows, transfers, written};
use crate::analysis::no_plan::NoPlan;
use crate::ast::{BinOp, Expr, ExprKind, IntKind, Record, Storage, StructId, Type, VarId, print};
use crate::config::TooLarge;
use crate::facts::{Reason, arrays, effects, liveness, remedy};
use crate::kernel::{self as k, ScalarType, simplify};
use crate::normalize::arrays_of_structures;
use crate::normalize::form::End;
use crate::poly::Failure;
use crate::region::candidates::Candidate;
use crate::region::hints;
use crate::schedule::lower::{ByValue, Origin, function, scalar_type};
use crate::schedule::{extent, index};
use crate::source::Span;
use indexmap::{IndexMap, IndexSet};
use std::collections::BTreeSet;

/// Bytes of an array that are moved as soon as looked for.
const SMALL: i64 = 1024;

impl Builder<'_> {
    /// Parameters, arrays, copies and guards around the steps.
    pub(super) fn finish(&mut self, candidate: &Candidate, body: &mut Vec<HostStmt>) -> Result<Region, NoPlan> {
        let region = self.region;
        let elements = elements(self.unit, region)??;
        let mut guards = self.context_guards(&elements)?;
        let mut arrays: Vec<Array> = vec![];
        let (mut copies_in, mut copies_out) = (vec![], vec![]);
        let resident: Vec<VarId> = self.used.arrays.keys().copied().collect();
        for v in resident {
            let mut array = self.array(v, body, &elements, &mut guards)?;
            let exchanged = self.exchanged(v, &array.rows, &elements)?;
            if let Some(rows) = &mut array.rows {
                array.not_kept = array.not_kept.or(exchanged.is_some().then_some(NotKept::Exchanged));
                if exchanged.is_some() && array.reach.is_some() {
                    let var = self.unit.var(v);
                    let message =
                        format!("only the data decide which rows of `{}` are there to change places", var.name);
                    let reason = Reason::new("unsure-extent", message, var.span);
                    return Err(reason.help(hints::wanted(self.unit, v)).into());
                }
                rows.exchanged = exchanged;
            }
            if array.live_in.is_some() {
                copies_in.push(HostStmt::CopyIn { array: array.name.clone() });
            }
            if array.live_out.is_some() {
                copies_out.push(HostStmt::CopyOut { array: array.name.clone() });
            }
            arrays.push(array);
        }
        self.keep_to_their_own(&mut arrays);
        self.find_structures(&mut arrays);
        guards.extend(self.records());
        for (name, ty, length) in std::mem::take(&mut self.partials) {
            arrays.push(Array::of_device(name, ty, k::Expr::Int(length)));
        }
        let tested = self.offload(body, copies_in.len() as i64 + copies_out.len() as i64, candidate)?;
        guards.extend(tested.guard);
        let lengths = self.lengths(&elements)?;
        let functions = self.functions()?;
        let mut params = self.params(candidate, &arrays);
        params.extend(self.places(&arrays, &params));
        self.refuse_registers(&params)?;
        let coinciding = self.coinciding(&arrays);
        let zero = |(var, ty)| k::StmtKind::Let { var, ty, init: Some(k::Expr::Int(0)) };
        let computed = std::mem::take(&mut self.computed).into_iter();
        let mut steps: Vec<_> = computed.map(|x| HostStmt::Compute(k::Stmt::made(zero(x)))).collect();
        steps.extend(copies_in);
        steps.append(body);
        steps.extend(copies_out);
        let walked = self.walked(candidate, &params);
        hold_back::no_rows_stay_written(&mut arrays);
        Ok(Region {
            name: candidate.name.clone(),
            function: candidate.function.name.clone(),
            span: candidate.span(),
            params,
            only_if: self.only_if(candidate),
            guards,
            offload: tested.offload,
            lengths,
            arrays,
            body: steps,
            kernels: std::mem::take(&mut self.kernels),
            unordered: std::mem::take(&mut self.unordered),
            apart: std::mem::take(&mut self.apart),
            partial_counts: std::mem::take(&mut self.partial_counts),
            by_sizes: std::mem::take(&mut self.by_sizes),
            mappings: std::mem::take(&mut self.mappings),
            choices: std::mem::take(&mut self.choices),
            functions,
            original_if_too_large: self.settings.defaults.too_large == TooLarge::Original,
            rotation: candidate.rotation.filter(|x| !x.pointers.is_empty()).map(|x| Rotation {
                turn: self.unit.var(x.turn).name.clone(),
                pointers: x.pointers.iter().map(|v| self.unit.var(*v).name.clone()).collect(),
                turns: x.turns.clone(),
            }),
            walked,
            ends: self.ends(candidate),
            reads: self.reads(candidate),
            writes: self.writes(),
            leaves: false,
            closes_pages: false,
            on_device: false,
            coinciding,
        })
    }

    /// Places that are others behind the original, for it moves their pointers alone, or sets numbers that they are told by.
    fn walked(&self, candidate: &Candidate, params: &[Param]) -> Vec<String> {
        let is_exchanged = |v: &VarId| candidate.rotation.is_some_and(|x| x.pointers.contains(v));
        let is_moved = |v: &VarId| match self.unit.var(*v).ty {
            Type::Pointer { .. } => !is_exchanged(v),
            Type::Int(_) => true,
            _ => false,
        };
        let moved: BTreeSet<VarId> =
            effects::assigned(candidate.stmts.iter().copied()).into_iter().filter(is_moved).collect();
        let moved: BTreeSet<&str> = moved.iter().map(|v| self.unit.var(*v).name.as_str()).collect();
        let is_other = |place: &&String| {
            let mut words = place.split(|c: char| !c.is_alphanumeric() && c != '_');
            words.any(|word| moved.contains(word))
        };
        let places =
            params.iter().filter_map(|p| if let Param::Array { c_expr, .. } = p { Some(c_expr) } else { None });
        let mut out: Vec<String> = places.filter(is_other).cloned().collect();
        out.sort();
        out.dedup();
        out
    }

    /// Places that the call site sets pointers to behind the region.
    fn ends(&self, candidate: &Candidate) -> Vec<(String, String)> {
        let spelled = |end: &End| (self.unit.var(end.walker).name.clone(), print::expr(self.unit, &end.place));
        candidate.ends.iter().map(spelled).collect()
    }

    /// The pairs of arrays that may be the same, by their names.
    fn coinciding(&mut self, arrays: &[Array]) -> Vec<(String, String)> {
        let is_fixed = |a: &Array| a.on_host && a.rows.as_ref().is_none_or(|r| r.exchanged.is_none());
        let named = |name: &str| arrays.iter().find(|a| a.name == *name).filter(|a| is_fixed(a));
        let names =
            self.region.coinciding.iter().map(|(r, w)| (self.names.of(self.unit, *r), self.names.of(self.unit, *w)));
        let may_be = |(read, written): &(String, String)| {
            named(read).is_some_and(|a| a.live_out.is_none() || a.own.is_some())
                && named(written).is_some_and(|a| a.live_out.is_some())
        };
        names.filter(may_be).collect()
    }

    /// Under which condition, in C, the call site may read what it hands over.
    fn only_if(&self, candidate: &Candidate) -> Option<String> {
        let both = |a: Expr, b: Expr| {
            let (ty, span) = (Type::Int(IntKind::Int), a.span);
            Expr { kind: ExprKind::Binary(BinOp::And, Box::new(a), Box::new(b)), ty, span }
        };
        let all = candidate.parts.only_if.iter().cloned().reduce(both)?;
        let text = print::expr(self.unit, &all);
        // It stands before `&&`.
        let is_looser = matches!(all.kind, ExprKind::Binary(BinOp::Or, ..) | ExprKind::Cond(..));
        Some(if is_looser { format!("({text})") } else { text })
    }

    /// What the call site computes.
    fn reads(&self, candidate: &Candidate) -> Vec<Expr> {
        let handed = self.used.scalars.values().map(|by| match &by.origin {
            Origin::Var(v) => self.lvalue(*v),
            Origin::Expr(e) => e.clone(),
        });
        handed.chain(candidate.parts.only_if.iter().cloned()).collect()
    }

    /// The numbers that it hands over to be changed.
    fn writes(&self) -> Vec<Expr> {
        let on_device = self.used.arrays.keys().filter(|v| self.unit.var(**v).ty.is_scalar());
        let all: IndexSet<VarId> = self.region.host_scalars.iter().chain(on_device).copied().collect();
        all.into_iter().map(|v| self.lvalue(v)).collect()
    }

    /// A variable as C has it: some stand for elements of arrays.
    pub(super) fn lvalue(&self, v: VarId) -> Expr {
        self.unit.element(v).cloned().unwrap_or_else(|| self.unit.read(v, Span::default()))
    }

    fn functions(&mut self) -> Result<Vec<k::Function>, NoPlan> {
        let mut out: IndexMap<String, k::Function> = IndexMap::new();
        let mut pending: Vec<String> = self.used.functions.iter().cloned().collect();
        let mut order: IndexSet<String> = IndexSet::new();
        while let Some(name) = pending.pop() {
            order.shift_remove(&name);
            order.insert(name.clone());
            if !out.contains_key(&name) {
                let (f, calls) = function(self.unit, &name, &mut self.names, self.line)?;
                out.insert(name, f);
                pending.extend(calls);
            }
        }
        // Callees first.
        Ok(order.iter().rev().filter_map(|n| out.get(n).cloned()).collect())
    }

    fn array(
        &mut self,
        v: VarId,
        body: &[HostStmt],
        elements: &IndexMap<VarId, Elements>,
        guards: &mut Vec<Guard>,
    ) -> Result<Array, NoPlan> {
        let e = &allocated::confined(self.unit, self.region, v, &elements[&v])??;
        let data = &e.home.part.data[&v];
        let name = self.names.of(self.unit, v);
        let ty = scalar_type(&data.elem).expect("data are of numbers");
        let is_local = self.region.declared.contains(&v);
        let what = format!("the size of `{}`", self.unit.var(v).name);
        let held = self.held(v, e, body)?;
        let ranges = self.at_start(e, &what, v, |a, l| Ok(transfers::ranges(a, v, e, held.as_deref(), l)??))?;
        for c in ranges.natural {
            let mut size = c;
            simplify::index_expr(&mut size);
            let holds = index::binary(BinOp::Ge, size.clone(), k::Expr::Int(0));
            if !self.is_never_negative(&size) && guards.iter().all(|g| g.expr() != Some(&holds)) {
                let line = (self.line)(self.unit.var(v).span);
                guards.push(Guard::holds(holds, format!("a size of `{name}` is negative"), line));
            }
        }
        let below = e.touched.dim(crate::isl::Dim::Out).map_err(Failure::from)? > 0;
        if below {
            self.nonnegative(v, e, guards)?;
        }
        let dead = self.is_dead(v, e)?;
        let simplified = |range: Option<(k::Expr, k::Expr)>| {
            range.map(|(mut x, mut y)| {
                simplify::index_expr(&mut x);
                simplify::index_expr(&mut y);
                (x, y)
            })
        };
        let fetched = data.shape.c_rank == 0 && self.is_read_on_host(v);
        let live_in = match (fetched, is_local) {
            // The host's value is as good until the device has written its own.
            (true, _) => Some((k::Expr::Int(0), k::Expr::Int(1))),
            (false, true) => None,
            (false, false) => simplified(ranges.live_in),
        };
        let is_scratch = dead && ranges.written.is_some();
        let live_out = if dead { None } else { simplified(ranges.written) };
        let on_host = live_in.is_some() || live_out.is_some() || fetched;
        let mut extents = ranges.extents;
        extents.iter_mut().for_each(simplify::index_expr);
        let var = self.unit.var(v);
        let is_on_stack =
            ranges.rows.is_none() && var.storage == Storage::Local && matches!(var.ty, Type::Array { .. });
        let is_live = live_in.is_some() || live_out.is_some();
        let covers = (e.is_unsure && is_live).then_some(Reach::Covers);
        // The host may change unnoticed what a structure holds beside numbers.
        let record = self.unit.records.iter().find(|r| r.var == v);
        let beside =
            record.map_or(Some(vec![]), |r| Some(r.numbers.as_ref()?.iter().filter_map(scalar_type).collect()));
        let reasons = [
            (!on_host || is_scratch, NotKept::OfDevice),
            (data.shape.c_rank == 0, NotKept::Scalar),
            (is_on_stack, NotKept::OnStack),
            (is_small(ty, &extents), NotKept::Little),
            (beside.is_none(), NotKept::Structure),
            (!self.settings.defaults.stays, NotKept::Configured),
        ];
        Ok(Array {
            name,
            ty,
            extents,
            on_host,
            not_kept: reasons.into_iter().find_map(|(holds, reason)| holds.then_some(reason)),
            beside: beside.unwrap_or_default(),
            own: None,
            is_scratch,
            rows: ranges.rows.filter(|_| is_live),
            reach: held.map(Reach::Whole).or(covers),
            live_in,
            live_out,
        })
    }

    /// Where members of several types are written, of one array of structures, each array of numbers takes home its own.
    fn keep_to_their_own(&mut self, arrays: &mut [Array]) {
        let is_written = |a: &&Array| a.on_host && a.live_out.is_some();
        let written: Vec<VarId> = arrays.iter().filter(is_written).filter_map(|a| self.names.var(&a.name)).collect();
        for a in arrays.iter_mut() {
            let Some(v) =
                self.names.var(&a.name).filter(|v| arrays_of_structures::are_written_beside(self.unit, *v, &written))
            else {
                continue;
            };
            a.not_kept = a.not_kept.or(Some(NotKept::Members));
            let record = self.unit.records.iter().find(|r| r.var == v).filter(|_| a.live_out.is_some());
            a.own = record.map(|r| Own { count: r.count, positions: r.own.clone() });
        }
    }

    /// An array of structures is one of their numbers if these lie where they are expected: tested once for a structure.
    fn records(&mut self) -> Vec<Guard> {
        let mut of_structure: IndexMap<StructId, Vec<&Record>> = IndexMap::new();
        for v in self.used.arrays.keys() {
            let record = self.unit.records.iter().find(|r| r.var == *v);
            record.into_iter().for_each(|r| of_structure.entry(r.of).or_default().push(r));
        }
        let guard = |records: Vec<&Record>| {
            let name = self.names.fresh("rt_layout");
            let (ty, origin) =
                (ScalarType::Int(IntKind::Int), Origin::Expr(arrays_of_structures::are_in_place(&records)));
            self.used.scalars.insert(name.clone(), ByValue { ty, origin });
            let array = &self.unit.var(records[0].var).name;
            let reason = format!("the members of the structures in `{array}` lie elsewhere than C puts them");
            let line = (self.line)(self.unit.var(records[0].var).span);
            Guard::holds(index::binary(BinOp::Ne, index::var(name), k::Expr::Int(0)), reason, line)
        };
        of_structure.into_values().map(guard).collect()
    }

    /// How long the rows are that are reached through pointers, as far as the region touches them.
    fn lengths(&mut self, elements: &IndexMap<VarId, Elements>) -> Result<Vec<(String, k::Expr)>, NoPlan> {
        let mut out = vec![];
        for (v, lengths) in self.unit.row_lengths.iter().filter(|(v, _)| elements.contains_key(*v)) {
            for (k, length) in lengths.iter().enumerate() {
                let name = self.names.of(self.unit, *length);
                if !self.used.scalars.contains_key(&name) {
                    continue;
                }
                let e = &allocated::confined(self.unit, self.region, *v, &elements[v])??;
                if !e.is_bounded()? {
                    let var = self.unit.var(*v);
                    let message = format!("how much of the rows of `{}` is used cannot be seen here", var.name);
                    let reason = Reason::new("unknown-extent", message, var.span);
                    return Err(reason.help(hints::wanted(self.unit, *v)).into());
                }
                let what = format!("the length of the rows of `{}`", self.unit.var(*v).name);
                out.push((name, self.at_start(e, &what, *v, |a, l| Ok(rows::length(a, e, k + 1, l)?))?));
            }
        }
        Ok(out)
    }

    /// Test that C's types say it: a test of such a size would draw a warning from the compiler.
    fn is_never_negative(&self, size: &k::Expr) -> bool {
        match size {
            k::Expr::Int(_) => true,
            k::Expr::Cast(ScalarType::Index, inner) => self.is_never_negative(inner),
            k::Expr::Var(name) => {
                let ty = self.used.scalars.get(name).map(|by| by.ty);
                matches!(ty, Some(ScalarType::Int(kind)) if kind.is_unsigned() && kind.bits() < 64)
            }
            _ => false,
        }
    }

    /// Elements before the array's first are outside what was proved.
    fn nonnegative(&mut self, v: VarId, e: &Elements, guards: &mut Vec<Guard>) -> Result<(), NoPlan> {
        let below =
            e.touched.upper_bound(crate::isl::Dim::Out, 0, -1).and_then(|s| s.params()).map_err(Failure::from)?;
        if !e.is_bounded_along(0)? || below.is_empty().map_err(Failure::from)? {
            return Ok(());
        }
        let context = &e.home.scop.context;
        let fine = context.subtract(&below).and_then(|s| s.coalesce()).map_err(Failure::from)?;
        let name = self.unit.var(v).name.clone();
        if fine.is_empty().map_err(Failure::from)? {
            let message = format!("elements before the start of `{name}` are used");
            return Err(Reason::new("before-start", message, self.unit.var(v).span).into());
        }
        let gist = fine.gist(context).map_err(Failure::from)?;
        let what = format!("the first element of `{name}` that is used");
        let holds = self.at_start(e, &what, v, |a, l| Ok(extent::condition(a, &gist, l)?))?;
        if holds != k::Expr::Int(1) {
            let line = (self.line)(self.unit.var(v).span);
            guards.push(Guard::holds(holds, format!("elements before the start of `{name}` are used"), line));
        }
        Ok(())
    }

    /// Test that nobody can see what the region leaves in it.
    fn is_dead(&self, v: VarId, e: &Elements) -> Result<bool, NoPlan> {
        let var = self.unit.var(v);
        let reachable =
            arrays::is_behind_pointer(&var.ty) || var.storage != Storage::Local || self.region.wanted.contains(&v);
        if self.region.declared.contains(&v) {
            return Ok(true);
        }
        if self.region.printed().contains(&v) {
            return Ok(false);
        }
        if self.region.scratch.contains(&v) {
            return Ok(true);
        }
        let parameter_by_value = var.storage == Storage::Param && !var.ty.is_pointer_like();
        let reachable = if parameter_by_value { self.region.wanted.contains(&v) } else { reachable };
        Ok(!reachable && e.live_in.is_empty().map_err(Failure::from)?)
    }

    fn is_read_on_host(&self, v: VarId) -> bool {
        self.region.read_on_host().contains(&v)
    }

    /// What is handed over by its address must have one.
    fn refuse_registers(&self, params: &[Param]) -> Result<(), Reason> {
        for p in params {
            let (Param::ScalarInOut { name, .. } | Param::Array { name, .. }) = p else { continue };
            if let Some(var) = self.names.var(name).map(|v| self.unit.var(v)).filter(|var| var.is_register) {
                let message = format!("`{}` is declared `register`, so that its address cannot be taken", var.name);
                return Err(Reason::new("register", message, var.span).help(remedy!("drop the word `register`")));
            }
        }
        Ok(())
    }

    fn params(&mut self, candidate: &Candidate, arrays: &[Array]) -> Vec<Param> {
        let mut out = vec![];
        let region = self.region;
        let written = region.statics().into_iter().flat_map(|s| &s.part.loops).map(|l| l.var);
        let counters: BTreeSet<VarId> = written.chain(self.unit.counters.iter().copied()).collect();
        for (name, by) in self.used.scalars.clone() {
            let (ty, c_expr, (written, denied)) = match &by.origin {
                Origin::Var(v) => {
                    let theirs = region.declared.contains(v) || region.host_scalars.contains(v);
                    let is_length = self.unit.row_lengths.values().flatten().any(|l| l == v);
                    // What no kernel has, as what would write it never runs, keeps its value.
                    let is_on_device = region.device_scalars.contains(v) && self.used.arrays.contains_key(v);
                    if theirs || is_length || is_on_device || counters.contains(v) {
                        continue;
                    }
                    let var = self.unit.var(*v);
                    let begin = self.unit.begin(*v);
                    let c_expr = begin.map_or_else(|| var.name.clone(), |begin| print::expr(self.unit, &begin.first));
                    (scalar_type(&var.ty).expect("a number"), c_expr.clone(), (c_expr, None))
                }
                Origin::Expr(e) if self.changes(e) => continue,
                Origin::Expr(e) => {
                    (scalar_type(&e.ty).expect("a number"), print::expr(self.unit, e), written::texts(self.unit, e))
                }
            };
            out.push(Param::Scalar { name, ty, c_expr, written, denied });
        }
        let mut shared: Vec<VarId> = region
            .host_scalars
            .iter()
            .copied()
            .filter(|v| !region.declared.contains(v))
            .filter(|v| !counters.contains(v) || region.wanted.contains(v))
            .filter(|v| region.statics().iter().all(|s| !s.part.data.contains_key(v)))
            .collect();
        shared.sort();
        for v in shared {
            let (name, c_expr) = (self.names.of(self.unit, v), self.unit.var(v).name.clone());
            let ty = scalar_type(&self.unit.var(v).ty).expect("a number");
            let handed = handed::by_address(self.unit, candidate, v, !liveness::are_setting(&candidate.stmts, v));
            let is_wanted = region.wanted.contains(&v);
            out.push(Param::ScalarInOut { name, ty, c_expr, handed, is_wanted });
        }
        for v in self.used.arrays.keys().copied().collect::<Vec<_>>() {
            let name = self.names.of(self.unit, v);
            let Some(a) = arrays.iter().find(|a| a.name == name) else { continue };
            if !a.on_host || region.declared.contains(&v) {
                continue;
            }
            let c_expr = self.unit.var(v).name.clone();
            out.push(if a.extents.is_empty() {
                let handed = handed::by_address(self.unit, candidate, v, a.live_in.is_some());
                let is_wanted = region.wanted.contains(&v);
                Param::ScalarInOut { name, ty: a.ty, c_expr, handed, is_wanted }
            } else {
                // Of a table of pointers nothing is written but where they change places.
                let is_const = match &a.rows {
                    Some(rows) => rows.exchanged.is_none(),
                    None => a.live_out.is_none(),
                };
                Param::Array { name, c_expr, is_const }
            });
        }
        out
    }
}

/// Test that an array is known to have few bytes.
fn is_small(ty: ScalarType, extents: &[k::Expr]) -> bool {
    let extent = |e: &k::Expr| match e {
        k::Expr::Int(n) => Some(*n),
        _ => None,
    };
    let elements = extents.iter().map(extent).try_fold(1i64, |product, n| product.checked_mul(n?));
    elements.is_some_and(|n| n.saturating_mul(ty.size(64)) <= SMALL)
}
