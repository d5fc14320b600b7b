//! `rtcuda ptx build`: programs by nvcc's own steps, with fewer registers for their kernels.

use super::given::{GivenArguments, seconds};
use super::outcome::{Done, Fault};
use super::ptx_from::{Blocks, From, machine_of};
use super::tell::{Progress, style};
use clap::Args;
use clap::builder::PossibleValuesParser;
use rtcuda::diag::{Diagnostic, Stop};
use rtcuda::ptx::build;
use rtcuda::ptx::measure::{self, Ask};
use rtcuda::ptx::registers::variant::{Reduction, Way};
use rtcuda::ptx::registers::{self, Question, controller};
use rtcuda::ptx::source::Unit;
use rtcuda::runtime::device::Gpu;
use rtcuda::target::Machine;
use serde_json::json;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Build a CUDA file by nvcc, with fewer registers for its kernels
///
/// nvcc's own steps are run, and kernels are reduced in the PTX between cicc and ptxas, as `ptx registers --reduce` shows. What
/// is chosen is a prediction. With --keep-faster the program is run as it is and with every way, and each kernel has the way that is
/// measured faster, if one is.
#[derive(Args)]
#[command(after_help = "\
Examples:
  rtcuda ptx build solver.cu -o solver -- -O3 -lcublas
  rtcuda ptx build solver.cu --kernel sweep --block 128 --variant spill-maxnreg -o solver2 -- -O3
  rtcuda ptx build solver.cu --keep-faster --arg 4096 --arg in.dat -o solver -- -O3      runs `solver 4096 in.dat`

Exit status: 0 built, 2 the input is at fault or nvcc is missing, 3 a fault of rtcuda.")]
pub struct Build {
    #[command(flatten)]
    pub from: From,
    #[command(flatten)]
    pub blocks: Blocks,
    /// The way that kernels are reduced by, in place of each one's predicted best
    #[arg(long, value_name = "WAY", value_parser = PossibleValuesParser::new(Way::ALL.map(Way::name)))]
    pub variant: Option<String>,
    /// Keep a way only where it is measured faster: needs a GPU, and a program that ends by itself and prints or fetches from the
    /// device what it computes. Blocks are those that it launches
    #[arg(long, conflicts_with_all = ["variant", "block", "shared"])]
    pub keep_faster: bool,
    /// With --keep-faster: runs of the program with each way
    #[arg(long, value_name = "N", default_value = "5", value_parser = clap::value_parser!(u32).range(2..=1000))]
    pub rounds: u32,
    /// With --keep-faster: the time that one run may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "300", value_parser = seconds)]
    pub limit: Duration,
    #[command(flatten)]
    pub given: GivenArguments,
    /// The program
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Flags with which nvcc links no program.
const NO_PROGRAM: [&str; 10] =
    ["-c", "-dc", "-dw", "-cubin", "-fatbin", "-ptx", "-lib", "-shared", "--shared", "--compile"];

/// Builds the program.
pub fn built(arguments: &Build) -> Result<Done, Fault> {
    let from = &arguments.from;
    let machine = machine_of(&from.arch)?;
    if from.file.extension().is_none_or(|extension| extension != "cu") || from.config.is_some() {
        let message = format!("{} is no CUDA file", from.file.display());
        let help = "`rtcuda ptx build` takes a .cu file; other ones go behind `--`, with flags for nvcc";
        return Err(Diagnostic::error("ptx-input", message, None).help(help).into());
    }
    let flags = flags(arguments);
    if !arguments.keep_faster {
        return predicted(arguments, &flags, Way::named(arguments.variant.as_deref().unwrap_or_default()));
    }
    let is_no_program = |flag: &&String| NO_PROGRAM.contains(&flag.as_str());
    if let Some(flag) = from.flags.iter().find(is_no_program) {
        let message = format!("--keep-faster runs the program, and `{flag}` makes none");
        let help = format!("leave `{flag}` out, or choose a way for the object by --variant");
        return Err(Diagnostic::error("ptx-measure", message, None).help(help).into());
    }
    match Gpu::first() {
        Ok(gpu) if gpu.capability == machine.capability => measured(arguments, &flags, &machine),
        Ok(gpu) => {
            let message = format!("--keep-faster runs the program, and this {} is no {}", gpu.name, from.arch);
            Err(Diagnostic::error("ptx-measure", message, None).help(format!("--arch sm_{}", gpu.capability)).into())
        }
        Err(missing) => unmeasured(arguments, &flags, &missing),
    }
}

/// The file and flags for nvcc.
fn flags(arguments: &Build) -> Vec<OsString> {
    let from = &arguments.from;
    let mut flags: Vec<OsString> = vec![from.file.clone().into()];
    let names_machine =
        |flag: &String| ["-arch", "--gpu-arch", "-gencode", "--generate-code"].iter().any(|f| flag.starts_with(f));
    if !from.flags.iter().any(names_machine) {
        flags.push(format!("-arch={}", from.arch).into());
    }
    flags.extend(from.flags.iter().map(OsString::from));
    flags
}

/// Builds it with the variants of a way, or with those that are predicted best.
fn predicted(arguments: &Build, flags: &[OsString], way: Option<Way>) -> Result<Done, Fault> {
    let (text, all) = reduced(arguments, flags, &mut |unit, kernels, question| {
        controller::reduced(unit, kernels, question, (way, false))
    })?;
    let text = format!("{text}built: {}\n", arguments.output.display());
    Done::well(if arguments.json { format!("{:#}\n", json!({ "kernels": all, "measured": false })) } else { text })
}

/// Builds it as it is, and tells of the ways that nobody can measure here.
fn unmeasured(arguments: &Build, flags: &[OsString], missing: &Diagnostic) -> Result<Done, Fault> {
    let (text, all) = reduced(arguments, flags, &mut |unit, kernels, question| {
        let (_, found) = controller::reduced(unit, kernels, question, (None, true))?;
        Ok((unit.text.clone(), found))
    })?;
    let path = arguments.output.display();
    let text = format!("{text}nothing is measured: {}; {path} is built as it is\n", missing.message);
    let answer = json!({ "kernels": all, "measured": false, "unmeasured": missing.message });
    Done::well(if arguments.json { format!("{answer:#}\n") } else { text })
}

/// Builds it with the variants that are measured faster.
fn measured(arguments: &Build, flags: &[OsString], machine: &Machine) -> Result<Done, Fault> {
    let progress = Progress::new(arguments.json);
    progress.line("building and running the program with every way");
    let ask = Ask {
        machine,
        flags,
        output: &arguments.output,
        kernel: arguments.from.kernel.as_deref(),
        given: arguments.given.given(),
        rounds: arguments.rounds,
        limit: arguments.limit,
    };
    let answer = measure::keep_faster(&ask);
    progress.line("");
    let answer = answer.map_err(Fault::from)?;
    let n_kept = answer.kernels.iter().filter(|kernel| kernel.kept.is_some()).count();
    let (path, n) = (arguments.output.display(), answer.kernels.len());
    let text =
        measure::text::text(&answer, style()) + &format!("built: {path}, {n_kept} of {n} kernels with a variant\n");
    let mut object = json!(answer);
    object["measured"] = true.into();
    Done::well(if arguments.json { format!("{object:#}\n") } else { text })
}

/// Variants of a unit's kernels: its PTX with those that are chosen, and all.
type Reduce<'r> = dyn FnMut(&Unit, &[usize], &Question) -> Result<(String, Vec<Reduction>), Stop> + 'r;

/// Builds it with kernels rewritten, and gives what was found of each.
fn reduced(arguments: &Build, flags: &[OsString], reduce: &mut Reduce) -> Result<(String, Vec<Reduction>), Fault> {
    let from = &arguments.from;
    let flags = [&["-o".into(), arguments.output.clone().into()][..], flags].concat();
    let (mut text, mut all) = (String::new(), Vec::new());
    build::build(&flags, &mut |unit: &Unit, arch: &str| {
        let machine = machine_of(arch)?;
        let question = Question {
            machine: &machine,
            block: arguments.blocks.block,
            shared: arguments.blocks.shared,
            bounds: false,
        };
        let is_asked = |f: &usize| {
            let function = &unit.module.functions[*f];
            let is_named = |name: &String| function.name.contains(name.as_str()) || function.source_name() == name;
            function.is_kernel && from.kernel.as_ref().is_none_or(is_named)
        };
        let kernels: Vec<usize> = (0..unit.module.functions.len()).filter(is_asked).collect();
        let (ptx, found) = reduce(unit, &kernels, &question)?;
        text += &found.iter().map(|found| registers::text::reduction(found, &machine)).collect::<String>();
        all.extend(found);
        Ok(ptx)
    })
    .map_err(Fault::from)?;
    if let Some(name) = from.kernel.as_ref().filter(|_| all.is_empty()) {
        let message = format!("there is no kernel `{name}`: {} was built unchanged", arguments.output.display());
        return Err(Diagnostic::error("ptx-kernel", message, None)
            .help("`rtcuda ptx registers` lists the kernels; --kernel takes a part of a name")
            .into());
    }
    Ok((text, all))
}
