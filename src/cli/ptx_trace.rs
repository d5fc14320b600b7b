//! `rtcuda ptx trace` and `rtcuda ptx coalesce`: the accesses of a launch, on the CPU or on a GPU.

use super::outcome::{Done, Fault};
use super::ptx_from::{From, Launched, answered, launched, load};
use clap::Args;
use clap::builder::PossibleValuesParser;
use rtcuda::config::{Backend, Choice};
use rtcuda::diag::Diagnostic;
use rtcuda::ptx::coalesce::symbolic::Varied;
use rtcuda::ptx::coalesce::{self, Counter, Report};
use rtcuda::ptx::compare::{self, Comparison, Keeper};
use rtcuda::ptx::device;
use rtcuda::ptx::run::watch::Watch;
use rtcuda::ptx::run::{self, Launch};
use rtcuda::ptx::source::Unit;
use rtcuda::ptx::trace::{Counts, Sample, Tracer};
use rtcuda::runtime::device::Gpu;
use serde_json::json;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

/// The way to a trace.
#[derive(Args)]
pub struct Traced {
    /// Only that many warps, spread over the launch
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub warps: Option<u64>,
    /// Where the launch runs: interpreted on the CPU (cpu), as instrumented PTX on a GPU (cuda), or as this machine can (auto)
    #[arg(long, default_value = "cpu", value_parser = PossibleValuesParser::new(Backend::ALL.iter().map(|&(name, _)| name)))]
    pub backend: String,
    /// On a GPU: requests of warps that the buffer there holds, 280 bytes each; those beyond are counted
    #[arg(long, value_name = "N", default_value_t = device::DEFAULT_REQUESTS,
          value_parser = clap::value_parser!(u64).range(1..=device::MOST_REQUESTS))]
    pub buffer: u64,
}

/// Write a record of each access to global memory by each thread
///
/// A line of JSON for each: kernel, launch, block, thread, instruction, source line, execution, array, byte in it, width, load or
/// store. Without -o they are only counted.
#[derive(Args)]
#[command(after_help = "\
Examples:
  rtcuda ptx trace rows.cu -o rows.jsonl --grid 4 --arg a=f32[1024] --arg b=f32[1024] --arg n=1024
  rtcuda ptx trace rows.ptx --warps 16 --grid 4096 --arg ...     16 warps, spread over the launch
  rtcuda ptx trace rows.cu --backend cuda ...                    by the GPU, which records what instrumented PTX accesses
  rtcuda ptx trace rows.cu --compare ...                         by both, compared

On the CPU, blocks without a sampled warp are not run, so what they would have written is missing; on a GPU all run, and nothing is
checked. Fills of arrays: `rtcuda ptx run --help`.

Exit status: 0 traced; 1 an instruction is at fault, or the ways differ; 2 the input or the launch is; 3 a fault of rtcuda.")]
pub struct Trace {
    #[command(flatten)]
    pub from: From,
    #[command(flatten)]
    pub launched: Launched,
    #[command(flatten)]
    pub traced: Traced,
    /// The file of records
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Trace both ways, on the CPU and on a GPU, and compare record by record
    #[arg(long, conflicts_with_all = ["output", "backend"])]
    pub compare: bool,
    /// Print the counts as JSON
    #[arg(long)]
    pub json: bool,
}

/// Show which accesses are coalesced, what each moves, and which order of threads would move least
///
/// An access is coalesced where the lanes of a warp leave no gaps between the bytes that they access. What it costs are
/// sectors of 32 bytes: how many a request of a warp moves, beside the least for the bytes that it uses. Other orders of the
/// threads are priced by the same accesses; what forbids them is named. All of it is counted, nothing is timed.
#[derive(Args)]
#[command(after_help = "\
Examples:
  rtcuda ptx coalesce transpose.cu --grid 4,4 --block 32,8 --arg a=f32[16384] --arg b=f32[16384] --arg n=128
  rtcuda ptx coalesce mm.c --kernel rt_mm_0_k0IiLi16ELi4ELi2 ...     a kernel of converted C
  rtcuda ptx coalesce rows.cu --grid n/32 --block 32 --arg 'a=f32[n*n]' --arg n=64 --vary n=64,96,128,160      in terms of n

Exit status: 0 shown; 1 an instruction is at fault; 2 the input or the launch is; 3 a fault of rtcuda.")]
pub struct Coalesce {
    #[command(flatten)]
    pub from: From,
    #[command(flatten)]
    pub launched: Launched,
    #[command(flatten)]
    pub traced: Traced,
    /// Instead: run the launch at several values of an integer argument, and tell counts as polynomials of it, where fewer
    /// values give the same
    #[arg(long, value_name = "NAME=N,N,..", value_parser = values, conflicts_with = "warps")]
    pub vary: Option<(String, Vec<i64>)>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

impl Traced {
    /// Test that the launch runs on a GPU.
    fn is_on_gpu(&self) -> bool {
        match Backend::named(&self.backend) {
            Some(Backend::Cuda) => true,
            Some(Backend::Auto) => Gpu::first().is_ok(),
            _ => false,
        }
    }

    /// Runs a launch with an observer, on the GPU or on the CPU; gives the device.
    fn run(
        &self,
        (unit, kernel, launch): (&Unit, usize, &Launch),
        is_on_gpu: bool,
        watch: &mut dyn Watch,
    ) -> Result<Option<device::Traced>, run::Fault> {
        match is_on_gpu {
            true => device::run(unit, kernel, launch, self.buffer, watch).map(Some),
            false => run::run(&unit.module, kernel, launch, watch).map(|_| None),
        }
    }
}

/// Runs `ptx trace`.
pub fn trace(arguments: &Trace) -> Result<Done, Fault> {
    let (units, _) = load(&arguments.from)?;
    let (unit, kernel, launch) = launched(&units, &arguments.from, &arguments.launched)?;
    let traced = &arguments.traced;
    let sample = Sample::of(&launch, traced.warps);
    if arguments.compare {
        return compared(arguments, (unit, kernel, &launch), &sample);
    }
    let broken = |e: std::io::Error| -> Fault {
        let path = arguments.output.as_deref().unwrap_or("the output".as_ref()).display().to_string();
        Diagnostic::error("trace-unwritable", format!("{path} cannot be written: {e}"), None)
            .help("each access takes about 250 bytes; --warps traces fewer")
            .into()
    };
    let out: Option<Box<dyn Write>> = match &arguments.output {
        Some(path) => Some(Box::new(BufWriter::new(File::create(path).map_err(broken)?))),
        None => None,
    };
    let mut tracer = Tracer::new(unit, kernel, &launch, &sample, out);
    let found = traced.run((unit, kernel, &launch), traced.is_on_gpu(), &mut tracer);
    let on = match answered(found, unit, arguments.json)? {
        Ok(on) => on,
        Err(answer) => return Ok(answer),
    };
    let counts = tracer.finish().map_err(broken)?;
    let name = unit.module.functions[kernel].source_name();
    if arguments.json {
        let mut answer = json!({ "kernel": name, "sampled_warps": sample.warps(), "counts": counts });
        add(&mut answer, on.as_ref());
        return Done::well(format!("{answer:#}\n"));
    }
    let of = sample.warps().map_or(String::new(), |n| format!(" of {n} sampled warps"));
    let mut text = format!("{name}: {}{of}\n", told(&counts));
    for (array, accesses) in &counts.arrays {
        text += &format!("  {array}: {accesses} accesses\n");
    }
    text += &of_device(on.as_ref());
    if let Some(path) = &arguments.output {
        text += &format!("written: {}\n", path.display());
    }
    Done::well(text)
}

/// The device in an answer.
fn add(answer: &mut serde_json::Value, on: Option<&device::Traced>) {
    if let Some(device::Traced { gpu, lost }) = on {
        answer["device"] = gpu.name.clone().into();
        answer["lost_requests"] = (*lost).into();
    }
}

fn of_device(on: Option<&device::Traced>) -> String {
    let Some(device::Traced { gpu, lost }) = on else { return String::new() };
    let full = match lost {
        0 => String::new(),
        n => format!("; the buffer is full, {n} requests of warps are missing: --buffer makes it larger"),
    };
    format!("  by instrumented PTX on {}{full}\n", gpu.name)
}

/// Traces both ways, and compares.
fn compared(arguments: &Trace, launched: (&Unit, usize, &Launch), sample: &Sample) -> Result<Done, Fault> {
    let (unit, kernel, launch) = launched;
    let mut kept = [Keeper::new(sample), Keeper::new(sample)];
    let mut on = None;
    for (is_on_gpu, kept) in [false, true].into_iter().zip(&mut kept) {
        match answered(arguments.traced.run(launched, is_on_gpu, kept), unit, arguments.json)? {
            Ok(found) => on = found,
            Err(answer) => return Ok(answer),
        }
    }
    let found = compare::compared(unit, kernel, launch, kept);
    let name = unit.module.functions[kernel].source_name();
    let Comparison { same, alone: [cpu, gpu], requests: [of_cpu, of_gpu], first } = &found;
    let status = u8::from(cpu + gpu > 0);
    if arguments.json {
        let mut answer = json!({ "kernel": name, "sampled_warps": sample.warps(), "comparison": found });
        add(&mut answer, on.as_ref());
        return Ok(Done { text: format!("{answer:#}\n"), status });
    }
    let mut text = format!(
        "{name}: {same} records the same both ways, {cpu} on the CPU alone, {gpu} on the GPU alone; \
         requests of warps: {of_cpu} and {of_gpu}\n"
    );
    if let Some((which, record)) = first {
        text += &format!("  on the {} alone: {record}\n", ["CPU", "GPU"][*which]);
    }
    Ok(Done { text: text + &of_device(on.as_ref()), status })
}

fn told(counts: &Counts) -> String {
    let atomics = if counts.atomics > 0 { format!(", {} atomic", counts.atomics) } else { String::new() };
    format!(
        "{} loads, {} stores{atomics} by threads, in {} requests of warps",
        counts.loads, counts.stores, counts.requests
    )
}

/// Runs `ptx coalesce`.
pub fn coalesced(arguments: &Coalesce) -> Result<Done, Fault> {
    let (units, _) = load(&arguments.from)?;
    if let Some((name, values)) = &arguments.vary {
        return varied(arguments, &units, name, values);
    }
    let (report, unit, on) = match counted(arguments, &units, &arguments.launched)? {
        Ok(found) => found,
        Err(answer) => return Ok(answer),
    };
    if arguments.json {
        let mut answer = json!(report);
        add(&mut answer, on.as_ref());
        return Done::well(format!("{answer:#}\n"));
    }
    Done::well(coalesce::text::text(&report, unit) + &of_device(on.as_ref()))
}

/// A report, the unit of its kernel, and the device that ran it.
type Counted<'u> = (Report, &'u Unit, Option<device::Traced>);

/// Report of a launch, or its fault.
fn counted<'u>(arguments: &Coalesce, units: &'u [Unit], given: &Launched) -> Result<Result<Counted<'u>, Done>, Fault> {
    let (unit, kernel, launch) = launched(units, &arguments.from, given)?;
    let sample = Sample::of(&launch, arguments.traced.warps);
    let mut counter = Counter::new(unit, kernel, &sample);
    let found = arguments.traced.run((unit, kernel, &launch), arguments.traced.is_on_gpu(), &mut counter);
    let counted = |on| (counter.report(unit, kernel, &launch), unit, on);
    Ok(answered(found, unit, arguments.json)?.map(counted))
}

/// Counts at several values of an argument.
fn varied(arguments: &Coalesce, units: &[Unit], name: &str, values: &[i64]) -> Result<Done, Fault> {
    let at = arguments.launched.arguments.iter().position(|word| word.split_once('=').is_some_and(|(n, _)| n == name));
    let Some(at) = at else {
        let message = format!("--vary gives values of `{name}`, and no argument has that name");
        let help = format!("give it its place among the arguments: --arg {name}={}", values[0]);
        return Err(Diagnostic::error("ptx-argument", message, None).help(help).into());
    };
    let mut reports = Vec::new();
    for value in values {
        let mut given = arguments.launched.clone();
        given.arguments[at] = format!("{name}={value}");
        match counted(arguments, units, &given)? {
            Ok((report, ..)) => reports.push(report),
            Err(answer) => return Ok(answer),
        }
    }
    let varied = Varied::new(name, values, &reports);
    Done::well(if arguments.json { format!("{:#}\n", json!(varied)) } else { varied.text() })
}

/// Reads `n=64,96,128`.
fn values(text: &str) -> Result<(String, Vec<i64>), String> {
    let (name, rest) = text.split_once('=').ok_or("as in n=64,96,128,160")?;
    let values: Option<Vec<i64>> = rest.split(',').map(|word| word.trim().parse().ok()).collect();
    let found = values.filter(|values| values.len() > 1).ok_or("two integers or more behind the `=`")?;
    Ok((name.trim().into(), found))
}
