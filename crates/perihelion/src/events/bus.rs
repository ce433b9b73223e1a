//! Subscribers in this process.
//!
//! One thread at a time delivers. Whoever publishes meanwhile, another thread or a handler itself, leaves its
//! events with the one that delivers and goes on; so nobody waits for a slow handler of somebody else, and a
//! handler that publishes neither deadlocks nor recurses.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use parking_lot::Mutex;
use peri_types::{Event, EventKind};

/// A handler that panics this often without a success in between is dropped.
const PANICS_IN_A_ROW_MAX: u32 = 3;

/// Tells subscribers what happens. Clones are the same bus.
#[derive(Clone, Default)]
pub struct Bus {
    inner: Arc<Inner>,
}

/// Keeps a handler subscribed: dropping it unsubscribes. Another thread may be inside the handler while it is
/// dropped, and finishes that one call.
#[must_use = "dropping it unsubscribes"]
pub struct Subscription {
    bus: Weak<Inner>,
    id: u64,
    record: Arc<Record>,
}

#[derive(Default)]
struct Inner {
    /// In the order of subscription. Never held while a handler runs or is dropped.
    subscribers: Mutex<Vec<Arc<Subscriber>>>,
    pending: Mutex<Pending>,
    ids: AtomicU64,
    panics: AtomicU64,
}

/// Events that wait for the thread that delivers.
#[derive(Default)]
struct Pending {
    delivering: bool,
    arrivals: u64,
    /// By number, and those of one number as they came.
    events: BTreeMap<(u64, u64), Event>,
}

struct Subscriber {
    id: u64,
    kinds: Option<Vec<EventKind>>,
    handler: Box<dyn Fn(&Event) + Send + Sync>,
    record: Arc<Record>,
}

/// What outlives a handler that was dropped.
#[derive(Default)]
struct Record {
    gone: AtomicBool,
    panics: AtomicU64,
    panics_in_a_row: AtomicU32,
}

impl Bus {
    /// A bus without subscribers.
    pub fn new() -> Self {
        Self::default()
    }

    /// Calls the handler for every event of these kinds that is published from now on; `None` means all.
    ///
    /// A handler runs on a thread that published, so it should be quick. It may use the bus. If it panics, the
    /// panic is caught and counted, and after three in a row the handler is dropped.
    pub fn subscribe(
        &self,
        kinds: Option<Vec<EventKind>>,
        handler: impl Fn(&Event) + Send + Sync + 'static,
    ) -> Subscription {
        let id = self.inner.ids.fetch_add(1, Ordering::Relaxed);
        let record = Arc::new(Record::default());
        let subscriber = Subscriber { id, kinds, handler: Box::new(handler), record: Arc::clone(&record) };
        self.inner.subscribers.lock().push(Arc::new(subscriber));
        Subscription { bus: Arc::downgrade(&self.inner), id, record }
    }

    /// Tells every subscriber, in the order of subscription, event by event in the order of their numbers.
    ///
    /// Returns when that is done; or at once when somebody else is delivering, who then delivers these too.
    pub fn publish(&self, events: &[Event]) {
        if events.is_empty() || !self.has_subscribers() {
            return;
        }
        let mut pending = self.inner.pending.lock();
        for event in events {
            pending.arrivals += 1;
            let key = (event.number, pending.arrivals);
            pending.events.insert(key, event.clone());
        }
        if pending.delivering {
            return;
        }
        pending.delivering = true;
        drop(pending);
        self.inner.deliver();
    }

    /// Whether anybody listens. Nobody needs to gather events when nobody does.
    pub fn has_subscribers(&self) -> bool {
        !self.inner.subscribers.lock().is_empty()
    }

    /// How often a handler has panicked, over all subscribers that ever were.
    pub fn panics(&self) -> u64 {
        self.inner.panics.load(Ordering::Relaxed)
    }
}

impl Subscription {
    /// Unsubscribes, as dropping does.
    pub fn cancel(self) {}

    /// How often the handler has panicked.
    pub fn panics(&self) -> u64 {
        self.record.panics.load(Ordering::Relaxed)
    }

    /// Whether the handler is still called; it is not after too many panics in a row.
    pub fn is_active(&self) -> bool {
        !self.record.gone.load(Ordering::Acquire)
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.record.gone.store(true, Ordering::Release);
        if let Some(bus) = self.bus.upgrade() {
            bus.remove(self.id);
        }
    }
}

impl Inner {
    fn deliver(&self) {
        let done = Done(self);
        loop {
            let mut pending = self.pending.lock();
            let Some((_, event)) = pending.events.pop_first() else {
                // Under the same lock as the look at the queue, so that nobody leaves an event in between.
                pending.delivering = false;
                std::mem::forget(done);
                return;
            };
            drop(pending);
            let subscribers = self.subscribers.lock().clone();
            for subscriber in subscribers {
                self.tell(&subscriber, &event);
                release(subscriber);
            }
        }
    }

    fn tell(&self, subscriber: &Subscriber, event: &Event) {
        let record = &subscriber.record;
        let wanted = subscriber.kinds.as_ref().is_none_or(|kinds| kinds.contains(&event.what.kind()));
        if !wanted || record.gone.load(Ordering::Acquire) {
            return;
        }
        match catch_unwind(AssertUnwindSafe(|| (subscriber.handler)(event))) {
            Ok(()) => record.panics_in_a_row.store(0, Ordering::Relaxed),
            Err(payload) => self.note_panic(subscriber, event, payload),
        }
    }

    fn note_panic(&self, subscriber: &Subscriber, event: &Event, payload: Box<dyn Any + Send>) {
        let record = &subscriber.record;
        self.panics.fetch_add(1, Ordering::Relaxed);
        let panics = record.panics.fetch_add(1, Ordering::Relaxed) + 1;
        let in_a_row = record.panics_in_a_row.fetch_add(1, Ordering::Relaxed) + 1;
        let message = message_of(payload);
        if panics == 1 {
            tracing::warn!(number = event.number, message, "a subscriber panicked; it is logged this once");
        }
        if in_a_row >= PANICS_IN_A_ROW_MAX {
            record.gone.store(true, Ordering::Release);
            self.remove(subscriber.id);
            tracing::warn!(panics, "a subscriber panicked too often and is dropped");
        }
    }

    fn remove(&self, id: u64) {
        let mut subscribers = self.subscribers.lock();
        let at = subscribers.iter().position(|subscriber| subscriber.id == id);
        let removed = at.map(|at| subscribers.remove(at));
        // What a handler owns may be a subscription of its own, whose drop comes back here.
        drop(subscribers);
        if let Some(removed) = removed {
            release(removed);
        }
    }
}

/// Drops a handler if nobody else holds it. What it owns is foreign code, too.
fn release(subscriber: Arc<Subscriber>) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(|| drop(subscriber))) {
        tracing::warn!(message = message_of(payload), "a subscriber panicked while it was dropped");
    }
}

/// Lets others deliver if a panic ends the delivery nevertheless: whoever collects the log may panic.
struct Done<'a>(&'a Inner);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.pending.lock().delivering = false;
    }
}

fn message_of(payload: Box<dyn Any + Send>) -> String {
    match payload.downcast::<String>() {
        Ok(message) => *message,
        Err(payload) => match payload.downcast::<&'static str>() {
            Ok(message) => (*message).to_owned(),
            Err(payload) => {
                // The drop of a foreign value may panic again, and then nobody would catch it.
                std::mem::forget(payload);
                "a value that is no text".to_owned()
            }
        },
    }
}

impl fmt::Debug for Bus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bus").field("subscribers", &self.inner.subscribers.lock().len()).finish()
    }
}

impl fmt::Debug for Subscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id, .. } = self;
        f.debug_struct("Subscription").field("id", id).field("panics", &self.panics()).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::thread;

    use proptest::prelude::*;

    use super::super::tests::{event, events};
    use super::*;

    /// What subscribers were told, in order: who, and which number.
    #[derive(Clone, Default)]
    struct Told(Arc<Mutex<Vec<(&'static str, u64)>>>);

    impl Told {
        fn note(&self, who: &'static str) -> impl Fn(&Event) + Send + Sync + 'static {
            let told = Arc::clone(&self.0);
            move |event| told.lock().push((who, event.number))
        }

        fn take(&self) -> Vec<(&'static str, u64)> {
            std::mem::take(&mut self.0.lock())
        }
    }

    /// Panics when it is dropped.
    struct Trap;

    impl Drop for Trap {
        fn drop(&mut self) {
            panic!("on purpose, when dropped");
        }
    }

    #[test]
    fn subscribers_are_told_in_order_of_subscription_and_number() {
        let (bus, told) = (Bus::new(), Told::default());
        let _first = bus.subscribe(None, told.note("first"));
        let _second = bus.subscribe(None, told.note("second"));
        bus.publish(&events([5, 3, 4]));
        let expected =
            [("first", 3), ("second", 3), ("first", 4), ("second", 4), ("first", 5), ("second", 5)];
        assert_eq!(told.take(), expected);
    }

    #[test]
    fn a_subscriber_is_told_only_the_kinds_it_asked_for() {
        let (bus, told) = (Bus::new(), Told::default());
        let _some = bus.subscribe(Some(vec![EventKind::SessionStarted]), told.note("some"));
        let _none = bus.subscribe(Some(Vec::new()), told.note("none"));
        bus.publish(&events(1..=4));
        assert_eq!(told.take(), [("some", 2), ("some", 4)]);
    }

    #[test]
    fn dropping_or_cancelling_a_subscription_ends_it() {
        let (bus, told) = (Bus::new(), Told::default());
        assert!(!bus.has_subscribers());
        let first = bus.subscribe(None, told.note("first"));
        let second = bus.subscribe(None, told.note("second"));
        drop(first);
        bus.publish(&[event(1)]);
        second.cancel();
        bus.publish(&[event(2)]);
        assert_eq!(told.take(), [("second", 1)]);
        assert!(!bus.has_subscribers());
    }

    #[test]
    fn a_subscription_outlives_its_bus() {
        let bus = Bus::new();
        let subscription = bus.subscribe(None, |_| {});
        drop(bus);
        assert!(subscription.is_active());
        subscription.cancel();
    }

    #[test]
    fn a_panic_harms_neither_the_caller_nor_the_others() {
        let (bus, told) = (Bus::new(), Told::default());
        let _before = bus.subscribe(None, told.note("before"));
        let bad = bus.subscribe(None, |event| assert!(event.number != 1, "on purpose"));
        let _after = bus.subscribe(None, told.note("after"));
        bus.publish(&events(1..=2));
        assert_eq!(told.take(), [("before", 1), ("after", 1), ("before", 2), ("after", 2)]);
        assert_eq!((bad.panics(), bus.panics(), bad.is_active()), (1, 1, true));
    }

    #[test]
    fn three_panics_in_a_row_drop_the_handler_and_what_it_owns() {
        let (bus, told) = (Bus::new(), Told::default());
        let owned = Arc::new(());
        let held = Arc::clone(&owned);
        let bad = bus.subscribe(None, move |_| panic!("on purpose: {held:?}"));
        let _good = bus.subscribe(None, told.note("good"));
        bus.publish(&events(1..=5));
        assert_eq!((bad.panics(), bus.panics(), bad.is_active()), (3, 3, false));
        assert_eq!(Arc::strong_count(&owned), 1);
        assert_eq!(told.take().len(), 5);
    }

    #[test]
    fn panics_that_are_not_in_a_row_never_drop_the_handler() {
        let bus = Bus::new();
        let bad = bus.subscribe(None, |event| assert!(event.number % 3 == 0, "on purpose"));
        bus.publish(&events(1..=30));
        assert_eq!((bad.panics(), bad.is_active()), (20, true));
    }

    #[test]
    fn a_panic_with_a_value_that_panics_again_is_caught_too() {
        let bus = Bus::new();
        let bad = bus.subscribe(None, |_| std::panic::panic_any(Trap));
        bus.publish(&[event(1)]);
        assert_eq!(bad.panics(), 1);
    }

    #[test]
    fn a_handler_that_panics_when_dropped_harms_nobody() {
        let (bus, told) = (Bus::new(), Told::default());
        let trap = Trap;
        let slot = Arc::new(Mutex::new(None));
        let own = Arc::clone(&slot);
        let trapped = bus.subscribe(None, move |_| {
            let _trap = &trap;
            drop(own.lock().take());
        });
        *slot.lock() = Some(trapped);
        let _good = bus.subscribe(None, told.note("good"));
        bus.publish(&events(1..=2));
        assert_eq!(told.take(), [("good", 1), ("good", 2)]);
        let trap = Trap;
        let cancelled = bus.subscribe(None, move |_| assert!(std::mem::size_of_val(&trap) == 0));
        cancelled.cancel();
    }

    #[test]
    fn a_delivery_that_is_cut_off_leaves_the_bus_usable() {
        let (bus, told) = (Bus::new(), Told::default());
        let _good = bus.subscribe(None, told.note("good"));
        bus.inner.pending.lock().delivering = true;
        let cut_off = catch_unwind(AssertUnwindSafe(|| {
            let _done = Done(&bus.inner);
            panic!("on purpose");
        }));
        assert!(cut_off.is_err());
        bus.publish(&[event(1)]);
        assert_eq!(told.take(), [("good", 1)]);
    }

    #[test]
    fn a_handler_may_subscribe_and_the_new_one_hears_the_next_event() {
        let (bus, told) = (Bus::new(), Told::default());
        let inner = Arc::new(Mutex::new(Vec::new()));
        let (bus_inside, told_inside, keep) = (bus.clone(), told.clone(), Arc::clone(&inner));
        let _outer = bus.subscribe(None, move |_| {
            let mut keep = keep.lock();
            if keep.is_empty() {
                keep.push(bus_inside.subscribe(None, told_inside.note("inner")));
            }
        });
        bus.publish(&events(1..=3));
        assert_eq!(told.take(), [("inner", 2), ("inner", 3)]);
    }

    #[test]
    fn a_handler_may_unsubscribe_itself_and_others() {
        let (bus, told) = (Bus::new(), Told::default());
        let subscriptions = Arc::new(Mutex::new(Vec::new()));
        let (note, taken) = (told.note("self"), Arc::clone(&subscriptions));
        let own = bus.subscribe(None, move |event| {
            note(event);
            let taken = std::mem::take(&mut *taken.lock());
            drop(taken);
        });
        let other = bus.subscribe(None, told.note("other"));
        subscriptions.lock().extend([own, other]);
        bus.publish(&events(1..=3));
        assert_eq!(told.take(), [("self", 1)]);
        assert!(!bus.has_subscribers());
    }

    #[test]
    fn a_handler_that_owns_another_subscription_can_be_cancelled() {
        let (bus, told) = (Bus::new(), Told::default());
        let owned = bus.subscribe(None, told.note("owned"));
        let owner = bus.subscribe(None, move |_| assert!(owned.is_active()));
        bus.publish(&[event(1)]);
        owner.cancel();
        bus.publish(&[event(2)]);
        assert_eq!(told.take(), [("owned", 1)]);
        assert!(!bus.has_subscribers());
    }

    #[test]
    fn a_handler_may_publish_and_everybody_hears_all_in_order() {
        let (bus, told) = (Bus::new(), Told::default());
        let again = bus.clone();
        let _echo = bus.subscribe(None, move |heard| {
            if heard.number < 4 {
                again.publish(&[event(heard.number + 10)]);
            }
        });
        let _last = bus.subscribe(None, told.note("last"));
        bus.publish(&events([1, 2]));
        assert_eq!(told.take(), [("last", 1), ("last", 2), ("last", 11), ("last", 12)]);
    }

    #[test]
    fn a_handler_may_wait_for_a_thread_that_publishes() {
        let (bus, told) = (Bus::new(), Told::default());
        let inside = bus.clone();
        let _waiting = bus.subscribe(Some(vec![EventKind::Recalled]), move |_| {
            let bus = inside.clone();
            thread::spawn(move || bus.publish(&[event(2)])).join().unwrap();
        });
        let _last = bus.subscribe(None, told.note("last"));
        bus.publish(&[event(1)]);
        assert_eq!(told.take(), [("last", 1), ("last", 2)]);
    }

    #[test]
    fn threads_that_publish_at_once_lose_and_double_nothing() {
        let (bus, told) = (Bus::new(), Told::default());
        let _all = bus.subscribe(None, told.note("all"));
        let barrier = Barrier::new(4);
        thread::scope(|scope| {
            for thread in 0..4 {
                let (bus, barrier) = (&bus, &barrier);
                scope.spawn(move || {
                    barrier.wait();
                    (0..250).for_each(|number| bus.publish(&[event(thread * 250 + number)]));
                });
            }
        });
        let mut numbers: Vec<u64> = told.take().into_iter().map(|(_, number)| number).collect();
        for thread in 0..4 {
            let own: Vec<u64> = numbers.iter().copied().filter(|number| number / 250 == thread).collect();
            assert!(own.is_sorted(), "the events of one thread stay in order");
        }
        numbers.sort_unstable();
        assert_eq!(numbers, (0..1000).collect::<Vec<_>>());
    }

    proptest! {
        #[test]
        fn whatever_the_batches_every_event_is_told_once(batches in prop::collection::vec(1_usize..5, 0..20)) {
            let (bus, told) = (Bus::new(), Told::default());
            let _all = bus.subscribe(None, told.note("all"));
            let mut next = 1;
            for size in batches {
                let mut batch = events(next..next + size as u64);
                batch.reverse();
                bus.publish(&batch);
                next += size as u64;
            }
            let numbers: Vec<u64> = told.take().into_iter().map(|(_, number)| number).collect();
            prop_assert_eq!(numbers, (1..next).collect::<Vec<_>>());
        }
    }
}
