//! The list of what an entry tests before its steps, completed: whether a device pays, whether the memory behind pointers is
//! there, whether arrays lie apart.
//!
//! ```text
//! needs n >= 0         ->     needs a device to be worth asking, by what the call is given
//!                             needs n >= 0
//!                             needs a device to pay, with all copies
//!                             needs the memory behind x to be there
//!                             needs x, y to lie apart
//! ```
//! The cheapest is asked first, and nothing is before what it is computed from was proved.

use crate::host_plan::given::are_given;
use crate::host_plan::guard::{Condition, Guard, Stage, Touched};
use crate::host_plan::ir::{Array, Param, Reach, Region};

/// Completes the list; up to here it has what was proved alone.
pub fn guards(plan: &mut Region) {
    let mut all = std::mem::take(&mut plan.guards);
    all.extend(weighed(plan));
    all.extend(there(plan));
    all.extend(apart(plan));
    // Those behind one stage keep their order.
    all.sort_by_key(|guard| guard.behind);
    plan.guards = all;
}

/// Tests whether a device pays: by the call's numbers alone, where these say it, and with all copies.
fn weighed(plan: &Region) -> Vec<Guard> {
    let Some(estimate) = &plan.offload else { return vec![] };
    let all: &[(Condition, Stage)] = match (estimate.is_known, are_given(plan, estimate)) {
        (true, true) => &[(Condition::MayPay, Stage::Parameters), (Condition::Pays, Stage::Lengths)],
        (true, false) => &[(Condition::Pays, Stage::Lengths)],
        (false, true) => &[(Condition::RunsOften, Stage::Region)],
        (false, false) => &[(Condition::RunsOften, Stage::Lengths)],
    };
    let guard = |(condition, behind): &(Condition, Stage)| Guard {
        condition: condition.clone(),
        behind: *behind,
        reason: "one core of the host is sooner done".into(),
        line: 0,
    };
    all.iter().map(guard).collect()
}

/// Tests of the memory behind pointers: as a whole, and of each row.
fn there(plan: &Region) -> Vec<Guard> {
    let mut out = vec![];
    for a in &plan.arrays {
        let Some(reach) = &a.reach else { continue };
        let array = a.name.clone();
        let mut ask = |condition, behind, reason| out.push(Guard { condition, behind, reason, line: 0 });
        if plan.on_device {
            let reason = format!("the memory behind `{array}` ends before what its subscripts may reach");
            ask(Condition::IsOnDevice { array }, Stage::Arrays, reason);
            continue;
        }
        let what = match reach {
            Reach::Whole(_) => "nothing is known of the memory behind",
            Reach::Covers => "what is known of the memory ends before what may be touched behind",
        };
        let reason = format!("{what} `{array}`");
        ask(Condition::IsThere { array: array.clone() }, Stage::Lengths, reason);
        if a.rows.is_some() {
            let reason = format!("what is known of the memory ends before what may be touched of rows of `{array}`");
            ask(Condition::RowsAreThere { array }, Stage::Rows, reason);
        }
    }
    out
}

/// Arrays of the caller's that overlap, one of them written, are outside what was proved; so are rows that do. `None`: there are no
/// two that might.
fn apart(plan: &Region) -> Option<Guard> {
    let is_callers = |a: &&Array| a.on_host && !a.extents.is_empty();
    let is_touched = |a: &&Array| a.live_in.is_some() || a.live_out.is_some();
    let (by_rows, blocks): (Vec<&Array>, Vec<&Array>) =
        plan.arrays.iter().filter(is_callers).partition(|a| a.rows.is_some());
    let mut any_written = by_rows.iter().chain(&blocks).any(|a| a.live_out.is_some());
    let mut touched: Vec<Touched> =
        blocks.into_iter().filter(is_touched).map(|a| Touched::Block(a.name.clone())).collect();
    for p in &plan.params {
        if let Param::Place { name, is_written, .. } = p {
            any_written |= is_written;
            touched.push(Touched::Place(name.clone()));
        }
    }
    if !any_written || (touched.len() < 2 && by_rows.is_empty()) {
        return None;
    }
    touched.extend(by_rows.into_iter().map(|a| Touched::Rows(a.name.clone())));
    // Only of rows is it asked whether the device has them.
    let has_rows = plan.arrays.iter().any(|a| a.on_host && a.rows.is_some());
    let behind = if has_rows { Stage::Arrays } else { Stage::Rows };
    Some(Guard { condition: Condition::Apart(touched), behind, reason: "arrays overlap".into(), line: 0 })
}
