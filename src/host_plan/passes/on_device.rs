//! Entries that take arrays which are on the device already: `rtcuda optimize`, whose kernels stand for kernels of the user's.
//!
//! ```text
//! copy a to the device                 (nothing)
//! launch k0(n, a, b)            ->     launch k0(n, a, b)      a and b: the pointers that the entry was given
//! copy b to the host                   (nothing)
//! ```
//! Nothing is weighed against a core of the host, which has not the data. What reads and writes the same array through two
//! names is left to the original: on the host's way each name has a copy of its own. Where the data say which elements are
//! reached, the entry asks the driver whether the memory goes as far as any of them.

use crate::facts::{Reason, remedy};
use crate::host_plan::ir::{Array, HostStmt, NotKept, Param, Reach, Region, visit};
use crate::source::Span;

/// Drops the copies of a plan.
///
/// # Errors
/// A plan that asks for the host's memory, or writes to it, beside the arrays.
pub fn on_device(plan: &mut Region) -> Result<(), Reason> {
    let refused = |code, message: String| Err(Reason::new(code, message, Span::default()));
    if let Some(a) = plan.arrays.iter().find(|a| a.rows.is_some()) {
        let reason = refused("rows", format!("`{}` leads to rows, each by a pointer of its own", a.name));
        return reason.map_err(|r| r.help(remedy!("lay the rows out in one array: a[i * n + j]")));
    }
    if let Some(a) = plan.arrays.iter().find(|a| matches!(a.reach, Some(Reach::Whole(_)))) {
        let message = format!("how far `{}` reaches, only the data say", a.name);
        let help = remedy!("say it in front of the kernel's first statement: #pragma rt shape({}: LENGTH)", a.name);
        return refused("unknown-extent", message).map_err(|r| r.help(help));
    }
    let mut asks_host = plan.rotation.is_some() || !plan.ends.is_empty() || plan.only_if.is_some();
    visit(&plan.body, &mut |s| asks_host |= matches!(s, HostStmt::Print { .. } | HostStmt::GiveUp { .. }));
    asks_host |= plan.params.iter().any(|p| matches!(p, Param::ScalarInOut { .. } | Param::Place { .. }));
    if asks_host {
        return refused("host-memory", "it needs more of the host than numbers".into());
    }
    let given: Vec<String> = plan.arrays.iter().filter(|a| is_given(a)).map(|a| a.name.clone()).collect();
    drop_copies(&mut plan.body, &given);
    plan.arrays.iter_mut().for_each(|a| a.not_kept = Some(NotKept::OfDevice));
    plan.offload = None;
    plan.coinciding.clear();
    plan.original_if_too_large = true;
    plan.on_device = true;
    Ok(())
}

/// An array of the caller's.
fn is_given(a: &Array) -> bool {
    a.on_host && !a.extents.is_empty()
}

fn drop_copies(steps: &mut Vec<HostStmt>, given: &[String]) {
    steps.retain(|s| !matches!(s, HostStmt::CopyIn { array } | HostStmt::CopyOut { array } if given.contains(array)));
    for s in steps {
        s.bodies_mut().into_iter().for_each(|body| drop_copies(body, given));
    }
}
