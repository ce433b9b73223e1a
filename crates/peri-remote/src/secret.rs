//! Keys that are sent and never shown.

use std::fmt;

/// A key. It is not shown by anything that prints it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

/// Why there is no key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SecretError {
    /// The environment has no such variable, or it is empty. Set it, or name another one.
    #[error("the environment variable {name} is not set: put the key there")]
    Unset {
        /// The variable.
        name: String,
    },
    /// What the variable holds cannot be sent as a key. Look at it.
    #[error("the environment variable {name} holds characters that no key has")]
    Malformed {
        /// The variable.
        name: String,
    },
}

impl Secret {
    /// A key that is known already.
    pub fn new(key: impl Into<String>) -> Self {
        Self(key.into())
    }

    /// The key that an environment variable holds. Space around it is not part of it.
    pub fn from_variable(name: &str) -> Result<Self, SecretError> {
        let malformed = || SecretError::Malformed { name: name.to_owned() };
        let value = match std::env::var(name) {
            Ok(value) => value,
            Err(std::env::VarError::NotPresent) => return Err(SecretError::Unset { name: name.to_owned() }),
            Err(std::env::VarError::NotUnicode(_)) => return Err(malformed()),
        };
        let value = value.trim();
        if value.is_empty() {
            return Err(SecretError::Unset { name: name.to_owned() });
        }
        if !value.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(malformed());
        }
        Ok(Self(value.to_owned()))
    }

    /// The key itself, to be sent and for nothing else.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// A text with every mention of the key taken out.
    pub fn hide_in(&self, text: &str) -> String {
        if self.0.is_empty() { text.to_owned() } else { text.replace(&self.0, "[key]") }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_shown_by_nothing() {
        let secret = Secret::new("sk-very-secret");
        assert!(!format!("{secret:?}").contains("very"));
        assert_eq!(secret.hide_in("the key sk-very-secret is wrong"), "the key [key] is wrong");
    }

    #[test]
    fn a_variable_that_is_not_there_is_named() {
        let error = Secret::from_variable("PERI_REMOTE_TEST_NO_SUCH_VARIABLE").unwrap_err();
        assert!(error.to_string().contains("PERI_REMOTE_TEST_NO_SUCH_VARIABLE"));
    }
}
