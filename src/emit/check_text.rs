//! Check mode: `rt_<region>_before` runs the converted version on copies of what the region may touch, and
//! `rt_<region>_after` compares them with what the original left.

use super::host_text::{self, Host, beside, param};
use super::{Site, names};
use super::{layout, rows_text};
use crate::dag::plan::{self, Array, HostStmt, Param, Region};
use crate::diag::Stop;
use crate::kernel::{Expr, UnaryOp};
use serde_json::json;

/// Both functions of a region of `file`.
///
/// # Errors
/// A plan that breaks its contract.
pub fn functions(site: &Site, file: &str) -> Result<String, Stop> {
    let region = &site.region;
    let constness = |_: &str| "const ";
    let params: Vec<_> = region.params.iter().map(|p| param(region, p, constness)).collect();
    let compared: Vec<_> = compared(site).into_iter().map(|p| param(region, p, constness)).collect();
    let before = layout::list(&format!("extern \"C\" void {}_before(", site.entry), &params, ")");
    let after = layout::list(&format!("extern \"C\" void {}_after(", site.entry), &compared, ")");
    let data = json!({
        "region": region.name,
        "before": before,
        "before_body": before_body(site, file)?,
        "after": after,
        "after_body": after_body(site, file),
    });
    layout::render("check", &data)
}

/// The parameters that `after` takes: what the region may have written.
pub fn compared(site: &Site) -> Vec<&Param> {
    let written = |p: &&Param| match p {
        Param::Scalar { .. } | Param::Place { .. } => false,
        Param::ScalarInOut { name, .. } => array(site, name).is_none_or(|a| a.live_out.is_some()),
        Param::Array { name, .. } => array(site, name).is_some_and(|a| a.live_out.is_some()),
    };
    site.region.params.iter().filter(written).collect()
}

fn before_body(site: &Site, file: &str) -> Result<String, Stop> {
    let region = &site.region;
    let mut host = Host::new(region, file);
    host.out.lines.push(&format!("rt::check &rt = rt::check::open({});", host_text::place(site, file)), 0);
    host.out.lines.push("if (rt.is_late()) return rt.converted(0);", 0);
    host.read_in_out();
    // Where a guard fails, the ranges below mean nothing.
    for guard in &region.guards {
        let holds = host.out.scope.text(&Expr::Unary(UnaryOp::Not, host.out.scope.position(&guard.holds).into()))?;
        host.out.lines.open(&format!("if ({holds})"), 0);
        host.out.lines.push(&format!("rt::not_converted_reason = {};", names::quote(&guard.reason)), 0);
        host.out.lines.push("return rt.converted(0);", 0);
        host.out.lines.close();
    }
    host.lengths(false)?;
    host.rows()?;
    let mut args = Vec::new();
    for p in &region.params {
        args.push(match p {
            Param::Scalar { name, .. } => names::spell(name),
            Param::Place { name, .. } => format!("rt.moved({name})"),
            Param::ScalarInOut { name, .. } => format!("&{}", names::spell(name)),
            Param::Array { name, .. } => match array(site, name).filter(|a| is_touched(a)) {
                Some(a) => {
                    register(&mut host, site, a)?;
                    format!("rt[{}]", names::quote(name))
                }
                None => beside(region, name, "host"),
            },
        });
    }
    host.out.lines.push_list(&format!("rt.converted({}(", site.entry), &args, "));");
    for p in &region.params {
        if let Param::ScalarInOut { name, .. } = p {
            host.out.lines.push(&format!("rt.scalar({}, {});", names::quote(name), names::spell(name)), 0);
        }
    }
    if !prints(region) {
        host.out.lines.push("rt.stand_by();", 0);
    }
    Ok(host.out.lines.text())
}

fn register(host: &mut Host, site: &Site, a: &Array) -> Result<(), Stop> {
    let ty = names::cxx_type(a.ty, 64);
    let mut args = vec![names::quote(&a.name), beside(&site.region, &a.name, "host"), format!("sizeof({ty})")];
    args.push(format!("rt::type_of<{ty}>()"));
    let extents = a.extents.iter().map(|e| host.number(a, e)).collect::<Result<Vec<_>, _>>()?;
    args.push(format!("{{{}}}", extents.join(", ")));
    if a.rows.is_some() {
        args.remove(1);
        args.push(rows_text::rows_name(&site.region, a));
        args.extend(leaves(site, a));
        host.out.lines.push_list("rt.array(", &args, ");");
        return Ok(());
    }
    args.extend(host.touched(a)?);
    let (first, last) = host.range(a, a.live_out.clone())?.unwrap_or(("0".into(), "0".into()));
    args.push(format!("{{{first}, {last}}}"));
    args.extend(leaves(site, a));
    host.out.lines.push_list("rt.array(", &args, ");");
    Ok(())
}

/// What the original loops leave in an array, where that is not what they leave on the host for those who read it.
fn leaves(site: &Site, a: &Array) -> Option<String> {
    match (site.region.leaves && a.may_stay, a.is_scratch) {
        (true, _) => Some("rt::leaves::on_device".to_string()),
        (_, true) => Some("rt::leaves::nothing".to_string()),
        _ => None,
    }
}

fn after_body(site: &Site, file: &str) -> String {
    let mut host = Host::new(&site.region, file);
    let mut push = |text: String| host.out.lines.push(&text, 0);
    push(format!("rt::check &rt = rt::check::open_again({});", host_text::place(site, file)));
    for p in compared(site) {
        match p {
            Param::ScalarInOut { name, .. } => {
                push(format!("rt.compare_scalar({}, *{name}_inout);", names::quote(name)))
            }
            Param::Array { name, .. } => push(format!("rt.compare({}, {name}_host);", names::quote(name))),
            Param::Scalar { .. } | Param::Place { .. } => {}
        }
    }
    push("rt.close();".into());
    host.out.lines.text()
}

/// Whether the original loops print: nobody wants that again.
fn prints(region: &Region) -> bool {
    let mut prints = false;
    plan::visit(&region.body, &mut |s| prints |= matches!(s, HostStmt::Print { .. }));
    prints
}

fn is_touched(a: &Array) -> bool {
    a.live_in.is_some() || a.live_out.is_some()
}

fn array<'a>(site: &'a Site, name: &str) -> Option<&'a Array> {
    site.region.arrays.iter().find(|a| a.name == name && a.on_host)
}
