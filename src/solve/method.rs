//! The methods that `rtcuda solve` knows: the shipped programs of `solvers/`, and what is to be known of each.
//!
//! ```text
//! solvers/cg.c + configs/cg.toml + "a direction without curvature means: not positive definite" -> Method::CG
//! ```

/// A shipped solver.
#[derive(Debug, PartialEq)]
pub struct Program {
    /// Its C function, and the stem of its files.
    pub function: &'static str,
    /// Its C text.
    pub text: &'static str,
    /// Its configuration.
    pub config: &'static str,
    /// What the function takes beside what all take, as parameters and as arguments of a call; each ends in a comma.
    pub extra: (&'static str, &'static str),
    /// Products with the matrix in an iteration, and vectors read or written beside the matrix.
    pub traffic: Traffic,
}

/// What an iteration moves at least, counted from the loops of the C.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Traffic {
    /// How often the matrix is read.
    pub products: f64,
    /// How often a vector is read or written.
    pub vectors: f64,
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
    /// With the inverse of the diagonal as one, where there is such a program.
    pub scaled: Option<&'static Program>,
    /// What stops it before its time.
    pub breaks: Breaks,
    /// Whether it is meant for symmetric matrices alone.
    pub needs_symmetry: bool,
    /// Whether it divides by the diagonal.
    pub needs_diagonal: bool,
}

macro_rules! program {
    ($name:literal, $extra:expr, $products:expr, $vectors:expr) => {
        Program {
            function: $name,
            text: include_str!(concat!("../../solvers/", $name, ".c")),
            config: include_str!(concat!("../../configs/", $name, ".toml")),
            extra: $extra,
            traffic: Traffic { products: $products, vectors: $vectors },
        }
    };
}

const NOTHING: (&str, &str) = ("", "");

static CG: Program = program!("cg", NOTHING, 1.0, 11.0);

/// Every method, by what a user calls it.
pub static METHODS: [Method; 1] = [Method {
    name: "cg",
    title: "conjugate gradients",
    plain: &CG,
    scaled: None,
    breaks: Breaks::Indefinite,
    needs_symmetry: true,
    needs_diagonal: false,
}];

/// The method of that name.
pub fn method(name: &str) -> Option<&'static Method> {
    METHODS.iter().find(|method| method.name == name)
}
