//! The program that a command is about.

use super::args::Input;
use super::outcome::Fault;
use super::tell::say;
use rtcuda::pipeline::ConvertOptions;
use rtcuda::runtime::programs::Program;

/// The program that the arguments name, with the flags of the command line after its own.
pub fn program(input: &Input) -> Result<(Program, ConvertOptions), Fault> {
    let program = Program::new(&input.files, input.config.as_deref())?;
    if let (None, Some(found)) = (&input.config, &program.config_file) {
        say(&format!("configuration: {}\n", found.display()));
    }
    let options = ConvertOptions {
        cflags: [program.config.input.cflags.clone(), input.cflags.clone()].concat(),
        config: program.config.clone(),
        ..ConvertOptions::default()
    };
    Ok((program, options))
}
