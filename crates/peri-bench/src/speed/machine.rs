//! What Linux tells of the machine and of this process; elsewhere the figures are left out.

use std::fs;

use super::figures::Figures;
use crate::Outcome;

/// Cores and processor, in words.
pub(crate) fn describe() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let told = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = told.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let model = model.map_or("unknown processor", |(_, model)| model.trim());
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().filter(|load| !load.is_empty()).unwrap_or("unknown");
    format!("{cores} cores, {model}, {}, load {load} at the start", std::env::consts::OS)
}

/// How long this thread has been on a processor. On a busy machine the clock on the wall measures the
/// neighbours too.
pub(super) fn processor_micros() -> Option<f64> {
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    told.split(' ').next()?.parse::<f64>().ok().map(|nanos| nanos / 1e3)
}

/// How long this thread has waited for a processor that others were on.
pub(crate) fn waited_micros() -> Option<f64> {
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    told.split(' ').nth(1)?.parse::<f64>().ok().map(|nanos| nanos / 1e3)
}

/// How long all threads of a process have been on a processor, to a hundredth of a second.
pub(super) fn process_micros(process: u32) -> Option<f64> {
    let told = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The program's name stands in parentheses and may hold anything.
    let fields = told.rsplit_once(')')?.1.split_whitespace().skip(11).take(2);
    let hundredths: u64 = fields.map(|field| field.parse::<u64>().ok()).sum::<Option<u64>>()?;
    Some(hundredths as f64 * 1e4)
}

/// How much of this process is in memory now, and was at most.
pub(crate) fn memory(figures: &mut Figures) -> Outcome<()> {
    let Ok(status) = fs::read_to_string("/proc/self/status") else { return Ok(()) };
    for (field, name) in
        [("VmRSS:", "resident_mb"), ("RssAnon:", "resident_heap_mb"), ("VmHWM:", "resident_peak_mb")]
    {
        let told = status.lines().find_map(|line| line.strip_prefix(field));
        if let Some(kilobytes) = told.and_then(|told| told.split_whitespace().next()) {
            figures.insert(name.to_owned(), kilobytes.parse::<f64>()? * 1024.0 / 1e6);
        }
    }
    Ok(())
}
