//! What outlives its session.

use peri_observe::{Candidate, FindingKind, ItemState, PROMOTED_CHARACTERS_MAX, Priority, promote};

use crate::support::item;

fn candidate(session: &str, id: &str, kind: FindingKind, text: &str) -> Candidate {
    Candidate { session: session.to_owned(), item: item(id, kind, text) }
}

#[test]
fn only_what_is_durable_is_promoted() {
    let candidates = [
        candidate("s", "preference", FindingKind::Preference, "User prefers short answers."),
        candidate("s", "constraint", FindingKind::Constraint, "운영 DB에는 절대로 직접 쿼리를 날리지 마."),
        candidate("s", "person", FindingKind::Person, "用户：我住在成都，是一名护士。"),
        candidate("s", "birthday", FindingKind::Date, "User's birthday is on June 14."),
        candidate("s", "moved", FindingKind::StateChange, "User moved to Porto."),
        candidate("s", "passing", FindingKind::Preference, "Please answer briefly this time."),
        candidate("s", "correction", FindingKind::Correction, "The port is 8443, not 8080."),
        candidate("s", "task", FindingKind::OpenTask, "Write the rollback script."),
        candidate("s", "done", FindingKind::CompletedTask, "The rollback script is done."),
        candidate("s", "decision", FindingKind::Decision, "We decided to use Postgres."),
        candidate("s", "meeting", FindingKind::Date, "The call with the bank is on Friday."),
        candidate("s", "problem", FindingKind::Problem, "Login is broken on Safari."),
    ];
    let promoted = promote(&candidates, &[]);
    let sources: Vec<&str> = promoted.iter().map(|one| one.sources[0].as_str()).collect();
    assert_eq!(sources, ["preference", "constraint", "person", "birthday", "moved"]);
}

#[test]
fn a_correction_that_was_made_twice_is_promoted_once() {
    let candidates = [
        candidate("one", "a", FindingKind::Correction, "Use the European number format, not the American."),
        candidate("two", "b", FindingKind::Correction, "Use the European number format, not the American!"),
    ];
    let promoted = promote(&candidates, &[]);
    assert_eq!(promoted.len(), 1);
    assert_eq!(promoted[0].sources.len(), 2);
}

#[test]
fn what_is_durable_already_is_promoted_only_if_it_matters_more() {
    let durable = [item("d", FindingKind::Preference, "User prefers short answers.")];
    let mut again = candidate("s", "a", FindingKind::Preference, "User prefers short answers!");
    assert_eq!(promote(std::slice::from_ref(&again), &durable), []);
    again.item.priority = Priority::High;
    let promoted = promote(&[again], &durable);
    assert_eq!(promoted[0].merges.as_deref(), Some("d"));
}

#[test]
fn what_no_longer_holds_is_not_promoted() {
    let mut gone = candidate("s", "a", FindingKind::Preference, "User prefers short answers.");
    gone.item.state = ItemState::Superseded;
    assert_eq!(promote(&[gone], &[]), []);
}

#[test]
fn long_texts_are_cut_where_that_changes_nothing_or_left_out() {
    let long = format!(
        "User prefers short answers with tables and plain words{}, because that reads well on the small screen of the old telephone that is used for nearly everything on the train to the office",
        " that everybody knows".repeat(2)
    );
    let limited = long.replace("because that reads", "unless that reads");
    let promoted = promote(&[candidate("s", "a", FindingKind::Preference, &long)], &[]);
    assert!(
        promoted[0].text.chars().count() <= PROMOTED_CHARACTERS_MAX && promoted[0].text.ends_with("knows")
    );
    assert_eq!(promote(&[candidate("s", "b", FindingKind::Preference, &limited)], &[]), []);
    assert_eq!(promote(&[candidate("s", "c", FindingKind::Preference, &"喜欢".repeat(90))], &[]), []);
}
