//! Asking the processor for a cache line ahead of its use.

/// Hints that element `index` of a slice is about to be read. Any index is allowed; on processors without a
/// known instruction nothing happens.
#[inline(always)]
pub fn prefetch<T>(slice: &[T], index: usize) {
    let address = slice.as_ptr().wrapping_add(index);
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the instruction is part of SSE, which every x86-64 processor has, and it reads nothing as far as
    // the program can see: it never faults, whatever the address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(address.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

#[cfg(test)]
mod tests {
    #[test]
    fn any_index_is_harmless() {
        let numbers = [1u64, 2, 3];
        for index in [0, 2, 3, 1 << 40, usize::MAX] {
            super::prefetch(&numbers, index);
        }
        super::prefetch::<u64>(&[], 0);
        assert_eq!(numbers, [1, 2, 3]);
    }
}
