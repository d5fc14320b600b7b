//! Measurements in the T4 format, which Kernel Tuner and the tools around it read and write
//! (<https://github.com/odgaard/TuningSchema>): a list of results, each with its configuration, its times and what is wrong
//! with it.

use super::cache::{Entry, Outcome};
use super::chosen::Chosen;
use super::settings::KEYS;
use serde_json::{Value, json};

/// Version of the schema.
const VERSION: &str = "1.0.0";

/// The measurements of a cache as T4 results; times are milliseconds.
pub fn export<'c>(entries: impl Iterator<Item = &'c Entry>) -> Value {
    let results: Vec<Value> = entries.map(result).collect();
    json!({ "schema_version": VERSION, "results": results })
}

fn result(entry: &Entry) -> Value {
    let runtimes: Vec<f64> = entry.outcome.samples().unwrap_or_default().iter().map(|s| 1e3 * s).collect();
    let time = entry.outcome.seconds().map(|s| json!({ "name": "time", "value": 1e3 * s, "unit": "ms" }));
    let energy = entry.outcome.joules().map(|joules| json!({ "name": "energy", "value": joules, "unit": "J" }));
    let measurements: Vec<Value> = time.into_iter().chain(energy).collect();
    json!({
        "configuration": configuration(&entry.chosen),
        "times": { "runtimes": runtimes },
        "invalidity": invalidity(&entry.outcome),
        "correctness": u8::from(entry.outcome.samples().is_some()),
        "measurements": measurements,
        "objectives": ["time"],
        "environment": { "kernel": entry.kernel, "device": entry.device, "call": entry.call, "why": entry.outcome.why() },
    })
}

/// The word that T4 has for what is wrong.
fn invalidity(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Ok { .. } | Outcome::Metered { .. } | Outcome::Unmetered { .. } => "correct",
        Outcome::Differs { .. } => "correctness",
        Outcome::Declined { .. } => "constraints",
        Outcome::Failed { .. } => "runtime",
        Outcome::Hangs { .. } => "timeout",
        Outcome::Unbuilt { .. } => "compile",
    }
}

/// The name under which a configuration has its strategy, beside its sizes; settings have their own.
const STRATEGY: &str = "strategy";

fn configuration(chosen: &Chosen) -> Value {
    let strategy = chosen.strategy.iter().map(|s| (STRATEGY.to_owned(), json!(s)));
    let settings = chosen.settings.iter().map(|(key, name)| (key.clone(), json!(name)));
    Value::Object(
        settings.chain(strategy).chain(chosen.sizes.iter().map(|(name, n)| (name.clone(), json!(n)))).collect(),
    )
}

/// A configuration, and its seconds where it is correct.
pub type Imported = (Chosen, Option<f64>);

/// The results of T4 text.
///
/// # Errors
/// The first part of the text that is not T4.
pub fn import(text: &str) -> Result<Vec<Imported>, String> {
    let file: Value = serde_json::from_str(text).map_err(|e| format!("this is not JSON: {e}"))?;
    let results = file["results"].as_array().ok_or("`results` is no list")?;
    results
        .iter()
        .enumerate()
        .map(|(k, result)| read(result).ok_or_else(|| format!("result {k} is none of T4")))
        .collect()
}

fn read(result: &Value) -> Option<Imported> {
    let given = result["configuration"].as_object()?;
    let is_setting = |name: &String| KEYS.contains(&name.as_str());
    let settings = given.iter().filter(|(name, _)| is_setting(name));
    let settings = settings.map(|(key, name)| Some((key.clone(), name.as_str()?.to_owned()))).collect::<Option<_>>()?;
    let sizes = given.iter().filter(|(name, _)| *name != STRATEGY && !is_setting(name));
    let sizes = sizes.map(|(name, n)| Some((name.clone(), n.as_i64()?))).collect::<Option<_>>()?;
    let strategy = given.get(STRATEGY).map(|s| s.as_str().map(str::to_owned));
    let chosen = Chosen { settings, strategy: if let Some(named) = strategy { Some(named?) } else { None }, sizes };
    let is_right = result["invalidity"].as_str()? == "correct";
    let time = result["measurements"].as_array()?.iter().find(|m| m["name"] == "time");
    let scale = |m: &Value| match m["unit"].as_str() {
        Some("s") => 1.0,
        Some("us") => 1e-6,
        Some("ns") => 1e-9,
        _ => 1e-3,
    };
    Some((chosen, time.filter(|_| is_right).and_then(|m| Some(m["value"].as_f64()? * scale(m)))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(block: i64, outcome: Outcome) -> Entry {
        let sizes = [("BLOCK_0".to_owned(), block)].into();
        let chosen = Chosen { strategy: Some("rows".into()), ..Chosen::sizes(sizes) };
        Entry { kernel: "rt_f_0_k0".into(), chosen, device: "none".into(), call: Default::default(), outcome }
    }

    #[test]
    fn what_is_exported_is_imported() {
        let why = String::from;
        let all = [
            entry(8, Outcome::Ok { samples: vec![1e-3, 2e-3, 3e-3] }),
            entry(2, Outcome::Metered { samples: vec![4e-3], joules: 0.25 }),
            entry(16, Outcome::Differs { why: why("c[0] is 1 by the default, 2 here") }),
            entry(32, Outcome::Hangs { why: why("no answer within 1 s") }),
            entry(64, Outcome::Unbuilt { why: why("too much shared memory") }),
        ];
        let text = export(all.iter()).to_string();
        let read = import(&text).unwrap();
        let settings = [("sync".to_owned(), "relaunch".to_owned())].into();
        let whole = Entry { chosen: Chosen { settings, ..Chosen::default() }, ..all[0].clone() };
        assert_eq!(import(&export([whole.clone()].iter()).to_string()).unwrap()[0].0, whole.chosen);
        let seconds: Vec<(i64, Option<f64>)> = read.iter().map(|(chosen, s)| (chosen.sizes["BLOCK_0"], *s)).collect();
        assert!(read.iter().all(|(chosen, _)| chosen.strategy.as_deref() == Some("rows")));
        assert_eq!(seconds, [(8, Some(2e-3)), (2, Some(4e-3)), (16, None), (32, None), (64, None)]);
        for word in
            ["\"correct\"", "\"correctness\"", "\"timeout\"", "\"compile\"", "\"unit\":\"ms\"", "\"value\":0.25"]
        {
            assert!(text.contains(word), "{word}");
        }
    }

    #[test]
    fn what_is_no_t4_is_refused() {
        for text in [
            "",
            "{}",
            "{\"results\": 1}",
            "{\"results\": [{\"configuration\": {\"x\": \"y\"}}]}",
            "{\"results\": [{\"configuration\": {\"strategy\": 1}}]}",
        ] {
            assert!(import(text).is_err(), "{text}");
        }
    }
}
