//! What "converged" means: the residual of the solution that is written, and not that of a recurrence.

use super::mixed::diffusion;
use super::*;

/// Methods, each with a preconditioner.
const WAYS: [(&str, &str); 10] = [
    ("cg", "none"),
    ("cg", "jacobi"),
    ("cg", "ic0"),
    ("cg", "amg"),
    ("bicgstab", "none"),
    ("bicgstab", "ilu0"),
    ("gmres", "ilu0"),
    ("qmr", "jacobi"),
    ("qmr", "ilu0"),
    ("sor", "none"),
];

#[test]
fn what_has_converged_has_a_true_residual_as_small_as_was_asked_for() {
    // Squares of two materials, one of which conducts ten thousand times as well: recurrences drift.
    let stiff = |row: usize, column: usize| [if (row / 8 + column / 8).is_multiple_of(2) { 1e3 } else { 0.1 } / 3.0; 2];
    let case = diffusion(24, stiff);
    let matrix = read(&case.path("a.mtx")).unwrap().into_csr().unwrap();
    let b = read(&case.path("b.mtx")).unwrap().into_vector().unwrap();
    let norm = |values: &mut dyn Iterator<Item = f64>| values.map(|v| v * v).sum::<f64>().sqrt();
    let norm_b = norm(&mut b.iter().copied());
    let (mut n_restarted, mut n_inaccurate) = (0, 0);
    for (method, precond) in WAYS {
        for tolerance in ["1e-8", "1e-12", "1e-13", "1e-14", "1e-15"] {
            let what = ["--rhs", "b.mtx", "--precond", precond, "--tol", tolerance, "--max-iter", "2000"];
            let output = case.solve(method, &[&what[..], &["--solution", "x.mtx", "--history", "h.csv"]].concat());
            let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
            let (solved, what) = (&answer["solved"], format!("{method}, {precond}, {tolerance}"));
            let x = read(&case.path("x.mtx")).unwrap().into_vector().unwrap();
            let relative = norm(&mut product(&matrix, &x).iter().zip(&b).map(|(ax, b)| b - ax)) / norm_b;
            let is_small = relative <= tolerance.parse().unwrap();
            let has_converged = solved["verdict"] == "converged";
            assert_eq!(output.status.code(), Some(i32::from(!has_converged)), "{what}: {answer:#}");
            assert!(is_small || !has_converged, "{what}: {relative:e}: {answer:#}");
            assert!(
                (relative / solved["relative_residual"].as_f64().unwrap() - 1.0).abs() < 1e-9,
                "{what}: {answer:#}"
            );
            let lines = fs::read_to_string(case.path("h.csv")).unwrap().lines().count() as u64;
            assert_eq!(lines, solved["iterations"].as_u64().unwrap() + 2, "{what}");
            n_restarted += u32::from(has_converged && solved["restarts"].as_u64() > Some(0));
            n_inaccurate += u32::from(solved["verdict"] == "inaccurate");
        }
    }
    assert!(n_restarted > 5 && n_inaccurate > 5, "{n_restarted} restarted, {n_inaccurate} inaccurate");
}
