//! The kernels of `rtcuda bench kernels`: each is converted, and simulated at a tiny size computes what its loops do; so do those of
//! `rtcuda bench loops`, in every spelling.

#[path = "support/unoptimised.rs"]
mod unoptimised;

use rtcuda::bench::kernels::rows::{ROWS, SOURCES, Source};
use rtcuda::bench::kernels::{self, Options, peers, program};
use rtcuda::config::Backend;
use rtcuda::diag::render::Style;
use rtcuda::pipeline::{self, ConvertOptions};
use rtcuda::runtime::verify::{self, Verdict};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

/// C files of a program: each more is a compiler less that reads the runtime's headers.
const FILES: usize = 4;

/// Files whose loops this version leaves to the host; that it takes them is no fault.
const MAY_BE_DECLINED: [&str; 1] = ["prefix_sum.c"];

#[test]
fn they_compute_what_their_loops_do() {
    let folder = tempfile::tempdir().unwrap();
    let programs = kernels::tiny(&Options::default(), FILES, Backend::Cpu, folder.path()).unwrap();
    assert_eq!(programs.len(), SOURCES.len().div_ceil(FILES));
    let convert =
        |files: &[PathBuf], options: &ConvertOptions| Ok(unoptimised::unoptimised(pipeline::convert(files, options)?));
    let verifications = verify::all(&programs, &verify::Options::new(convert, Duration::from_secs(60)), &|_| {});
    let text = verify::text::text(&verifications, Style::Plain);
    for (verification, sources) in verifications.iter().zip(SOURCES.chunks(FILES)) {
        let functions = |sources: &mut dyn Iterator<Item = &Source>| sources.map(|s| s.functions.len()).sum::<usize>();
        let mut may_stay = sources.iter().filter(|source| MAY_BE_DECLINED.contains(&source.name));
        let n_may_stay = functions(&mut may_stay);
        assert_eq!(verification.verdict, Verdict::Verified, "{text}");
        assert!(verification.converted + n_may_stay >= functions(&mut sources.iter()), "{text}");
        assert!(verification.declined <= n_may_stay, "{text}");
    }
}

#[test]
fn each_driver_is_a_row_and_each_row_has_a_driver() {
    let rows: BTreeSet<&str> = ROWS.iter().map(|row| row.kernel).collect();
    assert_eq!(rows.len(), ROWS.len(), "a name stands twice");
    let drivers = |text: &'static str| text.lines().filter_map(|line| line.strip_prefix("ROW(")?.split(')').next());
    assert_eq!(rows, SOURCES.iter().flat_map(|source| drivers(source.text)).collect());
    for row in &ROWS {
        let source = row.source().unwrap_or_else(|| panic!("{}: no C file has its driver", row.kernel));
        assert!(source.functions.contains(&row.kernel), "{}: its function is not converted", row.kernel);
        assert!(!program::lines_of(source, row.kernel).is_empty(), "{}", row.kernel);
        for size in row.sizes {
            assert_eq!(size.len(), row.tiny.len(), "{}: {size:?}", row.kernel);
            let requests = peers::requests(row, size);
            assert!(!requests.is_empty(), "{}: nothing to compare it with", row.kernel);
            let known = |request: &String| peers::PEERS.iter().any(|peer| peer.answers(request));
            assert!(requests.iter().all(known), "{}: {requests:?}", row.kernel);
        }
    }
}

#[test]
fn in_loops_they_compute_what_their_loops_do() {
    let folder = tempfile::tempdir().unwrap();
    let programs = kernels::loops::tiny(&[], Backend::Cpu, folder.path()).unwrap();
    let convert =
        |files: &[PathBuf], options: &ConvertOptions| Ok(unoptimised::unoptimised(pipeline::convert(files, options)?));
    let verifications = verify::all(&programs, &verify::Options::new(convert, Duration::from_secs(60)), &|_| {});
    let text = verify::text::text(&verifications, Style::Plain);
    for verification in &verifications {
        assert_eq!(verification.verdict, Verdict::Verified, "{text}");
        // A region for each spelling.
        assert!(verification.converted >= kernels::loops::text::SPELLINGS.len(), "{text}");
    }
}
