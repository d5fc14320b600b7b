//! Loops of which a part cannot leave the host, as loops that run one behind the other, so that the rest can.
//!
//! ```c
//! for (int i = 0; i < n; i++) {              for (int i = 0; i < n; i++) { double f = force(x, n, i); rt_f_0[i] = f; }
//!     double f = force(x, n, i);       ->    for (int i = 0; i < n; i++) { double f = rt_f_0[i]; v[i] += f + rand(); }
//!     v[i] += f + rand();
//! }
//! ```
//! Calls of functions that the device has not, or that keep a state from call to call, make one part; the statements before and
//! behind it make others, where they hold loops themselves. Values go from part to part through memory that the text allocates; where
//! there is none, and where the loop is short, it runs as it was written.
//!
//! The text of the file is changed, on the loop's own lines, and read again: all that follows sees loops as a person would have
//! written them. That is tried of loops that no region holds as they are, and undone where no part becomes one
//! (`src/pipeline/convert.rs`).
//!
//! Source of the method: loop distribution with scalar expansion (Allen and Kennedy, Optimizing Compilers for Modern Architectures,
//! sections 5.3 and 6.2.4).

mod parts;
mod text;
mod touches;

use crate::ast::Unit;
use crate::source::made::Made;
use crate::source::{Source, Span};
use parts::{Callees, loops, parted};
use std::cell::OnceCell;

/// The loops of a file that may run as several, of those that are wanted, in the order of the text.
pub fn find(unit: &Unit, source: &Source, is_wanted: &dyn Fn(Span) -> bool) -> Vec<Made> {
    let mut out: Vec<Made> = vec![];
    if !source.joined.inclusions.is_empty() {
        return out;
    }
    let mut callees = Callees::new(unit);
    for function in &unit.functions {
        let facts = OnceCell::new();
        loops(&function.body, &mut |stmt| {
            let span = stmt.span;
            let found = if is_wanted(span) { parted(unit, function, &facts, stmt, &mut callees) } else { None };
            let made = found.and_then(|parted| {
                let users = source.user_range(span, span).ok()?;
                let texts = text::around(unit, source, &parted, out.len())?;
                source.is_literal(&texts[0]).then_some(())?;
                Some(Made { place: span, users, texts })
            });
            let is_made = made.is_some();
            out.extend(made);
            is_made
        });
    }
    out.sort_by_key(|m| m.place.lo);
    out
}
