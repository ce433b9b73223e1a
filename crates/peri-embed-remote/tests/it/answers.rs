//! Answers that lie: none of them becomes a vector.

use peri_embed::Engine as _;
use peri_embed_remote::RemoteError;
use serde_json::{Value, json};

use crate::server::{Server, reply, vectors};
use crate::support::{desk, desk_with, said};

fn item(index: usize, embedding: Value) -> Value {
    json!({"object": "embedding", "index": index, "embedding": embedding})
}

#[test]
fn an_answer_that_cannot_be_right_is_refused_and_not_repeated() {
    let good = json!([1.0, 2.0, 3.0]);
    let data = |data: Value| json!({"data": data}).to_string();
    for body in [
        data(json!([item(0, good.clone())])),
        data(json!([item(0, good.clone()), item(1, good.clone()), item(2, good.clone())])),
        data(json!([item(0, good.clone()), item(0, good.clone())])),
        data(json!([item(0, good.clone()), item(9, good.clone())])),
        data(json!([item(0, good.clone()), item(1, json!([0, 0, 0]))])),
        data(json!([item(0, good.clone()), item(1, json!([1e300, 0, 0]))])),
        data(json!([item(0, good.clone()), item(1, json!("모르는 글"))])),
        data(json!([item(0, good.clone()), item(1, Value::Null)])),
        r#"{"data": [{"index": 0, "embedding": [NaN, 1, 1]}, {"index": 1, "embedding": [1, 1, 1]}]}"#
            .to_owned(),
        "<html>welcome</html>".to_owned(),
        "null".to_owned(),
        String::new(),
        "[".repeat(100_000),
    ] {
        let shown = body.chars().take(80).collect::<String>();
        let desk = desk(move |_, _| reply(200, "", &body));
        let error = said(desk.engine.embed(&["tea", "차"]));
        assert!(matches!(error, RemoteError::Garbled { .. }), "{shown}: {error:?}");
        assert_eq!(desk.server.seen().len(), 1, "{shown}");
    }
}

#[test]
fn vectors_of_another_length_are_told_from_garbage() {
    let desk = desk(|_, _| vectors(&[vec![1.0, 0.0]]));
    let error = said(desk.engine.embed(&["tea"]));
    assert!(matches!(error, RemoteError::OtherDimensions { expected: 3, found: 2, .. }), "{error:?}");
    let told = error.to_string();
    assert!(told.contains("vectors of 2 numbers for small") && told.contains("the space has 3"), "{told}");
}

#[test]
fn a_huge_answer_is_read_up_to_its_limit() {
    let server = Server::answering(|_, _| reply(200, "", " ".repeat(1_000_000)));
    let desk = desk_with(server, |settings| settings.answer_bytes_max = 1000);
    let error = said(desk.engine.embed(&["tea"]));
    assert!(matches!(&error, RemoteError::Garbled { why, .. } if why.contains("1000 bytes")), "{error:?}");
}
