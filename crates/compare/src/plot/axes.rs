//! What all pictures share: a frame with axes, lines and points in colours of their own, and a list of names beside it.

use plotters::coord::Shift;
use plotters::coord::ranged1d::{AsRangedCoord, Ranged, ValueFormatter};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::PlotError;
use super::canvas::{self, Canvas};
use crate::number::{short_seconds, short_size};

/// Size of a picture.
const SIZE: (u32, u32) = (860, 480);

/// Columns of pixels for the names.
const NAMES: u32 = 190;

/// Labels of an axis by powers at most.
const MOST_KEYS: usize = 9;

/// Colours that are told apart by most eyes, also beside each other.
const COLOURS: [RGBColor; 16] = [
    RGBColor(0, 0, 0),
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(140, 80, 40),
    RGBColor(120, 120, 120),
    RGBColor(90, 60, 160),
    RGBColor(190, 30, 45),
    RGBColor(110, 140, 0),
    RGBColor(0, 150, 170),
    RGBColor(255, 120, 90),
    RGBColor(60, 90, 60),
    RGBColor(170, 140, 210),
];

/// Something to draw: points that may be joined.
pub struct Series {
    /// The name in the list.
    pub name: String,
    /// Where the points are.
    pub points: Vec<(f64, f64)>,
    /// How it is drawn.
    pub look: Look,
}

/// How points are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// A line through them.
    Line,
    /// A line with dots.
    Dotted,
    /// Full dots.
    Dots,
    /// Rings: there is something to be said against them.
    Rings,
    /// A thin grey line that has no name of its own in colours.
    Hint,
}

/// What an axis shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// Bytes, by powers.
    Bytes,
    /// Seconds, by powers.
    Seconds,
    /// Numbers of things, by powers.
    Count,
    /// Numbers as they are.
    Plain,
    /// Seconds as they are.
    PlainSeconds,
}

impl Axis {
    fn is_by_powers(self) -> bool {
        matches!(self, Axis::Bytes | Axis::Seconds | Axis::Count)
    }

    fn label(self, value: f64) -> String {
        match self {
            Axis::Bytes => short_size(value),
            Axis::Seconds | Axis::PlainSeconds => short_seconds(value),
            Axis::Count => power(value),
            Axis::Plain => format!("{value}"),
        }
    }
}

/// A large count in a few letters: `10`, `1k`, `2.5M`.
fn power(value: f64) -> String {
    let (scaled, unit) = match value {
        value if value >= 1e9 => (value / 1e9, "G"),
        value if value >= 1e6 => (value / 1e6, "M"),
        value if value >= 1e3 => (value / 1e3, "k"),
        value => (value, ""),
    };
    format!("{}{unit}", (scaled * 10.0).round() / 10.0)
}

/// A picture in two formats.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// As SVG.
    pub svg: String,
    /// As PNG.
    pub png: Vec<u8>,
}

/// Draws a picture with a title and a name for each axis.
///
/// # Errors
/// When it cannot be drawn.
pub fn draw(title: &str, x: (Axis, &str), y: (Axis, &str), series: &[Series]) -> Result<Drawing, PlotError> {
    let mut svg = String::new();
    draw_on(SVGBackend::with_string(&mut svg, SIZE), title, x, y, series)?;
    let mut pixels = Vec::new();
    draw_on(Canvas::new(&mut pixels, SIZE), title, x, y, series)?;
    Ok(Drawing { svg, png: canvas::png(&pixels, SIZE)? })
}

fn draw_on<B: DrawingBackend>(
    backend: B,
    title: &str,
    (x, x_name): (Axis, &str),
    (y, y_name): (Axis, &str),
    series: &[Series],
) -> Result<(), PlotError> {
    let area = backend.into_drawing_area();
    area.fill(&WHITE).map_err(failed)?;
    let (frame, names) = area.split_horizontally(SIZE.0 - NAMES);
    list(&names, series)?;
    let names = (title, x_name, y_name);
    let (over_x, over_y) = (extent(series, |point| point.0, x), extent(series, |point| point.1, y));
    let (xs, ys) = (over_x.0..over_x.1, over_y.0..over_y.1);
    let (x_keys, y_keys) = (keys(over_x, x), keys(over_y, y));
    match (x.is_by_powers(), y.is_by_powers()) {
        (true, true) => {
            let xs = xs.log_scale().with_key_points(x_keys);
            let ys = ys.log_scale().with_key_points(y_keys);
            picture(&frame, names, (x, y), xs, ys, series)?;
        }
        (true, false) => {
            let xs = xs.log_scale().with_key_points(x_keys);
            picture(&frame, names, (x, y), xs, ys, series)?;
        }
        (false, true) => {
            let ys = ys.log_scale().with_key_points(y_keys);
            picture(&frame, names, (x, y), xs, ys, series)?;
        }
        (false, false) => picture(&frame, names, (x, y), xs, ys, series)?,
    }
    area.present().map_err(failed)
}

fn failed<E: std::fmt::Display>(error: E) -> PlotError {
    PlotError(error.to_string())
}

/// The colour of the series at some place.
fn colour(at: usize, look: Look) -> RGBColor {
    match look {
        Look::Hint => RGBColor(170, 170, 170),
        _ => COLOURS[at % COLOURS.len()],
    }
}

/// From where to where an axis goes: all values, and a little more. By powers only values above zero have a place.
fn extent(series: &[Series], of: fn(&(f64, f64)) -> f64, axis: Axis) -> (f64, f64) {
    let has_place = |value: &f64| value.is_finite() && (*value > 0.0 || !axis.is_by_powers());
    let values = || series.iter().flat_map(|series| &series.points).map(of).filter(has_place);
    let (least, most) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    if least > most {
        return (1.0, 10.0);
    }
    if axis.is_by_powers() {
        return (least / 1.3, most * 1.3);
    }
    let margin = match most - least {
        0.0 => 1.0,
        length => length / 20.0,
    };
    (least.min(0.0), most + margin)
}

/// Where an axis by powers has its labels: at round numbers, not too many of them.
fn keys((from, to): (f64, f64), axis: Axis) -> Vec<f64> {
    // Zero has no power, and an axis that has it shows numbers as they are.
    if !axis.is_by_powers() || from <= 0.0 {
        return Vec::new();
    }
    // Sizes are round in powers of two, all else in tens.
    let (base, steps): (f64, &[f64]) = match axis {
        Axis::Bytes => (2.0, &[1.0]),
        _ => (10.0, &[1.0, 2.0, 5.0]),
    };
    let (first, last) = (from.log(base).floor(), to.log(base).ceil());
    // The casts are of logarithms.
    let powers = first as i32..=last as i32;
    let round = powers.flat_map(|power| steps.iter().map(move |step| base.powi(power) * step));
    let mut keys: Vec<f64> = round.filter(|key| (from..=to).contains(key)).collect();
    let mut stride = steps.len();
    while keys.len() > MOST_KEYS {
        // Whole powers are the last to go.
        let logs: Vec<i32> = keys.iter().map(|key| key.log(base).round() as i32).collect();
        let is_power = |key: f64, log: i32| (base.powi(log) / key - 1.0).abs() < 1e-9;
        let step = (stride / steps.len()) as i32;
        keys = keys
            .into_iter()
            .zip(logs)
            .filter(|&(key, log)| is_power(key, log) && log % step == 0)
            .map(|(key, _)| key)
            .collect();
        stride += steps.len();
    }
    keys
}

/// The frame, the axes, and everything in it.
fn picture<B, X, Y>(
    frame: &DrawingArea<B, Shift>,
    (title, x_name, y_name): (&str, &str, &str),
    (x, y): (Axis, Axis),
    xs: X,
    ys: Y,
    series: &[Series],
) -> Result<(), PlotError>
where
    B: DrawingBackend,
    X: AsRangedCoord<Value = f64>,
    Y: AsRangedCoord<Value = f64>,
    X::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
    Y::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let mut chart = ChartBuilder::on(frame)
        .margin(12)
        .caption(title, ("sans-serif", 17))
        .x_label_area_size(46)
        .y_label_area_size(92)
        .build_cartesian_2d(xs, ys)
        .map_err(failed)?;
    chart
        .configure_mesh()
        .x_desc(x_name)
        .y_desc(y_name)
        .x_labels(8)
        .y_labels(8)
        .max_light_lines(0)
        .label_style(("sans-serif", 12))
        .axis_desc_style(("sans-serif", 14))
        .x_label_formatter(&|value| x.label(*value))
        .y_label_formatter(&|value| y.label(*value))
        .draw()
        .map_err(failed)?;
    let has_place =
        |&&(at_x, at_y): &&(f64, f64)| (at_x > 0.0 || !x.is_by_powers()) && (at_y > 0.0 || !y.is_by_powers());
    for (at, one) in series.iter().enumerate() {
        let colour = colour(at, one.look);
        let points: Vec<(f64, f64)> = one.points.iter().filter(has_place).copied().collect();
        if matches!(one.look, Look::Line | Look::Dotted | Look::Hint) {
            let width = if one.look == Look::Hint { 1 } else { 2 };
            let line = LineSeries::new(points.iter().copied(), colour.stroke_width(width));
            chart.draw_series(line).map_err(failed)?;
        }
        let style = match one.look {
            Look::Dots | Look::Dotted => colour.filled(),
            Look::Rings => colour.stroke_width(2),
            Look::Line | Look::Hint => continue,
        };
        let dots = points.iter().map(|&point| Circle::new(point, 5, style));
        chart.draw_series(dots).map_err(failed)?;
        if matches!(one.look, Look::Dots | Look::Rings) {
            let right = chart.plotting_area().get_x_axis_pixel_range().end;
            let is_near_end = |point: &(f64, f64)| {
                let (at, _) = chart.backend_coord(point);
                at + 8 + letters_width(&one.name) > right
            };
            // A name that would leave the frame stands on the other side of its point.
            let sides: Vec<((f64, f64), bool)> =
                points.iter().map(|point| (*point, is_near_end(point))).collect();
            let name = |&(point, is_left): &((f64, f64), bool)| {
                let (from, side) = if is_left { (-8, HPos::Right) } else { (8, HPos::Left) };
                let font = ("sans-serif", 12).into_font().color(&colour).pos(Pos::new(side, VPos::Top));
                EmptyElement::at(point) + Text::new(one.name.clone(), (from, -6), font)
            };
            chart.draw_series(sides.iter().map(name)).map_err(failed)?;
        }
    }
    Ok(())
}

/// About how many columns of pixels a name beside a point takes.
fn letters_width(name: &str) -> i32 {
    7 * name.chars().count() as i32
}

/// The list of names; what has none is not in it.
fn list<B: DrawingBackend>(area: &DrawingArea<B, Shift>, series: &[Series]) -> Result<(), PlotError> {
    let room = SIZE.1 as i32 - 60;
    let step = (room / series.len().max(1) as i32).clamp(9, 22);
    for (at, one) in series.iter().enumerate().filter(|(_, one)| !one.name.is_empty()) {
        let y = 44 + step * at as i32;
        if y > SIZE.1 as i32 - 8 {
            break;
        }
        let colour = colour(at, one.look);
        if matches!(one.look, Look::Line | Look::Dotted | Look::Hint) {
            area.draw(&PathElement::new([(4, y), (24, y)], colour.stroke_width(2))).map_err(failed)?;
        }
        match one.look {
            Look::Dots | Look::Dotted => {
                area.draw(&Circle::new((14, y), 4, colour.filled())).map_err(failed)?;
            }
            Look::Rings => area.draw(&Circle::new((14, y), 4, colour.stroke_width(2))).map_err(failed)?,
            Look::Line | Look::Hint => {}
        }
        let size = if step < 14 { 9 } else { 12 };
        area.draw(&Text::new(one.name.clone(), (30, y - size / 2), ("sans-serif", size).into_font()))
            .map_err(failed)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped() {
        let series = [Series { name: "<&>".to_owned(), points: vec![(1.0, 1.0)], look: Look::Dots }];
        let svg = draw("a < b", (Axis::Bytes, "x"), (Axis::Plain, "y"), &series).unwrap().svg;
        assert!(!svg.contains("<&>") && !svg.contains("a < b"), "{svg}");
    }

    #[test]
    fn names_stay_inside_the_frame() {
        let at = |x: f64| Series { name: "a-long-name".to_owned(), points: vec![(x, 1.0)], look: Look::Dots };
        let svg = draw("", (Axis::Plain, "x"), (Axis::Plain, "y"), &[at(0.0), at(100.0)]).unwrap().svg;
        let names = svg.split("<text").filter(|text| text.contains("a-long-name")).collect::<Vec<_>>();
        // Two in the list, then one to the right of its point and one to the left.
        let ends = names.iter().filter(|text| text.contains("text-anchor=\"end\"")).count();
        assert_eq!((names.len(), ends), (4, 1), "{svg}");
    }

    #[test]
    fn odd_values_have_no_place() {
        let points = vec![(0.0, 0.0), (f64::NAN, 1.0), (3.0, f64::INFINITY), (2.0, 5.0)];
        let series = [Series { name: String::new(), points, look: Look::Dots }];
        assert_eq!(extent(&series, |point| point.0, Axis::Bytes), (2.0 / 1.3, 3.0 * 1.3));
        assert_eq!(extent(&[], |point| point.0, Axis::Bytes), (1.0, 10.0));
        assert_eq!(extent(&series, |point| point.1, Axis::Plain), (0.0, 5.25));
    }

    #[test]
    fn labels_are_round_and_few() {
        assert_eq!(keys((0.8, 30.0), Axis::Seconds), [1.0, 2.0, 5.0, 10.0, 20.0]);
        assert_eq!(keys((5000.0, 40_000.0), Axis::Bytes), [8192.0, 16384.0, 32768.0]);
        assert!(keys((0.0, 10.0), Axis::Plain).is_empty());
        for range in [(1.0, 1e12), (1e-6, 1e6), (1.0, 1e300)] {
            for axis in [Axis::Bytes, Axis::Seconds, Axis::Count] {
                let keys = keys(range, axis);
                assert!((1..=MOST_KEYS).contains(&keys.len()), "{range:?} {keys:?}");
            }
        }
    }

    #[test]
    fn large_counts_are_short() {
        assert_eq!([10.0, 1000.0, 2.5e6, 3e9].map(power), ["10", "1k", "2.5M", "3G"]);
    }
}
