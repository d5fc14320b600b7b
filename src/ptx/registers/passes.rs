//! The passes over one kernel's PTX, value by value, until the pressure is down to a target.
//!
//! You and Tsai, section 2: rematerialisation comes first, since it adds fewer instructions, and a spill where no value is left for
//! it; after each the live ranges are found anew. A step that lowers nothing is taken back.

use super::choice::Refused;
use super::edit::Edits;
use super::ptxas;
use super::ranges::Ranges;
use super::rematerialise;
use super::spill::{self, Slots};
use crate::ptx::module::{Function, Module};
use crate::ptx::read;
use std::collections::BTreeSet;

/// Values that are taken in one run, and instructions that are looked at for them: large kernels get fewer values a run.
const MOST_STEPS: usize = 64;
const MOST_WORK: usize = 1 << 17;

/// The PTX of a module with one of its kernels alone.
pub fn alone(text: &str, module: &Module, kernel: &str) -> String {
    let mut edits = Edits::default();
    let others = module.functions.iter().filter(|function| function.is_kernel && function.name != kernel);
    others.for_each(|function| edits.replace(function.span.clone(), String::new()));
    edits.apply(text)
}

/// A kernel whose pressure is lowered.
#[derive(Debug)]
pub struct Lowered {
    /// The PTX.
    pub text: String,
    /// Values that are computed anew so far, and that wait in shared memory.
    pub rematerialised: usize,
    pub spilled: usize,
    module: Module,
    kernel: String,
    slots: Option<Slots>,
    /// Values that lowered nothing.
    tried: BTreeSet<String>,
    /// Values that the last step refused.
    refused: Refused,
}

impl Lowered {
    /// A kernel of some PTX, by its name there; without slots nothing is spilled. `None`: the text is not read, or has no such kernel,
    /// or one with instructions that are not known.
    pub fn new(text: &str, kernel: &str, slots: Option<Slots>) -> Option<Lowered> {
        let module = read::read(text).ok()?;
        let is_known = module.functions.iter().any(|f| f.name == kernel && f.is_kernel && f.unknown.is_empty());
        is_known.then(|| Lowered {
            text: text.into(),
            rematerialised: 0,
            spilled: 0,
            module,
            kernel: kernel.into(),
            slots,
            tried: BTreeSet::new(),
            refused: Refused::new(),
        })
    }

    /// The highest pressure, in registers of 32 bits; `None` where the kernel is too large.
    pub fn peak(&self) -> Option<u32> {
        Ranges::new(self.function()?).map(|ranges| ranges.peak)
    }

    /// Runs the passes until the pressure is down to a target; `false`: they change nothing.
    pub fn lower(&mut self, target: u32) -> bool {
        let mut changes = false;
        let length = self.function().map_or(0, |function| function.code.len());
        for _ in 0..(MOST_WORK / length.max(1)).clamp(1, MOST_STEPS) {
            let Some(ranges) = self.function().and_then(Ranges::new) else { break };
            let before = (ranges.peak, ranges.width());
            if before.0 <= target {
                break;
            }
            let (name, next) = match self.step(&ranges) {
                Ok(found) => found,
                Err(refused) => {
                    self.refused = refused;
                    break;
                }
            };
            let after = next.function().and_then(Ranges::new).map(|ranges| (ranges.peak, ranges.width()));
            // The first slot takes a register for its address: that is paid back by the next ones.
            let is_first = next.spilled == 1 && self.spilled == 0;
            if after.is_some_and(|after| after < before || (is_first && after.0 <= before.0)) {
                *self = next;
                changes = true;
            } else {
                self.tried.insert(name);
            }
        }
        changes
    }

    /// Words on what ended the passes.
    pub fn ended(&self) -> String {
        let refused: Vec<String> = self.refused.iter().map(|(reason, n)| format!("{n} {reason}")).collect();
        match &self.slots {
            Some(slots) if slots.taken + 1 >= slots.most && self.spilled > 0 => {
                format!("all of the {} slots that fit are taken", slots.most)
            }
            _ if refused.is_empty() => "the rounds are over".into(),
            _ => format!("no value is left for it: of those at the peak {}", refused.join(", ")),
        }
    }

    fn function(&self) -> Option<&Function> {
        self.module.functions.iter().find(|function| function.name == self.kernel)
    }

    /// The next value, and the kernel without it in its regions.
    fn step(&self, ranges: &Ranges) -> Result<(String, Lowered), Refused> {
        let (name, edits, slots) = match (rematerialise::step(&self.text, ranges, &self.tried), &self.slots) {
            (Ok((name, edits)), slots) => (name, edits, slots.clone()),
            (Err(refused), None) => return Err(refused),
            (Err(_), Some(slots)) => {
                let (name, edits, slots) = spill::step(&self.text, ranges, slots, &self.tried)?;
                (name, edits, Some(slots))
            }
        };
        let taken = |slots: &Option<Slots>| slots.as_ref().map_or(0, |slots| slots.taken);
        let spills = taken(&slots) > taken(&self.slots);
        let mut text = edits.apply(&self.text);
        if let (true, 0, Some(slots)) = (spills, self.spilled, &slots) {
            let module = read::read(&text).map_err(|_| Refused::new())?;
            let function = module.functions.iter().find(|function| function.name == self.kernel);
            text = function.map_or(text.clone(), |function| ptxas::most_threads(&text, function, slots.threads));
        }
        let next = Lowered {
            module: read::read(&text).map_err(|_| Refused::new())?,
            text,
            slots,
            kernel: self.kernel.clone(),
            tried: self.tried.clone(),
            rematerialised: self.rematerialised + usize::from(!spills),
            spilled: self.spilled + usize::from(spills),
            refused: Refused::new(),
        };
        Ok((name, next))
    }
}
