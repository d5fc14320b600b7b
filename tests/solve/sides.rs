//! Several right-hand sides, what an interrupt leaves of them, and repeats for a meter that is slow.

use super::*;
use rtcuda::config::Backend;
use rtcuda::runtime::energy::{self, Meter};
use rtcuda::solve::exchange::Repeated;
use rtcuda::solve::judge::Verdict;
use rtcuda::solve::method::{Precond, method};
use rtcuda::solve::program::Programs;
use rtcuda::solve::system::System;
use rtcuda::solve::watch::Watch;
use rtcuda::solve::{Precision, Settings, solve_all};
use rtcuda::sparse::market::Body;
use std::time::{Duration, Instant};

/// The residuals of a solver at work, in a temporary folder of rtcuda's, where it has a few.
fn at_work(temporary: &Path) -> bool {
    let folders = fs::read_dir(temporary).unwrap().map(|entry| entry.unwrap().path().join("history"));
    let has_few = |bytes: Vec<u8>| bytes.get(8 * 20..8 * 21).is_some_and(|residual| residual != [0; 8]);
    folders.filter_map(|path| fs::read(path).ok()).any(has_few)
}

#[test]
fn an_interrupt_leaves_the_iterate_so_far() {
    let case = Case::new(&recipe(Kind::Poisson, &[60, 60]));
    let temporary = case.path("temporary");
    fs::create_dir(&temporary).unwrap();
    let solve = ["solve", "jacobi", "--matrix", "a.mtx", "--backend", "cpu", "--json", "--tol", "1e-15"];
    // Minutes, were it not for the interrupt, which does nothing to a process that was started deaf to it.
    let files = ["--max-iter", "3000000", "--rhs", "two.mtx", "--solution", "x.mtx", "--history", "h.csv"];
    write(&case.path("two.mtx"), &Market::dense(Dense { rows: case.n, cols: 2, values: vec![1.0; 2 * case.n] }))
        .unwrap();
    let mut command = Command::new("env");
    command.args(["--default-signal=INT", env!("CARGO_BIN_EXE_rtcuda")]).args(solve).args(files);
    command.env("RTCUDA_CC", COMPILER.path().join("cc")).env("TMPDIR", &temporary).current_dir(case.folder.path());
    let child = command.stdout(std::process::Stdio::piped()).spawn().unwrap();
    let begin = Instant::now();
    while !at_work(&temporary) {
        assert!(begin.elapsed() < Duration::from_secs(60), "it does not begin");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let solved = &answer["right_hand_sides"][0]["solved"];
    assert_eq!((solved["verdict"].as_str(), output.status.code()), (Some("interrupted"), Some(1)), "{answer:#}");
    assert_eq!(answer["not_begun"], 1, "{answer:#}");
    let x = columns(&case.path("x.mtx"), case.n);
    assert!(x.len() == 2 && x[1].iter().all(|x| *x == 0.0));
    let ax = product(&read(&case.path("a.mtx")).unwrap().into_csr().unwrap(), &x[0]);
    let residual = ax.iter().map(|ax| (1.0 - ax).powi(2)).sum::<f64>().sqrt();
    let told = solved["true_residual"].as_f64().unwrap();
    assert!((residual - told).abs() <= 1e-12 * residual.max(1.0) && residual < 59.9, "{residual:e}, and not {told:e}");
    let lines = fs::read_to_string(case.path("h.csv")).unwrap().lines().count() as u64;
    assert!(lines > 20 && lines == solved["iterations"].as_u64().unwrap() + 2, "{lines}: {answer:#}");
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0);
}

/// On a CPU there is nothing to wait for: one loop after the other.
#[test]
fn jacobi_alone_sweeps_between_two_residuals() {
    let case = Case::new(&recipe(Kind::Poisson, &[9, 8]));
    let (one_by_one, by_sweeps) = (case.answer("jacobi", &[]), case.answer("jacobi", &["--sync", "asynchronous"]));
    let [one_by_one, by_sweeps] = [&one_by_one["solved"], &by_sweeps["solved"]];
    assert_eq!(by_sweeps["verdict"], "converged", "{by_sweeps:#}");
    assert_eq!(by_sweeps["iterations"], one_by_one["iterations"].as_u64().unwrap().div_ceil(10), "{by_sweeps:#}");
    let (code, message) = case.fault("cg", &["--sync", "relaxed"]);
    assert_eq!((code.as_str(), message.as_str()), ("no-sync", "--sync is for jacobi, and not for cg"));
}

/// The columns of an array.
fn columns(path: &Path, rows: usize) -> Vec<Vec<f64>> {
    let Body::Dense(dense) = read(path).unwrap().body else { panic!("{} is no array", path.display()) };
    assert_eq!(dense.rows, rows);
    dense.values.chunks(rows).map(<[f64]>::to_vec).collect()
}

#[test]
fn several_right_hand_sides_are_solved_for_as_each_alone() {
    let case = Case::new(&recipe(Kind::Poisson, &[9, 8]));
    let matrix = read(&case.path("a.mtx")).unwrap().into_csr().unwrap();
    let b = read(&case.path("b.mtx")).unwrap().into_vector().unwrap();
    let n = case.n;
    let values: Vec<f64> = (0..2 * n).map(|i| ((i * i) % 11) as f64 - 5.0).chain(vec![0.0; n]).collect();
    let sides = [&b[..], &values].concat();
    write(&case.path("three.mtx"), &Market::dense(Dense { rows: n, cols: 3, values })).unwrap();
    let options = ["--rhs", "b.mtx,three.mtx", "--tol", "1e-11", "--solution", "x.mtx", "--history", "h.csv"];
    for (method, precond, precision) in
        [("cg", "amg", "double"), ("cg", "jacobi", "mixed"), ("gmres", "ilu0", "double"), ("sor", "none", "double")]
    {
        let how = ["--precond", precond, "--precision", precision];
        let answer = case.answer(method, &[&options[..], &how].concat());
        let solved = answer["right_hand_sides"].as_array().unwrap();
        let iterations: Vec<_> = solved.iter().map(|one| one["solved"]["iterations"].as_u64().unwrap()).collect();
        assert!(solved.iter().all(|one| one["solved"]["verdict"] == "converged"), "{method}: {answer:#}");
        assert!((iterations.len(), iterations[3], &answer["not_begun"]) == (4, 0, &0.into()), "{method}: {answer:#}");
        // One preparation serves all.
        let setups: Vec<_> = solved.iter().map(|one| one["solved"]["setup_seconds"].as_f64().unwrap()).collect();
        assert!(setups.iter().all(|setup| *setup == setups[0]) && (precond != "amg" || setups[0] > 0.0), "{setups:?}");
        let (_, alone, _) = case.verdict(method, &[&["--rhs", "b.mtx", "--tol", "1e-11"][..], &how].concat());
        assert_eq!(iterations[0], alone, "{method}");
        for (x, b) in columns(&case.path("x.mtx"), n).iter().zip(sides.chunks(n)) {
            let expected = direct(&matrix, b);
            let worst = x.iter().zip(&expected).fold(0.0_f64, |most, (x, e)| most.max((x - e).abs()));
            let scale = expected.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            assert!(worst <= 1e-8 * scale, "{method} ({precond}): {worst:e} of {scale:e}");
        }
        let history = fs::read_to_string(case.path("h.csv")).unwrap();
        assert_eq!(history.lines().count() as u64, 1 + iterations.iter().map(|n| n + 1).sum::<u64>(), "{method}");
        assert!(history.lines().last().unwrap().starts_with("4,0,"), "{history}");
    }
    let (code, message) =
        Case::new(&recipe(Kind::Poisson, &[5])).fault("cg", &["--rhs", &case.path("three.mtx").to_string_lossy()]);
    assert!(code == "rhs-length" && message.contains("72 rows and 3 columns"), "{code}: {message}");
}

#[test]
fn a_solver_is_repeated_for_a_meter_that_is_slow() {
    let made = generate(&recipe(Kind::Poisson, &[40, 40]), 1 << 30).unwrap();
    let n = made.matrix.rows();
    let mut system = System::of(made.matrix);
    system.b = vec![1.0; 2 * n];
    let settings = Settings {
        method: method("cg").unwrap(),
        precond: Precond::None,
        precision: Precision::Double,
        tolerance: 1e-8,
        most: 1000,
        restart: 30,
        omega: 1.5,
        sync: None,
        backend: Backend::Cpu,
        is_interruptible: true,
        repeat_seconds: 0.3,
    };
    let begin = Instant::now();
    // 250 watts, in steps of 5 milliseconds.
    let meter: Meter = Box::new(move || Ok(250.0 * (begin.elapsed().as_secs_f64() / 0.005).floor() * 0.005));
    let metering = energy::begin(meter, Duration::from_millis(100)).unwrap();
    let programs = Programs::new().unwrap();
    let solved = solve_all(&programs, &system, &settings, &Watch::PATIENT).unwrap();
    let metered = metering.end().unwrap();
    let mut last_end = 0.0;
    for one in &solved {
        assert_eq!(one.verdict, Verdict::Converged);
        let Repeated { span: (begin, end), times } = one.repeated.unwrap();
        assert!(times > 1 && end - begin >= 0.3 && begin >= last_end, "{one:?}");
        last_end = end;
        // Other processes may slow it down, by something.
        let each = (end - begin) / times as f64;
        assert!(each > 0.5 * one.seconds && each < 50.0 * one.seconds, "{each}, and {}", one.seconds);
        let told = metered.during(&[(begin, end)], times).unwrap();
        assert!((told.joules - 250.0 * each).abs() < 0.1 * told.joules, "{told:?}, {each}");
    }
    assert_eq!(solved.len(), 2);
    let once = solve_all(&programs, &system, &Settings { repeat_seconds: 0.0, ..settings }, &Watch::PATIENT).unwrap();
    assert!(once.iter().all(|one| one.repeated.is_none()));
}

#[test]
fn columns_of_coordinates_are_right_hand_sides() {
    let case = Case::new(&recipe(Kind::Poisson, &[5, 4]));
    let n = case.n;
    let sparse = format!("%%MatrixMarket matrix coordinate real general\n{n} 3 3\n1 1 2\n{n} 3 -1\n7 3 0.5\n");
    fs::write(case.path("three.mtx"), sparse).unwrap();
    let values = (0..3 * n).map(|at| {
        [(0, 2.0), (3 * n - 1, -1.0), (2 * n + 6, 0.5)].iter().find(|(own, _)| *own == at).map_or(0.0, |(_, v)| *v)
    });
    write(&case.path("array.mtx"), &Market::dense(Dense { rows: n, cols: 3, values: values.collect() })).unwrap();
    let solutions = ["three.mtx", "array.mtx"].map(|rhs| {
        let answer = case.answer("cg", &["--rhs", rhs, "--solution", "x.mtx"]);
        assert_eq!(answer["right_hand_sides"].as_array().unwrap().len(), 3, "{answer:#}");
        columns(&case.path("x.mtx"), n)
    });
    assert_eq!(solutions[0], solutions[1]);
    let (code, message) = case.fault("cg", &["--rhs", "a.mtx"]);
    assert!(code == "not-a-vector" && message.contains("20 x 20"), "{code}: {message}");
}

#[test]
fn a_right_hand_side_that_amgx_has_put_behind_the_matrix_is_solved_for() {
    let case = Case::text(
        "%%MatrixMarket matrix coordinate real symmetric\n%%NVAMG 1 1 sorted rhs solution\n2 2 3\n1 1 2\n2 1 1\n2 2 2\n2\n3\n0\n2\n9\n9\n",
    );
    let x = |options: &[&str]| {
        let (verdict, ..) = case.verdict("cg", &[options, &["--solution", "x.mtx"]].concat());
        assert_eq!(verdict, "converged");
        columns(&case.path("x.mtx"), 2).concat()
    };
    let near = |x: &[f64], expected: [f64; 2]| x.iter().zip(expected).all(|(x, e)| (x - e).abs() < 1e-6);
    assert!(near(&x(&[]), [2.0, -1.0]) && near(&x(&["--rhs", "ones"]), [1.0 / 3.0; 2]), "{:?}", x(&[]));
    // It is kept where the matrix is written in another form.
    let convert = ["matrix", "convert", "a.mtx", "general.mtx", "--symmetry", "general"];
    let output =
        Command::new(env!("CARGO_BIN_EXE_rtcuda")).args(convert).current_dir(case.folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(read(&case.path("general.mtx")).unwrap().rhs, Some(vec![3.0, 0.0]));
}
