//! The controller: brings the registers of a kernel to what one more block on a multiprocessor takes, and reads back what ptxas
//! made of it.
//!
//! You and Tsai, "Compiler-Assisted Resource Management for CUDA Programs", sections 2 and 2.4: the desired registers follow from
//! the launch; the passes lower the pressure of the PTX; ptxas, which orders and allocates anew, is asked what came of it; and
//! as long as that is too much the passes aim lower. Two things are not theirs. The ready-made ways come first. And each pass is
//! tried with a bound for ptxas, too, since today's ptxas spends registers on its schedule unless it is told not to: then what
//! is left over are its spills to local memory, and the passes aim at these.

use super::edit::Edits;
use super::passes::{self, Lowered};
use super::spill::{self, Declined, Slots};
use super::variant::{Reduction, Variant, Way};
use super::{Desired, Question, Report, fit_of, ptxas};
use crate::diag::Stop;
use crate::ptx::module::{Function, Module};
use crate::ptx::read;
use crate::ptx::source::Unit;
use crate::runtime::ptxas::Resources;
use std::collections::BTreeMap;

/// Questions to ptxas in one loop of the controller.
const MOST_ROUNDS: usize = 16;
/// Rounds that may bring nothing, one after the other: ptxas undoes what it takes for redundant.
const MOST_IN_VAIN: usize = 8;
/// Granularity in which room for slots is sought, in bytes of shared memory.
const SHARED_STEP: usize = 128;

/// Tries the ways for kernels of a unit, one after the other, and gives the PTX in which each has the variant of a way that is asked
/// for, else the best one; a kernel without such a variant stays as it is. See [`reduce`].
///
/// # Errors
/// ptxas is not there, or refuses the PTX.
pub fn reduced(
    unit: &Unit,
    kernels: &[usize],
    question: &Question,
    (way, every): (Option<Way>, bool),
) -> Result<(String, Vec<Reduction>), Stop> {
    let reports = super::reports(unit, kernels, question)?;
    let mut found = Vec::new();
    let mut edits = Edits::default();
    for (report, &kernel) in reports.iter().zip(kernels) {
        let reduction = reduce(unit, report, question, (way, every))?;
        if let Some(variant) = way.or(reduction.best).and_then(|way| reduction.variant(way)) {
            edits.replace(unit.module.functions[kernel].span.clone(), variant.text.clone());
        }
        found.push(reduction);
    }
    Ok((edits.apply(&unit.text), found))
}

/// Tries the ways for a kernel. Without `every`, a way that is asked for is tried alone, and the passes come only where no
/// ready-made way gives enough blocks without spills.
///
/// # Errors
/// ptxas is not there, or refuses the PTX.
pub fn reduce(
    unit: &Unit,
    report: &Report,
    question: &Question,
    (only, every): (Option<Way>, bool),
) -> Result<Reduction, Stop> {
    let mut found = Reduction {
        kernel: report.kernel.clone(),
        name: report.name.clone(),
        resources: report.resources,
        fit: report.fit.clone(),
        goal: report.desired.first().copied(),
        variants: Vec::new(),
        best: None,
        notes: Vec::new(),
    };
    let Some(goal) = found.goal else {
        found.notes.push(format!("fewer registers let no more blocks fit: {} limits", report.fit.limit));
        return Ok(found);
    };
    let Some(controller) = Controller::new(unit, report, question, goal) else { return Ok(found) };
    for way in Way::ALL.into_iter().filter(|way| every || only.is_none_or(|only| only == *way)) {
        let is_done = found.variants.iter().any(|v| v.is_enough && v.resources.spill_stores == 0);
        if !way.is_ready_made() && is_done && !every {
            found.notes.push("a ready-made way is enough; --all tries the passes, too".into());
            break;
        }
        match controller.tried(way)? {
            Ok((variant, note)) => {
                // A pass that finds nothing leaves the kernel as it is, which is no variant of it.
                let is_own = variant.text == controller.own();
                let end = if is_own { "; it stays as it is" } else { "" };
                found.variants.extend(Some(variant).filter(|_| !is_own));
                found.notes.extend(note.map(|note| format!("{}: {note}{end}", way.name())));
            }
            Err(declined) => found.notes.push(format!("{}: {}; {}", way.name(), declined.why, declined.help)),
        }
    }
    let enough = found.variants.iter().filter(|variant| variant.is_enough);
    let spilt = |v: &&Variant| {
        let r = v.resources;
        (r.spill_stores + r.spill_loads, r.shared - report.resources.shared.min(r.shared), v.rematerialised + v.spilled)
    };
    found.best = enough.min_by_key(spilt).map(|variant| variant.way);
    Ok(found)
}

/// All that stays while ways are tried.
struct Controller<'a> {
    unit: &'a Unit,
    report: &'a Report,
    question: &'a Question<'a>,
    goal: Desired,
    /// The PTX with this kernel alone, and what is declared in it.
    alone: String,
    module: Module,
}

impl<'a> Controller<'a> {
    fn new(unit: &'a Unit, report: &'a Report, question: &'a Question<'a>, goal: Desired) -> Option<Self> {
        let alone = passes::alone(&unit.text, &unit.module, &report.kernel);
        let module = read::read(&alone).ok()?;
        Some(Controller { unit, report, question, goal, alone, module })
    }

    fn number(&self, module: &Module) -> usize {
        module.functions.iter().position(|function| function.name == self.report.kernel).unwrap_or(0)
    }

    fn function<'m>(&self, module: &'m Module) -> &'m Function {
        &module.functions[self.number(module)]
    }

    /// The kernel as it is.
    fn own(&self) -> &str {
        self.alone.get(self.function(&self.module).span.clone()).unwrap_or_default()
    }

    /// One way, with what ended it; or why it is not one.
    fn tried(&self, way: Way) -> Result<Result<(Variant, Option<String>), Declined>, Stop> {
        let function = self.function(&self.module);
        if let (Way::LaunchBounds | Way::SmemSpilling | Way::RematSmem, Err(declined)) = (way, self.threads(function)) {
            return Ok(Err(declined));
        }
        let found = if way.is_ready_made() {
            self.asked(way, &self.alone).map(|(resources, text)| (self.variant(way, None, resources, &text), None))
        } else {
            if let Some(unknown) = function.unknown.first() {
                let why = format!("the instruction {} is not known", unknown.opcode);
                return Ok(Err(Declined { why, help: "the ready-made ways need not know it".into() }));
            }
            let slots = match self.slots(function) {
                Err(declined) if way.spills() => return Ok(Err(declined)),
                slots => slots.ok().filter(|_| way.spills()),
            };
            match Lowered::new(&self.alone, &self.report.kernel, slots) {
                Some(lowered) => self.controlled(way, lowered),
                None => return Ok(Err(unread())),
            }
        };
        match found {
            // An older ptxas, or a kernel that it does not do so for.
            Err(_) if way.has_pragma() => {
                let help = "it takes PTX 9.0, and a kernel without dynamic shared memory".into();
                Ok(Err(Declined { why: "ptxas refuses it".into(), help }))
            }
            found => found.map(Ok),
        }
    }

    /// Threads of a block at most, as far as that is said.
    fn threads(&self, function: &Function) -> Result<u32, Declined> {
        let compiled = function.bounds.required.or(function.bounds.most);
        let compiled = compiled.map(|extents| extents.iter().fold(1u32, |all, &n| all.saturating_mul(n)));
        let threads = compiled.or(self.question.block).filter(|threads| (1..=1024).contains(threads));
        threads.ok_or_else(|| Declined {
            why: "the threads of a block are not known".into(),
            help: "--block or `__launch_bounds__` says how many there are".into(),
        })
    }

    /// Slots in the shared memory that as many blocks as wanted leave.
    fn slots(&self, function: &Function) -> Result<Slots, Declined> {
        let threads = self.threads(function)?;
        let fits = |more: &usize| {
            let shared = self.report.resources.shared.saturating_add(*more as u32);
            let resources = Resources { registers: self.goal.registers, shared, ..self.report.resources };
            fit_of(self.question, resources, self.report.fit.block).0 >= self.goal.blocks
        };
        let left = (0..=48 << 10).step_by(SHARED_STEP).take_while(fits).last().unwrap_or(0);
        let room = spill::room(&self.module, function, self.question.shared, left as u32)?;
        let slots = Slots::new(threads, room);
        if slots.most > 0 {
            return Ok(slots);
        }
        let why = format!("{} blocks leave no shared memory for a slot of each thread", self.goal.blocks);
        Err(Declined { why, help: "smaller blocks or less shared memory leave some".into() })
    }

    /// Answer of ptxas to a text with the directives of a way, and that text.
    fn asked(&self, way: Way, text: &str) -> Result<(Resources, String), Stop> {
        let mut text = text.to_owned();
        if let Ok(threads) = self.threads(self.function(&self.module)) {
            text = match way {
                Way::LaunchBounds => {
                    self.with(&text, |text, function| ptxas::launch_bounds(text, function, threads, self.goal.blocks))
                }
                _ if way.has_pragma() => {
                    let text = self.with(&text, |text, function| ptxas::most_threads(text, function, threads));
                    self.with(&text, ptxas::spilling_to_shared)
                }
                _ => text,
            };
        }
        if let (true, Ok(module)) = (way.is_bounded(), read::read(&text)) {
            text = ptxas::bounded(&text, &module, &BTreeMap::from([(self.number(&module), self.goal.registers)]));
        }
        let found = ptxas::resources(self.unit, &text, &self.question.machine.arch())?;
        Ok((found.get(&self.report.kernel).copied().unwrap_or_default(), text))
    }

    /// A text with an edit of the kernel.
    fn with(&self, text: &str, edit: impl Fn(&str, &Function) -> String) -> String {
        read::read(text).map_or_else(|_| text.to_owned(), |module| edit(text, self.function(&module)))
    }

    /// A variant: what ptxas made of a text, and the kernel in it.
    fn variant(&self, way: Way, lowered: Option<&Lowered>, resources: Resources, alone: &str) -> Variant {
        let blocks = fit_of(self.question, resources, self.report.fit.block).0;
        let module = read::read(alone).unwrap_or_default();
        let kernel = module.functions.iter().find(|function| function.name == self.report.kernel);
        let text = kernel.and_then(|kernel| alone.get(kernel.span.clone())).unwrap_or_default().to_owned();
        Variant {
            way,
            resources,
            blocks,
            rematerialised: lowered.map_or(0, |lowered| lowered.rematerialised),
            spilled: lowered.map_or(0, |lowered| lowered.spilled),
            is_enough: blocks >= self.goal.blocks,
            text,
        }
    }

    /// The loop of section 2.4: aims lower by what ptxas still has too much, until that is nothing or the passes change nothing.
    fn controlled(&self, way: Way, mut lowered: Lowered) -> Result<(Variant, Option<String>), Stop> {
        let mut best: Option<(u32, Variant)> = None;
        let mut note = None;
        let (mut target, mut last_better) = (None, 0);
        for round in 0..MOST_ROUNDS {
            let (resources, text) = self.asked(way, &lowered.text)?;
            let excess = self.excess(way, resources);
            if best.as_ref().is_none_or(|(least, _)| excess < *least) {
                best = Some((excess, self.variant(way, Some(&lowered), resources, &text)));
                last_better = round;
            }
            if excess == 0 {
                break;
            }
            if round >= last_better + MOST_IN_VAIN {
                note = Some(format!("{MOST_IN_VAIN} rounds brought ptxas no nearer to it"));
                break;
            }
            let Some(peak) = lowered.peak() else {
                note = Some("the kernel is too large for its live ranges".to_owned());
                break;
            };
            let lower = peak.min(target.unwrap_or(peak)).saturating_sub(excess.max(1));
            target = Some(lower);
            if round + 1 == MOST_ROUNDS || !lowered.lower(lower) {
                note = Some(lowered.ended());
                break;
            }
        }
        let (_, variant) = best.expect("the first round has one");
        Ok((variant, note))
    }

    /// Registers that ptxas has too many of; under a bound, those that it spills for it, to local or to shared memory.
    fn excess(&self, way: Way, resources: Resources) -> u32 {
        let over = resources.registers.saturating_sub(self.goal.registers);
        let spilled = if way.is_bounded() { resources.spill_stores.div_ceil(spill::SLOT) } else { 0 };
        let threads = self.threads(self.function(&self.module)).unwrap_or(1);
        let shared = match way.has_pragma() {
            true => resources.shared.saturating_sub(self.report.resources.shared) / threads.max(1) / spill::SLOT,
            false => 0,
        };
        over + spilled + shared
    }
}

fn unread() -> Declined {
    Declined { why: "the PTX that was made is not read".into(), help: "this is a fault of rtcuda".into() }
}
