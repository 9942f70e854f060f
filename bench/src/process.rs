//! Figures of one run, and running in a process of its own.

use std::fmt;
use std::process::Command;

/// What one run took.
#[derive(Clone, Copy, Debug)]
pub struct Figures {
    /// States found.
    pub states: u64,
    /// Edges found.
    pub edges: u64,
    /// CPU time of the whole process.
    pub cpu_seconds: f64,
    /// Largest resident memory of the whole process.
    pub peak_bytes: u64,
    /// What the store accounts for.
    pub store_bytes: u64,
    /// What the stored vectors take of that; zero where nobody counted.
    pub vector_bytes: u64,
    /// Most equal tokens in a place, and most tokens in a state; zero where nobody counted.
    pub most_tokens: [u64; 2],
}

impl Figures {
    /// The figures of this process until now.
    pub fn now(states: u64, edges: u64, store_bytes: u64, most_tokens: [u64; 2]) -> Figures {
        Figures {
            states,
            edges,
            cpu_seconds: cpu_seconds(),
            peak_bytes: peak_bytes(),
            store_bytes,
            vector_bytes: 0,
            most_tokens,
        }
    }

    fn parse(line: &str) -> Option<Figures> {
        let mut fields = line.split_whitespace();
        Some(Figures {
            states: fields.next()?.parse().ok()?,
            edges: fields.next()?.parse().ok()?,
            cpu_seconds: fields.next()?.parse().ok()?,
            peak_bytes: fields.next()?.parse().ok()?,
            store_bytes: fields.next()?.parse().ok()?,
            vector_bytes: fields.next()?.parse().ok()?,
            most_tokens: [fields.next()?.parse().ok()?, fields.next()?.parse().ok()?],
        })
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Figures { states, edges, cpu_seconds, peak_bytes, store_bytes, vector_bytes, most_tokens } = self;
        let [place, total] = most_tokens;
        write!(f, "{states} {edges} {cpu_seconds} {peak_bytes} {store_bytes} {vector_bytes} {place} {total}")
    }
}

/// Runs this program again to explore a model one way.
pub fn measure(way: &str, model: &str, params: &str) -> Result<Figures, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new(program)
        .args(["run", way, model])
        .args(params.split_whitespace())
        .output()
        .map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    Figures::parse(&text)
        .ok_or_else(|| format!("{way} on {model} failed: {}", String::from_utf8_lossy(&output.stderr).trim()))
}

/// User and system time in seconds; the kernel counts them in hundredths.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks = after_name.split_whitespace().skip(11).take(2).filter_map(|field| field.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

fn peak_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}
