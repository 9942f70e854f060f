//! Formulas: what is read, and what is refused with which words at which place.

use petite_lang::{ReadOptions, Source, formula, helena, mcc, pnml};
use petite_net::{Comparison, FormulaKind, Net, Number, Pattern, PlaceIdx, Predicate, Question, Value};

const COLOURED: &str = "colours (N := 3) {
   type small : range 1 .. N;
   type light : enum (red, green);
   place p { dom: small * light; init: <( 1, red )>; capacity: 4; }
   place q { dom: small; }
   place black { dom: epsilon; init: epsilon; }
   transition move {
      in  { p: <( x, c )>; }
      out { q: <( x )>; }
   }
   proposition marked: q'card > 0;
}";

fn coloured() -> Net {
    helena::read(&Source::new("c.lna", COLOURED), None, &ReadOptions::default()).expect("a net")
}

fn plain() -> Net {
    let text = "<pnml xmlns='http://www.pnml.org/version-2009/grammar/pnml'>
        <net id='n' type='http://www.pnml.org/version-2009/grammar/ptnet'><page id='g'>
        <place id='p-1'><name><text>first place</text></name></place><place id='G'/><place id='r'/>
        <transition id='t.1'/><transition id='enabled'/></page></net></pnml>";
    pnml::read(&Source::new("n.pnml", text), &ReadOptions::default()).expect("a net")
}

fn question(net: &Net, text: &str) -> Question {
    let read = formula::read_formula(&Source::new("-f", text), 7, net, "f");
    read.unwrap_or_else(|fault| panic!("{text}: {fault:?}")).question
}

fn predicate(net: &Net, text: &str) -> Predicate {
    match question(net, text) {
        Question::Holds(formula) => match formula.kind {
            FormulaKind::State(predicate) => predicate,
            other => panic!("{text}: {other:?}"),
        },
        other => panic!("{text}: {other:?}"),
    }
}

#[track_caller]
fn refused(net: &Net, text: &str, marked: &str, message: &str) {
    let fault = formula::read_formula(&Source::new("-f", text), 7, net, "f").expect_err(text);
    assert_eq!(fault.span.file, 7, "{text}");
    let at = text.get(fault.span.start as usize..fault.span.end as usize).unwrap_or("outside");
    let all = format!("{} {:?}", fault.message, fault.help);
    assert!(at == marked && all.contains(message), "{text}: {at:?} {all}");
}

#[test]
fn places_are_found_by_identifier_name_and_in_quotes() {
    let net = plain();
    let tokens = |n| Number::Tokens(PlaceIdx(n));
    let more = |n| Predicate::Compare(Comparison::Gt, tokens(n), Number::Const(0));
    assert_eq!(predicate(&net, "\"p-1\" > 0"), more(0));
    assert_eq!(predicate(&net, "\"first place\" > 0"), more(0));
    assert_eq!(predicate(&net, "tokens(G) > 0"), more(1), "reserved words are names in parentheses");
    assert_eq!(predicate(&net, "\"G\" > 0"), more(1));
    assert!(
        matches!(predicate(&net, "enabled(\"t.1\", enabled)"), Predicate::Enabled(all) if all.len() == 2)
    );
}

#[test]
fn colours_are_values_variables_and_anything() {
    let net = coloured();
    let fitting = |text: &str| match predicate(&net, text) {
        Predicate::Compare(_, Number::Fitting(place, pattern), _) => (place.0, pattern),
        other => panic!("{text}: {other:?}"),
    };
    let red = || Pattern::Value(Value::Int(0));
    assert_eq!(fitting("p[2, red] = 1"), (0, Pattern::Tuple(vec![Pattern::Value(Value::Int(2)), red()])));
    assert_eq!(fitting("p[_, red] = 1"), (0, Pattern::Tuple(vec![Pattern::Any, red()])));
    assert_eq!(fitting("q[N] = 1").0, 1, "a parameter is a number");
    let Predicate::And(parts) = predicate(&net, "forall (x in small) q[x] <= 1") else { panic!() };
    assert_eq!(parts.len(), 3);
    let Predicate::Or(parts) =
        predicate(&net, "exists (x in 1 .. N - 1) exists (l in light) p[x + 1, l] > 0")
    else {
        panic!()
    };
    assert_eq!(parts.len(), 2);
    assert!(matches!(&parts[0], Predicate::Or(inner) if inner.len() == 2));
    assert!(
        matches!(question(&net, "bound(sum (x in small) q[x])"), Question::Bound(Number::Sum(parts)) if parts.len() == 3)
    );
    assert!(matches!(predicate(&net, "marked and not deadlock"), Predicate::And(_)));
    let voters = "voters { place votes { dom: int * bool; } }";
    let voters = helena::read(&Source::new("v.lna", voters), None, &ReadOptions::default()).expect("a net");
    for (text, value) in [("false", 0), ("true", 1), ("\"true\"", 1)] {
        let Predicate::Compare(_, Number::Fitting(_, pattern), _) =
            predicate(&voters, &format!("votes[_, {text}] = 0"))
        else {
            panic!("{text}")
        };
        assert_eq!(pattern, Pattern::Tuple(vec![Pattern::Any, Pattern::Value(Value::Int(value))]), "{text}");
    }
    // A comparison of colours is carried out at once.
    let Predicate::And(parts) = predicate(&net, "forall (l in light) l = red") else { panic!() };
    assert_eq!(parts, [Predicate::Const(true), Predicate::Const(false)]);
}

#[test]
fn operators_bind_as_documented() {
    let net = coloured();
    let shape = |text: &str| match question(&net, text) {
        Question::Holds(formula) => formula.kind,
        other => panic!("{other:?}"),
    };
    assert!(matches!(shape("AG q <= 1 and marked"), FormulaKind::And(_)), "AG reaches to the comparison");
    assert!(matches!(shape("marked -> F marked -> G marked"), FormulaKind::Or(_)));
    assert!(
        matches!(shape("marked U marked U deadlock"), FormulaKind::Until(_, right) if matches!(right.kind, FormulaKind::Until(..)))
    );
    assert!(
        matches!(shape("E[marked U deadlock]"), FormulaKind::Exists(body) if matches!(body.kind, FormulaKind::Until(..)))
    );
    assert!(matches!(shape("A (G F marked)"), FormulaKind::All(_)));
    assert!(matches!(shape("[] <> marked"), FormulaKind::Globally(_)));
    assert!(matches!(shape("marked W deadlock"), FormulaKind::Release(..)));
    assert!(matches!(predicate(&net, "1 + 2 * q - 1 = q"), Predicate::Compare(..)));
}

#[test]
fn wrong_formulas_are_refused_where_they_are_wrong() {
    let net = coloured();
    refused(&net, "AG (qq <= 1)", "qq", "no place `qq`");
    refused(&net, "AG (blakc <= 1)", "blakc", "did you mean `black`?");
    refused(&net, "AG unheard", "unheard", "another model");
    refused(&net, "AG q", "q", "a number where a condition");
    refused(&net, "marked + 1 = 2", "marked", "where a number is expected");
    refused(&net, "(q > 0) = (q > 1)", "(q > 0)", "a condition where a number");
    refused(&net, "AG (q <= 1", "(", "not closed");
    refused(&net, "AG q <= 1)", ")", "nothing was opened");
    refused(&net, "p[1, blue] = 0", "blue", "no value of type light `blue`");
    refused(&net, "p[4, red] = 0", "4", "4 is no value of type small");
    refused(&net, "p[1] = 0", "p[1]", "have 2 components");
    refused(&net, "black[1] = 0", "black[1]", "have no colour");
    refused(&net, "enabled(mave)", "mave", "did you mean `move`?");
    refused(&net, "forall (x in tiny) q[x] = 0", "tiny", "no type `tiny`");
    refused(&net, "forall (l in light) q[l] = 0", "l", "of type light where small");
    refused(&net, "q @ 1", "@", "stray character");
    refused(&net, "and q", "and", "found the operator");
    refused(&net, "q > 99999999999999999999", "99999999999999999999", "64 bits");
    refused(&net, "\"q > 0", "\"", "does not end");
    refused(&net, "", "", "expected a formula");
    refused(&net, &"!".repeat(5000), "!", "nested deeper");
    refused(&net, "count(q) > 1", "count", "no function");
}

#[test]
fn nested_equivalences_do_not_explode() {
    let net = coloured();
    let text = (0..60).fold("F marked".to_owned(), |text, _| format!("({text}) <-> X marked"));
    let fault = formula::read_formula(&Source::new("-f", text), 0, &net, "f").expect_err("too many parts");
    assert!(fault.message.contains("more than 200000 parts"), "{}", fault.message);
}

#[test]
fn files_hold_named_properties() {
    let net = coloured();
    let read = |text: &str| formula::read_file(&Source::new("f.prop", text), 1, &net);
    let queries = read(
        "// two\nproperty safe: AG q <= 3;\n\"odd name\": bound(q); # and one without a name\nEF marked;",
    )
    .unwrap();
    let names: Vec<&str> = queries.iter().map(|query| query.name.as_str()).collect();
    assert_eq!(names, ["safe", "odd name", "property3"]);
    let faults = read("a: AG x <= 3;\nb: AG y <= 3;\na: EF marked;").unwrap_err();
    assert_eq!(faults.len(), 2, "every property that does not fit is told");
    assert!(read("a: EF marked").unwrap_err()[0].message.contains("`;`"));
    assert!(read("a: EF marked; a: EF marked;").unwrap_err()[0].message.contains("two properties"));
    assert!(read(" ").unwrap_err()[0].message.contains("no property"));
}

fn xml(formula: &str) -> String {
    format!(
        "<property-set xmlns='http://mcc.lip6.fr/'><property><id>f</id><description>d</description><formula>{formula}</formula></property></property-set>"
    )
}

#[test]
fn the_contest_s_formulas_are_read() {
    let net = plain();
    let read =
        |formula: &str| mcc::read(&Source::new("f.xml", xml(formula)), 3, &net).unwrap().remove(0).question;
    let sum = Number::Sum(vec![Number::Tokens(PlaceIdx(0)), Number::Tokens(PlaceIdx(2))]);
    assert_eq!(
        read("<place-bound><place>p-1</place><place>r</place></place-bound>"),
        Question::Bound(sum.clone())
    );
    let Question::Holds(formula) = read(
        "<all-paths><globally><integer-le><tokens-count><place>p-1</place><place>r</place></tokens-count>\
         <integer-constant>3</integer-constant></integer-le></globally></all-paths>",
    ) else {
        panic!()
    };
    let FormulaKind::All(body) = formula.kind else { panic!() };
    let FormulaKind::Globally(body) = body.kind else { panic!() };
    assert_eq!(body.kind, FormulaKind::State(Predicate::Compare(Comparison::Le, sum, Number::Const(3))));
    read(
        "<exists-path><until><before><true/></before><reach><is-fireable><transition>t.1</transition></is-fireable></reach></until></exists-path>",
    );
}

#[test]
fn wrong_xml_is_refused_where_it_is_wrong() {
    let net = plain();
    let refused = |text: &str, message: &str| {
        let faults = mcc::read(&Source::new("f.xml", text), 3, &net).expect_err(text);
        assert!(faults[0].message.contains(message), "{text}: {faults:?}");
        assert!(faults.iter().all(|fault| fault.span.file == 3));
        faults[0].span
    };
    let text = xml("<is-fireable><transition>t9</transition></is-fireable>");
    let span = refused(&text, "has no transition `t9`");
    assert_eq!(&text[span.start as usize..span.end as usize], "t9");
    refused(&xml("<place-bound><place>nobody</place></place-bound>"), "has no place `nobody`");
    refused(&xml("<sometimes/>"), "element <sometimes> is not known");
    refused(&xml("<negation/>"), "takes one formula");
    refused(&xml(""), "is empty");
    refused("<pnml/>", "expected <property-set>");
    refused("<property-set><property></property></property-set>", "no <id>");
    refused("<property-set><property>", "ends before");
}

#[test]
fn deep_xml_is_refused() {
    // The command reads on such a stack, too.
    let read = || {
        let faults =
            mcc::read(&Source::new("f.xml", xml(&"<negation>".repeat(20_000))), 3, &plain()).unwrap_err();
        assert!(faults[0].message.contains("nested more than 1000 deep"), "{faults:?}");
    };
    petite_net::on_large_stack(64 << 20, read).unwrap();
}
