//! What recall returns, what it leaves out, and what it says about it.

use jiff::SignedDuration;
use perihelion::{
    Clock, Facets, Hit, Options, Perihelion, Recall, Remember, Revise, Scope, Stage, Stages, Trashed,
};

use crate::support::{all, ask, contents, finds, fresh, keep, open, options, time};

/// Plain facts that have nothing to do with each other.
const FACTS: [&str; 12] = [
    "Ana prefers tea over coffee",
    "The staging server is called Ganymede",
    "Invoices are sent on the first working day of the month",
    "The billing service is written in Go",
    "Ben's bicycle has a blue frame",
    "The office in Lisbon closes at noon on Fridays",
    "Passwords are rotated every ninety days",
    "The cat is called Miso and sleeps on the printer",
    "Deployments need two approvals",
    "The quarterly report is due in April",
    "Carla plays the cello in a string quartet",
    "The database runs on port 5433",
];

fn facts() -> (tempfile::TempDir, Perihelion) {
    let (folder, engine) = fresh();
    engine.remember_all(FACTS.map(Remember::new).to_vec()).unwrap();
    (folder, engine)
}

#[test]
fn an_unrelated_question_gets_an_honest_empty_answer() {
    let (_folder, engine) = facts();
    for query in [
        "how do volcanoes form?",
        "recipe for sourdough bread",
        "who won the chess tournament?",
        "Zanzibar",
        "김치찌개 만드는 법",
        "???",
    ] {
        let recalled = ask(&engine, query);
        assert_eq!(contents(&recalled), [""; 0], "{query}");
        assert!(recalled.degraded.is_empty(), "finding nothing is not a failure");
    }
    let (_folder, empty) = fresh();
    assert!(ask(&empty, "anything at all").hits.is_empty());
}

#[test]
fn every_fact_is_first_for_its_own_words() {
    let (_folder, engine) = facts();
    for fact in FACTS {
        assert_eq!(ask(&engine, fact).hits[0].memory.content, fact);
    }
}

#[test]
fn a_slip_of_the_finger_still_finds_the_memory() {
    let (_folder, engine) = facts();
    let server = "The staging server is called Ganymede";
    for query in ["Ganymeed", "Ganymde", "Ganynede", "Ganymedee"] {
        assert!(finds(&engine, query, server), "{query}");
    }
    let exact = Recall { stages: Some(Stages::ALL.without(Stage::Typos)), ..Recall::new("Ganymeed") };
    assert!(engine.recall(&exact).unwrap().hits.is_empty(), "the stage can be switched off");
}

#[test]
fn other_scripts_and_identifiers_are_found_whole_and_in_part() {
    let (_folder, engine) = facts();
    let cases: [(&str, &[&str]); 12] = [
        (
            "민수는 매운 떡볶이를 좋아한다",
            &["민수는 매운 떡볶이를 좋아한다", "떡볶이", "민수", "매운 떡볶이 좋아해?"],
        ),
        ("서울 사무실은 강남역 3번 출구 옆에 있다", &["서울 사무실", "강남역", "사무실이 어디에 있어?"]),
        (
            "服务器每天凌晨三点备份到东京机房",
            &["服务器每天凌晨三点备份到东京机房", "备份", "东京机房", "服务器备份"],
        ),
        ("李雷不吃香菜", &["香菜", "李雷不吃什么", "李雷"]),
        ("田中さんは毎朝ラーメンを食べる", &["ラーメン", "田中さん", "田中さんは毎朝ラーメンを食べる"]),
        ("本番環境のデータベースは大阪にある", &["データベース", "大阪", "本番環境"]),
        ("release party 🎉 on the roof", &["🎉", "release party 🎉", "roof party"]),
        ("the flag foo-bar enables the fast path", &["foo-bar", "foo bar", "what does foo-bar do?"]),
        ("error E0308 means mismatched types", &["E0308", "e0308", "what is error E0308?"]),
        ("the column user_id is indexed", &["user_id", "user id", "is user_id indexed?"]),
        ("the entry point is src/main.rs", &["src/main.rs", "main.rs", "where is main.rs?"]),
        ("call parseHttpHeader before the router", &["parseHttpHeader", "parse http header"]),
    ];
    engine.remember_all(cases.map(|(content, _)| Remember::new(content)).to_vec()).unwrap();
    let mut misses = Vec::new();
    for (content, queries) in cases {
        for query in queries {
            let recalled = ask(&engine, query);
            if recalled.hits.first().is_none_or(|hit| hit.memory.content != content) {
                misses.push(format!(
                    "{query:?} should find {content:?} first, found {:?}",
                    contents(&recalled)
                ));
            }
        }
    }
    assert!(misses.is_empty(), "{}", misses.join("\n"));
}

#[test]
fn an_alias_finds_the_memory_that_never_says_it() {
    let (_folder, engine) = facts();
    let content = "Carla's phone number is 555 0199";
    let facets = Facets { aliases: vec!["emergency contact".into()], ..Facets::default() };
    engine.remember(Remember { facets, ..Remember::new(content) }).unwrap();
    assert_eq!(ask(&engine, "who is the emergency contact?").hits[0].memory.content, content);
}

#[test]
fn a_memory_is_seen_until_the_millisecond_it_expires() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::manual(time("2025-01-01T00:00:00Z"));
    let engine = Perihelion::open(Options { clock: clock.clone(), ..options(folder.path()) }).unwrap();
    let facets = Facets { expires_at: Some(time("2025-01-01T00:00:01Z")), ..Facets::default() };
    let content = "the guest password is marmalade";
    engine.remember(Remember { facets, ..Remember::new(content) }).unwrap();
    clock.advance(SignedDuration::from_millis(999));
    assert!(finds(&engine, "guest password", content));
    assert_eq!(all(&engine, Trashed::Without).len(), 1);
    clock.advance(SignedDuration::from_millis(1));
    assert!(ask(&engine, "guest password").hits.is_empty());
    assert!(all(&engine, Trashed::Without).is_empty());
    let reopened = Perihelion::open(Options { clock: clock.clone(), ..options(folder.path()) }).unwrap();
    assert!(ask(&reopened, "guest password").hits.is_empty());
}

#[test]
fn expiry_can_be_given_and_taken_away_later() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::manual(time("2025-01-01T00:00:00Z"));
    let engine = Perihelion::open(Options { clock: clock.clone(), ..options(folder.path()) }).unwrap();
    let content = "the guest password is marmalade";
    let id = keep(&engine, content);
    let expiring = |at| Revise { expires_at: Some(at), ..Revise::default() };
    engine.revise(&Scope::All, id, expiring(Some(clock.now()))).unwrap();
    assert!(ask(&engine, "guest password").hits.is_empty());
    engine.revise(&Scope::All, id, expiring(None)).unwrap();
    assert!(finds(&engine, "guest password", content));
}

#[test]
fn a_superseded_memory_is_not_recalled_until_it_is_current_again() {
    let (_folder, engine) = facts();
    let old = keep(&engine, "The deadline of the Orion project is May");
    let new = keep(&engine, "The deadline of the Orion project is September");
    let supersede = |by| Revise { superseded_by: Some(by), ..Revise::default() };
    engine.revise(&Scope::All, old, supersede(Some(new))).unwrap();
    let found = ask(&engine, "deadline of the Orion project");
    assert_eq!(contents(&found), ["The deadline of the Orion project is September"]);
    engine.revise(&Scope::All, old, supersede(None)).unwrap();
    assert_eq!(ask(&engine, "deadline of the Orion project").hits.len(), 2);
}

#[test]
fn score_min_leaves_out_what_is_below_and_counts_it() {
    let (_folder, engine) = facts();
    let whole = ask(&engine, "what is the server called?");
    let best = whole.hits[0].score;
    assert!(whole.hits.len() > 1, "{:?}", contents(&whole));
    let some = engine.recall(&Recall::new("what is the server called?").score_min(best)).unwrap();
    assert_eq!(contents(&some), contents(&whole)[..1]);
    assert_eq!(some.below_floor - whole.below_floor, whole.hits.len() - 1);
}

#[test]
fn limit_bounds_the_results_and_keeps_the_best() {
    let (_folder, engine) = fresh();
    let plums = (0..30).map(|i| Remember::new(format!("plum jam jar number {i} stands on shelf {}", i * 7)));
    engine.remember_all(plums.collect()).unwrap();
    let whole = engine.recall(&Recall::new("plum jam").limit(30)).unwrap();
    assert_eq!(whole.hits.len(), 30);
    assert!(whole.hits.is_sorted_by(|a, b| a.score >= b.score), "the best first");
    for limit in [0, 1, 7, 29] {
        let some = engine.recall(&Recall::new("plum jam").limit(limit)).unwrap();
        assert_eq!(contents(&some), &contents(&whole)[..limit]);
    }
    assert_eq!(ask(&engine, "plum jam").hits.len(), engine.options().recall.limit);
}

#[test]
fn the_token_budget_is_never_exceeded_and_what_it_cost_is_told() {
    let (_folder, engine) = fresh();
    let notes = (1..=10).map(|i| {
        Remember::new(format!(
            "meeting notes about the Orion budget, part {i}: {}",
            "spend less ".repeat(i * 3)
        ))
    });
    engine.remember_all(notes.collect()).unwrap();
    let free = ask(&engine, "Orion budget meeting notes");
    assert_eq!((free.hits.len(), free.over_budget), (10, 0));
    let total: usize = free.hits.iter().map(|hit| hit.tokens).sum();
    for budget in [0, 1, 20, 50, 100, total - 1, total] {
        let recalled = engine.recall(&Recall::new("Orion budget meeting notes").tokens_max(budget)).unwrap();
        let spent: usize = recalled.hits.iter().map(|hit| hit.tokens).sum();
        assert!(spent <= budget, "{spent} of {budget}");
        assert_eq!(recalled.hits.len() + recalled.over_budget, 10, "{budget}");
    }
}

#[test]
fn parts_of_the_explanation_sum_to_the_score() {
    let (_folder, engine) = facts();
    let turns = [
        ("Ana", "What are you doing this weekend, Ben?"),
        ("Ben", "I am repairing the blue bicycle, the frame got scratched"),
        ("Ana", "Did you order the staging server for the billing service?"),
        ("Ben", "Yes, on the 3rd of March 2024, it costs 40 euros"),
    ];
    for (speaker, content) in turns {
        let turn = Remember::new(content).said("weekend", speaker).at(time("2024-03-05T10:00:00Z"));
        engine.remember(turn).unwrap();
    }
    for query in [
        "what did Ben say about his bicycle?",
        "when was the staging server ordered?",
        "who plays the cello in the Lisbon office on Fridays in April?",
    ] {
        let unfloored = Recall { stages: Some(Stages::ALL.without(Stage::Floor)), ..Recall::new(query) };
        let hits = engine.recall(&unfloored).unwrap().hits;
        assert!(hits.len() > 3, "{query}: enough to tell a line");
        check_parts(query, &hits);
    }
}

/// The score is a logistic function of the sum of the parts: its logit lies on one rising line over the sums
/// of a question's results.
fn check_parts(query: &str, hits: &[Hit]) {
    let points: Vec<(f64, f64)> = hits
        .iter()
        .map(|hit| {
            let parts = &hit.explanation.parts;
            assert!((0.0..=1.0).contains(&hit.score));
            assert!(parts.iter().all(|part| part.value != 0.0 && part.value.is_finite()));
            assert!(parts.is_sorted_by(|a, b| a.value.abs() >= b.value.abs()), "the largest first");
            let score = f64::from(hit.score);
            (parts.iter().map(|part| f64::from(part.value)).sum(), (score / (1.0 - score)).ln())
        })
        .collect();
    let (first, last) = (points[0], points[points.len() - 1]);
    let slope = (last.1 - first.1) / (last.0 - first.0);
    assert!(first.0 - last.0 > 1.0 && slope > 0.0, "{query}: the sums differ enough to tell");
    for (sum, logit) in points {
        let expected = first.1 + slope * (sum - first.0);
        assert!((logit - expected).abs() < 0.005, "{query}: logit {logit}, by its parts {expected}");
    }
}

#[test]
fn the_explanation_lists_the_words_that_matched() {
    let (_folder, engine) = facts();
    let hit = ask(&engine, "Is the staging server called Ganymede or Callisto?").hits.remove(0);
    assert_eq!(hit.memory.content, "The staging server is called Ganymede");
    let matched: Vec<String> = hit.explanation.matched.iter().map(|word| word.to_lowercase()).collect();
    for word in ["staging", "server", "ganymede"] {
        assert!(matched.iter().any(|own| own == word), "{word} is missing from {matched:?}");
    }
    assert!(!matched.iter().any(|word| word == "callisto"), "{matched:?}");
    assert!(hit.explanation.parts.iter().any(|part| part.stage == Stage::Words && part.value > 0.0));
}

#[test]
fn a_stage_that_is_switched_off_has_no_part_in_any_score() {
    let (_folder, engine) = facts();
    engine.remember(Remember::new("Ben bought the staging server").said("s", "Ben")).unwrap();
    engine.remember(Remember::new("when did Ben buy it?").said("s", "Ana")).unwrap();
    for stage in Stage::ALL {
        let stages = Stages::ALL.without(stage);
        let request = Recall { stages: Some(stages), ..Recall::new("when did Ben buy the staging server?") };
        for hit in engine.recall(&request).unwrap().hits {
            assert!(hit.explanation.parts.iter().all(|part| part.stage != stage), "{stage}: {hit:?}");
        }
    }
}

#[test]
fn recall_changes_no_memory_and_usage_is_written_back_once() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::manual(time("2025-01-01T00:00:00Z"));
    let engine = Perihelion::open(Options { clock: clock.clone(), ..options(folder.path()) }).unwrap();
    let id = keep(&engine, "The staging server is called Ganymede");
    let other = keep(&engine, "Ana prefers tea over coffee");
    let before = all(&engine, Trashed::Without);
    let heads = |engine: &Perihelion| engine.stats(&Scope::All).unwrap().namespaces[0].head;
    let head = heads(&engine);
    for _ in 0..3 {
        clock.advance(SignedDuration::from_secs(1));
        assert_eq!(ask(&engine, "Ganymede").hits.len(), 1);
    }
    let namespace = before[0].namespace.clone();
    assert_eq!(engine.usage(&namespace, id).unwrap(), None, "not before the chores are done");
    for _ in 0..2 {
        engine.maintain().unwrap();
        assert_eq!(engine.usage(&namespace, id).unwrap(), Some((3, clock.now())));
    }
    assert_eq!(engine.usage(&namespace, other).unwrap(), None);
    assert_eq!(all(&engine, Trashed::Without), before);
    assert_eq!(heads(&engine), head, "no change number was taken");
    ask(&engine, "Ganymede");
    engine.close().unwrap();
    let engine = open(folder.path());
    assert_eq!(engine.usage(&namespace, id).unwrap().unwrap().0, 4, "closing writes the rest");
}

#[test]
fn dropping_an_engine_writes_usage_back_as_closing_does() {
    let (folder, engine) = fresh();
    let id = keep(&engine, "The staging server is called Ganymede");
    ask(&engine, "Ganymede");
    drop(engine);
    let engine = open(folder.path());
    let usage = engine.usage(&perihelion::Namespace::default(), id).unwrap();
    assert_eq!(usage.map(|(recalls, _)| recalls), Some(1));
}

#[test]
fn usage_of_what_was_purged_meanwhile_is_dropped() {
    let (_folder, engine) = fresh();
    let id = keep(&engine, "The staging server is called Ganymede");
    ask(&engine, "Ganymede");
    engine.forget(&Scope::All, id).unwrap();
    engine.purge(&Scope::All, id).unwrap();
    engine.maintain().unwrap();
    assert_eq!(engine.usage(&perihelion::Namespace::default(), id).unwrap(), None);
}

#[test]
fn asking_again_gives_the_same_answer() {
    let (_folder, engine) = facts();
    for query in ["when is the report due?", "server", "who plays an instrument?"] {
        let first = ask(&engine, query);
        engine.maintain().unwrap();
        let second = ask(&engine, query);
        assert_eq!(first, second, "boosts are never stored");
    }
}

#[test]
fn threads_may_remember_and_recall_at_once() {
    let (_folder, engine) = fresh();
    std::thread::scope(|threads| {
        for worker in 0..6 {
            let engine = &engine;
            threads.spawn(move || {
                for i in 0..15 {
                    let content = format!("thread{worker} wrote item{i}");
                    keep(engine, &content);
                    assert!(finds(engine, &content, &content), "own write is seen at once: {content}");
                }
            });
        }
    });
    assert_eq!(all(&engine, Trashed::Without).len(), 90);
}

#[test]
fn the_background_thread_stops_when_the_engine_is_dropped() {
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..20 {
        let engine = Perihelion::open(Options::at(folder.path())).unwrap();
        keep(&engine, "something");
        ask(&engine, "something");
        drop(engine);
    }
    assert_eq!(all(&open(folder.path()), Trashed::Without).len(), 1);
}

#[test]
fn hostile_questions_are_answered_without_a_panic() {
    let (_folder, engine) = facts();
    let long = "server ".repeat(8_000);
    let hostile = [
        "\u{202e}\u{0}".trim_end_matches('\0'),
        "'; DROP TABLE memories; --",
        "%_%*?[]{}()\\\"'`",
        "2024-02-30 2024-13-45 0000-00-00 9999-99-99",
        "👩‍👩‍👧‍👦🏳️‍🌈",
        "ﷺ﷽𒐫",
        "e\u{301}\u{301}\u{301}\u{301}",
        "\u{feff}server",
        "1e999999 -0 NaN inf",
        "Şşİıẞßǅŉΐ",
        &long,
    ];
    for query in hostile {
        ask(&engine, query);
        let content = format!("note: {query}");
        let id = keep(&engine, &content);
        assert_eq!(engine.get(&Scope::All, id).unwrap().content, content);
        ask(&engine, query);
        engine.forget(&Scope::All, id).unwrap();
    }
}

#[test]
fn more_namespaces_than_fit_into_memory_are_all_found_and_kept_fresh() {
    let (_folder, engine) = fresh();
    let name = |number: usize| format!("tenant/{number}").parse::<perihelion::Namespace>().unwrap();
    for number in 0..80 {
        let content = format!("the locker of tenant {number} is painted turquoise");
        engine.remember(Remember::new(content).in_namespace(name(number))).unwrap();
    }
    let everywhere = |query: &str| {
        let request = Recall::new(query).in_scope("tenant/*".parse().unwrap()).limit(100);
        engine.recall(&request).unwrap().hits.len()
    };
    assert_eq!(everywhere("turquoise locker"), 80);
    let late = Remember::new("the locker of the caretaker is painted turquoise too").in_namespace(name(0));
    engine.remember(late).unwrap();
    assert_eq!(everywhere("turquoise locker"), 81, "an index that was put away comes back fresh");
}

#[test]
fn a_paraphrase_without_a_shared_word_is_found_and_a_foreign_question_is_not() {
    let (_folder, engine) = fresh();
    for content in [
        "I decided to stop drinking coffee after lunch because I sleep badly",
        "Hiked up the ridge with Petr, it rained the whole way down",
        "The dentist moved my appointment to Thursday",
        "Bought tomatoes and basil for the balcony",
        "The meeting room on the second floor has a new projector",
        "My sister's train arrives at the central station at six",
    ] {
        keep(&engine, content);
    }
    for (query, expected) in [
        ("caffeine in the afternoon", "coffee"),
        ("mountain trip", "ridge"),
        ("gardening", "basil"),
        ("doctor visit", "dentist"),
    ] {
        let recalled = ask(&engine, query);
        let first = contents(&recalled).first().copied().unwrap_or_default().to_owned();
        assert!(first.contains(expected), "{query}: {:?}", contents(&recalled));
    }
    for query in ["the capital of Peru", "how deep is the Mariana trench?"] {
        assert!(ask(&engine, query).hits.is_empty(), "{query}: {:?}", contents(&ask(&engine, query)));
    }
}
