//! Runner of the table of rewrites: it takes the statements of a function through the rows, forgets what was known of a form that
//! a row has changed, holds the form to its contract, and keeps what a dump asks for.
//!
//! A rewrite sees nothing of this, and none can be run without it.

use super::form::{Context, Form};
use super::passes::{REWRITES, Rewrite};
use super::verify;
use crate::ast::visit::Piece;
use crate::ast::{Stmt, StmtKind};
use crate::diag::Stop;
use crate::source::Span;
use crate::source::directive::DirectiveKind;
use std::collections::BTreeSet;

/// Forms that one row changed, as it left them.
#[derive(Debug, Default)]
pub struct Watched {
    /// Name of the row.
    pub row: String,
    /// The places of their statements, and of each what was changed.
    pub forms: Vec<(Span, Shown)>,
}

/// Parts of a form that a dump shows, or of what a row changed in one.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Shown {
    pub stmt: Option<Stmt>,
    pub without_tiles: Option<Stmt>,
    /// Statements that are to stand behind it.
    pub behind: Vec<Stmt>,
}

impl Shown {
    fn of(form: &Form) -> Self {
        let (stmt, without_tiles) = (Some(form.stmt.clone()), form.without_tiles.clone());
        Shown { stmt, without_tiles, behind: form.behind.clone() }
    }

    /// Test that a form is still this.
    fn is_of(&self, form: &Form) -> bool {
        self.stmt.as_ref() == Some(&form.stmt) && self.without_tiles == form.without_tiles && self.behind == form.behind
    }

    /// Parts that are others than before.
    fn since(mut self, before: &Shown) -> Self {
        self.stmt = self.stmt.filter(|s| before.stmt.as_ref() != Some(s));
        self.without_tiles = self.without_tiles.filter(|s| before.without_tiles.as_ref() != Some(s));
        self.behind.retain(|s| !before.behind.contains(s));
        self
    }
}

/// Forms of all statements of a function, in the order of the file.
///
/// # Errors
/// [`Stop::Bug`] where a rewrite breaks the contract of forms, in builds with debug assertions, as tests are.
pub fn run<'a>(context: &mut Context<'a>, watched: &mut Watched) -> Result<Vec<Form<'a>>, Stop> {
    let mut groups = REWRITES.chunk_by(|_, next| !next.waits);
    let first = groups.next().unwrap_or_default();
    let mut forms: Vec<Form<'a>> = vec![];
    // In a statement without a loop no region begins: what stands in it needs no form of its own.
    let mut last: Option<Span> = None;
    for s in statements(&context.facts.function.body) {
        if last.is_some_and(|outer| outer.lo <= s.span.lo && s.span.hi <= outer.hi) {
            continue;
        }
        let mut form = Form::of(s);
        take_through(first, &mut form, context, watched)?;
        last = (context.marked.is_empty() && !form.has_loop()).then_some(s.span);
        forms.push(form);
    }
    for group in groups {
        for form in &mut forms {
            take_through(group, form, context, watched)?;
        }
    }
    Ok(forms)
}

/// The statements in one, itself first.
fn statements(body: &Stmt) -> Vec<&Stmt> {
    let mut out = vec![];
    body.walk(&mut |piece| {
        if let Piece::Stmt(s) = piece {
            out.push(s);
        }
    });
    out
}

fn take_through(
    rows: &[Rewrite],
    form: &mut Form<'_>,
    context: &mut Context<'_>,
    watched: &mut Watched,
) -> Result<(), Stop> {
    let mut before = Shown::of(form);
    for row in rows {
        if form.is_given_up {
            return Ok(());
        }
        (row.run)(form, context);
        if before.is_of(form) {
            continue;
        }
        form.forget();
        if context.is_verified
            && let Err(fault) = verify::form(form, context)
        {
            return Err(Stop::Bug(format!("normalize/{}: {fault}", row.name)));
        }
        let now = Shown::of(form);
        if watched.row == row.name {
            watched.forms.push((form.written.span, now.clone().since(&before)));
        }
        before = now;
    }
    Ok(())
}

/// The statements between the marks of a region: what they call belongs to it, as what loops call.
pub fn marked(body: &Stmt) -> BTreeSet<Span> {
    let mut out = BTreeSet::new();
    body.walk(&mut |piece| {
        let Piece::Stmt(Stmt { kind: StmtKind::Block(stmts), .. }) = piece else { return };
        let mut is_within = false;
        for s in stmts {
            match &s.kind {
                StmtKind::Directive(d) if matches!(d.kind, DirectiveKind::RegionBegin { .. }) => is_within = true,
                StmtKind::Directive(d) if matches!(d.kind, DirectiveKind::RegionEnd) => is_within = false,
                _ if is_within => drop(out.insert(s.span)),
                _ => {}
            }
        }
    });
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::build;
    use crate::ast::build::ast_builder::{declared, integer, plain};
    use crate::ast::{BinOp, Expr, ExprKind, FloatKind, IntKind, Storage, Type, Unit, Var, VarId};
    use crate::facts::function::FunctionFacts;
    use crate::normalize::arrays_in_structures::Members;
    use crate::normalize::arrays_of_structures::Records;
    use crate::normalize::structure_layouts::Layouts;
    use crate::source::Source;

    const DOUBLE: Type = Type::Float(FloatKind::Double);

    /// Outcome for the loop of a function when these rows rewrite it.
    fn ran(rows: &[Rewrite]) -> Result<(), String> {
        let c = "void f(int n, double *a) { for (int i = 0; i < n; i++) a[i] = i + 1; }";
        let mut unit: Unit = build::build(&Source::from_text("t.c", c).unwrap()).unwrap().unit;
        let function = unit.functions[0].clone();
        let facts = FunctionFacts::of(&unit, &function);
        let (mut members, layouts) = (Members::default(), Layouts::of(&unit));
        let (records, marked) = (Records::new(&layouts), marked(&function.body));
        let mut context =
            Context { unit: &mut unit, facts: &facts, members: &mut members, records, marked, is_verified: true };
        let mut form = Form::of(&function.body.listed()[0]);
        match take_through(rows, &mut form, &mut context, &mut Watched::default()) {
            Err(Stop::Bug(what)) => Err(what),
            _ => Ok(()),
        }
    }

    const fn row(run: fn(&mut Form<'_>, &mut Context<'_>)) -> Rewrite {
        Rewrite { name: "bad", about: "", run, waits: false, after: &[] }
    }

    /// Another statement in the place of the body of the loop.
    fn put_in(form: &mut Form<'_>, kind: StmtKind) {
        let at = form.stmt.span;
        if let StmtKind::For { body, .. } = &mut form.stmt.kind {
            **body = plain(kind, at);
        }
    }

    fn new(context: &mut Context<'_>, ty: Type) -> VarId {
        context.unit.add(Var::new("new", ty, Storage::Local, Span::default()))
    }

    #[test]
    fn planted_faults_are_found() {
        let undeclared = row(|form, context| {
            let v = new(context, DOUBLE);
            put_in(form, StmtKind::Expr(context.unit.read(v, form.written.span)));
        });
        let out_of_scope = row(|form, context| {
            let (v, at) = (new(context, DOUBLE), form.written.span);
            let inner = StmtKind::Block(vec![declared(v, context.unit.read(v, at))]);
            let read = StmtKind::Expr(context.unit.read(v, at));
            put_in(form, StmtKind::Block(vec![plain(inner, at), plain(read, at)]));
        });
        let declared_twice = row(|form, context| {
            let (v, at) = (new(context, DOUBLE), form.written.span);
            let one = || declared(v, integer(0, at));
            put_in(form, StmtKind::Block(vec![one(), one()]));
        });
        let mistyped = row(|form, _| {
            form.stmt.exprs_mut(&mut |e| {
                e.rewrite(&mut |e| {
                    if let ExprKind::Binary(BinOp::Add, ..) = e.kind {
                        e.ty = Type::Int(IntKind::Long);
                    }
                });
            });
        });
        let renamed = row(|form, context| {
            let v = new(context, DOUBLE);
            let read = Expr { ty: Type::Int(IntKind::Int), ..context.unit.read(v, form.written.span) };
            let inner = StmtKind::Block(vec![
                declared(v, integer(0, read.span)),
                plain(StmtKind::Expr(read.clone()), read.span),
            ]);
            put_in(form, inner);
        });
        let no_place = row(|form, _| {
            let at = form.written.span;
            let target = Box::new(integer(0, at));
            let kind = ExprKind::IncDec { inc: true, prefix: false, target };
            put_in(form, StmtKind::Expr(Expr { kind, ty: Type::Int(IntKind::Int), span: at }));
        });
        let no_loop = row(|form, _| form.stmt.kind = StmtKind::Break);
        let elsewhere = row(|form, _| form.stmt.span.hi -= 1);
        let third = row(|form, context| {
            let v = new(context, DOUBLE);
            let kind = StmtKind::Expr(context.unit.read(v, form.written.span));
            form.without_tiles = Some(Stmt { kind, ..form.stmt.clone() });
        });
        for (bad, expected) in [
            (undeclared, "normalize/bad: `new`: it is not declared here"),
            (out_of_scope, "normalize/bad: `new`: it is not declared here"),
            (declared_twice, "normalize/bad: `double new = 0;`: `new` is declared twice"),
            (mistyped, "normalize/bad: `i + 1`: operands of these types give another one"),
            (renamed, "normalize/bad: `new`: it has another type than its variable"),
            (no_place, "normalize/bad: `0++`: what it sets is no place"),
            (no_loop, "normalize/bad: `break;`: no loop is around it"),
            (third, "normalize/bad: `new`: it is not declared here"),
        ] {
            assert_eq!(ran(&[bad]), Err(expected.to_owned()));
        }
        assert!(ran(&[elsewhere]).is_err_and(|what| what.starts_with("normalize/bad: the form has another place")));
    }

    #[test]
    fn every_row_keeps_the_contract_of_a_plain_loop() {
        assert_eq!(ran(REWRITES), Ok(()));
    }

    #[test]
    fn facts_of_a_form_are_forgotten_when_it_changes() {
        let change = row(|form, _| {
            assert!(form.has_loop() && !form.assigned().is_empty());
            form.stmt.kind = StmtKind::Empty;
        });
        let ask = row(|form, _| assert!(!form.has_loop() && form.assigned().is_empty()));
        assert_eq!(ran(&[change, ask]), Ok(()));
    }
}
