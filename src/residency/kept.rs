//! Where the arrays of each region are between calls, and what forbids better: what `explain` says of it.

use super::cause::{Cause, Why};
use super::needs::{Part, Residency};
use crate::host_plan::ir::{Array, Region};
use crate::report::{BetweenCalls, Kept, Reason};

/// Knowledge of a program once it is decided what its regions leave.
pub struct Known<'a> {
    pub parts: &'a [Part<'a>],
    pub residency: &'a Residency,
    /// Calls of which nothing is known, and C that is not modelled.
    pub unknown: &'a [Cause],
    /// A call that touches memory where no closed page holds it up.
    pub unseen: Option<Cause>,
    /// File and line of a cause.
    pub place: &'a dyn Fn(&Cause) -> (String, u32),
}

impl Known<'_> {
    /// The arrays that a region moves, by part and place, those in the same place for the same reason together.
    pub fn kept(&self, (part, region): (usize, usize)) -> Vec<Kept> {
        let plan = self.parts[part].regions[region];
        let mut out: Vec<Kept> = vec![];
        for a in plan.arrays.iter().filter(|a| a.live_in.is_some() || a.live_out.is_some()) {
            let Some((between_calls, reason)) = self.of_array((part, region), plan, a) else { continue };
            let is_same = |k: &&mut Kept| k.between_calls == between_calls && k.reason == reason;
            match out.iter_mut().find(is_same) {
                Some(kept) => kept.arrays.push(a.name.clone()),
                None => out.push(Kept { arrays: vec![a.name.clone()], between_calls, reason }),
            }
        }
        out.sort_by_key(|kept| kept.between_calls);
        out
    }

    fn of_array(&self, at: (usize, usize), plan: &Region, a: &Array) -> Option<(BetweenCalls, Option<Reason>)> {
        let home = |why: &str| (BetweenCalls::Home, Some(Reason::of_itself(why.into())));
        if let Some(not_kept) = a.not_kept {
            return Some(home(not_kept.in_words()?));
        }
        if !plan.may_leave() {
            return Some(home("the region prints, or may find that it must run again on the host"));
        }
        let cause = self.forbids(at, plan);
        Some(match (plan.is_guarded(a), plan.leaves, plan.closes_pages) {
            (true, ..) => (BetweenCalls::Guarded, Some(self.reason(cause))),
            (false, true, is_open) => (BetweenCalls::Announced, is_open.then(|| self.reason(cause))),
            (false, false, false) => (BetweenCalls::Home, Some(self.reason(self.unseen.or(cause)))),
            (false, false, true) => {
                let Reason { why, file, line } = self.reason(cause);
                let of = match a.own {
                    Some(_) => "structures of which some members alone are written",
                    None => "rows behind pointers",
                };
                (
                    BetweenCalls::Home,
                    Some(Reason { why: format!("pages of {of} are not closed, and {why}"), file, line }),
                )
            }
        })
    }

    /// Cause that keeps the text from saying where the host touches what a region leaves.
    fn forbids(&self, at: (usize, usize), plan: &Region) -> Option<Cause> {
        let unknown = self.unknown.first().copied();
        match self.residency.forbidden.get(&at).copied().flatten() {
            _ if plan.leaves => unknown,
            // Callers are not known because of what is called.
            Some(Cause { why: Why::Callers, .. }) if unknown.is_some() => unknown,
            cause => cause,
        }
    }

    fn reason(&self, cause: Option<Cause>) -> Reason {
        let Some(cause) = cause else {
            let why = match self.residency.is_searched {
                true => "no other region that keeps arrays runs behind it",
                false => "the flags ask for OpenMP, so that threads may come to regions together",
            };
            return Reason::of_itself(why.into());
        };
        let (file, line) = (self.place)(&cause);
        let mut why = cause.in_words(self.parts);
        match self.unknown {
            [first, _] if *first == cause => why += ", and there is another such place",
            [first, _, _, ..] if *first == cause => {
                why += &format!(", and there are {} such places more", self.unknown.len() - 1);
            }
            _ => {}
        }
        Reason { why, file: Some(file), line: Some(line) }
    }
}

/// The reason of most arrays, where none is kept.
pub fn nothing_kept<'a>(kept: impl Iterator<Item = &'a Kept>) -> Option<Reason> {
    let mut reasons: Vec<(&Reason, usize)> = vec![];
    for Kept { arrays, between_calls, reason } in kept {
        if *between_calls != BetweenCalls::Home {
            return None;
        }
        let Some(reason) = reason else { continue };
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, n)) => *n += arrays.len(),
            None => reasons.push((reason, arrays.len())),
        }
    }
    let most = reasons.iter().map(|(_, n)| *n).max();
    reasons.into_iter().find(|(_, n)| Some(*n) == most).map(|(reason, _)| reason.clone())
}
