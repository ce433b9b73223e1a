//! Vectors for memories that lack one.

use perihelion::{Effect, Ending, ErrorKind, Remember, Scope};

use super::vectors::Letters;
use crate::support::{kind_of, ns, open, options, scope};

#[test]
fn memories_of_the_scope_get_the_vectors_they_lack() {
    let (folder, model) = (tempfile::tempdir().unwrap(), Letters::new());
    let engine = model.open(folder.path());
    *model.fails.lock().unwrap() = true;
    for namespace in ["a", "b"] {
        let many = (0..70).map(|i| Remember::new(format!("Quixou{i}")).in_namespace(ns(namespace)));
        engine.remember_all(many.collect()).unwrap();
    }
    engine.remember(Remember::new("喝茶").in_namespace(ns("a"))).unwrap();
    let failed = engine.embed_missing(&scope("a"), 32, Effect::Written).unwrap();
    let told = (failed.progress.total, failed.progress.failed, failed.progress.migrated, failed.ending);
    assert_eq!(told, (32, 32, 0, Ending::Stopped), "it is given up soon: {failed:?}");
    *model.fails.lock().unwrap() = false;
    model.asked();
    let rehearsed = engine.embed_missing(&scope("a"), 32, Effect::Rehearsed).unwrap();
    assert_eq!((rehearsed.progress.total, rehearsed.progress.migrated, model.asked()), (71, 0, vec![]));
    let done = engine.embed_missing(&scope("a"), 32, Effect::Written).unwrap();
    assert_eq!(
        (done.progress.total, done.progress.migrated, done.ending),
        (71, 71, Ending::Whole),
        "{done:?}"
    );
    assert_eq!((done.progress.embedded, done.progress.unembedded), (70, 1));
    assert_eq!(model.asked(), [32, 32, 7]);
    assert_eq!(engine.stats(&scope("b")).unwrap().unembedded, 70, "others are left alone");
    assert_eq!(engine.embed_missing(&scope("a"), 32, Effect::Written).unwrap().progress.total, 0);
}

#[test]
fn without_an_engine_it_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let off = perihelion::Options { engine: perihelion::EngineChoice::Off, ..options(folder.path()) };
    let engine = perihelion::Perihelion::open(off).unwrap();
    assert_eq!(kind_of(engine.embed_missing(&Scope::All, 32, Effect::Written)), Some(ErrorKind::Unavailable));
    drop(engine);
    open(folder.path());
}
