//! `rtcuda report`.

use super::built::built;
use super::given::{GivenArguments, refuse_arguments, seconds};
use super::outcome::{Done, Fault};
use super::profile;
use super::program::{Input, On, default_folder, program, refuse_sources};
use super::tell::Progress;
use clap::Args;
use rtcuda::diag::Diagnostic;
use rtcuda::page::assemble::{self, Measured};
use rtcuda::page::render::{self, Form};
use rtcuda::pipeline::{self, ConvertOptions, Converted};
use rtcuda::runtime::build::Target;
use rtcuda::runtime::programs::Program;
use rtcuda::runtime::{backend, run, verify};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Write one page about a program: its hottest loops, why each runs where, C beside CUDA
///
/// The page is one file that needs no network: loops in the order of their share of the time, then each region with its C
/// beside its CUDA, its accesses, its copies. With --run the original runs once with clocks around its loops, both versions
/// run and are compared, and the converted program runs once; without it, nothing is measured.
#[derive(Args)]
#[command(after_help = "\
Examples:
  rtcuda report heat.c                            out/heat.html
  rtcuda report --run heat.c -- -O3 -DN=2000      with times, and both versions compared
  rtcuda report --run heat.c -o heat.md           as Markdown; .json for a machine

Exit status: 0 written, 1 the two versions differ or the program failed, 2 the input is at fault, 3 a fault of rtcuda.")]
pub struct Report {
    #[command(flatten)]
    pub input: Input,
    /// Run the program: times of its loops, both versions compared, copies
    #[arg(long)]
    pub run: bool,
    /// The file: .html, .md or .json; by default out/<name of the first file>.html
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub on: On,
    #[command(flatten)]
    pub given: GivenArguments,
    /// With --run: the time that one run may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "300", value_parser = seconds)]
    pub limit: Duration,
}

/// Writes the page.
pub fn report(arguments: &Report) -> Result<Done, Fault> {
    refuse_arguments(&arguments.input.files)?;
    let (program, mut options) = program(&arguments.input)?;
    let target = &mut options.config.target;
    target.backend = arguments.on.backend().unwrap_or(target.backend);
    let path = arguments.output.clone().unwrap_or_else(|| default_path(&program.files));
    let message = "the page would overwrite the program's own file";
    refuse_sources(&program.files, [path.clone()], message, "name another folder with -o")?;
    let progress = Progress::new(false);
    let (converted, measured) = match arguments.run {
        true => measured(arguments, &program, &mut options, progress)?,
        false => (pipeline::convert_valid(&program.files, &options)?, Measured::default()),
    };
    let read = |file: &str| fs::read(file).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let title = program.files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(", ");
    let page = assemble::page(title, command(arguments), &converted.decisions()?, &converted, &measured, &read);
    let text = render::text(&page, Form::of_name(&path))?;
    write(&path, &text)?;
    let status = measured.verification.as_ref().map_or(0, |verification| verification.verdict.status());
    Ok(Done { text: format!("{}: {}\n", path.display(), page.summary), status })
}

/// The command in words that may be typed again.
fn command(arguments: &Report) -> String {
    let files = arguments.input.files.iter().map(|file| file.display().to_string());
    let run = arguments.run.then(|| "--run".to_owned());
    let given = &arguments.given;
    let args = given.args.iter().map(|arg| format!("--arg {}", arg.display()));
    let stdin = given.stdin.iter().map(|file| format!("--stdin {}", file.display()));
    let flags = (!arguments.input.cflags.is_empty()).then(|| format!("-- {}", arguments.input.cflags.join(" ")));
    let words = ["rtcuda".to_owned(), "report".to_owned()]
        .into_iter()
        .chain(run)
        .chain(files)
        .chain(args)
        .chain(stdin)
        .chain(flags);
    words.collect::<Vec<_>>().join(" ")
}

/// `out/<name of the first file>.html`.
fn default_path(files: &[PathBuf]) -> PathBuf {
    let mut path = default_folder(files).into_os_string();
    path.push(".html");
    path.into()
}

fn write(path: &Path, text: &str) -> Result<(), Diagnostic> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let written = folder.map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(path, text));
    written.map_err(|e| {
        let message = format!("{} cannot be written: {e}", path.display());
        Diagnostic::error("unwritable-output", message, None).help("name another file with -o")
    })
}

/// Runs the original with clocks, both versions compared, and the converted one. A run that does not come to its end is missing.
fn measured(
    arguments: &Report,
    program: &Program,
    options: &mut ConvertOptions,
    progress: Progress,
) -> Result<(Converted, Measured), Fault> {
    let given = options.config.input.given.or_of(&arguments.given.given());
    let target = backend::choose(&options.config.target)?;
    let built = built(program, options, &target, progress)?;
    let mut all = Measured { is_simulated: target == Target::Simulation, ..Measured::default() };
    progress.line("running the original with clocks around its loops");
    match profile::measured(program, options, &built.converted, &given, arguments.limit) {
        Ok(profile) => all.profile = Some(profile),
        Err(Fault::Input(why)) => all.missing.extend(why.into_iter().map(|d| d.message)),
        Err(bug) => return Err(bug),
    }
    progress.line("comparing both versions");
    let asked = verify::Options {
        convert: pipeline::convert_valid,
        cflags: arguments.input.cflags.clone(),
        given: arguments.given.given(),
        limit: arguments.limit,
    };
    let checked = Program { config: options.config.clone(), ..program.clone() };
    all.verification = Some(verify::one(&checked, &asked));
    progress.line("running the converted program");
    let outcome = run::quietly(&built.executable, &given, &built.env(), arguments.limit)?;
    match outcome.status {
        Some(_) => all.ran = Some((built.profile(&program.files)?, outcome.time.as_secs_f64())),
        None => {
            let limit = arguments.limit.as_secs();
            all.missing.push(format!("the converted program ran for longer than {limit} s and was stopped"));
        }
    }
    progress.line("");
    Ok((built.converted, all))
}
