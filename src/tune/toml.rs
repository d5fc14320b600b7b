//! The winners as tables of a configuration, which every later conversion acts on.

use super::answer::{Answer, Ranked, Tuning, in_words};
use std::fmt::Write;

/// The text of a configuration in which the winners stand in the place of what it gave for these kernels before; all else
/// stays as it is, to the letter. Predictions are no winners.
pub fn with_winners(text: &str, answers: &[Answer], when: &str) -> String {
    let tunings =
        || answers.iter().flat_map(|a| a.kernels.iter().map(move |t| (a, t))).filter(|(_, t)| t.evaluations > 0);
    let is_stale = |title: &str| tunings().any(|(_, t)| title == format!("[kernels.{}]", t.kernel));
    let mut out = String::new();
    let mut is_dropped = false;
    for line in text.lines() {
        let title = line.trim();
        if title.starts_with('[') {
            is_dropped = is_stale(title.split('#').next().unwrap_or(title).trim());
        }
        let is_ours = title.starts_with(MARK) && tunings().any(|(_, t)| title.contains(&format!(" {} ", t.kernel)));
        if !is_dropped && !is_ours {
            out += line;
            out += "\n";
        }
    }
    while out.ends_with("\n\n") {
        out.pop();
    }
    for (answer, tuning) in tunings() {
        if let Some(table) = table(answer, tuning, when) {
            out += if out.is_empty() { "" } else { "\n" };
            out += &table;
        }
    }
    out
}

/// The first words of the comment above a winner.
const MARK: &str = "# rtcuda tune:";

/// The table of a kernel, with where it comes from; `None` where nothing is faster than what nobody tunes.
pub fn table(answer: &Answer, tuning: &Tuning, when: &str) -> Option<String> {
    let best = tuning.winner()?;
    let default = tuning.ranking.iter().find(|r| r.chosen.is_none())?;
    let call: Vec<String> = answer.call.iter().map(|(name, n)| format!("{name} = {n}")).collect();
    let value = |r: &Ranked| in_words(r.value(tuning.objective), tuning.objective);
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "{MARK} {} on {}, {when}; {}: {} (untuned {})",
        tuning.kernel,
        answer.device,
        call.join(", "),
        value(best),
        value(default)
    );
    let _ = writeln!(out, "[kernels.{}]", tuning.kernel);
    if let Some(strategy) = &best.chosen.strategy {
        let _ = writeln!(out, "strategy = \"{strategy}\"");
    }
    for (name, n) in &best.chosen.sizes {
        let _ = writeln!(out, "{name} = {n}");
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::super::answer::measured;
    use super::*;
    use crate::config::Config;

    #[test]
    fn winners_are_read_back_and_replace_earlier_ones() {
        let first = measured(&[(&[("BLOCK_0", 8), ("SKEW_0", 2)], 1e-3), (&[], 2e-3)]);
        let text = with_winners("# mine\n[defaults]\nlibrary = \"never\"\n", &[first], "2026-11-25");
        assert!(
            text.starts_with("# mine\n[defaults]\nlibrary = \"never\"\n\n# rtcuda tune: rt_f_0_k0 on NVIDIA <H100>")
        );
        assert!(text.contains("n = 4096: 1000.0 us (untuned 2000.0 us)"));
        let config = Config::parse("c.toml", &text).unwrap();
        assert_eq!(config.kernels["rt_f_0_k0"].sizes["SKEW_0"], 2);

        let second = measured(&[(&[("BLOCK_0", 16)], 1e-3), (&[], 2e-3)]);
        let text = with_winners(&(text + "\n[tune]\nbudget = \"1s\"\n"), &[second], "2026-11-26");
        let config = Config::parse("c.toml", &text).unwrap();
        assert_eq!(config.kernels["rt_f_0_k0"].sizes.len(), 1);
        assert_eq!(config.tune.budget, std::time::Duration::from_secs(1));
        assert_eq!(text.matches("# rtcuda tune:").count(), 1);
    }

    #[test]
    fn strategies_are_read_back() {
        let mut answer = measured(&[(&[("BLOCK_0", 8)], 1e-3), (&[], 2e-3)]);
        answer.kernels[0].ranking[0].chosen.strategy = Some("rows".into());
        let text = with_winners("", &[answer], "today");
        let given = &Config::parse("c.toml", &text).unwrap().kernels["rt_f_0_k0"];
        assert_eq!((given.strategy.as_deref(), given.sizes["BLOCK_0"]), (Some("rows"), 8), "{text}");
    }

    #[test]
    fn nothing_is_written_where_nothing_is_faster() {
        let none = measured(&[(&[], 1e-3), (&[("BLOCK_0", 8)], 2e-3)]);
        assert_eq!(with_winners("", &[none], "today"), "");
    }
}
