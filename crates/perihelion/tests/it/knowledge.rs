//! The knowledge graph: kept as memories, changed as the reference server changes it, and by many at once.

mod model;

use std::collections::BTreeSet;
use std::time::Duration;

use perihelion::{
    AddObservations, Clock, DeleteObservations, Entity, Error, ErrorKind, ImportOptions, KnowledgeGraph,
    Limits, Memory, Options, OrbitSettings, Perihelion, Recall, Relation, Remember, Revise, Scope, Trashed,
    Walk, Zone,
};

use crate::orbit::{DAY, move_to, plain, start};
use crate::support::{all, ask, contents, finds, fresh, keep, kind_of, ns, open, options};

fn entity(name: &str, entity_type: &str, observations: &[&str]) -> Entity {
    let observations = observations.iter().map(|&text| text.to_owned()).collect();
    Entity { name: name.to_owned(), entity_type: entity_type.to_owned(), observations }
}

fn relation(from: &str, relation_type: &str, to: &str) -> Relation {
    let [from, to, relation_type] = [from, to, relation_type].map(str::to_owned);
    Relation { from, to, relation_type }
}

fn add(name: &str, contents: &[&str]) -> AddObservations {
    let contents = contents.iter().map(|&text| text.to_owned()).collect();
    AddObservations { entity_name: name.to_owned(), contents }
}

fn create(engine: &Perihelion, entities: &[Entity]) -> Vec<Entity> {
    engine.create_entities(&ns("default"), entities.to_vec()).unwrap()
}

fn relate(engine: &Perihelion, relations: &[Relation]) -> Vec<Relation> {
    engine.create_relations(&ns("default"), relations.to_vec()).unwrap()
}

fn graph(engine: &Perihelion) -> KnowledgeGraph {
    engine.read_graph(&ns("default")).unwrap()
}

/// The one memory outside the trash with this content.
fn memory(engine: &Perihelion, content: &str) -> Memory {
    let mut found = all(engine, Trashed::Without);
    found.retain(|memory| memory.content == content);
    assert_eq!(found.len(), 1, "{content}");
    found.remove(0)
}

/// Ana, who works at Acme.
fn ana_at_acme(engine: &Perihelion) {
    create(
        engine,
        &[
            entity("Ana", "person", &["prefers tea over coffee", "lives in Lisbon"]),
            entity("Acme", "company", &["makes anvils"]),
        ],
    );
    relate(engine, &[relation("Ana", "works_at", "Acme")]);
}

#[test]
fn every_part_is_a_memory_that_recall_finds() {
    let (_folder, engine) = fresh();
    ana_at_acme(&engine);
    assert!(finds(&engine, "what does Ana like to drink?", "Ana: prefers tea over coffee"));
    assert!(finds(&engine, "where does Ana work?", "Ana works_at Acme"));
    assert!(finds(&engine, "Acme", "Acme (company)"));
    let kept: Vec<String> = all(&engine, Trashed::Without).into_iter().map(|memory| memory.content).collect();
    assert_eq!(kept.len(), 6);
    assert!(all(&engine, Trashed::Without).iter().all(|memory| memory.facets.tags[0] == "knowledge"));
}

#[test]
fn an_observation_is_recalled_by_the_name_of_its_entity() {
    let (_folder, engine) = fresh();
    for (name, kind, texts, question) in [
        (
            "John_Smith",
            "person",
            ["speaks fluent Spanish", "graduated in 2019"],
            "what does John Smith speak?",
        ),
        ("김민수", "사람", ["스페인어를 잘한다", "서울에 산다"], "김민수는 어디에 살아?"),
        ("王小明", "人", ["喜欢喝绿茶", "住在上海"], "王小明喜欢喝什么"),
    ] {
        create(&engine, &[entity(name, kind, &texts)]);
        let recalled = ask(&engine, question);
        let found = contents(&recalled);
        assert!(
            found.iter().any(|content| content.starts_with(&format!("{name}: "))),
            "{question}: {found:?}"
        );
        assert!(!ask(&engine, name).hits.is_empty());
    }
}

#[test]
fn a_call_that_names_an_unknown_entity_is_refused_and_changes_nothing() {
    let (_folder, engine) = fresh();
    ana_at_acme(&engine);
    let (before, place) = (graph(&engine), ns("default"));
    let adding = engine.add_observations(&place, vec![add("Ana", &["plays chess"]), add("Zed", &["is new"])]);
    let relating = engine
        .create_relations(&place, vec![relation("Ana", "knows", "Acme"), relation("Ana", "knows", "Zed")]);
    for error in [adding.map(|_| ()).unwrap_err(), relating.map(|_| ()).unwrap_err()] {
        assert_eq!(error.to_string(), "Entity with name Zed not found");
        assert_eq!((error.kind(), error.hint()), (ErrorKind::NotFound, None));
    }
    assert_eq!(graph(&engine), before);
}

#[test]
fn what_reads_alike_stays_apart() {
    let (_folder, engine) = fresh();
    let said = keep(&engine, "A: b: c");
    let entities = [
        entity("A", "letter", &["b: c", "b: c"]),
        entity("A: b", "letter", &["c"]),
        entity("B", "letter", &["b: c"]),
    ];
    assert_eq!(create(&engine, &entities), entities);
    assert_eq!(graph(&engine).entities, entities);
    let deletion = DeleteObservations { entity_name: "A".to_owned(), observations: vec!["b: c".to_owned()] };
    assert_eq!(engine.delete_observations(&ns("default"), vec![deletion]).unwrap().deleted_count, 2);
    let left = graph(&engine).entities;
    assert_eq!(
        (left[0].observations.len(), left[1].observations.len(), left[2].observations.len()),
        (0, 1, 1)
    );
    assert!(engine.get(&Scope::All, said).unwrap().trashed_at.is_none(), "what was said is not the graph's");
}

#[test]
fn consolidation_leaves_the_graph_alone_and_what_is_said_beside_it() {
    let (_folder, engine) = fresh();
    let texts = ["prefers tea over coffee.", "prefers tea to coffee", "prefers coffee over tea"];
    create(&engine, &[entity("Ana", "person", &texts), entity("Port", "setting", &["is 8080"])]);
    engine.add_observations(&ns("default"), vec![add("Port", &["is now 9090 instead of 8080"])]).unwrap();
    let before = graph(&engine);
    for said in ["Ana prefers tea to coffee", "Ana: prefers tea over coffee", "Port is now 7070"] {
        assert!(engine.remember(Remember::new(said)).unwrap().superseded.is_empty());
    }
    engine.maintain().unwrap();
    assert_eq!(graph(&engine), before);
    let replaced =
        all(&engine, Trashed::Without).into_iter().filter(|one| one.facets.superseded_by.is_some());
    assert_eq!(replaced.filter(|one| one.part().is_some()).count(), 0);
}

#[test]
fn the_graph_moves_outward_with_time_but_is_never_forgotten() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let orbit = OrbitSettings { step: Duration::from_secs(3600), ..OrbitSettings::default() };
    let engine = Perihelion::open(plain(folder.path(), &clock, orbit)).unwrap();
    ana_at_acme(&engine);
    let said = keep(&engine, "nobody will ever ask for this");
    let before = graph(&engine);
    for day in [100, 101, 110] {
        move_to(&clock, day * DAY);
        engine.maintain().unwrap();
    }
    assert_eq!(graph(&engine), before);
    assert!(engine.get(&Scope::All, said).unwrap().trashed_at.is_some());
    assert!(all(&engine, Trashed::Without).iter().all(|memory| memory.zone == Zone::Cloud));
}

#[test]
fn what_is_deleted_lies_in_the_trash_and_can_be_created_anew_or_restored() {
    let (_folder, engine) = fresh();
    ana_at_acme(&engine);
    let (old, place) = (memory(&engine, "Ana (person)").id, ns("default"));
    let told = engine.delete_entities(&place, vec!["Ana".to_owned(), "Zed".to_owned()]).unwrap();
    assert_eq!(
        (told.deleted.as_slice(), told.not_found.as_slice()),
        (&["Ana".to_owned()][..], &["Zed".to_owned()][..])
    );
    assert_eq!(all(&engine, Trashed::Only).len(), 4, "with two observations and a relation");
    assert!(ask(&engine, "what does Ana like?").hits.is_empty());
    assert_eq!(graph(&engine).entities, [entity("Acme", "company", &["makes anvils"])]);

    assert_eq!(create(&engine, &[entity("Ana", "robot", &["beeps"])]).len(), 1);
    assert_eq!(
        graph(&engine).entities[1],
        entity("Ana", "robot", &["beeps"]),
        "nothing of the old one is left"
    );
    assert_eq!(kind_of(engine.restore(&Scope::All, old)), Some(ErrorKind::Conflict), "the name is taken");

    engine.delete_entities(&place, vec!["Ana".to_owned()]).unwrap();
    for trashed in all(&engine, Trashed::Only).iter().filter(|one| !one.content.ends_with("beeps")) {
        if trashed.content != "Ana (robot)" {
            engine.restore(&Scope::All, trashed.id).unwrap();
        }
    }
    let restored = graph(&engine);
    assert_eq!(
        restored.entities[0],
        entity("Ana", "person", &["prefers tea over coffee", "lives in Lisbon"])
    );
    assert_eq!(restored.relations.len(), 1);
}

#[test]
fn a_relation_is_an_edge_as_long_as_there_is_one_between_the_two() {
    let (_folder, engine) = fresh();
    ana_at_acme(&engine);
    let (ana, acme) = (memory(&engine, "Ana (person)").id, memory(&engine, "Acme (company)").id);
    let place = ns("default");
    let reached = |engine: &Perihelion| {
        let steps = engine.walk(&place, &Walk::from(&[ana])).unwrap();
        steps.iter().any(|step| step.id == acme)
    };
    relate(&engine, &[relation("Ana", "owns", "Acme"), relation("Ana", "is", "Ana")]);
    assert!(reached(&engine));
    assert_eq!(engine.delete_relations(&place, vec![relation("Ana", "owns", "Acme")]).unwrap(), 1);
    assert!(reached(&engine));
    assert_eq!(engine.delete_relations(&place, vec![relation("Ana", "works_at", "Acme")]).unwrap(), 1);
    assert!(!reached(&engine));
    // A relation may be there before its ends.
    let relations = vec![relation("Ana", "visits", "Lisbon")];
    engine.add_knowledge(&place, KnowledgeGraph { entities: Vec::new(), relations }).unwrap();
    create(&engine, &[entity("Lisbon", "city", &[])]);
    let lisbon = memory(&engine, "Lisbon (city)").id;
    assert!(engine.walk(&place, &Walk::from(&[ana])).unwrap().iter().any(|step| step.id == lisbon));
}

#[test]
fn searching_finds_what_holds_the_letters_first_and_then_what_recall_finds() {
    let (_folder, engine) = fresh();
    ana_at_acme(&engine);
    create(&engine, &[entity("Teapot", "thing", &["is made of iron"])]);
    let search = |query: &str| {
        let found = engine.search_nodes(&ns("default"), query).unwrap();
        let names: Vec<String> = found.entities.into_iter().map(|entity| entity.name).collect();
        (names, found.relations.len())
    };
    assert_eq!(search("ANVIL"), (vec!["Acme".to_owned()], 1));
    assert_eq!(search("tea").0[..2], ["Ana", "Teapot"]);
    assert_eq!(search("what does Ana like to drink?").0[0], "Ana");
    assert_eq!(search("").0, ["Ana", "Acme", "Teapot"]);
    assert_eq!(search("quantum chromodynamics"), (Vec::new(), 0));
    keep(&engine, "anvils are heavy");
    assert_eq!(search("anvils are heavy").0, ["Acme"], "only the graph is searched");
}

#[test]
fn a_graph_moves_with_its_export_and_keeps_its_order() {
    let (_folder, engine) = fresh();
    ana_at_acme(&engine);
    create(&engine, &[entity("王小明", "人", &["喜欢喝绿茶", "喜欢喝绿茶"])]);
    let mut exported = Vec::new();
    engine.export(&Scope::All, &mut exported).unwrap();
    let (_other_folder, other) = fresh();
    other.import(&mut exported.as_slice(), ImportOptions::default()).unwrap();
    assert_eq!(graph(&other), graph(&engine));
    create(&other, &[entity("Zed", "person", &[])]);
    assert_eq!(graph(&other).entities.last().unwrap().name, "Zed");
}

#[test]
fn the_order_is_that_of_adding_although_the_clock_was_set_back() {
    let folder = tempfile::tempdir().unwrap();
    for (name, at) in [("first", start()), ("second", start() - Duration::from_secs(3600))] {
        let engine =
            Perihelion::open(Options { clock: Clock::manual(at), ..options(folder.path()) }).unwrap();
        create(&engine, &[entity(name, "thing", &[])]);
        engine.close().unwrap();
    }
    let names: Vec<String> = graph(&open(folder.path())).entities.into_iter().map(|one| one.name).collect();
    assert_eq!(names, ["first", "second"]);
}

#[test]
fn what_is_too_large_is_refused_by_the_name_of_its_entity() {
    let folder = tempfile::tempdir().unwrap();
    let limits = Limits { content_bytes_max: 64, label_bytes_max: 16, ..Limits::default() };
    let engine = Perihelion::open(Options { limits, ..options(folder.path()) }).unwrap();
    create(&engine, &[entity("Ana", "person", &[])]);
    let (before, place, long) = (graph(&engine), ns("default"), "x".repeat(80));
    let refused: [(Result<(), Error>, &str); 6] = [
        (engine.create_entities(&place, vec![entity("Bo", "person", &["is ok", &long])]).map(|_| ()), "Bo"),
        (engine.create_entities(&place, vec![entity(&long, "person", &[])]).map(|_| ()), "xxx"),
        (engine.create_entities(&place, vec![entity(" ", "person", &[])]).map(|_| ()), "empty"),
        (engine.create_entities(&place, vec![entity("B\0", "person", &[])]).map(|_| ()), "NUL"),
        (engine.add_observations(&place, vec![add("Ana", &["is ok", &long])]).map(|_| ()), "Ana"),
        (engine.create_relations(&place, vec![relation("Ana", &long, "Ana")]).map(|_| ()), "Ana"),
    ];
    for (outcome, named) in refused {
        let error = outcome.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidInput, "{error}");
        assert!(error.to_string().starts_with("entity ") && error.to_string().contains(named), "{error}");
    }
    assert_eq!(graph(&engine), before);
}

#[test]
fn secrets_are_taken_out_of_every_part_and_are_not_added_twice() {
    let (_folder, engine) = fresh();
    let secret = format!("ghp_{}", "a1B2c3D4e5F6".repeat(3));
    let text = format!("uses {secret} to deploy");
    let made = create(&engine, &[entity("Ana", "person", &[&text])]);
    assert!(!made[0].observations[0].contains(&secret));
    let again = engine.add_observations(&ns("default"), vec![add("Ana", &[&text])]).unwrap();
    assert!(again[0].added_observations.is_empty());
    let stored = serde_json::to_string(&all(&engine, Trashed::Without)).unwrap();
    assert!(!stored.contains(&secret), "{stored}");
    let deletion = DeleteObservations { entity_name: "Ana".to_owned(), observations: vec![text] };
    assert_eq!(engine.delete_observations(&ns("default"), vec![deletion]).unwrap().deleted_count, 1);
}

#[test]
fn a_part_that_was_revised_or_expired_is_seen_as_it_is_now() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let engine = Perihelion::open(Options { clock: clock.clone(), ..options(folder.path()) }).unwrap();
    ana_at_acme(&engine);
    let revise = |content: &str, request: Revise| {
        engine.revise(&Scope::All, memory(&engine, content).id, request).unwrap();
    };
    let said = |content: &str| Revise { content: Some(content.to_owned()), ..Revise::default() };
    revise("Ana: lives in Lisbon", said("Ana: lives in Porto"));
    revise("Ana: prefers tea over coffee", said("She drinks tea"));
    assert_eq!(graph(&engine).entities[0].observations, ["She drinks tea", "lives in Porto"]);
    let soon = Some(Some(start() + Duration::from_secs(60)));
    revise("Acme (company)", Revise { expires_at: soon, ..Revise::default() });
    move_to(&clock, 120);
    assert_eq!(graph(&engine).entities.len(), 1);
    assert_eq!(create(&engine, &[entity("Acme", "shop", &[])]).len(), 1);
    assert_eq!(graph(&engine).entities[1].entity_type, "shop");
}

#[test]
fn engines_that_create_at_once_create_each_entity_once_and_whole() {
    const ENTITIES: usize = 12;
    const ENGINES: usize = 4;
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let work = |number: usize| {
        let engine = open(folder);
        let mut created = Vec::new();
        for at in 0..ENTITIES {
            let texts = [format!("was made by {number}"), format!("has the number {number}")];
            let made = create(&engine, &[entity(&format!("entity{at}"), "thing", &[&texts[0], &texts[1]])]);
            created.extend(made.into_iter().map(|entity| entity.name));
            let own = format!("is known to {number}");
            engine
                .add_observations(&ns("default"), vec![add(&format!("entity{at}"), &[&own, "is shared"])])
                .unwrap();
            relate(&engine, &[relation(&format!("entity{at}"), "follows", "entity0")]);
        }
        created
    };
    let created: Vec<String> = std::thread::scope(|scope| {
        let engines: Vec<_> = (0..ENGINES).map(|number| scope.spawn(move || work(number))).collect();
        engines.into_iter().flat_map(|engine| engine.join().unwrap()).collect()
    });
    assert_eq!((created.len(), created.iter().collect::<BTreeSet<_>>().len()), (ENTITIES, ENTITIES));
    let graph = graph(&open(folder));
    assert_eq!((graph.entities.len(), graph.relations.len()), (ENTITIES, ENTITIES));
    for entity in graph.entities {
        let count = |part: &str| entity.observations.iter().filter(|text| text.contains(part)).count();
        assert_eq!((count("was made by"), count("has the number")), (1, 1), "{entity:?}");
        assert_eq!((count("is known to"), count("is shared")), (ENGINES, 1), "{entity:?}");
    }
}

#[test]
fn namespaces_have_graphs_of_their_own() {
    let (_folder, engine) = fresh();
    ana_at_acme(&engine);
    assert_eq!(engine.read_graph(&ns("team/other")).unwrap(), KnowledgeGraph::default());
    engine.create_entities(&ns("team/other"), vec![entity("Ana", "robot", &[])]).unwrap();
    assert_eq!(graph(&engine).entities[0].entity_type, "person");
    let elsewhere = Recall::new("Ana").in_scope(Scope::Exact(ns("team/other")));
    assert_eq!(contents(&engine.recall(&elsewhere).unwrap()), ["Ana (robot)"]);
}

#[test]
fn graphs_of_two_namespaces_become_one_when_one_is_moved_into_the_other() {
    let (_folder, engine) = fresh();
    ana_at_acme(&engine);
    let known = entity("Ana", "robot", &["lives in Lisbon", "beeps"]);
    engine.create_entities(&ns("other"), vec![known]).unwrap();
    engine.move_namespace(&ns("other"), &ns("default")).unwrap();
    let merged = graph(&engine).entities;
    assert_eq!(merged.len(), 2);
    let observations: BTreeSet<&str> = merged[0].observations.iter().map(String::as_str).collect();
    assert_eq!(observations, BTreeSet::from(["prefers tea over coffee", "lives in Lisbon", "beeps"]));
    assert_eq!(merged[0].observations.len(), 3);
}
