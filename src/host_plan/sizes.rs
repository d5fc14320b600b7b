//! The sizes for which a condition in kernel IR holds, as isl's set.

use crate::ast::BinOp;
use crate::isl::{Ctx, Set};
use crate::kernel::{Expr, ScalarType, UnaryOp};
use crate::poly::Failure;
use std::collections::BTreeSet;

/// Those of the `known` sizes for which a condition holds; `None` where it is not affine, or too hard.
pub fn where_holds(ctx: &Ctx, known: &Set, e: &Expr) -> Result<Option<Set>, Failure> {
    let Some(text) = condition(e) else { return Ok(None) };
    let mut names = BTreeSet::new();
    variables(e, &mut names);
    let names: Vec<&str> = names.into_iter().collect();
    let text = format!("[{}] -> {{ : {text} }}", names.join(", "));
    match ctx.within(OPERATIONS, || known.intersect(&Set::parse(ctx, &text)?)) {
        Err(e) if e.is_limit() => Ok(None),
        holds => Ok(Some(holds?)),
    }
}

/// Operations that isl may spend on one condition: nested choices between pieces have more pieces than can be told.
const OPERATIONS: u64 = 100_000;

fn variables<'e>(e: &'e Expr, out: &mut BTreeSet<&'e str>) {
    match e {
        Expr::Var(name) => _ = out.insert(name),
        Expr::Unary(_, a) | Expr::Cast(_, a) => variables(a, out),
        Expr::Binary(_, a, b) | Expr::Min(a, b) | Expr::Max(a, b) | Expr::FloorDiv(a, b) => {
            [a, b].into_iter().for_each(|x| variables(x, out));
        }
        Expr::Cond(c, a, b) => [c, a, b].into_iter().for_each(|x| variables(x, out)),
        _ => {}
    }
}

/// The most pieces that an expression is taken apart into.
const MAX_PIECES: usize = 16;

/// An affine condition in isl's notation.
fn condition(e: &Expr) -> Option<String> {
    let Expr::Binary(op, a, b) = e else { return None };
    let sign = match op {
        BinOp::And => return Some(format!("(({}) and ({}))", condition(a)?, condition(b)?)),
        BinOp::Or => return Some(format!("(({}) or ({}))", condition(a)?, condition(b)?)),
        BinOp::Lt => "<",
        BinOp::Le => "<=",
        BinOp::Gt => ">",
        BinOp::Ge => ">=",
        BinOp::Eq => "=",
        _ => return None,
    };
    let pieces = joined(a, b, |a, b| format!("({a} {sign} {b})"))?;
    Some(pieces.iter().map(|(w, c)| format!("({w} and {c})")).collect::<Vec<_>>().join(" or "))
}

/// An affine expression in isl's notation, by pieces: where, and what.
fn pieces(e: &Expr) -> Option<Vec<(String, String)>> {
    let whole = |text: String| Some(vec![("true".to_string(), text)]);
    match e {
        Expr::Int(c) => whole(c.to_string()),
        Expr::Var(name) => whole(name.clone()),
        Expr::Cast(ScalarType::Index, a) => pieces(a),
        Expr::Unary(UnaryOp::Neg, a) => Some(pieces(a)?.into_iter().map(|(w, a)| (w, format!("(-{a})"))).collect()),
        Expr::Min(a, b) => joined(a, b, |a, b| format!("min({a}, {b})")),
        Expr::Max(a, b) => joined(a, b, |a, b| format!("max({a}, {b})")),
        Expr::Binary(BinOp::Add, a, b) => joined(a, b, |a, b| format!("({a} + {b})")),
        Expr::Binary(BinOp::Sub, a, b) => joined(a, b, |a, b| format!("({a} - {b})")),
        Expr::Binary(BinOp::Mul, a, b) if matches!(**a, Expr::Int(_)) || matches!(**b, Expr::Int(_)) => {
            joined(a, b, |a, b| format!("({a} * {b})"))
        }
        // C rounds to zero.
        Expr::Binary(op @ (BinOp::Div | BinOp::Rem), a, b) => {
            let Expr::Int(d @ 1..) = **b else { return None };
            let rounded =
                |a: &str| if *op == BinOp::Div { format!("floor(({a})/{d})") } else { format!("(({a}) mod {d})") };
            let a = pieces(a)?;
            let above = a.iter().map(|(w, a)| (format!("({w} and {a} >= 0)"), rounded(a)));
            let below =
                a.iter().map(|(w, a)| (format!("({w} and {a} < 0)"), format!("(-{})", rounded(&format!("-({a})")))));
            Some(above.chain(below).collect()).filter(|all: &Vec<_>| all.len() <= MAX_PIECES)
        }
        Expr::FloorDiv(a, d) => {
            let Expr::Int(d @ 1..) = **d else { return None };
            Some(pieces(a)?.into_iter().map(|(w, a)| (w, format!("floor(({a})/{d})"))).collect())
        }
        Expr::Cond(c, a, b) => {
            let c = condition(c)?;
            let then = pieces(a)?.into_iter().map(|(w, a)| (format!("({w} and {c})"), a));
            let other = pieces(b)?.into_iter().map(|(w, b)| (format!("({w} and not {c})"), b));
            Some(then.chain(other).collect()).filter(|all: &Vec<_>| all.len() <= MAX_PIECES)
        }
        _ => None,
    }
}

fn joined(a: &Expr, b: &Expr, join: impl Fn(&str, &str) -> String) -> Option<Vec<(String, String)>> {
    let (a, b) = (pieces(a)?, pieces(b)?);
    let pairs = a.iter().flat_map(|x| b.iter().map(move |y| (x, y)));
    let all: Vec<_> = pairs.map(|((v, x), (w, y))| (format!("({v} and {w})"), join(x, y))).collect();
    (all.len() <= MAX_PIECES).then_some(all)
}
