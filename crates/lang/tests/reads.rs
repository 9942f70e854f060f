//! What must be read, and what it must become.

mod common;

use common::{MARKET, MARKET_PROPERTIES, SMALL, read, read_with, shown};
use petite_lang::ReadOptions;
use petite_net::{
    BinaryOp, Expr, ExprKind, IterDomain, Kind, Ltl, Net, Place, PropIdx, PropertyKind, StatePredicate, Stmt,
    Transition, VarIdx,
};

fn market(options: &ReadOptions) -> Net {
    match read_with(MARKET, Some(MARKET_PROPERTIES), options) {
        Ok(net) => net,
        Err(diagnostics) => panic!("{}", shown(MARKET, MARKET_PROPERTIES, &diagnostics)),
    }
}

fn place<'n>(net: &'n Net, name: &str) -> &'n Place {
    net.places.iter().find(|place| place.name.text == name).unwrap()
}

fn transition<'n>(net: &'n Net, name: &str) -> &'n Transition {
    net.transitions.iter().find(|transition| transition.name.text == name).unwrap()
}

/// The initial tokens of a place as text.
fn initial(net: &Net, name: &str) -> String {
    let place = place(net, name);
    let tokens = place.initial.iter().map(|(token, count)| {
        let shown = net.types.show(place.domain, token);
        if count == 1 { shown } else { format!("{count}*{shown}") }
    });
    tokens.collect::<Vec<_>>().join(" + ")
}

fn components(token: &Expr) -> &[Expr] {
    match &token.kind {
        ExprKind::Tuple(parts) => parts,
        kind => panic!("no tuple: {kind:?}"),
    }
}

#[test]
fn the_whole_language_is_read() {
    let net = market(&ReadOptions::default());
    assert_eq!(net.name.text, "market");
    let params: Vec<(&str, i64)> =
        net.params.iter().map(|(name, value)| (name.text.as_str(), *value)).collect();
    assert_eq!(params, [("N", 3), ("K", 2), ("NEG", -1)]);
    for (place, expected) in [
        ("idle", "{1} + {2} + {3}"),
        ("stocks", "{1, [1, 2, 3]} + {2, [0, 2, 2]} + {3, [0, 2, 2]}"),
        ("money", "5*{}"),
        ("signs", "{[apple, plum, plum, plum, plum, plum]}"),
        ("waiting", "{|1, 2, 3|}"),
        ("out1", "{|{1, pear, 0}, {2, plum, 2}|, |2, 3|}"),
        ("turn", "{0}"),
        (
            "colours",
            "2*{green, apple} + 2*{green, pear} + 2*{green, plum} + 2*{red, apple} + 2*{red, pear} + \
                     2*{red, plum}",
        ),
        ("stalls", "{false} + {true}"),
        ("log", ""),
    ] {
        assert_eq!(initial(&net, place), expected, "{place}");
    }
    assert_eq!(place(&net, "money").capacity.per_token, Some(8));
    assert_eq!(place(&net, "stalls").capacity.per_token, Some(1));
    assert_eq!(place(&net, "turn").role.as_ref().unwrap().text, "shared");
    assert!(transition(&net, "choose").safe && !transition(&net, "trade").safe);
}

#[test]
fn parameters_and_symbols_come_first() {
    let options = ReadOptions {
        params: vec![("N".to_owned(), 5), ("K".to_owned(), 3)],
        defines: vec!["LARGE".to_owned()],
        default_capacity: Some(7),
    };
    let net = market(&options);
    assert_eq!(initial(&net, "idle"), "{1} + {2} + {3} + {4} + {5}");
    assert_eq!(initial(&net, "money"), "6*{}");
    assert_eq!(place(&net, "money").capacity.per_token, Some(27));
    assert_eq!(place(&net, "waiting").capacity.per_token, Some(7));
    assert!(!net.places.iter().any(|place| place.name.text == "stalls"));
    assert_eq!(initial(&net, "waiting"), "{|1, 2, 5|}");
}

#[test]
fn domains_are_structs() {
    let net = read(SMALL).unwrap();
    for (name, expected) in [("p", vec!["t", "v"]), ("q", vec![]), ("r", vec!["l"])] {
        let Kind::Struct { components } = &net.types[place(&net, name).domain].kind else { panic!("{name}") };
        let types: Vec<&str> = components.iter().map(|c| net.types[c.ty].name.text.as_str()).collect();
        assert_eq!(types, expected, "{name}");
        let names: Vec<&str> = components.iter().map(|c| c.name.text.as_str()).collect();
        assert_eq!(names, ["1", "2"][..names.len()]);
    }
}

#[test]
fn bindings_lets_and_inhibitors() {
    let net = market(&ReadOptions::default());
    let trade = transition(&net, "trade");
    let names = |vars: &[VarIdx]| -> Vec<&str> {
        vars.iter().map(|var| trade.variables[var.index()].name.text.as_str()).collect()
    };
    assert_eq!(names(&trade.binding), ["t", "s", "r", "g"]);
    assert_eq!(names(&trade.lets.iter().map(|(var, _)| *var).collect::<Vec<_>>()), ["worth", "twice"]);
    // Variables alone stay alone, so that they can be bound.
    let stocks = &trade.inputs[1].terms[0];
    assert!(stocks.can_bind());
    assert!(components(&stocks.token).iter().all(|part| matches!(part.kind, ExprKind::Var(_))));
    // A variable of an inhibitor arc that nothing defines is outside the binding.
    let ExprKind::Var(other) = components(&trade.inhibitors[1].terms[0].token)[0].kind else { panic!() };
    assert_eq!(trade.variables[other.index()].name.text, "other");
    assert!(!trade.binding.contains(&other) && trade.lets.iter().all(|(var, _)| *var != other));
    // A computed component of the narrower type is converted, one of the same type is not.
    let log = components(&trade.outputs.last().unwrap().terms[0].token);
    assert!(matches!(log[0].kind, ExprKind::Convert(_) | ExprKind::Var(_)));
    let ExprKind::WithElement(_, _, part) = &components(&trade.outputs[1].terms[0].token)[1].kind else {
        panic!()
    };
    assert!(matches!(part.kind, ExprKind::Convert(_)));
    let ExprKind::Unary(..) = components(&trade.outputs[2].terms[0].token)[0].kind else { panic!() };
    let (text, args) = trade.description.as_ref().unwrap();
    assert_eq!((text.as_str(), args.len()), ("trader %d sells %d for %d", 3));
    assert!(matches!(trade.picks[0].domain, IterDomain::Type(_, Some(_))));
}

#[test]
fn picks_are_put_in_the_order_of_their_needs() {
    let net = market(&ReadOptions::default());
    let choose = transition(&net, "choose");
    let order: Vec<&str> =
        choose.picks.iter().map(|pick| choose.variables[pick.var.index()].name.text.as_str()).collect();
    assert_eq!(order, ["who", "next"]);
}

#[test]
fn terms_keep_their_parts() {
    let net = market(&ReadOptions::default());
    let colours = &transition(&net, "repaint").inputs[1].terms;
    assert_eq!(colours.len(), 3);
    assert!(colours[0].can_bind() && !colours[1].can_bind() && !colours[2].can_bind());
    assert_eq!(colours[1].iters.len(), 1);
    assert!(colours[2].condition.is_some());
    let factor = colours[2].factor.as_ref().unwrap();
    assert!(matches!(&factor.kind, ExprKind::Const(value) if value.int() == 2));
    // The constant in the token is a filter, and no variable.
    assert!(matches!(components(&colours[0].token)[1].kind, ExprKind::Const(_)));
}

#[test]
fn functions_have_bodies_and_frames() {
    let net = market(&ReadOptions::default());
    assert!(net.functions.iter().all(|function| function.body.is_some()));
    let function = |name: &str| net.functions.iter().find(|function| function.name.text == name).unwrap();
    let log2 = function("log2");
    let frame: Vec<&str> = log2.variables.iter().map(|variable| variable.name.text.as_str()).collect();
    assert_eq!((log2.n_params, frame), (1, vec!["n", "left", "result", "half"]));
    let Some(Stmt::Block(statements)) = &function("price").body else { panic!() };
    assert!(statements.iter().any(|statement| matches!(statement,
        Stmt::Case { alternatives, default: Some(_), .. } if alternatives.len() == 2)));
}

#[test]
fn properties_name_their_propositions() {
    let net = market(&ReadOptions::default());
    let prop = |name: &str| {
        PropIdx::new(net.propositions.iter().position(|proposition| proposition.name.text == name).unwrap())
    };
    let lively = PropertyKind::State {
        reject: StatePredicate::Deadlock,
        accept: vec![StatePredicate::Proposition(prop("sold")), StatePredicate::Proposition(prop("rich"))],
    };
    assert_eq!(net.properties[0].kind, lively);
    // `or` is the loosest operator of formulas, whatever it is elsewhere.
    assert!(
        matches!(&net.properties[1].kind, PropertyKind::Ltl(Ltl::Or(left, _)) if matches!(**left, Ltl::And(..)))
    );
    assert_eq!(net.properties.len(), 3);
}

const TYPES: &str = "m (N := 4) {
    type digit : range 0 .. 9; type ring : mod 5; type colour : enum (red, green, blue);
    type light : enum (red, amber); subtype cold : colour range green .. blue; subtype two : ring range 0 .. 1;
    type pair : struct { digit x; colour c; }; type row : vector [colour] of digit;
    type grid : vector [bool, cold] of digit;
    type digits : list [nat] of digit with capacity 5; type bag : set of digit with capacity 5;
    type lists : list [digit] of digits with capacity 3;
    constant digits L := |3, 1, 2|; constant bag S := |5, 1, 3|; constant pair P := {7, blue};
    constant row R := [1, 2, 3]; constant grid G := [1, 2, 3]; constant ring Z := 3; constant digit D := 4;
    constant lists LL := |L, |4||;
    function fact(int n) -> int return n <= 1 ? 1 : n * fact(n - 1);
    function first(digits l) -> digit { for (x in l) if (x < 3) return x; return 9; }
    function count(digit n) -> int { int r := 0; while (n > 0) { int one := 1; r := r + one; n := n - 1; }
                                     return r; }
    function fresh(int n) -> int { int r := 0; for (i in digit range 1 .. n) { int x; if (i = 1) x := 5;
                                   r := r + (x = int'first ? 1 : 0); } return r; }
    function name(colour c) -> int { case (c) { red: return 1; green: return 2; default: return 3; } }
    function placed(pair p, row r) -> row { pair q := p; row s := r; q.x := 9; q.c := red; s[q.c] := q.x; return s; }
";

#[test]
fn values_are_what_the_language_says() {
    let mut wrong = Vec::new();
    for (ty, expr, expected) in [
        // Numbers
        ("int", "1 + 2 * 3 - 4 / 2", "5"),
        ("int", "-7 / 2 + -7 % 3", "-4"),
        ("int", "-(-N)", "4"),
        ("int", "-2147483648", "-2147483648"),
        ("int", "D - 5 > 0 ? 1 : D - 5", "-1"),
        ("digit", "D + 9 - 9", "4"),
        ("int", "fact(5) + N", "124"),
        ("nat", "nat'first + short'last", "32767"),
        ("int", "ushort'card + bool'card + cold'card", "65540"),
        // Modulo numbers
        ("ring", "Z + 4", "2"),
        ("ring", "1 - Z", "3"),
        ("ring", "-1", "4"),
        ("ring", "7 - 9", "3"),
        ("ring", "succ ring'last", "0"),
        ("ring", "pred two'first", "4"),
        ("ring", "ring(D) * Z", "2"),
        ("digit", "digit(Z) + 5", "8"),
        ("ring", "S'size + Z", "1"),
        ("ring", "true ? Z : 4", "3"),
        ("bool", "Z = 3 and 3 = Z and Z < 4", "true"),
        // Enumerations
        ("colour", "succ blue", "red"),
        ("colour", "pred green", "red"),
        ("light", "succ red", "amber"),
        ("light", "red", "red"),
        ("bool", "light(red) < amber and green < blue", "true"),
        ("bool", "red = P.c or P.c = blue", "true"),
        ("cold", "cold(blue)", "blue"),
        ("bool", "not true", "false"),
        ("int", "name(red) * 100 + name(green) * 10 + name(blue)", "123"),
        // Structs and vectors
        ("pair", "{D, red}", "{4, red}"),
        ("digit", "P.x - 1", "6"),
        ("pair", "P :: (x := 1) :: (c := green)", "{1, green}"),
        ("row", "[9]", "[9, 9, 9]"),
        ("digit", "R[green] + G[true, blue] + G[false, green]", "6"),
        ("grid", "G", "[1, 2, 3, 3]"),
        ("grid", "G :: ([true, green] := 9)", "[1, 2, 9, 3]"),
        ("row", "placed(P, R)", "[9, 2, 3]"),
        ("bool", "R = [1, 2, 3] and {7, blue} = P", "true"),
        // Lists
        ("digits", "empty", "||"),
        ("digits", "1 & L & 4", "|1, 3, 1, 2, 4|"),
        ("digits", "L & |4, 5|", "|3, 1, 2, 4, 5|"),
        ("digits", "1 & 2 & empty", "|1, 2|"),
        ("digits", "L[1 .. 2]", "|1, 2|"),
        ("digits", "L[2 .. 1]", "||"),
        ("digit", "L[0] + L'first + L'last", "8"),
        ("digits", "L'prefix & L'suffix", "|3, 1, 1, 2|"),
        ("nat", "L'first_index + L'last_index", "2"),
        ("int", "L'size * 100 + L'capacity * 10 + L'space", "352"),
        ("bool", "empty = L'prefix'prefix'prefix and not L'full", "true"),
        ("digits", "L :: ([1] := 7)", "|3, 7, 2|"),
        ("bool", "2 in L and not (9 in L)", "true"),
        ("digit", "first(L)", "1"),
        ("lists", "L & LL", "||3, 1, 2|, |3, 1, 2|, |4||"),
        ("digit", "LL[0][1]", "1"),
        // Sets
        ("bag", "S or 4", "|1, 3, 4, 5|"),
        ("bag", "0 or |1, 2| or 5", "|0, 1, 2, 5|"),
        ("bag", "|1, 2, 3| and |2, 3, 4|", "|2, 3|"),
        ("bag", "S - |1, 5|", "|3|"),
        ("bag", "S - 1 - D", "|3, 5|"),
        ("bag", "D and S", "||"),
        ("bool", "S - 1 < S and S <= S and not (S < S) and S > |3| and S >= S", "true"),
        ("bool", "(3 in S) = true and not S'empty", "true"),
        ("bool", "(empty or D) = |4| and (S = |1| or (|2| and 2) = |2|)", "true"),
        ("bool", "|1, 2| & 3 = 1 & |2, 3|", "true"),
        // Iterations
        ("int", "sum (x in S : x) * 10 + product (x in L : x)", "96"),
        ("int", "max (x in L : x) - min (x in L | x > 1 : x)", "1"),
        ("colour", "max (c in colour | c != blue : c)", "green"),
        ("int", "card (x in digit range 2 .. D, y in L | x = y)", "2"),
        ("bool", "forall (x in S : x in S) and exists (c in cold | c = blue)", "true"),
        ("bool", "forall (x in L | x > 2 : exists (y in S | y = x))", "true"),
        ("ring", "sum (z in ring : z + 1)", "0"),
        // Functions
        ("int", "count(6)", "6"),
        ("int", "fresh(4)", "3"),
    ] {
        let text =
            format!("{TYPES}\nconstant {ty} c := {expr};\nplace p {{ dom: {ty}; init: <( c )>; }}\n}}");
        match read(&text) {
            Ok(net) if initial(&net, "p") == format!("{{{expected}}}") => {}
            Ok(net) => wrong.push(format!("{expr} is {}, expected {{{expected}}}", initial(&net, "p"))),
            Err(diagnostics) => wrong.push(format!("{expr}: {}", shown(&text, "", &diagnostics))),
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn long_conjunctions_stay_shallow() {
    let guard = vec!["x = 1"; 5000].join(" and ");
    let text = format!(
        "m {{ place p {{ dom: int; }} transition t {{ in {{ p: <( x )>; }} out {{ }} guard: {guard}; }} }}"
    );
    let net = read(&text).unwrap();
    fn depth(expr: &Expr) -> usize {
        match &expr.kind {
            ExprKind::Binary(BinaryOp::And, left, right) => 1 + depth(left).max(depth(right)),
            _ => 0,
        }
    }
    assert_eq!(depth(net.transitions[0].guard.as_ref().unwrap()), 13);
}

#[test]
fn nested_expressions_cost_no_more_than_their_size() {
    for (ty, open, inner, close) in [
        ("int", "(", "x", " + x)"),
        ("int", "(x - ", "x", ")"),
        ("int", "f(", "x", ")"),
        ("t", "(", "s", " or 1)"),
        ("t", "(1 and ", "s", ")"),
        ("t", "(", "s", " - x)"),
        ("k", "(", "l", " & 1)"),
        ("k", "(x & ", "l", ")"),
        ("bool", "(", "b", " = true)"),
        ("bool", "(b or ", "b", ")"),
        ("bool", "(", "b", " and (1 in s))"),
        ("bool", "(", "b", " ? true : b)"),
        ("bool", "(b ? b : ", "b", ")"),
        ("bool", "exists (i in s | i = 1 and ", "b", ")"),
    ] {
        let expr = format!("{}{inner}{}", open.repeat(60), close.repeat(60));
        let text = format!(
            "m {{ type t : set of int with capacity 9; type k : list [nat] of int with capacity 9; function f(int x) \
             -> int return x; function g(int x, bool b, t s, k l) -> {ty} return {expr}; }}"
        );
        if let Err(diagnostics) = read(&text) {
            panic!("{open} {close}: {}", shown(&text, "", &diagnostics));
        }
    }
}

#[test]
fn the_longest_and_deepest_expressions_can_be_evaluated() {
    let sum = vec!["1"; 1100].join(" + ");
    let deep = format!("{}1{}", "(1 + ".repeat(95), ")".repeat(95));
    let signs = format!("{}1", "- ".repeat(190));
    let text = format!(
        "m {{ constant int A := {sum}; constant int B := {deep}; constant int C := {signs}; constant int D := {sum} + \
         {deep}; place p {{ dom: int * int * int * int; init: <( A, B, C, D )>; }} proposition q: {sum} = {deep}; }}"
    );
    match read(&text) {
        Ok(net) => assert_eq!(initial(&net.clone(), "p"), "{1100, 96, 1, 1196}"),
        Err(diagnostics) => panic!("{}", shown(&text, "", &diagnostics)),
    }
}

#[test]
fn small_texts_that_must_be_read() {
    for text in [
        "m { }",
        "m (A := 1, B := 2) { constant int C := A + B; }",
        "\u{feff}m { // no end of line",
        "m { type t : range 1 .. 2; place t { dom: t; init: <( t'first )>; } transition t { in { t: <( t )>; } \
         out { t: <( t )>; } guard: t < t'last; } proposition t: t'card = 1; function t(t t) -> t return t; }",
        "m { place p { dom: int; } transition t { in { p: <( x )> + <( y )>; p: <( z )>; } out { } } }",
        "m { place p { dom: int * nat; } place q { dom: nat; } transition t { in { p: <( x, x )>; q: <( x )>; } \
         out { q: <( x )>; } } }",
        "m { place p { dom: int; } transition t { in { p: <( x )>; } out { p: <( y )>; } pick { y in int range \
         x .. x + 1; } } }",
        "m { place p { dom: int; } place q { dom: int * int; } transition t { in { q: <( x + 1, y )> + <( x, z )>; } \
         out { } } }",
        "m { place p { dom: bool; } transition t { in { } out { p: <( true )>; } priority: p'mult > 3 ? -1 : 0; } }",
        "m { place p { dom: int; } transition t { in { } out { } inhibit { p: <( x )>; p: 2 * <( y )>; } } }",
        "m { type s : struct { int a; bool b; }; place p { dom: s; init: <( {1, true} )>; } transition t { in \
         { p: <( x )>; } out { p: <( x :: (a := x.a + 1) )>; } guard: x.b; } }",
        "m { function f() -> int; function f() -> int return 1; constant int C := f(); function f() -> int; }",
        "m { function f(int x) -> int { int x := 1; { int x := 2; return x; } } }",
        "m { type e : enum (a, b); type f : enum (b, c); place p { dom: f; init: <( b )>; } }",
        "m { constant int A := 1 /* x */ ; // y\n }",
        "m { type l : list [nat] of int with capacity 3; function f(l l) -> int { for (x in l) return x; return \
         l'first + l'size; } }",
    ] {
        let text = text.replace("// no end of line", "}// no end of line");
        if let Err(diagnostics) = read(&text) {
            panic!("{text}\n{}", shown(&text, "", &diagnostics));
        }
    }
}
