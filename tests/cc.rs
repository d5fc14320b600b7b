//! `rtcuda cc` in the place of the C compiler: a project with a Makefile of its own, built by both, must be the same
//! but for the regions that were converted; and what is no compilation of C must be the compiler's own affair.

#[path = "support/folder.rs"]
mod folder;

use folder::Folder;
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// A project: two files of one name with functions and regions of one name, in an archive; a header with a static
/// function; one file of two compilations; one without regions.
const PROJECT: &[(&str, &str)] = &[
    (
        "Makefile",
        "CFLAGS = -O2 -g -Wall -MMD -Iinclude -DSCALE=2.0\n\
         OBJECTS = main.o twice_f.o twice_d.o\n\
         prog: $(OBJECTS) libparts.a\n\t$(CC) -o $@ $(OBJECTS) -L. -lparts -lm\n\
         libparts.a: first/part.o second/part.o\n\t$(AR) rcs $@ $^\n\
         twice_f.o: twice.c\n\t$(CC) $(CFLAGS) -DREAL=float -DNAME=twice_f -c $< -o $@\n\
         twice_d.o: twice.c\n\t$(CC) $(CFLAGS) -DREAL=double -DNAME=twice_d -c $< -o $@\n",
    ),
    (
        "include/parts.h",
        "static inline double squared(double x) { return x * x; }\n\
         void first(int n, double *u, const double *v);\nvoid second(int n, double *u, const double *v);\n\
         void twice_f(int n, float *u);\nvoid twice_d(int n, double *u);\n",
    ),
    (
        "first/part.c",
        "#include \"parts.h\"\n#include \"../second/own.h\"\n\
         static void step(int n, double *u, const double *v)\n{\n\
         \x20   for (int i = 0; i < n; i++)\n        u[i] = squared(v[i]) * SCALE + OWN;\n}\n\
         void first(int n, double *u, const double *v) { step(n, u, v); }\n",
    ),
    ("second/own.h", "#define OWN 1\n"),
    (
        "second/part.c",
        "#include <stdio.h>\n#include \"parts.h\"\n#include \"own.h\"\n\
         static void step(int n, double *u, const double *v)\n{\n\
         #pragma omp parallel for\n    for (int i = 0; i < n; i++)\n        u[i] += v[n - 1 - i] + OWN;\n}\n\
         void second(int n, double *u, const double *v)\n{\n    int unused;\n    step(n, u, v);\n\
         \x20   printf(\"%s:%d\\n\", __FILE__, __LINE__);\n}\n",
    ),
    (
        "twice.c",
        "#include \"parts.h\"\nstatic void work(int n, REAL *u)\n{\n\
         \x20   for (int i = 0; i < n; i++) u[i] = u[i] + u[i] / 3;\n}\n\
         void NAME(int n, REAL *u) { work(n, u); }\n",
    ),
    (
        "main.c",
        "#include <stdio.h>\n#include \"parts.h\"\n\
         static double u[50], v[50];\nstatic float f[50] = {1, 2};\n\
         int main(void)\n{\n    v[7] = 3;\n    first(50, u, v);\n    second(50, u, v);\n    twice_d(50, u);\n\
         \x20   twice_f(50, f);\n    printf(\"%g %g %g %g\\n\", u[7], u[42], u[0], f[1]);\n    return 3;\n}\n",
    ),
];

/// Where commands of a project run.
struct Place(Folder);

impl Place {
    fn new(files: &[(&str, &str)]) -> Place {
        Place(Folder::new(files))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.file(name)
    }

    /// A command in the folder, whose programs are simulated.
    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = self.0.command(program);
        command.env("RTCUDA_BACKEND", "cpu");
        command
    }

    /// `rtcuda cc`, with the words of a line.
    fn cc(&self, line: &str) -> Command {
        let mut command = self.command(env!("CARGO_BIN_EXE_rtcuda"));
        command.arg("cc").args(line.split_whitespace());
        command
    }

    /// The compiler itself.
    fn plain(&self, line: &str) -> Command {
        let mut command = self.command("cc");
        command.args(line.split_whitespace());
        command
    }

    fn make(&self, cc: &str) -> Command {
        let mut command = self.command("make");
        command.args(["-j2".to_owned(), format!("CC={cc}")]);
        command
    }

    /// Runs a program that was built here.
    fn run(&self, program: &str) -> Command {
        self.command(self.path(program))
    }

    /// Every dependency file, with its name.
    fn dependencies(&self) -> Vec<(PathBuf, String)> {
        let mut found = Vec::new();
        for folder in ["", "first", "second"] {
            for entry in fs::read_dir(self.path(folder)).unwrap() {
                let path = entry.unwrap().path();
                if path.extension().is_some_and(|extension| extension == "d") {
                    let text = fs::read_to_string(&path).unwrap();
                    found.push((path.strip_prefix(self.0.path()).unwrap().to_owned(), text));
                }
            }
        }
        found.sort();
        found
    }
}

fn words(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn ours() -> String {
    format!("{} cc", env!("CARGO_BIN_EXE_rtcuda"))
}

/// The output of a command that must succeed.
fn done(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}\n{}{}", words(&output.stdout), words(&output.stderr));
    output
}

/// What `rtcuda cc` adds to the compiler's own words.
fn said(output: &Output) -> Vec<String> {
    words(&output.stderr).lines().filter(|line| line.starts_with("rtcuda:")).map(str::to_owned).collect()
}

#[test]
fn a_project_with_a_makefile_is_the_same_but_for_its_regions() {
    let (plain, converted) = (Place::new(PROJECT), Place::new(PROJECT));
    done(&mut plain.make("cc"));
    let made = done(&mut converted.make(&ours()));
    assert_eq!(said(&made).len(), 4, "{:?}", said(&made));
    assert!(words(&made.stderr).contains("unused variable"), "the compiler's own warnings");

    let expected = plain.run("prog").output().unwrap();
    let profile = converted.path("profile.json");
    let found = converted.run("prog").env("RTCUDA_PROFILE", &profile).output().unwrap();
    assert_eq!((found.status.code(), words(&found.stdout)), (Some(3), words(&expected.stdout)));
    assert!(words(&found.stdout).contains("second/part.c:14"), "{}", words(&found.stdout));
    // Two files with a region of one name, and one region in two compilations, all in one runtime.
    let profile: serde_json::Value = serde_json::from_str(&fs::read_to_string(profile).unwrap()).unwrap();
    let regions = profile["regions"].as_array().unwrap();
    let mut names: Vec<&str> = regions.iter().map(|region| region["region"].as_str().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names, ["step_0", "step_0", "work_0"], "{profile:#}");
    assert_eq!(plain.dependencies(), converted.dependencies());
    assert_eq!(plain.dependencies().len(), 5);
}

#[test]
fn a_project_is_verified() {
    let place = Place::new(PROJECT);
    done(place.make(&ours()).env("RTCUDA_VERIFY", "1"));
    let report = place.path("report.json");
    let ran = place.run("prog").env("RTCUDA_REPORT", &report).output().unwrap();
    assert_eq!(ran.status.code(), Some(3), "{}", words(&ran.stderr));
    let report: serde_json::Value = serde_json::from_str(&fs::read_to_string(report).unwrap()).unwrap();
    for region in report["regions"].as_array().unwrap() {
        assert_eq!(region["not_converted"].as_array().unwrap().len(), 0, "{region:#}");
        assert!(region["arrays"].as_array().unwrap().iter().all(|array| array["differing"] == 0), "{region:#}");
    }
    assert_eq!(report["regions"].as_array().unwrap().len(), 3);
}

/// Commands in which nothing is converted: the same words, the same status, the same files.
#[test]
fn what_is_no_conversion_is_the_compilers_own() {
    let files: &[(&str, &str)] = &[
        ("a.c", "#include \"h.h\"\nvoid f(int n, double *a) { for (int i = 0; i < n; i++) a[i] = H; }\n"),
        ("h.h", "#define H 1\n"),
        ("broken.c", "void f(int n, double *a) { for (int i = 0; i < n; i++) a[i] = x; }\nint g( {\n"),
        ("conftest.c", "int main(void) { double a[9]; for (int i = 0; i < 9; i++) a[i] = i; return a[3] != 3; }\n"),
        ("plain.c", "int g(int x) { return x + 1; }\n"),
        ("s.s", ".text\n.globl s\ns: ret\n"),
        ("words", "-c plain.c -o 'a b.o'\n"),
    ];
    for line in [
        "",
        "--version",
        "-v",
        "-dumpmachine",
        "-print-search-dirs",
        "--help",
        "-E a.c",
        "-E -dM -x c /dev/null",
        "-S a.c -o -",
        "-M a.c",
        "-MM -MG a.c",
        "-c broken.c -o broken.o",
        "-Wall broken.c -o broken",
        "-c no_such.c",
        "-c a.c -o no/such/folder/a.o",
        "-c a.c -o /dev/null",
        "-fsyntax-only a.c",
        "-o conftest conftest.c -lm",
        "-c plain.c -MD",
        "-c s.s",
        "@words",
        "-c -x c++ a.c -o cpp.o",
        "-no-such-option -c plain.c",
        "no_such.o -o program",
        "-- a.c",
    ] {
        let (plain, through) = (Place::new(files), Place::new(files));
        let expected = plain.plain(line).output().unwrap();
        let found = through.cc(line).output().unwrap();
        assert_eq!(
            (found.status.code(), words(&found.stdout), words(&found.stderr)),
            (expected.status.code(), words(&expected.stdout), words(&expected.stderr)),
            "cc {line}"
        );
        assert_eq!(names(through.0.path()), names(plain.0.path()), "cc {line}");
    }
}

/// The files of a folder, without links into the system's temporary ones.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().display().to_string()).collect();
    names.sort();
    names
}

const REGION: &str = "void f(int n, double *a) { for (int i = 0; i < n; i++) a[i] = 2 * a[i] + 1; }\n";
const CALLER: &str = "#include <stdio.h>\nvoid f(int n, double *a);\n\
     int main(void) { double a[5] = {1, 2, 3}; f(5, a); printf(\"%g %g\\n\", a[2], a[4]); return 0; }\n";

/// Builds by several lines, of which one converts, and runs.
fn built(place: &Place, lines: &[&str], program: &str) -> (String, String) {
    let mut told = String::new();
    for line in lines {
        let output = done(&mut place.cc(line));
        told += &said(&output).join("\n");
    }
    let mut run = place.run(program);
    let output = done(run.env("LD_LIBRARY_PATH", place.0.path()).env("RTCUDA_PROFILE", "/dev/stderr"));
    assert!(words(&output.stderr).contains("\"region\":\"f_0\""), "{lines:?}: {}", words(&output.stderr));
    (told, words(&output.stdout))
}

#[test]
fn sources_are_converted_in_every_form_of_a_command() {
    for lines in [
        &["-O2 f.c main.c -o prog"][..],
        &["-O2 main.c -x c f.txt -x none -o prog -lm"],
        &["-c f.c main.c", "f.o main.o -o prog"],
        &["-shared -fPIC f.c -o libf.so", "main.c -o prog -L. -lf"],
        &["-fPIC -c f.c", "-shared f.o -o libf.so", "main.c -o prog -L. -lf"],
        &["-c f.c -of.o", "-r -nostdlib f.o -o g.o", "main.c g.o -o prog"],
        &["-flto -O2 -c f.c", "-flto -O2 main.c f.o -o prog"],
        &["-std=c89 -pedantic-errors -Werror -D_XOPEN_SOURCE=700 -c old.c -o f.o", "main.c f.o -o prog"],
        &["@words"],
    ] {
        let place = Place::new(&[
            ("f.c", REGION),
            ("f.txt", REGION),
            ("old.c", "void f(int n, double *a) { int i; for (i = 0; i < n; i++) a[i] = 2 * a[i] + 1; }\n"),
            ("main.c", CALLER),
            ("words", "-O2 f.c\n\"main.c\" -o prog"),
        ]);
        let (told, out) = built(&place, lines, "prog");
        assert_eq!(out, "7 1\n", "{lines:?}");
        assert!(told.contains(": 1 region converted, simulated on the CPU"), "{lines:?}: {told}");
    }
}

#[test]
fn an_object_is_the_same_every_time_and_names_no_temporary_file() {
    let place = Place::new(&[("f.c", REGION)]);
    let object = || {
        done(&mut place.cc("-g -O2 -c f.c -o f.o"));
        fs::read(place.path("f.o")).unwrap()
    };
    let (first, second) = (object(), object());
    assert!(first == second);
    let holds = |text: &str| first.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(holds("f.c") && holds("rtcuda_object_simulated") && !holds("rtcuda-cc-"));
}

#[test]
fn an_interrupt_leaves_nothing_behind() {
    let place = Place::new(&[("f.c", REGION), ("tmp/.keep", "")]);
    let mut child = place.cc("-c f.c -o f.o").env("TMPDIR", place.path("tmp")).spawn().unwrap();
    let is_compiling = || names(&place.path("tmp")).iter().any(|name| name.starts_with("rtcuda-cc-"));
    let end = Instant::now() + Duration::from_secs(60);
    while !is_compiling() && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(2));
    }
    done(place.command("kill").args(["-TERM", &child.id().to_string()]));
    assert_eq!(child.wait().unwrap().code(), Some(128 + 15));
    assert_eq!((names(&place.path("tmp")), place.path("f.o").exists()), (vec![".keep".to_owned()], false));
}

/// Threads that call regions at the same time, each on arrays of its own.
/// Within a file data stay on the device, and are at home wherever another file comes to them.
#[test]
fn what_stays_comes_home_for_other_files() {
    let place = Place::new(&[
        (
            "solver.c",
            "void watch(int t, double x);\nextern double shown[];\n\
             static void damp(int n, double *u) { for (int i = 0; i < n; i++) u[i] *= 0.75; }\n\
             static void raise(int n, const double *v, double *u) { for (int i = 0; i < n; i++) u[i] += v[i]; }\n\
             void solve(int n, int steps, double *u, double *v)\n{\n\
             \x20   for (int t = 0; t < steps; t++) {\n        damp(n, u);\n        raise(n, u, v);\n        shown[2] += 1;\n\
             \x20       if (t % 10 == 9) watch(t, u[7]);\n    }\n}\n",
        ),
        (
            "main.c",
            "#include <stdio.h>\nvoid solve(int n, int steps, double *u, double *v);\n\
             double shown[900];\nstatic double v[900];\n\
             void watch(int t, double x) { printf(\"%d %.9g %.9g %.9g\\n\", t, x, shown[2], v[3]); }\n\
             int main(void)\n{\n    for (int i = 0; i < 900; i++) shown[i] = i % 5;\n    solve(900, 40, shown, v);\n\
             \x20   printf(\"%.9g %.9g\\n\", shown[899], v[4]);\n    return 0;\n}\n",
        ),
    ]);
    let lines =
        |cc: &str| [format!("{cc} -c solver.c"), format!("{cc} -c main.c"), format!("{cc} -o prog main.o solver.o")];
    let print = |cc: &str| {
        lines(cc).iter().for_each(|line| drop(done(place.command("sh").args(["-c", line]))));
        let profile = place.path("profile.json");
        let printed = words(&done(place.command(place.path("prog")).env("RTCUDA_PROFILE", &profile)).stdout);
        (printed, fs::read_to_string(profile).ok())
    };
    let (expected, _) = print("cc");
    let (printed, profile) = print(&ours());
    assert_eq!(printed, expected);
    let profile: serde_json::Value = serde_json::from_str(&profile.expect("it was written")).expect("it is JSON");
    let regions = profile["regions"].as_array().expect("regions");
    let sum = |row: &str| regions.iter().map(|r| r[row]["calls"].as_u64().expect("a count")).sum::<u64>();
    let calls: u64 = regions.iter().map(|r| r["calls"].as_u64().expect("a count")).sum();
    assert!(calls >= 80 && sum("copy_in") < 60 && sum("copy_out") < 60, "{profile}");
}

#[test]
fn threads_take_turns() {
    let threads = "#include <pthread.h>\n#include <stdio.h>\nvoid f(int n, double *a);\n\
         static double a[4][64];\n\
         static void *work(void *mine) { for (int k = 0; k < 20; k++) f(64, mine); return 0; }\n\
         int main(void)\n{\n    pthread_t t[4];\n\
         \x20   for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, work, a[i]);\n\
         \x20   for (int i = 0; i < 4; i++) pthread_join(t[i], 0);\n\
         \x20   printf(\"%g %g\\n\", a[0][3], a[3][63]);\n    return 0;\n}\n";
    for check in ["0", "1"] {
        let place = Place::new(&[("f.c", REGION), ("main.c", threads)]);
        done(place.cc("-O2 f.c main.c -o prog -pthread").env("RTCUDA_VERIFY", check));
        let ran = done(&mut place.run("prog"));
        assert_eq!((words(&ran.stdout), words(&ran.stderr)), ("1.04858e+06 1.04858e+06\n".into(), String::new()));
    }
}

#[test]
fn the_environment_is_obeyed() {
    let place = Place::new(&[("f.c", REGION), ("c.toml", "[[region]]\nfunction = \"elsewhere\"\n"), ("bad.toml", "x")]);
    let compile = |name: &str, value: &str| place.cc("-c f.c").env(name, value).output().unwrap();
    let refused = |output: Output, code: &str| {
        assert_eq!(output.status.code(), Some(2));
        assert!(words(&output.stderr).contains(code), "{}", words(&output.stderr));
    };
    refused(compile("RTCUDA_BACKEND", "gpu"), "error[backend]");
    refused(compile("RTCUDA_CONFIG", "bad.toml"), "error[toml-syntax]");
    refused(compile("RTCUDA_CC", "no-such-compiler"), "error[no-c-compiler]");
    // An object without what was asked for would pass for finished in the next build.
    refused(place.cc("-c f.c").env("CXX", "no-such-compiler").output().unwrap(), "error[no-cxx-compiler]");
    assert!(!place.path("f.o").exists());
    // The configuration speaks of a program, of which this is one file.
    let elsewhere = compile("RTCUDA_CONFIG", "c.toml");
    assert!(elsewhere.status.success() && said(&elsewhere).is_empty(), "{}", words(&elsewhere.stderr));
    let told = compile("RTCUDA_VERBOSE", "1");
    assert_eq!(said(&told), ["rtcuda: f.c: 1 region converted, simulated on the CPU"]);
    assert!(compile("RTCUDA_KEEP", "kept").status.success());
    let kept = names(&place.path("kept"));
    assert!(kept.len() == 1 && place.path("kept").join(&kept[0]).join("f.cu").is_file(), "{kept:?}");
}

/// Under another name it is found all the same; behind a script it ends where it is called by itself.
#[test]
fn it_is_no_compiler_of_its_own() {
    let script = format!("#!/bin/sh\nexec {} \"$@\"\n", ours());
    let place = Place::new(&[("f.c", REGION), ("script", &script)]);
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_rtcuda"), place.path("other")).unwrap();
    let other = place.path("other").display().to_string();
    done(place.cc("-c f.c").env("CC", format!("{other} cc")).env_remove("RTCUDA_CC"));
    assert!(place.path("f.o").is_file());
    fs::set_permissions(place.path("script"), fs::Permissions::from_mode(0o755)).unwrap();
    let output = place.cc("-c f.c").env("RTCUDA_CC", place.path("script")).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(words(&output.stderr).contains("error[cc-calls-itself]"), "{}", words(&output.stderr));
}

#[test]
fn a_directive_that_is_wrong_leaves_the_file_to_the_compiler() {
    let place = Place::new(&[("f.c", &format!("#pragma rt shape(b: n)\n{REGION}"))]);
    let output = done(&mut place.cc("-c f.c"));
    assert!(words(&output.stderr).contains("error[unknown-name]"), "{}", words(&output.stderr));
    assert_eq!(said(&output), ["rtcuda: f.c: not converted, compiled as the C that it is"]);
    assert!(place.path("f.o").is_file());
}

#[test]
fn objects_for_a_gpu_are_linked_with_cuda() {
    if rtcuda::runtime::toolchain::nvcc().is_err() {
        // Past the harness, which shows nothing of a test that passes.
        let _ = writeln!(std::io::stderr(), "[SKIP] objects_for_a_gpu_are_linked_with_cuda: there is no nvcc");
        return;
    }
    let place = Place::new(&[
        ("f.c", REGION),
        ("main.c", CALLER),
        ("t.toml", "[target]\nbackend = \"cuda\"\narch = \"sm_90\"\n"),
    ]);
    let gpu = |line: &str| {
        let mut command = place.cc(line);
        command.env("RTCUDA_CONFIG", place.path("t.toml")).env("RTCUDA_BACKEND", "cuda");
        command.env("RTCUDA_NVCC", rtcuda::runtime::toolchain::nvcc().unwrap().path);
        command
    };
    let told = done(&mut gpu("-O2 -c f.c"));
    assert_eq!(said(&told), ["rtcuda: f.c: 1 region converted, for sm_90"]);
    done(&mut gpu("main.c f.o -o prog"));
    let ran = done(place.run("prog").env("RTCUDA_ON_ERROR", "fallback"));
    assert_eq!(words(&ran.stdout), "7 1\n");
    done(&mut place.cc("-DN -c f.c -o g.o"));
    let mixed = gpu("main.c f.o g.o -o mixed").output().unwrap();
    assert_eq!(mixed.status.code(), Some(2));
    assert!(words(&mixed.stderr).contains("error[mixed-backends]"), "{}", words(&mixed.stderr));
}
