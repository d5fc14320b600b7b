//! Kernels with barriers among all threads: one region with all of their parts, or else the parts launched one after the other
//! where the host's loops say so.
//!
//! ```text
//! extern "C" int rd_optimized(dim3 rt_grid, dim3 rt_block, float *a, int n)
//! {
//!     long rt_a_most = 0; int rt_is_covered = 1;
//!     for (int s = n / 2; s > 0; s /= 2) { rt_a_most = ...; rt_is_covered &= ...; }        // what its parts need
//!     if (n / 2 / 8 > 4096 && rt::one_for_each(rt_a_most, 98304, rt_grid, rt_block) && rt_itself()) return 0;
//!     if (rt_is_covered && rt_rd_whole(n, rt_a_most, a)) return 1;                                 // one resident kernel
//!     if (rt_itself()) return 0;                                                                   // the user's
//!     int rt_is_optimized = 1; // ... and no part waits for the device
//!     for (int s = n / 2; s > 0; s /= 2) { rt_is_optimized &= rd_part0_optimized(rt_grid, rt_block, a, n, s); }
//!     return rt_is_optimized;
//! }
//! ```
//! For sizes at which the kernel's own threads wait no longer ([`Whole::as_it_is`]), it is launched before anything else: measured,
//! positions that are computed once for all phases, and in 32 bits, make up for half of the difference only.
//!
//! The region is that of a C function which calls those of the parts. How far its arrays reach depends on what its loops count:
//! the launch function goes through these first, without the parts.

use super::drawn::{Array, Drawn, Number};
use super::kernels::{Outcome, at_launch, local};
use crate::config::{Config, Sync};
use crate::cost::{self, Crossing};
use crate::emit::entries::Entry;
use crate::frontend::CudaFile;
use crate::frontend::kernel::{Condition, Kernel};
use crate::frontend::names::Parameter;
use crate::frontend::phases::{Phased, Step};
use crate::report::{Region, Report};
use crate::target::MAX_BLOCK;
use serde::Serialize;
use serde_json::{Value, json};

/// A kernel with barriers as one region.
#[derive(Debug, Clone)]
pub struct Together {
    pub entry: Entry,
    pub region: Region,
    /// Wish of the user's for a way to run its steps.
    pub is_chosen: bool,
}

/// The kernels with barriers that became one region each.
pub fn together(file: &CudaFile, report: &Report, entries: &[Entry], config: &Config) -> Vec<Together> {
    let of = |phased: &Phased| {
        let region = report.regions.iter().find(|r| r.name == region_of(phased))?;
        let entry = entries.iter().find(|entry| entry.function == phased.name)?;
        let extra = extra(&parts_of(file, phased));
        let known = |word: &str| {
            let is_parameter = |p: &Parameter| p.name == word || p.is_pointer && most_of(&p.name) == word;
            phased.parameters.iter().any(is_parameter) || extra.iter().any(|(name, _)| name == word)
        };
        let is_chosen = is_chosen(phased, config);
        local(file, entry, &known).is_none().then(|| Together {
            entry: entry.clone(),
            region: region.clone(),
            is_chosen,
        })
    };
    file.phased.iter().filter_map(of).collect()
}

/// Wish of the user's for a way to run the steps of a kernel.
pub fn is_chosen(phased: &Phased, config: &Config) -> bool {
    let own = config.region(&phased.name, &region_of(phased)).map(|region| &region.settings);
    own.unwrap_or(&config.defaults).sync != Sync::Auto
}

/// Sizes for which a kernel with barriers runs as it is, with about one thread for each element of its largest array.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AsItIs {
    /// Threads that a step has work for, in C, and more of them than that.
    pub work: String,
    pub above: i64,
    /// Elements of the largest array, at most.
    pub upto: i64,
}

/// A kernel with barriers, and the outcomes of its parts.
pub struct Whole<'o> {
    pub phased: &'o Phased,
    pub parts: Vec<&'o Outcome>,
    /// All of it, where that became a region.
    pub together: Option<&'o Together>,
}

/// The kernels with barriers of which every part was optimised.
pub fn wholes<'o>(phased: &'o [Phased], kernels: &'o [Outcome], together: &'o [Together]) -> Vec<Whole<'o>> {
    let of = |phased: &'o Phased| {
        let part = |name: &str| kernels.iter().find(|o| o.kernel.name == name);
        let parts = phased.parts.iter().map(|p| part(&p.name)).collect::<Option<Vec<_>>>()?;
        Some(Whole { phased, parts, together: together.iter().find(|t| t.region.function == phased.name) })
    };
    phased.iter().filter_map(of).collect()
}

/// The kernels that a kernel with barriers is taken apart into.
pub fn parts_of<'f>(file: &'f CudaFile, phased: &Phased) -> Vec<&'f Kernel> {
    phased.parts.iter().filter_map(|part| file.kernels.iter().find(|k| k.name == part.name)).collect()
}

/// Costs by the model, in microseconds: of a launch, and of a barrier among all threads.
pub fn crossings() -> [f64; 2] {
    [Crossing::launch(), Crossing::grid_barrier()].map(|ns| ns as f64 / 1e3)
}

/// A kernel with barriers as a C function over those of its parts. As a region it is also given how many elements its arrays
/// have.
pub fn function(phased: &Phased, parts: &[&Kernel], is_region: bool) -> String {
    let call = |at: usize| {
        let part = parts[at];
        let names = part.parameters.iter().map(|p| p.name.clone());
        let all: Vec<String> = names.chain(part.extra.iter().map(|(name, _)| name.clone())).collect();
        format!("{}({});", part.name, all.join(", "))
    };
    let name = &phased.name;
    let parameters = phased.parameters.iter().map(|p| p.text.clone());
    let extra = extra(parts).into_iter().map(|(name, _)| format!("int {name}"));
    let arrays: Vec<&String> =
        phased.parameters.iter().filter(|p| p.is_pointer && is_region).map(|p| &p.name).collect();
    let most = arrays.iter().map(|a| format!("long {}", most_of(a)));
    let all: Vec<String> = parameters.chain(extra).chain(most).collect();
    let (head, body) = (format!("void {name}({})", all.join(", ")), control(phased, call));
    if !is_region {
        return format!("\n{head}\n{{\n    {body}\n}}\n");
    }
    let shapes: String = arrays.iter().map(|a| format!("#pragma rt shape({a}: {})\n", most_of(a))).collect();
    let region = region_of(phased);
    format!("\n{shapes}{head}\n{{\n#pragma rt region name({region})\n    {{ {body} }}\n#pragma rt end\n}}\n")
}

/// The name of its region: none of the runtime's begins so.
fn region_of(phased: &Phased) -> String {
    format!("{}_whole", phased.name)
}

/// The variable that says how many elements of an array the parts use.
fn most_of(array: &str) -> String {
    format!("rt_{array}_most")
}

/// The host's steps with this in the place of each part.
fn control(phased: &Phased, part: impl Fn(usize) -> String) -> String {
    let of = |step: &Step| match step {
        Step::Text(text) => text.clone(),
        Step::Part(at) => part(*at) + " ",
    };
    phased.control.iter().map(of).collect::<String>().trim_end().to_owned()
}

/// Numbers of the launch that parts are given, each once: with its value, over `grid` and `block`.
fn extra(parts: &[&Kernel]) -> Vec<(String, String)> {
    let mut out: Vec<(String, String)> = vec![];
    for extra in parts.iter().flat_map(|part| &part.extra) {
        if !out.contains(extra) {
            out.push(extra.clone());
        }
    }
    out
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
    fn kernels(&self) -> Vec<&Kernel> {
        self.parts.iter().map(|o| &o.kernel).collect()
    }

    /// Values for the launch function's template.
    pub fn launched(&self, source: &str) -> Value {
        let call = |at: usize| {
            let part = &self.parts[at].kernel;
            let arguments = part.parameters.iter().map(|p| format!(", {}", p.name));
            format!("rt_is_optimized &= {}_optimized(rt_grid, rt_block{});", part.name, arguments.collect::<String>())
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
            "together": self.together.map(|together| self.at_once(together)),
            "original": self.may_run_itself().then_some(&self.phased.original),
            "body": control(self.phased, call),
        })
    }

    /// Values for the call of its region.
    fn at_once(&self, Together { entry, .. }: &Together) -> Value {
        let elements = self.arrays().iter().map(|a| most_of(a)).reduce(|x, y| format!("rt_max({x}, {y})"));
        let handed =
            |p: &Parameter| if p.is_pointer { format!("rt_any_pointer{{{}}}", p.name) } else { p.name.clone() };
        let handed: String = self.phased.parameters.iter().map(|p| ", ".to_owned() + &handed(p)).collect();
        let extra = self.extra().into_iter().map(|(name, value)| json!({ "name": name, "value": at_launch(&value) }));
        let covered = |o: &Outcome| {
            let holds = o.kernel.launch.iter().map(|c| format!("rt_is_covered &= {}; ", at_launch(&c.holds())));
            holds.collect()
        };
        json!({
            "extra": extra.collect::<Vec<_>>(),
            "before": self.measured(&covered),
            "entry": entry.name,
            "arguments": entry.arguments.join(", "),
            "as_it_is": self.as_it_is(),
            "elements": elements,
            "handed": handed,
        })
    }

    /// Flag: the kernel as it was stands beside its parts, for what its region is not launched for. Parts are for devices that
    /// do not hold all of its blocks at once, or where the user chooses.
    pub fn may_run_itself(&self) -> bool {
        self.together.is_some_and(|together| !together.is_chosen)
    }

    /// The sizes for which it runs as it is, where the tool chooses and no thread has a loop of its own: its own threads wait no
    /// longer there. One block is sooner done than many could wait, if there are steps enough.
    pub fn as_it_is(&self) -> Option<AsItIs> {
        let together = self.together.filter(|_| self.is_one_kernel() && self.may_run_itself())?;
        let has_loop = self.parts.iter().any(|o| o.region.loops.len() > o.kernel.loops.len());
        let work = together.entry.work.clone().filter(|_| !has_loop && !together.entry.arrays.is_empty())?;
        let is_flat = self.parts.iter().all(|o| o.kernel.loops.len() == 1);
        let has_steps = self.phased.control.iter().any(|step| matches!(step, Step::Text(t) if is_loop(t)));
        let (above, upto) = match (has_steps, is_flat) {
            (false, _) => (0, 2 * Crossing::own_threads()),
            (true, true) => (Crossing::one_block_work(&cost::Step::PLAIN), Crossing::own_threads()),
            // Behind each barrier there are rows and columns to find anew: one block does no more than one element a thread so.
            (true, false) => (i64::from(MAX_BLOCK), Crossing::most_threads()),
        };
        Some(AsItIs { work, above, upto })
    }

    /// Flag: it is one kernel, whose blocks wait for each other where threads did.
    pub fn is_one_kernel(&self) -> bool {
        self.together.is_some_and(|together| together.region.kernels.len() == 1)
    }

    /// Flag: by the cost model it is no slower than the kernel as it is. Beside what threads do that have loops of their own, a
    /// launch more for each part is nothing.
    pub fn is_gain(&self) -> bool {
        self.is_one_kernel() || self.parts.iter().any(|o| o.region.loops.len() > o.kernel.loops.len())
    }

    /// The arrays that its parts use.
    fn arrays(&self) -> Vec<&str> {
        let uses = |name: &str| self.parts.iter().flat_map(|o| &o.entry.arrays).any(|a| a.name == name);
        self.phased.parameters.iter().map(|p| p.name.as_str()).filter(|name| uses(name)).collect()
    }

    /// Numbers of the launch that parts are given.
    pub fn extra(&self) -> Vec<(String, String)> {
        extra(&self.kernels())
    }

    /// The kernel as a C function over those of its parts.
    pub fn c(&self) -> String {
        function(self.phased, &self.kernels(), false)
    }

    /// The same as the region that it became, and what it is given beside its own parameters.
    pub fn as_region(&self) -> (String, Vec<String>) {
        let extra = self.extra().into_iter().map(|(name, _)| name);
        if self.together.is_none() {
            return (self.c(), extra.collect());
        }
        let used = self.arrays();
        let given = |p: &Parameter| if used.contains(&p.name.as_str()) { most_of(&p.name) } else { "0".into() };
        let arrays = self.phased.parameters.iter().filter(|p| p.is_pointer).map(given);
        (function(self.phased, &self.kernels(), true), extra.chain(arrays).collect())
    }

    /// C that finds how much of the arrays its parts use, and does this besides for each.
    fn measured(&self, besides: &dyn Fn(&Outcome) -> String) -> String {
        let declared = self.arrays().iter().map(|a| format!("long {} = 0; ", most_of(a))).collect::<String>();
        let of = |at: usize| {
            let drawn = Drawn::new(self.parts[at], &[]);
            // Those that only what it computes asks for are named at least.
            let given = self.phased.parts[at].given.iter().map(|(_, name)| format!("(void){name}; "));
            let numbers = drawn.of_entry.iter().map(|n| format!("{} {} = {}; ", n.r#type, n.name, n.value));
            let numbers = given.chain(numbers);
            let arrays = drawn.arrays.iter().map(|a| {
                let most = most_of(&a.name);
                format!("{most} = rt_max({most}, (long)({})); ", a.elements)
            });
            format!("{{ {}{}{}}}", numbers.collect::<String>(), arrays.collect::<String>(), besides(self.parts[at]))
        };
        declared + &control(self.phased, of)
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
                    None => all.arrays.push(Array { elements: most_of(&a.name), ..a.clone() }),
                }
            }
        }
        (all, self.measured(&|_| String::new()))
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

/// Lines of a file that give cooperative groups another name.
pub fn spaces(text: &str) -> Vec<&str> {
    let is_space = |line: &&str| {
        line.contains("cooperative_groups") && line.contains("namespace") && line.trim_end().ends_with(';')
    };
    text.lines().map(str::trim).filter(is_space).collect()
}

/// Test that a text of the host's begins a loop.
fn is_loop(text: &str) -> bool {
    ["for", "while"].iter().any(|word| text.trim_start().starts_with(word))
}
