//! From paths on the command line to programs: which C files belong together, and their configuration.

use crate::config::Config;
use crate::diag::Diagnostic;
use crate::source::preprocess::{preprocess, read_file};
use rayon::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};

/// A program: the C files that are linked together.
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    /// The file with `main` first, where one has it.
    pub files: Vec<PathBuf>,
    /// Its configuration.
    pub config: Config,
    /// The file that it comes from.
    pub config_file: Option<PathBuf>,
}

impl Program {
    /// What a user calls it: the path of its first file.
    pub fn name(&self) -> String {
        self.files.first().map_or_else(String::new, |file| file.display().to_string())
    }

    /// The files as one program. The configuration is the one given, else `configs/<stem>.toml` in the folder of the
    /// first file or one above it. A configuration that lists the first file adds the others that it lists.
    ///
    /// # Errors
    /// The faults of the configuration; `no-input` where neither the arguments nor the configuration name a file.
    pub fn new(files: &[PathBuf], config_file: Option<&Path>) -> Result<Program, Vec<Diagnostic>> {
        let (config, config_file) = match config_file {
            Some(path) => (Config::load(path)?, Some(path.to_owned())),
            None => match files.first().map(|file| companion(file)).transpose()?.flatten() {
                Some((config, path)) => (config, Some(path)),
                None => (Config::default(), None),
            },
        };
        let mut all = files.to_vec();
        let lists_first = files.first().is_none_or(|first| config.input.files.iter().any(|file| same(file, first)));
        if lists_first {
            let more = config.input.files.iter().filter(|file| !files.iter().any(|given| same(given, file)));
            all.extend(more.cloned());
        }
        if all.is_empty() {
            let error = Diagnostic::error("no-input", "there is no C file to convert", None);
            return Err(vec![error.help("name one, or list them as `files` under [input] of the configuration")]);
        }
        Ok(Program { files: all, config, config_file })
    }
}

/// The configuration that lies beside a program: `configs/<stem>.toml`, unless it is that of another file.
fn companion(file: &Path) -> Result<Option<(Config, PathBuf)>, Vec<Diagnostic>> {
    let absolute = std::path::absolute(file).unwrap_or(file.to_owned());
    let Some(stem) = file.file_stem() else { return Ok(None) };
    for folder in absolute.ancestors().skip(1) {
        let path = folder.join("configs").join(stem).with_extension("toml");
        if path.is_file() {
            let path = from_here(path);
            let config = Config::load(&path)?;
            let is_its_own = config.input.files.is_empty() || config.input.files.iter().any(|f| same(f, file));
            if is_its_own {
                return Ok(Some((config, path)));
            }
        }
    }
    Ok(None)
}

/// The path as seen from the current folder, where it lies below.
fn from_here(path: PathBuf) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(here).map(Path::to_owned).unwrap_or(path)
}

fn same(a: &Path, b: &Path) -> bool {
    a == b || matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// All programs that paths name, compiled with more flags. Files: each with a `main` is a program, those without belong to
/// every one of them. A folder: each C file in it, or below it, that has a `main`.
///
/// # Errors
/// A path that cannot be read, a faulty configuration, or `no-program` where no file has a `main`.
pub fn collect(paths: &[PathBuf], config: Option<&Path>, cflags: &[String]) -> Result<Vec<Program>, Vec<Diagnostic>> {
    let own_flags = config.map(Config::load).transpose()?.map(|config| config.input.cflags);
    let is_program = |path: &PathBuf| -> Result<bool, Vec<Diagnostic>> {
        let text = read_file(path).map_err(|d| vec![d])?;
        let own = match &own_flags {
            Some(flags) => flags.clone(),
            // A fault in it is reported where it is the program's.
            None => companion(path).ok().flatten().map(|(config, _)| config.input.cflags).unwrap_or_default(),
        };
        // A file that cannot be preprocessed is looked at as it is, and refused with the compiler's words later.
        let text = preprocess(path, &[own.as_slice(), cflags].concat()).unwrap_or(text);
        Ok(defines_main(&text))
    };
    let mut mains = Vec::new();
    let mut shared = Vec::new();
    for path in paths {
        if path.is_dir() {
            let mut files = Vec::new();
            c_files(path, &mut files).map_err(|e| {
                vec![Diagnostic::error("unreadable-folder", format!("{} cannot be read: {e}", path.display()), None)]
            })?;
            let have: Vec<bool> = files.par_iter().map(|file| is_program(file).unwrap_or(false)).collect();
            mains.extend(files.into_iter().zip(have).filter_map(|(file, has)| has.then_some(file)));
        } else if is_program(path)? {
            mains.push(path.clone());
        } else {
            shared.push(path.clone());
        }
    }
    if paths.is_empty() {
        return Ok(vec![Program::new(&[], config)?]);
    }
    if mains.is_empty() {
        let message = "no file has a `main`: there is nothing to run";
        return Err(vec![Diagnostic::error("no-program", message, None).help("add the C file that has it")]);
    }
    let files_of = |main: PathBuf| [vec![main], shared.clone()].concat();
    mains.into_iter().map(|main| Program::new(&files_of(main), config)).collect()
}

fn c_files(folder: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)?.map(|e| e.map(|e| e.path())).collect::<Result<_, _>>()?;
    paths.sort();
    for path in paths {
        if path.is_dir() && !path.is_symlink() {
            c_files(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "c") {
            found.push(path);
        }
    }
    Ok(())
}

/// Test that preprocessed C defines `main`, with its body or with declarations of its parameters behind it as in old C;
/// it may be declared, called and named elsewhere.
fn defines_main(text: &[u8]) -> bool {
    let tokens = tokens(text);
    let (mut depth, mut at) = (0usize, 0);
    while at < tokens.len() {
        match tokens[at] {
            b"{" => depth += 1,
            b"}" => depth = depth.saturating_sub(1),
            b"main" if depth == 0 && has_body(&tokens[at + 1..]) => return true,
            _ => {}
        }
        at += 1;
    }
    false
}

/// Test that what stands behind a function's name is its parameters and its body.
fn has_body(behind: &[&[u8]]) -> bool {
    // `int (main)(void)`
    let behind = behind.strip_prefix(&[b")".as_slice()]).unwrap_or(behind);
    let Some(mut rest) = behind_parentheses(behind) else { return false };
    while let [b"__attribute__" | b"__attribute" | b"__asm__" | b"asm", inner @ ..] = rest {
        let Some(next) = behind_parentheses(inner) else { return false };
        rest = next;
    }
    match rest {
        [b"{", ..] => true,
        [first, ..] if is_word(first[0]) => rest.contains(&b"{".as_slice()),
        _ => false,
    }
}

/// The tokens behind a pair of parentheses.
fn behind_parentheses<'t, 'a>(tokens: &'t [&'a [u8]]) -> Option<&'t [&'a [u8]]> {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate() {
        match *token {
            b"(" => depth += 1,
            b")" => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return (at > 0).then_some(&tokens[at + 1..]);
        }
    }
    None
}

/// Words and single other characters of C text, without comments, literals and lines of the preprocessor.
fn tokens(text: &[u8]) -> Vec<&[u8]> {
    let mut out = vec![];
    let (mut at, mut is_first) = (0, true);
    while at < text.len() {
        let rest = &text[at..];
        let length = match rest {
            [b'/', b'*', ..] => 2 + find(&rest[2..], b"*/").map_or(rest.len(), |end| end + 2),
            [b'/', b'/', ..] => find(rest, b"\n").unwrap_or(rest.len()),
            [b'#', ..] if is_first => find(rest, b"\n").unwrap_or(rest.len()),
            [quote @ (b'"' | b'\''), ..] => literal(rest, *quote),
            [c, ..] if is_word(*c) => rest.iter().position(|c| !is_word(*c)).unwrap_or(rest.len()),
            _ => 1,
        };
        let token = &rest[..length.min(rest.len())];
        let is_blank = token[0].is_ascii_whitespace();
        if !is_blank
            && !matches!(token[0], b'"' | b'\'' | b'#')
            && !token.starts_with(b"/*")
            && !token.starts_with(b"//")
        {
            out.push(token);
        }
        is_first = token == b"\n" || is_first && is_blank;
        at += length;
    }
    out
}

fn is_word(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'_'
}

fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    text.windows(wanted.len()).position(|window| window == wanted)
}

/// The length of a string or character literal; it ends at the line's end at the latest.
fn literal(text: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < text.len() && text[at] != quote && text[at] != b'\n' {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    at + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn main_is_found_where_it_is_defined() {
        let has = |text: &str| defines_main(text.as_bytes());
        for text in [
            "int main(void) {}",
            "/* */ int f(void) { return 0; }\nint\nmain (int argc, char **argv)\n{}",
            "char *s = \"{ \\\" /*\"; char c = '{'; int main() {}",
            "main(argc, argv) int argc; char **argv; { return 0; }",
            "int (main)(void) { return 0; }",
            "int main(int n, char *a[]) __attribute__((noinline)) { return 0; }",
            "int main(void);\n# 3 \"main.h\" 1\nint main(void) { return 0; }",
        ] {
            assert!(has(text), "{text}");
        }
        for text in [
            "// int main()\n/* main( */ char *s = \"main(\"; int domain(void);",
            "int f(void) { return main(); }",
            "/* never closed main(",
            "\"never closed\\",
            "int main(void);\nint f(void) { return 0; }",
            "int main(int, char **) __attribute__((noinline));",
            "#pragma weak main(x) {\nint main;",
            "int (*p)(void) = main; int f(void) {}",
        ] {
            assert!(!has(text), "{text}");
        }
    }

    #[test]
    fn main_is_found_as_the_preprocessor_has_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let files = [
            ("a.c", "#ifdef TESTING\nint main(void) { return 1; }\n#endif\nvoid f(void) {}"),
            ("b.c", "#if 0\nint main(void) {}\n#endif\n#define ENTRY int main\nENTRY(void) { return 0; }"),
            ("c.c", "#include \"c.h\"\n"),
            ("c.h", "int main(void) { return 0; }"),
            ("d.c", "#define main other\nint main(void) { return 0; }"),
        ];
        files.iter().for_each(|(name, text)| fs::write(path(name), text).unwrap());
        let have_main = |flags: &[&str]| {
            let flags: Vec<String> = flags.iter().map(|flag| flag.to_string()).collect();
            let programs = collect(&[path("")], None, &flags).unwrap();
            let names = programs.iter().map(|p| p.files[0].file_name().unwrap().to_string_lossy().into_owned());
            names.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(have_main(&[]), "b.c c.c");
        assert_eq!(have_main(&["-DTESTING"]), "a.c b.c c.c");
        let programs = collect(&[path("b.c"), path("a.c")], None, &[]).unwrap();
        assert_eq!(programs[0].files, [path("b.c"), path("a.c")]);
    }

    #[test]
    fn files_are_sorted_into_programs() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            path
        };
        let a = put("p/a.c", "int main(void) {}");
        let b = put("p/q/b.c", "int main(void) {}");
        let util = put("p/util.c", "void f(void) {}");
        let extra = put("p/extra.c", "void g(void) {}");
        let toml = put("configs/a.toml", "[input]\nfiles = [\"../p/a.c\", \"../p/extra.c\"]\ncflags = [\"-DN=2\"]\n");
        put("configs/b.toml", "[input]\nfiles = [\"../p/a.c\"]\ncflags = [\"-DN=3\"]\n");

        let programs = collect(&[folder.path().join("p"), util.clone()], None, &[]).unwrap();
        assert_eq!(programs.len(), 2);
        assert_eq!(programs[0].files[..2], [a, util.clone()]);
        assert!(same(&programs[0].files[2], &extra), "listed by the configuration");
        assert_eq!(programs[0].config.input.cflags, ["-DN=2"]);
        assert_eq!(
            (programs[1].files.as_slice(), &programs[1].config),
            ([b, util.clone()].as_slice(), &Config::default())
        );
        assert_eq!(collect(&[util], None, &[]).unwrap_err()[0].code, "no-program");
        assert_eq!(collect(&[], Some(&toml), &[]).unwrap()[0].files.len(), 2);
    }
}
