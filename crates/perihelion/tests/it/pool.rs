//! Namespaces that are searched inside PostgreSQL answer as those in memory do.
#![cfg(unix)]

use std::path::Path;
use std::sync::Arc;

use peri_servers::{MariaDb, Postgres};
use peri_store::{Address, Readiness, ServerSettings, ServerStore, Store as _};
use perihelion::{
    Chores, ConsolidationSettings, EdgeType, Facets, Filter, GraphSettings, MemoryId, Namespace, NewEdge,
    Options, Perihelion, Recall, Remember, Revise, Scope, SearchSettings, StoreChoice,
};
use tempfile::TempDir;

use crate::filters::{filters, plums};
use crate::quality::{facts, questions, turns};
use crate::support::time;

/// Questions in three languages, about times, with slips of the finger, and about nothing that was told.
const QUESTIONS: [&str; 14] = [
    "What did Marisol say in April 2024?",
    "databse port in production",
    "who reviews the authentication module",
    "What is the dog called?",
    "경주에서 무엇을 먹었나요",
    "민수는 무슨 커피를 좋아해?",
    "小明喜欢什么咖啡",
    "我们在哪里见面",
    "the retry limit MAX_RETRY_COUNT",
    "what happened last week",
    "did Teodor go cycling?",
    "what is our codename for the bridge",
    "trombone marzipan",
    "is it",
];

fn database() -> Option<String> {
    (!peri_servers::may_be_left_out()).then(|| Postgres::shared().fresh_database().unwrap())
}

/// An engine on a database, which searches namespaces of so many memories inside it.
fn node(folder: &Path, url: &str, in_database_from: u64) -> Perihelion {
    Perihelion::open(options(folder, url, in_database_from)).unwrap()
}

fn options(folder: &Path, url: &str, in_database_from: u64) -> Options {
    let address = Address::parse(url).unwrap();
    Options {
        chores: Chores::ByHand,
        store: StoreChoice::Server { address, settings: ServerSettings::default() },
        search: SearchSettings { in_database_from },
        ..Options::at(folder)
    }
}

/// One engine that searches in memory and one that searches in the database, on the same memories.
struct Both {
    memory: Perihelion,
    database: Perihelion,
    url: String,
    _folders: [TempDir; 2],
}

fn both() -> Option<Both> {
    let url = database()?;
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let memory = node(folders[0].path(), &url, u64::MAX);
    let database = node(folders[1].path(), &url, 0);
    Some(Both { memory, database, url, _folders: folders })
}

/// How far a database's default namespace has been fed.
fn fed(url: &str) -> u64 {
    let store = ServerStore::open(Address::parse(url).unwrap(), ServerSettings::default()).unwrap();
    let searcher = store.searcher().unwrap();
    assert_eq!(searcher.readiness().unwrap(), Readiness::Ready);
    searcher.state(&Namespace::default()).unwrap().map_or(0, |state| state.fed.0)
}

fn answer(engine: &Perihelion, request: &Recall) -> Vec<(MemoryId, f32)> {
    let recalled = engine.search(request).unwrap();
    assert_eq!(recalled.degraded, Vec::<String>::new(), "{}", request.query);
    recalled.hits.into_iter().map(|hit| (hit.memory.id, hit.score)).collect()
}

impl Both {
    /// Both find the same, in the same order, with about the same scores.
    fn agree(&self, request: &Recall) -> usize {
        let (own, other) = (answer(&self.database, request), answer(&self.memory, request));
        let ids = |hits: &[(MemoryId, f32)]| hits.iter().map(|(id, _)| *id).collect::<Vec<_>>();
        assert_eq!(ids(&own), ids(&other), "{request:?}");
        for ((_, a), (_, b)) in own.iter().zip(&other) {
            assert!((a - b).abs() < 0.002, "{a} and {b} for {request:?}");
        }
        own.len()
    }

    fn agree_on_all_questions(&self) -> usize {
        let own = questions();
        let all = own.iter().map(|one| one.question.as_str()).chain(QUESTIONS);
        all.map(|question| self.agree(&Recall::new(question))).sum()
    }
}

/// A conversation and plain facts in three languages, some with tags, aliases and links.
fn tell(engine: &Perihelion) {
    let corpus = turns().into_iter().chain(facts()).map(|(_, request)| request);
    engine.remember_all(corpus.collect()).unwrap();
    let of = |content: &str, tag: &str, alias: &str| Remember {
        facets: Facets { tags: vec![tag.into()], aliases: vec![alias.into()], ..Facets::default() },
        ..Remember::new(content)
    };
    let told = [
        of("민수는 경주에서 황남빵을 먹었고 커피는 드립을 좋아한다", "여행", "민수"),
        of("小明喜欢喝手冲咖啡，我们在人民公园见面", "咖啡", "小明"),
        of("The bridge over the canal is called heron internally", "names", "codename heron"),
    ];
    let ids: Vec<MemoryId> = told.into_iter().map(|request| engine.remember(request).unwrap().id).collect();
    let edge = NewEdge { source: ids[2], target: ids[0], edge_type: EdgeType::RelatedTo, weight: 1.0 };
    engine.link(&Scope::default(), &edge).unwrap();
    engine.maintain().unwrap();
}

#[test]
fn the_database_answers_as_memory_does() {
    let Some(both) = both() else { return };
    tell(&both.memory);
    assert_eq!(fed(&both.url), 0, "nothing is fed that is searched in memory");
    both.database.maintain().unwrap();
    assert!(fed(&both.url) > 0);
    assert!(both.agree_on_all_questions() > 60, "and they find something");
    both.agree(&Recall::new("What did Teodor carry?").limit(3));
    both.agree(&Recall::new("dog").as_of(time("2024-05-01T00:00:00Z")));
}

#[test]
fn a_question_feeds_first_what_nobody_has_fed() {
    let Some(both) = both() else { return };
    tell(&both.memory);
    let many = (0..400).map(|number| Remember::new(format!("note {number} about the harbour")));
    both.memory.remember_all(many.collect()).unwrap();
    assert_eq!(fed(&both.url), 0);
    both.agree_on_all_questions();
    assert!(fed(&both.url) > 400);
}

#[test]
fn what_was_written_is_seen_at_once_whether_it_was_fed_or_not() {
    let Some(both) = both() else { return };
    tell(&both.memory);
    both.database.maintain().unwrap();
    let scope = Scope::default();
    let before = fed(&both.url);
    let one = both.memory.remember(Remember::new("물고기 연못 beside the zeppelin hangar")).unwrap().id;
    let asked = Recall::new("zeppelin hangar");
    assert_eq!(answer(&both.database, &asked)[0].0, one);
    assert_eq!(fed(&both.url), before, "nothing was fed for that");
    let request = Revise { content: Some("the submarine dock has a pond".to_owned()), ..Revise::default() };
    both.memory.revise(&scope, one, request).unwrap();
    assert!(answer(&both.database, &asked).iter().all(|(id, _)| *id != one));
    for round in ["not fed", "fed"] {
        assert_eq!(answer(&both.database, &Recall::new("submarine dock"))[0].0, one, "{round}");
        both.database.maintain().unwrap();
    }
    both.memory.forget(&scope, one).unwrap();
    for round in ["not fed", "fed"] {
        let found = answer(&both.database, &Recall::new("submarine dock"));
        assert!(found.iter().all(|(id, _)| *id != one), "{round}");
        both.database.maintain().unwrap();
    }
    both.memory.restore(&scope, one).unwrap();
    assert_eq!(answer(&both.database, &Recall::new("submarine dock"))[0].0, one);
    both.memory.forget(&scope, one).unwrap();
    both.memory.purge(&scope, one).unwrap();
    both.database.maintain().unwrap();
    both.agree_on_all_questions();
    both.agree(&Recall::new("submarine dock"));
}

#[test]
fn what_took_the_place_of_another_is_found_in_its_place() {
    let Some(both) = both() else { return };
    tell(&both.memory);
    both.memory.remember(Remember::new("The standup meeting is at 9:30")).unwrap();
    both.database.maintain().unwrap();
    both.memory.remember(Remember::new("The standup meeting is now at 10:15")).unwrap();
    assert!(both.agree(&Recall::new("when is the standup meeting")) > 0);
    both.database.maintain().unwrap();
    assert!(both.agree(&Recall::new("when is the standup meeting")) > 0);
}

#[test]
fn filters_let_through_the_same() {
    let Some(both) = both() else { return };
    plums(&both.memory);
    tell(&both.memory);
    both.database.maintain().unwrap();
    for filter in filters() {
        let request = Recall { filter, ..Recall::new("plum jam").limit(100) };
        both.agree(&request);
    }
    let spring = Filter { tags: vec!["여행".to_owned()], ..Filter::default() };
    assert_eq!(both.agree(&Recall { filter: spring, ..Recall::new("경주 커피") }), 1);
}

#[test]
fn a_feed_that_was_killed_goes_on_where_it_was() {
    if peri_servers::may_be_left_out() {
        return;
    }
    let mut server = Postgres::start().unwrap();
    let url = server.fresh_database().unwrap();
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let memory = node(folders[0].path(), &url, u64::MAX);
    tell(&memory);
    let many = (0..3500).map(|number| Remember::new(format!("crate {number} holds {} pears", number * 7)));
    memory.remember_all(many.collect()).unwrap();
    let feeder = Arc::new(node(folders[1].path(), &url, 0));
    let feeding = std::thread::spawn({
        let feeder = Arc::clone(&feeder);
        move || feeder.maintain().is_ok()
    });
    while fed(&url) == 0 && !feeding.is_finished() {
        std::thread::yield_now();
    }
    server.kill().unwrap();
    feeding.join().unwrap();
    server.start_again().unwrap();
    let both = Both {
        memory,
        database: node(folders[2].path(), &url, 0),
        url,
        _folders: [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()],
    };
    drop(feeder);
    both.agree(&Recall::new("which crate holds 700 pears?"));
    both.agree_on_all_questions();
}

#[test]
fn several_nodes_may_feed_at_once() {
    let Some(both) = both() else { return };
    tell(&both.memory);
    let many = (0..1500).map(|number| Remember::new(format!("barrel {number} holds {} figs", number * 3)));
    both.memory.remember_all(many.collect()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let third = node(folder.path(), &both.url, 0);
    std::thread::scope(|scope| {
        for engine in [&both.database, &third] {
            scope.spawn(|| engine.search(&Recall::new("which barrel holds 300 figs?")).unwrap());
        }
    });
    both.agree(&Recall::new("which barrel holds 300 figs?"));
    both.agree_on_all_questions();
}

#[test]
fn only_namespaces_that_are_large_enough_are_searched_in_the_database() {
    let Some(url) = database() else { return };
    let folder = tempfile::tempdir().unwrap();
    let engine = node(folder.path(), &url, 60);
    let tell = |count: usize| {
        let told = (0..count).map(|number| Remember::new(format!("lantern {number} of {count}")));
        engine.remember_all(told.collect()).unwrap();
        engine.maintain().unwrap();
        assert!(!engine.search(&Recall::new("lantern")).unwrap().hits.is_empty());
    };
    tell(20);
    assert_eq!(fed(&url), 0);
    tell(41);
    assert!(fed(&url) > 0);
}

#[test]
fn without_the_extension_large_namespaces_are_searched_in_memory_and_health_says_so() {
    let Some(both) = both() else { return };
    let refuse = "CREATE FUNCTION refuse() RETURNS event_trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'no extensions here'; END $$;
        CREATE EVENT TRIGGER refusal ON ddl_command_start WHEN TAG IN ('CREATE EXTENSION') EXECUTE FUNCTION refuse()";
    Postgres::shared().run(&both.url, refuse).unwrap();
    tell(&both.memory);
    both.database.maintain().unwrap();
    both.agree_on_all_questions();
    let warnings = both.database.health().warnings;
    let told = warnings.iter().any(|warning| warning.contains("pgvector") && warning.contains("in memory"));
    assert!(told, "{warnings:?}");
    assert!(!both.memory.health().warnings.iter().any(|warning| warning.contains("pgvector")));
}

#[test]
fn tables_of_another_copy_of_the_store_are_fed_anew() {
    let Some(both) = both() else { return };
    tell(&both.memory);
    both.database.maintain().unwrap();
    let asked = Recall::new("who reviews the authentication module");
    both.agree(&asked);
    Postgres::shared()
        .run(&both.url, "UPDATE sought_state SET mark = 'of another'; DELETE FROM sought_terms")
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let fresh = node(folder.path(), &both.url, 0);
    assert_eq!(answer(&fresh, &asked), answer(&both.database, &asked));
    both.agree(&asked);
}

#[test]
fn a_check_of_the_indexes_feeds_anew_what_does_not_agree() {
    let Some(both) = both() else { return };
    tell(&both.memory);
    both.database.maintain().unwrap();
    Postgres::shared()
        .run(&both.url, "UPDATE sought_state SET documents = documents - 1; DELETE FROM sought_terms")
        .unwrap();
    both.database.doctor();
    both.agree_on_all_questions();
}

/// A round of a conversation: every turn speaks of the harbour, and each of something of its own.
fn round(number: usize) -> Vec<Remember> {
    const THINGS: [&str; 12] = [
        "anchor", "beacon", "chain", "diver", "engine", "ferry", "gull", "hull", "island", "jetty", "keel",
        "lamp",
    ];
    let turn = |at: usize| Remember {
        facets: Facets {
            session: Some(format!("round {number}")),
            speaker: Some(if at.is_multiple_of(2) { "Mira" } else { "Jonas" }.to_owned()),
            occurred_at: Some(time(&format!("2024-03-{:02}T10:{at:02}:00Z", 1 + number % 28))),
            ..Facets::default()
        },
        ..Remember::new(format!(
            "At the harbour crane {} they painted the {} number {at} beside the {}",
            number * 60 + at,
            THINGS[(number * 7 + at) % 12],
            THINGS[(number + at * 5) % 12],
        ))
    };
    (0..60).map(turn).collect()
}

#[test]
fn words_that_occur_everywhere_are_found_after_many_feeds() {
    let Some(mut both) = both() else { return };
    // Nothing is linked or replaced, which is not what this is about.
    let graph = GraphSettings { auto_link: false, ..GraphSettings::default() };
    let consolidation =
        ConsolidationSettings { merge: false, supersede: false, ..ConsolidationSettings::default() };
    let folder = tempfile::tempdir().unwrap();
    let plain = |from, name| {
        let options = options(&folder.path().join(name), &both.url, from);
        Perihelion::open(Options { graph, consolidation, ..options }).unwrap()
    };
    (both.memory, both.database) = (plain(u64::MAX, "memory"), plain(0, "database"));
    let scope = Scope::default();
    for number in 0..18 {
        let told = both.memory.remember_all(round(number)).unwrap();
        if number > 0 {
            let content = format!("The harbour was closed in round {number} and the ferry waited");
            let request = Revise { content: Some(content), ..Revise::default() };
            both.memory.revise(&scope, told[number].id, request).unwrap();
            both.memory.forget(&scope, told[number + 1].id).unwrap();
        }
        both.database.maintain().unwrap();
    }
    let merged =
        "DO $$ BEGIN IF (SELECT max(level) FROM sought_blocks) < 1 THEN RAISE EXCEPTION 'no run was merged';
                  END IF; END $$";
    Postgres::shared().run(&both.url, merged).unwrap();
    for question in [
        "what was painted at harbour crane 431",
        "in which round was the harbour closed while the ferry waited",
        "What did Mira say about crane 77?",
        "Who painted the lamp number 13 beside the keel on 5 March 2024?",
    ] {
        both.agree(&Recall::new(question).limit(5));
    }
}

/// What is found for every question, the best first.
fn contents(engine: &Perihelion) -> Vec<Vec<String>> {
    tell(engine);
    let own = questions();
    let all = own.iter().map(|one| one.question.as_str()).chain(QUESTIONS);
    let found = |question: &str| engine.search(&Recall::new(question)).unwrap().hits;
    all.map(|question| found(question).into_iter().map(|hit| hit.memory.content).collect()).collect()
}

#[test]
fn every_store_answers_alike() {
    if peri_servers::may_be_left_out() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let embedded = Options { chores: Chores::ByHand, ..Options::at(folder.path().join("embedded")) };
    let expected = contents(&Perihelion::open(embedded).unwrap());
    assert!(expected.iter().map(Vec::len).sum::<usize>() > 60, "and something is found");
    let urls = [Postgres::shared().fresh_database().unwrap(), MariaDb::shared().fresh_database().unwrap()];
    for (url, name) in urls.iter().zip(["postgres", "mariadb"]) {
        assert_eq!(contents(&node(&folder.path().join(name), url, u64::MAX)), expected, "{name}");
    }
}
