//! What emission refuses, and what it holds to for any program.

use crate::sample;
use rtcuda::diag::Stop;
use rtcuda::emit::{File, Program, emit};
use rtcuda::host_plan::choice::{Case, Select, When};
use rtcuda::host_plan::guard::Guard;
use rtcuda::host_plan::ir::{HostStmt, Region};
use rtcuda::host_plan::verify::{self, Settled};
use rtcuda::kernel::StmtKind;

fn refusal(change: impl Fn(&mut Program)) -> String {
    let mut program = sample::program();
    change(&mut program);
    match emit(&program, &sample::options(false)) {
        Err(Stop::Bug(what)) => what,
        other => panic!("{other:?}"),
    }
}

fn text<'a>(files: &'a [File], path: &str) -> &'a str {
    let file = files.iter().find(|f| f.path.to_string_lossy() == path).unwrap();
    std::str::from_utf8(&file.contents).unwrap()
}

#[test]
fn the_same_program_gives_the_same_bytes() {
    let once = || emit(&sample::program(), &sample::options(true)).unwrap();
    assert_eq!(once(), once());
}

#[test]
fn a_broken_contract_is_refused_and_named() {
    let overlapping = refusal(|p| p.files[0].sites[1].range = p.files[0].sites[0].range.clone());
    assert!(overlapping.contains("region `product` overlaps"), "{overlapping}");
    let outside = refusal(|p| p.files[0].sites[2].range.end = 1 << 20);
    assert!(outside.contains("region `histogram`"), "{outside}");
    let undeclared = refusal(|p| p.files[0].sites[0].region.kernels[0].arrays.truncate(1));
    assert!(undeclared.contains("undeclared array `x`"), "{undeclared}");
    let unknown = refusal(|p| p.files[0].sites[0].region.arrays.truncate(1));
    assert!(unknown.contains("has no array `b`"), "{unknown}");
    let rank = refusal(|p| p.files[0].sites[0].region.kernels[0].arrays[0].extents.truncate(1));
    assert!(rank.contains("`a` has 1 extents and an access with 2 subscripts"), "{rank}");
}

/// Findings of the verifier of plans once the sample's plan of a region has a fault.
fn found(region: usize, plant: impl Fn(&mut Region)) -> String {
    let mut plan = sample::program().files[0].sites[region].region.clone();
    assert_eq!(verify::plan(&plan, Settled::All), Vec::<String>::new());
    plant(&mut plan);
    verify::plan(&plan, Settled::All).join("; ")
}

#[test]
fn a_plan_that_breaks_its_contract_is_found() {
    let undeclared = found(0, |plan| plan.params.truncate(1));
    assert!(undeclared.contains("a loop reads `err`") || undeclared.contains("reads `tol`"), "{undeclared}");
    let unheld = found(2, |plan| plan.arrays.truncate(1));
    assert!(unheld.contains("a copy names `hist`, which the region does not hold"), "{unheld}");
    let missing = found(1, |plan| plan.kernels.clear());
    assert!(missing.contains("kernel 0 of 0 is launched"), "{missing}");
    let open = found(2, |plan| plan.body[2] = HostStmt::launch(0, 43));
    assert_eq!(open, "a launch has several ways");
    let unguarded = found(2, |plan| plan.guards.push(Guard::holds(sample::expr("m >= 0"), String::new(), 0)));
    assert_eq!(unguarded, "a guard reads `m`, which is not declared there");
    let late = found(2, |plan| plan.body.insert(0, HostStmt::Compute(sample::statements("n = later;").remove(0))));
    assert_eq!(late, "a statement reads `later`, which is not declared there");
    let endless = found(2, |plan| {
        let case = Case { when: When::FillsUnevenly { blocks: sample::expr("n") }, then: vec![] };
        plan.body.push(HostStmt::Select(Select { cases: vec![case] }));
    });
    assert_eq!(endless, "a choice has no last case, or one before it");
}

#[test]
fn much_shared_memory_is_asked_for_at_the_launch() {
    let mut program = sample::program();
    let kernel = &mut program.files[0].sites[1].region.kernels[0];
    let StmtKind::Shared { extents, .. } = &mut kernel.body[0].kind else { panic!("{:?}", kernel.body[0]) };
    extents[0] = sample::expr("BLOCK_0 * 400");
    let files = emit(&program, &sample::options(false)).unwrap();
    let text = text(&files, "sample.cu");
    assert!(text.contains("RT_SHARED_FIRST(float, rt_b, [BLOCK_0 * 400][BLOCK_1]);"), "{text}");
    assert!(text.contains("rt.launch_with_shared(51200, \"product_0\", 33, product_0<4, 8>, "), "{text}");
}

#[test]
fn files_of_one_name_and_files_without_regions_are_kept_apart() {
    let mut program = sample::program();
    let mut other = program.files[0].clone();
    other.path = "/elsewhere/sample.c".into();
    other.text = b"int unused; /* \xe9 */\n".to_vec();
    other.sites.clear();
    other.homecomings.clear();
    program.files.push(other);
    let files = emit(&program, &sample::options(false)).unwrap();
    let copied = files.iter().find(|f| f.path.to_string_lossy() == "sample_2.c").unwrap();
    assert_eq!(copied.contents, b"int unused; /* \xe9 */\n");
    assert!(text(&files, "sample_2.cflags").contains("-iquote\n/elsewhere\n"));
    assert!(text(&files, "Makefile").contains("\nC := sample sample_2\nCU := sample\n"));
    assert!(text(&files, "rtcuda.json").contains("\"sample_2.c\""));
}

#[test]
fn names_beside_a_users_name_are_free() {
    let mut program = sample::program();
    let region = &mut program.files[0].sites[2].region;
    region.params.push(rtcuda::host_plan::ir::Param::Array {
        name: "v_host".into(),
        c_expr: "v".into(),
        is_const: true,
    });
    let files = emit(&program, &sample::options(false)).unwrap();
    assert!(text(&files, "sample.cu").contains("const void *const v_host_, "), "{}", text(&files, "sample.cu"));
}
