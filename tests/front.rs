//! The front end: C to the typed AST and back, places in the user's file, directives, and arbitrary text.

#[path = "support/any_c.rs"]
mod any_c;

use any_c::answers;
use proptest::prelude::*;
use rtcuda::ast::build::{self, Built};
use rtcuda::ast::visit::Piece;
use rtcuda::ast::{Expr, ExprKind, FloatKind, IntKind, Stmt, StmtKind, Type, Unit, print};
use rtcuda::diag::{Diagnostic, Stop};
use rtcuda::source::{Source, Span};

fn source(text: &str) -> Source {
    Source::from_text("t.c", text).expect("short")
}

fn built(text: &str) -> Built {
    build::build(&source(text)).unwrap_or_else(|e| panic!("{e:?}\n{text}"))
}

fn refused(text: &str) -> Diagnostic {
    match build::build(&source(text)) {
        Err(Stop::Input(diagnostic)) => *diagnostic,
        other => panic!("expected an error of the input, got {other:?}"),
    }
}

/// Every reason in a unit why something is not modelled.
fn unmodelled(unit: &Unit) -> Vec<String> {
    let mut reasons = Vec::new();
    for f in &unit.functions {
        f.body.walk(&mut |piece| match piece {
            Piece::Stmt(Stmt { kind: StmtKind::Unmodelled(reason), .. })
            | Piece::Expr(Expr { kind: ExprKind::Unmodelled(reason), .. }) => reasons.push(reason.clone()),
            _ => {}
        });
    }
    reasons
}

/// The type of each full expression statement of a function `f`.
fn types(text: &str) -> Vec<Type> {
    let unit = built(text).unit;
    assert_eq!(unmodelled(&unit), Vec::<String>::new(), "{text}");
    let mut types = Vec::new();
    unit.function("f").expect("f is defined").body.walk(&mut |piece| {
        if let Piece::Stmt(Stmt { kind: StmtKind::Expr(e), .. }) = piece {
            types.push(e.ty.clone());
        }
    });
    types
}

/// C in which every construct of the subset stands at least once.
const SUBSET: &str = r#"
struct point { double x, y; int id[4]; struct point *next; };
double sqrt(double);
double table[3][5];
int count;
static int square(int v) { return v * v; }
double f(int n, int m, double a[n][m], double (*b)[m], const float *restrict c, struct point p, struct point *q,
         unsigned long u, double (*cube)[4][5])
{
    int i, j = 0, *ip = &i, **ipp = &ip;
    double (*local)[m] = (double (*)[m])b, s = 0.0, t[n][2 * m], w[3] = {1.0, 2.5e-3, 3};
    static long calls;
    const char *name = "a\n\"b\"";
    float g = 1.5f;
    volatile int flag = 0;
    for (i = 0; i < n; i++)
        for (j = m - 1; j >= 0; j -= 2)
            a[i][j] += b[i][j] * c[i * m + j] / (i + 1) - -s;
    for (int k = 0, l = n; k != l; ++k, --l) {
        if (k % 2 == 0) continue;
        else if (k > 10 && !flag || l < 3) break;
        else s = k < l ? (double)k : sqrt(s), t[k][0] = s;
    }
    while (s > 0) { s--; }
    do s += *ip; while (s < (i = 3));
    switch (n) {
        case 1: s = 1; break;
        case 2 + 3: { s = 2; }
        default: s = 3;
    }
    p.x = q->y + q->next->id[2] + (*q).x;
    u = ~u >> 3 & 0xFFul | u << (n ^ 1);
    (*b)[2] = -(n - (m - 1)) * 2 - (n - m) - 1;
    cube[1][2][3] = (*ipp)[0] + sizeof(double) * sizeof(s) + sizeof(int (*)[3]);
    table[1][2] = local[0][1] + (a[0][0]) - 1 + (n) * -1 + w[0] + g + name[0];
    calls++, ++count;
    ;
    return (i = n) ? square(n) + 1 : *(ip + 1) / 2. ;
}
"#;

/// A printed unit, and what is built from it, printed again.
fn round_trip(text: &str) -> (String, String) {
    let unit = built(text).unit;
    assert_eq!(unmodelled(&unit), Vec::<String>::new(), "{text}");
    let once = format!("double sqrt(double);\n{}", print::unit(&unit));
    let again = built(&once).unit;
    let twice = format!("double sqrt(double);\n{}", print::unit(&again));
    assert_eq!(shape(&unit), shape(&again), "{once}");
    (once, twice)
}

/// A unit without its places.
fn shape(unit: &Unit) -> String {
    let text = format!("{unit:?}");
    let mut rest = text.as_str();
    let mut bare = String::new();
    while let Some((before, after)) = rest.split_once("Span {") {
        bare += before;
        rest = after.split_once('}').map_or("", |(_, after)| after);
    }
    bare + rest
}

#[test]
fn the_subset_prints_and_reads_back_as_the_same_tree() {
    let (once, twice) = round_trip(SUBSET);
    assert_eq!(once, twice);
}

/// Functions behind one that holds this statement.
fn behind(statement: &str) -> String {
    let next = |name: &str| {
        format!("void {name}(int n, double *a) {{\n    for (int i = 0; i < n; i++)\n        a[i] = 2 * a[i];\n}}\n")
    };
    let head = "typedef int v4 __attribute__((vector_size(16)));\nstatic v4 table[64];\nvoid fill(int n) {\n";
    let body = format!("    for (int i = 0; i < n; i++)\n        {statement}\n}}\n");
    [head.to_owned(), body, next("scale"), next("add"), next("three"), next("four")].concat()
}

fn functions(unit: &Unit) -> Vec<&str> {
    unit.functions.iter().map(|f| f.name.as_str()).collect()
}

#[test]
fn compound_literals_of_any_type_are_no_fault() {
    for statement in ["table[i] = (v4){i, 1, 2, 3};", "table[i] = (unknown_t){i, 1, 2, 3};"] {
        let built = built(&behind(statement));
        assert_eq!((functions(&built.unit).len(), built.notes.len()), (5, 0), "{statement}: {:?}", built.notes);
    }
}

#[test]
fn what_is_no_c_costs_its_own_function_alone_and_is_named() {
    let built = built(&behind("table[i] = (11){i, 1, 2, 3};"));
    assert_eq!(functions(&built.unit), ["fill", "scale", "add", "three", "four"]);
    assert_eq!(unmodelled(&built.unit).len(), 1);
    let [note] = &built.notes[..] else { panic!("{:?}", built.notes) };
    assert_eq!((note.code, note.place.as_ref().map(|p| p.line)), ("not-parsed", Some(5)), "{note:?}");
    // What the function names may be anything there.
    let obscure = &built.unit.functions[0].obscure;
    assert!(obscure.iter().any(|v| built.unit.var(*v).name == "table"));
}

#[test]
fn expressions_have_the_types_of_c() {
    let double = Type::Float(FloatKind::Double);
    let int = |kind| Type::Int(kind);
    let found = types(
        "typedef unsigned char byte; typedef double real; enum color { RED, GREEN = 5, BLUE };\n\
         float sinf(float); struct s { long n; };\n\
         void f(int i, unsigned u, long l, float x, real d, byte b, struct s *s, real *p, real a[3][4], _Bool t) {\n\
         i + u; i + l; u + l; x + i; x + d; b + b; b << l; i < d; s->n; *p; p - p; p + 1; a[1]; a[1][2]; !d; -t;\n\
         'c'; BLUE; sinf(x); undeclared(x); i ? x : i; 1.0f; 10000000000; sizeof(byte); (byte)i; i = d; (real)-i; &i;\n\
         (i)-1; (byte)-1 + i; (a[0][1])-1; *(&d); }",
    );
    use IntKind::*;
    let pointer = |to: &Type| Type::Pointer { to: Box::new(to.clone()), is_const: false, restrict: false };
    let float = Type::Float(FloatKind::Float);
    let expected = [
        int(UInt),
        int(Long),
        int(Long),
        float.clone(),
        double.clone(),
        int(Int),
        int(Int),
        int(Int),
        int(Long),
        double.clone(),
        int(Long),
        pointer(&double),
    ];
    assert_eq!(found[..12], expected);
    assert!(matches!(&found[12], Type::Array { of, .. } if **of == double));
    let expected = [
        double.clone(),
        int(Int),
        int(Int),
        int(Int),
        int(Int),
        float.clone(),
        int(Int),
        float.clone(),
        float.clone(),
        int(Long),
        int(ULong),
        int(UChar),
        int(Int),
        double.clone(),
        pointer(&int(Int)),
        int(Int),
        int(Int),
        double.clone(),
        double.clone(),
    ];
    assert_eq!(found[13..], expected);
}

#[test]
fn parenthesised_names_are_not_casts() {
    let unit = built(
        "typedef double T; void f(int n, int m, double *a) { a[0] = (n)-1*m; a[1] = (n)*(m)+(a[0])-2; a[2] = -(n); }",
    )
    .unit;
    let body = print::stmt(&unit, &unit.functions[0].body, 0);
    assert_eq!(body, "{\n    a[0] = n - 1 * m;\n    a[1] = n * m + a[0] - 2;\n    a[2] = -n;\n}\n");
    // One-letter type names cannot be disguised: a cast all the same, never misread.
    let unit = built("typedef double T; void f(int n, double *a) { a[0] = (T)-n; a[1] = (T)n; }").unit;
    assert!(unmodelled(&unit).is_empty());
    let body = print::stmt(&unit, &unit.functions[0].body, 0);
    assert!(body.contains("a[0] = (double)-n;"), "{body}");
    let unit = built("typedef double T; void f(int n, double *a) { a[0] = 3 + (T)-n; }").unit;
    assert!(unmodelled(&unit).is_empty());
    let body = print::stmt(&unit, &unit.functions[0].body, 0);
    assert!(body.contains("a[0] = 3 + (double)-n;"), "{body}");
    let unit = built("typedef double T; unsigned long f(unsigned long n) { return n * sizeof(T) + sizeof (T); }").unit;
    assert!(unmodelled(&unit).is_empty());
    let body = print::stmt(&unit, &unit.functions[0].body, 0);
    assert!(body.contains("return n * sizeof(double) + sizeof(double);"), "{body}");
}

#[test]
fn array_lengths_are_folded_and_names_resolved() {
    let unit = built(
        "enum { N = 4, M = N * 2 + 1 }; typedef double row[M + 0]; extern row g[]; row g[(N << 2) / 3];\n\
         void f(int n) { int n2 = n; { double n[N], v[n2 + 1]; n[0] = v[0]; } const int k = 3; int w[] = {1, 2, 3}; }",
    )
    .unit;
    let declared: Vec<String> = unit.vars.iter().map(|v| print::variable(&unit, v)).collect();
    let expected = ["double g[5][9]", "int n", "int n2", "double n[4]", "double v[n2 + 1]", "const int k", "int w[3]"];
    assert_eq!(declared, expected);
    assert_eq!(unit.vars[5].value, Some(3));
    assert_eq!(unmodelled(&unit), Vec::<String>::new());
}

#[test]
fn gnu_words_and_system_headers_break_nothing() {
    let text = "# 1 \"t.c\"\n# 1 \"/usr/include/x.h\" 1 3\n\
        typedef __builtin_va_list va; extern int odd (int __x) __asm__ (\"\" \"odd_\") __attribute__ ((__nothrow__));\n\
        extern __inline __attribute__ ((__gnu_inline__)) int body (int x) { @ not C @ return __extension__ ({ x; }); }\n\
        typedef float _Float32x __attribute__ ((mode (SF))); @@@ ;\n\
        # 2 \"t.c\" 2\n\
        __extension__ static __inline__ double g(double *__restrict p) __attribute__((noinline));\n\
        double h(const double *__restrict__ p) { __volatile__ int k; k = odd(1) + body(2); return p[k]; }\n";
    let built = built(&text.replace("        ", ""));
    assert_eq!((built.notes.len(), unmodelled(&built.unit)), (0, vec![]), "{:?}", built.notes);
    let h = built.unit.function("h").expect("h is defined");
    assert_eq!(print::variable(&built.unit, built.unit.var(h.params[0])), "const double *restrict p");
}

#[test]
fn what_is_not_modelled_is_said_exactly_there() {
    let unit = built(
        "union u { int i; float f; }; int main(void) { int i = 0; again: i++; if (i < 3) goto again; i = ({ 1; });\n\
         asm volatile (\"nop\"); i = i ?: 2; for (i = 0; i < 3; i++) { i = = 3; i = 4; } int z @ = 3; return i; }",
    )
    .unit;
    let reasons = unmodelled(&unit);
    assert!(reasons.len() >= 6, "{reasons:?}");
    let body = print::stmt(&unit, &unit.functions[0].body, 0);
    assert!(body.contains("i = 4;") && body.contains("return i;"), "{body}");
}

#[test]
fn directives_stand_before_their_statements() {
    let unit = built(
        "void f(int n, double *a) {\n#pragma rt region name(r)\n#pragma omp parallel for\nfor (int i = 0; i < n; i++)\n\
         #pragma rt parallel\nfor (int j = 0; j < n; j++) a[j] = i;\n#pragma rt end\n}\n",
    )
    .unit;
    let StmtKind::Block(stmts) = &unit.functions[0].body.kind else { panic!("a body is a block") };
    let [begin, outer, end] = &stmts[..] else { panic!("{stmts:?}") };
    assert!(matches!(begin.kind, StmtKind::Directive(_)) && matches!(end.kind, StmtKind::Directive(_)));
    assert_eq!(outer.directives.len(), 1);
    let StmtKind::For { body, .. } = &outer.kind else { panic!("{outer:?}") };
    assert_eq!(body.directives.len(), 1);
}

#[test]
fn regions_without_a_bound_are_errors() {
    let cases = [
        ("void f(void) {\n#pragma scop\n;\n}", "region-without-end", 2),
        ("void f(void) {\n;\n#pragma endscop\n}", "end-without-region", 3),
        ("void f(void) {\n#pragma scop\n{\n#pragma endscop\n}\n}", "region-end-elsewhere", 4),
        ("void f(void) {\n#pragma scop\n#pragma rt region\n;\n#pragma rt end\n}", "nested-region", 3),
        ("#pragma scop\nvoid f(void) {}", "misplaced-directive", 1),
        ("void f(int n) { if (n)\n#pragma rt end\n; }", "misplaced-directive", 2),
    ];
    for (text, code, line) in cases {
        let error = refused(text);
        assert_eq!((error.code, error.place.map(|p| p.line)), (code, Some(line)), "{text}");
        assert!(error.help.is_some());
    }
}

/// The span of a piece of the preprocessed text.
fn find(source: &Source, needle: &str) -> Span {
    let lo = source.text.find(needle).unwrap_or_else(|| panic!("{needle} in {}", source.text)) as u32;
    Span { lo, hi: lo + needle.len() as u32 }
}

/// The user's text of a piece of the preprocessed text, through the C preprocessor.
fn users(text: &str, first: &str, last: &str) -> Result<String, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("u.c");
    std::fs::write(&path, text).expect("written");
    let source = Source::load(&path, &[]).unwrap_or_else(|e| panic!("{e:?}"));
    let range = source.user_range(find(&source, first), find(&source, last))?;
    Ok(source.user_text[range].to_owned())
}

#[test]
fn ranges_of_the_users_file_are_exact_or_refused() {
    let head =
        "#include <stddef.h>\n#define N 8\n#define SQ(x) ((x)*(x))\n#define TWICE a; a\n#define SET(p, v) p = v\n";
    let cases = [
        ("void f(int n,double*a){for(int i=0;i<n;i++)a[i]=0;}", "for(", "a[i]=0;", Some("for(int i=0;i<n;i++)a[i]=0;")),
        ("void f(double*a){int i; for(i=0;i<N;i++)a[i]=SQ(i);}", "for(", ";}", Some("for(i=0;i<N;i++)a[i]=SQ(i);}")),
        ("void f(double*a){int i; for(i=0;i<N;i++)a[i]=SQ(i);}", "for(", "*(i));", Some("for(i=0;i<N;i++)a[i]=SQ(i);")),
        ("void f(int a){ a = N; TWICE; a = 7; }", "a = 7;", "a = 7;", Some("a = 7;")),
        ("void f(int a){ a = N; TWICE; a = 7; }", "a = 8;", "a = 8;", None),
        ("void f(int a){ a = 9; TWICE; }", "a; a", "a;", None),
        ("int *p = NULL; int k = N; int q;", "int k", "8;", Some("int k = N;")),
        ("void f(int a){ SET(a,\n   SQ(a)); a = 1; }", "a =", "1;", Some("SET(a,\n   SQ(a)); a = 1;")),
        ("void f(int a){ /* a = 1; */ a = 1; // a\n a = \\\n 2; }", "a = 1;", "2;", Some("a = 1; // a\n a = \\\n 2;")),
        (
            "void f(int a){ a = 1;\n#if N > 3\n a = 2;\n#else\n a = 3;\n#endif\n a = 4; }",
            "a = 1;",
            "a = 4;",
            Some("a = 1;\n#if N > 3\n a = 2;\n#else\n a = 3;\n#endif\n a = 4;"),
        ),
        ("void f(int a){ a = 1;\n#if N > 3\n a = 2;\n#else\n a = 3;\n#endif\n a = 4; }", "a = 1;", "a = 2;", None),
        ("#line 100\nvoid f(int a){ a = 1; }", "a = 1;", "a = 1;", None),
    ];
    for (text, first, last, expected) in cases {
        let found = users(&format!("{head}{text}\n"), first, last);
        assert_eq!(found.as_deref().ok(), expected, "{text}: {found:?}");
    }
}

#[test]
fn places_are_the_users_words() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("u.c");
    std::fs::write(&path, "#define N 8\nint g;\nint f(int x) { return N + /* é */  x * 2; }\n").expect("written");
    let source = Source::load(&path, &[]).unwrap_or_else(|e| panic!("{e:?}"));
    let place = source.place(find(&source, "x * 2"));
    assert_eq!((place.line, place.column, place.length), (3, 36, 5));
    assert_eq!(place.text, "int f(int x) { return N + /* é */  x * 2; }");
}

#[test]
fn what_the_compiler_refuses_is_passed_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("u.c");
    std::fs::write(&path, "#include \"no-such-header.h\"\n").expect("written");
    let Err(Stop::Input(error)) = Source::load(&path, &[]) else { panic!("refused") };
    assert_eq!(error.code, "preprocess-failed");
    assert!(error.notes[0].1.contains("no-such-header.h"), "{error:?}");
}

#[test]
fn deep_nesting_is_declined_without_exhausting_the_stack() {
    let deep = 20_000;
    for (open, middle, close) in [("(", "1", ")"), ("-", "1", ""), ("a[", "0", "]"), ("1+", "1", ""), ("f(", "", ")")] {
        let text = format!("int f(int *a) {{ return {}{middle}{}; }}", open.repeat(deep), close.repeat(deep));
        assert!(!unmodelled(&built(&text).unit).is_empty(), "{open}");
    }
    for (open, close) in [("{", "}"), ("if (1) ", ";"), ("for (;;) ", ";"), ("if (1); else ", ";")] {
        let text =
            format!("int f(void) {{ {}{} }}", open.repeat(deep), close.repeat(if close == "}" { deep } else { 1 }));
        assert!(!unmodelled(&built(&text).unit).is_empty(), "{open}");
    }
    let text = format!("int {}a{};", "(*".repeat(deep), ")".repeat(deep));
    built(&text);
}

#[test]
fn structures_within_themselves_have_an_answer() {
    for text in [
        "struct p { double x; int id[4]; struct p next; };",
        "struct p { double x; int id[4]; struct p next[2]; };",
        "struct q; struct p { double x; int id[4]; struct q q; }; struct q { struct p p; };",
        "struct p { double x; int id[4]; }; struct q { struct p p; }; struct p { double x; int id[4]; struct q q; };",
    ] {
        answers(&format!("{text} void f(int n, struct p *p) {{ for (int i = 0; i < n; i++) p[i].x = p[i].id[0]; }}"));
    }
}

#[test]
fn variables_of_their_own_value_have_an_answer() {
    for declared in [
        "int *p = p;",
        "int k = 3, *p = p + k;",
        "int (*p)[4] = p + 1;",
        "int *q = a, *p = q, *r = r;",
        "int *p = a + (*a = p != 0);",
        "const int k = 1, *p = a; k = 2, k++;",
    ] {
        answers(&format!("void f(int n, int *a) {{ {declared} for (int i = 0; i < n; i++) a[i] = *(int *)p + i; }}"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// C with pieces cut out, doubled and put elsewhere gives an answer, and every place in it can be shown.
    #[test]
    fn mutated_c_never_panics(cuts in prop::collection::vec((0usize..2400, 0usize..40, 0usize..2400), 1..6)) {
        let mut bytes = SUBSET.as_bytes().to_vec();
        for (from, len, to) in cuts {
            let from = from % bytes.len();
            let piece: Vec<u8> = bytes[from..(from + len).min(bytes.len())].to_vec();
            if to % 2 == 0 {
                bytes.drain(from..(from + len).min(bytes.len()));
            }
            let to = to % (bytes.len() + 1);
            bytes.splice(to..to, piece);
            bytes.push(b' ');
        }
        answers(&String::from_utf8_lossy(&bytes));
    }

    /// So does any sequence of C's own words.
    #[test]
    fn shuffled_words_never_panic(words in prop::collection::vec(prop::sample::select(WORDS), 0..120)) {
        answers(&words.join(" "));
        answers(&words.concat());
    }

    /// So does any text at all.
    #[test]
    fn any_text_never_panics(text in "\\PC{0,200}|[#\\\\\"'/*\n(){};a-c0-9.]{0,200}") {
        answers(&text);
    }
}

const WORDS: &[&str] = &[
    "int",
    "double",
    "typedef",
    "struct",
    "enum",
    "union",
    "void",
    "const",
    "static",
    "a",
    "b",
    "T",
    "f",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    ";",
    ",",
    "=",
    "+",
    "-",
    "*",
    "&",
    "<",
    "?",
    ":",
    "1",
    "2.5f",
    "0x",
    "'c'",
    "\"s\"",
    "for",
    "while",
    "do",
    "if",
    "else",
    "switch",
    "case",
    "default",
    "return",
    "goto",
    "sizeof",
    "\n#pragma rt region\n",
    "\n#pragma rt end\n",
    "\n#pragma omp parallel for reduction(+:a)\n",
    "\n#pragma rt merge(\n",
    "\n# 3 \"b.c\" 1 3\n",
    "\n# 9 \"t.c\" 2\n",
    "/*",
    "*/",
    "//",
    "\\\n",
    "__attribute__((",
    "))",
    "__extension__",
    "asm",
    "...",
    "->",
    "++",
    "é",
];
