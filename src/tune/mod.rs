//! `rtcuda tune`: settings of a program's regions, strategies and sizes of their kernels, found by measuring them on the
//! program's own data.
//!
//! ```text
//! program ─ build ─┬─ waiting program ─ session: stands still at the region's call ────────────┐
//!                  └─ converted region ─ space ─ model ─ search ─ driver ─ candidates, compiled ─┴─ Outcome ─ cache
//!                                                                                                    └─ Answer ─ toml
//! ```
//! A region is tuned at its first call. The waiting program (check mode, built for the CPU) has made copies of what the
//! region may touch; each candidate runs in a copy of that process, and is compared with the reference before its time
//! counts: with what the mapping that nobody tuned computes, which the original loops judge at the same time. So a wrong
//! candidate is never ranked, and one that traps or hangs ends alone.
//!
//! A point has a value for each size of a kernel; the space is all of them that can be launched. A candidate is the program
//! converted with the sizes of a point, compiled as a shared object, for this call alone (`pinned.rs`) and in two parts at once
//! ([`crate::runtime::apart`]).
//!
//! Settings of the region as a whole come first (`ways.rs`): kernels are tuned under the best of them.
//!
//! Each strategy that serves a kernel's nest has a space of its own. Those are searched behind that of the usual one, the most
//! promising by the model first; what it takes to be several times slower is told of, and not tried.
//!
//! Registers are a size like others (`RESIDENT`): bounds on them are tried under which a processor holds another block, as the
//! machine's description counts by the registers that ptxas gives the kernel that nobody tuned.
//!
//! Rankings are remembered by call, and those of a kernel at several lead to settings by an extent (`list.rs`), which conversions act
//! on: the entry picks among them at the call.
//!
//! The objective is the time of kernels, or their energy: then each candidate's kernels are launched again and again, until
//! the meter of the device resolves what they take ([`crate::runtime::energy`]).
//!
//! Kernels of a region are tuned one after the other, those that take longest first; what is minimised is the time of all
//! kernels of the region. Without a GPU the cost model ranks, and the answer says that these are predictions.

mod answer;
mod beside;
pub mod build;
pub mod cache;
mod chosen;
mod compiler;
pub mod date;
pub mod driver;
pub mod list;
pub mod model;
mod options;
mod pinned;
pub mod plot;
pub mod ptxas;
mod region;
pub mod search;
pub mod session;
mod settings;
pub mod space;
pub mod t4;
pub mod toml;
mod ways;

pub use answer::{Answer, Ranked, Tuning, in_words};
pub use chosen::Chosen;
pub use options::{Options, Progress};

use crate::config::Objective;
use crate::diag::{Diagnostic, Stop};
use crate::runtime::backend;
use crate::runtime::build::Target;
use crate::runtime::energy::{self, Metering};
use build::Tuned;
use cache::Cache;
use region::Region;
use std::sync::Mutex;
use std::time::Instant;

/// Tunes the regions of a program, each at its first call.
///
/// # Errors
/// A program that does not convert, build or come to the region; a region that nobody knows.
pub fn tune(options: &Options, told: &mut dyn FnMut(&Progress)) -> Result<Vec<Answer>, Stop> {
    let end = Instant::now() + options.budget;
    let regions = build::regions(&options.files, &options.config, &options.cflags)?;
    let is_wanted =
        |r: &&crate::report::Region| options.region.as_ref().is_none_or(|name| [&r.name, &r.function].contains(&name));
    let wanted: Vec<_> = regions.iter().filter(is_wanted).collect();
    if wanted.is_empty() {
        let names: Vec<&str> = regions.iter().map(|r| r.name.as_str()).collect();
        let message = match &options.region {
            Some(name) => format!("no region has the name `{name}`, or stands in a function of that name"),
            None => "no region of the program is converted: there is nothing to tune".to_owned(),
        };
        let help = if names.is_empty() {
            "`rtcuda explain` says why loops stay on the host".to_owned()
        } else {
            format!("there are {}", names.join(", "))
        };
        return Err(Diagnostic::error("no-such-region", message, None).help(help).into());
    }
    let target = match backend::choose(&options.config.target)? {
        Target::Simulation => None,
        gpu => Some(gpu),
    };
    let meter = metering(options.objective, target.is_some())?;
    let cache = Mutex::new(Cache::open(&options.cache)?);
    let mut out = vec![];
    for (k, region) in wanted.iter().enumerate() {
        // Each has its share of what time is left.
        let left = end.saturating_duration_since(Instant::now());
        let end = Instant::now() + left / (wanted.len() - k) as u32;
        let tuned = Tuned::new(&options.files, &options.config, &options.cflags, region)?;
        out.push(Region::open(tuned, options, (target.as_ref(), meter.as_ref()), &cache, end)?.tune(told)?);
    }
    Ok(out)
}

/// The meter of the device, where the objective asks for it.
fn metering(objective: Objective, is_measured: bool) -> Result<Option<Metering>, Stop> {
    if objective == Objective::Time {
        return Ok(None);
    }
    if !is_measured {
        let message = "energy is read from the meter of a GPU, and nothing runs on one here: the model predicts times";
        let help = "tune for time (--objective time); `rtcuda device` shows what is missing to run on a GPU";
        return Err(Diagnostic::error("no-meter", message, None).help(help).into());
    }
    Ok(Some(energy::begin(energy::meter()?, energy::IDLE)?))
}

#[cfg(test)]
mod tests;
