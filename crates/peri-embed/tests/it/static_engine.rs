//! The bundled engine against NumPy, and what ranking asks of it.

use peri_embed::{Engine, StaticEngine, TokenId};

use crate::fixtures::{Vector, cosine, lines};

fn engine() -> StaticEngine {
    StaticEngine::bundled().unwrap()
}

fn embed(text: &str) -> Vec<f32> {
    engine().embed(&[text]).unwrap().remove(0).unwrap_or_else(|| panic!("no vector for {text:?}"))
}

#[test]
fn vectors_are_those_of_the_exact_table() {
    for golden in lines::<Vector>("static_vectors.jsonl") {
        let ours = embed(&golden.text);
        assert!(cosine(&ours, &golden.vector) >= 0.9995, "{:?}", golden.text);
        assert!((cosine(&ours, &ours) - 1.0).abs() < 1e-5);
    }
}

#[test]
fn vectors_fit_the_space_and_do_not_depend_on_company() {
    let engine = engine();
    assert_eq!(engine.space().to_string(), "static-minilm@1/256");
    let texts = ["Rent is due on Monday.", "这是中文", "The cat sleeps."];
    let together = engine.embed(&texts).unwrap();
    for (text, vector) in texts.iter().zip(&together) {
        assert_eq!(&engine.embed(&[text]).unwrap()[0], vector);
    }
    assert!(together[1].is_none());
    assert_eq!(together[0].as_ref().map(Vec::len), Some(256));
}

#[test]
fn related_sentences_are_closer_than_unrelated_ones() {
    let asked = embed("What does he like to drink in the morning?");
    let right = embed("He prefers tea for breakfast.");
    let wrong = embed("The certificate of the server expired on Sunday.");
    assert!(cosine(&asked, &right) > cosine(&asked, &wrong) + 0.2);
}

#[test]
fn each_word_of_a_question_finds_the_nearest_word_of_a_text() {
    let engine = engine();
    let mut similar = engine.similarities(&["coffee", "certificate"]);
    let text = engine.whole_words("he drinks tea with his certificate", |_| false);
    let best = similar.best(&text).to_vec();
    assert!(best[1] > 0.999, "the same word: {best:?}");
    assert!(best[0] > 0.3 && best[0] < 0.95, "coffee is like tea: {best:?}");
    assert_eq!(similar.best(&[]), [0.0, 0.0]);
    assert_eq!(similar.best(&[u16::MAX]), [0.0, 0.0], "a token that the table lacks");
}

#[test]
fn rows_rebuild_a_text_s_vector_and_common_tokens_weigh_little() {
    let engine = engine();
    let text = "the certificate expired";
    let mut sum = vec![0.0; 256];
    for row in engine.tokens(text).into_iter().filter_map(|token| engine.row(token)) {
        sum.iter_mut().zip(row.values).for_each(|(sum, value)| *sum += f32::from(*value) * row.scale);
    }
    let length = cosine(&sum, &sum).sqrt();
    assert!((cosine(&sum, &embed(text)) / length - 1.0).abs() < 1e-5);
    let tokens = engine.tokens(text);
    assert!(engine.weight(tokens[0]) < 0.3 * engine.weight(tokens[1]));
    assert_eq!(engine.row(TokenId(u32::MAX)), None);
    assert_eq!(engine.weight(TokenId(u32::MAX)), 0.0);
}

#[test]
fn the_table_is_whole() {
    StaticEngine::verify().unwrap();
}
