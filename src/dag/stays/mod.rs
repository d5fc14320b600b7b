//! What regions leave on the device for the next ones, and where the program must have it back.
//!
//! ```c
//! for (t = 0; t < n; t++) {
//!     update_h(g);                      its region leaves what it writes on the device,
//!     update_e(g);                      where the next one finds it
//!     if (t % 100 == 0) print(g->ez);   the host reads: it comes home here, and nowhere else
//! }
//! ```
//! A region leaves what it writes if the program may come to another one before the host touches memory that may be it
//! (`touches`). On all ways from there (`flow`) whatever touches such memory is preceded by a call that brings it home; so
//! is every way out of a function whose callers are not all known (`program`). Which bytes are where, is the runtime's
//! affair (`templates/runtime/rt_stay.h`): a region's arrays find what is there by its address on the host.
//!
//! What cannot be seen through is not used: with threads, jumps out of functions or handlers of signals nothing stays, and in
//! a function with a `goto` nothing is left.
//!
//! Where there is no place for such a call (inside a macro), its function is given up and brings everything home where
//! it begins. Where a region's original runs, what its functions' own regions leave is followed in the same way. Arrays
//! that stay on no account (on the stack, rows that are exchanged) go through the same bookkeeping.

mod flow;
mod program;
mod touches;

use super::plan::Region;
use crate::ast::visit::Piece;
use crate::ast::{Expr, ExprKind, Stmt, StmtKind, Unit};
use crate::region::functions;
use crate::source::{Source, Span};
use flow::What;
use program::{FunctionId, Program};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
pub use touches::{Touch, Use};

/// A file of the program.
pub struct Part<'a> {
    pub source: &'a Source,
    pub unit: &'a Unit,
    pub regions: Vec<&'a Region>,
}

/// Where something is said to the runtime.
#[derive(Debug, Clone, PartialEq)]
pub enum Place {
    /// Before a statement.
    Before { span: Span, directives: Vec<Span>, in_block: bool },
    /// Before an expression that the loop `around` it evaluates at each iteration.
    Each { around: Span, directives: Vec<Span>, at: Span },
    /// Before the call of a region, by its place in the file.
    Region(usize),
    /// Where the body of a function begins.
    Start(Span),
    /// Where it ends.
    End(Span),
}

/// Something that must be at home.
#[derive(Debug, Clone, PartialEq)]
pub struct Need {
    pub part: usize,
    function: FunctionId,
    pub place: Place,
    pub touch: Touch,
    is_placed: bool,
}

impl Need {
    /// Whether the device has nothing of use behind it.
    fn is_end(&self) -> bool {
        self.is_placed && self.touch == Touch::Anything(Use::Writes)
    }
}

/// What was decided.
#[derive(Debug, Default)]
pub struct Stays {
    /// The regions that leave what they write on the device, by part and place.
    pub leaves: BTreeSet<(usize, usize)>,
    pub needs: Vec<Need>,
}

/// Functions of C's and POSIX' libraries that touch nothing but what they are handed, and call nobody but whom they are
/// handed.
const STANDARD: &[&str] = &[
    "printf",
    "fprintf",
    "sprintf",
    "snprintf",
    "puts",
    "putchar",
    "fputs",
    "fputc",
    "putc",
    "perror",
    "scanf",
    "fscanf",
    "sscanf",
    "fgets",
    "fgetc",
    "getc",
    "getchar",
    "fopen",
    "fclose",
    "fflush",
    "fread",
    "fwrite",
    "fseek",
    "ftell",
    "rewind",
    "feof",
    "ferror",
    "remove",
    "malloc",
    "calloc",
    "realloc",
    "free",
    "aligned_alloc",
    "posix_memalign",
    "memcpy",
    "memmove",
    "memset",
    "memcmp",
    "strlen",
    "strcpy",
    "strncpy",
    "strcat",
    "strncat",
    "strcmp",
    "strncmp",
    "strcasecmp",
    "strchr",
    "strrchr",
    "strstr",
    "strtol",
    "strtoul",
    "strtoll",
    "strtod",
    "strtof",
    "atoi",
    "atol",
    "atoll",
    "atof",
    "strerror",
    "isdigit",
    "isspace",
    "isalpha",
    "toupper",
    "tolower",
    "rand",
    "srand",
    "random",
    "srandom",
    "drand48",
    "srand48",
    "lrand48",
    "time",
    "clock",
    "difftime",
    "gettimeofday",
    "clock_gettime",
    "localtime",
    "strftime",
    "ctime",
    "exit",
    "abort",
    "_exit",
    "getenv",
    "getopt",
    "qsort",
    "bsearch",
    "div",
    "ldiv",
    "frexp",
    "frexpf",
    "ldexp",
    "ldexpf",
    "modf",
    "modff",
    "scalbn",
    "logb",
    "ilogb",
    "lround",
    "lrint",
    "llround",
    "isnan",
    "isinf",
    "isfinite",
    "__isnan",
    "__isinf",
    "__finite",
    "signbit",
    "__assert_fail",
    "sleep",
    "usleep",
    "getpid",
    "access",
    "mkdir",
    "unlink",
    "__errno_location",
    "__ctype_b_loc",
    "__isoc99_sscanf",
    "__isoc99_fscanf",
    "__isoc99_scanf",
    "omp_get_wtime",
    "omp_get_max_threads",
    "omp_get_num_threads",
    "omp_get_thread_num",
    "omp_set_num_threads",
    "getrusage",
    "sincos",
    "sincosf",
    "jn",
    "yn",
    "j0",
    "j1",
    "y0",
    "y1",
    "nan",
    "nanf",
    "nextafter",
];

/// Those of them that change no variable of the program.
const PRINTING: &[&str] = &["printf", "fprintf", "puts", "putchar", "fputs", "fflush", "exit", "abort"];

fn is_standard(name: &str) -> bool {
    functions::math(name).is_some() || STANDARD.contains(&name.strip_prefix("__builtin_").unwrap_or(name))
}

/// Calls after which the program's statements are no longer one sequence.
fn is_strange(name: &str) -> bool {
    const NAMES: &[&str] =
        &["fork", "vfork", "setjmp", "_setjmp", "sigsetjmp", "longjmp", "siglongjmp", "signal", "sigaction", "atexit"];
    ["pthread_", "thrd_"].iter().any(|prefix| name.starts_with(prefix)) || NAMES.contains(&name)
}

/// Calls of them that may run functions of the program that nobody has seen.
const ENDING: &[&str] = &["exit", "quick_exit"];

/// Decides for a program, or for a file of one, of which the rest is not known. `can_place` says whether something can stand at
/// a place in the text of a part.
pub fn find(parts: &[Part], is_whole: bool, can_place: &dyn Fn(usize, &Place) -> bool) -> Stays {
    if parts.iter().any(is_beyond) {
        return Stays::default();
    }
    // Functions are numbered as the parts have them.
    let all = parts.iter().flat_map(|p| p.unit.functions.iter().map(move |f| (p.source, &f.body)));
    let odd = all.enumerate().filter(|(_, (source, body))| jumps(source, body));
    let mut refused: BTreeSet<FunctionId> = odd.map(|(f, _)| f).collect();
    let mut leaves: BTreeSet<(usize, usize)> = BTreeSet::new();
    for (part, p) in parts.iter().enumerate() {
        leaves.extend((0..p.regions.len()).filter(|r| p.regions[*r].may_leave()).map(|r| (part, r)));
    }
    loop {
        let program = Program::new(parts, is_whole, &leaves, &refused);
        for function in refused.iter().map(|f| &program.functions[*f]) {
            function.regions.iter().for_each(|r| _ = leaves.remove(&(function.part, *r)));
        }
        let flow = flow::flow(&program, &refused);
        let is_end = |node: usize| matches!(flow.nodes[node].what, What::Need(k) if flow.needs[k].is_end());
        let behind = |regions: &BTreeSet<(usize, usize)>| {
            let is_one =
                |node: &usize| matches!(flow.nodes[*node].what, What::Region(part, r) if regions.contains(&(part, r)));
            let from = (0..flow.nodes.len()).filter(is_one);
            reached(&flow.nodes, from.flat_map(|node| flow.nodes[node].next.clone()).collect(), &is_end)
        };
        let wanted: BTreeSet<(usize, usize)> = leaves
            .iter()
            .copied()
            .filter(|region| {
                let found = behind(&BTreeSet::from([*region]));
                found
                    .iter()
                    .any(|node| matches!(flow.nodes[*node].what, What::Region(part, r) if leaves.contains(&(part, r))))
            })
            .collect();
        if wanted != leaves {
            leaves = wanted;
            continue;
        }
        let met = behind(&leaves);
        let needs: BTreeMap<usize, &Need> = met
            .iter()
            .filter_map(|node| match flow.nodes[*node].what {
                What::Need(k) if flow.needs[k].is_placed => Some((k, &flow.needs[k])),
                _ => None,
            })
            .collect();
        let misplaced = needs.values().find(|need| !can_place(need.part, &need.place));
        let Some(misplaced) = misplaced else {
            return Stays { leaves, needs: needs.into_values().cloned().collect() };
        };
        if matches!(misplaced.place, Place::Start(_)) {
            return Stays::default();
        }
        refused.insert(misplaced.function);
    }
}

/// What the user is told of a region that leaves something.
pub fn note(region: &Region) -> String {
    let names: Vec<String> = region.arrays.iter().filter(|a| a.may_stay).map(|a| format!("`{}`", a.name)).collect();
    format!(
        "{} may stay on the device from region to region: what is there already is not copied again",
        names.join(", ")
    )
}

/// What was decided for a file, for people.
pub fn text<'a>(
    regions: impl Iterator<Item = &'a Region>,
    needs: impl Iterator<Item = &'a Need>,
    line: &dyn Fn(Span) -> u32,
) -> String {
    let mut out = String::new();
    for r in regions {
        let names: Vec<&str> = r.arrays.iter().filter(|a| r.leaves && a.may_stay).map(|a| a.name.as_str()).collect();
        let _ = writeln!(
            out,
            "region {} leaves {}",
            r.name,
            if names.is_empty() { "nothing".into() } else { names.join(", ") }
        );
    }
    for need in needs {
        let place = match &need.place {
            Place::Before { span, .. } => format!("before line {}", line(*span)),
            Place::Each { at, .. } => format!("before each test on line {}", line(*at)),
            Place::Region(_) => "before a region".to_string(),
            Place::Start(body) => format!("at the beginning on line {}", line(*body)),
            Place::End(body) => format!("at the end on line {}", line(Span { lo: body.hi - 1, hi: body.hi })),
        };
        let touch = match &need.touch {
            Touch::Anything(used) => format!("the host {} anything", used.verb()),
            Touch::Elements(all) => {
                let all: Vec<String> = all.iter().map(|(e, used)| format!("{} {e}", used.verb())).collect();
                format!("the host {}", all.join(", "))
            }
        };
        let _ = writeln!(out, "{place}: {touch}");
    }
    out
}

/// The nodes that may follow, through all but those behind which the device has nothing. What the host has read, or has of some
/// elements alone, the device still has.
fn reached(nodes: &[flow::Node], from: Vec<usize>, is_end: &dyn Fn(usize) -> bool) -> BTreeSet<usize> {
    let (mut pending, mut out) = (from, BTreeSet::new());
    while let Some(node) = pending.pop() {
        if out.insert(node) && !is_end(node) {
            pending.extend(&nodes[node].next);
        }
    }
    out
}

/// Whether what a file does is no sequence of statements.
fn is_beyond(part: &Part) -> bool {
    let mut is_beyond = false;
    for f in &part.unit.functions {
        f.body.walk(&mut |piece| {
            is_beyond |=
                matches!(piece, Piece::Expr(Expr { kind: ExprKind::Call { name, .. }, .. }) if is_strange(name));
        });
    }
    is_beyond
}

/// Whether a function jumps to where nothing was said: by `goto`, or by a `case` inside another statement.
fn jumps(source: &Source, body: &Stmt) -> bool {
    let mut jumps = source.tokens().iter().any(|t| body.span.contains(t.span.lo) && t.text(&source.text) == "goto");
    body.walk(&mut |piece| {
        if let Piece::Stmt(Stmt { kind: StmtKind::Switch { body, .. }, .. }) = piece {
            let direct = body.stmts().iter().filter(|s| matches!(s.kind, StmtKind::Case(_))).count();
            jumps |= direct != labels(body);
        }
    });
    jumps
}

/// The labels of a `switch`, without those of one in it.
fn labels(s: &Stmt) -> usize {
    match &s.kind {
        StmtKind::Case(_) => 1,
        StmtKind::Switch { .. } => 0,
        _ => s.stmts().into_iter().map(labels).sum(),
    }
}
