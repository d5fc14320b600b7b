//! The methods that `rtcuda solve` knows: the shipped programs of `solvers/`, and what is to be known of each.
//!
//! ```text
//! solvers/cg.c + configs/cg.toml + "a direction without curvature means: not positive definite" -> Method::CG
//! ```

use super::precision::Precision;
use crate::config::Sync;
use serde::Serialize;

/// A shipped solver.
#[derive(Debug, PartialEq)]
pub struct Program {
    /// Its C function, and the stem of its files.
    pub function: &'static str,
    /// Its C text.
    pub text: &'static str,
    /// Files that it includes, by name and text.
    pub headers: &'static [(&'static str, &'static str)],
    /// Its configuration.
    pub config: &'static str,
    /// What the function takes beside what all take, as parameters and as arguments of a call; each ends in a comma.
    pub extra: (&'static str, &'static str),
    /// What an iteration moves.
    pub traffic: Traffic,
    /// Preparation of a matrix, before it solves, by a function of its own, `NAME_prepare`; `NAME_solve` solves with
    /// it.
    pub is_prepared: bool,
}

impl Program {
    /// The C of the solver, without the program that shows it at work.
    pub fn solver(&self) -> &str {
        self.text.split_once("\n/* The example:").map_or(self.text, |(solver, _)| solver)
    }
}

/// What an iteration moves at least, counted from the loops of the C.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Traffic {
    /// How often the matrix is read.
    pub products: f64,
    /// How often a vector is read or written.
    pub vectors: f64,
    /// How often each vector of a basis is, that grows until the method starts anew.
    pub basis: f64,
}

/// What makes a method converge sooner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Precond {
    /// Nothing.
    None,
    /// The inverse of the diagonal.
    Jacobi,
    /// An incomplete Cholesky factorisation without fill-in.
    Ic0,
    /// An incomplete LU factorisation without fill-in.
    Ilu0,
    /// A cycle of multigrid by smoothed aggregation.
    Amg,
}

impl Precond {
    /// Every one, by what a user calls it.
    pub const ALL: [(&'static str, Precond); 5] = [
        ("none", Precond::None),
        ("jacobi", Precond::Jacobi),
        ("ic0", Precond::Ic0),
        ("ilu0", Precond::Ilu0),
        ("amg", Precond::Amg),
    ];

    /// In words.
    pub fn title(self) -> &'static str {
        match self {
            Precond::None => "no preconditioner",
            Precond::Jacobi => "Jacobi preconditioner",
            Precond::Ic0 => "incomplete Cholesky without fill-in",
            Precond::Ilu0 => "incomplete LU without fill-in",
            Precond::Amg => "multigrid by smoothed aggregation",
        }
    }
}

/// What it means when a method cannot go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Breaks {
    /// A direction without positive curvature: the matrix is not positive definite.
    Indefinite,
    /// A division by a product of vectors that is zero.
    Breakdown,
}

/// A method.
#[derive(Debug, PartialEq)]
pub struct Method {
    /// What a user calls it.
    pub name: &'static str,
    /// In words.
    pub title: &'static str,
    /// Without a preconditioner.
    pub plain: &'static Program,
    /// The same where a GPU solves for few rows, whose iterations take as long as their waits.
    pub for_few_rows: Option<&'static Program>,
    /// With the inverse of the diagonal as one, where there is such a program.
    pub scaled: Option<&'static Program>,
    /// With a preconditioner that is made of the whole matrix: those that suit it.
    pub factored: &'static [(Precond, &'static Program)],
    /// With iterations in single precision between residuals in double, with or without the inverse of the diagonal.
    pub mixed: Option<&'static Program>,
    /// What stops it before its time.
    pub breaks: Breaks,
    /// Flag: it is meant for symmetric matrices alone.
    pub needs_symmetry: bool,
    /// Flag: it divides by the diagonal.
    pub needs_diagonal: bool,
}

impl Method {
    /// The program that solves with a preconditioner in a precision, if there is one.
    pub fn program(&self, precond: Precond, precision: Precision) -> Option<&'static Program> {
        if precision == Precision::Mixed {
            return self.mixed.filter(|_| matches!(precond, Precond::None | Precond::Jacobi));
        }
        match precond {
            Precond::None => Some(self.plain),
            Precond::Jacobi => self.scaled,
            Precond::Ic0 | Precond::Ilu0 | Precond::Amg => {
                self.factored.iter().find(|(own, _)| *own == precond).map(|(_, program)| *program)
            }
        }
    }
}

macro_rules! program {
    ($name:literal, $extra:expr, $traffic:expr) => {
        Program {
            function: $name,
            text: include_str!(concat!("../../solvers/", $name, ".c")),
            headers: &[],
            config: include_str!(concat!("../../configs/", $name, ".toml")),
            extra: $extra,
            traffic: $traffic,
            is_prepared: false,
        }
    };
}

const NOTHING: (&str, &str) = ("", "");
const INVERSE: (&str, &str) = ("const real *inverse,", "inverse,");
const INVERSE_DOUBLE: (&str, &str) = ("const double *inverse,", "inverse,");

const COLOURS: (&str, &str) = ("colours.h", include_str!("../../solvers/colours.h"));

/// A program that makes incomplete factors first.
const fn factored(program: Program) -> Program {
    const HEADERS: [(&str, &str); 2] = [COLOURS, ("incomplete.h", include_str!("../../solvers/incomplete.h"))];
    Program { headers: &HEADERS, is_prepared: true, ..program }
}

/// Conjugate gradients.
pub static CG: Program = program!("cg", NOTHING, Traffic { products: 1.0, vectors: 10.0, basis: 0.0 });
/// Conjugate gradients with one wait an iteration.
pub static CG_PIPELINED: Program =
    program!("cg_pipelined", NOTHING, Traffic { products: 1.0, vectors: 12.0, basis: 0.0 });
static PCG: Program = program!("pcg", INVERSE, Traffic { products: 1.0, vectors: 13.0, basis: 0.0 });
/// Traffic of the residuals in double between the iterations is left out: there is one for a tenth of the residual.
static CG_MIXED: Program = program!("cg_mixed", INVERSE_DOUBLE, Traffic { products: 1.0, vectors: 10.0, basis: 0.0 });
/// Of an iteration's traffic, what stands for the finest level: the others depend on the matrix.
static PCG_AMG: Program = Program {
    headers: &[("amg.h", include_str!("../../solvers/amg.h"))],
    is_prepared: true,
    ..program!("pcg_amg", NOTHING, Traffic { products: 3.0, vectors: 22.0, basis: 0.0 })
};
static PCG_IC0: Program = factored(program!("pcg_ic0", NOTHING, Traffic { products: 2.0, vectors: 21.0, basis: 0.0 }));
static BICGSTAB_ILU0: Program =
    factored(program!("bicgstab_ilu0", NOTHING, Traffic { products: 4.0, vectors: 35.0, basis: 0.0 }));
static BICGSTAB: Program = program!("bicgstab", INVERSE, Traffic { products: 2.0, vectors: 19.0, basis: 0.0 });
static QMR: Program = program!("qmr", INVERSE, Traffic { products: 2.0, vectors: 28.0, basis: 0.0 });
static QMR_ILU0: Program =
    factored(program!("qmr_ilu0", NOTHING, Traffic { products: 4.0, vectors: 46.0, basis: 0.0 }));
static GMRES_ILU0: Program = factored(program!(
    "gmres_ilu0",
    ("int restart,", "restart,"),
    Traffic { products: 2.0, vectors: 22.0, basis: 4.0 }
));
static GMRES: Program = program!(
    "gmres",
    ("const real *inverse, int restart,", "inverse, restart,"),
    Traffic { products: 1.0, vectors: 15.0, basis: 4.0 }
);
static JACOBI: Program = program!("jacobi_csr", INVERSE, Traffic { products: 1.0, vectors: 7.0, basis: 0.0 });
/// An iteration has ten sweeps, each of which reads a vector at the places of the matrix.
static JACOBI_SWEEPS: Program =
    program!("jacobi_sweeps", INVERSE, Traffic { products: 11.0, vectors: 62.0, basis: 0.0 });
static CHEBYSHEV: Program = program!("chebyshev", INVERSE, Traffic { products: 1.0, vectors: 9.0, basis: 0.0 });
static GAUSS_SEIDEL: Program = Program {
    headers: &[COLOURS],
    is_prepared: true,
    ..program!(
        "sor_csr",
        ("const real *inverse, double omega,", "inverse, 1.0,"),
        Traffic { products: 1.0, vectors: 5.0, basis: 0.0 }
    )
};
static SOR: Program = Program { extra: ("const real *inverse, double omega,", "inverse, omega,"), ..GAUSS_SEIDEL };

/// Every method, by what a user calls it.
pub static METHODS: [Method; 8] = [
    Method {
        for_few_rows: Some(&CG_PIPELINED),
        scaled: Some(&PCG),
        mixed: Some(&CG_MIXED),
        factored: &[(Precond::Ic0, &PCG_IC0), (Precond::Amg, &PCG_AMG)],
        ..krylov("cg", "conjugate gradients", &CG, Breaks::Indefinite)
    },
    Method {
        factored: &[(Precond::Ilu0, &BICGSTAB_ILU0)],
        ..krylov("bicgstab", "stabilised bi-conjugate gradients", &BICGSTAB, Breaks::Breakdown)
    },
    Method {
        factored: &[(Precond::Ilu0, &GMRES_ILU0)],
        ..krylov("gmres", "generalised minimal residuals", &GMRES, Breaks::Breakdown)
    },
    Method {
        factored: &[(Precond::Ilu0, &QMR_ILU0)],
        ..krylov("qmr", "quasi-minimal residuals", &QMR, Breaks::Breakdown)
    },
    stationary("jacobi", "Jacobi's method", &JACOBI),
    stationary("gauss-seidel", "the method of Gauss and Seidel", &GAUSS_SEIDEL),
    stationary("sor", "successive over-relaxation", &SOR),
    Method { needs_symmetry: true, ..stationary("chebyshev", "Chebyshev's iteration", &CHEBYSHEV) },
];

/// Jacobi's method where it is of interest in which way blocks wait for each other between two sweeps.
pub static SWEEPS: Method = stationary("jacobi", "Jacobi's method, ten sweeps an iteration", &JACOBI_SWEEPS);

/// Waits that [`SWEEPS`] is measured with: one kernel in each case.
pub const SYNCS: [(&str, Sync); 4] = [
    ("cooperative", Sync::Cooperative),
    ("lock-free", Sync::LockFree),
    ("relaxed", Sync::Relaxed),
    ("asynchronous", Sync::Asynchronous),
];

/// A method that takes the inverse of the diagonal, or ones.
const fn krylov(name: &'static str, title: &'static str, plain: &'static Program, breaks: Breaks) -> Method {
    let needs_symmetry = matches!(breaks, Breaks::Indefinite);
    let (scaled, factored): (_, &'static [_]) = (Some(plain), &[]);
    let (for_few_rows, mixed) = (None, None);
    Method { name, title, plain, for_few_rows, scaled, factored, mixed, breaks, needs_symmetry, needs_diagonal: false }
}

/// A method that divides by the diagonal by itself.
const fn stationary(name: &'static str, title: &'static str, plain: &'static Program) -> Method {
    let breaks = Breaks::Indefinite;
    let (scaled, factored): (_, &'static [_]) = (None, &[]);
    let (for_few_rows, mixed, needs_symmetry) = (None, None, false);
    Method { name, title, plain, for_few_rows, scaled, factored, mixed, breaks, needs_symmetry, needs_diagonal: true }
}

/// The method of that name.
pub fn method(name: &str) -> Option<&'static Method> {
    METHODS.iter().find(|method| method.name == name)
}
