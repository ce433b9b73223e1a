//! Four ways to learn, from the most sparing to the most thorough.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How much a namespace spends on learning.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// Learns often and from the latest feedback, in small steps.
    RealTime,
    /// What suits most.
    #[default]
    Balanced,
    /// Learns from everything, thoroughly and rarely.
    Research,
    /// For small machines: a small adapter of the latest feedback.
    Edge,
}

/// What a mode does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModeSettings {
    /// So many examples are kept.
    pub capacity: usize,
    /// How many directions of a query the adapter looks at.
    pub rank: usize,
    /// How far one step of training goes.
    pub rate: f64,
    /// At most so many steps are taken.
    pub epochs_max: usize,
    /// After so many new examples is trained.
    pub train_every: usize,
    /// How strongly earlier tasks are protected.
    pub protection_strength: f32,
}

/// The table of modes.
const TABLE: [(Mode, &str, ModeSettings); 4] = [
    (
        Mode::RealTime,
        "real-time",
        ModeSettings {
            capacity: 200,
            rank: 8,
            rate: 0.2,
            epochs_max: 40,
            train_every: 10,
            protection_strength: 30.0,
        },
    ),
    (
        Mode::Balanced,
        "balanced",
        ModeSettings {
            capacity: 500,
            rank: 32,
            rate: 0.1,
            epochs_max: 150,
            train_every: 25,
            protection_strength: 100.0,
        },
    ),
    (
        Mode::Research,
        "research",
        ModeSettings {
            capacity: 2000,
            rank: 64,
            rate: 0.05,
            epochs_max: 400,
            train_every: 100,
            protection_strength: 200.0,
        },
    ),
    (
        Mode::Edge,
        "edge",
        ModeSettings {
            capacity: 100,
            rank: 4,
            rate: 0.15,
            epochs_max: 30,
            train_every: 50,
            protection_strength: 300.0,
        },
    ),
];

impl Mode {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::RealTime, Self::Balanced, Self::Research, Self::Edge];

    /// What it does.
    pub fn settings(self) -> ModeSettings {
        TABLE[self as usize].2
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        TABLE[self as usize].1
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no mode has. The caller should correct it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` is no mode of learning; there are real-time, balanced, research and edge")]
pub struct UnknownMode {
    /// What was given.
    pub given: String,
}

impl FromStr for Mode {
    type Err = UnknownMode;

    fn from_str(name: &str) -> Result<Self, UnknownMode> {
        let found = TABLE.iter().find(|(_, own, _)| *own == name);
        found.map(|(mode, _, _)| *mode).ok_or_else(|| UnknownMode { given: name.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mode_finds_its_own_line_of_the_table() {
        for (at, mode) in Mode::ALL.into_iter().enumerate() {
            assert_eq!(TABLE[at].0, mode);
            assert_eq!(mode.name().parse(), Ok(mode));
            assert_eq!(serde_json::to_string(&mode).unwrap(), format!("\"{mode}\""));
        }
        assert!("turbo".parse::<Mode>().is_err());
    }
}
