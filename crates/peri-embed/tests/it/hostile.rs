//! No text makes an engine panic or give something that is not a vector of length one.

use peri_embed::{Engine, StaticEngine};
use proptest::prelude::*;

use crate::fixtures::minilm;

fn check(engine: &dyn Engine, texts: &[&str]) {
    let vectors = engine.embed(texts).unwrap();
    assert_eq!(vectors.len(), texts.len());
    for vector in vectors.into_iter().flatten() {
        assert_eq!(vector.len(), engine.space().dimensions as usize);
        let length: f32 = vector.iter().map(|value| value * value).sum();
        assert!((length - 1.0).abs() < 1e-4, "{length}");
    }
}

#[test]
fn odd_texts_are_survived() {
    let long = "all work and no play ".repeat(50_000);
    let one_word = "x".repeat(1_000_000);
    let marks = "\u{301}".repeat(10_000);
    let han = "证".repeat(100_000);
    let texts = [
        "",
        " \n\t",
        "?!...,,;",
        "\0",
        "a\0b",
        "\u{301}\u{302}",
        "😀👩‍👩‍👧🇰🇷",
        "مرحبا بالعالم",
        "שלום hello",
        "\u{202e}olleh",
        "\u{fffd}\u{feff}",
        "[PAD] [UNK] [CLS]",
        "##ing ## #",
        "\u{10ffff}\u{e000}",
        &long,
        &one_word,
        &marks,
        &han,
    ];
    check(&StaticEngine::bundled().unwrap(), &texts);
    check(minilm(), &texts);
    check(minilm(), &[]);
}

proptest! {
    #[test]
    fn any_text_is_survived(texts in prop::collection::vec(any::<String>(), 0..8)) {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let engine = StaticEngine::bundled().unwrap();
        check(&engine, &texts);
        for text in &texts {
            let coverage = engine.coverage(text);
            prop_assert!((0.0..=1.0).contains(&coverage));
            prop_assert!(engine.tokens(text).iter().all(|token| engine.row(*token).is_some()));
        }
    }

    #[test]
    fn case_and_surrounding_space_do_not_matter(text in "[a-z ,.!?]{1,60}") {
        let engine = StaticEngine::bundled().unwrap();
        let shouted = format!("  {}\n", text.to_uppercase());
        prop_assert_eq!(engine.tokens(&text), engine.tokens(&shouted));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn the_transformer_survives_any_text(texts in prop::collection::vec("(\\PC|[a-z ]){0,60}", 0..4)) {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        check(minilm(), &texts);
    }
}
