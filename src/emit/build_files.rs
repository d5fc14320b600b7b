//! The build files: a Makefile and a CMakeLists.txt, and for each C file the user's flags as a response file.
//!
//! A response file (`cc @jacobi.cflags`) reaches the compiler as it was written: no flag passes through the quoting of
//! make, a shell, CMake and nvcc in turn. It also leads back to the folder of the original (`-iquote`), so that the
//! user's headers are found where they lie.

use super::{CFile, File, Options, Program, names, spell};
use crate::api;
use crate::diag::Stop;
use serde_json::json;
use std::path::Path;

/// Flags whose value is a path, joined to them or the next word.
const PATH_FLAGS: &[&str] = &["-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-I", "-L"];
/// Those of them whose path is a header, which the compiler also looks for where it looks for others.
const HEADER_FLAGS: &[&str] = &["-include", "-imacros"];

/// The name of the program: `make` builds it, `make sim` builds `<name>_sim`.
pub fn program_name(program: &Program) -> String {
    program.files.first().map(|f| names::stem(&f.path)).unwrap_or_default()
}

/// Makefile, CMakeLists.txt, and a `<stem>.cflags` for each C file; with the API's files, if the program uses them.
///
/// # Errors
/// A template that does not fit.
pub fn files(program: &Program, stems: &[String], uses_api: bool, options: &Options) -> Result<Vec<File>, Stop> {
    let flags = absolute_flags(&options.cflags, &options.folder);
    let (mut link, compile) = split_link_flags(&flags);
    let with_kernels = program.files.iter().zip(stems).filter(|(f, _)| !f.sites.is_empty()).map(|(_, s)| s.as_str());
    let api = uses_api.then_some(api::STEM);
    link.extend(api.map(|_| "-ldl".to_owned()));
    let data = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "program": program_name(program),
        "arch": options.arch,
        "cmake_arch": options.arch.trim_start_matches("sm_").trim_start_matches("compute_"),
        "fmad": options.fmad,
        "c_stems": stems.iter().map(String::as_str).chain(api).collect::<Vec<_>>(),
        "cu_stems": with_kernels.chain(api).collect::<Vec<_>>(),
        // Where the API's header is found by files that lie elsewhere: in this folder, after all others.
        "headers": api.map_or("", |_| " -idirafter ."),
        "nvcc_headers": api.map_or("", |_| " -Xcompiler -idirafter,."),
        "cmake_headers": api.map_or("", |_| ";-idirafter;${CMAKE_CURRENT_SOURCE_DIR}"),
        "link": link.iter().map(|f| format!(" {}", in_make(f))).collect::<String>(),
        "cmake_link": link.iter().map(|f| format!(" [==[{f}]==]")).collect::<String>(),
    });
    let mut files = Vec::new();
    for (file, stem) in program.files.iter().zip(stems) {
        let contents = response(file, &compile, &options.folder).into_bytes();
        files.push(File { path: format!("{stem}.cflags").into(), contents });
    }
    files.extend(api.map(|stem| File { path: format!("{stem}.cflags").into(), contents: "-O3\n".into() }));
    for name in ["Makefile", "CMakeLists.txt"] {
        files.push(File { path: name.into(), contents: spell::build_file(name, &data)?.into_bytes() });
    }
    Ok(files)
}

/// Optimised unless the user says otherwise; headers beside the original; the user's flags.
fn response(file: &CFile, flags: &[String], folder: &Path) -> String {
    let beside = folder.join(&file.path).parent().unwrap_or(folder).to_string_lossy().into_owned();
    let mut words = vec!["-O3".to_string(), "-iquote".to_string(), beside];
    words.extend_from_slice(flags);
    words.iter().map(|w| in_response(w) + "\n").collect()
}

/// The flags with every relative path made absolute: the build runs in another folder. Headers that are not there lie in
/// the folders that the compiler searches.
fn absolute_flags(flags: &[String], folder: &Path) -> Vec<String> {
    let absolute = |of: &str, path: &str| match HEADER_FLAGS.contains(&of) && !folder.join(path).exists() {
        true => path.to_string(),
        false => folder.join(path).to_string_lossy().into_owned(),
    };
    let mut out = Vec::new();
    let mut path_of = None;
    for flag in flags {
        let prefix = PATH_FLAGS.iter().find(|p| flag.starts_with(**p));
        out.push(match (path_of, prefix) {
            (Some(of), _) => absolute(of, flag),
            (None, Some(p)) if flag.len() > p.len() => format!("{p}{}", absolute(p, &flag[p.len()..])),
            _ => flag.clone(),
        });
        path_of = if path_of.is_none() { PATH_FLAGS.iter().copied().find(|p| *p == flag) } else { None };
    }
    out
}

/// What of the user's flags the link takes, with paths from `folder`, in a form that nvcc, gcc and clang all take.
pub fn link_flags(cflags: &[String], folder: &Path) -> Vec<String> {
    split_link_flags(&absolute_flags(cflags, folder)).0
}

/// What the linker needs, in a form that nvcc, gcc and clang all take; and what is left for the compiler.
fn split_link_flags(flags: &[String]) -> (Vec<String>, Vec<String>) {
    let (mut link, mut compile) = (Vec::new(), Vec::new());
    let mut words = flags.iter();
    while let Some(flag) = words.next() {
        if let Some(options) = flag.strip_prefix("-Wl,") {
            link.extend(options.split(',').flat_map(|o| ["-Xlinker".to_string(), o.to_string()]));
        } else if matches!(flag.as_str(), "-l" | "-L") {
            link.extend(words.next().map(|value| format!("{flag}{value}")));
        } else if flag.starts_with("-l") || flag.starts_with("-L") {
            link.push(flag.clone());
        } else {
            match flag.as_str() {
                "-fopenmp" | "-fopenacc" => link.push("-lgomp".into()),
                "-pthread" => link.push("-lpthread".into()),
                _ => {}
            }
            compile.push(flag.clone());
        }
    }
    if !link.iter().any(|f| f == "-lm") {
        link.push("-lm".into());
    }
    (link, compile)
}

/// A word in a response file of gcc or clang: a backslash takes any character as it is.
pub fn in_response(word: &str) -> String {
    let plain = |c: char| !c.is_whitespace() && !"\"'\\".contains(c);
    word.chars().flat_map(|c| (!plain(c)).then_some('\\').into_iter().chain([c])).collect()
}

/// A word for the shell, in a Makefile.
fn in_make(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-+=./,:@%".contains(c);
    let word = if word.chars().all(plain) { word.to_string() } else { format!("'{}'", word.replace('\'', r"'\''")) };
    word.replace('$', "$$").replace('#', r"\#")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &[&str]) -> Vec<String> {
        text.iter().map(|w| w.to_string()).collect()
    }

    #[test]
    fn relative_paths_are_taken_from_the_folder_of_the_conversion() {
        let flags = words(&["-Iinclude", "-I", "more", "-I/usr/x", "-isystem", "s", "-DI=-Iq", "-Llib"]);
        let expected = ["-I/p/include", "-I", "/p/more", "-I/usr/x", "-isystem", "/p/s", "-DI=-Iq", "-L/p/lib"];
        assert_eq!(absolute_flags(&flags, Path::new("/p")), expected);
    }

    #[test]
    fn headers_that_are_not_in_the_folder_are_the_compilers() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let flags = words(&["-include", "mm_malloc.h", "-include", "src/lib.rs", "-imacrosmacros.h"]);
        let there = folder.join("src/lib.rs").to_string_lossy().into_owned();
        assert_eq!(absolute_flags(&flags, folder), ["-include", "mm_malloc.h", "-include", &there, "-imacrosmacros.h"]);
    }

    #[test]
    fn link_flags_are_told_from_compile_flags() {
        let (link, compile) = split_link_flags(&words(&["-O3", "-lm", "-Wl,-z,now", "-l", "z", "-fopenmp"]));
        assert_eq!(link, ["-lm", "-Xlinker", "-z", "-Xlinker", "now", "-lz", "-lgomp"]);
        assert_eq!(compile, ["-O3", "-fopenmp"]);
        let (link, compile) = split_link_flags(&words(&["-fopenacc"]));
        assert_eq!((link, compile), (words(&["-lgomp", "-lm"]), words(&["-fopenacc"])));
    }

    #[test]
    fn flags_arrive_as_they_were_written() {
        assert_eq!(in_response(r#"-DMSG="a b\n""#), r#"-DMSG=\"a\ b\\n\""#);
        assert_eq!(in_make("-L/my $dir/it's"), r"'-L/my $$dir/it'\''s'");
    }
}
