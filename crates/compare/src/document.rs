//! The comparison as one JSON document.

use serde_json::{Map, Value, json};

use crate::break_even::BreakEven;
use crate::comparison::{Comparison, Fact};
use crate::row::Row;
use crate::sample::Sample;

/// One object with everything that is known.
pub fn document(comparison: &Comparison) -> Value {
    let front = comparison.front();
    let rows: Vec<Value> = comparison
        .rows
        .iter()
        .zip(front)
        .map(|(row, is_on_front)| of_row(comparison, row, is_on_front))
        .collect();
    json!({
        "model": comparison.model,
        "facts": facts(&comparison.facts),
        "machine": facts(&comparison.machine),
        "command": comparison.command,
        "disagreement": comparison.disagreement(),
        "rows": rows,
    })
}

fn facts(facts: &[Fact]) -> Value {
    let pairs = facts.iter().map(|(name, words)| (name.replace(' ', "_"), Value::from(words.as_str())));
    Value::Object(pairs.collect::<Map<_, _>>())
}

fn of_row(comparison: &Comparison, row: &Row, is_on_front: bool) -> Value {
    let case = &row.case;
    let instance: Map<_, _> =
        case.instance.iter().map(|(name, value)| (name.clone(), Value::from(*value))).collect();
    let setting = case.setting.map(|(flag, value)| json!({ flag: value }));
    let mut object = json!({
        "name": case.name(), "store": case.way.store, "codec": case.way.codec.unwrap_or("packed"),
        "search": case.way.search, "setting": setting, "instance": instance,
        "status": row.status(), "complete": row.end == crate::End::Complete, "pareto": is_on_front,
        "remark": row.remark(), "command": row.command,
        "memory_ratio": comparison.memory_ratio(row), "time_ratio": comparison.time_ratio(row),
    });
    if let (Some(figures), Value::Object(fields)) = (&row.figures, &mut object) {
        let more = json!({
            "exact": figures.exact, "omission_probability": figures.omission,
            "states": figures.states, "edges": figures.edges, "dead_states": figures.dead_states,
            "seconds": figures.seconds, "states_per_second": figures.states_per_second(),
            "store_bytes": figures.store_bytes, "bytes_per_state": figures.bytes_per_state(),
            "vector_bytes": figures.vector_bytes, "model_bytes": figures.model_bytes,
            "frontier_bytes": figures.frontier_bytes, "peak_rss_bytes": figures.peak_bytes,
            "state_bits": figures.state_bits,
            "break_even_states": match figures.break_even {
                None => Value::Null,
                Some(BreakEven::At(states)) => states.into(),
                Some(BreakEven::Never) => "never".into(),
            },
        });
        if let Value::Object(more) = more {
            fields.extend(more);
        }
        // Seconds, states, bytes: short, because there are many of them.
        let samples =
            row.samples.iter().map(|sample: &Sample| json!([sample.seconds, sample.states, sample.bytes()]));
        fields.insert("samples".to_owned(), samples.collect());
    }
    object
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::tests::sample;

    #[test]
    fn rows_have_figures_or_reasons() {
        let value = document(&sample());
        assert_eq!(value["rows"][1]["bytes_per_state"], json!(1.37));
        assert_eq!(value["rows"][1]["pareto"], json!(true));
        assert_eq!(value["rows"][2]["break_even_states"], json!(204));
        assert_eq!(value["rows"][3]["status"], json!("limit"));
        assert_eq!(
            (&value["rows"][5]["status"], &value["rows"][5]["states"]),
            (&json!("refused"), &Value::Null)
        );
        assert_eq!(value["rows"][0]["samples"][0], json!([0.001, 1, 120]));
        assert_eq!(value["machine"]["processor"], json!("some <CPU>"));
    }
}
