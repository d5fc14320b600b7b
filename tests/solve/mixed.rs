//! Mixed precision: what it reaches, in how many iterations, and where it ends.

use super::*;

/// Diffusion on a square of m points a side, with what conducts between a point and those beside and below it.
pub fn diffusion(m: usize, conducts: impl Fn(usize, usize) -> [f64; 2]) -> Case {
    let mut diagonal = vec![0.0; m * m];
    let mut entries = vec![];
    for (row, column) in (0..m).flat_map(|row| (0..m).map(move |column| (row, column))) {
        let [beside, below] = conducts(row, column);
        for (k, other, is_first, is_last) in
            [(beside, 1, column == 0, column + 1 == m), (below, m, row == 0, row + 1 == m)]
        {
            let at = row * m + column;
            diagonal[at] += k * if is_first { 2.0 } else { 1.0 };
            if !is_last {
                diagonal[at + other] += k;
                entries.push(format!("{} {} {:e}", at + other + 1, at + 1, -k));
            }
        }
    }
    entries.extend(diagonal.iter().enumerate().map(|(at, k)| format!("{} {} {k:e}", at + 1, at + 1)));
    let (n, text) = (m * m, entries.join("\n"));
    let case =
        Case::text(&format!("%%MatrixMarket matrix coordinate real symmetric\n{n} {n} {}\n{text}\n", entries.len()));
    Case::of(read(&case.path("a.mtx")).unwrap().into_csr().unwrap(), Symmetry::Symmetric)
}

#[test]
fn mixed_precision_reaches_what_double_does_in_hardly_more_iterations() {
    // Squares of two materials, one of which conducts ten thousand times as well.
    let stiff =
        |row: usize, column: usize| [if (row / 8 + column / 8).is_multiple_of(2) { 1e3 / 3.0 } else { 0.1 / 3.0 }; 2];
    let cases = [
        ("poisson", 1.3, Case::new(&recipe(Kind::Poisson, &[14, 14, 14]))),
        ("anisotropic", 1.3, diffusion(40, |_, _| [1.0 / 3.0, 1e-3 / 3.0])),
        // New directions at each residual would take two to three times as many.
        ("stiff", 1.8, diffusion(40, stiff)),
    ];
    for (name, most, case) in &cases {
        for tolerance in ["1e-8", "1e-10", "1e-12"] {
            let of = |precision| {
                let options = ["--rhs", "b.mtx", "--precond", "jacobi", "--tol", tolerance, "--precision", precision];
                let solved = case.answer("cg", &options)["solved"].clone();
                assert_eq!(solved["verdict"], "converged", "{precision} on {name}, {tolerance}: {solved:#}");
                let relative = solved["true_residual"].as_f64().unwrap() / solved["norm_b"].as_f64().unwrap();
                (solved["iterations"].as_f64().unwrap(), relative)
            };
            let ((double, _), (mixed, residual)) = (of("double"), of("mixed"));
            assert!(mixed <= most * double, "{name}, {tolerance}: {mixed} iterations, and {double} in double");
            // In double, and not as the iterations have it, which in single precision ends near 1e-6.
            let enough = 1.5 * tolerance.parse::<f64>().unwrap();
            assert!(residual <= enough, "{name}, {tolerance}: {residual:e}");
        }
    }
}

#[test]
fn mixed_precision_takes_numbers_that_single_has_not_and_says_what_it_cannot() {
    let tiny =
        Case::text("%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 2e-300\n2 1 1e-300\n2 2 3e-300\n");
    fs::write(tiny.path("b.mtx"), "%%MatrixMarket matrix array real general\n2 1\n1e-200\n3e-200\n").unwrap();
    for precond in ["none", "jacobi", "auto"] {
        let options = ["--rhs", "b.mtx", "--precision", "mixed", "--tol", "1e-12", "--precond", precond];
        assert_eq!(tiny.verdict("cg", &options).0, "converged", "{precond}");
    }
    let (code, message) = tiny.fault("cg", &["--precision", "mixed", "--precond", "amg"]);
    assert!(code == "not-mixed" && message.contains("multigrid"), "{code}: {message}");
    let (code, message) = tiny.fault("gmres", &["--precision", "mixed"]);
    assert!(code == "not-mixed" && message.contains("`gmres`"), "{code}: {message}");
    // Half of it vanishes in single precision, whatever its scale.
    let wide = Case::text("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1e300\n2 2 1e-300\n");
    for precond in ["none", "jacobi"] {
        let (verdict, iterations, _) = wide.verdict("cg", &["--precision", "mixed", "--precond", precond]);
        assert!(verdict != "converged" && iterations < 10, "{precond}: {verdict} after {iterations}");
    }
    // A chain of springs that single precision cannot tell from one that is loose.
    let beam: Vec<String> = (1..=120)
        .flat_map(|i| [(i, 6), (i + 1, -4), (i + 2, 1)].map(|(j, k)| (i, j, k)))
        .filter(|(_, j, _)| *j <= 120)
        .map(|(i, j, k)| format!("{j} {i} {k}"))
        .collect();
    let text =
        format!("%%MatrixMarket matrix coordinate real symmetric\n120 120 {}\n{}\n", beam.len(), beam.join("\n"));
    let answer = Case::text(&text).answer("cg", &["--precision", "mixed", "--precond", "jacobi", "--max-iter", "2000"]);
    assert_ne!(answer["solved"]["verdict"], "converged", "{answer:#}");
    assert!(answer["advice"].as_str().unwrap().contains("--precision double"), "{answer:#}");
}
