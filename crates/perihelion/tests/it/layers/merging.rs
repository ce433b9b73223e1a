//! What is said again is kept for as long as the longest-lived of its tellings.

use perihelion::{Layer, Outcome, Remember, Scope, Trashed};

use super::Bench;
use crate::support::all;

#[test]
fn a_statement_that_was_to_expire_and_is_told_again_for_good_stays() {
    let bench = Bench::usual();
    let mut passing = Remember::new("The guest password is on the fridge");
    passing.facets.expires_at = Some(bench.clock.now() + jiff::SignedDuration::from_secs(60));
    let first = bench.engine.remember(passing.clone()).unwrap();
    let again = bench.engine.remember(Remember::new("The guest password is on the fridge")).unwrap();
    assert_eq!((again.id, again.outcome), (first.id, Outcome::Merged));
    bench.engine.remember(passing).unwrap();
    bench.pass(3600);
    bench.engine.maintain().unwrap();
    assert_eq!(bench.engine.get(&Scope::All, first.id).unwrap().facets.expires_at, None);
}

#[test]
fn the_later_of_two_ends_holds() {
    let bench = Bench::usual();
    let until = |seconds: i64| {
        let mut request = Remember::new("The meeting room is booked");
        request.facets.expires_at = Some(bench.clock.now() + jiff::SignedDuration::from_secs(seconds));
        bench.engine.remember(request).unwrap().id
    };
    let id = until(600);
    until(60);
    bench.pass(599);
    assert!(bench.engine.get(&Scope::All, id).is_ok());
    bench.pass(1);
    assert!(bench.engine.get(&Scope::All, id).is_err());
}

#[test]
fn what_working_memory_holds_and_is_told_for_good_outlives_it() {
    let bench = Bench::usual();
    let working = Remember { layer: Some(Layer::Working), ..Remember::new("The build is green") };
    let held = bench.engine.remember(working).unwrap().id;
    let known = bench.engine.remember(Remember::new("The build is green")).unwrap().id;
    assert_eq!(held, known);
    bench.pass(3600);
    bench.engine.maintain().unwrap();
    assert_eq!(bench.engine.get(&Scope::All, known).unwrap().layer, Layer::LongTerm);
}

#[test]
fn what_has_expired_and_is_told_again_is_a_new_memory() {
    let bench = Bench::usual();
    let mut passing = Remember::new("The meeting room is booked");
    passing.facets.expires_at = Some(bench.clock.now() + jiff::SignedDuration::from_secs(60));
    let first = bench.engine.remember(passing).unwrap().id;
    bench.pass(60);
    let again = bench.engine.remember(Remember::new("The meeting room is booked")).unwrap();
    assert_eq!(again.outcome, Outcome::Stored);
    assert_ne!(again.id, first);
    assert!(bench.engine.get(&Scope::All, again.id).is_ok());
    assert_eq!(all(&bench.engine, Trashed::Only).len(), 1, "the one that expired lies in the trash");
    bench.engine.forget(&Scope::All, again.id).unwrap();
    let restored = bench.engine.restore(&Scope::All, first).unwrap();
    assert_eq!(restored.facets.expires_at, None, "who brings it back wants to see it");
}
