//! The Pareto front: the ways that nobody beats in both memory and time.

use crate::row::Row;

/// Differences of peak memory up to this many bytes, or up to a fiftieth, are taken for none: they vary from run to run.
const NOISE: u64 = 512 << 10;

/// For each row whether it is on the front of its instance of the model: it did all that was asked, exactly, and no other
/// such row took less memory in no more time, or less time in no more memory.
pub fn front(rows: &[Row]) -> Vec<bool> {
    let costs = |row: &Row| {
        let figures = row.figures.as_ref().filter(|_| row.is_exact())?;
        Some((figures.memory(), figures.seconds))
    };
    rows.iter()
        .map(|row| {
            let Some((memory, seconds)) = costs(row) else { return false };
            let others = rows.iter().filter(|other| other.case.instance == row.case.instance);
            !others.filter_map(costs).any(|(other_memory, other_seconds)| {
                let noise = NOISE.max(memory / 50);
                let is_as_good = other_memory <= memory.saturating_add(noise) && other_seconds <= seconds;
                is_as_good && (other_memory.saturating_add(noise) < memory || other_seconds < seconds)
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::End;
    use crate::row::tests::row;

    #[test]
    fn only_what_nobody_beats_is_on_the_front() {
        let mut rows = vec![
            row("plain", 1.0, 0, 90 << 20),
            row("tree", 3.0, 0, 10 << 20),
            row("delta", 4.0, 0, 20 << 20),
            row("ondd", 3.0, 0, 10 << 20),
            row("obdd", 0.5, 0, 1 << 20),
        ];
        rows[4].end = End::Early("stopped".to_owned());
        assert_eq!(front(&rows), [true, true, false, true, false]);
    }

    #[test]
    fn a_page_more_or_less_is_no_difference() {
        let rows = [row("plain", 1.0, 0, 9000 << 10), row("tree", 2.0, 0, 8900 << 10)];
        assert_eq!(front(&rows), [true, false]);
    }

    #[test]
    fn sizes_of_a_model_have_fronts_of_their_own() {
        let mut rows = vec![row("plain", 1.0, 0, 9000), row("plain", 2.0, 0, 9900)];
        rows[1].case.instance = vec![("N".to_owned(), 2)];
        assert_eq!(front(&rows), [true, true]);
    }

    #[test]
    fn what_may_miss_states_beats_nobody() {
        let mut rows = vec![row("plain", 1.0, 0, 9000), row("hashcompact", 0.5, 0, 100)];
        rows[1].figures.as_mut().unwrap().exact = false;
        assert_eq!(front(&rows), [true, false]);
    }
}
