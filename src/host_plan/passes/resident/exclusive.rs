//! Steps of which an iteration takes one at most, as a choice: no phase of one waits for those of another.
//!
//! ```text
//! if t % 2 == 0         launch k0 (u -> v)          if t % 2 == 0               launch k0
//! if (t + 1) % 2 == 0   launch k1 (v -> u)    ->    else if (t + 1) % 2 == 0    launch k1
//! ```
//! So the turns of buffers that change places have one barrier in an iteration, and not one for each turn.

use super::names;
use crate::ast::BinOp;
use crate::host_plan::ir::HostStmt;
use crate::kernel::{Expr, UnaryOp};
use std::collections::BTreeSet;

/// The steps with those behind a condition in its other way that would do nothing where it holds.
pub fn chained(steps: Vec<HostStmt>) -> Vec<HostStmt> {
    let mut out: Vec<HostStmt> = vec![];
    for mut s in steps.into_iter().rev() {
        s.bodies_mut().into_iter().for_each(|body| *body = chained(std::mem::take(body)));
        let next = out.pop_if(|next| excludes(&s, next));
        if let HostStmt::If { other, .. } = &mut s {
            other.extend(next);
        }
        out.push(s);
    }
    out.reverse();
    out
}

/// Test that a step does nothing where the one before it does something.
fn excludes(before: &HostStmt, next: &HostStmt) -> bool {
    let HostStmt::If { cond, then, other } = before else { return false };
    let HostStmt::If { cond: next_cond, other: next_other, .. } = next else { return false };
    let mut read = BTreeSet::new();
    next_cond.variables(&mut read);
    other.is_empty()
        && are_never_both(cond, next_cond)
        && names::assigned(then).is_disjoint(&read)
        && next_other.iter().all(|s| excludes(before, s))
}

fn are_never_both(x: &Expr, y: &Expr) -> bool {
    let (Some((of_x, modulus_x, x_is)), Some((of_y, modulus_y, y_is))) = (congruence(x), congruence(y)) else {
        return is_not(x, y) || is_not(y, x);
    };
    of_x == of_y && modulus_x == modulus_y && x_is != y_is || is_not(x, y)
}

/// Test that a condition is the opposite of another.
fn is_not(x: &Expr, y: &Expr) -> bool {
    match (x, y) {
        (Expr::Unary(UnaryOp::Not, inner), y) => **inner == *y,
        (Expr::Binary(BinOp::Ne, a, b), Expr::Binary(BinOp::Eq, c, d)) => a == c && b == d,
        _ => false,
    }
}

/// Remainder of `e` by `(e + k) % m == c`, which is not negative.
fn congruence(cond: &Expr) -> Option<(&Expr, i64, i64)> {
    let Expr::Binary(BinOp::Eq, left, right) = cond else { return None };
    let (Expr::Binary(BinOp::Rem, e, modulus) | Expr::Mod(e, modulus)) = &**left else { return None };
    let (Expr::Int(modulus), Expr::Int(c)) = (&**modulus, &**right) else { return None };
    let (of, k) = match &**e {
        Expr::Binary(BinOp::Add, of, k) => (&**of, integer(k)),
        Expr::Binary(BinOp::Sub, of, k) => (&**of, integer(k).and_then(i64::checked_neg)),
        of => (of, Some(0)),
    };
    let is = c.checked_sub(k?)?.checked_rem_euclid(*modulus)?;
    (*modulus > 0).then_some((of, *modulus, is))
}

fn integer(e: &Expr) -> Option<i64> {
    if let Expr::Int(n) = e { Some(*n) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::index::{add, binary, var};

    fn at(k: i64, modulus: i64, is: i64) -> Expr {
        binary(BinOp::Eq, binary(BinOp::Rem, add(var("t"), Expr::Int(k)), Expr::Int(modulus)), Expr::Int(is))
    }

    fn step(cond: Expr, then: Vec<HostStmt>) -> HostStmt {
        HostStmt::If { cond, then, other: vec![] }
    }

    #[test]
    fn turns_exclude_each_other() {
        assert!(are_never_both(&at(0, 2, 0), &at(1, 2, 0)) && are_never_both(&at(0, 3, 1), &at(4, 3, 0)));
        assert!(!are_never_both(&at(0, 2, 0), &at(2, 2, 0)) && !are_never_both(&at(0, 2, 0), &at(1, 3, 0)));
        let Expr::Binary(_, e, c) = at(0, 2, 0) else { unreachable!() };
        let odd = Expr::Binary(BinOp::Ne, e, c);
        assert!(are_never_both(&at(0, 2, 0), &odd) && are_never_both(&odd, &at(0, 2, 0)));
        assert!(!are_never_both(&odd, &odd));
    }

    #[test]
    fn three_turns_are_one_choice_and_others_stay() {
        let launch = |kernel| vec![HostStmt::launch(kernel, 1)];
        let turns: Vec<HostStmt> = (0..3).map(|k| step(at(k, 3, 0), launch(k as usize))).collect();
        let [HostStmt::If { other, .. }] = &chained(turns.clone())[..] else { panic!("one step") };
        assert!(matches!(&other[..], [HostStmt::If { other, .. }] if other.len() == 1));
        let again = [turns.clone(), vec![step(at(3, 3, 0), launch(3))]].concat();
        assert_eq!(chained(again.clone()).len(), 2, "the last runs where the first does");
        // The second depends on what the first sets.
        let set = crate::kernel::StmtKind::Assign { var: "t".into(), op: None, value: Expr::Int(1) };
        let first = step(at(0, 2, 0), vec![HostStmt::Compute(crate::kernel::Stmt::made(set))]);
        assert_eq!(chained(vec![first, step(at(1, 2, 0), launch(0))]).len(), 2);
    }
}
