//! The text of a mapping, as it is printed and read.

use super::{Axis, Copies, Divided, Fetch, Lanes, Mapping, Pieces, Place, Row, Run, Staged, Variant, When};
use crate::config::Calls;
use crate::kernel::mma::MmaShape;
use std::fmt::{self, Display, Formatter};

impl Display for When {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match self {
            When::Idle => f.write_str("idle"),
            When::Short { iterations: None, elements } => write!(f, "short: elements {elements}"),
            When::Short { iterations: Some(n), elements } => write!(f, "short: elements {elements}, iterations {n}"),
            When::Long { iterations, elements } => write!(f, "long: elements {elements}, iterations {iterations}"),
            When::Waiting { elements } => write!(f, "waiting: elements below {elements}"),
            When::Blockwise { iterations, elements } => {
                write!(f, "blockwise: elements below {elements}, iterations {iterations}")
            }
            When::Narrow { lanes, iterations, elements } => {
                write!(f, "narrow: lanes {lanes}, elements {elements} an iteration, iterations {iterations}")
            }
        }
    }
}

impl Display for Axis {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "axis {}: ", self.name)?;
        let (merge, skew) = match self.place {
            Place::Grid { dimension, threads, merge, skew } => {
                write!(f, "grid {dimension}, threads {threads}")?;
                (merge, skew)
            }
            Place::Collapsed { dimension, rank } => {
                write!(f, "grid {dimension}, collapsed {rank}")?;
                (None, None)
            }
            Place::Flat { threads, merge, skew } => {
                write!(f, "flat, threads {threads}")?;
                (merge, skew)
            }
            Place::Thread => {
                write!(f, "thread")?;
                (None, None)
            }
        };
        merge.iter().try_for_each(|n| write!(f, ", merge {n}"))?;
        skew.iter().try_for_each(|n| write!(f, ", skew {n}"))
    }
}

impl Display for Staged {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let along = if self.along.is_empty() { "nothing".into() } else { self.along.join(" and ") };
        write!(f, "stage {} along {along}", self.value)
    }
}

impl Display for Mapping {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        writeln!(f, "{}", self.strategy)?;
        self.axes.iter().try_for_each(|x| writeln!(f, "  {x}"))?;
        self.larger.iter().try_for_each(|x| writeln!(f, "  larger {x}"))?;
        self.smaller.iter().try_for_each(|x| writeln!(f, "  smaller {x}"))?;
        if let Some(Lanes { threads, dimension, loops }) = &self.lanes {
            writeln!(f, "  lanes {}: dimension {dimension}, threads {threads}", loops.join(" and "))?;
        }
        if let Some(Divided { elements, lanes, dimension, blocks, iterations }) = &self.divided {
            let block = format!("elements {elements}, lanes {lanes} in dimension {dimension}");
            writeln!(f, "  where few: {block}, iterations {iterations}, blocks {blocks}")?;
        }
        for Copies { arrays, most, cells } in &self.copies {
            writeln!(f, "  copies {most} of {} in shared memory, cells {cells}", arrays.join(" and "))?;
        }
        self.staged.iter().try_for_each(|x| writeln!(f, "  {x}"))?;
        for Pieces { name, run, fetch, mma, staged } in &self.loops {
            match run {
                Run::Pieces(n) => {
                    write!(f, "  loop {name}: pieces of {n}{fetch}")?;
                    mma.iter().try_for_each(|shape| write!(f, ", mma {shape}"))?;
                    writeln!(f)?;
                }
                Run::Window(n) => writeln!(f, "  loop {name}: window of {n}")?,
                Run::Through => writeln!(f, "  loop {name}: around the points")?,
                Run::Steps => writeln!(f, "  loop {name}: steps of the block")?,
            }
            staged.iter().try_for_each(|x| writeln!(f, "    {x}"))?;
        }
        if let Some(n) = self.unroll {
            writeln!(f, "  unroll {n}")?;
        }
        if let Some(n) = self.resident {
            writeln!(f, "  resident {n}")?;
        }
        if self.aligned {
            writeln!(f, "  grid aligned")?;
        }
        self.notes.iter().try_for_each(|note| writeln!(f, "  note {note}"))?;
        let rows = self.rows.iter().map(|x| (format!("at {}", x.calls), &x.mapping));
        let variants = self.variants.iter().map(|x| (format!("where {}", x.when), &x.mapping));
        for (head, mapping) in rows.chain(variants) {
            writeln!(f, "  {head}")?;
            mapping.to_string().lines().try_for_each(|line| writeln!(f, "    {line}"))?;
        }
        Ok(())
    }
}

impl Display for Fetch {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match self {
            Fetch::None => Ok(()),
            Fetch::Registers => f.write_str(", fetch registers"),
            Fetch::Async(stages) => write!(f, ", fetch async {stages}"),
        }
    }
}

impl Mapping {
    /// Reads the text of a mapping; `strategies` are the names that there are.
    ///
    /// # Errors
    /// The line that is none of a mapping.
    pub fn parse(text: &str, strategies: &[&'static str]) -> Result<Mapping, String> {
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        Mapping::of_lines(&lines, strategies)
    }

    fn of_lines(lines: &[&str], strategies: &[&'static str]) -> Result<Mapping, String> {
        let (first, mut rest) = lines.split_first().map_or(("", lines), |(first, rest)| (first.trim(), rest));
        let strategy = strategies.iter().find(|s| **s == first).ok_or_else(|| format!("`{first}` is no strategy"))?;
        let mut mapping = Mapping::of(strategy);
        while let Some((line, behind)) = rest.split_first() {
            // Lines further in, behind that of another mapping, belong to that one.
            let n = behind.iter().position(|next| indent(next) <= indent(line)).unwrap_or(behind.len());
            let (within, behind) = behind.split_at(n);
            let line = line.trim();
            if let Some(when) = line.strip_prefix("where ").and_then(parse_when) {
                mapping.variants.push(Variant { when, mapping: Mapping::of_lines(within, strategies)? });
                rest = behind;
            } else if let Some(calls) = line.strip_prefix("at ").and_then(Calls::parse) {
                mapping.rows.push(Row { calls, mapping: Mapping::of_lines(within, strategies)? });
                rest = behind;
            } else {
                mapping.line(line).ok_or_else(|| format!("`{line}` is no line of a mapping"))?;
                rest = &rest[1..];
            }
        }
        Ok(mapping)
    }

    fn line(&mut self, line: &str) -> Option<()> {
        let (word, rest) = line.split_once(' ')?;
        match word {
            "axis" => self.axes.push(parse_axis(rest)?),
            "larger" => self.larger.push(parse_axis(rest.strip_prefix("axis ")?)?),
            "smaller" => self.smaller.push(parse_axis(rest.strip_prefix("axis ")?)?),
            "lanes" => {
                let (names, sizes) = rest.split_once(": ")?;
                let (dimension, threads) = sizes.strip_prefix("dimension ")?.split_once(", threads ")?;
                let loops = names_of(names);
                self.lanes = Some(Lanes { threads: threads.parse().ok()?, dimension: dimension.parse().ok()?, loops });
            }
            "where" => {
                let mut sizes = [0; 5];
                let words = ["few: elements ", ", lanes ", " in dimension ", ", iterations ", ", blocks "];
                let mut left = rest;
                for k in 0..5 {
                    left = left.strip_prefix(words[k])?;
                    let end = words.get(k + 1).map_or(Some(left.len()), |next| left.find(next))?;
                    sizes[k] = left[..end].parse().ok()?;
                    left = &left[end..];
                }
                let [elements, lanes, dimension, iterations, blocks] = sizes;
                let dimension = usize::try_from(dimension).ok()?;
                self.divided = Some(Divided { elements, lanes, dimension, blocks, iterations });
            }
            "copies" => {
                let (most, rest) = rest.split_once(" of ")?;
                let (names, cells) = rest.split_once(" in shared memory, cells ")?;
                let (most, cells) = (most.parse().ok()?, cells.parse().ok()?);
                self.copies.push(Copies { arrays: names_of(names), most, cells });
            }
            "loop" => {
                let (name, run) = rest.split_once(": ")?;
                let (run, fetch, mma) = match run {
                    "steps of the block" => (Run::Steps, Fetch::None, None),
                    "around the points" => (Run::Through, Fetch::None, None),
                    run => match run.strip_prefix("window of ") {
                        Some(n) => (Run::Window(n.parse().ok()?), Fetch::None, None),
                        None => parse_pieces(run.strip_prefix("pieces of ")?)?,
                    },
                };
                self.loops.push(Pieces { name: name.into(), run, fetch, mma, staged: vec![] });
            }
            "stage" => {
                let (value, along) = rest.rsplit_once(" along ")?;
                let along = if along == "nothing" { vec![] } else { names_of(along) };
                let staged = Staged { value: value.into(), along };
                self.loops.last_mut().map_or(&mut self.staged, |x| &mut x.staged).push(staged);
            }
            "unroll" => self.unroll = Some(rest.parse().ok()?),
            "resident" => self.resident = Some(rest.parse().ok()?),
            "grid" => self.aligned = rest == "aligned",
            "note" => self.notes.push(rest.into()),
            _ => return None,
        }
        Some(())
    }
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn names_of(text: &str) -> Vec<String> {
    text.split(" and ").map(str::to_owned).collect()
}

fn parse_when(text: &str) -> Option<When> {
    if text == "idle" {
        return Some(When::Idle);
    }
    if let Some(sizes) = text.strip_prefix("long: elements ") {
        let (elements, iterations) = sizes.split_once(", iterations ")?;
        return Some(When::Long { iterations: iterations.parse().ok()?, elements: elements.parse().ok()? });
    }
    if let Some(elements) = text.strip_prefix("waiting: elements below ") {
        return Some(When::Waiting { elements: elements.parse().ok()? });
    }
    if let Some(sizes) = text.strip_prefix("blockwise: elements below ") {
        let (elements, iterations) = sizes.split_once(", iterations ")?;
        return Some(When::Blockwise { iterations: iterations.parse().ok()?, elements: elements.parse().ok()? });
    }
    if let Some(sizes) = text.strip_prefix("narrow: lanes ") {
        let (lanes, sizes) = sizes.split_once(", elements ")?;
        let (elements, iterations) = sizes.split_once(" an iteration, iterations ")?;
        let number = |text: &str| text.parse().ok();
        return Some(When::Narrow {
            lanes: number(lanes)?,
            iterations: number(iterations)?,
            elements: number(elements)?,
        });
    }
    let sizes = text.strip_prefix("short: elements ")?;
    let (elements, iterations) = sizes.split_once(", iterations ").map_or((sizes, None), |(n, most)| (n, Some(most)));
    let iterations = iterations.map(str::parse).transpose().ok()?;
    Some(When::Short { iterations, elements: elements.parse().ok()? })
}

fn parse_axis(text: &str) -> Option<Axis> {
    let (name, place) = text.split_once(": ")?;
    Some(Axis { name: name.into(), place: parse_place(place)? })
}

fn parse_pieces(text: &str) -> Option<(Run, Fetch, Option<MmaShape>)> {
    let (text, mma) = match text.split_once(", mma ") {
        Some((text, shape)) => (text, Some(MmaShape::parse(shape)?)),
        None => (text, None),
    };
    let (depth, fetch) = text.split_once(", fetch ").map_or((text, None), |(depth, fetch)| (depth, Some(fetch)));
    let fetch = match fetch {
        None => Fetch::None,
        Some("registers") => Fetch::Registers,
        Some(fetch) => Fetch::Async(fetch.strip_prefix("async ")?.parse().ok()?),
    };
    Some((Run::Pieces(depth.parse().ok()?), fetch, mma))
}

fn parse_place(text: &str) -> Option<Place> {
    let mut words = text.split(", ");
    let first = words.next()?;
    let mut sizes = [None; 4];
    for word in words {
        let (name, n) = word.split_once(' ')?;
        let at = ["threads", "merge", "skew", "collapsed"].iter().position(|known| *known == name)?;
        sizes[at] = Some(n.parse().ok()?);
    }
    let [threads, merge, skew, rank] = sizes;
    match first.split_once(' ') {
        Some(("grid", d)) if let Some(rank) = rank => {
            Some(Place::Collapsed { dimension: d.parse().ok()?, rank: usize::try_from(rank).ok()? })
        }
        Some(("grid", d)) => Some(Place::Grid { dimension: d.parse().ok()?, threads: threads?, merge, skew }),
        None if first == "flat" => Some(Place::Flat { threads: threads?, merge, skew }),
        None if first == "thread" => Some(Place::Thread),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn place() -> impl Strategy<Value = Place> {
        let points = || proptest::option::of(1..9i64);
        prop_oneof![
            (0..3usize, 1..64i64, points(), points()).prop_map(|(dimension, threads, merge, skew)| Place::Grid {
                dimension,
                threads,
                merge,
                skew
            }),
            (0..3usize, 1..4usize).prop_map(|(dimension, rank)| Place::Collapsed { dimension, rank }),
            (1..64i64, points(), points()).prop_map(|(threads, merge, skew)| Place::Flat { threads, merge, skew }),
            Just(Place::Thread),
        ]
    }

    fn axis((name, place): (String, Place)) -> Axis {
        Axis { name, place }
    }

    fn fetch() -> impl Strategy<Value = Fetch> {
        prop_oneof![Just(Fetch::None), Just(Fetch::Registers), (2..9i64).prop_map(Fetch::Async)]
    }

    fn run() -> impl Strategy<Value = (Run, Fetch, Option<MmaShape>)> {
        prop_oneof![
            Just((Run::Steps, Fetch::None, None)),
            Just((Run::Through, Fetch::None, None)),
            (4..64i64, fetch(), proptest::option::of(Just(MmaShape::F64))).prop_map(|(n, fetch, mma)| (
                Run::Pieces(n),
                fetch,
                mma
            )),
            (4..64i64).prop_map(|n| (Run::Window(n), Fetch::None, None)),
        ]
    }

    fn variant() -> impl Strategy<Value = Variant> {
        let when = prop_oneof![
            Just(When::Idle),
            (proptest::option::of(1..64i64), 1..64i64)
                .prop_map(|(iterations, elements)| When::Short { iterations, elements }),
            (1..64i64, 1..64i64).prop_map(|(iterations, elements)| When::Long { iterations, elements }),
            (1..64i64).prop_map(|elements| When::Waiting { elements }),
            (1..64i64, 1..64i64).prop_map(|(iterations, elements)| When::Blockwise { iterations, elements }),
            (1..64i64, 1..64i64, 1..64i64).prop_map(|(lanes, iterations, elements)| When::Narrow {
                lanes,
                iterations,
                elements
            }),
        ];
        (when, proptest::collection::vec(("[a-z]{1,3}", place()), 0..4)).prop_map(|(when, axes)| {
            let axes = axes.into_iter().map(axis).collect();
            Variant { when, mapping: Mapping { axes, ..Mapping::of("product") } }
        })
    }

    fn row() -> impl Strategy<Value = Row> {
        let bounds = || proptest::collection::hash_map("[a-z]{1,3}", 0..9i64, 1..3);
        (bounds(), bounds(), variant()).prop_map(|(least, most, variant)| {
            let calls = Calls { least: least.into_iter().collect(), most: most.into_iter().collect() };
            let mapping = Mapping { variants: vec![variant], ..Mapping::of("product") };
            Row { calls, mapping }
        })
    }

    prop_compose! {
        fn copies()(
            arrays in proptest::collection::vec("[a-z]", 1..3),
            most in 1..64i64,
            cells in 1..64i64,
        ) -> Copies {
            Copies { arrays, most, cells }
        }
    }

    prop_compose! {
        fn mapping()(
            axes in proptest::collection::vec(("[a-z]{1,3}", place()), 0..4),
            larger in proptest::collection::vec(("[a-z]{1,3}", place()), 0..4),
            smaller in proptest::collection::vec(("[a-z]{1,3}", place()), 0..4),
            lanes in proptest::option::of((1..64i64, 0..2usize, proptest::collection::vec("[a-z]", 1..3))),
            divided in proptest::option::of((1..64i64, 1..64i64, 0..2usize, 1..64i64, 1..64i64)),
            copies in proptest::collection::vec(copies(), 0..3),
            staged in proptest::collection::vec("[a-z]", 0..3),
            loops in proptest::collection::vec(("[a-z]", run(), proptest::collection::vec("[a-z]", 0..3)), 0..3),
            unroll in proptest::option::of(2..32i64),
            resident in proptest::option::of(1..16i64),
            aligned in any::<bool>(),
            notes in proptest::collection::vec("[a-z]{1,9}", 0..2),
            variants in proptest::collection::vec(variant(), 0..2),
            rows in proptest::collection::vec(row(), 0..2),
        ) -> Mapping {
            Mapping {
                strategy: "product",
                axes: axes.into_iter().map(axis).collect(),
                larger: larger.into_iter().map(axis).collect(),
                smaller: smaller.into_iter().map(axis).collect(),
                lanes: lanes.map(|(threads, dimension, loops)| Lanes { threads, dimension, loops }),
                divided: divided.map(|(elements, lanes, dimension, blocks, iterations)| {
                    Divided { elements, lanes, dimension, blocks, iterations }
                }),
                copies,
                staged: staged.into_iter().map(|x| Staged { value: format!("a[{x}]"), along: vec![x] }).collect(),
                loops: loops.into_iter().map(|(name, (run, fetch, mma), along)| {
                    let staged = vec![Staged { value: format!("a[{name}] * 2.0"), along }];
                    Pieces { name, run, fetch, mma, staged }
                }).collect(),
                unroll,
                resident,
                aligned,
                notes,
                variants,
                rows,
            }
        }
    }

    proptest! {
        #[test]
        fn what_is_printed_reads_back(mapping in mapping()) {
            prop_assert_eq!(Mapping::parse(&mapping.to_string(), &["product"]), Ok(mapping));
        }
    }

    #[test]
    fn what_is_no_mapping_is_told() {
        let parse = |text| Mapping::parse(text, &["pointwise"]);
        assert_eq!(parse("other"), Err("`other` is no strategy".into()));
        assert_eq!(parse("pointwise\n  axis i: sideways"), Err("`axis i: sideways` is no line of a mapping".into()));
        assert_eq!(parse("pointwise\n  stage a of i"), Err("`stage a of i` is no line of a mapping".into()));
    }
}
