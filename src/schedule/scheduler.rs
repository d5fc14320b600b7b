//! isl's scheduler, asked no question twice.
//!
//! ```text
//! f: for t: for i: ...    declined: the scheduler searched for an order of the loops, but how far `a` reaches is not known
//!    for t: for i: ...    the loops alone, the next candidate: the same question, answered from before
//! ```
//! A candidate that does not convert is searched inside, and mostly has the same loops there again; what the scheduler
//! finds for them, or that it finds nothing, follows from their dependences and the options alone. An answer is kept as
//! text, because each region has an isl context of its own.
//!
//! The search is bounded by operations and by the size of isl's integer program, never by the clock: the same input
//! gives the same output. All that is searched for one function shares [`SEARCH_OPERATIONS`]: when they are used up, what is left of
//! the function keeps its own order, and that is reported.

use crate::config::Schedule as Strategy;
use crate::isl::{Ctx, Dim, Schedule, ScheduleConstraints};
use crate::poly::Failure;
use std::collections::BTreeMap;

/// The greatest coefficient of a schedule: more would not be readable, nor fast.
const MAX_COEFFICIENT: i32 = 8;

/// Operations that isl may spend on the rows of a schedule.
const ROWS_OPERATIONS: u64 = 1_000_000;

/// Operations that isl may spend on the search for other orders of one function: some seconds, and several times what any function
/// of the programs that are shipped takes.
pub const SEARCH_OPERATIONS: u64 = 10_000_000;

/// The scheduler, and what it has answered.
pub struct Scheduler {
    /// What it should look for.
    pub strategy: Strategy,
    /// Operations that are left to searches.
    left: u64,
    /// Operations that searches spent since this was last asked.
    searched: u64,
    /// Flag: a search ended since none were left, and nobody has been told.
    is_cut: bool,
    answers: BTreeMap<(Strategy, u64, String), Option<String>>,
}

impl Scheduler {
    /// One that has not been asked yet.
    pub fn new(strategy: Strategy) -> Self {
        Scheduler { strategy, left: SEARCH_OPERATIONS, searched: 0, is_cut: false, answers: BTreeMap::new() }
    }

    /// Findings of a search with the operations that are left; `None` where they do not suffice. Behind it no other limit holds in
    /// the context than its cap.
    ///
    /// # Errors
    /// A fault of isl's; the limit on its work is none.
    pub fn search<T>(
        &mut self,
        ctx: &Ctx,
        search: impl FnOnce(&mut Scheduler) -> Result<T, Failure>,
    ) -> Result<Option<T>, Failure> {
        if self.left == 0 {
            return Ok(None);
        }
        let (found, spent) = ctx.capped(self.left, || search(self));
        self.left = self.left.saturating_sub(spent);
        self.searched += spent;
        self.is_cut |= self.left == 0;
        match found {
            Err(Failure::TooHard) => Ok(None),
            found => found.map(Some),
        }
    }

    /// Operations that searches spent since this was last asked.
    pub fn take_searched(&mut self) -> u64 {
        std::mem::take(&mut self.searched)
    }

    /// Test that the operations were used up since this was last asked.
    pub fn was_cut(&mut self) -> bool {
        std::mem::take(&mut self.is_cut)
    }

    /// A schedule that fulfils the constraints, if one is found with so many operations, each of which costs as much as `weight`
    /// others.
    ///
    /// # Errors
    /// A fault of isl's; that it finds nothing is none.
    pub fn schedule(
        &mut self,
        ctx: &Ctx,
        constraints: &ScheduleConstraints,
        operations: u64,
        weight: u64,
    ) -> Result<Option<Schedule>, Failure> {
        let operations = operations.min(self.left / weight).max(1);
        let question = (self.strategy, operations, constraints.to_string());
        if let Some(answer) = self.answers.get(&question) {
            return Ok(answer.as_ref().map(|text| Schedule::parse(ctx, text)).transpose()?);
        }
        ctx.set_schedule_outer_coincidence(true)?;
        ctx.set_schedule_maximize_band_depth(self.strategy == Strategy::MaxBands)?;
        ctx.set_schedule_whole_component(self.strategy == Strategy::MaxFusion)?;
        ctx.set_schedule_serialize_sccs(self.strategy == Strategy::MinFusion)?;
        ctx.set_schedule_max_coefficient(MAX_COEFFICIENT)?;
        ctx.set_limit(operations);
        let before = ctx.spent();
        // Beside its limit, the scheduler has cases in which it finds nothing, and rows that the option does not bound.
        let found = constraints.compute().ok();
        // One for each operation is taken where the search ends.
        self.left = self.left.saturating_sub((ctx.spent() - before).saturating_mul(weight - 1));
        ctx.set_limit(ROWS_OPERATIONS);
        let found = found.filter(|schedule| is_bounded(schedule).unwrap_or(false));
        self.answers.insert(question, found.as_ref().map(Schedule::to_string));
        Ok(found)
    }
}

/// Test that no counter has a greater coefficient than [`MAX_COEFFICIENT`] in a row of the schedule: the loops of one that has
/// would be long, and mostly empty.
fn is_bounded(schedule: &Schedule) -> Result<bool, Failure> {
    for map in schedule.map()?.maps()? {
        for piece in map.basic_maps()? {
            for row in piece.constraints()? {
                let greatest = |kind| -> Result<u64, Failure> {
                    let of = |pos| Ok(row.coefficient(kind, pos)?.to_i64().unwrap_or(i64::MAX).unsigned_abs());
                    (0..row.dim(kind)?).map(of).try_fold(0, |most, one: Result<u64, Failure>| Ok(most.max(one?)))
                };
                let (of_counters, of_time) = (greatest(Dim::In)?, greatest(Dim::Out)?);
                if row.is_equality()? && of_time > 0 && of_counters > of_time.saturating_mul(MAX_COEFFICIENT as u64) {
                    return Ok(false);
                }
            }
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isl::{UMap, USet};

    /// A wavefront, asked for in a context of its own.
    fn ask(scheduler: &mut Scheduler, operations: u64) -> Option<String> {
        let ctx = Ctx::new();
        let domain = USet::parse(&ctx, "[n] -> { S[i, j] : 0 < i < n and 0 < j < n }").expect("a set");
        let flow = "[n] -> { S[i, j] -> S[i + 1, j]; S[i, j] -> S[i, j + 1]; S[i, j] -> S[i + 1, j - 1] }";
        let flow = UMap::parse(&ctx, flow).expect("a map").intersect_domain(&domain).expect("a map");
        let wanted = ScheduleConstraints::on_domain(&domain).and_then(|c| c.set_validity(&flow)).expect("constraints");
        let found = scheduler.schedule(&ctx, &wanted, operations, 1).expect("no fault of isl's");
        found.map(|schedule| schedule.to_string())
    }

    #[test]
    fn rows_are_bounded() {
        let ctx = Ctx::new();
        let is_bounded = |row: &str| {
            let text = format!(
                "{{ domain: \"{{ S[i, j] : 0 <= i < j < 2000 }}\", child: {{ schedule: \"[{{ {row} }}]\" }} }}"
            );
            is_bounded(&Schedule::parse(&ctx, &text).expect("a schedule")).expect("no fault of isl's")
        };
        assert!(is_bounded("S[i, j] -> [(8i - j + 5000)]"));
        assert!(is_bounded("S[i, j] -> [(floor((i + j)/32))]"));
        assert!(!is_bounded("S[i, j] -> [(j - 1998i)]"));
    }

    #[test]
    fn one_question_has_one_answer_in_every_context() {
        let mut scheduler = Scheduler::new(Strategy::MaxBands);
        let first = ask(&mut scheduler, 100_000);
        assert!(first.is_some());
        assert_eq!(ask(&mut scheduler, 100_000), first);
        assert_eq!(scheduler.answers.len(), 1);
        assert_eq!(ask(&mut scheduler, 1), None, "too little to find it");
        assert_eq!(ask(&mut scheduler, 1), None);
        scheduler.strategy = Strategy::MinFusion;
        assert!(ask(&mut scheduler, 100_000).is_some());
        assert_eq!(scheduler.answers.len(), 3);
    }

    #[test]
    fn the_searches_of_a_function_share_its_operations() {
        let ctx = Ctx::new();
        let mut scheduler = Scheduler::new(Strategy::MaxBands);
        let one = |_: &mut Scheduler| Ok(1);
        let without_end = |_: &mut Scheduler| -> Result<i32, Failure> {
            loop {
                USet::parse(&ctx, "{ S[i] : i >= 0 }")?;
            }
        };
        let mut search = |f: &dyn Fn(&mut Scheduler) -> Result<i32, Failure>| {
            let found = scheduler.search(&ctx, f).expect("no fault of isl's");
            (found, scheduler.was_cut())
        };
        assert_eq!(search(&one), (Some(1), false));
        assert_eq!(search(&without_end), (None, true));
        assert_eq!(search(&one), (None, false), "nothing is left, and that is reported once");
        assert!(USet::parse(&ctx, "{ S[i] : i >= 0 }").is_ok(), "beside searches nothing is limited");
    }
}
