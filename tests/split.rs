//! Drawn loops of which a part cannot leave the host: run as several loops, they print what they print as they are.
//!
//! Only the text is looked at here, which is compiled twice; what becomes of the parts on a device is a question of the programs.
//! `RTCUDA_LOOPS` sets how many are drawn, `RTCUDA_SEED` from which seed on.

#[path = "support/rng.rs"]
mod rng;

use rayon::prelude::*;
use rng::Rng;
use rtcuda::ast;
use rtcuda::source::Source;
use rtcuda::split;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// Functions in one C file.
const BATCH: u64 = 20;

/// Loops that are drawn when nobody says.
const LOOPS: u64 = 800;

/// Of a hundred loops, so many are split.
const FLOOR: usize = 8;

/// Text before the drawn functions: a generator with a state, functions with loops, functions that write behind pointers.
const HEAD: &str = r#"
int printf(const char *, ...);
int sscanf(const char *, const char *, ...);
int rand(void);
void *calloc(unsigned long, unsigned long);
void free(void *);
typedef struct { long x, y; int k[3]; } S;
static unsigned long state = 12345;
static unsigned next(void) { state = state * 6364136223846793005UL + 1442695040888963407UL; return (state >> 40) % 11; }
static long G;
static long A[200], B[200], C[200];
static S s0[200];
static long sumto(const long *a, int n, int i) { long t = 0; for (int j = 0; j <= i; j++) t += a[(i * 3 + j) % n] % 5; return t; }
static long sums(const S *s, int n, int i) {
    long t = 0;
    for (int j = 0; j < n; j++) t += s[j].x * (j % 3) + s[(i + j) % n].y;
    return t % 1000;
}
static void bump(long *p, long r) { *p += r; G += r % 2; }
static void put(long *p, long r) { *p = r; }
static void sum(void) {
    long t = G;
    for (int i = 0; i < 200; i++) {
        t += A[i] * (i % 7) + B[i] * (i % 5) + C[i] * (i % 3) + s0[i].x + 2 * s0[i].y + s0[i].k[2];
        A[i] %= 100; B[i] %= 100; C[i] %= 100; s0[i].x %= 100; s0[i].y %= 100;
    }
    printf("= %ld\n", t);
}
"#;

/// A loop that is being drawn.
struct Drawn {
    rng: Rng,
    /// Numbers that a statement may read.
    numbers: Vec<String>,
    has_pointer: bool,
    n_vars: usize,
}

impl Drawn {
    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        self.rng.pick(of)
    }

    fn var(&mut self) -> String {
        self.n_vars += 1;
        format!("v{}", self.n_vars)
    }

    fn number(&mut self) -> String {
        let at = self.rng.range(0, self.numbers.len() as i64 - 1) as usize;
        self.numbers[at].clone()
    }

    fn value(&mut self) -> String {
        let memory = ["a[i]", "b[i]", "c[i]", "s[i].x", "s[i].y", "a[(i+1)%n]", "G", "s[i].k[i%3]", "l[i]", "d[i]"];
        match self.rng.range(0, 3) {
            0 | 1 => self.number(),
            2 if self.has_pointer => "p->x".to_owned(),
            _ => self.one(&memory).to_owned(),
        }
    }

    fn statement(&mut self) -> String {
        match self.rng.range(0, 13) {
            0 | 1 => {
                let from = [
                    "a[(i+j)%n]",
                    "b[j]",
                    "c[(i+j)%n]",
                    "s[j].x",
                    "s[(i+j)%n].y",
                    "l[j]",
                    "(long)j*i",
                    "s[j].k[1]",
                    "d[j]",
                ];
                let (from, first) = (self.one(&from), self.number());
                let into = match self.rng.range(0, 2) {
                    0 => self.one(&["w", "acc"]).to_owned(),
                    _ => self.var(),
                };
                let set = match into.starts_with('v') {
                    true => format!("long {into} = {first}; "),
                    false if self.rng.percent(50) => format!("{into} = {first}; "),
                    false => String::new(),
                };
                self.numbers.push(into.clone());
                format!("{set}for (int j = 0; j < m; j++) {into} += {from} % 7 * (j + 1);")
            }
            2 => {
                let (v, from) =
                    (self.var(), self.one(&["sumto(a, n, i)", "sumto(b, n, i)", "sumto(l, n, i)", "sums(s, n, i)"]));
                self.numbers.push(v.clone());
                format!("long {v} = {from};")
            }
            3 | 4 => {
                let (v, from) = (self.var(), self.one(&["rand() % 9", "(long)next()"]));
                self.numbers.push(v.clone());
                format!("long {v} = {from};")
            }
            5 => format!("printf(\"%ld\\n\", (long)({}) + {});", self.value(), self.value()),
            6 | 7 => {
                let to = ["a[i]", "b[i]", "c[i]", "s[i].x", "s[i].y", "s[i].k[2]", "b[(i+1)%n]", "l[i]", "d[i]", "G"];
                let (to, op) = (self.one(&to), self.one(&["=", "+="]));
                format!("{to} {op} ({} + {}) % 1000;", self.value(), self.value())
            }
            8 => {
                let (to, op) = (self.one(&["w", "acc"]), self.one(&["=", "+="]));
                format!("{to} {op} ({} - {}) % 1000;", self.value(), self.value())
            }
            9 => {
                let changeable: Vec<String> = self.numbers.iter().filter(|v| *v != "i").cloned().collect();
                let to = changeable[self.rng.range(0, changeable.len() as i64 - 1) as usize].clone();
                format!("if ({} % 3 == 1) {to} = {} % 50;", self.value(), self.value())
            }
            10 if !self.has_pointer => {
                self.has_pointer = true;
                self.one(&["S *p = &s[i];", "S *p = s + (i + 1) % n;"]).to_owned()
            }
            11 => {
                let to = self.one(&[
                    "bump(&s[i].x",
                    "bump(&b[i]",
                    "bump(&w",
                    "bump(&acc",
                    "put(&s[i].y",
                    "put(&c[i]",
                    "put(&w",
                ]);
                format!("{to}, {} % 10);", self.value())
            }
            12 => {
                let (v, first) = (self.var(), self.one(&["0", "n", "i * 2"]));
                let value = self.value();
                self.numbers.extend([v.clone(), format!("{v}x")]);
                format!("long {v}, {v}x = {first}; {v} = {value} % 20;")
            }
            _ => {
                let v = self.var();
                self.numbers.push(v.clone());
                format!("int {v}; sscanf(i % 2 ? \"17\" : \"4\", \"%d\", &{v});")
            }
        }
    }
}

/// The C of some functions, and calls of each with arrays that are apart and that are not.
fn file(seed: u64) -> String {
    let (mut text, mut calls) = (HEAD.to_owned(), String::new());
    for f in 0..BATCH {
        let numbers = ["w", "acc", "i"].map(str::to_owned).to_vec();
        let mut drawn = Drawn { rng: Rng::new(seed * BATCH + f), numbers, has_pointer: false, n_vars: 0 };
        let count = 3 + drawn.rng.range(0, 4);
        let statements: String = (0..count).map(|_| format!("        {}\n", drawn.statement())).collect();
        let heads =
            ["int i = 0; i < n; i++", "int i = 1; i <= n - 1; ++i", "int i = 0; n > i; i += 1", "i = 0; i < n; i++"];
        let (head, restrict) = (drawn.one(&heads), drawn.one(&["", "", "restrict "]));
        let counter = if head.starts_with("i =") { "int i; " } else { "" };
        // Each array has room for all that is read of it.
        write!(
            text,
            "long f{f}(int n, int m, long *a, long *b, long *{restrict}c, S *s) {{\n    {counter}long w = 3, acc = 1, d[200] = {{0}};\n    \
             long *l = calloc(200, sizeof(long));\n    for (int z = 0; z < n; z++) {{ l[z] = z % 7; d[z] = z % 4; }}\n    \
             for ({head}) {{\n{statements}    }}\n    long t = w * 3 + acc;\n    \
             for (int z = 0; z < n; z++) t += l[z] * (z % 5) + d[z];\n    free(l);\n    return t;\n}}\n"
        )
        .expect("a string");
        for n in [70, 9, 81] {
            let arrays = drawn.one(&["A, B, C", "A, B, C", "A, A, C", "A, A + 1, C"]);
            let m = drawn.one(&["5", "20"]);
            writeln!(calls, "    printf(\"f{f} %ld\\n\", f{f}({n}, {m}, {arrays}, s0)); sum();").expect("a string");
        }
    }
    let first = "for (int i = 0; i < 200; i++) { A[i] = i % 13; B[i] = i % 11; C[i] = i % 17; s0[i].x = i % 5; s0[i].y = i % 6; s0[i].k[1] = i; }";
    text + &format!("int main(void) {{\n    {first}\n{calls}    return 0;\n}}\n")
}

/// The output of a program.
fn printed(folder: &Path, name: &str, text: &str) -> String {
    let (c, program) = (folder.join(format!("{name}.c")), folder.join(name));
    std::fs::write(&c, text).expect("the folder is writable");
    let compiled = Command::new("cc").args(["-O1", "-w", "-fwrapv"]).arg(&c).arg("-o").arg(&program).output();
    let compiled = compiled.expect("a C compiler");
    assert!(compiled.status.success(), "{}\n{text}", String::from_utf8_lossy(&compiled.stderr));
    let run = Command::new(&program).output().expect("it was built");
    assert!(run.status.success(), "{text}");
    String::from_utf8(run.stdout).expect("numbers")
}

/// The file with its loops split, and how many are.
fn in_parts(text: &str) -> (String, usize) {
    let source = Source::from_text("t.c", text).expect("short");
    let unit = ast::build::build(&source).expect("it is C").unit;
    let made = split::find(&unit, &source, &|_| true);
    let remade = source.remade(&made);
    assert_eq!(remade.user_text, remade.text, "without a preprocessor both are one");
    assert_eq!(remade.text.lines().count(), text.lines().count(), "lines keep their numbers");
    (remade.text, made.len())
}

#[test]
fn drawn_loops_print_the_same_in_parts() {
    let from_env = |name: &str, other: u64| std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(other);
    let (count, seed) = (from_env("RTCUDA_LOOPS", LOOPS).div_ceil(BATCH), from_env("RTCUDA_SEED", 1));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let results: Vec<(usize, Option<String>)> = (seed..seed + count)
        .into_par_iter()
        .map(|seed| {
            let text = file(seed);
            let (parts, n_split) = in_parts(&text);
            let (whole, other) = (format!("w{seed}"), format!("p{seed}"));
            let (whole, other) = (printed(folder.path(), &whole, &text), printed(folder.path(), &other, &parts));
            let at = whole.lines().zip(other.lines()).position(|(a, b)| a != b);
            let at = at.or((whole.len() != other.len()).then_some(whole.lines().count()));
            let call = at.map(|at| whole.lines().skip(at).find(|l| l.starts_with('f')).unwrap_or_default().to_owned());
            (n_split, call.map(|call| format!("seed {seed}: {call}\n{parts}")))
        })
        .collect();
    let n_split: usize = results.iter().map(|(n, _)| n).sum();
    let wrong: Vec<&String> = results.iter().filter_map(|(_, wrong)| wrong.as_ref()).collect();
    assert!(wrong.is_empty(), "{} of {count} files print something else; the first:\n{}", wrong.len(), wrong[0]);
    let share = 100 * n_split / (count * BATCH) as usize;
    assert!(share >= FLOOR, "of a hundred loops only {share} are split");
    println!("{n_split} of {} loops are split", count * BATCH);
}
