//! Texts of several sentences: equal sentences cancel out, and at most one of the older ones may be left.

use std::collections::HashSet;

use super::readings::{Sentence, Text};
use super::token::split;
use super::{Reason, Relation, Verdict};

/// More sentences than this are compared as wholes only.
const SENTENCES_MAX: usize = 64;

/// A newer text of more bytes than this that meets a single older sentence is about more than it. English
/// fills them with about 400 characters, Korean and Chinese with less.
const NEWS_BYTES_MAX: usize = 400;

/// A longer sentence, in bytes, is only compared word by word, so that the rules' work stays small.
const SENTENCE_BYTES_MAX: usize = 1200;

/// Relates texts of a language, sentence by sentence.
pub(super) fn relate(newer: &Text, older: &Text) -> Relation {
    let (new, old) = (newer.sentences(), older.sentences());
    if new.len() > SENTENCES_MAX || old.len() > SENTENCES_MAX {
        return Relation::unrelated([Reason::TooLong]);
    }
    if let ([one], [other]) = (&new[..], &old[..]) {
        let is_long = one.text.len().max(other.text.len()) > NEWS_BYTES_MAX;
        let relation = read(one, other);
        return if is_long && !is_certain(&relation) {
            Relation::unrelated([Reason::TooLong])
        } else {
            relation
        };
    }
    if new.is_empty() || old.is_empty() {
        return Relation::unrelated([]);
    }
    let is_same = |(one, other): (&Sentence<'_>, &Sentence<'_>)| read(one, other).verdict == Verdict::Same;
    if new.len() == old.len() && new.iter().zip(&old).all(is_same) {
        return Relation::new(Verdict::Same, [Reason::SameWords]);
    }
    let rest_of = |all: &[Sentence<'_>], other: &[Sentence<'_>]| -> Vec<usize> {
        let known: HashSet<&str> = other.iter().map(|one| bare(one.text)).collect();
        (0..all.len()).filter(|at| !known.contains(bare(all[*at].text))).collect()
    };
    let (new_rest, old_rest) = (rest_of(&new, &old), rest_of(&old, &new));
    match old_rest[..] {
        [] => Relation::unrelated([Reason::Contains]),
        [at] => {
            let is_long = newer.normal.len() > NEWS_BYTES_MAX && old.len() == 1;
            one_left(&new, &new_rest, &old[at], is_long)
        }
        _ => Relation::unrelated([]),
    }
}

/// Applies the rules to sentences of a common length.
fn read(new: &Sentence<'_>, old: &Sentence<'_>) -> Relation {
    if new.text.len().max(old.text.len()) <= SENTENCE_BYTES_MAX {
        return new.relate(old);
    }
    let (new, old) = (new.text, old.text);
    let words = |sentence: &str| -> Vec<String> { split(sentence).into_iter().map(|raw| raw.text).collect() };
    let is_same = new.ends_with('?') == old.ends_with('?') && words(new) == words(old);
    if is_same {
        Relation::new(Verdict::Same, [Reason::SameWords])
    } else {
        Relation::unrelated([Reason::TooLong])
    }
}

/// All older sentences but one are in the newer text: that one may have been replaced, in plain words.
fn one_left(new: &[Sentence<'_>], rest: &[usize], old: &Sentence<'_>, is_long: bool) -> Relation {
    if is_long {
        return Relation::unrelated([Reason::TooLong]);
    }
    let mut contains = false;
    for at in rest {
        let relation = read(&new[*at], old);
        if relation.verdict == Verdict::Replaces && relation.is_explicit() {
            return relation;
        }
        contains |= relation.verdict == Verdict::Same || relation.reasons.contains(&Reason::Contains);
    }
    Relation::unrelated(if contains { vec![Reason::Contains] } else { vec![] })
}

/// Whether a verdict about a long sentence rests on more than a pattern inside it.
fn is_certain(relation: &Relation) -> bool {
    match relation.verdict {
        Verdict::Same | Verdict::Unrelated => true,
        Verdict::Replaces => relation.reasons.contains(&Reason::NamesOldValue),
        Verdict::Contradicts => false,
    }
}

fn bare(sentence: &str) -> &str {
    sentence.trim_end_matches(['.', '!', ';', '。', ' '])
}
