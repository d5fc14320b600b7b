//! Words of `rtcuda run` and `explain` about copies: the code that wanted each, and why nothing was kept on the device, where nothing
//! was. `tests/guards/copies.c` touches behind closed pages what its regions leave.

#[path = "support/folder.rs"]
mod folder;

use folder::Folder;
use serde_json::Value;
use std::fs;

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// `rtcuda run` says of each copy which code of the host's wanted it: where no line of the emitted text announces the touch, the
/// instruction that faulted, or the call of a library in which it did.
#[test]
fn copies_are_traced_to_their_lines() {
    let folder = Folder::new(&[("copies.c", include_str!("guards/copies.c"))]);
    let out = folder.command(env!("CARGO_BIN_EXE_rtcuda")).args(["run", "copies.c", "--backend", "cpu"]).output();
    let said = text(&out.expect("a command").stderr);
    let source = fs::read_to_string(folder.file("copies.c")).expect("the program");
    let line = |part: &str| source.lines().position(|l| l.contains(part)).expect(part) + 1;
    for (way, words) in [
        ("e  to the host", format!("used by `fwrite` in save(), copies.c:{}", line("fwrite("))),
        ("h  to the host", format!("used in main(), copies.c:{}", line("memcpy("))),
        ("h  to the host", format!("used by `realloc` in main(), copies.c:{}", line("realloc("))),
        ("e  to the device", format!("written by `memset` in main(), copies.c:{}", line("memset("))),
    ] {
        assert!(said.lines().any(|l| l.trim_start().starts_with(way) && l.ends_with(&words)), "{way} {words}\n{said}");
    }
    let out = folder.command(env!("CARGO_BIN_EXE_rtcuda")).args(["explain", "--json", "copies.c"]).output();
    let report: Value = serde_json::from_slice(&out.expect("a command").stdout).unwrap();
    let kept = &report["regions"][0]["kept"][0];
    assert_eq!((&kept["between_calls"], &kept["line"]), (&"guarded".into(), &line("getppid(").into()), "{kept}");
}

/// Where nothing is kept, one line says why: what forbids it in the text, or what the run has found.
#[test]
fn nothing_kept_is_said_in_one_line() {
    let step = "for (int i = 0; i < 2000; i++) u[i] = 0.5 * u[i] + i;";
    let on_stack = format!("int main(void) {{ double u[2000]; {step} return u[3] > 5; }}\n");
    let of_threads = format!(
        "#include <pthread.h>\nstatic double u[2000];\nstatic void *step(void *of) {{ {step} return of; }}\nint main(void) {{\n\
         pthread_t one; pthread_create(&one, 0, step, 0); pthread_join(one, 0); step(0); return u[3] > 9; }}\n"
    );
    for (program, why) in
        [(on_stack, "arrays on the stack end with their function"), (of_threads, "arrays this small share their pages")]
    {
        let folder = Folder::new(&[("a.c", &program)]);
        let out = folder.command(env!("CARGO_BIN_EXE_rtcuda")).args(["run", "a.c", "--backend", "cpu"]).output();
        let said = text(&out.expect("a command").stderr);
        let those: Vec<&str> = said.lines().filter(|l| l.starts_with("No array is kept on the GPU")).collect();
        assert!(those.len() == 1 && those[0].contains(why), "{said}");
    }
}
