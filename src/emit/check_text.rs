//! Check mode: `rt_<region>_before` runs the converted version on copies of what the region may touch, and
//! `rt_<region>_after` compares them with what the original left.

use super::construct::checks::{CheckAfter, CheckBefore, CheckedArgument, CheckedArray, CheckedScalar, Compared};
use super::entry_names::{beside, rows_name};
use super::host_text::{self, Host, param};
use super::spell::spell;
use super::{Site, layout, names};
use crate::diag::Stop;
use crate::host_plan::ir::{self, Array, HostStmt, Param, Region};
use crate::kernel::{Expr, ReduceOp, StmtKind, walk};

/// Both functions of a region of `file`.
///
/// # Errors
/// A plan that breaks its contract.
pub fn functions(site: &Site, file: &str) -> Result<String, Stop> {
    let [before, after] = [before(site, file)?, after(site, file)?].map(|text| layout::laid_out(&text, file));
    Ok([before, after].join("\n"))
}

/// The parameters that `after` takes: what the region may have written.
pub fn compared(site: &Site) -> Vec<&Param> {
    let written = |p: &&Param| match p {
        Param::Scalar { .. } | Param::Place { .. } => false,
        Param::ScalarInOut { name, is_wanted, .. } => {
            *is_wanted && array(site, name).is_none_or(|a| a.live_out.is_some())
        }
        Param::Array { name, .. } => array(site, name).is_some_and(|a| a.live_out.is_some()),
    };
    site.region.params.iter().filter(written).collect()
}

fn before(site: &Site, file: &str) -> Result<String, Stop> {
    let region = &site.region;
    let mut host = Host::new(region, file);
    host.opening(site, file, true)?;
    let (mut arguments, mut scalars) = (Vec::new(), Vec::new());
    for p in &region.params {
        let (is_moved, name) = (matches!(p, Param::Place { .. }), argument(region, p));
        let copied = match p {
            Param::Array { name, .. } => array(site, name).filter(|a| is_touched(a)),
            _ => None,
        };
        if let Some(a) = copied {
            register(&mut host, site, a)?;
        }
        let label = copied.map(|a| names::quote(&a.name));
        arguments.push(spell(&CheckedArgument { is_moved, label, name })?);
        if let Param::ScalarInOut { name, .. } = p {
            scalars.push(CheckedScalar { label: names::quote(name), name: names::spell(name) });
        }
    }
    spell(&CheckBefore {
        name: &region.name,
        entry: &site.entry,
        place: host_text::place(site, file),
        parameters: parameters(site, region.params.iter())?,
        body: host.out.lines.block(),
        arguments,
        scalars,
        either_zero: leaves_either_zero(region),
        prints: prints(region) || site.is_shared_out,
        is_shared_out: site.is_shared_out,
    })
}

/// Arguments of the entry where nothing is copied.
fn argument(region: &Region, p: &Param) -> String {
    match p {
        Param::Scalar { name, .. } => names::spell(name),
        Param::Place { name, .. } => name.clone(),
        Param::ScalarInOut { name, .. } => format!("&{}", names::spell(name)),
        Param::Array { name, .. } => beside(region, name, "host"),
    }
}

fn parameters<'p>(site: &Site, params: impl Iterator<Item = &'p Param>) -> Result<Vec<String>, Stop> {
    params.map(|p| param(&site.region, p, |_| true)).collect()
}

fn register(host: &mut Host, site: &Site, a: &Array) -> Result<(), Stop> {
    let live = host.range(a, a.live_out.clone())?.filter(|_| a.rows.is_none());
    host.push(&CheckedArray {
        label: names::quote(&a.name),
        host: beside(&site.region, &a.name, "host"),
        rows: a.rows.as_ref().map(|_| rows_name(&site.region, a)),
        r#type: names::cxx_type(a.ty, 64),
        extents: a.extents.iter().map(|e| host.number(a, e)).collect::<Result<_, _>>()?,
        touched: if a.rows.is_none() { host.touched(a)? } else { None },
        live: live.unwrap_or(("0".into(), "0".into())).into(),
        stays: site.region.leaves && a.may_stay(),
        is_scratch: a.is_scratch,
    })?;
    host.own_members(a, "rt", Some(names::quote(&a.name)))
}

fn after(site: &Site, file: &str) -> Result<String, Stop> {
    let region = &site.region;
    let one = |p: &&Param| match p {
        Param::ScalarInOut { name, .. } => {
            Compared { is_scalar: true, label: names::quote(name), name: beside(region, name, "inout") }
        }
        p => Compared { is_scalar: false, label: names::quote(p.name()), name: beside(region, p.name(), "host") },
    };
    let compared = compared(site);
    spell(&CheckAfter {
        entry: &site.entry,
        place: host_text::place(site, file),
        parameters: parameters(site, compared.iter().copied())?,
        compared: compared.iter().map(one).collect(),
        is_shared_out: site.is_shared_out,
    })
}

/// Test that the original loops print: nobody wants that again.
fn prints(region: &Region) -> bool {
    let mut prints = false;
    ir::visit(&region.body, &mut |s| prints |= matches!(s, HostStmt::Print { .. }));
    prints
}

/// Test that a call of a library, or `fmax` or `fmin`, may give 0 where the original has -0, or the other way round.
fn leaves_either_zero(region: &Region) -> bool {
    let mut found = false;
    ir::visit(&region.body, &mut |s| found |= matches!(s, HostStmt::Call { .. }));
    let is_extreme =
        |e: &Expr| matches!(e, Expr::Call(name, _) if ["fmax", "fmaxf", "fmin", "fminf"].contains(&&**name));
    let bodies = region.kernels.iter().map(|k| &k.body).chain(region.functions.iter().map(|f| &f.body));
    for body in bodies {
        walk::visit(body, &mut |s| {
            let op = if let StmtKind::Atomic { op, .. } = &s.kind { Some(*op) } else { None };
            found |= matches!(op, Some(ReduceOp::Fmax | ReduceOp::Fmin));
            found |= s.exprs().into_iter().any(|e| e.any(&mut |e| is_extreme(e)));
        });
    }
    found
}

fn is_touched(a: &Array) -> bool {
    a.live_in.is_some() || a.live_out.is_some()
}

fn array<'a>(site: &'a Site, name: &str) -> Option<&'a Array> {
    site.region.arrays.iter().find(|a| a.name == name && a.on_host)
}
