//! The password of the database: it is shown nowhere.

use std::path::Path;

use peri_servers::PASSWORD;
use serde_json::json;

use crate::database::{Away, Database, program, until};
use crate::served::{Served, Talk};
use crate::support::Run;

/// The password as it is, as it stands in an address, and a part that is the same in both.
const SHAPES: [&str; 3] = [PASSWORD, "open%2Fsesame%4080%25%3Aq7Zk", "q7Zk"];

fn check_text(what: &str, text: &str) {
    for shape in SHAPES {
        assert!(!text.contains(shape), "{what} shows the password: {text}");
    }
}

fn check_run(what: &str, run: &Run) {
    check_text(what, &run.out);
    check_text(what, &run.err);
}

/// Looks into every file below a folder.
fn check_files(folder: &Path) {
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.is_dir() {
            check_files(&path);
        } else {
            let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
            check_text(&path.display().to_string(), &text);
        }
    }
}

fn check_secrets(server: Option<Database>) {
    let Some(mut server) = server else { return };
    let url = server.fresh();
    let peri = program(&url).with("PERI_LOG_LEVEL", "trace").with("RUST_LOG", "trace");
    let commands: [&[&str]; 9] = [
        &["remember", "The heron lives by the lake"],
        &["recall", "heron"],
        &["config", "show"],
        &["config", "show", "--json"],
        &["doctor"],
        &["health"],
        &["stats", "-v"],
        &["queue", "list"],
        &["backup", "create"],
    ];
    let served = Served::start(&peri);
    let mut talk = Talk::start(&peri, &["-vv"]);
    talk.greet(json!({}));
    let mut look = |when: &str| {
        for command in commands {
            check_run(&format!("`peri {}` {when}", command.join(" ")), &peri.run(command));
        }
        for path in ["/v1/health", "/metrics", "/v1/queue", "/v1/stats", "/v1/memories", "/v1/events"] {
            check_text(&format!("{path} {when}"), &served.get(path).body);
        }
        let body = json!({ "content": format!("said {when}") });
        check_text("an answer", &served.post("/v1/memories", &body).body);
        check_text(
            "a tool",
            &talk.tool("memory_store", json!({ "content": format!("told {when}") })).to_string(),
        );
        check_files(&peri.home());
    };
    look("with the server");
    server.leave(Away::Killed);
    look("without the server");
    server.come_back();
    until("an empty queue", || served.number("peri_queue_depth") == 0);
    look("with the server again");
    for ended in [served.end(), talk.leave()] {
        assert!(ended.log.contains("cannot be reached"), "the log tells of the outage: {}", ended.log);
        check_text("the log", &ended.log);
    }
}

#[test]
fn the_password_of_postgresql_is_shown_nowhere() {
    check_secrets(Database::postgres());
}

#[test]
fn the_password_of_mariadb_is_shown_nowhere() {
    check_secrets(Database::mariadb());
}

#[test]
fn a_password_that_the_server_refuses_is_not_repeated() {
    for server in [Database::postgres(), Database::mariadb()].into_iter().flatten() {
        let url = server.fresh().replace("q7Zk", "q7Zkwrong");
        let run = program(&url).run(&["remember", "The heron lives by the lake", "-vv"]);
        assert_ne!(run.code, 0, "{run:?}");
        check_run("the refusal", &run);
        assert!(!run.out.starts_with("queued"), "{run:?}");
    }
}
