//! Stores on database servers: PostgreSQL, and MySQL or MariaDB.

mod driver;

pub(crate) use driver::{Driver, Failure};
