//! Where a database server is and how it is spoken to.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use percent_encoding::percent_decode_str;

#[cfg(any(feature = "mysql", feature = "postgres", test))]
use super::driver::Failure;

/// The address of a database on a server, such as `postgres://user:password@host:5432/database?sslmode=require`.
///
/// Neither its [`Display`](fmt::Display) nor its [`Debug`] shows the password.
#[derive(Clone, PartialEq, Eq)]
pub struct Address {
    pub(super) kind: ServerKind,
    pub(super) place: Place,
    pub(super) user: String,
    pub(super) password: Option<String>,
    pub(super) database: String,
    pub(super) encryption: Encryption,
    pub(super) root_certificate: Option<PathBuf>,
    pub(super) connect_timeout: Option<Duration>,
}

/// Which kind of server it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerKind {
    /// PostgreSQL.
    Postgres,
    /// MySQL or MariaDB.
    Mysql,
}

/// Where a server listens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    Tcp {
        host: String,
        port: u16,
    },
    /// PostgreSQL: the folder of the socket, and the port that is part of its name. MySQL: the socket itself.
    Socket {
        path: PathBuf,
        port: u16,
    },
}

/// Whether a connection is encrypted, and what is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encryption {
    /// Never.
    Disable,
    /// If the server can; nothing is checked.
    Prefer,
    /// Always; the server's certificate is not checked.
    Require,
    /// Always; the certificate must be valid for the host.
    Verify,
}

/// How long a server may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Timeouts {
    /// To accept a connection. An address may say otherwise.
    pub(crate) connect: Duration,
    /// To run one statement.
    pub(crate) statement: Duration,
}

/// Why a text is not the address of a database. It repeats nothing of the text, which may hold a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// It does not begin with a known scheme. Write it as shown.
    #[error(
        "the address of a database begins with postgres:// or mysql://, as in postgres://user:password@host/database"
    )]
    Scheme,
    /// It names no user.
    #[error("the address names no user; write it as in postgres://user:password@host/database")]
    NoUser,
    /// It names no host and no socket.
    #[error("the address names no host; write it as in postgres://user:password@host/database")]
    NoHost,
    /// It names no database, or something behind it.
    #[error(
        "the address names no database; write one name after the host, as in postgres://user@host/database"
    )]
    NoDatabase,
    /// What is in the place of the port is none.
    #[error(
        "the port in the address is not a number from 1 to 65535; a password's @ : / ? # % are written as %40 %3A %2F \
         %3F %23 %25"
    )]
    Port,
    /// A character is escaped in a way that gives no text.
    #[error("the address has a % that does not begin an escaped character; write % as %25")]
    Escape,
    /// An option is not known.
    #[error(
        "the address has an option that is not known; there are sslmode, sslrootcert, connect_timeout, host and port"
    )]
    Option,
    /// The encryption is not known.
    #[error("sslmode in the address is none of disable, prefer, require and verify-full")]
    Encryption,
    /// The timeout is not a number.
    #[error("connect_timeout in the address is not a number of seconds from 1 to 3600")]
    ConnectTimeout,
}

impl Address {
    /// Reads an address. Placeholders are not resolved here.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Self, AddressError> {
        let (scheme, rest) = text.trim().split_once("://").ok_or(AddressError::Scheme)?;
        let kind = match scheme.to_ascii_lowercase().as_str() {
            "postgres" | "postgresql" => ServerKind::Postgres,
            "mysql" | "mariadb" => ServerKind::Mysql,
            _ => return Err(AddressError::Scheme),
        };
        let (rest, options) = rest.split_once('?').unwrap_or((rest, ""));
        let (authority, database) = rest.split_once('/').ok_or(AddressError::NoDatabase)?;
        let (login, host) = authority.rsplit_once('@').ok_or(AddressError::NoUser)?;
        let (user, password) = match login.split_once(':') {
            Some((user, password)) => (decoded(user)?, Some(decoded(password)?)),
            None => (decoded(login)?, None),
        };
        if user.is_empty() {
            return Err(AddressError::NoUser);
        }
        if database.is_empty() || database.contains('/') {
            return Err(AddressError::NoDatabase);
        }
        let mut options = Options::read(options)?;
        let place = options.place(kind, host)?;
        let at_home = matches!(place, Place::Socket { .. });
        Ok(Self {
            kind,
            user,
            password,
            database: decoded(database)?,
            encryption: options.encryption.unwrap_or(if at_home {
                Encryption::Disable
            } else {
                Encryption::Prefer
            }),
            root_certificate: options.root_certificate.take(),
            connect_timeout: options.connect_timeout,
            place,
        })
    }

    /// Whether a text is meant to be the address of a database, rather than a path.
    #[must_use]
    pub fn is_meant(text: &str) -> bool {
        let scheme = text.trim().split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
        matches!(scheme.as_deref(), Some("postgres" | "postgresql" | "mysql" | "mariadb"))
    }

    /// Which kind of server it is.
    #[must_use]
    pub fn kind(&self) -> ServerKind {
        self.kind
    }

    /// A failure without the password, should a driver or a server have put it there.
    #[cfg(any(feature = "mysql", feature = "postgres", test))]
    pub(super) fn hide_password(&self, failure: Failure) -> Failure {
        let hide = |text: String| match self.password.as_deref() {
            Some(password) if !password.is_empty() => text.replace(password, "***"),
            _ => text,
        };
        match failure {
            Failure::Unreachable(text) => Failure::Unreachable(hide(text)),
            Failure::Again(text) => Failure::Again(hide(text)),
            Failure::Full(text) => Failure::Full(hide(text)),
            Failure::Refused { code, detail } => Failure::Refused { code, detail: hide(detail) },
        }
    }
}

/// The options of an address, as far as they are given.
#[derive(Default)]
struct Options {
    host: Option<String>,
    port: Option<u16>,
    encryption: Option<Encryption>,
    root_certificate: Option<PathBuf>,
    connect_timeout: Option<Duration>,
}

impl Options {
    fn read(text: &str) -> Result<Self, AddressError> {
        let mut options = Self::default();
        for option in text.split('&').filter(|option| !option.is_empty()) {
            let (name, value) = option.split_once('=').ok_or(AddressError::Option)?;
            let value = decoded(value)?;
            match name.to_ascii_lowercase().replace('_', "-").as_str() {
                "host" | "socket" => options.host = Some(value),
                "port" => options.port = Some(port(&value)?),
                "sslmode" | "ssl-mode" => options.encryption = Some(encryption(&value)?),
                "sslrootcert" | "ssl-ca" => options.root_certificate = Some(value.into()),
                "connect-timeout" => options.connect_timeout = Some(seconds(&value)?),
                _ => return Err(AddressError::Option),
            }
        }
        Ok(options)
    }

    /// What the options say of the place goes before what is in front of the database.
    fn place(&mut self, kind: ServerKind, written: &str) -> Result<Place, AddressError> {
        let usual = match kind {
            ServerKind::Postgres => 5432,
            ServerKind::Mysql => 3306,
        };
        let (host, given) = split_port(written)?;
        let port = self.port.or(given).unwrap_or(usual);
        let host = match self.host.take() {
            Some(host) => host,
            None => decoded(host)?,
        };
        match host.as_str() {
            "" => Err(AddressError::NoHost),
            path if Path::new(path).is_absolute() => Ok(Place::Socket { path: path.into(), port }),
            _ => Ok(Place::Tcp { host, port }),
        }
    }
}

/// The host and the port of `host:port`, where the host may be an address in brackets.
fn split_port(written: &str) -> Result<(&str, Option<u16>), AddressError> {
    if let Some(rest) = written.strip_prefix('[') {
        let (host, rest) = rest.split_once(']').ok_or(AddressError::NoHost)?;
        return match rest.strip_prefix(':') {
            Some(text) => Ok((host, Some(port(text)?))),
            None if rest.is_empty() => Ok((host, None)),
            None => Err(AddressError::Port),
        };
    }
    match written.split_once(':') {
        Some((host, text)) => Ok((host, Some(port(text)?))),
        None => Ok((written, None)),
    }
}

fn port(text: &str) -> Result<u16, AddressError> {
    text.parse().ok().filter(|port| *port > 0).ok_or(AddressError::Port)
}

fn seconds(text: &str) -> Result<Duration, AddressError> {
    let seconds = text.parse().ok().filter(|seconds| (1..=3600).contains(seconds));
    seconds.map(Duration::from_secs).ok_or(AddressError::ConnectTimeout)
}

fn encryption(text: &str) -> Result<Encryption, AddressError> {
    match text.to_ascii_lowercase().replace('_', "-").as_str() {
        "disable" | "disabled" => Ok(Encryption::Disable),
        "prefer" | "preferred" => Ok(Encryption::Prefer),
        "require" | "required" => Ok(Encryption::Require),
        "verify-full" | "verify-identity" => Ok(Encryption::Verify),
        _ => Err(AddressError::Encryption),
    }
}

fn decoded(text: &str) -> Result<String, AddressError> {
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        let digits = rest.get(at + 1..at + 3).ok_or(AddressError::Escape)?;
        if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(AddressError::Escape);
        }
        rest = &rest[at + 3..];
    }
    let text = percent_decode_str(text).decode_utf8().map_err(|_| AddressError::Escape)?;
    if text.contains('\0') { Err(AddressError::Escape) } else { Ok(text.into_owned()) }
}

impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = match self.kind {
            ServerKind::Postgres => "postgres",
            ServerKind::Mysql => "mysql",
        };
        write!(formatter, "{scheme}://{}@", self.user)?;
        match &self.place {
            Place::Tcp { host, port } if host.contains(':') => write!(formatter, "[{host}]:{port}")?,
            Place::Tcp { host, port } => write!(formatter, "{host}:{port}")?,
            Place::Socket { path, .. } => write!(formatter, "{}", path.display())?,
        }
        write!(formatter, "/{}", self.database)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Address")
            .field("address", &format_args!("{self}"))
            .field("encryption", &self.encryption)
            .field("root_certificate", &self.root_certificate)
            .field("connect_timeout", &self.connect_timeout)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_an_address_is_read() {
        let address = Address::parse(
            "postgresql://m%C3%BCller:p%40ss%2Fw%3Ard@db.example:6000/기억?sslmode=verify-full&sslrootcert=/etc/ca.pem&\
             connect_timeout=7",
        )
        .unwrap();
        assert_eq!(address.kind(), ServerKind::Postgres);
        assert_eq!(address.user, "müller");
        assert_eq!(address.password.as_deref(), Some("p@ss/w:rd"));
        assert_eq!(address.place, Place::Tcp { host: "db.example".to_owned(), port: 6000 });
        assert_eq!(address.database, "기억");
        assert_eq!(address.encryption, Encryption::Verify);
        assert_eq!(address.root_certificate, Some("/etc/ca.pem".into()));
        assert_eq!(address.connect_timeout, Some(Duration::from_secs(7)));
    }

    #[test]
    fn what_is_left_out_is_as_usual() {
        let address = Address::parse("mariadb://root@[::1]/m").unwrap();
        assert_eq!(address.kind(), ServerKind::Mysql);
        assert_eq!(address.password, None);
        assert_eq!(address.place, Place::Tcp { host: "::1".to_owned(), port: 3306 });
        assert_eq!(address.encryption, Encryption::Prefer);
        assert_eq!(address.to_string(), "mysql://root@[::1]:3306/m");
    }

    #[test]
    fn a_host_that_is_a_path_is_a_socket() {
        for text in ["postgres://u:p@/d?host=/run/sockets", "postgres://u:p@%2Frun%2Fsockets/d"] {
            let address = Address::parse(text).unwrap();
            assert_eq!(address.place, Place::Socket { path: "/run/sockets".into(), port: 5432 });
            assert_eq!(address.encryption, Encryption::Disable);
        }
    }

    #[test]
    fn a_password_with_an_at_sign_that_was_not_escaped_is_read_whole() {
        let address = Address::parse("mysql://u:one@two@host/d").unwrap();
        assert_eq!(address.password.as_deref(), Some("one@two"));
        assert_eq!(address.to_string(), "mysql://u@host:3306/d");
    }

    #[test]
    fn bad_addresses_are_refused_without_repeating_them() {
        let bad = [
            ("", AddressError::Scheme),
            ("/var/lib/peri-s3cret", AddressError::Scheme),
            ("sqlite://u:peri-s3cret@host/d", AddressError::Scheme),
            ("postgres://host/d", AddressError::NoUser),
            ("postgres://:peri-s3cret@host/d", AddressError::NoUser),
            ("postgres://u:peri-s3cret@/d", AddressError::NoHost),
            ("postgres://u:peri-s3cret@host", AddressError::NoDatabase),
            ("postgres://u:peri-s3cret@host/", AddressError::NoDatabase),
            ("postgres://u:peri-s3cret@host/a/b", AddressError::NoDatabase),
            ("postgres://u:peri-s3cret@host:0/d", AddressError::Port),
            ("postgres://u:peri-s3cret@host:65536/d", AddressError::Port),
            ("postgres://u:peri-s3cret@[::1/d", AddressError::NoHost),
            ("postgres://u:peri-s3cret%@host/d", AddressError::Escape),
            ("postgres://u:peri-s3cret%zz@host/d", AddressError::Escape),
            ("postgres://u:peri-s3cret%FF@host/d", AddressError::Escape),
            ("postgres://u:peri-s3cret%00@host/d", AddressError::Escape),
            ("postgres://u:peri?s3cret@host/d", AddressError::NoDatabase),
            ("postgres://u:p@host/d?peri-s3cret=1", AddressError::Option),
            ("postgres://u:p@host/d?sslmode=peri-s3cret", AddressError::Encryption),
            ("postgres://u:p@host/d?connect_timeout=0", AddressError::ConnectTimeout),
            ("postgres://u:peri%기@host/d", AddressError::Escape),
        ];
        for (text, expected) in bad {
            let error = Address::parse(text).unwrap_err();
            assert_eq!(error, expected, "{text}");
            assert!(!error.to_string().contains("s3cret") && !format!("{error:?}").contains("s3cret"));
        }
    }

    #[test]
    fn neither_display_nor_debug_shows_the_password() {
        for kind in ["postgres", "mysql"] {
            let address = Address::parse(&format!("{kind}://anna:비밀-s3cret@host/d")).unwrap();
            let shown = format!("{address} {address:?} {address:#?}");
            assert!(
                shown.contains("anna@host") && !shown.contains("s3cret") && !shown.contains("비밀"),
                "{shown}"
            );
            let failure = Failure::Unreachable("login 비밀-s3cret failed".to_owned());
            assert_eq!(address.hide_password(failure), Failure::Unreachable("login *** failed".to_owned()));
        }
    }
}
