//! Numbers as people write and read them: counts, sizes, durations.

use std::time::Duration;

pub use petite_compare::grouped;

/// Reads a count: `250000`, `250_000`, `250k`, `1.5M`, `2G`; the suffixes are powers of 1000.
pub fn parse_count(text: &str) -> Result<u64, String> {
    let (number, unit) = split_unit(text);
    let factor = match unit.to_ascii_lowercase().as_str() {
        "" => 1,
        "k" => 1_000,
        "m" => 1_000_000,
        "g" => 1_000_000_000,
        _ => return Err(format!("unknown suffix '{unit}': k, M and G are known, as in 5M")),
    };
    above_zero(scaled(number, factor, "a number such as 250000 or 5M")?)
}

/// Reads a size in bytes: `4G` and `4GiB` are powers of 1024, `4GB` are powers of 1000.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let (number, unit) = split_unit(text);
    let factor = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kib" => 1 << 10,
        "m" | "mib" => 1 << 20,
        "g" | "gib" => 1 << 30,
        "t" | "tib" => 1 << 40,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        "tb" => 1_000_000_000_000,
        _ => return Err(format!("unknown unit '{unit}': write a size such as 4G, 512MiB or 500MB")),
    };
    above_zero(scaled(number, factor, "a size such as 4G or 512MiB")?)
}

/// Reads a duration: `90`, `90s`, `5m`, `1h30m`, `250ms`, `1.5h`, `2d`; a bare number is in seconds.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    const EXPECTED: &str = "a duration such as 90s, 5m or 1h30m";
    let mut rest = text.trim();
    if rest.is_empty() {
        return Err(format!("expected {EXPECTED}"));
    }
    let mut nanoseconds = 0u64;
    while !rest.is_empty() {
        let number_end = rest.find(|c| !is_number_part(c)).unwrap_or(rest.len());
        let (number, after) = rest.split_at(number_end);
        let unit_end = after.find(is_number_part).unwrap_or(after.len());
        let (unit, next) = after.split_at(unit_end);
        let factor: u64 = match unit.trim().to_ascii_lowercase().as_str() {
            "ms" => 1_000_000,
            "s" | "sec" => 1_000_000_000,
            "m" | "min" => 60_000_000_000,
            "h" => 3_600_000_000_000,
            "d" => 86_400_000_000_000,
            "" if rest.len() == text.trim().len() => 1_000_000_000,
            "" => return Err(format!("'{number}' has no unit: expected {EXPECTED}")),
            other => return Err(format!("unknown unit '{other}': ms, s, m, h and d are known")),
        };
        nanoseconds = nanoseconds
            .checked_add(scaled(number, factor, EXPECTED)?)
            .ok_or("too long: at most 584 years")?;
        rest = next;
    }
    above_zero(nanoseconds).map(Duration::from_nanos)
}

/// A rate or an average, with as many digits as it deserves: `1,234,567`, `23.4`, `0.12`.
pub fn grouped_average(value: f64) -> String {
    if !value.is_finite() {
        "-".to_owned()
    } else if value >= 100.0 {
        // A rate is far below 2^64, and the cast saturates.
        grouped(value.round() as u64)
    } else if value == 0.0 {
        "0".to_owned()
    } else if value >= 1.0 {
        format!("{value:.1}")
    } else {
        format!("{value:.2}")
    }
}

/// The same for a value that may be tiny, such as a probability: `0.12`, `3.4e-9`.
pub fn significant(value: f64) -> String {
    if value != 0.0 && value.abs() < 0.01 { format!("{value:.1e}") } else { grouped_average(value) }
}

/// A size in bytes: `17 B`, `1.5 KiB`, `23.0 MiB`, `4.0 GiB`.
pub fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let mut value = bytes as f64 / 1024.0;
    let mut unit = UNITS[0];
    for next in &UNITS[1..] {
        if value < 1023.95 {
            break;
        }
        value /= 1024.0;
        unit = next;
    }
    format!("{value:.1} {unit}")
}

/// A time in seconds, as text: `0.079 ms`, `13.4 ms`, `4.21 s`, `2 min 05 s`, `1 h 02 min`.
pub fn seconds(time: f64) -> String {
    if time < 0.001 {
        return format!("{:.3} ms", time * 1000.0);
    }
    if time < 1.0 {
        return format!("{:.1} ms", time * 1000.0);
    }
    if time < 100.0 {
        return format!("{time:.2} s");
    }
    // Rounding is of whole seconds from here on; the cast saturates.
    let whole = time.round() as u64;
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60);
    if hours == 0 { format!("{minutes} min {rest:02} s") } else { format!("{hours} h {minutes:02} min") }
}

// ---------------------------------------------------------------------------------------------------------
// Reading
// ---------------------------------------------------------------------------------------------------------

fn is_number_part(c: char) -> bool {
    c.is_ascii_digit() || c == '.' || c == '_'
}

/// Splits `512MiB` into `512` and `MiB`.
fn split_unit(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(|c| !is_number_part(c)).unwrap_or(text.len());
    (&text[..end], text[end..].trim())
}

/// The whole number nearest below `number * factor`, in integers alone so that it is exact.
fn scaled(number: &str, factor: u64, expected: &str) -> Result<u64, String> {
    let wrong = || format!("expected {expected}");
    let too_large = || "too large for 64 bits".to_owned();
    let digits: String = number.chars().filter(|&c| c != '_').collect();
    let (whole, fraction) = digits.split_once('.').unwrap_or((&digits, ""));
    if whole.is_empty() || fraction.contains('.') || digits.ends_with('.') {
        return Err(wrong());
    }
    let value = whole.parse::<u64>().map_err(|_| too_large())?.checked_mul(factor).ok_or_else(too_large)?;
    // Digits after the 18th are worth less than one unit of any factor here.
    let fraction = &fraction[..fraction.len().min(18)];
    let parts: u128 = if fraction.is_empty() { 0 } else { fraction.parse().map_err(|_| wrong())? };
    let extra = parts * u128::from(factor) / 10u128.pow(fraction.len() as u32);
    // The extra is less than the factor, which is a u64.
    value.checked_add(extra as u64).ok_or_else(too_large)
}

fn above_zero(value: u64) -> Result<u64, String> {
    if value == 0 { Err("must be more than zero".to_owned()) } else { Ok(value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiny_values_keep_a_digit() {
        assert_eq!([0.0, 0.25, 12.0, 3.44e-9].map(significant), ["0", "0.25", "12.0", "3.4e-9"]);
    }

    #[test]
    fn counts_are_read_with_suffixes() {
        assert_eq!(parse_count("250000"), Ok(250_000));
        assert_eq!(parse_count("250_000"), Ok(250_000));
        assert_eq!(parse_count("1.5M"), Ok(1_500_000));
        assert_eq!(parse_count("2g"), Ok(2_000_000_000));
        assert_eq!(parse_count("18446744073709551615"), Ok(u64::MAX));
        for wrong in ["", "0", "-1", "5x", "1.2.3", "1.", ".5", "18446744073709551616", "99999999999G", "k"] {
            assert!(parse_count(wrong).is_err(), "{wrong:?} should be refused");
        }
    }

    #[test]
    fn sizes_know_binary_and_decimal_units() {
        assert_eq!(parse_size("4G"), Ok(4 << 30));
        assert_eq!(parse_size("512MiB"), Ok(512 << 20));
        assert_eq!(parse_size("512 mib"), Ok(512 << 20));
        assert_eq!(parse_size("500MB"), Ok(500_000_000));
        assert_eq!(parse_size("1.5k"), Ok(1536));
        assert_eq!(parse_size("0.333333333333333333333333333k"), Ok(341));
        assert_eq!(parse_size("77"), Ok(77));
        for wrong in ["", "G", "4X", "0", "0.0001k", "-4G", "99999999T", "1e9"] {
            assert!(parse_size(wrong).is_err(), "{wrong:?} should be refused");
        }
    }

    #[test]
    fn durations_add_up_their_parts() {
        let reads = |text: &str| parse_duration(text).unwrap().as_millis();
        assert_eq!(reads("90"), 90_000);
        assert_eq!(reads("90s"), 90_000);
        assert_eq!(reads("5m"), 300_000);
        assert_eq!(reads("1h30m"), 5_400_000);
        assert_eq!(reads("1h 30m"), 5_400_000);
        assert_eq!(reads("250ms"), 250);
        assert_eq!(reads("1.5h"), 5_400_000);
        for wrong in ["", "0s", "h", "5x", "5m3", "-3s", "1..5s", "99999999d"] {
            assert!(parse_duration(wrong).is_err(), "{wrong:?} should be refused");
        }
    }

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_914_784), "1,914,784");
        assert_eq!(grouped_average(1234.4), "1,234");
        assert_eq!(grouped_average(23.44), "23.4");
        assert_eq!(grouped_average(0.125), "0.12");
        assert_eq!(grouped_average(0.0), "0");
        assert_eq!(grouped_average(f64::NAN), "-");
        assert_eq!(size(17), "17 B");
        assert_eq!(size(1536), "1.5 KiB");
        assert_eq!(size(4 << 30), "4.0 GiB");
        assert_eq!(size((1 << 20) - 1), "1.0 MiB");
        assert_eq!(size(u64::MAX), "16777216.0 TiB");
        assert_eq!(seconds(0.000_079), "0.079 ms");
        assert_eq!(seconds(0.0134), "13.4 ms");
        assert_eq!(seconds(4.209), "4.21 s");
        assert_eq!(seconds(125.2), "2 min 05 s");
        assert_eq!(seconds(3725.0), "1 h 02 min");
    }
}
