//! Stops asking a server that fails again and again.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use parking_lot::Mutex;

/// How a call went, as far as the server's health is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Health {
    /// It answered.
    Well,
    /// It did not answer, or with an error.
    Ill,
    /// It was not asked.
    Unknown,
}

/// How a call was let through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    /// Like any other.
    Freely,
    /// As the one that tries whether the server is well again.
    OnTrial,
}

/// Refuses calls for a while after some failed in a row; then one call tries whether it is over.
#[derive(Debug)]
pub struct Breaker {
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
    /// Refuses calls for such a pause after so many failures in a row.
    pub fn new(failures_max: u32, pause: Duration) -> Self {
        let pause = SignedDuration::try_from(pause).unwrap_or(SignedDuration::MAX);
        Self { failures_max, pause, state: Mutex::default() }
    }

    /// Lets a call through, or says until when none is. Whoever was let through says how it went.
    pub fn admit(&self, now: Timestamp) -> Result<Admission, Timestamp> {
        let mut state = self.state.lock();
        match state.until {
            None => Ok(Admission::Freely),
            Some(until) if now < until || state.trying => Err(until),
            Some(_) => {
                state.trying = true;
                Ok(Admission::OnTrial)
            }
        }
    }

    /// Until when calls are refused, or when one was last let through to try; none if all is well.
    pub fn pauses_until(&self) -> Option<Timestamp> {
        self.state.lock().until
    }

    /// How a call went that was let through.
    pub fn report(&self, health: Health, now: Timestamp) {
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

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn breaker() -> Breaker {
        Breaker::new(2, Duration::from_secs(60))
    }

    #[test]
    fn after_failures_in_a_row_calls_are_refused_until_one_that_tries_succeeds() {
        let breaker = breaker();
        breaker.report(Health::Ill, at(0));
        breaker.report(Health::Well, at(1));
        breaker.report(Health::Ill, at(2));
        assert_eq!(breaker.admit(at(3)), Ok(Admission::Freely));
        breaker.report(Health::Ill, at(3));
        assert_eq!(breaker.admit(at(4)), Err(at(63)));
        assert_eq!(breaker.admit(at(63)), Ok(Admission::OnTrial));
        assert_eq!(breaker.admit(at(63)), Err(at(63)), "only one tries");
        breaker.report(Health::Ill, at(64));
        assert_eq!(breaker.admit(at(100)), Err(at(124)));
        assert_eq!(breaker.admit(at(124)), Ok(Admission::OnTrial));
        breaker.report(Health::Well, at(125));
        assert_eq!(breaker.admit(at(125)), Ok(Admission::Freely));
        breaker.report(Health::Ill, at(126));
        assert_eq!(breaker.admit(at(126)), Ok(Admission::Freely), "the count begins anew");
    }

    #[test]
    fn a_trial_that_never_reached_the_server_leaves_room_for_another() {
        let breaker = breaker();
        breaker.report(Health::Ill, at(0));
        breaker.report(Health::Ill, at(0));
        assert_eq!(breaker.admit(at(60)), Ok(Admission::OnTrial));
        breaker.report(Health::Unknown, at(60));
        assert_eq!(breaker.admit(at(60)), Ok(Admission::OnTrial));
    }
}
