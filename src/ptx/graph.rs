//! Control flow of a function: basic blocks, and where paths that part meet again.

use super::module::Function;
use super::op::Op;

/// A run of instructions that are entered at the first and left behind the last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    pub start: usize,
    pub end: usize,
    /// Blocks that may follow; the end of the function is none.
    pub successors: Vec<usize>,
    /// Possibility that the function ends behind it.
    pub may_end: bool,
    /// Absence of all but the end of the function.
    pub only_ends: bool,
}

/// The basic blocks of a function, in the order of its code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    pub blocks: Vec<Block>,
    /// The block of each instruction.
    pub block_of: Vec<usize>,
}

impl Graph {
    /// The blocks of a function.
    pub fn new(function: &Function) -> Graph {
        let code = &function.code;
        let mut starts = vec![false; code.len() + 1];
        starts[0] = true;
        for (at, instruction) in code.iter().enumerate() {
            starts[at + 1] |= instruction.op.ends_block();
            match instruction.op {
                Op::Branch(target) => starts[target] = true,
                Op::BranchTable(table) => function.tables[table].iter().for_each(|&target| starts[target] = true),
                _ => {}
            }
        }
        let begins: Vec<usize> = (0..code.len()).filter(|&at| starts[at]).collect();
        let mut block_of = vec![begins.len(); code.len() + 1];
        let mut blocks = Vec::with_capacity(begins.len());
        for (number, &start) in begins.iter().enumerate() {
            let end = begins.get(number + 1).copied().unwrap_or(code.len());
            block_of[start..end].fill(number);
            let only_ends =
                end == start + 1 && code[start].guard.is_none() && matches!(code[start].op, Op::Return | Op::Exit);
            blocks.push(Block { start, end, successors: Vec::new(), may_end: false, only_ends });
        }
        for block in &mut blocks {
            let last = &code[block.end - 1];
            let mut next: Vec<usize> = match last.op {
                Op::Branch(target) => vec![target],
                Op::BranchTable(table) => function.tables[table].clone(),
                Op::Return | Op::Exit => {
                    block.may_end = last.guard.is_none();
                    Vec::new()
                }
                Op::Trap => Vec::new(),
                _ => vec![block.end],
            };
            if last.guard.is_some() && last.op.ends_block() {
                next.push(block.end);
            }
            block.may_end |= next.contains(&code.len());
            block.successors = next.iter().map(|&at| block_of[at]).filter(|&at| at < begins.len()).collect();
            block.successors.sort_unstable();
            block.successors.dedup();
        }
        block_of.truncate(code.len());
        Graph { blocks, block_of }
    }

    /// The blocks that come directly before each.
    pub fn predecessors(&self) -> Vec<Vec<usize>> {
        let successors: Vec<Vec<usize>> = self.blocks.iter().map(|block| block.successors.clone()).collect();
        turned(&successors)
    }

    /// Where lanes meet again that part behind a block: the first block that all paths from it to the end lead through, where
    /// there is one.
    ///
    /// Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm", on the reversed graph, whose root is the end of the
    /// function. Lanes that leave early meet nobody any more: paths that only end the function do not count, nor does a
    /// guarded `exit`, as far as other paths lead to the end, too.
    pub fn meetings(&self) -> Vec<Option<usize>> {
        let end = self.blocks.len();
        let successors = self.without_early_ends();
        let order = self.postorder_from_end(&turned(&successors));
        let mut number = vec![usize::MAX; end + 1];
        order.iter().enumerate().for_each(|(at, &block)| number[block] = at);
        let mut dominator = vec![usize::MAX; end + 1];
        dominator[end] = end;
        let mut changes = true;
        while changes {
            changes = false;
            for &block in order.iter().rev().filter(|&&block| block != end) {
                let next = successors[block].iter().copied();
                let next = next.chain(self.blocks[block].may_end.then_some(end));
                let found = next.filter(|&next| dominator[next] != usize::MAX).reduce(|mut a, mut b| {
                    while a != b {
                        while number[a] < number[b] {
                            a = dominator[a];
                        }
                        while number[b] < number[a] {
                            b = dominator[b];
                        }
                    }
                    a
                });
                if let Some(found) = found.filter(|&found| found != dominator[block]) {
                    dominator[block] = found;
                    changes = true;
                }
            }
        }
        dominator[..end].iter().map(|&found| Some(found).filter(|&found| found < end)).collect()
    }

    /// Successors without blocks that only end the function, where the block gets to the end by others.
    fn without_early_ends(&self) -> Vec<Vec<usize>> {
        let keeps = |next: &usize| !self.blocks[*next].only_ends;
        let mut kept: Vec<Vec<usize>> = self
            .blocks
            .iter()
            .map(|block| match block.successors.iter().any(keeps) {
                true => block.successors.iter().copied().filter(keeps).collect(),
                false => block.successors.clone(),
            })
            .collect();
        // A loop that is left by its early end alone would never end: then all edges of those that do not count.
        let mut reaches = vec![false; self.blocks.len() + 1];
        self.postorder_from_end(&turned(&kept)).into_iter().for_each(|block| reaches[block] = true);
        for (block, kept) in kept.iter_mut().enumerate().filter(|(block, _)| !reaches[*block]) {
            kept.clone_from(&self.blocks[block].successors);
        }
        kept
    }

    /// Blocks that reach the end, and the end (which has the number behind the last), each after those that it leads to when
    /// edges are turned round.
    fn postorder_from_end(&self, predecessors: &[Vec<usize>]) -> Vec<usize> {
        let end = self.blocks.len();
        let last: Vec<usize> = (0..end).filter(|&block| self.blocks[block].may_end).collect();
        let mut is_seen = vec![false; end + 1];
        is_seen[end] = true;
        let mut order = Vec::with_capacity(end + 1);
        let mut stack = vec![(end, 0)];
        while let Some((block, at)) = stack.pop() {
            let edges = if block == end { &last } else { &predecessors[block] };
            match edges.get(at) {
                None => order.push(block),
                Some(&next) => {
                    stack.push((block, at + 1));
                    if !std::mem::replace(&mut is_seen[next], true) {
                        stack.push((next, 0));
                    }
                }
            }
        }
        order
    }
}

/// Edges the other way round.
fn turned(successors: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new(); successors.len()];
    for (number, next) in successors.iter().enumerate() {
        next.iter().for_each(|&next| found[next].push(number));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ptx::read;

    fn graph(body: &str) -> Graph {
        let text = format!(".version 8.0\n.target sm_90\n.address_size 64\n.entry k() {{ .reg .pred %p<9>; {body} }}");
        Graph::new(&read::read(&text).unwrap().functions[0])
    }

    #[test]
    fn paths_meet_behind_a_condition() {
        let g = graph("@%p1 bra A; bra B; A: bra C; B: bra C; C: ret;");
        assert_eq!(g.meetings(), [Some(4), Some(3), Some(4), Some(4), None]);
    }

    #[test]
    fn loops_end_where_they_are_left() {
        let g = graph("A: @%p1 bra B; @%p2 bra C; B: @%p3 bra A; C: ret;");
        assert_eq!(g.meetings(), [Some(3), Some(3), Some(3), None]);
    }

    #[test]
    fn lanes_that_leave_early_are_not_waited_for() {
        // A search that ends the kernel, or goes on behind the loop, where all others meet.
        let g =
            graph("A: @%p1 bra C; @%p2 bra E; bra A; C: @%p3 bra D; mov.pred %p1, %p2; D: mov.pred %p1, %p2; E: ret;");
        assert_eq!(g.meetings(), [Some(3), Some(2), Some(0), Some(5), Some(5), Some(6), None]);
        // A loop that is left by the end alone, behind a condition.
        let g = graph("@%p1 bra B; mov.pred %p1, %p2; B: mov.pred %p1, %p2; C: @%p1 bra E; bra C; E: ret;");
        assert_eq!(g.meetings(), [Some(2), Some(2), Some(3), Some(5), Some(3), None]);
    }

    #[test]
    fn loops_without_an_end_and_exits_under_a_predicate() {
        let g = graph("@%p1 bra B; A: bra A; B: @%p2 exit; @%p3 bra C; C: ret;");
        assert_eq!(g.meetings(), [Some(2), None, Some(3), Some(4), None]);
        assert_eq!(graph("").blocks, []);
        assert_eq!(graph("A: bra A;").meetings(), [None]);
    }
}
