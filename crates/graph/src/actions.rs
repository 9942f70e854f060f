//! From the labels of a graph to the actions of a model, and back.
//!
//! A model that lists its actions ahead numbers them alike in every run. One that numbers them as it meets them does so
//! in another order when its states are visited in another order; its actions are found by what they are called. The
//! actions that lead away from a marking are met by asking for all that are enabled there.

use std::collections::HashMap;

use petite_model::{ActionId, Model};
use petite_net::RunError;

use crate::{Graph, LabelIdx, Numbering};

/// The actions of a model by label.
#[derive(Debug)]
pub struct Actions {
    numbering: Numbering,
    /// Labels by text, of the actions that were not met yet.
    by_text: HashMap<String, LabelIdx>,
    /// The action of each label, where it was met.
    actions: Vec<Option<ActionId>>,
    /// The label of each action that was met.
    labels: Vec<Option<LabelIdx>>,
    enabled: Vec<ActionId>,
}

/// A graph is of another model than the one at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongModel;

impl std::fmt::Display for WrongModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the graph is of another model")
    }
}

impl std::error::Error for WrongModel {}

impl Actions {
    /// The actions of a model for the labels of its graph.
    ///
    /// # Errors
    /// Where the actions that the model lists are others.
    pub fn new<M: Model>(graph: &Graph, model: &M) -> Result<Actions, WrongModel> {
        let names = graph.actions();
        let mut actions = Actions {
            numbering: graph.numbering(),
            by_text: HashMap::new(),
            actions: vec![None; names.len()],
            labels: Vec::new(),
            enabled: Vec::new(),
        };
        match graph.numbering() {
            Numbering::Fixed => {
                let all = (0..model.n_actions()).map(ActionId::new);
                if names.len() != model.n_actions()
                    || all.clone().zip(names).any(|(action, name)| model.describe(action) != name.text)
                {
                    return Err(WrongModel);
                }
                actions.actions = all.map(Some).collect();
                actions.labels = (0..names.len()).map(|i| Some(LabelIdx::new(i))).collect();
            }
            Numbering::Met => {
                let labels = names.iter().enumerate().map(|(i, name)| (name.text.clone(), LabelIdx::new(i)));
                actions.by_text = labels.collect();
                actions.meet(model);
            }
        }
        Ok(actions)
    }

    /// The action of a label that leads away from a marking.
    ///
    /// # Errors
    /// Where the model finds an error in the marking.
    pub fn action<M: Model>(
        &mut self,
        model: &mut M,
        words: &[u64],
        label: LabelIdx,
    ) -> Result<Option<ActionId>, RunError> {
        if self.actions.get(label.index()) == Some(&None) {
            self.enabled.clear();
            model.enabled(words, &mut self.enabled)?;
            self.meet(model);
        }
        Ok(self.actions.get(label.index()).copied().flatten())
    }

    /// The labels of all actions enabled in a marking, ascending; `None` where an action has none.
    ///
    /// # Errors
    /// Where the model finds an error in the marking.
    pub fn enabled<M: Model>(
        &mut self,
        model: &mut M,
        words: &[u64],
        labels: &mut Vec<LabelIdx>,
    ) -> Result<Option<()>, RunError> {
        labels.clear();
        self.enabled.clear();
        model.enabled(words, &mut self.enabled)?;
        self.meet(model);
        for action in &self.enabled {
            let Some(label) = self.labels.get(action.index()).copied().flatten() else { return Ok(None) };
            labels.push(label);
        }
        labels.sort_unstable();
        Ok(Some(()))
    }

    /// Finds the labels of actions that the model has met since.
    fn meet<M: Model>(&mut self, model: &M) {
        if self.numbering == Numbering::Fixed {
            return;
        }
        for action in (self.labels.len()..model.n_actions()).map(ActionId::new) {
            let label = self.by_text.remove(&model.describe(action));
            self.labels.push(label);
            if let Some(label) = label {
                self.actions[label.index()] = Some(action);
            }
        }
    }
}
