//! Arbitrary text through the front end and the search for regions: it gives an answer or a diagnostic, never a panic or a hang.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rtcuda::ast::visit::Piece;
use rtcuda::ast::{build, print};
use rtcuda::config::Config;
use rtcuda::region::candidates::{self, Wanted};
use rtcuda::region::hints;
use rtcuda::source::Source;

fuzz_target!(|text: &str| {
    let Ok(source) = Source::from_text("t.c", text) else { return };
    let Ok(built) = build::build(&source) else { return };
    for f in &built.unit.functions {
        f.body.walk(&mut |piece| {
            if let Piece::Stmt(s) = piece {
                source.place(s.span);
                let _ = source.user_range(s.span, s.span);
            }
        });
    }
    print::unit(&built.unit);
    let Ok((hints, _)) = hints::read(&built.unit, &source, &Config::default()) else { return };
    let wanted = Wanted { functions: &[], names: &[], taken: &[] };
    candidates::find(&built.unit, &wanted, &hints);
});
