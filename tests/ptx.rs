//! Kernels as PTX: what they compute beside plain loops, what is told of their accesses and registers, what is said of wrong
//! input. Kernels of `tests/ptx` come as PTX, as CUDA that nvcc compiles, and as loops that rtcuda converts.

#[path = "support/any_ptx.rs"]
mod any_ptx;
#[path = "support/command.rs"]
mod command;
#[path = "support/emitted.rs"]
mod emitted;
#[path = "support/kernels.rs"]
mod kernels;

use any_ptx::mutated;
use command::{rtcuda, text};
use kernels::{Words, has_nvcc};
use proptest::prelude::*;
use rtcuda::ptx::coalesce::integer::Dimension;
use rtcuda::ptx::coalesce::{Counter, Report, Stride};
use rtcuda::ptx::read;
use rtcuda::ptx::run::machine::Done;
use rtcuda::ptx::run::watch::{Does, Nobody, Watch};
use rtcuda::ptx::run::{self, Launch};
use rtcuda::ptx::source::{self, Unit};
use rtcuda::ptx::trace::Sample;
use serde_json::Value;
use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ptx").join(name)
}

fn load(name: &str) -> Vec<Unit> {
    kernels::load(&file(name))
}

fn launch_of(words: Words) -> Launch {
    kernels::launch_of(words, 50_000_000)
}

fn watched(units: &[Unit], kernel: &str, launch: &Launch, watch: &mut dyn Watch) -> Done {
    let (unit, kernel) = source::kernel(units, Some(kernel)).unwrap_or_else(|d| panic!("{} {:?}", d.message, d.help));
    run::run(&unit.module, kernel, launch, watch).unwrap_or_else(|fault| panic!("{:?}", unit.told(fault)))
}

fn run_of(units: &[Unit], kernel: &str, words: Words) -> Arrays {
    Arrays(watched(units, kernel, &launch_of(words), &mut Nobody))
}

/// Memory as a launch left it.
struct Arrays(Done);

impl Arrays {
    fn bytes(&self, name: &str) -> &[u8] {
        &self.0.memory.arrays.iter().find(|array| array.name == name).expect("it is an argument").bytes
    }

    fn f32(&self, name: &str) -> Vec<f32> {
        self.bytes(name).chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect()
    }

    fn f64(&self, name: &str) -> Vec<f64> {
        self.bytes(name).chunks_exact(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect()
    }

    fn i32(&self, name: &str) -> Vec<i32> {
        self.bytes(name).chunks_exact(4).map(|b| i32::from_le_bytes(b.try_into().unwrap())).collect()
    }

    fn i64(&self, name: &str) -> Vec<i64> {
        self.bytes(name).chunks_exact(8).map(|b| i64::from_le_bytes(b.try_into().unwrap())).collect()
    }
}

fn near(found: f64, expected: f64, tolerance: f64) -> bool {
    (found - expected).abs() <= tolerance * expected.abs().max(1e-30)
}

#[test]
fn threads_exchange_loop_branch_and_call() {
    let left = run_of(&load("exchange.ptx"), "exchange", ("1", "64", 16, &["out=u32[64]"]));
    for (t, &found) in left.i32("out").iter().enumerate() {
        let sum: i32 = (1..=(t as i32 & 3)).sum();
        let expected = (63 - (t as i32 ^ 1)) + if t % 2 == 0 { 100 } else { 200 } + 20 + 2 * sum * 1000;
        assert_eq!(found, expected, "thread {t}");
    }
}

#[test]
fn kernels_of_cuda_compute_what_plain_loops_do() {
    if !has_nvcc("kernels_of_cuda_compute_what_plain_loops_do") {
        return;
    }
    let units = load("kernels.cu");
    let left = run_of(&units, "total", ("3", "128", 512, &["a=f32[1000]", "sum=f32[1]:zero", "n=1000"]));
    assert_eq!(left.f32("sum"), [left.f32("a").iter().sum::<f32>()]);

    let shape = "s={s32:200,f32:0.5,f32:0.25,f32:2,f64:0.125}";
    let left = run_of(&units, "paths", ("4", "64", 0, &["a=s32[200]", "b=f32[200]", shape]));
    for (&a, &b) in left.i32("a").iter().zip(&left.f32("b")) {
        let x: f32 = match a % 6 {
            0 => 1.0,
            1 => 0.25,
            2 => (0..a).fold(0.0f32, |sum, i| sum.mul_add(0.5, i as f32)),
            3 => (1 << (a & 7)) as f32,
            4 => (0..a).take_while(|k| k * k <= 3 * a).sum::<i32>() as f32,
            _ => (a * (a & 7)) as f32,
        };
        assert_eq!(b, x + 0.125, "{a}");
    }

    let left = run_of(&units, "vectors", ("1", "32", 0, &["a=f32[128]", "b=f32[64]", "c=u8[32]"]));
    let (a, b) = (left.f32("a"), left.f32("b"));
    for i in 0..32 {
        assert_eq!((b[2 * i], b[2 * i + 1]), (a[4 * i] + a[4 * i + 2], a[4 * i + 1] * a[4 * i + 3]));
        assert_eq!(left.bytes("c")[i], (a[4 * i] * 10.0) as u8);
    }
    let left = run_of(&units, "steps", ("4", "32", 0, &["a=s32[128]:iota", "n=128", "times=5"]));
    assert!(left.i32("a").iter().enumerate().all(|(i, &a)| a == (i as i32 + 5) % 128 + 5));
    check_functions(&units);
    check_integers(&units);
}

fn check_functions(units: &[Unit]) {
    let left = run_of(units, "singles", ("1", "32", 0, &["a=f32[32]", "b=f32[256]"]));
    for (&a, b) in left.f32("a").iter().zip(left.f32("b").chunks_exact(8)) {
        let x = f64::from(a);
        let sine = f64::from(a * 1000.0).sin();
        let rational = f64::from(1.0 / (a + 1.0) + a.sqrt());
        let expected = [x.exp(), sine, (x + 1.0).ln(), x.powf(2.5), rational, x, x.tanh(), x % f64::from(0.7f32)];
        for (k, (&found, expected)) in b.iter().zip(expected).enumerate() {
            assert!(near(f64::from(found), expected, 2e-6), "{k} of {a}: {found} {expected}");
        }
    }
    let left = run_of(units, "doubles", ("1", "32", 0, &["a=f64[32]", "b=f64[256]"]));
    for (&x, b) in left.f64("a").iter().zip(left.f64("b").chunks_exact(8)) {
        let up = if x == 0.0 { 1e-30 } else { x.next_up() };
        let rational = 1.0 / (x + 1.0) + x.sqrt();
        let whole = (x * 1e6).trunc() / 3.0;
        let sine = (x * 1e6).sin();
        let expected = [x.exp(), sine, (x + 1.0).ln(), (x + 0.5).powf(2.5), rational, up, x.cbrt(), whole];
        for (k, (&found, expected)) in b.iter().zip(expected).enumerate() {
            assert!(near(found, expected, 1e-14), "{k} of {x}: {found} {expected}");
        }
    }
}

fn check_integers(units: &[Unit]) {
    let left = run_of(units, "integers", ("1", "32", 0, &["a=s32[32]:rand(1000)", "b=s64[256]"]));
    let a = left.i32("a");
    let odd = (0..32).fold(0u32, |mask, lane| mask | (a[lane] as u32 & 1) << lane);
    let most = *a.iter().max().unwrap();
    for (i, b) in left.i64("b").chunks_exact(8).enumerate() {
        let (y, x) = (a[i], i64::from(a[i]) * 1_234_567 - 99);
        let first_set = if y == 0 { 0 } else { y.trailing_zeros() + 1 };
        let high = (i128::from(x << 30) * i128::from(x << 20)) >> 64;
        let bytes = [(y as u32).to_le_bytes(), 0x1234_5678u32.to_le_bytes()].concat();
        let permuted = u32::from_le_bytes([bytes[5], bytes[1], bytes[4], bytes[3]]);
        let expected = [
            x / 7 + x % 11,
            i64::from(y.count_ones() + 100 * y.leading_zeros() + 10000 * first_set),
            high as i64,
            i64::from(y as u32 / 3 + y as u32 % 5),
            i64::from((y as u32).reverse_bits() ^ permuted),
            (x >> (i % 40)) ^ (x << (i % 50)),
            i64::from(odd.wrapping_add(most as u32)),
            i64::from(i32::from(y as i8) * i32::from((y * 300) as i16) + a[i ^ 5]),
        ];
        assert_eq!(b, expected, "{y}");
    }
    let counter = left.i32("counter");
    assert_eq!(counter, [most.max(5)]);
}

#[test]
fn emitted_kernels_compute_what_the_loops_do() {
    if !has_nvcc("emitted_kernels_compute_what_the_loops_do") {
        return;
    }
    let units = load("emitted.c");
    let text = emitted::text(&file("emitted.c"));
    let left = |kernel: &str, instance: &str, arguments: &[&str]| {
        let (grid, block) = emitted::launch(&text, kernel);
        run_of(&units, &format!("{kernel}I{instance}"), (&grid, &block, 0, arguments))
    };

    // Asynchronous copies, and products of matrices by warps.
    let product = left("rt_product_0_k0", "", &["a=f64[96*64]", "b=f64[64*128]", "c=f64[96*128]"]);
    let (a, b, c) = (product.f64("a"), product.f64("b"), product.f64("c"));
    for (at, &found) in c.iter().enumerate() {
        let (i, j) = (at / 128, at % 128);
        assert_eq!(found, (0..64).map(|k| a[64 * i + k] * b[128 * k + j]).sum::<f64>(), "c[{i}][{j}]");
    }
    // Lanes that share a row, and shuffles.
    let sums = left("rt_sums_0_k0", "i", &["a=f32[64*512]", "s=f32[64]"]);
    let a = sums.f32("a");
    let expected: Vec<f32> = a.chunks_exact(512).map(|row| row.iter().sum()).collect();
    assert_eq!(sums.f32("s"), expected);
    // Tiles in shared memory.
    let transpose = left("rt_transpose_0_k0", "", &["a=f32[100*70]:iota", "b=f32[70*100]"]);
    for (at, &found) in transpose.f32("b").iter().enumerate() {
        assert_eq!(found, (at % 100 * 70 + at / 100) as f32, "b[{at}]");
    }
    let (grid, block) = emitted::launch(&text, "rt_transpose_0_k0");
    let report = coalescing(&units, "rt_transpose_0_k0", (&grid, &block, 0, &["a=f32[100*70]", "b=f32[70*100]"]));
    let origins =
        report.accesses.iter().filter(|access| access.does == Does::Store).map(|access| access.origin.as_deref());
    assert!(origins.clone().all(|origin| origin == Some("emitted.c:30")), "{:?}", origins.collect::<Vec<_>>());
    // Subscripts that only the data know; exponentials and roots of f64.
    let arguments = ["index=s32[3000]:rand", "a={f64[3000],s64:3000}", "b=f64[3000]"];
    let gather = left("rt_gather_0_k0", "i", &arguments);
    let (index, a, b) = (gather.i32("index"), gather.f64("a"), gather.f64("b"));
    for i in 0..3000 {
        let expected = 2.0 * a[index[i] as usize] + a[i].sqrt() + (-a[i]).exp();
        assert!(near(b[i], expected, 1e-14), "b[{i}]: {} {expected}", b[i]);
    }
    let integers = left("rt_integers_0_k0", "i", &["a=s32[3000]:rand(500)", "b=s32[3000]"]);
    for (&a, &b) in integers.i32("a").iter().zip(&integers.i32("b")) {
        let (mut x, mut y) = (a + 1, 0);
        while x != 1 && y < 100 {
            x = if x % 2 == 1 { 3 * x + 1 } else { x / 2 };
            y += 1;
        }
        assert_eq!(b, (y << 3) ^ ((a * 7) / 3), "{a}");
    }
    // Atomic updates.
    let counts = left("rt_counts_0_k0", "i", &["a=u8[20000]:rand(11)", "n={s32[11]:zero,s64:11}"]);
    let a = counts.bytes("a").to_vec();
    let expected: Vec<i32> = (0..11).map(|value| a.iter().filter(|&&a| a == value).count() as i32).collect();
    assert_eq!(counts.i32("n"), expected);
}

fn coalescing(units: &[Unit], kernel: &str, words: Words) -> Report {
    let launch = launch_of(words);
    let sample = Sample::default();
    let (unit, number) = source::kernel(units, Some(kernel)).expect("it is there");
    let mut counter = Counter::new(unit, number, &sample);
    watched(units, kernel, &launch, &mut counter);
    counter.report(unit, number, &launch)
}

#[test]
fn accesses_a_row_apart_are_told_with_the_order_that_mends_them() {
    let arguments = ["a=f32[4096]", "b=f32[4096]", "n=64"];
    let report = coalescing(&load("rows.ptx"), "rows", ("2,8", "32,8", 0, &arguments));
    let [first, second] = &report.accesses[..] else { panic!("{report:?}") };
    for (access, does, array) in [(first, Does::Load, "a"), (second, Does::Store, "b")] {
        assert_eq!((access.does, access.arrays.join(","), access.line), (does, array.to_owned(), 6));
        assert_eq!((access.stride, access.is_coalesced), (Some(Stride::Constant(256)), false));
        assert_eq!((access.sectors, access.least, access.used, access.share), (32.0, 4.0, 0.125, 0.5));
        assert_eq!((access.requests, access.accesses, access.is_dense), (128, 4096, Some(true)));
    }
    assert_eq!((report.total, report.uncoalesced, report.sectors, report.least), (8192, 8192, 8192, 1024));
    let best = &report.geometry.candidates[0];
    assert_eq!((best.order.as_str(), best.sectors, best.block, best.grid), ("yxz", 1024, [8, 32, 1], [8, 2, 1]));
    assert!(report.geometry.candidates.iter().any(|c| c.is_reshaped && c.block == [4, 64, 1]));
    let program = report.geometry.program.as_ref().expect("two dimensions");
    assert_eq!((program.first, program.cost, program.launched), (Dimension::Y, 8192, 3 * 8192));
    assert_eq!((program.apart, program.mended()), (3, vec![6]));
    assert!(report.geometry.forbidden.is_empty(), "{:?}", report.geometry.forbidden);

    let square = coalescing(&load("rows.ptx"), "rows", ("64,1", "1,64", 0, &arguments));
    assert!(square.accesses.iter().all(|access| access.stride == Some(Stride::One) && access.is_coalesced));
}

#[test]
fn accesses_of_inlined_functions_have_their_own_lines_and_neighbours_of_a_thread_are_one() {
    let units = load("inlined.ptx");
    let arguments = ["a=f32[256]", "p=f32[384]", "b=f32[128]"];
    let report = coalescing(&units, "inlined", ("1", "128", 0, &arguments));
    let found: Vec<_> =
        report.accesses.iter().map(|x| (x.line, x.inlined_at.as_deref(), x.instructions, x.bytes)).collect();
    assert_eq!(found, [(9, None, 3, 12), (2, Some("10"), 1, 4), (2, Some("10"), 1, 4), (10, None, 1, 4)]);
    let [of_three, ..] = &report.accesses[..] else { panic!("{report:?}") };
    assert!(of_three.is_coalesced && of_three.stride == Some(Stride::One), "{of_three:?}");
    assert_eq!((of_three.requests, of_three.sectors, of_three.least), (4, 12.0, 12.0));
    assert_eq!((report.total, report.sectors, report.least), (512, 4 * (12 + 4 + 8 + 4), 4 * (12 + 4 + 4 + 4)));
    let text = rtcuda::ptx::coalesce::text::text(&report, &units[0]);
    for part in ["2, inlined at 10", "3 loads, as one", "inlined.cu:2  48 sectors for 32"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn no_advice_is_worth_less_than_two_percent() {
    let units = load("inlined.ptx");
    let report = coalescing(&units, "inlined", ("1", "128", 0, &["a=f32[256]", "p=f32[384]", "b=f32[128]"]));
    let of = |share: f64| {
        let mut report = report.clone();
        let excess = (share * report.sectors as f64) as u64;
        report.lines.retain(|line| line.line == 2);
        report.lines[0].sectors = report.lines[0].least + excess;
        report.geometry.not_priced = None;
        let candidate = |sectors| rtcuda::ptx::coalesce::geometry::Candidate {
            order: "yxz".into(),
            block: [1, 128, 1],
            grid: [1; 3],
            sectors,
            is_reshaped: false,
        };
        report.geometry.candidates = vec![candidate(report.geometry.sectors - excess)];
        rtcuda::ptx::coalesce::text::text(&report, &units[0])
    };
    let (less, more) = (of(0.015), of(0.05));
    assert!(less.contains("none takes 2 % fewer sectors") && !less.contains("lines that move more"), "{less}");
    assert!(more.contains("x, y, z become y, x, z") && more.contains("lines that move more"), "{more}");
}

#[test]
fn subscripts_that_the_data_choose_in_part_are_told_by_the_rest() {
    if !has_nvcc("subscripts_that_the_data_choose_in_part_are_told_by_the_rest") {
        return;
    }
    let units = load("kernels.cu");
    let arguments = ["element=s32[64]:rand(500)", "u=f64[4000]", "out=f64[512]", "n=64"];
    let of_u = |report: Report| {
        let text = rtcuda::ptx::coalesce::text::text(&report, &units[0]);
        let access = report.accesses.into_iter().find(|access| access.arrays == ["u"]).expect("it is read");
        (access.stride, access.step, text)
    };
    let (stride, step, text) = of_u(coalescing(&units, "members", ("4", "128", 0, &arguments)));
    assert_eq!((stride, step), (Some(Stride::Runs { lanes: 8, apart: 8, between: None }), None), "{text}");
    assert!(text.contains("1 in runs of 8, anywhere"), "{text}");
    let arguments = [&arguments[..], &["m=8"]].concat();
    let (stride, step, text) = of_u(coalescing(&units, "elements", ("2", "32", 0, &arguments)));
    assert_eq!((stride, step), (Some(Stride::Other), Some(8)), "{text}");
    assert!(text.contains("other; 1 along its loop"), "{text}");
}

/// Findings of Fauzia and others: rows of threads need other loops, wrong dimensions another order.
#[test]
fn kernels_of_the_paper_are_uncoalesced_where_it_says() {
    if !has_nvcc("kernels_of_the_paper_are_uncoalesced_where_it_says") {
        return;
    }
    let units = load("uncoalesced.cu");
    // Of the integer program, which knows the loops of threads, too.
    let first = Cell::new(None);
    let n = 64;
    let [m, v] = ["f32[64*64]:one", "f32[64]"];
    let [a, b, x, s, y] = [format!("a={m}"), format!("b={m}"), format!("x={v}"), format!("s={v}"), format!("y={v}")];
    let told = |kernel: &str, grid: &str, block: &str, arguments: &[&str]| {
        let report = coalescing(&units, kernel, (grid, block, 0, arguments));
        let geometry = report.geometry;
        first.set(geometry.program.map(|program| program.first));
        (report.uncoalesced, geometry.sectors, geometry.candidates.into_iter().find(|c| !c.is_reshaped))
    };
    let (uncoalesced, _, best) = told("row_of_thread", "2", "32", &[&a, &x, &y, "n=64"]);
    assert_eq!((uncoalesced, best, first.get()), (n * n, None, Some(Dimension::Loop)));
    let (uncoalesced, _, best) = told("two_rows", "2", "32", &[&a, &b, &x, &s, &y, "n=64"]);
    assert_eq!((uncoalesced, best, first.get()), (2 * n * n, None, Some(Dimension::Loop)));
    let (uncoalesced, ..) = told("factors", "2", "32", &["m=f32[64*64]", &a, "n=64", "t=0"]);
    assert_eq!((uncoalesced, first.get()), (2 * (n - 1), None));
    let launched = ("4,4", "16,16", ["m=f32[64*64]", a.as_str(), "b=f32[64]", "n=64", "t=0"]);
    let (uncoalesced, sectors, best) = told("eliminate", launched.0, launched.1, &launched.2);
    let best = best.expect("two dimensions");
    // m and a of each element, twice a; and m of the first column.
    assert_eq!(uncoalesced, 3 * (n - 1) * n + n - 1);
    assert!(best.order == "yxz" && 3 * best.sectors < sectors, "{best:?} {sectors}");
    assert_eq!(first.get(), Some(Dimension::Y));
    let (_, sectors, best) = told("cells", "2,2,2", "8,8,8", &["now=s32[4096]", "next=s32[4096]", "n=16"]);
    let best = best.expect("three dimensions");
    assert!(best.order.starts_with('z') && 3 * best.sectors < sectors, "{best:?} {sectors}");
    assert_eq!(first.get(), Some(Dimension::Z));
}

#[test]
fn counts_at_several_sizes_are_polynomials() {
    let rows = file("rows.ptx").display().to_string();
    let words = [
        "ptx",
        "coalesce",
        &rows,
        "--grid",
        "n/32,n/8",
        "--block",
        "32,8",
        "--arg",
        "a=f32[n*n]",
        "--arg",
        "b=f32[n*n]",
    ];
    let told = |more: &[&str]| {
        let out = rtcuda(Path::new("."), &[&words[..], more].concat());
        (out.status.code(), text(&out.stdout) + &text(&out.stderr))
    };
    let (status, said) = told(&["--arg", "n=32", "--vary", "n=32,64,96,128"]);
    assert_eq!(status, Some(0), "{said}");
    let cells: Vec<Vec<&str>> =
        said.lines().map(|line| line.split("  ").filter(|cell| !cell.is_empty()).map(str::trim).collect()).collect();
    assert!(cells.contains(&vec!["6", "load", "a", "n^2", "n^2", "n^2"]), "{said}");
    assert!(cells.contains(&vec!["all", "2 n^2", "2 n^2", "2 n^2"]), "{said}");
    let (status, said) = told(&["--arg", "m=32", "--vary", "n=32,64"]);
    assert!(status == Some(2) && said.contains("no argument has that name") && said.contains("--arg n=32"), "{said}");
    let (status, said) = told(&["--arg", "n=32", "--vary", "n=32"]);
    assert!(status == Some(2) && said.contains("two integers or more"), "{said}");
}

#[test]
fn what_forbids_another_order_is_named() {
    let report = coalescing(&load("exchange.ptx"), "exchange", ("1", "64", 16, &["out=u32[64]"]));
    let why: Vec<&str> = report.geometry.forbidden.iter().map(|forbidden| forbidden.why.as_str()).collect();
    assert_eq!(why.len(), 1, "{why:?}");
    assert!(why[0].starts_with("lanes of a warp exchange values"), "{why:?}");
    let synchronous = "mov.u32 %r1, %laneid; st.shared.u32 [s], %r1; ld.shared.u32 %r1, [s];";
    let text = module("", ".shared .b32 s;", synchronous).replace("{\n", ".reqntid 32\n{\n");
    let reasons = rtcuda::ptx::coalesce::forbid::reasons(&read::read(&text).unwrap(), 0);
    let why: Vec<String> = reasons.into_iter().map(|reason| reason.why).collect();
    assert!(
        why[0].contains(".reqntid") && why[1].contains("number of the lane") && why[2].contains("no barrier"),
        "{why:?}"
    );
}

/// A module with one kernel.
fn module(parameters: &str, declared: &str, body: &str) -> String {
    let registers = ".reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>;";
    format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k({parameters})\n{{\n{registers}\n{declared}\n{body}\n}}\n"
    )
}

/// Runs `rtcuda ptx run` on a kernel without arguments.
fn told(body: &str, words: &[&str]) -> (i32, String) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("k.ptx"), body).unwrap();
    let out = rtcuda(folder.path(), &[&["ptx", "run", "k.ptx"], words].concat());
    (out.status.code().unwrap(), text(&out.stderr) + &text(&out.stdout))
}

#[test]
fn faults_are_told_with_line_thread_and_array() {
    let store = "ld.param.u64 %rd1, [a]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2; st.global.u32 [%rd1], %r1; ret;";
    let parted = "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 7; @%p1 bra A; bar.sync 0; A: add.u32 %r1, %r1, 1; ret;";
    let never = "A: bra A;";
    let early = "mov.u32 %r1, %tid.x; mov.u32 %r2, 0; A: setp.eq.u32 %p1, %r2, %r1; @%p1 bra C; setp.gt.u32 %p2, %r2, 20; \
                 @%p2 bra E; add.u32 %r2, %r2, 1; bra A; C: bar.sync 0; E: ret;";
    for (body, words, status, wanted) in [
        (
            module(".param .u64 a", "", store),
            &["--arg", "a=u32[8]", "--block", "32"][..],
            1,
            "element 8 of `a`, which has 8",
        ),
        (
            module(".param .u64 a", "", store),
            &["--arg", "a=u32[8]", "--block", "32"],
            1,
            "thread (8, 0, 0) of block (0, 0, 0) in `k`",
        ),
        (
            module(".param .u64 a", "", "st.global.u32 [8], %r1;"),
            &["--arg", "a=u32[8]"],
            1,
            "no array is near the address 0x8",
        ),
        (
            module("", ".shared .b32 s[4];", "st.shared.u32 [s+16], %r1;"),
            &[],
            1,
            "byte 16 of the 16 of the block's shared memory",
        ),
        (module("", ".shared .b32 s[4];", "ld.shared.v2.u32 {%r1, %r2}, [s+4];"), &[], 1, "no multiple of 8"),
        (module("", "", parted), &[], 1, "a barrier is reached by some lanes of a warp"),
        (module("", "", "bar.sync 0, 512;"), &[], 1, "a barrier is never reached by all threads"),
        (module("", "", early), &["--block", "64"], 0, "k: 1 blocks"),
        (module("", "", never), &["--limit", "1000"], 1, "takes more than 1000 instructions"),
        (module("", "", "trap;"), &[], 1, "stops itself"),
        (
            module("", "", "tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [t, {%r1, %r2}];"),
            &[],
            1,
            "`tex.2d.v4.f32.s32` is not known",
        ),
        (module("", "", "mov.u32 %r1, %clusterid.x;"), &[], 1, "`%clusterid.x` is not known"),
        (module("", "", "@%p1 tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [t, {%r1}]; ret;"), &[], 0, "k: 1 blocks"),
        (module("", "", "add.u32 %r1, %r2;"), &[], 2, "`add.u32` has 1 operands instead of 2"),
        (module("", "", "bra NOWHERE;"), &[], 2, "the label `NOWHERE` is not there"),
        (module("", "", "add.u32 %r1, %r99, 1;"), &[], 1, "`%r99` is not known"),
        (module("", "", "add.u32 %x, %r1, 1;"), &[], 2, "the register `%x` is not declared"),
        (module("", "", "ld.global.u32 %r1, %rd1;"), &[], 2, "no address in brackets"),
        (module("", ".reg .f16x2 %h;", ""), &[], 2, "the type `.f16x2` of registers"),
        (
            module(".param .u64 a, .param .u32 n", "", "ret;"),
            &["--arg", "a=u32[8]"],
            2,
            "takes 2 arguments, and 1 are given",
        ),
        (module(".param .u32 n", "", "ret;"), &["--arg", "n=u32[8]"], 2, "u32 is the type of a number"),
        (module(".param .u32 n", "", "ret;"), &["--arg", "n=5000000000"], 2, "5000000000 is no number of type u32"),
        (module(".param .u32 n", "", "ret;"), &["--arg", "n=x"], 2, "neither a number nor an array"),
        (module("", "", "ret;"), &["--kernel", "other"], 2, "there is no kernel `other`"),
        (module("", "", "ret;"), &["--block", "2048"], 2, "no machine has blocks of 2048"),
        (module("", ".shared .b8 s[300000];", "ret;"), &[], 2, "300000 bytes of shared memory"),
        ("int main(void) { return 0; }".into(), &[], 2, "the directive `int` is not known"),
        (".version 8.0\n.target sm_90\n".into(), &[], 2, "there is no kernel in the file"),
        (String::new(), &[], 2, "this is no PTX"),
        (".version 8.0\n.address_size 32\n".into(), &[], 2, "addresses of 32 bits"),
    ] {
        let (found, said) = told(&body, words);
        assert!(found == status && said.contains(wanted), "{wanted}: {found} {said}");
    }
}

#[test]
fn traces_are_lines_of_json_and_samples_are_parts_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let rows = file("rows.ptx").display().to_string();
    let launch = ["--grid", "2,8", "--block", "32,8", "--arg", "a=f32[4096]", "--arg", "b=f32[4096]", "--arg", "n=60"];
    let trace = |more: &[&str]| -> Vec<Value> {
        let out = rtcuda(folder.path(), &[&["ptx", "trace", &rows, "-o", "t.jsonl"], &launch[..], more].concat());
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
        let written = fs::read_to_string(folder.path().join("t.jsonl")).unwrap();
        written.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let all = trace(&[]);
    assert_eq!(all.len(), 2 * 60 * 60);
    let wanted = serde_json::json!({
        "kernel": "rows", "launch": 0, "block": [1, 2, 0], "thread": [3, 5, 0], "instruction": 19, "function": "rows", "line": 6,
        "does": "load", "execution": 0, "array": "a", "offset": 4 * (35 * 60 + 21), "bytes": 4
    });
    assert!(all.contains(&wanted), "{wanted}");
    let some = trace(&["--warps", "5"]);
    assert!(!some.is_empty() && some.len() <= 2 * 5 * 32 && some.iter().all(|record| all.contains(record)));
    if cfg!(target_os = "linux") {
        let out = rtcuda(folder.path(), &[&["ptx", "trace", &rows, "-o", "/dev/full"], &launch[..]].concat());
        let said = text(&out.stderr);
        assert!(
            out.status.code() == Some(2) && said.contains("error[trace-unwritable]: /dev/full cannot be written"),
            "{said}"
        );
    }
    let out = rtcuda(folder.path(), &[&["ptx", "trace", &rows], &launch[..]].concat());
    assert!(
        text(&out.stdout).starts_with("rows: 3600 loads, 3600 stores by threads, in 240 requests"),
        "{}",
        text(&out.stdout)
    );
    let out = rtcuda(folder.path(), &[&["ptx", "trace", &rows, "-o", "no/folder"], &launch[..]].concat());
    assert!(out.status.code() == Some(2) && text(&out.stderr).contains("cannot be written"));
}

#[test]
fn registers_are_ptxas_s_and_blocks_follow() {
    if !has_nvcc("registers_are_ptxas_s_and_blocks_follow") {
        return;
    }
    let kernels = file("kernels.cu").display().to_string();
    let words = ["ptx", "registers", &kernels, "--kernel", "wide", "--block", "1024", "--bounds", "--json"];
    let out = rtcuda(Path::new("."), &words);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let answer: Value = serde_json::from_slice(&out.stdout).unwrap();
    let kernel = &answer["kernels"][0];
    let number = |value: &Value| value.as_u64().unwrap_or_else(|| panic!("{kernel:#}"));
    let machine = rtcuda::target::machine(90).unwrap();
    let fits = machine.occupancy(number(&kernel["registers"]) as u32, 0, 1024);
    assert_eq!(number(&kernel["fit"]["blocks"]) as u32, fits.blocks);
    assert_eq!((fits.blocks, &kernel["fit"]["limit"]), (1, &Value::from("registers")));
    assert_eq!(kernel["desired"], serde_json::json!([{ "blocks": 2, "registers": 32 }]));
    let bounded = &kernel["bounded"][0];
    assert_eq!((number(&bounded["bound"]), number(&bounded["blocks"])), (32, 2));
    assert!(number(&bounded["registers"]) <= 32);
    let lines = kernel["pressure"].as_array().unwrap();
    let most = lines.iter().map(|line| number(&line["registers"])).max().unwrap();
    assert!((50..=60).contains(&most), "{most}");
    let out = rtcuda(Path::new("."), &["ptx", "registers", &file("exchange.ptx").display().to_string()]);
    let said = text(&out.stdout);
    assert!(said.contains("exchange (sm_90, Hopper)") && said.contains("blocks of 64 threads"), "{said}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_and_run_without_a_panic_or_a_hang(
        which in 0..2usize,
        changes in prop::collection::vec((any::<u8>(), any::<usize>(), any::<usize>()), 1..6),
    ) {
        let texts = [include_str!("ptx/rows.ptx"), include_str!("ptx/exchange.ptx")];
        let text = mutated(texts[which], &changes);
        let start = Instant::now();
        if let Ok(unit) = Unit::read("k.ptx", &text, None) {
            for kernel in (0..unit.module.functions.len()).filter(|&f| unit.module.functions[f].is_kernel) {
                let arguments: &[&str] = if which == 0 { &["a=f32[64]", "b=f32[64]", "n=8"] } else { &["out=u32[64]"] };
                let launch = Launch { limit: 3_000, ..launch_of(("1", "8,8", 16, arguments)) };
                let sample = Sample::default();
                let mut counter = Counter::new(&unit, kernel, &sample);
                match run::run(&unit.module, kernel, &launch, &mut counter) {
                    Ok(_) => drop(counter.report(&unit, kernel, &launch)),
                    Err(fault) => drop(unit.told(fault)),
                }
                drop(rtcuda::ptx::liveness::pressure(&unit.module.functions[kernel]));
            }
        }
        prop_assert!(start.elapsed().as_secs() < 5, "{text}");
    }
}
