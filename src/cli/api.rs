//! `rtcuda api`.

use super::args::Api;
use super::outcome::{Done, Fault};
use rtcuda::api;
use rtcuda::diag::Diagnostic;
use std::fs;
use std::path::Path;

/// Writes the files of the API, without a conversion.
pub fn api(arguments: &Api) -> Result<Done, Fault> {
    let folder = &arguments.output;
    let is_other = |(name, text): &&(&str, &str)| {
        let path = folder.join(name);
        path.exists() && fs::read(path).ok().as_deref() != Some(text.as_bytes())
    };
    if let Some((name, _)) = api::FILES.iter().find(is_other).filter(|_| !arguments.force) {
        let message = format!("{} is there, and is another than would be written", folder.join(name).display());
        let help = "write to another folder with `-o`, or over what is there with `--force`";
        return Err(Diagnostic::error("output-folder", message, None).help(help).into());
    }
    write(folder).map_err(|e| {
        let message = format!("{} cannot be written: {e}", folder.display());
        Diagnostic::error("output-folder", message, None).help("name a folder that you may write with `-o`")
    })?;
    let folder = folder.display();
    Done::well(format!(
        "{folder}: {header}, and what implements it\n  \
         on the CPU:  cc -I{folder} PROGRAM.c {folder}/{stem}.c -lm -ldl\n  \
         on a GPU:    nvcc -I{folder} PROGRAM.c {folder}/{stem}.c {folder}/{stem}.cu -ldl\n",
        header = api::HEADER,
        stem = api::STEM
    ))
}

fn write(folder: &Path) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    api::FILES.iter().try_for_each(|(name, text)| fs::write(folder.join(name), text))
}
