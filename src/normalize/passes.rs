//! The table of rewrites: one row each, in the order in which they run. A row says which rows it must follow, and why; a test
//! holds the table to that. Below it stand the rows that work on what all forms have together.

use super::form::{Context, Form};
use super::{
    arg_extremum, block_copies, buffer_rotation, commas, constants, countdown, counter_digits, error_paths,
    exit_values, fixed_rows, flag_reduction, flattened_rows, forward_substitution, generator_jump_ahead, heap_to_stack,
    if_conversion, induction_substitution, initialisers, inlining, interior_pointers, live_range_splitting,
    logical_reduction, loop_canonicalization, nan_order, offset_propagation, open_begins, partial_accumulators,
    periodic, place_canonicalization, pointer_calls, pointer_loops, pointer_propagation, pointer_tests,
    post_increments, register_tiles, row_exchange, scalar_replacement, scope_check, single_counter, speculative_exits,
    symbolic_steps, tile_buffers, untiling, zero_signs,
};
use crate::ast::build::ast_builder::{assigned, converted, surround};
use crate::facts::elements;

/// Row of the table: one rewrite of a form.
pub struct Rewrite {
    /// The name in `--dump-after normalize/NAME` and documents.
    pub name: &'static str,
    /// Purpose of the rewrite, in half a sentence.
    pub about: &'static str,
    /// The rewrite itself.
    pub run: fn(&mut Form<'_>, &mut Context<'_>),
    /// It begins when all statements of the function have come here: what it does to one depends on the others.
    pub waits: bool,
    /// Rows that it must follow, each with the reason.
    pub after: &'static [(&'static str, &'static str)],
}

/// A row whose rewrite looks at one form alone.
const fn row(
    name: &'static str,
    about: &'static str,
    run: fn(&mut Form<'_>, &mut Context<'_>),
    after: &'static [(&'static str, &'static str)],
) -> Rewrite {
    Rewrite { name, about, run, waits: false, after }
}

/// The same, of all forms of a function together.
const fn row_of_all(
    name: &'static str,
    about: &'static str,
    run: fn(&mut Form<'_>, &mut Context<'_>),
    after: &'static [(&'static str, &'static str)],
) -> Rewrite {
    Rewrite { name, about, run, waits: true, after }
}

/// All rewrites, in the order in which they run.
pub const REWRITES: &[Rewrite] = &[
    row("constants", "numbers in the place of constants", constants::fold, &[]),
    row(
        "open_begins",
        "counters of loops of unknown length begin with what the call site hands over",
        open_begins::open,
        &[],
    ),
    row("countdown", "loops that count down in their condition do so at their head", countdown::open, &[]),
    row(
        "pointer_loops",
        "loops whose counter is a pointer count by a number beside it",
        pointer_loops::open,
        &[("countdown", "how far an iteration moves a pointer is told by the heads of the loops in it")],
    ),
    row(
        "induction_substitution",
        "pointers, and numbers, that walk along an array are places by the counters",
        induction_substitution::open,
        &[
            ("countdown", "a walk is told by the counters of the loops that it goes through"),
            ("pointer_loops", "a pointer that a loop counts by is a walker only when a number counts in its place"),
        ],
    ),
    row(
        "pointer_propagation",
        "pointers that statements set to places are seen through",
        pointer_propagation::open,
        &[(
            "induction_substitution",
            "a pointer that is set and moved stands for one place only when its moves are gone",
        )],
    ),
    row(
        "inlining",
        "calls in loops are opened, assignments inside expressions are statements",
        inlining::open,
        &[
            (
                "induction_substitution",
                "a walk is looked for by what the function itself says before and behind the statement",
            ),
            (
                "pointer_propagation",
                "a parameter is named by what its argument is, which must be a place and no pointer to one",
            ),
        ],
    ),
    row(
        "pointer_calls",
        "calls through pointers are choices among the functions that these lead to, which the call site tests",
        pointer_calls::settle,
        &[(
            "inlining",
            "the functions that a call may choose are opened with it, and pointers are handed to what is called",
        )],
    ),
    row(
        "commas",
        "a statement of several expressions is a statement for each",
        commas::split,
        &[("inlining", "what a function returns may be several expressions")],
    ),
    row(
        "block_copies",
        "`memcpy` and `memset` are loops over elements",
        block_copies::open,
        &[
            ("constants", "the size of an array is a number then"),
            ("inlining", "what a function copies is told by what it is called with"),
            ("commas", "a call that is one of several expressions is a statement then"),
        ],
    ),
    row(
        "place_canonicalization",
        "one way to write a place in an array",
        |form, _| form.stmt.exprs_mut(&mut place_canonicalization::tidy),
        &[("inlining", "an argument in the place of its parameter leaves `(&a[i])->x` and `*(a + i + k)` behind")],
    ),
    row(
        "heap_to_stack",
        "memory that an iteration allocates and gives back is an array of its own",
        heap_to_stack::open,
        &[
            ("inlining", "a function that allocates, or gives back, stands in the loop when it is opened"),
            ("commas", "`free(a), free(b);` gives each back in a statement"),
            ("place_canonicalization", "elements are subscripts of the pointer then, and its other uses are seen"),
        ],
    ),
    row(
        "pointer_tests",
        "one way to ask whether a pointer leads anywhere, and whether two places are one",
        pointer_tests::unify,
        &[("place_canonicalization", "two places are one by their elements, where their array is seen")],
    ),
    row(
        "error_paths",
        "ways to the program's end, and prints that a flag opens, as assertions",
        error_paths::close,
        &[
            ("inlining", "what ends the program may stand in a function that is called"),
            ("pointer_tests", "whether a pointer leads anywhere is a condition of numbers"),
        ],
    ),
    row(
        "scalar_replacement",
        "structures of an iteration are a variable for each member",
        scalar_replacement::open,
        &[
            ("inlining", "a structure that is handed to a function is only copied and read when its body stands here"),
            ("place_canonicalization", "a structure gives way where it is named by its members, not by its address"),
        ],
    ),
    row(
        "note_structures",
        "takes note of the structures whose members arrays are subscripted for; changes nothing",
        note_structures,
        &[("scalar_replacement", "a structure that gave way is no other way to reach members of its type")],
    ),
    row_of_all(
        "arrays_of_structures",
        "arrays of structures are arrays of the numbers in them, members that loops set are variables; takes note of tables of rows",
        see_through_records,
        &[("note_structures", "an array is seen so in all statements of a block or in none: they may be one region")],
    ),
    row_of_all(
        "arrays_in_structures",
        "arrays behind structures and in tables are variables",
        name_members,
        &[
            ("arrays_of_structures", "an array of structures is a matrix of numbers, and no array behind a structure"),
            ("inlining", "the name of an array is made of what the caller knows"),
        ],
    ),
    row(
        "scope_check",
        "gives a form up that names what its place in the file does not know; changes nothing else",
        scope_check::check,
        &[
            ("inlining", "bodies bring the names of where they were written"),
            ("arrays_in_structures", "of a variable for an array, what its name is made of has to be known"),
        ],
    ),
    row(
        "initialisers",
        "arrays that a loop's body declares with values have elements that are set",
        initialisers::open,
        &[("inlining", "the bodies of functions declare such arrays, too")],
    ),
    row(
        "live_range_splitting",
        "values that live in one block alone are variables of their own there",
        live_range_splitting::open,
        &[("inlining", "what a body assigns is one more life of the variable that its result goes into")],
    ),
    row(
        "single_counter",
        "heads of `for` loops have one counter",
        single_counter::open,
        &[
            ("inlining", "the bodies of functions have such loops, too"),
            (
                "live_range_splitting",
                "a second variable that lives in its block alone is another there, which nobody reads behind it",
            ),
        ],
    ),
    row(
        "loop_canonicalization",
        "loops that count without saying so are `for` loops",
        loop_canonicalization::open,
        &[("inlining", "the bodies of functions have such loops, too")],
    ),
    row(
        "symbolic_steps",
        "loops whose counter moves by a size count by one",
        symbolic_steps::open,
        &[
            ("loop_canonicalization", "the first value and the step of a `while` stand at its head then"),
            ("single_counter", "the head of a loop has one counter"),
        ],
    ),
    row(
        "speculative_exits",
        "loops that only an error leaves run as if none occurred",
        speculative_exits::open,
        &[(
            "loop_canonicalization",
            "an error is told from convergence by the counter of its loop, which must have one",
        )],
    ),
    row(
        "exit_values",
        "counters that are read behind their loops: what these leave in them is computed",
        exit_values::open,
        &[
            ("live_range_splitting", "a counter that lives in its loop alone leaves nothing in the one of that name"),
            ("loop_canonicalization", "what a loop leaves follows from its head"),
            ("speculative_exits", "of a loop that may be left early nobody knows what its counter comes to"),
        ],
    ),
    row(
        "induction_exit_values",
        "numbers that walked are set behind the statement",
        leave_numbers,
        &[("induction_substitution", "what they come to is told by the walk")],
    ),
    row(
        "row_exchange",
        "rows that are exchanged by their pointers are exchanged by their elements",
        row_exchange::open,
        &[
            ("inlining", "a function that exchanges two rows stands in the loop when it is opened"),
            ("loop_canonicalization", "how many columns change places follows from the heads of the loops around"),
        ],
    ),
    row(
        "logical_reduction",
        "truth values that a loop joins are accumulations",
        logical_reduction::open,
        &[("speculative_exits", "a loop that an error leaves is left early until the error is given up")],
    ),
    row(
        "flag_reduction",
        "variables that a loop sets to one constant or not are accumulations",
        flag_reduction::open,
        &[("speculative_exits", "a loop that an error leaves is left early until the error is given up")],
    ),
    row(
        "post_increments",
        "places that count on are two statements",
        post_increments::open,
        &[(
            "induction_substitution",
            "a place that counts on in each iteration is a walk, and needs no variable in order",
        )],
    ),
    row(
        "generator_jump_ahead",
        "states of random generators, and numbers that move by the same, are jumped to",
        generator_jump_ahead::open,
        &[("inlining", "the function that draws stands in the loop only when it is opened")],
    ),
    row(
        "partial_accumulators",
        "loops that only the data bound accumulate in variables of their own",
        partial_accumulators::open,
        &[
            ("loop_canonicalization", "a loop that counts without saying so may be one that no part is needed for"),
            ("logical_reduction", "a truth value is accumulated, too"),
            ("flag_reduction", "and a flag"),
        ],
    ),
    row(
        "if_conversion",
        "conditions on data around several statements are a variable",
        if_conversion::open,
        &[
            ("post_increments", "`if (c) y[k++] = x[i];` has two statements under its condition then"),
            (
                "partial_accumulators",
                "what adds a part to its total is a statement beside others, under their condition",
            ),
            (
                "flag_reduction",
                "what accumulates beside other things under a condition gets a statement of its own, as a flag does",
            ),
        ],
    ),
    row(
        "forward_substitution",
        "short values of an iteration stand where they are used",
        forward_substitution::open,
        &[
            ("exit_values", "a counter that is read behind its loop is a value that goes on, and none of an iteration"),
            ("if_conversion", "a condition is taken once, before values go forward into what it decides on"),
        ],
    ),
    row(
        "offset_propagation",
        "numbers that the function set once are seen in subscripts with rows as long",
        offset_propagation::open,
        &[(
            "forward_substitution",
            "where an iteration is in an array may be a number of its own, which holds the offset",
        )],
    ),
    row(
        "periodic",
        "remainders of what is at most a period away are choices",
        periodic::open,
        &[
            (
                "forward_substitution",
                "what is taken of a counter stands in the subscripts then, whatever it was called",
            ),
            ("inlining", "what goes around may be computed by a function"),
            ("loop_canonicalization", "the head of a loop says between what its counter lies"),
        ],
    ),
    row(
        "counter_digits",
        "loops over one index of rows and columns are the two loops that it is",
        counter_digits::open,
        &[("forward_substitution", "what is taken of a counter stands in the subscripts then, whatever it was called")],
    ),
    row(
        "flattened_rows",
        "subscripts that go through all rows of an array from its first one are row and column",
        flattened_rows::open,
        &[
            ("inlining", "functions take arrays of rows for one row"),
            ("counter_digits", "a counter of all elements is row and column only when it is taken apart"),
        ],
    ),
    row(
        "arg_extremum",
        "the place of a largest or smallest value is found by two accumulations",
        arg_extremum::open,
        &[("forward_substitution", "the value that is compared is computed in the comparison")],
    ),
    row(
        "nan_order",
        "maxima and minima that take NaN pass over it, and loops with one run once more",
        nan_order::open,
        &[
            ("arg_extremum", "the largest value that it finds is a maximum by itself then"),
            (
                "forward_substitution",
                "what a maximum is computed from is one value, which is seen to be the same again",
            ),
            ("if_conversion", "what it guards is to be one statement, whose condition is not asked before each in it"),
        ],
    ),
    row(
        "zero_signs",
        "maxima and minima of values that are 0 or -0 find the sign of C's by the place of the zero",
        zero_signs::open,
        &[
            ("arg_extremum", "the largest value that it finds is a maximum by itself then"),
            ("nan_order", "the second run of a loop keeps C's order, in which zeros have C's signs"),
            (
                "forward_substitution",
                "of a value of an iteration that stands where it is used it is seen which zeros it is",
            ),
        ],
    ),
    row(
        "buffer_rotation",
        "pointers that a loop exchanges, and integers that it turns over, are constant in each copy of its body",
        buffer_rotation::open,
        &[
            ("arrays_in_structures", "arrays behind structures are exchanged as variables"),
            ("induction_exit_values", "where pointers are set behind the statement by their walks, its exchanges stay"),
            ("inlining", "a step that a function makes is followed in each copy of the loop's body"),
            ("loop_canonicalization", "how many turns there are follows from the head of the loop, if it has one"),
        ],
    ),
    row(
        "fixed_rows",
        "a row of a table that is the only one used is an array",
        fixed_rows::open,
        &[("buffer_rotation", "the name of an array must not be made of pointers that the statement exchanges")],
    ),
    row(
        "interior_pointers",
        "arrays begin before the pointers that lead into them",
        interior_pointers::open,
        &[
            ("induction_substitution", "where the subscripts of an array begin to walk, the array may begin"),
            ("buffer_rotation", "the name of an array must not be made of pointers that the statement exchanges"),
        ],
    ),
    row(
        "exit_assignments",
        "what is to be set behind a loop stands there",
        set_behind,
        &[
            ("exit_values", "values of counters are set there"),
            ("induction_exit_values", "values of numbers that walked are set there"),
            ("buffer_rotation", "only a statement that is a loop, and nothing more, is searched for exchanges"),
        ],
    ),
    row(
        "note_sizes",
        "takes note of elements of arrays that are sizes, and of numbers that arrays are named by; changes nothing",
        note_sizes,
        &[
            ("interior_pointers", "the names of arrays are made until then"),
            ("exit_assignments", "an element may be a size that only a value behind the loop reads"),
        ],
    ),
    row(
        "register_tiles",
        "in a third form: short arrays with an element for each point of a tile are a loop over the points",
        register_tiles::open,
        &[("exit_assignments", "the third form is the second one but for its tiles")],
    ),
    row(
        "tile_buffers",
        "in a third form: arrays that only hold copies or sums of a tile are gone",
        tile_buffers::open,
        &[("register_tiles", "both are parts of the third form, and a tile in an array is none of its copies")],
    ),
    row(
        "untiling",
        "in a third form: loops over tiles are the loops that they tile",
        untiling::open,
        &[("tile_buffers", "loops that fill a copy keep the nests apart that tiles are taken out of")],
    ),
];

fn note_structures(form: &mut Form<'_>, context: &mut Context<'_>) {
    context.records.note(context.unit, context.facts.addresses(), form.written, &form.stmt);
}

fn see_through_records(form: &mut Form<'_>, context: &mut Context<'_>) {
    let Context { unit, members, records, .. } = context;
    records.replace(form.written, unit, members, &mut form.stmt);
    form.stmt.exprs_mut(&mut |e| members.note(e));
}

fn name_members(form: &mut Form<'_>, context: &mut Context<'_>) {
    let Context { unit, members, records, .. } = context;
    form.stmt.exprs_mut(&mut |e| {
        records.rename(form.written, unit, members, e);
        members.replace(unit, e);
    });
}

fn leave_numbers(form: &mut Form<'_>, context: &mut Context<'_>) {
    let (unit, at) = (&*context.unit, form.written.span);
    let is_number = |v| !unit.var(v).ty.is_pointer_like();
    form.behind.extend(form.ends.extract_if(.., |end| is_number(end.walker)).map(|end| {
        let target = unit.read(end.walker, at);
        assigned(None, &target, converted(&end.place, &target.ty), at)
    }));
}

fn set_behind(form: &mut Form<'_>, _: &mut Context<'_>) {
    let behind = std::mem::take(&mut form.behind);
    if !behind.is_empty() {
        surround(&mut form.stmt, vec![], behind);
    }
}

fn note_sizes(form: &mut Form<'_>, context: &mut Context<'_>) {
    elements::note(context.unit, &form.stmt);
    form.named = context.members.numbers(context.unit, &form.stmt);
    form.named.extend(context.records.read_before(context.unit, &form.stmt));
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_row_follows_those_that_it_names() {
        let mut before = BTreeSet::new();
        for row in REWRITES {
            for (name, why) in row.after {
                assert!(before.contains(name), "{} must follow {name}, which no row before it is", row.name);
                assert!(!why.is_empty() && !why.ends_with('.'), "{} follows {name}: {why:?}", row.name);
            }
            assert!(before.insert(row.name), "{} stands twice in the table", row.name);
        }
    }
}
