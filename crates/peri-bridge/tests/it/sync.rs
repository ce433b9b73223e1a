//! Both ways at once.

use peri_bridge::{FileFate, Rehearsal, SectionState, What};
use perihelion::{Scope, Trashed};

use crate::support::{Desk, told};

#[test]
fn both_sides_come_into_step_and_stay_so() {
    let desk = Desk::saying("# Orbit\n\n- 항상 한국어로 답한다\n");
    desk.pin("The staging server is called Ganymede");
    let synced = desk.sync();
    assert_eq!((synced.imported.counts.remembered, synced.exported.memories), (1, 1));
    assert!(!synced.is_nothing());
    let (text, memories) = (desk.read(), desk.memories(Trashed::Without));
    let again = desk.sync();
    assert!(again.is_nothing(), "{again:?}");
    assert_eq!((desk.read(), desk.memories(Trashed::Without)), (text, memories));
}

#[test]
fn a_memory_that_changes_changes_its_line() {
    let desk = Desk::saying("");
    let id = desk.pin("The office closes at six");
    desk.sync();
    desk.revise(id, "The office closes at seven");
    let synced = desk.sync();
    assert_eq!(synced.exported.removed, ["The office closes at six"]);
    assert_eq!(desk.shown(), ["The office closes at seven"]);
    desk.engine.forget(&Scope::All, id).unwrap();
    desk.sync();
    assert!(desk.shown().is_empty() && desk.read().contains("perihelion:end"));
}

#[test]
fn a_changed_line_revises_the_memory_it_shows() {
    let desk = Desk::saying("");
    let id = desk.pin("금요일에는 배포하지 않는다");
    desk.sync();
    desk.edit("금요일에는 배포하지 않는다", "금요일 오후에는 배포하지 않는다");
    let synced = desk.sync();
    assert_eq!(told(&synced.edits.changes), [(What::Revised, "금요일 오후에는 배포하지 않는다")]);
    assert_eq!(desk.memory(id).content, "금요일 오후에는 배포하지 않는다");
    assert!(desk.sync().is_nothing());
}

#[test]
fn a_removed_line_is_not_shown_again_and_its_memory_stays() {
    let desk = Desk::saying("");
    let id = desk.pin("Ana drinks tea");
    desk.pin("火星是红色的");
    desk.sync();
    desk.edit("- Ana drinks tea\n", "");
    assert_eq!(told(&desk.sync().edits.changes), [(What::Hidden, "Ana drinks tea")]);
    assert!(desk.memory(id).trashed_at.is_none());
    let again = desk.sync();
    assert!(again.is_nothing() && again.exported.hidden == 1);
    assert_eq!(desk.shown(), ["火星是红色的"]);
    // Not even when it says something else.
    desk.revise(id, "Ana drinks green tea");
    assert!(desk.sync().is_nothing());
}

#[test]
fn a_line_that_is_put_back_is_shown_again() {
    let desk = Desk::saying("");
    desk.pin("Ana drinks tea");
    desk.sync();
    let with = desk.read();
    desk.edit("- Ana drinks tea\n", "");
    desk.sync();
    desk.edit("<!-- perihelion:end -->", "- Ana drinks tea\n<!-- perihelion:end -->");
    assert_eq!(told(&desk.sync().edits.changes), [(What::ShownAgain, "Ana drinks tea")]);
    assert_eq!((desk.read(), desk.contents().len()), (with, 1));
}

#[test]
fn an_added_line_becomes_a_memory_and_stays_in_the_section() {
    let desk = Desk::saying("");
    desk.pin("Ana drinks tea");
    desk.sync();
    desk.edit(
        "<!-- perihelion:end -->",
        "\nit rained a bit\n* 새로운 규칙: 항상 저장한다\n<!-- perihelion:end -->",
    );
    let synced = desk.sync();
    let added = [(What::Remembered, "it rained a bit"), (What::Remembered, "새로운 규칙: 항상 저장한다")];
    assert_eq!(told(&synced.edits.changes), added);
    assert_eq!(desk.shown(), ["Ana drinks tea", "it rained a bit", "새로운 규칙: 항상 저장한다"]);
    assert!(desk.sync().is_nothing());
    // And out of the section again: hidden, not forgotten.
    desk.edit("- it rained a bit\n", "");
    desk.sync();
    assert_eq!(desk.contents().len(), 3);
    assert_eq!(desk.shown().len(), 2);
}

#[test]
fn where_both_sides_changed_a_line_the_file_wins() {
    let desk = Desk::saying("");
    let id = desk.pin("The office closes at six");
    desk.sync();
    desk.revise(id, "The office closes at seven");
    desk.edit("at six", "at eight");
    assert_eq!(told(&desk.sync().edits.changes), [(What::Overruled, "The office closes at eight")]);
    let history = desk.engine.history(&Scope::All, id).unwrap();
    assert!(history.versions.iter().any(|version| version.content == "The office closes at seven"));
    assert_eq!(desk.shown(), ["The office closes at eight"]);
}

#[test]
fn an_edited_line_whose_memory_is_gone_is_a_new_memory() {
    let desk = Desk::saying("");
    let id = desk.pin("The office closes at six");
    desk.sync();
    desk.engine.forget(&Scope::All, id).unwrap();
    desk.edit("at six", "at eight");
    assert_eq!(told(&desk.sync().edits.changes), [(What::Remembered, "The office closes at eight")]);
    assert_eq!(desk.shown(), ["The office closes at eight"]);
}

#[test]
fn an_edited_note_becomes_a_memory_and_the_note_stays_away() {
    let desk = Desk::saying("");
    let notes = ["배포는 월요일에 한다".to_owned(), "Ana reviews everything".to_owned()];
    desk.sync_with(&notes);
    desk.edit("배포는 월요일에 한다", "배포는 화요일에 한다");
    desk.edit("- Ana reviews everything\n", "");
    let synced = desk.sync_with(&notes);
    assert_eq!((synced.edits.counts.remembered, synced.edits.counts.hidden), (1, 1));
    assert_eq!(desk.shown(), ["배포는 화요일에 한다"]);
    assert!(desk.sync_with(&notes).is_nothing());
}

#[test]
fn a_shortened_line_keeps_its_end_when_its_beginning_is_edited() {
    let mut desk = Desk::saying("");
    desk.settings.line_bytes_max = 40;
    let id = desk.pin("The staging server is called Ganymede and stands in the second room on the left");
    desk.sync();
    assert!(desk.shown()[0].ends_with('…'));
    desk.edit("The staging", "Our staging");
    desk.sync();
    assert_eq!(
        desk.memory(id).content,
        "Our staging server is called Ganymede and stands in the second room on the left"
    );
    assert!(desk.sync().is_nothing());
}

#[test]
fn a_line_moved_out_of_the_section_belongs_to_its_owner() {
    let desk = Desk::saying("# Mine\n");
    let id = desk.pin("Ana drinks tea");
    desk.sync();
    desk.edit("- Ana drinks tea\n", "");
    desk.edit("# Mine\n", "# Mine\n\n- Ana drinks tea\n");
    let synced = desk.sync();
    assert_eq!((synced.imported.counts.joined, synced.edits.counts.hidden), (1, 1));
    assert_eq!((desk.contents().len(), desk.shown().len()), (1, 0));
    assert!(desk.memory(id).trashed_at.is_none() && desk.sync().is_nothing());
}

#[test]
fn a_formatter_that_rewrites_the_list_edits_nothing() {
    let desk = Desk::saying("");
    desk.pin("Ana drinks tea");
    desk.pin("火星是红色的");
    desk.sync();
    desk.edit("\n- ", "\n*   ");
    desk.edit("## Remembered", "\n## Remembered");
    let text = desk.read();
    assert!(desk.sync().is_nothing());
    assert_eq!(desk.read(), text);
}

#[test]
fn lines_in_another_order_are_put_back() {
    let desk = Desk::saying("");
    desk.pin("Ana drinks tea");
    desk.pin("火星是红色的");
    desk.sync();
    let text = desk.read();
    desk.edit("- Ana drinks tea\n- 火星是红色的\n", "- 火星是红色的\n- Ana drinks tea\n");
    let synced = desk.sync();
    assert!(synced.edits.changes.is_empty());
    assert_eq!((synced.exported.file, desk.read()), (FileFate::Written, text));
}

#[test]
fn what_somebody_wrote_into_the_section_stays_when_it_is_no_longer_near() {
    let desk = Desk::saying("<!-- perihelion:begin -->\n- it rained a bit\n<!-- perihelion:end -->\n");
    desk.sync();
    desk.engine.remember(perihelion::Remember::new("and then it stopped")).unwrap();
    desk.wait();
    desk.sync();
    assert_eq!(desk.shown(), ["it rained a bit"]);
}

#[test]
fn a_rehearsal_tells_what_a_sync_does() {
    let desk = Desk::saying("- own rule about tabs\n");
    desk.pin("The office closes at six");
    desk.pin("Ana drinks tea");
    desk.sync();
    desk.edit("at six", "at eight");
    desk.edit("- Ana drinks tea\n", "- 완전히 새로운 것\n");
    desk.edit("own rule about tabs", "own rule about spaces");
    let (text, memories) = (desk.read(), desk.memories(Trashed::Without));
    let dry = desk.bridge().sync(&desk.file, &desk.namespace, &[], Rehearsal::Dry).unwrap();
    assert_eq!((desk.read(), desk.memories(Trashed::Without)), (text, memories));
    let real = desk.sync();
    assert_eq!((dry.imported.counts, dry.edits.counts), (real.imported.counts, real.edits.counts));
    assert_eq!(dry.exported.added, real.exported.added);
    assert_eq!(dry.exported.removed, real.exported.removed);
    assert_eq!((dry.exported.lines, dry.exported.tokens), (real.exported.lines, real.exported.tokens));
    let json = serde_json::to_value(&real).unwrap();
    assert_eq!(json["edits"]["counts"]["hidden"], 1);
    assert_eq!(json["imported"]["changes"][0]["what"], "revised");
}

#[test]
fn status_tells_how_things_stand_and_changes_nothing() {
    let desk = Desk::new();
    let status = || desk.bridge().status(&desk.file, &desk.namespace, &[]).unwrap();
    assert!(!status().exists && status().pending.is_none());
    desk.write("- own rule\n");
    assert_eq!((status().section, status().known), (SectionState::None, 0));
    assert_eq!(status().pending.unwrap().imported.counts.remembered, 1);
    desk.pin("Ana drinks tea");
    desk.sync();
    let now = status();
    assert_eq!((now.section, now.known, now.shown), (SectionState::AsWritten, 1, 1));
    assert!(now.pending.unwrap().is_nothing());
    desk.edit("- Ana drinks tea\n", "");
    assert_eq!(status().section, SectionState::Edited);
    desk.sync();
    assert_eq!(status().hidden, ["Ana drinks tea"]);
    assert_eq!(status().pending.unwrap().exported.file, FileFate::Unchanged);
}
