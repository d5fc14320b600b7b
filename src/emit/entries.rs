//! Entries as others call them: what `rtcuda optimize` writes around the entry of a kernel.

use super::host_text::{Host, elements, param};
use super::{Site, names};
use crate::diag::Stop;
use crate::host_plan::ir::{HostStmt, Param, visit};

/// The entry of a region.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The C function that the region stands in, and its lines.
    pub function: String,
    pub lines: (u32, u32),
    /// The entry's name.
    pub name: String,
    /// Its parameters as C++ declares them, and what is handed over for each, in C.
    pub parameters: Vec<String>,
    pub arguments: Vec<String>,
    /// The user's arrays.
    pub arrays: Vec<Array>,
    /// Threads that a step of its resident kernel has work for, over the entry's numbers.
    pub work: Option<String>,
}

/// An array of the user's.
#[derive(Debug, Clone, PartialEq)]
pub struct Array {
    pub name: String,
    /// The elements' type.
    pub r#type: &'static str,
    /// Number of elements that the region reaches, over the entry's numbers.
    pub elements: String,
    pub is_written: bool,
}

/// The entry of a site.
///
/// # Errors
/// A plan that breaks its contract.
pub fn entry(site: &Site) -> Result<Entry, Stop> {
    let region = &site.region;
    let host = Host::new(region, &site.file);
    let argument = |p: &Param| match p {
        Param::Scalar { c_expr, .. } | Param::Array { c_expr, .. } => c_expr.clone(),
        Param::ScalarInOut { c_expr, .. } | Param::Place { c_expr, .. } => format!("&{c_expr}"),
    };
    let named = |p: &Param| match p {
        Param::Array { name, c_expr, .. } => Some((name.clone(), c_expr.clone())),
        _ => None,
    };
    let mut arrays = Vec::new();
    for (name, c_expr) in region.params.iter().filter_map(named) {
        if let Some(a) = region.arrays.iter().find(|a| a.name == name) {
            arrays.push(Array {
                name: c_expr,
                r#type: names::c_type(a.ty, 64),
                elements: host.number(a, &elements(a))?,
                is_written: a.live_out.is_some(),
            });
        }
    }
    let mut work = None;
    visit(&region.body, &mut |s| {
        if let HostStmt::Resident { work: threads, .. } = s {
            work = Some(threads.clone());
        }
    });
    Ok(Entry {
        work: work.map(|work| host.out.scope.position_text(&work)).transpose()?,
        function: region.function.clone(),
        lines: site.lines,
        name: site.entry.clone(),
        parameters: region.params.iter().map(|p| param(region, p, |_| true)).collect::<Result<_, _>>()?,
        arguments: region.params.iter().map(argument).collect(),
        arrays,
    })
}
