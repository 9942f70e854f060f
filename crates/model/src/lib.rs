//! What gets explored.
//!
//! A [`Model`] has states, which are vectors of slots described by a [`Layout`], and deterministic actions.
//! Nets become models by being compiled. This crate knows nothing of how states are stored.

#![forbid(unsafe_code)]

mod bags;
mod binding;
mod classes;
mod commuting;
mod effects;
mod engine;
mod facts;
mod faults;
mod growth;
mod hashing;
mod implied;
mod layout;
mod lists;
mod masks;
mod matcher;
mod model;
mod moves;
mod net_model;
mod pattern;
mod places;
mod plan;
mod priority;
mod rules;
mod token_game;
mod tracker;
mod trigger;
mod unfold;
mod unfolded;
mod widths;

pub use binding::BindingNet;
pub use commuting::{Commuting, NeededSteps};
pub use engine::{CompileError, Engine, EngineChoice, compile};
pub use facts::{Equation, Facts};
pub use layout::{Content, Group, GroupIdx, Layout, Slot};
pub use model::{ActionId, Fault, Model, Refusal};
pub use net_model::{CountedAt, NetModel, NotPlain, PlainForm};
pub use rules::SlotRule;
pub use token_game::TokenGame;
pub use unfolded::{Flawed, UnfoldedNet, Unsayable};
