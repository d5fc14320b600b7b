//! Constructs of C that are not modelled, as a person calls them: what stands in messages for the names that the grammar of
//! tree-sitter has.

use super::builder::NOT_C;

/// Constructs without a meaning in the AST, by the grammar's name.
const WORDS: [(&str, &str); 24] = [
    ("alignas_qualifier", "`_Alignas`"),
    ("alignof_expression", "`_Alignof`"),
    ("attributed_statement", "a statement with an attribute"),
    ("case_statement", "a `case` outside of a `switch`"),
    ("compound_literal_expression", "a compound literal"),
    ("compound_statement", "a block of statements that has a value"),
    ("declaration", "a declaration where a value belongs"),
    ("else_clause", "an `else` without an `if`"),
    ("extension_expression", "`__extension__` in an expression"),
    ("generic_expression", "`_Generic`"),
    ("gnu_asm_expression", "assembly code"),
    ("goto_statement", "`goto`"),
    ("initializer_list", "a list of values"),
    ("initializer_pair", "a value for a named member or element"),
    ("labeled_statement", "a label"),
    ("linkage_specification", "`extern` with a language"),
    ("macro_type_specifier", "a macro in the place of a type"),
    ("offsetof_expression", "`offsetof`"),
    ("seh_leave_statement", "`__leave`"),
    ("seh_try_statement", "`__try`"),
    ("subscript_range_designator", "values for a range of elements"),
    ("type_descriptor", "a type where a value belongs"),
    ("type_identifier", "a type where a value belongs"),
    ("union_specifier", "a union"),
];

/// The words for a construct.
pub(super) fn of(kind: &str) -> &'static str {
    match WORDS.iter().find(|(name, _)| *name == kind) {
        Some((_, words)) => words,
        None if kind == "ERROR" => NOT_C,
        None if kind.ends_with("_statement") => "a statement that is not modelled",
        None if kind.starts_with("preproc") => "a line of the preprocessor",
        None => "C that is not modelled",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_of_the_grammar_is_shown_to_a_person() {
        let language: tree_sitter::Language = tree_sitter_c::LANGUAGE.into();
        let kinds: Vec<&str> =
            (0..language.node_kind_count() as u16).filter_map(|id| language.node_kind_for_id(id)).collect();
        for (name, _) in WORDS {
            assert!(kinds.contains(&name), "the grammar has no `{name}`");
        }
        for kind in kinds {
            let plain: String = of(kind).split('`').step_by(2).collect();
            assert!(!plain.contains('_'), "{kind}: {plain}");
            assert!(!["a a", "a e", "a i", "a o"].iter().any(|wrong| plain.starts_with(wrong)), "{kind}: {plain}");
        }
    }
}
