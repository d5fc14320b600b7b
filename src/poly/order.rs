//! Order of statements' instances in a part: which of two runs later.

use super::Failure;
use crate::isl::{Dim, Map, UMap};
use crate::region::{StaticPart, StmtId, Tree};

/// All pairs of an access in `from` and a later one of the same element in `to`.
pub fn in_order(part: &StaticPart, from: &UMap, to: &UMap) -> Result<Vec<Map>, Failure> {
    let mut out = vec![];
    for pairs in from.apply_range(&to.reverse()?)?.maps()? {
        out.push(later(part, &pairs)?);
    }
    Ok(out)
}

/// Those pairs of instances of which the part runs the second later.
pub fn later(part: &StaticPart, pairs: &Map) -> Result<Map, Failure> {
    let (src, dst) = ends(pairs)?;
    // Later is what a shared loop runs later, outermost first, or, at equal counters, what the text has later.
    let (mut later, mut equal) = (Map::empty(&pairs.space()?)?, pairs.clone());
    for (k, l) in part.stmt(src).loops[..n_shared(part, src, dst)].iter().enumerate() {
        let order = if part.get_loop(*l).step > 0 { Map::order_lt } else { Map::order_gt };
        later = later.union(&order(&equal, Dim::In, k, Dim::Out, k)?)?;
        equal = equal.equate(Dim::In, k, Dim::Out, k)?;
    }
    let mut text = part.tree.iter().flat_map(Tree::stmts).filter(|s| *s == src || *s == dst);
    if src != dst && text.next() == Some(src) {
        later = later.union(&equal)?;
    }
    Ok(later)
}

/// The statements at the two ends of a dependence.
pub fn ends(map: &Map) -> Result<(StmtId, StmtId), Failure> {
    let end =
        |dim| Ok::<_, Failure>(map.tuple_name(dim)?.as_deref().and_then(stmt_of).expect("statements are named S<n>"));
    Ok((end(Dim::In)?, end(Dim::Out)?))
}

/// Number of enclosing loops that two statements share.
pub fn n_shared(part: &StaticPart, a: StmtId, b: StmtId) -> usize {
    part.stmt(a).loops.iter().zip(&part.stmt(b).loops).take_while(|(x, y)| x == y).count()
}

/// The statement of which a tuple has the instances: `S3`.
pub fn stmt_of(tuple: &str) -> Option<StmtId> {
    tuple.strip_prefix('S')?.parse().ok().map(StmtId)
}
