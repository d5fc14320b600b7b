//! Regions whose emitted text a compiler refuses: they are left as the C that they are, and the rest is made again.
//!
//! ```text
//! a.cu:587:22:   required from here      line 587 is in the entry of `main_1`
//! convert without `main_1`, build again
//! ```
//! No pass should emit such text: each such region is reported as a fault of this tool. Where nothing tells which region it
//! is, or some were left out several times, all regions of the file go.

use super::build::Refused;
use crate::diag::Stop;
use crate::pipeline::{ConvertOptions, Converted};
use std::path::Path;

/// Attempts after which all regions of a file are left out.
const ATTEMPTS: usize = 3;

/// Outcome of converting and building once.
pub enum Attempt<T> {
    /// It was built.
    Built(T),
    /// A compiler refused a file of it.
    Refused(Box<Converted>, Refused),
}

/// Converts and builds, again without the regions that do not compile where there are some.
///
/// # Errors
/// Those of an attempt; a refusal where there is no region to leave out.
pub fn built<T>(
    options: &mut ConvertOptions,
    mut attempt: impl FnMut(&ConvertOptions) -> Result<Attempt<T>, Stop>,
) -> Result<T, Stop> {
    let mut n_attempts = 0;
    loop {
        let (converted, refused) = match attempt(options)? {
            Attempt::Built(value) => return Ok(value),
            Attempt::Refused(converted, refused) => (converted, refused),
        };
        n_attempts += 1;
        let is_new = |name: &String| !options.left_out.contains_key(name);
        let mut regions: Vec<String> = at_fault(&converted, &refused).into_iter().filter(is_new).collect();
        if regions.is_empty() || n_attempts >= ATTEMPTS {
            let all = regions_of(&converted, &refused.file).into_iter().map(|(name, _)| name);
            regions = all.filter(is_new).collect();
        }
        if regions.is_empty() {
            return Err(refused.into());
        }
        let why = refused.first_error();
        options.left_out.extend(regions.into_iter().map(|name| (name, why.clone())));
    }
}

/// The regions that an emitted file holds, with their C lines.
fn regions_of(converted: &Converted, file: &Path) -> Vec<(String, (u64, u64))> {
    let text = text_of(converted, &file.with_extension("cu"));
    let regions = converted.report["regions"].as_array().into_iter().flatten();
    let read = |r: &serde_json::Value| {
        let name = r["name"].as_str()?.to_owned();
        let entry = format!("extern \"C\" int rt_{name}");
        let is_there = text.match_indices(&entry).any(|(at, _)| ends_name(&text[at + entry.len()..]));
        is_there.then(|| (name, (r["lines"][0].as_u64().unwrap_or(0), r["lines"][1].as_u64().unwrap_or(0))))
    };
    regions.filter_map(read).collect()
}

fn text_of(converted: &Converted, file: &Path) -> String {
    let same = |f: &&crate::emit::File| f.path.file_name() == file.file_name();
    converted.files.iter().find(same).map_or(String::new(), |f| String::from_utf8_lossy(&f.contents).into_owned())
}

/// Test that a name which is made of a region's is at its end, or goes on with what the kernels and the entry add.
fn ends_name(rest: &str) -> bool {
    rest.starts_with(['_', '(', '<', '`', '"', ' ', ',', ';'])
}

/// The regions in whose text a compiler found errors.
fn at_fault(converted: &Converted, refused: &Refused) -> Vec<String> {
    let regions = regions_of(converted, &refused.file);
    let name = refused.file.file_name().unwrap_or_default().to_string_lossy();
    let is_cuda = refused.file.extension().is_some_and(|e| e == "cu");
    let text = text_of(converted, &refused.file);
    let lines: Vec<&str> = text.lines().collect();
    let mut found = vec![];
    for at in refused.words.lines().filter(|line| is_error(line)).filter_map(|line| line_in(line, &name)) {
        let region = if is_cuda {
            of_line(&lines, at, &regions)
        } else {
            regions.iter().find(|(_, (first, last))| (first..=last).contains(&&(at as u64))).map(|(name, _)| name)
        };
        if let Some(name) = region.filter(|name| !found.contains(*name)) {
            found.push(name.clone());
        }
    }
    found
}

/// Test for a line of a compiler's that speaks of an error, or of the line that an error in a header comes from.
fn is_error(line: &str) -> bool {
    ["error", "required from here", "instantiation of"].iter().any(|word| line.contains(word))
}

/// The number behind a file's name: `a.cu:587:22: error`, `a.cu(587): error`.
fn line_in(words: &str, name: &str) -> Option<usize> {
    let rest = &words[words.find(name)? + name.len()..];
    let digits = rest.strip_prefix([':', '('])?;
    digits[..digits.find(|c: char| !c.is_ascii_digit())?].parse().ok()
}

/// The region that a line of emitted CUDA belongs to: the one that it names, or a line above it does.
fn of_line<'r>(lines: &[&str], at: usize, regions: &'r [(String, (u64, u64))]) -> Option<&'r String> {
    let named = |line: &str| {
        let is_named = |name: &str| {
            let made = format!("rt_{name}");
            line.match_indices(&made).any(|(at, _)| ends_name(&line[at + made.len()..]))
        };
        let all = regions.iter().map(|(name, _)| name).filter(|name| is_named(name));
        all.max_by_key(|name| name.len())
    };
    lines[..at.min(lines.len())].iter().rev().find_map(|line| named(line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::File;
    use serde_json::json;

    const CU: &str = "#include \"rt_runtime.h\"\n\nRT_KERNEL void rt_f_1_k0(int n) {\n    n = x;\n}\n\
                      extern \"C\" int rt_f_1(int n)\ntry {\n    rt.launch(rt_f_1_k0, n);\n}\n\n\
                      RT_KERNEL void rt_f_10_k0(int n) {\n    n = y;\n}\nextern \"C\" int rt_f_10(int n)\ntry {\n    n = z;\n}\n";

    fn converted() -> Converted {
        let file = |name: &str, text: &str| File { path: name.into(), contents: text.into() };
        let region = |name: &str, first: u32| json!({"name": name, "lines": [first, first + 3]});
        Converted {
            files: vec![file("a.c", ""), file("a.cu", CU)],
            diagnostics: vec![],
            report: json!({"regions": [region("f_1", 10), region("f_10", 20), region("g_0", 12)]}),
            dumps: String::new(),
            operations: [].into(),
            entries: vec![],
            beside_users: [].into(),
            functions: vec![],
        }
    }

    fn refused(file: &str, words: &str) -> Refused {
        Refused { file: format!("/somewhere/{file}").into(), words: words.into() }
    }

    #[test]
    fn errors_lead_to_the_region_of_their_line() {
        let of = |file, words| at_fault(&converted(), &refused(file, words));
        assert_eq!(of("a.cu", "/t/a.cu:4:9: error: `x' is not declared"), ["f_1"]);
        assert_eq!(of("a.cu", "rt.h:3: error: no\na.cu:8:2:   required from here\na.cu:12:1: warning: w"), ["f_1"]);
        assert_eq!(of("a.cu", "a.cu(12): error: y\na.cu(16): error: z"), ["f_10"]);
        assert_eq!(of("a.c", "src/a.c:21:3: error: expected"), ["f_10"]);
        assert_eq!(of("a.cu", "a.cu:1:1: error: no such file"), Vec::<String>::new());
        assert_eq!(of("a.cu", "cc1plus: killed"), Vec::<String>::new());
    }

    #[test]
    fn what_does_not_compile_is_left_out_until_it_does() {
        let attempt = |words: &'static str, enough: usize| {
            let mut options = ConvertOptions::default();
            let result = built(&mut options, |options| {
                let n_left_out = options.left_out.len();
                Ok(match n_left_out >= enough {
                    true => Attempt::Built(n_left_out),
                    false => Attempt::Refused(converted().into(), refused("a.cu", words)),
                })
            });
            (result.ok(), options.left_out.into_keys().collect::<Vec<_>>().join(" "))
        };
        assert_eq!(attempt("a.cu:12: error: y", 1), (Some(1), "f_10".into()));
        assert_eq!(attempt("cc1plus: killed", 2), (Some(2), "f_1 f_10".into()));
        assert_eq!(attempt("a.cu:12: error: y", 2), (Some(2), "f_1 f_10".into()));
        assert_eq!(attempt("a.cu:12: error: y", 3), (None, "f_1 f_10".into()));
    }
}
