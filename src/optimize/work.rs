//! Surroundings in which kernels are converted: the C file for as long as it is needed, its flags, its configuration; and the way back
//! from places in it to the user's text.

use super::switched::Switched;
use crate::config::{Config, Library};
use crate::diag::{Diagnostic, Place, Stop, no_temporary_folder};
use crate::frontend::CudaFile;
use crate::frontend::kernel::Kernel;
use crate::frontend::phases::Phased;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Options of an optimisation.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Name and text of the user's configuration.
    pub config: Option<(String, String)>,
    /// Flags for the C preprocessor.
    pub cflags: Vec<String>,
    /// Steps that are switched on; `None`: all.
    pub switched: Option<Switched>,
}

/// The user's configuration with a region for each kernel, and for each of those with barriers as a whole. No library is called: a
/// launch stands for a kernel.
///
/// # Errors
/// Fault in the user's text.
pub fn config<'k>(
    kernels: impl Iterator<Item = &'k Kernel>,
    phased: &[Phased],
    options: &Options,
) -> Result<Config, Stop> {
    let (name, mut text) = options.config.clone().unwrap_or(("optimize.toml".into(), String::new()));
    let first = |faults: Vec<Diagnostic>| match faults.into_iter().next() {
        Some(fault) => Stop::from(fault),
        None => Stop::Bug("a configuration without a fault was refused".into()),
    };
    let named = Config::parse(&name, &text).map_err(first)?;
    let wholes = phased.iter().map(|whole| &whole.name);
    for name in kernels.map(|kernel| &kernel.name).chain(wholes.clone()) {
        if !named.regions.iter().any(|region| region.selector.name() == name) {
            text += &format!("\n[[region]]\nfunction = \"{name}\"\n");
        }
    }
    let mut config = Config::parse(&name, &text).map_err(first)?;
    for region in &mut config.regions {
        region.settings.is_one_kernel = wholes.clone().any(|name| region.selector.name() == name);
    }
    let regions = config.regions.iter_mut().map(|region| &mut region.settings);
    for settings in regions.chain([&mut config.defaults]) {
        settings.library = Library::Never;
        settings.stays = false;
    }
    if let Some(switched) = &options.switched {
        switched.restrict(&mut config);
    }
    Ok(config)
}

/// The header with what CUDA has beside C.
const WORDS: (&str, &str) = ("rt_cuda_words.h", include_str!("../../templates/optimize/cuda_words.h"));

/// The C of kernels as a file of its own, for as long as this lives.
pub struct Work<'f> {
    folder: TempDir,
    /// The file.
    pub source: PathBuf,
    file: &'f CudaFile,
    users: PathBuf,
}

impl<'f> Work<'f> {
    /// Writes a text under the name of the user's file.
    ///
    /// # Errors
    /// `no-temporary-folder` where no temporary file can be written.
    pub fn new(path: &Path, file: &'f CudaFile, text: &str) -> Result<Work<'f>, Stop> {
        let no_folder = |e| no_temporary_folder(&e);
        let folder = tempfile::tempdir().map_err(no_folder)?;
        let source = folder.path().join(path.file_name().unwrap_or("kernels.cu".as_ref()));
        std::fs::write(&source, text).map_err(no_folder)?;
        std::fs::write(folder.path().join(WORDS.0), WORDS.1).map_err(no_folder)?;
        Ok(Work { folder, source, file, users: path.to_owned() })
    }

    /// The flags for its preprocessor and compiler: it is C whatever its name ends with, and headers lie beside the user's
    /// file.
    pub fn cflags(&self, options: &Options) -> Vec<String> {
        let absolute = std::path::absolute(&self.users).unwrap_or(self.users.clone());
        let beside = absolute.parent().unwrap_or(Path::new("/")).to_string_lossy().into_owned();
        let words = self.folder.path().join(WORDS.0).to_string_lossy().into_owned();
        let fixed = ["-x", "c", "-iquote", &beside, "-include", &words].map(str::to_owned);
        fixed.into_iter().chain(options.cflags.iter().cloned()).collect()
    }

    /// Cause that stopped a conversion, said of the user's file.
    pub fn told(&self, stop: Stop) -> Stop {
        match stop {
            Stop::Input(d) => self.as_users(*d).into(),
            bug @ Stop::Bug(_) => bug,
        }
    }

    /// A diagnostic, said of the user's file.
    pub fn as_users(&self, mut d: Diagnostic) -> Diagnostic {
        let named = |text: &str| {
            let own = text.replace(&*self.source.to_string_lossy(), &self.file.path);
            own.replace(&*self.folder.path().to_string_lossy(), ".")
        };
        d.message = named(&d.message);
        d.help = d.help.map(|help| named(&help));
        d.place = d.place.map(|place| self.place(place));
        d.notes = d.notes.into_iter().map(|(place, note)| (place.map(|p| self.place(p)), named(&note))).collect();
        d
    }

    /// A place in the user's text: that line, and in it what stands at the place in the C, if the user wrote it.
    fn place(&self, mut place: Place) -> Place {
        if place.file != self.source.to_string_lossy() {
            return place;
        }
        let line = self.file.text.lines().nth(place.line.saturating_sub(1) as usize).unwrap_or_default().trim_end();
        let chars = |text: &str| text.chars().count() as u32;
        let marked: String = place.text.chars().skip(place.column as usize - 1).take(place.length as usize).collect();
        let (column, length) = match line.find(marked.trim()).filter(|_| !marked.trim().is_empty()) {
            Some(at) => (chars(&line[..at]) + 1, chars(marked.trim())),
            None => (chars(line) - chars(line.trim_start()) + 1, chars(line.trim_start()).max(1)),
        };
        place.file.clone_from(&self.file.path);
        Place { column, length, text: line.to_owned(), ..place }
    }
}
