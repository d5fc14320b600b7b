//! Emitted CUDA of a C file, and the launches that stand in it.

use rtcuda::config::Config;
use rtcuda::pipeline::{self, ConvertOptions};
use std::path::Path;

/// The CUDA file of a C file, converted without a library.
pub fn text(path: &Path) -> String {
    let config = Config::parse("c.toml", "[defaults]\nlibrary = \"never\"\n").expect("it is valid");
    let options = ConvertOptions { config, ..ConvertOptions::default() };
    let converted = pipeline::convert(&[path.to_owned()], &options).unwrap_or_else(|stop| panic!("{stop:?}"));
    let is_cuda = |file: &&rtcuda::emit::File| file.path.extension().is_some_and(|extension| extension == "cu");
    let cuda = converted.files.iter().find(is_cuda).expect("kernels");
    String::from_utf8(cuda.contents.clone()).expect("text")
}

/// The grid and the block of a kernel's launch, which stand in the emitted text where sizes are known.
pub fn launch(text: &str, kernel: &str) -> (String, String) {
    let call = text.split(&format!("rt.launch(\"{kernel}\"")).nth(1).expect("it is launched");
    let mut dims = call.split("rt_dims(").skip(1).map(|rest| {
        let numbers: Vec<&str> = rest.split(')').next().expect("numbers").split(", ").collect();
        numbers.into_iter().rev().collect::<Vec<_>>().join(",")
    });
    (dims.next().expect("a grid"), dims.next().expect("a block"))
}
