//! A kernel, or a device function, as CUDA text.
//!
//! Tunables are template parameters, so a variant is a recompile. So is the type of positions, where a call may find that
//! 32 bits suffice for them ([`positions`]). A size that only positions use arrives as an index
//! (`const long n`): then no product of sizes needs a cast.

use super::layout::{self, Lines};
use super::names;
use super::scope::{Memory, POSITION, Scope, Value, is_comparison};
use super::statements::{Statements, declare};
use crate::ast::{BinOp, IntKind};
use crate::diag::Stop;
use crate::kernel::{ArrayParam, Expr, Function, GridSync, Kernel, ScalarType, Stmt, StmtKind, UnaryOp, Usage};
use crate::kernel::{exchange, positions, verify, walk};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

/// Most threads of a block whose every thread may use as many registers as it likes.
const ANY_REGISTERS: i64 = 256;

/// The definition of a kernel of `file`.
///
/// # Errors
/// A kernel that its verifier would refuse.
pub fn kernel(kernel: &Kernel, functions: &[Function], file: &str) -> Result<String, Stop> {
    let mut out = Statements::new(scope(kernel, functions), Lines::of(file), &kernel.body);
    out.is_launch_shared = verify::launch_shared(kernel).is_some();
    out.tunables = kernel.tunables.iter().map(|t| (t.name.clone(), t.value)).collect();
    let mut params = Vec::new();
    for p in &kernel.scalars {
        let ty = out.scope.type_name(out.scope.vars[&p.name]);
        params.push(format!("{}{ty} {}", out.constness(&p.name), names::spell(&p.name)));
    }
    let exchanged = exchange::arrays(&kernel.body);
    let is_exchanged = |a: &ArrayParam| kernel.resident.is_some() || exchanged.contains(&a.name);
    params.extend(kernel.arrays.iter().map(|a| array_param(a, is_exchanged(a))));
    params.extend(kernel.resident.map(|sync| {
        let barrier = match sync {
            GridSync::Cooperative => "rt_cooperative_barrier",
            GridSync::LockFree => "rt_lock_free_barrier",
        };
        format!("{barrier} rt_barrier")
    }));
    out.all(&kernel.body)?;
    let by_call = out.scope.is_of_call.then(|| format!("typename {POSITION}"));
    let tunables = kernel.tunables.iter().map(|t| format!("int {}", names::spell(&t.name)));
    let parameters: Vec<_> = by_call.into_iter().chain(tunables).collect();
    let data = json!({
        "notes": kernel.notes.iter().map(|n| names::one_line(n)).collect::<Vec<_>>(),
        "template": if parameters.is_empty() { None } else { Some(parameters.join(", ")) },
        "signature": layout::list(&head(kernel, &out)?, &params, ")"),
        "body": out.lines.text(),
    });
    let mut parts = std::mem::take(&mut out.phases);
    parts.push(layout::render("kernel", &data)?);
    Ok(parts.join("\n"))
}

/// The signature up to the parameters. The compiler must know the threads of a block, to make it fit, where blocks are
/// resident together and where a block is large; and where a kernel is tuned by more than its block: there one block is
/// enough for a processor, and its threads are to have all the registers that there are.
fn head(kernel: &Kernel, out: &Statements) -> Result<String, Stop> {
    let is_of_block = |name: &str| kernel.block.iter().any(|e| e.mentions(name));
    let is_tuned = kernel.tunables.iter().any(|t| !is_of_block(&t.name));
    let is_large = verify::usual_threads(kernel).is_some_and(|threads| threads > ANY_REGISTERS);
    let name = names::spell(&kernel.name);
    if !is_tuned && !is_large && kernel.resident.is_none() {
        return Ok(format!("RT_KERNEL void {name}("));
    }
    let threads = kernel.block.iter().map(|e| out.scope.data_text(e)).collect::<Result<Vec<_>, _>>()?;
    let enough = if is_tuned { ", 1" } else { "" };
    Ok(format!("RT_KERNEL void RT_THREADS({}{enough}) {name}(", threads.join(" * ")))
}

/// The definition of a function of the user's that kernels call.
///
/// # Errors
/// As [`kernel`].
pub fn function(function: &Function, functions: &[Function], file: &str) -> Result<String, Stop> {
    let vars = function.params.iter().map(|p| (p.name.clone(), p.ty)).collect();
    let scope = Scope { bits: 64, is_of_call: false, vars, arrays: BTreeMap::new(), functions, ranks: (0, 0) };
    let mut out = Statements::new(scope, Lines::of(file), &function.body);
    let param = |p: &crate::kernel::ScalarParam| {
        format!("{}{} {}", out.constness(&p.name), names::cxx_type(p.ty, 64), names::spell(&p.name))
    };
    let params: Vec<_> = function.params.iter().map(param).collect();
    out.all(&function.body)?;
    let head = format!("RT_DEVICE {} {}(", names::cxx_type(function.ret, 64), names::function(&function.name));
    let data = json!({
        "note": format!("{file}:{}  {}", function.line, function.name),
        "signature": layout::list(&head, &params, ")"),
        "body": out.lines.text(),
    });
    layout::render("function", &data)
}

/// How a parameter says what is done with its array, and whether threads exchange values through it.
pub fn array_type(usage: Usage, is_exchanged: bool) -> &'static str {
    match usage {
        Usage::Read => "rt_in",
        _ if is_exchanged => "rt_exchanged",
        Usage::Write => "rt_out",
        Usage::ReadWrite => "rt_inout",
    }
}

fn array_param(p: &ArrayParam, is_exchanged: bool) -> String {
    let kind = array_type(p.usage, is_exchanged);
    format!("const {kind}<{}> {}", names::cxx_type(p.ty, 64), names::spell(&p.name))
}

fn scope<'a>(kernel: &Kernel, functions: &'a [Function]) -> Scope<'a> {
    let mut vars: BTreeMap<_, _> = kernel.scalars.iter().map(|p| (p.name.clone(), p.ty)).collect();
    vars.extend(kernel.tunables.iter().map(|t| (t.name.clone(), ScalarType::Int(IntKind::Int))));
    let array = |p: &ArrayParam| (p.name.clone(), (p.ty, Memory::Global(p.extents.clone())));
    let arrays = kernel.arrays.iter().map(array).collect();
    let ranks = (kernel.grid.len(), kernel.block.len());
    let most = positions::most(kernel);
    let mut scope = Scope { bits: kernel.index_bits, is_of_call: most.is_some(), vars, arrays, functions, ranks };
    walk::visit(&kernel.body, &mut |s| declare(s, &mut scope, &mut BTreeSet::new()));
    if kernel.index_bits == 64 {
        let values = values_used(&kernel.body, &scope);
        // Where the call chooses, it has tested what is part of a position.
        let may_be_index = |name: &String| !values.contains(name) && most.as_ref().is_none_or(|m| m.mentions(name));
        for p in kernel.scalars.iter().filter(|p| matches!(p.ty, ScalarType::Int(_)) && may_be_index(&p.name)) {
            scope.vars.insert(p.name.clone(), ScalarType::Index);
        }
    }
    scope
}

/// The variables that some statement uses for their value, with their C type, and not as part of a position alone.
fn values_used(body: &[Stmt], scope: &Scope) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    walk::visit(body, &mut |s| match &s.kind {
        StmtKind::Let { ty, init: Some(init), .. } => collect(init, *ty == ScalarType::Index, scope, &mut used),
        StmtKind::Assign { var, value, .. } => {
            used.insert(var.clone());
            collect(value, scope.vars.get(var) == Some(&ScalarType::Index), scope, &mut used);
        }
        StmtKind::Store { target, value, .. }
        | StmtKind::Atomic { target, value, .. }
        | StmtKind::BlockReduce { target, value, .. } => {
            target.index.iter().for_each(|e| collect(e, true, scope, &mut used));
            collect(value, false, scope, &mut used);
        }
        StmtKind::LoadVector { .. } | StmtKind::StoreVector { .. } | StmtKind::CopyAsync { .. } => {
            s.exprs().into_iter().for_each(|e| collect(e, true, scope, &mut used));
        }
        StmtKind::If { cond, .. } | StmtKind::While { cond, .. } => collect_condition(cond, scope, &mut used),
        StmtKind::For { lo, hi, step, .. } => [lo, hi, step].iter().for_each(|e| collect(e, true, scope, &mut used)),
        StmtKind::Return(Some(value)) => collect(value, false, scope, &mut used),
        _ => {}
    });
    used
}

fn collect_condition(e: &Expr, scope: &Scope, used: &mut BTreeSet<String>) {
    match e {
        Expr::Binary(BinOp::And | BinOp::Or, a, b) => {
            collect_condition(a, scope, used);
            collect_condition(b, scope, used);
        }
        Expr::Unary(UnaryOp::Not, a) => collect_condition(a, scope, used),
        e => collect(e, scope.compares_positions(e), scope, used),
    }
}

fn collect(e: &Expr, is_position: bool, scope: &Scope, used: &mut BTreeSet<String>) {
    match e {
        Expr::Var(name) if !is_position => {
            used.insert(name.clone());
        }
        Expr::Load(access) | Expr::Aligned { access, .. } => {
            access.index.iter().for_each(|e| collect(e, true, scope, used));
        }
        // The conversion of a signed integer gives the same number from any width.
        Expr::Cast(ScalarType::Float(_), a)
            if matches!(**a, Expr::Var(_)) && matches!(scope.value(a), Value::Signed(_)) => {}
        Expr::Cast(_, a) | Expr::Unary(UnaryOp::Not | UnaryOp::BitNot, a) => collect(a, false, scope, used),
        Expr::Call(_, args) => args.iter().for_each(|e| collect(e, false, scope, used)),
        Expr::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Rem, a, b)
        | Expr::Min(a, b)
        | Expr::Max(a, b)
        | Expr::FloorDiv(a, b)
        | Expr::CeilDiv(a, b)
        | Expr::Mod(a, b) => [a, b].iter().for_each(|e| collect(e, is_position, scope, used)),
        Expr::Unary(UnaryOp::Neg, a) => collect(a, is_position, scope, used),
        Expr::Binary(op, a, b) => {
            let is_position = is_position && is_comparison(*op);
            [a, b].iter().for_each(|e| collect(e, is_position, scope, used));
        }
        Expr::Cond(c, a, b) => {
            collect_condition(c, scope, used);
            [a, b].iter().for_each(|e| collect(e, is_position, scope, used));
        }
        _ => {}
    }
}
