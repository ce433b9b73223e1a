//! What clients over HTTP were sent lately. A client whose connection broke comes back with the id of the last event that
//! it read, and is given those after it, also what was finished while it was away. The session's own worker forgets an
//! answer as soon as it was handed to the connection, so that events are kept here.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use parking_lot::Mutex;
use rmcp::model::JsonRpcMessage;
use rmcp::transport::streamable_http_server::session::{
    EventStore, EventStoreError, EventStream, ServerSseMessage,
};
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

/// Events are kept for so long, ten times the pause after which clients are told to come back.
const KEPT_FOR: Duration = Duration::from_secs(30);
/// Of all clients together so many bytes are kept, the latest.
const BYTES_MAX: usize = 32 * 1024 * 1024;
/// A call that takes longer than this is not waited for.
const OPEN_MAX: Duration = Duration::from_secs(15 * 60);
/// What an event weighs besides its message.
const EVENT_BYTES: usize = 512;

/// The events that were sent lately. Their ids hold 122 random bits of their stream, so that nobody guesses another
/// client's; and the guard in front asks for a key as for any request.
#[derive(Default, Clone)]
pub struct Replay(Arc<Mutex<Kept>>);

#[derive(Default)]
struct Kept {
    streams: HashMap<String, Sent>,
    /// In the order in which they were sent: the name of the stream, the time, the weight.
    order: VecDeque<(String, Instant, usize)>,
    bytes: usize,
}

/// The events of a stream.
struct Sent {
    /// Their ids begin with it: not the name, which may be that of a session.
    id: String,
    /// The number of the first that is still kept.
    first: usize,
    events: VecDeque<ServerSseMessage>,
    begun: Instant,
    /// How many there are and were, and whether that is all.
    told: watch::Sender<(usize, bool)>,
}

/// An id that the server has not given, or of an event that it no longer keeps.
#[derive(Debug, thiserror::Error)]
#[error("no event of this id is kept; events are kept for {} seconds", KEPT_FOR.as_secs())]
pub struct UnknownEvent;

impl Replay {
    /// Whether what came after this event can be told.
    pub fn knows(&self, event_id: &str) -> bool {
        let mut kept = self.0.lock();
        kept.expire(Instant::now());
        kept.find(event_id).is_some()
    }
}

impl Kept {
    fn store(&mut self, stream: &str, event: &ServerSseMessage, now: Instant) -> String {
        self.expire(now);
        let sent = self.streams.entry(stream.to_owned()).or_insert_with(|| Sent::new(now));
        let number = sent.first + sent.events.len();
        let event_id = format!("{}/{number}", sent.id);
        let mut event = event.clone();
        event.event_id = Some(event_id.clone());
        let is_last = event.message.as_deref().is_some_and(is_answer) && !is_common(stream);
        let bytes = EVENT_BYTES + event.message.as_deref().map_or(0, weight);
        sent.events.push_back(event);
        sent.told.send_replace((number + 1, is_last));
        self.order.push_back((stream.to_owned(), now, bytes));
        self.bytes += bytes;
        event_id
    }

    fn expire(&mut self, now: Instant) {
        let mut went = false;
        while let Some((stream, at, bytes)) = self.order.front() {
            if self.bytes <= BYTES_MAX && now.saturating_duration_since(*at) < KEPT_FOR {
                break;
            }
            if let Some(sent) = self.streams.get_mut(stream) {
                sent.events.pop_front();
                sent.first += 1;
            }
            self.bytes -= bytes;
            self.order.pop_front();
            went = true;
        }
        if went {
            self.streams.retain(|_, sent| sent.is_wanted(now));
        }
    }

    /// The stream of an event, and the number of the one after it.
    fn find(&self, event_id: &str) -> Option<(&str, usize)> {
        let (id, number) = event_id.split_once('/')?;
        let number: usize = number.parse().ok()?;
        let (name, sent) = self.streams.iter().find(|(_, sent)| sent.id == id)?;
        let is_known = number + 1 >= sent.first && number < sent.first + sent.events.len();
        is_known.then_some((name, number + 1))
    }

    /// The event of this number, and how to hear of later ones; nothing once it is gone.
    fn event(&self, stream: &str, number: usize) -> Option<ServerSseMessage> {
        let sent = self.streams.get(stream)?;
        sent.events.get(number.checked_sub(sent.first)?).cloned()
    }
}

impl Sent {
    /// Whether there is something to come back for: an event, an answer that is still to come, or a client that listens.
    fn is_wanted(&self, now: Instant) -> bool {
        let is_open = !self.told.borrow().1 && now.saturating_duration_since(self.begun) < OPEN_MAX;
        !self.events.is_empty() || is_open || self.told.receiver_count() > 0
    }

    fn new(begun: Instant) -> Self {
        let id = rmcp::transport::common::server_side_http::session_id().to_string();
        Self { id, first: 0, events: VecDeque::new(), begun, told: watch::Sender::new((0, false)) }
    }
}

/// What a session says beside its answers comes on a stream of this name, which has no end.
fn is_common(stream: &str) -> bool {
    stream.ends_with(":common")
}

fn is_answer<R, A, N>(message: &JsonRpcMessage<R, A, N>) -> bool {
    matches!(message, JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_))
}

/// How many bytes a message has as JSON.
fn weight(message: &impl serde::Serialize) -> usize {
    struct Count(usize);
    impl std::io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    match serde_json::to_writer(&mut count, message) {
        Ok(()) => count.0,
        Err(_) => 0,
    }
}

#[async_trait]
impl EventStore for Replay {
    async fn store_event(&self, stream: &str, event: &ServerSseMessage) -> Result<String, EventStoreError> {
        Ok(self.0.lock().store(stream, event, Instant::now()))
    }

    async fn replay_events_after(&self, last_event_id: &str) -> Result<EventStream, EventStoreError> {
        let (stream, mut number, mut told) = {
            let mut kept = self.0.lock();
            kept.expire(Instant::now());
            let (stream, number) = kept.find(last_event_id).ok_or(UnknownEvent)?;
            let told = kept.streams.get(stream).ok_or(UnknownEvent)?.told.subscribe();
            (stream.to_owned(), number, told)
        };
        let (sender, receiver) = mpsc::channel(16);
        let kept = Arc::clone(&self.0);
        tokio::spawn(async move {
            loop {
                let (there, is_all) = *told.borrow_and_update();
                while number < there {
                    let Some(event) = kept.lock().event(&stream, number) else { return };
                    if sender.send(event).await.is_err() {
                        return;
                    }
                    number += 1;
                }
                if is_all {
                    return;
                }
                tokio::select! {
                    changed = told.changed() => if changed.is_err() { return },
                    () = sender.closed() => return,
                }
            }
        });
        Ok(Box::pin(tokio_stream::wrappers::ReceiverStream::new(receiver)))
    }
}

#[cfg(test)]
mod tests {
    use futures_util::StreamExt as _;
    use rmcp::model::ServerJsonRpcMessage;
    use serde_json::json;

    use super::*;

    fn answer(text: &str) -> ServerSseMessage {
        let result = json!({ "content": [{ "type": "text", "text": text }] });
        let message = json!({ "jsonrpc": "2.0", "id": 1, "result": result });
        ServerSseMessage::from_message(serde_json::from_value::<ServerJsonRpcMessage>(message).unwrap())
    }

    fn retry() -> ServerSseMessage {
        ServerSseMessage::retry(Duration::from_secs(3))
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_that_was_finished_while_the_client_was_away_is_there_when_it_comes_back() {
        let replay = Replay::default();
        let first = replay.store_event("call", &retry()).await.unwrap();
        replay.store_event("call", &answer("honey")).await.unwrap();
        for pause in [0, 3, 20] {
            tokio::time::advance(Duration::from_secs(pause)).await;
            let events: Vec<_> = replay.replay_events_after(&first).await.unwrap().collect().await;
            assert_eq!(events.len(), 1, "after {pause} more seconds; and the stream ends");
            assert!(events[0].message.is_some());
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_that_is_finished_later_comes_on_the_stream_that_was_taken_up_again() {
        let replay = Replay::default();
        let first = replay.store_event("call", &retry()).await.unwrap();
        tokio::time::advance(KEPT_FOR * 2).await;
        replay.store_event("other", &answer("x")).await.unwrap();
        let mut events = replay.replay_events_after(&first).await.unwrap();
        replay.store_event("call", &answer("honey")).await.unwrap();
        assert!(events.next().await.unwrap().message.is_some());
        assert!(events.next().await.is_none(), "that was all");
    }

    #[tokio::test(start_paused = true)]
    async fn an_id_that_was_never_given_or_is_no_longer_kept_is_unknown() {
        let replay = Replay::default();
        let first = replay.store_event("call", &retry()).await.unwrap();
        let last = replay.store_event("call", &answer("honey")).await.unwrap();
        assert!(replay.knows(&first) && replay.knows(&last));
        let next = last.replace("/1", "/2");
        for unknown in ["", "x", "0/0", "../../x", "99999999999999999999", &next] {
            assert!(!replay.knows(unknown), "{unknown}");
            assert!(replay.replay_events_after(unknown).await.is_err());
        }
        tokio::time::advance(KEPT_FOR).await;
        assert!(!replay.knows(&first) && !replay.knows(&last));
        assert!(replay.0.lock().streams.is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn no_more_is_kept_than_the_bound() {
        let replay = Replay::default();
        let text = "x".repeat(1024 * 1024);
        for call in 0..40 {
            replay.store_event(&format!("call {call}"), &answer(&text)).await.unwrap();
        }
        assert!(replay.0.lock().bytes <= BYTES_MAX + text.len() + 2 * EVENT_BYTES);
    }
}
