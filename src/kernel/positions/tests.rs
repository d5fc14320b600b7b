//! Sums for kernels as text: what must fit for which body.

use crate::kernel::parse;
use expect_test::{Expect, expect};

/// Sum that must fit for a kernel of these parameters and that body, over a grid of `n / 8` times `m / 32` blocks.
fn check(body: &str, expected: Expect) {
    let text = format!(
        "kernel k(index n, index m, int first, long far, double d) reads(int idx[n], long wide[n], double a[n, m]) \
         updates(double b[n, m], double z[n]) index(64) tunable B = 32 \
         grid (min(ceildiv(n, 8), 65535), ceildiv(m, B)) block (8, B) {{ {body} }}"
    );
    let kernel = parse::module(&text).unwrap_or_else(|e| panic!("{body}: {e}")).1.remove(0);
    let most = super::most(&kernel).map_or("unknown".into(), |most| most.to_string());
    expected.assert_eq(&most);
}

#[test]
fn counters_are_held_to_the_bounds_that_are_tested() {
    let loops = "for i in 1 + (g0 * 8 + t0) .. n - 1 step n0 * 8 { let index j = g1 * B + t1; if (j < m) { S } }";
    let of = |statement: &str| loops.replace('S', statement);
    check(&of("b[i, j] = a[i, j];"), expect!["m * n + m + 2 * n + 63"]);
    check(&of("b[i, j] = a[i - 1, j] + a[i + 1, j - 1];"), expect!["m * n + 2 * m + 2 * n + 63"]);
    // Without the test, the block's last thread.
    check("let index j = g1 * B + t1; z[j] = 0.0; z[j * 2] = 1.0;", expect!["2 * m + n + 126"]);
    check("let index i = g0 * 8 + t0; if (3 <= i && n > i) { z[i * i - 3] = 0.0; }", expect!["n * n + m + n + 32"]);
}

#[test]
fn numbers_less_than_nothing_and_quotients() {
    check("z[n - 1 - m] = 0.0;", expect!["m + n + 32"]);
    check("z[-(n - 2 * m) * -3] = 0.0;", expect!["6 * m + 3 * n + 32"]);
    check("z[floordiv(n, 4) * 4 + mod(m, 8) + n % 3 + m / n] = 0.0;", expect!["m + n + 32"]);
    // A thread's place may be any divisor up to that of the last.
    check("z[ceildiv(n * m, t1 + 1)] = 0.0;", expect!["m * n + m + n + 33"]);
    check("z[min(n, 1024)] = 0.0; z[max(n, m)] = 0.0; z[n < m ? n : 2 * m] = 0.0;", expect!["2 * m + n + 32"]);
    // However little is left of a product, it is part of the sum.
    check("z[n / 10000000 * m] = 0.0;", expect!["m * n + m + n + 10000000"]);
    check("z[3000000000] = 0.0;", expect!["unknown"]);
}

#[test]
fn what_the_data_say_is_a_position_and_no_more() {
    check("for k in idx[0] .. idx[1] step 1 { z[idx[k]] = 1.0; }", expect!["m + n + 32"]);
    check("for k in 0 .. idx[1] step 2 { z[k] = 1.0; }", expect!["unknown"]);
    check("for k in idx[0] .. n step 1 { z[k + 1] = 1.0; }", expect!["unknown"]);
    check("b[idx[0], 1] = 1.0;", expect!["unknown"]);
    check("z[wide[0]] = 1.0;", expect!["unknown"]);
    check("let int k = idx[0]; z[k] = 1.0; if (k + 1 < n) { d = 1.0; }", expect!["unknown"]);
    check("z[far] = 1.0; z[first] = 1.0;", expect!["far + first + m + n + 32"]);
}

#[test]
fn counters_of_loops_in_the_order_of_c_are_held_to_their_bounds() {
    let of = |lo: &str, cond: &str, step: &str| {
        format!("let int k = {lo}; while ({cond}) {{ z[k * m] = 1.0; }} step {{ {step} }}")
    };
    check(&of("1", "k < n", "k += 1;"), expect!["m * n + m + n + 32"]);
    check(&of("2", "k <= n - 1", "k += 3;"), expect!["m * n + m + n + 32"]);
    // The data end it, begin it, or move the counter.
    for (lo, cond, step) in
        [("1", "z[k] < d", "k += 1;"), ("idx[0]", "k < n", "k += 1;"), ("1", "k < n", "k += idx[k];")]
    {
        check(&of(lo, cond, step), expect!["unknown"]);
    }
    check("let int k = 1; while (k < n) { z[k * m] = 1.0; k += idx[k]; } step { k += 1; }", expect!["unknown"]);
}

#[test]
fn values_have_their_own_types_and_positions_that_change_are_unknown() {
    check("let index i = g0; z[i] = i * i * i * n; z[0] += (double)(n * n); z[1] = i << 40;", expect!["m + n + 32"]);
    check(
        "let double x = d; if (x > d) { z[0] = a[n < 3 ? 0 : n * n, 0]; }",
        expect!["m * n * n + n * n + m + n + 32"],
    );
    check("let index i = 0; while (z[i] > d) { } step { i += n; }", expect!["unknown"]);
    check("let index i = n << 3; z[i] = 0.0;", expect!["unknown"]);
    check("shared index s[4]; z[n] = 0.0;", expect!["unknown"]);
    check("local double r[4]; r[n * n] = 0.0;", expect!["n * n + m + n + 32"]);
}
