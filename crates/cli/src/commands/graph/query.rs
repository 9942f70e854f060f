//! `petite graph query`: questions to a graph.

use petite_graph::{
    Components, Graph, LabelIdx, Labels, Liveness, NodeId, PathStep, PlaceBound, WalkError, Walker, liveness,
    place_bounds, predecessors, shortest_path,
};
use petite_lang::{Source, formula};
use petite_logic::{Ctl, LabelFailure, NodeBits, Temporal, label_graph, temporal};
use petite_model::{NetModel, UnfoldedNet};
use petite_net::Predicate;
use serde::Serialize;

use super::answer::Found;
use super::model::{Task, with_model};
use super::{Answer, open};
use crate::exit::Exit;
use crate::graph_args::{QueryArgs, Question};
use crate::problem::Problem;
use crate::units::grouped;

/// Answers a question.
pub fn run(args: &QueryArgs, sources: &mut Vec<Source>) -> Result<Answer, Vec<Problem>> {
    let graph = open::graph(&args.file).map_err(|problem| vec![problem])?;
    let mut query = Query { args, graph: &graph, sources, found: Found::default(), exit: Exit::Done };
    query.answer()?;
    open::unchanged(&graph, &args.file)?;
    Ok(Answer { exit: query.exit, ..Answer::done(query.found.text(args.json)) })
}

/// A question with what is needed to answer it.
struct Query<'a> {
    args: &'a QueryArgs,
    graph: &'a Graph,
    sources: &'a mut Vec<Source>,
    found: Found,
    exit: Exit,
}

/// An edge for people and programs.
#[derive(Serialize)]
struct ShownEdge {
    from: u32,
    label: String,
    to: u32,
}

impl Query<'_> {
    fn answer(&mut self) -> Result<(), Vec<Problem>> {
        match self.args.question {
            Question::Dead => self.dead(),
            Question::Components => self.components()?,
            Question::Home => self.home()?,
            Question::Bounds => self.bounds()?,
            Question::Live => self.live()?,
            Question::Path { from, to } => {
                let [from, to] = [self.node(from)?, self.node(to)?];
                self.path(from, |node| node == to)?;
            }
            Question::PathTo { from, ref formula } => {
                let from = self.node(from)?;
                let nodes = self.nodes_with(formula)?;
                self.path(from, |node| nodes.contains(node.0))?;
            }
            Question::Check { ref formula } => {
                let nodes = self.nodes_with(formula)?;
                let holds = self.graph.n_nodes() > 0 && nodes.contains(0);
                let word = if holds { "holds" } else { "fails" };
                self.found.word("formula", word, "answer", word);
                let all: Vec<u32> = nodes.iter().collect();
                self.found.count("nodes where it holds", "n_nodes", all.len() as u64);
                self.found.list("nodes", &all, self.args.limit, u32::to_string);
                self.exit = if holds { Exit::Done } else { Exit::Fails };
            }
            Question::Predecessors { node } => {
                let node = self.node(node)?;
                let steps: Vec<PathStep> = predecessors(self.graph, node).collect();
                self.found.count("edges", "edges", steps.len() as u64);
                self.edges("predecessors", &steps)?;
            }
            Question::Successors { node } => {
                let node = self.node(node)?;
                let n = self.graph.reader().edges(node).len();
                let steps: Vec<PathStep> = (0..n).map(|edge| (node, edge)).collect();
                self.found.count("edges", "edges", n as u64);
                self.edges("successors", &steps)?;
            }
            Question::Marking { node } => {
                let node = self.node(node)?;
                let marking = self.with_model(MarkingOf(node))?;
                self.found.word("node", &grouped(u64::from(node.0)), "node", node.0);
                let line = |(place, tokens): &(String, String)| format!("{place}: {tokens}");
                self.found.list("marking", &marking, usize::MAX, line);
            }
        }
        Ok(())
    }

    fn dead(&mut self) {
        let mut reader = self.graph.reader();
        let dead: Vec<u32> =
            self.graph.nodes().filter(|&node| reader.is_dead(node)).map(|node| node.0).collect();
        self.found.count("dead nodes", "dead_nodes", dead.len() as u64);
        self.found.list("nodes", &dead, self.args.limit, u32::to_string);
    }

    fn components(&mut self) -> Result<(), Vec<Problem>> {
        let components = Components::of(self.graph).map_err(no_memory)?;
        let figures = [
            ("components", "components", components.len()),
            ("terminal components", "terminal_components", components.n_terminal()),
            ("components with a cycle", "cyclic_components", components.n_cyclic()),
            ("nodes of the largest", "largest_component", components.largest()),
            ("home states", "home_states", components.n_home_states()),
        ];
        figures.iter().for_each(|(name, field, count)| self.found.count(name, field, *count as u64));
        Ok(())
    }

    fn home(&mut self) -> Result<(), Vec<Problem>> {
        let components = Components::of(self.graph).map_err(no_memory)?;
        let home = components.home();
        let nodes: Vec<u32> = self
            .graph
            .nodes()
            .filter(|&node| home == Some(components.component(node)))
            .map(|node| node.0)
            .collect();
        self.found.count("home states", "home_states", nodes.len() as u64);
        self.found.list("nodes", &nodes, self.args.limit, u32::to_string);
        Ok(())
    }

    fn bounds(&mut self) -> Result<(), Vec<Problem>> {
        let bounds = self.with_model(Bounds)?;
        #[derive(Serialize)]
        struct Shown {
            place: String,
            least: u64,
            most: u64,
        }
        let shown: Vec<Shown> = bounds
            .into_iter()
            .map(|PlaceBound { name, least, most }| Shown { place: name, least, most })
            .collect();
        self.found.count("places", "places", shown.len() as u64);
        let line =
            |bound: &Shown| format!("{}: {} to {}", bound.place, grouped(bound.least), grouped(bound.most));
        self.found.list("bounds", &shown, self.args.limit, line);
        Ok(())
    }

    fn live(&mut self) -> Result<(), Vec<Problem>> {
        let components = Components::of(self.graph).map_err(no_memory)?;
        let all = match self.graph.labels() {
            Labels::Kept => {
                liveness::<UnfoldedNet>(self.graph, &components, None).map_err(|error| plain(&error))?
            }
            Labels::Left => self.with_model(Live(&components))?,
        };
        for (kind, name, field) in [
            (Liveness::Live, "live transitions", "live"),
            (Liveness::QuasiLive, "quasi-live transitions", "quasi_live"),
            (Liveness::Dead, "dead transitions", "dead"),
        ] {
            let names: Vec<&String> =
                all.iter().filter(|(_, found)| *found == kind).map(|(n, _)| n).collect();
            self.found.count(name, &format!("n_{field}"), names.len() as u64);
            self.found.list(field, &names, self.args.limit, |name| (*name).clone());
        }
        Ok(())
    }

    /// Shows a shortest path to a node of a kind.
    fn path(&mut self, from: NodeId, is_end: impl Fn(NodeId) -> bool) -> Result<(), Vec<Problem>> {
        match shortest_path(self.graph, from, is_end).map_err(no_memory)? {
            None => self.found.word("path", "there is none", "path", serde_json::Value::Null),
            Some(path) => {
                self.found.count("steps", "steps", path.len() as u64);
                self.edges("path", &path)?;
            }
        }
        Ok(())
    }

    /// Lists edges with their labels.
    fn edges(&mut self, field: &str, steps: &[PathStep]) -> Result<(), Vec<Problem>> {
        let shown = &steps[..steps.len().min(self.args.limit)];
        let mut labels: Vec<LabelIdx> = match self.graph.labels() {
            Labels::Kept => {
                let mut reader = self.graph.reader();
                shown.iter().map(|&(node, edge)| reader.edges(node)[edge].label).collect()
            }
            Labels::Left => self.with_model(LabelsOf(shown))?,
        };
        let mut reader = self.graph.reader();
        let edges: Vec<ShownEdge> = steps
            .iter()
            .zip(labels.drain(..).map(Some).chain(std::iter::repeat(None)))
            .map(|(&(node, edge), label)| ShownEdge {
                from: node.0,
                label: label
                    .map_or_else(String::new, |label| self.graph.actions()[label.index()].text.clone()),
                to: reader.edges(node)[edge].target.0,
            })
            .collect();
        let line = |edge: &ShownEdge| format!("{} -> {}  {}", edge.from, edge.to, edge.label);
        self.found.list(field, &edges, self.args.limit, line);
        Ok(())
    }

    fn node(&self, node: u32) -> Result<NodeId, Vec<Problem>> {
        let n_nodes = self.graph.n_nodes();
        if (node as usize) < n_nodes {
            return Ok(NodeId(node));
        }
        let message = format!("there is no node {node}: nodes have the numbers 0 to {}", n_nodes.max(1) - 1);
        Err(vec![Problem::plain(message)])
    }

    /// The nodes where a formula holds.
    fn nodes_with(&mut self, formula: &str) -> Result<NodeBits, Vec<Problem>> {
        let found = self.with_model(NodesWith(formula))?;
        found.inspect_err(|_| self.sources.push(Source::new("formula", formula)))
    }

    fn with_model<T: Task>(&mut self, task: T) -> Result<T::Output, Vec<Problem>> {
        with_model(self.graph, &self.args.model, self.sources, task)
    }
}

fn no_memory(error: impl std::fmt::Display) -> Vec<Problem> {
    vec![Problem::plain(error.to_string())]
}

fn plain(error: &WalkError) -> Vec<Problem> {
    vec![Problem::plain(error.to_string())]
}

/// The marking of a node in words.
struct MarkingOf(NodeId);

impl Task for MarkingOf {
    type Output = Vec<(String, String)>;

    fn run<M: NetModel>(self, graph: &Graph, model: &mut M, _: u32) -> Result<Self::Output, WalkError> {
        let mut walker = Walker::new(graph, model)?;
        let words = walker.marking(self.0)?.to_vec();
        Ok(walker.model().describe_state(&words))
    }
}

/// The nodes where a formula holds.
struct NodesWith<'a>(&'a str);

impl Task for NodesWith<'_> {
    type Output = Result<NodeBits, Vec<Problem>>;

    fn run<M: NetModel>(self, graph: &Graph, model: &mut M, file: u32) -> Result<Self::Output, WalkError> {
        let asked = match asked(self.0, file, model) {
            Ok(asked) => asked,
            Err(problems) => return Ok(Err(problems)),
        };
        let (formula, meanings) = asked;
        match label_graph(graph, model, &meanings, &[formula]) {
            Ok(mut sets) => Ok(sets.pop().ok_or_else(|| vec![Problem::plain("no formula was asked")])),
            Err(LabelFailure::Walk(error)) => Err(error),
            Err(error) => Ok(Err(vec![Problem::plain(error.to_string())])),
        }
    }
}

/// A formula about nodes, and the meaning of its atoms.
fn asked<M: NetModel>(text: &str, file: u32, model: &M) -> Result<(Ctl, Vec<Predicate>), Vec<Problem>> {
    let source = Source::new("formula", text);
    let read = formula::read_formula(&source, file, model.net(), "formula");
    let query = read.map_err(|fault| vec![Problem::from(fault)])?;
    let petite_net::Question::Holds(formula) = &query.question else {
        return Err(vec![Problem::plain("a graph is asked for nodes: expected a formula, not a bound")]);
    };
    let mut meanings = Vec::new();
    match temporal(formula, &mut meanings) {
        Some(Temporal::Ctl(formula)) => Ok((formula, meanings)),
        _ => Err(vec![
            Problem::plain("the formula is not of branching time, so no node has it")
                .help("put A or E in front of each temporal operator, or ask `petite check`"),
        ]),
    }
}

/// The bounds of all places.
struct Bounds;

impl Task for Bounds {
    type Output = Vec<PlaceBound>;

    fn run<M: NetModel>(self, graph: &Graph, model: &mut M, _: u32) -> Result<Self::Output, WalkError> {
        place_bounds(graph, model)
    }
}

/// The liveness of all transitions.
struct Live<'a>(&'a Components);

impl Task for Live<'_> {
    type Output = Vec<(String, Liveness)>;

    fn run<M: NetModel>(self, graph: &Graph, model: &mut M, _: u32) -> Result<Self::Output, WalkError> {
        liveness(graph, self.0, Some(model))
    }
}

/// The labels of edges.
struct LabelsOf<'a>(&'a [PathStep]);

impl Task for LabelsOf<'_> {
    type Output = Vec<LabelIdx>;

    fn run<M: NetModel>(self, graph: &Graph, model: &mut M, _: u32) -> Result<Self::Output, WalkError> {
        let mut walker = Walker::new(graph, model)?;
        let steps = self.0;
        let is_path =
            steps.windows(2).all(|pair| graph.reader().edges(pair[0].0)[pair[0].1].target == pair[1].0);
        if is_path {
            return walker.labels_along(steps);
        }
        let mut labels = Vec::new();
        for step in steps {
            labels.extend(walker.labels_along(std::slice::from_ref(step))?);
        }
        Ok(labels)
    }
}
