//! Reads thousands of damaged models: every one must end in a net or in diagnostics.
//!
//! The seed is printed and can be set by the environment variable `SEED`; `CASES` sets how many models are read.

mod common;

use common::{MARKET, MARKET_PROPERTIES, SMALL, read_with};
use petite_lang::ReadOptions;
use petite_net::{Evaluator, Marking, Net, PlaceIdx, Value};

struct Initial<'n>(&'n Net);

impl Marking for Initial<'_> {
    fn tokens(&self, place: PlaceIdx, each: &mut dyn FnMut(&Value, u32)) {
        self.0.place(place).initial.iter().for_each(|(token, count)| each(token, count));
    }
}

/// Evaluates everything once: what the reader has typed must not surprise the evaluator, which may give errors of
/// the model but nothing else.
fn evaluate(net: &Net) {
    let marking = Initial(net);
    let mut evaluator = Evaluator::new(&net.types, &net.functions);
    for transition in &net.transitions {
        let first = |variable: &petite_net::Variable| net.types.first_value(variable.ty);
        let mut frame: Vec<Value> = transition.variables.iter().map(first).collect();
        for pick in &transition.picks {
            if let Ok(values) = evaluator.domain(pick, &mut frame, None)
                && let Some((value, _)) = values.last()
            {
                assert!(net.types.contains(transition.variables[pick.var.index()].ty, value));
                frame[pick.var.index()] = value.clone();
            }
        }
        for (var, expr) in &transition.lets {
            if let Ok(value) = evaluator.eval(expr, &mut frame, None) {
                assert!(net.types.contains(transition.variables[var.index()].ty, &value));
                frame[var.index()] = value;
            }
        }
        for arc in transition.inputs.iter().chain(&transition.outputs).chain(&transition.inhibitors) {
            if let Ok(tokens) = evaluator.terms(&arc.terms, &mut frame, None) {
                // Components of input tokens are compared, so they need not be values of the domain.
                let is_output = transition.outputs.iter().any(|output| std::ptr::eq(output, arc));
                let domain = net.place(arc.place).domain;
                assert!(!is_output || tokens.iter().all(|(token, _)| net.types.contains(domain, token)));
            }
        }
        let described = transition.description.iter().flat_map(|(_, args)| args);
        for expr in transition.guard.iter().chain(described) {
            let _ = evaluator.eval(expr, &mut frame, None);
        }
        if let Some(priority) = &transition.priority {
            let _ = evaluator.eval(priority, &mut frame, Some(&marking));
        }
    }
    for proposition in &net.propositions {
        let mut frame = vec![Value::Int(0); proposition.variables.len()];
        if let Ok(value) = evaluator.eval(&proposition.expr, &mut frame, Some(&marking)) {
            assert!((0..=1).contains(&value.int()));
        }
    }
}

/// Marsaglia's xorshift generator.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }
}

/// The text in pieces: words, numbers, blanks and single signs.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut last = None;
    for c in text.chars() {
        let class = match c {
            c if c.is_alphanumeric() || c == '_' => 1,
            c if c.is_whitespace() => 2,
            _ => 0,
        };
        match pieces.last_mut() {
            Some(piece) if class != 0 && last == Some(class) => piece.push(c),
            _ => pieces.push(c.to_string()),
        }
        last = Some(class);
    }
    pieces
}

const SPICE: [&str; 24] = [
    "<(",
    ")>",
    "::",
    "->",
    "|",
    "'",
    "..",
    "-",
    "0",
    "2147483647",
    "4294967296",
    "empty",
    "for (i in int) ",
    "{",
    "}",
    "(",
    "\"",
    "/*",
    "#ifdef X\n",
    "\u{0}",
    "é",
    "N",
    "succ ",
    ";",
];

fn damage(text: &str, random: &mut Random) -> String {
    let mut pieces = pieces(text);
    for _ in 0..=random.below(3) {
        if pieces.is_empty() {
            break;
        }
        let (at, other) = (random.below(pieces.len()), random.below(pieces.len()));
        match random.below(8) {
            0 => {
                pieces.remove(at);
            }
            1 => pieces.insert(at, pieces[other].clone()),
            2 => pieces.swap(at, other),
            3 => pieces[at] = pieces[other].clone(),
            4 => pieces.insert(at, SPICE[random.below(SPICE.len())].to_owned()),
            5 => pieces[at] = SPICE[random.below(SPICE.len())].to_owned(),
            6 => {
                let end = (at + random.below(12)).min(pieces.len());
                pieces.drain(at..end);
            }
            _ => {
                let mut bytes = pieces[at].clone().into_bytes();
                let position = random.below(bytes.len());
                bytes[position] ^= 1 << random.below(8);
                pieces[at] = String::from_utf8_lossy(&bytes).into_owned();
            }
        }
    }
    pieces.concat()
}

#[test]
#[expect(clippy::print_stdout, reason = "the seed of a failing run must be known")]
fn damaged_models_are_read_or_refused() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seed = number("SEED").unwrap_or(0x5eed_cafe);
    let cases = number("CASES").unwrap_or(6000);
    println!("SEED={seed} CASES={cases}");
    let mut random = Random(seed | 1);
    let options = ReadOptions::default();
    let (mut read, mut refused) = (0, 0);
    for case in 0..cases {
        let (mut model, mut properties) = match case % 3 {
            0 => (MARKET.to_owned(), MARKET_PROPERTIES.to_owned()),
            _ => (SMALL.to_owned(), "ltl property p: [] <> (done => not done);".to_owned()),
        };
        if case % 10 == 9 {
            properties = damage(&properties, &mut random);
        } else {
            model = damage(&model, &mut random);
        }
        let lengths = [model.len(), properties.len()];
        match read_with(&model, Some(&properties), &options) {
            Ok(net) => {
                read += 1;
                evaluate(&net);
            }
            Err(diagnostics) => {
                refused += 1;
                assert!(!diagnostics.is_empty() && diagnostics.len() <= 20, "SEED={seed} case {case}");
                for diagnostic in diagnostics {
                    let span = diagnostic.span;
                    let length = lengths[span.file as usize];
                    let inside = span.start <= span.end && span.end as usize <= length;
                    assert!(
                        inside && !diagnostic.message.is_empty(),
                        "SEED={seed} case {case}: {diagnostic:?}"
                    );
                }
            }
        }
    }
    // Damage is slight: some models survive it, most do not.
    assert!(read > 0 && refused > read / 4, "{read} read, {refused} refused");
}

#[test]
fn cut_models_are_refused() {
    for text in [MARKET, SMALL] {
        for end in (0..text.len() - 3).filter(|&end| text.is_char_boundary(end)) {
            assert!(read_with(&text[..end], None, &ReadOptions::default()).is_err(), "cut at {end}");
        }
    }
}
