//! One runner for every pass: it times the pass, verifies what the pass leaves, and dumps that where it was asked for.
//!
//! A pass sees nothing of this, and no pass can be run without it.

use super::context::Context;
use crate::diag::Stop;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Values that passes work on: a file, a region, the program.
pub trait Level {
    /// The value that the passes of the level fill in and change.
    type State<'s>;
    /// Why a pass of the level stops.
    type Error: From<Stop>;
}

/// Runs a pass over a state.
pub type Run<L> = fn(&mut <L as Level>::State<'_>, &mut Context<'_>) -> Result<(), <L as Level>::Error>;

/// A state as text for a person who debugs a conversion.
pub type Dump<L> = fn(&<L as Level>::State<'_>) -> Result<String, <L as Level>::Error>;

/// Checks the contract of a representation; takes the name of the pass that left it.
pub type Verify<L> = fn(&str, &<L as Level>::State<'_>) -> Result<(), Stop>;

/// Row of a table: one pass.
pub struct Pass<L: Level> {
    /// The name in `--dump-after`, `-v` and documents.
    pub name: &'static str,
    /// Purpose of the pass, in half a sentence.
    pub about: &'static str,
    /// `None` where the row is another view of what the row before left.
    pub run: Option<Run<L>>,
    /// Shows what the pass left, and nothing of later ones.
    pub dump: Dump<L>,
    /// `None` where the representation has no verifier.
    pub verify: Option<Verify<L>>,
}

/// Runs the passes of a table, in order.
///
/// # Errors
/// The first pass that stops, and [`Stop::Bug`] where one breaks the contract of what it leaves.
pub fn run<L: Level>(table: &[Pass<L>], state: &mut L::State<'_>, context: &mut Context<'_>) -> Result<(), L::Error> {
    for pass in table {
        if let Some(run) = pass.run {
            let start = Instant::now();
            let ran = run(state, context);
            context.log.spend(pass.name, start.elapsed());
            ran?;
        }
        if let Some(verify) = pass.verify {
            verify(pass.name, state)?;
        }
        if context.log.dump_after.as_deref() == Some(pass.name) {
            context.log.dumps += &(pass.dump)(state)?;
        }
        if context.log.follow.is_some() {
            let left = (pass.dump)(state)?;
            context.log.note_followed(pass.name, pass.about, &left);
        }
    }
    Ok(())
}

/// The times as lines, in the order of the passes.
pub fn times(times: &BTreeMap<&'static str, Duration>, passes: &[&str]) -> String {
    let width = passes.iter().map(|pass| pass.len()).max().unwrap_or_default();
    let mut out = String::new();
    for pass in passes {
        if let Some(time) = times.get(pass) {
            let _ = writeln!(out, "{pass:<width$} {:>9.3} ms", time.as_secs_f64() * 1e3);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Kernel, parse, verify};
    use crate::pipeline::log::Log;
    use crate::pipeline::{ConvertOptions, PASSES};
    use expect_test::expect;

    /// A level of kernels alone.
    struct KernelLevel;

    impl Level for KernelLevel {
        type State<'s> = Vec<Kernel>;
        type Error = Stop;
    }

    /// Adds a kernel with this statement.
    fn add(kernels: &mut Vec<Kernel>, stmt: &str) {
        let n = kernels.len();
        let text = format!("kernel k{n}(int n) writes(int a[n]) index(64) grid (1) block (1) {{\n  {stmt}\n}}");
        kernels.extend(parse::module(&text).expect("kernel IR").1);
    }

    fn good(kernels: &mut Vec<Kernel>, _: &mut Context) -> Result<(), Stop> {
        add(kernels, "a[0] = n;");
        Ok(())
    }

    fn bad(kernels: &mut Vec<Kernel>, _: &mut Context) -> Result<(), Stop> {
        add(kernels, "a[0] = undeclared;");
        Ok(())
    }

    const fn row(name: &'static str, run: Option<Run<KernelLevel>>) -> Pass<KernelLevel> {
        let dump: Dump<KernelLevel> = |kernels| Ok(kernels.iter().map(|k| format!("{}\n", k.name)).collect());
        let verify: Verify<KernelLevel> = |pass, kernels| verify::after_pass(pass, kernels, &[]);
        Pass { name, about: "", run, dump, verify: Some(verify) }
    }

    /// Notes of a run over these rows.
    fn noted(table: &[Pass<KernelLevel>], dump_after: Option<&str>) -> Result<Log, Stop> {
        let options = ConvertOptions { dump_after: dump_after.map(str::to_owned), ..ConvertOptions::default() };
        let mut context = Context::new(&options);
        run(table, &mut vec![], &mut context)?;
        Ok(context.log)
    }

    #[test]
    fn a_broken_contract_names_the_pass() {
        let table = [row("first", Some(good)), row("second", Some(bad)), row("third", Some(good))];
        let Err(Stop::Bug(what)) = noted(&table, None) else { panic!("the second pass breaks the contract") };
        expect![[r#"
            second: the kernel IR breaks its contract
              k1: `a[0] = undeclared;`: `undeclared` is not declared here"#]]
        .assert_eq(&what);
    }

    #[test]
    fn a_text_is_followed_to_each_pass_that_makes_or_changes_a_line_with_it() {
        let options = ConvertOptions { follow: Some("k1".into()), ..ConvertOptions::default() };
        let mut context = Context::new(&options);
        let table = [row("first", Some(good)), row("second", Some(good)), row("third", Some(good))];
        run(&table, &mut vec![], &mut context).expect("a good table");
        assert_eq!(context.log.dumps, "second: \n    k1\n");
    }

    #[test]
    fn a_dump_shows_what_one_pass_left() {
        let table = [row("first", Some(good)), row("second", Some(good)), row("view", None), row("third", Some(good))];
        for (pass, expected) in [("first", "k0\n"), ("second", "k0\nk1\n"), ("view", "k0\nk1\n"), ("other", "")] {
            assert_eq!(noted(&table, Some(pass)).expect("a good table").dumps, expected, "after {pass}");
        }
        assert_eq!(noted(&table, None).expect("a good table").dumps, "");
    }

    #[test]
    fn each_row_that_runs_is_timed() {
        let table = [row("poly", Some(good)), row("plan", None), row("tables", Some(good))];
        let mut log = noted(&table, None).expect("a good table");
        let before = log.times.clone();
        assert_eq!(before.keys().copied().collect::<Vec<_>>(), ["poly", "tables"]);
        log.join(noted(&table, None).expect("a good table"));
        assert!(before.iter().all(|(pass, time)| log.times[pass] > *time), "{:?} after {before:?}", log.times);
        let text = times(&log.times, &PASSES);
        let named: Vec<&str> = text.lines().filter_map(|line| line.split(' ').next()).collect();
        assert_eq!(named, ["poly", "tables"]);
    }
}
