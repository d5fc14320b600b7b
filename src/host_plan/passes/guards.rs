//! The list of what an entry tests before its steps, completed: whether a device pays, whether the memory behind pointers is
//! there, whether arrays lie apart.
//!
//! ```text
//! needs n >= 0         ->     needs a device to be worth asking, by n
//!                             needs n >= 0
//!                             needs a device to pay, with all copies
//!                             needs the memory behind x to be there
//!                             needs x, y to lie apart
//! ```
//! What costs least is asked first, and nothing is before what it is computed from was proved.

use crate::host_plan::given::are_given;
use crate::host_plan::guard::{Condition, Guard, Touched};
use crate::host_plan::ir::{Array, Param, Reach, Region};

/// Completes the list; up to here it has what was proved alone.
pub fn guards(plan: &mut Region) {
    let proved = std::mem::take(&mut plan.guards);
    let mut all: Vec<Guard> = first(plan).into_iter().collect();
    all.extend(proved);
    all.extend(weighed(plan));
    all.extend(there(plan));
    all.extend(rows_there(plan));
    // Only of rows is it asked whether the device has them, and so they are behind those of the device.
    let has_rows = plan.arrays.iter().any(|a| a.on_host && a.rows.is_some());
    let (before, behind) = if has_rows { (None, apart(plan)) } else { (apart(plan), None) };
    all.extend(before);
    all.extend(on_device(plan));
    all.extend(behind);
    plan.guards = all;
}

/// What is asked by the call's numbers alone.
fn first(plan: &Region) -> Option<Guard> {
    let estimate = plan.offload.as_ref().filter(|estimate| are_given(plan, estimate))?;
    let condition = if estimate.is_known { Condition::MayPay } else { Condition::RunsOften };
    Some(of_cost(condition))
}

/// What is asked by sizes that are known after what was proved.
fn weighed(plan: &Region) -> Option<Guard> {
    let estimate = plan.offload.as_ref()?;
    match estimate.is_known {
        true => Some(of_cost(Condition::Pays)),
        false => (!are_given(plan, estimate)).then(|| of_cost(Condition::RunsOften)),
    }
}

fn of_cost(condition: Condition) -> Guard {
    Guard { condition, reason: "one core of the host is sooner done".into(), line: 0 }
}

fn there(plan: &Region) -> Vec<Guard> {
    let one = |a: &Array| {
        let what = match a.reach.as_ref()? {
            Reach::Whole(_) => "nothing is known of the memory behind",
            Reach::Covers => "what is known of the memory ends before what may be touched behind",
        };
        let condition = Condition::IsThere { array: a.name.clone() };
        Some(Guard { condition, reason: format!("{what} `{}`", a.name), line: 0 })
    };
    plan.arrays.iter().filter(|_| !plan.on_device).filter_map(one).collect()
}

fn rows_there(plan: &Region) -> Vec<Guard> {
    let one = |a: &Array| Guard {
        condition: Condition::RowsAreThere { array: a.name.clone() },
        reason: format!("what is known of the memory ends before what may be touched of rows of `{}`", a.name),
        line: 0,
    };
    plan.arrays.iter().filter(|a| a.reach.is_some() && a.rows.is_some()).map(one).collect()
}

fn on_device(plan: &Region) -> Vec<Guard> {
    let one = |a: &Array| Guard {
        condition: Condition::IsOnDevice { array: a.name.clone() },
        reason: format!("the memory behind `{}` ends before what its subscripts may reach", a.name),
        line: 0,
    };
    plan.arrays.iter().filter(|a| plan.on_device && a.reach.is_some()).map(one).collect()
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
    Some(Guard { condition: Condition::Apart(touched), reason: "arrays overlap".into(), line: 0 })
}
