//! What holds for any contents, filters, scopes and words for time, told against a naive answer.

use jiff::SignedDuration;
use jiff::civil::Date;
use perihelion::{
    Chores, Clock, EngineChoice, Filter, ImportOptions, Kind, Layer, ListQuery, Memory, Namespace, Options,
    Perihelion, Recall, Remember, Scope, Timestamp,
};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};
use tempfile::TempDir;

fn few(cases: u32) -> Config {
    Config { cases, rng_seed: RngSeed::Fixed(11), failure_persistence: None, ..Config::default() }
}

fn start() -> Timestamp {
    "2026-11-16T10:42:05Z".parse().unwrap()
}

fn open() -> (TempDir, Perihelion, Clock) {
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::manual(start());
    let options = Options {
        chores: Chores::ByHand,
        engine: EngineChoice::Off,
        clock: clock.clone(),
        ..Options::at(folder.path())
    };
    (folder, Perihelion::open(options).unwrap(), clock)
}

fn export(engine: &Perihelion) -> String {
    let mut out = Vec::new();
    engine.export(&Scope::All, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// Texts of every script, with what editors, terminals and formats stumble over.
fn content() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "\\PC{1,8}",
        any::<char>().prop_filter("no store keeps it", |c| *c != '\0').prop_map(String::from),
        prop::sample::select(vec![
            "한국어 ",
            "中文",
            "👩‍👧",
            "\u{202e}",
            "\r\n",
            "\u{2028}",
            "\\u0000",
            "\"",
            "{\"record\":\"end\"}\n",
            "e\u{301}",
            "\u{feff}",
            "password=Tr0ub4dor&3 ",
            "---\n",
            "\u{7f}",
            "\t",
        ])
        .prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 1..12).prop_map(|pieces| pieces.concat())
}

fn label() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["a", "차", "茶", "A", "a b", "é", "e\u{301}", "%", "a_"])
        .prop_map(str::to_owned)
}

/// A memory with facets out of few values, so that filters meet some and miss some.
fn request() -> impl Strategy<Value = Remember> {
    let kinds = prop::sample::select(vec![Kind::Fact, Kind::Decision, Kind::Preference]);
    let labels = prop::collection::vec(label(), 0..3);
    let said = (prop::option::of(label()), prop::option::of(label()));
    (content(), kinds, labels, said, -3..3_i64, any::<bool>()).prop_map(
        |(content, kind, tags, said, days, pinned)| {
            let mut request = Remember::new(content).kind(kind);
            request.facets.tags = tags;
            (request.facets.session, request.facets.speaker) = said;
            request.facets.occurred_at = (days < 0).then(|| start() + SignedDuration::from_hours(24 * days));
            request.facets.pinned = pinned;
            request
        },
    )
}

fn filter() -> impl Strategy<Value = Filter> {
    let time = prop::option::of((-80..8_i64).prop_map(|hours| start() + SignedDuration::from_hours(hours)));
    let kinds =
        prop::collection::vec(prop::sample::select(vec![Kind::Fact, Kind::Decision, Kind::Preference]), 0..2);
    let tags = prop::collection::vec(label(), 0..2);
    let said = (prop::option::weighted(0.2, label()), prop::option::weighted(0.2, label()));
    (kinds, tags, time.clone(), time, said, prop::option::weighted(0.3, any::<bool>())).prop_map(
        |(kinds, tags, since, until, (session, speaker), pinned)| Filter {
            layers: vec![Layer::LongTerm],
            kinds,
            tags,
            since,
            until,
            session,
            speaker,
            pinned,
            ..Filter::default()
        },
    )
}

proptest! {
    #![proptest_config(few(24))]

    #[test]
    fn any_contents_go_out_and_come_in_again_to_the_byte(requests in prop::collection::vec(request(), 1..8)) {
        let (_folder, engine, clock) = open();
        for request in requests {
            let content = request.content.clone();
            let Ok(receipt) = engine.remember(request) else { continue };
            let kept = engine.get(&Scope::All, receipt.id).unwrap().content;
            // What says the same as something before it is one with it.
            if receipt.outcome == perihelion::Outcome::Stored {
                prop_assert_eq!(kept, peri_text::redact(&content).text);
            }
            clock.advance(SignedDuration::from_secs(1));
        }
        let out = export(&engine);
        let (_other_folder, other, _) = open();
        let imported = other.import(&mut out.as_bytes(), ImportOptions::default()).unwrap();
        prop_assert!(imported.refused.is_empty(), "{:?}", imported.refused);
        prop_assert_eq!(export(&other), out);
    }

    #[test]
    fn a_filter_lets_through_what_it_is_defined_to_from_the_store_and_from_the_index(
        requests in prop::collection::vec(request(), 1..10), filters in prop::collection::vec(filter(), 1..8),
    ) {
        let (_folder, engine, clock) = open();
        for request in requests {
            // What is blank is refused, and that is not asked here.
            drop(engine.remember(request));
            clock.advance(SignedDuration::from_millis(7));
        }
        let list = |filter: &Filter| {
            let query = ListQuery { filter: filter.clone(), limit: 100, ..ListQuery::default() };
            engine.list(query).unwrap().memories
        };
        let all = list(&Filter::default());
        for filter in filters {
            let expected: Vec<&Memory> = all.iter().filter(|memory| filter.matches(memory)).collect();
            let listed = list(&filter);
            prop_assert_eq!(listed.iter().collect::<Vec<_>>(), expected, "{:?}", filter);
            for memory in &all {
                let recall = Recall { filter: filter.clone(), limit: Some(50), ..Recall::new(&memory.content) };
                let Ok(recalled) = engine.recall(&recall) else { continue };
                for hit in recalled.hits {
                    prop_assert!(filter.matches(&hit.memory), "{:?} and {:?}", filter, hit.memory);
                }
            }
        }
    }
}

/// Paths of few names, so that some lie in others and some only begin alike.
fn path() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(vec!["a", "ab", "차", "a-b"]), 1..4)
        .prop_map(|parts| parts.join("/"))
}

fn scope() -> impl Strategy<Value = Scope> {
    let text = prop_oneof![Just("*".to_owned()), path(), path().prop_map(|path| format!("{path}/*"))];
    text.prop_map(|text| text.parse().unwrap())
}

proptest! {
    #![proptest_config(few(500))]

    #[test]
    fn a_scope_that_covers_another_holds_all_that_the_other_holds(
        one in scope(), other in scope(), paths in prop::collection::vec(path(), 1..10),
    ) {
        let namespaces: Vec<Namespace> = paths.iter().map(|path| path.parse().unwrap()).collect();
        if one.covers(&other) {
            prop_assert!(namespaces.iter().all(|namespace| !other.contains(namespace) || one.contains(namespace)));
        }
        if one.covers(&other) && other.covers(&one) {
            prop_assert_eq!(&one, &other);
        }
        for namespace in &namespaces {
            prop_assert_eq!(one.covers(&Scope::Exact(namespace.clone())), one.contains(namespace));
        }
    }

    #[test]
    fn words_for_time_lie_within_the_calendar_on_every_day_there_is(
        year in -9999..=9999_i16, day in 1..=365_i16, words in prop::collection::vec(time_word(), 1..6),
    ) {
        let today = Date::new(year, 1, 1).unwrap().with().day_of_year(day).build().unwrap();
        let text = words.join(" ");
        for mention in peri_text::time_mentions(&text, today) {
            prop_assert!(mention.first <= mention.last, "{:?} on {}", mention, today);
            prop_assert!(text.get(mention.range.clone()).is_some());
        }
    }
}

fn time_word() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "yesterday",
        "last",
        "next",
        "this",
        "week",
        "month",
        "year",
        "tuesday",
        "the",
        "past",
        "in",
        "ago",
        "days",
        "weeks",
        "a",
        "couple",
        "of",
        "hundred",
        "thousand",
        "million",
        "before",
        "어제",
        "그저께",
        "지난",
        "다음",
        "주",
        "달",
        "년",
        "전",
        "뒤",
        "일",
        "작년",
        "昨天",
        "前",
        "三",
        "百",
        "万",
        "天",
        "周",
        "个月",
        "年",
        "后",
        "去年",
        "下",
        "上",
        "先週",
        "来年",
    ]);
    prop_oneof![3 => word.prop_map(str::to_owned), 1 => (0..u64::MAX).prop_map(|number| number.to_string()), 1 => "[0-9]{1,4}"]
}
