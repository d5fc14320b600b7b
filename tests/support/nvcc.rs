//! CUDA files compiled by nvcc for their warnings. Of each one alone come the front end's; the compilers behind it have
//! several at a time in one file: most of such a file is the runtime, which is then compiled once for all.
//!
//! Files of a batch include the same. A batch answers only yes: where it is refused, each of its files is compiled alone,
//! and what is said of that one counts.
//!
//! A batch of which nothing was said is marked in the build folder, by all that the answer depends on, and not asked about
//! again: a second run of the tests compiles what has changed since.

#[path = "batch.rs"]
mod batch;

pub use batch::Source;
use rtcuda::runtime::toolchain;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// Files of a batch: enough that the runtime counts for little, few enough that two compilers end at about the same time.
const FILES: usize = 28;

/// Compilers that run at the same time.
const AT_ONCE: usize = 2;

/// Messages of nvcc on the files, for sm_90, host code and kernels: nothing where all is well.
pub fn faults(sources: Vec<Source>) -> Vec<String> {
    let groups = batch::groups(sources);
    let batches = groups.iter().flat_map(|(includes, group)| group.chunks(FILES).map(move |batch| (includes, batch)));
    let (batches, faults) = (Mutex::new(batches), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let next = batches.lock().unwrap().next();
            let Some((includes, batch)) = next else { return };
            let mark = mark(batch);
            if mark.is_file() {
                continue;
            }
            let mut found: Vec<String> =
                batch.iter().filter_map(|source| alone(source, &["-ptx", "-fdevice-syntax-only"])).collect();
            if found.is_empty() && (batch.len() == 1 || !are_right_together(includes, batch)) {
                found.extend(batch.iter().filter_map(|source| alone(source, &["-c"])));
            }
            if found.is_empty() {
                fs::create_dir_all(mark.parent().expect("a folder")).expect("the build folder is writable");
                fs::write(mark, "").expect("the build folder is writable");
            }
            faults.lock().unwrap().extend(found);
        }
    };
    std::thread::scope(|scope| (0..AT_ONCE).for_each(|_| drop(scope.spawn(work))));
    faults.into_inner().unwrap()
}

/// The file that is there where nvcc had nothing to say of a batch. Its name depends on the texts of the files, on all that
/// they include, on the compilers, and on how they are called, which is in this file and that of the batches.
fn mark(batch: &[Source]) -> PathBuf {
    let mut hasher = DefaultHasher::new();
    let nvcc = toolchain::nvcc().map(|nvcc| nvcc.path.to_string_lossy().into_owned()).ok();
    let compilers = [nvcc.map(|nvcc| vec![nvcc]), toolchain::cxx_compiler().ok(), toolchain::c_compiler().ok()];
    for compiler in compilers.into_iter().flatten() {
        (toolchain::version(&compiler), compiler).hash(&mut hasher);
    }
    (include_str!("nvcc.rs"), include_str!("batch.rs")).hash(&mut hasher);
    for source in batch {
        source.file.hash(&mut hasher);
        let entries = fs::read_dir(&source.folder).expect("it was written").map(|entry| entry.expect("it can be read"));
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        files.retain(|file| file.extension().is_some_and(|e| ["cu", "h"].iter().any(|known| e == *known)));
        files.sort();
        for file in files {
            (file.file_name(), fs::read(&file).expect("it can be read")).hash(&mut hasher);
        }
    }
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("nvcc").join(format!("{:016x}", hasher.finish()))
}

/// Test that nvcc has nothing to say of a batch.
fn are_right_together(includes: &str, batch: &[Source]) -> bool {
    let folder = tempfile::tempdir().expect("a temporary folder");
    batch::write(folder.path(), includes, batch);
    compile(folder.path(), Path::new(batch::BATCH), &["-c"]).is_ok()
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
