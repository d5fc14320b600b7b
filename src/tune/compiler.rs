//! Builder of the candidates of a kernel: each converted, and compiled unless its outcome is remembered.

use super::build::{Tuned, in_words};
use super::cache::{Cache, Key};
use super::driver::{self, Built};
use super::space::{Point, Space};
use crate::config::Objective;
use crate::runtime::build::Target;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// Compiles the candidates of a kernel.
pub struct Compiler<'a> {
    pub tuned: &'a Tuned,
    pub space: &'a Space,
    pub target: &'a Target,
    pub folder: &'a Path,
    pub n_built: &'a AtomicUsize,
    pub device: &'a str,
    pub call: BTreeMap<String, i64>,
    pub objective: Objective,
    pub is_over: Arc<AtomicBool>,
}

impl driver::Builder for Compiler<'_> {
    fn build(&self, point: &Point, cache: &Mutex<Cache>) -> Result<Built, String> {
        let chosen = (self.space.kernel.clone(), self.space.chosen(point).given());
        let candidate = self.tuned.candidate(&[chosen]).map_err(in_words)?;
        let (call, target) = (format!("{:?}", self.call), format!("{:?}", self.target));
        let key = Key::of(&[&candidate.text(), self.device, &call, &target]);
        if cache.lock().is_ok_and(|cache| cache.known(&key, self.objective).is_some()) {
            return Ok(Built { key, object: None });
        }
        let folder = self.folder.join(format!("c{}", self.n_built.fetch_add(1, Ordering::Relaxed)));
        let object = candidate.compile_until(&folder, self.target, Some(&self.is_over)).map_err(in_words)?;
        Ok(Built { key, object: Some(object) })
    }

    fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}
