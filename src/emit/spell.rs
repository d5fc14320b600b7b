//! Spelling: how a construct of CUDA C++ looks stands in a template of `templates/cuda/`, a file a construct.
//!
//! Rust decides what is emitted, and fills in the values of a [`Construct`]; its template says how that is written.
//! Templates are Handlebars, strict: a value that is missing is an error. A template may include another
//! (`{{> assignment}}`; one that is put inside a line ends in `~}}`), and has four words of ours:
//!
//! | word | what it writes |
//! | --- | --- |
//! | `{{items x}}` | the items of a list, with commas between |
//! | `{{list x}}` | the same, on further lines where one is too long |
//! | `{{#fill}} .. {{/fill}}` | its own lines beside each other, on further lines where one is too long |
//! | `{{from line}}` | the line of the user's C, as a comment behind the code; nothing for line 0 |
//!
//! All templates are one table, [`CUDA`]: another table in its place is another spelling.

use super::bug;
use super::construct::Construct;
use super::construct::c_file::ORIGINAL;
use crate::diag::Stop;
use handlebars::Handlebars;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::{LazyLock, OnceLock};

mod words;

macro_rules! templates {
    ($($name:literal)*) => { &[$(($name, include_str!(concat!("../../templates/cuda/", $name, ".hbs")))),*] };
}

/// The templates of CUDA C++, by name.
pub const CUDA: &[(&str, &str)] = templates! {
    "aligned_array"
    "all_inside"
    "around"
    "around_checked"
    "around_team"
    "around_team_checked"
    "array"
    "array_parameter"
    "asked"
    "assign"
    "assignment"
    "atomic"
    "barrier"
    "barrier_parameter"
    "blas"
    "blas_pays"
    "block_reduce"
    "break"
    "buffers"
    "by_positions"
    "check_after"
    "check_before"
    "check_guard"
    "checked_argument"
    "checked_array"
    "coinciding"
    "commit_copies"
    "continue"
    "copy_async"
    "copy_in"
    "copy_out"
    "cuda_file"
    "cut_long_rows"
    "declaration"
    "disjoint"
    "done"
    "either"
    "element"
    "elements"
    "entry"
    "extents"
    "fills"
    "fills_unevenly"
    "fit"
    "function"
    "give_up"
    "given_back"
    "grid_barrier"
    "grid_wait"
    "guard"
    "handed"
    "home"
    "home_around"
    "home_before"
    "home_call"
    "home_each"
    "home_functions"
    "home_value"
    "host_range"
    "if"
    "instance"
    "join"
    "keep"
    "kernel"
    "launch"
    "leaves"
    "little"
    "load_vector"
    "local_array"
    "loop"
    "many"
    "matrix"
    "midway"
    "mma"
    "on_chip"
    "on_chip_parameter"
    "offload"
    "on_device"
    "one_block"
    "own_members"
    "phase"
    "phase_call"
    "place_of"
    "pointer_parameter"
    "print"
    "product"
    "product_pays"
    "reach"
    "reach_holds"
    "reference_parameter"
    "region"
    "replay"
    "resident"
    "return"
    "row"
    "rows"
    "scalar_parameter"
    "scan_blocks"
    "shared_array"
    "shorten_columns"
    "skip"
    "slice_rows"
    "sparse_matrix"
    "sparse_pays"
    "sparse_product"
    "store_vector"
    "team"
    "template"
    "told"
    "touched"
    "touches"
    "turns"
    "wait_copies"
    "warp_scan"
    "while"
};

/// The templates of files around those of CUDA: what builds the program, what launches and checks kernels of the user's.
const BUILD: &[(&str, &str)] = &[
    ("Makefile", include_str!("../../templates/Makefile.hbs")),
    ("CMakeLists.txt", include_str!("../../templates/CMakeLists.txt.hbs")),
    ("tune/landscape", include_str!("../../templates/tune/landscape.svg.hbs")),
    ("optimize/launch", include_str!("../../templates/optimize/launch.hbs")),
    ("optimize/header", include_str!("../../templates/optimize/header.hbs")),
    ("optimize/driver", include_str!("../../templates/optimize/driver.hbs")),
    ("optimize/beside", include_str!("../../templates/optimize/beside.hbs")),
];

static SPELLING: LazyLock<Spelling> = LazyLock::new(|| Spelling::of(&[CUDA, BUILD].concat()));

/// Spells a construct as the templates of [`CUDA`] say.
///
/// # Errors
/// A template that does not parse or names a value that the construct lacks.
pub fn spell<C: Construct>(construct: &C) -> Result<String, Stop> {
    SPELLING.spell(construct)
}

/// Spells a construct around text of the user's: what stands before, between and behind.
///
/// # Errors
/// As [`spell`], and where there are not `N` such pieces.
pub fn spell_around<C: Construct, const N: usize>(construct: &C) -> Result<[String; N], Stop> {
    let pieces: Vec<String> = spell(construct)?.split(ORIGINAL).map(str::to_owned).collect();
    pieces.try_into().map_err(|_| bug(format!("`{}` is not around {} texts of the user's", C::TEMPLATE, N - 1)))
}

/// Fills the template of a build file.
///
/// # Errors
/// As [`spell`].
pub fn build_file(name: &str, data: &impl Serialize) -> Result<String, Stop> {
    SPELLING.render(name, data)
}

/// A set of templates. Each is parsed when it is used first: a small program uses few.
pub struct Spelling {
    texts: BTreeMap<&'static str, &'static str>,
    parsed: BTreeMap<&'static str, OnceLock<Result<Handlebars<'static>, String>>>,
}

impl Spelling {
    /// The spelling of a table of names and templates.
    pub fn of(templates: &[(&'static str, &'static str)]) -> Self {
        Spelling {
            texts: templates.iter().copied().collect(),
            parsed: templates.iter().map(|(name, _)| (*name, OnceLock::new())).collect(),
        }
    }

    /// A template, parsed with those that it includes.
    fn parse(&self, template: &str) -> Result<Handlebars<'static>, String> {
        let mut registry = Handlebars::new();
        registry.set_strict_mode(true);
        registry.register_escape_fn(handlebars::no_escape);
        words::register(&mut registry);
        let mut wanted = vec![template];
        while let Some(name) = wanted.pop() {
            let text = self.texts.get(name).ok_or_else(|| format!("there is no template `{name}`"))?;
            registry.register_template_string(name, text).map_err(|e| e.to_string())?;
            wanted.extend(included(text).filter(|name| !registry.has_template(name)));
        }
        Ok(registry)
    }

    /// Spells a construct; without the last line's end.
    ///
    /// # Errors
    /// A template that is missing, or names a value that the construct lacks.
    pub fn spell<C: Construct>(&self, construct: &C) -> Result<String, Stop> {
        let mut text = self.render(C::TEMPLATE, construct)?;
        text.truncate(text.strip_suffix('\n').unwrap_or(&text).len());
        Ok(text)
    }

    fn render(&self, template: &str, data: &impl Serialize) -> Result<String, Stop> {
        let parsed = self.parsed.get(template).ok_or_else(|| bug(format!("there is no template `{template}`")))?;
        parsed.get_or_init(|| self.parse(template)).as_ref().map_err(bug)?.render(template, data).map_err(bug)
    }
}

/// The templates that one includes.
fn included(text: &str) -> impl Iterator<Item = &str> {
    text.split("{{> ").skip(1).filter_map(|after| after.split([' ', '}']).next())
}

#[cfg(test)]
mod tests {
    use super::super::construct::{self, statements::Barrier};
    use super::super::layout;
    use super::*;
    use serde_json::json;
    use std::collections::BTreeSet;

    /// Text that a template makes of data.
    fn spelled(template: &'static str, data: serde_json::Value) -> Result<String, Stop> {
        Spelling::of(&[("one", template)]).render("one", &data)
    }

    #[test]
    fn each_construct_has_a_template_and_each_template_a_use() {
        let constructs: BTreeSet<&str> = construct::templates().into_iter().collect();
        constructs.iter().for_each(|name| drop(SPELLING.parse(name).unwrap()));
        let partials = CUDA.iter().flat_map(|(_, text)| included(text));
        let used: BTreeSet<&str> = constructs.iter().copied().chain(partials).collect();
        assert_eq!(used, CUDA.iter().map(|(name, _)| *name).collect());
    }

    #[test]
    fn each_file_is_in_the_table() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/templates/cuda");
        let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
        let files: BTreeSet<String> = files.collect();
        assert_eq!(files, CUDA.iter().map(|(name, _)| format!("{name}.hbs")).collect());
    }

    #[test]
    fn a_missing_value_is_an_error() {
        for template in
            ["{{x}}", "{{#if x}}a{{/if}}", "{{#each x}}a{{/each}}", "{{items x}}", "{{list x}}", "{{from x}}"]
        {
            assert!(matches!(spelled(template, json!({ "y": 1 })), Err(Stop::Bug(_))), "{template}");
        }
        assert_eq!(spelled("{{#if x}}a{{/if}}{{from y}}", json!({ "x": null, "y": 0 })).unwrap(), "");
    }

    #[test]
    fn another_table_is_another_spelling() {
        let other = CUDA.iter().map(|(name, text)| match *name {
            "barrier" => (*name, "cooperative_groups::this_thread_block().sync();\n"),
            _ => (*name, *text),
        });
        let barrier = Barrier { line: 0 };
        assert_eq!(spell(&barrier).unwrap(), "__syncthreads(); ");
        let other = Spelling::of(&other.collect::<Vec<_>>());
        assert_eq!(other.spell(&barrier).unwrap(), "cooperative_groups::this_thread_block().sync();");
    }

    #[test]
    fn what_may_be_broken_is_broken_where_the_line_would_be_too_long() {
        let spelled = |template, n| {
            let x: Vec<String> = (0..n).map(|n| format!("an_argument_{n}")).collect();
            layout::laid_out(&spelled(template, json!({ "x": x, "line": 7 })).unwrap(), "a.c")
        };
        assert_eq!(spelled("f({{list x}});", 2), "f(an_argument_0, an_argument_1);\n");
        assert_eq!(
            spelled("f({{#fill}}\n  1,\n  2{{#each x}},\n  {{this}}{{/each}}{{/fill}});", 1),
            "f(1, 2, an_argument_0);\n"
        );
        let broken = spelled("    f({{list x}}); {{from line}}", 9);
        let expected = "    f(an_argument_0, an_argument_1, an_argument_2, an_argument_3, an_argument_4, an_argument_5, an_argument_6,\n      \
                        an_argument_7, an_argument_8);                                            // a.c:7\n";
        assert_eq!(broken, expected);
    }
}
