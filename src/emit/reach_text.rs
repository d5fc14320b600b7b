//! Questions of an entry about the memory behind pointers, where the program's text does not say how far it goes.
//!
//! ```text
//! const rt::reach rt_x_reach = rt::reach::whole(x_host, sizeof(double), false);
//! const long rt_x_held = rt_x_reach.held;                                  as many elements go to the device
//! const rt::reach rt_z_reach = rt::reach::whole(z_host, sizeof(double), true, {y_host});     as many as lie before `y`
//! const rt::reach rt_y_reach = rt::reach::covers(y_host, {0, n}, sizeof(double), true);
//! if (!rt.holds(rt_y_reach.is_there, ...)) return 0;                       the original runs
//! ```

use super::construct::host::{self, AllInside, Touched};
use super::entry_names::{beside, device_name, held_arrays, reach_name};
use super::host_text::Host;
use super::spell::spell;
use super::{bug, names};
use crate::diag::Stop;
use crate::host_plan::ir::{self, Array, HostStmt, Row, Rows};

impl Host<'_> {
    /// How many elements blocks have from pointers on, where that says what goes to the device.
    pub(super) fn held(&mut self) -> Result<(), Stop> {
        let region = self.region;
        for a in &region.arrays {
            if let Some(held) = a.held() {
                self.reach(a, None, Some(held))?;
            }
        }
        Ok(())
    }

    /// Asks whether the block behind an array's pointer goes as far as what is touched.
    pub(super) fn covers(&mut self, a: &Array) -> Result<(), Stop> {
        let touched = match &a.rows {
            Some(rows) => self.pointers(rows)?,
            None => self.touched(a)?,
        };
        self.reach(a, touched, None)
    }

    /// The pointers that lead to rows, as the runtime's `range`.
    fn pointers(&self, rows: &Rows) -> Result<Option<String>, Stop> {
        let Some(Row { first, last, .. }) = rows.subscripts.first() else { return Ok(None) };
        let at = |e| self.out.scope.position_text(e);
        spell(&Touched { first: [at(first)?, at(last)?], second: None }).map(Some)
    }

    /// The steps of the region. Before anything goes home it is asked whether some access was held back: then the original
    /// runs, for which nothing has changed.
    pub(super) fn all_steps(&mut self) -> Result<(), Stop> {
        let body = &self.region.body;
        if held_arrays(self.region).is_empty() {
            return self.told_steps(body);
        }
        let is_scalar = |name: &str| self.region.arrays.iter().any(|a| a.name == *name && a.extents.is_empty());
        let goes_home = |s: &HostStmt| matches!(s, HostStmt::CopyOut { array } if !is_scalar(array));
        let (before, home) = body.split_at(body.iter().position(goes_home).unwrap_or(body.len()));
        let mut is_early = false;
        ir::visit(before, &mut |s| is_early |= goes_home(s));
        if is_early || !home.iter().all(|s| matches!(s, HostStmt::CopyOut { .. })) {
            return Err(bug(format!("region `{}` goes home before it is known whether it may", self.region.name)));
        }
        self.told_steps(before)?;
        let kept = self.region.arrays.iter().filter(|a| self.is_kept(a)).map(|a| device_name(self.region, a)).collect();
        self.push(&AllInside { kept })?;
        self.steps(home)
    }

    /// Test for an array that stays on the device, and is what it was if some access is held back.
    pub(super) fn is_kept(&self, a: &Array) -> bool {
        let leaves = self.region.leaves || self.region.is_guarded(a);
        let may_stay = leaves && a.may_stay() && a.rows.is_none();
        may_stay && a.live_in.is_some() && a.live_out.is_some() && !held_arrays(self.region).is_empty()
    }

    fn reach(&mut self, a: &Array, touched: Option<String>, held: Option<&str>) -> Result<(), Stop> {
        let (name, host) = (reach_name(self.region, a), beside(self.region, &a.name, "host"));
        let r#type = if a.rows.is_some() { "void *" } else { names::cxx_type(a.ty, 64) };
        let (held, is_written) = (held.map(names::spell), a.live_out.is_some());
        let others = if held.is_some() { self.not_below(a) } else { vec![] };
        self.push(&host::Reach { name: &name, host: &host, r#type, touched, held, is_written, others })
    }

    /// Arrays that the region would be refused with if what is taken of another lay over them: blocks that a program divides
    /// among its arrays go on behind the one that is asked for.
    fn not_below(&self, a: &Array) -> Vec<String> {
        let is_apart = |x: &Array| x.rows.is_none() && x.beside.is_empty() && x.own.is_none();
        let conflicts = |x: &&Array| x.name != a.name && (a.live_out.is_some() || x.live_out.is_some());
        let has_address = |x: &&Array| x.on_host && !x.extents.is_empty() && is_apart(x);
        let all = if is_apart(a) { self.region.arrays.as_slice() } else { &[] };
        let others = all.iter().filter(conflicts).filter(has_address);
        others.map(|x| beside(self.region, &x.name, "host")).collect()
    }
}
