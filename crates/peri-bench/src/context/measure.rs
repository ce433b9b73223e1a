//! What calls of the engine cost, in one process.

use std::time::Duration;

use perihelion::{ContextRequest, Moment, Namespace, Observe, Perihelion};

use super::invented::Talk;
use crate::Outcome;
use crate::speed::figures::{Latency, timed};

/// So many exchanges are heard before they are observed: about as many as make it due.
const OBSERVED_AT_ONCE: usize = 5;

/// Longer than anything here takes.
const LEASE: Duration = Duration::from_secs(60);

/// A name and the median, in milliseconds.
pub(super) type Figure = (&'static str, f64);

/// The middle of times in microseconds, in milliseconds.
pub(super) fn middle(micros: Vec<f64>) -> f64 {
    Latency::of(micros).p50 / 1e3
}

/// What agents are given when a session begins and with a prompt.
pub(super) fn contexts(engine: &Perihelion, rounds: u32, talk: &mut Talk) -> Outcome<Vec<Figure>> {
    let request = || ContextRequest::new(Namespace::default()).once(LEASE);
    // The first one reads what all of them need.
    engine.context(&ContextRequest::new(Namespace::default()).about(talk.question()))?;
    let (mut starts, mut prompts, mut tokens) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..rounds {
        let session = format!("begins-{round}");
        starts.push(given(engine, &session, &request().at(Moment::Start), &mut tokens)?);
        let prompt = request().at(Moment::Prompt).about(talk.question());
        prompts.push(given(engine, &session, &prompt, &mut Vec::new())?);
    }
    Ok(vec![
        ("tokens at the start", Latency::of(tokens).p50),
        ("context at the start, ms", middle(starts)),
        ("context with a prompt, ms", middle(prompts)),
    ])
}

/// How long a context took. It is given back, so that every round finds the same.
fn given(
    engine: &Perihelion,
    session: &str,
    request: &ContextRequest,
    tokens: &mut Vec<f64>,
) -> Outcome<f64> {
    let request = request.clone().in_session(session);
    let (time, context) = timed(|| engine.context(&request));
    let context = context?;
    if let Some(trouble) = context.degraded.first() {
        return Err(trouble.clone().into());
    }
    tokens.push(context.tokens as f64);
    engine.give_back_context(&request.namespace, session, &context)?;
    Ok(time)
}

/// What hearing an exchange costs, and making notes of some, memories included.
pub(super) fn heard(engine: &Perihelion, rounds: u32, talk: &mut Talk) -> Outcome<Vec<Figure>> {
    engine.observe(&Namespace::default(), "nothing yet")?;
    let (mut hears, mut observes) = (Vec::new(), Vec::new());
    for round in 0..rounds {
        let session = format!("heard-{round}");
        for _ in 0..OBSERVED_AT_ONCE {
            let exchange = talk.exchange(&session);
            let (time, heard) = timed(|| engine.hear(exchange, Observe::Later));
            heard?;
            hears.push(time);
        }
        let (time, observed) = timed(|| engine.observe(&Namespace::default(), &session));
        observed?;
        observes.push(time);
    }
    Ok(vec![("hear, an exchange, ms", middle(hears)), ("observe, five exchanges, ms", middle(observes))])
}
