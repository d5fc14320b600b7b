//! `rtcuda convert` and `rtcuda explain`.

use super::args::{Convert, Explain};
use super::outcome::{Done, Fault};
use super::program::{default_folder, program, refuse_sources};
use super::tell::{say, say_of_conversion, style};
use rtcuda::api;
use rtcuda::emit;
use rtcuda::pipeline::{self, ConvertOptions, Converted};
use rtcuda::report::table::Table;
use rtcuda::report::{brief, explain as explanation};
use rtcuda::runtime::toolchain;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Writes the output folder.
pub fn convert(arguments: &Convert) -> Result<Done, Fault> {
    let (program, options) = program(&arguments.input)?;
    let options = ConvertOptions {
        check: arguments.check,
        dump_after: arguments.dump_after.clone(),
        follow: arguments.follow.clone(),
        time_passes: arguments.verbose,
        ..options
    };
    let converted = pipeline::convert_valid(&program.files, &options)?;
    if !arguments.json {
        say_of_conversion(&converted.diagnostics, arguments.verbose);
    }
    if options.dump_after.is_some() || options.follow.is_some() {
        return Done::well(converted.dumps);
    }
    say(&converted.dumps);
    let folder = arguments.output.clone().unwrap_or_else(|| default_folder(&program.files));
    let paths = converted.files.iter().map(|file| folder.join(&file.path));
    refuse_sources(
        &program.files,
        paths,
        "the conversion would overwrite its own input",
        "name another folder with -o",
    )?;
    emit::write(&converted.files, &folder)?;
    Done::well(if arguments.json { in_json(&converted, &folder) } else { in_words(&converted, &folder) })
}

fn in_words(converted: &Converted, folder: &Path) -> String {
    let n_regions = converted.report["regions"].as_array().map_or(0, Vec::len);
    let uses_api = converted.files.iter().any(|file| file.path == Path::new(api::HEADER));
    let regions = match n_regions {
        0 if uses_api => format!("no loop was converted; calls of {} run on a GPU", api::HEADER),
        0 => "nothing was converted: the program is the C that it was".to_owned(),
        1 => "1 region converted".to_owned(),
        n => format!("{n} regions converted"),
    };
    let folder = folder.display();
    let mut text = format!("{folder}: {regions}\n");
    if n_regions > 0 || uses_api {
        let mut table = Table::default();
        table.row(["build for the CPU, simulated:".into(), format!("make -C {folder} sim")]);
        table.row([
            "build for a GPU:".into(),
            match toolchain::nvcc() {
                Ok(nvcc) => format!("make -C {folder}{}", nvcc.make_arguments()),
                Err(_) => "needs nvcc: `rtcuda device` says how to get it".into(),
            },
        ]);
        text += &table.text(2);
    }
    text
}

fn in_json(converted: &Converted, folder: &Path) -> String {
    let paths: Vec<PathBuf> = converted.files.iter().map(|file| folder.join(&file.path)).collect();
    let mut object = converted.report.clone();
    object["folder"] = json!(folder);
    object["files"] = json!(paths);
    object["diagnostics"] = json!(converted.diagnostics);
    format!("{object:#}\n")
}

/// Shows every decision.
pub fn explain(arguments: &Explain) -> Result<Done, Fault> {
    let (program, options) = program(&arguments.input)?;
    let converted = pipeline::convert_valid(&program.files, &options)?;
    if arguments.json {
        let mut object = converted.report;
        object["diagnostics"] = json!(converted.diagnostics);
        return Done::well(format!("{object:#}\n"));
    }
    let text = if arguments.verbose { explanation::text } else { brief::text };
    Done::well(text(&converted.decisions()?, &converted.diagnostics, style()))
}
