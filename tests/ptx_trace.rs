//! Accesses of a launch by two ways: the interpreter that tells of them, and the kernel's own instrumented text, which records them. The
//! instrumented text runs on the CPU here, and on a GPU where there is one; records are compared one by one.

#[path = "support/emitted.rs"]
mod emitted;
#[path = "support/kernels.rs"]
mod kernels;

use kernels::{Words, has_nvcc};
use rtcuda::ptx::compare::{Comparison, Keeper, compared};
use rtcuda::ptx::device;
use rtcuda::ptx::device::instrument::{COUNT, PLACE, PLACES, Placed, instrumented, tell};
use rtcuda::ptx::registers::{self, Question};
use rtcuda::ptx::run::memory::Memory;
use rtcuda::ptx::run::watch::Nobody;
use rtcuda::ptx::run::{self, Launch};
use rtcuda::ptx::source::{self, Unit};
use rtcuda::ptx::trace::Sample;
use rtcuda::runtime::device::Gpu;
use rtcuda::runtime::toolchain;
use rtcuda::target;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

fn launch_of(words: Words) -> Launch {
    kernels::launch_of(words, 50_000_000)
}

/// What the interpreter tells of a launch.
fn told<'s>(unit: &Unit, kernel: usize, launch: &Launch, sample: &'s Sample) -> (Keeper<'s>, Memory) {
    let mut kept = Keeper::new(sample);
    let done =
        run::run(&unit.module, kernel, launch, &mut kept).unwrap_or_else(|fault| panic!("{:?}", unit.told(fault)));
    (kept, done.memory)
}

/// What the instrumented kernel records, run by the interpreter, too; and how many requests it had.
fn recorded<'s>(
    unit: &Unit,
    kernel: usize,
    launch: &Launch,
    (memory, sample): (&Memory, &'s Sample),
    places: u64,
) -> (Keeper<'s>, u64) {
    let text = instrumented(unit, kernel, places).expect("it is read");
    let other = Unit::read("instrumented.ptx", &text, None).unwrap_or_else(|stop| panic!("{stop:?}\n{text}"));
    let name = &unit.module.functions[kernel].name;
    let number = other.module.functions.iter().position(|f| f.name == *name).expect("it is there");
    let done =
        run::run(&other.module, number, launch, &mut Nobody).unwrap_or_else(|fault| panic!("{:?}", other.told(fault)));
    let of = |name: &str| memory.arrays.iter().position(|array| array.name == name);
    let left = |name: &str| &done.memory.arrays.iter().find(|array| array.name == name).expect("it records").bytes;
    let arrays = done.memory.arrays.iter().enumerate().filter_map(|(at, found)| {
        Some(Placed { array: of(&found.name)?, address: Memory::address(at), bytes: found.bytes.len() as u64 })
    });
    let mut kept = Keeper::new(sample);
    tell(unit, kernel, left(PLACES), &arrays.collect::<Vec<_>>(), memory, &mut kept);
    (kept, u64::from_le_bytes(left(COUNT)[..8].try_into().expect("8 bytes")))
}

/// ptxas takes the instrumented kernel.
fn assembles(unit: &Unit, kernel: usize, threads: u32) {
    let text = instrumented(unit, kernel, device::MOST_REQUESTS).expect("it is read");
    let other = Unit::read("instrumented.ptx", &text, None).unwrap_or_else(|stop| panic!("{stop:?}"));
    let number = other.module.functions.iter().position(|f| f.is_kernel).expect("it is there");
    let machine = target::machine(90).expect("it is described");
    let question = Question { machine: &machine, block: Some(threads), shared: 0, bounds: false };
    registers::reports(&other, &[number], &question).unwrap_or_else(|stop| panic!("{stop:?}\n{text}"));
}

/// Compares both ways, and a GPU where there is one.
fn check(units: &[Unit], kernel: &str, words: Words) -> u64 {
    let launch = launch_of(words);
    let (unit, number) = source::kernel(units, Some(kernel)).unwrap_or_else(|d| panic!("{} {:?}", d.message, d.help));
    let sample = Sample::default();
    let (one, memory) = told(unit, number, &launch, &sample);
    let (other, count) = recorded(unit, number, &launch, (&memory, &sample), 1 << 16);
    let found = compared(unit, number, &launch, [one, other]);
    if toolchain::nvcc().is_ok() {
        assembles(unit, number, launch.threads());
    }
    let Comparison { same, alone, requests, first } = found;
    assert!(
        same > 0 && alone == [0, 0] && requests[0] == requests[1],
        "{kernel}: {same} {alone:?} {requests:?} {first:?}"
    );
    // Requests of shared memory by generic addresses are recorded, too, and left out when they are read.
    assert!(count >= requests[0], "{kernel}: {count} {requests:?}");
    if Gpu::first().is_ok() {
        let (one, _) = told(unit, number, &launch, &sample);
        let mut other = Keeper::new(&sample);
        let traced = device::run(unit, number, &launch, device::DEFAULT_REQUESTS, &mut other);
        let traced = traced.unwrap_or_else(|fault| panic!("{:?}", unit.told(fault)));
        let found = compared(unit, number, &launch, [one, other]);
        assert!(found.alone == [0, 0] && traced.lost == 0, "{kernel} on {}: {found:?}", traced.gpu.name);
    }
    same
}

fn tell_without_gpu(test: &str) {
    if let Err(missing) = Gpu::first() {
        // Past the harness, which shows nothing of a test that passes.
        let message = missing.message;
        let _ = writeln!(std::io::stderr(), "[SKIP] {test} on a GPU: {message}; instrumented kernels ran on the CPU");
    }
}

#[test]
fn instrumented_kernels_record_what_the_interpreter_tells() {
    tell_without_gpu("instrumented_kernels_record_what_the_interpreter_tells");
    let rows = kernels::load(&file("ptx/rows.ptx"));
    let same = check(&rows, "rows", ("2,8", "32,8", 0, &["a=f32[4096]", "b=f32[4096]", "n=60"]));
    assert_eq!(same, 2 * 60 * 60);
    check(&kernels::load(&file("ptx/exchange.ptx")), "exchange", ("1", "64", 16, &["out=u32[64]"]));
    if !has_nvcc("instrumented_kernels_record_what_the_interpreter_tells") {
        return;
    }
    let units = kernels::load(&file("ptx/uncoalesced.cu"));
    let [m, v] = ["f32[64*64]", "f32[64]"];
    let [a, b, x, s, y] = [format!("a={m}"), format!("b={m}"), format!("x={v}"), format!("s={v}"), format!("y={v}")];
    check(&units, "two_rows", ("2", "32", 0, &[&a, &b, &x, &s, &y, "n=64"]));
    check(&units, "eliminate", ("4,4", "16,16", 0, &["m=f32[64*64]", &a, "b=f32[64]", "n=64", "t=3"]));
    check(&units, "cells", ("2,2,2", "8,8,8", 0, &["now=s32[4096]", "next=s32[4096]", "n=16"]));
    let units = kernels::load(&file("ptx/kernels.cu"));
    // Atomic updates, branches, vectors.
    check(&units, "total", ("3", "128", 512, &["a=f32[1000]", "sum=f32[1]:zero", "n=1000"]));
    check(
        &units,
        "paths",
        ("4", "64", 0, &["a=s32[200]", "b=f32[200]", "s={s32:200,f32:0.5,f32:0.25,f32:2,f64:0.125}"]),
    );
    check(&units, "vectors", ("1", "32", 0, &["a=f32[128]", "b=f32[64]", "c=u8[32]"]));
}

#[test]
fn instrumented_emitted_kernels_record_it_too() {
    if !has_nvcc("instrumented_emitted_kernels_record_it_too") {
        return;
    }
    let units = kernels::load(&file("ptx/emitted.c"));
    let text = emitted::text(&file("ptx/emitted.c"));
    // Asynchronous copies; lanes that share a row; tiles in shared memory; subscripts of data; atomic updates.
    let arguments: [(&str, &str, &[&str]); 5] = [
        ("rt_product_0_k0", "", &["a=f64[96*64]", "b=f64[64*128]", "c=f64[96*128]"]),
        ("rt_sums_0_k0", "i", &["a=f32[64*512]", "s=f32[64]"]),
        ("rt_transpose_0_k0", "", &["a=f32[100*70]:iota", "b=f32[70*100]"]),
        ("rt_gather_0_k0", "i", &["index=s32[3000]:rand", "a={f64[3000],s64:3000}", "b=f64[3000]"]),
        ("rt_counts_0_k0", "i", &["a=u8[20000]:rand(11)", "n={s32[11]:zero,s64:11}"]),
    ];
    for (kernel, instance, arguments) in arguments {
        let (grid, block) = emitted::launch(&text, kernel);
        check(&units, &format!("{kernel}I{instance}"), (&grid, &block, 0, arguments));
    }
}

/// On a GPU, lanes that called from two places in the text may run the recorder together.
#[test]
fn lanes_of_two_accesses_that_record_together_are_two_requests() {
    let units = kernels::load(&file("ptx/rows.ptx"));
    let launch = launch_of(("1", "32,2", 0, &["a=f32[4096]", "b=f32[4096]", "n=64"]));
    let text = instrumented(&units[0], 0, 100).expect("it is read");
    let odd_lanes_are_elsewhere = "\t.reg .b32 %rt_odd;\n\tmov.u32 %rt_odd, %laneid;\n\tand.b32 %rt_odd, %rt_odd, 1;\n\
        \tst.param.b32 [rt_access_of_call], %rt_odd;\n";
    let text = text.replace("\tst.param.b32 [rt_access_of_call], 0;\n", odd_lanes_are_elsewhere);
    let unit = Unit::read("together.ptx", &text, None).unwrap_or_else(|stop| panic!("{stop:?}\n{text}"));
    let kernel = unit.module.functions.iter().position(|f| f.is_kernel).expect("it is there");
    let done = run::run(&unit.module, kernel, &launch, &mut Nobody).unwrap_or_else(|f| panic!("{:?}", unit.told(f)));
    let left = |name: &str| &done.memory.arrays.iter().find(|array| array.name == name).expect("it records").bytes;
    let word = |place: &[u8], at: usize| u32::from_le_bytes(place[at..at + 4].try_into().expect("4 bytes"));
    let places: Vec<(u32, u32)> =
        left(PLACES).chunks(PLACE).take(6).map(|place| (word(place, 0), word(place, 4))).collect();
    assert_eq!(left(COUNT)[0], 6);
    let (even, odd) = (0x5555_5555, 0xaaaa_aaaa);
    let mut sorted = places;
    sorted.sort_unstable();
    assert_eq!(sorted, [(0, even), (0, even), (1, odd), (1, odd), (1, u32::MAX), (1, u32::MAX)]);
}

#[test]
fn a_full_buffer_is_counted_and_records_that_are_missing_are_told() {
    let units = kernels::load(&file("ptx/rows.ptx"));
    let launch = launch_of(("2,8", "32,8", 0, &["a=f32[4096]", "b=f32[4096]", "n=64"]));
    let sample = Sample::default();
    let (one, memory) = told(&units[0], 0, &launch, &sample);
    let (other, count) = recorded(&units[0], 0, &launch, (&memory, &sample), 100);
    assert_eq!(count, 256);
    let found = compared(&units[0], 0, &launch, [one, other]);
    assert_eq!((found.same, found.alone, found.requests), (3200, [8192 - 3200, 0], [256, 100]));
    let (which, first) = found.first.expect("some are missing");
    assert!(which == 0 && first.contains("line ") && first.contains("of `"), "{first}");
    // A sample has a part of it.
    let sample = Sample::of(&launch, Some(5));
    let (one, _) = told(&units[0], 0, &launch, &sample);
    let (other, _) = recorded(&units[0], 0, &launch, (&memory, &sample), 1000);
    let found = compared(&units[0], 0, &launch, [one, other]);
    assert_eq!((found.same, found.alone), (2 * 5 * 32, [0, 0]));
}

#[test]
fn without_a_gpu_that_is_said() {
    if Gpu::first().is_ok() {
        return;
    }
    let rows = file("ptx/rows.ptx").display().to_string();
    let words = ["ptx", "trace", &rows, "--arg", "a=f32[64]", "--arg", "b=f32[64]", "--arg", "n=8", "--block", "8,8"];
    let trace = |more: &[&str]| {
        let out = Command::new(env!("CARGO_BIN_EXE_rtcuda")).args(words).args(more).output().expect("it starts");
        (out.status.code(), String::from_utf8_lossy(&[out.stdout, out.stderr].concat()).into_owned())
    };
    for way in [&["--backend", "cuda"][..], &["--compare"]] {
        let (status, said) = trace(way);
        assert!(status == Some(2) && said.contains("CUDA driver") && said.contains("--backend cpu"), "{said}");
    }
    let (status, said) = trace(&["--backend", "auto"]);
    assert!(status == Some(0) && said.contains("64 loads, 64 stores"), "{said}");
}

/// A scatter whose places lie along `i`, as only its table knows.
const SCATTER: &str = r#"
#include <stdio.h>
void scatter(int n, int m, const int *restrict map, const float *restrict in, float *restrict out)
{
#pragma rt parallel
    for (int i = 0; i < n; i++)
#pragma rt parallel
        for (int j = 0; j < m; j++)
            out[map[i * m + j]] = 2 * in[i * m + j];
}
static int map[64 * 96];
static float in[64 * 96], out[64 * 96];
int main(void)
{
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 96; j++) map[i * 96 + j] = j * 64 + i, in[i * 96 + j] = i + 7 * j;
    scatter(64, 96, map, in, out);
    double sum = 0;
    for (int k = 0; k < 64 * 96; k++) sum += (k % 13) * out[k];
    printf("%.1f\n", sum);
    return 0;
}
"#;

#[test]
fn a_trace_of_places_that_the_data_choose_turns_the_loops() {
    if !has_nvcc("a_trace_of_places_that_the_data_choose_turns_the_loops") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).expect("it is written");
    write("scatter.c", SCATTER.as_bytes());
    let table: Vec<u8> = (0..64 * 96).flat_map(|k: i32| (k % 96 * 64 + k / 96).to_le_bytes()).collect();
    write("map.bin", &table);
    let run = |words: &[&str]| {
        let out = Command::new(env!("CARGO_BIN_EXE_rtcuda")).args(words).current_dir(folder.path()).output();
        let out = out.expect("it starts");
        (out.status.code(), String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr))
    };
    let axis = |more: &[&str], threads: u32| {
        let (status, said) = run(&[&["convert", "scatter.c", "-o", "out", "--dump-after", "schedule"], more].concat());
        assert_eq!(status, Some(0), "{said}");
        let lanes = format!(": grid 1, threads {threads}");
        said.lines().find_map(|line| line.trim().strip_suffix(&lanes).map(str::to_owned)).expect("lanes")
    };
    assert_eq!(axis(&[], 32), "axis j");
    let launch = [
        "--kernel",
        "rt_scatter_0_k0Ii",
        "--grid",
        "3,8",
        "--block",
        "32,8",
        "--arg",
        "m=96",
        "--arg",
        "n=64",
        "--json",
    ];
    let arrays = ["--arg", "in=f32[n*m]", "--arg", "map=s32[n*m]:file(map.bin)", "--arg", "out={f32[6144],s64:6144}"];
    let (status, seen) = run(&[&["ptx", "coalesce", "scatter.c"], &launch[..], &arrays].concat());
    assert_eq!(status, Some(0), "{seen}");
    write("seen.json", seen.as_bytes());
    // Then what is read lies across the lanes, and goes through tiles.
    assert_eq!(axis(&["--profile", "seen.json"], 64), "axis i");
    let printed = |more: &[&str]| run(&[&["run", "--backend", "cpu", "scatter.c"], more].concat());
    let (_, said) = run(&["explain", "-v", "scatter.c", "--profile", "seen.json"]);
    assert!(said.contains("loops i, j in parallel, places of out as a trace saw them"), "{said}");
    let (one, other) = (printed(&[]), printed(&["--profile", "seen.json"]));
    let first = |said: &str| said.lines().next().map(str::to_owned);
    assert!(one.0 == Some(0) && other.0 == Some(0) && first(&one.1) == first(&other.1), "{one:?} {other:?}");

    // What speaks of no access, is of another form, or is not there.
    write("other.json", seen.replace("scatter.c:", "other.c:").as_bytes());
    let (status, said) = run(&["convert", "scatter.c", "-o", "out", "--profile", "other.json"]);
    assert!(status == Some(0) && said.contains("the profile has no effect"), "{said}");
    write("wrong.json", b"{\"seen\": [{\"place\": 3}]}");
    for name in ["wrong.json", "missing.json"] {
        let (status, said) = run(&["convert", "scatter.c", "-o", "out", "--profile", name]);
        assert!(status == Some(2) && said.contains("is no profile"), "{said}");
    }
    let (status, said) = run(&[
        "ptx",
        "run",
        "scatter.c",
        "--kernel",
        "rt_main_0_k0",
        "--arg",
        "map=s32[3]:file(map.bin)",
        "--arg",
        "in=f32[6144]",
    ]);
    assert!(status == Some(2) && said.contains("map.bin has 24576 bytes, not 12"), "{said}");
}
