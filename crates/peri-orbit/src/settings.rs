//! The numbers of the orbit, and what makes them acceptable.

use std::time::Duration;

use peri_types::Zone;

const HOUR: Duration = Duration::from_secs(3600);
const DAY: Duration = Duration::from_secs(86_400);
/// Beyond this, one millisecond no longer changes a freshness.
const HALF_LIFE_MAX: Duration = Duration::from_secs(100 * 365 * 86_400);

/// How much each term of the memory function counts. Only their proportions matter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    /// Of how often it was recalled.
    pub recall: f64,
    /// Of how lately it was used.
    pub freshness: f64,
    /// Of how much it was said to matter.
    pub importance: f64,
    /// Of how close it is to what the session is about.
    pub context: f64,
}

impl Default for Weights {
    fn default() -> Self {
        Self { recall: 0.30, freshness: 0.30, importance: 0.25, context: 0.15 }
    }
}

/// The least score of each zone. Below the belt's lies the cloud.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Least {
    /// From here on it is in the core.
    pub core: f64,
    /// From here on it is in the inner zone.
    pub inner: f64,
    /// From here on it is in the outer zone.
    pub outer: f64,
    /// From here on it is in the belt.
    pub belt: f64,
}

impl Default for Least {
    fn default() -> Self {
        Self { core: 0.65, inner: 0.29, outer: 0.20, belt: 0.10 }
    }
}

/// How many memories of a namespace fit into each zone. The belt and the cloud have no bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capacities {
    /// In the core.
    pub core: usize,
    /// In the inner zone.
    pub inner: usize,
    /// In the outer zone.
    pub outer: usize,
}

impl Default for Capacities {
    fn default() -> Self {
        Self { core: 20, inner: 100, outer: 1000 }
    }
}

/// What idle time is counted by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum IdleTime {
    /// The days on which the namespace is used: it stands still while nobody is there.
    #[default]
    InUse,
    /// The calendar: for a program that uses its memories without asking for them here.
    Calendar,
}

/// What happens to memories that nobody uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decay {
    /// Whether idle memories fall outward and are forgotten at all.
    pub enabled: bool,
    /// A memory falls one zone outward for each whole time of this length that it was idle.
    pub demote_every: Duration,
    /// A memory in the cloud that was idle for so long is forgotten.
    pub forget_after: Duration,
    /// Memories whose score puts them into this zone or a nearer one do not fall. Without one, all do.
    pub protected: Option<Zone>,
    /// What idle time is counted by.
    pub idle_time: IdleTime,
    /// At most so many percent of a namespace's memories are forgotten on one day in use; the rest waits.
    pub most_percent: u32,
}

impl Default for Decay {
    fn default() -> Self {
        Self {
            enabled: true,
            demote_every: 30 * DAY,
            forget_after: 90 * DAY,
            protected: Some(Zone::Inner),
            idle_time: IdleTime::InUse,
            most_percent: 5,
        }
    }
}

/// Everything that decides how near a memory orbits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OrbitSettings {
    /// What the terms of the memory function count.
    pub weights: Weights,
    /// So many recalls count in full, and more do not count more.
    pub saturation: u32,
    /// After this time without use, freshness has halved.
    pub half_life: Duration,
    /// Which score leads to which zone.
    pub least: Least,
    /// How many fit into each zone.
    pub capacities: Capacities,
    /// What happens without use.
    pub decay: Decay,
    /// Zones change only at whole multiples of this time, counted from the epoch.
    pub step: Duration,
}

impl Default for OrbitSettings {
    fn default() -> Self {
        Self {
            weights: Weights::default(),
            saturation: 100,
            half_life: 14 * DAY,
            least: Least::default(),
            capacities: Capacities::default(),
            decay: Decay::default(),
            step: Duration::from_secs(300),
        }
    }
}

/// A setting that makes no sense. The caller should correct it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum InvalidOrbit {
    /// A weight is negative, above 1, or no number.
    #[error("the weight of {term} is {given}, but must be between 0 and 1")]
    Weight {
        /// Which weight.
        term: &'static str,
        /// What was given.
        given: f64,
    },
    /// Without a context nothing would count.
    #[error("the weights of recall, freshness and importance are all 0, but one of them must count")]
    NoWeight,
    /// No number of recalls would count in full.
    #[error("the saturation is 0, but must be at least 1 recall")]
    Saturation,
    /// A least score that no score can be compared with.
    #[error("the least score of the {zone} zone is {given}, but must be between 0 and 1")]
    Least {
        /// Of which zone.
        zone: Zone,
        /// What was given.
        given: f64,
    },
    /// Two zones in the wrong order.
    #[error("the least score of the {zone} zone must be below that of the {nearer} zone")]
    Order {
        /// The zone that lies further out.
        zone: Zone,
        /// The zone that lies nearer.
        nearer: Zone,
    },
    /// A zone that nothing fits into.
    #[error("the capacity of the {zone} zone is 0, but must be at least 1")]
    Capacity {
        /// Which zone.
        zone: Zone,
    },
    /// More than all, or none although decay is switched on.
    #[error("at most {given} % of the memories may be forgotten a day, but it must be between 1 and 100")]
    Percent {
        /// What was given.
        given: u32,
    },
    /// A time that is too short or too long.
    #[error("{what} is {given:?}, but must be between {least:?} and {most:?}")]
    Time {
        /// Which time.
        what: &'static str,
        /// What was given.
        given: Duration,
        /// The shortest that makes sense.
        least: Duration,
        /// The longest that makes sense.
        most: Duration,
    },
}

impl OrbitSettings {
    /// Says what is wrong with these settings, if anything is.
    pub fn check(&self) -> Result<(), InvalidOrbit> {
        self.check_weights()?;
        if self.saturation == 0 {
            return Err(InvalidOrbit::Saturation);
        }
        self.check_zones()?;
        let decay = &self.decay;
        if !(1..=100).contains(&decay.most_percent) {
            return Err(InvalidOrbit::Percent { given: decay.most_percent });
        }
        for (what, given, least, most) in [
            ("the half-life of freshness", self.half_life, HOUR, HALF_LIFE_MAX),
            ("the time between two falls", decay.demote_every, HOUR, HALF_LIFE_MAX),
            ("the time until forgetting", decay.forget_after, HOUR, HALF_LIFE_MAX),
            ("the step", self.step, Duration::from_secs(1), DAY),
        ] {
            if given < least || given > most {
                return Err(InvalidOrbit::Time { what, given, least, most });
            }
        }
        Ok(())
    }

    fn check_weights(&self) -> Result<(), InvalidOrbit> {
        let Weights { recall, freshness, importance, context } = self.weights;
        for (term, given) in
            [("recall", recall), ("freshness", freshness), ("importance", importance), ("context", context)]
        {
            if !(0.0..=1.0).contains(&given) {
                return Err(InvalidOrbit::Weight { term, given });
            }
        }
        if recall + freshness + importance > 0.0 { Ok(()) } else { Err(InvalidOrbit::NoWeight) }
    }

    fn check_zones(&self) -> Result<(), InvalidOrbit> {
        let mut nearer: Option<(Zone, f64)> = None;
        for (zone, given) in Zone::ALL.iter().copied().zip(self.least.in_order()) {
            if !(0.0..=1.0).contains(&given) {
                return Err(InvalidOrbit::Least { zone, given });
            }
            if let Some((nearer, above)) = nearer
                && given >= above
            {
                return Err(InvalidOrbit::Order { zone, nearer });
            }
            nearer = Some((zone, given));
        }
        match Zone::ALL.iter().zip(self.capacities.in_order()).find(|(_, capacity)| *capacity == 0) {
            Some((zone, _)) => Err(InvalidOrbit::Capacity { zone: *zone }),
            None => Ok(()),
        }
    }
}

impl Least {
    /// From the core to the belt.
    pub(crate) fn in_order(&self) -> [f64; 4] {
        [self.core, self.inner, self.outer, self.belt]
    }
}

impl Capacities {
    /// From the core to the outer zone.
    pub(crate) fn in_order(&self) -> [usize; 3] {
        [self.core, self.inner, self.outer]
    }
}
