//! What can be chosen of the lossy stores.

use clap::Args;
use petite_store::{FINGERPRINT_WIDTHS, MOST_FUNCTIONS};

use crate::units;

/// What can be chosen of the lossy stores.
#[derive(Debug, Args)]
#[command(next_help_heading = "Lossy stores")]
pub struct LossyArgs {
    /// Memory for the bits of --store bitstate, as in 64M or 1GiB.
    #[arg(long, value_name = "SIZE", value_parser = units::parse_size, default_value = "64MiB")]
    pub bitstate_memory: u64,

    /// Number of hash functions of --store bitstate.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 3,
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_FUNCTIONS))
    )]
    pub hash_functions: u32,

    /// Bits of a state's fingerprint in --store hashcompact.
    #[arg(
        long,
        value_name = "BITS",
        default_value_t = 64,
        value_parser = clap::value_parser!(u32)
            .range(i64::from(*FINGERPRINT_WIDTHS.start())..=i64::from(*FINGERPRINT_WIDTHS.end()))
    )]
    pub hash_bits: u32,

    /// Seed of the hash functions of lossy stores; another seed misses other states.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub hash_seed: u64,
}
