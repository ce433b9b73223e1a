//! How much a text seems to matter, judged by rules.
//!
//! The rules look for four kinds of evidence: facts, feelings, things to do, and plain requests to remember.
//! A statement without any evidence keeps [`ORDINARY`]; evidence lifts it towards 1, small talk and negated
//! markers pull it towards 0. Within a group each further piece of evidence adds less than the one before,
//! so that a single clear one is enough: being asked to remember does not need a date as well.
//!
//! English, Korean and Chinese are read by the same matcher over three tables of phrases. The work grows
//! linearly with the text.

mod finder;
mod folding;
mod phrases;
mod reason;
mod shapes;
mod weigh;

pub use reason::{Group, Reason};

/// The importance of a statement that nothing speaks for or against.
pub const ORDINARY: f32 = 0.5;

/// What the rules make of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// How much the text seems to matter, from 0 to 1.
    pub importance: f32,
    /// How strongly it states facts, from 0 to 1.
    pub factual: f32,
    /// How strongly it tells of feelings, health and family, from 0 to 1.
    pub emotional: f32,
    /// How strongly it binds somebody to do something, from 0 to 1.
    pub actionable: f32,
    /// How strongly it asks to be remembered, from 0 to 1.
    pub explicit: f32,
    /// What was found, in the order of [`Reason::ALL`], each once.
    pub reasons: Vec<Reason>,
}

/// Judges a text.
///
/// ```
/// use peri_orbit::importance::{Reason, evaluate};
///
/// let vital = evaluate("Remember that I'm allergic to peanuts.");
/// assert!(vital.importance > 0.8 && vital.reasons.contains(&Reason::Remember));
/// assert!(evaluate("haha ok").importance < 0.2);
/// assert_eq!(evaluate("The sky was grey when we walked along the river.").importance, 0.5);
/// ```
pub fn evaluate(text: &str) -> Evaluation {
    let folded = folding::fold(text);
    let judged: Vec<_> = folded.sentences().map(|sentence| weigh::sentence(&sentence)).collect();
    weigh::together(&judged)
}
