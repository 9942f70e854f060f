//! The formulas of the corpus against their stated answers.
//!
//! `petite-bench formulas` checks every examination of every instance in `pnml-pt`, `pnml-col` and `pnml-tapaal` with its
//! limits of time and memory, and prints a table by examination: right, wrong, unknown. It ends with an error where an
//! answer is wrong.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

use petite_lang::{ReadOptions, Source, mcc, pnml};
use petite_logic::{Answer, Witnesses, decide};
use petite_model::{Engine, EngineChoice, NetModel, compile};
use petite_net::{Formula, FormulaKind, Global, Net, Predicate, Query, Question, Span};
use petite_search::{Boundedness, Limits, Silent};

/// What to check, and how far to go.
struct Options {
    /// Instances with more states are left out, and so are those of which the number is not known.
    max_states: Option<u64>,
    /// Time for an examination of an instance.
    time: Duration,
    /// Bytes for an examination of an instance.
    memory: u64,
    /// Only instances whose path has this in it.
    only: String,
    /// Only this examination.
    examination: String,
}

/// Answers of one examination.
#[derive(Clone, Copy, Default)]
struct Tally {
    right: u64,
    wrong: u64,
    unknown: u64,
}

/// Checks everything and prints the table.
pub fn table(words: &[&str]) -> Result<(), String> {
    let options = options(words)?;
    let corpus = std::env::var("PETITE_CORPUS").map_err(|_| "PETITE_CORPUS is not set".to_owned())?;
    let outcome = petite_net::on_large_stack(256 << 20, || check(&options, Path::new(&corpus)));
    outcome.map_err(|_| "the check has failed".to_owned())?
}

fn check(options: &Options, corpus: &Path) -> Result<(), String> {
    let states = states_of(corpus)?;
    let mut all: BTreeMap<String, Tally> = BTreeMap::new();
    for folder in ["pnml-pt", "pnml-col", "pnml-tapaal"] {
        let instances =
            std::fs::read_dir(corpus.join(folder)).map_err(|error| format!("{folder}: {error}"))?;
        let mut instances: Vec<PathBuf> = instances.filter_map(|entry| Some(entry.ok()?.path())).collect();
        instances.sort();
        for instance in instances {
            let name = format!("{folder}/{}", instance.file_name().unwrap_or_default().to_string_lossy());
            let is_small =
                options.max_states.is_none_or(|most| states.get(&name).is_some_and(|&n| n <= most));
            if is_small && name.contains(&options.only) && instance.join("expected.csv").exists() {
                for (examination, tally) in examine(options, &instance, &name)? {
                    let sum = all.entry(examination).or_default();
                    sum.right += tally.right;
                    sum.wrong += tally.wrong;
                    sum.unknown += tally.unknown;
                }
            }
        }
    }
    println!("\nexamination                   right    wrong  unknown");
    let mut sum = Tally::default();
    for (examination, tally) in &all {
        println!("{examination:<26} {:>8} {:>8} {:>8}", tally.right, tally.wrong, tally.unknown);
        sum.right += tally.right;
        sum.wrong += tally.wrong;
        sum.unknown += tally.unknown;
    }
    println!("{:<26} {:>8} {:>8} {:>8}", "all", sum.right, sum.wrong, sum.unknown);
    if sum.wrong == 0 { Ok(()) } else { Err(format!("{} answers are wrong", sum.wrong)) }
}

/// Checks the examinations of one instance and prints a line for each.
fn examine(options: &Options, instance: &Path, name: &str) -> Result<Vec<(String, Tally)>, String> {
    let expected = expected(&instance.join("expected.csv"))?;
    let path = instance.join("model.pnml");
    let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let text = pnml::decode(bytes).map_err(|diagnostic| diagnostic.message)?;
    let net = pnml::read(&Source::new(path.to_string_lossy(), text), &ReadOptions::default());
    let net = Rc::new(net.map_err(|diagnostics| format!("{name}: {}", diagnostics[0].message))?);
    let mut tallies = Vec::new();
    for (examination, answers) in expected {
        if !options.examination.is_empty() && examination != options.examination {
            continue;
        }
        let started = Instant::now();
        let queries =
            queries(instance, &examination, &net).map_err(|message| format!("{name}: {message}"))?;
        let found = answers_to(&net, &queries, options);
        let mut tally = Tally::default();
        for (query, found) in queries.iter().zip(found) {
            match (answers.get(&query.name), found) {
                // Nobody knows the answer.
                (None, _) => {}
                (Some(_), None) => tally.unknown += 1,
                (Some(stated), Some(found)) if *stated == found => tally.right += 1,
                (Some(stated), Some(found)) => {
                    tally.wrong += 1;
                    println!("WRONG {}: {found}, stated is {stated}", query.name);
                }
            }
        }
        println!(
            "{name:<42} {examination:<24} {:>3} right {:>3} wrong {:>3} unknown {:>7.2} s",
            tally.right,
            tally.wrong,
            tally.unknown,
            started.elapsed().as_secs_f64()
        );
        let kind = examination.trim_end_matches(".xml").to_owned();
        tallies.push((kind, tally));
    }
    Ok(tallies)
}

fn answers_to(net: &Rc<Net>, queries: &[Query], options: &Options) -> Vec<Option<String>> {
    let unknown = || vec![None; queries.len()];
    match compile(net, EngineChoice::Auto) {
        Ok(Engine::Unfolded(model)) => decided(*model, queries, options),
        Ok(Engine::Binding(model)) => decided(*model, queries, options),
        Err(_) => unknown(),
    }
}

fn decided<M: NetModel>(mut model: M, queries: &[Query], options: &Options) -> Vec<Option<String>> {
    let limits = Limits {
        max_states: None,
        max_memory: Some(options.memory),
        max_time: Some(options.time),
        boundedness: Boundedness::Test,
    };
    let tell = Box::new(|_: usize, _: &Answer, _| {});
    match decide(&mut model, queries, &limits, Witnesses::None, &mut Silent, tell) {
        Ok((verdicts, _)) => verdicts
            .into_iter()
            .map(|verdict| match verdict.answer {
                Answer::Holds => Some("TRUE".to_owned()),
                Answer::Fails => Some("FALSE".to_owned()),
                Answer::Bound(most) => Some(most.to_string()),
                Answer::Unbounded => Some("+inf".to_owned()),
                Answer::Unknown(_) => None,
            })
            .collect(),
        Err(_) => vec![None; queries.len()],
    }
}

/// The questions of an examination: those of its file, or the one that its name stands for.
pub fn queries(instance: &Path, examination: &str, net: &Net) -> Result<Vec<Query>, String> {
    let file =
        if examination.ends_with(".xml") { examination.to_owned() } else { format!("{examination}.xml") };
    let path = instance.join(file);
    if path.exists() {
        let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
        let read = mcc::read(&Source::new(path.to_string_lossy(), text), 1, net);
        return read.map_err(|diagnostics| diagnostics[0].message.clone());
    }
    let span = Span::default();
    let global = |global| Question::Global(global);
    let question = match examination {
        "ReachabilityDeadlock" => {
            let dead = Box::new(Formula::state(Predicate::Deadlock, span));
            let finally = Box::new(Formula { kind: FormulaKind::Finally(dead), span });
            Question::Holds(Formula { kind: FormulaKind::Exists(finally), span })
        }
        "OneSafe" => global(Global::OneSafe),
        "StableMarking" => global(Global::StableMarking),
        "QuasiLiveness" => global(Global::QuasiLiveness),
        "Liveness" => global(Global::Liveness),
        other => return Err(format!("the examination {other} has no file")),
    };
    Ok(vec![Query { name: examination.to_owned(), question, span }])
}

/// The stated answers, by examination and name. Figures of the state space are not asked here, and what nobody knows is left
/// out.
pub fn expected(path: &Path) -> Result<BTreeMap<String, BTreeMap<String, String>>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut all: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let mut fields = line.trim_end().split(',');
        let (Some(examination), Some(name), Some(answer)) = (fields.next(), fields.next(), fields.next())
        else {
            continue;
        };
        if examination != "StateSpace" && answer != "?" {
            all.entry(examination.to_owned()).or_default().insert(name.to_owned(), answer.to_owned());
        }
    }
    Ok(all)
}

/// The stated numbers of states.
fn states_of(corpus: &Path) -> Result<BTreeMap<String, u64>, String> {
    let rows = crate::corpus::lines_of(&corpus.join("MANIFEST.csv"))?;
    let column = rows.first().and_then(|header| header.iter().position(|field| field == "states"));
    let column = column.ok_or("MANIFEST.csv has no column of states")?;
    Ok(rows.iter().filter_map(|row| Some((row.first()?.clone(), row.get(column)?.parse().ok()?))).collect())
}

fn options(words: &[&str]) -> Result<Options, String> {
    let mut options = Options {
        max_states: None,
        time: Duration::from_secs(60),
        memory: 4 << 30,
        only: String::new(),
        examination: String::new(),
    };
    for pair in words.chunks(2) {
        let [name, value] = pair else { return Err(format!("{}: expected a value behind it", pair[0])) };
        let number = || value.parse::<u64>().map_err(|_| format!("{name} {value}: expected a number"));
        match *name {
            "--max-states" => options.max_states = Some(number()?),
            "--time" => options.time = Duration::from_secs(number()?),
            "--memory" => options.memory = number()? << 30,
            "--only" => options.only = (*value).to_owned(),
            "--examination" => options.examination = (*value).to_owned(),
            _ => return Err(format!("{name}: no such option")),
        }
    }
    Ok(options)
}
