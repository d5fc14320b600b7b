//! Names of ours, from wishes.

use super::Unit;

/// A wish for a name, which begins with the prefix of our names once, also where what it is made of is a name of ours.
pub fn prefixed_once(wish: &str) -> &str {
    wish.strip_prefix("rt_").filter(|rest| rest.starts_with("rt_")).unwrap_or(wish)
}

impl Unit {
    /// A name that no variable has, from a wish.
    pub fn free_name(&self, wish: &str) -> String {
        let wish = prefixed_once(wish);
        let mut names = (1..).map(|n| if n == 1 { wish.to_string() } else { format!("{wish}_{n}") });
        let is_free = |name: &String| self.vars.iter().all(|v| v.name != *name);
        names.find(is_free).expect("there are more names than variables")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prefix_stands_once() {
        assert_eq!(["rt_a", "rt_rt_a", "a", "rt_"].map(prefixed_once), ["rt_a", "rt_a", "a", "rt_"]);
    }
}
