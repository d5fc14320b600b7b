//! The two forms of a nest in a loop of the host: launches under its own mapping, and phases of a resident kernel under
//! another.

use crate::host_plan::ir::HostStmt;

/// Form of nests that have two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Own,
    Phase,
}

/// Steps with their nests in one form.
pub fn taken(steps: Vec<HostStmt>, form: Form) -> Vec<HostStmt> {
    steps.into_iter().flat_map(|s| of(s, form)).collect()
}

fn of(mut s: HostStmt, form: Form) -> Vec<HostStmt> {
    if let HostStmt::Nest { own, phase } = s {
        return taken(if form == Form::Own { own } else { phase }, form);
    }
    s.bodies_mut().into_iter().for_each(|body| *body = taken(std::mem::take(body), form));
    vec![s]
}
