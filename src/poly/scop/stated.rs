//! Shapes that the user states, held to the code.
//!
//! A stated shape is believed where the code can keep to it. One that an access leaves whenever its statement runs at
//! all is not: either the shape is wrong, or the statement never runs in the program. The sizes for which it runs say
//! which:
//!
//! ```text
//! shape(a: n)   for (i = 0; i < n; i++) a[i + 1] = 0;    whenever `a` has an element: an error
//! shape(a: n)   for (i = 9; i < m; i++) a[i - m] = 0;    if m >= 10: for such sizes the original runs
//! ```
//! It is an error only where the part is surely come to when its function is called. A loop or a condition around it
//! may say what is not seen here: that the statement never runs, or what the counters of that loop are, which are
//! parameters of the part. Sizes that are left to the original are taken out of the context, as those are for which an
//! obligation fails, and there is a warning. Where nothing of the part runs for the sizes that remain, it is declined.

use super::Builder;
use crate::ast::Unit;
use crate::diag::Diagnostic;
use crate::facts::symbolic::Poly;
use crate::facts::{Reason, effects, remedy};
use crate::isl::Set;
use crate::poly::Failure;
use crate::region::{Access, StaticPart, StmtId};

/// An access that leaves the shape stated for its array whenever its statement runs at all, and the subscript that does.
struct Leaving<'a> {
    access: &'a Access,
    subscript: usize,
}

impl Builder<'_> {
    /// Holds all statements to the shapes stated: narrows `context` and `domains`, and says what has come of it.
    pub(super) fn hold_to_stated(
        &self,
        unit: &Unit,
        part: &StaticPart,
        is_entered: bool,
        domains: &mut [Set],
        context: &mut Set,
    ) -> Result<Vec<Reason>, Failure> {
        let mut reasons = vec![];
        let all = context.clone();
        for (i, domain) in domains.iter().enumerate() {
            let leaving = self.leaving(part, StmtId(i), domain)?;
            let Some(first) = leaving.first() else { continue };
            let sizes = domain.params()?;
            for l in leaving.iter().filter(|_| is_entered) {
                if self.with_elements(part, l.access)?.intersect(&all)?.is_subset(&sizes)? {
                    return Err(contradiction(unit, part, l));
                }
            }
            reasons.push(warning(unit, first));
            *context = context.subtract(&sizes)?.coalesce()?;
        }
        if reasons.is_empty() {
            return Ok(reasons);
        }
        let mut runs = false;
        for domain in domains {
            *domain = domain.intersect_params(context)?.coalesce()?;
            runs |= !domain.is_empty()?;
        }
        if runs { Ok(reasons) } else { Err(Failure::Declined(Box::new(reasons.swap_remove(0)))) }
    }

    /// What leaves its shape for all sizes for which the statement runs.
    fn leaving<'a>(&self, part: &'a StaticPart, id: StmtId, domain: &Set) -> Result<Vec<Leaving<'a>>, Failure> {
        let (stmt, mut out) = (part.stmt(id), vec![]);
        if !effects::always_evaluates(&stmt.body) || domain.is_empty()? {
            return Ok(out);
        }
        for access in &stmt.accesses {
            let pairs = held_to(part, access);
            let affine = pairs.iter().enumerate().filter(|(_, (s, e))| s.is_affine() && e.is_affine());
            for (k, (subscript, extent)) in affine {
                let (at, end) = (self.spelling.text(subscript), self.spelling.text(extent));
                let tuple = self.spelling.tuple(part, id);
                let text = format!("{}{{ {tuple} : {at} < 0 or {at} >= {end} }}", self.spelling.prefix());
                let outside = self.set(&text)?.intersect(domain)?;
                if domain.params()?.is_subset(&outside.params()?)? {
                    out.push(Leaving { access, subscript: k + 1 });
                }
            }
        }
        Ok(out)
    }

    /// The sizes for which the array of an access has an element, as its shape is stated.
    fn with_elements(&self, part: &StaticPart, access: &Access) -> Result<Set, Failure> {
        let stated = part.data[&access.data].shape.stated.iter().flat_map(|(extents, _)| extents);
        self.sizes(&stated.map(|e| format!("{} >= 1", self.spelling.text(e))).collect::<Vec<_>>())
    }
}

/// The subscripts of an access, each with the extent that is stated for it: none where other rows are seen in the array.
fn held_to<'a>(part: &StaticPart, access: &'a Access) -> Vec<(&'a Poly, Poly)> {
    let (Some((extents, _)), Some(index)) = (&part.data[&access.data].shape.stated, &access.index) else {
        return vec![];
    };
    let total = || extents.iter().try_fold(Poly::constant(1), |all, e| all.times(e));
    match (index.len(), total()) {
        (n, _) if n == extents.len() => index.iter().zip(extents.iter().cloned()).collect(),
        (1, Some(total)) => vec![(&index[0], total)],
        _ => vec![],
    }
}

fn contradiction(unit: &Unit, part: &StaticPart, leaving: &Leaving) -> Failure {
    let Leaving { access, subscript } = leaving;
    let array = &unit.var(access.data).name;
    let message = format!("this shape of `{array}` contradicts the code: subscript {subscript} leaves its extent");
    let place = part.data[&access.data].shape.stated.as_ref().map(|(_, place)| place.clone());
    let error = Diagnostic::error("shape", message, place).help("correct the extent, outermost first, or the access");
    Failure::Contradiction(Box::new((error, access.span)))
}

fn warning(unit: &Unit, leaving: &Leaving) -> Reason {
    let Leaving { access, subscript } = leaving;
    let array = &unit.var(access.data).name;
    let message = format!(
        "whenever this runs, subscript {subscript} leaves the shape that is stated for `{array}`, so that the original loops do it"
    );
    Reason::new("shape", message, access.span).help(remedy!("correct the extent, outermost first, or the access"))
}
