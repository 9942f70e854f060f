//! Answers in the form of the Model Checking Contest.

use petite_logic::{Answer, Asking, Means};

/// The line of a property.
pub fn line(name: &str, answer: &Answer, means: Means, net: &Asking, engine: &str) -> String {
    let answer = match answer {
        Answer::Holds => "TRUE".to_owned(),
        Answer::Fails => "FALSE".to_owned(),
        Answer::Bound(most) => most.to_string(),
        Answer::Unbounded | Answer::Unknown(_) => return format!("FORMULA {name} CANNOT_COMPUTE\n"),
    };
    let how = match means {
        Means::Structure => "STRUCTURAL",
        Means::Witness | Means::AllStates | Means::None => "EXPLICIT SEQUENTIAL_PROCESSING STATE_COMPRESSION",
    };
    let unfolding = if engine == "unfolded" { " UNFOLDING_TO_PT" } else { "" };
    let reduction = if *net == Asking::Model { "" } else { " STRUCTURAL_REDUCTION" };
    format!("FORMULA {name} {answer} TECHNIQUES {how}{unfolding}{reduction}\n")
}
