//! The user's C file, to the letter, with a call of the converted version put around each region.
//! ```text
//! { extern int rt_jacobi_0(int, const void *, void *, double *);
//! if (!rt_jacobi_0(n, a, x, &err)) {
//! while (err > tol) { ... }
//! }}
//! ```
//! Where the region exchanges pointers, the entry says in `rt_turn` how often (modulo the period), and they are set here:
//! `else if (rt_turn == 1) { u = rt_buffer_1; un = rt_buffer_0; }`.
//!
//! The prototypes stand in a block, so nothing is added to the file's scope; the call is compiled as the C it is in,
//! which makes variable-length arrays, `restrict` and implicit conversions the C compiler's affair.
//!
//! Where what is handed over may not be there, a condition stands before the call:
//! `if (!(0 < d[2] ? rt_f_0(d[1], ...) : rt_host_writes()))`.
//!
//! A program compiled for OpenMP may come to a region in each thread of a team, which shares the loops out: there every
//! thread runs the original.

use super::home_text::{self, Insertion};
use super::{CFile, Options, Site, bug, check_text, is_threaded, names};
use crate::dag::plan::{Exchange, Param};
use crate::diag::Stop;
use std::ops::Range;

/// The bytes of the file.
///
/// # Errors
/// [`Stop::Bug`] where the ranges of regions overlap or lie outside the text.
pub fn text(file: &CFile, options: &Options) -> Result<Vec<u8>, Stop> {
    let mut sites: Vec<_> = file.sites.iter().collect();
    sites.sort_by_key(|s| s.range.start);
    let openmp = is_threaded(&options.cflags);
    let mut insertions: Vec<Insertion> = file.homecomings.iter().flat_map(home_text::insertions).collect();
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
        let (open, close) = if options.check { around_checked(site, openmp) } else { around(site, openmp) };
        let new_line = new_line(start);
        insertions.push(Insertion::open(start, last, open.replace('\n', &new_line) + &site.markers[0]));
        insertions.push(Insertion::close(last, start, close.replace('\n', &new_line) + &site.markers[1]));
    }
    Insertion::sort(&mut insertions);
    let mut text = Vec::with_capacity(file.text.len());
    let mut at = 0;
    for Insertion { at: place, text: inserted, .. } in insertions {
        text.extend(&file.text[at..place]);
        text.extend(inserted.bytes());
        at = place;
    }
    text.extend(&file.text[at..]);
    Ok(text)
}

/// The white space that the line's first character stands behind.
fn indent(before: &[u8]) -> String {
    let line = before.rsplit(|b| *b == b'\n').next().unwrap_or_default();
    line.iter().take_while(|b| **b == b' ' || **b == b'\t').map(|b| *b as char).collect()
}

fn around(site: &Site, openmp: bool) -> (String, String) {
    let entry = &site.entry;
    let params: Vec<_> = site.region.params.iter().collect();
    let (declared, in_team) = if openmp { (", omp_in_parallel(void)", "omp_in_parallel() || ") } else { ("", "") };
    let call = match &site.region.only_if {
        Some(cond) => format!("!({cond} ? {entry}({}) : rt_host_writes())", arguments(&params)),
        None => format!("!{entry}({})", arguments(&params)),
    };
    let types = prototype(&params);
    let (before, after) = site.region.exchange.as_ref().map_or_else(Default::default, |x| (saved(x), permuted(x)));
    let otherwise = if site.region.only_if.is_some() { ", rt_host_writes(void)" } else { "" };
    let home = coming_home(site);
    let open = format!("{{ extern int {entry}({types}){otherwise}{declared};\n{home}{before}if ({in_team}{call}) {{\n");
    (open, format!("\n}}{after}}}"))
}

/// What comes home before the call.
fn coming_home(site: &Site) -> String {
    let Some(touch) = &site.touch else { return String::new() };
    format!("{}\n{};\n", home_text::declarations(touch), home_text::calls(touch).join("; "))
}

fn around_checked(site: &Site, openmp: bool) -> (String, String) {
    let entry = &site.entry;
    let declared = if openmp { "extern int omp_in_parallel(void);\n" } else { "" };
    let tests: Vec<&str> =
        openmp.then_some("!omp_in_parallel()").into_iter().chain(site.region.only_if.as_deref()).collect();
    let (tested, if_called) = match tests.join(" && ") {
        none if none.is_empty() => (String::new(), ""),
        tests => {
            let otherwise = "extern int rt_host_writes(void);\n";
            (format!("{otherwise}const int rt_called = {tests} || rt_host_writes();\n"), "if (rt_called) ")
        }
    };
    let (params, compared) = (site.region.params.iter().collect::<Vec<_>>(), check_text::compared(site));
    let (before, after) = site.region.exchange.as_ref().map_or_else(Default::default, |x| (saved(x), found_turn(x)));
    let home = coming_home(site);
    let open = format!(
        "{{ extern void {entry}_before({}), {entry}_after({});\n{home}{declared}{tested}{before}{if_called}{entry}_before({});\n{{\n",
        prototype(&params),
        prototype(&compared),
        arguments(&params)
    );
    // The original has exchanged its pointers: what is compared are the buffers that they pointed to.
    let there = |p: &&Param| match (&site.region.exchange, *p) {
        (Some(x), Param::Array { name, c_expr, is_const }) => {
            let at = x.pointers.iter().position(|p| p == c_expr);
            let c_expr = at.map_or(c_expr.clone(), buffer);
            Param::Array { name: name.clone(), c_expr, is_const: *is_const }
        }
        (_, p) => p.clone(),
    };
    let compared: Vec<Param> = compared.iter().map(there).collect();
    let values = arguments(&compared.iter().collect::<Vec<_>>());
    (open, format!("\n}}\n{after}{if_called}{entry}_after({values}); }}"))
}

/// Where the pointer of that number points to before the region.
fn buffer(at: usize) -> String {
    format!("rt_buffer_{at}")
}

/// Keeps where the pointers point to.
fn saved(x: &Exchange) -> String {
    let one = |(i, p): (usize, &String)| format!("*const {} = (void *){p}", buffer(i));
    let buffers: Vec<String> = x.pointers.iter().enumerate().map(one).collect();
    format!("int {} = 0;\nvoid {};\n", x.turn, buffers.join(", "))
}

/// Gives the pointers the values that the original's exchanges would.
fn permuted(x: &Exchange) -> String {
    let mut out = String::new();
    for (turn, holds) in x.turns.iter().enumerate().skip(1) {
        let moved = x.pointers.iter().zip(holds).enumerate().filter(|(i, (_, from))| i != *from);
        let moves: Vec<String> = moved.map(|(_, (p, from))| format!("{p} = {};", buffer(*from))).collect();
        out += &format!(" else if ({} == {turn}) {{\n{}\n}}", x.turn, moves.join(" "));
    }
    out
}

/// Reads from the pointers how many exchanges the original has made.
fn found_turn(x: &Exchange) -> String {
    let one = |(turn, holds): (usize, &Vec<usize>)| {
        let held = x.pointers.iter().zip(holds).map(|(p, from)| format!("(void *){p} == {}", buffer(*from)));
        format!("{} ? {turn} : ", held.collect::<Vec<_>>().join(" && "))
    };
    let turns: String = x.turns.iter().enumerate().skip(1).map(one).collect();
    format!("{} = {turns}0;\n", x.turn)
}

fn prototype(params: &[&Param]) -> String {
    let one = |p: &&Param| match p {
        Param::Scalar { ty, .. } => names::c_type(*ty, 64).to_string(),
        Param::Place { .. } => "const void *".to_string(),
        Param::ScalarInOut { ty, .. } => format!("{} *", names::c_type(*ty, 64)),
        Param::Array { is_const, .. } => if *is_const { "const void *" } else { "void *" }.to_string(),
    };
    if params.is_empty() { "void".into() } else { params.iter().map(one).collect::<Vec<_>>().join(", ") }
}

fn arguments(params: &[&Param]) -> String {
    let one = |p: &&Param| match p {
        Param::Scalar { c_expr, .. } | Param::Array { c_expr, .. } => c_expr.clone(),
        Param::ScalarInOut { c_expr, .. } | Param::Place { c_expr, .. }
            if c_expr.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') =>
        {
            format!("&{c_expr}")
        }
        Param::ScalarInOut { c_expr, .. } | Param::Place { c_expr, .. } => format!("&({c_expr})"),
    };
    params.iter().map(one).collect::<Vec<_>>().join(", ")
}
