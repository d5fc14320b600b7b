//! Values of `let` variables, and subscripts written out over counters, parameters and positions alone.

use crate::kernel::{Expr, Kernel, Stmt, StmtKind};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Values that `let` variables keep.
pub(super) struct Lets<'a> {
    values: BTreeMap<&'a str, &'a Expr>,
    /// Variables that are assigned, or of which there are several.
    unsteady: BTreeSet<&'a str>,
    /// Subscripts that were resolved before, by their place in the kernel.
    known: RefCell<BTreeMap<*const Expr, Option<Rc<Expr>>>>,
}

/// Depth to which a `let` is followed through others.
const MOST_STEPS: usize = 8;

impl<'a> Lets<'a> {
    pub fn of(kernel: &'a Kernel) -> Self {
        let mut lets = Lets { values: BTreeMap::new(), unsteady: BTreeSet::new(), known: RefCell::default() };
        kernel.body.iter().for_each(|stmt| stmt.visit(&mut |stmt| lets.note(stmt)));
        lets
    }

    fn note(&mut self, stmt: &'a Stmt) {
        match &stmt.kind {
            StmtKind::Let { var, init: None, .. } => {
                self.unsteady.insert(var);
            }
            StmtKind::Let { var, init: Some(init), .. } if self.values.insert(var, init).is_some() => {
                self.unsteady.insert(var);
            }
            _ => self.unsteady.extend(stmt.assigns()),
        }
    }

    /// A subscript over counters, parameters and positions alone, if that is what it is.
    pub fn resolved(&self, e: &'a Expr) -> Option<Rc<Expr>> {
        self.known.borrow_mut().entry(std::ptr::from_ref(e)).or_insert_with(|| self.resolve(e).map(Rc::new)).clone()
    }

    fn resolve(&self, e: &Expr) -> Option<Expr> {
        let mut out = e.clone();
        for _ in 0..MOST_STEPS {
            let mut is_done = true;
            out.replace(&mut |e| match e {
                Expr::Var(name) if self.unsteady.contains(name.as_str()) => None,
                Expr::Var(name) => {
                    let value = self.values.get(name.as_str())?;
                    is_done = false;
                    Some((*value).clone())
                }
                _ => None,
            });
            if is_done {
                break;
            }
        }
        let is_unknown = out.any(&mut |e| match e {
            Expr::Var(name) => self.unsteady.contains(name.as_str()) || self.values.contains_key(name.as_str()),
            e => matches!(e, Expr::Load(_) | Expr::Call(..)),
        });
        (!is_unknown).then_some(out)
    }
}
