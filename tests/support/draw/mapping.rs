//! Draws what a function asks of the mapping of its nests, by the configuration or by a directive of one loop. The sizes
//! are drawn apart from the function, so that a seed still names the same loops.

use crate::support::nests::*;
use crate::support::rng::Rng;

/// Request of the function of a seed: nothing of three in five.
pub fn asked(f: &Function, seed: u64) -> Asked {
    let mut rng = Rng::new(seed ^ 0x6d61_7070_696e_6721);
    let mut loops = Vec::new();
    f.walk(&mut |node| {
        if let Node::For { iter, .. } = node {
            loops.push(*iter);
        }
    });
    match rng.range(0, 9) {
        0..=5 => Asked::default(),
        6..=8 => Asked { config: config(&mut rng), directive: None },
        _ if loops.is_empty() => Asked::default(),
        _ => {
            let at = loops[rng.range(0, loops.len() as i64 - 1) as usize];
            Asked { config: String::new(), directive: Some((at, directive(&mut rng, f, &loops))) }
        }
    }
}

fn points(rng: &mut Rng) -> i64 {
    rng.pick(&[2, 2, 2, 3, 4, 4, 5, 8, 16])
}

fn config(rng: &mut Rng) -> String {
    let mut out = String::new();
    let block = rng.pick(&[1, 2, 7, 32, 33, 64, 256, 1024]);
    let sizes = [("merge", points(rng), 60), ("skew", points(rng), 60), ("block", block, 40)];
    for (key, value, percent) in sizes {
        if rng.percent(percent) {
            out += &format!("{key} = {value}\n");
        }
    }
    out
}

/// Words of a directive: one figure, or figures along loops of the function.
fn directive(rng: &mut Rng, f: &Function, loops: &[usize]) -> String {
    let mut words = Vec::new();
    for word in ["merge", "skew"] {
        if rng.percent(40) {
            continue;
        }
        // A thread has 64 points at most.
        let (mut along, mut left): (Vec<String>, i64) = (Vec::new(), 64);
        for iter in loops.iter().take(2) {
            let name = format!("{}: ", f.iters[*iter].name);
            if rng.percent(50) && !along.iter().any(|x| x.starts_with(&name)) {
                let n = points(rng).min(left);
                left /= n;
                along.push(name + &n.to_string());
            }
        }
        let all = if along.is_empty() { points(rng).to_string() } else { along.join(", ") };
        words.push(format!("{word}({all})"));
    }
    if words.is_empty() || rng.percent(30) {
        let block = rng.pick(&["1", "3, 5", "8, 4", "32, 2, 2", "64", "2, 8, 3"]);
        words.push(format!("block({block})"));
    }
    words.join(" ")
}
