//! Settings of a region that are candidates, by their keys of the configuration: calls of a library or kernels, how many nests
//! become one kernel, and how the steps of a time loop wait for each other.

use crate::config::{Choice, Defaults, Library, Schedule, Sync};
use std::collections::BTreeMap;

/// Settings of a region, by their keys of the configuration.
pub type Settings = BTreeMap<String, String>;

/// Keys of the settings that are tried.
pub const KEYS: [&str; 3] = ["library", "schedule", "sync"];

/// Settings with others in the place of theirs, by key; a key or value that there is not changes nothing.
pub fn with(settings: &Defaults, others: &Settings) -> Defaults {
    fn value<C: Choice>(others: &Settings, key: &str, usual: C) -> C {
        others.get(key).and_then(|name| C::named(name)).unwrap_or(usual)
    }
    let [library, schedule, sync] = KEYS;
    Defaults {
        library: value(others, library, settings.library),
        schedule: value(others, schedule, settings.schedule),
        sync: value(others, sync, settings.sync),
        ..settings.clone()
    }
}

/// Other values of the settings that are left to the tool, one at a time. What computes something else by design is none of
/// them.
pub fn others(settings: &Defaults) -> Vec<Settings> {
    fn values<C: Choice + PartialEq>(key: &str, is: C, usual: C, others: &[C]) -> Vec<Settings> {
        let known = C::ALL.iter().filter(|(_, value)| is == usual && others.contains(value));
        known.map(|(name, _)| Settings::from([(key.to_owned(), (*name).to_owned())])).collect()
    }
    let usual = Defaults::default();
    let [library, schedule, sync] = KEYS;
    let syncs = [Sync::Relaunch, Sync::Graph, Sync::LockFree, Sync::Relaxed];
    [
        values(library, settings.library, usual.library, &[Library::Never, Library::Always]),
        values(schedule, settings.schedule, usual.schedule, &[Schedule::MaxFusion, Schedule::MinFusion]),
        values(sync, settings.sync, usual.sync, &syncs),
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_the_user_gives_stay() {
        let all = others(&Defaults::default());
        let told: Vec<String> = all.iter().flatten().map(|(key, name)| format!("{key} {name}")).collect();
        let libraries = ["library always", "library never"];
        let schedules = ["schedule max-fusion", "schedule min-fusion"];
        let syncs = ["sync relaunch", "sync graph", "sync lock-free", "sync relaxed"];
        assert_eq!(told, [&libraries[..], &schedules, &syncs].concat());
        let given = Defaults { library: Library::Never, sync: Sync::Graph, ..Defaults::default() };
        assert!(others(&given).iter().all(|one| one.contains_key("schedule")));
    }

    #[test]
    fn settings_are_put_in_the_place_of_others() {
        let chosen = [("sync", "relaunch"), ("library", "never")].map(|(key, name)| (key.to_owned(), name.to_owned()));
        let settings = with(&Defaults::default(), &chosen.into());
        assert_eq!((settings.library, settings.sync), (Library::Never, Sync::Relaunch));
        assert_eq!(settings.schedule, Schedule::MaxBands);
    }
}
