//! Counts of several launches as polynomials of the size that they differ in: N² + 3 N, as table 2 of Fauzia, Pouchet and
//! Sadayappan (CGO 2015) has them.
//!
//! Counts at k sizes have one polynomial of a degree below k. It is told only where a lower degree than that holds, so that one of
//! the counts at least is a check of what the others say.

use super::Report;
use crate::ptx::run::watch::Does;
use crate::report::table::Table;
use serde::Serialize;

/// Counts of a line's accesses of an array, at each size.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Row {
    pub file: String,
    /// Line of the source; 0: not known.
    pub line: u32,
    pub does: Does,
    pub arrays: Vec<String>,
    pub accesses: Vec<u64>,
    pub uncoalesced: Vec<u64>,
    pub sectors: Vec<u64>,
}

/// Reports of a kernel at several sizes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Varied {
    pub kernel: String,
    /// Argument that is varied, and its values.
    pub size: String,
    pub values: Vec<i64>,
    pub rows: Vec<Row>,
}

impl Varied {
    /// Reports at the values of a size.
    pub fn new(size: &str, values: &[i64], reports: &[Report]) -> Varied {
        let mut rows: Vec<Row> = Vec::new();
        for (at, report) in reports.iter().enumerate() {
            for access in &report.accesses {
                let is_same = |row: &Row| {
                    (&row.file, row.line, row.does, &row.arrays)
                        == (&access.file, access.line, access.does, &access.arrays)
                };
                let number = rows.iter().position(is_same).unwrap_or_else(|| {
                    let zeros = || vec![0; values.len()];
                    rows.push(Row {
                        file: access.file.clone(),
                        line: access.line,
                        does: access.does,
                        arrays: access.arrays.clone(),
                        accesses: zeros(),
                        uncoalesced: zeros(),
                        sectors: zeros(),
                    });
                    rows.len() - 1
                });
                let row = &mut rows[number];
                row.accesses[at] += access.accesses;
                row.uncoalesced[at] += access.uncoalesced;
                row.sectors[at] += (access.sectors * access.requests as f64).round() as u64;
            }
        }
        rows.sort_by_key(|row| row.line);
        let kernel = reports.first().map_or(String::new(), |report| report.kernel.clone());
        Varied { kernel, size: size.into(), values: values.to_vec(), rows }
    }

    /// As text, a row for each line and array.
    pub fn text(&self) -> String {
        let mut table = Table::default();
        table.row(["line", "does", "array", "accesses", "uncoalesced", "sectors"]);
        let told = |counts: &[u64]| {
            told(&self.size, &self.values.iter().copied().zip(counts.iter().copied()).collect::<Vec<_>>())
        };
        for row in &self.rows {
            let counts = [&row.accesses, &row.uncoalesced, &row.sectors].map(|counts| told(counts));
            let head = [row.line.to_string(), row.does.name().to_owned(), row.arrays.join(", ")];
            table.row(head.into_iter().chain(counts));
        }
        let sums = |of: fn(&Row) -> &[u64]| -> String {
            told(&(0..self.values.len()).map(|at| self.rows.iter().map(|row| of(row)[at]).sum()).collect::<Vec<_>>())
        };
        let all = [sums(|row| &row.accesses), sums(|row| &row.uncoalesced), sums(|row| &row.sectors)];
        table.row(["all".to_owned(), String::new(), String::new()].into_iter().chain(all));
        let values: Vec<String> = self.values.iter().map(i64::to_string).collect();
        format!("{}: {} = {}\n{}", self.kernel, self.size, values.join(", "), table.text(2))
    }
}

/// A polynomial with rational coefficients.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Polynomial {
    /// Of each power, the lowest first; the last is not zero.
    coefficients: Vec<Ratio>,
}

/// A fraction in lowest terms; its denominator is positive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Ratio(i128, i128);

impl Ratio {
    fn new(a: i128, b: i128) -> Option<Ratio> {
        let (mut x, mut y) = (a.checked_abs()?, b.checked_abs()?);
        while y != 0 {
            (x, y) = (y, x % y);
        }
        (b != 0).then(|| Ratio(a / x * b.signum(), b.abs() / x))
    }

    fn plus(self, other: Ratio) -> Option<Ratio> {
        let sum = self.0.checked_mul(other.1)?.checked_add(other.0.checked_mul(self.1)?)?;
        Ratio::new(sum, self.1.checked_mul(other.1)?)
    }

    fn times(self, other: Ratio) -> Option<Ratio> {
        Ratio::new(self.0.checked_mul(other.0)?, self.1.checked_mul(other.1)?)
    }
}

impl Polynomial {
    /// The polynomial through counts at sizes. `None`: none of a low enough degree goes through them.
    pub fn through(points: &[(i64, u64)]) -> Option<Polynomial> {
        let at = |k: usize| i128::from(points[k].0);
        // Newton's divided differences; each is the coefficient of (x - x0) ... (x - xk).
        let mut differences: Vec<Ratio> = points.iter().map(|&(_, count)| Ratio(i128::from(count), 1)).collect();
        for order in 1..points.len() {
            for k in (order..points.len()).rev() {
                let rise = differences[k].plus(differences[k - 1].times(Ratio(-1, 1))?)?;
                differences[k] = rise.times(Ratio::new(1, at(k) - at(k - order))?)?;
            }
        }
        if differences.len() < 2 || differences.last()?.0 != 0 {
            return None;
        }
        let mut coefficients: Vec<Ratio> = Vec::new();
        for (k, &difference) in differences.iter().enumerate().rev() {
            // All so far, times (x - xk), and the difference.
            let mut next = vec![difference];
            next.extend(&coefficients);
            for (into, &from) in next.iter_mut().zip(&coefficients) {
                *into = into.plus(from.times(Ratio(-at(k), 1))?)?;
            }
            coefficients = next;
        }
        while coefficients.last().is_some_and(|last| last.0 == 0) {
            coefficients.pop();
        }
        Some(Polynomial { coefficients })
    }

    /// Its text, of a variable of that name.
    pub fn text(&self, name: &str) -> String {
        let mut text = String::new();
        for (power, &Ratio(a, b)) in self.coefficients.iter().enumerate().rev().filter(|(_, ratio)| ratio.0 != 0) {
            let sign = match (a < 0, text.is_empty()) {
                (true, true) => "-",
                (true, false) => " - ",
                (false, true) => "",
                (false, false) => " + ",
            };
            let variable = match power {
                0 => String::new(),
                1 => name.to_owned(),
                _ => format!("{name}^{power}"),
            };
            let factor = match a.abs() {
                1 if power > 0 => String::new(),
                n if power > 0 => format!("{n} "),
                n => n.to_string(),
            };
            let divisor = if b == 1 { String::new() } else { format!("/{b}") };
            text += &format!("{sign}{factor}{variable}{divisor}");
        }
        if text.is_empty() { "0".into() } else { text }
    }
}

/// Counts at sizes as text: a polynomial where there is one, else the counts.
pub fn told(name: &str, points: &[(i64, u64)]) -> String {
    match Polynomial::through(points) {
        Some(polynomial) => polynomial.text(name),
        None => points.iter().map(|(_, count)| count.to_string()).collect::<Vec<_>>().join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(sizes: &[i64], f: impl Fn(i64) -> i64) -> String {
        told("n", &sizes.iter().map(|&n| (n, f(n) as u64)).collect::<Vec<_>>())
    }

    #[test]
    fn counts_are_polynomials_where_one_of_them_checks_it() {
        let sizes = [32, 64, 96, 160];
        assert_eq!(of(&sizes, |n| n * n + 3 * n), "n^2 + 3 n");
        assert_eq!(of(&sizes, |n| n * n / 8 - n + 7), "n^2/8 - n + 7");
        assert_eq!(of(&sizes, |n| 3 * n * (n - 1) + n - 1), "3 n^2 - 2 n - 1");
        assert_eq!(of(&sizes, |_| 0), "0");
        assert_eq!(of(&sizes, |_| 12), "12");
        assert_eq!(of(&[2, 4, 6], |n| n * n * n), "8, 64, 216");
        assert_eq!(of(&[2, 4, 6, 8], |n| n * n * n), "8, 64, 216, 512");
        assert_eq!(of(&[2, 4, 6, 8, 10], |n| n * n * n), "n^3");
        assert_eq!(of(&[5], |n| n), "5");
        assert_eq!(of(&[1, 2, 3, 4], |n| 1 << n), "2, 4, 8, 16");
    }

    #[test]
    fn sizes_that_repeat_and_numbers_that_are_large_are_no_panic() {
        assert_eq!(of(&[3, 3, 3], |n| n), "3, 3, 3");
        let large = [(1, u64::MAX), (i64::MAX, 1), (i64::MAX - 5, u64::MAX), (7, 3), (i64::MIN, 9)];
        assert!(Polynomial::through(&large).is_none());
    }
}
