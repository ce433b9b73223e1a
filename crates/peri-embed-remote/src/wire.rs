//! OpenAI's embeddings: what is sent, and what an answer means.

use peri_embed::{base64, unit};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What is sent.
#[derive(Debug, Serialize)]
pub(crate) struct Wanted<'a> {
    pub(crate) model: &'a str,
    pub(crate) input: &'a [&'a str],
    pub(crate) encoding_format: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) dimensions: Option<u32>,
}

/// The part of an answer that matters.
#[derive(Debug, Deserialize)]
struct Answer {
    data: Vec<Item>,
}

#[derive(Debug, Deserialize)]
struct Item {
    index: Option<usize>,
    embedding: Written,
}

/// A vector as a server writes it.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Written {
    Numbers(Vec<f64>),
    Base64(String),
}

/// Why an answer cannot be used.
#[derive(Debug, PartialEq)]
pub(crate) enum Unusable {
    /// It is not what such servers send.
    Garbled(String),
    /// Its vectors are of another length.
    Dimensions(usize),
}

/// The vectors of an answer to so many texts, in the order of the texts, each of length one.
pub(crate) fn read(body: &[u8], texts: usize, dimensions: Option<u32>) -> Result<Vec<Vec<f32>>, Unusable> {
    let garbled = |why: &str| Unusable::Garbled(why.to_owned());
    let answer: Answer = serde_json::from_slice(body)
        .map_err(|_| garbled("it is not the JSON that servers of embeddings send"))?;
    if answer.data.len() != texts {
        return Err(Unusable::Garbled(format!("{} vectors came for {texts} texts", answer.data.len())));
    }
    let mut vectors: Vec<Option<Vec<f32>>> = vec![None; texts];
    for (at, item) in answer.data.into_iter().enumerate() {
        let place = vectors.get_mut(item.index.unwrap_or(at));
        let place = place.ok_or_else(|| garbled("a vector is of a text that was not sent"))?;
        if place.is_some() {
            return Err(garbled("two vectors are of the same text"));
        }
        *place = Some(vector(item.embedding, dimensions)?);
    }
    let vectors: Vec<_> = vectors.into_iter().flatten().collect();
    match vectors.iter().find(|vector| vector.len() != vectors[0].len()) {
        Some(_) => Err(garbled("its vectors are of different lengths")),
        None => Ok(vectors),
    }
}

fn vector(written: Written, dimensions: Option<u32>) -> Result<Vec<f32>, Unusable> {
    let garbled = |why: &str| Unusable::Garbled(why.to_owned());
    let vector = match written {
        Written::Numbers(numbers) => numbers.into_iter().map(|number| number as f32).collect(),
        Written::Base64(text) => {
            base64::decode(&text).ok_or_else(|| garbled("a vector is neither numbers nor their base64"))?
        }
    };
    if vector.is_empty() {
        return Err(garbled("a vector is empty"));
    }
    if dimensions.is_some_and(|dimensions| dimensions as usize != vector.len()) {
        return Err(Unusable::Dimensions(vector.len()));
    }
    if !vector.iter().all(|value| value.is_finite()) {
        return Err(garbled("a vector holds something that is not a number"));
    }
    unit(vector).ok_or_else(|| garbled("a vector has no direction"))
}

/// Which of the texts a Perihelion server has no vector for, if that is what it complains of.
pub(crate) fn not_understood(body: &[u8], texts: usize) -> Option<Vec<usize>> {
    let body: Value = serde_json::from_slice(body).ok()?;
    if body.get("type")?.as_str()? != "/problems/not-understood" {
        return None;
    }
    let indexes = body.get("indexes")?.as_array()?.iter();
    let indexes: Option<Vec<usize>> =
        indexes.map(|index| usize::try_from(index.as_u64()?).ok().filter(|index| *index < texts)).collect();
    indexes.filter(|indexes| !indexes.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn of(body: &Value, texts: usize) -> Result<Vec<Vec<f32>>, Unusable> {
        read(body.to_string().as_bytes(), texts, Some(2))
    }

    #[test]
    fn vectors_are_put_in_the_order_of_the_texts_and_scaled_to_length_one() {
        let body = json!({"data": [
            {"index": 1, "embedding": [0.0, 5.0]},
            {"index": 0, "embedding": base64::encode(&[3.0, 4.0])},
        ]});
        assert_eq!(of(&body, 2), Ok(vec![vec![0.6, 0.8], vec![0.0, 1.0]]));
        let body = json!({"data": [{"embedding": [2, 0]}, {"embedding": [0, 2]}]});
        assert_eq!(
            of(&body, 2),
            Ok(vec![vec![1.0, 0.0], vec![0.0, 1.0]]),
            "in their order if none has an index"
        );
    }

    #[test]
    fn answers_that_lie_are_refused() {
        let item = |index: usize, numbers: Value| json!({"index": index, "embedding": numbers});
        for (data, texts) in [
            (json!([item(0, json!([1, 0]))]), 2),
            (json!([item(0, json!([1, 0])), item(0, json!([1, 0]))]), 2),
            (json!([item(7, json!([1, 0]))]), 1),
            (json!([item(0, json!([0, 0]))]), 1),
            (json!([item(0, json!([1e300, 0]))]), 1),
            (json!([item(0, json!([null, 0]))]), 1),
            (json!([item(0, json!("not base64"))]), 1),
            (json!([item(0, json!([]))]), 1),
            (json!(null), 1),
        ] {
            let read = of(&json!({"data": data}), texts);
            assert!(matches!(read, Err(Unusable::Garbled(_))), "{data}: {read:?}");
        }
        assert_eq!(of(&json!({"data": [item(0, json!([1, 0, 0]))]}), 1), Err(Unusable::Dimensions(3)));
        let nan = br#"{"data": [{"index": 0, "embedding": [NaN, 1]}]}"#;
        assert!(matches!(read(nan, 1, None), Err(Unusable::Garbled(_))));
        let nan = json!({"data": [item(0, json!(base64::encode(&[f32::NAN, 1.0])))]});
        assert!(matches!(of(&nan, 1), Err(Unusable::Garbled(_))));
        let mixed = json!({"data": [item(0, json!([1, 0])), item(1, json!([1, 0, 0]))]});
        assert!(matches!(read(mixed.to_string().as_bytes(), 2, None), Err(Unusable::Garbled(_))));
    }

    #[test]
    fn only_indexes_of_texts_that_were_sent_are_believed() {
        let said = |indexes: Value| {
            let body = json!({"type": "/problems/not-understood", "indexes": indexes});
            not_understood(body.to_string().as_bytes(), 3)
        };
        assert_eq!(said(json!([0, 2])), Some(vec![0, 2]));
        for indexes in [json!([]), json!([3]), json!([-1]), json!(["0"]), json!(0), json!(null)] {
            assert_eq!(said(indexes.clone()), None, "{indexes}");
        }
        assert_eq!(not_understood(br#"{"type": "/problems/other", "indexes": [0]}"#, 3), None);
    }

    proptest! {
        #[test]
        fn no_bytes_are_too_strange_to_be_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(read(&bytes, 1, None).is_err());
        }
    }
}
