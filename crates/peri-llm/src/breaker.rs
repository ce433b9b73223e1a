//! Stops asking a server that fails again and again.

use jiff::{SignedDuration, Timestamp};
use parking_lot::Mutex;

use crate::Settings;

/// How a call went, as far as the server's health is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Health {
    /// It answered.
    Well,
    /// It did not answer, or with an error.
    Ill,
    /// It was not asked.
    Unknown,
}

/// Refuses calls for a while after some failed in a row; then one call tries whether it is over.
#[derive(Debug)]
pub(crate) struct Breaker {
    failures_max: u32,
    pause: SignedDuration,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    failures: u32,
    until: Option<Timestamp>,
    trying: bool,
}

impl Breaker {
    pub(crate) fn new(settings: &Settings) -> Self {
        let pause = SignedDuration::try_from(settings.breaker_pause).unwrap_or(SignedDuration::MAX);
        Self { failures_max: settings.breaker_failures, pause, state: Mutex::default() }
    }

    /// Lets a call through, or says until when none is. Whoever was let through says how it went.
    pub(crate) fn admit(&self, now: Timestamp) -> Result<(), Timestamp> {
        let mut state = self.state.lock();
        match state.until {
            None => Ok(()),
            Some(until) if now < until || state.trying => Err(until),
            Some(_) => {
                state.trying = true;
                Ok(())
            }
        }
    }

    /// How a call went that was let through.
    pub(crate) fn report(&self, health: Health, now: Timestamp) {
        let mut state = self.state.lock();
        state.trying = false;
        match health {
            Health::Well => *state = State::default(),
            Health::Ill => {
                state.failures = state.failures.saturating_add(1);
                if state.failures >= self.failures_max {
                    state.until = Some(now.saturating_add(self.pause).unwrap_or(Timestamp::MAX));
                }
            }
            Health::Unknown => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Address, Provider};

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn breaker() -> Breaker {
        let address = Address::parse("http://localhost").unwrap();
        let settings = Settings::new(Provider::OpenAi, address, "m");
        Breaker::new(&Settings { breaker_failures: 2, ..settings })
    }

    #[test]
    fn after_failures_in_a_row_calls_are_refused_until_one_that_tries_succeeds() {
        let breaker = breaker();
        breaker.report(Health::Ill, at(0));
        breaker.report(Health::Well, at(1));
        breaker.report(Health::Ill, at(2));
        assert_eq!(breaker.admit(at(3)), Ok(()));
        breaker.report(Health::Ill, at(3));
        assert_eq!(breaker.admit(at(4)), Err(at(63)));
        assert_eq!(breaker.admit(at(63)), Ok(()));
        assert_eq!(breaker.admit(at(63)), Err(at(63)), "only one tries");
        breaker.report(Health::Ill, at(64));
        assert_eq!(breaker.admit(at(100)), Err(at(124)));
        assert_eq!(breaker.admit(at(124)), Ok(()));
        breaker.report(Health::Well, at(125));
        assert_eq!(breaker.admit(at(125)), Ok(()));
        breaker.report(Health::Ill, at(126));
        assert_eq!(breaker.admit(at(126)), Ok(()), "the count begins anew");
    }

    #[test]
    fn a_trial_that_never_reached_the_server_leaves_room_for_another() {
        let breaker = breaker();
        breaker.report(Health::Ill, at(0));
        breaker.report(Health::Ill, at(0));
        assert_eq!(breaker.admit(at(60)), Ok(()));
        breaker.report(Health::Unknown, at(60));
        assert_eq!(breaker.admit(at(60)), Ok(()));
    }
}
