//! Matrix Market files: every form is read, and what is written comes back.

use num_complex::Complex64;
use proptest::prelude::*;
use rtcuda::diag::Diagnostic;
use rtcuda::diag::render::{Style, text};
use rtcuda::sparse::assemble::{Entry, Mirror, assemble};
use rtcuda::sparse::dense::Dense;
use rtcuda::sparse::market::read::{from_stream, read};
use rtcuda::sparse::market::write::write;
use rtcuda::sparse::market::{Body, Field, Header, Held, Layout, Market, Symmetry};
use rtcuda::sparse::{Csr, Scalar};
use std::path::Path;

/// The memory that small files may take.
const LIMIT: u64 = 1 << 28;

fn parse(text: &[u8]) -> Result<Market, Diagnostic> {
    from_stream("a.mtx", text, LIMIT)
}

fn rendered(diagnostic: &Diagnostic) -> String {
    text(diagnostic, Style::Plain)
}

fn shipped(name: &str) -> Market {
    read(&Path::new("matrices").join(name)).unwrap_or_else(|fault| panic!("{}", rendered(&fault)))
}

/// The values of a small matrix, row after row.
fn rows<T: Scalar>(matrix: &Csr<T>) -> Vec<Vec<T>> {
    let dense = Dense::of(matrix);
    (0..dense.rows).map(|row| (0..dense.cols).map(|column| dense.at(row, column)).collect()).collect()
}

fn real(name: &str) -> Vec<Vec<f64>> {
    rows(&shipped(name).into_csr().unwrap())
}

fn complex(name: &str) -> Vec<Vec<(f64, f64)>> {
    let Body::SparseComplex(matrix) = shipped(name).body else { panic!("{name} is not complex") };
    rows(&matrix).into_iter().map(|row| row.into_iter().map(Scalar::parts).collect()).collect()
}

#[test]
fn every_form_of_the_format() {
    assert_eq!(real("array.mtx"), [[1.0, 3.0, 5.0], [2.0, 4.0, 6.0]]);
    assert_eq!(real("array_symmetric.mtx"), [[1.0, 2.0, 3.0], [2.0, 4.0, 5.0], [3.0, 5.0, 6.0]]);
    assert_eq!(real("array_skew.mtx"), [[0.0, -1.0, -2.0], [1.0, 0.0, -3.0], [2.0, 3.0, 0.0]]);
    let most = 9_007_199_254_740_992.0;
    let integers = [[3.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, -7.0, 0.0], [12.0, 0.0, 0.0, most]];
    assert_eq!(real("integer.mtx"), integers);
    assert_eq!(shipped("integer.mtx").n_duplicates, 1);
    // The explicit zero is an entry.
    assert_eq!(shipped("integer.mtx").into_csr().unwrap().nnz(), 6);
    let skew = [[0.0, -1.5, 0.0, 2.0], [1.5, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, -0.5], [-2.0, 0.0, 0.5, 0.0]];
    assert_eq!(real("skew.mtx"), skew);
    assert_eq!(real("windows.mtx"), [[1.0, 0.0], [2.0, 3.0]]);
    assert_eq!(real("fortran.mtx"), [[1.5, 0.0, 0.0], [-0.0025, 1000.0, 0.0], [0.0, 0.0, 0.12345678901234e-102]]);
    assert_eq!(real("upper.mtx"), [[2.0, -1.0, 0.0], [-1.0, 0.0, -1.0], [0.0, -1.0, 2.0]]);
    assert_eq!(real("rectangular.mtx").len(), 3);
    assert_eq!(shipped("pattern.mtx").into_csr().unwrap().data(), [1.0; 10]);
    assert_eq!(shipped("empty.mtx").shape(), (0, 0));
    assert_eq!(shipped("vector.mtx").into_vector().unwrap().len(), 144);
    assert_eq!(shipped("hepta.mtx.gz").into_csr().unwrap().nnz(), 813);
    assert_eq!(complex("complex.mtx")[2], [(-2.5, 0.0), (0.0, 0.0), (1e-3, 1e3)]);
    assert_eq!(complex("complex_symmetric.mtx")[0], [(1.0, 2.0), (0.0, -1.0), (0.0, 0.0)]);
    assert_eq!(complex("hermitian.mtx")[0], [(2.0, 0.0), (0.0, 1.0), (0.0, 0.0)]);
    let Body::DenseComplex(dense) = shipped("array_hermitian.mtx").body else { panic!("not a complex array") };
    assert_eq!(dense.values, [(1.0, 0.0), (2.0, 3.0), (2.0, -3.0), (4.0, 0.0)].map(|(re, im)| Complex64::new(re, im)));
}

#[test]
fn every_shipped_file_is_small_and_told_of() {
    let told = std::fs::read_to_string("matrices/README.md").unwrap();
    for entry in std::fs::read_dir("matrices").unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if !name.contains(".mtx") {
            continue;
        }
        assert!(path.metadata().unwrap().len() < 20_000, "{name} is large");
        assert!(told.contains(&format!("`{name}`")), "README.md does not tell of {name}");
        // Written again, it says the same.
        let market = shipped(&name);
        let folder = tempfile::tempdir().unwrap();
        for again in ["again.mtx", "again.mtx.gz"] {
            let again = folder.path().join(again);
            write(&again, &market).unwrap();
            assert_eq!(read(&again).unwrap(), Market { n_duplicates: 0, ..market.clone() }, "{name}");
        }
    }
}

/// A file of real coordinates.
fn coordinates(rest: &str) -> String {
    format!("%%MatrixMarket matrix coordinate real general\n% a comment\n{rest}")
}

/// A finite double of any magnitude.
fn value() -> BoxedStrategy<f64> {
    let any = any::<f64>().prop_filter("finite", |value| value.is_finite());
    prop_oneof![any, (-10i32..10).prop_map(f64::from)].boxed()
}

fn complex_value() -> BoxedStrategy<Complex64> {
    (value(), value()).prop_map(|(re, im)| Complex64::new(re, im)).boxed()
}

/// A matrix of a symmetry, sparse and dense, with the header of the first.
fn bodies<T: Held + 'static>(value: BoxedStrategy<T>) -> BoxedStrategy<(Csr<T>, Symmetry)> {
    let symmetries: Vec<Symmetry> = Symmetry::ALL.iter().map(|(_, symmetry)| *symmetry).collect();
    (0usize..9, 0usize..9, prop::sample::select(symmetries))
        .prop_flat_map(move |(rows, cols, symmetry)| {
            // What only complex matrices are is symmetric for real ones.
            let is_hermitian = symmetry == Symmetry::Hermitian && !T::IS_COMPLEX;
            let symmetry = if is_hermitian { Symmetry::Symmetric } else { symmetry };
            let cols = if symmetry == Symmetry::General { cols } else { rows };
            let places = (0..rows.max(1) as u32, 0..cols.max(1) as u32, value.clone());
            let n_most = if rows * cols == 0 { 0 } else { 30 };
            prop::collection::vec(places, 0..=n_most)
                .prop_map(move |drawn| (half(rows, cols, drawn, symmetry), symmetry))
        })
        .boxed()
}

/// The matrix of which these entries are one half.
fn half<T: Held>(rows: usize, cols: usize, drawn: Vec<(u32, u32, T)>, symmetry: Symmetry) -> Csr<T> {
    let mut places = std::collections::BTreeSet::new();
    let mut entries: Vec<Entry<T>> =
        drawn.into_iter().map(|(row, column, value)| Entry { row, column, value }).collect();
    entries.retain_mut(|entry| {
        if symmetry != Symmetry::General && entry.row < entry.column {
            (entry.row, entry.column) = (entry.column, entry.row);
        }
        if symmetry == Symmetry::Hermitian && entry.row == entry.column {
            entry.value = T::from_parts(entry.value.parts().0, 0.0);
        }
        let is_zero = symmetry == Symmetry::SkewSymmetric && entry.row == entry.column;
        !is_zero && places.insert((entry.row, entry.column))
    });
    assemble((rows, cols), vec![entries], symmetry.mirror(), false).unwrap().matrix
}

/// Writes and reads a matrix, sparse and dense, compressed and not.
fn round_trip<T: Held>(matrix: &Csr<T>, symmetry: Symmetry) {
    let field = if T::IS_COMPLEX { Field::Complex } else { Field::Real };
    let forms = [(Layout::Coordinate, T::sparse(matrix.clone())), (Layout::Array, T::dense(Dense::of(matrix)))];
    let folder = tempfile::tempdir().unwrap();
    for (layout, body) in forms {
        let header = Header { layout, field, symmetry, comments: vec![" a comment".into()] };
        let market = Market { header, body, rhs: None, n_duplicates: 0 };
        for name in ["a.mtx", "a.mtx.gz"] {
            let path = folder.path().join(name);
            write(&path, &market).unwrap();
            let again = read(&path).unwrap();
            assert_eq!(again, market);
            if symmetry == Symmetry::General {
                // Also the sign of zero is kept.
                assert_eq!(format!("{again:?}"), format!("{market:?}"));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn real_matrices_come_back((matrix, symmetry) in bodies(value())) {
        round_trip(&matrix, symmetry);
    }

    #[test]
    fn complex_matrices_come_back((matrix, symmetry) in bodies(complex_value())) {
        round_trip(&matrix, symmetry);
    }

    #[test]
    fn entries_in_any_order_make_one_matrix(
        mut drawn in prop::collection::vec((0u32..6, 0u32..6, -4i32..4), 0..60),
        seed in any::<u64>(),
    ) {
        let entries = |drawn: &[(u32, u32, i32)]| -> String {
            drawn.iter().map(|(row, column, value)| format!("{} {} {value}\n", row + 1, column + 1)).collect()
        };
        let file = |drawn: &[(u32, u32, i32)]| coordinates(&format!("6 6 {}\n{}", drawn.len(), entries(drawn)));
        let first = parse(file(&drawn).as_bytes()).unwrap();
        let mut sums = vec![0.0; 36];
        drawn.iter().for_each(|(row, column, value)| sums[(column * 6 + row) as usize] += f64::from(*value));
        prop_assert_eq!(&Dense::of(&first.clone().into_csr().unwrap()).values, &sums);
        drawn.sort_by_key(|(row, column, value)| u64::from(row * 36 + column * 6).wrapping_add(*value as u64).wrapping_mul(seed | 1));
        prop_assert_eq!(parse(file(&drawn).as_bytes()).unwrap(), first);
    }

    #[test]
    fn no_text_makes_it_panic(text in "(%%MatrixMarket matrix (coordinate|array) (real|complex|integer|pattern) \
        (general|symmetric|hermitian|skew-symmetric)\n)?([0-9 .%eDn\\-\\n\r]|1 1|2 2 2\n){0,60}") {
        let _ = parse(text.as_bytes());
    }
}

#[test]
fn mirror_images() {
    let value = Complex64::new(1.0, 2.0);
    let mirrored = [Mirror::None, Mirror::Same, Mirror::Negative, Mirror::Conjugate].map(|mirror| mirror.of(value));
    assert_eq!(mirrored, [value, value, -value, value.conj()]);
}
