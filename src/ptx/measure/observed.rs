//! A run of a program as it was observed: what it printed and fetched from the device, and the time of each kernel.
//!
//! The file `launches.cu` of `templates/ptx` is linked into the program. The linker calls its functions in the place of the
//! runtime's (`--wrap`), and its report is a line of JSON for each kernel and each copy to the host.

use crate::config::Given;
use crate::diag::Stop;
use crate::runtime::call::{Call, Failure};
use crate::runtime::{run, toolchain};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The file that is linked in, and its name.
const LAUNCHES: (&str, &str) = ("launches.cu", include_str!("../../../templates/ptx/launches.cu"));

/// Launches of a kernel in a run.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Launches {
    pub kernel: String,
    pub launches: u64,
    /// Of these, those that were timed: not those of graphs, nor those behind the first two thousand.
    pub timed: u64,
    /// Time of these, all together.
    pub seconds: f64,
    /// Most threads of a block, and most bytes of dynamic shared memory.
    pub threads: u32,
    pub shared: u32,
}

/// A run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Observed {
    pub kernels: BTreeMap<String, Launches>,
    /// Lines that it printed.
    pub printed: Vec<String>,
    /// A sum of what each copy to the host brought, in the order of the copies.
    pub fetched: Vec<String>,
}

/// A line of the report.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Launches(Launches),
    Fetched { fetched: String },
}

/// Flags by which nvcc links the file in, once it is compiled into a folder for a machine.
///
/// # Errors
/// A folder that cannot be written to; nvcc is not there, or refuses the file.
pub fn linked(folder: &Path, arch: &str) -> Result<Vec<OsString>, Stop> {
    let (path, object) = (folder.join(LAUNCHES.0), folder.join("launches.o"));
    let bug = |what: String| Stop::Bug(format!("{} for launches: {what}", LAUNCHES.0));
    std::fs::write(&path, LAUNCHES.1).map_err(|e| bug(e.to_string()))?;
    let mut call = Call::new(&[toolchain::nvcc()?.path]);
    call.args(["-std=c++17", "-O2", "-arch", arch, "-Xcompiler", "-fPIC", "-c"]).args([&path]);
    call.args(["-o".as_ref(), object.as_os_str()]).run().map_err(|failure| match failure {
        Failure::Start(stop) => stop,
        Failure::Refused(words) => bug(words),
    })?;
    let wrapped = wrapped().into_iter().flat_map(|name| ["-Xlinker".into(), format!("--wrap={name}").into()]);
    Ok(std::iter::once(object.into()).chain(wrapped).collect())
}

/// Names of the runtime's functions that the file stands in front of, as it says itself.
fn wrapped() -> Vec<&'static str> {
    let of = |line: &'static str| {
        let (word, rest) = line.split_once('(')?;
        word.starts_with("RT_").then(|| rest.split([',', ')']).next()).flatten()
    };
    LAUNCHES.1.lines().filter_map(of).chain(["__cudaRegisterFunction"]).collect()
}

/// Runs a program that the file is linked into, called by a name that is the same with each way: it may print it.
///
/// # Errors
/// A program that cannot be started, or the reason why it did not end well.
pub fn run(program: &Path, name: &Path, given: &Given, limit: Duration) -> Result<Result<Observed, String>, Stop> {
    let bug = |e: std::io::Error| Stop::Bug(format!("the report of a run cannot be read: {e}"));
    let report: PathBuf = program.with_extension("launches");
    let env = [("RTCUDA_LAUNCHES", report.clone().into_os_string())];
    let outcome = run::keeping_output(&absolute(program), &absolute(name), given, &env, limit)?;
    let how = match outcome.status {
        Some(status) if status.success() => {
            let text = match std::fs::read_to_string(&report) {
                Ok(text) => text,
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => String::new(),
                Err(e) => return Err(bug(e)),
            };
            return read(&text, &outcome.stdout).map(Ok).map_err(|e| bug(e.into()));
        }
        Some(status) => run::in_words(status),
        None => format!("no end within {} s", limit.as_secs()),
    };
    let last = outcome.stderr.lines().last().map_or(String::new(), |line| format!(": {line}"));
    Ok(Err(how + &last))
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

fn read(report: &str, printed: &str) -> serde_json::Result<Observed> {
    let mut found = Observed { printed: printed.lines().map(str::to_owned).collect(), ..Observed::default() };
    for line in report.lines() {
        match serde_json::from_str(line)? {
            Line::Launches(launches) => drop(found.kernels.insert(launches.kernel.clone(), launches)),
            Line::Fetched { fetched } => found.fetched.push(fetched),
        }
    }
    Ok(found)
}

/// Output of a program that is the same in each run of it: what its variants are held to.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Steady {
    printed: Vec<Option<String>>,
    fetched: Vec<Option<String>>,
}

impl Steady {
    /// The steady part of these runs.
    pub fn of(runs: &[Observed]) -> Steady {
        Steady { printed: steady(runs, |run| &run.printed), fetched: steady(runs, |run| &run.fetched) }
    }

    /// Numbers of lines and copies that are steady, and of those that are not.
    pub fn counts(&self) -> [(usize, usize); 2] {
        [&self.printed, &self.fetched].map(|all| {
            let steady = all.iter().flatten().count();
            (steady, all.len() - steady)
        })
    }

    /// Flag: there is something to hold variants to.
    pub fn is_any(&self) -> bool {
        self.counts().iter().any(|(steady, _)| *steady > 0)
    }

    /// Flag: a run has the same in the same places.
    pub fn is_kept_by(&self, run: &Observed) -> bool {
        let keeps = |steady: &[Option<String>], found: &[String]| {
            steady.len() == found.len() && steady.iter().zip(found).all(|(s, f)| s.as_ref().is_none_or(|s| s == f))
        };
        keeps(&self.printed, &run.printed) && keeps(&self.fetched, &run.fetched)
    }
}

/// Entries that all runs have in the same place.
fn steady(runs: &[Observed], of: fn(&Observed) -> &Vec<String>) -> Vec<Option<String>> {
    let Some((first, others)) = runs.split_first() else { return vec![] };
    let same = |(at, entry): (usize, &String)| others.iter().all(|run| of(run).get(at) == Some(entry));
    of(first).iter().enumerate().map(|x| same(x).then(|| x.1.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(text: &str, fetched: &str) -> Observed {
        let report = format!("{{\"fetched\":\"{fetched}\"}}\n");
        read(&report, text).unwrap()
    }

    #[test]
    fn reports_are_read() {
        let report = "{\"kernel\":\"_Z1kv\",\"launches\":3,\"timed\":2,\"seconds\":0.5,\"threads\":64,\"shared\":16}\n{\"fetched\":\"0f\"}\n";
        let found = read(report, "a\nb\n").unwrap();
        let launches = &found.kernels["_Z1kv"];
        assert_eq!((launches.launches, launches.timed, launches.threads, launches.shared), (3, 2, 64, 16));
        assert_eq!((found.printed, found.fetched), (vec!["a".to_owned(), "b".to_owned()], vec!["0f".to_owned()]));
        assert!(read("{\"kernel\":1}\n", "").is_err());
    }

    #[test]
    fn what_is_the_same_in_each_run_is_what_variants_are_held_to() {
        let runs = [printed("sum 7\ntook 3 ms\n", "ab"), printed("sum 7\ntook 4 ms\n", "ab")];
        let steady = Steady::of(&runs);
        assert_eq!(steady.counts(), [(1, 1), (1, 0)]);
        assert!(steady.is_kept_by(&printed("sum 7\ntook 5 ms\n", "ab")));
        assert!(!steady.is_kept_by(&printed("sum 8\ntook 3 ms\n", "ab")));
        assert!(!steady.is_kept_by(&printed("sum 7\ntook 3 ms\n", "ac")));
        assert!(!steady.is_kept_by(&printed("sum 7\n", "ab")));
        let nothing = Steady::of(&[printed("1", "a"), printed("2", "b")]);
        assert!(!nothing.is_any() && steady.is_any());
    }

    #[test]
    fn the_file_says_what_it_stands_in_front_of() {
        let names = wrapped();
        let some = [
            "cudaLaunchKernel",
            "__cudaLaunchKernel",
            "cudaMemcpyAsync_ptsz",
            "cudaDeviceReset",
            "__cudaRegisterFunction",
        ];
        assert!(some.iter().all(|name| names.contains(name)), "{names:?}");
    }
}
