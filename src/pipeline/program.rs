//! The program: its converted files, what stays on the device between their regions, the files that are emitted.

use super::context::Context;
use super::file::FileState;
use super::runner::Level;
use crate::ast::Unit;
use crate::diag::Stop;
use crate::emit::entries::{self, Entry};
use crate::emit::{self, CFile, Homecoming, Program, Site, home_text};
use crate::host_plan::ir::Region;
use crate::residency::decide::find;
use crate::residency::needs::{Part, Place, Residency};
use crate::residency::standard::{calls_unknown, touches_unseen};
use crate::residency::text;
use crate::source::cut::Text;

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
    if program.files.iter().any(|f| touches_unseen(&f.file.unit)) {
        return program
            .files
            .iter()
            .flat_map(|f| &f.sites)
            .filter(|s| s.region.leaves)
            .for_each(|s| note(&s.region, context));
    }
    let units: Vec<&Unit> = program.files.iter().map(|f| &f.file.unit).collect();
    let is_open = calls_unknown(&units);
    for plan in program.files.iter_mut().flat_map(|f| &mut f.sites).map(|s| &mut s.region) {
        plan.closes_pages = (is_open || !plan.leaves) && plan.may_leave();
        if plan.closes_pages || plan.leaves {
            note(plan, context);
        }
    }
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

fn note(plan: &Region, context: &mut Context) {
    if let Some(region) = context.report.regions.iter_mut().find(|r| r.name == plan.name) {
        region.notes.push(text::note(plan));
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
        let regions = f.sites.iter().map(|s| &s.region);
        text::text(regions, program.residency.needs.iter().filter(|n| n.part == part), &|s| f.file.line(s))
    };
    program.files.iter().enumerate().map(of_file).collect()
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
        let FileState { path, source, .. } = file;
        let (text, inclusions) = source.whole(text);
        CFile { path, text, inclusions, sites, homecomings }
    };
    files.into_iter().zip(homecomings).map(c_file).collect()
}
