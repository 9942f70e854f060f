//! The questions that a command line asks.

use std::path::Path;

use petite_lang::{Diagnostic, Source, formula, mcc};
use petite_logic::stated;
use petite_net::{Formula, FormulaKind, Global, Net, Predicate, Query, Question, Span};

use crate::check_args::{CheckArgs, ExaminationArg};
use crate::input;
use crate::load;
use crate::problem::Problem;

/// Reads the model and everything that is asked about it. Sources are left to the caller, who shows problems with them.
///
/// # Errors
/// Everything that is wrong with the model or the formulas.
pub fn read(args: &CheckArgs, sources: &mut Vec<Source>) -> Result<(Net, Vec<Query>), Vec<Problem>> {
    let (of_helena, others): (Vec<_>, Vec<_>) = args.properties.iter().partition(|path| is_helena(path));
    let beside = match of_helena.as_slice() {
        [] => None,
        [path] => Some(input::text(path, "a file of properties").map_err(|problem| vec![problem])?),
        [_, second, ..] => {
            let message = "there is more than one property file in Helena's language";
            return Err(vec![
                Problem::of_file(input::shown(second), message).help("give one of them at a time"),
            ]);
        }
    };
    let net = load::net_with(&args.model, beside, &args.reading, sources)?;
    let mut queries = Vec::new();
    let mut problems = Vec::new();
    let is_asked_alone =
        args.formulas.is_empty() && args.properties.is_empty() && args.examination.is_empty();
    if is_asked_alone || !of_helena.is_empty() {
        queries.extend(stated(&net));
    }
    for path in others {
        match input::text(path, "a file of properties") {
            Ok(source) => {
                let file = sources.len() as u32;
                let read =
                    if source.text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']).starts_with('<') {
                        mcc::read(&source, file, &net)
                    } else {
                        formula::read_file(&source, file, &net)
                    };
                sources.push(source);
                take(read, &mut queries, &mut problems);
            }
            Err(problem) => problems.push(problem),
        }
    }
    for (i, text) in args.formulas.iter().enumerate() {
        let name = if args.formulas.len() == 1 { "formula".to_owned() } else { format!("formula{}", i + 1) };
        let source = Source::new("--formula", text.as_str());
        let read = formula::read_formula(&source, sources.len() as u32, &net, &name);
        sources.push(source);
        take(read.map(|query| vec![query]).map_err(|fault| vec![fault]), &mut queries, &mut problems);
    }
    queries.extend(args.examination.iter().map(|&examination| examined(examination)));
    if !problems.is_empty() {
        return Err(problems);
    }
    if let Some(name) = args.only.iter().find(|name| !queries.iter().any(|query| query.name == **name)) {
        let names: Vec<&str> = queries.iter().map(|query| query.name.as_str()).take(20).collect();
        let problem = Problem::plain(format!("there is no property `{name}`"));
        return Err(vec![problem.help(format!("there are: {}", names.join(", ")))]);
    }
    if !args.only.is_empty() {
        queries.retain(|query| args.only.contains(&query.name));
    }
    if queries.is_empty() {
        let problem = Problem::of_file(input::shown(&args.model), "this model states no property to check");
        return Err(vec![problem.help("give formulas with -f, or a file of them with --properties")]);
    }
    Ok((net, queries))
}

fn is_helena(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().to_lowercase().ends_with(".prop.lna"))
}

fn take(read: Result<Vec<Query>, Vec<Diagnostic>>, queries: &mut Vec<Query>, problems: &mut Vec<Problem>) {
    match read {
        Ok(read) => queries.extend(read),
        Err(faults) => problems.extend(faults.into_iter().map(Problem::from)),
    }
}

fn examined(examination: ExaminationArg) -> Query {
    let span = Span::default();
    let question = match examination {
        ExaminationArg::ReachabilityDeadlock => {
            let dead = Box::new(Formula::state(Predicate::Deadlock, span));
            let finally = Box::new(Formula { kind: FormulaKind::Finally(dead), span });
            Question::Holds(Formula { kind: FormulaKind::Exists(finally), span })
        }
        ExaminationArg::OneSafe => Question::Global(Global::OneSafe),
        ExaminationArg::StableMarking => Question::Global(Global::StableMarking),
        ExaminationArg::QuasiLiveness => Question::Global(Global::QuasiLiveness),
        ExaminationArg::Liveness => Question::Global(Global::Liveness),
    };
    Query { name: examination.name().to_owned(), question, span }
}
