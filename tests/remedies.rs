//! Remedies that messages name: declined C, what is said of it, and the same C with the remedy, which converts and computes the same.
//!
//! The programs of `tests/remedies` are the table. Before each function stands what is said of it:
//!
//! ```text
//! // declined: part of the message
//! // remedy: all of the help; no such line where there is none
//! static void f(int n, double *a) {
//! #ifndef REMEDY
//!     what is declined
//! #else
//!     what the remedy makes of it
//! #endif
//! }
//! ```
//!
//! The lines of `REMEDY` are taken out before anything reads the C, as a region does not reach across directives of the preprocessor.

#[path = "support/unoptimised.rs"]
mod unoptimised;

use rtcuda::config::Config;
use rtcuda::diag::Diagnostic;
use rtcuda::diag::render::{self, Style};
use rtcuda::pipeline::{self, ConvertOptions, Converted};
use rtcuda::runtime::programs::Program;
use rtcuda::runtime::verify::{self, Options, Verdict};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A function of the table.
struct Case {
    /// Its name.
    function: String,
    message: String,
    help: Option<String>,
    /// Its lines.
    lines: std::ops::RangeInclusive<u32>,
}

/// A program of the table.
struct Table {
    file: PathBuf,
    text: String,
    cases: Vec<Case>,
}

fn tables() -> Vec<Table> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/remedies");
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    files.sort();
    let table = |file: PathBuf| {
        let text = std::fs::read_to_string(&file).expect("the file can be read");
        Table { cases: cases(&text), file, text }
    };
    files.into_iter().map(table).collect()
}

fn cases(text: &str) -> Vec<Case> {
    let lines: Vec<&str> = text.lines().collect();
    let starts: Vec<usize> = (0..lines.len()).filter(|k| lines[*k].starts_with("// declined: ")).collect();
    let case = |(n, &at): (usize, &usize)| {
        let end = starts.get(n + 1).copied().unwrap_or(lines.len());
        let is_head = |l: &&&str| l.starts_with("static ") && l.ends_with(") {");
        let head = lines[at..end].iter().rfind(is_head).expect("a function follows");
        let head = lines[at..end].iter().filter(|l| l.starts_with("static ")).find(is_head).unwrap_or(head);
        let name = head.split('(').next().and_then(|l| l.split([' ', '*']).next_back()).expect("it has a name");
        Case {
            function: name.to_owned(),
            message: lines[at]["// declined: ".len()..].to_owned(),
            help: lines[at + 1].strip_prefix("// remedy: ").map(str::to_owned),
            lines: at as u32 + 1..=end as u32,
        }
    };
    starts.iter().enumerate().map(case).collect()
}

/// The text with or without the remedies, each line where it was.
fn picked(text: &str, with_remedy: bool) -> String {
    let (mut keeps, mut other) = (vec![], 0);
    let mut out = String::new();
    for line in text.lines() {
        let mut is_kept = false;
        match line.trim() {
            "#ifdef REMEDY" => keeps.push(with_remedy),
            "#ifndef REMEDY" => keeps.push(!with_remedy),
            "#else" if other == 0 => {
                let keep = keeps.last_mut().expect("`#else` stands behind an `#if`");
                *keep = !*keep;
            }
            "#endif" if other == 0 => drop(keeps.pop()),
            trimmed => {
                other += i32::from(trimmed.starts_with("#if")) - i32::from(trimmed == "#endif");
                is_kept = keeps.iter().all(|k| *k);
            }
        }
        out += if is_kept { line } else { "" };
        out += "\n";
    }
    out
}

fn convert_text(c: &str) -> Converted {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("p.c");
    std::fs::write(&file, c).expect("the folder is writable");
    let options = ConvertOptions { cflags: cflags(), ..ConvertOptions::default() };
    pipeline::convert(&[file], &options).unwrap_or_else(|stop| panic!("{stop:?}\n{c}"))
}

fn cflags() -> Vec<String> {
    vec!["-fopenmp".into()]
}

/// The diagnostics as a user reads them.
fn said(converted: &Converted) -> String {
    converted.diagnostics.iter().map(|d| render::text(d, Style::Plain)).collect()
}

#[test]
fn what_a_message_advises_lets_the_loop_convert() {
    for table in tables() {
        let (before, after) = (convert_text(&picked(&table.text, false)), convert_text(&picked(&table.text, true)));
        for case in &table.cases {
            let is_it = |d: &&Diagnostic| {
                let is_here = d.place.as_ref().is_some_and(|p| case.lines.contains(&p.line));
                is_here && d.message.contains(&case.message) && d.help == case.help
            };
            let name = format!("{}, {}", table.file.display(), case.function);
            assert!(before.diagnostics.iter().any(|d| is_it(&d)), "{name}: not said:\n{}", said(&before));
            let [n_before, n_after] = [&before, &after].map(|converted| regions(converted, &case.function));
            let is_done = n_after > n_before || n_after > 0 && !after.diagnostics.iter().any(|d| is_it(&d));
            assert!(case.help.is_none() || is_done, "{name}: not converted:\n{}", said(&after));
        }
    }
}

/// Regions of a function.
fn regions(converted: &Converted, function: &str) -> usize {
    let regions = converted.report["regions"].as_array().map_or(&[][..], Vec::as_slice);
    regions.iter().filter(|region| region["function"] == function).count()
}

/// Remedies of what is no declined loop, with the test that has them.
const ELSEWHERE: &[(&str, &str)] = &[
    (
        "subscripts and bounds that are sums of indices and sizes are understood, and branches on them or on data",
        KERNELS,
    ),
    (
        "if no two threads meet in an element, say so in front of the kernel's first statement, or of the first behind a barrier: \
         #pragma rt parallel",
        KERNELS,
    ),
    (
        "let threads that follow each other do it, by a bound: a sum by halves, `for (int s = n / 2; s > 0; s /= 2)` around \
         `if (i < s) a[i] += a[i + s];`; or, if no two threads meet, say so in front of the condition: #pragma rt parallel",
        KERNELS,
    ),
    ("let each thread write elements that no other touches, add by `atomicAdd`, or make two kernels of it", KERNELS),
    ("write it as `atomicAdd(&{name}[...], x);`", KERNELS),
    ("lay the rows out in one array: a[i * n + j]", KERNELS),
    ("say it in front of the kernel's first statement: #pragma rt shape({}: LENGTH)", KERNELS),
    ("leave `prefetch` out where no loop of a thread runs in pieces", MAPPINGS),
    ("leave `merge` and `skew` out where a nest cannot have them", MAPPINGS),
    ("a directive before a loop that can have it, `#pragma rt merge(2)`, asks for that loop alone", MAPPINGS),
    ("name one of {listed}", MAPPINGS),
    ("name its parallel loop, {only}", MAPPINGS),
    ("write `merge`, or leave `skew` out", MAPPINGS),
    (
        "`rtcuda.json` lists the strategies of each kernel, and its sizes, as its tunables; `rtcuda tune` finds those that serve",
        MAPPINGS,
    ),
    ("`sync = \"cooperative\"` asks for one, where each step of the loop is made of kernels alone", SETTINGS),
    ("they would have to be found anew at each step: leave `short-columns` out for this region", SETTINGS),
    (
        "a loop over the entries of a row reads them, `for (k = start[i]; k < start[i + 1]; k++)`, each as a subscript \
         `column[k]`, and nothing else of the time loop does; the region leaves `start` as it is; the numbers of `column` have 32 \
         bits or more",
        SETTINGS,
    ),
    ("run the converted program to see what they change", SETTINGS),
    ("put loops that should be searched further into a function of their own", "of functions that take minutes"),
    (
        "give the file that is included a guard (#ifndef) in place of #pragma once, or build with `rtcuda cc`",
        "of several files: `tests/front.rs`",
    ),
];

/// Kernels of the user's (`rtcuda optimize`), which are no C.
const KERNELS: &str = "tests/optimize.rs";

/// What a directive or the configuration asks of a mapping.
const MAPPINGS: &str = "tests/golden/mapping, tests/golden/diagnostics";

/// Settings of the configuration that have no effect.
const SETTINGS: &str = "tests/golden/short_columns, tests/options.rs";

/// Each remedy of the source is in the table.
#[test]
fn the_table_has_each_remedy_of_the_source() {
    let helps: Vec<String> = tables().into_iter().flat_map(|t| t.cases).filter_map(|case| case.help).collect();
    let mut missing = vec![];
    for remedy in sources().iter().flat_map(|text| remedies(text)) {
        let is_tested = helps.iter().any(|help| is_of(help, &remedy));
        let is_elsewhere = ELSEWHERE.iter().any(|(text, _)| *text == remedy);
        assert!(!(is_tested && is_elsewhere), "`{remedy}` is in the table: take it out of `ELSEWHERE`");
        if !is_tested && !is_elsewhere {
            missing.push(remedy);
        }
    }
    assert!(missing.is_empty(), "give each a function in tests/remedies:\n{}", missing.join("\n"));
}

/// The text of each file of the source.
fn sources() -> Vec<String> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut texts = vec![];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the folder can be read") {
            let path = entry.expect("the folder can be read").path();
            match path.extension() {
                _ if path.is_dir() => folders.push(path),
                Some(end) if end == "rs" => texts.push(std::fs::read_to_string(path).expect("the file can be read")),
                _ => {}
            }
        }
    }
    texts
}

/// The texts that a file gives to `remedy!`, as they are in the source but for lines that go on.
fn remedies(source: &str) -> Vec<String> {
    let one = |rest: &str| {
        let rest = rest.trim_start().strip_prefix('"').expect("a remedy is a text");
        let (mut text, mut chars) = (String::new(), rest.chars().peekable());
        loop {
            match chars.next().expect("the text ends") {
                '"' => return text,
                '\\' => match chars.next().expect("the text ends") {
                    '\n' => while chars.next_if(|c| c.is_whitespace()).is_some() {},
                    c => text.push(c),
                },
                c => text.push(c),
            }
        }
    };
    source.split("remedy!(").skip(1).map(one).collect()
}

/// Test that a text is what is printed of a format.
fn is_of(text: &str, format: &str) -> bool {
    let mut rest = text;
    let pieces = format
        .split('{')
        .enumerate()
        .map(|(k, piece)| if k == 0 { piece } else { piece.split_once('}').map_or("", |p| p.1) });
    for (k, piece) in pieces.enumerate() {
        match rest.find(piece).filter(|at| k > 0 || *at == 0) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    rest.is_empty() || format.ends_with('}')
}

/// The loops of all remedies, simulated.
#[test]
fn what_a_remedy_converts_computes_the_same() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let tables = tables();
    let program = |table: &Table| {
        let file = folder.path().join(table.file.file_name().expect("it is a file"));
        std::fs::write(&file, picked(&table.text, true)).expect("the folder is writable");
        let text = "[target]\nbackend = \"cpu\"\n[defaults]\nmin-work = 0\n";
        let config = Config::parse("remedies.toml", text).expect("the configuration is valid");
        Program { files: vec![file], config, config_file: None }
    };
    let programs: Vec<Program> = tables.iter().map(program).collect();
    let convert =
        |files: &[PathBuf], options: &ConvertOptions| pipeline::convert(files, options).map(unoptimised::unoptimised);
    let options = Options { cflags: cflags(), ..Options::new(convert, Duration::from_secs(120)) };
    for (table, v) in tables.iter().zip(verify::all(&programs, &options, &|_| {})) {
        assert!(matches!(v.verdict, Verdict::Verified), "{}: {:?}\n{:#?}", v.program, v.verdict, v.diagnostics);
        let compared = v.runs.iter().flat_map(|r| &r.comparisons).flat_map(|c| &c.regions);
        let done: BTreeSet<&str> = compared
            .filter(|r| r.calls > r.not_converted.iter().map(|n| n.calls).sum::<u64>())
            .filter_map(|r| r.region.rsplit_once('_').map(|(function, _)| function))
            .collect();
        for case in table.cases.iter().filter(|case| case.help.is_some()) {
            assert!(done.contains(&*case.function), "{}: {} runs the original: {done:?}", v.program, case.function);
        }
    }
}

/// Guards, as `explain` prints them.
#[test]
fn guards_read_as_a_person_writes_them() {
    for (c, guard) in [
        (
            "void f(int n, int w, const float a[restrict 2000], float b[restrict 2000]) {
                for (int i = 0; i < n; i++) b[i / w * w + i % w] = 2 * a[i] + a[i % w];
            }",
            "w >= 1 && n % w == 0",
        ),
        (
            "typedef struct { double x; float w; } point;
            void f(int n, point *p) { for (int i = 0; i < n; i++) p[i].x = 0; }",
            "sizeof(p[0]) == 16 && (char *)&p[0].x - (char *)&p[0] == 0",
        ),
        (
            "void f(int n, int k, double *a) { for (int i = 0; i < n; i++) a[i] = a[i + k] + 1; }",
            "(n <= 0 || k >= 0) && (k <= 0 || n <= k)",
        ),
        (
            "void f(int nr, int nq, double x[nr + 1][nq + 1]) {
                for (int i = 0; i <= nr; i++) for (int j = 0; j <= nq; j++) x[i][j] = 1;
            }",
            "nq + 1 >= 0",
        ),
    ] {
        let done = convert_text(c);
        let guards = done.report["regions"][0]["guards"].to_string();
        assert!(guards.contains(&format!("\"{guard}\"")), "{c}\nis guarded by {guards}");
    }
}

/// Types and constructs that are not modelled, as a person calls them.
#[test]
fn messages_name_what_c_calls_it() {
    for (statement, message) in [
        ("b->u[i] = 1;", "this is of the type `missing_t`, which is not modelled"),
        ("union both { int i; float f; } u; u.i = i; a[i] = u.f;", "which is not modelled"),
        ("a[i] = _Generic(i, int: 1, default: 2);", "C that is not modelled: `_Generic`"),
        ("a[i] = missing[i];", "`missing`, which is not declared"),
        ("a[i] = (_Atomic int)i;", "not modelled"),
        ("volatile int v = i; a[i] = v;", "volatile"),
        ("unsigned __int128 v = i; a[i] = v;", "the type `unsigned __int128`, which is not modelled"),
    ] {
        let c = format!("void f(int n, double *a, missing_t *b) {{ for (int i = 0; i < n; i++) {{ {statement} }} }}");
        let text = said(&convert_text(&c));
        assert!(text.contains(message), "{statement}\nsays:\n{text}");
        let words = text.lines().filter(|line| line.starts_with("declined"));
        for line in words {
            let plain: String = line.split('`').step_by(2).collect();
            assert!(!plain.contains('_') && !plain.contains(" a a") && !plain.contains(" a un"), "{line}");
        }
    }
}

/// An alignment changes nothing that is computed.
#[test]
fn aligned_arrays_convert() {
    let c = "void f(int n, double *a) {
    for (int i = 0; i < n; i++) {
        _Alignas(16) double t[2] = {1, 2};
        a[i] = t[i % 2];
    }
}";
    let done = convert_text(c);
    assert_eq!(regions(&done, "f"), 1, "{}", said(&done));
}
