//! Conditions, expressions and operands.

use super::Draw;
use crate::support::nests::*;

impl Draw {
    /// A truth value, of iterators or of data.
    pub(super) fn condition(&mut self) -> Expr {
        if self.rng.percent(12) {
            let (a, b) = (self.comparison(), self.comparison());
            return Expr::compose(self.rng.pick(&["({} && {})", "({} || {})"]), &[&a, &b], Elem::Int, 1);
        }
        self.comparison()
    }

    fn comparison(&mut self) -> Expr {
        let c = self.rng.range(0, 5);
        if self.scope.is_empty() || self.rng.percent(35) {
            let leaf = self.leaf(false);
            return Expr::compose(&format!("{{}} {} {c}", self.rng.pick(&[">", "<", "!="])), &[&leaf], Elem::Int, 1);
        }
        let name = |iter| Expr::of(Piece::Affine(Affine::iter(iter)), Elem::Int, 64);
        let first = self.rng.pick(&self.scope);
        let others: Vec<usize> = self.scope.iter().copied().filter(|&i| i != first).collect();
        let second = if others.is_empty() { first } else { self.rng.pick(&others) };
        let (i, j) = (name(first), name(second));
        let template = match self.rng.range(0, if others.is_empty() { 2 } else { 6 }) {
            0 => format!("{{}} == {c}"),
            1 => format!("{{}} > {c}"),
            2 => format!("{{}} % 2 == {}", c % 2),
            3 => "{} <= {}".to_string(),
            4 => "{} != {}".to_string(),
            5 => format!("({{}} + {{}}) % 2 == {}", c % 2),
            _ => format!("{{}} + {{}} < {}", c + 5),
        };
        Expr::compose(&template, &[&i, &j][..template.matches("{}").count()], Elem::Int, 1)
    }

    /// An expression; `unsigned`: of unsigned operands throughout, else of none.
    pub(super) fn expr(&mut self, depth: usize, unsigned: bool) -> Expr {
        if depth == 0 || self.rng.percent(20) {
            return self.leaf(unsigned);
        }
        let (mut a, mut b) = (self.expr(depth - 1, unsigned), self.expr(depth - 1, unsigned));
        let elem = a.elem.max(b.elem);
        let both = |a: &Expr, b: &Expr| a.magnitude.max(b.magnitude);
        let (kind, limit) = (self.rng.range(0, 99), elem.limit());
        let room = match kind {
            0..=49 => limit / 2,
            50..=64 => 1 << (limit.ilog2() / 2),
            _ => limit,
        };
        if !elem.wraps() {
            a = self.within(a, room);
            b = self.within(b, room);
        }
        let (sum, product) = (a.magnitude + b.magnitude, a.magnitude.saturating_mul(b.magnitude));
        let whole = !elem.is_float();
        match kind {
            0..=29 => Expr::compose("({} + {})", &[&a, &b], elem, sum.min(limit)),
            30..=49 => Expr::compose("({} - {})", &[&a, &b], elem, sum.min(limit)),
            50..=64 => Expr::compose("{} * {}", &[&a, &b], elem, product.min(limit)),
            65..=74 => {
                let least = self.rng.percent(50);
                match elem {
                    Elem::Double if least => Expr::compose("(fmin({}, {}) + 0.0)", &[&a, &b], elem, both(&a, &b)),
                    Elem::Double => Expr::compose("(fmax({}, {}) + 0.0)", &[&a, &b], elem, both(&a, &b)),
                    _ => {
                        let template = if least { "({} < {} ? {} : {})" } else { "({} > {} ? {} : {})" };
                        Expr::compose(template, &[&a, &b, &a, &b], elem, both(&a, &b))
                    }
                }
            }
            75..=84 => {
                let cond = self.condition();
                Expr::compose("({} ? {} : {})", &[&cond, &a, &b], elem, both(&a, &b))
            }
            85..=91 if whole => {
                let bits = ((both(&a, &b) + 1) as u64).next_power_of_two() as i64;
                let template = self.rng.pick(&["({} & {})", "({} | {})", "({} ^ {})"]);
                Expr::compose(template, &[&a, &b], elem, bits.min(limit))
            }
            _ if unsigned => {
                Expr::compose(self.rng.pick(&["({} >> 3)", "({} << 2)", "({} % 31u)"]), &[&a], elem, limit)
            }
            _ if a.elem.is_float() => {
                Expr::compose(self.rng.pick(&["fabs({})", "-({})"]), &[&a], Elem::Double, a.magnitude)
            }
            _ => {
                let template = self.rng.pick(&["({} / 3)", "({} % 7)", "-({})", "~({})"]);
                Expr::compose(template, &[&a], a.elem, a.magnitude + 1)
            }
        }
    }

    /// An operand.
    pub(super) fn leaf(&mut self, unsigned: bool) -> Expr {
        let leaf = match self.rng.range(0, 99) {
            0..=11 if !self.scope.is_empty() => {
                let iter = self.rng.pick(&self.scope);
                let e = Expr::of(Piece::Affine(Affine::iter(iter)), Elem::Int, 64);
                if self.f.iters[iter].c_type == "int" { e } else { Expr::compose("(int){}", &[&e], Elem::Int, 64) }
            }
            12..=27 => {
                let v = self.rng.range(1, 9);
                Expr::of(Piece::Text(v.to_string()), Elem::Int, v)
            }
            28..=45 if !self.visible.is_empty() => {
                let var = self.rng.pick(&self.visible);
                self.read_var(var)
            }
            _ => {
                let array = self.rng.pick(&self.readable);
                let access = self.element(array, false);
                let a = &self.f.arrays[array];
                Expr::of(Piece::Read(access), a.elem, a.magnitude())
            }
        };
        self.fit(leaf, unsigned)
    }

    pub(super) fn read_var(&self, var: usize) -> Expr {
        let v = &self.f.vars[var];
        Expr::of(Piece::Var(var), v.elem, v.magnitude)
    }

    /// Brings an operand into, or out of, unsigned arithmetic.
    pub(super) fn fit(&mut self, e: Expr, unsigned: bool) -> Expr {
        match (unsigned, e.elem) {
            (true, Elem::UInt) => e,
            (true, from) if from.is_float() => Expr::compose("(unsigned)(int){}", &[&e], Elem::UInt, e.magnitude),
            (true, _) => Expr::compose("(unsigned){}", &[&e], Elem::UInt, Elem::UInt.limit()),
            (false, Elem::UInt) => Expr::compose("(int)({} & 63u)", &[&e], Elem::Int, 63),
            (false, Elem::UChar) => Expr { elem: Elem::Int, ..e },
            (false, _) => e,
        }
    }

    /// Folds a value back where it might exceed `most`.
    pub(super) fn within(&mut self, e: Expr, most: i64) -> Expr {
        if e.magnitude <= most {
            return e;
        }
        let template = match e.elem {
            Elem::Float => self.rng.pick(&["fmodf({}, 97.0f)", "fminf(fmaxf({}, -99.0f), 99.0f)"]),
            Elem::Double => self.rng.pick(&["fmod({}, 97.0)", "fmin(fmax({}, -99.0), 99.0)"]),
            Elem::UInt => "({}) % 97u",
            _ => "({}) % 97",
        };
        let elem = e.elem;
        let folded = Expr::compose(template, &[&e], elem, 99);
        if elem.is_float() { folded } else { Expr::compose("({})", &[&folded], elem, 99) }
    }
}
