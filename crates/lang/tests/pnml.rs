//! PNML texts and what they are read as: nets in short, or the first thing that is wrong with them.

use petite_lang::{ReadOptions, Source, pnml};
use petite_net::{Net, PlaceIdx, TransIdx};

fn read(text: &str) -> Result<Net, String> {
    let source = Source::new("test.pnml", text);
    pnml::read(&source, &ReadOptions::default()).map_err(|diagnostics| {
        let first = &diagnostics[0];
        let at = source.position(first.span.start);
        format!("{}:{}: {}", at.line, at.column, first.message)
    })
}

/// A net of a type with contents on lines of their own.
fn net(kind: &str, contents: &str) -> String {
    format!(
        "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n\
         <net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/{kind}\">\n{contents}\n</net>\n</pnml>"
    )
}

fn pt(contents: &str) -> Result<Net, String> {
    read(&net("ptnet", contents))
}

/// The first problem of a place/transition net; lines count from the first line of the contents.
#[track_caller]
fn refused(contents: &str, expected: &str) {
    assert_eq!(in_contents(pt(contents)), expected);
}

#[track_caller]
fn refused_coloured(contents: &str, expected: &str) {
    assert_eq!(in_contents(read(&net("symmetricnet", contents))), expected);
}

fn in_contents(found: Result<Net, String>) -> String {
    let error = found.map(|net| summary(&net)).expect_err("an error");
    let (line, rest) = error.split_once(':').unwrap();
    format!("{}:{rest}", line.parse::<i64>().unwrap() - 2)
}

/// A net in a few words: places with their tokens, transitions with picks and arcs.
fn summary(net: &Net) -> String {
    let mut words = Vec::new();
    for place in &net.places {
        let token = |(value, count): (&_, u32)| format!("{count}'{}", net.types.show(place.domain, value));
        let tokens: Vec<String> = place.initial.iter().map(token).collect();
        words.push(format!("{}=[{}]", place.name, tokens.join(" ")));
    }
    for transition in &net.transitions {
        let place = |arc: &petite_net::Arc| net.place(arc.place).name.text.clone();
        let list = |arcs: &[petite_net::Arc]| arcs.iter().map(place).collect::<Vec<_>>().join("+");
        let variable = |var: petite_net::VarIdx| transition.variables[var.index()].name.text.clone();
        let binding: Vec<String> = transition.binding.iter().map(|&var| variable(var)).collect();
        let picks: Vec<String> = transition.picks.iter().map(|pick| variable(pick.var)).collect();
        words.push(format!(
            "{}({}|{}): {} -> {} !{}",
            transition.name,
            binding.join(","),
            picks.join(","),
            list(&transition.inputs),
            list(&transition.outputs),
            list(&transition.inhibitors)
        ));
    }
    words.join("; ")
}

#[track_caller]
fn check_pt(contents: &str, expected: &str) {
    assert_eq!(pt(contents).map(|net| summary(&net)), Ok(expected.to_owned()));
}

const SMALL: &str = "<page id='g'>
<place id='p'><name><text>P</text></name><initialMarking><text> 2 </text></initialMarking></place>
<place id='q'/>
<transition id='t'/>
<arc id='a' source='p' target='t'><inscription><text>2</text></inscription></arc>
<arc id='b' source='t' target='q'/>
</page>";

#[test]
fn weights_and_markings() {
    check_pt(SMALL, "P=[2'{}]; q=[]; t(|): P -> q !");
    let net = pt(SMALL).unwrap();
    let term = &net.transitions[0].inputs[0].terms[0];
    assert_eq!(format!("{:?}", term.factor.as_ref().unwrap().kind), "Const(Int(2))");
    assert_eq!(net.transitions[0].outputs[0].terms[0].factor, None);
    assert_eq!(net.name.text, "n");
}

#[test]
fn names_are_used_where_they_tell_nodes_apart() {
    let place = |id: &str, name: &str| format!("<place id='{id}'><name><text>{name}</text></name></place>");
    let places =
        [place("a", "x"), place("b", "x"), place("c", "a"), place("d", "y"), place("e", "")].concat();
    check_pt(&places, "a=[]; b=[]; c=[]; y=[]; e=[]");
    let net = pt(&places).unwrap();
    let ids: Vec<&str> = (0..5).map(|i| net.place_id(PlaceIdx(i))).collect();
    assert_eq!(ids, ["a", "b", "c", "d", "e"]);
    let net =
        pt("<transition id='&lt;1'><name><text>a&amp;&#98;<![CDATA[c]]></text></name></transition>").unwrap();
    assert_eq!((net.transitions[0].name.text.as_str(), net.transition_id(TransIdx(0))), ("a&bc", "<1"));
}

#[test]
fn pages_and_references_vanish() {
    check_pt(
        "<page id='g'><page id='h'><place id='p'/></page><referencePlace id='r' ref='s'/>
         <transition id='t'/><arc id='a' source='r' target='u'/></page>
         <page id='i'><referencePlace id='s' ref='p'/><referenceTransition id='u' ref='t'/></page>",
        "p=[]; t(|): p ->  !",
    );
    refused(
        "<referencePlace id='r' ref='s'/>\n<referencePlace id='s' ref='r'/>",
        "1:21: the reference r leads to no node of its kind",
    );
    refused(
        "<place id='p'/><referenceTransition id='r' ref='p'/>",
        "1:41: the reference r leads to no node of its kind",
    );
    refused("<referencePlace id='r' ref='x'/>", "1:21: the reference r leads to no node of its kind");
}

#[test]
fn inhibitor_arcs() {
    let nodes = "<place id='p'/><transition id='t'/>";
    check_pt(&format!("{nodes}<arc id='a' source='p' target='t' type='inhibitor'/>"), "p=[]; t(|):  ->  !p");
    check_pt(
        &format!("{nodes}<arc id='a' source='p' target='t'><type value='inhibitor'/></arc>"),
        "p=[]; t(|):  ->  !p",
    );
    refused(
        &format!("{nodes}<arc id='a' source='t' target='p' type='inhibitor'/>"),
        "1:36: this inhibitor arc leads from transition t to place p",
    );
    refused(
        &format!("{nodes}<arc id='a' source='p' target='t' type='transport'/>"),
        "1:76: arcs of type transport are not supported",
    );
    refused(
        &format!("{nodes}<arc id='a' source='p' target='t' inscription='[2,4]'/>"),
        "1:83: timed nets are not supported: this arc has a time interval",
    );
    refused(
        "<place id='p' invariant='&lt;= 5'/>",
        "1:26: timed nets are not supported: this place has an age invariant",
    );
    check_pt("<place id='p' invariant='&lt; inf'/>", "p=[]");
}

#[test]
fn wrong_structure_is_refused_with_its_line() {
    refused("<place id='p'/>\n<place id='p'/>", "2:12: the id p is used twice");
    refused("<place/>", "1:1: <place> has no attribute id");
    refused(
        "<place id='p'/>\n<transition id='t'/>\n<arc id='a' source='p' target='u'/>",
        "3:1: there is no place or transition u",
    );
    refused(
        "<place id='p'/><place id='q'/>\n<arc id='a' source='p' target='q'/>",
        "2:1: this arc leads from place p to place q",
    );
    refused(
        "<transition id='p'/>\n<arc id='a' source='p' target='p'/>",
        "2:1: this arc leads from transition p to transition p",
    );
    refused("<arc id='a' source='p'/>", "1:1: an arc needs the attributes source and target");
    refused(
        "<place id='p'>\n<capacity><text>3</text></capacity></place>",
        "2:1: <capacity> is not supported in a place of a place/transition net",
    );
    refused(
        "<transition id='t'><delay/></transition>",
        "1:20: <delay> is not supported in a transition of a place/transition net",
    );
    refused(
        "<page id='g'><arc2/></page>",
        "1:14: <arc2> is not supported in a net of a place/transition net",
    );
    refused(
        "<place id='p'><type/></place>",
        "1:15: <type> is not supported in a place of a place/transition net",
    );
}

#[test]
fn wrong_numbers_are_refused() {
    let marking =
        |text: &str| format!("<place id='p'><initialMarking><text>{text}</text></initialMarking></place>");
    refused(&marking("-1"), "1:37: -1 is no number of tokens: expected 0 to 4294967295");
    refused(&marking("4294967296"), "1:37: 4294967296 is no number of tokens: expected 0 to 4294967295");
    refused(&marking("99999999999999999999"), "1:37: 99999999999999999999 is too large");
    refused(&marking("two"), "1:37: expected a whole number, found 'two'");
    let arc = "<place id='p'/><transition id='t'/><arc id='a' source='p' target='t'>";
    refused(
        &format!("{arc}<inscription><text>0</text></inscription></arc>"),
        "1:89: an arc cannot have weight 0",
    );
    refused(
        &format!("{arc}<inscription><text>-3</text></inscription></arc>"),
        "1:89: -3 is no number of tokens: expected 0 to 4294967295",
    );
}

#[test]
fn wrong_xml_is_refused() {
    let error = |text: &str| read(text).expect_err("an error");
    assert_eq!(error(""), "1:1: this file has no element, expected <pnml>");
    assert_eq!(error("net { }"), "1:1: this is no XML: text before the first element");
    assert_eq!(error("<html></html>"), "1:1: this is no PNML: the first element is <html>");
    assert_eq!(error("<pnml></pnml>"), "1:1: the file has no net");
    assert_eq!(error("<pnml xmlns='urn:x'></pnml>"), "1:1: the namespace urn:x is not the one of PNML");
    assert_eq!(
        error("<pnml><net id='n' type='timednet'/></pnml>"),
        "1:7: nets of type timednet are not supported"
    );
    assert_eq!(error("<pnml><net id='n'/></pnml>"), "1:7: the net has no type");
    assert_eq!(
        error("<pnml>\n<net id='n' type='ptnet'>"),
        "2:1: the file ends before this element does: is it complete?"
    );
    assert_eq!(
        error("<pnml><net type='ptnet'/>\n<net type='ptnet'/></pnml>"),
        "2:1: the file has more than one net"
    );
    assert!(
        error("<pnml>\n<net type='ptnet'></page></net></pnml>")
            .starts_with("2:19: this is not well-formed XML")
    );
    assert_eq!(error("<pnml><net type='ptnet'/></pnml>\nmore"), "1:33: more text behind the end of the net");
    assert_eq!(
        error("<pnml><net type='ptnet'><x:place xmlns:x='urn:y' id='p'/></net></pnml>"),
        "1:25: element <x:place> is in the namespace urn:y"
    );
    assert_eq!(
        error("<pnml><net type='ptnet'><x:place id='p'/></net></pnml>"),
        "1:25: element <x:place> is in the unknown namespace x"
    );
    assert!(
        error("<pnml><net type='ptnet'><place id='p' id='q'/></net></pnml>")
            .starts_with("1:25: the attributes of this element are wrong")
    );
    assert!(
        read(
            "<p:pnml xmlns:p='http://www.pnml.org/version-2009/grammar/pnml'><p:net type='ptnet'/></p:pnml>"
        )
        .is_ok()
    );
    assert!(
        read("<pnml><net type='ptnet'><toolspecific tool='x'><y xmlns='z'/></toolspecific></net></pnml>")
            .is_ok()
    );
}

#[test]
fn entities_are_never_expanded() {
    let bomb = "<!DOCTYPE pnml [\n<!ENTITY a \"aaaa\">\n<!ENTITY b \"&a;&a;\">\n]>\n<pnml/>";
    assert_eq!(read(bomb).unwrap_err(), "1:1: the document type declares entities");
    refused("<place id='p'><name><text>&b;</text></name></place>", "1:27: the entity &b; is not known");
    assert!(in_contents(pt("<place id='&b;'/>")).starts_with("1:12: this value cannot be read"));
    assert!(read("<!DOCTYPE pnml SYSTEM 'x.dtd'><pnml><net type='ptnet'/></pnml>").is_ok());
}

#[test]
fn deep_nesting_is_refused_or_read() {
    let deep = |n: usize| pt(&("<page>".repeat(n) + &"</page>".repeat(n)));
    assert!(deep(20_000).is_ok());
    assert_eq!(
        in_contents(deep(100_000)),
        format!("1:{}: elements are nested more than 30000 deep", 6 * 29_998 + 1)
    );
    let skipped = "<toolspecific>".repeat(100_000);
    assert_eq!(
        in_contents(pt(&skipped)),
        format!("1:{}: elements are nested more than 30000 deep", 14 * 29_998 + 1)
    );
    assert!(in_contents(pt(&"<page>".repeat(1000))).contains("this is not well-formed XML"));
    let ends_early = read(&("<pnml><net type='ptnet'>".to_owned() + &"<page>".repeat(1000)));
    assert_eq!(ends_early.unwrap_err(), "1:6019: the file ends before this element does: is it complete?");
}

#[test]
fn nested_units_are_kept() {
    let units = |structure: &str| {
        pt(&format!(
            "<place id='p'/><place id='q'/>\n<toolspecific tool='nupn' version='1.1'><size places='2'/>{structure}</toolspecific>"
        ))
    };
    let nupn = units(
        "<structure units='2' root='r' safe='true'><unit id='r'><places>q</places><subunits> s\n</subunits></unit>
         <unit id='s'><places>p</places><subunits/></unit></structure>",
    );
    let nupn = nupn.unwrap().nupn.unwrap();
    assert!(nupn.safe);
    let unit = |unit: &petite_net::Unit| (unit.name.clone(), unit.places.clone(), unit.subunits.len());
    let found: Vec<_> = nupn.units.iter().map(unit).collect();
    assert_eq!(found, [("r".to_owned(), vec![PlaceIdx(1)], 1), ("s".to_owned(), vec![PlaceIdx(0)], 0)]);
    let wrong = |structure: &str, expected: &str| {
        assert_eq!(in_contents(units(structure)).split_once(": ").unwrap().1, expected);
    };
    wrong("<structure root='x'/>", "there is no unit x");
    wrong("<structure root='r'><unit id='r'><places>z</places></unit></structure>", "there is no place z");
    wrong(
        "<structure root='r'><unit id='r'><places>p p</places></unit></structure>",
        "the place p is in two units",
    );
    wrong("<structure root='r'><unit id='r'/><unit id='r'/></structure>", "there is already a unit r");
    wrong(
        "<structure root='r'><unit id='r'/><unit id='s'/></structure>",
        "the unit r does not contain all others",
    );
    wrong(
        "<structure root='r'><unit id='r'><subunits>r</subunits></unit></structure>",
        "the unit r is nested in two units, or is the root",
    );
}

const DECLARATIONS: &str = "<declaration><structure><declarations>
<namedsort id='dot' name='Dot'><dot/></namedsort>
<namedsort id='Pair' name='Pair'><productsort><usersort declaration='C'/><usersort declaration='R'/></productsort></namedsort>
<namedsort id='C' name='C'><cyclicenumeration><feconstant id='c1' name='red'/><feconstant id='c2' name='green'/><feconstant id='c3' name='blue'/></cyclicenumeration></namedsort>
<namedsort id='R' name='R'><finiteintrange start='1' end='3'/></namedsort>
<partition id='Warm' name='Warm'><usersort declaration='C'/>
<partitionelement id='warm' name='warm'><useroperator declaration='c1'/></partitionelement>
<partitionelement id='cold' name='cold'><useroperator declaration='c3'/><useroperator declaration='c2'/></partitionelement></partition>
<variabledecl id='x' name='x'><usersort declaration='C'/></variabledecl>
<variabledecl id='y' name='y'><usersort declaration='C'/></variabledecl>
<variabledecl id='r' name='r'><usersort declaration='R'/></variabledecl>
<variabledecl id='p' name='p'><usersort declaration='Pair'/></variabledecl>
</declarations></structure></declaration>";

/// A place of a sort with a marking.
fn coloured_place(id: &str, sort: &str, marking: &str) -> String {
    format!(
        "<place id='{id}'><type><structure><usersort declaration='{sort}'/></structure></type>\
         <hlinitialMarking><structure>{marking}</structure></hlinitialMarking></place>"
    )
}

fn arc(source: &str, target: &str, term: &str) -> String {
    format!(
        "<arc id='{source}-{target}' source='{source}' target='{target}'><hlinscription><structure>{term}</structure></hlinscription></arc>"
    )
}

/// `op(parts)` in XML.
fn op(name: &str, parts: &[&str]) -> String {
    let parts: String = parts.iter().map(|part| format!("<subterm>{part}</subterm>")).collect();
    format!("<{name}>{parts}</{name}>")
}

fn times(number: u32, term: &str) -> String {
    op("numberof", &[&format!("<numberconstant value='{number}'><positive/></numberconstant>"), term])
}

fn constant(id: &str) -> String {
    format!("<useroperator declaration='{id}'/>")
}

fn variable(id: &str) -> String {
    format!("<variable refvariable='{id}'/>")
}

fn number(value: i64) -> String {
    format!(
        "<finiteintrangeconstant value='{value}'><finiteintrange start='1' end='3'/></finiteintrangeconstant>"
    )
}

fn all(sort: &str) -> String {
    format!("<all><usersort declaration='{sort}'/></all>")
}

fn coloured(contents: &str) -> Result<Net, String> {
    read(&net("symmetricnet", &format!("{contents}\n{DECLARATIONS}")))
}

/// The marking of a place with a sort, or what is wrong with it.
#[track_caller]
fn check_marking(sort: &str, marking: &str, expected: &str) {
    let found = coloured(&coloured_place("p", sort, marking));
    let found = found
        .map_or_else(|error| error.splitn(3, ':').last().unwrap().trim().to_owned(), |net| summary(&net));
    assert_eq!(found.trim_start_matches("p="), expected);
}

#[test]
fn markings_of_all_sorts() {
    check_marking("dot", &times(3, "<dotconstant/>"), "[3'{}]");
    check_marking("C", &op("add", &[&times(2, &constant("c3")), &constant("c1")]), "[1'{red} 2'{blue}]");
    check_marking("C", &all("C"), "[1'{red} 1'{green} 1'{blue}]");
    check_marking("C", &times(2, &all("C")), "[2'{red} 2'{green} 2'{blue}]");
    check_marking("R", &op("add", &[&times(1, &number(2)), &times(0, &number(1))]), "[1'{2}]");
    check_marking(
        "Pair",
        &op("tuple", &[&constant("c2"), &all("R")]),
        "[1'{green, 1} 1'{green, 2} 1'{green, 3}]",
    );
    check_marking("C", &op("subtract", &[&all("C"), &constant("c2")]), "[1'{red} 1'{blue}]");
    check_marking("C", &constant("cold"), "[1'{green} 1'{blue}]");
    check_marking("C", &all("cold"), "[1'{green} 1'{blue}]");
    let sum = op("add", &[&constant("warm"), &times(2, &constant("cold"))]);
    check_marking("Pair", &op("tuple", &[&sum, &number(1)]), "[1'{red, 1} 2'{green, 1} 2'{blue, 1}]");
    check_marking("C", &op("successor", &[&constant("c3")]), "[1'{red}]");
    check_marking("R", &op("successor", &[&number(3)]), "[1'{1}]");
    check_marking("R", &op("predecessor", &[&number(1)]), "[1'{3}]");
    check_marking("R", &op("predecessor", &[&op("successor", &[&number(2)])]), "[1'{2}]");
    let number_three = "<numberconstant value='3'><positive/></numberconstant>";
    check_marking("C", &op("scalarproduct", &[number_three, &times(2, &constant("c1"))]), "[6'{red}]");
}

#[test]
fn wrong_markings() {
    check_marking("C", &variable("x"), "an initial marking cannot have variables");
    check_marking("C", &number(2), "a component is of sort R, its place has C");
    check_marking("C", "<dotconstant/>", "the token has 0 components, its place has 1");
    check_marking("C", &constant("c4"), "there is no constant c4");
    check_marking("D", "", "there is no sort D");
    check_marking("cold", "", "cold is a part of a partition, and can be used only with <all>");
    let too_much = op("subtract", &[&constant("c2"), &constant("c1")]);
    check_marking("C", &too_much, "more tokens taken away than there are: {red} would occur -1 times");
    let many = "<numberconstant value='70000'><positive/></numberconstant>";
    check_marking(
        "C",
        &op("scalarproduct", &[many, &times(70_000, &constant("c1"))]),
        "more than 4294967295 tokens of one value",
    );
    check_marking("R", &number(4), "4 is outside of its range");
    check_marking("C", "<stringconstant/>", "<stringconstant> is not supported in terms and sorts");
}

#[test]
fn thousands_of_nested_sums() {
    let mut sum = constant("c1");
    for _ in 0..10_000 {
        sum = format!("<add><subterm>{sum}</subterm><subterm>{}</subterm></add>", constant("c2"));
    }
    check_marking("C", &sum, "[1'{red} 10000'{green}]");
    let mut term = constant("c1");
    for _ in 0..10_000 {
        term = format!("<successor><subterm>{term}</subterm></successor>");
    }
    check_marking("C", &term, "terms are nested too deeply");
}

/// A transition with arcs from `a` (of sort C) and `b` (of sort Pair), and to `c` (of sort C).
fn around(a: &str, b: &str, c: &str, guard: &str) -> Result<Net, String> {
    let places =
        [coloured_place("a", "C", &all("C")), coloured_place("b", "Pair", ""), coloured_place("c", "C", "")];
    let guard =
        format!("<transition id='t'><condition><structure>{guard}</structure></condition></transition>");
    let arcs = [arc("a", "t", a), arc("b", "t", b), arc("t", "c", c)].concat();
    coloured(&(places.concat() + &guard + &arcs))
}

#[track_caller]
fn check_around(a: &str, b: &str, c: &str, guard: &str, expected: &str) {
    let found = around(a, b, c, guard);
    let found = found.map_or_else(
        |error| error.splitn(3, ':').last().unwrap().trim().to_owned(),
        |net| {
            let transition = summary(&net).split("; ").last().unwrap().to_owned();
            transition.split(':').next().unwrap().to_owned()
        },
    );
    assert_eq!(found, expected);
}

#[test]
fn variables_are_bound_or_picked() {
    let (x, y, r, p) = (variable("x"), variable("y"), variable("r"), variable("p"));
    let pair = |a: &str, b: &str| op("tuple", &[a, b]);
    let succ = |a: &str| op("successor", &[a]);
    let none = "<empty><usersort declaration='Pair'/></empty>";
    let truth = "<booleanconstant value='true'/>";
    check_around(&x, &pair(&x, &r), &x, truth, "t(x,r|)");
    check_around(&x, none, &y, truth, "t(x,y|y)");
    check_around(&succ(&x), none, &x, truth, "t(x|x)");
    check_around(&succ(&x), &pair(&x, &r), &y, truth, "t(x,r,y|y)");
    check_around(&op("subtract", &[&all("C"), &x]), none, &x, truth, "t(x|x)");
    check_around(&times(0, &x), none, &y, truth, "t(x,y|x,y)");
    check_around(&x, none, &x, &op("equality", &[&x, &y]), "t(x,y|y)");
    check_around(&x, &p, &y, truth, "t(x,p.1,p.2,y|y)");
    check_around(&x, &p, &y, &op("equality", &[&p, &pair(&y, &r)]), "t(x,p.1,p.2,y,r|y,r)");
    check_around(&op("add", &[&succ(&x), &succ(&y)]), none, &y, truth, "t(x,y|x,y)");
    // Neither tuple can be matched before the other: one variable is picked.
    let ring = op("add", &[&pair(&x, &succ(&r)), &pair(&succ(&x), &r)]);
    check_around(&constant("c1"), &ring, &x, truth, "t(x,r|x)");
}

#[test]
fn guards_of_all_kinds() {
    let (x, y, r) = (variable("x"), variable("y"), variable("r"));
    let none = "<empty><usersort declaration='Pair'/></empty>";
    let check = |guard: &str, expected: &str| check_around(&op("add", &[&x, &y]), none, &x, guard, expected);
    let less = op("lessthan", &[&x, &y]);
    for name in ["and", "or", "imply"] {
        check(&op(name, &[&less, &op("not", &[&less])]), "t(x,y|)");
    }
    for name in ["lessthanorequal", "greaterthan", "greaterthanorequal", "inequality"] {
        check(&op(name, &[&x, &constant("c2")]), "t(x,y|)");
    }
    let part = |x: &str| {
        format!("<partitionelementof refpartition='Warm'><subterm>{x}</subterm></partitionelementof>")
    };
    check(&op("equality", &[&part(&x), &constant("cold")]), "t(x,y|)");
    check(&op("ltp", &[&part(&x), &part(&y)]), "t(x,y|)");
    check(&op("gtp", &[&part(&r), &part(&y)]), "this is no value of the sort that is cut into parts");
    check(&op("equality", &[&x, &r]), "a value of sort C is compared with one of sort R");
    check(&op("equality", &[&x, &all("C")]), "expected one value, this is a multi-set");
    check(&op("equality", &[&x]), "expected two operands");
    check(&x, "expected a truth value, this is of sort C");
    check(&op("and", &[&x, &less]), "expected a truth value, this is of sort C");
    check(&op("equality", &[&x, &variable("z")]), "there is no variable z");
    let wide = op("or", &vec![less.as_str(); 5000]);
    check(&wide, "t(x,y|)");
}

#[test]
fn wrong_declarations() {
    let declaration = |inside: &str| {
        format!("<declaration><structure><declarations>{inside}</declarations></structure></declaration>")
    };
    let sort = |id: &str, inside: &str| format!("<namedsort id='{id}' name='{id}'>{inside}</namedsort>");
    let user = |id: &str| format!("<usersort declaration='{id}'/>");
    let check = |inside: &str, expected: &str| {
        let found = in_contents(read(&net("symmetricnet", &declaration(inside))));
        assert_eq!(found.splitn(3, ':').last().unwrap().trim(), expected);
    };
    check(&(sort("A", &user("B")) + &sort("B", &user("A"))), "the sort A contains itself");
    check(&(sort("A", "<dot/>") + &sort("A", "<dot/>")), "there is already a sort A");
    check(&sort("A", "<finiteintrange start='3' end='1'/>"), "this range has no value");
    check(
        &sort("A", "<finiteintrange start='0' end='9223372036854775807'/>"),
        "this range has too many values",
    );
    check(&sort("A", "<cyclicenumeration/>"), "this enumeration has no constant");
    check(
        &sort(
            "A",
            "<finiteenumeration><feconstant id='a' name='a'/><feconstant id='a' name='a'/></finiteenumeration>",
        ),
        "there is already a constant a",
    );
    check(&sort("A", "<stringsort/>"), "<stringsort> is not supported in terms and sorts");
    check(&sort("A", ""), "<namedsort> has no sort");
    check(
        "<namedoperator id='f' name='f'/>",
        "<namedoperator> is not supported in a declaration of a coloured net",
    );
    let mut bomb = sort("s0", "<productsort><bool/><bool/></productsort>");
    for i in 1..100 {
        bomb += &sort(
            &format!("s{i}"),
            &format!("<productsort>{0}{0}</productsort>", user(&format!("s{}", i - 1))),
        );
    }
    check(&bomb, "a product has at most 256 components");
    let enumeration =
        "<finiteenumeration><feconstant id='a' name='a'/><feconstant id='b' name='b'/></finiteenumeration>";
    let partition = |elements: &str| {
        sort("A", enumeration) + &format!("<partition id='P' name='P'>{}{elements}</partition>", user("A"))
    };
    check(
        &partition("<partitionelement id='e' name='e'><useroperator declaration='a'/></partitionelement>"),
        "the parts of P list 1 values",
    );
    check(
        &partition(
            "<partitionelement id='e' name='e'><useroperator declaration='a'/><useroperator declaration='a'/></partitionelement>",
        ),
        "this value is in two parts",
    );
    refused_coloured("<place id='p'/>", "1:12: the place p has no type");
    refused_coloured(
        "<place id='p'><type><structure><bool/></structure></type></place>\n<transition id='t'/>\n<arc id='a' source='p' target='t' type='inhibitor'/>",
        "3:1: inhibitor arcs from coloured places are not supported",
    );
    refused_coloured(
        "<place id='p'><type><structure><bool/></structure></type></place>\n<transition id='t'/>\n<arc id='a' source='p' target='t'/>",
        "3:1: this arc has no inscription, but its place is coloured",
    );
}

#[test]
fn huge_sets_of_tokens_are_refused() {
    let sort = "<declaration><structure><declarations><namedsort id='A' name='A'><finiteintrange start='0' end='3000000000'/></namedsort>\
                <variabledecl id='v' name='v'><usersort declaration='A'/></variabledecl></declarations></structure></declaration>";
    let marking = format!("{sort}\n{}", coloured_place("p", "A", &all("A")));
    assert_eq!(
        in_contents(read(&net("symmetricnet", &marking))).split_once(": ").unwrap().1,
        "this stands for too many tokens"
    );
    let free = format!(
        "{sort}\n{}<transition id='t'/>{}",
        coloured_place("p", "A", ""),
        arc("t", "p", &variable("v"))
    );
    assert_eq!(
        in_contents(read(&net("symmetricnet", &free))).split_once(": ").unwrap().1,
        "a variable that no input arc binds has more than 4194304 values"
    );
}

#[test]
fn products_of_sums_are_limited() {
    let sum = op("add", &[&constant("c1"), &constant("c2")]);
    let tuple = |n: usize| op("tuple", &vec![sum.as_str(); n]);
    check_marking("C", &tuple(5), "the token has 5 components, its place has 1");
    check_marking("C", &tuple(40), "products of sums or of sorts make the net too large");
    // Each of these is small enough, all of them are not.
    let many = op("add", &vec![tuple(12).as_str(); 200]);
    check_marking("C", &many, "products of sums or of sorts make the net too large");
}

/// Small changes to good texts: whatever comes out, reading ends, and a refusal says where.
#[test]
fn mutated_texts_are_read_or_refused() {
    let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0x5eed_u64);
    let mut random = seed;
    let mut next = |below: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((random >> 33) as usize) % below
    };
    let x = variable("x");
    let pair = op("tuple", &[&x, &op("successor", &[&variable("r")])]);
    let coloured_net = [coloured_place("a", "C", &all("C")), coloured_place("b", "Pair", "")].concat()
        + "<transition id='t'><condition><structure>"
        + &op("lessthan", &[&x, &constant("c3")])
        + "</structure></condition></transition>"
        + &arc("a", "t", &times(2, &x))
        + &arc("t", "b", &pair);
    let texts = [net("ptnet", SMALL), net("symmetricnet", &format!("{coloured_net}\n{DECLARATIONS}"))];
    let words = [
        "<",
        ">",
        "/",
        "'",
        "&",
        "&lt;",
        "<!--",
        "]]>",
        "<![CDATA[",
        "id='p'",
        "\u{fffd}",
        "9",
        "-",
        "<add>",
        "</subterm>",
        "C",
        "x",
    ];
    let (mut n_read, mut n_refused) = (0, 0);
    for round in 0..6000 {
        let mut text = texts[round % 2].clone();
        assert!(round > 1 || read(&text).is_ok(), "the text to start with is wrong");
        for _ in 0..=next(3) {
            let boundary =
                |at: usize, text: &str| (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
            let from = boundary(next(text.len() + 1), &text);
            let to = boundary((from + next(30)).min(text.len()), &text).max(from);
            match next(4) {
                0 => text.replace_range(from..to, ""),
                1 => text.insert_str(from, words[next(words.len())]),
                2 => text.truncate(from.max(1)),
                _ => {
                    let copied = text[from..to].to_owned();
                    let at = boundary(next(text.len() + 1), &text);
                    text.insert_str(at, &copied);
                }
            }
            if text.is_empty() {
                text.push('<');
            }
        }
        let source = Source::new("fuzz.pnml", text);
        match pnml::read(&source, &ReadOptions::default()) {
            Ok(_) => n_read += 1,
            Err(diagnostics) => {
                n_refused += 1;
                assert!((1..=20).contains(&diagnostics.len()), "seed {seed}, round {round}");
                for diagnostic in diagnostics {
                    assert!(
                        !diagnostic.message.is_empty() && diagnostic.span.end as usize <= source.text.len()
                    );
                }
            }
        }
    }
    assert!(n_read > 100 && n_refused > 1000, "{n_read} read, {n_refused} refused");
}
