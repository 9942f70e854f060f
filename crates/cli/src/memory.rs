//! The memory of this process as the system sees it.

/// Largest resident set so far, in bytes; nothing where the system does not tell it in `/proc`.
pub fn peak_resident() -> Option<u64> {
    field(&std::fs::read_to_string("/proc/self/status").ok()?, "VmHWM:")
}

/// Largest resident set so far of another process; nothing where it has ended or the system does not tell.
pub fn peak_of(process: u32) -> Option<u64> {
    field(&std::fs::read_to_string(format!("/proc/{process}/status")).ok()?, "VmHWM:")
}

/// All memory of the machine; nothing where the system does not tell.
pub fn total() -> Option<u64> {
    field(&std::fs::read_to_string("/proc/meminfo").ok()?, "MemTotal:")
}

/// How much more memory a search may take when the user sets no limit, in bytes: most of what the system can
/// still give. Beyond that, a system ends processes without asking them, and what was found would be lost. Nothing
/// where the system does not tell.
pub fn available() -> Option<u64> {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let free = read("/proc/meminfo").and_then(|text| field(&text, "MemAvailable:"));
    let address_space = read("/proc/self/limits").and_then(|text| {
        let taken = field(&read("/proc/self/status")?, "VmSize:")?;
        Some(address_space_limit(&text)?.saturating_sub(taken))
    });
    let number = |path: &str| read(path)?.trim().parse::<u64>().ok();
    let group = number("/sys/fs/cgroup/memory.max")
        .zip(number("/sys/fs/cgroup/memory.current"))
        .map(|(most, taken)| most.saturating_sub(taken));
    let least = [free, address_space, group].into_iter().flatten().min()?;
    // Tables that grow need some room for the old one beside the new one.
    Some(least / 100 * 85)
}

/// The limit of the address space in `/proc/self/limits`; nothing when there is none.
fn address_space_limit(limits: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// A field of `/proc/self/status` or `/proc/meminfo`, which is given in units of 1024 bytes.
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

    #[test]
    fn limits_of_the_address_space_are_found() {
        let limits = "Limit                     Soft Limit           Hard Limit           Units\n\
                      Max address space         921600000            unlimited            bytes\n";
        assert_eq!(address_space_limit(limits), Some(921_600_000));
        assert_eq!(address_space_limit(&limits.replace("921600000", "unlimited")), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn something_is_available_but_not_all() {
        let available = available().unwrap();
        let total = field(&std::fs::read_to_string("/proc/meminfo").unwrap(), "MemTotal:").unwrap();
        assert!(0 < available && available < total, "{available} of {total}");
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
