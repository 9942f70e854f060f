//! Which of the codes for multi-sets to use.

/// The choices of the multi-set code. Each is independent of the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MultisetOptions {
    /// How empty places are told from the others.
    pub empties: Empties,
    /// How the items of a multi-set are written.
    pub items: ItemCode,
    /// What a place's content is compared with.
    pub reference: Reference,
    /// Whether capacities and implied contents are looked for, beside those that the model states.
    pub facts: FactSource,
    /// Where the probabilities of contents come from.
    pub weights: Weights,
}

impl MultisetOptions {
    /// The code of paper 5, as its tool wrote it.
    pub const PAPER: MultisetOptions = MultisetOptions {
        empties: Empties::BitEach,
        items: ItemCode::OneByOne,
        reference: Reference::Empty,
        facts: FactSource::Stated,
        weights: Weights::Equal,
    };

    /// All that goes beyond the paper and needs no sample run.
    pub const BEST: MultisetOptions = MultisetOptions {
        items: ItemCode::Subset,
        reference: Reference::Initial,
        facts: FactSource::Found,
        ..MultisetOptions::PAPER
    };
}

/// How empty places are told from the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Empties {
    /// One bit for each place, where its cardinality is not short anyway (section 3.2.2).
    BitEach,
    /// The set of empty places in front of all others (section 3.2.1).
    SubsetFirst,
}

/// How the items of a multi-set are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemCode {
    /// One after the other, in descending order of multiplicity (section 3.1).
    OneByOne,
    /// As the rank of the set of items among all sets of as many.
    Subset,
}

/// What a place's content is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reference {
    /// The empty multi-set: all of the content is written.
    Empty,
    /// The initial content, where there is one: what is missing and what has come is written.
    Initial,
}

/// Where facts about places come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactSource {
    /// From the model alone.
    Stated,
    /// From invariants, too.
    Found,
}

/// Where the probabilities of contents come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weights {
    /// All are taken for equally probable.
    Equal,
    /// From a sample run.
    Trained,
}
