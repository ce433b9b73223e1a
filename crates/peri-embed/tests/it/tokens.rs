//! The tokeniser is the reference's, token for token.

use peri_embed::{StaticEngine, TokenId};

use crate::fixtures::{Tokens, lines, minilm};

fn numbers(tokens: Vec<TokenId>) -> Vec<u32> {
    tokens.into_iter().map(|token| token.0).collect()
}

#[test]
fn the_bundled_vocabulary_gives_the_reference_tokens() {
    let engine = StaticEngine::bundled().unwrap();
    for case in lines::<Tokens>("tokens.jsonl") {
        let known: Vec<u32> = case.small.into_iter().filter(|token| *token > 1).collect();
        assert_eq!(numbers(engine.tokens(&case.text)), known, "{:?}", case.text);
    }
}

#[test]
fn the_encoder_vocabulary_gives_the_reference_tokens_with_unknown_ones() {
    for mut case in lines::<Tokens>("tokens.jsonl") {
        case.bert.truncate(254);
        assert_eq!(numbers(minilm().tokens(&case.text)), case.bert, "{:?}", case.text);
    }
}

#[test]
fn control_tokens_cannot_be_written_by_a_user() {
    let engine = StaticEngine::bundled().unwrap();
    assert_eq!(engine.tokens("[PAD]"), engine.tokens("[ pad ]"));
    assert_eq!(minilm().tokens("[SEP]"), minilm().tokens("[ sep ]"));
}
