//! Contract of a form, which every rewrite keeps and every later stage relies on.
//!
//! | a form | keeps |
//! | --- | --- |
//! | place | the span of its statement: by it the form is found |
//! | names | each variable that it names is declared in it, around the place and before it; or is visible where the statement stands, or stands for an array, an element or a row that the call site hands over |
//! | declarations | no variable is declared where it is declared already |
//! | uses | an expression that names a variable has the variable's type, but for lengths that are not both known |
//! | types | operands are what C's operators take, and what comes out has the type that C gives it ([`typing`]) |
//! | targets | what is assigned is a place |
//! | control | `break` and `continue` stand in a loop (or `switch`), if they did not leave the statement before |
//!
//! Types are not asked of C that is not modelled, which has none; nor of what is done with an array of structures that is seen
//! as one of numbers ([`super::arrays_of_structures`]), but for these numbers: that keeps the type of the structure, and is
//! declined later.

use super::form::{Context, Form};
use crate::ast::build::alike::is_alike;
use crate::ast::build::typing;
use crate::ast::control::Exits;
use crate::ast::{
    BinOp, Expr, ExprKind, Function, RowExchange, Stmt, StmtKind, Storage, Type, UnOp, Unit, VarId, print,
};

/// Test for a file whose functions keep the contract as they are written. Of C that no compiler takes (`++2`), forms keep what is
/// wrong.
pub fn is_kept_by(unit: &Unit) -> bool {
    let keeps = |f: &Function| {
        let visible = [unit.globals.as_slice(), f.params.as_slice()].concat();
        let (turn, declared, exits) = (None, vec![], Exits::default());
        Check { unit, turn, visible: &visible, declared, exits }.stmt(&f.body).is_ok()
    };
    unit.functions.iter().chain(&unit.imported).all(keeps)
}

/// Holds a form to the contract; else says what breaks it.
pub fn form(form: &Form<'_>, context: &Context<'_>) -> Result<(), String> {
    let (exits, turn) = (form.written.exits(), form.rotation.as_ref().map(|rotation| rotation.turn));
    let visible = context.facts.visible_at(context.unit, form.written.span);
    let mut check = Check { unit: context.unit, turn, visible: &visible, declared: vec![], exits };
    for s in [Some(&form.stmt), form.without_tiles.as_ref()].into_iter().flatten() {
        if s.span != form.written.span {
            return Err(format!("the form has another place than its statement: {}", print::stmt(context.unit, s, 0)));
        }
        check.stmt(s)?;
        check.declared.clear();
    }
    Ok(())
}

/// Names that are known at a place in the form.
struct Check<'a> {
    unit: &'a Unit,
    /// The variable that counts the turns of a rotation.
    turn: Option<VarId>,
    visible: &'a [VarId],
    /// Variables that are declared around the place and before it.
    declared: Vec<VarId>,
    /// Ways out that statements may take here, as those of the written statement, or of loops around, let them.
    exits: Exits,
}

impl Check<'_> {
    fn stmt(&mut self, s: &Stmt) -> Result<(), String> {
        let (n_outside, exits) = (self.declared.len(), self.exits);
        match &s.kind {
            StmtKind::Decl(ds) => {
                for d in ds {
                    if self.declared.contains(&d.var) {
                        return Err(self.fault(s, &format!("`{}` is declared twice", self.unit.var(d.var).name)));
                    }
                    self.declared.push(d.var);
                    d.init.iter().try_for_each(|e| self.expr(e))?;
                }
                return Ok(());
            }
            StmtKind::Break if !self.exits.breaks => return Err(self.fault(s, "no loop is around it")),
            StmtKind::Continue if !self.exits.continues => return Err(self.fault(s, "no loop is around it")),
            StmtKind::For { .. } | StmtKind::While { .. } | StmtKind::DoWhile { .. } => {
                (self.exits.breaks, self.exits.continues) = (true, true);
            }
            StmtKind::Switch { .. } => self.exits.breaks = true,
            _ => {}
        }
        // A head stands before the statements that it is the head of: what it declares is known in all of them.
        let head = if let StmtKind::For { init: Some(init), .. } = &s.kind { Some(&**init) } else { None };
        head.map_or(Ok(()), |init| self.stmt(init))?;
        let mut fault = Ok(());
        s.own_exprs(&mut |e| {
            if fault.is_ok() {
                fault = self.expr(e);
            }
        });
        fault?;
        let is_head = |inner: &Stmt| head.is_some_and(|head| std::ptr::eq(head, inner));
        s.stmts().into_iter().filter(|inner| !is_head(inner)).try_for_each(|inner| self.stmt(inner))?;
        self.declared.truncate(n_outside);
        self.exits = exits;
        Ok(())
    }

    fn expr(&self, e: &Expr) -> Result<(), String> {
        let mut fault = None;
        e.walk(&mut |e| {
            if fault.is_none() {
                fault = self.fault_of(e).map(|what| format!("`{}`: {what}", print::expr(self.unit, e)));
            }
        });
        fault.map_or(Ok(()), Err)
    }

    /// The fault of an expression itself.
    fn fault_of(&self, e: &Expr) -> Option<String> {
        match &e.kind {
            ExprKind::Var(v) if !self.is_known(*v) => Some("it is not declared here".into()),
            ExprKind::Var(v) => {
                let ty = &self.unit.var(*v).ty;
                let is_right = is_unknown(ty) || is_unknown(&e.ty) || is_alike(ty, &e.ty) || self.is_of_structures(e);
                (!is_right).then(|| "it has another type than its variable".into())
            }
            ExprKind::Assign { target, .. } | ExprKind::IncDec { target, .. } if !is_place(target) => {
                Some("what it sets is no place".into())
            }
            _ if e.children().into_iter().chain([e]).any(|x| is_unknown(&x.ty) || self.is_of_structures(x)) => None,
            _ => mistyped(e),
        }
    }

    /// Test for a variable that its name means here.
    fn is_known(&self, v: VarId) -> bool {
        let is_of_file = || matches!(self.unit.var(v).storage, Storage::Global | Storage::StaticLocal);
        self.declared.contains(&v) || is_of_file() || self.visible.contains(&v) || self.is_handed_over(v)
    }

    /// Test for a variable that no C declares, which the call site or the plan makes.
    fn is_handed_over(&self, v: VarId) -> bool {
        let of_rows = |x: &RowExchange| x.places == v || x.counters.contains(&v);
        self.turn == Some(v) || self.unit.begin(v).is_some() || self.unit.row_exchanges.iter().any(of_rows)
    }

    /// Test for something else in an array of structures than the numbers that it is seen as: there is one subscript more to these.
    fn is_of_structures(&self, e: &Expr) -> bool {
        let is_record = |v: VarId| self.unit.records.iter().any(|record| record.var == v);
        !e.ty.is_scalar() && e.root().is_some_and(is_record)
    }

    fn fault(&self, s: &Stmt, what: &str) -> String {
        format!("`{}`: {what}", print::stmt(self.unit, s, 0).trim_end())
    }
}

/// Test for what an assignment can set.
fn is_place(e: &Expr) -> bool {
    matches!(
        e.kind,
        ExprKind::Var(_)
            | ExprKind::Index(..)
            | ExprKind::Member { .. }
            | ExprKind::Unary(UnOp::Deref, _)
            | ExprKind::Unmodelled(_)
    )
}

fn is_unknown(ty: &Type) -> bool {
    matches!(ty, Type::Other(_))
}

/// Operands that an operator cannot take, or a type that it does not give.
fn mistyped(e: &Expr) -> Option<String> {
    let says = |is_right: bool, what: &str| (!is_right).then(|| what.to_owned());
    match &e.kind {
        ExprKind::Binary(op, a, b) => {
            let ty = typing::binary(*op, &a.ty, &b.ty);
            // Two constants are as wide as they are asked to be.
            let is_wide = [a, b].iter().all(|e| matches!(e.kind, ExprKind::Int(_))) && matches!(e.ty, Type::Int(_));
            let is_right = is_unknown(&ty) || is_alike(&ty, &e.ty) || is_wide;
            says(is_right, "operands of these types give another one").or_else(|| {
                let is_integer = |e: &Expr| matches!(e.ty, Type::Int(_));
                let needs_integers =
                    matches!(op, BinOp::Rem | BinOp::Shl | BinOp::Shr | BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor);
                says(!needs_integers || is_integer(a) && is_integer(b), "its operands are no integers")
            })
        }
        ExprKind::Unary(UnOp::Deref, a) => says(is_alike(&typing::element(&a.ty), &e.ty), "no such element is there"),
        ExprKind::Index(base, at) => says(matches!(at.ty, Type::Int(_)), "its subscript is no integer")
            .or_else(|| says(is_alike(&typing::element(&base.ty), &e.ty), "no such element is there")),
        ExprKind::Assign { target, .. } | ExprKind::IncDec { target, .. } => {
            says(is_alike(&target.ty, &e.ty), "it has another type than what it sets")
        }
        ExprKind::Comma(_, b) => says(is_alike(&b.ty, &e.ty), "it has another type than its value"),
        ExprKind::Member { base, arrow, .. } => {
            let structure = typing::structure(base, *arrow);
            says(matches!(structure, Type::Struct(_)) || is_unknown(&structure), "no structure is there")
        }
        _ => None,
    }
}
