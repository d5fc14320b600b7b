//! Lines of OpenMP and OpenACC: what they say of loops, and of how threads meet in them.
//!
//! ```text
//! #pragma omp parallel for firstprivate(t)     the next loop's iterations are independent, but for what `t` says
//! #pragma omp atomic                           ... and for what threads do one after the other
//! ```
//! A word that is unknown here is taken for one that orders threads: nothing is asserted across it.

use super::directive::line::{Clause, reduction};
use super::directive::{DirectiveKind, OwnNames, Role, Sharing};

/// Clauses by which threads have copies of their own.
const COPIED: [&str; 4] = ["private", "firstprivate", "lastprivate", "linear"];

/// Clauses by which threads accumulate in copies of their own.
const REDUCED: [&str; 4] = ["reduction", "in_reduction", "task_reduction", "induction"];

/// Meaning of a line, if it has one: for the next loop, or for threads.
pub(super) fn hint(dialect: &str, clauses: &[Clause<'_>]) -> Option<DirectiveKind> {
    let has = |word: &str| clauses.iter().any(|c| c.word == word);
    let first = clauses.first()?.word;
    let is_loop = match dialect {
        "omp" => !speaks_of_no_loop(first) && (has("for") || has("loop") || has("distribute")),
        _ => has("loop") || has("kernels"),
    };
    if !is_loop {
        let role = role(dialect, first, &has)?;
        let mut own = own_names(clauses);
        if role == Role::OwnGlobals {
            own.copied = names(clauses, &[first]);
        }
        return Some(DirectiveKind::Threads { role, own });
    }
    // With one thread, nothing is said of several.
    let is_alone = |c: &Clause| {
        matches!((c.word, c.arguments.as_slice()), ("if", [a]) if a.text == "0")
            || matches!((c.word, c.arguments.as_slice()), ("num_threads", [a]) if a.text == "1")
    };
    let asserted = match dialect {
        "omp" => !clauses.iter().any(is_alone),
        _ if has("seq") || has("auto") => return None,
        _ => has("loop") && (has("parallel") || has("independent")),
    };
    let of = |word: &'static str| clauses.iter().filter(move |c| c.word == word);
    let reductions = of("reduction").filter_map(|c| reduction(&c.arguments).ok()).flatten().collect();
    // A `firstprivate` variable has a value from before, so that it is for the analysis to say whether it can be private.
    let private = of("private").flat_map(|c| &c.arguments).map(|a| a.text.to_owned()).collect();
    let collapse = of("collapse").find_map(|c| c.arguments.first()?.text.parse().ok()).unwrap_or(1);
    let sharing = Sharing {
        own: own_names(clauses),
        starts_threads: has("teams") || has("parallel") && !has("distribute"),
        ordered: has("ordered"),
    };
    Some(DirectiveKind::Parallel { asserted, collapse, reductions, private, sharing })
}

/// Test that a line of OpenMP that begins with this word speaks of no loop, though it may name a kind of loop.
fn speaks_of_no_loop(first: &str) -> bool {
    matches!(first, "cancel" | "cancellation" | "declare" | "begin" | "end" | "threadprivate" | "atomic" | "critical")
}

/// Effect on threads of a line that is no loop's; `None` if it has none.
fn role(dialect: &str, first: &str, has: &dyn Fn(&str) -> bool) -> Option<Role> {
    match (dialect, first) {
        (_, "atomic" | "critical") => Some(Role::Guard),
        ("acc", "parallel" | "serial") => Some(Role::Team),
        ("acc", _) => None,
        (_, "threadprivate") => Some(Role::OwnGlobals),
        // Lines of vectors, of data, of declarations, and of how loops are written.
        (
            _,
            "simd" | "declare" | "begin" | "end" | "requires" | "assume" | "assumes" | "allocate" | "error" | "nothing"
            | "tile" | "unroll" | "interchange" | "reverse" | "fuse" | "split",
        ) => None,
        (_, "target") if has("data") || has("enter") || has("exit") || has("update") => None,
        (_, "parallel" | "teams" | "target") => Some(Role::Team),
        _ => Some(Role::Order),
    }
}

fn own_names(clauses: &[Clause<'_>]) -> OwnNames {
    let (mut first, back) = (names(clauses, &["firstprivate"]), names(clauses, &["lastprivate"]));
    first.retain(|name| !back.contains(name));
    OwnNames { copied: names(clauses, &COPIED), first, reduced: names(clauses, &REDUCED) }
}

/// The identifiers in the arguments of some clauses: variables, and what stands beside them.
fn names(clauses: &[Clause<'_>], of: &[&str]) -> Vec<String> {
    let arguments = clauses.iter().filter(|c| of.contains(&c.word)).flat_map(|c| &c.arguments);
    let words = arguments.flat_map(|a| a.text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'));
    words.filter(|w| w.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Source;
    use super::super::directive::read::directives;
    use super::*;

    /// Each line's role and names, or what it says of a loop.
    fn said(text: &str) -> Vec<String> {
        let source = Source::from_text("t.c", text).unwrap();
        let found = directives(&source).unwrap();
        let each = found.iter().map(|d| match &d.kind {
            DirectiveKind::Threads { role, own } => format!("{role:?} {}", own.copied.join(" ")).trim().to_owned(),
            DirectiveKind::Parallel { asserted, reductions, private, sharing, .. } => {
                format!(
                    "loop {asserted} {} {} [{}] [{}] {} {}",
                    reductions.iter().map(|(op, v)| format!("{op}{v}")).collect::<String>(),
                    private.join(" "),
                    sharing.own.copied.join(" "),
                    sharing.own.reduced.join(" "),
                    sharing.starts_threads,
                    sharing.ordered
                )
            }
            other => format!("{other:?}"),
        });
        each.collect()
    }

    #[test]
    fn loops_of_other_dialects() {
        let lines = [
            ("omp parallel for reduction(+:s) private(i, j) schedule(static)", "loop true +s i j [i j] [s] true false"),
            ("omp for ordered lastprivate(last)", "loop true   [last] [] false true"),
            ("omp distribute parallel for simd", "loop true   [] [] false false"),
            ("omp teams distribute firstprivate(t)", "loop true   [t] [] true false"),
            ("omp parallel for reduction(mine : h[:n])", "loop true   [] [mine h n] true false"),
            ("omp parallel for if(0)", "loop false   [] [] true false"),
            ("omp parallel for num_threads(1)", "loop false   [] [] true false"),
            ("acc parallel loop", "loop true   [] [] true false"),
            ("acc loop independent", "loop true   [] [] false false"),
            ("acc kernels", "loop false   [] [] false false"),
        ];
        for (line, expected) in lines {
            assert_eq!(said(&format!("#pragma {line}\n")), [expected], "{line}");
        }
    }

    #[test]
    fn lines_about_threads() {
        let lines = [
            ("omp atomic capture", "Guard"),
            ("omp critical (name)", "Guard"),
            ("acc atomic update", "Guard"),
            ("omp parallel private(a) num_threads(4)", "Team a"),
            ("omp parallel sections", "Team"),
            ("omp target teams firstprivate(b)", "Team b"),
            ("omp threadprivate(x, y)", "OwnGlobals x y"),
            ("omp cancel for", "Order"),
            ("omp ordered depend(sink : i - 1)", "Order"),
            ("omp barrier", "Order"),
            ("omp masked", "Order"),
            ("omp taskloop", "Order"),
            ("omp some_word_of_tomorrow", "Order"),
        ];
        for (line, expected) in lines {
            assert_eq!(said(&format!("#pragma {line}\n")), [expected], "{line}");
        }
    }

    #[test]
    fn lines_that_say_nothing_here() {
        let lines = "omp simd\nomp declare simd\nomp target update to(a)\nacc loop seq\nacc data copy(a)\n\
                     omp parallel (\nomp\n";
        let text: String = lines.lines().map(|line| format!("#pragma {line}\n")).collect();
        assert_eq!(said(&text), Vec::<String>::new());
    }
}
