//! What holds of any text as C: the front end and the search for regions have an answer or a diagnostic, and every place in
//! it can be shown. For tests, and for `fuzz/fuzz_targets/front.rs`.

use rtcuda::ast::visit::Piece;
use rtcuda::ast::{build, print};
use rtcuda::config::Config;
use rtcuda::normalize::NormalForms;
use rtcuda::region::candidates::{self, Wanted};
use rtcuda::region::hints;
use rtcuda::region::names::RegionNames;
use rtcuda::source::Source;
use std::collections::BTreeSet;

/// Goes through the front end with a text.
pub fn answers(text: &str) {
    let Ok(source) = Source::from_text("t.c", text) else { return };
    let Ok(mut built) = build::build(&source) else { return };
    for f in &built.unit.functions {
        f.body.walk(&mut |piece| {
            if let Piece::Stmt(s) = piece {
                source.place(s.span);
                let _ = source.user_range(s.span, s.span);
            }
        });
    }
    print::unit(&built.unit);
    built.unit.add_counters();
    let Ok((hints, _)) = hints::read::read(&built.unit, &source, &Config::default()) else { return };
    let forms = NormalForms::new(&mut built.unit, None).expect("forms that keep their contract");
    let unused = BTreeSet::new();
    let wanted = Wanted { functions: &[], names: &[], taken: &RegionNames::default(), unused: &unused };
    candidates::find(&built.unit, &forms, &wanted, &hints);
}
