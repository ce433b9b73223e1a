//! From files to memories.

use perihelion::{Importance, Kind, Layer, Remember, Scope, Timestamp, Trashed};

use crate::support::{Desk, keys};

#[test]
fn knowledge_is_recalled_like_memories_and_says_its_file() {
    let desk = Desk::new();
    desk.write("knowledge/facts/커피.md", "# 커피\n\n아나는 아침마다 드립 커피를 마신다.\n");
    desk.write("knowledge/experiences/发布.md", "上次发布失败,因为忘了迁移数据库。\n");
    desk.write("knowledge/My notes/Router.md", "The router in the attic is called Ganymede.\n");
    desk.write("md/system.md", "You are Ganymede, a careful router assistant.\n");
    let synced = desk.sync();
    assert_eq!(
        keys(&synced.added),
        ["knowledge/My notes/Router", "knowledge/experiences/发布", "knowledge/facts/커피"]
    );
    assert_eq!(synced.documents, 3);
    assert_eq!(desk.ask("드립 커피"), ["vault:knowledge/facts/커피.md"]);
    assert_eq!(desk.ask("发布为什么失败"), ["vault:knowledge/experiences/发布.md"]);
    // Config documents are never recalled.
    assert_eq!(desk.ask("what is called Ganymede?"), ["vault:knowledge/My notes/Router.md"]);
    assert_eq!(desk.memory("knowledge/facts/커피.md").kind, Kind::Fact);
    assert_eq!(desk.memory("knowledge/experiences/发布.md").kind, Kind::Episode);
    assert_eq!(desk.memory("knowledge/facts/커피.md").layer, Layer::LongTerm);
    assert!(desk.sync().is_nothing());
}

#[test]
fn an_edited_file_revises_its_memory_and_the_history_keeps_the_former() {
    let desk = Desk::new();
    desk.write("knowledge/facts/port.md", "The port is 8080.");
    desk.sync();
    let before = desk.memory("knowledge/facts/port.md");
    desk.write(
        "knowledge/facts/port.md",
        "---\ntags: [net]\nimportance: 0.9\npinned: true\nowner: Ana\n---\nThe port is 9090.",
    );
    assert_eq!(keys(&desk.sync().changed), ["knowledge/facts/port"]);
    let after = desk.memory("knowledge/facts/port.md");
    assert_eq!((after.id, after.content.as_str()), (before.id, "The port is 9090."));
    assert_eq!((after.facets.tags.as_slice(), after.facets.pinned), (&["net".to_owned()][..], true));
    assert_eq!(after.importance, Importance::new(0.9).unwrap());
    assert_eq!(after.facets.metadata["owner"], "Ana");
    let history = desk.engine.history(&Scope::All, before.id).unwrap();
    assert_eq!(history.versions[0].content, "The port is 8080.");
}

#[test]
fn an_edit_of_the_same_length_right_after_a_sync_is_seen() {
    let desk = Desk::new();
    desk.write("knowledge/facts/port.md", "The port is 8080.");
    desk.sync();
    desk.write("knowledge/facts/port.md", "The port is 9090.");
    desk.sync();
    assert_eq!(desk.memory("knowledge/facts/port.md").content, "The port is 9090.");
}

#[test]
fn a_deleted_file_takes_its_memory_to_the_trash() {
    let desk = Desk::new();
    desk.write("knowledge/facts/a.md", "Mars is red.");
    desk.write("knowledge/facts/b.md", "Neptune is blue.");
    desk.sync();
    desk.remove("knowledge/facts/a.md");
    assert_eq!(keys(&desk.sync().deleted), ["knowledge/facts/a"]);
    assert_eq!(desk.sources(), ["vault:knowledge/facts/b.md"]);
    assert_eq!(desk.memories(Trashed::Only).len(), 1);
    assert!(desk.sync().is_nothing());
}

#[test]
fn a_renamed_file_keeps_its_memory_and_the_source_says_the_new_name() {
    let desk = Desk::new();
    desk.write("knowledge/facts/a.md", "Mars is red.");
    desk.sync();
    let before = desk.memory("knowledge/facts/a.md");
    std::fs::rename(desk.path("knowledge/facts/a.md"), desk.path("knowledge/experiences/화성.md")).unwrap();
    let synced = desk.sync();
    assert_eq!((synced.renamed.len(), synced.added.len(), synced.deleted.len()), (1, 0, 0));
    let after = desk.memory("knowledge/experiences/화성.md");
    assert_eq!((after.id, after.kind), (before.id, Kind::Episode));
    assert_eq!(desk.memories(Trashed::Only), []);
    assert_eq!(desk.ask("Mars red"), ["vault:knowledge/experiences/화성.md"]);
    assert!(desk.sync().is_nothing());
}

#[test]
fn two_documents_that_say_the_same_stay_two_and_neither_joins_a_plain_memory() {
    let desk = Desk::new();
    desk.engine.remember(Remember::new("The port is 8080.")).unwrap();
    desk.write("knowledge/facts/a.md", "The port is 8080.");
    desk.write("knowledge/facts/b.md", "The port is 8080.");
    desk.sync();
    desk.engine.remember(Remember::new("The port is now 9090, not 8080.")).unwrap();
    desk.engine.maintain().unwrap();
    let memories = desk.memories(Trashed::Without);
    let documents: Vec<_> = memories.iter().filter(|memory| memory.document().is_some()).collect();
    assert_eq!(documents.len(), 2);
    assert!(documents.iter().all(|memory| memory.facets.superseded_by.is_none() && memory.version == 1));
}

#[test]
fn the_memory_of_a_document_is_not_forgotten_however_long_nobody_asks() {
    let desk = Desk::new();
    desk.write("knowledge/facts/a.md", "Mars is red.");
    desk.sync();
    desk.clock.advance(jiff::SignedDuration::from_hours(24 * 365 * 20));
    desk.engine.maintain().unwrap();
    assert_eq!(desk.sources(), ["vault:knowledge/facts/a.md"]);
}

#[test]
fn a_long_document_becomes_parts_that_say_their_headings_and_an_edit_touches_one() {
    let desk = Desk::new();
    let filler = "아주 긴 이야기가 이어진다. ".repeat(100);
    let text =
        |port: &str| format!("# 서버\n\n{filler}\n\n## Ports\n\nThe port is {port}.\n\n## 팀\n\n{filler}\n");
    desk.write("knowledge/facts/server.md", &text("8080"));
    desk.sync();
    let at = "vault:knowledge/facts/server.md";
    assert_eq!(desk.sources(), [format!("{at}#Ports"), format!("{at}#서버"), format!("{at}#팀")]);
    assert_eq!(desk.ask("which port"), [format!("{at}#Ports")]);
    desk.write("knowledge/facts/server.md", &text("9090"));
    desk.sync();
    let versions: Vec<_> = desk.memories(Trashed::Without).into_iter().map(|memory| memory.version).collect();
    assert_eq!(versions.iter().sum::<u32>(), 4, "{versions:?}");
    assert_eq!(desk.memory("knowledge/facts/server.md#Ports").content, "## Ports\n\nThe port is 9090.");
    desk.write("knowledge/facts/server.md", "Short now.");
    desk.sync();
    assert_eq!(desk.sources(), [at]);
    assert_eq!(desk.memories(Trashed::Only).len(), 2);
}

#[test]
fn a_broken_front_matter_is_body_and_the_reason_is_told() {
    let desk = Desk::new();
    desk.write("knowledge/facts/x.md", "---\na: [1\n---\nMars is red.");
    let problems = desk.sync().problems;
    assert_eq!(problems.len(), 1);
    assert!(
        problems[0].path == "knowledge/facts/x.md" && problems[0].why.contains("not YAML"),
        "{problems:?}"
    );
    assert_eq!(desk.vault.status().unwrap().problems, problems);
    assert_eq!(desk.memory("knowledge/facts/x.md").content, "---\na: [1\n---\nMars is red.");
    desk.write("knowledge/facts/x.md", "---\na: [1]\n---\nMars is red.");
    assert_eq!(desk.sync().problems, []);
}

#[test]
fn files_that_are_no_documents_are_ignored_and_empty_ones_wait() {
    let desk = Desk::new();
    for place in [
        "knowledge/facts/.hidden.md",
        "knowledge/.obsidian/x.md",
        "knowledge/facts/x.md~",
        "knowledge/facts/.x.md.swp",
        "knowledge/facts/4913",
        "knowledge/facts/picture.png",
        "knowledge/facts/x.md.tmp",
        ".trash/y.md",
        "notes.md",
    ] {
        desk.write(place, "something");
    }
    desk.write("knowledge/facts/Untitled.md", "\n");
    let synced = desk.sync();
    assert_eq!((synced.documents, desk.sources().len(), synced.problems.len()), (1, 0, 0));
    desk.write("knowledge/facts/Untitled.md", "Mars is red.");
    desk.sync();
    assert_eq!(desk.sources(), ["vault:knowledge/facts/Untitled.md"]);
}

#[test]
fn what_is_not_text_is_told_and_the_rest_is_remembered() {
    let desk = Desk::new();
    desk.write("knowledge/facts/ok.md", "Mars is red.");
    std::fs::write(desk.path("knowledge/facts/bad.md"), [0xff, 0xfe, 0x00]).unwrap();
    desk.write("knowledge/facts/nul.md", "a\0b");
    let problems = desk.sync().problems;
    let told: Vec<_> = problems.iter().map(|problem| problem.path.as_str()).collect();
    assert_eq!(told, ["knowledge/facts/bad.md", "knowledge/facts/nul.md"]);
    assert_eq!(desk.sources(), ["vault:knowledge/facts/ok.md"]);
    let status = desk.vault.status().unwrap();
    assert_eq!((status.problems, status.waiting), (problems, 0), "status tells it too, and promises nothing");
    desk.write("knowledge/facts/bad.md", "화성은 붉다.");
    let synced = desk.sync();
    assert_eq!((keys(&synced.added), synced.problems.len()), (vec!["knowledge/facts/bad".to_owned()], 1));
    desk.remove("knowledge/facts/nul.md");
    assert_eq!(desk.sync().problems, []);
    assert!(desk.sync().is_nothing());
}

#[test]
fn a_document_that_turns_into_something_unreadable_keeps_its_memory() {
    let desk = Desk::new();
    desk.write("knowledge/facts/x.md", "Mars is red.");
    desk.sync();
    std::fs::write(desk.path("knowledge/facts/x.md"), [0xff, 0xfe]).unwrap();
    assert_eq!(desk.sync().problems.len(), 1);
    assert_eq!(desk.vault.status().unwrap().waiting, 0);
    assert_eq!(desk.memory("knowledge/facts/x.md").content, "Mars is red.");
    desk.write("knowledge/facts/x.md", "Mars is red.");
    let synced = desk.sync();
    assert_eq!((synced.problems.len(), synced.is_nothing()), (0, true));
    assert_eq!(desk.memory("knowledge/facts/x.md").version, 1);
}

#[test]
fn a_file_that_is_emptied_takes_its_memory_to_the_trash_and_says_so() {
    let desk = Desk::new();
    desk.write("knowledge/facts/화성.md", "화성은 붉다.");
    desk.sync();
    desk.write("knowledge/facts/화성.md", "");
    let synced = desk.sync();
    assert_eq!(keys(&synced.changed), ["knowledge/facts/화성"]);
    assert_eq!((desk.sources().len(), desk.memories(Trashed::Only).len()), (0, 1));
    desk.write("knowledge/facts/화성.md", "화성은 녹슬었다.");
    desk.sync();
    assert_eq!(desk.memory("knowledge/facts/화성.md").content, "화성은 녹슬었다.");
    assert!(desk.sync().is_nothing());
}

#[test]
fn markdown_outside_of_the_two_folders_is_left_alone_and_counted() {
    let desk = Desk::new();
    desk.write("knowledge/facts/x.md", "Mars is red.");
    for place in ["환영.md", "日记/2026/十一月.MD", ".obsidian/x.md", "日记/photo.png", ".trash/old.md"]
    {
        desk.write(place, "Venus is hot.");
    }
    desk.sync();
    assert_eq!(desk.sources(), ["vault:knowledge/facts/x.md"]);
    let status = desk.vault.status().unwrap();
    assert_eq!((status.elsewhere, status.knowledge, status.waiting), (2, 1, 0));
}

#[test]
fn times_of_the_front_matter_say_when_it_happened_and_until_when_it_holds() {
    let desk = Desk::new();
    desk.write(
        "knowledge/experiences/x.md",
        "---\ncreated: 2024-01-05\nvalid_until: 2030-01-01\n---\nWe moved to Busan.",
    );
    desk.sync();
    let facets = desk.memory("knowledge/experiences/x.md").facets;
    assert_eq!(facets.occurred_at, "2024-01-05T00:00:00Z".parse::<Timestamp>().ok());
    assert_eq!(facets.valid_until, "2030-01-01T00:00:00Z".parse::<Timestamp>().ok());
}

#[test]
fn names_in_decomposed_letters_are_the_same_document() {
    let desk = Desk::new();
    desk.write("knowledge/facts/\u{1100}\u{1161}.md", "Mars is red.");
    desk.sync();
    assert_eq!(desk.sources(), ["vault:knowledge/facts/\u{ac00}.md"]);
    let key = peri_vault::Key::parse("facts/\u{ac00}").unwrap();
    assert_eq!(desk.vault.get(&key).unwrap().text, "Mars is red.");
    desk.vault.put(&key, "Mars is rusty.").unwrap();
    assert_eq!(desk.read("knowledge/facts/\u{1100}\u{1161}.md"), "Mars is rusty.");
    assert_eq!(desk.vault.list().unwrap().len(), 1);
}

/// A vault with two facts and an experience, in step, and its memories.
fn with_documents() -> (Desk, Vec<perihelion::Memory>) {
    let desk = Desk::new();
    desk.write("knowledge/facts/port.md", "The port is 8080.");
    desk.write("knowledge/facts/커피.md", "아나는 드립 커피를 마신다.");
    desk.write("knowledge/experiences/发布.md", "上次发布失败。");
    desk.sync();
    desk.write("knowledge/facts/port.md", "The port is 9090.");
    desk.sync();
    let memories = desk.memories(Trashed::Without);
    (desk, memories)
}

#[test]
fn a_folder_that_vanished_whole_is_an_error_to_confirm_and_no_memory_is_touched() {
    for (gone, documents, is_emptied) in
        [("knowledge", 3, false), ("knowledge/facts", 2, false), ("knowledge/facts", 2, true)]
    {
        let (desk, memories) = with_documents();
        std::fs::remove_dir_all(desk.path(gone)).unwrap();
        if is_emptied {
            std::fs::create_dir(desk.path(gone)).unwrap();
        }
        for _ in 0..2 {
            let error = desk.vault.sync(&desk.engine).unwrap_err();
            let peri_vault::VaultError::Vanished { gone: told } = &error else { panic!("{error}") };
            assert_eq!((told[0].folder.as_str(), told[0].documents, told.len()), (gone, documents, 1));
            assert!(error.to_string().contains("nothing was changed"), "{error}");
            let hint = error.hint().unwrap();
            assert!(hint.contains("--write-missing") && hint.contains("--confirm-missing"), "{hint}");
        }
        assert_eq!(desk.memories(Trashed::Without), memories);
        assert!(desk.vault.status().unwrap().problems.iter().any(|problem| problem.path == gone));
    }
}

#[test]
fn the_files_of_a_folder_that_vanished_are_written_anew_with_their_ids_and_their_history() {
    let (desk, memories) = with_documents();
    std::fs::remove_dir_all(desk.path("knowledge")).unwrap();
    desk.vault.sync(&desk.engine).unwrap_err();
    let synced = desk.vault.sync_with(&desk.engine, peri_vault::Missing::WrittenAnew).unwrap();
    let peri_vault::Sync::Done(synced) = synced else { panic!("nobody else is here") };
    assert_eq!((synced.restored.len(), synced.deleted.len()), (3, 0), "{synced:?}");
    assert_eq!(desk.read("knowledge/facts/port.md").trim_end(), "The port is 9090.");
    assert!(desk.sync().is_nothing());
    let ids = |memories: &[perihelion::Memory]| memories.iter().map(|one| one.id).collect::<Vec<_>>();
    assert_eq!(ids(&desk.memories(Trashed::Without)), ids(&memories));
    let port = desk.memory("knowledge/facts/port.md").id;
    assert_eq!(desk.engine.history(&Scope::All, port).unwrap().versions[0].content, "The port is 8080.");
}

#[test]
fn a_folder_that_was_deleted_on_purpose_goes_to_the_trash_once_that_is_confirmed() {
    let (desk, memories) = with_documents();
    std::fs::remove_dir_all(desk.path("knowledge/facts")).unwrap();
    desk.vault.sync(&desk.engine).unwrap_err();
    desk.vault.sync_with(&desk.engine, peri_vault::Missing::Deleted).unwrap();
    assert_eq!(desk.memories(Trashed::Without).len(), 1);
    assert_eq!(desk.memories(Trashed::Only).len(), memories.len() - 1);
    assert!(desk.sync().is_nothing());
}

#[test]
fn files_that_are_deleted_one_by_one_and_folders_that_get_another_name_need_no_word() {
    let (desk, _) = with_documents();
    for file in ["knowledge/facts/port.md", "knowledge/facts/커피.md"] {
        desk.remove(file);
        assert_eq!(desk.sync().deleted.len(), 1, "{file}");
    }
    let (desk, memories) = with_documents();
    std::fs::rename(desk.path("knowledge/facts"), desk.path("knowledge/things")).unwrap();
    assert_eq!(desk.sync().renamed.len(), 2);
    assert_eq!(desk.memories(Trashed::Without).len(), memories.len());
}
