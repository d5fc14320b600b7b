//! AST generation: a schedule becomes loops, as a plain Rust tree (Grosser, Verdoolaege and Cohen, "Polyhedral AST
//! generation is more than scanning polyhedra", 2015).

use super::ffi::{Object, bind, enumeration, new_id, objects};
use super::{Error, Id, PwAff, Result, Schedule, Set, Val};

enumeration! {
/// An operator, as isl names it.
pub enum AstOp {
    /// Conjunction, both sides evaluated.
    And = 0,
    /// `&&`.
    AndThen = 1,
    /// Disjunction, both sides evaluated.
    Or = 2,
    /// `||`.
    OrElse = 3,
    /// The greatest of two or more.
    Max = 4,
    /// The least of two or more.
    Min = 5,
    /// Negation.
    Minus = 6,
    /// Sum.
    Add = 7,
    /// Difference.
    Sub = 8,
    /// Product.
    Mul = 9,
    /// Exact quotient.
    Div = 10,
    /// Quotient rounded towards minus infinity.
    FdivQ = 11,
    /// Quotient of what is not negative.
    PdivQ = 12,
    /// Remainder of what is not negative.
    PdivR = 13,
    /// Remainder of which only whether it is zero matters.
    ZdivR = 14,
    /// `a ? b : c`, one side evaluated.
    Cond = 15,
    /// `a ? b : c`, both sides evaluated.
    Select = 16,
    /// `==`.
    Eq = 17,
    /// `<=`.
    Le = 18,
    /// `<`.
    Lt = 19,
    /// `>=`.
    Ge = 20,
    /// `>`.
    Gt = 21,
    /// A call: what is called, then its arguments.
    Call = 22,
    /// An element: the array, then its indices.
    Access = 23,
    /// A member of a structure.
    Member = 24,
    /// An address.
    AddressOf = 25,
}
}

enumeration! {
/// What an isl expression is.
pub enum ExprKind {
    /// An operator.
    Op = 0,
    /// A name.
    Id = 1,
    /// A number.
    Int = 2,
}
}

enumeration! {
/// What an isl node is.
pub enum RawKind {
    /// A loop.
    For = 1,
    /// A condition.
    If = 2,
    /// Nodes in order.
    Block = 3,
    /// A named node.
    Mark = 4,
    /// A statement.
    User = 5,
}
}

/// Generated code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AstNode {
    /// `for (iterator = init; cond; iterator += inc) body`.
    For {
        /// The loop variable.
        iterator: String,
        /// Its first value.
        init: AstExpr,
        /// Goes on while this holds; mentions the iterator.
        cond: AstExpr,
        /// The step.
        inc: AstExpr,
        /// Runs just once, with the first value: not a loop but a name for `init`.
        degenerate: bool,
        /// What runs.
        body: Box<AstNode>,
    },
    /// `if (cond) then else other`.
    If {
        /// The condition.
        cond: AstExpr,
        /// Where it holds.
        then: Box<AstNode>,
        /// Where it does not.
        other: Option<Box<AstNode>>,
    },
    /// Nodes in order; empty where nothing is to be done.
    Block(Vec<AstNode>),
    /// A mark of the schedule tree.
    Mark {
        /// Its name.
        name: String,
        /// What it stands on.
        node: Box<AstNode>,
    },
    /// An instance of a statement.
    User {
        /// The tuple's name.
        stmt: String,
        /// The instance.
        args: Vec<AstExpr>,
    },
}

/// A generated expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AstExpr {
    /// A parameter, an iterator or a statement.
    Id(String),
    /// A number.
    Int(i64),
    /// An operator and its operands.
    Op(AstOp, Vec<AstExpr>),
}

objects! {
    /// What is known where code is generated: context, options, names of iterators.
    AstBuild: isl_ast_build_copy, isl_ast_build_free;
    /// isl's own node.
    RawNode: isl_ast_node_copy, isl_ast_node_free, isl_ast_node_to_str
        [isl_ast_node_list_alloc, isl_ast_node_list_add, isl_ast_node_list_n_ast_node,
        isl_ast_node_list_get_at, isl_ast_node_list_free];
    /// isl's own expression.
    RawExpr: isl_ast_expr_copy, isl_ast_expr_free, isl_ast_expr_to_str;
}

impl AstBuild {
    bind! {
        /// Code for parameter values in `set`.
        pub fn from_context(set: take Set) -> AstBuild = isl_ast_build_from_context;
        fn set_iterator_ids(take self, iterators: list Id) -> AstBuild = isl_ast_build_set_iterators;
        fn raw_schedule(keep self, schedule: take Schedule) -> RawNode = isl_ast_build_node_from_schedule;
        fn raw_pw_aff(keep self, pa: take PwAff) -> RawExpr = isl_ast_build_expr_from_pw_aff;
        fn raw_set(keep self, set: take Set) -> RawExpr = isl_ast_build_expr_from_set;
    }
}

impl RawNode {
    bind! {
        fn kind(keep self) -> RawKind = isl_ast_node_get_type;
        fn iterator(keep self) -> RawExpr = isl_ast_node_for_get_iterator;
        fn init(keep self) -> RawExpr = isl_ast_node_for_get_init;
        fn cond(keep self) -> RawExpr = isl_ast_node_for_get_cond;
        fn inc(keep self) -> RawExpr = isl_ast_node_for_get_inc;
        fn body(keep self) -> RawNode = isl_ast_node_for_get_body;
        fn degenerate(keep self) -> bool = isl_ast_node_for_is_degenerate;
        fn if_cond(keep self) -> RawExpr = isl_ast_node_if_get_cond;
        fn then(keep self) -> RawNode = isl_ast_node_if_get_then_node;
        fn has_else(keep self) -> bool = isl_ast_node_if_has_else_node;
        fn otherwise(keep self) -> RawNode = isl_ast_node_if_get_else_node;
        fn children(keep self) -> Vec<RawNode> = isl_ast_node_block_get_children;
        fn mark(keep self) -> Id = isl_ast_node_mark_get_id;
        fn marked(keep self) -> RawNode = isl_ast_node_mark_get_node;
        fn statement(keep self) -> RawExpr = isl_ast_node_user_get_expr;
    }
}

impl RawExpr {
    bind! {
        fn kind(keep self) -> ExprKind = isl_ast_expr_get_type;
        fn id(keep self) -> Id = isl_ast_expr_id_get_id;
        fn int(keep self) -> Val = isl_ast_expr_int_get_val;
        fn op(keep self) -> AstOp = isl_ast_expr_op_get_type;
        fn n_args(keep self) -> usize = isl_ast_expr_op_get_n_arg;
        fn arg(keep self, pos: val usize) -> RawExpr = isl_ast_expr_op_get_arg;
    }
}

impl AstBuild {
    /// Names the loops, outermost first; further ones are called `c0`, `c1`, ...
    pub fn set_iterators(&self, names: &[&str]) -> Result<AstBuild> {
        let ctx = self.ctx();
        self.set_iterator_ids(&names.iter().map(|name| new_id(name, ctx)).collect::<Result<Vec<_>>>()?)
    }

    /// Loops that run the instances of `schedule`, restricted to this context, in its order.
    pub fn node_from_schedule(&self, schedule: &Schedule) -> Result<AstNode> {
        self.raw_schedule(schedule)?.tree()
    }

    /// The value of a piecewise expression of parameters.
    pub fn expr_from_pw_aff(&self, pa: &PwAff) -> Result<AstExpr> {
        self.raw_pw_aff(pa)?.tree()
    }

    /// Test that the parameters are in `set`.
    pub fn expr_from_set(&self, set: &Set) -> Result<AstExpr> {
        self.raw_set(set)?.tree()
    }
}

impl RawNode {
    /// The node as a tree of Rust.
    fn tree(&self) -> Result<AstNode> {
        Ok(match self.kind()? {
            RawKind::For => {
                let AstExpr::Id(iterator) = self.iterator()?.tree()? else {
                    return Err(Error::invalid("a loop whose iterator is not a name"));
                };
                AstNode::For {
                    iterator,
                    init: self.init()?.tree()?,
                    cond: self.cond()?.tree()?,
                    inc: self.inc()?.tree()?,
                    degenerate: self.degenerate()?,
                    body: Box::new(self.body()?.tree()?),
                }
            }
            RawKind::If => AstNode::If {
                cond: self.if_cond()?.tree()?,
                then: Box::new(self.then()?.tree()?),
                other: if self.has_else()? { Some(Box::new(self.otherwise()?.tree()?)) } else { None },
            },
            RawKind::Block => AstNode::Block(self.children()?.iter().map(RawNode::tree).collect::<Result<_>>()?),
            RawKind::Mark => AstNode::Mark { name: self.mark()?.text()?, node: Box::new(self.marked()?.tree()?) },
            RawKind::User => match self.statement()?.tree()? {
                AstExpr::Op(AstOp::Call, mut args) => match args.remove(0) {
                    AstExpr::Id(stmt) => AstNode::User { stmt, args },
                    _ => return Err(Error::invalid("a statement without a name")),
                },
                _ => return Err(Error::invalid("a statement that is not a call")),
            },
        })
    }
}

impl RawExpr {
    /// The expression as a tree of Rust.
    fn tree(&self) -> Result<AstExpr> {
        Ok(match self.kind()? {
            ExprKind::Id => AstExpr::Id(self.id()?.text()?),
            ExprKind::Int => AstExpr::Int(self.int()?.numerator()?),
            ExprKind::Op => {
                let args = (0..self.n_args()?).map(|i| self.arg(i)?.tree());
                AstExpr::Op(self.op()?, args.collect::<Result<_>>()?)
            }
        })
    }
}
