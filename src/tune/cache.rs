//! Measurements that are remembered: a JSON file, written anew as a whole after each one.
//!
//! The file is replaced in one step (written beside it, then renamed): who is killed at any moment leaves the file before
//! or the file after. A measurement is known by what it depends on ([`Key`]): the text that is compiled, the device, the
//! numbers of the call, the flags.

use super::chosen::Chosen;
use crate::config::Objective;
use crate::diag::{Diagnostic, Stop};
use serde::{Deserialize, Serialize};
use serde_json::error::Category;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Everything that a measurement depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// The key as a text.
    pub fn into_text(self) -> String {
        self.0
    }

    /// The key of these texts, one for each thing that a measurement depends on.
    pub fn of(parts: &[&str]) -> Key {
        // FNV-1a, in two variants of 64 bits: the same on every machine and in every version.
        let hash = |offset: u64| {
            let bytes = parts.iter().flat_map(|part| part.bytes().chain([0]));
            bytes.fold(offset, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
        };
        Key(format!("{:016x}{:016x}", hash(0xcbf2_9ce4_8422_2325), hash(0x6c62_272e_07bb_0142)))
    }
}

/// Outcome of measuring a candidate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "kebab-case")]
pub enum Outcome {
    /// It computes what it should.
    Ok {
        /// Seconds of the region's kernels in each run.
        samples: Vec<f64>,
    },
    /// The same, and what it takes.
    Metered {
        samples: Vec<f64>,
        /// Joules of the GPU for one run of the region's kernels.
        joules: f64,
    },
    /// It computes what it should, and the meter does not resolve what it takes.
    Unmetered { samples: Vec<f64>, why: String },
    /// It computes something else.
    Differs { why: String },
    /// The call is outside what was proved, under these sizes.
    Declined { why: String },
    /// It did not get to its end.
    Failed { why: String },
    /// It got to no end within its time.
    Hangs { why: String },
    /// It cannot be converted or compiled.
    Unbuilt { why: String },
}

impl Outcome {
    /// The figures of a candidate that computes what it should.
    pub fn figure(&self) -> Option<Figure> {
        Some(Figure { seconds: self.seconds()?, joules: self.joules() })
    }

    /// The value that is made small; `None` where it is wrong, or not known.
    pub fn value(&self, objective: Objective) -> Option<f64> {
        self.figure()?.value(objective)
    }

    /// Test that nothing more can be known of it for an objective.
    pub fn is_known(&self, objective: Objective) -> bool {
        objective == Objective::Time || !matches!(self, Outcome::Ok { .. })
    }

    /// Joules of one run, where they were metered.
    pub fn joules(&self) -> Option<f64> {
        if let Outcome::Metered { joules, .. } = self { Some(*joules) } else { None }
    }

    /// Seconds of its runs, where it computes what it should.
    pub fn samples(&self) -> Option<&[f64]> {
        match self {
            Outcome::Ok { samples } | Outcome::Metered { samples, .. } | Outcome::Unmetered { samples, .. } => {
                Some(samples)
            }
            _ => None,
        }
    }

    /// The median of its runs, where it computes what it should.
    pub fn seconds(&self) -> Option<f64> {
        let samples = self.samples()?;
        let mut sorted: Vec<f64> = samples.iter().copied().filter(|s| s.is_finite() && *s > 0.0).collect();
        sorted.sort_by(f64::total_cmp);
        let n = sorted.len();
        let middle = [sorted.get(n.checked_sub(1)? / 2)?, sorted.get(n / 2)?];
        Some((middle[0] + middle[1]) / 2.0)
    }

    /// The fault of it, if there is one.
    pub fn why(&self) -> Option<&str> {
        match self {
            Outcome::Ok { .. } | Outcome::Metered { .. } => None,
            Outcome::Unmetered { why, .. }
            | Outcome::Differs { why }
            | Outcome::Declined { why }
            | Outcome::Failed { why }
            | Outcome::Hangs { why }
            | Outcome::Unbuilt { why } => Some(why),
        }
    }
}

/// The figures of a candidate: seconds of the region's kernels, and joules of the GPU for them, where they were metered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figure {
    pub seconds: f64,
    pub joules: Option<f64>,
}

impl Figure {
    /// The value that is made small; `None` where nobody knows it.
    pub fn value(self, objective: Objective) -> Option<f64> {
        match objective {
            Objective::Time => Some(self.seconds),
            Objective::Energy => self.joules,
            Objective::Edp => Some(self.joules? * self.seconds),
        }
    }

    /// The least of several runs.
    pub fn least(self, other: Figure) -> Figure {
        let joules = self.joules.zip(other.joules).map(|(x, y)| x.min(y)).or(self.joules).or(other.joules);
        Figure { seconds: self.seconds.min(other.seconds), joules }
    }
}

/// A measurement with what it was of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Name of the kernel, and what is chosen for it.
    pub kernel: String,
    #[serde(flatten)]
    pub chosen: Chosen,
    pub device: String,
    /// The numbers that the region was called with.
    pub call: BTreeMap<String, i64>,
    pub outcome: Outcome,
}

/// Findings of a search at a call, of which several lead to a choice by the sizes of a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ranking {
    /// Key of what was tuned: the kernels of its region as nobody tunes them, its settings, the target.
    pub text: String,
    pub kernel: String,
    pub device: String,
    /// The value that was made small.
    pub objective: String,
    pub call: BTreeMap<String, i64>,
    /// Seconds since 1970 when it ended.
    pub when: u64,
    /// The best of the right candidates, and the kernel as nobody tunes it, which has no settings.
    pub best: Vec<Valued>,
}

/// A candidate and its value of the objective.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Valued {
    #[serde(flatten)]
    pub chosen: Chosen,
    pub value: f64,
}

impl Ranking {
    /// The key under which it is remembered: of what was tuned, at the call.
    pub fn key(&self) -> Key {
        let Ranking { text, kernel, device, objective, call, .. } = self;
        Key::of(&["ranking", text, kernel, device, objective, &format!("{call:?}")])
    }

    /// Test that the other is of the same at what may be another call.
    pub fn is_beside(&self, other: &Ranking) -> bool {
        let of = |r: &Ranking| [&r.text, &r.kernel, &r.device, &r.objective].map(String::clone);
        of(self) == of(other)
    }
}

/// The file.
#[derive(Debug)]
pub struct Cache {
    path: PathBuf,
    entries: BTreeMap<String, Entry>,
    rankings: BTreeMap<String, Ranking>,
    /// Keys that are not in the file.
    unsaved: BTreeSet<String>,
    /// The file that the entries are of: another run has replaced it where it is another.
    seen: Option<Version>,
    /// Why the last measurement is not in the file, told once.
    unwritten: Option<String>,
}

/// The file of a moment: it is never written to, only replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Version {
    inode: u64,
    modified: (i64, i64),
}

/// The contents of the file.
#[derive(Serialize, Deserialize)]
struct File {
    rtcuda_tune: u32,
    measurements: BTreeMap<String, Entry>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    rankings: BTreeMap<String, Ranking>,
}

/// Version of the format.
const VERSION: u32 = 1;

impl Cache {
    /// Opens a file; one that is not there is empty.
    ///
    /// # Errors
    /// `tune-cache` where it is none, or cannot be read.
    pub fn open(path: &Path) -> Result<Cache, Stop> {
        let mut cache = Cache {
            path: path.to_owned(),
            entries: BTreeMap::new(),
            rankings: BTreeMap::new(),
            unsaved: BTreeSet::new(),
            seen: None,
            unwritten: None,
        };
        cache.read().map_err(|why| {
            let help = "move it away, or name another file: --cache, or `cache` under [tune]";
            Diagnostic::error("tune-cache", why, None).help(help)
        })?;
        Ok(cache)
    }

    /// Reads the file, if it is another than before.
    fn read(&mut self) -> Result<(), String> {
        let of = |m: fs::Metadata| Version { inode: m.ino(), modified: (m.mtime(), m.mtime_nsec()) };
        let seen = fs::metadata(&self.path).ok().map(of);
        if seen == self.seen {
            return Ok(());
        }
        let bytes = match fs::read(&self.path) {
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(()),
            Err(e) => return Err(format!("{} cannot be read: {}", self.path.display(), in_words(&e))),
            Ok(bytes) => bytes,
        };
        let none = |why: String| format!("{} is no cache of measurements: {why}", self.path.display());
        let file: File = serde_json::from_slice(&bytes).map_err(|e| match e.classify() {
            Category::Data => none(format!("it is JSON of something else: {e}")),
            _ => none(format!("it is not JSON: {e}")),
        })?;
        if file.rtcuda_tune != VERSION {
            return Err(none(format!("its version is {}, not {VERSION}", file.rtcuda_tune)));
        }
        for (key, entry) in file.measurements {
            if !self.unsaved.contains(&key) {
                self.entries.insert(key, entry);
            }
        }
        for (key, ranking) in file.rankings {
            if !self.unsaved.contains(&key) {
                self.rankings.insert(key, ranking);
            }
        }
        self.seen = seen;
        Ok(())
    }

    /// The outcome of a key, where all is known of it that an objective asks for.
    pub fn known(&self, key: &Key, objective: Objective) -> Option<&Outcome> {
        self.get(key).map(|entry| &entry.outcome).filter(|outcome| outcome.is_known(objective))
    }

    /// The entry of a key.
    pub fn get(&self, key: &Key) -> Option<&Entry> {
        self.entries.get(&key.0)
    }

    /// Remembers a measurement, beside what other runs have put into the file. Where it cannot be written, the search goes on
    /// without it: see [`unwritten`](Cache::unwritten).
    pub fn put(&mut self, key: &Key, entry: Entry) {
        self.entries.insert(key.0.clone(), entry);
        self.save(key);
    }

    /// Remembers a ranking, in the place of an earlier one at the same call.
    pub fn put_ranking(&mut self, ranking: Ranking) {
        let key = ranking.key();
        self.rankings.insert(key.0.clone(), ranking);
        self.save(&key);
    }

    fn save(&mut self, key: &Key) {
        self.unsaved.insert(key.0.clone());
        self.unwritten = self
            .write()
            .err()
            .map(|why| format!("{why}: what is measured now is lost with this run; --cache names another file"));
    }

    fn write(&mut self) -> Result<(), String> {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let fault = |e: io::Error| format!("{} cannot be written: {}", self.path.display(), in_words(&e));
        // Until it is dropped.
        let _locked = fs::create_dir_all(folder).and_then(|()| locked(folder)).map_err(fault)?;
        let folder = folder.to_owned();
        self.read()?;
        let file = File { rtcuda_tune: VERSION, measurements: self.entries.clone(), rankings: self.rankings.clone() };
        let fault = |e: io::Error| format!("{} cannot be written: {}", self.path.display(), in_words(&e));
        replace(&self.path, &folder, &file).map_err(fault)?;
        self.unsaved.clear();
        self.read()
    }

    /// Why the last measurement is not in the file, if it is not.
    pub fn unwritten(&self) -> Option<&str> {
        self.unwritten.as_deref()
    }

    /// The rankings, in the order of their keys.
    pub fn rankings(&self) -> impl Iterator<Item = &Ranking> {
        self.rankings.values()
    }

    /// The measurements, in the order of their keys.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.values()
    }
}

/// The folder, which no other run has locked, until the file that is given is closed.
fn locked(folder: &Path) -> io::Result<fs::File> {
    let file = fs::File::open(folder)?;
    match file.lock() {
        // A file system without locks: runs at the same time may lose what others measured.
        Err(e) if e.kind() != ErrorKind::Unsupported => Err(e),
        _ => Ok(file),
    }
}

/// Puts a file into the place of one in a folder, in one step.
fn replace(path: &Path, folder: &Path, file: &File) -> io::Result<()> {
    let mut beside = tempfile::NamedTempFile::new_in(folder)?;
    beside.write_all(serde_json::to_string_pretty(file)?.as_bytes())?;
    beside.write_all(b"\n")?;
    beside.as_file().sync_data()?;
    beside.persist(path)?;
    Ok(())
}

/// The fault of a file in a user's words.
fn in_words(e: &io::Error) -> String {
    match e.kind() {
        ErrorKind::StorageFull => "the disk is full".into(),
        ErrorKind::QuotaExceeded => "the quota of this user is used up".into(),
        ErrorKind::ReadOnlyFilesystem => "its file system is read-only".into(),
        ErrorKind::PermissionDenied => "this user may not do that".into(),
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists => "its folder is a file".into(),
        ErrorKind::IsADirectory => "it is a folder".into(),
        _ => e.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(seconds: f64) -> Entry {
        Entry {
            kernel: "rt_f_0_k0".into(),
            chosen: Chosen::sizes([("BLOCK_0".to_owned(), 8)].into()),
            device: "none".into(),
            call: [("n".to_owned(), 4096)].into(),
            outcome: Outcome::Ok { samples: vec![seconds] },
        }
    }

    #[test]
    fn what_is_put_is_there_when_the_file_is_opened_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("below/cache.json");
        let mut cache = Cache::open(&path).unwrap();
        for k in 0..20 {
            cache.put(&Key::of(&["text", &k.to_string()]), entry(f64::from(k)));
            assert_eq!(cache.unwritten(), None);
            let again = Cache::open(&path).unwrap();
            assert_eq!(again.get(&Key::of(&["text", &k.to_string()])), Some(&entry(f64::from(k))));
            assert_eq!(again.entries().count(), k as usize + 1);
        }
        assert_ne!(Key::of(&["a", "bc"]), Key::of(&["ab", "c"]));
        // Nothing but the file is left in its folder.
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_that_is_none_is_refused_and_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cache.json");
        for text in ["", "{", "[]", "{\"rtcuda_tune\": 9, \"measurements\": {}}"] {
            fs::write(&path, text).unwrap();
            let Err(Stop::Input(fault)) = Cache::open(&path) else { panic!("{text} is no cache") };
            assert_eq!(fault.code, "tune-cache");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
    }

    #[test]
    fn a_file_that_cannot_be_written_is_said_and_stops_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("below/cache.json");
        let mut cache = Cache::open(&path).unwrap();
        let keys = ["a", "b"].map(|text| Key::of(&[text]));
        // The folder of the cache is a file.
        fs::write(folder.path().join("below"), "").unwrap();
        cache.put(&keys[0], entry(1.0));
        let why = cache.unwritten().unwrap();
        assert!(
            why.contains("cache.json cannot be written: its folder is a file: what is measured now is lost"),
            "{why}"
        );
        assert_eq!(cache.get(&keys[0]), Some(&entry(1.0)));
        // Once it can be written, all of it is.
        fs::remove_file(folder.path().join("below")).unwrap();
        cache.put(&keys[1], entry(2.0));
        assert_eq!((cache.unwritten(), Cache::open(&path).unwrap().entries().count()), (None, 2));
        // A file that somebody has broken meanwhile is left as it is.
        fs::write(&path, "{ or").unwrap();
        cache.put(&keys[1], entry(3.0));
        assert!(cache.unwritten().unwrap().contains("it is not JSON"), "{:?}", cache.unwritten());
        assert_eq!(fs::read_to_string(&path).unwrap(), "{ or");
    }

    #[test]
    fn faults_are_said_in_words() {
        let said = |kind: ErrorKind| in_words(&io::Error::from(kind));
        assert_eq!(said(ErrorKind::StorageFull), "the disk is full");
        assert_eq!(said(ErrorKind::ReadOnlyFilesystem), "its file system is read-only");
        assert_eq!(said(ErrorKind::PermissionDenied), "this user may not do that");
        let folder = tempfile::tempdir().unwrap();
        let Err(Stop::Input(fault)) = Cache::open(folder.path()) else { panic!("it is a folder") };
        assert!(fault.message.ends_with("cannot be read: it is a folder"), "{}", fault.message);
    }

    #[test]
    fn runs_that_share_a_file_keep_what_others_measured() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cache.json");
        let mut runs = [Cache::open(&path).unwrap(), Cache::open(&path).unwrap()];
        let key = Key::of(&["both"]);
        for k in 0..4 {
            runs[k % 2].put(&Key::of(&[&k.to_string()]), entry(k as f64));
            runs[k % 2].put(&key, entry(10.0 + k as f64));
        }
        let cache = Cache::open(&path).unwrap();
        assert_eq!((cache.entries().count(), cache.get(&key)), (5, Some(&entry(13.0))));
        // The last to write knows of the others, too.
        assert_eq!(runs[1].entries().count(), 5);
    }

    #[test]
    fn the_median_is_of_the_runs_of_a_right_candidate_alone() {
        let ok = |samples: &[f64]| Outcome::Ok { samples: samples.to_vec() }.seconds();
        assert_eq!((ok(&[3.0, 1.0, 2.0]), ok(&[4.0, 1.0, 2.0, 3.0])), (Some(2.0), Some(2.5)));
        assert_eq!((ok(&[]), ok(&[f64::NAN, 0.0])), (None, None));
        assert_eq!(Outcome::Differs { why: "x".into() }.seconds(), None);
    }

    #[test]
    fn energy_is_asked_for_again_where_it_is_not_known() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cache.json");
        let (metered, timed, never) = (Key::of(&["metered"]), Key::of(&["timed"]), Key::of(&["never"]));
        let mut cache = Cache::open(&path).unwrap();
        let samples = vec![2.0];
        cache
            .put(&metered, Entry { outcome: Outcome::Metered { samples: samples.clone(), joules: 8.0 }, ..entry(2.0) });
        cache.put(&timed, entry(2.0));
        cache.put(&never, Entry { outcome: Outcome::Unmetered { samples, why: "short".into() }, ..entry(2.0) });
        let cache = Cache::open(&path).unwrap();
        let value = |key: &Key, objective| cache.known(key, objective).map(|outcome| outcome.value(objective));
        for (objective, best) in [(Objective::Time, 2.0), (Objective::Energy, 8.0), (Objective::Edp, 16.0)] {
            assert_eq!(value(&metered, objective), Some(Some(best)));
            let is_time = objective == Objective::Time;
            assert_eq!(value(&timed, objective), is_time.then_some(Some(2.0)));
            assert_eq!(value(&never, objective), Some(is_time.then_some(2.0)));
        }
    }
}
