//! Expressions: what they cost, which accesses they make, and their values where these are integers.

use super::condition::Condition;
use super::{Space, Use, Walker};
use crate::ast::{BinOp, IntKind};
use crate::cost::Assumption;
use crate::cost::value::{Form, Operation, Origin, Symbol};
use crate::cost::work::{self, Kind, Value};
use crate::kernel::{Access, Expr, ScalarType, UnaryOp};
use std::collections::BTreeSet;

impl<'k> Walker<'k> {
    /// An integer. What nobody knows is a symbol of its own.
    pub(super) fn form(&mut self, e: &'k Expr) -> Form {
        let value = self.value(e);
        value.form.unwrap_or_else(|| self.unknown(None))
    }

    /// An integer that only the data know, another one for each thread and iteration.
    pub(super) fn unknown(&mut self, values: Option<i64>) -> Form {
        let bases = self.everything();
        Form::symbol(self.out.symbols.data(Origin::Data { values, is_uniform: false }, bases))
    }

    /// All positions, and the counters of the loops around.
    fn everything(&self) -> BTreeSet<Symbol> {
        let positions = self.out.thread_symbols.iter().chain(&self.out.grid_symbols).copied();
        positions.chain(self.scopes.iter().filter_map(|s| s.symbol)).collect()
    }

    pub(super) fn value(&mut self, e: &'k Expr) -> Value {
        let int = |form| Value { kind: Kind::Int32, form: Some(form) };
        let position = |all: &[Symbol], d: usize| all.get(d).map_or(Form::default(), |s| Form::symbol(*s));
        match e {
            Expr::Int(n) => int(Form::constant(*n)),
            Expr::Float(text) => {
                let is_single = text.ends_with(['f', 'F']) && !text.starts_with("0x");
                let is_any = matches!(text.as_str(), "INFINITY" | "NAN");
                Value { kind: if is_single || is_any { Kind::F32 } else { Kind::F64 }, form: None }
            }
            Expr::Var(name) => {
                let kind = self.kind(name);
                Value { kind, form: self.env.get(name.as_str()).filter(|_| !kind.is_float()).cloned() }
            }
            Expr::BlockIdx(d) => int(position(&self.out.grid_symbols, *d)),
            Expr::ThreadIdx(d) => int(position(&self.out.thread_symbols, *d)),
            Expr::GridSize(d) => int(Form::constant(self.out.grid.get(*d).copied().unwrap_or(1))),
            Expr::Load(access) => self.load(access),
            // Where vectors may start is the same for all threads, nearly always; and nearly never is a program asked to end.
            Expr::Aligned { .. } | Expr::GoesOn => int(Form::constant(1)),
            Expr::Unary(UnaryOp::Not, _) => self.truth(e),
            Expr::Binary(op, ..) if op.is_boolean() => self.truth(e),
            Expr::Unary(op, x) => self.unary(*op, x),
            Expr::Binary(op, a, b) => self.binary(*op, a, b),
            Expr::Cond(c, a, b) => self.choice(c, a, b),
            Expr::Cast(ty, x) => self.cast(*ty, x),
            Expr::Call(name, arguments) => self.call(name, arguments),
            Expr::Min(a, b) => self.integer(Operation::Min, a, b, 1.0),
            Expr::Max(a, b) => self.integer(Operation::Max, a, b, 1.0),
            Expr::FloorDiv(a, b) => self.integer(Operation::FloorDiv, a, b, 4.0),
            Expr::CeilDiv(a, b) => self.integer(Operation::CeilDiv, a, b, 4.0),
            Expr::Mod(a, b) => self.integer(Operation::Mod, a, b, 4.0),
        }
    }

    pub(super) fn kind(&self, name: &str) -> Kind {
        let ty = self.kinds.get(name).copied().unwrap_or(ScalarType::Index);
        Kind::of(ty, self.index_bits)
    }

    /// A condition as a number.
    fn truth(&mut self, e: &'k Expr) -> Value {
        let condition = self.condition(e);
        Value { kind: Kind::Int32, form: self.chosen(condition, Form::constant(1), Form::constant(0)) }
    }

    fn unary(&mut self, op: UnaryOp, x: &'k Expr) -> Value {
        let v = self.value(x);
        let form = v.form.map(|f| match op {
            UnaryOp::BitNot => Form::constant(-1).plus(&f, -1),
            _ => f.times(-1),
        });
        Value { kind: v.kind, form }
    }

    fn binary(&mut self, op: BinOp, a: &'k Expr, b: &'k Expr) -> Value {
        let (x, y) = (self.value(a), self.value(b));
        let kind = x.kind.max(y.kind);
        if kind.is_float() {
            let is_product = |e: &Expr| matches!(e, Expr::Binary(BinOp::Mul, ..));
            let is_fused = matches!(op, BinOp::Add | BinOp::Sub) && (is_product(a) || is_product(b));
            if !is_fused {
                self.spend(work::of_operator(op, kind, false));
            }
            return Value { kind, form: None };
        }
        let by_constant = y.form.as_ref().is_some_and(|f| f.as_constant().is_some());
        let form = match (x.form, y.form) {
            (Some(x), Some(y)) => Some(self.combined(op, &x, &y)),
            _ => None,
        };
        self.spend_integer(work::of_operator(op, kind, by_constant), form.as_ref());
        Value { kind, form }
    }

    /// An operator on integers that is no comparison.
    pub(super) fn combined(&mut self, op: BinOp, x: &Form, y: &Form) -> Form {
        let derived = match op {
            BinOp::Add => return x.plus(y, 1),
            BinOp::Sub => return x.plus(y, -1),
            BinOp::Mul => Operation::Mul,
            BinOp::Div => Operation::Div,
            BinOp::Rem => Operation::Rem,
            BinOp::Shl => Operation::Shl,
            BinOp::Shr => Operation::Shr,
            BinOp::BitAnd => Operation::BitAnd,
            BinOp::BitOr => Operation::BitOr,
            BinOp::BitXor => Operation::BitXor,
            BinOp::Lt | BinOp::Gt | BinOp::Le | BinOp::Ge | BinOp::Eq | BinOp::Ne | BinOp::And | BinOp::Or => {
                return self.unknown(Some(2));
            }
        };
        self.out.symbols.derived(derived, x, y)
    }

    fn integer(&mut self, op: Operation, a: &'k Expr, b: &'k Expr, cost: f64) -> Value {
        let (x, y) = (self.value(a), self.value(b));
        let kind = x.kind.max(y.kind);
        let form = match (x.form, y.form) {
            (Some(x), Some(y)) if !kind.is_float() => Some(self.out.symbols.derived(op, &x, &y)),
            _ => None,
        };
        self.spend_integer(kind.work(cost), form.as_ref());
        Value { kind, form }
    }

    fn choice(&mut self, c: &'k Expr, a: &'k Expr, b: &'k Expr) -> Value {
        let condition = self.condition(c);
        let (state, lengths) = (self.state, self.seen());
        self.restrict(condition);
        let x = self.value(a);
        self.forget(&lengths);
        self.state = state;
        self.restrict(condition.negated());
        let y = self.value(b);
        self.forget(&lengths);
        self.state = state;
        self.spend(Kind::Int32.work(1.0));
        let form = x.form.zip(y.form).and_then(|(x, y)| self.chosen(condition, x, y));
        Value { kind: x.kind.max(y.kind), form }
    }

    /// One of two integers, where positions and sizes tell which.
    fn chosen(&mut self, condition: Condition, x: Form, y: Form) -> Option<Form> {
        match condition.decided {
            _ if x == y => Some(x),
            Some(holds) => Some(if holds { x } else { y }),
            None if condition.probability < 1.0 => None,
            None => {
                let truth = Form::symbol(self.out.symbols.truth(condition.mask));
                let more = self.out.symbols.derived(Operation::Mul, &truth, &x.plus(&y, -1));
                Some(y.plus(&more, 1))
            }
        }
    }

    fn cast(&mut self, ty: ScalarType, x: &'k Expr) -> Value {
        let v = self.value(x);
        let kind = Kind::of(ty, self.index_bits);
        if !v.kind.is_float() && !kind.is_float() {
            return Value { kind, form: v.form };
        }
        if v.kind != kind {
            // 16 conversions a cycle and SM.
            let pipe = if v.kind.max(kind) == Kind::F64 { Kind::F64 } else { Kind::Int32 };
            self.spend(pipe.work(4.0));
        }
        Value { kind, form: None }
    }

    fn call(&mut self, name: &'k str, arguments: &'k [Expr]) -> Value {
        let values: Vec<Value> = arguments.iter().map(|e| self.value(e)).collect();
        if let Some(f) = self.functions.iter().find(|f| f.name == name) {
            self.inlined(f, values);
            return Value { kind: Kind::of(f.ret, self.index_bits), form: None };
        }
        self.spend(work::of_function(name));
        let of_arguments = values.iter().map(|v| v.kind).max();
        let kind = of_arguments.filter(|_| matches!(name, "abs" | "labs" | "llabs"));
        Value { kind: kind.unwrap_or(if name.ends_with('f') { Kind::F32 } else { Kind::F64 }), form: None }
    }

    /// The address of an access, in bytes from the beginning of its array.
    pub(super) fn address(&mut self, access: &'k Access) -> Form {
        let strides = self.arrays.get(access.array.as_str()).map(|a| a.strides.clone()).unwrap_or_default();
        let mut address = Form::default();
        for (e, stride) in access.index.iter().zip(strides) {
            let index = self.form(e);
            address = address.plus(&index, stride);
        }
        if self.out.symbols.is_data(&address) {
            self.out.assumed.insert(Assumption::Address);
        }
        address
    }

    fn load(&mut self, access: &'k Access) -> Value {
        let address = self.address(access);
        self.record(access, Use::Load, &address);
        let Some(array) = self.arrays.get(access.array.as_str()) else {
            return Value { kind: Kind::F64, form: None };
        };
        let (space, kind) = (array.space, Kind::of(array.ty, self.index_bits));
        if kind.is_float() {
            return Value { kind, form: None };
        }
        let values = match array.ty {
            ScalarType::Int(IntKind::Bool) => Some(2),
            ScalarType::Int(IntKind::Char | IntKind::SChar | IntKind::UChar) => Some(1 << 8),
            ScalarType::Int(IntKind::Short | IntKind::UShort) => Some(1 << 16),
            _ => None,
        };
        let bases = match array.is_written || space != Space::Global {
            true => self.everything(),
            false => self.out.symbols.bases(&address),
        };
        let lanes = self.out.symbols.lanes(&address);
        let is_uniform = space != Space::Local && lanes.iter().all(|warp| warp.iter().all(|a| *a == warp[0]));
        let symbol = self.out.symbols.data(Origin::Data { values, is_uniform }, bases);
        if space == Space::Global {
            let scope = self.place(&access.array, Use::Load, &address).scope;
            let at = self.wait(scope, &address);
            self.loaded.insert(symbol, at);
        }
        Value { kind, form: Some(Form::symbol(symbol)) }
    }
}
