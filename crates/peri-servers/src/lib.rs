//! Private database servers for tests and benchmarks: [`Postgres`] and [`MariaDb`].
//!
//! Each server has a temporary folder, a port on 127.0.0.1 and a socket of its own. Dropping it stops it and removes
//! its folder; when the process ends without that, even killed, a watchdog does the same. Servers flush to the disk as
//! real ones do, so a killed server keeps what it confirmed.
//!
//! `tests/servers/install` installs both. `PERI_TEST_POSTGRES_BIN` and `PERI_TEST_MARIADB_BIN` name folders with
//! other programs to try.
#![forbid(unsafe_code)]
#![cfg(unix)]

mod certificate;
mod folder;
mod mariadb;
mod postgres;
mod process;

pub use certificate::Certificate;
pub use mariadb::MariaDb;
pub use postgres::Postgres;

/// Whether a server waits for the disk, as one must that is killed and started again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flushing {
    AsUsual,
    Never,
}

/// The user that every private server knows.
pub const USER: &str = "perihelion";

/// The user's password. It has characters that must be escaped in an address.
pub const PASSWORD: &str = "open/sesame@80%:q7Zk";

/// The password as it is written in an address.
const PASSWORD_ESCAPED: &str = "open%2Fsesame%4080%25%3Aq7Zk";

/// Whether tests that need a server may be left out: only when somebody said so.
#[must_use]
pub fn may_be_left_out() -> bool {
    std::env::var_os("PERI_TEST_NO_SERVERS").is_some()
}
