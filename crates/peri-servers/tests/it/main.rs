//! The private servers themselves.
#![cfg(unix)]
#![allow(clippy::unwrap_used, missing_docs)]

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use peri_servers::{MariaDb, Postgres};

/// Where a server listens, out of its address.
fn endpoint(url: &str) -> String {
    url.rsplit('@').next().unwrap().split('/').next().unwrap().to_owned()
}

#[test]
fn postgres_starts_again_after_a_kill_and_a_stop() {
    let mut server = Postgres::start().unwrap();
    let url = server.url();
    server.kill().unwrap();
    assert!(TcpStream::connect(endpoint(&url)).is_err());
    server.start_again().unwrap();
    server.stop().unwrap();
    assert!(TcpStream::connect(endpoint(&url)).is_err());
    server.start_again().unwrap();
    assert_eq!(url, server.url());
    server.fresh_database().unwrap();
}

#[test]
fn mariadb_starts_again_after_a_kill_and_a_stop() {
    let mut server = MariaDb::start().unwrap();
    let url = server.url();
    server.kill().unwrap();
    assert!(TcpStream::connect(endpoint(&url)).is_err());
    server.start_again().unwrap();
    server.stop().unwrap();
    assert!(TcpStream::connect(endpoint(&url)).is_err());
    server.start_again().unwrap();
    assert_eq!(url, server.url());
    server.fresh_database().unwrap();
}

#[test]
fn a_dropped_server_is_gone_even_when_it_was_paused() {
    let postgres = Postgres::start().unwrap();
    let mariadb = MariaDb::start().unwrap();
    let endpoints = [endpoint(&postgres.url()), endpoint(&mariadb.url())];
    postgres.pause().unwrap();
    mariadb.pause().unwrap();
    drop((postgres, mariadb));
    assert!(endpoints.iter().all(|endpoint| TcpStream::connect(endpoint).is_err()));
}

#[test]
fn fresh_databases_of_a_shared_server_are_different_ones() {
    let postgres = Postgres::shared();
    assert_ne!(postgres.fresh_database().unwrap(), postgres.fresh_database().unwrap());
    let mariadb = MariaDb::shared();
    assert_ne!(mariadb.fresh_database().unwrap(), mariadb.fresh_database().unwrap());
}

/// Set for the process that is killed in the test below.
const DOOMED: &str = "PERI_SERVERS_DOOMED";

#[test]
fn a_server_ends_with_the_process_that_started_it() {
    if std::env::var_os(DOOMED).is_some() {
        let server = Postgres::start().unwrap();
        writeln!(std::io::stdout(), "\n{}", server.url()).unwrap();
        // Held until we are killed.
        std::io::stdin().read_line(&mut String::new()).unwrap();
    } else {
        let mut doomed = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "a_server_ends_with_the_process_that_started_it", "--nocapture"])
            .env(DOOMED, "")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let said = BufReader::new(doomed.stdout.take().unwrap());
        let url = said.lines().map(Result::unwrap).find(|line| line.starts_with("postgres://")).unwrap();
        assert!(TcpStream::connect(endpoint(&url)).is_ok());
        doomed.kill().unwrap();
        doomed.wait().unwrap();
        while TcpStream::connect(endpoint(&url)).is_ok() {}
    }
}
