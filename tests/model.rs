//! The cost model beside measured times: kernels of `rtcuda bench kernels`, estimated at the sizes at which they were measured.

use rtcuda::config::Config;
use rtcuda::cost::{self, Device, Sizes};
use rtcuda::kernel::{Kernel, parse};
use rtcuda::pipeline::{self, ConvertOptions, Converted};
use rtcuda::report::Report;
use rtcuda::target;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A file of `templates/bench/kernels`, kernels of it, sizes, and the microseconds that these kernels take together.
type Row = (&'static str, &'static [&'static str], &'static [(&'static str, i64)], f64);

/// Measured by `rtcuda bench kernels` on one H200: the kernels that such a call picks.
const ROWS: [Row; 36] = [
    ("elementwise", &["madd_0_k0"], &[("n", 16384), ("m", 16384)], 755.9),
    ("elementwise", &["complex_product_0_k0"], &[("n", 33554432)], 192.4),
    ("elementwise", &["outer_product_0_k0"], &[("n", 16384), ("m", 16384)], 238.3),
    ("transpose", &["transpose_0_k0"], &[("n", 16384), ("m", 16384)], 527.8),
    ("transpose", &["transpose_0_k0"], &[("n", 16381), ("m", 16381)], 608.5),
    ("mv", &["mv_f32_0_k0"], &[("n", 16384), ("m", 16384)], 254.4),
    ("mv", &["mv_f64_0_k0"], &[("n", 16384), ("m", 16384)], 518.9),
    ("mv", &["tmv_f32_0_k0"], &[("n", 16384), ("m", 16384)], 257.9),
    ("mm", &["mm_f32_0_k0"], &[("n", 1024)], 69.5),
    ("mm", &["mm_f32_0_k0"], &[("n", 4096)], 2988.0),
    ("mm", &["mm_f64_0_k0"], &[("n", 4096)], 2552.2),
    ("sum", &["sum_0_k0"], &[("n", 268435456), ("n_parts", 1024)], 254.3),
    ("convolution", &["convolution_0_k0_long"], &[("n", 4096), ("m", 4096), ("taps", 32)], 809.4),
    ("convolution", &["convolution_7x7_0_k0"], &[("n", 8192), ("m", 8192)], 198.9),
    ("stencil2d", &["five_point_f32_0_k0"], &[("n", 8192), ("m", 8192)], 134.8),
    ("stencil2d", &["five_point_f64_0_k0"], &[("n", 8192), ("m", 8192)], 260.5),
    ("stencil2d", &["nine_point_f32_0_k0"], &[("n", 8192), ("m", 8192)], 141.6),
    ("stencil2d", &["nine_point_f64_0_k0"], &[("n", 8192), ("m", 8192)], 278.6),
    ("stencil3d", &["seven_point_f32_0_k0"], &[("n", 512)], 297.5),
    ("stencil3d", &["seven_point_f64_0_k0"], &[("n", 512)], 572.4),
    ("stencil3d", &["twenty_seven_point_f32_0_k0"], &[("n", 512)], 357.6),
    ("stencil3d", &["twenty_seven_point_f64_0_k0"], &[("n", 512)], 718.1),
    ("physics", &["lattice_boltzmann_0_k0"], &[("n", 4096), ("m", 4096)], 317.1),
    ("images", &["regional_maximum_0_k0"], &[("n", 8192), ("m", 8192)], 145.9),
    ("images", &["demosaic_0_k0"], &[("n", 8192), ("m", 8192)], 273.8),
    ("images", &["life_0_k0"], &[("n", 8192), ("m", 8192)], 71.3),
    ("physics", &["fdtd3d_0_k0", "fdtd3d_0_k1"], &[("n", 256)], 296.9),
    ("physics", &["fdtd3d_0_k0", "fdtd3d_0_k1"], &[("n", 512)], 2301.8),
    ("physics", &["wave3d_0_k0"], &[("n", 512)], 402.4),
    ("histogram", &["histogram_bytes_0_k1"], &[("n", 268435456)], 98.2),
    ("histogram", &["histogram_keys_0_k1"], &[("n", 67108864), ("bins", 64)], 74.1),
    ("histogram", &["histogram_keys_0_k1"], &[("n", 67108864), ("bins", 4096)], 79.5),
    ("histogram", &["histogram_keys_0_k1_many"], &[("n", 67108864), ("bins", 65536)], 657.8),
    ("histogram", &["histogram_weights_0_k1"], &[("n", 67108864), ("bins", 64)], 136.7),
    ("histogram", &["histogram_weights_0_k1"], &[("n", 67108864), ("bins", 4096)], 183.9),
    ("histogram", &["histogram_weights_0_k1_many"], &[("n", 67108864), ("bins", 65536)], 696.9),
];

/// Factors that the median and the worst estimate may be off.
const MEDIAN: f64 = 1.5;
const WORST: f64 = 2.5;

/// Factor by which the model may take another strategy to be faster than the usual one.
const BETTER: f64 = 1.1;

fn converted(file: &str, kernels: &str) -> Converted {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates/bench/kernels").join(file).with_extension("c");
    let config = Config::parse("model.toml", &format!("[defaults]\nlibrary = \"never\"\n{kernels}")).unwrap();
    let options = ConvertOptions { config, dump_after: Some("kernel".into()), ..ConvertOptions::default() };
    pipeline::convert(&[path], &options).unwrap_or_else(|stop| panic!("{file} does not convert: {stop:?}"))
}

fn kernels(file: &str) -> Vec<Kernel> {
    parse::module(&converted(file, "").dumps).unwrap().1
}

/// The model's time of the kernel of that name, without `rt_`.
fn seconds(all: &[Kernel], name: &str, device: &Device, sizes: &Sizes) -> f64 {
    let kernel = all.iter().find(|k| k.name == format!("rt_{name}")).unwrap_or_else(|| panic!("no {name}"));
    cost::estimate(&cost::picked(kernel, device, sizes), &[], device, sizes).seconds
}

#[test]
fn estimates_are_near_what_was_measured() {
    let device = Device::named("NVIDIA H200", &target::machine(90).unwrap());
    let mut files: BTreeMap<&str, Vec<Kernel>> = BTreeMap::new();
    let mut off: Vec<(f64, String)> = vec![];
    for (file, names, scalars, measured) in ROWS {
        let mut sizes = Sizes::of(scalars.iter().copied());
        let bins = sizes.scalars.get("bins").copied();
        sizes.elements.extend(bins.into_iter().flat_map(|n| [("count".to_owned(), n), ("sum".to_owned(), n)]));
        let all = files.entry(file).or_insert_with(|| kernels(file));
        let estimate = 1e6 * names.iter().map(|name| seconds(all, name, &device, &sizes)).sum::<f64>();
        let ratio = estimate / measured;
        off.push((ratio.max(1.0 / ratio), format!("{names:?} {scalars:?}: {estimate:.1} us, measured {measured} us")));
    }
    off.sort_by(|a, b| a.0.total_cmp(&b.0));
    let told: Vec<String> = off.iter().rev().take(5).map(|(ratio, row)| format!("{ratio:.2} {row}")).collect();
    assert!(off[off.len() / 2].0 < MEDIAN && off[off.len() - 1].0 < WORST, "{}", told.join("\n"));
    println!("median {:.2}; {}", off[off.len() / 2].0, told.join("\n"));
}

/// The strategies of a file's kernels after the usual one: the name of each kernel that has an nth, without `rt_`, with that one,
/// and all kernels of the file where each of these has it.
fn others(file: &str) -> Vec<(BTreeMap<String, String>, Vec<Kernel>)> {
    let report: Report = serde_json::from_value(converted(file, "").report).unwrap();
    let all: Vec<_> = report.regions.into_iter().flat_map(|r| r.kernels).map(|k| (k.name, k.strategies)).collect();
    let most = all.iter().map(|(_, strategies)| strategies.len()).max().unwrap_or(0);
    let nth = |nth: usize| {
        let named =
            all.iter().filter_map(|(name, s)| Some((name.strip_prefix("rt_")?.to_owned(), s.get(nth)?.clone())));
        let named: BTreeMap<String, String> = named.collect();
        let asked: String =
            named.iter().map(|(name, s)| format!("[kernels.rt_{name}]\nstrategy = \"{s}\"\n")).collect();
        (named, parse::module(&converted(file, &asked).dumps).unwrap().1)
    };
    (1..most).map(nth).collect()
}

/// The first strategy that serves a nest is taken, and no estimate decides among them: so that is no worse than what the
/// estimates would choose.
#[test]
fn the_usual_strategy_is_the_one_that_the_model_would_choose() {
    let device = Device::named("NVIDIA H200", &target::machine(90).unwrap());
    let files: BTreeSet<&str> = ROWS.iter().map(|(file, ..)| *file).collect();
    let files: BTreeMap<_, _> = files.into_iter().map(|file| (file, (kernels(file), others(file)))).collect();
    let (mut n_others, mut better) = (0, vec![]);
    for (file, names, scalars, _) in ROWS {
        let (usual, others) = &files[file];
        let sizes = Sizes::of(scalars.iter().copied());
        for (name, (strategies, other)) in names.iter().flat_map(|name| others.iter().map(move |other| (*name, other)))
        {
            let Some(strategy) = strategies.get(name) else { continue };
            let [before, after] = [usual, other].map(|all| seconds(all, name, &device, &sizes));
            n_others += 1;
            if before > BETTER * after {
                better.push(format!("{name} of {scalars:?}: {strategy} takes {after:e} s, not {before:e}"));
            }
        }
    }
    assert!(n_others > 10, "{n_others} others");
    assert!(better.is_empty(), "{}", better.join("\n"));
}
