//! The user's C file, to the letter, with a call of the converted version put around each region.
//! ```text
//! { extern int rt_jacobi_0(int, const void *, void *, double *);
//! if (!rt_jacobi_0(n, a, x, &err)) {
//! while (err > tol) { ... }
//! }}
//! ```
//! The prototypes stand in a block, so nothing is added to the file's scope; the call is compiled as the C it is in,
//! which makes variable-length arrays, `restrict` and implicit conversions the C compiler's affair.
//!
//! A program compiled for OpenMP may come to a region in each thread of a team, which shares the loops out: there every
//! thread runs the original.

use super::{CFile, Options, Site, bug, check_text, names};
use crate::dag::plan::Param;
use crate::diag::Stop;

/// The bytes of the file.
///
/// # Errors
/// [`Stop::Bug`] where the ranges of regions overlap or lie outside the text.
pub fn text(file: &CFile, options: &Options) -> Result<Vec<u8>, Stop> {
    let mut sites: Vec<_> = file.sites.iter().collect();
    sites.sort_by_key(|s| s.range.start);
    let mut text = Vec::with_capacity(file.text.len());
    let mut at = 0;
    let openmp = options.cflags.iter().any(|f| f.starts_with("-fopenmp"));
    for site in sites {
        if site.range.start < at || site.range.end < site.range.start || site.range.end > file.text.len() {
            return Err(bug(format!("region `{}` overlaps another or leaves its file", site.region.name)));
        }
        let (open, close) = if options.check { around_checked(site, openmp) } else { around(site, openmp) };
        text.extend(&file.text[at..site.range.start]);
        let indent = indent(&file.text[..site.range.start]);
        text.extend(open.replace('\n', &format!("\n{indent}")).into_bytes());
        text.extend(site.markers[0].bytes());
        text.extend(&file.text[site.range.clone()]);
        text.extend(close.replace('\n', &format!("\n{indent}")).into_bytes());
        text.extend(site.markers[1].bytes());
        at = site.range.end;
    }
    text.extend(&file.text[at..]);
    Ok(text)
}

/// The white space that the line's first character stands behind.
fn indent(before: &[u8]) -> String {
    let line = before.rsplit(|b| *b == b'\n').next().unwrap_or_default();
    line.iter().take_while(|b| **b == b' ' || **b == b'\t').map(|b| *b as char).collect()
}

fn around(site: &Site, openmp: bool) -> (String, String) {
    let entry = &site.entry;
    let params: Vec<_> = site.region.params.iter().collect();
    let (declared, in_team) = if openmp { (", omp_in_parallel(void)", "omp_in_parallel() || ") } else { ("", "") };
    let (types, values) = (prototype(&params), arguments(&params));
    let open = format!("{{ extern int {entry}({types}){declared};\nif ({in_team}!{entry}({values})) {{\n");
    (open, "\n}}".into())
}

fn around_checked(site: &Site, openmp: bool) -> (String, String) {
    let entry = &site.entry;
    let (declared, alone) = if openmp {
        ("extern int omp_in_parallel(void);\nconst int rt_alone = !omp_in_parallel();\n", "if (rt_alone) ")
    } else {
        ("", "")
    };
    let (params, compared) = (site.region.params.iter().collect::<Vec<_>>(), check_text::compared(site));
    let open = format!(
        "{{ extern void {entry}_before({}), {entry}_after({});\n{declared}{alone}{entry}_before({});\n{{\n",
        prototype(&params),
        prototype(&compared),
        arguments(&params)
    );
    (open, format!("\n}}\n{alone}{entry}_after({}); }}", arguments(&compared)))
}

fn prototype(params: &[&Param]) -> String {
    let one = |p: &&Param| match p {
        Param::Scalar { ty, .. } => names::c_type(*ty, 64).to_string(),
        Param::ScalarInOut { ty, .. } => format!("{} *", names::c_type(*ty, 64)),
        Param::Array { is_const, .. } => if *is_const { "const void *" } else { "void *" }.to_string(),
    };
    if params.is_empty() { "void".into() } else { params.iter().map(one).collect::<Vec<_>>().join(", ") }
}

fn arguments(params: &[&Param]) -> String {
    let one = |p: &&Param| match p {
        Param::Scalar { c_expr, .. } | Param::Array { c_expr, .. } => c_expr.clone(),
        Param::ScalarInOut { c_expr, .. } if c_expr.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') => {
            format!("&{c_expr}")
        }
        Param::ScalarInOut { c_expr, .. } => format!("&({c_expr})"),
    };
    params.iter().map(one).collect::<Vec<_>>().join(", ")
}
