//! Pictures of the page.

/// A picture and what it is called.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The name of its file, without an extension.
    pub name: &'static str,
    /// What it shows.
    pub title: &'static str,
    /// The picture.
    pub svg: String,
}
