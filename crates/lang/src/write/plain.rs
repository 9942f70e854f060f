//! Place/transition nets as PNML.

use std::io::{Result, Write};

use petite_net::{Nupn, PlaceIdx, PlainNet, UnitIdx};

use super::ids::Ids;
use super::xml::Escaped;

/// The namespace of PNML.
pub(super) const NAMESPACE: &str = "http://www.pnml.org/version-2009/grammar/pnml";

/// Writes a net as PNML of type `ptnet`, inhibitor arcs as `type="inhibitor"`.
///
/// # Errors
/// Those of the sink.
pub fn plain_as_pnml(net: &PlainNet, sink: &mut dyn Write) -> Result<()> {
    let mut ids = Ids::default();
    let mut id = |id: &Option<Box<str>>, name: &str| match id {
        Some(id) => ids.take(id),
        None => ids.of_name(name),
    };
    let places: Vec<String> = net.places.iter().map(|place| id(&place.id, &place.name)).collect();
    let transitions: Vec<String> = net.transitions.iter().map(|t| id(&t.id, &t.name)).collect();
    let (net_id, page_id) = (ids.of_name(&net.name), ids.take("page"));
    begin(sink, "http://www.pnml.org/version-2009/grammar/ptnet", &net_id, &net.name)?;
    if let Some(nupn) = &net.nupn {
        units(nupn, &places, sink)?;
    }
    writeln!(sink, "    <page id=\"{}\">", Escaped(&page_id))?;
    for (place, id) in net.places.iter().zip(&places) {
        write!(sink, "      <place id=\"{}\">", Escaped(id))?;
        write!(sink, "<name><text>{}</text></name>", Escaped(&place.name))?;
        if place.tokens > 0 {
            write!(sink, "<initialMarking><text>{}</text></initialMarking>", place.tokens)?;
        }
        writeln!(sink, "</place>")?;
    }
    for (transition, id) in net.transitions.iter().zip(&transitions) {
        write!(sink, "      <transition id=\"{}\">", Escaped(id))?;
        writeln!(sink, "<name><text>{}</text></name></transition>", Escaped(&transition.name))?;
    }
    for (transition, id) in net.transitions.iter().zip(&transitions) {
        let place = |place: &PlaceIdx| places[place.index()].as_str();
        for (from, weight) in &transition.inputs {
            arc(sink, &mut ids, [place(from), id], *weight, "")?;
        }
        for (from, weight) in &transition.inhibitors {
            arc(sink, &mut ids, [place(from), id], *weight, " type=\"inhibitor\"")?;
        }
        for (to, weight) in &transition.outputs {
            arc(sink, &mut ids, [id, place(to)], *weight, "")?;
        }
    }
    end(sink)
}

/// The head of a document, up to the name of its net.
pub(super) fn begin(sink: &mut dyn Write, kind: &str, id: &str, name: &str) -> Result<()> {
    writeln!(sink, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(sink, "<pnml xmlns=\"{NAMESPACE}\">")?;
    writeln!(sink, "  <net id=\"{}\" type=\"{kind}\">", Escaped(id))?;
    writeln!(sink, "    <name><text>{}</text></name>", Escaped(name))
}

/// The end of a document that is in a page.
pub(super) fn end(sink: &mut dyn Write) -> Result<()> {
    write!(sink, "    </page>\n  </net>\n</pnml>\n")
}

fn arc(sink: &mut dyn Write, ids: &mut Ids, ends: [&str; 2], weight: u32, kind: &str) -> Result<()> {
    let [source, target] = ends.map(Escaped);
    let id = ids.take("arc");
    write!(sink, "      <arc id=\"{}\" source=\"{source}\" target=\"{target}\"{kind}>", Escaped(&id))?;
    if weight != 1 {
        write!(sink, "<inscription><text>{weight}</text></inscription>")?;
    }
    writeln!(sink, "</arc>")
}

/// The units that the places are nested in.
fn units(nupn: &Nupn, places: &[String], sink: &mut dyn Write) -> Result<()> {
    let name = |unit: &UnitIdx| nupn.units[unit.index()].name.as_str();
    writeln!(sink, "    <toolspecific tool=\"nupn\" version=\"1.1\">")?;
    let counts = (nupn.units.len(), Escaped(name(&nupn.root)), nupn.safe);
    writeln!(sink, "      <structure units=\"{}\" root=\"{}\" safe=\"{}\">", counts.0, counts.1, counts.2)?;
    for unit in &nupn.units {
        let list = |words: Vec<&str>| words.join(" ");
        let own = list(unit.places.iter().map(|place| places[place.index()].as_str()).collect());
        let nested = list(unit.subunits.iter().map(name).collect());
        write!(sink, "        <unit id=\"{}\">", Escaped(&unit.name))?;
        write!(sink, "<places>{}</places>", Escaped(&own))?;
        writeln!(sink, "<subunits>{}</subunits></unit>", Escaped(&nested))?;
    }
    writeln!(sink, "      </structure>\n    </toolspecific>")
}
