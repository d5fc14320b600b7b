//! The operators that C programs call (`templates/api`): every function and every error, checked by the programs of
//! `tests/api` against naive loops, as plain C and on a device that is not there (`tests/api/fake`: its memory is not to
//! be mixed with the host's, and its libraries insist on their conventions), under sanitizers. And that a program which
//! calls them is converted, built and run. That their files are read by the rules of `rtcuda`'s own reader.

#[path = "api/rules.rs"]
mod rules;

use rtcuda::api;
use rtcuda::runtime::toolchain;
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;
use tempfile::TempDir;

const C: [&str; 8] =
    ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1", "-fsanitize=address,undefined", "-c"];
const CXX: [&str; 6] = ["-std=c++20", "-Wall", "-Wextra", "-Werror", "-O1", "-fsanitize=address,undefined"];
const PROGRAMS: [&str; 6] = ["dense", "sparse", "solve", "errors", "files", "calls"];

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Runs a command that must work; gives what it printed.
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{command:?}\n{}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

fn tool<S: AsRef<OsStr>>(name: &str, words: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(name);
    command.args(words);
    command
}

/// The programs of `tests/api`, and what they are linked with.
struct Built {
    folder: TempDir,
}

static BUILT: LazyLock<Built> = LazyLock::new(|| {
    let built = Built { folder: tempfile::tempdir().expect("a folder") };
    let (headers, fake) = (repository("templates/api"), repository("tests/api/fake"));
    let object = |source: &Path, name: &str| -> [PathBuf; 3] { [source.into(), "-o".into(), built.path(name)] };
    run(tool("cc", C).args(object(&headers.join("rtcuda_api.c"), "api.o")));
    run(tool("c++", CXX)
        .args(["-c", "-x", "c++", "-I"])
        .arg(&fake)
        .args(object(&headers.join("rtcuda_api.cu"), "cu.o")));
    run(tool("c++", CXX).args(["-c", "-I"]).arg(&fake).args(object(&fake.join("device.cpp"), "device.o")));
    run(tool("c++", CXX).args(["-shared", "-fPIC"]).args(object(&fake.join("libraries.cpp"), "libcublas.so.13")));
    fs::copy(built.path("libcublas.so.13"), built.path("libcusparse.so.12")).expect("it is copied");
    run(tool("cc", C.iter().filter(|flag| **flag != "-c"))
        .args(["-shared", "-fPIC"])
        .args(object(&fake.join("blas.c"), "libfake.so")));
    let link = |name: &str, objects: &[&str], flags: &[&str]| {
        let objects = objects.iter().map(|object| built.path(object));
        let mut link = tool("c++", CXX);
        run(link.arg("-rdynamic").args(objects).arg("-o").arg(built.path(name)).args(flags).args(["-lm", "-ldl"]));
    };
    for program in PROGRAMS.iter().chain(&["cg", "loops", "rules", "stale", "memory"]) {
        let source = repository(&format!("tests/api/{program}.c"));
        run(tool("cc", C).arg("-I").arg(&headers).args(object(&source, &format!("{program}.o"))));
        if *program == "memory" {
            link(program, &["memory.o", "api.o"], &["-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc"]);
            continue;
        }
        link(program, &[&format!("{program}.o"), "api.o"], &[]);
        link(&format!("{program}_device"), &[&format!("{program}.o"), "api.o", "cu.o", "device.o"], &[]);
    }
    built
});

impl Built {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A program, to be run with a folder of its own for files.
    fn program(&self, name: &str) -> Command {
        let files = self.path(&format!("files_of_{name}"));
        fs::create_dir_all(&files).expect("a folder");
        let mut command = Command::new(self.path(name));
        command.env("LD_LIBRARY_PATH", self.folder.path()).env("ASAN_OPTIONS", "allocator_may_return_null=1");
        for variable in ["RTCUDA_BACKEND", "RTCUDA_BLAS", "RTCUDA_MOVE", "FAKE_CUDA_FAIL", "FAKE_CUDA_COUNTS"] {
            command.env_remove(variable);
        }
        command.arg(files);
        command
    }
}

#[test]
fn every_file_is_one_that_users_get() {
    let entries = fs::read_dir(repository("templates/api")).expect("it is there");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("it can be read").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    let known: Vec<&str> = api::FILES.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, known);
    assert!(!api::text(api::HEADER).is_empty());
}

#[test]
fn the_header_is_c99_and_cxx() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("t.c");
    fs::write(&source, "#include \"rtcuda_api.h\"\nint main(void) { return RTwait(); }\n").expect("it is written");
    for (compiler, language) in [("cc", ["-std=c99", "-xc"]), ("c++", ["-std=c++11", "-xc++"])] {
        let flags = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only", "-I"];
        run(tool(compiler, language).args(flags).arg(repository("templates/api")).arg(&source));
    }
}

#[test]
fn on_the_cpu_all_is_as_naive_loops_have_it() {
    for program in PROGRAMS {
        let printed = run(BUILT.program(program).env("RTCUDA_BLAS", "none"));
        assert_eq!(printed, if program == "dense" { "CPU, plain C\n" } else { "" });
    }
}

#[test]
fn each_allocation_may_fail() {
    run(&mut BUILT.program("memory"));
}

#[test]
fn a_pointer_that_is_used_too_long_is_found() {
    for program in PROGRAMS {
        run(BUILT.program(program).env("RTCUDA_MOVE", "1").env("RTCUDA_BLAS", "none"));
    }
    assert_eq!(run(&mut BUILT.program("stale")), "0.5\n");
    let found = BUILT.program("stale").env("RTCUDA_MOVE", "1").output().expect("it runs");
    assert!(text(&found.stderr).contains("heap-use-after-free"), "{}", text(&found.stderr));
}

#[test]
fn a_blas_is_used_where_there_is_one() {
    let blas = BUILT.path("libfake.so");
    let printed = run(BUILT.program("dense").env("RTCUDA_BLAS", &blas));
    assert_eq!(printed, format!("CPU, BLAS of {}\n", blas.display()));
}

#[test]
fn on_a_device_all_is_as_on_the_cpu() {
    for program in PROGRAMS {
        let printed = run(&mut BUILT.program(&format!("{program}_device")));
        assert_eq!(printed, if program == "dense" { "a device that is not there\n" } else { "" });
    }
}

#[test]
fn without_a_device_the_cpu_computes_and_says_why() {
    let mut program = BUILT.program("dense_device");
    let printed = run(program.env("FAKE_CUDA_FAIL", "cudaGetDeviceCount").env("RTCUDA_BLAS", "none"));
    assert_eq!(printed, "CPU, plain C; no CUDA device: no device\n");
    let printed = run(BUILT.program("dense_device").env("LD_LIBRARY_PATH", "/nowhere").env("RTCUDA_BLAS", "none"));
    assert!(printed.starts_with("CPU, plain C; libcublas.so.13 is not found"), "{printed}");
    let printed = run(BUILT.program("dense_device").env("RTCUDA_BACKEND", "cpu").env("RTCUDA_BLAS", "none"));
    assert_eq!(printed, "CPU, plain C; RTCUDA_BACKEND is cpu\n");
    let printed = run(BUILT.program("calls").env("RTCUDA_BACKEND", "cuda"));
    assert_eq!(printed, "RT_EDEVICE RTspdDMV: RTCUDA_BACKEND is cuda, but rtcuda_api.cu is not linked\n");
    let mut program = BUILT.program("calls_device");
    let printed = run(program.env("RTCUDA_BACKEND", "cuda").env("FAKE_CUDA_FAIL", "cudaGetDeviceCount"));
    assert_eq!(printed, "RT_EDEVICE RTspdDMV: RTCUDA_BACKEND is cuda, but no CUDA device: no device\n");
}

#[test]
fn a_thousand_calls_make_handles_and_descriptors_once() {
    let counts = BUILT.path("counts");
    run(BUILT.program("calls_device").env("FAKE_CUDA_COUNTS", &counts));
    let counts = fs::read_to_string(counts).expect("they are counted");
    let count = |name: &str| -> u64 {
        let line = counts.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.unwrap_or_else(|| panic!("no {name} in\n{counts}")).parse().expect("a number")
    };
    for (name, n) in [
        ("cublasCreate", 1),
        ("cusparseCreate", 1),
        ("cusparseSpMV_bufferSize", 1),
        ("cusparseSpMV_preprocess", 1),
        ("cusparseSpMV", 1000),
        ("cusparseSpMM_bufferSize", 1),
        ("cusparseSpMM", 1000),
        ("cusparseSpSV_analysis", 1),
        ("cusparseSpSV_solve", 1000),
        // The matrix, its triangle, and the product of the last line.
        ("cusparseCreateCsr", 3),
        ("cusparseCreateDnVec", 3),
        ("cusparseCreateDnMat", 2),
        ("cublasGemv", 1000),
        ("cublasGemm", 2000),
        ("cublasGeam", 2000),
    ] {
        assert_eq!(count(name), n, "{name}");
    }
    // Six dense matrices, the arrays of two sparse ones, workspaces: not one of them for a call.
    assert!(count("cudaMalloc") < 25, "{counts}");
    // What went to the device once, what came back at the end, and a thousand copies that were asked for.
    assert!(count("cudaMemcpy") < 1020, "{counts}");
}

#[test]
fn what_fails_on_a_device_is_told() {
    let failures = [
        ("cublasGemm", "RT_EDEVICE", "RTdDMM: cublasGemm: a fault of cuBLAS"),
        ("cublasGemv", "RT_EDEVICE", "RTdDMV: cublasGemv: a fault of cuBLAS"),
        ("cublasGeam", "RT_EDEVICE", "RTdAdd: cublasGeam: a fault of cuBLAS"),
        ("cublasDot", "RT_EDEVICE", "RTdDDOT: cublasDot: a fault of cuBLAS"),
        ("cublasNrm2", "RT_EDEVICE", "RTdNorm: cublasNrm2: a fault of cuBLAS"),
        ("cublasAxpy", "RT_EDEVICE", "RTdAxpy: cublasAxpy: a fault of cuBLAS"),
        ("cublasScal", "RT_EDEVICE", "RTdScale: cublasScal: a fault of cuBLAS"),
        ("cudaMalloc", "RT_ENOMEM", "bytes cannot be had on the device"),
        ("cudaMemcpy", "RT_EDEVICE", "RTspdDMV: copy to the device: bad address"),
        ("cudaDeviceSynchronize", "RT_EDEVICE", "RTwait: cudaDeviceSynchronize: bad address"),
        ("cusparseCreateCsr", "RT_EDEVICE", "RTspdDMV: cusparseCreateCsr: a fault of cuSPARSE"),
        ("cusparseCreateDnVec", "RT_EDEVICE", "cusparseCreateDnVec"),
        ("cusparseCreateDnMat", "RT_EDEVICE", "RTspdDMM: cusparseCreateDnMat"),
        ("cusparseSpMV_bufferSize", "RT_EDEVICE", "cusparseSpMV_bufferSize"),
        ("cusparseSpMV_preprocess", "RT_EDEVICE", "cusparseSpMV_preprocess"),
        ("cusparseSpMV", "RT_EDEVICE", "RTspdDMV: cusparseSpMV: a fault of cuSPARSE"),
        ("cusparseSpMM_bufferSize", "RT_EDEVICE", "cusparseSpMM_bufferSize"),
        ("cusparseSpMM", "RT_EDEVICE", "RTspdDMM: cusparseSpMM"),
        ("cusparseSpSV_createDescr", "RT_EDEVICE", "RTspSolve: cusparseSpSV_createDescr"),
        ("cusparseSpSV_analysis", "RT_EDEVICE", "RTspSolve: cusparseSpSV_analysis"),
        ("cusparseSpSV_solve", "RT_EDEVICE", "RTspSolve: cusparseSpSV_solve"),
        ("cusparseSpGEMM_createDescr", "RT_EDEVICE", "RTspDMM: cusparseSpGEMM_createDescr"),
        ("cusparseSpGEMM_workEstimation", "RT_ENOMEM", "RTspDMM: cusparseSpGEMM_workEstimation"),
        ("cusparseSpGEMM_compute", "RT_ENOMEM", "RTspDMM: cusparseSpGEMM_compute"),
        ("cusparseSpGEMM_copy", "RT_ENOMEM", "RTspDMM: cusparseSpGEMM_copy"),
    ];
    for (call, code, message) in failures {
        let printed = run(BUILT.program("calls_device").env("FAKE_CUDA_FAIL", call));
        assert!(printed.starts_with(code) && printed.contains(message), "{call}: {printed}");
    }
}

#[test]
fn a_product_that_memory_is_too_small_for_is_made_by_parts() {
    for program in ["sparse_device", "calls_device"] {
        let counts = BUILT.path(&format!("counts_of_{program}"));
        let mut program = BUILT.program(program);
        let printed = run(program.env("FAKE_CUDA_FAIL", "cusparseSpGEMM_at_once").env("FAKE_CUDA_COUNTS", &counts));
        assert_eq!(printed, "");
        assert!(fs::read_to_string(counts).expect("they are counted").contains("cusparseSpGEMM_estimateMemory"));
    }
}

#[test]
fn nvcc_compiles_it() {
    let Ok(nvcc) = toolchain::nvcc() else {
        // Past the harness, which shows nothing of a test that passes.
        let _ = writeln!(std::io::stderr(), "[SKIP] nvcc_compiles_it: there is no nvcc");
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let source = repository("templates/api/rtcuda_api.cu");
    let flags = ["-std=c++17", "-arch=sm_90", "-Werror=all-warnings", "-Xcompiler", "-Wall,-Wextra", "-c"];
    run(Command::new(nvcc.path).args(flags).arg(source).arg("-o").arg(folder.path().join("api.o")));
}

/// rtcuda, in a folder.
fn rtcuda(folder: &Path, words: &[&str]) -> Output {
    let mut command = tool(env!("CARGO_BIN_EXE_rtcuda"), words);
    command.current_dir(folder).env("RTCUDA_BLAS", "none").output().expect("it runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn conjugate_gradients_run_in_a_converted_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = repository("tests/api/cg.c");
    let converted = rtcuda(folder.path(), &["convert", source.to_str().expect("a path"), "-o", "cg"]);
    assert!(converted.status.success(), "{}", text(&converted.stderr));
    assert!(text(&converted.stdout).contains("calls of rtcuda_api.h run on a GPU"), "{}", text(&converted.stdout));
    run(tool("make", ["-s", "-C", "cg", "sim"]).current_dir(folder.path()));
    let matrix = repository("matrices/poisson_2d.mtx");
    let expected = "n 144, 672 entries, 16 iterations,";
    for program in [folder.path().join("cg/cg_sim"), BUILT.path("cg"), BUILT.path("cg_device")] {
        let mut command = Command::new(program);
        let printed = run(command.arg(&matrix).env("LD_LIBRARY_PATH", BUILT.folder.path()).env("RTCUDA_BLAS", "none"));
        assert!(printed.starts_with(expected), "{printed}");
    }
}

#[test]
fn loops_beside_calls_are_converted_and_loops_with_calls_are_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = repository("tests/api/loops.c");
    let source = source.to_str().expect("a path");
    let verified = rtcuda(folder.path(), &["verify", source, "--backend", "cpu", "--json"]);
    let answer: serde_json::Value = serde_json::from_slice(&verified.stdout).expect("JSON");
    let program = &answer["programs"][0];
    assert_eq!((&program["verdict"], &program["converted"]), (&"verified".into(), &2.into()), "{answer:#}");
    let declined = program["diagnostics"].as_array().expect("a list").iter().map(ToString::to_string);
    let declined: Vec<String> = declined.filter(|d| d.contains("RTdScale")).collect();
    assert_eq!(declined.len(), 2, "{answer:#}");
    let ran = rtcuda(folder.path(), &["run", source, "--backend", "cpu"]);
    assert_eq!(
        text(&ran.stdout),
        run(Command::new(BUILT.path("loops")).env("RTCUDA_BLAS", "none")),
        "{}",
        text(&ran.stderr)
    );
}

#[test]
fn the_header_is_found_from_any_file_of_a_program() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("include")).expect("a folder");
    fs::write(path("include/matrix.h"), "#include <rtcuda_api.h>\nint sum(double *);\n").expect("it is written");
    let main = "#include \"matrix.h\"\nint main(void)\n{\n    double s;\n    return sum(&s) != RT_OK || s != 3;\n}\n";
    let sum = "#include \"matrix.h\"\nint sum(double *s)\n{\n    RTdense *x;\n    int code = RTdAlloc(&x, RT_DOUBLE, 3, 1);\n    \
               if (code || (code = RTdFill(x, 1)) || (code = RTdDDOT(x, x, s))) return code;\n    RTdFree(x);\n    \
               return RT_OK;\n}\n";
    fs::write(path("main.c"), main).expect("it is written");
    fs::write(path("sum.c"), sum).expect("it is written");
    let words = ["main.c", "sum.c"];
    let flags = ["--", "-Iinclude"];
    let ran = rtcuda(folder.path(), &[["run", "--backend=cpu"].as_slice(), &words, &flags].concat());
    assert!(ran.status.success(), "{}", text(&ran.stderr));
    for out in ["one", "two"] {
        let converted = rtcuda(folder.path(), &[["convert", "-o", out].as_slice(), &words, &flags].concat());
        assert!(converted.status.success(), "{}", text(&converted.stderr));
        run(tool("make", ["-s", "-C", out, "sim"]).current_dir(folder.path()));
        run(&mut Command::new(path(out).join("main_sim")));
    }
    for name in ["rtcuda.json", "Makefile", "CMakeLists.txt", "main.c"] {
        assert_eq!(fs::read(path("one").join(name)).ok(), fs::read(path("two").join(name)).ok(), "{name}");
    }
}

#[test]
fn a_program_may_have_its_own_copy() {
    let folder = tempfile::tempdir().expect("a folder");
    let written = rtcuda(folder.path(), &["api", "-o", "."]);
    assert!(text(&written.stdout).contains("cc -I. PROGRAM.c ./rtcuda_api.c -lm -ldl"), "{}", text(&written.stderr));
    assert!(rtcuda(folder.path(), &["api", "-o", "."]).status.success(), "the same files may be there");
    fs::copy(repository("tests/api/cg.c"), folder.path().join("cg.c")).expect("it is copied");
    let matrix = repository("matrices/poisson_2d.mtx");
    let builds: [&[&str]; 2] = [
        &["cc", "-O1", "cg.c", "rtcuda_api.c", "-o", "program", "-lm", "-ldl"],
        &["convert", "cg.c", "rtcuda_api.c", "-o", "out"],
    ];
    for words in builds {
        let built = rtcuda(folder.path(), words);
        assert!(built.status.success(), "{words:?}: {}", text(&built.stderr));
    }
    run(tool("make", ["-s", "-C", "out", "sim"]).current_dir(folder.path()));
    for program in ["program", "out/cg_sim"] {
        let printed = run(Command::new(folder.path().join(program)).arg(&matrix).env("RTCUDA_BLAS", "none"));
        assert!(printed.contains("16 iterations"), "{program}: {printed}");
    }
    fs::write(folder.path().join("rtcuda_api_host.h"), "mine").expect("it is written");
    let refused = rtcuda(folder.path(), &["api", "-o", "."]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        text(&refused.stderr).contains("./rtcuda_api_host.h is there, and is another"),
        "{}",
        text(&refused.stderr)
    );
    assert!(rtcuda(folder.path(), &["api", "-o", ".", "--force"]).status.success());
}
