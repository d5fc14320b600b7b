//! Complex numbers as pairs of reals, in every function of a unit.
//!
//! ```text
//! double complex z = x + y * I;       double __real__ z = x + y * 0.0, __imag__ z = y * 1.0;
//! a[i] = z * conj(w);            ->   a[i].re = rt_mul_re(..); a[i].im = rt_mul_im(..);
//! while (cabs(z) < 2) ..              while (hypot(__real__ z, __imag__ z) < 2) ..
//! z = f(w);                           f(__real__ w, __imag__ w, &rt_re, &rt_im); __real__ z = rt_re; ..
//! ```
//! A variable becomes two, whose names are what GNU C calls its parts, so that a call of a region can name them. What is in
//! memory stays there, and is named by its members ([`crate::ast::complex`]). A function that gives a complex number back
//! hands it over behind two pointers. Loops keep their places: what a value needs beforehand is computed before statements
//! without loops alone, and elsewhere an expression that needs it is unmodelled.
//!
//! Operators are what GCC makes of them without `-ffast-math` and `-fcx-limited-range`. A real operand has no imaginary part:
//! `x * z` is two products (C17 annex G.5.1). A product or quotient of two complex numbers that comes out as no number in both
//! parts is infinite where an operand was (`rt_complex.h`).

mod pairs;
mod values;

use super::ast_builder;
use crate::ast::complex::{RESULTS, part_in_c};
use crate::ast::visit::Piece;
use crate::ast::{
    BinOp, Declarator, Expr, ExprKind, FloatKind, Function, Stmt, StmtKind, Storage, Type, UnOp, Unit, Var, VarId,
};
use crate::source::Span;
use pairs::{Before, Pair, Pairs, Signature, has_complex, is_plain};
use std::collections::{BTreeMap, BTreeSet};

/// Takes the complex numbers of all functions apart.
pub(super) fn lower(unit: &mut Unit) {
    let has_complex = |ty: &Type| element(ty).is_complex();
    let is_used = unit.vars.iter().any(|v| has_complex(&v.ty)) || unit.functions.iter().any(|f| mentions(&f.body));
    if !is_used && !unit.functions.iter().any(|f| has_complex(&f.ret)) {
        return;
    }
    let signature = |f: &Function| Signature {
        params: f.params.iter().map(|p| unit.var(*p).ty.clone()).collect(),
        ret: f.ret.clone(),
    };
    let signatures = unit.functions.iter().map(|f| (f.name.clone(), signature(f))).collect();
    let kept = named_as_wholes(unit);
    let mut functions = std::mem::take(&mut unit.functions);
    let (before, results, obscure) = (None, None, BTreeSet::new());
    let mut pairs = Pairs { unit, signatures, parts: BTreeMap::new(), before, results, obscure };
    pairs.split_variables(&kept);
    functions.iter_mut().for_each(|f| pairs.function(f));
    let parts = pairs.parts;
    let of = |v: &VarId| parts.get(v).map_or_else(|| vec![*v], |(re, im)| vec![*re, *im]);
    unit.functions = functions;
    unit.globals = unit.globals.iter().flat_map(of).collect();
    unit.copies.iter_mut().for_each(|copies| copies.vars = copies.vars.iter().flat_map(of).collect());
    for assertion in &mut unit.assertions {
        let apart = std::mem::take(&mut assertion.apart);
        assertion.apart = apart.iter().flat_map(|(v, line)| of(v).into_iter().map(|v| (v, line.clone()))).collect();
    }
}

fn element(ty: &Type) -> &Type {
    match ty {
        Type::Array { of, .. } => element(of),
        Type::Pointer { to, .. } => element(to),
        other => other,
    }
}

fn mentions(s: &Stmt) -> bool {
    let mut found = false;
    s.walk(&mut |piece| found |= matches!(piece, Piece::Expr(e) if e.ty.is_complex()));
    found
}

/// Complex variables whose address is taken, or that are named in C that is not modelled: they stay whole.
fn named_as_wholes(unit: &Unit) -> BTreeSet<VarId> {
    let mut out = BTreeSet::new();
    for f in &unit.functions {
        out.extend(&f.obscure);
        f.body.walk(&mut |piece| {
            if let Piece::Expr(Expr { kind: ExprKind::Unary(UnOp::AddrOf, x), .. }) = piece {
                out.extend(x.root());
            }
        });
    }
    out
}

impl Pairs<'_> {
    /// Gives each complex variable, but those that stay whole, a variable for each part.
    fn split_variables(&mut self, kept: &BTreeSet<VarId>) {
        for at in 0..self.unit.vars.len() as u32 {
            let var = self.unit.var(VarId(at)).clone();
            if let Some(kind) = var.ty.complex_of().filter(|_| !kept.contains(&VarId(at))) {
                let part = |field| Var {
                    name: format!("{} {}", part_in_c(field), var.name),
                    ty: Type::Float(kind),
                    ..var.clone()
                };
                let parts = (self.unit.add(part("re")), self.unit.add(part("im")));
                self.parts.insert(VarId(at), parts);
            }
        }
    }

    fn function(&mut self, f: &mut Function) {
        let of = |v: &VarId| self.parts.get(v).map_or_else(|| vec![*v], |(re, im)| vec![*re, *im]);
        f.params = f.params.iter().flat_map(of).collect();
        self.results = f.ret.complex_of().map(|kind| {
            let mut result = |name: &str| {
                let to = Box::new(Type::Float(kind));
                let ty = Type::Pointer { to, is_const: false, restrict: false };
                let v = self.unit.add(Var::new(name, ty, Storage::Param, f.span));
                f.params.push(v);
                v
            };
            let [re, im] = RESULTS.map(&mut result);
            (re, im)
        });
        if self.results.is_some() {
            f.ret = Type::Void;
        }
        self.stmt(&mut f.body);
        f.obscure.append(&mut self.obscure);
        let parts = f.obscure.iter().filter_map(|v| self.parts.get(v)).flat_map(|(re, im)| [*re, *im]);
        f.obscure.extend(parts.collect::<Vec<_>>());
    }

    fn stmt(&mut self, s: &mut Stmt) {
        let is_complex = mentions(s) || matches!(&s.kind, StmtKind::Decl(ds) if ds.iter().any(|d| self.is_split(d)));
        match &mut s.kind {
            StmtKind::Block(list) => {
                let old = std::mem::take(list);
                *list = old.into_iter().flat_map(|s| self.listed(s)).collect();
            }
            StmtKind::For { .. } => self.for_loop(s),
            StmtKind::If { .. } | StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::Switch { .. } => {
                s.stmts_mut().into_iter().for_each(|s| self.stmt(s));
                match &mut s.kind {
                    StmtKind::If { cond, .. } | StmtKind::While { cond, .. } | StmtKind::DoWhile { cond, .. } => {
                        *cond = self.condition(cond);
                    }
                    StmtKind::Switch { value, .. } => *value = self.value(value),
                    _ => {}
                }
            }
            StmtKind::Return(Some(e)) => {
                let e = e.clone();
                self.returned(s, &e);
            }
            _ if is_complex => {
                let span = s.span;
                let list = self.listed(s.clone());
                *s = Stmt { kind: StmtKind::Block(list), span, directives: vec![] };
            }
            _ => {}
        }
    }

    fn is_split(&self, d: &Declarator) -> bool {
        self.parts.contains_key(&d.var)
    }

    /// A statement of a block, as those that stand there in its place.
    fn listed(&mut self, mut s: Stmt) -> Vec<Stmt> {
        match &s.kind {
            StmtKind::Decl(ds) if mentions(&s) || ds.iter().any(|d| self.is_split(d)) => {
                let ds = ds.clone();
                let (declared, set) = self.declared(&ds);
                s.kind = StmtKind::Decl(declared);
                let set = (!set.is_empty()).then(|| Stmt {
                    kind: StmtKind::Block(within(set, s.span)),
                    span: s.span,
                    directives: vec![],
                });
                return std::iter::once(s).chain(set).collect();
            }
            StmtKind::Expr(e) if mentions(&s) => {
                let (e, outer) = (e.clone(), self.before.replace(vec![]));
                let mut list = vec![];
                self.effect(&e, &mut list);
                self.before = outer;
                s.kind = match list.len() {
                    1 => list.remove(0).kind,
                    _ => StmtKind::Block(within(list, s.span)),
                };
            }
            StmtKind::Expr(_) | StmtKind::Decl(_) => {}
            _ => self.stmt(&mut s),
        }
        vec![s]
    }

    /// Declarators, and what sets those that a call is needed for.
    fn declared(&mut self, ds: &[Declarator]) -> (Vec<Declarator>, Vec<Stmt>) {
        let (mut out, mut set): (Vec<Declarator>, Vec<Stmt>) = (vec![], vec![]);
        for d in ds {
            let parts = self.parts.get(&d.var).copied();
            let Some(init) = &d.init else {
                let vars = parts.map_or_else(|| vec![d.var], |(re, im)| vec![re, im]);
                out.extend(vars.into_iter().map(|var| Declarator { var, init: None }));
                continue;
            };
            let outer = self.before.replace(vec![]);
            let mut values = match parts {
                Some((re, im)) => {
                    let kind = self.unit.var(d.var).ty.complex_of().unwrap_or(FloatKind::Double);
                    let value = self.pair(init).to(kind);
                    vec![(re, value.re), (im, value.im)]
                }
                None => vec![(d.var, self.value(init))],
            };
            let needs_call = !set.is_empty() || self.before.iter().flatten().any(|b| matches!(b, Before::Call(..)));
            for b in std::mem::replace(&mut self.before, outer).into_iter().flatten() {
                match b {
                    Before::Value(var, value) if !needs_call => out.push(Declarator { var, init: Some(value) }),
                    Before::Value(var, value) => {
                        out.push(Declarator { var, init: None });
                        set.push(self.set(var, value));
                    }
                    Before::Call(call, vars) => {
                        out.extend(vars.map(|var| Declarator { var, init: None }));
                        set.push(statement(call));
                    }
                }
            }
            for (var, value) in values.drain(..) {
                let is_set_later = needs_call && self.unit.var(var).ty.is_scalar();
                if is_set_later {
                    set.push(self.set(var, value.clone()));
                }
                out.push(Declarator { var, init: (!is_set_later).then_some(value) });
            }
        }
        (out, set)
    }

    fn set(&self, var: VarId, value: Expr) -> Stmt {
        set(None, &self.unit.read(var, value.span), value)
    }

    /// A loop: nothing is computed before its head, whose place is the loop's.
    fn for_loop(&mut self, s: &mut Stmt) {
        let StmtKind::For { init, cond, step, body } = &mut s.kind else { return };
        match init.as_deref_mut().map(|init| &mut init.kind) {
            Some(StmtKind::Decl(ds))
                if ds.iter().any(|d| self.is_split(d) || d.init.as_ref().is_some_and(has_complex)) =>
            {
                *ds = self.head_declarators(ds);
            }
            Some(StmtKind::Expr(e)) if has_complex(e) => *e = self.in_head(e),
            _ => {}
        }
        cond.iter_mut().for_each(|e| *e = self.condition(e));
        step.iter_mut().filter(|e| has_complex(e)).for_each(|e| *e = self.in_head(e));
        self.stmt(body);
    }

    fn head_declarators(&mut self, ds: &[Declarator]) -> Vec<Declarator> {
        let mut out = vec![];
        for d in ds {
            let Some((re, im)) = self.parts.get(&d.var).copied() else {
                out.push(Declarator { var: d.var, init: d.init.as_ref().map(|e| self.value(e)) });
                continue;
            };
            let kind = self.unit.var(d.var).ty.complex_of().unwrap_or(FloatKind::Double);
            let value = d.init.as_ref().map(|e| self.pair(e).to(kind));
            let (a, b) = value.map_or((None, None), |value| (Some(value.re), Some(value.im)));
            out.extend([Declarator { var: re, init: a }, Declarator { var: im, init: b }]);
        }
        out
    }

    /// Assignments in the head of a loop: one expression.
    fn in_head(&mut self, e: &Expr) -> Expr {
        let mut list = vec![];
        let outer = self.before.take();
        self.effect(e, &mut list);
        self.before = outer;
        let each = list.into_iter().filter_map(|s| if let StmtKind::Expr(e) = s.kind { Some(e) } else { None });
        let comma = |a: Expr, b: Expr| {
            let (ty, span) = (b.ty.clone(), a.span);
            Expr { kind: ExprKind::Comma(Box::new(a), Box::new(b)), ty, span }
        };
        each.reduce(comma).unwrap_or_else(|| e.clone())
    }

    /// `return z;`
    fn returned(&mut self, s: &mut Stmt, e: &Expr) {
        if self.results.is_none() && !has_complex(e) {
            return;
        }
        let outer = self.before.replace(vec![]);
        let mut list = vec![];
        let last = match self.results {
            Some((re, im)) => {
                let kind = element(&self.unit.var(re).ty.clone()).clone();
                let value = self.pair(e).to(if let Type::Float(kind) = kind { kind } else { FloatKind::Double });
                self.flush(&mut list);
                for (result, value) in [(re, value.re), (im, value.im)] {
                    let (to, span) = (self.unit.read(result, e.span), e.span);
                    let ty = value.ty.clone();
                    let target = Expr { kind: ExprKind::Unary(UnOp::Deref, Box::new(to)), ty, span };
                    list.push(set(None, &target, value));
                }
                None
            }
            None => {
                let value = self.value(e);
                self.flush(&mut list);
                Some(value)
            }
        };
        self.before = outer;
        list.push(Stmt { kind: StmtKind::Return(last), span: s.span, directives: vec![] });
        let one = if list.len() == 1 { list.pop() } else { None };
        s.kind = one.map_or_else(|| StmtKind::Block(within(list, s.span)), |one| one.kind);
    }

    /// Puts what has to be computed before into a list of statements.
    fn flush(&mut self, out: &mut Vec<Stmt>) {
        for b in self.before.iter_mut().flat_map(std::mem::take) {
            let (vars, init, call) = match b {
                Before::Value(var, value) => (vec![var], Some(value), None),
                Before::Call(call, vars) => (vars.to_vec(), None, Some(call)),
            };
            let span = init.as_ref().or(call.as_ref()).map_or(Span::default(), |e| e.span);
            let ds = vars.into_iter().map(|var| Declarator { var, init: init.clone() }).collect();
            out.push(Stmt { kind: StmtKind::Decl(ds), span, directives: vec![] });
            out.extend(call.map(statement));
        }
    }

    /// An expression that stands for its effect, as statements.
    fn effect(&mut self, e: &Expr, out: &mut Vec<Stmt>) {
        match &e.kind {
            ExprKind::Comma(a, b) => {
                self.effect(a, out);
                self.effect(b, out);
            }
            ExprKind::Assign { op, target, value } if target.ty.is_complex() => {
                let mut value = &**value;
                if let ExprKind::Assign { target, .. } = &value.kind {
                    self.effect(value, out);
                    value = target;
                }
                self.assign(e, *op, target, value, out);
            }
            _ => {
                let value = self.value(e);
                self.flush(out);
                out.push(statement(value));
            }
        }
    }

    /// `target op= value`, of a complex target: both parts are known before one is set.
    fn assign(&mut self, e: &Expr, op: Option<BinOp>, target: &Expr, value: &Expr, out: &mut Vec<Stmt>) {
        if !is_plain(target) || !is_plain(value) {
            return out.push(statement(self.unmodelled(e)));
        }
        let place = self.pair(target);
        let value = self.pair(value);
        // `+=` stays one, as what a reduction looks like.
        let (op, value) = match op {
            None | Some(BinOp::Add | BinOp::Sub) => (op, value),
            Some(op) => (None, self.operator(op, place.clone(), value, e.span)),
        };
        let kind = target.ty.complex_of().unwrap_or(FloatKind::Double);
        let value = if op.is_none() { value.to(kind).into() } else { value };
        let touches = |x: &Expr, part: &Expr| match &part.kind {
            ExprKind::Var(v) => x.mentions(*v),
            _ => !matches!(x.kind, ExprKind::Var(_) | ExprKind::Float(..) | ExprKind::Int(_)),
        };
        let target_im = place.im.clone().unwrap_or_else(|| place.re.clone());
        let Pair { re, im, .. } = value;
        // The real part is set first, and must not change the imaginary one.
        let im = match im {
            Some(im) if touches(&im, &place.re) => match self.bound(im) {
                Some(im) => Some(im),
                None => return out.push(statement(self.unmodelled(e))),
            },
            im => im,
        };
        self.flush(out);
        out.push(set(op, &place.re, re));
        out.extend(im.map(|im| set(op, &target_im, im)));
    }
}

/// The statements that one of C became: each has its place, where C stands for all of them.
fn within(list: Vec<Stmt>, span: Span) -> Vec<Stmt> {
    list.into_iter().map(|s| Stmt { span, ..s }).collect()
}

/// `target op= value;` in the place of the value.
fn set(op: Option<BinOp>, target: &Expr, value: Expr) -> Stmt {
    let span = value.span;
    ast_builder::assigned(op, target, value, span)
}

fn statement(e: Expr) -> Stmt {
    let span = e.span;
    ast_builder::plain(StmtKind::Expr(e), span)
}
