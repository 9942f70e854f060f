//! Numbers in few columns.

/// A count with thousands separators: `1,914,784`.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3 + 1);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A size in bytes in at most nine columns: `17 B`, `1.5 KiB`, `23.0 MiB`.
pub fn short_size(bytes: f64) -> String {
    const UNITS: [&str; 5] = ["KiB", "MiB", "GiB", "TiB", "PiB"];
    if bytes < 1024.0 {
        return format!("{bytes:.0} B");
    }
    let mut value = bytes / 1024.0;
    let mut unit = 0;
    while value >= 1000.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{value:.1} {}", UNITS[unit])
}

/// A time in seconds in at most eight columns: `0.2 ms`, `13.4 ms`, `4.21 s`, `83.2 s`, `12m05s`, `3h07m`.
pub fn short_seconds(time: f64) -> String {
    if time < 0.09995 {
        return format!("{:.1} ms", time * 1000.0);
    }
    if time < 0.9995 {
        return format!("{:.0} ms", time * 1000.0);
    }
    if time < 100.0 {
        return format!("{time:.2} s");
    }
    // Rounding is of whole seconds from here on; the cast saturates.
    let whole = time.round() as u64;
    let (hours, minutes, seconds) = (whole / 3600, whole / 60 % 60, whole % 60);
    if hours == 0 { format!("{minutes}m{seconds:02}s") } else { format!("{hours}h{minutes:02}m") }
}

/// A count of states in at most eleven columns: `1,914,784`, `9.999G`.
pub fn short_count(count: u64) -> String {
    if count < 1_000_000_000 { grouped(count) } else { format!("{:.3}G", count as f64 / 1e9) }
}

/// A rate in at most seven columns: `957`, `95,739`, `9.57M`, `957M`.
pub fn short_rate(rate: f64) -> String {
    match rate {
        rate if !rate.is_finite() => "-".to_owned(),
        // Casts are of small numbers here.
        rate if rate < 999_999.5 => grouped(rate.round() as u64),
        rate if rate < 99_500_000.0 => format!("{:.2}M", rate / 1e6),
        rate => format!("{:.0}M", rate / 1e6),
    }
}

/// An average or a ratio in at most six columns: `1,234`, `65.3`, `1.37`, `0.021`.
pub fn short_ratio(value: f64) -> String {
    match value {
        value if !value.is_finite() => "-".to_owned(),
        value if value >= 99.95 => grouped(value.round() as u64),
        value if value >= 9.995 => format!("{value:.1}"),
        value if value >= 0.0995 || value == 0.0 => format!("{value:.2}"),
        value => format!("{value:.3}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_in_their_columns() {
        assert_eq!([0, 999, 1000, 1_914_784].map(grouped), ["0", "999", "1,000", "1,914,784"]);
        assert_eq!(
            [17.0, 1536.0, 1023.0 * 1024.0, 3e9].map(short_size),
            ["17 B", "1.5 KiB", "1.0 MiB", "2.8 GiB"]
        );
        assert_eq!(
            [0.0002, 0.0134, 0.7342, 4.209, 83.2, 725.0, 11_220.0].map(short_seconds),
            ["0.2 ms", "13.4 ms", "734 ms", "4.21 s", "83.20 s", "12m05s", "3h07m"]
        );
        assert_eq!([957.2, 95_739.0, 9.57e6, 9.57e8].map(short_rate), ["957", "95,739", "9.57M", "957M"]);
        assert_eq!(
            [1234.0, 65.34, 1.372, 0.0214, 0.0].map(short_ratio),
            ["1,234", "65.3", "1.37", "0.021", "0.00"]
        );
        assert_eq!(short_ratio(f64::NAN), "-");
        assert_eq!([82, 387_420_489, 9_999_999_999].map(short_count), ["82", "387,420,489", "10.000G"]);
    }
}
