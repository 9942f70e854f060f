//! How the process ends.

/// The exit statuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Everything asked for was done.
    Done,
    /// Two things that were compared are not the same.
    Different,
    /// A property does not hold.
    Fails,
    /// Bad usage, bad input, an error of the model, or output that cannot be written.
    Bad,
    /// A limit was reached before the end, or an answer is not known.
    Limit,
    /// A fault of Petite itself.
    Bug,
    /// Ctrl-C or a request to terminate.
    Interrupted,
}

impl Exit {
    /// The number that the shell sees.
    pub fn status(self) -> i32 {
        match self {
            Exit::Done => 0,
            Exit::Different => 1,
            Exit::Fails => 1,
            Exit::Bad => 2,
            Exit::Limit => 3,
            Exit::Bug => 101,
            Exit::Interrupted => 130,
        }
    }
}
