//! What stands around nests: loops in time, buffers exchanged by their pointers, scalars that nests hand on, and
//! conditions that end a loop.

use super::Draw;
use crate::support::nests::*;

impl Draw {
    /// The body of the function: nests, of which a time loop may hold some.
    pub(super) fn nests(&mut self) {
        let timed = self.rng.percent(35);
        let mut body = Vec::new();
        let before: &[usize] = if timed { &[0, 0, 1] } else { &[1, 1, 2, 2, 3] };
        for _ in 0..self.rng.pick(before) {
            self.nest(&mut body);
        }
        if timed {
            self.time_loop(&mut body);
            if self.rng.percent(25) {
                self.nest(&mut body);
            }
        }
        self.f.body = body;
    }

    /// A loop in time around a few nests.
    fn time_loop(&mut self, out: &mut Vec<Node>) {
        if self.rng.percent(40) {
            self.exchanged = self.exchangeable();
        }
        let (held, trips) = (self.visible.clone(), std::mem::replace(&mut self.trips, 2));
        let mut body = Vec::new();
        for _ in 0..self.rng.pick(&[1, 1, 2, 3]) {
            self.nest(&mut body);
            if self.rng.percent(15) {
                body.extend(self.handed_on());
            }
        }
        self.trips = trips;
        body.extend(self.exchanged.map(|(a, b)| Node::Exchange { arrays: [a, b] }));
        // Of what the body computes, only what the head of the function declares is known outside.
        let inside = std::mem::replace(&mut self.visible, held);
        let kept: Vec<usize> = inside.into_iter().filter(|v| self.f.vars[*v].head.is_some()).collect();
        let ends = !kept.is_empty() && self.rng.percent(60);
        let last = self.rng.range(0, 3);
        use Ends::*;
        let forms = [For, While, DoWhile, CountingWhile, CountingDo, Members(self.rng.range(1, 40))];
        let form = Some(self.rng.pick(&forms)).filter(|_| ends && self.rng.percent(65));
        let outside = form.is_some() || self.rng.percent(50);
        let (name, lo, hi) = ("t".to_string(), Affine::default(), Affine::constant(last));
        self.f.iters.push(Iter { name, c_type: "int", outside, lo, hi, is: None });
        let iter = self.f.iters.len() - 1;
        if ends && form.is_none() {
            let cond = self.of_scalar(&kept, &[">", "<", "!=", ">="]);
            body.push(Node::If { cond, then: vec![Node::Break], other: Vec::new() });
            if self.rng.percent(30) {
                self.nest(&mut body);
            }
        }
        out.push(match form {
            Some(form) => {
                let mut go_on = self.of_scalar(&kept, &["<", "!=", "<="]);
                if let Members(_) = form {
                    let var = self.rng.pick(&kept);
                    go_on = Expr::compose("{} < o->level", &[&self.read_var(var)], Elem::Int, 1);
                }
                Node::Again { iter, times: last + 1, go_on, form, body }
            }
            None => {
                let number = |c| Expr::of(Piece::Affine(Affine::constant(c)), Elem::Int, 4);
                Node::For { iter, init: number(0), test: "<", bound: number(last + 1), step: 1, body }
            }
        });
        self.visible = kept;
    }

    /// A scalar made of itself, between nests.
    fn handed_on(&mut self) -> Vec<Node> {
        let kept: Vec<usize> = self.visible.iter().copied().filter(|v| self.f.vars[*v].head.is_some()).collect();
        if kept.is_empty() {
            return Vec::new();
        }
        let var = self.rng.pick(&kept);
        let elem = self.f.vars[var].elem;
        if elem.wraps() {
            return Vec::new();
        }
        let now = self.read_var(var);
        let small = self.within(now, 128);
        let value = Expr::compose("({} + {})", &[&small, &Expr::of(Piece::Text("3".into()), Elem::Int, 3)], elem, 131);
        vec![Node::Assign { target: Target::Var(var), op: "=", value }]
    }

    /// A condition on one of these scalars, which are 0 at first.
    fn of_scalar(&mut self, vars: &[usize], tests: &[&str]) -> Expr {
        let var = self.rng.pick(vars);
        let value = self.read_var(var);
        let template = format!("{{}} {} {}", self.rng.pick(tests), self.rng.range(1, 40));
        Expr::compose(&template, &[&value], Elem::Int, 1)
    }

    /// Two arrays that are behind pointers and alike, or can be made so.
    fn exchangeable(&mut self) -> Option<(usize, usize)> {
        let may: Vec<usize> = (0..self.f.arrays.len()).filter(|a| self.f.arrays[*a].role != Role::Input).collect();
        let (&first, &second) = (may.first()?, may.get(1)?);
        let style = Style::Linear;
        if [first, second].iter().any(|a| self.f.arrays[*a].style == Style::Global) {
            return None;
        }
        let Array { elem, role, extents, unsigned_zero, .. } = self.f.arrays[first].clone();
        let is_new = extents.iter().chain(&self.f.arrays[second].extents).all(|e| *e == Affine::constant(1));
        if !is_new {
            return None;
        }
        self.dims[second] = self.dims[first].clone();
        self.f.arrays[first].style = style;
        let name = self.f.arrays[second].name.clone();
        self.f.arrays[second] = Array { name, elem, style, role, extents, unsigned_zero };
        Some((first, second))
    }
}
