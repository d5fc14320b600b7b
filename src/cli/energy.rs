//! `--energy`: a meter that is read while a command runs, and what it says in words.

use super::outcome::Fault;
use super::tell::Progress;
use rtcuda::config::Backend;
use rtcuda::diag::Diagnostic;
use rtcuda::runtime::energy::{self, Energy, Metered, Metering, TooShort};
use rtcuda::solve::Solved;

/// The reading of the meter for a span, where it was read at all.
pub type Told = Option<Result<Energy, TooShort>>;

/// Measures the idle device, and reads its meter from there on; nothing where that is not asked for.
pub fn begin(is_asked: bool, backend: Backend, progress: &Progress) -> Result<Option<Metering>, Fault> {
    if !is_asked {
        return Ok(None);
    }
    if backend == Backend::Cpu {
        return Err(on_the_host().into());
    }
    let meter = energy::meter()?;
    progress.line("measuring the idle device");
    let metering = energy::begin(meter, energy::IDLE);
    progress.line("");
    Ok(Some(metering?))
}

/// Fault of metering a GPU where nothing runs on one.
pub fn on_the_host() -> Diagnostic {
    let message = "--energy reads the meter of a GPU, and the program would run on the CPU";
    let help = "leave out --energy; `rtcuda device` shows what is missing to run on a GPU";
    Diagnostic::error("no-meter", message, None).help(help)
}

/// Energy of one solution.
pub fn of(solved: &Solved, metered: Option<&Metered>) -> Told {
    let metered = metered?;
    let (spans, times) = solved.repeated.map_or((vec![], 0), |repeated| (vec![repeated.span], repeated.times));
    Some(metered.during(&spans, times))
}

/// The reading in a line.
pub fn in_words(told: &Result<Energy, TooShort>) -> String {
    match told {
        Ok(energy) => format!(
            "{}, {} of them by the idle device; {:.0} W; uncertain by {:.0} % at most",
            joules(energy.joules),
            joules(energy.idle_joules),
            energy.watts,
            100.0 * energy.uncertain_share
        ),
        Err(short) => {
            format!(
                "not told: it ran for {:.2} s, and the meter resolves {:.2} s: give it more to do",
                short.seconds, short.least
            )
        }
    }
}

/// The reading for a cell of a table.
pub fn short(told: &Told) -> String {
    match told {
        Some(Ok(energy)) => joules(energy.joules),
        Some(Err(_)) => "too short".into(),
        None => String::new(),
    }
}

/// The reading for a machine.
pub fn as_json(told: &Told) -> serde_json::Value {
    serde_json::json!(told.as_ref().and_then(|told| told.as_ref().ok()))
}

/// Joules in a unit that suits them.
pub fn joules(joules: f64) -> String {
    match joules {
        ..1e-3 => format!("{:.2} uJ", 1e6 * joules),
        1e-3..1.0 => format!("{:.2} mJ", 1e3 * joules),
        1.0..1e3 => format!("{joules:.2} J"),
        _ => format!("{:.2} kJ", 1e-3 * joules),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn energy_in_words() {
        let energy = Energy { joules: 0.25, idle_joules: 0.05, watts: 412.3, uncertain_share: 0.04 };
        let words = "250.00 mJ, 50.00 mJ of them by the idle device; 412 W; uncertain by 4 % at most";
        assert_eq!(in_words(&Ok(energy)), words);
        let none = Err(TooShort { seconds: 0.5, least: 2.0 });
        assert_eq!(in_words(&none), "not told: it ran for 0.50 s, and the meter resolves 2.00 s: give it more to do");
        assert_eq!([short(&Some(Ok(energy))), short(&Some(none)), short(&None)], ["250.00 mJ", "too short", ""]);
        assert_eq!([2e-6, 1.5, 2500.0].map(joules), ["2.00 uJ", "1.50 J", "2.50 kJ"]);
    }
}
