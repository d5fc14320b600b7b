//! Faults planted in emitted CUDA: `rtcuda verify` finds each of them, in every order of threads, and says in which
//! kernel, block and thread, at which element and C line.

#[path = "support/unoptimised.rs"]
mod unoptimised;

use rtcuda::config::{Backend, Config};
use rtcuda::diag::Stop;
use rtcuda::pipeline::{self, ConvertOptions, Converted};
use rtcuda::runtime::programs::Program;
use rtcuda::runtime::verify::{self, Convert, ORDERS, Options, Run, Verdict, Verification};
use rtcuda::runtime::written::{Array, Finding};
use std::path::PathBuf;
use std::time::Duration;
use unoptimised::unoptimised;

/// `y = a x` in one kernel, the norm of `y` in another; 300 threads in two blocks.
const C: &str = "\
#include <stdio.h>
static double a[300][300], x[300], y[300];
static double product(int n) {
    double norm = 0.0;
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++)
            sum += a[i][j] * x[j];
        y[i] = sum;
    }
    for (int i = 0; i < n; i++)
        norm += y[i] * y[i];
    return norm;
}
int main(void) {
    for (int i = 0; i < 300; i++) {
        x[i] = i % 7 - 3;
        for (int j = 0; j < 300; j++)
            a[i][j] = (i * 3 + j * 5) % 11 - 5;
    }
    printf(\"%.1f\\n\", product(300));
    return 0;
}
";

/// The lines where `C` adds to `sum`, stores to `y`, loops over `y`, and adds to `norm`.
const SUM: u32 = 8;
const STORE: u32 = 9;
const NORM_LOOP: u32 = 11;
const NORM: u32 = 12;

/// Converts, for runs of a moment.
fn convert(files: &[PathBuf], options: &ConvertOptions) -> Result<Converted, Stop> {
    Ok(unoptimised(pipeline::convert(files, options)?))
}

/// Converts, then replaces `from`, which the emitted file has once.
fn plant(files: &[PathBuf], options: &ConvertOptions, from: &str, to: &str) -> Result<Converted, Stop> {
    plant_each(files, options, (from, 1), to)
}

/// Converts, then replaces `from`, which the emitted file has so many times.
fn plant_each(
    files: &[PathBuf],
    options: &ConvertOptions,
    (from, times): (&str, usize),
    to: &str,
) -> Result<Converted, Stop> {
    let mut converted = convert(files, options)?;
    replace(&mut converted, (from, times), to);
    Ok(converted)
}

/// Replaces `from`, which the emitted file has so many times.
fn replace(converted: &mut Converted, (from, times): (&str, usize), to: &str) {
    let cu = converted.files.iter_mut().find(|f| f.path.ends_with("p.cu")).expect("the program has a region");
    let text = String::from_utf8_lossy(&cu.contents).into_owned();
    assert_eq!(text.matches(from).count(), times, "`{from}` in\n{text}");
    cu.contents = text.replace(from, to).into_bytes();
}

/// Threads with a point each.
const ONE: &str = "block = 256\n";

/// Threads with four points, two neighbours twice: 256 points in the first block, and 44 in the second.
const SEVERAL: &str = "block = 64\nmerge = 2\nskew = 2\n";

fn verified(convert: Convert, mapping: &str) -> Verification {
    // Without tiles or calls of a library: what is replaced then stands once, and an element has one thread.
    let toml = format!(
        "[defaults]\nlibrary = \"never\"\n\
         [[region]]\nfunction = \"product\"\noptimize = [\"collapse\", \"fuse\"]\n{mapping}"
    );
    verified_program(C, &toml, convert)
}

fn verified_program(c: &str, toml: &str, convert: Convert) -> Verification {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("p.c");
    std::fs::write(&file, c).expect("the folder is writable");
    let mut config = Config::parse("p.toml", toml).expect("it is valid");
    config.target.backend = Backend::Cpu;
    let program = Program { files: vec![file], config, config_file: None };
    let verification = verify::one(&program, &Options::new(convert, Duration::from_secs(60)));
    assert_eq!(verification.runs.len(), ORDERS.len(), "{verification:#?}");
    verification
}

/// What is expected of a finding.
struct Expected {
    kind: &'static str,
    kernel: &'static str,
    array: &'static str,
    lines: &'static [u32],
}

/// The expected finding, which every run has.
fn found(convert: Convert, expected: &Expected) -> Vec<Finding> {
    found_in(ONE, convert, expected)
}

/// The same of a program with such a mapping.
fn found_in(mapping: &str, convert: Convert, expected: &Expected) -> Vec<Finding> {
    let verification = verified(convert, mapping);
    assert_eq!(verification.verdict, Verdict::Findings, "{:#?}", verification.runs);
    let of_run = |run: &Run| {
        let is_it = |f: &&Finding| f.kind == expected.kind && f.kernel == expected.kernel && f.array == expected.array;
        let finding = run.findings.iter().find(is_it).unwrap_or_else(|| panic!("{}: {:#?}", run.order, run.findings));
        assert_eq!(finding.here.c_file, "p.c", "{finding:#?}");
        assert!(expected.lines.contains(&finding.here.c_line), "{finding:#?}");
        assert!(finding.here.cu_file.ends_with("p.cu") && finding.here.cu_line > 0, "{finding:#?}");
        finding.clone()
    };
    verification.runs.iter().map(of_run).collect()
}

/// Who met whom in a race, as (block, thread), and the index.
type Race = ([(u32, u32); 2], usize);

/// The finding is a race; gives who met whom, in each order.
fn races(mapping: &str, convert: Convert) -> Vec<Race> {
    let findings =
        found_in(mapping, convert, &Expected { kind: "race", kernel: "rt_product_0_k0", array: "y", lines: &[STORE] });
    let parties = findings.iter().map(|finding| {
        let other = finding.other.as_ref().expect("a race has two sides");
        assert_eq!((other.access.as_str(), other.c_line), ("wrote", STORE), "{finding:#?}");
        let index = finding.index.trim_matches(['[', ']']).parse().expect("one subscript");
        ([&finding.here, other].map(|side| (side.block[2], side.thread[2])), index)
    });
    parties.collect()
}

#[test]
fn what_is_not_touched_is_verified() {
    for mapping in [ONE, SEVERAL] {
        let verification = verified(convert, mapping);
        assert_eq!(verification.verdict, Verdict::Verified, "{:#?}", verification.runs);
    }
}

#[test]
fn a_race_in_a_block() {
    for ([(block, thread), (other_block, other_thread)], index) in
        races(ONE, |files, options| plant(files, options, "y[i] = sum;", "y[i / 2] = sum;"))
    {
        assert_eq!(block, other_block);
        assert_eq!((thread / 2, index), (other_thread / 2, (block * 256 + thread) as usize / 2));
        assert_ne!(thread, other_thread);
    }
}

#[test]
fn a_race_between_blocks() {
    for ([(block, thread), (other_block, other_thread)], index) in
        races(ONE, |files, options| plant(files, options, "y[i] = sum;", "y[i % 256] = sum;"))
    {
        assert_eq!(block + other_block, 1);
        assert_eq!((thread, index), (other_thread, thread as usize));
    }
}

#[test]
fn a_read_out_of_bounds() {
    let expected = Expected { kind: "out-of-bounds", kernel: "rt_product_0_k0", array: "x", lines: &[SUM] };
    for finding in found(|files, options| plant(files, options, "x[j];", "x[j + 1];"), &expected) {
        assert_eq!((finding.index.as_str(), finding.here.access.as_str()), ("[300]", "reads"));
        assert_eq!(finding.count, 300, "once a row");
    }
}

#[test]
fn a_write_without_its_guard() {
    let expected = Expected { kind: "out-of-bounds", kernel: "rt_product_0_k0", array: "y", lines: &[STORE] };
    for finding in found(|files, options| plant(files, options, "y[i] = sum;", "y[i + 1] = sum;"), &expected) {
        assert_eq!((finding.index.as_str(), finding.here.access.as_str()), ("[300]", "writes"));
        assert_eq!((finding.here.block, finding.here.thread), ([0, 0, 1], [0, 0, 299 - 256]));
    }
}

#[test]
fn a_barrier_that_not_all_threads_reach() {
    let expected =
        Expected { kind: "divergent-barrier", kernel: "rt_product_0_k1", array: "", lines: &[NORM_LOOP, NORM] };
    let convert: Convert = |files, options| {
        plant(files, options, "rt_norm += y[i_2] * y[i_2];", "rt_norm += y[i_2] * y[i_2]; __syncthreads();")
    };
    for finding in found(convert, &expected) {
        assert_eq!(finding.here.block, [0, 0, 1], "its last threads have no row, and wait at the next barrier");
    }
}

#[test]
fn data_that_are_not_copied_in() {
    let expected = Expected { kind: "uninitialised", kernel: "rt_product_0_k0", array: "x", lines: &[SUM] };
    found(|files, options| plant(files, options, "x.copy_in(0, n);", ""), &expected);
}

/// A product of 40 x 40 elements, whose pieces are copied two ahead: whole tiles, and tiles at the edge.
const COPIED: &str = "\
#include <stdio.h>
static float a[40][70], b[70][40], c[40][40];
static void product(int n, int p) {
#pragma rt prefetch(3) block(4, 4)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < p; k++)
                c[i][j] += a[i][k] * b[k][j];
}
int main(void) {
    for (int i = 0; i < 40; i++)
        for (int k = 0; k < 70; k++)
            b[k][i] = a[i][k] = (i * 3 + k * 5) % 11 - 5;
    product(40, 70);
    printf(\"%.1f\\n\", c[3][4]);
    return 0;
}
";

/// Every order of threads has such a finding.
fn each_has(verification: &Verification, is_it: impl Fn(&Finding) -> bool) {
    assert_eq!(verification.verdict, Verdict::Findings, "{:#?}", verification.runs);
    for run in &verification.runs {
        assert!(run.findings.iter().any(&is_it), "{}: {:#?}", run.order, run.findings);
    }
}

/// The same of that kind in a product that is copied ahead.
fn found_in_copies(kind: &str, convert: Convert) {
    each_has(&verified_program(COPIED, "[defaults]\nlibrary = \"never\"\n", convert), |f| f.kind == kind);
}

#[test]
fn copies_that_are_not_touched_are_verified() {
    let verification = verified_program(COPIED, "[defaults]\nlibrary = \"never\"\n", convert);
    assert_eq!(verification.verdict, Verdict::Verified, "{:#?}", verification.runs);
}

#[test]
fn copies_that_no_step_waits_for() {
    const WAIT: &str = "rt_wait_copies<STAGES - 2>();";
    found_in_copies("not-arrived", |files, options| plant_each(files, options, (WAIT, 2), ""));
    found_in_copies("not-arrived", |files, options| {
        plant_each(files, options, (WAIT, 2), "rt_wait_copies<STAGES - 1>();")
    });
}

#[test]
fn copies_to_the_stage_that_is_used() {
    found_in_copies("not-arrived", |files, options| {
        plant(files, options, "rt_mod(rt_k_ahead, STAGES)", "rt_mod(rt_k_ahead + 1, STAGES)")
    });
    found_in_copies("not-arrived", |files, options| {
        plant(files, options, "rt_mod(rt_k_last_ahead, STAGES)", "rt_mod(rt_k_last_ahead + 1, STAGES)")
    });
}

/// The comparison of an array in the first order; in the others it is the same.
fn compared(convert: Convert, array: &str) -> Array {
    let verification = verified(convert, ONE);
    assert_eq!(verification.verdict, Verdict::Differs, "{:#?}", verification.runs);
    let of_run = |run: &Run| {
        let region = &run.comparisons.as_ref().expect("it was compared").regions[0];
        assert_eq!((region.region.as_str(), region.file.as_str(), region.line), ("product_0", "p.c", 5));
        region.arrays.iter().find(|a| a.name == array).expect("it is compared").clone()
    };
    let arrays: Vec<Array> = verification.runs.iter().map(of_run).collect();
    assert!(arrays.iter().all(|array| *array == arrays[0]), "{arrays:#?}");
    arrays[0].clone()
}

#[test]
fn a_wrong_result() {
    let y =
        compared(|files, options| plant(files, options, "double sum = 0.0;", "double sum = i == 17 ? 1.0 : 0.0;"), "y");
    assert_eq!((y.elements, y.differing, y.worst_at.as_str()), (300, 1, "[17]"));
    let number = |text: &str| text.parse::<f64>().expect("a number");
    let first = &y.first[0];
    assert_eq!((first.call, first.index.as_str()), (1, "[17]"));
    assert_eq!(number(&first.converted) - number(&first.original), 1.0);
}

#[test]
fn a_result_that_is_not_copied_out() {
    let y = compared(|files, options| plant(files, options, "y.copy_out(0, n);", ""), "y");
    assert!(y.differing > 250, "{y:#?}");
}

/// Where a point of a thread lies in its block: in the code for whole tiles, in the loop and behind it, and for those at the
/// edge.
const POSITION: (&str, usize) = ("(rt_i_at * BLOCK_0 + (rt_position)threadIdx.x) * SKEW_0 + rt_i_next", 3);

#[test]
fn points_a_block_apart_that_overlap() {
    let convert: Convert = |files, options| {
        plant_each(
            files,
            options,
            POSITION,
            "(rt_i_at * (BLOCK_0 - 1) + (rt_position)threadIdx.x) * SKEW_0 + rt_i_next",
        )
    };
    for ([(block, thread), (other_block, other_thread)], index) in races(SEVERAL, convert) {
        assert_eq!((block, other_block, thread + other_thread), (0, 0, 63), "the last point of one is another's first");
        assert!([126, 127].contains(&index), "{index}");
    }
}

#[test]
fn neighbours_that_overlap() {
    let convert: Convert = |files, options| {
        plant_each(files, options, POSITION, "rt_i_at * BLOCK_0 * SKEW_0 + (rt_position)threadIdx.x + rt_i_next")
    };
    for ([(block, thread), (other_block, other_thread)], _) in races(SEVERAL, convert) {
        assert_eq!((block, thread.abs_diff(other_thread)), (other_block, 1));
    }
}

#[test]
fn points_that_coincide() {
    let expected = Expected { kind: "uninitialised", kernel: "rt_product_0_k1", array: "y", lines: &[NORM] };
    let convert: Convert =
        |files, options| plant_each(files, options, POSITION, "(rt_position)threadIdx.x * SKEW_0 + rt_i_next");
    for finding in found_in(SEVERAL, convert, &expected) {
        let index: usize = finding.index.trim_matches(['[', ']']).parse().expect("one subscript");
        assert!((128..256).contains(&index), "the second points of the first block");
        assert_eq!(finding.count, 128);
    }
}

#[test]
fn a_point_too_many_at_the_edge() {
    let expected = Expected { kind: "out-of-bounds", kernel: "rt_product_0_k0", array: "y", lines: &[STORE] };
    let convert: Convert = |files, options| plant(files, options, "if (i < n) {", "if (i <= n) {");
    for finding in found_in(SEVERAL, convert, &expected) {
        assert_eq!((finding.index.as_str(), finding.here.access.as_str()), ("[300]", "writes"));
        assert_eq!((finding.here.block, finding.here.thread), ([0, 0, 1], [0, 0, (300 - 256) / 2]));
    }
}

#[test]
fn a_tile_at_the_edge_without_its_guards() {
    let expected = Expected { kind: "out-of-bounds", kernel: "rt_product_0_k0", array: "y", lines: &[STORE] };
    let convert: Convert = |files, options| plant(files, options, "BLOCK_0 * MERGE_0 * SKEW_0 - 1) < n", "0) < n");
    for finding in found_in(SEVERAL, convert, &expected) {
        assert_eq!(finding.here.access, "writes");
        assert_eq!((finding.here.block, finding.count), ([0, 0, 1], 512 - 300), "once a point outside");
    }
}

/// Counts of keys, in copies of each block: few of the elements have room in the cells of small blocks, all in large ones.
const COUNTS: &str = "\
#include <stdio.h>
#include <stdlib.h>
static int key[5000];
static void count(int n, int nb, const int *restrict key, int h[nb]) {
    for (int i = 0; i < n; i++)
        h[key[i]]++;
}
int main(int argc, char **argv) {
    int nb = argc + 299;
    long sum = 0;
    (void)argv;
    int *h = calloc(nb, sizeof *h);
    for (int i = 0; i < 5000; i++)
        key[i] = i * 7 % 300 * (i % 3) / 2;
    count(5000, nb, key, h);
    for (int b = 0; b < 300; b++)
        sum += h[b] * (b + 1l);
    printf(\"%ld\\n\", sum);
    return 0;
}
";

fn counted(convert: Convert) -> Verification {
    verified_program(COUNTS, "[[region]]\nfunction = \"count\"\n", convert)
}

/// A finding of some kind in every run, of that array.
fn found_in_counts(kind: &str, array: &str, convert: Convert) {
    each_has(&counted(convert), |f| f.kind == kind && f.kernel == "rt_count_0_k0" && f.array == array);
}

#[test]
fn counts_that_are_not_touched_are_verified() {
    assert_eq!(counted(convert).verdict, Verdict::Verified);
}

#[test]
fn large_blocks_that_are_not_touched_are_verified() {
    const CHOICE: &str = "if (nb > 8192 && nb <= 73728 && n >= 1024 * (long)nb) {";
    let verification = counted(|files, options| plant(files, options, CHOICE, "if (nb <= 73728) {"));
    assert_eq!(verification.verdict, Verdict::Verified, "{:#?}", verification.runs);
}

#[test]
fn elements_without_a_cell_are_updated_where_they_are() {
    const COVERED: (&str, usize) = ("nb <= 4 * CELLS ? rt_min(nb, CELLS) : 0", 2);
    for convert in [(|files, options| plant_each(files, options, COVERED, "100")) as Convert, |files, options| {
        plant_each(files, options, COVERED, "0")
    }] {
        assert_eq!(counted(convert).verdict, Verdict::Verified);
    }
}

#[test]
fn copies_that_are_updated_before_all_are_clear() {
    found_in_counts("race", "rt_h_cells", |files, options| {
        let (from, to) = ("__syncthreads();\n    for (rt_position rt_first", "for (rt_position rt_first");
        plant_each(files, options, (from, 2), to)
    });
}

#[test]
fn copies_that_are_joined_before_all_are_updated() {
    found_in_counts("race", "rt_h_cells", |files, options| {
        let (from, to) = ("__syncthreads();\n    for (rt_position rt_bin", "for (rt_position rt_bin");
        plant_each(files, options, (from, 2), to)
    });
}

#[test]
fn copies_that_are_not_updated_atomically() {
    found_in_counts("race", "rt_h_cells", |files, options| {
        let (from, to) = ("rt_atomic<rt_add>(rt_h_cells[rt_h_cell], 1);", "rt_h_cells[rt_h_cell] += 1;");
        plant_each(files, options, (from, 6), to)
    });
}

#[test]
fn copies_that_do_not_hide_what_leaves_the_array() {
    found_in_counts("out-of-bounds", "h", |files, options| {
        plant_each(files, options, ("rt_h_at = rt_key_vector[rt_next];", 6), "rt_h_at = rt_key_vector[rt_next] + 250;")
    });
}

/// A product of 70 x 50 elements that warps compute: whole matrices, and tiles at the edge.
const MATRICES: &str = "\
#include <stdio.h>
static double a[70][40], b[40][50], c[70][50];
static void product(int n, int m, int p) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                c[i][j] += a[i][k] * b[k][j];
}
int main(void) {
    for (int k = 0; k < 40; k++)
        for (int i = 0; i < 70; i++) {
            a[i][k] = (i * 3 + k * 5) % 11 - 5;
            if (i < 50)
                b[k][i] = (i * 7 + k * 2) % 13 - 6;
        }
    product(70, 50, 40);
    printf(\"%.1f\\n\", c[3][4]);
    return 0;
}
";

fn of_matrices(convert: Convert) -> Verification {
    verified_program(MATRICES, "[defaults]\nlibrary = \"never\"\n", convert)
}

#[test]
fn matrices_that_are_not_touched_are_verified() {
    let verification = of_matrices(convert);
    assert_eq!(verification.verdict, Verdict::Verified, "{:#?}", verification.runs);
}

#[test]
fn matrices_that_part_of_a_warp_multiplies() {
    let verification = of_matrices(|files, options| {
        plant_each(files, options, ("rt_mma_16x8x4(", 3), "if (threadIdx.x < 3) rt_mma_16x8x4(")
    });
    each_has(&verification, |f| f.kind == "missing-lanes");
}

#[test]
fn elements_of_matrices_that_are_taken_for_others() {
    let rows: Convert = |files, options| {
        plant_each(
            files,
            options,
            ("* BLOCK_0 + (rt_position)threadIdx.y][", 3),
            "* BLOCK_0 + (rt_position)threadIdx.y / 2][",
        )
    };
    let columns: Convert =
        |files, options| plant_each(files, options, ("(rt_position)threadIdx.y % 8]", 3), "(rt_position)threadIdx.x]");
    let depth: Convert =
        |files, options| plant_each(files, options, (" * 4 + (rt_position)threadIdx.x];", 3), " * 4];");
    let halves: Convert = |files, options| {
        let (from, to) = ("rt_a_part[rt_i_pair * 2], rt_a_part[rt_i_pair * 2 + 1]", "rt_a_part[0], rt_a_part[0]");
        plant(files, options, from, to)
    };
    for (what, convert) in [("rows", rows), ("columns", columns), ("depth", depth), ("halves", halves)] {
        let verification = of_matrices(convert);
        assert_eq!(verification.verdict, Verdict::Differs, "{what}: {:#?}", verification.runs);
    }
}

/// Sums over neighbours, with windows of the plane and of the taps.
const FILTER: &str = "\
#include <stdio.h>
enum { N = 47, M = 250 };
static float plane[N + 16][M + 4], weight[16][4], out[N][M];
static void filter(int n, int m, int rows, int columns) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            for (int p = 0; p < rows; p++)
                for (int q = 0; q < columns; q++)
                    sum += plane[i + p][j + q] * weight[p][q];
            out[i][j] = sum;
        }
}
int main(void) {
    for (int i = 0; i < N + 16; i++)
        for (int j = 0; j < M + 4; j++)
            plane[i][j] = (i * 3 + j * 5) % 16;
    for (int p = 0; p < 64; p++)
        weight[p / 4][p % 4] = p % 8;
    filter(N, M, 16, 3);
    printf(\"%.1f\\n\", out[N - 1][M - 1] + out[3][5]);
    return 0;
}
";

/// Converts so that windows serve a small plane too, then replaces `from`, which the emitted file has once.
fn plant_small(files: &[PathBuf], options: &ConvertOptions, from: &str, to: &str) -> Result<Converted, Stop> {
    let mut converted = plant(files, options, ">= 262144", ">= 1")?;
    replace(&mut converted, (from, 1), to);
    Ok(converted)
}

fn filtered(convert: Convert) -> Verification {
    verified_program(FILTER, "[[region]]\nfunction = \"filter\"\n", convert)
}

/// A finding of some kind in every run, of that array.
fn found_in_windows(kind: &str, array: &str, convert: Convert) {
    each_has(&filtered(convert), |f| f.kind == kind && f.kernel == "rt_filter_0_k0_long" && f.array == array);
}

#[test]
fn windows_that_are_not_touched_are_verified() {
    let verification = filtered(|files, options| plant(files, options, ">= 262144", ">= 1"));
    assert_eq!(verification.verdict, Verdict::Verified, "{:#?}", verification.runs);
}

/// Along one axis and two, forwards and backwards, with steps, of several arrays.
#[test]
fn windows_of_all_kinds_are_verified() {
    const FILTERS: &str = include_str!("nests/filters.c");
    let convert: Convert = |files, options| plant_each(files, options, (">= 262144 && ", 6), ">= 1 && ");
    let verification = verified_program(FILTERS, "[defaults]\nlibrary = \"never\"\n", convert);
    assert_eq!(verification.verdict, Verdict::Verified, "{:#?}", verification.runs);
}

#[test]
fn a_window_that_is_too_small_by_a_row() {
    found_in_windows("out-of-bounds", "rt_plane_window", |files, options| {
        plant_small(files, options, "[BLOCK_0 + WINDOW_0 - 1]", "[BLOCK_0 + WINDOW_0 - 2]")
    });
}

#[test]
fn a_window_that_is_read_before_it_is_full() {
    found_in_windows("race", "rt_plane_window", |files, options| {
        let from = "__syncthreads();\n                for (rt_position rt_p_at";
        plant_small(files, options, from, "for (rt_position rt_p_at")
    });
}

#[test]
fn a_window_that_reaches_beyond_the_array() {
    found_in_windows("out-of-bounds", "plane", |files, options| {
        plant_small(files, options, "rt_cell_0 < n + (rt_p_count - 1)", "rt_cell_0 < n + rt_p_count")
    });
}
