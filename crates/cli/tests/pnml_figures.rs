//! Explores the smaller PNML models of a folder outside the repository, where there is one, and compares with the
//! figures stated beside them: set `PETITE_CORPUS` to it. `PETITE_MAX_STATES` raises the size of models tried.

use std::ops::ControlFlow;
use std::path::Path;
use std::rc::Rc;

use petite_lang::{ReadOptions, Source, pnml};
use petite_model::{Content, Engine, EngineChoice, Model, compile};
use petite_net::Net;
use petite_search::{Limits, Observer, Order, Report, Silent, Visit, explore};
use petite_store::Plain;

/// What is stated of a model: states, arcs, most tokens of one colour in a place, most tokens in all.
type Figures = [Option<u64>; 4];

/// The fields of a line with commas between them, and quotes around those that have commas themselves.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for character in line.chars() {
        match character {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => fields.last_mut().expect("there is always one").push(character),
        }
    }
    fields
}

fn stated(corpus: &Path) -> Vec<(String, Figures)> {
    let text = std::fs::read_to_string(corpus.join("MANIFEST.csv")).expect("a manifest");
    let mut lines = text.lines().map(fields);
    let header = lines.next().expect("a header");
    let columns = ["states", "arcs", "max_tokens_in_place", "max_tokens_total"]
        .map(|name| header.iter().position(|column| column == name).expect("a known column"));
    let models = lines.filter(|fields| fields[0].starts_with("pnml-"));
    models.map(|fields| (fields[0].clone(), columns.map(|column| fields[column].parse().ok()))).collect()
}

/// The most tokens of one colour in one place: the contest counts places of the unfolded net.
#[derive(Default)]
struct MostOfOneColour(u64);

impl<M: Model> Observer<M> for MostOfOneColour {
    fn state(&mut self, state: Visit<'_, M>, _: &[u64]) -> ControlFlow<()> {
        let layout = state.model.layout();
        for (slot, count) in state.model.packing().marked(state.words) {
            let group = layout.slots[slot.index()].group;
            assert_eq!(layout.groups[group.index()].content, Content::Counts);
            self.0 = self.0.max(u64::from(count));
        }
        ControlFlow::Continue(())
    }
}

fn explored<M: Model>(model: &mut M) -> (Report, u64) {
    let mut store = Plain::new(model.packing());
    let mut most = MostOfOneColour::default();
    let report = explore(model, &mut store, Order::BreadthFirst, &Limits::NONE, &mut Silent, &mut most);
    (report, most.0)
}

/// A net over the colours 1 to 3: place p holds all of them, place q none, and transition t leads from p to q.
fn three_colours(input: &str, output: &str) -> Rc<Net> {
    let arc = |source, target, term| {
        format!(
            "<arc id='{source}-{target}' source='{source}' target='{target}'>
             <hlinscription><structure>{term}</structure></hlinscription></arc>"
        )
    };
    let text = format!(
        "<pnml><net id='n' type='symmetricnet'>
         <declaration><structure><declarations>
         <namedsort id='C' name='C'><finiteintrange start='1' end='3'/></namedsort>
         <variabledecl id='x' name='x'><usersort declaration='C'/></variabledecl>
         <variabledecl id='y' name='y'><usersort declaration='C'/></variabledecl>
         </declarations></structure></declaration>
         <place id='p'><type><structure><usersort declaration='C'/></structure></type>
         <hlinitialMarking><structure><all><usersort declaration='C'/></all></structure></hlinitialMarking></place>
         <place id='q'><type><structure><usersort declaration='C'/></structure></type></place>
         <transition id='t'/>{}{}</net></pnml>",
        arc("p", "t", input),
        arc("t", "q", output)
    );
    Rc::new(pnml::read(&Source::new("three.pnml", text), &ReadOptions::default()).expect("a net"))
}

/// States and edges, the same from both engines.
fn states_and_edges(net: &Rc<Net>) -> (u64, u64) {
    let both = [EngineChoice::Unfolded, EngineChoice::Binding].map(|choice| {
        let (report, _) = match compile(net, choice).expect("a model") {
            Engine::Unfolded(mut model) => explored(&mut *model),
            Engine::Binding(mut model) => explored(&mut *model),
        };
        assert!(report.is_complete(), "{:?}", report.ending);
        (report.states, report.edges)
    });
    assert_eq!(both[0], both[1]);
    both[0]
}

#[test]
fn every_assignment_of_all_variables_is_an_instance() {
    let (x, y) = ("<variable refvariable='x'/>", "<variable refvariable='y'/>");
    // With k tokens moved there are C(3,k) ways to choose them and C(k+2,2) multi-sets of what they became; each
    // of the 3-k tokens left can become any of three.
    assert_eq!(states_and_edges(&three_colours(x, y)), (1 + 9 + 18 + 10, 9 + 9 * 6 + 18 * 3));
    // The other two colours are taken, and the one that stays is free.
    let others = format!(
        "<subtract><subterm><all><usersort declaration='C'/></all></subterm><subterm>{x}</subterm></subtract>"
    );
    assert_eq!(states_and_edges(&three_colours(&others, x)), (4, 3));
    // A successor cannot be matched with a token; it is the first colour behind the last one.
    let next = format!("<successor><subterm>{x}</subterm></successor>");
    assert_eq!(states_and_edges(&three_colours(&next, x)), (8, 3 * 4));
}

#[test]
fn figures_are_those_stated() {
    let Some(corpus) = std::env::var_os("PETITE_CORPUS") else { return };
    let corpus = Path::new(&corpus);
    let max_states =
        std::env::var("PETITE_MAX_STATES").ok().and_then(|text| text.parse().ok()).unwrap_or(10_000);
    let (mut n_equal, mut wrong) = (0, Vec::new());
    for (path, expected) in stated(corpus) {
        if expected[0].is_none_or(|states| states > max_states) {
            continue;
        }
        let text = pnml::decode(std::fs::read(corpus.join(&path).join("model.pnml")).unwrap()).unwrap();
        let net = pnml::read(&Source::new(&*path, text), &ReadOptions::default()).expect("a net");
        let (report, most) = match compile(&Rc::new(net), EngineChoice::Unfolded).expect("an unfolding") {
            Engine::Unfolded(mut model) => explored(&mut *model),
            Engine::Binding(mut model) => explored(&mut *model),
        };
        let found = [report.states, report.edges, most, report.max_tokens_total].map(Some);
        if found == expected && report.is_complete() {
            n_equal += 1;
        } else {
            wrong.push(format!("{path}: found {found:?}, expected {expected:?}, {:?}", report.ending));
        }
    }
    assert!(wrong.is_empty(), "{n_equal} equal\n{}", wrong.join("\n"));
    assert!(n_equal > 0, "the corpus has no small model");
}
