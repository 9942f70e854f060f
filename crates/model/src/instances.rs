//! What the actions of a compiled net stand for.

use petite_net::{Net, TransIdx, Value};

use crate::{ActionId, BindingNet, UnfoldedNet};

/// A model whose actions are instances of a net's transitions.
pub trait Instances {
    /// The net.
    fn net(&self) -> &Net;

    /// The transition of an action, and the values of all its variables.
    fn instance(&self, action: ActionId) -> (TransIdx, &[Value]);
}

impl Instances for UnfoldedNet {
    fn net(&self) -> &Net {
        self.source()
    }

    fn instance(&self, action: ActionId) -> (TransIdx, &[Value]) {
        self.bound(action)
    }
}

impl Instances for BindingNet {
    fn net(&self) -> &Net {
        self.source()
    }

    fn instance(&self, action: ActionId) -> (TransIdx, &[Value]) {
        self.bound(action)
    }
}
