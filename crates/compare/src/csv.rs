//! The comparison as comma-separated values, one line for each row.

use crate::comparison::Comparison;

/// The names of the columns.
const HEADER: &str = "name,store,codec,search,setting,value,instance,status,exact,states,edges,dead_states,seconds,\
states_per_second,store_bytes,bytes_per_state,vector_bytes,model_bytes,frontier_bytes,peak_rss_bytes,memory_ratio,\
time_ratio,pareto,break_even_states,remark,command";

/// The table for a spreadsheet. A number that is not known is empty.
pub fn csv(comparison: &Comparison) -> String {
    let mut text = format!("{HEADER}\n");
    for (row, is_on_front) in comparison.rows.iter().zip(comparison.front()) {
        let case = &row.case;
        let instance: Vec<String> =
            case.instance.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let figures = row.figures.as_ref();
        let count = |read: fn(&crate::Figures) -> Option<u64>| text_of(figures.and_then(read));
        let number = |read: fn(&crate::Figures) -> Option<f64>| text_of(figures.and_then(read));
        let cells = [
            case.name(),
            case.way.store.to_owned(),
            case.way.codec.unwrap_or("packed").to_owned(),
            case.way.search.to_owned(),
            case.setting.map(|(flag, _)| flag.to_owned()).unwrap_or_default(),
            text_of(case.setting.map(|(_, value)| value)),
            instance.join(" "),
            row.status().to_owned(),
            text_of(figures.map(|figures| figures.exact)),
            count(|figures| Some(figures.states)),
            count(|figures| Some(figures.edges)),
            count(|figures| figures.dead_states),
            number(|figures| Some(figures.seconds)),
            number(|figures| figures.states_per_second()),
            count(|figures| Some(figures.store_bytes)),
            number(|figures| figures.bytes_per_state()),
            number(|figures| figures.vector_bytes),
            count(|figures| Some(figures.model_bytes)),
            count(|figures| Some(figures.frontier_bytes)),
            count(|figures| figures.peak_bytes),
            text_of(comparison.memory_ratio(row)),
            text_of(comparison.time_ratio(row)),
            is_on_front.to_string(),
            text_of(figures.and_then(|figures| match figures.break_even? {
                crate::BreakEven::At(states) => Some(states.to_string()),
                crate::BreakEven::Never => Some("never".to_owned()),
            })),
            row.remark().unwrap_or_default(),
            row.command.clone(),
        ];
        text += &cells.map(|cell| quoted(&cell)).join(",");
        text.push('\n');
    }
    text
}

fn text_of<T: ToString>(value: Option<T>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// A cell in quotes where it needs them.
fn quoted(cell: &str) -> String {
    match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::tests::sample;

    #[test]
    fn every_line_has_every_column() {
        let mut all = sample();
        all.rows[0].command = "petite explore 'a, \"b\".lna'".to_owned();
        let text = csv(&all);
        assert!(text.contains(r#","petite explore 'a, ""b"".lna'""#), "{text}");
        let columns = HEADER.split(',').count();
        for line in text.lines().skip(2).filter(|line| !line.contains('"')) {
            assert_eq!(line.split(',').count(), columns, "{line}");
        }
        assert_eq!(text.lines().count(), 1 + all.rows.len());
        assert!(text.contains("\nsweep,plain,packed,sweep,,,,refused,,,,"), "{text}");
    }
}
