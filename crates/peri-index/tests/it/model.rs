//! Any sequence of changes gives the same answers as counting by hand.

use std::collections::BTreeMap;

use peri_index::{Doc, Index, Superseded, View};
use peri_types::{ChangeNumber, Filter, Kind, Layer, Timestamp};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use crate::{Note, at, empty, id};

const DIMENSIONS: usize = 6;

#[derive(Debug, Clone)]
enum Change {
    Upsert(Note),
    Remove(u128),
    Reload,
    Compact,
    Graph,
}

fn notes() -> impl Strategy<Value = Note> {
    let word = prop_oneof!["a", "b", "c", "d"];
    let facets = (option::of("[xy]"), option::of("[pq]"), vec("[tu]", 0..3), option::of(0_i64..20));
    let times = prop_oneof![1_u16..4, Just(300)];
    let vector = option::of(vec(-3_i8..4, DIMENSIONS));
    (
        0_u128..12,
        0_i64..8,
        0_u8..3,
        0_u8..8,
        any::<bool>(),
        any::<bool>(),
        facets,
        vec((word, times), 0..5),
        vector,
    )
        .prop_map(|(id, at, layer, kind, pinned, superseded, facets, terms, vector)| Note {
            id,
            at,
            layer: Layer::from_code(layer).unwrap(),
            kind: Kind::from_code(kind).unwrap(),
            pinned,
            expires_at: facets.3,
            superseded,
            session: facets.0,
            speaker: facets.1,
            tags: facets.2,
            terms: terms.into_iter().collect::<BTreeMap<_, _>>().into_iter().collect(),
            vector: vector.map(|values| values.into_iter().map(f32::from).collect()),
        })
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let change = prop_oneof![
        12 => notes().prop_map(Change::Upsert),
        4 => (0_u128..12).prop_map(Change::Remove),
        1 => Just(Change::Reload),
        1 => Just(Change::Compact),
        1 => Just(Change::Graph),
    ];
    vec(change, 0..40)
}

fn filters() -> impl Strategy<Value = Filter> {
    let layers = vec((0_u8..3).prop_map(|code| Layer::from_code(code).unwrap()), 0..2);
    let kinds = vec((0_u8..8).prop_map(|code| Kind::from_code(code).unwrap()), 0..3);
    let names = (option::of("[xyz]"), option::of("[pqr]"), vec("[tuv]", 0..2));
    let bound = || option::of((0_i64..32).prop_map(quarter));
    (layers, kinds, names, bound(), bound(), option::of(any::<bool>())).prop_map(
        |(layers, kinds, (session, speaker, tags), since, until, pinned)| Filter {
            layers,
            kinds,
            tags,
            since,
            until,
            session,
            speaker,
            pinned,
            context: Vec::new(),
        },
    )
}

fn views() -> impl Strategy<Value = View> {
    let superseded = prop_oneof![Just(Superseded::LeftOut), Just(Superseded::Included)];
    (0_i64..25, superseded).prop_map(|(now, superseded)| View { superseded, ..at(now) })
}

/// So many quarters of a millisecond after 1970: a bound need not fall on a whole one.
fn quarter(number: i64) -> Timestamp {
    Timestamp::from_microsecond(number * 250).unwrap()
}

/// What the index should hold, by id.
type Model = BTreeMap<u128, Note>;

fn play(changes: Vec<Change>) -> (Index, Model) {
    let (mut index, mut model) = (empty(DIMENSIONS as u32), Model::new());
    for change in changes {
        match change {
            Change::Upsert(note) => {
                note.enter(&mut index);
                model.insert(note.id, note);
            }
            Change::Remove(number) => assert_eq!(index.remove(id(number)), model.remove(&number).is_some()),
            Change::Reload => {
                index.set_head(ChangeNumber(index.head().0 + 1));
                let copy = Index::decode(&index.encode()).unwrap();
                assert_eq!((copy.head(), copy.space()), (index.head(), index.space()));
                index = copy;
            }
            Change::Compact => index.compact(),
            Change::Graph => {
                let settings = index.settings();
                index.set_settings(peri_index::VectorSettings { flat_max: 3, ..settings });
                index.extend_graph(4);
            }
        }
    }
    (index, model)
}

fn lets_through(filter: &Filter, view: View, note: &Note) -> bool {
    let memory = note.memory();
    filter.matches(&memory)
        && memory.facets.expires_at.is_none_or(|at| view.now < at)
        && (view.superseded == Superseded::Included || !note.superseded)
}

/// The members of a note's session in order; the note alone if it has none.
fn session<'a>(model: &'a Model, note: &'a Note) -> Vec<&'a Note> {
    if note.session.is_none() {
        return vec![note];
    }
    let same = |other: &&Note| other.session == note.session && other.day() == note.day();
    let mut members: Vec<&Note> = model.values().filter(same).collect();
    members.sort_by_key(|member| (member.at, member.id));
    members
}

/// Everything said on a note's day; the note alone if it has none.
fn day<'a>(model: &'a Model, note: &'a Note) -> Vec<&'a Note> {
    if note.day().is_none() {
        return vec![note];
    }
    model.values().filter(|other| other.day() == note.day()).collect()
}

/// The groups that `group_of` makes of the notes that have a `key`.
fn groups<'a, K: Ord>(
    model: &'a Model,
    key: impl Fn(&Note) -> Option<K>,
    group_of: fn(&'a Model, &'a Note) -> Vec<&'a Note>,
) -> Vec<Vec<&'a Note>> {
    let keyed = model.values().filter_map(|note| key(note).map(|key| (key, note)));
    let leaders: std::collections::BTreeMap<K, &Note> = keyed.collect();
    leaders.into_values().map(|leader| group_of(model, leader)).collect()
}

fn bm25(model: &Model, members: &[&Note], terms: &[&str], usual_length: f64) -> f64 {
    let each: Vec<Vec<&Note>> = model.values().map(|note| vec![note]).collect();
    bm25_among(&each, members, terms, usual_length)
}

/// BM25 of some notes as one document among such documents.
fn bm25_among(all: &[Vec<&Note>], members: &[&Note], terms: &[&str], usual_length: f64) -> f64 {
    let times = |note: &Note, term: &str| {
        note.terms.iter().find(|(own, _)| own == term).map_or(0.0, |(_, times)| f64::from((*times).min(255)))
    };
    let length: f64 = members.iter().map(|note| f64::from(note.length())).sum();
    let norm = 1.2 * (0.25 + 0.75 * length / usual_length);
    terms
        .iter()
        .map(|term| {
            let holds = |group: &&Vec<&Note>| group.iter().any(|note| times(note, term) > 0.0);
            let documents = all.iter().filter(holds).count() as f64;
            let idf = ((all.len() as f64 - documents + 0.5) / (documents + 0.5)).ln_1p();
            let sum: f64 = members.iter().map(|note| times(note, term)).sum();
            idf * sum * 2.2 / (sum + norm)
        })
        .sum()
}

fn cosine(members: &[&Note], query: &[f32]) -> f64 {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut sum = vec![0.0; DIMENSIONS];
    for vector in members.iter().filter_map(|note| note.vector.as_ref()) {
        let vector: Vec<f64> = vector.iter().map(|&value| f64::from(value)).collect();
        let length = dot(&vector, &vector).sqrt().max(1e-9);
        sum.iter_mut().zip(&vector).for_each(|(sum, value)| *sum += value / length);
    }
    let query: Vec<f64> = query.iter().map(|&value| f64::from(value)).collect();
    let length = dot(&sum, &sum).sqrt();
    if length < 1e-2 { 0.0 } else { dot(&sum, &query) / length / dot(&query, &query).sqrt() }
}

fn close(found: f32, wanted: f64, what: &str) {
    assert!((f64::from(found) - wanted).abs() < 4e-3, "{what}: found {found}, wanted {wanted}");
}

fn doc(index: &Index, note: &Note) -> Doc {
    index.doc_of(id(note.id)).unwrap()
}

fn check_facts(index: &Index, model: &Model) {
    assert_eq!(index.len(), model.len());
    for number in 0..12 {
        assert_eq!(index.contains(id(number)), model.contains_key(&number));
    }
    for note in model.values() {
        let facts = index.facts(doc(index, note)).unwrap();
        assert_eq!((facts.id, facts.at, facts.layer), (id(note.id), note.at, note.layer));
        assert_eq!((facts.kind, facts.pinned, facts.flags), (note.kind, note.pinned, note.id as u8));
        assert_eq!((facts.expires_at, facts.superseded), (note.expires_at, note.superseded));
        assert_eq!(index.session_name(doc(index, note)), note.session.as_deref());
        assert_eq!(index.speaker_name(doc(index, note)), note.speaker.as_deref());
        assert_eq!(index.day(doc(index, note)), note.day());
        assert_eq!(index.tokens(doc(index, note)), note.tokens());
        let members: Vec<Doc> = session(model, note).into_iter().map(|member| doc(index, member)).collect();
        assert_eq!(*index.window(doc(index, note), 99, 99), members);
        let place = members.iter().position(|&member| member == doc(index, note)).unwrap();
        if note.session.is_some() {
            assert_eq!(index.neighbour(doc(index, note), 1), members.get(place + 1).copied());
            assert_eq!(index.neighbour(doc(index, note), -1), place.checked_sub(1).map(|at| members[at]));
        }
    }
}

fn check_words(index: &Index, model: &Model, filter: &Filter, view: View) {
    let terms = ["a", "c", "nobody"];
    let mask = index.mask(filter, view);
    let matches = index.gather(&terms, &mask);
    let average =
        model.values().map(|note| f64::from(note.length())).sum::<f64>() / model.len().max(1) as f64;
    let sessions = groups(model, |note| note.session.clone().map(|name| (name, note.day())), session);
    let days = groups(model, Note::day, day);
    let usual = |groups: &[Vec<&Note>]| {
        let words: f64 = groups.iter().flatten().map(|note| f64::from(note.length())).sum();
        words / groups.len().max(1) as f64
    };
    let mut wanted_top = Vec::new();
    for note in model.values() {
        let (own, all) = (doc(index, note), session(model, note));
        let score = bm25(model, &[note], &terms, average);
        close(matches.bm25(own), score, "bm25");
        let place = all.iter().position(|member| member.id == note.id).unwrap();
        let window = &all[place.saturating_sub(1)..all.len().min(place + 3)];
        let usual_window = average * window.len() as f64;
        close(matches.window(own, 1, 2).0, bm25(model, window, &terms, usual_window), "window");
        let among = |groups: &[Vec<&Note>], own: &[&Note], grouped: bool| {
            if grouped { bm25_among(groups, own, &terms, usual(groups)) } else { score }
        };
        close(matches.session_bm25(own), among(&sessions, &all, note.session.is_some()), "session");
        let same_day = among(&days, &day(model, note), note.day().is_some());
        close(matches.day_bm25(own), same_day, "day");
        assert!((0.0..=1.0).contains(&matches.coverage(own)));
        if score > 0.0 && lets_through(filter, view, note) {
            wanted_top.push(score);
        }
    }
    wanted_top.sort_by(|a, b| b.total_cmp(a));
    wanted_top.truncate(5);
    let top = matches.top(5);
    assert_eq!(top.len(), wanted_top.len());
    top.iter().zip(&wanted_top).for_each(|(found, &wanted)| close(found.1, wanted, "top"));
    for (leader, score) in matches.top_sessions(5) {
        assert!(mask.contains(leader));
        assert_eq!(matches.session_bm25(leader), score);
    }
}

fn check_vectors(index: &Index, model: &Model, filter: &Filter, view: View) {
    let query = [1.0, -2.0, 0.5, 3.0, 0.0, 1.0];
    let usable =
        |note: &&Note| note.vector.as_ref().is_some_and(|vector| vector.iter().any(|&value| value != 0.0));
    for note in model.values() {
        let (own, all) = (doc(index, note), session(model, note));
        assert_eq!(index.cosine(&query, own).is_some(), usable(&note));
        close(index.cosine(&query, own).unwrap_or(0.0), cosine(&[note], &query), "cosine");
        close(index.session_cosine(&query, own).unwrap_or(0.0), cosine(&all, &query), "session cosine");
        close(index.window_cosine(&query, own, 99, 99).unwrap_or(0.0), cosine(&all, &query), "window cosine");
    }
    let with_vectors: Vec<&Note> = model.values().filter(usable).collect();
    let mean = index.mean_vector(0.0).unwrap_or_else(|| vec![0.0; DIMENSIONS]);
    let lies = query.iter().zip(&mean).map(|(a, b)| f64::from(a * b)).sum::<f64>();
    let length = f64::from(query.iter().map(|value| value * value).sum::<f32>().sqrt());
    let wanted: f64 = with_vectors.iter().map(|note| cosine(&[note], &query)).sum();
    close(lies as f32, wanted * length / with_vectors.len().max(1) as f64, "mean");
    let visible = model.values().filter(|note| lets_through(filter, view, note)).filter(usable);
    let mut wanted: Vec<f64> = visible.map(|note| cosine(&[note], &query)).collect();
    wanted.sort_by(|a, b| b.total_cmp(a));
    wanted.truncate(4);
    let found = index.nearest(&query, &index.mask(filter, view), 4);
    assert_eq!(found.len(), wanted.len());
    found.iter().zip(wanted).for_each(|(found, wanted)| close(found.1, wanted, "nearest"));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn every_history_gives_the_answers_of_a_naive_model(
        changes in changes(),
        filter in filters(),
        view in views(),
    ) {
        let (index, model) = play(changes);
        check_facts(&index, &model);
        let wanted = model.values().filter(|note| lets_through(&filter, view, note)).count();
        prop_assert_eq!(index.mask(&filter, view).count(), wanted);
        let everything = View { superseded: Superseded::Included, ..at(-1) };
        for (filter, view) in [(filter, view), (Filter::default(), everything)] {
            check_words(&index, &model, &filter, view);
            check_vectors(&index, &model, &filter, view);
        }
        prop_assert_eq!(index.similar_terms("no", |_| true), Vec::<String>::new());
    }
}

#[test]
fn a_query_without_conditions_copies_nothing_and_expiry_is_seen_at_once() {
    let mut index = empty(2);
    Note { id: 1, expires_at: Some(100), ..Note::default() }.enter(&mut index);
    Note { id: 2, ..Note::default() }.enter(&mut index);
    let seen = |now| index.mask(&Filter::default(), at(now)).count();
    assert_eq!((seen(99), seen(100)), (2, 1));
}

#[test]
fn bounds_between_milliseconds_let_through_what_their_definition_does() {
    let notes: Vec<Note> = (-2..=2).map(|at| Note { id: (at + 3) as u128, at, ..Note::default() }).collect();
    let mut index = empty(2);
    notes.iter().for_each(|note| note.enter(&mut index));
    let nanos = [-3, -2, -1, 0, 1, 2, 3]
        .iter()
        .flat_map(|millis| [-1, 0, 1, 500_000].map(|nanos| i128::from(*millis) * 1_000_000 + nanos));
    for bound in nanos.map(|nanos| Timestamp::from_nanosecond(nanos).unwrap()) {
        let since = Filter { since: Some(bound), ..Filter::default() };
        let until = Filter { until: Some(bound), ..Filter::default() };
        for filter in [since, until] {
            let mask = index.mask(&filter, at(0));
            for note in &notes {
                let found = mask.contains(doc(&index, note));
                assert_eq!(found, filter.matches(&note.memory()), "{} ms with {filter:?}", note.at);
            }
        }
    }
}

#[test]
fn common_words_neither_hide_rare_ones_nor_touch_everything() {
    let mut index = empty(2);
    let word = |word: &str| (word.to_owned(), 1);
    for number in 0..60_000_u128 {
        let mut terms = vec![word("the"), word("of"), word("and"), word("to")];
        if number % 1000 == 0 {
            terms.push(word("gyeongju"));
        }
        Note { id: number, terms, ..Note::default() }.enter(&mut index);
    }
    let mask = index.mask(&Filter::default(), at(0));
    let matches = index.gather(&["the", "gyeongju", "of", "and", "to"], &mask);
    assert!(matches.touched() <= 60_000);
    let top = matches.top(60);
    assert!(top.iter().all(|&(doc, _)| matches.tf(doc, 1) == 1 && matches.tf(doc, 4) == 1));
    assert_eq!(index.similar_terms("gyeonju", |term| term.len() > 3), ["gyeongju"]);
}
