//! What `--help` says is a promise; a change to it is seen in review.

use super::support::Peri;

const COMMANDS: [&[&str]; 52] = [
    &[],
    &["remember"],
    &["recall"],
    &["revise"],
    &["forget"],
    &["get"],
    &["list"],
    &["history"],
    &["split"],
    &["feedback"],
    &["weights"],
    &["weights", "rollback"],
    &["trash"],
    &["trash", "list"],
    &["trash", "restore"],
    &["trash", "purge"],
    &["graph"],
    &["graph", "neighbours"],
    &["graph", "path"],
    &["graph", "rank"],
    &["graph", "communities"],
    &["graph", "export"],
    &["graph", "link"],
    &["graph", "unlink"],
    &["session"],
    &["session", "start"],
    &["session", "end"],
    &["session", "list"],
    &["session", "show"],
    &["namespace"],
    &["namespace", "list"],
    &["namespace", "move"],
    &["namespace", "delete"],
    &["key"],
    &["key", "create"],
    &["key", "list"],
    &["key", "revoke"],
    &["export"],
    &["import"],
    &["import", "memory-json"],
    &["stats"],
    &["health"],
    &["logs"],
    &["doctor"],
    &["reorbit"],
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
