//! What several tests need.

use std::collections::BTreeSet;

use jiff::civil::{DateTime, date};
use peri_observe::{Finding, FindingKind, Item, ItemState, Message, Priority, Role, observe};

/// A Tuesday morning.
pub(crate) fn now() -> DateTime {
    date(2026, 3, 10).at(9, 30, 0, 0)
}

pub(crate) fn said(text: &str) -> Message {
    Message { role: Role::User, text: text.to_owned(), at: now() }
}

pub(crate) fn answered(text: &str) -> Message {
    Message { role: Role::Assistant, text: text.to_owned(), at: now() }
}

pub(crate) fn item(id: &str, kind: FindingKind, text: &str) -> Item {
    Item {
        id: id.to_owned(),
        kind: Some(kind),
        priority: Priority::Medium,
        text: text.to_owned(),
        made: now(),
        days: BTreeSet::new(),
        state: ItemState::Open,
    }
}

/// What is found in one message of the user, with nothing known.
pub(crate) fn findings(text: &str) -> Vec<Finding> {
    observe(&[said(text)], &[], &[])
}

/// The one finding of a message of the user.
pub(crate) fn only(text: &str) -> Finding {
    let mut found = findings(text);
    assert_eq!(found.len(), 1, "{text}: {found:#?}");
    found.remove(0)
}
