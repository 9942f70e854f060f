//! What must be refused, where, and with which words.

mod common;

use common::{read_with, shown};
use petite_lang::ReadOptions;

fn refused(model: &str, properties: &str, options: &ReadOptions) -> String {
    match read_with(model, Some(properties), options) {
        Ok(_) => "was read".to_owned(),
        Err(diagnostics) => {
            for diagnostic in &diagnostics {
                assert!(diagnostic.span.start <= diagnostic.span.end, "{diagnostic:?}");
                assert!(!diagnostic.message.ends_with('.'), "{diagnostic:?}");
            }
            shown(model, properties, &diagnostics)
        }
    }
}

#[track_caller]
fn check(cases: &[(&str, &str)], wrap: impl Fn(&str) -> String) {
    let mut wrong = Vec::new();
    for (text, expected) in cases {
        let model = wrap(text);
        let found = refused(&model, "", &ReadOptions::default());
        if found != *expected {
            wrong.push(format!("{text}\n   found    {found}\n   expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn texts_that_are_no_models() {
    let alone = |text: &str| text.to_owned();
    check(
        &[
            ("", "1:1: there is no model in this file"),
            ("  // nothing\n", "2:1: there is no model in this file"),
            ("m", "1:2: expected `{`, found the end of the file"),
            ("m {", "1:4: expected a definition or `}`, found the end of the file"),
            ("m { } }", "1:7: expected the end of the file, found `}`"),
            ("m { /* ", "1:5: this comment does not end"),
            ("m {\n  \"abc\n", "2:3: this string does not end"),
            ("m { $ }", "1:5: stray character `$`"),
            ("m { é }", "1:5: stray character `é`"),
            ("\u{0}\u{1}", "1:1: stray character number 0 (not printable)"),
            ("m { \u{fffd}", "1:5: stray character that is no text (the file is not encoded in UTF-8 here)"),
            ("m (N) { }", "1:5: expected `:=`, found `)`"),
            ("m (N := x) { }", "1:9: expected a number, found the name `x`"),
            ("m (N := 99999999999) { }", "1:9: this number is beyond 32 bits"),
            ("m (N := 2147483648) { }", "1:4: the value 2147483648 of parameter N is beyond 32 bits"),
            ("m (N := 1, N := 2) { }", "1:12: there is already a constant N"),
            ("card { }", "1:1: expected the name of a net, found the reserved word `card`"),
            ("m { places p { dom: int; } }", "1:5: expected a definition or `}`, found the name `places`"),
            ("m {\n#ifdef X\n}\n", "2:1: this condition does not end"),
            ("m {\n#endif\n}\n", "2:1: `#endif` without an `#ifdef` or `#ifndef` before it"),
        ],
        alone,
    );
}

#[test]
fn huge_texts_are_refused_quickly() {
    let started = std::time::Instant::now();
    let garbage = "\u{7f}\u{1}x~".repeat(8_000_000);
    assert_eq!(
        refused(&garbage, "", &ReadOptions::default()),
        "1:1: stray character number 127 (not printable)"
    );
    let names = "a ".repeat(8_000_000);
    assert_eq!(refused(&names, "", &ReadOptions::default()), "1:3: expected `{`, found the name `a`");
    let chain = format!("m {{ constant int C := 1{}; }}", " + 1".repeat(2_000_000));
    let found = refused(&chain, "", &ReadOptions::default());
    assert_eq!(found, "1:23: this expression is too long or nested too deeply");
    let deep = format!("m {{ constant int C := {}1; }}", "(".repeat(2_000_000));
    assert_eq!(refused(&deep, "", &ReadOptions::default()), "1:223: nested deeper than 200 levels");
    let blocks = format!("m {{ function f() -> int {}return 1;", "{ ".repeat(2_000_000));
    assert!(refused(&blocks, "", &ReadOptions::default()).ends_with("nested deeper than 200 levels"));
    let mut types = "m { type i : range 0 .. 0; type t0 : vector [i] of i;\n".to_owned();
    for n in 1..2000 {
        types.push_str(&format!("type t{n} : vector [i] of t{};\n", n - 1));
    }
    types.push('}');
    assert_eq!(
        refused(&types, "", &ReadOptions::default()),
        "65:6: type t64 is nested deeper than 64 levels"
    );
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}

#[test]
fn types_and_constants() {
    check(
        &[
            ("type t : range 3 .. 1;", "2:10: the range 3 .. 1 is empty"),
            ("type t : range 1;", "2:17: expected `..`, found `;`"),
            ("type t : mod 0;", "2:14: a type cannot have 0 values"),
            ("type t : mod N - 5;", "2:14: a type cannot have -2 values"),
            ("type t : enum (a, b, a);", "2:22: there is already a constant a in this type"),
            ("type t : enum ();", "2:16: expected an enumeration constant, found `)`"),
            ("type t : struct { };", "2:19: expected the name of a type, found `}`"),
            ("type t : struct { int a; int a; };", "2:30: there is already a field a in this type"),
            ("type t : vector [ints] of int;", "2:18: there is no type ints"),
            ("type t : vector [int] of int;", "2:6: type t has vectors of 4294967296 elements"),
            ("type t : vector [l] of int;", "2:18: an index cannot be of the composite type l"),
            ("type t : list [nat] of int with capacity 0;", "2:42: a list or set cannot have capacity 0"),
            ("type t : set of int with capacity 70000;", "2:35: a list or set cannot have capacity 70000"),
            ("type t : set of int;", "2:20: expected `with`, found `;`"),
            ("type int : mod 2;", "2:6: there is already a type int"),
            ("type t : mod 2; type t : mod 3;", "2:22: there is already a type t"),
            ("subtype t : l;", "2:13: the parent of a subtype cannot be of the composite type l"),
            ("subtype t : digit range 5 .. 10;", "2:19: the range 5 .. 10 is not within type digit"),
            ("subtype t : colour range green .. red;", "2:20: the range green .. red is empty"),
            ("type t : range x .. 2;", "2:16: a bound of a type cannot depend on x"),
            ("type t : range 0 .. 3000000000;", "2:21: this number is beyond 32 bits"),
            ("type t : range 0 .. 2147483647 + 1;", "2:21: the bound 2147483648 is beyond 32 bits"),
            (
                "type t : range red .. 2;",
                "2:16: a bound of a type must be a number, and this is of type colour",
            ),
            ("constant int C := 1 / 0;", "2:19: division by zero"),
            ("constant digit C := 10;", "2:21: 10 is not a value of type digit (0 .. 9)"),
            ("constant digit C := D + 8;", "2:21: 12 is not a value of type digit (0 .. 9)"),
            (
                "constant int C := 2147483647 + 1;",
                "2:19: 2147483648 is not a value of type int (-2147483648 .. 2147483647)",
            ),
            ("constant int N := 1;", "2:14: there is already a constant N"),
            ("constant int C := C;", "2:19: a constant cannot depend on C"),
            ("constant digit C := succ digit'last;", "2:21: type digit ends at 9"),
            ("constant l C := |1, 2, 3, 4|;", "2:17: more than the 3 elements that type l can hold"),
            ("constant int C := l'first;", "2:21: the composite type l has no attribute first"),
            (
                "constant int C := endless(1);",
                "1:181: function endless is called too deeply: an endless recursion?",
            ),
            (
                "constant int C := late(); function late() -> int return 1;",
                "2:19: there is no function or type late",
            ),
            (
                "function late() -> int; constant int C := late(); function late() -> int return 1;",
                "2:43: function late is needed here, but its body comes later",
            ),
            ("constant int C := p'card;", "2:19: places can be read only in propositions and priorities"),
            ("constant int C := false;", "2:19: expected a value of type int, found one of type bool"),
        ],
        |text| {
            format!(
                "m (N := 3) {{ type digit : range 0 .. 9; type l : list [nat] of digit with capacity 3; type \
                 colour : enum (red, green); constant digit D := 4; function endless(int x) -> int return \
                 endless(x); place p {{ dom: int; }}\n{text}\n}}"
            )
        },
    );
}

const DECLARATIONS: &str = "m (N := 3) { type digit : range 0 .. 9; type ring : mod 5; type other : mod 7; type
    colour : enum (red, green); type light : enum (red, amber); type l : list [nat] of digit with capacity 3;
    type s : set of digit with capacity 3; type v : vector [colour, bool] of digit; type t : struct { digit a;
    colour b; }; place p { dom: digit * ring; } place e { dom: epsilon; } place pl { dom: l; } place q { dom: t; }
    place c { dom: colour; } function f(digit x, ring y) -> digit return x;";

#[test]
fn expressions() {
    let cases = [
        ("x + y", "1:1: the operands of + are of the types digit and ring"),
        ("y = x", "1:1: the operands of = are of the types ring and digit"),
        ("y = other(1)", "1:1: the operands of = are of the types ring and other"),
        ("y + N > 1", "1:1: the operands of + are of the types ring and int"),
        ("x = red", "1:5: expected a value of type digit, found the constant red"),
        ("x = green", "1:1: the operands of = are of the types digit and colour"),
        ("x + green", "1:5: operator + needs a number, and this is of type colour"),
        ("not x", "1:5: expected a value of type bool, found one of type digit"),
        ("x and true", "1:1: expected a value of type bool, found one of type digit"),
        ("x", "1:1: expected a value of type bool, found one of type digit"),
        ("-true", "1:2: operator - needs a number, and this is of type bool"),
        ("succ k = k", "1:6: type l has no order of values"),
        ("k < k", "1:1: values of type l have no order"),
        ("red = red", "1:1: red may be of the types colour, light"),
        ("red < green", ""),
        ("empty = empty", "1:1: this may be a list or set of the types l, s"),
        ("|1| = |2|", "1:1: this may be a list or set of the types l, s"),
        ("k = [1, 2]", "1:5: expected a value of type l, found a vector"),
        ("{1, 2} = {1, 2}", "1:1: there is no type for a struct with these parts"),
        ("r = {1}", "1:5: type t has 2 fields, this literal has 1"),
        ("r.x = 1", "1:3: type t has no field x"),
        ("x.a = 1", "1:3: a value of type digit has no fields"),
        ("r :: (a := green) = r", "1:12: expected a value of type digit, found one of type colour"),
        ("x[1] = 1", "1:1: a value of type digit has no elements to index"),
        ("k[1, 2] = 1", "1:1: type l has 1 indices, found 2"),
        ("k[green] = 1", "1:3: expected a value of type nat, found one of type colour"),
        ("r[1 .. 2] = r", "1:1: a value of type t cannot be sliced"),
        ("x in x", "1:6: expected a list or set, found a value of type digit"),
        ("green in k", "1:1: expected a value of type digit, found one of type colour"),
        ("x & 1 = x", "1:1: operator & needs a list on one of its sides"),
        ("f(1) = 1", "1:1: function f has 2 arguments, this call has 1"),
        ("f(1, x) = 1", "1:6: expected a value of type ring, found one of type digit"),
        ("g(1) = 1", "1:1: there is no function or type g"),
        ("ring(red) = y", "1:6: red may be of the types colour, light"),
        ("ring(green) = y", "1:6: a value of type colour cannot be cast to type ring"),
        ("digit() = x", "1:1: a cast to type digit has 1 argument, this one has 0"),
        ("k'length = 1", "1:3: there is no attribute length of values"),
        ("x'size = 1", "1:1: a value of type digit has no attribute size"),
        ("(s(empty))'first = 1", "1:12: sets have no attribute first"),
        ("p'first = 1", "1:3: a place has no attribute first"),
        ("z'first = 1", "1:1: there is no place, type or value z"),
        ("p'card = 1", "1:1: places can be read only in propositions and priorities"),
        ("exists (i in p | true)", "1:14: places can be read only in propositions and priorities"),
        ("exists (i in digits | true)", "1:14: there is no type, place or value digits"),
        (
            "exists (i in k range 1 .. 2 | true)",
            "1:16: only the values of a type can be restricted by a range",
        ),
        ("exists (i in l | true)", "1:14: the values of the composite type l are too many"),
        ("exists (i in digit, i in digit | true)", "1:21: there is already a variable i"),
        ("exists (i in digit : true)", "1:20: expected `)`, found `:`"),
        ("forall (i in digit | true)", "1:26: expected `:`, found `)`"),
        ("forall (i in digit : i)", "1:22: expected a value of type bool, found one of type digit"),
        ("sum (i in colour : i) = 1", "1:20: operator sum needs a number, and this is of type colour"),
        ("max (i in |k| : i) = k", "1:11: there is no type for a list or set with these parts"),
        ("x->1 = 1", "1:1: x does not stand for the tokens of a place"),
        ("x ? 1 : 2", "1:1: expected a value of type bool, found one of type digit"),
        ("(true ? x : green) = x", "1:1: the branches of a condition are of the types digit and colour"),
        ("x = 1 2", "1:7: expected `;`, found the number `2`"),
        ("x = ", "1:5: expected an expression, found `;`"),
        ("(x = 1", "1:7: expected `)`, found `;`"),
        ("x <(1)", "1:3: expected `;`, found `<(`"),
        ("(x)> 1", "1:3: expected `)`, found `)>`"),
        ("| | = k", "1:5: expected an expression, found `=`"),
        ("k = | |", "1:7: expected an element, found `|`"),
        (
            "n = 1",
            "1:1: transition t cannot be evaluated: variable n is used but no input arc or pick defines it",
        ),
        ("x = 5000000000", "1:5: this number is beyond 32 bits"),
        ("k'prefx = k", "1:3: there is no attribute prefx of values"),
        ("y or k", "1:1: expected a value of type bool, found one of type ring"),
        (
            "(S - x) = S",
            "1:2: transition t cannot be evaluated: variable S is used but no input arc or pick \
                         defines it",
        ),
    ];
    let mut wrong = Vec::new();
    for (text, expected) in cases {
        let model = format!(
            "{DECLARATIONS} transition t {{ in {{ p: <( x, y )>; pl: <( k )>; q: <( r )>; }} out {{ }} guard:\n{text}; }} }}"
        );
        let found = refused(&model, "", &ReadOptions::default());
        let expected = match expected.strip_prefix("1:") {
            Some(rest) => format!("6:{rest}"),
            None => "was read".to_owned(),
        };
        if found != expected {
            wrong.push(format!("{text}\n   found    {found}\n   expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn places() {
    check(
        &[
            ("place x { }", "6:11: expected `dom`, found `}`"),
            ("place x { dom: ; }", "6:16: expected the name of a type or `epsilon`, found `;`"),
            ("place x { dom: dgit; }", "6:16: there is no type dgit"),
            ("place x { dom: int; capacity: 0; }", "6:31: a place cannot have capacity 0"),
            ("place x { dom: int; capacity: 1; capacity: 2; }", "6:34: `capacity` is stated twice"),
            ("place x { dom: int; type: proces; }", "6:27: there is no type proces of places"),
            (
                "place x { dom: int; guard: true; }",
                "6:21: expected init, capacity, type or `}`, found the reserved \
                                                   word `guard`",
            ),
            ("place p { dom: int; }", "6:7: there is already a place p"),
            (
                "place x { dom: int; init: <( 1, 2 )>; }",
                "6:27: the tokens of place x have 1 component, this one has 2",
            ),
            (
                "place x { dom: int; init: epsilon; }",
                "6:27: the tokens of place x have 1 component, this one is black",
            ),
            (
                "place x { dom: epsilon; init: <( 1 )>; }",
                "6:31: place x has black tokens, this one has 1 component",
            ),
            ("place x { dom: int; init: <( y )>; }", "6:30: the initial marking cannot depend on y"),
            (
                "place x { dom: int; init: 2 * <( 1 )>; }",
                "6:27: capacity exceeded in place x: 2 times {1}, allowed is 1",
            ),
            (
                "place x { dom: int; init: <( 1 )> + <( 2 - 1 )>; }",
                "6:27: capacity exceeded in place x: 2 times {1}, allowed is 1",
            ),
            ("place x { dom: int; init: 0 * <( 1 )>; }", "6:27: a token cannot occur 0 times"),
            (
                "place x { dom: int; init: N - 1 * <( 1 )>; }",
                "6:27: a factor with operators needs parentheses",
            ),
            ("place x { dom: int; init: (1); }", "6:30: expected `*` and a token, found `;`"),
            ("place x { dom: int; init: <( 1 ); }", "6:32: expected `)>`, found `)`"),
            (
                "place x { dom: int; init: for (i in int) <( i )>; }",
                "6:27: this stands for more than 16777216 tokens",
            ),
            (
                "place x { dom: digit; init: for (i in int range 8 .. 11) <( i )>; }",
                "6:61: 10 is not a value of type digit (0 .. 9)",
            ),
            (
                "place x { dom: digit; init: for (i in l) <( i )>; }",
                "6:39: the values of the composite type l are too many",
            ),
            (
                "place x { dom: int; init: for (i in |1|) <( i )>; }",
                "6:37: a variable of an arc runs over a type",
            ),
            (
                "place x { dom: int; init: if (1) <( 1 )>; }",
                "6:31: expected a value of type bool, found one of type int",
            ),
            (
                "place x { dom: ring; init: <( N )>; }",
                "6:31: expected a value of type ring, found one of type int",
            ),
            ("place x { dom: ring; init: <( 5 )>; }", "6:31: 5 is not a value of type ring (0 .. 4)"),
        ],
        |text| format!("{DECLARATIONS}\n{text}\n}}"),
    );
}

#[test]
fn transitions() {
    check(
        &[
            ("transition t { out { } }", "6:16: expected `in`, found the reserved word `out`"),
            ("transition t { in { } }", "6:23: expected `out`, found `}`"),
            (
                "transition t { in { } out { } let { } pick { } }",
                "6:39: expected guard, priority, safe, description or `}`, found the reserved word `pick`",
            ),
            ("transition t { in { } out { } safe }", "6:36: expected `;`, found `}`"),
            (
                "transition t { in { } out { } } transition t { in { } out { } }",
                "6:44: there is already a transition t",
            ),
            ("transition t { in { x: epsilon; } out { } }", "6:21: there is no place x"),
            (
                "transition t { in { p: <( x )>; } out { } }",
                "6:24: the tokens of place p have 2 components, this one has 1",
            ),
            (
                "transition t { in { } out { p: <( x, 1 )>; } }",
                "6:35: transition t cannot be evaluated: variable x is used but no input arc or pick defines it",
            ),
            (
                "transition t { in { p: if (x = 1) <( x, 1 )>; } out { } }",
                "6:28: transition t cannot be evaluated: variable x is used but no input arc or pick defines it",
            ),
            (
                "transition t { in { p: <( x + 1, y )>; } out { } }",
                "6:27: transition t cannot be evaluated: variable x is used but no input arc or pick defines it",
            ),
            (
                "transition t { in { p: <( x, ring(z) )> + <( z, ring(x) )>; } out { } }",
                "6:35: transition t cannot be evaluated: variable z is used before it is defined",
            ),
            (
                "transition t { in { } out { } pick { a in digit range b .. 9; b in digit range a .. 9; } }",
                "6:55: transition t cannot be evaluated: variable b is used but no input arc or pick defines it",
            ),
            (
                "transition t { in { pl: <( w & a )>; } out { } pick { a in w; } }",
                "6:60: there is no type, place or value w",
            ),
            (
                "transition t { in { p: <( x, x )>; } out { } }",
                "6:30: variable x would be of the types digit and ring",
            ),
            (
                "transition t { in { p: <( x, y )>; } out { } pick { x in digit; } }",
                "6:53: variable x is already defined in this transition",
            ),
            (
                "transition t { in { p: <( x, y )>; } out { } let { int x := 1; } }",
                "6:56: variable x is already defined in this transition",
            ),
            (
                "transition t { in { p: <( w, y )>; } out { } let { int z := w2; } }",
                "6:61: transition t cannot be evaluated: variable w2 is used but no input arc or pick defines it",
            ),
            (
                "transition t { in { p: <( x, y )>; } out { p: x * <( x, y )>; } }",
                "6:47: the factor of a token cannot depend on x",
            ),
            (
                "transition t { in { p: <( x, y )>; } out { p: for (i in digit range 0 .. x) <( i, y )>; } }",
                "6:74: a range on an arc cannot depend on x",
            ),
            (
                "transition t { in { p: <( x, y )>; } out { } guard: x; }",
                "6:53: expected a value of type bool, found one of type digit",
            ),
            ("transition t { in { } out { } guard: true; guard: true; }", "6:44: `guard` is stated twice"),
            (
                "transition t { in { p: <( x, y )>; } out { } priority: y; }",
                "6:56: expected a value of type int, found one of type ring",
            ),
            (
                "transition t { in { } out { } description: \"%d\"; }",
                "6:44: this text shows 1 value, and 0 are given",
            ),
            (
                "transition t { in { } out { } description: \"x\", 1; }",
                "6:44: this text shows 0 values, and 1 is given",
            ),
            ("transition t { in { } out { } description: \"5% x\"; }", "6:44: `% ` is no conversion"),
            (
                "transition t { in { pl: <( k )>; } out { } description: \"%d\", k; }",
                "6:63: a description cannot show a value of type l",
            ),
            (
                "transition t { in { } out { } inhibit { p: <( a, ring(b) )>; } }",
                "6:55: transition t cannot be evaluated: variable b is used but no input arc or pick defines it",
            ),
        ],
        |text| format!("{DECLARATIONS}\n{text}\n}}"),
    );
}

#[test]
fn functions() {
    check(
        &[
            ("function g() -> int;", "6:10: function g has no body"),
            ("import function g() -> int;", "6:1: the imported function g cannot be run"),
            ("function g() int return 1;", "6:14: expected `->`, found the name `int`"),
            ("function g() -> int { }", "6:23: expected a statement, found `}`"),
            ("function g() -> int { return 1; int x; }", "6:33: a declaration after a statement"),
            (
                "function g() -> int { int x; int x; return 1; }",
                "6:34: there is already a variable x in this block",
            ),
            ("function g(int x, int x) -> int return 1;", "6:23: there is already a parameter x"),
            (
                "function g() -> int return true;",
                "6:28: expected a value of type int, found one of type bool",
            ),
            ("function g() -> int { x := 1; return 1; }", "6:23: there is no variable x"),
            ("function g() -> int { N := 1; return 1; }", "6:23: N is a constant: it cannot be assigned"),
            (
                "function g() -> int { constant int x := 1; x := 2; return x; }",
                "6:44: x is a constant: it cannot be assigned",
            ),
            (
                "function g() -> int { for (i in digit) i := 1; return 1; }",
                "6:40: i is an iteration variable: it cannot be assigned",
            ),
            (
                "function g() -> int { for (i in p) return 1; return 2; }",
                "6:33: the tokens of a place cannot be iterated over here",
            ),
            ("function g(v x) -> int { x[red] := 1; return 1; }", "6:26: type v has 2 indices, found 1"),
            ("function g(t x) -> int { x.z := 1; return 1; }", "6:28: type t has no field z"),
            (
                "function g(int x) -> int { case (x) { 1: return 1; 2 - 1: return 2; } return 3; }",
                "6:52: there is already an alternative for 1",
            ),
            (
                "function g(int x) -> int { case (x) { x: return 1; } return 3; }",
                "6:39: an alternative of a case cannot depend on x",
            ),
            (
                "function g(int x) -> int { case (x) { default: return 1; 1: return 2; } }",
                "6:58: expected `}`, found the number `1`",
            ),
            ("function g(int x) -> int { if x return 1; }", "6:31: expected `(`, found the name `x`"),
            ("function g(int x) -> int { assert x; return 1; }", "6:35: expected `:`, found the name `x`"),
            (
                "function g(int x) -> int { print \"%d %d\", x; return 1; }",
                "6:34: this text shows 2 values, and 1 is given",
            ),
            ("function f(digit x, ring y) -> digit return x;", "6:10: there is already a function f"),
            (
                "function g(int x) -> int; function g(bool x) -> int return 1;",
                "6:36: function g was declared with other types",
            ),
            ("function g(int x) -> int return h(x);", "6:33: there is no function or type h"),
            ("function g(int x) -> int return y;", "6:33: there is no variable or constant y"),
        ],
        |text| format!("{DECLARATIONS}\n{text}\n}}"),
    );
}

#[test]
fn propositions_and_properties() {
    let cases = [
        ("proposition a: p'card;", "", "6:16: expected a value of type bool, found one of type int"),
        ("proposition a: true; proposition a: true;", "", "6:34: there is already a proposition a"),
        (
            "proposition a: exists (x in p | x->3 = 1);",
            "",
            "6:33: x has 2 components, and number 3 is asked for",
        ),
        ("proposition a: exists (x in e | x->1 = 1);", "", "6:33: x is a black token: it has no components"),
        ("proposition a: exists (x in p | x = 1);", "", "6:33: x is a whole token of a place"),
        ("proposition a: mult (x in digit) = 1;", "", "6:27: mult counts the tokens of a place"),
        ("proposition a: mult (x in p, y in p) = 1;", "", "6:30: mult counts the tokens of one place"),
        ("proposition a: p > 1;", "", "6:16: p is a place"),
        ("", "state property x: reject a;", "p:1:26: there is no proposition a"),
        ("proposition a: true;", "ltl property x: [] b;", "p:1:20: there is no proposition b"),
        (
            "proposition a: true;",
            "ltl property x: a;\nltl property x: a;",
            "p:2:14: there is already a property x",
        ),
        (
            "proposition a: true;",
            "property x: a;",
            "p:1:1: expected `state property`, `ltl property` or `progress property`, found the reserved word \
             `property`",
        ),
        (
            "proposition a: true;",
            "state property x: accept a;",
            "p:1:19: expected `reject`, found the reserved word `accept`",
        ),
        ("proposition a: true;", "ltl property x: $;", "p:1:17: stray character `$`"),
        ("", "progress property x: nowhere;", "p:1:22: there is no place nowhere"),
        ("proposition a: true;", "ltl property x: a =>;", "p:1:21: expected a formula, found `;`"),
        ("proposition a: true;", "ltl property x: 1;", "p:1:17: expected a formula, found the number `1`"),
        (
            "proposition a: true;",
            "ltl property x: a until",
            "p:1:24: expected a formula, found the end of the file",
        ),
    ];
    let mut wrong = Vec::new();
    for (text, properties, expected) in cases {
        let model = format!("{DECLARATIONS}\n{text}\n}}");
        let found = refused(&model, properties, &ReadOptions::default());
        if found != expected {
            wrong.push(format!("{text} {properties}\n   found    {found}\n   expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn help_names_what_was_probably_meant() {
    for (text, help) in [
        ("constant int C := dgit(1);", "did you mean digit?"),
        ("constant colour C := gren;", "did you mean green?"),
        ("place x { dom: dgit; }", "did you mean digit?"),
        (
            "transition t { in { places: epsilon; } out { } } place place1 { dom: int; }",
            "define a place of this name \
         before this line",
        ),
        ("proposition a: exists (tok in p | tik->1 = 1);", "did you mean tok?"),
        ("place x { dom: int; type: procss; }", "did you mean process?"),
        ("transition t { in { p: <( amount, y )>; } out { p: <( amuont, y )>; } }", "did you mean amount?"),
        ("proposition a: ring(1) = N;", "cast one of them, as in ring(...)"),
        ("import function g() -> int;", "write the function in the model's language"),
        ("type digit : mod 3;", "the first one is in line 1; rename one of them"),
        ("type int : mod 3;", "every net has a type int; choose another name"),
        ("place x { dom: int; init: N - 1 * <( 1 )>; }", "write it as in `(N - 1) * <( x )>`"),
    ] {
        let diagnostics =
            read_with(&format!("{DECLARATIONS}\n{text}\n}}"), None, &ReadOptions::default()).unwrap_err();
        assert_eq!(diagnostics[0].help.as_deref(), Some(help), "{text}");
    }
}

#[test]
fn parameters_that_do_not_exist() {
    let model = "m (Sites := 3, Limit := 4) { }";
    let options = ReadOptions { params: vec![("sites".to_owned(), 3)], ..ReadOptions::default() };
    let diagnostics = read_with(model, None, &options).unwrap_err();
    assert_eq!(shown(model, "", &diagnostics), "1:1: net m has no parameter sites");
    let help = "did you mean Sites? its parameters are Sites, Limit";
    assert_eq!(diagnostics[0].help.as_deref(), Some(help));
    let options = ReadOptions { params: vec![("Limit".to_owned(), 1 << 40)], ..ReadOptions::default() };
    assert!(
        refused(model, "", &options).contains("the value 1099511627776 of parameter Limit is beyond 32 bits")
    );
}

#[test]
fn one_error_does_not_cause_others() {
    let model = "m {
        type bad : range 5 .. 1;
        type worse : enum (a, b, a);
        constant bad C := 1;
        function f(bad x) -> int return x;
        function g(int x) -> int return y;
        place p { dom: bad; }
        constant int D := f(1) + g(2);
        transition t { in { p: <( x )>; } out { } guard: x = C or b = a; }
        proposition q: p'card = D and b = a;
        transition u { in { nowhere: epsilon; } out { } }
    }";
    let properties = "ltl property l: q;";
    assert_eq!(
        refused(model, properties, &ReadOptions::default()),
        "2:20: the range 5 .. 1 is empty\n3:34: there is already a constant a in this type\n\
         6:41: there is no variable or constant y\n11:29: there is no place nowhere"
    );
}

#[test]
fn at_most_twenty_diagnostics() {
    let model = format!("m {{ {} }}", "constant int C := x;\n".repeat(100));
    let diagnostics = read_with(&model, None, &ReadOptions::default()).unwrap_err();
    assert_eq!(diagnostics.len(), 20);
}
