//! The command line as a user meets it: one clear message for each fault, the exit status, and nothing half written.

#[path = "support/folder.rs"]
mod folder;

use folder::Folder;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::{fs, str};

const MAIN: &str = "int main(void) { return 0; }\n";

/// Where rtcuda is run.
struct Place(Folder);

impl Place {
    fn new(files: &[(&str, &str)]) -> Place {
        Place(Folder::new(files))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.file(name)
    }

    fn command(&self, arguments: &str) -> Command {
        let mut command = self.0.command(env!("CARGO_BIN_EXE_rtcuda"));
        command.args(arguments.split_whitespace());
        command
    }

    fn run(&self, arguments: &str) -> Said {
        Said::of(self.command(arguments).output().unwrap())
    }

    /// The files and folders that are there, in order.
    fn listing(&self) -> Vec<String> {
        fn walk(folder: &Path, top: &Path, found: &mut Vec<String>) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                found.push(path.strip_prefix(top).unwrap().display().to_string());
                if path.is_dir() {
                    walk(&path, top, found);
                }
            }
        }
        let mut found = Vec::new();
        walk(self.0.path(), self.0.path(), &mut found);
        found.sort();
        found
    }
}

struct Said {
    status: i32,
    out: String,
    err: String,
}

impl Said {
    fn of(output: Output) -> Said {
        let text = |bytes: &[u8]| str::from_utf8(bytes).unwrap().to_owned();
        Said { status: output.status.code().unwrap(), out: text(&output.stdout), err: text(&output.stderr) }
    }

    /// The command failed with one error that says all of this, and printed no answer.
    fn refuses(&self, status: i32, code: &str, words: &[&str]) {
        assert_eq!(self.status, status, "{}\n{}", self.out, self.err);
        assert_eq!(self.err.matches("error[").count(), 1, "{}", self.err);
        assert!(self.err.contains(&format!("error[{code}]")), "{}", self.err);
        for word in words {
            assert!(self.err.contains(word), "no {word:?} in:\n{}", self.err);
        }
        assert_eq!(self.out, "");
    }
}

#[test]
fn help_teaches_every_command() {
    let place = Place::new(&[]);
    let top = place.run("--help");
    assert_eq!(top.status, 0);
    for command in ["convert", "verify", "run", "explain", "cc", "device"] {
        assert!(top.out.contains(command));
        let said = place.run(&format!("help {command}"));
        assert_eq!(said.status, 0);
        assert!(said.out.contains("Exit status:"), "{}", said.out);
    }
    assert_eq!(place.run("").status, 2);
    assert_eq!(place.run("convert").status, 2);
    assert_eq!(place.run("tidy x.c").status, 2);
}

#[test]
fn shells_and_man_know_the_commands() {
    let place = Place::new(&[]);
    for shell in ["bash", "zsh", "fish"] {
        let said = place.run(&format!("completions {shell}"));
        assert!(said.status == 0 && said.out.contains("explain"), "{shell}: {}", said.err);
    }
    assert_eq!(place.run("man -o pages").status, 0);
    assert!(std::fs::read_to_string(place.path("pages/rtcuda-convert.1")).is_ok_and(|page| page.contains("CUDA")));
}

#[test]
fn a_missing_file() {
    let place = Place::new(&[]);
    for command in ["convert", "explain", "verify", "run"] {
        place.run(&format!("{command} no.c")).refuses(2, "no-such-file", &["no.c"]);
    }
    assert!(place.listing().is_empty());
}

#[test]
fn c_that_does_not_preprocess() {
    let place = Place::new(&[("a.c", "#include \"no.h\"\nint main(void) { return 0; }\n")]);
    place.run("convert a.c").refuses(2, "preprocess-failed", &["no.h", "a.c"]);
    assert_eq!(place.listing(), ["a.c"]);
    let verified = place.run("verify a.c");
    assert_eq!(verified.status, 2);
    assert!(verified.out.contains("no.h") && verified.out.contains("not converted"), "{}", verified.out);
}

#[test]
fn what_is_no_c_is_refused_in_the_compilers_words() {
    let loops = "static double a[99];\nvoid f(int n) { for (int i = 0; i < n; i++) a[i] = 2 * a[i]; }\n";
    let faults = [
        ("int main(void) { f(9); int x = ; return 0; }\n", "a.c:3:"),
        ("int main(void) { f(9) return 0; }\n", "a.c:3:"),
        ("int main(void) { return y; }\n", "y"),
        ("int main(void) { f(9); return 0;\n", "a.c:3:"),
    ];
    for (main, words) in faults {
        let place = Place::new(&[("a.c", &format!("{loops}{main}"))]);
        for command in ["convert a.c", "explain a.c", "run a.c --backend cpu"] {
            place.run(command).refuses(2, "not-c", &[words, "a.c does not compile"]);
        }
        let verified = place.run("verify a.c --backend cpu");
        assert_eq!(verified.status, 2, "{}{}", verified.out, verified.err);
        assert!(verified.out.contains(words) || verified.err.contains("no `main`"), "{}{}", verified.out, verified.err);
        assert_eq!(place.listing(), ["a.c"]);
    }
}

#[test]
fn a_temporary_folder_that_is_none() {
    let place = Place::new(&[("a.c", MAIN)]);
    for command in ["convert a.c", "explain a.c", "run a.c --backend cpu", "verify a.c --backend cpu"] {
        let said = Said::of(place.command(command).env("TMPDIR", "/no/such/folder").output().unwrap());
        assert_eq!(said.status, 2, "{command}: {}{}", said.out, said.err);
        let all = said.out + &said.err;
        assert!(all.contains("no-temporary-folder") && all.contains("/no/such/folder"), "{command}: {all}");
        assert!(all.contains("set TMPDIR") && !all.contains("fault of rtcuda"), "{command}: {all}");
    }
}

#[test]
fn arguments_of_the_program_among_its_files() {
    let place = Place::new(&[("a.c", MAIN)]);
    place.run("run a.c 64 --backend cpu").refuses(2, "no-such-file", &["64 does not exist", "`--arg 64`"]);
    place.run("verify a.c x=3 --backend cpu").refuses(2, "no-such-file", &["`--arg x=3`"]);
    place.run("run a.c b.c --backend cpu").refuses(2, "no-such-file", &["b.c", "check the path"]);
}

#[test]
fn a_faulty_configuration() {
    let place = Place::new(&[("a.c", MAIN), ("c.toml", "[target]\nbackand = \"cpu\"\n"), ("d.toml", "x = [\n")]);
    let words = ["c.toml:2:1", "did you mean `backend`?"];
    place.run("convert a.c --config c.toml").refuses(2, "unknown-key", &words);
    place.run("verify a.c --config c.toml").refuses(2, "unknown-key", &words);
    place.run("run a.c --config d.toml").refuses(2, "toml-syntax", &["d.toml:1"]);
    place.run("convert a.c --config no.toml").refuses(2, "config-unreadable", &["no.toml"]);
    place.run("convert --config e.toml").refuses(2, "config-unreadable", &["e.toml"]);
    assert_eq!(place.listing(), ["a.c", "c.toml", "d.toml"]);
}

#[test]
fn faults_as_json() {
    let place = Place::new(&[("a.c", MAIN), ("c.toml", "[target]\nbackand = \"cpu\"\nfmad = 1\n")]);
    let said = place.run("convert a.c --config c.toml --json");
    assert_eq!((said.status, said.err.as_str()), (2, ""));
    let json: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(json["diagnostics"][0]["code"], "unknown-key");
    assert_eq!(json["diagnostics"][1]["place"]["line"], 3);
}

#[test]
fn an_output_folder_that_cannot_be_written() {
    let place = Place::new(&[("a.c", MAIN), ("file", "")]);
    place.run("convert a.c -o file/below").refuses(2, "output-folder", &["file/below", "-o"]);
    place.run("convert a.c -o /proc/no").refuses(2, "output-folder", &["/proc/no"]);
    assert_eq!(place.listing(), ["a.c", "file"]);
}

#[test]
fn a_folder_of_the_users_is_not_written_to() {
    let place = Place::new(&[("p/a.c", MAIN)]);
    place.run("convert p/a.c -o p").refuses(2, "output-is-input", &["p/a.c", "-o"]);
    place.run("convert p/a.c -o .").refuses(2, "output-folder", &["-o"]);
    assert_eq!(fs::read_to_string(place.path("p/a.c")).unwrap(), MAIN);
    assert_eq!(place.listing(), ["p", "p/a.c"]);
}

#[test]
fn a_conversion_is_written_and_replaced() {
    let place = Place::new(&[("a.c", MAIN)]);
    for _ in 0..2 {
        let said = place.run("convert a.c");
        assert_eq!((said.status, said.err.as_str()), (0, ""));
        assert!(said.out.starts_with("out/a: "), "{}", said.out);
    }
    assert_eq!(
        fs::read_to_string(place.path("out/a/a.c")).unwrap(),
        MAIN,
        "what is not converted is copied to the letter"
    );
    let json: serde_json::Value = serde_json::from_str(&place.run("convert a.c --json -o b").out).unwrap();
    assert!(json["files"].as_array().unwrap().contains(&"b/a.c".into()), "{json}");
}

#[test]
fn no_c_compiler() {
    let place = Place::new(&[("a.c", MAIN)]);
    let said = |arguments: &str, variable: &str, value: &str| {
        Said::of(place.command(arguments).env(variable, value).output().unwrap())
    };
    said("convert a.c", "CC", "no-such-cc").refuses(2, "no-c-compiler", &["no-such-cc", "install"]);
    said("convert a.c", "PATH", "").refuses(2, "no-c-compiler", &["cc", "install"]);
    assert_eq!(place.listing(), ["a.c"]);
    let device = said("device", "PATH", "");
    assert_eq!(device.status, 1);
    assert!(device.out.contains("no C compiler"), "{}", device.out);
}

#[test]
fn no_nvcc_and_no_gpu() {
    let place = Place::new(&[("a.c", MAIN)]);
    for command in ["run", "verify"] {
        let said = Said::of(
            place.command(&format!("{command} a.c --backend cuda")).env("RTCUDA_NVCC", "/no/nvcc").output().unwrap(),
        );
        assert_eq!((said.status, said.out.as_str()), (2, ""), "{}", said.err);
        // The GPU is looked for first.
        let is_clear = said.err.contains("error[no-gpu]") && said.err.contains("--backend cpu");
        assert!(is_clear || said.err.contains("error[no-nvcc]") && said.err.contains("/no/nvcc"), "{}", said.err);
    }
    assert_eq!(place.listing(), ["a.c"]);
}

#[test]
fn a_reason_elsewhere_says_what_stays_because_of_it() {
    let place = Place::new(&[(
        "a.c",
        "#include <stdio.h>
static double sum(const int *at, const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += x[at[i]];
    return s;
}
void all(const int *at, double *x, int n, int steps) {
    for (int t = 0; t < steps; t++) {
        x[t] = sum(at, x, n);
        printf(\"%g %g\\n\", x[t], x[t / 2]);
    }
}
",
    )]);
    let said = place.run("convert -v a.c -o out");
    let (reason, stays) = (said.err.find("a.c:7:"), said.err.find("a.c:8:"));
    assert!(reason.is_some() && reason < stays, "{}", said.err);
    assert!(said.err.contains("this stays on the host because of it"), "{}", said.err);
    // Unasked, in a line.
    let said = place.run("convert a.c -o out");
    assert_eq!(said.err.lines().count(), 1, "{}", said.err);
    assert!(said.err.starts_with("1 loop or statement runs on the host"), "{}", said.err);
}

#[test]
fn a_run_tells_which_lines_move_arrays() {
    let place = Place::new(&[(
        "a.c",
        "#include <stdio.h>
static double u[300];
static void step(void) {
    #pragma rt region
    for (int i = 0; i < 300; i++) u[i] += i;
    #pragma rt end
}
int main(void) {
    for (int t = 0; t < 3; t++) {
        step();
        u[7] = getchar();
        if (t == 1) printf(\"%g\\n\", u[9]);
    }
    return 0;
}
",
    )]);
    let said = Said::of(place.command("run a.c --backend cpu").stdin(Stdio::null()).output().unwrap());
    assert_eq!((said.status, said.out.as_str()), (0, "18\n"), "{}", said.err);
    let words = said.err.split_whitespace().collect::<Vec<_>>().join(" ");
    for line in [
        "copies to the device 3 times",
        "u to the device 2.4 kB each once for step_0, a.c:5",
        "u to the device 8 B each 2 times written at a.c:11",
        "u to the host 8 B each 3 times used at a.c:11",
        "u to the host 8 B each once used at a.c:12",
    ] {
        assert!(words.contains(line), "{line}: {words}");
    }
}

#[test]
fn a_program_runs_and_its_status_is_told() {
    let place = Place::new(&[
        ("ok.c", "#include <stdio.h>\nint main(void) { puts(\"hello\"); return 0; }\n"),
        ("bad.c", "int main(void) { return 7; }\n"),
        ("lib.c", "int f(void) { return 0; }\n"),
        ("unresolved.c", "int f(void);\nint main(void) { return f(); }\n"),
    ]);
    let ok = place.run("run ok.c --backend cpu");
    assert_eq!((ok.status, ok.out.as_str()), (0, "hello\n"), "{}", ok.err);
    let bad = place.run("run bad.c --backend cpu");
    assert_eq!(bad.status, 1);
    assert!(bad.err.contains("exit status 7"), "{}", bad.err);
    place.run("run unresolved.c --backend cpu").refuses(2, "link-failed", &["name every C file"]);
    assert_eq!(place.run("run unresolved.c lib.c --backend cpu").status, 0);
    place.run("verify lib.c").refuses(2, "no-program", &["main"]);
}

#[test]
fn a_reader_that_leaves_is_no_fault() {
    let place = Place::new(&[("a.c", MAIN)]);
    let mut child = place.command("device --json").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(str::from_utf8(&output.stderr).unwrap(), "");
    assert!(output.status.code().is_some_and(|status| status < 2));
}

#[test]
fn the_cost_model_needs_no_gpu() {
    let place = Place::new(&[]);
    let said = place.run("bench --model --arch sm_70 --json");
    assert_eq!(said.status, 0, "{}", said.err);
    let told: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(told["model"], "V100");
    let kernels = told["kernels"].as_array().unwrap();
    let of = |name: &str| kernels.iter().find(|k| k["kernel"] == name).unwrap_or_else(|| panic!("{name}"));
    assert!(kernels.len() >= 18 && kernels.iter().all(|k| k["seconds"].as_f64().unwrap() > 0.0));
    assert_eq!(of("rt_axpy_0_k0")["limit"], "memory");
    assert_eq!(of("rt_every_eighth_0_k0")["accesses"][0]["sectors"], 32.0);
    assert!(of("rt_transpose_0_k0")["accesses"].as_array().unwrap().iter().all(|x| x["sectors"].as_f64() <= Some(4.0)));
    assert_eq!(of("rt_sparse_0_k0")["assumed"], serde_json::json!(["trips", "address", "condition"]));

    let said = place.run("bench --model --arch sm_9");
    assert_eq!(said.status, 2);
    assert!(said.err.contains("there is no model of `sm_9`"), "{}", said.err);
}

#[test]
fn solvers_are_measured_on_the_cpu_where_that_is_asked_for() {
    let place = Place::new(&[]);
    let said = place.run("bench solvers --size 4 --max-iter 200 --backend cpu --json");
    assert_eq!(said.status, 0, "{}", said.err);
    let told: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    let solvers = told["solvers"].as_array().unwrap();
    let named: Vec<String> = solvers.iter().map(|s| format!("{} {}", s["method"], s["precond"])).collect();
    assert!(named.iter().any(|name| name == "\"cg\" \"amg\""), "{named:?}");
    let mixed: Vec<_> = solvers.iter().filter(|s| s["precision"] == "mixed").map(|s| &s["method"]).collect();
    assert_eq!(mixed, ["cg"], "{told:#}");
    assert!(solvers.iter().all(|s| s["solved"]["verdict"] == "converged"), "{told:#}");
}

#[test]
fn energy_is_not_metered_where_nothing_runs_on_a_gpu() {
    let place = Place::new(&[("a.c", "int main(void) { return 0; }\n")]);
    place.run("matrix gen poisson 3 3 -o a.mtx");
    for command in ["solve cg --matrix a.mtx", "run a.c", "bench solvers --size 4"] {
        let said = place.run(&format!("{command} --energy --backend cpu"));
        assert!(said.status == 2 && said.err.contains("error[no-meter]"), "{command}: {}", said.err);
        assert!(said.err.contains("leave out --energy"), "{command}: {}", said.err);
    }
}

#[test]
fn kernels_are_named_where_none_is_meant_and_checked_without_a_gpu() {
    let place = Place::new(&[("c.toml", "[defaults]\noptimize = []\n")]);
    let said = place.run("bench kernels --only no-such");
    assert_eq!(said.status, 2);
    assert!(said.err.contains("no kernel has `no-such` in its name"), "{}", said.err);
    assert!(said.err.contains("there are madd, complex_product"), "{}", said.err);

    let said = place.run("bench kernels --only madd --check --backend cpu --config c.toml --json");
    assert_eq!(said.status, 0, "{}", said.err);
    let told: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(told["programs"][0]["program"], "elementwise.c");
    assert_eq!(told["programs"][0]["verdict"], "verified");

    let said = place.run("bench kernels --config none.toml");
    assert_eq!((said.status, said.err.contains("none.toml cannot be read")), (2, true), "{}", said.err);
}
