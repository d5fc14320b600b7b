//! A program as the C compiler makes it, and simulated: what both print is to be the same.

use rtcuda::emit;
use rtcuda::pipeline::Converted;
use rtcuda::runtime::build::{self, Target};
use rtcuda::runtime::programs::Program;
use rtcuda::runtime::toolchain;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Builds the original in a folder.
pub fn original(program: &Program, folder: &Path) -> PathBuf {
    let original = folder.join("original");
    let compiler = toolchain::c_compiler().expect("there is a C compiler");
    let mut cc = Command::new(&compiler[0]);
    cc.args(&compiler[1..]).arg("-O2").args(&program.files).arg("-lm").arg("-o").arg(&original);
    assert!(cc.status().expect("it runs").success());
    original
}

/// Builds what was converted in a folder, for the CPU.
pub fn simulated(converted: &Converted, folder: &Path) -> PathBuf {
    let out = folder.join("out");
    emit::write(&converted.files, &out).expect("the folder is writable");
    let emitted = build::Program { folder: &out, files: &converted.files, cflags: &[], headers: None };
    build::executable(&emitted, &Target::Simulation).expect("it builds")
}

/// Output of a command that succeeds.
pub fn printed(command: &mut Command) -> String {
    let output = command.output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}
