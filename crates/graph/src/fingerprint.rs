//! What tells one model from another.

use rapidhash::v3::rapidhash_v3;

/// A number that follows from a model's text and parameters, the same on every machine and in every version.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fingerprint(pub u64);

impl Fingerprint {
    /// With another piece of text: order and borders matter.
    #[must_use]
    pub fn with(self, text: &[u8]) -> Fingerprint {
        let [own, piece] = [self.0, rapidhash_v3(text)].map(u64::to_le_bytes);
        let mut both = [0; 16];
        both[..8].copy_from_slice(&own);
        both[8..].copy_from_slice(&piece);
        Fingerprint(rapidhash_v3(&both))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_borders_matter() {
        let of =
            |pieces: &[&str]| pieces.iter().fold(Fingerprint::default(), |f, piece| f.with(piece.as_bytes()));
        let all = [of(&[]), of(&["ab"]), of(&["a", "b"]), of(&["b", "a"]), of(&["ab", ""])];
        assert!(all.iter().enumerate().all(|(i, a)| all[..i].iter().all(|b| a != b)));
        assert_eq!(of(&["a", "b"]), of(&["a", "b"]));
    }
}
