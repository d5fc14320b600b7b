//! Statements of the user beside the C, in directives and in the configuration, resolved against the program's names: the
//! shapes behind pointers, and whether every other word can have the effect that it asks for. What the program itself
//! allocates is a shape, too, and what all calls of a function hand it, where the user states no other.
//!
//! A shape holds from its directive to the end of the block that the directive stands in, like a declaration; before a
//! function, or in the configuration, it holds in the whole function.

use super::{Claim, Hints};
use crate::ast::visit::{Piece, visible};
use crate::ast::{self, ExprKind, Function, Stmt, StmtKind, Type, Unit, VarId, print};
use crate::config::{self, Config, Selector};
use crate::diag::{Diagnostic, Place, Severity, nearest};
use crate::facts::{arrays, effects, reduction};
use crate::normalize::arrays_in_structures::is_fixed;
use crate::region::allocations::{self, Allocation};
use crate::region::candidates::Candidate;
use crate::region::{callers, copies};
use crate::source::directive::{Directive, DirectiveKind, Phrase};
use crate::source::{Source, Span};

impl Hints {
    /// Shapes that speak of no region: of arrays that none of the candidates uses where they hold.
    pub fn unused(&self, unit: &Unit, candidates: &[Candidate]) -> Vec<Diagnostic> {
        let is_used = |c: &&Claim| {
            let in_reach = candidates.iter().filter(|x| c.holds.lo < x.span().hi && x.span().lo < c.holds.hi);
            let is_of = |v: &VarId| *v == c.data || c.is_of(unit, *v);
            in_reach.into_iter().any(|x| effects::mentioned(x.stmts.iter().copied()).iter().any(is_of))
        };
        let warning = |c: &Claim| {
            let message = "this shape has no effect: no region that is converted uses the array";
            Some(Diagnostic::new(Severity::Warning, "useless-shape", message, Some(c.place.clone()?)))
        };
        self.claims.iter().filter(|c| !is_used(c)).filter_map(warning).collect()
    }
}

/// Resolves all hints of a file; also gives warnings about those that have no effect.
///
/// # Errors
/// The first that is wrong: an array or extent that does not exist, more or fewer extents than the array has.
pub fn read(unit: &Unit, source: &Source, config: &Config) -> Result<(Hints, Vec<Diagnostic>), Diagnostic> {
    let allocated: Vec<Allocation> = unit.functions.iter().flat_map(|f| allocations::find(unit, f)).collect();
    // What a function allocates itself is the later word on a parameter.
    let given = callers::find(unit, source, &allocated);
    let claim = |Allocation { data, extents, holds }| Claim { data, member: None, extents, place: None, holds };
    let claims = given.into_iter().chain(allocated).map(claim).collect();
    let lost = copies::lost(unit, source).into_iter().chain(copies::filled(unit, source)).collect();
    let hints = Hints { claims, lost };
    let mut r = Resolver { unit, source, hints, warnings: vec![] };
    for region in &config.regions {
        r.configured(region)?;
    }
    for f in &unit.functions {
        for d in &f.directives {
            // The names of the parameters have a meaning from the body's brace on.
            r.directive(f, d, Span { lo: f.body.span.lo + 1, hi: f.body.span.hi }, None)?;
        }
        r.inside(f, &f.body)?;
    }
    Ok((r.hints, r.warnings))
}

/// Subject of a shape, as a [`Claim`] has it, and its type.
struct Stated {
    data: VarId,
    member: Option<String>,
    ty: Type,
}

/// The variable through which a text names an array.
fn root(text: &str) -> &str {
    text.split(['.', '-', '[']).next().unwrap_or_default().trim()
}

struct Resolver<'a> {
    unit: &'a Unit,
    source: &'a Source,
    hints: Hints,
    warnings: Vec<Diagnostic>,
}

impl<'a> Resolver<'a> {
    /// The directives in a statement, which is a block unless it is part of another statement.
    fn inside(&mut self, f: &Function, body: &Stmt) -> Result<(), Diagnostic> {
        let mut blocks: Vec<&Stmt> = vec![];
        let mut found: Vec<(&Directive, Span, Option<&Stmt>)> = vec![];
        body.walk(&mut |piece| {
            let Piece::Stmt(s) = piece else { return };
            blocks.retain(|b| s.span.lo < b.span.hi);
            let end = blocks.last().map_or(body.span.hi, |b| b.span.hi);
            let holds = |d: &Directive| Span { lo: d.span.lo, hi: end };
            found.extend(s.directives.iter().map(|d| (d, holds(d), Some(s))));
            match &s.kind {
                StmtKind::Block(_) => blocks.push(s),
                StmtKind::Directive(d) => found.push((d, holds(d), None)),
                _ => {}
            }
        });
        found.into_iter().try_for_each(|(d, holds, s)| self.directive(f, d, holds, s))
    }

    /// One directive, which holds for these bytes and stands before `next`.
    fn directive(&mut self, f: &Function, d: &Directive, holds: Span, next: Option<&Stmt>) -> Result<(), Diagnostic> {
        let loop_wanted = match &d.kind {
            DirectiveKind::Shape { array, extents } => return self.shape(f, array, extents, holds),
            DirectiveKind::Host
            | DirectiveKind::RegionBegin { .. }
            | DirectiveKind::RegionEnd
            | DirectiveKind::Rare
            | DirectiveKind::Threads { .. } => return Ok(()),
            DirectiveKind::Parallel { asserted, reductions, private, .. } => {
                let names = reductions.iter().map(|(_, name)| name).chain(private);
                names.into_iter().try_for_each(|name| self.clause(f, d, name))?;
                if let Some(Stmt { kind: StmtKind::For { body, .. }, .. }) = next {
                    reductions
                        .iter()
                        .for_each(|(symbol, name)| self.set_anew(f, d, body, (symbol.as_str(), name.as_str())));
                }
                *asserted
            }
            DirectiveKind::Library(_) | DirectiveKind::Mapping { .. } => true,
        };
        if loop_wanted && !next.is_some_and(|s| matches!(s.kind, StmtKind::For { .. })) {
            let message = "this directive speaks of a `for` loop, and none follows it";
            self.warn("useless-directive", message, d.span, "put it directly before the loop");
        }
        Ok(())
    }

    fn warn(&mut self, code: &'static str, message: &str, at: Span, help: &str) {
        let place = Some(self.source.place(at));
        self.warnings.push(Diagnostic::new(Severity::Warning, code, message, place).help(help));
    }

    /// A variable that a clause names.
    fn clause(&mut self, f: &Function, d: &Directive, name: &str) -> Result<(), Diagnostic> {
        let known = visible(self.unit, f, d.span.lo);
        let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !is_name || known.iter().any(|v| self.unit.var(*v).name == name) {
            return Ok(());
        }
        let error = self.unknown(&known, name, self.source.place(d.span));
        // Other compilers answer for their own directives.
        if self.source.slice(d.span).split_whitespace().nth(1) == Some("rt") {
            return Err(error);
        }
        self.warnings.push(Diagnostic { severity: Severity::Warning, ..error });
        Ok(())
    }

    /// A clause about what each iteration of a loop sets anew: C has no sum of that.
    fn set_anew(&mut self, f: &Function, d: &Directive, body: &Stmt, (symbol, name): (&str, &str)) {
        let known = visible(self.unit, f, d.span.lo);
        let named = known.iter().rfind(|v| self.unit.var(**v).name == name);
        if named.is_some_and(|v| reduction::is_set_anew(body, *v)) {
            let message = format!(
                "each iteration sets `{name}` anew: `reduction({symbol}:{name})` has no effect, and C leaves the value of \
                 the last iteration in it"
            );
            let help = format!("write `private({name})`, or declare `{name}` inside the loop");
            self.warn("useless-clause", &message, d.span, &help);
        }
    }

    fn unknown(&self, known: &[VarId], name: &str, place: Place) -> Diagnostic {
        let names: Vec<&str> = known.iter().map(|v| self.unit.var(*v).name.as_str()).collect();
        let error = Diagnostic::error("unknown-name", format!("no variable `{name}` is declared here"), Some(place));
        match nearest(name, &names) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => error.help("a directive sees the variables of its place; the preprocessor expands no macro in it"),
        }
    }

    /// `#pragma rt shape(array: extents)`
    fn shape(&mut self, f: &Function, array: &Phrase, extents: &[Phrase], holds: Span) -> Result<(), Diagnostic> {
        let known = visible(self.unit, f, holds.lo);
        let root = root(&array.text);
        let named = known.iter().rfind(|v| self.unit.var(**v).name == root);
        let Some(&data) = named else {
            return Err(self.unknown(&known, root, self.source.place(array.span)));
        };
        let stated = self.stated(f, data, &known, &array.text, self.source.place(array.span))?;
        let all = Span { lo: array.span.lo, hi: extents.last().map_or(array.span.hi, |e| e.span.hi) };
        let place = self.source.place(all);
        let texts: Vec<(&str, Place)> = extents.iter().map(|e| (e.text.as_str(), self.source.place(e.span))).collect();
        self.claim(stated, &known, &texts, place, holds)
    }

    /// The array that a text names: a variable, or one that a structure has (`g->u`, `grid.u`, `g->level[2].u`).
    fn stated(
        &self,
        f: &Function,
        data: VarId,
        known: &[VarId],
        text: &str,
        place: Place,
    ) -> Result<Stated, Diagnostic> {
        if root(text) == text {
            return Ok(Stated { data, member: None, ty: self.unit.var(data).ty.clone() });
        }
        let refused = |why: String| {
            let help = "name an array, or a structure's member through a variable: shape(g->u: n)";
            Diagnostic::error("shape", format!("`{text}` {why}"), Some(place.clone())).help(help)
        };
        let e = ast::build::place(self.unit, known, text).map_err(refused)?;
        if !is_fixed(&e) || !matches!(e.kind, ExprKind::Member { .. } | ExprKind::Index(..)) {
            return Err(refused("is no array that a structure has".into()));
        }
        // The text stands for the array as long as its first name means the same.
        let name = &self.unit.var(data).name;
        let mut inner = vec![];
        block_variables(&f.body, &mut inner);
        if inner.iter().any(|(v, _)| *v != data && self.unit.var(*v).name == *name) {
            return Err(refused(format!("may be of more than one `{name}` in this function")));
        }
        Ok(Stated { data, member: Some(print::expr(self.unit, &e)), ty: e.ty })
    }

    /// The shapes of a `[[region]]`.
    fn configured(&mut self, region: &config::Region) -> Result<(), Diagnostic> {
        let Some((f, holds)) = self.selected(&region.selector) else { return Ok(()) };
        for (array, shape) in &region.shape {
            let mut owners: Vec<(VarId, u32)> = vec![];
            for v in self.unit.globals.iter().chain(&f.params) {
                owners.push((*v, f.body.span.hi - 1));
            }
            block_variables(&f.body, &mut owners);
            let named = owners.iter().filter(|(v, _)| self.unit.var(*v).name == root(array));
            let named: Vec<(VarId, u32)> = named.copied().collect();
            if named.is_empty() {
                let known: Vec<VarId> = owners.into_iter().map(|(v, _)| v).collect();
                let error = self.unknown(&known, array, shape.place.clone());
                let message = format!("`{}` has no array `{array}`", f.name);
                return Err(Diagnostic { message, ..error });
            }
            for (data, at) in named {
                let known = visible(self.unit, f, at);
                let texts: Vec<(&str, Place)> =
                    shape.extents.iter().map(|e| (e.as_str(), shape.place.clone())).collect();
                let stated = self.stated(f, data, &known, array, shape.place.clone())?;
                self.claim(stated, &known, &texts, shape.place.clone(), holds)?;
            }
        }
        Ok(())
    }

    /// The function that a selector speaks of, and the bytes of it.
    fn selected(&self, selector: &Selector) -> Option<(&'a Function, Span)> {
        let unit = self.unit;
        match selector {
            Selector::Function(name) => unit.function(name).map(|f| (f, f.body.span)),
            Selector::Name(name) => unit.functions.iter().find_map(|f| {
                let number = name.strip_prefix(&f.name).and_then(|rest| rest.strip_prefix('_'));
                let is_automatic = number.is_some_and(|n| n.parse::<u32>().is_ok());
                let marked = marked(&f.body, name);
                marked.or(is_automatic.then_some(f.body.span)).map(|span| (f, span))
            }),
        }
    }

    fn claim(
        &mut self,
        Stated { data, member, ty }: Stated,
        known: &[VarId],
        texts: &[(&str, Place)],
        place: Place,
        holds: Span,
    ) -> Result<(), Diagnostic> {
        let name = member.clone().unwrap_or_else(|| self.unit.var(data).name.clone());
        let rank = arrays::rank(&ty).filter(|r| *r > 0);
        let n = texts.len();
        if rank.is_none_or(|rank| rank != n && rank != 1) {
            let message = match rank {
                Some(rank) => format!("the shape of `{name}` has {n} extents, but the array has {rank}"),
                None => format!("`{name}` is no array, so it has no shape"),
            };
            let help =
                "give one extent for each subscript; an array of one subscript may have more, in row-major order";
            return Err(Diagnostic::error("shape", message, Some(place)).help(help));
        }
        let mut extents = vec![];
        for (text, at) in texts {
            let wrong = |why: String| {
                Diagnostic::error("shape", format!("the extent `{text}` of `{name}` {why}"), Some(at.clone())).help(
                    "an extent is a whole number in C, of variables declared before it; macros have no meaning here",
                )
            };
            let e = ast::build::expression(self.unit, known, text).map_err(wrong)?;
            if !matches!(e.ty, Type::Int(_)) || !effects::is_plain(&e) {
                return Err(wrong("is not a whole number computed from variables alone".into()));
            }
            extents.push(e);
        }
        self.hints.claims.push(Claim { data, member, extents, place: Some(place), holds });
        Ok(())
    }
}

/// The variables that blocks in a statement declare, each with the last byte at which it is in scope.
fn block_variables(s: &Stmt, out: &mut Vec<(VarId, u32)>) {
    s.walk(&mut |piece| {
        if let Piece::Stmt(Stmt { kind: StmtKind::Block(body), span, .. }) = piece {
            for inner in body {
                if let StmtKind::Decl(ds) = &inner.kind {
                    out.extend(ds.iter().map(|d| (d.var, span.hi - 1)));
                }
            }
        }
    });
}

/// The bytes of the region that directives mark under a name.
fn marked(body: &Stmt, name: &str) -> Option<Span> {
    let mut begin = None;
    let mut end = None;
    body.walk(&mut |piece| {
        let Piece::Stmt(Stmt { kind: StmtKind::Directive(d), .. }) = piece else { return };
        match &d.kind {
            DirectiveKind::RegionBegin { name: Some(n), .. } if n == name => begin = Some(d.span.lo),
            DirectiveKind::RegionEnd if begin.is_some() && end.is_none() => end = Some(d.span.hi),
            _ => {}
        }
    });
    Some(Span { lo: begin?, hi: end? })
}
