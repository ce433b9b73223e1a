//! From what people wrote to memories.

use peri_bridge::{BridgeError, Rehearsal, What};
use perihelion::{ErrorKind, Kind, Layer, Recall, Remember, Scope, Trashed};

use crate::support::{Desk, beside, told};

const RULES: &str = "# Orbit\n\n## 테스트\n\n- 항상 nextest로 테스트를 돌린다\n- 测试必须可以失败\n\n## Servers\n\nThe staging server is called Ganymede.\n\n```sh\nssh ganymede\n```\n";

#[test]
fn what_people_wrote_becomes_memories_with_their_source() {
    let desk = Desk::saying(RULES);
    let imported = desk.import();
    assert_eq!((imported.statements, imported.counts.remembered, imported.unchanged), (3, 3, 0));
    let rule = desk.find("테스트: 항상 nextest로 테스트를 돌린다");
    assert_eq!((rule.kind, rule.layer), (Kind::Preference, Layer::LongTerm));
    assert_eq!(rule.facets.aliases, ["테스트", "Orbit"]);
    let source = rule.facets.source.unwrap();
    assert!(source.starts_with("bridge:") && source.contains("/CLAUDE.md#"), "{source}");
    assert_eq!(rule.facets.metadata["bridge"]["file"], desk.file.to_str().unwrap());
    let server = desk.find("Servers: The staging server is called Ganymede.\n```sh\nssh ganymede\n```");
    assert_eq!(server.kind, Kind::Procedure);
    let hits = desk.engine.recall(&Recall::new("what is the staging server called?")).unwrap().hits;
    assert_eq!(hits[0].memory.id, server.id);
}

#[test]
fn importing_twice_is_importing_once() {
    let desk = Desk::saying(RULES);
    desk.import();
    let before = desk.memories(Trashed::Without);
    let again = desk.import();
    assert_eq!((again.unchanged, told(&again.changes)), (3, vec![]));
    assert_eq!(desk.memories(Trashed::Without), before);
}

#[test]
fn a_changed_statement_revises_its_memory_and_keeps_its_key() {
    let desk = Desk::saying(RULES);
    desk.import();
    let before = desk.find("테스트: 测试必须可以失败");
    desk.edit("测试必须可以失败", "测试必须真的可以失败");
    let imported = desk.import();
    assert_eq!(told(&imported.changes), [(What::Revised, "테스트: 测试必须真的可以失败")]);
    let after = desk.memory(before.id);
    assert_eq!((after.content.as_str(), after.version), ("테스트: 测试必须真的可以失败", 2));
    assert_eq!(after.facets.source, before.facets.source);
    assert_eq!(desk.engine.history(&Scope::All, before.id).unwrap().versions[0].content, before.content);
    assert_eq!(desk.import().counts.revised, 0);
}

#[test]
fn a_statement_that_moves_to_another_heading_keeps_its_memory() {
    let desk = Desk::saying("## A\n- the port of the server is 8080\n\n## B\n");
    desk.import();
    let id = desk.find("A: the port of the server is 8080").id;
    desk.write("## A\n\n## B\n- the port of the server is 8080\n");
    assert_eq!(desk.import().counts.revised, 1);
    assert_eq!(desk.memory(id).content, "B: the port of the server is 8080");
}

#[test]
fn what_went_from_the_file_goes_to_the_trash() {
    let desk = Desk::saying(RULES);
    desk.import();
    desk.edit("- 测试必须可以失败\n", "");
    assert_eq!(told(&desk.import().changes), [(What::Forgotten, "测试必须可以失败")]);
    assert_eq!(desk.memories(Trashed::Only).len(), 1);
    assert_eq!(told(&desk.import().changes), []);
}

#[test]
fn what_somebody_changed_or_pinned_since_is_kept() {
    let desk = Desk::saying("- The office closes at six\n- Ana drinks tea\n");
    desk.import();
    desk.revise(desk.find("The office closes at six").id, "The office closes at seven");
    desk.engine
        .revise(
            &Scope::All,
            desk.find("Ana drinks tea").id,
            perihelion::Revise { pinned: Some(true), ..Default::default() },
        )
        .unwrap();
    desk.write("nothing of that\n");
    let imported = desk.import();
    assert_eq!((imported.counts.kept, imported.counts.forgotten), (2, 0), "{imported:?}");
    assert_eq!(desk.contents(), ["Ana drinks tea", "The office closes at seven", "nothing of that"]);
}

#[test]
fn what_was_known_before_the_file_said_so_is_never_forgotten() {
    let desk = Desk::saying("- Ana drinks tea\n");
    let id = desk.engine.remember(Remember::new("Ana drinks tea")).unwrap().id;
    assert_eq!(told(&desk.import().changes), [(What::Joined, "Ana drinks tea")]);
    desk.write("\n");
    assert_eq!(told(&desk.import().changes), [(What::Kept, "Ana drinks tea")]);
    assert!(desk.memory(id).trashed_at.is_none());
}

#[test]
fn what_another_file_says_too_stays_until_both_have_let_go_of_it() {
    let desk = Desk::saying("- Never deploy on a Friday\n");
    let other = beside(&desk.file, "AGENTS.md");
    std::fs::write(&other, "- Never deploy on a Friday\n").unwrap();
    desk.import();
    let import_other = || desk.bridge().import(&other, &desk.namespace, Rehearsal::Real).unwrap();
    assert_eq!(import_other().counts.joined, 1);
    desk.write("");
    assert_eq!(desk.import().counts.kept, 1);
    assert_eq!(desk.contents(), ["Never deploy on a Friday"]);
    std::fs::write(&other, "").unwrap();
    assert_eq!(import_other().counts.forgotten, 1);
    assert!(desk.contents().is_empty());
}

#[test]
fn what_somebody_forgot_is_not_brought_back() {
    let desk = Desk::saying("- Ana drinks tea\n");
    desk.import();
    desk.engine.forget(&Scope::All, desk.find("Ana drinks tea").id).unwrap();
    assert_eq!(desk.import().unchanged, 1);
    assert!(desk.contents().is_empty());
    desk.edit("tea", "green tea");
    assert_eq!(desk.import().counts.remembered, 1, "but an edit says something new");
}

#[test]
fn where_both_sides_changed_the_file_wins_and_history_keeps_the_rest() {
    let desk = Desk::saying("- The office closes at six\n");
    desk.import();
    let id = desk.find("The office closes at six").id;
    desk.revise(id, "The office closes at seven");
    desk.edit("at six", "at eight");
    assert_eq!(told(&desk.import().changes), [(What::Overruled, "The office closes at eight")]);
    let history = desk.engine.history(&Scope::All, id).unwrap();
    assert!(history.versions.iter().any(|version| version.content == "The office closes at seven"));
}

#[test]
fn limits_are_told_and_what_is_known_stays_within_them() {
    let mut desk = Desk::saying("- alpha rule\n- beta custom\n");
    desk.settings.statements_max = 2;
    desk.import();
    // New ones at the top do not push out those that are known.
    desk.write("- 새 규칙이다\n- alpha rule\n- beta custom\n");
    let imported = desk.import();
    assert_eq!(told(&imported.changes), [(What::LeftOut, "새 규칙이다")]);
    assert!(imported.changes[0].why.as_ref().unwrap().contains("statements_max"));
    assert_eq!(desk.contents(), ["alpha rule", "beta custom"]);
    let mut desk = Desk::saying("- short\n- rather a long statement\n- tiny\n");
    desk.settings.bytes_max = 12;
    let imported = desk.import();
    assert_eq!((imported.counts.remembered, imported.counts.left_out), (2, 1));
    assert!(
        imported
            .changes
            .iter()
            .any(|change| change.why.as_ref().is_some_and(|why| why.contains("bytes_max")))
    );
}

#[test]
fn what_cannot_be_a_memory_is_told_and_the_rest_is_kept() {
    let desk = Desk::saying("- good one\n- bad \0 one\n");
    let imported = desk.import();
    assert_eq!((imported.counts.remembered, imported.counts.refused), (1, 1));
    assert_eq!(desk.contents(), ["good one"]);
}

#[test]
fn secrets_reach_neither_the_memories_nor_the_report_nor_the_state() {
    let secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    let desk = Desk::saying(&format!("- The token is {secret} for now\n"));
    let imported = desk.import();
    assert!(!imported.changes[0].text.contains(secret));
    assert!(!desk.contents()[0].contains(secret));
    assert!(!std::fs::read_to_string(desk.state_file()).unwrap().contains(secret));
    assert_eq!(desk.import().unchanged, 1);
    assert!(desk.read().contains(secret), "the file is its owner's");
}

#[test]
fn imports_and_blocks_that_belong_to_nothing_are_told() {
    let desk = Desk::saying("```\nlost\n```\n@docs/style.md\n\nSee @~/own.md for more.\n");
    let imported = desk.import();
    assert_eq!(imported.imports, ["docs/style.md", "~/own.md"]);
    assert_eq!((imported.blocks_left_out, imported.statements), (1, 1));
}

#[test]
fn a_rehearsal_tells_the_same_and_does_nothing() {
    let desk = Desk::saying(RULES);
    let dry = || desk.bridge().import(&desk.file, &desk.namespace, Rehearsal::Dry).unwrap();
    assert_eq!(dry().counts.remembered, 3);
    assert!(desk.contents().is_empty() && !desk.engine.folder().join("bridge").exists());
    desk.import();
    desk.edit("测试必须可以失败", "测试必须真的可以失败");
    desk.edit("The staging server is called Ganymede.\n\n```sh\nssh ganymede\n```\n", "");
    let (before, told) = (desk.memories(Trashed::Without), dry());
    assert_eq!((told.counts.revised, told.counts.forgotten), (1, 1));
    assert_eq!(desk.memories(Trashed::Without), before);
    assert_eq!(desk.import().counts, told.counts);
}

#[test]
fn a_file_belongs_to_one_namespace() {
    let desk = Desk::saying("- Ana drinks tea\n");
    desk.import();
    let other = "team/ana".parse().unwrap();
    let error = desk.bridge().import(&desk.file, &other, Rehearsal::Real).unwrap_err();
    assert!(matches!(error, BridgeError::OtherNamespace { .. }) && error.kind() == ErrorKind::Conflict);
    assert!(error.hint().unwrap().contains("--namespace default"), "{:?}", error.hint());
}
