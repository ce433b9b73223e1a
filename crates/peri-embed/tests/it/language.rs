//! An engine must not vote in a language that it does not know.

use peri_embed::{Engine, StaticEngine};

use crate::fixtures::{Sentence, lines, minilm};

/// How many of a language's sentences get a vector, and how many there are.
fn embedded(engine: &dyn Engine, language: &str) -> (usize, usize) {
    let sentences: Vec<Sentence> = lines("languages.jsonl");
    let texts: Vec<&str> =
        sentences.iter().filter(|sentence| sentence.language == language).map(|s| s.text.as_str()).collect();
    assert!(!texts.is_empty(), "{language}");
    (engine.embed(&texts).unwrap().into_iter().flatten().count(), texts.len())
}

fn check(engine: &dyn Engine) {
    for language in ["ko", "zh", "ja", "ru"] {
        assert_eq!(embedded(engine, language).0, 0, "{language} is not English");
    }
    for language in ["en", "en-code"] {
        let (some, all) = embedded(engine, language);
        assert_eq!(some, all, "{language} is English");
    }
    let (some, all) = embedded(engine, "en-typos");
    assert!(some + 1 >= all, "{some} of {all} misspelt sentences");
    for language in ["de", "es", "fr"] {
        let (some, all) = embedded(engine, language);
        assert!(some * 5 <= all, "{some} of {all} {language} sentences");
    }
}

#[test]
fn the_bundled_engine_votes_in_english_only() {
    check(&StaticEngine::bundled().unwrap());
}

#[test]
fn the_transformer_follows_the_same_rule() {
    check(minilm());
}

#[test]
fn short_texts_are_judged_by_what_they_hold() {
    let engine = StaticEngine::bundled().unwrap();
    for (text, embeds) in [
        ("k8s?", true),
        ("Reedis cache", true),
        ("getUserById", true),
        ("42", true),
        ("tea", true),
        ("Reedis", false),
        ("?!", false),
        ("😀", false),
        ("", false),
        ("API 서버가 죽었다", false),
    ] {
        let vector = engine.embed(&[text]).unwrap().remove(0);
        assert_eq!(vector.is_some(), embeds, "{text:?}, coverage {}", engine.coverage(text));
    }
}
