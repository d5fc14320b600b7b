//! A kernel, or a device function, as CUDA text.
//!
//! Tunables are template parameters, so a variant is a recompile. So is the type of positions, where a call may find that
//! 32 bits suffice for them ([`positions`]). A size that only positions use arrives as an index
//! (`const long n`): then no product of sizes needs a cast.

use super::construct::definitions::{self, ArrayParameter, BarrierParameter, ScalarParameter};
use super::scope::{Memory, POSITION, Scope, Value, is_comparison};
use super::spell::spell;
use super::statements::{Statements, declare};
use super::{layout, names};
use crate::ast::{BinOp, IntKind};
use crate::diag::Stop;
use crate::kernel::{ArrayParam, Expr, Function, Kernel, Registers, ScalarParam, ScalarType, Stmt, StmtKind, UnaryOp};
use crate::kernel::{exchange, positions, turns, verify, walk};
use std::collections::{BTreeMap, BTreeSet};

/// The definition of a kernel of `file`. Accesses of the arrays `held` are held back where they lead out of what is there.
///
/// # Errors
/// A kernel that its verifier would refuse.
pub fn kernel(kernel: &Kernel, functions: &[Function], held: &BTreeSet<String>, file: &str) -> Result<String, Stop> {
    let kernel = &turns::in_two(kernel, &|array| held.contains(array));
    let mut out = Statements::new(scope(kernel, functions, held), file, &kernel.body);
    out.is_launch_shared = verify::launch_shared(kernel).is_some();
    out.tunables = kernel.tunables.iter().map(|t| t.name.clone()).collect();
    let scalar = |p: &ScalarParam| {
        let (r#type, name) = (out.scope.type_name(out.scope.vars[&p.name]), names::spell(&p.name));
        spell(&ScalarParameter { is_const: out.is_const(&p.name), r#type, name })
    };
    let mut parameters = kernel.scalars.iter().map(scalar).collect::<Result<Vec<_>, _>>()?;
    let exchanged = exchange::arrays(&kernel.body);
    for p in &kernel.arrays {
        let is_exchanged = kernel.resident.is_some() || exchanged.contains(&p.name);
        let (usage, r#type) = (names::array_usage(p.usage, is_exchanged), names::cxx_type(p.ty, 64));
        let is_held = held.contains(&p.name);
        parameters.push(spell(&ArrayParameter { usage, is_held, r#type, name: names::spell(&p.name) })?);
    }
    if let Some(sync) = kernel.resident {
        let is_interruptible = walk::look_for_end(&kernel.body);
        parameters.push(spell(&BarrierParameter { sync: sync.to_string(), is_interruptible })?);
    }
    let body = out.block(&kernel.body)?;
    let threads = match kernel.registers {
        Registers::AsItLikes => vec![],
        _ => kernel.block.iter().map(|e| out.scope.data_text(e)).collect::<Result<_, _>>()?,
    };
    let resident = match &kernel.registers {
        Registers::AsItLikes | Registers::ForBlock => None,
        Registers::ForBlocks(Expr::Var(tunable)) => Some(names::spell(tunable)),
        Registers::ForBlocks(blocks) => Some(out.scope.data_text(blocks)?),
        Registers::ForThreads(all) => Some(format!("{all} / {}", threads.join(" / "))),
    };
    let definition = definitions::Kernel {
        notes: kernel.notes.iter().map(|n| names::one_line(n)).collect(),
        position: out.scope.is_of_call.then_some(POSITION),
        tunables: kernel.template().map(names::spell).collect(),
        threads,
        resident,
        name: names::spell(&kernel.name),
        parameters,
        body,
    };
    let mut parts = std::mem::take(&mut out.phases);
    parts.push(layout::laid_out(&spell(&definition)?, file));
    Ok(parts.join("\n"))
}

/// The definition of a function of the user's that kernels call.
///
/// # Errors
/// As [`kernel`].
pub fn function(function: &Function, functions: &[Function], file: &str) -> Result<String, Stop> {
    let vars = function.params.iter().map(|p| (p.name.clone(), p.ty)).collect();
    let scope = Scope {
        bits: 64,
        is_of_call: false,
        vars,
        arrays: BTreeMap::new(),
        functions,
        ranks: (0, 0),
        sizes: BTreeSet::new(),
        held: BTreeSet::new(),
    };
    let mut out = Statements::new(scope, file, &function.body);
    let parameter = |p: &ScalarParam| {
        let (r#type, name) = (names::cxx_type(p.ty, 64), names::spell(&p.name));
        spell(&ScalarParameter { is_const: out.is_const(&p.name), r#type, name })
    };
    let definition = definitions::Function {
        file,
        line: function.line,
        c_name: &function.name,
        r#type: names::cxx_type(function.ret, 64),
        name: names::function(&function.name),
        parameters: function.params.iter().map(parameter).collect::<Result<_, _>>()?,
        body: out.block(&function.body)?,
    };
    Ok(layout::laid_out(&spell(&definition)?, file))
}

fn scope<'a>(kernel: &Kernel, functions: &'a [Function], held: &BTreeSet<String>) -> Scope<'a> {
    let mut vars: BTreeMap<_, _> = kernel.scalars.iter().map(|p| (p.name.clone(), p.ty)).collect();
    vars.extend(kernel.template().map(|name| (name.to_string(), ScalarType::Int(IntKind::Int))));
    let array = |p: &ArrayParam| (p.name.clone(), (p.ty, Memory::Global(p.extents.clone())));
    let arrays = kernel.arrays.iter().map(array).collect();
    let ranks = (kernel.grid.len(), kernel.block.len());
    let most = positions::most(kernel);
    let sizes = kernel.template().map(str::to_string).collect();
    let is_of_call = most.is_some();
    let held = kernel.arrays.iter().map(|p| &p.name).filter(|name| held.contains(*name)).cloned().collect();
    let mut scope = Scope { bits: kernel.index_bits, is_of_call, vars, arrays, functions, ranks, sizes, held };
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
        StmtKind::Mma { c, a, b, .. } => {
            c.iter().flat_map(|x| &x.index).for_each(|e| collect(e, true, scope, &mut used));
            a.iter().chain(b).for_each(|e| collect(e, false, scope, &mut used));
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
