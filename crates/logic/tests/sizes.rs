//! Sizes of automata for the formulas that translations are usually compared by.
//!
//! The table is part of `docs/ltl.md`, between its two marks. The test fails where it is out of date; with
//! `PETITE_UPDATE=1` it writes it anew.

mod common;

use std::fmt::Write;

use common::syntax::ltl;
use petite_logic::ltl::{Strength, degeneralised, translate};

/// Formulas by their source: Etessami and Holzmann (2000), table 1; Somenzi and Bloem (2000), table 1;
/// families; patterns.
const FORMULAS: [(&str, &[&str]); 5] = [
    (
        "Etessami and Holzmann (2000)",
        &[
            "p U (q & G r)",
            "p U (q & X(r U s))",
            "p U (q & X(r & F(s & X F(t & X F(u & X F v)))))",
            "F(p & X G q)",
            "F(p & X(q & X F r))",
            "F(q & X(p U r))",
            "F G q | G F p",
            "G(p -> (q U r))",
            "G(p & X F(q & X F(r & X F s)))",
            "G F p & G F q & G F r & G F s & G F t",
            "(p U (q U r)) | (q U (r U p)) | (r U (p U q))",
            "G(p -> (q U (G r | G s)))",
        ],
    ),
    (
        "Somenzi and Bloem (2000)",
        &[
            "p U q",
            "p U (q U r)",
            "!(p U (q U r))",
            "G F p -> G F q",
            "(F p) U (G q)",
            "(G p) U q",
            "!(F F p <-> F p)",
            "!(G F p -> G F q)",
            "!(G F p <-> G F q)",
            "p R (p | q)",
            "(X p U X q) | !X(p U q)",
            "(X p U q) | !X(p U (p & q))",
            "G(p -> F q) & ((X p U q) | !X(p U (p & q)))",
            "G(p -> F q) & ((X p U X q) | !X(p U q))",
            "G(p -> F q)",
            "!G(p -> X(q R r))",
            "!(G F p | F G q)",
            "G(F p & F q)",
            "F p & F !p",
            "(X q & r) R X(((s U p) R r) U (s R r))",
            "(G(q | G F p) & G(r | G F !p)) | G q | G r",
            "(G(q | F G p) & G(r | F G !p)) | G q | G r",
            "!((G(q | G F p) & G(r | G F !p)) | G q | G r)",
            "!((G(q | F G p) & G(r | F G !p)) | G q | G r)",
            "G(q | X G p) & G(r | X G !p)",
            "G(q | (X p & X !p))",
            "(p U p) | (q U p)",
        ],
    ),
    (
        "Gastin and Oddoux (2001), the family theta",
        &[
            "!((G F p1) -> G(q -> F r))",
            "!((G F p1 & G F p2) -> G(q -> F r))",
            "!((G F p1 & G F p2 & G F p3) -> G(q -> F r))",
            "!((G F p1 & G F p2 & G F p3 & G F p4) -> G(q -> F r))",
            "!((G F p1 & G F p2 & G F p3 & G F p4 & G F p5) -> G(q -> F r))",
        ],
    ),
    (
        "Cichon, Czubak and Jasinski (2009)",
        &[
            "F p1 & F p2 & F p3 & F p4",
            "F(p1 & F(p2 & F p3)) & F(q1 & F(q2 & F q3))",
            "F(p & X(p & X p)) & F(q & X(q & X q))",
        ],
    ),
    (
        "Dwyer, Avrunin and Corbett (1999): absence, existence, universality, precedence, response in five scopes",
        &[
            "G !p",
            "F r -> (!p U r)",
            "G(q -> G !p)",
            "G((q & !r & F r) -> (!p U r))",
            "G((q & !r) -> ((!p U r) | G !p))",
            "F p",
            "((!r U (p & !r)) | G !r)",
            "G !q | F(q & F p)",
            "G((q & !r & F r) -> (!r U (p & !r)))",
            "G((q & !r) -> ((!r U (p & !r)) | G !r))",
            "G p",
            "F r -> (p U r)",
            "G(q -> G p)",
            "G((q & !r & F r) -> (p U r))",
            "G((q & !r) -> ((p U r) | G p))",
            "((!p U s) | G !p)",
            "F r -> (!p U (s | r))",
            "G !q | F(q & ((!p U s) | G !p))",
            "G((q & !r & F r) -> (!p U (s | r)))",
            "G((q & !r) -> ((!p U (s | r)) | G !p))",
            "G(p -> F s)",
            "F r -> ((p -> (!r U (s & !r))) U r)",
            "G(q -> G(p -> F s))",
            "G((q & !r & F r) -> ((p -> (!r U (s & !r))) U r))",
            "G((q & !r) -> (((p -> (!r U (s & !r))) U r) | G (p -> (!r U (s & !r)))))",
        ],
    ),
];

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/ltl.md");

fn table() -> String {
    let mut text = String::new();
    for (source, formulas) in FORMULAS {
        let mut sums = [0; 4];
        writeln!(text, "\n{source}:\n").unwrap();
        writeln!(text, "| formula | generalised | marks | Büchi | kind |\n|---|---|---|---|---|").unwrap();
        for formula in formulas {
            let automaton = translate(&ltl(formula)).unwrap();
            let ordinary = degeneralised(&automaton);
            let sizes = [automaton.n_states(), automaton.n_edges(), ordinary.n_states(), ordinary.n_edges()];
            sums.iter_mut().zip(sizes).for_each(|(sum, size)| *sum += size);
            let kind = match automaton.strength() {
                Strength::Terminal => "terminal",
                Strength::Weak => "weak",
                Strength::General => "general",
            };
            let formula = formula.replace('|', "\\|");
            let [states, edges, ordinary_states, ordinary_edges] = sizes;
            writeln!(
                text,
                "| `{formula}` | {states}, {edges} | {} | {ordinary_states}, {ordinary_edges} | {kind} |",
                automaton.n_marks
            )
            .unwrap();
        }
        let [states, edges, ordinary_states, ordinary_edges] = sums;
        writeln!(text, "| *together* | {states}, {edges} | | {ordinary_states}, {ordinary_edges} | |")
            .unwrap();
    }
    text
}

#[test]
fn the_table_is_up_to_date() {
    let page = std::fs::read_to_string(PATH).unwrap();
    let (begin, end) = ("<!-- sizes begin -->\n", "\n<!-- sizes end -->");
    let start = page.find(begin).expect("the table's begin") + begin.len();
    let stop = page.find(end).expect("the table's end");
    let table = table();
    if std::env::var_os("PETITE_UPDATE").is_some() {
        std::fs::write(PATH, format!("{}{table}{}", &page[..start], &page[stop..])).unwrap();
        return;
    }
    let is_same = page[start..stop] == table;
    assert!(is_same, "docs/ltl.md is out of date; run again with PETITE_UPDATE=1\n{table}");
}
