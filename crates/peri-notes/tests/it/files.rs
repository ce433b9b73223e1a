//! What people see in the folder, and what they may do there.

use std::time::Duration;

use jiff::SignedDuration;
use peri_notes::{
    Candidate, Collection, Draft, FileSettings, FileShelf, Key, Message, NotesError, Priority, Shelf,
    ShelfError, Speaker, Wanted,
};

use crate::support::*;

#[test]
fn the_folder_has_the_layout_that_is_documented() {
    let root = tempfile::tempdir().unwrap();
    let notes = notes(patient(root.path()));
    let (own, session) = (team(), session("Team/회의"));
    let message = Message::new(Speaker::User, "안녕 你好", jiff::Timestamp::UNIX_EPOCH);
    notes.append_pending(&own, &session, std::slice::from_ref(&message)).unwrap();
    notes.append_conversation(&own, &session, std::slice::from_ref(&message)).unwrap();
    notes.raise_inject_flag(&own, &session, "1").unwrap();
    notes
        .update(&own, &session, |record, now| add(&mut record.sheet, "금요일에는 배포하지 않는다", now))
        .unwrap();
    take_undelivered(&notes, "other").unwrap();
    notes.update_digest(&own, |digest, now| add(&mut digest.sheet, "하나", now)).unwrap();
    notes.update_digest(&own, |digest, now| add(&mut digest.sheet, "둘", now)).unwrap();
    let folder = root.path().join("notes/팀%2f김민수");
    let found: Vec<String> = files(&folder)
        .iter()
        .map(|path| path.strip_prefix(&folder).unwrap().to_str().unwrap().replace('\\', "/"))
        .collect();
    assert_eq!(
        found,
        [
            "conversations/%54eam%2f회의.jsonl",
            "lock",
            "observations/%54eam%2f회의.delivered",
            "observations/%54eam%2f회의.given.json",
            "observations/%54eam%2f회의.inject",
            "observations/%54eam%2f회의.md",
            "observations/%54eam%2f회의.meta.json",
            "observations/%54eam%2f회의.new.json",
            "observations/other.given.json",
            "pending/%54eam%2f회의.jsonl",
            "persistent/archive/recent_2026-02-10_09-00-00.000.md",
            "persistent/recent.md",
            "persistent/recent.meta.json",
        ]
    );
    let read = |file: &str| std::fs::read_to_string(folder.join(file)).unwrap();
    let markdown = "## 2026-02-10\n\n- 🔴 금요일에는 배포하지 않는다 <!-- n1 -->\n";
    assert_eq!(read("observations/%54eam%2f회의.md"), markdown);
    let line = "{\"role\":\"user\",\"text\":\"안녕 你好\",\"at\":\"1970-01-01T00:00:00Z\"}\n";
    assert_eq!(read("pending/%54eam%2f회의.jsonl"), line);
    assert_eq!(read("persistent/recent.md"), "## 2026-02-10\n\n- 🔴 하나 <!-- d1 -->\n- 🔴 둘 <!-- d2 -->\n");
}

#[cfg(unix)]
#[test]
fn nobody_else_on_the_machine_may_read_the_notes() {
    use std::os::unix::fs::PermissionsExt as _;
    let root = tempfile::tempdir().unwrap();
    let notes = notes(patient(root.path()));
    let candidate = Candidate {
        priority: Priority::Low,
        text: "후보".to_owned(),
        at: jiff::Timestamp::UNIX_EPOCH,
        items: Vec::new(),
        kind: None,
    };
    for number in 0..2 {
        notes
            .update(&team(), &session("s"), |record, now| add(&mut record.sheet, &format!("{number}"), now))
            .unwrap();
        notes.append_candidates(&team(), &session("s"), std::slice::from_ref(&candidate)).unwrap();
    }
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    for file in files(&root.path().join("notes")) {
        assert_eq!((mode(&file), mode(file.parent().unwrap())), (0o600, 0o700), "{}", file.display());
    }
    assert_eq!(mode(&root.path().join("notes")), 0o700);
}

#[test]
fn reading_makes_no_files() {
    let root = tempfile::tempdir().unwrap();
    let notes = notes(patient(root.path()));
    assert!(notes.record(&team(), &session("s")).unwrap().is_none());
    assert!(take_undelivered(&notes, "s").is_none());
    assert!(notes.digest(&team()).unwrap().sheet.is_empty() && notes.namespaces().unwrap().is_empty());
    assert!(!root.path().join("notes").exists());
}

#[test]
fn files_of_strangers_are_passed_over() {
    let root = tempfile::tempdir().unwrap();
    let shelf = patient(root.path());
    let folder = shelf.folder(&team());
    for file in [
        "observations/My Notes.md",
        "observations/.DS_Store",
        "observations/x.md.part",
        "observations/x~y.md",
        "readme.txt",
    ] {
        let path = folder.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "x").unwrap();
    }
    for other in ["notes/Some Folder", "notes/a~b", "notes/.git"] {
        std::fs::create_dir_all(root.path().join(other)).unwrap();
    }
    std::fs::write(root.path().join("notes/a~b/namespace.txt"), "not/this").unwrap();
    std::fs::write(root.path().join("notes/README"), "a file").unwrap();
    std::fs::write(root.path().join("notes/a-file"), "a file").unwrap();
    assert_eq!(shelf.list(&team(), Collection::Observations).unwrap(), []);
    assert!(shelf.namespaces().unwrap().is_empty());
}

#[test]
fn a_file_that_is_not_utf_8_is_an_error_with_advice_and_is_not_overwritten() {
    let root = tempfile::tempdir().unwrap();
    let shelf = patient(root.path());
    let path = shelf.path(&team(), &Key::named(Collection::Observations, "s").unwrap());
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, b"- \xb0\xa1\n").unwrap();
    let notes = notes(shelf);
    let change = |record: &mut peri_notes::Record, now| add(&mut record.sheet, "x", now);
    for error in [
        notes.record(&team(), &session("s")).unwrap_err(),
        notes.update(&team(), &session("s"), change).unwrap_err(),
    ] {
        assert!(error.to_string().contains("save it as UTF-8"), "{error}");
    }
    assert_eq!(std::fs::read(&path).unwrap(), b"- \xb0\xa1\n");
}

#[test]
fn details_that_somebody_broke_are_an_error_and_do_not_keep_other_sessions_from_being_handed_over() {
    let root = tempfile::tempdir().unwrap();
    let notes = notes(patient(root.path()));
    for name in ["good", "bad"] {
        notes.update(&team(), &session(name), |record, now| add(&mut record.sheet, name, now)).unwrap();
    }
    let shelf = patient(root.path());
    let path = shelf.path(&team(), &Key::named(Collection::Meta, "bad").unwrap());
    std::fs::write(&path, "{").unwrap();
    let error = notes.record(&team(), &session("bad")).unwrap_err();
    assert!(matches!(&error, NotesError::Unreadable { name, .. } if name == "bad"), "{error}");
    assert_eq!(take_undelivered(&notes, "me").unwrap().session, session("good"));
    assert_eq!(take_undelivered(&notes, "me"), None);
    std::fs::remove_file(path).unwrap();
    let record = notes.record(&team(), &session("bad")).unwrap().unwrap();
    assert_eq!(record.sheet.items().next().unwrap().id.to_string(), "n1", "the id is in the Markdown");
}

#[test]
fn a_list_that_somebody_broke_is_an_error_with_advice_and_is_not_overwritten() {
    let root = tempfile::tempdir().unwrap();
    let notes = notes(patient(root.path()));
    notes.update(&team(), &session("s"), |record, now| add(&mut record.sheet, "하나", now)).unwrap();
    let shelf = patient(root.path());
    for (collection, bad) in [(Collection::Given, "[1]"), (Collection::Told, "{\"items\":{\"x\":1}}")] {
        let path = shelf.path(&team(), &Key::named(collection, "s").unwrap());
        std::fs::write(&path, bad).unwrap();
        let (own, name) = (team(), session("s"));
        let error = match collection {
            Collection::Given => notes.lend(&own, &name, Wanted::ALL, LEASE).map(drop).unwrap_err(),
            _ => notes.untold(&own, &name).map(drop).unwrap_err(),
        };
        assert!(matches!(&error, NotesError::Unreadable { .. }), "{error}");
        assert!(error.to_string().contains("mend it, or remove it"), "{error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), bad);
    }
    let given = shelf.path(&team(), &Key::named(Collection::Given, "s").unwrap());
    assert_eq!(notes.overview(&team()).unwrap()[0].notes, 1, "the other figures are told");
    std::fs::remove_file(given).unwrap();
    assert_eq!(take_new(&notes, "s").len(), 1);
}

#[test]
fn notes_of_earlier_programs_are_read_and_lists_of_theirs_count() {
    let root = tempfile::tempdir().unwrap();
    let shelf = patient(root.path());
    let put = |collection, name: &str, text: &str| {
        let path = shelf.path(&team(), &Key::named(collection, name).unwrap());
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    put(Collection::Observations, "s", "- 🔴 하나 <!-- n1 -->\n- 🔴 둘 <!-- n2 -->\n");
    let detail = r#"{"made_at":"2026-02-10T09:00:00Z","source":"observer"}"#;
    let meta = r#"{"session":"s","created_at":"2026-02-10T09:00:00Z","observed_at":"2026-02-10T09:00:00Z",
        "observations":1,"reflections":0,"tokens":3,"last_number":2,"items":{"n1":DETAIL,"n2":DETAIL}}"#;
    put(Collection::Meta, "s", &meta.replace("DETAIL", detail));
    put(Collection::Delivered, "s", r#"{"items":["n1"]}"#);
    put(Collection::NewItems, "s", r#"{"items":["n2"]}"#);
    put(Collection::Inject, "s", "2026-02-10T09:00:00Z\n");
    put(Collection::Pending, "s", "{\"role\":\"user\",\"text\":\"말\",\"at\":\"2026-02-10T09:00:00Z\"}\n");
    let notes = notes(patient(root.path()));
    assert_eq!(notes.pending(&team(), &session("s")).unwrap().entries[0].entry, None);
    let over = take_undelivered(&notes, "other").unwrap();
    assert_eq!(over.items.iter().map(|item| item.text.as_str()).collect::<Vec<_>>(), ["둘"]);
    assert_eq!(over.items[0].kind, None);
    let own = take(&notes, "s", Wanted::NOTHING.with_own().with_new()).unwrap();
    assert!(own.own.is_some() && own.new.is_empty());
    assert!(take(&notes, "s", Wanted::ALL).unwrap().is_empty());
}

#[test]
fn whoever_waits_too_long_for_another_process_is_told() {
    let root = tempfile::tempdir().unwrap();
    let shelf = FileShelf::new(root.path().join("notes"), FileSettings { lock_wait: Duration::ZERO });
    let key = Key::named(Collection::Meta, "s").unwrap();
    let put = || [peri_notes::Change::Put { key: key.clone(), text: "x".to_owned() }];
    shelf.commit(&team(), &put(), &[]).map(drop).unwrap();
    let lock = std::fs::File::create(shelf.folder(&team()).join("lock")).unwrap();
    lock.lock().unwrap();
    assert!(matches!(shelf.read(&team(), &key), Err(ShelfError::Busy { .. })));
    assert!(matches!(shelf.commit(&team(), &put(), &[]), Err(ShelfError::Busy { .. })));
    assert!(shelf.commit(&"other".parse().unwrap(), &put(), &[]).is_ok(), "other namespaces are free");
    drop(lock);
    assert_eq!(shelf.read(&team(), &key).unwrap().unwrap().text, "x");
}

#[test]
fn an_edit_between_reading_and_saving_is_seen() {
    let root = tempfile::tempdir().unwrap();
    let shelf = patient(root.path());
    let path = shelf.path(&team(), &Key::named(Collection::Persistent, "recent").unwrap());
    let notes = notes(shelf);
    notes.update_digest(&team(), |digest, now| add(&mut digest.sheet, "하나", now)).unwrap();
    let mut edits = 0;
    let digest = notes
        .update_digest(&team(), |digest, now| {
            if edits == 0 {
                let text = std::fs::read_to_string(&path).unwrap();
                std::fs::write(&path, text + "- 손으로 쓴 것\n").unwrap();
            }
            edits += 1;
            digest.sheet.add(Draft::new(Priority::Low, "둘"), now);
        })
        .unwrap();
    let texts: Vec<_> = digest.sheet.items().map(|item| item.text.as_str()).collect();
    assert_eq!((texts, edits), (vec!["하나", "손으로 쓴 것", "둘"], 2));
    let archives = notes.archives(&team()).unwrap();
    assert!(
        notes.archived(&team(), &archives[0]).unwrap().unwrap().contains("손으로"),
        "the edit is archived too"
    );
}

#[test]
fn notes_for_a_prompt_tell_their_age() {
    let notes = notes(peri_notes::MemoryShelf::default());
    let record = notes
        .update(&team(), &session("s"), |record, now| {
            let draft = Draft::new(Priority::High, "배포는 화요일");
            record.sheet.add(
                Draft { date: Some(jiff::civil::date(2026, 2, 9)), ..draft },
                now - SignedDuration::from_hours(24),
            );
        })
        .unwrap();
    let prompted = notes.prompt(&record.sheet, 100);
    assert_eq!(prompted.text, "## 2026-02-09 (yesterday)\n- 🔴 배포는 화요일\n");
    assert_eq!(notes.prompt(&record.sheet, 10).left_out.high, 1);
    let new = take_new(&notes, "s");
    assert_eq!(notes.prompt_items(&new, 100), prompted);
}
