//! The name that someone may have meant.

/// Longest name that is compared; longer ones are hardly typing errors of each other.
const MAX_LENGTH: usize = 64;

/// The candidate nearest to `name`, if one is near enough to be a likely typing error of it.
pub(crate) fn nearest<'n>(name: &str, candidates: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    if name.len() > MAX_LENGTH {
        return None;
    }
    let allowed = (name.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .filter(|candidate| candidate.len() <= MAX_LENGTH && *candidate != name)
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|&(distance, candidate)| distance <= allowed && distance < candidate.chars().count())
        .min()
        .map(|(_, candidate)| candidate)
}

/// How many characters must be inserted, deleted, replaced or swapped with their neighbour to get from one name
/// to the other (the optimal string alignment distance); case does not count.
fn distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.to_lowercase().chars().collect();
    let right: Vec<char> = right.to_lowercase().chars().collect();
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).collect();
    for (i, &l) in left.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &r) in right.iter().enumerate() {
            let mut best = (last[j] + usize::from(l != r)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && l == right[j - 1] && left[i - 1] == r {
                best = best.min(before_last[j - 1] + 1);
            }
            row.push(best);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likely_typing_errors_are_found() {
        let names = ["philos_id", "seated", "with_left", "x"];
        assert_eq!(nearest("philosid", names), Some("philos_id"));
        assert_eq!(nearest("saeted", names), Some("seated"));
        assert_eq!(nearest("SEATED", names), Some("seated"));
        assert_eq!(nearest("entirely", names), None);
        assert_eq!(nearest("y", names), None, "nothing of a short name is left");
        assert_eq!(nearest("seated", ["seated"]), None);
    }

    #[test]
    fn distances() {
        for (left, right, expected) in
            [("", "", 0), ("abc", "", 3), ("abc", "acb", 1), ("kitten", "sitting", 3)]
        {
            assert_eq!(distance(left, right), expected, "{left} {right}");
            assert_eq!(distance(right, left), expected, "{right} {left}");
        }
    }
}
