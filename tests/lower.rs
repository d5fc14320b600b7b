//! Passes over kernels, text in, text out: `tests/lower/PASS/NAME.txt` beside what the pass leaves of it, `NAME.expect`.
//!
//! `UPDATE_EXPECT=1 cargo test --test lower` writes what is expected anew.

use expect_test::expect_file;
use rtcuda::kernel::{Function, Kernel, parse, verify};
use rtcuda::lower::{registers, unroll};
use std::fs;
use std::path::Path;

const ROOT: &str = "tests/lower";

/// A pass over the kernels and device functions of a region.
type Pass = fn(&mut [Kernel], &mut [Function]);

const PASSES: &[(&str, Pass)] = &[("registers", registers::all), ("unroll", unroll::all)];

#[test]
fn each_pass_leaves_what_is_expected() {
    for (name, run) in PASSES {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(ROOT).join(name);
        let entries = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        let cases = entries.map(|entry| entry.expect("a folder that can be read").path());
        let cases: Vec<_> = cases.filter(|path| path.extension().is_some_and(|e| e == "txt")).collect();
        assert!(!cases.is_empty(), "{name} has no case");
        for case in cases {
            let text = fs::read_to_string(&case).unwrap_or_else(|e| panic!("{}: {e}", case.display()));
            let (mut functions, mut kernels) =
                parse::module(&text).unwrap_or_else(|e| panic!("{}: {e}", case.display()));
            run(&mut kernels, &mut functions);
            verify::after_pass(name, &kernels, &functions).unwrap_or_else(|e| panic!("{}: {e:?}", case.display()));
            let functions = functions.iter().map(|f| format!("{f}\n"));
            let left: String = functions.chain(kernels.iter().map(|k| format!("{k}\n"))).collect();
            expect_file![case.with_extension("expect")].assert_eq(&left);
            let again = parse::module(&left).unwrap_or_else(|e| panic!("{}: {e}", case.display())).1;
            assert_eq!(again, kernels, "{}: the text is not what was printed", case.display());
        }
    }
}
