//! C files of rows as one program, and its configuration.

use super::rows::Source;
use crate::config::{Backend, Config, Library, Optimization};
use crate::diag::{Diagnostic, Stop};
use std::fmt::Write;

/// What the C files include.
pub const HEADER: (&str, &str) = ("kernels.h", include_str!("../../../templates/bench/kernels/kernels.h"));

/// The text of the files one behind the other, and a `main`: its arguments are how often each row is called, then names
/// of rows, each with its sizes behind it.
pub fn text<'a>(sources: impl IntoIterator<Item = &'a Source>) -> String {
    let mut text: String = sources.into_iter().map(|source| source.text).collect();
    let rows: Vec<String> = text.lines().filter_map(row_of).map(str::to_owned).collect();
    text += "\nint main(int argc, char **argv) {\n    int runs = argc > 1 ? atoi(argv[1]) : 1;\n    \
             for (int at = 2; at < argc;) {\n        long size[MOST_SIZES] = {0};\n        \
             const char *name = argv[at];\n        at = sizes(argc, argv, at, size);\n";
    for name in rows {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "        if (!strcmp(name, \"{name}\"))\n            {name}_row(size, runs);");
    }
    text + "    }\n    return 0;\n}\n"
}

fn row_of(line: &str) -> Option<&str> {
    line.strip_prefix("ROW(")?.split(')').next()
}

/// The line range of a function of a file, from 1, the end not included: to the driver behind it.
pub fn lines_of(source: &Source, function: &str) -> std::ops::Range<u32> {
    let head = format!("{function}(");
    let is_start = |line: &str| line.starts_with("static ") && line.contains(&head);
    let start = source.text.lines().position(is_start).unwrap_or(0);
    let length = source.text.lines().skip(start).position(|line| row_of(line).is_some());
    start as u32 + 1..(start + length.unwrap_or(0)) as u32 + 1
}

/// Configuration of a program: each function of the files a region, no calls of a library; the rest is the user's.
/// `optimize` stands in the place of the user's list.
///
/// # Errors
/// What is wrong with the user's text.
pub fn config<'a>(
    sources: impl IntoIterator<Item = &'a Source>,
    users: Option<&(String, String)>,
    optimize: Option<&[Optimization]>,
    backend: Backend,
) -> Result<Config, Stop> {
    let (name, mut text) = users.cloned().unwrap_or(("kernels.toml".into(), String::new()));
    let first = |faults: Vec<Diagnostic>| match faults.into_iter().next() {
        Some(fault) => Stop::from(fault),
        None => Stop::Bug("a configuration without a fault was refused".into()),
    };
    let named = Config::parse(&name, &text).map_err(first)?;
    let is_named = |function: &str| named.regions.iter().any(|region| region.selector.name() == function);
    let functions: Vec<&str> = sources.into_iter().flat_map(|s| s.functions.iter().copied()).collect();
    for function in functions.iter().filter(|function| !is_named(function)) {
        let _ = write!(text, "\n[[region]]\nfunction = \"{function}\"\n");
    }
    let mut config = Config::parse(&name, &text).map_err(first)?;
    // The user's file may speak of functions that this program does not have.
    config.regions.retain(|region| functions.contains(&region.selector.name()));
    config.target.backend = backend;
    let regions = config.regions.iter_mut().map(|region| &mut region.settings);
    for settings in regions.chain([&mut config.defaults]) {
        settings.library = Library::Never;
        if let Some(optimize) = optimize {
            settings.optimize = optimize.to_vec();
        }
    }
    Ok(config)
}
