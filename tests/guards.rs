//! Arrays that stay on the device without a word in the program's text (`rt_pages.h`): whatever a host does with them between
//! regions, the program prints what its original does. `tests/guards/attack.c` draws what the host does: it reads, writes,
//! moves, frees, resizes, writes to files and reads from them, in threads, children and handlers of signals, and has faults of
//! its own.

#[path = "support/folder.rs"]
mod folder;

use folder::Folder;
use serde_json::Value;
use std::fs;
use std::process::{Command, Output};

/// Sequences of what a host does.
const SEQUENCES: &str = "20";

/// Sequences that come to each kind of planted fault.
const SEED_OF_PLANTED: &str = "1";

/// Changes of the runtime, each of which lets something of the host's go by: the header, what stands there, and what takes its
/// place.
const PLANTED: &[(&str, &str, &str)] = &[
    // The host changes what the device has.
    ("rt_stay.h", "readable.add(common(common(pages_around(s), own), pages));", "(void)s;"),
    // The same in a page at the edge of a block.
    ("rt_stay_device.h", "valid.meets(s) && (!edges[k]", "false && valid.meets(s) && (!edges[k]"),
    // A block is given back, and another one begins there.
    ("rt_faults.h", "block_ends = end_block;", ""),
    // The system is handed a closed page.
    ("rt_system.h", "if (!guarded.may_meet(all)) return;", "return;"),
    // Memory that the program has mapped is moved.
    ("rt_mappings.h", "rt::end_mappings(old, before, RT_CALLED(\"mremap\"));", ""),
    // A fault of the program's own.
    ("rt_faults.h", "const struct sigaction &own = faults_of_program;", "const struct sigaction own {};"),
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
    made(folder.command("make").args(["-C", "converted", "sim", "SIMFLAGS=-O0", "LDLIBS=-lpthread"]));
}

fn run(folder: &Folder, program: &str, seed: &str, settings: &[(&str, &str)]) -> Output {
    let mut command = folder.command("timeout");
    command.args(["-k", "1", "120"]).arg(folder.file(program)).args([seed, SEQUENCES]);
    command.envs(settings.iter().copied()).output().expect("the program")
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

#[test]
fn calls_that_stay_find_what_others_left_behind_closed_pages() {
    let (folder, wanted) = simulated(MIXED, "1");
    for choice in ["host", "device", "shuffle:1", "shuffle:2", "shuffle:3", "shuffle:4"] {
        let out = run(&folder, "converted/mixed_sim", "1", &[("RTCUDA_CHOICE", choice)]);
        assert_eq!(text(&out.stdout), wanted, "{choice}");
    }
}

#[test]
fn what_is_planted_is_found() {
    let (folder, wanted) = simulated(ATTACK, SEED_OF_PLANTED);
    for (header, right, wrong) in PLANTED {
        let path = folder.file("converted").join(header);
        let whole = fs::read_to_string(&path).unwrap();
        assert_eq!(whole.matches(right).count(), 1, "{header}: {right}");
        fs::write(&path, whole.replace(right, wrong)).unwrap();
        make(&folder);
        let out = run(&folder, "converted/attack_sim", SEED_OF_PLANTED, &[]);
        assert!(!out.status.success() || text(&out.stdout) != wanted, "{header}: {wrong}");
        fs::write(&path, whole).unwrap();
    }
}
