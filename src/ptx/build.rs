//! nvcc's own steps with kernels rewritten between two of them: behind cicc, which writes PTX, and before ptxas, which assembles it.
//!
//! `nvcc --dryrun` tells its steps; they are run here one by one as argument vectors, without a shell, and the PTX is
//! exchanged in its file before the step that assembles it. So any file builds that nvcc builds, with its flags, its host
//! compiler and its linker, and the PTX that goes into the program beside the machine's code is the rewritten one, too. A ptxas
//! of one's own before nvcc's on the `PATH` would do less: nvcc puts its own folder first.

use crate::diag::{Diagnostic, Stop, no_temporary_folder};
use crate::ptx::source::Unit;
use crate::runtime::call::{Call, Failure};
use crate::runtime::toolchain;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program of nvcc's steps, and its arguments.
type Step = Vec<String>;

/// Steps as `nvcc --dryrun` tells them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Steps {
    variables: BTreeMap<String, String>,
    all: Vec<Step>,
}

/// Rewriting of the PTX of a step: what it was compiled from, and the machine it is assembled for, to PTX.
pub type Rewrite<'r> = dyn FnMut(&Unit, &str) -> Result<String, Stop> + 'r;

/// Builds CUDA files by nvcc, with its flags (`-o` among them), and gives each PTX to `rewrite` before it is assembled.
///
/// # Errors
/// nvcc is not there, refuses the files, or assembles no PTX in its steps; a step fails; `rewrite` does.
pub fn build(flags: &[OsString], rewrite: &mut Rewrite) -> Result<(), Stop> {
    let nvcc = toolchain::nvcc()?;
    let folder = tempfile::tempdir().map_err(|e| no_temporary_folder(&e))?;
    let mut call = Call::new(&[&nvcc.path]);
    call.args(["--dryrun", "--keep", "--keep-dir"]).args([folder.path()]).args(flags);
    if let Some(libraries) = &nvcc.libraries {
        call.args(["-L".as_ref(), libraries.as_os_str()]);
    }
    let words = call.words().map_err(|failure| match failure {
        Failure::Start(stop) => stop,
        Failure::Refused(words) => refused("nvcc", words).into(),
    })?;
    let steps = steps(&words)?;
    let mut rewritten = BTreeSet::new();
    for step in &steps.all {
        if let Some((path, arch)) = assembled(step) {
            // Another machine may be given the same PTX.
            if rewritten.insert(path.clone()) {
                exchange(&path, &arch, rewrite)?;
            }
        }
        run(step, &steps.variables)?;
    }
    if rewritten.is_empty() {
        let help = "link-time optimisation has no PTX to rewrite, nor has -ptx, -cubin of PTX or -fatbin without code";
        return Err(Diagnostic::error("ptx-build", "nvcc assembles no PTX in these steps", None).help(help).into());
    }
    Ok(())
}

fn refused(program: &str, words: String) -> Diagnostic {
    Diagnostic::error("compile-failed", format!("{program} refuses its input"), None)
        .note(None, words)
        .help("flags for nvcc go after `--`, as in `-- -std=c++20 -Iinclude -DN=1024`")
}

/// Exchanges PTX in its file.
fn exchange(path: &Path, arch: &str, rewrite: &mut Rewrite) -> Result<(), Stop> {
    let broken = |e: std::io::Error| {
        Diagnostic::error("ptx-build", format!("the PTX {} of nvcc's cannot be exchanged: {e}", path.display()), None)
            .help("see whether TMPDIR has room")
    };
    let text = std::fs::read_to_string(path).map_err(broken)?;
    let after = rewrite(&Unit::read(&path.display().to_string(), &text, None)?, arch)?;
    std::fs::write(path, after).map_err(broken)?;
    Ok(())
}

/// The PTX that a step assembles, and for which machine.
fn assembled(step: &Step) -> Option<(PathBuf, String)> {
    let is_ptxas = Path::new(step.first()?).file_name()? == "ptxas";
    let ptx = step.iter().find(|word| word.ends_with(".ptx"))?;
    let named = step.iter().position(|word| word == "-arch").and_then(|at| step.get(at + 1));
    let arch = step.iter().find_map(|word| word.strip_prefix("-arch=")).or(named.map(String::as_str));
    is_ptxas.then(|| Some((PathBuf::from(ptx), arch?.to_owned()))).flatten()
}

/// Runs a step. What it says is shown where it fails.
fn run(step: &Step, variables: &BTreeMap<String, String>) -> Result<(), Stop> {
    let Some((program, arguments)) = step.split_first() else { return Ok(()) };
    if program == "rm" {
        // Its files lie in a folder that goes.
        return Ok(());
    }
    let output = Command::new(program).args(arguments).envs(variables).stdin(Stdio::null()).output().map_err(|e| {
        Diagnostic::error("compiler-start", format!("`{program}`, a step of nvcc's, cannot be started: {e}"), None)
            .help("`nvcc` itself shows whether it can build the file")
    })?;
    if output.status.success() {
        return Ok(());
    }
    let words = [output.stderr, output.stdout].concat();
    Err(refused(program, String::from_utf8_lossy(&words).trim_end().to_owned()).into())
}

/// Reads what `nvcc --dryrun` tells: lines that begin with `#$ `, assignments and commands.
fn steps(words: &str) -> Result<Steps, Diagnostic> {
    let mut found = Steps::default();
    for line in words.lines().filter_map(|line| line.strip_prefix("#$ ")) {
        let is_name = |name: &str| !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        match line.split_once('=') {
            Some((name, value)) if is_name(name) => drop(found.variables.insert(name.into(), value.trim().into())),
            _ => match split(line, &found.variables) {
                Some(step) => found.all.push(step),
                None => {
                    let message = format!("a step of nvcc's is more than one command: {line}");
                    return Err(Diagnostic::error("ptx-build", message, None)
                        .help("leave out flags that make such a step, or build in two: `ptx registers --reduce -o`"));
                }
            },
        }
    }
    Ok(found)
}

/// The words of a command, as a shell would split it: quotes, backslashes within them, and nvcc's own variables. `None`: a quote has
/// no end, or the command has a sign of the shell's.
fn split(line: &str, variables: &BTreeMap<String, String>) -> Option<Step> {
    let (mut words, mut word, mut is_quoted) = (Vec::new(), None::<String>, false);
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '"' => {
                is_quoted = !is_quoted;
                word.get_or_insert_default();
            }
            '\\' => word.get_or_insert_default().push(rest.next()?),
            ' ' | '\t' if !is_quoted => words.extend(word.take()),
            '|' | '<' | '>' | ';' | '&' | '`' if !is_quoted => return None,
            '$' => {
                let mut name = String::new();
                while let Some(c) = rest.next_if(|c| c.is_ascii_alphanumeric() || *c == '_') {
                    name.push(c);
                }
                let into = word.get_or_insert_default();
                match variables.get(&name) {
                    Some(value) => into.push_str(value),
                    None => *into += &format!("${name}"),
                }
            }
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    (!is_quoted).then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOLD: &str = r##"
#$ _SPACE_= 
#$ CICC_PATH=/cuda/nvvm/bin
#$ INCLUDES="-I/cuda/include"  
#$ PATH=/cuda/bin:/bin
#$ "$CICC_PATH/cicc" -arch compute_90 "/t/a b.cpp1.ii" -o "/t/a b.ptx"
#$ ptxas -arch=sm_90a -m64  "/t/a b.ptx"  -o "/t/a.cubin" 
#$ gcc -DFATBINFILE="\"/t/a.fatbin.c\"" -DX=$HOME -c "" 
nvcc warning : said beside it
"##;

    #[test]
    fn steps_are_argument_vectors() {
        let found = steps(TOLD).unwrap();
        assert_eq!(found.variables["PATH"], "/cuda/bin:/bin");
        assert_eq!(
            found.all,
            [
                vec!["/cuda/nvvm/bin/cicc", "-arch", "compute_90", "/t/a b.cpp1.ii", "-o", "/t/a b.ptx"],
                vec!["ptxas", "-arch=sm_90a", "-m64", "/t/a b.ptx", "-o", "/t/a.cubin"],
                vec!["gcc", "-DFATBINFILE=\"/t/a.fatbin.c\"", "-DX=$HOME", "-c", ""],
            ]
        );
        let assembled: Vec<_> = found.all.iter().filter_map(assembled).collect();
        assert_eq!(assembled, [(PathBuf::from("/t/a b.ptx"), "sm_90a".to_owned())]);
    }

    #[test]
    fn steps_that_need_a_shell_are_declined() {
        for line in ["#$ gcc a > b", "#$ gcc a && rm b", "#$ gcc \"a", "#$ gcc `a`"] {
            assert!(steps(line).unwrap_err().message.starts_with("a step of nvcc's"), "{line}");
        }
    }
}
