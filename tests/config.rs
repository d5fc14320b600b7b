//! The configuration: what a file gives, and what each kind of fault says, as a user reads it.

use expect_test::{Expect, expect};
use proptest::prelude::*;
use rtcuda::config::{
    Arch, Backend, Config, Defaults, Library, MinWork, Optimization, Schedule, Selector, ShortColumns, Size, Strategy,
    Sync, TooLarge,
};
use rtcuda::diag::render::{Style, text};
use std::time::Duration;

fn check(toml: &str, expected: Expect) {
    let faults = Config::parse("c.toml", toml).expect_err("the text has faults");
    let rendered: Vec<String> = faults.iter().map(|fault| text(fault, Style::Plain)).collect();
    expected.assert_eq(&rendered.join("\n"));
}

const EVERY_KEY: &str = r#"
[input]
files = ["solvers/jacobi.c"]
cflags = ["-DN=4096"]
args = ["-v", "two words"]
stdin = "start.txt"
[target]
arch = "sm_90"
backend = "cpu"
fmad = false
[defaults]
optimize = ["collapse", "fuse"]
schedule = "min-fusion"
library = "never"
sync = "lock-free"
min-work = 500
too-large = "original"
check-every = 8
short-columns = "never"
interruptible = true
[[region]]
function = "jacobi"
block = [128, 1024]
merge = 4
skew = [1, 8]
sync = "graph"
min-work = 0
too-large = "error"
check-every = 1
short-columns = "always"
interruptible = false
shape = { x = ["n"], a = ["n", "2 * n"] }
[[region]]
name = "jacobi_1"
[tune]
strategy = "anneal"
budget = "1.5min"
cache = "t.json"
"#;

#[test]
fn every_key() {
    let config = Config::parse("c.toml", EVERY_KEY).unwrap();
    assert_eq!(config.input.files, ["solvers/jacobi.c"].map(std::path::PathBuf::from));
    assert_eq!(config.input.cflags, ["-DN=4096"]);
    assert_eq!(config.input.given.args, ["-v", "two words"]);
    assert_eq!(config.input.given.stdin.as_deref(), Some(std::path::Path::new("start.txt")));
    assert_eq!((config.target.arch, config.target.backend, config.target.fmad), (Arch::Sm(90), Backend::Cpu, false));
    assert_eq!(config.defaults.optimize, [Optimization::Collapse, Optimization::Fuse]);
    assert_eq!((config.defaults.schedule, config.defaults.library), (Schedule::MinFusion, Library::Never));
    let region = config.region("jacobi", "jacobi_0").unwrap();
    assert_eq!((region.sizes.block, region.sizes.merge), (Some(Size::Range(128, 1024)), Some(Size::Fixed(4))));
    assert_eq!((region.settings.sync, region.settings.library), (Sync::Graph, Library::Never));
    let min_work = [config.defaults.min_work, region.settings.min_work, Defaults::default().min_work];
    assert_eq!(min_work, [MinWork::Instances(500), MinWork::Instances(0), MinWork::Auto]);
    assert_eq!((config.defaults.check_every, region.settings.check_every), (8, 1));
    let columns = (config.defaults.short_columns, region.settings.short_columns);
    assert_eq!(columns, (ShortColumns::Never, ShortColumns::Always));
    assert_eq!((config.defaults.interruptible, region.settings.interruptible), (true, false));
    let too_large = (config.defaults.too_large, region.settings.too_large);
    assert_eq!(too_large, (TooLarge::Original, TooLarge::Error));
    let shapes: Vec<_> = region.shape.iter().map(|(array, shape)| (array.as_str(), shape.extents.join(","))).collect();
    assert_eq!(shapes, [("x", "n".to_owned()), ("a", "n,2 * n".to_owned())]);
    assert_eq!((region.place.line, region.place.column), (22, 12));
    let named = config.region("jacobi", "jacobi_1").unwrap();
    assert_eq!((&named.selector, named.settings.sync), (&Selector::Name("jacobi_1".into()), Sync::LockFree));
    assert!(config.region("main", "main_0").is_none());
    assert_eq!((config.tune.strategy, config.tune.budget), (Strategy::Anneal, Duration::from_secs(90)));
}

#[test]
fn an_empty_file_is_the_default() {
    assert_eq!(Config::parse("c.toml", "").unwrap(), Config::default());
    assert_eq!(Config::default().defaults.optimize.len(), 8);
}

#[test]
fn paths_are_relative_to_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.toml");
    std::fs::write(&path, "[input]\nfiles = [\"../mm.c\", \"/abs.c\"]\n").unwrap();
    let config = Config::load(&path).unwrap();
    assert_eq!(config.input.files, [folder.path().join("../mm.c"), "/abs.c".into()]);
    let missing = Config::load(&folder.path().join("no.toml")).unwrap_err();
    assert_eq!(missing[0].code, "config-unreadable");
}

#[test]
fn unknown_keys() {
    check(
        "[target]\nbackand = \"cpu\"\n\n[defualts]\n[[region]]\nfunction = \"f\"\nthreads = 128\n",
        expect![[r#"
            error[unknown-key]: [target] has no key `backand`
             --> c.toml:2:1
              |
            2 | backand = "cpu"
              | ^^^^^^^
              |
              = help: did you mean `backend`?

            error[unknown-key]: the file has no key `defualts`
             --> c.toml:4:2
              |
            4 | [defualts]
              |  ^^^^^^^^
              |
              = help: did you mean `defaults`?

            error[unknown-key]: [[region]] has no key `threads`
             --> c.toml:7:1
              |
            7 | threads = 128
              | ^^^^^^^
              |
              = help: the keys of [[region]] are `function`, `name`, `optimize`, `schedule`, `library`, `sync`, `min-work`, `too-large`, `stay-on-device`, `check-every`, `interruptible`, `on-chip`, `short-columns`, `block`, `merge`, `skew`, `prefetch`, `shape`
        "#]],
    );
}

#[test]
fn wrong_types() {
    check(
        "input = 3\n[target]\nfmad = \"yes\"\narch = 90\n[defaults]\noptimize = \"fuse\"\n\
         [[region]]\nfunction = \"f\"\nblock = 1.5\nshape = { a = \"n\", b = [100] }\n[tune]\nbudget = 60\n",
        expect![[r#"
            error[wrong-type]: `input` is an integer, and takes a table
             --> c.toml:1:9
              |
            1 | input = 3
              |         ^

            error[wrong-type]: `fmad` is a string, and takes `true` or `false`
             --> c.toml:3:8
              |
            3 | fmad = "yes"
              |        ^^^^^

            error[wrong-type]: `arch` is an integer, and takes a string such as "sm_90", or "native"
             --> c.toml:4:8
              |
            4 | arch = 90
              |        ^^

            error[wrong-type]: `optimize` is a string, and takes an array of strings
             --> c.toml:6:12
              |
            6 | optimize = "fuse"
              |            ^^^^^^

            error[wrong-type]: `block` is a float, and takes an integer
             --> c.toml:9:9
              |
            9 | block = 1.5
              |         ^^^

            error[wrong-type]: `a` is a string, and takes an array of strings
              --> c.toml:10:15
               |
            10 | shape = { a = "n", b = [100] }
               |               ^^^

            error[wrong-type]: `b` is an integer, and takes a C expression in quotes
              --> c.toml:10:25
               |
            10 | shape = { a = "n", b = [100] }
               |                         ^^^

            error[wrong-type]: `budget` is an integer, and takes a time such as "60s"
              --> c.toml:12:10
               |
            12 | budget = 60
               |          ^^
        "#]],
    );
    check(
        "[region]\nfunction = \"f\"\n",
        expect![[r#"
        error[wrong-type]: `region` is a table, and takes an array of tables: write it as [[region]]
         --> c.toml:1:1
          |
        1 | [region]
          | ^^^^^^^^
    "#]],
    );
}

#[test]
fn impossible_values() {
    check(
        "[input]\nfiles = [\"\"]\n[target]\narch = \"sm_91\"\nbackend = \"gpu\"\n[defaults]\nschedule = \"max-band\"\n\
         optimize = [\"fuse\", \"prefech\"]\n[tune]\nbudget = \"60 sec\"\n",
        expect![[r#"
            error[impossible-value]: `files`: an empty string
             --> c.toml:2:10
              |
            2 | files = [""]
              |          ^^
              |
              = help: it takes the path of a C file

            error[impossible-value]: `arch`: "sm_91" is no architecture that this tool describes
             --> c.toml:4:8
              |
            4 | arch = "sm_91"
              |        ^^^^^^^
              |
              = help: it is one of `native`, `sm_70`, `sm_75`, `sm_80`, `sm_86`, `sm_89`, `sm_90`, `sm_100`, `sm_120`

            error[impossible-value]: `backend`: "gpu" is not one of its values
             --> c.toml:5:11
              |
            5 | backend = "gpu"
              |           ^^^^^
              |
              = help: it is one of `auto`, `cuda`, `cpu`

            error[impossible-value]: `schedule`: "max-band" is not one of its values
             --> c.toml:7:12
              |
            7 | schedule = "max-band"
              |            ^^^^^^^^^^
              |
              = help: did you mean "max-bands"?

            error[impossible-value]: `optimize`: "prefech" is not one of its values
             --> c.toml:8:21
              |
            8 | optimize = ["fuse", "prefech"]
              |                     ^^^^^^^^^
              |
              = help: did you mean "prefetch"?

            error[impossible-value]: `budget`: "60 sec" is not a time
              --> c.toml:10:10
               |
            10 | budget = "60 sec"
               |          ^^^^^^^^
               |
               = help: write a number and a unit, up to a week: "500ms", "60s", "10min", "1h"
        "#]],
    );
}

#[test]
fn impossible_sizes() {
    check(
        "[[region]]\nfunction = \"f\"\nblock = 0\nmerge = [0, 4]\nskew = [8, 1]\n\
         [[region]]\nfunction = \"g\"\nblock = 2048\nmerge = [1, 2, 3]\nskew = -1\nshape = { a = [] }\n\
         [[region]]\nfunction = \"h\"\nblock = 99_999_999_999_999_999_999\n",
        expect![[r#"
            error[impossible-value]: `block`: 0 is not between 1 and 1024
             --> c.toml:3:9
              |
            3 | block = 0
              |         ^

            error[impossible-value]: `merge`: 0 is not between 1 and 64
             --> c.toml:4:10
              |
            4 | merge = [0, 4]
              |          ^

            error[impossible-value]: `skew`: the range from 8 to 1 is empty
             --> c.toml:5:8
              |
            5 | skew = [8, 1]
              |        ^^^^^^
              |
              = help: write `skew = [1, 8]`

            error[impossible-value]: `block`: 2048 is not between 1 and 1024
             --> c.toml:8:9
              |
            8 | block = 2048
              |         ^^^^

            error[impossible-value]: `merge`: a range has two ends, this has 3
             --> c.toml:9:9
              |
            9 | merge = [1, 2, 3]
              |         ^^^^^^^^^
              |
              = help: write one number, or `merge = [first, last]`

            error[impossible-value]: `skew`: -1 is not between 1 and 64
              --> c.toml:10:8
               |
            10 | skew = -1
               |        ^^

            error[impossible-value]: `a`: no extents
              --> c.toml:11:15
               |
            11 | shape = { a = [] }
               |               ^^
               |
               = help: name one for each subscript, outermost first

            error[impossible-value]: `block`: 99999999999999999999 is not between 1 and 1024
              --> c.toml:14:9
               |
            14 | block = 99_999_999_999_999_999_999
               |         ^^^^^^^^^^^^^^^^^^^^^^^^^^
        "#]],
    );
}

#[test]
fn regions_that_name_nothing_or_too_much() {
    check(
        "[[region]]\nblock = 128\n[[region]]\nfunction = \"f\"\nname = \"g\"\n[[region]]\nname = \"2f\"\n\
         [[region]]\nname = \"f\"\n[[region]]\nname = \"f\"\n",
        expect![[r#"
            error[no-selector]: a [[region]] of nothing
             --> c.toml:1:1
              |
            1 | [[region]]
              | ^^^^^^^^^^
              |
              = help: say which: `function = "…"` for all regions of a function, `name = "…"` for one

            error[impossible-value]: `name`: given beside `function`
             --> c.toml:5:8
              |
            5 | name = "g"
              |        ^^^
              |
              = help: keep one of the two

            error[impossible-value]: `name`: "2f" is not a C identifier
             --> c.toml:7:8
              |
            7 | name = "2f"
              |        ^^^^

            error[duplicate-region]: a second [[region]] for the same region
              --> c.toml:10:1
               |
            10 | [[region]]
               | ^^^^^^^^^^
               |
               = help: the first is on line 9: put both into one
        "#]],
    );
}

#[test]
fn rows_of_kernels_are_read() {
    let text = "[kernels.k]\nBLOCK_0 = 8\n[[kernels.k.at]]\nmost = { n = 4096 }\nstrategy = \"rows\"\nSKEW_0 = 2\n\
                [[kernels.k.at]]\nleast = { m = 3 }\nmost = { n = 9000000000 }\n";
    let kernel = &Config::parse("c.toml", text).unwrap().kernels["k"];
    let rows: Vec<(String, Option<&str>, usize)> = kernel
        .at
        .iter()
        .map(|row| (row.calls.to_string(), row.settings.strategy.as_deref(), row.settings.sizes.len()))
        .collect();
    assert_eq!(rows, [("n <= 4096".into(), Some("rows"), 1), ("m >= 3 and n <= 9000000000".into(), None, 0)]);
    assert_eq!((kernel.sizes["BLOCK_0"], kernel.sizes.len()), (8, 1));
}

#[test]
fn rows_of_kernels_that_cannot_be() {
    check(
        r#"[kernels.one]
at = 3
[[kernels.k.at]]
BLOCK_0 = 8
[[kernels.k.at]]
least = { n = 9 }
most = { n = 8, m = -1 }
[[kernels.k.at]]
most = { n = 4096 }
at = [{ most = { n = 3 } }]
[[kernels.k.at]]
most = { n = 1024, m = 7 }
mots = { n = 3 }
BLOCK_0 = 99999
"#,
        expect![[r#"
            error[wrong-type]: `at` is an integer, and takes an array of tables, `[[kernels.NAME.at]]`
             --> c.toml:2:6
              |
            2 | at = 3
              |      ^

            error[impossible-value]: [[kernels.NAME.at]]: a row without a condition
             --> c.toml:3:1
              |
            3 | [[kernels.k.at]]
              | ^^^^^^^^^^^^^^^^
              |
              = help: write `most = { n = 4096 }` for calls in which the extent `n` is at most 4096, `least` for at least; settings for all other calls stand in [kernels.NAME]

            error[impossible-value]: [[kernels.NAME.at]]: it never holds: `n` is not at least 9 and at most 8
             --> c.toml:5:1
              |
            5 | [[kernels.k.at]]
              | ^^^^^^^^^^^^^^^^
              |
              = help: `least` is the smaller of both

            error[impossible-value]: `m`: -1 is not between 0 and 9223372036854775807
             --> c.toml:7:21
              |
            7 | most = { n = 8, m = -1 }
              |                     ^^

            error[impossible-value]: [[kernels.NAME.at]]: a row within a row
             --> c.toml:8:1
              |
            8 | [[kernels.k.at]]
              | ^^^^^^^^^^^^^^^^
              |
              = help: put it behind this one, with the conditions of both

            error[impossible-value]: [[kernels.NAME.at]]: it is never taken: where n <= 1024 and m <= 7, a row before it holds already, n <= 4096
              --> c.toml:11:1
               |
            11 | [[kernels.k.at]]
               | ^^^^^^^^^^^^^^^^
               |
               = help: the first row that holds is taken: put it before that, or leave it out

            error[unknown-key]: [[kernels.NAME.at]] has no key `mots`
              --> c.toml:13:1
               |
            13 | mots = { n = 3 }
               | ^^^^
               |
               = help: did you mean `most`?

            error[impossible-value]: `BLOCK_0`: 99999 is not between 0 and 32768
              --> c.toml:14:11
               |
            14 | BLOCK_0 = 99999
               |           ^^^^^
        "#]],
    );
}

#[test]
fn text_that_is_not_toml() {
    check(
        "[target\narch = \"sm_90\"\n",
        expect![[r#"
        error[toml-syntax]: this is not TOML: unclosed table, expected `]`
         --> c.toml:1:8
          |
        1 | [target
          |        ^
    "#]],
    );
    check(
        "# größe\n\tx = \"ä\" y\n",
        expect![[r#"
        error[toml-syntax]: this is not TOML: unexpected key or value, expected newline, `#`
         --> c.toml:2:10
          |
        2 |     x = "ä" y
          |             ^
    "#]],
    );
    check(
        "[target]\nfmad = true\nfmad = false\n",
        expect![[r#"
        error[toml-syntax]: this is not TOML: duplicate key
         --> c.toml:3:1
          |
        3 | fmad = false
          | ^^^^
    "#]],
    );
    check(
        "[target]\narch = \"",
        expect![[r#"
        error[toml-syntax]: this is not TOML: invalid basic string, expected `"`
         --> c.toml:2:9
          |
        2 | arch = "
          |         ^
    "#]],
    );
}

/// Every fault of a text can be shown: its line is one of the text's.
fn faults_can_be_shown(toml: &str) -> Result<(), TestCaseError> {
    for fault in Config::parse("c.toml", toml).err().into_iter().flatten() {
        let place = fault.place.as_ref().expect("a fault of the text has a place");
        prop_assert!(toml.lines().nth(place.line as usize - 1).unwrap_or("") == place.text);
        prop_assert!(text(&fault, Style::Plain).contains(&fault.message));
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(toml in "[\\PC\n\t\r]{0,200}") {
        faults_can_be_shown(&toml)?;
    }

    #[test]
    fn a_damaged_configuration_is_read_or_refused(from in 0..EVERY_KEY.len(), n in 0usize..40, put in "[\\[\\]{}=\"#,.0-9a-z \n]{0,8}") {
        let damaged: String = EVERY_KEY[..from].chars().chain(put.chars()).chain(EVERY_KEY[from..].chars().skip(n)).collect();
        faults_can_be_shown(&damaged)?;
    }
}
