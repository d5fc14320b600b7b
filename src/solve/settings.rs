//! How to solve.

use super::method::{Method, Precond};
use super::precision::Precision;
use crate::config::{Backend, Sync};

/// How to solve.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// The method.
    pub method: &'static Method,
    /// Its preconditioner.
    pub precond: Precond,
    /// Numbers of matrices and vectors while it runs.
    pub precision: Precision,
    /// It ends where the residual is at most so much of the right-hand side, in the 2-norm.
    pub tolerance: f64,
    /// It ends after so many iterations.
    pub most: i32,
    /// Iterations of GMRES before it starts anew.
    pub restart: i32,
    /// The over-relaxation of SOR.
    pub omega: f64,
    /// Wait among blocks that the user asks for.
    pub sync: Option<Sync>,
    /// Where it runs.
    pub backend: Backend,
    /// Flag: on a GPU it ends between two iterations when it is asked to. Kernels that are short of registers take longer for
    /// that, so that measurements are made without.
    pub is_interruptible: bool,
    /// When all is measured, it runs again and again for so many seconds at least, for a meter that is slow; 0: it does not.
    pub repeat_seconds: f64,
}
