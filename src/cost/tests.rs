//! Kernels given as text, and what they cost; accesses against an enumeration of the threads of a warp.

use super::value::{Form, LANES, SAMPLES};
use super::*;
use crate::ast::BinOp;
use crate::kernel::{Expr, Kernel, StmtKind, parse};
use crate::target;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

fn device() -> Device {
    Device::of(&target::machine(90).unwrap())
}

fn kernel(text: &str) -> Kernel {
    text.parse().unwrap_or_else(|e| panic!("{e}:\n{text}"))
}

/// Each access: array, pattern, sectors of a request (passes of shared memory).
fn accesses(text: &str, sizes: &[(&str, i64)]) -> Vec<(String, Pattern, f64)> {
    let (kernel, sizes) = (kernel(text), Sizes::of(sizes.iter().copied()));
    let e = estimate(&kernel, &[], &device(), &sizes);
    e.accesses.iter().map(|x| (x.access.array.clone(), x.pattern, x.sectors)).collect()
}

/// A kernel of one dimension over two arrays of that type.
fn line(ty: &str, body: &str) -> String {
    format!(
        "kernel k(index n) reads({ty} a[0]) writes({ty} b[0]) index(64)
           tunable BLOCK_0 = 256
           grid (ceildiv(n, BLOCK_0)) block (BLOCK_0)
         {{ let index i = g0 * BLOCK_0 + t0; if (i < n) {{ {body} }} }}"
    )
}

/// One over two matrices, with blocks of 8 x 32.
fn plane(body: &str) -> String {
    format!(
        "kernel k(index n, index m) reads(float a[0, m]) writes(float b[0, n]) index(64)
           tunable BLOCK_0 = 8, BLOCK_1 = 32
           grid (ceildiv(n, BLOCK_0), ceildiv(m, BLOCK_1)) block (BLOCK_0, BLOCK_1)
         {{ let index i = g0 * BLOCK_0 + t0; let index j = g1 * BLOCK_1 + t1; if (i < n && j < m) {{ {body} }} }}"
    )
}

#[test]
fn sectors_of_a_request() {
    let n = [("n", 1 << 20)];
    let of =
        |ty: &str, body: &str| accesses(&line(ty, body), &n).into_iter().map(|(_, p, s)| (p, s)).collect::<Vec<_>>();
    use Pattern::*;
    assert_eq!(of("float", "b[i] = a[i];"), [(Contiguous, 4.0), (Contiguous, 4.0)]);
    assert_eq!(of("double", "b[i] = a[i];"), [(Contiguous, 8.0), (Contiguous, 8.0)]);
    assert_eq!(of("float", "b[i] = a[2 * i];")[0], (Strided(8), 8.0));
    assert_eq!(of("float", "b[i] = a[16 * i];")[0], (Strided(64), 32.0));
    assert_eq!(of("float", "b[i] = a[g0];")[0], (Uniform, 1.0));
    assert_eq!(of("float", "b[i] = a[i + 1];")[0], (Contiguous, 5.0));
    assert_eq!(of("float", "b[i] = a[n - 1 - i];")[0], (Contiguous, 4.0));
    assert_eq!(of("float", "b[i] = a[i / 32 * 32 + (i * 5) % 32];")[0], (Mixed, 4.0));
    assert_eq!(of("int", "b[i] = a[a[i]];")[1].0, Scattered);
}

#[test]
fn a_transposition_stores_a_sector_a_lane() {
    let found = accesses(&plane("b[j, i] = a[i, j];"), &[("n", 4096), ("m", 4096)]);
    assert_eq!(found[0], ("a".into(), Pattern::Contiguous, 4.0));
    assert_eq!(found[1], ("b".into(), Pattern::Strided(4 * 4096), 32.0));
}

#[test]
fn members_of_a_structure_share_their_sectors() {
    let text = line("float", "b[i] = a[4 * i] + a[4 * i + 1] + a[4 * i + 2];");
    let n = 1i64 << 24;
    let (kernel, sizes) = (kernel(&text), Sizes::of([("n", n)]));
    let e = estimate(&kernel, &[], &device(), &sizes);
    assert!(e.accesses[..3].iter().all(|x| x.sectors == 16.0), "{:?}", e.accesses);
    // Sixteen bytes a thread once, though three loads move all of their sectors.
    let least = 16.0 * n as f64 + 4.0 * n as f64;
    assert!((e.memory_bytes / least - 1.0).abs() < 0.01 && (e.l2_bytes / least - 1.0).abs() < 0.02, "{e:?}");
    assert_eq!(e.limit(), Some(Part::Memory));
}

#[test]
fn guards_take_lanes_away() {
    let text = line("float", "if (t0 % 4 == 0) { b[i] = a[i]; }");
    let (k, sizes) = (kernel(&text), Sizes::of([("n", 1 << 20)]));
    let e = estimate(&k, &[], &device(), &sizes);
    assert_eq!((e.accesses[0].requests, e.accesses[0].sectors, e.accesses[0].least), (32768.0, 4.0, 1.0));
    let text = line("float", "if (t0 < 64) { b[i] = a[i]; }");
    let k = kernel(&text);
    let e = estimate(&k, &[], &device(), &sizes);
    // Two of eight warps.
    assert!((e.accesses[0].requests / 8192.0 - 1.0).abs() < 0.3, "{:?}", e.accesses);
    // The grid of a triangle is a square, and half of it does nothing.
    let k = kernel(&plane("if (j <= i) { b[i, j] = a[i, j]; }"));
    let sizes = Sizes::of([("n", 4096), ("m", 4096)]);
    let e = estimate(&k, &[], &device(), &sizes);
    let half = 4.0 * 4096.0 * 4096.0;
    assert!((e.memory_bytes / half - 1.0).abs() < 0.15, "{e:?}");
}

#[test]
fn neighbours_are_moved_once() {
    let body = "b[i, j] = a[i, j] + a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1];";
    let k = kernel(&plane(body));
    let sizes = Sizes::of([("n", 8192), ("m", 8192)]);
    let e = estimate(&k, &[], &device(), &sizes);
    let least = 2.0 * 4.0 * 8192.0 * 8192.0;
    assert!((e.memory_bytes / least - 1.0).abs() < 0.02, "{e:?}");
    // A block of 8 x 32 loads a frame beside its own elements, and L1 holds what is loaded five times.
    assert!(e.l2_bytes > 1.2 * least && e.l2_bytes < 1.8 * least, "{e:?}");
}

#[test]
fn shared_memory_has_banks() {
    let of = |extent: i64| {
        let text = format!(
            "kernel k(index n) reads(float a[0]) writes(float b[0]) index(64)
               grid (n) block (32, 32)
             {{
               shared float tile[32, {extent}];
               tile[t0, t1] = a[t0 * 32 + t1];
               barrier;
               b[t0 * 32 + t1] = tile[t1, t0];
             }}"
        );
        let found = accesses(&text, &[("n", 64)]);
        found.into_iter().filter(|(a, ..)| a == "tile").map(|(.., passes)| passes).collect::<Vec<_>>()
    };
    assert_eq!(of(32), [1.0, 32.0]);
    assert_eq!(of(33), [1.0, 1.0]);
    assert_eq!(of(34), [1.0, 2.0]);
}

/// What `convert tests/programs/mm.c --dump-after kernel` prints, for tiles that lie inside the matrices.
const PRODUCT: &str = "
kernel product(index n, index m, index p) writes(double c[0, m]) reads(double a[0, p], double b[0, m]) index(64)
  tunable BLOCK_0 = 8, BLOCK_1 = 16, MERGE_0 = 8, MERGE_1 = 4, DEPTH = 16
  grid (min(ceildiv(n, BLOCK_0 * MERGE_0), 65535), ceildiv(m, BLOCK_1 * MERGE_1)) block (BLOCK_0, BLOCK_1)
{
  shared double a_tile[DEPTH, BLOCK_0 * MERGE_0 + 2];
  shared double b_tile[DEPTH, BLOCK_1 * MERGE_1];
  let index thread = t0 * BLOCK_1 + t1;
  for i0 in g0 * (BLOCK_0 * MERGE_0) .. n step n0 * (BLOCK_0 * MERGE_0) {
    let index j0 = g1 * (BLOCK_1 * MERGE_1);
    local double sum[MERGE_0, MERGE_1];
    for i_at in 0 .. MERGE_0 step 1 { for j_at in 0 .. MERGE_1 step 1 { sum[i_at, j_at] = 0.0; } }
    for k0 in 0 .. p step DEPTH {
      barrier;
      if (i0 + (BLOCK_0 * MERGE_0 - 1) < n && k0 + (DEPTH - 1) < p && j0 + (BLOCK_1 * MERGE_1 - 1) < m) {
        for round in 0 .. ceildiv(DEPTH * (BLOCK_0 * MERGE_0), BLOCK_0 * BLOCK_1) step 1 {
          let index cell = round * (BLOCK_0 * BLOCK_1) + thread;
          if (DEPTH * (BLOCK_0 * MERGE_0) % (BLOCK_0 * BLOCK_1) == 0 || cell < DEPTH * (BLOCK_0 * MERGE_0)) {
            a_tile[cell % DEPTH, cell / DEPTH] = a[i0 + cell / DEPTH, k0 + cell % DEPTH];
          }
        }
        for round_2 in 0 .. ceildiv(BLOCK_1 * MERGE_1 * DEPTH, BLOCK_0 * BLOCK_1) step 1 {
          let index cell_2 = round_2 * (BLOCK_0 * BLOCK_1) + thread;
          b_tile[cell_2 / (BLOCK_1 * MERGE_1), cell_2 % (BLOCK_1 * MERGE_1)] =
            b[k0 + cell_2 / (BLOCK_1 * MERGE_1), j0 + cell_2 % (BLOCK_1 * MERGE_1)];
        }
      } else {
        for round_3 in 0 .. ceildiv(DEPTH * (BLOCK_0 * MERGE_0), BLOCK_0 * BLOCK_1) step 1 {
          let index cell_3 = round_3 * (BLOCK_0 * BLOCK_1) + thread;
          a_tile[cell_3 % DEPTH, cell_3 / DEPTH] =
            i0 + cell_3 / DEPTH < n && k0 + cell_3 % DEPTH < p ? a[i0 + cell_3 / DEPTH, k0 + cell_3 % DEPTH] : 0.0;
        }
      }
      barrier;
      for k_at in 0 .. DEPTH step 1 {
        for i_at in 0 .. MERGE_0 step 1 {
          for j_at in 0 .. MERGE_1 step 1 {
            sum[i_at, j_at] += a_tile[k_at, t0 * MERGE_0 + i_at] * b_tile[k_at, j_at * BLOCK_1 + t1];
          }
        }
      }
    }
    for i_at in 0 .. MERGE_0 step 1 {
      for j_at in 0 .. MERGE_1 step 1 { c[i0 + (t0 * MERGE_0 + i_at), j0 + (j_at * BLOCK_1 + t1)] = sum[i_at, j_at]; }
    }
  }
}";

#[test]
fn a_tiled_product_is_limited_by_arithmetic() {
    let k = kernel(PRODUCT);
    let n = 4096;
    let sizes = Sizes::of([("n", n), ("m", n), ("p", n)]);
    let e = estimate(&k, &[], &device(), &sizes);
    assert_eq!(e.limit(), Some(Part::Arithmetic), "{:?}", e.parts);
    assert!(e.assumed.is_empty(), "{:?}", e.assumed);
    let cube = (n as f64).powi(3);
    let peak = cube / (132.0 * 64.0 * device().clock);
    assert!(e.part(Part::Arithmetic) > peak && e.seconds < 2.0 * peak, "{} {peak}", e.seconds);
    // Each of 64 x 64 blocks loads a row and a column of tiles, and stores one.
    let pieces = 8.0 * (2.0 * cube / 64.0 + (n * n) as f64);
    assert!((e.l2_bytes / pieces - 1.0).abs() < 0.02, "{} {pieces}", e.l2_bytes);
    // What nothing runs into costs nothing.
    let partial = e.accesses.iter().filter(|x| x.access.array == "a").map(|x| x.requests).collect::<Vec<_>>();
    assert!(partial[0] > 0.0 && partial.iter().skip(1).all(|n| *n == 0.0), "{partial:?}");
    // Elements of a tile are loaded once for all the points that need them: 8 of one, in pairs, and 4 of the other.
    let loads = |name: &str| {
        e.accesses.iter().filter(|x| x.access.array == name && !x.is_store).map(|x| x.requests).sum::<f64>()
    };
    let warps = cube / 32.0 / 32.0;
    assert_eq!((loads("a_tile") / warps, loads("b_tile") / warps), (4.0, 4.0));
}

#[test]
fn sums_run_at_the_copy_rate() {
    let k = kernel(
        "kernel sum(index n) reads(float x[0]) writes(float parts[1024]) index(64)
           tunable BLOCK_0 = 256
           grid (min(ceildiv(n, BLOCK_0), 1024)) block (BLOCK_0)
         {
           let float s = 0;
           for i in g0 * BLOCK_0 + t0 .. n step n0 * BLOCK_0 { s += x[i]; }
           block_reduce(+) float parts[g0] = s;
         }",
    );
    let n = 1i64 << 28;
    let sizes = Sizes::of([("n", n)]);
    let d = device();
    let e = estimate(&k, &[], &d, &sizes);
    assert_eq!(e.limit(), Some(Part::Memory), "{:?}", e.parts);
    assert!((e.memory_bytes / (4 * n) as f64 - 1.0).abs() < 0.01);
    // The same by one thread waits for one load after the other.
    let k = kernel(
        "kernel sum(index n) reads(float x[0]) writes(float s[]) index(64)
           grid (1) block (1)
         { let float t = 0; for i in 0 .. n step 1 { t += x[i]; } s[] = t; }",
    );
    let slow = estimate(&k, &[], &d, &sizes);
    assert_eq!(slow.limit(), Some(Part::Latency), "{:?}", slow.parts);
    assert!(slow.seconds > 1000.0 * e.seconds);
}

#[test]
fn what_only_the_data_know_is_assumed_and_named() {
    let k = kernel(
        "kernel rows(index n) reads(int start[0], double value[0], int column[0], double x[0]) writes(double y[0]) index(64)
           tunable BLOCK_0 = 256
           grid (ceildiv(n, BLOCK_0)) block (BLOCK_0)
         {
           let index i = g0 * BLOCK_0 + t0;
           if (i < n) {
             let double s = 0;
             let int k = start[i];
             while (k < start[i + 1]) { s += value[k] * x[column[k]]; } step { k += 1; }
             y[i] = s;
           }
         }",
    );
    let n = 1i64 << 21;
    let mut sizes = Sizes::of([("n", n)]);
    let e = estimate(&k, &[], &device(), &sizes);
    let all = [Assumption::Trips, Assumption::Address, Assumption::Condition];
    assert_eq!(e.assumed.iter().copied().collect::<Vec<_>>(), all);
    assert!(e.accesses.iter().any(|x| x.access.array == "x" && x.pattern == Pattern::Scattered && x.is_assumed));
    // Of rows of seven, each element is moved once.
    sizes.trips = Some(7.0);
    sizes.elements = BTreeMap::from([("x".into(), n), ("value".into(), 7 * n), ("column".into(), 7 * n)]);
    let e = estimate(&k, &[], &device(), &sizes);
    let least = n as f64 * (7.0 * 12.0 + 8.0 + 8.0 + 4.0);
    assert!(e.memory_bytes > 0.95 * least && e.memory_bytes < 2.0 * least, "{} {least}", e.memory_bytes);
}

#[test]
fn the_last_wave_counts_as_a_whole() {
    let text = |blocks: i64| {
        format!(
            "kernel k(double s) writes(double b[0]) index(64)
               grid ({blocks}) block (1024)
             {{ let double x = s; for i in 0 .. 100000 step 1 {{ x = x * x + s; }} b[g0 * 1024 + t0] = x; }}"
        )
    };
    let sizes = Sizes::default();
    let seconds = |blocks| estimate(&kernel(&text(blocks)), &[], &device(), &sizes).part(Part::Arithmetic);
    assert_eq!(seconds(132), seconds(1));
    assert_eq!(seconds(133), 2.0 * seconds(132));
}

#[test]
fn a_branch_of_one_thread_is_not_lost() {
    let text = line("float", "b[i] = a[i];");
    let alone = "if (g0 == 77 && t0 == 5) { for k in 0 .. n step 1 { b[k] = b[k] + 1.0f; } }";
    let (plain, branch) = (kernel(&text), kernel(&text.replace("if (i < n)", &format!("{alone} if (i < n)"))));
    let sizes = Sizes::of([("n", 1 << 20)]);
    let (fast, slow) = (estimate(&plain, &[], &device(), &sizes), estimate(&branch, &[], &device(), &sizes));
    assert_eq!((slow.limit(), slow.assumed.len()), (Some(Part::Latency), 1));
    assert!(slow.seconds > 0.1 && fast.seconds < 1e-4, "{} {}", slow.seconds, fast.seconds);
}

#[test]
fn a_branch_of_the_longest_trips_is_not_lost() {
    // Rounds 0 to 16 of thread 0, 0 to 15 of most others.
    let k = kernel(
        "kernel k(index n) writes(float b[0]) index(64) grid (7) block (6, 20)
         { for k in t0 .. n step 3 { if (k - t0 >= 48) { b[k] = 1; } } }",
    );
    let sizes = Sizes::of([("n", 50)]);
    assert_eq!(trace::follow(&k, &[], &sizes, None).accesses.len(), 1);
}

#[test]
fn rounds_of_a_tile_are_within_it() {
    let k = kernel(
        "kernel k(index n) writes(float b[0]) index(64) grid (7) block (32)
         { for i in 0 .. n step 32 { for k in i .. min(i + 32, n) step 1 { if (k - i < 32) { b[k] = 1; } else { b[0] = 1; } } } }",
    );
    let sizes = Sizes::of([("n", 1000)]);
    let trace = trace::follow(&k, &[], &sizes, None);
    assert_eq!((trace.accesses.len(), trace.assumed.len()), (1, 0));
}

#[test]
fn what_cannot_be_launched_takes_for_ever() {
    let k = kernel("kernel k() writes(double b[0]) index(64) grid (1) block (64, 32) { b[t0 * 32 + t1] = 1.0; }");
    assert_eq!(estimate(&k, &[], &device(), &Sizes::default()).seconds, f64::INFINITY);
}

#[test]
fn functions_are_followed() {
    let (functions, kernels) = parse::module(
        "function double f(double x) { let double y = x; for i in 0 .. 100 step 1 { y = y * x + 1.0; } return y; }
         kernel k(index n) reads(double a[0]) writes(double b[0]) index(64)
           grid (ceildiv(n, 256)) block (256)
         { let index i = g0 * 256 + t0; if (i < n) { b[i] = f(a[i]); } }",
    )
    .unwrap();
    let sizes = Sizes::of([("n", 1 << 24)]);
    let e = estimate(&kernels[0], &functions, &device(), &sizes);
    assert_eq!(e.limit(), Some(Part::Arithmetic));
    let peak = 100.0 * (1 << 24) as f64 / (132.0 * 64.0 * device().clock);
    assert!(e.seconds > peak && e.seconds < 3.0 * peak, "{} {peak}", e.seconds);
}

#[test]
fn machines_have_the_rates_of_their_products() {
    for machine in target::MACHINES {
        let d = Device::of(&machine);
        assert!(d.copy_rate < d.l2_rate && d.sms > 0 && d.f64_rate <= d.f32_rate, "{}", d.name);
    }
    let hopper = target::machine(90).unwrap();
    assert_eq!(Device::named("NVIDIA H200", &hopper).copy_rate, 4.29e12);
    assert_eq!(Device::of(&target::Machine { sms: Some(114), ..hopper }).sms, 114);
}

/// The kernels of the expectations of all stages.
fn golden(folder: &std::path::Path, found: &mut Vec<String>) {
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            golden(&path, found);
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let kernels = format!("\n{text}");
        let ends = |k: &str| k.find("\n}\n").map(|end| format!("kernel {}", &k[..end + 3]));
        found.extend(kernels.split("\nkernel ").skip(1).filter_map(ends));
    }
}

#[test]
fn every_kernel_has_an_estimate_at_any_size() {
    let mut texts = vec![];
    golden(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden"), &mut texts);
    let kernels: Vec<Kernel> = texts.iter().filter_map(|text| text.parse().ok()).collect();
    assert!(kernels.len() > 50, "{}", kernels.len());
    for k in &kernels {
        for size in [i64::MIN, -3, 0, 1, 1000, 1 << 40, i64::MAX] {
            let sizes = Sizes::of(k.scalars.iter().map(|s| (s.name.as_str(), size)));
            let seconds = estimate(k, &[], &device(), &sizes).seconds;
            assert!(seconds > 0.0, "{seconds} for {size}:\n{k}");
            assert_eq!(seconds, estimate(k, &[], &device(), &sizes).seconds);
        }
    }
}

/// What an index expression is for one thread.
fn evaluated(e: &Expr, env: &BTreeMap<String, i64>) -> i64 {
    let of = |name: String| env[&name];
    match e {
        Expr::Int(n) => *n,
        Expr::Var(name) => of(name.clone()),
        Expr::BlockIdx(d) => of(format!("g{d}")),
        Expr::ThreadIdx(d) => of(format!("t{d}")),
        Expr::Min(a, b) => evaluated(a, env).min(evaluated(b, env)),
        Expr::Max(a, b) => evaluated(a, env).max(evaluated(b, env)),
        Expr::Mod(a, b) => evaluated(a, env).rem_euclid(evaluated(b, env)),
        Expr::FloorDiv(a, b) => evaluated(a, env).div_euclid(evaluated(b, env)),
        Expr::Binary(op, a, b) => {
            let (a, b) = (evaluated(a, env), evaluated(b, env));
            match op {
                BinOp::Add => a + b,
                BinOp::Sub => a - b,
                BinOp::Mul => a * b,
                BinOp::Rem => a % b,
                BinOp::Div => a / b,
                BinOp::BitXor => a ^ b,
                BinOp::Lt => i64::from(a < b),
                _ => unreachable!("not generated"),
            }
        }
        _ => unreachable!("not generated"),
    }
}

/// Integers over the positions of the thread, a counter and constants.
fn index() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        (0..40i64).prop_map(Expr::Int),
        Just(Expr::ThreadIdx(1)),
        Just(Expr::ThreadIdx(0)),
        Just(Expr::BlockIdx(0)),
        Just(Expr::Var("k".into())),
    ];
    let binary = |op, a: Expr, b: Expr| Expr::Binary(op, a.into(), b.into());
    leaf.prop_recursive(4, 16, 2, move |inner| {
        let constant = || (1..40i64).prop_map(Expr::Int);
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(move |(a, b)| binary(BinOp::Add, a, b)),
            (inner.clone(), inner.clone()).prop_map(move |(a, b)| binary(BinOp::Sub, a, b)),
            (inner.clone(), constant()).prop_map(move |(a, b)| binary(BinOp::Mul, a, b)),
            (inner.clone(), constant()).prop_map(move |(a, b)| binary(BinOp::Rem, a, b)),
            (inner.clone(), constant()).prop_map(move |(a, b)| binary(BinOp::Div, a, b)),
            (inner.clone(), constant()).prop_map(|(a, b)| Expr::Mod(a.into(), b.into())),
            (inner.clone(), constant()).prop_map(|(a, b)| Expr::FloorDiv(a.into(), b.into())),
            (inner.clone(), inner.clone()).prop_map(move |(a, b)| binary(BinOp::BitXor, a, b)),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| Expr::Min(a.into(), b.into())),
            (inner.clone(), inner).prop_map(|(a, b)| Expr::Max(a.into(), b.into())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// The sectors, and how often they are moved, of sampled warps are those of an enumeration of their threads.
    #[test]
    fn accesses_are_those_of_an_enumeration(at in index(), guard in index(), limit in 0..60i64, width in prop::sample::select(vec![4i64, 8])) {
        let ty = if width == 4 { "float" } else { "double" };
        let mut k = kernel(&format!(
            "kernel k(index n) writes({ty} a[0]) index(64) grid (7) block (6, 20)
             {{ for k in t0 .. n step 3 {{ if (1 < 2) {{ a[0] = 1; }} }} }}"
        ));
        let StmtKind::For { body, .. } = &mut k.body[0].kind else { unreachable!() };
        let StmtKind::If { cond, then, .. } = &mut body[0].kind else { unreachable!() };
        *cond = Expr::Binary(BinOp::Lt, guard.clone().into(), Expr::Int(limit).into());
        let StmtKind::Store { target, .. } = &mut then[0].kind else { unreachable!() };
        target.index = vec![at.clone()];
        let sizes = Sizes::of([("n", 50)]);
        let mut trace = trace::follow(&k, &[], &sizes, None);
        let positions: Vec<(&str, _)> = [("g0", trace.grid_symbols[0]), ("t0", trace.thread_symbols[0]), ("t1", trace.thread_symbols[1])]
            .into_iter()
            .chain([("round", trace.nodes[1].symbol.unwrap())])
            .map(|(name, s)| (name, trace.symbols.lanes(&Form::symbol(s))))
            .collect();
        let (mut sectors, mut count) = (0.0, 0.0);
        for s in 0..SAMPLES {
            let env = |lane: usize| {
                let mut env: BTreeMap<String, i64> =
                    positions.iter().map(|(name, lanes)| (name.to_string(), lanes[s][lane])).collect();
                env.insert("k".into(), env["t0"] + 3 * env["round"]);
                env
            };
            // Lanes beyond the 120 threads of a block have another position in it than their own.
            let first = env(0)["t0"] * 20 + env(0)["t1"];
            let exists = |lane: usize| first + (lane as i64) < 120;
            let lanes: Vec<_> = (0..LANES).filter(|lane| exists(*lane)).map(env).collect();
            let trips = lanes.iter().map(|env| (50 - env["t0"] + 2) / 3).max().unwrap();
            let active = lanes.iter().filter(|env| env["k"] < 50 && evaluated(&guard, env) < limit);
            let touched: Vec<i64> = active.map(|env| evaluated(&at, env) * width).collect();
            let distinct: BTreeSet<i64> = touched.iter().map(|a| a.div_euclid(access::SECTOR)).collect();
            sectors += distinct.len() as f64 * trips as f64 / SAMPLES as f64;
            count += if touched.is_empty() { 0.0 } else { trips as f64 / SAMPLES as f64 };
        }
        // Where none of them takes the branch, one thread of the launch is assumed to.
        prop_assert_eq!(trace.assumed.contains(&Assumption::Unreached) && count > 0.0, false);
        if count == 0.0 {
            return Ok(());
        }
        let mut found = (0.0, 0.0);
        for k in 0..trace.accesses.len() {
            let form = trace.accesses[k].address.clone();
            let lanes = trace.symbols.lanes(&form);
            let r = access::requests(&trace.accesses[k], &lanes, 64.0);
            found = (found.0 + r.sectors, found.1 + r.count);
        }
        prop_assert!((found.0 - sectors).abs() < 1e-9 && (found.1 - count).abs() < 1e-9, "{found:?} {sectors} {count}");
    }
}
