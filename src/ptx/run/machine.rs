//! Blocks of a launch, one after the other as long as they do not wait for each other.
//!
//! A block runs until its warps are done, each warp until it waits at a barrier or has had its turn. Where blocks take long,
//! as those do that wait for others, more of them become resident and take turns. All of it has one order, so that the same
//! launch gives the same results.

use super::launch::Launch;
use super::memory::Memory;
use super::program::Program;
use super::step::step;
use super::trouble::{Fault, Trouble};
use super::values::{Surroundings, position};
use super::warp::{State, Warp};
use super::watch::{LANES, Watch};
use crate::diag::Diagnostic;
use crate::ptx::module::Module;

/// Instructions of a warp's turn.
const TURN: u64 = 2_000;
/// The most bytes that the registers of a block take here, and those of all that are resident.
const MOST_OF_BLOCK: u64 = 1 << 30;
const RESIDENT_BYTES: u64 = 256 << 20;

/// Outcome of a launch.
#[derive(Debug, Clone)]
pub struct Done {
    pub memory: Memory,
    /// Instructions of warps that were run.
    pub instructions: u64,
    /// Blocks that were run: all, unless whoever watches wants fewer.
    pub blocks: u64,
}

/// A block that is resident.
struct Block {
    number: u64,
    position: [u32; 3],
    shared: Vec<u8>,
    warps: Vec<Warp>,
}

/// Runs a kernel of a module.
///
/// # Errors
/// A launch that cannot be made, an instruction that is at fault, more instructions than the launch allows.
pub fn run(module: &Module, kernel: usize, launch: &Launch, watch: &mut dyn Watch) -> Result<Done, Fault> {
    let (program, memory) = prepared(module, kernel, launch)?;
    let registers = module.functions.iter().map(|function| function.registers.len() as u64).max().unwrap_or(0);
    if registers * 8 * u64::from(launch.threads().next_multiple_of(LANES as u32)) > MOST_OF_BLOCK {
        let message = format!("a block of {} threads with {registers} registers each is too large", launch.threads());
        return Err(Diagnostic::error("ptx-memory", message, None).help("give a smaller block by --block").into());
    }
    run_program(&program, memory, launch, watch)
}

/// A kernel made ready for a launch, and the memory that the launch begins with.
///
/// # Errors
/// A launch that cannot be made.
pub fn prepared<'m>(module: &'m Module, kernel: usize, launch: &Launch) -> Result<(Program<'m>, Memory), Fault> {
    check(module, kernel, launch)?;
    Program::new(module, kernel, launch)
}

/// Test that a machine takes a launch of these extents.
fn check(module: &Module, kernel: usize, launch: &Launch) -> Result<(), Fault> {
    let threads = launch.block.iter().try_fold(1u32, |all, &n| all.checked_mul(n)).unwrap_or(u32::MAX);
    let wrong = |what: String, help: &str| Err(Fault::from(Diagnostic::error("ptx-launch", what, None).help(help)));
    let [x, y, z] = launch.block;
    if threads == 0 || threads > crate::target::MAX_BLOCK || z > 64 {
        return wrong(format!("no machine has blocks of {x} x {y} x {z} threads"), "at most 1024 in all, and 64 in z");
    }
    let [x, y, z] = launch.grid;
    if y > 65535 || z > 65535 || x > i32::MAX as u32 || x * y.min(1) * z.min(1) == 0 {
        return wrong(format!("no machine has grids of {x} x {y} x {z} blocks"), "at most 65535 in y and z");
    }
    if let Some(required) = module.functions[kernel].bounds.required.filter(|&required| required != launch.block) {
        let [x, y, z] = required;
        return wrong(
            format!("the kernel is compiled for blocks of {x} x {y} x {z} threads alone"),
            "give them by --block",
        );
    }
    match module.functions[kernel].bounds.most {
        Some(most) if threads > most.iter().fold(1, |all, &n| all.saturating_mul(n)) => {
            let [x, y, z] = most;
            wrong(
                format!("the kernel is compiled for at most {x} x {y} x {z} threads a block"),
                "give fewer by --block",
            )
        }
        _ => Ok(()),
    }
}

fn run_program(program: &Program, mut memory: Memory, launch: &Launch, watch: &mut dyn Watch) -> Result<Done, Fault> {
    let mut clock = 0;
    let mut resident: Vec<Block> = Vec::new();
    let mut waiting: Box<dyn Iterator<Item = u64>> = match watch.blocks() {
        Some(blocks) => Box::new(blocks.into_iter()),
        None => Box::new(0..launch.blocks()),
    };
    let mut started = 0;
    let most = most_resident(program, launch);
    let mut is_exhausted = false;
    loop {
        let has_room = (resident.len() as u64) < most;
        if has_room && !is_exhausted {
            match waiting.next() {
                Some(number) => {
                    resident.push(block(program, launch, number)?);
                    started += 1;
                }
                None => is_exhausted = true,
            }
        }
        if resident.is_empty() {
            return Ok(Done { memory, instructions: clock, blocks: started });
        }
        for block in &mut resident {
            let mut around = Surroundings {
                program,
                launch,
                memory: &mut memory,
                shared: &mut block.shared,
                block: block.position,
                number: block.number,
                clock,
                watch,
            };
            turn(&mut block.warps, &mut around)?;
            clock = around.clock;
        }
        resident.retain(|block| block.warps.iter().any(|warp| warp.state != State::Done));
    }
}

fn most_resident(program: &Program, launch: &Launch) -> u64 {
    let registers = program.module.functions[program.kernel].registers.len().max(16) as u64;
    let warps = u64::from(launch.threads().div_ceil(LANES as u32));
    let accesses = program.accesses.len() as u64 * 4;
    (RESIDENT_BYTES / (warps * LANES as u64 * (registers * 8 + accesses) + program.shared)).max(1)
}

/// Position of a block in the grid.
pub fn block_position(launch: &Launch, number: u64) -> [u32; 3] {
    let [x, y, _] = launch.grid.map(u64::from);
    [number % x, number / x % y, number / x / y].map(|n| n as u32)
}

/// Position of a lane's thread in its block.
pub fn thread_position(launch: &Launch, warp: u32, lane: usize) -> [u32; 3] {
    position(launch.block, warp * LANES as u32 + lane as u32)
}

fn block(program: &Program, launch: &Launch, number: u64) -> Result<Block, Fault> {
    let position = block_position(launch, number);
    let threads = launch.threads();
    let warp = |at: u32| {
        let lanes = (threads - at * LANES as u32).min(LANES as u32);
        Warp::new(program, at, u32::MAX >> (LANES as u32 - lanes))
    };
    let warps: Result<Vec<Warp>, Trouble> = (0..threads.div_ceil(LANES as u32)).map(warp).collect();
    let fault = |trouble| Fault::Instruction {
        trouble,
        function: program.kernel,
        instruction: 0,
        block: position,
        thread: None,
    };
    Ok(Block { number, position, shared: vec![0; program.shared as usize], warps: warps.map_err(fault)? })
}

/// Runs the warps of a block, until they are done or each has had a turn.
fn turn(warps: &mut [Warp], around: &mut Surroundings) -> Result<(), Fault> {
    let mut is_any_ready = true;
    let mut left = vec![TURN; warps.len()];
    while is_any_ready {
        is_any_ready = false;
        for (warp, left) in warps.iter_mut().zip(&mut left) {
            while warp.state == State::Ready && *left > 0 {
                let at = warp.frames.last_mut().and_then(|frame| frame.path().map(|path| (frame.function, path.at)));
                if around.clock >= around.launch.limit {
                    let message = format!("the launch takes more than {} instructions of warps", around.launch.limit);
                    let trouble = Trouble::of_warp("ptx-limit", message)
                        .help("give a smaller launch, or more by --limit; lanes of a warp that wait for each other never end here");
                    return Err(told(trouble, warp, around, at));
                }
                around.clock += 1;
                *left -= 1;
                step(warp, around).map_err(|trouble| told(trouble, warp, around, at))?;
            }
        }
        if release(warps) {
            is_any_ready = warps.iter().zip(&left).any(|(warp, &left)| warp.state == State::Ready && left > 0);
        }
    }
    if warps.iter().all(|warp| matches!(warp.state, State::Waits { .. } | State::Done)) {
        stuck(warps, around)?;
    }
    Ok(())
}

/// Opens barriers that enough threads wait at; whether one was.
fn release(warps: &mut [Warp]) -> bool {
    let mut has_opened = false;
    let waiting: Vec<(u64, Option<u64>)> = warps.iter().filter_map(waits).collect();
    for &(barrier, threads) in &waiting {
        let there = warps.iter().filter(|warp| waits(warp).is_some_and(|(number, _)| number == barrier)).count();
        let needed = match threads {
            Some(threads) => threads.div_ceil(LANES as u64) as usize,
            None => warps.iter().filter(|warp| warp.state != State::Done).count(),
        };
        if there >= needed && there > 0 {
            let at_it = warps.iter_mut().filter(|warp| waits(warp).is_some_and(|(number, _)| number == barrier));
            at_it.for_each(|warp| warp.state = State::Ready);
            has_opened = true;
        }
    }
    has_opened
}

fn waits(warp: &Warp) -> Option<(u64, Option<u64>)> {
    match warp.state {
        State::Waits { barrier, threads } => Some((barrier, threads)),
        _ => None,
    }
}

/// Warps that all wait, and none at a barrier that opens.
fn stuck(warps: &mut [Warp], around: &Surroundings) -> Result<(), Fault> {
    let Some(warp) = warps.iter_mut().find(|warp| waits(warp).is_some()) else { return Ok(()) };
    let at =
        warp.frames.last().and_then(|frame| frame.paths.last().map(|path| (frame.function, path.at.saturating_sub(1))));
    let message = "a barrier is never reached by all threads that it waits for";
    let trouble = Trouble::of_warp("ptx-barrier", message)
        .help("every thread of the block has to reach the same barriers, and as many as are said");
    Err(told(trouble, warp, around, at))
}

/// Trouble with its place and its thread.
fn told(trouble: Trouble, warp: &Warp, around: &Surroundings, at: Option<(usize, usize)>) -> Fault {
    let (function, instruction) = at.unwrap_or((around.program.kernel, 0));
    let lane = trouble.lane.filter(|&lane| lane < LANES as u32);
    let thread = lane.map(|lane| position(around.launch.block, warp.number * LANES as u32 + lane));
    Fault::Instruction { trouble, function, instruction, block: around.block, thread }
}
