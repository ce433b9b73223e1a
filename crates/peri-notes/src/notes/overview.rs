//! The sessions of a namespace at a glance.

use std::collections::BTreeMap;

use peri_types::{Namespace, Timestamp};

use super::{Notes, Trouble};
use crate::record::{RecordMeta, from_json};
use crate::shelf::Collection;
use crate::{NotesError, Session};

/// What is kept of one session, in figures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overview {
    /// Which session.
    pub session: Session,
    /// Whose it is, if somebody said so.
    pub user: Option<String>,
    /// When its first note was made, or when it began; none if neither is known.
    pub created_at: Option<Timestamp>,
    /// When it was last observed; none if it was not yet.
    pub observed_at: Option<Timestamp>,
    /// How often it was observed.
    pub observations: u64,
    /// How many notes it had when they were last saved...
    pub notes: usize,
    /// ...with how many tokens.
    pub tokens: usize,
    /// How many messages wait to be observed.
    pub pending: usize,
    /// How many steps are in trouble.
    pub troubles: usize,
    /// How many messages were put aside.
    pub aside: usize,
}

impl Overview {
    fn new(session: &Session) -> Self {
        Self {
            session: session.clone(),
            user: None,
            created_at: None,
            observed_at: None,
            observations: 0,
            notes: 0,
            tokens: 0,
            pending: 0,
            troubles: 0,
            aside: 0,
        }
    }

    fn take_meta(&mut self, meta: RecordMeta) {
        self.user = meta.user.or(self.user.take());
        (self.created_at, self.observations) = (Some(meta.created_at), meta.observations);
        self.observed_at = (meta.observations > 0).then_some(meta.observed_at);
        (self.notes, self.tokens) = (meta.details.ids().count(), meta.tokens);
    }
}

/// Sessions while their figures are gathered.
#[derive(Default)]
struct Gathered(BTreeMap<Session, Overview>);

impl Gathered {
    fn of(&mut self, session: &Session) -> &mut Overview {
        self.0.entry(session.clone()).or_insert_with(|| Overview::new(session))
    }
}

impl Notes {
    /// The sessions of a namespace of which anything is kept, sorted by name. A document that cannot be read leaves its
    /// figures out.
    pub fn overview(&self, namespace: &Namespace) -> Result<Vec<Overview>, NotesError> {
        let mut all = Gathered::default();
        for (session, text) in self.by_session(namespace, Collection::Given)? {
            match from_json::<super::given::Given>("list of what was given", session.as_str(), Some(&text)) {
                Ok(given) => {
                    let given = given.unwrap_or_default();
                    let own = all.of(&session);
                    (own.user, own.created_at) = (given.user, given.began_at);
                }
                Err(error) => left_out(&error),
            }
        }
        for (session, text) in self.by_session(namespace, Collection::Meta)? {
            let own = all.of(&session);
            match from_json::<RecordMeta>("details of the notes", session.as_str(), Some(&text)) {
                Ok(meta) => meta.into_iter().for_each(|meta| own.take_meta(meta)),
                Err(error) => left_out(&error),
            }
        }
        for (session, text) in self.by_session(namespace, Collection::Trouble)? {
            match from_json::<BTreeMap<String, Trouble>>("list of troubles", session.as_str(), Some(&text)) {
                Ok(troubles) => all.of(&session).troubles = troubles.map_or(0, |troubles| troubles.len()),
                Err(error) => left_out(&error),
            }
        }
        for key in self.shelf.list(namespace, Collection::Observations)? {
            all.of(key.session());
        }
        for key in self.shelf.list(namespace, Collection::Pending)? {
            all.of(key.session()).pending = self.shelf.lines(namespace, &key)?.len();
        }
        for key in self.shelf.list(namespace, Collection::Aside)? {
            all.of(key.session()).aside = self.shelf.lines(namespace, &key)?.len();
        }
        Ok(all.0.into_values().collect())
    }
}

fn left_out(error: &NotesError) {
    tracing::warn!(%error, "figures of a session are left out");
}
