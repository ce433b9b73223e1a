//! What is sent: batches of bounded size, the beginning of long texts, and nothing where there is nothing to say.

use std::sync::Arc;

use peri_embed::Engine as _;
use peri_embed_remote::OpenAiEngine;
use serde_json::{Value, json};

use crate::server::{Server, complains, meaning, reply, truth};
use crate::support::{clock, desk, desk_with, said, settings, space, start};

#[test]
fn vectors_come_in_the_order_of_the_texts_over_any_number_of_batches() {
    let server = Server::answering(|_, request| truth(request));
    let desk = desk_with(server, |settings| (settings.batch_texts_max, settings.batch_bytes_max) = (3, 40));
    let texts: Vec<String> = (0..20).map(|number| format!("차 茶 tea {number}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let vectors = desk.engine.embed(&texts).unwrap();
    let expected: Vec<_> = texts.iter().map(|text| Some(meaning(text))).collect();
    assert_eq!(vectors, expected);
    let seen = desk.server.seen();
    assert!(seen.iter().all(|request| (1..=3).contains(&request.texts().len())));
    assert_eq!(seen.iter().flat_map(|request| request.texts()).collect::<Vec<_>>(), texts);
    assert!(seen.iter().any(|request| request.texts().len() == 2), "the bytes count too");
    assert_eq!(desk.engine.embed(&[]).unwrap(), Vec::<Option<Vec<f32>>>::new());
}

#[test]
fn every_language_is_sent_and_texts_that_say_nothing_are_not() {
    let desk = desk(|_, request| truth(request));
    let texts = ["인증서가 만료되었다", "", "…?!", "证书", " \n", "👍", "7"];
    let some: Vec<bool> = desk.engine.embed(&texts).unwrap().iter().map(Option::is_some).collect();
    assert_eq!(some, [true, false, false, true, false, false, true]);
    assert_eq!(desk.server.seen()[0].texts(), ["인증서가 만료되었다", "证书", "7"]);
    desk.engine.embed(&["", "?"]).unwrap();
    assert_eq!(desk.server.seen().len(), 1, "nobody is asked for nothing");
}

#[test]
fn only_texts_that_the_model_is_said_to_understand_are_sent() {
    let desk = desk(|_, request| truth(request));
    let engine = desk.engine.understanding(Arc::new(|text: &str| text.is_ascii()));
    let vectors = engine.embed(&["tea", "차"]).unwrap();
    assert_eq!(vectors, [Some(meaning("tea")), None]);
}

#[test]
fn of_a_long_text_the_beginning_is_sent_in_whole_characters() {
    let server = Server::answering(|_, request| truth(request));
    let desk = desk_with(server, |settings| settings.text_bytes_max = 10);
    desk.engine.embed(&["가나다라마바사", "short"]).unwrap();
    assert_eq!(desk.server.seen()[0].texts(), ["가나다", "short"]);
}

#[test]
fn the_server_is_asked_once_how_long_its_vectors_are_unless_somebody_says() {
    let server = Server::answering(|_, request| truth(request));
    let asking = |known: Option<&peri_types::SpaceId>| {
        let mut settings = settings(&server.address());
        settings.dimensions = None;
        OpenAiEngine::with_pace(settings, known, clock(), peri_embed_remote::Pace::manual(&clock())).unwrap()
    };
    assert_eq!(asking(None).space(), &space(3));
    assert_eq!(server.seen().len(), 1);
    assert_eq!(asking(Some(&space(3))).space(), &space(3));
    assert_eq!(server.seen().len(), 1, "vectors of this space were made before");
    let other = peri_types::SpaceId { model: "other".to_owned(), dimensions: 9 };
    assert_eq!(asking(Some(&other)).space(), &space(3));
    assert_eq!(server.seen().len(), 2, "another space says nothing about this one");
}

#[test]
fn a_server_that_understands_nothing_has_no_length_of_vectors_to_tell() {
    let server = Server::answering(|_, _| {
        reply(422, "", json!({"type": "/problems/not-understood", "indexes": [0]}).to_string())
    });
    let mut settings = settings(&server.address());
    settings.dimensions = None;
    let (clock, pace) = (clock(), peri_embed_remote::Pace::manual(&clock()));
    let told = said(start(settings, &clock, &pace)).to_string();
    assert!(told.contains("set embedding.dimensions"), "{told}");
}

#[test]
fn the_space_is_called_like_the_model_unless_somebody_says() {
    let server = Server::answering(|_, request| truth(request));
    assert_eq!(desk_with(server, |_| {}).engine.space(), &space(3));
    let server = Server::answering(|_, request| truth(request));
    let desk = desk_with(server, |settings| settings.space = Some("공간".to_owned()));
    assert_eq!(desk.engine.space().model, "공간");
    desk.engine.embed(&["tea"]).unwrap();
    assert_eq!(desk.server.seen()[0].body["model"], "small");
}

#[test]
fn a_server_that_takes_no_dimensions_is_asked_without_them() {
    let desk = desk(|_, request| match request.body.get("dimensions") {
        Some(_) => complains(400, "This model does not support specifying dimensions."),
        None => truth(request),
    });
    for _ in 0..2 {
        assert_eq!(desk.engine.embed(&["tea"]).unwrap(), [Some(meaning("tea"))]);
    }
    let sent: Vec<Value> =
        desk.server.seen().iter().map(|request| request.body["dimensions"].clone()).collect();
    assert_eq!(sent, [json!(3), Value::Null, Value::Null], "which is found out once");
}

#[test]
fn texts_that_the_server_does_not_understand_have_no_vector_and_cost_nobody_else_one() {
    let desk = desk(|_, request| {
        let texts = request.texts();
        let unknown: Vec<usize> = (0..texts.len()).filter(|at| !texts[*at].is_ascii()).collect();
        if unknown.is_empty() {
            return truth(request);
        }
        let problem = json!({"type": "/problems/not-understood", "detail": "?", "indexes": unknown});
        reply(422, "", problem.to_string())
    });
    let vectors = desk.engine.embed(&["차", "tea", "茶", "milk"]).unwrap();
    assert_eq!(vectors, [None, Some(meaning("tea")), None, Some(meaning("milk"))]);
    assert_eq!(desk.engine.embed(&["차", "茶"]).unwrap(), [None, None]);
    assert_eq!(desk.server.seen().len(), 3);
    assert_eq!(desk.engine.trouble(), None);
}
