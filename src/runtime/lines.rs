//! Lines of the user's C by the addresses of instructions, as `addr2line` of GNU binutils finds them.

use super::user_lines::Place;
use super::written::{Code, Moved, Profile};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

/// Function, file and line of an instruction, as far as the program's debug lines go.
#[derive(Debug, Default, PartialEq)]
struct Line {
    function: Option<String>,
    place: Option<Place>,
}

/// Gives copies of a profile the function and the line of the instructions that they are made for, and joins those of one line.
/// `users` are lines of the user's by those of the emitted text.
pub fn find(profile: &mut Profile, users: &BTreeMap<Place, Place>) {
    let codes = profile.regions.iter().flat_map(|r| &r.moves).filter_map(|m| m.by.as_ref());
    let mut wanted: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for Code { module, offset, .. } in codes {
        module.iter().for_each(|module| wanted.entry(module.clone()).or_default().push(*offset));
    }
    let here = std::env::current_dir().unwrap_or_default();
    let found: BTreeMap<(&str, u64), Line> = wanted
        .iter()
        .flat_map(|(module, offsets)| {
            offsets.iter().map(|at| (module.as_str(), *at)).zip(lines(module, offsets, &here))
        })
        .collect();
    for region in &mut profile.regions {
        let mut moves: Vec<Moved> = vec![];
        for mut moved in std::mem::take(&mut region.moves) {
            if let Some(Code { module: Some(module), offset, function, .. }) = &mut moved.by
                && let Some(line) = found.get(&(module.as_str(), *offset))
            {
                function.clone_from(&line.function);
                if let Some(place) = &line.place {
                    (moved.file, moved.line) = users.get(place).unwrap_or(place).clone();
                }
                if function.is_some() {
                    *offset = 0; // one of several of the function, or the line
                }
            }
            let key = |m: &Moved| Moved { copies: 0, bytes: 0.0, ..m.clone() };
            match moves.iter_mut().find(|m| key(m) == key(&moved)) {
                Some(m) => (m.copies, m.bytes) = (m.copies + moved.copies, m.bytes + moved.bytes),
                None => moves.push(moved),
            }
        }
        region.moves = moves;
    }
}

/// The lines of instructions of a file, in order; none where there is no `addr2line`.
fn lines(module: &str, offsets: &[u64], here: &Path) -> Vec<Line> {
    let mut command = Command::new("addr2line");
    command.args(["-f", "-e", module]).args(offsets.iter().map(|at| format!("{at:#x}")));
    match command.stdin(Stdio::null()).output() {
        Ok(output) if output.status.success() => read(&String::from_utf8_lossy(&output.stdout), here),
        _ => vec![],
    }
}

/// The words of `addr2line`: two lines for each address.
fn read(words: &str, here: &Path) -> Vec<Line> {
    let words: Vec<&str> = words.lines().collect();
    let line = |pair: &[&str]| {
        let function = pair[0].split('.').next().filter(|name| *name != "??").map(str::to_string);
        // Of code that is compiled when it is linked, the compiler may name no file.
        let is_file = |(file, _): &(&str, &str)| !file.starts_with('<');
        let place = pair.get(1).and_then(|place| place.rsplit_once(':')).filter(is_file);
        let place = place.and_then(|(file, line)| {
            let line = line.split(' ').next()?.parse().ok().filter(|line| *line > 0)?;
            let file = Path::new(file);
            Some((file.strip_prefix(here).unwrap_or(file).display().to_string(), line))
        });
        Line { function, place }
    };
    words.chunks(2).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read() {
        let words = "main\n/home/u/fdtd.c:59\ndump.constprop.0\n/usr/x.c:7 (discriminator 2)\n??\n??:0\nshow\n??:?\nrun\n<artificial>:7\n";
        let line = |function: Option<&str>, place: Option<(&str, u32)>| Line {
            function: function.map(Into::into),
            place: place.map(|(file, line)| (file.into(), line)),
        };
        let wanted = [
            line(Some("main"), Some(("fdtd.c", 59))),
            line(Some("dump"), Some(("/usr/x.c", 7))),
            line(None, None),
            line(Some("show"), None),
            line(Some("run"), None),
        ];
        assert_eq!(read(words, Path::new("/home/u")), wanted);
    }
}
