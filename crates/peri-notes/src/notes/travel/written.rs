//! A parcel as it is written down, and what is refused of one that comes from elsewhere.

use std::collections::BTreeMap;

use peri_types::Timestamp;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::Parcel;
use crate::item::Owner;
use crate::notes::delivery::Delivered;
use crate::notes::given::Given;
use crate::notes::told::Tellings;
use crate::notes::{Place, Trouble};
use crate::record::{Digest, Listed, Record, from_json};
use crate::sheet::Sheet;
use crate::shelf::{Change, Collection, Key, Shape, Text};
use crate::{NotesError, Session};

/// A parcel that cannot be kept, and why. Nothing of it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} cannot be kept: {why}")]
pub struct InvalidParcel {
    /// What of it.
    pub what: String,
    /// What is wrong with it.
    pub why: String,
}

/// A parcel in words: what each collection holds.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Written {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    session: Option<Session>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    documents: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    logs: BTreeMap<String, Vec<String>>,
    /// Earlier digests by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    archive: BTreeMap<String, String>,
}

impl From<Parcel> for Written {
    fn from(parcel: Parcel) -> Self {
        let Parcel { session, documents, logs } = parcel;
        let is_archived = |key: &Key| key.collection() == Collection::Archive;
        let (archive, documents): (Vec<_>, Vec<_>) =
            documents.into_iter().partition(|(key, _)| is_archived(key));
        let named = |key: &Key| key.collection().as_str().to_owned();
        Self {
            session,
            documents: documents.into_iter().map(|(key, text)| (named(&key), text)).collect(),
            logs: logs.into_iter().map(|(key, lines)| (named(&key), lines)).collect(),
            archive: archive.into_iter().map(|(key, text)| (key.name().to_owned(), text)).collect(),
        }
    }
}

impl TryFrom<Written> for Parcel {
    type Error = InvalidParcel;

    fn try_from(written: Written) -> Result<Self, InvalidParcel> {
        let Written { session, documents, logs, archive } = written;
        let mut parcel = Self { session, ..Self::default() };
        for (collection, text) in documents {
            let key = parcel.key(&collection, Shape::Document)?;
            parcel.documents.insert(key, text);
        }
        for (collection, lines) in logs {
            let key = parcel.key(&collection, Shape::Log)?;
            parcel.logs.extend((!lines.is_empty()).then_some((key, lines)));
        }
        for (name, text) in archive {
            if parcel.session.is_some() {
                return Err(refused("archive", "a session has none"));
            }
            let key = Key::named(Collection::Archive, &name).map_err(|error| refused("archive", error))?;
            parcel.documents.insert(key, text);
        }
        parcel.check()?;
        Ok(parcel)
    }
}

impl Parcel {
    /// Where a collection is kept of what the parcel is about.
    fn key(&self, collection: &str, shape: Shape) -> Result<Key, InvalidParcel> {
        let refuse = |why: &str| Err(refused(collection, why));
        let Some(own) = Collection::ALL.iter().copied().find(|own| own.as_str() == collection) else {
            return refuse("no release knows it");
        };
        let place = self.place();
        let is_carried =
            !matches!(own, Collection::Archive | Collection::Moving | Collection::PersistentMoving);
        match (place, own.owner()) {
            _ if !is_carried || own.shape() != shape => refuse("it is nothing that is carried like this"),
            (Place::Session(_), Owner::Digest) => refuse("it belongs to a digest"),
            (Place::Digest, Owner::Session) => refuse("it belongs to a session, and none is named"),
            _ => Ok(place.key_in(own, own)),
        }
    }

    /// Refuses what no shelf can keep, and documents that nobody could read afterwards.
    fn check(&self) -> Result<(), InvalidParcel> {
        let documents =
            self.documents.iter().map(|(key, text)| Change::Put { key: key.clone(), text: text.clone() });
        let logs =
            self.logs.iter().map(|(key, lines)| Change::Append { key: key.clone(), lines: lines.clone() });
        for change in documents.chain(logs) {
            change.check().map_err(|error| refused(change.key(), error))?;
        }
        self.read_all().map_err(|error| refused(self.place().name(), error))
    }

    fn read_all(&self) -> Result<(), NotesError> {
        match &self.session {
            Some(session) => drop(self.record(session, Timestamp::UNIX_EPOCH)?),
            None => drop(self.digest(Timestamp::UNIX_EPOCH)?),
        }
        self.read::<Listed>(Collection::NewItems)?;
        self.read::<Delivered>(Collection::Delivered)?;
        self.read::<Given>(Collection::Given)?;
        for told in [Collection::Told, Collection::PersistentTold] {
            self.read::<Tellings>(told)?;
        }
        for troubles in [Collection::Trouble, Collection::PersistentTrouble] {
            self.read::<BTreeMap<String, Trouble>>(troubles)?;
        }
        Ok(())
    }

    /// What a document says, if it is there.
    pub(super) fn read<T: DeserializeOwned>(&self, collection: Collection) -> Result<Option<T>, NotesError> {
        let text: Option<Text> = self.document(collection);
        from_json(collection.as_str(), &self.place().name(), text.as_ref())
    }

    pub(super) fn record(&self, session: &Session, now: Timestamp) -> Result<Option<Record>, NotesError> {
        let text = |collection| self.document(collection);
        Record::read(session, text(Collection::Observations).as_ref(), text(Collection::Meta).as_ref(), now)
    }

    pub(super) fn digest(&self, now: Timestamp) -> Result<Digest, NotesError> {
        let text = |collection| self.document(collection);
        Digest::read(text(Collection::Persistent).as_ref(), text(Collection::PersistentMeta).as_ref(), now)
    }

    /// Its notes, if they can be read.
    pub(super) fn sheet(&self) -> Option<Sheet> {
        match &self.session {
            Some(session) => self.record(session, Timestamp::UNIX_EPOCH).ok()?.map(|record| record.sheet),
            None => self.digest(Timestamp::UNIX_EPOCH).ok().map(|digest| digest.sheet),
        }
    }
}

fn refused(what: impl ToString, why: impl ToString) -> InvalidParcel {
    InvalidParcel { what: what.to_string(), why: why.to_string() }
}
