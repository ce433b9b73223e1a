//! Filters on recall and on lists agree with their definition, `Filter::matches`.

use std::collections::BTreeSet;

use perihelion::{
    Facets, Filter, Kind, Layer, ListQuery, MemoryId, Perihelion, Recall, Remember, Stage, Stages, Trashed,
};

use crate::support::{all, fresh, open, time};

/// Sixty memories that all speak of plums and differ in everything else.
pub fn plums(engine: &Perihelion) {
    let days =
        ["2024-01-10T00:00:00Z", "2024-01-10T12:00:00Z", "2024-02-01T00:00:00Z", "2024-03-05T08:30:00Z"];
    let requests = (0..60_usize).map(|i| Remember {
        kind: Some(Kind::ALL[i % Kind::ALL.len()]),
        layer: Some(Layer::ALL[i % Layer::ALL.len()]),
        facets: Facets {
            tags: ["red", "blue", "green"].iter().take(i % 4).map(ToString::to_string).collect(),
            session: [None, Some("monday"), Some("friday")][i % 3].map(ToOwned::to_owned),
            speaker: [None, Some("Ana"), Some("Ben"), Some("민수")][i % 4].map(ToOwned::to_owned),
            occurred_at: (i % 5 != 0).then(|| time(days[i % days.len()])),
            pinned: i % 7 == 0,
            ..Facets::default()
        },
        ..Remember::new(format!("plum jam, jar {i}"))
    });
    engine.remember_all(requests.collect()).unwrap();
}

pub fn filters() -> Vec<Filter> {
    let none = Filter::default;
    let mut filters = vec![
        none(),
        Filter { layers: vec![Layer::Working], ..none() },
        Filter { layers: vec![Layer::Episodic, Layer::LongTerm], ..none() },
        Filter { kinds: vec![Kind::Preference], ..none() },
        Filter { kinds: vec![Kind::Fact, Kind::Document, Kind::Summary], ..none() },
        Filter { tags: vec!["red".into()], ..none() },
        Filter { tags: vec!["red".into(), "blue".into()], ..none() },
        Filter { tags: vec!["RED".into()], ..none() },
        Filter { tags: vec!["no such tag".into()], ..none() },
        Filter { session: Some("monday".into()), ..none() },
        Filter { session: Some("never".into()), ..none() },
        Filter { speaker: Some("민수".into()), ..none() },
        Filter { speaker: Some("ana".into()), ..none() },
        Filter { pinned: Some(true), ..none() },
        Filter { pinned: Some(false), ..none() },
    ];
    let edges =
        ["2024-01-10T00:00:00Z", "2024-01-10T00:00:00.001Z", "2024-02-01T00:00:00Z", "2030-01-01T00:00:00Z"];
    for edge in edges {
        filters.push(Filter { since: Some(time(edge)), ..none() });
        filters.push(Filter { until: Some(time(edge)), ..none() });
        filters.push(Filter { since: Some(time(edges[0])), until: Some(time(edge)), ..none() });
    }
    filters.push(Filter {
        layers: vec![Layer::Working, Layer::Episodic],
        tags: vec!["red".into()],
        session: Some("friday".into()),
        since: Some(time("2024-01-10T06:00:00Z")),
        pinned: Some(false),
        ..none()
    });
    filters
}

fn check(engine: &Perihelion) {
    let memories = all(engine, Trashed::Without);
    for filter in filters() {
        let expected: BTreeSet<MemoryId> =
            memories.iter().filter(|memory| filter.matches(memory)).map(|memory| memory.id).collect();
        let request = Recall {
            filter: filter.clone(),
            stages: Some(Stages::ALL.without(Stage::Floor)),
            ..Recall::new("plum jam").limit(100)
        };
        let recalled = engine.recall(&request).unwrap();
        let found: BTreeSet<_> = recalled.hits.iter().map(|hit| hit.memory.id).collect();
        assert_eq!(found, expected, "recall with {filter:?}");
        let query = ListQuery { filter: filter.clone(), limit: 100, ..ListQuery::default() };
        let listed: BTreeSet<_> =
            engine.list(query).unwrap().memories.into_iter().map(|memory| memory.id).collect();
        assert_eq!(listed, expected, "list with {filter:?}");
        let floored = Recall { filter: filter.clone(), ..Recall::new("plum jam").limit(100) };
        let hits = engine.recall(&floored).unwrap().hits;
        assert!(hits.iter().all(|hit| filter.matches(&hit.memory)), "the floor only takes away: {filter:?}");
    }
}

#[test]
fn recall_and_list_agree_with_the_definition_of_a_filter() {
    let (folder, engine) = fresh();
    plums(&engine);
    check(&engine);
    engine.close().unwrap();
    check(&open(folder.path()));
}
