//! The model of a random function: loops, guards and assignments over arrays, all affine.
//!
//! Two properties hold by construction, so that every difference found is a fault of the conversion:
//! - **In bounds.** Every subscript is shifted to start at 0, and every array is as large as its subscripts reach
//!   ([`Function::access`]).
//! - **Exact.** All values are integers that their type holds exactly, floating types included, whatever the order of
//!   a sum: an [`Expr`] carries a bound of its magnitude, and what could grow is folded back
//!   (see [`draw`](super::draw)). So is the sign of a zero: where `fmin` or `fmax` may give either of two zeros, there is
//!   no -0.0 ([`Array::unsigned_zero`]).

/// The type of an element or scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Elem {
    UChar,
    Int,
    UInt,
    Long,
    Float,
    Double,
}

impl Elem {
    pub const ALL: [Elem; 6] = [Elem::UChar, Elem::Int, Elem::UInt, Elem::Long, Elem::Float, Elem::Double];

    pub fn c(self) -> &'static str {
        match self {
            Elem::UChar => "unsigned char",
            Elem::Int => "int",
            Elem::UInt => "unsigned",
            Elem::Long => "long",
            Elem::Float => "float",
            Elem::Double => "double",
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, Elem::Float | Elem::Double)
    }

    /// Wraps around, so that nothing can be too large.
    pub fn wraps(self) -> bool {
        matches!(self, Elem::UChar | Elem::UInt)
    }

    /// Integers up to this magnitude are computed with exactly.
    pub fn limit(self) -> i64 {
        match self {
            Elem::UChar => 255,
            Elem::Int => i32::MAX as i64,
            Elem::UInt => u32::MAX as i64,
            Elem::Long => 1 << 52,
            Elem::Float => 1 << 24,
            Elem::Double => 1 << 52,
        }
    }

    /// What `=` may store; the bit operations stay within it.
    pub fn plain(self) -> i64 {
        match self {
            Elem::UChar => 255,
            Elem::UInt => u32::MAX as i64,
            Elem::Float => 128,
            _ => 1024,
        }
    }

    /// What `+=` may add at a time ...
    pub fn step(self) -> i64 {
        if self == Elem::Float { 50 } else { 1000 }
    }

    /// ... and what that can come to over [`MAX_STEPS`].
    pub fn accumulated(self) -> i64 {
        if self.wraps() { self.limit() } else { self.plain() + self.step() * MAX_STEPS }
    }
}

/// No element or scalar of a function is added to more often than this.
pub const MAX_STEPS: i64 = 300_000;

/// `c + n * N + m * M + sum of coefficient * iterator`; `N` and `M` are the function's two parameters.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Affine {
    pub c: i64,
    pub n: i64,
    pub m: i64,
    /// (iterator, coefficient)
    pub iters: Vec<(usize, i64)>,
}

impl Affine {
    pub fn constant(c: i64) -> Self {
        Affine { c, ..Affine::default() }
    }

    pub fn iter(iter: usize) -> Self {
        Affine { iters: vec![(iter, 1)], ..Affine::default() }
    }

    pub fn plus(&self, c: i64) -> Self {
        Affine { c: self.c + c, ..self.clone() }
    }

    /// `self + by * other`
    pub fn add(&self, by: i64, other: &Affine) -> Self {
        let mut sum = self.clone();
        sum.c += by * other.c;
        sum.n += by * other.n;
        sum.m += by * other.m;
        for &(iter, k) in &other.iters {
            match sum.iters.iter_mut().find(|(i, _)| *i == iter) {
                Some((_, coefficient)) => *coefficient += by * k,
                None => sum.iters.push((iter, by * k)),
            }
        }
        sum.iters.retain(|&(_, k)| k != 0);
        sum
    }
}

/// A loop iterator and the box its values lie in: `lo` to `hi`, both included, over the parameters only.
#[derive(Debug, Clone, Default)]
pub struct Iter {
    pub name: String,
    pub c_type: &'static str,
    /// Declared at the function's head, not in the `for`.
    pub outside: bool,
    pub lo: Affine,
    pub hi: Affine,
    /// Expression written in the place of its name, of one that counts no loop: `c[k]`, `i % 3`.
    pub is: Option<Expr>,
}

/// How an array is declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// `double a[n + 2][m]`
    Vla,
    /// `double (*a)[12]`
    Fixed,
    /// `double *a`, subscripted by `a[i * (m + 1) + j]`.
    Linear,
    /// `static double a[14][9]`
    Global,
    /// `double **a`, whose rows lie in memory the other way round.
    Rows,
    /// `double a[4];` in a loop body.
    Local,
}

/// What a function does with an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Never written: small values.
    Input,
    /// Written by `=`: values up to [`Elem::plain`].
    Plain,
    /// Written by `+=` too: values up to [`Elem::accumulated`].
    Accumulator,
}

/// An array; every access widens `extents`.
#[derive(Debug, Clone)]
pub struct Array {
    pub name: String,
    pub elem: Elem,
    pub style: Style,
    pub role: Role,
    pub extents: Vec<Affine>,
    /// Never holds -0.0, so that `fmin` and `fmax` have one result.
    pub unsigned_zero: bool,
}

impl Array {
    /// A bound of the values it holds.
    pub fn magnitude(&self) -> i64 {
        match self.role {
            Role::Input => 18,
            Role::Plain => self.elem.plain(),
            Role::Accumulator => self.elem.accumulated(),
        }
    }
}

/// A scalar variable.
#[derive(Debug, Clone)]
pub struct Var {
    pub name: String,
    pub elem: Elem,
    /// The value it is declared with at the function's head; `None`: declared by a [`Node::Declare`].
    pub head: Option<i64>,
    pub magnitude: i64,
    /// Never holds -0.0, as an array.
    pub unsigned_zero: bool,
}

/// An element of an array.
#[derive(Debug, Clone, PartialEq)]
pub struct Access {
    pub array: usize,
    pub subs: Vec<Affine>,
}

/// Part of an expression's text.
#[derive(Debug, Clone)]
pub enum Piece {
    Text(String),
    Affine(Affine),
    Read(Access),
    Var(usize),
}

/// An expression: its text, its C type, and a bound of its magnitude.
#[derive(Debug, Clone)]
pub struct Expr {
    pub pieces: Vec<Piece>,
    pub elem: Elem,
    pub magnitude: i64,
}

impl Expr {
    pub fn of(piece: Piece, elem: Elem, magnitude: i64) -> Self {
        Expr { pieces: vec![piece], elem, magnitude }
    }

    /// Text with `{}` where the operands stand.
    pub fn compose(template: &str, operands: &[&Expr], elem: Elem, magnitude: i64) -> Self {
        let mut pieces = Vec::new();
        for (k, text) in template.split("{}").enumerate() {
            if k > 0 {
                pieces.extend(operands[k - 1].pieces.iter().cloned());
            }
            pieces.push(Piece::Text(text.to_string()));
        }
        Expr { pieces, elem, magnitude }
    }
}

/// What an assignment writes.
#[derive(Debug, Clone)]
pub enum Target {
    Element(Access),
    Var(usize),
}

/// How a loop is written that ends early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ends {
    /// `for (t = 0; t < times && go_on; t++)`
    For,
    /// `while (t < times && go_on) { ...; t++; }`
    While,
    /// `do { ...; t++; } while (t < times && go_on);`
    DoWhile,
    /// `while (go_on && t++ < times) { ... }`
    CountingWhile,
    /// `do { ... } while (go_on && ++t < times);`
    CountingDo,
    /// `for (t = 0; t < o->most && go_on; t++)`; the condition compares with `o->level`, which is this number.
    Members(i64),
}

/// How a loop is written that is not counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    For,
    While,
    Do,
}

/// A statement.
#[derive(Debug, Clone)]
pub enum Node {
    /// `for (iter = init; iter test bound; iter += step)`
    For {
        iter: usize,
        init: Expr,
        test: &'static str,
        bound: Expr,
        step: i64,
        body: Vec<Node>,
    },
    /// Runs `times` times at most, as long as a condition holds that its body changes.
    Again {
        iter: usize,
        times: i64,
        go_on: Expr,
        form: Ends,
        body: Vec<Node>,
    },
    /// `for (iter = init; test; step)`, where the test may read data and the step be any; also as `while` and `do`.
    Loop {
        iter: usize,
        form: Form,
        init: Expr,
        test: Expr,
        step: Expr,
        body: Vec<Node>,
    },
    /// `tmp = a; a = b; b = tmp;` of two pointers.
    Exchange {
        arrays: [usize; 2],
    },
    If {
        cond: Expr,
        then: Vec<Node>,
        other: Vec<Node>,
    },
    /// `double v = value;`
    Declare {
        var: usize,
        value: Expr,
    },
    /// `double w[4];`
    DeclareArray {
        array: usize,
    },
    /// `continue;`
    Continue,
    /// `break;`
    Break,
    /// `target op value;`
    Assign {
        target: Target,
        op: &'static str,
        value: Expr,
    },
}

impl Node {
    /// The statements directly inside.
    pub fn children(&self) -> Vec<&[Node]> {
        match self {
            Node::For { body, .. } | Node::Loop { body, .. } | Node::Again { body, .. } => vec![body],
            Node::If { then, other, .. } => vec![then, other],
            _ => Vec::new(),
        }
    }

    /// Its own expressions.
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            Node::For { init, bound, .. } => vec![init, bound],
            Node::Loop { init, test, step, .. } => vec![init, test, step],
            Node::If { cond: value, .. } | Node::Declare { value, .. } | Node::Assign { value, .. } => vec![value],
            Node::Again { go_on, .. } => vec![go_on],
            Node::DeclareArray { .. } | Node::Continue | Node::Break | Node::Exchange { .. } => Vec::new(),
        }
    }
}

/// What a function's statements name, by position.
#[derive(Debug)]
pub struct Used {
    pub arrays: Vec<bool>,
    pub vars: Vec<bool>,
    pub iters: Vec<bool>,
}

/// Request of a function for the mapping of its nests.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// Lines of its `[[region]]`.
    pub config: String,
    /// The iterator of a loop, and the words of its directive.
    pub directive: Option<(usize, String)>,
}

/// A random function, and the sizes it is called with.
#[derive(Debug, Clone)]
pub struct Function {
    pub name: String,
    pub n: i64,
    pub m: i64,
    pub arrays: Vec<Array>,
    pub vars: Vec<Var>,
    pub iters: Vec<Iter>,
    pub body: Vec<Node>,
    /// Two arrays of one shape that the caller passes the same memory for.
    pub alias: Option<(usize, usize)>,
    pub asked: Asked,
    /// Value of the parameter `s`, by which loops step.
    pub step: Option<i64>,
    /// Reductions of OpenMP directives: the iterator of the loop, the operator, the scalar.
    pub clauses: Vec<(usize, &'static str, usize)>,
}

impl Function {
    /// The value of an expression over the parameters.
    pub fn eval(&self, a: &Affine) -> i64 {
        a.c + a.n * self.n + a.m * self.m
    }

    /// The least and largest value over the box of the iterators.
    pub fn bounds(&self, a: &Affine) -> (Affine, Affine) {
        let base = Affine { iters: Vec::new(), ..a.clone() };
        a.iters.iter().fold((base.clone(), base), |(lo, hi), &(iter, k)| {
            let iter = &self.iters[iter];
            let (least, most) = if k > 0 { (&iter.lo, &iter.hi) } else { (&iter.hi, &iter.lo) };
            (lo.add(k, least), hi.add(k, most))
        })
    }

    /// An element of `array`: subscripts are shifted up to 0 where they would be negative, and the array grows to hold
    /// the largest.
    pub fn access(&mut self, array: usize, mut subs: Vec<Affine>) -> Access {
        for (d, sub) in subs.iter_mut().enumerate() {
            let least = self.eval(&self.bounds(sub).0);
            sub.c += (-least).max(0);
            let most = self.bounds(sub).1;
            let mut extent = self.arrays[array].extents[d].clone();
            extent.n = extent.n.max(most.n);
            extent.m = extent.m.max(most.m);
            let needed = self.eval(&most).max(0) + 1;
            extent.c += (needed - self.eval(&extent)).max(0);
            self.arrays[array].extents[d] = extent;
        }
        Access { array, subs }
    }

    /// Gives two arrays the larger of their extents.
    pub fn make_alike(&mut self, first: usize, second: usize) {
        for d in 0..self.arrays[first].extents.len() {
            let (x, y) = (&self.arrays[first].extents[d], &self.arrays[second].extents[d]);
            let both = Affine { c: x.c.max(y.c), n: x.n.max(y.n), m: x.m.max(y.m), iters: Vec::new() };
            self.arrays[first].extents[d] = both.clone();
            self.arrays[second].extents[d] = both;
        }
    }

    /// Calls `f` on every statement, outer ones first.
    pub fn walk<'a>(&'a self, f: &mut dyn FnMut(&'a Node)) {
        fn each<'a>(nodes: &'a [Node], f: &mut dyn FnMut(&'a Node)) {
            for node in nodes {
                f(node);
                node.children().into_iter().for_each(|inner| each(inner, f));
            }
        }
        each(&self.body, f);
    }

    /// The arrays, scalars and iterators that its statements name.
    pub fn used(&self) -> Used {
        let none = |n| vec![false; n];
        let mut used =
            Used { arrays: none(self.arrays.len()), vars: none(self.vars.len()), iters: none(self.iters.len()) };
        self.walk(&mut |node| {
            node.exprs().into_iter().for_each(|e| self.uses_of(e, &mut used));
            match node {
                Node::For { iter, .. } | Node::Loop { iter, .. } | Node::Again { iter, .. } => used.iters[*iter] = true,
                Node::Exchange { arrays } => arrays.iter().for_each(|a| used.arrays[*a] = true),
                Node::DeclareArray { array } => used.arrays[*array] = true,
                Node::Assign { target: Target::Element(a), .. } => {
                    self.uses_of(&Expr::of(Piece::Read(a.clone()), Elem::Int, 0), &mut used);
                }
                Node::Assign { target: Target::Var(v), .. } => used.vars[*v] = true,
                _ => {}
            }
        });
        used
    }

    /// Marks what an expression names, also behind the iterators that stand for one.
    fn uses_of(&self, e: &Expr, used: &mut Used) {
        for piece in &e.pieces {
            let affine = match piece {
                Piece::Read(a) => {
                    used.arrays[a.array] = true;
                    a.subs.as_slice()
                }
                Piece::Affine(a) => std::slice::from_ref(a),
                Piece::Var(v) => {
                    used.vars[*v] = true;
                    &[]
                }
                Piece::Text(_) => &[],
            };
            let iters = affine.iter().flat_map(|a| &a.iters);
            iters.filter_map(|&(i, _)| self.iters[i].is.as_ref()).for_each(|e| self.uses_of(e, used));
        }
    }

    /// The members that the condition of a time loop reads: `most` and `level`.
    pub fn members(&self) -> Option<(i64, i64)> {
        let mut found = None;
        self.walk(&mut |node| {
            if let Node::Again { times, form: Ends::Members(level), .. } = node {
                found = Some((*times, *level));
            }
        });
        found
    }

    /// The arrays that the caller passes, with their positions.
    pub fn params(&self) -> Vec<(usize, &Array)> {
        let used = self.used().arrays;
        let outside = |a: &Array| !matches!(a.style, Style::Local | Style::Global);
        self.arrays.iter().enumerate().filter(|&(k, a)| used[k] && outside(a)).collect()
    }

    /// The global arrays it uses.
    pub fn globals(&self) -> Vec<&Array> {
        let used = self.used().arrays;
        self.arrays.iter().enumerate().filter(|&(k, a)| used[k] && a.style == Style::Global).map(|(_, a)| a).collect()
    }

    /// How many loops it has.
    pub fn loops(&self) -> usize {
        let mut n_loops = 0;
        self.walk(&mut |node| n_loops += usize::from(!node.children().is_empty() && !matches!(node, Node::If { .. })));
        n_loops
    }

    /// How many elements an array has.
    pub fn count(&self, array: &Array) -> i64 {
        array.extents.iter().map(|e| self.eval(e)).product()
    }
}
