//! A command in a process of its own, watched from outside until it ends.
//!
//! Its memory is then its own, and whatever happens to it (a crash, no more memory, a run without end) happens to nobody
//! else. It is asked for samples (`--events`), so that something is known even of one that ends without a word.

use std::ffi::OsString;
use std::io::{BufRead as _, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use petite_compare::{Exited, Sample};

use crate::interrupt::Interrupt;
use crate::memory;
use crate::output::reason;

/// How often it is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// How long it may take to end when it was asked to.
const GRACE: Duration = Duration::from_secs(5);

/// Most bytes that are read of its output, and of its complaints.
const MOST_OUTPUT: u64 = 64 << 20;
const MOST_COMPLAINTS: usize = 1 << 16;

/// What a process left behind.
#[derive(Debug)]
pub struct Ran {
    /// How it ended.
    pub exited: Exited,
    /// Its standard output.
    pub stdout: String,
    /// Its standard error, but the samples.
    pub complaints: String,
    /// The samples.
    pub samples: Vec<Sample>,
    /// The largest resident memory that was seen, in bytes.
    pub peak_seen: Option<u64>,
}

/// Runs a program to its end, for at most so long, or until somebody wants to end. `watch` sees each sample.
pub fn run(
    program: &Path,
    arguments: &[OsString],
    longest: Option<Duration>,
    interrupt: &Interrupt,
    watch: &mut dyn FnMut(&Sample),
) -> Ran {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut ran = Ran {
        exited: Exited::Stopped,
        stdout: String::new(),
        complaints: String::new(),
        samples: Vec::new(),
        peak_seen: None,
    };
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => {
            ran.exited = Exited::Never(reason(&error));
            return ran;
        }
    };
    let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) else {
        end(&mut child);
        return ran;
    };
    let (sender, lines) = mpsc::channel();
    thread::scope(|scope| {
        let output = scope.spawn(move || {
            let mut bytes = Vec::new();
            // What cannot be read is missing, and then no result is found in it.
            let _ = stdout.take(MOST_OUTPUT).read_to_end(&mut bytes);
            String::from_utf8_lossy(&bytes).into_owned()
        });
        scope.spawn(move || {
            let mut stderr = BufReader::new(stderr);
            let mut line = Vec::new();
            while stderr.read_until(b'\n', &mut line).is_ok_and(|n_bytes| n_bytes > 0) {
                if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                    return;
                }
                line.clear();
            }
        });
        let mut take = |ran: &mut Ran, line: String| match Sample::read(&line) {
            Some(sample) => {
                watch(&sample);
                ran.samples.push(sample);
            }
            None if ran.complaints.len() < MOST_COMPLAINTS => ran.complaints.push_str(&line),
            None => {}
        };
        let (began, mut asked) = (Instant::now(), None);
        ran.exited = loop {
            match lines.recv_timeout(LOOK_EVERY) {
                Ok(line) => take(&mut ran, line),
                // It has closed its standard error and is about to end.
                Err(RecvTimeoutError::Disconnected) => thread::sleep(LOOK_EVERY / 10),
                Err(RecvTimeoutError::Timeout) => {}
            }
            ran.peak_seen = memory::peak_of(child.id()).max(ran.peak_seen);
            match child.try_wait() {
                Ok(None) => {}
                Ok(Some(status)) => break exited(status),
                Err(error) => break Exited::Never(reason(&error)),
            }
            // The terminal interrupts all processes at once, so the child is about to end by itself.
            let is_patient = |since: &mut Instant| since.elapsed() < GRACE;
            if interrupt.asked() && !is_patient(asked.get_or_insert_with(Instant::now)) {
                end(&mut child);
                break Exited::Stopped;
            }
            if longest.is_some_and(|longest| began.elapsed() > longest) {
                end(&mut child);
                break Exited::Overdue;
            }
        };
        // The pipes close with the process, so these threads end.
        lines.iter().for_each(|line| take(&mut ran, line));
        ran.stdout = output.join().unwrap_or_default();
    });
    ran
}

/// Ends a process at once.
fn end(child: &mut Child) {
    // It may have ended meanwhile, which is as good.
    let _ = child.kill();
    let _ = child.wait();
}

fn exited(status: ExitStatus) -> Exited {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return Exited::Signal(signal);
    }
    Exited::Status(status.code().unwrap_or(-1))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str, longest: Option<Duration>, interrupt: &Interrupt) -> Ran {
        let arguments = ["-c", script].map(OsString::from);
        run(Path::new("/bin/sh"), &arguments, longest, interrupt, &mut |_| {})
    }

    #[test]
    fn output_complaints_and_samples_are_told_apart() {
        let sample = Sample {
            seconds: 0.5,
            states: 7,
            edges: 8,
            frontier: 1,
            store_bytes: 99,
            model_bytes: 5,
            frontier_bytes: 6,
        };
        let script = format!("echo result; echo oh >&2; echo '{}' >&2; exit 3", sample.line());
        let ran = shell(&script, None, &Interrupt::default());
        assert_eq!((ran.stdout.as_str(), ran.complaints.as_str()), ("result\n", "oh\n"));
        assert_eq!((ran.samples, ran.exited), (vec![sample], Exited::Status(3)));
    }

    #[test]
    fn crashes_are_seen() {
        assert_eq!(shell("kill -9 $$", None, &Interrupt::default()).exited, Exited::Signal(9));
        let nothing = run(Path::new("/no/such/program"), &[], None, &Interrupt::default(), &mut |_| {});
        assert_eq!(nothing.exited, Exited::Never("no such file or directory".to_owned()));
    }

    #[test]
    fn what_does_not_end_is_ended() {
        let limit = Some(Duration::from_millis(200));
        let began = Instant::now();
        assert_eq!(shell("exec sleep 60", limit, &Interrupt::default()).exited, Exited::Overdue);
        assert!(began.elapsed() < Duration::from_secs(30));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn memory_is_seen_from_outside() {
        let ran = shell("sleep 0.3", None, &Interrupt::default());
        assert!(ran.peak_seen.is_some_and(|bytes| bytes > 100_000), "{ran:?}");
    }
}
