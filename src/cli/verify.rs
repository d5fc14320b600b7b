//! `rtcuda verify`.

use super::args::Verify;
use super::given::refuse_arguments;
use super::outcome::{Done, Fault};
use super::tell::{Progress, style};
use rtcuda::pipeline;
use rtcuda::runtime::verify::{self, Options, Verification};
use rtcuda::runtime::{backend, programs};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Verifies every program that the paths name.
pub fn verify(arguments: &Verify) -> Result<Done, Fault> {
    refuse_arguments(&arguments.paths)?;
    let mut programs = programs::collect(&arguments.paths, arguments.config.as_deref(), &arguments.cflags)?;
    for program in &mut programs {
        program.config.target.backend = arguments.on.backend().unwrap_or(program.config.target.backend);
        backend::choose(&program.config.target)?;
    }
    let options = Options {
        convert: pipeline::convert_valid,
        cflags: arguments.cflags.clone(),
        given: arguments.given.given(),
        limit: arguments.limit,
    };
    let progress = Progress::new(arguments.json);
    let n_done = AtomicUsize::new(0);
    let done = |verification: &Verification| {
        let n_done = n_done.fetch_add(1, Ordering::Relaxed) + 1;
        progress.line(&format!("{n_done} of {}: {}", programs.len(), verification.program));
    };
    progress.line(&format!("0 of {}", programs.len()));
    let verifications = verify::all(&programs, &options, &done);
    progress.line("");
    let status = verifications.iter().map(|verification| verification.verdict.status()).max().unwrap_or(0);
    let text = if arguments.json {
        format!("{:#}\n", serde_json::json!({ "programs": verifications }))
    } else {
        verify::text::text(&verifications, style())
    };
    Ok(Done { text, status })
}
