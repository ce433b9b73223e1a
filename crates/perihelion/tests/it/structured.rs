//! Facts and procedures with their structure, and any other JSON beside its words.

use perihelion::{
    ErrorKind, FactData, FactRelation, ImportOptions, Kind, ProcedureData, Recall, Remember, Revise, Scope,
    fact_of, procedure_of,
};
use serde_json::json;

use crate::support::{fresh, kind_of};

fn heron() -> FactData {
    let properties = json!({ "길이": "90 cm", "eats": ["fish", "frogs"] });
    FactData {
        concept: "Grey heron".to_owned(),
        definition: "a wading bird of lakes and rivers".to_owned(),
        properties: properties.as_object().unwrap().clone(),
        relations: vec![FactRelation { relation: "part_of".to_owned(), target: "Ardeidae".to_owned() }],
        ..FactData::default()
    }
}

fn release() -> ProcedureData {
    ProcedureData {
        skill: "release the server".to_owned(),
        steps: vec!["运行测试".to_owned(), "tag the commit".to_owned(), "push the image".to_owned()],
        conditions: vec!["the tests are green".to_owned()],
        success_rate: Some(0.95),
        ..ProcedureData::default()
    }
}

#[test]
fn facts_and_procedures_come_back_as_they_were_given_and_are_found_by_their_words() {
    let (folder, engine) = fresh();
    let fact = engine.remember(Remember::fact(&heron())).unwrap().id;
    let procedure = engine.remember(Remember::procedure(&release())).unwrap().id;
    engine.close().unwrap();
    let engine = crate::support::open(folder.path());
    assert_eq!(fact_of(&engine.get(&Scope::All, fact).unwrap()), Some(heron()));
    assert_eq!(procedure_of(&engine.get(&Scope::All, procedure).unwrap()), Some(release()));
    for (question, id) in [("what do herons eat?", fact), ("how do we release the server?", procedure)] {
        let hits = engine.recall(&Recall::new(question)).unwrap().hits;
        assert_eq!(hits.first().map(|hit| hit.memory.id), Some(id), "{question}");
    }
    let mut export = Vec::new();
    engine.export(&Scope::All, &mut export).unwrap();
    let (_other, second) = fresh();
    second.import(&mut &export[..], ImportOptions::default()).unwrap();
    assert_eq!(procedure_of(&second.get(&Scope::All, procedure).unwrap()), Some(release()));
}

#[test]
fn a_structure_that_is_not_what_it_claims_is_refused_and_nothing_is_stored() {
    let (_folder, engine) = fresh();
    for (kind, data) in [
        (Kind::Procedure, json!({ "skill": "tea", "steps": "boil" })),
        (Kind::Procedure, json!({ "skill": "tea", "steps": [] })),
        (Kind::Procedure, json!({ "skill": "tea", "steps": ["boil"], "success_rate": 2 })),
        (Kind::Fact, json!({ "concept": " " })),
        (Kind::Fact, json!({ "concept": "heron", "relations": [{ "relation": "eats" }] })),
    ] {
        let mut request = Remember::default().kind(kind);
        request.facets.data = Some(data.clone());
        assert_eq!(kind_of(engine.remember(request)), Some(ErrorKind::InvalidInput), "{data}");
    }
    assert_eq!(engine.stats(&Scope::All).unwrap().memories, 0);
}

#[test]
fn words_that_were_made_from_a_structure_follow_it_and_others_do_not() {
    let (_folder, engine) = fresh();
    let made = engine.remember(Remember::procedure(&release())).unwrap().id;
    let mut told = Remember::new("We release on Fridays, see the steps").kind(Kind::Procedure);
    told.facets.data = Some(serde_json::to_value(release()).unwrap());
    let told = engine.remember(told).unwrap().id;
    let shorter = ProcedureData { steps: vec!["press the button".to_owned()], ..release() };
    for id in [made, told] {
        let data = Some(Some(serde_json::to_value(&shorter).unwrap()));
        engine.revise(&Scope::All, id, Revise { data, ..Revise::default() }).unwrap();
    }
    let made = engine.get(&Scope::All, made).unwrap();
    assert!(made.content.contains("press the button"), "{}", made.content);
    let told = engine.get(&Scope::All, told).unwrap();
    assert_eq!(told.content, "We release on Fridays, see the steps");
    assert_eq!(procedure_of(&told), Some(shorter));
    let wrong = Revise { data: Some(Some(json!({ "skill": "x", "steps": 1 }))), ..Revise::default() };
    assert_eq!(kind_of(engine.revise(&Scope::All, told.id, wrong)), Some(ErrorKind::InvalidInput));
}

#[test]
fn what_is_called_a_password_is_taken_out_of_structures_too() {
    let (_folder, engine) = fresh();
    let mut request = Remember::new("The staging login");
    request.facets.data = Some(json!({ "user": "ana", "password": "hunter2zebra!9" }));
    request.facets.metadata.insert("api_key".to_owned(), json!("q9w8e7r6t5y4u3i2o1p0"));
    let receipt = engine.remember(request).unwrap();
    assert!(!receipt.redacted.is_empty());
    let mut export = Vec::new();
    engine.export(&Scope::All, &mut export).unwrap();
    let export = String::from_utf8(export).unwrap();
    assert!(!export.contains("hunter2zebra") && !export.contains("q9w8e7r6t5"), "{export}");
    assert!(export.contains("\"user\":\"ana\""), "{export}");
}
