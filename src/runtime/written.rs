//! What the runtime headers write as JSON when a program ends: `$RTCUDA_REPORT`, `$RTCUDA_FINDINGS`,
//! `$RTCUDA_PROFILE`. The other side of this format is `templates/runtime/`.

use super::energy::Span;
use crate::diag::Stop;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use std::path::Path;

/// `$RTCUDA_REPORT`: the comparisons of check mode.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Comparisons {
    /// What the program ran on.
    pub device: String,
    /// Flag: an error of the runtime's ended the program.
    pub has_failed: bool,
    /// The regions that were called.
    pub regions: Vec<Region>,
}

/// The comparisons of a region, over all its calls.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Region {
    /// Its name.
    pub region: String,
    /// Its C file and line.
    pub file: String,
    /// See `file`.
    pub line: u32,
    /// How often it was called.
    pub calls: u64,
    /// Calls in which the original loops ran, and why.
    pub not_converted: Vec<NotConverted>,
    /// What was compared.
    pub arrays: Vec<Array>,
}

/// Calls outside what was proved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NotConverted {
    /// The condition that did not hold.
    pub reason: String,
    /// How often.
    pub calls: u64,
}

/// The comparison of an array or a scalar.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Array {
    /// Its name.
    pub name: String,
    /// Elements compared, and those beyond the tolerance.
    pub elements: u64,
    /// See `elements`.
    pub differing: u64,
    /// Elements beyond the tolerance that another rounding mode moves as far in the original.
    pub rounding: u64,
    /// Elements changed that are not among what the region writes.
    pub changed_outside: u64,
    /// The largest relative difference, and the absolute one there.
    #[serde(deserialize_with = "number")]
    pub worst_rel: f64,
    /// See `worst_rel`.
    #[serde(deserialize_with = "number")]
    pub worst_abs: f64,
    /// Where: `[3][4]`.
    pub worst_at: String,
    /// The first differences.
    pub first: Vec<Difference>,
}

/// An element that differs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// In which call of the region.
    pub call: u64,
    /// Where: `[3][4]`.
    pub index: String,
    /// The two values, as text with all their digits.
    pub original: String,
    /// See `original`.
    pub converted: String,
}

/// `$RTCUDA_FINDINGS`: what the simulation found.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Findings {
    /// Each kind once for an array and a line.
    pub findings: Vec<Finding>,
}

/// A fault of a kernel: out of bounds, a race, a barrier that not all reach, ...
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Which fault.
    pub kind: String,
    /// In which kernel.
    pub kernel: String,
    /// On which array, if on one.
    pub array: String,
    /// At which element: `[3][4]`.
    pub index: String,
    /// In words.
    pub message: String,
    /// How often.
    pub count: u64,
    /// Who.
    #[serde(flatten)]
    pub here: Access,
    /// Of a race: the access before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<Access>,
}

/// One side of a finding. Positions are (z, y, x).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Access {
    /// `reads`, `writes`, ...
    pub access: String,
    /// The block.
    pub block: [u32; 3],
    /// The thread in it.
    pub thread: [u32; 3],
    /// The line of the user's C.
    pub c_file: String,
    /// See `c_file`.
    pub c_line: u32,
    /// The line of the emitted file.
    pub cu_file: String,
    /// See `cu_file`.
    pub cu_line: u32,
}

/// `$RTCUDA_PROFILE`: the times of regions.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Profile {
    /// The regions that were called.
    pub regions: Vec<RegionTimes>,
    /// Reason for which the run kept no array on the device between regions, where the runtime has one.
    #[serde(default)]
    pub nothing_kept: Option<String>,
}

/// The times of a region, over all its calls.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RegionTimes {
    /// Its name.
    pub region: String,
    /// Its C file and line.
    pub file: String,
    /// See `file`.
    pub line: u32,
    /// How often it ran on the device.
    pub calls: u64,
    /// How often it was left to the original loops, because one core of the host does so little sooner.
    pub left: u64,
    /// From the start of the region to its end.
    pub total_s: f64,
    /// Copies to the device.
    pub copy_in: Times,
    /// Each kernel.
    pub kernels: Vec<Times>,
    /// Copies to the host.
    pub copy_out: Times,
    /// The copies by array and by the line that they are made for.
    #[serde(default)]
    pub moves: Vec<Moved>,
    /// When it ran, by the system's clock; calls that follow each other soon are one span.
    #[serde(default)]
    pub spans: Vec<Span>,
}

/// Copies of an array between host and device.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Moved {
    /// The array, as the region calls it.
    pub array: String,
    /// Direction: home, or to the device.
    pub to_host: bool,
    /// The line that uses on the host what comes home, or wrote there what goes to the device; the region's where no other is
    /// known.
    pub file: String,
    /// See `file`.
    pub line: u32,
    /// Code that does so, where no line of the emitted text announces it.
    #[serde(default)]
    pub by: Option<Code>,
    /// Copies, and their bytes in all.
    pub copies: u64,
    /// See `copies`.
    pub bytes: f64,
}

impl Moved {
    /// The code that wants it, in words: a line of the host's that uses what comes home, or wrote what goes to the device; the
    /// region's where no other is known.
    pub fn wanted_by(&self, region: &RegionTimes) -> String {
        let Moved { to_host, file, line, by, .. } = self;
        let is_of_region = (file, line) == (&region.file, &region.line);
        let Some(Code { call, module, offset, function }) = by else {
            return match (is_of_region, to_host) {
                (true, _) => format!("for {}, {file}:{line}", region.region),
                (false, true) => format!("used at {file}:{line}"),
                (false, false) => format!("written at {file}:{line}"),
            };
        };
        let verb = if *to_host { "used" } else { "written" };
        let call = call.as_ref().map_or(String::new(), |call| format!(" by `{call}`"));
        let function = function.as_ref().map_or(String::new(), |function| format!(" in {function}()"));
        let place = match (is_of_region, module) {
            (false, _) => format!(", {file}:{line}"),
            (true, Some(module)) if function.is_empty() => format!(" at {offset:#x} of {module}"),
            (true, _) => String::new(),
        };
        format!("{verb}{call}{function}{place}")
    }
}

/// Code that touched what was kept on the device.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Code {
    /// The function of the C library that is called to touch it.
    #[serde(default)]
    pub call: Option<String>,
    /// The file that the instruction is in, as it is loaded; `None` where it is not known.
    #[serde(default)]
    pub module: Option<String>,
    /// The place of the instruction in that file.
    #[serde(default)]
    pub offset: u64,
    /// The function that it is a part of; found by [`lines`](super::lines).
    #[serde(default)]
    pub function: Option<String>,
}

/// How often something was done, and how long it took in all.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Times {
    /// What.
    pub name: String,
    /// How often.
    pub calls: u64,
    /// How long.
    pub seconds: f64,
    /// The quickest.
    pub least_s: f64,
}

/// Reads such a file; `None` where the program wrote none.
///
/// # Errors
/// [`Stop::Bug`] where it is not what the headers write.
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, Stop> {
    let Ok(text) = std::fs::read(path) else { return Ok(None) };
    let value = serde_json::from_slice(&text);
    value.map(Some).map_err(|e| Stop::Bug(format!("the program's report {} cannot be read: {e}", path.display())))
}

/// A number; those that JSON does not have are strings: `"inf"`, `"-nan"`.
fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Number {
        Finite(f64),
        Other(String),
    }
    Ok(match Number::deserialize(deserializer)? {
        Number::Finite(value) => value,
        Number::Other(text) if text.contains("nan") => f64::NAN,
        Number::Other(_) => f64::INFINITY,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_headers_write_is_read() {
        let comparisons = r#"{"device":"simulated","has_failed":false,"regions":[
            {"region":"f_0","file":"a.c","line":3,"calls":2,
            "not_converted":[{"reason":"n is negative","calls":1}],"arrays":[{"name":"x","elements":10,"differing":1,
            "rounding":0,"changed_outside":0,"worst_abs":"inf","worst_rel":"-nan","worst_at":"[3]",
            "first":[{"call":1,"index":"[3]","original":"1","converted":"-inf"}]}]}]}"#;
        let read: Comparisons = serde_json::from_str(comparisons).unwrap();
        let array = &read.regions[0].arrays[0];
        assert!(array.worst_rel.is_nan() && array.worst_abs == f64::INFINITY);
        assert_eq!(array.first[0].converted, "-inf");

        let findings = r#"{"findings":[{"kind":"race","kernel":"k","array":"x","index":"[3]","extent":10,
            "message":"m","count":4,"access":"writes","block":[0,0,1],"thread":[0,0,2],"cu_file":"a.cu","cu_line":9,
            "c_file":"a.c","c_line":3,"other":{"access":"reads","block":[0,0,1],"thread":[0,0,1],"cu_file":"a.cu",
            "cu_line":8,"c_file":"a.c","c_line":2}}]}"#;
        let read: Findings = serde_json::from_str(findings).unwrap();
        assert_eq!((read.findings[0].here.thread, read.findings[0].other.as_ref().unwrap().c_line), ([0, 0, 2], 2));
    }

    #[test]
    fn no_file_is_no_report() {
        assert_eq!(super::read::<Findings>(Path::new("/nonexistent")).unwrap(), None);
    }
}
