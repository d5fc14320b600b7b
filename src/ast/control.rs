//! Ways by which control leaves a statement elsewhere than at its end: one answer for all who ask.

use super::{Stmt, StmtKind};
use crate::source::directive::DirectiveKind;

/// Ways out of a statement, as far as its text has them: each may be taken or not. A region that is given up is none: what runs
/// instead is the original.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Exits {
    /// A `break` of a loop or `switch` around it, and a `continue` of a loop around it.
    pub breaks: bool,
    pub continues: bool,
    pub returns: bool,
    /// C that is not modelled, such as `goto` and labels.
    pub jumps: bool,
    /// No way out, but ways around a part of it: a `switch`, or a label of one.
    pub switches: bool,
}

impl Exits {
    /// Test for any of them, or ways around a part.
    pub fn any(self) -> bool {
        self.leaves() || self.switches
    }

    /// Test for any way out.
    pub fn leaves(self) -> bool {
        self.leaves_iteration() || self.leaves_loop()
    }

    /// Test for ways out of an iteration whose body the statement is, or stands in.
    pub fn leaves_iteration(self) -> bool {
        self.breaks || self.continues
    }

    /// Test for ways out of a loop whose body the statement is, before its condition says so.
    pub fn leaves_loop(self) -> bool {
        self.breaks || self.returns || self.jumps
    }

    fn and(self, other: Exits) -> Exits {
        Exits {
            breaks: self.breaks || other.breaks,
            continues: self.continues || other.continues,
            returns: self.returns || other.returns,
            jumps: self.jumps || other.jumps,
            switches: self.switches || other.switches,
        }
    }
}

impl Stmt {
    /// The ways out of it.
    pub fn exits(&self) -> Exits {
        let mut exits = self.stmts().into_iter().fold(Exits::default(), |all, s| all.and(s.exits()));
        match &self.kind {
            StmtKind::Break => exits.breaks = true,
            StmtKind::Continue => exits.continues = true,
            StmtKind::Return(_) => exits.returns = true,
            StmtKind::Unmodelled(_) => exits.jumps = true,
            StmtKind::Case(_) => exits.switches = true,
            StmtKind::Switch { .. } => (exits.breaks, exits.switches) = (false, true),
            StmtKind::For { .. } | StmtKind::While { .. } | StmtKind::DoWhile { .. } => {
                (exits.breaks, exits.continues) = (false, false);
            }
            _ => {}
        }
        exits
    }

    /// Test that a rewrite says that it hardly ever runs.
    pub fn is_rare(&self) -> bool {
        self.directives.iter().any(|d| d.kind == DirectiveKind::Rare)
    }
}

#[cfg(test)]
mod tests {
    use crate::ast::build;
    use crate::source::Source;

    /// The ways out of the body of a function, by name.
    fn exits(body: &str) -> String {
        let c = format!("int f(int n) {{ {body} }}");
        let unit = build::build(&Source::from_text("t.c", &c).unwrap()).unwrap().unit;
        let e = unit.function("f").unwrap().body.exits();
        let names = ["break", "continue", "return", "jump", "switch"];
        let all = [e.breaks, e.continues, e.returns, e.jumps, e.switches];
        names.into_iter().zip(all).filter(|(_, is)| *is).map(|(name, _)| name).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn loops_and_switches_keep_their_own() {
        for (body, expected) in [
            ("n++;", ""),
            ("if (n) { break; } else continue;", "break continue"),
            ("while (n) { if (n > 3) break; continue; }", ""),
            ("for (;;) { if (n) return 1; }", "return"),
            ("switch (n) { case 1: break; default: continue; }", "continue switch"),
            ("do { goto end; } while (n); end: ;", "jump"),
        ] {
            assert_eq!(exits(body), expected, "{body}");
        }
    }
}
