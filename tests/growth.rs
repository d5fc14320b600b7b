//! Work of a conversion over the size of a program: twice as much C takes about twice the work, and not four times.
//!
//! Time is not measured, since it depends on the machine and on what else runs there. Counted are allocations of the crate, which a
//! walk over statements, a set or a text makes in proportion to its length, and isl's own operations. A count is the same in each run
//! but for what threads share out, so that a quarter of slack holds.

use rtcuda::pipeline::{ConvertOptions, Converted, convert};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// The system's allocator, which counts what it is asked for.
struct Counting;

static BYTES: AtomicU64 = AtomicU64::new(0);

// SAFETY: each call is passed on to the system's allocator as it came, and so is what it returns.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        BYTES.fetch_add(layout.size() as u64, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Tests of this file run one after the other: the count is of the process.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Work of a conversion.
#[derive(Debug, Clone, Copy)]
struct Work {
    bytes: u64,
    operations: u64,
}

fn converted(c: &str) -> (Converted, Work) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("p.c");
    std::fs::write(&file, c).expect("the folder is writable");
    let before = BYTES.load(Ordering::Relaxed);
    let converted = convert(&[file], &ConvertOptions::default()).expect("the file can be read");
    let bytes = BYTES.load(Ordering::Relaxed) - before;
    let operations = converted.operations.values().sum();
    (converted, Work { bytes, operations })
}

/// Growth that is still taken for linear when a program doubles. A quadratic part comes to 4.
const MOST_GROWTH: f64 = 2.3;

/// Holds the work for programs of `n` and `2 n` parts to linear growth. `regions_each`: regions of each part.
fn grows_linearly(what: &str, n: usize, regions_each: usize, program: &dyn Fn(usize) -> String) {
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    // What is built once for the process is built here.
    converted(&program(1));
    let work = [n, 2 * n].map(|n| {
        let (converted, work) = converted(&program(n));
        let regions = converted.report["regions"].as_array().map_or(0, Vec::len);
        assert!(regions >= n * regions_each, "{what}: {regions} regions of {n} parts: {:?}", converted.diagnostics);
        work
    });
    let growth = |of: fn(&Work) -> u64| of(&work[1]) as f64 / of(&work[0]).max(1) as f64;
    eprintln!("{what}: bytes {:.2}, operations {:.2} ({work:?})", growth(|w| w.bytes), growth(|w| w.operations));
    assert!(growth(|w| w.bytes) < MOST_GROWTH, "{what}: allocated bytes of {n} and {} parts: {work:?}", 2 * n);
    assert!(growth(|w| w.operations) < MOST_GROWTH, "{what}: isl's operations, {n} and {} parts: {work:?}", 2 * n);
}

fn all(n: usize, one: impl Fn(usize) -> String) -> String {
    (0..n).map(one).collect()
}

#[test]
fn functions_of_a_loop_each() {
    let one = |k| {
        format!(
            "void f{k}(int n, double *x, const double *y) {{ for (int i = 0; i < n; i++) x[i] += {k}.5 * y[i]; }}\n"
        )
    };
    grows_linearly("functions", 40, 1, &|n| all(n, one));
}

#[test]
fn loops_in_one_function() {
    let one = |k| format!("    for (int i = 0; i < n; i++) x[i] = x[i] * {k}.5 + y[i];\n");
    grows_linearly("loops", 64, 1, &|n| format!("void f(int n, double *x, const double *y)\n{{\n{}}}\n", all(n, one)));
}

#[test]
fn loops_over_arrays_of_their_own_in_one_function() {
    let array = |k| format!("double x{k}[1000];\n");
    let one = |k| format!("    for (int i = 0; i < 1000; i++) x{}[i] = x{k}[i] * 0.5;\n", k + 1);
    grows_linearly("arrays", 64, 0, &|n| format!("{}void f(void)\n{{\n{}}}\n", all(n + 1, array), all(n, one)));
}

#[test]
fn loops_between_prints_in_main() {
    let one = |k| {
        format!(
            "    for (int i = 0; i < N; i++) x[i] = y[i] * {k}.5;\n    for (int i = 0; i < N; i++) s += x[i];\n    if (s > {k}) printf(\"%g\\n\", s);\n"
        )
    };
    let program = |n| {
        let head =
            "#include <stdio.h>\n#define N 1000\nstatic double x[N], y[N];\nint main(void)\n{\n    double s = 0;\n";
        format!("{head}{}    return s > 1;\n}}\n", all(n, one))
    };
    grows_linearly("main", 32, 1, &program);
}

#[test]
fn helpers_that_loops_call() {
    let helper = |k| format!("static double h{k}(double x) {{ return x * {k}.5 + 1.0; }}\n");
    let one = |k| format!("    for (int i = 0; i < n; i++) x[i] = h{k}(x[i]);\n");
    grows_linearly("helpers", 64, 1, &|n| {
        format!("{}void f(int n, double *x)\n{{\n{}}}\n", all(n, helper), all(n, one))
    });
}

#[test]
fn helpers_in_a_chain() {
    let head = "static double h0(double x) { return x + 1.0; }\n";
    let next = |k| format!("static double h{}(double x) {{ return h{k}(x) * 1.5 + {k}; }}\n", k + 1);
    grows_linearly("chain", 100, 0, &|n| {
        format!("{head}{}void f(int n, double *x) {{ for (int i = 0; i < n; i++) x[i] = h{n}(x[i]); }}\n", all(n, next))
    });
}

#[test]
fn helpers_that_call_the_next_one_twice() {
    let head = "static double h0(double x) { return x + 1.0; }\n";
    let next = |k| format!("static double h{}(double x) {{ return h{k}(x) * h{k}(x + 1.0); }}\n", k + 1);
    // As many calls as two to the power of the number of helpers.
    grows_linearly("twice", 40, 0, &|n| {
        format!("{head}{}void f(int n, double *x) {{ for (int i = 0; i < n; i++) x[i] = h{n}(x[i]); }}\n", all(n, next))
    });
}

#[test]
fn functions_that_call_each_other_in_a_chain() {
    let head = "double a[1000];\nstatic void f0(double *x) { for (int i = 0; i < 1000; i++) x[i] += 1.0; }\n";
    let next =
        |k| format!("static void f{}(double *x) {{ f{k}(x); for (int i = 0; i < 1000; i++) x[i] *= 1.5; }}\n", k + 1);
    grows_linearly("callers", 40, 1, &|n| format!("{head}{}int main(void) {{ f{n}(a); return 0; }}\n", all(n, next)));
}

#[test]
fn rungs_of_a_ladder() {
    let rung = |k| format!("        else if (x[i] < {k}) y[i] = {};\n", k % 7);
    grows_linearly("rungs", 30, 0, &|n| {
        format!(
            "void f(int n, const double *x, int *y)\n{{\n    for (int i = 0; i < n; i++) {{\n        if (x[i] < -1) y[i] = 0;\n{}        else y[i] = 9;\n    }}\n}}\n",
            all(n, rung)
        )
    });
}

#[test]
fn structures_of_a_program() {
    let one = |k| {
        format!(
            "struct g{k} {{ int n, m; double *cells; }};\nstatic struct g{k} grid{k};\nstatic void step{k}(struct g{k} *g)\n{{\n    \
             for (int i = 1; i < g->n; i++)\n        for (int j = 0; j < g->m; j++) g->cells[i * g->m + j] += {k}.5;\n}}\n"
        )
    };
    let call = |k| format!("        step{k}(&grid{k});\n");
    grows_linearly("structures", 30, 1, &|n| {
        format!(
            "{}int main(void)\n{{\n    for (int t = 0; t < 10; t++) {{\n{}    }}\n    return 0;\n}}\n",
            all(n, one),
            all(n, call)
        )
    });
}
