//! How long a thread waits for others before it goes on without them.
//!
//! An agent that asks needs an answer within a moment, whatever hangs: a lock that another process holds, a server that
//! does not answer. So whoever takes a request in says once how long may be waited for it ([`within`]), and everything
//! that waits on this thread asks for what is left of it ([`at_most`]) and says when it has waited in vain ([`spend`]).
//! What takes long because there is much to do spends nothing: only waiting does.
//!
//! Threads that nobody waits for, and commands that a person started to run for long, have no bounds.

use std::cell::Cell;
use std::time::Duration;

thread_local! {
    /// What is left; none if there are no bounds.
    static LEFT: Cell<Option<Duration>> = const { Cell::new(None) };
    /// What was waited in vain on this thread.
    static SPENT: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// Does some work for which at most so long is waited, and no longer than around it.
pub fn within<T>(limit: Duration, work: impl FnOnce() -> T) -> T {
    let outer = LEFT.get();
    let inner = outer.map_or(limit, |outer| outer.min(limit));
    let _restored = Restored { outer, inner };
    LEFT.set(Some(inner));
    work()
}

/// Bounds all that this thread does from now on: for programs that do one thing and leave.
pub fn from_now_on(limit: Duration) {
    LEFT.set(Some(at_most(limit)));
}

/// What of the time for waiting is left; none if there are no bounds.
pub fn left() -> Option<Duration> {
    LEFT.get()
}

/// A wait, cut to what is left.
pub fn at_most(wait: Duration) -> Duration {
    LEFT.get().map_or(wait, |left| left.min(wait))
}

/// Says that so long was waited in vain.
pub fn spend(waited: Duration) {
    SPENT.set(SPENT.get().saturating_add(waited));
    if let Some(left) = LEFT.get() {
        LEFT.set(Some(left.saturating_sub(waited)));
    }
}

/// Does some work, and tells how long was waited in vain for it.
pub fn measured<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let before = SPENT.get();
    let done = work();
    (done, SPENT.get().saturating_sub(before))
}

/// Sets the bounds around some work again when it is over, however it ends.
struct Restored {
    outer: Option<Duration>,
    inner: Duration,
}

impl Drop for Restored {
    fn drop(&mut self) {
        let spent = self.inner.saturating_sub(LEFT.get().unwrap_or_default());
        LEFT.set(self.outer.map(|outer| outer.saturating_sub(spent)));
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn without_bounds_every_wait_is_as_long_as_it_is() {
        assert_eq!((left(), at_most(ms(30_000))), (None, ms(30_000)));
        spend(ms(1000));
        assert_eq!(left(), None);
    }

    #[test]
    fn waits_in_vain_add_up_to_the_bounds_and_end_with_them() {
        let seen = within(ms(100), || {
            let first = at_most(ms(60));
            spend(first);
            let second = at_most(ms(60));
            spend(second);
            (first, second, at_most(ms(60)))
        });
        assert_eq!(seen, (ms(60), ms(40), ms(0)));
        assert_eq!(left(), None);
    }

    #[test]
    fn inner_bounds_only_shorten_and_what_was_spent_inside_is_spent_outside() {
        within(ms(100), || {
            assert_eq!(within(ms(500), left), Some(ms(100)));
            within(ms(30), || spend(ms(20)));
            assert_eq!(left(), Some(ms(80)));
            within(ms(0), || assert_eq!(at_most(ms(10)), ms(0)));
            assert_eq!(left(), Some(ms(80)));
        });
    }

    #[test]
    fn bounds_end_with_a_panic_too() {
        assert!(catch_unwind(AssertUnwindSafe(|| within(ms(1), || panic!("on purpose")))).is_err());
        assert_eq!(left(), None);
    }

    #[test]
    fn what_was_waited_in_vain_is_told_with_and_without_bounds() {
        assert_eq!(measured(|| spend(ms(7))), ((), ms(7)));
        assert_eq!(within(ms(5), || measured(|| spend(ms(9)))), ((), ms(9)));
        assert_eq!(measured(|| ()), ((), ms(0)));
    }
}
