//! Asynchronous copies: between one and a load of its array stand a wait, and a barrier for the other threads.
//!
//! ```text
//! copy_async(4) tile[s, t0 * 4] = a[...];   begun: whoever loads `tile` finds what was there, or a part
//! commit_copies;                            a group, of age 0; the groups before it are one older
//! wait_copies p;                            groups of an age of p and more have arrived: stores of this interval
//! barrier;                                  that other threads may load behind it
//! ```
//! Groups that a wait lets pass as the newest `p` are trusted to go to other stages than those that are loaded before they
//! arrive, where there are stages, and copies to meet no other copy: of these the simulation knows more than the text.

use super::interval::{Begun, GoneOn, Use, UseKind};
use super::walk::{Among, Walk};
use crate::kernel::verify::shape;
use crate::kernel::{Access, Expr, Stmt};

impl<'a> Walk<'a> {
    pub(super) fn copy(&mut self, stmt: &'a Stmt, target: &'a Access, source: &Access, count: &Expr) {
        self.note_value(target, self.depends(&Expr::Load(source.clone())));
        if self.among != Among::Block || !self.is_watched(&target.array) {
            return;
        }
        let is_wide = shape::default_value(self.kernel, count) != Some(1);
        self.meet(stmt, target, UseKind::Copy, is_wide);
        self.state.stored.insert(&target.array);
        let gone_on = GoneOn::new();
        self.state.begin(Begun { stmt, target, is_wide, age: None, has_passed: false, gone_on });
    }

    pub(super) fn commit(&mut self, stmt: &Stmt) {
        self.groups(stmt);
        for copy in std::mem::take(&mut self.state.under_way) {
            self.state.begin(Begun { age: Some(copy.age.map_or(0, |age| age + 1)), ..copy });
        }
    }

    pub(super) fn wait(&mut self, stmt: &Stmt, pending: &Expr) {
        self.groups(stmt);
        let pending = shape::default_value(self.kernel, pending).unwrap_or(0);
        for copy in std::mem::take(&mut self.state.under_way) {
            match copy.age {
                Some(age) if age >= pending => {
                    let Begun { target: access, is_wide, gone_on, .. } = copy;
                    self.state.note(Use { access, kind: UseKind::Copy, is_wide, alone: false, gone_on });
                }
                Some(_) => self.state.begin(Begun { has_passed: true, ..copy }),
                None => self.state.begin(copy),
            }
        }
    }

    /// Groups are counted: each thread of a block has as many.
    fn groups(&mut self, stmt: &Stmt) {
        if self.among == Among::Block && self.diverged {
            self.findings.add(Some(stmt), "counts groups of copies that only some threads of a block may have".into());
        }
    }

    /// Finds a copy that an access would come too early for.
    pub(super) fn check_arrived(&mut self, stmt: &Stmt, access: &'a Access, kind: UseKind) {
        let is_early = |copy: &&Begun| {
            let before = (copy.target, &copy.gone_on);
            let is_apart =
                if copy.has_passed { self.may_take_turns(before, access) } else { self.are_apart(before, access) };
            copy.target.array == access.array && !is_apart
        };
        if let Some(copy) = self.state.under_way.iter().find(is_early) {
            let (target, does) = (copy.target, kind.verb());
            let message =
                format!("`{access}` is {does} while the copy to `{target}` is under way: no wait for it between");
            self.findings.add(Some(stmt), message);
        }
    }

    /// Copies that no wait follows.
    pub(super) fn check_waited(&mut self) {
        for copy in self.state.under_way.iter().filter(|copy| !copy.has_passed) {
            self.findings.add(Some(copy.stmt), "is a copy that may never be waited for".into());
        }
    }
}
