//! Exports that hold a part.

use jiff::SignedDuration;
use perihelion::{
    ExportOptions, ExportedTrash, Filter, ImportMode, ImportOptions, Kind, Layer, Perihelion, Remember, Scope,
};

use super::{import, later, sides};
use crate::graph::link;
use crate::supersession::clocked;
use crate::support::{fresh, keep, ns};

fn chosen(engine: &Perihelion, options: ExportOptions) -> String {
    let mut out = Vec::new();
    let told = engine.export(options, &mut out).unwrap();
    let lines = String::from_utf8(out).unwrap();
    let count = |record: &str| lines.matches(&format!("{{\"record\":\"{record}\"")).count() as u64;
    assert_eq!(
        (told.memories, told.edges, told.sessions),
        (count("memory"), count("edge"), count("session"))
    );
    lines
}

fn all() -> ExportOptions {
    Scope::All.into()
}

#[test]
fn a_part_holds_what_fits_and_the_edges_between() {
    let (_folder, engine, clock) = clocked();
    let preference = |text: &str| {
        engine.remember(Remember { kind: Some(Kind::Preference), ..Remember::new(text) }).unwrap().id
    };
    let tea = preference("Ana likes green tea in the morning");
    let lake = keep(&engine, "herons nest by the lake");
    clock.advance(SignedDuration::from_hours(48));
    let between = clock.now();
    let coffee = preference("카페에서 커피를 마신다");
    let [roofs, gone] = ["storks nest on roofs", "a note for the trash"].map(|text| keep(&engine, text));
    for (from, to) in [(tea, coffee), (tea, lake), (lake, roofs), (roofs, gone)] {
        link(&engine, from, to);
    }
    engine.forget(&Scope::All, gone).unwrap();
    engine.start_session(&ns("default"), "monday").unwrap();
    let kinds = Filter { kinds: vec![Kind::Preference], ..Filter::default() };
    let since = Filter { since: Some(between), ..Filter::default() };
    let until = Filter { until: Some(between), ..Filter::default() };
    let layers = Filter { layers: vec![Layer::Working], ..Filter::default() };
    for (options, memories, edges) in [
        (ExportOptions { filter: kinds, ..all() }, vec![tea, coffee], 1),
        (ExportOptions { filter: since, ..all() }, vec![coffee, roofs, gone], 1),
        (ExportOptions { filter: until, ..all() }, vec![tea, lake], 1),
        (ExportOptions { filter: layers, ..all() }, vec![], 0),
        (ExportOptions { limit: Some(2), ..all() }, vec![tea, lake], 1),
        (ExportOptions { limit: Some(4), ..all() }, vec![tea, lake, coffee, roofs], 3),
        (ExportOptions { limit: Some(9), ..all() }, vec![tea, lake, coffee, roofs, gone], 4),
    ] {
        let lines = chosen(&engine, options.clone());
        assert!(lines.contains("\"partial\":true"), "{lines}");
        assert!(!lines.contains("\"session\""), "{lines}");
        let (_folder, copy) = later(&clock, 1);
        let told = import(&copy, &lines);
        assert!(told.refused.is_empty(), "{options:?}: {:?}", told.refused);
        let mut found = sides(&copy).concat();
        found.sort();
        assert_eq!((found, told.edges), (memories, edges), "{options:?}");
    }
    let lines = chosen(&engine, ExportOptions { trash: ExportedTrash::Without, ..all() });
    assert!(!lines.contains("partial") && lines.contains("\"session\""), "{lines}");
    let (_folder, copy) = later(&clock, 1);
    let told = import(&copy, &lines);
    assert_eq!((told.added, told.edges, told.refused.len()), (4, 3, 0));
}

#[test]
fn what_has_expired_from_a_working_memory_is_left_out_with_its_edges() {
    let (_folder, engine, clock) = clocked();
    let expires_at = |hours| Some(clock.now() + SignedDuration::from_hours(hours));
    let working = |text: &str, hours| {
        let mut request = Remember { layer: Some(Layer::Working), ..Remember::new(text) };
        request.facets.expires_at = expires_at(hours);
        engine.remember(request).unwrap().id
    };
    let [short, long] = [working("the draft is on page three", 1), working("the meeting is at noon", 90)];
    let mut fact = Remember::new("the office closes at six");
    fact.facets.expires_at = expires_at(1);
    let fact = engine.remember(fact).unwrap().id;
    link(&engine, short, long);
    link(&engine, long, fact);
    clock.advance(SignedDuration::from_hours(2));
    let lines = chosen(&engine, all());
    let (_folder, copy) = later(&clock, 0);
    let told = import(&copy, &lines);
    assert_eq!((told.added, told.edges, told.refused.len()), (2, 1, 0), "{told:?}");
    assert_eq!(sides(&copy).concat(), [long, fact]);
}

#[test]
fn links_that_were_not_looked_for_are_looked_for_after_the_move() {
    let (_folder, engine, clock) = clocked();
    let texts = ["The red car stands in the garage", "A red automobile stands in the garage"];
    let many = (0..70).map(|i| Remember::new(format!("Quixou{i}zq{}", i * i)));
    engine.remember_all(many.chain(texts.map(Remember::new)).collect()).unwrap();
    let unlinked = engine.health().queue.unlinked;
    assert!(unlinked > 0);
    let lines = chosen(&engine, all());
    let (_folder, copy) = later(&clock, 1);
    import(&copy, &lines);
    assert_eq!(copy.health().queue.unlinked, unlinked);
    assert_eq!(chosen(&copy, all()), lines);
    copy.maintain().unwrap();
    engine.maintain().unwrap();
    let edges = |engine: &Perihelion| chosen(engine, all()).matches("\"edge\"").count();
    assert_eq!((copy.health().queue.unlinked, edges(&copy)), (0, edges(&engine)));
}

#[test]
fn a_part_replaces_nothing_beyond_itself() {
    let (_folder, engine) = fresh();
    keep(&engine, "herons nest by the lake");
    keep(&engine, "storks nest on roofs");
    let lines = chosen(&engine, ExportOptions { limit: Some(1), ..all() });
    let options = ImportOptions { mode: ImportMode::Replace, ..ImportOptions::default() };
    let told = engine.import(&mut lines.as_bytes(), options).unwrap();
    assert_eq!((told.replaced, told.trashed), (1, 0));
    assert!(told.nothing_trashed.is_some());
}
