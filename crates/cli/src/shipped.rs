//! The models that come with the command: for the first minutes, wherever it was installed.

use std::path::Path;

/// Names and texts of the files in `models/`, by name.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/shipped_models.rs"));

/// The text of a shipped file by its name, with or without the folder.
pub fn text(path: &Path) -> Option<&'static str> {
    let folder = path.parent().map(|folder| folder.as_os_str().to_string_lossy().into_owned());
    if !matches!(folder.as_deref(), None | Some("" | "models" | "./models" | ".")) {
        return None;
    }
    let name = path.file_name()?.to_string_lossy();
    FILES.iter().find(|(file, _)| *file == name).map(|&(_, text)| text)
}

/// The file name that was probably meant by a name without or with a wrong extension, or misspelt.
pub fn nearest(path: &Path) -> Option<&'static str> {
    let stem = path.file_stem()?.to_string_lossy().to_lowercase();
    let models = models().map(|(file, _)| (distance(&stem, stem_of(file)), file));
    let (letters, file) = models.min_by_key(|(letters, _)| *letters)?;
    (letters <= (stem.chars().count() / 4).max(1)).then_some(file)
}

/// Names and titles of the models.
pub fn models() -> impl Iterator<Item = (&'static str, String)> {
    let is_model = |(file, _): &&(&str, &str)| !file.ends_with(".prop.lna");
    FILES.iter().filter(is_model).map(|&(file, text)| (file, title(text)))
}

/// The list of the models for a screen of 80 columns.
pub fn list() -> String {
    let mut text = String::new();
    for (file, title) in models() {
        let room = 80 - 4 - 20;
        let cut = match title.chars().count() <= room {
            true => title,
            false => {
                let short: String = title.chars().take(room - 3).collect();
                format!("{}...", short.trim_end_matches([' ', ',', ':', ';']))
            }
        };
        text += &format!("  {file:<21} {cut}\n");
    }
    text
}

fn stem_of(file: &str) -> &str {
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}

/// The first sentence of the comment at the head of a model.
fn title(text: &str) -> String {
    let comment = text.lines().map(|line| line.trim_start_matches(['/', '*', ' ']).trim_end());
    let first: Vec<&str> =
        comment.skip_while(|line| line.is_empty()).take_while(|line| !line.is_empty()).collect();
    let whole = first.join(" ");
    whole.split(". ").next().unwrap_or_default().trim_end_matches('.').to_owned()
}

/// How many letters must be added, taken away or changed to turn one word into another.
pub fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, &to) in b.iter().enumerate() {
            let changed = diagonal + usize::from(from != to);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_listed_with_a_title_on_one_line_each() {
        assert!(models().count() > 25);
        for line in list().lines() {
            assert!(line.chars().count() <= 80 && line.chars().count() > 30, "{line}");
        }
    }

    #[test]
    fn models_are_found_by_name_but_not_anywhere() {
        for name in ["philosophers.lna", "models/philosophers.lna", "./models/philosophers.lna"] {
            assert!(text(Path::new(name)).is_some_and(|text| text.contains("philosophers (N")), "{name}");
        }
        assert!(text(Path::new("/tmp/philosophers.lna")).is_none());
        assert!(text(Path::new("philosophers")).is_none());
    }

    #[test]
    fn what_was_meant_is_found() {
        assert_eq!(nearest(Path::new("philosopers.lna")), Some("philosophers.lna"));
        assert_eq!(nearest(Path::new("models/hats.lna")), Some("hats.pn"));
        assert_eq!(nearest(Path::new("Peterson")), Some("peterson.lna"));
        assert_eq!(nearest(Path::new("mine.lna")), None);
    }
}
