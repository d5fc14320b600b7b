//! The program: its converted files, what stays on the device between their regions, the files that are emitted.

use super::context::Context;
use super::file::FileState;
use super::runner::Level;
use crate::diag::Stop;
use crate::emit::entries::{self, Entry};
use crate::emit::{self, CFile, Homecoming, Program, Site, forward_text, head_text, home_text};
use crate::report::Kept;
use crate::residency::cause::Cause;
use crate::residency::causes;
use crate::residency::decide::find;
use crate::residency::kept::{Known, nothing_kept};
use crate::residency::needs::{Part, Place, Residency};
use crate::residency::text;
use crate::source::cut::Text;
use crate::source::macros::SelfNamed;
use std::collections::BTreeMap;

/// The level of the program.
pub struct ProgramLevel;

impl Level for ProgramLevel {
    type State<'s> = ProgramState;
    type Error = Stop;
}

/// The program. Each part is empty until its pass ran.
#[derive(Default)]
pub struct ProgramState {
    /// In the order of the command line; taken by pass `emit`.
    pub files: Vec<ConvertedFile>,
    /// Data that stay on the device between regions.
    pub residency: Residency,
    /// Every decision taken.
    pub report: serde_json::Value,
    /// The files of the output folder.
    pub emitted: Vec<emit::File>,
    /// Entries of functions that stand for kernels.
    pub entries: Vec<Entry>,
}

/// A file and its regions.
pub struct ConvertedFile {
    pub file: FileState,
    pub sites: Vec<Site>,
}

impl ConvertedFile {
    pub(super) fn part(&self) -> Part<'_> {
        let regions = self.sites.iter().map(|s| &s.region).collect();
        Part { source: &self.file.source, unit: &self.file.unit, regions }
    }
}

/// Decides what stays on the device between the regions of the program, and notes it in their plans.
pub fn find_residency(program: &mut ProgramState, context: &mut Context) {
    if !emit::is_threaded(&context.options.cflags) {
        find_announced(program, context);
    }
    let parts: Vec<_> = program.files.iter().map(ConvertedFile::part).collect();
    let (unknown, unseen) = (causes::unknown(&parts), causes::unseen(&parts));
    if unseen.is_none() {
        for plan in program.files.iter_mut().flat_map(|f| &mut f.sites).map(|s| &mut s.region) {
            plan.closes_pages = (!unknown.is_empty() || !plan.leaves) && plan.may_leave();
        }
    }
    let kept = kept(program, &unknown, unseen);
    context.report.nothing_kept = nothing_kept(kept.values().flatten());
    for ((part, region), kept) in &kept {
        let name = &program.files[*part].sites[*region].region.name;
        if let Some(region) = context.report.regions.iter_mut().find(|r| r.name == *name) {
            region.kept.clone_from(kept);
        }
    }
    program.residency.kept = kept;
}

/// Where the arrays of each region are between calls, by part and place.
fn kept(program: &ProgramState, unknown: &[Cause], unseen: Option<Cause>) -> BTreeMap<(usize, usize), Vec<Kept>> {
    let parts: Vec<_> = program.files.iter().map(ConvertedFile::part).collect();
    let place = |cause: &Cause| {
        let place = program.files[cause.part].file.source.place(cause.span);
        (place.file, place.line)
    };
    let known = Known { parts: &parts, residency: &program.residency, unknown, unseen, place: &place };
    let all = parts.iter().enumerate().flat_map(|(part, p)| (0..p.regions.len()).map(move |region| (part, region)));
    all.map(|at| (at, known.kept(at))).collect()
}

/// Decides where the program's text can say what the host touches.
fn find_announced(program: &mut ProgramState, context: &mut Context) {
    let text = context.text();
    let parts: Vec<_> = program.files.iter().map(ConvertedFile::part).collect();
    let can_place = |part: usize, place: &Place| {
        matches!(place, Place::Region(_)) || home_text::spot(parts[part].source, text, place).is_some()
    };
    program.residency = find(&parts, context.options.object.is_none(), &can_place);
    for (part, region) in &program.residency.leaves {
        let plan = &mut program.files[*part].sites[*region].region;
        plan.leaves = true;
    }
}

/// The regions of each file, and where they are, as text.
pub fn regions_text(program: &ProgramState) -> String {
    let line = |s: &Site| {
        let outer = s.region.offload.as_ref().and_then(|estimate| estimate.within.as_ref());
        let within = outer.map_or(String::new(), |outer| format!(", within {outer}"));
        format!("region {}, lines {} to {}{within}\n", s.region.name, s.lines.0, s.lines.1)
    };
    program.files.iter().flat_map(|f| &f.sites).map(line).collect()
}

/// Data that stay, file by file, as text.
pub fn residency_text(program: &ProgramState) -> String {
    let of_file = |(part, f): (usize, &ConvertedFile)| {
        let kept = |region: usize| program.residency.kept.get(&(part, region)).map_or(&[][..], Vec::as_slice);
        let regions = f.sites.iter().enumerate().map(|(region, s)| (s.region.name.as_str(), kept(region)));
        text::text(regions, program.residency.needs.iter().filter(|n| n.part == part), &|s| f.file.line(s))
    };
    let nothing = nothing_kept(program.residency.kept.values().flatten());
    let nothing = nothing.map(|reason| reason.nothing_kept() + "\n");
    program.files.iter().enumerate().map(of_file).chain(nothing).collect()
}

/// Writes the files of the output folder.
///
/// # Errors
/// As [`emit::emit`].
pub fn emit_files(program: &mut ProgramState, context: &mut Context) -> Result<(), Stop> {
    let options = context.options;
    program.report = serde_json::to_value(&context.report).map_err(|e| Stop::Bug(format!("report: {e}")))?;
    let whole = Program {
        files: c_files(program, context.text()),
        decisions: program.report.clone(),
        // One object of a program leaves the rest of it to the program's own build.
        uses_api: context.uses_api && options.object.is_none(),
    };
    let emit_options = emit::Options {
        check: options.check,
        arch: options.config.target.arch.to_string(),
        fmad: options.config.target.fmad,
        cflags: options.cflags.clone(),
        folder: std::env::current_dir().unwrap_or_default(),
    };
    program.emitted = emit::emit(&whole, &emit_options)?;
    let is_asked = |site: &&Site| options.launches.contains_key(&site.region.function);
    let sites = whole.files.iter().flat_map(|file| &file.sites).filter(is_asked);
    program.entries = sites.map(entries::entry).collect::<Result<_, _>>()?;
    Ok(())
}

/// The C files with the places where they must have at home what stays on the device.
fn c_files(program: &mut ProgramState, text: Text) -> Vec<CFile> {
    let mut files = std::mem::take(&mut program.files);
    let mut homecomings: Vec<Vec<Homecoming>> = vec![vec![]; files.len()];
    for need in std::mem::take(&mut program.residency).needs {
        let part = need.part;
        if let Place::Region(region) = need.place {
            files[part].sites[region].touch = Some(need.touch);
        } else if let Some(here) = home_text::homecoming(&files[part].file.source, text, need) {
            homecomings[part].push(here);
        }
    }
    let c_file = |(ConvertedFile { file, sites }, homecomings)| {
        let FileState { path, source, unit, .. } = file;
        let heads = unit.functions.iter().filter_map(|f| head_text::head(&source, text, f)).collect();
        let forward = forward_text::forward(&source, text, &unit);
        let macros = if text == Text::Users { source.macros.clone() } else { SelfNamed::default() };
        let (text, inclusions) = source.whole(text);
        CFile { path, text, inclusions, sites, homecomings, heads, forward, macros }
    };
    files.into_iter().zip(homecomings).map(c_file).collect()
}
