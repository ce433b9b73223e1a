//! Parcels: what is packed on one shelf is whole on another, and nothing is lost where something is already.

use peri_notes::{
    Draft, Item, Meeting, MemoryShelf, Message, Notes, Parcel, Priority, Progress, Revised, Revision,
    Session, Speaker, Unpacked, Wanted,
};
use peri_types::Timestamp;

use crate::support::*;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_770_000_000 + second).unwrap()
}

fn fresh() -> Notes {
    notes(MemoryShelf::default())
}

fn note(notes: &Notes, name: &str, texts: &[&str]) {
    let add_all = |record: &mut peri_notes::Record, now| {
        texts.iter().for_each(|text| add(&mut record.sheet, text, now))
    };
    notes.update(&team(), &session(name), add_all).unwrap();
}

fn texts(notes: &Notes, name: &str) -> Vec<String> {
    let record = notes.record(&team(), &session(name)).unwrap();
    record.map(|record| record.sheet.items().map(|item| item.text.clone()).collect()).unwrap_or_default()
}

fn digest_texts(notes: &Notes) -> Vec<String> {
    notes.digest(&team()).unwrap().sheet.items().map(|item| item.text.clone()).collect()
}

fn pack(notes: &Notes, name: Option<&str>) -> Parcel {
    notes.pack(&team(), name.map(session).as_ref()).unwrap().unwrap()
}

/// As it comes out of a file.
fn mailed(parcel: &Parcel) -> Parcel {
    serde_json::from_str(&serde_json::to_string(parcel).unwrap()).unwrap()
}

/// A shelf with something of everything of a session, and a digest that was replaced once.
fn furnished() -> Notes {
    let notes = fresh();
    let name = session("회의");
    let messages = [
        Message::new(Speaker::User, "배포는 언제 해?", at(1)),
        Message::new(Speaker::User, "周五部署", at(2)),
    ];
    notes.append_turn(&team(), &name, &messages, &["기억".to_owned()]).unwrap();
    note(&notes, "회의", &["배포는 금요일에 하지 않는다", "服务器叫 Ganymede"]);
    notes.begin(&team(), &name, Some("민수"), "첫 번째").unwrap();
    notes.raise_inject_flag(&team(), &name, "압축").unwrap();
    for said in ["오래된 요약", "새로운 요약"] {
        notes.update_digest(&team(), |digest, now| add(&mut digest.sheet, said, now)).unwrap();
    }
    notes
}

#[test]
fn a_parcel_arrives_as_it_was_sent_in_files_and_in_memory() {
    let from = furnished();
    let folder = tempfile::tempdir().unwrap();
    for to in [fresh(), notes(patient(folder.path()))] {
        for name in from.to_carry(&team()).unwrap() {
            let parcel = from.pack(&team(), name.as_ref()).unwrap().unwrap();
            let unpack = || to.unpack(&team(), &mailed(&parcel), Meeting::Join).unwrap();
            assert_eq!((unpack(), unpack()), (Unpacked::New, Unpacked::Known));
            assert_eq!(to.pack(&team(), name.as_ref()).unwrap(), Some(parcel));
        }
        assert_eq!(to.to_carry(&team()).unwrap(), from.to_carry(&team()).unwrap());
        assert_eq!(texts(&to, "회의"), ["배포는 금요일에 하지 않는다", "服务器叫 Ganymede"]);
        assert_eq!(digest_texts(&to), ["오래된 요약", "새로운 요약"]);
        assert_eq!(to.archives(&team()).unwrap().len(), 1);
        assert_eq!(take_new(&to, "회의").len(), 2, "what was not given is given here");
    }
}

#[test]
fn what_is_lent_stays_behind_and_counts_as_not_given() {
    let from = furnished();
    let loan = from.lend(&team(), &session("회의"), Wanted::NOTHING.with_new(), LEASE).unwrap();
    assert_eq!(loan.new.len(), 2);
    let parcel = pack(&from, Some("회의"));
    assert!(!serde_json::to_string(&parcel).unwrap().contains(&loan.id.to_string()));
    let to = fresh();
    to.unpack(&team(), &parcel, Meeting::Join).unwrap();
    assert_eq!(take_new(&to, "회의").len(), 2);
    // What is lent here is not disturbed by the parcel that was made of it.
    assert_eq!(from.unpack(&team(), &parcel, Meeting::Replace).unwrap(), Unpacked::Known);
    assert_eq!(from.confirm(&team(), &session("회의"), &loan.id, &[]).unwrap(), peri_notes::Confirmed::Done);
}

#[test]
fn sessions_of_one_name_are_joined_once_and_lose_nothing() {
    let from = furnished();
    let to = fresh();
    note(&to, "회의", &["여기서 정한 것", "服务器叫 Ganymede"]);
    take_new(&to, "회의");
    let parcel = pack(&from, Some("회의"));
    assert_eq!(to.would_unpack(&team(), &parcel, Meeting::Join).unwrap(), Unpacked::Changed);
    assert_eq!(texts(&to, "회의").len(), 2, "to ask changes nothing");
    let unpack = || to.unpack(&team(), &parcel, Meeting::Join).unwrap();
    assert_eq!((unpack(), unpack()), (Unpacked::Changed, Unpacked::Known));
    let all = ["여기서 정한 것", "服务器叫 Ganymede", "배포는 금요일에 하지 않는다"];
    assert_eq!(texts(&to, "회의"), all);
    let new: Vec<String> = take_new(&to, "회의").into_iter().map(|item| item.text).collect();
    assert_eq!(new, [all[2]], "what came is new to the agent, what it had is not");
    assert_eq!(to.pending(&team(), &session("회의")).unwrap().entries.len(), 2);
}

#[test]
fn what_was_dropped_or_heard_here_does_not_come_back() {
    let to = furnished();
    let parcel = pack(&to, Some("회의"));
    let name = session("회의");
    let base: Vec<Item> = to.record(&team(), &name).unwrap().unwrap().sheet.items().cloned().collect();
    let reworded =
        Draft { id: Some(base[0].id), progress: Progress::Done, ..Draft::new(Priority::High, "배포함") };
    let observed = Some(to.pending(&team(), &name).unwrap().mark);
    let revision = Revision { base, drafts: vec![reworded], observed, ..Revision::default() };
    assert!(matches!(to.revise(&team(), &name, &revision).unwrap(), Revised::Saved(_)));
    assert_eq!(texts(&to, "회의"), ["배포함"]);
    assert_eq!(to.unpack(&team(), &parcel, Meeting::Join).unwrap(), Unpacked::Known);
    assert_eq!(texts(&to, "회의"), ["배포함"]);
    assert!(to.pending(&team(), &name).unwrap().entries.is_empty(), "it was heard, and observed");
    assert_eq!(to.unpack(&team(), &parcel, Meeting::Replace).unwrap(), Unpacked::Changed);
    assert_eq!(to.pack(&team(), Some(&name)).unwrap(), Some(parcel), "unless all of it is to be as it was");
}

#[test]
fn digests_are_joined_or_replaced_and_what_was_there_is_in_the_archive() {
    for (meeting, now) in [
        (Meeting::Join, vec!["여기 있던 요약", "오래된 요약", "새로운 요약"]),
        (Meeting::Replace, vec!["오래된 요약", "새로운 요약"]),
    ] {
        let (from, to) = (furnished(), fresh());
        to.update_digest(&team(), |digest, now| add(&mut digest.sheet, "여기 있던 요약", now)).unwrap();
        let parcel = pack(&from, None);
        let unpack = || to.unpack(&team(), &parcel, meeting).unwrap();
        assert_eq!((unpack(), unpack()), (Unpacked::Changed, Unpacked::Known));
        assert_eq!(digest_texts(&to), now);
        let archived = |name: &Session| to.archived(&team(), name).unwrap().unwrap();
        let archives: Vec<String> = to.archives(&team()).unwrap().iter().map(archived).collect();
        assert_eq!(archives.len(), 2, "{archives:?}");
        for said in ["오래된 요약", "여기 있던 요약"] {
            assert_eq!(archives.iter().filter(|text| text.contains(said)).count(), 1, "{archives:?}");
        }
    }
}

#[test]
fn what_nobody_could_keep_or_read_is_refused_with_what_is_wrong() {
    for (text, why) in [
        (r#"{"session":" "}"#, "blank"),
        (r#"{"session":"a","documents":{"dreams":"x"}}"#, "no release knows it"),
        (r#"{"session":"a","documents":{"persistent":"x"}}"#, "belongs to a digest"),
        (r#"{"documents":{"observations":"x"}}"#, "belongs to a session"),
        (r#"{"session":"a","documents":{"pending":"x"}}"#, "nothing that is carried like this"),
        (r#"{"session":"a","documents":{"moving":"{}"}}"#, "nothing that is carried like this"),
        (r#"{"session":"a","archive":{"b":"x"}}"#, "a session has none"),
        (r#"{"archive":{" ":"x"}}"#, "blank"),
        (r#"{"session":"a","documents":{"meta":"no JSON"}}"#, "details of the notes"),
        (r#"{"session":"a","documents":{"new":"[]"}}"#, "cannot be read"),
        (r#"{"documents":{"persistent_told":"[]"}}"#, "cannot be read"),
        (r#"{"session":"a","documents":{"observations":"x\u0000"}}"#, "NUL"),
        (r#"{"session":"a","logs":{"pending":["a\nb"]}}"#, "line break"),
        (r#"{"session":"a","logs":{"pending":[" "]}}"#, "blank"),
        (r#"{"session":"a","logs":{"observations":["a"]}}"#, "nothing that is carried like this"),
        (r#"{"session":"a","logs":{"pending":"a"}}"#, "expected a sequence"),
    ] {
        let error = serde_json::from_str::<Parcel>(text).unwrap_err().to_string();
        assert!(error.contains(why), "{text}: {error}");
    }
    let hard: Parcel = serde_json::from_str(r#"{"session":"a","logs":{"pending":["not JSON 더"]}}"#).unwrap();
    let notes = fresh();
    assert_eq!(notes.unpack(&team(), &hard, Meeting::Join).unwrap(), Unpacked::New);
    assert_eq!(pack(&notes, Some("a")), hard, "a line that nobody understands is kept");
}
