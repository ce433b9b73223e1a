//! Embeddings for other machines: in OpenAI's shape, from the engine at work, and never made up.

use perihelion::EngineChoice;
use perihelion::embed::{Engine as _, StaticEngine, base64};
use serde_json::{Value, json};

use crate::support::House;

const TEXTS: [&str; 2] = ["Ana prefers tea over coffee", "The certificate expired on Sunday"];

fn expected() -> Vec<Vec<f32>> {
    StaticEngine::bundled().unwrap().embed(&TEXTS).unwrap().into_iter().flatten().collect()
}

fn model() -> String {
    StaticEngine::bundled().unwrap().space().model.clone()
}

#[tokio::test]
async fn vectors_are_those_of_the_engine_as_numbers_and_as_base64() {
    let house = House::open().await;
    let answer =
        house.post("/v1/embeddings", &json!({"input": TEXTS, "model": model()})).send().await.expect(200);
    assert_eq!((&answer["object"], &answer["model"]), (&json!("list"), &json!(model())));
    assert!(answer["usage"]["total_tokens"].as_u64().unwrap() > 5, "{}", answer["usage"]);
    for (index, expected) in expected().iter().enumerate() {
        let item = &answer["data"][index];
        assert_eq!((&item["index"], &item["object"]), (&json!(index), &json!("embedding")));
        let numbers: Vec<f32> = serde_json::from_value(item["embedding"].clone()).unwrap();
        assert_eq!(&numbers, expected, "to the last digit");
    }
    let body = json!({"input": TEXTS[0], "encoding_format": "base64", "dimensions": 256, "user": "ana"});
    let answer = house.post("/v1/embeddings", &body).send().await.expect(200);
    let text = answer["data"][0]["embedding"].as_str().unwrap();
    assert_eq!(base64::decode(text).as_ref(), Some(&expected()[0]));
    assert_eq!(answer["data"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn texts_that_the_engine_does_not_understand_are_named_and_nothing_is_made_up() {
    let house = House::open().await;
    let texts = ["Ana prefers tea over coffee", "회의는 화요일에 있다", "他早上喝茶", "?"];
    let answer = house.post("/v1/embeddings", &json!({"input": texts})).send().await;
    let problem = answer.problem(422, "not-understood");
    assert_eq!(problem["indexes"], json!([1, 2, 3]));
    assert!(problem["detail"].as_str().unwrap().contains("3 of the texts"), "{problem}");
}

#[tokio::test]
async fn requests_that_make_no_sense_are_refused_by_the_name_of_the_field() {
    let house = House::with(|settings| settings.body_bytes_max = 100_000).await;
    let many: Vec<&str> = vec!["tea"; 257];
    let cases: [(Value, &str); 10] = [
        (json!({}), "input"),
        (json!({"input": []}), "input"),
        (json!({"input": many}), "257 texts"),
        (json!({"input": [1, 2, 3]}), "lists of tokens are not taken"),
        (json!({"input": 7}), "input"),
        (json!({"input": "  "}), ""),
        (json!({"input": "tea", "model": "text-embedding-3-small"}), "is not at work here"),
        (json!({"input": "tea", "dimensions": 3}), "dimensions"),
        (json!({"input": "tea", "encoding_format": "int8"}), "encoding_format"),
        (json!({"input": "tea", "extra": 1}), "extra"),
    ];
    for (body, says) in cases {
        let problem = house.post("/v1/embeddings", &body).send().await.problem(400, "invalid-input");
        assert!(problem["detail"].as_str().unwrap().contains(says), "{body}: {problem}");
    }
    let huge = json!({"input": "tea ".repeat(50_000)});
    house.post("/v1/embeddings", &huge).send().await.problem(413, "too-large");
}

#[tokio::test]
async fn without_an_engine_it_is_told() {
    let house = House::over(|options| options.engine = EngineChoice::Off, |_| ()).await;
    let problem =
        house.post("/v1/embeddings", &json!({"input": "tea"})).send().await.problem(503, "unavailable");
    assert!(problem["detail"].as_str().unwrap().contains("no embedding engine is at work"), "{problem}");
}
