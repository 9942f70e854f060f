//! Facts for people: aligned, within 80 columns, at most a screenful unless everything is asked for.

use super::facts::{Because, Bounded, Facts, Listed, PlaceBound, Safe};
use petite_search::Tendency;

use crate::progress_measure::{Origin, Shown};
use crate::sheet::Sheet;
use crate::units::grouped;

/// Most lines of a list that may be long.
const SCREENFUL: usize = 15;
/// Most terms of an invariant that may be long.
const TERMS: usize = 8;
/// Most actions of a run that may be long.
const ACTIONS: usize = 6;

/// How much is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// At most a screenful.
    Screenful,
    /// Everything.
    Everything,
}

impl Extent {
    fn most(self, usual: usize) -> usize {
        if self == Extent::Everything { usize::MAX } else { usual }
    }
}

/// The facts as text.
pub fn text(facts: &Facts, extent: Extent) -> String {
    let mut sheet = Sheet::default();
    sheet.named("model", &format!("{} ({})", facts.net, facts.model));
    if !facts.params.is_empty() {
        let params: Vec<_> = facts.params.iter().map(|(name, value)| format!("{name}={value}")).collect();
        sheet.named("parameters", &params.join(", "));
    }
    if !facts.properties.is_empty() {
        let properties: Vec<_> =
            facts.properties.iter().map(|(name, kind)| format!("{name} ({kind})")).collect();
        sheet.named("properties", &properties.join(", "));
    }
    sizes(&mut sheet, facts);
    sheet.blank();
    sheet.named("bounded", &bounded(&facts.bounded, extent));
    sheet.named("safe", safe(facts.safe));
    match &facts.progress {
        Some(shown) => {
            sheet.named("progress", &tendency(shown));
            sheet.named("measure", &shown.text(extent.most(TERMS)));
            if let Origin::Stated(name) = &shown.origin {
                sheet.named("stated as", &format!("{name}, in the property file"));
            }
        }
        None => sheet.named("progress", "no measure found"),
    }
    list(&mut sheet, "place invariants", &facts.place_invariants, extent);
    if let Some(invariants) = &facts.colour_invariants {
        list(&mut sheet, "invariants by colour", invariants, extent);
    }
    bounds(&mut sheet, &facts.bounds, extent);
    sheet.text
}

fn sizes(sheet: &mut Sheet, facts: &Facts) {
    sheet.blank();
    sheet.number("places", &grouped(facts.places), "");
    sheet.number("transitions", &grouped(facts.transitions), "");
    sheet.number("arcs", &grouped(facts.arcs), "");
    if facts.inhibitor_arcs > 0 {
        sheet.number("inhibitor arcs", &grouped(facts.inhibitor_arcs), "");
    }
    match facts.unfolded {
        Some(unfolded) => {
            sheet.number("slots", &grouped(unfolded.slots), "colours that places may hold");
            sheet.number("instances", &grouped(unfolded.instances), "transitions with a binding");
            sheet.number("bits of a state", &grouped(unfolded.state_bits), "");
        }
        None => sheet.number("instances", "-", "not listed (engine binding)"),
    }
    if let Some(units) = facts.units {
        let promise = if units.safe { "promised to be safe" } else { "" };
        sheet.number("nested units", &grouped(units.count), promise);
    }
}

fn bounded(bounded: &Bounded, extent: Extent) -> String {
    match bounded {
        Bounded::Yes => "yes, whatever the initial marking".to_owned(),
        Bounded::Unknown => "not known from the structure".to_owned(),
        Bounded::No { actions, places } => {
            let action = |(name, times): &(String, u64)| match times {
                1 => name.clone(),
                _ => format!("{times} times {name}"),
            };
            let actions: Vec<_> = actions.iter().map(action).collect();
            format!(
                "not by the structure: with enough tokens, {} can be repeated for ever, and tokens gather in {}",
                shortened(&actions, extent),
                shortened(places, extent)
            )
        }
    }
}

fn shortened(names: &[String], extent: Extent) -> String {
    let most = extent.most(ACTIONS);
    let mut text = names.iter().take(most).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > most {
        text.push_str(&format!(" and {} more", names.len() - most));
    }
    text
}

fn tendency(shown: &Shown) -> String {
    let Some(tendency) = shown.tendency else {
        return "what transitions do to the measure depends on their bindings, which are not listed"
            .to_owned();
    };
    let Tendency { progressing, keeping, regressing } = tendency;
    let [progress, keep, regress] = [progressing, keeping, regressing].map(grouped);
    let kind = if tendency.is_monotone() { "monotone" } else { "not monotone" };
    format!("{kind}: {progress} {} progress, {keep} keep, {regress} regress", shown.counted)
}

fn safe(safe: Safe) -> &'static str {
    match safe {
        Safe::Yes(Because::Structure) => "yes: no place ever holds a token twice",
        Safe::Yes(Because::Units) => "yes, as the model promises with its nested units",
        Safe::Yes(Because::Capacity) => "yes, by the capacities that the places state",
        Safe::No => "no: the initial marking has a token twice in a place",
        Safe::Unknown => "not known from the structure",
    }
}

fn list(sheet: &mut Sheet, name: &str, listed: &Listed, extent: Extent) {
    sheet.blank();
    let remark = if listed.complete { "" } else { "and perhaps others: stopped" };
    sheet.number(name, &grouped(listed.count), remark);
    let most = extent.most(SCREENFUL);
    for family in listed.families.iter().take(most) {
        let mut text = family.text(extent.most(TERMS));
        if family.members > 1 {
            text.push_str(&format!("   (and {} alike)", grouped(family.members - 1)));
        }
        sheet.folded("  ", 6, &text);
    }
    more(sheet, listed.families.len(), most);
}

fn bounds(sheet: &mut Sheet, bounds: &[PlaceBound], extent: Extent) {
    if bounds.is_empty() {
        return;
    }
    sheet.blank();
    sheet.line("most tokens in each place");
    let most = extent.most(SCREENFUL);
    for bound in bounds.iter().take(most) {
        let source = match (bound.tokens, bound.because) {
            (None, _) => "not known",
            (_, Because::Structure) => "",
            (_, Because::Capacity) => "capacity",
            (_, Because::Units) => "units",
        };
        let alike = bound.alike.map(|most| format!("{} of each colour", grouped(most)));
        let parts = [source.to_owned(), alike.unwrap_or_default()];
        let remark = parts.iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>().join(", ");
        let tokens = bound.tokens.map_or("-".to_owned(), grouped);
        sheet.number(&format!("  {}", bound.place), &tokens, &remark);
    }
    more(sheet, bounds.len(), most);
}

fn more(sheet: &mut Sheet, there: usize, shown: usize) {
    if there > shown {
        sheet.line(&format!("  ... and {} more (-v shows all)", grouped((there - shown) as u64)));
    }
}

#[cfg(test)]
mod tests {
    use super::super::facts::Unfolded;
    use super::super::families::Family;
    use super::*;
    use crate::sheet::WIDTH;

    fn sample() -> Facts {
        let names = (0..40).map(|i| format!("a_place_with_quite_a_long_name_{i}"));
        let family = |length: usize| Family {
            terms: names.clone().take(length).map(|name| (2, name)).collect(),
            value: -7,
            members: length as u64,
        };
        let bound = |place| PlaceBound { place, tokens: Some(4), alike: Some(1), because: Because::Capacity };
        Facts {
            model: "models/a.lna".to_owned(),
            net: "a".to_owned(),
            properties: vec![("p".to_owned(), "state"), ("q".to_owned(), "ltl")],
            places: 40,
            unfolded: Some(Unfolded { slots: 1234, instances: 5, state_bits: 6 }),
            place_invariants: Listed { families: (1..30).map(family).collect(), count: 435, complete: false },
            bounds: names.clone().map(bound).collect(),
            bounded: Bounded::No {
                actions: names.clone().map(|name| (name, 3)).collect(),
                places: names.clone().collect(),
            },
            ..Facts::default()
        }
    }

    #[test]
    fn lines_stay_within_the_screen() {
        for extent in [Extent::Screenful, Extent::Everything] {
            let text = text(&sample(), extent);
            assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
            assert!(text.lines().all(|line| line == line.trim_end()), "{text}");
        }
    }

    #[test]
    fn what_is_left_out_is_counted() {
        let short = text(&sample(), Extent::Screenful);
        assert!(short.lines().count() < 130, "{short}");
        // Where lines are broken does not matter here.
        let short = short.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(short.contains("... and 14 more (-v shows all)"), "{short}");
        assert!(short.contains("... and 25 more (-v shows all)"), "{short}");
        assert!(short.contains("435 and perhaps others: stopped"), "{short}");
        assert!(short.contains("(7 more) = -7 (and 14 alike)"), "{short}");
        let long = text(&sample(), Extent::Everything);
        assert!(
            !long.contains("more") && long.matches("a_place_with_quite_a_long_name_39").count() == 3,
            "{long}"
        );
    }
}
