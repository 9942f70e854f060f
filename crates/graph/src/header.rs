//! What a graph says of itself beside nodes and edges.

use crate::Fingerprint;

/// Where a graph comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// The model's file, as it was given.
    pub model: String,
    /// The net's name.
    pub net: String,
    /// The net's parameters and the values used.
    pub params: Vec<(String, i64)>,
    /// The symbols that were defined for reading it.
    pub defines: Vec<String>,
    /// The capacity of places that state none, where one was given.
    pub capacity: Option<u32>,
    /// The engine that fired.
    pub engine: String,
    /// The search that numbered the nodes.
    pub search: String,
    /// What tells the model from others.
    pub fingerprint: Fingerprint,
    /// The names of the net's transitions.
    pub transitions: Vec<String>,
}

/// An action that labels edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionName {
    /// Position of its transition in [`About::transitions`]; none where the model has no transitions.
    pub transition: Option<u32>,
    /// Transition and binding in words.
    pub text: String,
}

/// Whether the model numbers an action alike in every run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbering {
    /// It lists all actions ahead: labels are the model's numbers.
    Fixed,
    /// It numbers actions as it meets them: labels are found by the actions' texts.
    Met,
}

/// Appends numbers and texts to bytes.
#[derive(Debug, Default)]
pub struct TextWriter(pub Vec<u8>);

impl TextWriter {
    pub fn number(&mut self, number: u64) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    pub fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
    }
}

/// Reads what a [`TextWriter`] wrote; `None` where it did not write that.
#[derive(Debug)]
pub struct TextReader<'a>(pub &'a [u8]);

impl<'a> TextReader<'a> {
    pub fn number(&mut self) -> Option<u64> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*number))
    }

    pub fn text(&mut self) -> Option<String> {
        let length = usize::try_from(self.number()?).ok()?;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(std::str::from_utf8(text).ok()?.to_owned())
    }

    /// As many things as a number says, each of which takes a byte at least.
    pub fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let n = usize::try_from(self.number()?).ok().filter(|&n| n <= self.0.len())?;
        (0..n).map(|_| one(self)).collect()
    }
}

/// Writes everything but the fingerprint, which is elsewhere.
pub fn write_texts(about: &About, actions: &[ActionName]) -> Vec<u8> {
    let mut writer = TextWriter::default();
    [&about.model, &about.net, &about.engine, &about.search].iter().for_each(|text| writer.text(text));
    writer.number(about.params.len() as u64);
    for (name, value) in &about.params {
        writer.text(name);
        writer.number(*value as u64);
    }
    writer.number(about.defines.len() as u64);
    about.defines.iter().for_each(|symbol| writer.text(symbol));
    writer.number(about.capacity.map_or(0, |capacity| u64::from(capacity) + 1));
    writer.number(about.transitions.len() as u64);
    about.transitions.iter().for_each(|name| writer.text(name));
    writer.number(actions.len() as u64);
    for action in actions {
        writer.number(action.transition.map_or(0, |transition| u64::from(transition) + 1));
        writer.text(&action.text);
    }
    writer.0
}

/// Reads what [`write_texts`] wrote.
pub fn read_texts(bytes: &[u8], fingerprint: Fingerprint) -> Option<(About, Vec<ActionName>)> {
    let mut reader = TextReader(bytes);
    let [model, net, engine, search] = [reader.text()?, reader.text()?, reader.text()?, reader.text()?];
    let params = reader.list(|reader| Some((reader.text()?, reader.number()? as i64)))?;
    let defines = reader.list(TextReader::text)?;
    let capacity = match reader.number()? {
        0 => None,
        n => Some(u32::try_from(n - 1).ok()?),
    };
    let transitions = reader.list(TextReader::text)?;
    let actions = reader.list(|reader| {
        let transition = match reader.number()? {
            0 => None,
            n => Some(u32::try_from(n - 1).ok().filter(|&n| (n as usize) < transitions.len())?),
        };
        Some(ActionName { transition, text: reader.text()? })
    })?;
    let about = About { model, net, params, defines, capacity, engine, search, fingerprint, transitions };
    reader.0.is_empty().then_some((about, actions))
}
