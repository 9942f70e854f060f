//! Random walks there and back: taking actions back in reverse order must restore every state of the way.

use petite_bits::Packing;
use petite_model::{ActionId, Fault, Model};

use crate::rng::Rng;

/// Actions of one walk at most.
const LENGTH: usize = 40;

/// Walks from the initial state until it is dead, wrong or long enough, and back again; gives the number of
/// actions fired. Fields that are too narrow are widened on the way, so that a state from before is compared by
/// its slots.
pub fn walk<M: Model>(model: &mut M, rng: &mut Rng) -> Result<usize, String> {
    let mut words = initial(model)?;
    let mut hash = model.packing().hash(&words);
    let mut path: Vec<(Vec<u32>, ActionId)> = vec![];
    let mut actions = Vec::new();
    while path.len() < LENGTH {
        actions.clear();
        if model.enabled(&words, &mut actions).is_err() {
            break;
        }
        let Some(&action) = rng.pick(&actions) else { break };
        let before = slots(model.packing(), &words);
        match fire(model, &mut words, &mut hash, action)? {
            Fired::Done => path.push((before, action)),
            Fired::Wrong => {
                if slots(model.packing(), &words) != before {
                    return Err(format!("{} failed and changed the state", model.describe(action)));
                }
                break;
            }
        }
        check_hash(model, &words, hash, "firing", action)?;
        let mut totals = vec![0; model.layout().groups.len()];
        model.group_totals(&words, &mut totals);
        for (group, by) in model.group_changes(action) {
            totals[group.index()] = totals[group.index()].wrapping_add_signed(-by);
        }
        let after = words.clone();
        let mut back_totals = vec![0; totals.len()];
        model.unfire(&mut words, &mut hash, action).map_err(|refusal| format!("{refusal:?} at once"))?;
        model.group_totals(&words, &mut back_totals);
        if totals != back_totals {
            return Err(format!("{} changes other totals than it says", model.describe(action)));
        }
        fire(model, &mut words, &mut hash, action)?;
        if words != after {
            return Err(format!("{} leads elsewhere the second time", model.describe(action)));
        }
    }
    let length = path.len();
    for (before, action) in path.into_iter().rev() {
        model
            .unfire(&mut words, &mut hash, action)
            .map_err(|refusal| format!("{} cannot be taken back: {refusal:?}", model.describe(action)))?;
        if slots(model.packing(), &words) != before {
            return Err(format!("taking {} back leads to another state", model.describe(action)));
        }
        check_hash(model, &words, hash, "taking back", action)?;
    }
    Ok(length)
}

enum Fired {
    Done,
    /// The model is wrong there; the state is as before.
    Wrong,
}

fn initial<M: Model>(model: &mut M) -> Result<Vec<u64>, String> {
    loop {
        let mut words = vec![0; model.packing().n_words()];
        match model.initial(&mut words) {
            Ok(()) => return Ok(words),
            Err(Fault::Outgrown(outgrown)) => drop(model.widen(outgrown)),
            Err(Fault::Run(error)) => return Err(format!("no initial state: {error}")),
        }
    }
}

/// Fires with as much widening as it needs.
fn fire<M: Model>(
    model: &mut M,
    words: &mut Vec<u64>,
    hash: &mut u64,
    action: ActionId,
) -> Result<Fired, String> {
    loop {
        let (words_before, hash_before) = (words.clone(), *hash);
        match model.fire(words, hash, action) {
            Ok(()) => return Ok(Fired::Done),
            Err(_) if *words != words_before || *hash != hash_before => {
                return Err(format!("{} failed and left a trace", model.describe(action)));
            }
            Err(Fault::Outgrown(outgrown)) => {
                let old = model.widen(outgrown);
                let mut wider = vec![0; model.packing().n_words()];
                old.repack(words, model.packing(), &mut wider).map_err(|_| "a wider packing is narrower")?;
                *words = wider;
            }
            Err(Fault::Run(_)) => return Ok(Fired::Wrong),
        }
    }
}

fn slots(packing: &Packing, words: &[u64]) -> Vec<u32> {
    (0..packing.n_slots()).map(|slot| packing.get(words, petite_bits::SlotIdx::new(slot))).collect()
}

fn check_hash<M: Model>(
    model: &M,
    words: &[u64],
    hash: u64,
    doing: &str,
    action: ActionId,
) -> Result<(), String> {
    if hash == model.packing().hash(words) {
        return Ok(());
    }
    Err(format!("the hash is wrong after {doing} {}", model.describe(action)))
}
