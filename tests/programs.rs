//! The shipped programs, whole: verified against their originals in three orders of threads; converted for good, they
//! print what their originals print, whichever calls go to the device; and every emitted CUDA file is compiled by nvcc without a warning.
//!
//! What stays on the host is foreseen by a comment on its line, `// decline: <part of the message>`; a call that runs the
//! original loops by `// original: <part of the reason>`.
//!
//! `RTCUDA_PROGRAMS` names the programs that are of interest, as in `mm,stays`; all are where it is not set.

#[path = "support/foreseen.rs"]
mod foreseen;
#[path = "support/nvcc.rs"]
mod nvcc;
#[path = "support/unoptimised.rs"]
mod unoptimised;

use nvcc::Source;
use rtcuda::config::Backend;
use rtcuda::diag::Stop;
use rtcuda::diag::render::Style;
use rtcuda::emit;
use rtcuda::pipeline::{self, ConvertOptions, Converted};
use rtcuda::runtime::build::{self, Target};
use rtcuda::runtime::programs::{self, Program};
use rtcuda::runtime::toolchain;
use rtcuda::runtime::verify::{self, Options, Verdict};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use unoptimised::unoptimised;

/// Compilers that run at the same time.
const AT_ONCE: usize = 2;

/// What a simulated program should need at its test size; more is told.
const SOON: Duration = Duration::from_secs(2);

/// A program that runs for longer hangs.
const LONGEST: Duration = Duration::from_secs(60);

/// Sums in another order print other last digits: what two printed numbers may differ by, relatively.
const ROUNDING: f64 = 1e-6;

fn shipped() -> Vec<Program> {
    let mut programs =
        programs::collect(&["tests/programs".into(), "solvers".into()], None, &[]).expect("they are valid");
    if let Ok(names) = std::env::var("RTCUDA_PROGRAMS") {
        let wanted: Vec<&str> = names.split(',').collect();
        programs
            .retain(|program| program.files[0].file_stem().is_some_and(|stem| wanted.iter().any(|name| stem == *name)));
        assert_eq!(programs.len(), wanted.len(), "not all of {names} are shipped programs");
    }
    programs.iter_mut().for_each(|program| program.config.target.backend = Backend::Cpu);
    programs
}

/// Holds every program to a check, several at once; fails with all that is wrong.
fn each(check: impl Fn(&Program) -> Result<(), String> + Sync) {
    let programs = Mutex::new(shipped().into_iter());
    let faults = Mutex::new(Vec::new());
    let work = || {
        loop {
            let Some(program) = programs.lock().unwrap().next() else { return };
            let fault = check(&program).err();
            faults.lock().unwrap().extend(fault.map(|fault| format!("{}: {fault}", program.name())));
        }
    };
    std::thread::scope(|scope| (0..AT_ONCE).for_each(|_| drop(scope.spawn(work))));
    let faults = faults.into_inner().unwrap();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn they_compute_what_their_originals_do() {
    let convert = |files: &[PathBuf], options: &ConvertOptions| Ok(unoptimised(convert_once(files, options)?));
    let options = Options::new(convert, Duration::from_secs(60));
    let programs = shipped();
    let verifications = verify::all(&programs, &options, &|_| {});
    let text = verify::text::text(&verifications, Style::Plain);
    println!("{text}");
    let mut faults = Vec::new();
    for (program, verification) in programs.iter().zip(&verifications) {
        if !matches!(verification.verdict, Verdict::Verified | Verdict::NothingConverted) {
            faults.push(format!("{} is not verified", program.name()));
        }
        let c = std::fs::read_to_string(&program.files[0]).expect("it was read before");
        let unforeseen = foreseen::faults(&c, &verification.diagnostics);
        faults.extend(unforeseen.into_iter().map(|fault| format!("{}: {fault}", program.name())));
    }
    assert!(faults.is_empty(), "\n{text}\n{}", faults.join("\n"));
}

#[test]
fn simulated_they_print_what_their_originals_print() {
    each(|program| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let original = folder.path().join("original");
        let compiler = toolchain::c_compiler().map_err(|d| d.message)?;
        let mut cc = Command::new(&compiler[0]);
        cc.args(&compiler[1..]).args(["-O2", "-w"]).args(&program.config.input.cflags).args(&program.files);
        output(cc.args(["-lm", "-o"]).arg(&original))?;
        let out = folder.path().join("out");
        // Kernels as they are: optimising them takes longer than they run.
        let converted = unoptimised(convert(program, false, &out)?);
        emit::write(&converted.files, &out).map_err(|stop| format!("{stop:?}"))?;
        let emitted = build::Program {
            folder: &out,
            files: &converted.files,
            cflags: &program.config.input.cflags,
            headers: None,
        };
        let simulated = build::executable(&emitted, &Target::Simulation).map_err(|stop| format!("{stop:?}"))?;
        let expected = output(&mut Command::new(original))?;
        let start = Instant::now();
        let printed = output(&mut Command::new(&simulated))?;
        let time = start.elapsed();
        let remark = if time > SOON { ", which is long" } else { "" };
        println!("{} runs for {:.2} s{remark}", program.name(), time.as_secs_f64());
        if time > LONGEST {
            return Err(format!("it runs for {:.1} s", time.as_secs_f64()));
        }
        let told = held_to(&expected, &printed)?;
        let c = std::fs::read_to_string(&program.files[0]).map_err(|e| e.to_string())?;
        let unforeseen = originals(&c, &told);
        if !unforeseen.is_empty() {
            return Err(unforeseen.join("\n"));
        }
        // Calls of which any stay on the host find there what the others have left on the device.
        let shuffled = output(Command::new(simulated).env("RTCUDA_CHOICE", "shuffle:1"))?;
        held_to(&expected, &shuffled).map(drop).map_err(|fault| format!("where some calls stay, {fault}"))
    });
}

/// Lines that a program tells beside its own output, if that is the same.
fn held_to<'p>(expected: &str, printed: &'p str) -> Result<Vec<&'p str>, String> {
    let (told, printed): (Vec<&str>, Vec<&str>) = printed.lines().partition(|l| l.starts_with("rtcuda: region "));
    let printed = printed.join("\n");
    match is_same(expected, &printed) {
        true => Ok(told),
        false => Err(format!("expected\n{expected}but printed is\n{printed}")),
    }
}

/// What is unforeseen of the calls that ran the original loops, of which a program told `rtcuda: region f_0 (file.c:7): ...`.
fn originals(c: &str, told: &[&str]) -> Vec<String> {
    let wanted = foreseen::marked(c, "// original:");
    let fits = |(line, part): &(u32, &str), told: &&str| told.contains(&format!(":{line}): ")) && told.contains(part);
    let missing = wanted.iter().filter(|want| !told.iter().any(|told| fits(want, told)));
    let surplus = told.iter().filter(|told| !wanted.iter().any(|want| fits(want, told)));
    missing
        .map(|(line, part)| format!("line {line}: every call runs the converted loops, none the original for `{part}`"))
        .chain(surplus.map(|told| format!("no comment foresees\n{told}")))
        .collect()
}

/// Whether two texts are the same but for the rounding of numbers with a point.
fn is_same(expected: &str, printed: &str) -> bool {
    let is_same_word = |(a, b): (&str, &str)| {
        let near = |x: f64, y: f64| (x - y).abs() <= ROUNDING * x.abs().max(y.abs());
        a == b || matches!((a.parse(), b.parse()), (Ok(x), Ok(y)) if a.contains('.') && near(x, y))
    };
    let words = |text: &str| text.split_whitespace().count();
    words(expected) == words(printed) && expected.split_whitespace().zip(printed.split_whitespace()).all(is_same_word)
}

#[test]
fn nvcc_compiles_them_without_a_warning() {
    if let Err(missing) = toolchain::nvcc() {
        // Past the harness, which shows nothing of a test that passes.
        let _ = writeln!(std::io::stderr(), "[SKIP] nvcc_compiles_them_without_a_warning: {}", missing.message);
        return;
    }
    let top = tempfile::tempdir().expect("a temporary folder");
    let sources = Mutex::new(Vec::new());
    each(|program| {
        let folder = top.path().join(program.name().replace('/', "_"));
        let (plain_at, check_at) = (folder.join("plain"), folder.join("check"));
        let (plain, check) = (convert(program, false, &plain_at)?, convert(program, true, &check_at)?);
        let mut found: Vec<Source> = cuda_files(&check).map(|file| source(&check_at, file)).collect();
        // Check mode only adds: where every line of the plain form is in it, that one has been compiled as well.
        for file in cuda_files(&plain) {
            let text = |folder: &Path| std::fs::read_to_string(folder.join(file)).map_err(|e| e.to_string());
            let with_checks = text(&check_at)?;
            let mut lines = with_checks.lines();
            if !text(&plain_at)?.lines().all(|line| lines.any(|found| found == line)) {
                found.push(source(&plain_at, file));
            }
        }
        sources.lock().unwrap().extend(found);
        Ok(())
    });
    let faults = nvcc::faults(sources.into_inner().unwrap());
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// What was converted, by the first file and whether with checks: each form serves two tests.
static CONVERTED: Mutex<BTreeMap<(PathBuf, bool), Converted>> = Mutex::new(BTreeMap::new());

/// Converts a shipped program, if that was not done before.
fn convert_once(files: &[PathBuf], options: &ConvertOptions) -> Result<Converted, Stop> {
    let form = (files[0].clone(), options.check);
    let known = CONVERTED.lock().expect("no test panics with the lock").get(&form).cloned();
    if let Some(known) = known {
        return Ok(known);
    }
    let converted = pipeline::convert(files, options)?;
    CONVERTED.lock().expect("no test panics with the lock").insert(form, converted.clone());
    Ok(converted)
}

/// Converts a program into a folder.
fn convert(program: &Program, check: bool, folder: &Path) -> Result<Converted, String> {
    let options = ConvertOptions {
        cflags: program.config.input.cflags.clone(),
        check,
        config: program.config.clone(),
        ..ConvertOptions::default()
    };
    let converted = convert_once(&program.files, &options).map_err(|stop| format!("{stop:?}"))?;
    emit::write(&converted.files, folder).map_err(|stop| format!("{stop:?}"))?;
    Ok(converted)
}

fn cuda_files(converted: &Converted) -> impl Iterator<Item = &Path> {
    converted.files.iter().map(|file| file.path.as_path()).filter(|path| path.extension().is_some_and(|e| e == "cu"))
}

fn source(folder: &Path, file: &Path) -> Source {
    Source { folder: folder.to_owned(), file: file.to_owned() }
}

/// What a command that must succeed prints, its errors after its answer.
fn output(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|e| format!("{command:?}: {e}"))?;
    let words = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    if output.status.success() { Ok(words) } else { Err(format!("{}: {words}", output.status)) }
}
