//! Backups from the command line, and the restore guide followed word by word.

use super::support::{Peri, text};

fn furnished() -> Peri {
    let peri = Peri::new();
    peri.remember(&["김민수는 부산으로 이사한다", "--tag", "이사"]);
    peri.remember(&["王芳喜欢在周末拍照", "--pin"]);
    peri.remember(&["The staging server is called Ganymede"]);
    peri
}

#[test]
fn a_backup_is_made_listed_verified_and_restored() {
    let peri = furnished();
    let made = peri.json(&["backup", "create"]);
    let name = text(&made["name"]);
    assert_eq!(
        (made["counts"]["memories"].as_u64(), made["files"].as_u64().map(|files| files > 0)),
        (Some(3), Some(true))
    );
    assert!(peri.ok(&["backup", "list"]).contains(&name));
    assert_eq!(peri.json(&["backup", "list"])["backups"][0]["name"].as_str(), Some(name.as_str()));
    assert!(peri.ok(&["backup", "verify"]).starts_with(&format!("whole {name}")));
    peri.remember(&["Callisto is new"]);
    let refused = peri.run(&["backup", "restore", "latest"]);
    assert_eq!(refused.code, 4, "{refused:?}");
    assert!(refused.err.contains("1 memory added") && refused.err.contains("--overwrite"), "{refused:?}");
    let unsure = peri.run(&["backup", "restore", "latest", "--overwrite"]);
    assert_eq!(unsure.code, 2, "{unsure:?}");
    assert_eq!(peri.recall(&["Callisto"]).len(), 1);
    let restored = peri.json(&["backup", "restore", &name, "--overwrite", "--yes"]);
    assert_eq!((restored["memories"].as_u64(), restored["gone"].as_u64()), (Some(3), Some(1)));
    assert_eq!(peri.recall(&["Callisto"]).len(), 0);
    assert_eq!(peri.recall(&["拍照"]), ["王芳喜欢在周末拍照"]);
    let safety = text(&restored["safety_backup"]);
    assert!(safety.ends_with("-before-restore"));
    peri.ok(&["backup", "restore", &safety, "--overwrite", "--yes"]);
    assert_eq!(peri.recall(&["Callisto"]), ["Callisto is new"]);
}

#[test]
fn damage_is_told_with_its_own_exit_code_and_a_wrong_name_with_another() {
    let peri = furnished();
    let name = text(&peri.json(&["backup", "create"])["name"]);
    let file = peri.home().join("backups").join(&name).join("perihelion.db.zst");
    let mut bytes = std::fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&file, bytes).unwrap();
    let run = peri.run(&["backup", "verify", "--all"]);
    assert_eq!(run.code, 7, "{run:?}");
    assert!(run.out.contains("damaged") && run.out.contains("perihelion.db"), "{run:?}");
    assert_eq!(peri.run(&["backup", "restore", "latest", "--to", "elsewhere"]).code, 7);
    assert_eq!(peri.run(&["backup", "verify", "nonsense"]).code, 2);
    assert_eq!(peri.run(&["backup", "verify", "20200101T000000Z-000000000001"]).code, 3);
    for verb in [&["backup", "list", "--from", "ftp://x"][..], &["backup", "create", "--to", "ftp://x"]] {
        let run = peri.run(verb);
        assert_eq!(run.code, 2, "{run:?}");
        assert!(run.err.contains("only folders and s3:// are known"), "{run:?}");
    }
    assert_eq!(peri.run(&["backup", "create", "--to", "s3://Not A Bucket"]).code, 2);
    let run = peri.run(&["backup", "create", "--to", "s3://bucket/x"]);
    assert_eq!(run.code, 6, "{run:?}");
    assert!(run.err.contains("AWS_ACCESS_KEY_ID"), "{run:?}");
}

#[test]
fn pruning_keeps_what_is_asked_for_and_a_dry_run_removes_nothing() {
    let peri = furnished();
    let names: Vec<_> = (0..3).map(|_| text(&peri.json(&["backup", "create"])["name"])).collect();
    let planned = peri.json(&["backup", "prune", "--keep-last", "1", "--dry-run"]);
    assert_eq!(planned["removed"].as_array().map(Vec::len), Some(2));
    assert_eq!(peri.json(&["backup", "list"])["backups"].as_array().map(Vec::len), Some(3));
    peri.ok(&["backup", "prune", "--keep-last", "1"]);
    let left = peri.json(&["backup", "list"]);
    assert_eq!(left["backups"].as_array().map(Vec::len), Some(1));
    assert_eq!(text(&left["backups"][0]["name"]), names[2]);
    assert_eq!(peri.run(&["backup", "prune", "--keep-last", "0"]).code, 2);
}

#[test]
fn a_diff_tells_what_became_of_memories() {
    let peri = furnished();
    let moved = peri.remember(&["the kiln is hot"]);
    let changed = peri.remember(&["Ana lives in Porto"]);
    peri.ok(&["backup", "create"]);
    assert_eq!(peri.ok(&["diff", "latest", "now"]), "no memory differs\n");
    peri.ok(&["forget", &moved]);
    peri.ok(&["revise", &changed, "Ana lives in Braga"]);
    peri.remember(&["수원에 새 창고가 있다", "-n", "team"]);
    let told = peri.ok(&["diff", "latest", "now"]);
    assert!(told.contains("default: 1 reworded, 1 trashed\n") && told.contains("team: 1 added\n"), "{told}");
    assert!(told.contains("Ana lives in Braga") && told.contains("수원에 새 창고가 있다"), "{told}");
    let back = peri.json(&["diff", "now", "latest"]);
    assert_eq!(back["namespaces"][1]["removed"].as_u64(), Some(1), "{back}");
    assert_eq!(back["complete"].as_bool(), Some(true));
    let home = peri.home().display().to_string();
    assert_eq!(peri.ok(&["diff", "now", &home]), "no memory differs\n");
    assert_eq!(peri.run(&["diff", "now", "/nowhere/at/all"]).code, 6);
}

#[test]
fn what_is_no_memory_is_told_by_a_diff_and_never_lost_unasked() {
    let peri = furnished();
    peri.ok(&["backup", "create"]);
    peri.ok(&["journal", "append", "회의가 시작되었다"]);
    peri.ok(&["journal", "turn", "begin"]);
    let told = peri.ok(&["diff", "latest", "now"]);
    assert!(told.contains("  1 journal event added\n") && told.contains("  1 turn added\n"), "{told}");
    assert_eq!(peri.json(&["diff", "now", "latest"])["besides"][0]["removed"].as_u64(), Some(1));
    let refused = peri.run(&["backup", "restore", "latest"]);
    assert_eq!(refused.code, 4, "{refused:?}");
    assert!(refused.err.contains("1 journal event added or changed, 1 turn added or changed"), "{refused:?}");
    let restored = peri.json(&["backup", "restore", "latest", "--overwrite", "--yes"]);
    peri.ok(&["backup", "restore", &text(&restored["safety_backup"]), "--overwrite", "--yes"]);
    assert!(peri.ok(&["journal", "recent"]).contains("회의가 시작되었다"));
}

#[test]
fn a_write_that_waited_when_the_backup_was_made_is_there_once_after_a_restore() {
    const WAITED: &str = "지수는 제주도로 이사했다";
    let peri = furnished().with("PERI_STORE_BUSY_TIMEOUT_MS", "20");
    let holder = rusqlite::Connection::open(peri.home().join("perihelion.db")).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert!(peri.ok(&["remember", WAITED]).starts_with("queued "));
    // That it was made cannot be told while the database is held.
    peri.run(&["backup", "create"]);
    let name = text(&peri.json(&["backup", "list"])["backups"][0]["name"]);
    holder.execute_batch("ROLLBACK").unwrap();
    let held = |peri: &Peri| {
        let all = peri.json(&["list"]);
        let memories = all["memories"].as_array().unwrap().clone();
        memories.iter().filter(|memory| memory["content"] == WAITED).count()
    };
    peri.ok(&["queue", "replay"]);
    assert_eq!(held(&peri), 1);
    peri.ok(&["backup", "restore", &name, "--overwrite", "--yes"]);
    peri.ok(&["queue", "replay"]);
    assert_eq!(held(&peri), 1);
    peri.ok(&["queue", "replay"]);
    assert_eq!(held(&peri), 1);
}

#[test]
fn a_copy_beside_leaves_the_vault_of_the_other_folder_alone() {
    let peri = furnished();
    let vault = peri.home().with_file_name("문서");
    std::fs::create_dir_all(vault.join("knowledge/facts")).unwrap();
    peri.configure(&format!("# 나의 것\n[vault]\nfolder = {:?}\n", vault.display().to_string()));
    peri.ok(&["backup", "create"]);
    std::fs::write(vault.join("knowledge/facts/차.md"), "# 차\n\n지수는 녹차를 마신다.\n").unwrap();
    let beside = peri.home().with_file_name("restored").display().to_string();
    let run = peri.run(&["backup", "restore", "latest", "--to", &beside]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.err.contains("vault.enabled is off here"), "{run:?}");
    let before = std::fs::read_to_string(vault.join("knowledge/facts/차.md")).unwrap();
    let recalled = peri.ok(&["--home", &beside, "recall", "녹차"]);
    assert!(!recalled.contains("녹차"), "{recalled}");
    peri.ok(&["--home", &beside, "remember", "a fact of the copy"]);
    assert_eq!(std::fs::read_to_string(vault.join("knowledge/facts/차.md")).unwrap(), before);
    assert_eq!(std::fs::read_dir(vault.join("knowledge/facts")).unwrap().count(), 1);
    let settings = std::fs::read_to_string(std::path::Path::new(&beside).join("perihelion.toml")).unwrap();
    assert!(settings.contains("# 나의 것") && settings.contains("enabled = \"off\""), "{settings}");
    // In place nothing of it is switched off.
    peri.ok(&["backup", "restore", "latest", "--overwrite", "--yes"]);
    assert!(!std::fs::read_to_string(peri.home().join("perihelion.toml")).unwrap().contains("off"));
}

/// A section of the guide, from its heading to the next.
fn section(heading: &str) -> &'static str {
    let guide = include_str!("../../../../docs/backup.md");
    let begin = guide.find(heading).unwrap();
    let end =
        guide[begin + heading.len()..].find("\n#").map_or(guide.len(), |end| begin + heading.len() + end);
    &guide[begin..end]
}

/// The commands of the section "Restore, step by step", in order.
fn guide() -> Vec<String> {
    let guide = include_str!("../../../../docs/backup.md");
    let begin = guide.find("## Restore, step by step").unwrap();
    let end = begin + guide[begin..].find("### When the database itself").unwrap();
    let mut commands = Vec::new();
    let mut fenced = false;
    for line in guide[begin..end].lines().map(str::trim) {
        match line {
            "```sh" => fenced = true,
            "```" => fenced = false,
            line if fenced => commands.push(line.to_owned()),
            _ => {}
        }
    }
    commands
}

#[test]
fn the_restore_guide_works_word_by_word() {
    let peri = furnished();
    peri.ok(&["backup", "create"]);
    let before = peri.ok(&["export", "-q"]);
    let gone = peri.json(&["list"])["memories"][0]["id"].as_str().unwrap().to_owned();
    peri.ok(&["forget", &gone]);
    peri.ok(&["trash", "purge", "--all", "--yes"]);
    let commands = guide();
    assert!(commands.len() >= 7, "{commands:?}");
    for command in &commands {
        let words: Vec<&str> = command.split_whitespace().collect();
        assert_eq!(words[0], "peri", "{command}");
        peri.ok(&words[1..]);
    }
    assert_eq!(peri.ok(&["export", "-q"]), before);
    let beside = peri.home().with_file_name("restored").display().to_string();
    assert_eq!(peri.ok(&["--home", &beside, "export", "-q"]), before);
}

#[test]
fn the_guide_for_a_damaged_database_works_and_the_audit_log_goes_on() {
    let peri = furnished();
    peri.ok(&["backup", "create"]);
    let before = peri.ok(&["export", "-q"]);
    peri.remember(&["나중에 쓴 것"]);
    peri.remember(&["后来写的"]);
    std::fs::write(peri.home().join("perihelion.db"), "no database at all").unwrap();
    assert_ne!(peri.run(&["list"]).code, 0);
    let told = section("### When the database itself is damaged");
    let away = peri.home().with_file_name("away");
    std::fs::create_dir_all(&away).unwrap();
    for name in ["perihelion.db", "perihelion.db-wal", "perihelion.db-shm"] {
        assert!(told.contains(&format!("`{name}`")), "{told}");
        let file = peri.home().join(name);
        if file.exists() {
            std::fs::rename(file, away.join(name)).unwrap();
        }
    }
    assert!(told.contains("do the steps from 5 on"), "{told}");
    let commands = guide();
    let from = commands.iter().position(|command| command.contains("restore latest --overwrite")).unwrap();
    for command in &commands[from..] {
        let words: Vec<&str> = command.split_whitespace().collect();
        peri.ok(&words[1..]);
    }
    assert_eq!(peri.ok(&["export", "-q"]), before);
    peri.remember(&["and on"]);
    let checks = peri.json(&["doctor"]);
    assert!(
        checks["checks"].as_array().unwrap().iter().all(|check| check["name"] != "audit log"),
        "{checks}"
    );
    let log = std::fs::read_to_string(peri.home().join("logs/events.jsonl")).unwrap();
    let events: Vec<serde_json::Value> =
        log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let numbers: Vec<u64> = events.iter().map(|event| event["number"].as_u64().unwrap()).collect();
    assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
    assert_eq!(events.iter().filter(|event| event["event"] == "backup_restored").count(), 1, "{log}");
}

#[test]
fn the_guide_for_a_folder_that_is_lost_works() {
    let peri = furnished();
    peri.configure("[recall]\nlimit = 7\n");
    let elsewhere = peri.home().with_file_name("elsewhere").display().to_string();
    peri.ok(&["backup", "create", "--to", &elsewhere]);
    let before = peri.ok(&["export", "-q"]);
    std::fs::remove_dir_all(peri.home()).unwrap();
    let told = section("### When the whole folder is lost");
    let command = told.split('`').find(|part| part.starts_with("peri backup restore")).unwrap();
    let words: Vec<&str> = command.split_whitespace().skip(1).collect();
    let words: Vec<&str> =
        words.into_iter().map(|word| if word.starts_with("s3://") { &elsewhere } else { word }).collect();
    peri.ok(&words);
    assert_eq!(peri.ok(&["export", "-q"]), before);
    assert_eq!(
        std::fs::read_to_string(peri.home().join("perihelion.toml")).unwrap(),
        "[recall]\nlimit = 7\n"
    );
    peri.ok(&["doctor"]);
}

#[test]
fn the_settings_say_where_backups_go_and_which_are_kept() {
    let peri = furnished();
    peri.configure(
        "[backup]\nto = \"../elsewhere\"\nkeep_last = 1\nkeep_daily = 0\nkeep_weekly = 0\nkeep_monthly = 0\n",
    );
    for _ in 0..2 {
        peri.ok(&["backup", "create"]);
    }
    assert!(!peri.home().join("backups").exists());
    let place = peri.home().with_file_name("elsewhere");
    assert_eq!(std::fs::read_dir(&place).unwrap().count(), 2);
    peri.ok(&["backup", "prune"]);
    assert_eq!(std::fs::read_dir(&place).unwrap().count(), 1);
    for bad in [
        "to = \"ftp://x\"",
        "endpoint = \"x\"",
        "interval_hours = 1000000",
        "interval_hours = 1\nkeep_last = 0\nkeep_daily = 0\nkeep_weekly = 0\nkeep_monthly = 0",
    ] {
        peri.configure(&format!("[backup]\n{bad}\n"));
        assert_eq!(peri.run(&["backup", "list"]).code, 2, "{bad}");
    }
}
