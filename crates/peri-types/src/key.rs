//! The public part of a key.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// What a key is called by: the part of it that is no secret. Eight lowercase letters and digits from 2 to 7.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct KeyId([u8; KeyId::LENGTH]);

/// Text that is not a key's id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{given:?} is not a key's id (they look like k3tq7zab)")]
pub struct InvalidKeyId {
    /// How what was given begins.
    pub given: String,
}

impl KeyId {
    /// How many characters an id has.
    pub const LENGTH: usize = 8;

    /// The id as text.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("an id holds letters and digits alone")
    }
}

impl fmt::Debug for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyId({})", self.as_str())
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for KeyId {
    type Err = InvalidKeyId;

    fn from_str(text: &str) -> Result<Self, InvalidKeyId> {
        let bytes: [u8; Self::LENGTH] = text.as_bytes().try_into().map_err(|_| refused(text))?;
        let known = bytes.iter().all(|byte| matches!(byte, b'a'..=b'z' | b'2'..=b'7'));
        if known { Ok(Self(bytes)) } else { Err(refused(text)) }
    }
}

/// A whole key may have been given where its id was meant: what repeated it would tell the secret.
fn refused(text: &str) -> InvalidKeyId {
    let mut given: String = text.chars().take(KeyId::LENGTH).collect();
    if given.len() < text.len() {
        given.push('…');
    }
    InvalidKeyId { given }
}

impl TryFrom<String> for KeyId {
    type Error = InvalidKeyId;

    fn try_from(text: String) -> Result<Self, InvalidKeyId> {
        text.parse()
    }
}

impl From<KeyId> for String {
    fn from(id: KeyId) -> String {
        id.as_str().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_reads_back_as_it_is_written_and_nothing_else_is_one() {
        for good in ["k3tq7zab", "aaaaaaaa", "22222222"] {
            let id: KeyId = good.parse().unwrap();
            assert_eq!((id.to_string(), id.as_str()), (good.to_owned(), good));
            let json = serde_json::to_string(&id).unwrap();
            assert_eq!((json.as_str(), serde_json::from_str(&json).unwrap()), (&*format!("{good:?}"), id));
        }
        for bad in ["", "k3tq7za", "k3tq7zabc", "K3TQ7ZAB", "k3tq7za1", "k3tq-zab", "가나ab", " 3tq7zab"] {
            assert!(bad.parse::<KeyId>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_whole_key_in_the_place_of_its_id_is_not_repeated() {
        let secret = "peri_k3tq7zab_abcdefghijklmnopqrstuvwxyz234567abcdefghijklmnopqrst";
        let error = secret.parse::<KeyId>().unwrap_err().to_string();
        assert!(error.starts_with("\"peri_k3t…\""), "{error}");
    }
}
