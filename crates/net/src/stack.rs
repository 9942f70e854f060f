//! How deep evaluation may go on the native stack.
//!
//! Evaluating an expression is a recursion on the native stack, and a model may call functions that never end.
//! A thread's stack is a fixed size, and running over its end kills the process; so evaluation compares the
//! address of a local variable with the lowest address it may reach, and gives an error before it gets there.
//! Taking an address is safe, and costs next to nothing.

use std::cell::Cell;

/// Stack that a thread not started by [`on_large_stack`] may use for evaluation, in bytes. Threads have two
/// megabytes or more.
const SMALL: usize = 768 * 1024;

/// Stack left for everything besides evaluation, in bytes.
const RESERVE: usize = 512 * 1024;

thread_local! {
    /// Lowest address that evaluation may reach on this thread; none until it is known.
    static LOWEST: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Runs `work` on a thread with a stack of `bytes` bytes, most of which evaluation may then use, and gives its
/// result, or the payload of its panic. Where the system does not give as much, it tries with less.
///
/// # Errors
/// The payload with which `work` panicked.
pub fn on_large_stack<T: Send>(bytes: usize, work: impl FnOnce() -> T + Send) -> std::thread::Result<T> {
    let mut work = Some(work);
    let mut size = bytes.max(4 * RESERVE);
    loop {
        let slot = std::sync::Mutex::new(work.take());
        let outcome = std::thread::scope(|scope| {
            let run = || {
                LOWEST.set(Some(here().saturating_sub(size - RESERVE)));
                slot.lock().ok().and_then(|mut work| work.take()).map(|work| work())
            };
            std::thread::Builder::new().stack_size(size).spawn_scoped(scope, run).map(|thread| thread.join())
        });
        match outcome {
            Ok(Ok(Some(result))) => return Ok(result),
            Ok(Err(panic)) => return Err(panic),
            Ok(Ok(None)) => return Err(Box::new("the work was lost")),
            // The thread could not be started, so the work is still there.
            Err(_) => {
                work = slot.into_inner().ok().flatten();
                if size == 4 * RESERVE {
                    return match work {
                        Some(work) => std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)),
                        None => Err(Box::new("the work was lost")),
                    };
                }
                size = (size / 2).max(4 * RESERVE);
            }
        }
    }
}

/// Whether evaluation may go one level deeper on this thread.
#[inline]
pub(crate) fn has_room() -> bool {
    let lowest = LOWEST.get().unwrap_or_else(|| {
        let lowest = here().saturating_sub(SMALL);
        LOWEST.set(Some(lowest));
        lowest
    });
    here() > lowest
}

/// The address of a local variable of the caller's caller, more or less.
#[inline(never)]
fn here() -> usize {
    let local = 0u8;
    std::ptr::from_ref(std::hint::black_box(&local)).addr()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depth_reached(limit: u64) -> u64 {
        if limit == 0 || !has_room() { 0 } else { 1 + std::hint::black_box(depth_reached(limit - 1)) }
    }

    #[test]
    fn endless_recursion_ends_on_any_stack() {
        assert!(depth_reached(u64::MAX) > 1000);
        let small = on_large_stack(4 * RESERVE, || depth_reached(u64::MAX)).unwrap();
        let large = on_large_stack(64 * RESERVE, || depth_reached(u64::MAX)).unwrap();
        assert!(large > 4 * small, "{small} {large}");
    }

    #[test]
    fn a_panic_comes_back() {
        assert!(on_large_stack(0, || assert_eq!(1 + 1, 3)).is_err());
    }
}
