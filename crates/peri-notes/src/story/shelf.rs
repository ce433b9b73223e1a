//! What a shelf must do.

use std::sync::Arc;

use super::{Told, hard_names, namespace, ten_times};
use crate::shelf::{Change, Collection, Commit, Expected, Key, Mark, Shape, Shelf, Version};
use crate::{Session, ShelfError};

pub(super) fn story(shelf: &Arc<dyn Shelf>) -> Told {
    documents_are_put_and_removed(&**shelf)?;
    logs_are_added_to_and_cleared(&**shelf)?;
    changes_happen_all_or_not_at_all(&**shelf)?;
    namespaces_are_apart(&**shelf)?;
    names_are_kept_and_kept_apart(&**shelf)?;
    nonsense_is_refused(&**shelf)?;
    nobody_overwrites_anybody(&**shelf)
}

fn key(collection: Collection, name: &str) -> Key {
    Key::named(collection, name).expect("a plain name is a name")
}

fn put(key: &Key, text: &str) -> Change {
    Change::Put { key: key.clone(), text: text.to_owned() }
}

fn append(key: &Key, lines: &[&str]) -> Change {
    Change::Append { key: key.clone(), lines: lines.iter().map(|line| (*line).to_owned()).collect() }
}

fn documents_are_put_and_removed(shelf: &dyn Shelf) -> Told {
    let own = namespace("documents")?;
    for collection in Collection::ALL.iter().filter(|collection| collection.shape() == Shape::Document) {
        let key = key(*collection, "회의");
        assert_eq!(shelf.read(&own, &key)?, None);
        for text in [
            "## 2026-02-10\n\n- 🔴 첫 번째 一\n",
            "",
            "no end of line",
            "\r\n\ttwo\n\n\n",
            "😀\u{FEFF}\u{200B}",
        ] {
            assert_eq!(shelf.commit(&own, &[put(&key, text)], &[])?, Commit::Done);
            let read = shelf.read(&own, &key)?.ok_or("it was put")?;
            assert_eq!((read.text.as_str(), &read.version), (text, &Version::of(text)));
        }
        assert_eq!(shelf.list(&own, *collection)?, std::slice::from_ref(&key));
        assert_eq!(shelf.documents(&own, *collection)?.len(), 1);
        for _ in 0..2 {
            assert_eq!(shelf.commit(&own, &[Change::Remove { key: key.clone() }], &[])?, Commit::Done);
            assert_eq!(shelf.read(&own, &key)?, None);
            assert_eq!(shelf.list(&own, *collection)?, []);
        }
    }
    assert!(!shelf.namespaces()?.contains(&own), "nothing is left");
    Ok(())
}

fn logs_are_added_to_and_cleared(shelf: &dyn Shelf) -> Told {
    let own = namespace("logs")?;
    for collection in Collection::ALL.iter().filter(|collection| collection.shape() == Shape::Log) {
        let key = key(*collection, "회의");
        assert!(shelf.lines(&own, &key)?.is_empty());
        for change in [append(&key, &["하나", "  二  "]), append(&key, &[]), append(&key, &["three"])] {
            assert_eq!(shelf.commit(&own, &[change], &[])?, Commit::Done);
        }
        assert_eq!(shelf.lines(&own, &key)?, ["하나", "  二  ", "three"]);
        assert_eq!(shelf.list(&own, *collection)?, std::slice::from_ref(&key));
        let changes = [
            append(&key, &["gone"]),
            Change::Clear { key: key.clone() },
            append(&key, &["넷"]),
            append(&key, &["5"]),
        ];
        assert_eq!(shelf.commit(&own, &changes, &[])?, Commit::Done);
        assert_eq!(shelf.lines(&own, &key)?, ["넷", "5"]);
        for _ in 0..2 {
            assert_eq!(shelf.commit(&own, &[Change::Clear { key: key.clone() }], &[])?, Commit::Done);
            assert!(shelf.lines(&own, &key)?.is_empty() && shelf.list(&own, *collection)?.is_empty());
        }
    }
    Ok(())
}

fn changes_happen_all_or_not_at_all(shelf: &dyn Shelf) -> Told {
    let own = namespace("all")?;
    let (document, flag) = (key(Collection::Observations, "s"), key(Collection::Inject, "s"));
    let log = key(Collection::Pending, "s");
    let begin = [put(&document, "old"), append(&log, &["1", "2"])];
    assert_eq!(
        shelf.commit(
            &own,
            &begin,
            &[(document.clone(), Expected::Absent), (log.clone(), Expected::Absent)]
        )?,
        Commit::Done
    );
    let changes =
        [put(&document, "new"), put(&flag, ""), Change::Clear { key: log.clone() }, append(&log, &["3"])];
    let lines = |lines: &[&str]| Mark::of(&lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>());
    for stale in [
        (document.clone(), Expected::Absent),
        (document.clone(), Expected::Version(Version::of("other"))),
        (flag.clone(), Expected::Version(Version::of(""))),
        (log.clone(), Expected::Absent),
        (log.clone(), Expected::Lines(lines(&["1"]))),
        (log.clone(), Expected::Lines(lines(&["1", "2", "3"]))),
        // As many lines, but not these.
        (log.clone(), Expected::Lines(lines(&["1", "3"]))),
    ] {
        let good = (document.clone(), Expected::Version(Version::of("old")));
        assert_eq!(shelf.commit(&own, &changes, &[good, stale.clone()])?, Commit::Stale, "{stale:?}");
        assert_eq!(shelf.read(&own, &document)?.map(|text| text.text).as_deref(), Some("old"));
        assert_eq!((shelf.read(&own, &flag)?, shelf.lines(&own, &log)?.len()), (None, 2));
    }
    let good = [
        (document.clone(), Expected::Version(Version::of("old"))),
        (flag.clone(), Expected::Absent),
        (log.clone(), Expected::Lines(lines(&["1", "2"]))),
    ];
    assert_eq!(shelf.commit(&own, &changes, &good)?, Commit::Done);
    assert_eq!(shelf.commit(&own, &changes, &good)?, Commit::Stale, "once");
    assert_eq!(shelf.lines(&own, &log)?, ["3"]);
    assert_eq!(shelf.read(&own, &document)?.map(|text| text.text).as_deref(), Some("new"));
    Ok(())
}

fn namespaces_are_apart(shelf: &dyn Shelf) -> Told {
    let names = ["apart", "Apart", "apart/a", "apart/observations", "팀/김민수", "apart/北京"];
    let mut own = Vec::new();
    for name in names.map(str::to_owned).into_iter().chain(["y".repeat(240), format!("{}z", "y".repeat(239))])
    {
        own.push(namespace(&name)?);
    }
    let key = key(Collection::Persistent, "recent");
    for (number, namespace) in own.iter().enumerate() {
        let change = put(&key, &number.to_string());
        assert_eq!(shelf.commit(namespace, &[change], &[(key.clone(), Expected::Absent)])?, Commit::Done);
    }
    for (number, namespace) in own.iter().enumerate() {
        let read = shelf.read(namespace, &key)?.ok_or("it was put")?;
        assert_eq!(read.text, number.to_string(), "{namespace}");
        assert_eq!(shelf.list(namespace, Collection::Persistent)?.len(), 1);
    }
    let all = shelf.namespaces()?;
    assert!(own.iter().all(|namespace| all.contains(namespace)) && all.is_sorted(), "{all:?}");
    Ok(())
}

fn names_are_kept_and_kept_apart(shelf: &dyn Shelf) -> Told {
    let own = namespace("names")?;
    let mut names: Vec<Session> = hard_names();
    for collection in [Collection::Observations, Collection::Meta, Collection::NewItems] {
        for name in &names {
            let key = Key::new(collection, name);
            let change = put(&key, &format!("{key}"));
            assert_eq!(shelf.commit(&own, &[change], &[(key, Expected::Absent)])?, Commit::Done, "{name}");
        }
    }
    for name in &names {
        let key = Key::new(Collection::Pending, name);
        assert_eq!(shelf.commit(&own, &[append(&key, &["line"])], &[(key, Expected::Absent)])?, Commit::Done);
    }
    names.sort();
    for collection in [Collection::Observations, Collection::Meta, Collection::NewItems, Collection::Pending]
    {
        let listed = shelf.list(&own, collection)?;
        assert_eq!(listed.iter().map(|key| key.session().clone()).collect::<Vec<_>>(), names);
    }
    for (key, text) in shelf.documents(&own, Collection::Meta)? {
        assert_eq!(text.text, key.to_string());
    }
    Ok(())
}

fn nonsense_is_refused(shelf: &dyn Shelf) -> Told {
    let own = namespace("refused")?;
    let (document, log) = (key(Collection::Meta, "s"), key(Collection::Pending, "s"));
    for bad in [
        put(&log, "a log is no document"),
        Change::Remove { key: log.clone() },
        append(&document, &["a document is no log"]),
        Change::Clear { key: document.clone() },
        put(&document, "a\0b"),
        append(&log, &["two\nlines"]),
        append(&log, &["two\rlines"]),
        append(&log, &["good", "  "]),
        append(&log, &["\0"]),
    ] {
        let answer = shelf.commit(&own, &[put(&document, "good"), bad.clone()], &[]);
        assert!(matches!(answer, Err(ShelfError::Refused { .. })), "{bad:?}: {answer:?}");
        assert_eq!(shelf.read(&own, &document)?, None, "nothing of it was done");
    }
    Ok(())
}

fn nobody_overwrites_anybody(shelf: &dyn Shelf) -> Told {
    const EACH: usize = 5;
    let own = namespace("together")?;
    let (sum, log) = (key(Collection::Meta, "sum"), key(Collection::Conversations, "log"));
    let add_one = |number: usize| -> Result<(), ShelfError> {
        loop {
            let read = shelf.read(&own, &sum)?;
            let before: usize = read.as_ref().and_then(|text| text.text.parse().ok()).unwrap_or(0);
            let changes =
                [put(&sum, &(before + 1).to_string()), append(&log, &[&format!("{number} {before}")])];
            let expected = [(sum.clone(), Expected::unchanged(read.as_ref()))];
            if shelf.commit(&own, &changes, &expected)? == Commit::Done {
                return Ok(());
            }
        }
    };
    let added = ten_times(|number| (0..EACH).try_for_each(|_| add_one(number)));
    added.into_iter().collect::<Result<Vec<_>, _>>()?;
    assert_eq!(shelf.read(&own, &sum)?.map(|text| text.text), Some((10 * EACH).to_string()));
    let lines = shelf.lines(&own, &log)?;
    let before = |line: &String| line.rsplit(' ').next().and_then(|number| number.parse().ok());
    assert_eq!(lines.iter().filter_map(before).collect::<Vec<usize>>(), (0..10 * EACH).collect::<Vec<_>>());
    Ok(())
}
