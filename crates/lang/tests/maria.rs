//! Maria's language: what formulas mean, what is refused and where, and that no text is too strange.

use petite_lang::{Diagnostic, ReadOptions, Source, maria};
use petite_net::{Evaluator, Fairness, Net, PriorityClass, PropertyKind, StatePredicate, Value};

const DATABASES: &str = include_str!("../../../models/databases.pn");
const SHUNTING: &str = include_str!("../../../models/shunting.pn");
const HATS: &str = include_str!("../../../models/hats.pn");
const COUNTERS: &str = include_str!("../../../models/counters.pn");

fn read_with(text: &str, options: &ReadOptions) -> Result<Net, Vec<Diagnostic>> {
    let mut sources = vec![Source::new("m.pn", text)];
    let mut load = |path: &str, _: &str| match path {
        "types.pn" => Ok(Source::new(path, "typedef unsigned (1..3) t;\n")),
        _ => Err("no such file".to_owned()),
    };
    maria::read(&mut sources, options, &mut load)
}

fn read(text: &str) -> Net {
    match read_with(text, &ReadOptions::default()) {
        Ok(net) => net,
        Err(diagnostics) => panic!("{}\n{text}", shown(text, &diagnostics)),
    }
}

/// Each diagnostic as `line:column: message`.
fn shown(text: &str, diagnostics: &[Diagnostic]) -> String {
    let source = Source::new("m", text);
    let show = |diagnostic: &Diagnostic| {
        let at = source.position(diagnostic.span.start);
        format!("{}:{}: {}", at.line, at.column, diagnostic.message)
    };
    diagnostics.iter().map(show).collect::<Vec<_>>().join("\n")
}

/// What the last place of a net holds at first.
fn contents(text: &str) -> String {
    let net = match read_with(text, &ReadOptions::default()) {
        Ok(net) => net,
        Err(diagnostics) => return shown(text, &diagnostics),
    };
    let place = net.places.last().expect("a place");
    let item = |(value, count): (&Value, u32)| {
        let value = net.types.show(place.domain, value);
        if count == 1 { value } else { format!("{count}#{value}") }
    };
    place.initial.iter().map(item).collect::<Vec<_>>().join(" ")
}

/// Declarations that the tables of formulas use.
const TYPES: &str = "
typedef unsigned (1..3) small; typedef int (-2..2) signed; typedef enum { a, b = 3, c } e;
typedef struct { small x; bool y; } pair; typedef bool[small] flags; typedef small[queue 3] q; typedef small[stack 3] s;
typedef union { small n; bool t; pair p; } u; typedef id[3] ids; typedef unsigned (1..2, 5, 8..9) gaps;
typedef small[pair] table;
unsigned k = 3; unsigned twice(unsigned x) 2 * x; q abc = is q { 1, 2, 3 }; s stk = is s { 1, 2, 3 };
pair pr = { 2, true }; flags fl = { true, false, false }; u un = n = 2;
place here small: 1, 2#2;
place empty_place small;
";

#[test]
fn formulas_mean_what_they_should() {
    let mut wrong = Vec::new();
    for (ty, marking, expected) in [
        // Numbers.
        ("unsigned", "010 + 0x10, 7 / 2, 7 % 4, 3 * k", "2#3 9 24"),
        ("int", "-3 / 2, -is int k + 1, ~5, 6 & 3, 6 | 1, 6 ^ 5", "-6 -2 -1 2 3 7"),
        ("unsigned", "1 << 4, 17 >> 2, ~0", "4 16 4294967295"),
        ("unsigned", "twice(k), k > 2 ? 1 : 0, 1 + 2 * 3 - 4", "1 3 6"),
        ("bool", "1 + 1 == 2 && !(3 < 2), true ^^ true, false => false, true <=> false", "2#false 2#true"),
        // Enumerations and their holes; characters.
        ("e", "a, b, >e", "a b c"),
        ("unsigned", "#e, is unsigned is e c, #gaps, #pair, #q, #u, #table", "4 2#5 6 11 40 729"),
        ("char", "'a', 'A' < 'B' ? '\\x41' : '\\n'", "'A' 'a'"),
        // Neighbours wrap around within the constraint.
        ("gaps", "+2, +9, |1, | |5", "2#1 5 9"),
        ("pair", "+is pair { 3, false }, |<pair, >pair", "{1, true} 2#{3, true}"),
        ("signed", "+>signed, |is signed (-1)", "2#-2"),
        // Structs, arrays, unions and updates.
        ("pair", "pr.{ x 1 }, { y: false, x: 3 }", "{1, true} {3, false}"),
        (
            "flags",
            "fl << 1, fl >> 1, fl.{ [2] true }",
            "[false, false, true] [false, true, false] [true, true, false]",
        ),
        ("bool", "fl[1], fl[3], un is n, un is p", "2#false 2#true"),
        ("u", "n = 3, t = true, p = pr, un", "n=2 n=3 t=true p={2, true}"),
        ("small", "un.n, is small un, pr.x", "3#2"),
        ("u", "is u true, is u pr", "t=true p={2, true}"),
        // Buffers.
        (
            "q",
            "abc - 2, -abc, (-abc) + 1, -abc[1], (abc - 1)[1] + 1",
            "|1, 3| |2, 1, 3| |2, 3| |2, 3, 1| |3|",
        ),
        ("s", "-stk + 3, {}", "|| |3, 2, 3|"),
        ("small", "*abc, *abc[2], *stk", "2#1 3"),
        ("unsigned", "/abc, %abc, /(-stk), %(-stk)", "0 1 2 3"),
        // The greatest value has the first alternative.
        ("small", "(is small 3) ? 1 : 2 : 3, (is small 1) ? 1 : 2 : 3", "1 3"),
        // Multi-sets.
        ("small", "2#1, 3#(1, 2), (2 > 1)#3", "5#1 3#2 3"),
        ("small", "empty, small i (i != 2): i, small j: (j - 1)#j", "1 2 3#3"),
        ("small", "(1, 2#2, 3#3) minus (2, 3, 3, 3, 3), (1, 2#2) intersect (2#1, 2, 3)", "2#1 2#2"),
        ("small", "subset i { 1, 2#2, 3 } (i > 1), map i { is small 1, 2#2 } +i", "3#2 3#3"),
        ("small", "map n#i { is small 1, 2#2 } ((n + 1)#i)", "2#1 3#2"),
        ("unsigned", "cardinality (1, 2#2), max (1, 2#2), min (1, 2#2), max is small 1", "2#1 2 3"),
        (
            "bool",
            "(1, 2) subset (1, 2#2), (is small 1, 2) equals (2, 1), (2#1) subset is small 1",
            "false 2#true",
        ),
        ("bool", "small i && i < 4, small i || i == 4, small i (i > 1) && i > 2", "2#false true"),
        // Places.
        ("small", "place here union place empty_place minus (is small 2)", "1 2"),
        ("bool", "place here equals (1, 2#2), place empty_place equals empty", "2#true"),
        // Arrays by something else than a number.
        ("unsigned", "(<table)[pr] == 1 ? 1 : 0", "1"),
    ] {
        let found = contents(&format!("{TYPES} place p {ty}: {marking};"));
        if found != expected {
            wrong.push(format!("{ty}: {marking}\n   found    {found}\n   expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn texts_are_refused_where_they_are_wrong() {
    let mut wrong = Vec::new();
    for (text, expected) in [
        ("place p t;", "1:9: there is no type t"),
        ("typedef int (5..1) t;", "1:9: this constraint allows no value"),
        ("typedef id[0] t;", "1:12: 0 is no possible number of identifiers"),
        ("typedef id[3] t (1..2);", "1:17: expected `;`, found `(`"),
        ("typedef id[3] (0..1) t;", "1:9: identifiers have no order to constrain them by"),
        ("typedef struct { int a; bool a; } t;", "1:30: there is already a component a"),
        ("typedef enum { a, a } t;", "1:19: there is already a constant a"),
        ("typedef int[unsigned] t;", "1:13: an array cannot have an element for each value of this type"),
        ("typedef int[queue 0] t;", "1:19: 0 is no possible number of items in a buffer"),
        ("typedef bool t; typedef bool t;", "1:30: there is already a type t"),
        ("place p bool; place p bool;", "1:21: there is already a place p"),
        ("place p (3) bool;", "1:7: place p holds 0 tokens at first, its capacity allows 3"),
        ("place p (2..1) bool;", "1:10: this capacity allows no number of tokens"),
        ("place p bool: 3;", "1:15: expected a value of type bool, found one of type unsigned"),
        ("place p bool: x;", "1:15: the name x stands for nothing here"),
        ("place p bool: place q;", "1:21: there is no place q"),
        (
            "place p bool: place q; place q bool: place p;",
            "1:15: the contents of place p depend on themselves",
        ),
        (
            "place p int: 2147483648;",
            "1:14: 2147483648 is not a value of type int (-2147483648 .. 2147483647)",
        ),
        ("place p unsigned (1..3): 4;", "1:26: 4 is not a value of type unsigned (1 .. 3)"),
        ("place p unsigned: 1 - 2;", "1:19: -1 is not a value of type unsigned (0 .. 4294967295)"),
        ("place p unsigned: 08;", "1:19: a number that begins with 0 is octal and has digits up to 7"),
        ("place p unsigned: 99999999999;", "1:19: this number is beyond 32 bits"),
        ("place p struct { int a; }: { b: 1 };", "1:30: there is no component b"),
        ("place p struct { int a; }: { 1, 2 };", "1:33: type struct has 1 parts, here are more"),
        ("place p union { int a; }: b = 1;", "1:27: there is no component b"),
        ("typedef id[2] t; place p t: <t;", "1:29: the identifiers of type t have no order"),
        (
            "typedef id[2] t; place p bool; reject t x && t y && x < y;",
            "1:53: the identifiers of type t have no order",
        ),
        ("place p unsigned: f(1);", "1:19: there is no function f"),
        (
            "unsigned f(unsigned x) x; place p unsigned: f();",
            "1:45: function f has 1 parameters, this call has 0 arguments",
        ),
        (
            "unsigned f(unsigned x) f(x); place p unsigned: f(1);",
            "1:24: functions in functions deeper than 100 times",
        ),
        (
            "place p bool; trans t in { place p: x; } out { place p: y; };",
            "1:57: nothing gives a value to the variable y",
        ),
        ("place p bool; trans t in { place p: x; } gate y;", "1:47: the name y stands for nothing here"),
        (
            "place p bool; trans t in { place p: x && true; };",
            "1:37: nothing gives a value to the variable x",
        ),
        (
            "place p bool; trans t in { place p: place p; };",
            "1:37: the tokens of place p cannot be asked for here",
        ),
        ("place p bool; trans t in { place q: true; };", "1:34: there is no place q"),
        ("place p bool; trans t : trans u in { place p: true; };", "1:31: there is no body u"),
        (
            "place p bool; trans t in { place p: x; } gate <> x;",
            "1:47: temporal operators cannot stand in a net",
        ),
        ("place p bool; trans t in { place p: .x; };", "1:37: no quantified variable around this"),
        (
            "place p unsigned; trans t out { place p: unsigned!; };",
            "1:42: an output variable cannot take all the values of type unsigned",
        ),
        (
            "place p bool; trans t in { place p: x ; } gate x ? true;",
            "1:48: 1 alternatives for the 2 values of type bool",
        ),
        ("place p bool; trans t in { place p: x; } gate /x == 0;", "1:48: expected a queue or a stack"),
        (
            "place p bool; trans t in { place p: x; } gate x + 1 == 0;",
            "1:47: expected a number, found a value of type bool",
        ),
        ("place p bool; trans t in place p: x;", "1:26: expected `{`, found the reserved word `place`"),
        ("place p bool: true", "1:19: expected `;`, found the end of the file"),
        ("place in bool;", "1:7: expected the name of the place, found the reserved word `in`"),
        ("typedef struct t;", "1:16: expected `{`, found the name `t`"),
        ("trans t gate true &&;", "1:21: expected a formula, found `;`"),
        ("reject place p equals 3;", "1:14: there is no place p"),
        ("strongly_fair trans t;", "1:21: there is no transition t"),
        ("place p bool; reject cardinality empty > 1;", "1:34: the type of these items is not known"),
        ("place p bool: 1 is a;", "1:20: type unsigned is no union"),
        ("place p unsigned: 'ab';", "1:19: this is no character"),
        ("place p char: '€';", "1:15: this character is beyond 8 bits"),
        ("prop a: true; prop a: true;", "1:20: there is already a proposition a"),
        ("}", "1:1: expected a declaration, found `}`"),
        ("subnet { place p bool;", "1:23: expected `}`, found the end of the file"),
    ] {
        let found = match read_with(text, &ReadOptions::default()) {
            Ok(_) => "was read".to_owned(),
            Err(diagnostics) => shown(text, &diagnostics),
        };
        if found != expected {
            wrong.push(format!("{text}\n   found    {found}\n   expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn nets_keep_what_they_are_told() {
    let net = read(
        "place p (1..2, 4, 5..) bool const: true;
         place q bool: place p minus true;
         trans a ! in { place p: x; } out { place p: x; } strongly_fair bool b: b == x;
         trans c 7 in { place q: x; } gate undefined;
         weakly_fair trans a: x || trans c, !trans a;
         prop full: cardinality place p > 1; reject full && place q equals empty; deadlock fatal; deadlock full;",
    );
    assert_eq!(net.places[0].capacity.total.as_deref(), Some(&[(1, 2), (4, u32::MAX)][..]));
    assert!(net.places[0].constant && net.places[0].implied.is_none());
    assert!(net.places[1].implied.is_some() && net.places[1].initial.is_empty());
    assert_ne!(net.transitions[0].class, PriorityClass::NONE);
    assert_eq!(net.transitions[1].class, PriorityClass(7));
    let sets: Vec<_> = net.fairness.iter().map(|set| (set.demand, set.members.len())).collect();
    let (strong, weak) = (Fairness::Strong, Fairness::Weak);
    assert_eq!(sets, [(strong, 1), (strong, 1), (weak, 2), (weak, 1)]);
    let names: Vec<_> = net.properties.iter().map(|property| property.name.text.as_str()).collect();
    assert_eq!(names, ["reject1", "deadlock1", "deadlock2"]);
    let PropertyKind::State { reject, accept } = &net.properties[1].kind else { panic!("a state property") };
    assert_eq!((reject, accept.len()), (&StatePredicate::Deadlock, 0));
}

#[test]
fn names_files_parameters_and_symbols() {
    assert_eq!(contents("#include \"types.pn\"\nplace \"in\" t: <t;\nplace in\\ k t: >t;"), "3");
    let text = "unsigned N = 2; typedef unsigned (0..N) t;\n#ifdef X\nplace p t: 0;\n#else\nplace p t: >t;\n#endif\n";
    let options = ReadOptions { params: vec![("N".to_owned(), 7)], ..ReadOptions::default() };
    let net = read_with(text, &options).unwrap();
    assert_eq!(net.places[0].initial.count(&Value::Int(7)), 1);
    assert_eq!(net.params.len(), 1);
    let options = ReadOptions { defines: vec!["X".to_owned()], ..ReadOptions::default() };
    assert_eq!(read_with(text, &options).unwrap().places[0].initial.count(&Value::Int(0)), 1);
    for (name, value, message) in [
        ("M", 1, "the model has no parameter M"),
        ("N", -1, "the value -1 of N is not one of its type unsigned"),
    ] {
        let options = ReadOptions { params: vec![(name.to_owned(), value)], ..ReadOptions::default() };
        assert_eq!(read_with(text, &options).unwrap_err()[0].message, message);
    }
    // Comments may be in any encoding once it was decoded.
    assert_eq!(contents("// Mäkelä\nplace p bool: true; /* é */"), "true");
}

#[test]
fn subnets_are_flattened() {
    let net = read(COUNTERS);
    let places: Vec<_> = net.places.iter().map(|place| place.name.text.as_str()).collect();
    assert_eq!(places, ["server.free", "server.last", "client.number"]);
    let transitions: Vec<_> =
        net.transitions.iter().map(|transition| transition.name.text.as_str()).collect();
    assert_eq!(transitions, ["server.rest", "server.take+client.ask", "server.decide", "client.restart"]);
}

/// Marsaglia's xorshift generator.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}

const SPICE: [&str; 28] = [
    "#",
    "..",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    "<",
    ">",
    "+",
    "-",
    "*",
    "/",
    "%",
    "|",
    "!",
    "?",
    ":",
    "is t ",
    "place p",
    "4294967295",
    "'",
    "\"",
    "#ifdef X\n",
    "map x { place p } ",
    "id[9] ",
    "é",
];

fn damage(text: &str, random: &mut Random) -> String {
    let mut pieces: Vec<String> = Vec::new();
    let mut was_word = false;
    for c in text.chars() {
        let is_word = c.is_alphanumeric() || c == '_';
        match pieces.last_mut() {
            Some(piece) if is_word && was_word => piece.push(c),
            _ => pieces.push(c.to_string()),
        }
        was_word = is_word;
    }
    for _ in 0..=random.below(3) {
        let (at, other) = (random.below(pieces.len()), random.below(pieces.len()));
        match random.below(6) {
            0 => drop(pieces.remove(at)),
            1 => pieces.insert(at, pieces[other].clone()),
            2 => pieces.swap(at, other),
            3 => pieces[at] = pieces[other].clone(),
            4 => pieces.insert(at, SPICE[random.below(SPICE.len())].to_owned()),
            _ => pieces[at] = SPICE[random.below(SPICE.len())].to_owned(),
        }
    }
    pieces.concat()
}

#[test]
#[expect(clippy::print_stdout, reason = "the seed of a failing run must be known")]
fn damaged_models_are_read_or_refused() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let (seed, cases) = (number("SEED").unwrap_or(0x5eed_cafe), number("CASES").unwrap_or(1500));
    println!("SEED={seed} CASES={cases}");
    let mut random = Random(seed | 1);
    let formulas =
        format!("{TYPES} place p u: (small i: n = i) minus (map f {{ place here }} is u f), 2#p = pr;");
    let models = [DATABASES, SHUNTING, HATS, COUNTERS, &formulas];
    let options =
        ReadOptions { defines: vec!["IMPLIED".to_owned(), "UNUSED".to_owned()], ..ReadOptions::default() };
    let (mut n_read, mut n_refused) = (0, 0);
    for case in 0..cases {
        let text = damage(models[case as usize % models.len()], &mut random);
        match read_with(&text, &options) {
            Ok(net) => {
                n_read += 1;
                evaluate(&net);
            }
            Err(diagnostics) => {
                n_refused += 1;
                assert!(!diagnostics.is_empty() && diagnostics.len() <= 20, "SEED={seed} case {case}");
                for diagnostic in diagnostics {
                    let span = diagnostic.span;
                    let inside = span.file > 0 || span.start <= span.end && span.end as usize <= text.len();
                    assert!(
                        inside && !diagnostic.message.ends_with('.'),
                        "SEED={seed} case {case}: {diagnostic:?}"
                    );
                }
            }
        }
    }
    assert!(n_read > 0 && n_refused > n_read / 4, "{n_read} read, {n_refused} refused");
}

/// Evaluates the arcs and guards of a net with the first values of all variables: nothing may panic.
fn evaluate(net: &Net) {
    let mut evaluator = Evaluator::new(&net.types, &net.functions);
    for transition in &net.transitions {
        let mut frame: Vec<Value> =
            transition.variables.iter().map(|variable| net.types.first_value(variable.ty)).collect();
        for arc in transition.inputs.iter().chain(&transition.outputs) {
            if let Ok(tokens) = evaluator.terms(&arc.terms, &mut frame, None) {
                let domain = net.place(arc.place).domain;
                assert!(tokens.iter().all(|(token, _)| net.types.contains(domain, token)), "{arc:?}");
            }
        }
        if let Some(guard) = &transition.guard {
            let _ = evaluator.holds(guard, &mut frame, None);
        }
    }
}

#[test]
fn cut_models_never_panic() {
    for text in [DATABASES, COUNTERS] {
        for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)).step_by(7) {
            let _ = read_with(&text[..end], &ReadOptions::default());
        }
    }
}

#[test]
fn deep_texts_are_refused() {
    let deep =
        |open: &str, close: &str| format!("place p bool: {}true{};", open.repeat(5000), close.repeat(5000));
    for text in
        [deep("(", ")"), deep("!", ""), deep("", " && true"), deep("", ".x"), deep("true ? ", " : true")]
    {
        assert!(read_with(&text, &ReadOptions::default()).is_err());
    }
    assert!(
        read_with(&format!("typedef bool{} t;", "[bool]".repeat(5000)), &ReadOptions::default()).is_err()
    );
}
