//! `petite compare`: what each way of keeping states costs.
//!
//! Each case runs in a process of its own, which is this program again as `petite explore --json --events`; the rest is
//! the work of `petite-compare`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use petite_compare::{
    Case, Comparison, End, Fact, Knob, Sweep, cases, csv, document, plots, read, report, table, ways,
};
use petite_lang::Source;
use petite_net::Net;

use crate::args::{EngineArg, ReadArgs};
use crate::child::{self, Ran};
use crate::compare_args::CompareArgs;
use crate::deliver::deliver;
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::live::LiveTable;
use crate::output::{self, reason};
use crate::problem::Problem;
use crate::units::{grouped, size};
use crate::{input, json, load, machine, render};

/// How long a run may go on after its time limit, for reading the model and what it cannot interrupt.
const OVERTIME: Duration = Duration::from_secs(30);

/// Compares, and prints and writes what came of it.
pub fn run(args: &CompareArgs) -> Exit {
    let interrupt = Interrupt::install();
    let mut sources = Vec::new();
    match compare(args, &interrupt, &mut sources) {
        Ok((comparison, was_interrupted)) => match present(&comparison, args) {
            Ok(()) if was_interrupted => Exit::Interrupted,
            Ok(()) => exit_of(&comparison),
            Err(problem) => refuse(&[problem], &sources, args),
        },
        Err(problems) => refuse(&problems, &sources, args),
    }
}

fn refuse(problems: &[Problem], sources: &[Source], args: &CompareArgs) -> Exit {
    output::complain(&render::problems(problems, sources, render::colours_wanted()));
    if args.json {
        let _ = output::print(&json::problems(problems, sources));
    }
    Exit::Bad
}

/// Runs all cases, or those until somebody wants to end, which is told beside.
fn compare(
    args: &CompareArgs,
    interrupt: &Interrupt,
    sources: &mut Vec<Source>,
) -> Result<(Comparison, bool), Vec<Problem>> {
    // A model that cannot be read is told once, and not by every run.
    let net = load::net(&args.model, &args.reading, sources)?;
    check_sweeps(&args.sweep, &net).map_err(|problem| vec![problem])?;
    let program = std::env::current_exe()
        .map_err(|error| vec![Problem::plain(format!("cannot find this program: {}", reason(&error)))])?;
    let ways = match &args.stores {
        Some(list) => list.0.clone(),
        None => ways(&usual_for(&args.sweep)).map_err(|message| vec![Problem::plain(message)])?,
    };
    let cases = cases(&ways, &args.sweep);
    let mut comparison = Comparison {
        model: net.name.text.clone(),
        machine: machine::facts(),
        command: shown_command(std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned())),
        ..Comparison::default()
    };
    let n_cases = cases.len();
    let mut live = LiveTable::new(!args.quiet);
    interrupt.search_begins();
    for (at, case) in cases.into_iter().enumerate() {
        let arguments = arguments(args, &case);
        let command = shown_command(arguments.iter().cloned());
        if interrupt.asked() {
            comparison.rows.push(petite_compare::Row::not_run(case, command));
            continue;
        }
        let name = case.name();
        live.begin(&comparison, &name, at + 1, n_cases);
        let total = total(&comparison, &case, args.max_states);
        let mut words: Vec<OsString> = arguments.into_iter().map(OsString::from).collect();
        // As it was given, also where it is no text.
        words[1] = args.model.clone().into_os_string();
        let row = run_case(&program, case, words, command, args.max_time, interrupt, &mut |sample| {
            live.show(&name, sample, total);
        });
        comparison.rows.push(row);
    }
    let was_interrupted = interrupt.asked();
    interrupt.search_ended();
    live.clear();
    comparison.facts = facts(args, &net, &comparison);
    Ok((comparison, was_interrupted))
}

fn run_case(
    program: &Path,
    case: Case,
    mut arguments: Vec<OsString>,
    command: String,
    max_time: Duration,
    interrupt: &Interrupt,
    watch: &mut dyn FnMut(&petite_compare::Sample),
) -> petite_compare::Row {
    arguments.push("--events".into());
    let longest = max_time.saturating_add(OVERTIME).saturating_add(max_time / 2);
    let Ran { exited, stdout, complaints, samples, peak_seen } =
        child::run(program, &arguments, Some(longest), interrupt, watch);
    read(case, command, &exited, &stdout, &complaints, &samples, peak_seen)
}

/// The arguments of a case, as somebody would type them.
fn arguments(args: &CompareArgs, case: &Case) -> Vec<String> {
    let mut arguments = vec!["explore".to_owned(), input::shown(&args.model), "--json".to_owned()];
    let ReadArgs { params, defines, capacity, engine } = &args.reading;
    for (name, value) in params {
        arguments.extend(["--param".to_owned(), format!("{name}={value}")]);
    }
    for symbol in defines {
        arguments.extend(["--define".to_owned(), symbol.clone()]);
    }
    let mut limit = |flag: &str, value: String| arguments.extend([flag.to_owned(), value]);
    if let Some(capacity) = capacity {
        limit("--capacity", capacity.to_string());
    }
    match engine {
        EngineArg::Auto => {}
        EngineArg::Unfolded => limit("--engine", "unfolded".to_owned()),
        EngineArg::Binding => limit("--engine", "binding".to_owned()),
    }
    if let Some(states) = args.max_states {
        limit("--max-states", states.to_string());
    }
    if let Some(bytes) = args.max_memory {
        limit("--max-memory", bytes.to_string());
    }
    limit("--max-time", format!("{}ms", args.max_time.as_millis()));
    if args.assume_bounded {
        arguments.push("--assume-bounded".to_owned());
    }
    arguments.extend(case.arguments());
    arguments
}

/// What is compared if nothing else is asked for: the usual ways, or those that have what is swept.
fn usual_for(sweeps: &[Sweep]) -> String {
    let stores: Vec<&str> = sweeps
        .iter()
        .filter_map(|sweep| match sweep.knob {
            Knob::Store { store, .. } => Some(store),
            Knob::Model(_) => None,
        })
        .collect();
    if stores.is_empty() { "usual".to_owned() } else { format!("plain,{}", stores.join(",")) }
}

/// Refuses to sweep what the model does not have.
fn check_sweeps(sweeps: &[Sweep], net: &Net) -> Result<(), Problem> {
    for sweep in sweeps {
        if let Knob::Model(name) = &sweep.knob
            && !net.params.iter().any(|(param, _)| param.text == *name)
        {
            let known: Vec<&str> = net.params.iter().map(|(param, _)| param.text.as_str()).collect();
            let help = match known.is_empty() {
                true => "it has none; the stores have k, delta and hash-bits".to_owned(),
                false => format!("it has {}; the stores have k, delta and hash-bits", known.join(", ")),
            };
            return Err(Problem::plain(format!("the model has no parameter {name} to sweep")).help(help));
        }
    }
    Ok(())
}

/// The number of states that a run will find, where an earlier one has found them all, or the limit.
fn total(comparison: &Comparison, case: &Case, max_states: Option<u64>) -> Option<u64> {
    let is_it = |row: &&petite_compare::Row| row.end == End::Complete && row.case.instance == case.instance;
    let found = comparison.rows.iter().find(is_it).and_then(|row| row.figures.as_ref());
    found.map(|figures| figures.states).or(max_states)
}

fn facts(args: &CompareArgs, net: &Net, comparison: &Comparison) -> Vec<Fact> {
    let mut facts = vec![("file".to_owned(), input::shown(&args.model))];
    let params: Vec<String> =
        net.params.iter().map(|(name, value)| format!("{}={value}", name.text)).collect();
    if !params.is_empty() {
        facts.push(("parameters".to_owned(), params.join(", ")));
    }
    if !args.reading.defines.is_empty() {
        facts.push(("symbols".to_owned(), args.reading.defines.join(", ")));
    }
    facts.push(("places".to_owned(), grouped(net.places.len() as u64)));
    facts.push(("transitions".to_owned(), grouped(net.transitions.len() as u64)));
    let has_sizes = args.sweep.iter().any(|sweep| matches!(sweep.knob, Knob::Model(_)));
    let found = comparison.rows.iter().find(|row| row.end == End::Complete && row.is_exact() && !has_sizes);
    if let Some(figures) = found.and_then(|row| row.figures.as_ref()) {
        facts.push(("states".to_owned(), grouped(figures.states)));
        facts.push(("edges".to_owned(), grouped(figures.edges)));
        let dead = figures.dead_states.map(|dead| ("dead states".to_owned(), grouped(dead)));
        facts.extend(dead);
    }
    let bits = comparison.rows.iter().filter(|_| !has_sizes).find_map(|row| row.figures.as_ref()?.state_bits);
    facts.extend(bits.map(|bits| ("bits of a state".to_owned(), grouped(bits))));
    let mut limits = format!("{} for each run", crate::units::seconds(args.max_time.as_secs_f64()));
    limits += &args.max_states.map(|states| format!(", {} states", grouped(states))).unwrap_or_default();
    limits += &args.max_memory.map(|bytes| format!(", {}", size(bytes))).unwrap_or_default();
    facts.push(("limits".to_owned(), limits));
    facts
}

/// Prints the table or the document, and writes the files that were asked for.
fn present(comparison: &Comparison, args: &CompareArgs) -> Result<(), Problem> {
    let text = match args.json {
        true => json::text_of(&document(comparison)),
        false => heading(comparison) + &table(comparison),
    };
    output::print(&text).map_err(Problem::plain)?;
    let write_bytes = |path: &Path, bytes: &[u8]| deliver(Some(path), &mut |sink| sink.write_all(bytes));
    let write = |path: &Path, text: &str| write_bytes(path, text.as_bytes());
    if let Some(path) = &args.csv {
        write(path, &csv(comparison))?;
    }
    if let Some(folder) = &args.plot {
        let plots = plots(comparison).map_err(|error| Problem::plain(error.to_string()))?;
        std::fs::create_dir_all(folder).map_err(|error| {
            Problem::of_file(input::shown(folder), format!("cannot make the directory: {}", reason(&error)))
        })?;
        for plot in plots {
            let path: PathBuf = folder.join(format!("{}.svg", plot.name));
            write(&path, &plot.svg)?;
            write_bytes(&path.with_extension("png"), &plot.png)?;
        }
    }
    if let Some(path) = &args.report {
        let page = report(comparison).map_err(|error| Problem::plain(error.to_string()))?;
        write(path, &page)?;
    }
    Ok(())
}

fn heading(comparison: &Comparison) -> String {
    let fact = |name: &str| {
        comparison.facts.iter().find(|(other, _)| other == name).map(|(_, words)| words.as_str())
    };
    let params = fact("parameters").map(|params| format!(", {params}")).unwrap_or_default();
    let limits = fact("limits").unwrap_or_default();
    format!("{} ({}){params}; at most {limits}\n\n", comparison.model, fact("file").unwrap_or_default())
}

fn exit_of(comparison: &Comparison) -> Exit {
    if comparison.disagreement().is_some() {
        return Exit::Bug;
    }
    let nothing = |row: &petite_compare::Row| matches!(row.end, End::Refused(_) | End::Wrong(_));
    let short = |row: &petite_compare::Row| matches!(row.end, End::Early(_) | End::Lost(_) | End::StateLimit);
    if comparison.rows.iter().all(nothing) {
        Exit::Bad
    } else if comparison.rows.iter().any(short) {
        Exit::Limit
    } else {
        Exit::Done
    }
}

/// A command as it can be typed into a shell.
fn shown_command(arguments: impl Iterator<Item = String>) -> String {
    let words = arguments.map(|word| match word.is_empty() || word.chars().any(needs_quotes) {
        true => format!("'{}'", word.replace('\'', "'\\''")),
        false => word,
    });
    std::iter::once("petite".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

fn needs_quotes(c: char) -> bool {
    !(c.is_ascii_alphanumeric() || "-_=./,:+%@".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_can_be_typed_again() {
        let words = ["explore", "my model.lna", "--param", "N=5", "it's", ""].map(str::to_owned);
        let command = shown_command(words.into_iter());
        assert_eq!(command, r"petite explore 'my model.lna' --param N=5 'it'\''s' ''");
    }

    #[test]
    fn a_sweep_brings_its_store() {
        let of = |text: &str| usual_for(&[Sweep::read(text).unwrap()]);
        assert_eq!((of("k=1..3").as_str(), of("N=1..3").as_str()), ("plain,delta", "usual"));
    }
}
