//! Malformed Matrix Market files: what each kind says, as a user reads it.

use expect_test::{Expect, expect};
use flate2::Compression;
use flate2::write::GzEncoder;
use rtcuda::diag::Diagnostic;
use rtcuda::diag::render::{Style, text};
use rtcuda::sparse::facts::Facts;
use rtcuda::sparse::format::footprints;
use rtcuda::sparse::market::Market;
use rtcuda::sparse::market::read::{from_stream, read};
use rtcuda::sparse::market::write::write;
use std::io::{self, Read, Write};
use std::path::Path;

/// The memory that small files may take.
const LIMIT: u64 = 1 << 28;

fn parse(text: &[u8]) -> Result<Market, Diagnostic> {
    from_stream("a.mtx", text, LIMIT)
}

/// A fault in short: line and column, the words that are meant, what is said.
fn told(fault: &Diagnostic) -> String {
    let help = fault.help.as_deref().map(|help| format!("; help: {help}")).unwrap_or_default();
    let place = fault.place.as_ref().map(|place| {
        let (column, length) = (place.column as usize - 1, place.length as usize);
        let meant: String = place.text.chars().skip(column).take(length).collect();
        format!("{}:{} {meant:?} ", place.line, place.column)
    });
    format!("{}[{}] {}{help}", place.unwrap_or_default(), fault.code, fault.message)
}

/// What a malformed file says.
fn check(input: impl AsRef<[u8]>, expected: Expect) {
    let fault = parse(input.as_ref()).expect_err("the file is malformed");
    expected.assert_eq(&told(&fault));
}

#[test]
fn a_fault_as_a_user_reads_it() {
    let fault = parse(coordinates("3 3 1\n1 1 1.0 2.0\n").as_bytes()).unwrap_err();
    expect![[r#"
        error[matrix-entry]: `2.0` is one word too many: a line of a real matrix has a row, a column and a value
         --> a.mtx:4:9
          |
        4 | 1 1 1.0 2.0
          |         ^^^
          |
          = help: see whether the first line names the right field: real, integer, complex or pattern
    "#]]
    .assert_eq(&text(&fault, Style::Plain));
}

fn compressed(text: &[u8]) -> Vec<u8> {
    let mut out = GzEncoder::new(Vec::new(), Compression::default());
    out.write_all(text).unwrap();
    out.finish().unwrap()
}

/// A file of real coordinates.
fn coordinates(rest: &str) -> String {
    format!("%%MatrixMarket matrix coordinate real general\n% a comment\n{rest}")
}

#[test]
fn no_header_or_a_wrong_one() {
    check(
        "",
        expect![
            "[matrix-header] a.mtx is empty; help: a Matrix Market file begins like this: %%MatrixMarket matrix coordinate real general"
        ],
    );
    check(
        "3 3 1\n1 1 1\n",
        expect![[
            r#"1:1 "3" [matrix-header] this is no Matrix Market file; help: a Matrix Market file begins like this: %%MatrixMarket matrix coordinate real general"#
        ]],
    );
    check(
        "%%MatrixMarket matrix coordinate rael general\n",
        expect![[r#"1:34 "rael" [matrix-header] `rael` is no field; help: did you mean `real`?"#]],
    );
    check(
        "%%MatrixMarket matrix coordinate real\n1 1 0\n",
        expect![[
            r#"1:38 "" [matrix-header] the first line ends before its symmetry; help: a Matrix Market file begins like this: %%MatrixMarket matrix coordinate real general"#
        ]],
    );
    check(
        "%%MatrixMarket vector coordinate real general\n1 1 0\n",
        expect![[r#"1:16 "vector" [matrix-header] `vector` is no kind of object; help: only `matrix` is known"#]],
    );
    check(
        "%%MatrixMarket matrix coordinate real general 7\n1 1 0\n",
        expect![[
            r#"1:47 "7" [matrix-header] `7` is one word too many; help: a Matrix Market file begins like this: %%MatrixMarket matrix coordinate real general"#
        ]],
    );
    check(
        "%%MatrixMarket matrix array pattern general\n1 1\n",
        expect![[
            r#"1:29 "pattern general" [matrix-header] an array lists values, and a pattern has none; help: a pattern is in coordinate format"#
        ]],
    );
    check(
        "%%MatrixMarket matrix coordinate pattern skew-symmetric\n1 1 0\n",
        expect![[
            r#"1:34 "pattern skew-symmetric" [matrix-header] a pattern has no values that could be skew-symmetric; help: say `symmetric` or `general`"#
        ]],
    );
    check(
        "%%MatrixMarket matrix coordinate real Hermitian\n1 1 0\n",
        expect![[
            r#"1:34 "real Hermitian" [matrix-header] only a complex matrix is Hermitian; help: say `symmetric`: for real values that is the same"#
        ]],
    );
    check(
        [&[0u8; 20][..], b"\x01\xff\x1b[2J\n"].concat(),
        expect![[
            r#"1:1 "?????????????????????�?[2J" [matrix-header] this is no Matrix Market file; help: a Matrix Market file begins like this: %%MatrixMarket matrix coordinate real general"#
        ]],
    );
}

#[test]
fn no_size_or_a_wrong_one() {
    check(
        coordinates(""),
        expect![
            "[matrix-size] a.mtx ends after line 2, before the line with its size; help: that line has rows, columns and the number of entries: `3 3 5`; of an array, rows and columns"
        ],
    );
    check(coordinates("3 3\n1 1 1\n"), expect![[r#"3:4 "" [matrix-size] the line ends before its number of entries"#]]);
    check(coordinates("3 -3 1\n"), expect![[r#"3:3 "-3" [matrix-size] `-3` is not a number of columns"#]]);
    check(
        coordinates("3 3 1 1\n"),
        expect![[
            r#"3:7 "1" [matrix-size] `1` is one number too many: the line has rows, columns and the number of entries"#
        ]],
    );
    check(coordinates("3 3 1e3\n"), expect![[r#"3:5 "1e3" [matrix-size] `1e3` is not a number of entries"#]]);
    check(
        coordinates("3 3 99999999999999999999999\n"),
        expect![[
            r#"3:5 "99999999999999999999999" [matrix-size] `99999999999999999999999` is not a number of entries"#
        ]],
    );
    check(
        coordinates("2147483648 1 0\n"),
        expect![[
            r#"3:1 "2147483648" [matrix-too-large] 2147483648 rows: a matrix has at most 2147483647; help: indices are `int` in C programs and in cuSPARSE's 32-bit formats"#
        ]],
    );
    check(
        "%%MatrixMarket matrix coordinate real symmetric\n3 4 0\n",
        expect![[r#"2:1 "3 4 0" [matrix-size] a symmetric matrix is square, and this one is 3 x 4"#]],
    );
    check(
        "%%MatrixMarket matrix array real general\n3 4 12\n",
        expect![[r#"2:5 "12" [matrix-size] `12` is one number too many: the line has rows and columns"#]],
    );
}

#[test]
fn more_or_fewer_entries_than_promised() {
    check(
        coordinates("3 3 2\n1 1 1\n\n2 2 2\n3 3 3\n"),
        expect![[r#"7:1 "3 3 3" [entry-count] one entry more than the 2 that line 3 promises"#]],
    );
    check(
        coordinates("3 3 2\n1 1 1\n"),
        expect![[
            r#"3:1 "3 3 2" [entry-count] the file ends after line 4 with 1 of the 2 entries that it promises here; help: the file was cut off, or its size line is wrong"#
        ]],
    );
    check(
        coordinates("3 3 0\n1 1 nonsense\n"),
        expect![[r#"4:5 "nonsense" [matrix-entry] `nonsense` is not a number"#]],
    );
    check(
        "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n5\n",
        expect![[r#"7:1 "5" [entry-count] one value more than the 4 that line 2 promises"#]],
    );
    check(
        "%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n",
        expect![[
            r#"2:1 "2 2" [entry-count] the file ends after line 4 with 2 of the 3 values that it promises here; help: the file was cut off, or its size line is wrong"#
        ]],
    );
    // A promise that no memory could hold, and that is not kept.
    check(
        coordinates("2147483647 2147483647 18446744073709551615\n1 1 1\n"),
        expect![[
            r#"3:1 "2147483647 2147483647 18446744073709551615" [entry-count] the file ends after line 4 with 1 of the 18446744073709551615 entries that it promises here; help: the file was cut off, or its size line is wrong"#
        ]],
    );
    check(
        "%%MatrixMarket matrix array real skew-symmetric\n2147483647 2147483647\n1\n",
        expect![[
            r#"2:1 "2147483647 2147483647" [entry-count] the file ends after line 3 with 1 of the 2305843005992468481 values that it promises here; help: the file was cut off, or its size line is wrong"#
        ]],
    );
    // One that is kept, as far as it goes, by a matrix whose rows alone are too many.
    check(
        coordinates("2147483647 2147483647 1\n1 1 1\n"),
        expect![[
            r#"3:1 "2147483647 2147483647 1" [matrix-too-large] this 2147483647 x 2147483647 matrix needs 17.2 GB of memory, and 268.4 MB can be had; help: use a machine with more memory, or a smaller matrix"#
        ]],
    );
}

#[test]
fn entries_that_are_none() {
    check(coordinates("3 3 1\n0 1 1\n"), expect![[r#"4:1 "0" [index-out-of-range] row 0: rows count from 1"#]]);
    check(
        coordinates("3 3 1\n1 4 1\n"),
        expect![[r#"4:3 "4" [index-out-of-range] column 4: the matrix has 3 columns"#]],
    );
    check(coordinates("3 3 1\n-1 1 1\n"), expect![[r#"4:1 "-1" [index-out-of-range] row -1: the rows are 1 to 3"#]]);
    check(
        coordinates("3 3 1\n1 99999999999999999999999 1\n"),
        expect![[
            r#"4:3 "99999999999999999999999" [index-out-of-range] column 99999999999999999999999: the columns are 1 to 3"#
        ]],
    );
    check(
        coordinates("3 3 1\n1 1.0 1\n"),
        expect![[r#"4:3 "1.0" [matrix-entry] `1.0` is not the number of a column"#]],
    );
    check(coordinates("3 3 1\n1\n"), expect![[r#"4:2 "" [matrix-entry] the line ends before its column"#]]);
    check(coordinates("3 3 1\n1 1\n"), expect![[r#"4:4 "" [matrix-entry] the line ends before its value"#]]);
    check(coordinates("3 3 1\n1 1 one\n"), expect![[r#"4:5 "one" [matrix-entry] `one` is not a number"#]]);
    check(coordinates("3 3 1\n1 1 1.0ee5\n"), expect![[r#"4:5 "1.0ee5" [matrix-entry] `1.0ee5` is not a number"#]]);
    check(
        coordinates("3 3 1\n1 1 1.0 2.0\n"),
        expect![[
            r#"4:9 "2.0" [matrix-entry] `2.0` is one word too many: a line of a real matrix has a row, a column and a value; help: see whether the first line names the right field: real, integer, complex or pattern"#
        ]],
    );
    check(
        coordinates("3 3 2\n1 1 1.0 % and more\n"),
        expect![[
            r#"4:9 "%" [matrix-entry] `%` is one word too many: a line of a real matrix has a row, a column and a value; help: see whether the first line names the right field: real, integer, complex or pattern"#
        ]],
    );
    check(coordinates("3 3 1\n1 1 \u{1f98a}\u{7}\n"), expect![[r#"4:5 "🦊?" [matrix-entry] `🦊?` is not a number"#]]);
    check(
        "%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1\n",
        expect![[r#"3:6 "" [matrix-entry] the line ends before its imaginary part"#]],
    );
    check(
        "%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1 1\n",
        expect![[
            r#"3:5 "1" [matrix-entry] `1` is one word too many: a line of a pattern matrix has a row and a column; help: see whether the first line names the right field: real, integer, complex or pattern"#
        ]],
    );
    check(
        "%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 1.5\n",
        expect![[
            r#"3:5 "1.5" [matrix-entry] `1.5` is not an integer; help: if the values are not integers, the first line must say `real`"#
        ]],
    );
    check(
        "%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 9007199254740993\n",
        expect![[
            r#"3:5 "9007199254740993" [matrix-entry] `9007199254740993` is beyond 2^53, and not every such integer is a double; help: say `real` in the first line to have the nearest double"#
        ]],
    );
    check(
        "%%MatrixMarket matrix array complex general\n1 1\n1\n",
        expect![[r#"3:2 "" [matrix-entry] the line ends before its imaginary part"#]],
    );
    check(
        "%%MatrixMarket matrix array real general\n2 1\n1 2\n",
        expect![[
            r#"3:3 "2" [matrix-entry] `2` is one word too many: a line of a real matrix has one value; help: see whether the first line names the right field: real, integer, complex or pattern"#
        ]],
    );
}

#[test]
fn values_that_are_not_finite() {
    check(
        coordinates("3 3 1\n1 1 nan\n"),
        expect![[
            r#"4:5 "nan" [not-finite] `nan` is not a finite number; help: a matrix with such a value has no products or solutions; see what wrote the file"#
        ]],
    );
    check(
        coordinates("3 3 1\n1 1 -Infinity\n"),
        expect![[
            r#"4:5 "-Infinity" [not-finite] `-Infinity` is not a finite number; help: a matrix with such a value has no products or solutions; see what wrote the file"#
        ]],
    );
    check(
        coordinates("3 3 1\n1 1 1D999\n"),
        expect![[r#"4:5 "1D999" [not-finite] `1D999` is beyond the range of doubles"#]],
    );
    check(
        coordinates("3 3 2\n1 1 1.5e308\n1 1 1.5e308\n"),
        expect!["[not-finite] a.mtx: the sum of the entries at row 1, column 1 is not finite"],
    );
    // Too small for a double is zero.
    assert_eq!(parse(coordinates("1 1 1\n1 1 1e-999\n").as_bytes()).unwrap().into_csr().unwrap().data(), [0.0]);
}

#[test]
fn symmetries_that_are_none() {
    let symmetric = "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 1\n";
    check(
        format!("{symmetric}2 1 1\n1 2 1\n"),
        expect![[
            r#"5:1 "1 2 1" [matrix-symmetry] an entry above the diagonal, and line 4 has one below it: only one half is listed; help: if both halves are listed, the first line must say `general`"#
        ]],
    );
    check(
        "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 1 1\n",
        expect![[
            r#"3:1 "1 1 1" [matrix-symmetry] a skew-symmetric matrix has zeros on its diagonal, and lists none of them"#
        ]],
    );
    check(
        "%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n1 1 1 1\n",
        expect![[r#"3:1 "1 1 1 1" [matrix-symmetry] a Hermitian matrix has real numbers on its diagonal"#]],
    );
    check(
        "%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n\n2 3\n% here\n4 5\n",
        expect![[r#"7:1 "4 5" [matrix-symmetry] a Hermitian matrix has real numbers on its diagonal"#]],
    );
}

#[test]
fn files_that_are_cut_or_damaged() {
    let whole = compressed(coordinates(&format!("3 3 90000\n{}", "1 1 1.25\n".repeat(90_000))).as_bytes());
    assert_eq!(parse(&whole).unwrap().n_duplicates, 89_999);
    check(
        &whole[..whole.len() / 2],
        expect![
            "[matrix-unreadable] a.mtx: the compressed data are damaged or end early, after line 44007: incomplete deflate stream; help: copy or download the file again; `gzip -t` tells whether it is whole"
        ],
    );
    let mut damaged = whole.clone();
    let middle = whole.len() - 6;
    damaged[middle] ^= 0x55;
    check(
        damaged,
        expect![
            "[matrix-unreadable] a.mtx: the compressed data are damaged or end early, after line 90003: corrupt gzip stream does not have a matching checksum; help: copy or download the file again; `gzip -t` tells whether it is whole"
        ],
    );
    check(
        format!("{}{}", coordinates("3 3 1\n"), "1".repeat(1 << 20)),
        expect![[
            r#"4:1 "1" [line-too-long] a line of more than 512 kB: lines of Matrix Market files have at most 1024 characters"#
        ]],
    );
    let mut archive = vec![0; 512];
    archive[..5].copy_from_slice(b"a.mtx");
    archive[257..262].copy_from_slice(b"ustar");
    check(
        compressed(&archive),
        expect![[
            r#"1:1 "a.mtx???????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????" [matrix-header] this is no Matrix Market file; help: it is a tar archive: unpack it with `tar -xf` first"#
        ]],
    );
}

#[test]
fn files_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let fault = |path: &Path| {
        let message = read(path).unwrap_err().message;
        message.replace(&folder.path().display().to_string(), "DIR")
    };
    assert_eq!(
        fault(&folder.path().join("none.mtx")),
        "DIR/none.mtx cannot be read: No such file or directory (os error 2)"
    );
    assert_eq!(fault(folder.path()), "DIR is a folder");
    let market = parse(b"%%MatrixMarket matrix array real general\n1 1\n1\n").unwrap();
    let unwritable = write(Path::new("no/such/folder/a.mtx"), &market).unwrap_err();
    assert_eq!(unwritable.code, "matrix-unwritable");
}

/// Lines without end, as fast as they are wanted.
struct Endless {
    line: &'static [u8],
    at: usize,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        for byte in buffer.iter_mut() {
            *byte = self.line[self.at];
            self.at = (self.at + 1) % self.line.len();
        }
        Ok(buffer.len())
    }
}

#[test]
fn what_has_no_end_ends_at_the_limit() {
    let head = coordinates("5 5 18446744073709551615\n");
    let fault = from_stream("a.mtx", head.as_bytes().chain(Endless { line: b"1 1 1\n", at: 0 }), 1 << 22).unwrap_err();
    expect![[r#"3:1 "5 5 18446744073709551615" [matrix-too-large] this 5 x 5 matrix needs 5.6 MB of memory, and 4.2 MB can be had; help: use a machine with more memory, or a smaller matrix"#]].assert_eq(&told(&fault));
    let head = coordinates("5 5 9\n");
    let fault = from_stream("a.mtx", head.as_bytes().chain(Endless { line: b"1 1 1\n", at: 0 }), 1 << 22).unwrap_err();
    assert_eq!((fault.code, fault.place.unwrap().line), ("entry-count", 13));
}

#[test]
fn faults_of_late_lines_have_their_lines() {
    // Several blocks, and a fault in each of two: the first counts.
    let n_lines = 200_000;
    let mut lines = vec!["1 1 1.5\n"; n_lines];
    lines[150_000] = "1 1 x\n";
    lines[199_999] = "1 9 1\n";
    let fault = parse(coordinates(&format!("3 3 {n_lines}\n{}", lines.concat())).as_bytes()).unwrap_err();
    assert_eq!(fault.place.unwrap().line, 150_004);
    lines[150_000] = "% nothing\n";
    let fault = parse(coordinates(&format!("3 3 {}\n{}", n_lines - 1, lines.concat())).as_bytes()).unwrap_err();
    assert_eq!((fault.place.unwrap().line, fault.code), (200_003, "index-out-of-range"));
    lines[199_999] = "1 1 2\n";
    let fault = parse(coordinates(&format!("3 3 {}\n{}", n_lines - 2, lines.concat())).as_bytes()).unwrap_err();
    assert_eq!((fault.place.unwrap().line, fault.code), (200_003, "entry-count"));
}

#[test]
fn a_few_bytes_of_very_many_columns_take_no_time() {
    let market = parse(coordinates("3 2147483647 2\n1 1 1\n2 2147483647 0\n").as_bytes()).unwrap();
    let matrix = market.into_csr().unwrap();
    let facts = Facts::of(&matrix);
    assert_eq!((facts.n_zero_rows, facts.n_zero_cols), (2, 2_147_483_646));
    assert_eq!(footprints(&matrix)[1].n_stored, 2);
}
