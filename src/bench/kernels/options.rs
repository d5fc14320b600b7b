//! What is asked for: which rows, and under which optimisations.

use super::rows::{ROWS, Row, SOURCES, Source};
use crate::config::{Choice, Optimization};

/// What is measured.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Parts of the names of rows; all where there are none.
    pub only: Vec<String>,
    /// The first size of each row alone.
    pub quick: bool,
    /// Name and text of the user's configuration.
    pub config: Option<(String, String)>,
    /// Each of [`steps`], in the place of the user's optimisations.
    pub dissect: bool,
}

/// The rows that are wanted.
pub fn wanted(only: &[String]) -> impl Iterator<Item = &'static Row> {
    ROWS.iter().filter(move |row| only.is_empty() || only.iter().any(|part| row.kernel.contains(part.as_str())))
}

/// The C files of the wanted rows.
pub fn sources(only: &[String]) -> Vec<&'static Source> {
    let named: Vec<&Source> = wanted(only).filter_map(Row::source).collect();
    SOURCES.iter().filter(|source| named.contains(source)).collect()
}

/// A choice of optimisations, with its name in the table.
pub type Step = (String, Option<Vec<Optimization>>);

/// Choices of optimisations: none, then one more each time, in the order in which the configuration lists them.
pub fn steps() -> Vec<Step> {
    let all = <Optimization as Choice>::ALL;
    let named = |n: usize| match n {
        0 => "naive".to_owned(),
        n => format!("+ {}", all[n - 1].0),
    };
    (0..=all.len()).map(|n| (named(n), Some(all[..n].iter().map(|&(_, value)| value).collect()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_begin_with_none_and_end_with_all() {
        let steps = steps();
        assert_eq!((steps[0].0.as_str(), steps[0].1.as_deref()), ("naive", Some(&[][..])));
        let all: Vec<Optimization> = <Optimization as Choice>::ALL.iter().map(|&(_, value)| value).collect();
        assert_eq!(steps.last().and_then(|(_, optimize)| optimize.clone()), Some(all));
    }
}
