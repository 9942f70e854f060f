//! The thread that does the work.
//!
//! Models nest as deeply as their authors like, and reading or evaluating them recurses: the stack is large. It
//! is only reserved, and takes memory as it is used. A panic is a fault of Petite; it ends with a plain request
//! to report it and a status of its own.

use std::panic::PanicHookInfo;

use crate::exit::Exit;
use crate::output;

/// Size of the stack, in bytes, where there is plenty of address space.
const STACK: usize = 256 << 20;

/// Size of the stack that is taken in any case, in bytes.
const SMALLEST_STACK: usize = 4 << 20;

/// Runs the work to its end.
pub fn run(work: impl FnOnce() -> Exit + Send) -> Exit {
    std::panic::set_hook(Box::new(report_panic));
    petite_net::on_large_stack(affordable_stack(), work).unwrap_or(Exit::Bug)
}

/// The largest size of a stack that leaves at least three times as much address space to the rest: where that is
/// limited, the states need it more.
fn affordable_stack() -> usize {
    let mut size = STACK;
    while size > SMALLEST_STACK && Vec::<u8>::new().try_reserve_exact(4 * size).is_err() {
        size /= 2;
    }
    size
}

fn report_panic(panic: &PanicHookInfo<'_>) {
    let what = panic.payload_as_str().unwrap_or("no message");
    let place = panic.location().map(|place| format!(" at {place}")).unwrap_or_default();
    let version = env!("CARGO_PKG_VERSION");
    output::complain(&format!(
        "error: petite {version} has failed{place}: {what}\n\
         This is a bug in petite, not in your model. Please report it with the model and the\n\
         command line that led to it.\n"
    ));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_gives_its_exit_even_from_deep_recursion() {
        fn depth(n: u64) -> u64 {
            let frame = std::hint::black_box([n; 32]);
            if n == 0 { 0 } else { 1 + depth(n - 1) + frame[31] - n }
        }
        let exit = run(|| if depth(100_000) == 100_000 { Exit::Done } else { Exit::Bad });
        assert_eq!(exit, Exit::Done);
    }

    #[test]
    fn a_panic_is_a_bug_of_ours() {
        assert_eq!(run(|| panic!("deliberately, in a test")), Exit::Bug);
    }
}
