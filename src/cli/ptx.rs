//! `rtcuda ptx`: kernels as PTX, run and traced on the CPU, and what ptxas gives them.

use super::outcome::{Done, Fault};
use super::ptx_build::{self, Build};
use super::ptx_from::{Blocks, From, Launched, answered, launched, load};
use super::ptx_trace::{self, Coalesce, Trace};
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use rtcuda::diag::{Diagnostic, Stop};
use rtcuda::ptx::registers::variant::Way;
use rtcuda::ptx::registers::{self, Question, controller};
use rtcuda::ptx::run;
use rtcuda::ptx::run::watch::Nobody;
use rtcuda::ptx::source::{self, Unit};
use rtcuda::report::table::Table;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Look into kernels as PTX: run them on the CPU, trace their accesses, count their registers
///
/// A kernel is PTX that nvcc wrote, a CUDA file that nvcc compiles to it, or what becomes of a C program's loops. No GPU is
/// needed; CUDA and C need nvcc, and `registers` needs ptxas.
#[derive(Subcommand)]
pub enum Ptx {
    Run(Run),
    Trace(Trace),
    Coalesce(Coalesce),
    Registers(Registers),
    Build(Build),
}

impl Ptx {
    /// Test that the answer is to be JSON.
    pub fn is_json(&self) -> bool {
        match self {
            Ptx::Run(arguments) => arguments.json,
            Ptx::Trace(arguments) => arguments.json,
            Ptx::Coalesce(arguments) => arguments.json,
            Ptx::Registers(arguments) => arguments.json,
            Ptx::Build(arguments) => arguments.json,
        }
    }
}

/// Run a kernel on the CPU, and show what its arrays hold afterwards
///
/// Each access to memory is checked: out of bounds, misaligned, a barrier that part of a warp misses. Lanes of a warp run
/// together; kernels in which lanes of a warp wait for each other end at --limit.
#[derive(Args)]
#[command(after_help = "\
Examples:
  rtcuda ptx run rows.cu --grid 4 --block 256 --arg a=f32[1024] --arg b=f32[1024]:zero --arg n=1024

Arrays begin with a fill: TYPE[EXTENT]:FILL, where element i is
  pattern   (7 i + 3) mod 31, of floating-point numbers an eighth of it (the default)
  zero, one
  iota      i; iota(K): K i
  file(PATH)  the bytes of a file, as the machine has them
  rand      below the number of elements, of floating-point numbers in [0, 1); rand(N): below N
Types are those of PTX: f32, f64, s32, u32, s64, u8, ... A structure passed by value takes its members: s={f32[n],s64:1024,f64:0.5}.

Exit status: 0 it ran to its end; 1 an instruction is at fault; 2 the input or the launch is; 3 a fault of rtcuda.")]
pub struct Run {
    #[command(flatten)]
    pub from: From,
    #[command(flatten)]
    pub launched: Launched,
    /// Elements of each array that are shown
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub show: usize,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Show registers, spills and occupancy of kernels, and which lines need most registers
///
/// Resources are ptxas's; how many blocks fit follows from them and the machine. Pressure is counted in PTX, by the values that
/// are needed at once in the order of the text; ptxas orders instructions anew.
#[derive(Args)]
#[command(after_help = "\
Examples:
  rtcuda ptx registers solver.cu --block 128
  rtcuda ptx registers lbm.c --kernel rt_lbm_0_k0 --bounds      and what ptxas makes of fewer registers
  rtcuda ptx registers kernels.ptx --arch sm_80 --json
  rtcuda ptx registers k.cu --block 256 --reduce --all          all ways to one more block, as ptxas predicts them
  rtcuda ptx registers k.cu --reduce --variant spill -o out     out/k.reduced.ptx; `rtcuda ptx build` makes the program

Exit status: 0 shown, 2 the input is at fault or ptxas is missing, 3 a fault of rtcuda.")]
pub struct Registers {
    #[command(flatten)]
    pub from: From,
    #[command(flatten)]
    pub blocks: Blocks,
    /// Compile with fewer registers, too, where these let more blocks fit
    #[arg(long)]
    pub bounds: bool,
    /// Bring registers to what one more block takes, by directives for ptxas and by passes over the PTX
    #[arg(long, conflicts_with = "bounds")]
    pub reduce: bool,
    /// Try every way, also where an earlier one is enough
    #[arg(long, requires = "reduce")]
    pub all: bool,
    /// The way that -o writes, in place of the predicted best; without --all it is tried alone
    #[arg(long, value_name = "WAY", requires = "reduce", value_parser = PossibleValuesParser::new(Way::ALL.map(Way::name)))]
    pub variant: Option<String>,
    /// Write the PTX with the kernels' variants into this folder
    #[arg(short, long, value_name = "DIR", requires = "reduce")]
    pub output: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Runs the command.
pub fn ptx(command: &Ptx) -> Result<Done, Fault> {
    match command {
        Ptx::Run(arguments) => run_kernel(arguments),
        Ptx::Trace(arguments) => ptx_trace::trace(arguments),
        Ptx::Coalesce(arguments) => ptx_trace::coalesced(arguments),
        Ptx::Registers(arguments) => counted(arguments),
        Ptx::Build(arguments) => ptx_build::built(arguments),
    }
}

fn run_kernel(arguments: &Run) -> Result<Done, Fault> {
    let (units, _) = load(&arguments.from)?;
    let (unit, kernel, launch) = launched(&units, &arguments.from, &arguments.launched)?;
    let found = run::run(&unit.module, kernel, &launch, &mut Nobody);
    let done = match answered(found, unit, arguments.json)? {
        Ok(done) => done,
        Err(answer) => return Ok(answer),
    };
    let name = unit.module.functions[kernel].source_name();
    let arrays = done.memory.arrays.iter().filter(|array| array.is_argument);
    let shown: Vec<(&str, u64, Vec<String>)> = arrays
        .map(|array| {
            let elements = array.bytes.len() as u64 / array.ty.bytes();
            (array.name.as_str(), elements, array.elements().take(arguments.show).collect())
        })
        .collect();
    if arguments.json {
        let arrays: Vec<_> = shown
            .iter()
            .map(|(name, elements, first)| json!({ "array": name, "elements": elements, "first": first }))
            .collect();
        let answer =
            json!({ "kernel": name, "instructions": done.instructions, "blocks": done.blocks, "arrays": arrays });
        return Done::well(format!("{answer:#}\n"));
    }
    let mut table = Table::default();
    for (name, elements, first) in &shown {
        let more = if *elements > first.len() as u64 { " ..." } else { "" };
        table.row([format!("{name}[{elements}]"), first.join(" ") + more]);
    }
    let head = format!("{name}: {} blocks, {} instructions of warps\n", done.blocks, done.instructions);
    Done::well(head + &table.text(2))
}

/// The kernels that are asked about: of each unit, their numbers.
fn chosen<'u>(units: &'u [Unit], name: Option<&str>) -> Result<Vec<(&'u Unit, Vec<usize>)>, Diagnostic> {
    if let Some(name) = name {
        let (unit, kernel) = source::kernel(units, Some(name))?;
        return Ok(vec![(unit, vec![kernel])]);
    }
    let kernels =
        |unit: &Unit| (0..unit.module.functions.len()).filter(|&f| unit.module.functions[f].is_kernel).collect();
    let found: Vec<(&Unit, Vec<usize>)> = units.iter().map(|unit| (unit, kernels(unit))).collect();
    if found.iter().all(|(_, kernels)| kernels.is_empty()) {
        // Says what kernels are.
        source::kernel(units, None)?;
    }
    Ok(found.into_iter().filter(|(_, kernels)| !kernels.is_empty()).collect())
}

fn counted(arguments: &Registers) -> Result<Done, Fault> {
    let (units, machine) = load(&arguments.from)?;
    let question = Question {
        machine: &machine,
        block: arguments.blocks.block,
        shared: arguments.blocks.shared,
        bounds: arguments.bounds,
    };
    let chosen = chosen(&units, arguments.from.kernel.as_deref())?;
    if arguments.reduce {
        return reduced(arguments, &chosen, &question);
    }
    let mut text = String::new();
    let mut all = Vec::new();
    for (unit, kernels) in chosen {
        let reports = registers::reports(unit, &kernels, &question).map_err(|stop: Stop| Fault::from(stop))?;
        text += &reports.iter().map(|report| registers::text::text(report, unit, &machine)).collect::<String>();
        all.extend(reports);
    }
    Done::well(if arguments.json { format!("{:#}\n", json!({ "kernels": all })) } else { text })
}

fn reduced(arguments: &Registers, chosen: &[(&Unit, Vec<usize>)], question: &Question) -> Result<Done, Fault> {
    let way = arguments.variant.as_deref().and_then(Way::named);
    let every = arguments.all;
    let (mut text, mut all) = (String::new(), Vec::new());
    for (unit, kernels) in chosen {
        let (ptx, found) = controller::reduced(unit, kernels, question, (way, every)).map_err(Fault::from)?;
        text += &found.iter().map(|found| registers::text::reduction(found, question.machine)).collect::<String>();
        all.extend(found);
        if let Some(folder) = &arguments.output {
            let path = written(folder, unit, &ptx)?;
            text += &format!("written: {}\n", path.display());
        }
    }
    Done::well(if arguments.json { format!("{:#}\n", json!({ "kernels": all, "measured": false })) } else { text })
}

/// Writes the PTX of a unit into a folder.
fn written(folder: &Path, unit: &Unit, ptx: &str) -> Result<PathBuf, Diagnostic> {
    let name = Path::new(&unit.name).file_stem().unwrap_or("kernels".as_ref());
    let path = folder.join(name).with_extension("reduced.ptx");
    let result = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, ptx));
    result.map(|()| path.clone()).map_err(|e| {
        let message = format!("{} cannot be written: {e}", path.display());
        Diagnostic::error("ptx-unwritable", message, None).help("-o takes a folder that can be made or written to")
    })
}
