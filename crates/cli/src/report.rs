//! A summary for people: aligned, within 80 columns, partial results plainly marked.

use petite_store::{Amount, Exactness};

use crate::args::OutputArgs;
use crate::sheet::{Sheet, WIDTH};
use crate::summary::Summary;
use crate::units::{grouped, grouped_average, seconds, significant, size};

/// The report that these arguments ask for.
pub fn text(summary: &Summary, output: &OutputArgs) -> String {
    if output.quiet {
        return one_line(summary);
    }
    let mut report = Report::default();
    report.heading(summary);
    if let Some(endless) = &summary.endless {
        report.0.blank();
        endless.lines(WIDTH).iter().for_each(|line| report.0.line(line));
    }
    report.counts(summary);
    report.costs(summary);
    if output.verbose {
        report.details(summary);
    }
    report.0.text
}

/// States, edges and dead states; `partial` or `lossy` where there may be more, `repeated` where there may be less.
fn one_line(summary: &Summary) -> String {
    let partial = if summary.stopped.is_some() { " partial" } else { "" };
    let exactness = match summary.exactness {
        Exactness::Exact => "",
        Exactness::Lossy { .. } => " lossy",
        Exactness::Repeated { .. } => " repeated",
    };
    format!("{} {} {}{partial}{exactness}\n", summary.states, summary.edges, summary.dead_states)
}

#[derive(Default)]
struct Report(Sheet);

impl Report {
    fn heading(&mut self, summary: &Summary) {
        self.0.named("model", &format!("{} ({})", summary.net, summary.model));
        if !summary.params.is_empty() {
            let params: Vec<_> =
                summary.params.iter().map(|(name, value)| format!("{name}={value}")).collect();
            self.0.named("parameters", &params.join(", "));
        }
        self.0.named(
            "explored",
            &format!("search {}, engine {}, store {}", summary.search, summary.engine, summary.store),
        );
        match summary.stopped {
            None if summary.exactness == Exactness::Exact => self.0.named("result", "complete"),
            None => self.0.named("result", "every state that was found was expanded"),
            Some(stop) => self.0.named("result", &format!("(partial: {})", stop.words())),
        }
        if let Exactness::Lossy { omission } = summary.exactness {
            self.0.named("lossy", "states may be missing: all counts are \"at least\"");
            let probability = significant(omission);
            self.0.named("", &format!("probability that some are: at least {probability}"));
        }
        if let Exactness::Repeated { most } = summary.exactness {
            let most = grouped(most);
            let words = format!(
                "markings were dropped to stay within the memory: up to {most} states were visited again"
            );
            self.0.named("repeated", &words);
        }
    }

    fn counts(&mut self, summary: &Summary) {
        // What an unfinished search or a lossy one has counted bounds the truth from below.
        let more = match (summary.stopped, summary.exactness) {
            (Some(_), Exactness::Repeated { .. }) => "(partial, some counted again)",
            (None, Exactness::Repeated { .. }) => "or less (some counted again)",
            (Some(_), Exactness::Exact) => "or more (partial)",
            (Some(_), Exactness::Lossy { .. }) => "at least (partial, lossy)",
            (None, Exactness::Lossy { .. }) => "at least (lossy)",
            (None, Exactness::Exact) => "",
        };
        self.0.blank();
        self.0.number("states", &grouped(summary.states), more);
        self.0.number("edges", &grouped(summary.edges), more);
        self.0.number("dead states", &grouped(summary.dead_states), more);
        if let Some(left_out) = &summary.left_out {
            let words = "transition instances with errors";
            self.0.number("left out", &grouped(left_out.n_instances), words);
        }
        // A state that is seen twice does not raise a maximum.
        let more = match summary.exactness {
            Exactness::Repeated { .. } if summary.stopped.is_none() => "",
            _ => more,
        };
        self.0.number("most equal tokens", &grouped(u64::from(summary.max_multiplicity)), more);
        self.0.number("most tokens in a place", &grouped(summary.max_tokens_in_place), more);
        self.0.number("most tokens in total", &grouped(summary.max_tokens_total), more);
    }

    fn costs(&mut self, summary: &Summary) {
        let average = |value: Option<f64>| value.map_or("-".to_owned(), grouped_average);
        self.0.blank();
        self.0.number("time", &seconds(summary.seconds), "");
        self.0.number("states per second", &average(summary.states_per_second()), "");
        self.0.number("edges per second", &average(summary.edges_per_second()), "");
        self.0.blank();
        self.0.number("store", &size(summary.store_bytes), "");
        self.0.number("bytes per state", &average(summary.bytes_per_state()), "");
        self.0.number("bytes of a state vector", &average(summary.vector_bytes()), "");
        for figure in &summary.figures {
            match &figure.amount {
                Amount::Count(count) => self.0.number(figure.name, &grouped(*count), ""),
                Amount::Bytes(bytes) => self.0.number(figure.name, &size(*bytes), ""),
                Amount::Number(number) => self.0.number(figure.name, &significant(*number), ""),
                Amount::Words(words) => self.0.named(figure.name, words),
            }
        }
        self.0.number("model tables", &size(summary.model_bytes), "");
        self.0.number("frontier at its peak", &size(summary.frontier_bytes), "");
        let peak = summary.peak_rss_bytes.map_or("unknown".to_owned(), size);
        self.0.number("peak resident memory", &peak, "");
    }

    fn details(&mut self, summary: &Summary) {
        self.0.blank();
        self.0.named("engine choice", &summary.engine_reason);
        if summary.edges_not_taken > 0 {
            self.0.number("edges not taken", &grouped(summary.edges_not_taken), "");
        }
        if let Some(choice) = &summary.store_choice {
            self.0.named("store choice", choice);
        }
        self.0.number("time to prepare", &seconds(summary.prepare_seconds), "");
        self.0.number("slots of a state", &grouped(summary.slots), "");
        self.0.number("bits of a state", &grouped(summary.state_bits), "");
        self.0.number("actions", &grouped(summary.actions), "");
        if summary.place_bounds.is_empty() {
            return;
        }
        self.0.blank();
        self.0.line("most tokens in each place");
        for (place, bound) in &summary.place_bounds {
            self.0.number(&format!("  {place}"), &grouped(*bound), "");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::WIDTH;
    use crate::summary::{Stop, tests::sample};

    const NORMAL: OutputArgs =
        OutputArgs { json: false, format: None, quiet: false, verbose: false, events: false };
    const QUIET: OutputArgs =
        OutputArgs { json: false, format: None, quiet: true, verbose: false, events: false };
    const VERBOSE: OutputArgs =
        OutputArgs { json: false, format: None, quiet: false, verbose: true, events: false };

    #[test]
    fn a_complete_result() {
        let expected = "\
model           dining (models/dining.lna)
parameters      N=5, EAT=-2
explored        search bfs, engine unfolded, store plain
result          complete

states                             1,914,784
edges                              9,046,048
dead states                                0
most equal tokens                          2
most tokens in a place                     5
most tokens in total                      12

time                                  2.00 s
states per second                    957,392
edges per second                   4,523,024

store                               36.5 MiB
bytes per state                         20.0
bytes of a state vector                  8.0
model tables                         2.0 KiB
frontier at its peak                 4.0 KiB
peak resident memory                42.0 MiB
";
        assert_eq!(text(&sample(), &NORMAL), expected);
    }

    #[test]
    fn a_partial_result_says_so() {
        let mut summary = sample();
        summary.stopped = Some(Stop::Time);
        let report = text(&summary, &NORMAL);
        assert!(report.contains("(partial: time limit reached)"), "{report}");
        assert!(report.contains("1,914,784   or more (partial)\n"), "{report}");
        assert_eq!(text(&summary, &QUIET), "1914784 9046048 0 partial\n");
    }

    #[test]
    fn quiet_is_one_line_and_verbose_has_every_place() {
        assert_eq!(text(&sample(), &QUIET), "1914784 9046048 0\n");
        let report = text(&sample(), &VERBOSE);
        assert!(report.contains("  a_long_name_of_a_place") && report.contains("125 instances are few"));
    }

    #[test]
    fn lines_stay_within_the_screen() {
        let mut summary = sample();
        summary.params = (0..40).map(|i| (format!("PARAMETER_{i}"), i)).collect();
        summary.states = u64::from(u32::MAX);
        summary.edges = 999_999_999_999;
        summary.stopped = Some(Stop::Error);
        let report = text(&summary, &VERBOSE);
        assert!(report.lines().all(|line| line.chars().count() <= WIDTH), "{report}");
        assert!(report.lines().all(|line| line == line.trim_end()), "{report}");
    }
}
