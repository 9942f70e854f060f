//! How far a run had come at some moment: the points of the plot of memory against states.

use std::io::Write as _;

use serde::Deserialize;

/// A line that `petite explore --events` writes.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct Sample {
    /// Seconds since the search began.
    pub seconds: f64,
    /// States stored.
    pub states: u64,
    /// Edges walked.
    pub edges: u64,
    /// States to be expanded.
    pub frontier: u64,
    /// Heap bytes of the store.
    pub store_bytes: u64,
    /// Heap bytes of the model's tables.
    pub model_bytes: u64,
    /// Heap bytes of the queue or stack.
    pub frontier_bytes: u64,
}

impl Sample {
    /// Reads a line; nothing where it is another one.
    pub fn read(line: &str) -> Option<Sample> {
        serde_json::from_str(line).ok()
    }

    /// The sample as a line without its end.
    pub fn line(&self) -> String {
        let mut bytes = Vec::new();
        self.write_to(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Adds the same to a buffer, without any other memory and with as little code as can be: a process whose memory is
    /// measured writes it, and the pages of a writer of JSON would count.
    pub fn write_to(&self, buffer: &mut Vec<u8>) {
        let Sample { seconds, states, edges, frontier, store_bytes, model_bytes, frontier_bytes } = *self;
        // Whole microseconds; the cast saturates.
        let microseconds = (seconds * 1e6).round() as u64;
        let (whole, fraction) = (microseconds / 1_000_000, microseconds % 1_000_000);
        // A buffer in memory takes whatever is written.
        let _ = write!(
            buffer,
            "{{\"seconds\":{whole}.{fraction:06},\"states\":{states},\"edges\":{edges},\"frontier\":{frontier},\
             \"store_bytes\":{store_bytes},\"model_bytes\":{model_bytes},\"frontier_bytes\":{frontier_bytes}}}"
        );
    }

    /// Bytes of store, model and frontier together.
    pub fn bytes(&self) -> u64 {
        self.store_bytes + self.model_bytes + self.frontier_bytes
    }
}

/// Those of the samples that show something: each has a sixteenth more states than the one before, or is the last.
pub fn thinned(samples: &[Sample]) -> Vec<Sample> {
    let mut kept: Vec<Sample> = Vec::new();
    for (at, sample) in samples.iter().enumerate() {
        let is_far = kept.last().is_none_or(|last| sample.states > last.states + last.states / 16);
        if is_far || at + 1 == samples.len() {
            kept.push(*sample);
        }
    }
    kept
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A sample with so many states, of 10 bytes each.
    pub fn at(states: u64) -> Sample {
        let seconds = states as f64 / 1000.0;
        Sample {
            seconds,
            states,
            edges: 0,
            frontier: 1,
            store_bytes: 10 * states,
            model_bytes: 100,
            frontier_bytes: 10,
        }
    }

    #[test]
    fn a_line_is_read_as_it_was_written() {
        assert_eq!(Sample::read(&at(17).line()), Some(at(17)));
        for other in ["", "error: no such file", "{}", "{\"states\": 3}"] {
            assert_eq!(Sample::read(other), None, "{other}");
        }
    }

    #[test]
    fn thinning_keeps_growth_and_the_end() {
        let samples: Vec<Sample> = (1..=100_000).map(at).collect();
        let kept = thinned(&samples);
        assert!(kept.len() < 250, "{}", kept.len());
        assert_eq!((kept[0].states, kept[kept.len() - 1].states), (1, 100_000));
    }
}
