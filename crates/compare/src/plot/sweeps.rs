//! What a store's parameter trades: figures 8, 9 and 10 of paper 2, for any store with a parameter.

use super::axes::{Axis, Look, Series, draw};
use super::{Plot, PlotError};
use crate::comparison::Comparison;
use crate::figures::Figures;
use crate::row::Row;

/// Bytes of the store against the parameter, by powers: figure 8.
pub fn memory(comparison: &Comparison) -> Result<Option<Plot>, PlotError> {
    let Some(flag) = swept(comparison) else { return Ok(None) };
    let series = over_values(comparison, |figures| figures.store_bytes as f64);
    let title = format!("Memory of the store against {flag}");
    let drawing = draw(&title, (Axis::Plain, flag), (Axis::Bytes, "store"), &series)?;
    Ok(Some(Plot::new("sweep-memory", title, drawing)))
}

/// Time against the parameter: figure 9.
pub fn time(comparison: &Comparison) -> Result<Option<Plot>, PlotError> {
    let Some(flag) = swept(comparison) else { return Ok(None) };
    let series = over_values(comparison, |figures| figures.seconds);
    let title = format!("Time against {flag}");
    let drawing = draw(&title, (Axis::Plain, flag), (Axis::PlainSeconds, "time"), &series)?;
    Ok(Some(Plot::new("sweep-time", title, drawing)))
}

/// Memory against time, with a line for each value of the parameter over the sizes of the model: figure 10. Where the model
/// has one size only, the values of each way are joined.
pub fn trade(comparison: &Comparison) -> Result<Option<Plot>, PlotError> {
    let Some(flag) = swept(comparison) else { return Ok(None) };
    let first = comparison.rows.first().map(|row| &row.case.instance);
    let has_sizes = comparison.rows.iter().any(|row| Some(&row.case.instance) != first);
    let point = |figures: &Figures| (figures.seconds, figures.store_bytes as f64);
    let series = grouped(comparison, point, |row, value| match has_sizes {
        true => format!("{} {flag}={value}", row.case.way.name),
        false => row.case.way.name.clone(),
    });
    let title = format!("Memory of the store against time, for values of {flag}");
    let drawing = draw(&title, (Axis::Seconds, "time"), (Axis::Bytes, "store"), &series)?;
    Ok(Some(Plot::new("sweep-trade", title, drawing)))
}

/// The store's parameter that was swept.
fn swept(comparison: &Comparison) -> Option<&'static str> {
    comparison.rows.iter().filter(|row| row.is_whole()).find_map(|row| row.case.setting.map(|(flag, _)| flag))
}

/// A line for each way and size of the model, over the values of the parameter.
fn over_values(comparison: &Comparison, of: fn(&Figures) -> f64) -> Vec<Series> {
    let mut lines: Vec<Series> = Vec::new();
    for row in comparison.rows.iter().filter(|row| row.is_whole()) {
        let (Some((_, value)), Some(figures)) = (row.case.setting, &row.figures) else { continue };
        let mut case = row.case.clone();
        case.setting = None;
        push(&mut lines, case.name(), (value as f64, of(figures)));
    }
    lines
}

/// Lines of the rows that have the same name by `name`, which is given the value of the parameter.
fn grouped(
    comparison: &Comparison,
    point: impl Fn(&Figures) -> (f64, f64),
    name: impl Fn(&Row, i64) -> String,
) -> Vec<Series> {
    let mut lines: Vec<Series> = Vec::new();
    for row in comparison.rows.iter().filter(|row| row.is_whole()) {
        let (Some((_, value)), Some(figures)) = (row.case.setting, &row.figures) else { continue };
        push(&mut lines, name(row, value), point(figures));
    }
    lines
}

fn push(lines: &mut Vec<Series>, name: String, point: (f64, f64)) {
    match lines.iter_mut().find(|line| line.name == name) {
        Some(line) => line.points.push(point),
        None => lines.push(Series { name, points: vec![point], look: Look::Dotted }),
    }
}
