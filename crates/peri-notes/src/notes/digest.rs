//! The digest of a namespace and its earlier versions.

use jiff::tz::TimeZone;
use peri_types::{Namespace, Timestamp};

use super::{ATTEMPTS_MAX, AllCandidates, Cleared, Notes, Place, Plan};
use crate::record::Digest;
use crate::shelf::{Change, Collection, Expected, Key, Text};
use crate::{NotesError, Session};

/// What the digest is called.
pub(super) const NAME: &str = "recent";

impl Notes {
    /// The digest of a namespace, which is empty if there is none yet.
    pub fn digest(&self, namespace: &Namespace) -> Result<Digest, NotesError> {
        let [markdown_key, meta_key] = digest_keys();
        for _ in 0..ATTEMPTS_MAX {
            let meta = self.shelf.read(namespace, &meta_key)?;
            let markdown = self.shelf.read(namespace, &markdown_key)?;
            // Both are changed together: if one is still the same, they belong together.
            if self.shelf.read(namespace, &meta_key)? == meta {
                return self.read_digest(markdown.as_ref(), meta.as_ref());
            }
        }
        Err(NotesError::Contended { name: "the digest".to_owned(), attempts: ATTEMPTS_MAX })
    }

    /// Changes the digest of a namespace. What it was is put in the archive with it. The change is made again on what is
    /// there then if somebody else was faster.
    pub fn update_digest(
        &self,
        namespace: &Namespace,
        mut change: impl FnMut(&mut Digest, Timestamp),
    ) -> Result<Digest, NotesError> {
        self.commit(namespace, "the digest", || self.rewriting(namespace, &mut change))
    }

    /// Changes the digest and removes the candidates that were considered for it, all at once. If any of these is gone,
    /// somebody else has considered it, and nothing is done.
    pub fn promote(
        &self,
        namespace: &Namespace,
        considered: &AllCandidates,
        mut change: impl FnMut(&mut Digest, Timestamp),
    ) -> Result<Cleared, NotesError> {
        self.commit(namespace, "the digest", || {
            let Plan { changes, expected, .. } = self.rewriting(namespace, &mut change)?;
            let mut plan = Plan { changes, expected, answer: Cleared::Done };
            if !self.consider(namespace, considered, &mut plan)? {
                return Ok(Plan::nothing(Cleared::Already));
            }
            Ok(plan)
        })
    }

    /// The names of earlier digests, the oldest first. They begin with the time at which each was replaced.
    pub fn archives(&self, namespace: &Namespace) -> Result<Vec<Session>, NotesError> {
        let keys = self.shelf.list(namespace, Collection::Archive)?;
        Ok(keys.iter().map(|key| key.session().clone()).collect())
    }

    /// An earlier digest, as Markdown; none if there is none of the name.
    pub fn archived(&self, namespace: &Namespace, name: &Session) -> Result<Option<String>, NotesError> {
        let text = self.shelf.read(namespace, &Key::new(Collection::Archive, name))?;
        Ok(text.map(|text| text.text))
    }

    fn read_digest(&self, markdown: Option<&Text>, meta: Option<&Text>) -> Result<Digest, NotesError> {
        let mut digest = Digest::read(markdown, meta, self.clock.now())?;
        digest.tokens = self.count(&digest.sheet);
        Ok(digest)
    }

    /// What changes the digest and keeps what it was.
    fn rewriting(
        &self,
        namespace: &Namespace,
        change: &mut impl FnMut(&mut Digest, Timestamp),
    ) -> Result<Plan<Digest>, NotesError> {
        let now = self.clock.now();
        let [markdown_key, meta_key] = digest_keys();
        let markdown = self.shelf.read(namespace, &markdown_key)?;
        let meta = self.shelf.read(namespace, &meta_key)?;
        let mut digest = self.read_digest(markdown.as_ref(), meta.as_ref())?;
        let before = digest.clone();
        change(&mut digest, now);
        digest.tokens = self.count(&digest.sheet);
        let text = digest.sheet.to_markdown();
        let is_same = markdown.as_ref().map_or("", |text| &text.text) == text;
        if is_same && digest == before {
            return Ok(Plan::nothing(digest));
        }
        digest.saved_at = Some(now);
        let mut plan = Plan::nothing(digest);
        plan.expected.push((markdown_key.clone(), Expected::unchanged(markdown.as_ref())));
        plan.expected.push((meta_key.clone(), Expected::unchanged(meta.as_ref())));
        if let Some(old) = markdown.filter(|_| !is_same) {
            let key = self.free_archive(namespace, now)?;
            plan.expected.push((key.clone(), Expected::Absent));
            plan.changes.push(Change::Put { key, text: old.text });
        }
        plan.changes.push(Change::Put { key: markdown_key, text });
        plan.changes.push(Change::Put { key: meta_key, text: plan.answer.meta(now) });
        Ok(plan)
    }

    /// A name in the archive that nothing has yet. They sort by time.
    pub(super) fn free_archive(&self, namespace: &Namespace, now: Timestamp) -> Result<Key, NotesError> {
        let stamp = now.to_zoned(TimeZone::UTC).strftime("%Y-%m-%d_%H-%M-%S.%3f").to_string();
        for number in 1.. {
            let key = archive_key(&stamp, number);
            if self.shelf.read(namespace, &key)?.is_none() {
                return Ok(key);
            }
        }
        unreachable!("there are more numbers than archives")
    }
}

/// The documents of a digest, but for the archive.
pub(super) fn all_keys() -> Vec<Key> {
    let collections = [
        Collection::Persistent,
        Collection::PersistentMeta,
        Collection::PersistentTold,
        Collection::PersistentTrouble,
    ];
    collections.map(|own| Place::Digest.key_in(own, own)).to_vec()
}

fn digest_keys() -> [Key; 2] {
    [Collection::Persistent, Collection::PersistentMeta]
        .map(|collection| Key::named(collection, NAME).expect("the name of the digest is a name"))
}

pub(super) fn archive_key(stamp: &str, number: u32) -> Key {
    let name = if number == 1 { format!("{NAME}_{stamp}") } else { format!("{NAME}_{stamp}-{number:03}") };
    Key::named(Collection::Archive, &name).expect("a time is a name")
}
