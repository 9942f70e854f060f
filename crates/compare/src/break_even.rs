//! From how many states on a codec by tables pays.
//!
//! Paper 4 (*OBDD state store and compression*, section 5): with parts of n(i) bits whose tables have k(i) entries, states are kept
//! as indices of m(i) bits, log2 k(i) at least. Memory is saved when
//!
//! ```text
//!  |s| · Σ n(i)  >  |s| · Σ m(i)  +  Σ k(i) · n(i)      so when      |s|  >  Σ k(i) · n(i)  /  (Σ n(i) − Σ m(i))
//! ```
//!
//! the number of states is larger than the bits of the tables over the bits saved in each state. The codec knows its tables and
//! computes it; here it is compared with the states that there are. Tables grow with the states, so a run that ended early
//! gives the number for what it saw.

use serde_json::Value;

use crate::number::grouped;

/// From how many states on a codec by tables pays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BreakEven {
    /// From so many.
    At(u64),
    /// Never: codes are no shorter than vectors.
    Never,
}

impl BreakEven {
    /// Reads it from the figures that a store gives of itself, where it has tables.
    pub fn of(store_figures: &Value) -> Option<BreakEven> {
        match &store_figures["states_to_break_even"] {
            Value::Number(states) => states.as_u64().map(BreakEven::At),
            Value::String(_) => Some(BreakEven::Never),
            _ => None,
        }
    }

    /// What it means for a model with so many states.
    pub fn sentence(self, states: u64) -> String {
        let here = grouped(states);
        match self {
            BreakEven::At(least) if states >= least => {
                format!("tables pay from {} states on, and there are {here}", grouped(least))
            }
            BreakEven::At(least) => {
                format!("tables pay from {} states on, but there are only {here}", grouped(least))
            }
            BreakEven::Never => "tables never pay here: a code is no shorter than the vector".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn it_is_read_and_put_into_words() {
        let of = |value: Value| BreakEven::of(&json!({"states_to_break_even": value}));
        assert_eq!(of(json!(1204)), Some(BreakEven::At(1204)));
        assert_eq!(of(json!("never: a code is no shorter")), Some(BreakEven::Never));
        assert_eq!(BreakEven::of(&Value::Null), None);
        assert!(BreakEven::At(1204).sentence(196_831).ends_with("1,204 states on, and there are 196,831"));
        assert!(BreakEven::At(1204).sentence(82).ends_with("but there are only 82"));
    }
}
