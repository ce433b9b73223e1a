//! The settings of learning.

use perihelion::learning::adapt::Mode;
use perihelion::learning::bank::BankSettings;
use perihelion::{Adaptation, LearningSettings};

use super::ConfigError;
use super::keys::Keys;

/// More patterns than anybody reads.
const OFFERED_MAX: u64 = 50;

/// More uses than prove anything further.
const USES_MAX: u64 = 1_000_000;

/// More than a bank can be held in memory with.
const PATTERNS_MAX: u64 = 1_000_000;

impl Keys<'_> {
    /// How the engine learns.
    pub(super) fn learning(&self) -> Result<LearningSettings, ConfigError> {
        let own = LearningSettings::default();
        let count =
            |key, least, most| Ok(usize::try_from(self.between(key, least, most)?).unwrap_or(usize::MAX));
        let uses = self.between("learning.promote_uses", 1, USES_MAX)?;
        Ok(LearningSettings {
            bank: BankSettings {
                promote_uses: u32::try_from(uses).unwrap_or(u32::MAX),
                promote_quality: self.share("learning.promote_quality")? as f32,
                short_max: count("learning.short_max", 1, PATTERNS_MAX)?,
                long_max: count("learning.long_max", 1, PATTERNS_MAX)?,
                ..own.bank
            },
            patterns_offered: count("learning.patterns_offered", 0, OFFERED_MAX)?,
            offer_score_min: self.share("learning.offer_score_min")? as f32,
            adaptation: self.adaptation()?,
            mode: self.mode()?,
            trajectories_kept: count("learning.trajectories_kept", 1, u64::MAX)?,
        })
    }

    fn adaptation(&self) -> Result<Adaptation, ConfigError> {
        match self.text("learning.adaptation")? {
            "proved" => Ok(Adaptation::Proved),
            "off" => Ok(Adaptation::Off),
            other => Err(self.none_of("learning.adaptation", other, "proved, off")),
        }
    }

    fn mode(&self) -> Result<Mode, ConfigError> {
        let name = self.text("learning.mode")?;
        let known = || Mode::ALL.map(Mode::name).join(", ");
        name.parse().map_err(|_| self.none_of("learning.mode", name, &known()))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::config::layers;

    fn with(text: &str) -> Result<LearningSettings, ConfigError> {
        let mut settings = layers::defaults().unwrap();
        layers::add_file(&mut settings, Path::new("x.toml"), &format!("[learning]\n{text}")).unwrap();
        Keys(&settings).learning()
    }

    #[test]
    fn the_default_file_agrees_with_the_engines_own_defaults() {
        assert_eq!(with("").unwrap(), LearningSettings::default());
    }

    #[test]
    fn each_setting_reaches_the_engine() {
        let text = "patterns_offered = 0\noffer_score_min = 0.5\nadaptation = 'off'\nmode = 'edge'\n\
                    trajectories_kept = 7\npromote_uses = 9\npromote_quality = 0.75\nshort_max = 5\nlong_max = 6";
        let own = with(text).unwrap();
        assert_eq!((own.patterns_offered, own.offer_score_min), (0, 0.5));
        assert_eq!((own.adaptation, own.mode, own.trajectories_kept), (Adaptation::Off, Mode::Edge, 7));
        assert_eq!((own.bank.promote_uses, own.bank.promote_quality), (9, 0.75));
        assert_eq!((own.bank.short_max, own.bank.long_max), (5, 6));
    }

    #[test]
    fn what_makes_no_sense_is_refused_by_its_key() {
        for (text, says) in [
            ("adaptation = 'always'", "learning.adaptation (x.toml:2): \"always\" is none of: proved, off"),
            ("mode = '빠르게'", "real-time, balanced, research, edge"),
            ("patterns_offered = 51", "more than 50"),
            ("offer_score_min = 1.5", "not between 0 and 1"),
            ("promote_uses = 0", "at least 1"),
            ("short_max = 0", "at least 1"),
            ("trajectories_kept = 0", "at least 1"),
        ] {
            let error = with(text).unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
