//! How a net grows without end, in words.

use petite_model::Model;
use petite_search::Unbounded;
use serde::Serialize;

use crate::units::grouped;

/// Most places and most steps of a run that are shown to people.
const SHOWN: usize = 20;

/// The places that grow, and a run that makes them: the prefix once, then the pump again and again.
#[derive(Debug, Serialize)]
pub struct Endless {
    /// Names of the places.
    pub places: Vec<String>,
    /// Steps from the initial state.
    pub prefix: Vec<String>,
    /// Steps to repeat.
    pub pump: Vec<String>,
}

impl Endless {
    /// What a search found, in the model's words.
    pub fn of<M: Model>(model: &M, proof: &Unbounded) -> Endless {
        let groups = proof.growing.iter().map(|group| model.layout().groups[group.index()].name.clone());
        Endless {
            places: groups.collect(),
            prefix: proof.prefix.iter().map(|&action| model.describe(action)).collect(),
            pump: proof.pump.iter().map(|&action| model.describe(action)).collect(),
        }
    }

    /// Lines for people of at most so many columns.
    pub fn lines(&self, width: usize) -> Vec<String> {
        let mut lines = Vec::new();
        list(&mut lines, "these places grow without end:", &self.places, width);
        if self.prefix.is_empty() {
            list(&mut lines, "when this is repeated from the initial state on:", &self.pump, width);
        } else {
            list(&mut lines, "after this run from the initial state:", &self.prefix, width);
            list(&mut lines, "when this is repeated:", &self.pump, width);
        }
        lines
    }
}

/// A title with items below it, not too many and not too long.
fn list(lines: &mut Vec<String>, title: &str, items: &[String], width: usize) {
    lines.push(title.to_owned());
    let room = width.saturating_sub(2);
    for item in items.iter().take(SHOWN) {
        let shown: String = match item.chars().count() > room {
            true => item.chars().take(room.saturating_sub(3)).chain("...".chars()).collect(),
            false => item.clone(),
        };
        lines.push(format!("  {shown}"));
    }
    if items.len() > SHOWN {
        lines.push(format!("  ... {} more", grouped((items.len() - SHOWN) as u64)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_cut_in_both_directions() {
        let steps = |n: usize| (0..n).map(|i| format!("t{i}")).collect::<Vec<_>>();
        let mut endless = Endless { places: steps(1), prefix: steps(0), pump: steps(2) };
        let repeated = "when this is repeated from the initial state on:";
        let expected = ["these places grow without end:", "  t0", repeated, "  t0", "  t1"];
        assert_eq!(endless.lines(80), expected);
        endless.prefix = steps(1234);
        endless.pump = vec!["é".repeat(100)];
        let lines = endless.lines(80);
        assert!(lines.contains(&"  ... 1,214 more".to_owned()), "{lines:?}");
        assert_eq!(lines.last().map(|line| line.chars().count()), Some(80));
        assert!(lines.iter().all(|line| line.chars().count() <= 80));
    }
}
