//! The arguments, and the help that a person learns from.

use super::given::{GivenArguments, seconds};
use super::matrix::Matrix;
use super::profile::Profile;
use super::program::{Input, On};
use super::ptx::Ptx;
use super::report::Report;
use super::solve::Solve;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, Parser, Subcommand};
use rtcuda::config::{Backend, Choice, Objective, Strategy, parse_duration};
use rtcuda::pipeline;
use rtcuda::solve::method::METHODS;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Converts loops of C programs into CUDA, and shows that the result is the same.
///
/// Regions of loops over arrays are found, proved parallel and moved to the GPU; the rest of the program stays the C
/// that it is. Without a GPU the same kernels run simulated on the CPU.
#[derive(Parser)]
#[command(
    version,
    max_term_width = 100,
    after_help = "\
Start here:
  rtcuda verify solvers/jacobi.c       convert, run both versions, compare
  rtcuda explain solvers/jacobi.c      which loops are parallel, and why or why not
  rtcuda convert solvers/jacobi.c      write the CUDA program to out/jacobi

Exit status: 0 done; 1 the answer is no (results differ, a program failed); 2 the input or the command is at fault;
3 a fault of rtcuda."
)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    Convert(Convert),
    Verify(Verify),
    Run(Run),
    Explain(Explain),
    Profile(Profile),
    Report(Report),
    Tune(Tune),
    /// Stand in for the C compiler in a build: make CC="rtcuda cc"
    ///
    /// Takes what the C compiler takes, and makes what it makes: objects, programs, dependency files, with its messages
    /// and its exit status. C files with regions get them converted, in the same object; all else is as the compiler
    /// leaves it. Links with such objects get the libraries that they need.
    #[command(after_help = "\
Examples:
  make CC=\"rtcuda cc\"                              a project with a Makefile
  CC=\"rtcuda cc\" cmake -B build && make -C build   one with CMake
  RTCUDA_VERIFY=1 RTCUDA_BACKEND=cpu make CC=\"rtcuda cc\"
                                  both versions of each region run, and are compared

Environment:
  RTCUDA_BACKEND=auto|cuda|cpu  what to build for: a GPU, the simulation, or as this machine can
  RTCUDA_VERIFY=1               build in check mode, as `rtcuda verify` does
  RTCUDA_CONFIG=C.toml          the configuration; give its whole path
  RTCUDA_CC=COMPILER            the C compiler; by default cc
  RTCUDA_KEEP=DIR               keep the CUDA files there
  RTCUDA_VERBOSE=1              say of each file what was converted, and what was declined and why

Exit status: the compiler's own; 2 where a compiler or the configuration is at fault.")]
    Cc {
        /// The words of the compiler's command line
        #[arg(value_name = "ARGS", trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<OsString>,
    },
    Api(Api),
    Solve(Solve),
    /// Look at, generate and convert sparse matrices in Matrix Market files
    #[command(subcommand)]
    Matrix(Matrix),
    Optimize(Optimize),
    Bench(Bench),
    #[command(subcommand)]
    Ptx(Ptx),
    /// Show what programs would run on here, and what is missing
    #[command(after_help = "Exit status: 0 everything to convert and verify is there; 1 something is missing.")]
    Device {
        /// Print what the model takes of the GPU, or of an H100 where there is none: each figure, and how it is known
        #[arg(long)]
        figures: bool,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Print completions for a shell
    #[command(after_help = "\
Examples:
  rtcuda completions bash > ~/.local/share/bash-completion/completions/rtcuda
  rtcuda completions zsh > ~/.zfunc/_rtcuda
  rtcuda completions fish > ~/.config/fish/completions/rtcuda.fish")]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write man pages, one for each command
    #[command(after_help = "\
Examples:
  rtcuda man -o ~/.local/share/man/man1 && man rtcuda-convert")]
    Man {
        /// The folder
        #[arg(short, long, value_name = "DIR", default_value = "out/man1")]
        output: PathBuf,
    },
}

impl Command {
    /// Test that the answer is to be JSON.
    pub fn is_json(&self) -> bool {
        match self {
            Command::Convert(arguments) => arguments.json,
            Command::Verify(arguments) => arguments.json,
            Command::Explain(arguments) => arguments.json,
            Command::Profile(arguments) => arguments.json,
            Command::Tune(arguments) => arguments.json,
            Command::Optimize(arguments) => arguments.json,
            Command::Device { json, .. } => *json,
            Command::Bench(Bench { what: Some(BenchWhat::Kernels(arguments)), .. }) => arguments.json,
            Command::Bench(Bench { what: Some(BenchWhat::Loops(arguments)), .. }) => arguments.json,
            Command::Bench(Bench { what: Some(BenchWhat::Solvers(arguments)), .. }) => arguments.json,
            Command::Bench(arguments) => arguments.json,
            Command::Solve(arguments) => arguments.json,
            Command::Matrix(Matrix::Info(arguments)) => arguments.json,
            Command::Matrix(_) => false,
            Command::Ptx(command) => command.is_json(),
            Command::Run(_)
            | Command::Report(_)
            | Command::Api(_)
            | Command::Cc { .. }
            | Command::Completions { .. }
            | Command::Man { .. } => false,
        }
    }
}

/// Optimise naive CUDA kernels
///
/// A naive kernel computes in each thread elements of its own: it has no shared memory and no barrier. Such kernels become
/// the loops that they are, and these tiled, coalesced, merged and prefetched kernels. The output folder holds them, with a
/// function NAME_optimized(grid, block, ...) for each kernel NAME: it takes what the kernel takes, with pointers of the
/// device, and launches the kernel itself where the optimised one cannot stand for it.
#[derive(Args)]
#[command(after_help = "\
Examples:
  rtcuda optimize mm.cu                                 to out/mm
  rtcuda optimize mm.cu --check                         both versions on random data, compared
  rtcuda optimize mm.cu --check --size n=200 --json
  rtcuda optimize mm.cu --dissect --size n=4096         what each step gives

In front of a kernel: #pragma rt size(n, m) says how many threads it has along x and y, where no guard in it does;
#pragma rt output(c) names its results.

Exit status: 0 optimised, and the same where checked; 1 no kernel was, or results differ; 2 the input is at fault; 3 a fault
of rtcuda.")]
pub struct Optimize {
    /// The CUDA file
    #[arg(value_name = "KERNEL.cu")]
    pub file: PathBuf,
    /// The output folder, new or of an earlier run; by default out/<name of the file>
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Settings of the conversion; the regions' functions are the kernels, `library` stays "never"
    #[arg(long, value_name = "C.toml")]
    pub config: Option<PathBuf>,
    /// Run both versions of each kernel on random data, and compare what they compute: on a GPU your kernel beside the
    /// optimised one, with times; without one the loops that it is, in C, beside the simulation
    #[arg(long, group = "runs")]
    pub check: bool,
    /// Switch the steps of the method on one after the other, and show what each gives: on a GPU times, measured as --check
    /// measures them; without one what the cost model predicts
    #[arg(long, group = "runs")]
    pub dissect: bool,
    /// With --check and --dissect: the value of a kernel's parameter; by default numbers from 29 to 64
    #[arg(long = "size", value_name = "NAME=N", requires = "runs", value_parser = size)]
    pub sizes: Vec<(String, i64)>,
    /// With --check and --dissect: on a GPU (cuda), simulated (cpu), or as this machine can (auto)
    #[arg(long, requires = "runs", value_parser = PossibleValuesParser::new(Backend::ALL.iter().map(|&(name, _)| name)))]
    pub backend: Option<String>,
    /// With --check and --dissect: the time that one run may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "300", value_parser = seconds)]
    pub limit: Duration,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Flags for the C preprocessor
    #[arg(last = true, value_name = "CFLAGS")]
    pub cflags: Vec<String>,
}

/// Measure shipped programs beside hand-written calls of NVIDIA's libraries
///
/// Each C program is converted, built and run, and so is a program that does the same by calls of cuBLAS and cuSPARSE:
/// both on this machine's GPU, timed by its own clock, the quickest of some runs.
#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  rtcuda bench --only CG
  rtcuda bench kernels                  single kernels beside rates of the device and library calls
  rtcuda bench loops                    these kernels in loops over time, beside themselves alone
  rtcuda bench solvers                  every solver on one system
  rtcuda bench --model --arch sm_80     estimates alone

Needs a GPU, nvcc, cuBLAS and cuSPARSE; --model needs none. Exit status: 0 measured; 2 something is missing."
)]
pub struct Bench {
    #[command(subcommand)]
    pub what: Option<BenchWhat>,
    /// Only the cases with this in their name, as in `--only CG`
    #[arg(long, value_name = "PART")]
    pub only: Option<String>,
    /// Instead: what the cost model says of kernels of many kinds, beside what they take where there is a GPU
    #[arg(long)]
    pub model: bool,
    /// The machine of the model; by default this machine's GPU, or sm_90
    #[arg(long, value_name = "sm_XY", requires = "model")]
    pub arch: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// What else there is to measure.
#[derive(Subcommand)]
pub enum BenchWhat {
    Kernels(Kernels),
    Loops(Loops),
    Solvers(Solvers),
}

/// Measure every shipped solver on one system, CG beside hand-written calls of NVIDIA's libraries
///
/// The system is Poisson's equation on a cube. Each method runs without a preconditioner and with each that it takes; an
/// iteration is held against the rate at which this device copies what the iteration moves at least. Solvers are built once,
/// whatever the number of matrices; of these the table also says which preconditioner `solve --precond auto` takes. Ctrl-C ends it
/// with what is measured.
#[derive(Args)]
#[command(after_help = "\
Examples:
  rtcuda bench solvers
  rtcuda bench solvers --size 64 --max-iter 1000 --only cg,bicgstab
  rtcuda bench solvers --matrix a.mtx b.mtx         true residual and time of each method on each matrix
  rtcuda bench solvers --size 16 --backend cpu      the same C on the CPU, without what NVIDIA's libraries do

Needs a GPU, nvcc, cuBLAS and cuSPARSE; --backend cpu needs none.

Exit status: 0 measured; 2 something is missing.")]
pub struct Solvers {
    /// Matrices in the place of that system, with a right-hand side of ones
    #[arg(long, value_name = "A.mtx", num_args = 1.., conflicts_with = "size")]
    pub matrix: Vec<PathBuf>,
    /// Points along each side of the cube
    #[arg(long, value_name = "N", default_value = "128", value_parser = clap::value_parser!(u64).range(2..=1000))]
    pub size: u64,
    /// Only these methods
    #[arg(long, value_name = "METHOD,..", value_delimiter = ',', value_parser = PossibleValuesParser::new(METHODS.iter().map(|method| method.name)))]
    pub only: Vec<String>,
    /// Each solver ends after so many iterations
    #[arg(long, value_name = "N", default_value = "400", value_parser = clap::value_parser!(i32).range(1..=10_000_000))]
    pub max_iter: i32,
    /// Measure the joules that the GPU takes for each solution, which repeats it until its meter resolves it
    #[arg(long)]
    pub energy: bool,
    /// Where it runs: on a GPU (cuda), as plain C on the CPU (cpu), or as this machine can (auto)
    #[arg(long, default_value = "auto", value_parser = PossibleValuesParser::new(Backend::ALL.iter().map(|&(name, _)| name)))]
    pub backend: String,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Measure kernels converted from plain C beside what this device can do
///
/// Each is a few plain loops, converted without calls of a library. It is held against the rate at which this device
/// copies (or multiplies and adds), measured in the same run, or against cuBLAS and CUB where they do the same. A kernel
/// that misses its target is a line of the table; the command fails only where nothing can be measured.
#[derive(Args)]
#[command(after_help = "\
Examples:
  rtcuda bench kernels --only mm,transpose
  rtcuda bench kernels --check --backend cpu    small sizes, simulated and compared with the C loops
  rtcuda bench kernels --dissect --only mm      naive at first, then one optimisation more in each line

Needs a GPU and nvcc; lines without cuBLAS have no baseline where they are held against it. --check needs neither.

Exit status: 0 measured, or all agree; 1 a check found differences; 2 something is missing.")]
pub struct Kernels {
    /// Only the kernels with one of these in their name
    #[arg(long, value_name = "PART,..", value_delimiter = ',')]
    pub only: Vec<String>,
    /// The first size of each kernel alone
    #[arg(long)]
    pub quick: bool,
    /// Instead: run each kernel at a small size, and compare it with the C loops
    #[arg(long)]
    pub check: bool,
    /// Where checks run: on a GPU (cuda), simulated (cpu), or as this machine can (auto)
    #[arg(long, requires = "check", value_parser = PossibleValuesParser::new(Backend::ALL.iter().map(|&(name, _)| name)))]
    pub backend: Option<String>,
    /// Under fewer optimisations, too: none, then one more in each line
    #[arg(long, conflicts_with = "check")]
    pub dissect: bool,
    /// Settings of the conversion; `library` stays "never"
    #[arg(long, value_name = "C.toml")]
    pub config: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Measure kernels in loops over time beside the same kernels alone
///
/// Each nest is spelled in five ways: two calls that exchange arrays, pointers that are exchanged, a plane for each turn, what is new
/// copied back, and a function of another file over rows behind pointers. A step is all of the loop by the program's own clock,
/// at a size that fills memory, one that the L2 cache holds, and a small one. A step that copies back moves twice the bytes.
#[derive(Args)]
#[command(after_help = "\
Examples:
  rtcuda bench loops
  rtcuda bench loops --only five_point,life

Needs a GPU and nvcc.

Exit status: 0 measured; 2 something is missing.")]
pub struct Loops {
    /// Only the kernels with one of these in their name
    #[arg(long, value_name = "PART,..", value_delimiter = ',')]
    pub only: Vec<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

impl Kernels {
    /// The backend that was named.
    pub fn backend(&self) -> Backend {
        backend(self.backend.as_deref()).unwrap_or(Backend::Auto)
    }
}

/// The backend of that name.
pub fn backend(name: Option<&str>) -> Option<Backend> {
    name.and_then(Backend::named)
}

/// Write the CUDA program of a C program
///
/// The output folder holds the C files, each converted region replaced by a call; the .cu files with the kernels and
/// the host code; the runtime headers; a Makefile and a CMakeLists.txt; and rtcuda.json with every decision taken.
#[derive(Args)]
#[command(after_help = "\
Examples:
  rtcuda convert mm.c                          to out/mm
  rtcuda convert main.c solver.c -o cuda -- -O3 -Iinclude -DN=4096
  rtcuda convert --config configs/jacobi.toml  the files that the configuration lists
  make -C out/mm                               then: build it with nvcc; `make sim` without

Exit status: 0 written, 2 the input is at fault, 3 a fault of rtcuda; nothing is written unless 0.")]
pub struct Convert {
    #[command(flatten)]
    pub input: Input,
    /// The output folder, new or of an earlier conversion; by default out/<name of the first file>
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Keep both versions of each region, and the code that compares them at every call
    #[arg(long)]
    pub check: bool,
    /// Print JSON: the files, every decision, the diagnostics
    #[arg(long)]
    pub json: bool,
    /// Print why each loop that runs on the host does, and the time of each pass
    #[arg(short, long)]
    pub verbose: bool,
    /// Print what the pass of this name made, and write no folder
    #[arg(long, value_name = "PASS", value_parser = PossibleValuesParser::new(passes()))]
    pub dump_after: Option<String>,
    /// Print each pass that makes or changes lines with this text, and these lines; write no folder
    #[arg(long, value_name = "TEXT", conflicts_with = "dump_after")]
    pub follow: Option<String>,
}

/// Show what becomes of each loop: parallel or not and why, its mapping, the copies
#[derive(Args)]
#[command(after_help = "\
Examples:
  rtcuda explain mm.c
  rtcuda explain -v mm.c              also kernels, mappings, accesses, what is tested at each call
  rtcuda explain --json mm.c | jq '.regions[].loops[] | select(.runs != \"parallel\")'

Exit status: 0 shown, 2 the input is at fault, 3 a fault of rtcuda.")]
pub struct Explain {
    #[command(flatten)]
    pub input: Input,
    /// Show everything: kernels, mappings, accesses, each copy, guards, diagnostics with their source lines
    #[arg(short, long)]
    pub verbose: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Run both versions of each region, and compare what they compute
///
/// The program itself is the test: every call of a region runs the converted version on copies and the original on
/// the program's arrays, and compares what the region leaves. On the CPU the threads run in three orders, and
/// accesses out of bounds, races and barriers that not all threads reach are found. Elements that are further apart
/// than 1e-9 of the value (`float`: 1e-4; RTCUDA_RTOL sets another) differ, unless the original alone moves them as far
/// under another rounding mode; on a GPU the program is then tried without fused multiplications and additions, too.
#[derive(Args)]
#[command(after_help = "\
Examples:
  rtcuda verify mm.c -- -DN=64
  rtcuda verify tests/programs                        each C file with a main, as a table
  rtcuda verify */gemm.c */atax.c polybench.c -- -I.  files without a main belong to every program
  rtcuda verify md.c --arg 1000 --stdin start.txt     a program that is told what to do

Exit status: 0 all agree, or nothing was converted; 1 one differs, has findings or fails; 2 the
input is at fault; 3 a fault of rtcuda.")]
pub struct Verify {
    /// C files or folders: each file with a main is a program
    #[arg(value_name = "FILE.c|DIR", required_unless_present = "config")]
    pub paths: Vec<PathBuf>,
    /// The configuration of all; by default configs/<name>.toml beside or above each
    #[arg(long, value_name = "C.toml")]
    pub config: Option<PathBuf>,
    #[command(flatten)]
    pub on: On,
    #[command(flatten)]
    pub given: GivenArguments,
    /// The time that one run may take, in seconds; calls in its second half run the original alone
    #[arg(long, value_name = "SECONDS", default_value = "300", value_parser = seconds)]
    pub limit: Duration,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Flags for the C compiler, after those of the configuration
    #[arg(last = true, value_name = "CFLAGS")]
    pub cflags: Vec<String>,
}

/// Convert, build and run a program; show the time of each region
#[derive(Args)]
#[command(after_help = "\
Examples:
  rtcuda run mm.c -- -O3 -DN=4096
  rtcuda run mm.c --backend cpu       simulated: right, and slow
  rtcuda run md.c --arg 1000 --arg -v --stdin start.txt

Exit status: 0 the program ended with success, 1 it did not, 2 the input is at fault, 3 a fault of rtcuda.")]
pub struct Run {
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub on: On,
    /// Measure the joules that the GPU takes in each region, where it runs long enough for its meter
    #[arg(long)]
    pub energy: bool,
    #[command(flatten)]
    pub given: GivenArguments,
}

/// Find the sizes of kernels that are fastest on this machine's GPU
///
/// The program runs to the first call of each region, and stands still there. Candidates are compiled and run on the data
/// of that call, each in a copy of the process; one that computes something else than the untuned kernels is not ranked,
/// and these are compared with the original loops at the same time. Measurements are remembered: the same command goes on
/// where it was stopped. Without a GPU the cost model ranks, and the answer says so.
#[derive(Args)]
#[command(after_help = "\
Examples:
  rtcuda tune mm.c -- -O2 -DN=2048
  rtcuda tune jacobi.c --region jacobi_0 --budget 5min --write   the winner goes to configs/jacobi.toml
  rtcuda tune mm.c --strategy exhaustive --json > all.json

Strategies: guided (by the cost model, with what is measured corrected into it), pruned (all that the model does not rule
out, the most promising first), exhaustive (all that can be launched, those first), random, anneal.

Exit status: 0 ranked; 2 the input is at fault, or nothing can be measured; 3 a fault of rtcuda.")]
pub struct Tune {
    #[command(flatten)]
    pub input: Input,
    /// The region, or its function; by default all, one after the other
    #[arg(long, value_name = "NAME")]
    pub region: Option<String>,
    /// The time for all of it: \"60s\", \"10min\"; by default `budget` under [tune], or 60s
    #[arg(long, value_name = "TIME", value_parser = budget)]
    pub budget: Option<Duration>,
    /// How to search; by default `strategy` under [tune], or guided
    #[arg(long, value_parser = PossibleValuesParser::new(Strategy::ALL.iter().map(|&(name, _)| name)))]
    pub strategy: Option<String>,
    /// Objective that is made small: time, energy that the GPU's meter tells, or both multiplied; by default `objective` under [tune], or time
    #[arg(long, value_parser = PossibleValuesParser::new(Objective::ALL.iter().map(|&(name, _)| name)))]
    pub objective: Option<String>,
    /// Most measurements of a kernel
    #[arg(long, value_name = "N")]
    pub most: Option<usize>,
    /// Where random numbers begin
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The file that remembers measurements; by default `cache` under [tune], or target/rtcuda-tune.json
    #[arg(long, value_name = "FILE")]
    pub cache: Option<PathBuf>,
    /// Measure first what a file in the T4 format says, as Kernel Tuner writes it; it is compared as all else is
    #[arg(long, value_name = "T4.json")]
    pub import: Option<PathBuf>,
    /// Write all that the cache remembers in the T4 format
    #[arg(long, value_name = "T4.json")]
    pub export: Option<PathBuf>,
    /// Draw the candidates: their times by the model's order, and by each of their sizes
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,
    /// Write the winners into the configuration, which later conversions act on
    #[arg(long)]
    pub write: bool,
    #[command(flatten)]
    pub on: On,
    #[command(flatten)]
    pub given: GivenArguments,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

impl Tune {
    /// The strategy that was named.
    pub fn strategy(&self) -> Option<Strategy> {
        let name = self.strategy.as_deref()?;
        Strategy::named(name)
    }

    /// The objective that was named.
    pub fn objective(&self) -> Option<Objective> {
        let name = self.objective.as_deref()?;
        Objective::named(name)
    }
}

/// Write rtcuda_api.h, the operators on matrices that C programs call, and what implements it
///
/// `rtcuda convert` does so by itself for a program that includes the header; this is for a program that is to be built
/// without a conversion. Plain C runs on the CPU; with the .cu file beside it, by cuBLAS and cuSPARSE on a GPU.
#[derive(Args)]
#[command(after_help = "\
Examples:
  rtcuda api                  to the folder rtcuda_api
  rtcuda api -o src/matrices

Exit status: 0 written, 2 the folder cannot be written or has other files of these names.")]
pub struct Api {
    /// The folder; other files in it are left alone
    #[arg(short, long, value_name = "DIR", default_value = "rtcuda_api")]
    pub output: PathBuf,
    /// Write over files of these names that are there
    #[arg(short, long)]
    pub force: bool,
}

/// The names of the passes, and of the rewrites that the pass `normalize` is made of, each with what it does.
fn passes() -> impl Iterator<Item = PossibleValue> {
    let rewrites = pipeline::REWRITES_OF_NORMALIZE.iter().map(|(name, about)| (name.as_str(), *about));
    pipeline::described().chain(rewrites).map(|(name, about)| PossibleValue::new(name).help(about))
}

fn budget(text: &str) -> Result<Duration, String> {
    parse_duration(text).ok_or_else(|| "a number and a unit, up to a week: 500ms, 60s, 10min, 1h".into())
}

fn size(text: &str) -> Result<(String, i64), String> {
    let parsed = text.split_once('=').and_then(|(name, n)| Some((name.trim().to_owned(), n.trim().parse().ok()?)));
    parsed.filter(|(name, _)| !name.is_empty()).ok_or_else(|| "a parameter and a whole number: n=200".into())
}
