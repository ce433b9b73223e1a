//! The settings as exact arithmetic, so that no rounding depends on when or how often it is asked.
//!
//! Without use, a score falls as `base + rate * x`, where `x` is the same for all memories at one time. Both
//! factors are whole numbers, and time is cut into epochs of one half-life: from one to the next, `rate`
//! is shifted by one bit and nothing is rounded again. So a score never rises by itself, and within an
//! epoch two scores change places at most once. Catching up rests on both.

use std::time::Duration;

use peri_types::Zone;

use crate::function::{importance_term, ln_saturation, recall_term, without_context};
use crate::settings::OrbitSettings;
use crate::zones::Body;

/// A score of 1.
const ONE: u128 = 1 << 126;
/// Bits of each factor of freshness. The rest of the 126 is room for the shift.
const FACTOR_BITS: u32 = 40;
/// After so many epochs freshness is none: there would be bits to round.
const EPOCHS_MAX: i64 = 126 - 2 * FACTOR_BITS as i64;
/// What a score may lack to a zone's least one, so that rounding does not decide an exact tie.
const SLACK: u128 = ONE >> 36;
/// Far enough from 1970, and far enough from where numbers end.
const TIME_MAX: i64 = 1 << 60;
/// Puts what is pinned before everything that is not.
const PINNED: u128 = 1 << 127;

/// The settings, ready to be applied to many memories.
#[derive(Debug, Clone)]
pub(crate) struct Rules {
    recall: f64,
    freshness: f64,
    importance: f64,
    ln_saturation: f64,
    half_life: i64,
    least: [u128; 4],
    pub(crate) capacities: [usize; 3],
    decays: bool,
    demote_every: i64,
    forget_after: i64,
    /// Zones from this one on are not protected.
    exposed: u8,
    pub(crate) step: i64,
}

/// A time, with the factor of freshness that all memories share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment {
    pub(crate) at: i64,
    epoch: i64,
    factor: u64,
}

/// How one memory's score goes on without use.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Course {
    base: u128,
    rate: u64,
    epoch: i64,
    pub(crate) last_used: i64,
    pinned: bool,
    kept: bool,
    /// It was last used in what is still the future, so its score does not fall yet.
    pub(crate) ahead: bool,
}

/// The zone that a memory has by itself, or that it is forgotten. Without use it only grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Own(u8);

impl Own {
    const FORGOTTEN: Self = Self(5);

    /// Where it is; what is about to be forgotten is in the cloud.
    pub(crate) fn zone(self) -> Zone {
        Zone::ALL[usize::from(self.0).min(Zone::ALL.len() - 1)]
    }

    pub(crate) fn is_forgotten(self) -> bool {
        self == Self::FORGOTTEN
    }

    /// The zone of limited capacity that it claims a place in, from 0.
    pub(crate) fn claim(self) -> Option<usize> {
        (self.0 < 3).then_some(usize::from(self.0))
    }
}

impl Rules {
    pub(crate) fn new(settings: &OrbitSettings) -> Self {
        let [recall, freshness, importance] = without_context(&settings.weights);
        let decay = &settings.decay;
        Self {
            recall,
            freshness,
            importance,
            ln_saturation: ln_saturation(settings),
            half_life: milliseconds(settings.half_life),
            least: settings.least.in_order().map(|least| fixed(least).saturating_sub(SLACK)),
            capacities: settings.capacities.in_order(),
            decays: decay.enabled,
            demote_every: milliseconds(decay.demote_every),
            forget_after: milliseconds(decay.forget_after),
            exposed: decay.protected.map_or(0, |zone| zone.code() + 1),
            step: milliseconds(settings.step),
        }
    }

    pub(crate) fn moment(&self, at: i64) -> Moment {
        let (epoch, part) = self.epoch(at);
        Moment { at, epoch, factor: factor((-part).exp2()) }
    }

    /// The time of the epoch's end that a time lies in.
    pub(crate) fn epoch_end(&self, at: i64) -> i64 {
        self.epoch(at).0.saturating_add(1).saturating_mul(self.half_life)
    }

    pub(crate) fn course(&self, body: &Body, at: i64) -> Course {
        let ahead = body.last_used > at;
        let stale = self.recall * recall_term(body.recalls, self.ln_saturation)
            + self.importance * importance_term(body.importance);
        let (base, rate, epoch) = if body.pinned || ahead {
            (fixed(stale + self.freshness), 0, 0)
        } else {
            let (epoch, part) = self.epoch(body.last_used);
            (fixed(stale), factor(self.freshness * part.exp2()), epoch)
        };
        Course { base, rate, epoch, last_used: body.last_used, pinned: body.pinned, kept: body.kept, ahead }
    }

    pub(crate) fn level(&self, course: &Course, now: &Moment) -> u128 {
        let epochs = now.epoch - course.epoch;
        if course.rate == 0 || epochs > EPOCHS_MAX {
            return course.base;
        }
        let product = u128::from(course.rate) * u128::from(now.factor);
        course.base + (product << (EPOCHS_MAX - epochs))
    }

    /// What decides who stays when a zone is overfull.
    pub(crate) fn standing(&self, course: &Course, now: &Moment) -> u128 {
        self.level(course, now) | if course.pinned { PINNED } else { 0 }
    }

    pub(crate) fn by_score(&self, course: &Course, now: &Moment) -> Zone {
        Zone::ALL[usize::from(self.code_by_score(course, now))]
    }

    fn code_by_score(&self, course: &Course, now: &Moment) -> u8 {
        let level = self.level(course, now);
        self.least.iter().map(|least| u8::from(level < *least)).sum()
    }

    pub(crate) fn own(&self, course: &Course, now: &Moment) -> Own {
        let zone = self.code_by_score(course, now);
        if !self.decays || course.pinned || zone < self.exposed {
            return Own(zone);
        }
        let idle = now.at.saturating_sub(course.last_used);
        let cloud = Zone::Cloud.code();
        let mut own = zone;
        let mut next = self.demote_every;
        while own < cloud && idle >= next {
            own += 1;
            next = next.saturating_add(self.demote_every);
        }
        if own == cloud && idle >= self.forget_after && !course.kept { Own::FORGOTTEN } else { Own(own) }
    }

    /// The number of half-lives since 1970, whole and the rest.
    fn epoch(&self, at: i64) -> (i64, f64) {
        let at = at.clamp(-TIME_MAX, TIME_MAX);
        let epoch = at.div_euclid(self.half_life);
        (epoch, (at - epoch * self.half_life) as f64 / self.half_life as f64)
    }
}

fn milliseconds(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX).max(1)
}

fn fixed(value: f64) -> u128 {
    u128::from((value.clamp(0.0, 1.0) * (1_u64 << 62) as f64) as u64) << 64
}

/// Rounded down, so that the product of two never exceeds what it stands for.
fn factor(value: f64) -> u64 {
    (value * (1_u64 << FACTOR_BITS) as f64) as u64
}
