//! `rtcuda solve` on the CPU: every method against a dense direct solution, its iterations against SciPy's, and what is
//! said of systems that cannot be solved.

#[path = "solve/mixed.rs"]
mod mixed;
#[path = "solve/residual.rs"]
mod residual;
#[path = "solve/scaled.rs"]
mod scaled;
#[path = "solve/sides.rs"]
mod sides;

use rtcuda::diag::Diagnostic;
use rtcuda::sparse::dense::Dense;
use rtcuda::sparse::generate::{Kind, Recipe, generate};
use rtcuda::sparse::market::read::read;
use rtcuda::sparse::market::write::write;
use rtcuda::sparse::market::{Market, Symmetry};
use rtcuda::sparse::{Csr, product};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;
use tempfile::TempDir;

const METHODS: [&str; 8] = ["cg", "bicgstab", "gmres", "qmr", "jacobi", "gauss-seidel", "sor", "chebyshev"];

/// Compiles what it has not compiled before with the same flags: each of a few solvers runs on dozens of systems. The last
/// word names the executable; all paths are in folders that no other call has.
const ONCE: &str = "#!/bin/sh
for out; do :; done
key=$(for word; do case $word in *.c) cat \"$word\";; /*) ;; *) echo \"$word\";; esac; done | sha256sum)
kept=${0%/*}/${key%% *}
[ -e \"$kept\" ] || { ${CC:-cc} \"$@\" && cp \"$out\" \"$kept.$$\" && mv \"$kept.$$\" \"$kept\"; } && cp \"$kept\" \"$out\"
";

/// The folder of such a compiler, `cc`.
static COMPILER: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("cc"), ONCE).unwrap();
    fs::set_permissions(folder.path().join("cc"), fs::Permissions::from_mode(0o755)).unwrap();
    folder
});

/// A folder with a matrix and a right-hand side.
struct Case {
    folder: TempDir,
    n: usize,
}

impl Case {
    fn new(recipe: &Recipe) -> Case {
        let made = generate(recipe, 1 << 30).unwrap_or_else(|fault| panic!("{}", words(&fault)));
        Case::of(made.matrix, made.symmetry)
    }

    fn of(matrix: Csr<f64>, symmetry: Symmetry) -> Case {
        let case = Case { folder: tempfile::tempdir().unwrap(), n: matrix.rows() };
        write(&case.path("a.mtx"), &Market::sparse(matrix, symmetry)).unwrap();
        let values = (0..case.n).map(|i| 1.0 + (i * i * 7 % 13) as f64).collect();
        write(&case.path("b.mtx"), &Market::dense(Dense { rows: case.n, cols: 1, values })).unwrap();
        case
    }

    /// A case from the text of its matrix.
    fn text(matrix: &str) -> Case {
        let case = Case { folder: tempfile::tempdir().unwrap(), n: 0 };
        fs::write(case.path("a.mtx"), matrix).unwrap();
        case
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn solve(&self, method: &str, options: &[&str]) -> Output {
        let rtcuda = env!("CARGO_BIN_EXE_rtcuda");
        let solve = ["solve", method, "--matrix", "a.mtx", "--backend", "cpu", "--json"];
        let compiler = COMPILER.path().join("cc");
        let mut command = Command::new(rtcuda);
        command.env("RTCUDA_CC", compiler).args(solve).args(options).current_dir(self.folder.path()).output().unwrap()
    }

    fn answer(&self, method: &str, options: &[&str]) -> Value {
        let output = self.solve(method, options);
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&output.stderr)))
    }

    /// The verdict, the iterations and the exit status.
    fn verdict(&self, method: &str, options: &[&str]) -> (String, u64, i32) {
        let output = self.solve(method, options);
        let answer: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&output.stderr)));
        let solved = &answer["solved"];
        let verdict = solved["verdict"].as_str().unwrap_or_else(|| panic!("{answer:#}")).to_owned();
        (verdict, solved["iterations"].as_u64().unwrap(), output.status.code().unwrap())
    }

    /// The code and the message of the one thing that is wrong.
    fn fault(&self, method: &str, options: &[&str]) -> (String, String) {
        let output = self.solve(method, options);
        assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stdout));
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        let fault = &answer["diagnostics"][0];
        (fault["code"].as_str().unwrap().to_owned(), fault["message"].as_str().unwrap().to_owned())
    }
}

fn words(fault: &Diagnostic) -> String {
    format!("{}: {}", fault.code, fault.message)
}

fn recipe(kind: Kind, sizes: &[u64]) -> Recipe {
    Recipe::new(kind, sizes)
}

/// The solution by elimination with the largest pivot of each column.
fn direct(matrix: &Csr<f64>, b: &[f64]) -> Vec<f64> {
    let n = b.len();
    let dense = Dense::of(matrix);
    let mut rows: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| dense.at(i, j)).chain([b[i]]).collect()).collect();
    for k in 0..n {
        let pivot = (k..n).max_by(|i, j| rows[*i][k].abs().total_cmp(&rows[*j][k].abs())).unwrap();
        rows.swap(k, pivot);
        let (done, below) = rows.split_at_mut(k + 1);
        for row in below {
            let factor = row[k] / done[k][k];
            row.iter_mut().zip(&done[k]).skip(k).for_each(|(x, p)| *x -= factor * p);
        }
    }
    let mut x = vec![0.0; n];
    for k in (0..n).rev() {
        let sum: f64 = (k + 1..n).map(|j| rows[k][j] * x[j]).sum();
        x[k] = (rows[k][n] - sum) / rows[k][k];
    }
    x
}

#[test]
fn every_method_finds_the_direct_solution() {
    let cases = [
        ("poisson", Case::new(&recipe(Kind::Poisson, &[9, 8]))),
        ("spd", Case::new(&recipe(Kind::Spd, &[60]))),
        ("full", Case::new(&Recipe { density: Some(1.0), ..recipe(Kind::Spd, &[70]) })),
        ("convection", Case::new(&Recipe { peclet: Some(0.6), ..recipe(Kind::ConvectionDiffusion, &[8, 9]) })),
        ("dominant", Case::new(&recipe(Kind::Dominant, &[70]))),
        ("one equation", Case::new(&recipe(Kind::Tridiagonal, &[1]))),
    ];
    for (name, case) in &cases {
        let matrix = read(&case.path("a.mtx")).unwrap().into_csr().unwrap();
        let b = read(&case.path("b.mtx")).unwrap().into_vector().unwrap();
        let expected = direct(&matrix, &b);
        let scale = expected.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let is_symmetric = !["convection", "dominant"].contains(name);
        for method in METHODS {
            if !is_symmetric && ["cg", "chebyshev"].contains(&method) {
                continue;
            }
            let preconditioners: &[&str] = match method {
                "cg" => &["none", "jacobi", "ic0", "amg"],
                "bicgstab" | "gmres" | "qmr" => &["none", "jacobi", "ilu0"],
                _ => &["none"],
            };
            let in_double = preconditioners.iter().map(|precond| (*precond, "double"));
            let mixed = in_double.clone().filter(|(precond, _)| method == "cg" && ["none", "jacobi"].contains(precond));
            for (precond, precision) in in_double.chain(mixed.map(|(precond, _)| (precond, "mixed"))) {
                let options =
                    ["--rhs", "b.mtx", "--tol", "1e-11", "--omega", "1.2", "--precond", precond, "--solution", "x.mtx"];
                let options = [&options[..], &["--precision", precision]].concat();
                let (verdict, _, status) = case.verdict(method, &options);
                assert_eq!((verdict.as_str(), status), ("converged", 0), "{method} ({precond}, {precision}) on {name}");
                let x = read(&case.path("x.mtx")).unwrap().into_vector().unwrap();
                let worst = x.iter().zip(&expected).fold(0.0_f64, |most, (x, e)| most.max((x - e).abs()));
                assert!(worst <= 1e-8 * scale, "{method} ({precond}, {precision}) on {name}: {worst:e} of {scale:e}");
            }
        }
    }
}

/// The iterations of SciPy 1.17.1 on the same matrices and the right-hand side of [`Case::of`], each element
/// `1 + (i * i * 7) % 13`: `scipy.sparse.linalg.X(A, b, rtol=1e-8, atol=0)` for X in `cg`, `bicgstab`, `qmr` and `gmres`
/// with `restart=20` (`callback_type="pr_norm"`), from `x0 = 0`, counted by their callback, which `bicgstab` does not call
/// where it ends by half a step. In the order of [`COUNTED`]; the Jacobi preconditioner is
/// `M = scipy.sparse.diags(1 / A.diagonal())`; `ic0` and `ilu0` are a `LinearOperator` of two `spsolve_triangular` with
/// factors that NumPy computes column by column on the places of A, its rows and columns sorted by colour (32 wanted), for
/// `qmr` its `M2`, with their transposes as `rmatvec`, beside the identity as `M1`; for `gmres` the operator is A times M, since
/// SciPy's M stands to the left of A. 0: not for this matrix.
const SCIPY: [(&str, [u64; 10]); 12] = [
    ("poisson 50", [50, 50, 53, 53, 50, 508, 3, 2, 3, 3]),
    ("poisson 16 16", [48, 48, 32, 32, 48, 59, 19, 11, 19, 19]),
    ("poisson 12 12, 9 points", [22, 22, 16, 16, 22, 22, 11, 6, 10, 11]),
    ("poisson 8 8 8", [32, 32, 22, 22, 32, 35, 13, 6, 13, 13]),
    ("poisson 6 6 6, 27 points", [14, 14, 9, 9, 14, 14, 7, 3, 7, 7]),
    ("spd 200, seed 3", [22, 16, 14, 10, 22, 23, 8, 4, 8, 8]),
    ("hepta 300", [30, 30, 21, 21, 30, 32, 15, 9, 15, 15]),
    ("arrow 40", [3, 3, 2, 2, 3, 3, 3, 2, 3, 3]),
    ("convection-diffusion 16 16", [0, 0, 29, 29, 51, 99, 0, 7, 13, 13]),
    ("convection-diffusion 7 7 7, Peclet 0.8", [0, 0, 16, 16, 27, 31, 0, 4, 7, 7]),
    ("dominant 150, seed 5", [0, 0, 11, 9, 21, 18, 0, 3, 7, 7]),
    ("tridiagonal 60, seed 2", [0, 0, 18, 12, 31, 34, 0, 2, 3, 3]),
];

/// The methods that are counted, with their preconditioners.
const COUNTED: [(&str, &str); 10] = [
    ("cg", "none"),
    ("cg", "jacobi"),
    ("bicgstab", "none"),
    ("bicgstab", "jacobi"),
    ("qmr", "none"),
    ("gmres", "none"),
    ("cg", "ic0"),
    ("bicgstab", "ilu0"),
    ("gmres", "ilu0"),
    ("qmr", "ilu0"),
];

fn recipes() -> [Recipe; 12] {
    [
        recipe(Kind::Poisson, &[50]),
        recipe(Kind::Poisson, &[16, 16]),
        Recipe { points: Some(9), ..recipe(Kind::Poisson, &[12, 12]) },
        recipe(Kind::Poisson, &[8, 8, 8]),
        Recipe { points: Some(27), ..recipe(Kind::Poisson, &[6, 6, 6]) },
        Recipe { seed: 3, ..recipe(Kind::Spd, &[200]) },
        recipe(Kind::Hepta, &[300]),
        recipe(Kind::Arrow, &[40]),
        recipe(Kind::ConvectionDiffusion, &[16, 16]),
        Recipe { peclet: Some(0.8), ..recipe(Kind::ConvectionDiffusion, &[7, 7, 7]) },
        Recipe { seed: 5, ..recipe(Kind::Dominant, &[150]) },
        Recipe { seed: 2, ..recipe(Kind::Tridiagonal, &[60]) },
    ]
}

#[test]
fn iterations_are_those_of_another_implementation() {
    /// By how many the two may differ.
    const NEAR: u64 = 2;
    let mut faults = Vec::new();
    for (recipe, (name, counts)) in recipes().iter().zip(SCIPY) {
        let case = Case::new(recipe);
        for ((method, precond), theirs) in COUNTED.into_iter().zip(counts).filter(|(_, theirs)| *theirs > 0) {
            let (verdict, ours, _) = case.verdict(method, &["--rhs", "b.mtx", "--restart", "20", "--precond", precond]);
            if verdict != "converged" || ours.abs_diff(theirs) > NEAR {
                faults.push(format!("{method} ({precond}) on {name}: {verdict} after {ours}, SciPy's {theirs}"));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn multigrid_needs_few_iterations_whatever_the_size() {
    let recipes = [
        ("a square", recipe(Kind::Poisson, &[90, 90]), 20),
        ("a larger one", recipe(Kind::Poisson, &[180, 180]), 20),
        ("a cube", recipe(Kind::Poisson, &[24, 24, 24]), 20),
        ("27 points", Recipe { points: Some(27), ..recipe(Kind::Poisson, &[20, 20, 20]) }, 24),
        ("a line", recipe(Kind::Poisson, &[4000]), 20),
        ("random", recipe(Kind::Spd, &[3000]), 25),
    ];
    for (name, recipe, most) in recipes {
        let case = Case::new(&recipe);
        let output = case.solve("cg", &["--rhs", "b.mtx", "--precond", "amg"]);
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        let solved = &answer["solved"];
        assert_eq!(solved["verdict"], "converged", "{name}: {solved:#}");
        let iterations = solved["iterations"].as_u64().unwrap();
        assert!(iterations <= most, "{name}: {iterations} iterations, and not {most}");
        assert!(solved["setup_seconds"].as_f64().unwrap() > 0.0, "{name}: {solved:#}");
    }
}

#[test]
fn each_failure_has_its_name_and_status_1() {
    let indefinite = Case::text("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 -2\n");
    let saddle = Case::text("%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 1\n2 1 3\n2 2 1\n");
    fs::write(saddle.path("b.mtx"), "%%MatrixMarket matrix array real general\n2 1\n1\n-1\n").unwrap();
    let rotation =
        Case::text("%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 1e-30\n1 2 1\n2 1 -1\n2 2 1e-30\n");
    let far = Case::text("%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 1\n1 2 3\n2 1 4\n2 2 1\n");
    let shift = Case::text("%%MatrixMarket matrix coordinate real general\n3 3 3\n1 2 1\n2 3 1\n3 1 1\n");
    fs::write(shift.path("b.mtx"), "%%MatrixMarket matrix array real general\n3 1\n1\n0\n0\n").unwrap();
    let slow = Case::new(&recipe(Kind::Poisson, &[30, 30]));
    // Singular: one of its eigenvalues is 0, and the right-hand side has a part along it.
    let ring = Case::text(
        "%%MatrixMarket matrix coordinate real general\n3 3 9\n1 1 2\n1 2 -1\n1 3 -1\n2 1 -1\n2 2 2\n2 3 -1\n3 1 -1\n3 2 -1\n3 3 2\n",
    );
    let said = |case: &Case, method: &str, options: &[&str]| {
        let (verdict, _, status) = case.verdict(method, options);
        assert_eq!(status, 1, "{method}: {verdict}");
        verdict
    };
    assert_eq!(said(&indefinite, "cg", &[]), "indefinite");
    assert_eq!(said(&saddle, "cg", &["--precond", "jacobi", "--rhs", "b.mtx"]), "indefinite");
    assert_eq!(said(&saddle, "chebyshev", &["--rhs", "b.mtx"]), "indefinite");
    assert_eq!(said(&far, "jacobi", &[]), "diverged");
    assert_eq!(said(&far, "gauss-seidel", &[]), "diverged");
    assert_eq!(said(&rotation, "bicgstab", &["--rhs", "ones"]), "breakdown");
    assert_eq!(said(&shift, "qmr", &["--rhs", "b.mtx"]), "breakdown");
    assert_eq!(said(&shift, "gmres", &["--rhs", "b.mtx", "--restart", "2", "--max-iter", "40"]), "stagnated");
    assert_eq!(said(&ring, "gmres", &["--max-iter", "50"]), "breakdown");
    assert_eq!(said(&slow, "cg", &["--max-iter", "8"]), "out-of-iterations");
}

/// Chains of springs, with the power of ten of each one's stiffness: in all of them the sum that `bicgstab` divides by is
/// zero after some hundred iterations, by rounding, and its other form is not.
#[test]
fn bicgstab_divides_by_no_sum_that_rounding_made_zero() {
    for powers in [
        "300003330300033300000303330003303330030",
        "404004404044044004400",
        "00200000002220000000200022002202200202020002020200022000",
    ] {
        let stiff: Vec<f64> = powers.bytes().map(|power| 10.0_f64.powi(i32::from(power - b'0'))).collect();
        let n = stiff.len() - 1;
        let on = (0..n).map(|i| format!("{} {} {}", i + 1, i + 1, stiff[i] + stiff[i + 1]));
        let beside = (1..n).map(|i| format!("{} {i} {}", i + 1, -stiff[i]));
        let entries: Vec<String> = on.chain(beside).collect();
        let head = format!("%%MatrixMarket matrix coordinate real symmetric\n{n} {n} {}\n", entries.len());
        let case = Case::text(&(head + &entries.join("\n") + "\n"));
        let answer = case.answer("bicgstab", &["--max-iter", "2000"]);
        let (iterations, residual) = (&answer["solved"]["iterations"], &answer["solved"]["true_residual"]);
        assert!(iterations.as_u64() > Some(100) && residual.is_f64(), "{powers}: {answer:#}");
    }
}

fn good_symmetric() -> Case {
    Case::new(&recipe(Kind::Poisson, &[5]))
}

#[test]
fn single_precision_reaches_what_it_can_and_says_so() {
    let case = Case::new(&recipe(Kind::Poisson, &[12, 12]));
    let matrix = read(&case.path("a.mtx")).unwrap().into_csr().unwrap();
    let b = read(&case.path("b.mtx")).unwrap().into_vector().unwrap();
    let expected = direct(&matrix, &b);
    let scale = expected.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    for (method, precond) in METHODS.map(|method| (method, "none")).into_iter().chain([
        ("cg", "ic0"),
        ("cg", "amg"),
        ("bicgstab", "ilu0"),
        ("gmres", "ilu0"),
        ("qmr", "ilu0"),
    ]) {
        let options =
            ["--rhs", "b.mtx", "--precision", "single", "--precond", precond, "--omega", "1.2", "--solution", "x.mtx"];
        assert_eq!(case.verdict(method, &options).0, "converged", "{method} ({precond})");
        let x = read(&case.path("x.mtx")).unwrap().into_vector().unwrap();
        let worst = x.iter().zip(&expected).fold(0.0_f64, |most, (x, e)| most.max((x - e).abs()));
        assert!(worst <= 1e-3 * scale, "{method} ({precond}): {worst:e} of {scale:e}");
        assert!(x.iter().all(|x| f64::from(*x as f32) == *x), "{method}: more than seven digits");
        let output =
            case.solve(method, &["--rhs", "b.mtx", "--precision", "single", "--tol", "1e-12", "--max-iter", "3000"]);
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(1), "{method}: {}", answer["solved"]);
        let advice = answer["advice"].as_str().unwrap();
        assert!(advice.starts_with("single precision reaches about "), "{method}: {answer:#}");
    }
}

#[test]
fn what_is_wrong_with_a_system_is_said() {
    let coordinate = |lines: &str| Case::text(&format!("%%MatrixMarket matrix coordinate real general\n{lines}"));
    let has = |found: (String, String), code: &str, part: &str| {
        assert!(found.0 == code && found.1.contains(part), "{found:?}, and not {code}: {part}");
    };
    has(coordinate("2 3 1\n1 1 1\n").fault("cg", &[]), "not-square", "2 x 3");
    has(coordinate("0 0 0\n").fault("cg", &[]), "empty-system", "no rows");
    has(coordinate("2 2 1\n1 1 1\n").fault("gmres", &[]), "singular", "row 2");
    has(coordinate("2 2 2\n1 1 1\n2 1 1\n").fault("gmres", &[]), "singular", "column 2");
    let left_over = "3 3 5\n1 1 1\n1 2 1\n1 3 1\n2 1 1\n3 1 1\n";
    has(coordinate(left_over).fault("qmr", &[]), "singular", "row 3");
    let swapped = coordinate("2 2 2\n1 2 1\n2 1 1\n");
    has(swapped.fault("jacobi", &[]), "zero-diagonal", "row 1");
    has(swapped.fault("sor", &[]), "zero-diagonal", "row 1");
    has(swapped.fault("bicgstab", &["--precond", "jacobi"]), "zero-diagonal", "preconditioner");
    assert_eq!(swapped.verdict("gmres", &[]).0, "converged");
    has(coordinate("1 1 1\n1 1 1\n").fault("jacobi", &["--precond", "jacobi"]), "no-preconditioner", "jacobi");
    has(good_symmetric().fault("gmres", &["--precond", "ic0"]), "no-preconditioner", "gmres");
    has(good_symmetric().fault("cg", &["--precond", "ilu0"]), "no-preconditioner", "incomplete LU");
    has(coordinate("2 2 2\n1 2 1\n2 1 1\n").fault("bicgstab", &["--precond", "ilu0"]), "pivot", "row 1");
    let cancelled = coordinate("3 3 9\n1 1 1\n1 2 1\n1 3 1\n2 1 1\n2 2 1\n2 3 2\n3 1 1\n3 2 2\n3 3 1\n");
    has(cancelled.fault("bicgstab", &["--precond", "ilu0"]), "pivot", "row 2");
    has(coordinate("2 2 2\n1 1 1\n2 2 -2\n").fault("cg", &["--precond", "ic0"]), "pivot", "row 2");
    has(coordinate("2 2 2\n1 1 1\n2 2 -2\n").fault("cg", &["--precond", "amg"]), "pivot", "positive diagonal");
    let single = ["--precision", "single"];
    has(
        coordinate("2 2 2\n1 1 1e300\n2 2 1\n").fault("cg", &single),
        "not-single",
        "no 1e0, or not its inverse, beside 1e300",
    );
    has(coordinate("2 2 2\n1 1 1\n2 2 1e-300\n").fault("cg", &single), "not-single", "1e-300");
    // Alone they are scaled.
    assert_eq!(coordinate("1 1 1\n1 1 1e300\n").verdict("cg", &single).0, "converged");
    assert_eq!(coordinate("1 1 1\n1 1 1e-300\n").verdict("cg", &single).0, "converged");
    has(good_symmetric().fault("cg", &["--plot", "h.gif"]), "plot-format", "h.gif");
    has(coordinate("1 1 1\n1 1 inf\n").fault("cg", &[]), "not-finite", "inf");
    has(coordinate("1 1 2\n1 1 1e308\n1 1 1e308\n").fault("cg", &[]), "not-finite", "not finite");
    has(coordinate("1 1 1\n1 1\n").fault("cg", &[]), "matrix-entry", "before its value");
    let good = Case::new(&recipe(Kind::Poisson, &[5]));
    has(good.fault("cg", &["--rhs", "missing.mtx"]), "matrix-unreadable", "missing.mtx");
    fs::write(good.path("b.mtx"), "%%MatrixMarket matrix array real general\n4 1\n1\n1\n1\n1\n").unwrap();
    has(good.fault("cg", &["--rhs", "b.mtx"]), "rhs-length", "b.mtx has 4 values");
    has(good.fault("cg", &["--rhs", "a.mtx"]), "not-a-vector", "a.mtx");
    let complex = Case::text("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 1\n");
    has(complex.fault("cg", &[]), "complex-matrix", "complex");
}

#[test]
fn a_preconditioner_is_chosen_by_trials() {
    let varied: Vec<String> = (1..=400).map(|i| format!("{i} {i} {}", f64::from(i) * 3.0)).collect();
    let beside: Vec<String> = (1..400).map(|i| format!("{} {i} 1", i + 1)).collect();
    let text = format!(
        "%%MatrixMarket matrix coordinate real symmetric\n400 400 799\n{}\n{}\n",
        varied.join("\n"),
        beside.join("\n")
    );
    let case = Case::text(&text);
    let answer = case.answer("cg", &["--precond", "auto"]);
    let choice = &answer["choice"];
    assert_eq!(answer["solved"]["verdict"], "converged", "{answer:#}");
    let tried: Vec<&str> =
        choice["trials"].as_array().unwrap().iter().map(|t| t["precond"].as_str().unwrap()).collect();
    assert!(tried.starts_with(&["none", "jacobi", "ic0"]), "{tried:?}");
    assert!(tried.contains(&choice["precond"].as_str().unwrap()), "{choice:#}");
    let even = Case::new(&recipe(Kind::Poisson, &[10])).answer("bicgstab", &["--precond", "auto"]);
    assert_eq!(even["choice"]["left_out"][0][1], "the diagonal is the same everywhere", "{even:#}");
    let fixed = Case::new(&recipe(Kind::Poisson, &[10])).answer("jacobi", &["--precond", "auto"]);
    assert_eq!(fixed["choice"]["precond"], "none", "{fixed:#}");
}

#[test]
fn methods_are_compared_in_one_table() {
    let case = Case::new(&recipe(Kind::Poisson, &[12, 12]));
    let run = |options: &[&str]| {
        let solve = ["solve", "--matrix", "a.mtx", "--backend", "cpu"];
        let mut command = Command::new(env!("CARGO_BIN_EXE_rtcuda"));
        command.args(solve).args(options).env("RTCUDA_CC", COMPILER.path().join("cc")).current_dir(case.folder.path());
        let output = command.output().unwrap();
        let said = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        (said, output.status.code())
    };
    let ([said, _], status) = run(&["--compare", "cg,cg:amg,gmres:jacobi", "--plot", "c.svg"]);
    assert_eq!((status, said.lines().count()), (Some(0), 5), "{said}");
    for part in ["144 equations", "cg      amg", "gmres   jacobi", "orange"] {
        assert!(said.contains(part), "{part} is not in\n{said}");
    }
    let svg = fs::read_to_string(case.path("c.svg")).unwrap();
    assert!(["#1446A0", "#E68214", "#288C3C"].iter().all(|colour| svg.contains(colour)), "{svg}");
    let ([said, _], status) = run(&["--compare", "cg,bicgstab:ic0"]);
    assert!(status == Some(1) && said.contains("`bicgstab` does not go with this preconditioner"), "{said}");
    let ([_, said], status) = run(&["--compare", "cg,cgs"]);
    assert!(status == Some(2) && said.contains("there is no method `cgs`"), "{said}");
    write(&case.path("two.mtx"), &Market::dense(Dense { rows: 144, cols: 2, values: vec![1.0; 288] })).unwrap();
    let ([_, said], status) = run(&["--compare", "cg,qmr", "--rhs", "two.mtx"]);
    assert!(status == Some(2) && said.contains("--compare takes one right-hand side, and two.mtx has 2"), "{said}");
    let ([said, _], _) = run(&["--compare", "cg,qmr", "--json"]);
    let answer: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(answer["compared"][1]["solved"]["verdict"], "converged", "{answer:#}");
}

#[test]
fn each_solver_is_built_once_for_all_matrices() {
    let case = Case::new(&recipe(Kind::Poisson, &[9, 8]));
    let other = generate(&Recipe { seed: 3, ..recipe(Kind::Spd, &[60]) }, 1 << 30).unwrap();
    write(&case.path("other.mtx"), &Market::sparse(other.matrix, other.symmetry)).unwrap();
    let text = format!("#!/bin/sh\necho \"$@\" >> {}\nexec cc \"$@\"\n", case.path("calls").display());
    fs::write(case.path("cc"), text).unwrap();
    fs::set_permissions(case.path("cc"), fs::Permissions::from_mode(0o755)).unwrap();
    let bench = ["bench", "solvers", "--only", "cg", "--backend", "cpu", "--json", "--matrix", "a.mtx", "other.mtx"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtcuda"));
    let output =
        command.args(bench).env("RTCUDA_CC", case.path("cc")).current_dir(case.folder.path()).output().unwrap();
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    // Without a preconditioner, three of them, mixed precision.
    let calls = fs::read_to_string(case.path("calls")).unwrap();
    assert_eq!(calls.lines().filter(|call| call.contains("driver.c")).count(), 5, "{calls}");
    let systems = answer["systems"].as_array().unwrap();
    for (system, equations) in systems.iter().zip([72, 60]) {
        let lines = system["solvers"].as_array().unwrap();
        assert_eq!((&system["equations"], lines.len()), (&equations.into(), 6), "{system:#}");
        assert!(lines.iter().all(|line| line["solved"]["verdict"] == "converged"), "{system:#}");
        let chosen: Vec<_> =
            lines.iter().filter(|line| line["is_chosen"] == true).map(|line| &line["precond"]).collect();
        assert_eq!(chosen, [&system["choices"][0]["choice"]["precond"]], "{system:#}");
    }
    assert_eq!(systems.len(), 2);
}

#[test]
fn history_solution_and_words() {
    let case = Case::new(&recipe(Kind::Poisson, &[10, 10]));
    let plots = ["--plot", "h.svg", "--history", "h.csv", "--solution", "x.mtx.gz"];
    let (_, iterations, _) = case.verdict("cg", &plots);
    let svg = fs::read_to_string(case.path("h.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("<polyline"), "{svg}");
    case.verdict("cg", &["--plot", "h.png"]);
    assert!(fs::read(case.path("h.png")).unwrap().starts_with(b"\x89PNG"));
    let history = fs::read_to_string(case.path("h.csv")).unwrap();
    let lines: Vec<&str> = history.lines().collect();
    assert_eq!((lines[0], lines.len() as u64), ("iteration,residual,relative", iterations + 2));
    assert_eq!(lines[1], "0,1e1,1e0");
    let x = read(&case.path("x.mtx.gz")).unwrap().into_vector().unwrap();
    let matrix = read(&case.path("a.mtx")).unwrap().into_csr().unwrap();
    assert!(product(&matrix, &x).iter().all(|b| (b - 1.0).abs() < 1e-6));
    let rtcuda = env!("CARGO_BIN_EXE_rtcuda");
    let convection = Path::new("matrices/convection.mtx");
    let solve = ["solve", "cg", "--backend", "cpu", "--max-iter", "5", "--matrix"];
    let output = Command::new(rtcuda).args(solve).arg(convection).output().unwrap();
    let (said, warned) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(warned.contains("warning[not-symmetric]"), "{warned}");
    for part in ["144 equations, 672 entries", "conjugate gradients", "the CPU", "true residual", "an iteration"] {
        assert!(said.contains(part), "{part} is not in\n{said}");
    }
    assert_eq!(output.status.code(), Some(1));
}
