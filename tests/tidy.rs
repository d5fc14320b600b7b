//! The rules of the house that the compiler does not see: who may import whom, how files open, how long they are,
//! that documented paths and passes exist.

#[path = "support/imports.rs"]
mod imports;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The most lines of a file.
const MOST_LINES: usize = 600;

#[test]
fn modules_import_only_those_above_them() {
    let order = module_order();
    let mut faults = Vec::new();
    let (_, sources) = crates().swap_remove(0);
    for path in sources {
        let Some(at) = order.iter().position(|module| belongs_to(&path, module)) else { continue };
        for import in imports(&read(&path)) {
            match order.iter().position(|module| *module == import) {
                Some(found) if found <= at => {}
                Some(_) => {
                    faults.push(format!("{}: {} imports {import}, which stands below it", path.display(), order[at]))
                }
                None => faults.push(format!("{}: lib.rs lists no module {import}", path.display())),
            }
        }
    }
    none(&faults);
}

/// The modules of `lib.rs`, in the order that is the law; crates of the workspace that it hands on are among them.
fn module_order() -> Vec<String> {
    let name = |line: &str| {
        let module =
            line.strip_prefix("pub mod ").or_else(|| Some(line.strip_prefix("pub use rtcuda_")?.split_once(" as ")?.1));
        Some(module?.strip_suffix(';')?.to_owned())
    };
    read(Path::new("src/lib.rs")).lines().filter_map(name).collect()
}

/// Crates of the workspace, each with its folder and its files: `src`, then what stands there with a `Cargo.toml` of its own.
fn crates() -> Vec<(PathBuf, Vec<PathBuf>)> {
    let is_manifest = |path: &PathBuf| path.ends_with("Cargo.toml");
    let manifests = files("src", &["toml"]).into_iter().filter(is_manifest);
    let mut folders = vec![PathBuf::from("src")];
    folders.extend(manifests.filter_map(|path| path.parent().map(Path::to_owned)));
    let mut out: Vec<(PathBuf, Vec<PathBuf>)> = folders.into_iter().map(|folder| (folder, vec![])).collect();
    for path in files("src", &["rs"]) {
        let own = out.iter_mut().rfind(|(folder, _)| path.starts_with(folder));
        own.expect("all are in `src`").1.push(path);
    }
    out
}

fn belongs_to(path: &Path, module: &str) -> bool {
    let below = path.strip_prefix("src").unwrap_or(path);
    below.with_extension("") == Path::new(module) || below.starts_with(module)
}

/// The modules that code outside comments and inline tests names as `crate::x` or in `crate::{x::y, z}`.
fn imports(text: &str) -> BTreeSet<String> {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    let code: String = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let word = |text: &str| text.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect::<String>();
    let mut found = BTreeSet::new();
    for after in code.split("crate::").skip(1) {
        match after.strip_prefix('{') {
            None => found.extend(Some(word(after))),
            Some(group) => found.extend(top_level(group).map(|item| word(item.trim_start()))),
        }
    }
    found.retain(|name| !name.is_empty() && name.starts_with(|c: char| c.is_ascii_lowercase()));
    found
}

/// The items of `a::{b, c}, d}`, up to the brace that closes the group.
fn top_level(group: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    let end = group.find(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth < 0
    });
    let mut depth = 0;
    group[..end.unwrap_or(group.len())].split(move |c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    })
}

#[test]
fn files_import_each_other_in_no_circle() {
    let mut faults = Vec::new();
    for (folder, sources) in crates() {
        let below = |path: &PathBuf| path.strip_prefix(&folder).expect("a file of it").to_string_lossy().into_owned();
        let sources: Vec<_> = sources.iter().map(|path| (below(path), read(path))).collect();
        let circles = imports::circles(&imports::of(&sources));
        faults.extend(circles.iter().map(|circle| told(&folder, circle)));
    }
    none(&faults);
}

/// A circle in words: `src/a.rs imports src/b.rs imports src/a.rs`.
fn told(folder: &Path, circle: &[String]) -> String {
    let files = circle.iter().chain(&circle[..1]).map(|file| folder.join(file).display().to_string());
    files.collect::<Vec<_>>().join(" imports ")
}

#[test]
fn circles_are_found_however_imports_are_written() {
    let face = ("m/mod.rs", "//! A face.\n\npub mod a;\npub mod b;\nmod c;\n\npub use a::{\n    A, Other as B,\n};\n");
    let none: &[&str] = &[];
    let one = &["src/m/a.rs imports src/m/b.rs imports src/m/a.rs"];
    for (a, b, expected) in [
        ("use super::b::f;", "use super::a::A;", one),
        ("use crate::m::{a::A, b::{self, f}};", "fn g() { super::a::A(crate::m::C) }", one),
        ("use super::b::*;", "use crate::m::A;", one),
        ("use super::b::f as g;", "use super::{B, c};", one),
        ("use super::{self as m};\nfn f() { m::b::g() }", "use super::*;", one),
    ] {
        assert_eq!(
            circles_of(&[face, ("m/a.rs", &with_code(a)), ("m/b.rs", &with_code(b)), ("m/c.rs", CODE)]),
            expected,
            "{a} {b}"
        );
    }
    for (a, b) in [
        ("use super::b::f;", "// use super::a::A;"),
        ("use super::b::f;", "fn g() -> char { \"super::a::A\"; '\"' }"),
        ("use super::b::f;", "#[cfg(test)]\nmod tests {\n    use crate::m::a::A;\n}\n"),
        ("use super::b::f;", "use super::c::C;\nuse std::a::B;"),
    ] {
        assert_eq!(
            circles_of(&[face, ("m/a.rs", &with_code(a)), ("m/b.rs", &with_code(b)), ("m/c.rs", CODE)]),
            none,
            "{a} {b}"
        );
    }
}

#[test]
fn circles_have_any_length_and_lead_through_parents_that_do_something() {
    let parent = ("m/mod.rs", "mod a;\n\npub struct T;\n\npub fn f() {\n    a::g()\n}\n");
    assert_eq!(
        circles_of(&[parent, ("m/a.rs", &with_code("use super::T;"))]),
        ["src/m/a.rs imports src/m/mod.rs imports src/m/a.rs"]
    );
    let [a, b, d] = ["use crate::b::B;", "use crate::c::d::D;", "use super::super::a::A;"].map(with_code);
    let chain = [("a.rs", a.as_str()), ("b.rs", b.as_str()), ("c.rs", "pub mod d;\n"), ("c/d.rs", d.as_str())];
    assert_eq!(circles_of(&chain), ["src/a.rs imports src/b.rs imports src/c/d.rs imports src/a.rs"]);
}

/// Lines of a file that is more than a face.
const CODE: &str = "struct Code;\n";

fn with_code(text: &str) -> String {
    format!("{text}\n\n{CODE}")
}

fn circles_of(files: &[(&str, &str)]) -> Vec<String> {
    let sources: Vec<_> = files.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect();
    imports::circles(&imports::of(&sources)).iter().map(|circle| told(Path::new("src"), circle)).collect()
}

#[test]
fn rust_files_open_with_what_they_are_for() {
    let mut faults = Vec::new();
    for path in files("src", &["rs"]).into_iter().chain(files("tests", &["rs"])) {
        if !read(&path).starts_with("//! ") {
            faults.push(format!("{}: the first line is not `//! what and why`", path.display()));
        }
    }
    none(&faults);
}

#[test]
fn files_are_short_and_finished() {
    let unfinished =
        [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("to be ", "written"), concat!("unimple", "mented!")];
    let mut faults = Vec::new();
    for folder in ["src", "tests", "templates", "configs", "solvers"] {
        for path in files(folder, &["rs", "h", "hbs", "c", "toml", "cu"]) {
            let text = read(&path);
            let n_lines = text.lines().count();
            if n_lines > MOST_LINES {
                faults.push(format!("{}: {n_lines} lines, more than {MOST_LINES}", path.display()));
            }
            let marks = unfinished.iter().filter(|mark| text.contains(**mark));
            faults.extend(marks.map(|mark| format!("{}: says {mark}", path.display())));
        }
    }
    none(&faults);
}

#[test]
fn documented_paths_exist() {
    let mut faults = Vec::new();
    let own = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "RESULTS.md", "CHANGELOG.md"].map(PathBuf::from);
    for document in own.into_iter().chain(files("docs", &["md"])) {
        let text = fs::read_to_string(&document);
        let document = document.display();
        let Ok(text) = text else {
            faults.push(format!("{document} is missing"));
            continue;
        };
        let missing = mentioned(&text).filter(|path| is_path(path) && !Path::new(path).exists());
        faults.extend(missing.map(|path| format!("{document} names `{path}`, which does not exist")));
    }
    none(&faults);
}

/// The words in backticks, and the targets of links.
fn mentioned(text: &str) -> impl Iterator<Item = &str> {
    let ticked = text.split('`').skip(1).step_by(2);
    let linked = text.split("](").skip(1).filter_map(|after| after.split(')').next());
    ticked.chain(linked).map(|word| word.split('#').next().unwrap_or(word))
}

/// Whether a word means a file or folder of the repository.
fn is_path(word: &str) -> bool {
    let folders = ["src/", "tests/", "configs/", "templates/", "solvers/", "matrices/", ".ci/"];
    let endings = [".rs", ".md", ".toml", ".c", ".h", ".hbs"];
    let is_plain = word.chars().all(|c| c.is_ascii_alphanumeric() || "_-./".contains(c));
    let is_ours = folders.iter().any(|folder| word.starts_with(folder));
    let is_file = endings.iter().any(|ending| word.len() > ending.len() && word.ends_with(ending));
    is_plain
        && (is_ours || (is_file && word.contains('/') && !word.starts_with(['/', '.']) && !word.starts_with("out/")))
}

#[test]
fn architecture_lists_the_passes() {
    let text = read(Path::new("ARCHITECTURE.md"));
    let listed = |sentence: &str| -> Vec<&str> {
        let after = text.split(sentence).nth(1).expect("the sentence on passes");
        after.split(')').next().into_iter().flat_map(|list| list.split(", ")).collect()
    };
    let after = listed("`rtcuda convert mm.c --dump-after PASS` shows what a pass leaves (");
    assert_eq!(after, *rtcuda::pipeline::PASSES);
    let rewrites =
        rtcuda::pipeline::REWRITES_OF_NORMALIZE.iter().map(|(name, _)| name.trim_start_matches("normalize/"));
    assert_eq!(listed("\n(rows: "), rewrites.collect::<Vec<_>>());
}

#[test]
fn each_program_has_a_configuration_and_each_configuration_a_program() {
    let stems = |paths: Vec<PathBuf>| -> BTreeSet<String> {
        paths.iter().map(|path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned()).collect()
    };
    let programs = stems([files("tests/programs", &["c"]), files("solvers", &["c"])].concat());
    let configs = stems(files("configs", &["toml"]));
    none(&programs.symmetric_difference(&configs).map(|stem| format!("{stem}: no pair")).collect::<Vec<_>>());
}

#[test]
fn every_runtime_header_is_emitted() {
    let emitted: BTreeSet<String> = rtcuda::emit::RUNTIME.iter().map(|(name, _)| name.to_string()).collect();
    let headers = files("templates/runtime", &["h"]);
    let headers =
        headers.iter().map(|path| path.file_name().unwrap_or_default().to_string_lossy().into_owned()).collect();
    assert_eq!(emitted, headers);
}

/// All files below a folder with one of these extensions, in order.
fn files(folder: &str, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{folder}: {e}"));
    for path in entries.map(|entry| entry.expect("a folder that can be read").path()) {
        if path.is_dir() {
            found.extend(files(&path.to_string_lossy(), extensions));
        } else if path.extension().is_some_and(|found| extensions.iter().any(|e| found == *e)) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn none(faults: &[String]) {
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}
