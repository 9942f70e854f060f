//! What `petite --version` says: the version, the commit, and what this build can do.

/// The version with the commit, in one line.
pub const SHORT: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("PETITE_COMMIT"), ")");

/// The same, with what it can do.
pub const LONG: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    " (",
    env!("PETITE_COMMIT"),
    ")\n",
    "target    ",
    env!("PETITE_TARGET"),
    "\n",
    "reads     .lna (Helena's language), .pn (Maria's), .pnml\n",
    "stores    auto, plain, tree, tree-ids, delta, difference, ondd, obdd,\n",
    "          hashcompact and bitstate (lossy)\n",
    "codecs    packed, multiset, compress, collapse, new-collapse\n",
    "searches  bfs, dfs, sweep\n",
    "checks    reachability, bounds, CTL, LTL"
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::OrderArg;
    use crate::codec_args::CodecArg;
    use crate::store_args::StoreArg;
    use clap::ValueEnum;

    /// The names of the choices of an argument.
    fn names<T: ValueEnum>() -> Vec<String> {
        let value = |choice: &T| choice.to_possible_value().map(|value| value.get_name().to_owned());
        T::value_variants().iter().filter_map(value).collect()
    }

    #[test]
    fn it_names_everything_that_can_be_chosen() {
        for name in [names::<StoreArg>(), names::<CodecArg>(), names::<OrderArg>()].concat() {
            assert!(LONG.contains(&name), "{name}");
        }
        assert!(LONG.starts_with(SHORT));
    }
}
