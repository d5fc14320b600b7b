//! Accesses that the data choose, with what a trace saw of them (`--profile`).
//!
//! `out[map[i * m + j]]` says nothing of memory. Where a trace of an earlier conversion's kernel saw that neighbours along `i` adjoin
//! and those along `j` are apart, `i` runs along the threads of a warp, as for `out[j][i]`.

use super::analysed::{Analysed, statics_mut};
use crate::ast::Unit;
use crate::config::seen::Seen;
use crate::source::Span;
use std::path::Path;

/// Tells the accesses of a region what was seen of them; gives the entries that speak of one, by number.
pub fn observe(region: &mut Analysed, unit: &Unit, seen: &[Seen], place: &dyn Fn(Span) -> (String, u32)) -> Vec<usize> {
    let mut used = vec![];
    if seen.is_empty() {
        return used;
    }
    let at = |span: Span| {
        let (file, line) = place(span);
        let name = Path::new(&file).file_name().unwrap_or_default().to_string_lossy().into_owned();
        format!("{name}:{line}")
    };
    statics_mut(&mut region.nodes, &mut |s| {
        let loops: Vec<_> = s.part.loops.iter().map(|l| l.var).collect();
        for statement in &mut s.part.stmts {
            let of_statement = at(statement.body.span);
            for access in &mut statement.accesses {
                let array = &unit.var(access.data).name;
                let places = [&of_statement, &at(access.span)];
                let is_meant = |(_, seen): &(usize, &Seen)| seen.array == *array && places.contains(&&seen.place);
                for (number, seen) in seen.iter().enumerate().filter(is_meant) {
                    used.push(number);
                    if access.index.is_none() {
                        let along = |v| Some((v, *seen.along.get(&unit.var(v).name)?));
                        access.observed = loops.iter().filter_map(|&v| along(v)).collect();
                    }
                }
            }
        }
    });
    used
}
