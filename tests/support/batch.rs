//! Emitted CUDA files in one: most of such a file is the runtime, which is then compiled once for all of them.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// Name of the file that has them all.
pub const BATCH: &str = "batch.cu";

/// An emitted CUDA file, in the folder that has its headers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Source {
    pub folder: PathBuf,
    pub file: PathBuf,
}

/// Files by the lines of theirs that include something: those of a batch include the same.
pub fn groups(mut sources: Vec<Source>) -> BTreeMap<String, Vec<Source>> {
    sources.sort();
    let mut groups: BTreeMap<String, Vec<Source>> = BTreeMap::new();
    for source in sources {
        groups.entry(includes(&source)).or_default().push(source);
    }
    groups
}

fn text(source: &Source) -> String {
    fs::read_to_string(source.folder.join(&source.file)).expect("it was written")
}

fn includes(source: &Source) -> String {
    text(source).lines().filter(|line| line.starts_with("#include")).map(|line| format!("{line}\n")).collect()
}

/// Beginning of the namespaces of a batch's files.
pub const NAMESPACE: &str = "rt_part_";

/// The namespace of a file of a batch.
pub fn namespace(at: usize) -> String {
    format!("{NAMESPACE}{at}")
}

/// Writes a batch and its headers. Each file stands in a namespace; its functions with C's names get others.
pub fn write(folder: &Path, includes: &str, batch: &[Source]) {
    for entry in fs::read_dir(&batch[0].folder).expect("it was written") {
        let path = entry.expect("it can be read").path();
        if path.extension() == Some(OsStr::new("h")) {
            fs::copy(&path, folder.join(path.file_name().expect("a file"))).expect("it is copied");
        }
    }
    let mut all = includes.to_owned();
    for (at, source) in batch.iter().enumerate() {
        let part = format!("part{at}.cu");
        let text = text(source);
        fs::write(folder.join(&part), &text).expect("it is written");
        let entries = text.lines().filter_map(|line| line.strip_prefix("extern \"C\" ")?.split_once('('));
        let names: Vec<&str> = entries.filter_map(|(head, _)| head.split([' ', '*']).next_back()).collect();
        let _ = names.iter().try_for_each(|name| writeln!(all, "#define {name} {name}_of_{at}"));
        let _ = writeln!(all, "namespace {} {{\n#include \"{part}\"\n}}", namespace(at));
        let _ = names.iter().try_for_each(|name| writeln!(all, "#undef {name}"));
    }
    fs::write(folder.join(BATCH), all).expect("it is written");
}
