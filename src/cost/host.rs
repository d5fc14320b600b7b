//! One core of the host, and copies to and from a device: what a call is weighed by before a device is given it.
//!
//! | figures | source |
//! | --- | --- |
//! | an operation, an access; weights of statements | 18 kinds of loops, 500 to 8 million elements long, on a core of an H200's host (`gcc -O2` and `-O3`): they tell times within a factor of about two |
//! | what is done at once or waits, conditions | 146 loops of 54 public programs, each timed within its program (`gcc -O3`), on a core that is about twice as fast: estimates are 2.0 times that in the median, with a factor of 1.9 between them (geometric deviation); 18 of them on a core of an H200's host: 1.3 times |
//! | the start of CUDA | the same machine: a program that only makes a context |
//! | a call, a copy, its bytes | the same machine, PCIe 5 x16, memory that may be paged |
//!
//! A machine with another host differs by less than calls do. The emitted program weighs each call
//! (`templates/runtime/rt_work.h`); its figures are a header that is written from these
//! (`templates/runtime/rt_costs.h`, held to them by a test below), and the statements' weights arrive in its entry.

use super::crossing::Crossing;

/// Nanoseconds to begin and to end a call on a device.
pub const CALL_NS: f64 = 4000.0;
/// Nanoseconds until CUDA has begun, once in a program.
pub const START_NS: f64 = 250e6;
/// Estimates are off by so much, up or down, of most loops: what calls would save by them pays for the start when it is as many
/// times that.
pub const DOUBT: f64 = 2.0;
/// Nanoseconds of a copy that moves next to nothing, and bytes that it moves in one.
pub const COPY_NS: f64 = 5000.0;
pub const BYTES_A_NS: f64 = 12.0;
/// Nanoseconds until an access of the host's to a page that is closed to it has been answered, beside the copy that it takes.
pub const FAULT_NS: f64 = 10_000.0;
/// Nanoseconds of an iteration of which nothing is known, until some are measured.
pub const ITERATION_NS: f64 = 10.0;
/// Nanoseconds of a call that is asked whether it has to do with what stays on the device, and has not.
pub const ASKED_NS: f64 = 100.0;
/// Copies of so many bytes and more are staged by several threads: nanoseconds until these are at work, and bytes that
/// they move in one.
pub const STAGED_BYTES: u64 = 8 << 20;
pub const STAGED_NS: f64 = 130_000.0;
pub const STAGED_BYTES_A_NS: f64 = 36.0;
/// Nanoseconds of an addition, of an access to the next element in the core's cache, and of one in memory.
pub const OPERATION_NS: f64 = 0.1;
pub const ACCESS_NS: f64 = 0.15;
pub const FAR_ACCESS_NS: f64 = 0.45;
/// Accesses to memory of doubles, which are done so many at once: what comes from there is as many bytes.
pub const FAR_AT_ONCE: f64 = 2.0;
/// Bytes of the core's cache.
pub const CACHE_BYTES: u64 = 16 << 20;

/// Nanoseconds that an operation takes at most, operands in the core's cache: one that waits for the one before it.
pub const SLOWEST_OPERATION_NS: i64 = 1;

/// Iterations of unknown length from which on a device is asked for a call: threads that hide what each waits for. With
/// fewer a core of the host is faster, be they long (each thread is tens of times slower) or short (a call of a device takes as long as
/// thousands of operations).
pub const MANY_ITERATIONS: u64 = 512;

/// Iterations of unknown length, of all calls together, that a device begins for: as many as would take a core as long as the
/// start of CUDA at a microsecond each.
pub const STARTING_ITERATIONS: u64 = 262_144;

/// Iterations that a loop is taken to have of which only its run tells, as a loop until convergence: what a device takes for each
/// of them beside a core says most, and their number only whether copies and the start of CUDA are worth it.
pub const STEPS: i64 = 1000;

/// Statements that are run before it is known whether their call pays.
pub const FEWEST_INSTANCES: i64 = 16;

/// Additions that a division takes as long as.
pub const DIVISION: i64 = 5;
/// The same of a condition on data, which a processor guesses wrong now and then: one of twenty.
pub const CONDITION: i64 = 5;
/// The same of a square root, and of a function of `math.h` that no machine has an instruction for.
pub const SQUARE_ROOT: i64 = 20;
pub const FUNCTION: i64 = 80;
/// Accesses in a row that one takes as long as that does not lie beside the one before it.
pub const SCATTERED: i64 = 4;
/// Accesses to what an iteration has near itself in the core's cache, that one in a row takes as long as.
pub const CACHED: i64 = 3;
/// Elements of one row that are no further apart lie beside each other.
pub const NEAR: i64 = 8;
/// Additions that a floating operation waits for the one before it, where it has less to do.
pub const LATENCY: i64 = 7;
/// Bytes of the registers in which a compiler does several iterations at once, without an option that names the machine, and of
/// the narrowest numbers that are as many as they have room for.
pub const VECTOR_BYTES: i64 = 16;
pub const NARROWEST_BYTES: i64 = 4;

/// Functions of `math.h` of one or two instructions.
const SIMPLE: &[&str] =
    &["fabs", "floor", "ceil", "round", "trunc", "rint", "nearbyint", "fmin", "fmax", "copysign", "fdim", "fma"];

/// Additions that an access in a row takes as long as, as a fraction.
const ACCESS: (i64, i64) = (3, 2);

/// Operations of a statement of which the next iteration waits for so many, in floating numbers: no fewer than it waits, but for its
/// accesses meanwhile.
pub const fn waiting(operations: i64, accesses: i64, n_waits: i64) -> i64 {
    let waits = LATENCY * n_waits - accesses * ACCESS.0 / ACCESS.1;
    if operations > waits { operations } else { waits }
}

/// Additions that a call of a function takes as long as: one instruction, or dozens of them.
pub fn operations_of_call(name: &str) -> i64 {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    let is = |known: &[&str]| [Some(name), name.strip_suffix('f')].into_iter().flatten().any(|n| known.contains(&n));
    match name {
        "abs" | "labs" | "llabs" | "isnan" | "isinf" | "isinf_sign" | "isfinite" | "signbit" => 1,
        _ if is(SIMPLE) => 1,
        _ if is(&["sqrt"]) => SQUARE_ROOT,
        _ if is(&["rt_mul_re", "rt_mul_im"]) => 3,
        _ => FUNCTION,
    }
}

/// Nanoseconds of a statement of which so many are done at once, its data in memory: that gives as many bytes a nanosecond.
pub fn far_ns(operations: i64, accesses: i64, at_once: i64) -> f64 {
    let at_once = at_once as f64;
    operations as f64 / at_once * OPERATION_NS + accesses as f64 * FAR_ACCESS_NS * (FAR_AT_ONCE / at_once).min(1.0)
}

/// Operations that a core does in so many nanoseconds at its best: loops that it vectorises, an access in its cache for
/// each.
pub fn operations_in(ns: i64) -> i64 {
    (ns as f64 / (OPERATION_NS + ACCESS_NS)).round() as i64
}

/// Nanoseconds that a core takes at most for so many operations; `None` where they cannot be counted.
pub fn most_ns(instances: i64, operations: i64) -> Option<i64> {
    instances.checked_mul(operations.checked_mul(SLOWEST_OPERATION_NS)?)
}

/// Nanoseconds that a device takes at least to be given so many kernels and copies.
pub fn least_device_ns(n_launches: i64, n_copies: i64) -> i64 {
    (n_launches + n_copies) * Crossing::launch()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write;

    /// The figures as the runtime's header has them.
    fn header() -> String {
        let mut text = String::from(
            "// Figures of the cost model: what a core of the host and copies take. Written from src/cost/host.rs by its tests.\n\
             #pragma once\n\nnamespace rt::costs\n{\n\n",
        );
        for (name, value, what) in [
            ("call_ns", CALL_NS, "to begin and to end a call on a device"),
            ("start_ns", START_NS, "until CUDA has begun, once in a program"),
            ("doubt", DOUBT, "times that it must be saved, as estimates go"),
            ("copy_ns", COPY_NS, "a copy that moves next to nothing"),
            ("fault_ns", FAULT_NS, "the answer to an access to a closed page, beside its copy"),
            ("asked_ns", ASKED_NS, "a call that has nothing to do with what stays, and is asked"),
            ("iteration_ns", ITERATION_NS, "an iteration of which nothing is known, until some are measured"),
            ("bytes_a_ns", BYTES_A_NS, "what a copy moves"),
            ("staged_bytes", STAGED_BYTES as f64, "from here several threads stage a copy (rt_copy.h)"),
            ("staged_ns", STAGED_NS, "until they are at work"),
            ("staged_bytes_a_ns", STAGED_BYTES_A_NS, "what they move"),
            ("operation_ns", OPERATION_NS, "of a core: an addition"),
            ("access_ns", ACCESS_NS, "the next element, in its cache"),
            ("far_access_ns", FAR_ACCESS_NS, "the same in memory"),
            ("far_at_once", FAR_AT_ONCE, "of which so many are no faster"),
            ("cache_bytes", CACHE_BYTES as f64, "of its cache"),
            ("many_iterations", MANY_ITERATIONS as f64, "of unknown length, enough for a device"),
            ("starting_iterations", STARTING_ITERATIONS as f64, "enough for a device to begin"),
        ] {
            writeln!(text, "{:<52}// {what}", format!("constexpr double {name} = {value};")).unwrap();
        }
        text + "\n} // namespace rt::costs\n"
    }

    #[test]
    fn the_runtimes_figures_are_these() {
        let path = "templates/runtime/rt_costs.h";
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(path, header()).unwrap();
        }
        assert_eq!(std::fs::read_to_string(path).unwrap(), header(), "BLESS=1 cargo test writes it anew");
    }

    #[test]
    fn a_core_at_its_best_does_an_operation_and_an_access_at_once() {
        assert_eq!(operations_in(1000), 4000);
        assert!((ACCESS.0 as f64 / ACCESS.1 as f64 - ACCESS_NS / OPERATION_NS).abs() < 1e-9);
    }

    #[test]
    fn an_iteration_waits_for_the_one_before_unless_it_has_enough_to_do() {
        assert_eq!((waiting(1, 0, 1), waiting(1, 1, 1), waiting(1, 4, 1), waiting(30, 0, 1)), (7, 6, 1, 30));
        assert_eq!((waiting(2, 0, 2), waiting(3, 5, 0)), (14, 3));
    }

    #[test]
    fn what_cannot_be_counted_has_no_time() {
        assert_eq!((most_ns(10, 3), most_ns(i64::MAX, 2)), (Some(30), None));
        assert_eq!(least_device_ns(2, 1), 3 * Crossing::launch());
    }
}
