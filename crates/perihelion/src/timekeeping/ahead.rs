//! What will fade soon, so that nobody is surprised by it.

use std::collections::HashMap;

use jiff::SignedDuration;
use parking_lot::Mutex;
use peri_types::{Namespace, Timestamp};
use serde::Serialize;

use crate::Error;
use crate::engine::Core;
use crate::orbits::MoveCause;

/// What fades within so many days in use is told.
const DAYS_AHEAD: i64 = 7;

/// What was found stays true for so long.
const KEPT: SignedDuration = SignedDuration::from_hours(1);

/// What will go to the trash within a week in use unless somebody uses it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FadingAhead {
    /// Where.
    pub namespace: Namespace,
    /// How many memories.
    pub memories: u64,
    /// When the first of them goes, if the namespace is used every day until then.
    pub first_at: Timestamp,
}

impl FadingAhead {
    /// The same in words, for a person. It says how to keep them and how to switch fading off.
    pub fn told(&self) -> String {
        let Self { namespace, memories, first_at } = self;
        let what = if *memories == 1 { "1 memory".to_owned() } else { format!("{memories} memories") };
        format!(
            "{what} of {namespace} that nobody has used for long will go to the trash from {} on, where they stay for the \
             trash's retention; recalling or pinning one keeps it, `decay.enabled = false` keeps all",
            first_at.strftime("%Y-%m-%d")
        )
    }
}

/// What was found lately, by namespace, and when.
#[derive(Default)]
pub(crate) struct FoundAhead(Mutex<HashMap<Namespace, (Timestamp, Option<FadingAhead>)>>);

/// In a larger store it takes longer to find out than an agent waits at its start; health tells it there.
const LARGE_BYTES: u64 = 20_000_000;

impl Core {
    /// What an agent is told at the start of a session, if something will fade. Trouble with that tells nothing.
    pub(crate) fn fading_told_at_start(&self, namespace: &Namespace) -> Option<String> {
        let database = self.options.folder.join(crate::Perihelion::DATABASE);
        if !std::fs::metadata(database).is_ok_and(|file| file.len() < LARGE_BYTES) {
            return None;
        }
        self.fading_ahead(namespace).ok().flatten().map(|ahead| ahead.told())
    }

    /// What will fade soon in a namespace, if something will.
    pub(crate) fn fading_ahead(&self, namespace: &Namespace) -> Result<Option<FadingAhead>, Error> {
        if !self.options.orbit.decay.enabled {
            return Ok(None);
        }
        let now = self.now();
        if let Some((at, found)) = self.found_ahead.0.lock().get(namespace)
            && (SignedDuration::ZERO..KEPT).contains(&now.duration_since(*at))
        {
            return Ok(found.clone());
        }
        let until = now.checked_add(SignedDuration::from_hours(24 * DAYS_AHEAD)).unwrap_or(now);
        let moves = self.moves_ahead(namespace, now, until)?;
        let fading: Vec<Timestamp> = moves
            .iter()
            .filter(|one| one.reason == Some(MoveCause::AutoForgotten))
            .map(|one| one.at)
            .collect();
        let found = fading.iter().min().map(|first_at| FadingAhead {
            namespace: namespace.clone(),
            memories: fading.len() as u64,
            first_at: *first_at,
        });
        self.found_ahead.0.lock().insert(namespace.clone(), (now, found.clone()));
        Ok(found)
    }
}
