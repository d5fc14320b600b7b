//! An expression by itself: what a directive or the configuration says in text, read as the C around it would read it.

use super::builder::{Builder, Scope, Symbol};
use crate::ast::{Expr, ExprKind, Unit, VarId};
use crate::source::{Source, parse};
use std::collections::{BTreeMap, VecDeque};

/// Reads a C expression in which the variables `visible` (a later one hides an earlier one of its name) and the
/// enumerators of file level have a meaning. The spans in it are of no file.
///
/// # Errors
/// Why it is no such expression, as the end of a sentence that begins with the text.
pub fn expression(unit: &Unit, visible: &[VarId], text: &str) -> Result<Expr, String> {
    let built = place(unit, visible, text)?;
    if built.ty.is_scalar() { Ok(built) } else { Err("is no number".to_owned()) }
}

/// Reads such an expression, which need be no number.
///
/// # Errors
/// Why it is no such expression, as the end of a sentence that begins with the text.
pub fn place(unit: &Unit, visible: &[VarId], text: &str) -> Result<Expr, String> {
    let not_one = || "is not a C expression".to_owned();
    let source = Source::from_text("", &format!("long rt_value = ({text});")).map_err(|_| not_one())?;
    let parsed = parse::parse(&source).map_err(|_| not_one())?;
    let root = parsed.root();
    let value = match (root.named_child_count(), root.named_child(0), root.has_error()) {
        (1, Some(declaration), false) => {
            declaration.child_by_field_name("declarator").and_then(|d| d.child_by_field_name("value"))
        }
        _ => None,
    };
    let value = value.ok_or_else(not_one)?;
    let mut scope = Scope::default();
    for (name, value) in &unit.enumerators {
        scope.symbols.insert(name, Symbol::Enumerator(Some(*value)));
    }
    for v in visible {
        scope.symbols.insert(&unit.var(*v).name, Symbol::Var(*v));
    }
    let mut builder = Builder {
        source: &source,
        parsed: &parsed,
        unit: Unit { vars: unit.vars.clone(), structs: unit.structs.clone(), ..Unit::default() },
        scopes: vec![scope],
        members: BTreeMap::new(),
        directives: VecDeque::new(),
        regions: Vec::new(),
        notes: Vec::new(),
        error: None,
        unread_to: 0,
        depth: 0,
    };
    let built = builder.expr(value);
    let mut fault = None;
    built.walk(&mut |e| {
        if let ExprKind::Unmodelled(why) = &e.kind {
            fault.get_or_insert_with(|| format!("holds {why}"));
        }
    });
    match fault {
        Some(fault) => Err(fault),
        None => Ok(built),
    }
}
