//! Copy propagation: variables of structures that only hand a value on.
//!
//! ```text
//! float a_x = s_x, b_x = d_x * k;
//! float r_x = a_x + b_x;                  ->      s_x = s_x + d_x * k;
//! s_x = r_x;
//! ```
//! Functions that are given structures, or return them, leave a copy of each member behind where they are opened. A variable that is
//! set once gives way to the variable that it is a copy of, where that keeps its value up to the last use; and to its value, where it
//! is used once, in a statement behind it that is run as often. No value that is read from memory moves. So `s = add(s, d)` is seen to
//! accumulate. (Copy propagation: Muchnick, Advanced Compiler Design and Implementation, section 12.5.)

use super::substitution::{Values, put};
use crate::ast::build::ast_builder::converted;
use crate::ast::visit::Piece;
use crate::ast::{Declarator, Expr, ExprKind, Stmt, StmtKind, Storage, Unit, VarId};
use crate::facts::changes::Changes;
use crate::facts::effects;
use std::collections::{BTreeMap, BTreeSet};

/// The most copies that one form is rid of.
const MOST: usize = 500;

/// Takes those of these variables out of a statement that only hand a value on. Nobody knows them but the statement.
pub fn propagate(unit: &Unit, vars: &BTreeSet<VarId>, s: &mut Stmt) {
    for _ in 0..MOST {
        let uses = Uses::of(s);
        if !block(unit, &|v| vars.contains(&v), &uses, s) {
            break;
        }
    }
    let uses = Uses::of(s);
    leave_out(s, &|v| vars.contains(&v) && !uses.mentions.contains_key(&v));
}

/// How often variables are named in a statement, and how often of these set; declarations with a value set.
#[derive(Default)]
struct Uses {
    mentions: BTreeMap<VarId, usize>,
    sets: BTreeMap<VarId, usize>,
}

impl Uses {
    fn of(s: &Stmt) -> Uses {
        let mut out = Uses::default();
        s.walk(&mut |piece| match piece {
            Piece::Expr(e) => {
                if let ExprKind::Var(v) = e.kind {
                    *out.mentions.entry(v).or_default() += 1;
                }
                if let Some(v) = effects::assigned_by(e) {
                    *out.sets.entry(v).or_default() += 1;
                }
            }
            Piece::Stmt(Stmt { kind: StmtKind::Decl(ds), .. }) => {
                ds.iter().filter(|d| d.init.is_some()).for_each(|d| *out.sets.entry(d.var).or_default() += 1);
            }
            Piece::Stmt(_) => {}
        });
        out
    }
}

/// Statement or declarator in a block, or in a block within it: the way there, and of a declaration which declarator.
struct Leaf {
    path: Vec<usize>,
    declarator: Option<usize>,
}

/// Takes one variable out, of those set in the blocks of a statement.
fn block(unit: &Unit, is_one: &dyn Fn(VarId) -> bool, uses: &Uses, s: &mut Stmt) -> bool {
    if let StmtKind::Block(_) = s.kind {
        let mut leaves = vec![];
        list(s, &mut vec![], &mut leaves);
        for at in 0..leaves.len() {
            let Some((v, value)) = set_by(s, &leaves[at]).map(|(v, e)| (v, e.clone())) else { continue };
            if is_one(v) && uses.sets.get(&v) == Some(&1) && give_way(unit, uses, s, &leaves, at, v, &value) {
                return true;
            }
        }
        return leaves.iter().any(|leaf| {
            leaf.declarator.is_none() && {
                let leaf = at_path(s, &leaf.path);
                leaf.stmts_mut().into_iter().any(|s| block(unit, is_one, uses, s))
            }
        });
    }
    s.stmts_mut().into_iter().any(|s| block(unit, is_one, uses, s))
}

fn list(s: &Stmt, path: &mut Vec<usize>, out: &mut Vec<Leaf>) {
    let StmtKind::Block(body) = &s.kind else { return };
    for (k, s) in body.iter().enumerate() {
        path.push(k);
        match &s.kind {
            StmtKind::Block(_) => list(s, path, out),
            StmtKind::Decl(ds) => {
                out.extend((0..ds.len()).map(|k| Leaf { path: path.clone(), declarator: Some(k) }));
            }
            _ => out.push(Leaf { path: path.clone(), declarator: None }),
        }
        path.pop();
    }
}

fn at_path<'s>(s: &'s mut Stmt, path: &[usize]) -> &'s mut Stmt {
    path.iter().fold(s, |s, k| s.stmts_mut().swap_remove(*k))
}

/// The statement of a leaf; of a declarator, its declaration with that one alone.
fn alone(s: &Stmt, leaf: &Leaf) -> Stmt {
    let s = leaf.path.iter().fold(s, |s, k| s.stmts().swap_remove(*k));
    match (&s.kind, leaf.declarator) {
        (StmtKind::Decl(ds), Some(k)) => Stmt { kind: StmtKind::Decl(vec![ds[k].clone()]), ..s.clone() },
        _ => s.clone(),
    }
}

/// The variable that a leaf sets, and its value.
fn set_by<'s>(s: &'s mut Stmt, leaf: &Leaf) -> Option<(VarId, &'s Expr)> {
    match (&at_path(s, &leaf.path).kind, leaf.declarator) {
        (StmtKind::Decl(ds), Some(k)) => Some((ds[k].var, ds[k].init.as_ref()?)),
        (StmtKind::Expr(e), _) => effects::plainly_assigned(e),
        _ => None,
    }
}

/// Puts a value in the place of the variable that the leaf sets to it, if it may go there.
fn give_way(unit: &Unit, uses: &Uses, s: &mut Stmt, leaves: &[Leaf], at: usize, v: VarId, value: &Expr) -> bool {
    let mut reads_memory = !effects::is_plain(value) || value.mentions(v);
    value.walk(&mut |e| reads_memory |= effects::reads_memory(e));
    let behind: Vec<Stmt> = leaves[at + 1..].iter().map(|leaf| alone(s, leaf)).collect();
    let own = usize::from(leaves[at].declarator.is_none());
    let counts: Vec<usize> = behind.iter().map(|s| effects::places([s], v).len()).collect();
    let n_uses = uses.mentions.get(&v).copied().unwrap_or(0) - own;
    // Uses elsewhere are in loops around, or before: of the value of an iteration before this one.
    if reads_memory || n_uses == 0 || counts.iter().sum::<usize>() != n_uses {
        return false;
    }
    let last = counts.iter().rposition(|n| *n > 0).expect("a use");
    let is_copy = matches!(value.kind, ExprKind::Var(u) if is_own_number(unit, u)) && value.ty == unit.var(v).ty;
    let is_statement = |s: &Stmt| matches!(s.kind, StmtKind::Expr(_) | StmtKind::Decl(_));
    if !is_copy && (n_uses > 1 || !is_statement(&behind[last]) || !effects::always_evaluates(&behind[last])) {
        return false;
    }
    // The last statement sets its variable when its value is computed.
    let sets_last = matches!(&behind[last].kind, StmtKind::Expr(e) if effects::plainly_assigned(e).is_some_and(|(_, e)| effects::is_plain(e)));
    let until = if sets_last { last } else { last + 1 };
    if !Changes::of(&behind[..until]).keeps(unit, value) {
        return false;
    }
    let users = || leaves[at + 1..].iter().zip(&counts).filter(|(_, n)| **n > 0).map(|(leaf, _)| leaf);
    if !users().all(|leaf| is_visible(s, value, leaves, leaf)) {
        return false;
    }
    let values = Values::from([(v, converted(value, &unit.var(v).ty))]);
    for leaf in users() {
        let s = at_path(s, &leaf.path);
        match (&mut s.kind, leaf.declarator) {
            (StmtKind::Decl(ds), Some(k)) => ds[k].init.iter_mut().for_each(|e| put(e, &values)),
            _ => s.exprs_mut(&mut |e| put(e, &values)),
        }
    }
    let here = at_path(s, &leaves[at].path);
    match (&mut here.kind, leaves[at].declarator) {
        (StmtKind::Decl(ds), Some(k)) => ds[k] = Declarator { var: v, init: None },
        _ => here.kind = StmtKind::Empty,
    }
    true
}

fn is_own_number(unit: &Unit, v: VarId) -> bool {
    let var = unit.var(v);
    matches!(var.storage, Storage::Local | Storage::Param) && !var.is_volatile && effects::is_scalar(&var.ty)
}

/// Test that what a value names is declared around a leaf.
fn is_visible(s: &Stmt, value: &Expr, leaves: &[Leaf], user: &Leaf) -> bool {
    let mut names = BTreeSet::new();
    value.walk(&mut |e| names.extend(if let ExprKind::Var(v) = e.kind { Some(v) } else { None }));
    leaves.iter().filter(|leaf| leaf.declarator.is_some()).all(|leaf| {
        let declares = effects::declared([&alone(s, leaf)]).into_iter().any(|v| names.contains(&v));
        let block = &leaf.path[..leaf.path.len() - 1];
        !declares || user.path.starts_with(block)
    })
}

/// Leaves out declarations of variables that nothing names, and statements that became empty.
fn leave_out(s: &mut Stmt, is_gone: &dyn Fn(VarId) -> bool) {
    s.stmts_mut().into_iter().for_each(|s| leave_out(s, is_gone));
    if let StmtKind::Decl(ds) = &mut s.kind {
        let n_before = ds.len();
        ds.retain(|d| !is_gone(d.var) || d.init.as_ref().is_some_and(|e| !effects::is_plain(e)));
        if ds.is_empty() && n_before > 0 {
            s.kind = StmtKind::Empty;
        }
    }
}
