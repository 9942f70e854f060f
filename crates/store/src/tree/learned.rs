//! Orders of slots that are learned from a sample.

use petite_bits::{PairMap, SlotIdx};
use petite_model::Model;

use super::sample::Sample;
use super::shape::Sequence;

/// States that joint values are counted in.
const STATES: usize = 1 << 10;

/// Slots that are joined at most; each pair of them is looked at.
const SLOTS: usize = 256;

/// Slots group by group, each next group the one that actions change most often together with the last few.
pub(super) fn neighbourhood<M: Model>(model: &M) -> Sequence {
    // The groups that an action changes are neighbours; slots of a group with the same colour follow each other.
    let n_groups = model.layout().groups.len();
    let mut together: Vec<Vec<(u32, u32)>> = vec![Vec::new(); n_groups];
    let n_actions = model.n_actions().min(1 << 14);
    for action in (0..n_actions).map(petite_model::ActionId::new) {
        let changes = model.group_changes(action);
        for &(group, _) in changes.iter().take(16) {
            for &(other, _) in changes.iter().take(16).filter(|(other, _)| *other != group) {
                let list = &mut together[group.index()];
                match list.iter_mut().find(|(known, _)| *known == other.0) {
                    Some((_, times)) => *times += 1,
                    None => list.push((other.0, 1)),
                }
            }
        }
    }
    let mut order = Vec::with_capacity(n_groups);
    let mut closeness = vec![0.0f64; n_groups];
    let mut is_placed = vec![false; n_groups];
    // Beyond some thousand groups looking for the closest one each time would take too long.
    if n_groups <= 4096 {
        for _ in 0..n_groups {
            let next = (0..n_groups).filter(|&group| !is_placed[group]);
            let next = next.max_by(|&a, &b| closeness[a].total_cmp(&closeness[b]).then(b.cmp(&a)));
            let Some(next) = next else { break };
            is_placed[next] = true;
            order.push(next);
            closeness.iter_mut().for_each(|close| *close *= 0.7);
            let all: u32 = together[next].iter().map(|(_, times)| times).sum();
            for &(other, times) in &together[next] {
                closeness[other as usize] += f64::from(times) / f64::from(all.max(1));
            }
        }
    } else {
        order.extend(0..n_groups);
    }
    let layout = model.layout();
    let mut sequence = Sequence { slots: Vec::new(), starts: Vec::new() };
    for group in order {
        for (at, slot) in layout.slots_of(petite_model::GroupIdx::new(group)).enumerate() {
            sequence.slots.push(slot);
            sequence.starts.push(at == 0);
        }
    }
    sequence
}

/// Slots in the order in which joining the two groups with the fewest joint values, again and again, puts them. None
/// where too many slots change for looking at all pairs.
pub(super) fn merged<M: Model>(model: &M, sample: &Sample, weights: &[f64]) -> Option<Sequence> {
    let changing: Vec<SlotIdx> =
        (0..weights.len()).filter(|&slot| weights[slot] > 0.0).map(SlotIdx::new).collect();
    if changing.len() > SLOTS || changing.len() < 3 {
        return None;
    }
    let states: Vec<&[u64]> = sample.states().take(STATES).collect();
    let mut groups: Vec<Option<Group>> = changing
        .iter()
        .map(|&slot| {
            Some(Group::of_values(slot, states.iter().map(|words| model.packing().get(words, slot))))
        })
        .collect();
    let mut scratch = Vec::new();
    let n = groups.len();
    let mut costs = vec![u32::MAX; n * n];
    for a in 0..n {
        for b in a + 1..n {
            costs[a * n + b] = joint(&groups, a, b, &mut scratch);
        }
    }
    for _ in 1..n {
        let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
        let (a, b) = pairs.min_by_key(|&(a, b)| costs[a * n + b])?;
        if costs[a * n + b] == u32::MAX {
            break;
        }
        let (first, second) = (groups[a].take()?, groups[b].take()?);
        groups[a] = Some(first.joined(second));
        for other in 0..n {
            let (low, high) = (other.min(b), other.max(b));
            if low != high {
                costs[low * n + high] = u32::MAX;
            }
        }
        for other in (0..n).filter(|&other| other != a && groups[other].is_some()) {
            costs[other.min(a) * n + other.max(a)] = joint(&groups, a, other, &mut scratch);
        }
    }
    let mut sequence = Sequence { slots: Vec::new(), starts: Vec::new() };
    for group in groups.into_iter().flatten() {
        sequence.slots.extend(group.slots);
    }
    let unchanging = (0..weights.len()).filter(|&slot| weights[slot] <= 0.0).map(SlotIdx::new);
    sequence.slots.extend(unchanging);
    sequence.starts = vec![false; sequence.slots.len()];
    if let Some(start) = sequence.starts.get_mut(n) {
        *start = true;
    }
    Some(sequence)
}

/// Slots that were joined.
struct Group {
    slots: Vec<SlotIdx>,
    /// The number of the joint value in each state.
    ids: Vec<u32>,
    n_ids: u32,
}

impl Group {
    fn of_values(slot: SlotIdx, values: impl Iterator<Item = u32>) -> Group {
        let pairs: Vec<(u32, u32)> = values.map(|value| (value, 0)).collect();
        Group::numbered(vec![slot], &pairs)
    }

    fn joined(self, other: Group) -> Group {
        let pairs: Vec<(u32, u32)> = self.ids.iter().copied().zip(other.ids).collect();
        Group::numbered([self.slots, other.slots].concat(), &pairs)
    }

    fn numbered(slots: Vec<SlotIdx>, pairs: &[(u32, u32)]) -> Group {
        let mut map = PairMap::new();
        // Running out of memory makes an order worse, nothing else.
        let ids = pairs.iter().map(|&(left, right)| map.find_or_insert(left, right).unwrap_or(0)).collect();
        Group { slots, ids, n_ids: map.len().max(1) as u32 }
    }
}

/// Number of joint values of two groups.
fn joint(groups: &[Option<Group>], a: usize, b: usize, scratch: &mut Vec<u32>) -> u32 {
    let (Some(a), Some(b)) = (&groups[a], &groups[b]) else { return u32::MAX };
    let pairs = a.ids.iter().zip(&b.ids).map(|(&left, &right)| left * b.n_ids + right);
    let n_cells = a.n_ids as usize * b.n_ids as usize;
    scratch.clear();
    if n_cells <= 1 << 14 {
        scratch.resize(n_cells.div_ceil(32), 0);
        let mut n = 0;
        for pair in pairs {
            let (word, bit) = (pair as usize / 32, 1 << (pair % 32));
            n += u32::from(scratch[word] & bit == 0);
            scratch[word] |= bit;
        }
        return n;
    }
    scratch.extend(pairs);
    scratch.sort_unstable();
    scratch.dedup();
    scratch.len() as u32
}
