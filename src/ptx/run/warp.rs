//! A warp: 32 lanes under masks, that part at branches and meet again.
//!
//! A stack holds the paths that are still to be run. Where lanes part, the entry on top waits at the instruction where
//! their paths meet, and each path comes on top of it; a path that gets there leaves the stack.

use super::program::{NEVER, Part, Program};
use super::trouble::Trouble;
use super::watch::LANES;

/// The most paths that wait at once.
const MOST_PATHS: usize = 4096;
/// The most calls within calls.
const MOST_FRAMES: usize = 64;

/// A path: its lanes run from here to where they meet others.
#[derive(Debug, Clone, Copy)]
pub struct Path {
    pub at: usize,
    pub mask: u32,
    /// Instruction at which it ends.
    pub meeting: usize,
}

/// A function under way.
pub struct Frame {
    pub function: usize,
    /// Values of registers, by register and lane.
    pub registers: Vec<[u64; LANES]>,
    pub paths: Vec<Path>,
    /// Bytes of parameter space, one lane's after the other's.
    pub parameters: Vec<u8>,
    /// Where its local memory begins in that of each lane.
    pub local: usize,
    /// Lanes that called it.
    pub called: u32,
    /// The call in its caller.
    pub call: usize,
    /// The carry of each lane.
    pub carry: u32,
}

/// State of a warp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    Ready,
    /// At the barrier of that number, for that many threads; all, where none are said.
    Waits {
        barrier: u64,
        threads: Option<u64>,
    },
    Done,
}

/// A warp.
pub struct Warp {
    /// Its number in the block.
    pub number: u32,
    /// Lanes that have not left the kernel.
    pub live: u32,
    pub frames: Vec<Frame>,
    /// Local memory of each lane.
    pub local: Vec<Vec<u8>>,
    pub state: State,
    /// How often each lane made each access.
    pub executions: Vec<[u32; LANES]>,
}

impl Warp {
    /// A warp at the beginning of the kernel, of the lanes whose threads are there.
    pub fn new(program: &Program, number: u32, live: u32) -> Result<Warp, Trouble> {
        let mut warp = Warp {
            number,
            live,
            frames: Vec::new(),
            local: vec![Vec::new(); LANES],
            state: State::Ready,
            executions: vec![[0; LANES]; program.accesses.len()],
        };
        warp.enter(program, program.kernel, 0, live)?;
        if let Some(frame) = warp.frames.last_mut() {
            let width = frame.parameters.len() / LANES;
            if width > 0 {
                frame.parameters.chunks_exact_mut(width).for_each(|lane| lane.copy_from_slice(&program.parameters));
            }
        }
        Ok(warp)
    }

    /// Enters a function.
    pub fn enter(&mut self, program: &Program, function: usize, call: usize, mask: u32) -> Result<(), Trouble> {
        if self.frames.len() >= MOST_FRAMES {
            return Err(Trouble::of_warp("ptx-recursion", format!("calls are nested more than {MOST_FRAMES} deep")));
        }
        let Some(part) = &program.parts[function] else {
            return Err(Trouble::of_warp("ptx-call", "a function is called that was not reached"));
        };
        let local = self.local[0].len().next_multiple_of(16);
        self.local.iter_mut().for_each(|bytes| bytes.resize(local + part.local as usize, 0));
        self.frames.push(Frame {
            function,
            registers: vec![[0; LANES]; program.module.functions[function].registers.len()],
            paths: vec![Path { at: 0, mask, meeting: NEVER }],
            parameters: vec![0; part.parameters as usize * LANES],
            local,
            called: mask,
            call,
            carry: 0,
        });
        Ok(())
    }

    /// Leaves the function on top, and hands its results to the caller.
    pub fn leave(&mut self, program: &Program) {
        let Some(done) = self.frames.pop() else { return };
        self.local.iter_mut().for_each(|bytes| bytes.truncate(done.local));
        let Some(caller) = self.frames.last_mut() else {
            self.state = State::Done;
            return;
        };
        let call = &program.module.functions[caller.function].calls[done.call];
        let callee = &program.module.functions[done.function];
        for (from, &into) in (0..callee.results).zip(&call.results) {
            copy(program, &done, from, caller, into, done.called);
        }
    }

    /// Takes lanes out of the kernel.
    pub fn exit(&mut self, mask: u32) {
        self.live &= !mask;
        for frame in &mut self.frames {
            frame.paths.iter_mut().for_each(|path| path.mask &= !mask);
            frame.called &= !mask;
        }
    }
}

/// Copies a variable of one frame's parameter space to one of another's, in some lanes.
pub fn copy(program: &Program, source: &Frame, from: usize, target: &mut Frame, into: usize, mask: u32) {
    let (Some(a), Some(b)) = (&program.parts[source.function], &program.parts[target.function]) else { return };
    let bytes = |function: usize, variable: usize| program.module.functions[function].variables[variable].bytes;
    let n = bytes(source.function, from).min(bytes(target.function, into)) as usize;
    for lane in super::watch::lanes(mask) {
        let at = |part: &Part, variable: usize| lane * part.parameters as usize + part.offsets[variable] as usize;
        let (from, into) = (at(a, from), at(b, into));
        target.parameters[into..into + n].copy_from_slice(&source.parameters[from..from + n]);
    }
}

impl Frame {
    /// Ends paths that are where they meet others, or have no lanes; gives the one to run.
    pub fn path(&mut self) -> Option<Path> {
        while let Some(&top) = self.paths.last() {
            if top.mask != 0 && top.at != top.meeting {
                return Some(top);
            }
            self.paths.pop();
        }
        None
    }

    /// Goes on to the next instruction.
    pub fn advance(&mut self) {
        if let Some(top) = self.paths.last_mut() {
            top.at += 1;
        }
    }

    /// Parts the lanes on top; they meet again at an instruction, or never.
    pub fn part(&mut self, ways: &[(usize, u32)], meeting: usize) -> Result<(), Trouble> {
        let Some(mut top) = self.paths.pop() else { return Ok(()) };
        if meeting != NEVER && top.meeting != meeting {
            top.at = meeting;
            self.paths.push(top);
        }
        for &(at, mask) in ways.iter().rev().filter(|&&(at, mask)| at != meeting && mask != 0) {
            self.paths.push(Path { at, mask, meeting });
        }
        if self.paths.len() > MOST_PATHS {
            let message = format!("the lanes of a warp part into more than {MOST_PATHS} paths");
            return Err(Trouble::of_warp("ptx-divergence", message));
        }
        Ok(())
    }
}
