//! Scans over all blocks in one pass (`rt_scan.h`), simulated: right and the same to the bit in every order of blocks and
//! threads, and faults planted in the header are found.

use rayon::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const ORDERS: [&str; 4] = ["forward", "reverse", "shuffle:7", "shuffle:8"];

/// The program of `tests/runtime/scan.cu` with the headers of a folder.
fn build(headers: &Path, name: &str) -> PathBuf {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("scan-{name}"));
    let out = Command::new("g++")
        .args(["-x", "c++", "-std=c++20", "-O1", "-DRT_SIM", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-I"])
        .arg(headers)
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/runtime/scan.cu"))
        .arg("-o")
        .arg(&program)
        .output()
        .expect("g++ runs");
    assert!(out.status.success(), "scan.cu does not compile:\n{}", String::from_utf8_lossy(&out.stderr));
    program
}

fn headers() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("templates/runtime")
}

fn run(program: &Path, order: &str) -> (Output, String) {
    let out = Command::new(program).env("RT_SIM_ORDER", order).output().expect("it runs");
    let said = format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    (out, said)
}

#[test]
fn scans_are_right_and_the_same_to_the_bit_in_every_order() {
    let program = build(&headers(), "right");
    let said = ORDERS.map(|order| {
        let (out, said) = run(&program, order);
        assert!(out.status.success() && said.ends_with(", 0 wrong\n"), "order {order}:\n{said}");
        said
    });
    assert!(said.iter().all(|x| *x == said[0]), "{said:?}");
}

/// A text of a header, what stands in its place, and what must be said then.
struct Plant {
    name: &'static str,
    from: &'static str,
    to: &'static str,
    said: &'static str,
}

#[rustfmt::skip]
const PLANTS: [Plant; 7] = [
    Plant { name: "told before all warps have joined", said: "race",
        from: "rt_warps[warp] = value;\n    __syncthreads(RT_AT_ONLY);", to: "rt_warps[warp] = value;" },
    Plant { name: "taken before it is known", said: "race",
        from: "__syncthreads(RT_AT_ONLY);\n    value = rt_warps[warp];", to: "value = rt_warps[warp];" },
    Plant { name: "a group told without its other blocks", said: "wrong: sums of more than 32 blocks",
        from: "rt_tell(slots, 2l * block + 1, Op::template join<T>(blocks, total));",
        to: "rt_tell(slots, 2l * block + 1, total);" },
    Plant { name: "a beginning told without its groups", said: "wrong: bits of more than 1024 blocks",
        from: "rt_tell(slots, 2l * block + 1, Op::template join<T>(before, total));",
        to: "rt_tell(slots, 2l * block + 1, Op::template join<T>(blocks, total));" },
    Plant { name: "never told", said: "uninitialised",
        from: "if (lane == 0) rt_tell(", to: "if (lane == 0 && block != 1) rt_tell(" },
    Plant { name: "numbers that no block waits in the order of", said: "uninitialised",
        from: "rt_number[0] = rt_count(begun[0]);", to: "rt_number[0] = (rt_count(begun[0]) + 1) % gridDim.x;" },
    Plant { name: "half of a message", said: "uninitialised",
        from: "w < n; w++) rt_post(", to: "w < n; w++) if (w == 0) rt_post(" },
];

#[test]
fn planted_faults_are_found() {
    let text = fs::read_to_string(headers().join("rt_scan.h")).expect("the header is there");
    PLANTS.par_iter().enumerate().for_each(|(n, plant)| {
        let dir = tempfile::tempdir().expect("a temporary folder");
        for header in fs::read_dir(headers()).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            fs::copy(&header, dir.path().join(header.file_name().expect("a file"))).expect("copied");
        }
        assert_eq!(text.matches(plant.from).count(), 1, "{}", plant.name);
        fs::write(dir.path().join("rt_scan.h"), text.replace(plant.from, plant.to)).expect("written");
        let program = build(dir.path(), &n.to_string());
        for order in ORDERS {
            let (out, said) = run(&program, order);
            let first: String = said.lines().take(20).collect::<Vec<_>>().join("\n");
            assert!(!out.status.success() && said.contains(plant.said), "{}, order {order}:\n{first}", plant.name);
        }
    });
}
