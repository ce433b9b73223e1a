//! Starts a private PostgreSQL and a private MariaDB, prints the address of an empty database on each, and stops them when
//! its input ends: `cargo run -p peri-servers --example private_servers`, and control-D.
#![allow(clippy::print_stdout, missing_docs)]

#[cfg(unix)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    use peri_servers::{MariaDb, Postgres};

    let (postgres, mariadb) = (Postgres::start()?, MariaDb::start()?);
    println!("{}", postgres.fresh_database()?);
    println!("{}", mariadb.fresh_database()?);
    for line in std::io::stdin().lines() {
        line?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn main() {}
