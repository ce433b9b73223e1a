//! Whether two engines give the same vectors.

use peri_embed::{EmbedError, Engine};

use crate::RemoteError;

/// What both are asked: English, which every model in question knows, long and short, with and without figures.
const SENTENCES: [&str; 4] = [
    "The certificate of the mail server expired on Sunday.",
    "Ana prefers tea over coffee",
    "What did we decide about the 3 database migrations?",
    "tea",
];

/// The least cosine of vectors that one model gave on two machines. Rounding takes less than a thousandth.
const COSINE_MIN: f64 = 0.999;

/// How a comparison went.
pub(crate) enum Likeness {
    /// They give the same vectors, or the second does not answer and cannot contradict.
    Alike,
    /// They do not.
    Unlike(RemoteError),
    /// The first does not answer.
    Unanswered(EmbedError),
}

/// Asks both for the same sentences and compares.
pub(crate) fn compare(first: &dyn Engine, second: &dyn Engine) -> Likeness {
    let own = match first.embed(&SENTENCES) {
        Ok(own) => own,
        Err(error) => return Likeness::Unanswered(error),
    };
    let Ok(other) = second.embed(&SENTENCES) else { return Likeness::Alike };
    let cosine = own.iter().zip(&other).map(|pair| match pair {
        (Some(own), Some(other)) => cosine(own, other),
        (None, None) => 1.0,
        _ => 0.0,
    });
    let cosine = cosine.fold(1.0, f64::min);
    if own.len() == other.len() && cosine >= COSINE_MIN {
        return Likeness::Alike;
    }
    Likeness::Unlike(RemoteError::Unlike { space: first.space().to_string(), cosine })
}

fn cosine(a: &[f32], b: &[f32]) -> f64 {
    if a.len() != b.len() {
        return 0.0;
    }
    a.iter().zip(b).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum()
}
