//! Kernels before and after the passes that lower their registers: both run on the CPU, with the same data, and memory is compared
//! to the bit. Faults planted in what the passes made have to be found so. nvcc's kernels, emitted ones and hand-written PTX.

#[path = "support/any_ptx.rs"]
mod any_ptx;
#[path = "support/kernels.rs"]
mod kernels;

use any_ptx::mutated;
use kernels::has_nvcc;
use proptest::prelude::*;
use rtcuda::config::Given;
use rtcuda::diag::Stop;
use rtcuda::ptx::measure::{self, Ask};
use rtcuda::ptx::module::{Function, Module, Variable};
use rtcuda::ptx::read;
use rtcuda::ptx::registers::passes::{Lowered, alone};
use rtcuda::ptx::registers::spill::Slots;
use rtcuda::ptx::registers::variant::Way;
use rtcuda::ptx::run::watch::Nobody;
use rtcuda::ptx::run::{self, Launch};
use rtcuda::ptx::source::{self, Unit};
use rtcuda::ptx::types::Scalar;
use rtcuda::runtime::device::Gpu;
use rtcuda::target;
use serde_json::Value;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Bytes of shared memory for slots.
const ROOM: u32 = 32 << 10;

fn load(name: &str) -> Vec<Unit> {
    kernels::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name))
}

fn launch_of(grid: &str, block: &str, shared: u64, arguments: &[&str]) -> Launch {
    kernels::launch_of((grid, block, shared, arguments), 200_000)
}

fn number(module: &Module, kernel: &str) -> usize {
    module.functions.iter().position(|f| f.name == kernel).expect("it is there")
}

/// All arrays as a launch leaves them; `None` where it fails.
fn left(text: &str, kernel: &str, launch: &Launch) -> Option<Vec<(String, Vec<u8>)>> {
    let module = read::read(text).unwrap_or_else(|fault| panic!("{fault:?}\n{text}"));
    let done = run::run(&module, number(&module, kernel), launch, &mut Nobody).ok()?;
    Some(done.memory.arrays.into_iter().map(|array| (array.name, array.bytes)).collect())
}

/// The kernel as far as the passes go, without and with slots; how many values they took.
fn lowered(text: &str, kernel: &str, threads: u32) -> [Lowered; 2] {
    [None, Some(Slots::new(threads, ROOM))].map(|slots| {
        let mut lowered = Lowered::new(text, kernel, slots).expect("it is known");
        lowered.lower(1);
        lowered
    })
}

/// Compares a kernel before and after both passes; `None` where the launch is none of it.
fn compared(text: &str, kernel: &str, launch: &Launch) -> Option<[usize; 2]> {
    let before = left(text, kernel, launch)?;
    let text = &alone(text, &read::read(text).expect("it was"), kernel);
    let mut taken = [0; 2];
    for after in lowered(text, kernel, launch.threads()) {
        let found = left(&after.text, kernel, launch);
        assert_eq!(found.as_ref(), Some(&before), "{kernel}\n{}", after.text);
        taken = [after.rematerialised, after.spilled];
    }
    Some(taken)
}

/// A module with one kernel.
fn module(parameters: &str, declared: &str, body: &str) -> String {
    let registers = ".reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .f64 %fd<9>;";
    format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k({parameters})\n{{\n{registers}\n{declared}\n{body}\n}}\n"
    )
}

/// Values that pass through a loop with another path for every other lane, guarded moves, and one that is carried round.
const PATHS: &str = "
    ld.param.u64 %rd1, [out]; ld.param.u32 %r10, [n];
    mov.u32 %r1, %tid.x; mul.lo.u32 %r2, %r1, 3; add.u32 %r3, %r2, %r10; xor.b32 %r4, %r3, %r1;
    cvt.rn.f64.u32 %fd1, %r3; mov.u32 %r5, 0; mov.u32 %r6, 1; mul.wide.u32 %rd2, %r1, 4;
LOOP:
    and.b32 %r7, %r5, 1; setp.eq.u32 %p1, %r7, 0; @%p1 bra EVEN;
    mul.lo.u32 %r8, %r5, 7; add.u32 %r9, %r8, %r6; xor.b32 %r6, %r9, %r8;
    bra NEXT;
EVEN:
    add.u32 %r6, %r6, 5;
NEXT:
    add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, %r1; @%p2 bra LOOP;
    setp.gt.u32 %p3, %r4, 40; mov.u32 %r11, 17; @%p3 mov.u32 %r11, %r4;
    add.u32 %r12, %r11, %r6; add.u32 %r12, %r12, %r3; add.u32 %r12, %r12, %r2; cvt.rzi.u32.f64 %r13, %fd1;
    add.u32 %r12, %r12, %r13; add.s64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r12; ret;";

/// Shared memory of its own, barriers, and an operand that is written again behind its use.
const SHARED: &str = "
    ld.param.u64 %rd1, [out]; ld.param.u32 %r10, [n]; mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u32 %r3, tile;
    add.u32 %r4, %r2, %r3; add.u32 %r5, %r1, %r10; st.shared.u32 [%r4], %r5; mul.lo.u32 %r6, %r5, %r5; add.u32 %r10, %r10, 1;
    bar.sync 0;
    xor.b32 %r7, %r2, 4; add.u32 %r7, %r7, %r3; ld.shared.u32 %r8, [%r7]; mul.lo.u32 %r9, %r8, %r8; add.u32 %r11, %r9, %r8;
    mad.lo.u32 %r12, %r11, %r9, %r8;
    bar.sync 0;
    add.u32 %r12, %r12, %r6; add.u32 %r12, %r12, %r5; mad.lo.u32 %r12, %r12, 3, %r10; st.shared.u32 [%r4], %r12;
    mul.wide.u32 %rd2, %r1, 4; add.s64 %rd1, %rd1, %rd2; ld.shared.u32 %r13, [%r4]; st.global.u32 [%rd1], %r13; ret;";

/// Values of memory that wait behind a loop: of 32 and of 64 bits, one of them carried on in an outer loop.
const LOADED: &str = "
    ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd1, %rd1, %rd2;
    ld.global.u32 %r2, [%rd1]; ld.global.u32 %r3, [%rd1]; add.u32 %r3, %r3, %r1;
    cvt.rn.f64.u32 %fd1, %r3; sqrt.rn.f64 %fd1, %fd1; mov.u32 %r4, 0; mov.u32 %r12, 0;
OUTER:
    mov.u32 %r5, 0; mov.u32 %r6, 1;
INNER:
    mad.lo.u32 %r7, %r5, 3, %r6; xor.b32 %r8, %r7, %r5; add.u32 %r9, %r7, %r8; mad.lo.u32 %r10, %r9, %r8, %r7; add.u32 %r6, %r10, %r9;
    mad.lo.u32 %r6, %r6, %r8, %r10; add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 3; @%p1 bra INNER;
    add.u32 %r12, %r12, %r6; xor.b32 %r12, %r12, %r3; add.u32 %r3, %r3, 7;
    add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, %r2; @%p2 bra OUTER;
    add.u32 %r12, %r12, %r2; cvt.rzi.u32.f64 %r13, %fd1; mad.lo.u32 %r12, %r13, 5, %r12; st.global.u32 [%rd1], %r12; ret;";

const PARAMETERS: &str = ".param .u64 out, .param .u32 n";

#[test]
fn hand_written_kernels_compute_the_same() {
    let arguments = ["out=u32[64]", "n=9"];
    let mut all = [0; 2];
    for (declared, body) in [("", PATHS), (".shared .align 4 .b32 tile[64];", SHARED), ("", LOADED)] {
        // In blocks of more dimensions, threads share elements.
        let blocks = if body == LOADED { &["64"][..] } else { &["64", "8,4,2"] };
        for block in blocks {
            let text = module(PARAMETERS, declared, body);
            let taken = compared(&text, "k", &launch_of("1", block, 0, &arguments)).expect("it runs");
            all = [all[0] + taken[0], all[1] + taken[1]];
        }
    }
    assert!(all[0] >= 20 && all[1] >= 6, "{all:?}");
    let exchange = include_str!("ptx/exchange.ptx");
    compared(exchange, "exchange", &launch_of("1", "64", 16, &["out=u32[64]"])).expect("it runs");
    compared(
        include_str!("ptx/rows.ptx"),
        "rows",
        &launch_of("2,8", "32,8", 0, &["a=f32[4096]", "b=f32[4096]", "n=60"]),
    )
    .expect("it runs");
}

#[test]
fn planted_faults_are_found() {
    let text = module(PARAMETERS, "", LOADED);
    let launch = launch_of("1", "64", 0, &["out=u32[64]", "n=9"]);
    let before = left(&text, "k", &launch).expect("it runs");
    let [_, spilled] = lowered(&text, "k", 64);
    assert_eq!(left(&spilled.text, "k", &launch), Some(before.clone()));
    // Two values in one slot; a thread at its neighbour's place; a value that is not loaded again.
    let planted = [("+1024]", "+1280]"), ("shl.b32 %rt_0, %rt_0, 2;", ""), ("ld.volatile.shared", "// ")];
    for (right, wrong) in planted {
        let faulty = spilled.text.replace(right, wrong);
        assert_ne!(faulty, spilled.text, "{right}");
        assert_ne!(left(&faulty, "k", &launch), Some(before.clone()), "{right}");
    }
    // A value that is computed anew where an operand is another by now.
    let shared = module(PARAMETERS, ".shared .align 4 .b32 tile[64];", SHARED);
    let before = left(&shared, "k", &launch).expect("it runs");
    let right = "add.u32 %r12, %r12, %r5; mad";
    let wrong = "add.u32 %r14, %r1, %r10; add.u32 %r12, %r12, %r14; mad";
    assert_ne!(left(&shared.replace(right, wrong), "k", &launch), Some(before), "{shared}");
    for after in lowered(&shared, "k", 64) {
        assert!(after.text.contains("add.u32 %r5, %r1, %r10;"), "%r10 is another behind:\n{}", after.text);
    }
}

#[test]
fn kernels_of_nvcc_compute_the_same() {
    if !has_nvcc("kernels_of_nvcc_compute_the_same") {
        return;
    }
    let units = load("ptx/kernels.cu");
    let shape = "s={s32:200,f32:0.5,f32:0.25,f32:2,f64:0.125}";
    for (kernel, launch) in [
        ("total", launch_of("3", "128", 512, &["a=f32[1000]", "sum=f32[1]:zero", "n=1000"])),
        ("paths", launch_of("4", "64", 0, &["a=s32[200]", "b=f32[200]", shape])),
        ("vectors", launch_of("1", "32", 0, &["a=f32[128]", "b=f32[64]", "c=u8[32]"])),
        ("steps", launch_of("4", "32", 0, &["a=s32[128]:iota", "n=128", "times=5"])),
        ("singles", launch_of("1", "32", 0, &["a=f32[32]", "b=f32[256]"])),
        ("doubles", launch_of("1", "32", 0, &["a=f64[32]", "b=f64[256]"])),
        ("integers", launch_of("1", "32", 0, &["a=s32[32]:rand(1000)", "b=s64[256]"])),
    ] {
        let (unit, number) = source::kernel(&units, Some(kernel)).unwrap_or_else(|d| panic!("{}", d.message));
        compared(&unit.text, &unit.module.functions[number].name, &launch).expect("it runs");
    }
}

/// Arguments for parameters of which nobody says what they are: addresses of arrays, extents in structures, small numbers.
fn guessed(function: &Function, ty: &str) -> Vec<String> {
    let one = |(at, parameter): (usize, &Variable)| {
        let array = format!("{ty}[{}]", 262_144 / Scalar::named(ty).expect("a type").bytes());
        let rest = (parameter.bytes as usize).saturating_sub(8) / 8;
        match parameter.ty {
            _ if parameter.is_array => format!("p{at}={{{array}{}}}", ",s64:20".repeat(rest)),
            Scalar::F32 | Scalar::F64 => format!("p{at}=0.5"),
            ty if ty.bits() == 64 => format!("p{at}={array}"),
            _ => format!("p{at}=20"),
        }
    };
    function.parameters().iter().enumerate().map(one).collect()
}

#[test]
fn emitted_kernels_compute_the_same() {
    if !has_nvcc("emitted_kernels_compute_the_same") {
        return;
    }
    let (mut ran, mut all) = (0, [0; 2]);
    for program in ["ptx/emitted.c", "programs/lbm.c", "programs/in_place.c", "programs/branches.c"] {
        for unit in load(program) {
            for function in unit.module.functions.iter().filter(|function| function.is_kernel) {
                let block =
                    function.bounds.required.or(function.bounds.most).unwrap_or([64, 1, 1]).map(|n| n.to_string());
                let taken = ["f64", "f32", "s32"].iter().find_map(|ty| {
                    let arguments = guessed(function, ty);
                    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
                    compared(&unit.text, &function.name, &launch_of("2,2", &block.join(","), 0, &words))
                });
                if let Some(taken) = taken {
                    ran += 1;
                    all = [all[0] + taken[0], all[1] + taken[1]];
                }
            }
        }
    }
    assert!(ran >= 10 && all[0] >= 20 && all[1] >= 20, "{ran} {all:?}");
}

fn rtcuda(folder: &Path, words: &[&str]) -> (Option<i32>, String, String) {
    let out = Command::new(env!("CARGO_BIN_EXE_rtcuda")).args(words).current_dir(folder).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (out.status.code(), text(&out.stdout), text(&out.stderr))
}

#[test]
fn variants_are_told_and_written() {
    if !has_nvcc("variants_are_told_and_written") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let kernels = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ptx/kernels.cu").display().to_string();
    let wide = ["ptx", "registers", &kernels, "--kernel", "wide", "--reduce", "--json"];
    let told = |more: &[&str]| {
        let (status, out, said) = rtcuda(folder.path(), &[&wide[..], more].concat());
        assert_eq!(status, Some(0), "{said}");
        serde_json::from_str::<Value>(&out).unwrap()
    };
    let answer = told(&["--block", "1024", "--all", "--variant", "spill-maxnreg", "-o", "out"]);
    let kernel = &answer["kernels"][0];
    assert_eq!((&kernel["goal"]["blocks"], &kernel["goal"]["registers"]), (&Value::from(2), &Value::from(32)));
    assert_eq!(answer["measured"], false);
    let variants = kernel["variants"].as_array().unwrap();
    let number = |way: &str, key: &str| {
        let variant =
            variants.iter().find(|variant| variant["way"] == way).unwrap_or_else(|| panic!("{way}: {kernel:#}"));
        variant[key].as_u64().unwrap()
    };
    assert!(number("maxnreg", "spill_stores") > number("spill-maxnreg", "spill_stores"), "{kernel:#}");
    assert_eq!(number("spill-maxnreg", "shared"), 4096 * number("spill-maxnreg", "spilled"));
    assert_eq!(number("spill-maxnreg", "blocks"), 2);
    // The written file says the same of itself, and differs from what nvcc wrote in that kernel alone.
    let (status, again, said) =
        rtcuda(folder.path(), &["ptx", "registers", "out/kernels.reduced.ptx", "--kernel", "wide", "--json"]);
    assert_eq!(status, Some(0), "{said}");
    let again: Value = serde_json::from_str(&again).unwrap();
    assert_eq!(again["kernels"][0]["spill_stores"].as_u64().unwrap(), number("spill-maxnreg", "spill_stores"));
    let written = std::fs::read_to_string(folder.path().join("out/kernels.reduced.ptx")).unwrap();
    let unit = load("ptx/kernels.cu").remove(0);
    let after = read::read(&written).unwrap();
    for (before, after) in unit.module.functions.iter().zip(&after.functions).filter(|(f, _)| f.source_name() != "wide")
    {
        assert_eq!(unit.text[before.span.clone()], written[after.span.clone()]);
    }
    // Without a block nobody knows how many slots there are.
    let answer = told(&["--all"]);
    let notes = answer["kernels"][0]["notes"].to_string();
    assert!(
        notes.contains("spill: the threads of a block are not known") || notes.contains("no more blocks"),
        "{notes}"
    );
    let (status, _, said) = rtcuda(folder.path(), &["ptx", "registers", &kernels, "--variant", "spill"]);
    assert!(status == Some(2) && said.contains("--reduce"), "{said}");
}

const PROGRAM: &str = "
#include <cstdio>
__global__ void __launch_bounds__(256) twice(float *a, int n) {
    float x[48];
    for (int k = 0; k < 48; k++) x[k] = a[threadIdx.x + k * n];
    for (int t = 0; t < n; t++) for (int k = 0; k < 48; k++) x[k] = x[(k + 1) % 48] * x[k] + 1.0f;
    for (int k = 0; k < 48; k++) a[threadIdx.x + k * n] = x[k];
}
int main() { twice<<<1, 256>>>(0, 0); std::printf(\"%s\\n\", SAID); }
";

#[test]
fn programs_build_with_reduced_kernels() {
    if !has_nvcc("programs_build_with_reduced_kernels") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a b.cu"), PROGRAM).unwrap();
    // Signs that a shell would read stay as they are.
    let flag = "-DSAID=\"it's; $HOME `ls` a\"";
    let build = ["ptx", "build", "a b.cu", "-o", "program", "--variant", "spill-maxnreg", "--", "-O3", flag];
    let (status, out, said) = rtcuda(folder.path(), &build);
    assert_eq!(status, Some(0), "{said}");
    assert!(out.contains("twice (sm_90, Hopper)") && out.contains("built: program"), "{out}");
    let program = folder.path().join("program");
    let ran = Command::new(&program).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&ran.stdout), "it's; $HOME `ls` a\n");
    // The slots stand in the machine's code.
    let code = ["ptx", "build", "a b.cu", "-o", "k.cubin", "--variant", "spill-maxnreg", "--", "-cubin", flag];
    assert_eq!(rtcuda(folder.path(), &code).0, Some(0));
    let bytes = std::fs::read(folder.path().join("k.cubin")).unwrap();
    let has = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(has(".nv.shared._Z5twicePfi"));
    let (status, _, said) =
        rtcuda(folder.path(), &["ptx", "build", "a b.cu", "-o", "p", "--kernel", "none", "--", flag]);
    assert!(status == Some(2) && said.contains("no kernel `none`"), "{said}");
    let (status, _, said) = rtcuda(folder.path(), &["ptx", "build", "a b.cu", "-o", "p"]);
    assert!(status == Some(2) && said.contains("SAID"), "{said}");
    let (status, _, said) = rtcuda(folder.path(), &["ptx", "build", "k.ptx", "-o", "p"]);
    assert!(status == Some(2) && said.contains("no CUDA file"), "{said}");
}

/// The whole way of `--keep-faster` but for times, which there are none of without a GPU: programs with every way are built and run, and
/// their launches and output are noted.
#[test]
fn programs_are_run_with_every_way() {
    if !has_nvcc("programs_are_run_with_every_way") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("a b.cu");
    std::fs::write(&source, PROGRAM).unwrap();
    // It prints the name that it is called by, which is the same with each way.
    let said = ["-arch=sm_90", "-include", "errno.h", "-DSAID=program_invocation_name"];
    let flags: Vec<OsString> = std::iter::once(source.into()).chain(said.map(OsString::from)).collect();
    let output = folder.path().join("program");
    let machine = target::machine(90).unwrap();
    let given = Given::default();
    let limit = Duration::from_secs(60);
    let mut ask = Ask { machine: &machine, flags: &flags, output: &output, kernel: None, given, rounds: 2, limit };
    let answer = measure::keep_faster(&ask).unwrap_or_else(|stop| panic!("{stop:?}"));
    let [kernel] = &answer.kernels[..] else { panic!("one kernel: {answer:#?}") };
    assert_eq!((kernel.name.as_str(), kernel.launches, kernel.threads), ("twice", 1, 256));
    assert_eq!((answer.printed, answer.fetched, &answer.undecided), ((1, 0), (0, 0), &None));
    assert!(kernel.tried.len() >= 6, "{kernel:#?}");
    // Rematerialisation finds nothing in it, and is none of its ways alone.
    assert!(!kernel.tried.iter().any(|tried| tried.way == Way::Remat), "{kernel:#?}");
    let is_other = |why: &String| why.contains("something else");
    assert!(!kernel.tried.iter().any(|tried| tried.refused.as_ref().is_some_and(is_other)), "{kernel:#?}");
    // A launch that fails takes no time, and nothing is kept for it.
    if Gpu::first().is_err() {
        assert!(
            kernel.kept.is_none() && kernel.notes.iter().any(|note| note.contains("could be timed")),
            "{kernel:#?}"
        );
    }
    let ran = Command::new(&output).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&ran.stdout), format!("{}\n", output.display()));
    ask.kernel = Some("none");
    let Err(Stop::Input(d)) = measure::keep_faster(&ask) else { panic!("there is no such kernel") };
    assert!(d.message.contains("launches no kernel that is meant") && d.help.unwrap().contains("twice"));
}

#[test]
fn without_a_gpu_nothing_is_kept() {
    if !has_nvcc("without_a_gpu_nothing_is_kept") || Gpu::first().is_ok() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("k.cu"), PROGRAM).unwrap();
    let build = ["ptx", "build", "k.cu", "-o", "program", "--keep-faster", "--arg", "7", "--", "-DSAID=\"a\""];
    let (status, out, said) = rtcuda(folder.path(), &build);
    assert_eq!(status, Some(0), "{said}");
    assert!(
        out.contains("spill-maxnreg")
            && out.contains("nothing is measured: ")
            && out.contains("program is built as it is")
    );
    let (status, _, said) = rtcuda(folder.path(), &[&build[..6], &["--", "-c"]].concat());
    assert!(status == Some(2) && said.contains("`-c` makes none"), "{said}");
    let (status, _, said) = rtcuda(folder.path(), &[&build[..6], &["--variant", "spill"]].concat());
    assert!(status == Some(2) && said.contains("--keep-faster"), "{said}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Kernels as nobody writes them, of one warp, so that no race decides: those that still run compute the same afterwards.
    #[test]
    fn any_kernel_that_runs_computes_the_same(
        which in 0..3usize,
        changes in prop::collection::vec((any::<u8>(), any::<usize>(), any::<usize>()), 0..5),
    ) {
        let (declared, body) = [("", PATHS), (".shared .align 4 .b32 tile[64];", SHARED), ("", LOADED)][which];
        let text = module(PARAMETERS, declared, &mutated(body, &changes));
        let Ok(read) = read::read(&text) else { return Ok(()) };
        let is_one = read.functions.len() == 1 && read.functions[0].is_kernel && read.functions[0].unknown.is_empty();
        let short = Launch { limit: 20_000, ..launch_of("1", "32", 0, &["out=u32[64]", "n=9"]) };
        let before = if is_one { left(&text, &read.functions[0].name, &short) } else { None };
        if let Some(before) = before {
            let long = Launch { limit: 200_000, ..short };
            // Slots move a kernel's own shared memory, whose address a mutation may store or take for 0.
            let passes = if declared.is_empty() { 2 } else { 1 };
            for after in lowered(&text, &read.functions[0].name, 32).into_iter().take(passes) {
                prop_assert_eq!(left(&after.text, &read.functions[0].name, &long), Some(before.clone()), "{}\n{}", text, after.text);
            }
        }
    }
}
