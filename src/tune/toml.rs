//! The winners as tables of a configuration, which every later conversion acts on.

use super::answer::{Answer, Ranked, Tuning, in_words};
use super::settings::KEYS;
use std::fmt::Write;

/// The text of a configuration in which the winners stand in the place of what it gave for these kernels and regions before;
/// all else stays as it is, to the letter. Predictions are no winners.
pub fn with_winners(text: &str, answers: &[Answer], when: &str) -> String {
    let text = with_kernels(text, answers, when);
    answers.iter().fold(text, |text, answer| with_settings(&text, answer, when))
}

fn with_kernels(text: &str, answers: &[Answer], when: &str) -> String {
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

/// The same with the settings of a region as a whole that won, in a table of that region: its own, or a new one with what the
/// table of its function says.
fn with_settings(text: &str, answer: &Answer, when: &str) -> String {
    let Some(settings) = settings(answer, when) else { return text.to_owned() };
    let is_chosen =
        |line: &str| KEYS.iter().any(|key| is_given(line, key, "") && settings.lines().any(|s| is_given(s, key, "")));
    let lines: Vec<&str> = text.lines().collect();
    let table = |key: &str, name: &str| {
        let is_its = |lines: &[&str]| lines.iter().any(|line| is_given(line, key, &format!("\"{name}\"")));
        tables(&lines).into_iter().find(|range| is_its(&lines[range.clone()]))
    };
    if let Some(own) = table("name", &answer.region) {
        let selector = own.clone().find(|at| is_given(lines[*at], "name", "")).unwrap_or(own.start);
        let is_kept = |at: &usize| !own.contains(at) || !is_chosen(lines[*at]);
        let kept = (0..lines.len()).filter(is_kept);
        return kept.map(|at| format!("{}\n{}", lines[at], if at == selector { &settings } else { "" })).collect();
    }
    let of_function = table("function", &answer.function).map_or(vec![], |range| lines[range].to_vec());
    let kept = of_function.iter().filter(|line| !line.trim().starts_with('[') && !is_given(line, "function", ""));
    let kept: String =
        kept.filter(|line| !line.trim().is_empty() && !is_chosen(line)).map(|line| format!("{line}\n")).collect();
    let gap = if text.is_empty() { "" } else { "\n" };
    format!("{text}{gap}[[region]]\nname = \"{}\"\n{settings}{kept}", answer.region)
}

/// The line ranges of the tables of regions.
fn tables(lines: &[&str]) -> Vec<std::ops::Range<usize>> {
    let starts = (0..lines.len()).filter(|at| lines[*at].trim().starts_with("[[region]]"));
    let end =
        |start: usize| (start + 1..lines.len()).find(|at| lines[*at].trim().starts_with('[')).unwrap_or(lines.len());
    starts.map(|start| start..end(start)).collect()
}

/// Test that a line gives a key a value that begins so.
fn is_given(line: &str, key: &str, value: &str) -> bool {
    let given = line.trim().strip_prefix(key).and_then(|rest| rest.trim_start().strip_prefix('='));
    given.is_some_and(|given| given.trim_start().starts_with(value))
}

/// The settings of a region as a whole that won, a line each, with where they come from.
fn settings(answer: &Answer, when: &str) -> Option<String> {
    let tuning = answer.whole.as_ref()?;
    let best = tuning.winner()?;
    let lines: String = best.chosen.settings.iter().map(|(key, name)| format!("{key} = \"{name}\"\n")).collect();
    Some(provenance(answer, tuning, best, when)? + &lines)
}

/// The comment above a winner.
fn provenance(answer: &Answer, tuning: &Tuning, best: &Ranked, when: &str) -> Option<String> {
    let default = tuning.ranking.iter().find(|r| r.chosen.is_none())?;
    let call: Vec<String> = answer.call.iter().map(|(name, n)| format!("{name} = {n}")).collect();
    let value = |r: &Ranked| in_words(r.value(tuning.objective), tuning.objective);
    let (best, untuned) = (value(best), value(default));
    let (kernel, device, call) = (&tuning.kernel, &answer.device, call.join(", "));
    Some(format!("{MARK} {kernel} on {device}, {when}; {call}: {best} (untuned {untuned})\n"))
}

/// The table of a kernel, with where it comes from; `None` where nothing is faster than what nobody tunes.
fn table(answer: &Answer, tuning: &Tuning, when: &str) -> Option<String> {
    let best = tuning.winner()?;
    let mut out = provenance(answer, tuning, best, when)?;
    // Writing to a string cannot fail.
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
    fn settings_of_a_region_are_read_back() {
        let mut answer = measured(&[(&[], 1e-3)]);
        let mut whole = measured(&[(&[], 1e-3), (&[], 2e-3)]).kernels.remove(0);
        whole.kernel = "f_0".into();
        whole.ranking[0].chosen.settings.insert("sync".into(), "relaunch".into());
        answer.whole = Some(whole);
        let sync = |text: &str| Config::parse("c.toml", text).unwrap().region("f", "f_0").map(|r| r.settings.sync);
        // A table of its own, beside whatever there is; a table of its function, which other regions have, too, stays.
        let functions = "[[region]]\nfunction = \"f\"\nblock = 64\n";
        for before in [
            "",
            "[target]\nfmad = false\n",
            functions,
            "[[region]]\nname = \"f_0\"\nsync = \"auto\"\nblock = 64\n[tune]\n",
        ] {
            let text = with_winners(before, &[answer.clone()], "today");
            assert_eq!(sync(&text), Some(crate::config::Sync::Relaunch), "{text}");
            assert!(
                text.contains("# rtcuda tune: f_0 on NVIDIA <H100>, today; n = 4096: 1000.0 us (untuned 2000.0 us)")
            );
            let config = Config::parse("c.toml", &text).unwrap();
            let block = before.contains("block").then_some(crate::config::Size::Fixed(64));
            assert_eq!(config.region("f", "f_0").unwrap().sizes.block, block, "{text}");
            assert_eq!(config.region("f", "f_1").is_some(), before == functions, "{text}");
        }
    }

    #[test]
    fn nothing_is_written_where_nothing_is_faster() {
        let none = measured(&[(&[], 1e-3), (&[("BLOCK_0", 8)], 2e-3)]);
        assert_eq!(with_winners("", &[none], "today"), "");
    }
}
