//! Reasons why a value that is no number cannot be used.

use crate::ast::{Expr, ExprKind, Type, Unit, VarId, print};
use crate::facts::{Reason, callable, effects, remedy};
use crate::source::Span;
use std::collections::BTreeSet;

/// Why a value of a type that is not modelled cannot be used.
pub(super) fn other_type(e: &Expr, what: &str) -> Reason {
    let (mut unmodelled, mut named) = (None, None);
    e.walk(&mut |e| {
        if let ExprKind::Unmodelled(why) = &e.kind {
            unmodelled.get_or_insert((why, e.span));
        }
        // An unknown word is so because of the node that it is a part of.
        let mut ty = &e.ty;
        while let Type::Pointer { to: of, .. } | Type::Array { of, .. } = ty {
            ty = of;
        }
        if let Type::Other(name) = ty
            && name != "unknown"
        {
            named.get_or_insert((name, e.span));
        }
    });
    if let Some((why, at)) = unmodelled {
        return Reason::new("not-modelled", why.clone(), at);
    }
    let (what, at) = named.map_or((what, e.span), |(name, at)| (name.as_str(), at));
    named_type(what, at)
}

fn named_type(what: &str, at: Span) -> Reason {
    let is_in_union = what == print::MEMBER_OF_UNION;
    let what = print::other_in_words(what);
    let of = if what.starts_with("the type") || what.starts_with("a type") { "of " } else { "" };
    let reason = Reason::new("element-type", format!("this is {of}{what}"), at);
    match is_in_union {
        true => reason.help(remedy!("keep it in a variable of its own, and set the member after the loop")),
        false => reason,
    }
}

/// Why the value of a member cannot be handed over, in a region that writes these variables.
pub(super) fn member(unit: &Unit, e: &Expr, written: &BTreeSet<VarId>) -> Reason {
    let mut called = None;
    let mut is_chosen = false;
    e.walk(&mut |e| match &e.kind {
        ExprKind::Call { name, .. } => called = callable::check_call(unit, name, e.span).err(),
        ExprKind::Index(_, index) => index.walk(&mut |e| {
            is_chosen |= matches!(e.kind, ExprKind::Index(..) | ExprKind::Call { .. });
            is_chosen |= matches!(e.kind, ExprKind::Var(v) if written.contains(&v));
        }),
        _ => {}
    });
    if let Some(reason) = called {
        return reason;
    }
    let (what, help) = match e.root() {
        None => ("a member of what is no variable is used here", remedy!("keep the structure in a variable")),
        Some(v) if written.contains(&v) => (
            "a member is used here of a structure that the region exchanges for another",
            remedy!("gather these members in an array before the loop"),
        ),
        _ if !effects::is_scalar(&e.ty) => (
            "a member that is no number is used as a whole here",
            remedy!("use the numbers in it, and decide before the loop what depends on it as a whole"),
        ),
        _ if is_chosen => (
            "a member is used here of a structure that each iteration reaches by a pointer of its own",
            remedy!("gather these members in an array before the loop"),
        ),
        _ => (
            "a member is used here that is reached through more than variables and members",
            remedy!("copy the member to a local variable before the loop"),
        ),
    };
    Reason::new("structure", what, e.span).help(help)
}

/// Why a declaration is not modelled of what is no number.
pub(super) fn aggregate(unit: &Unit, v: VarId, init: Option<&Expr>, at: Span) -> Reason {
    let var = unit.var(v);
    let name = &var.name;
    if let Some(ExprKind::Call { name, .. }) = init.map(|e| &e.kind)
        && let Err(reason) = callable::check_call(unit, name, at)
    {
        return reason;
    }
    let (message, help) = match (&var.ty, init) {
        (Type::Struct(_), _) => (
            format!("the structure `{name}` is used as a whole here"),
            remedy!("use a variable for each of its members"),
        ),
        (ty, _) if ty.signature().is_some() => (
            format!("the pointer `{name}` to a function is declared here"),
            remedy!("set the pointer before the loop, and leave it as it is in it"),
        ),
        (Type::Pointer { .. }, _) => {
            (format!("the pointer `{name}` is declared here"), remedy!("subscript the array that it points into"))
        }
        (Type::Other(what), init) => {
            return init.map_or_else(|| named_type(what, at), |init| other_type(init, what));
        }
        _ => (
            format!("the array `{name}` is initialised where it is declared"),
            remedy!("declare it without values, and assign its elements in statements after it"),
        ),
    };
    Reason::new("local-aggregate", message, at).help(help)
}
