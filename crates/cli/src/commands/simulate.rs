//! `petite simulate`: a model step by step.

use std::io::BufRead as _;
use std::rc::Rc;

use petite_bits::mix64;
use petite_lang::Source;
use petite_logic::{Misfit, Step, Trace, Walk, replay};
use petite_model::{Engine, NetModel, compile};
use petite_net::Net;

use crate::check_args::SimulateArgs;
use crate::deliver::deliver;
use crate::exit::Exit;
use crate::problem::Problem;
use crate::trace_file::{TraceDocument, params};
use crate::trace_text;
use crate::{input, load, output, render};

/// Steps that are taken at random when nobody says how many.
const STEPS: u64 = 100;

const HELP: &str =
    "  a number takes that step; s shows the state, b goes back a step, r starts again, q ends\n";

/// Walks through a model.
pub fn run(args: &SimulateArgs) -> Exit {
    let mut sources = Vec::new();
    match simulate(args, &mut sources) {
        Ok(()) => Exit::Done,
        Err(problems) => {
            output::complain(&render::problems(&problems, &sources, render::colours_wanted()));
            Exit::Bad
        }
    }
}

fn simulate(args: &SimulateArgs, sources: &mut Vec<Source>) -> Result<(), Vec<Problem>> {
    let net = Rc::new(load::net(&args.model, &args.reading, sources)?);
    let choice = load::engine_choice(args.reading.engine);
    let engine = compile(&net, choice).map_err(|error| vec![load::unsuitable(&sources[0].path, error)])?;
    let walked = match engine {
        Engine::Unfolded(model) => walk(args, *model, &net),
        Engine::Binding(model) => walk(args, *model, &net),
    };
    walked.map_err(|problem| vec![problem])
}

fn walk<M: NetModel>(args: &SimulateArgs, mut model: M, net: &Net) -> Result<(), Problem> {
    let walked = match &args.trace {
        Some(path) => follow(path, &mut model, net)?,
        None if args.seed.is_some() || args.steps.is_some() => {
            at_random(&mut model, args.seed.unwrap_or(0), args.steps.unwrap_or(STEPS))?
        }
        None => by_hand(&mut model)?,
    };
    match &args.save {
        None => Ok(()),
        Some(path) => {
            let document = TraceDocument::new(net, &walked, None, None);
            deliver(Some(path), &mut |sink| sink.write_all(document.text().as_bytes()))
        }
    }
}

/// Follows a trace, as far as it fits.
fn follow<M: NetModel>(path: &std::path::Path, model: &mut M, net: &Net) -> Result<Trace, Problem> {
    let shown = input::shown(path);
    let source = input::text(path, "a trace")?;
    let document =
        TraceDocument::read(&source.text).map_err(|message| Problem::of_file(shown.clone(), message))?;
    if document.net != net.name.text {
        let message =
            format!("this trace is of the net {}, and the model is {}", document.net, net.name.text);
        return Err(Problem::of_file(shown, message));
    }
    if document.params != params(net) {
        let stated: Vec<String> =
            document.params.iter().map(|param| format!("--param {}={}", param.name, param.value)).collect();
        return Err(Problem::of_file(shown, "this trace is of the model with other parameters")
            .help(format!("give the same: {}", stated.join(" "))));
    }
    let trace = document.trace();
    let mut text = String::from("  initially\n");
    trace
        .initial
        .iter()
        .for_each(|(place, tokens)| text += &format!("       {place}: {}\n", trace_text::shown(tokens)));
    let outcome = replay(model, &trace, &mut |step, _| {
        if trace.cycle == Some(step) {
            text.push_str("  what follows repeats for ever\n");
        }
        text += &trace_text::step(step + 1, &trace.steps[step]);
    });
    if outcome.is_ok() {
        let about = match (&document.property, &document.answer) {
            (Some(property), Some(answer)) => format!(": {property} {answer}"),
            _ => String::new(),
        };
        text += &format!("the trace fits: {} steps{about}\n", trace.steps.len());
    }
    print(&text)?;
    match outcome {
        Ok(()) => Ok(trace),
        Err(misfit) => Err(explained(misfit, shown)),
    }
}

fn explained(misfit: Misfit, path: String) -> Problem {
    let does_not_fit =
        |why: String| Problem::of_file(path.clone(), format!("this trace does not fit the model: {why}"));
    match misfit {
        Misfit::Initial { place } => does_not_fit(format!("place {place} holds something else at first")),
        Misfit::NotEnabled { step, title } => {
            does_not_fit(format!("step {step}, {title}, is not enabled there"))
        }
        Misfit::OtherTokens { step, place, holds, said } => does_not_fit(format!(
            "after step {step} place {place} holds {}, and the trace says {}",
            trace_text::shown(&holds),
            trace_text::shown(&said)
        )),
        Misfit::NoCycle => does_not_fit("it does not come back to where it is said to".to_owned()),
        Misfit::Failed(error) => Problem::from(&*error),
    }
}

/// Takes steps at random.
fn at_random<M: NetModel>(model: &mut M, seed: u64, steps: u64) -> Result<Trace, Problem> {
    let failed = |error: Box<petite_net::RunError>| Problem::from(&*error);
    let mut walk = Walk::new(model).map_err(failed)?;
    let mut trace = Trace { initial: walk.places(), steps: Vec::new(), cycle: None };
    print(&initially(&trace.initial))?;
    let mut random = mix64(seed.wrapping_add(0x9e37_79b9_7f4a_7c15));
    for number in 1..=steps {
        let enabled = walk.enabled().map_err(failed)?;
        if enabled.is_empty() {
            print("  this is a dead state: nothing is enabled\n")?;
            break;
        }
        random = mix64(random.wrapping_add(number));
        let action = enabled[(random % enabled.len() as u64) as usize];
        let step = walk.take(action).map_err(failed)?;
        print(&trace_text::step(trace.steps.len() + 1, &step))?;
        trace.steps.push(step);
    }
    Ok(trace)
}

/// Asks what to do, and does it.
fn by_hand<M: NetModel>(model: &mut M) -> Result<Trace, Problem> {
    let failed = |error: Box<petite_net::RunError>| Problem::from(&*error);
    let mut taken = Vec::new();
    let mut steps: Vec<Step> = Vec::new();
    let mut walk = Walk::new(model).map_err(failed)?;
    let initial = walk.places();
    print(&format!("{}{HELP}", initially(&initial)))?;
    let mut lines = std::io::stdin().lock().lines();
    loop {
        let enabled = walk.enabled().map_err(failed)?;
        let mut text = String::new();
        for (i, &action) in enabled.iter().enumerate() {
            let (transition, binding) = walk.name(action);
            text += &format!("  [{}] {}\n", i + 1, Step { transition, binding, changes: Vec::new() }.title());
        }
        if enabled.is_empty() {
            text.push_str("  this is a dead state: nothing is enabled\n");
        }
        print(&format!("{text}> "))?;
        let answer = match lines.next() {
            Some(Ok(line)) => line,
            // The end of the input ends the walk.
            _ => break,
        };
        let back_to = match answer.trim() {
            "" => continue,
            "q" | "quit" => break,
            "s" | "state" => {
                let places = walk.places();
                print(
                    &places
                        .iter()
                        .map(|(place, tokens)| format!("  {place}: {tokens}\n"))
                        .collect::<String>(),
                )?;
                continue;
            }
            "b" | "back" => steps.len().saturating_sub(1),
            "r" | "restart" => 0,
            number => {
                let chosen = number.parse().ok().and_then(|n: usize| enabled.get(n.checked_sub(1)?));
                match chosen {
                    Some(&action) => match walk.take(action) {
                        Ok(step) => {
                            print(&trace_text::step(steps.len() + 1, &step))?;
                            taken.push(action);
                            steps.push(step);
                        }
                        Err(error) => print(&format!("  cannot happen: {error}\n"))?,
                    },
                    None => print(HELP)?,
                }
                continue;
            }
        };
        taken.truncate(back_to);
        steps.clear();
        walk.restart().map_err(failed)?;
        for &action in &taken {
            steps.push(walk.take(action).map_err(failed)?);
        }
        print(&format!("  after {} steps\n", steps.len()))?;
    }
    Ok(Trace { initial, steps, cycle: None })
}

fn initially(initial: &[(String, String)]) -> String {
    trace_text::trace(&Trace { initial: initial.to_vec(), steps: Vec::new(), cycle: None })
}

fn print(text: &str) -> Result<(), Problem> {
    output::print(text).map_err(Problem::plain)
}
