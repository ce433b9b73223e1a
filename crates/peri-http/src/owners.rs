//! Whose session of an MCP client it is: what one key began is there for no other.
//!
//! Clients that break off leave their sessions behind, and each takes memory until it has been silent for long. So a
//! key has only so many at a time: beyond that, the one it has not used for the longest time ends. One that was never
//! spoken to after its beginning, as a client that is there does at once, ends after minutes.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use parking_lot::Mutex;
use perihelion::{Caller, KeyId};

use crate::app::App;
use crate::problem::Problem;

const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const LAST_EVENT: HeaderName = HeaderName::from_static("last-event-id");
/// A session that is never there, since sessions are named by random numbers.
const NEVER: HeaderValue = HeaderValue::from_static("of-another-key");

/// So many sessions a key may have open.
const SESSIONS_MAX: usize = 256;

/// So long after its beginning a session must have been spoken to.
const UNSPOKEN_MAX: Duration = Duration::from_secs(2 * 60);

/// Open sessions by their names.
#[derive(Default)]
pub(crate) struct Owners(Mutex<HashMap<String, Owner>>);

struct Owner {
    /// The key that began it; none for whoever sits at the machine.
    key: Option<KeyId>,
    /// When it was last spoken to, or began.
    seen: Instant,
    /// Whether it was spoken to after its beginning.
    spoken: bool,
}

impl Owners {
    /// Notes a session that has begun, and names the one that has to end for it, if there are too many.
    fn note(&self, session: &str, key: Option<KeyId>) -> Option<String> {
        let mut owners = self.0.lock();
        let own = owners.iter().filter(|(_, owner)| owner.key == key);
        let surplus = (own.clone().count() >= SESSIONS_MAX)
            .then(|| own.min_by_key(|(_, owner)| owner.seen).map(|(name, _)| name.clone()))
            .flatten();
        if let Some(name) = &surplus {
            owners.remove(name);
        }
        owners.insert(session.to_owned(), Owner { key, seen: Instant::now(), spoken: false });
        surplus
    }

    /// Whether a session may be spoken to with this key, which then counts as having been used.
    fn allows(&self, session: &str, key: Option<KeyId>) -> bool {
        match self.0.lock().get_mut(session) {
            Some(owner) if owner.key == key => {
                (owner.seen, owner.spoken) = (Instant::now(), true);
                true
            }
            Some(_) => false,
            None => true,
        }
    }

    /// Lets go of sessions that have ended, and names those that nobody came back to.
    pub(crate) fn tidy(&self, open: &HashSet<String>, now: Instant) -> Vec<String> {
        let mut owners = self.0.lock();
        owners.retain(|session, _| open.contains(session));
        let left = |owner: &Owner| !owner.spoken && now.saturating_duration_since(owner.seen) >= UNSPOKEN_MAX;
        owners.extract_if(|_, owner| left(owner)).map(|(session, _)| session).collect()
    }
}

/// Answers requests about somebody else's session as if there were no such session.
pub(crate) async fn own(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let key = request.extensions().get::<Caller>().and_then(|caller| caller.key);
    let session = request.headers().get(SESSION).and_then(|name| name.to_str().ok());
    let known = session.is_some();
    if session.is_some_and(|session| !app.owners.allows(session, key)) {
        request.headers_mut().insert(SESSION, NEVER);
    }
    if let Some(last) = request.headers().get(LAST_EVENT)
        && let Some(sessions) = app.mcp_sessions.get()
        && !last.to_str().is_ok_and(|last| sessions.can_resume(last))
    {
        return Problem::invalid(
            "Last-Event-ID is none that was given here lately; call again without it, since what was sent after it is no \
             longer kept",
        )
        .into_response();
    }
    let response = next.run(request).await;
    let begun = response.headers().get(SESSION).and_then(|name| name.to_str().ok());
    if let Some(begun) = begun.filter(|_| !known)
        && let Some(surplus) = app.owners.note(begun, key)
        && let Some(sessions) = app.mcp_sessions.get()
    {
        sessions.end(&surplus).await;
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_its_owners_until_it_ends() {
        let owners = Owners::default();
        let [ana, ben] = ["aaaaaaaa", "bbbbbbbb"].map(|id| id.parse::<KeyId>().ok());
        owners.note("one", ana);
        owners.note("two", None);
        for (session, key, allowed) in [
            ("one", ana, true),
            ("one", ben, false),
            ("one", None, false),
            ("two", None, true),
            ("two", ana, false),
            ("unknown", ana, true),
        ] {
            assert_eq!(owners.allows(session, key), allowed, "{session} {key:?}");
        }
        assert!(owners.tidy(&HashSet::from(["one".to_owned()]), Instant::now()).is_empty());
        assert!(!owners.allows("one", ben));
        assert_eq!(owners.0.lock().len(), 1);
    }

    #[test]
    fn a_session_that_nobody_came_back_to_ends_and_one_that_was_spoken_to_stays() {
        let owners = Owners::default();
        owners.note("left", None);
        owners.note("in use", None);
        assert!(owners.allows("in use", None));
        let open = HashSet::from(["left", "in use"].map(str::to_owned));
        assert!(owners.tidy(&open, Instant::now()).is_empty(), "a slow client has time");
        let later = Instant::now() + UNSPOKEN_MAX;
        assert_eq!(owners.tidy(&open, later), ["left"]);
        assert!(owners.tidy(&open, later).is_empty(), "it is told once");
        assert_eq!(owners.0.lock().keys().collect::<Vec<_>>(), ["in use"]);
    }

    #[test]
    fn beyond_the_limit_the_longest_silent_session_of_the_same_key_ends() {
        let owners = Owners::default();
        let [ana, ben] = ["aaaaaaaa", "bbbbbbbb"].map(|id| id.parse::<KeyId>().ok());
        assert_eq!(owners.note("of ben", ben), None);
        for number in 0..SESSIONS_MAX {
            assert_eq!(owners.note(&format!("session {number}"), ana), None);
        }
        assert!(owners.allows("session 0", ana), "this one is in use");
        assert_eq!(owners.note("one more", ana).as_deref(), Some("session 1"));
        assert_eq!(owners.note("another", ana).as_deref(), Some("session 2"));
        assert_eq!(owners.note("of ben too", ben), None);
    }
}
