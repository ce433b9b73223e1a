//! Encrypted stores from the command line: `peri encrypt`, `peri decrypt`, and everything else under a key.

mod kill;
mod plain_places;

use serde_json::{Value, json};

use crate::support::{Peri, text};

/// Keys that nobody should use.
const KEY: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeef0";
const OTHER: &str = "ffeeddccbbaa99887766554433221100ffeeddccbbaa99887766554433221101";

fn key_file(peri: &Peri, name: &str, key: &str) -> String {
    let file = peri.file(name, key);
    let owner = <std::fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o600);
    std::fs::set_permissions(&file, owner).unwrap();
    file
}

fn furnished() -> Peri {
    let peri = Peri::new();
    peri.remember(&["김민수는 부산으로 이사한다", "--tag", "이사"]);
    peri.remember(&["王芳喜欢在周末拍照", "--pin"]);
    peri.remember(&["The staging server is called Ganymede", "-n", "team/ops"]);
    peri.ok(&["hear", "--session", "s", "--user", "Remember: never deploy on Fridays.", "--now"]);
    peri
}

/// What must be the same under every key: every memory as it is kept, and what recall answers.
fn answers(peri: &Peri) -> Vec<Value> {
    let list = peri.json(&["list", "--limit", "1000"]);
    let asked = ["이사", "拍照", "staging server", "when do we deploy"];
    let mut all = vec![list["memories"].clone(), peri.json(&["session", "notes", "s"])];
    for question in asked {
        let found = peri.json(&["recall", question]);
        let hits = found["hits"].as_array().unwrap().iter();
        all.push(hits.map(|hit| json!([hit["memory"]["id"], hit["score"]])).collect());
    }
    // How often something was recalled and when changes with every look at it.
    all.iter_mut().for_each(forget_use);
    all
}

fn forget_use(value: &mut Value) {
    match value {
        Value::Array(all) => all.iter_mut().for_each(forget_use),
        Value::Object(fields) => {
            for name in ["recalls", "last_used_at", "last_recalled_at", "usage", "zone", "change"] {
                fields.remove(name);
            }
            fields.values_mut().for_each(forget_use);
        }
        _ => {}
    }
}

#[test]
fn a_store_is_encrypted_used_moved_to_another_key_and_decrypted_with_the_same_answers() {
    let peri = furnished();
    let before = answers(&peri);
    let key = peri.home().parent().unwrap().join("하나.key");
    let key = key.to_str().unwrap();
    let shown = peri.run(&["encrypt", "--new-key", key]);
    assert_eq!(shown.code, 0, "{shown:?}");
    assert!(shown.out.contains("the same before and after"), "{shown:?}");
    assert!(shown.err.contains("keep a copy of the key"), "{shown:?}");
    let settings = std::fs::read_to_string(peri.home().join("perihelion.toml")).unwrap();
    assert!(settings.contains("[encryption]") && settings.contains("하나.key"), "{settings}");
    assert_eq!(answers(&peri), before);
    assert!(!peri.home().join("notes").exists(), "notes went into the store");
    let health = peri.json(&["health"]);
    assert_eq!((&health["encrypted"], &health["warnings"]), (&true.into(), &Value::Array(vec![])));
    assert!(peri.ok(&["health"]).contains("encrypted"));
    assert!(peri.ok(&["encrypt"]).contains("was so already"), "a second time does no harm");
    let run = peri.run(&["move", "--from", peri.home().to_str().unwrap(), "--to", "elsewhere"]);
    assert!(run.code == 2 && run.err.contains("peri decrypt"), "{run:?}");
    let second = key_file(&peri, "둘.key", OTHER);
    let refused = peri.run(&["encrypt", "--key-file", &second]);
    assert_eq!(refused.code, 2, "{refused:?}");
    assert!(refused.err.contains("--rekey"), "{refused:?}");
    let moved = peri.json(&["encrypt", "--rekey", "--key-file", &second]);
    assert_eq!(moved["ending"], "encrypted");
    assert_eq!(answers(&peri), before);
    let back = peri.json(&["decrypt"]);
    assert_eq!((&back["ending"], &back["digest"].is_string()), (&"decrypted".into(), &true));
    assert_eq!(answers(&peri), before);
    assert!(peri.home().join("notes").is_dir(), "notes are files again");
    assert_eq!(peri.json(&["health"])["encrypted"], false);
    let settings = std::fs::read_to_string(peri.home().join("perihelion.toml")).unwrap();
    assert!(!settings.contains("encryption"), "{settings}");
}

#[test]
fn wrong_and_missing_keys_are_told_apart_and_change_nothing() {
    let peri = furnished();
    let (key, other) = (key_file(&peri, "key", KEY), key_file(&peri, "other", OTHER));
    let with = |variable: &str, value: &str, args: &[&str]| {
        let output = peri.command().env(variable, value).args(args).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(!told.contains(KEY) && !told.contains(OTHER), "keys are never shown: {told}");
        (output.status.code().unwrap(), told)
    };
    let (code, told) = with("PERI_ENCRYPTION_KEY_FILE", &key, &["list"]);
    assert!(code == 6 && told.contains("is not encrypted") && told.contains("peri encrypt"), "{told}");
    peri.ok(&["encrypt", "--key-file", &key]);
    std::fs::remove_file(peri.home().join("perihelion.toml")).unwrap();
    let run = peri.run(&["list"]);
    assert!(run.code == 6 && run.err.contains("no key is given"), "{run:?}");
    assert!(run.err.contains("encryption.key_file"), "{run:?}");
    let (code, told) = with("PERI_ENCRYPTION_KEY", OTHER, &["remember", "x"]);
    assert!(code == 6 && told.contains("another one"), "{told}");
    let (code, told) = with("PERI_ENCRYPTION_KEY_FILE", &other, &["decrypt"]);
    assert!(code == 6 && told.contains("another one"), "{told}");
    for bad in ["secret", "zz112233445566778899aabbccddeeff00112233445566778899aabbccddeef0"] {
        let (code, told) = with("PERI_ENCRYPTION_KEY", bad, &["list"]);
        assert!(code == 2 && told.contains("64 hexadecimal digits") && !told.contains(bad), "{told}");
    }
    let (code, told) = with("PERI_ENCRYPTION_KEY_FILE", "/nowhere/key", &["list"]);
    assert!(code == 2 && told.contains("cannot be read"), "{told}");
    let (code, told) = with("PERI_ENCRYPTION_KEY", KEY, &["list"]);
    assert_eq!(code, 0, "{told}");
    for args in [&["decrypt"][..], &["encrypt"], &["encrypt", "--rekey"]] {
        let run = peri.run(args);
        assert_eq!(run.code, 2, "{args:?}: {run:?}");
    }
    let run = peri.run(&["encrypt", "--new-key", &key]);
    assert!(run.code == 2 && run.err.contains("--key-file"), "a key is never overwritten: {run:?}");
}

#[test]
fn memories_on_a_server_are_not_encrypted_here() {
    let peri = Peri::new().with("PERI_STORE_URL", "postgres://nobody@127.0.0.1:1/none");
    let key = key_file(&peri, "key", KEY);
    for args in [&["encrypt", "--key-file", &key][..], &["decrypt", "--key-file", &key]] {
        let run = peri.run(args);
        assert!(run.code == 2 && run.err.contains("the data folder alone"), "{run:?}");
    }
    let peri = peri.with("PERI_ENCRYPTION_KEY", KEY);
    let run = peri.run(&["list"]);
    assert!(run.code == 2 && run.err.contains("on a server"), "{run:?}");
}

#[test]
fn a_store_in_use_is_not_moved_and_one_with_waiting_writes_neither() {
    let peri = furnished();
    let key = key_file(&peri, "key", KEY);
    let holder = rusqlite::Connection::open(peri.home().join("perihelion.db")).unwrap();
    holder.query_row("SELECT count(*) FROM memories", [], |_| Ok(())).unwrap();
    let run = peri.run(&["encrypt", "--key-file", &key]);
    assert!(run.code == 5 && run.err.contains("in use"), "{run:?}");
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    let waiting =
        peri.command().env("PERI_STORE_BUSY_TIMEOUT_MS", "20").args(["remember", "기다림"]).output();
    assert_eq!(waiting.unwrap().status.code(), Some(0));
    drop(holder);
    let run = peri.run(&["encrypt", "--key-file", &key]);
    assert!(run.code == 4 && run.err.contains("wait"), "{run:?}");
    peri.ok(&["queue", "replay"]);
    peri.ok(&["encrypt", "--key-file", &key]);
    assert_eq!(peri.recall(&["기다림"]), ["기다림"]);
    assert!(!peri.home().join("encryption.unfinished").exists());
}

#[test]
fn backups_of_an_encrypted_store_restore_with_its_key_alone() {
    let peri = furnished();
    let plain = text(&peri.json(&["backup", "create"])["name"]);
    let key = key_file(&peri, "key", KEY);
    let run = peri.run(&["encrypt", "--key-file", &key]);
    assert!(run.err.contains("backups that were made before are not encrypted"), "{run:?}");
    let refused = peri.run(&["backup", "restore", &plain, "--overwrite", "--yes"]);
    assert!(refused.code == 4 && refused.err.contains("peri decrypt"), "{refused:?}");
    let name = text(&peri.json(&["backup", "create"])["name"]);
    assert!(peri.ok(&["backup", "verify", &name]).starts_with("whole"));
    peri.remember(&["나중 以后"]);
    peri.ok(&["backup", "restore", &name, "--overwrite", "--yes"]);
    assert_eq!(peri.recall(&["나중 以后"]).len(), 0);
    assert_eq!(peri.recall(&["拍照"]), ["王芳喜欢在周末拍照"]);
    let elsewhere = Peri::new();
    let from = peri.home().join("backups");
    let from = from.to_str().unwrap();
    let run = elsewhere.run(&["backup", "restore", &name, "--from", from]);
    assert!(run.code == 6 && run.err.contains("no key is given"), "{run:?}");
    let elsewhere = Peri::new().with("PERI_ENCRYPTION_KEY", OTHER);
    let run = elsewhere.run(&["backup", "restore", &name, "--from", from]);
    assert!(run.code != 0 && run.err.contains("with this key"), "{run:?}");
    let elsewhere = Peri::new().with("PERI_ENCRYPTION_KEY", KEY);
    elsewhere.ok(&["backup", "restore", &name, "--from", from]);
    assert_eq!(elsewhere.recall(&["拍照"]), ["王芳喜欢在周末拍照"]);
}

#[test]
fn several_processes_write_to_an_encrypted_store_at_once() {
    let peri = Peri::new().with("PERI_ENCRYPTION_KEY", KEY).with("PERI_EMBEDDING_ENGINE", "off");
    let children: Vec<_> = (0..4)
        .map(|number| {
            let mut command = peri.process();
            command.args(["-q", "remember", &format!("손 {number} 手")]).stdout(std::process::Stdio::null());
            command.spawn().unwrap()
        })
        .collect();
    assert!(children.into_iter().all(|mut child| child.wait().unwrap().success()));
    assert_eq!(peri.json(&["stats"])["memories"], 4);
}
