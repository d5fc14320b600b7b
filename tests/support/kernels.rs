//! Kernels as PTX for tests: read from files, or made by nvcc where it is there, and launched.

#[path = "has_nvcc.rs"]
mod has_nvcc;

pub use has_nvcc::has_nvcc;
use rtcuda::config::Config;
use rtcuda::pipeline::ConvertOptions;
use rtcuda::ptx::run::{Launch, launch};
use rtcuda::ptx::source::{self, Settings, Unit};
use std::path::Path;

/// The kernels of a file: PTX, CUDA, or C that is converted without a library.
pub fn load(path: &Path) -> Vec<Unit> {
    let config = Config::parse("c.toml", "[defaults]\nlibrary = \"never\"\n").expect("it is valid");
    let convert = ConvertOptions { config, ..ConvertOptions::default() };
    let settings = Settings { arch: "sm_90".into(), convert, files: Vec::new() };
    source::load(path, &settings).unwrap_or_else(|stop| panic!("{}: {stop:?}", path.display()))
}

/// A launch in words: grid, block, bytes of dynamic shared memory, arguments.
pub type Words<'a> = (&'a str, &'a str, u64, &'a [&'a str]);

/// A launch of so many instructions of warps at most.
pub fn launch_of((grid, block, shared, arguments): Words, limit: u64) -> Launch {
    let words: Vec<String> = arguments.iter().map(|word| word.to_string()).collect();
    let arguments = launch::arguments(&words).unwrap_or_else(|d| panic!("{}", d.message));
    let extents = |text| launch::extents(text).expect("three numbers");
    Launch { grid: extents(grid), block: extents(block), shared, arguments, limit }
}
