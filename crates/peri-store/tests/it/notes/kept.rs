//! What is kept is kept to the byte, however large and whatever it is called.

use peri_notes::{Collection, Commit, Expected, Key, Mark, Version};

use super::{another, append, commit, key, make, put, shelf, text};
use crate::support::{ns, open};

#[test]
fn texts_of_several_megabytes_come_back_to_the_byte() {
    let (house, shelf) = shelf();
    let document = key(Collection::Observations, "긴 회의");
    let log = key(Collection::Conversations, "긴 회의");
    let long = "🔴 배포는 금요일에 하지 않는다. 周五不部署。\r\n\t\"'\\%_\n".repeat(90_000);
    assert!(long.len() > 6_000_000);
    let line = "말 🍵 茶 ".repeat(300_000);
    make(&*shelf, "a", &[put(&document, "short"), append(&log, &["first", &line, "last"])]);
    make(&*shelf, "a", &[put(&document, &long)]);
    let shelf = another(&house);
    let read = shelf.read(&ns("a"), &document).unwrap().unwrap();
    assert!(read.text == long && read.version == Version::of(&long), "{}", read.text.len());
    assert!(shelf.lines(&ns("a"), &log).unwrap() == ["first", &line, "last"]);
    let expected = [(document.clone(), Expected::Version(read.version))];
    assert_eq!(shelf.commit(&ns("a"), &[put(&document, "")], &expected).unwrap(), Commit::Done);
    assert_eq!(shelf.read(&ns("a"), &document).unwrap().unwrap().text, "");
}

/// Names that a collation might take for the same, in the order of their bytes.
const NAMES: [&str; 14] =
    [" a", "A", "a", "a\t", "a ", "a  ", "ä", "é", "北京 会议", "가", "가 ", "ﬁ", "ａ", "😀"];

#[test]
fn names_that_differ_in_case_blanks_or_width_are_different_names() {
    let (_house, shelf) = shelf();
    for (number, name) in NAMES.iter().enumerate().rev() {
        for collection in [Collection::Meta, Collection::Observations] {
            let key = key(collection, name);
            let absent = [(key.clone(), Expected::Absent)];
            let change = put(&key, &format!("{number} {}", collection.as_str()));
            assert_eq!(shelf.commit(&ns("a"), &[change], &absent).unwrap(), Commit::Done, "{name:?}");
        }
        let log = key(Collection::Pending, name);
        let absent = [(log.clone(), Expected::Absent)];
        let change = append(&log, &[name.trim(), &number.to_string()]);
        assert_eq!(shelf.commit(&ns("a"), &[change], &absent).unwrap(), Commit::Done, "{name:?}");
    }
    for collection in [Collection::Meta, Collection::Observations, Collection::Pending] {
        let listed = shelf.list(&ns("a"), collection).unwrap();
        assert_eq!(listed.iter().map(Key::name).collect::<Vec<_>>(), NAMES, "{collection:?}");
    }
    for (number, name) in NAMES.iter().enumerate() {
        let read = shelf.read(&ns("a"), &key(Collection::Meta, name)).unwrap().unwrap();
        assert_eq!(read.text, format!("{number} meta"));
        let lines = shelf.lines(&ns("a"), &key(Collection::Pending, name)).unwrap();
        assert_eq!(lines, [name.trim(), &number.to_string()]);
    }
    let documents = shelf.documents(&ns("a"), Collection::Observations).unwrap();
    let read: Vec<_> = documents.iter().map(|(key, text)| (key.name(), text.text.as_str())).collect();
    let expected: Vec<_> =
        (0..).zip(NAMES).map(|(number, name)| (name, format!("{number} observations"))).collect();
    assert_eq!(read, expected.iter().map(|(name, text)| (*name, text.as_str())).collect::<Vec<_>>());
}

#[test]
fn names_of_namespaces_and_sessions_may_be_as_long_as_they_can_be() {
    let (_house, shelf) = shelf();
    let long = |end: &str| format!("{}{end}", "긴".repeat(peri_notes::Session::BYTES_MAX / 3 - 1));
    let namespace = "y".repeat(peri_types::Namespace::BYTES_MAX);
    for name in [long("1"), long("2"), "x".repeat(peri_notes::Session::BYTES_MAX)] {
        let (document, log) = (key(Collection::Persistent, &name), key(Collection::HandedOut, &name));
        make(&*shelf, &namespace, &[put(&document, &name), append(&log, &[&name])]);
    }
    assert_eq!(shelf.list(&ns(&namespace), Collection::HandedOut).unwrap().len(), 3);
    for (key, text) in shelf.documents(&ns(&namespace), Collection::Persistent).unwrap() {
        assert_eq!(key.name(), text.text);
    }
}

#[test]
fn ten_thousand_lines_come_back_in_their_order() {
    let (_house, shelf) = shelf();
    let log = key(Collection::Conversations, "회의");
    let lines: Vec<String> = (0..10_000).map(|number| format!("{{\"말\": {number}}}")).collect();
    let mut rest = &lines[..];
    // Any number of lines at once, and one by one at the end.
    for count in [1, 2, 3, 63, 64, 65, 127, 200, 9_000] {
        let (now, later) = rest.split_at(count);
        make(&*shelf, "a", &[append(&log, &now.iter().map(String::as_str).collect::<Vec<_>>())]);
        rest = later;
    }
    rest.chunks(25).for_each(|some| {
        make(&*shelf, "a", &[append(&log, &some.iter().map(String::as_str).collect::<Vec<_>>())]);
    });
    assert_eq!(shelf.lines(&ns("a"), &log).unwrap(), lines);
    let expected = [(log.clone(), Expected::Lines(Mark::of(&lines)))];
    assert_eq!(shelf.commit(&ns("a"), &[append(&log, &["끝"])], &expected).unwrap(), Commit::Done);
    assert_eq!(shelf.commit(&ns("a"), &[append(&log, &["끝"])], &expected).unwrap(), Commit::Stale);
    assert_eq!(shelf.lines(&ns("a"), &log).unwrap().len(), 10_001);
}

#[test]
fn adding_to_a_log_neither_reads_nor_rewrites_it() {
    let (house, store) = open();
    let log = key(Collection::Pending, "s");
    store.write(vec![commit(vec![append(&log, &["one", "two"])], Vec::new())]).unwrap();
    if house.is_on_a_server() {
        return;
    }
    let file = rusqlite::Connection::open(house.path().join("perihelion.db")).unwrap();
    file.execute("UPDATE note_lines SET line = x'ff' WHERE number = 1", []).unwrap();
    store.write(vec![commit(vec![append(&log, &["three"])], Vec::new())]).unwrap();
    let mut read = file.prepare("SELECT number, CAST(line AS BLOB) FROM note_lines ORDER BY number").unwrap();
    let read = read.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    let lines: Vec<(i64, Vec<u8>)> = read.map(Result::unwrap).collect();
    assert_eq!(lines, [(1, vec![0xff]), (2, b"two".to_vec()), (3, b"three".to_vec())]);
    assert!(store.shelf_lines(&ns("a"), &log).is_err(), "what cannot be read is not left out");
}

#[test]
fn a_text_that_was_changed_by_other_means_is_read_and_can_be_changed() {
    let (house, store) = open();
    let document = key(Collection::Observations, "s");
    store.write(vec![commit(vec![put(&document, "old")], Vec::new())]).unwrap();
    if house.is_on_a_server() {
        return;
    }
    let file = rusqlite::Connection::open(house.path().join("perihelion.db")).unwrap();
    file.execute("UPDATE note_documents SET text = '손으로'", []).unwrap();
    let read = text(&*store, "a", &document).unwrap();
    assert_eq!(read, "손으로");
    let expected = vec![(document.clone(), Expected::Version(Version::of(&read)))];
    store.write(vec![commit(vec![put(&document, "new")], expected)]).unwrap();
    assert_eq!(text(&*store, "a", &document).as_deref(), Some("new"));
}
