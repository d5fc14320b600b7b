//! Examples of README.md and of the pages in `docs`: what they print is what a reader gets, and their links lead somewhere.
//!
//! The blocks of a page are a session in a folder of its own, from top to bottom:
//!
//! ````text
//! ```c file=heat.c         a file of the folder, written (again) when the session comes to it
//! ```sh                    the lines that begin with `rtcuda ` are run; `# exit 1` at the end is the status that they have
//! ```text output           lines of what the last line printed: runs of blanks count as one, `…` is what is left out
//! ```sh no-run             lines that need a GPU, time or other files: their commands and long options exist
//! ````

#[path = "support/folder.rs"]
mod folder;

use folder::Folder;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::process::Command;
use std::{fs, thread};

/// A page: its path below the repository, and its text.
struct Page {
    path: PathBuf,
    text: String,
}

impl Page {
    fn read(path: impl Into<PathBuf>) -> Page {
        let path = path.into();
        let text = fs::read_to_string(root().join(&path)).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        Page { path, text }
    }

    /// A fault with its place.
    fn fault(&self, line: usize, what: &str) -> String {
        format!("{}:{line}: {what}", self.path.display())
    }
}

/// A fenced block: the words behind the fence, the number of the fence's line, and the lines within.
struct Block<'a> {
    words: Vec<&'a str>,
    line: usize,
    lines: Vec<&'a str>,
}

impl Block<'_> {
    /// The name in `file=NAME`.
    fn file(&self) -> Option<&str> {
        self.words.iter().find_map(|word| word.strip_prefix("file="))
    }

    fn text(&self) -> String {
        self.lines.iter().map(|line| format!("{line}\n")).collect()
    }

    /// The command lines of rtcuda, with their numbers.
    fn commands(&self) -> impl Iterator<Item = (usize, &str)> {
        (self.line + 1..).zip(&self.lines).filter_map(|(line, text)| Some((line, text.strip_prefix("rtcuda ")?)))
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// README.md, and the pages of `docs` but for its table of contents.
fn pages() -> Vec<Page> {
    let entries = fs::read_dir(root().join("docs")).expect("the folder is there");
    let names = entries.map(|entry| entry.expect("the folder can be read").file_name().into_string().expect("a name"));
    let mut names: Vec<_> = names.filter(|name| name.ends_with(".md") && name != "SUMMARY.md").collect();
    names.sort();
    let docs = names.iter().map(|name| Page::read(Path::new("docs").join(name)));
    [Page::read("README.md")].into_iter().chain(docs).collect()
}

/// The fenced blocks of a text, without the blanks before a fence that stands in a list.
fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut found = Vec::new();
    let mut open: Option<(usize, Block)> = None;
    for (line, text) in (1..).zip(text.lines()) {
        let trimmed = text.trim_start();
        let indent = text.len() - trimmed.len();
        match (trimmed.strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) => found.extend(open.take().map(|(_, block)| block)),
            (Some(info), None) => {
                open = Some((indent, Block { words: info.split_whitespace().collect(), line, lines: Vec::new() }));
            }
            (None, Some((by, block))) => block.lines.push(&text[indent.min(*by)..]),
            (None, None) => {}
        }
    }
    found
}

/// The words of a command line, up to a comment or to what only a shell does.
fn words(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    let (mut word, mut quote) = (None::<String>, None);
    for c in line.chars() {
        match (c, quote) {
            ('#' | '>' | '|' | '&', None) if word.is_none() => return found,
            ('\'' | '"', None) => {
                word.get_or_insert_default();
                quote = Some(c);
            }
            (c, Some(end)) if c == end => quote = None,
            (c, None) if c.is_whitespace() => found.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    found.extend(word);
    found
}

/// The status that a comment at the end of a line says, as in `# exit 1`.
fn expected_status(line: &str) -> i32 {
    line.rsplit_once("# exit ").map_or(0, |(_, status)| status.trim().parse().expect("a status"))
}

fn collapsed(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Test that one of the printed lines is this one, up to its `…`.
fn is_printed(line: &str, printed: &str) -> bool {
    let line = collapsed(line);
    match line.split_once('…') {
        Some((start, _)) => printed.lines().any(|other| collapsed(other).starts_with(start.trim_end())),
        None => printed.lines().any(|other| collapsed(other) == line),
    }
}

/// rtcuda in a folder, without the GPU of this machine; simulated programs share the headers that are precompiled.
fn rtcuda(folder: &Folder) -> Command {
    let mut command = folder.command(env!("CARGO_BIN_EXE_rtcuda"));
    command.env("CUDA_VISIBLE_DEVICES", "").env("RTCUDA_PRECOMPILED", root().join("target/precompiled"));
    command
}

/// A page as it is followed from top to bottom.
struct Session<'a> {
    page: &'a Page,
    folder: Folder,
    printed: String,
    faults: Vec<String>,
}

impl Session<'_> {
    fn follow(page: &Page) -> Vec<String> {
        let mut session = Session { page, folder: Folder::new(&[]), printed: String::new(), faults: Vec::new() };
        blocks(&page.text).iter().for_each(|block| session.step(block));
        session.faults
    }

    fn step(&mut self, block: &Block) {
        if let Some(name) = block.file() {
            let path = self.folder.file(name);
            fs::create_dir_all(path.parent().expect("a file of the folder")).unwrap();
            fs::write(path, block.text()).unwrap();
        }
        match block.words.as_slice() {
            ["sh"] => block.commands().for_each(|(line, text)| self.run(line, text)),
            ["text", "output"] => self.compare(block),
            _ => {}
        }
    }

    fn run(&mut self, line: usize, text: &str) {
        let output = rtcuda(&self.folder).args(words(text)).output().unwrap();
        self.printed = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        if output.status.code() != Some(expected_status(text)) {
            self.faults.push(self.page.fault(line, &format!("rtcuda {text}: {}\n{}", output.status, self.printed)));
        }
    }

    fn compare(&mut self, block: &Block) {
        for (line, text) in (block.line + 1..).zip(&block.lines) {
            if !is_printed(text, &self.printed) {
                self.faults.push(self.page.fault(line, &format!("not printed: {text}\n{}", self.printed)));
            }
        }
    }
}

#[test]
fn commands_print_what_pages_show() {
    let pages = pages();
    let follow = |pages: &[Page]| pages.iter().flat_map(Session::follow).collect::<Vec<_>>();
    let faults = thread::scope(|scope| {
        let halves = pages.chunks(pages.len().div_ceil(2)).map(|half| scope.spawn(|| follow(half)));
        let halves: Vec<_> = halves.collect();
        halves.into_iter().flat_map(|half| half.join().expect("a page that can be followed")).collect::<Vec<_>>()
    });
    none(&faults);
}

/// Help of commands, each printed once.
#[derive(Default)]
struct Help(BTreeMap<Vec<String>, Option<String>>);

impl Help {
    /// The help of the command that words begin with; its name has two words at most.
    fn of(&mut self, words: &[String]) -> Option<String> {
        (1..=2.min(words.len())).rev().find_map(|n_words| self.printed(&words[..n_words]))
    }

    fn printed(&mut self, command: &[String]) -> Option<String> {
        let known = self.0.entry(command.to_vec()).or_insert_with(|| {
            let output = rtcuda(&Folder::new(&[])).arg("help").args(command).output().unwrap();
            output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
        });
        known.clone()
    }
}

#[test]
fn commands_that_are_not_run_exist() {
    let (mut help, mut faults) = (Help::default(), Vec::new());
    for page in pages() {
        for block in blocks(&page.text).iter().filter(|block| block.words.first() == Some(&"sh")) {
            for (line, text) in block.commands() {
                faults.extend(unknown(&words(text), &mut help).map(|what| page.fault(line, &what)));
            }
        }
    }
    none(&faults);
}

/// The first word of a command line that rtcuda does not know. Words behind `--` are for others.
fn unknown(words: &[String], help: &mut Help) -> Option<String> {
    if words.first().is_some_and(|word| ["help", "cc"].contains(&word.as_str())) {
        return None;
    }
    let Some(told) = help.of(words) else { return Some(format!("there is no command `{}`", words.join(" "))) };
    let known: BTreeSet<&str> = told.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').collect();
    let options = words.iter().take_while(|word| *word != "--").filter(|word| word.starts_with("--"));
    let name = |word: &String| word.split('=').next().unwrap_or_default().to_owned();
    options.map(name).find(|option| !known.contains(option.as_str())).map(|option| format!("no option {option}"))
}

#[test]
fn links_lead_to_files_and_headings() {
    let mut faults = Vec::new();
    for page in pages().into_iter().chain([Page::read("docs/SUMMARY.md")]) {
        for (line, link) in links(&page.text) {
            faults.extend(broken(&page.path, &link).map(|what| page.fault(line, &what)));
        }
    }
    none(&faults);
}

#[test]
fn the_table_of_contents_lists_each_page() {
    let summary = Page::read("docs/SUMMARY.md");
    let listed: BTreeSet<PathBuf> =
        links(&summary.text).into_iter().map(|(_, link)| Path::new("docs").join(link)).collect();
    let pages: BTreeSet<PathBuf> =
        pages().into_iter().map(|page| page.path).filter(|path| path.starts_with("docs")).collect();
    assert_eq!(listed, pages);
}

/// The lines of a text outside of fenced blocks and comments, with their numbers.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut in_block = false;
    (1..).zip(text.lines()).filter(move |(_, line)| {
        let is_fence = line.trim_start().starts_with("```");
        in_block ^= is_fence;
        !in_block && !is_fence && !line.starts_with("<!--")
    })
}

/// Targets of links to places in the repository.
fn links(text: &str) -> Vec<(usize, String)> {
    let of_line = |(number, line): (usize, &str)| {
        let plain: String = line.split('`').step_by(2).collect();
        let targets = plain.split("](").skip(1).filter_map(|after| after.split_once(')')).map(|(to, _)| to.to_owned());
        targets.filter(|to| !to.contains("://")).map(|to| (number, to)).collect::<Vec<_>>()
    };
    prose(text).flat_map(of_line).collect()
}

/// Fault of a link of a page.
fn broken(page: &Path, link: &str) -> Option<String> {
    let (file, anchor) = link.split_once('#').map_or((link, None), |(file, anchor)| (file, Some(anchor)));
    let target = if file.is_empty() { page.to_owned() } else { beside(page, file) };
    let Ok(text) = fs::read_to_string(root().join(&target)) else { return Some(format!("{link}: no such file")) };
    let anchor = anchor?;
    (!prose(&text).any(|(_, line)| anchor_of(line).as_deref() == Some(anchor)))
        .then(|| format!("{link}: no such heading"))
}

/// A path that a page names, from the repository's root.
fn beside(page: &Path, file: &str) -> PathBuf {
    let mut path = page.parent().map(Path::to_owned).unwrap_or_default();
    for part in Path::new(file).components() {
        match part {
            Component::ParentDir => _ = path.pop(),
            part => path.push(part),
        }
    }
    path
}

/// The anchor of a heading: its words in small letters, with `-` between.
fn anchor_of(line: &str) -> Option<String> {
    let heading = line.strip_prefix('#')?.trim_start_matches('#').strip_prefix(' ')?;
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    Some(kept.collect::<String>().trim().to_lowercase().replace(' ', "-"))
}

#[test]
fn words_end_where_a_shell_begins() {
    for (line, expected) in [
        ("run a.c --arg 1 # why", "run|a.c|--arg|1"),
        ("ptx run k.cu --arg 'a=f32[n * n]' >out", "ptx|run|k.cu|--arg|a=f32[n * n]"),
        ("convert a.c -- -DS=\"a b\" && make", "convert|a.c|--|-DS=a b"),
    ] {
        assert_eq!(words(line).join("|"), expected);
    }
}

fn none(faults: &[String]) {
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}
