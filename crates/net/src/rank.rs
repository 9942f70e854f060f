//! Canonical ranks: the values of a type as the numbers `0..cardinality`.
//!
//! *Source.* "Data items" in section 2.2.1 of paper 5, the multi-set code. A finite type D with a total order
//! has the order-preserving bijection `o(d) = |{k in D : k < d}|`, and a value then costs `log2 |D|` bits.
//!
//! *The order.* It is the same for every type of a kind, and [`Types::order`] decides it without ranks:
//!
//! | kind | order |
//! |---|---|
//! | number, enumeration | ascending |
//! | struct, vector | the last component is the most significant one |
//! | list | fewer elements first, then as vectors |
//! | set | fewer elements first, then by the greatest element, then by the next greatest, ... |
//! | union | by variant, then by content |
//!
//! *Ranks.* A struct is a number in mixed radix whose lowest digit is the first component. A list of `k`
//! elements from `n` values follows `1 + n + ... + n^(k-1)` shorter lists. A set of `k` elements follows
//! `C(n,0) + ... + C(n,k-1)` smaller sets, and among its equals it is a number of the combinatorial number
//! system: with element ranks `c1 < ... < ck` its rank is `C(c1,1) + ... + C(ck,k)`, which takes every value
//! below `C(n,k)` once and orders sets by their greatest element first.
//!
//! ```text
//!   sets of {0,1,2}, capacity 2:    {}  {0} {1} {2}  {0,1} {0,2} {1,2}
//!   rank                            0    1   2   3     4     5     6
//! ```
//!
//! *Constraints.* The intervals of a constraint are intervals of ranks in the unconstrained type, so ranks
//! are shifted down by the gaps before them.
//!
//! *Limits.* A type with more than `u64::MAX` values is [`Cardinality::Huge`] and has no ranks; its values
//! are taken apart instead, see [`Types::digits`].
//!
//! *Cost.* Cardinalities and the ranks of constraints are computed once per type. A rank then takes a
//! multiplication per component; a set of `k` elements takes `k` binomials of at most `k` steps each, and 64
//! times that to unrank.

use crate::combinatorics::{binomial, greatest_below, n_lists_below, n_sets_below, split_by_size};
use crate::{Kind, Type, TypeIdx, Types, Value};

/// Number of values of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cardinality {
    /// This many.
    Word(u64),
    /// More than `u64::MAX`.
    Huge,
}

impl Types {
    /// Number of values of a type.
    pub fn cardinality(&self, ty: TypeIdx) -> Cardinality {
        self.numbering(ty).cardinality
    }

    /// Number of values of the type that are less than this one.
    ///
    /// `None` when it is not a value of the type, or when the type has too many values to number.
    pub fn rank(&self, ty: TypeIdx, value: &Value) -> Option<u64> {
        let numbering = self.numbering(ty);
        if numbering.cardinality == Cardinality::Huge {
            return None;
        }
        let plain = self.plain_rank(&self[ty].kind, numbering.plain, value)?;
        let Some(intervals) = &numbering.intervals else { return Some(plain) };
        let mut n_before = 0;
        for &(low, high) in intervals {
            if plain < low {
                return None;
            }
            if plain <= high {
                return Some(n_before + (plain - low));
            }
            n_before += high - low + 1;
        }
        None
    }

    /// The value with this rank; `None` when the rank is not below the cardinality, or when the type has too
    /// many values to number.
    pub fn unrank(&self, ty: TypeIdx, rank: u64) -> Option<Value> {
        let numbering = self.numbering(ty);
        match numbering.cardinality {
            Cardinality::Word(n_values) if rank < n_values => {}
            _ => return None,
        }
        let Some(intervals) = &numbering.intervals else { return self.plain_unrank(&self[ty].kind, rank) };
        let mut rest = rank;
        for &(low, high) in intervals {
            if rest <= high - low {
                return self.plain_unrank(&self[ty].kind, low + rest);
            }
            rest -= high - low + 1;
        }
        None
    }

    /// All values of a type in the order of their ranks; `None` when there are too many to number.
    pub fn values(&self, ty: TypeIdx) -> Option<impl Iterator<Item = Value> + '_> {
        let Cardinality::Word(n_values) = self.cardinality(ty) else { return None };
        Some((0..n_values).map_while(move |rank| self.unrank(ty, rank)))
    }

    /// How the values of a type are numbered.
    pub(crate) fn numbering(&self, ty: TypeIdx) -> &Numbering {
        &self.numberings[ty.index()]
    }

    /// The number of values, where it fits a word.
    fn n_values(&self, ty: TypeIdx) -> Option<u64> {
        match self.cardinality(ty) {
            Cardinality::Word(n_values) => Some(n_values),
            Cardinality::Huge => None,
        }
    }

    /// The rank in the kind without constraint, which has `plain` values.
    ///
    /// No step of the arithmetic overflows: each of them counts a part of the kind's values.
    fn plain_rank(&self, kind: &Kind, plain: Cardinality, value: &Value) -> Option<u64> {
        if let (Some((low, high)), Value::Int(number)) = (discrete_bounds(kind), value) {
            // The widest range has 2^64 values: too many to count, but each of them still has a rank.
            let offset = i128::from(*number) - i128::from(low);
            return (*number <= high).then(|| u64::try_from(offset).ok()).flatten();
        }
        if !matches!(plain, Cardinality::Word(1..)) {
            return None;
        }
        match (kind, value) {
            (Kind::Struct { components }, Value::Tuple(items)) if components.len() == items.len() => {
                self.rank_of_parts(components.iter().map(|component| component.ty).zip(items.iter()))
            }
            (Kind::Vector { indices, element }, Value::Tuple(items))
                if self.vector_len(indices) == items.len() as u64 =>
            {
                self.rank_of_parts(items.iter().map(|item| (*element, item)))
            }
            (Kind::List { element, capacity, .. }, Value::Seq(items)) if fits(items, *capacity) => {
                let n_shorter = n_lists_below(self.n_values(*element)?, items.len() as u64)?;
                Some(n_shorter + self.rank_of_parts(items.iter().map(|item| (*element, item)))?)
            }
            (Kind::Set { element, capacity }, Value::Seq(items))
                if fits(items, *capacity) && items.is_sorted_by(|a, b| a < b) =>
            {
                let mut ranks =
                    items.iter().map(|item| self.rank(*element, item)).collect::<Option<Vec<u64>>>()?;
                ranks.sort_unstable();
                let mut rank = n_sets_below(self.n_values(*element)?, items.len() as u64)?;
                for (i, &element_rank) in ranks.iter().enumerate() {
                    rank += binomial(element_rank, i as u64 + 1)?;
                }
                Some(rank)
            }
            (Kind::Union { variants }, Value::Tagged(tag, content)) => {
                let variant = variants.get(*tag as usize)?;
                let before = variants[..*tag as usize].iter();
                let n_before = before.map(|earlier| self.n_values(earlier.ty)).sum::<Option<u64>>()?;
                Some(n_before + self.rank(variant.ty, content)?)
            }
            _ => None,
        }
    }

    /// The number in mixed radix whose lowest digit is the rank of the first component.
    fn rank_of_parts<'v>(&self, parts: impl Iterator<Item = (TypeIdx, &'v Value)>) -> Option<u64> {
        let (mut rank, mut weight) = (0, 1);
        for (ty, item) in parts {
            rank += self.rank(ty, item)? * weight;
            weight *= self.n_values(ty)?;
        }
        Some(rank)
    }

    /// The value of a rank in the kind without constraint.
    fn plain_unrank(&self, kind: &Kind, rank: u64) -> Option<Value> {
        if let Some((low, _)) = discrete_bounds(kind) {
            return i64::try_from(i128::from(low) + i128::from(rank)).ok().map(Value::Int);
        }
        match kind {
            Kind::Struct { components } => {
                let items = self.parts_of_rank(components.iter().map(|component| component.ty), rank)?;
                Some(Value::Tuple(items.into()))
            }
            Kind::Vector { indices, element } => {
                let len = usize::try_from(self.vector_len(indices)).ok()?;
                let items = self.parts_of_rank(std::iter::repeat_n(*element, len), rank)?;
                Some(Value::Tuple(items.into()))
            }
            Kind::List { element, capacity, .. } => {
                let n_elements = self.n_values(*element)?;
                let (len, rest) = if n_elements == 1 {
                    (rank, 0)
                } else {
                    split_by_size(rank, u64::from(*capacity), |len| n_elements.checked_pow(len as u32))?
                };
                let elements = std::iter::repeat_n(*element, usize::try_from(len).ok()?);
                Some(Value::Seq(self.parts_of_rank(elements, rest)?.into()))
            }
            Kind::Set { element, capacity } => {
                let n_elements = self.n_values(*element)?;
                let (len, mut rest) =
                    split_by_size(rank, u64::from(*capacity), |len| binomial(n_elements, len))?;
                let mut items = Vec::with_capacity(usize::try_from(len).ok()?);
                for i in (1..=len).rev() {
                    let element_rank =
                        greatest_below(n_elements, |c| binomial(c, i).is_some_and(|b| b <= rest));
                    rest -= binomial(element_rank, i)?;
                    items.push(self.unrank(*element, element_rank)?);
                }
                items.sort_unstable();
                Some(Value::Seq(items.into()))
            }
            Kind::Union { variants } => {
                let mut rest = rank;
                for (tag, variant) in variants.iter().enumerate() {
                    let n_values = self.n_values(variant.ty)?;
                    if rest < n_values {
                        let content = self.unrank(variant.ty, rest)?;
                        return Some(Value::Tagged(tag as u32, content.into()));
                    }
                    rest -= n_values;
                }
                None
            }
            Kind::Range { .. } | Kind::Modulo { .. } | Kind::Enum { .. } => None,
        }
    }

    /// The components of a number in mixed radix.
    fn parts_of_rank(&self, types: impl Iterator<Item = TypeIdx>, rank: u64) -> Option<Vec<Value>> {
        let mut rest = rank;
        types
            .map(|ty| {
                let n_values = self.n_values(ty)?;
                let item = self.unrank(ty, rest.checked_rem(n_values)?);
                rest /= n_values;
                item
            })
            .collect()
    }
}

/// How the values of one type are numbered.
#[derive(Clone, Debug)]
pub(crate) struct Numbering {
    /// Number of values.
    pub(crate) cardinality: Cardinality,
    /// Number of values without the constraint.
    plain: Cardinality,
    /// The constraint as closed intervals of ranks without it, where there is one and these ranks exist.
    intervals: Option<Vec<(u64, u64)>>,
}

impl Numbering {
    /// Counts the values of a type whose parts are among `types`.
    pub(crate) fn new(types: &Types, ty: &Type) -> Numbering {
        let plain = count(types, &ty.kind).map_or(Cardinality::Huge, Cardinality::Word);
        let Some(constraint) = &ty.constraint else {
            return Numbering { cardinality: plain, plain, intervals: None };
        };
        if plain == Cardinality::Huge && discrete_bounds(&ty.kind).is_none() && !constraint.is_empty() {
            return Numbering { cardinality: Cardinality::Huge, plain, intervals: None };
        }
        // An interval with an end outside the type, or that ends before it begins, allows nothing.
        let rank = |value| types.plain_rank(&ty.kind, plain, value);
        let intervals: Vec<(u64, u64)> = constraint
            .iter()
            .filter_map(|(low, high)| Some((rank(low)?, rank(high)?)))
            .filter(|(low, high)| low <= high)
            .collect();
        let n_values =
            intervals.iter().try_fold(0u64, |sum, (low, high)| sum.checked_add((high - low).checked_add(1)?));
        let cardinality = n_values.map_or(Cardinality::Huge, Cardinality::Word);
        Numbering { cardinality, plain, intervals: Some(intervals) }
    }
}

/// Least and greatest value of a discrete kind; the greatest is below the least when there is no value.
pub(crate) fn discrete_bounds(kind: &Kind) -> Option<(i64, i64)> {
    match kind {
        Kind::Range { low, high } => Some((*low, *high)),
        Kind::Modulo { modulus } => Some((0, modulus.saturating_sub(1))),
        Kind::Enum { constants } => Some((0, constants.len() as i64 - 1)),
        _ => None,
    }
}

/// Number of values of a kind; `None` when it does not fit a word.
fn count(types: &Types, kind: &Kind) -> Option<u64> {
    if let Some((low, high)) = discrete_bounds(kind) {
        return u64::try_from((i128::from(high) - i128::from(low) + 1).max(0)).ok();
    }
    match kind {
        Kind::Struct { components } => {
            // A component without values leaves none, however many the others have.
            if components.iter().any(|component| types.n_values(component.ty) == Some(0)) {
                return Some(0);
            }
            let mut product = 1u64;
            for component in components {
                product = product.checked_mul(types.n_values(component.ty)?)?;
            }
            Some(product)
        }
        Kind::Vector { indices, element } => {
            let len = types.vector_len(indices);
            match types.n_values(*element) {
                Some(n_values @ 0..=1) => Some(if len == 0 { 1 } else { n_values }),
                Some(n_values) => n_values.checked_pow(u32::try_from(len).ok()?),
                None => (len == 0).then_some(1),
            }
        }
        Kind::List { element, capacity, .. } => match types.n_values(*element) {
            Some(n_values) => n_lists_below(n_values, u64::from(*capacity) + 1),
            None => (*capacity == 0).then_some(1),
        },
        Kind::Set { element, capacity } => match types.n_values(*element) {
            Some(n_values) => n_sets_below(n_values, u64::from(*capacity) + 1),
            None => (*capacity == 0).then_some(1),
        },
        Kind::Union { variants } => {
            let mut sum = 0u64;
            for variant in variants {
                sum = sum.checked_add(types.n_values(variant.ty)?)?;
            }
            Some(sum)
        }
        Kind::Range { .. } | Kind::Modulo { .. } | Kind::Enum { .. } => None,
    }
}

/// Whether so many elements are within a capacity.
fn fits(items: &[Value], capacity: u32) -> bool {
    items.len() as u64 <= u64::from(capacity)
}
