//! The winners as tables of a configuration, which every later conversion acts on.

use super::answer::{Answer, Ranked, Tuning, in_words};
use super::chosen::Chosen;
use super::date;
use super::list::{List, Row};
use super::settings::KEYS;
use std::collections::BTreeMap;

/// The text of a configuration in which the winners stand in the place of what it gave for these kernels and regions before;
/// all else stays as it is, to the letter. Predictions are no winners.
pub fn with_winners(text: &str, answers: &[Answer], when: &str) -> String {
    let text = with_kernels(text, answers, when);
    answers.iter().fold(text, |text, answer| with_settings(&text, answer, when))
}

fn with_kernels(text: &str, answers: &[Answer], when: &str) -> String {
    let tunings =
        || answers.iter().flat_map(|a| a.kernels.iter().map(move |t| (a, t))).filter(|(_, t)| t.evaluations > 0);
    let is_stale = |title: &str| {
        let titles = |t: &Tuning| [format!("[kernels.{}]", t.kernel), row_title(&t.kernel)];
        tunings().any(|(_, t)| titles(t).iter().any(|known| known == title))
    };
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
        let mark = answer.whole.as_ref().map(|tuning| format!("{MARK} {} ", tuning.kernel));
        let is_ours = |line: &str| mark.as_ref().is_some_and(|mark| line.trim().starts_with(mark));
        let is_kept = |at: &usize| !own.contains(at) || (!is_chosen(lines[*at]) && !is_ours(lines[*at]));
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
    let value = |r: &Ranked| r.value(tuning.objective);
    Some(comment(answer, tuning, (&answer.call, when), [value(best), value(default)]))
}

/// The comment on what was measured at a call: the value of the settings below, and of nobody's.
fn comment(answer: &Answer, tuning: &Tuning, (call, when): (&BTreeMap<String, i64>, &str), values: [f64; 2]) -> String {
    let call: Vec<String> = call.iter().map(|(name, n)| format!("{name} = {n}")).collect();
    let [best, untuned] = values.map(|value| in_words(value, tuning.objective));
    let (kernel, device, call) = (&tuning.kernel, &answer.device, call.join(", "));
    format!("{MARK} {kernel} on {device}, {when}; {call}: {best} (untuned {untuned})\n")
}

/// The title of a row of a kernel.
fn row_title(kernel: &str) -> String {
    format!("[[kernels.{kernel}.at]]")
}

/// The tables of a kernel, with where they come from; `None` where nothing is faster than what nobody tunes.
fn table(answer: &Answer, tuning: &Tuning, when: &str) -> Option<String> {
    if let Some(list) = &tuning.list {
        return listed(answer, tuning, list);
    }
    let best = tuning.winner()?;
    Some(format!("{}[kernels.{}]\n{}", provenance(answer, tuning, best, when)?, tuning.kernel, lines(&best.chosen)))
}

/// The same of settings by an extent: first those for all other calls.
fn listed(answer: &Answer, tuning: &Tuning, list: &List) -> Option<String> {
    let (others, rows) = list.rows.split_last()?;
    if rows.is_empty() && others.chosen.is_none() {
        return None;
    }
    let of = |row: &Row, title: &str| {
        let from = row.measured.iter().map(|m| {
            let when = date::of(m.when);
            comment(answer, tuning, (&m.call, &when), [m.value, m.untuned])
        });
        let most = row.calls.iter().flat_map(|calls| &calls.most);
        let most = most.map(|(extent, n)| format!("most = {{ {extent} = {n} }}\n"));
        format!("{}{title}\n{}{}", from.collect::<String>(), most.collect::<String>(), lines(&row.chosen))
    };
    let title = row_title(&tuning.kernel);
    let first = of(others, &format!("[kernels.{}]", tuning.kernel));
    Some(rows.iter().fold(first, |text, row| text + "\n" + &of(row, &title)))
}

/// Settings of a kernel, a line each.
fn lines(chosen: &Chosen) -> String {
    let strategy = chosen.strategy.iter().map(|strategy| format!("strategy = \"{strategy}\"\n"));
    strategy.chain(chosen.sizes.iter().map(|(name, n)| format!("{name} = {n}\n"))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::answer::measured;
    use super::super::list::{self, ranking};
    use super::*;
    use crate::config::{Config, Objective};

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
    fn settings_by_an_extent_are_read_back_and_replace_earlier_ones() {
        let listed = |small: &[(i64, f64)], large: &[(i64, f64)]| {
            let mut answer = measured(&[(&[("BLOCK_0", 8)], 1e-3), (&[], 2e-3)]);
            let rankings = [ranking([1024, 7], small), ranking([4096, 7], large)];
            let all = rankings.iter().collect::<Vec<_>>();
            answer.kernels[0].list = list::of(&["n".to_owned()], &all, Objective::Time).unwrap();
            answer
        };
        let differ = listed(&[(0, 3e-3), (4, 1e-3)], &[(0, 2e-3), (16, 1e-3)]);
        let text = with_winners("# mine\n", &[differ], "today");
        let expected = "# mine\n
# rtcuda tune: rt_f_0_k0 on NVIDIA <H100>, 2025-11-25; m = 7, n = 4096: 1000.0 us (untuned 2000.0 us)
[kernels.rt_f_0_k0]
BLOCK_0 = 16

# rtcuda tune: rt_f_0_k0 on NVIDIA <H100>, 2025-11-25; m = 7, n = 1024: 1000.0 us (untuned 3000.0 us)
[[kernels.rt_f_0_k0.at]]
most = { n = 2048 }
BLOCK_0 = 4
";
        assert_eq!(text, expected);
        let given = &Config::parse("c.toml", &text).unwrap().kernels["rt_f_0_k0"];
        assert_eq!((given.sizes["BLOCK_0"], given.at[0].settings.sizes["BLOCK_0"]), (16, 4));
        assert_eq!(given.at[0].calls.to_string(), "n <= 2048");
        // Where nobody's tuning is the best of large calls, the row stands alone.
        let small = listed(&[(0, 3e-3), (4, 1e-3)], &[(0, 1e-3), (16, 1e-3)]);
        let text = with_winners(&text, &[small], "today");
        let given = &Config::parse("c.toml", &text).unwrap().kernels["rt_f_0_k0"];
        assert_eq!((given.sizes.len(), given.at.len(), text.matches(MARK).count()), (0, 1, 2), "{text}");
        // One setting for all of them is a table as any, with where each call comes from.
        let same = listed(&[(0, 3e-3), (4, 1e-3)], &[(0, 2e-3), (4, 1e-3)]);
        let text = with_winners(&text, &[same], "today");
        let given = &Config::parse("c.toml", &text).unwrap().kernels["rt_f_0_k0"];
        assert_eq!((given.sizes["BLOCK_0"], given.at.len(), text.matches(MARK).count()), (4, 0, 2), "{text}");
        let none = listed(&[(0, 1e-3), (4, 1e-3)], &[(0, 1e-3), (4, 1e-3)]);
        assert_eq!(with_winners(&text, &[none], "today"), "# mine\n");
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
            assert_eq!(with_winners(&text, &[answer.clone()], "today"), text, "what was written before is replaced");
        }
    }

    #[test]
    fn nothing_is_written_where_nothing_is_faster() {
        let none = measured(&[(&[], 1e-3), (&[("BLOCK_0", 8)], 2e-3)]);
        assert_eq!(with_winners("", &[none], "today"), "");
    }
}
