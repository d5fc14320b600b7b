//! How far an axis of a band reaches, as an expression over the parameters and the host's counters.

use super::index;
use super::lower::Lowering;
use super::parallel::Analysis;
use crate::ast::{BinOp, VarId};
use crate::facts::Reason;
use crate::isl::{AstBuild, AstExpr, AstOp, Dim, Error, ErrorKind, Map, PwAff, Set};
use crate::kernel::{Expr, UnaryOp};
use crate::poly::Failure;
use crate::poly::dependence::level_of;
use crate::region::{Access, Loop, LoopId, StmtId};
use crate::source::Span;

/// The number of iterations of a loop whose bounds use no counter of the nest.
pub fn count(l: &Loop, lower: &mut Lowering) -> Expr {
    let distances: Vec<Expr> = l
        .limits
        .iter()
        .map(|limit| {
            let (end, begin) = if l.step > 0 { (limit, &l.first) } else { (&l.first, limit) };
            match end.plus(begin, -1) {
                Some(difference) => lower.poly(&difference),
                None => index::binary(BinOp::Sub, lower.poly(end), lower.poly(begin)),
            }
        })
        .collect();
    let distance = index::min(distances).expect("a loop has a limit");
    index::ceil_div(distance, Expr::Int(l.step.abs()))
}

/// Most iterations that its own bounds, or known extents of the arrays that it walks through, leave a loop; an estimate,
/// since some access may not run.
pub fn most_iterations(a: &Analysis, id: LoopId) -> Option<i64> {
    let l = a.part.get_loop(id);
    let stmts = a.part.stmts.iter().filter(|s| s.loops.contains(&id) && s.guards.is_empty());
    let by_array = |x: &Access| {
        let (index, shape) = (x.index.as_ref()?, &a.part.data.get(&x.data)?.shape);
        let extents = std::iter::once(shape.outer.as_ref()).chain(shape.inner.iter().map(Some));
        let walked = index.iter().zip(extents).filter(|(p, _)| p.coefficient(l.var) != 0);
        walked.filter_map(|(p, extent)| Some(extent?.as_constant()? / p.coefficient(l.var).abs() + 1)).min()
    };
    let arrays = stmts.flat_map(|s| &s.accesses).filter_map(by_array);
    arrays.chain(l.most_iterations()).min()
}

/// Most points of some loops, as far as that is known.
pub fn most_points<'l>(a: &Analysis, loops: impl IntoIterator<Item = &'l LoopId>) -> Option<i64> {
    loops.into_iter().try_fold(1i64, |all, id| all.checked_mul(most_iterations(a, *id)?))
}

/// Test that no loop's bounds depend on the counters of the others.
pub fn is_box(a: &Analysis, loops: &[LoopId]) -> bool {
    let mut vars = loops.iter().map(|l| a.part.get_loop(*l).var);
    vars.all(|v| loops.iter().all(|l| is_free(a.part.get_loop(*l), v)))
}

/// Test that a loop's bounds do not depend on a counter.
pub fn is_free(l: &Loop, counter: VarId) -> bool {
    !l.first.uses(counter) && l.limits.iter().all(|p| !p.uses(counter))
}

/// The greatest number of iterations that a loop has for any values of the other axes' counters: the extent of the
/// bounding box, tight (isl's parametric maximum). `host` are the loops around the nest, whose counters stay symbols.
pub fn bounding_count(
    a: &Analysis,
    l: LoopId,
    stmts: &[StmtId],
    host: &[LoopId],
    lower: &mut Lowering,
) -> Result<Expr, Failure> {
    let axis = a.part.get_loop(l);
    let (first, stride) = (a.scop.spelling.text(&axis.first), axis.step);
    let reach = |var: &str| format!("{var} = {first} + {stride} rt_o");
    let greatest = End::Last.of(a, &reached(a, l, stmts, host, &reach)?)?;
    Ok(index::add(expr(a, &a.scop.context, &greatest, lower)?, Expr::Int(1)))
}

/// The least value that a counter of step 1 has for any values of the other axes' counters, and how many there are from
/// it to the greatest.
pub fn bounding_range(
    a: &Analysis,
    l: LoopId,
    stmts: &[StmtId],
    host: &[LoopId],
    lower: &mut Lowering,
) -> Result<(Expr, Expr), Failure> {
    let all = reached(a, l, stmts, host, &|var| format!("rt_o = {var}"))?;
    let known = &a.scop.context;
    let least = expr(a, known, &End::First.of(a, &all)?, lower)?;
    let end = index::add(expr(a, known, &End::Last.of(a, &all)?, lower)?, Expr::Int(1));
    let count = if least == Expr::Int(0) { end } else { index::binary(BinOp::Sub, end, least.clone()) };
    Ok((least, count))
}

/// An end of a set of numbers.
#[derive(Debug, Clone, Copy)]
pub enum End {
    /// The least.
    First,
    /// The greatest.
    Last,
}

impl End {
    /// The number at that end, by parameters. isl's optima are at times wrong where there are remainders (0.27 looks for
    /// bounds of a remainder among constraints that it takes for sorted), so that these are held to the set.
    ///
    /// # Errors
    /// Nothing bounds the numbers, or isl does not find the end.
    pub fn of(self, a: &Analysis, numbers: &Set) -> Result<PwAff, Failure> {
        let (end, beyond) = match self {
            End::First => (numbers.dim_min(0), "{ [v] -> [x] : x < v }"),
            End::Last => (numbers.dim_max(0), "{ [v] -> [x] : x > v }"),
        };
        let is_unbounded = |e: &Error| e.kind == ErrorKind::Invalid;
        let end = end.map_err(|e| if is_unbounded(&e) { not_found() } else { e.into() })?;
        if numbers.involves_locals()? {
            let beyond = Set::from_pw_aff(&end)?.apply(&Map::parse(&a.scop.ctx, beyond)?)?;
            if !numbers.is_disjoint(&beyond)? || !numbers.params()?.is_subset(&end.domain()?)? {
                return Err(not_found());
            }
        }
        Ok(end.coalesce()?)
    }
}

fn not_found() -> Failure {
    let message = "how much of an array this region uses was not found as an expression of its sizes";
    Failure::Declined(Box::new(Reason::new("unknown-extent", message, Span::default())))
}

/// The numbers `rt_o` that stand in the relation given to the counter of a loop, over all its iterations. The counters
/// of `host` are parameters of the set.
fn reached(
    a: &Analysis,
    l: LoopId,
    stmts: &[StmtId],
    host: &[LoopId],
    relation: &dyn Fn(&str) -> String,
) -> Result<Set, Failure> {
    let spelling = &a.scop.spelling;
    let relation = relation(&spelling.counters[&a.part.get_loop(l).var]);
    let mut offsets: Option<Set> = None;
    for &s in stmts.iter().filter(|s| level_of(a.part, **s, l).is_some()) {
        let tuple = spelling.tuple(a.part, s);
        let text = format!("{}{{ {tuple} -> [rt_o] : {relation} }}", spelling.prefix());
        let mut domain = a.scop.domains[s.0].clone();
        for h in host {
            if let Some(level) = level_of(a.part, s, *h) {
                // The extent may depend on the host's counter.
                domain = with_counter(&domain, level, &spelling.counters[&a.part.get_loop(*h).var])?;
            }
        }
        let reach = domain.apply(&Map::parse(&a.scop.ctx, &text)?)?;
        offsets = Some(match offsets {
            Some(all) => all.union(&reach)?,
            None => reach,
        });
    }
    Ok(offsets.expect("an axis has statements"))
}

/// The instances with a copy of a counter, the one of the loop at `level`, as a parameter.
pub fn with_counter(instances: &Set, level: usize, name: &str) -> Result<Set, Failure> {
    let symbol = symbol_of(name);
    // Of two parameters of one name isl takes the first for both.
    if instances.find_dim(Dim::Param, &symbol)?.is_some() {
        return Ok(instances.clone());
    }
    let n = instances.dim(Dim::Param)?;
    let with = instances.add_dims(Dim::Param, 1)?.set_dim_name(Dim::Param, n, &symbol)?;
    Ok(with.equate(Dim::Param, n, Dim::Out, level)?)
}

/// The parameter that stands for a counter.
pub fn symbol_of(name: &str) -> String {
    format!("rt_h_{name}")
}

/// What the subscripts of rows are called.
const ROW: &str = "rt_row";

/// The parameter, and the host's variable, that stands for a subscript of a row's pointer.
pub fn row_symbol(k: usize) -> String {
    format!("{ROW}{k}")
}

/// An isl expression over parameters of which a context is known, as kernel IR.
pub fn expr(a: &Analysis, known: &Set, p: &PwAff, lower: &mut Lowering) -> Result<Expr, Failure> {
    // Nothing is asked for what has a value for no sizes that the region runs with, and isl makes nothing of it.
    if p.domain()?.is_disjoint(known)? {
        return Ok(Expr::Int(0));
    }
    let build = AstBuild::from_context(known)?;
    // isl takes the function's parameters for those of the context, by position.
    match build.expr_from_pw_aff(&p.align_params(&known.space()?)?) {
        Ok(e) => Ok(convert(a, &e, lower)),
        // Of a function of many pieces with remainders isl makes nothing at times, and does not say why, or by a fault
        // of its own.
        Err(e) if matches!(e.kind, ErrorKind::Unknown | ErrorKind::Internal) => Err(not_found()),
        Err(e) => Err(e.into()),
    }
}

/// A condition on the parameters, as kernel IR: its cases, or what each of them excludes, whichever is shorter.
pub fn condition(a: &Analysis, set: &Set, lower: &mut Lowering) -> Result<Expr, Failure> {
    let build = AstBuild::from_context(&Set::parse(&a.scop.ctx, "{ : }")?)?;
    let cases = convert(a, &build.expr_from_set(set)?, lower);
    if set.basic_sets()?.len() < 2 {
        return Ok(cases);
    }
    let excluded = convert(a, &build.expr_from_set(&set.complement()?.coalesce()?)?, lower);
    Ok(match excluded.negated() {
        Some(clauses) if clauses.n_nodes() < cases.n_nodes() => clauses,
        _ => cases,
    })
}

fn convert(a: &Analysis, e: &AstExpr, lower: &mut Lowering) -> Expr {
    match e {
        AstExpr::Int(c) => Expr::Int(*c),
        AstExpr::Id(name) => symbol(a, name, lower),
        AstExpr::Op(op, args) => {
            let args: Vec<Expr> = args.iter().map(|x| convert(a, x, lower)).collect();
            operation(*op, args)
        }
    }
}

fn symbol(a: &Analysis, name: &str, lower: &mut Lowering) -> Expr {
    let spelling = &a.scop.spelling;
    if let Some(v) = spelling.counters.iter().find(|(_, n)| symbol_of(n) == name).map(|(v, _)| *v) {
        return lower.counters.get(&v).cloned().unwrap_or_else(|| index::var(&spelling.counters[&v]));
    }
    if name.starts_with(ROW) {
        return index::var(name);
    }
    lower.named_param(name).expect("isl invents no parameters")
}

fn operation(op: AstOp, args: Vec<Expr>) -> Expr {
    let plain = match op {
        AstOp::And | AstOp::AndThen => Some(BinOp::And),
        AstOp::Or | AstOp::OrElse => Some(BinOp::Or),
        AstOp::Add => Some(BinOp::Add),
        AstOp::Sub => Some(BinOp::Sub),
        AstOp::Mul => Some(BinOp::Mul),
        AstOp::Div | AstOp::PdivQ => Some(BinOp::Div),
        AstOp::PdivR | AstOp::ZdivR => Some(BinOp::Rem),
        AstOp::Eq => Some(BinOp::Eq),
        AstOp::Le => Some(BinOp::Le),
        AstOp::Lt => Some(BinOp::Lt),
        AstOp::Ge => Some(BinOp::Ge),
        AstOp::Gt => Some(BinOp::Gt),
        _ => None,
    };
    let mut args = args.into_iter();
    let mut next = || args.next().unwrap_or(Expr::Int(0));
    match op {
        AstOp::Minus => Expr::Unary(UnaryOp::Neg, Box::new(next())),
        AstOp::FdivQ => Expr::FloorDiv(Box::new(next()), Box::new(next())),
        AstOp::Cond | AstOp::Select => Expr::Cond(Box::new(next()), Box::new(next()), Box::new(next())),
        AstOp::Min => index::min(args).unwrap_or(Expr::Int(0)),
        AstOp::Max => index::max(args).unwrap_or(Expr::Int(0)),
        _ => {
            let op = plain.expect("isl builds conditions and numbers from these alone");
            let first = next();
            args.fold(first, |a, b| index::binary(op, a, b))
        }
    }
}
