//! Guards of an entry, as the plan lists them, each behind what it is computed from.
//!
//! ```text
//! if (rt::is_little({...}, {...}, {...})) return 0;        by what the entry is given alone
//! rt::region rt("heat_0", "heat.c", 12);
//! if (!rt.holds(n >= 0, "a size of `u` is negative")) return 0;
//! const long rt_u_extent1 = ...;                           numbers that later tests want
//! if (!rt.pays(rt_work, rt_patience)) return 0;
//! if (!rt.disjoint({...})) return 0;
//! rt::array<double> u(rt, "u", u_host, n);
//! ```

use super::construct::checks::CheckGuard;
use super::construct::host::{self, Disjoint, HostRange, PlaceOf, ReachHolds, Touches};
use super::entry_names::{device_name, reach_name, rows_name};
use super::host_text::{Host, address, place};
use super::spell::spell;
use super::{Site, bug, names};
use crate::diag::Stop;
use crate::host_plan::guard::{Condition, Guard, Stage, Touched};
use crate::host_plan::ir::{Array, Param, Reach};
use crate::kernel::{Expr, UnaryOp};

impl Host<'_> {
    /// All that stands before the steps of an entry of `file`; `is_checked`: before those of the function that compares versions,
    /// which has neither arrays on the device nor a device to be worth asking.
    ///
    /// # Errors
    /// As [`Host::push`].
    pub fn opening(&mut self, site: &Site, file: &str, is_checked: bool) -> Result<(), Stop> {
        use Stage::{Arrays, Lengths, Region, Rows, Scalars};
        let mut rest = [Region, Scalars, Lengths, Rows, Arrays].into_iter().peekable();
        let is_tested = |guard: &&Guard| !is_checked || is_proved(guard);
        for guard in site.region.guards.iter().filter(is_tested) {
            while let Some(next) = rest.next_if(|next| *next <= guard.behind) {
                self.declared(next, site, file, is_checked)?;
            }
            self.guard(guard, is_checked)?;
        }
        rest.try_for_each(|next| self.declared(next, site, file, is_checked))
    }

    fn declared(&mut self, what: Stage, site: &Site, file: &str, is_checked: bool) -> Result<(), Stop> {
        match what {
            Stage::Region if !is_checked => self.push(&place(site, file)),
            Stage::Arrays if !is_checked => self.arrays(),
            Stage::Parameters | Stage::Region | Stage::Arrays => Ok(()),
            Stage::Scalars => self.read_in_out(),
            Stage::Lengths => self.lengths(!is_checked),
            Stage::Rows => self.rows(),
        }
    }

    fn guard(&mut self, guard: &Guard, is_checked: bool) -> Result<(), Stop> {
        let reason = names::quote(&guard.reason);
        match &guard.condition {
            Condition::MayPay => self.may_pay(),
            Condition::RunsOften => self.runs_often(),
            Condition::Pays => self.pays(),
            Condition::Holds(e) if is_checked => {
                let fails = self.out.scope.text(&Expr::Unary(UnaryOp::Not, self.out.scope.position(e).into()))?;
                self.push(&CheckGuard { fails, reason })
            }
            Condition::Holds(e) => {
                let holds = self.out.scope.position_text(e)?;
                self.push(&host::Guard { holds, reason })
            }
            Condition::IsThere { array } => {
                let a = self.array(array)?;
                if a.reach == Some(Reach::Covers) {
                    self.covers(a)?;
                }
                let holds = format!("{}.is_there", reach_name(self.region, a));
                self.push(&ReachHolds { holds, reason, is_checked })
            }
            Condition::RowsAreThere { array } => {
                let a = self.array(array)?;
                let holds = format!("rt::are_there({}, {})", rows_name(self.region, a), a.live_out.is_some());
                self.push(&ReachHolds { holds, reason, is_checked })
            }
            Condition::IsOnDevice { array } => {
                let holds = format!("{}.is_there()", device_name(self.region, self.array(array)?));
                self.push(&host::Guard { holds, reason })
            }
            Condition::Apart(touched) => self.lie_apart(touched),
        }
    }

    fn lie_apart(&mut self, touched: &[Touched]) -> Result<(), Stop> {
        let (mut ranges, mut rows) = (vec![], vec![]);
        for x in touched {
            match x {
                Touched::Block(name) => ranges.push(self.block_range(self.array(name)?)?),
                Touched::Place(name) => ranges.push(self.place_range(name)?),
                Touched::Rows(name) => rows.push(self.touched_rows(self.array(name)?)?),
            }
        }
        let pairs = self.region.coinciding.iter().map(|(x, y)| [names::quote(x), names::quote(y)]).collect();
        self.push(&Disjoint { ranges, rows, pairs })
    }

    fn block_range(&self, a: &Array) -> Result<String, Stop> {
        let touched = self.touched(a)?.ok_or_else(|| bug(format!("nothing is touched of `{}`", a.name)))?;
        let (label, host) = (names::quote(&a.name), address(self.region, &a.name));
        spell(&HostRange { r#type: names::cxx_type(a.ty, 64), label, host, touched, is_written: a.live_out.is_some() })
    }

    fn place_range(&self, place: &str) -> Result<String, Stop> {
        let found = self.region.params.iter().find_map(|p| match p {
            Param::Place { name, ty, c_expr, is_written } if name == place => Some((ty, c_expr, *is_written)),
            _ => None,
        });
        let Some((ty, c_expr, is_written)) = found else { return Err(bug(format!("`{place}` is no place"))) };
        let (label, r#type) = (names::quote(c_expr), names::cxx_type(*ty, 64));
        spell(&PlaceOf { label, name: place.to_owned(), r#type, is_written })
    }

    fn touched_rows(&self, a: &Array) -> Result<String, Stop> {
        let within = a.rows.iter().filter_map(|r| r.within.as_ref());
        spell(&Touches {
            array: device_name(self.region, a),
            rows: rows_name(self.region, a),
            is_written: a.live_out.is_some(),
            is_exchanged: a.rows.as_ref().is_some_and(|r| r.exchanged.is_some()),
            within: within.flat_map(|w| w.arrays.iter().map(|a| names::quote(a))).collect(),
        })
    }
}

/// Test that what is compared hangs on it.
fn is_proved(guard: &Guard) -> bool {
    !guard.is_of_cost() && !matches!(guard.condition, Condition::Apart(_) | Condition::IsOnDevice { .. })
}
