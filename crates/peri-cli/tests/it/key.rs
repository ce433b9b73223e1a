//! `peri key` as people and scripts use it.

use super::support::{Peri, text};

#[test]
fn a_new_key_is_alone_on_standard_output() {
    let peri = Peri::new();
    let run = peri.run(&["key", "create", "ci"]);
    let secret = run.out.trim_end();
    assert_eq!((run.code, run.out.lines().count()), (0, 1), "{run:?}");
    assert!(secret.starts_with("peri_") && secret.len() == 66, "{run:?}");
    let id = &secret[5..13];
    assert!(run.err.contains("not shown again") && run.err.contains(&format!("key revoke {id}")), "{run:?}");
    assert!(run.err.contains("a writer in *") && !run.err.contains(&secret[14..]), "{run:?}");
    let quiet = peri.run(&["-q", "key", "create", "ci"]);
    assert!(quiet.out.starts_with("peri_") && quiet.err.is_empty(), "{quiet:?}");
}

#[test]
fn keys_are_listed_with_what_they_allow_and_never_with_their_secret() {
    let peri = Peri::new();
    let none = peri.run(&["key", "list"]);
    assert!(none.out.is_empty() && none.err.contains("key create"), "{none:?}");
    let created = peri.json(&["key", "create", "읽기", "--role", "reader", "-n", "team/*"]);
    let (id, secret) = (text(&created["key"]["id"]), text(&created["secret"]));
    peri.ok(&["key", "create", "ops", "--role", "admin"]);
    let told = peri.ok(&["key", "list"]);
    let lines: Vec<&str> = told.lines().collect();
    assert!(lines[0].starts_with(&format!("{id}  reader  team/*  읽기  created ")), "{told}");
    assert!(lines[1].contains("  admin   *       ops  ") && lines[1].ends_with("never used"), "{told}");
    let listed = peri.json(&["key", "list"]);
    assert_eq!(listed["keys"][0], created["key"]);
    for output in [told, listed.to_string(), peri.ok(&["logs"])] {
        assert!(!output.contains(&secret[14..]) && !output.contains("hash"), "{output}");
    }
}

#[test]
fn a_revoked_key_stays_on_the_list_and_can_be_revoked_again() {
    let peri = Peri::new();
    let id = text(&peri.json(&["key", "create", "ci"])["key"]["id"]);
    assert!(peri.ok(&["key", "revoke", &id]).starts_with(&format!("revoked {id} (ci), as of ")));
    let first = peri.json(&["key", "revoke", &id]);
    assert_eq!(peri.json(&["key", "list"])["keys"][0], first["key"]);
    assert!(peri.ok(&["key", "list"]).contains(", revoked "));
    let told = peri.ok(&["logs"]);
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines.len(), 2, "{told}");
    assert!(lines[0].contains("key_created") && lines[0].ends_with(&format!("{id} (writer in *)")), "{told}");
    assert!(lines[1].contains("key_revoked") && lines[1].ends_with(&id), "{told}");
}

#[test]
fn a_key_is_for_everything_unless_a_namespace_is_typed() {
    let peri = Peri::new().with("PERI_NAMESPACE", "team/agent");
    let scope = |args: &[&str]| text(&peri.json(&[&["key", "create", "x"], args].concat())["key"]["scope"]);
    assert_eq!(scope(&[]), "*");
    assert_eq!(scope(&["-n", "team/agent"]), "team/agent");
}

#[test]
fn a_refusal_is_shown_with_its_reason_and_count() {
    let peri = Peri::new();
    peri.ok(&["key", "list"]);
    let database = rusqlite::Connection::open(peri.home().join("perihelion.db")).unwrap();
    let refused = |key: &str, count: u32| {
        let body = format!(
            r#"{{"event":"access_refused","key":{key},"action":"POST /v1/memories","reason":"no key","count":{count}}}"#
        );
        let sql = "INSERT INTO events (at, namespace, body) VALUES (0, 'team', ?1)";
        database.execute(sql, [body]).unwrap();
    };
    refused("null", 3);
    refused("\"k3tq7zab\"", 1);
    let told = peri.ok(&["logs", "--event", "access_refused"]);
    let lines: Vec<&str> = told.lines().collect();
    assert!(lines[0].ends_with("POST /v1/memories: no key, 3 times"), "{told}");
    assert!(lines[1].ends_with("POST /v1/memories by k3tq7zab: no key"), "{told}");
}
