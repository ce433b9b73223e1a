//! What `--help` says is a promise; a change to it is seen in review.

use super::support::Peri;

const COMMANDS: [&[&str]; 20] = [
    &[],
    &["remember"],
    &["recall"],
    &["revise"],
    &["forget"],
    &["get"],
    &["list"],
    &["trash"],
    &["trash", "list"],
    &["trash", "restore"],
    &["trash", "purge"],
    &["stats"],
    &["doctor"],
    &["maintain"],
    &["config"],
    &["config", "show"],
    &["config", "path"],
    &["config", "defaults"],
    &["demo"],
    &["completions"],
];

#[test]
fn every_command_explains_itself() {
    let peri = Peri::new();
    for command in COMMANDS {
        let help = peri.ok(&[command, &["--help"]].concat());
        let name = if command.is_empty() { "peri".to_owned() } else { command.join("_") };
        insta::assert_snapshot!(format!("help_{name}"), help);
    }
    assert!(!peri.home().exists());
}
