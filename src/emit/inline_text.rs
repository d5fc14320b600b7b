//! The test in the user's C whether a call of an entry is worth making: of sizes alone, without a call.
//!
//! ```text
//! if (__builtin_expect(!rt_must_ask && 0.35 * n * m < 22100.0, 1) || !rt_f_0(n, m, a)) { the original }
//! ```
//! Compared are what one core of the host takes at most and what a device takes at least: a call that stays costs no more. Of
//! statements that take nobody knows how long, how often they run is compared with what is enough for a device. Where something
//! stays on the device, or calls are looked at, the entry is asked. Where there is one size, the test is of that alone:
//! `n < 22100`. The compiler is told that a call stays: of one that goes, nothing is to cost the original, inlined into whatever
//! loop is around it.
//!
//! A long formula takes longer than the loops of a tiny call. After 64 calls in a row that stayed, sixteen of seventeen
//! are not asked (`skip.hbs`), until one goes: from then on all are. Seventeen is prime, so that no program whose sizes come in
//! turns has its large ones skipped each time.

use crate::ast::BinOp;
use crate::cost::host;
use crate::emit::construct::c_file::Little;
use crate::host_plan::ir::{Param, Region, Runs};
use crate::kernel::{Expr, ScalarType, UnaryOp};

/// Operators of a formula that takes longer than counting calls does.
const LONG: usize = 8;

/// The test of a call, which need not be evaluated each time where it is long.
pub fn little(region: &Region) -> Option<Little> {
    let test = test(region)?;
    let operators = test.split(' ').filter(|word| ["*", "+", "-", "/", "?", ":", "<", ">", ">=", "<="].contains(word));
    let is_long = operators.count() > LONG;
    Some(Little { test, is_long })
}

/// The test, where all that it needs are numbers that the call hands over anyway.
fn test(region: &Region) -> Option<String> {
    let estimate = region.offload.as_ref().filter(|_| region.only_if.is_none())?;
    if !estimate.is_known {
        let times = |r: &Runs| product(region, "1.0".into(), &r.counts);
        let all: Option<Vec<String>> = estimate.runs.iter().map(times).collect();
        return Some(format!("{} < {}", all?.join(" + "), host::MANY_ITERATIONS));
    }
    let runs: Option<Vec<String>> = estimate.runs.iter().map(|r| run(region, r)).collect();
    let waits: i64 = estimate.waits.iter().filter(|w| w.counts.is_empty()).map(|w| w.ns).sum();
    let copies = region.arrays.iter().filter(|a| a.on_host).map(|a| {
        let comes_home = a.live_out.is_some() && !(region.leaves && a.may_stay());
        usize::from(a.live_in.is_some()) + usize::from(comes_home)
    });
    let least = host::CALL_NS + waits as f64 + copies.sum::<usize>() as f64 * host::COPY_NS;
    let line = line(&estimate.runs);
    if let Some(Line { constant, size: None, .. }) = line {
        return (constant < least).then(|| "1".into());
    }
    let of_one = line.and_then(|line| of_one_size(region, &line, least));
    Some(of_one.unwrap_or(format!("{} < {least:.1}", runs?.join(" + "))))
}

/// Nanoseconds that statements take a core at most.
fn run(region: &Region, runs: &Runs) -> Option<String> {
    product(region, format!("{:.3}", each_ns(runs)?), &runs.counts)
}

/// The same for one time.
fn each_ns(runs: &Runs) -> Option<f64> {
    let each = host::far_ns(runs.operations?, runs.accesses, runs.at_once);
    Some(each / runs.one_of.max(1) as f64)
}

/// Nanoseconds that depend on one size of the call, or on none: a constant, and so many for each of the size.
struct Line<'r> {
    constant: f64,
    each: f64,
    size: Option<&'r String>,
}

/// Time that statements take, where all run as often as constants and one size say.
fn line(runs: &[Runs]) -> Option<Line<'_>> {
    let mut line = Line { constant: 0.0, each: 0.0, size: None };
    for run in runs {
        let (mut times, mut of) = (each_ns(run)?, None);
        for count in &run.counts {
            match count {
                Expr::Int(n) => times *= *n as f64,
                Expr::Var(name) if of.is_none() => of = Some(name),
                _ => return None,
            }
        }
        match of {
            None => line.constant += times,
            Some(name) if line.size.is_none_or(|known| known == name) => {
                line.size = of;
                line.each += times;
            }
            Some(_) => return None,
        }
    }
    Some(line)
}

/// The test of one size, an integer: `n < 22100`. It takes a tenth of the time that the formula takes in floating-point numbers.
fn of_one_size(region: &Region, line: &Line, least: f64) -> Option<String> {
    let size = line.size?;
    let is_integer = |p: &Param| matches!(p, Param::Scalar { name, ty: ScalarType::Int(_), .. } if name == size);
    let most = ((least - line.constant) / line.each).ceil();
    // Larger ones are no integers of C's.
    let is_exact = (1.0..f64::from(i32::MAX)).contains(&most) && region.params.iter().any(is_integer);
    Some(format!("{} < {most:.0}", text(region, &Expr::Var(size.clone()))?)).filter(|_| is_exact)
}

/// A number, a floating one, times counts.
fn product(region: &Region, mut number: String, counts: &[Expr]) -> Option<String> {
    for count in counts {
        number += &format!(" * {}", text(region, count)?);
    }
    Some(number)
}

/// A count divided by a number, as C; `is_up`: rounded up, else down.
fn divided(region: &Region, a: &Expr, by: &Expr, is_up: bool) -> Option<String> {
    let Expr::Int(by @ 1..) = by else { return None };
    let a = text(region, a)?;
    Some(if is_up { format!("(((double){a} + {}) / {by})", by - 1) } else { format!("((double){a} / {by})") })
}

/// The smaller or the larger of two counts, as C.
fn chosen(region: &Region, a: &Expr, sign: char, b: &Expr) -> Option<String> {
    let (a, b) = (text(region, a)?, text(region, b)?);
    Some(format!("({a} {sign} {b} ? {a} : {b})"))
}

/// A count as C, of numbers of the call's.
fn text(region: &Region, e: &Expr) -> Option<String> {
    match e {
        Expr::Int(n) => Some(n.to_string()),
        Expr::Var(name) => region.params.iter().find_map(|p| match p {
            Param::Scalar { name: given, c_expr, .. } if given == name => {
                let is_name = c_expr.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.".contains(&b));
                Some(if is_name { c_expr.clone() } else { format!("({c_expr})") })
            }
            _ => None,
        }),
        Expr::Cast(_, inner) => text(region, inner),
        Expr::Binary(op @ (BinOp::Add | BinOp::Sub), a, b) => {
            let sign = if *op == BinOp::Add { '+' } else { '-' };
            Some(format!("((double){} {sign} {})", text(region, a)?, text(region, b)?))
        }
        Expr::Binary(BinOp::Mul, a, b) => Some(format!("((double){} * {})", text(region, a)?, text(region, b)?)),
        Expr::Unary(UnaryOp::Neg, a) => Some(format!("(-(double){})", text(region, a)?)),
        Expr::Binary(op, a, b) if op.is_boolean() => {
            Some(format!("({} {} {})", text(region, a)?, op.symbol(), text(region, b)?))
        }
        Expr::Cond(c, a, b) => Some(format!("({} ? {} : {})", text(region, c)?, text(region, a)?, text(region, b)?)),
        Expr::Min(a, b) => chosen(region, a, '<', b),
        Expr::Max(a, b) => chosen(region, a, '>', b),
        // Steps of a loop that does several elements in one, to less than a step.
        Expr::FloorDiv(a, by) | Expr::Binary(BinOp::Div, a, by) => divided(region, a, by, false),
        Expr::CeilDiv(a, by) => divided(region, a, by, true),
        _ => None,
    }
}
