//! Sealing and opening, of files and of lines.

use std::borrow::Cow;
use std::sync::Arc;

use ring::aead::{AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::hkdf::{HKDF_SHA256, Salt};
use ring::rand::{SecureRandom as _, SystemRandom};

use crate::{Key, base64};

/// Begins a sealed file; the last byte is the version of the format.
const FILE_MARK: &[u8] = b"PERISEAL\x01";
/// Begins a sealed line; the number is the version of the format.
const LINE_MARK: &str = "sealed:1:";
/// What all marks of sealed lines begin with, those of later versions too.
const ANY_LINE_MARK: &[u8] = b"sealed:";
const ANY_FILE_MARK: &[u8] = b"PERISEAL";
const SALT_BYTES: usize = 32;
const TAG_BYTES: usize = 16;
/// Each piece has a key of its own, which seals once: the nonce can be the same for all.
const NONCE: [u8; 12] = [0; 12];

/// What a sealed piece is for. A piece opens for nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// A saved index.
    Index,
    /// A line of the audit log.
    Event,
    /// A write that waits for the store.
    Queue,
    /// A snapshot of episodes.
    Episodes,
    /// The report of a day.
    Report,
    /// What hooks keep until it is worked off.
    Hook,
    /// A line of the record of language models.
    Ledger,
    /// What is remembered of a file that is kept in step.
    Bridge,
}

impl Purpose {
    /// Part of the format: these names never change.
    const fn name(self) -> &'static str {
        match self {
            Self::Index => "index",
            Self::Event => "event",
            Self::Queue => "queue",
            Self::Episodes => "episodes",
            Self::Report => "report",
            Self::Hook => "hook",
            Self::Ledger => "ledger",
            Self::Bridge => "bridge",
        }
    }
}

/// Why a piece does not open.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SealError {
    /// It is sealed, and there is no key. Give the key.
    #[error("it is encrypted, and no key is given")]
    NoKey,
    /// It was sealed under another key or for something else, or it is damaged.
    #[error("it does not open with this key: it is of another one, or damaged")]
    NotOpened,
    /// It was sealed by a later version. Upgrade this one.
    #[error("it was encrypted by a later version")]
    Later,
}

impl From<SealError> for std::io::Error {
    fn from(error: SealError) -> Self {
        Self::new(std::io::ErrorKind::InvalidData, error)
    }
}

/// What seals the files of a store; without a key everything stays as it is.
#[derive(Clone, Default)]
pub struct Seal(Option<Arc<Key>>);

impl std::fmt::Debug for Seal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { "Seal(on)" } else { "Seal(off)" })
    }
}

impl PartialEq for Seal {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Seal {
    /// Seals under a key; with none, nothing is sealed.
    pub fn new(key: Option<Key>) -> Self {
        Self(key.map(Arc::new))
    }

    /// Whether anything is sealed.
    pub fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// The key, for the database.
    pub fn key(&self) -> Option<&Key> {
        self.0.as_deref()
    }

    /// The bytes of a file as they are to be written.
    ///
    /// # Errors
    /// If the system gives no random bytes. Then nothing may be written.
    pub fn seal<'a>(
        &self,
        purpose: Purpose,
        bytes: impl Into<Cow<'a, [u8]>>,
    ) -> std::io::Result<Cow<'a, [u8]>> {
        let bytes = bytes.into();
        let Some(key) = &self.0 else { return Ok(bytes) };
        let mut sealed = Vec::with_capacity(FILE_MARK.len() + SALT_BYTES + bytes.len() + TAG_BYTES);
        sealed.extend_from_slice(FILE_MARK);
        seal_behind(key, purpose, &bytes, &mut sealed)?;
        Ok(sealed.into())
    }

    /// What a file says, whether it is sealed or not.
    ///
    /// # Errors
    /// [`SealError`] says why it does not open.
    pub fn open<'a>(
        &self,
        purpose: Purpose,
        bytes: impl Into<Cow<'a, [u8]>>,
    ) -> Result<Cow<'a, [u8]>, SealError> {
        let bytes = bytes.into();
        if !bytes.starts_with(ANY_FILE_MARK) {
            return Ok(bytes);
        }
        let key = self.0.as_ref().ok_or(SealError::NoKey)?;
        let sealed = bytes.strip_prefix(FILE_MARK).ok_or(SealError::Later)?;
        open_behind(key, purpose, sealed.to_vec()).map(Cow::Owned)
    }

    /// A line as it is to be written, without the end of the line.
    ///
    /// # Errors
    /// If the system gives no random bytes. Then nothing may be written.
    pub fn seal_line<'a>(
        &self,
        purpose: Purpose,
        line: impl Into<Cow<'a, str>>,
    ) -> std::io::Result<Cow<'a, str>> {
        let line = line.into();
        let Some(key) = &self.0 else { return Ok(line) };
        let mut sealed = Vec::with_capacity(SALT_BYTES + line.len() + TAG_BYTES);
        seal_behind(key, purpose, line.as_bytes(), &mut sealed)?;
        Ok(format!("{LINE_MARK}{}", base64::encode(&sealed)).into())
    }

    /// What a line says, whether it is sealed or not.
    ///
    /// # Errors
    /// [`SealError`] says why it does not open.
    pub fn open_line<'a>(&self, purpose: Purpose, line: &'a [u8]) -> Result<Cow<'a, [u8]>, SealError> {
        if !line.starts_with(ANY_LINE_MARK) {
            return Ok(line.into());
        }
        let key = self.0.as_ref().ok_or(SealError::NoKey)?;
        let text = line.strip_prefix(LINE_MARK.as_bytes()).ok_or(SealError::Later)?;
        let sealed = base64::decode(text).ok_or(SealError::NotOpened)?;
        open_behind(key, purpose, sealed).map(Cow::Owned)
    }

    /// Whether a file or a line begins like a sealed one.
    pub fn is_sealed(bytes: &[u8]) -> bool {
        bytes.starts_with(ANY_FILE_MARK) || bytes.starts_with(ANY_LINE_MARK)
    }
}

/// Appends the salt, the sealed bytes and their tag.
fn seal_behind(key: &Key, purpose: Purpose, bytes: &[u8], sealed: &mut Vec<u8>) -> std::io::Result<()> {
    let mut salt = [0; SALT_BYTES];
    let failed = |_| std::io::Error::other("the system gave no random bytes");
    SystemRandom::new().fill(&mut salt).map_err(failed)?;
    let own = own_key(key, purpose, &salt).ok_or_else(|| std::io::Error::other("no key can be drawn"))?;
    sealed.extend_from_slice(&salt);
    let begin = sealed.len();
    sealed.extend_from_slice(bytes);
    let about = Aad::from(purpose.name());
    let tag =
        own.seal_in_place_separate_tag(Nonce::assume_unique_for_key(NONCE), about, &mut sealed[begin..]);
    // Only what is longer than 64 GB cannot be sealed.
    sealed.extend_from_slice(
        tag.map_err(|_| std::io::Error::other("it is too long to be encrypted"))?.as_ref(),
    );
    Ok(())
}

fn open_behind(key: &Key, purpose: Purpose, mut sealed: Vec<u8>) -> Result<Vec<u8>, SealError> {
    let salt: [u8; SALT_BYTES] =
        sealed.get(..SALT_BYTES).and_then(|salt| salt.try_into().ok()).ok_or(SealError::NotOpened)?;
    let own = own_key(key, purpose, &salt).ok_or(SealError::NotOpened)?;
    let about = Aad::from(purpose.name());
    let nonce = Nonce::assume_unique_for_key(NONCE);
    let length =
        own.open_within(nonce, about, &mut sealed, SALT_BYTES..).map_err(|_| SealError::NotOpened)?.len();
    sealed.truncate(length);
    Ok(sealed)
}

/// The key of one piece.
fn own_key(key: &Key, purpose: Purpose, salt: &[u8; SALT_BYTES]) -> Option<LessSafeKey> {
    let drawn = Salt::new(HKDF_SHA256, salt).extract(key.bytes());
    let about = [b"perihelion seal 1 ".as_slice(), purpose.name().as_bytes()];
    let unbound = UnboundKey::from(drawn.expand(&about, &AES_256_GCM).ok()?);
    Some(LessSafeKey::new(unbound))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn seal() -> Seal {
        Seal::new(Some(Key::parse(&"0f1e2d3c4b5a6978".repeat(4)).unwrap()))
    }

    #[test]
    fn nothing_of_what_was_sealed_can_be_seen() {
        let (seal, text) = (seal(), "서울에서 만난 친구 北京的朋友");
        let file = seal.seal(Purpose::Report, text.as_bytes()).unwrap();
        let line = seal.seal_line(Purpose::Event, text).unwrap();
        for bytes in [&file[..], line.as_bytes()] {
            assert!(Seal::is_sealed(bytes));
            assert!(!bytes.windows(6).any(|part| text.as_bytes().windows(6).any(|own| own == part)));
        }
        assert_ne!(line, seal.seal_line(Purpose::Event, text).unwrap(), "the same twice looks different");
    }

    #[test]
    fn a_piece_opens_with_its_key_and_for_its_purpose_alone() {
        let seal = seal();
        let sealed = seal.seal(Purpose::Hook, b"secret".as_slice()).unwrap().into_owned();
        assert_eq!(seal.open(Purpose::Hook, &sealed[..]).unwrap().as_ref(), b"secret");
        assert_eq!(seal.open(Purpose::Index, &sealed[..]), Err(SealError::NotOpened));
        let other = Seal::new(Some(Key::generate().unwrap()));
        assert_eq!(other.open(Purpose::Hook, &sealed[..]), Err(SealError::NotOpened));
        assert_eq!(Seal::default().open(Purpose::Hook, &sealed[..]), Err(SealError::NoKey));
        let later = [b"PERISEAL\x02", &sealed[9..]].concat();
        assert_eq!(seal.open(Purpose::Hook, &later[..]), Err(SealError::Later));
        assert_eq!(seal.open_line(Purpose::Hook, b"sealed:2:AAAA"), Err(SealError::Later));
    }

    #[test]
    fn without_a_key_everything_stays_as_it_is() {
        let (off, on) = (Seal::default(), seal());
        assert_eq!(off.seal(Purpose::Index, b"plain".as_slice()).unwrap().as_ref(), b"plain");
        assert_eq!(off.seal_line(Purpose::Event, "{}").unwrap(), "{}");
        for seal in [off, on] {
            assert_eq!(seal.open(Purpose::Index, b"plain".as_slice()).unwrap().as_ref(), b"plain");
            assert_eq!(seal.open_line(Purpose::Event, b"{}").unwrap().as_ref(), b"{}");
        }
    }

    proptest! {
        #[test]
        fn what_was_sealed_opens_and_a_changed_bit_does_not(
            text in "[a-z가-힣一-龥\\n]{0,60}",
            at in any::<prop::sample::Index>(),
            bit in 0_u8..8,
        ) {
            let seal = seal();
            let sealed = seal.seal(Purpose::Bridge, text.as_bytes()).unwrap().into_owned();
            let opened = seal.open(Purpose::Bridge, &sealed[..]).unwrap();
            prop_assert_eq!(opened.as_ref(), text.as_bytes());
            let line = seal.seal_line(Purpose::Ledger, text.as_str()).unwrap();
            prop_assert!(!line.contains('\n'));
            let opened = seal.open_line(Purpose::Ledger, line.as_bytes()).unwrap();
            prop_assert_eq!(opened.as_ref(), text.as_bytes());
            let mut changed = sealed.clone();
            let at = at.index(changed.len());
            changed[at] ^= 1 << bit;
            let outcome = seal.open(Purpose::Bridge, &changed[..]);
            // Without its mark it is read as a file that was never sealed.
            prop_assert!(outcome.is_err() || outcome.unwrap().as_ref() == &changed[..]);
            prop_assert!(seal.open(Purpose::Bridge, &sealed[..sealed.len() - 1]).is_err());
        }
    }
}
