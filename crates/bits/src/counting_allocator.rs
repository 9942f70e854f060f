//! An allocator that counts.
//!
//! Stores say how many bytes they own. The tests hold them to it by running under this allocator, which passes
//! every request on to the system and keeps the sum of what is in use.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The system's allocator with a counter; make it the `#[global_allocator]` of a test binary.
#[derive(Debug, Default)]
pub struct CountingAllocator {
    current: AtomicUsize,
    peak: AtomicUsize,
}

impl CountingAllocator {
    /// Counts from zero.
    pub const fn new() -> CountingAllocator {
        CountingAllocator { current: AtomicUsize::new(0), peak: AtomicUsize::new(0) }
    }

    /// Bytes in use by all threads.
    pub fn current(&self) -> usize {
        self.current.load(Ordering::Relaxed)
    }

    /// The largest number of bytes in use since the start or the last [`CountingAllocator::reset_peak`]. While
    /// an allocation is resized both the old and the new one count, as if it were always copied.
    pub fn peak(&self) -> usize {
        self.peak.load(Ordering::Relaxed)
    }

    /// Forgets the peak.
    pub fn reset_peak(&self) {
        self.peak.store(self.current(), Ordering::Relaxed);
    }

    fn add(&self, bytes: usize) {
        let current = self.current.fetch_add(bytes, Ordering::Relaxed) + bytes;
        self.peak.fetch_max(current, Ordering::Relaxed);
    }

    fn sub(&self, bytes: usize) {
        self.current.fetch_sub(bytes, Ordering::Relaxed);
    }
}

// SAFETY: every request goes to `System` unchanged, which is an allocator; the counters neither allocate nor
// panic.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's obligations are those of `System`.
        let memory = unsafe { System.alloc(layout) };
        if !memory.is_null() {
            self.add(layout.size());
        }
        memory
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's obligations are those of `System`.
        let memory = unsafe { System.alloc_zeroed(layout) };
        if !memory.is_null() {
            self.add(layout.size());
        }
        memory
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's obligations are those of `System`, which gave the memory.
        unsafe { System.dealloc(memory, layout) };
        self.sub(layout.size());
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller's obligations are those of `System`, which gave the memory.
        let moved = unsafe { System.realloc(memory, layout, new_size) };
        if !moved.is_null() {
            self.add(new_size);
            self.sub(layout.size());
        }
        moved
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_call_is_counted() {
        let counting = CountingAllocator::new();
        let layout = Layout::from_size_align(100, 8).unwrap();
        let larger = Layout::from_size_align(300, 8).unwrap();
        // SAFETY: the layouts are not empty, each piece of memory is freed once with the layout it has then,
        // and its bytes are read only after they were set.
        unsafe {
            let a = counting.alloc(layout);
            let b = counting.alloc_zeroed(layout);
            assert!(!a.is_null() && !b.is_null());
            assert_eq!((counting.current(), *b), (200, 0));
            let a = counting.realloc(a, layout, 300);
            assert_eq!((counting.current(), counting.peak()), (400, 500));
            counting.dealloc(a, larger);
            counting.reset_peak();
            assert_eq!((counting.current(), counting.peak()), (100, 100));
            counting.dealloc(b, layout);
            assert_eq!((counting.current(), counting.peak()), (0, 100));
        }
    }
}
