//! What came of one run: its figures, or why there are none.

use serde_json::Value;

use crate::case::Case;
use crate::figures::Figures;
use crate::number::{grouped, short_seconds};
use crate::sample::{Sample, thinned};

/// A line of a comparison.
#[derive(Clone, Debug)]
pub struct Row {
    /// What was run.
    pub case: Case,
    /// The command that shows the same.
    pub command: String,
    /// How it ended.
    pub end: End,
    /// What it measured, as far as it came.
    pub figures: Option<Figures>,
    /// How far it had come at some moments.
    pub samples: Vec<Sample>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// All states were seen.
    Complete,
    /// A limit on states was reached: runs that reached the same one can be compared.
    StateLimit,
    /// It ended early for another reason, which is told in words.
    Early(String),
    /// The combination cannot work, for this reason.
    Refused(String),
    /// An error of the model.
    Wrong(String),
    /// The process ended without a word.
    Lost(String),
    /// Somebody wanted it to end.
    Interrupted,
    /// It was not begun.
    NotRun,
}

/// How a process ended, as seen from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exited {
    /// With a status.
    Status(i32),
    /// By a signal.
    Signal(i32),
    /// It was ended because it went on long after its time limit.
    Overdue,
    /// It was ended because the whole comparison was.
    Stopped,
    /// It could not be started.
    Never(String),
}

/// Makes a row of what a process left behind: how it ended, its standard output, the lines on standard error that are no
/// samples, and the largest resident memory that was seen from outside.
pub fn read(
    case: Case,
    command: String,
    exited: &Exited,
    stdout: &str,
    complaints: &str,
    samples: &[Sample],
    peak_seen: Option<u64>,
) -> Row {
    let json: Value = serde_json::from_str(stdout).unwrap_or(Value::Null);
    let told = Figures::of(&json);
    let end = match (&told, exited) {
        (Some(figures), _) => end_of(&json, figures),
        (None, Exited::Never(why)) => End::Lost(format!("could not be started: {why}")),
        (None, Exited::Stopped) => End::Interrupted,
        (None, Exited::Overdue) => End::Lost("did not end at its time limit, and was ended".to_owned()),
        (None, Exited::Signal(9)) => {
            End::Lost("was ended by the system (signal 9), which most likely had no more memory".to_owned())
        }
        (None, Exited::Signal(signal)) => End::Lost(format!("was ended by signal {signal}")),
        (None, Exited::Status(130)) => End::Interrupted,
        (None, Exited::Status(status)) => match json["error"]["message"].as_str() {
            Some(message) if *status == 2 => End::Refused(message.to_owned()),
            _ => {
                let first = complaints.lines().map(str::trim).find(|line| !line.is_empty());
                let first = first.map(|line| format!(": {line}")).unwrap_or_default();
                End::Lost(format!("ended with status {status} and no result{first}"))
            }
        },
    };
    let samples = thinned(samples);
    let figures = told.or_else(|| samples.last().map(|last| Figures::last_seen(last, peak_seen)));
    Row { case, command, end, figures, samples }
}

/// The ending that a run tells of itself.
fn end_of(json: &Value, figures: &Figures) -> End {
    let after = short_seconds(figures.seconds);
    let at = grouped(figures.states);
    let bits = figures.state_bits.map(|bits| format!("{}-bit vectors, ", grouped(bits))).unwrap_or_default();
    match json["stopped"].as_str() {
        None => End::Complete,
        Some("max-states") => End::StateLimit,
        Some("max-time") => End::Early(format!("{bits}stopped after {after} at {at} states")),
        Some("max-memory") => End::Early(format!("{bits}memory limit reached after {after} at {at} states")),
        Some("out-of-memory") => {
            End::Early(format!("{bits}the system has no more memory, after {after} at {at} states"))
        }
        Some("out-of-ids") => {
            End::Early(format!("more states than it can number, after {after} at {at} states"))
        }
        Some("unbounded") => End::Early(format!("places grow without end, seen at {at} states")),
        Some("interrupted") => End::Interrupted,
        Some("error") => {
            let message = json["error"]["message"].as_str().unwrap_or("an error of the model");
            End::Wrong(format!("{message}, after {at} states"))
        }
        Some(other) => End::Early(format!("{other}, after {after} at {at} states")),
    }
}

impl Row {
    /// A case that is not run.
    pub fn not_run(case: Case, command: String) -> Row {
        Row { case, command, end: End::NotRun, figures: None, samples: Vec::new() }
    }

    /// Whether it did what was asked, so that its costs can be compared with those of others that did: all states, or
    /// as many as were asked for.
    pub fn is_whole(&self) -> bool {
        matches!(self.end, End::Complete | End::StateLimit) && self.figures.is_some()
    }

    /// Whether it may have missed states.
    pub fn is_lossy(&self) -> bool {
        self.figures.as_ref().is_some_and(|figures| figures.omission.is_some())
    }

    /// Whether it may have counted states more than once.
    pub fn is_repeated(&self) -> bool {
        self.figures.as_ref().is_some_and(|figures| figures.repeated.is_some())
    }

    /// Whether it did that and kept all states apart.
    pub fn is_exact(&self) -> bool {
        self.is_whole() && self.figures.as_ref().is_some_and(|figures| figures.exact)
    }

    /// What there is to say about it, if the figures do not say it all.
    pub fn remark(&self) -> Option<String> {
        match &self.end {
            End::Complete => {
                let figures = self.figures.as_ref()?;
                let missing = figures.omission.map(|omission| {
                    format!("lossy: some state is missing with a probability of at least {omission:.1e}")
                });
                let twice = figures.repeated.map(|most| {
                    format!("saw all states, and counted up to {} of them more than once", grouped(most))
                });
                missing.or(twice)
            }
            End::StateLimit => None,
            End::Early(why) | End::Lost(why) => Some(why.clone()),
            End::Refused(why) => Some(format!("cannot be used: {why}")),
            End::Wrong(why) => Some(format!("error of the model: {why}")),
            End::Interrupted => Some("interrupted".to_owned()),
            End::NotRun => Some("not run".to_owned()),
        }
    }

    /// One word for programs.
    pub fn status(&self) -> &'static str {
        match self.end {
            End::Complete => "complete",
            End::StateLimit => "max-states",
            End::Early(_) => "limit",
            End::Refused(_) => "refused",
            End::Wrong(_) => "error",
            End::Lost(_) => "lost",
            End::Interrupted => "interrupted",
            End::NotRun => "not-run",
        }
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::sample::tests::at;
    use crate::way::ways;
    use serde_json::json;

    /// A case of this name.
    pub fn case(way: &str) -> Case {
        Case { way: ways(way).unwrap().remove(0), setting: None, instance: Vec::new() }
    }

    /// What a run prints.
    pub fn printed(seconds: f64, store_bytes: u64, peak: u64) -> Value {
        json!({"states": 1000, "edges": 4000, "dead_states": 1, "seconds": seconds, "store_bytes": store_bytes,
            "vector_bytes": 8.0, "model_bytes": 50, "frontier_bytes": 20, "peak_rss_bytes": peak, "exact": true,
            "state_bits": 600, "complete": true, "stopped": null})
    }

    /// A complete row with these costs.
    pub fn row(way: &str, seconds: f64, store_bytes: u64, peak: u64) -> Row {
        let text = printed(seconds, store_bytes, peak).to_string();
        let samples: Vec<Sample> = (1..=1000).map(at).collect();
        read(
            case(way),
            format!("petite explore m.lna --store {way}"),
            &Exited::Status(0),
            &text,
            "",
            &samples,
            None,
        )
    }

    fn ended(exited: Exited, stdout: &str, complaints: &str) -> Row {
        read(case("tree"), String::new(), &exited, stdout, complaints, &[at(5), at(77)], Some(1234))
    }

    #[test]
    fn results_are_told_from_refusals() {
        assert_eq!(row("plain", 1.0, 9000, 1 << 20).end, End::Complete);
        let mut stopped = printed(60.0, 9000, 1 << 20);
        stopped["stopped"] = json!("max-time");
        let row = ended(Exited::Status(3), &stopped.to_string(), "");
        assert_eq!(row.remark().unwrap(), "600-bit vectors, stopped after 60.00 s at 1,000 states");
        assert!(!row.is_whole());
        let refused = json!({"error": {"message": "no such thing"}}).to_string();
        let row = ended(Exited::Status(2), &refused, "error: no such thing");
        assert_eq!(row.remark().unwrap(), "cannot be used: no such thing");
    }

    #[test]
    fn lost_processes_keep_what_was_seen_of_them() {
        for (exited, stdout, complaints, words) in [
            (Exited::Signal(9), "", "", "no more memory"),
            (Exited::Signal(11), "", "", "signal 11"),
            (Exited::Overdue, "", "", "time limit"),
            (
                Exited::Status(101),
                "",
                "\nerror: petite has failed\nmore",
                "101 and no result: error: petite has failed",
            ),
            (Exited::Status(0), "{\"states\": ", "", "status 0 and no result"),
            (Exited::Never("no such file".to_owned()), "", "", "could not be started"),
        ] {
            let row = ended(exited, stdout, complaints);
            assert!(row.remark().unwrap().contains(words), "{row:?}");
            let figures = row.figures.as_ref().unwrap();
            assert_eq!((figures.states, figures.peak_bytes, row.is_whole()), (77, Some(1234), false));
        }
    }

    #[test]
    fn an_interruption_is_none_of_the_runs_faults() {
        assert_eq!(ended(Exited::Stopped, "", "").end, End::Interrupted);
        assert_eq!(ended(Exited::Status(130), "", "interrupted").end, End::Interrupted);
    }
}
