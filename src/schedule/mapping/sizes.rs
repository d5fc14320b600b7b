//! Sizes of a mapping by the names that its kernel's tunables have: what a tuner found, or a user gives, for one kernel.

use super::{Fetch, Mapping, Place, Run};
use crate::kernel::RESIDENT;

impl Mapping {
    /// The mapping with these sizes in the place of its own. Blocks of other sizes, for calls of other sizes, are left out
    /// where the size of a block is given.
    ///
    /// # Errors
    /// The first name that is no size of this mapping.
    pub fn with_sizes<'s>(&self, sizes: impl IntoIterator<Item = (&'s str, i64)>) -> Result<Mapping, String> {
        let mut out = self.clone();
        for (name, value) in sizes {
            out.set(name, value).ok_or_else(|| name.to_owned())?;
        }
        Ok(out)
    }

    fn set(&mut self, name: &str, value: i64) -> Option<()> {
        let (word, number) = match name.split_once('_') {
            Some((word, number)) => (word, Some(number.parse::<usize>().ok()?)),
            None => (name, None),
        };
        match (word, number) {
            ("BLOCK" | "MERGE" | "SKEW", Some(d)) => self.set_in_dimension(word, d, value)?,
            ("DEPTH", None) => self.set_runs(|run| if let Run::Pieces(n) = run { Some(n) } else { None }, value)?,
            ("WINDOW", Some(t)) => {
                let windows = self.loops.iter_mut().filter_map(|x| match &mut x.run {
                    Run::Window(n) => Some(n),
                    _ => None,
                });
                *windows.into_iter().nth(t)? = value;
            }
            ("STAGES", None) => {
                let fetches = self.loops.iter_mut().filter_map(|x| match &mut x.fetch {
                    Fetch::Async(n) => Some(n),
                    _ => None,
                });
                set_all(fetches, value)?;
            }
            ("STEP" | "UNROLL", None) => *self.unroll.as_mut()? = value,
            // None: that is left to the compiler.
            (RESIDENT, None) if !self.axes.is_empty() => self.resident = Some(value).filter(|n| *n != 0),
            _ => return None,
        }
        Some(())
    }

    fn set_in_dimension(&mut self, word: &str, d: usize, value: i64) -> Option<()> {
        (self.larger, self.smaller) = (vec![], vec![]);
        if let Some(lanes) = self.lanes.as_mut().filter(|lanes| word == "BLOCK" && lanes.dimension == d) {
            lanes.threads = value;
            return Some(());
        }
        let places = self.axes.iter_mut().filter_map(|x| match (&mut x.place, word) {
            (Place::Grid { dimension, threads, .. }, "BLOCK") if *dimension == d => Some(threads),
            (Place::Grid { dimension, merge, .. }, "MERGE") if *dimension == d => merge.as_mut(),
            (Place::Grid { dimension, skew, .. }, "SKEW") if *dimension == d => skew.as_mut(),
            (Place::Flat { threads, .. }, "BLOCK") if d == 0 => Some(threads),
            (Place::Flat { merge, .. }, "MERGE") if d == 0 => merge.as_mut(),
            (Place::Flat { skew, .. }, "SKEW") if d == 0 => skew.as_mut(),
            _ => None,
        });
        set_all(places, value)
    }

    fn set_runs(&mut self, size: fn(&mut Run) -> Option<&mut i64>, value: i64) -> Option<()> {
        set_all(self.loops.iter_mut().filter_map(|x| size(&mut x.run)), value)
    }
}

/// Sets each of them; `None` where there is none.
fn set_all<'m>(all: impl Iterator<Item = &'m mut i64>, value: i64) -> Option<()> {
    all.map(|n| *n = value).count().gt(&0).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRODUCT: &str = "product\n  axis i: grid 0, threads 8, skew 8\n  axis j: grid 1, threads 8, merge 2, skew 4\n  \
                           larger axis i: grid 0, threads 8, skew 8\n  larger axis j: grid 1, threads 16, merge 2, skew 4\n  \
                           loop k: pieces of 16, fetch async 2\n    stage a[i, k] along i\n    stage b[k, j] along j\n";

    fn with(text: &str, sizes: &[(&str, i64)]) -> Result<String, String> {
        let names = ["product", "rows", "reduction"];
        let mapping = Mapping::parse(text, &names).expect("a mapping");
        mapping.with_sizes(sizes.iter().copied()).map(|m| m.to_string())
    }

    #[test]
    fn sizes_are_set_by_the_names_of_tunables() {
        let all = [("BLOCK_1", 16), ("SKEW_0", 4), ("MERGE_1", 1), ("DEPTH", 32), ("STAGES", 3)];
        let expected = "product\n  axis i: grid 0, threads 8, skew 4\n  axis j: grid 1, threads 16, merge 1, skew 4\n  \
                        loop k: pieces of 32, fetch async 3\n    stage a[i, k] along i\n    stage b[k, j] along j\n";
        assert_eq!(with(PRODUCT, &all).as_deref(), Ok(expected));
        assert_eq!(with(PRODUCT, &[]).as_deref(), Ok(PRODUCT));
        let rows = "rows\n  axis i: grid 0, threads 8\n  lanes j: dimension 1, threads 32\n";
        assert_eq!(with(rows, &[("BLOCK_1", 64)]), Ok(rows.replace("threads 32", "threads 64")));
        let sum = "reduction\n  axis i: flat, threads 256, merge 4\n";
        assert_eq!(with(sum, &[("BLOCK_0", 512), ("MERGE_0", 8)]), Ok(sum.replace("256, merge 4", "512, merge 8")));
    }

    #[test]
    fn registers_of_every_kernel_can_be_bounded() {
        let sum = "reduction\n  axis i: flat, threads 256, merge 4\n";
        let bounded = format!("{sum}  resident 6\n");
        assert_eq!(with(sum, &[("RESIDENT", 6)]).as_ref(), Ok(&bounded));
        assert_eq!(with(&bounded, &[("RESIDENT", 0)]).as_deref(), Ok(sum));
    }

    #[test]
    fn names_of_nothing_are_refused() {
        for name in ["MERGE_0", "BLOCK_2", "UNROLL", "WINDOW_0", "BLOCK", "BLOCK_x", "x", ""] {
            assert_eq!(with(PRODUCT, &[(name, 2)]), Err(name.to_owned()));
        }
    }
}
