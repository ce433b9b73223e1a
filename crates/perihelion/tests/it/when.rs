//! Words for time in questions: "last Tuesday", 지난주, 上周二, in the time zone of whoever asks.

use jiff::SignedDuration;
use jiff::tz::{TimeZone, offset};
use perihelion::{Clock, Kind, Options, Perihelion, Recall, Recalled, Remember, Stage, Stages, Timestamp};
use tempfile::TempDir;

use crate::support::{contents, options, time};

/// A Thursday, at noon in London and in the evening in Seoul.
const NOW: &str = "2026-11-12T12:00:00Z";

fn seoul() -> TimeZone {
    TimeZone::fixed(offset(9))
}

fn open(clock: &Clock, zone: TimeZone) -> (TempDir, Perihelion) {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { clock: clock.clone(), time_zone: zone, ..options(folder.path()) };
    let engine = Perihelion::open(options).unwrap();
    (folder, engine)
}

/// An engine with these memories, each with when it was.
fn holding(zone: TimeZone, memories: &[(&str, &str)]) -> (TempDir, Perihelion) {
    let (folder, engine) = open(&Clock::manual(time(NOW)), zone);
    for (content, at) in memories {
        engine.remember(Remember::new(*content).at(time(at))).unwrap();
    }
    (folder, engine)
}

fn ask(engine: &Perihelion, query: &str) -> Recalled {
    engine.search(&Recall::new(query)).unwrap()
}

fn best(engine: &Perihelion, query: &str) -> Option<String> {
    ask(engine, query).hits.first().map(|hit| hit.memory.content.clone())
}

const MEETINGS: &[(&str, &str)] = &[
    ("The team settled on Postgres for storage", "2026-11-10T10:00:00Z"),
    ("The team settled on Redis for caching", "2026-11-03T10:00:00Z"),
    ("The team settled on Kafka for queues", "2026-09-15T10:00:00Z"),
];

#[test]
fn a_question_about_a_day_finds_what_was_said_on_it() {
    let (_folder, engine) = holding(TimeZone::UTC, MEETINGS);
    for (query, expected) in [
        ("what did the team settle on last Tuesday?", "Postgres"),
        ("what did the team settle on Tuesday of last week?", "Redis"),
        ("what did the team settle on two months ago?", "Kafka"),
        ("지난 화요일에 뭘 결정했지?", "Postgres"),
        ("지난주 화요일에 뭘 결정했지?", "Redis"),
        ("上周二讨论了什么？", "Redis"),
        ("两个月前讨论了什么？", "Kafka"),
        ("前天讨论了什么？", "Postgres"),
    ] {
        let found = best(&engine, query).unwrap_or_default();
        assert!(found.contains(expected), "{query}: {found}");
    }
}

#[test]
fn what_was_stored_in_a_past_stretch_counts_even_without_a_day_of_its_own() {
    let clock = Clock::manual(time("2026-11-04T10:00:00Z"));
    let (_folder, engine) = open(&clock, TimeZone::UTC);
    engine.remember(Remember::new("The heating pipes were replaced")).unwrap();
    clock.advance(SignedDuration::from_hours(24 * 8));
    engine.remember(Remember::new("The garden fence was painted")).unwrap();
    assert_eq!(contents(&ask(&engine, "지난주에 뭐 했지?")), ["The heating pipes were replaced"]);
    // What was stored just now does not crowd out what is asked for.
    let recalled = ask(&engine, "what should I know about pipes tonight?");
    assert_eq!(contents(&recalled), ["The heating pipes were replaced"]);
}

#[test]
fn a_day_is_that_of_whoever_asks() {
    // Tuesday evening in Seoul, and early on Wednesday there, which is still Tuesday in UTC.
    let memories = [
        ("The lantern was hung", "2026-11-10T23:30:00+09:00"),
        ("The ladder was mended", "2026-11-11T05:00:00+09:00"),
    ];
    let (_folder, engine) = holding(seoul(), &memories);
    assert_eq!(best(&engine, "지난 화요일에 뭐 했지?").as_deref(), Some("The lantern was hung"));
    assert_eq!(best(&engine, "어제 뭐 했지?").as_deref(), Some("The ladder was mended"));
    let date = |recalled: &Recalled| {
        let of_dates = |hit: &perihelion::Hit| {
            let part = hit.explanation.parts.iter().find(|part| part.stage == Stage::Dates);
            (hit.memory.content.clone(), part.map_or(0.0, |part| part.value))
        };
        let mut all: Vec<_> = recalled.hits.iter().map(of_dates).collect();
        all.sort_by(|a, b| a.0.cmp(&b.0));
        all.into_iter().map(|(_, value)| value).collect::<Vec<f32>>()
    };
    let asked = Recall::new("what happened on 10 November 2026?");
    let in_seoul = date(&engine.search(&asked.clone().in_time_zone(seoul())).unwrap());
    let in_utc = date(&engine.search(&asked.in_time_zone(TimeZone::UTC)).unwrap());
    assert!(in_seoul[0] < in_seoul[1], "{in_seoul:?}");
    assert!((in_utc[0] - in_utc[1]).abs() < 1e-6, "{in_utc:?}");
}

#[test]
fn a_date_that_a_memory_states_is_taken_as_it_was_written() {
    let (_folder, engine) = open(&Clock::manual(time(NOW)), seoul());
    engine.remember(Remember::new("2026-11-03: the kiln was fired")).unwrap();
    engine.remember(Remember::new("2026-10-20: the kiln was cleaned")).unwrap();
    assert_eq!(best(&engine, "上周二做了什么？").as_deref(), Some("2026-11-03: the kiln was fired"));
}

#[test]
fn the_answer_tells_what_was_understood() {
    let (_folder, engine) = holding(seoul(), MEETINGS);
    let recalled = ask(&engine, "last Tuesday or 지난주?");
    let told: Vec<_> = recalled
        .times
        .iter()
        .map(|one| (one.text.as_str(), one.from.to_string(), one.until.to_string()))
        .collect();
    let expected = [
        ("last Tuesday", "2026-11-09T15:00:00Z", "2026-11-10T15:00:00Z"),
        ("지난주", "2026-11-01T15:00:00Z", "2026-11-08T15:00:00Z"),
    ];
    assert_eq!(told, expected.map(|(text, from, until)| (text, from.to_owned(), until.to_owned())));
    assert_eq!(serde_json::to_value(&recalled).unwrap()["times"][0]["text"], "last Tuesday");
    let plain = ask(&engine, "what is the last name of Ana?");
    assert!(plain.times.is_empty());
    assert!(serde_json::to_value(&plain).unwrap().get("times").is_none());
}

#[test]
fn words_for_time_are_words_where_nothing_is_of_their_days() {
    let old = [
        ("Ben: I ran ten miles yesterday", "2023-05-08T10:00:00Z"),
        ("Ben: the race is next month", "2023-05-08T10:01:00Z"),
        ("Ana: I baked bread", "2023-05-09T10:00:00Z"),
    ];
    let (_folder, engine) = holding(TimeZone::UTC, &old);
    let without = Stages::ALL.without(Stage::Dates);
    for query in ["who ran yesterday?", "who runs the race tomorrow?", "what was baked last week?"] {
        let plain = Recall { stages: Some(without), ..Recall::new(query) };
        let scores = |recalled: Recalled| -> Vec<_> {
            recalled.hits.iter().map(|hit| (hit.memory.id, hit.score)).collect()
        };
        let found = ask(&engine, query);
        assert_eq!(found.times.len(), 1, "{query}");
        assert_eq!(scores(found), scores(engine.search(&plain).unwrap()), "{query}");
    }
}

#[test]
fn without_the_stage_nothing_is_understood() {
    let (_folder, engine) = holding(TimeZone::UTC, MEETINGS);
    let stages = Some(Stages::ALL.without(Stage::Dates));
    let request = Recall { stages, ..Recall::new("what did the team settle on last Tuesday?") };
    assert!(engine.search(&request).unwrap().times.is_empty());
}

#[test]
fn a_question_as_of_the_past_counts_from_then() {
    let (_folder, engine) = holding(TimeZone::UTC, MEETINGS);
    let asked = Recall::new("어제 뭐 했지?").as_of(time("2026-09-16T10:00:00Z"));
    let times = engine.search(&asked).unwrap().times;
    assert_eq!(times[0].from, time("2026-09-15T00:00:00Z"));
}

#[test]
fn filters_hold_for_what_a_day_brings() {
    let (_folder, engine) = holding(TimeZone::UTC, MEETINGS);
    let mut asked = Recall::new("지난주에 뭐 했지?");
    asked.filter.kinds = vec![Kind::Preference];
    assert!(engine.search(&asked).unwrap().hits.is_empty());
    asked.filter.kinds.clear();
    asked.filter.until = Some(time("2026-11-03T00:00:00Z"));
    assert!(!contents(&engine.search(&asked).unwrap()).contains(&MEETINGS[1].0));
}

#[test]
fn the_ends_of_time_are_no_trouble() {
    for at in [Timestamp::MIN, Timestamp::MAX] {
        let (_folder, engine) = holding(seoul(), MEETINGS);
        let asked = Recall::new("yesterday, tomorrow, last year, 下周, 지난달").as_of(at);
        for time in engine.search(&asked).unwrap().times {
            assert!(time.from <= time.until, "{time:?}");
        }
    }
}
