//! Figures of machines: what was measured of each, or what its maker says, as data (`machines/*.toml`), each with its unit, how it
//! is known, and the day of the measurement.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Table of a machine.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// A product of that kind, for people.
    pub name: String,
    /// The compute capability, times ten.
    pub capability: u32,
    /// Part of the name that a driver gives it, where others have its capability, too.
    pub driver: Option<String>,
    /// Rates, sizes and latencies, by the names of fields of [`Device`](super::Device).
    pub figures: BTreeMap<String, Figure>,
    /// Waits between the phases of a computation ([`Crossing`](super::Crossing)).
    #[serde(default)]
    pub waits: BTreeMap<String, Figure>,
}

/// A figure of a machine.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    pub value: f64,
    /// `1/cycle` and `bytes/cycle` are those of a multiprocessor; empty: a number.
    pub unit: String,
    /// How it is known: the measurement, or the document.
    pub by: String,
    /// The day on which it was measured.
    pub date: Option<toml::value::Datetime>,
}

/// A figure as it is told, of the machine that it was found for.
#[derive(Debug, Serialize)]
pub struct Known {
    pub figure: &'static str,
    pub value: f64,
    pub unit: &'static str,
    pub by: &'static str,
    pub date: Option<String>,
    pub of: &'static str,
}

/// All that the model takes of the machine of that capability which a driver calls so; what its own table leaves out is the H100's.
pub fn known(capability: u32, driver: &str) -> Vec<Known> {
    let own = Table::of(capability, driver);
    let of = |(name, usual): (&'static String, &'static Figure)| {
        let (figure, table) = own.figures.get(name).map_or((usual, Table::usual()), |figure| (figure, own));
        Known {
            figure: name,
            value: figure.value,
            unit: &figure.unit,
            by: &figure.by,
            date: figure.date.as_ref().map(ToString::to_string),
            of: &table.name,
        }
    };
    let usual = Table::usual();
    usual.figures.iter().chain(&usual.waits).map(of).collect()
}

macro_rules! tables {
    ($($name:literal)*) => { [$(($name, include_str!(concat!("machines/", $name, ".toml")))),*] };
}

/// The tables, that of the H100 first: what others leave out is read there.
static TABLES: LazyLock<Vec<Table>> = LazyLock::new(|| {
    let texts = tables! { "h100" "h200" "v100" "t4" "a100" "rtx3090" "rtx4090" "b200" "rtx5090" };
    let parsed = |(name, text): (&str, &str)| -> Table {
        // The text is part of the program, and a test reads all of it.
        toml::from_str(text).unwrap_or_else(|e| panic!("machines/{name}.toml: {e}"))
    };
    texts.into_iter().map(parsed).collect()
});

impl Table {
    /// The table that has what others leave out.
    pub fn usual() -> &'static Table {
        &TABLES[0]
    }

    /// The table of a machine of that capability, the usual one of them; where `driver` names one, that.
    pub fn of(capability: u32, driver: &str) -> &'static Table {
        let is_it =
            |t: &&Table| t.capability == capability && t.driver.as_deref().is_some_and(|word| driver.contains(word));
        let is_usual = |t: &&Table| t.capability == capability && t.driver.is_none();
        TABLES.iter().find(is_it).or_else(|| TABLES.iter().find(is_usual)).unwrap_or(Table::usual())
    }

    /// A figure of it, or of the H100.
    pub fn figure(&self, name: &str) -> f64 {
        let found = self.figures.get(name).or_else(|| Table::usual().figures.get(name));
        found.unwrap_or_else(|| panic!("no machine has the figure `{name}`")).value
    }

    /// A wait, which all machines have from the H100.
    pub fn wait(name: &str) -> i64 {
        Table::usual().waits.get(name).unwrap_or_else(|| panic!("no machine has the wait `{name}`")).value as i64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_says_how_it_is_known_and_measurements_say_when() {
        for table in TABLES.iter() {
            for (name, figure) in table.figures.iter().chain(&table.waits) {
                let of = &table.name;
                assert!(figure.value > 0.0 && !figure.by.is_empty(), "{of}: {name}");
                assert!(
                    Table::usual().figures.contains_key(name) || Table::usual().waits.contains_key(name),
                    "{of}: {name}"
                );
                let is_said =
                    ["whitepaper", "guide", "rough", "Luo", "warps", "described"].iter().any(|w| figure.by.contains(w));
                assert!(is_said != figure.date.is_some(), "{of}: {name} is measured, and says when, or has a source");
            }
        }
    }

    #[test]
    fn a_driver_s_name_decides_among_machines_of_a_capability() {
        assert_eq!(Table::of(90, "NVIDIA H200").name, "H200");
        assert_eq!(Table::of(90, "").name, "H100 SXM");
        assert_eq!(Table::of(80, "NVIDIA A100-SXM4-40GB").name, "A100");
        assert_eq!(Table::of(103, "").name, Table::usual().name);
    }
}
