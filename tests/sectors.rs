//! The model's sectors of global memory, held against those that simulated warps touch: of each array of each kernel how
//! many requests there are, and how many sectors they move.

use rtcuda::config::Config;
use rtcuda::pipeline::{self, ConvertOptions};
use rtcuda::report::Report;
use rtcuda::report::cost::Unit;
use rtcuda::runtime::build::{self, Target};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// Requests and sectors, by kernel, array, and `load` or `store`.
type Counts = BTreeMap<(String, String, String), (f64, f64)>;

/// By how much the model may be off, relatively: it looks at some warps, and takes them for all.
const SAMPLED: f64 = 0.08;

#[test]
fn the_model_tells_what_simulated_warps_touch() {
    let c = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sectors/accesses.c");
    let config = Config::parse("accesses.toml", "[defaults]\nlibrary = \"never\"\n").expect("it is valid");
    let options = ConvertOptions { config, ..ConvertOptions::default() };
    let mut converted = pipeline::convert(&[c], &options).unwrap_or_else(|stop| panic!("{stop:?}"));
    let kernels = converted.files.iter_mut().filter(|f| f.path.extension().is_some_and(|e| e == "cu"));
    kernels.for_each(|f| drop(f.contents.splice(0..0, *b"#define RT_SIM_SECTORS\n")));
    let told = told(&serde_json::from_value(converted.report.clone()).expect("a report"));
    let counted = counted(&converted);
    assert_eq!(told.keys().collect::<Vec<_>>(), counted.keys().collect::<Vec<_>>());
    let near = |x: f64, y: f64| (x - y).abs() <= SAMPLED * y;
    let off = told.iter().filter(|(key, told)| !near(told.0, counted[key].0) || !near(told.1, counted[key].1));
    let off: Vec<_> = off.map(|(key, told)| format!("{key:?}: told {told:?}, counted {:?}", counted[key])).collect();
    assert!(off.is_empty(), "\n{}", off.join("\n"));
}

fn told(report: &Report) -> Counts {
    let mut counts = Counts::new();
    for kernel in report.regions.iter().flat_map(|region| &region.kernels) {
        for x in kernel.cost.accesses.iter().filter(|x| x.unit == Unit::Sectors) {
            let array = x.access.split(['[', '.']).next().expect("a name");
            let sums = counts.entry((kernel.name.clone(), array.into(), x.does.clone())).or_default();
            *sums = (sums.0 + x.requests, sums.1 + x.requests * x.sectors);
        }
    }
    counts
}

fn counted(converted: &pipeline::Converted) -> Counts {
    let folder = tempfile::tempdir().expect("a temporary folder");
    rtcuda::emit::write(&converted.files, folder.path()).expect("it is written");
    let program = build::Program { folder: folder.path(), files: &converted.files, cflags: &[] };
    let simulated = build::executable(&program, &Target::Simulation).unwrap_or_else(|stop| panic!("{stop:?}"));
    let printed = Command::new(simulated).output().expect("it runs");
    let text = String::from_utf8(printed.stdout).expect("text");
    let of_line = |line: &str| {
        let [kernel, array, does, requests, sectors] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let number = |text: &str| text.parse().expect("a number");
        ((kernel.into(), array.into(), does.into()), (number(requests), number(sectors)))
    };
    text.lines().filter_map(|line| line.strip_prefix("sectors ")).map(of_line).collect()
}
