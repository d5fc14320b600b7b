//! Every kernel of the shipped programs by two ways: simulated, and as PTX that the interpreter runs. The first launch of each that
//! writes anything is written down by the simulation, with its data; the interpreter repeats it. Both leave the same in memory, to
//! the bit but for orders of sums and mathematical functions, and each thread touches the same bytes.
//!
//! `RTCUDA_TRACES=all` takes all shipped programs (minutes, most of it nvcc's), `RTCUDA_TRACES=mm,spmv` those; else [`SOME`] are taken.

#[path = "support/batch.rs"]
mod batch;
#[path = "support/has_nvcc.rs"]
mod has_nvcc;
#[path = "support/touched.rs"]
mod touched;
#[path = "support/unoptimised.rs"]
mod unoptimised;

use batch::Source;
use rtcuda::config::Backend;
use rtcuda::emit;
use rtcuda::pipeline::{self, ConvertOptions};
use rtcuda::ptx::source::Unit;
use rtcuda::runtime::build::{self, Target};
use rtcuda::runtime::programs::{self, Program};
use rtcuda::runtime::toolchain;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use touched::{Agreement, Recorded};

/// Programs whose kernels have every strategy, barrier and kind of access among them, as `make test` takes them.
const SOME: &[&str] = &[
    "gathered",
    "histogram",
    "jacobi",
    "mm",
    "power_rows",
    "prefix_sum",
    "progress",
    "spmv",
    "transpose",
    "uneven_rows",
    "wave3d",
];

/// Files of a batch: enough that the runtime counts for little, few enough that compilers end at about the same time.
const FILES: usize = 16;

#[test]
fn the_interpreter_repeats_simulated_launches() {
    if !has_nvcc::has_nvcc("the_interpreter_repeats_simulated_launches") {
        return;
    }
    let top = tempfile::tempdir().expect("a temporary folder");
    let made = Mutex::new(Vec::new());
    each(shipped(), |program| {
        let found = written_down(&program, top.path());
        made.lock().unwrap().push(found.unwrap_or_else(|fault| panic!("{}: {fault}", program.name())));
    });
    let made = made.into_inner().unwrap();
    let sources = made.iter().flat_map(|(_, sources)| sources.clone()).collect();
    let found = Mutex::new(Vec::new());
    let groups = batch::groups(sources);
    let batches =
        groups.iter().flat_map(|(includes, sources)| sources.chunks(FILES).map(move |batch| (includes, batch)));
    each(batches.collect(), |(includes, sources)| {
        let compared = compared(includes, sources, &made);
        found.lock().unwrap().extend(compared);
    });
    report(found.into_inner().unwrap());
}

/// Does something with each, several at a time.
fn each<T: Send>(all: Vec<T>, work: impl Fn(T) + Sync) {
    let all = Mutex::new(all.into_iter());
    let works = || {
        loop {
            let Some(next) = all.lock().unwrap().next() else { return };
            work(next);
        }
    };
    std::thread::scope(|scope| {
        (0..std::thread::available_parallelism().map_or(2, |n| n.get())).for_each(|_| drop(scope.spawn(works)))
    });
}

fn shipped() -> Vec<Program> {
    let mut programs =
        programs::collect(&["tests/programs".into(), "solvers".into()], None, &[]).expect("they are valid");
    let asked = std::env::var("RTCUDA_TRACES").ok();
    let names: Vec<&str> = asked.as_deref().map_or(SOME.to_vec(), |names| names.split(',').collect());
    if names != ["all"] {
        programs.retain(|program| names.contains(&stem(&program.files[0])));
        assert_eq!(programs.len(), names.len(), "not all of {names:?} are shipped programs");
    }
    programs.iter_mut().for_each(|program| program.config.target.backend = Backend::Cpu);
    programs
}

fn stem(path: &Path) -> &str {
    path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default()
}

/// Folder of a program's launches, and its CUDA files.
type Made = (PathBuf, Vec<Source>);

/// Converts a program, and runs it simulated, which writes its launches down.
fn written_down(program: &Program, top: &Path) -> Result<Made, String> {
    let cflags = &program.config.input.cflags;
    let options = ConvertOptions { cflags: cflags.clone(), config: program.config.clone(), ..Default::default() };
    let told = |stop| format!("{stop:?}");
    let converted = pipeline::convert(&program.files, &options).map_err(told)?;
    let [plain, simulated, launches] =
        ["plain", "simulated", "launches"].map(|name| top.join(stem(&program.files[0])).join(name));
    emit::write(&converted.files, &plain).map_err(told)?;
    std::fs::create_dir_all(&launches).map_err(|e| e.to_string())?;
    let is_cuda = |file: &&emit::File| file.path.extension().is_some_and(|e| e == "cu");
    let sources = converted.files.iter().filter(is_cuda);
    let sources = sources.map(|file| Source { folder: plain.clone(), file: file.path.clone() }).collect();
    let mut converted = unoptimised::unoptimised(converted);
    let kernels = converted.files.iter_mut().filter(|file| is_cuda(&&**file));
    kernels.for_each(|file| drop(file.contents.splice(0..0, *b"#define RT_SIM_LAUNCHES\n")));
    emit::write(&converted.files, &simulated).map_err(told)?;
    let emitted = build::Program { folder: &simulated, files: &converted.files, cflags, headers: None };
    let built = build::executable(&emitted, &Target::Simulation).map_err(told)?;
    let run = Command::new(built).env("RTCUDA_LAUNCHES", &launches).output().map_err(|e| e.to_string())?;
    if !run.status.success() {
        return Err(format!("{}: {}", run.status, String::from_utf8_lossy(&run.stderr)));
    }
    Ok((launches, sources))
}

/// A launch, and how it compares.
type Compared = (String, Result<Agreement, String>);

/// Compiles a batch of files to PTX, and repeats their launches.
fn compared(includes: &str, sources: &[Source], made: &[Made]) -> Vec<Compared> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    batch::write(folder.path(), includes, sources);
    let target = Target::Gpu { nvcc: toolchain::nvcc().expect("it was there"), arch: "sm_90".into(), fmad: false };
    let ptx = Path::new("batch.ptx");
    build::ptx(folder.path(), Path::new(batch::BATCH), ptx, &target).unwrap_or_else(|stop| panic!("{stop:?}"));
    let text = std::fs::read_to_string(folder.path().join(ptx)).expect("it was written");
    let unit = Unit::read("batch.ptx", &text, None).unwrap_or_else(|stop| panic!("{stop:?}"));
    let mut found = Vec::new();
    for (at, source) in sources.iter().enumerate() {
        let (launches, of_program) = made.iter().find(|(_, all)| all.contains(source)).expect("it was made");
        let program = launches.parent().map(stem).unwrap_or_default();
        for recorded in Recorded::all(launches) {
            let name = format!("{program}: {}", recorded.kernel);
            match &named(&unit, &batch::namespace(at), &recorded.kernel)[..] {
                [one] => found.push((name, recorded.compared(&unit, *one))),
                // One of the program's other files.
                [] if of_program.len() > 1 => {}
                all => found.push((name, Err(format!("{} kernels have the name", all.len())))),
            }
        }
    }
    found
}

/// Kernels of a file of a batch that have a name, or of the runtime, which stands outside of all namespaces.
fn named(unit: &Unit, namespace: &str, kernel: &str) -> Vec<usize> {
    let all = |is_of: &dyn Fn(&str) -> bool| -> Vec<usize> {
        let named = unit.module.functions.iter().enumerate().filter(|(_, f)| f.is_kernel && f.name.contains(kernel));
        named.filter(|(_, f)| is_of(&f.name)).map(|(number, _)| number).collect()
    };
    let own = format!("{}{namespace}", namespace.len());
    let found = all(&|name| name.contains(&own));
    if found.is_empty() { all(&|name| !name.contains(batch::NAMESPACE)) } else { found }
}

/// Tells what was compared; fails with all that differs.
fn report(mut found: Vec<Compared>) {
    found.sort_by(|a, b| a.0.cmp(&b.0));
    let agreed: Vec<&Agreement> = found.iter().filter_map(|(_, outcome)| outcome.as_ref().ok()).collect();
    let sum = |of: fn(&Agreement) -> u64| agreed.iter().map(|agreement| of(agreement)).sum::<u64>();
    println!(
        "{} launches the same: {} bytes of threads; {} that only the simulation reads, {} numbers the same but for rounding",
        agreed.len(),
        sum(|a| a.bytes),
        sum(|a| a.spared),
        sum(|a| a.rounded)
    );
    for (name, outcome) in &found {
        println!("{name}: {outcome:?}");
    }
    let wrong = found.iter().filter(|(_, outcome)| outcome.is_err());
    let wrong: Vec<String> = wrong.map(|(name, outcome)| format!("{name}: {outcome:?}")).collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
