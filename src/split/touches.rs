//! Memory that statements touch, and in what way; whether two of them may touch the same in different iterations of a loop.
//!
//! A pointer of the user's may lead anywhere that its type allows. Apart from each other are: members of different names,
//! numbers of different types (C11 6.5p7), arrays that are different variables, memory of the function's own that nothing else
//! points to, and elements that the loop's counter itself subscripts.

use crate::ast::visit::Piece;
use crate::ast::{Expr, ExprKind, Function, Stmt, StmtKind, Storage, Type, UnOp, Unit, VarId, print};
use crate::facts::callable::is_standard;
use crate::facts::scratch::Memory;
use crate::facts::standard::PRINTING;
use crate::facts::{callable, effects};
use std::collections::{BTreeMap, BTreeSet};

/// How deep calls are followed.
const DEEPEST: usize = 8;

/// Contents of a place.
#[derive(Debug, Clone, PartialEq)]
enum Leaf {
    /// Anything.
    Any,
    /// A number of so many bytes, or a pointer, and the member that it is.
    Of { class: Class, member: Option<String> },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Int(u32),
    Float(u32),
    Pointer,
}

impl Leaf {
    fn of(ty: &Type, member: Option<&str>) -> Leaf {
        let class = match ty {
            Type::Int(kind) if kind.bits() > 8 => Class::Int(kind.bits()),
            Type::Float(kind) => Class::Float(*kind as u32),
            Type::Pointer { .. } => Class::Pointer,
            _ => return Leaf::Any,
        };
        Leaf::Of { class, member: member.map(str::to_owned) }
    }

    fn is_apart(&self, other: &Leaf) -> bool {
        let (Leaf::Of { class, member }, Leaf::Of { class: c, member: m }) = (self, other) else { return false };
        class != c || member.is_some() && m.is_some() && member != m
    }
}

/// A read or a write of memory.
#[derive(Debug, Clone)]
pub struct Touch {
    /// The variable that leads there, where it is known.
    root: Option<VarId>,
    /// Flag: no other pointer lies between.
    is_direct: bool,
    /// Flag: it is the variable itself.
    is_named: bool,
    leaf: Leaf,
    /// The array whose element it is, where the loop's counter is its subscript.
    by: Option<String>,
    /// Flag: the counter is somewhere in what leads there.
    pub has_counter: bool,
    pub is_write: bool,
}

impl Touch {
    /// The same, whichever element it is.
    pub fn anywhere(self) -> Touch {
        Touch { by: None, ..self }
    }
}

/// Looks at one function's statements.
pub struct Looker<'u> {
    unit: &'u Unit,
    memory: Memory,
    /// Pointers that each local pointer may be a copy of; `None`: nobody knows.
    origins: BTreeMap<VarId, Option<BTreeSet<VarId>>>,
    counter: Option<VarId>,
    /// Pointers of an iteration's own that are set where they are declared, and the elements that they lead to.
    elements: BTreeMap<VarId, &'u Expr>,
    /// Variables that an iteration has for itself, and others that change in it.
    own: BTreeSet<VarId>,
    changing: BTreeSet<VarId>,
    /// The functions that are looked into.
    stack: Vec<&'u str>,
}

/// Refusal: nobody can say what statements touch.
#[derive(Debug)]
pub struct Unknown;

impl<'u> Looker<'u> {
    /// One for a loop of the function's with that body.
    pub fn of_loop(unit: &'u Unit, function: &'u Function, body: &'u Stmt) -> Self {
        let mut out = Looker::new(unit, function);
        out.own = effects::declared([body]);
        out.changing = effects::assigned_whole(body);
        out.changing.extend(function.addresses());
        out.find_elements(&function.body);
        out
    }

    fn new(unit: &'u Unit, function: &'u Function) -> Self {
        let mut out = Looker {
            unit,
            memory: Memory::of(unit, function),
            origins: BTreeMap::new(),
            counter: None,
            elements: BTreeMap::new(),
            own: BTreeSet::new(),
            changing: BTreeSet::new(),
            stack: vec![&function.name],
        };
        out.find_origins(&function.body);
        out
    }

    /// Memory that statements touch in the iterations of a loop with that counter, the functions that they call included.
    ///
    /// # Errors
    /// It cannot be said.
    pub fn touches(&mut self, counter: VarId, stmts: &[&'u Stmt]) -> Result<Vec<Touch>, Unknown> {
        self.counter = Some(counter);
        let mut out = vec![];
        stmts.iter().try_for_each(|s| self.stmt(s, &mut out))?;
        Ok(out)
    }

    /// The same of expressions.
    ///
    /// # Errors
    /// It cannot be said.
    pub fn of_exprs(&mut self, counter: VarId, exprs: &[&'u Expr]) -> Result<Vec<Touch>, Unknown> {
        self.counter = Some(counter);
        let mut out = vec![];
        exprs.iter().try_for_each(|e| self.value(e, &mut out))?;
        Ok(out)
    }

    /// Test that iterations may touch the same: what is first in the text comes first in each of them.
    pub fn meet(&self, a: &Touch, b: &Touch) -> bool {
        if !a.is_write && !b.is_write || a.leaf.is_apart(&b.leaf) {
            return false;
        }
        match (a.root, b.root) {
            (Some(x), Some(y)) if x == y => a.by.is_none() || a.by != b.by,
            (Some(x), Some(y)) => {
                let is_apart = |t, v| self.is_own(t, v) || self.is_known_by_name(t, v) || self.is_restricted(v);
                !(is_apart(a, x) || is_apart(b, y) || self.is_object(a, x) && self.is_object(b, y))
            }
            _ => true,
        }
    }

    /// Test for memory to which nothing else leads.
    fn is_own(&self, touch: &Touch, root: VarId) -> bool {
        touch.is_direct && self.memory.is_own(self.unit, root)
    }

    /// Test for a pointer that alone leads to what is behind it, as far as it is changed (C17 6.7.3.1).
    fn is_restricted(&self, v: VarId) -> bool {
        let var = self.unit.var(v);
        var.storage == Storage::Param && matches!(var.ty, Type::Pointer { restrict: true, .. })
    }

    /// Test for a variable that no pointer leads to.
    fn is_known_by_name(&self, touch: &Touch, root: VarId) -> bool {
        let var = self.unit.var(root);
        touch.is_named && var.is_static && !self.unit.is_addressed(root)
    }

    /// Test for a variable, or an element of an array that is one: no pointer lies between.
    fn is_object(&self, touch: &Touch, root: VarId) -> bool {
        let var = self.unit.var(root);
        let is_object = matches!(var.ty, Type::Array { .. } | Type::Int(_) | Type::Float(_));
        touch.is_direct && var.storage != Storage::Param && is_object
    }

    /// Finds the values of local pointers, anywhere in the function.
    fn find_origins(&mut self, body: &'u Stmt) {
        let mut given: Vec<(VarId, &Expr)> = vec![];
        body.walk(&mut |piece| match piece {
            Piece::Expr(Expr { kind: ExprKind::Assign { op: None, target, value }, .. }) => {
                given.extend(target.root().filter(|v| target.is_var(*v)).map(|v| (v, &**value)));
            }
            Piece::Stmt(Stmt { kind: StmtKind::Decl(ds), .. }) => {
                given.extend(ds.iter().filter_map(|d| Some((d.var, d.init.as_ref()?))));
            }
            _ => {}
        });
        for (v, value) in given {
            let var = self.unit.var(v);
            if var.storage != Storage::Local
                || !matches!(var.ty, Type::Pointer { .. })
                || self.memory.is_own(self.unit, v)
            {
                continue;
            }
            let origins = self.origins.entry(v).or_insert_with(|| Some(BTreeSet::new()));
            match value.root() {
                Some(root) => drop(origins.as_mut().map(|all| all.insert(root))),
                None => *origins = None,
            }
        }
    }

    /// `S *p = &s[i];`, and nothing else that sets `p`.
    fn find_elements(&mut self, body: &'u Stmt) {
        let assigned: BTreeSet<VarId> = effects::assigned_whole(body);
        body.walk(&mut |piece| {
            let Piece::Stmt(Stmt { kind: StmtKind::Decl(ds), .. }) = piece else { return };
            for d in ds.iter().filter(|d| self.own.contains(&d.var) && !assigned.contains(&d.var)) {
                if let Some(Expr { kind: ExprKind::Unary(UnOp::AddrOf, x), .. }) = &d.init
                    && !self.unit.is_addressed(d.var)
                {
                    self.elements.insert(d.var, x);
                }
            }
        });
    }

    /// The element that a place is part of, where that is subscripted by the counter: its array.
    fn by(&self, e: &Expr) -> Option<String> {
        let counter = self.counter?;
        match &e.kind {
            ExprKind::Index(base, index) if index.is_var(counter) => {
                // Else the counter does not tell one iteration's element from another's.
                let is_fixed = |v: &VarId| !self.own.contains(v) && !self.changing.contains(v);
                effects::variables(base).iter().all(is_fixed).then(|| print::expr(self.unit, base))
            }
            ExprKind::Index(base, _) if matches!(base.ty, Type::Array { .. }) => self.by(base),
            ExprKind::Member { base, arrow: false, .. } => self.by(base),
            ExprKind::Member { base: x, .. } | ExprKind::Unary(UnOp::Deref, x) => match x.kind {
                ExprKind::Var(p) => self.by(self.elements.get(&p)?),
                _ => None,
            },
            _ => None,
        }
    }

    /// The variables that one may be a copy of; `None`: nobody knows.
    fn roots(&self, v: VarId, seen: &mut BTreeSet<VarId>) -> Option<BTreeSet<VarId>> {
        if !seen.insert(v) {
            return Some(BTreeSet::new());
        }
        match self.origins.get(&v) {
            None => Some(BTreeSet::from([v])),
            Some(None) => None,
            Some(Some(all)) => {
                let mut out = BTreeSet::new();
                for x in all {
                    out.extend(self.roots(*x, seen)?);
                }
                Some(out)
            }
        }
    }

    /// The variables that lead where a pointer does; `None` for one that nobody knows.
    fn led_by(&self, pointer: &Expr) -> Vec<Option<VarId>> {
        let roots = pointer.root().and_then(|root| self.roots(root, &mut BTreeSet::new()));
        roots.map_or(vec![None], |all| all.into_iter().map(Some).collect())
    }

    fn has_counter(&self, e: &Expr) -> bool {
        self.counter.is_some_and(|c| e.mentions(c))
    }

    fn stmt(&mut self, s: &'u Stmt, out: &mut Vec<Touch>) -> Result<(), Unknown> {
        let mut exprs: Vec<&'u Expr> = vec![];
        let mut is_known = true;
        s.walk(&mut |piece| match piece {
            Piece::Stmt(Stmt { kind: StmtKind::Unmodelled(_), .. }) => is_known = false,
            Piece::Stmt(Stmt { kind: StmtKind::Decl(ds), .. }) => {
                let is_static = |v: VarId| self.unit.var(v).storage == Storage::StaticLocal;
                is_known &= self.stack.len() > 1 || !ds.iter().any(|d| is_static(d.var));
            }
            _ => {}
        });
        s.exprs(&mut |e| exprs.push(e));
        if !is_known {
            return Err(Unknown);
        }
        exprs.into_iter().try_for_each(|e| self.value(e, out))
    }

    /// An expression whose value is asked for.
    fn value(&mut self, e: &'u Expr, out: &mut Vec<Touch>) -> Result<(), Unknown> {
        match &e.kind {
            ExprKind::Assign { op, target, value } => {
                self.touch(target, true, out)?;
                if op.is_some() {
                    self.touch(target, false, out)?;
                }
                self.value(value, out)
            }
            ExprKind::IncDec { target, .. } => {
                self.touch(target, true, out)?;
                self.touch(target, false, out)
            }
            ExprKind::Unary(UnOp::AddrOf, x) => self.place(x, out),
            ExprKind::Var(_) | ExprKind::Index(..) | ExprKind::Member { .. } | ExprKind::Unary(UnOp::Deref, _) => {
                self.touch(e, false, out)
            }
            ExprKind::Call { name, args } => self.call(name, args, out),
            ExprKind::SizeOfExpr(_) => Ok(()),
            ExprKind::Unmodelled(_) | ExprKind::Function(_) => Err(Unknown),
            _ => e.children().into_iter().try_for_each(|x| self.value(x, out)),
        }
    }

    /// Evaluation that finds a place.
    fn place(&mut self, e: &'u Expr, out: &mut Vec<Touch>) -> Result<(), Unknown> {
        match &e.kind {
            ExprKind::Var(_) => Ok(()),
            ExprKind::Index(base, index) => {
                self.value(index, out)?;
                if matches!(base.ty, Type::Array { .. }) { self.place(base, out) } else { self.value(base, out) }
            }
            ExprKind::Member { base, arrow: false, .. } => self.place(base, out),
            ExprKind::Member { base: x, .. } | ExprKind::Unary(UnOp::Deref, x) => self.value(x, out),
            _ => self.value(e, out),
        }
    }

    fn touch(&mut self, e: &'u Expr, is_write: bool, out: &mut Vec<Touch>) -> Result<(), Unknown> {
        self.place(e, out)?;
        if let ExprKind::Var(v) = e.kind {
            let var = self.unit.var(v);
            if var.value.is_some() || matches!(var.ty, Type::Array { .. }) {
                return Ok(());
            }
            // Variables of the function's own are the caller's affair.
            if matches!(var.storage, Storage::Local | Storage::Param) {
                return Ok(());
            }
        }
        let is_own = |v: VarId| self.own.contains(&v) && !matches!(self.unit.var(v).ty, Type::Pointer { .. });
        if matches!(e.ty, Type::Array { .. }) || e.root().is_some_and(is_own) && is_direct(e) {
            return Ok(());
        }
        let member = member(e);
        let by = self.by(e);
        let has_counter = by.is_some() || self.has_counter(e);
        let leaf = Leaf::of(&e.ty, member);
        let is_named = matches!(e.kind, ExprKind::Var(_));
        let new = |root, is_direct| Touch {
            root,
            is_direct,
            is_named,
            leaf: leaf.clone(),
            by: by.clone(),
            has_counter,
            is_write,
        };
        let Some(root) = e.root() else {
            out.push(new(None, false));
            return Ok(());
        };
        match self.roots(root, &mut BTreeSet::new()) {
            None => out.push(Touch { by: None, ..new(None, false) }),
            Some(roots) if roots.len() == 1 && roots.contains(&root) => {
                out.push(new(Some(root), is_direct(e)));
            }
            // Of several that it may be, an element is one's own of one.
            Some(roots) => {
                let by = by.clone().filter(|_| roots.len() == 1);
                out.extend(roots.into_iter().map(|r| Touch { by: by.clone(), ..new(Some(r), false) }));
            }
        }
        Ok(())
    }

    fn call(&mut self, name: &'u str, args: &'u [Expr], out: &mut Vec<Touch>) -> Result<(), Unknown> {
        args.iter().try_for_each(|a| self.value(a, out))?;
        if let Some(f) = self.unit.function(name) {
            return self.called(f, args, out);
        }
        if callable::math(name).is_some() {
            return Ok(());
        }
        if !is_standard(name) || ["qsort", "bsearch"].contains(&name) {
            return Err(Unknown);
        }
        let is_memory = |e: &Expr| !matches!(e.kind, ExprKind::Str(_)) && !self.is_variable(e);
        let handed = |e: &&Expr| e.ty.is_pointer_like() && is_memory(e);
        for arg in args.iter().filter(handed) {
            let has_counter = self.has_counter(arg);
            for root in self.led_by(arg) {
                let (is_direct, is_named, by, is_write) = (false, false, None, false);
                let touch = Touch { root, is_direct, is_named, leaf: Leaf::Any, by, has_counter, is_write };
                if !PRINTING.contains(&name) && !matches!(arg.ty, Type::Pointer { is_const: true, .. }) {
                    out.push(Touch { is_write: true, ..touch.clone() });
                }
                out.push(touch);
            }
        }
        Ok(())
    }

    /// Test for the address of a variable of the function's own, which is the caller's affair.
    fn is_variable(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Unary(UnOp::AddrOf, x) => match x.kind {
                ExprKind::Var(v) => {
                    let var = self.unit.var(v);
                    matches!(var.storage, Storage::Local | Storage::Param) && !matches!(var.ty, Type::Struct(_))
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Memory that a function of the program touches, behind what it is given.
    fn called(&mut self, f: &'u Function, args: &'u [Expr], out: &mut Vec<Touch>) -> Result<(), Unknown> {
        if self.stack.contains(&f.name.as_str()) || self.stack.len() > DEEPEST || f.params.len() != args.len() {
            return Err(Unknown);
        }
        let stack = self.stack.iter().copied().chain([f.name.as_str()]).collect();
        let mut looker = Looker { stack, ..Looker::new(self.unit, f) };
        let mut inner = vec![];
        looker.stmt(&f.body, &mut inner)?;
        for touch in inner {
            let Some(root) = touch.root else {
                out.push(touch);
                continue;
            };
            let var = self.unit.var(root);
            let param = f.params.iter().position(|p| *p == root);
            match param {
                Some(at) if self.is_variable(&args[at]) => {}
                Some(at) => {
                    let has_counter = self.has_counter(&args[at]);
                    let of = |root| Touch {
                        root,
                        is_direct: false,
                        is_named: false,
                        by: None,
                        has_counter,
                        ..touch.clone()
                    };
                    out.extend(self.led_by(&args[at]).into_iter().map(of));
                }
                // Its own memory is gone when it returns.
                None if var.storage == Storage::Local && looker.is_own(&touch, root) => {}
                None if var.storage == Storage::Local && !matches!(var.ty, Type::Pointer { .. }) => {}
                None if var.storage == Storage::Local => out.push(Touch { root: None, ..touch }),
                None => out.push(touch),
            }
        }
        Ok(())
    }
}

/// The member that a place is, or is part of.
fn member(e: &Expr) -> Option<&str> {
    match &e.kind {
        ExprKind::Member { field, .. } => Some(field),
        ExprKind::Index(base, _) if matches!(base.ty, Type::Array { .. }) => member(base),
        _ => None,
    }
}

/// Test that no pointer but the variable itself leads to a place.
fn is_direct(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Var(_) => true,
        ExprKind::Index(base, _) => match (&base.kind, &base.ty) {
            (ExprKind::Var(_), _) => true,
            (_, Type::Array { .. }) => is_direct(base),
            _ => false,
        },
        ExprKind::Member { base, arrow, .. } => match arrow {
            true => matches!(base.kind, ExprKind::Var(_)),
            false => is_direct(base),
        },
        ExprKind::Unary(UnOp::Deref, x) => matches!(x.kind, ExprKind::Var(_)),
        _ => false,
    }
}
