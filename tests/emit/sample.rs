//! The sample program with kernels and host plans made by hand.

use rtcuda::ast::{FloatKind, IntKind};
use rtcuda::emit::{CFile, Homecoming, Options, Program, Site, Spot};
use rtcuda::host_plan::guard::Guard;
use rtcuda::host_plan::ir::{Array, Handed, HostStmt, NotKept, Param, Region};
use rtcuda::host_plan::passes::{guards::guards, select::select};
use rtcuda::kernel::{Expr, Kernel, ScalarType, Stmt, StmtKind, parse};
use rtcuda::lower::{registers, unroll};
use rtcuda::residency::needs::{Touch, Use};
use rtcuda::source::Span;
use rtcuda::source::macros::SelfNamed;
use std::path::PathBuf;

const TEXT: &str = include_str!("sample.c");
const KERNELS: &str = include_str!("kernels.txt");
const INT: ScalarType = ScalarType::Int(IntKind::Int);
const FLOAT: ScalarType = ScalarType::Float(FloatKind::Float);
const DOUBLE: ScalarType = ScalarType::Float(FloatKind::Double);

pub fn program() -> Program {
    let sites = vec![
        site("while (err > tol", (12, 25), jacobi()),
        site("for (int i = 0; i < n; i++)\n        for", (33, 38), product()),
        site("for (unsigned i", (43, 44), histogram()),
    ];
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/emit");
    let file = CFile {
        path: folder.join("sample.c"),
        text: TEXT.into(),
        inclusions: vec![],
        sites,
        homecomings: homecomings(),
        heads: vec![],
        forward: vec![],
        macros: SelfNamed::default(),
    };
    let decisions = serde_json::json!({ "regions": ["jacobi", "product", "histogram"] });
    Program { files: vec![file], decisions, uses_api: false }
}

/// What `product` leaves comes home for one element; the others show how each kind of place is spelled.
fn homecomings() -> Vec<Homecoming> {
    let range = |text: &str| {
        let start = TEXT.find(text).unwrap();
        start..start + text.len()
    };
    let of = |spot, touch, line| Homecoming { spot, touch, file: "sample.c".into(), line };
    let element = Touch::Elements(vec![("h[m + 1]".into(), Use::Reads)]);
    let loop_ = range("for (int i = 0; i < 8; i++)\n        printf(\"%d \", hist[i]);");
    vec![
        of(Spot::Before(range("printf(\"h[%d]").start), element, 31),
        of(Spot::Around(range("printf(\"%d \", hist[i]);")), Touch::Anything(Use::Writes), 33),
        of(Spot::Each { at: range("i < 8").start, around: loop_ }, Touch::Anything(Use::Reads), 32),
    ]
}

pub fn options(check: bool) -> Options {
    let cflags = vec![r#"-DTAIL="the 'end' of $it, \\o/""#.to_string(), "-std=c11".into(), "-lm".into()];
    Options { check, arch: "sm_90".into(), fmad: true, cflags, folder: PathBuf::from("/") }
}

/// Statements of a kernel's body in the text form.
pub fn statements(text: &str) -> Vec<Stmt> {
    let kernel = format!("kernel k() index(64) grid (1) block (1) {{ {text} }}");
    parse::module(&kernel).unwrap_or_else(|e| panic!("{text}: {e}")).1.remove(0).body
}

/// An expression in the text form.
pub fn expr(text: &str) -> Expr {
    match statements(&format!("x = {text};")).remove(0).kind {
        StmtKind::Assign { value, .. } => value,
        _ => unreachable!(),
    }
}

fn kernels(prefix: &str) -> Vec<Kernel> {
    let (_, mut kernels) = parse::module(KERNELS).unwrap_or_else(|e| panic!("{e}"));
    registers::all(&mut kernels, &mut []);
    unroll::all(&mut kernels, &mut []);
    kernels.into_iter().filter(|k| k.name.starts_with(prefix)).collect()
}

fn site(start: &str, lines: (u32, u32), region: Region) -> Site {
    let start = TEXT.find(start).unwrap();
    let end = start + TEXT[start..].find(" /* end of region").unwrap();
    let entry = format!("rt_{}", region.name);
    let file = "sample.c".to_owned();
    Site {
        region,
        entry,
        file,
        range: start..end,
        lines,
        markers: Default::default(),
        midway: None,
        touch: None,
        is_asked: false,
        is_shared_out: false,
    }
}

fn region(name: &str, params: Vec<Param>, tested: &[(&str, &str)], arrays: Vec<Array>, body: Vec<HostStmt>) -> Region {
    let proved = tested.iter().map(|(holds, why)| Guard::holds(expr(holds), why.to_string(), 0)).collect();
    let (functions, _) = parse::module(KERNELS).unwrap_or_else(|e| panic!("{e}"));
    let mut plan = Region {
        name: name.into(),
        function: name.into(),
        span: Span::default(),
        params,
        only_if: (name == "product").then(|| "0 < n".into()),
        guards: proved,
        offload: None,
        lengths: vec![],
        arrays,
        body,
        kernels: kernels(name),
        unordered: vec![],
        apart: Default::default(),
        partial_counts: vec![],
        by_sizes: Default::default(),
        mappings: Default::default(),
        choices: Default::default(),
        original_if_too_large: name == "product",
        rotation: None,
        walked: vec![],
        ends: vec![],
        reads: vec![],
        writes: vec![],
        leaves: name == "product",
        closes_pages: name != "product",
        on_device: false,
        coinciding: vec![],
        functions: if name == "product" { functions } else { Vec::new() },
    };
    guards(&mut plan);
    select(&mut plan);
    plan
}

fn scalar(name: &str, ty: ScalarType) -> Param {
    Param::Scalar { name: name.into(), ty, c_expr: name.into(), written: name.into(), denied: None }
}

fn in_out(name: &str, ty: ScalarType) -> Param {
    let handed = if name == "err" { Handed::Copy { has_value: true } } else { Handed::Itself };
    Param::ScalarInOut { name: name.into(), ty, c_expr: name.into(), handed, is_wanted: true }
}

fn pointer(name: &str, is_const: bool) -> Param {
    Param::Array { name: name.into(), c_expr: name.into(), is_const }
}

fn array(name: &str, ty: ScalarType, extents: &[&str], live_in: Option<&str>, live_out: Option<&str>) -> Array {
    let range = |last: &str| (Expr::Int(0), expr(last));
    Array {
        name: name.into(),
        ty,
        extents: extents.iter().map(|e| expr(e)).collect(),
        on_host: name != "part",
        live_in: live_in.map(range),
        live_out: live_out.map(range),
        rows: None,
        beside: vec![],
        own: None,
        not_kept: (name == "part" || extents.is_empty()).then_some(NotKept::Scalar),
        is_scratch: false,
        reach: None,
    }
}

fn copy_in(array: &str) -> HostStmt {
    HostStmt::CopyIn { array: array.into() }
}

fn copy_out(array: &str) -> HostStmt {
    HostStmt::CopyOut { array: array.into() }
}

fn launch(kernel: usize, line: u32) -> HostStmt {
    HostStmt::launch(kernel, line)
}

fn jacobi() -> Region {
    let params = vec![
        scalar("n", INT),
        scalar("tol", DOUBLE),
        in_out("err", DOUBLE),
        in_out("steps", INT),
        pointer("a", true),
        pointer("b", true),
        pointer("x", false),
        pointer("x_new", false),
    ];
    let arrays = vec![
        array("a", DOUBLE, &["n", "n"], Some("n * n"), None),
        array("b", DOUBLE, &["n"], Some("n"), None),
        array("x", DOUBLE, &["n"], Some("n"), Some("n")),
        array("x_new", DOUBLE, &["n"], Some("n"), Some("n")),
        array("part", DOUBLE, &["4"], None, None),
        array("err", DOUBLE, &[], None, Some("1")),
    ];
    let sweep = HostStmt::While {
        cond: expr("err > tol && steps < 500"),
        step: Vec::new(),
        body: vec![
            launch(0, 13),
            launch(1, 20),
            launch(2, 20),
            copy_out("err"),
            launch(3, 22),
            HostStmt::Compute(statements("steps += 1; @24").remove(0)),
        ],
    };
    let mut body: Vec<_> = ["a", "b", "x", "x_new"].map(copy_in).into();
    body.push(sweep);
    body.extend(["x", "x_new"].map(copy_out));
    region("jacobi", params, &[("n >= 1", "n is not positive")], arrays, body)
}

fn product() -> Region {
    let params = vec![
        scalar("n", INT),
        scalar("m", INT),
        scalar("scale", FLOAT),
        pointer("a", true),
        pointer("b", true),
        pointer("new", false),
    ];
    let arrays = vec![
        array("a", FLOAT, &["n", "n"], Some("n * n"), None),
        array("b", FLOAT, &["n", "m"], Some("n * m"), None),
        array("new", FLOAT, &["n", "m"], Some("n * m"), Some("n * m")),
    ];
    let guards = [("n >= 0 && m >= 0", "n or m is negative"), ("n * m < 2147483648", "new needs 64-bit positions")];
    let body = vec![copy_in("a"), copy_in("b"), copy_in("new"), launch(0, 33), copy_out("new")];
    region("product", params, &guards, arrays, body)
}

fn histogram() -> Region {
    let params = vec![scalar("n", ScalarType::Int(IntKind::UInt)), pointer("v", true), pointer("hist", false)];
    let arrays = vec![array("v", INT, &["n"], Some("n"), None), array("hist", INT, &["8"], Some("8"), Some("8"))];
    let body = vec![copy_in("v"), copy_in("hist"), launch(0, 43), copy_out("hist")];
    region("histogram", params, &[], arrays, body)
}
