//! Columns of sparse matrices in 16 bits: calls in which all fit read them so, others read what they always did; faults planted in
//! how they are made are found by `rtcuda verify`.

#[path = "support/both_ways.rs"]
mod both_ways;
#[path = "support/unoptimised.rs"]
mod unoptimised;

use both_ways::{original, printed, simulated};
use rtcuda::config::Backend;
use rtcuda::emit;
use rtcuda::pipeline::{self, Converted};
use rtcuda::runtime::programs::{self, Program};
use rtcuda::runtime::verify::{self, Convert, Options, Verdict, Verification};
use std::process::Command;
use std::time::Duration;
use unoptimised::unoptimised;

/// The shipped program, whose calls have columns of both kinds.
fn program() -> Program {
    let mut program =
        programs::collect(&["tests/programs/short_columns.c".into()], None, &[]).expect("it is valid").remove(0);
    program.config.target.backend = Backend::Cpu;
    program
}

/// The program, with a fault in the header that shortens columns, verified.
fn planted(convert: Convert) -> Verification {
    verify::one(&program(), &Options::new(convert, Duration::from_secs(120)))
}

/// The text of that header, each `from` replaced.
fn replaced(mut converted: Converted, all: &[(&str, &str)]) -> Converted {
    let is_it = |f: &&mut emit::File| f.path.ends_with("rt_short_columns.h");
    let header = converted.files.iter_mut().find(is_it).expect("the program shortens columns");
    let mut text = String::from_utf8_lossy(&header.contents).into_owned();
    for (from, to) in all {
        assert_eq!(text.matches(from).count(), 1, "`{from}` in\n{text}");
        text = text.replace(from, to);
    }
    header.contents = text.into_bytes();
    unoptimised(converted)
}

#[test]
fn a_distance_that_does_not_fit_and_is_taken() {
    let verification = planted(|files, options| {
        let converted = pipeline::convert(files, options)?;
        let unseen = [("step >= 0 && step <= 65535", "true"), (" || known[2] > known[1] + 65535", "")];
        Ok(replaced(converted, &unseen))
    });
    assert!(matches!(verification.verdict, Verdict::Differs | Verdict::Findings), "{:#?}", verification.runs);
}

#[test]
fn a_row_that_is_counted_from_its_neighbour() {
    let verification = planted(|files, options| {
        let converted = pipeline::convert(files, options)?;
        Ok(replaced(
            converted,
            &[("rt_columns_begin(row, reach) - least;", "rt_columns_begin(row - 1, reach) - least;")],
        ))
    });
    assert!(matches!(verification.verdict, Verdict::Differs | Verdict::Findings), "{:#?}", verification.runs);
}

#[test]
fn an_entry_beyond_those_that_there_are() {
    let verification = planted(|files, options| {
        let converted = pipeline::convert(files, options)?;
        Ok(replaced(converted, &[("to[k] = (unsigned short)step;", "to[k + (k + 1 == end)] = (unsigned short)step;")]))
    });
    assert_ne!(verification.verdict, Verdict::Verified, "{:#?}", verification.runs);
}

/// Launches of both forms of a kernel, by its name in a profile.
fn launches(profile: &str, kernel: &str) -> [u64; 2] {
    let profile: serde_json::Value = serde_json::from_str(profile).expect("it is JSON");
    let regions = profile["regions"].as_array().into_iter().flatten();
    let kernels: Vec<_> = regions.flat_map(|r| r["kernels"].as_array().into_iter().flatten()).collect();
    let of = |name: &str| kernels.iter().filter(|k| k["name"] == name).filter_map(|k| k["calls"].as_u64()).sum();
    [of(&format!("{kernel}_short")), of(kernel)]
}

#[test]
fn calls_take_the_form_that_their_columns_fit() {
    let program = program();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let options = pipeline::ConvertOptions { config: program.config.clone(), ..Default::default() };
    let converted = unoptimised(pipeline::convert(&program.files, &options).expect("it converts"));
    let simulated = simulated(&converted, folder.path());
    let expected = printed(&mut Command::new(original(&program, folder.path())));
    let file = folder.path().join("profile.json");
    // Of the device's memory half of what is free is kept. Two arrays of 140,000 numbers leave the second region too little.
    for (memory, sweep, alternate) in [(None, [16, 9], [4, 2]), (Some("2300000"), [16, 9], [0, 6])] {
        let mut command = Command::new(&simulated);
        command.env("RTCUDA_PROFILE", &file).envs(memory.map(|bytes| ("RT_SIM_MEMORY", bytes)));
        assert_eq!(printed(&mut command), expected, "{memory:?}");
        let profile = std::fs::read_to_string(&file).expect("the program wrote it");
        let found = ["rt_sweep_0_steps_2", "rt_alternate_0_steps_2"].map(|kernel| launches(&profile, kernel));
        assert_eq!(found, [sweep, alternate], "{memory:?}");
    }
}
