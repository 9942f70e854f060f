//! The choice between the engines.

use std::rc::Rc;

use petite_net::Net;

use crate::{BindingNet, UnfoldedNet, unfold::Budget};

/// Which engine is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EngineChoice {
    /// The unfolded one where instantiating ahead is cheap, the binding one otherwise.
    #[default]
    Auto,
    /// Transitions instantiated ahead.
    Unfolded,
    /// Bindings found at run time.
    Binding,
}

/// A compiled net.
#[derive(Debug)]
pub enum Engine {
    /// Transitions instantiated ahead.
    Unfolded(Box<UnfoldedNet>),
    /// Bindings found at run time.
    Binding(Box<BindingNet>),
}

/// Why a net could not be compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CompileError {
    /// The unfolded engine was asked for, but the net has too many instances.
    TooLarge,
}

impl std::fmt::Display for CompileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CompileError::TooLarge => write!(
                f,
                "the net has too many possible bindings to instantiate them ahead; use the binding engine"
            ),
        }
    }
}

impl std::error::Error for CompileError {}

/// What trying to unfold may cost when nobody asked for it: a fraction of a second. A net with more instances
/// uses few of them as a rule, and a slot for each of its colours makes states long.
const AUTO: Budget = Budget { tests: 1_000_000, instances: 50_000, endless: 0 };

/// What unfolding may cost when it was asked for: half a minute and a few gigabytes.
const FORCED: Budget = Budget { tests: 50_000_000, instances: 5_000_000, endless: 4 };

/// Compiles a net.
///
/// # Errors
/// When the wanted engine cannot take the net.
pub fn compile(net: &Rc<Net>, choice: EngineChoice) -> Result<Engine, CompileError> {
    let budget = match choice {
        EngineChoice::Binding => None,
        EngineChoice::Auto => Some(AUTO),
        EngineChoice::Unfolded => Some(FORCED),
    };
    if let Some(unfolded) = budget.and_then(|budget| UnfoldedNet::new(net, budget).ok()) {
        return Ok(Engine::Unfolded(Box::new(unfolded)));
    }
    if choice == EngineChoice::Unfolded {
        return Err(CompileError::TooLarge);
    }
    Ok(Engine::Binding(Box::new(BindingNet::new(net))))
}
