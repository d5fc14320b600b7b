//! Elements that stay on chip through all steps of a resident kernel: the same results however many find room, and planted
//! faults of them that `rtcuda verify` finds.

#[path = "support/both_ways.rs"]
mod both_ways;
#[path = "support/unoptimised.rs"]
mod unoptimised;

use both_ways::{original, printed, simulated};
use rtcuda::config::{Backend, Config};
use rtcuda::pipeline::{self, Converted};
use rtcuda::runtime::programs::{self, Program};
use rtcuda::runtime::verify::{self, Convert, Options, Verdict, Verification};
use std::process::Command;
use std::time::Duration;
use unoptimised::unoptimised;

/// Waves in a string: `v` and `c` stay on chip, `u` does not. 1,000 points are some for each thread.
const C: &str = "\
#include <stdio.h>
static double u[1000], v[1000], c[1000];
static void leap(int n, int steps) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            v[i] += c[i] * (u[i - 1] - 2.0 * u[i] + u[i + 1]);
        for (int i = 1; i < n - 1; i++)
            u[i] += v[i];
    }
}
int main(void) {
    for (int i = 0; i < 1000; i++) {
        u[i] = i % 7 - 3;
        c[i] = 0.1 + 0.01 * (i % 5);
    }
    leap(1000, 5);
    printf(\"%.9g %.9g\\n\", u[500], v[999]);
    return 0;
}
";

const OF_C: &str = "[[region]]\nfunction = \"leap\"\n";
const OF_TURNS: &str = "[[region]]\nfunction = \"relax\"\nshape = { u = [\"n\"], w = [\"n\"] }\n";

/// A program, with a configuration, verified.
fn planted(c: &str, config: &str, convert: Convert) -> Verification {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("p.c");
    std::fs::write(&file, c).expect("the folder is writable");
    let mut config = Config::parse("p.toml", config).expect("it is valid");
    config.target.backend = Backend::Cpu;
    let program = Program { files: vec![file], config, config_file: None };
    verify::one(&program, &Options::new(convert, Duration::from_secs(60)))
}

fn replaced(mut converted: Converted, from: &str, to: &str) -> Converted {
    let cu = converted.files.iter_mut().find(|f| f.path.ends_with("p.cu")).expect("the program has a region");
    let text = String::from_utf8_lossy(&cu.contents).into_owned();
    assert_eq!(text.matches(from).count(), 1, "`{from}` in\n{text}");
    cu.contents = text.replace(from, to).into_bytes();
    unoptimised(converted)
}

#[test]
fn what_is_not_touched_is_verified() {
    let verification = planted(C, OF_C, |files, options| Ok(unoptimised(pipeline::convert(files, options)?)));
    assert_eq!(verification.verdict, Verdict::Verified, "{:#?}", verification.runs);
}

#[test]
fn an_element_that_is_looked_for_in_memory() {
    let verification = planted(C, OF_C, |files, options| {
        let converted = pipeline::convert(files, options)?;
        Ok(replaced(converted, "u[i_2] += rt_own_v[rt_slot];", "u[i_2] += v[i_2];"))
    });
    assert_eq!(verification.verdict, Verdict::Differs, "{:#?}", verification.runs);
}

#[test]
fn an_element_that_is_not_brought_home() {
    let verification = planted(C, OF_C, |files, options| {
        let converted = pipeline::convert(files, options)?;
        Ok(replaced(converted, "rt_leap_0_steps_on_chip_store<THREADS>(n, rt_slots, rt_own_v, v);", ""))
    });
    assert_eq!(verification.verdict, Verdict::Differs, "{:#?}", verification.runs);
}

#[test]
fn an_element_beyond_those_that_there_are() {
    let verification = planted(C, OF_C, |files, options| {
        let converted = pipeline::convert(files, options)?;
        Ok(replaced(converted, "u[i_2] += rt_own_v[rt_slot];", "u[i_2] += rt_own_v[rt_slot + 1];"))
    });
    assert_eq!(verification.verdict, Verdict::Findings, "{:#?}", verification.runs);
    for run in &verification.runs {
        assert!(run.findings.iter().any(|f| f.kind == "out-of-bounds" && f.array == "rt_own_v"), "{:#?}", run.findings);
    }
}

/// The rows of a sparse matrix, of three entries at most, that stay on chip beside `v`.
const ROWS: &str = "\
#include <stdio.h>
static int start[201], column[600];
static double value[600], u[200], v[200];
static void swing(int n, int steps) {
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            for (int k = start[i]; k < start[i + 1]; k++)
                v[i] -= value[k] * u[column[k]];
        for (int i = 0; i < n; i++)
            u[i] += v[i];
    }
}
int main(void) {
    int count = 0;
    for (int i = 0; i < 200; i++) {
        start[i] = count;
        u[i] = i % 7 - 3;
        for (int j = i - 1; j <= i + 1; j++)
            if (0 <= j && j < 200) {
                column[count] = j;
                value[count++] = i == j ? 0.3 : -0.02 * (1 + j % 3);
            }
    }
    start[200] = count;
    swing(200, 5);
    printf(\"%.9g %.9g\\n\", u[100], v[199]);
    return 0;
}
";

const OF_ROWS: &str = "[[region]]\nfunction = \"swing\"\nsync = \"cooperative\"\nshort-columns = \"never\"\n";
const ENTRY: &str = "rt_own_value[rt_slot][(long)k - rt_first_2]";

#[test]
fn an_entry_that_is_another_one() {
    let verification = planted(ROWS, OF_ROWS, |files, options| {
        let converted = pipeline::convert(files, options)?;
        Ok(replaced(converted, ENTRY, "rt_own_value[rt_slot][0]"))
    });
    assert_eq!(verification.verdict, Verdict::Differs, "{:#?}", verification.runs);
}

#[test]
fn an_entry_beyond_the_longest_row() {
    let verification = planted(ROWS, OF_ROWS, |files, options| {
        let converted = pipeline::convert(files, options)?;
        Ok(replaced(converted, ENTRY, "rt_own_value[rt_slot][(long)k + 1 - rt_first_2]"))
    });
    assert_eq!(verification.verdict, Verdict::Findings, "{:#?}", verification.runs);
    for run in &verification.runs {
        let is_it = run.findings.iter().any(|f| f.kind == "out-of-bounds" && f.array == "rt_own_value");
        assert!(is_it, "{:#?}", run.findings);
    }
}

/// Sums whose two buffers change places: `p` stays on chip, though each turn has phases of its own, and the copy of it has no sum.
const TURNS: &str = "\
#include <stdio.h>
static double a[1000], b[1000], p[1000], q[1000];
static int relax(int n, double tol, double *u, double *w) {
    int steps = 0;
    double left = 1.0;
    while (left > tol && steps < 40) {
        left = 0.0;
        for (int i = 1; i < n - 1; i++) {
            double next = 0.5 * (u[i - 1] + u[i + 1]);
            p[i] += next;
            w[i] = next;
            left += (next - u[i]) * (next - u[i]);
        }
        if (steps % 8 == 7)
            for (int i = 1; i < n - 1; i++)
                q[i] = p[i];
        double *t = u;
        u = w;
        w = t;
        steps++;
    }
    return steps;
}
int main(void) {
    for (int i = 0; i < 1000; i++)
        a[i] = b[i] = i % 7 - 3;
    int steps = relax(1000, 1e-3, a, b);
    printf(\"%d %.9g %.9g %.9g\\n\", steps, a[500], p[998], q[77]);
    return 0;
}
";

/// The same without the copy.
fn turns_alone() -> String {
    let copy = "        if (steps % 8 == 7)
            for (int i = 1; i < n - 1; i++)
                q[i] = p[i];
";
    assert!(TURNS.contains(copy));
    TURNS.replace(copy, "")
}

/// The barriers in a loop of steps, the last one, which keeps elements on chip.
fn barriers(c: &str) -> usize {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("p.c");
    std::fs::write(&file, c).expect("the folder is writable");
    let config = Config::parse("p.toml", OF_TURNS).expect("it is valid");
    let options = pipeline::ConvertOptions { config, ..Default::default() };
    let converted = pipeline::convert(&[file], &options).expect("it converts");
    let cu = converted.files.iter().find(|f| f.path.ends_with("p.cu")).expect("the program has a region");
    let text = String::from_utf8_lossy(&cu.contents).into_owned();
    // The entry behind it has a loop of launches, for calls with large steps.
    let (kernels, _) = text.rsplit_once("extern \"C\"").expect("the region has an entry");
    let steps = kernels.rsplit("    while (").next().and_then(|steps| steps.split("\n    }\n").next());
    let steps = steps.expect("the steps are a loop");
    assert!(steps.contains("rt_own_p"), "{steps}");
    steps.matches("RT_GRID_BARRIER").count()
}

#[test]
fn two_turns_wait_once_each() {
    assert_eq!(barriers(&turns_alone()), 2);
    // Another thread's elements are copied before they change.
    assert_eq!(barriers(TURNS), 3);
    for c in [TURNS, &turns_alone()] {
        let verification = planted(c, OF_TURNS, |files, options| Ok(unoptimised(pipeline::convert(files, options)?)));
        assert_eq!(verification.verdict, Verdict::Verified, "{:#?}", verification.runs);
    }
}

#[test]
fn a_turn_that_does_not_wait() {
    let verification = planted(&turns_alone(), OF_TURNS, |files, options| {
        let mut converted = pipeline::convert(files, options)?;
        let cu = converted.files.iter_mut().find(|f| f.path.ends_with("p.cu")).expect("the program has a region");
        let text = String::from_utf8_lossy(&cu.contents).into_owned();
        cu.contents = text.replace("            RT_GRID_BARRIER(rt_barrier);\n", "").into_bytes();
        Ok(unoptimised(converted))
    });
    assert_eq!(verification.verdict, Verdict::Findings, "{:#?}", verification.runs);
}

/// Bytes that a simulated block has on chip, and how many blocks run at once.
const ROOMS: &[(&str, &str)] =
    &[("0", "3"), ("1500", "2"), ("5000", "3"), ("8192", "1"), ("8192", "7"), ("1000000", "3")];

#[test]
fn results_are_the_same_whatever_finds_room() {
    let program = &programs::collect(&["tests/programs/on_chip.c".into()], None, &[]).expect("it is valid")[0];
    let folder = tempfile::tempdir().expect("a temporary folder");
    let options = pipeline::ConvertOptions { config: program.config.clone(), ..Default::default() };
    let converted = unoptimised(pipeline::convert(&program.files, &options).expect("it converts"));
    let simulated = simulated(&converted, folder.path());
    let expected = printed(&mut Command::new(original(program, folder.path())));
    for (room, blocks) in ROOMS {
        let mut command = Command::new(&simulated);
        command.envs([("RT_SIM_ROOM", room), ("RT_SIM_RESIDENT", blocks)]);
        assert_eq!(printed(&mut command), expected, "{room} bytes for each of {blocks} blocks");
    }
}
