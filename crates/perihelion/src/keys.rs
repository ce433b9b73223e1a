//! Keys, by which faces know who asks.
//!
//! A key is `peri_`, its id, and a secret of 256 random bits. Only a hash of the whole is stored: since nobody can
//! guess so many bits, a plain hash keeps them as well as a slow one would.

use std::collections::HashMap;
use std::time::Duration;

use jiff::SignedDuration;
use parking_lot::Mutex;
use peri_store::{KeyRecord, KeyUse, Store, StoreError, Write, Written};
use peri_types::{KeyId, Role, Scope, Timestamp};
use serde::Serialize;

use crate::Error;
use crate::engine::{Core, Perihelion};

/// How every key begins, so that people and scanners know one when they see it.
const PREFIX: &str = "peri_";
/// Random bytes that become the characters of an id...
const ID_BYTES: usize = 5;
/// ...and of a secret.
const SECRET_BYTES: usize = 32;
const SECRET_CHARS: usize = (SECRET_BYTES * 8).div_ceil(5);
/// When a key was last used is written down at most this often.
const NOTED_EVERY: Duration = Duration::from_secs(60);

/// A key to be created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewKey {
    /// What it is for. Names need not be unique.
    pub name: String,
    /// What it allows.
    pub role: Role,
    /// Where it allows that.
    pub scope: Scope,
}

/// A key as far as it is no secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ApiKey {
    /// What it is called by.
    pub id: KeyId,
    /// What it is for.
    pub name: String,
    /// What it allows.
    pub role: Role,
    /// Where it allows that.
    pub scope: Scope,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was revoked. It lets nobody in from then on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revoked_at: Option<Timestamp>,
    /// When it was last used, to within a minute or two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used_at: Option<Timestamp>,
}

/// A new key, with the secret that is told this once.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CreatedKey {
    /// What its holder shows. Nobody can look it up again.
    pub secret: String,
    /// The rest of it.
    pub key: ApiKey,
}

impl std::fmt::Debug for CreatedKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // What is printed for debugging ends up in logs.
        f.debug_struct("CreatedKey").field("key", &self.key).finish_non_exhaustive()
    }
}

impl From<KeyRecord> for ApiKey {
    fn from(record: KeyRecord) -> Self {
        let KeyRecord { id, name, hash: _, role, scope, created_at, revoked_at, used_at } = record;
        Self { id, name, role, scope, created_at, revoked_at, used_at }
    }
}

impl Perihelion {
    /// Creates a key. Its secret is in the answer and nowhere else.
    pub fn create_key(&self, new: NewKey) -> Result<CreatedKey, Error> {
        let core = &self.core;
        core.options.limits.check_label("name", &new.name)?;
        let NewKey { name, role, scope } = new;
        let id: KeyId = base32(&random::<ID_BYTES>()?).parse()?;
        let secret = format!("{PREFIX}{id}_{}", base32(&random::<SECRET_BYTES>()?));
        let hash = *blake3::hash(secret.as_bytes()).as_bytes();
        let created_at = core.now();
        let record = KeyRecord { id, name, hash, role, scope, created_at, revoked_at: None, used_at: None };
        let key = told(core.change(vec![Write::CreateKey(Box::new(record))])?.pop())?;
        Ok(CreatedKey { secret, key })
    }

    /// Every key, the revoked ones too, the earliest first.
    pub fn keys(&self) -> Result<Vec<ApiKey>, Error> {
        Ok(self.core.store.keys()?.into_iter().map(ApiKey::from).collect())
    }

    /// Revokes a key: whoever shows it is let in no more, by any process, from the next request on. Revoking it again
    /// changes nothing.
    pub fn revoke_key(&self, id: KeyId) -> Result<ApiKey, Error> {
        told(self.core.change(vec![Write::RevokeKey { id, at: self.core.now() }])?.pop())
    }

    /// Whether the store is on a server that was never met from this data folder, so that nobody knows yet which keys there
    /// are. It ends with the first answer.
    pub fn awaits_store(&self) -> bool {
        self.core.acquaintance.is_awaited()
    }

    /// Whether there is a key that is not revoked. While the store does not answer: whether there was when it last did.
    pub fn has_keys(&self) -> Result<bool, Error> {
        let core = &self.core;
        match core.store.has_keys() {
            Ok(keys) => {
                core.acquaintance.has_keys(keys);
                Ok(keys)
            }
            Err(error) if error.is_unreachable() => core.acquaintance.had_keys().ok_or(error.into()),
            Err(error) => Err(error.into()),
        }
    }

    /// The key with this secret. What is malformed, unknown or revoked is none, all alike.
    ///
    /// It is one query by the key's id, which takes microseconds: there is nothing in memory that could lag behind
    /// a key that another process revoked. Only while the store does not answer, when nothing can be read and writes
    /// wait, are keys taken that this process has let in before.
    pub fn authenticate(&self, secret: &str) -> Result<Option<ApiKey>, Error> {
        let core = &self.core;
        let Some(id) = public_part(secret) else { return Ok(None) };
        let found = match core.store.key(id) {
            Ok(found) => {
                core.key_uses.saw(id, found.as_ref());
                found
            }
            Err(error) if error.is_unreachable() => Some(core.key_uses.last_seen(id).ok_or(error)?),
            Err(error) => return Err(error.into()),
        };
        // Hashes are compared in constant time, and something is compared even if there is no such key.
        let kept = blake3::Hash::from_bytes(found.as_ref().map_or([0; blake3::OUT_LEN], |key| key.hash));
        let fits = blake3::hash(secret.as_bytes()) == kept;
        let Some(record) = found.filter(|key| fits && key.revoked_at.is_none()) else { return Ok(None) };
        core.acquaintance.has_keys(true);
        core.key_uses.let_in(&record);
        core.key_uses.note(&record, core.now());
        Ok(Some(record.into()))
    }
}

/// Uses of keys that the store does not know of yet, and the keys that were let in, as they last were.
#[derive(Default)]
pub(crate) struct KeyUses {
    unwritten: Mutex<HashMap<KeyId, Timestamp>>,
    let_in: Mutex<HashMap<KeyId, KeyRecord>>,
}

impl KeyUses {
    /// Forgets a key that is gone or revoked.
    fn saw(&self, id: KeyId, found: Option<&KeyRecord>) {
        if found.is_none_or(|key| key.revoked_at.is_some()) {
            self.let_in.lock().remove(&id);
        }
    }

    /// Keeps a key whose secret was shown.
    fn let_in(&self, key: &KeyRecord) {
        let mut known = self.let_in.lock();
        if known.get(&key.id) != Some(key) {
            known.insert(key.id, key.clone());
        }
    }

    /// A key that was let in before, as it last was.
    fn last_seen(&self, id: KeyId) -> Option<KeyRecord> {
        self.let_in.lock().get(&id).cloned()
    }

    /// Notes that a key is used, unless that was written down a moment ago.
    fn note(&self, key: &KeyRecord, at: Timestamp) {
        let every = SignedDuration::try_from(NOTED_EVERY).unwrap_or(SignedDuration::MAX);
        if key.used_at.is_none_or(|used| at.duration_since(used) >= every) {
            self.unwritten.lock().insert(key.id, at);
        }
    }

    /// Writes everything back. What could not be written stays for the next time.
    pub(crate) fn flush(&self, store: &dyn Store) -> Result<(), StoreError> {
        let taken = std::mem::take(&mut *self.unwritten.lock());
        if taken.is_empty() {
            return Ok(());
        }
        let uses: Vec<_> = taken.iter().map(|(id, at)| KeyUse { id: *id, at: *at }).collect();
        let outcome = store.note_key_uses(&uses);
        if outcome.is_err() {
            let mut held = self.unwritten.lock();
            for (id, at) in taken {
                held.entry(id).or_insert(at);
            }
        }
        outcome
    }
}

impl Core {
    /// Writes back who came and who was turned away, when that is due.
    pub(crate) fn flush_access(&self) -> Result<(), StoreError> {
        self.key_uses.flush(&*self.store)?;
        self.refusals.flush_if_due(&*self.store, self.now())
    }
}

/// The id in what looks like a key.
fn public_part(secret: &str) -> Option<KeyId> {
    let (id, rest) = secret.strip_prefix(PREFIX)?.split_once('_')?;
    (rest.len() == SECRET_CHARS).then(|| id.parse().ok()).flatten()
}

fn told(written: Option<Written>) -> Result<ApiKey, Error> {
    match written {
        Some(Written::Key(record)) => Ok((*record).into()),
        _ => Err(Error::Store(StoreError::Closed)),
    }
}

/// Random bytes from the operating system.
fn random<const LENGTH: usize>() -> Result<[u8; LENGTH], Error> {
    let mut bytes = [0; LENGTH];
    getrandom::fill(&mut bytes).map_err(|error| Error::NoRandomness { detail: error.to_string() })?;
    Ok(bytes)
}

/// Five bits a character, in an alphabet without characters that look alike.
fn base32(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
    let mut text = String::with_capacity((bytes.len() * 8).div_ceil(5));
    let (mut held, mut bits) = (0_u32, 0);
    for byte in bytes {
        held = held << 8 | u32::from(*byte);
        bits += 8;
        while bits >= 5 {
            bits -= 5;
            text.push(char::from(ALPHABET[(held >> bits) as usize & 31]));
        }
    }
    if bits > 0 {
        text.push(char::from(ALPHABET[(held << (5 - bits)) as usize & 31]));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_become_the_characters_that_the_standard_says() {
        // The vectors of RFC 4648, in lowercase and without padding.
        for (bytes, text) in [
            ("", ""),
            ("f", "my"),
            ("fo", "mzxq"),
            ("foo", "mzxw6"),
            ("foob", "mzxw6yq"),
            ("fooba", "mzxw6ytb"),
            ("foobar", "mzxw6ytboi"),
        ] {
            assert_eq!(base32(bytes.as_bytes()), text);
        }
        assert_eq!(base32(&[255; ID_BYTES]).len(), KeyId::LENGTH);
        assert_eq!(base32(&[255; SECRET_BYTES]).len(), SECRET_CHARS);
    }

    #[test]
    fn only_what_looks_like_a_key_has_a_public_part() {
        let good = format!("peri_k3tq7zab_{}", "a".repeat(SECRET_CHARS));
        assert_eq!(public_part(&good).map(|id| id.to_string()).as_deref(), Some("k3tq7zab"));
        let long = format!("{good}a");
        for bad in ["", "peri_", "peri__", "peri_k3tq7zab_", "peri_k3tq7zab", &good[1..], &long, &good[..65]]
        {
            assert_eq!(public_part(bad), None, "{bad:?}");
        }
    }
}
