//! The settings of notes.

use std::time::Duration;

use perihelion::companion::Settings as Steps;
use perihelion::{ContextSettings, NotesPlace, NotesSettings, Recallable, TurnsKept};

use super::ConfigError;
use super::keys::Keys;

/// More tokens than any model reads at once.
const TOKENS_MAX: u64 = 10_000_000;
/// A cut message must still say something.
const MESSAGE_TOKENS_MIN: u64 = 16;
/// A year, and nobody waits for longer.
const IDLE_MINUTES_MAX: u64 = 366 * 24 * 60;
/// A week.
const RETRY_SECONDS_MAX: u64 = 7 * 24 * 60 * 60;
/// More attempts than anybody waits for.
const ATTEMPTS_MAX: u64 = 1_000_000;
/// An hour.
const LOCK_WAIT_MS_MAX: u64 = 60 * 60 * 1000;
/// More memories than an agent reads.
const MEMORIES_MAX: u64 = 1000;

impl Keys<'_> {
    /// How notes are kept. Who makes them is said by the settings of language models.
    pub(super) fn notes(&self) -> Result<NotesSettings, ConfigError> {
        let place = match self.text("notes.place")? {
            "auto" => NotesPlace::Usual,
            "files" => NotesPlace::Files,
            "store" => NotesPlace::Store,
            other => return Err(self.none_of("notes.place", other, "auto, files, store")),
        };
        let turns = match self.text("notes.turns")? {
            "journal" => TurnsKept::Journal,
            "episodes" => TurnsKept::Episodes,
            "off" => TurnsKept::Nowhere,
            other => return Err(self.none_of("notes.turns", other, "journal, episodes, off")),
        };
        Ok(NotesSettings {
            place,
            turns,
            recallable: if self.flag("notes.recallable")? { Recallable::Yes } else { Recallable::No },
            lock_wait: Duration::from_millis(self.at_most("notes.lock_wait_ms", LOCK_WAIT_MS_MAX)?),
            steps: self.steps()?,
            context: self.context()?,
            ..NotesSettings::default()
        })
    }

    fn steps(&self) -> Result<Steps, ConfigError> {
        let seconds =
            |key| Ok::<_, ConfigError>(Duration::from_secs(self.between(key, 1, RETRY_SECONDS_MAX)?));
        let idle_minutes = self.between("notes.idle_minutes", 1, IDLE_MINUTES_MAX)?;
        let attempts = self.between("notes.attempts_max", 1, ATTEMPTS_MAX)?;
        let steps = Steps {
            observe_tokens_min: self.tokens("notes.observe_tokens", 0)?,
            observe_tokens_max: self.tokens("notes.observe_tokens_max", 1)?,
            message_tokens_max: self.tokens("notes.message_tokens_max", MESSAGE_TOKENS_MIN)?,
            idle: Duration::from_secs(idle_minutes * 60),
            reflect_tokens: self.tokens("notes.reflect_tokens", 2)?,
            reflect_target_tokens: self.tokens("notes.reflect_to_tokens", 1)?,
            promote_tokens: self.tokens("notes.promote_tokens", 0)?,
            promote_tokens_max: self.tokens("notes.promote_tokens_max", 1)?,
            compact_tokens: self.tokens("notes.compact_tokens", 2)?,
            compact_target_tokens: self.tokens("notes.compact_to_tokens", 1)?,
            attempts_max: u32::try_from(attempts).unwrap_or(u32::MAX),
            backoff_min: seconds("notes.retry_seconds")?,
            backoff_max: seconds("notes.retry_seconds_max")?,
        };
        self.check_order(("notes.reflect_to_tokens", "notes.reflect_tokens"))?;
        self.check_order(("notes.compact_to_tokens", "notes.compact_tokens"))?;
        if steps.backoff_max < steps.backoff_min {
            let why = format!("it is less than the {} of notes.retry_seconds", steps.backoff_min.as_secs());
            return Err(self.bad("notes.retry_seconds_max", why));
        }
        Ok(steps)
    }

    fn context(&self) -> Result<ContextSettings, ConfigError> {
        let memories = self.at_most("notes.context.memories", MEMORIES_MAX)?;
        Ok(ContextSettings {
            start_tokens: self.tokens("notes.context.start_tokens", 0)?,
            prompt_tokens: self.tokens("notes.context.prompt_tokens", 0)?,
            memories: usize::try_from(memories).unwrap_or(usize::MAX),
            score_min: self.share("notes.context.score_min")? as f32,
        })
    }

    fn tokens(&self, key: &str, least: u64) -> Result<usize, ConfigError> {
        Ok(usize::try_from(self.between(key, least, TOKENS_MAX)?).unwrap_or(usize::MAX))
    }

    /// Refuses a smaller number that is not below its larger one.
    fn check_order(&self, (smaller, larger): (&str, &str)) -> Result<(), ConfigError> {
        let (below, above) = (self.count(smaller)?, self.count(larger)?);
        if below < above {
            return Ok(());
        }
        Err(self.bad(smaller, format!("{below} is not below {above}, which is {larger}")))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::{layers, resolve};
    use super::*;

    fn notes_with(text: &str) -> Result<NotesSettings, String> {
        let mut settings = layers::defaults().unwrap();
        layers::add_file(&mut settings, Path::new("x.toml"), &format!("[notes]\n{text}")).unwrap();
        let folder = Path::new("somewhere");
        let config = resolve::resolve(&settings, folder).map_err(|error| error.to_string())?;
        Ok(config.options(folder).notes)
    }

    #[test]
    fn every_setting_reaches_the_engine() {
        let text = "place = 'store'\nturns = 'episodes'\nrecallable = false\nlock_wait_ms = 7\n\
                    observe_tokens = 1\nobserve_tokens_max = 2\nmessage_tokens_max = 30\nidle_minutes = 4\n\
                    reflect_tokens = 50\nreflect_to_tokens = 5\npromote_tokens = 6\npromote_tokens_max = 8\n\
                    compact_tokens = 70\ncompact_to_tokens = 7\nattempts_max = 9\nretry_seconds = 10\n\
                    retry_seconds_max = 11\n[notes.context]\nstart_tokens = 12\nprompt_tokens = 13\n\
                    memories = 14\nscore_min = 0.5";
        let notes = notes_with(text).unwrap();
        assert_eq!((notes.place, notes.turns), (NotesPlace::Store, TurnsKept::Episodes));
        assert_eq!((notes.recallable, notes.lock_wait), (Recallable::No, Duration::from_millis(7)));
        let expected = Steps {
            observe_tokens_min: 1,
            observe_tokens_max: 2,
            message_tokens_max: 30,
            idle: Duration::from_secs(240),
            reflect_tokens: 50,
            reflect_target_tokens: 5,
            promote_tokens: 6,
            promote_tokens_max: 8,
            compact_tokens: 70,
            compact_target_tokens: 7,
            attempts_max: 9,
            backoff_min: Duration::from_secs(10),
            backoff_max: Duration::from_secs(11),
        };
        assert_eq!(notes.steps, expected);
        let context = ContextSettings { start_tokens: 12, prompt_tokens: 13, memories: 14, score_min: 0.5 };
        assert_eq!(notes.context, context);
    }

    #[test]
    fn the_default_file_agrees_with_the_engine() {
        let (file, own) = (notes_with("").unwrap(), NotesSettings::default());
        assert_eq!((file.place, file.turns, file.recallable), (own.place, own.turns, own.recallable));
        assert_eq!((file.lock_wait, file.steps, file.context), (own.lock_wait, own.steps, own.context));
    }

    #[test]
    fn values_without_meaning_are_refused_and_named() {
        for (text, key) in [
            ("place = 'cloud'", "notes.place"),
            ("turns = 'on'", "notes.turns"),
            ("turns = '저널'", "notes.turns"),
            ("observe_tokens_max = 0", "notes.observe_tokens_max"),
            ("message_tokens_max = 15", "notes.message_tokens_max"),
            ("idle_minutes = 0", "notes.idle_minutes"),
            ("reflect_to_tokens = 20000", "notes.reflect_to_tokens"),
            ("compact_to_tokens = 99999", "notes.compact_to_tokens"),
            ("reflect_to_tokens = 0", "notes.reflect_to_tokens"),
            ("attempts_max = 0", "notes.attempts_max"),
            ("retry_seconds = 0", "notes.retry_seconds"),
            ("retry_seconds_max = 29", "notes.retry_seconds_max"),
            ("lock_wait_ms = 99999999", "notes.lock_wait_ms"),
            ("context.score_min = 1.5", "notes.context.score_min"),
            ("context.memories = 5000", "notes.context.memories"),
        ] {
            let error = notes_with(text).unwrap_err();
            assert!(error.starts_with(&format!("{key} (x.toml:2)")), "{error}");
        }
    }
}
