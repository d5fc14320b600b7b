//! Schedules: trees that say in which order the instances of statements run, and the scheduler that makes them.

use super::ffi::{Object, bind, enumeration, objects};
use super::{Id, MultiVal, Mupa, Result, Set, Space, UMap, USet, Val};

enumeration! {
/// What a node of a schedule tree is.
pub enum NodeKind {
    /// Loops: an affine partial schedule of some members.
    Band = 0,
    /// Restricts outer schedule dimensions and parameters.
    Context = 1,
    /// The root: all instances.
    Domain = 2,
    /// Instances replaced by several each.
    Expansion = 3,
    /// Instances added.
    Extension = 4,
    /// Some of the instances: the child of a sequence or set.
    Filter = 5,
    /// The end of a branch.
    Leaf = 6,
    /// A condition to check.
    Guard = 7,
    /// A name.
    Mark = 8,
    /// Children run one after the other.
    Sequence = 9,
    /// Children run in any order.
    Set = 10,
}
}

enumeration! {
/// How the AST generator writes the loop of a band member.
pub enum LoopKind {
    /// As it sees fit.
    Default = 0,
    /// One loop.
    Atomic = 1,
    /// No loop: every iteration written out.
    Unroll = 2,
    /// Apart where bounds or statements differ.
    Separate = 3,
}
}

objects! {
    /// A schedule tree.
    Schedule: isl_schedule_copy, isl_schedule_free, isl_schedule_to_str;
    /// A position in a schedule tree; changing it gives a position in a new tree.
    ScheduleNode: isl_schedule_node_copy, isl_schedule_node_free, isl_schedule_node_to_str;
    /// What a schedule must and should satisfy.
    ScheduleConstraints: isl_schedule_constraints_copy, isl_schedule_constraints_free, isl_schedule_constraints_to_str;
}

impl ScheduleConstraints {
    bind! {
        /// No constraint yet.
        pub fn on_domain(domain: take USet) -> ScheduleConstraints = isl_schedule_constraints_on_domain;
        /// The parameter values that occur.
        pub fn set_context(take self, context: take Set) -> ScheduleConstraints = isl_schedule_constraints_set_context;
        /// From what must run before, to what must run after.
        pub fn set_validity(take self, validity: take UMap) -> ScheduleConstraints
            = isl_schedule_constraints_set_validity;
        /// What should be at the same iteration of a parallel member.
        pub fn set_coincidence(take self, coincidence: take UMap) -> ScheduleConstraints
            = isl_schedule_constraints_set_coincidence;
        /// What should run close together.
        pub fn set_proximity(take self, proximity: take UMap) -> ScheduleConstraints
            = isl_schedule_constraints_set_proximity;
        /// `validity` matters where `condition` is not at distance zero.
        pub fn set_conditional_validity(take self, condition: take UMap, validity: take UMap) -> ScheduleConstraints
            = isl_schedule_constraints_set_conditional_validity;
        /// A schedule, by the options of the context.
        pub fn compute(take self) -> Schedule = isl_schedule_constraints_compute_schedule;
    }
}

impl Schedule {
    bind! {
        /// Reads isl's notation (YAML).
        pub fn parse(ctx, text: text str) -> Schedule = isl_schedule_read_from_str;
        /// All instances, in no order.
        pub fn from_domain(domain: take USet) -> Schedule = isl_schedule_from_domain;
        /// All instances.
        pub fn domain(keep self) -> USet = isl_schedule_get_domain;
        /// The schedule as a map to time.
        pub fn map(keep self) -> UMap = isl_schedule_get_map;
        /// The root of the tree.
        pub fn root(keep self) -> ScheduleNode = isl_schedule_get_root;
        /// Restricted to some instances.
        pub fn intersect_domain(take self, domain: take USet) -> Schedule = isl_schedule_intersect_domain;
        /// The instances of this one, then those of `second`.
        pub fn sequence(take self, second: take Schedule) -> Schedule = isl_schedule_sequence;
        /// Puts a band below the root.
        pub fn insert_partial_schedule(take self, partial: take Mupa) -> Schedule
            = isl_schedule_insert_partial_schedule;
    }
}

impl ScheduleNode {
    bind! {
        /// What it is.
        pub fn kind(keep self) -> NodeKind = isl_schedule_node_get_type;
        /// The tree it is in.
        pub fn schedule(keep self) -> Schedule = isl_schedule_node_get_schedule;
        /// How many children.
        pub fn n_children(keep self) -> usize = isl_schedule_node_n_children;
        /// A child.
        pub fn child(take self, pos: val usize) -> ScheduleNode = isl_schedule_node_child;
        /// The parent.
        pub fn parent(take self) -> ScheduleNode = isl_schedule_node_parent;
        /// The root.
        pub fn root(take self) -> ScheduleNode = isl_schedule_node_root;
        /// An ancestor, so many steps up.
        pub fn ancestor(take self, generation: val usize) -> ScheduleNode = isl_schedule_node_ancestor;
        /// Test that it has a parent.
        pub fn has_parent(keep self) -> bool = isl_schedule_node_has_parent;
        /// Steps from the root.
        pub fn depth(keep self) -> usize = isl_schedule_node_get_tree_depth;
        /// Schedule dimensions above it.
        pub fn schedule_depth(keep self) -> usize = isl_schedule_node_get_schedule_depth;
        /// Its position among its siblings.
        pub fn child_position(keep self) -> usize = isl_schedule_node_get_child_position;
        /// The instances that reach it.
        pub fn domain(keep self) -> USet = isl_schedule_node_get_domain;
        /// The schedule above it.
        pub fn prefix_schedule(keep self) -> Mupa = isl_schedule_node_get_prefix_schedule_multi_union_pw_aff;
        /// The schedule above it, as a map.
        pub fn prefix_schedule_map(keep self) -> UMap = isl_schedule_node_get_prefix_schedule_union_map;
        /// The schedule from it down.
        pub fn subtree_schedule_map(keep self) -> UMap = isl_schedule_node_get_subtree_schedule_union_map;
        /// A filter's instances.
        pub fn filter(keep self) -> USet = isl_schedule_node_filter_get_filter;
        /// A context's set.
        pub fn context(keep self) -> Set = isl_schedule_node_context_get_context;
        /// A guard's condition.
        pub fn guard(keep self) -> Set = isl_schedule_node_guard_get_guard;
        fn mark_id(keep self) -> Id = isl_schedule_node_mark_get_id;
        /// A band's members.
        pub fn band_len(keep self) -> usize = isl_schedule_node_band_n_member;
        /// The space of a band's partial schedule.
        pub fn band_space(keep self) -> Space = isl_schedule_node_band_get_space;
        /// A band's partial schedule.
        pub fn band_schedule(keep self) -> Mupa = isl_schedule_node_band_get_partial_schedule;
        /// Test that the members may be exchanged and tiled.
        pub fn band_is_permutable(keep self) -> bool = isl_schedule_node_band_get_permutable;
        /// Says whether the members may be exchanged and tiled.
        pub fn band_set_permutable(take self, permutable: val bool) -> ScheduleNode
            = isl_schedule_node_band_set_permutable;
        /// Test that a member carries no dependence: a parallel loop.
        pub fn band_is_coincident(keep self, pos: val usize) -> bool = isl_schedule_node_band_member_get_coincident;
        /// Says whether a member is parallel.
        pub fn band_set_coincident(take self, pos: val usize, coincident: val bool) -> ScheduleNode
            = isl_schedule_node_band_member_set_coincident;
        /// How the AST generator writes a member.
        pub fn band_set_loop_kind(take self, pos: val usize, kind: val LoopKind) -> ScheduleNode
            = isl_schedule_node_band_member_set_ast_loop_type;
        /// The AST generator's options of a band.
        pub fn band_set_ast_options(take self, options: take USet) -> ScheduleNode
            = isl_schedule_node_band_set_ast_build_options;
        /// Into the first `pos` members and the rest.
        pub fn band_split(take self, pos: val usize) -> ScheduleNode = isl_schedule_node_band_split;
        fn band_tile_multi_val(take self, sizes: take MultiVal) -> ScheduleNode = isl_schedule_node_band_tile;
        /// Moves the band to the leaves.
        pub fn band_sink(take self) -> ScheduleNode = isl_schedule_node_band_sink;
        /// Puts a band above this node.
        pub fn insert_partial_schedule(take self, schedule: take Mupa) -> ScheduleNode
            = isl_schedule_node_insert_partial_schedule;
        /// Puts a sequence of filters above this node.
        pub fn insert_sequence(take self, filters: list USet) -> ScheduleNode = isl_schedule_node_insert_sequence;
        /// Puts a filter above this node.
        pub fn insert_filter(take self, filter: take USet) -> ScheduleNode = isl_schedule_node_insert_filter;
        /// Puts a mark above this node.
        pub fn insert_mark(take self, name: id str) -> ScheduleNode = isl_schedule_node_insert_mark;
        /// Puts a context above this node.
        pub fn insert_context(take self, context: take Set) -> ScheduleNode = isl_schedule_node_insert_context;
        /// Puts a guard above this node.
        pub fn insert_guard(take self, context: take Set) -> ScheduleNode = isl_schedule_node_insert_guard;
        /// Takes this node out.
        pub fn delete(take self) -> ScheduleNode = isl_schedule_node_delete;
        /// Drops all below this node.
        pub fn cut(take self) -> ScheduleNode = isl_schedule_node_cut;
    }
}

impl ScheduleNode {
    /// The children, in order.
    pub fn children(&self) -> Result<Vec<ScheduleNode>> {
        (0..self.n_children()?).map(|i| self.child(i)).collect()
    }

    /// A mark's name.
    pub fn mark(&self) -> Result<String> {
        self.mark_id()?.text()
    }

    /// Splits a band into tile loops and, below, point loops, by one size a member.
    pub fn band_tile(&self, sizes: &[i64]) -> Result<ScheduleNode> {
        let ctx = self.ctx();
        let sizes = sizes.iter().map(|&size| Val::from_int(ctx, size)).collect::<Result<Vec<_>>>()?;
        self.band_tile_multi_val(&MultiVal::from_list(&self.band_space()?, &sizes)?)
    }
}
