//! Events as they come, one reader at a time.
//!
//! A reader holds the number up to which it has heard, and nothing else: whenever something happens it reads on from
//! there. So a slow one makes no queue grow, one that comes back misses nothing, and what other processes did is told
//! as well.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use perihelion::{Caller, Event, EventKind, Happening, Scope, Subscription};
use tokio::sync::{Notify, OwnedSemaphorePermit, mpsc, watch};
use tokio::time::{Instant, sleep, timeout};
use tokio_stream::wrappers::ReceiverStream;

use crate::app::App;
use crate::extract::Visit;
use crate::problem::Problem;

/// Events are read from the engine so many at a time.
const PAGE: usize = 256;
/// So many wait for a reader that is slower than they come.
const WAITING_MAX: usize = 64;
/// A reader that takes nothing for so long is cut off, and may come back.
const STALLED: Duration = Duration::from_secs(60);
/// How often events of other processes are looked for.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// How often something is sent when nothing happens, so that a broken connection is noticed.
const ALIVE_EVERY: Duration = Duration::from_secs(15);
/// How long a client should wait before it comes back, in milliseconds.
const RETRY_MS: u64 = 3000;

/// Which events a reader is told.
pub(crate) struct Wanted {
    pub(crate) scope: Scope,
    /// All of them when empty.
    pub(crate) kinds: Vec<EventKind>,
}

impl Wanted {
    /// Whether an event is to be told. What happened in no namespace is for those who may see everything.
    pub(crate) fn fits(&self, event: &Event) -> bool {
        let place = match &event.namespace {
            Some(namespace) => self.scope.contains(namespace),
            None => self.scope == Scope::All,
        };
        place && (self.kinds.is_empty() || self.kinds.contains(&event.what.kind()))
    }
}

/// Begins to tell events, after a number or from now on.
pub(crate) async fn open(
    visit: &Visit,
    wanted: Wanted,
    after: Option<u64>,
) -> Result<impl Stream<Item = Result<Bytes, Infallible>> + use<>, Problem> {
    let app = App::clone(&visit.app);
    let place = Arc::clone(&app.readers).try_acquire_owned();
    let place = place.map_err(|_| Problem::full("as many streams of events are open as may be at once"))?;
    let news = Arc::new(Notify::new());
    let told = Arc::clone(&news);
    let begun = visit.work(move |engine| {
        let subscription = engine.subscribe(None, move |_| told.notify_one())?;
        Ok((subscription, engine.last_event_number()?))
    });
    let (subscription, last) = begun.await?;
    let (out, frames) = mpsc::channel(WAITING_MAX);
    let reader = Reader {
        stopping: app.stopping.clone(),
        caller: visit.caller.clone(),
        heard: after.map_or(last, |after| after.min(last)),
        sent_at: Instant::now(),
        app,
        wanted,
        out,
        news,
        _subscription: subscription,
        _place: place,
    };
    let foreign = after.filter(|after| *after > last);
    tokio::spawn(reader.run(foreign));
    Ok(ReceiverStream::new(frames).map(Ok))
}

/// Why a reader is told no more: it left, stalled or may not hear more, or the server stops.
struct Ended;

/// Somebody who listens.
struct Reader {
    app: App,
    caller: Caller,
    wanted: Wanted,
    /// Up to which number everything was told or was not to be told.
    heard: u64,
    sent_at: Instant,
    out: mpsc::Sender<Bytes>,
    news: Arc<Notify>,
    stopping: watch::Receiver<bool>,
    _subscription: Subscription,
    _place: OwnedSemaphorePermit,
}

impl Reader {
    async fn run(mut self, foreign: Option<u64>) {
        // Something is sent at once, so that the client knows that it is heard.
        let mut begun = self.send(format!("retry: {RETRY_MS}\n\n")).await;
        if let (Ok(()), Some(after)) = (&begun, foreign) {
            // That number is of another store, or of the future; the client must not believe that it missed nothing.
            begun = self.send(lagged(after, self.heard)).await;
        }
        if begun.is_err() {
            return;
        }
        while self.tell().await.is_ok() && self.wait().await.is_ok() {}
    }

    /// Tells everything that has happened by now.
    async fn tell(&mut self) -> Result<(), Ended> {
        loop {
            let after = self.heard;
            let read = self.app.work(move |engine| Ok(engine.events_after(after, PAGE)?)).await;
            let events = read.map_err(|problem| {
                tracing::warn!(?problem, "a stream of events ends; its reader may come back");
                Ended
            })?;
            if events.is_empty() {
                return Ok(());
            }
            for event in events {
                self.tell_one(&event).await?;
            }
        }
    }

    async fn tell_one(&mut self, event: &Event) -> Result<(), Ended> {
        if event.number > self.heard.saturating_add(1) {
            self.send(lagged(self.heard, event.number - 1)).await?;
        }
        if self.wanted.fits(event) {
            self.send(frame(&event.clone().within(&self.wanted.scope))).await?;
        }
        self.heard = event.number;
        if shuts_out(event, &self.caller) { Err(Ended) } else { Ok(()) }
    }

    /// Waits until something may have happened.
    async fn wait(&mut self) -> Result<(), Ended> {
        tokio::select! {
            () = self.news.notified() => {}
            () = sleep(LOOK_EVERY) => {}
            () = self.out.closed() => return Err(Ended),
            _ = self.stopping.wait_for(|stopping| *stopping) => return Err(Ended),
        }
        if self.sent_at.elapsed() >= ALIVE_EVERY {
            // The number comes along: whoever is told little need not begin from far back.
            self.send(format!(": alive\nid: {}\n\n", self.heard)).await?;
        }
        Ok(())
    }

    async fn send(&mut self, text: String) -> Result<(), Ended> {
        let sent = tokio::select! {
            sent = timeout(STALLED, self.out.send(Bytes::from(text))) => sent,
            _ = self.stopping.wait_for(|stopping| *stopping) => return Err(Ended),
        };
        self.sent_at = Instant::now();
        match sent {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(Ended),
        }
    }
}

/// Whether a caller may hear no more from this event on: the key was revoked, or from now on a key is needed.
fn shuts_out(event: &Event, caller: &Caller) -> bool {
    match &event.what {
        Happening::KeyRevoked { key } => caller.key == Some(*key),
        Happening::KeyCreated { .. } => caller.key.is_none(),
        _ => false,
    }
}

fn frame(event: &Event) -> String {
    // An event is numbers, names and lists of them: it can always be written.
    let data = serde_json::to_string(event).unwrap_or_default();
    format!("id: {}\nevent: {}\ndata: {data}\n\n", event.number, event.what.kind())
}

/// Tells that events may be missing: those after one number up to another are no longer kept.
fn lagged(after: u64, through: u64) -> String {
    format!("event: lagged\ndata: {{\"after\":{after},\"through\":{through}}}\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(number: u64, what: Happening) -> Event {
        Event { number, at: "2026-11-15T09:00:00Z".parse().unwrap(), namespace: None, what }
    }

    #[test]
    fn a_frame_is_one_line_of_data_whatever_the_event_says() {
        let what = Happening::Recalled {
            query: "two\nlines\r\nand: more\n\n".to_owned(),
            ids: Vec::new(),
            micros: None,
        };
        let text = frame(&event(7, what));
        let lines: Vec<&str> = text.split('\n').collect();
        assert_eq!(lines[..2], ["id: 7", "event: recalled"]);
        assert!(lines[2].starts_with("data: {") && !text.contains('\r'));
        assert_eq!(lines[3..], ["", ""]);
    }

    #[test]
    fn whoever_lost_the_right_to_hear_hears_no_more() {
        let key: perihelion::KeyId = "abcdefgh".parse().unwrap();
        let other: perihelion::KeyId = "hgfedcba".parse().unwrap();
        let holder = Caller { key: Some(key), ..Caller::local() };
        assert!(shuts_out(&event(1, Happening::KeyRevoked { key }), &holder));
        assert!(!shuts_out(&event(1, Happening::KeyRevoked { key: other }), &holder));
        let role = perihelion::Role::Reader;
        let created = event(1, Happening::KeyCreated { key, role, scope: Scope::All });
        assert!(shuts_out(&created, &Caller::local()));
        assert!(!shuts_out(&created, &holder));
    }
}
