//! Where a store is.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::{Address, AddressError};

/// The file of a store in a data folder.
const FILE: &str = "perihelion.db";

/// Where a store is: in a file, or on a database server. Shown, it holds no password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// An SQLite file.
    File(PathBuf),
    /// A database on a server.
    Server(Address),
}

/// Why a text is no place. It repeats nothing of the text, which may hold a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PlaceError {
    /// It is empty. Name a folder, a file or an address.
    #[error("a place is a data folder, sqlite:FILE, postgres://… or mysql://…")]
    Empty,
    /// It looks like the address of a server and is none. Fix it.
    #[error(transparent)]
    Address(#[from] AddressError),
}

impl Place {
    /// Reads a place: a data folder, `sqlite:FILE`, `postgres://…` or `mysql://…`. Placeholders are not resolved here.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Self, PlaceError> {
        let text = text.trim();
        if let Some(file) = text.strip_prefix("sqlite:") {
            return if file.is_empty() { Err(PlaceError::Empty) } else { Ok(Self::File(file.into())) };
        }
        if text.is_empty() {
            return Err(PlaceError::Empty);
        }
        if text.contains("://") {
            return Ok(Self::Server(Address::parse(text)?));
        }
        Ok(Self::in_folder(Path::new(text)))
    }

    /// The store in a data folder.
    #[must_use]
    pub fn in_folder(folder: &Path) -> Self {
        Self::File(folder.join(FILE))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(formatter, "{}", path.display()),
            Self::Server(address) => write!(formatter, "{address}"),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn folders_files_and_servers_are_told_apart() {
        let file = |path: &str| Place::File(path.into());
        assert_eq!(Place::parse("/data/기억").unwrap(), file("/data/기억/perihelion.db"));
        assert_eq!(Place::parse(" . ").unwrap(), file("./perihelion.db"));
        assert_eq!(Place::parse("sqlite:记忆.db").unwrap(), file("记忆.db"));
        for text in ["postgres://u:p@h/d", "postgresql://u:p@h/d", "mysql://u:p@h/d", "mariadb://u:p@h/d"] {
            assert!(matches!(Place::parse(text).unwrap(), Place::Server(_)), "{text}");
        }
    }

    #[test]
    fn bad_places_are_refused_without_repeating_them() {
        for text in
            ["", "  ", "sqlite:", "oracle://u:s3cret@h/d", "postgres://u:s3cret@h", "mysql://:s3cret@h/d"]
        {
            let error = Place::parse(text).unwrap_err();
            assert!(!format!("{error} {error:?}").contains("s3cret"), "{text}");
        }
    }

    #[test]
    fn a_place_never_shows_its_password() {
        let place = Place::parse("postgres://anna:s3cret@host/d").unwrap();
        let shown = format!("{place} {place:?}");
        assert!(shown.contains("anna@host") && !shown.contains("s3cret"), "{shown}");
    }
}
