//! Notes of a namespace that moves to where notes may be already. What is there stays as it is, and nothing is lost:
//! a session of which both have notes comes under another name, a second digest goes to the archive, and logs that meet
//! are joined.

use std::collections::{BTreeMap, BTreeSet};

use peri_notes::{Collection, Session};
use peri_types::Timestamp;
use rusqlite::params;

use super::apply::Ledger;
use super::trouble::Trouble;

/// Where something is kept within a namespace: the collection and the name.
type Place = (String, String);

/// What a namespace holds of notes.
#[derive(Debug, Default)]
struct Held {
    documents: BTreeSet<Place>,
    logs: BTreeSet<Place>,
}

/// What something belongs to, which decides what becomes of it where its like is already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Belonging {
    /// A session, all of which stays together.
    Session,
    /// The digest of the namespace, of which there is one.
    Digest,
    /// The archive, which takes any number.
    Archive,
}

/// Where each document and log goes that cannot stay under its name.
#[derive(Debug, Default, PartialEq, Eq)]
struct Moves {
    documents: Vec<(Place, Place)>,
    logs: Vec<(Place, Place)>,
}

impl Ledger<'_> {
    /// Moves the notes of one namespace to another.
    pub(super) fn move_notes(&self, old: i64, new: i64, at: Timestamp) -> Result<(), Trouble> {
        let moves = plan(&self.notes_of(old)?, &self.notes_of(new)?, at);
        for (from, to) in &moves.documents {
            self.move_document(old, new, from, to)?;
        }
        for (from, to) in &moves.logs {
            self.move_log(old, new, from, to)?;
        }
        for table in ["note_documents", "note_lines"] {
            let sql = format!("UPDATE {table} SET namespace_id = ?2 WHERE namespace_id = ?1");
            self.connection.prepare_cached(&sql)?.execute([old, new])?;
        }
        Ok(())
    }

    fn notes_of(&self, namespace: i64) -> Result<Held, Trouble> {
        let places = |table: &str| -> Result<BTreeSet<Place>, Trouble> {
            let sql = format!("SELECT DISTINCT collection, name FROM {table} WHERE namespace_id = ?1");
            let mut select = self.connection.prepare_cached(&sql)?;
            Ok(select.query_all([namespace], |row| Ok((row.get(0)?, row.get(1)?)))?.into_iter().collect())
        };
        Ok(Held { documents: places("note_documents")?, logs: places("note_lines")? })
    }

    fn move_document(&self, old: i64, new: i64, from: &Place, to: &Place) -> Result<(), Trouble> {
        self.connection
            .prepare_cached(
                "UPDATE note_documents SET namespace_id = ?4, collection = ?5, name = ?6
                 WHERE namespace_id = ?1 AND collection = ?2 AND name = ?3",
            )?
            .execute(params![old, from.0, from.1, new, to.0, to.1])?;
        if from.0 == Collection::Meta.as_str() {
            self.rename_in_meta(new, to)?;
        }
        Ok(())
    }

    /// What is known of a session's notes names the session.
    fn rename_in_meta(&self, namespace: i64, place: &Place) -> Result<(), Trouble> {
        let text: String = self
            .connection
            .prepare_cached(
                "SELECT text FROM note_documents WHERE namespace_id = ?1 AND collection = ?2 AND name = ?3",
            )?
            .query_row(params![namespace, place.0, place.1], |row| row.get(0))?;
        match renamed(&text, &place.1) {
            Some(text) => self.put_document(namespace, &place.0, &place.1, &text),
            None => Ok(()),
        }
    }

    /// Moves a log behind the lines that are there.
    fn move_log(&self, old: i64, new: i64, from: &Place, to: &Place) -> Result<(), Trouble> {
        let last = self.last_number(new, &to.0, &to.1)?;
        self.connection
            .prepare_cached(
                "UPDATE note_lines SET namespace_id = ?4, name = ?5, number = number + ?6
                 WHERE namespace_id = ?1 AND collection = ?2 AND name = ?3",
            )?
            .execute(params![old, from.0, from.1, new, to.1, last])?;
        Ok(())
    }
}

/// Decides where everything goes that cannot stay under its name.
fn plan(moved: &Held, there: &Held, at: Timestamp) -> Moves {
    let sessions = second_names(moved, there);
    let digests = second_digests(moved, there, at);
    let mut taken: BTreeSet<Place> = moved.documents.union(&there.documents).cloned().collect();
    let mut moves = Moves::default();
    for from in &moved.documents {
        let to = match belonging(&from.0) {
            Belonging::Session => sessions.get(&from.1).map(|name| (from.0.clone(), name.clone())),
            Belonging::Digest => {
                digests.get(&from.1).map(|name| (archived(&from.0).to_owned(), name.clone()))
            }
            Belonging::Archive => None,
        };
        let to = to.unwrap_or_else(|| from.clone());
        // What it is called where nothing else tells: the same, with a number.
        let to = if there.documents.contains(&to) {
            let name = free(&to.1, "-", "", |name| taken.contains(&(to.0.clone(), name.to_owned())));
            (to.0, name)
        } else {
            to
        };
        taken.insert(to.clone());
        if *from != to {
            moves.documents.push((from.clone(), to));
        }
    }
    for from in &moved.logs {
        let name = sessions.get(&from.1).unwrap_or(&from.1).clone();
        if name != from.1 || there.logs.contains(from) {
            moves.logs.push((from.clone(), (from.0.clone(), name)));
        }
    }
    moves
}

/// The sessions of which both sides have documents, with the names under which they come.
fn second_names(moved: &Held, there: &Held) -> BTreeMap<String, String> {
    let names = |held: &Held| -> BTreeSet<String> {
        let own = held.documents.iter().filter(|place| belonging(&place.0) == Belonging::Session);
        own.map(|(_, name)| name.clone()).collect()
    };
    let all = [&moved.documents, &moved.logs, &there.documents, &there.logs];
    let mut taken: BTreeSet<String> = all.into_iter().flatten().map(|(_, name)| name.clone()).collect();
    let mut second = BTreeMap::new();
    for name in names(moved).intersection(&names(there)) {
        let new = free(name, " (", ")", |name| taken.contains(name));
        taken.insert(new.clone());
        second.insert(name.clone(), new);
    }
    second
}

/// The digests of which both sides have one, with the names under which they come to the archive.
fn second_digests(moved: &Held, there: &Held, at: Timestamp) -> BTreeMap<String, String> {
    let digests = |held: &Held| -> BTreeSet<String> {
        let parts = [Collection::Persistent, Collection::PersistentMeta].map(Collection::as_str);
        let own = held.documents.iter().filter(|(collection, _)| parts.contains(&collection.as_str()));
        own.map(|(_, name)| name.clone()).collect()
    };
    let stamp = at.strftime("%Y-%m-%d_%H-%M-%S.%3f").to_string();
    let meeting = digests(moved).intersection(&digests(there)).cloned().collect::<Vec<_>>();
    let taken = |name: &str| {
        let place = (Collection::Archive.as_str().to_owned(), name.to_owned());
        moved.documents.contains(&place) || there.documents.contains(&place)
    };
    let named = |name: String| {
        let first = fitted(&name, &format!("_{stamp}"));
        let name_there = if taken(&first) { free(&first, "-", "", taken) } else { first };
        (name, name_there)
    };
    meeting.into_iter().map(named).collect()
}

/// Where a part of a digest goes that is archived. What is known of it besides its text is kept beside.
fn archived(collection: &str) -> &str {
    if collection == Collection::Persistent.as_str() { Collection::Archive.as_str() } else { collection }
}

/// What belongs neither to the digest nor to the archive belongs to a session, also what a later release keeps.
fn belonging(collection: &str) -> Belonging {
    if collection.starts_with(Collection::Persistent.as_str()) {
        Belonging::Digest
    } else if collection == Collection::Archive.as_str() {
        Belonging::Archive
    } else {
        Belonging::Session
    }
}

/// The first name with a number at its end that is not taken.
fn free(name: &str, before: &str, after: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let mut number: u64 = 2;
    loop {
        let named = fitted(name, &format!("{before}{number}{after}"));
        if !is_taken(&named) {
            return named;
        }
        number += 1;
    }
}

/// A name with something at its end, cut so that it is not too long.
fn fitted(name: &str, end: &str) -> String {
    let mut room = (Session::BYTES_MAX - end.len()).min(name.len());
    while !name.is_char_boundary(room) {
        room -= 1;
    }
    format!("{}{end}", &name[..room])
}

/// The same with another session in it; none if it is not what is known of a session's notes.
fn renamed(meta: &str, session: &str) -> Option<String> {
    let mut meta: serde_json::Value = serde_json::from_str(meta).ok()?;
    *meta.get_mut("session")? = session.into();
    let mut text = serde_json::to_string_pretty(&meta).ok()?;
    text.push('\n');
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(documents: &[(Collection, &str)], logs: &[(Collection, &str)]) -> Held {
        let places = |given: &[(Collection, &str)]| {
            given.iter().map(|(collection, name)| place(*collection, name)).collect()
        };
        Held { documents: places(documents), logs: places(logs) }
    }

    fn place(collection: Collection, name: &str) -> Place {
        (collection.as_str().to_owned(), name.to_owned())
    }

    #[test]
    fn what_meets_nothing_keeps_its_name() {
        let moved = held(&[(Collection::Meta, "회의"), (Collection::Persistent, "recent")], &[]);
        let there = held(&[(Collection::Meta, "会议"), (Collection::Archive, "recent")], &[]);
        assert_eq!(plan(&moved, &there, Timestamp::UNIX_EPOCH), Moves::default());
    }

    #[test]
    fn a_session_that_both_know_stays_together_under_a_name_that_nothing_has() {
        let moved = held(
            &[(Collection::Meta, "회의"), (Collection::Inject, "회의")],
            &[(Collection::Pending, "회의"), (Collection::Pending, "회의 (2)")],
        );
        let there = held(&[(Collection::Observations, "회의")], &[(Collection::Heard, "회의 (3)")]);
        let moves = plan(&moved, &there, Timestamp::UNIX_EPOCH);
        let to = |collection| (place(collection, "회의"), place(collection, "회의 (4)"));
        assert_eq!(moves.documents, [to(Collection::Inject), to(Collection::Meta)]);
        assert_eq!(moves.logs, [to(Collection::Pending)]);
    }

    #[test]
    fn logs_alone_are_joined() {
        let logs = [(Collection::Conversations, "a"), (Collection::Heard, "b")];
        let moved = held(&[(Collection::Meta, "a")], &logs);
        let moves = plan(&moved, &held(&[], &logs[..1]), Timestamp::UNIX_EPOCH);
        let log = place(Collection::Conversations, "a");
        assert_eq!(moves, Moves { documents: Vec::new(), logs: vec![(log.clone(), log)] });
    }

    #[test]
    fn a_second_digest_goes_to_the_archive_and_never_over_another_one() {
        let stamp = "recent_1970-01-01_00-00-00.000";
        let digest = [
            (Collection::Persistent, "recent"),
            (Collection::PersistentMeta, "recent"),
            (Collection::PersistentTrouble, "recent"),
            (Collection::Archive, "recent_2026"),
        ];
        let there = held(
            &[digest[0], digest[3], (Collection::Archive, stamp), (Collection::Archive, "recent_2026-2")],
            &[],
        );
        let moves = plan(&held(&digest, &[]), &there, Timestamp::UNIX_EPOCH).documents;
        let second = format!("{stamp}-2");
        let expected = [
            (Collection::Archive, "recent_2026", Collection::Archive, "recent_2026-3"),
            (Collection::Persistent, "recent", Collection::Archive, second.as_str()),
            (Collection::PersistentMeta, "recent", Collection::PersistentMeta, second.as_str()),
            (Collection::PersistentTrouble, "recent", Collection::PersistentTrouble, second.as_str()),
        ];
        let expected = expected.map(|(from, name, to, new)| (place(from, name), place(to, new)));
        assert_eq!(moves, expected);
    }

    #[test]
    fn a_name_of_full_length_is_cut_where_a_character_ends() {
        let long = "긴".repeat(Session::BYTES_MAX / 3);
        let named = free(&long, " (", ")", |name| name.ends_with(" (2)"));
        assert!(named.ends_with("긴 (3)") && named.len() <= Session::BYTES_MAX, "{}", named.len());
        assert!(named.parse::<Session>().is_ok());
    }

    #[test]
    fn only_the_name_changes_in_what_is_known_of_a_session() {
        let meta = "{\"session\": \"a\", \"tokens\": 3}";
        let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).ok();
        let new = renamed(meta, "회의 (2)").as_deref().and_then(read);
        assert_eq!(new, Some(serde_json::json!({ "session": "회의 (2)", "tokens": 3 })));
        for other in ["", "no JSON", "[]", "{}"] {
            assert_eq!(renamed(other, "a"), None, "{other}");
        }
    }
}
