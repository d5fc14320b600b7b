//! Settings of kernels by the extents of a call (`[[kernels.NAME.at]]`): each call takes the first row that holds, computes
//! what the original does, and says so; and what cannot be is refused.

#[path = "support/command.rs"]
mod command;
#[path = "support/unoptimised.rs"]
mod unoptimised;

use command::{rtcuda, text};
use rtcuda::config::{Backend, Calls, KernelRow, KernelSizes, Sync};
use rtcuda::diag::render::Style;
use rtcuda::diag::{Place, Stop};
use rtcuda::pipeline::{self, ConvertOptions, Converted};
use rtcuda::report::{self, Report};
use rtcuda::runtime::programs::{self, Program};
use rtcuda::runtime::verify::{self, Options, Verdict};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;
use unoptimised::unoptimised;

/// A sum of matrices, a product, a reduction and a time loop, called with n = 20, 40 and 80.
const PROGRAM: &str = "\
#include <stdio.h>
#include <stdlib.h>
static void add(int n, int m, const double *restrict a, double *restrict b) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i * m + j] = 2 * a[i * m + j] + b[i * m + j];
}
static void product(int n, const double *restrict a, double *restrict b) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < n; k++)
                s += a[i * n + k] * a[k * n + j];
            b[i * n + j] = s;
        }
}
static double sum(int n, const double *a) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}
static void heat(int steps, int n, double *restrict u, double *restrict v) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            v[i] = 0.5 * (u[i - 1] + u[i + 1]);
        for (int i = 1; i < n - 1; i++)
            u[i] = v[i];
    }
}
int main(void) {
    double t = 0;
    for (int n = 20; n <= 80; n *= 2) {
        double *a = malloc(n * n * sizeof *a), *b = malloc(n * n * sizeof *b);
        for (int i = 0; i < n * n; i++)
            a[i] = i % 7, b[i] = i % 5;
        add(n, n, a, b);
        t += b[n / 2] + sum(n, b);
        product(n, a, b);
        t += b[n];
        heat(5, n, a, b);
        t += a[n / 2];
        free(a), free(b);
    }
    printf(\"%.3f\\n\", t);
    return 0;
}
";

const CONFIG: &str = "\
[defaults]
min-work = 0
library = \"never\"
sync = \"SYNC\"
[kernels.rt_add_0_k0]
BLOCK_0 = 2
[[kernels.rt_add_0_k0.at]]
most = { n = 20 }
BLOCK_0 = 4
[[kernels.rt_add_0_k0.at]]
most = { n = 40, m = 40 }
[[kernels.rt_add_0_k0_flat.at]]
most = { n = 20 }
BLOCK_0 = 64
[[kernels.rt_product_0_k0.at]]
least = { n = 41 }
strategy = \"pointwise\"
[[kernels.rt_sum_0_k0.at]]
most = { n = 40 }
BLOCK_0 = 64
[[kernels.rt_heat_0_k0.at]]
most = { n = 20 }
BLOCK_0 = 128
[[kernels.rt_heat_0_k1.at]]
least = { n = 80 }
BLOCK_0 = 64
";

fn program(config: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("p.c"), PROGRAM).unwrap();
    fs::write(folder.path().join("c.toml"), config).unwrap();
    folder
}

#[test]
fn calls_on_both_sides_of_a_boundary_compute_the_same_as_the_original() {
    for sync in ["auto", "graph", "relaunch"] {
        let folder = program(&CONFIG.replace("SYNC", sync));
        let out = rtcuda(folder.path(), &["verify", "p.c", "--config", "c.toml", "--backend", "cpu"]);
        let said = text(&out.stdout);
        assert!(out.status.success() && said.contains("verified"), "{said}{}", text(&out.stderr));
    }
}

#[test]
fn each_call_takes_the_first_row_that_holds() {
    let folder = program(&CONFIG.replace("SYNC", "relaunch"));
    let out = rtcuda(folder.path(), &["run", "p.c", "--config", "c.toml", "--backend", "cpu"]);
    let said = text(&out.stdout) + &text(&out.stderr);
    let times = |kernel: &str| {
        let mut words = said.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        words
            .find(|words| words.first() == Some(&kernel))
            .map(|words| words[1].replace("once", "1").parse::<u32>().unwrap())
    };
    for (kernel, n) in [
        ("rt_add_0_k0_at0", None),
        ("rt_add_0_k0_flat_at0", Some(1)),
        ("rt_add_0_k0_at1", Some(1)),
        ("rt_add_0_k0", Some(1)),
        ("rt_product_0_k0_at0", Some(1)),
        ("rt_product_0_k0", Some(2)),
        ("rt_sum_0_k0_at0", Some(2)),
        ("rt_sum_0_k0", Some(1)),
        ("rt_heat_0_k0_at0", Some(5)),
        ("rt_heat_0_k0", Some(10)),
        ("rt_heat_0_k1_at0", Some(5)),
        ("rt_heat_0_k1", Some(10)),
    ] {
        assert_eq!(times(kernel), n, "{kernel}: {said}");
    }
}

#[test]
fn reports_show_the_rows_of_a_kernel() {
    let folder = program(&CONFIG.replace("SYNC", "auto"));
    let out = rtcuda(folder.path(), &["convert", "p.c", "--config", "c.toml", "-o", "out"]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    let report: Value = serde_json::from_slice(&fs::read(folder.path().join("out/rtcuda.json")).unwrap()).unwrap();
    let kernels = report["regions"][0]["kernels"].as_array().unwrap();
    let of = |name: &str| kernels.iter().find(|k| k["name"] == name).unwrap_or_else(|| panic!("{name}"));
    let usual = of("rt_add_0_k0");
    assert_eq!(usual["extents"], serde_json::json!(["n", "m"]));
    assert_eq!(usual["rows"][1], serde_json::json!({ "calls": "n <= 40 and m <= 40", "kernel": "rt_add_0_k0_at1" }));
    // A row stands in the place of all settings of its kernel.
    let first = |name: &str| of(name)["tunables"][0]["value"].as_i64();
    assert_eq!(["rt_add_0_k0", "rt_add_0_k0_at0", "rt_add_0_k0_at1"].map(first), [Some(2), Some(4), Some(8)]);
    // All are instances of one template.
    let cu = fs::read_to_string(folder.path().join("out/p.cu")).unwrap();
    assert!(cu.contains("rt_add_0_k0<int, 4, 32") && !cu.contains(" rt_add_0_k0_at0("), "{cu}");
    let explained = text(&rtcuda(folder.path(), &["explain", "-v", "p.c", "--config", "c.toml"]).stdout);
    for line in [
        "where n <= 20: rt_add_0_k0_at0 in its place",
        "for other calls with n <= 40 and m <= 40: [[kernels.rt_add_0_k0.at]]",
    ] {
        assert!(explained.contains(line), "{line}: {explained}");
    }
}

#[test]
fn rows_that_a_kernel_cannot_have_are_refused() {
    for (kernel, row, why) in [
        ("rt_add_0_k0", "most = { k = 3 }", "`k` is none of the extents of its loops: these are n, m"),
        ("rt_sum_0_k0", "most = { a = 3 }", "`a` is none of the extents of its loops: its only one is n"),
        ("rt_add_0_k0", "most = { n = 3 }\nSTAGES = 3", "it has no size `STAGES`"),
        ("rt_add_0_k0", "most = { n = 3 }\nstrategy = \"rows\"", "it has no strategy `rows`, but pointwise"),
        ("rt_add_0_k0", "most = { n = 3 }\nBLOCK_0 = 512\nBLOCK_1 = 64", "a block has 32768 threads"),
        ("rt_heat_0_k0", "most = { n = 3 }", "with sync = \"relaxed\""),
    ] {
        let folder = program(&format!("[defaults]\nsync = \"relaxed\"\n[[kernels.{kernel}.at]]\n{row}\n"));
        let out = rtcuda(folder.path(), &["convert", "p.c", "--config", "c.toml", "-o", "out"]);
        let said = text(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{said}");
        assert!(said.contains("error[kernel-sizes]") && said.contains(why), "{said}");
    }
}

/// Greatest extent of the calls that take the first row of a shipped program's kernel, and of those that take the next.
const SMALL: [i64; 2] = [16, 100];

/// Rows of a kernel: another strategy, where it has one, and fewer registers; the kernel as it is between.
fn rows(kernel: &report::Kernel) -> Option<KernelSizes> {
    let place = Place { file: "rows".into(), line: 1, column: 1, length: 1, text: String::new() };
    let settings = |strategy: Option<&String>, resident: Option<u32>| {
        let sizes = resident.iter().map(|n| ("RESIDENT".to_owned(), *n)).collect();
        KernelSizes { strategy: strategy.cloned(), sizes, at: vec![], place: place.clone() }
    };
    let extent = kernel.extents.first().filter(|_| !kernel.tunables.is_empty())?;
    let can_be_bounded = kernel.tunables.iter().any(|t| t.name == "RESIDENT");
    let [first, next] = SMALL.map(|n| Calls { most: [(extent.clone(), n)].into_iter().collect(), ..Calls::default() });
    let at = vec![
        KernelRow { calls: first, settings: settings(kernel.strategies.get(1), can_be_bounded.then_some(1)) },
        KernelRow { calls: next, settings: settings(None, None) },
    ];
    Some(KernelSizes { at, ..settings(None, can_be_bounded.then_some(1)) })
}

fn convert(files: &[PathBuf], options: &ConvertOptions) -> Result<Converted, Stop> {
    pipeline::convert(files, options).map(unoptimised)
}

/// A shipped program with rows for each kernel that can have them.
fn with_rows(mut program: Program) -> Program {
    program.config.target.backend = Backend::Cpu;
    let cflags = program.config.input.cflags.clone();
    let options = ConvertOptions { cflags, config: program.config.clone(), ..ConvertOptions::default() };
    let converted = pipeline::convert(&program.files, &options).expect("a shipped program converts");
    let report: Report = serde_json::from_value(converted.report).expect("the report has its own form");
    for kernel in report.regions.iter().flat_map(|region| &region.kernels) {
        program.config.kernels.extend(rows(kernel).map(|rows| (kernel.name.clone(), rows)));
    }
    program
}

#[test]
fn shipped_programs_with_rows_compute_what_their_originals_do() {
    let mut shipped =
        programs::collect(&["tests/programs".into(), "solvers".into()], None, &[]).expect("they are valid");
    // Blocks that wait for neighbours are the same at every call.
    shipped.retain(|program| {
        let config = &program.config;
        let mut all = config.regions.iter().map(|r| &r.settings).chain([&config.defaults]);
        !all.any(|settings| settings.sync == Sync::Relaxed)
    });
    let share = if std::env::var_os("RTCUDA_ROWS").is_some() { 1 } else { 12 };
    let chosen: Vec<Program> = shipped.into_iter().step_by(share).map(with_rows).collect();
    let n_rows: usize = chosen.iter().flat_map(|p| p.config.kernels.values()).map(|k| k.at.len()).sum();
    assert!(n_rows > chosen.len(), "{n_rows} rows of {} programs", chosen.len());
    let done = |v: &verify::Verification| println!("{}: {:?}, {:.1} s", v.program, v.verdict, v.seconds);
    let all = verify::all(&chosen, &Options::new(convert, Duration::from_secs(120)), &done);
    let is_right = |v: &verify::Verification| matches!(v.verdict, Verdict::Verified | Verdict::NothingConverted);
    let wrong = all.into_iter().filter(|v| !is_right(v)).collect::<Vec<_>>();
    assert!(wrong.is_empty(), "{}", verify::text::text(&wrong, Style::Plain));
}
