//! Multi-sets of values.

use crate::Value;

/// A multi-set in canonical form: different values in ascending order, each with a multiplicity above zero.
/// Two multi-sets are equal exactly if their forms are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MultiSet {
    items: Vec<(Value, u32)>,
}

/// A multiplicity outside `0..=u32::MAX`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MultiplicityOverflow;

impl MultiSet {
    /// The empty multi-set.
    pub fn new() -> MultiSet {
        MultiSet::default()
    }

    /// Adds `count` times `value`.
    ///
    /// # Errors
    /// When the multiplicity leaves 32 bits; the multi-set is then unchanged.
    pub fn add(&mut self, value: Value, count: u32) -> Result<(), MultiplicityOverflow> {
        if count == 0 {
            return Ok(());
        }
        match self.items.binary_search_by(|(item, _)| item.cmp(&value)) {
            Ok(at) => {
                let sum = self.items[at].1.checked_add(count).ok_or(MultiplicityOverflow)?;
                self.items[at].1 = sum;
            }
            Err(at) => self.items.insert(at, (value, count)),
        }
        Ok(())
    }

    /// How often a value occurs.
    pub fn count(&self, value: &Value) -> u32 {
        self.items.binary_search_by(|(item, _)| item.cmp(value)).map_or(0, |at| self.items[at].1)
    }

    /// The different values with their multiplicities, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (&Value, u32)> {
        self.items.iter().map(|(value, count)| (value, *count))
    }

    /// Number of different values.
    pub fn n_distinct(&self) -> usize {
        self.items.len()
    }

    /// Sum of all multiplicities.
    pub fn total(&self) -> u64 {
        self.items.iter().map(|(_, count)| u64::from(*count)).sum()
    }

    /// Whether there is no value.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_is_canonical() {
        let (mut a, mut b) = (MultiSet::new(), MultiSet::new());
        for i in [3, 1, 2, 1] {
            a.add(Value::Int(i), 1).unwrap();
        }
        for i in [1, 1, 2, 3] {
            b.add(Value::Int(i), 1).unwrap();
        }
        b.add(Value::Int(9), 0).unwrap();
        assert_eq!(a, b);
        assert_eq!((a.count(&Value::Int(1)), a.n_distinct(), a.total()), (2, 3, 4));
        assert_eq!(a.add(Value::Int(1), u32::MAX), Err(MultiplicityOverflow));
        assert_eq!(a, b);
    }
}
