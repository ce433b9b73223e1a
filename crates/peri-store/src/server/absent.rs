//! In the place of a driver that was left out when this program was built.

use super::address::{Address, ServerKind, Timeouts};
use super::driver::{Driver, Failure};

/// Says what is missing.
pub(crate) fn connect(address: &Address, _: &Timeouts) -> Result<Box<dyn Driver>, Failure> {
    let (name, feature) = match address.kind() {
        ServerKind::Postgres => ("PostgreSQL", "postgres"),
        ServerKind::Mysql => ("MySQL and MariaDB", "mysql"),
    };
    let detail = format!("this program was built without {name}; build it with the feature {feature}");
    Err(Failure::Refused { code: "absent".to_owned(), detail })
}
