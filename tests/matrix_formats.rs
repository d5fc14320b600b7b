//! Generators against closed forms, formats against CSR, facts and the choice, and the commands.

use expect_test::{Expect, expect};
use proptest::prelude::*;
use rtcuda::sparse::assemble::{Entry, Mirror, assemble};
use rtcuda::sparse::choose::choose;
use rtcuda::sparse::facts::Facts;
use rtcuda::sparse::format::bsr::{self, Bsr};
use rtcuda::sparse::format::coo::Coo;
use rtcuda::sparse::format::sliced_ell::{self, SlicedEll};
use rtcuda::sparse::format::{Format, footprints};
use rtcuda::sparse::generate::{Generated, Kind, Recipe, generate};
use rtcuda::sparse::market::Symmetry;
use rtcuda::sparse::{Csr, facts, product};
use std::f64::consts::PI;
use std::path::Path;
use std::process::Command;
use std::{fs, str};

const LIMIT: u64 = 1 << 30;

fn made(kind: Kind, sizes: &[u64]) -> Generated {
    made_by(&Recipe::new(kind, sizes))
}

fn made_by(recipe: &Recipe) -> Generated {
    generate(recipe, LIMIT).unwrap_or_else(|fault| panic!("{}", fault.message))
}

/// Each sine mode of the grid is an eigenvector of a stencil; `eigenvalue` gets the cosines of its angles.
fn has_sine_modes(matrix: &Csr<f64>, sizes: &[u64], eigenvalue: impl Fn([f64; 3]) -> f64) {
    let size = |axis: usize| sizes.get(axis).map_or(1, |size| *size as usize);
    for modes in [[1, 1, 1], [2, 3, 1], [3, 1, 2]] {
        let modes: Vec<usize> = (0..3).map(|axis| modes[axis].min(size(axis))).collect();
        let angle = |axis: usize| modes[axis] as f64 * PI / (size(axis) + 1) as f64;
        let at = |row: usize| [row % size(0), row / size(0) % size(1), row / size(0) / size(1)];
        let sine = |row: usize| (0..sizes.len()).map(|axis| (angle(axis) * (at(row)[axis] + 1) as f64).sin()).product();
        let x: Vec<f64> = (0..matrix.rows()).map(sine).collect();
        let lambda = eigenvalue([0, 1, 2].map(|axis| if axis < sizes.len() { angle(axis).cos() } else { 0.0 }));
        for (y, x) in product(matrix, &x).iter().zip(&x) {
            assert!((y - lambda * x).abs() < 1e-12 * lambda.max(1.0), "{y} is not {lambda} * {x}");
        }
    }
}

#[test]
fn stencils_have_their_eigenvectors() {
    let with = |sizes: &[u64], points: u32| {
        let made = made_by(&Recipe { points: Some(points), ..Recipe::new(Kind::Poisson, sizes) });
        assert_eq!(made.symmetry, Symmetry::Symmetric);
        made.matrix
    };
    has_sine_modes(&with(&[9], 3), &[9], |[a, ..]| 2.0 - 2.0 * a);
    has_sine_modes(&with(&[5, 7], 5), &[5, 7], |[a, b, _]| 4.0 - 2.0 * (a + b));
    has_sine_modes(&with(&[7, 4], 9), &[7, 4], |[a, b, _]| 20.0 - 8.0 * (a + b) - 4.0 * a * b);
    has_sine_modes(&with(&[5, 3, 4], 7), &[5, 3, 4], |[a, b, c]| 6.0 - 2.0 * (a + b + c));
    let cube = |[a, b, c]: [f64; 3]| 27.0 - (1.0 + 2.0 * a) * (1.0 + 2.0 * b) * (1.0 + 2.0 * c);
    has_sine_modes(&with(&[3, 4, 5], 27), &[3, 4, 5], cube);
    // The last figure of a size must not reach into the next row of the grid.
    has_sine_modes(&with(&[2, 2, 2], 27), &[2, 2, 2], cube);
}

/// The solution of `matrix * x = b` by elimination with pivots, and the determinant.
fn solved(matrix: &Csr<f64>, b: &[f64]) -> (Vec<f64>, f64) {
    let n = matrix.rows();
    let mut a = matrix.to_dense();
    let (mut x, mut determinant) = (b.to_vec(), 1.0);
    for step in 0..n {
        let pivot = (step..n).max_by(|i, j| a[[*i, step]].abs().total_cmp(&a[[*j, step]].abs())).unwrap();
        if pivot != step {
            (0..n).for_each(|column| a.swap([pivot, column], [step, column]));
            x.swap(pivot, step);
            determinant = -determinant;
        }
        determinant *= a[[step, step]];
        for row in step + 1..n {
            let factor = a[[row, step]] / a[[step, step]];
            for column in step..n {
                a[[row, column]] -= factor * a[[step, column]];
            }
            x[row] -= factor * x[step];
        }
    }
    for row in (0..n).rev() {
        let rest: f64 = (row + 1..n).map(|column| a[[row, column]] * x[column]).sum();
        x[row] = (x[row] - rest) / a[[row, row]];
    }
    (x, determinant)
}

#[test]
fn plain_matrices_have_their_closed_forms() {
    // Poisson in one dimension: the determinant is n + 1, the solution of ones a parabola.
    let (x, determinant) = solved(&made(Kind::Poisson, &[20]).matrix, &[1.0; 20]);
    assert!((determinant - 21.0).abs() < 1e-9);
    assert!((1..=20).all(|i| (x[i - 1] - (i * (21 - i)) as f64 / 2.0).abs() < 1e-9));
    let (_, determinant) = solved(&made(Kind::Arrow, &[12]).matrix, &[1.0; 12]);
    assert!((determinant - 2f64.powi(11) * (12.0 - 5.5)).abs() < 1e-6);
    // With a wind, a constant lies in the kernel but for the edges; along x the matrix has a geometric solution.
    let wind = made_by(&Recipe { peclet: Some(0.25), ..Recipe::new(Kind::ConvectionDiffusion, &[9]) });
    assert_eq!(wind.symmetry, Symmetry::General);
    let ratio: f64 = 1.25 / 0.75;
    let x: Vec<f64> = (1..=9).map(|i| ratio.powi(i)).collect();
    let y = product(&wind.matrix, &x);
    assert!((1..8).all(|i| y[i].abs() < 1e-9 * x[i]), "{y:?}");
    let still = made_by(&Recipe { peclet: Some(0.0), ..Recipe::new(Kind::ConvectionDiffusion, &[4, 5, 3]) });
    assert_eq!(still.matrix, made(Kind::Poisson, &[4, 5, 3]).matrix);
    // Seven full diagonals: 7 n less what is cut off.
    let hepta = made(Kind::Hepta, &[1000]).matrix;
    assert_eq!(hepta.nnz(), 7 * 1000 - 2 * (1 + 10 + 100));
    assert_eq!(hepta.get(500, 400), Some(&-1.0));
}

#[test]
fn random_matrices_are_what_they_are_called() {
    let n = 300;
    for kind in [Kind::Spd, Kind::Dominant, Kind::Tridiagonal, Kind::PowerLaw] {
        let made_now = made(kind, &[n]);
        let facts = Facts::of(&made_now.matrix);
        assert_eq!(facts.diagonal.n_dominant_rows, n as usize, "{kind:?}");
        assert_eq!(facts.diagonal.n_positive, n as usize, "{kind:?}");
        assert_eq!(facts.symmetry.is_symmetric, made_now.symmetry == Symmetry::Symmetric, "{kind:?}");
        assert_eq!(made_now, made(kind, &[n]), "the same recipe");
        let other = Recipe { seed: 2, ..Recipe::new(kind, &[n]) };
        assert_ne!(made_now, made_by(&other), "another seed");
    }
    let dense = Recipe { density: Some(0.2), ..Recipe::new(Kind::Random, &[200, 50]) };
    let random = made_by(&dense).matrix;
    assert_eq!((random.shape(), random.nnz()), ((200, 50), 200 * 10));
    let full = Recipe { density: Some(1.0), ..Recipe::new(Kind::Spd, &[30]) };
    assert_eq!(made_by(&full).matrix.nnz(), 900);
    let skewed = Facts::of(&made(Kind::PowerLaw, &[20_000]).matrix).row_lengths;
    assert!((skewed.mean - 9.0).abs() < 1.0 && skewed.most > 200 && skewed.median < 8, "{skewed:?}");
    // The first numbers, on every machine.
    let first = made(Kind::Random, &[4, 4]).matrix;
    expect!["[0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3] [0.6907320782412707, 0.654631028733291, -0.4254074776958272, -0.7055212052075124, -0.3452942999333164, 0.26837934852805523, -0.9105885731313208, 0.4984001745812572, 0.6395374368764339, 0.9404625614232756, 0.8474006882448846, 0.19221601865734317, 0.12399829149443953, -0.437842204397455, 0.9341120981569451, 0.1636326051264747]"].assert_eq(&format!("{:?} {:?}", first.indices(), first.data()));
    for size in 1..6 {
        Kind::ALL.iter().for_each(|(_, kind)| assert_eq!(made(*kind, &[size]).matrix.rows() as u64, size, "{kind:?}"));
    }
}

#[test]
fn recipes_that_make_nothing() {
    let fault = |recipe: Recipe, limit: u64| generate(&recipe, limit).expect_err("it makes nothing").message;
    let poisson = |sizes: &[u64]| Recipe::new(Kind::Poisson, sizes);
    let said = [
        fault(poisson(&[0]), LIMIT),
        fault(poisson(&[1 << 16, 1 << 16]), LIMIT),
        fault(poisson(&[u64::MAX, 2, 2]), LIMIT),
        fault(poisson(&[1, 1, 1, 1]), LIMIT),
        fault(poisson(&[1000, 1000]), 1 << 20),
        fault(Recipe { points: Some(7), ..poisson(&[3, 3]) }, LIMIT),
        fault(Recipe { density: Some(0.5), ..poisson(&[3, 3]) }, LIMIT),
        fault(Recipe { density: Some(1.5), ..Recipe::new(Kind::Spd, &[3]) }, LIMIT),
        fault(Recipe { density: Some(f64::NAN), ..Recipe::new(Kind::Spd, &[3]) }, LIMIT),
        fault(Recipe { mean: Some(0.0), ..Recipe::new(Kind::PowerLaw, &[3]) }, LIMIT),
        fault(Recipe::new(Kind::Arrow, &[3, 3]), LIMIT),
    ];
    expect![[r#"
        a matrix has 1 to 2147483647 rows and columns
        a matrix has 1 to 2147483647 rows and columns
        a matrix has 1 to 2147483647 rows and columns
        a matrix of kind poisson takes 1 to 3 sizes, not 4
        a matrix of 1000000 rows and some 9000000 entries needs 232.0 MB of memory, and 1.0 MB can be had
        --points 7: in 2 dimensions it is 5 or 9
        --density means nothing for a matrix of kind poisson
        --density 1.5: it is above 0 and at most 1
        --density NaN: it is above 0 and at most 1
        --mean 0: it is at least 1 entry a row
        a matrix of kind arrow takes 1 size, not 2"#]]
    .assert_eq(&said.join("\n"));
}

/// A matrix of small integers, so that sums are exact in any order.
fn matrices() -> impl Strategy<Value = Csr<f64>> {
    (1usize..70, 1usize..40).prop_flat_map(|(rows, cols)| {
        let entry = (0..rows as u32, 0..cols as u32, -9i32..10);
        prop::collection::vec(entry, 0..300).prop_map(move |drawn| {
            let entry = |(row, column, value)| Entry { row, column, value: f64::from(value) };
            let entries = drawn.into_iter().map(entry).collect();
            assemble((rows, cols), vec![entries], Mirror::None, false).unwrap().matrix
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn every_format_has_the_same_product(matrix in matrices(), height in 1usize..40, window in 1usize..80, block in 1usize..9) {
        let x: Vec<f64> = (0..matrix.cols()).map(|i| (i % 7) as f64 - 3.0).collect();
        let y = product(&matrix, &x);
        prop_assert_eq!(&Coo::of(&matrix).product(&x), &y);
        let blocks = Bsr::of(&matrix, block);
        prop_assert_eq!(&blocks.product(&x), &y);
        prop_assert_eq!(blocks.columns.len() as u64, bsr::n_blocks(&matrix, block));
        let slices = SlicedEll::of(&matrix, height, window);
        prop_assert_eq!(&slices.product(&x), &y);
        prop_assert_eq!(slices.values.len() as u64, sliced_ell::n_stored(&facts::lengths(&matrix), height, window));
        prop_assert_eq!(slices.columns.iter().filter(|column| **column >= 0).count(), matrix.nnz());
        let columns = matrix.to_csc();
        let mut by_columns = vec![0.0; matrix.rows()];
        columns.iter().for_each(|(value, (row, column))| by_columns[row as usize] += value * x[column as usize]);
        prop_assert_eq!(&by_columns, &y);
    }

    #[test]
    fn facts_are_those_of_the_dense_matrix(matrix in matrices()) {
        let facts = Facts::of(&matrix);
        let (rows, cols) = matrix.shape();
        let value = |row: usize, column: usize| matrix.get(row, column).copied();
        let n_zero_rows = (0..rows).filter(|row| (0..cols).all(|column| value(*row, column).unwrap_or(0.0) == 0.0)).count();
        let n_zero_cols = (0..cols).filter(|column| (0..rows).all(|row| value(row, *column).unwrap_or(0.0) == 0.0)).count();
        prop_assert_eq!((facts.n_zero_rows, facts.n_zero_cols), (n_zero_rows, n_zero_cols));
        let n_missing = (0..rows.min(cols)).filter(|i| value(*i, *i).is_none()).count();
        prop_assert_eq!(facts.diagonal.n_missing, n_missing);
        let mirrored = |(v, (row, column)): (&f64, (u32, u32))| value(column as usize, row as usize).unwrap_or(0.0) == *v;
        prop_assert_eq!(facts.symmetry.is_symmetric, rows == cols && matrix.iter().all(mirrored));
        let reach = matrix.iter().map(|(_, (row, column))| row.saturating_sub(column)).max().unwrap_or(0);
        prop_assert_eq!(facts.lower_bandwidth, reach as usize);
        prop_assert_eq!(facts.row_lengths.histogram.iter().map(|bin| bin.rows).sum::<usize>(), rows);
    }
}

fn chosen(matrix: &Csr<f64>) -> Format {
    choose(&Facts::of(matrix), &footprints(matrix), 8).format
}

#[test]
fn the_choice_goes_by_the_rows() {
    assert_eq!(chosen(&made(Kind::Poisson, &[40, 40, 40]).matrix), Format::SlicedEll { height: 32, window: 1 });
    assert_eq!(chosen(&made(Kind::Arrow, &[50_000]).matrix), Format::Csr);
    assert_eq!(chosen(&made(Kind::Poisson, &[10]).matrix), Format::Csr);
    // Rows of two lengths in turn: half of each slice would be padding, and sorting takes it away.
    let uneven =
        |row: u32| (0..if row.is_multiple_of(2) { 3 } else { 15 }).map(move |step| (row, (row + 7 * step) % 120_000));
    let entries = (0..120_000).flat_map(uneven).map(|(row, column)| Entry { row, column, value: 1.0 }).collect();
    let uneven = assemble((120_000, 120_000), vec![entries], Mirror::None, false).unwrap().matrix;
    assert_eq!(chosen(&uneven), Format::SlicedEll { height: 32, window: 256 });
    // Dense blocks of four, three a row.
    let block = |row: u32| (0..12).map(move |step| (row, (row / 4 * 4 + step / 4 * 400 + step % 4) % 60_000));
    let entries = (0..60_000).flat_map(block).map(|(row, column)| Entry { row, column, value: 1.0 }).collect();
    let blocks = assemble((60_000, 60_000), vec![entries], Mirror::None, false).unwrap().matrix;
    assert_eq!(chosen(&blocks), Format::Bsr { block: 4 });
    // Two million rows, and a few entries.
    let entries = (0..100u32).map(|i| Entry { row: i * 20_000, column: i, value: 1.0 }).collect();
    let sparse = assemble((2_000_000, 100), vec![entries], Mirror::None, false).unwrap().matrix;
    assert_eq!(chosen(&sparse), Format::SlicedEll { height: 32, window: 1 });
}

/// Runs rtcuda in a folder; gives what it says and its status.
fn run(folder: &Path, arguments: &str) -> (String, i32) {
    let words = arguments.split_whitespace();
    let output = Command::new(env!("CARGO_BIN_EXE_rtcuda")).args(words).current_dir(folder).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (String::from_utf8(said).unwrap(), output.status.code().unwrap())
}

fn check(folder: &Path, arguments: &str, status: i32, expected: Expect) {
    let (said, found) = run(folder, arguments);
    expected.assert_eq(&said);
    assert_eq!(found, status, "{said}");
}

#[test]
fn commands() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    check(
        place,
        "matrix gen poisson 6 6 -o p.mtx",
        0,
        expect![[r#"
        p.mtx: 36 x 36, coordinate real symmetric, 156 entries
    "#]],
    );
    check(
        place,
        "matrix info p.mtx --plot p.svg",
        0,
        expect![[r#"
        p.mtx
          holds      coordinate real symmetric, 156 entries
          size       36 x 36
          entries    156 (12.037 % of all places)
          values     magnitudes 1.0000e0 to 4.0000e0
          symmetry   values symmetric, pattern symmetric
          bandwidth  6 below the diagonal, 6 above
          diagonal   no zeros; all positive, all dominant in their row
          rows       3 to 5, mean 4.3, median 4, deviation 0.7

        Lengths of rows
          3  4   ##########
          4  16  ########################################
          5  16  ########################################

        Formats
          format                         memory  stored an entry  estimated time of a product
          COO                            2.5 kB  1.00             x 1.00
          CSR                            2.0 kB  1.00             x 1.00
          CSC                            2.0 kB  1.00             x 1.00
          BSR 2x2                        2.7 kB  1.85             x 1.00
          BSR 3x3                        3.4 kB  2.54             x 1.00
          BSR 4x4                        5.2 kB  4.00             x 1.00
          BSR 8x8                        6.7 kB  5.33             x 1.00
          sliced ELL 32                  3.5 kB  1.85             x 1.00
          sliced ELL 32, sorted in 256   3.2 kB  1.64             x 1.00
          sliced ELL 32, sorted in 4096  3.2 kB  1.64             x 1.00

        Best for products: CSR, because a product takes hardly longer than its launch, and no other format would gain on that
    "#]],
    );
    assert!(fs::read_to_string(place.join("p.svg")).unwrap().starts_with("<svg"));
    let (_, status) = run(place, "matrix info p.mtx --plot p.PNG");
    assert_eq!((status, &fs::read(place.join("p.PNG")).unwrap()[1..4]), (0, &b"PNG"[..]));
    check(
        place,
        "matrix info p.mtx --plot p.gif",
        2,
        expect![[r#"
        error[plot-format]: p.gif: a plot is SVG or PNG
         |
         = help: name the file *.svg or *.png
    "#]],
    );
    check(
        place,
        "matrix convert p.mtx all.mtx.gz --symmetry general",
        0,
        expect![[r#"
        all.mtx.gz: 36 x 36, coordinate real general, 156 entries
    "#]],
    );
    check(
        place,
        "matrix convert all.mtx.gz dense.mtx --layout array",
        0,
        expect![[r#"
        dense.mtx: 36 x 36, array real general
    "#]],
    );
    check(
        place,
        "matrix convert dense.mtx again.mtx --layout coordinate --symmetry symmetric",
        0,
        expect![[r#"
        again.mtx: 36 x 36, coordinate real symmetric, 156 entries
    "#]],
    );
    let entries = |name: &str| fs::read_to_string(place.join(name)).unwrap().lines().skip(2).collect::<String>();
    assert_eq!(entries("p.mtx"), entries("again.mtx"));
    check(
        place,
        "matrix convert p.mtx no.mtx --symmetry skew-symmetric",
        2,
        expect![[r#"
        error[matrix-symmetry]: the matrix is not skew-symmetric: see row 1, column 1, and its mirror image
         |
         = help: write it as `general`
    "#]],
    );
    assert!(!place.join("no.mtx").exists());
    check(
        place,
        "matrix gen poisson 6 6 --points 7 -o no.mtx",
        2,
        expect![[r#"
        error[generate-option]: --points 7: in 2 dimensions it is 5 or 9
    "#]],
    );
    check(
        place,
        "matrix info none.mtx",
        2,
        expect![[r#"
        error[matrix-unreadable]: none.mtx cannot be read: No such file or directory (os error 2)
    "#]],
    );
    let (json, status) = run(place, "matrix info --json p.mtx");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((status, &json["choice"]["format"]["name"], &json["facts"]["nnz"]), (0, &"csr".into(), &156.into()));
    fs::write(place.join("bad.mtx"), "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 2 3\n").unwrap();
    let (json, status) = run(place, "matrix info --json bad.mtx");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((status, &json["diagnostics"][0]["place"]["line"]), (2, &3.into()));
}
