//! A link with objects that have regions needs the libraries of the runtime: which ones, the objects themselves say.
//!
//! Each `.cu` file defines a variable that names its backend (`templates/runtime/rt_runtime.h`). Its name stands in the
//! symbol table of every object that holds the file, and in the index of every archive that holds such an object.

use super::arguments::{Arguments, Part, Stage};
use super::response;
use super::settings::refused;
use crate::diag::{Diagnostic, Stop};
use crate::runtime::build::Target;
use crate::runtime::call::Call;
use crate::runtime::toolchain::{self, Nvcc};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// How inputs of the linker begin: an object, an archive, an archive of names.
const MAGIC: [&[u8]; 3] = [b"\x7fELF", b"!<arch>\n", b"!<thin>\n"];
const SIMULATED: &[u8] = b"rtcuda_object_simulated";
const CUDA: &[u8] = b"rtcuda_object_cuda";
/// Inputs are read in pieces of this size.
const PIECE: usize = 1 << 20;

/// What the inputs of a link need.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Needs {
    simulated: bool,
    cuda: bool,
}

/// The words that a link needs beside the user's, for its inputs and for regions that it converts itself.
///
/// # Errors
/// `mixed-backends` where some objects are for a GPU and some are simulated; `no-nvcc` where the runtime of CUDA is not
/// to be found.
pub fn libraries(arguments: &Arguments, own: Option<&Target>) -> Result<Vec<String>, Stop> {
    if arguments.stage != Stage::Link || ["-r", "-Wl,-r", "-Wl,--relocatable"].iter().any(|name| arguments.has(name)) {
        return Ok(Vec::new());
    }
    let mut needs = match own {
        None => Needs::default(),
        Some(Target::Simulation) => Needs { simulated: true, cuda: false },
        Some(Target::Gpu { .. }) => Needs { simulated: false, cuda: true },
    };
    for path in inputs(arguments) {
        // What cannot be read, the linker will speak of.
        let _ = note_needs(&path, &mut needs);
    }
    let mut words = Vec::new();
    if needs.simulated && needs.cuda {
        let message = "some of these objects were compiled for a GPU, and some for the simulation on the CPU";
        let help = "compile all of them anew with one backend: `make clean`, then RTCUDA_BACKEND=cuda or cpu for all";
        return Err(Diagnostic::error("mixed-backends", message, None).help(help).into());
    }
    if needs.cuda {
        words.extend(runtime_folder(&toolchain::nvcc()?).map(|folder| format!("-L{}", folder.display())));
        words.extend(["-lcudart_static", "-ldl", "-lrt", "-lpthread"].map(str::to_owned));
    }
    if needs.cuda || needs.simulated {
        words.extend(["-lstdc++", "-lm"].map(str::to_owned));
    }
    Ok(words)
}

/// The objects and archives on a command line, those behind `-l` too.
fn inputs(arguments: &Arguments) -> Vec<PathBuf> {
    let value = |word: &[String], prefix: &str| word.last().map(|w| w.strip_prefix(prefix).unwrap_or(w).to_owned());
    let of = |part| arguments.words.iter().filter(move |word| word.part == part);
    let folders: Vec<String> = of(Part::LibraryFolder).filter_map(|word| value(&word.text, "-L")).collect();
    let mut paths: Vec<PathBuf> = of(Part::Input).map(|word| PathBuf::from(&word.text[0])).collect();
    for library in of(Part::Library).filter_map(|word| value(&word.text, "-l")) {
        let file = match library.strip_prefix(':') {
            Some(file) => file.to_owned(),
            None => format!("lib{library}.a"),
        };
        paths.extend(folders.iter().map(|folder| Path::new(folder).join(&file)).find(|path| path.is_file()));
    }
    paths
}

/// Looks for the names in a file. A shared library has its runtime in itself.
fn note_needs(path: &Path, needs: &mut Needs) -> io::Result<()> {
    if path.file_name().is_some_and(|name| name.to_string_lossy().contains(".so")) || !path.is_file() {
        return Ok(());
    }
    let mut file = File::open(path)?;
    let mut piece = Vec::new();
    let mut is_input = false;
    while (&mut file).take(PIECE as u64).read_to_end(&mut piece)? > 0 {
        is_input = is_input || MAGIC.iter().any(|magic| piece.starts_with(magic));
        if !is_input {
            return Ok(());
        }
        needs.simulated |= contains(&piece, SIMULATED);
        needs.cuda |= contains(&piece, CUDA);
        // A name may lie across two pieces.
        piece.drain(..piece.len().saturating_sub(SIMULATED.len()));
    }
    Ok(())
}

fn contains(text: &[u8], wanted: &[u8]) -> bool {
    let mut from = 0;
    while let Some(at) = text[from..].iter().position(|byte| *byte == wanted[0]) {
        if text[from + at..].starts_with(wanted) {
            return true;
        }
        from += at + 1;
    }
    false
}

/// The folder of CUDA's runtime library, where the linker would not find it by itself.
fn runtime_folder(nvcc: &Nvcc) -> Option<PathBuf> {
    let toolkit = nvcc.path.canonicalize().ok()?.parent()?.parent()?.to_owned();
    let folders = ["lib", "lib64", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"];
    folders.iter().map(|folder| toolkit.join(folder)).find(|folder| folder.join("libcudart_static.a").exists())
}

/// Links again, with the converted objects in the place of their C files, to `program`.
///
/// # Errors
/// Those of [`libraries`]; what does not link, although the C did, as [`Stop::Bug`].
pub fn again(
    arguments: &Arguments,
    objects: &[(usize, PathBuf)],
    target: &Target,
    folder: &Path,
    program: &Path,
) -> Result<(), Stop> {
    let mut words = Vec::new();
    for (at, word) in arguments.words.iter().enumerate() {
        match (objects.iter().find(|(of, _)| *of == at), word.part) {
            (Some((_, object)), _) => {
                let object = object.display().to_string();
                match &word.language {
                    None => words.push(object),
                    Some(language) => words.extend(["-x", "none", &object, "-x", language].map(str::to_owned)),
                }
            }
            (None, Part::Output | Part::Side | Part::Warning) => {}
            (None, _) => words.extend(word.text.clone()),
        }
    }
    words.extend(["-w".into(), "-o".into(), program.display().to_string()]);
    words.extend(libraries(arguments, Some(target))?);
    if arguments.has_response_file {
        let path = folder.join("words");
        std::fs::write(&path, response::text(&words)).map_err(|e| Stop::Bug(format!("cc: {}: {e}", path.display())))?;
        words = vec![format!("@{}", path.display())];
    }
    Call::new(&toolchain::c_compiler()?).args(words).run().map_err(refused("the converted program does not link"))
}
