//! Many short lists in two vectors.

/// Lists that are only ever appended, kept one behind the other: four bytes a list and no allocation of its own.
#[derive(Clone, Debug)]
pub(crate) struct Lists<T> {
    /// Where each list ends in `items`; it starts where the one before ends.
    ends: Vec<u32>,
    items: Vec<T>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Lists { ends: Vec::new(), items: Vec::new() }
    }
}

impl<T> Lists<T> {
    /// Appends a list.
    pub fn push(&mut self, items: impl IntoIterator<Item = T>) {
        self.items.extend(items);
        debug_assert!(u32::try_from(self.items.len()).is_ok());
        self.ends.push(self.items.len() as u32);
    }

    /// List number `index`.
    #[inline]
    pub fn get(&self, index: usize) -> &[T] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.items[start as usize..self.ends[index] as usize]
    }

    /// The items of all lists.
    pub fn items_mut(&mut self) -> &mut [T] {
        &mut self.items
    }

    /// Number of items in all lists.
    pub fn n_items(&self) -> usize {
        self.items.len()
    }

    /// Number of lists.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.ends.capacity() * size_of::<u32>() + self.items.capacity() * size_of::<T>()
    }
}
