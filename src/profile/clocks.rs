//! The user's program with clocks around its loops: built, run, read.

use super::loops::{self, Loop};
use crate::config::Given;
use crate::diag::{Diagnostic, Stop, no_temporary_folder};
use crate::emit::build_files;
use crate::report::Report;
use crate::runtime::call::{Call, Failure};
use crate::runtime::{run, toolchain, written};
use crate::source::{Source, parse};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// In front of each file.
const HEADER: &str = include_str!("../../templates/profile/clocks.h");

/// The clocks.
const CLOCKS: &str = include_str!("../../templates/profile/clocks.c");

/// Loops of a program with their times.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Times {
    /// From the start of the program to its end, in seconds.
    pub seconds: f64,
    /// The loops, in the order of the text.
    pub loops: Vec<Timed>,
    /// How the program ended, where it was not with success.
    pub ended: Option<String>,
    /// Places of loops without a clock, which a jump leads into.
    pub without: Vec<String>,
    /// Files whose directives mark what is converted.
    #[serde(skip)]
    pub marked: BTreeSet<String>,
}

/// A loop with its time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Timed {
    /// The loop.
    #[serde(flatten)]
    pub place: Loop,
    /// How often it was entered.
    pub entered: u64,
    /// Time in it, but not in loops with clocks of their own that ran inside it, in seconds.
    pub own_s: f64,
    /// Time in it, in seconds.
    pub whole_s: f64,
}

/// A program to measure.
#[derive(Debug)]
pub struct Program<'a> {
    /// Its C files.
    pub files: &'a [PathBuf],
    /// Its flags of the C compiler.
    pub cflags: &'a [String],
    /// Its arguments and its input.
    pub given: &'a Given,
    /// The time that it may take.
    pub limit: Duration,
}

/// The file that the clocks write.
#[derive(Deserialize)]
struct Written {
    seconds: f64,
    loops: Vec<Of>,
}

#[derive(Deserialize)]
struct Of {
    entered: u64,
    own_s: f64,
    whole_s: f64,
}

/// Puts clocks around the loops of a program, builds it as its compiler would, at least with `-O2`, and runs it on one core,
/// its output dropped.
///
/// # Errors
/// Files that do not compile or link, a program that takes longer than it may or writes no times.
pub fn measure(program: &Program, report: &Report) -> Result<Times, Stop> {
    let folder = tempfile::tempdir().map_err(|e| no_temporary_folder(&e))?;
    let Clocked { texts, loops, marked, without } = with_clocks(program, report)?;
    let executable = build(program, &texts, &loops, folder.path())?;
    let path = folder.path().join("clocks.json");
    // One core is what the device is compared with, also of a program with OpenMP.
    let env = [("RTCUDA_CLOCKS", path.clone().into()), ("OMP_NUM_THREADS", "1".into())];
    let outcome = run::quietly(&executable, program.given, &env, program.limit)?;
    let Some(status) = outcome.status else {
        let message = format!("the program ran for longer than {} s and was stopped", program.limit.as_secs());
        return Err(Diagnostic::error("profile-limit", message, None)
            .help("give it less to do, or more time with --limit SECONDS")
            .into());
    };
    let ended = (!status.success()).then(|| run::in_words(status));
    let Some(written) = written::read::<Written>(&path)? else {
        let how = ended.unwrap_or_else(|| "by _exit()".into());
        let message = format!("the program ended without its clocks being read: {how}");
        let words = outcome.stderr.trim_end();
        let error = Diagnostic::error("profile-nothing", message, None);
        let error = if words.is_empty() { error } else { error.note(None, words) };
        return Err(error.help("see that it runs to its end; its arguments go by --arg, its input by --stdin").into());
    };
    let timed = |(place, of): (Loop, Of)| Timed { place, entered: of.entered, own_s: of.own_s, whole_s: of.whole_s };
    let loops = loops.into_iter().zip(written.loops).map(timed).collect();
    Ok(Times { seconds: written.seconds, loops, ended, without, marked })
}

/// A program with clocks.
#[derive(Default)]
struct Clocked {
    texts: Vec<Vec<u8>>,
    /// The loops that have them, in the order of their numbers.
    loops: Vec<Loop>,
    marked: BTreeSet<String>,
    without: Vec<String>,
}

fn with_clocks(program: &Program, report: &Report) -> Result<Clocked, Stop> {
    let mut all = Clocked::default();
    for file in program.files {
        let source = Source::load(file, program.cflags)?;
        let (found, without) = loops::of(&source, &parse::parse(&source)?, report);
        all.without.extend(without);
        all.texts.push(clocked(&source.bytes, &found, all.loops.len()));
        all.loops.extend(found);
        all.marked.extend(loops::has_marks(&source).then(|| source.path.clone()));
    }
    Ok(all)
}

/// A preprocessed text with clocks around its loops, which are numbered from `first` on.
fn clocked(text: &[u8], loops: &[Loop], first: usize) -> Vec<u8> {
    // By their place; what ends there comes before what starts.
    let mut put: BTreeMap<(usize, bool), Vec<u8>> = BTreeMap::new();
    for (at, l) in loops.iter().enumerate() {
        let start = format!(
            "{{ struct rtcuda_clock rtcuda_clock __attribute__((__cleanup__(rtcuda_leave))) = rtcuda_enter({});\n",
            first + at
        );
        put.entry((l.text.start, true)).or_default().extend(start.bytes());
        put.entry((l.text.end, false)).or_default().extend(b" }");
    }
    let mut out = HEADER.as_bytes().to_vec();
    let mut from = 0;
    for ((at, _), words) in put {
        out.extend_from_slice(&text[from..at]);
        out.extend(words);
        from = at;
    }
    out.extend_from_slice(&text[from..]);
    out
}

fn build(program: &Program, texts: &[Vec<u8>], loops: &[Loop], folder: &Path) -> Result<PathBuf, Stop> {
    let write = |name: &str, text: &[u8]| {
        let path = folder.join(name);
        fs::write(&path, text).map(|()| path).map_err(|e| no_temporary_folder(&e))
    };
    write("clocks.h", HEADER.as_bytes())?;
    let is_region: Vec<&str> = loops.iter().map(|l| if l.region.is_some() { "1" } else { "0" }).collect();
    let clocks = format!(
        "#define RTCUDA_SITES {}\n#define RTCUDA_REGIONS {}\n{CLOCKS}",
        loops.len(),
        [is_region, vec!["0"]].concat().join(",")
    );
    let mut objects = vec![compile(&write("clocks.c", clocks.as_bytes())?, &["-O2".into()], Path::new("clocks.c"))?];
    let flags: Vec<String> = std::iter::once("-O2".into()).chain(program.cflags.iter().cloned()).collect();
    for (at, (text, user)) in texts.iter().zip(program.files).enumerate() {
        // A text that ends in `.i` is not preprocessed again.
        objects.push(compile(&write(&format!("file{at}.i"), text)?, &flags, user)?);
    }
    let executable = folder.join("program");
    let here = std::env::current_dir().unwrap_or_default();
    let mut link = Call::new(&toolchain::c_compiler()?);
    link.args(&objects).args(["-o".as_ref(), executable.as_os_str()]);
    link.args(build_files::link_flags(program.cflags, &here)).args(["-lm"]);
    link.run().map_err(|failure| refused(failure, "the program with clocks around its loops does not link"))?;
    Ok(executable)
}

fn compile(text: &Path, flags: &[String], user: &Path) -> Result<PathBuf, Stop> {
    let object = text.with_extension("o");
    let mut call = Call::new(&toolchain::c_compiler()?);
    call.args(flags).args(["-w", "-c"]).args([text, Path::new("-o"), &object]);
    let message = format!("{} does not compile with clocks around its loops", user.display());
    call.run().map_err(|failure| refused(failure, &message))?;
    Ok(object)
}

fn refused(failure: Failure, message: &str) -> Stop {
    match failure {
        Failure::Start(stop) => stop,
        Failure::Refused(words) => Diagnostic::error("profile-build", message, None)
            .note(None, words)
            .help("see whether the original compiles with the same flags; they go after `--`")
            .into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Region;

    const C: &str = "
#include <stdlib.h>
static volatile double x;
static void inner(int n) {
    for (int i = 0; i < n; i++) x += 1;
}
static int leaves(int n) {
    for (int i = 0; i < n; i++)
        if (i == 3) return i;
    return 0;
}
int main(void) {
    for (int t = 0; t < 4; t++) {
        inner(2000000);
        for (int k = 0; k < 5; k++) x += leaves(k);
    }
    for (int k = 0; k < 100000; k++) inner(1);
    while (1) if (x > 0) exit(0);
}
";

    fn measured(report: &Report) -> Times {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.c");
        fs::write(&file, C).unwrap();
        let mut report = report.clone();
        report.regions.iter_mut().for_each(|region| region.file = file.display().to_string());
        let (files, given) = ([file], Given::default());
        let limit = Duration::from_secs(60);
        measure(&Program { files: &files, cflags: &[], given: &given, limit }, &report).unwrap()
    }

    /// However a loop is left, and if it is so short that only some entries are timed.
    #[test]
    fn clocks_count_entries_and_share_out_the_time() {
        let times = measured(&Report::default());
        let entered: Vec<(u32, u64)> = times.loops.iter().map(|l| (l.place.lines.0, l.entered)).collect();
        assert_eq!(entered, [(5, 100_004), (8, 20), (13, 1), (15, 4), (17, 1), (18, 1)]);
        let own: f64 = times.loops.iter().map(|l| l.own_s).sum();
        assert!(own <= times.seconds * 1.5, "{times:?}");
        let (inner, outer) = (&times.loops[0], &times.loops[2]);
        assert!(inner.own_s > outer.own_s && outer.whole_s > outer.own_s, "{times:?}");
    }

    /// Its time is the region's, whichever function spends it.
    #[test]
    fn what_a_region_calls_is_a_part_of_it() {
        let region = Region { name: "main_0".into(), lines: (13, 16), ..Region::default() };
        let times = measured(&Report { regions: vec![region], ..Report::default() });
        let of = |line: u32| times.loops.iter().find(|l| l.place.lines.0 == line).unwrap();
        assert!(of(13).own_s > of(5).own_s, "{times:?}");
    }
}
