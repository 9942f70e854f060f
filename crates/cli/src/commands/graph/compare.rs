//! `petite graph compare`: whether two graphs have the same language.

use petite_graph::{ActionName, CompareError, Comparison, Graph, Words, compare_languages};

use super::answer::Found;
use super::{Answer, open};
use crate::exit::Exit;
use crate::graph_args::CompareArgs;
use crate::input;
use crate::problem::Problem;

/// Compares two graphs.
pub fn run(args: &CompareArgs) -> Result<Answer, Vec<Problem>> {
    let first = open::graph(&args.first).map_err(|problem| vec![problem])?;
    let second = open::graph(&args.second).map_err(|problem| vec![problem])?;
    for name in &args.hide {
        if ![&first, &second].iter().any(|graph| has(graph, name)) {
            let message = format!("--hide: neither graph has a transition or action {name}");
            return Err(vec![Problem::plain(message)]);
        }
    }
    let is_hidden = |graph: &Graph, action: &ActionName| {
        args.hide.iter().any(|name| action.text == *name || transition(graph, action) == Some(name))
    };
    let words = if args.halting { Words::Halting } else { Words::All };
    let comparison = match compare_languages([&first, &second], &is_hidden, words, args.max_sets) {
        Ok(comparison) => comparison,
        Err(error) => {
            let problem = Problem::plain(error.to_string());
            return match error {
                CompareError::NoLabels => Err(vec![problem.help("build it again without --no-labels")]),
                _ => Ok(Answer { text: String::new(), problems: vec![problem], exit: Exit::Limit }),
            };
        }
    };
    open::unchanged(&first, &args.first)?;
    open::unchanged(&second, &args.second)?;
    let mut found = Found::default();
    let exit = match comparison {
        Comparison::Equal => {
            found.word("languages", "equal", "equal", true);
            Exit::Done
        }
        Comparison::Different { word, only_in } => {
            found.word("languages", "different", "equal", false);
            let path = input::shown([&args.first, &args.second][only_in.min(1)]);
            found.word("only in", &path, "only_in", path.clone());
            found.count("letters of a word", "length", word.len() as u64);
            found.list("word", &word, usize::MAX, String::clone);
            Exit::Different
        }
    };
    Ok(Answer { text: found.text(args.json), problems: Vec::new(), exit })
}

fn transition<'g>(graph: &'g Graph, action: &ActionName) -> Option<&'g String> {
    graph.about().transitions.get(action.transition? as usize)
}

fn has(graph: &Graph, name: &String) -> bool {
    graph.about().transitions.contains(name) || graph.actions().iter().any(|action| action.text == *name)
}
