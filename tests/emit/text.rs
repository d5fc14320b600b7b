//! The emitted text, to the letter.

use crate::sample;
use expect_test::expect_file;
use rtcuda::emit::emit;

fn check(is_checked: bool, path: &str, expected: expect_test::ExpectFile) {
    let files = emit(&sample::program(), &sample::options(is_checked)).unwrap();
    let file = files.iter().find(|f| f.path.to_string_lossy() == path).unwrap();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/emit");
    let text = String::from_utf8(file.contents.clone()).unwrap().replace(folder, "<folder>");
    expected.assert_eq(&text);
}

#[test]
fn kernels_and_entries() {
    check(false, "sample.cu", expect_file!["golden/sample.cu"]);
}

#[test]
fn check_functions() {
    check(true, "sample.cu", expect_file!["golden/sample.check.cu"]);
}

#[test]
fn c_file() {
    check(false, "sample.c", expect_file!["golden/sample.c"]);
}

#[test]
fn checked_c_file() {
    check(true, "sample.c", expect_file!["golden/sample.check.c"]);
}

#[test]
fn build_files() {
    check(false, "Makefile", expect_file!["golden/Makefile"]);
    check(false, "CMakeLists.txt", expect_file!["golden/CMakeLists.txt"]);
    check(false, "sample.cflags", expect_file!["golden/sample.cflags"]);
}
