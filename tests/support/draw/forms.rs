//! Draws reductions beyond sums and strict extrema: extrema among zeros of both signs and NaN, sums of nothing but -0.0, logical
//! ones, and a total beside the sum of each row.

use super::Draw;
use crate::support::nests::*;

fn text(t: &str, elem: Elem, magnitude: i64) -> Expr {
    Expr::of(Piece::Text(t.to_string()), elem, magnitude)
}

fn set(var: usize, value: Expr) -> Node {
    Node::Assign { target: Target::Var(var), op: "=", value }
}

impl Draw {
    /// A nest of one of the forms of this file and of `rows`.
    pub(super) fn form(&mut self, out: &mut Vec<Node>) {
        match self.rng.range(0, 8) {
            0 | 1 => self.extremum(out),
            2 => self.minus_zeros(out),
            3 => self.logical(out),
            4 | 5 => self.rows(out),
            6 => self.strided(out),
            7 => self.totals(out),
            _ => self.folded(out),
        }
    }

    /// A new array of this function.
    pub(super) fn array(&mut self, stem: &str, elem: Elem, role: Role, rank: usize) -> usize {
        let style = self.rng.pick(&[Style::Vla, Style::Linear, Style::Linear, Style::Rows]);
        let name = format!("{stem}{}", self.f.arrays.len());
        let extents = vec![Affine::constant(1); rank];
        self.f.arrays.push(Array { name, elem, style, role, extents, unsigned_zero: false });
        self.dims.push(vec![super::Class::N; rank]);
        self.f.arrays.len() - 1
    }

    /// What this fills in, in a loop or in two, for all of them or for each iteration of one more: `start` stands before,
    /// `end` behind.
    fn reduction(
        &mut self,
        out: &mut Vec<Node>,
        start: Vec<Node>,
        fill: &mut dyn FnMut(&mut Self) -> Vec<Node>,
        end: &mut dyn FnMut(&mut Self) -> Vec<Node>,
    ) {
        let is_deep = self.rng.percent(25);
        if self.rng.percent(45) {
            let rows = self.loop_around(|draw, body| {
                body.extend(start);
                body.push(draw.loop_around(|draw, body| body.extend(fill(draw))));
                body.extend(end(draw));
            });
            out.push(rows);
            return;
        }
        out.extend(start);
        out.push(self.loop_around(|draw, body| match is_deep {
            true => body.push(draw.loop_around(|draw, body| body.extend(fill(draw)))),
            false => body.extend(fill(draw)),
        }));
        out.extend(end(self));
    }

    /// The least or greatest of values, the first or the last of equal ones; of zeros of both signs half the time, among NaN a
    /// third of the time, and at times the place where it stands.
    fn extremum(&mut self, out: &mut Vec<Node>) {
        let elem = self.rng.pick(&[Elem::Double, Elem::Double, Elem::Double, Elem::Float, Elem::Float, Elem::Int]);
        let var = self.var("m", elem, Some(0), elem.plain());
        let at = self.rng.percent(35).then(|| self.var("at", Elem::Int, Some(0), 64));
        let zeros = self.rng.percent(50);
        let nan = elem.is_float() && self.rng.percent(35);
        let is_least = self.rng.percent(50);
        let is_strict = self.rng.percent(40);
        let start = match elem.is_float() {
            true => self.rng.pick(&["0.0", "-0.0", "0.0", "-0.0", "2", "-2"]),
            false => self.rng.pick(&["0", "7", "-7"]),
        };
        let first = text(start, elem, 7);
        let form = self.rng.range(0, 2);
        let mut fill = |draw: &mut Draw| {
            let value = if zeros { draw.zero(is_least, elem) } else { draw.expr(1, false) };
            let value = draw.within(value, elem.plain());
            let is_cut = value.elem.is_float() && !elem.is_float();
            let value = if is_cut { Expr::compose("(int)({})", &[&value], elem, value.magnitude) } else { value };
            let value = match nan {
                true => Expr::compose("({} ? NAN : {})", &[&draw.condition(), &value], value.elem, value.magnitude),
                false => value,
            };
            draw.greater(var, at, &value, (is_least, is_strict), form)
        };
        let mut end = |draw: &mut Draw| {
            // Nothing is to be computed from NaN: what an integer is of one is no C.
            let found = draw.read_var(var);
            let number = Expr::compose("({} != {} ? 5 : {})", &[&found, &found, &found], elem, elem.plain());
            let mut nodes = draw.assign(Some(if nan { number } else { found }));
            if let Some(at) = at {
                nodes.extend(draw.assign(Some(draw.read_var(at))));
            }
            nodes
        };
        let mut start = vec![set(var, first)];
        if let Some(at) = at.filter(|_| self.rng.percent(75)) {
            start.push(set(at, text("0", Elem::Int, 0)));
        }
        self.reduction(out, start, &mut fill, &mut end);
        self.visible.extend((!nan).then_some(var));
    }

    /// A zero whose sign the data decide, at times something that loses against zeros.
    fn zero(&mut self, is_least: bool, elem: Elem) -> Expr {
        let (leaf, cond) = (self.leaf(false), self.condition());
        let zero = if elem == Elem::Float && leaf.elem == Elem::Float { "{} * 0.0f" } else { "{} * 0.0" };
        let elem = if zero.ends_with('f') { Elem::Float } else { Elem::Double };
        let zero = Expr::compose(zero, &[&leaf], elem, 0);
        if self.rng.percent(40) {
            return zero;
        }
        let loses = if is_least { "3" } else { "-3" };
        Expr::compose(&format!("({{}} ? {loses} : {{}})"), &[&cond, &zero], elem, 3)
    }

    /// One step of an extremum, in one of the spellings.
    fn greater(
        &mut self,
        var: usize,
        at: Option<usize>,
        value: &Expr,
        (is_least, is_strict): (bool, bool),
        form: i64,
    ) -> Vec<Node> {
        let (elem, now) = (self.f.vars[var].elem, self.read_var(var));
        // Of (value, now): whether the value is taken.
        let taken = ["<", "<=", ">", ">="][usize::from(!is_least) * 2 + usize::from(!is_strict)];
        let mirrored = [">", ">=", "<", "<="][usize::from(!is_least) * 2 + usize::from(!is_strict)];
        let kept = ["<=", "<", ">=", ">"][usize::from(!is_least) * 2 + usize::from(!is_strict)];
        let chosen = match form {
            _ if at.is_some() => None,
            0 => Some((taken, [value, &now, value, &now])),
            1 if self.rng.percent(50) => Some((kept, [&now, value, &now, value])),
            1 => Some((mirrored, [&now, value, value, &now])),
            _ => None,
        };
        if let Some((test, operands)) = chosen {
            let choice = format!("{{}} {test} {{}} ? {{}} : {{}}");
            return vec![set(var, Expr::compose(&choice, &operands, elem, elem.plain()))];
        }
        let cond = match self.rng.percent(50) {
            true => Expr::compose(&format!("{{}} {taken} {{}}"), &[value, &now], Elem::Int, 1),
            false => Expr::compose(&format!("{{}} {mirrored} {{}}"), &[&now, value], Elem::Int, 1),
        };
        let mut then = vec![set(var, value.clone())];
        if let (Some(at), Some(&iter)) = (at, self.scope.last()) {
            let place = Expr::of(Piece::Affine(Affine::iter(iter)), Elem::Int, 64);
            then.push(set(at, Expr::compose("(int){}", &[&place], Elem::Int, 64)));
        }
        vec![Node::If { cond, then, other: Vec::new() }]
    }

    /// A sum, in a scalar or in an element, that may be of nothing but -0.0.
    fn minus_zeros(&mut self, out: &mut Vec<Node>) {
        let elem = self.rng.pick(&[Elem::Double, Elem::Float]);
        let var = self.var("z", elem, Some(0), elem.step() * 9);
        let start = text(self.rng.pick(&["-0.0", "-0.0", "-0.0", "0.0"]), elem, 0);
        let op = self.rng.pick(&["+=", "+=", "+=", "-="]);
        let written = if op == "+=" { "-0.0" } else { "0.0" };
        let kind = self.rng.range(0, 3);
        let mut fill = |draw: &mut Draw| {
            let leaf = draw.leaf(false);
            let value = match kind {
                0 => text(written, Elem::Double, 0),
                1 => Expr::compose(&format!("(fabs({{}}) * {written})"), &[&leaf], Elem::Double, 0),
                2 => Expr::compose(&format!("({{}} > 7 ? 0.0 : {written})"), &[&leaf], Elem::Double, 0),
                _ => Expr::compose(&format!("({{}} == 8 ? 8 : {written})"), &[&leaf], Elem::Double, 8),
            };
            vec![Node::Assign { target: Target::Var(var), op, value }]
        };
        // Of 3,000 steps, 8 at a time at most.
        self.f.vars[var].magnitude = 8 * super::MAX_TRIPS;
        let mut end = |draw: &mut Draw| draw.assign(Some(draw.read_var(var)));
        self.reduction(out, vec![set(var, start)], &mut fill, &mut end);
        self.visible.push(var);
    }

    /// Whether all hold, or any does; at times OpenMP's reduction says so.
    fn logical(&mut self, out: &mut Vec<Node>) {
        let is_all = self.rng.percent(50);
        let (op, start) = if is_all { ("&&", "1") } else { ("||", "0") };
        let var = self.var(if is_all { "all" } else { "any" }, Elem::Int, Some(0), 1);
        let form = self.rng.range(0, 3);
        let mut fill = |draw: &mut Draw| {
            let (cond, now) = (draw.condition(), draw.read_var(var));
            let step = match form {
                0 | 1 => set(var, Expr::compose(&format!("{{}} {op} ({{}})"), &[&now, &cond], Elem::Int, 1)),
                2 => set(var, Expr::compose(&format!("({{}}) {op} {{}}"), &[&cond, &now], Elem::Int, 1)),
                _ => {
                    let (test, value) = if is_all { ("!({})", "0") } else { ("{}", "1") };
                    let cond = Expr::compose(test, &[&cond], Elem::Int, 1);
                    Node::If { cond, then: vec![set(var, text(value, Elem::Int, 1))], other: Vec::new() }
                }
            };
            vec![step]
        };
        let mut end = |draw: &mut Draw| draw.assign(Some(draw.read_var(var)));
        let (first, at) = (self.f.iters.len(), out.len());
        self.reduction(out, vec![set(var, text(start, Elem::Int, 1))], &mut fill, &mut end);
        self.visible.push(var);
        // Only a scalar that the whole nest reduces into, where threads share no counter.
        let shared = self.f.iters[first + 1..].iter().any(|i| i.outside);
        if let (Node::Assign { .. }, Some(Node::For { iter, .. })) = (&out[at], out.get(at + 1))
            && !shared
            && self.rng.percent(50)
        {
            self.f.clauses.push((*iter, op, var));
        }
    }

    /// A sum for each row, whose length is data, and a total of all rows beside.
    fn totals(&mut self, out: &mut Vec<Node>) {
        let elem = self.rng.pick(&[Elem::Double, Elem::Double, Elem::Float, Elem::Int, Elem::Long]);
        let (c_type, most) = self.rng.pick(&[(Elem::Int, 9), (Elem::UChar, 18)]);
        let lengths = self.array("nn", c_type, Role::Input, 1);
        let sums = self.array("g", elem, Role::Accumulator, 1);
        let total = self.var("e", elem, Some(0), elem.accumulated());
        let row = self.var("s", elem, None, elem.step() * 20);
        let first = self.f.iters.len();
        out.push(set(total, text("0", Elem::Int, 0)));
        let rows = self.loop_around(|draw, body| {
            let i = Affine::iter(draw.scope[draw.scope.len() - 1]);
            body.push(Node::Declare { var: row, value: text("0", Elem::Int, 0) });
            let bound = Expr::of(Piece::Read(draw.f.access(lengths, vec![i.clone()])), Elem::Int, most);
            let (lo, hi) = (Affine::default(), Affine::constant(most - 1));
            let k = draw.counter("k", false, lo, hi);
            let inner = draw.inside(k, |draw, body| {
                for var in [total, row] {
                    let value = draw.expr(1, false);
                    let value = draw.within(value, elem.step());
                    let is_cut = value.elem.is_float() && !elem.is_float();
                    let value = if is_cut { Expr::compose("(int)({})", &[&value], elem, 0) } else { value };
                    body.push(Node::Assign { target: Target::Var(var), op: "+=", value });
                }
            });
            body.push(Node::For { iter: k, init: text("0", Elem::Int, 0), test: "<", bound, step: 1, body: inner });
            let target = Target::Element(draw.f.access(sums, vec![i]));
            body.push(Node::Assign { target, op: "=", value: draw.read_var(row) });
        });
        if let Node::For { iter, .. } = &rows
            && !self.f.iters[first + 1..].iter().any(|i| i.outside)
            && self.rng.percent(50)
        {
            self.f.clauses.push((*iter, "+", total));
        }
        out.push(rows);
        out.extend(self.assign(Some(self.read_var(total))));
        self.visible.push(total);
    }

    /// A new counter within a box.
    pub(super) fn counter(&mut self, stem: &str, outside: bool, lo: Affine, hi: Affine) -> usize {
        let name = format!("{stem}{}", self.f.iters.len());
        self.f.iters.push(Iter { name, c_type: "int", outside, lo, hi, is: None });
        self.f.iters.len() - 1
    }
}
