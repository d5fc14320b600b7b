//! How long loading takes, beside a reader in C that goes line by line with `fscanf`, in one run. Told, not tested, and of
//! a small file: `RTCUDA_ROWS=180000 cargo test --release --test matrix_speed -- --nocapture` measures one of 100 MB,
//! `RTCUDA_MATRIX=FILE` another one.

use rtcuda::sparse::generate::{Kind, Recipe, generate};
use rtcuda::sparse::market::Market;
use rtcuda::sparse::market::read::read;
use rtcuda::sparse::market::write::write;
use rtcuda::sparse::memory::available;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

const FSCANF: &str = r#"
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    FILE *f = argc > 1 ? fopen(argv[1], "r") : NULL;
    char line[1025];
    int n, m, nnz;
    do
        if (!f || !fgets(line, sizeof line, f)) return 1;
    while (line[0] == '%');
    if (sscanf(line, "%d %d %d", &n, &m, &nnz) != 3) return 1;
    int *row = malloc(nnz * sizeof *row), *col = malloc(nnz * sizeof *col);
    double *val = malloc(nnz * sizeof *val);
    for (int k = 0; k < nnz; k++)
        if (fscanf(f, "%d %d %lg\n", &row[k], &col[k], &val[k]) != 3) return 1;
    printf("%.17g\n", row[nnz - 1] + col[nnz - 1] + val[nnz - 1]);
    return 0;
}
"#;

/// The fastest of a few times, in seconds.
fn fastest(mut work: impl FnMut()) -> f64 {
    let once = |work: &mut dyn FnMut()| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    };
    (0..3).map(|_| once(&mut work)).fold(f64::INFINITY, f64::min)
}

fn report(what: &str, file: &Path, seconds: f64) {
    let megabytes = fs::metadata(file).unwrap().len() as f64 / 1e6;
    println!("{what:<40} {megabytes:6.0} MB {seconds:8.3} s {:8.0} MB/s", megabytes / seconds);
}

#[test]
fn loading_beside_fscanf() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    // Entries of 17 digits, a ten-thousandth of the square of the rows.
    let rows = std::env::var("RTCUDA_ROWS").ok().and_then(|rows| rows.parse().ok()).unwrap_or(20_000);
    let recipe = Recipe { density: Some(1e-4), ..Recipe::new(Kind::Random, &[rows]) };
    let made = generate(&recipe, available()).unwrap();
    let market = Market::sparse(made.matrix, made.symmetry);
    let file = std::env::var_os("RTCUDA_MATRIX").map_or_else(|| path("a.mtx"), PathBuf::from);
    if !file.exists() {
        let seconds = fastest(|| write(&file, &market).unwrap());
        report("write", &file, seconds);
    }
    fs::write(path("reader.c"), FSCANF).unwrap();
    let built = Command::new("cc").arg("-O2").arg(path("reader.c")).arg("-o").arg(path("reader")).status();
    assert!(built.unwrap().success());
    let slow = fastest(|| assert!(Command::new(path("reader")).arg(&file).output().unwrap().status.success()));
    report("fscanf, line by line, to coordinates", &file, slow);
    let fast = fastest(|| drop(read(&file).unwrap()));
    report("read, to CSR", &file, fast);
    println!("{:.1} times faster, on {} cores", slow / fast, std::thread::available_parallelism().unwrap());
    let compressed = path("a.mtx.gz");
    write(&compressed, &read(&file).unwrap()).unwrap();
    let seconds = fastest(|| drop(read(&compressed).unwrap()));
    report("read, compressed (bytes of the text)", &file, seconds);
}
