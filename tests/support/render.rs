//! Random functions as a C program: each is called once on small integers, and the sums of what it leaves are printed.

use super::nests::*;
use std::fmt::Write;

mod tiles;

/// The program of a batch. With `-DCHECK_EXACT` it also says where a result was rounded.
pub fn program(functions: &[Function]) -> String {
    let mut out = String::from(
        "#include <fenv.h>\n#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n\nstatic unsigned seed, kept;\n",
    );
    out.push_str("\nstruct limits {\n    int most;\n    double level;\n};\n");
    for elem in Elem::ALL {
        let (c, tag, shift) = (elem.c(), tag(elem), if elem.wraps() { 0 } else { 9 });
        let sign = if elem.is_float() { " * 2 + !!signbit(p[k])" } else { "" };
        let _ = write!(
            out,
            "\nstatic void fill_{tag}({c} *p, long count, double zero) {{\n    for (long k = 0; k < count; k++) {{\n        \
             seed = seed * 1664525u + 1013904223u;\n        p[k] = ({c})((int)(seed >> 16) % 19 - {shift});\n        \
             if (p[k] == 0 && seed & 64)\n            p[k] = zero;\n    }}\n}}\n\n\
             static unsigned long long sum_{tag}(const {c} *p, long count) {{\n    unsigned long long h = 17;\n    \
             for (long k = 0; k < count; k++)\n        h = h * 31 + (unsigned long long)(long long)p[k]{sign};\n    \
             return h;\n}}\n"
        );
    }
    out.push_str(
        "\nstatic char **tables;\n\nstatic void *rows_of(void *block, long count, long bytes) {\n    \
         char **rows = malloc((count + 1) * sizeof *rows);\n    for (long k = 0; k < count; k++)\n        \
         rows[k] = (char *)block + (count - 1 - k) * bytes;\n    rows[count] = (char *)tables;\n    tables = rows;\n    \
         return rows;\n}\n",
    );
    for f in functions {
        let _ = write!(out, "\n{}\n{}", function(f), caller(f));
    }
    out.push_str("\nint main(void) {\n");
    for f in functions {
        let _ = writeln!(out, "    run_{}();", f.name);
    }
    out.push_str("    return 0;\n}\n");
    out
}

fn tag(elem: Elem) -> String {
    elem.c().replace(' ', "_")
}

/// The function alone, with the global arrays it uses.
pub fn function(f: &Function) -> String {
    let mut out = String::new();
    for a in f.globals() {
        let extents: String = a.extents.iter().map(|e| format!("[{}]", f.eval(e))).collect();
        let _ = writeln!(out, "static {} {}{extents};", a.elem.c(), a.name);
    }
    // Behind every other pointer the extents are stated: what only the data decide to touch may then be converted. They
    // hold the accesses of loops that run at this size: what others need at sizes where they run, nobody has asked.
    let all_run = f.iters.iter().all(|i| f.eval(&i.lo) <= f.eval(&i.hi));
    let behind_pointers = f.params().into_iter().filter(|(_, a)| a.style != Style::Vla);
    for (_, a) in behind_pointers.filter(|(k, _)| all_run && k % 2 == 1) {
        let extents: Vec<String> = a.extents.iter().map(|e| affine(f, e)).collect();
        let _ = writeln!(out, "#pragma rt shape({}: {})", a.name, extents.join(", "));
    }
    let mut params = vec!["int n".to_string(), "int m".to_string()];
    params.extend(f.step.map(|_| "int s".to_string()));
    params.extend(f.members().map(|_| "const struct limits *o".to_string()));
    params.extend(f.params().into_iter().map(|(_, a)| param(f, a)));
    let _ = writeln!(out, "static void {}({}) {{", f.name, params.join(", "));
    if tiles::has_tiles(f) {
        out.push_str(tiles::length());
    }
    let used = f.used();
    for (v, _) in f.vars.iter().zip(&used.vars).filter(|(_, used)| **used) {
        if let Some(value) = v.head {
            let _ = writeln!(out, "    {} {} = {value};", v.elem.c(), v.name);
        }
    }
    let mut declared: Vec<&str> = Vec::new();
    for (i, _) in f.iters.iter().zip(&used.iters).filter(|(i, used)| **used && i.outside) {
        if !declared.contains(&i.name.as_str()) {
            let value = if keeps_counters(f) { " = 7" } else { "" };
            let _ = writeln!(out, "    {} {}{value};", i.c_type, i.name);
            declared.push(&i.name);
        }
    }
    block(f, &f.body, 1, &mut out);
    if keeps_counters(f) {
        declared.iter().for_each(|i| out.push_str(&format!("    kept = kept * 31 + (unsigned){i};\n")));
    }
    out.push_str("}\n");
    out
}

/// Whether what the loops leave in counters declared outside of them is looked at: in every fourth function.
fn keeps_counters(f: &Function) -> bool {
    f.name.trim_start_matches('f').parse::<u64>().is_ok_and(|number| number % 4 == 0)
}

fn param(f: &Function, a: &Array) -> String {
    let c = a.elem.c();
    match a.style {
        Style::Vla => {
            let extents: String = a.extents.iter().map(|e| format!("[{}]", affine(f, e))).collect();
            format!("{c} {}{extents}", a.name)
        }
        Style::Fixed if a.extents.len() > 1 => {
            let inner: String = a.extents[1..].iter().map(|e| format!("[{}]", f.eval(e))).collect();
            format!("{c} (*{}){inner}", a.name)
        }
        Style::Rows if a.extents.len() > 1 => format!("{c} {}{}", "*".repeat(a.extents.len()), a.name),
        _ if a.role == Role::Input => format!("const {c} *{}", a.name),
        _ => format!("{c} *{}", a.name),
    }
}

/// The function that allocates, fills, calls, prints and frees.
fn caller(f: &Function) -> String {
    let mut out =
        format!("static void run_{}(void) {{\n    int n = {}, m = {};\n    seed = 1, kept = 0;\n", f.name, f.n, f.m);
    let mut args = vec!["n".to_string(), "m".to_string()];
    args.extend(f.step.map(|step| step.to_string()));
    if let Some((most, level)) = f.members() {
        let _ = writeln!(out, "    struct limits o = {{{most}, {level}}};");
        args.push("&o".to_string());
    }
    let (mut sums, mut frees) = (String::new(), String::new());
    let params = f.params();
    let mut fill = |out: &mut String, a: &Array, pointer: &str| {
        let (tag, count) = (tag(a.elem), f.count(a));
        let _ = writeln!(out, "    fill_{tag}({pointer}, {count}, {});", if a.unsigned_zero { "0.0" } else { "-0.0" });
        let _ = writeln!(sums, "    printf(\" %016llx\", sum_{tag}({pointer}, {count}));");
    };
    for &(k, a) in &params {
        let same = f.alias.and_then(|(second, first)| params.iter().find(|(j, _)| *j == first && second == k));
        let name = &same.map_or(a, |(_, first)| *first).name;
        args.push(if a.style == Style::Rows { format!("{name}_rows") } else { name.clone() });
        if same.is_none() {
            let _ = writeln!(out, "    void *{} = malloc({} * sizeof({}));", a.name, f.count(a), a.elem.c());
            let _ = writeln!(frees, "    free({});", a.name);
            fill(&mut out, a, &a.name);
            if a.style == Style::Rows {
                let _ = writeln!(out, "    void *{name}_rows = {};", table(f, a, a.name.clone()));
            }
        }
    }
    for a in f.globals() {
        fill(&mut out, a, &format!("({} *){}", a.elem.c(), a.name));
    }
    let _ = write!(
        out,
        "#ifdef CHECK_EXACT\n    feclearexcept(FE_ALL_EXCEPT);\n#endif\n    {0}({1});\n    printf(\"{0}\");\n\
         #ifdef CHECK_EXACT\n    if (fetestexcept(FE_INEXACT))\n        printf(\" inexact\");\n#endif\n\
         {sums}    printf(\" %u\\n\", kept);\n{frees}}}\n",
        f.name,
        args.join(", ")
    );
    out
}

/// Pointers to the rows of a block, and to those pointers.
fn table(f: &Function, a: &Array, block: String) -> String {
    let extents: Vec<String> = a.extents.iter().map(|e| f.eval(e).to_string()).collect();
    (1..extents.len()).rev().fold(block, |made, k| {
        let is_block = k + 1 == extents.len();
        let bytes = if is_block { format!("sizeof({})", a.elem.c()) } else { "sizeof(void *)".to_string() };
        format!("rows_of({made}, {}, {} * {bytes})", extents[..k].join(" * "), extents[k])
    })
}

fn block(f: &Function, nodes: &[Node], depth: usize, out: &mut String) {
    for node in nodes {
        match tiles::nest(f, node, depth) {
            Some(nest) => out.push_str(&nest),
            None => statement(f, node, depth, out),
        }
    }
}

fn statement(f: &Function, node: &Node, depth: usize, out: &mut String) {
    let pad = "    ".repeat(depth);
    match node {
        Node::For { iter, init, test, bound, step, body } => {
            let i = &f.iters[*iter];
            let declared = if i.outside { String::new() } else { format!("{} ", i.c_type) };
            let step = match step {
                1 => format!("{}++", i.name),
                -1 => format!("{}--", i.name),
                s if *s < 0 => format!("{} -= {}", i.name, -s),
                s => format!("{} += {s}", i.name),
            };
            let (init, bound) = (expr(f, init), expr(f, bound));
            if let Some((_, words)) = f.asked.directive.as_ref().filter(|(at, _)| at == iter) {
                let _ = writeln!(out, "#pragma rt {words}");
            }
            clauses(f, *iter, out);
            let _ = writeln!(out, "{pad}for ({declared}{0} = {init}; {0} {test} {bound}; {step}) {{", i.name);
            block(f, body, depth + 1, out);
            let _ = writeln!(out, "{pad}}}");
        }
        Node::Loop { .. } => uncounted(f, node, depth, out),
        Node::Again { .. } => again(f, node, depth, out),
        Node::Exchange { arrays: [a, b] } => {
            let (c, a, b) = (f.arrays[*a].elem.c(), &f.arrays[*a].name, &f.arrays[*b].name);
            let _ = writeln!(out, "{pad}{c} *turn_{a} = {a};\n{pad}{a} = {b};\n{pad}{b} = turn_{a};");
        }
        Node::If { cond, then, other } => {
            let _ = writeln!(out, "{pad}if ({}) {{", expr(f, cond));
            block(f, then, depth + 1, out);
            if !other.is_empty() {
                let _ = writeln!(out, "{pad}}} else {{");
                block(f, other, depth + 1, out);
            }
            let _ = writeln!(out, "{pad}}}");
        }
        Node::Declare { var, value } => {
            let v = &f.vars[*var];
            let _ = writeln!(out, "{pad}{} {} = {};", v.elem.c(), v.name, expr(f, value));
        }
        Node::DeclareArray { array } => {
            let a = &f.arrays[*array];
            let _ = writeln!(out, "{pad}{} {}[{}];", a.elem.c(), a.name, f.eval(&a.extents[0]));
        }
        Node::Continue => {
            let _ = writeln!(out, "{pad}continue;");
        }
        Node::Break => {
            let _ = writeln!(out, "{pad}break;");
        }
        Node::Assign { target, op, value } => {
            let target = match target {
                Target::Element(a) => access(f, a),
                Target::Var(v) => f.vars[*v].name.clone(),
            };
            let _ = writeln!(out, "{pad}{target} {op} {};", expr(f, value));
        }
    }
}

/// The OpenMP directive of a loop that reduces.
fn clauses(f: &Function, iter: usize, out: &mut String) {
    let vars = f.used().vars;
    for (_, op, var) in f.clauses.iter().filter(|(at, _, var)| *at == iter && vars[*var]) {
        let _ = writeln!(out, "#pragma omp parallel for reduction({op}:{})", f.vars[*var].name);
    }
}

/// A loop whose iterations nothing counts.
fn uncounted(f: &Function, node: &Node, depth: usize, out: &mut String) {
    let Node::Loop { iter, form, init, test, step, body } = node else { unreachable!("only called on such a loop") };
    let (pad, i) = ("    ".repeat(depth), &f.iters[*iter]);
    let (init, test, step) = (expr(f, init), expr(f, test), expr(f, step));
    let inner = |out: &mut String, last: String| {
        block(f, body, depth + 1, out);
        out.push_str(&last);
    };
    let _ = match form {
        Form::For => {
            clauses(f, *iter, out);
            let declared = if i.outside { String::new() } else { format!("{} ", i.c_type) };
            let _ = writeln!(out, "{pad}for ({declared}{} = {init}; {test}; {step}) {{", i.name);
            inner(out, String::new());
            writeln!(out, "{pad}}}")
        }
        Form::While => {
            let _ = writeln!(out, "{pad}{} = {init};\n{pad}while ({test}) {{", i.name);
            inner(out, format!("{pad}    {step};\n"));
            writeln!(out, "{pad}}}")
        }
        Form::Do => {
            let _ = writeln!(out, "{pad}{} = {init};\n{pad}do {{", i.name);
            inner(out, format!("{pad}    {step};\n"));
            writeln!(out, "{pad}}} while ({test});")
        }
    };
}

/// A loop that a condition on data ends.
fn again(f: &Function, node: &Node, depth: usize, out: &mut String) {
    let Node::Again { iter, times, go_on, form, body } = node else { unreachable!("only called on such a loop") };
    let (pad, t, go_on) = ("    ".repeat(depth), &f.iters[*iter].name, expr(f, go_on));
    let inside = |out: &mut String, counts: bool| {
        block(f, body, depth + 1, out);
        if counts {
            let _ = writeln!(out, "{pad}    {t}++;");
        }
    };
    let _ = match form {
        Ends::For => {
            let _ = writeln!(out, "{pad}for ({t} = 0; {t} < {times} && {go_on}; {t}++) {{");
            inside(out, false);
            writeln!(out, "{pad}}}")
        }
        Ends::While => {
            let _ = writeln!(out, "{pad}{t} = 0;\n{pad}while ({t} < {times} && {go_on}) {{");
            inside(out, true);
            writeln!(out, "{pad}}}")
        }
        Ends::DoWhile => {
            let _ = writeln!(out, "{pad}{t} = 0;\n{pad}do {{");
            inside(out, true);
            writeln!(out, "{pad}}} while ({t} < {times} && {go_on});")
        }
        Ends::CountingWhile => {
            let _ = writeln!(out, "{pad}{t} = 0;\n{pad}while ({go_on} && {t}++ < {times}) {{");
            inside(out, false);
            writeln!(out, "{pad}}}")
        }
        Ends::CountingDo => {
            let _ = writeln!(out, "{pad}{t} = 0;\n{pad}do {{");
            inside(out, false);
            writeln!(out, "{pad}}} while ({go_on} && ++{t} < {times});")
        }
        Ends::Members(_) => {
            let _ = writeln!(out, "{pad}for ({t} = 0; {t} < o->most && {go_on}; {t}++) {{");
            inside(out, false);
            writeln!(out, "{pad}}}")
        }
    };
}

fn expr(f: &Function, e: &Expr) -> String {
    e.pieces
        .iter()
        .map(|p| match p {
            Piece::Text(t) => t.clone(),
            Piece::Affine(a) => affine(f, a),
            Piece::Read(a) => access(f, a),
            Piece::Var(v) => f.vars[*v].name.clone(),
        })
        .collect()
}

fn access(f: &Function, a: &Access) -> String {
    let array = &f.arrays[a.array];
    let subs: Vec<String> = a.subs.iter().map(|s| affine(f, s)).collect();
    if array.style != Style::Linear {
        return format!("{}[{}]", array.name, subs.join("]["));
    }
    let grouped = |s: &str| if s.contains(' ') { format!("({s})") } else { s.to_string() };
    let linear = subs.iter().enumerate().skip(1).fold(subs[0].clone(), |outer, (d, sub)| {
        format!("{} * {} + {sub}", grouped(&outer), grouped(&affine(f, &array.extents[d])))
    });
    format!("{}[{linear}]", array.name)
}

/// `2 * i + n - 1`
fn affine(f: &Function, a: &Affine) -> String {
    let name = |iter: usize| match f.iters[iter].is.as_ref().map(|e| expr(f, e)) {
        Some(e) if e.contains(' ') && !e.ends_with(']') => format!("({e})"),
        Some(e) => e,
        None => f.iters[iter].name.clone(),
    };
    let mut terms: Vec<(i64, String)> = a.iters.iter().map(|&(i, k)| (k, name(i))).collect();
    terms.push((a.n, "n".to_string()));
    terms.push((a.m, "m".to_string()));
    terms.sort_by_key(|&(k, _)| k < 0);
    let mut out = String::new();
    for (k, name) in terms.into_iter().filter(|&(k, _)| k != 0) {
        out.push_str(match (out.is_empty(), k < 0) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        });
        if k.abs() != 1 {
            let _ = write!(out, "{} * ", k.abs());
        }
        out.push_str(&name);
    }
    match a.c {
        c if out.is_empty() => format!("{c}"),
        0 => out,
        c if c > 0 => format!("{out} + {c}"),
        c => format!("{out} - {}", -c),
    }
}
