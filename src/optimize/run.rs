//! From a CUDA file to optimised kernels: read, converted, judged, written.

use super::kernels::{self, Outcome};
use super::whole::{self, Together, Whole};
use super::work::{self, Options, Work};
use super::{files, steps};
use crate::analysis::races::ThreadLoops;
use crate::config::Config;
use crate::diag::{Diagnostic, Severity, Stop};
use crate::emit;
use crate::frontend::kernel::Kernel;
use crate::frontend::phases::Phased;
use crate::frontend::{self, CudaFile};
use crate::pipeline::{self, ConvertOptions};
use crate::report::cost::BesideUsers;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

/// Outcome for a file.
pub struct Optimized {
    pub file: CudaFile,
    /// The kernels that were optimised.
    pub kernels: Vec<Outcome>,
    /// Kernels with barriers among all threads that became one region each.
    pub together: Vec<Together>,
    /// Reasons why others did not, by their names.
    pub apart: BTreeMap<String, String>,
    /// Everything that was left as it is and why, and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// The output folder; empty where no kernel was optimised.
    pub files: Vec<emit::File>,
}

impl Optimized {
    /// The kernels with barriers among all threads.
    pub fn wholes(&self) -> Vec<Whole<'_>> {
        whole::wholes(&self.file.phased, &self.kernels, &self.together)
    }
}

/// Optimises the kernels of a file.
///
/// # Errors
/// As [`frontend::load`] and [`pipeline::convert`].
pub fn optimize(path: &Path, options: &Options) -> Result<Optimized, Stop> {
    let file = frontend::load(path)?;
    let mut diagnostics = file.left.clone();
    if file.kernels.is_empty() {
        let (together, apart) = (vec![], BTreeMap::new());
        return Ok(Optimized { file, kernels: vec![], together, apart, diagnostics, files: vec![] });
    }
    let functions = Functions::new(&file);
    let work = Work::new(path, &file, &(file.c.clone() + &functions.text))?;
    let convert = ConvertOptions {
        cflags: work.cflags(options),
        config: work::config(file.kernels.iter(), &file.phased, options)?,
        launches: file.kernels.iter().map(thread_loops).chain(file.phased.iter().map(no_loops)).collect(),
        ..ConvertOptions::default()
    };
    let converted = pipeline::convert(std::slice::from_ref(&work.source), &convert).map_err(|stop| work.told(stop))?;
    let (apart, said) = functions.told(&converted.diagnostics);
    let said: Vec<Diagnostic> = said.into_iter().map(|d| work.as_users(d)).collect();
    let report = kernels::report_of(&converted)?;
    let mut kernels = kernels::judge(&file, (&report, &converted), &said, &mut diagnostics)?;
    diagnostics.extend(said);
    diagnostics.iter_mut().for_each(|d| frontend::name_whole(d, &file.phased));
    let mut file = file;
    let torn = whole::torn(&mut file.phased, &kernels);
    kernels.retain(|o| !torn.contains(&o.kernel.name));
    let together = whole::together(&file, &report, &converted.entries, &convert.config);
    let mut left = leave_slow(&mut file, (&kernels, &together), &apart, &convert.config, &mut diagnostics);
    if options.config.is_none() && options.switched.is_none() {
        let alone: Vec<&Outcome> = kernels.iter().filter(|o| !whole::is_part(&file.phased, &o.kernel.name)).collect();
        left.extend(leave_better(&file, &alone, &converted.beside_users, &mut diagnostics));
    }
    kernels.retain(|o| !left.contains(&o.kernel.name));
    let files = if kernels.is_empty() { vec![] } else { files::files(&file, &kernels, &together, &converted)? };
    Ok(Optimized { file, kernels, together, apart, diagnostics, files })
}

/// Leaves kernels as they are that would become slower, unless the user chooses how parts follow each other; the names of their parts.
fn leave_slow(
    file: &mut CudaFile,
    (kernels, together): (&[Outcome], &[Together]),
    apart: &BTreeMap<String, String>,
    config: &Config,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<String> {
    let is_chosen = |w: &Whole| whole::is_chosen(w.phased, config);
    let wholes = whole::wholes(&file.phased, kernels, together);
    let slow: Vec<Phased> = wholes.iter().filter(|w| !w.is_gain() && !is_chosen(w)).map(|w| w.phased.clone()).collect();
    let [launch, wait] = whole::crossings();
    for whole in &slow {
        let why = apart.get(&whole.name).map_or(String::new(), |why| format!(" ({why})"));
        let why = format!(
            "its parts between barriers cannot be one kernel{why}, and launched one by one they are estimated to be slower: \
             {launch:.1} us for each, where a barrier takes {wait:.1} us"
        );
        let said = kernels::left_whole(file, (&whole.name, whole.line), "barrier", &why);
        diagnostics
            .push(said.help("launched all the same: sync = \"relaunch\" in [defaults] of a configuration, --config"));
    }
    file.phased.retain(|whole| !slow.iter().any(|other| other.name == whole.name));
    slow.iter().flat_map(|whole| &whole.parts).map(|part| part.name.clone()).collect()
}

/// Share of a time, or of traffic, that the cost model does not tell apart.
const EQUAL: f64 = 0.02;

/// Leaves kernels as they are that the cost model takes for better so: faster, and with less traffic; their names.
fn leave_better(
    file: &CudaFile,
    kernels: &[&Outcome],
    beside_users: &BTreeMap<String, BesideUsers>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<String> {
    let mut left = vec![];
    for Outcome { kernel, region, .. } in kernels {
        let Some(BesideUsers { size, users, made: Some(made) }) = beside_users.get(&kernel.name) else { continue };
        let is_more = |made: f64, users: f64| made > (1.0 + EQUAL) * users;
        if !is_more(made.seconds, users.seconds) || !is_more(made.sectors, users.sectors) {
            continue;
        }
        let why = format!(
            "what was made of it (strategy {}) is estimated to take {:.1} us and to move {:.0} sectors through the L2 cache, and the \
             kernel itself {:.1} us and {:.0}, where sizes that are not known are {size}",
            steps::strategy(region),
            1e6 * made.seconds,
            made.sectors,
            1e6 * users.seconds,
            users.sectors
        );
        let said = kernels::left_whole(file, (&kernel.name, kernel.line), "no-gain", &why);
        diagnostics
            .push(said.help("to have it written all the same, give a configuration, which may be empty: --config"));
        left.push(kernel.name.clone());
    }
    left
}

/// Functions for kernels with barriers among all threads, which stand behind the file's C.
struct Functions {
    text: String,
    /// The lines of each.
    lines: Vec<(String, Range<u32>)>,
}

impl Functions {
    fn new(file: &CudaFile) -> Functions {
        let (mut text, mut lines) = (String::new(), vec![]);
        let n_lines = |text: &str| text.matches('\n').count() as u32;
        for phased in &file.phased {
            let first = n_lines(&file.c) + n_lines(&text) + 1;
            text += &whole::function(phased, &whole::parts_of(file, phased), true);
            lines.push((phased.name.clone(), first..n_lines(&file.c) + n_lines(&text) + 2));
        }
        Functions { text, lines }
    }

    /// Reasons why functions are no region, by their names, and everything else that was said, each once.
    fn told(&self, diagnostics: &[Diagnostic]) -> (BTreeMap<String, String>, Vec<Diagnostic>) {
        let (mut apart, mut said) = (BTreeMap::new(), vec![]);
        for d in diagnostics {
            let places = d.place.iter().chain(d.notes.iter().filter_map(|(place, _)| place.as_ref()));
            let holds = |line: u32| self.lines.iter().find(|(_, lines)| lines.contains(&line));
            match places.into_iter().find_map(|place| holds(place.line)) {
                Some((name, _)) if d.severity != Severity::Warning => {
                    apart.entry(name.clone()).or_insert(d.message.clone());
                }
                Some(_) => {}
                None if said.contains(d) => {}
                None => said.push(d.clone()),
            }
        }
        (apart, said)
    }
}

/// The loops over threads of a kernel, by its name.
fn thread_loops(kernel: &Kernel) -> (String, ThreadLoops) {
    (kernel.name.clone(), ThreadLoops { counters: kernel.loops.clone(), atomics: kernel.atomics.clone() })
}

/// Those of a kernel with barriers: none beside its parts', which are looked at there.
fn no_loops(phased: &Phased) -> (String, ThreadLoops) {
    (phased.name.clone(), ThreadLoops::default())
}
