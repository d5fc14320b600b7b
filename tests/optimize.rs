//! `rtcuda optimize`: the kernels of Yang et al. (PLDI 2010, table 1) through all of it, faults planted in kernels, and text that is
//! no longer CUDA.

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
use rtcuda::diag::{Diagnostic, Stop};
use rtcuda::emit;
use rtcuda::frontend::kernel::Extent;
use rtcuda::optimize::beside;
use rtcuda::optimize::check::{self, Check};
use rtcuda::optimize::dissect;
use rtcuda::optimize::run::{self, Optimized};
use rtcuda::optimize::steps::strategy;
use rtcuda::optimize::switched::{Switched, Upto};
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

/// Kernels of `tests/kernels`: the strategy, and the steps that are taken.
const KERNELS: &[(&str, &str, &[&str])] = &[
    ("conv", "pointwise", &["vectorisation", "thread merge"]),
    ("demosaic", "pointwise", &["vectorisation", "thread merge"]),
    ("imregionmax", "pointwise", &["vectorisation", "thread merge"]),
    (
        "mm",
        "product",
        &["vectorisation", "coalescing conversion", "data sharing", "thread-block merge", "thread merge", "prefetch"],
    ),
    ("mv", "rows", &["coalescing conversion", "thread-block merge"]),
    ("rd", "reduction", &["thread-block merge"]),
    ("strsm", "pointwise", &[]),
    ("tmv", "rows", &["thread-block merge"]),
    ("tp", "staged", &["coalescing conversion", "data sharing", "thread-block merge", "thread merge"]),
    ("vv", "pointwise", &["vectorisation", "thread merge"]),
];

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernels").join(name).with_extension("cu")
}

fn optimized(path: &Path) -> Optimized {
    run::optimize(path, &Options::default()).unwrap_or_else(|stop| panic!("{}: {stop:?}", path.display()))
}

/// Outcome for a text.
fn of_text(text: &str) -> Result<Optimized, Stop> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("k.cu");
    fs::write(&path, text).unwrap();
    run::optimize(&path, &Options::default())
}

fn verdict(path: &Path, optimized: &Optimized) -> Verdict {
    with(path, optimized, &Options::default())
}

/// Verdict on what options gave.
fn with(path: &Path, optimized: &Optimized, options: &Options) -> Verdict {
    let convert = |files: &[PathBuf], options: &ConvertOptions| Ok(unoptimised(pipeline::convert(files, options)?));
    let how = Check { convert, backend: Backend::Cpu, sizes: vec![], limit: Duration::from_secs(120) };
    let found = check::check(path, optimized, options, &how).unwrap_or_else(|stop| panic!("{stop:?}"));
    if found.verdict != Verdict::Verified {
        eprintln!("{}: {found:#?}", path.display());
    }
    found.verdict
}

#[test]
fn the_papers_kernels_are_optimised_and_compute_the_same() {
    for (name, expected, steps) in KERNELS {
        let path = file(name);
        let optimized = optimized(&path);
        assert!(optimized.diagnostics.is_empty(), "{name}: {:#?}", optimized.diagnostics);
        let [outcome] = &optimized.kernels[..] else { panic!("{name}: one kernel") };
        let taken: Vec<&str> = outcome.steps.iter().filter(|s| s.is_taken).map(|s| s.name).collect();
        assert_eq!((strategy(&outcome.region).as_str(), taken.as_slice()), (*expected, *steps), "{name}");
        assert_eq!(verdict(&path, &optimized), Verdict::Verified, "{name}");
    }
}

#[test]
fn with_fewer_of_the_steps_they_compute_the_same() {
    for (name, ..) in KERNELS {
        let path = file(name);
        let whole = optimized(&path);
        let found = dissect::steps(&path, &whole, &Options::default()).told();
        let [d] = &found[..] else { panic!("{name}: one kernel") };
        for (upto, row) in Upto::ALL.into_iter().zip(&d.rows) {
            assert_eq!((row.step, &row.refused), (upto.name(), &None), "{name}");
            // The last is `optimize` as it is.
            if !row.is_changed || upto == Upto::Prefetch {
                continue;
            }
            let switched = Some(Switched::new(upto, whole.kernels.iter().map(|o| &o.region)));
            let options = Options { switched, ..Options::default() };
            let fewer = run::optimize(&path, &options).unwrap_or_else(|stop| panic!("{name}: {stop:?}"));
            assert_eq!(with(&path, &fewer, &options), Verdict::Verified, "{name}, {}", upto.name());
        }
    }
}

/// Steps that change the mapping of a kernel.
#[test]
fn steps_are_switched_on_one_after_the_other() {
    let changed = |name: &str| -> Vec<String> {
        let path = file(name);
        let found = dissect::steps(&path, &optimized(&path), &Options::default()).told();
        found[0].rows[1..].iter().filter(|row| row.is_changed).map(|row| row.step.to_owned()).collect()
    };
    assert_eq!(changed("mm"), ["vectorisation", "coalescing, sharing", "block and thread merge", "prefetch"]);
    assert_eq!(changed("conv"), ["vectorisation", "block and thread merge"]);
    assert_eq!(changed("rd"), ["block and thread merge"]);
    assert_eq!(changed("imregionmax"), ["vectorisation", "block and thread merge"]);
}

/// Both have a parameter `x`, which is no member of `threadIdx`.
#[test]
fn a_guard_bounds_the_threads_whatever_parameters_are_called() {
    for (name, below) in [("mv", "n"), ("tmv", "m")] {
        let optimized = optimized(&file(name));
        let launch = &optimized.kernels[0].kernel.launch;
        assert!(launch.iter().any(|c| c.extent == Extent::AtLeast(below.into())), "{name}: {launch:#?}");
    }
}

#[test]
fn every_kernel_file_is_listed() {
    let folder = fs::read_dir(file("mm").parent().unwrap()).unwrap();
    let stem = |path: PathBuf| path.file_stem().unwrap().to_string_lossy().into_owned();
    let mut found: Vec<String> = folder.map(|entry| stem(entry.unwrap().path())).collect();
    found.sort();
    assert_eq!(found, KERNELS.iter().map(|(name, ..)| name.to_string()).collect::<Vec<_>>());
}

#[test]
fn what_is_emitted_compiles_without_a_warning() {
    if toolchain::nvcc().is_err() {
        // Past the harness, which shows nothing of a test that passes.
        let _ = writeln!(std::io::stderr(), "[SKIP] what_is_emitted_compiles_without_a_warning: there is no nvcc");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut sources = vec![];
    for name in ["tp", "demosaic", "vv"] {
        let (optimized, out) = (optimized(&file(name)), folder.path().join(name));
        emit::write(&optimized.files, &out).unwrap();
        // The program that runs both versions on a GPU holds the file.
        fs::write(out.join("beside.cu"), beside::program(&file(name), &optimized, &[]).unwrap()).unwrap();
        sources.push(nvcc::Source { folder: out, file: "beside.cu".into() });
    }
    let caller = "#include \"tp.h\"\nint main() { return tp_optimized(dim3(1), dim3(1), nullptr, nullptr, 0, 0); }\n";
    fs::write(folder.path().join("tp/caller.cu"), caller).unwrap();
    sources.push(nvcc::Source { folder: folder.path().join("tp"), file: "caller.cu".into() });
    assert_eq!(nvcc::faults(sources), Vec::<String>::new());
}

#[test]
fn an_entry_works_on_the_memory_that_it_is_given() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("tp");
    emit::write(&optimized(&file("tp")).files, &out).unwrap();
    let main = "#include \"tp.cu\"\nint main() {\n    float a[35], b[35] = {};\n    for (int i = 0; i < 35; i++) a[i] = i;\n    \
                if (!rt_tp_0(7, 5, a, b) || rt_tp_0(7, 5, a, a)) return 1;\n    \
                for (int i = 0; i < 35; i++) if (b[i % 7 * 5 + i / 7] != a[i]) return 2;\n    return 0;\n}\n";
    fs::write(out.join("main.cc"), main).unwrap();
    let compiler = toolchain::cxx_compiler().unwrap();
    let mut command = Command::new(&compiler[0]);
    command.args(&compiler[1..]).args(["-std=c++20", "-DRT_SIM", "main.cc", "-o", "main"]).current_dir(&out);
    assert!(command.status().unwrap().success());
    let entry = Command::new(out.join("main")).output().unwrap();
    assert!(entry.status.success(), "{entry:?}");
}

const INDEX: &str = "int i = blockIdx.x * blockDim.x + threadIdx.x;";

/// Kernels in other spellings: their bodies as kernels of `float *a, const float *b, const int *at, int n, int m`.
const SPELLINGS: &[&str] = &[
    "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) a[i] = 2 * b[i];",
    "int index = threadIdx.x + blockIdx.x * blockDim.x; int stride = blockDim.x * gridDim.x;\n\
     for (int i = index; i < n; i += stride) { if (b[i] > 1) continue; a[i] = 2 * b[i]; }",
    "int bx = blockIdx.x, tx = threadIdx.x; int i = bx * blockDim.x + tx; if (!(i < n)) { return; } a[i] = b[i];",
    "const unsigned i = __umul24(blockIdx.x, blockDim.x) + threadIdx.x; if (i > n - 1) return; a[i] = b[i] + (i % 3);",
    "int i = blockIdx.x * 64 + threadIdx.x; if (n > i) a[i] = max(b[i], 1.0f);",
    "size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; if (i < n) { float t = b[i]; a[i] = t + 1; }",
    "int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;\n\
     if (i < n && j < m && b[i * m + j] > 0.9f) a[i * m + j] = b[i * m + j];",
    "int l = n - 2; int i = blockIdx.x * blockDim.x + threadIdx.x; if (i <= l && i >= 1) a[i] = b[i - 1] + b[i + 1];",
    "int i = blockIdx.x * blockDim.x + threadIdx.x; a[i] = b[i];",
    "int i = blockIdx.x * blockDim.x + threadIdx.x; float x = b[0]; if (i < n) { atomicAdd(a + 1, x); }",
    "for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < n; y += blockDim.y * gridDim.y)\n\
         for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < m; x += blockDim.x * gridDim.x) a[y * m + x] = b[y * m + x];",
    "a[blockIdx.x * m + threadIdx.x] = b[blockIdx.x * m + threadIdx.x] + blockDim.x;",
];

#[test]
fn indices_and_guards_are_read_in_their_usual_spellings() {
    let kernels = SPELLINGS.iter().enumerate().map(|(k, body)| {
        format!("__global__ void k{k}(float *a, const float *b, const int *at, int n, int m)\n{{\n{body}\n}}\n")
    });
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("k.cu");
    let host = "#include <vector>\n#include \"cuda_runtime.h\"\nint main() { std::vector<int> v; dim3 g(1); k0<<<g, 1>>>(0, 0, 0, 0, 0); }\n";
    fs::write(&path, kernels.collect::<String>() + host).unwrap();
    let optimized = optimized(&path);
    let names: Vec<String> = optimized.kernels.iter().map(|o| o.kernel.name.clone()).collect();
    let all: Vec<String> = (0..SPELLINGS.len()).map(|k| format!("k{k}")).collect();
    assert_eq!(names, all, "{:#?}\n{}", optimized.diagnostics, optimized.file.c);
    assert_eq!(verdict(&path, &optimized), Verdict::Verified);
}

/// Members of CUDA's vectors, and device functions that take values by constant references.
const VECTORS: &str = "
__device__ float dot(const float3 &u, const float3 &v) { return u.x * v.x + u.y * v.y + u.z * v.z; }
__device__ float mix(const float &x, float y) { return 0.5f * (x + y); }
__global__ void move(const float4 *p, float4 *q, float dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        q[i].x = p[i].x + dt * p[i].w;
        q[i].y = mix(p[i].y, dt * p[i].w);
        q[i].z = p[i].z;
        q[i].w = 1.0f;
    }
}
__global__ void squares(const float3 *p, double2 *q, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float3 v = p[i];
    double2 made = make_double2(dot(v, p[i]), v.x);
    q[i] = made;
}
";

#[test]
fn vectors_of_cuda_and_constant_references_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("v.cu");
    fs::write(&path, VECTORS).unwrap();
    let optimized = optimized(&path);
    assert_eq!(optimized.kernels.len(), 2, "{:#?}", optimized.diagnostics);
    assert_eq!(verdict(&path, &optimized), Verdict::Verified);
    let header = String::from_utf8(optimized.files[1].contents.clone()).unwrap();
    assert!(header.contains("const float4 *p, float4 *q, float dt, int n"), "{header}");
    // Memory that a pointer leads to can change while a reference is there.
    let aliased = "__device__ float f(const float &x, float *a) { a[0] = 2; return x; }\n__global__ void k(float *a) { a[idx] = f(a[idx], a); }\n";
    let said = of_text(aliased).unwrap().diagnostics;
    assert!(said[0].message.contains("a parameter of a type that C does not have"), "{said:#?}");
    if toolchain::nvcc().is_ok() {
        let out = folder.path().join("out");
        emit::write(&optimized.files, &out).unwrap();
        fs::write(out.join("beside.cu"), beside::program(&path, &optimized, &[]).unwrap()).unwrap();
        assert_eq!(nvcc::faults(vec![nvcc::Source { folder: out, file: "beside.cu".into() }]), Vec::<String>::new());
    }
}

/// Device functions that change what they are given by reference: elements, variables, members, through each other.
const REFERENCES: &str = "
__device__ void add(float &sum, float x) { sum += x; }
__device__ __forceinline__ void exchange(float& x, float& y) { float t = x; x = y; y = t; }
__device__ void in_order(float &x, float &y) { if (x > y) exchange(x, y); }
__device__ void turn(float2 &v, float by) { v.x = v.x + by; v.y -= by; }
__global__ void pairs(float *a, const float *b, float2 *q, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0, least = b[i], most = a[i];
        in_order(least, most);
        add(sum, least);
        add(sum, 2 * most);
        add(a[i], sum);
        turn(q[i], a[i]);
    }
}
__device__ void next(int &i) { i++; }
__global__ void moved(float *a, const float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    next(i);
    if (i < n) a[i] = b[i];
}
";

#[test]
fn references_to_what_is_changed_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.cu");
    fs::write(&path, REFERENCES).unwrap();
    let optimized = optimized(&path);
    assert!(
        optimized.kernels.iter().any(|o| o.kernel.name == "pairs"),
        "{:#?}\n{}",
        optimized.diagnostics,
        optimized.file.c
    );
    assert_eq!(verdict(&path, &optimized), Verdict::Verified);
    // The index of a thread is no longer its own counter: that is seen, or the kernel stays.
    let moved = optimized.kernels.iter().find(|o| o.kernel.name == "moved");
    assert!(moved.is_none_or(|o| o.kernel.loops != ["i"]), "{}", optimized.file.c);
}

/// Transposes whose sizes are constants, in one subscript or in two: definitions, parameters, and the statement of a thread.
const CONSTANT_SIZES: &[(&str, &str, &str)] = &[
    ("#define COLS 96\n#define ROWS 70\n", "const float *in, float *out", "out[y + x * ROWS] = in[x + y * COLS];"),
    (
        "const int COLS = 96;\nconst int ROWS = 70;\n",
        "const float *in, float *out",
        "out[x * ROWS + y] = in[y * COLS + x];",
    ),
    (
        "const int COLS = 96;\nconst int ROWS = 70;\n",
        "const double *in, double *out",
        "out[y + x * ROWS] = in[x + y * COLS];",
    ),
    ("enum { COLS = 96, ROWS = 70 };\n", "const float *in, float *out", "out[y + x * ROWS] = in[x + y * COLS];"),
    ("const int COLS = 96, ROWS = 70;\n", "const float *in, float *out", "out[y + x * ROWS] = in[x + y * COLS];"),
    ("#define COLS 96\n", "const float *in, float *out, int ROWS", "out[y + x * ROWS] = in[x + y * COLS];"),
    (
        "#define COLS 96\n#define ROWS 70\n",
        "const float in[ROWS][COLS], float out[COLS][ROWS]",
        "out[x][y] = in[y][x];",
    ),
    ("", "const float *in, float *out, int COLS, int ROWS", "out[y + x * ROWS] = in[x + y * COLS];"),
];

#[test]
fn transposes_are_staged_whether_sizes_are_constants_or_parameters() {
    for (defined, parameters, statement) in CONSTANT_SIZES {
        let text = format!(
            "{defined}__global__ void k({parameters})\n{{\n    int x = blockIdx.x * blockDim.x + threadIdx.x;\n    \
             int y = blockIdx.y * blockDim.y + threadIdx.y;\n    if (x < COLS && y < ROWS) {statement}\n}}\n"
        );
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("k.cu");
        fs::write(&path, &text).unwrap();
        let optimized = optimized(&path);
        let [outcome] = &optimized.kernels[..] else { panic!("{:#?}\n{text}", optimized.diagnostics) };
        assert_eq!(strategy(&outcome.region), "staged", "{text}");
        assert_eq!(verdict(&path, &optimized), Verdict::Verified, "{text}");
    }
}

/// Kernels whose threads have one index of several coordinates: their bodies, behind `i`, and the loops that it is.
const COORDINATES: &[(&str, &[&str])] = &[
    ("if (i < n * m) { int x = i % m, y = i / m; a[x * n + y] = b[i]; }", &["i_row", "i_column"]),
    ("int x = i % m, y = i / m; if (y >= n) return; a[y * m + x] = 2 * b[y * m + x];", &["i_row", "i_column"]),
    ("int y = i / m, x = i % m; if (y < n && x < m) a[y * m + x] = b[y * m + x] + b[x];", &["i_row", "i_column"]),
    ("if (i < n * m) { int y = i / m; int x = i - y * m; a[y * m + x] = b[i] + b[x]; }", &["i_row", "i_column"]),
    (
        "if (i >= 3 * n * m) return; int x = i % m, y = i / m % n, z = i / (m * n);\na[(x * n + y) * 3 + z] = b[i];",
        &["i_row_row", "i_row_column", "i_column"],
    ),
    (
        "if (i < (size_t)n * m) { int x = (int)((unsigned)i % m), y = i / m; a[x * n + y] = b[i]; }",
        &["i_row", "i_column"],
    ),
    ("if (i < 64 * n) a[(i & 63) * n + (i >> 6)] = b[i];", &["i_row", "i_column"]),
    ("if (i < 2048) { int x = i % 64, y = i / 64; a[x * 32 + y] = b[i]; }", &["i_row", "i_column"]),
    ("if (i < n) a[2 * (i / 2) + i % 2] = b[i];", &["i"]),
];

#[test]
fn an_index_of_several_coordinates_is_no_race() {
    for (body, loops) in COORDINATES {
        let text = format!("__global__ void k(float *a, const float *b, int n, int m)\n{{\n{INDEX}\n{body}\n}}\n");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("k.cu");
        fs::write(&path, &text).unwrap();
        let optimized = optimized(&path);
        let [outcome] = &optimized.kernels[..] else { panic!("{:#?}\n{text}", optimized.diagnostics) };
        let found: Vec<&str> = outcome.region.loops.iter().filter_map(|l| l.head.strip_prefix("for ")).collect();
        assert_eq!(found, *loops, "{text}");
        assert_eq!(verdict(&path, &optimized), Verdict::Verified, "{text}");
    }
}

/// Faults: the body of a kernel, or a text with a kernel; the code, the line, and a part of what is said.
const FAULTS: &[(&str, &str, u32, &str)] = &[
    ("if (i < n) a[0] = b[i];", "race", 4, "a race: a thread writes an element of `a`"),
    ("if (i < n) a[i] = a[i + 1];", "race", 4, "a race: a thread reads an element of `a`"),
    ("if (i < n) a[0] += b[i];", "race", 4, "threads add to the same element of `a`, and not atomically"),
    ("if (i < n) a[at[i]] = b[i];", "race", 4, "threads may race: which element of `a`"),
    ("if (i < n) { a[0] = b[i]; a[i + 1] = a[0]; }", "race", 4, "a race"),
    ("__shared__ float t[32]; if (i < n) a[i] = b[i];", "shared-memory", 4, "`__shared__` is shared memory"),
    ("if (i < n) a[i] = b[i]; __syncthreads();", "barrier", 4, "`__syncthreads` is a barrier"),
    ("if (i < n) a[i] = __shfl_down_sync(~0u, b[i], 1);", "warp-intrinsic", 4, "is a warp intrinsic"),
    ("if (i < n) a[i] = tex2D(t, i, i);", "texture", 4, "is a texture"),
    ("if (i < n) f<<<1, 1>>>(a);", "dynamic-parallelism", 4, "is dynamic parallelism"),
    ("if (i < n) atomicMax(&m, i);", "atomic", 4, "an atomic other than an addition"),
    ("if (i < n) a[i] = atomicAdd(a, 1.0f);", "atomic", 4, "the old value of an atomic addition is used"),
    ("n -= i; if (i < n) a[i] = b[i];", "changed-parameter", 4, "its threads change the parameter `n`"),
    ("for (int k = 0; k < n; k++) if (b[k] > i) return; ", "return-in-loop", 4, "a thread returns from within a loop"),
    ("if (i % m == 0 && i < n) a[i] += a[i + m];", "race", 4, "threads may race: a thread writes an element of `a`"),
    ("if (i < n) { atomicAdd(&a[0], b[i]); a[0] += 1; }", "race", 4, "threads add to the same element of `a`, and not"),
    (
        "/*no index*/ __global__ void k(float *a, int n) { float s = 0; for (int i = idx; i < n; i += gridDim.x * blockDim.x) a[i] = s += 1; }",
        "grid-stride",
        1,
        "a thread hands `s` from one of its elements to the next",
    ),
    (
        "/*no index*/ __global__ void k(float *a, int n) { for (int i = idx; i < n; i += gridDim.x * blockDim.x) if (a[i] > 1) return; }",
        "return-in-loop",
        1,
        "a thread returns from within a loop",
    ),
    ("if (i < n) printf(\"%d\", i);", "side-effect", 4, "`printf` is a call with an effect"),
    ("if (i < n) a[i] = make_float2(b[i], 1).x;", "vector", 4, "`make_float2` is a vector within an expression"),
    ("if (i < n) a[i] = std::sqrt(b[i]);", "c-plus-plus", 4, "`::` is C++"),
    ("if (i < n) a[i] = b[i];\n#pragma rt output(b)", "bad-pragma", 1, "`b` is called a result of kernel `k`"),
    ("if (i < n) a[i] = b[i];\n#pragma rt output(q)", "bad-pragma", 5, "`q` is no array of kernel `k`"),
    ("if (i < n) a[i] = b[i];\n#pragma rt size n", "bad-pragma", 5, "is not followed by a list"),
    ("if (i < n) a[i] = b[i];\n#pragma rt sise(n)", "unknown-pragma", 5, "`#pragma rt sise` is no pragma of a kernel"),
    ("if (i < n) { a[i] = b[i];", "unbalanced-braces", 2, "a brace is opened here that nothing closes"),
    ("/*no index*/ void f(float *a) { a[0] = 1; }", "no-kernel", 0, "has no kernel"),
    (
        "/*no index*/ __global__ void k(float *a) { a[0] = 1; }",
        "no-index",
        1,
        "it does not use the index of its thread",
    ),
    ("/*no index*/ template <class T> __global__ void k(T *a) { a[0] = 1; }", "template", 1, "it is a template"),
    (
        "/*no index*/ __global__ void k(float &a) { a = idx; }",
        "parameter",
        1,
        "a parameter of a type that C does not have",
    ),
    (
        "/*no index*/ __constant__ float c[4];\n__global__ void k(float *a) { a[idx] = c[0]; }",
        "device-variable",
        2,
        "it uses `c`",
    ),
    ("/*no index*/ __global__ void k(float *a) { ) a[idx] = ; ( }", "", 1, ""),
    ("if (i < n) a[i % m] = b[i];", "race", 4, "a race: a thread writes an element of `a`"),
    ("if (i < n) a[i / m] = b[i];", "race", 4, "a race: a thread writes an element of `a`"),
    (
        "/*no index*/ #ifdef NEVER\n__global__ void k(float *a) { a[idx] = 1; }\n#endif",
        "not-compiled",
        2,
        "the preprocessor leaves it out",
    ),
];

/// Text of a fault.
fn faulty(text: &str) -> String {
    match text.strip_prefix("/*no index*/ ") {
        Some(whole) => format!("{whole}\n"),
        None => format!(
            "__global__ void k(float *a, const float *b, const int *at, int n, int m)\n{{\n{INDEX}\n{text}\n}}\n"
        ),
    }
}

#[test]
fn a_fault_is_told_with_its_line_and_a_remedy() {
    for (text, code, line, message) in FAULTS {
        let text = faulty(text);
        let said: Vec<Diagnostic> = match of_text(&text) {
            Ok(optimized) => {
                assert!(optimized.kernels.is_empty() && optimized.files.is_empty(), "{text}");
                optimized.diagnostics
            }
            Err(Stop::Input(d)) => vec![*d],
            Err(Stop::Bug(what)) => panic!("{what}\n{text}"),
        };
        let [d] = &said[..] else { panic!("one message: {said:#?}\n{text}") };
        assert!(code.is_empty() || d.code == *code, "{d:#?}\n{text}");
        assert!(d.message.contains(message), "{d:#?}\n{text}");
        let place = d.place.as_ref().map_or(0, |place| place.line);
        assert_eq!(place, *line, "{d:#?}\n{text}");
        let shown = d.place.as_ref().map_or("", |place| place.text.as_str());
        assert!(text.lines().any(|line| line.trim_end() == shown) || *line == 0, "{d:#?}\n{text}");
    }
}

#[test]
fn kernels_of_one_name_are_left_and_others_are_optimised() {
    let text = "__global__ void k(float *a) { a[idx] = 1; }\n__global__ void k(int *a) { a[idx] = 1; }\n\
                #if 0\n__global__ void old(float *a) { a[idx] = 1; }\n#endif\n\
                __global__ void other(float *a, int n) { if (idx < n) a[idx] = 1; }\n";
    let optimized = of_text(text).unwrap();
    let codes: Vec<&str> = optimized.diagnostics.iter().map(|d| d.code).collect();
    assert_eq!(codes, ["several-kernels", "several-kernels", "not-compiled"]);
    assert_eq!(optimized.kernels.iter().map(|o| &*o.kernel.name).collect::<Vec<_>>(), ["other"]);
}

/// Two arrays along the threads of a warp, one across them: no order of threads serves all, and nothing can be staged.
#[test]
fn a_kernel_that_is_better_as_it_is_is_left_and_said_to_be() {
    let text = "__global__ void k(const float *in, float *out, float *c, int n, int m)\n{\n    int x = blockIdx.x * blockDim.x + threadIdx.x;\n    \
                int y = blockIdx.y * blockDim.y + threadIdx.y;\n    if (x < m && y < n) {\n        \
                out[x * n + y] += in[y * m + x] + c[y * m + x];\n        c[y * m + x] = 0;\n    }\n}\n";
    let optimized = of_text(text).unwrap();
    let [d] = &optimized.diagnostics[..] else { panic!("{:#?}", optimized.diagnostics) };
    assert!(d.code == "no-gain" && d.message.contains("sectors through the L2 cache"), "{d:#?}");
    assert!(optimized.kernels.is_empty() && optimized.files.is_empty());
    // The remedy.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("k.cu");
    fs::write(&path, text).unwrap();
    let options = Options { config: Some(("c.toml".into(), String::new())), ..Options::default() };
    let written = run::optimize(&path, &options).unwrap();
    assert_eq!((written.kernels.len(), written.diagnostics.len()), (1, 0));
}

/// A column of a matrix: from the row behind `t` on, so that sizes that are alike leave no thread anything to do.
#[test]
fn threads_a_row_apart_are_not_called_neighbours() {
    let text = "__global__ void k(float *m, const float *a, int size, int t)\n{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    \
                if (i < size - 1 - t) m[size * (i + t + 1) + t] = a[size * (i + t + 1) + t] / a[size * t + t];\n}\n";
    let optimized = of_text(text).unwrap();
    let step = optimized.kernels[0].steps.iter().find(|step| step.name == "coalescing conversion").unwrap();
    assert!(
        !step.is_taken
            && step.what.starts_with("not done: a store of m[")
            && step.what.contains("no order of threads does"),
        "{step:?}"
    );
}

#[test]
fn a_kernel_that_is_left_leaves_the_others_alone() {
    let racy = "__global__ void bad(float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[0] = i; }\n";
    let optimized = of_text(&(racy.to_owned() + &fs::read_to_string(file("tp")).unwrap())).unwrap();
    assert_eq!(optimized.kernels.iter().map(|o| o.kernel.name.as_str()).collect::<Vec<_>>(), ["tp"]);
    assert_eq!(optimized.diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(), ["race"]);
    let cuda = String::from_utf8(optimized.files[0].contents.clone()).unwrap();
    assert!(!cuda.contains("bad_optimized") && cuda.contains("extern \"C\" int tp_optimized("));
}

/// The command on a file, with a folder for what it writes: its exit status and its answer.
fn command(path: &Path, out: &Path, words: &[&str]) -> (i32, serde_json::Value) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtcuda"));
    command.arg("optimize").arg(path).arg("-o").arg(out).arg("--json").args(words);
    let answer = command.output().unwrap();
    (answer.status.code().unwrap(), serde_json::from_slice(&answer.stdout).unwrap())
}

#[test]
fn the_command_answers_in_json_and_by_its_status() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let (status, answer) = command(&file("tp"), &out, &["--check", "--backend", "cpu", "--size", "n=70"]);
    assert_eq!((status, &answer["check"]["verdict"]), (0, &"verified".into()), "{answer:#}");
    assert_eq!(
        (&answer["kernels"][0]["function"], &answer["kernels"][0]["strategy"]),
        (&"tp_optimized".into(), &"staged".into())
    );
    assert!(["tp.cu", "tp.h", "rt_runtime.h", "rtcuda.json"].iter().all(|name| out.join(name).is_file()));
    let (status, answer) = command(&file("tp"), &out, &["--dissect", "--backend", "cpu"]);
    let rows = answer["dissect"][0]["rows"].as_array().unwrap();
    let sectors: Vec<f64> = rows.iter().map(|row| row["predicted_sectors"].as_f64().unwrap()).collect();
    assert!(status == 0 && rows[2]["step"] == "coalescing, sharing" && 4.0 * sectors[2] < sectors[1], "{answer:#}");
    let (status, answer) = command(&file("tp"), &out, &["--check", "--size", "q=7"]);
    assert_eq!((status, &answer["diagnostics"][0]["code"]), (2, &"unknown-size".into()), "{answer:#}");
    let racy = folder.path().join("racy.cu");
    fs::write(&racy, "__global__ void k(float *a) { a[0] = idx; }\n").unwrap();
    let (status, answer) = command(&racy, &folder.path().join("none"), &[]);
    assert_eq!((status, &answer["diagnostics"][0]["code"]), (1, &"race".into()), "{answer:#}");
    assert!(!folder.path().join("none").exists());
    let (status, _) = command(&folder.path().join("missing.cu"), &out, &[]);
    assert_eq!(status, 2);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Pieces of a kernel's text cut out, doubled, or in the place of each other.
    #[test]
    fn mutated_text_never_panics(which in 0..KERNELS.len(), cuts in cut_text::cuts()) {
        let text = cut_text::cut(&fs::read_to_string(file(KERNELS[which].0)).unwrap(), &cuts);
        any_cuda::answers(&text);
    }
}
