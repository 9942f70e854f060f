//! Sets of nodes as bits.

use petite_bits::OutOfMemory;

/// A set of nodes, one bit each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BitSet {
    words: Vec<u64>,
    len: usize,
}

impl BitSet {
    /// Of so many nodes, none or all.
    pub fn filled(len: usize, value: bool) -> Result<BitSet, OutOfMemory> {
        let n_words = len.div_ceil(64);
        let mut words = Vec::new();
        words.try_reserve_exact(n_words)?;
        words.resize(n_words, if value { !0 } else { 0 });
        let mut set = BitSet { words, len };
        set.clear_tail();
        Ok(set)
    }

    /// Another set like this one.
    pub fn copied(&self) -> Result<BitSet, OutOfMemory> {
        let mut words = Vec::new();
        words.try_reserve_exact(self.words.len())?;
        words.extend_from_slice(&self.words);
        Ok(BitSet { words, len: self.len })
    }

    /// Appends a node that is in the set or not.
    pub fn push(&mut self, value: bool) -> Result<(), OutOfMemory> {
        if self.len.is_multiple_of(64) {
            if self.words.len() == self.words.capacity() {
                self.words.try_reserve_exact((self.words.len() / 4).max(16))?;
            }
            self.words.push(0);
        }
        self.words[self.len / 64] |= u64::from(value) << (self.len % 64);
        self.len += 1;
        Ok(())
    }

    /// Whether a node is in the set.
    #[inline]
    pub fn contains(&self, node: u32) -> bool {
        self.words[node as usize / 64] >> (node % 64) & 1 == 1
    }

    /// Adds a node. Whether it was not there.
    #[inline]
    pub fn insert(&mut self, node: u32) -> bool {
        let (word, bit) = (&mut self.words[node as usize / 64], 1 << (node % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// Takes a node out.
    #[inline]
    pub fn remove(&mut self, node: u32) {
        self.words[node as usize / 64] &= !(1 << (node % 64));
    }

    /// Makes it the set of all other nodes.
    pub fn complement(&mut self) {
        self.words.iter_mut().for_each(|word| *word = !*word);
        self.clear_tail();
    }

    /// Keeps what is in the other set as well.
    pub fn intersect(&mut self, other: &BitSet) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= other);
    }

    /// The nodes, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().enumerate().flat_map(|(at, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros())?;
                rest &= rest - 1;
                Some(at as u32 * 64 + bit)
            })
        })
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
    }

    fn clear_tail(&mut self) {
        if let (Some(last), rest @ 1..) = (self.words.last_mut(), self.len % 64) {
            *last &= (1 << rest) - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_sets() {
        for len in [0, 1, 63, 64, 65, 200] {
            let mut grown = BitSet::default();
            (0..len).for_each(|node| grown.push(node % 3 == 0).unwrap());
            let members: Vec<u32> = grown.iter().collect();
            assert!(members.iter().copied().eq((0..len as u32).step_by(3)));
            let mut others = grown.copied().unwrap();
            others.complement();
            assert_eq!(others.iter().count() + members.len(), len);
            let mut all = BitSet::filled(len, true).unwrap();
            assert_eq!(all.iter().count(), len);
            all.intersect(&others);
            assert_eq!(all, others);
            for node in members {
                assert!(!others.contains(node) && others.insert(node) && !others.insert(node));
                grown.remove(node);
            }
            assert_eq!((grown.iter().count(), others.iter().count()), (0, len));
        }
    }
}
