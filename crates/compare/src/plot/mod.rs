//! The pictures of a comparison, as SVG and as PNG.
//!
//! | name | shows | when |
//! |---|---|---|
//! | `memory-time` | peak memory against time, a point for each way, the Pareto front joined | always |
//! | `memory-states` | memory against states found, a line for each way | where there are samples |
//! | `sweep-memory` | memory against a store's parameter (paper 2, figure 8) | with such a sweep |
//! | `sweep-time` | time against it (figure 9) | with such a sweep |
//! | `sweep-trade` | time against memory, a line for each value over the sizes of the model (figure 10) | with such a sweep |

mod axes;
mod canvas;
mod points;
mod sweeps;

pub use axes::{Axis, Drawing, Look, Series, draw};

use crate::comparison::Comparison;

/// A picture.
#[derive(Clone, Debug)]
pub struct Plot {
    /// A name for its file, without an extension.
    pub name: &'static str,
    /// What it shows.
    pub title: String,
    /// The picture as SVG.
    pub svg: String,
    /// The picture as PNG.
    pub png: Vec<u8>,
}

impl Plot {
    fn new(name: &'static str, title: impl Into<String>, Drawing { svg, png }: Drawing) -> Plot {
        Plot { name, title: title.into(), svg, png }
    }
}

/// Why a picture could not be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlotError(pub String);

impl std::fmt::Display for PlotError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "cannot draw the plot: {}", self.0)
    }
}

/// All pictures for which there is something to draw.
///
/// # Errors
/// When one cannot be drawn.
pub fn plots(comparison: &Comparison) -> Result<Vec<Plot>, PlotError> {
    let all = [
        points::memory_time(comparison)?,
        points::memory_states(comparison)?,
        sweeps::memory(comparison)?,
        sweeps::time(comparison)?,
        sweeps::trade(comparison)?,
    ];
    Ok(all.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::tests::sample;
    use crate::row::tests::row;

    #[test]
    fn pictures_show_what_there_is() {
        let plots = plots(&sample()).unwrap();
        assert_eq!(plots.iter().map(|plot| plot.name).collect::<Vec<_>>(), ["memory-time", "memory-states"]);
        for plot in &plots {
            assert!(plot.svg.starts_with("<svg") && plot.svg.trim_end().ends_with("</svg>"), "{}", plot.svg);
            assert!(plot.svg.contains("tree") && plot.svg.contains("hashcompact"), "{}", plot.svg);
            assert!(!plot.svg.contains("NaN") && !plot.svg.contains("inf"), "{}", plot.svg);
            assert!(plot.png.starts_with(b"\x89PNG") && plot.png.len() > 5000, "{} bytes", plot.png.len());
        }
        // Each line has a point for each sample, which are many.
        assert!(plots[1].svg.matches("<polyline").count() >= 5, "{}", plots[1].svg);
    }

    #[test]
    fn nothing_to_draw_gives_no_picture() {
        assert!(plots(&Comparison::default()).unwrap().is_empty());
        let mut one = Comparison::default();
        one.rows.push(row("plain", 0.0, 0, 0));
        one.rows[0].samples.clear();
        for plot in plots(&one).unwrap() {
            assert!(!plot.svg.contains("NaN"), "{}", plot.svg);
        }
    }

    #[test]
    fn sweeps_have_three_more() {
        let mut all = Comparison::default();
        for n in [2, 3] {
            for k in [1i32, 5, 20] {
                let mut row = row("delta", f64::from(k), 900 / u64::from(k.unsigned_abs()), 4 << 20);
                row.case.setting = Some(("k", k.into()));
                row.case.instance = vec![("N".to_owned(), n)];
                all.rows.push(row);
            }
        }
        let plots = plots(&all).unwrap();
        assert_eq!(plots.len(), 5);
        assert!(plots[2].svg.contains("delta, N=3") && plots[4].svg.contains("k=20"), "{}", plots[4].svg);
    }
}
