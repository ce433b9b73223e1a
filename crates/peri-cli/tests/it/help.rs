//! What `--help` says is a promise; a change to it is seen in review.

use super::support::Peri;

const COMMANDS: [&[&str]; 156] = [
    &[],
    &["remember"],
    &["recall"],
    &["revise"],
    &["forget"],
    &["get"],
    &["list"],
    &["history"],
    &["hook"],
    &["session", "forget"],
    &["work"],
    &["work", "set"],
    &["work", "get"],
    &["work", "list"],
    &["work", "sessions"],
    &["work", "clear"],
    &["promote"],
    &["split"],
    &["feedback"],
    &["weights"],
    &["weights", "rollback"],
    &["learn"],
    &["learn", "record"],
    &["learn", "patterns"],
    &["learn", "store"],
    &["learn", "show"],
    &["learn", "promote"],
    &["learn", "retire"],
    &["learn", "restore"],
    &["learn", "trajectories"],
    &["learn", "distil"],
    &["learn", "train"],
    &["learn", "stats"],
    &["learn", "sets"],
    &["learn", "rollback"],
    &["learn", "export"],
    &["learn", "import"],
    &["route"],
    &["workers"],
    &["workers", "status"],
    &["workers", "run"],
    &["workers", "logs"],
    &["workers", "alerts"],
    &["workers", "cancel"],
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
    &["hear"],
    &["context"],
    &["session"],
    &["session", "start"],
    &["session", "end"],
    &["session", "list"],
    &["session", "show"],
    &["session", "notes"],
    &["session", "replay"],
    &["session", "observe"],
    &["session", "retry"],
    &["journal"],
    &["journal", "append"],
    &["journal", "list"],
    &["journal", "recent"],
    &["journal", "show"],
    &["journal", "turn"],
    &["journal", "turn", "begin"],
    &["journal", "turn", "finish"],
    &["journal", "turn", "list"],
    &["journal", "turn", "show"],
    &["journal", "trace"],
    &["journal", "replay"],
    &["journal", "stats"],
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
    &["migrate"],
    &["import", "memory-json"],
    &["import", "mem0"],
    &["import", "basic-memory"],
    &["import", "chatgpt"],
    &["import", "claude"],
    &["backup"],
    &["backup", "create"],
    &["backup", "list"],
    &["backup", "verify"],
    &["backup", "restore"],
    &["backup", "prune"],
    &["vault"],
    &["vault", "status"],
    &["vault", "sync"],
    &["vault", "list"],
    &["vault", "get"],
    &["vault", "put"],
    &["vault", "delete"],
    &["vault", "watch"],
    &["diff"],
    &["move"],
    &["encrypt"],
    &["decrypt"],
    &["queue"],
    &["queue", "status"],
    &["queue", "list"],
    &["queue", "replay"],
    &["queue", "drop"],
    &["snapshot"],
    &["snapshot", "create"],
    &["snapshot", "list"],
    &["snapshot", "restore"],
    &["stats"],
    &["health"],
    &["logs"],
    &["report"],
    &["serve"],
    &["mcp"],
    &["install"],
    &["uninstall"],
    &["bridge"],
    &["bridge", "import"],
    &["bridge", "export"],
    &["bridge", "sync"],
    &["bridge", "status"],
    &["llm"],
    &["llm", "log"],
    &["llm", "prompts"],
    &["llm", "check"],
    &["doctor"],
    &["reorbit"],
    &["reindex"],
    &["sweep"],
    &["maintain"],
    &["config"],
    &["config", "show"],
    &["config", "path"],
    &["config", "defaults"],
    &["demo"],
    &["sample"],
    &["sample", "load"],
    &["sample", "remove"],
    &["sample", "status"],
    &["completions"],
    &["man"],
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

/// The commands that a help text names.
fn named(help: &str) -> Vec<&str> {
    let commands = help.split("\nCommands:\n").nth(1).unwrap_or_default().split("\n\n").next().unwrap();
    let names = commands.lines().filter_map(|line| line.strip_prefix("  "));
    // A description of several lines goes on further in.
    names.filter(|line| !line.starts_with(' ')).filter_map(|line| line.split(' ').next()).collect()
}

#[test]
fn no_command_is_missing_from_the_table() {
    let peri = Peri::new();
    for command in COMMANDS {
        let help = peri.ok(&[command, &["--help"]].concat());
        for name in named(&help).into_iter().filter(|name| *name != "help") {
            let whole = [command, &[name]].concat();
            assert!(COMMANDS.contains(&&whole[..]), "{whole:?}");
        }
    }
}

#[test]
fn each_command_is_described_in_one_line() {
    let help = Peri::new().ok(&["--help"]);
    let commands = help.split("\nCommands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    assert!(commands.lines().count() > 30 && named(&help).len() == commands.lines().count(), "{commands}");
}
