//! Parameter sweeps: `k=1..50`, `delta=0,1,2,3,7,20`, `N=2..10/2`.
//!
//! Some parameters are a store's, all others are the model's: one store at many settings shows what its parameter trades,
//! one model at many sizes shows how a store grows.

/// Most values of one sweep: each is a run.
const MOST: usize = 1000;

/// What is given other values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Knob {
    /// A store's parameter.
    Store {
        /// Its name, and its flag without the dashes.
        flag: &'static str,
        /// The store that has it.
        store: &'static str,
    },
    /// A constant of the model.
    Model(String),
}

/// The parameters of stores.
const STORE_KNOBS: [(&str, &str); 3] =
    [("k", "delta"), ("delta", "difference"), ("hash-bits", "hashcompact")];

impl Knob {
    /// The name.
    pub fn name(&self) -> &str {
        match self {
            Knob::Store { flag, .. } => flag,
            Knob::Model(name) => name,
        }
    }
}

/// A parameter and its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sweep {
    /// The parameter.
    pub knob: Knob,
    /// The values, at least one, each once, in the order given.
    pub values: Vec<i64>,
}

impl Sweep {
    /// Reads a sweep. A constant of a model that is called like a store's parameter is written `param:k=1..3`.
    ///
    /// # Errors
    /// What was expected.
    pub fn read(text: &str) -> Result<Sweep, String> {
        const EXPECTED: &str = "expected NAME=FROM..TO or NAME=A,B,C, as in k=1..50";
        let (name, values) = text.split_once('=').ok_or(EXPECTED)?;
        let name = name.trim();
        let of_store = STORE_KNOBS.iter().find(|(flag, _)| *flag == name);
        let knob = match (of_store, name.strip_prefix("param:")) {
            (Some(&(flag, store)), _) => Knob::Store { flag, store },
            (None, Some(name)) => Knob::Model(name.to_owned()),
            (None, None) => Knob::Model(name.to_owned()),
        };
        let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if let Knob::Model(name) = &knob
            && (name.is_empty()
                || !name.chars().all(is_letter)
                || name.starts_with(|c: char| c.is_ascii_digit()))
        {
            return Err(format!("'{name}' is not the name of a parameter: {EXPECTED}"));
        }
        let mut all: Vec<i64> = Vec::new();
        for part in values.split(',') {
            for value in range(part.trim()).ok_or(EXPECTED)? {
                if all.len() == MOST {
                    return Err(format!("more than {MOST} values: give a step, as in {name}=1..5000/100"));
                }
                if !all.contains(&value) {
                    all.push(value);
                }
            }
        }
        if all.is_empty() {
            return Err(format!("no values: {EXPECTED}"));
        }
        Ok(Sweep { knob, values: all })
    }
}

/// The values of `5`, `1..50` or `1..50/7`; both ends are in it.
fn range(text: &str) -> Option<impl Iterator<Item = i64>> {
    let (ends, step) = match text.split_once('/') {
        Some((ends, step)) => (ends, step.trim().parse::<usize>().ok().filter(|&step| step > 0)?),
        None => (text, 1),
    };
    let number = |text: &str| text.trim().parse::<i64>().ok();
    let (from, to) = match ends.split_once("..") {
        Some((from, to)) => (number(from)?, number(to.trim_start_matches('='))?),
        None => (number(ends)?, number(ends)?),
    };
    Some((from..=to).step_by(step))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<i64> {
        Sweep::read(text).unwrap().values
    }

    #[test]
    fn ranges_steps_and_lists() {
        assert_eq!(values("k=1..50").len(), 50);
        assert_eq!(values("k=1..=3"), [1, 2, 3]);
        assert_eq!(values("N=2..10/3"), [2, 5, 8]);
        assert_eq!(values("delta=0,1,2,3,7,20"), [0, 1, 2, 3, 7, 20]);
        assert_eq!(values("N=-2..0,0,5"), [-2, -1, 0, 5]);
    }

    #[test]
    fn names_tell_whose_parameter_it_is() {
        let knob = |text: &str| Sweep::read(text).unwrap().knob;
        assert_eq!(knob("k=1"), Knob::Store { flag: "k", store: "delta" });
        assert_eq!(knob("delta=1"), Knob::Store { flag: "delta", store: "difference" });
        assert_eq!(knob("N=1"), Knob::Model("N".to_owned()));
        assert_eq!(knob("param:k=1"), Knob::Model("k".to_owned()));
    }

    #[test]
    fn what_is_wrong_is_refused() {
        for wrong in ["", "k", "k=", "k=a", "k=5..1", "k=1..", "k=1..5/0", "=1", "a b=1", "3=4", "k=1.5"] {
            assert!(Sweep::read(wrong).is_err(), "{wrong:?}");
        }
        assert!(Sweep::read("k=1..9223372036854775807").unwrap_err().contains("give a step"));
    }
}
