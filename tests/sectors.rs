//! The model's sectors of global memory, held against those that simulated warps touch: of each array of each kernel how
//! many requests there are, and how many sectors they move. Where nvcc is there, the kernels' PTX is run, too, and moves the
//! same to the sector; so did an H200, as ncu counts them there.

#[path = "support/kernels.rs"]
mod kernels;

use rtcuda::config::Config;
use rtcuda::pipeline::{self, ConvertOptions};
use rtcuda::ptx::coalesce::Counter;
use rtcuda::ptx::run::watch::Does;
use rtcuda::ptx::run::{self, Launch, launch};
use rtcuda::ptx::source;
use rtcuda::ptx::trace::Sample;
use rtcuda::report::Report;
use rtcuda::report::cost::Unit;
use rtcuda::runtime::build::{self, Target};
use rtcuda::runtime::toolchain;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::Command;

/// Requests and sectors, by kernel, array, and `load` or `store`.
type Counts = BTreeMap<(String, String, String), (f64, f64)>;

/// By how much the model may be off, relatively: it looks at some warps, and takes them for all.
const SAMPLED: f64 = 0.08;

#[test]
fn the_model_tells_what_simulated_warps_touch() {
    let c = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sectors/accesses.c");
    let config = Config::parse("accesses.toml", "[defaults]\nlibrary = \"never\"\n").expect("it is valid");
    let options = ConvertOptions { config, ..ConvertOptions::default() };
    let mut converted = pipeline::convert(&[c], &options).unwrap_or_else(|stop| panic!("{stop:?}"));
    let kernels = converted.files.iter_mut().filter(|f| f.path.extension().is_some_and(|e| e == "cu"));
    kernels.for_each(|f| drop(f.contents.splice(0..0, *b"#define RT_SIM_SECTORS\n")));
    let told = told(&serde_json::from_value(converted.report.clone()).expect("a report"));
    let counted = counted(&converted);
    assert_eq!(told.keys().collect::<Vec<_>>(), counted.keys().collect::<Vec<_>>());
    let near = |x: f64, y: f64| (x - y).abs() <= SAMPLED * y;
    let off = told.iter().filter(|(key, told)| !near(told.0, counted[key].0) || !near(told.1, counted[key].1));
    let off: Vec<_> = off.map(|(key, told)| format!("{key:?}: told {told:?}, counted {:?}", counted[key])).collect();
    assert!(off.is_empty(), "\n{}", off.join("\n"));
    if toolchain::nvcc().is_err() {
        let _ = writeln!(std::io::stderr(), "[SKIP] sectors of PTX: there is no nvcc");
        return;
    }
    let run = run_as_ptx(&converted);
    let off = run.iter().filter(|(key, run)| counted.get(*key) != Some(run));
    let off: Vec<_> = off.map(|(key, run)| format!("{key:?}: run {run:?}, counted {:?}", counted.get(key))).collect();
    assert!(run.len() == 17 && off.is_empty(), "\n{}", off.join("\n"));
}

fn told(report: &Report) -> Counts {
    let mut counts = Counts::new();
    for kernel in report.regions.iter().flat_map(|region| &region.kernels) {
        for x in kernel.cost.accesses.iter().filter(|x| x.unit == Unit::Sectors) {
            let array = x.access.split(['[', '.']).next().expect("a name");
            let sums = counts.entry((kernel.name.clone(), array.into(), x.does.clone())).or_default();
            *sums = (sums.0 + x.requests, sums.1 + x.requests * x.sectors);
        }
    }
    counts
}

fn counted(converted: &pipeline::Converted) -> Counts {
    let folder = tempfile::tempdir().expect("a temporary folder");
    rtcuda::emit::write(&converted.files, folder.path()).expect("it is written");
    let program = build::Program { folder: folder.path(), files: &converted.files, cflags: &[], headers: None };
    let simulated = build::executable(&program, &Target::Simulation).unwrap_or_else(|stop| panic!("{stop:?}"));
    let printed = Command::new(simulated).output().expect("it runs");
    let text = String::from_utf8(printed.stdout).expect("text");
    let of_line = |line: &str| {
        let [kernel, array, does, requests, sectors] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let number = |text: &str| text.parse().expect("a number");
        ((kernel.into(), array.into(), does.into()), (number(requests), number(sectors)))
    };
    text.lines().filter_map(|line| line.strip_prefix("sectors ")).map(of_line).collect()
}

/// Arguments of the kernels: the arrays that they are called with, as long as `main` makes them.
const LAUNCHED: &[(&str, &[&str])] = &[
    ("rt_rows_0_k0", &["a=f32[32768]", "b=f32[32768]"]),
    ("rt_shifted_0_k0", &["a=f64[40000]", "b=f64[40000]"]),
    ("rt_every_fourth_0_k0", &["a=f32[32768]", "b=f32[32768]"]),
    ("rt_across_0_k0", &["a=s16[16384]", "b=f64[40000]"]),
    ("rt_members_0_k0", &["p=f64[4000]", "e=f64[40000]"]),
    ("rt_sums_0_k0", &["a=f32[32768]", "s=f32[32768]"]),
    ("rt_half_0_k0", &["a=f64[40000]", "b=f64[40000]"]),
    ("rt_product_0_k0", &["a=f64[40000]", "b=f64[40000]", "c=f64[40000]"]),
];

/// Requests and sectors of the kernels' PTX, run on the CPU.
fn run_as_ptx(converted: &pipeline::Converted) -> Counts {
    let folder = tempfile::tempdir().expect("a temporary folder");
    rtcuda::emit::write(&converted.files, folder.path()).expect("it is written");
    let nvcc = toolchain::nvcc().expect("it was there");
    let target = Target::Gpu { nvcc, arch: "sm_90".into(), fmad: true };
    build::ptx(folder.path(), Path::new("accesses.cu"), Path::new("accesses.ptx"), &target).expect("it compiles");
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("it was written");
    let units = [source::Unit::read("accesses.ptx", &read("accesses.ptx"), Some(folder.path())).expect("it is PTX")];
    let mut counts = Counts::new();
    for (name, arguments) in LAUNCHED {
        let (unit, kernel) =
            source::kernel(&units, Some(name)).unwrap_or_else(|d| panic!("{} {:?}", d.message, d.help));
        let call =
            read("accesses.cu").split(&format!("rt.launch(\"{name}\"")).nth(1).expect("it is launched").to_owned();
        let mut extents = call.split("rt_dims(").skip(1).map(|rest| {
            let numbers: Vec<&str> = rest.split(')').next().expect("numbers").split(", ").collect();
            launch::extents(&numbers.into_iter().rev().collect::<Vec<_>>().join(",")).expect("extents")
        });
        let (grid, block) = (extents.next().expect("a grid"), extents.next().expect("a block"));
        let words: Vec<String> = arguments.iter().map(|word| word.to_string()).collect();
        let arguments = launch::arguments(&words).expect("they are right");
        let launch = Launch { grid, block, shared: 0, arguments, limit: Launch::LIMIT };
        let sample = Sample::default();
        let mut counter = Counter::new(unit, kernel, &sample).by_instruction();
        run::run(&unit.module, kernel, &launch, &mut counter).unwrap_or_else(|fault| panic!("{:?}", unit.told(fault)));
        for access in counter.report(unit, kernel, &launch).accesses {
            let does = if access.does == Does::Load { "load" } else { "store" };
            let key = (name.to_string(), access.arrays.concat(), does.to_owned());
            let sums = counts.entry(key).or_default();
            *sums = (sums.0 + access.requests as f64, (sums.1 + access.requests as f64 * access.sectors).round());
        }
    }
    counts
}

/// Launches of kernels: the file, the kernel, its grid, block, shared memory and arguments; requests and sectors of its loads, then
/// of its stores or atomic updates, as ncu counted them on an H200 (`l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum` and its like).
const BY_NCU: &[(&str, &str, kernels::Words, [u64; 4])] = &[
    (
        "ptx",
        "row_of_thread",
        ("2", "128", 0, &["a=f32[65536]", "x=f32[256]", "y=f32[256]", "n=256"]),
        [4104, 67616, 2048, 8192],
    ),
    (
        "ptx",
        "two_rows",
        ("2", "128", 0, &["a=f32[65536]", "b=f32[65536]", "x=f32[256]", "s=f32[256]", "y=f32[256]", "n=256"]),
        [12304, 151616, 4104, 16416],
    ),
    ("ptx", "factors", ("2", "256", 0, &["m=f32[262144]", "a=f32[262144]", "n=512", "t=3"]), [32, 524, 16, 508]),
    (
        "ptx",
        "eliminate",
        ("8,8", "16,16", 0, &["m=f32[16384]", "a=f32[16384]", "b=f32[128]", "n=128", "t=3"]),
        [1536, 18263, 512, 9695],
    ),
    ("ptx", "cells", ("4,4,4", "8,8,8", 0, &["now=s32[32768]", "next=s32[32768]", "n=32"]), [5760, 162000, 960, 27000]),
    ("ptx", "total", ("3", "128", 512, &["a=f32[1000]", "sum=f32[1]", "n=1000"]), [32, 125, 3, 3]),
    ("ptx", "vectors", ("1", "32", 0, &["a=f32[128]", "b=f32[64]", "c=u8[32]"]), [1, 16, 2, 9]),
    (
        "kernels",
        "mv",
        ("2", "128", 0, &["a=f32[32500]", "x=f32[130]", "y=f32[250]", "n=250", "m=130"]),
        [2080, 33540, 8, 32],
    ),
    (
        "kernels",
        "tmv",
        ("2", "128", 0, &["a=f32[32500]", "x=f32[130]", "y=f32[250]", "n=130", "m=250"]),
        [2080, 5879, 8, 32],
    ),
    (
        "kernels",
        "tp",
        ("16,9", "16,16", 0, &["a=f32[32500]", "b=f32[32500]", "n=130", "m=250"]),
        [1040, 5615, 1040, 16250],
    ),
];

#[test]
fn sectors_of_a_trace_are_those_that_ncu_counts() {
    if !kernels::has_nvcc("sectors_of_a_trace_are_those_that_ncu_counts") {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let of_paper =
        ["uncoalesced", "kernels"].map(|name| kernels::load(&root.join("ptx").join(name).with_extension("cu")));
    for (folder, name, words, expected) in BY_NCU {
        let own = match *folder {
            "ptx" => vec![],
            _ => vec![kernels::load(&root.join(folder).join(name).with_extension("cu"))],
        };
        let has = |units: &&Vec<source::Unit>| source::kernel(units, Some(name)).is_ok();
        let units = own.iter().chain(&of_paper).find(has).expect("a file with the kernel");
        let (unit, kernel) = source::kernel(units, Some(name)).unwrap_or_else(|d| panic!("{} {:?}", d.message, d.help));
        let launch = kernels::launch_of(*words, 50_000_000);
        let sample = Sample::default();
        let mut counter = Counter::new(unit, kernel, &sample).by_instruction();
        run::run(&unit.module, kernel, &launch, &mut counter).unwrap_or_else(|fault| panic!("{:?}", unit.told(fault)));
        let mut found = [0; 4];
        for access in counter.report(unit, kernel, &launch).accesses {
            let at = if access.does == Does::Load { 0 } else { 2 };
            found[at] += access.requests;
            found[at + 1] += (access.requests as f64 * access.sectors).round() as u64;
        }
        assert_eq!(found, *expected, "{name}");
    }
}
