//! Stores on database servers: PostgreSQL, and MySQL or MariaDB.

#[cfg(not(all(feature = "mysql", feature = "postgres")))]
mod absent;
mod address;
#[cfg(any(feature = "mysql", feature = "postgres"))]
mod dialect;
mod driver;
#[cfg(feature = "mysql")]
mod mysql;
mod pool;
#[cfg(feature = "postgres")]
mod postgres;
mod schema;
mod search;
mod store;
#[cfg(test)]
mod tests;

pub use address::{Address, AddressError, ServerKind};
pub use store::{Server, ServerSettings, ServerStore};

pub(crate) use address::Timeouts;
pub(crate) use driver::{Driver, Failure};

#[cfg(not(feature = "mysql"))]
use absent as mysql;
#[cfg(not(feature = "postgres"))]
use absent as postgres;
