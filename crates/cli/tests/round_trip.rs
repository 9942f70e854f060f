//! Nets that are written as PNML and read again have the same states, edges and dead states.
//!
//! Each net is written in every form that can say it: as it is where it has no colours, as a symmetric net, and
//! unfolded. Our own models and small nets made for the purpose are tried always; those under `PETITE_CORPUS`
//! where it is set.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use petite_lang::{ReadOptions, Source, helena, maria, pnml, write};
use petite_model::{Engine, EngineChoice, Flawed, Model, compile};
use petite_net::{Net, PlainNet};
use petite_search::{Limits, NoObserver, Order, Report, Silent, explore};
use petite_store::Plain;

/// Nets with more states than this are not tried.
const MOST_STATES: u64 = 20_000;

/// Nets with more instances than this are not unfolded: their text is large.
const MOST_INSTANCES: usize = 20_000;

type Figures = (u64, u64, u64);

fn explored<M: Model>(model: &mut M) -> Report {
    let mut store = Plain::new(model.packing());
    let limits = Limits { max_states: Some(MOST_STATES + 1), ..Limits::NONE };
    explore(model, &mut store, Order::BreadthFirst, &limits, &mut Silent, &mut NoObserver)
}

/// States, edges and dead states; none when there are too many, or the net is wrong.
fn figures(net: &Rc<Net>) -> Option<Figures> {
    let report = match compile(net, EngineChoice::Auto).expect("an engine") {
        Engine::Unfolded(mut model) => explored(&mut *model),
        Engine::Binding(mut model) => explored(&mut *model),
    };
    report.is_complete().then_some((report.states, report.edges, report.dead_states))
}

fn read_pnml(name: &str, text: String) -> Rc<Net> {
    let net = pnml::read(&Source::new(name, text.clone()), &ReadOptions::default());
    Rc::new(net.unwrap_or_else(|diagnostics| panic!("{name}: {diagnostics:?}\n{text}")))
}

fn written(write: impl Fn(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut bytes = Vec::new();
    write(&mut bytes).expect("memory takes everything");
    String::from_utf8(bytes).expect("text")
}

/// In which forms nets could be written.
#[derive(Debug, Default)]
struct Forms {
    plain: usize,
    symmetric: usize,
    unfolded: usize,
    none: Vec<String>,
}

impl Forms {
    /// Writes a net in all forms, reads it again and compares.
    fn check(&mut self, name: &str, net: &Rc<Net>) {
        let Some(expected) = figures(net) else { return };
        let same = |form: &str, text: String| {
            let again = read_pnml(name, text.clone());
            assert_eq!(figures(&again), Some(expected), "{name} {form}\n{}", &text[..text.len().min(20_000)]);
            check_dot(&written(|sink| write::net_as_dot(&again, sink)));
            again
        };
        let mut found = false;
        if let Some(plain) = PlainNet::of(net) {
            let again = same("plain", written(|sink| write::plain_as_pnml(&plain, sink)));
            assert_eq!(again.nupn, net.nupn, "{name}");
            let ids = |net: &Net| -> Vec<Option<Box<str>>> {
                let plain = PlainNet::of(net).expect("a plain net");
                plain.places.into_iter().map(|place| place.id).collect()
            };
            assert_eq!(ids(&again), ids(net), "{name}");
            (self.plain, found) = (self.plain + 1, true);
        }
        if let Ok(symmetric) = write::symmetric(net) {
            same("symmetric", written(|sink| symmetric.write(sink)));
            (self.symmetric, found) = (self.symmetric + 1, true);
        }
        // The figures are complete, so what fails is known never to happen.
        if let Ok(Engine::Unfolded(unfolded)) = compile(net, EngineChoice::Auto)
            && unfolded.n_actions() <= MOST_INSTANCES
            && let Ok(plain) = unfolded.to_plain(Flawed::Drop)
        {
            same("unfolded", written(|sink| write::plain_as_pnml(&plain, sink)));
            check_dot(&written(|sink| write::plain_as_dot(&plain, sink)));
            (self.unfolded, found) = (self.unfolded + 1, true);
        }
        if !found {
            self.none.push(name.to_owned());
        }
    }
}

/// Whether a text has the form of a directed graph: statements that begin with known words or node names, and
/// quotes that are closed on their line.
fn check_dot(text: &str) {
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("digraph \"") && lines[0].ends_with("\" {"), "{}", lines[0]);
    assert_eq!(lines.last(), Some(&"}"));
    for line in &lines[1..lines.len() - 1] {
        let unescaped = line.replace("\\\\", "").replace("\\\"", "");
        assert_eq!(unescaped.matches('"').count() % 2, 0, "{line}");
        let outside: String = unescaped.split('"').step_by(2).collect();
        let first = outside.split_whitespace().next().unwrap_or_default();
        let is_node = first.starts_with(['p', 't']) && first[1..].bytes().all(|byte| byte.is_ascii_digit());
        assert!(is_node || first == "node" || first == "edge", "{line}");
        assert!(outside.ends_with(';'), "{line}");
        assert_eq!(outside.matches('[').count(), outside.matches(']').count(), "{line}");
    }
}

/// Reads a net in Helena's or Maria's language.
fn read_net(path: &Path, parameters: &str) -> Option<Rc<Net>> {
    let mut options = ReadOptions::default();
    for parameter in parameters.split_whitespace() {
        match parameter.split_once([':', '=']) {
            Some(("define", symbol)) => options.defines.push(symbol.to_owned()),
            Some((name, value)) => options.params.push((name.to_owned(), value.parse().ok()?)),
            None => return None,
        }
    }
    let text = std::fs::read(path).ok()?;
    let source = Source::new(path.to_string_lossy(), String::from_utf8_lossy(&text).into_owned());
    let net = if path.extension().is_some_and(|extension| extension == "pn") {
        maria::read(&mut vec![source], &options, &mut |_, _| Err("no file is included".to_owned()))
    } else {
        helena::read(&source, None, &options)
    };
    net.ok().map(Rc::new)
}

#[test]
fn our_own_models() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let table = std::fs::read_to_string(folder.join("expected.csv")).expect("models/expected.csv");
    let mut forms = Forms::default();
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        if fields[2].parse::<u64>().expect("a number") > MOST_STATES {
            continue;
        }
        let paths = ["lna", "pn"].map(|extension| folder.join(format!("{}.{extension}", fields[0])));
        let path = paths.iter().find(|path| path.exists()).expect("a model");
        let net = read_net(path, fields[1]).expect("a net");
        forms.check(line, &net);
    }
    let with_priorities = ["bank,", "elevator,", "service,define:URGENT", "service,R=5 define:URGENT"];
    let too_large = [
        "client_server,C=5",
        "combination_lock,,",
        "hats,N=6",
        "lights_out,N=4",
        "shunting,N=5",
        "sieve,N=40",
    ];
    let left_out = with_priorities.iter().chain(&too_large);
    let expected = |name: &String| left_out.clone().any(|start| name.starts_with(start));
    assert!(forms.none.iter().all(expected), "{forms:?}");
    assert!(forms.plain >= 3 && forms.symmetric >= 5 && forms.unfolded >= 30, "{forms:?}");
}

/// A coloured net with sorts C = 1..3, D = {a, b, c}, P = C x D, variables x, y of C and d of D, the place p with
/// all of P, q and r of sort P without tokens, u with three dots.
fn coloured(guard: &str, input: &str, output: &str) -> Rc<Net> {
    let sort = |sort: &str| format!("<type><structure><usersort declaration='{sort}'/></structure></type>");
    let arc = |source: &str, target: &str, term: &str| {
        format!(
            "<arc id='{source}-{target}' source='{source}' target='{target}'>
             <hlinscription><structure>{term}</structure></hlinscription></arc>"
        )
    };
    let text = format!(
        "<pnml><net id='n' type='symmetricnet'><name><text>a &lt;net&gt; &amp; \"more\"</text></name>
         <declaration><structure><declarations>
         <namedsort id='C' name='C'><finiteintrange start='1' end='3'/></namedsort>
         <namedsort id='D' name='D'><cyclicenumeration><feconstant id='a' name='&lt;a&gt;'/>
         <feconstant id='b' name='b'/><feconstant id='c' name='c'/></cyclicenumeration></namedsort>
         <namedsort id='P' name='P'><productsort><usersort declaration='C'/><usersort declaration='D'/>
         </productsort></namedsort>
         <partition id='part' name='part'><usersort declaration='D'/>
         <partitionelement id='vowel'><useroperator declaration='a'/></partitionelement>
         <partitionelement id='other'><useroperator declaration='b'/><useroperator declaration='c'/>
         </partitionelement></partition>
         <variabledecl id='x' name='x'><usersort declaration='C'/></variabledecl>
         <variabledecl id='y' name='x'><usersort declaration='C'/></variabledecl>
         <variabledecl id='d' name='d'><usersort declaration='D'/></variabledecl>
         </declarations></structure></declaration>
         <place id='p'><name><text>sort1</text></name>{P}<hlinitialMarking><structure><all><usersort declaration='P'/></all>
         </structure></hlinitialMarking></place>
         <place id='sort1'><name><text>1 \"q\" \\ &amp; &lt;</text></name>{P}</place>
         <place id='u'><type><structure><dot/></structure></type><hlinitialMarking><structure>
         <numberof><subterm><numberconstant value='3'/></subterm><subterm><dotconstant/></subterm></numberof>
         </structure></hlinitialMarking></place>
         <place id='full'><type><structure><dot/></structure></type></place>
         <transition id='t'>{guard}</transition>{}{}{}{}
         <arc id='h' source='full' target='t' type='inhibitor'><inscription><text>3</text></inscription></arc>
         </net></pnml>",
        arc("p", "t", input),
        arc("t", "sort1", output),
        arc("u", "t", "<dotconstant/>"),
        arc("t", "full", "<dotconstant/>"),
        P = sort("P"),
    );
    read_pnml("coloured", text)
}

#[test]
fn inscriptions_and_guards_of_symmetric_nets() {
    let sub =
        |terms: &[&str]| terms.iter().map(|term| format!("<subterm>{term}</subterm>")).collect::<String>();
    let op = |name: &str, terms: &[&str]| format!("<{name}>{}</{name}>", sub(terms));
    let (x, y, d) =
        ("<variable refvariable='x'/>", "<variable refvariable='y'/>", "<variable refvariable='d'/>");
    let (all_c, all_d) = ("<all><usersort declaration='C'/></all>", "<all><usersort declaration='D'/></all>");
    let a = "<useroperator declaration='a'/>";
    let two = "<finiteintrangeconstant value='2'><usersort declaration='C'/></finiteintrangeconstant>";
    let xd = op("tuple", &[x, d]);
    let part = |value: &str| {
        format!("<partitionelementof refpartition='part'>{}</partitionelementof>", sub(&[value]))
    };
    let guard = |term: String| format!("<condition><structure>{term}</structure></condition>");
    let next = |term: &str| op("successor", &[term]);
    let previous = |term: &str| op("predecessor", &[term]);
    let mut forms = Forms::default();
    let none = String::new();
    let cases = [
        (none.clone(), xd.clone(), op("tuple", &[y, d])),
        (none.clone(), xd.clone(), op("tuple", &[&next(x), &previous(d)])),
        (none.clone(), xd.clone(), op("tuple", &[&previous(&previous(x)), &next(&next(d))])),
        (none.clone(), op("tuple", &[x, all_d]), op("tuple", &[all_c, a])),
        (none.clone(), op("add", &[&xd, &op("tuple", &[x, &next(d)])]), xd.clone()),
        (none.clone(), op("subtract", &[&op("tuple", &[all_c, d]), &xd]), op("tuple", &[x, a])),
        (guard(op("equality", &[&part(d), "<useroperator declaration='other'/>"])), xd.clone(), xd.clone()),
        (guard(op("inequality", &[x, y])), xd.clone(), op("tuple", &[y, d])),
        (guard(op("lessthan", &[x, two])), xd.clone(), xd.clone()),
        (
            guard(op("imply", &[&op("greaterthan", &[x, two]), &op("equality", &[d, a])])),
            xd.clone(),
            xd.clone(),
        ),
        (guard(op("not", &[&op("equality", &[&next(x), two])])), xd.clone(), xd.clone()),
        (guard(op("equality", &["<true/>", "<true/>"])), xd.clone(), xd.clone()),
        (guard("<false/>".to_owned()), xd.clone(), xd.clone()),
    ];
    let n_cases = cases.len();
    for (guard, input, output) in cases {
        let net = coloured(&guard, &input, &output);
        forms.check(&format!("{guard} {input} {output}"), &net);
    }
    assert_eq!((forms.symmetric, forms.unfolded), (n_cases, n_cases), "{forms:?}");
}

#[test]
fn names_and_identifiers_survive() {
    let text = "<pnml><net id='a b' type='ptnet'><name><text>&lt;&amp;&gt;</text></name>
        <place id='a&amp;b'><name><text>\"1\" &lt; 2\n\\</text></name><initialMarking><text>2</text></initialMarking></place>
        <place id='arc'/><transition id='page'><name><text>]]&gt; &#xe9;</text></name></transition>
        <arc id='1' source='a&amp;b' target='page'/><arc id='2' source='page' target='arc'>
        <inscription><text>3</text></inscription></arc></net></pnml>";
    let net = read_pnml("names", text.to_owned());
    let plain = PlainNet::of(&net).expect("a plain net");
    let again = read_pnml("again", written(|sink| write::plain_as_pnml(&plain, sink)));
    assert_eq!(PlainNet::of(&again), Some(plain));
    let mut forms = Forms::default();
    forms.check("names", &net);
    assert_eq!((forms.plain, forms.symmetric, forms.unfolded), (1, 1, 1));
    check_dot(&written(|sink| write::net_as_dot(&net, sink)));
}

fn sorted(folder: PathBuf) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder of the corpus");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

#[test]
fn corpus() {
    let Some(corpus) = std::env::var_os("PETITE_CORPUS") else { return };
    let corpus = Path::new(&corpus);
    for folder in ["pnml-pt", "pnml-col", "pnml-tapaal"] {
        let mut forms = Forms::default();
        for model in sorted(corpus.join(folder)) {
            let Ok(bytes) = std::fs::read(model.join("model.pnml")) else { continue };
            // Large files are large nets as a rule, and take long.
            if bytes.len() < 100_000
                && let Ok(text) = pnml::decode(bytes)
                && let Ok(net) = pnml::read(&Source::new("model.pnml", text), &ReadOptions::default())
            {
                forms.check(&model.to_string_lossy(), &Rc::new(net));
            }
        }
        assert!(forms.none.is_empty() && forms.symmetric > 0, "{folder}: {forms:?}");
    }
    let mut forms = Forms::default();
    for model in sorted(corpus.join("lna")) {
        let name = model.file_name().expect("a name").to_string_lossy().into_owned();
        let Some(net) = read_net(&model.join(format!("{name}.lna")), "") else { continue };
        forms.check(&name, &net);
    }
    assert!(forms.unfolded > 0, "{forms:?}");
}
