//! Other names for what a thread declares.

use super::{Access, Expr, Stmt, StmtKind};

/// Gives a variable or array of a thread another name, where it is declared and used.
pub fn rename(s: &mut Stmt, from: &str, to: &str) {
    let change = |name: &mut String| {
        if name == from {
            *name = to.to_string();
        }
    };
    match &mut s.kind {
        StmtKind::Let { var, .. }
        | StmtKind::For { var, .. }
        | StmtKind::Assign { var, .. }
        | StmtKind::Begin { var, .. }
        | StmtKind::Join { var, .. }
        | StmtKind::ScanBlocks { var, .. } => change(var),
        StmtKind::WarpScan { var, carry, .. } => {
            change(var);
            change(carry);
        }
        StmtKind::LocalArray { name, .. } | StmtKind::OnChip { name, .. } | StmtKind::Shared { name, .. } => {
            change(name)
        }
        StmtKind::Store { target, .. } | StmtKind::Atomic { target, .. } | StmtKind::BlockReduce { target, .. } => {
            change(&mut target.array);
        }
        StmtKind::LoadVector { array, source: access, .. } | StmtKind::StoreVector { target: access, array } => {
            change(array);
            change(&mut access.array);
        }
        StmtKind::CopyAsync { target, source, .. } => {
            change(&mut target.array);
            change(&mut source.array);
        }
        StmtKind::Mma { c, .. } => c.iter_mut().for_each(|x| change(&mut x.array)),
        _ => {}
    }
    s.exprs_mut().into_iter().for_each(|e| rename_in(e, from, to));
    s.bodies_mut().into_iter().flatten().for_each(|s| rename(s, from, to));
}

fn rename_in(e: &mut Expr, from: &str, to: &str) {
    if let Expr::Var(name)
    | Expr::Load(Access { array: name, .. })
    | Expr::Aligned { access: Access { array: name, .. }, .. } = e
        && name == from
    {
        *name = to.to_string();
    }
    e.children_mut().into_iter().for_each(|child| rename_in(child, from, to));
}
