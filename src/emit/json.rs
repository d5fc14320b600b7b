//! `rtcuda.json`: every decision that was taken, and the files that were made.

use super::{File, Program, bug};
use crate::diag::Stop;
use serde_json::{Value, json};

/// Its name in the output folder, by which a folder is known as one that this tool made.
pub const NAME: &str = "rtcuda.json";

/// The file, given all the others.
///
/// # Errors
/// Decisions that are not a JSON object.
pub fn file(program: &Program, others: &[File]) -> Result<File, Stop> {
    let Value::Object(decisions) = &program.decisions else {
        return Err(bug("the decisions are not a JSON object"));
    };
    let mut object = decisions.clone();
    let mut paths: Vec<_> = others.iter().map(|f| f.path.to_string_lossy().into_owned()).collect();
    paths.push(NAME.to_string());
    object.insert("files".into(), json!(paths));
    let text = serde_json::to_string_pretty(&object).map_err(bug)?;
    Ok(File { path: NAME.into(), contents: (text + "\n").into_bytes() })
}
