//! Draws nests with loops that are not counted one by one: rows whose inner loop ends by data or steps by other steps,
//! loops that step by a variable, and subscripts by data, quotient and remainder.

use super::Draw;
use crate::support::nests::*;

fn number(value: i64) -> Expr {
    Expr::of(Piece::Text(value.to_string()), Elem::Int, value)
}

fn affine(a: Affine) -> Expr {
    Expr::of(Piece::Affine(a), Elem::Int, 64)
}

impl Draw {
    /// For each row of an array an inner loop that is not counted, or the row sorted.
    pub(super) fn rows(&mut self, out: &mut Vec<Node>) {
        let elem = self.rng.pick(&[Elem::Double, Elem::Double, Elem::Float, Elem::Int]);
        let role = self.rng.pick(&[Role::Plain, Role::Accumulator]);
        let written = self.array("x", elem, role, 2);
        let is_sorted = self.rng.percent(15);
        let rows = self.loop_around(|draw, body| {
            let row = Affine::iter(draw.scope[draw.scope.len() - 1]);
            match is_sorted {
                true => draw.sorted(written, row, body),
                false => draw.row(written, row, body),
            }
        });
        out.push(rows);
    }

    /// `for (j = 0; j < m && y[i][j] > 0; j++) x[i][j] = 1;`, with other steps, as `while`, as `do`, through a table.
    fn row(&mut self, written: usize, row: Affine, out: &mut Vec<Node>) {
        let form = self.rng.pick(&[Form::For, Form::For, Form::For, Form::While, Form::Do]);
        let kind = self.rng.range(0, 5);
        let lo = if kind == 3 { 1 } else { self.rng.range(0, 1) };
        let n = i64::from(self.rng.percent(50));
        let bound = Affine { n, m: 1 - n, ..Affine::default() };
        // A first pass is made whatever the bound.
        let hi = if form == Form::Do { bound.plus(lo) } else { bound.plus(-1) };
        let outside = form != Form::For || self.rng.percent(25);
        let j = self.counter("j", outside, Affine::constant(lo), hi);
        let at = affine(Affine::iter(j));
        let step = match kind {
            0 | 1 => {
                let s = *self.f.step.get_or_insert(2);
                Expr::compose("{} += s", &[&at], Elem::Int, s)
            }
            2 => Expr::compose("{} += {} + 1", &[&at, &affine(row.clone())], Elem::Int, 0),
            3 => Expr::compose("{} *= 2", &[&at], Elem::Int, 0),
            _ => Expr::compose("{}++", &[&at], Elem::Int, 0),
        };
        let ends = kind > 3 || self.rng.percent(40);
        let mut test = Expr::compose("{} < {}", &[&at, &affine(bound)], Elem::Int, 1);
        self.scope.push(j);
        if ends {
            let read = self.rng.pick(&self.readable);
            let read = self.element(read, false);
            let read = Expr::of(Piece::Read(read), Elem::Int, 0);
            let against = format!("{{}} && {{}} {} {}", self.rng.pick(&[">", "<", "!="]), self.rng.range(-6, 6));
            test = Expr::compose(&against, &[&test, &read], Elem::Int, 1);
        }
        self.scope.pop();
        let body = self.inside(j, |draw, body| {
            let sub = if draw.rng.percent(25) { draw.through_table(j) } else { Affine::iter(j) };
            let target = draw.f.access(written, vec![row, sub]);
            let Array { elem, role, .. } = draw.f.arrays[written].clone();
            let value = draw.expr(2, false);
            let complete = draw.rng.percent(50);
            let op = draw.operator(elem, role == Role::Accumulator, complete);
            body.extend(draw.store(Target::Element(target), elem, op, value));
        });
        out.push(Node::Loop { iter: j, form, init: number(lo), test, step, body });
        if outside && self.rng.percent(40) {
            let end = Expr { magnitude: 128, ..at };
            out.extend(self.assign(Some(end)));
        }
    }

    /// Each row sorted by insertion.
    fn sorted(&mut self, written: usize, row: Affine, out: &mut Vec<Node>) {
        let elem = self.f.arrays[written].elem;
        let last = Affine { m: 1, ..Affine::constant(-1) };
        let j = self.counter("j", false, Affine::constant(1), last.clone());
        let k = self.counter("k", true, Affine::constant(1), last);
        let held = self.var("v", elem, Some(0), self.f.arrays[written].magnitude());
        let mut access = |sub: Affine| self.f.access(written, vec![row.clone(), sub]);
        let read = |a: Access| Expr::of(Piece::Read(a), elem, 0);
        let (of_j, of_k) = (access(Affine::iter(j)), access(Affine::iter(k)));
        let before = read(access(Affine::iter(k).plus(-1)));
        let (at, held_value) = (affine(Affine::iter(k)), Expr::of(Piece::Var(held), elem, 0));
        let test = Expr::compose("{} > 0 && {} > {}", &[&at, &before, &held_value], Elem::Int, 1);
        let step = Expr::compose("{}--", &[&at], Elem::Int, 0);
        let shift = vec![Node::Assign { target: Target::Element(of_k.clone()), op: "=", value: before }];
        let form = self.rng.pick(&[Form::For, Form::While]);
        let body = vec![
            Node::Assign { target: Target::Var(held), op: "=", value: read(of_j) },
            Node::Loop { iter: k, form, init: affine(Affine::iter(j)), test, step, body: shift },
            Node::Assign { target: Target::Element(of_k), op: "=", value: held_value },
        ];
        let bound = affine(Affine { m: 1, ..Affine::default() });
        out.push(Node::For { iter: j, init: number(1), test: "<", bound, step: 1, body });
    }

    /// `c[j]`, an element of a table.
    fn through_table(&mut self, j: usize) -> Affine {
        let (elem, least) = self.rng.pick(&[(Elem::Int, -9), (Elem::UChar, 0)]);
        let table = self.array("c", elem, Role::Input, 1);
        let read = self.f.access(table, vec![Affine::iter(j)]);
        let read = Expr::of(Piece::Read(read), elem, 18);
        self.stands_for(read, Affine::constant(least), Affine::constant(least + 18))
    }

    /// A subscript with the value of an expression, which is within this box.
    fn stands_for(&mut self, value: Expr, lo: Affine, hi: Affine) -> Affine {
        let iter = self.counter("is", false, lo, hi);
        self.f.iters[iter].is = Some(value);
        Affine::iter(iter)
    }

    /// A loop that steps by the parameter `s`.
    pub(super) fn strided(&mut self, out: &mut Vec<Node>) {
        let drawn = self.rng.range(1, 3);
        let s = *self.f.step.get_or_insert(drawn);
        let is_down = self.rng.percent(40);
        let (lo, hi) = (Affine::default(), Affine { n: s, ..Affine::constant(-1) });
        let outside = self.rng.percent(25);
        let i = self.counter("i", outside, lo, hi);
        let at = affine(Affine::iter(i));
        let (init, test, step) = match is_down {
            true => ("(n - 1) * s", "{} >= 0", "{} -= s"),
            false => ("0", "{} < n * s", self.rng.pick(&["{} += s", "{0} = {0} + s"])),
        };
        let init = Expr::of(Piece::Text(init.to_string()), Elem::Int, 0);
        let step = match step.contains("{0}") {
            true => Expr::compose(&step.replace("{0}", "{}"), &[&at, &at], Elem::Int, 0),
            false => Expr::compose(step, &[&at], Elem::Int, 0),
        };
        let test = Expr::compose(test, &[&at], Elem::Int, 1);
        let trips = self.trips;
        self.trips *= self.f.n.max(1);
        let body = self.inside(i, |draw, body| {
            if draw.rng.percent(30) {
                body.push(draw.nested(1));
            }
            for _ in 0..draw.rng.range(1, 2) {
                body.extend(draw.assign(None));
            }
        });
        self.trips = trips;
        out.push(Node::Loop { iter: i, form: Form::For, init, test, step, body });
    }

    /// Rows and columns of one counter: `x[i / w][i % w]`.
    pub(super) fn folded(&mut self, out: &mut Vec<Node>) {
        let elem = self.rng.pick(&[Elem::Double, Elem::Double, Elem::Float, Elem::Int]);
        let role = self.rng.pick(&[Role::Plain, Role::Plain, Role::Accumulator]);
        let rank = self.rng.pick(&[1, 2, 2, 2]);
        let written = self.array("x", elem, role, rank);
        let by_parameter = self.f.m > 0 && self.rng.percent(40);
        let width =
            if by_parameter { Affine { m: 1, ..Affine::default() } } else { Affine::constant(self.rng.range(2, 5)) };
        out.push(self.loop_around(|draw, body| {
            let i = draw.scope[draw.scope.len() - 1];
            let (at, w) = (affine(Affine::iter(i)), affine(width.clone()));
            let rows = (draw.f.eval(&draw.f.iters[i].hi) / draw.f.eval(&width)).max(0);
            let (row, column) = (
                Expr::compose("{} / {}", &[&at, &w], Elem::Int, 64),
                Expr::compose("{} % {}", &[&at, &w], Elem::Int, 64),
            );
            let row = draw.stands_for(row, Affine::default(), Affine::constant(rows));
            let column = draw.stands_for(column, Affine::default(), width.plus(-1));
            let subs =
                if rank == 1 { vec![if draw.rng.percent(50) { row } else { column }] } else { vec![row, column] };
            let target = draw.f.access(written, subs);
            let value = draw.expr(2, false);
            let op = draw.operator(elem, role == Role::Accumulator, rank == 2);
            body.extend(draw.store(Target::Element(target), elem, op, value));
        }));
    }
}
