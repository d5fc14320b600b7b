//! Kernels with barriers among all threads: their parts, launched one after the other where the host's loops say so.
//!
//! ```text
//! extern "C" int rd_optimized(dim3 rt_grid, dim3 rt_block, float *a, int n)
//! {
//!     int rt_is_optimized = 1; // ... and no part waits for the device
//!     for (int s = n / 2; s > 0; s /= 2) { rt_is_optimized &= rd_part0_optimized(rt_grid, rt_block, a, n, s); }
//!     return rt_is_optimized;
//! }
//! ```

use super::drawn::{Array, Drawn, Number};
use super::kernels::Outcome;
use crate::frontend::kernel::Condition;
use crate::frontend::names::Parameter;
use crate::frontend::phases::{Phased, Step};
use serde_json::{Value, json};

/// A kernel with barriers, and the outcomes of its parts.
pub struct Whole<'o> {
    pub phased: &'o Phased,
    pub parts: Vec<&'o Outcome>,
}

/// The kernels with barriers of which every part was optimised.
pub fn wholes<'o>(phased: &'o [Phased], kernels: &'o [Outcome]) -> Vec<Whole<'o>> {
    let of = |phased: &'o Phased| {
        let part = |name: &str| kernels.iter().find(|o| o.kernel.name == name);
        let parts = phased.parts.iter().map(|p| part(&p.name)).collect::<Option<Vec<_>>>()?;
        Some(Whole { phased, parts })
    };
    phased.iter().filter_map(of).collect()
}

/// Takes out kernels of which a part was not optimised, and gives the names of their parts.
pub fn torn(phased: &mut Vec<Phased>, kernels: &[Outcome]) -> Vec<String> {
    let mut names = vec![];
    phased.retain(|whole| {
        let is_there = whole.parts.iter().all(|part| kernels.iter().any(|o| o.kernel.name == part.name));
        if !is_there {
            names.extend(whole.parts.iter().map(|part| part.name.clone()));
        }
        is_there
    });
    names
}

/// Test that a kernel is a part of another.
pub fn is_part(phased: &[Phased], name: &str) -> bool {
    phased.iter().flat_map(|whole| &whole.parts).any(|part| part.name == name)
}

impl Whole<'_> {
    /// The host's steps with this in the place of each part.
    fn control(&self, part: impl Fn(&Outcome) -> String) -> String {
        let of = |step: &Step| match step {
            Step::Text(text) => text.clone(),
            Step::Part(at) => part(self.parts[*at]) + " ",
        };
        self.phased.control.iter().map(of).collect::<String>().trim_end().to_owned()
    }

    /// Values for the launch function's template.
    pub fn launched(&self, source: &str) -> Value {
        let call = |o: &Outcome| {
            let arguments = o.kernel.parameters.iter().map(|p| format!(", {}", p.name));
            let name = &o.kernel.name;
            format!("rt_is_optimized &= {name}_optimized(rt_grid, rt_block{});", arguments.collect::<String>())
        };
        let of = |p: &Parameter| {
            let has = |o: &&&Outcome, is_written: bool| {
                o.entry.arrays.iter().any(|a| a.name == p.name && (a.is_written || !is_written))
            };
            let best = self.parts.iter().find(|o| has(o, true)).or(self.parts.iter().find(|o| has(o, false)));
            best.or(self.parts.first()).map_or(p.text.clone(), |o| o.parameter(p))
        };
        let parameters = self.phased.parameters.iter().map(of);
        let signature: Vec<String> =
            ["dim3 rt_grid", "dim3 rt_block"].map(str::to_owned).into_iter().chain(parameters).collect();
        json!({
            "name": self.phased.name,
            "file": source,
            "line": self.phased.line,
            "signature": signature.join(", "),
            "body": self.control(call),
        })
    }

    /// Numbers of the launch that parts are given, each once: with its value, over `grid` and `block`.
    pub fn extra(&self) -> Vec<(String, String)> {
        let mut out: Vec<(String, String)> = vec![];
        for extra in self.parts.iter().flat_map(|o| &o.kernel.extra) {
            if !out.contains(extra) {
                out.push(extra.clone());
            }
        }
        out
    }

    /// The kernel as a C function over those of its parts.
    pub fn c(&self) -> String {
        let call = |o: &Outcome| {
            let names = o.kernel.parameters.iter().map(|p| p.name.clone());
            let all: Vec<String> = names.chain(o.kernel.extra.iter().map(|(name, _)| name.clone())).collect();
            format!("{}({});", o.kernel.name, all.join(", "))
        };
        let parameters = self.phased.parameters.iter().map(|p| p.text.clone());
        let extra = self.extra().into_iter().map(|(name, _)| format!("int {name}"));
        let all: Vec<String> = parameters.chain(extra).collect();
        format!("\nstatic void {}({})\n{{\n    {}\n}}\n", self.phased.name, all.join(", "), self.control(call))
    }

    /// Everything that it is tried on, and C that finds how much of its arrays its parts use.
    pub fn drawn(&self, sizes: &[(String, i64)]) -> (Drawn, String) {
        let parts: Vec<Drawn> = self.parts.iter().map(|o| Drawn::new(o, sizes)).collect();
        let is_own = |n: &&Number| self.phased.parameters.iter().any(|p| p.name == n.name);
        let numbers = parts.first().map_or(vec![], |d| d.numbers.iter().filter(is_own).cloned().collect());
        let mut all = Drawn { numbers, of_launch: vec![], of_entry: vec![], arrays: vec![] };
        for d in &parts {
            for n in &d.of_launch {
                if !all.of_launch.iter().any(|known| known.name == n.name) {
                    all.of_launch.push(n.clone());
                }
            }
            for a in &d.arrays {
                match all.arrays.iter_mut().find(|known| known.name == a.name) {
                    Some(known) => known.is_written |= a.is_written,
                    None => all.arrays.push(Array { elements: format!("rt_{}_most", a.name), ..a.clone() }),
                }
            }
        }
        let most = all.arrays.iter().map(|a| format!("long rt_{}_most = 0; ", a.name)).collect::<String>();
        let measured = |o: &Outcome| {
            let d = Drawn::new(o, sizes);
            let numbers = d.of_entry.iter().map(|n| format!("{} {} = {}; ", n.r#type, n.name, n.value));
            let arrays = d
                .arrays
                .iter()
                .map(|a| format!("rt_{0}_most = rt_max(rt_{0}_most, (long)({1})); ", a.name, a.elements));
            format!("{{ {}{}}}", numbers.collect::<String>(), arrays.collect::<String>())
        };
        let before = most + &self.control(measured);
        (all, before)
    }

    /// Conditions of its parts on a launch that are over its own numbers.
    pub fn conditions(&self) -> Vec<Condition> {
        let given: Vec<&str> =
            self.phased.parts.iter().flat_map(|part| &part.given).map(|(_, name)| name.as_str()).collect();
        let words = |c: &Condition| -> Vec<String> {
            c.holds().split(|c: char| !c.is_ascii_alphanumeric() && c != '_').map(str::to_owned).collect()
        };
        let is_own = |c: &&Condition| !words(c).iter().any(|word| given.contains(&word.as_str()));
        self.parts.iter().flat_map(|o| &o.kernel.launch).filter(is_own).cloned().collect()
    }
}
