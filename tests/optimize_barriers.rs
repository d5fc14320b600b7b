//! Naive kernels whose threads all wait for each other: taken apart at the barriers, one resident kernel again, and computing
//! what threads that really wait compute.

#[path = "support/any_cuda.rs"]
mod any_cuda;
#[path = "support/cut_text.rs"]
mod cut_text;
#[path = "support/nvcc.rs"]
mod nvcc;
#[path = "support/unoptimised.rs"]
mod unoptimised;

use proptest::prelude::*;
use rtcuda::config::Backend;
use rtcuda::diag::Diagnostic;
use rtcuda::emit;
use rtcuda::optimize::beside;
use rtcuda::optimize::check::{self, Check};
use rtcuda::optimize::dissect;
use rtcuda::optimize::run::{self, Optimized};
use rtcuda::optimize::whole;
use rtcuda::optimize::work::Options;
use rtcuda::pipeline::{self, ConvertOptions};
use rtcuda::runtime::toolchain;
use rtcuda::runtime::verify::Verdict;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use unoptimised::unoptimised;

/// Kernels of `float *a, float *b, float *c, int n, int m` by name, with the number of their parts.
const KERNELS: &[(&str, usize, &str)] = &[
    // The paper's reduction.
    (
        "rd",
        1,
        "int i = idx;\nfor (int s = n / 2; s > 0; s /= 2) {\n    if (i < s) a[i] += a[i + s];\n    __global_sync();\n}",
    ),
    (
        "scan",
        2,
        "cg::grid_group all = cg::this_grid();\nint i = blockIdx.x * blockDim.x + threadIdx.x;\nif (i >= n) return;\n\
         for (int s = 1; s < n; s *= 2) {\n    b[i] = i >= s ? a[i] + a[i - s] : a[i]; /* to b */\n    all.sync();\n    \
         a[i] = b[i]; // back\n    all.sync();\n}",
    ),
    (
        "smooth",
        4,
        "int i = blockIdx.x * blockDim.x + threadIdx.x;\nconst int half = n / 2;\nif (i < n) b[i] = a[i];\ncg::this_grid().sync();\n\
         int t = 0;\nwhile (t < m) {\n    if (i > 0 && i < n - 1) { float x = b[i - 1]; c[i] = W * mix(x, b[i + 1]); }\n    \
         cg::this_grid().sync();\n    if (t % 2 == 0) {\n        if (i > 0 && i < half) b[i] = c[i];\n        cg::this_grid().sync();\n    } else {\n        \
         if (i > 0 && i < n - 1) b[i] = 0.5f * c[i];\n        cg::this_grid().sync();\n    }\n    t++;\n}",
    ),
    (
        "strided",
        2,
        "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) b[i] = 2 * a[i];\n__global_sync();\n\
         for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) c[i] = b[n - 1 - i];",
    ),
    // Threads with loops of their own.
    (
        "sums",
        2,
        "int i = idx;\nconst float w = 0.5f + m;\nfor (int t = 0; t < 3; t++) {\n    if (i < m) { float s = 0; for (int k = 0; k < m; k++) s += a[i * m + k] * b[k]; c[i] = s; }\n    \
         __global_sync();\n    if (i < m) b[i] = c[i] / w;\n    __global_sync();\n}",
    ),
];

const HEAD: &str = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n#define W 0.75f\n\
                    __device__ float mix(float x, float y) { return 0.5f * (x + y); }\n";

fn kernel(name: &str, body: &str) -> String {
    format!("__global__ void {name}(float *a, float *b, float *c, int n, int m)\n{{\n{body}\n}}\n")
}

fn of_text(text: &str) -> (tempfile::TempDir, PathBuf, Optimized) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("k.cu");
    fs::write(&path, text).unwrap();
    let optimized = run::optimize(&path, &Options::default()).unwrap_or_else(|stop| panic!("{stop:?}\n{text}"));
    (folder, path, optimized)
}

fn all() -> (tempfile::TempDir, PathBuf, Optimized) {
    of_text(&(HEAD.to_owned() + &KERNELS.iter().map(|(name, _, body)| kernel(name, body)).collect::<String>()))
}

#[test]
fn they_become_one_kernel_each_that_is_verified() {
    let (_folder, path, optimized) = all();
    assert!(optimized.diagnostics.is_empty(), "{:#?}", optimized.diagnostics);
    let wholes = optimized.wholes();
    let found: Vec<(&str, usize)> = wholes.iter().map(|w| (w.phased.name.as_str(), w.parts.len())).collect();
    assert_eq!(found, KERNELS.iter().map(|(name, parts, _)| (*name, *parts)).collect::<Vec<_>>());
    for w in &wholes {
        assert!(w.is_one_kernel(), "{}: {:#?}", w.phased.name, optimized.apart);
    }
    let convert = |files: &[PathBuf], options: &ConvertOptions| Ok(unoptimised(pipeline::convert(files, options)?));
    let how = Check { convert, backend: Backend::Cpu, sizes: vec![], limit: Duration::from_secs(120) };
    let checked = check::check(&path, &optimized, &Options::default(), &how).unwrap_or_else(|stop| panic!("{stop:?}"));
    assert_eq!(checked.verdict, Verdict::Verified, "{checked:#?}");
    let steps = dissect::steps(&path, &optimized, &Options::default()).told();
    assert_eq!(
        steps.iter().map(|d| d.kernel.as_str()).collect::<Vec<_>>(),
        KERNELS.iter().map(|(name, ..)| *name).collect::<Vec<_>>()
    );
    assert!(steps.iter().flat_map(|d| &d.rows).all(|row| row.refused.is_none()), "{steps:#?}");
}

/// CUDA's words for threads of the host, of which each is one of a launch, and waits where that waits.
const THREADS: &str = "
#include <barrier>
#include <cstdio>
#include <thread>
#include <vector>
#define __global__ static
#define __device__ static
struct dim { int x, y = 0, z = 0; };
static thread_local dim blockIdx, threadIdx;
static const dim blockDim{8, 1, 1}, gridDim{6, 1, 1};
static std::barrier<> meet(48);
static void __global_sync() { meet.arrive_and_wait(); }
namespace cooperative_groups {
struct grid_group { void sync() const { meet.arrive_and_wait(); } };
static grid_group this_grid() { return {}; }
}
#define idx (blockIdx.x * blockDim.x + threadIdx.x)
";

/// The program around both: threads, and the C that `check` runs.
const BOTH: &str = "
extern \"C\" void in_c(int which, float *a, float *b, float *c, int n, int m);
typedef void (*kernel)(float *, float *, float *, int, int);
int main()
{
    const kernel all[] = {KERNELS};
    for (int which = 0; which < COUNT; which++) {
        std::vector<float> start[3], one[3], other[3];
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < 48; i++) start[k].push_back((7 * i + 3 * k) % 31 * 0.125f);
        for (int k = 0; k < 3; k++) one[k] = other[k] = start[k];
        std::vector<std::thread> threads;
        for (int t = 0; t < 48; t++)
            threads.emplace_back([&, t] {
                blockIdx = {t / 8}, threadIdx = {t % 8};
                all[which](one[0].data(), one[1].data(), one[2].data(), 45, 5);
                meet.arrive_and_drop();
            });
        for (auto &thread : threads) thread.join();
        new (&meet) std::barrier<>(48);
        in_c(which, other[0].data(), other[1].data(), other[2].data(), 45, 5);
        for (int k = 0; k < 3; k++)
            if (one[k] != other[k] || (k == 2 && one[0] == start[0] && one[1] == start[1])) return 1 + which;
    }
    return 0;
}
";

#[test]
fn parts_compute_what_threads_that_wait_compute() {
    let (folder, _, optimized) = all();
    let wholes = optimized.wholes();
    let calls = wholes.iter().enumerate().map(|(k, w)| {
        let extra = w.extra().into_iter().map(|(name, _)| match name.as_str() {
            "threads_x" => ", 48",
            "blockDim_x" => ", 8",
            "gridDim_x" => ", 6",
            other => panic!("{other}"),
        });
        format!("    if (which == {k}) {}(a, b, c, n, m{});\n", w.phased.name, extra.collect::<String>())
    });
    let calls: String = calls.collect();
    let c: String = wholes.iter().map(whole::Whole::c).collect();
    let file = optimized.file.c.clone() + &c;
    let in_c = format!("{file}\nvoid in_c(int which, float *a, float *b, float *c, int n, int m)\n{{\n{calls}}}\n");
    fs::write(folder.path().join("parts.c"), in_c).unwrap();
    let text: String =
        optimized.file.text.lines().filter(|line| !line.starts_with("#include")).map(|l| format!("{l}\n")).collect();
    let names: Vec<&str> = KERNELS.iter().map(|(name, ..)| *name).collect();
    let main = BOTH.replace("KERNELS", &names.join(", ")).replace("COUNT", &names.len().to_string());
    fs::write(folder.path().join("threads.cc"), format!("{THREADS}{text}{main}")).unwrap();
    let run = |words: Vec<String>, more: &[&str]| {
        let mut command = Command::new(&words[0]);
        assert!(command.args(&words[1..]).args(more).current_dir(folder.path()).status().unwrap().success());
    };
    run(toolchain::c_compiler().unwrap(), &["-ffp-contract=off", "-c", "parts.c", "-o", "parts.o"]);
    let flags = ["-std=c++20", "-ffp-contract=off", "-pthread", "threads.cc", "parts.o", "-o", "both"];
    run(toolchain::cxx_compiler().unwrap(), &flags);
    assert_eq!(
        Command::new(folder.path().join("both")).status().unwrap().code(),
        Some(0),
        "1 + the kernel that differs"
    );
}

#[test]
fn what_is_emitted_compiles_without_a_warning() {
    if toolchain::nvcc().is_err() {
        // Past the harness, which shows nothing of a test that passes.
        let _ = writeln!(std::io::stderr(), "[SKIP] what_is_emitted_compiles_without_a_warning: there is no nvcc");
        return;
    }
    let (folder, path, optimized) = all();
    let out = folder.path().join("out");
    emit::write(&optimized.files, &out).unwrap();
    fs::write(out.join("beside.cu"), beside::program(&path, &optimized, &[]).unwrap()).unwrap();
    let header = fs::read_to_string(out.join("k.h")).unwrap();
    assert!(
        header.contains("int rd_optimized(dim3 rt_grid, dim3 rt_block, float *a") && !header.contains("rd_part0"),
        "{header}"
    );
    assert_eq!(nvcc::faults(vec![nvcc::Source { folder: out, file: "beside.cu".into() }]), Vec::<String>::new());
}

/// Bodies that stay as they are: the code, the line, and a part of what is said.
const FAULTS: &[(&str, &str, u32, &str)] = &[
    ("int i = idx;\nif (i < n) { a[i] = 1;\n__global_sync();\nb[i] = a[n - 1 - i]; }", "barrier", 4, "depends on `i`"),
    (
        "int i = idx;\nfloat x = a[i];\n__global_sync();\na[i + 1] = x;",
        "barrier",
        6,
        "`x`, which each thread has for itself, lives across",
    ),
    (
        "int i = idx;\nfor (int t = 0; t < m; t++) {\n__global_sync();\nif (i == t) t++; b[i] = t;\n}",
        "barrier",
        6,
        "its threads change `t`",
    ),
    ("int i = idx;\ndo { a[i] = 2;\n__global_sync(); } while (n < m);", "barrier", 4, "in a statement other than"),
    ("int i = idx;\na[i] = 2;\n__global_sync();\nif (a[i] > 1) return;\nb[i] = 1;", "barrier", 6, "leaves by `return`"),
    (
        "int i = idx;\nif (i < n) a[0] = b[i];\n__global_sync();\nif (i < n) c[i] = a[0];",
        "race",
        4,
        "a race: a thread writes an element of `a`",
    ),
    (
        "int i = idx;\na[i] = 2;\n__global_sync();\n__shared__ float t[32]; b[i] = t[i];",
        "shared-memory",
        6,
        "kernel `k` is left as it is: `__shared__`",
    ),
    (
        "for (int s = blockDim.x; s > 0; s /= 2) {\na[idx] = s;\n__global_sync(); }",
        "barrier",
        3,
        "depends on `blockDim`",
    ),
    ("__global_sync();", "barrier", 1, "nothing stands between"),
];

#[test]
fn what_cannot_be_taken_apart_is_told_with_its_line() {
    for (body, code, line, message) in FAULTS {
        let text = kernel("k", body);
        let (_folder, _, optimized) = of_text(&text);
        assert!(optimized.kernels.is_empty() && optimized.files.is_empty(), "{text}");
        let said: Vec<&Diagnostic> = optimized.diagnostics.iter().collect();
        let [d] = &said[..] else { panic!("one message: {said:#?}\n{text}") };
        assert!(d.code == *code && d.message.contains(message) && d.help.is_some(), "{d:#?}\n{text}");
        assert_eq!(d.place.as_ref().map_or(0, |place| place.line), *line, "{d:#?}\n{text}");
    }
    let (_folder, _, optimized) = of_text(&(kernel("k", FAULTS[0].0) + &kernel("rd", KERNELS[0].2)));
    assert_eq!(optimized.kernels.len(), 1);
    assert!(Path::new(&optimized.file.path).exists());
}

/// Sums along a tree whose leaves lie beside each other: what must hold of its sizes changes from step to step.
const TREE: &str = "int i = idx;\nfor (int s = 1; s < n; s *= 2) {\n    if (i < n / (2 * s)) a[2 * s * i] += a[2 * s * i + s];\n    \
                    __global_sync();\n}";

#[test]
fn what_would_be_slower_stays_unless_it_is_asked_for() {
    let text = kernel("tree", TREE);
    let (_folder, path, optimized) = of_text(&text);
    let [d] = &optimized.diagnostics[..] else { panic!("{:#?}", optimized.diagnostics) };
    assert!(optimized.kernels.is_empty() && d.message.contains("are estimated to be slower"), "{d:#?}");
    assert_eq!((d.code, d.place.as_ref().map_or(0, |place| place.line)), ("barrier", 1), "{d:#?}");
    let config = Some(("k.toml".to_owned(), "[defaults]\nsync = \"relaunch\"\n".to_owned()));
    let optimized = run::optimize(&path, &Options { config, ..Options::default() }).unwrap();
    assert_eq!((optimized.wholes().len(), optimized.wholes()[0].is_one_kernel()), (1, false));
}

/// The same sums where each thread looks whether it has something to do, which no bound says.
const REMAINDERS: &str = "int i = idx;\nfor (int s = 1; s < n; s *= 2) {\n    if (i % (2 * s) == 0 && i + s < n) a[i] += a[i + s];\n    \
                          __global_sync();\n}";

#[test]
fn threads_that_a_remainder_chooses_are_taken_at_the_users_word() {
    let text = kernel("tree", REMAINDERS);
    let (_folder, _, optimized) = of_text(&text);
    let [d] = &optimized.diagnostics[..] else { panic!("{:#?}", optimized.diagnostics) };
    assert!(d.code == "race" && d.message.starts_with("threads may race"), "{d:#?}");
    assert!(
        d.help.as_ref().is_some_and(|help| help.contains("by halves") && help.contains("#pragma rt parallel")),
        "{d:#?}"
    );
    let text = text.replace("    if (i %", "#pragma rt parallel\n    if (i %");
    let (_folder, path, optimized) = of_text(&text);
    assert!(optimized.diagnostics.is_empty(), "{:#?}", optimized.diagnostics);
    assert!(optimized.wholes()[0].is_one_kernel(), "{:#?}", optimized.apart);
    let convert = |files: &[PathBuf], options: &ConvertOptions| Ok(unoptimised(pipeline::convert(files, options)?));
    let how = Check { convert, backend: Backend::Cpu, sizes: vec![], limit: Duration::from_secs(120) };
    let checked = check::check(&path, &optimized, &Options::default(), &how).unwrap_or_else(|stop| panic!("{stop:?}"));
    assert_eq!(checked.verdict, Verdict::Verified, "{checked:#?}");
}

/// Sizes at which a kernel's own threads wait no longer than those of one made of it: where none has a loop.
#[test]
fn a_kernel_runs_as_it_is_where_that_is_no_slower() {
    let (_folder, _, optimized) = all();
    let as_it_is = |name: &str| {
        let wholes = optimized.wholes();
        wholes.iter().find(|w| w.phased.name == name).and_then(|w| w.as_it_is()).map(|of| (of.above, of.upto))
    };
    let found: Vec<_> = KERNELS.iter().map(|(name, ..)| as_it_is(name)).collect();
    let stepped = Some((4096, 98_304));
    assert_eq!(found, [stepped, stepped, stepped, Some((0, 196_608)), None]);
    let text = |of: &Optimized| String::from_utf8(of.files[0].contents.clone()).unwrap();
    assert_eq!(text(&optimized).matches("rt::launch_together(").count(), 5);
    let (_folder, path, _) = of_text(&kernel("strided", KERNELS[3].2));
    let config = Some(("k.toml".to_owned(), "[defaults]\nsync = \"cooperative\"\n".to_owned()));
    let chosen = run::optimize(&path, &Options { config, ..Options::default() }).unwrap();
    assert!(chosen.wholes()[0].is_one_kernel() && !text(&chosen).contains("launch_together"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Pieces of a kernel's text cut out, doubled, or in the place of each other.
    #[test]
    fn mutated_text_never_panics(which in 0..KERNELS.len(), cuts in cut_text::cuts()) {
        let text = cut_text::cut(&(HEAD.to_owned() + &kernel(KERNELS[which].0, KERNELS[which].2)), &cuts);
        any_cuda::answers(&text);
    }
}
