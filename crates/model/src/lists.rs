//! Many short lists in two vectors.

/// Lists that are only ever appended, kept one behind the other: four bytes a list and no allocation of its own.
#[derive(Clone, Debug)]
pub(crate) struct Lists<T> {
    /// Where each list starts in `items`, and where the last one ends.
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Lists { starts: vec![0], items: Vec::new() }
    }
}

impl<T> Lists<T> {
    /// Appends a list.
    pub fn push(&mut self, items: impl IntoIterator<Item = T>) {
        self.items.extend(items);
        debug_assert!(u32::try_from(self.items.len()).is_ok());
        self.starts.push(self.items.len() as u32);
    }

    /// List number `index`.
    #[inline]
    pub fn get(&self, index: usize) -> &[T] {
        &self.items[self.starts[index] as usize..self.starts[index + 1] as usize]
    }

    /// Number of items in all lists.
    pub fn n_items(&self) -> usize {
        self.items.len()
    }

    /// Number of lists.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.starts.capacity() * size_of::<u32>() + self.items.capacity() * size_of::<T>()
    }
}
