//! The programs of the table, all built at once: conversions and compilers take the processors of the host.

use super::options::{Options, Step, sources};
use super::peers::{self, PEERS, Peer};
use super::program;
use super::rows::{Row, Source};
use crate::bench::written_to;
use crate::config::{self, Backend, Config};
use crate::diag::{Diagnostic, Severity, Stop};
use crate::emit::File;
use crate::pipeline::{self, ConvertOptions};
use crate::runtime::backend;
use crate::runtime::build::{self, Target};
use crate::runtime::call::Failure;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A program of a C file: where it lies, and what was said of its conversion.
#[derive(Debug, Clone)]
pub struct Built {
    pub path: PathBuf,
    diagnostics: Vec<Diagnostic>,
}

impl Built {
    /// Why loops of a row's functions stayed on the host, if some did.
    pub fn declined(&self, source: &Source, row: &Row) -> Option<String> {
        let lines = program::lines_of(source, row.kernel);
        let of_row = |d: &&Diagnostic| d.place.as_ref().is_some_and(|place| lines.contains(&place.line));
        let declined = self.diagnostics.iter().filter(|d| d.severity == Severity::Declined);
        declined.clone().find(of_row).map(|d| d.message.clone())
    }
}

/// Everything that was built, or why it was not.
pub struct Programs {
    ours: Vec<(&'static Source, Vec<Result<Built, String>>)>,
    peers: Vec<(&'static Peer, Result<PathBuf, String>)>,
}

impl Programs {
    /// Builds a program for each C file that is wanted and each step, and those of the peers that are asked.
    ///
    /// # Errors
    /// A missing GPU or compiler, a faulty configuration.
    pub fn build(
        options: &Options,
        steps: &[Step],
        asked: &BTreeSet<String>,
        folder: &Path,
        told: &(dyn Fn(&str) + Sync),
    ) -> Result<Programs, Stop> {
        let target = backend::choose(&target(options)?)?;
        let is_asked = |peer: &&Peer| asked.iter().any(|request| peer.answers(request));
        let (ours, peers) = rayon::join(
            || {
                let build = |source: &'static Source| {
                    told(&format!("building {}", source.name));
                    (source, steps_of(source, options, steps, &target, folder))
                };
                sources(&options.only).into_par_iter().map(build).collect()
            },
            || {
                let peers: Vec<&Peer> = PEERS.iter().filter(is_asked).collect();
                peers.into_par_iter().map(|peer| (peer, by_hand(peer, &target, folder))).collect()
            },
        );
        Ok(Programs { ours, peers })
    }

    /// The program of a row's file at a step.
    ///
    /// # Errors
    /// Why it was not built.
    pub fn of(&self, row: &Row, step: usize) -> Result<&Built, String> {
        let ours = self.ours.iter().find(|(source, _)| Some(*source) == row.source());
        let built = ours.and_then(|(_, steps)| steps.get(step));
        built.map_or_else(|| Err("no C file has its driver".into()), |built| built.as_ref().map_err(String::clone))
    }

    /// The peers that were built.
    pub fn peers(&self) -> impl Iterator<Item = (&'static Peer, &Path)> {
        self.peers.iter().filter_map(|(peer, path)| Some((*peer, path.as_deref().ok()?)))
    }

    /// Why the other peers were not.
    pub fn missing(&self) -> impl Iterator<Item = &str> {
        self.peers.iter().filter_map(|(_, path)| path.as_deref().err().map(String::as_str))
    }
}

/// What to build for: the user's target on a GPU.
fn target(options: &Options) -> Result<config::Target, Stop> {
    Ok(program::config([], options.config.as_ref(), None, Backend::Cuda)?.target)
}

/// A program for each step. One that is converted to the same files as the step before is the same program.
fn steps_of(
    source: &'static Source,
    options: &Options,
    steps: &[Step],
    target: &Target,
    folder: &Path,
) -> Vec<Result<Built, String>> {
    let mut before: Option<(Vec<File>, Result<Built, String>)> = None;
    let mut all = vec![];
    for (at, (_, optimize)) in steps.iter().enumerate() {
        let folder = folder.join(format!("{}.{at}", source.name));
        let config = program::config([source], options.config.as_ref(), optimize.as_deref(), Backend::Cuda);
        let converted = config.and_then(|config| converted(source, config, &folder));
        let built = match (converted, &before) {
            (Err(stop), _) => Err(in_a_line(&stop)),
            (Ok((files, _)), Some((same, built))) if kernels(&files).eq(kernels(same)) => built.clone(),
            (Ok((files, diagnostics)), _) => {
                let out = folder.join("converted");
                let program = build::Program { folder: &out, files: &files, cflags: &[], headers: None };
                let path = build::executable(&program, target);
                let built = path.map(|path| Built { path, diagnostics }).map_err(|stop| in_a_line(&stop));
                before = Some((files, built.clone()));
                built
            }
        };
        all.push(built);
    }
    all
}

/// The CUDA files of a program, which are all that differs between steps.
fn kernels(files: &[File]) -> impl Iterator<Item = &File> {
    files.iter().filter(|file| file.path.extension().is_some_and(|extension| extension == "cu"))
}

fn converted(source: &Source, config: Config, folder: &Path) -> Result<(Vec<File>, Vec<Diagnostic>), Stop> {
    let text = program::text([source]);
    let files = written_to(folder, &[(source.name, text.as_str()), program::HEADER])?;
    let options = ConvertOptions { cflags: vec!["-O2".into()], config, ..ConvertOptions::default() };
    let converted = pipeline::convert(&files[..1], &options)?;
    Ok((converted.files, converted.diagnostics))
}

fn by_hand(peer: &Peer, target: &Target, folder: &Path) -> Result<PathBuf, String> {
    let folder = folder.join(peer.source.0).with_extension("peer");
    let files = written_to(&folder, &[peer.source, peers::HEADER]).map_err(|stop| in_a_line(&stop))?;
    let path = folder.join("peer");
    let built = build::by_hand(&files[0], peer.libraries, &path, target);
    built.map(|()| path).map_err(|failure| match failure {
        Failure::Start(stop) => in_a_line(&stop),
        Failure::Refused(words) => {
            let fault = words.lines().find(|line| line.contains("error")).unwrap_or(first_line(&words));
            format!("{} does not build: {fault}", peer.source.0)
        }
    })
}

/// What stopped a program, for a cell of the table.
pub fn in_a_line(stop: &Stop) -> String {
    match stop {
        Stop::Input(d) => {
            d.notes.iter().fold(d.message.clone(), |all, (_, note)| format!("{all}: {}", first_line(note)))
        }
        Stop::Bug(what) => what.lines().take(3).collect::<Vec<_>>().join(" "),
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}
