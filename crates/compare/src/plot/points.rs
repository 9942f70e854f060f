//! Memory against time, and memory against states.

use super::axes::{Axis, Look, Series, draw};
use super::{Plot, PlotError};
use crate::comparison::Comparison;
use crate::row::Row;

/// A point for each way, and the Pareto front joined.
pub fn memory_time(comparison: &Comparison) -> Result<Option<Plot>, PlotError> {
    let front = comparison.front();
    let mut series = Vec::new();
    for row in &comparison.rows {
        let Some(figures) = &row.figures else { continue };
        let name = match row.is_whole() {
            true => row.case.name(),
            false => format!("{} (ended early)", row.case.name()),
        };
        let look = if row.is_exact() { Look::Dots } else { Look::Rings };
        series.push(Series { name, points: vec![(figures.seconds, figures.memory() as f64)], look });
    }
    if series.is_empty() {
        return Ok(None);
    }
    series.extend(fronts(&comparison.rows, &front));
    let title = "Peak memory against time";
    let drawing = draw(title, (Axis::Seconds, "time"), (Axis::Bytes, "peak resident memory"), &series)?;
    Ok(Some(Plot::new("memory-time", title, drawing)))
}

/// The fronts of all sizes of the model, as lines.
fn fronts(rows: &[Row], front: &[bool]) -> Vec<Series> {
    let on_front = || rows.iter().zip(front).filter(|(_, is_on_front)| **is_on_front).map(|(row, _)| row);
    let mut lines: Vec<Series> = Vec::new();
    let mut instances: Vec<&Vec<(String, i64)>> = Vec::new();
    for row in on_front() {
        if instances.contains(&&row.case.instance) {
            continue;
        }
        instances.push(&row.case.instance);
        let same = on_front().filter(|other| other.case.instance == row.case.instance);
        let figures = same.filter_map(|other| other.figures.as_ref());
        let mut points: Vec<(f64, f64)> =
            figures.map(|figures| (figures.seconds, figures.memory() as f64)).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        // One name will do for all of them.
        let name = if lines.is_empty() { "Pareto front".to_owned() } else { String::new() };
        lines.push(Series { name, points, look: Look::Hint });
    }
    lines
}

/// A line for each way.
pub fn memory_states(comparison: &Comparison) -> Result<Option<Plot>, PlotError> {
    let series: Vec<Series> = comparison
        .rows
        .iter()
        .filter(|row| !row.samples.is_empty())
        .map(|row| Series {
            name: row.case.name(),
            points: row.samples.iter().map(|sample| (sample.states as f64, sample.bytes() as f64)).collect(),
            look: Look::Line,
        })
        .collect();
    if series.is_empty() {
        return Ok(None);
    }
    let title = "Memory against states found";
    let y = (Axis::Bytes, "store, model and frontier");
    let drawing = draw(title, (Axis::Count, "states"), y, &series)?;
    Ok(Some(Plot::new("memory-states", title, drawing)))
}
