//! From a point to an object that can be run: the program converted under these sizes, its CUDA file compiled.
//!
//! ```text
//! program, sizes ─ convert ─ region's .cu + what tells its times ─ shared object        a candidate
//! program ───────── convert, check mode ─ entry calls the tuner ─ built for the CPU     the program that waits
//! ```

use super::settings::{self, Settings};
use crate::config::{Config, Defaults, KernelSizes, Region, Selector, Sizes};
use crate::diag::{Diagnostic, Place, Stop};
use crate::emit::File;
use crate::kernel::{Function, Kernel, parse};
use crate::pipeline::{self, ConvertOptions};
use crate::report::{self, Report};
use crate::runtime::apart;
use crate::runtime::build::{self, Program, Target};
use crate::runtime::precompiled::Headers;
use indexmap::IndexMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The other side of [`session`](super::session).
const HEADER: (&str, &str) = ("rt_tune.h", include_str!("../../templates/tune/rt_tune.h"));

/// Functions by which a candidate tells of its kernels, and by which it launches each again and again. Launches in a row are
/// timed as one, and a kernel of one thread ahead of them keeps the device busy until the first is launched, too.
const TIMES: &str = r#"
#ifndef RT_SIM
RT_KERNEL void rt_tune_ahead()
{
    for (const long long begin = clock64(); clock64() - begin < 60000;) {
    }
}
static const bool rt_tune_is_ahead = (rt::ahead_of_launches = [] {
    rt::start({"the tuner", __FILE__, __LINE__}, "rt_tune_ahead", (const void *)rt_tune_ahead, 1, 1, 0);
}, true);
#else
static const bool rt_tune_is_ahead = (rt::ahead_of_launches = [] {}, true);
#endif
extern "C" double rt_tune_seconds()
{
    double seconds = 0;
    for (const rt::profile *p : rt::profiles) seconds += p->together.seconds;
    return seconds;
}
extern "C" const char *rt_tune_kernels()
{
    static rt::text out;
    for (const rt::profile *p : rt::profiles)
        for (const rt::profile_row &row : p->kernels) out += (out.empty() ? "" : ",") + row.json();
    return out.c_str();
}
extern "C" const char *rt_tune_repeat(long n)
{
    static rt::text out;
    out = "";
    for (const rt::profile::span &s : rt::repeated) out += (out.empty() ? "" : ",") + rt::format("[%.6f,%.6f]", s.begin, s.end);
    rt::repeated.clear();
    rt::n_repeats = n;
    return out.c_str();
}
"#;

/// A program of which one region is tuned.
#[derive(Debug, Clone)]
pub struct Tuned {
    pub files: Vec<PathBuf>,
    /// The user's configuration, of which only this region is converted.
    pub config: Config,
    pub cflags: Vec<String>,
    /// The ranges that the configuration gives the region: they bound the search, and change no mapping.
    pub ranges: Sizes,
    /// The sizes that the user's configuration gives kernels of the region, found earlier: they are candidates now.
    pub earlier: IndexMap<String, KernelSizes>,
    /// Parameters of the entry, as the waiting program calls it; with other kernels it may have them in another order.
    pub parameters: Vec<String>,
    /// The sizes of kernels in candidates that are for one call, and whether their positions are of 32 bits alone.
    pub picks: Vec<(String, KernelSizes)>,
    pub is_short: bool,
    /// Name of the region, and of its function.
    pub region: String,
    pub function: String,
}

/// A region as it is converted.
#[derive(Debug)]
pub struct Converted {
    pub report: report::Region,
    pub kernels: Vec<Kernel>,
    pub functions: Vec<Function>,
}

/// The regions of a program, as the user's configuration has them.
///
/// # Errors
/// As [`pipeline::convert`].
pub fn regions(files: &[PathBuf], config: &Config, cflags: &[String]) -> Result<Vec<report::Region>, Stop> {
    let options = ConvertOptions { cflags: cflags.to_vec(), config: config.clone(), ..ConvertOptions::default() };
    Ok(read(pipeline::convert(files, &options)?.report)?.regions)
}

fn read(report: serde_json::Value) -> Result<Report, Stop> {
    serde_json::from_value(report).map_err(|e| Stop::Bug(format!("tune: the report does not read back: {e}")))
}

impl Tuned {
    /// The program with one region of it.
    ///
    /// # Errors
    /// As [`pipeline::convert`].
    pub fn new(files: &[PathBuf], config: &Config, cflags: &[String], region: &report::Region) -> Result<Tuned, Stop> {
        let mut config = config.clone();
        let is_its_own = |r: &Region| [&region.name, &region.function].contains(&&r.selector.name().to_owned());
        config.regions.retain(is_its_own);
        if config.regions.is_empty() {
            let (selector, place) = (Selector::Function(region.function.clone()), nowhere());
            let settings = config.defaults.clone();
            config.regions.push(Region {
                selector,
                place,
                settings,
                sizes: Sizes::default(),
                shape: Default::default(),
            });
        }
        let ranges = config.region(&region.function, &region.name).map(|r| r.sizes).unwrap_or_default();
        config.regions.iter_mut().for_each(|r| r.sizes = r.sizes.fixed());
        // Results of a candidate are compared: they come home.
        config.defaults.stays = false;
        config.regions.iter_mut().for_each(|r| r.settings.stays = false);
        let prefix = format!("rt_{}_k", region.name);
        let (earlier, kept) =
            std::mem::take(&mut config.kernels).into_iter().partition(|(name, _)| name.starts_with(&prefix));
        config.kernels = kept;
        let (files, cflags) = (files.to_vec(), cflags.to_vec());
        let (parameters, picks, is_short) = (vec![], vec![], false);
        let (region, function) = (region.name.clone(), region.function.clone());
        let mut tuned = Tuned { files, config, cflags, ranges, earlier, parameters, picks, is_short, region, function };
        let mut files = pipeline::convert(&tuned.files, &tuned.options(&[]))?.files;
        let text = String::from_utf8_lossy(&tuned.source(&mut files)?.contents).into_owned();
        tuned.parameters = parameters_of(&text, &tuned.entry())?;
        Ok(tuned)
    }

    /// The settings of the region.
    pub fn settings(&self) -> Option<&Defaults> {
        self.config.region(&self.function, &self.region).map(|r| &r.settings)
    }

    /// The same with other settings in the place of the region's.
    pub fn under(&self, others: &Settings) -> Tuned {
        let mut tuned = self.clone();
        tuned.config.regions.iter_mut().for_each(|r| r.settings = settings::with(&r.settings, others));
        tuned
    }

    /// The name of the region's entry.
    pub fn entry(&self) -> String {
        format!("rt_{}", self.region)
    }

    /// The region as it is converted with what is chosen for kernels.
    ///
    /// # Errors
    /// As [`pipeline::convert`].
    pub fn converted(&self, chosen: &[(String, KernelSizes)]) -> Result<Converted, Stop> {
        let options = ConvertOptions { dump_after: Some("kernel".into()), ..self.options(chosen) };
        let converted = pipeline::convert(&self.files, &options)?;
        let found = read(converted.report)?.regions.into_iter().find(|r| r.name == self.region);
        let report = found.ok_or_else(|| Stop::Bug(format!("tune: region {} is lost", self.region)))?;
        let (functions, kernels) = parse::module(&converted.dumps)
            .map_err(|e| Stop::Bug(format!("tune: the kernels of {} do not parse: {e}", self.region)))?;
        Ok(Converted { report, kernels, functions })
    }

    fn options(&self, sizes: &[(String, KernelSizes)]) -> ConvertOptions {
        let mut config = self.config.clone();
        config.kernels.extend(sizes.iter().cloned());
        ConvertOptions { cflags: self.cflags.clone(), config, ..ConvertOptions::default() }
    }

    /// The CUDA text of a candidate, with all files that it needs.
    ///
    /// # Errors
    /// As [`pipeline::convert`].
    pub fn candidate(&self, sizes: &[(String, KernelSizes)]) -> Result<Candidate, Stop> {
        let others = self.picks.iter().filter(|(kernel, _)| sizes.iter().all(|(name, _)| name != kernel)).cloned();
        let sizes: Vec<(String, KernelSizes)> = others.chain(sizes.iter().cloned()).collect();
        let converted = pipeline::convert(&self.files, &self.options(&sizes))?;
        let mut files = converted.files;
        let source = self.source(&mut files)?;
        let text = String::from_utf8_lossy(&source.contents).into_owned();
        let text = if self.is_short { in_32_bits(&text) } else { text };
        source.contents = [&text, TIMES, &self.call(&text)?].concat().into_bytes();
        let (name, text) = (source.path.clone(), source.contents.clone());
        Ok(Candidate { files, name, text })
    }

    /// The function by which the waiting program calls the entry of an emitted file.
    fn call(&self, text: &str) -> Result<String, Stop> {
        let own = parameters_of(text, &self.entry())?;
        if !own.iter().all(|p| self.parameters.contains(p)) || own.len() != self.parameters.len() {
            let message = format!("{} takes other values than the region as nobody tunes it", self.entry());
            return Err(Diagnostic::error("tune-entry", message, None).into());
        }
        let names: Vec<&str> = own.iter().map(|p| name_of(p)).collect();
        let (parameters, entry) = (self.parameters.join(", "), self.entry());
        Ok(format!("extern \"C\" int rt_tune_entry({parameters})\n{{\n    return {entry}({});\n}}\n", names.join(", ")))
    }

    /// The emitted file that has the region's entry.
    fn source<'f>(&self, files: &'f mut [File]) -> Result<&'f mut File, Stop> {
        let entry = format!("extern \"C\" int {}(", self.entry());
        let has_entry = |f: &File| {
            f.path.extension().is_some_and(|e| e == "cu") && String::from_utf8_lossy(&f.contents).contains(&entry)
        };
        files
            .iter_mut()
            .find(|f| has_entry(f))
            .ok_or_else(|| Stop::Bug(format!("tune: no emitted file has {}", self.entry())))
    }

    /// Builds the program that waits at the region's call.
    ///
    /// # Errors
    /// As [`build::executable`].
    pub fn waiting(&self, folder: &Path) -> Result<PathBuf, Stop> {
        let converted = pipeline::convert(&self.files, &ConvertOptions { check: true, ..self.options(&[]) })?;
        let mut files = converted.files;
        let entry = self.entry();
        let source = self.source(&mut files)?;
        let text = String::from_utf8_lossy(&source.contents).into_owned();
        source.contents = with_tuner(&without_body(&text, &entry), &entry)?.into_bytes();
        files.push(File { path: HEADER.0.into(), contents: HEADER.1.into() });
        let cflags: Vec<String> = self.cflags.iter().cloned().chain(["-ldl".into()]).collect();
        build::executable(&Program { folder, files: &files, cflags: &cflags, headers: None }, &Target::Simulation)
    }
}

/// Reason in a line for which a candidate is none.
pub fn in_words(stop: Stop) -> String {
    match stop {
        Stop::Input(d) => d.message.clone(),
        Stop::Bug(what) => what.lines().take(3).collect::<Vec<_>>().join(" "),
    }
}

/// A place for what no file says.
pub fn nowhere() -> Place {
    Place { file: "the tuner".into(), line: 1, column: 1, length: 1, text: String::new() }
}

/// The parameters of an entry in an emitted file.
fn parameters_of(text: &str, entry: &str) -> Result<Vec<String>, Stop> {
    let head = format!("extern \"C\" int {entry}(");
    let bug = || Stop::Bug(format!("tune: no emitted file has {entry}"));
    let (_, behind) = text.split_once(&head).ok_or_else(bug)?;
    let (inside, _) = behind.split_once(')').ok_or_else(bug)?;
    let one = |parameter: &str| parameter.split_whitespace().collect::<Vec<_>>().join(" ");
    Ok(inside.split(',').map(one).filter(|parameter| !parameter.is_empty()).collect())
}

/// The name that a parameter declares.
fn name_of(parameter: &str) -> &str {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    &parameter[parameter.rfind(|c| !is_word(c)).map_or(0, |at| at + 1)..]
}

/// A text whose entry does nothing: the tuner calls those of candidates. The kernels that it would launch are not compiled then, which
/// takes most of what compiling it for the CPU does.
fn without_body(text: &str, entry: &str) -> String {
    let body = text.find(&format!("extern \"C\" int {entry}(")).and_then(|head| {
        let begin = head + text[head..].find("\ntry {\n")?;
        Some((begin, begin + text[begin..].find("\n}\n")?))
    });
    match body {
        Some((begin, end)) => format!("{}\n{{\n    return 0;{}", &text[..begin], &text[end..]),
        None => text.to_owned(),
    }
}

/// An emitted file whose kernels have positions of 32 bits alone, and whose entry refuses calls that need others.
fn in_32_bits(text: &str) -> String {
    let mut parts = text.split("rt::by_positions(");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let other = part.find("<long").and_then(|long| {
            let end = long + part[long..].find('>')?;
            Some((part[..long].rfind(',')?, end + 1))
        });
        match other {
            Some((begin, end)) => out += &format!("rt::in_32_bits({}{}", &part[..begin], &part[end..]),
            None => out += &format!("rt::by_positions({part}"),
        }
    }
    out
}

/// The text of check mode, with the tuner in the place of the region's entry.
fn with_tuner(text: &str, entry: &str) -> Result<String, Stop> {
    let call = format!("rt.converted({entry}(");
    if text.matches(&call).count() != 1 {
        return Err(Stop::Bug(format!("tune: check mode does not call {entry} once")));
    }
    let tuned = text.replacen(&call, &format!("rt.converted(RT_TUNED({entry}, "), 1);
    let include = "#include \"rt_";
    let at = tuned.find(include).ok_or_else(|| Stop::Bug(format!("tune: {entry} includes no runtime")))?;
    Ok(format!("{}#include \"{}\"\n{}", &tuned[..at], HEADER.0, &tuned[at..]))
}

/// A converted candidate.
#[derive(Debug)]
pub struct Candidate {
    files: Vec<File>,
    /// Its CUDA file.
    name: PathBuf,
    text: Vec<u8>,
}

impl Candidate {
    /// The text that is compiled.
    pub fn text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.text)
    }

    /// The same with a part of its text, which it has, replaced: a planted fault.
    #[cfg(test)]
    pub fn with(&self, part: &str, other: &str) -> Candidate {
        let text = self.text();
        assert!(text.contains(part), "{part} is no part of it:\n{text}");
        let text = text.replace(part, other).into_bytes();
        let mut files = self.files.clone();
        files.iter_mut().filter(|f| f.path == self.name).for_each(|f| f.contents.clone_from(&text));
        Candidate { files, name: self.name.clone(), text }
    }

    /// Its CUDA file, within its folder.
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// Writes its files to a folder of its own.
    ///
    /// # Errors
    /// A folder that cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), Stop> {
        crate::emit::write(&self.files, folder).map(drop)
    }

    /// Compiles it in a folder of its own; those of a region lie beside each other, with headers that are parsed once. For a GPU it
    /// is compiled in two parts, where that can be.
    ///
    /// # Errors
    /// The compiler's words.
    pub fn compile(&self, folder: &Path, target: &Target) -> Result<PathBuf, Stop> {
        self.compile_until(folder, target, None)
    }

    /// The same, until nobody waits for it.
    ///
    /// # Errors
    /// The compiler's words.
    pub fn compile_until(
        &self,
        folder: &Path,
        target: &Target,
        is_over: Option<&Arc<AtomicBool>>,
    ) -> Result<PathBuf, Stop> {
        self.write(folder)?;
        let folder = std::path::absolute(folder).unwrap_or(folder.to_owned());
        let object = folder.join("candidate.so");
        if matches!(target, Target::Gpu { .. }) {
            let headers = Headers::named().unwrap_or(Headers::Named(folder.with_file_name("headers")));
            if apart::shared(&folder, &self.name, &object, target, (&headers, is_over)).is_ok() {
                return Ok(object);
            }
        }
        build::shared(&folder, &self.name, &object, target, is_over)?;
        Ok(object)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_called_in_the_order_of_the_waiting_program() {
        let text = "extern \"C\" int rt_f(const int n,\n                    void *const b_host, const void *const a_host)\ntry {\n";
        let parameters = parameters_of(text, "rt_f").unwrap();
        assert_eq!(parameters, ["const int n", "void *const b_host", "const void *const a_host"]);
        assert_eq!(parameters.iter().map(|p| name_of(p)).collect::<Vec<_>>(), ["n", "b_host", "a_host"]);
        assert!(parameters_of("extern \"C\" int rt_f()", "rt_f").unwrap().is_empty());
    }

    #[test]
    fn the_entry_of_the_waiting_program_launches_nothing() {
        let text = "extern \"C\" int rt_f(const int n,\n    void *const a_host)\ntry {\n    if (n) {\n    }\n} catch (const \
                    rt::error &rt_error) {\n    return rt::failed(rt_error);\n}\n\nint g(void)\n{\n}\n";
        let expected =
            "extern \"C\" int rt_f(const int n,\n    void *const a_host)\n{\n    return 0;\n}\n\nint g(void)\n{\n}\n";
        assert_eq!(without_body(text, "rt_f"), expected);
        assert_eq!(without_body(text, "rt_g"), text);
    }

    #[test]
    fn the_instance_for_64_bits_goes() {
        let text = "a % 4 == 0 ? rt::by_positions({{m, n}, {2}}, f_k0<int, 8, 1>, f_k0<long, 8, 1>) : rt::by_positions({{n}}, \
                    f_k0<int, 8, 0>, f_k0<long, 8, 0>),\n  f_k1<256>);";
        let expected = "a % 4 == 0 ? rt::in_32_bits({{m, n}, {2}}, f_k0<int, 8, 1>) : rt::in_32_bits({{n}}, f_k0<int, 8, 0>),\n  \
                        f_k1<256>);";
        assert_eq!(in_32_bits(text), expected);
        assert_eq!(in_32_bits("nothing"), "nothing");
    }

    #[test]
    fn the_tuner_stands_in_the_place_of_the_entry() {
        // Which headers there are follows from what the program calls.
        let text = "#include \"rt_cublas.h\"\n#include \"rt_rows.h\"\nint rt_f(const int n);\n    \
                    rt.converted(rt_f(n, rt[\"a\"]));\n";
        let expected = "#include \"rt_tune.h\"\n#include \"rt_cublas.h\"\n#include \"rt_rows.h\"\nint rt_f(const int n);\n    \
                        rt.converted(RT_TUNED(rt_f, n, rt[\"a\"]));\n";
        assert_eq!(with_tuner(text, "rt_f").unwrap(), expected);
        assert!(with_tuner(text, "rt_g").is_err());
    }
}
