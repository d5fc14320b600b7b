//! Remedies that messages name: declined C, what is said of it, and the same C with the remedy, which converts.

use rtcuda::diag::render::{self, Style};
use rtcuda::pipeline::{self, ConvertOptions, Converted};

/// A message and its remedy.
struct Case {
    /// Functions, the last of them declined.
    c: &'static str,
    message: &'static str,
    help: &'static str,
    /// What the remedy puts in the place of what.
    edits: &'static [(&'static str, &'static str)],
}

const CASES: &[Case] = &[
    Case {
        c: "void f(int n, double *a) {
    int i = n;
    while (i) {
        --i;
        a[i] = 2 * a[i];
    }
}",
        message: "no loop here is parallel: only its condition says when this `while` loop ends",
        help: "count with it: for (int i = 0; i < n; i++)",
        edits: &[("int i = n;", ""), ("while (i) {", "for (int i = 0; i < n; i++) {"), ("--i;", "")],
    },
    Case {
        c: "void f(int n, const double *a, double *b) {
    for (int i = 0; i < n; i++) {
        const double *p = i % 2 ? a : b;
        b[i] = p[i] * 2;
    }
}",
        message: "the pointer `p` is declared here",
        help: "subscript the array that it points into",
        edits: &[("const double *p = i % 2 ? a : b;", ""), ("p[i] * 2", "(i % 2 ? a[i] : b[i]) * 2")],
    },
    Case {
        c: "void f(int n, const int *k, double *a) {
    for (int i = 0; i < n; i++) {
        double t[100] = {0};
        t[k[i]] = 2;
        a[i] = t[i % 100];
    }
}",
        message: "the array `t` is initialised where it is declared",
        help: "declare it without values, and assign its elements behind",
        edits: &[("double t[100] = {0};", "double t[100]; for (int j = 0; j < 100; j++) t[j] = 0;")],
    },
    Case {
        c: "typedef struct { double re, im; } pair;
static pair power(pair a, int k) {
    if (k < 1) return a;
    pair b = power(a, k - 1);
    b.re += 1;
    return b;
}
void f(int n, pair *x) {
    for (int i = 0; i < n; i++) {
        pair c = power(x[i], i);
        x[i].re = c.re;
    }
}",
        message: "`power` cannot be called on the device",
        help: "give the function numbers in and a number out",
        edits: &[
            ("static pair power(pair a, int k) {", "static double power(double a, int k) {"),
            ("if (k < 1) return a;\n    pair b = power(a, k - 1);\n    b.re += 1;\n    return b;", "return a + k;"),
            ("pair c = power(x[i], i);", "double c = power(x[i].re, i);"),
            ("c.re", "c"),
        ],
    },
    Case {
        c: "struct system { double sum; };
void f(int n, const double *a, struct system *s) {
    for (int i = 0; i < n; i++)
        s->sum += a[i];
}",
        message: "a member is used here of a structure that the region changes",
        help: "use a local variable inside the loop, and set the member behind it",
        edits: &[
            ("    for", "    double sum = s->sum;\n    for"),
            ("s->sum += a[i];", "sum += a[i];\n    s->sum = sum;"),
        ],
    },
    Case {
        c: "struct system { double scale; };
void f(int n, double *a, struct system **s) {
    for (int i = 0; i < n; i++)
        a[i] *= s[0]->scale;
}",
        message: "a member is used here that is reached through more than variables and members",
        help: "copy the member to a local variable before the loop",
        edits: &[("    for", "    double scale = s[0]->scale;\n    for"), ("s[0]->scale;\n}", "scale;\n}")],
    },
    Case {
        c: "struct system { double scale; };
void f(int n, double *a, double *scales, const int *k, struct system **s) {
    for (int i = 0; i < n; i++)
        a[i] *= s[k[i]]->scale;
}",
        message: "a member is used here of a structure that each iteration reaches by a pointer of its own",
        help: "gather these members in an array before the loop",
        edits: &[
            ("    for", "    for (int i = 0; i < n; i++)\n        scales[i] = s[k[i]]->scale;\n    for"),
            ("a[i] *= s[k[i]]->scale", "a[i] *= scales[i]"),
        ],
    },
    Case {
        c: "struct matrix { double **rows; };
void f(int n, const int *k, double *x, struct matrix a) {
    for (int i = 0; i < n; i++)
        x[i] = a.rows[k[i]][i];
}",
        message: "how much of `a.rows` is used cannot be seen from its subscripts",
        help: "#pragma rt shape(a.rows: ROWS, COLUMNS)",
        edits: &[("    for", "#pragma rt shape(a.rows: 100, n)\n    for")],
    },
    Case {
        c: "void f(int n, const int *k, double *x, double **a) {
    for (int i = 0; i < n; i++)
        x[i] = a[k[i]][i];
}",
        message: "how much of `a` is used cannot be seen from its subscripts",
        help: "#pragma rt shape(a: ROWS, COLUMNS)",
        edits: &[("    for", "#pragma rt shape(a: 100, n)\n    for")],
    },
    Case {
        c: "void f(int n, const int *k, const double *x, double *y) {
    for (int i = 0; i < n; i++)
        if (x[i] > 0) y[k[i] + i] = 1;
}",
        message: "no loop here is parallel: iterations depend on each other through `y`",
        help: "if no two iterations meet in an element, say so: #pragma rt parallel",
        edits: &[("    for", "#pragma rt parallel\n    for")],
    },
    Case {
        c: "void f(int n, double *a) {
    for (int i = 0; i < n; i++)
        a[i] = ({ double t = i; t * t; });
}",
        message: "C that is not modelled: a block of statements that has a value",
        help: "",
        edits: &[("a[i] = ({ double t = i; t * t; });", "{ double t = i; a[i] = t * t; }")],
    },
    Case {
        c: "void f(int n, double *a, const double *b) {
    double t;
    for (int i = 0; i < n; i++)
        a[i] = (t = b[i]) + t;
}",
        message: "an assignment inside an expression",
        help: "give it a statement of its own",
        edits: &[("a[i] = (t = b[i]) + t;", "{ t = b[i]; a[i] = t + t; }")],
    },
    Case {
        c: "void f(int n, double *a) {
    for (int i = 0; i < n; i++)
        switch (i % 3) {
        case 0: a[i] = 1; // falls through
        case 1: a[i] += 1; break;
        default: a[i] = 2;
        }
}",
        message: "`switch`",
        help: "write it as a chain of `if`",
        edits: &[(
            "switch (i % 3) {
        case 0: a[i] = 1; // falls through
        case 1: a[i] += 1; break;
        default: a[i] = 2;
        }",
            "if (i % 3 == 0) a[i] = 2; else if (i % 3 == 1) a[i] += 1; else a[i] = 2;",
        )],
    },
    Case {
        c: "void f(int n, double *a, const double *b) {
    double t = 0;
    for (int i = 0; i < n; i++) {
        if (b[i] > 0) t = b[i];
        a[i] = t;
    }
}",
        message: "no loop here is parallel",
        help: "where it need not, declare it inside the loop",
        edits: &[("double t = 0;", ""), ("if (b[i] > 0)", "double t = 0;\n        if (b[i] > 0)")],
    },
];

fn converted(c: &str) -> Converted {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("p.c");
    std::fs::write(&file, c).expect("the folder is writable");
    pipeline::convert(&[file], &ConvertOptions::default()).unwrap_or_else(|stop| panic!("{stop:?}\n{c}"))
}

/// The diagnostics as a user reads them.
fn said(converted: &Converted) -> String {
    converted.diagnostics.iter().map(|d| render::text(d, Style::Plain)).collect()
}

#[test]
fn what_a_message_advises_lets_the_loop_convert() {
    for case in CASES {
        let text = said(&converted(case.c));
        assert!(text.contains(case.message), "{}\nsays:\n{text}", case.c);
        assert!(text.contains(case.help), "{}\nadvises:\n{text}", case.c);
        let mut edited = case.c.to_owned();
        for (from, to) in case.edits {
            assert!(edited.contains(from), "no `{from}` in\n{edited}");
            edited = edited.replace(from, to);
        }
        assert_eq!(regions(&converted(case.c)), 0, "{}\nconverts", case.c);
        let done = converted(&edited);
        assert!(regions(&done) > 0, "{edited}\nis not converted:\n{}", said(&done));
    }
}

/// Regions of the function `f`.
fn regions(converted: &Converted) -> usize {
    let regions = converted.report["regions"].as_array().map_or(&[][..], Vec::as_slice);
    regions.iter().filter(|region| region["function"] == "f").count()
}

/// Types and constructs that are not modelled, as a person calls them.
#[test]
fn messages_name_what_c_calls_it() {
    for (statement, message) in [
        ("b->u[i] = 1;", "this is of the type `missing_t`, which is not modelled"),
        ("union both { int i; float f; } u; u.i = i; a[i] = u.f;", "which is not modelled"),
        ("a[i] = _Generic(i, int: 1, default: 2);", "C that is not modelled: `_Generic`"),
        ("a[i] = missing[i];", "`missing`, which is not declared"),
        ("a[i] = (_Atomic int)i;", "not modelled"),
        ("volatile int v = i; a[i] = v;", "volatile"),
        ("unsigned __int128 v = i; a[i] = v;", "the type `unsigned __int128`, which is not modelled"),
    ] {
        let c = format!("void f(int n, double *a, missing_t *b) {{ for (int i = 0; i < n; i++) {{ {statement} }} }}");
        let text = said(&converted(&c));
        assert!(text.contains(message), "{statement}\nsays:\n{text}");
        let words = text.lines().filter(|line| line.starts_with("declined"));
        for line in words {
            let plain: String = line.split('`').step_by(2).collect();
            assert!(!plain.contains('_') && !plain.contains(" a a") && !plain.contains(" a un"), "{line}");
        }
    }
}

/// An alignment changes nothing that is computed.
#[test]
fn aligned_arrays_convert() {
    let c = "void f(int n, double *a) {
    for (int i = 0; i < n; i++) {
        _Alignas(16) double t[2] = {1, 2};
        a[i] = t[i % 2];
    }
}";
    let done = converted(c);
    assert_eq!(regions(&done), 1, "{}", said(&done));
}
