//! What is measured: a C program that this tool converts, and the same by hand.

use crate::runtime::written::Profile;
use crate::solve::method::{self, Program};

/// A pair of programs.
#[derive(Debug)]
pub struct Case {
    /// What they do.
    pub name: &'static str,
    /// The inputs that both know.
    pub inputs: &'static [&'static str],
    /// The shipped solver that it calls, if it does.
    pub solver: Option<&'static Program>,
    /// Its C files and their headers: name and text.
    pub sources: &'static [(&'static str, &'static str)],
    /// Its configuration, where there is no solver's.
    pub config: &'static str,
    /// The peer's files, the one that is compiled first.
    pub peer: &'static [(&'static str, &'static str)],
    /// The kernels that count are those of regions whose names begin so, with this in their own.
    regions: &'static str,
    kernels: &'static str,
    /// How many units of work a launch of them does.
    units: f64,
}

impl Case {
    /// Seconds that a unit of work takes, by the quickest launch of each kernel. What is launched for few units only (a
    /// matrix laid out once for all of them) is preparation.
    pub fn seconds(&self, profile: &Profile) -> f64 {
        let regions = profile.regions.iter().filter(|r| r.region.starts_with(self.regions));
        let kernels = regions.flat_map(|r| r.kernels.iter().map(|k| (k, k.calls as f64 / r.calls as f64)));
        let is_counted = |name: &str, launches: f64| match self.kernels {
            "" => launches >= self.units / 2.0,
            part => name.contains(part),
        };
        let counted = kernels.filter(|(k, launches)| is_counted(&k.name, *launches));
        counted.map(|(k, launches)| k.least_s * launches.max(1.0)).sum::<f64>() / self.units
    }
}

macro_rules! text {
    ($name:literal) => {
        ($name, include_str!(concat!("../../templates/bench/", $name)))
    };
}

/// `y = A x`: the columns and values end where the last row does.
const SPARSE: &str = "[[region]]\nfunction = \"multiply\"\nshape = { column = [\"start[n]\"], value = [\"start[n]\"], x = [\"n\"], y = [\"n\"] }\n";

/// CG in the form for many rows.
const OF_CG: Case = Case {
    name: "an iteration of CG",
    inputs: &["poisson 128", "poisson 256"],
    solver: Some(&method::CG),
    sources: &[("main.c", text!("cg.c").1), text!("matrix.h")],
    config: "",
    peer: &[text!("cg.cu"), text!("matrix.h"), text!("peer.h")],
    regions: "cg_",
    kernels: "_steps",
    units: 100.0,
};

/// Every pair.
pub static CASES: [Case; 4] = [
    OF_CG,
    Case {
        name: "an iteration of CG, few rows",
        inputs: &["poisson 32", "poisson 64"],
        solver: Some(&method::CG_PIPELINED),
        sources: &[
            ("main.c", concat!("#define cg cg_pipelined\n", include_str!("../../templates/bench/cg.c"))),
            text!("matrix.h"),
        ],
        ..OF_CG
    },
    Case {
        name: "sparse matrix by vector",
        inputs: &["poisson 64", "poisson 128", "poisson 256", "power-law 100000", "power-law 2000000"],
        solver: None,
        sources: &[text!("spmv.c"), text!("matrix.h")],
        config: SPARSE,
        peer: &[text!("spmv.cu"), text!("matrix.h"), text!("peer.h")],
        regions: "multiply_",
        kernels: "",
        units: 20.0,
    },
    Case {
        name: "dense product",
        inputs: &["gemm 512", "gemm 2048", "gemm 4096", "gemv 4096", "gemv 16384"],
        solver: None,
        sources: &[text!("products.c")],
        config: "[defaults]\nlibrary = \"always\"\n",
        peer: &[text!("products.cu"), text!("peer.h")],
        regions: "gem",
        kernels: "",
        units: 20.0,
    },
];
