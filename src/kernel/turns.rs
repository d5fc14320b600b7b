//! Arrays of which a kernel writes nothing that it reads ([`Usage::Turns`]), as two parameters for one: what is read through the
//! first no other pointer changes, as is said of it, so that the compiler keeps it across stores.

use super::{ArrayParam, Kernel, Stmt, StmtKind, Usage};

/// The kernel with a parameter more for each such array, behind the others, in their order; but for those that `stay`.
pub fn in_two(kernel: &Kernel, stay: &dyn Fn(&str) -> bool) -> Kernel {
    let mut out = kernel.clone();
    for at in 0..kernel.arrays.len() {
        let array = &kernel.arrays[at];
        if !is_in_two(array, stay) {
            continue;
        }
        let mut next = format!("rt_next_{}", array.name.trim_start_matches("rt_"));
        while out.names().any(|name| name == next) {
            next.push('_');
        }
        out.arrays[at].usage = Usage::Read;
        out.arrays.push(ArrayParam { name: next.clone(), usage: Usage::Write, ..array.clone() });
        out.body.iter_mut().for_each(|s| write_to(s, &array.name, &next));
    }
    out
}

/// Test for an array that has two parameters.
pub fn is_in_two(array: &ArrayParam, stay: &dyn Fn(&str) -> bool) -> bool {
    array.usage == Usage::Turns && !stay(&array.name)
}

fn write_to(s: &mut Stmt, from: &str, to: &str) {
    if let StmtKind::Store { target, .. } | StmtKind::StoreVector { target, .. } = &mut s.kind
        && target.array == from
    {
        target.array = to.to_string();
    }
    s.bodies_mut().into_iter().flatten().for_each(|s| write_to(s, from, to));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::parse;

    #[test]
    fn stores_go_through_the_second_parameter() {
        let text = "kernel k(index t) turns(double g[0, 8]) index(32)\n  grid (1) block (1)\n{\n  \
                    g[(t + 1) % 2, 1] = 2.0 * g[t % 2, 0];\n}\n";
        let kernel = parse::module(text).unwrap_or_else(|e| panic!("{e}")).1.remove(0);
        let split = in_two(&kernel, &|_| false).to_string();
        assert!(split.contains("reads(double g[0, 8]) writes(double rt_next_g[0, 8])"), "{split}");
        assert!(split.contains("rt_next_g[(t + 1) % 2, 1] = 2.0 * g[t % 2, 0];"), "{split}");
        assert_eq!(in_two(&kernel, &|_| true), kernel);
    }
}
