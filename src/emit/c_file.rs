//! The user's C file, to the letter, with a call of the converted version put around each region; small functions that get
//! one are declared `inline` ([`head_text`]). Loops that run in parts come with them in the text (`src/split/mod.rs`).
//! ```text
//! { extern int rt_jacobi_0(int, const void *, void *, double *);
//! double rt_new_err = err;
//! if (!rt_jacobi_0(n, a, x, &rt_new_err)) {
//! while (err > tol) { ... }
//! } else {
//! err = rt_new_err;
//! }}
//! ```
//! A number that the region changes is handed over as a copy (`src/host_plan/handed.rs`).
//!
//! Where the region exchanges pointers, the entry says in `rt_turn` how often (modulo the period), and they are set here:
//! `else if (rt_turn == 1) { u = rt_buffer_1; un = rt_buffer_0; }`.
//!
//! The prototypes stand in a block, so nothing is added to the file's scope; the call is compiled as the C it is in,
//! which makes variable-length arrays, `restrict` and implicit conversions the C compiler's affair.
//!
//! Where what is handed over may not be there, a condition stands before the call:
//! `if (!(0 < d[2] ? rt_f_0(d[1], ...) : rt_host_writes("f.c", 3)))`.
//!
//! A program compiled for OpenMP may come to a region in each thread of a team. Where the region is a loop that the team shares
//! out, one thread calls it for all, if they come with the same arrays and numbers; else every thread runs the original:
//! ```text
//! void * rt_mine_0 = (void *)(a);
//! void * rt_one_0 = rt_mine_0;
//! int rt_is_apart = 0, *rt_apart = &rt_is_apart, rt_called = 0;
//! #pragma omp single copyprivate(rt_apart, rt_one_0)
//! {
//! }
//! if (rt_mine_0 != rt_one_0) { *rt_apart = 1; }      atomically
//! #pragma omp barrier
//! #pragma omp single copyprivate(rt_called)
//! rt_called = !*rt_apart && rt_f_0(rt_mine_0);
//! if (!rt_called) {
//! #pragma omp for
//! ...
//! }
//! ```

use super::construct::c_file::{
    self, Around, AroundChecked, AroundTeam, AroundTeamChecked, Call, Held, ORIGINAL, PointerEnd, Turn,
};
use super::home_text::{self, Insertion};
use super::spell::{spell, spell_around};
use super::{CFile, Midway, Options, Site, bug, check_text, forward_text, head_text, inline_text, is_threaded, names};
use crate::cost::host::STEPS;
use crate::diag::Stop;
use crate::host_plan::ir::{Handed, Param, Rotation};
use crate::source::joined::Inclusion;
use std::ops::Range;

/// The bytes of the file.
///
/// # Errors
/// [`Stop::Bug`] where the ranges of regions overlap or lie outside the text.
pub fn text(file: &CFile, options: &Options) -> Result<Vec<u8>, Stop> {
    let mut sites: Vec<_> = file.sites.iter().collect();
    sites.sort_by_key(|s| s.range.start);
    let openmp = is_threaded(&options.cflags);
    let homecomings = file.homecomings.iter().map(home_text::insertions).collect::<Result<Vec<_>, _>>()?;
    let mut insertions = homecomings.concat();
    // Before a line marker, what is inserted stays on the line that it belongs to.
    let is_marked = sites.iter().flat_map(|s| &s.markers).any(|marker| !marker.is_empty());
    let new_line = |at: usize| if is_marked { " ".to_owned() } else { format!("\n{}", indent(&file.text[..at])) };
    for x in &mut insertions {
        x.text = x.text.replace('\n', &new_line(x.at.min(x.other)));
    }
    let mut end = 0;
    for site in sites {
        let Range { start, end: last } = site.range;
        if start < end || last < start || last > file.text.len() {
            return Err(bug(format!("region `{}` overlaps another or leaves its file", site.region.name)));
        }
        end = last;
        let is_shared_out = openmp && site.is_shared_out;
        let [open, close] = match (options.check, is_shared_out) {
            (true, true) => around_team_checked(site)?,
            (true, false) => around_checked(site, openmp)?,
            (false, true) => around_team(site)?,
            (false, false) => around(site, openmp)?,
        };
        if !options.check && !is_shared_out {
            insertions.extend(midway(site, openmp, &new_line)?);
        }
        // A pragma needs its own line; a line marker behind it says where the user's text goes on.
        let new_line = if is_shared_out && is_marked { "\n".to_owned() } else { new_line(start) };
        insertions.push(Insertion::open(start, last, open.replace('\n', &new_line) + &site.markers[0]));
        insertions.push(Insertion::close(last, start, close.replace('\n', &new_line) + &site.markers[1]));
    }
    insertions.iter_mut().for_each(|x| x.text = file.macros.written(&x.text));
    let declared = forward_text::insertions(&file.forward, &insertions);
    insertions.extend(head_text::insertions(&file.heads, &insertions, &options.cflags));
    insertions.extend(declared);
    Insertion::sort(&mut insertions);
    let mut writer =
        Writer { file, insertions: insertions.into_iter().peekable(), out: Vec::with_capacity(file.text.len()) };
    writer.write(0..file.text.len(), &file.inclusions);
    Ok(writer.out)
}

/// The text as it is written, with what is inserted.
struct Writer<'a> {
    file: &'a CFile,
    /// In the order of their places.
    insertions: std::iter::Peekable<std::vec::IntoIter<Insertion>>,
    out: Vec<u8>,
}

impl Writer<'_> {
    /// Writes a range of the text. What is included within and has nothing inserted is a directive again; what has stands
    /// between line markers of its own.
    fn write(&mut self, range: Range<usize>, within: &[Inclusion]) {
        let mut at = range.start;
        let mut rest = within;
        while let Some((first, behind)) = rest.split_first() {
            let n_inner = behind.partition_point(|x| x.range.start < first.range.end);
            let (inner, next) = behind.split_at(n_inner);
            self.copy(at..first.range.start);
            if self.insertions.peek().is_some_and(|x| x.at < first.range.end) {
                self.mark(&first.file, 1);
                self.write(first.range.clone(), inner);
                self.mark(&first.behind.0, first.behind.1);
            } else {
                self.out.extend(&first.directive);
            }
            (at, rest) = (first.range.end, next);
        }
        self.copy(at..range.end);
    }

    /// Copies a range in which nothing is included. What is inserted at its end belongs to what follows, but for the end of
    /// the text.
    fn copy(&mut self, range: Range<usize>) {
        let mut at = range.start;
        let is_last = range.end == self.file.text.len();
        while let Some(x) = self.insertions.next_if(|x| x.at < range.end || is_last && x.at == range.end) {
            self.out.extend(&self.file.text[at..x.at]);
            self.out.extend(x.text.bytes());
            at = x.at;
        }
        self.out.extend(&self.file.text[at..range.end]);
    }

    /// Tells the compiler which line follows.
    fn mark(&mut self, file: &str, line: u32) {
        let file = file.replace('\\', "\\\\").replace('"', "\\\"");
        self.out.extend(format!("#line {line} \"{file}\"\n").bytes());
    }
}

/// The white space that the line's first character stands behind.
fn indent(before: &[u8]) -> String {
    let line = before.rsplit(|b| *b == b'\n').next().unwrap_or_default();
    line.iter().take_while(|b| **b == b' ' || **b == b'\t').map(|b| *b as char).collect()
}

fn around(site: &Site, is_threaded: bool) -> Result<[String; 2], Stop> {
    let call = call_with_copies(site, is_threaded);
    spell_around(&Around { original: ORIGINAL, call, is_midway: site.midway.is_some() })
}

fn call_with_copies(site: &Site, is_threaded: bool) -> Call<'_> {
    let params: Vec<_> = site.region.params.iter().collect();
    Call { arguments: arguments(&params, true), copies: copies(&params), ..call(site, is_threaded) }
}

/// The call in the midst of the loop that a region is, where its body begins.
fn midway(site: &Site, is_threaded: bool, new_line: &dyn Fn(usize) -> String) -> Result<Option<Insertion>, Stop> {
    let Some(Midway { at, from }) = &site.midway else { return Ok(None) };
    let mut call = call_with_copies(site, is_threaded);
    for (argument, param) in call.arguments.iter_mut().zip(&site.region.params) {
        if let Some((_, counter)) = from.as_ref().filter(|(name, _)| name == param.name()) {
            argument.clone_from(counter);
        }
    }
    let text = spell(&c_file::Midway { call, turns: STEPS })?;
    Ok(Some(Insertion::open(*at, *at, text.replace('\n', &new_line(*at)))))
}

fn call(site: &Site, is_threaded: bool) -> Call<'_> {
    let params: Vec<_> = site.region.params.iter().collect();
    Call {
        entry: &site.entry,
        types: prototype(&params),
        arguments: arguments(&params, false),
        copies: vec![],
        only_if: site.region.only_if.as_deref(),
        file: names::quoted_file(&site.file),
        line: site.lines.0,
        is_threaded,
        timed: site.region.offload.as_ref().map(|_| names::quote(&site.region.name)),
        little: inline_text::little(&site.region),
        home: site.touch.as_ref().map(|touch| home_text::home(touch, &site.file, site.lines.0)),
        rotation: site.region.rotation.as_ref().map(rotation),
        ends: site.region.ends.iter().map(|(pointer, place)| PointerEnd { pointer, place }).collect(),
    }
}

fn team(site: &Site) -> c_file::Team<'_> {
    let params: Vec<_> = site.region.params.iter().collect();
    let types = prototype(&params);
    let value = |(n, (r#type, value)): (usize, (&String, String))| c_file::TeamValue {
        r#type: r#type.clone(),
        value,
        mine: format!("rt_mine_{n}"),
        one: format!("rt_one_{n}"),
    };
    let values: Vec<_> = types.iter().zip(arguments(&params, false)).enumerate().map(value).collect();
    let mine = values.iter().map(|v| v.mine.clone()).collect();
    let home = site.touch.as_ref().map(|touch| home_text::home(touch, &site.file, site.lines.0));
    c_file::Team { entry: &site.entry, types, values, mine, home }
}

fn around_team(site: &Site) -> Result<[String; 2], Stop> {
    spell_around(&AroundTeam { original: ORIGINAL, team: team(site) })
}

fn around_team_checked(site: &Site) -> Result<[String; 2], Stop> {
    let compared = check_text::compared(site);
    spell_around(&AroundTeamChecked {
        original: ORIGINAL,
        team: team(site),
        compared_types: prototype(&compared),
        compared: arguments(&compared, false),
    })
}

fn around_checked(site: &Site, is_threaded: bool) -> Result<[String; 2], Stop> {
    let compared = check_text::compared(site);
    // The original has exchanged or moved its pointers: what is compared are the buffers that they pointed to.
    let exchanged = site.region.rotation.iter().flat_map(|x| &x.pointers);
    let changed: Vec<&String> = exchanged.chain(&site.region.walked).collect();
    let there = |p: &&Param| match *p {
        Param::Array { name, c_expr, is_const } => {
            let at = changed.iter().position(|p| *p == c_expr);
            let c_expr = at.map_or(c_expr.clone(), buffer);
            Param::Array { name: name.clone(), c_expr, is_const: *is_const }
        }
        p => p.clone(),
    };
    let walked = changed.iter().enumerate().skip(changed.len() - site.region.walked.len());
    let values: Vec<Param> = compared.iter().map(there).collect();
    spell_around(&AroundChecked {
        original: ORIGINAL,
        call: call(site, is_threaded),
        is_conditional: is_threaded || site.region.only_if.is_some(),
        walked: walked.map(|(at, pointer)| Held { pointer, buffer: buffer(at) }).collect(),
        compared_types: prototype(&compared),
        compared: arguments(&values.iter().collect::<Vec<_>>(), false),
    })
}

/// Where the pointer of that number points to before the region.
fn buffer(at: usize) -> String {
    format!("rt_buffer_{at}")
}

fn rotation(x: &Rotation) -> c_file::Rotation<'_> {
    let held = |pointer, from| Held { pointer, buffer: buffer(from) };
    let turn = |(number, from): (usize, &Vec<usize>)| {
        let holds = x.pointers.iter().zip(from).map(|(pointer, from)| held(pointer, *from));
        let moves = holds.clone().enumerate().filter(|(i, _)| *i != from[*i]).map(|(_, held)| held);
        Turn { number, holds: holds.clone().collect(), moves: moves.collect() }
    };
    c_file::Rotation {
        turn: &x.turn,
        pointers: x.pointers.iter().enumerate().map(|(i, p)| held(p, i)).collect(),
        turns: x.turns.iter().enumerate().skip(1).map(turn).collect(),
    }
}

/// Name of the copy of a variable.
fn copy_of(variable: &str) -> String {
    format!("rt_new_{variable}")
}

fn copies(params: &[&Param]) -> Vec<c_file::Copy> {
    let copy = |p: &&Param| match p {
        Param::ScalarInOut { ty, c_expr, handed: Handed::Copy { has_value }, .. } => Some(c_file::Copy {
            r#type: names::c_type(*ty, 64),
            variable: c_expr.clone(),
            copy: copy_of(c_expr),
            has_value: *has_value,
        }),
        _ => None,
    };
    params.iter().filter_map(copy).collect()
}

fn prototype(params: &[&Param]) -> Vec<String> {
    let one = |p: &&Param| match p {
        Param::Scalar { ty, .. } => names::c_type(*ty, 64).to_string(),
        Param::Place { .. } => "const void *".to_string(),
        Param::ScalarInOut { ty, .. } => format!("{} *", names::c_type(*ty, 64)),
        Param::Array { is_const, .. } => if *is_const { "const void *" } else { "void *" }.to_string(),
    };
    params.iter().map(one).collect()
}

/// Arguments of a call. `with_copies`: copies of variables that have one.
fn arguments(params: &[&Param], with_copies: bool) -> Vec<String> {
    let one = |p: &&Param| match p {
        Param::Scalar { c_expr, .. } | Param::Array { c_expr, .. } => c_expr.clone(),
        Param::ScalarInOut { c_expr, handed: Handed::Copy { .. }, .. } if with_copies => {
            format!("&{}", copy_of(c_expr))
        }
        Param::ScalarInOut { c_expr, .. } | Param::Place { c_expr, .. }
            if c_expr.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') =>
        {
            format!("&{c_expr}")
        }
        Param::ScalarInOut { c_expr, .. } | Param::Place { c_expr, .. } => format!("&({c_expr})"),
    };
    params.iter().map(one).collect()
}
