//! The tables of phrases, one for each language.
//!
//! A phrase is written in lower case and simplified spelling. A leading or trailing `*` lets it begin or end
//! inside a word, a leading `^` or trailing `$` ties it to the beginning or end of a clause. Between Korean
//! or Chinese signs a space may be missing in the text. Chinese phrases always match inside words, because
//! Chinese does not mark words.

mod chinese;
mod english;
mod korean;

use super::Reason;

/// What a phrase says about the sentence it stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Evidence for importance.
    Cue(Reason),
    /// Words that are said without saying anything, or against importance.
    Chatter(Reason),
    /// A word that means nothing by itself.
    Light,
    /// A light word for who speaks.
    Speaker,
    /// A light word for who is spoken to.
    Listener,
    /// Looks like evidence and is none.
    Neutral,
    /// A point in time, which makes a deadline of the words around it.
    Moment,
    /// Announces that a point in time that follows is a deadline.
    BeforeMoment,
    /// Turns a point in time that stands before it into a deadline.
    AfterMoment,
}

impl Meaning {
    /// Whether what it covers is not to be read again.
    pub(super) fn closes(self) -> bool {
        match self {
            Self::Chatter(_) | Self::Neutral => true,
            Self::Cue(_)
            | Self::Light
            | Self::Speaker
            | Self::Listener
            | Self::Moment
            | Self::BeforeMoment
            | Self::AfterMoment => false,
        }
    }
}

/// A row of a table: what the phrases mean, how clearly from 0 to 1, and the phrases with `|` between them.
pub(super) type Row = (Meaning, f32, &'static str);

/// Every phrase of all tables, with what it means and how clearly.
pub(super) fn all() -> impl Iterator<Item = (Meaning, f32, &'static str)> {
    let rows = [english::TABLE, korean::TABLE, chinese::TABLE].into_iter().flatten();
    rows.flat_map(|&(meaning, strength, texts)| {
        texts.split('|').map(move |text| (meaning, strength, text.trim()))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn every_phrase_is_written_once_and_in_folded_form() {
        let mut seen: HashMap<&str, Meaning> = HashMap::new();
        for (meaning, strength, text) in all() {
            assert!((0.0..=1.0).contains(&strength), "{meaning:?}");
            assert!(!seen.contains_key(text), "{text} stands twice: {meaning:?} and {:?}", seen[text]);
            seen.insert(text, meaning);
            let bare = text.trim_matches(['*', '^', '$']);
            let folded = super::super::folding::fold(bare);
            let first = folded.sentences().next().expect("a phrase holds words");
            assert_eq!(first.signs.iter().collect::<String>(), bare);
        }
    }

    #[test]
    fn evidence_belongs_to_a_group_and_chatter_to_none() {
        for (meaning, _, _) in all() {
            match meaning {
                Meaning::Cue(reason) => assert!(reason.group().is_some(), "{reason:?}"),
                Meaning::Chatter(reason) => assert_eq!(reason.group(), None, "{reason:?}"),
                _ => {}
            }
        }
    }
}
