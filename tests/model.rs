//! The cost model beside measured times: kernels of `rtcuda bench kernels`, estimated at the sizes at which they were measured.

use rtcuda::config::Config;
use rtcuda::cost::{self, Device, Sizes};
use rtcuda::kernel::{Kernel, parse};
use rtcuda::pipeline::{self, ConvertOptions};
use rtcuda::target;
use std::collections::BTreeMap;
use std::path::Path;

/// A file of `templates/bench/kernels`, kernels of it, sizes, and the microseconds that these kernels take together.
type Row = (&'static str, &'static [&'static str], &'static [(&'static str, i64)], f64);

/// Measured by `rtcuda bench kernels` on one H200: the kernels that such a call picks.
const ROWS: [Row; 36] = [
    ("elementwise", &["madd_0_k0"], &[("n", 16384), ("m", 16384)], 755.9),
    ("elementwise", &["complex_product_0_k0"], &[("n", 33554432)], 192.4),
    ("elementwise", &["outer_product_0_k0"], &[("n", 16384), ("m", 16384)], 238.3),
    ("transpose", &["transpose_0_k0"], &[("n", 16384), ("m", 16384)], 571.0),
    ("transpose", &["transpose_0_k0"], &[("n", 16381), ("m", 16381)], 650.2),
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

fn kernels(file: &str) -> Vec<Kernel> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates/bench/kernels").join(file).with_extension("c");
    let config = Config::parse("model.toml", "[defaults]\nlibrary = \"never\"\n").unwrap();
    let options = ConvertOptions { config, dump_after: Some("kernel".into()), ..ConvertOptions::default() };
    let Ok(converted) = pipeline::convert(&[path], &options) else { panic!("{file} does not convert") };
    parse::module(&converted.dumps).unwrap().1
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
        let seconds = |name: &&str| {
            let kernel = all.iter().find(|k| k.name == format!("rt_{name}")).unwrap_or_else(|| panic!("no {name}"));
            cost::estimate(&cost::picked(kernel, &device, &sizes), &[], &device, &sizes).seconds
        };
        let estimate = 1e6 * names.iter().map(seconds).sum::<f64>();
        let ratio = estimate / measured;
        off.push((ratio.max(1.0 / ratio), format!("{names:?} {scalars:?}: {estimate:.1} us, measured {measured} us")));
    }
    off.sort_by(|a, b| a.0.total_cmp(&b.0));
    let told: Vec<String> = off.iter().rev().take(5).map(|(ratio, row)| format!("{ratio:.2} {row}")).collect();
    assert!(off[off.len() / 2].0 < MEDIAN && off[off.len() - 1].0 < WORST, "{}", told.join("\n"));
    println!("median {:.2}; {}", off[off.len() / 2].0, told.join("\n"));
}
