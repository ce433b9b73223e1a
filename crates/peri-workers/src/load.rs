//! How busy the machine is. Where the system does not tell, it is taken for idle.

use crate::settings::WorkersSettings;

/// How busy the machine is.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Load {
    /// Work that waits or runs, for each core.
    pub per_core: Option<f64>,
    /// The share of memory that is free.
    pub memory_free: Option<f64>,
}

impl Load {
    /// As it is now.
    pub fn now() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get) as f64;
        let read = |path: &str| peri_private::read_text(path).ok();
        Self {
            per_core: read("/proc/loadavg").and_then(|text| load_average(&text)).map(|load| load / cores),
            memory_free: read("/proc/meminfo").and_then(|text| memory_free(&text)),
        }
    }

    /// Why what is due should wait, if it should.
    pub fn reason_to_wait(&self, settings: &WorkersSettings) -> Option<String> {
        if let Some(load) = self.per_core.filter(|load| settings.load_max > 0.0 && *load > settings.load_max)
        {
            return Some(format!(
                "the machine has {load:.1} times as much work as it has cores, more than {}",
                settings.load_max
            ));
        }
        let free = self.memory_free.filter(|free| *free < settings.memory_free_min)?;
        Some(format!("only {:.0} % of the memory is free", free * 100.0))
    }
}

/// The average of the last minute.
fn load_average(text: &str) -> Option<f64> {
    text.split_whitespace().next()?.parse().ok().filter(|load: &f64| load.is_finite())
}

fn memory_free(text: &str) -> Option<f64> {
    let field = |name: &str| -> Option<f64> {
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        line.split_whitespace().next()?.parse().ok()
    };
    let (total, available) = (field("MemTotal")?, field("MemAvailable")?);
    (total > 0.0).then(|| available / total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_says_is_read_and_nonsense_is_taken_for_idle() {
        assert_eq!(load_average("3.50 2.00 1.00 1/200 999\n"), Some(3.5));
        assert_eq!(load_average("busy"), None);
        assert_eq!(load_average(""), None);
        assert_eq!(memory_free("MemTotal: 1000 kB\nMemFree: 1 kB\nMemAvailable:  250 kB\n"), Some(0.25));
        assert_eq!(memory_free("MemTotal: 0 kB\nMemAvailable: 0 kB\n"), None);
        assert_eq!(Load::default().reason_to_wait(&WorkersSettings::default()), None);
    }

    #[test]
    fn a_busy_machine_is_a_reason_to_wait_exactly_beyond_what_is_configured() {
        let settings = WorkersSettings { load_max: 2.0, memory_free_min: 0.1, ..WorkersSettings::default() };
        let load = |per_core, free| Load { per_core: Some(per_core), memory_free: Some(free) };
        assert_eq!(load(2.0, 0.1).reason_to_wait(&settings), None);
        assert!(load(2.1, 0.5).reason_to_wait(&settings).is_some());
        assert!(load(0.1, 0.09).reason_to_wait(&settings).is_some());
        let never = WorkersSettings { load_max: 0.0, memory_free_min: 0.0, ..settings };
        assert_eq!(load(50.0, 0.0).reason_to_wait(&never), None);
    }
}
