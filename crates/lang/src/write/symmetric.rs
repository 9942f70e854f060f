//! Coloured nets as PNML of type `symmetricnet`, where that can say what they do.
//!
//! Symmetric nets know tuples of variables, constants and neighbours of variables, sums of them, and conditions.
//! Expressions are not translated by their form but by what they compute, see [`super::terms`]: `(x + 1) mod 5` is a
//! successor, and a condition on few values is a list of those for which it holds. What is left (functions on several
//! variables, lists, priorities) needs the net unfolded.
//!
//! An instance of a symmetric net has a value for each variable around its transition. So every variable of a
//! binding must stand in an inscription or in the guard, and what is picked must be picked from its whole type.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{Result as IoResult, Write};

use petite_net::{
    Arc, Evaluator, ExprKind, IterDomain, Kind, Net, Place, PlaceIdx, PriorityClass, Sign, TransIdx,
    Transition, Value,
};

use super::ids::Ids;
use super::plain::{begin, end};
use super::sorts::{SortId, Sorts};
use super::terms::{Scope, tuple};
use super::xml::Escaped;
use super::{Unsayable, unsayable};

/// A coloured net that has been put into the words of a symmetric net.
#[derive(Debug)]
pub struct Symmetric {
    name: String,
    ids: [String; 2],
    declarations: String,
    nodes: String,
}

impl Symmetric {
    /// Writes the net as PNML.
    ///
    /// # Errors
    /// Those of the sink.
    pub fn write(&self, sink: &mut dyn Write) -> IoResult<()> {
        let [net, page] = &self.ids;
        begin(sink, "http://www.pnml.org/version-2009/grammar/symmetricnet", net, &self.name)?;
        writeln!(sink, "    <declaration><structure><declarations>")?;
        sink.write_all(self.declarations.as_bytes())?;
        writeln!(sink, "    </declarations></structure></declaration>")?;
        writeln!(sink, "    <page id=\"{}\">", Escaped(page))?;
        sink.write_all(self.nodes.as_bytes())?;
        end(sink)
    }
}

/// Puts a net into the words of a symmetric net. Capacities are left out.
///
/// # Errors
/// The first thing that a symmetric net cannot say.
pub fn symmetric(net: &Net) -> Result<Symmetric, Unsayable> {
    let mut ids = Ids::default();
    let places: Vec<String> =
        (0..net.places.len()).map(|place| ids.take(net.place_id(PlaceIdx::new(place)))).collect();
    let transitions: Vec<String> = (0..net.transitions.len())
        .map(|transition| ids.take(net.transition_id(TransIdx::new(transition))))
        .collect();
    let mut writer = Writer {
        net,
        sorts: Sorts::new(places.iter().chain(&transitions)),
        domains: Vec::new(),
        variables: Vec::new(),
        numbers: HashMap::new(),
        text: String::new(),
        ids,
    };
    for (place, id) in net.places.iter().zip(&places) {
        writer.place(place, id)?;
    }
    for (transition, id) in net.transitions.iter().zip(&transitions) {
        writer.transition(transition, id, &places)?;
    }
    let Writer { sorts, variables, text: nodes, mut ids, .. } = writer;
    let mut declarations = sorts.declarations(net);
    for (i, (name, sort)) in variables.iter().enumerate() {
        let (id, name) = (sorts.variable(i), Escaped(name));
        let sort = sorts.reference(*sort);
        let _ =
            writeln!(declarations, "        <variabledecl id=\"{id}\" name=\"{name}\">{sort}</variabledecl>");
    }
    let ids = [ids.of_name(&net.name.text), ids.take("page")];
    Ok(Symmetric { name: net.name.text.clone(), ids, declarations, nodes })
}

struct Writer<'n> {
    net: &'n Net,
    sorts: Sorts,
    /// The sorts of the components of each place's tokens.
    domains: Vec<Vec<SortId>>,
    /// Declared variables, shared by the transitions: name and sort.
    variables: Vec<(String, SortId)>,
    numbers: HashMap<(String, SortId), usize>,
    text: String,
    ids: Ids,
}

impl Writer<'_> {
    fn place(&mut self, place: &Place, id: &str) -> Result<(), Unsayable> {
        let Kind::Struct { components } = &self.net.types[place.domain].kind else {
            return unsayable("a place of tokens that are no tuples", place.name.span);
        };
        let sorts = components.iter().map(|c| self.sorts.of(self.net, c.ty, place.name.span));
        let sorts: Vec<SortId> = sorts.collect::<Result<_, _>>()?;
        let product = self.sorts.product(&sorts);
        let _ = write!(
            self.text,
            "      <place id=\"{}\"><name><text>{}</text></name><type><structure>{product}</structure></type>",
            Escaped(id),
            Escaped(&place.name.text),
        );
        let marking = self.marking(place, &sorts, &product);
        if !marking.is_empty() {
            let marking = sum(marking);
            let _ =
                write!(self.text, "<hlinitialMarking><structure>{marking}</structure></hlinitialMarking>");
        }
        self.text.push_str("</place>\n");
        self.domains.push(sorts);
        Ok(())
    }

    /// The initial tokens: all values of the sort at once where they are there equally often.
    fn marking(&self, place: &Place, sorts: &[SortId], product: &str) -> Vec<String> {
        let first = place.initial.iter().next().map_or(0, |(_, count)| count);
        let sizes = sorts.iter().map(|&sort| {
            let (low, high) = self.sorts.bounds(self.net, sort);
            (high - low) as u64 + 1
        });
        let n_values = sizes.fold(1u64, u64::saturating_mul);
        let is_all = !sorts.is_empty()
            && place.initial.n_distinct() as u64 == n_values
            && place.initial.iter().all(|(_, count)| count == first);
        if is_all {
            return vec![multiple(first, &format!("<all>{product}</all>"))];
        }
        let token = |(token, count): (&Value, u32)| {
            let items = token.items().iter().zip(sorts);
            multiple(
                count,
                &tuple(items.map(|(item, &sort)| self.sorts.constant(sort, item.int())).collect()),
            )
        };
        place.initial.iter().map(token).collect()
    }

    fn transition(&mut self, transition: &Transition, id: &str, places: &[String]) -> Result<(), Unsayable> {
        let span = transition.name.span;
        if transition.priority.is_some() || transition.class != PriorityClass::NONE {
            return unsayable("priorities", span);
        }
        if !transition.lets.is_empty() {
            return unsayable("let variables", span);
        }
        for pick in &transition.picks {
            let variable = self.sorts.of(self.net, transition.variables[pick.var.index()].ty, pick.span)?;
            let picked = match &pick.domain {
                IterDomain::Type(ty, None) => self.sorts.of(self.net, *ty, pick.span)?,
                _ => return unsayable("a variable that is picked from a part of its type", pick.span),
            };
            if variable != picked {
                return unsayable("a variable that is picked from a part of its type", pick.span);
            }
        }
        let mut used = vec![false; transition.variables.len()];
        let _ = write!(
            self.text,
            "      <transition id=\"{}\"><name><text>{}</text></name>",
            Escaped(id),
            Escaped(&transition.name.text)
        );
        if let Some(guard) = &transition.guard {
            let guard = self.scope(transition, &mut used).condition(guard)?;
            let _ = write!(self.text, "<condition><structure>{guard}</structure></condition>");
        }
        self.text.push_str("</transition>\n");
        for arc in &transition.inputs {
            let ends = [places[arc.place.index()].as_str(), id];
            self.arc(transition, arc, ends, &mut used)?;
        }
        for arc in &transition.inhibitors {
            self.inhibitor(arc, [&places[arc.place.index()], id])?;
        }
        for arc in &transition.outputs {
            let ends = [id, places[arc.place.index()].as_str()];
            self.arc(transition, arc, ends, &mut used)?;
        }
        match transition.binding.iter().find(|var| !used[var.index()]) {
            Some(_) => unsayable("a variable that is in no inscription and not in the guard", span),
            None => Ok(()),
        }
    }

    fn scope<'s>(&'s mut self, transition: &'s Transition, used: &'s mut [bool]) -> Scope<'s> {
        Scope {
            net: self.net,
            transition,
            evaluator: Evaluator::new(&self.net.types, &self.net.functions),
            sorts: &mut self.sorts,
            variables: &mut self.variables,
            numbers: &mut self.numbers,
            used,
        }
    }

    fn arc(
        &mut self,
        transition: &Transition,
        arc: &Arc,
        ends: [&str; 2],
        used: &mut [bool],
    ) -> Result<(), Unsayable> {
        let domain = self.domains[arc.place.index()].clone();
        let mut scope = self.scope(transition, used);
        let (mut added, mut taken_away) = (Vec::new(), Vec::new());
        for term in &arc.terms {
            let tokens = scope.term(term, &domain)?.into_iter();
            let tokens = tokens.map(|(count, token)| multiple(count, &token));
            match term.sign {
                Sign::Plus => added.extend(tokens),
                Sign::Minus => taken_away.extend(tokens),
            }
        }
        if added.is_empty() {
            return match taken_away.is_empty() {
                // An arc that moves no tokens needs not be written.
                true => Ok(()),
                false => unsayable("tokens taken away from nothing", arc.span),
            };
        }
        let mut inscription = sum(added);
        if !taken_away.is_empty() {
            let operands: String = [inscription, sum(taken_away)].iter().map(|text| subterm(text)).collect();
            inscription = format!("<subtract>{operands}</subtract>");
        }
        self.begin_arc(ends, "");
        let _ =
            writeln!(self.text, "<hlinscription><structure>{inscription}</structure></hlinscription></arc>");
        Ok(())
    }

    /// An inhibitor arc: from places with black tokens only, with a fixed weight.
    fn inhibitor(&mut self, arc: &Arc, ends: [&str; 2]) -> Result<(), Unsayable> {
        for term in &arc.terms {
            let weight = match &term.factor {
                None => Some(1),
                Some(factor) => match factor.kind {
                    ExprKind::Const(Value::Int(weight)) => u32::try_from(weight).ok().filter(|&w| w > 0),
                    _ => None,
                },
            };
            let plain = term.can_bind() && self.domains[arc.place.index()].is_empty();
            let Some(weight) = weight.filter(|_| plain) else {
                return unsayable("inhibitor arcs from coloured places", arc.span);
            };
            self.begin_arc(ends, " type=\"inhibitor\"");
            let _ = writeln!(self.text, "<inscription><text>{weight}</text></inscription></arc>");
        }
        Ok(())
    }

    fn begin_arc(&mut self, ends: [&str; 2], kind: &str) {
        let [source, target] = ends.map(Escaped);
        let id = self.ids.take("arc");
        let id = Escaped(&id);
        let _ = write!(self.text, "      <arc id=\"{id}\" source=\"{source}\" target=\"{target}\"{kind}>");
    }
}

/// An operand.
pub(super) fn subterm(text: &str) -> String {
    format!("<subterm>{text}</subterm>")
}

/// A number of equal tokens.
fn multiple(count: u32, token: &str) -> String {
    let number = format!("<numberconstant value=\"{count}\"><positive/></numberconstant>");
    format!("<numberof>{}{}</numberof>", subterm(&number), subterm(token))
}

/// The sum of at least one multi-set.
fn sum(mut parts: Vec<String>) -> String {
    match parts.len() {
        1 => parts.swap_remove(0),
        _ => format!("<add>{}</add>", parts.iter().map(|part| subterm(part)).collect::<String>()),
    }
}
