//! Random kernels for property tests: well formed as text, with no regard to what [`verify`](super::verify) asks.

use super::mma::MmaShape;
use super::*;
use proptest::collection::vec;
use proptest::prelude::*;

/// Names, among them words of the text form.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-c]",
        "rt_[a-z]{1,3}",
        "[gtn][0-2]",
        "(index|join|min|step|mod|block|let|in|aligned|copy_async|INFINITY|NAN)"
    ]
}

fn float_kind() -> impl Strategy<Value = FloatKind> {
    prop_oneof![Just(FloatKind::Float), Just(FloatKind::Double), Just(FloatKind::LongDouble)]
}

fn int_kind() -> impl Strategy<Value = IntKind> {
    use IntKind::*;
    prop_oneof![Just(Bool), Just(Char), Just(SChar), Just(UShort), Just(Int), Just(UInt), Just(Long), Just(ULongLong)]
}

fn scalar_type() -> impl Strategy<Value = ScalarType> {
    prop_oneof![Just(ScalarType::Index), int_kind().prop_map(ScalarType::Int), float_kind().prop_map(ScalarType::Float)]
}

fn operator() -> impl Strategy<Value = BinOp> {
    proptest::sample::select(BinOp::ALL.to_vec())
}

fn assignment_operator() -> impl Strategy<Value = Option<BinOp>> {
    proptest::option::of(operator().prop_filter("has a compound assignment", |op| !op.is_boolean()))
}

fn reduce_operator() -> impl Strategy<Value = ReduceOp> {
    use ReduceOp::*;
    proptest::sample::select(vec![Add, Mul, Min, Max, MinLast, MaxLast, Fmin, Fmax, And, Or, Xor])
}

fn unary_operator() -> impl Strategy<Value = UnaryOp> {
    prop_oneof![Just(UnaryOp::Neg), Just(UnaryOp::Not), Just(UnaryOp::BitNot)]
}

/// An expression of any shape.
pub fn expr() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        any::<i64>().prop_map(Expr::Int),
        (-3..4i64).prop_map(Expr::Int),
        "([0-9]\\.[0-9]?|\\.5|1e-3|0x1\\.8p\\+2)[fL]?|INFINITY|NAN".prop_map(Expr::Float),
        name().prop_map(Expr::Var),
        (0..3usize).prop_map(Expr::BlockIdx),
        (0..3usize).prop_map(Expr::ThreadIdx),
        (0..3usize).prop_map(Expr::GridSize),
        Just(Expr::GoesOn),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        let pair = (inner.clone().prop_map(Box::new), inner.clone().prop_map(Box::new));
        prop_oneof![
            (name(), vec(inner.clone(), 0..3)).prop_map(|(array, index)| Expr::Load(Access { array, index })),
            (name(), vec(inner.clone(), 0..3), inner.clone()).prop_map(|(array, index, count)| Expr::Aligned {
                access: Access { array, index },
                count: count.into()
            }),
            (unary_operator(), inner.clone()).prop_map(|(op, e)| Expr::Unary(op, e.into())),
            (operator(), pair.clone()).prop_map(|(op, (a, b))| Expr::Binary(op, a, b)),
            (inner.clone(), pair.clone()).prop_map(|(c, (a, b))| Expr::Cond(c.into(), a, b)),
            (scalar_type(), inner.clone()).prop_map(|(ty, e)| Expr::Cast(ty, e.into())),
            (name(), vec(inner, 0..3)).prop_map(|(name, args)| Expr::Call(name, args)),
            (0..5usize, pair)
                .prop_map(|(i, (a, b))| { [Expr::Min, Expr::Max, Expr::FloorDiv, Expr::CeilDiv, Expr::Mod][i](a, b) }),
        ]
    })
}

fn access() -> impl Strategy<Value = Access> {
    (name(), vec(expr(), 0..3)).prop_map(|(array, index)| Access { array, index })
}

fn simple_stmt() -> impl Strategy<Value = StmtKind> {
    prop_oneof![
        (name(), scalar_type(), proptest::option::of(expr())).prop_map(|(var, ty, init)| StmtKind::Let {
            var,
            ty,
            init
        }),
        (name(), scalar_type(), vec(expr(), 0..3)).prop_map(|(name, ty, extents)| StmtKind::LocalArray {
            name,
            ty,
            extents
        }),
        (name(), scalar_type(), expr(), proptest::option::of(name()))
            .prop_map(|(name, ty, of, rows)| StmtKind::OnChip { name, ty, of, rows }),
        (name(), scalar_type(), vec(expr(), 0..3)).prop_map(|(name, ty, extents)| StmtKind::Shared {
            name,
            ty,
            extents
        }),
        (name(), assignment_operator(), expr()).prop_map(|(var, op, value)| StmtKind::Assign { var, op, value }),
        (access(), assignment_operator(), expr()).prop_map(|(target, op, value)| StmtKind::Store { target, op, value }),
        (access(), reduce_operator(), expr()).prop_map(|(target, op, value)| StmtKind::Atomic { target, op, value }),
        (reduce_operator(), scalar_type(), expr(), access())
            .prop_map(|(op, ty, value, target)| StmtKind::BlockReduce { op, ty, value, target }),
        (reduce_operator(), name(), expr(), expr()).prop_map(|(op, var, extent, stride)| StmtKind::Join {
            op,
            var,
            extent,
            stride
        }),
        (reduce_operator(), name(), name()).prop_map(|(op, var, carry)| StmtKind::WarpScan { op, var, carry }),
        (name(), name()).prop_map(|(var, begun)| StmtKind::Begin { var, begun }),
        (reduce_operator(), name(), name(), expr(), expr())
            .prop_map(|(op, var, slots, block, start)| { StmtKind::ScanBlocks { op, var, slots, block, start } }),
        (vec(access(), 0..3), vec(expr(), 0..3), vec(expr(), 0..3)).prop_map(|(c, a, b)| StmtKind::Mma {
            shape: MmaShape::F64,
            c,
            a,
            b
        }),
        vector_or_copy(),
        Just(StmtKind::Break),
        Just(StmtKind::Continue),
        Just(StmtKind::Barrier),
        Just(StmtKind::GridBarrier),
        vec(expr(), 0..3).prop_map(|across| StmtKind::GridWait { across }),
        proptest::option::of(expr()).prop_map(StmtKind::Return),
    ]
}

fn vector_or_copy() -> impl Strategy<Value = StmtKind> {
    prop_oneof![
        (name(), access(), any::<bool>()).prop_map(|(array, source, is_part)| StmtKind::LoadVector {
            array,
            source,
            is_part
        }),
        (access(), name()).prop_map(|(target, array)| StmtKind::StoreVector { target, array }),
        (access(), access(), expr()).prop_map(|(target, source, count)| StmtKind::CopyAsync { target, source, count }),
        Just(StmtKind::CommitCopies),
        expr().prop_map(|pending| StmtKind::WaitCopies { pending }),
    ]
}

fn unroll() -> impl Strategy<Value = Unroll> {
    prop_oneof![Just(Unroll::AsItIs), Just(Unroll::All), expr().prop_map(Unroll::By)]
}

fn stmt() -> impl Strategy<Value = Stmt> {
    let at = |kind: BoxedStrategy<StmtKind>| (kind, 0..99u32).prop_map(|(kind, line)| Stmt { kind, line });
    at(simple_stmt().boxed()).prop_recursive(3, 12, 3, move |inner| {
        let body = vec(inner, 0..3).boxed();
        let kind = prop_oneof![
            (expr(), body.clone(), body.clone()).prop_map(|(cond, then, other)| StmtKind::If { cond, then, other }),
            (name(), expr(), expr(), expr(), unroll(), body.clone())
                .prop_map(|(var, lo, hi, step, unroll, body)| StmtKind::For { var, lo, hi, step, unroll, body }),
            (name(), "[ -~é]{0,9}", body.clone()).prop_map(|(name, note, body)| StmtKind::Phase { name, note, body }),
            (expr(), body.clone(), body).prop_map(|(cond, step, body)| StmtKind::While { cond, step, body }),
        ];
        at(kind.boxed())
    })
}

fn scalar_param() -> impl Strategy<Value = ScalarParam> {
    (name(), scalar_type()).prop_map(|(name, ty)| ScalarParam { name, ty })
}

fn array_param() -> impl Strategy<Value = ArrayParam> {
    let usage = prop_oneof![Just(Usage::Read), Just(Usage::Write), Just(Usage::ReadWrite), Just(Usage::Turns)];
    (name(), scalar_type(), vec(expr(), 0..3), usage).prop_map(|(name, ty, extents, usage)| ArrayParam {
        name,
        ty,
        extents,
        usage,
    })
}

fn registers() -> impl Strategy<Value = Registers> {
    prop_oneof![
        Just(Registers::AsItLikes),
        Just(Registers::ForBlock),
        expr().prop_map(Registers::ForBlocks),
        any::<i64>().prop_map(Registers::ForThreads),
    ]
}

/// A kernel of any shape.
pub fn kernel() -> impl Strategy<Value = Kernel> {
    let tunable = || (name(), any::<i64>()).prop_map(|(name, value)| Tunable { name, value });
    let tunables = [(); 3].map(|()| vec(tunable(), 0..3));
    let header = (name(), vec(scalar_param(), 0..3), vec(array_param(), 0..4), tunables, proptest::option::of(expr()));
    let sync = [GridSync::Cooperative, GridSync::LockFree, GridSync::Relaxed, GridSync::Asynchronous];
    let resident = proptest::option::of(proptest::sample::select(sync.to_vec()));
    let flags = (prop_oneof![Just(32u8), Just(64)], any::<bool>());
    let shape = (flags, resident, vec(expr(), 1..4), vec(expr(), 1..4), registers());
    (header, shape, vec(stmt(), 0..4), vec("[ -~é]{0,9}", 0..2)).prop_map(
        |(
            (name, scalars, arrays, [tunables, larger, smaller], wide),
            ((index_bits, is_uneven), resident, grid, block, registers),
            body,
            notes,
        )| Kernel {
            name,
            scalars,
            arrays,
            tunables,
            larger,
            smaller,
            is_uneven,
            wide,
            index_bits,
            resident,
            grid,
            block,
            registers,
            body,
            notes,
        },
    )
}

/// A function of any shape.
pub fn function() -> impl Strategy<Value = Function> {
    (name(), vec(scalar_param(), 0..3), scalar_type(), vec(stmt(), 0..3), 0..99u32)
        .prop_map(|(name, params, ret, body, line)| Function { name, params, ret, body, line })
}
