//! A trace of an emitted kernel in words of the C that it comes from: how neighbours along the user's loops access memory, which the
//! next conversion takes by `--profile`.

use super::integer::Solution;
use crate::config::seen::Seen;
use crate::schedule::mapping::{Mapping, Place};
use std::collections::BTreeMap;

/// An access of the kernel: its number, its C line where it has one, its arrays.
pub type Made<'a> = (usize, Option<&'a str>, &'a [String]);

/// Sight along the loops of a kernel's band. Where threads of a block are no points of the band beside each other (lanes that
/// share an element, points of a thread that are neighbours), nothing is.
pub fn seen(mapping: &Mapping, solution: &Solution, accesses: &[Made]) -> Vec<Seen> {
    let dimensions = mapping.n_dimensions();
    let counter = |axis: &crate::schedule::mapping::Axis| match axis.place {
        Place::Grid { dimension, skew: None | Some(1), .. } => Some((axis.name.clone(), dimensions - 1 - dimension)),
        _ => None,
    };
    let counters: Vec<(String, usize)> = mapping.axes.iter().filter_map(counter).collect();
    if mapping.lanes.is_some() || counters.len() < mapping.axes.len() {
        return vec![];
    }
    let threads = |axis: usize| solution.dimensions.iter().any(|dimension| *dimension as usize == axis);
    let mut found: BTreeMap<(String, String), Seen> = BTreeMap::new();
    for reference in &solution.references {
        let access = accesses.iter().find(|(number, ..)| *number == reference.access);
        let Some(&(_, Some(place), [array])) = access else { continue };
        let entry = found.entry((place.to_owned(), array.clone())).or_insert_with(|| Seen {
            place: place.to_owned(),
            array: array.clone(),
            along: BTreeMap::new(),
        });
        for (name, axis) in counters.iter().filter(|(_, axis)| threads(*axis)) {
            // Of several accesses of a line the worst tells.
            let neighbours = reference.along[*axis];
            entry.along.entry(name.clone()).and_modify(|seen| *seen = neighbours.max(*seen)).or_insert(neighbours);
        }
    }
    found.into_values().collect()
}
