//! The drivers, against real servers.
#![cfg(all(unix, feature = "mysql", feature = "postgres"))]
#![allow(clippy::unwrap_used)]

mod encryption;
mod failures;
mod formats;
mod values;

use std::time::Duration;

use peri_servers::{MariaDb, PASSWORD, Postgres};

use super::{Address, Driver, Failure, ServerKind, Timeouts};

const USUAL: Timeouts = Timeouts { connect: Duration::from_secs(20), statement: Duration::from_secs(20) };

fn try_connect(url: &str, timeouts: &Timeouts) -> Result<Box<dyn Driver>, Failure> {
    let address = Address::parse(url).unwrap();
    match address.kind() {
        ServerKind::Postgres => super::postgres::connect(&address, timeouts),
        ServerKind::Mysql => super::mysql::connect(&address, timeouts),
    }
}

fn connect(url: &str) -> Box<dyn Driver> {
    try_connect(url, &USUAL).unwrap()
}

/// Why a connection is refused; the password is in none of the reasons.
fn refusal(url: &str) -> Failure {
    let failure = try_connect(url, &USUAL).err().unwrap();
    let said = format!("{failure:?}");
    assert!(!said.contains(PASSWORD) && !said.contains("sesame"), "{said}");
    failure
}

/// Fresh databases on both servers, or on none when they may be left out.
fn databases() -> Vec<String> {
    if peri_servers::may_be_left_out() {
        return Vec::new();
    }
    vec![Postgres::shared().fresh_database().unwrap(), MariaDb::shared().fresh_database().unwrap()]
}

/// Runs a check on a fresh database of each server.
fn on_both(check: impl Fn(&mut dyn Driver)) {
    for url in databases() {
        check(connect(&url).as_mut());
    }
}

/// A table with a key, a number and a reserved word.
const TABLE: &str = "CREATE TABLE t (id BIGINT PRIMARY KEY, number BIGINT)";

fn is_again(failure: &Failure) -> bool {
    matches!(failure, Failure::Again(_))
}

fn is_unreachable(failure: &Failure) -> bool {
    matches!(failure, Failure::Unreachable(_))
}
