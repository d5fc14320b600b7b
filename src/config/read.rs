//! The sections of the file, each into its type.

use super::reader::{Reader, Section, Value, listed};
use super::{
    Arch, Calls, Choice, Config, Defaults, Given, Input, KernelRow, KernelSizes, MOST_CHECK_EVERY, MOST_MERGE,
    MOST_MIN_WORK, MOST_SIZE, MOST_STAGES, MinWork, Optimization, Region, Schedule, Selector, Shape, Size, Sizes,
    Target, Tune, parse_duration,
};
use crate::diag::{Diagnostic, Place, nearest};
use crate::target::{MACHINES, MAX_BLOCK};
use indexmap::IndexMap;
use std::ffi::OsString;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::time::Duration;
use toml::de::{DeTable, DeValue};

impl Config {
    /// Reads a file.
    ///
    /// # Errors
    /// Every fault found in it; or the one that it cannot be read.
    pub fn load(path: &Path) -> Result<Config, Vec<Diagnostic>> {
        let text = std::fs::read_to_string(path).map_err(|e| {
            let message = format!("the configuration {} cannot be read: {e}", path.display());
            vec![Diagnostic::error("config-unreadable", message, None).help("--config takes the path of a TOML file")]
        })?;
        let mut config = Config::parse(&path.display().to_string(), &text)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        for file in &mut config.input.files {
            *file = folder.join(&file);
        }
        let stdin = config.input.given.stdin.take();
        config.input.given.stdin = stdin.map(|file| folder.join(file));
        config.tune.cache = folder.join(&config.tune.cache);
        Ok(config)
    }

    /// Reads the text of a file called `name`; paths stay as they are written.
    ///
    /// # Errors
    /// Every fault found, in the order of the text.
    pub fn parse(name: &str, text: &str) -> Result<Config, Vec<Diagnostic>> {
        config(name, text)
    }
}

/// Reads a whole file.
fn config(name: &str, text: &str) -> Result<Config, Vec<Diagnostic>> {
    let mut reader = Reader::new(name, text);
    let mut config = match DeTable::parse(text) {
        Ok(table) => {
            let file = Section::new("the file", table.get_ref(), table.span());
            sections(&mut reader, file)
        }
        Err(error) => {
            let message = format!("this is not TOML: {}", error.message().replace('\n', "; "));
            reader.fault("toml-syntax", message, error.span().unwrap_or(0..0), None);
            Config::default()
        }
    };
    config.warnings = std::mem::take(&mut reader.warnings);
    let faults = reader.into_faults();
    if faults.is_empty() { Ok(config) } else { Err(faults) }
}

fn sections(reader: &mut Reader, mut file: Section) -> Config {
    let mut section = |key, title| file.take(key).and_then(|value| value.section(reader, title));
    let [input, target, defaults, tune] =
        [("input", "[input]"), ("target", "[target]"), ("defaults", "[defaults]"), ("tune", "[tune]")]
            .map(|(key, title)| section(key, title));
    let defaults = defaults.map_or_else(Defaults::default, |mut section| {
        let settings = settings(reader, &mut section, &Defaults::default());
        section.finish(reader);
        settings
    });
    let regions = file.take("region").map_or_else(Vec::new, |value| regions(reader, value, &defaults));
    let kernels = file.take("kernels").map_or_else(IndexMap::new, |value| kernels(reader, value));
    file.finish(reader);
    Config {
        input: input.map_or_else(Input::default, |section| self::input(reader, section)),
        target: target.map_or_else(Target::default, |section| self::target(reader, section)),
        tune: tune.map_or_else(Tune::default, |section| self::tune(reader, section)),
        defaults,
        regions,
        kernels,
        profile: vec![],
        warnings: Vec::new(),
    }
}

fn input(reader: &mut Reader, mut section: Section) -> Input {
    let mut strings = |key, what| section.take(key).and_then(|value| value.strings(reader, what)).unwrap_or_default();
    let input = Input {
        files: strings("files", "the path of a C file").into_iter().map(PathBuf::from).collect(),
        cflags: strings("cflags", "a flag of the C compiler"),
        given: Given {
            args: strings("args", "an argument of the program").into_iter().map(OsString::from).collect(),
            stdin: section
                .take("stdin")
                .and_then(|value| value.string(reader, "the path of a file"))
                .map(PathBuf::from),
        },
    };
    section.finish(reader);
    input
}

fn target(reader: &mut Reader, mut section: Section) -> Target {
    let default = Target::default();
    let target = Target {
        arch: section.take("arch").and_then(|value| arch(reader, value)).unwrap_or(default.arch),
        backend: choice(reader, &mut section, "backend", default.backend),
        fmad: section.take("fmad").and_then(|value| value.boolean(reader)).unwrap_or(default.fmad),
    };
    section.finish(reader);
    target
}

fn arch(reader: &mut Reader, value: Value) -> Option<Arch> {
    let text = value.string(reader, "a string such as \"sm_90\", or \"native\"")?;
    let known = MACHINES.iter().find(|machine| machine.arch() == text);
    if text == "native" {
        return Some(Arch::Native);
    }
    if known.is_none() {
        let archs: Vec<String> = MACHINES.iter().map(|machine| machine.arch()).collect();
        let names: Vec<&str> = std::iter::once("native").chain(archs.iter().map(String::as_str)).collect();
        let help = match nearest(text, &names) {
            Some(near) if !text.starts_with("sm_") => format!("did you mean \"{near}\"?"),
            _ => format!("it is one of {}", listed(&names)),
        };
        value.impossible(reader, format!("\"{text}\" is no architecture that this tool describes"), Some(help));
    }
    known.map(|machine| Arch::Sm(machine.capability))
}

fn choice<C: Choice>(reader: &mut Reader, section: &mut Section, key: &'static str, default: C) -> C {
    section.take(key).and_then(|value| value.choice(reader)).unwrap_or(default)
}

/// The same for a setting of which only the values in `done` have an effect in this version.
fn partly<C: Choice + PartialEq + Display>(
    reader: &mut Reader,
    section: &mut Section,
    key: &'static str,
    default: C,
    done: &[C],
) -> C {
    let Some(value) = section.take(key) else { return default };
    let Some(chosen) = value.choice(reader) else { return default };
    if !done.contains(&chosen) {
        reader.not_yet(&format!("{key} = \"{chosen}\""), value.node.span());
    }
    chosen
}

fn settings(reader: &mut Reader, section: &mut Section, base: &Defaults) -> Defaults {
    let optimize = section.take("optimize").and_then(|value| {
        let names = value.array(reader, "strings")?;
        names.iter().map(|name| optimization(reader, *name)).collect::<Option<Vec<_>>>()
    });
    Defaults {
        optimize: optimize.unwrap_or_else(|| base.optimize.clone()),
        schedule: partly(
            reader,
            section,
            "schedule",
            base.schedule,
            &[Schedule::MaxBands, Schedule::MaxFusion, Schedule::MinFusion],
        ),
        library: choice(reader, section, "library", base.library),
        sync: choice(reader, section, "sync", base.sync),
        min_work: section.take("min-work").and_then(|value| min_work(reader, value)).unwrap_or(base.min_work),
        too_large: choice(reader, section, "too-large", base.too_large),
        stays: section.take("stay-on-device").and_then(|value| value.boolean(reader)).unwrap_or(base.stays),
        check_every: section
            .take("check-every")
            .and_then(|value| value.count(reader, 1, MOST_CHECK_EVERY))
            .unwrap_or(base.check_every),
        is_one_kernel: base.is_one_kernel,
        interruptible: section
            .take("interruptible")
            .and_then(|value| value.boolean(reader))
            .unwrap_or(base.interruptible),
        on_chip: section.take("on-chip").and_then(|value| value.boolean(reader)).unwrap_or(base.on_chip),
        short_columns: choice(reader, section, "short-columns", base.short_columns),
    }
}

fn min_work(reader: &mut Reader, value: Value) -> Option<MinWork> {
    if value.node.get_ref().as_str() == Some("auto") {
        return Some(MinWork::Auto);
    }
    value.count(reader, 0, MOST_MIN_WORK).map(MinWork::Instances)
}

fn optimization(reader: &mut Reader, value: Value) -> Option<Optimization> {
    let chosen = value.choice::<Optimization>(reader)?;
    if chosen == Optimization::ReadOnly {
        reader.not_yet(&format!("optimize: {chosen}"), value.node.span());
    }
    Some(chosen)
}

fn regions(reader: &mut Reader, value: Value, defaults: &Defaults) -> Vec<Region> {
    let Some(tables) = value.array(reader, "tables: write it as [[region]]") else { return Vec::new() };
    let mut regions: Vec<Region> = Vec::new();
    for table in tables {
        let Some(region) = table.section(reader, "[[region]]").and_then(|s| region(reader, s, defaults)) else {
            continue;
        };
        match regions.iter().find(|earlier| earlier.selector == region.selector) {
            Some(earlier) => {
                let help = format!("the first is on line {}: put both into one", earlier.place.line);
                let message = "a second [[region]] for the same region".into();
                reader.fault("duplicate-region", message, table.node.span(), Some(help));
            }
            None => regions.push(region),
        }
    }
    regions
}

fn region(reader: &mut Reader, mut section: Section, defaults: &Defaults) -> Option<Region> {
    let selector = selector(reader, &mut section);
    let settings = settings(reader, &mut section, defaults);
    let limits = [("block", MAX_BLOCK), ("merge", MOST_MERGE), ("skew", MOST_MERGE), ("prefetch", MOST_STAGES)];
    let [block, merge, skew, prefetch] = limits.map(|(key, most)| size(reader, section.take(key)?, most));
    let sizes = Sizes { block, merge, skew, prefetch };
    let shape = section.take("shape").map_or_else(IndexMap::new, |value| shapes(reader, value));
    section.finish(reader);
    let (selector, place) = selector?;
    Some(Region { selector, place, settings, sizes, shape })
}

fn selector(reader: &mut Reader, section: &mut Section) -> Option<(Selector, Place)> {
    let function = section.take("function");
    let (value, make): (_, fn(String) -> Selector) = match (function, section.take("name")) {
        (Some(value), None) => (value, Selector::Function),
        (None, Some(value)) => (value, Selector::Name),
        (None, None) => {
            let help = "say which: `function = \"…\"` for all regions of a function, `name = \"…\"` for one".into();
            reader.fault("no-selector", "a [[region]] of nothing".into(), section.span.clone(), Some(help));
            return None;
        }
        (Some(_), Some(value)) => {
            value.impossible(reader, "given beside `function`".into(), Some("keep one of the two".into()));
            return None;
        }
    };
    let text = identifier(reader, value)?;
    Some((make(text), reader.place(value.node.span())))
}

fn identifier(reader: &mut Reader, value: Value) -> Option<String> {
    let text = value.string(reader, "a C identifier")?;
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if !text.chars().all(is_word) || text.starts_with(|c: char| c.is_ascii_digit()) {
        value.impossible(reader, format!("\"{text}\" is not a C identifier"), None);
        return None;
    }
    Some(text.to_owned())
}

fn size(reader: &mut Reader, value: Value, most: u32) -> Option<Size> {
    if value.node.get_ref().as_array().is_none() {
        return value.count(reader, 1, most).map(Size::Fixed);
    }
    let ends = value.array(reader, "integers")?;
    let [first, last] = ends[..] else {
        let why = format!("a range has two ends, this has {}", ends.len());
        value.impossible(reader, why, Some(format!("write one number, or `{} = [first, last]`", value.key)));
        return None;
    };
    let (first, last) = (first.count(reader, 1, most)?, last.count(reader, 1, most)?);
    if first > last {
        let help = format!("write `{} = [{last}, {first}]`", value.key);
        value.impossible(reader, format!("the range from {first} to {last} is empty"), Some(help));
        return None;
    }
    Some(Size::Range(first, last))
}

fn shapes(reader: &mut Reader, value: Value) -> IndexMap<String, Shape> {
    let Some(section) = value.section(reader, "shape") else { return IndexMap::new() };
    let mut shapes = IndexMap::new();
    for (array, node) in section.entries() {
        let value = Value { key: array.get_ref(), node };
        let Some(extents) = value.strings(reader, "a C expression in quotes") else { continue };
        if extents.is_empty() {
            value.impossible(reader, "no extents".into(), Some("name one for each subscript, outermost first".into()));
            continue;
        }
        shapes.insert(array.get_ref().to_string(), Shape { extents, place: reader.place(node.span()) });
    }
    shapes
}

fn kernels(reader: &mut Reader, value: Value) -> IndexMap<String, KernelSizes> {
    let Some(section) = value.section(reader, "[kernels]") else { return IndexMap::new() };
    let mut kernels = IndexMap::new();
    for (name, node) in section.entries() {
        let value = Value { key: name.get_ref(), node };
        let Some(table) = value.section(reader, "[kernels.NAME]") else { continue };
        kernels.insert(name.get_ref().to_string(), kernel(reader, &table, &[]));
    }
    kernels
}

/// The settings of a kernel; keys but `others`, which stand beside them.
fn kernel(reader: &mut Reader, table: &Section, others: &[&str]) -> KernelSizes {
    let place = reader.place(table.span.clone());
    let mut out = KernelSizes { strategy: None, sizes: IndexMap::new(), at: vec![], place };
    for (name, node) in table.entries() {
        let value = Value { key: name.get_ref(), node };
        match name.get_ref().as_ref() {
            key if others.contains(&key) => {}
            "strategy" => out.strategy = value.string(reader, "the name of a strategy").map(str::to_owned),
            "at" => out.at = rows(reader, value),
            key if matches!(node.get_ref(), DeValue::Table(_)) => {
                let known = [&["strategy", "at"], others].concat();
                let help = nearest(key, &known).map_or_else(
                    || format!("its keys are {}, and the sizes of the kernel", listed(&known)),
                    |near| format!("did you mean `{near}`?"),
                );
                reader.fault("unknown-key", format!("{} has no key `{key}`", table.title), name.span(), Some(help));
            }
            size => out.sizes.extend(value.count(reader, 0, MOST_SIZE).map(|n| (size.to_owned(), n))),
        }
    }
    out
}

/// The rows of a kernel, each of which some call can come to.
fn rows(reader: &mut Reader, value: Value) -> Vec<KernelRow> {
    const TITLE: &str = "[[kernels.NAME.at]]";
    let mut out: Vec<KernelRow> = vec![];
    for row in value.array(reader, "tables, `[[kernels.NAME.at]]`").unwrap_or_default() {
        let Some(mut table) = row.section(reader, TITLE) else { continue };
        let [least, most] = ["least", "most"].map(|key| match table.take(key) {
            Some(value) => extents(reader, value),
            None => IndexMap::new(),
        });
        let calls = Calls { least, most };
        let settings = kernel(reader, &table, &["least", "most"]);
        if let Some((why, help)) = calls.fault(out.iter().map(|row| &row.calls)) {
            reader.fault("impossible-value", format!("{TITLE}: {why}"), table.span, Some(help));
            continue;
        }
        if !settings.at.is_empty() {
            let help = "put it behind this one, with the conditions of both";
            reader.fault("impossible-value", format!("{TITLE}: a row within a row"), table.span, Some(help.into()));
        }
        out.push(KernelRow { calls, settings });
    }
    out
}

/// Bounds of extents: `{ n = 4096, m = 512 }`.
fn extents(reader: &mut Reader, value: Value) -> IndexMap<String, i64> {
    let Some(section) = value.section(reader, "a condition") else { return IndexMap::new() };
    let bounds = section.entries().into_iter().filter_map(|(name, node)| {
        let bound = Value { key: name.get_ref(), node }.integer(reader, 0, i64::MAX)?;
        Some((name.get_ref().to_string(), bound))
    });
    bounds.collect()
}

fn tune(reader: &mut Reader, mut section: Section) -> Tune {
    let default = Tune::default();
    let tune = Tune {
        strategy: choice(reader, &mut section, "strategy", default.strategy),
        objective: choice(reader, &mut section, "objective", default.objective),
        budget: section.take("budget").and_then(|value| duration(reader, value)).unwrap_or(default.budget),
        cache: section
            .take("cache")
            .and_then(|value| value.string(reader, "the path of a file"))
            .map_or(default.cache, PathBuf::from),
    };
    section.finish(reader);
    tune
}

fn duration(reader: &mut Reader, value: Value) -> Option<Duration> {
    let text = value.string(reader, "a time such as \"60s\"")?;
    let duration = parse_duration(text);
    if duration.is_none() {
        let help = "write a number and a unit, up to a week: \"500ms\", \"60s\", \"10min\", \"1h\"".into();
        value.impossible(reader, format!("\"{text}\" is not a time"), Some(help));
    }
    duration
}
