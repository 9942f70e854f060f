//! Ctrl-C and the signals that ask a process to end.
//!
//! While a search runs, the first signal asks it to end with what it has found, and the second one ends the
//! process at once. Outside a search there is nothing to keep, so the first signal ends the process.

use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::exit::Exit;

/// Nothing to keep: a signal ends the process.
const IDLE: u8 = 0;
/// A search runs: a signal asks it to end.
const SEARCHING: u8 = 1;
/// The search was asked to end: another signal ends the process.
const ASKED: u8 = 2;

/// The process's answer to signals; clones speak of the same process.
#[derive(Clone, Default)]
pub struct Interrupt {
    phase: Arc<AtomicU8>,
}

impl Interrupt {
    /// Takes over the handling of signals.
    ///
    /// Where the system refuses, signals keep their usual meaning and end the process.
    pub fn install() -> Interrupt {
        let interrupt = Interrupt::default();
        let handler = interrupt.clone();
        // Without a handler the default action stands, which is a fair answer too.
        let _ = ctrlc::set_handler(move || handler.signalled());
        interrupt
    }

    /// From now on a signal asks the search to end.
    pub fn search_begins(&self) {
        self.phase.store(SEARCHING, Ordering::SeqCst);
    }

    /// From now on a signal ends the process.
    pub fn search_ended(&self) {
        self.phase.store(IDLE, Ordering::SeqCst);
    }

    /// Whether the search was asked to end.
    pub fn asked(&self) -> bool {
        self.phase.load(Ordering::Relaxed) == ASKED
    }

    fn signalled(&self) {
        let asked = self.phase.compare_exchange(SEARCHING, ASKED, Ordering::SeqCst, Ordering::SeqCst);
        if asked.is_err() {
            // There may be nobody left to read it.
            let _ = writeln!(std::io::stderr(), "interrupted");
            std::process::exit(Exit::Interrupted.status());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_signal_of_a_search_only_asks() {
        let interrupt = Interrupt::default();
        assert!(!interrupt.asked());
        interrupt.search_begins();
        interrupt.signalled();
        assert!(interrupt.asked());
        interrupt.search_ended();
        assert!(!interrupt.asked());
    }
}
