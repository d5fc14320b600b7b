//! The programs of `rtcuda bench loops`: the text of a nest's function in a loop over time, spelled in several ways.

use crate::bench::kernels::rows::{Row, Source};
use crate::diag::Stop;
use handlebars::Handlebars;
use serde::Serialize;

const LOOPS: &str = include_str!("../../../../templates/bench/loops/loops.c.hbs");
const ROWS: &str = include_str!("../../../../templates/bench/loops/rows.c.hbs");

/// Ways to spell a loop over time, as the programs are asked for them.
pub const SPELLINGS: [&str; 5] = ["calls", "pointers", "turns", "copied", "rows"];

/// A nest that reads one array and writes another of the same shape.
#[derive(Debug, PartialEq, Serialize)]
struct Nest {
    name: String,
    /// The function, to the letter.
    nest: String,
    /// `int n, int m`, and with what they are called: `n, m`; their types.
    scalars: String,
    given: String,
    types: String,
    /// Statements that read them from the program's arguments.
    read: String,
    /// Type of the elements; `floats(2 * cells)`.
    r#type: String,
    values: String,
    /// Names of the array that is read, and of that which is written.
    from: String,
    to: String,
    /// `[n][m]`, `[m]`, `(size_t)n * m`, `**`
    extents: String,
    inner: String,
    cells: String,
    stars: String,
    /// The loops as they stand in the function, and further in; the same over a plane for each turn; loops that copy an array
    /// back; statements that make tables of rows.
    function_body: String,
    body: String,
    body_of_turns: String,
    copy: String,
    table: String,
}

/// The C files of a row's nest in loops: the first has `main`.
///
/// # Errors
/// A function of another form than this takes.
pub fn files(row: &Row, source: &Source) -> Result<[(String, String); 2], Stop> {
    let bug = |why: &str| Stop::Bug(format!("bench loops: {}: {why}", row.kernel));
    let nest = Nest::of(row.kernel, source.text).ok_or_else(|| bug("no nest of two arrays"))?;
    let mut registry = Handlebars::new();
    registry.set_strict_mode(true);
    registry.register_escape_fn(handlebars::no_escape);
    let text = |template: &str| registry.render_template(template, &nest).map_err(|e| bug(&e.to_string()));
    Ok([(format!("{}.c", row.kernel), text(LOOPS)?), (format!("{}_rows.c", row.kernel), text(ROWS)?)])
}

impl Nest {
    fn of(name: &str, text: &str) -> Option<Nest> {
        let start = text.find(&format!("static void {name}("))?;
        let whole = &text[start..start + text[start..].find("\n}\n")? + 3];
        let (head, body) = whole.split_once(") {\n")?;
        let body = body.strip_suffix("}\n")?;
        let params: Vec<&str> = head.split_once('(')?.1.split(',').map(str::trim).collect();
        let (arrays, scalars): (Vec<&str>, Vec<&str>) = params.into_iter().partition(|p| p.contains('['));
        let [(ty, from, extents), (_, to, same)] = arrays.iter().map(|p| array(p)).collect::<Option<Vec<_>>>()?[..]
        else {
            return None;
        };
        if extents != same {
            return None;
        }
        let of_scalar = |p: &&str| p.rsplit_once(' ').map(|(ty, name)| (ty.to_string(), name.to_string()));
        let named: Vec<(String, String)> = scalars.iter().map(of_scalar).collect::<Option<_>>()?;
        let sides: Vec<&str> = extents.trim_matches(['[', ']']).split("][").collect();
        let deep = |body: &str| body.lines().map(|line| format!("    {line}")).collect::<Vec<_>>().join("\n");
        let counters = ["a", "b", "c"];
        let at: String = counters[..sides.len()].iter().map(|c| format!("[{c}]")).collect();
        let mut copy = String::new();
        for (d, (counter, side)) in counters.iter().zip(&sides).enumerate() {
            let indent = "    ".repeat(d + 2);
            copy += &format!("{indent}for (int {counter} = 0; {counter} < {side}; {counter}++)\n");
        }
        copy += &format!("{}{from}{at} = {to}{at};", "    ".repeat(sides.len() + 2));
        // The first numbers are the sizes; others are constants of the method.
        let read = |(at, (ty, name)): (usize, &(String, String))| match ty.as_str() {
            "int" => format!("    int {name} = size[{at}];"),
            ty => format!("    {ty} {name} = 1;"),
        };
        let values = match ty {
            "float" => "floats(2 * cells)",
            "double" => "doubles(2 * cells)",
            _ => "bytes(2 * cells, 2)",
        };
        let joined = |part: &dyn Fn(&(String, String)) -> String| named.iter().map(part).collect::<Vec<_>>().join(", ");
        Some(Nest {
            name: name.into(),
            nest: whole.into(),
            scalars: scalars.join(", "),
            given: joined(&|(_, name)| name.clone()),
            types: joined(&|(ty, _)| ty.clone()),
            read: named.iter().enumerate().map(read).collect::<Vec<_>>().join("\n"),
            r#type: ty.into(),
            values: values.into(),
            from: from.into(),
            to: to.into(),
            extents: extents.into(),
            inner: sides[1..].iter().map(|side| format!("[{side}]")).collect(),
            cells: format!("(size_t){}", sides.join(" * ")),
            stars: "*".repeat(sides.len()),
            function_body: body.into(),
            body: deep(body),
            body_of_turns: {
                let plane =
                    |name: &str, turn: &str, body: &str| body.replace(&format!("{name}["), &format!("planes[{turn}]["));
                plane(to, "(step + 1) % 2", &plane(from, "step % 2", &deep(body)))
            },
            copy,
            table: table(ty, &sides),
        })
    }
}

/// `float u[n][m]`: its type, name and extents.
fn array(param: &str) -> Option<(&str, &str, &str)> {
    let (head, extents) = param.split_at(param.find('[')?);
    let (ty, name) = head.rsplit_once(' ')?;
    Some((ty, name, extents))
}

/// Tables of pointers to rows, and to tables of these.
fn table(ty: &str, sides: &[&str]) -> String {
    let count = |n: usize| sides[..n].join(" * ");
    let last = sides.len() - 1;
    let mut out = String::new();
    for d in (0..last).rev() {
        let (pointer, n) = ("*".repeat(last - d), count(d + 1));
        let below = if d + 1 == last { "memory".into() } else { format!("level_{}", d + 1) };
        let elements = format!("(size_t){}", sides[d + 1]);
        out += &format!("    {ty} {pointer}*level_{d} = malloc({n} * sizeof *level_{d});\n");
        out += &format!("    for (int r = 0; r < {n}; r++)\n        level_{d}[r] = {below} + r * {elements};\n");
    }
    out + "    return level_0;"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::kernels::loops::nests;

    #[test]
    fn each_nest_is_spelled_in_every_way() {
        assert!(nests(&[]).count() >= 8);
        for row in nests(&[]) {
            let source = row.source().expect("a row has a source");
            let [(_, text), (_, rows)] = files(row, source).expect("it is a nest of two arrays");
            assert!(SPELLINGS.iter().all(|name| text.contains(&format!("static double {name}("))), "{text}");
            assert!(rows.contains(&format!("void {}_rows(", row.kernel)), "{rows}");
        }
    }

    #[test]
    fn tables_lead_to_rows() {
        let one = "    float **level_0 = malloc(n * sizeof *level_0);\n    for (int r = 0; r < n; r++)\n        \
                   level_0[r] = memory + r * (size_t)m;\n    return level_0;";
        assert_eq!(table("float", &["n", "m"]), one);
    }
}
