//! A [`StaticPart`] as isl sees it.
//!
//! ```text
//! domain    S0[i, j]                 one set a statement, over its loops, outermost first
//! access    S0[i, j] -> D3[i + 1, j] one map an access; the whole array where the subscript is not affine
//! order     a schedule tree: a band a loop, a sequence a body
//! ```
//! Obligations of accesses are settled here: proved over the domain, turned into a condition on the parameters that
//! the program checks when it runs, or, where no parameters would do, the subscript is given up. Shapes that the user
//! states are held to the code in `src/poly/scop/stated.rs`.

mod context;
mod first_rows;
mod stated;

pub use context::Sizes;

use super::Failure;
use super::names::Names;
use crate::ast::{BinOp, IntKind, Type, Unit, VarId};
use crate::facts::symbolic::{Fact, ParamId, Poly, Sym};
use crate::facts::{Reason, remedy};
use crate::isl::{Ctx, Map, Mupa, Schedule, Set, UMap};
use crate::region::{
    Access, AccessKind, Condition, Loop, LoopId, Reach, Relation, Statement, StaticPart, StmtId, Tree,
};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The sets and maps of a static control part; vectors are indexed as the part's own.
pub struct Scop {
    pub ctx: Ctx,
    pub spelling: Spelling,
    /// Values of parameters for which the part was modelled exactly.
    pub context: Set,
    /// What the parameters' types alone say; where `context` is narrower, the program checks it.
    pub declared: Set,
    /// What the analysis takes parameters to be: see [`Sizes`].
    pub sizes: Sizes,
    pub domains: Vec<Set>,
    /// By statement, then by access.
    pub accesses: Vec<Vec<Map>>,
    /// Accesses that leave a stated shape whenever they are made: `context` is without the sizes for which they are.
    pub leaving: Vec<Reason>,
    parsed: Rc<Parsed>,
}

/// What was parsed, by its text: isl's parser takes its time, and a part under other loops says much the same again.
#[derive(Default)]
struct Parsed {
    sets: RefCell<BTreeMap<String, Set>>,
    maps: RefCell<BTreeMap<String, Map>>,
}

/// How the symbols of a part are written in isl's text.
#[derive(Debug, Clone)]
pub struct Spelling {
    /// By [`ParamId`].
    pub params: Vec<String>,
    pub counters: BTreeMap<VarId, String>,
}

impl Spelling {
    /// `[n, m] -> `
    pub fn prefix(&self) -> String {
        format!("[{}] -> ", self.params.join(", "))
    }

    /// A counter, of the part or of a loop within a statement.
    fn counter(&self, v: VarId) -> String {
        self.counters.get(&v).cloned().unwrap_or_else(|| format!("rt_own{}", v.0))
    }

    /// A condition for some iteration of loops within a statement, and some values that the data choose.
    fn within(&self, reach: &Reach, condition: &str) -> String {
        let ranges = || reach.loops.iter().map(std::slice::from_ref).chain(reach.chosen.iter().map(Vec::as_slice));
        let unknown = || reach.unknown.iter().map(|u| (self.counter(u.symbol), &u.length));
        let counters = ranges().map(|loops| self.counter(loops[0].var)).chain(unknown().map(|(name, _)| name));
        let any = |loops: &[Loop]| loops.iter().map(|l| self.bounds(l)).collect::<Vec<_>>().join(" or ");
        let in_row =
            |(name, length): (String, &Option<Poly>)| Some(format!("0 <= {name} < {}", self.text(length.as_ref()?)));
        let bounds = ranges().map(|loops| format!("({})", any(loops))).chain(unknown().filter_map(in_row));
        let all: Vec<String> = bounds.chain([condition.to_string()]).collect();
        format!("(exists {} : {})", counters.collect::<Vec<_>>().join(", "), all.join(" and "))
    }

    /// A polynomial.
    pub fn text(&self, p: &Poly) -> String {
        p.isl(&|s| match s {
            Sym::Counter(v) => self.counter(*v),
            Sym::Param(ParamId(i)) => self.params[*i as usize].clone(),
            Sym::Floor(..) => unreachable!("floors are printed by Poly itself"),
        })
    }

    /// The bounds of a loop, as a condition on its counter.
    pub fn bounds(&self, l: &Loop) -> String {
        let (var, first) = (self.counter(l.var), self.text(&l.first));
        let (begin, end) = if l.step > 0 { (">=", "<") } else { ("<=", ">") };
        let mut out = format!("{var} {begin} {first}");
        for limit in &l.limits {
            out += &format!(" and {var} {end} {}", self.text(limit));
        }
        if l.step.abs() != 1 {
            out += &format!(" and ({var} - ({first})) mod {} = 0", l.step.abs());
        }
        out
    }

    /// `S3[i, j]`
    pub fn tuple(&self, part: &StaticPart, id: StmtId) -> String {
        let names: Vec<&str> =
            part.stmt(id).loops.iter().map(|l| self.counters[&part.get_loop(*l).var].as_str()).collect();
        format!("S{}[{}]", id.0, names.join(", "))
    }
}

/// The union of some maps.
pub fn union<'a>(ctx: &Ctx, maps: impl IntoIterator<Item = &'a Map>) -> Result<UMap, Failure> {
    let mut out = UMap::empty(ctx)?;
    for m in maps {
        out = out.union(&m.to_union()?)?;
    }
    Ok(out)
}

/// Builds the polyhedral view; subscripts whose obligations cannot hold are given up in `part`. `is_entered`: each call
/// of the function comes to it.
///
/// # Errors
/// The limit on isl's work.
pub fn build(
    ctx: &Ctx,
    unit: &Unit,
    part: &mut StaticPart,
    names: &mut Names,
    is_entered: bool,
) -> Result<Scop, Failure> {
    let param_names: Vec<String> = part
        .params
        .list
        .iter()
        .map(|p| match p.var {
            Some(v) => names.of(unit, v),
            None => names.of_expr(&p.name, &p.expr),
        })
        .collect();
    let mut counters = BTreeMap::new();
    for l in &part.loops {
        counters.entry(l.var).or_insert_with(|| names.of(unit, l.var));
    }
    let spelling = Spelling { params: param_names, counters };
    let parsed = Rc::<Parsed>::default();
    let b = Builder { ctx, spelling: &spelling, parsed: &parsed };
    let declared = b.declared_context(unit, part)?;
    let mut context = b.natural_context(unit, part)?.intersect(&b.no_wrapped_sizes(unit, part)?)?;
    let mut domains = vec![];
    for i in 0..part.stmts.len() {
        domains.push(b.domain(part, StmtId(i))?.intersect_params(&context)?.coalesce()?);
    }
    let all = context.clone();
    let leaving = b.hold_to_stated(unit, part, is_entered, &mut domains, &mut context)?;
    let mut known = BTreeMap::new();
    for (i, domain) in domains.iter().enumerate() {
        b.settle(part, StmtId(i), domain, &mut context, &mut known)?;
    }
    b.hold_to_first_rows(part, &domains, &mut context)?;
    give_up_rows(part);
    b.hold_assertions(part, &mut context)?;
    context = context::of_few_pieces(context, &all, &domains)?;
    let (mut domains, mut accesses) = b.instances(part)?;
    let sizes = Sizes::new(&context, &b.widths(unit, part)?, &domains, &accesses)?;
    sizes.hold(&mut domains, &mut accesses)?;
    Ok(Scop { ctx: ctx.clone(), spelling, context, declared, sizes, domains, accesses, leaving, parsed })
}

/// Gives up rows that were found in subscripts none of which keeps to them.
fn give_up_rows(part: &mut StaticPart) {
    let knows = |a: &Access| (a.index.is_some() || a.reach.is_some()).then_some(a.data);
    let known: BTreeSet<VarId> = part.stmts.iter().flat_map(|s| &s.accesses).filter_map(knows).collect();
    let found = part.data.values_mut().filter(|d| d.shape.is_delinearised());
    found.filter(|d| !known.contains(&d.var)).for_each(|d| d.shape.give_up_found());
}

impl Scop {
    /// The view of a part with the same statements under other loops, whose obligations are settled.
    ///
    /// # Errors
    /// The limit on isl's work.
    pub fn under_other_loops(&self, part: &StaticPart, spelling: Spelling) -> Result<Scop, Failure> {
        let parsed = Rc::clone(&self.parsed);
        let b = Builder { ctx: &self.ctx, spelling: &spelling, parsed: &parsed };
        let (mut domains, mut accesses) = b.instances(part)?;
        self.sizes.hold(&mut domains, &mut accesses)?;
        let (context, declared, sizes) = (self.context.clone(), self.declared.clone(), self.sizes.clone());
        let (ctx, leaving) = (self.ctx.clone(), self.leaving.clone());
        Ok(Scop { ctx, spelling, context, declared, sizes, domains, accesses, leaving, parsed })
    }

    /// The view of the same part where it is only modelled for some of the sizes.
    ///
    /// # Errors
    /// The limit on isl's work.
    pub fn held_to(&self, unit: &Unit, part: &StaticPart, context: &Set) -> Result<Scop, Failure> {
        let b = Builder { ctx: &self.ctx, spelling: &self.spelling, parsed: &self.parsed };
        let (mut domains, mut accesses) = b.instances(part)?;
        let sizes = Sizes::new(context, &b.widths(unit, part)?, &domains, &accesses)?;
        sizes.hold(&mut domains, &mut accesses)?;
        let (ctx, leaving, parsed) = (self.ctx.clone(), self.leaving.clone(), Rc::clone(&self.parsed));
        let (spelling, context, declared) = (self.spelling.clone(), context.clone(), self.declared.clone());
        Ok(Scop { ctx, spelling, context, declared, sizes, domains, accesses, leaving, parsed })
    }

    /// The part's own order of the instances of some statements; `None` where it has none of them.
    ///
    /// # Errors
    /// The limit on isl's work.
    pub fn order(&self, part: &StaticPart, is_in: &dyn Fn(StmtId) -> bool) -> Result<Option<Schedule>, Failure> {
        let b = Builder { ctx: &self.ctx, spelling: &self.spelling, parsed: &self.parsed };
        b.order(part, &part.tree, &self.domains, is_in)
    }
}

/// The loops and guards around a statement, and which one it is where its domain is its own.
type Around = (Vec<LoopId>, Vec<String>, Option<StmtId>);

struct Builder<'a> {
    ctx: &'a Ctx,
    spelling: &'a Spelling,
    parsed: &'a Parsed,
}

impl Builder<'_> {
    /// The domains and accesses of a part, whatever the parameters.
    fn instances(&self, part: &StaticPart) -> Result<(Vec<Set>, Vec<Vec<Map>>), Failure> {
        let (mut domains, mut accesses) = (vec![], vec![]);
        for (i, stmt) in part.stmts.iter().enumerate() {
            let domain = self.domain(part, StmtId(i))?;
            let maps: Result<Vec<Map>, Failure> =
                stmt.accesses.iter().map(|a| self.access(part, StmtId(i), a, &domain)).collect();
            accesses.push(maps?);
            domains.push(domain);
        }
        Ok((domains, accesses))
    }

    /// What the widths of the parameters' unsigned types say of them.
    fn widths(&self, unit: &Unit, part: &StaticPart) -> Result<Set, Failure> {
        self.of_params(unit, part, |kind, name| {
            (kind.is_unsigned() && kind.bits() < 64).then(|| format!("{name} < {}", 1i64 << kind.bits()))
        })
    }

    fn set(&self, text: &str) -> Result<Set, Failure> {
        if let Some(known) = self.parsed.sets.borrow().get(text) {
            return Ok(known.clone());
        }
        let set = Set::parse(self.ctx, text)?;
        self.parsed.sets.borrow_mut().insert(text.to_string(), set.clone());
        Ok(set)
    }

    fn map(&self, text: String) -> Result<Map, Failure> {
        if let Some(known) = self.parsed.maps.borrow().get(&text) {
            return Ok(known.clone());
        }
        let map = Map::parse(self.ctx, &text)?;
        self.parsed.maps.borrow_mut().insert(text, map.clone());
        Ok(map)
    }

    /// What the parameters' C types say of them.
    fn declared_context(&self, unit: &Unit, part: &StaticPart) -> Result<Set, Failure> {
        let range = |kind: IntKind, name: &str| match (kind.is_unsigned(), kind.bits()) {
            (_, 64) => None,
            (true, bits) => Some(format!("0 <= {name} <= {}", (1i64 << bits) - 1)),
            (false, bits) => Some(format!("{} <= {name} < {}", -1i64 << (bits - 1), 1i64 << (bits - 1))),
        };
        self.of_params(unit, part, range)?.intersect(&self.natural_context(unit, part)?).map_err(Failure::from)
    }

    /// What helps analysis of that: that unsigned numbers are not negative, and how quotients round.
    fn natural_context(&self, unit: &Unit, part: &StaticPart) -> Result<Set, Failure> {
        let range = |kind: IntKind, name: &str| {
            (kind.is_unsigned() && kind.bits() < 64).then(|| format!("0 <= {name} <= {}", (1i64 << kind.bits()) - 1))
        };
        let facts: Vec<String> = part.params.facts.iter().map(|f| self.fact(f)).collect();
        Ok(self.of_params(unit, part, range)?.intersect(&self.sizes(&facts)?)?)
    }

    /// The values of parameters for which a condition holds on each that has one.
    fn of_params(
        &self,
        unit: &Unit,
        part: &StaticPart,
        condition: impl Fn(IntKind, &str) -> Option<String>,
    ) -> Result<Set, Failure> {
        let params = part.params.list.iter().zip(&self.spelling.params);
        let bounds = params.filter_map(|(p, name)| match p.var.map_or(&p.expr.ty, |v| &unit.var(v).ty) {
            Type::Int(kind) => condition(*kind, name),
            _ => None,
        });
        self.sizes(&bounds.collect::<Vec<_>>())
    }

    /// The values of parameters for which all of these hold.
    fn sizes(&self, conditions: &[String]) -> Result<Set, Failure> {
        let all = if conditions.is_empty() { "true".to_string() } else { conditions.join(" and ") };
        self.set(&format!("{}{{ : {all} }}", self.spelling.prefix()))
    }

    /// What C's rounding towards zero says of a quotient or a remainder.
    fn fact(&self, f: &Fact) -> String {
        let (x, d) = (self.spelling.text(&f.dividend), f.divisor);
        let value = &self.spelling.params[f.param.0 as usize];
        match f.op {
            BinOp::Div => {
                let (low, high) = (format!("{d}*{value} <= {x}"), format!("{x} <= {d}*{value}"));
                format!("(({x} >= 0 and {low} and {high} + {0}) or ({x} < 0 and {low} + {0} and {high}))", d - 1)
            }
            _ => format!(
                "(({x} >= 0 and 0 <= {value} < {d}) or ({x} < 0 and -{d} < {value} <= 0)) \
                 and (exists rt_q : {x} = {d}*rt_q + {value})"
            ),
        }
    }

    /// An unsigned number of 64 bits that is a negative one in disguise (`off = (size_t)-1`) is left to the original.
    fn no_wrapped_sizes(&self, unit: &Unit, part: &StaticPart) -> Result<Set, Failure> {
        self.of_params(unit, part, |kind, name| {
            (kind.is_unsigned() && kind.bits() == 64).then(|| format!("{name} >= 0"))
        })
    }

    fn domain(&self, part: &StaticPart, id: StmtId) -> Result<Set, Failure> {
        let stmt = part.stmt(id);
        self.domain_of(part, id, stmt.loops.len(), stmt.guards.len())
    }

    /// Where the first so many loops and guards around a statement lead.
    fn domain_of(&self, part: &StaticPart, id: StmtId, n_loops: usize, n_guards: usize) -> Result<Set, Failure> {
        let stmt = part.stmt(id);
        let loops = &stmt.loops[..n_loops];
        let mut constraints: Vec<String> = loops.iter().map(|l| self.spelling.bounds(part.get_loop(*l))).collect();
        constraints.extend(stmt.guards[..n_guards].iter().map(|g| self.condition(g)));
        let constraints = if constraints.is_empty() { "true".into() } else { constraints.join(" and ") };
        self.set(&format!("{}{{ {} : {constraints} }}", self.spelling.prefix(), self.spelling.tuple(part, id)))
    }

    fn condition(&self, c: &Condition) -> String {
        match c {
            Condition::Compare(p, r) => {
                let sign = match r {
                    Relation::Ge => ">=",
                    Relation::Gt => ">",
                    Relation::Eq => "=",
                    Relation::Ne => "!=",
                };
                format!("({} {sign} 0)", self.spelling.text(p))
            }
            Condition::And(a, b) => format!("({} and {})", self.condition(a), self.condition(b)),
            Condition::Or(a, b) => format!("({} or {})", self.condition(a), self.condition(b)),
            Condition::Not(a) => format!("(not {})", self.condition(a)),
        }
    }

    /// Settles the obligations of one statement: narrows `context` or gives subscripts up. `known`: what was found for
    /// statements below the same loops and guards.
    fn settle(
        &self,
        part: &mut StaticPart,
        id: StmtId,
        domain: &Set,
        context: &mut Set,
        known: &mut BTreeMap<Around, BTreeMap<Poly, bool>>,
    ) -> Result<(), Failure> {
        let tuple = self.spelling.tuple(part, id);
        let stmt = part.stmts[id.0].clone();
        let guards = stmt.guards.iter().map(|g| self.condition(g)).collect();
        // What leaves a stated shape is taken from one statement's domain alone.
        let own = part.data.values().any(|d| d.shape.stated.is_some()).then_some(id);
        let known = known.entry((stmt.loops.clone(), guards, own)).or_default();
        let mut holds = |(p, within): (&Poly, Option<&Reach>),
                         domain: &Set,
                         is_special: bool,
                         context: &mut Set|
         -> Result<bool, Failure> {
            if let Some(held) = known.get(p).filter(|_| !is_special) {
                return Ok(*held);
            }
            if !p.is_affine() {
                return Ok(false);
            }
            let bad = self.bad(&tuple, (p, within), domain)?;
            let held = bad.is_empty()? || {
                let narrowed = context.subtract(&bad.params()?)?.coalesce()?;
                let useful = !domain.intersect_params(&narrowed)?.is_empty()?;
                if useful {
                    *context = narrowed;
                }
                useful
            };
            if !is_special {
                known.insert(p.clone(), held);
            }
            Ok(held)
        };
        for o in &stmt.obligations {
            let around = self.domain_of(part, id, o.n_loops, o.n_guards)?.intersect_params(context)?;
            if !holds((&o.poly, None), &around, true, context)? {
                let place =
                    stmt.loops.get(o.n_loops).or(stmt.loops.last()).map_or(stmt.body.span, |l| part.get_loop(*l).span);
                let message = "a bound of this loop is divided below zero, where C rounds up, or wraps around";
                return Err(Failure::Declined(Box::new(Reason::new("bound", message, place))));
            }
        }
        for (k, a) in stmt.accesses.iter().enumerate() {
            let reached = self.reached(part, id, a, domain)?;
            if self.leaves_rows(part, id, a, &reached, context)? {
                (part.stmts[id.0].accesses[k].index, part.stmts[id.0].accesses[k].reach) = (None, None);
                continue;
            }
            for p in &a.obligations {
                if !holds((p, None), &reached, !a.known.is_empty(), context)? {
                    part.stmts[id.0].accesses[k].index = None;
                }
            }
            for (p, reach) in a.reach.iter().flat_map(|r| r.obligations.iter().map(move |p| (p, r))) {
                if !holds((p, Some(reach)), &reached, true, context)? {
                    part.stmts[id.0].accesses[k].reach = None;
                }
            }
        }
        Ok(())
    }

    /// The instances at which a polynomial is negative, for some of the values that it is reached with.
    fn bad(&self, tuple: &str, (p, within): (&Poly, Option<&Reach>), domain: &Set) -> Result<Set, Failure> {
        let is_bad = format!("{} < 0", self.spelling.text(p));
        let is_bad = within.map_or(is_bad.clone(), |reach| self.spelling.within(reach, &is_bad));
        Ok(self.set(&format!("{}{{ {tuple} : {is_bad} }}", self.spelling.prefix()))?.intersect(domain)?)
    }

    /// Test for an access that the data decide on, of what is only read or only accumulated in, whose rows would hold for no
    /// sizes above zero: what it is tested for keeps it in memory, in no rows.
    ///
    /// ```text
    /// from = x * stride + d - padding;            rows of `stride`, which `d - padding` leaves
    /// if (from >= 0 && from < w) sum += in[from];
    /// ```
    fn leaves_rows(
        &self,
        part: &StaticPart,
        id: StmtId,
        a: &Access,
        reached: &Set,
        context: &Set,
    ) -> Result<bool, Failure> {
        let accumulates = |s: &Statement| s.update().is_some_and(|r| r.data == a.data);
        let is_set = |s: &Statement| !accumulates(s) && s.accesses.iter().any(|b| b.data == a.data && is_write(b));
        let may_leave = !a.surely && part.data[&a.data].shape.is_delinearised();
        if !may_leave || part.stmts.iter().any(is_set) {
            return Ok(false);
        }
        let above: Vec<String> = self.spelling.params.iter().map(|p| format!("{p} > 0")).collect();
        let usual = self.sizes(&above)?.intersect(context)?.intersect(&reached.params()?)?;
        let tuple = self.spelling.tuple(part, id);
        let mut held = usual.clone();
        let own = a.obligations.iter().map(|p| (p, None));
        let all = own.chain(a.reach.iter().flat_map(|reach| reach.obligations.iter().map(move |p| (p, Some(reach)))));
        for owed in all.filter(|(p, _)| p.is_affine()) {
            held = held.subtract(&self.bad(&tuple, owed, reached)?.params()?)?;
        }
        Ok(!usual.is_empty()? && held.is_empty()?)
    }

    /// Narrows the context to where no assertion fails.
    fn hold_assertions(&self, part: &mut StaticPart, context: &mut Set) -> Result<(), Failure> {
        for assertion in part.assertions.clone() {
            let (span, n_loops, n_guards) = (assertion.body.span, assertion.loops.len(), assertion.guards.len() - 1);
            let id = StmtId(part.stmts.len());
            part.stmts.push(assertion);
            let fails = self.domain(part, id)?.intersect_params(context)?;
            let around = self.domain_of(part, id, n_loops, n_guards)?;
            let settled = self.settle(part, id, &fails, context, &mut BTreeMap::new());
            part.stmts.pop();
            settled?;
            if fails.is_empty()? {
                continue;
            }
            *context = context.subtract(&fails.params()?)?.coalesce()?;
            if around.intersect_params(context)?.is_empty()? {
                let reason = Reason::new("assertion", "this assertion fails whatever the sizes are", span);
                let help = remedy!("correct what it says; or compile with -DNDEBUG");
                return Err(Failure::Declined(Box::new(reason.help(help))));
            }
        }
        Ok(())
    }

    /// The instances of a statement that make an access.
    fn reached(&self, part: &StaticPart, id: StmtId, a: &Access, domain: &Set) -> Result<Set, Failure> {
        if a.known.is_empty() {
            return Ok(domain.clone());
        }
        let known: Vec<String> = a.known.iter().map(|c| self.condition(c)).collect();
        let text =
            format!("{}{{ {} : {} }}", self.spelling.prefix(), self.spelling.tuple(part, id), known.join(" and "));
        Ok(self.set(&text)?.intersect(domain)?)
    }

    fn access(&self, part: &StaticPart, id: StmtId, a: &Access, domain: &Set) -> Result<Map, Failure> {
        let position = part.data.get_index_of(&a.data).expect("every access is of registered data");
        let rank = part.data[position].shape.rank();
        let any = || (0..rank).map(|k| format!("rt_any{k}")).collect::<Vec<_>>();
        let subscripts = match &a.index {
            Some(index) => index.iter().map(|p| self.spelling.text(p)).collect(),
            None => any(),
        };
        let mut condition = String::new();
        if let (None, Some(reach)) = (&a.index, &a.reach) {
            let equal = any().into_iter().zip(&reach.index).map(|(x, p)| format!("{x} = {}", self.spelling.text(p)));
            condition = " : ".to_string() + &self.spelling.within(reach, &equal.collect::<Vec<_>>().join(" and "));
        }
        let text = format!(
            "{}{{ {} -> D{position}[{}]{condition} }}",
            self.spelling.prefix(),
            self.spelling.tuple(part, id),
            subscripts.join(", ")
        );
        let reached = self.reached(part, id, a, domain)?;
        Ok(self.map(text)?.intersect_domain(&reached)?)
    }

    /// The part's own order of some statements, as a tree: loops are bands, bodies are sequences.
    fn order(
        &self,
        part: &StaticPart,
        trees: &[Tree],
        domains: &[Set],
        is_in: &dyn Fn(StmtId) -> bool,
    ) -> Result<Option<Schedule>, Failure> {
        let mut out: Option<Schedule> = None;
        for tree in trees {
            let next = match tree {
                Tree::Stmt(id) if is_in(*id) => Some(Schedule::from_domain(&domains[id.0].to_union()?)?),
                Tree::Stmt(_) => None,
                Tree::If { body, .. } => self.order(part, body, domains, is_in)?,
                Tree::Loop(id, body) => match self.order(part, body, domains, is_in)? {
                    Some(inner) => {
                        let stmts: Vec<StmtId> = tree.stmts().into_iter().filter(|s| is_in(*s)).collect();
                        Some(inner.insert_partial_schedule(&self.time(part, *id, &stmts)?)?)
                    }
                    None => None,
                },
            };
            out = match (out, next) {
                (Some(before), Some(next)) => Some(before.sequence(&next)?),
                (before, next) => before.or(next),
            };
        }
        Ok(out)
    }

    /// When a loop runs the instances of its statements.
    fn time(&self, part: &StaticPart, id: LoopId, stmts: &[StmtId]) -> Result<Mupa, Failure> {
        let l = part.get_loop(id);
        let sign = if l.step > 0 { "" } else { "-" };
        let var = &self.spelling.counters[&l.var];
        let maps = stmts.iter().map(|s| format!("{} -> [({sign}{var})]", self.spelling.tuple(part, *s)));
        // Unlike sets, isl's lists of functions have no prefix without parameters.
        let prefix = if part.params.list.is_empty() { String::new() } else { self.spelling.prefix() };
        let text = format!("{prefix}[{{ {} }}]", maps.collect::<Vec<_>>().join("; "));
        Ok(Mupa::parse(self.ctx, &text)?)
    }
}

/// Test that an access writes.
pub fn is_write(a: &Access) -> bool {
    a.kind != AccessKind::Read
}
