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
use crate::kernel::{ArrayParam, Expr, Function, Kernel, ScalarParam, ScalarType, Stmt, StmtKind, UnaryOp};
use crate::kernel::{RESIDENT, exchange, positions, turns, verify, walk};
use std::collections::{BTreeMap, BTreeSet};

/// Most threads of a block whose every thread may use as many registers as it likes.
const ANY_REGISTERS: i64 = 256;

/// The definition of a kernel of `file`. Accesses of the arrays `held` are held back where they lead out of what is there.
///
/// # Errors
/// A kernel that its verifier would refuse.
pub fn kernel(kernel: &Kernel, functions: &[Function], held: &BTreeSet<String>, file: &str) -> Result<String, Stop> {
    let kernel = &turns::in_two(kernel, &|array| held.contains(array));
    let mut out = Statements::new(scope(kernel, functions, held), file, &kernel.body);
    out.is_launch_shared = verify::launch_shared(kernel).is_some();
    out.tunables = kernel.tunables.iter().map(|t| (t.name.clone(), t.value)).collect();
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
    let is_tuned = is_tuned(kernel);
    let asked = kernel.tunables.iter().find(|t| t.name == RESIDENT).map(|t| names::spell(&t.name));
    let threads = known_threads(kernel, &out, is_tuned)?;
    let in_turn = is_held_up(kernel).then(|| format!("{HELD_UP} / {}", threads.join(" / ")));
    let definition = definitions::Kernel {
        notes: kernel.notes.iter().map(|n| names::one_line(n)).collect(),
        position: out.scope.is_of_call.then_some(POSITION),
        tunables: kernel.template().map(names::spell).collect(),
        threads,
        resident: asked.or(is_tuned.then(|| "1".into())).or(in_turn).or(keeps_much(kernel).then(|| "1".into())),
        name: names::spell(&kernel.name),
        parameters,
        body,
    };
    let mut parts = std::mem::take(&mut out.phases);
    parts.push(layout::laid_out(&spell(&definition)?, file));
    Ok(parts.join("\n"))
}

/// Threads of a processor for which registers are left where each waits for memory again and again.
const HELD_UP: i64 = 1024;

/// Test that threads of a resident kernel wait for memory in loops of which only the data know the end, so that more threads hide
/// each other's waiting, and more registers do not: warps that share long rows of a sparse matrix (the compiler gave BiCGSTAB's
/// threads 104 registers each), and threads that read columns in 16 bits (it gave QMR's 99, which took a third longer than 64,
/// and Jacobi's 32, which took up to 16 % longer: an H200). With arrays on chip the latter take less with as many as it gives.
fn is_held_up(kernel: &Kernel) -> bool {
    let keeps = kernel.body.iter().any(|s| matches!(s.kind, StmtKind::OnChip { .. }));
    let is_short = |a: &&ArrayParam| a.ty == ScalarType::Int(IntKind::UShort) && !keeps;
    let short: Vec<&ArrayParam> = kernel.arrays.iter().filter(is_short).collect();
    let mut is_held_up = false;
    walk::visit(&kernel.body, &mut |s| {
        if let StmtKind::Phase { body, .. } = &s.kind {
            let (mut loops, mut joins, mut is_read) = (false, false, false);
            walk::visit(body, &mut |s| {
                joins |= matches!(s.kind, StmtKind::Join { .. });
                if let StmtKind::While { body, .. } = &s.kind {
                    loops = true;
                    is_read |= short.iter().any(|a| walk::loads(body, &a.name));
                }
            });
            is_held_up |= loops && (joins || is_read);
        }
    });
    kernel.resident.is_some() && is_held_up
}

/// Bytes on chip of each of a thread's elements from which on it is to have all the registers that one block of a processor
/// leaves: with 64 of them the values of a step do not fit. (The compiler chose 64 and spills for QMR's 80 bytes: 15.0 us an
/// iteration became 12.3 for 32,768 rows; of 40 and 48 bytes -12 to 2 %. For CG's 32 bytes one block took 12 to 17 % longer: an
/// H200.)
const MUCH_ON_CHIP: i64 = 40;

/// Test for a kernel whose threads keep much on chip of each element.
fn keeps_much(kernel: &Kernel) -> bool {
    kernel.bytes_on_chip(false) >= MUCH_ON_CHIP
}

/// Tuning by more than its block and the points of a thread: then one block is enough for a processor, and its threads are
/// to have all the registers that there are, or as many as it says.
fn is_tuned(kernel: &Kernel) -> bool {
    let is_of_block = |name: &str| kernel.block.iter().any(|e| e.mentions(name));
    let is_of_points = |name: &str| ["MERGE_", "SKEW_"].iter().any(|size| name.starts_with(size));
    kernel.tunables.iter().any(|t| !is_of_block(&t.name) && !is_of_points(&t.name))
}

/// The threads of a block, where the compiler must know them, to make it fit: where blocks are resident together, where a
/// block is large, and where a kernel is tuned.
fn known_threads(kernel: &Kernel, out: &Statements, is_tuned: bool) -> Result<Vec<String>, Stop> {
    let is_large = verify::usual_threads(kernel).is_some_and(|threads| threads > ANY_REGISTERS);
    if !is_tuned && !is_large && kernel.resident.is_none() {
        return Ok(Vec::new());
    }
    kernel.block.iter().map(|e| out.scope.data_text(e)).collect()
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
