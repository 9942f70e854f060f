//! The formulas of the corpus against their stated answers.
//!
//! `petite-bench formulas` checks every examination of every instance in `pnml-pt`, `pnml-col` and `pnml-tapaal` with its
//! limits of time and memory, and prints a table by examination: right, wrong, unknown. It ends with an error where an
//! answer is wrong.
//!
//! | option | meaning |
//! |---|---|
//! | `--time S` | seconds for an examination of an instance, 60 unless told |
//! | `--max-memory N` | bytes for it, as `4G`; 4 GiB unless told |
//! | `--max-states N` | leave out instances with more states, or with a number that nobody knows |
//! | `--only TEXT` | only instances with this in their path |
//! | `--instances FILE` | only the instances listed in a file, one to a line, as `pnml-pt/Kanban-PT-00005` |
//! | `--examination NAME` | only this one |
//! | `--reduction off` | nets as they are; `at-once` asks reduced nets without a look at the model |

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

use petite_lang::{ReadOptions, Source, mcc, pnml};
use petite_logic::{Answer, Asking, Keeping, Options as Answering, Reducing, Witnesses, decide};
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
    /// Only these instances, where there is a list.
    instances: Option<Vec<String>>,
    /// Only this examination.
    examination: String,
    /// Whether nets may be reduced.
    reducing: Reducing,
}

/// Answers of one examination.
#[derive(Clone, Copy, Default)]
struct Tally {
    right: u64,
    wrong: u64,
    unknown: u64,
    /// Of the right ones, those that a reduced net gave.
    by_reduction: u64,
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
            let is_listed = options.instances.as_ref().is_none_or(|list| list.contains(&name));
            if is_small && is_listed && name.contains(&options.only) && instance.join("expected.csv").exists()
            {
                for (examination, tally) in examine(options, &instance, &name)? {
                    let sum = all.entry(examination).or_default();
                    sum.right += tally.right;
                    sum.wrong += tally.wrong;
                    sum.unknown += tally.unknown;
                    sum.by_reduction += tally.by_reduction;
                }
            }
        }
    }
    println!("\nexamination                   right    wrong  unknown  by reduced nets");
    let mut sum = Tally::default();
    let line = |name: &str, tally: &Tally| {
        let Tally { right, wrong, unknown, by_reduction } = tally;
        println!("{name:<26} {right:>8} {wrong:>8} {unknown:>8} {by_reduction:>16}");
    };
    for (examination, tally) in &all {
        line(examination, tally);
        sum.right += tally.right;
        sum.wrong += tally.wrong;
        sum.unknown += tally.unknown;
        sum.by_reduction += tally.by_reduction;
    }
    line("all", &sum);
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
                (Some(stated), Some((found, is_reduced))) if *stated == found => {
                    tally.right += 1;
                    tally.by_reduction += u64::from(is_reduced);
                }
                (Some(stated), Some((found, _))) => {
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

/// An answer in the contest's words, and whether a reduced net gave it.
type Found = Option<(String, bool)>;

fn answers_to(net: &Rc<Net>, queries: &[Query], options: &Options) -> Vec<Found> {
    let unknown = || vec![None; queries.len()];
    match compile(net, EngineChoice::Auto) {
        Ok(Engine::Unfolded(model)) => decided(*model, queries, options),
        Ok(Engine::Binding(model)) => decided(*model, queries, options),
        Err(_) => unknown(),
    }
}

fn decided<M: NetModel>(mut model: M, queries: &[Query], options: &Options) -> Vec<Found> {
    let limits = Limits {
        max_states: None,
        max_memory: Some(options.memory),
        max_time: Some(options.time),
        boundedness: Boundedness::Test,
    };
    let answering =
        Answering { limits, witnesses: Witnesses::None, reducing: options.reducing, keeping: Keeping::Table };
    match decide(&mut model, queries, &answering, &mut Silent, &|_, _, _, _| {}) {
        Ok(answers) => answers
            .all
            .into_iter()
            .map(|answered| {
                let word = match answered.verdict.answer {
                    Answer::Holds => "TRUE".to_owned(),
                    Answer::Fails => "FALSE".to_owned(),
                    Answer::Bound(most) => most.to_string(),
                    Answer::Unbounded => "+inf".to_owned(),
                    Answer::Unknown(_) => return None,
                };
                Some((word, answered.net != Asking::Model))
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
        instances: None,
        examination: String::new(),
        reducing: Reducing::WhenOpen,
    };
    for pair in words.chunks(2) {
        let [name, value] = pair else { return Err(format!("{}: expected a value behind it", pair[0])) };
        let number = || value.parse::<u64>().map_err(|_| format!("{name} {value}: expected a number"));
        match *name {
            "--max-states" => options.max_states = Some(number()?),
            "--time" => options.time = Duration::from_secs(number()?),
            "--max-memory" => {
                let bytes = |number: &str, shift: u32| {
                    let number = number.parse::<u64>().ok()?;
                    number.checked_mul(1 << shift)
                };
                let read = match value.strip_suffix('G') {
                    Some(number) => bytes(number, 30),
                    None => {
                        value.strip_suffix('M').map_or_else(|| bytes(value, 0), |number| bytes(number, 20))
                    }
                };
                options.memory = read.ok_or_else(|| format!("{name} {value}: expected bytes, as 4G"))?;
            }
            "--only" => options.only = (*value).to_owned(),
            "--instances" => {
                let list = std::fs::read_to_string(value).map_err(|error| format!("{value}: {error}"))?;
                options.instances = Some(list.lines().map(|line| line.trim().to_owned()).collect());
            }
            "--reduction" => {
                options.reducing = match *value {
                    "off" => Reducing::Never,
                    "on" => Reducing::WhenOpen,
                    "at-once" => Reducing::AtOnce,
                    _ => return Err(format!("{name} {value}: expected off, on or at-once")),
                };
            }
            "--examination" => options.examination = (*value).to_owned(),
            _ => return Err(format!("{name}: no such option")),
        }
    }
    Ok(options)
}
