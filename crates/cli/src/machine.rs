//! What is measured on: the processor, the memory, the system.

use petite_compare::Fact;

use crate::{memory, units, version};

/// What is known of this machine and of this program.
pub fn facts() -> Vec<Fact> {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut facts = vec![("petite".to_owned(), version::SHORT.to_owned())];
    let processor = read("/proc/cpuinfo").and_then(|text| processor(&text));
    facts.extend(processor.map(|name| ("processor".to_owned(), name)));
    facts.push(("cores".to_owned(), cores.to_string()));
    let total = memory::total().map(|bytes| ("memory".to_owned(), units::size(bytes)));
    facts.extend(total);
    let release =
        read("/proc/sys/kernel/osrelease").map(|text| format!(" {}", text.trim())).unwrap_or_default();
    facts.push((
        "system".to_owned(),
        format!("{}{release}, {}", std::env::consts::OS, std::env::consts::ARCH),
    ));
    facts
}

/// The name in `/proc/cpuinfo`.
fn processor(text: &str) -> Option<String> {
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    line.split_once(':').map(|(_, name)| name.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_has_a_name() {
        let text = "processor\t: 0\nmodel name\t: Some CPU @ 3 GHz\nflags\t: a b\n";
        assert_eq!(processor(text).as_deref(), Some("Some CPU @ 3 GHz"));
        assert_eq!(processor(""), None);
    }

    #[test]
    fn something_is_always_known() {
        assert!(facts().len() >= 3);
    }
}
