//! The landscape of a search as a picture: the value of each candidate against its place in the model's order, and against each of
//! its sizes.
//!
//! Values are shares of the best, on a logarithmic axis: what is near the best is told apart, and what is ten times slower has
//! its place, too. `templates/tune/landscape.svg.hbs` says how it looks.

use super::answer::{Answer, Ranked, Tuning, in_words};
use crate::diag::Stop;
use crate::emit::spell;
use serde::Serialize;

/// Panels beside each other, and what one takes with its margins.
const COLUMNS: usize = 3;
const CELL: [f64; 2] = [300.0, 220.0];
/// The frame within it.
const FRAME: [f64; 2] = [230.0, 150.0];
/// Left and upper margin of a frame.
const MARGIN: [f64; 2] = [50.0, 30.0];
/// Lines of a kernel above its panels.
const HEAD: f64 = 56.0;
/// Shares of the best that have a line, and the most that is shown: what is beyond stands on the upper edge.
const LINES: [f64; 8] = [1.0, 1.1, 1.25, 1.5, 2.0, 3.0, 5.0, 10.0];

#[derive(Serialize)]
struct Picture {
    width: f64,
    height: f64,
    kernels: Vec<Plotted>,
}

#[derive(Serialize)]
struct Plotted {
    y: f64,
    second: f64,
    title: String,
    note: String,
    panels: Vec<Panel>,
}

#[derive(Serialize)]
struct Panel {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
    title: String,
    rows: Vec<Tick>,
    columns: Vec<Tick>,
    points: Vec<Circle>,
}

#[derive(Serialize)]
struct Tick {
    at: f64,
    text: String,
    /// Those of the panel, which a template cannot see from within a list.
    width: f64,
    height: f64,
}

#[derive(Serialize)]
struct Circle {
    x: f64,
    y: f64,
    r: f64,
    kind: &'static str,
    told: String,
}

/// The picture of some answers, as SVG.
///
/// # Errors
/// The template does not fit, which is a fault of this tool.
pub fn svg(answers: &[Answer]) -> Result<String, Stop> {
    let mut height = 10.0;
    let mut kernels = vec![];
    for answer in answers {
        for tuning in answer.kernels.iter().filter(|t| !t.ranking.is_empty()) {
            let plotted = plotted(answer, tuning, height);
            height += HEAD + CELL[1] * plotted.panels.len().div_ceil(COLUMNS) as f64;
            kernels.push(plotted);
        }
    }
    spell::build_file("tune/landscape", &Picture { width: CELL[0] * COLUMNS as f64, height, kernels })
}

fn plotted(answer: &Answer, tuning: &Tuning, top: f64) -> Plotted {
    let call: String = answer.call.iter().map(|(name, n)| format!(", {name} = {n}")).collect();
    let how = if answer.is_measured { "measured" } else { "predicted, not measured" };
    let best = tuning.ranking.first().map_or(f64::NAN, |r| r.value(tuning.objective));
    let note = format!(
        "{} candidates; 1 is {}, the best (red); untuned: the ring",
        tuning.ranking.len(),
        in_words(best, tuning.objective)
    );
    let mut by_model: Vec<&Ranked> = tuning.ranking.iter().collect();
    by_model.sort_by(|a, b| a.predicted.total_cmp(&b.predicted));
    let order = |r: &Ranked| by_model.iter().position(|other| std::ptr::eq(*other, r)).unwrap_or(0) as f64;
    let n = by_model.len() as f64;
    let mut panels =
        vec![panel(tuning, "by the model's order, the fastest first", |r| Some((order(r) + 0.5) / n), vec![])];
    for name in tuning.untuned.keys() {
        let value = |r: &Ranked| r.chosen.sizes.get(name).or(tuning.untuned.get(name)).copied();
        let mut values: Vec<i64> = tuning.ranking.iter().filter_map(value).collect();
        values.sort_unstable();
        values.dedup();
        let share = |k: usize| (k as f64 + 0.5) / values.len() as f64;
        let at = |r: &Ranked| Some(share(values.binary_search(&value(r)?).ok()?));
        let columns = values.iter().enumerate().map(|(k, n)| tick(share(k) * FRAME[0], n.to_string()));
        panels.push(panel(tuning, name, at, columns.collect()));
    }
    for (k, panel) in panels.iter_mut().enumerate() {
        panel.x = CELL[0] * (k % COLUMNS) as f64 + MARGIN[0];
        panel.y = top + HEAD + CELL[1] * (k / COLUMNS) as f64 + MARGIN[1];
    }
    let title = escaped(&format!("{} on {}{call}: {how}", tuning.kernel, answer.device));
    Plotted { y: top + 24.0, second: top + 42.0, title, note, panels }
}

/// A panel in which `at` says where a candidate stands along the axis, as a share.
fn panel(tuning: &Tuning, title: &str, at: impl Fn(&Ranked) -> Option<f64>, columns: Vec<Tick>) -> Panel {
    let best = tuning.ranking.first().map_or(f64::NAN, |r| r.value(tuning.objective));
    let share = |r: &Ranked| r.value(tuning.objective) / best;
    let worst = tuning.ranking.iter().map(share).filter(|s| s.is_finite()).fold(1.0, f64::max);
    let most = LINES.into_iter().find(|line| *line >= worst).unwrap_or(LINES[LINES.len() - 1]).max(LINES[1]);
    let height = |share: f64| rounded(FRAME[1] * (1.0 - share.min(most).ln() / most.ln()));
    let point = |r: &Ranked| {
        let is_best = std::ptr::eq(r, &tuning.ranking[0]);
        let (kind, radius) = match (r.chosen.is_none(), is_best) {
            (true, _) => ("untuned", 6.0),
            (_, true) => ("best", 4.5),
            _ => ("candidate", 3.5),
        };
        let chosen = if r.chosen.is_none() { "untuned".into() } else { r.chosen.to_string() };
        let told = escaped(&format!("{}, {chosen}", in_words(r.value(tuning.objective), tuning.objective)));
        let (x, y) = (rounded(at(r)? * FRAME[0]), height(share(r)));
        y.is_finite().then_some(Circle { x, y, r: radius, kind, told })
    };
    let lines = LINES.into_iter().filter(|line| *line <= most);
    Panel {
        x: 0.0,
        y: 0.0,
        width: FRAME[0],
        height: FRAME[1],
        title: title.to_owned(),
        rows: lines.map(|line| tick(height(line), line.to_string())).collect(),
        columns,
        // The best stands before the others.
        points: tuning.ranking.iter().rev().filter_map(point).collect(),
    }
}

fn tick(at: f64, text: String) -> Tick {
    Tick { at: rounded(at), text, width: FRAME[0], height: FRAME[1] }
}

fn rounded(x: f64) -> f64 {
    (10.0 * x).round() / 10.0
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::super::answer::measured;
    use super::*;

    #[test]
    fn every_candidate_has_a_place_in_each_panel() {
        let text = svg(&[measured(&[(&[("BLOCK_0", 8)], 1e-3), (&[], 2e-3), (&[("BLOCK_0", 64)], 25e-3)])]).unwrap();
        // Two panels: the model's order, and the one size.
        assert_eq!((text.matches("<circle").count(), text.matches("class=\"frame\"").count()), (6, 2));
        assert_eq!((text.matches("class=\"untuned\"").count(), text.matches("class=\"best\"").count()), (2, 2));
        assert!(text.contains(">BLOCK_0</text>") && text.contains(">1000.0 us, BLOCK_0 = 8</title>"), "{text}");
        assert!(text.contains("rt_f_0_k0 on NVIDIA &lt;H100&gt;, n = 4096: measured"), "{text}");
        // The best is lowest, and what is beyond the last line stands on the upper edge.
        assert!(text.contains("cy=\"150.0\" r=\"4.5\"") && text.contains("cy=\"0.0\" r=\"3.5\""), "{text}");
        assert!(text.starts_with("<svg ") && text.trim_end().ends_with("</svg>"));
    }

    #[test]
    fn nothing_that_was_measured_is_an_empty_picture() {
        assert!(!svg(&[measured(&[])]).unwrap().contains("<circle"));
    }
}
