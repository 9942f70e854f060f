//! Groups that a codec may leave out, implied and constant ones, come back as they were: in every reachable state of nets
//! in which they are wiped out or filled with something else before the model completes the state.
//!
//! The nets are our own models, one for each kind of contents, and random ones.

use std::rc::Rc;

use petite_bits::mix64;
use petite_lang::{ReadOptions, Source, maria};
use petite_model::{Engine, EngineChoice, GroupIdx, Model, compile};
use petite_net::Net;
use petite_search::{Ending, Limits, NoObserver, Order, Silent, explore};
use petite_store::{Coded, Figure, Lookup, Multiset, MultisetOptions, Plain, StateId, StateSet};

/// States that are looked at, at most.
const MOST_STATES: u64 = 3000;

fn read(text: &str, options: &ReadOptions) -> Rc<Net> {
    let mut no_files = |file: &str, _: &str| Err(format!("{file} is not included"));
    let net = maria::read(&mut vec![Source::new("net.pn", text)], options, &mut no_files);
    Rc::new(net.unwrap_or_else(|problems| panic!("{problems:?}\n{text}")))
}

/// Completes all states of a net with both engines; gives how many groups are left out.
fn check(net: &Rc<Net>, text: &str) -> usize {
    let mut n_left_out = 0;
    for choice in [EngineChoice::Unfolded, EngineChoice::Binding] {
        n_left_out = match compile(net, choice) {
            Ok(Engine::Unfolded(mut model)) => check_engine(&mut *model, text),
            Ok(Engine::Binding(mut model)) => check_engine(&mut *model, text),
            Err(error) => panic!("{error}\n{text}"),
        };
    }
    n_left_out
}

fn check_engine<M: Model>(model: &mut M, text: &str) -> usize {
    let mut store = Plain::new(model.packing());
    let limits = Limits { max_states: Some(MOST_STATES), ..Limits::NONE };
    let report = explore(model, &mut store, Order::BreadthFirst, &limits, &mut Silent, &mut NoObserver);
    assert!(!matches!(report.ending, Ending::Failed(_)), "{:?}\n{text}", report.ending);
    let layout = model.layout().clone();
    let groups: Vec<GroupIdx> = (0..layout.groups.len())
        .filter(|&group| layout.groups[group].implied || layout.groups[group].constant)
        .map(GroupIdx::new)
        .collect();
    let mut words = vec![0; model.packing().n_words()];
    let mut other = words.clone();
    // Twice: what is computed first is remembered then.
    for id in (0..store.len()).chain(0..store.len()).map(StateId::new) {
        store.get(model, id, &mut words);
        // Another state's contents, or nothing.
        store.get(model, StateId::new(mix64(id.0.into()) as usize % store.len()), &mut other);
        let mut wiped = words.clone();
        for slot in groups.iter().flat_map(|&group| layout.slots_of(group)) {
            let wrong = if id.0 % 2 == 0 { 0 } else { model.packing().get(&other, slot) };
            model.packing().set(&mut wiped, slot, wrong).unwrap();
        }
        model.complete(&mut wiped).unwrap();
        assert_eq!(wiped, words, "state {id:?} of\n{text}");
    }
    groups.len()
}

#[test]
fn models_of_ours_are_completed() {
    let text = include_str!("../../../models/databases.pn");
    for (symbols, n_left_out) in [(&["IMPLIED"][..], 2), (&["IMPLIED", "UNUSED"], 3), (&[], 0)] {
        let options = ReadOptions {
            params: vec![("N".to_owned(), 5)],
            defines: symbols.iter().map(|&symbol| symbol.to_owned()).collect(),
            default_capacity: None,
        };
        assert_eq!(check(&read(text, &options), text), n_left_out);
    }
}

#[test]
fn random_nets_are_completed() {
    let mut n_left_out = 0;
    for seed in 0..150 {
        let text = random_net(seed);
        n_left_out += check(&read(&text, &ReadOptions::default()), &text);
    }
    assert!(n_left_out > 300, "{n_left_out} groups were left out in all nets together");
}

#[test]
fn constant_places_have_no_code() {
    let text = |constant: &str| {
        format!(
            "typedef unsigned (1..6) t; place c t {constant}: t x: x; place p t: 1; place q (0..1) t: 2;
             trans move in {{ place p: x; place c: y; }} out {{ place p: y; place c: y; }};"
        )
    };
    let coded = |text: &str| {
        let net = read(text, &ReadOptions::default());
        let Ok(Engine::Unfolded(mut model)) = compile(&net, EngineChoice::Unfolded) else { panic!("{text}") };
        let mut store = Coded::new(Multiset::new(&mut *model, MultisetOptions::PAPER));
        let mut silent = Silent;
        let order = Order::BreadthFirst;
        let report = explore(&mut *model, &mut store, order, &Limits::NONE, &mut silent, &mut NoObserver);
        assert_eq!((report.states, report.edges), (6, 36));
        let written = store.figures().into_iter().find(|figure| figure.name == "places written");
        (written, store.vector_bytes())
    };
    let (all, constant) = (coded(&text("")), coded(&text("const")));
    assert_eq!(all.0, Some(Figure::count("places written", 3)));
    assert_eq!(constant.0, Some(Figure::count("places written", 2)));
    // Six tokens are 1 + 4 bits for their number, 3 for how many differ and 18 for which; p and q stay.
    assert!(constant.1 + 6 * 3 <= all.1, "{} and {} bytes", constant.1, all.1);
}

/// Places with few tokens; for each a place with those that it has not, which may be said to follow from it, and a place
/// with the same tokens as that one; and constant ones that transitions look at.
fn random_net(seed: u64) -> String {
    let mut state = seed;
    let mut random = |n: u64| {
        state = mix64(state.wrapping_add(0x9E37_79B9_7F4A_7C15));
        state % n
    };
    let n_values = 2 + random(4);
    // Structs of many values have no slot for each token in the binding engine.
    let (token, types) = match random(2) {
        0 => ("x", format!("typedef unsigned (1..{n_values}) t;\n")),
        _ => ("{ x, y }", format!("typedef unsigned (1..{n_values}) u; typedef struct {{ u a; u b; }} t;\n")),
    };
    let fixed = if token == "x" { "1" } else { "{ 1, 2 }" };
    let mut text = types;
    let n_parts = 1 + random(3);
    for part in 0..n_parts {
        text += &format!("place p{part} t: {fixed};\n");
        text += &match random(3) {
            0 => format!("place n{part} t: (t v: v) minus {fixed};\n"),
            _ => format!("place n{part} t: (t v: v) minus place p{part};\n"),
        };
        text += &match random(3) {
            0 => format!("place m{part} t: (t v: v) minus {fixed};\n"),
            1 => format!("place m{part} t: place n{part};\n"),
            _ => {
                format!("place m{part} t: (t v: v) minus place p{part} union (place p{part} minus t v: v);\n")
            }
        };
        let more = 1 + random(3);
        let is_constant = if random(2) == 0 { "const" } else { "" };
        text += &format!("place k{part} t {is_constant}: {more}#{fixed}, 2#{fixed};\n");
    }
    for transition in 0..1 + random(2 * n_parts) {
        let part = random(n_parts);
        let (from, to) = if random(2) == 0 { ("p", "n") } else { ("n", "p") };
        let (more_in, more_out) = match (from, random(2)) {
            ("p", 0) => {
                (format!(" place k{part}: z;"), format!(" place m{part}: {token}; place k{part}: z;"))
            }
            ("p", _) => (String::new(), format!(" place m{part}: {token};")),
            (_, 0) => (format!(" place m{part}: {token}; place k{part}: z;"), format!(" place k{part}: z;")),
            _ => (format!(" place m{part}: {token};"), String::new()),
        };
        text += &format!(
            "trans t{transition} in {{ place {from}{part}: {token};{more_in} }} out {{ place {to}{part}: {token};{more_out} }};\n"
        );
    }
    text
}
