//! Whose session of an MCP client it is: what one key began is there for no other.

use std::collections::{HashMap, HashSet};

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

/// Open sessions by their names, with the key that began each; none for whoever sits at the machine.
#[derive(Default)]
pub(crate) struct Owners(Mutex<HashMap<String, Option<KeyId>>>);

impl Owners {
    fn note(&self, session: &str, key: Option<KeyId>) {
        self.0.lock().insert(session.to_owned(), key);
    }

    fn allows(&self, session: &str, key: Option<KeyId>) -> bool {
        self.0.lock().get(session).is_none_or(|owner| *owner == key)
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
    if let Some(begun) = begun.filter(|_| !known) {
        app.owners.note(begun, key);
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
}
