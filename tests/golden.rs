//! Snapshots of what each stage makes of small inputs: tests as data.
//!
//! ```text
//! tests/golden/<stage>/<case>.c        the input        -> .expect: the pipeline's dump after <stage>
//! tests/golden/<stage>/<case>.toml     its configuration, if it has one; `sections = [...]` names other dumps,
//!                                      among them `diagnostics`
//! tests/golden/rewrites/<row>.c        C                -> .expect: what that row of the rewrites of `normalize` changes
//! tests/golden/kernel/<case>.kernel    kernel IR        -> .expect: the verifier's findings, or the simplified text
//! tests/golden/decline/<case>.c        `// decline: <part of the message>` stands on each line that is declined;
//!                                      there is no .expect
//! ```
//! `BLESS=1 cargo test --test golden` rewrites every `.expect` (refused where `CI` is set). A file that belongs to no
//! case fails.

#[path = "support/foreseen.rs"]
mod foreseen;

use rayon::prelude::*;
use rtcuda::config::Config;
use rtcuda::diag::render::{self, Style};
use rtcuda::diag::{Diagnostic, Stop};
use rtcuda::kernel::{parse, simplify, verify};
use rtcuda::pipeline::{self, ConvertOptions, Converted};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = "tests/golden";

#[test]
fn kernel() {
    run_stages(|stage| stage == "kernel");
}

#[test]
fn stages() {
    run_stages(|stage| stage != "kernel");
}

/// Each rewrite that changes something has a case that shows it; the others only take note of something.
#[test]
fn each_rewrite_has_a_case() {
    let only_note = ["note_structures", "note_sizes"];
    for (name, _) in pipeline::REWRITES_OF_NORMALIZE.iter() {
        let row = name.strip_prefix("normalize/").expect("the pass that it is a part of");
        let shown = fs::read_to_string(Path::new(ROOT).join("rewrites").join(row).with_extension("expect"));
        let is_shown = shown.is_ok_and(|text| text != "(unchanged)\n");
        assert!(is_shown != only_note.contains(&row), "{name}: {ROOT}/rewrites/{row}.c shows nothing of it");
    }
}

/// Runs the stages that are chosen, and fails with everything that is wrong in them.
fn run_stages(chosen: fn(&str) -> bool) {
    let mut failures = Vec::new();
    for stage in entries(Path::new(ROOT)) {
        let name = stage.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !stage.is_dir() {
            failures.push(format!("{}: belongs to no stage", stage.display()));
        } else if chosen(&name) {
            run_stage(&name, &stage, &mut failures);
        }
    }
    assert!(failures.is_empty(), "\n{}\n(BLESS=1 rewrites expectations)", failures.join("\n\n"));
}

fn run_stage(stage: &str, folder: &Path, failures: &mut Vec<String>) {
    let (source, others): (&str, &[&str]) = match stage {
        "kernel" => ("kernel", &["expect"]),
        "decline" => ("c", &["toml"]),
        _ => ("c", &["toml", "expect"]),
    };
    let mut cases: BTreeMap<PathBuf, BTreeSet<String>> = BTreeMap::new();
    for file in entries(folder) {
        let extension = file.extension().unwrap_or_default().to_string_lossy().into_owned();
        cases.entry(file.with_extension("")).or_default().insert(extension);
    }
    for (case, extensions) in &cases {
        for extension in extensions {
            let known = extension == source || others.contains(&extension.as_str());
            if !known || !extensions.contains(source) {
                failures.push(format!("{}.{extension}: belongs to no case", case.display()));
            }
        }
    }
    let cases: Vec<PathBuf> = cases.into_iter().filter(|(_, e)| e.contains(source)).map(|(case, _)| case).collect();
    let failure = |case: &PathBuf| Some(format!("{}: {}", case.display(), check(stage, case).err()?));
    failures.par_extend(cases.par_iter().filter_map(failure));
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a folder that can be read").path()).collect();
    paths.sort();
    paths
}

/// Holds a case to what is expected of it.
fn check(stage: &str, case: &Path) -> Result<(), String> {
    match stage {
        "decline" => check_declined(case),
        "kernel" => compare(case, &kernel_text(&read(&case.with_extension("kernel"))?)),
        "rewrites" => {
            let row = format!("normalize/{}", case.file_name().unwrap_or_default().to_string_lossy());
            compare(case, &convert(case, Some(row))?.dumps)
        }
        _ => compare(case, &dumps(stage, case)?),
    }
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}

/// Compares with the case's `.expect`, or rewrites it.
fn compare(case: &Path, actual: &str) -> Result<(), String> {
    if actual.is_empty() {
        return Err("shows nothing: a folder that is no stage wants `sections` in the case's .toml".into());
    }
    let path = case.with_extension("expect");
    if std::env::var_os("BLESS").is_some() {
        assert!(std::env::var_os("CI").is_none(), "BLESS is refused in CI: expectations are changed by people");
        return fs::write(&path, actual).map_err(|e| format!("{}: {e}", path.display()));
    }
    let expected = read(&path)?;
    if expected == actual {
        return Ok(());
    }
    let same = expected.lines().zip(actual.lines()).take_while(|(a, b)| a == b).count();
    let line = |text: &str| text.lines().nth(same).unwrap_or("(the end)").to_string();
    Err(format!(
        "line {} differs\n  expected: {}\n  actual:   {}\n--- the whole actual text\n{actual}",
        same + 1,
        line(&expected),
        line(actual)
    ))
}

/// Parses, verifies, simplifies and prints each function and kernel; or says what is wrong.
fn kernel_text(text: &str) -> String {
    let (functions, kernels) = match parse::module(text) {
        Ok(module) => module,
        Err(error) => return format!("{error}\n"),
    };
    let lines = |name: &str, findings: Vec<verify::Finding>| -> String {
        findings.iter().map(|finding| format!("{name}: {finding}\n")).collect()
    };
    let mut out = String::new();
    for function in &functions {
        let findings = lines(&function.name, verify::function(function, &functions));
        out += &if findings.is_empty() { function.to_string() } else { findings };
    }
    for mut kernel in kernels {
        let findings = lines(&kernel.name, verify::kernel(&kernel, &functions));
        simplify::kernel(&mut kernel);
        out += &if findings.is_empty() { kernel.to_string() } else { findings };
    }
    out
}

/// Converts the case's C file; also gives the sections that its configuration names.
fn convert(case: &Path, dump_after: Option<String>) -> Result<Converted, String> {
    let (config, _) = configuration(case)?;
    let cflags = config.input.cflags.clone();
    let options = ConvertOptions { cflags, config, dump_after, ..ConvertOptions::default() };
    pipeline::convert(&[case.with_extension("c")], &options).map_err(|stop| match stop {
        Stop::Input(diagnostic) => render::text(&diagnostic, Style::Plain),
        Stop::Bug(what) => what,
    })
}

/// The configuration beside a case, and the sections it names.
fn configuration(case: &Path) -> Result<(Config, Vec<String>), String> {
    let path = case.with_extension("toml");
    if !path.exists() {
        return Ok((Config::default(), Vec::new()));
    }
    let mut table: toml::Table = read(&path)?.parse().map_err(|e| format!("{}: {e}", path.display()))?;
    let sections = match table.remove("sections") {
        Some(sections) => sections.try_into().map_err(|e| format!("{}: `sections`: {e}", path.display()))?,
        None => Vec::new(),
    };
    let config = Config::parse(&path.to_string_lossy(), &table.to_string());
    let config = config.map_err(|faults| rendered(faults.iter()))?;
    Ok((config, sections))
}

fn rendered<'a>(diagnostics: impl Iterator<Item = &'a Diagnostic>) -> String {
    diagnostics.map(|diagnostic| render::text(diagnostic, Style::Plain)).collect::<Vec<_>>().join("\n")
}

/// The dumps of the case's sections: that of the stage itself, unless the configuration names others.
fn dumps(stage: &str, case: &Path) -> Result<String, String> {
    let (_, sections) = configuration(case)?;
    if sections.is_empty() {
        return Ok(convert(case, Some(stage.to_string()))?.dumps);
    }
    let mut out = String::new();
    for section in sections {
        let text = match section.as_str() {
            // Also those with which the conversion ends.
            "diagnostics" => convert(case, None).map_or_else(|ends| ends, |done| rendered(done.diagnostics.iter())),
            _ => convert(case, Some(section.clone()))?.dumps,
        };
        out += &format!("== {section}\n{text}\n");
    }
    Ok(out)
}

/// Every declined line carries a comment with a part of the message, and every such comment is borne out.
fn check_declined(case: &Path) -> Result<(), String> {
    let text = read(&case.with_extension("c"))?;
    let faults = foreseen::faults(&text, &convert(case, None)?.diagnostics);
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}
