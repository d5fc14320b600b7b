//! Which file of a crate imports which, read from their text, and the circles among them.
//!
//! A path counts wherever it stands: in `use`, or in code as `super::x::f(...)`. It leads to the file that defines what
//! it names, also where a file in between hands that on. A file that only declares modules and hands names on is a face:
//! it imports nothing. Methods are not followed, and inline tests do not count.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Which file imports which, by their paths below `src`.
pub type Graph = BTreeMap<String, BTreeSet<String>>;

/// Names from the crate's root, or as written: `["region", "hints"]`, `["super", "Reason"]`.
type Path = Vec<String>;

/// Most names that hand each other on.
const MOST_HANDS: usize = 8;

/// A file, as far as paths go.
struct File {
    name: String,
    /// Every path in it.
    paths: Vec<Path>,
    /// Names of its `use` items for the end of a path.
    names: BTreeMap<String, Path>,
    is_face: bool,
}

/// The files of a crate by their modules.
struct Files(BTreeMap<Path, File>);

/// The imports between files, each given by its path below `src` and its text.
pub fn of(sources: &[(String, String)]) -> Graph {
    let files = Files(sources.iter().map(|(name, text)| (module(name), File::read(name, text))).collect());
    let of = |(at, file): (&Path, &File)| {
        let mut used: BTreeSet<String> = BTreeSet::new();
        for path in file.paths.iter().filter(|_| !file.is_face) {
            used.extend(files.defined_in(at, path, 0).into_iter().map(|module| files.0[&module].name.clone()));
        }
        used.remove(&file.name);
        (file.name.clone(), used)
    };
    files.0.iter().map(of).collect()
}

/// The module that a file is: `a/b.rs` and `a/b/mod.rs` are both `a::b`, and `lib.rs` is the root.
fn module(name: &str) -> Path {
    let parts = name.trim_end_matches(".rs").split('/');
    parts.filter(|part| !["mod", "lib"].contains(part)).map(str::to_owned).collect()
}

impl Files {
    /// The modules whose files define what a path names in the module `at`: several for `face::*`, none for what is of
    /// another crate.
    fn defined_in(&self, at: &Path, path: &[String], n_hands: usize) -> BTreeSet<Path> {
        let Some((first, mut rest)) = path.split_first() else { return BTreeSet::new() };
        let mut module = match first.as_str() {
            "crate" => vec![],
            "self" => at.clone(),
            "super" => at[..at.len().saturating_sub(1)].to_vec(),
            name => match self.0.get(at).and_then(|file| file.names.get(name)) {
                Some(known) if known.first() != Some(first) => return self.handed_on(at, known, rest, n_hands),
                _ => below(at, name),
            },
        };
        while let Some((name, after)) = rest.split_first() {
            match name.as_str() {
                "super" => drop(module.pop()),
                name if self.0.contains_key(&below(&module, name)) => module = below(&module, name),
                _ => break,
            }
            rest = after;
        }
        let Some(file) = self.0.get(&module) else { return BTreeSet::new() };
        match rest.split_first() {
            Some((name, after)) if file.names.contains_key(name) => {
                let found = self.handed_on(&module, &file.names[name], after, n_hands);
                if found.is_empty() { BTreeSet::from([module]) } else { found }
            }
            Some((name, _)) if name == "*" && file.is_face => {
                file.names.values().flat_map(|known| self.handed_on(&module, known, &[], n_hands)).collect()
            }
            _ => BTreeSet::from([module]),
        }
    }

    /// The same for what stands below a name that a `use` item of `at` has for a path.
    fn handed_on(&self, at: &Path, known: &[String], rest: &[String], n_hands: usize) -> BTreeSet<Path> {
        if n_hands == MOST_HANDS { BTreeSet::new() } else { self.defined_in(at, &[known, rest].concat(), n_hands + 1) }
    }
}

fn below(module: &Path, name: &str) -> Path {
    [module.as_slice(), &[name.to_owned()]].concat()
}

impl File {
    fn read(name: &str, text: &str) -> File {
        let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
        let mut file =
            File { name: name.to_owned(), paths: vec![], names: BTreeMap::new(), is_face: text.lines().all(hands_on) };
        let words = words(text);
        let is_joint = |at: usize| words.get(at) == Some(&"::");
        let mut at = 0;
        while at < words.len() {
            let is_first = at == 0 || !matches!(words[at - 1], "::" | ".");
            if words[at] == "use" {
                at = file.add_use(&words, at + 1, &[]);
            } else if is_first && is_name(words[at]) && is_joint(at + 1) {
                let mut path = vec![words[at].to_owned()];
                while is_joint(at + 1) && words.get(at + 2).is_some_and(|word| is_name(word)) {
                    at += 2;
                    path.push(words[at].to_owned());
                }
                file.paths.push(path);
                at += 1;
            } else {
                at += 1;
            }
        }
        file
    }

    /// Takes in the tree of a `use` item that goes on at `at`, below `around`; where it ends.
    fn add_use(&mut self, words: &[&str], mut at: usize, around: &[String]) -> usize {
        let start = at;
        let mut path = around.to_vec();
        let mut name = None;
        while let Some(word) = words.get(at) {
            match *word {
                "{" => {
                    while words.get(at).is_some_and(|word| matches!(*word, "{" | ",")) {
                        at = self.add_use(words, at + 1, &path);
                    }
                    return at + 1;
                }
                "," | "}" | ";" => break,
                "as" => {
                    name = words.get(at + 1).map(|word| word.to_string());
                    at += 1;
                }
                "::" => {}
                "self" if !path.is_empty() => {}
                word => path.push(word.to_owned()),
            }
            at += 1;
        }
        if at > start {
            self.names.extend(name.or(path.last().cloned()).map(|name| (name, path.clone())));
            self.paths.push(path);
        }
        at
    }
}

/// Test for a line that may stand in a file that only declares modules and hands names on: a comment, an attribute, `mod`,
/// `use`, or the rest of one of these.
fn hands_on(line: &str) -> bool {
    let item = line.strip_prefix("pub").unwrap_or(line);
    let item = item.split_once(") ").filter(|_| item.starts_with('(')).map_or(item, |(_, item)| item).trim_start();
    line.starts_with([' ', '}', '#'])
        || line.is_empty()
        || ["//", "mod ", "use "].iter().any(|start| item.starts_with(start))
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// The words of Rust: names, `::`, other characters one by one; no comments, no texts, no characters in quotes.
fn words(text: &str) -> Vec<&str> {
    let mut out = vec![];
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let (length, is_word) = if rest.starts_with("//") {
            (rest.find('\n').unwrap_or(rest.len()), false)
        } else if rest.starts_with("r\"") || rest.starts_with("r#") {
            (raw(rest), false)
        } else if is_name(rest) {
            (rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len()), true)
        } else if matches!(c, '"' | '\'') {
            (quoted(rest, c), false)
        } else if rest.starts_with("::") {
            (2, true)
        } else {
            (c.len_utf8(), !c.is_whitespace())
        };
        out.extend(is_word.then(|| &rest[..length]));
        rest = &rest[length..];
    }
    out
}

/// How long the text is that `r"` or `r#"` opens.
fn raw(text: &str) -> usize {
    let n_hashes = text[1..].chars().take_while(|c| *c == '#').count();
    let (open, close) = (n_hashes + 2, format!("\"{}", "#".repeat(n_hashes)));
    text.get(open..).and_then(|inside| inside.find(&close)).map_or(text.len(), |end| open + end + close.len())
}

/// How long the text or the character is that a quote opens; of a lifetime the tick alone.
fn quoted(text: &str, quote: char) -> usize {
    if quote == '\'' && !text[1..].starts_with('\\') && text.chars().nth(2) != Some('\'') {
        return 1;
    }
    let mut is_escaped = false;
    let closes = |(_, c): &(usize, char)| {
        let is_end = *c == quote && !is_escaped;
        is_escaped = *c == '\\' && !is_escaped;
        is_end
    };
    text.char_indices().skip(1).find(closes).map_or(text.len(), |(at, _)| at + 1)
}

/// The shortest circle through each set of files that import each other, its files in order.
pub fn circles(graph: &Graph) -> Vec<Vec<String>> {
    let mut told: BTreeSet<String> = BTreeSet::new();
    let mut out = vec![];
    for file in graph.keys() {
        let Some(circle) = circle(graph, file).filter(|_| !told.contains(file)) else { continue };
        let is_in = |other: &String| reached(graph, other).contains(file);
        told.extend(reached(graph, file).into_iter().filter(is_in));
        out.push(circle);
    }
    out
}

/// All that a file imports, what that imports, and so on.
fn reached(graph: &Graph, file: &str) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    let mut open = vec![file.to_owned()];
    while let Some(file) = open.pop() {
        let next = graph.get(&file).into_iter().flatten();
        open.extend(next.filter(|next| out.insert(next.to_string())).cloned());
    }
    out
}

/// The shortest way from a file back to itself.
fn circle(graph: &Graph, file: &str) -> Option<Vec<String>> {
    let mut seen = BTreeSet::new();
    let mut open = VecDeque::from([vec![file.to_owned()]]);
    while let Some(way) = open.pop_front() {
        for next in graph.get(way.last()?).into_iter().flatten() {
            if next == file {
                return Some(way);
            }
            if seen.insert(next) {
                open.push_back([way.as_slice(), std::slice::from_ref(next)].concat());
            }
        }
    }
    None
}
