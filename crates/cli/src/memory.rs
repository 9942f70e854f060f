//! The memory of this process as the system sees it.

/// Largest resident set so far, in bytes; nothing where the system does not tell it in `/proc`.
pub fn peak_resident() -> Option<u64> {
    field(&std::fs::read_to_string("/proc/self/status").ok()?, "VmHWM:")
}

/// A field of `/proc/self/status`, which is given in units of 1024 bytes.
fn field(status: &str, name: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_and_scaled() {
        let status = "Name:\tpetite\nVmHWM:\t    5120 kB\nVmRSS:\t    4096 kB\n";
        assert_eq!(field(status, "VmHWM:"), Some(5120 * 1024));
        assert_eq!(field(status, "VmSwap:"), None);
        assert_eq!(field("VmHWM: lots kB", "VmHWM:"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_peak_covers_what_was_just_touched() {
        let before = peak_resident().unwrap();
        let touched = vec![1u8; 64 << 20];
        assert_eq!(touched.iter().map(|&b| u64::from(b)).sum::<u64>(), 64 << 20);
        let after = peak_resident().unwrap();
        assert!(after >= 64 << 20 && after >= before, "{before} then {after}");
    }
}
