//! Columns in 16 bits as C++: `rt_fit = rt::shorten_columns(rt, line, start, 0, n, column, rt_column_short, rt_reach, rt_least)`.

use super::super::construct::launches::ShortenColumns;
use super::super::entry_names::device_name;
use super::super::host_text::Host;
use super::super::names;
use super::super::spell::spell;
use super::Text;
use crate::diag::Stop;
use crate::library::short_columns::ShortColumns;

impl Host<'_> {
    pub(super) fn short_columns(&self, c: &ShortColumns) -> Result<Text, Stop> {
        let name = |array: &str| Ok::<_, Stop>(device_name(self.region, self.array(array)?));
        let call = ShortenColumns {
            line: c.line,
            fit: names::spell(&c.fit),
            reach: names::spell(&c.reach),
            least: names::spell(&c.least),
            start: name(&c.start)?,
            first: self.out.scope.position_text(&c.first)?,
            last: self.out.scope.position_text(&c.last)?,
            column: name(&c.column)?,
            short: name(&c.short)?,
        };
        Ok(Text { pays: "true".into(), call: spell(&call)? })
    }
}
