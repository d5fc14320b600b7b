//! Opcodes: from `mad.wide.u32` to what it does. What is not known is `None`, and declined by name.
//!
//! Order of the parts is not checked, ptxas does that; what has a meaning here that would be lost is not taken.

use crate::ptx::op::{Function, Op, Part, Pure, Shuffle, Test, Update, Vote};
use crate::ptx::types::{Combine, Compare, Round, Scalar, Space};

/// Operation of an opcode, as far as it alone tells: branches and calls have their targets in operands.
pub fn decode(opcode: &str) -> Option<Op> {
    let (head, rest) = opcode.split_once('.').unwrap_or((opcode, ""));
    let parts: Vec<&str> = rest.split('.').filter(|part| !part.is_empty()).collect();
    match head {
        "ld" | "ldu" | "st" => memory(head == "st", &parts),
        "atom" | "red" => atomic(head == "atom", &parts),
        "setp" => set_predicate(&parts),
        "shfl" | "vote" | "match" | "redux" | "activemask" | "mma" => of_warp(head, &parts),
        "bar" | "barrier" | "cp" => of_block(head, &parts),
        "membar" | "fence" | "prefetch" | "prefetchu" | "nanosleep" | "griddepcontrol" => Some(Op::Nothing),
        "bra" => only(&parts, &["uni"]).then_some(Op::Branch(0)),
        "brx" => only(&parts, &["idx", "uni"]).then_some(Op::BranchTable(0)),
        "call" => only(&parts, &["uni"]).then_some(Op::Call(0)),
        "ret" => only(&parts, &["uni"]).then_some(Op::Return),
        "exit" => parts.is_empty().then_some(Op::Exit),
        "trap" | "brkpt" => parts.is_empty().then_some(Op::Trap),
        "cvta" | "isspacep" => address(head, &parts),
        _ => pure(head, &parts).map(Op::Pure),
    }
}

fn only(parts: &[&str], known: &[&str]) -> bool {
    parts.iter().all(|part| known.contains(part))
}

/// Test that a part says how memory is cached or ordered, which changes no address and no value here.
fn is_hint(part: &str) -> bool {
    const HINTS: [&str; 17] = [
        "weak", "relaxed", "acquire", "release", "acq_rel", "volatile", "mmio", "cta", "gpu", "sys", "nc", "ca", "cg",
        "cs", "lu", "cv", "wb",
    ];
    HINTS.contains(&part)
        || ["wt", "noftz"].contains(&part)
        || ((part.starts_with("L1::") || part.starts_with("L2::")) && part != "L2::cache_hint")
}

fn memory(stores: bool, parts: &[&str]) -> Option<Op> {
    let (mut space, mut ty, mut count) = (Space::Generic, None, 1);
    for &part in parts {
        match part {
            "v2" => count = 2,
            "v4" => count = 4,
            "v8" => count = 8,
            _ if is_hint(part) => {}
            _ => match (Space::named(part), Scalar::named(part)) {
                (Some(found), _) => space = found,
                (_, Some(found)) => ty = Some(found),
                _ => return None,
            },
        }
    }
    let ty = ty.filter(|&ty| ty != Scalar::Pred)?;
    Some(if stores { Op::Store { space, ty, count } } else { Op::Load { space, ty, count } })
}

fn atomic(returns: bool, parts: &[&str]) -> Option<Op> {
    let (mut space, mut ty, mut update) = (Space::Generic, None, None);
    for &part in parts {
        match (Update::named(part), Space::named(part), Scalar::named(part)) {
            (Some(found), ..) => update = Some(found),
            (_, Some(found), _) => space = found,
            (.., Some(found)) => ty = Some(found),
            _ if is_hint(part) => {}
            _ => return None,
        }
    }
    let (ty, update) = (ty?, update?);
    let has_width = ty.bits() >= 32 && (!ty.is_float() || update == Update::Add);
    has_width.then_some(Op::Atomic { space, ty, update, returns })
}

fn set_predicate(parts: &[&str]) -> Option<Op> {
    let compare = Compare::named(parts.first()?)?;
    let (mut combine, mut ty, mut ftz) = (None, None, false);
    for &part in &parts[1..] {
        match part {
            "and" => combine = Some(Combine::And),
            "or" => combine = Some(Combine::Or),
            "xor" => combine = Some(Combine::Xor),
            "ftz" => ftz = true,
            _ => ty = Some(Scalar::named(part)?),
        }
    }
    let ty = ty.filter(|&ty| ty != Scalar::F16 && ty != Scalar::Pred)?;
    Some(Op::SetPredicate { compare, combine, ty, ftz: ftz && ty == Scalar::F32 })
}

fn of_warp(head: &str, parts: &[&str]) -> Option<Op> {
    let parts: Vec<&str> = parts.iter().copied().filter(|&part| part != "sync" && part != "aligned").collect();
    Some(match (head, &parts[..]) {
        ("shfl", [mode, "b32"]) => Op::Shuffle(match *mode {
            "up" => Shuffle::Up,
            "down" => Shuffle::Down,
            "bfly" => Shuffle::Butterfly,
            "idx" => Shuffle::Index,
            _ => return None,
        }),
        ("vote", [mode, "pred" | "b32"]) => Op::Vote(match *mode {
            "all" => Vote::All,
            "any" => Vote::Any,
            "uni" => Vote::Uniform,
            "ballot" => Vote::Ballot,
            _ => return None,
        }),
        ("match", [mode @ ("any" | "all"), ty]) => Op::Match { all: *mode == "all", ty: Scalar::named(ty)? },
        ("redux", [update, ty]) => {
            let (update, ty) = (Update::named(update)?, Scalar::named(ty)?);
            let is_known = ty.bits() == 32 && !ty.is_float() && !matches!(update, Update::Exchange);
            return is_known.then_some(Op::Reduce { update, ty });
        }
        ("activemask", ["b32"]) => Op::ActiveMask,
        ("mma", [shape, "row", "col", "f64", "f64", "f64", "f64"]) => match *shape {
            "m8n8k4" => Op::Matrix { rows: 8, depth: 4 },
            "m16n8k4" => Op::Matrix { rows: 16, depth: 4 },
            "m16n8k8" => Op::Matrix { rows: 16, depth: 8 },
            "m16n8k16" => Op::Matrix { rows: 16, depth: 16 },
            _ => return None,
        },
        _ => return None,
    })
}

fn of_block(head: &str, parts: &[&str]) -> Option<Op> {
    let parts: Vec<&str> = parts.iter().copied().filter(|&part| part != "aligned" && part != "cta").collect();
    Some(match (head, &parts[..]) {
        ("bar" | "barrier", ["sync"]) => Op::Barrier,
        ("bar", ["warp", "sync"]) => Op::WarpBarrier,
        ("cp", ["async", "commit_group" | "wait_group" | "wait_all"]) => Op::Nothing,
        ("cp", ["async", "ca" | "cg", "shared" | "shared::cta", "global", hints @ ..])
            if hints.iter().all(|hint| is_hint(hint)) =>
        {
            Op::AsyncCopy { bytes: 0 }
        }
        _ => return None,
    })
}

fn address(head: &str, parts: &[&str]) -> Option<Op> {
    let function = match (head, parts) {
        ("cvta", ["to", space, "u64"]) => Function::FromGeneric(Space::named(space)?),
        ("cvta", [space, "u64"]) => Function::ToGeneric(Space::named(space)?),
        ("isspacep", [space]) => Function::IsIn(Space::named(space)?),
        _ => return None,
    };
    Some(Op::Pure(plain(function, Scalar::U64)))
}

/// A function of a type, without any of the modifiers.
fn plain(function: Function, ty: Scalar) -> Pure {
    Pure {
        function,
        ty,
        from: ty,
        round: Round::Nearest,
        to_integer: None,
        ftz: false,
        saturates: false,
        part: Part::Low,
        carry_in: false,
        carry_out: false,
    }
}

fn function(head: &str) -> Option<Function> {
    use Function::*;
    const NAMES: [(&str, Function); 49] = [
        ("mov", Move),
        ("cvt", Convert),
        ("add", Add),
        ("addc", Add),
        ("sub", Subtract),
        ("subc", Subtract),
        ("mul", Multiply),
        ("mul24", Multiply24),
        ("mad", MultiplyAdd),
        ("madc", MultiplyAdd),
        ("fma", MultiplyAdd),
        ("sad", AbsoluteDifference),
        ("div", Divide),
        ("rem", Remainder),
        ("abs", Absolute),
        ("neg", Negate),
        ("min", Minimum),
        ("max", Maximum),
        ("popc", Population),
        ("clz", LeadingZeros),
        ("bfind", FindBit),
        ("brev", Reverse),
        ("bfe", Extract),
        ("bfi", Insert),
        ("bmsk", BitMask { wraps: false }),
        ("szext", SignExtend { wraps: false }),
        ("and", And),
        ("or", Or),
        ("xor", Xor),
        ("not", Not),
        ("cnot", IsZero),
        ("lop3", Logic3),
        ("shl", ShiftLeft),
        ("shr", ShiftRight),
        ("shf", FunnelLeft { wraps: false }),
        ("prmt", Permute),
        ("set", Set(Compare::Eq)),
        ("selp", Select),
        ("slct", SelectBySign),
        ("rcp", Reciprocal),
        ("sqrt", SquareRoot),
        ("rsqrt", ReciprocalRoot),
        ("sin", Sine),
        ("cos", Cosine),
        ("lg2", Log2),
        ("ex2", Exp2),
        ("tanh", Tanh),
        ("copysign", CopySign),
        ("testp", Test(self::Test::Finite)),
    ];
    NAMES.iter().find(|(name, _)| *name == head).map(|&(_, function)| function)
}

fn pure(head: &str, parts: &[&str]) -> Option<Pure> {
    let mut p = plain(function(head)?, Scalar::B32);
    p.carry_in = matches!(head, "addc" | "subc" | "madc");
    let types: Vec<Scalar> = parts.iter().filter_map(|part| Scalar::named(part)).collect();
    (p.ty, p.from) = match types[..] {
        [ty] => (ty, ty),
        [ty, from] => (ty, from),
        _ => return None,
    };
    for &part in parts {
        match part {
            "rn" => p.round = Round::Nearest,
            "rz" => p.round = Round::Zero,
            "rm" => p.round = Round::Down,
            "rp" => p.round = Round::Up,
            "rni" => p.to_integer = Some(Round::Nearest),
            "rzi" => p.to_integer = Some(Round::Zero),
            "rmi" => p.to_integer = Some(Round::Down),
            "rpi" => p.to_integer = Some(Round::Up),
            "ftz" => p.ftz = true,
            "sat" => p.saturates = true,
            "lo" if matches!(p.function, Function::Set(_)) => p.function = Function::Set(Compare::Lt),
            "lo" => p.part = Part::Low,
            "hi" if matches!(p.function, Function::Set(_)) => p.function = Function::Set(Compare::Gt),
            "hi" => p.part = Part::High,
            "wide" => p.part = Part::Wide,
            "cc" => p.carry_out = true,
            "approx" | "full" => {}
            _ if Scalar::named(part).is_some() => {}
            _ => p.function = refined(p.function, part)?,
        }
    }
    is_known(&p, types.len()).then_some(p)
}

/// The function that a part of the opcode makes of it.
fn refined(function: Function, part: &str) -> Option<Function> {
    use Function::{BitMask, FindBit, FindShift, FunnelLeft, FunnelRight, Set, SignExtend};
    Some(match (function, part) {
        (FindBit, "shiftamt") => FindShift,
        (FunnelLeft { wraps }, "r") => FunnelRight { wraps },
        (FunnelLeft { wraps }, "l") => FunnelLeft { wraps },
        (FunnelLeft { .. }, "wrap") => FunnelLeft { wraps: true },
        (FunnelRight { .. }, "wrap") => FunnelRight { wraps: true },
        (BitMask { .. }, "wrap") => BitMask { wraps: true },
        (SignExtend { .. }, "wrap") => SignExtend { wraps: true },
        (FunnelLeft { .. } | FunnelRight { .. } | BitMask { .. } | SignExtend { .. }, "clamp") => function,
        (Set(_), _) => Set(Compare::named(part)?),
        (Function::Test(_), _) => Function::Test(match part {
            "finite" => Test::Finite,
            "infinite" => Test::Infinite,
            "number" => Test::Number,
            "notanumber" => Test::NotANumber,
            "normal" => Test::Normal,
            "subnormal" => Test::Subnormal,
            _ => return None,
        }),
        _ => return None,
    })
}

/// Test that the function is there for these types.
fn is_known(p: &Pure, types: usize) -> bool {
    use Function::{Convert, Move, Select, SelectBySign, Set};
    let has_two = matches!(p.function, Convert | Set(_) | SelectBySign);
    if has_two != (types == 2) {
        return false;
    }
    let is_half = p.ty == Scalar::F16 || p.from == Scalar::F16;
    let of_float = p.ty.is_float();
    let may_saturate = of_float || matches!(p.function, Function::Add | Function::Subtract | Convert);
    if p.saturates && !may_saturate {
        return false;
    }
    match p.function {
        Convert => p.ty != Scalar::Pred && p.from != Scalar::Pred,
        Move | Select => !(p.ty == Scalar::Pred && p.function == Select),
        _ if is_half => false,
        Function::And | Function::Or | Function::Xor | Function::Not => !of_float,
        _ if p.ty == Scalar::Pred || p.from == Scalar::Pred => false,
        Function::Sine | Function::Cosine | Function::Log2 | Function::Exp2 | Function::Tanh => p.ty == Scalar::F32,
        Function::Reciprocal | Function::SquareRoot | Function::ReciprocalRoot => of_float,
        Function::CopySign | Function::Test(_) => of_float,
        Function::Add | Function::Subtract | Function::Multiply | Function::MultiplyAdd | Function::Divide => {
            !of_float || (!p.carry_in && !p.carry_out)
        }
        Function::Absolute | Function::Negate | Function::Minimum | Function::Maximum => true,
        Set(_) | SelectBySign => true,
        _ => !of_float,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pure(opcode: &str) -> Pure {
        match decode(opcode) {
            Some(Op::Pure(pure)) => pure,
            other => panic!("{opcode}: {other:?}"),
        }
    }

    #[test]
    fn parts_of_an_opcode_are_read() {
        let wide = pure("mul.wide.s32");
        assert_eq!((wide.function, wide.ty, wide.part), (Function::Multiply, Scalar::S32, Part::Wide));
        let carry = pure("madc.hi.cc.u32");
        assert!(carry.carry_in && carry.carry_out && carry.part == Part::High);
        let convert = pure("cvt.rzi.ftz.s64.f32");
        assert_eq!((convert.ty, convert.from, convert.to_integer), (Scalar::S64, Scalar::F32, Some(Round::Zero)));
        assert_eq!(pure("set.lo.u32.u32").function, Function::Set(Compare::Lt));
        assert_eq!(pure("shf.r.wrap.b32").function, Function::FunnelRight { wraps: true });
        let load = Op::Load { space: Space::Global, ty: Scalar::U8, count: 4 };
        assert_eq!(decode("ld.volatile.global.L1::no_allocate.L2::128B.v4.u8"), Some(load));
        let atomic = Op::Atomic { space: Space::Generic, ty: Scalar::U32, update: Update::Add, returns: true };
        assert_eq!(decode("atom.add.release.gpu.u32"), Some(atomic));
        assert_eq!(decode("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64"), Some(Op::Matrix { rows: 16, depth: 4 }));
    }

    #[test]
    fn what_is_not_known_is_not_guessed() {
        for opcode in [
            "tex.2d.v4.f32.s32",
            "fma.rn.f16x2",
            "add.f16",
            "add",
            "add.f33",
            "ld.shared::cluster.u32",
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes",
            "atom.global.add.noftz.f16x2",
            "bar.red.popc.u32",
            "setp",
            "cvt.f32",
            "sin.approx.f64",
            "wgmma.fence.sync.aligned",
            "",
            "...",
        ] {
            assert_eq!(decode(opcode), None, "{opcode}");
        }
    }
}
