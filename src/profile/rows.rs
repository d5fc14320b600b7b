//! Loops of a program by their share of its time, each with where it runs, or why it stays on the host and what frees it.

use super::clocks::{Timed, Times};
use super::loops::Loop;
use crate::diag::{Diagnostic, Severity};
use crate::report::words::percent;
use serde::Serialize;
use std::collections::BTreeSet;

/// The time of a program, by loops.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Profile {
    /// From the start of the program to its end on one core, in seconds.
    pub seconds: f64,
    /// Loops that were entered and have a time of their own, the hottest first.
    pub loops: Vec<Row>,
    /// How many of them there are, and how many are converted.
    pub n_loops: usize,
    /// See `n_loops`.
    pub n_converted: usize,
    /// How the program ended, where it was not with success.
    pub ended: Option<String>,
    /// Places of loops without a clock, which a jump leads into.
    pub without: Vec<String>,
}

/// A loop, and its time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The loop and its times.
    #[serde(flatten)]
    pub timed: Timed,
    /// Its own time by that of the program.
    pub share: f64,
    /// Why it stays on the host, as far as that was looked into.
    pub why: Option<String>,
    /// The place of that reason.
    pub at: Option<(String, u32)>,
    /// Remedy that would free it.
    pub help: Option<String>,
}

impl Profile {
    /// Joins times with what a conversion says of the loops; `selected`: the functions that its configuration selects, where it
    /// does.
    pub fn new(times: Times, diagnostics: &[Diagnostic], selected: &[&str]) -> Profile {
        let places: Vec<Loop> = times.loops.iter().map(|timed| timed.place.clone()).collect();
        let known = Known { places, diagnostics, selected, marked: &times.marked };
        // A loop that ran only as a part of a region has no time of its own.
        let mut entered: Vec<Timed> =
            times.loops.into_iter().filter(|timed| timed.entered > 0 && timed.whole_s > 0.0).collect();
        // Short loops are measured at some entries alone, and each measurement is a little long.
        let all: f64 = entered.iter().map(|timed| timed.own_s).sum();
        let fit = if all > times.seconds { times.seconds / all } else { 1.0 };
        entered.iter_mut().for_each(|timed| timed.own_s *= fit);
        let entered = entered.into_iter();
        let mut loops: Vec<Row> = entered.map(|timed| known.row(timed, times.seconds)).collect();
        loops.sort_by(|a, b| b.share.total_cmp(&a.share));
        let n_converted = loops.iter().filter(|row| row.timed.place.region.is_some()).count();
        Profile {
            seconds: times.seconds,
            n_loops: loops.len(),
            n_converted,
            loops,
            ended: times.ended,
            without: times.without,
        }
    }

    /// Share of the time that converted loops take.
    pub fn converted(&self) -> f64 {
        self.loops.iter().filter(|row| row.timed.place.region.is_some()).map(|row| row.share).sum()
    }

    /// Share of the time that is spent in loops.
    pub fn in_loops(&self) -> f64 {
        self.loops.iter().map(|row| row.share).sum::<f64>().min(1.0)
    }

    /// The result in a line.
    pub fn summary(&self) -> String {
        let (converted, all) = (self.n_converted, self.n_loops);
        let plural = if all == 1 { "loop" } else { "loops" };
        format!("{converted} of {all} {plural}, {} of the time, run on the GPU", percent(self.converted()))
    }
}

/// Facts about the loops of a program.
struct Known<'a> {
    places: Vec<Loop>,
    diagnostics: &'a [Diagnostic],
    selected: &'a [&'a str],
    marked: &'a BTreeSet<String>,
}

impl Known<'_> {
    fn row(&self, timed: Timed, seconds: f64) -> Row {
        let share = if seconds > 0.0 { timed.own_s / seconds } else { 0.0 };
        let empty = Row { timed, share, why: None, at: None, help: None };
        let place = &empty.timed.place;
        if place.region.is_some() {
            return empty;
        }
        if let Some((why, help)) = self.left_out(place) {
            return Row { why: Some(why.into()), help: Some(help.into()), ..empty };
        }
        let Some(reason) = self.reason(place) else { return empty };
        let at = reason.place.as_ref().map(|place| (place.file.clone(), place.line));
        Row { why: Some(reason.message.clone()), at, help: reason.help.clone(), ..empty }
    }

    /// Reason for which a loop was not looked into at all, and what changes that.
    fn left_out(&self, l: &Loop) -> Option<(&'static str, &'static str)> {
        if self.marked.contains(&l.file) {
            let help = "put the same directives around it, or take those of this file out";
            return Some(("not looked into: directives of this file mark what is converted", help));
        }
        let is_left_out = !self.selected.is_empty() && !self.selected.contains(&l.function.as_str());
        let help = "name its function in a [[region]], or take all of them out";
        is_left_out.then_some(("not looked into: the configuration selects other functions", help))
    }

    /// Reason that keeps a loop on the host: one in its own lines, rather than in a loop inside it; else one of the loops around.
    fn reason(&self, l: &Loop) -> Option<&Diagnostic> {
        let mine = self.declined(l);
        let is_inner = |other: &&Loop| other.file == l.file && holds(l, other) && other.text != l.text;
        let inner: Vec<&Loop> = self.places.iter().filter(is_inner).collect();
        let deepest = |line: u32| !inner.iter().any(|inner| has_line(inner, line));
        let own = mine.iter().find(|(_, line)| deepest(*line)).or(mine.first()).map(|(d, _)| *d);
        let around = self.places.iter().filter(|other| other.file == l.file && holds(other, l)).rev();
        own.or_else(|| around.flat_map(|other| self.declined(other)).map(|(d, _)| d).next())
    }

    /// Diagnostics of declined code in the lines of a loop, each with its line.
    fn declined(&self, l: &Loop) -> Vec<(&Diagnostic, u32)> {
        let line = |d: &Diagnostic| d.place.as_ref().filter(|place| place.file == l.file).map(|place| place.line);
        let declined = self.diagnostics.iter().filter(|d| d.severity == Severity::Declined);
        declined.filter_map(|d| Some((d, line(d)?))).filter(|(_, line)| has_line(l, *line)).collect()
    }
}

fn has_line(l: &Loop, line: u32) -> bool {
    (l.lines.0..=l.lines.1).contains(&line)
}

fn holds(outer: &Loop, inner: &Loop) -> bool {
    outer.text.start <= inner.text.start && inner.text.end <= outer.text.end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Place;

    fn timed(lines: (u32, u32), own_s: f64, region: Option<&str>) -> Timed {
        let text = lines.0 as usize * 10..lines.1 as usize * 10 + 9;
        let (file, head, function) = ("a.c".into(), "for i".into(), "f".into());
        let place = Loop { file, lines, head, function, depth: 0, region: region.map(str::to_owned), text };
        Timed { place, entered: 1, own_s, whole_s: own_s }
    }

    fn declined(line: u32, message: &str) -> Diagnostic {
        let place = Place { file: "a.c".into(), line, column: 1, length: 1, text: String::new() };
        Diagnostic::declined("call", message, Some(place)).help("split the loop")
    }

    /// The outer loop by what stands in it, the inner one by what stands in that.
    #[test]
    fn each_loop_has_the_reason_that_stands_in_it() {
        let loops = vec![timed((1, 9), 1.0, None), timed((3, 5), 6.0, None), timed((11, 12), 3.0, Some("f_0"))];
        let times = Times { seconds: 10.0, loops, ..Times::default() };
        let profile = Profile::new(times, &[declined(4, "inner"), declined(8, "outer")], &[]);
        let rows: Vec<_> = profile.loops.iter().map(|row| (row.timed.place.lines.0, row.why.as_deref())).collect();
        assert_eq!(rows, [(3, Some("inner")), (11, None), (1, Some("outer"))]);
        assert_eq!(profile.summary(), "1 of 3 loops, 30 % of the time, run on the GPU");
    }

    #[test]
    fn what_nobody_asked_for_was_not_looked_into() {
        let times = || Times { seconds: 1.0, loops: vec![timed((1, 9), 1.0, None)], ..Times::default() };
        let why = |profile: Profile| profile.loops[0].why.clone().unwrap();
        assert!(why(Profile::new(times(), &[], &["g"])).contains("the configuration selects"));
        let marked = Times { marked: ["a.c".to_owned()].into(), ..times() };
        assert!(why(Profile::new(marked, &[], &[])).contains("directives of this file"));
    }

    #[test]
    fn loops_never_take_longer_than_the_program() {
        let loops = vec![timed((1, 9), 9.0, None), timed((3, 5), 3.0, None)];
        let profile = Profile::new(Times { seconds: 6.0, loops, ..Times::default() }, &[], &[]);
        assert_eq!(profile.loops.iter().map(|row| row.timed.own_s).collect::<Vec<_>>(), [4.5, 1.5]);
        assert_eq!((profile.in_loops(), percent(profile.converted())), (1.0, "0.0 %".into()));
    }
}
