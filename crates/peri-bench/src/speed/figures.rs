//! What was measured: numbers by name, and how they are taken on a machine that others use too.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::Outcome;

/// Every figure is taken so many times, and the middle one counts.
pub(super) const ROUNDS: usize = 3;

/// Figures by name. The names end with their unit.
pub(crate) type Figures = BTreeMap<String, f64>;

/// What another process of this program measured and printed; `what` tells it apart in an error.
pub(crate) fn from_child(arguments: Vec<String>, what: &str) -> Outcome<Figures> {
    let mut command = Command::new(std::env::current_exe()?);
    let output = command.args(arguments).stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(format!("measuring {what}: {}", output.status).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// How long the calls of one round took, in microseconds.
#[derive(Clone, Copy)]
pub(crate) struct Latency {
    pub(crate) p50: f64,
    pub(crate) p95: f64,
    pub(crate) p99: f64,
    pub(crate) mean: f64,
}

impl Latency {
    /// The figures of one round, whose times are in microseconds.
    pub(crate) fn of(mut micros: Vec<f64>) -> Self {
        micros.sort_by(f64::total_cmp);
        let mean = micros.iter().sum::<f64>() / micros.len().max(1) as f64;
        let at = |share: f64| {
            let place = ((micros.len() as f64 * share).ceil() as usize).clamp(1, micros.len().max(1));
            micros.get(place - 1).copied().unwrap_or(f64::NAN)
        };
        Self { p50: at(0.5), p95: at(0.95), p99: at(0.99), mean }
    }

    /// Enters the figures under names that begin with `name`.
    pub(super) fn enter(self, figures: &mut Figures, name: &str) {
        for (part, value) in [("p50", self.p50), ("p95", self.p95), ("p99", self.p99), ("mean", self.mean)] {
            figures.insert(format!("{name}_{part}_us"), value);
        }
    }
}

/// The round with the middle p50. Each round gives one time, in microseconds, per call.
pub(super) fn latency(mut round: impl FnMut() -> Outcome<Vec<f64>>) -> Outcome<Latency> {
    let mut rounds = (0..ROUNDS).map(|_| Ok(Latency::of(round()?))).collect::<Outcome<Vec<_>>>()?;
    rounds.sort_by(|a, b| a.p50.total_cmp(&b.p50));
    Ok(rounds[rounds.len() / 2])
}

/// The middle of so many values.
pub(super) fn median(times: usize, mut value: impl FnMut() -> Outcome<f64>) -> Outcome<f64> {
    let mut values = (0..times).map(|_| value()).collect::<Outcome<Vec<_>>>()?;
    values.sort_by(f64::total_cmp);
    Ok(values[values.len() / 2])
}

/// Runs something and says how many microseconds it took.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let done = work();
    (micros(start.elapsed()), done)
}

pub(super) fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// How many a second, when so many took this long.
pub(crate) fn per_second(count: usize, micros: f64) -> f64 {
    count as f64 * 1e6 / micros
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_round_counts() {
        let mut rounds = [vec![9.0; 4], vec![1.0, 2.0, 3.0, 100.0], vec![3.0; 4]].into_iter();
        let latency = latency(|| Ok(rounds.next().unwrap())).unwrap();
        assert_eq!((latency.p50, latency.p99), (3.0, 3.0));
        let latency = Latency::of(vec![3.0, 1.0, 100.0, 2.0]);
        assert_eq!((latency.p50, latency.p95, latency.mean), (2.0, 100.0, 26.5));
    }
}
