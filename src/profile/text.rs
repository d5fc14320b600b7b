//! `rtcuda profile` as text for a person.

use super::rows::{Profile, Row};
use crate::diag::render::Style;
use crate::report::table::Table;
use crate::report::words::{percent, time, times};

/// Loops below this share of the time are one line together.
const LEAST: f64 = 0.005;

/// The whole text.
pub fn text(program: &str, profile: &Profile, style: Style) -> String {
    let in_loops = percent(profile.in_loops());
    let mut text = format!("{program}: {} on one core, {in_loops} of it in loops\n", time(profile.seconds));
    text += &format!("{}\n", style.bold(&profile.summary()));
    let (on_gpu, on_host): (Vec<&Row>, Vec<&Row>) =
        profile.loops.iter().partition(|row| row.timed.place.region.is_some());
    text += &part(&style.good("run on the GPU"), &on_gpu, style);
    text += &part(&style.bad("run on the host"), &on_host, style);
    if !profile.without.is_empty() {
        text += &format!("\nnot timed, as a jump leads into the loop: {}\n", profile.without.join(", "));
    }
    if let Some(ended) = &profile.ended {
        text += &format!("\nthe program ended with {ended}\n");
    }
    text
}

fn part(title: &str, rows: &[&Row], style: Style) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let (shown, rest): (Vec<&&Row>, Vec<&&Row>) = rows.iter().partition(|row| row.share >= LEAST);
    let mut table = Table::default();
    for row in &shown {
        let (timed, place) = (&row.timed, &row.timed.place);
        let region = place.region.as_ref().map_or(String::new(), |region| format!("region {region}"));
        table.row([
            format!("{:>6}", percent(row.share)),
            time(timed.own_s),
            times(timed.entered),
            format!("{}:{}", place.file, place.lines.0),
            format!("{} in {}()", place.head, place.function),
            region,
        ]);
    }
    let lines = table.text(2);
    let mut text = format!("\n{title}\n");
    let mut last = None;
    for (line, row) in lines.lines().zip(&shown) {
        text += &format!(
            "{line}\n{}",
            if row.why.is_some() && row.why == last { String::new() } else { advice(row, style) }
        );
        last.clone_from(&row.why);
    }
    if !rest.is_empty() {
        let share = rest.iter().map(|row| row.share).sum();
        let (loops, each) = if rest.len() == 1 { ("loop", "") } else { ("loops", " each") };
        text += &format!("  {:>6}  {} {loops} with less than {}{each}\n", percent(share), rest.len(), percent(LEAST));
    }
    text
}

/// Why a loop stays on the host, and the one change that frees it.
fn advice(row: &Row, style: Style) -> String {
    let place = &row.timed.place;
    let Some(why) = &row.why else { return String::new() };
    let at = row.at.as_ref().filter(|(_, line)| *line != place.lines.0);
    let at = at.map_or(String::new(), |(_, line)| format!("line {line}: "));
    let help = row.help.as_ref().map_or(String::new(), |help| format!("            {}\n", style.bold(help)));
    format!("          {at}{why}\n{help}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::clocks::Timed;
    use crate::profile::loops::Loop;

    #[test]
    fn the_hottest_comes_first_and_each_with_its_cure() {
        let row = |line: u32, share: f64, region: Option<&str>, why: Option<&str>| Row {
            timed: Timed {
                place: Loop {
                    file: "heat.c".into(),
                    lines: (line, line + 3),
                    head: "for t".into(),
                    function: "main".into(),
                    depth: 0,
                    region: region.map(str::to_owned),
                    text: 0..1,
                },
                entered: u64::from(line),
                own_s: 2.0 * share,
                whole_s: 2.0 * share,
            },
            share,
            why: why.map(str::to_owned),
            at: why.map(|_| ("heat.c".into(), 9)),
            help: why.map(|_| "move the call out of the loop".into()),
        };
        let loops = vec![
            row(1, 0.7, Some("main_0"), None),
            row(8, 0.2, None, Some("`printf` cannot be called on the device")),
            row(20, 0.001, None, None),
        ];
        let profile = Profile { seconds: 2.0, loops, n_loops: 3, n_converted: 1, ended: None, without: vec![] };
        expect_test::expect![[r"
            heat.c: 2.00 s on one core, 90 % of it in loops
            1 of 3 loops, 70 % of the time, run on the GPU

            run on the GPU
                70 %  1.40 s  once  heat.c:1  for t in main()  region main_0

            run on the host
                20 %  400.00 ms  8 times  heat.c:8  for t in main()
                      line 9: `printf` cannot be called on the device
                        move the call out of the loop
               0.1 %  1 loop with less than 0.5 %
        "]]
        .assert_eq(&text("heat.c", &profile, Style::Plain));
    }
}
