//! The user's file through the C preprocessor, by the user's own compiler and flags: what macros, includes and
//! conditions mean is never guessed. The compiler gets an argument vector, never a shell line.

use std::env;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

use super::which::which;
use crate::api;
use crate::diag::{Diagnostic, Stop, no_temporary_folder};

/// No file that is read, and no preprocessed text, is longer.
pub const SIZE_LIMIT: u64 = 64 << 20;

/// Reads a file of at most [`SIZE_LIMIT`] bytes.
///
/// # Errors
/// `no-such-file`, `unreadable-file` or `file-too-large`.
pub fn read_file(path: &Path) -> Result<Vec<u8>, Diagnostic> {
    let unreadable = |e: std::io::Error| match e.kind() {
        std::io::ErrorKind::NotFound => {
            Diagnostic::error("no-such-file", format!("{} does not exist", path.display()), None)
                .help("check the path; relative paths start at the current directory")
        }
        _ => Diagnostic::error("unreadable-file", format!("{} cannot be read: {e}", path.display()), None),
    };
    let file = std::fs::File::open(path).map_err(unreadable)?;
    let mut bytes = Vec::new();
    file.take(SIZE_LIMIT + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > SIZE_LIMIT { Err(too_large(path)) } else { Ok(bytes) }
}

fn too_large(path: &Path) -> Diagnostic {
    let message = format!("{} is larger than {} MiB", path.display(), SIZE_LIMIT >> 20);
    Diagnostic::error("file-too-large", message, None).help("split the file, or convert a smaller one")
}

/// The C compiler as `$RTCUDA_CC` or `$CC` names it, else `cc`. A variable that names this tool itself
/// (`make CC="rtcuda cc"`, `CC="ccache rtcuda cc"`, under whichever name) names no compiler.
pub fn compiler() -> Vec<String> {
    let named = |variable| -> Option<Vec<String>> {
        let words: Vec<String> = env::var(variable).ok()?.split_whitespace().map(str::to_owned).collect();
        let is_other = !words.is_empty() && !words.iter().any(|word| is_this_tool(word));
        is_other.then_some(words)
    };
    named("RTCUDA_CC").or_else(|| named("CC")).unwrap_or_else(|| vec!["cc".to_owned()])
}

/// Test that a word of a command is this tool: by its name, or as the executable that runs.
fn is_this_tool(word: &str) -> bool {
    let has_name = Path::new(word).file_stem().is_some_and(|stem| stem == "rtcuda");
    let is_executable = || Some(which(word)?.canonicalize().ok()? == env::current_exe().ok()?.canonicalize().ok()?);
    has_name || is_executable() == Some(true)
}

/// Runs the compiler's preprocessor over a file, with the user's flags; line markers and pragmas are kept. The header of
/// the API is found where the user has none.
///
/// # Errors
/// `no-c-compiler`, `preprocess-failed` with the compiler's own words, or `file-too-large`.
pub fn preprocess(path: &Path, cflags: &[String]) -> Result<Vec<u8>, Stop> {
    let own = own_folder()?;
    let text = run(path, cflags, own.path(), "-E")?;
    // The same input gives the same text: the name of the folder is another one each time.
    let folder = format!("{}/{}", own.path().display(), api::HEADER);
    Ok(replaced(text, folder.as_bytes(), api::HEADER.as_bytes()))
}

/// The macros that are defined at the end of a file, a directive each.
///
/// # Errors
/// As [`preprocess`].
pub fn definitions(path: &Path, cflags: &[String]) -> Result<Vec<u8>, Stop> {
    let own = own_folder()?;
    run(path, cflags, own.path(), "-dM")
}

/// A folder with the header of the API.
fn own_folder() -> Result<tempfile::TempDir, Stop> {
    let own = tempfile::tempdir().map_err(|e| no_temporary_folder(&e))?;
    std::fs::write(own.path().join(api::HEADER), api::text(api::HEADER)).map_err(|e| no_temporary_folder(&e))?;
    Ok(own)
}

/// Asks the compiler whether a file is C, with the user's flags: what is parsed here would pass over what it refuses.
///
/// # Errors
/// `no-c-compiler`, or `not-c` with the compiler's own words.
pub fn check(path: &Path, cflags: &[String]) -> Result<(), Stop> {
    let own = own_folder()?;
    let cc = compiler();
    let mut command = command(&cc, path, cflags, own.path());
    command.args(["-fsyntax-only", "-w"]).stdin(Stdio::null());
    let output = command.output().map_err(|e| no_compiler(&cc[0], &e))?;
    if output.status.success() {
        return Ok(());
    }
    let words = String::from_utf8_lossy(&output.stderr);
    let message = format!("{} does not compile: {} refuses it", path.display(), cc.join(" "));
    Err(Diagnostic::error("not-c", message, None)
        .note(None, words.trim_end())
        .help("correct what the compiler names; include folders and macros go after `--`, as in `-- -Iinclude -DN=64`")
        .into())
}

/// A call of the compiler for a file, with the user's flags; the last folder that it looks for headers in is `own`.
fn command(cc: &[String], path: &Path, cflags: &[String], own: &Path) -> Command {
    let file = if path.to_string_lossy().starts_with('-') { Path::new(".").join(path) } else { path.to_owned() };
    let mut command = Command::new(&cc[0]);
    command.args(&cc[1..]).args(preprocessor_flags(cflags)).arg("-idirafter").arg(own).arg(file);
    command
}

/// Every occurrence of some bytes, replaced.
fn replaced(text: Vec<u8>, from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text.as_slice();
    while let Some(at) = rest.windows(from.len()).position(|bytes| bytes == from) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(to);
        rest = &rest[at + from.len()..];
    }
    if out.is_empty() {
        return text;
    }
    out.extend_from_slice(rest);
    out
}

/// The preprocessor's output; the last folder that it looks for headers in is `own`. `what`: the flag by which it gives the text,
/// or its macros.
fn run(path: &Path, cflags: &[String], own: &Path, what: &str) -> Result<Vec<u8>, Stop> {
    let cc = compiler();
    let mut child = command(&cc, path, cflags, own)
        .args(["-E", what])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| no_compiler(&cc[0], &e))?;
    let (Some(stdout), Some(mut stderr)) = (child.stdout.take(), child.stderr.take()) else {
        return Err(Stop::Bug("preprocess: the compiler's output was not piped".to_owned()));
    };
    let words = std::thread::spawn(move || {
        let mut words = Vec::new();
        // A broken pipe only shortens what is quoted.
        let _ = stderr.read_to_end(&mut words);
        words
    });
    let mut text = Vec::new();
    let read = stdout.take(SIZE_LIMIT + 1).read_to_end(&mut text);
    if text.len() as u64 > SIZE_LIMIT {
        let _ = child.kill();
    }
    let status = child.wait().map_err(|e| Stop::Bug(format!("preprocess: waiting for {}: {e}", cc[0])))?;
    let words = words.join().unwrap_or_default();
    if text.len() as u64 > SIZE_LIMIT {
        return Err(too_large(path).into());
    }
    if status.success() && read.is_ok() {
        return Ok(text);
    }
    let words = String::from_utf8_lossy(&words);
    let message = format!("{} -E refused {} ({status})", cc.join(" "), path.display());
    Err(Diagnostic::error("preprocess-failed", message, None)
        .note(None, words.trim_end())
        .help("correct what the compiler names; include folders and macros go after `--`, as in `-- -Iinclude -DN=64`")
        .into())
}

fn no_compiler(cc: &str, e: &std::io::Error) -> Stop {
    Diagnostic::error("no-c-compiler", format!("the C compiler `{cc}` cannot be started: {e}"), None)
        .help("install gcc or clang, or name the compiler in the environment variable CC")
        .into()
}

/// The user's compile flags without those that would send the text elsewhere or drop its line markers.
fn preprocessor_flags(cflags: &[String]) -> Vec<&String> {
    let mut kept = Vec::new();
    let mut flags = cflags.iter();
    while let Some(flag) = flags.next() {
        match flag.as_str() {
            "-o" | "-MF" | "-MT" | "-MQ" => {
                flags.next();
            }
            "-c" | "-S" | "-P" | "-M" | "-MM" | "-MD" | "-MMD" | "-MP" | "-save-temps" => {}
            _ if flag.starts_with("-o") => {}
            _ => kept.push(flag),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_that_redirect_are_dropped() {
        let flags = ["-O2", "-o", "x", "-DN=1", "-c", "-MF", "d"].map(str::to_owned);
        assert_eq!(preprocessor_flags(&flags), ["-O2", "-DN=1"]);
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = read_file(Path::new("no/such.c")).unwrap_err();
        assert_eq!((error.code, error.message.as_str()), ("no-such-file", "no/such.c does not exist"));
    }
}
