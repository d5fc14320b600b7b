//! Arrays that stay on the device without a word in the program's text (`rt_pages.h`): whatever a host does with them between
//! regions, the program prints what its original does. `tests/guards/attack.c` draws what the host does: it reads, writes,
//! moves, sorts, frees, resizes, writes to files and sockets and reads from them, in threads, children and handlers of signals,
//! and has faults of its own.

#[path = "support/folder.rs"]
mod folder;

use folder::Folder;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Sequences of what a host does.
const SEQUENCES: &str = "20";

/// Sequences that come to each kind of planted fault.
const SEED_OF_PLANTED: &str = "1";

/// Changes of the runtime, each of which lets something of the host's go by: the header, what stands there, and what takes its
/// place. All are built at once, and `RT_PLANTED` chooses: one statement or the other, unless the text has `PLANTED` itself.
const PLANTED: &[(&str, &str, &str)] = &[
    // The host changes what the device has.
    ("rt_stay.h", "readable.add(common(common(pages_around(s), own), pages));", "(void)s;"),
    // The same in a page at the edge of a block.
    ("rt_stay_device.h", "valid.meets(s) && (!edges[k]", "!PLANTED && valid.meets(s) && (!edges[k]"),
    // The host reads what the device has changed.
    ("rt_stay.h", "bring_newer(here);", "newer.remove(here);"),
    // A block is given back, and another one begins there.
    ("rt_faults.h", "block_ends = end_block;", ""),
    // A block is moved.
    ("rt_faults.h", "host_uses(all, true);", ""),
    // The system is handed a closed page.
    ("rt_system.h", "if (!guarded.meets(all)) return;", "return;"),
    // The same by the name that a call has where the compiler knows the room.
    (
        "rt_system.h",
        "(file, to, n, room), (to, n, true))\nRT_OF_SYSTEM(ssize_t, __pread_chk",
        "(file, to, n, room), (to, PLANTED ? 0 : n, true))\nRT_OF_SYSTEM(ssize_t, __pread_chk",
    ),
    // What the device has is filled there, and two arrays lie over each other.
    ("rt_system.h", "forget(p.bytes, p.by);", "(void)p;"),
    // The host reads what was filled on the device.
    ("rt_stay_device.h", "newer.add(part);", "(void)part;"),
    // Memory that the program has mapped is moved.
    ("rt_mappings.h", "rt::end_mappings(old, before, RT_CALLED(\"mremap\"));", ""),
    // Its contents are dropped.
    ("rt_mappings.h", "if (drops && !rt::stays.empty())", "if (!PLANTED && drops && !rt::stays.empty())"),
    // A fault of the program's own.
    ("rt_faults.h", "= faults_of_program;", "= PLANTED ? no_faults : faults_of_program;"),
    // A handler of a signal lets no other signal through.
    ("rt_signals.h", "sigdelset(&masked.sa_mask, SIGSEGV);", ""),
    // A thread does not.
    ("rt_signals.h", "sigdelset(&set, SIGSEGV);", ""),
];

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn made(command: &mut Command) {
    let out = command.output().expect("a command");
    assert!(out.status.success(), "{}\n{}", text(&out.stdout), text(&out.stderr));
}

const ATTACK: (&str, &str) = ("attack.c", include_str!("guards/attack.c"));
const MIXED: (&str, &str) = ("mixed.c", include_str!("guards/mixed.c"));
const GATHERS: (&str, &str) = ("gathers.c", include_str!("guards/gathers.c"));
const FILLED: (&str, &str) = ("filled.c", include_str!("guards/filled.c"));
const ALARM: (&str, &str) = ("alarm.c", include_str!("guards/alarm.c"));
const DRAINED: (&str, &str) = ("drained.c", include_str!("guards/drained.c"));

/// The program, and what it is converted to, simulated; what the original prints.
fn simulated(program: (&str, &str), seed: &str) -> (Folder, String) {
    let folder = Folder::new(&[program]);
    made(folder.command("cc").args(["-O1", program.0, "-lpthread", "-o", "original"]));
    made(folder.command(env!("CARGO_BIN_EXE_rtcuda")).args(["convert", program.0, "-o", "converted"]));
    make(&folder);
    let wanted = text(&run(&folder, "original", seed, &[]).stdout);
    (folder, wanted)
}

fn make(folder: &Folder) {
    make_with(folder, "");
}

fn make_with(folder: &Folder, flags: &str) {
    let settings = [format!("CC=cc {flags}"), format!("SIMFLAGS=-O0 {flags}"), format!("LDLIBS=-lpthread {flags}")];
    made(folder.command("make").args(["-C", "converted", "-B", "sim"]).args(settings));
}

fn run(folder: &Folder, program: &str, seed: &str, settings: &[(&str, &str)]) -> Output {
    sequences(folder, program, "120", [seed, SEQUENCES], settings)
}

/// What a program says in so many seconds at most.
fn sequences(folder: &Folder, program: &str, limit: &str, arguments: [&str; 2], settings: &[(&str, &str)]) -> Output {
    let mut command = folder.command("timeout");
    command.args(["-k", "1", limit]).arg(folder.file(program)).args(arguments);
    command.envs(settings.iter().copied()).output().expect("the program")
}

/// Replaces a text that stands once in a file.
fn replace(path: &Path, right: &str, wrong: &str) {
    let whole = fs::read_to_string(path).unwrap();
    assert_eq!(whole.matches(right).count(), 1, "{}: {right}", path.display());
    fs::write(path, whole.replace(right, wrong)).unwrap();
}

/// Bytes that a run has moved between host and device.
fn moved(profile: &[u8]) -> f64 {
    let all: Value = serde_json::from_slice(profile).unwrap();
    let regions = all["regions"].as_array().expect("regions");
    let moves = regions.iter().flat_map(|r| r["moves"].as_array().expect("moves"));
    moves.map(|m| m["bytes"].as_f64().expect("bytes")).sum()
}

#[test]
fn whatever_the_host_does_is_seen() {
    let seed = std::env::var("RTCUDA_SEED").unwrap_or_else(|_| "1".into());
    let (folder, wanted) = simulated(ATTACK, &seed);
    let mut bytes = vec![];
    for settings in [
        &[("RTCUDA_GUARD", "0")][..],
        &[("RTCUDA_GUARD", "1")],
        &[("RTCUDA_CHOICE", "shuffle:1")],
        &[("RTCUDA_CHOICE", "shuffle:2"), ("RT_SIM_MEMORY", "2000000")],
    ] {
        let out =
            run(&folder, "converted/attack_sim", &seed, &[settings, &[("RTCUDA_PROFILE", "profile.json")]].concat());
        assert!(out.status.success(), "{settings:?}: {}", text(&out.stderr));
        assert_eq!(text(&out.stdout), wanted, "{settings:?}");
        bytes.push(moved(&fs::read(folder.file("profile.json")).unwrap()));
    }
    assert!(bytes[1] < 0.8 * bytes[0], "{bytes:?}");
}

/// A sanitizer's calls do not come by the runtime: then nothing is kept that the system might be handed.
#[test]
fn a_sanitizer_keeps_pages_open() {
    let (folder, wanted) = simulated(ATTACK, "15"); // which reads a file into a static array
    make_with(&folder, "-fsanitize=address");
    let settings = [("ASAN_OPTIONS", "handle_segv=0:allow_user_segv_handler=1:detect_leaks=0")];
    let out = sequences(&folder, "converted/attack_sim", "120", ["15", "2"], &settings);
    assert!(out.status.success(), "{}", text(&out.stderr));
    assert!(wanted.starts_with(&text(&out.stdout)));
}

#[test]
fn calls_that_stay_find_what_others_left_behind_closed_pages() {
    let (folder, wanted) = simulated(MIXED, "1");
    for choice in ["host", "device", "shuffle:1", "shuffle:2", "shuffle:3", "shuffle:4"] {
        let out = run(&folder, "converted/mixed_sim", "1", &[("RTCUDA_CHOICE", choice)]);
        assert_eq!(text(&out.stdout), wanted, "{choice}");
    }
}

/// What is read out of a block is known when kernels have run: what they have added to is what it was before, on the device.
#[test]
fn what_leads_out_of_a_block_is_undone_behind_closed_pages() {
    let (folder, wanted) = simulated(GATHERS, "1");
    for choice in ["shuffle:1", "shuffle:2", "device"] {
        let profile = [("RTCUDA_CHOICE", choice), ("RTCUDA_PROFILE", "profile.json")];
        let out = run(&folder, "converted/gathers_sim", "1", &profile);
        assert_eq!(text(&out.stdout), wanted, "{choice}");
        let leads_out = text(&out.stderr).contains("leads out of the memory");
        assert!(leads_out || choice != "device", "{}", text(&out.stderr));
    }
    let profile: Value = serde_json::from_slice(&fs::read(folder.file("profile.json")).unwrap()).unwrap();
    let regions = profile["regions"].as_array().unwrap();
    let moves: Vec<&Value> = regions.iter().filter_map(|r| r["moves"].as_array()).flatten().collect();
    let copies = moves.iter().filter(|m| m["array"] == "value").map(|m| m["copies"].as_u64().unwrap()).max();
    assert!(copies.is_some_and(|n| n <= 2), "the matrix is kept: {copies:?}");
    replace(&folder.file("converted").join("gathers.cu"), "y.restore();", "");
    make(&folder);
    let out = run(&folder, "converted/gathers_sim", "1", &[("RTCUDA_CHOICE", "device")]);
    assert_ne!(text(&out.stdout), wanted, "what was added to is not restored");
}

/// What the host fills of an array that the device had last is filled there: it neither comes home nor goes out again.
#[test]
fn what_is_filled_stays_where_it_is() {
    let (folder, wanted) = simulated(FILLED, "1");
    let settings = [("RTCUDA_CHOICE", "device"), ("RTCUDA_PROFILE", "profile.json")];
    let out = run(&folder, "converted/filled_sim", "1", &settings);
    assert_eq!(text(&out.stdout), wanted, "{}", text(&out.stderr));
    let bytes = moved(&fs::read(folder.file("profile.json")).unwrap());
    assert!(bytes < 9e6, "two arrays of 1.2 MB out and home, and little at each of 24 steps: {bytes}");
}

/// Copies that want memory, as those of a driver do, made for a handler that comes at any time.
#[test]
fn a_handler_that_touches_what_is_kept_comes_back() {
    let (folder, wanted) = simulated(ALARM, "1");
    let copy = "        memcpy(to, data + from, n);";
    let wants_memory = format!("        {{ char *volatile own = (char *)malloc(6000); free(own); }}\n{copy}");
    replace(&folder.file("converted").join("rt_sim.h"), copy, &wants_memory);
    make_with(&folder, "-O1");
    for _ in 0..8 {
        let out = sequences(&folder, "converted/alarm_sim", "20", ["1", "1"], &[("RTCUDA_CHOICE", "device")]);
        assert_eq!((out.status.code(), text(&out.stdout)), (Some(0), wanted.clone()), "{}", text(&out.stderr));
    }
}

/// Copies that wait for a thread of the driver, which reads what the system tells it: it must not wait for the turn of the thread that
/// copies, though its buffer lies among arrays that are kept.
#[test]
fn a_thread_of_the_driver_reads_while_a_copy_waits_for_it() {
    let (folder, wanted) = simulated(DRAINED, "1");
    let header = folder.file("converted").join("rt_sim.h");
    let copy = "void from_host(const place &, const long first, const long last, const void *host)\n    {\n";
    replace(&header, copy, &format!("{copy}        ask_driver();\n"));
    replace(&header, "namespace rt {\n", DRIVER);
    make_with(&folder, "-O1");
    let out = sequences(&folder, "converted/drained_sim", "20", ["1", "1"], &[("RTCUDA_CHOICE", "device")]);
    assert_eq!((out.status.code(), text(&out.stdout)), (Some(0), wanted), "{}", text(&out.stderr));
}

/// A driver with a thread of its own, that a copy asks for a word.
const DRIVER: &str = r#"extern "C" char *between;
namespace rt {
inline int to_driver[2], from_driver[2];
inline void *serve(void *)
{
    while (read(to_driver[0], between, 1) == 1) syscall(SYS_write, from_driver[1], "", 1l);
    return nullptr;
}
inline void ask_driver()
{
    static pthread_t thread;
    static const int begun = pipe(to_driver) + pipe(from_driver) + pthread_create(&thread, nullptr, serve, nullptr);
    char word;
    if (begun == 0) syscall(SYS_write, to_driver[1], "", 1l), syscall(SYS_read, from_driver[0], &word, 1l);
}
"#;

#[test]
fn what_is_planted_is_found() {
    let (folder, wanted) = simulated(ATTACK, SEED_OF_PLANTED);
    let header = |name: &str| folder.file("converted").join(name);
    let choice =
        "inline const int planted = getenv(\"RT_PLANTED\") ? atoi(getenv(\"RT_PLANTED\")) : -1;\n\n// A failure";
    replace(&header("rt_base.h"), "// A failure", choice);
    let own_wish = "inline struct sigaction faults_of_program;";
    replace(&header("rt_faults.h"), own_wish, "inline struct sigaction faults_of_program, no_faults;");
    for (number, (name, right, wrong)) in PLANTED.iter().enumerate() {
        let condition = format!("(rt::planted == {number})");
        let both = match wrong.contains("PLANTED") {
            true => wrong.replace("PLANTED", &condition),
            false => format!("if {condition} {{ {wrong} }} else {{ {right} }}"),
        };
        replace(&header(name), right, &both);
    }
    make(&folder);
    let output_of = |n: &str, number: usize| {
        let (planted, limit) = (number.to_string(), if n == SEQUENCES { "120" } else { "20" }); // a fault may loop for good
        let out = sequences(&folder, "converted/attack_sim", limit, [SEED_OF_PLANTED, n], &[("RT_PLANTED", &planted)]);
        (out.status.success(), text(&out.stdout))
    };
    assert_eq!(output_of(SEQUENCES, PLANTED.len()), (true, wanted.clone()));
    for (number, (name, _, wrong)) in PLANTED.iter().enumerate() {
        let is_found = |n: &str| {
            let (ends_well, said) = output_of(n, number);
            !ends_well || !wanted.starts_with(&said)
        };
        assert!(is_found("3") || is_found(SEQUENCES), "{name}: {wrong}");
    }
}
