//! Ways to keep states: a store, a codec and a search order, by name.
//!
//! ```text
//!  tree            a store
//!  multiset        a codec, in the plain table
//!  ondd+collapse   both
//!  delta+dfs       a store and an order
//!  sweep           the sweep-line method, which has a table of its own
//! ```
//!
//! A name that is known here may still be a combination that cannot work: the search refuses it then, and says why.

/// A way to keep states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// What it is called, as in `delta+dfs`.
    pub name: String,
    /// The store's word on the command line.
    pub store: &'static str,
    /// The codec's, where it is not that of the plain table.
    pub codec: Option<&'static str>,
    /// The order's.
    pub search: &'static str,
}

/// The stores.
const STORES: [&str; 10] =
    ["plain", "tree", "tree-ids", "delta", "difference", "ondd", "obdd", "hashcompact", "bitstate", "auto"];

/// The codecs beside the packed vector.
const CODECS: [&str; 4] = ["multiset", "compress", "collapse", "new-collapse"];

/// The search orders that go with any store.
const SEARCHES: [&str; 2] = ["bfs", "dfs"];

/// The order that has a store of its own.
const SWEEP: &str = "sweep";

/// What a user wants to see first: every store, every codec, and the orders where they matter.
const USUAL: [&str; 15] = [
    "plain",
    "multiset",
    "compress",
    "collapse",
    "new-collapse",
    "tree",
    "tree-ids",
    "delta",
    "delta+dfs",
    "difference",
    "ondd",
    "ondd+new-collapse",
    "obdd",
    "sweep",
    "hashcompact",
];

/// What `all` adds to that.
const OTHERS: [&str; 12] = [
    "plain+dfs",
    "tree+dfs",
    "difference+dfs",
    "ondd+compress",
    "ondd+collapse",
    "obdd+compress",
    "obdd+collapse",
    "obdd+new-collapse",
    "ondd+dfs",
    "obdd+dfs",
    "hashcompact+dfs",
    "bitstate",
];

/// The ways that a list names: words with commas between them. `usual` and `all` stand for several. None is named twice,
/// and the plain table comes first if it is there, because the others are measured by it.
///
/// # Errors
/// A word that is not known, with the nearest one that is.
pub fn ways(list: &str) -> Result<Vec<Way>, String> {
    let mut ways: Vec<Way> = Vec::new();
    for word in list.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        let words: Vec<&str> = match word {
            "usual" | "default" => USUAL.to_vec(),
            "all" => USUAL.iter().chain(&OTHERS).copied().collect(),
            word => vec![word],
        };
        for word in words {
            let way = Way::read(word)?;
            if !ways.contains(&way) {
                ways.push(way);
            }
        }
    }
    if ways.is_empty() {
        return Err(format!("expected stores with commas between them, as in {}", USUAL[..6].join(",")));
    }
    ways.sort_by_key(|way| !way.is_baseline());
    Ok(ways)
}

impl Way {
    /// The plain table, breadth first.
    pub fn baseline() -> Way {
        Way { name: "plain".to_owned(), store: "plain", codec: None, search: "bfs" }
    }

    /// Whether the others are measured by it.
    pub fn is_baseline(&self) -> bool {
        *self == Way::baseline()
    }

    /// Reads a name.
    ///
    /// # Errors
    /// What is wrong with it.
    fn read(text: &str) -> Result<Way, String> {
        let (mut store, mut codec, mut search) = (None, None, None);
        for word in text.split('+') {
            let known = |list: &[&'static str]| list.iter().find(|&&known| known == word).copied();
            let (slot, value) = match (known(&STORES), known(&CODECS), known(&SEARCHES)) {
                (Some(value), ..) => (&mut store, value),
                (_, Some(value), _) => (&mut codec, value),
                (_, _, Some(value)) => (&mut search, value),
                _ if word == SWEEP => (&mut search, SWEEP),
                _ => return Err(unknown(word)),
            };
            if let Some(before) = slot.replace(value) {
                return Err(format!("'{text}' names both {before} and {value}: one of a kind is expected"));
            }
        }
        if search == Some(SWEEP) && (store.is_some() || codec.is_some()) {
            return Err(
                "sweep has a table of its own, so no store goes with it: write sweep alone".to_owned()
            );
        }
        let store = store.unwrap_or("plain");
        let search = search.unwrap_or("bfs");
        let mut name = match (store, codec, search) {
            (_, None, SWEEP) => SWEEP.to_owned(),
            ("plain", Some(codec), _) => codec.to_owned(),
            (store, Some(codec), _) => format!("{store}+{codec}"),
            (store, None, _) => store.to_owned(),
        };
        if search == "dfs" {
            name += "+dfs";
        }
        Ok(Way { name, store, codec, search })
    }

    /// The arguments of `petite explore` that ask for it; what goes without saying is left out.
    pub fn arguments(&self) -> Vec<String> {
        let mut arguments = Vec::new();
        if self.search != SWEEP {
            arguments.extend(["--store", self.store]);
        }
        arguments.extend(self.codec.into_iter().flat_map(|codec| ["--codec", codec]));
        if self.search != "bfs" {
            arguments.extend(["--search", self.search]);
        }
        arguments.into_iter().map(str::to_owned).collect()
    }
}

fn unknown(word: &str) -> String {
    let all = || STORES.iter().chain(&CODECS).chain(&SEARCHES).chain([&SWEEP, &"usual", &"all"]);
    let nearest = all().map(|&known| (distance(word, known), known)).min();
    match nearest {
        Some((distance, known)) if distance <= 2.max(word.len() / 3) => {
            format!("unknown store '{word}': did you mean {known}?")
        }
        _ => format!("unknown store '{word}': known are {}", all().copied().collect::<Vec<_>>().join(", ")),
    }
}

/// How many letters must be added, taken away or changed to turn one word into another.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &to) in b.iter().enumerate() {
            let changed = diagonal + usize::from(from != to);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &str) -> Vec<String> {
        ways(list).unwrap().into_iter().map(|way| way.name).collect()
    }

    #[test]
    fn names_become_arguments() {
        for (text, arguments) in [
            ("plain", "--store plain"),
            ("multiset", "--store plain --codec multiset"),
            ("ondd+new-collapse", "--store ondd --codec new-collapse"),
            ("dfs+delta", "--store delta --search dfs"),
            ("sweep", "--search sweep"),
            ("auto", "--store auto"),
        ] {
            assert_eq!(ways(text).unwrap()[0].arguments().join(" "), arguments, "{text}");
        }
        assert_eq!(names("dfs+plain+multiset"), ["multiset+dfs"]);
    }

    #[test]
    fn lists_name_each_way_once_and_the_measure_first() {
        assert_eq!(names("tree, plain,tree"), ["plain", "tree"]);
        assert_eq!(names("usual").len(), USUAL.len());
        assert_eq!(names("all,tree").len(), USUAL.len() + OTHERS.len());
        // Names come out as they go in.
        assert_eq!(names("usual"), USUAL);
    }

    #[test]
    fn what_is_wrong_is_explained() {
        assert!(ways("tre").unwrap_err().contains("did you mean tree?"));
        assert!(ways("hash-compact").unwrap_err().contains("did you mean hashcompact?"));
        assert!(ways("zzzzzzzz").unwrap_err().contains("known are plain, tree"));
        assert!(ways("tree+ondd").unwrap_err().contains("both tree and ondd"));
        assert!(ways("sweep+tree").unwrap_err().contains("table of its own"));
        assert!(ways("").unwrap_err().contains("commas"));
        assert!(ways("tree+").unwrap_err().contains("unknown store ''"));
    }
}
