//! CUDA files compiled by nvcc for their warnings. Of each one alone come the front end's; the compilers behind it have
//! several at a time in one file: most of such a file is the runtime, which is then compiled once for all.
//!
//! Files of a batch include the same. A batch answers only yes: where it is refused, each of its files is compiled alone,
//! and what is said of that one counts.

use rtcuda::runtime::toolchain;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// Files of a batch: enough that the runtime counts for little, few enough that two compilers end at about the same time.
const BATCH: usize = 28;

/// Compilers that run at the same time.
const AT_ONCE: usize = 2;

/// An emitted CUDA file, in the folder that has its headers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Source {
    pub folder: PathBuf,
    pub file: PathBuf,
}

/// Messages of nvcc on the files, for sm_90, host code and kernels: nothing where all is well.
pub fn faults(mut sources: Vec<Source>) -> Vec<String> {
    sources.sort();
    let mut groups: BTreeMap<String, Vec<Source>> = BTreeMap::new();
    for source in sources {
        groups.entry(includes(&source)).or_default().push(source);
    }
    let batches = groups.iter().flat_map(|(includes, group)| group.chunks(BATCH).map(move |batch| (includes, batch)));
    let (batches, faults) = (Mutex::new(batches), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let next = batches.lock().unwrap().next();
            let Some((includes, batch)) = next else { return };
            let mut found: Vec<String> =
                batch.iter().filter_map(|source| alone(source, &["-ptx", "-fdevice-syntax-only"])).collect();
            if found.is_empty() && (batch.len() == 1 || !are_right_together(includes, batch)) {
                found.extend(batch.iter().filter_map(|source| alone(source, &["-c"])));
            }
            faults.lock().unwrap().extend(found);
        }
    };
    std::thread::scope(|scope| (0..AT_ONCE).for_each(|_| drop(scope.spawn(work))));
    faults.into_inner().unwrap()
}

fn text(source: &Source) -> String {
    fs::read_to_string(source.folder.join(&source.file)).expect("it was written")
}

/// The lines that include something.
fn includes(source: &Source) -> String {
    text(source).lines().filter(|line| line.starts_with("#include")).map(|line| format!("{line}\n")).collect()
}

/// Whether nvcc has nothing to say of a batch. Each file stands in a namespace; its functions with C's names get others.
fn are_right_together(includes: &str, batch: &[Source]) -> bool {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for entry in fs::read_dir(&batch[0].folder).expect("it was written") {
        let path = entry.expect("it can be read").path();
        if path.extension() == Some(OsStr::new("h")) {
            fs::copy(&path, folder.path().join(path.file_name().expect("a file"))).expect("it is copied");
        }
    }
    let mut all = includes.to_owned();
    for (at, source) in batch.iter().enumerate() {
        let part = format!("part{at}.cu");
        let text = text(source);
        fs::write(folder.path().join(&part), &text).expect("it is written");
        let entries = text.lines().filter_map(|line| line.strip_prefix("extern \"C\" ")?.split_once('('));
        let names: Vec<&str> = entries.filter_map(|(head, _)| head.split([' ', '*']).next_back()).collect();
        let _ = names.iter().try_for_each(|name| writeln!(all, "#define {name} {name}_of_{at}"));
        let _ = writeln!(all, "namespace rt_part_{at} {{\n#include \"{part}\"\n}}");
        let _ = names.iter().try_for_each(|name| writeln!(all, "#undef {name}"));
    }
    fs::write(folder.path().join("batch.cu"), all).expect("it is written");
    compile(folder.path(), Path::new("batch.cu"), &["-c"]).is_ok()
}

/// Messages of nvcc on a file that goes that far.
fn alone(source: &Source, to: &[&str]) -> Option<String> {
    let words = compile(&source.folder, &source.file, to).err()?;
    Some(format!("{}: {words}", source.folder.join(&source.file).display()))
}

/// Compiles a CUDA file, which gives no warning.
fn compile(folder: &Path, file: &Path, to: &[&str]) -> Result<(), String> {
    let nvcc = toolchain::nvcc().map_err(|d| d.message)?;
    // Of the machine code nothing is asked, and of the host's no more than gcc needs for its warnings; cicc optimises as ever,
    // since loops that it cannot unroll are told of.
    let flags = ["-std=c++20", "-O1", "-Xptxas=-O0", "-arch=sm_90", "-Xcompiler=-Wall,-Wextra", "-Werror=all-warnings"];
    let mut command = Command::new(nvcc.path);
    command.args(flags).args(to).args(["-o", "x"]).arg(file).current_dir(folder);
    let output = command.output().map_err(|e| format!("{command:?}: {e}"))?;
    let words = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    if output.status.success() && words.is_empty() { Ok(()) } else { Err(format!("{}: {words}", output.status)) }
}
