//! The commands, one function each: from arguments to the text that is printed and the exit status.

mod api;
pub mod args;
mod bench;
mod bench_kernels;
mod bench_loops;
mod bench_solvers;
mod built;
mod cc;
mod compare;
mod convert;
mod device;
mod energy;
mod given;
mod matrix;
mod optimize;
mod outcome;
pub mod profile;
mod program;
pub mod ptx;
mod ptx_build;
mod ptx_from;
mod ptx_trace;
pub mod report;
mod run;
mod shell;
pub mod solve;
mod tell;
mod tune;
mod verify;

use args::Command;
pub use outcome::{Done, Fault};
pub use tell::say;

/// Runs a command.
pub fn run(command: Command) -> Result<Done, Fault> {
    match command {
        Command::Convert(arguments) => convert::convert(&arguments),
        Command::Explain(arguments) => convert::explain(&arguments),
        Command::Verify(arguments) => verify::verify(&arguments),
        Command::Run(arguments) => run::run(&arguments),
        Command::Cc { words } => cc::cc(&words),
        Command::Api(arguments) => api::api(&arguments),
        Command::Solve(arguments) if arguments.method.is_none() => compare::compare(&arguments),
        Command::Solve(arguments) => solve::solve(&arguments),
        Command::Matrix(command) => matrix::matrix(&command),
        Command::Bench(arguments) => bench::bench(&arguments),
        Command::Optimize(arguments) => optimize::optimize(&arguments),
        Command::Profile(arguments) => profile::profile(&arguments),
        Command::Report(arguments) => report::report(&arguments),
        Command::Tune(arguments) => tune::tune(&arguments),
        Command::Ptx(command) => ptx::ptx(&command),
        Command::Device { figures: true, json } => device::figures(json),
        Command::Device { figures: false, json } => device::device(json),
        Command::Completions { shell } => shell::completions(shell),
        Command::Man { output } => shell::man(&output),
    }
}
