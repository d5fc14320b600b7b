//! Long rows in pieces as C++: `rt_pieces = rt::cut_long_rows(rt, line, rt_start, 0, n, rt_pieces_before, ..)`.

use super::super::construct::launches::CutLongRows;
use super::super::entry_names::device_name;
use super::super::host_text::Host;
use super::super::names;
use super::super::spell::spell;
use super::Text;
use crate::diag::Stop;
use crate::library::long_rows::LongRows;

impl Host<'_> {
    pub(super) fn long_rows(&self, r: &LongRows) -> Result<Text, Stop> {
        let name = |array: &str| Ok::<_, Stop>(device_name(self.region, self.array(array)?));
        let call = CutLongRows {
            line: r.line,
            count: names::spell(&r.count),
            start: name(&r.start)?,
            first: self.out.scope.position_text(&r.first)?,
            last: self.out.scope.position_text(&r.last)?,
            before: name(&r.before)?,
            begins: name(&r.from)?,
            ends: name(&r.to)?,
        };
        Ok(Text { pays: "true".into(), call: spell(&call)? })
    }
}
