//! Rows in slices as C++: `rt::slice_rows(rt, line, start, first, last, slices, value, rt_value_sliced, ..)`.

use super::super::construct::launches::{SliceRows, Sliced};
use super::super::entry_names::device_name;
use super::super::host_text::Host;
use super::super::spell::spell;
use super::Text;
use crate::diag::Stop;
use crate::library::slices::Slices;

impl Host<'_> {
    pub(super) fn slices(&self, s: &Slices) -> Result<Text, Stop> {
        let name = |array: &str| Ok::<_, Stop>(device_name(self.region, self.array(array)?));
        let entries = s.entries.iter().map(|(from, to)| Ok(Sliced { array: name(from)?, copy: name(to)? }));
        let call = SliceRows {
            line: s.line,
            start: name(&s.start)?,
            first: self.out.scope.position_text(&s.first)?,
            last: self.out.scope.position_text(&s.last)?,
            slices: name(&s.slices)?,
            entries: entries.collect::<Result<_, Stop>>()?,
        };
        Ok(Text { pays: "true".into(), call: spell(&call)? })
    }
}
