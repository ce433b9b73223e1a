//! A backup of a year ago: nothing that has just come back is too old.

use jiff::SignedDuration;
use peri_backup::Backups;
use perihelion::{Perihelion, Remember, Trashed};

use crate::support::{CAREFUL, all, clock, create, furnished, open_at, restore};

const DAY: SignedDuration = SignedDuration::from_hours(24);

fn held(engine: &Perihelion) -> (Vec<String>, Vec<String>) {
    let contents = |trashed| all(engine, trashed).into_iter().map(|memory| memory.content).collect();
    (contents(Trashed::Without), contents(Trashed::Only))
}

#[test]
fn nothing_of_a_year_old_backup_vanishes_after_it_is_restored() {
    let time = clock();
    let (folder, engine) = furnished(&time);
    for number in 0..30 {
        engine.remember(Remember::new(format!("an ordinary remark, number {number}"))).unwrap();
    }
    let mut request = Remember::new("an episode of the harvest");
    request.layer = Some(perihelion::Layer::Episodic);
    engine.remember(request).unwrap();
    let backups = Backups::beside(folder.path());
    let name = create(&backups, &engine).manifest.name;
    let before = held(&engine);
    assert_eq!(before.1.len(), 1, "the trash comes along");
    time.advance(DAY * 365);
    let to = tempfile::tempdir().unwrap();
    let other = open_at(to.path(), &time);
    restore(&backups, &name, &other, CAREFUL).unwrap();
    for _ in 0..3 {
        other.maintain().unwrap();
        assert_eq!(held(&other), before);
    }
    for _ in 0..6 {
        time.advance(DAY * 4);
        other.maintain().unwrap();
        assert_eq!(held(&other), before, "the time begins anew");
    }
    // It does go on, though: what lies in the trash leaves it in the end.
    time.advance(DAY * 8);
    other.maintain().unwrap();
    assert!(!held(&other).1.contains(&"a note for the trash".to_owned()));
}

#[test]
fn working_memory_gets_the_rest_of_its_time() {
    let time = clock();
    let (folder, engine) = furnished(&time);
    let mut request = Remember::new("hold the line for a moment");
    request.layer = Some(perihelion::Layer::Working);
    request.facets.expires_at = Some(time.now() + SignedDuration::from_mins(30));
    request.facets.session = Some("now".to_owned());
    let id = engine.remember(request).unwrap().id;
    time.advance(SignedDuration::from_mins(10));
    let backups = Backups::beside(folder.path());
    let name = create(&backups, &engine).manifest.name;
    time.advance(DAY * 365);
    let to = tempfile::tempdir().unwrap();
    let other = open_at(to.path(), &time);
    restore(&backups, &name, &other, CAREFUL).unwrap();
    let memory = other.get(&perihelion::Scope::All, id).unwrap();
    assert_eq!(memory.facets.expires_at, Some(time.now() + SignedDuration::from_mins(20)));
}
