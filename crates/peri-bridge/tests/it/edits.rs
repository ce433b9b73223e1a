//! Nothing that somebody writes into the section is lost.

use peri_bridge::{BridgeError, What};
use perihelion::ErrorKind;

use crate::support::{Desk, told};

const END: &str = "<!-- perihelion:end -->";

#[test]
fn code_comments_headings_and_imports_in_the_section_are_kept_as_memories() {
    let desk = Desk::saying("");
    desk.pin("Ana drinks tea");
    desk.sync();
    desk.edit(END, &format!("\nBuild it so:\n```sh\nmake 全部\n```\n\n### 서버\n- 이름은 가니메데\n\n<!-- a note of mine -->\n\n@docs/style.md\n{END}"));
    let synced = desk.sync();
    assert_eq!(synced.edits.counts.remembered, 4, "{:?}", synced.edits.changes);
    let contents = desk.contents();
    for content in ["Build it so:\n```sh\nmake 全部\n```", "서버: 이름은 가니메데"] {
        assert!(contents.iter().any(|own| own == content), "{content} in {contents:?}");
    }
    assert!(contents.iter().any(|own| own.ends_with("<!-- a note of mine -->")));
    assert!(contents.iter().any(|own| own.ends_with("@docs/style.md")));
    assert_eq!(desk.shown().len(), 5);
    assert!(desk.sync().is_nothing());
}

#[test]
fn where_nobody_remembers_what_was_written_only_new_lines_count() {
    let desk = Desk::saying("");
    desk.pin("Ana drinks tea");
    desk.pin("The office closes at six");
    desk.sync();
    std::fs::remove_file(desk.state_file()).unwrap();
    desk.edit("- Ana drinks tea\n", "- 처음 보는 줄\n");
    let synced = desk.sync();
    assert_eq!(told(&synced.edits.changes), [(What::Remembered, "처음 보는 줄")]);
    assert_eq!(desk.shown(), ["Ana drinks tea", "The office closes at six", "처음 보는 줄"]);
}

#[test]
fn a_section_from_another_machine_is_replaced_and_not_learned() {
    let (here, there) = (Desk::saying("# Team\n"), Desk::new());
    here.pin("Ana drinks tea");
    here.sync();
    there.pin("Bo drinks coffee");
    there.write(&here.read());
    there.sync();
    assert_eq!(
        (there.contents(), there.shown()),
        (vec!["Bo drinks coffee".to_owned()], vec!["Bo drinks coffee".to_owned()])
    );
    here.write(&there.read());
    here.sync();
    assert_eq!(
        (here.contents(), here.shown()),
        (vec!["Ana drinks tea".to_owned()], vec!["Ana drinks tea".to_owned()])
    );
}

#[test]
fn lines_that_a_merge_brought_are_kept() {
    let (here, there) = (Desk::saying("# Team\n"), Desk::new());
    here.pin("Ana drinks tea");
    here.sync();
    there.pin("Bo drinks coffee");
    there.write(&here.read());
    there.sync();
    // Somebody resolves the conflict by keeping both lines.
    here.edit("- Ana drinks tea\n", "- Ana drinks tea\n- Bo drinks coffee\n");
    here.sync();
    assert_eq!(here.contents(), ["Ana drinks tea", "Bo drinks coffee"]);
}

#[test]
fn a_secret_in_an_added_line_is_taken_out_of_the_memory_and_of_the_section() {
    let secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    let desk = Desk::saying("");
    desk.pin("Ana drinks tea");
    desk.sync();
    desk.edit(END, &format!("- the token is {secret} today\n{END}"));
    desk.sync();
    assert!(!desk.read().contains(secret) && desk.contents().iter().all(|own| !own.contains(secret)));
    assert!(desk.sync().is_nothing());
}

#[test]
fn more_lines_than_are_taken_over_are_refused_and_nothing_is_done() {
    let mut desk = Desk::saying("");
    desk.pin("Ana drinks tea");
    desk.sync();
    desk.settings.statements_max = 2;
    desk.edit(END, &format!("- eins\n- zwei zwei\n- drei drei drei\n{END}"));
    let text = desk.read();
    let error =
        desk.bridge().sync(&desk.file, &desk.namespace, &[], peri_bridge::Rehearsal::Real).unwrap_err();
    assert!(matches!(error, BridgeError::TooManyEdits { lines: 3, max: 2, .. }), "{error:?}");
    assert_eq!((error.kind(), desk.read(), desk.contents().len()), (ErrorKind::InvalidInput, text, 1));
}
