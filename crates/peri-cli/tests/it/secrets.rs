//! Secrets that the program is given are shown nowhere: not in answers, logs, traces, metrics or files, however things
//! go wrong and however much is logged.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::path::Path;

use serde_json::json;

use super::served::{Served, Talk};
use super::support::{Peri, text};

/// What each secret holds that nothing else does, and where it is given.
const MARKS: [(&str, &str); 9] = [
    ("mark1LLMkey", "the key of the language model"),
    ("mark2EMBkey", "the key of the embedding server"),
    ("mark3DBpass", "the password of the database"),
    ("mark4S3secret", "the secret key of the bucket"),
    ("mark5OTLPtoken", "the header of the collector"),
    ("mark6WRONGkey", "a key that is none"),
    ("mark7ONCEkey", "a key of one call"),
    ("mark8COOKIE", "a cookie"),
    ("mark9MEMtoken", "a token in a memory"),
];

/// A server that refuses everything, and repeats in its answer what it was sent: the worst that one can do.
fn parrot() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for connection in listener.incoming() {
            let mut reader = BufReader::new(connection.unwrap());
            let (mut head, mut line) = (String::new(), String::new());
            while reader.read_line(&mut line).is_ok_and(|read| read > 2) {
                head.push_str(&std::mem::take(&mut line));
            }
            let body = json!({ "error": { "message": format!("who is this? {head}") } }).to_string();
            let answer = format!(
                "HTTP/1.1 401 Unauthorized\r\nconnection: close\r\ncontent-type: application/json\r\n\
                 content-length: {}\r\n\r\n{body}",
                body.len()
            );
            drop(reader.get_mut().write_all(answer.as_bytes()));
        }
    });
    url
}

fn check(what: &str, shown: &str) {
    for (mark, given) in MARKS {
        assert!(!shown.contains(mark), "{what} shows {given}:\n{shown}");
    }
}

fn check_files(folder: &Path) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            check_files(&path);
        } else {
            let bytes = std::fs::read(&path).unwrap();
            let mut text = String::from_utf8_lossy(&bytes).into_owned();
            if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("perihelion.db")) {
                // What a client calls its call by is no secret to the store, which knows the call by it.
                text = text.replace("mark7ONCEkey", "");
            }
            check(&path.display().to_string(), &text);
        }
    }
}

/// Everything is set, nothing can be reached, and all is logged.
fn world(parrot: &str) -> Peri {
    Peri::new()
        .with("PERI_LOG_LEVEL", "trace")
        .with("RUST_LOG", "trace")
        .with("RUST_BACKTRACE", "1")
        .with("PERI_LLM_PROVIDER", "openai")
        .with("PERI_LLM_MODEL", "made-up")
        .with("PERI_LLM_URL", &format!("{parrot}/v1"))
        .with("PERI_LLM_KEY_VARIABLE", "LLM_KEY")
        .with("LLM_KEY", "sk-mark1LLMkey")
        .with("PERI_EMBEDDING_ENGINE", "openai")
        .with("PERI_EMBEDDING_MODEL", "made-up")
        .with("PERI_EMBEDDING_DIMENSIONS", "8")
        .with("PERI_EMBEDDING_URL", &format!("{parrot}/v1"))
        .with("PERI_EMBEDDING_KEY_VARIABLE", "EMBEDDING_KEY")
        .with("EMBEDDING_KEY", "sk-mark2EMBkey")
        .with("PERI_BACKUP_TO", "s3://bucket/prefix")
        .with("PERI_BACKUP_ENDPOINT", parrot)
        .with("AWS_ALLOW_HTTP", "true")
        .with("AWS_REGION", "here")
        .with("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE")
        .with("AWS_SECRET_ACCESS_KEY", "mark4S3secret")
        .with("PERI_TELEMETRY_OTLP_ENDPOINT", parrot)
        .with("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20mark5OTLPtoken")
}

const MEMORY: &str = "The deploy token is ghp_mark9MEMtokenabcdefghijklmnopqrst, 비밀이다";

#[test]
fn secrets_are_shown_by_no_command() {
    let peri = world(&parrot());
    let commands: [&[&str]; 15] = [
        &["remember", MEMORY],
        &["recall", "deploy token"],
        &["hear", "--session", "s", "--user", MEMORY, "--now"],
        &["session", "observe", "s"],
        &["context", "--session", "s"],
        &["config", "show"],
        &["config", "show", "--json"],
        &["doctor"],
        &["health", "--json"],
        &["stats"],
        &["llm", "log"],
        &["logs"],
        &["backup", "list"],
        &["backup", "create"],
        &["export", "-"],
    ];
    for command in commands {
        let run = peri.run(&[command, &["-vv"]].concat());
        let what = format!("`peri {}`", command[0]);
        check(&what, &run.out);
        check(&what, &run.err);
    }
    let address = "postgres://peri:mark3DBpass@127.0.0.1:9/memories";
    let moved = peri.run(&["move", "--from", peri.home().to_str().unwrap(), "--to", address]);
    assert!(moved.err.contains("--to holds a password") && moved.code != 0, "{moved:?}");
    check("`peri move`", &format!("{}{}", moved.out, moved.err));
    check_files(&peri.home());

    let away = world(&parrot()).with("PERI_STORE_URL", address);
    for command in [
        &["remember", "x"][..],
        &["recall", "x"],
        &["doctor"],
        &["health"],
        &["config", "show"],
        &["queue", "list"],
    ] {
        let run = away.run(&[command, &["-vv"]].concat());
        check("a store that is away", &format!("{}{}", run.out, run.err));
    }
    check_files(&away.home());
    #[cfg(unix)]
    for peri in [&peri, &away] {
        let open = super::privacy::open_to_others(&peri.home());
        assert!(open.is_empty(), "what is kept of failures is private too: {open:?}");
    }
}

#[test]
fn secrets_are_shown_by_no_server() {
    let peri = world(&parrot());
    let key = text(&peri.json(&["key", "create", "ci", "--role", "admin"])["secret"]);
    let secret = key.rsplit('_').next().unwrap().to_owned();
    let served = Served::with(&peri, &["-vv"]);
    let bearer = format!("Bearer {key}");
    let body = json!({ "content": MEMORY }).to_string();
    let mut shown = String::new();
    for (authorization, path, body) in [
        (bearer.as_str(), "/v1/memories", body.as_str()),
        (&bearer, "/v1/memories", "{\"content\": \"mark9MEMtoken"),
        (&bearer, "/v1/recall", "{\"query\":\"deploy token\"}"),
        ("Bearer peri_abcdefgh_mark6WRONGkey", "/v1/memories", &body),
        ("Basic mark6WRONGkey", "/v1/recall", "{}"),
    ] {
        let headers = [
            ("authorization", authorization),
            ("content-type", "application/json"),
            ("idempotency-key", "mark7ONCEkey"),
            ("cookie", "session=mark8COOKIE"),
        ];
        let answer = served.ask("POST", path, &headers, body);
        shown.push_str(&format!("{}{}", answer.head, answer.body));
    }
    for path in ["/metrics", "/health", "/v1/events?limit=50", "/v1/keys", "/openapi.json"] {
        shown.push_str(&served.ask("GET", path, &[("authorization", &bearer)], "").body);
    }
    let log = served.end().log;
    check("an answer", &shown);
    check("the log", &log);
    assert!(log.len() > 1000, "much is logged: {log}");
    assert!(!log.contains(&secret) && !shown.contains(&secret), "the secret of a key is shown");

    let mut talk = Talk::start(&peri, &["-vv"]);
    talk.greet(json!({}));
    let stored = talk.tool("memory_store", json!({ "content": MEMORY }));
    let recalled = talk.tool("memory_recall", json!({ "query": "deploy token" }));
    let refused = talk.tool("memory_get", json!({ "id": "mark6WRONGkey", "wrong": 1 }));
    check("an answer of MCP", &format!("{stored}{recalled}"));
    assert_eq!(refused["isError"], true, "{refused}");
    check("the log of MCP", &talk.leave().log.replace("mark6WRONGkey", ""));
    check_files(&peri.home());
}
