//! The key of a store: 256 random bits, written as 64 hexadecimal digits.

use std::fmt;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use ring::rand::{SecureRandom as _, SystemRandom};

/// How many bytes a key has.
const BYTES: usize = 32;
/// A key file holds one line; what is longer is something else.
const FILE_BYTES_MAX: u64 = 4096;

/// The key of a store. It is never shown: not by `Debug`, not in errors.
#[derive(Clone, PartialEq, Eq)]
pub struct Key([u8; BYTES]);

/// Why there is no key. No message repeats anything of what was given.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// It is not 64 hexadecimal digits. Give the key, or make one: `peri encrypt --new-key FILE`.
    #[error("it is not a key: a key is 64 hexadecimal digits, and this {found}")]
    Malformed {
        /// What it is instead, without repeating it.
        found: String,
    },
    /// The file cannot be read. Check the path and the permissions.
    #[error("the key file {path} cannot be read")]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// Others may read the file. Take that right from them: `chmod 600`.
    #[error("the key file {path} can be read by others than its owner")]
    Exposed {
        /// Which file.
        path: PathBuf,
    },
    /// The file cannot be made; one that is there is never overwritten. Name another one.
    #[error("the key file {path} cannot be made")]
    NotMade {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// The system gave no random bytes. Try again; if that goes on, the machine is not well.
    #[error("the system gave no random bytes")]
    NoRandomness,
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}

impl Key {
    /// The key that a text says: 64 hexadecimal digits, with blanks and line ends around them.
    ///
    /// # Errors
    /// [`KeyError::Malformed`] if it says none.
    pub fn parse(text: &str) -> Result<Self, KeyError> {
        let digits = text.trim().as_bytes();
        let malformed = |found: String| KeyError::Malformed { found };
        if digits.len() != 2 * BYTES {
            let found =
                if digits.is_empty() { "is empty".to_owned() } else { format!("has {} bytes", digits.len()) };
            return Err(malformed(found));
        }
        let mut bytes = [0; BYTES];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            let (high, low) = (digit(pair[0]), digit(pair[1]));
            let both = high.zip(low).ok_or_else(|| malformed("holds something else".to_owned()))?;
            *byte = both.0 << 4 | both.1;
        }
        if bytes.iter().all(|byte| *byte == bytes[0]) {
            return Err(malformed("is one byte over and over, which anybody guesses".to_owned()));
        }
        Ok(Self(bytes))
    }

    /// A new one, from the system's randomness.
    ///
    /// # Errors
    /// [`KeyError::NoRandomness`] if there is none.
    pub fn generate() -> Result<Self, KeyError> {
        let mut bytes = [0; BYTES];
        SystemRandom::new().fill(&mut bytes).map_err(|_| KeyError::NoRandomness)?;
        Ok(Self(bytes))
    }

    /// The key in a file, which its owner alone may read.
    ///
    /// # Errors
    /// [`KeyError`] says what is wrong with the file.
    pub fn read(path: &Path) -> Result<Self, KeyError> {
        let unreadable = |source| KeyError::Unreadable { path: path.to_owned(), source };
        let file = peri_private::open_named(path).map_err(unreadable)?;
        let about = file.metadata().map_err(unreadable)?;
        if is_exposed(&about) {
            return Err(KeyError::Exposed { path: path.to_owned() });
        }
        let mut text = String::new();
        let mut file = std::io::Read::take(file, FILE_BYTES_MAX);
        std::io::Read::read_to_string(&mut file, &mut text).map_err(unreadable)?;
        Self::parse(&text)
    }

    /// Puts the key into a new file that its owner alone may read, durably. A file that is there is left as it is.
    ///
    /// # Errors
    /// [`KeyError::NotMade`] if the file cannot be made.
    pub fn write(&self, path: &Path) -> Result<(), KeyError> {
        let not_made = |source| KeyError::NotMade { path: path.to_owned(), source };
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(path).map_err(not_made)?;
        file.write_all(format!("{}\n", self.hexadecimal()).as_bytes()).map_err(not_made)?;
        file.sync_all().map_err(not_made)?;
        peri_private::flush_folder(path.parent().unwrap_or(Path::new("."))).map_err(not_made)
    }

    /// The key as it is written. Whoever calls this keeps it from logs, errors and terminals.
    pub fn hexadecimal(&self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    pub(crate) fn bytes(&self) -> &[u8; BYTES] {
        &self.0
    }
}

fn digit(character: u8) -> Option<u8> {
    char::from(character).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

/// Whether others than the owner may read it. Container platforms mount secrets for a group; that is let pass.
fn is_exposed(about: &std::fs::Metadata) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::PermissionsExt::mode(&about.permissions()) & 0o004 != 0;
    #[cfg(not(unix))]
    return {
        let _permissions = about;
        false
    };
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_back_from_its_digits_and_from_its_file() {
        let key = Key::generate().unwrap();
        assert_eq!(Key::parse(&format!(" {}\r\n", key.hexadecimal().to_uppercase())).unwrap(), key);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("열쇠.key");
        key.write(&path).unwrap();
        assert_eq!(Key::read(&path).unwrap(), key);
        assert!(matches!(Key::generate().unwrap().write(&path), Err(KeyError::NotMade { .. })));
        assert_eq!(Key::read(&path).unwrap(), key, "a key is never overwritten");
    }

    #[test]
    fn what_is_no_key_is_refused_without_repeating_it() {
        let most = "0123456789abcdef".repeat(4);
        for text in
            ["", "password", &most[1..], &format!("{most}0"), &most.replace('f', "g"), &"00".repeat(32)]
        {
            let told = Key::parse(text).unwrap_err().to_string();
            assert!(told.contains("64 hexadecimal digits"), "{told}");
            assert!(text.is_empty() || !told.contains(text), "{told}");
        }
        assert!(Key::parse(&most).is_ok());
        assert!(!format!("{:?}", Key::parse(&most).unwrap()).contains("0123"));
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_everybody_may_read_is_no_place_for_a_key() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        Key::generate().unwrap().write(&path).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        assert!(matches!(Key::read(&path), Err(KeyError::Exposed { .. })));
    }
}
