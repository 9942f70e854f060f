//! What crossing actions make of a half: numbers of halves, one or two in a word.

/// How images under crossing actions are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ImageWidth {
    /// Two in a word.
    Short,
    /// One in a word.
    Long,
    /// Not at all.
    None,
}

impl ImageWidth {
    /// Stands for an image that is not known, where there are two in a word.
    pub const UNKNOWN_SHORT: u32 = 0xFFFF;

    /// Words that so many images take.
    pub fn n_words(self, n_images: usize) -> usize {
        match self {
            ImageWidth::Short => n_images.div_ceil(2),
            ImageWidth::Long => n_images,
            ImageWidth::None => 0,
        }
    }

    /// One of the images, if it is known.
    #[inline]
    pub fn get(self, images: &[u32], index: usize) -> Option<u32> {
        match self {
            ImageWidth::Short => {
                let image = images.get(index / 2)? >> (index % 2 * 16) & Self::UNKNOWN_SHORT;
                (image != Self::UNKNOWN_SHORT).then_some(image)
            }
            ImageWidth::Long => images.get(index).copied().filter(|&image| image != u32::MAX),
            ImageWidth::None => None,
        }
    }

    /// Fills in one of the images, which is not too large.
    pub fn set(self, images: &mut [u32], index: usize, image: u32) {
        match self {
            ImageWidth::Short => {
                let (word, shift) = (&mut images[index / 2], index % 2 * 16);
                *word = *word & !(Self::UNKNOWN_SHORT << shift) | image << shift;
            }
            ImageWidth::Long => images[index] = image,
            ImageWidth::None => {}
        }
    }
}
