//! How one state becomes bits, as far as it can be chosen on the command line.

use clap::{Args, ValueEnum};
use petite_store::{Empties, FactSource, ItemCode, MultisetOptions, Reference, Weights};

/// How a state is written.
#[derive(Debug, Args)]
pub struct CodecArgs {
    /// How a state is written (default: packed).
    #[arg(long, value_enum)]
    codec: Option<CodecArg>,

    /// What the multi-set code does, as a list (default: subset,reference,found; it implies --codec multiset).
    #[arg(long, value_enum, value_delimiter = ',', value_name = "LIST")]
    code: Vec<CodeArg>,
}

/// The codecs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CodecArg {
    /// A field of bits for each slot of the state vector.
    Packed,
    /// A multi-set of tokens for each place, in as few bits as types and capacities allow.
    Multiset,
    /// Every four bytes as an index into a table of what they held.
    Compress,
    /// Every component as an index of whole bytes, as many for all.
    Collapse,
    /// Every component as an index of as many bits as its table needs.
    NewCollapse,
}

/// What the multi-set code does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CodeArg {
    /// The published code, alone or as what the others are added to.
    Paper,
    /// List the empty places first instead of a bit for each.
    EmptiesFirst,
    /// Write the items of a place as the number of their set.
    Subset,
    /// Write what differs from the initial marking.
    Reference,
    /// Find capacities and implied tokens from invariants.
    Found,
    /// Shorten what is frequent in a sample run.
    Trained,
}

impl CodecArgs {
    /// The codec that was asked for.
    pub fn codec(&self) -> CodecArg {
        let implied = if self.code.is_empty() { CodecArg::Packed } else { CodecArg::Multiset };
        self.codec.unwrap_or(implied)
    }

    /// Whether there is a list for the multi-set code, but another codec was asked for.
    pub fn is_contradictory(&self) -> bool {
        !self.code.is_empty() && self.codec() != CodecArg::Multiset
    }

    /// What the multi-set code is to do.
    pub fn multiset(&self) -> MultisetOptions {
        if self.code.is_empty() {
            return MultisetOptions::BEST;
        }
        let mut options = MultisetOptions::PAPER;
        for code in &self.code {
            match code {
                CodeArg::Paper => {}
                CodeArg::EmptiesFirst => options.empties = Empties::SubsetFirst,
                CodeArg::Subset => options.items = ItemCode::Subset,
                CodeArg::Reference => options.reference = Reference::Initial,
                CodeArg::Found => options.facts = FactSource::Found,
                CodeArg::Trained => options.weights = Weights::Trained,
            }
        }
        options
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_added_to_the_published_code() {
        let of = |code: &[CodeArg]| CodecArgs { codec: None, code: code.to_vec() };
        assert_eq!(of(&[]).codec(), CodecArg::Packed);
        assert_eq!(of(&[CodeArg::Paper]).codec(), CodecArg::Multiset);
        assert_eq!(of(&[CodeArg::Paper]).multiset(), MultisetOptions::PAPER);
        assert_eq!(of(&[]).multiset(), MultisetOptions::BEST);
        let best = of(&[CodeArg::Found, CodeArg::Subset, CodeArg::Reference]);
        assert_eq!(best.multiset(), MultisetOptions::BEST);
        let packed = CodecArgs { codec: Some(CodecArg::Packed), code: vec![CodeArg::Paper] };
        assert!(packed.codec() == CodecArg::Packed && packed.is_contradictory());
    }
}
