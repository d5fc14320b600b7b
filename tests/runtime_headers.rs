//! The runtime's headers, by hand-written `.cu` files in `tests/runtime/`: compiled as the simulation, run, and held to
//! what they must find, compute and refuse. (What the emitter writes is tested elsewhere; here the headers stand alone.)

use rtcuda::runtime::toolchain;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;

const ORDERS: [&str; 3] = ["forward", "reverse", "shuffle:7"];

/// The program of `tests/runtime/<name>.cu`, simulated: built at first use, and without a warning.
fn program(name: &'static str) -> PathBuf {
    static BUILT: Mutex<BTreeMap<&str, PathBuf>> = Mutex::new(BTreeMap::new());
    let mut built = BUILT.lock().unwrap_or_else(|e| e.into_inner());
    built.entry(name).or_insert_with(|| build(name)).clone()
}

fn build(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("runtime-{name}"));
    let out = Command::new("g++")
        .args(["-x", "c++", "-std=c++20", "-O1", "-DRT_SIM", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-I"])
        .arg(root.join("templates/runtime"))
        .arg(root.join("tests/runtime").join(format!("{name}.cu")))
        .arg("-o")
        .arg(&program)
        .output()
        .expect("g++ runs");
    assert!(out.status.success(), "{name}.cu does not compile:\n{}", String::from_utf8_lossy(&out.stderr));
    program
}

/// Runs a program with JSON written to `variable`; returns what it said and the JSON.
fn run_with_json(program: &Path, args: &[&str], env: &[(&str, &str)], variable: &str) -> (Output, Value) {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let path = dir.path().join("out.json");
    let out =
        Command::new(program).args(args).envs(env.iter().copied()).env(variable, &path).output().expect("it runs");
    let text = std::fs::read_to_string(&path).expect("the JSON is written");
    let json = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}:\n{text}"));
    (out, json)
}

fn stderr(out: &Output) -> String {
    String::from_utf8_lossy(&out.stderr).into_owned()
}

/// A fault planted in `findings.cu`, and what must be said of it: kind, array, access, line of the C file.
struct Plant {
    case: &'static str,
    kind: &'static str,
    array: &'static str,
    c_lines: &'static [u64],
}

#[rustfmt::skip]
const PLANTS: [Plant; 37] = [
    Plant { case: "race_in_block", kind: "race", array: "y", c_lines: &[10] },
    Plant { case: "race_between_blocks", kind: "race", array: "y", c_lines: &[20] },
    Plant { case: "race_read_write", kind: "race", array: "y", c_lines: &[30] },
    Plant { case: "race_read_other_block", kind: "race", array: "y", c_lines: &[35, 36] },
    Plant { case: "race_shared", kind: "race", array: "tile", c_lines: &[40, 41] },
    Plant { case: "race_atomic", kind: "race", array: "y", c_lines: &[45, 46] },
    Plant { case: "out_of_bounds_read", kind: "out-of-bounds", array: "x", c_lines: &[50] },
    Plant { case: "out_of_bounds_write", kind: "out-of-bounds", array: "y", c_lines: &[60] },
    Plant { case: "out_of_bounds_shared", kind: "out-of-bounds", array: "tile", c_lines: &[70] },
    Plant { case: "out_of_bounds_local", kind: "out-of-bounds", array: "w", c_lines: &[75] },
    Plant { case: "barrier_in_branch", kind: "divergent-barrier", array: "", c_lines: &[80] },
    Plant { case: "barrier_after_exit", kind: "divergent-barrier", array: "", c_lines: &[90] },
    Plant { case: "barriers_apart", kind: "divergent-barrier", array: "", c_lines: &[95, 96] },
    Plant { case: "reduce_in_branch", kind: "divergent-barrier", array: "", c_lines: &[98] },
    Plant { case: "uninitialised_read", kind: "uninitialised", array: "y", c_lines: &[100] },
    Plant { case: "uninitialised_shared", kind: "uninitialised", array: "tile", c_lines: &[110] },
    Plant { case: "uninitialised_copy_out", kind: "uninitialised", array: "y", c_lines: &[1] },
    Plant { case: "missing_lanes", kind: "missing-lanes", array: "", c_lines: &[120] },
    Plant { case: "no_grid_barrier", kind: "race", array: "y", c_lines: &[130, 131] },
    Plant { case: "block_barrier_for_grid", kind: "race", array: "y", c_lines: &[135, 136] },
    Plant { case: "write_too_early", kind: "race", array: "y", c_lines: &[138, 139] },
    Plant { case: "grid_barrier_in_branch", kind: "divergent-barrier", array: "", c_lines: &[140] },
    Plant { case: "grid_barrier_for_some_threads", kind: "divergent-barrier", array: "", c_lines: &[145] },
    Plant { case: "grid_barrier_too_often", kind: "divergent-barrier", array: "", c_lines: &[150] },
    Plant { case: "grid_barriers_apart", kind: "divergent-barrier", array: "", c_lines: &[155, 156] },
    Plant { case: "grid_or_block_barrier", kind: "divergent-barrier", array: "", c_lines: &[157, 158] },
    Plant { case: "read_only_path", kind: "stale-read", array: "y", c_lines: &[160, 161] },
    Plant { case: "kept_over_grid_barrier", kind: "stale-read", array: "y", c_lines: &[165, 166] },
    Plant { case: "kept_over_block_barrier", kind: "stale-read", array: "y", c_lines: &[170, 171] },
    Plant { case: "kept_in_a_function", kind: "stale-read", array: "y", c_lines: &[180, 181] },
    Plant { case: "taken_too_early", kind: "uninitialised", array: "y", c_lines: &[185] },
    Plant { case: "no_neighbour", kind: "race", array: "y", c_lines: &[200, 201] },
    Plant { case: "flag_too_early", kind: "race", array: "y", c_lines: &[205, 206] },
    Plant { case: "buffer_too_early", kind: "race", array: "y", c_lines: &[210, 211] },
    Plant { case: "wait_in_branch", kind: "divergent-barrier", array: "", c_lines: &[215] },
    Plant { case: "wrong_rows", kind: "race", array: "y", c_lines: &[220, 221] },
    Plant { case: "tile_of_another_block", kind: "uninitialised", array: "tile", c_lines: &[175] },
];

/// The same, of `wide.cu`. What is touched too early was copied by any thread.
#[rustfmt::skip]
const WIDE_PLANTS: [Plant; 18] = [
    Plant { case: "vector_misaligned", kind: "misaligned", array: "x", c_lines: &[10] },
    Plant { case: "vector_misaligned_store", kind: "misaligned", array: "y", c_lines: &[20] },
    Plant { case: "vector_out_of_bounds", kind: "out-of-bounds", array: "x", c_lines: &[30] },
    Plant { case: "part_out_of_bounds", kind: "out-of-bounds", array: "x", c_lines: &[35] },
    Plant { case: "vector_out_of_row", kind: "out-of-bounds", array: "tile", c_lines: &[40] },
    Plant { case: "vectors_overlap", kind: "race", array: "y", c_lines: &[50] },
    Plant { case: "vector_uninitialised", kind: "uninitialised", array: "y", c_lines: &[60] },
    Plant { case: "no_wait", kind: "not-arrived", array: "tile", c_lines: &[70, 71] },
    Plant { case: "no_wait_for_its_own", kind: "not-arrived", array: "tile", c_lines: &[80, 81] },
    Plant { case: "no_commit", kind: "not-arrived", array: "tile", c_lines: &[90, 91] },
    Plant { case: "wait_for_too_few", kind: "not-arrived", array: "tile", c_lines: &[100, 101] },
    Plant { case: "no_barrier_after_wait", kind: "race", array: "tile", c_lines: &[110, 111] },
    Plant { case: "barrier_before_wait", kind: "not-arrived", array: "tile", c_lines: &[115, 116] },
    Plant { case: "copied_too_early", kind: "race", array: "tile", c_lines: &[120, 121] },
    Plant { case: "overwritten", kind: "not-arrived", array: "tile", c_lines: &[130, 131] },
    Plant { case: "never_waited", kind: "never-waited", array: "tile", c_lines: &[140] },
    Plant { case: "copy_misaligned", kind: "misaligned", array: "x", c_lines: &[150] },
    Plant { case: "copy_out_of_bounds", kind: "out-of-bounds", array: "x", c_lines: &[160] },
];

#[test]
fn planted_faults_are_found_in_every_order() {
    for (name, plant) in PLANTS.iter().map(|p| ("findings", p)).chain(WIDE_PLANTS.iter().map(|p| ("wide", p))) {
        for order in ORDERS {
            let (out, json) =
                run_with_json(&program(name), &[plant.case], &[("RT_SIM_ORDER", order)], "RTCUDA_FINDINGS");
            let at = format!("{} in order {order}:\n{}", plant.case, stderr(&out));
            assert_eq!(out.status.code(), Some(4), "{at}");
            let found = json["findings"].as_array().expect("a list");
            let hit = found
                .iter()
                .find(|f| f["kind"] == plant.kind && f["array"] == plant.array)
                .unwrap_or_else(|| panic!("{at}"));
            assert!(plant.c_lines.contains(&hit["c_line"].as_u64().expect("a line")), "{at}");
            assert_eq!(hit["c_file"], "plant.c", "{at}");
            if ["race", "stale-read", "not-arrived"].contains(&plant.kind) {
                assert!(plant.c_lines.contains(&hit["other"]["c_line"].as_u64().expect("a line")), "{at}");
            }
            if ["race", "stale-read"].contains(&plant.kind) {
                let who = |f: &Value| (f["block"].clone(), f["thread"].clone());
                assert_ne!(who(hit), who(&hit["other"]), "{at}");
            }
        }
    }
}

#[test]
fn a_finding_names_block_thread_array_index_and_lines() {
    let (_, json) = run_with_json(&program("findings"), &["out_of_bounds_shared"], &[], "RTCUDA_FINDINGS");
    assert_eq!((&json["findings"][0]["index"], &json["findings"][1]["index"]), (&"[33]".into(), &"[2][2]".into()));
    let out = Command::new(program("findings")).arg("out_of_bounds_read").output().expect("it runs");
    let text = stderr(&out);
    assert!(
        text.contains("out-of-bounds in kernel out_of_bounds_read: x has elements 0 to 127 here, and 128 is asked for"),
        "{text}"
    );
    assert!(text.contains("thread (0,0,63) of block (0,0,0) reads at"), "{text}");
    assert!(text.contains("findings.cu:") && text.contains("(C: plant.c:50)"), "{text}");
}

#[test]
fn what_is_correct_is_silent_in_every_order() {
    let (out, json) = run_with_json(&program("findings"), &["no_fault"], &[], "RTCUDA_FINDINGS");
    assert_eq!((out.status.code(), stderr(&out).as_str()), (Some(0), ""));
    assert_eq!(json["findings"], Value::Array(vec![]));
    for (name, order) in ["correct", "wide"].into_iter().flat_map(|name| ORDERS.map(|order| (name, order))) {
        let out = Command::new(program(name)).env("RT_SIM_ORDER", order).output().expect("it runs");
        assert_eq!((out.status.code(), stderr(&out).as_str()), (Some(0), ""), "{name}, order {order}");
        assert_eq!(String::from_utf8_lossy(&out.stdout), "simulated on the CPU: 0 wrong\n");
    }
}

#[test]
fn barriers_of_the_grid_order_what_they_should() {
    let barrier = program("barrier");
    for order in ORDERS {
        for resident in ["1", "3", "10"] {
            let out = Command::new(&barrier)
                .envs([("RT_SIM_ORDER", order), ("RT_SIM_RESIDENT", resident)])
                .output()
                .expect("it runs");
            let at = format!("order {order}, {resident} blocks");
            assert_eq!((out.status.code(), stderr(&out).as_str()), (Some(0), ""), "{at}");
            assert_eq!(String::from_utf8_lossy(&out.stdout), "simulated on the CPU: 0 wrong\n", "{at}");
        }
    }
}

#[test]
fn all_threads_leave_an_interrupted_loop_in_the_same_step() {
    for (order, barrier) in ORDERS.into_iter().zip(["cooperative", "lock-free", "relaxed"]) {
        let out = Command::new(program("interrupt")).arg(barrier).env("RT_SIM_ORDER", order).output().expect("it runs");
        assert_eq!((out.status.code(), stderr(&out).as_str()), (Some(0), ""), "order {order}, {barrier}");
        let said = String::from_utf8_lossy(&out.stdout).into_owned();
        assert_eq!(said, format!("simulated on the CPU, {barrier}: 0 wrong\n"), "order {order}");
    }
}

#[test]
fn ten_thousand_crossings_of_uneven_blocks() {
    for (order, blocks, threads) in [("forward", "3", "64"), ("reverse", "7", "33"), ("shuffle:7", "17", "5")] {
        // Three barriers, and waits of blocks in a line, in rows and in planes.
        let out = Command::new(program("barrier"))
            .args(["stress", "10000", "0", threads])
            .envs([("RT_SIM_ORDER", order), ("RT_SIM_RESIDENT", blocks)])
            .output()
            .expect("it runs");
        let text = String::from_utf8_lossy(&out.stdout);
        assert_eq!((out.status.code(), stderr(&out).as_str()), (Some(0), ""), "{text}");
        let counted = format!("10000 crossings of {blocks} blocks of {threads} threads in ");
        assert_eq!(text.matches(&counted).count(), 6, "{text}");
        assert_eq!(text.matches(": 0 wrong").count(), 6, "{text}");
    }
}

/// The GPU's half of barriers and replayed steps, and of vectors and asynchronous copies, which `gpu.sh` runs. A device
/// before sm_80 has no such copies.
#[test]
fn nvcc_compiles_what_a_gpu_runs_without_a_warning() {
    for (name, arch) in
        [("barrier", "sm_90"), ("blocks", "sm_90"), ("interrupt", "sm_90"), ("wide", "sm_90"), ("wide", "sm_75")]
    {
        compile_for_gpu(name, arch, "-c");
    }
}

/// What `nvcc` makes of `tests/runtime/<name>.cu`; none where there is no `nvcc`.
fn compile_for_gpu(name: &str, arch: &str, kind: &str) -> Option<PathBuf> {
    let nvcc = match toolchain::nvcc() {
        Ok(nvcc) => nvcc,
        Err(missing) => {
            // Past the harness, which shows nothing of a test that passes.
            let _ = writeln!(std::io::stderr(), "[SKIP] nvcc compiles {name}: {}", missing.message);
            return None;
        }
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("runtime-{name}{kind}-{arch}"));
    let out = Command::new(nvcc.path)
        .args(["-std=c++20", "-O3", "-arch", arch, "-Xcompiler=-Wall,-Wextra", "-Werror=all-warnings", kind, "-I"])
        .arg(root.join("templates/runtime"))
        .arg(root.join("tests/runtime").join(format!("{name}.cu")))
        .arg("-o")
        .arg(&made)
        .output()
        .expect("nvcc runs");
    assert!(out.status.success() && out.stdout.is_empty() && out.stderr.is_empty(), "{}", stderr(&out));
    Some(made)
}

/// Calls stay on the host until the start of a device pays, 0.25 s, in calls that save 0.994 ms each; until a copy of 5 ms
/// does; and where three regions share an array, all go when that is what wins, though each alone would lose.
#[test]
fn a_device_begins_when_its_start_pays() {
    let Ok(nvcc) = toolchain::nvcc() else {
        let _ = writeln!(std::io::stderr(), "[SKIP] a_device_begins_when_its_start_pays: no nvcc");
        return;
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join("runtime-start");
    let libraries = nvcc.path.parent().expect("a folder").join("../lib");
    let built = Command::new(&nvcc.path)
        .args(["-std=c++20", "-O1", "-arch=sm_90", "-Xcompiler=-Wall,-Wextra", "-Werror=all-warnings", "-I"])
        .arg(root.join("templates/runtime"))
        .arg(root.join("tests/runtime/start.cu"))
        .arg(format!("-L{}", libraries.display()))
        .arg("-o")
        .arg(&made)
        .output()
        .expect("nvcc runs");
    assert!(built.status.success() && built.stderr.is_empty(), "{}", stderr(&built));
    let out = Command::new(&made).env_remove("RTCUDA_CHOICE").env_remove("RTCUDA_PROFILE").output().expect("it runs");
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    let told = "1000 little, 503 before the start pays\n503 with others in it, 259 if they count\n0 1 when it has begun\n\
                5, 10 and 20 before copies pay, 40 when they were of little use, 5 when of much\n\
                5 and 41 of 100 go that the host wants home and then does not, 100 of cheap ones\n\
                100 200 us measured, 10000 100 us of another size\n1 ms of one with new arrays, 140 of more\n900 ms of one without hope, 1 of another\nthe original is asked for: 0 1, then 0: 500 us at home, 400 of waiting\n19 stray\n";
    assert_eq!(text, told, "{}", stderr(&out));
    for (saved_us, touched, told) in [
        ("20", "0", "2991 of 3000 go that save 20 us and win 60 us a round\n"),
        ("60", "1", "2995 of 3000 go that save 60 us and win 30 us a round\n"),
        ("20", "1", "79 of 3000 go that save 20 us and win -4 us a round\n"),
    ] {
        let out = Command::new(&made).args([saved_us, touched]).env_remove("RTCUDA_CHOICE").output().expect("it runs");
        assert_eq!(String::from_utf8_lossy(&out.stdout), told, "{}", stderr(&out));
    }
}

/// Vectors are single instructions, through the read-only path where an array is only read.
#[test]
fn vectors_and_copies_are_what_the_gpu_has_for_them() {
    let Some(made) = compile_for_gpu("wide", "sm_90", "-ptx") else { return };
    let text = std::fs::read_to_string(made).expect("nvcc has written it");
    for instruction in [
        "ld.global.nc.v4.f32",
        "ld.global.nc.v2.f64",
        "ld.shared.v4.f32",
        "st.global.v4.f32",
        "st.global.v2.f64",
        "cp.async.cg.shared.global",
        "cp.async.ca.shared.global",
        "cp.async.wait_group 2",
    ] {
        assert!(text.contains(instruction), "no {instruction}");
    }
}

#[test]
fn findings_do_not_fail_a_program_that_is_told_to_keep_going() {
    let out =
        Command::new(program("findings")).arg("race_in_block").env("RT_SIM_KEEP_GOING", "1").output().expect("it runs");
    assert_eq!(out.status.code(), Some(0));
    assert!(stderr(&out).contains("race in kernel race_in_block"));
}

#[test]
fn a_region_that_agrees_is_reported_as_such() {
    let (out, json) = run_with_json(&program("jacobi"), &[], &[], "RTCUDA_REPORT");
    assert_eq!((out.status.code(), stderr(&out).as_str()), (Some(0), ""));
    let region = &json["regions"][0];
    assert_eq!((&region["region"], &region["calls"]), (&Value::from("jacobi_0"), &Value::from(1)));
    for array in region["arrays"].as_array().expect("a list") {
        assert_eq!((&array["differing"], &array["changed_outside"]), (&Value::from(0), &Value::from(0)), "{array}");
    }
}

#[test]
fn a_wrong_result_is_named_and_fails_the_program() {
    let (out, json) = run_with_json(&program("jacobi"), &["wrong"], &[], "RTCUDA_REPORT");
    assert_eq!(out.status.code(), Some(1));
    assert!(stderr(&out).contains("region jacobi_0 (jacobi.c:18), call 1: x[17] is 1.00"), "{}", stderr(&out));
    let arrays = json["regions"][0]["arrays"].as_array().expect("a list");
    let x = arrays.iter().find(|a| a["name"] == "x").expect("x is compared");
    assert_eq!(
        (&x["elements"], &x["differing"], &x["worst_at"]),
        (&Value::from(300), &Value::from(1), &Value::from("[17]"))
    );
    assert_eq!(x["first"][0]["index"], "[17]");
}

#[test]
fn arrays_that_overlap_are_left_to_the_original() {
    let (out, json) = run_with_json(&program("jacobi"), &["overlap"], &[], "RTCUDA_REPORT");
    assert_eq!(out.status.code(), Some(0), "{}", stderr(&out));
    let reason = &json["regions"][0]["not_converted"][0];
    assert_eq!(reason["reason"], "x and x_new overlap, and one of them is written");
    assert_eq!(reason["calls"], 1);
    let said = "region jacobi_0 (jacobi.c:18): the original loops run instead: x and x_new overlap";
    assert_eq!(stderr(&out).matches(said).count(), 1, "{}", stderr(&out));
}

#[test]
fn too_little_device_memory_is_an_error_with_a_remedy_or_a_fallback() {
    let limited = || {
        let mut command = Command::new(program("jacobi"));
        command.env("RT_SIM_MEMORY", "100000");
        command
    };
    let out = limited().output().expect("it runs");
    assert_eq!(out.status.code(), Some(3));
    let text = stderr(&out);
    assert!(
        text.contains("region jacobi_0 (jacobi.c:18): array a: out of (simulated) device memory: 720000 bytes asked"),
        "{text}"
    );
    assert!(text.contains("help: "), "{text}");
    let out = limited().env("RTCUDA_ON_ERROR", "fallback").output().expect("it runs");
    assert_eq!(out.status.code(), Some(0));
    assert!(stderr(&out).contains("the original loops run"), "{}", stderr(&out));
}

#[test]
fn times_are_written_by_region_and_kernel() {
    let (_, json) = run_with_json(&program("jacobi"), &[], &[], "RTCUDA_PROFILE");
    let region = &json["regions"][0];
    assert_eq!((&region["calls"], &region["copy_in"]["calls"]), (&Value::from(1), &Value::from(3)));
    assert_eq!(region["kernels"][0]["name"], "jacobi_0_sweep");
    let total = region["total_s"].as_f64().expect("seconds");
    assert!(total > 0.0);
    // Calls that follow each other soon are one span, with the time between.
    let spans = region["spans"].as_array().expect("spans").iter();
    let lengths = spans.map(|span| span[1].as_f64().expect("its end") - span[0].as_f64().expect("its begin"));
    let length: f64 = lengths.sum();
    assert!(length > 0.99 * total - 1e-5 && length < total + 1.0, "{length} of {total}");
}

#[test]
fn an_unknown_order_is_refused() {
    let out =
        Command::new(program("findings")).arg("no_fault").env("RT_SIM_ORDER", "sideways").output().expect("it runs");
    assert_eq!(out.status.code(), Some(2));
    assert!(stderr(&out).contains("expected forward, reverse or shuffle:SEED"));
    let out = Command::new(program("findings")).arg("no_fault").env("RTCUDA_CHOICE", "some").output().expect("it runs");
    assert_eq!(out.status.code(), Some(2));
    assert!(stderr(&out).contains("expected model, device, host or shuffle:SEED"));
}

#[test]
fn comparisons_are_exact_for_integers_and_relative_for_floats() {
    let (out, json) = run_with_json(&program("host"), &["comparisons"], &[], "RTCUDA_REPORT");
    assert_eq!(out.status.code(), Some(1));
    let found: Vec<(&str, u64, u64)> = json["regions"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|r| {
            let v = &r["arrays"][0];
            let count = |key: &str| v[key].as_u64().expect("a count");
            (r["region"].as_str().expect("a name"), count("differing"), count("changed_outside"))
        })
        .collect();
    let expected = [
        ("equal", 0, 0),
        ("signs", 1, 0),
        ("near", 0, 0),
        ("far", 1, 0),
        ("rounded", 0, 0),
        ("not rounded", 1, 0),
        ("rounded twice", 0, 0),
        ("not so near", 1, 0),
        ("infinite", 1, 0),
        ("exact", 1, 0),
        ("outside", 0, 1),
    ];
    assert_eq!(found, expected, "{}", stderr(&out));
    assert!(stderr(&out).contains("v[0][2] is 2 in the original, 2.00099993 converted"), "{}", stderr(&out));
    assert!(stderr(&out).contains("v[1][1] is changed, but is not among what the region writes"), "{}", stderr(&out));
}

/// Complex numbers by their parts, against those of the compiler and of the C library.
#[test]
fn complex_numbers_are_those_of_the_compiler() {
    let out = Command::new(program("complex")).output().expect("it runs");
    let text = String::from_utf8_lossy(&out.stdout);
    assert_eq!(text, "doubles: 0 wrong\nfloats: 0 wrong\ncsqrt: 0 wrong\ncexp: 0 wrong\nclog: 0 wrong\n");
}

/// Of dependent columns, an orthogonalisation divides what rounding left; in another order of a sum that is zero. The sign of
/// a zero is rounding's only where rounding towards plus infinity or zero changes it.
#[test]
fn no_number_is_rounding_where_rounding_leaves_no_digit() {
    let out = Command::new(program("host")).arg("noise").output().expect("it runs");
    let either_zero = "other other other other same same same ";
    let expected = [
        "rounding fault fault fault rounding rounding fault ",
        either_zero,
        "rounding fault fault fault fault rounding fault ",
        either_zero,
    ];
    assert_eq!(String::from_utf8_lossy(&out.stdout), expected.concat());
}

/// What a simulation never asks, and a GPU always does.
#[test]
fn a_call_pays_where_a_core_takes_longer_than_the_way_to_the_device() {
    let out = Command::new(program("host")).arg("estimates").output().expect("it runs");
    assert_eq!(String::from_utf8_lossy(&out.stdout), "host device host device host device host host ");
}

/// Allocation in every way, one after the other, in a child, in threads; and how far memory goes behind pointers.
#[test]
fn blocks_are_known_from_their_allocation_until_they_are_given_back() {
    let out = Command::new(program("blocks")).output().expect("it runs");
    assert_eq!(String::from_utf8_lossy(&out.stdout), "0 faults\n", "{}", stderr(&out));
}

/// Ranges of any beginning and length, read, written and left by regions and by the host, in any order.
#[test]
fn what_stays_on_the_device_is_what_the_host_would_have() {
    for (stay, seed) in
        [program("stay"), program("stay_rows")].iter().flat_map(|p| (1..=100).map(move |seed| (p, seed)))
    {
        for memory in ["", "2000"] {
            let mut run = Command::new(stay);
            run.arg(seed.to_string()).env("RT_SIM_MEMORY", memory);
            let out = run.output().expect("it runs");
            let said = String::from_utf8_lossy(&out.stdout).into_owned() + &stderr(&out);
            let overlaps = |line: &&str| line.contains("overlap");
            let told = said.lines().filter(|line| !overlaps(line)).collect::<Vec<_>>().join("\n");
            assert_eq!(
                told, "0 differ; some were older on the host for a while",
                "{stay:?}, seed {seed}, memory {memory}"
            );
        }
    }
}

#[test]
fn launches_and_copies_that_cannot_be_are_refused() {
    let host = program("host");
    let run = |case: &str| {
        let out = Command::new(&host).arg(case).output().expect("it runs");
        (out.status.code(), stderr(&out))
    };
    assert_eq!(run("empty"), (Some(0), String::new()));
    for (case, says) in [
        ("grid", "(host.c:9): kernel touch: a grid of 1 x 70000 x 1 blocks of 1 x 1 x 32 threads is beyond"),
        ("block", "blocks of 1 x 32 x 33 threads is beyond the hardware's limits"),
        ("resident", "kernel touch_all: 4 blocks that wait for each other, and the (simulated) device holds 3 at once"),
        ("range", "(host.c:7): array y: elements 2 to 4 of 4 are to be copied"),
    ] {
        let (code, text) = run(case);
        assert_eq!(code, Some(3), "{text}");
        assert!(text.contains(says), "{text}");
    }
}

#[test]
fn a_library_by_columns_computes_what_plain_kernels_do() {
    let out = Command::new(program("cublas")).output().expect("it runs");
    assert!(out.status.success(), "{}{}", String::from_utf8_lossy(&out.stdout), stderr(&out));
}
