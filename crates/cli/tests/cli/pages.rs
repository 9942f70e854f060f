//! The pages of the documentation: their blocks, links and headings.
//!
//! A fenced block is a transcript if nothing stands behind its fence and it begins with `$ petite`, a file if a language and a
//! name stand there (`lna workshop.lna`), and is only shown otherwise.

use std::path::{Path, PathBuf};

/// A Markdown file.
pub struct Page {
    /// Its path in the repository, as `docs/explore.md`.
    pub name: String,
    text: String,
}

/// A fenced block.
pub struct Block<'a> {
    /// The words behind the opening fence.
    pub words: Vec<&'a str>,
    /// Its lines.
    pub lines: Vec<&'a str>,
}

/// A command with what is shown below it.
pub struct Transcript<'a> {
    /// The line, without the prompt and with its continuations.
    pub command: String,
    /// What is shown.
    pub shown: Vec<&'a str>,
}

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The readme and all pages of the guide, in the order of their names.
pub fn all() -> Vec<Page> {
    let files = std::fs::read_dir(root().join("docs")).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> =
        names.filter(|name| name.ends_with(".md")).map(|name| format!("docs/{name}")).collect();
    names.push("README.md".to_owned());
    names.sort();
    names.into_iter().map(Page::read).collect()
}

impl Page {
    /// The page of that path.
    pub fn read(name: String) -> Page {
        let text = std::fs::read_to_string(root().join(&name)).unwrap();
        Page { name, text }
    }

    /// The fenced blocks, in order.
    pub fn blocks(&self) -> Vec<Block<'_>> {
        let mut blocks = Vec::new();
        let mut open: Option<Block<'_>> = None;
        for line in self.text.lines() {
            match (line.strip_prefix("```"), open.take()) {
                (Some(words), None) => {
                    open = Some(Block { words: words.split_whitespace().collect(), lines: Vec::new() });
                }
                (Some(_), Some(block)) => blocks.push(block),
                (None, Some(mut block)) => {
                    block.lines.push(line);
                    open = Some(block);
                }
                (None, None) => {}
            }
        }
        assert!(open.is_none(), "{}: a fence is not closed", self.name);
        blocks
    }

    /// The lines outside of blocks.
    pub fn prose(&self) -> impl Iterator<Item = &str> {
        let mut is_inside = false;
        self.text.lines().filter(move |line| {
            let is_fence = line.starts_with("```");
            is_inside ^= is_fence;
            !is_inside && !is_fence
        })
    }

    /// Where links lead that stay in the repository.
    pub fn links(&self) -> Vec<String> {
        // Code between backquotes has no links; its halves are every second part of a line.
        let spoken = self.prose().flat_map(|line| line.split('`').step_by(2).collect::<Vec<_>>());
        let targets = spoken.flat_map(|part| {
            part.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target)
        });
        targets.filter(|target| !target.contains("://")).map(str::to_owned).collect()
    }

    /// The headings, as links name them.
    pub fn anchors(&self) -> Vec<String> {
        let headings = self.prose().filter(|line| line.starts_with('#'));
        headings.map(|line| anchor(line.trim_start_matches('#').trim())).collect()
    }

    /// All lines.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.text.lines()
    }

    /// Whether it has this text somewhere.
    pub fn has(&self, text: &str) -> bool {
        self.text.contains(text)
    }
}

impl Block<'_> {
    /// The name of the file that it is.
    pub fn file(&self) -> Option<&str> {
        match self.words.as_slice() {
            [_, name] => Some(name),
            _ => None,
        }
    }

    /// Lines that one would type into a shell.
    pub fn commands(&self) -> usize {
        let starts = ["$ ", "petite ", "cargo ", "git ", "scripts/", "PETITE_"];
        self.lines.iter().filter(|line| starts.iter().any(|start| line.starts_with(start))).count()
    }
}

impl<'a> Block<'a> {
    /// The commands with their output; none where the block is marked as only shown.
    pub fn transcripts(&self) -> Vec<Transcript<'a>> {
        let mut transcripts: Vec<Transcript<'a>> = Vec::new();
        if !self.words.is_empty() {
            return transcripts;
        }
        let mut goes_on = false;
        for line in &self.lines {
            let (command, continues) = match line.strip_suffix('\\') {
                Some(line) => (line, true),
                None => (*line, false),
            };
            match (command.strip_prefix("$ petite "), transcripts.last_mut()) {
                (Some(command), _) => {
                    transcripts.push(Transcript { command: command.to_owned(), shown: Vec::new() });
                    goes_on = continues;
                }
                (None, Some(last)) if goes_on => {
                    last.command += command;
                    goes_on = continues;
                }
                (None, Some(last)) => last.shown.push(line),
                (None, None) => {}
            }
        }
        transcripts
    }
}

/// The words of a command, as a shell would take them: in quotes blanks are kept.
pub fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for character in command.chars() {
        match quote {
            Some(end) if character == end => quote = None,
            Some(_) => word.get_or_insert_default().push(character),
            None if matches!(character, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            None if character == ' ' => words.extend(word.take()),
            None => word.get_or_insert_default().push(character),
        }
    }
    assert_eq!(quote, None, "a quote is not closed: {command}");
    words.extend(word);
    words
}

/// What a heading is called in links: lower case, without marks, blanks as hyphens.
fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn commands_are_taken_apart_as_by_a_shell() {
    assert_eq!(words("check a.lna -f 'AG p <= 1'  -q"), ["check", "a.lna", "-f", "AG p <= 1", "-q"]);
    assert_eq!(words("a '' \"b 'c'\"d"), ["a", "", "b 'c'd"]);
}

#[test]
fn blocks_have_commands_and_files() {
    let text = "# A `b`: C-d!\n\n[x](y.md#z) `[n](o)` [`p`](q.md)\n\n```\n$ petite a \\\n    b\nout\n$ petite c\n```\n\
                ```lna m.lna\nnet\n```\n```sh\n$ petite d\n```\n";
    let page = Page { name: "p".to_owned(), text: text.to_owned() };
    let blocks = page.blocks();
    let transcripts = blocks[0].transcripts();
    assert_eq!((transcripts[0].command.as_str(), &transcripts[0].shown), ("a     b", &vec!["out"]));
    assert_eq!((transcripts[1].command.as_str(), transcripts[1].shown.len()), ("c", 0));
    assert_eq!((blocks[1].file(), blocks[0].file()), (Some("m.lna"), None));
    assert_eq!((blocks[2].transcripts().len(), blocks[2].commands()), (0, 1));
    assert_eq!(page.anchors(), ["a-b-c-d"]);
    assert_eq!(page.links(), ["y.md#z", "q.md"]);
}
