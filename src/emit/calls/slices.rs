//! Rows in slices as C++: `rt::slice_rows(rt, line, start, first, last, slices, value, rt_value_sliced, ..)`.

use super::super::host_text::{Host, device_name};
use super::Text;
use crate::dag::plan::{self, HostStmt};
use crate::diag::Stop;
use crate::library::call::Call;
use crate::library::slices::Slices;

impl Host<'_> {
    pub(super) fn slices(&self, s: &Slices) -> Result<Text, Stop> {
        let name = |array: &str| Ok::<_, Stop>(device_name(self.region, self.array(array)?));
        let mut arguments = vec!["rt".to_string(), s.line.to_string(), name(&s.start)?];
        for e in [&s.first, &s.last] {
            arguments.push(self.out.scope.position_text(e)?);
        }
        arguments.push(name(&s.slices)?);
        for (from, to) in &s.entries {
            arguments.extend([name(from)?, name(to)?]);
        }
        Ok(Text { pays: "true".into(), name: "rt::slice_rows", arguments })
    }
}

/// Whether an array is a copy in slices, for which there need not be room.
pub fn is_sliced(body: &[HostStmt], array: &str) -> bool {
    let mut found = false;
    plan::visit(body, &mut |s| {
        if let HostStmt::Call { call, .. } = s
            && let Call::Slices(s) = &**call
        {
            found |= s.entries.iter().any(|(_, to)| to == array);
        }
    });
    found
}
