//! Makes a failing function smaller: drops statements, one at a time, while it still fails.

use super::nests::*;

/// The smallest function found by dropping statements for which `fails` holds, in at most `tries` trials.
pub fn shrink(function: &Function, mut tries: usize, mut fails: impl FnMut(&Function) -> bool) -> Function {
    let mut best = function.clone();
    let mut at = 0;
    while at < count(&best.body) && tries > 0 {
        let mut smaller = best.clone();
        remove(&mut smaller.body, &mut at.clone());
        if well_formed(&smaller) {
            tries -= 1;
            if fails(&smaller) {
                best = smaller;
                continue;
            }
        }
        at += 1;
    }
    best
}

fn count(nodes: &[Node]) -> usize {
    nodes.iter().map(|n| 1 + n.children().into_iter().map(count).sum::<usize>()).sum()
}

/// Removes the statement at position `at` in preorder; outer statements come first, so large parts go early.
fn remove(nodes: &mut Vec<Node>, at: &mut usize) -> bool {
    for k in 0..nodes.len() {
        if *at == 0 {
            nodes.remove(k);
            return true;
        }
        *at -= 1;
        let removed = match &mut nodes[k] {
            Node::For { body, .. } | Node::Loop { body, .. } | Node::Again { body, .. } => remove(body, at),
            Node::If { then, other, .. } => remove(then, at) || remove(other, at),
            _ => false,
        };
        if removed {
            return true;
        }
    }
    false
}

/// Every variable and local array that is used is still declared, and local arrays still written.
fn well_formed(f: &Function) -> bool {
    let mut declared: Vec<bool> = f.vars.iter().map(|v| v.head.is_some()).collect();
    let mut written: Vec<bool> = f.arrays.iter().map(|a| a.style != Style::Local).collect();
    let mut arrays = written.clone();
    check(&f.body, &mut declared, &mut arrays, &mut written)
}

fn check(nodes: &[Node], vars: &mut [bool], arrays: &mut [bool], written: &mut [bool]) -> bool {
    nodes.iter().all(|node| {
        let reads = node.exprs().into_iter().flat_map(|e| &e.pieces).all(|p| match p {
            Piece::Var(v) => vars[*v],
            Piece::Read(a) => written[a.array],
            _ => true,
        });
        let own = match node {
            Node::Declare { var, .. } => {
                vars[*var] = true;
                reads
            }
            Node::DeclareArray { array } => {
                arrays[*array] = true;
                reads
            }
            Node::Assign { target: Target::Var(v), .. } => reads && vars[*v],
            Node::Assign { target: Target::Element(a), .. } => {
                written[a.array] = true;
                reads && arrays[a.array]
            }
            Node::Exchange { arrays: [a, b] } => arrays[*a] && arrays[*b],
            Node::For { .. } | Node::Loop { .. } | Node::Again { .. } => reads,
            Node::If { .. } | Node::Continue | Node::Break => reads,
        };
        own && node.children().into_iter().all(|body| check(body, vars, arrays, written))
    })
}
