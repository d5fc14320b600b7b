//! The command line of a C compiler, as far as it must be understood to convert: which words are C files, what is made
//! of them, and which other words say what. A table of the options of GCC and Clang that take the next word as their
//! value; everything else is told by how it begins.
//!
//! ```text
//! -O3 -c src/jacobi.c -MMD -MF jacobi.d -o jacobi.o
//! Compile, Stage, Input(c), Side, Side, Output       an object jacobi.o of one C file
//! ```
//! A command that asks for anything else than an object or a link (`-E`, `-S`, `--version`, `-print-…`), reads its
//! input from a pipe, or changes what C means is not understood here: the compiler alone runs it.

use super::response;
use std::path::{Path, PathBuf};

/// What a word of the command line says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// A file that is compiled or linked.
    Input,
    /// `-o`.
    Output,
    /// `-c`.
    Stage,
    /// `-x`.
    Language,
    /// Of macros and headers.
    Preprocessor,
    /// Of warnings.
    Warning,
    /// A further output: dependencies, statistics, intermediate files.
    Side,
    /// `-l`.
    Library,
    /// `-L`.
    LibraryFolder,
    /// For the linker alone.
    Link,
    /// Of optimisation across objects.
    Lto,
    /// Anything else: of the language, the machine, the optimisation.
    Compile,
}

/// What is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// An object for each file.
    Object,
    /// A program or library.
    Link,
}

/// A word of the command line, with the next one where that is its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// What it says.
    pub part: Part,
    /// One word or two.
    pub text: Vec<String>,
    /// The language that `-x` gives the file.
    pub language: Option<String>,
}

/// A command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arguments {
    /// All words, in order, those of response files in their place.
    pub words: Vec<Word>,
    /// What is made.
    pub stage: Stage,
    /// Flag: a response file was used: the words may be too many for a command line.
    pub has_response_file: bool,
}

/// Options whose value is the next word, where nothing is joined to them.
const WITH_VALUE: &[(&str, Part)] = &[
    ("-o", Part::Output),
    ("-x", Part::Language),
    ("-D", Part::Preprocessor),
    ("-U", Part::Preprocessor),
    ("-A", Part::Preprocessor),
    ("-I", Part::Preprocessor),
    ("-include", Part::Preprocessor),
    ("-imacros", Part::Preprocessor),
    ("-isystem", Part::Preprocessor),
    ("-iquote", Part::Preprocessor),
    ("-idirafter", Part::Preprocessor),
    ("-iprefix", Part::Preprocessor),
    ("-iwithprefix", Part::Preprocessor),
    ("-iwithprefixbefore", Part::Preprocessor),
    ("-imultilib", Part::Preprocessor),
    ("-Xpreprocessor", Part::Preprocessor),
    ("-MF", Part::Side),
    ("-MT", Part::Side),
    ("-MQ", Part::Side),
    ("-MJ", Part::Side),
    ("-aux-info", Part::Side),
    ("-dumpbase", Part::Side),
    ("-dumpbase-ext", Part::Side),
    ("-dumpdir", Part::Side),
    ("-l", Part::Library),
    ("-L", Part::LibraryFolder),
    ("-T", Part::Link),
    ("-Tbss", Part::Link),
    ("-Tdata", Part::Link),
    ("-Ttext", Part::Link),
    ("-u", Part::Link),
    ("-z", Part::Link),
    ("-e", Part::Link),
    ("-rpath", Part::Link),
    ("-Xlinker", Part::Link),
    ("-Xassembler", Part::Compile),
    ("-Xclang", Part::Compile),
    ("-mllvm", Part::Compile),
    ("-isysroot", Part::Compile),
    ("--sysroot", Part::Compile),
    ("--param", Part::Compile),
    ("-target", Part::Compile),
    ("-arch", Part::Compile),
    ("-wrapper", Part::Compile),
    ("-B", Part::Compile),
    ("-G", Part::Compile),
];

/// What an option says, by how it begins: the first row that fits.
const BY_PREFIX: &[(&str, Part)] = &[
    ("-Wl,", Part::Link),
    ("-Wa,-a", Part::Side),
    ("-Wa,", Part::Compile),
    ("-Wp,-M", Part::Side),
    ("-Wp,", Part::Preprocessor),
    ("-W", Part::Warning),
    ("-pedantic", Part::Warning),
    ("-D", Part::Preprocessor),
    ("-U", Part::Preprocessor),
    ("-A", Part::Preprocessor),
    ("-I", Part::Preprocessor),
    ("-isysroot", Part::Compile),
    ("-i", Part::Preprocessor),
    ("-M", Part::Side),
    ("-save-temps", Part::Side),
    ("-dump", Part::Side),
    ("-d", Part::Side),
    ("-fdump", Part::Side),
    ("-fstack-usage", Part::Side),
    ("-fcallgraph-info", Part::Side),
    ("-fopt-info", Part::Side),
    ("-fsave-optimization-record", Part::Side),
    ("-ftime-", Part::Side),
    ("-time", Part::Side),
    ("-gsplit-dwarf", Part::Side),
    ("-flto", Part::Lto),
    ("-fno-lto", Part::Lto),
    ("-ffat-lto", Part::Lto),
    ("-fno-fat-lto", Part::Lto),
    ("-fuse-linker-plugin", Part::Lto),
    ("-static", Part::Link),
    ("-nostartfiles", Part::Link),
    ("-nodefaultlibs", Part::Link),
    ("-nolibc", Part::Link),
    ("-nostdlib", Part::Link),
    ("-l", Part::Library),
    ("-L", Part::LibraryFolder),
    ("-o", Part::Output),
    ("-x", Part::Language),
    ("-T", Part::Link),
];

/// The same for whole words.
const BY_NAME: &[(&str, Part)] = &[
    ("-c", Part::Stage),
    ("-w", Part::Warning),
    ("-v", Part::Side),
    ("-H", Part::Side),
    ("-Q", Part::Side),
    ("-shared", Part::Link),
    ("-pie", Part::Link),
    ("-no-pie", Part::Link),
    ("-rdynamic", Part::Link),
    ("-s", Part::Link),
    ("-r", Part::Link),
];

/// Options, by how they begin, with which the compiler alone does what is asked: it makes something else than an object
/// or a program, C means something else than this tool reads in it, or the object must be the one that was profiled.
const COMPILER_ALONE: &[&str] = &[
    "-E",
    "-S",
    "-###",
    "-fsyntax-only",
    "-dumpmachine",
    "-dumpversion",
    "-dumpfullversion",
    "-dumpspecs",
    "-print-",
    "-emit-",
    "-include-pch",
    "-traditional",
    "-fdirectives-only",
    "-fpreprocessed",
    "-finput-charset",
    "-fprofile",
    "-fno-profile",
    "-ftest-coverage",
    "-fcoverage",
    "-fcs-profile",
    "-fauto-profile",
    "-m16",
    "-m32",
    "-mx32",
    "-funsigned-char",
    "-fno-signed-char",
    "-fshort-enums",
    "-fpack-struct",
    "-fsingle-precision-constant",
    "-ffreestanding",
];

/// Options that begin with two dashes and are understood, by how they begin; any other is the compiler's.
const LONG: &[&str] = &["--param", "--std=", "--sysroot", "--target=", "--gcc-toolchain="];

impl Arguments {
    /// Reads a command line; `None` where the compiler alone shall run it.
    pub fn read(words: &[String]) -> Option<Arguments> {
        let has_response_file = words.iter().any(|word| word.starts_with('@'));
        let expanded = response::expand(words)?;
        let mut arguments = Arguments { words: Vec::new(), stage: Stage::Link, has_response_file };
        let mut language = None;
        let mut rest = expanded.into_iter();
        while let Some(word) = rest.next() {
            if is_for_the_compiler_alone(&word) {
                return None;
            }
            let with_value = WITH_VALUE.iter().find(|(name, _)| *name == word);
            let part = with_value.map_or_else(|| part(&word), |&(_, part)| part);
            let mut text = vec![word];
            if with_value.is_some() {
                text.push(rest.next()?);
            }
            let value = || text.last().map(String::as_str).unwrap_or_default();
            match part {
                Part::Stage => arguments.stage = Stage::Object,
                Part::Language => {
                    let named = value().strip_prefix("-x").unwrap_or(value());
                    language = (named != "none").then(|| named.to_owned());
                }
                // What is passed on to the preprocessor may ask for dependencies instead of an object.
                Part::Preprocessor if value().starts_with("-M") => return None,
                _ => {}
            }
            let language = language.clone().filter(|_| part == Part::Input);
            arguments.words.push(Word { part, text, language });
        }
        Some(arguments)
    }

    /// The words that say one of these.
    pub fn all(&self, parts: &[Part]) -> Vec<String> {
        self.words.iter().filter(|word| parts.contains(&word.part)).flat_map(|word| word.text.clone()).collect()
    }

    /// The output as `-o` names it.
    pub fn output(&self) -> Option<PathBuf> {
        let word = self.words.iter().rfind(|word| word.part == Part::Output)?;
        let path = if word.text.len() > 1 { &word.text[1] } else { &word.text[0]["-o".len()..] };
        Some(path.into())
    }

    /// Test that a word stands alone on the command line.
    pub fn has(&self, name: &str) -> bool {
        self.words.iter().any(|word| word.text[0] == name)
    }
}

fn is_for_the_compiler_alone(word: &str) -> bool {
    let dependencies = matches!(word, "-M" | "-MM" | "-MG");
    let long = word.starts_with("--") && !LONG.iter().any(|known| word.starts_with(known));
    word == "-" || dependencies || long || COMPILER_ALONE.iter().any(|option| word.starts_with(option))
}

fn part(word: &str) -> Part {
    if !word.starts_with('-') {
        return Part::Input;
    }
    let by_name = BY_NAME.iter().find(|(name, _)| *name == word);
    let by_prefix = || BY_PREFIX.iter().find(|(prefix, _)| word.starts_with(prefix));
    by_name.or_else(by_prefix).map_or(Part::Compile, |&(_, part)| part)
}

impl Word {
    /// The path of a C file; `None` for every other word. What a build system compiles to learn about the compiler is
    /// no part of the program.
    pub fn c_file(&self) -> Option<&Path> {
        let path = Path::new(&self.text[0]);
        let is_c = match &self.language {
            Some(language) => language == "c",
            None => path.extension().is_some_and(|extension| extension == "c"),
        };
        let is_probe = path.file_stem().is_some_and(|stem| stem == "conftest")
            || path.components().any(|folder| folder.as_os_str() == "CMakeFiles");
        (self.part == Part::Input && is_c && !is_probe).then_some(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Option<Arguments> {
        Arguments::read(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    fn parts(line: &str) -> Vec<Part> {
        read(line).unwrap().words.iter().map(|word| word.part).collect()
    }

    #[test]
    fn a_compilation_is_understood() {
        use Part::{Compile, Input, Language, Library, Link, Output, Preprocessor, Side, Stage, Warning};
        let line = "-O3 -c src/a.c -MMD -MF a.d -Wall -Wl,-z,now -I inc -DX=1 -include b.h -oa.o";
        let expected =
            [Compile, Stage, Input, Side, Side, Warning, Link, Preprocessor, Preprocessor, Preprocessor, Output];
        assert_eq!(parts(line), expected);
        let arguments = read(line).unwrap();
        assert_eq!((arguments.stage, arguments.output().unwrap()), (super::Stage::Object, "a.o".into()));
        assert_eq!(parts("-x c a.txt -lm -shared -isysroot /x"), [Language, Input, Library, Link, Compile]);
    }

    #[test]
    fn c_files_are_told_from_other_inputs() {
        let files = |line: &str| -> Vec<String> {
            let arguments = read(line).unwrap();
            arguments.words.iter().filter_map(Word::c_file).map(|path| path.display().to_string()).collect()
        };
        assert_eq!(files("a.c b.o c.cpp d.s libe.a f.C g.i -o h.c"), ["a.c"]);
        assert_eq!(files("-x c a.txt -xnone b.txt -x c++ c.c -x none d.c"), ["a.txt", "d.c"]);
        assert_eq!(files("-c conftest.c -o conftest.o"), [""; 0]);
        assert_eq!(files("-c build/CMakeFiles/CMakeScratch/TryCompile-x/testCCompiler.c"), [""; 0]);
    }

    #[test]
    fn what_is_not_a_compilation_is_left_to_the_compiler() {
        for line in [
            "--version",
            "-E a.c",
            "-S a.c",
            "-M a.c",
            "-MM a.c",
            "-",
            "-xc - -o /dev/null",
            "-print-search-dirs",
            "-dumpmachine",
            "--help=optimizers",
            "-fsyntax-only a.c",
            "-c a.c -m32",
            "-c a.c --coverage",
            "-c a.c -Xpreprocessor -MM",
            "a.c -o",
        ] {
            assert_eq!(read(line), None, "{line}");
        }
    }
}
