//! Typed indices: a number that says what it counts.
//!
//! Places, slots, states and actions are all small integers. Giving each its own type makes mixing them a
//! compile error and costs nothing at run time.

/// Declares index types: transparent newtypes over `u32` that convert to and from `usize`.
///
/// ```
/// petite_bits::typed_index! {
///     /// Counts apples.
///     pub struct AppleIdx;
/// }
/// assert_eq!(AppleIdx::new(3).index(), 3);
/// ```
#[macro_export]
macro_rules! typed_index {
    ($($(#[$meta:meta])* pub struct $name:ident;)*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(transparent)]
        pub struct $name(pub u32);

        impl $name {
            /// The index of element number `index` of a sequence.
            ///
            /// # Panics
            /// In debug builds, when the number does not fit 32 bits; callers bound their sequences first.
            #[inline]
            pub fn new(index: usize) -> Self {
                debug_assert!(u32::try_from(index).is_ok(), "index beyond 32 bits");
                Self(index as u32)
            }

            /// The position in a sequence.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl ::std::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                write!(f, "{}({})", stringify!($name), self.0)
            }
        }
    )*};
}

typed_index! {
    /// One slot of a state vector.
    pub struct SlotIdx;
}
