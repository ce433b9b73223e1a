//! What servers answer, and where they are.

use peri_llm::Provider;
use peri_remote::{complaint, retry_after};
use serde_json::{Value, json};

use super::desk::now;
use crate::given::{self, is_for_people};

/// Answers of embedding servers: as many vectors as texts, each of length one and of the same dimensions, or none at all.
pub(crate) fn embedding_answer(data: &[u8]) {
    let (choice, body) = given::choice(data);
    let texts = 1 + choice % 4;
    let dimensions = (choice >= 128).then_some(3);
    let Some(vectors) = peri_embed_remote::fuzzing::answer(body, texts, dimensions) else { return };
    assert_eq!(vectors.len(), texts);
    for vector in vectors {
        assert!(dimensions.is_none_or(|wanted| vector.len() == wanted as usize));
        let length: f32 = vector.iter().map(|value| value * value).sum();
        assert!((length - 1.0).abs() < 1e-3, "a vector of length {length}");
    }
}

/// Answers of language models: JSON that is found is of the shape that was asked for, and complaints fit a line.
pub(crate) fn model_answer(data: &[u8]) {
    let (choice, data) = given::choice(data);
    let text = given::text(data);
    if let Ok(body) = serde_json::from_slice::<Value>(data) {
        for provider in [Provider::OpenAi, Provider::Anthropic] {
            match peri_llm::fuzzing::envelope(provider, &body) {
                Ok(words) => assert!(words.len() <= 16 + 4 * data.len()),
                Err(error) => is_for_people(&error),
            }
        }
    }
    let schema = match choice % 3 {
        0 => json!({}),
        1 => json!({"type": "object", "required": ["a"]}),
        _ => json!({"type": "array"}),
    };
    match peri_llm::fuzzing::json(&text, &schema) {
        Ok(value) => {
            assert!(choice % 3 != 1 || value.get("a").is_some());
            assert!(choice % 3 != 2 || value.is_array());
        }
        Err(error) => is_for_people(&error),
    }
    let said = complaint(data);
    assert!(!said.is_empty() && !said.contains('\n') && said.chars().count() <= 301);
}

/// Addresses of databases and models, and what servers say about waiting: no password is ever shown.
pub(crate) fn addresses(data: &[u8]) {
    let text = given::text(data);
    match peri_store::Address::parse(&text) {
        Ok(address) => hides_its_password(&text, &address.to_string()),
        Err(error) => is_for_people(&error),
    }
    match peri_remote::Address::parse(&text) {
        Ok(address) => {
            hides_its_password(&text, &address.to_string());
            assert!(!address.host().is_empty());
            assert!(address.below(&["v1", "embeddings"]).path().ends_with("embeddings"));
        }
        Err(error) => is_for_people(&error),
    }
    assert!(retry_after(&text, now()).is_none_or(|wait| wait <= std::time::Duration::MAX));
}

/// Only for one that stands where passwords do, and cannot be a part of the rest of the address by chance.
fn hides_its_password(text: &str, shown: &str) {
    const PASSWORD: &str = "hunter2swordfish";
    let Some((_, rest)) = text.split_once("://") else { return };
    let Some((user, _)) = rest.split_once(&format!(":{PASSWORD}@")) else { return };
    if !user.contains(['/', '?', '#', '\\', '@', ':']) && text.matches(PASSWORD).count() == 1 {
        assert!(!shown.contains(PASSWORD), "{shown}");
    }
}
