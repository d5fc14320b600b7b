//! Signs of zeros: `rtcuda verify` sees them. What 0 and -0 come to in a maximum and in a sum is C's, and it is found where a
//! fault is planted.

#[path = "support/unoptimised.rs"]
mod unoptimised;

use rtcuda::config::{Backend, Config};
use rtcuda::diag::Stop;
use rtcuda::pipeline::{self, ConvertOptions, Converted};
use rtcuda::runtime::programs::Program;
use rtcuda::runtime::verify::{self, Convert, Options, Verdict};
use std::path::PathBuf;
use std::time::Duration;
use unoptimised::unoptimised;

/// The last zero is -0, in the last but one of 1000 elements; a sum of nothing but -0; a sum whose zero no order changes.
const C: &str = "\
#include <stdio.h>
static double a[1000], b[1000], out[3];
static void zeros(int n) {
    double most = -1.0, sum = -0.0, rest = -0.0;
    for (int i = 0; i < n; i++) {
        if (a[i] >= most)
            most = a[i];
        sum += b[i];
        rest += i % 2 ? 0.1 * (i - 1) : -0.1 * i;
    }
    out[0] = most;
    out[1] = sum;
    out[2] = rest;
}
int main(void) {
    for (int i = 0; i < 1000; i++) {
        a[i] = i % 300 == 7 || i == 998 ? -0.0 : i % 2 ? -1.0 : 0.0;
        b[i] = -0.0;
    }
    zeros(1000);
    printf(\"%a %a\\n\", out[0], out[1]);
    return 0;
}
";

/// The verdict, and which results are said to differ.
fn verified(convert: Convert) -> (Verdict, Vec<String>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("p.c");
    std::fs::write(&file, C).expect("the folder is writable");
    let mut config = Config::parse("p.toml", "[[region]]\nfunction = \"zeros\"\n").expect("it is valid");
    config.target.backend = Backend::Cpu;
    let program = Program { files: vec![file], config, config_file: None };
    let verification = verify::one(&program, &Options::new(convert, Duration::from_secs(60)));
    let mut differing = vec![];
    for run in &verification.runs {
        let regions = &run.comparisons.as_ref().expect("it was compared").regions;
        let arrays = regions.iter().flat_map(|r| &r.arrays).filter(|a| a.differing > 0);
        differing.extend(arrays.map(|a| format!("{}{}", a.name, a.first[0].index)));
    }
    differing.dedup();
    (verification.verdict, differing)
}

/// Converts, then replaces `from`, which the emitted file has so many times.
fn plant(
    files: &[PathBuf],
    options: &ConvertOptions,
    (from, times): (&str, usize),
    to: &str,
) -> Result<Converted, Stop> {
    let mut converted = unoptimised(pipeline::convert(files, options)?);
    let cu = converted.files.iter_mut().find(|f| f.path.ends_with("p.cu")).expect("the program has a region");
    let text = String::from_utf8_lossy(&cu.contents).into_owned();
    assert_eq!(text.matches(from).count(), times, "`{from}` in\n{text}");
    cu.contents = text.replace(from, to).into_bytes();
    Ok(converted)
}

#[test]
fn zeros_have_the_signs_of_c() {
    assert_eq!(verified(|files, options| plant(files, options, ("-0.0", 5), "-0.0")), (Verdict::Verified, vec![]));
}

#[test]
fn the_sign_of_a_maximum_is_seen() {
    let (verdict, differing) = verified(|files, options| plant(files, options, ("? -0.0 : 0.0", 1), "? 0.0 : 0.0"));
    assert_eq!((verdict, differing), (Verdict::Differs, vec!["most".to_string()]));
}

#[test]
fn the_sign_of_a_sum_is_seen() {
    let (verdict, differing) = verified(|files, options| plant(files, options, ("rt_sum = -0.0", 2), "rt_sum = 0.0"));
    assert_eq!((verdict, differing), (Verdict::Differs, vec!["sum".to_string()]));
}
