//! A resident kernel under construction: what its phases have, and the barriers between them.

use super::names::declared_by_host;
use crate::ast::BinOp;
use crate::host_plan::ir::Region;
use crate::kernel::{ArrayParam, Expr, ScalarType, Stmt, StmtKind, Usage};
use crate::poly::names::Names;
use crate::schedule::index::{all, binary};
use indexmap::IndexMap;
use std::collections::{BTreeMap, BTreeSet};

/// A resident kernel under construction.
#[derive(Clone)]
pub(super) struct Build<'a> {
    pub(super) region: &'a Region,
    /// Wish of the user for it also where threads have loops of their own.
    pub(super) is_asked: bool,
    /// Variables that the host declares in the loop, as it is halfway through it, in terms of what stands outside.
    pub(super) halfway: BTreeMap<String, Expr>,
    pub(super) arrays: IndexMap<String, ArrayParam>,
    pub(super) phases: Vec<usize>,
    pub(super) work: Vec<Expr>,
    /// The same of each phase, by its kernel.
    pub(super) threads: BTreeMap<usize, Expr>,
    /// Variables of the host's that the loop changes.
    pub(super) changing: IndexMap<String, Changing>,
    /// Those of them of which the value before the loop does not bound the others.
    pub(super) growing: BTreeSet<String>,
    /// Those that steps divide, and change in no other way.
    pub(super) divided: BTreeSet<String>,
    /// Scalars of the device that every thread has for itself.
    pub(super) uniform: IndexMap<String, Uniform>,
    /// Arrays read and written since the last barrier.
    pub(super) since: Touched,
    /// The same at the `break`s of the innermost loop.
    pub(super) at_breaks: Touched,
    /// On trial: what the iteration before has touched since its last barrier, until the first one of this iteration; and
    /// whether a phase conflicts with that.
    pub(super) carried: Touched,
    pub(super) meets_carried: bool,
    pub(super) names: Names,
    /// The rows that blocks stand in for all phases, where they wait for those beside them alone.
    pub(super) rows: Option<Rows>,
    /// Names of the host's variables and of arrays.
    pub(super) outside: BTreeSet<String>,
}

/// The rows that the resident blocks stand in for all phases.
#[derive(Clone)]
pub(super) struct Rows {
    /// Variables: how many blocks stand beside each other, along each dimension but the first.
    pub(super) across: Vec<String>,
    /// Blocks of the widest phase there.
    pub(super) wanted: Vec<Expr>,
}

/// Arrays that phases have touched: the kernel (none for the host's own look at a scalar), the array, and how.
#[derive(Clone, Default)]
pub(super) struct Touched(pub(super) Vec<(Option<usize>, String, Usage)>);

/// A variable of the host's that the loop changes: every thread computes it for itself, all of them the same value.
#[derive(Clone)]
pub(super) struct Changing {
    /// In the kernel, at its start, and where its last value goes.
    pub(super) local: String,
    pub(super) start: String,
    pub(super) end: String,
    pub(super) ty: ScalarType,
}

/// A scalar that every thread has.
#[derive(Clone)]
pub(super) struct Uniform {
    /// In the thread, and what a block's threads hand each other a joined value by.
    pub(super) local: String,
    pub(super) shared: String,
    /// In the one thread that computes it in what hardly ever runs.
    pub(super) again: String,
    pub(super) ty: ScalarType,
    /// Value before the loop, and reader behind it.
    pub(super) has_start: bool,
    pub(super) is_wanted: bool,
}

impl<'a> Build<'a> {
    /// Nothing of a loop of this region yet.
    pub(super) fn new(region: &'a Region) -> Self {
        let declared = declared_by_host(&region.body);
        let outside = region.arrays.iter().map(|a| &a.name).chain(declared.keys()).cloned().collect();
        Build {
            region,
            is_asked: false,
            outside,
            halfway: BTreeMap::new(),
            arrays: IndexMap::new(),
            phases: vec![],
            work: vec![],
            threads: BTreeMap::new(),
            changing: IndexMap::new(),
            growing: BTreeSet::new(),
            divided: BTreeSet::new(),
            uniform: IndexMap::new(),
            since: Touched::default(),
            at_breaks: Touched::default(),
            carried: Touched::default(),
            meets_carried: false,
            names: Names::beside(region.names()),
            rows: None,
        }
    }

    /// Notes what a phase touches; a barrier before it, where that conflicts with what was touched since the last one.
    pub(super) fn touch<'x>(
        &mut self,
        by: Option<usize>,
        touched: impl Iterator<Item = (&'x String, Usage)>,
    ) -> Option<Stmt> {
        let touched: Vec<_> = touched.map(|(name, usage)| (by, name.clone(), usage)).collect();
        // Of a scalar every thread is to see the same, so that phases apart in their elements do not share its interval.
        let is_scalar = |name: &str| self.region.arrays.iter().any(|a| a.name == name && a.extents.is_empty());
        let unordered = |x: Option<usize>, y: Option<usize>, name: &str| match (x, y) {
            (Some(x), Some(y)) => self.region.unordered.contains(&(x.min(y), x.max(y))) && !is_scalar(name),
            _ => false,
        };
        let meets = |name: &str, usage: Usage, (_, n, u): &(Option<usize>, String, Usage)| {
            n == name && (*u != Usage::Read || usage != Usage::Read)
        };
        let conflict = |(k, name, usage): &(Option<usize>, String, Usage)| {
            self.since.0.iter().any(|x| meets(name, *usage, x) && !unordered(*k, x.0, name))
        };
        let needed = touched.iter().any(conflict);
        let carries = |(_, name, usage): &(_, String, Usage)| self.carried.0.iter().any(|x| meets(name, *usage, x));
        self.meets_carried |= !needed && touched.iter().any(carries);
        if needed {
            self.since = Touched::default();
            self.carried = Touched::default();
        }
        self.since.0.extend(touched);
        needed.then(|| Stmt::made(StmtKind::GridBarrier))
    }

    /// Takes an array of a phase among the kernel's.
    pub(super) fn array(&mut self, a: &ArrayParam) -> Option<()> {
        let Some(known) = self.arrays.get_mut(&a.name) else {
            self.arrays.insert(a.name.clone(), a.clone());
            return Some(());
        };
        if known.usage != a.usage {
            known.usage = Usage::ReadWrite;
        }
        (known.extents == a.extents && known.ty == a.ty).then_some(())
    }
}

/// Statements that the first thread of all runs alone.
pub(super) fn by_one_thread(then: Vec<Stmt>) -> Stmt {
    let first = |e| binary(BinOp::Eq, e, Expr::Int(0));
    let cond = all([first(Expr::BlockIdx(0)), first(Expr::ThreadIdx(0))]).expect("two conditions");
    Stmt::made(StmtKind::If { cond, then, other: vec![] })
}
