//! The transformer against a forward pass in NumPy.

use std::num::NonZeroUsize;

use peri_embed::{Engine, TransformerEngine};

use crate::fixtures::{Vector, cosine, lines, minilm, minilm_folder};

#[test]
fn vectors_are_those_of_the_reference() {
    let golden: Vec<Vector> = lines("transformer_vectors.jsonl");
    let texts: Vec<&str> = golden.iter().map(|case| case.text.as_str()).collect();
    let together = minilm().embed(&texts).unwrap();
    for (case, vector) in golden.iter().zip(together) {
        let cosine = cosine(&vector.unwrap(), &case.vector);
        assert!(cosine >= 0.9999, "{:?}: {cosine}", case.text);
    }
}

#[test]
fn a_vector_depends_neither_on_company_nor_on_threads() {
    let golden: Vec<Vector> = lines("transformer_vectors.jsonl");
    let mut texts: Vec<&str> = golden.iter().map(|case| case.text.as_str()).collect();
    texts.insert(3, "한국어 문장");
    let one = TransformerEngine::load(&minilm_folder()).unwrap().with_threads(NonZeroUsize::MIN);
    let many = minilm().embed(&texts).unwrap();
    assert!(many[3].is_none());
    for (text, vector) in texts.iter().zip(&many) {
        let alone = one.embed(&[text]).unwrap().remove(0);
        assert_eq!(alone.is_some(), vector.is_some());
        if let (Some(alone), Some(vector)) = (alone, vector) {
            assert!(cosine(&alone, vector) > 0.99999, "{text}");
        }
    }
}

#[test]
fn paraphrases_are_closer_than_unrelated_sentences() {
    let texts = [
        "The deployment failed because the certificate had expired.",
        "Our release broke since the TLS cert was out of date.",
        "My sister opened a small bakery in Lisbon.",
        "A relative of mine runs a bread shop in Portugal.",
    ];
    let vectors: Vec<Vec<f32>> = minilm().embed(&texts).unwrap().into_iter().flatten().collect();
    for (a, b) in [(0, 1), (2, 3)] {
        let related = cosine(&vectors[a], &vectors[b]);
        let unrelated = cosine(&vectors[a], &vectors[(b + 1) % 4]);
        assert!(related > unrelated + 0.3, "{related} {unrelated}");
    }
}

#[test]
fn the_space_names_the_weights() {
    let space = minilm().space();
    assert_eq!(space.dimensions, 384);
    assert!(space.model.starts_with("MiniLM-L6-H384-uncased-mean@"), "{space}");
}
