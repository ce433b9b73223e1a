//! Notes of conversations: parcels of an export, and the files of a folder of notes.

use std::fs;
use std::sync::Arc;

use peri_notes::{
    Collection, FileSettings, FileShelf, Key, Meeting, MemoryShelf, Notes, Parcel, Session, Shelf, Unpacked,
};
use peri_types::{Clock, Namespace};

use crate::given::{self, is_for_people, stays_as_json};

/// Parcels of notes: what is read is written and read back as it was; unpacked and packed again nothing is lost,
/// and unpacking twice is unpacking once.
pub(crate) fn notes_parcel(data: &[u8]) {
    let Ok(parcel) = serde_json::from_slice::<Parcel>(data) else { return };
    stays_as_json(&parcel);
    let notes = notes(Arc::new(MemoryShelf::default()));
    let namespace = Namespace::default();
    if let Err(error) = notes.unpack(&namespace, &parcel, Meeting::Join) {
        is_for_people(&error);
        let left = notes.to_carry(&namespace).expect("an empty shelf can be asked");
        assert!(left.is_empty(), "something was kept of what was refused: {left:?}");
        return;
    }
    let packed = pack_all(&notes, &namespace);
    let second = notes.unpack(&namespace, &parcel, Meeting::Join).expect("it was taken before");
    assert_eq!(second, Unpacked::Known, "unpacking twice is unpacking once");
    let again = pack_all(&notes, &namespace);
    assert_eq!(words(&again), words(&packed), "unpacking twice is unpacking once");
}

/// Files that people edit: whatever stands there is read or refused, and what is written anew reads as the same.
pub(crate) fn notes_files(data: &[u8]) {
    let (choice, data) = given::choice(data);
    let root = tempfile::tempdir().expect("a folder for notes");
    let shelf = Arc::new(FileShelf::new(root.path(), FileSettings::default()));
    let (namespace, session) = (Namespace::default(), "s".parse::<Session>().expect("a name"));
    let collection = Collection::ALL[choice % Collection::ALL.len()];
    let path = shelf.path(&namespace, &Key::new(collection, &session));
    fs::create_dir_all(path.parent().expect("below the root")).expect("folders are made");
    fs::write(&path, data).expect("the file is written");
    let notes = notes(Arc::clone(&shelf) as Arc<dyn Shelf>);
    look(&notes, &namespace, &session);
    let seen = fs::read(&path).ok();
    // Notes that a person adds get their numbers when they are first read; everything else stands as it stood.
    let is_sheet = matches!(collection, Collection::Observations | Collection::Persistent);
    if !is_sheet && !matches!(collection, Collection::Moving | Collection::PersistentMoving) {
        assert_eq!(seen.as_deref(), Some(data), "{collection:?}");
    }
    look(&notes, &namespace, &session);
    assert_eq!(fs::read(&path).ok(), seen, "looking again changes nothing: {collection:?}");
}

fn look(notes: &Notes, namespace: &Namespace, session: &Session) {
    let told = |outcome: Result<(), peri_notes::NotesError>| {
        if let Err(error) = outcome {
            is_for_people(&error);
        }
    };
    match notes.record(namespace, session) {
        Ok(Some(record)) => {
            let prompted = notes.prompt(&record.sheet, 100);
            assert!(prompted.tokens <= 100 || prompted.text.is_empty());
        }
        Ok(None) => {}
        Err(error) => is_for_people(&error),
    }
    told(notes.pending(namespace, session).map(drop));
    told(notes.conversation(namespace, session).map(drop));
    told(notes.digest(namespace).map(drop));
    told(notes.to_carry(namespace).map(drop));
    told(notes.pack(namespace, Some(session)).map(drop));
}

fn notes(shelf: Arc<dyn Shelf>) -> Notes {
    Notes::new(shelf, Clock::manual(jiff::Timestamp::UNIX_EPOCH), |text: &str| text.len() / 4)
}

fn pack_all(notes: &Notes, namespace: &Namespace) -> Vec<Parcel> {
    let carried = notes.to_carry(namespace).expect("the shelf can be asked");
    let pack = |session: &Option<Session>| notes.pack(namespace, session.as_ref()).expect("it can be packed");
    carried.iter().filter_map(pack).collect()
}

fn words(parcels: &[Parcel]) -> Vec<String> {
    parcels.iter().map(|parcel| serde_json::to_string(parcel).expect("a parcel is JSON")).collect()
}
