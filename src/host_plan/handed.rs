//! Scalars that a call hands over by address: where it can, the address of a copy.
//!
//! ```text
//! float rt_new_sum = sum;
//! if (!rt_f_0(n, a, &rt_new_sum)) { for (i...) sum += a[i]; } else { sum = rt_new_sum; }
//! ```
//! A compiler keeps no variable in a register whose address another function has seen: every store through a pointer may
//! change it, and every call. The original would be slower than it was, up to five times where it only sums up.

use super::ir::Handed;
use crate::ast::{Storage, Unit, VarId};
use crate::facts::definite_assignment::{self, Assigned};
use crate::region::candidates::Candidate;

/// The address of a scalar that a region changes. `is_read`: the region may leave it as it is, or reads it first.
///
/// A variable that is in memory anyway stays the one: a global, or one whose address the function takes. So does a part of one
/// (`__real__ z`), and one of which nobody knows whether it has a value, since a compiler would warn of a copy.
pub fn by_address(unit: &Unit, candidate: &Candidate, v: VarId, is_read: bool) -> Handed {
    let (var, facts) = (unit.var(v), &candidate.facts);
    let is_own = matches!(var.storage, Storage::Local | Storage::Param) && !var.is_volatile;
    let is_whole = var.name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if !is_own || !is_whole || facts.taken().contains(&v) {
        return Handed::Itself;
    }
    let assigned = match var.storage {
        Storage::Param => Assigned::Always,
        _ => definite_assignment::before(facts, candidate.span(), v),
    };
    match assigned {
        Assigned::Always => Handed::Copy { has_value: is_read },
        Assigned::Perhaps if is_read => Handed::Itself,
        Assigned::Never | Assigned::Perhaps => Handed::Copy { has_value: false },
    }
}
