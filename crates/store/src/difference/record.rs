//! Differences as bytes.
//!
//! A record says how far back the previous state is, and which slots have which values now (Definition 1 of paper 2):
//!
//! ```text
//!  | back | number of changes | slots skipped, value | slots skipped, value | ...       all in 7-bit groups
//! ```
//!
//! Values are those afterwards, so the latest change of a slot is what counts, as in Definition 2.
//!
//! Records lie in chunks of 64 KiB, so that growing copies little, and are named by their place.

use crate::StoreError;

/// Binary logarithm of the bytes of a chunk.
const CHUNK_BITS: u32 = 16;

/// Records one behind the other.
#[derive(Debug, Default)]
pub struct Records {
    chunks: Vec<Vec<u8>>,
    /// Capacity of all chunks, in bytes.
    capacity: usize,
    /// Bytes in use.
    used: usize,
    /// The record being written.
    scratch: Vec<u8>,
}

/// One record, read.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// How many identities back the previous state is.
    pub back: u32,
    n_changes: u32,
    rest: &'a [u8],
}

impl Records {
    /// Writes a record where it has at most so many bytes. Gives its place, or `None` where it would be longer.
    pub fn push(
        &mut self,
        back: u32,
        changes: &[(u32, u32)],
        most: usize,
    ) -> Result<Option<u64>, StoreError> {
        self.scratch.clear();
        write(back, &mut self.scratch);
        write(changes.len() as u32, &mut self.scratch);
        let mut next = 0;
        for &(slot, value) in changes {
            write(slot - next, &mut self.scratch);
            write(value, &mut self.scratch);
            next = slot + 1;
        }
        let len = self.scratch.len();
        if len > most.min(1 << CHUNK_BITS) {
            return Ok(None);
        }
        if self.chunks.last().is_none_or(|chunk| chunk.len() + len > 1 << CHUNK_BITS) {
            self.chunks.try_reserve(1).map_err(|_| StoreError::OutOfMemory)?;
            self.chunks.push(Vec::new());
        }
        let at = self.chunks.len() - 1;
        let chunk = &mut self.chunks[at];
        if chunk.capacity() - chunk.len() < len {
            let step = if at == 0 { 64 } else { 1 << (CHUNK_BITS - 3) };
            let wanted =
                (chunk.len() + chunk.len() / 4).max(step).max(chunk.len() + len).min(1 << CHUNK_BITS);
            let before = chunk.capacity();
            chunk.try_reserve_exact(wanted - chunk.len()).map_err(|_| StoreError::OutOfMemory)?;
            self.capacity += chunk.capacity() - before;
        }
        let place = (at as u64) << CHUNK_BITS | chunk.len() as u64;
        chunk.extend_from_slice(&self.scratch);
        self.used += len;
        Ok(Some(place))
    }

    /// Reads the record at a place.
    pub fn get(&self, place: u64) -> Record<'_> {
        let chunk = &self.chunks[(place >> CHUNK_BITS) as usize];
        let mut rest = &chunk[(place & ((1 << CHUNK_BITS) - 1)) as usize..];
        let back = read(&mut rest);
        Record { back, n_changes: read(&mut rest), rest }
    }

    /// Bytes of all records.
    pub fn used(&self) -> usize {
        self.used
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.capacity + self.chunks.capacity() * size_of::<Vec<u8>>() + self.scratch.capacity()
    }
}

impl Record<'_> {
    /// The slots that changed, with their values.
    pub fn changes(&self) -> impl Iterator<Item = (u32, u32)> {
        let (mut rest, mut next) = (self.rest, 0);
        (0..self.n_changes).map(move |_| {
            let slot = next + read(&mut rest);
            next = slot + 1;
            (slot, read(&mut rest))
        })
    }
}

/// Appends a number in groups of seven bits, the lowest first; the top bit says that another one follows.
fn write(mut number: u32, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Reads a number and moves on.
fn read(bytes: &mut &[u8]) -> u32 {
    let (mut number, mut shift) = (0, 0);
    while let Some((&byte, rest)) = bytes.split_first() {
        *bytes = rest;
        number |= u32::from(byte & 0x7F) << shift;
        shift += 7;
        if byte < 0x80 {
            break;
        }
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;
    use petite_bits::mix64;

    #[test]
    fn records_come_back() {
        let mut records = Records::default();
        let mut kept = Vec::new();
        for seed in 0..20_000u64 {
            let random = |i: u64| mix64(seed << 20 | i) as u32;
            let mut slot = 0;
            let changes: Vec<(u32, u32)> = (0..random(0) % 9)
                .map(|i| {
                    slot += 1 + random(u64::from(i) + 1) % 300;
                    (slot, random(u64::from(i) + 50) >> (random(u64::from(i) + 70) % 32))
                })
                .collect();
            let back = random(100) >> (random(101) % 32);
            if let Some(place) = records.push(back, &changes, 40).unwrap() {
                kept.push((place, back, changes));
            }
        }
        assert!(kept.len() > 10_000 && kept.len() < 20_000, "{}", kept.len());
        for (place, back, changes) in kept {
            let record = records.get(place);
            assert_eq!((record.back, record.changes().collect::<Vec<_>>()), (back, changes));
        }
        assert!(records.used() <= records.bytes());
    }
}
