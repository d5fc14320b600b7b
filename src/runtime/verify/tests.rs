//! Verdicts on emitted programs written by hand: the real headers, compilers and runs behind a stand-in conversion.

use super::*;
use crate::config::{Backend, Config};
use crate::diag::render::Style;
use crate::emit::File;
use expect_test::{Expect, expect};
use serde_json::json;

const HEADERS: &[(&str, &str)] = crate::emit::RUNTIME;

/// A program that doubles an array of 8 in check mode; `kernel` is the body of its kernel.
fn emitted(kernel: &str, ending: &str) -> Converted {
    program("a[i] *= 2;", kernel, ending)
}

/// The same with any original loop.
fn program(original: &str, kernel: &str, ending: &str) -> Converted {
    let c = format!(
        "#include <fenv.h>\n#include <stdlib.h>\nextern void before(const void *a), after(const void *a);\n\
         int main(void) {{ double a[8] = {{1, 2, 3, 4, 5, 6, 7, 8}};\n\
         before(a); for (int i = 0; i < 8; i++) {original} after(a); {ending} }}\n"
    );
    let cu = format!(
        r#"#include "rt_runtime.h"
RT_KERNEL void k(const long n, const rt_out<double> a) {{ const long i = threadIdx.x; {kernel} // p.c:3
}}
extern "C" int entry(void *a_host) try {{
    rt::region rt("f_0", "p.c", 3);
    rt::array<double> a(rt, "a", a_host, 8);
    a.copy_in(0, 8);
    rt.launch("k", 3, k, rt_dims(1), rt_dims(32), 8, a);
    a.copy_out(0, 8);
    rt.done();
    return 1;
}} catch (const rt::error &e) {{ return rt::failed(e); }}
extern "C" void before(const void *a) {{
    rt::check &c = rt::check::open("f_0", "p.c", 3);
    c.array("a", a, sizeof(double), rt::type_of<double>(), {{8}}, {{0, 8}}, {{0, 8}});
    c.converted(entry(c["a"]));
    c.stand_by();
}}
extern "C" void after(const void *a) {{ rt::check &c = rt::check::open_again("f_0", "p.c", 3); c.compare("a", a); c.close(); }}
"#
    );
    let file = |name: &str, text: &str| File { path: name.into(), contents: text.into() };
    let mut files = vec![file("p.c", &c), file("p.cu", &cu), file("p.cflags", "")];
    files.extend(HEADERS.iter().map(|(name, text)| file(name, text)));
    let report = json!({"regions": [{}]});
    let (diagnostics, entries, functions) = (Vec::new(), Vec::new(), Vec::new());
    let (dumps, operations, beside_users) = Default::default();
    Converted { files, diagnostics, report, dumps, operations, entries, beside_users, functions }
}

fn verified(convert: Convert) -> Vec<Verification> {
    let mut config = Config::default();
    config.target.backend = Backend::Cpu;
    let program = Program { files: vec!["p.c".into()], config, config_file: None };
    let options = Options::new(convert, Duration::from_secs(20));
    all(&[program], &options, &|_| {})
}

fn check(convert: Convert, verdict: Verdict, expected: Expect) {
    let mut results = verified(convert);
    assert_eq!(results[0].verdict, verdict, "{:?}", results[0].runs);
    results[0].seconds = 0.0;
    expected.assert_eq(&text::text(&results, Style::Plain));
}

#[test]
fn a_right_kernel() {
    check(
        |_, _| Ok(emitted("if (i < n) a[i] = 2 * a[i];", "")),
        Verdict::Verified,
        expect![[r#"
        program  regions  calls  elements  worst error  findings  verdict   time
        p.c      1        1      8         0            0         verified  0.0 s
    "#]],
    );
}

#[test]
fn a_wrong_result() {
    check(
        |_, _| Ok(emitted("if (i < n) a[i] = i == 5 ? 0 : 2 * a[i];", "")),
        Verdict::Differs,
        expect![[r#"
            program  regions  calls  elements  worst error  findings  verdict  time
            p.c      1        1      8         1.0e0        0         differs  0.0 s

            p.c
                region f_0 (p.c:3): a differs in 1 of 8 elements
                  call 1: a[5] is 12 in the original, 0 converted
        "#]],
    );
}

#[test]
fn a_difference_that_rounding_explains() {
    check(
        |_, _| Ok(program("a[i] = a[i] / 3 * 3 - a[i];", "if (i < n) a[i] = fma(a[i] / 3, 3, -a[i]);", "")),
        Verdict::Verified,
        expect![[r#"
            program  regions  calls  elements  worst error  findings  verdict   time
            p.c      1        1      8         0            0         verified  0.0 s

            p.c
                region f_0 (p.c:3): a differs by rounding in 6 of 8 elements: another rounding mode changes the original as much
        "#]],
    );
}

#[test]
fn a_difference_that_rounding_does_not_explain() {
    let convert: Convert = |_, _| Ok(program("a[i] = a[i] / 3;", "if (i < n) a[i] = a[i] / 3 * (1 + 1e-8);", ""));
    assert_eq!(verified(convert)[0].verdict, Verdict::Differs);
}

#[test]
fn a_condition_on_rounding_is_no_explanation_for_all_elements() {
    let convert: Convert =
        |_, _| Ok(program("a[i] = a[i] / 3 * 3 > a[i];", "if (i < n) a[i] = a[i] / 3 * 3 > a[i] ? 0 : 2;", ""));
    assert_eq!(verified(convert)[0].verdict, Verdict::Differs);
}

#[test]
fn original_loops_that_crash_with_other_rounding() {
    let convert: Convert = |_, _| Ok(program("if (fegetround() != FE_TONEAREST) abort();", "if (i < n) a[i] = 0;", ""));
    assert_eq!(verified(convert)[0].verdict, Verdict::Differs);
}

#[test]
fn original_loops_that_do_not_end_with_other_rounding() {
    let convert: Convert = |_, _| Ok(program("while (fegetround() != FE_TONEAREST);", "if (i < n) a[i] = 0;", ""));
    assert_eq!(verified(convert)[0].verdict, Verdict::Differs);
}

#[test]
fn a_race() {
    let results = verified(|_, _| Ok(emitted("if (i < n) a[i / 2] = 2 * a[i];", "")));
    assert_eq!(results[0].verdict, Verdict::Findings);
    assert!(results[0].runs.iter().all(|run| run.findings[0].kind == "race" && run.findings[0].here.c_line == 3));
}

#[test]
fn out_of_bounds() {
    check(
        |_, _| Ok(emitted("if (i <= n) a[i] = 2 * a[i];", "")),
        Verdict::Findings,
        expect![[r#"
            program  regions  calls  elements  worst error  findings  verdict   time
            p.c      1        1      8         0            1         findings  0.0 s

            p.c
                out-of-bounds in kernel k (2 times): a has elements 0 to 7 here, and 8 is asked for
                  thread (0,0,8) of block (0,0,0) reads at p.c:3
        "#]],
    );
}

#[test]
fn a_program_that_crashes_elsewhere() {
    let failed = Verdict::Failed("killed by signal 6 (abort)".into());
    check(
        |_, _| Ok(emitted("if (i < n) a[i] = 2 * a[i];", "__builtin_abort();")),
        failed,
        expect![[r#"
        program  regions  calls  elements  worst error  findings  verdict  time
        p.c      1        0      0         0            0         failed   0.0 s

        p.c
          the converted program failed: killed by signal 6 (abort)
          see whether the original runs clean on the same input, built with -fsanitize=address,undefined
    "#]],
    );
}

#[test]
fn an_error_after_a_comparison() {
    let convert: Convert = |_, _| Ok(emitted("if (i < n) a[i] = 2 * a[i];", "int entry(void *); entry(0);"));
    let results = verified(convert);
    assert_eq!(results[0].verdict, Verdict::Failed("exit status 3".into()), "{:?}", results[0].runs);
}

#[test]
fn a_status_of_the_program_s_own() {
    let convert: Convert = |_, _| Ok(emitted("if (i < n) a[i] = 2 * a[i];", "return 3;"));
    assert_eq!(verified(convert)[0].verdict, Verdict::Verified);
}

#[test]
fn nothing_converted() {
    let convert: Convert = |_, _| Ok(Converted { report: json!({"regions": []}), ..emitted("", "") });
    check(
        convert,
        Verdict::NothingConverted,
        expect![[r#"
        program  regions  calls  elements  worst error  findings  verdict            time
        p.c      0        0      0         0            0         nothing converted  0.0 s
    "#]],
    );
}

#[test]
fn emitted_text_that_does_not_compile() {
    let convert: Convert = |_, options| {
        let mut converted = emitted("if (i < n) a[i] = 2 * a[i];", "");
        let cu = converted.files.iter_mut().find(|f| f.path.ends_with("p.cu")).unwrap();
        let region = |name: &str, line: u32| json!({"name": name, "lines": [line, line]});
        let mut regions = vec![region("f_0", 3)];
        if let Some(words) = options.left_out.get("g_0") {
            assert_eq!(options.left_out.len(), 1);
            let said = Diagnostic::new(Severity::Warning, "emitted-refused", format!("g_0: {words}"), None);
            converted.diagnostics.push(said);
        } else {
            regions.push(region("g_0", 9));
            cu.contents.extend(b"extern \"C\" int rt_g_0(int n)\n{\n    return none_such(n);\n}\n");
        }
        Ok(Converted { report: json!({"regions": regions}), ..converted })
    };
    let results = verified(convert);
    assert_eq!((&results[0].verdict, results[0].converted), (&Verdict::Verified, 1), "{:?}", results[0].runs);
    let text = text::text(&results, Style::Plain);
    assert!(text.contains("verified") && text.contains("g_0: ") && text.contains("none_such"), "{text}");
}

#[test]
fn emitted_text_that_never_compiles() {
    let convert: Convert = |_, _| {
        let mut converted = emitted("a[i] = none_such(i);", "");
        converted.report = json!({"regions": [{"name": "f_0", "lines": [3, 3]}]});
        Ok(converted)
    };
    let results = verified(convert);
    assert!(matches!(&results[0].verdict, Verdict::Bug(what) if what.contains("p.cu")), "{:?}", results[0].verdict);
}
