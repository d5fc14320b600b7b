//! `rtcuda profile` and `rtcuda report` on a program of two files: where its time goes, and one page about it.

#[path = "support/folder.rs"]
mod folder;

use folder::Folder;
use rtcuda::source::which::which;
use std::process::{Command, Output};

/// A hot loop that converts, one that stays because of what it calls, and names that are markup in a page.
const FILES: &[(&str, &str)] = &[
    (
        "heat.c",
        "#include <stdio.h>\n#include <stdlib.h>\n\
         void step(int n, double u[n], double v[n]);\n\
         static double u[20000], v[20000];\n\
         int main(void)\n{\n\
         \x20   for (int i = 0; i < 20000; i++) u[i] = i % 7;\n\
         \x20   for (int t = 0; t < 20; t++) {\n        step(20000, u, v);\n        if (getenv(\"STOP\")) break;\n    }\n\
         \x20   for (int i = 0; i < 20000; i += 2000)\n        printf(\"<script>alert(1)</script> %g\\n\", u[i]);\n\
         \x20   return 0;\n}\n",
    ),
    (
        "step.c",
        "void step(int n, double u[n], double v[n])\n{\n\
         \x20   for (int i = 1; i < n - 1; i++)\n        v[i] = u[i] < 1 && u[i] > 0 ? 0.25 * (u[i - 1] + 2 * u[i] + u[i + 1]) : u[i];\n\
         \x20   for (int i = 1; i < n - 1; i++)\n        u[i] = v[i];\n}\n",
    ),
];

fn run(folder: &Folder, words: &str) -> Output {
    let mut command = folder.command(env!("CARGO_BIN_EXE_rtcuda"));
    command.args(words.split_whitespace()).output().expect("the command runs")
}

/// Output of a command that must succeed.
fn printed(folder: &Folder, words: &str) -> String {
    let output = run(folder, words);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

#[test]
fn a_profile_has_each_loop_with_what_keeps_it_on_the_host() {
    let folder = Folder::new(FILES);
    let text = printed(&folder, "profile heat.c step.c");
    assert!(text.contains("for i in step()") && text.contains("region step_0"), "{text}");
    let json: serde_json::Value = serde_json::from_str(&printed(&folder, "profile --json heat.c step.c")).unwrap();
    let loops = json["loops"].as_array().unwrap();
    let of = |file: &str, line: u64| {
        let is_it = |l: &&serde_json::Value| l["file"] == file && l["lines"][0] == line;
        loops.iter().find(is_it).unwrap_or_else(|| panic!("{file}:{line} of {json:#}"))
    };
    assert_eq!((&of("step.c", 3)["entered"], &of("step.c", 3)["region"]), (&20.into(), &"step_0".into()));
    let printing = of("heat.c", 12);
    assert!(printing["why"].as_str().unwrap().contains("printf"), "{printing}");
    assert!(printing["help"].is_string());
    let share: f64 = loops.iter().map(|l| l["share"].as_f64().unwrap()).sum();
    assert!(share > 0.0 && share <= 1.01, "{share}");
}

#[test]
fn a_program_that_fails_or_takes_too_long_is_said_to() {
    let folder = Folder::new(&[
        ("bad.c", "int main(void) { volatile double x = 0; for (int i = 0; i < 99; i++) x += i; return 3; }\n"),
        ("long.c", "int main(void) { volatile double x = 0; for (;;) x += 1; }\n"),
    ]);
    assert!(printed(&folder, "profile bad.c").contains("exit status 3"));
    let long = run(&folder, "profile long.c --limit 0.3");
    let words = String::from_utf8_lossy(&long.stderr).into_owned();
    assert!(long.status.code() == Some(2) && words.contains("--limit"), "{words}");
}

#[test]
fn a_page_has_loops_code_and_comparison() {
    let folder = Folder::new(FILES);
    let text = printed(&folder, "report --run --backend cpu heat.c step.c");
    assert!(text.starts_with("out/heat.html: "), "{text}");
    let page = std::fs::read_to_string(folder.file("out/heat.html")).unwrap();
    for part in ["step_0", "rt_step_0_k0", "&lt; n - 1; i++)", "none differs", "simulated on the CPU"] {
        assert!(page.contains(part), "{part}");
    }
    // Of the user's text nothing is markup, and nothing is loaded from elsewhere.
    assert!(!page.contains("<script>alert") && !page.contains("src=\"http") && !page.contains("href=\"http"));
    assert!(page.len() < 200_000, "{}", page.len());
    printed(&folder, "report heat.c step.c -o page.md");
    let page = std::fs::read_to_string(folder.file("page.md")).unwrap();
    assert!(page.contains("| step.c:3 for i | gpu |"), "{page}");
    printed(&folder, "report heat.c step.c -o page.json");
    let page = std::fs::read_to_string(folder.file("page.json")).unwrap();
    assert_eq!(serde_json::from_str::<serde_json::Value>(&page).unwrap()["is_measured"], false);
    assert_eq!(run(&folder, "report heat.c step.c -o step.c").status.code(), Some(2));
}

/// As a browser has it, where there is one.
#[test]
fn a_browser_shows_the_page_without_an_error() {
    let browser = ["chromium", "chromium-browser", "google-chrome"].into_iter().find_map(which);
    let Some(browser) = browser else {
        println!("[SKIP] a_browser_shows_the_page_without_an_error: there is no chromium on this machine");
        return;
    };
    let folder = Folder::new(FILES);
    printed(&folder, "report heat.c step.c -o page.html");
    let url = format!("file://{}", folder.file("page.html").display());
    let mut command = Command::new(browser);
    command.args(["--headless=new", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom"]);
    let output = command.arg(&url).output().expect("the browser runs");
    let (dom, said) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && dom.contains("rt_step_0_k0"), "{said}");
    assert!(!said.contains(":CONSOLE"), "{said}");
}
