//! Embedding engines that fail, lie or change. A memory is never lost over it, and bad vectors are not kept.

use std::path::Path;
use std::sync::Arc;
use std::sync::Mutex;

use peri_store::{SqliteSettings, SqliteStore};
use perihelion::embed::{EmbedError, Engine};
use perihelion::{
    EngineChoice, Meaning, Options, Outcome, Perihelion, Remember, Revise, Scope, SpaceId, Stage, Trashed,
    Verdict,
};

use crate::support::{all, ask, contents, finds, keep, options};

/// Invented words, so that nothing but the engine under test knows what they mean. Words of one row mean
/// the same.
const CONCEPTS: [[&str; 2]; 4] =
    [["zorblat", "quimpex"], ["fendrilo", "maskora"], ["tulvane", "obrintho"], ["kestrupa", "wilmagon"]];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    Well,
    Fails,
    WrongLength,
    TooFew,
    TooMany,
    NotANumber,
    /// Refuses any batch that holds the word "poison".
    WrongLengthForPoison,
}

/// An engine that knows four concepts, each on an axis of its own, and fails on demand.
struct Double {
    space: SpaceId,
    /// Added to a concept's number: another model puts the same concept elsewhere.
    shift: usize,
    mode: Mutex<Mode>,
}

impl Double {
    fn new(model: &str, dimensions: u32, shift: usize) -> Arc<Self> {
        let space = SpaceId { model: model.to_owned(), dimensions };
        Arc::new(Self { space, shift, mode: Mutex::new(Mode::Well) })
    }

    fn turn(&self, mode: Mode) {
        *self.mode.lock().unwrap() = mode;
    }

    fn vector(&self, text: &str) -> Option<Vec<f32>> {
        let text = text.to_lowercase();
        let concept = CONCEPTS.iter().position(|words| words.iter().any(|word| text.contains(word)))?;
        let mut values = vec![0.0; self.space.dimensions as usize];
        values[(concept + self.shift) % CONCEPTS.len()] = 1.0;
        Some(values)
    }
}

impl Engine for Double {
    fn space(&self) -> &SpaceId {
        &self.space
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>, EmbedError> {
        let mode = *self.mode.lock().unwrap();
        let mut vectors: Vec<_> = texts.iter().map(|text| self.vector(text)).collect();
        match mode {
            Mode::Well => {}
            Mode::Fails => return Err(EmbedError::NotFinite { model: self.space.model.clone() }),
            Mode::WrongLength => vectors.iter_mut().flatten().for_each(|vector| vector.push(0.5)),
            Mode::TooFew => drop(vectors.pop()),
            Mode::TooMany => vectors.push(None),
            Mode::NotANumber => vectors.iter_mut().flatten().for_each(|vector| vector[0] = f32::NAN),
            Mode::WrongLengthForPoison => {
                for (text, vector) in texts.iter().zip(&mut vectors) {
                    if text.contains("poison") {
                        *vector = Some(vec![1.0]);
                    }
                }
            }
        }
        Ok(vectors)
    }
}

fn with(folder: &Path, engine: &Arc<Double>) -> Perihelion {
    let store = SqliteStore::open(&folder.join(Perihelion::DATABASE), &SqliteSettings::default()).unwrap();
    Perihelion::with_engine(options(folder), Arc::new(store), Some(engine.clone())).unwrap()
}

const CELLAR: &str = "the zorblat stands in the cellar";

#[test]
fn a_failing_engine_fails_no_write_and_the_vector_follows() {
    let folder = tempfile::tempdir().unwrap();
    let double = Double::new("double", 8, 0);
    let engine = with(folder.path(), &double);
    double.turn(Mode::Fails);
    let receipt = engine.remember(Remember::new(CELLAR)).unwrap();
    assert_eq!((receipt.outcome, receipt.meaning), (Outcome::Stored, Meaning::Pending));
    assert_eq!(engine.stats(&Scope::All).unwrap().unembedded, 1);
    let recalled = ask(&engine, "zorblat");
    assert_eq!(contents(&recalled), [CELLAR], "found by its words meanwhile");
    assert_eq!(recalled.degraded.len(), 1, "and the answer says that it is degraded");
    let vectors = engine.doctor().into_iter().find(|check| check.name == "vectors").unwrap();
    assert_eq!(vectors.verdict, Verdict::Warning);
    engine.maintain().unwrap();
    assert_eq!(engine.stats(&Scope::All).unwrap().unembedded, 1, "still failing");

    double.turn(Mode::Well);
    assert!(!finds(&engine, "quimpex", CELLAR), "not by meaning before the backfill");
    engine.maintain().unwrap();
    assert_eq!(engine.stats(&Scope::All).unwrap().unembedded, 0);
    assert_eq!(engine.get(&Scope::All, receipt.id).unwrap().space, engine.space());
    let recalled = ask(&engine, "quimpex");
    assert_eq!(contents(&recalled), [CELLAR], "found by its meaning");
    assert!(recalled.degraded.is_empty());
    assert!(recalled.hits[0].explanation.parts.iter().any(|part| part.stage == Stage::Meaning));
}

#[test]
fn a_backfill_survives_the_process_that_could_not_embed() {
    let folder = tempfile::tempdir().unwrap();
    let double = Double::new("double", 8, 0);
    let engine = with(folder.path(), &double);
    double.turn(Mode::Fails);
    let batch = (0..300).map(|i| Remember::new(format!("{} number {i}", CONCEPTS[i % 4][0])));
    engine.remember_all(batch.collect()).unwrap();
    engine.close().unwrap();
    double.turn(Mode::Well);
    let engine = with(folder.path(), &double);
    engine.maintain().unwrap();
    assert_eq!(engine.stats(&Scope::All).unwrap().unembedded, 0, "more than one batch of it");
    assert!(all(&engine, Trashed::Without).iter().all(|memory| memory.space == engine.space()));
}

#[test]
fn a_revision_while_the_engine_fails_loses_neither_the_content_nor_later_the_meaning() {
    let folder = tempfile::tempdir().unwrap();
    let double = Double::new("double", 8, 0);
    let engine = with(folder.path(), &double);
    let id = keep(&engine, CELLAR);
    double.turn(Mode::Fails);
    let content = "the fendrilo stands in the cellar";
    engine.revise(&Scope::All, id, Revise { content: Some(content.into()), ..Revise::default() }).unwrap();
    double.turn(Mode::Well);
    assert!(!finds(&engine, "quimpex", content), "the old meaning is gone with the old content");
    engine.maintain().unwrap();
    assert!(finds(&engine, "maskora", content));
    assert!(!finds(&engine, "quimpex", content));
}

#[test]
fn a_vector_that_is_not_one_is_never_stored_and_harms_no_recall() {
    for mode in [Mode::WrongLength, Mode::TooFew, Mode::TooMany, Mode::NotANumber] {
        let folder = tempfile::tempdir().unwrap();
        let double = Double::new("double", 8, 0);
        let engine = with(folder.path(), &double);
        keep(&engine, "the kestrupa was sound before");
        double.turn(mode);
        let receipt = engine.remember(Remember::new(CELLAR)).unwrap();
        assert_eq!(receipt.meaning, Meaning::Pending, "{mode:?}");
        let receipts =
            engine.remember_all(vec![Remember::new("a fendrilo"), Remember::new("a tulvane")]).unwrap();
        assert!(receipts.iter().all(|receipt| receipt.meaning == Meaning::Pending), "{mode:?}");
        engine.maintain().unwrap();
        assert_eq!(engine.get(&Scope::All, receipt.id).unwrap().space, None, "{mode:?}");
        double.turn(Mode::Well);
        engine.maintain().unwrap();
        assert!(finds(&engine, "quimpex", CELLAR), "{mode:?}");
        assert!(engine.doctor().iter().all(|check| check.verdict != Verdict::Failed), "{mode:?}");
    }
}

#[test]
fn a_bad_vector_for_the_question_degrades_recall_and_says_so() {
    for mode in [Mode::WrongLength, Mode::TooFew, Mode::TooMany, Mode::NotANumber] {
        let folder = tempfile::tempdir().unwrap();
        let double = Double::new("double", 8, 0);
        let engine = with(folder.path(), &double);
        keep(&engine, CELLAR);
        keep(&engine, "the kestrupa stands in the attic");
        double.turn(mode);
        let recalled = ask(&engine, "where is the zorblat?");
        assert_eq!(contents(&recalled), [CELLAR], "{mode:?}: found by its words");
        assert!(recalled.hits[0].score.is_finite(), "{mode:?}");
        assert_eq!(recalled.degraded.len(), 1, "{mode:?}");
    }
}

#[test]
fn one_text_that_cannot_be_embedded_does_not_hold_up_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let double = Double::new("double", 8, 0);
    let engine = with(folder.path(), &double);
    double.turn(Mode::Fails);
    let poison = keep(&engine, "poison in the zorblat");
    let sound = keep(&engine, "a sound fendrilo");
    double.turn(Mode::WrongLengthForPoison);
    engine.maintain().unwrap();
    assert_eq!(engine.get(&Scope::All, poison).unwrap().space, None);
    assert!(engine.get(&Scope::All, sound).unwrap().space.is_some());
    assert!(finds(&engine, "maskora", "a sound fendrilo"));
}

#[test]
fn a_receipt_says_embedded_only_when_the_memory_has_a_vector() {
    let folder = tempfile::tempdir().unwrap();
    let double = Double::new("double", 8, 0);
    let engine = with(folder.path(), &double);
    double.turn(Mode::Fails);
    engine.remember(Remember::new(CELLAR)).unwrap();
    double.turn(Mode::Well);
    let again = engine.remember(Remember::new(CELLAR)).unwrap();
    assert_eq!(again.outcome, Outcome::Merged);
    let has_vector = engine.get(&Scope::All, again.id).unwrap().space.is_some();
    assert_eq!(again.meaning == Meaning::Embedded, has_vector, "{again:?}");
}

#[test]
fn vectors_of_two_spaces_never_mix() {
    // Under the second engine, a question about concept 0 lies where the first one put concept 1.
    for (second, about) in [
        (Double::new("second", 8, 1), "another model of the same length"),
        (Double::new("first", 12, 1), "another length"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let first = Double::new("first", 8, 0);
        let engine = with(folder.path(), &first);
        keep(&engine, CELLAR);
        keep(&engine, "the fendrilo stands in the attic");
        ask(&engine, "zorblat");
        engine.close().unwrap();

        let engine = with(folder.path(), &second);
        assert!(ask(&engine, "quimpex").hits.is_empty(), "{about}: no vector of the first space may answer");
        let recalled = ask(&engine, "zorblat");
        assert_eq!(contents(&recalled), [CELLAR], "{about}: found by its words");
        let degraded = recalled.degraded.join(" ");
        assert!(degraded.contains("first/8") && degraded.contains("peri reindex"), "{about}: {degraded}");
        let new = "the tulvane stands in the garage";
        let receipt = engine.remember(Remember::new(new)).unwrap();
        assert_eq!(receipt.meaning, Meaning::Pending, "{about}: it waits for the engine in use");
        assert!(ask(&engine, "obrintho").hits.is_empty(), "{about}");
        engine.maintain().unwrap();
        assert_eq!(engine.stats(&Scope::All).unwrap().unembedded, 1, "{about}");
        assert!(engine.doctor().iter().all(|check| check.verdict != Verdict::Failed), "{about}");
        engine.close().unwrap();

        let engine = with(folder.path(), &first);
        assert_eq!(contents(&ask(&engine, "quimpex")), [CELLAR], "{about}: the first space still answers");
        assert!(ask(&engine, "quimpex").degraded.is_empty(), "{about}");
        assert_eq!(contents(&ask(&engine, "tulvane")), [new], "{about}");
        engine.maintain().unwrap();
        assert_eq!(contents(&ask(&engine, "obrintho")), [new], "{about}: the chores gave it its meaning");
    }
}

#[test]
fn a_snapshot_of_one_space_is_not_used_for_another() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (Double::new("first", 8, 0), Double::new("second", 8, 1));
    let engine = with(folder.path(), &first);
    let batch = (0..200).map(|i| Remember::new(format!("{} number {i}", CONCEPTS[i % 4][0])));
    engine.remember_all(batch.collect()).unwrap();
    ask(&engine, "zorblat");
    engine.close().unwrap();
    assert_eq!(crate::support::snapshots(folder.path()).len(), 1, "the case needs a snapshot");
    let engine = with(folder.path(), &second);
    assert!(ask(&engine, "quimpex").hits.is_empty());
    engine.maintain().unwrap();
    engine.close().unwrap();
    let engine = with(folder.path(), &first);
    assert_eq!(ask(&engine, "quimpex").hits.len(), 10);
}

#[test]
fn without_an_engine_memories_are_found_by_their_words() {
    let folder = tempfile::tempdir().unwrap();
    let off = || Options { engine: EngineChoice::Off, ..options(folder.path()) };
    let engine = Perihelion::open(off()).unwrap();
    let receipt = engine.remember(Remember::new("The staging server is called Ganymede")).unwrap();
    assert_eq!(receipt.meaning, Meaning::WordsOnly);
    assert_eq!(engine.space(), None);
    let recalled = ask(&engine, "what is the staging server called?");
    assert_eq!(contents(&recalled), ["The staging server is called Ganymede"]);
    assert!(recalled.degraded.is_empty(), "nothing failed: there is no engine by choice");
    engine.maintain().unwrap();
    engine.close().unwrap();
    let engine = Perihelion::open(options(folder.path())).unwrap();
    assert!(finds(&engine, "Ganymede", "The staging server is called Ganymede"));
    keep(&engine, "The new one is called Callisto");
    engine.close().unwrap();
    let engine = Perihelion::open(off()).unwrap();
    assert!(finds(&engine, "Callisto", "The new one is called Callisto"));
}

#[test]
fn memories_of_a_time_without_an_engine_get_their_meaning_once_there_is_one() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Perihelion::open(Options { engine: EngineChoice::Off, ..options(folder.path()) }).unwrap();
    keep(&engine, CELLAR);
    engine.close().unwrap();
    let engine = with(folder.path(), &Double::new("double", 8, 0));
    engine.maintain().unwrap();
    assert!(finds(&engine, "quimpex", CELLAR));
}

#[test]
fn an_engine_that_cannot_start_is_reported_and_touches_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let engine = EngineChoice::Transformer { folder: folder.path().join("no such model") };
    let outcome = Perihelion::open(Options { engine, ..options(folder.path()) });
    assert_eq!(crate::support::kind_of(outcome), Some(perihelion::ErrorKind::Unavailable));
}
