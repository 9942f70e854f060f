//! Running SPIN: a Promela model becomes a C program, which is compiled and run, and says what it took.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A way in which SPIN keeps states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// A hash table of whole vectors.
    Table,
    /// A hash table of vectors whose parts are numbered.
    Collapse,
    /// A minimised automaton of the vectors.
    Automaton,
}

/// What one run said.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run {
    /// States stored.
    pub states: u64,
    /// Edges: what SPIN calls transitions, without the one into the initial state.
    pub edges: u64,
    /// The longest path of the search.
    pub depth: u64,
    /// Bytes of a state vector before it is stored.
    pub vector_bytes: u64,
    /// Bytes of states and of the table that finds them.
    pub store_bytes: f64,
    /// Bytes of everything.
    pub bytes: f64,
    /// CPU time of the run.
    pub cpu_seconds: f64,
}

/// A model that was translated to C, in a folder that goes away with it.
pub struct Program {
    folder: PathBuf,
}

impl Drop for Program {
    fn drop(&mut self) {
        // What cannot be removed is left to the system.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// What is missing to run SPIN, if anything is.
pub fn missing() -> Option<&'static str> {
    let runs = |program: &str, flag: &str| Command::new(program).arg(flag).output().is_ok();
    match (runs("spin", "-V"), runs("gcc", "--version")) {
        (false, _) => Some("spin is not installed (Debian: apt-get install spin)"),
        (true, false) => Some("gcc is not installed, which SPIN needs (Debian: apt-get install gcc)"),
        (true, true) => None,
    }
}

/// The version, as SPIN tells it.
pub fn version() -> String {
    let output = Command::new("spin").arg("-V").output();
    let text =
        output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default();
    text.split(" -- ").next().unwrap_or_default().to_owned()
}

impl Program {
    /// Translates a model with a value for its parameter `N`, every statement a step.
    pub fn translate(model: &Path, n: u64) -> Result<Program, String> {
        let name = model.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let folder = std::env::temp_dir().join(format!("petite-peers-{}-{name}-{n}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let program = Program { folder };
        let model = model.canonicalize().map_err(|error| format!("{}: {error}", model.display()))?;
        let define = format!("-DN={n}");
        program.run("spin", &["-o3", "-a", &define, &model.to_string_lossy()])?;
        Ok(program)
    }

    /// Compiles and runs: all states, without partial-order reduction, which would leave some out. The bytes of a vector are
    /// asked for by the automaton alone.
    pub fn explore(&self, way: Way, vector_bytes: u64, depth: u64, states: u64) -> Result<Run, String> {
        let automaton = format!("-DMA={vector_bytes}");
        let mut flags = vec!["-O2", "-DSAFETY", "-DNOREDUCE", "-DNOFAIR"];
        match way {
            Way::Table => {}
            Way::Collapse => flags.push("-DCOLLAPSE"),
            Way::Automaton => flags.push(&automaton),
        }
        flags.extend(["-o", "pan", "pan.c"]);
        self.run("gcc", &flags)?;
        // The table has one to two places for each state, as somebody would choose who knows how many there are.
        let bits = states.max(2).next_power_of_two().ilog2();
        let before = cpu_seconds_of_children();
        let pan = self.folder.join("pan");
        // Dead states are no errors here, and unreached lines are not asked for.
        let said =
            self.run(&pan.to_string_lossy(), &[&format!("-m{depth}"), &format!("-w{bits}"), "-E", "-n"])?;
        let cpu_seconds = cpu_seconds_of_children() - before;
        let run =
            parse(&said, cpu_seconds).ok_or_else(|| format!("what SPIN said was not understood:\n{said}"))?;
        match said.contains("max search depth too small") {
            true => Err(format!("a search of depth {depth} was not deep enough")),
            false => Ok(run),
        }
    }

    fn run(&self, program: &str, args: &[&str]) -> Result<String, String> {
        let output = Command::new(program).args(args).current_dir(&self.folder).output();
        let output = output.map_err(|error| format!("{program}: {error}"))?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        match output.status.success() {
            true => Ok(said),
            false => Err(format!("{program} failed: {said}{}", String::from_utf8_lossy(&output.stderr))),
        }
    }
}

/// Takes what a run has said apart.
fn parse(said: &str, cpu_seconds: f64) -> Option<Run> {
    // A figure stands in front of its words, or behind them.
    let before = |words: &str| {
        let line = said.lines().find(|line| line.contains(words))?;
        line.split(words).next()?.split_whitespace().last()?.parse::<f64>().ok()
    };
    let behind = |words: &str| {
        let number = said.split(words).nth(1)?.split_whitespace().next()?;
        number.trim_end_matches(',').parse::<f64>().ok()
    };
    // These are megabytes of two to the twentieth.
    let bytes = |words: &str| Some(before(words)? * 1_048_576.0);
    let states = before("states, stored")?;
    // The automaton needs no table to be found again.
    let store = bytes("actual memory usage for states")? + bytes("memory used for hash table").unwrap_or(0.0);
    Some(Run {
        states: states as u64,
        edges: before("transitions (= stored+matched)")? as u64 - 1,
        depth: behind("depth reached")? as u64,
        vector_bytes: behind("State-vector")? as u64,
        store_bytes: store,
        bytes: bytes("total actual memory usage")?,
        cpu_seconds,
    })
}

/// User and system time of all processes that this one waited for, in seconds; the kernel counts them in hundredths.
fn cpu_seconds_of_children() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks = after_name.split_whitespace().skip(13).take(2).filter_map(|field| field.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_run_says_is_understood() {
        let said = "State-vector 68 byte, depth reached 13, errors: 0\n     5104 states, stored\n    15323 states, matched\n    \
                    20427 transitions (= stored+matched)\n\n    0.428\tequivalent memory usage for states (stored)\n    \
                    0.500\tactual memory usage for states\n    8.000\tmemory used for hash table (-w20)\n   \
                    45.5\tmemory used for DFS stack (-m1000000)\n   54.000\ttotal actual memory usage\n";
        let run = parse(said, 1.5).unwrap();
        assert_eq!((run.states, run.edges, run.depth, run.vector_bytes), (5104, 20426, 13, 68));
        assert_eq!(
            (run.store_bytes, run.bytes, run.cpu_seconds),
            (8.5 * 1_048_576.0, 54.0 * 1_048_576.0, 1.5)
        );
        let automaton = said.replace("    8.000\tmemory used for hash table (-w20)\n", "");
        assert_eq!(parse(&automaton, 1.5).unwrap().store_bytes, 0.5 * 1_048_576.0);
        assert_eq!(parse("pan: out of memory", 0.0), None);
    }
}
