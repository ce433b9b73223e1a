//! Everything that the rules look at in one sentence.

use jiff::civil::Date;
use peri_orbit::importance::{Evaluation, Reason, evaluate};
use peri_text::{TermClass, analyze_query};

use crate::cues::Cue;
use crate::days::{NamedDays, Tense, named_days};
use crate::folding::{Folded, is_han, is_hangul};
use crate::language::{Language, language};
use crate::matcher::{self, Cues};
use crate::message::Role;

/// What was found in one sentence.
pub(crate) struct Signals<'a> {
    /// The sentence as it was written.
    pub(crate) text: &'a str,
    pub(crate) role: Role,
    pub(crate) language: Language,
    pub(crate) folded: Folded,
    pub(crate) cues: Cues,
    /// How much it seems to matter, and why.
    pub(crate) evaluation: Evaluation,
    /// The days it names.
    pub(crate) named: Vec<NamedDays>,
    /// The day it was said on.
    pub(crate) today: Date,
    /// Whether it is a question.
    pub(crate) asks: bool,
}

impl<'a> Signals<'a> {
    /// Reads a sentence, or nothing if no cue stands in it.
    pub(crate) fn read(text: &'a str, role: Role, today: Date) -> Self {
        let folded = Folded::new(text);
        let cues = matcher::find(&folded.signs);
        let tense = if cues.has(Cue::Past) { Tense::Past } else { Tense::Coming };
        let ends_asking =
            text.trim_end_matches(['"', '”', '\'', ')', ' ', '!', '~', '！']).ends_with(['?', '？']);
        let asks = ends_asking || cues.has(Cue::Asks);
        Self {
            text,
            role,
            language: language(text),
            evaluation: evaluate(text),
            named: named_days(text, today, tense),
            folded,
            cues,
            today,
            asks,
        }
    }

    /// Whether the evaluation gives a reason.
    pub(crate) fn has_reason(&self, reason: Reason) -> bool {
        self.evaluation.reasons.contains(&reason)
    }

    /// Whether a sentence means something without the one before it.
    pub(crate) fn says_enough(&self) -> bool {
        let terms = analyze_query(self.text);
        let count = |holds: fn(TermClass) -> bool| terms.iter().filter(|term| holds(term.class)).count();
        let words = count(|class| matches!(class, TermClass::Word | TermClass::Identifier | TermClass::Cjk));
        let is_more = self.weight_beside_cues() >= 6;
        is_more
            && words >= 1
            && words + count(|class| matches!(class, TermClass::Number | TermClass::Date)) >= 2
    }

    /// How much stands beside the phrases that merely announce, decide or report.
    fn weight_beside_cues(&self) -> usize {
        let mut own = self.folded.signs.clone();
        for cue in [Cue::Decides, Cue::Finishes, Cue::OpensCorrection, Cue::Objects, Cue::Reminds] {
            for span in self.cues.spans(cue).filter(|span| span.len() <= 14) {
                own[span.clone()].fill(' ');
            }
        }
        weight(&own)
    }

    /// Whether a statement follows in another clause behind a cue.
    pub(crate) fn goes_on_behind(&self, cue: Cue) -> bool {
        let signs = &self.folded.signs;
        self.cues.spans(cue).any(|span| {
            let rest = &signs[span.end..];
            let at_mark = span.end > 0 && signs[span.end - 1] == ':';
            let clause =
                if at_mark { Some(0) } else { rest.iter().position(|sign| matches!(sign, ',' | ':' | ';')) };
            clause.is_some_and(|at| weight(&rest[at..]) >= 10)
        })
    }

    /// The word in Latin letters right before a place.
    pub(crate) fn word_before(&self, at: usize) -> String {
        let before = &self.folded.signs[..at];
        let end = before.iter().rposition(|sign| *sign != ' ').map_or(0, |last| last + 1);
        let start = before[..end]
            .iter()
            .rposition(|sign| !(sign.is_alphanumeric() || *sign == '\''))
            .map_or(0, |at| at + 1);
        before[start..end].iter().collect()
    }
}

/// How much stands in some signs; a Korean or Chinese one tells as much as two or three letters.
fn weight(signs: &[char]) -> usize {
    signs
        .iter()
        .map(|sign| if is_han(*sign) || is_hangul(*sign) { 3 } else { usize::from(sign.is_alphanumeric()) })
        .sum()
}
