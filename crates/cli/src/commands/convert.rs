//! `petite convert`: a model in another format.
//!
//! PNML has no capacities, and an unfolded net cannot fail. So a model that has capacities, or instances whose
//! evaluation fails, is explored a little first: a model that is wrong is refused with the error, one that is seen
//! whole is known to be right, and of one that is too large for that the user is told what was left out.

use std::path::Path;
use std::rc::Rc;

use petite_lang::{Source, write};
use petite_model::{Engine, EngineChoice, Flawed, Model, UnfoldedNet, Unsayable, compile};
use petite_net::{Net, PlainNet};
use petite_search::{Limits, NoObserver, Order};
use petite_store::Plain;

use crate::args::{ConvertArgs, FormatArg};
use crate::deliver::deliver;
use crate::exit::Exit;
use crate::input::shown;
use crate::interrupt::Interrupt;
use crate::problem::Problem;
use crate::searching::{Plan, Telling, search};
use crate::summary::Stop;
use crate::{load, memory, output, render};

/// States explored to see whether a model keeps to its capacities and has no errors.
const TRIED: u64 = 100_000;

/// Converts a model, or says what is wrong.
pub fn run(args: &ConvertArgs) -> Exit {
    let interrupt = Interrupt::install();
    let mut sources = Vec::new();
    match convert(args, &interrupt, &mut sources) {
        Ok(exit) => exit,
        Err(problems) => {
            output::complain(&render::problems(&problems, &sources, render::colours_wanted()));
            Exit::Bad
        }
    }
}

/// What is to be written.
enum Product {
    /// The net as it is, as a picture.
    Picture(Rc<Net>),
    /// A place/transition net.
    Plain(PlainNet),
    /// A coloured net in the words of PNML.
    Symmetric(write::Symmetric),
}

fn convert(
    args: &ConvertArgs,
    interrupt: &Interrupt,
    sources: &mut Vec<Source>,
) -> Result<Exit, Vec<Problem>> {
    let format = format(args).map_err(|problem| vec![problem])?;
    refuse_to_overwrite(args).map_err(|problem| vec![problem])?;
    let net = Rc::new(load::net(&args.model, &args.reading, sources)?);
    let job = Job { net: &net, path: &sources[0].path, interrupt };
    let product = match format {
        FormatArg::Dot if !args.unfold => Ok(Product::Picture(net.clone())),
        FormatArg::Dot => job.plain().map(Product::Plain),
        FormatArg::Pnml if args.unfold => job.plain().map(Product::Plain),
        FormatArg::Pnml => job.pnml(),
    };
    let product = match product {
        Ok(product) => product,
        Err(Refused::Interrupted) => return Ok(Exit::Interrupted),
        Err(Refused::Wrong(problem)) => return Err(vec![*problem]),
    };
    let written = deliver(args.output.as_deref(), &mut |sink| match (&product, format) {
        (Product::Picture(net), _) => write::net_as_dot(net, sink),
        (Product::Symmetric(net), _) => net.write(sink),
        (Product::Plain(net), FormatArg::Dot) => write::plain_as_dot(net, sink),
        (Product::Plain(net), FormatArg::Pnml) => write::plain_as_pnml(net, sink),
    });
    written.map(|()| Exit::Done).map_err(|problem| vec![problem])
}

/// Why nothing is written.
enum Refused {
    Wrong(Box<Problem>),
    Interrupted,
}

impl From<Problem> for Refused {
    fn from(problem: Problem) -> Refused {
        Refused::Wrong(Box::new(problem))
    }
}

/// A model on its way.
struct Job<'a> {
    net: &'a Rc<Net>,
    path: &'a str,
    interrupt: &'a Interrupt,
}

impl Job<'_> {
    /// The net as PNML can say it best.
    fn pnml(&self) -> Result<Product, Refused> {
        if let Some(plain) = PlainNet::of(self.net) {
            self.try_capacities()?;
            return Ok(Product::Plain(plain));
        }
        match write::symmetric(self.net) {
            Ok(symmetric) => {
                self.try_capacities()?;
                Ok(Product::Symmetric(symmetric))
            }
            Err(_) => self.plain().map(Product::Plain),
        }
    }

    /// The net as a place/transition net.
    fn plain(&self) -> Result<PlainNet, Refused> {
        if let Some(plain) = PlainNet::of(self.net) {
            self.try_capacities()?;
            return Ok(plain);
        }
        let Ok(Engine::Unfolded(mut unfolded)) = compile(self.net, EngineChoice::Unfolded) else {
            let message = "the net has too many possible bindings to write one transition for each";
            let help = "choose smaller constants with --param";
            return Err(Problem::of_file(self.path, message).help(help).into());
        };
        let known_right = (unfolded.has_flaws() || self.has_capacities()) && self.explore(&mut *unfolded)?;
        let flawed = if known_right { Flawed::Drop } else { Flawed::Refuse };
        let plain = self.unfold(&unfolded, flawed)?;
        if !known_right && self.has_capacities() {
            self.note_capacities();
        }
        Ok(plain)
    }

    fn unfold(&self, unfolded: &UnfoldedNet, flawed: Flawed) -> Result<PlainNet, Refused> {
        let problem = match unfolded.to_plain(flawed) {
            Ok(plain) => return Ok(plain),
            Err(Unsayable::Priority(transition)) => {
                let name = &self.net.transition(transition).name;
                let message = format!("a place/transition net has no priorities, but {name} has one");
                Problem::of_source(name.span, "with a priority of its own", message)
            }
            Err(Unsayable::Error { instance, error }) => {
                let problem = Problem::from(&*error);
                let message =
                    format!("a place/transition net cannot fail, but {instance} may: {}", problem.message);
                let note = "the model is too large to see whether this ever happens";
                Problem { message, ..problem }.note(note)
            }
            Err(_) => Problem::of_file(self.path, "a place/transition net cannot say what this net does"),
        };
        Err(problem.into())
    }

    fn has_capacities(&self) -> bool {
        let limited =
            |place: &petite_net::Place| place.capacity.per_token.is_some() || place.capacity.total.is_some();
        self.net.places.iter().any(limited)
    }

    /// Refuses a net that exceeds a capacity; notes when it is not known.
    fn try_capacities(&self) -> Result<(), Refused> {
        if !self.has_capacities() {
            return Ok(());
        }
        let known_right = match compile(self.net, EngineChoice::Auto) {
            Ok(Engine::Unfolded(mut model)) => self.explore(&mut *model)?,
            Ok(Engine::Binding(mut model)) => self.explore(&mut *model)?,
            Err(_) => false,
        };
        if !known_right {
            self.note_capacities();
        }
        Ok(())
    }

    fn note_capacities(&self) {
        output::complain(
            "note: PNML has no capacities: the new net has the same states only if no place of the model exceeds its own\n",
        );
    }

    /// Explores the beginning of the state space: whether all of it was seen, and nothing was wrong.
    fn explore<M: Model>(&self, model: &mut M) -> Result<bool, Refused> {
        let plan = Plan {
            order: Order::BreadthFirst,
            limits: Limits { max_states: Some(TRIED), max_memory: memory::available(), ..Limits::NONE },
            asked_memory: None,
            interrupt: self.interrupt,
            telling: Telling::Line,
        };
        let store = Plain::new(model.packing());
        let searched = search(model, store, &plan, &mut NoObserver);
        match (searched.stopped, searched.error) {
            (None, _) => Ok(true),
            (Some(Stop::Interrupted), _) => Err(Refused::Interrupted),
            (Some(_), Some(problem)) => {
                Err(problem.note("the model is wrong, and PNML cannot say that it is").into())
            }
            (Some(_), None) => Ok(false),
        }
    }
}

/// The format that was asked for, or the one that the output's name stands for.
fn format(args: &ConvertArgs) -> Result<FormatArg, Problem> {
    if let Some(format) = args.to {
        return Ok(format);
    }
    let help = "say --to pnml or --to dot";
    let Some(path) = &args.output else {
        return Err(Problem::plain("the format to write is not given").help(help));
    };
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    match extension.as_deref() {
        Some("pnml") => Ok(FormatArg::Pnml),
        Some("dot" | "gv") => Ok(FormatArg::Dot),
        _ => Err(Problem::of_file(shown(path), "the name of the file does not tell the format").help(help)),
    }
}

/// A model must survive its conversion, under whichever name the output leads to it.
fn refuse_to_overwrite(args: &ConvertArgs) -> Result<(), Problem> {
    let same = |path: &Path| {
        let [output, model] = [path, &args.model].map(std::fs::canonicalize);
        matches!((output, model), (Ok(output), Ok(model)) if output == model)
    };
    match &args.output {
        Some(path) if same(path) => {
            let message = "this is the model itself, which would be overwritten";
            Err(Problem::of_file(shown(path), message).help("give another name with -o"))
        }
        _ => Ok(()),
    }
}
