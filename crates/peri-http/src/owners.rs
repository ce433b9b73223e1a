//! Whose session of an MCP client it is: what one key began is there for no other.
//!
//! Clients that break off leave their sessions behind, and each takes memory until it has been silent for long. So a
//! key has only so many at a time: beyond that, the one it has not used for the longest time ends.

use std::collections::{HashMap, HashSet};
use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use parking_lot::Mutex;
use perihelion::{Caller, KeyId};

use crate::app::App;

const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
/// A session that is never there, since sessions are named by random numbers.
const NEVER: HeaderValue = HeaderValue::from_static("of-another-key");

/// So many sessions a key may have open.
const SESSIONS_MAX: usize = 256;

/// Open sessions by their names.
#[derive(Default)]
pub(crate) struct Owners(Mutex<HashMap<String, Owner>>);

struct Owner {
    /// The key that began it; none for whoever sits at the machine.
    key: Option<KeyId>,
    /// When it was last spoken to.
    seen: Instant,
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
        owners.insert(session.to_owned(), Owner { key, seen: Instant::now() });
        surplus
    }

    /// Whether a session may be spoken to with this key, which then counts as having been used.
    fn allows(&self, session: &str, key: Option<KeyId>) -> bool {
        match self.0.lock().get_mut(session) {
            Some(owner) if owner.key == key => {
                owner.seen = Instant::now();
                true
            }
            Some(_) => false,
            None => true,
        }
    }

    /// Lets go of sessions that have ended.
    pub(crate) fn tidy(&self, open: &HashSet<String>) {
        self.0.lock().retain(|session, _| open.contains(session));
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
        owners.tidy(&HashSet::from(["one".to_owned()]));
        assert!(!owners.allows("one", ben));
        assert_eq!(owners.0.lock().len(), 1);
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
