//! What is wrong with the input, ready to be shown to a person or a program.

use petite_lang::Diagnostic;
use petite_net::{RunError, Span};

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// What is wrong: lower case, no full stop.
    pub message: String,
    /// Where.
    pub place: Place,
    /// What else there is to know.
    pub notes: Vec<String>,
    /// What to do.
    pub help: Option<String>,
}

/// Where a problem is.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// Not in a file, as with a flag.
    Nowhere,
    /// A file as a whole.
    File(String),
    /// A part of a source text.
    Source {
        /// Number of the source and its bytes.
        span: Span,
        /// What to write at the mark; may be empty.
        label: String,
    },
}

impl Problem {
    /// A problem that is in no file.
    pub fn plain(message: impl Into<String>) -> Problem {
        Problem { message: message.into(), place: Place::Nowhere, notes: Vec::new(), help: None }
    }

    /// A problem of a file as a whole.
    pub fn of_file(path: impl Into<String>, message: impl Into<String>) -> Problem {
        Problem { place: Place::File(path.into()), ..Problem::plain(message) }
    }

    /// A problem of a part of a source text.
    pub fn of_source(span: Span, label: impl Into<String>, message: impl Into<String>) -> Problem {
        Problem { place: Place::Source { span, label: label.into() }, ..Problem::plain(message) }
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Problem {
        self.help = Some(help.into());
        self
    }

    /// Adds what else there is to know.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Problem {
        self.notes.push(note.into());
        self
    }
}

impl From<&RunError> for Problem {
    fn from(error: &RunError) -> Problem {
        let problem = Problem::of_source(error.span, "", error.kind.to_string());
        error.context.iter().cloned().fold(problem, Problem::note)
    }
}

impl From<Diagnostic> for Problem {
    fn from(diagnostic: Diagnostic) -> Problem {
        let problem = Problem::of_source(diagnostic.span, diagnostic.label, diagnostic.message);
        Problem { help: diagnostic.help, ..problem }
    }
}
