//! Inputs: a PTX file, a CUDA file that nvcc compiles to one, or a C file whose regions are converted first.

use super::module::{Function, Loc, Module};
use super::read;
use super::run::{Fault, trouble::Trouble};
use crate::diag::{Diagnostic, Place, Stop, no_temporary_folder};
use crate::emit;
use crate::pipeline::{self, ConvertOptions};
use crate::report::{self, Report};
use crate::runtime::build;
use crate::runtime::call::{Call, Failure};
use crate::runtime::toolchain;
use crate::schedule::mapping::Mapping;
use crate::schedule::strategies::STRATEGIES;
use crate::source::preprocess::read_file;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The most bytes of a source file whose lines are shown.
const MOST_SHOWN: u64 = 8 << 20;

/// PTX with what it was compiled from.
#[derive(Debug)]
pub struct Unit {
    /// The file as the user would name it.
    pub name: String,
    /// The PTX.
    pub text: String,
    pub module: Module,
    /// Mappings of emitted kernels, by name, where the PTX comes of converted C.
    pub mappings: BTreeMap<String, Mapping>,
    /// Files that `.loc` speaks of: their names, and their text where it can be read.
    sources: BTreeMap<u32, (String, String)>,
}

/// Settings by which an input is compiled.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// `sm_90`.
    pub arch: String,
    /// For a CUDA file, flags for nvcc; for C, how it is converted.
    pub convert: ConvertOptions,
    /// The files of a C program.
    pub files: Vec<PathBuf>,
}

/// Reads an input, compiled where it has to be; a C program may have several units.
///
/// # Errors
/// Files that cannot be read or compiled, PTX that is not understood.
pub fn load(path: &Path, settings: &Settings) -> Result<Vec<Unit>, Stop> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    match extension {
        "ptx" => Ok(vec![Unit::read(&path.display().to_string(), &text_of(path)?, None)?]),
        "cu" => Ok(vec![compiled(path, settings)?]),
        "c" => converted(path, settings),
        _ => {
            let message = format!("{} is neither PTX, CUDA nor C by its name", path.display());
            Err(Diagnostic::error("ptx-input", message, None).help("give a file that ends in .ptx, .cu or .c").into())
        }
    }
}

fn text_of(path: &Path) -> Result<String, Diagnostic> {
    String::from_utf8(read_file(path)?).map_err(|_| {
        let message = format!("{} is no text in UTF-8", path.display());
        Diagnostic::error("ptx-input", message, None).help("PTX is text; `cuobjdump -ptx` takes it out of a program")
    })
}

/// Compiles the user's CUDA file.
fn compiled(path: &Path, settings: &Settings) -> Result<Unit, Stop> {
    // A file that is not there is told of as any other.
    drop(read_file(path)?);
    let nvcc = toolchain::nvcc()?;
    let folder = folder()?;
    let ptx = folder.path().join("kernels.ptx");
    let mut call = Call::new(&[nvcc.path]);
    call.args(["-ptx", "-lineinfo", "-arch", &settings.arch, "-w"]).args(&settings.convert.cflags);
    call.args(["-o".as_ref(), ptx.as_os_str()]).args([path]);
    call.run().map_err(|failure| match failure {
        Failure::Start(stop) => stop,
        Failure::Refused(words) => {
            Diagnostic::error("compile-failed", format!("{} does not compile", path.display()), None)
                .note(None, words)
                .help("flags for nvcc go after `--`, as in `-- -std=c++20 -Iinclude -DN=1024`")
                .into()
        }
    })?;
    Unit::read(&path.display().to_string(), &text_of(&ptx)?, None)
}

/// Converts the regions of a C program, and compiles the kernels.
fn converted(path: &Path, settings: &Settings) -> Result<Vec<Unit>, Stop> {
    let files = if settings.files.is_empty() { vec![path.to_owned()] } else { settings.files.clone() };
    let converted = pipeline::convert(&files, &settings.convert)?;
    let is_kernels = |file: &&emit::File| file.path.extension().is_some_and(|extension| extension == "cu");
    let sources: Vec<&emit::File> = converted.files.iter().filter(is_kernels).collect();
    if sources.is_empty() {
        let message = format!("no loop of {} becomes a kernel", path.display());
        return Err(Diagnostic::error("ptx-input", message, None).help("`rtcuda explain` tells why").into());
    }
    let folder = folder()?;
    emit::write(&converted.files, folder.path())?;
    let fmad = settings.convert.config.target.fmad;
    let target = build::Target::Gpu { nvcc: toolchain::nvcc()?, arch: settings.arch.clone(), fmad };
    let mut units = Vec::new();
    for source in sources {
        let ptx = source.path.with_extension("ptx");
        build::ptx(folder.path(), &source.path, &ptx, &target)?;
        let text = text_of(&folder.path().join(ptx))?;
        let mut unit = Unit::read(&source.path.display().to_string(), &text, Some(folder.path()))?;
        unit.mappings = mappings(&converted.report);
        units.push(unit);
    }
    Ok(units)
}

/// The mappings of a report's kernels that are read back.
fn mappings(report: &serde_json::Value) -> BTreeMap<String, Mapping> {
    let Ok(report) = serde_json::from_value::<Report>(report.clone()) else { return BTreeMap::new() };
    let strategies: Vec<&'static str> = STRATEGIES.iter().map(|s| s.name).collect();
    let mapping = |kernel: &report::Kernel| Mapping::parse(&kernel.mapping.join("\n"), &strategies).ok();
    let kernels = report.regions.iter().flat_map(|region| &region.kernels);
    kernels.filter_map(|kernel| Some((kernel.name.clone(), mapping(kernel)?))).collect()
}

fn folder() -> Result<tempfile::TempDir, Stop> {
    tempfile::tempdir().map_err(|e| no_temporary_folder(&e).into())
}

impl Unit {
    /// Reads PTX. Names of source files below `within`, or the current folder, are shown from there.
    ///
    /// # Errors
    /// PTX that is not understood.
    pub fn read(name: &str, text: &str, within: Option<&Path>) -> Result<Unit, Stop> {
        let module = read::read(text).map_err(|fault| fault.told(name, text))?;
        let here = std::env::current_dir().unwrap_or_default();
        let sources = module.files.iter().map(|(&number, file)| {
            let path = Path::new(file);
            let shown = path.strip_prefix(within.unwrap_or(&here)).unwrap_or(path);
            let is_small = path.metadata().is_ok_and(|found| found.is_file() && found.len() <= MOST_SHOWN);
            let text = if is_small { std::fs::read_to_string(path).unwrap_or_default() } else { String::new() };
            (number, (shown.display().to_string(), text))
        });
        let sources = sources.collect();
        let mut unit = Unit { name: name.into(), text: text.into(), module, mappings: BTreeMap::new(), sources };
        unit.settle();
        Ok(unit)
    }

    /// Gives inlined instructions their own lines, where these are the user's: in a file beside that of the function which holds
    /// them, and no header of the runtime. Where that one names the C that it comes of, its line says more.
    fn settle(&mut self) {
        let mut functions = std::mem::take(&mut self.module.functions);
        for instruction in functions.iter_mut().flat_map(|f| &mut f.code).filter(|i| !i.within.is_empty()) {
            let Some(outermost) = instruction.loc else { continue };
            let is_of_c = self.origin(self.file(outermost), outermost.line).is_some();
            let own = instruction.within.drain(..).find(|loc| !is_of_c && self.is_users(*loc, outermost));
            if let Some(own) = own {
                (instruction.loc, instruction.inlined_at) = (Some(own), Some(outermost));
            }
        }
        self.module.functions = functions;
    }

    fn is_users(&self, loc: Loc, beside: Loc) -> bool {
        let path = |loc: Loc| self.module.files.get(&loc.file).map(Path::new);
        let (Some(own), Some(beside)) = (path(loc), path(beside)) else { return false };
        let is_runtime = own.file_name().is_some_and(|name| name.to_string_lossy().starts_with("rt_"));
        own == beside || !is_runtime && beside.parent().is_some_and(|folder| own.starts_with(folder))
    }

    /// The name of a source file.
    pub fn file(&self, loc: Loc) -> &str {
        self.sources.get(&loc.file).map_or("", |(name, _)| name)
    }

    /// The text of a source line, where it can be read.
    pub fn line(&self, loc: Loc) -> &str {
        self.shown(self.file(loc), loc.line)
    }

    /// The text of a line of a source file, where it can be read.
    pub fn shown(&self, file: &str, line: u32) -> &str {
        let found = self.sources.values().find(|(name, _)| name == file);
        let text = found.map_or(if file == self.name { self.text.as_str() } else { "" }, |(_, text)| text);
        text.lines().nth((line as usize).wrapping_sub(1)).unwrap_or_default().trim()
    }

    /// The C line that a line of an emitted file comes from, where its end says so: `// mm.c:28`.
    pub fn origin(&self, file: &str, line: u32) -> Option<&str> {
        let (_, origin) = self.shown(file, line).rsplit_once("// ")?;
        let (name, number) = origin.rsplit_once(':')?;
        let is_place = name.ends_with(".c") && !name.contains(' ') && number.parse::<u32>().is_ok();
        is_place.then_some(origin)
    }

    /// The place of an instruction: in the source where the PTX tells it, else in the PTX.
    pub fn place(&self, function: &Function, instruction: usize) -> Option<Place> {
        let found = function.code.get(instruction)?;
        match found.loc.filter(|&loc| !self.line(loc).is_empty()) {
            Some(loc) => self.sources.get(&loc.file).map(|(name, text)| read::fault::place(name, text, loc.line)),
            None => Some(read::fault::place(&self.name, &self.text, found.line)),
        }
    }

    /// A fault of a run, as a user sees it.
    pub fn told(&self, fault: Fault) -> Diagnostic {
        match fault {
            Fault::Launch(diagnostic) => *diagnostic,
            Fault::Instruction { trouble, function, instruction, block, thread } => {
                let Trouble { code, message, help, .. } = trouble;
                let function = &self.module.functions[function];
                let [x, y, z] = block;
                let thread = thread.map(|[x, y, z]| format!("thread ({x}, {y}, {z}) of ")).unwrap_or_default();
                let who = format!("{thread}block ({x}, {y}, {z}) in `{}`", function.source_name());
                let mut told = Diagnostic::error(code, message, self.place(function, instruction)).note(None, who);
                if let Some(found) = function.code.get(instruction) {
                    let place = read::fault::place(&self.name, &self.text, found.line);
                    told = told.note(None, format!("line {} of the PTX: {}", found.line, place.text.trim()));
                }
                match help {
                    Some(help) => told.help(help),
                    None => told,
                }
            }
        }
    }
}

/// The unit and the number of the kernel that a name means.
///
/// # Errors
/// `ptx-kernel`: there is none, or more than one.
pub fn kernel<'u>(units: &'u [Unit], name: Option<&str>) -> Result<(&'u Unit, usize), Diagnostic> {
    let all: Vec<(&Unit, usize)> = units
        .iter()
        .flat_map(|unit| unit.module.functions.iter().enumerate().map(move |(number, f)| (unit, number, f)))
        .filter(|(.., function)| function.is_kernel)
        .map(|(unit, number, _)| (unit, number))
        .collect();
    let function = |&(unit, number): &(&'u Unit, usize)| &unit.module.functions[number];
    let matching = |is_it: &dyn Fn(&Function) -> bool| -> Vec<(&'u Unit, usize)> {
        all.iter().filter(|found| is_it(function(found))).copied().collect()
    };
    let found = match name {
        None => all.clone(),
        Some(name) => {
            let exact = matching(&|f| f.name == name);
            let in_source = matching(&|f| f.source_name() == name);
            let parts = matching(&|f| f.name.contains(name));
            [exact, in_source, parts].into_iter().find(|found| !found.is_empty()).unwrap_or_default()
        }
    };
    let names: Vec<&str> = all.iter().map(|found| function(found).name.as_str()).take(20).collect();
    let message = match (&found[..], name) {
        ([one], _) => return Ok(*one),
        _ if all.is_empty() => {
            return Err(Diagnostic::error("ptx-kernel", "there is no kernel in the file", None)
                .help("a kernel is `__global__` in CUDA and `.entry` in PTX; a template needs an instance"));
        }
        ([], Some(name)) => format!("there is no kernel `{name}`"),
        (many, Some(name)) => format!("`{name}` is part of the names of {} kernels", many.len()),
        (many, None) => format!("there are {} kernels", many.len()),
    };
    let help = format!("--kernel takes a name or a part of it that only one has: {}", names.join(", "));
    Err(Diagnostic::error("ptx-kernel", message, None).help(help))
}
