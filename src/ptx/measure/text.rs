//! The answer for a person.

use super::{Answer, GAIN, Kernel};
use crate::diag::render::Style;
use crate::report::table::Table;

/// The answer as text.
pub fn text(answer: &Answer, style: Style) -> String {
    let mut text: String =
        answer.kernels.iter().map(|kernel| of_kernel(kernel, answer.undecided.is_none(), style)).collect();
    let (printed, fetched) = (answer.printed, answer.fetched);
    text += &format!(
        "medians of {} runs in turns; each held to {} lines of output and {} copies to the host",
        answer.rounds, printed.0, fetched.0
    );
    let others = printed.1 + fetched.1;
    text += &if others == 0 { "\n".to_owned() } else { format!(" ({others} are others in each run)\n") };
    if let Some(why) = &answer.undecided {
        text += &format!("nothing is kept: {why}\n");
    }
    text
}

fn of_kernel(kernel: &Kernel, is_decided: bool, style: Style) -> String {
    let timed = if kernel.timed == kernel.launches { String::new() } else { format!(", {} timed", kernel.timed) };
    let mut text = format!(
        "{}: {} launches{timed}, blocks of {} threads\n",
        style.bold(&kernel.name),
        kernel.launches,
        kernel.threads
    );
    let mut table = Table::default();
    table.row(["", "registers", "spilled, loaded", "shared", "us a launch", "times", ""].map(|head| style.bold(head)));
    let each = |seconds: Option<f64>| match (seconds, kernel.timed) {
        (Some(seconds), timed) if timed > 0 => format!("{:.2}", 1e6 * seconds / timed as f64),
        _ => String::new(),
    };
    let r = kernel.resources;
    let spilt = |stores: u32, loads: u32| format!("{stores}, {loads}");
    table.row([
        "as it is".to_owned(),
        r.registers.to_string(),
        spilt(r.spill_stores, r.spill_loads),
        r.shared.to_string(),
        each(kernel.seconds),
    ]);
    for tried in &kernel.tried {
        let r = tried.resources;
        let times = kernel.seconds.zip(tried.seconds).map(|(before, after)| format!("{:.3}", before / after));
        let mark = match &tried.refused {
            Some(why) => why.clone(),
            None if kernel.kept == Some(tried.way) => style.good("kept"),
            None => String::new(),
        };
        table.row([
            tried.way.name().to_owned(),
            r.registers.to_string(),
            spilt(r.spill_stores, r.spill_loads),
            r.shared.to_string(),
            each(tried.seconds),
            times.unwrap_or_default(),
            mark,
        ]);
    }
    text += &table.text(2);
    text += &kernel.notes.iter().map(|note| format!("  {note}\n")).collect::<String>();
    if is_decided && kernel.kept.is_none() && kernel.tried.iter().any(|tried| tried.seconds.is_some()) {
        text += &format!("  stays as it is: no way is more than {:.0} % faster\n", 100.0 * (GAIN - 1.0));
    }
    text
}
