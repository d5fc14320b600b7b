//! Draws random functions: loop nests of every bound and direction, guards, reductions, temporaries, and dependences
//! at random distances.
//!
//! About two nests in three are drawn so that their outer loops come out parallel; the rest reads and writes what it
//! likes.

use super::nests::*;
use super::rng::Rng;

mod forms;
mod mapping;
mod rows;
mod time;
mod values;

/// The function a seed names.
pub fn function(name: &str, seed: u64) -> Function {
    let mut rng = Rng::new(seed);
    let (n, m) = (size(&mut rng), size(&mut rng));
    let wide = rng.pick(&["long", "unsigned", "size_t"]);
    let f = Function {
        name: name.to_string(),
        n,
        m,
        arrays: Vec::new(),
        vars: Vec::new(),
        iters: Vec::new(),
        body: Vec::new(),
        alias: None,
        asked: Asked::default(),
        step: None,
        clauses: Vec::new(),
    };
    let mut draw = Draw {
        rng,
        f,
        drawn: 0,
        dims: Vec::new(),
        scope: Vec::new(),
        trips: 1,
        readable: Vec::new(),
        writable: Vec::new(),
        visible: Vec::new(),
        reduced: None,
        first_loop: 0,
        friendly: true,
        exchanged: None,
        wide,
        has_few: seed.is_multiple_of(4),
    };
    draw.arrays();
    draw.nests();
    match draw.exchanged {
        Some((first, second)) => draw.f.make_alike(first, second),
        None if draw.rng.percent(8) => draw.alias(),
        None => {}
    }
    let asked = mapping::asked(&draw.f, seed);
    Function { asked, ..draw.f }
}

/// A few iterations mostly; more than a warp at times; none or one at times.
fn size(rng: &mut Rng) -> i64 {
    match rng.range(0, 99) {
        0..=5 => rng.range(0, 2),
        6..=14 => rng.range(31, 41),
        _ => rng.range(3, 13),
    }
}

/// What an extent or a loop bound is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Class {
    N,
    M,
    Constant,
}

/// Iterations of one statement, or, in the time loop, of one run of it.
const MAX_TRIPS: i64 = 3000;

/// A nest with so many loops gets no more beside each other: a nest for a person to read.
const MAX_LOOPS: usize = 4;

struct Draw {
    rng: Rng,
    f: Function,
    /// Arrays that were drawn before the nests: of others, a form may need that nothing else is written there.
    drawn: usize,
    /// What each array's dimensions are made of.
    dims: Vec<Vec<Class>>,
    /// Iterators of the open loops, outermost first; the time loop is not among them.
    scope: Vec<usize>,
    trips: i64,
    readable: Vec<usize>,
    writable: Vec<usize>,
    /// Scalars that hold a value here.
    visible: Vec<usize>,
    /// The scalar that this nest reduces into.
    reduced: Option<usize>,
    /// The first iterator of this nest.
    first_loop: usize,
    /// Whether writes are to go to different elements in different iterations.
    friendly: bool,
    /// The two arrays whose pointers the time loop exchanges.
    exchanged: Option<(usize, usize)>,
    wide: &'static str,
    /// Whether all loops count with the same few variables, declared once, each at any depth.
    has_few: bool,
}

impl Draw {
    fn elem(&mut self) -> Elem {
        use Elem::*;
        self.rng.pick(&[Double, Double, Double, Double, Double, Int, Int, Int, Float, Float, UInt, Long, UChar])
    }

    fn arrays(&mut self) {
        for k in 0..self.rng.range(3, 6) {
            let elem = self.elem();
            let style = self.rng.pick(&[
                Style::Vla,
                Style::Vla,
                Style::Linear,
                Style::Linear,
                Style::Fixed,
                Style::Global,
                Style::Rows,
            ]);
            let role = match k {
                0 => Role::Input,
                1 => Role::Plain,
                _ => self.rng.pick(&[Role::Input, Role::Plain, Role::Plain, Role::Accumulator]),
            };
            let letter = (b'a' + k as u8) as char;
            let name = if style == Style::Global { format!("{}_{letter}", self.f.name) } else { letter.to_string() };
            let rank = self.rng.pick(&[1, 1, 1, 2, 2, 2, 2, 3]);
            self.dims
                .push((0..rank).map(|_| self.rng.pick(&[Class::N, Class::N, Class::M, Class::Constant])).collect());
            let unsigned_zero = elem == Elem::Double && self.rng.percent(40);
            let extents = vec![Affine::constant(1); rank];
            self.f.arrays.push(Array { name, elem, style, role, extents, unsigned_zero });
        }
        self.drawn = self.f.arrays.len();
    }

    /// Makes two arrays one in memory: both of one role, or one that is only read and one that may be written.
    fn alias(&mut self) {
        let is_one_read = self.rng.percent(60);
        let like = |a: &Array, b: &Array| {
            let has_role =
                if is_one_read { (a.role == Role::Input) != (b.role == Role::Input) } else { a.role == b.role };
            let is_alike = a.elem == b.elem && a.style == b.style && a.unsigned_zero == b.unsigned_zero;
            has_role && is_alike && a.extents.len() == b.extents.len()
        };
        let arrays = &self.f.arrays;
        let pairs = (0..self.drawn).flat_map(|b| (0..b).map(move |a| (b, a)));
        let found = pairs
            .into_iter()
            .find(|&(b, a)| like(&arrays[a], &arrays[b]) && !matches!(arrays[a].style, Style::Global | Style::Local));
        if let Some((second, first)) = found {
            self.f.make_alike(first, second);
            self.f.alias = Some((second, first));
        }
    }

    /// One loop nest, with what stands before and after it.
    fn nest(&mut self, out: &mut Vec<Node>) {
        self.friendly = self.rng.percent(65);
        self.first_loop = self.f.iters.len();
        let written: Vec<usize> = (0..self.f.arrays.len())
            .filter(|&a| !matches!(self.f.arrays[a].role, Role::Input) && self.f.arrays[a].style != Style::Local)
            .collect();
        let kept = self.rng.range(1, 2) as usize;
        self.writable = (0..kept).map(|_| self.rng.pick(&written)).collect();
        if let Some((_, new)) = self.exchanged.filter(|_| self.rng.percent(60)) {
            self.writable = vec![new];
        }
        self.readable = (0..self.f.arrays.len())
            .filter(|a| self.f.arrays[*a].style != Style::Local && !(self.friendly && self.writable.contains(a)))
            .collect();
        if self.rng.percent(25) {
            return self.form(out);
        }
        if self.rng.percent(25) {
            let elem = self.rng.pick(&[Elem::Double, Elem::Double, Elem::Int, Elem::Long, Elem::Float, Elem::UInt]);
            let var = self.var("s", elem, Some(0), elem.accumulated());
            let start = self.rng.range(-3, 3).max(if elem.wraps() { 0 } else { -3 });
            let value = Expr::of(Piece::Text(start.to_string()), Elem::Int, 3);
            out.push(Node::Assign { target: Target::Var(var), op: "=", value });
            self.reduced = Some(var);
        }
        let depth = self.rng.pick(&[1, 1, 2, 2, 2, 3, 3]);
        out.push(self.nested(depth));
        if let Some(var) = self.reduced.take() {
            self.visible.push(var);
            if self.rng.percent(80) {
                let value = self.read_var(var);
                let node = self.assign(Some(value));
                out.extend(node);
            }
        }
    }

    fn var(&mut self, stem: &str, elem: Elem, head: Option<i64>, magnitude: i64) -> usize {
        let name = format!("{stem}{}", self.f.vars.len());
        let unsigned_zero = elem == Elem::Double && self.rng.percent(40);
        self.f.vars.push(Var { name, elem, head, magnitude, unsigned_zero });
        self.f.vars.len() - 1
    }

    /// A loop with `depth - 1` more inside.
    fn nested(&mut self, depth: usize) -> Node {
        self.loop_around(|draw, body| draw.fill(depth, body))
    }

    /// A loop whose body is drawn inside it.
    fn loop_around(&mut self, fill: impl FnOnce(&mut Self, &mut Vec<Node>)) -> Node {
        let before = self.trips;
        let (head, iter) = self.head();
        let body = self.inside(iter, fill);
        self.trips = before;
        let Node::For { init, test, bound, step, .. } = head else { unreachable!("head() makes loops") };
        Node::For { iter, init, test, bound, step, body }
    }

    /// Statements where this iterator counts.
    fn inside(&mut self, iter: usize, fill: impl FnOnce(&mut Self, &mut Vec<Node>)) -> Vec<Node> {
        self.scope.push(iter);
        let (held, mut body) = (self.visible.len(), Vec::new());
        fill(self, &mut body);
        self.visible.truncate(held);
        self.scope.pop();
        body
    }

    /// The body of a loop of a nest of this depth.
    fn fill(&mut self, depth: usize, body: &mut Vec<Node>) {
        if depth == 1 {
            for _ in 0..self.rng.pick(&[1, 1, 2, 2, 3]) {
                body.extend(self.statement());
            }
            return;
        }
        if self.rng.percent(35) {
            body.extend(self.statement());
        }
        for k in 0..self.rng.pick(&[1, 1, 1, 2]) {
            if k > 0 && self.f.iters.len() >= self.first_loop + MAX_LOOPS {
                break;
            }
            let depth = if self.rng.percent(25) { 1 } else { depth - 1 };
            let inner = self.nested(depth);
            body.push(if self.rng.percent(10) {
                Node::If { cond: self.condition(), then: vec![inner], other: Vec::new() }
            } else {
                inner
            });
            if self.rng.percent(25) {
                body.extend(self.statement());
            }
        }
    }

    /// The head of a loop (its body empty) over a new iterator.
    fn head(&mut self) -> (Node, usize) {
        let signed: Vec<usize> =
            self.scope.iter().copied().filter(|&i| matches!(self.f.iters[i].c_type, "int" | "long")).collect();
        let triangle = !signed.is_empty() && self.rng.percent(20);
        // The range that is written, and the box around it.
        let (mut lo, mut hi, mut around) = if triangle {
            let outer = self.rng.pick(&signed);
            let (of, at) = (self.f.iters[outer].clone(), Affine::iter(outer));
            let c = self.rng.range(0, 1);
            match self.rng.range(0, 2) {
                0 => (at.plus(c), of.hi.clone(), (of.lo.plus(c), of.hi)),
                1 => (Affine::default(), at.plus(-c), (Affine::default(), of.hi.plus(-c))),
                _ => (at.clone(), at.plus(c + 1), (of.lo, of.hi.plus(c + 1))),
            }
        } else {
            let lo = Affine::constant(self.rng.pick(&[0, 0, 0, 1, 2]));
            let end = -1 - self.rng.pick(&[0, 0, 0, 1, 2]);
            let hi = match self.rng.range(0, 9) {
                0..=4 => Affine { n: 1, ..Affine::constant(end) },
                5..=7 => Affine { m: 1, ..Affine::constant(end) },
                _ => Affine::constant(lo.c + self.rng.range(1, 6)),
            };
            (lo.clone(), hi.clone(), (lo, hi))
        };
        let length = |d: &Draw, around: &(Affine, Affine)| (d.f.eval(&around.1) - d.f.eval(&around.0) + 1).max(1);
        if self.trips * length(self, &around) > MAX_TRIPS {
            (lo, hi) = (Affine::default(), Affine::constant(2));
            around = (lo.clone(), hi.clone());
        }
        self.trips *= length(self, &around);
        let plain = lo.iters.is_empty() && hi.iters.is_empty();
        let step = self.rng.pick(&[1, 1, 1, 1, 1, 1, 1, 1, 2, 3]);
        let down = self.rng.percent(15);
        let bare = plain && !down && (hi.plus(1) == Affine { c: 0, ..hi.clone() } || hi.n + hi.m == 0);
        let c_type = if self.rng.percent(85) || (self.wide != "long" && !bare) { "int" } else { self.wide };
        let wraps = !matches!(c_type, "int" | "long");
        let (init, tests) = if down {
            (hi, vec![(">=", lo.clone()), (">", lo.plus(-1))])
        } else {
            let end = hi.plus(1);
            let mut tests = vec![("<", end.clone())];
            if !wraps {
                tests.extend([("<", end.clone()), ("<=", hi)]);
            }
            if step == 1 && plain && self.f.eval(&lo) <= self.f.eval(&end) {
                tests.push(("!=", end));
            }
            (lo, tests)
        };
        let (test, bound) = tests[self.rng.range(0, tests.len() as i64 - 1) as usize].clone();
        let letter = ["i", "j", "k", "l", "q"][self.scope.len().min(4)];
        let (name, outside) = match self.has_few && c_type == "int" {
            true => (self.free_counter(), true),
            false => (format!("{letter}{}", self.f.iters.len()), self.rng.percent(25)),
        };
        self.f.iters.push(Iter { name, c_type, outside, lo: around.0, hi: around.1, is: None });
        let expr = |a| Expr::of(Piece::Affine(a), Elem::Int, 0);
        let (mut init, mut bound) = (expr(init), expr(bound));
        if test != "!=" && !wraps {
            if self.rng.percent(8) {
                bound = self.nearer(&bound, !down, &signed);
            }
            if self.rng.percent(8) {
                init = self.nearer(&init, down, &signed);
            }
        }
        let iter = self.f.iters.len() - 1;
        let step = if down { -step } else { step };
        (Node::For { iter, init, test, bound, step, body: Vec::new() }, iter)
    }

    /// One of the few counters, which no open loop has.
    fn free_counter(&mut self) -> String {
        let taken: Vec<&str> = self.scope.iter().map(|&i| self.f.iters[i].name.as_str()).collect();
        let free: Vec<String> = (0..=4).map(|k| format!("p{k}")).filter(|p| !taken.contains(&p.as_str())).collect();
        free[self.rng.range(0, 2.min(free.len() as i64 - 1)) as usize].clone()
    }

    /// The lesser of a bound and something else, or the greater: a band around an outer counter, a fixed number.
    fn nearer(&mut self, bound: &Expr, lesser: bool, outer: &[usize]) -> Expr {
        let other = if outer.is_empty() || self.rng.percent(50) {
            Affine::constant(self.rng.range(1, 9))
        } else {
            let away = self.rng.range(0, 2);
            Affine::iter(self.rng.pick(outer)).plus(if lesser { away + 1 } else { -away })
        };
        let other = Expr::of(Piece::Affine(other), Elem::Int, 0);
        let template = if lesser { "({} < {} ? {} : {})" } else { "({} > {} ? {} : {})" };
        Expr::compose(template, &[bound, &other, bound, &other], Elem::Int, 0)
    }

    /// One statement of a loop body, with the temporaries and the guard it may need.
    fn statement(&mut self) -> Vec<Node> {
        match self.rng.range(0, 99) {
            0..=19 => {
                let mut nodes = self.temporary();
                nodes.extend(self.assign(None));
                nodes
            }
            20..=36 => {
                let cond = self.condition();
                let held = self.visible.len();
                let then = self.assign(None);
                let other = if self.rng.percent(40) { self.assign(None) } else { Vec::new() };
                self.visible.truncate(held);
                vec![Node::If { cond, then, other }]
            }
            37..=41 => self.local_array(),
            45..=50 => self.in_place(),
            42..=44 => {
                let cond = self.condition();
                let mut nodes = vec![Node::If { cond, then: vec![Node::Continue], other: Vec::new() }];
                nodes.extend(self.assign(None));
                nodes
            }
            _ => self.assign(None),
        }
    }

    /// A scalar that the rest of the loop body may read.
    fn temporary(&mut self) -> Vec<Node> {
        let elem = self.rng.pick(&[Elem::Double, Elem::Double, Elem::Int, Elem::Float, Elem::Long]);
        let value = self.expr(2, false);
        let value = self.within(value, elem.plain());
        let inside = self.rng.percent(60);
        let var = self.var("t", elem, if inside { None } else { Some(0) }, elem.plain());
        self.visible.push(var);
        if inside {
            return vec![Node::Declare { var, value }];
        }
        let assign = Node::Assign { target: Target::Var(var), op: "=", value };
        if self.friendly || self.rng.percent(60) {
            return vec![assign];
        }
        // A value that an earlier iteration may have left.
        vec![Node::If { cond: self.condition(), then: vec![assign], other: Vec::new() }]
    }

    /// `double w[K]`, filled and then used, in one iteration of the loops around.
    fn local_array(&mut self) -> Vec<Node> {
        let elem = self.rng.pick(&[Elem::Double, Elem::Int, Elem::Float]);
        let last = self.rng.range(1, 4);
        let name = format!("w{}", self.f.arrays.len());
        let extents = vec![Affine::constant(last + 1)];
        let (style, role, unsigned_zero) = (Style::Local, Role::Plain, false);
        self.f.arrays.push(Array { name, elem, style, role, extents, unsigned_zero });
        self.dims.push(vec![Class::Constant]);
        let array = self.f.arrays.len() - 1;
        let mut nodes = vec![Node::DeclareArray { array }];
        for filling in [true, false] {
            let name = format!("q{}", self.f.iters.len());
            let (lo, hi) = (Affine::default(), Affine::constant(last));
            self.f.iters.push(Iter { name, c_type: "int", lo, hi, ..Iter::default() });
            let iter = self.f.iters.len() - 1;
            let element = Access { array, subs: vec![Affine::iter(iter)] };
            self.scope.push(iter);
            let body = if filling {
                let value = self.expr(1, false);
                let value = self.within(value, elem.plain());
                vec![Node::Assign { target: Target::Element(element), op: "=", value }]
            } else {
                let value = Expr::of(Piece::Read(element), elem, elem.plain());
                self.assign(Some(value))
            };
            self.scope.pop();
            let number = |v: i64| Expr::of(Piece::Text(v.to_string()), Elem::Int, v);
            nodes.push(Node::For { iter, init: number(0), test: "<", bound: number(last + 1), step: 1, body });
        }
        nodes
    }

    /// An element from its neighbours, some of them new by then: a step of Gauss and Seidel's.
    fn in_place(&mut self) -> Vec<Node> {
        let array = self.rng.pick(&self.writable);
        let first = self.element(array, true);
        let target = self.f.access(array, first.subs.iter().map(|s| s.plus(1)).collect());
        let (elem, magnitude) = (self.f.arrays[array].elem, self.f.arrays[array].magnitude());
        let mut value = self.expr(1, elem == Elem::UInt);
        for _ in 0..self.rng.range(1, 3) {
            let mut subs = target.subs.clone();
            let d = self.rng.range(0, subs.len() as i64 - 1) as usize;
            subs[d] = subs[d].plus(self.rng.pick(&[-1, 1, -1, 1, 2, 0]));
            let near = self.f.access(array, subs);
            let near = self.fit(Expr::of(Piece::Read(near), elem, magnitude), elem == Elem::UInt);
            let near = self.within(near, elem.plain());
            let kept = self.within(value, elem.plain());
            let sum = kept.magnitude + near.magnitude;
            let ty = kept.elem.max(near.elem);
            value = Expr::compose("({} + {})", &[&kept, &near], ty, sum.min(ty.limit()));
        }
        self.store(Target::Element(target), elem, "=", value)
    }

    /// An assignment to an array this nest writes or to its reduced scalar; `value`: what it stores, if that is given.
    fn assign(&mut self, value: Option<Expr>) -> Vec<Node> {
        let var = self.reduced.filter(|_| !self.scope.is_empty() && self.rng.percent(50));
        let (target, elem, sums, complete) = match var {
            Some(v) => (Target::Var(v), self.f.vars[v].elem, true, false),
            None => {
                let array = self.rng.pick(&self.writable);
                let complete = self.f.arrays[array].extents.len() >= self.scope.len();
                let access = self.element(array, true);
                let a = &self.f.arrays[array];
                (Target::Element(access), a.elem, a.role == Role::Accumulator, complete)
            }
        };
        let unsigned = elem == Elem::UInt;
        let depth = self.rng.pick(&[1, 2, 2, 3]);
        let value = match value {
            Some(v) => self.fit(v, unsigned),
            None => self.expr(depth, unsigned),
        };
        let op = self.operator(elem, sums, complete && var.is_none());
        self.store(target, elem, op, value)
    }

    /// `=`, a compound operator, or `<` and `>` for a minimum and maximum.
    fn operator(&mut self, elem: Elem, sums: bool, complete: bool) -> &'static str {
        if (complete && self.rng.percent(60)) || (!complete && self.rng.percent(15) && !sums) {
            return "=";
        }
        let mut ops = vec!["<", ">", "*="];
        if sums || elem.wraps() {
            ops = vec!["+=", "+=", "+=", "+=", "-=", "<", ">"];
        }
        if !elem.is_float() {
            ops.extend(["&=", "|=", "^="]);
        }
        self.rng.pick(&ops)
    }

    fn store(&mut self, target: Target, elem: Elem, op: &'static str, value: Expr) -> Vec<Node> {
        let is_unsigned_zero = match &target {
            Target::Element(a) => self.f.arrays[a.array].unsigned_zero,
            Target::Var(v) => self.f.vars[*v].unsigned_zero,
        };
        let op = if is_unsigned_zero && op == "*=" { "<" } else { op };
        let value = match op {
            "*=" => Expr::compose("{} ? -1 : 1", &[&self.condition()], Elem::Int, 1),
            "+=" | "-=" if !elem.wraps() => self.within(value, elem.step()),
            _ => self.within(value, elem.plain()),
        };
        // What is not an integer type cannot be a bit pattern, and may not be converted where it would be negative.
        let cut = value.elem.is_float() && (elem.wraps() || op.contains(['&', '|', '^']));
        let value = if cut { Expr::compose("(int)({})", &[&value], Elem::Int, value.magnitude) } else { value };
        let is_signed = is_unsigned_zero && value.elem.is_float();
        let value = if is_signed { Expr::compose("({} + 0.0)", &[&value], elem, value.magnitude) } else { value };
        if op != "<" && op != ">" {
            return vec![Node::Assign { target, op, value }];
        }
        let now = match &target {
            Target::Element(a) => Expr::of(Piece::Read(a.clone()), elem, 0),
            Target::Var(v) => Expr::of(Piece::Var(*v), elem, 0),
        };
        match self.rng.range(0, 2) {
            0 => {
                let cond = Expr::compose(&format!("{{}} {op} {{}}"), &[&value, &now], Elem::Int, 1);
                vec![Node::If { cond, then: vec![Node::Assign { target, op: "=", value }], other: Vec::new() }]
            }
            1 if is_unsigned_zero => {
                let call = if op == "<" { "fmin({}, {})" } else { "fmax({}, {})" };
                let value = Expr::compose(call, &[&now, &value], elem, 0);
                vec![Node::Assign { target, op: "=", value }]
            }
            _ => {
                let choice = format!("{{}} {op} {{}} ? {{}} : {{}}");
                let value = Expr::compose(&choice, &[&now, &value, &now, &value], elem, 0);
                vec![Node::Assign { target, op: "=", value }]
            }
        }
    }

    /// An element of an array; one that is written in a friendly nest is another one in every iteration, as far as the
    /// array has dimensions.
    fn element(&mut self, array: usize, write: bool) -> Access {
        let dims = self.dims[array].clone();
        let distinct = write && self.friendly;
        let mut free = self.scope.clone();
        if distinct && free.len() > 1 && self.rng.percent(25) {
            free.swap(0, 1);
        }
        let mut subs = Vec::new();
        for class in dims {
            let sub = match () {
                _ if self.scope.is_empty() || (distinct && free.is_empty()) => Affine::constant(self.rng.range(0, 2)),
                _ => Affine::iter(self.iterator(class, distinct, &mut free)),
            };
            subs.push(self.bend(sub, distinct));
        }
        self.f.access(array, subs)
    }

    /// An open loop's iterator: rather one of that class, and one not used yet, which it is where it must be `distinct`.
    fn iterator(&mut self, class: Class, distinct: bool, free: &mut Vec<usize>) -> usize {
        let of = |f: &Function, i: usize| match &f.iters[i].hi {
            hi if hi.n > 0 => Class::N,
            hi if hi.m > 0 => Class::M,
            _ => Class::Constant,
        };
        let same = |from: &[usize]| from.iter().copied().find(|&i| of(&self.f, i) == class);
        let chosen = match (same(free), same(&self.scope)) {
            (Some(i), _) if self.rng.percent(90) => i,
            (_, Some(i)) if !distinct && self.rng.percent(90) => i,
            _ if !free.is_empty() => self.rng.pick(free),
            _ => self.rng.pick(&self.scope),
        };
        free.retain(|&i| i != chosen);
        chosen
    }

    /// An offset, a stride, a reversal, a second iterator.
    fn bend(&mut self, sub: Affine, distinct: bool) -> Affine {
        let near = self.rng.pick(&[0, 0, 0, 1, -1, 2, -2]);
        match self.rng.range(0, 99) {
            0..=59 => sub,
            60..=79 => sub.plus(near),
            80..=84 => Affine::default().add(2, &sub).plus(near.max(0)),
            85..=91 => {
                let most = self.f.bounds(&sub).1;
                most.add(-1, &sub)
            }
            92..=96 if !distinct && !self.scope.is_empty() => {
                let other = self.rng.pick(&self.scope);
                sub.add(self.rng.pick(&[1, 1, -1]), &Affine::iter(other))
            }
            97.. if !distinct => Affine::constant(self.rng.range(0, 3)),
            _ => sub,
        }
    }
}
