//! Numbers in the place of constants.
//!
//! ```text
//! const int U = 8;   for (i = 0; i < n; i += U)   ->   for (i = 0; i < n; i += 8)
//! ```

use super::form::{Context, Form};

/// Writes the values of constants for their names.
pub fn fold(form: &mut Form, context: &mut Context) {
    form.stmt.exprs_mut(&mut |e| context.unit.put_constants(e));
}
