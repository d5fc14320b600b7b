//! Matrix Market files by both readers: a table of them, and damaged ones that are drawn.

use super::*;
use rtcuda::sparse::dense::Dense;
use rtcuda::sparse::generate::random::Random;
use rtcuda::sparse::market::read::from_stream;
use std::time::{SystemTime, UNIX_EPOCH};

/// The memory that small files may take.
const LIMIT: u64 = 1 << 28;

/// The bytes that a line of the table stands for.
fn decoded(text: &str) -> Vec<u8> {
    let (mut out, mut rest) = (vec![], text.as_bytes());
    while let [first, more @ ..] = rest {
        let (bytes, behind): (Vec<u8>, &[u8]) = match (first, more) {
            (b'\\', [b'x', more @ ..]) => {
                let (digits, behind) = more.split_at(2);
                (vec![u8::from_str_radix(str::from_utf8(digits).unwrap(), 16).unwrap()], behind)
            }
            (b'\\', [b'{', byte, b'*', more @ ..]) => {
                let end = more.iter().position(|byte| *byte == b'}').unwrap();
                (vec![*byte; str::from_utf8(&more[..end]).unwrap().parse().unwrap()], &more[end + 1..])
            }
            (b'\\', [letter, behind @ ..]) => {
                let byte = [(b'n', b'\n'), (b'r', b'\r'), (b't', b'\t')].into_iter().find(|(own, _)| own == letter);
                (vec![byte.map_or(*letter, |(_, byte)| byte)], behind)
            }
            _ => (vec![*first], more),
        };
        out.extend(bytes);
        rest = behind;
    }
    out
}

/// Rows, columns and elements by rows; `None` where the file is refused.
type Outcome = Option<Vec<f64>>;

fn by_rust(bytes: &[u8]) -> Outcome {
    let matrix = from_stream("a.mtx", bytes, LIMIT).and_then(|market| market.into_csr()).ok()?;
    let dense = Dense::of(&matrix);
    let elements = (0..dense.rows).flat_map(|row| (0..dense.cols).map(move |column| (row, column)));
    let elements = elements.map(|(row, column)| dense.at(row, column));
    Some([dense.rows as f64, dense.cols as f64].into_iter().chain(elements).collect())
}

fn by_c(table: &str, name: &str) -> Vec<Outcome> {
    let path = BUILT.path(name);
    fs::write(&path, table).unwrap();
    let printed = run(BUILT.program("rules").arg(&path));
    let number = |word: &str| word.parse().unwrap();
    printed.lines().map(|line| (line != "refused").then(|| line.split(' ').map(number).collect())).collect()
}

/// Lines of a table, each with its text.
fn lines(table: &str) -> Vec<(&str, &str)> {
    table.lines().filter_map(|line| line.split_once(" | ")).collect()
}

#[test]
fn both_readers_follow_the_table_of_rules() {
    let table = fs::read_to_string(repository("tests/api/rules.txt")).unwrap();
    let (lines, by_c) = (lines(&table), by_c(&table, "rules.txt"));
    assert!(lines.len() > 100 && lines.len() == by_c.len(), "{} and {}", lines.len(), by_c.len());
    for ((expected, text), by_c) in lines.into_iter().zip(by_c) {
        let expected: Outcome = (expected != "refused").then(|| {
            let rows: Vec<Vec<f64>> =
                expected.split("; ").map(|row| row.split(' ').map(|word| word.parse().unwrap()).collect()).collect();
            [rows.len() as f64, rows[0].len() as f64].into_iter().chain(rows.concat()).collect()
        });
        assert_eq!(by_rust(&decoded(text)), expected, "by Rust: {text}");
        assert_eq!(by_c, expected, "by C: {text}");
    }
}

/// What is put into files.
const PIECES: [&str; 36] = [
    "\\n",
    "\\r",
    "\\r\\n",
    " ",
    "\\t",
    "%",
    "%%",
    "\\\\",
    "\\x00",
    "\\x0b",
    "\\xef",
    "0",
    "1",
    "2",
    "9",
    "+",
    "-",
    ".",
    "e",
    "d",
    "E+",
    "1e5",
    "-1",
    "+2",
    ".5",
    "1e999",
    "nan",
    "inf",
    "0x1",
    "x",
    "1 1 1\\n",
    "2 1\\n",
    "3\\n",
    "%%AMGX rhs\\n",
    "integer",
    "symmetric",
];

/// Characters of a text of the table, escapes as they are.
fn parts(text: &str) -> Vec<&str> {
    let (mut parts, mut rest) = (vec![], text);
    while !rest.is_empty() {
        let length = if rest.starts_with("\\x") {
            4
        } else if rest.starts_with('\\') {
            2
        } else {
            1
        };
        let (part, behind) = rest.split_at(length);
        parts.push(part);
        rest = behind;
    }
    parts
}

#[test]
fn both_readers_take_and_refuse_the_same_damaged_files() {
    let table = fs::read_to_string(repository("tests/api/rules.txt")).unwrap();
    // A matrix of such a size is a matter of memory.
    let is_small = |text: &str| !["\\{", "2147483648"].iter().any(|part| text.contains(part));
    let short: Vec<(&str, &str)> = lines(&table).into_iter().filter(|(_, text)| is_small(text)).collect();
    let read: Vec<(&str, &str)> = short.iter().copied().filter(|(expected, _)| *expected != "refused").collect();
    let seed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let damaged = |which: usize| {
        let mut random = Random::of_row(seed, which);
        let mut below = |bound: usize| ((random.value() + 1.0) / 2.0 * bound as f64) as usize % bound;
        let from = if below(4) == 0 { &short } else { &read };
        let mut text = parts(from[below(from.len())].1);
        for _ in 0..=below(2) {
            // Into the first line now and then.
            let first = if below(4) == 0 { 0 } else { text.len().min(45) };
            let at = first + below(text.len() - first + 1);
            match below(8) {
                0..3 if at < text.len() => drop(text.remove(at)),
                3 => text.truncate(at),
                _ => text.insert(at, PIECES[below(PIECES.len())]),
            }
        }
        text.concat()
    };
    let texts: Vec<String> = (0..3000).map(damaged).collect();
    let drawn: String = texts.iter().map(|text| format!("drawn | {text}\n")).collect();
    let by_c = by_c(&drawn, "drawn.txt");
    assert_eq!(by_c.len(), texts.len());
    let mut n_read = 0;
    for (text, by_c) in texts.iter().zip(by_c) {
        n_read += usize::from(by_c.is_some());
        assert!(by_rust(&decoded(text)) == by_c, "{by_c:?} by C, and not by Rust: {text} (seed {seed})");
    }
    assert!(n_read > 200, "{n_read} are read");
}
