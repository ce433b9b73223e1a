//! Embedding engines that ask a server, with real ones on this machine: `peri serve` with all-MiniLM-L6-v2, and
//! llama.cpp with a small language model.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Stdio};

use serde_json::Value;

use super::real_model::embeddings;
use super::reindex::minilm;
use super::support::{Peri, text};

const TEA: &str = "Ana prefers tea over coffee";
const DRINK: &str = "what does Ana like to drink?";
const KOREAN: &str = "회의는 화요일에 있다";

/// `peri serve`, which is killed with -9 when it is dropped.
struct Shared {
    child: Child,
    address: SocketAddr,
}

impl Shared {
    fn start(peri: &Peri) -> Self {
        Self::at(peri, "127.0.0.1:0")
    }

    fn at(peri: &Peri, address: &str) -> Self {
        let mut command = peri.process();
        command.env("PERI_SERVER_REQUESTS_PER_MINUTE", "0").env("PERI_LOG_LEVEL", "error");
        command.args(["serve", "--json", "--listen", address]).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut told = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut told).unwrap();
        let told: Value = serde_json::from_str(&told).unwrap();
        Self { child, address: text(&told["url"]).strip_prefix("http://").unwrap().parse().unwrap() }
    }

    /// How many requests for embeddings it has answered.
    fn embedded(&self) -> usize {
        let mut stream = TcpStream::connect(self.address).unwrap();
        write!(stream, "GET /metrics HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n", self.address)
            .unwrap();
        let mut metrics = String::new();
        stream.read_to_string(&mut metrics).unwrap();
        let counted = metrics.lines().filter(|line| line.starts_with("peri_http_requests_total"));
        let counted = counted.filter(|line| line.contains("embeddings"));
        counted.map(|line| line.rsplit(' ').next().unwrap().parse::<usize>().unwrap()).sum()
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// A folder whose memories are embedded by the transformer itself.
fn local() -> Peri {
    Peri::new().with("PERI_EMBEDDING_ENGINE", "transformer").with("PERI_EMBEDDING_FOLDER", &minilm())
}

/// What the transformer's space is called.
fn model(local: &Peri) -> String {
    text(&local.json(&["reindex", "--status"])["current"]["model"])
}

/// A folder whose memories are embedded by a server.
fn remote(address: SocketAddr, model: &str) -> Peri {
    Peri::new()
        .with("PERI_EMBEDDING_ENGINE", "openai")
        .with("PERI_EMBEDDING_URL", &format!("http://{address}/v1"))
        .with("PERI_EMBEDDING_MODEL", model)
}

/// The vectors of all memories, by what they say.
fn vectors(peri: &Peri) -> BTreeMap<String, Vec<u8>> {
    let database = rusqlite::Connection::open(peri.home().join("perihelion.db")).unwrap();
    let mut asked = database
        .prepare("SELECT content, value FROM memories JOIN vectors USING (namespace_id, id)")
        .unwrap();
    let rows = asked.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    rows.collect::<Result<_, _>>().unwrap()
}

fn lines(count: usize) -> String {
    (0..count).fold(String::new(), |mut lines, number| {
        writeln!(lines, "The server number{number} of rack {} is called Ganymede", number * 7).unwrap();
        lines
    })
}

fn check(peri: &Peri, name: &str) -> (String, String) {
    let run = peri.run(&["doctor", "--json"]);
    let told: Value = serde_json::from_str(&run.out).unwrap();
    let checks = told.as_array().or_else(|| told["checks"].as_array()).unwrap();
    let check = checks.iter().find(|check| check["name"] == name).unwrap_or_else(|| panic!("{told}"));
    (text(&check["verdict"]), text(&check["detail"]))
}

#[test]
fn several_folders_share_one_transformer_and_have_its_vectors_to_the_last_digit() {
    let owner = local();
    let near = local();
    let model = model(&owner);
    let shared = Shared::start(&owner);
    let far = remote(shared.address, &model);
    for peri in [&near, &far] {
        for content in [TEA, KOREAN, "?!", "The staging server is called Ganymede"] {
            peri.remember(&[content]);
        }
        peri.run_with(&["remember", "--lines"], lines(100).as_bytes());
    }
    assert!(vectors(&far) == vectors(&near), "{:?}", far.run(&["doctor"]));
    assert_eq!(vectors(&far).len(), 102, "what the model does not understand has none");
    let (stats, own) = (far.json(&["stats"]), near.json(&["stats"]));
    assert_eq!((&stats["space"], &stats["unembedded"]), (&own["space"], &0.into()));
    assert_eq!(far.recall(&[DRINK]), near.recall(&[DRINK]));
    assert_eq!(far.recall(&["화요일 회의"]), [KOREAN]);
    let (verdict, detail) = check(&far, "engine");
    assert_eq!(verdict, "ok");
    assert_eq!(detail, format!("{model} at http://{}/v1 answers", shared.address));
}

#[test]
fn while_the_server_is_away_memories_wait_for_their_vectors_and_nothing_else() {
    let owner = local();
    let model = model(&owner);
    let shared = Shared::start(&owner);
    let address = shared.address;
    let far = remote(address, &model);
    far.remember(&["The staging server is called Ganymede"]);
    drop(shared);

    let told: Value = far.json(&["remember", TEA]);
    assert_eq!(told["receipts"][0]["meaning"], "pending", "{told}");
    assert_eq!(far.json(&["stats"])["unembedded"], 1);
    let recalled = far.json(&["recall", "Ana tea"]);
    assert_eq!(recalled["hits"][0]["memory"]["content"], TEA, "by its words");
    assert!(text(&recalled["degraded"][0]).contains("unreachable"), "{recalled}");
    let (verdict, detail) = check(&far, "engine");
    assert!(verdict == "warning" && detail.contains(&address.to_string()), "{verdict}: {detail}");

    let _back = Shared::at(&owner, &address.to_string());
    far.ok(&["maintain"]);
    assert_eq!(far.json(&["stats"])["unembedded"], 0);
    assert_eq!(far.recall(&[DRINK]), [TEA]);
}

#[test]
fn a_hybrid_loses_no_vector_when_its_server_is_killed_in_the_middle_and_uses_it_again_when_it_is_back() {
    let owner = local();
    let shared = Shared::start(&owner);
    let address = shared.address;
    let hybrid = remote(address, &model(&owner))
        .with("PERI_EMBEDDING_ENGINE", "hybrid")
        .with("PERI_EMBEDDING_FOLDER", &minilm())
        .with("PERI_EMBEDDING_BATCH", "2");
    let mut command = hybrid.process();
    command.args(["remember", "--lines"]).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut writer = command.spawn().unwrap();
    writer.stdin.take().unwrap().write_all(lines(60).as_bytes()).unwrap();
    // The first was asked to see whether both engines are of one space.
    while shared.embedded() < 3 {}
    drop(shared);
    assert!(writer.wait().unwrap().success());
    hybrid.remember(&[TEA]);
    assert_eq!(hybrid.json(&["stats"])["unembedded"], 0, "the folder stood in");
    let recalled = hybrid.json(&["recall", DRINK]);
    assert_eq!(recalled["hits"][0]["memory"]["content"], TEA);
    assert!(recalled.get("degraded").is_none(), "{recalled}");
    let (verdict, detail) = check(&hybrid, "engine");
    assert!(verdict == "warning" && detail.contains("the fallback answers in the same space"), "{detail}");

    let back = Shared::at(&owner, &address.to_string());
    let before = back.embedded();
    assert_eq!(check(&hybrid, "engine").0, "ok");
    assert!(back.embedded() > before);
    let near = local();
    near.run_with(&["remember", "--lines"], lines(60).as_bytes());
    near.remember(&[TEA]);
    assert!(vectors(&hybrid) == vectors(&near), "whoever answered");
}

#[test]
fn a_hybrid_of_two_models_is_refused_with_the_reason() {
    let Some(other) = embeddings() else { return };
    let peri = Peri::new()
        .with("PERI_EMBEDDING_ENGINE", "hybrid")
        .with("PERI_EMBEDDING_URL", &other.address)
        .with("PERI_EMBEDDING_MODEL", "small")
        .with("PERI_EMBEDDING_TIMEOUT_SECONDS", "300")
        .with("PERI_EMBEDDING_FOLDER", &minilm());
    let told = peri.json(&["remember", TEA]);
    assert_eq!(told["receipts"][0]["meaning"], "pending", "nothing is embedded by either: {told}");
    let (verdict, detail) = check(&peri, "engine");
    assert!(verdict == "warning" && detail.contains("another model"), "{detail}");
    let named = peri.with("PERI_EMBEDDING_SPACE", "한 공간");
    let run = named.run(&["reindex"]);
    assert_eq!(run.code, 6, "{run:?}");
    assert!(run.err.contains("한 공간") && run.err.contains("never mixed"), "{run:?}");
}

#[test]
fn the_key_comes_from_the_environment_and_is_shown_nowhere() {
    let owner = local();
    let key = text(&owner.json(&["key", "create", "far", "--role", "reader"])["secret"]);
    assert!(key.len() > 10);
    let shared = Shared::start(&owner);
    let far = remote(shared.address, &model(&owner)).with("PERI_LOG_LEVEL", "trace");
    let refused = far.run(&["remember", TEA]);
    assert!(refused.code == 6 && refused.err.contains("401"), "{refused:?}");

    let far = far.with("PERI_EMBEDDING_KEY_VARIABLE", "PERI_TEST_FAR_KEY");
    let unset = far.run(&["remember", TEA]);
    assert!(unset.code == 6 && unset.err.contains("PERI_TEST_FAR_KEY is not set"), "{unset:?}");
    let far = far.with("PERI_TEST_FAR_KEY", &key);
    far.remember(&[TEA]);
    let runs = [
        far.run(&["config", "show"]),
        far.run(&["doctor"]),
        far.run(&["reindex", "--status"]),
        far.run(&["recall", DRINK]),
    ];
    assert_eq!(far.recall(&[DRINK]), [TEA]);
    drop(shared);
    let away = [far.run(&["doctor"]), far.run(&["recall", DRINK]), far.run(&["remember", "x"])];
    for run in runs.iter().chain(&away) {
        assert!(!run.out.contains(&key) && !run.err.contains(&key), "{run:?}");
    }
    for file in walked(&far.home()) {
        let bytes = std::fs::read(&file).unwrap();
        assert!(!bytes.windows(key.len()).any(|part| part == key.as_bytes()), "{}", file.display());
    }
}

fn walked(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { walked(&path) } else { vec![path] }).collect()
}

#[test]
fn reindexing_moves_memories_to_a_server_and_back() {
    let Some(server) = embeddings() else { return };
    let peri = Peri::new();
    for content in [TEA, KOREAN] {
        peri.remember(&[content]);
    }
    let moved = peri
        .with("PERI_EMBEDDING_ENGINE", "openai")
        .with("PERI_EMBEDDING_URL", &server.address)
        .with("PERI_EMBEDDING_MODEL", "small")
        .with("PERI_EMBEDDING_TIMEOUT_SECONDS", "300");
    let warned = moved.json(&["health"])["warnings"].to_string();
    assert!(
        warned.contains("run `peri reindex`") && warned.contains("small at http://127.0.0.1"),
        "{warned}"
    );
    let done = moved.json(&["reindex"]);
    assert_eq!(
        (&done["ending"], &done["embedded"]),
        (&"switched".into(), &2.into()),
        "Korean is no hindrance"
    );
    assert_eq!(done["to"]["dimensions"], 576);
    assert_eq!(moved.json(&["stats"])["unembedded"], 0);
    drop(server);
    let back = moved.json(&["reindex", "--model", "bundled"]);
    assert_eq!(back["ending"], "switched", "also when the server is away");
}
