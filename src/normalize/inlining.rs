//! Inlining of functions of the file, and those that it takes over from others, opened where a loop or a marked region calls
//! them.
//!
//! ```text
//! for (t...) step(n, u, un);     ->     for (t...) for (i...) un[i] = 0.5 * (u[i - 1] + u[i + 1]);
//! a[at(i, j, n)]                 ->     a[i * n + j]
//! ```
//! So a time loop and what it calls are one region, and the data stay on the device all the while. A parameter's name
//! goes where its argument is the same all through the body; else the argument is computed first, into a variable that
//! the copy has for itself. A function of numbers alone stays a call: the device calls it too.

use super::form::{Context, Form};
use super::refusal::Refusal;
use super::substitution::{self, Values};
use super::{
    assigning_conditions, choices, extreme_helpers, index_helpers, nested_assignments, place_canonicalization,
    scalar_replacement, single_return,
};
use crate::ast::build::ast_builder::{assigned, plain};
use crate::ast::visit::Piece;
use crate::ast::{BinOp, Declarator, Expr, ExprKind, Function, Stmt, StmtKind, Storage, Type, UnOp, Unit, Var, VarId};
use crate::facts::arrays::element_type;
use crate::facts::changes::Changes;
use crate::facts::loops::has_loop;
use crate::facts::{arrays, callable, effects, pointer_calls};
use crate::source::Span;
use crate::source::directive::DirectiveKind;
use indexmap::IndexSet;
use std::collections::{BTreeMap, BTreeSet};

/// The most statements that one statement may become, and the most nodes of values in the place of calls.
const MAX_STMTS: usize = 2000;
const MAX_NODES: usize = 5000;

/// How deep opened calls may lie in each other.
const MAX_DEPTH: usize = 12;

/// Opens the calls in the loops of a form: all of them, if it is marked as one of a region.
pub fn open(form: &mut Form<'_>, context: &mut Context<'_>) {
    let mut inliner = Inliner::new(context.unit);
    form.stmt = inliner.stmt(&form.stmt, context.marked.contains(&form.written.span));
    (form.refused, form.opened) = (inliner.refused, inliner.opened);
}

/// Opens calls.
struct Inliner<'u> {
    unit: &'u mut Unit,
    n_stmts: usize,
    n_nodes: usize,
    depth: usize,
    /// What the statement sets.
    set: BTreeSet<VarId>,
    /// Calls that stay, by their place, and why.
    refused: BTreeMap<Span, Refusal>,
    /// Functions whose body stands in the statement, in the order of their calls.
    opened: IndexSet<String>,
}

impl<'u> Inliner<'u> {
    /// Nothing is opened yet.
    fn new(unit: &'u mut Unit) -> Self {
        let (set, refused, opened) = (BTreeSet::new(), BTreeMap::new(), IndexSet::new());
        Inliner { unit, n_stmts: 0, n_nodes: 0, depth: 0, set, refused, opened }
    }

    /// The statement with the calls in its loops opened (with all of them, if it is marked as one of a region), and
    /// pointers that stand for places.
    fn stmt(&mut self, s: &Stmt, is_marked: bool) -> Stmt {
        (self.n_stmts, self.n_nodes) = (0, 0);
        self.set = Changes::of([s]).assigned;
        Stmt { span: s.span, ..self.open(s.clone(), is_marked) }
    }

    fn open(&mut self, mut s: Stmt, in_loop: bool) -> Stmt {
        self.n_stmts += 1;
        let mut before = vec![];
        let is_alone = |s: &Stmt| !in_loop && s.calls().is_empty() && !s.stmts().into_iter().any(has_loop);
        assigning_conditions::open_loop(self.unit, &mut s, &is_alone);
        if in_loop {
            assigning_conditions::open_branch(self.unit, &mut s);
        }
        match &mut s.kind {
            StmtKind::Block(body) => {
                // First, so that what is given to a call is named by what the pointers stand for.
                substitution::open_pointers(self.unit, body);
                let each = std::mem::take(body).into_iter();
                let mut open: Vec<Stmt> = each.flat_map(|s| self.open_in_block(s, in_loop)).collect();
                substitution::open_pointers(self.unit, &mut open);
                *body = open;
            }
            StmtKind::Expr(e) => {
                extreme_helpers::open(self.unit, e);
                self.value(e);
                if in_loop && let Some(choice) = choices::of_statement(e, &|e| self.holds_call(e)) {
                    return self.open(choice, true);
                }
                if in_loop && let Some(block) = self.assigned_call(e, &mut before) {
                    if before.is_empty() {
                        return block;
                    }
                    before.push(block);
                    return Stmt { kind: StmtKind::Block(before), ..s.clone() };
                }
                if in_loop {
                    self.hoist(e, &mut before);
                    nested_assignments::take_out_within(self.unit, e, &mut before);
                }
            }
            StmtKind::Decl(ds) => {
                ds.iter_mut().filter_map(|d| d.init.as_mut()).for_each(|e| self.value(e));
                let has_effect = |d: &Declarator| {
                    d.init.as_ref().is_some_and(|e| self.holds_call(e) || nested_assignments::assigns(e))
                };
                if in_loop && ds.iter().any(has_effect) {
                    return Stmt { kind: StmtKind::Block(self.declarations(ds, s.span)), ..s.clone() };
                }
            }
            StmtKind::If { cond, then, other } => {
                self.value(cond);
                if in_loop {
                    self.hoist(cond, &mut before);
                    nested_assignments::take_out(self.unit, cond, &mut before);
                }
                self.open_at(then, in_loop);
                other.iter_mut().for_each(|s| self.open_at(s, in_loop));
            }
            StmtKind::For { init, cond, step, body } => {
                init.iter_mut().for_each(|s| self.open_at(s, false));
                cond.iter_mut().chain(step).for_each(|e| self.value(e));
                self.open_at(body, true);
            }
            StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => {
                self.value(cond);
                self.open_at(body, true);
            }
            StmtKind::Return(Some(e)) => self.value(e),
            _ => {}
        }
        if before.is_empty() {
            return s;
        }
        let (span, directives) = (s.span, std::mem::take(&mut s.directives));
        before.push(s);
        Stmt { kind: StmtKind::Block(before), span, directives }
    }

    /// The same of a statement in its place.
    fn open_at(&mut self, s: &mut Stmt, in_loop: bool) {
        let empty = plain(StmtKind::Empty, s.span);
        *s = self.open(std::mem::replace(s, empty), in_loop);
    }

    /// The same of a statement in a block: what declarations become stands in that block, too.
    fn open_in_block(&mut self, s: Stmt, in_loop: bool) -> Vec<Stmt> {
        let is_declaration = matches!(s.kind, StmtKind::Decl(_));
        let opened = self.open(s, in_loop);
        match (is_declaration, opened.kind) {
            (true, StmtKind::Block(list)) => list,
            (_, kind) => vec![Stmt { kind, ..opened }],
        }
    }

    /// Opens the functions that are one expression: index helpers, and what the device could not call.
    fn value(&mut self, e: &mut Expr) {
        e.rewrite(&mut |e| {
            pointer_calls::see_through(e);
            let ExprKind::Call { name, args } = &e.kind else { return };
            let Some(mut value) = self.one_value(name, args, e.span) else { return };
            self.n_nodes += value.n_nodes();
            self.value(&mut value);
            *e = value;
        });
    }

    fn one_value(&mut self, name: &str, args: &[Expr], span: Span) -> Option<Expr> {
        let f = self.unit.function(name)?;
        let StmtKind::Block(body) = &f.body.kind else { return None };
        let (result, is_index) = match body.as_slice() {
            [Stmt { kind: StmtKind::Return(Some(result)), .. }] => (result, index_helpers::is_one(f, result)),
            _ => (&index_helpers::value_of(self.unit, f)?, true),
        };
        let is_needed = is_index || callable::check_call(self.unit, name, span).is_err();
        if self.n_nodes > MAX_NODES
            || !is_needed
            || !callable::has_no_effect(result)
            || args.len() != f.params.len()
            || is_recursive(self.unit, f)
        {
            return None;
        }
        let mut bound = Values::new();
        for (p, arg) in f.params.iter().zip(args) {
            let is_once = callable::is_free(arg) && scalar_replacement::listed(arg).is_none();
            bound.insert(*p, bind(self.unit, *p, arg).ok()?.filter(|_| is_once)?);
        }
        let mut value = result.clone();
        substitution::put(&mut value, &bound);
        let is_same = value.ty == f.ret;
        Some(if is_same { value } else { Expr { ty: f.ret.clone(), span, kind: ExprKind::Cast(Box::new(value)) } })
    }

    /// `x = f(...)`, `f(...)`: the body, with its result assigned at its end. Calls whose results it is given go before it.
    fn assigned_call(&mut self, e: &mut Expr, before: &mut Vec<Stmt>) -> Option<Stmt> {
        let span = e.span;
        match &mut e.kind {
            ExprKind::Call { name, args } if self.opens(name) => {
                args.iter_mut().for_each(|arg| self.hoist(arg, before));
                self.call(name, args, span, None)
            }
            ExprKind::Assign { op: None, target, value } => match (&target.kind, &mut value.kind) {
                (ExprKind::Var(v), ExprKind::Call { name, args }) if target.ty == value.ty && self.opens(name) => {
                    args.iter_mut().for_each(|arg| self.hoist(arg, before));
                    self.call(name, args, value.span, Some(*v))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Declarations one by one, each behind the calls of its value.
    fn declarations(&mut self, ds: &[Declarator], span: Span) -> Vec<Stmt> {
        let mut out = vec![];
        for d in ds {
            let mut d = d.clone();
            let mut before = vec![];
            let ty = &self.unit.var(d.var).ty;
            let is_same = d.init.as_ref().is_some_and(|e| e.ty == *ty);
            if let Some(Expr { kind: ExprKind::Call { name, args }, span: at, .. }) = &mut d.init
                && is_same
                && self.opens(name)
            {
                args.iter_mut().for_each(|arg| self.hoist(arg, &mut before));
                if let Some(block) = self.call(name, args, *at, Some(d.var)) {
                    out.append(&mut before);
                    d.init = None;
                    out.push(plain(StmtKind::Decl(vec![d]), span));
                    out.push(block);
                    continue;
                }
            }
            for e in d.init.iter_mut() {
                self.hoist(e, &mut before);
                nested_assignments::take_out(self.unit, e, &mut before);
            }
            out.extend(before);
            out.push(plain(StmtKind::Decl(vec![d]), span));
        }
        out
    }

    /// Calls that are surely made go before the statement, their results into variables.
    fn hoist(&mut self, e: &mut Expr, before: &mut Vec<Stmt>) {
        match &mut e.kind {
            ExprKind::Cond(c, a, b) => {
                let is_value = e.ty.is_scalar() || matches!(e.ty, Type::Struct(_));
                let is_choice = is_value && (self.holds_call(a) || self.holds_call(b));
                self.hoist(c, before);
                if is_choice {
                    let v = self.variable("chosen".into(), e.ty.clone(), e.span);
                    let target = self.unit.read(v, e.span);
                    let choice = choices::split(e, &|value| assigned(None, &target, value, e.span));
                    before.push(plain(StmtKind::Decl(vec![Declarator { var: v, init: None }]), e.span));
                    before.push(self.open(choice, true));
                    *e = target;
                }
                return;
            }
            ExprKind::Binary(BinOp::And | BinOp::Or, a, _) => return self.hoist(a, before),
            ExprKind::SizeOfExpr(_) => return,
            _ => e.children_mut().into_iter().for_each(|e| self.hoist(e, before)),
        }
        let ExprKind::Call { name, args } = &e.kind else { return };
        if !e.ty.is_scalar() && !matches!(e.ty, Type::Struct(_)) || !self.opens(name) {
            return;
        }
        let span = e.span;
        let result = self.variable(format!("{name}_value"), e.ty.clone(), span);
        let Some(block) = self.call(name, args, span, Some(result)) else { return };
        before.push(plain(StmtKind::Decl(vec![Declarator { var: result, init: None }]), span));
        before.push(block);
        e.kind = ExprKind::Var(result);
    }

    fn holds_call(&self, e: &Expr) -> bool {
        let mut holds = false;
        e.walk(&mut |e| holds |= matches!(&e.kind, ExprKind::Call { name, .. } if self.opens(name)));
        holds
    }

    /// Test that a function is one of the file's that the device cannot call.
    fn opens(&self, name: &str) -> bool {
        self.unit.function(name).is_some() && callable::check_call(self.unit, name, Span::default()).is_err()
    }

    fn variable(&mut self, name: String, ty: Type, span: Span) -> VarId {
        self.unit.add(Var::new(name, ty, Storage::Local, span))
    }

    /// The body of a function in the place of its call; what it returns goes into `result`.
    fn call(&mut self, name: &str, args: &[Expr], span: Span, result: Option<VarId>) -> Option<Stmt> {
        let f = self.unit.function(name)?.clone();
        match self.body(&f, args, span, result) {
            Ok(body) => {
                self.opened.insert(f.name);
                Some(plain(StmtKind::Block(body), span))
            }
            Err(why) => {
                self.refused.insert(span, why);
                None
            }
        }
    }

    fn body(&mut self, f: &Function, args: &[Expr], span: Span, result: Option<VarId>) -> Result<Vec<Stmt>, Refusal> {
        if is_recursive(self.unit, f) {
            return Err(Refusal::Recursive);
        }
        if self.n_stmts > MAX_STMTS || self.depth == MAX_DEPTH {
            return Err(Refusal::TooMuchCode);
        }
        let single = single_return::at_end(self.unit, f);
        let f = single.as_ref().unwrap_or(f);
        fits(self.unit, f)?;
        if args.len() != f.params.len() {
            return Err(Refusal::ArgumentCount);
        }
        let StmtKind::Block(body) = &f.body.kind else { return Err(Refusal::NotModelled) };
        let mut body = body.clone();
        let returned = match body.pop_if(|s| matches!(s.kind, StmtKind::Return(_))) {
            Some(Stmt { kind: StmtKind::Return(Some(e)), .. }) => Some(e),
            _ if result.is_some() => return Err(Refusal::NoValue),
            _ => None,
        };
        if result.is_none() && !returned.as_ref().is_none_or(callable::is_free) {
            return Err(Refusal::UnusedEffect);
        }
        if let (Some(e), Some(v)) = (returned, result) {
            let target = self.unit.read(v, e.span);
            let (ty, at) = (target.ty.clone(), e.span);
            let kind = ExprKind::Assign { op: None, target: Box::new(target), value: Box::new(e) };
            body.push(plain(StmtKind::Expr(Expr { kind, ty, span: at }), at));
        }
        let mut values = Values::new();
        let mut stmts = self.arguments(f, args, &mut values, span)?;
        own_copy(self.unit, &mut body, &mut values);
        substitution::open_pointers(self.unit, &mut body);
        self.set.extend(Changes::of(&body).assigned);
        self.depth += 1;
        stmts.extend(body.into_iter().flat_map(|s| self.open_in_block(s, true)));
        self.depth -= 1;
        substitution::open_pointers(self.unit, &mut stmts);
        Ok(stmts)
    }

    /// Binds the parameters: gives the declarations of those that keep a variable.
    fn arguments(
        &mut self,
        f: &Function,
        args: &[Expr],
        values: &mut Values,
        span: Span,
    ) -> Result<Vec<Stmt>, Refusal> {
        let mut changes = Changes::with_calls(self.unit, [&f.body]).with_pointers_apart();
        f.params.iter().zip(args).for_each(|(p, arg)| changes.behind(*p, arg));
        let mut declared = vec![];
        for (p, arg) in f.params.iter().zip(args) {
            let name = self.unit.var(*p).name.clone();
            let value = bind(self.unit, *p, arg)?.ok_or_else(|| Refusal::NoPlaceGiven(name.clone()))?;
            let is_structure = matches!(value.ty, Type::Struct(_));
            // One of numbers is copied, member by member; another gives way to the user's, where the body only reads.
            let is_copied = is_structure
                && (scalar_replacement::is_of_numbers(self.unit, &value.ty)
                    || !changes.stores_nothing()
                    || !is_read_by_members(self.unit, f, *p, &mut vec![]));
            let is_same = changes.keep(self.unit, &value)
                && (changes.stores_nothing() || !self.is_read_where_another_leads(&value));
            let is_kept = !is_copied && !changes.assigned.contains(p) && is_same;
            if is_kept {
                values.insert(*p, value);
                continue;
            }
            let ty = self.unit.var(*p).ty.clone();
            if !ty.is_scalar() && !is_structure {
                return Err(Refusal::ParameterChanges(name));
            }
            let v = self.variable(name, ty.clone(), self.unit.var(*p).span);
            values.insert(*p, Expr { kind: ExprKind::Var(v), ty, span });
            // `(T){ ... }` is the list that C has for it in a declaration.
            let value = match value.kind {
                ExprKind::Cast(list) if is_structure => *list,
                _ => value,
            };
            declared.push(plain(StmtKind::Decl(vec![Declarator { var: v, init: Some(value) }]), span));
        }
        Ok(declared)
    }

    /// Test that a value is read behind a pointer that the statement sets: to where another name leads, too. (Of the names
    /// that lead into a region from outside, its entry sees whether they lead to places apart.)
    fn is_read_where_another_leads(&self, e: &Expr) -> bool {
        let mut found = false;
        e.walk(&mut |e| {
            let is_read = matches!(
                e.kind,
                ExprKind::Index(..) | ExprKind::Unary(UnOp::Deref, _) | ExprKind::Member { arrow: true, .. }
            );
            let is_pointer = |v: &VarId| matches!(self.unit.var(*v).ty, Type::Pointer { .. });
            found |= is_read
                && !matches!(e.ty, Type::Array { .. })
                && e.root().filter(is_pointer).is_some_and(|v| self.set.contains(&v));
        });
        found
    }
}

/// Test that all that a function does with a structure that it is given is to read its members, or to hand it on to functions
/// that do no more. `callers`: those that are looked at already.
fn is_read_by_members<'a>(unit: &'a Unit, f: &'a Function, p: VarId, callers: &mut Vec<&'a str>) -> bool {
    let (mut n_read, mut has_address) = (0, false);
    callers.push(&f.name);
    f.body.walk(&mut |piece| match piece {
        Piece::Expr(Expr { kind: ExprKind::Member { base, arrow: false, .. }, .. }) => {
            n_read += usize::from(base.is_var(p));
        }
        Piece::Expr(Expr { kind: ExprKind::Call { name, args }, .. }) => {
            let callee = unit.function(name).filter(|f| !callers.contains(&f.name.as_str()));
            let params = callee.into_iter().flat_map(|f| f.params.iter().map(move |p| (f, *p)));
            let own = params.zip(args).filter(|(_, arg)| arg.is_var(p));
            n_read += own.filter(|((f, p), _)| is_read_by_members(unit, f, *p, callers)).count();
        }
        Piece::Expr(Expr { kind: ExprKind::Unary(UnOp::AddrOf, x), .. }) => has_address |= x.mentions(p),
        _ => {}
    });
    callers.pop();
    !has_address && n_read == effects::places([&f.body], p).len()
}

/// Gives a copy of a body variables of its own, and values in the place of others.
pub fn own_copy(unit: &mut Unit, body: &mut [Stmt], values: &mut Values) {
    let mut declared: Vec<VarId> = effects::declared(body.iter()).into_iter().collect();
    declared.sort();
    let mut renamed = BTreeMap::new();
    for v in declared {
        let new = unit.add(unit.var(v).clone());
        renamed.insert(v, new);
        values.insert(v, unit.read(new, unit.var(new).span));
    }
    for v in renamed.values() {
        substitution::put_in_type(&mut unit.vars[v.0 as usize].ty, values);
    }
    body.iter_mut().for_each(|s| {
        substitution::put_in(s, values);
        rename_declared(s, &renamed);
    });
}

/// Gives the declarations in a statement other variables.
fn rename_declared(s: &mut Stmt, renamed: &BTreeMap<VarId, VarId>) {
    if let StmtKind::Decl(ds) = &mut s.kind {
        ds.iter_mut().for_each(|d| d.var = renamed.get(&d.var).copied().unwrap_or(d.var));
    }
    s.stmts_mut().into_iter().for_each(|s| rename_declared(s, renamed));
}

/// What an argument is to its parameter; `None` where that is no place that the body could use instead.
fn bind(unit: &Unit, p: VarId, arg: &Expr) -> Result<Option<Expr>, Refusal> {
    let var = unit.var(p);
    let mut arg = arg.clone();
    place_canonicalization::tidy(&mut arg);
    if var.is_volatile {
        return Err(Refusal::VolatileParameter(var.name.clone()));
    }
    if var.ty.is_scalar() {
        if !arg.ty.is_scalar() {
            return Err(Refusal::NoNumberGiven(var.name.clone()));
        }
        let is_same = arg.ty == var.ty;
        let span = arg.span;
        return Ok(Some(if is_same {
            arg
        } else {
            Expr { kind: ExprKind::Cast(Box::new(arg)), ty: var.ty.clone(), span }
        }));
    }
    if var.ty.signature().is_some() {
        return Ok((substitution::is_place_of(&arg, &var.ty)).then_some(arg));
    }
    if matches!(var.ty, Type::Struct(_)) {
        return Ok((arg.ty == var.ty && scalar_replacement::is_value(&arg)).then_some(arg));
    }
    let arg = place_canonicalization::as_row(arg, &var.ty);
    let same_shape = match (&arg.kind, arrays::rank(&var.ty)) {
        // The cast says what the shape is from here on.
        (ExprKind::Cast(_), Some(_)) => arrays::same_layout(&arg.ty, &var.ty),
        _ => arrays::same_layout(&arg.ty, &var.ty) && rows_agree(&arg.ty, &var.ty),
    };
    let fits = substitution::is_place(&arg) && same_shape && element_type(&arg.ty) == element_type(&var.ty);
    Ok(fits.then_some(arg))
}

/// Test that the rows of two arrays may be of the same length: known lengths are the same.
fn rows_agree(a: &Type, b: &Type) -> bool {
    fn row(ty: &Type) -> Option<&Type> {
        match ty {
            Type::Array { of, .. } => Some(of),
            Type::Pointer { to, .. } => Some(to),
            _ => None,
        }
    }
    match (row(a), row(b)) {
        (Some(Type::Array { len: x, .. }), Some(Type::Array { len: y, .. })) => {
            let known = |len: &Option<Box<Expr>>| len.as_deref().and_then(constant);
            let differ = matches!((known(x), known(y)), (Some(x), Some(y)) if x != y);
            !differ && rows_agree(row(a).expect("a row"), row(b).expect("a row"))
        }
        _ => true,
    }
}

fn constant(e: &Expr) -> Option<i64> {
    match e.kind {
        ExprKind::Int(c) => Some(c),
        _ => None,
    }
}

/// Test that a function may come to call itself.
fn is_recursive(unit: &Unit, f: &Function) -> bool {
    let (mut pending, mut known) = (vec![f], vec![]);
    while let Some(caller) = pending.pop() {
        caller.body.walk(&mut |piece| {
            let Piece::Expr(Expr { kind: ExprKind::Call { name, .. }, .. }) = piece else { return };
            if let Some(callee) = unit.function(name)
                && !known.contains(&name)
            {
                known.push(name);
                pending.push(callee);
            }
        });
    }
    known.contains(&&f.name)
}

/// Test that a body can stand in the place of a call.
fn fits(unit: &Unit, f: &Function) -> Result<(), Refusal> {
    let StmtKind::Block(body) = &f.body.kind else { return Err(Refusal::NotModelled) };
    let changes = Changes::of(body);
    if f.directives.iter().any(|d| d.kind == DirectiveKind::Host) {
        return Err(Refusal::KeptOnHost);
    }
    let mut why = None;
    f.body.walk(&mut |piece| {
        let found = match piece {
            Piece::Stmt(Stmt { kind: StmtKind::Return(_), span, .. }) => {
                let last = body.last().is_some_and(|s| s.span == *span);
                (!last).then_some(Refusal::ReturnsEarly)
            }
            Piece::Stmt(Stmt { kind: StmtKind::Decl(ds), .. }) => ds.iter().find_map(|d| {
                let var = unit.var(d.var);
                if var.storage != Storage::Local {
                    return Some(Refusal::KeepsState(var.name.clone()));
                }
                let mut resized = false;
                effects::lengths(&var.ty, &mut |e| resized |= !changes.keep(unit, e));
                resized.then(|| Refusal::ResizedArray(var.name.clone()))
            }),
            Piece::Stmt(Stmt { kind: StmtKind::Unmodelled(what), .. }) => Some(Refusal::Holds(what.clone())),
            Piece::Stmt(_) => None,
            Piece::Expr(Expr { kind: ExprKind::Var(v), .. }) => {
                let is_static = unit.var(*v).storage == Storage::StaticLocal;
                is_static.then(|| Refusal::KeepsState(unit.var(*v).name.clone()))
            }
            Piece::Expr(_) => None,
        };
        why = why.take().or(found);
    });
    why.map_or(Ok(()), Err)
}
