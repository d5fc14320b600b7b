//! Systems of any magnitude: the same iterations and the same digits as at usual magnitudes, and what is said where the solution
//! is no double.

use super::*;
use rtcuda::config::Backend;
use rtcuda::solve::judge::Verdict;
use rtcuda::solve::method::{Precond, method};
use rtcuda::solve::program::Programs;
use rtcuda::solve::system::System;
use rtcuda::solve::watch::Watch;
use rtcuda::solve::{Precision, Settings, Solved, solve_all};
use rtcuda::sparse::generate::random::Random;

/// A power of two, which may be beyond the doubles: as factors that are none.
fn times(value: f64, exponent: i32) -> f64 {
    let half = exponent / 2;
    value * 2.0_f64.powi(half) * 2.0_f64.powi(exponent - half)
}

/// The system with its matrix and each of its right-hand sides multiplied by powers of two.
fn scaled(system: &System, matrix: i32, sides: [i32; 2]) -> System {
    let n = system.matrix.rows();
    let b = system.b.iter().enumerate().map(|(i, b)| times(*b, sides[i / n])).collect();
    System { b, ..System::of(system.matrix.map(|value| times(*value, matrix))) }
}

fn settings(name: &str, precond: Precond, precision: Precision) -> Settings {
    Settings {
        method: method(name).unwrap(),
        precond,
        precision,
        tolerance: if precision == Precision::Single { 1e-5 } else { 1e-9 },
        most: 3000,
        restart: 20,
        omega: 1.2,
        sync: None,
        backend: Backend::Cpu,
        is_interruptible: true,
        repeat_seconds: 0.0,
    }
}

/// Every method with every preconditioner that it takes, in every precision.
fn all_ways() -> Vec<Settings> {
    let preconds = Precond::ALL.map(|(_, precond)| precond);
    let precisions = Precision::ALL.map(|(_, precision)| precision);
    METHODS
        .iter()
        .flat_map(|name| {
            preconds.iter().flat_map(move |precond| precisions.map(|precision| (*name, *precond, precision)))
        })
        .map(|(name, precond, precision)| settings(name, precond, precision))
        .filter(|settings| settings.method.program(settings.precond, settings.precision).is_some())
        .collect()
}

#[test]
fn any_magnitude_is_solved_in_the_same_iterations_to_the_same_digits() {
    let made = generate(&recipe(Kind::Poisson, &[6, 5]), 1 << 30).unwrap();
    let n = made.matrix.rows();
    let mut system = System::of(made.matrix);
    system.b = (0..2 * n).map(|i| ((i * i * 7) % 13) as f64 - 4.0).collect();
    let programs = Programs::new().unwrap();
    let ways = all_ways();
    assert!(ways.len() > 30, "{}", ways.len());
    programs
        .build(
            &ways.iter().map(|way| (way.method.program(way.precond, way.precision).unwrap(), *way)).collect::<Vec<_>>(),
        )
        .unwrap();
    let seed = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let draw = |which: usize| {
        let mut random = Random::of_row(seed, which);
        [(); 3].map(|()| 2 * (random.value() * 240.0) as i32)
    };
    for (k, way) in ways.iter().enumerate() {
        let solved = |system: &System| solve_all(&programs, system, way, &Watch::PATIENT).unwrap();
        let usual = solved(&system);
        assert!(usual.iter().all(|one| one.verdict == Verdict::Converged), "{way:?}");
        // 1e160 and 1e-160, alone and together; what is near to usual; drawn ones.
        let fixed = [[0, -532, 532], [532, 0, -400], [-532, 60, 300], [-30, 14, -40]];
        for [matrix, first, second] in fixed.into_iter().chain((0..3).map(|which| draw(3 * k + which))) {
            let what = format!("2^{matrix}, 2^{first}, 2^{second} (seed {seed}): {way:?}");
            let unusual = solved(&scaled(&system, matrix, [first, second]));
            for ((usual, unusual), exponent) in usual.iter().zip(&unusual).zip([first - matrix, second - matrix]) {
                assert_eq!((unusual.verdict, unusual.iterations), (Verdict::Converged, usual.iterations), "{what}");
                assert_eq!(unusual.relative_residual, usual.relative_residual, "{what}");
                assert!(unusual.x.iter().zip(&usual.x).all(|(x, y)| *x == times(*y, exponent)), "{what}");
                let relative = |one: &Solved| one.residuals().map(|norm| norm.over(one.norm_b)).collect::<Vec<_>>();
                assert_eq!(relative(unusual), relative(usual), "{what}");
            }
        }
    }
}

/// A diagonal matrix, whose solution is known.
fn diagonal(values: &[f64], b: &[f64]) -> Case {
    let n = values.len();
    let entries: Vec<String> = values.iter().enumerate().map(|(i, v)| format!("{} {} {v:e}\n", i + 1, i + 1)).collect();
    let case =
        Case::text(&format!("%%MatrixMarket matrix coordinate real symmetric\n{n} {n} {n}\n{}", entries.concat()));
    let lines: Vec<String> = b.iter().map(|b| format!("{b:e}\n")).collect();
    fs::write(case.path("b.mtx"), format!("%%MatrixMarket matrix array real general\n{n} 1\n{}", lines.concat()))
        .unwrap();
    case
}

#[test]
fn a_norm_that_underflows_is_not_zero() {
    let recipe = recipe(Kind::Poisson, &[8, 8]);
    let made = generate(&recipe, 1 << 30).unwrap();
    for scale in [1e-160, 1e-170, 3e-310, 1e160, 1e300] {
        let case = Case::of(made.matrix.clone(), made.symmetry);
        let values = vec![scale; case.n];
        write(&case.path("b.mtx"), &Market::dense(Dense { rows: case.n, cols: 1, values })).unwrap();
        for method in METHODS {
            let options = ["--rhs", "b.mtx", "--history", "h.csv", "--plot", "h.svg", "--solution", "x.mtx"];
            let answer = case.answer(method, &options);
            let solved = &answer["solved"];
            assert_eq!(solved["verdict"], "converged", "{method}, {scale:e}: {answer:#}");
            let relative = solved["relative_residual"].as_f64().unwrap();
            assert!(relative > 0.0 && relative <= 1e-8 && solved["iterations"] != 0, "{method}, {scale:e}: {answer:#}");
            assert!((solved["norm_b"].as_f64().unwrap() / (8.0 * scale) - 1.0).abs() < 1e-6, "{answer:#}");
            let history = fs::read_to_string(case.path("h.csv")).unwrap();
            assert_eq!(history.lines().nth(1).unwrap().rsplit(',').next(), Some("1e0"), "{method}, {scale:e}");
            let x = read(&case.path("x.mtx")).unwrap().into_vector().unwrap();
            let worst = product(&made.matrix, &x).iter().fold(0.0_f64, |most, ax| most.max((ax / scale - 1.0).abs()));
            assert!(worst < 1e-6, "{method}, {scale:e}: {worst:e}");
        }
    }
    // In single precision squares of elements are lost much sooner.
    let case = Case::of(made.matrix.clone(), made.symmetry);
    write(&case.path("b.mtx"), &Market::dense(Dense { rows: case.n, cols: 1, values: vec![1e-42; case.n] })).unwrap();
    for method in METHODS {
        let answer = case.answer(method, &["--rhs", "b.mtx", "--precision", "single"]);
        assert_eq!(answer["solved"]["verdict"], "converged", "{method}: {answer:#}");
        assert_ne!(answer["solved"]["iterations"], 0, "{method}");
    }
}

#[test]
fn a_solution_that_is_no_double_is_said() {
    for (value, b) in [(1e-200, 1e200), (1e200, 1e-200), (1e300, 1e-20)] {
        let case = diagonal(&[value, 3.0 * value], &[b, b]);
        for method in METHODS {
            let output = case.solve(method, &["--rhs", "b.mtx"]);
            let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
            let verdict = &answer["solved"]["verdict"];
            assert_eq!(
                (verdict.as_str(), output.status.code()),
                (Some("out-of-range"), Some(1)),
                "{method}: {answer:#}"
            );
            assert!(answer["advice"].as_str().unwrap().contains("power of two"), "{answer:#}");
        }
    }
    // One that is a double, but for an element that no norm sees.
    assert_eq!(diagonal(&[1e300, 1e300], &[1e-8, 1e-24]).verdict("cg", &["--rhs", "b.mtx"]).0, "converged");
    // Nothing but zeros has no magnitude.
    assert_eq!(diagonal(&[1e-300, 1e-300], &[0.0, 0.0]).verdict("cg", &["--rhs", "b.mtx"]), ("converged".into(), 0, 0));
}
