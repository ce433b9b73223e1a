//! As much of the faults and of the simulation as every change can wait for.
#![cfg(target_os = "linux")]

use std::process::Command;

/// Runs the program; what it says is shown if it fails.
fn check(arguments: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_peri-sim"))
        .args(arguments)
        .output()
        .expect("the program can be started");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn calls_to_the_disk_that_fail_lose_and_double_nothing() {
    check(&["faults", "--seed", "1", "--seconds", "40"]);
}

#[test]
fn several_processes_survive_a_hundred_bad_days() {
    check(&["run", "--seeds", "0..100", "--parallel", "2"]);
}
