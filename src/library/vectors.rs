//! Operators of which each result is one expression of elements: axpy, scal, copy and swap of vectors, ger, sums and
//! transposes of matrices (geam), dot and asum.
//!
//! ```text
//! y[i] += alpha x[i]              axpy        a[i][j] += alpha x[i] y[j]                 ger
//! x[i] *= alpha                   scal        c[i][j] = alpha a[i][j] + beta b[j][i]     geam
//! y[i] = x[i]                     copy        t = x[i]; x[i] = y[i]; y[i] = t            swap
//! s += alpha x[i] y[i]            dot         s += fabs(x[i])                            asum
//! ```
//! Loops along which all operands go on are one: a whole matrix may be a vector. (There is no nrm2 among them: C takes the
//! root of a sum of squares, which is a dot; BLAS scales the squares, so that its result differs where these overflow.)

use super::contraction::merge;
use super::operator::{Operator, What};
use super::triangle::Domain;
use super::updates::{Equation, Product, equation};
use super::view::{View, is, load};
use super::{Found, Range, Scale, is_known};
use crate::ast::{Expr, ExprKind, StmtKind, Type, VarId};
use crate::facts::Reason;
use crate::facts::symbolic::Poly;
use crate::kernel::{ReduceOp, ScalarType, Usage};
use crate::poly::Failure;
use crate::region::{Access, LoopId, Statement, StmtId, Tree};
use crate::schedule::lower::scalar_type;
use crate::schedule::parallel::Analysis;
use crate::schedule::{Mode, Nest};

/// What a nest without loops in its threads is, below loops of the host.
pub fn vectors(a: &Analysis, nest: &Nest, outer: &[LoopId]) -> Result<Found, Failure> {
    if nest.body.iter().any(|t| !matches!(t, Tree::Stmt(_))) {
        return Ok(Found::Nothing);
    }
    let stmts = nest.stmts();
    let m = Matcher { a, stmts: &stmts, outer };
    let found = match nest.mode {
        Mode::OneThread | Mode::Scan => return Ok(Found::Nothing),
        Mode::Reduce => m.reduced(),
        Mode::Parallel => match m.swapped() {
            Some(found) => Some(found),
            None => equation(a, &stmts, outer)?.and_then(|e| m.computed(&e)),
        },
    };
    Ok(match found {
        Some(Ok(operators)) => Found::Operators(operators),
        Some(Err((what, differs))) => {
            let span = a.part.stmt(stmts[0]).body.span;
            Found::Near(Reason::new("library", format!("this is nearly {}, but {differs}", what.noun()), span))
        }
        None => Found::Nothing,
    })
}

struct Matcher<'a> {
    a: &'a Analysis<'a>,
    stmts: &'a [StmtId],
    outer: &'a [LoopId],
}

/// The operators, or which it nearly is and what differs; `None` where it is far from one.
type Outcome = Option<Result<Vec<Operator>, (What, String)>>;

impl<'a> Matcher<'a> {
    fn name(&self, v: VarId) -> String {
        self.a.unit.var(v).name.clone()
    }

    fn domain(&self, s: StmtId) -> Option<Domain> {
        let loops: Vec<LoopId> =
            self.a.part.stmt(s).loops.iter().copied().filter(|l| !self.outer.contains(l)).collect();
        Domain::of(self.a.part, &loops, |v| self.name(v)).ok().filter(|d| d.triangle.is_none())
    }

    /// The views of accesses under the loops of a statement, loops that go on as one joined.
    fn views(&self, s: StmtId, accesses: &[&Access]) -> Option<(Vec<Range>, Vec<View>)> {
        let domain = self.domain(s)?;
        let loops: Vec<_> =
            domain.loops.iter().map(|(l, range)| (self.a.part.get_loop(*l).var, range.first.clone())).collect();
        let views: Option<Vec<View>> = accesses.iter().map(|x| View::of(self.a.part, x, &loops)).collect();
        let (mut views, mut ranges) = (views?, domain.loops.iter().map(|(_, r)| r.clone()).collect());
        merge(&mut ranges, &mut views.iter_mut().collect::<Vec<_>>());
        Some((ranges, views))
    }

    fn element(&self, all: &[VarId]) -> Option<ScalarType> {
        let elem = &self.a.part.data[&all[0]].elem;
        let is_float = matches!(elem, Type::Float(_)) && all.iter().all(|v| self.a.part.data[v].elem == *elem);
        scalar_type(elem).filter(|_| is_float)
    }

    /// `t = x; x = y; y = t`
    fn swapped(&self) -> Outcome {
        let mut stmts = self
            .stmts
            .iter()
            .map(|s| (*s, self.a.part.stmt(*s)))
            .filter(|(_, s)| !matches!(&s.body.kind, StmtKind::Decl(ds) if ds.iter().all(|d| d.init.is_none())));
        let [(_, first), (at, second), (_, third)] = [stmts.next()?, stmts.next()?, stmts.next()?];
        let is_plain = [first, second, third].iter().all(|s| s.guards.is_empty() && s.loops == second.loops);
        if stmts.next().is_some() || !is_plain {
            return None;
        }
        let assigned = |s: &'a Statement| match &s.body.kind {
            StmtKind::Expr(Expr { kind: ExprKind::Assign { op: None, target, value }, .. }) => {
                (target.ty == value.ty).then_some((&**target, &**value))
            }
            _ => None,
        };
        let (kept, x) = match &first.body.kind {
            StmtKind::Decl(ds) => (ds.first()?.var, ds.first()?.init.as_ref()?),
            _ => match assigned(first)? {
                (Expr { kind: ExprKind::Var(v), .. }, value) => (*v, value),
                _ => return None,
            },
        };
        let ((to_x, y), (to_y, last)) = (assigned(second)?, assigned(third)?);
        if !last.is_var(kept) || self.a.live_out.contains(&kept) {
            return None;
        }
        let (x, to_x) = (load(first, x)?, load(second, to_x)?);
        let (y, to_y) = (load(second, y)?, load(third, to_y)?);
        let is_same = |a: &Access, b: &Access| a.data == b.data && a.index.is_some() && a.index == b.index;
        if !is_same(x, to_x) || !is_same(y, to_y) {
            return None;
        }
        let differs = |why: &str| Some(Err((What::Swap, why.to_string())));
        if x.data == y.data {
            return differs("both are elements of one array");
        }
        let (ranges, views) = self.views(at, &[to_x, y])?;
        let ([range], [x, y]) = (ranges.as_slice(), views.as_slice()) else {
            return differs("its elements do not lie in one line");
        };
        let ty = self.element(&[x.data, y.data])?;
        Some(Ok(vec![self.of_vectors(What::Swap, ty, range, Scale::default(), vec![x], y)?]))
    }

    /// An operator of vectors; the result is both read and written but for a copy.
    fn of_vectors(
        &self,
        what: What,
        ty: ScalarType,
        range: &Range,
        alpha: Scale,
        operands: Vec<&View>,
        result: &View,
    ) -> Option<Operator> {
        let vector = |v: &View| View { along: vec![v.along[0].clone(), Poly::default(), Poly::default()], ..v.clone() };
        let usage = if what == What::Copy { Usage::Write } else { Usage::ReadWrite };
        Some(Operator {
            what,
            ty,
            sizes: vec![range.end.plus(&range.first, -1)?],
            flags: vec![],
            alpha,
            operands: operands.into_iter().map(vector).collect(),
            beta: None,
            result: vector(result),
            usage,
        })
    }

    /// One statement's element, computed from others.
    fn computed(&self, e: &Equation) -> Outcome {
        let [(stmt, target)] = e.writes.as_slice() else { return None };
        let loops = |s: StmtId| &self.a.part.stmt(s).loops;
        if e.divisor.is_some() || e.products.iter().any(|(p, _)| loops(p.stmt) != loops(*stmt)) {
            return None;
        }
        let loads = || e.products.iter().flat_map(|(p, _)| &p.loads).copied();
        let mut all: Vec<&Access> = vec![target];
        all.extend(loads());
        let (ranges, views) = self.views(*stmt, &all)?;
        let (result, others) = views.split_first()?;
        let ty = self.element(&views.iter().map(|v| v.data).collect::<Vec<_>>())?;
        let is_in_place = others.iter().any(|v| v.data == result.data);
        let products: Vec<&Product> = e.products.iter().map(|(p, _)| p).collect();
        let kept = match &e.kept {
            Some(kept) if !kept.loads.is_empty() => return None,
            kept => kept.as_ref().map(|kept| kept.scale.clone()),
        };
        let is_kept = kept == Some(Scale::default());
        match (ranges.as_slice(), products.as_slice()) {
            ([range], []) if !is_kept => {
                let alpha = kept?;
                Some(Ok(vec![self.of_vectors(What::Scal, ty, range, alpha, vec![], result)?]))
            }
            ([range], [p]) if p.loads.len() == 1 && !is(&others[0].along[0], 0) => {
                let what = if kept.is_some() { What::Axpy } else { What::Copy };
                if kept.is_some() && !is_kept {
                    return Some(Err((what, "what is there before has a factor".into())));
                }
                if kept.is_none() && p.scale != Scale::default() {
                    return Some(Err((what, "what is copied has a factor".into())));
                }
                if is_in_place {
                    return Some(Err((what, format!("`{}` is read as well as written", self.name(result.data)))));
                }
                Some(Ok(vec![self.of_vectors(what, ty, range, p.scale.clone(), vec![&others[0]], result)?]))
            }
            ([rows, columns], [_, ..]) if products.iter().all(|p| p.loads.len() == 2) && is_kept && !is_in_place => {
                let mut operators = vec![];
                for (p, factors) in products.iter().zip(others.chunks(2)) {
                    match self.ger(ty, [rows, columns], &p.scale, factors, result) {
                        Ok(operator) => operators.push(operator),
                        Err(differs) => return Some(Err((What::Ger, differs))),
                    }
                }
                Some(Ok(operators))
            }
            ([rows, columns], [..]) if products.iter().all(|p| p.loads.len() == 1) => {
                let found = match is_in_place {
                    true => Err(format!("`{}` is read as well as written", self.name(result.data))),
                    false => self.geam(ty, [rows, columns], &products, others, (kept, result)),
                };
                Some(found.map(|o| vec![o]).map_err(|differs| (What::Geam, differs)))
            }
            _ => None,
        }
    }

    fn sizes(&self, ranges: [&Range; 2]) -> Result<Vec<Poly>, String> {
        let all = ranges.into_iter().map(|r| r.end.plus(&r.first, -1));
        all.collect::<Option<_>>().ok_or_else(|| "its size is too large a number".to_string())
    }

    fn is_matrix(&self, v: &View) -> Result<(), String> {
        match is(&v.along[0], 1) == is(&v.along[1], 1) {
            true => Err(format!("neither rows nor columns of `{}` are contiguous", self.name(v.data))),
            false => Ok(()),
        }
    }

    fn ger(
        &self,
        ty: ScalarType,
        ranges: [&Range; 2],
        alpha: &Scale,
        factors: &[View],
        result: &View,
    ) -> Result<Operator, String> {
        let along = |v: &View| [!is(&v.along[0], 0), !is(&v.along[1], 0)];
        let (x, y) = match (along(&factors[0]), along(&factors[1])) {
            ([true, false], [false, true]) => (&factors[0], &factors[1]),
            ([false, true], [true, false]) => (&factors[1], &factors[0]),
            _ => return Err("its factors are not one along the rows and one along the columns".into()),
        };
        self.is_matrix(result)?;
        let vector = |v: &View, at: usize| View {
            along: vec![v.along[at].clone(), Poly::default(), Poly::default()],
            ..v.clone()
        };
        Ok(Operator {
            what: What::Ger,
            ty,
            sizes: self.sizes(ranges)?,
            flags: vec![],
            alpha: alpha.clone(),
            operands: vec![vector(x, 0), vector(y, 1)],
            beta: None,
            result: matrix(result),
            usage: Usage::ReadWrite,
        })
    }

    fn geam(
        &self,
        ty: ScalarType,
        ranges: [&Range; 2],
        products: &[&Product],
        others: &[View],
        (kept, result): (Option<Scale>, &View),
    ) -> Result<Operator, String> {
        for v in others.iter().chain([result]) {
            if v.along[..2].iter().any(|along| is(along, 0)) {
                return Err(format!("`{}` is the same for all rows, or all columns", self.name(v.data)));
            }
            self.is_matrix(v)?;
        }
        let alpha = products.first().map_or(Scale::default(), |p| p.scale.clone());
        let (operands, beta, usage) = match (products, kept) {
            ([_], None) => (vec![matrix(&others[0])], None, Usage::Write),
            ([_, second], None) => {
                (vec![matrix(&others[0]), matrix(&others[1])], Some(second.scale.clone()), Usage::Write)
            }
            ([_], Some(kept)) => (vec![matrix(&others[0]), matrix(result)], Some(kept), Usage::ReadWrite),
            _ => return Err("it is no sum of two matrices".into()),
        };
        let result = matrix(result);
        Ok(Operator {
            what: What::Geam,
            ty,
            sizes: self.sizes(ranges)?,
            flags: vec![],
            alpha,
            operands,
            beta,
            result,
            usage,
        })
    }

    /// A sum over all iterations.
    fn reduced(&self) -> Outcome {
        let [id] = self.stmts else { return None };
        let stmt = self.a.part.stmt(*id);
        let sum = stmt.reduction.as_ref().filter(|r| r.op == ReduceOp::Add && stmt.guards.is_empty())?;
        let [term] = super::factors::terms(&sum.value).try_into().ok()?;
        let target = stmt.accesses.iter().find(|x| x.data == sum.data && x.index.is_some())?;
        let mut alpha = Scale { factors: vec![], is_negative: term.is_negative };
        let (mut loads, mut is_absolute) = (vec![], false);
        for f in term.factors {
            match (&f.kind, load(stmt, f)) {
                (_, Some(x)) => loads.push(x),
                (ExprKind::Call { name, args }, _) if is_fabs(name, f) => {
                    loads.push(load(stmt, args.first()?)?);
                    is_absolute = true;
                }
                _ if is_known(self.a, self.stmts, f) => alpha.factors.push(f.clone()),
                _ => return None,
            }
        }
        let what = if is_absolute { What::Asum } else { What::Dot };
        if loads.len() != if is_absolute { 1 } else { 2 } {
            return None;
        }
        let differs = |why: &str| Some(Err((what, why.to_string())));
        if sum.value.ty != self.a.part.data[&sum.data].elem {
            return differs("the sum is kept in another type than the products are computed in");
        }
        let all: Vec<&Access> = [target].into_iter().chain(loads).collect();
        let (ranges, views) = self.views(*id, &all)?;
        let Some(ty) = self.element(&views.iter().map(|v| v.data).collect::<Vec<_>>()) else {
            return differs("its elements are of different types, or not floating-point numbers");
        };
        let [range] = ranges.as_slice() else { return differs("its elements do not lie in one line") };
        let (result, operands) = views.split_first()?;
        if !is(&result.along[0], 0) || operands.iter().any(|v| is(&v.along[0], 0)) {
            return differs("one of its factors does not change along the sum");
        }
        if operands.iter().any(|v| v.data == result.data) {
            return differs("the sum is an element of what is summed");
        }
        let operands: Vec<&View> = operands.iter().collect();
        Some(Ok(vec![self.of_vectors(what, ty, range, alpha, operands, result)?]))
    }
}

/// Test that a call takes the absolute value in the type of its argument.
fn is_fabs(name: &str, call: &Expr) -> bool {
    let takes = call.children().first().map(|x| x.ty.clone());
    matches!(name.trim_start_matches("__builtin_"), "fabs" | "fabsf") && takes.is_some_and(|ty| ty == call.ty)
}

fn matrix(v: &View) -> View {
    View { along: vec![v.along[0].clone(), v.along[1].clone(), Poly::default()], ..v.clone() }
}
