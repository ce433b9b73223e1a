//! Every test of this program once more, on PostgreSQL and on MariaDB.

use std::process::Command;

use crate::support::ON;

/// What is about files has nothing to do with servers.
const FILES: [&str; 2] = ["opening::", "servers::"];

fn run_all_on(database: &str) {
    if peri_servers::may_be_left_out() || std::env::var_os(ON).is_some() {
        return;
    }
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.env(ON, database).env("PROPTEST_CASES", "4").args(["--test-threads", "4"]);
    for skipped in FILES {
        command.args(["--skip", skipped]);
    }
    let output = command.output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}\n{}", String::from_utf8_lossy(&output.stderr));
    let ran = told.lines().filter(|line| line.ends_with("... ok")).count();
    assert!(ran > 50, "only {ran} tests ran:\n{told}");
}

#[test]
fn every_test_passes_on_postgresql() {
    run_all_on("postgres");
}

#[test]
fn every_test_passes_on_mariadb() {
    run_all_on("mariadb");
}
